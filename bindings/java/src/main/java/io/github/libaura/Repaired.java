package io.github.libaura;

import java.util.List;
import java.util.Map;

/**
 * A mended request.
 *
 * @param request the JSON body
 * @param repairs what was done
 */
public record Repaired(String request, List<Repair> repairs) {
  /**
   * What was done about a broken rule.
   *
   * @param rule the rule's permanent id
   * @param path where, as a JSON pointer
   * @param did what was done
   */
  public record Repair(String rule, String path, String did) {}

  static Repaired of(String request, List<Map<String, Object>> repairs) {
    List<Repair> done =
        repairs.stream()
            .map(entry -> new Repair((String) entry.get("rule"), (String) entry.get("path"), (String) entry.get("did")))
            .toList();
    return new Repaired(request, done);
  }
}
