package io.github.libaura;

import java.util.List;

/**
 * A turn to record.
 *
 * @param messages all its messages from the first on
 * @param id lets a repeated call be recognised: the same messages again change nothing, more messages extend an open turn, and
 *     anything else is {@code CONFLICT}; null makes one
 * @param parent the id of the turn it follows; null is the head of the session
 * @param status the status it shall have
 * @param requests the contexts it answers
 */
public record TurnRequest(
    List<Message> messages, String id, String parent, Turn.Status status, List<String> requests) {
  /** Copies the lists; null is a complete turn that answers nothing. */
  public TurnRequest {
    messages = List.copyOf(messages);
    status = status == null ? Turn.Status.COMPLETE : status;
    requests = requests == null ? List.of() : List.copyOf(requests);
  }

  /** A complete turn. */
  public TurnRequest(List<Message> messages) {
    this(messages, null, null, null, null);
  }

  /** The same under an id. */
  public TurnRequest withId(String id) {
    return new TurnRequest(messages, id, parent, status, requests);
  }

  /** The same with a status. */
  public TurnRequest withStatus(Turn.Status status) {
    return new TurnRequest(messages, id, parent, status, requests);
  }

  /** The same as the answer to a context. */
  public TurnRequest answering(String requestId) {
    return new TurnRequest(messages, id, parent, status, List.of(requestId));
  }
}
