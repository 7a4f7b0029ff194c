package io.github.libaura;

import java.lang.ref.Reference;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A conversation: its id, its engine, and who asks. It has no state of its own and need not be closed. */
public final class Session {
  private static final int TURN_NUMBERS = 8;

  private final Aura aura;
  private final String id;
  private final Principal who;

  Session(Aura aura, String id, Principal who) {
    this.aura = aura;
    this.id = id;
    this.who = who;
  }

  /** The session's id. */
  public String id() {
    return id;
  }

  /** The same session, asked by a principal. */
  public Session as(Principal who) {
    return new Session(aura, id, who);
  }

  /** Records a user's message and the answer as one complete turn. What has returned is durable. */
  public Turn recordExchange(String user, String assistant) {
    return turn(Native::recordExchange, new byte[][] {key(), Text.words(user), Text.words(assistant)}, null);
  }

  /** Records messages as one complete turn. */
  public Turn record(Message... messages) {
    return record(new TurnRequest(List.of(messages)));
  }

  /** Records a turn, or extends an open one. */
  public Turn record(TurnRequest request) {
    byte[][] texts = {
      key(),
      Aura.json(request.messages().stream().map(Message::form).toList()),
      Text.id("turn_id", request.id()),
      Text.id("parent", request.parent()),
      request.requests().isEmpty() ? null : Aura.json(request.requests())
    };
    return turn(Native::recordTurn, texts, new long[] {request.status().ordinal()});
  }

  /** Moves an open turn to complete or failed; repeating the call changes nothing. */
  public Turn finishTurn(String turnId, Turn.Status status) {
    byte[][] texts = {key(), Text.id("turn_id", turnId)};
    return turn(Native::finishTurn, texts, new long[] {status.ordinal()});
  }

  /** Makes a turn the head of the session, to rewind the conversation or take a branch up again. */
  public void setHead(String turnId) {
    try {
      Native.setHead(aura.handle(), Principal.texts(who), new byte[][] {key(), Text.id("turn_id", turnId)});
    } finally {
      Reference.reachabilityFence(aura);
    }
  }

  /** Compiles the context for a question. No model is called. */
  public Context buildContext(ContextRequest request) {
    long policy = request.policy == null ? 0 : request.policy.handle;
    long cancel = request.cancel == null ? 0 : request.cancel.handle;
    try {
      byte[][] texts = request.texts(key());
      return new Context(
          Native.contextBuild(aura.handle(), Principal.texts(who), texts, request.numbers(), policy, cancel));
    } finally {
      Reference.reachabilityFence(request);
      Reference.reachabilityFence(aura);
    }
  }

  /** The same on a thread of an executor. Cancelling the future stops the work. */
  public CompletableFuture<Context> buildContextAsync(ContextRequest request, Executor executor) {
    Cancel cancel = request.cancel == null ? new Cancel() : request.cancel;
    ContextRequest stoppable = request.cancel(cancel);
    CompletableFuture<Context> built = CompletableFuture.supplyAsync(() -> buildContext(stoppable), executor);
    built.whenComplete(
        (context, failure) -> {
          if (built.isCancelled()) {
            cancel.cancel();
          }
        });
    return built;
  }

  /** What the engine knows of the session. */
  public Map<String, Object> describe() {
    return Json.object(read(Native::sessionDescribe, null, key()));
  }

  /** At most so many turns with their messages, from an index on. */
  public List<Map<String, Object>> turns(int first, int limit) {
    if (first < 0 || limit < 0) {
      throw AuraException.invalid("first", "and limit must not be negative");
    }
    return Json.objects(read(Native::sessionTurns, new long[] {first, limit}, key()));
  }

  /** The messages of a range of events, both ends included. */
  public List<Map<String, Object>> messages(long firstEvent, long lastEvent) {
    return Json.objects(read(Native::sessionMessages, new long[] {firstEvent, lastEvent}, key()));
  }

  /** All facts, past ones too. */
  public List<Map<String, Object>> facts() {
    return Json.objects(read(Native::sessionFacts, null, key()));
  }

  /** The facts that held at a time, as far as the engine knew at another. */
  public List<Map<String, Object>> facts(Instant valid, Instant known) {
    Map<String, Object> asOf = new LinkedHashMap<>();
    asOf.put("valid", time(valid));
    asOf.put("known", time(known));
    return Json.objects(read(Native::sessionFacts, null, key(), Aura.json(asOf)));
  }

  static String time(Instant at) {
    return DateTimeFormatter.ISO_INSTANT.format(at.truncatedTo(ChronoUnit.MILLIS));
  }

  private interface Recorder {
    byte[] record(long engine, byte[][] who, byte[][] texts, long[] numbers, long[] out);
  }

  private Turn turn(Recorder recorder, byte[][] texts, long[] numbers) {
    long[] out = new long[TURN_NUMBERS];
    try {
      return Turn.of(recorder.record(aura.handle(), Principal.texts(who), texts, numbers, out), out);
    } finally {
      Reference.reachabilityFence(aura);
    }
  }

  private String read(Aura.Reader reader, long[] numbers, byte[]... texts) {
    return Native.string(aura.bytes(reader, who, texts, numbers));
  }

  private byte[] key() {
    return Text.id("session_id", id);
  }
}
