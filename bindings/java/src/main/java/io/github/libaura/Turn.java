package io.github.libaura;

import java.time.Instant;

/**
 * A recorded turn.
 *
 * @param id its id
 * @param index its number in the session, gapless from 0
 * @param status where it stands
 * @param effect what the call did
 * @param firstEvent its first event
 * @param lastEvent its last event
 * @param messages how many messages it has
 * @param changeSeq how many mutations the session had seen with this one
 * @param recordedAt when it was first recorded
 */
public record Turn(
    String id,
    int index,
    Status status,
    Effect effect,
    long firstEvent,
    long lastEvent,
    long messages,
    long changeSeq,
    Instant recordedAt) {
  /** Where a turn stands. */
  public enum Status {
    /** Ended well: feeds facts and recall. */
    COMPLETE,
    /** More messages may follow. */
    OPEN,
    /** Ended badly: feeds nothing, and no turn follows it by default. */
    FAILED
  }

  /** What recording a turn did. */
  public enum Effect {
    CREATED,
    EXTENDED,
    UNCHANGED
  }

  static Turn of(byte[] id, long[] numbers) {
    return new Turn(
        Native.string(id),
        (int) numbers[0],
        Status.values()[(int) numbers[1]],
        Effect.values()[(int) numbers[2]],
        numbers[3],
        numbers[4],
        numbers[5],
        numbers[6],
        Instant.ofEpochMilli(numbers[7]));
  }
}
