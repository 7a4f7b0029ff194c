package io.github.libaura;

import static io.github.libaura.AuraException.Code.CANCELLED;
import static io.github.libaura.AuraException.Code.CONFLICT;
import static io.github.libaura.AuraException.Code.INVALID;
import static io.github.libaura.AuraException.Code.NOT_FOUND;
import static io.github.libaura.Shared.fails;
import static io.github.libaura.Shared.filled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Contexts, manifests, policies, and the bodies of requests. */
class ContextsTest {
  @Test
  void aContextAndItsManifest() {
    try (Aura aura = Aura.inMemory()) {
      Session chat = filled(aura, 30);
      Policy policy = Policy.of(Map.of("token_budget", 600, "policy_version", "seven"));
      assertEquals(600L, policy.fields().get("token_budget"));
      Context context =
          chat.buildContext(
              ContextRequest.of("How heavy is parcel 4?")
                  .policy(policy)
                  .system("Be brief.")
                  .tools(List.of(Map.of("name", "weather", "parameters", Map.of("type", "object"))))
                  .blocks(
                      List.of(
                          Map.of(
                              "block_id", "note", "kind", "evidence", "source", "manual",
                              "payload", Map.of("text", "A parcel of 28 kilograms is heavy."))))
                  .provider(Provider.OPENAI)
                  .turnId("next")
                  .correlationId("corr")
                  .agentVersion("a2")
                  .workflowStage("triage")
                  .deadline(Duration.ofMinutes(1)));
      assertTrue(context.tokens() > 0 && context.tokens() <= 600 && context.historyTokens() > 600);
      assertEquals(600, context.budget());
      assertEquals(0, context.overBudget());
      assertEquals("next", context.turnId());
      assertEquals(Context.Outcome.COMPLETE, context.outcome());
      assertFalse(context.readOnly());
      assertEquals(Provider.OPENAI, context.provider());
      assertTrue(context.toolTokens() > 0 && context.toolsJson().contains("weather"));
      assertTrue(context.messagesJson().contains("28 kilograms"));
      assertTrue(context.requestJson().contains(context.messagesJson()));
      assertEquals(List.of(), Aura.verify(Provider.OPENAI, context.requestJson()));
      Map<String, Object> manifest = Json.object(context.manifestJson());
      assertEquals("corr", manifest.get("correlation_id"));
      assertEquals("seven", manifest.get("policy_version"));
      assertEquals("candidate", context.explain("question").get("answer"));
      assertEquals(context.explain("question"), aura.explain(null, context.requestId(), "question"));
      fails(INVALID, null, () -> context.explain("song"));
      assertEquals("triage", aura.manifest(null, context.requestId()).get("workflow_stage"));
      assertEquals(1, aura.manifests(null, Map.of("session_id", "s", "limit", 3)).size());
      chat.record(new TurnRequest(List.of(Message.user("How heavy?"))).answering(context.requestId()));
      assertNotNull(aura.manifest(null, context.requestId()).get("link"));
      fails(NOT_FOUND, null, () -> aura.manifest(null, "no-such-request"));
    }
  }

  @Test
  void rowsAreTheMessages() {
    Context context;
    try (Aura aura = Aura.inMemory()) {
      Session chat = aura.session("s");
      chat.record(RecordingTest.TOOL_TURN.toArray(Message[]::new));
      context = chat.buildContext(ContextRequest.of("And tomorrow? ☔"));
    }
    List<Map<String, Object>> messages = Json.objects(context.messagesJson());
    assertEquals(messages.size(), context.rows().size());
    for (int i = 0; i < messages.size(); i++) {
      Context.Row row = context.rows().get(i);
      assertEquals(messages.get(i).get("role"), row.role());
      assertEquals(messages.get(i).get("content"), row.content());
      assertEquals(messages.get(i).getOrDefault("name", ""), row.name());
      assertEquals(messages.get(i).getOrDefault("tool_call_id", ""), row.toolCallId());
      assertEquals(messages.get(i).getOrDefault("is_error", false), row.isError());
    }
    Context.Row call = context.rows().get(1);
    assertTrue(call.extra().contains("\"c1\""));
    assertEquals(List.of(2L), call.events());
    assertEquals(Context.Section.QUESTION, context.rows().get(context.rows().size() - 1).section());
  }

  @Test
  void wrongRequestsAreNamed() {
    try (Aura aura = Aura.inMemory()) {
      Session chat = aura.session("s");
      fails(INVALID, "token_budget", () -> Policy.of(Map.of("token_budget", 0)));
      fails(INVALID, "colour", () -> Policy.of(Map.of("colour", 1)));
      fails(INVALID, "options.blocks_json[0].kind",
          () -> chat.buildContext(
              ContextRequest.of("q").blocks(List.of(Map.of("block_id", "a", "kind", "song", "payload", Map.of("text", "x"))))));
    }
  }

  @Test
  void requestsAreCheckedAndMended() {
    String broken =
        "{\"messages\":[{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"x\"},{\"role\":\"user\",\"content\":\"Hi\"}]}";
    List<Violation> found = Aura.verify(Provider.OPENAI, broken);
    Repaired repaired = Aura.repair(Provider.OPENAI, broken);
    assertEquals(found.get(0).rule(), repaired.repairs().get(0).rule());
    assertEquals(List.of(), Aura.verify(Provider.OPENAI, repaired.request()));
    fails(INVALID, "provider", () -> Aura.verify(Provider.GENERIC, broken));
    fails(INVALID, "request", () -> Aura.repair(Provider.OPENAI, "["));
  }

  @Test
  void policiesAreProposedAndApproved() {
    try (Aura aura = Aura.inMemory()) {
      Map<String, Object> proposal = Map.of("subject", "refunds", "version", "7", "text", "Within 30 days.");
      aura.proposePolicy(null, proposal);
      fails(CONFLICT, "version",
          () -> aura.proposePolicy(null, Map.of("subject", "refunds", "version", "7", "text", "Never.")));
      assertNotNull(aura.approvePolicy(null, "refunds", "7").get("approved"));
      fails(NOT_FOUND, "version", () -> aura.approvePolicy(null, "refunds", "8"));
      assertEquals(1, aura.policyVersions(null, Map.of("approved_only", true)).size());
      fails(INVALID, "handle", () -> aura.readArtifact(null, "song"));
      fails(NOT_FOUND, null,
          () -> aura.readArtifact(null, "artifact://default/none@1#5d41402abc4b2a76b9719d911017c592"));
    }
  }

  @Test
  void cancelling() {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try (Aura aura = Aura.inMemory()) {
      Session chat = filled(aura, 3);
      Cancel cancel = new Cancel();
      chat.buildContext(ContextRequest.of("q").cancel(cancel));
      cancel.cancel();
      fails(CANCELLED, null, () -> chat.buildContext(ContextRequest.of("q").cancel(cancel)));
      Cancel stopped = new Cancel();
      CompletableFuture<Context> built = chat.buildContextAsync(ContextRequest.of("parcel").cancel(stopped), executor);
      assertTrue(built.join().tokens() > 0);
      CompletableFuture<Context> never = chat.buildContextAsync(ContextRequest.of("q").cancel(stopped), Runnable::run);
      assertTrue(never.join().tokens() > 0);
      CompletableFuture<Context> waiting = chat.buildContextAsync(ContextRequest.of("q").cancel(stopped), task -> {});
      waiting.cancel(true);
      assertThrows(CancellationException.class, waiting::join);
      fails(CANCELLED, null, () -> chat.buildContext(ContextRequest.of("q").cancel(stopped)));
    } finally {
      executor.shutdown();
    }
  }
}
