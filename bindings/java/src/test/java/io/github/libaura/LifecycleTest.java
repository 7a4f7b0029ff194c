package io.github.libaura;

import static io.github.libaura.AuraException.Code.CLOSED;
import static io.github.libaura.AuraException.Code.CORRUPT;
import static io.github.libaura.AuraException.Code.INTERNAL;
import static io.github.libaura.AuraException.Code.INVALID;
import static io.github.libaura.AuraException.Code.UNAVAILABLE;
import static io.github.libaura.Shared.alive;
import static io.github.libaura.Shared.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening, closing, panicking, threads, class loaders, and what is left afterwards. */
class LifecycleTest {
  @Test
  void closing() {
    Aura aura = Aura.inMemory();
    Session chat = aura.session("s");
    chat.recordExchange("a", "b");
    aura.flush(Duration.ofSeconds(10));
    aura.close();
    aura.close();
    fails(CLOSED, null, () -> chat.recordExchange("a", "b"));
    fails(CLOSED, null, () -> chat.buildContext(ContextRequest.of("q")));
    fails(CLOSED, null, () -> aura.sessions(null, null));
  }

  @Test
  void closingWhileCallsRun(@TempDir Path folder) throws Exception {
    Aura aura = Aura.open(folder.resolve("a.db"));
    ExecutorService executor = Executors.newFixedThreadPool(8);
    List<Future<?>> running = new ArrayList<>();
    for (int n = 0; n < 8; n++) {
      Session chat = aura.session("s" + n);
      running.add(executor.submit(() -> {
        AuraException error = null;
        while (error == null) {
          try {
            chat.recordExchange("a", "b");
          } catch (AuraException ended) {
            error = ended;
          }
        }
        assertEquals(CLOSED, error.code());
      }));
    }
    aura.session("mine").recordExchange("a", "b");
    aura.close();
    for (Future<?> work : running) {
      work.get();
    }
    executor.shutdown();
  }

  @Test
  void wrongOptionsAreNamed(@TempDir Path folder) throws Exception {
    fails(INVALID, "options.language", () -> Aura.builder(null).language("xx").open());
    fails(INVALID, "options.token_counter", () -> Aura.builder(null).tokenCounter("abacus").open());
    Path letter = folder.resolve("letter.db");
    Files.writeString(letter, "Dear reader, this is a letter and no database.\n".repeat(500));
    fails(CORRUPT, "path", () -> Aura.open(letter));
    fails(UNAVAILABLE, "path", () -> Aura.open(folder.resolve("no").resolve("such").resolve("a.db")));
  }

  @Test
  void aPanicIsAnInternalErrorAndNoMore() {
    Aura aura = Aura.inMemory();
    AuraException error = fails(INTERNAL, null, aura::debugPanic);
    assertTrue(error.getMessage().contains("panicked") && error.causes().isEmpty() && error.operation() != null);
    fails(INTERNAL, null, () -> aura.session("s").recordExchange("a", "b"));
    try (Aura healthy = Aura.inMemory()) {
      healthy.session("s").recordExchange("a", "b");
    }
  }

  @Test
  void sixteenThreads(@TempDir Path folder) throws Exception {
    try (Aura aura = Aura.open(folder.resolve("a.db"))) {
      ExecutorService executor = Executors.newFixedThreadPool(16);
      List<Future<?>> running = new ArrayList<>();
      for (int n = 0; n < 16; n++) {
        String said = "thread " + n;
        running.add(executor.submit(() -> {
          for (int turn = 0; turn < 5; turn++) {
            aura.session("shared").recordExchange(said, "noted");
            aura.session("shared").buildContext(ContextRequest.of(said));
          }
        }));
      }
      for (Future<?> work : running) {
        work.get();
      }
      executor.shutdown();
      List<Map<String, Object>> messages = aura.session("shared").messages(1, 160);
      assertEquals(160, messages.size());
      IntStream.range(0, 160).forEach(at -> assertEquals(at + 1L, messages.get(at).get("event_id")));
    }
  }

  @Test
  void aSecondClassLoaderLoadsItToo() throws Exception {
    List<URL> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      path.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader other = new URLClassLoader(path.toArray(URL[]::new), null)) {
      Class<?> aura = other.loadClass("io.github.libaura.Aura");
      assertNotSame(Aura.class, aura);
      assertEquals(Aura.version(), aura.getMethod("version").invoke(null));
    }
  }

  @Test
  void droppedWithoutClosing() throws Exception {
    for (int n = 0; n < 50; n++) {
      Aura aura = Aura.inMemory();
      aura.session("s").recordExchange("a", "b");
      aura.session("s").buildContext(ContextRequest.of("q").policy(Map.of()).cancel(new Cancel()));
      fails(INVALID, "session_id", () -> aura.session("").recordExchange("a", "b"));
    }
    for (Aura.Kind kind : Arrays.asList(Aura.Kind.CONTEXT, Aura.Kind.POLICY, Aura.Kind.CANCEL, Aura.Kind.ENGINE, Aura.Kind.ALL)) {
      alive(kind, 0);
    }
  }

  @Test
  void memoryStaysFlat(@TempDir Path folder) throws Exception {
    try (Aura aura = Aura.open(folder.resolve("a.db"))) {
      Session chat = aura.session("s");
      chat.recordExchange("I live in Oslo.", "Noted.");
      long before = worked(aura, chat, 1000);
      long grown = worked(aura, chat, 3000) - before;
      assertTrue(grown < 100_000_000, grown + " bytes more");
    }
  }

  private static long worked(Aura aura, Session chat, int times) throws Exception {
    for (int n = 0; n < times; n++) {
      chat.buildContext(ContextRequest.of("Where do I live?")).messagesJson();
      fails(INVALID, "session_id", () -> aura.session("").describe());
    }
    alive(Aura.Kind.CONTEXT, 0);
    aura.flush(Duration.ofMinutes(1));
    Path statm = Path.of("/proc/self/statm");
    return Files.exists(statm) ? Long.parseLong(Files.readString(statm).split(" ")[1]) * 4096 : 0;
  }
}
