package io.github.libaura;

import java.lang.ref.Reference;
import java.util.Map;

/** How contexts are compiled: read and checked once, for any number of calls, threads and engines. Immutable. */
public final class Policy {
  final long handle;

  private Policy(long handle) {
    this.handle = handle;
    Aura.CLEANER.register(this, () -> Native.policyFree(handle));
  }

  /** Reads and checks a policy, such as {@code Map.of("token_budget", 2000)}; fields left out have their defaults. */
  public static Policy of(Map<String, ?> fields) {
    return new Policy(Native.policyNew(Aura.json(fields)));
  }

  /** The whole policy, defaults included. */
  public Map<String, Object> fields() {
    try {
      return Json.object(Native.string(Native.policyJson(handle)));
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
