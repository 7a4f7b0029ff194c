package io.github.libaura;

import static io.github.libaura.AuraException.Code.CONFLICT;
import static io.github.libaura.AuraException.Code.DENIED;
import static io.github.libaura.AuraException.Code.INVALID;
import static io.github.libaura.AuraException.Code.NOT_FOUND;
import static io.github.libaura.Shared.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recording turns and reading them back. */
class RecordingTest {
  static final List<Message> TOOL_TURN =
      List.of(
          Message.user("Will it rain in Bergen?").by("Ana"),
          Message.toolCall("c1", "weather", Map.of("city", "Bergen")),
          Message.toolResult("c1", "{\"rain\": true}"),
          Message.assistant("It will."));

  @Test
  void aTurnHasItsIds() {
    try (Aura aura = Aura.inMemory()) {
      Session chat = aura.session("s");
      Turn first = chat.recordExchange("hello", "hi");
      assertEquals(List.of(0, 1L, 2L, 2L), List.of(first.index(), first.firstEvent(), first.lastEvent(), first.messages()));
      assertEquals(Turn.Effect.CREATED, first.effect());
      assertTrue(Math.abs(first.recordedAt().getEpochSecond() - Instant.now().getEpochSecond()) < 60);
      TurnRequest open = new TurnRequest(TOOL_TURN).withId("t").withStatus(Turn.Status.OPEN);
      assertEquals(Turn.Status.OPEN, chat.record(open).status());
      TurnRequest less = new TurnRequest(TOOL_TURN.subList(0, 1)).withId("t").withStatus(Turn.Status.OPEN);
      assertEquals(Turn.Effect.UNCHANGED, chat.record(less).effect());
      assertEquals(Turn.Status.COMPLETE, chat.finishTurn("t", Turn.Status.COMPLETE).status());
      fails(CONFLICT, null, () -> chat.finishTurn("t", Turn.Status.FAILED));
      fails(CONFLICT, null, () -> chat.record(new TurnRequest(List.of(Message.user("else"))).withId("t")));
      String turns = Json.write(chat.turns(1, 5));
      assertTrue(turns.contains("\"city\":\"Bergen\"") && turns.contains("\"name\":\"Ana\""), turns);
      assertEquals(3L, chat.messages(2, 3).get(1).get("event_id"));
      chat.setHead(first.id());
      assertEquals(2, chat.record(Message.user("a")).index());
      assertEquals(3L, chat.describe().get("turns"));
      assertEquals("s", chat.id());
    }
  }

  @Test
  void factsHaveTwoTimeAxes() {
    try (Aura aura = Aura.inMemory()) {
      Session chat = aura.session("s");
      chat.record(Message.user("I live in Oslo.").at(Instant.parse("2024-01-01T10:00:00Z")));
      chat.record(Message.user("I just moved to Berlin.").at(Instant.parse("2024-06-01T10:00:00Z")));
      assertEquals(2, chat.facts().size());
      List<Map<String, Object>> then =
          chat.facts(Instant.parse("2024-03-01T00:00:00Z"), Instant.parse("2999-01-01T00:00:00Z"));
      assertEquals(1, then.size());
      assertTrue(then.get(0).get("text").toString().contains("Oslo"));
    }
  }

  @Test
  void principalsAreApart() {
    try (Aura aura = Aura.inMemory()) {
      Principal ana = new Principal("shop", null, "ana", List.of("l"));
      aura.session("s").as(ana).recordExchange("My shoe size is 38.", "Noted.");
      Session foreign = aura.session("s").as(Principal.of("shop", "bea"));
      fails(DENIED, "session_id", () -> foreign.buildContext(ContextRequest.of("q")));
      assertEquals("s", aura.sessions(ana, Map.of("limit", 5)).get(0).get("session_id"));
      assertEquals(List.of(), aura.sessions(null, null));
    }
  }

  @Test
  void wrongArgumentsAreNamed() {
    try (Aura aura = Aura.inMemory()) {
      Session chat = aura.session("s");
      fails(INVALID, "messages[0].role", () -> chat.record(Message.of("nobody", "a")));
      fails(INVALID, null, () -> chat.record());
      fails(INVALID, "session_id", () -> aura.session("").recordExchange("a", "b"));
      fails(INVALID, "session_id", () -> aura.session("x".repeat(257)).describe());
      fails(INVALID, "first", () -> chat.turns(-1, 1));
      fails(INVALID, "query.colour", () -> aura.sessions(null, Map.of("colour", 1)));
      fails(NOT_FOUND, null, chat::describe);
      assertThrows(IllegalArgumentException.class, () -> aura.sessions(null, Map.of("user", new Object())));
    }
  }

  @Test
  void whatWasRecordedIsThereAgain(@TempDir Path folder) {
    for (int round = 0; round < 3; round++) {
      try (Aura aura = Aura.builder(folder.resolve("a.db")).durability(Aura.Durability.NORMAL).open()) {
        assertEquals(round, aura.session("s").recordExchange("a", "b").index());
      }
    }
  }
}
