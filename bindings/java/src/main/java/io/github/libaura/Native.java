package io.github.libaura;

import java.nio.charset.StandardCharsets;

/** The native methods. Texts are UTF-8, objects of the library are numbers. */
final class Native {
  private Native() {}

  static {
    Loader.load();
    if (abiVersion() / 1000 != headerVersion() / 1000) {
      throw new UnsatisfiedLinkError(
          "libaura: the library has interface " + abiVersion() + ", but this package needs " + headerVersion());
    }
  }

  static native byte[] version();

  static native int abiVersion();

  static native int headerVersion();

  static native byte[] statusName(int status);

  static native long debugLive(int kind);

  static native long engineOpen(byte[][] texts, long[] numbers);

  static native void engineFlush(long engine, long timeout);

  static native void engineClose(long engine);

  static native void enginePanic(long engine);

  static native void engineFree(long engine);

  static native long policyNew(byte[] json);

  static native byte[] policyJson(long policy);

  static native void policyFree(long policy);

  static native long cancelNew();

  static native void cancelTrigger(long cancel);

  static native void cancelFree(long cancel);

  static native byte[] recordExchange(long engine, byte[][] who, byte[][] texts, long[] numbers, long[] out);

  static native byte[] recordTurn(long engine, byte[][] who, byte[][] texts, long[] numbers, long[] out);

  static native byte[] finishTurn(long engine, byte[][] who, byte[][] texts, long[] numbers, long[] out);

  static native void setHead(long engine, byte[][] who, byte[][] texts);

  static native byte[] sessionList(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] sessionDescribe(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] sessionTurns(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] sessionMessages(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] sessionFacts(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] manifestRead(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] manifestList(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] manifestExplain(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] policyPropose(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] policyApprove(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] policyVersions(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native byte[] artifactRead(long engine, byte[][] who, byte[][] texts, long[] numbers);

  static native long contextBuild(
      long engine, byte[][] who, byte[][] texts, long[] numbers, long policy, long cancel);

  static native void contextFree(long context);

  static native byte[] contextView(long context, long[] out, byte[][] ids);

  static native byte[] contextJson(long context, int which);

  static native byte[] contextExplain(long context, byte[] block);

  static native byte[] verify(int provider, byte[] request);

  static native byte[] repair(int provider, byte[] request, byte[][] repairs);

  /** Called by the native part to make the exception for an error. */
  static AuraException failure(
      int status, byte[] message, byte[] operation, byte[] field, byte[] context, byte[][] causes) {
    String[] said = new String[causes == null ? 0 : causes.length];
    for (int i = 0; i < said.length; i++) {
      said[i] = string(causes[i]);
    }
    return new AuraException(
        AuraException.Code.of(status), string(message), string(operation), string(field), said);
  }

  static String string(byte[] utf8) {
    return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
  }
}
