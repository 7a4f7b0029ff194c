package io.github.libaura;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** What the tests share. */
final class Shared {
  private Shared() {}

  /** Holds a call to failing with a code and, unless it is null, naming a field. */
  static AuraException fails(AuraException.Code code, String field, Executable call) {
    AuraException error = assertThrows(AuraException.class, call);
    assertEquals(code, error.code(), error.getMessage());
    if (field != null) {
      assertEquals(field, error.field(), error.getMessage());
    }
    return error;
  }

  /** Waits until no more than so many native objects are alive. */
  static void alive(Aura.Kind kind, long most) throws InterruptedException {
    long end = System.nanoTime() + 20_000_000_000L;
    while (Aura.debugLive(kind) > most) {
      assertTrue(System.nanoTime() < end, Aura.debugLive(kind) + " of kind " + kind + " are alive, not " + most);
      System.gc();
      Thread.onSpinWait();
    }
  }

  static Session filled(Aura aura, int turns) {
    Session chat = aura.session("s");
    for (int n = 0; n < turns; n++) {
      chat.recordExchange("Parcel " + n + " weighs " + n * 7 + " kilograms.", "Parcel " + n + " is noted.");
    }
    return chat;
  }
}
