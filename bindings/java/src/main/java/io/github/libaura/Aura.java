package io.github.libaura;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * An engine on one store, the only thing to close. Any number of threads may use it.
 *
 * <p>It keeps every turn of every conversation durably, and before each model call compiles a list of messages that holds what
 * the current question needs and fits a token budget. No model is called to do this.
 */
public final class Aura implements AutoCloseable {
  static final Cleaner CLEANER = Cleaner.create();

  private static final int SQLITE = 0;
  private static final int MEMORY = 1;

  private final long engine;

  private Aura(long engine) {
    this.engine = engine;
    // Freed when nobody can call it any more; whoever forgot to close it loses nothing but time.
    CLEANER.register(this, () -> Native.engineFree(engine));
  }

  /** What a write that has returned survives. */
  public enum Durability {
    /** The death of the process and the loss of power. */
    FULL,
    /** The death of the process. */
    NORMAL
  }

  /** A kind of native object, for {@link #debugLive}. */
  public enum Kind {
    ALL,
    ENGINE,
    POLICY,
    CONTEXT,
    TURN,
    CANCEL,
    BUFFER,
    ERROR
  }

  /** Opens an engine on a SQLite file, which is made if it is absent. Several processes may have it open. */
  public static Aura open(Path file) {
    return builder(file).open();
  }

  /** Opens an engine whose store is gone with it. */
  public static Aura inMemory() {
    return new Builder(null).open();
  }

  /** How to open an engine on a SQLite file; with null, in memory. */
  public static Builder builder(Path file) {
    return new Builder(file);
  }

  /** The version of the engine. */
  public static String version() {
    return Native.string(Native.version());
  }

  /** How many native objects of a kind are alive, so that a test can show that nothing leaks. */
  public static long debugLive(Kind kind) {
    return Native.debugLive(kind.ordinal());
  }

  /** How an engine is opened. */
  public static final class Builder {
    private final Path file;
    private Durability durability = Durability.FULL;
    private String language;
    private String tokenCounter;
    private long bodyCacheBytes;
    private long sessions;

    private Builder(Path file) {
      this.file = file;
    }

    /** Sets what a write that has returned survives. */
    public Builder durability(Durability durability) {
      this.durability = durability;
      return this;
    }

    /** Names the language of most sessions by its ISO 639-1 code ({@code en}), or {@code und} for none. */
    public Builder language(String code) {
      this.language = code;
      return this;
    }

    /** Names what counts tokens: {@code o200k_base}, {@code cl100k_base} or {@code chars/4}. */
    public Builder tokenCounter(String name) {
      this.tokenCounter = name;
      return this;
    }

    /** Bounds the bytes of turns that are kept in memory, over all sessions. */
    public Builder bodyCacheBytes(long bytes) {
      this.bodyCacheBytes = bytes;
      return this;
    }

    /** Bounds how many sessions are kept ready in memory. */
    public Builder sessions(long count) {
      this.sessions = count;
      return this;
    }

    /** Opens the engine. */
    public Aura open() {
      byte[][] texts = {
        file == null ? null : Text.id("path", file.toString()),
        Text.id("language", language),
        Text.id("tokenCounter", tokenCounter)
      };
      long[] numbers = {file == null ? MEMORY : SQLITE, durability.ordinal(), bodyCacheBytes, sessions};
      return new Aura(Native.engineOpen(texts, numbers));
    }
  }

  /** A conversation with this id, asked by the default agent of the default tenant. It begins with its first turn. */
  public Session session(String id) {
    return new Session(this, id, null);
  }

  /** Sessions that the principal (null for the default) may see, as the engine describes them. */
  public List<Map<String, Object>> sessions(Principal who, Map<String, ?> query) {
    return Json.objects(read(Native::sessionList, who, json(query)));
  }

  /** The manifest of a context: what went in, what stayed out and why, later what it led to. */
  public Map<String, Object> manifest(Principal who, String requestId) {
    return Json.object(read(Native::manifestRead, who, Text.id("request_id", requestId)));
  }

  /** Manifests, newest first. {@code query}: {@code session_id}, {@code since}, {@code until}, {@code limit}. */
  public List<Map<String, Object>> manifests(Principal who, Map<String, ?> query) {
    return Json.objects(read(Native::manifestList, who, json(query)));
  }

  /** Says whether a block ({@code event:12}, {@code turn:3}, {@code question}) was a candidate, lost, or won and was cut. */
  public Map<String, Object> explain(Principal who, String requestId, String block) {
    byte[] id = Text.id("request_id", requestId);
    return Json.object(read(Native::manifestExplain, who, id, Text.words(block)));
  }

  /** Keeps a version of a policy ({@code subject}, {@code version}, {@code text}); until it is approved no block may claim it. */
  public Map<String, Object> proposePolicy(Principal who, Map<String, ?> proposal) {
    return Json.object(read(Native::policyPropose, who, json(proposal)));
  }

  /** Approves a version of a policy: from then on a block may claim it. Who may call this is yours to decide. */
  public Map<String, Object> approvePolicy(Principal who, String subject, String version) {
    byte[] about = Text.id("subject", subject);
    return Json.object(read(Native::policyApprove, who, about, Text.id("version", version)));
  }

  /** Versions of policies. {@code query}: {@code subject}, {@code approved_only}, {@code skip}, {@code limit}. */
  public List<Map<String, Object>> policyVersions(Principal who, Map<String, ?> query) {
    return Json.objects(read(Native::policyVersions, who, json(query)));
  }

  /** The bytes that a handle stands for, such as {@code artifact://default/report@1#5d41…}. */
  public byte[] readArtifact(Principal who, String handle) {
    return bytes(Native::artifactRead, who, new byte[][] {Text.id("handle", handle)}, null);
  }

  /** Checks the JSON body of a request, made by whomever, against the rules of its provider. */
  public static List<Violation> verify(Provider provider, String request) {
    String found = Native.string(Native.verify(provider.ordinal(), Text.words(request)));
    return Json.objects(found).stream().map(Violation::of).toList();
  }

  /** Mends the JSON body of a request with the least loss, so that {@link #verify} finds nothing. */
  public static Repaired repair(Provider provider, String request) {
    byte[][] repairs = new byte[1][];
    String mended = Native.string(Native.repair(provider.ordinal(), Text.words(request), repairs));
    return Repaired.of(mended, Json.objects(Native.string(repairs[0])));
  }

  /** Waits until the work in the background is done; {@code BUSY} after the time-out. */
  public void flush(Duration timeout) {
    try {
      Native.engineFlush(engine, Math.max(0, timeout.toMillis()));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Refuses new calls and waits for those that run. Closing again does nothing. */
  @Override
  public void close() {
    try {
      Native.engineClose(engine);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Panics inside on purpose, so that a test can show that the process survives. */
  void debugPanic() {
    try {
      Native.enginePanic(engine);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** A native method that reads. */
  interface Reader {
    byte[] read(long engine, byte[][] who, byte[][] texts, long[] numbers);
  }

  long handle() {
    return engine;
  }

  byte[] bytes(Reader reader, Principal who, byte[][] texts, long[] numbers) {
    try {
      return reader.read(engine, Principal.texts(who), texts, numbers);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private String read(Reader reader, Principal who, byte[]... texts) {
    return Native.string(bytes(reader, who, texts, null));
  }

  static byte[] json(Object value) {
    return value == null ? null : Text.words(Json.write(value));
  }
}
