/* Compiled contexts: the block, the getters, the JSON, the manifest. */
#include "check.h"

#define Z SIZE_MAX

static aura_error *error;

static const char TOOL_TURN[] =
    "[{\"role\":\"user\",\"name\":\"Ana\",\"text\":\"What is the weather in Bergen?\"},"
    "{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"call_id\":\"c1\",\"name\":\"weather\","
    "\"arguments\":{\"city\": \"Bergen\"}}]},"
    "{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_result\",\"call_id\":\"c1\",\"tool\":\"weather\","
    "\"is_error\":true,\"text\":\"no station answered\"}]},"
    "{\"role\":\"assistant\",\"text\":\"I could not find out.\"}]";

/* The block and the getters say the same. */
static void same(const aura_context *context, const aura_context_view *view) {
  uint32_t tokens = view->tool_tokens;
  CHECK(view->row_size >= sizeof(aura_message_row));
  CHECK(view->bytes_off == view->row_count * view->row_size && view->bytes_off <= view->block_len);
  for (size_t i = 0; i < view->row_count; i++) {
    const aura_message_row *row = aura_context_row(view, i);
    aura_message message;
    CHECK(aura_context_message(context, i, &message, sizeof message) == AURA_STATUS_OK);
    CHECK(row->role == message.role && row->section == message.section);
    CHECK(row->tokens == message.tokens && row->is_error == message.is_error);
    CHECK(row->events_count == message.events_count);
    aura_str content = aura_context_text(view, row->content_off, row->content_len);
    aura_str name = aura_context_text(view, row->name_off, row->name_len);
    aura_str extra = aura_context_text(view, row->extra_off, row->extra_len);
    aura_str call = aura_context_text(view, row->tool_call_id_off, row->tool_call_id_len);
    CHECK(content.ptr == message.content.ptr && content.len == message.content.len);
    CHECK(name.ptr == message.name.ptr && name.len == message.name.len);
    CHECK(extra.ptr == message.extra_json.ptr && extra.len == message.extra_json.len);
    CHECK(call.ptr == message.tool_call_id.ptr && call.len == message.tool_call_id.len);
    CHECK((uintptr_t)message.events % sizeof(uint64_t) == 0);
    CHECK(view->bytes_off + row->events_off + row->events_count * sizeof(uint64_t) <= view->block_len);
    CHECK(memcmp(message.events, view->block + view->bytes_off + row->events_off,
                 row->events_count * sizeof(uint64_t)) == 0);
    tokens += message.tokens;
  }
  CHECK(tokens <= view->tokens);
  aura_message past;
  CHECK(aura_context_message(context, view->row_count, &past, sizeof past) == AURA_STATUS_NOT_FOUND);
}

static void compiled(aura_engine *engine) {
  aura_policy *policy = NULL;
  aura_context *context = NULL;
  aura_buffer *buffer = NULL;
  aura_context_options options;
  aura_context_view view;
  aura_str json;
  CHECK_OK(aura_session_record_turn(engine, NULL, "weather", Z, TOOL_TURN, Z, NULL, NULL, &error));
  CHECK_OK(aura_policy_new("{\"token_budget\": 900, \"policy_version\": \"test-7\"}", Z, &policy, &error));
  CHECK(aura_context_options_init(&options, sizeof options) == AURA_STATUS_OK);
  options.policy = policy;
  options.turn_id = aura_cstr("next");
  options.system = aura_cstr("Be brief.");
  options.provider = AURA_PROVIDER_OPENAI;
  options.correlation_id = aura_cstr("corr-1");
  options.agent_version = aura_cstr("agent-2");
  options.workflow_stage = aura_cstr("triage");
  options.deadline_ms = 60000;
  options.tools_json = aura_cstr(
      "[{\"name\":\"weather\",\"description\":\"Tells the weather.\",\"parameters\":{\"type\":\"object\"}}]");
  options.blocks_json = aura_cstr(
      "[{\"block_id\":\"note\",\"kind\":\"evidence\",\"source\":\"almanac\",\"payload\":{\"text\":\"Bergen has 240 rainy days.\"}}]");
  CHECK_OK(aura_context_build(engine, NULL, "weather", Z, "Will it rain in Bergen?", Z, &options,
                              &context, &error));
  aura_policy_free(policy);
  if (context == NULL) {
    return;
  }
  CHECK(aura_context_describe(context, &view, sizeof view) == AURA_STATUS_OK);
  CHECK(view.row_count >= 3 && view.tokens > 0 && view.tokens <= view.budget && view.budget == 900);
  CHECK(view.over_budget == 0 && view.read_only == 0 && view.outcome == AURA_OUTCOME_COMPLETE);
  CHECK(view.provider == AURA_PROVIDER_OPENAI && view.tool_tokens > 0);
  CHECK(check_equal(view.turn_id, "next") && view.request_id.len > 0);
  same(context, &view);

  /* The system prompt first, the question last; the call, its result and the speaker in between. */
  const aura_message_row *first = aura_context_row(&view, 0);
  const aura_message_row *last = aura_context_row(&view, view.row_count - 1);
  CHECK(first->role == AURA_ROLE_SYSTEM && first->section == AURA_SECTION_SYSTEM);
  CHECK(check_contains(aura_context_text(&view, first->content_off, first->content_len), "Be brief."));
  CHECK(last->role == AURA_ROLE_USER);
  CHECK(check_contains(aura_context_text(&view, last->content_off, last->content_len),
                       "Will it rain in Bergen?"));
  int called = 0;
  int answered = 0;
  for (size_t i = 0; i < view.row_count; i++) {
    aura_message message;
    CHECK(aura_context_message(context, i, &message, sizeof message) == AURA_STATUS_OK);
    if (message.role == AURA_ROLE_ASSISTANT && message.extra_json.ptr != NULL) {
      CHECK(check_contains(message.extra_json, "\"id\":\"c1\"") &&
            check_contains(message.extra_json, "{\"city\": \"Bergen\"}"));
      called++;
    }
    if (message.role == AURA_ROLE_TOOL) {
      CHECK(check_equal(message.tool_call_id, "c1") && message.is_error == 1);
      CHECK(message.events_count == 1 && message.events[0] == 3);
      answered++;
    }
  }
  CHECK(called == 1 && answered == 1);

  CHECK_OK(aura_context_messages_json(context, &json, &error));
  CHECK(json.len > 2 && json.ptr[0] == '[' && check_contains(json, "\"tool_call_id\":\"c1\""));
  aura_str again;
  CHECK_OK(aura_context_messages_json(context, &again, &error));
  CHECK(json.ptr == again.ptr && json.len == again.len);
  CHECK_OK(aura_context_request_json(context, &json, &error));
  CHECK(check_contains(json, "Tells the weather.") && check_contains(json, "Be brief."));
  CHECK_OK(aura_verify(AURA_PROVIDER_OPENAI, json.ptr, json.len, &buffer, &error));
  CHECK(check_equal(aura_buffer_text(buffer), "[]"));
  aura_buffer_free(buffer);
  buffer = NULL;
  CHECK_OK(aura_context_tools_json(context, &json, &error));
  CHECK(check_contains(json, "Tells the weather."));
  CHECK_OK(aura_context_manifest_json(context, &json, &error));
  CHECK(check_contains(json, "\"correlation_id\":\"corr-1\"") && check_contains(json, "\"test-7\""));
  CHECK(check_contains(json, "agent-2") && check_contains(json, "triage"));
  CHECK(!check_contains(json, "rainy"));

  /* Explained from the context, and from the store by its request. */
  aura_buffer *stored = NULL;
  CHECK_OK(aura_context_explain(context, "question", Z, &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "\"answer\":\"candidate\""));
  CHECK_OK(aura_manifest_explain(engine, NULL, view.request_id.ptr, view.request_id.len, "question",
                                 Z, &stored, &error));
  CHECK(aura_buffer_text(buffer).len == aura_buffer_text(stored).len);
  aura_buffer_free(buffer);
  aura_buffer_free(stored);
  CHECK_OK(aura_context_explain(context, "event:4711", Z, &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "never a candidate"));
  aura_buffer_free(buffer);
  CHECK_OK(aura_manifest_read(engine, NULL, view.request_id.ptr, view.request_id.len, &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "\"correlation_id\":\"corr-1\""));
  aura_buffer_free(buffer);
  CHECK_OK(aura_manifest_list(engine, NULL, "{\"session_id\":\"weather\",\"limit\":3}", Z, &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "corr-1"));
  aura_buffer_free(buffer);

  /* The turn that answers it says so. */
  aura_turn_options answer;
  char requests[300];
  CHECK(aura_turn_options_init(&answer, sizeof answer) == AURA_STATUS_OK);
  snprintf(requests, sizeof requests, "[\"%.*s\"]", (int)view.request_id.len, view.request_id.ptr);
  answer.requests_json = aura_cstr(requests);
  answer.turn_id = view.turn_id;
  CHECK_OK(aura_session_record_turn(engine, NULL, "weather", Z,
                                    "[{\"role\":\"user\",\"text\":\"Will it rain in Bergen?\"},"
                                    "{\"role\":\"assistant\",\"text\":\"It will.\"}]",
                                    Z, &answer, NULL, &error));
  CHECK_OK(aura_manifest_read(engine, NULL, view.request_id.ptr, view.request_id.len, &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "\"link\":{\"turn_id\":\"next\""));
  aura_buffer_free(buffer);
  aura_context_free(context);
}

/* A policy counts once it is approved; who claims it before, or says something else, is refused. */
static void policies(aura_engine *engine) {
  static const char claim[] =
      "[{\"block_id\":\"p\",\"kind\":\"policy\",\"payload\":{\"policy\":{\"subject\":\"refunds\"}}}]";
  aura_context *context = NULL;
  aura_buffer *buffer = NULL;
  aura_context_options options;
  aura_str json;
  CHECK_OK(aura_policy_version_propose(
      engine, NULL, "{\"subject\":\"refunds\",\"version\":\"v17\",\"text\":\"Refunds within 30 days.\"}", Z,
      &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "\"version\":\"v17\""));
  CHECK(!check_contains(aura_buffer_text(buffer), "\"approved\""));
  aura_buffer_free(buffer);
  CHECK(aura_context_options_init(&options, sizeof options) == AURA_STATUS_OK);
  options.blocks_json = aura_cstr(claim);
  CHECK_FAILS(AURA_STATUS_DENIED, "blocks[0].trust",
              aura_context_build(engine, NULL, "shop", Z, "Refund?", Z, &options, &context, &error));
  CHECK_FAILS(AURA_STATUS_CONFLICT, "version",
              aura_policy_version_propose(
                  engine, NULL, "{\"subject\":\"refunds\",\"version\":\"v17\",\"text\":\"Never.\"}", Z, &buffer,
                  &error));
  CHECK_FAILS(AURA_STATUS_NOT_FOUND, "version",
              aura_policy_version_approve(engine, NULL, "refunds", Z, "v18", Z, &buffer, &error));
  CHECK_OK(aura_policy_version_approve(engine, NULL, "refunds", Z, "v17", Z, &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "\"approved\""));
  aura_buffer_free(buffer);
  CHECK_OK(aura_policy_version_list(engine, NULL, "{\"subject\":\"refunds\",\"approved_only\":true}", Z, &buffer,
                                    &error));
  CHECK(check_contains(aura_buffer_text(buffer), "Refunds within 30 days."));
  aura_buffer_free(buffer);
  CHECK_OK(aura_context_build(engine, NULL, "shop", Z, "Refund?", Z, &options, &context, &error));
  CHECK_OK(aura_context_request_json(context, &json, &error));
  CHECK(check_contains(json, "\"role\":\"system\"") && check_contains(json, "Refunds within 30 days."));
  aura_context_free(context);
}

/* A text too long for what it is worth stands by its handle, and the handle gives it back. */
static void artifacts(aura_engine *engine) {
  static char blocks[40000];
  static char text[30000];
  aura_context *context = NULL;
  aura_buffer *buffer = NULL;
  aura_context_options options;
  aura_str json;
  size_t at = 0;
  while (at + 64 < sizeof text) {
    at += (size_t)snprintf(text + at, sizeof text - at, "tick %zu of the clock, all is quiet; ", at * at);
  }
  snprintf(blocks, sizeof blocks,
           "[{\"block_id\":\"log\",\"kind\":\"tool-result\",\"source\":\"log\",\"payload\":{\"tool_result\":"
           "{\"tool\":\"tail\",\"text\":\"%s\"}}}]",
           text);
  CHECK(aura_context_options_init(&options, sizeof options) == AURA_STATUS_OK);
  options.blocks_json = aura_cstr(blocks);
  CHECK_OK(aura_context_build(engine, NULL, "logs", Z, "Is it raining?", Z, &options, &context, &error));
  CHECK_OK(aura_context_manifest_json(context, &json, &error));
  CHECK(check_contains(json, "\"replaced-by-handle\""));
  CHECK_OK(aura_context_request_json(context, &json, &error));
  char handle[200] = "";
  for (size_t i = 0; i + 11 < json.len; i++) {
    if (memcmp(json.ptr + i, "artifact://", 11) == 0) {
      size_t len = 0;
      while (json.ptr[i + len] != ']' && len + 1 < sizeof handle) {
        handle[len] = json.ptr[i + len];
        len++;
      }
      handle[len] = 0;
      break;
    }
  }
  CHECK_OK(aura_artifact_read(engine, NULL, handle, Z, &buffer, &error));
  CHECK(check_equal(aura_buffer_text(buffer), text));
  aura_buffer_free(buffer);
  aura_context_free(context);
  CHECK_FAILS(AURA_STATUS_INVALID, "handle",
              aura_artifact_read(engine, NULL, "report.txt", Z, &buffer, &error));
  CHECK_FAILS(AURA_STATUS_NOT_FOUND, "handle",
              aura_artifact_read(engine, NULL, "artifact://default/x@1#00112233445566778899aabbccddeeff", Z, &buffer,
                                 &error));
  CHECK_FAILS(AURA_STATUS_DENIED, "handle",
              aura_artifact_read(engine, NULL, "artifact://other/x@1#00112233445566778899aabbccddeeff", Z, &buffer,
                                 &error));
}

/* A session that nobody has written to gives just the question, and all options may be left out. */
static void bare(aura_engine *engine) {
  aura_context *context = NULL;
  aura_context_view view;
  CHECK_OK(aura_context_build(engine, NULL, "empty", Z, "Anybody there?", Z, NULL, &context, &error));
  CHECK(aura_context_describe(context, &view, sizeof view) == AURA_STATUS_OK);
  CHECK(view.row_count == 1 && aura_context_row(&view, 0)->section == AURA_SECTION_QUESTION);
  CHECK(view.turn_id.len > 0 && view.budget == 4096);
  same(context, &view);
  aura_context_free(context);
}

/* A correction: the new city is shown, the cats are still there. */
static void corrected(aura_engine *engine) {
  static const char *const talk[][2] = {
      {"I live in Oslo and I have two cats, Miso and Nori.", "What lovely names!"},
      {"I just moved to Berlin.", "Welcome to Berlin!"},
      {"Which museums are open on Mondays?", "Several on the Museum Island are."},
  };
  aura_policy *policy = NULL;
  aura_context *context = NULL;
  aura_context_options options;
  aura_str json;
  for (size_t i = 0; i < sizeof talk / sizeof *talk; i++) {
    CHECK_OK(aura_session_record_exchange(engine, NULL, "move", Z, talk[i][0], Z, talk[i][1], Z, NULL,
                                          &error));
  }
  CHECK_OK(aura_policy_new("{\"token_budget\": 500, \"recency_turns\": 1}", Z, &policy, &error));
  CHECK(aura_context_options_init(&options, sizeof options) == AURA_STATUS_OK);
  options.policy = policy;
  CHECK_OK(aura_context_build(engine, NULL, "move", Z,
                              "Where do I live now, and what are my cats called?", Z, &options,
                              &context, &error));
  CHECK_OK(aura_context_messages_json(context, &json, &error));
  CHECK(check_contains(json, "Berlin") && check_contains(json, "Miso") && check_contains(json, "Nori"));
  aura_context_free(context);
  aura_policy_free(policy);
}

int main(void) {
  aura_engine *engine = check_open_in_memory();
  compiled(engine);
  policies(engine);
  artifacts(engine);
  bare(engine);
  corrected(engine);
  aura_engine_free(engine);
  return check_end();
}
