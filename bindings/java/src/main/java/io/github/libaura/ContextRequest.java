package io.github.libaura;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What a context is compiled from. Immutable; each method gives a changed copy. */
public final class ContextRequest {
  final String question;
  Policy policy;
  Cancel cancel;
  String turnId;
  String head;
  String system;
  List<? extends Map<String, ?>> tools;
  List<? extends Map<String, ?>> blocks;
  Provider provider = Provider.GENERIC;
  Duration deadline;
  String correlationId;
  String agentVersion;
  String workflowStage;

  private ContextRequest(String question) {
    this.question = question;
  }

  private ContextRequest(ContextRequest from) {
    question = from.question;
    policy = from.policy;
    cancel = from.cancel;
    turnId = from.turnId;
    head = from.head;
    system = from.system;
    tools = from.tools;
    blocks = from.blocks;
    provider = from.provider;
    deadline = from.deadline;
    correlationId = from.correlationId;
    agentVersion = from.agentVersion;
    workflowStage = from.workflowStage;
  }

  /** A question under the default policy; with an open turn only what to search by. */
  public static ContextRequest of(String question) {
    return new ContextRequest(question);
  }

  /** How to compile. */
  public ContextRequest policy(Policy policy) {
    ContextRequest changed = new ContextRequest(this);
    changed.policy = policy;
    return changed;
  }

  /** How to compile, by the fields of a policy. */
  public ContextRequest policy(Map<String, ?> fields) {
    return policy(Policy.of(fields));
  }

  /** What stops the call from another thread. */
  public ContextRequest cancel(Cancel cancel) {
    ContextRequest changed = new ContextRequest(this);
    changed.cancel = cancel;
    return changed;
  }

  /** The turn the context is for. If it is open, its first user message is the question. */
  public ContextRequest turnId(String id) {
    ContextRequest changed = new ContextRequest(this);
    changed.turnId = id;
    return changed;
  }

  /** The turn whose ancestors, itself included, are visible. */
  public ContextRequest head(String turnId) {
    ContextRequest changed = new ContextRequest(this);
    changed.head = turnId;
    return changed;
  }

  /** The system prompt. */
  public ContextRequest system(String prompt) {
    ContextRequest changed = new ContextRequest(this);
    changed.system = prompt;
    return changed;
  }

  /** The tools to offer, each of {@code name}, {@code description} and {@code parameters} (a JSON Schema). */
  public ContextRequest tools(List<? extends Map<String, ?>> tools) {
    ContextRequest changed = new ContextRequest(this);
    changed.tools = List.copyOf(tools);
    return changed;
  }

  /** More blocks of the host, each of {@code block_id}, {@code kind}, {@code payload} and so on. */
  public ContextRequest blocks(List<? extends Map<String, ?>> blocks) {
    ContextRequest changed = new ContextRequest(this);
    changed.blocks = List.copyOf(blocks);
    return changed;
  }

  /** The form of the messages. */
  public ContextRequest provider(Provider provider) {
    ContextRequest changed = new ContextRequest(this);
    changed.provider = provider;
    return changed;
  }

  /** How long the call may take; past it optional work is skipped. */
  public ContextRequest deadline(Duration deadline) {
    ContextRequest changed = new ContextRequest(this);
    changed.deadline = deadline;
    return changed;
  }

  /** What joins the manifest with your logs. */
  public ContextRequest correlationId(String id) {
    ContextRequest changed = new ContextRequest(this);
    changed.correlationId = id;
    return changed;
  }

  /** Your agent's version, for the manifest. */
  public ContextRequest agentVersion(String version) {
    ContextRequest changed = new ContextRequest(this);
    changed.agentVersion = version;
    return changed;
  }

  /** Your workflow's stage, for the manifest. */
  public ContextRequest workflowStage(String stage) {
    ContextRequest changed = new ContextRequest(this);
    changed.workflowStage = stage;
    return changed;
  }

  byte[][] texts(byte[] session) {
    return new byte[][] {
      session,
      Text.words(question),
      Text.id("turn_id", turnId),
      Text.id("head", head),
      Text.words(system),
      Aura.json(tools),
      Aura.json(blocks),
      Text.id("correlation_id", correlationId),
      Text.words(agentVersion),
      Text.words(workflowStage)
    };
  }

  long[] numbers() {
    long millis = deadline == null ? 0 : Math.max(1, deadline.toMillis());
    return new long[] {millis, provider.ordinal()};
  }
}
