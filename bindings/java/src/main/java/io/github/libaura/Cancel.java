package io.github.libaura;

import java.lang.ref.Reference;

/** Stops every call that was given it, those to come too. Any thread may trigger it. */
public final class Cancel {
  final long handle = Native.cancelNew();

  /** A token that is not triggered. */
  public Cancel() {
    long freed = handle;
    Aura.CLEANER.register(this, () -> Native.cancelFree(freed));
  }

  /** Stops the calls that carry this token. */
  public void cancel() {
    try {
      Native.cancelTrigger(handle);
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
