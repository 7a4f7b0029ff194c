package io.github.libaura;

import java.util.List;

/**
 * Who asks. Null fields are those of the default agent of the default tenant.
 *
 * @param tenant the isolation boundary
 * @param agent the agent that asks
 * @param user the user on whose behalf it asks
 * @param labels the labels it holds
 */
public record Principal(String tenant, String agent, String user, List<String> labels) {
  /** Copies the labels. */
  public Principal {
    labels = labels == null ? List.of() : List.copyOf(labels);
  }

  /** The default agent of a tenant, on behalf of a user. */
  public static Principal of(String tenant, String user) {
    return new Principal(tenant, null, user, null);
  }

  static byte[][] texts(Principal who) {
    if (who == null) {
      return null;
    }
    return new byte[][] {
      Text.id("tenant", who.tenant),
      Text.id("agent", who.agent),
      Text.id("user", who.user),
      who.labels.isEmpty() ? null : Aura.json(who.labels)
    };
  }
}
