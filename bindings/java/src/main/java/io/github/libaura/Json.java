package io.github.libaura;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as Java's own values: {@code Map}, {@code List}, {@code String}, {@code Long}, {@code Double}, {@code Boolean}, null.
 *
 * <p>It is here so that the package needs no other.
 */
public final class Json {
  private static final int DEEPEST = 512;

  private final String text;
  private int at;
  private int depth;

  private Json(String text) {
    this.text = text;
  }

  /** Reads a JSON text. */
  public static Object parse(String text) {
    Json reader = new Json(text);
    Object value = reader.value();
    reader.space();
    if (reader.at < text.length()) {
      throw reader.wrong("something follows the value");
    }
    return value;
  }

  /** Reads a JSON object. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(String text) {
    if (parse(text) instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw new IllegalArgumentException("JSON: not an object");
  }

  /** Reads a JSON array of objects. */
  @SuppressWarnings("unchecked")
  public static List<Map<String, Object>> objects(String text) {
    if (parse(text) instanceof List<?> list && list.stream().allMatch(Map.class::isInstance)) {
      return (List<Map<String, Object>>) list;
    }
    throw new IllegalArgumentException("JSON: not an array of objects");
  }

  /** Writes a value: those that {@link #parse} gives, other numbers, and any {@code Iterable}. */
  public static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out, 0);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out, int depth) {
    if (depth > DEEPEST) {
      throw new IllegalArgumentException("JSON: too deep");
    }
    if (value == null || value instanceof Boolean || value instanceof Long || value instanceof Integer) {
      out.append(value);
    } else if (value instanceof Number number) {
      double real = number.doubleValue();
      if (Double.isNaN(real) || Double.isInfinite(real)) {
        throw new IllegalArgumentException("JSON: " + real + " is no number of JSON");
      }
      out.append(number);
    } else if (value instanceof CharSequence || value instanceof Enum<?>) {
      quote(value.toString(), out);
    } else if (value instanceof Map<?, ?> map) {
      char before = '{';
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(before);
        quote(String.valueOf(entry.getKey()), out);
        out.append(':');
        write(entry.getValue(), out, depth + 1);
        before = ',';
      }
      out.append(before == '{' ? "{}" : "}");
    } else if (value instanceof Iterable<?> items) {
      char before = '[';
      for (Object item : items) {
        out.append(before);
        write(item, out, depth + 1);
        before = ',';
      }
      out.append(before == '[' ? "[]" : "]");
    } else {
      throw new IllegalArgumentException("JSON: cannot write a " + value.getClass().getName());
    }
  }

  /** Surrogates are escaped: what is unpaired in words is mended by the engine, and refused in identifiers. */
  private static void quote(String given, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < given.length(); i++) {
      char unit = given.charAt(i);
      if (unit == '"' || unit == '\\') {
        out.append('\\').append(unit);
      } else if (unit < 0x20 || Character.isSurrogate(unit)) {
        out.append(String.format("\\u%04x", (int) unit));
      } else {
        out.append(unit);
      }
    }
    out.append('"');
  }

  private Object value() {
    space();
    if (at >= text.length()) {
      throw wrong("it ends too early");
    }
    if (++depth > DEEPEST) {
      throw wrong("it is too deep");
    }
    char first = text.charAt(at);
    Object value =
        switch (first) {
          case '{' -> map();
          case '[' -> list();
          case '"' -> string();
          case 't' -> word("true", Boolean.TRUE);
          case 'f' -> word("false", Boolean.FALSE);
          case 'n' -> word("null", null);
          default -> number();
        };
    depth--;
    return value;
  }

  private Map<String, Object> map() {
    Map<String, Object> map = new LinkedHashMap<>();
    at++;
    space();
    if (take('}')) {
      return map;
    }
    do {
      space();
      String key = string();
      space();
      expect(':');
      map.put(key, value());
      space();
    } while (take(','));
    expect('}');
    return map;
  }

  private List<Object> list() {
    List<Object> list = new ArrayList<>();
    at++;
    space();
    if (take(']')) {
      return list;
    }
    do {
      list.add(value());
      space();
    } while (take(','));
    expect(']');
    return list;
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (true) {
      if (at >= text.length()) {
        throw wrong("a string does not end");
      }
      char unit = text.charAt(at++);
      if (unit == '"') {
        return out.toString();
      }
      out.append(unit == '\\' ? escape() : unit);
    }
  }

  private char escape() {
    if (at >= text.length()) {
      throw wrong("a string does not end");
    }
    char kind = text.charAt(at++);
    switch (kind) {
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'u':
        if (at + 4 > text.length()) {
          throw wrong("a string does not end");
        }
        at += 4;
        return (char) Integer.parseInt(text, at - 4, at, 16);
      default:
        return kind;
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw wrong("it is no value");
    }
    at += word.length();
    return value;
  }

  private Object number() {
    int begin = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String number = text.substring(begin, at);
    try {
      boolean whole = number.chars().noneMatch(unit -> unit == '.' || unit == 'e' || unit == 'E');
      return whole ? (Object) Long.valueOf(number) : Double.valueOf(number);
    } catch (NumberFormatException error) {
      throw wrong("it is no value");
    }
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean take(char wanted) {
    if (at < text.length() && text.charAt(at) == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char wanted) {
    if (!take(wanted)) {
      throw wrong("'" + wanted + "' is missing");
    }
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("JSON: " + what + " (at " + at + ")");
  }
}
