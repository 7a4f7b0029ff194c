package io.github.libaura;

import java.util.Map;

/**
 * What breaks a rule of a provider.
 *
 * @param rule the rule's permanent id
 * @param path where, as a JSON pointer
 * @param meaning what the rule says
 */
public record Violation(String rule, String path, String meaning) {
  static Violation of(Map<String, Object> found) {
    return new Violation((String) found.get("rule"), (String) found.get("path"), (String) found.get("meaning"));
  }
}
