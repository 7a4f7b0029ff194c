package io.github.libaura;

import java.util.List;

/** A call failed. The texts never hold stored text. */
public final class AuraException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** How a call ended. Each calls for one reaction. */
  public enum Code {
    /** An argument is wrong, and {@link #field} names it. Correct the call. */
    INVALID(1),
    /** What was asked for does not exist (any more). */
    NOT_FOUND(2),
    /** The call contradicts what is stored, for example another turn under the same id. */
    CONFLICT(3),
    /** The principal may not do or see this. */
    DENIED(4),
    /** Somebody else holds a lock for longer than the time-out. Retry. */
    BUSY(5),
    /** The engine has been closed. */
    CLOSED(6),
    /** Stored bytes are damaged or of an unknown format. */
    CORRUPT(7),
    /** The environment failed (disk full, file unreadable). Mend it and retry. */
    UNAVAILABLE(8),
    /** A hard limit cannot be kept. */
    BUDGET_EXCEEDED(9),
    /** The caller cancelled. */
    CANCELLED(10),
    /** A callback of the host failed. */
    CALLBACK(11),
    /** A defect of the engine, which answers only this from then on. Open another. */
    INTERNAL(12);

    private final int status;

    Code(int status) {
      this.status = status;
    }

    /** The number, which is permanent and the same in every language. */
    public int status() {
      return status;
    }

    static Code of(int status) {
      for (Code code : values()) {
        if (code.status == status) {
          return code;
        }
      }
      return INTERNAL;
    }
  }

  private final Code code;
  private final String operation;
  private final String field;
  private final String[] causes;

  AuraException(Code code, String message, String operation, String field, String... causes) {
    super(message);
    this.code = code;
    this.operation = operation;
    this.field = field;
    this.causes = causes.clone();
  }

  static AuraException invalid(String field, String problem) {
    return new AuraException(Code.INVALID, field + ": " + problem, null, field);
  }

  /** How the call ended. */
  public Code code() {
    return code;
  }

  /** What failed, or null. */
  public String operation() {
    return operation;
  }

  /** The parameter or field that was wrong, such as {@code messages[2].role}, or null. */
  public String field() {
    return field;
  }

  /** The cause in words, the cause of that, and so on. */
  public List<String> causes() {
    return List.of(causes);
  }
}
