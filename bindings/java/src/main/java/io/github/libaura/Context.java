package io.github.libaura;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The messages and tools for one model call, and the manifest that accounts for them. Immutable; outlives its engine. */
public final class Context {
  /** How a compilation ended. */
  public enum Outcome {
    /** All optional work was done. */
    COMPLETE,
    /** Valid, but some optional work was skipped. */
    DEGRADED,
    /** Policy and verified blocks only. */
    RESTRICTED,
    /** The transcript, after a failure. */
    FALLBACK
  }

  /** Which part of a context a message is. */
  public enum Section {
    SYSTEM,
    HISTORY,
    EVIDENCE,
    QUESTION,
    TAIL
  }

  /**
   * One message, without the form of a provider.
   *
   * @param role {@code system}, {@code user}, {@code assistant} or {@code tool}
   * @param section which part of the context it is
   * @param name the speaker's name; empty where there is none
   * @param content the text; empty where the message only calls tools
   * @param toolCallId the call that a tool message answers; empty otherwise
   * @param isError whether a tool message reports a failure
   * @param extra what else it has, as a JSON object of {@code tool_calls}, {@code media}, {@code native}; empty when nothing
   * @param tokens its tokens, overhead included
   * @param events the ids of the events shown in it
   */
  public record Row(
      String role,
      Section section,
      String name,
      String content,
      String toolCallId,
      boolean isError,
      String extra,
      int tokens,
      List<Long> events) {}

  private static final String[] ROLES = {"system", "user", "assistant", "tool"};
  private static final int NUMBERS = 11;

  private final long context;
  private final long[] numbers = new long[NUMBERS];
  private final String requestId;
  private final String turnId;
  private final List<Row> rows;

  Context(long context) {
    this.context = context;
    Aura.CLEANER.register(this, () -> Native.contextFree(context));
    byte[][] ids = new byte[2][];
    byte[] block = Native.contextView(context, numbers, ids);
    requestId = Native.string(ids[0]);
    turnId = Native.string(ids[1]);
    List<Row> read = new ArrayList<>();
    for (int i = 0; i < numbers[0]; i++) {
      read.add(row(block, i));
    }
    rows = List.copyOf(read);
  }

  private Row row(byte[] block, int index) {
    ByteBuffer fields = ByteBuffer.wrap(block).order(ByteOrder.nativeOrder());
    int begin = index * (int) numbers[1];
    int bytes = (int) numbers[2];
    java.util.function.IntUnaryOperator field = number -> fields.getInt(begin + number * Integer.BYTES);
    java.util.function.IntFunction<String> text =
        number ->
            new String(
                block, bytes + field.applyAsInt(number), field.applyAsInt(number + 1), StandardCharsets.UTF_8);
    List<Long> events = new ArrayList<>();
    for (int i = 0; i < field.applyAsInt(13); i++) {
      events.add(fields.getLong(bytes + field.applyAsInt(12) + i * Long.BYTES));
    }
    return new Row(
        ROLES[field.applyAsInt(0)],
        Section.values()[field.applyAsInt(1)],
        text.apply(4),
        text.apply(6),
        text.apply(10),
        field.applyAsInt(3) == 1,
        text.apply(8),
        field.applyAsInt(2),
        List.copyOf(events));
  }

  /** The messages without the form of a provider. */
  public List<Row> rows() {
    return rows;
  }

  /** This compilation, by which its manifest is found and a recorded turn says what it answers. */
  public String requestId() {
    return requestId;
  }

  /** The turn the context is for. */
  public String turnId() {
    return turnId;
  }

  /** What the whole visible history with the same question would take, in tokens. */
  public long historyTokens() {
    return numbers[3];
  }

  /** What it takes, in tokens: system text, tools, messages, overhead. */
  public int tokens() {
    return (int) numbers[4];
  }

  /** What it may take, in tokens. */
  public int budget() {
    return (int) numbers[5];
  }

  /** By how many tokens it exceeds the budget; 0 when it does not. */
  public int overBudget() {
    return (int) numbers[6];
  }

  /** What the tools take of {@link #tokens}. */
  public int toolTokens() {
    return (int) numbers[7];
  }

  /** How the compilation ended. */
  public Outcome outcome() {
    return Outcome.values()[(int) numbers[8]];
  }

  /** Whether the model should take no action on it. */
  public boolean readOnly() {
    return numbers[9] == 1;
  }

  /** The form of the JSON. */
  public Provider provider() {
    return Provider.values()[(int) numbers[10]];
  }

  /** The messages in the form of the provider, a JSON array, byte for byte what every other language gets. */
  public String messagesJson() {
    return json(0);
  }

  /** All that the context puts into the body of a request. Add the model and your settings. */
  public String requestJson() {
    return json(1);
  }

  /** The admitted tools in the form of the provider. */
  public String toolsJson() {
    return json(2);
  }

  /** The manifest: what went in, what stayed out and why. */
  public String manifestJson() {
    return json(3);
  }

  /** Says what became of a block ({@code event:12}, {@code turn:3}, {@code question}). */
  public Map<String, Object> explain(String block) {
    try {
      return Json.object(Native.string(Native.contextExplain(context, Text.words(block))));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private String json(int which) {
    try {
      return Native.string(Native.contextJson(context, which));
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
