package io.github.libaura;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A message to record.
 *
 * @param role {@code system}, {@code user}, {@code assistant} or {@code tool}
 * @param name the speaker's name, or null
 * @param time when it was said, where that differs from when it is recorded, or null
 * @param parts what it consists of, each as the engine's JSON has it, such as {@code {"type": "text", "text": …}}
 */
public record Message(String role, String name, Instant time, List<Map<String, Object>> parts) {
  /** Copies the parts. */
  public Message {
    parts = List.copyOf(parts);
  }

  /** What a user said. */
  public static Message user(String text) {
    return of("user", text);
  }

  /** What the assistant answered. */
  public static Message assistant(String text) {
    return of("assistant", text);
  }

  /** A message of one text. */
  public static Message of(String role, String text) {
    return new Message(role, null, null, List.of(Map.of("type", "text", "text", text)));
  }

  /** The assistant's call of a tool; {@code arguments} is anything that {@link Json} can write. */
  public static Message toolCall(String callId, String name, Object arguments) {
    Map<String, Object> call = Map.of("type", "tool_call", "call_id", callId, "name", name, "arguments", arguments);
    return new Message("assistant", null, null, List.of(call));
  }

  /** What a tool gave. */
  public static Message toolResult(String callId, String text) {
    Map<String, Object> result = Map.of("type", "tool_result", "call_id", callId, "text", text);
    return new Message("tool", null, null, List.of(result));
  }

  /** The same message by a named speaker. */
  public Message by(String name) {
    return new Message(role, name, time, parts);
  }

  /** The same message, said at a time. */
  public Message at(Instant time) {
    return new Message(role, name, time, parts);
  }

  Map<String, Object> form() {
    Map<String, Object> form = new LinkedHashMap<>();
    form.put("role", role);
    if (name != null) {
      form.put("name", name);
    }
    if (time != null) {
      form.put("time", Session.time(time));
    }
    form.put("parts", parts);
    return form;
  }
}
