package io.github.libaura;

import static io.github.libaura.AuraException.Code.INVALID;
import static io.github.libaura.Shared.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nasty texts, in words and in identifiers. */
class TextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"a\0b", "👩‍👩‍👧 and ☔", "\uFFFD", "שלום עולם \u202e", "𐍈𐍈𐍈", "a\r\nb\u2028c", "\"\\'\u007f"})
  void wordsComeBack(String text) {
    try (Aura aura = Aura.inMemory()) {
      Session chat = aura.session("s");
      chat.recordExchange(text, text);
      chat.record(Message.user(text));
      for (Map<String, Object> stored : chat.messages(1, 3)) {
        assertEquals(text, words(stored));
      }
      Context context = chat.buildContext(ContextRequest.of(text));
      assertTrue(context.rows().get(context.rows().size() - 1).content().endsWith(text));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void halfAPairIsReplacedInWordsAndRefusedInIds(int which) {
    String half = new String[] {"\ud83d", "\ude00", "\ude00\ud83d"}[which];
    String mended = "a" + "\uFFFD".repeat(half.length()) + "b";
    try (Aura aura = Aura.inMemory()) {
      Session chat = aura.session("s");
      chat.recordExchange("a" + half + "b", "fine");
      chat.record(Message.user("a" + half + "b"));
      List<Map<String, Object>> stored = chat.messages(1, 3);
      assertEquals(List.of(mended, "fine", mended), stored.stream().map(TextTest::words).toList());
      fails(INVALID, "session_id", () -> aura.session(half).recordExchange("a", "b"));
      fails(INVALID, "turn_id", () -> chat.record(new TurnRequest(List.of(Message.user("a"))).withId(half)));
      fails(INVALID, null, () -> chat.record(new TurnRequest(List.of(Message.user("a"))).answering(half)));
      fails(INVALID, "correlation_id", () -> chat.buildContext(ContextRequest.of("q").correlationId(half)));
      fails(INVALID, "user", () -> chat.as(Principal.of(null, half)).describe());
      Principal labelled = new Principal(null, null, null, List.of(half));
      fails(INVALID, null, () -> chat.as(labelled).buildContext(ContextRequest.of("q")));
    }
  }

  @Test
  void tenMegabytes() {
    try (Aura aura = Aura.inMemory()) {
      Session chat = aura.session("s");
      String text = "0123456789abcdef ".repeat(600_000);
      chat.recordExchange(text, "fine");
      assertEquals(text, words(chat.messages(1, 1).get(0)));
    }
  }

  @Test
  void json() {
    String text = "{\"a\":[1,-2.5,1.0E300,true,false,null,{}],\"b\":\"\\u0001\\\"\\\\\\ud83d\\ude00\",\"c\":[]}";
    assertEquals(text, Json.write(Json.parse(text)));
    assertEquals("\n/\b\f\r\t", Json.parse("\"\\n\\/\\b\\f\\r\\t\""));
    assertEquals(Map.of("x", 9223372036854775807L), Json.parse(" { \"x\" : 9223372036854775807 } "));
    for (String wrong : List.of("", "[", "{\"a\"}", "\"a", "tru", "1 2", "[1,]", "01x", "[".repeat(600), "\"\\u12")) {
      assertThrows(IllegalArgumentException.class, () -> Json.parse(wrong), wrong);
    }
    assertThrows(IllegalArgumentException.class, () -> Json.write(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> Json.object("[]"));
    assertThrows(IllegalArgumentException.class, () -> Json.objects("[1]"));
  }

  private static Object words(Map<String, Object> stored) {
    Map<?, ?> message = (Map<?, ?>) stored.get("message");
    return ((Map<?, ?>) ((List<?>) message.get("parts")).get(0)).get("text");
  }
}
