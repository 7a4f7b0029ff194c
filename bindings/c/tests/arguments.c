/* What a caller may get wrong: NULL, bad UTF-8, sizes, numbers, JSON. Each is refused and named. */
#include "check.h"

#define Z SIZE_MAX

static aura_error *error;

static void engines(void) {
  aura_engine *engine = (aura_engine *)&error;
  aura_engine_options options;
  CHECK_FAILS(AURA_STATUS_INVALID, "path", aura_engine_open(NULL, 0, NULL, &engine, &error));
  CHECK(engine == NULL);
  CHECK_FAILS(AURA_STATUS_INVALID, "path", aura_engine_open(NULL, 5, NULL, &engine, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "path", aura_engine_open(NULL, Z, NULL, &engine, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "path", aura_engine_open("a\xff", 2, NULL, &engine, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "path", aura_engine_open("a", Z - 1, NULL, &engine, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "out", aura_engine_open("a", 1, NULL, NULL, &error));

  CHECK(aura_engine_options_init(NULL, sizeof options) == AURA_STATUS_INVALID);
  CHECK(aura_engine_options_init(&options, 0) == AURA_STATUS_INVALID);
  CHECK(aura_engine_options_init(&options, sizeof options) == AURA_STATUS_OK);
  CHECK(options.struct_size == sizeof options && options.storage == AURA_STORAGE_SQLITE);
  options.storage = 9;
  CHECK_FAILS(AURA_STATUS_INVALID, "options.storage",
              aura_engine_open(NULL, 0, &options, &engine, &error));
  options.storage = AURA_STORAGE_MEMORY;
  CHECK_FAILS(AURA_STATUS_INVALID, "path", aura_engine_open("a", 1, &options, &engine, &error));
  options.durability = 9;
  CHECK_FAILS(AURA_STATUS_INVALID, "options.durability",
              aura_engine_open(NULL, 0, &options, &engine, &error));
  options.durability = AURA_DURABILITY_NORMAL;
  options.language = aura_cstr("klingon");
  CHECK_FAILS(AURA_STATUS_INVALID, "options.language",
              aura_engine_open(NULL, 0, &options, &engine, &error));
  options.language = aura_cstr("de");
  options.token_counter = aura_cstr("abacus");
  CHECK_FAILS(AURA_STATUS_INVALID, "options.token_counter",
              aura_engine_open(NULL, 0, &options, &engine, &error));
  options.token_counter.len = 0;
  options.struct_size = 0;
  CHECK_FAILS(AURA_STATUS_INVALID, "options.struct_size",
              aura_engine_open(NULL, 0, &options, &engine, &error));

  /* A failure without a place for the error. */
  CHECK(aura_engine_open(NULL, 0, NULL, &engine, NULL) == AURA_STATUS_INVALID);
}

/* Structs of an older and of a newer caller. */
static void sizes(void) {
  struct {
    aura_engine_options known;
    uint64_t more[2];
  } newer;
  aura_engine *engine = NULL;
  CHECK(aura_engine_options_init(&newer.known, sizeof newer) == AURA_STATUS_OK);
  CHECK(newer.known.struct_size == sizeof newer && newer.more[0] == 0 && newer.more[1] == 0);
  newer.known.storage = AURA_STORAGE_MEMORY;
  CHECK_OK(aura_engine_open(NULL, 0, &newer.known, &engine, &error));
  aura_engine_free(engine);
  newer.more[1] = 1;
  CHECK_FAILS(AURA_STATUS_INVALID, "options.struct_size",
              aura_engine_open(NULL, 0, &newer.known, &engine, &error));
  CHECK(engine == NULL);

  /* An older caller knows nothing behind `durability`; what lies there in its memory is not read. */
  newer.known.struct_size = offsetof(aura_engine_options, language);
  newer.known.language.len = 7;
  newer.known.token_counter.ptr = (const char *)&newer;
  newer.known.token_counter.len = 7;
  CHECK_OK(aura_engine_open(NULL, 0, &newer.known, &engine, &error));

  /* A view is filled as far as its caller knows it. */
  aura_turn *turn = NULL;
  CHECK_OK(aura_session_record_exchange(engine, NULL, "s", Z, "a", Z, "b", Z, &turn, &error));
  struct {
    aura_turn_view known;
    uint64_t more;
  } view;
  memset(&view, 0x55, sizeof view);
  CHECK(aura_turn_describe(turn, &view.known, offsetof(aura_turn_view, last_event)) ==
        AURA_STATUS_OK);
  CHECK(view.known.first_event == 1 && view.known.last_event == UINT64_C(0x5555555555555555));
  CHECK(aura_turn_describe(turn, &view.known, sizeof view) == AURA_STATUS_OK);
  CHECK(view.known.last_event == 2 && view.known.message_count == 2 && view.more == 0);
  CHECK(view.known.recorded_at_ms > INT64_C(1600000000000));
  CHECK(aura_turn_describe(turn, &view.known, 4) == AURA_STATUS_INVALID);
  CHECK(aura_turn_describe(turn, NULL, sizeof view) == AURA_STATUS_INVALID);
  CHECK(aura_turn_describe(NULL, &view.known, sizeof view) == AURA_STATUS_INVALID);
  aura_turn_free(turn);
  aura_engine_free(engine);
}

static void nulls(void) {
  aura_turn *turn = NULL;
  aura_context *context = NULL;
  aura_policy *policy = NULL;
  aura_buffer *buffer = NULL;
  aura_str text = {NULL, 1};
  CHECK_FAILS(AURA_STATUS_INVALID, "engine", aura_engine_close(NULL, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "engine", aura_engine_flush(NULL, 1, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "engine", aura_debug_panic(NULL, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "engine",
              aura_session_record_exchange(NULL, NULL, "s", Z, "a", Z, "b", Z, &turn, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "engine",
              aura_context_build(NULL, NULL, "s", Z, "q", Z, NULL, &context, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "out", aura_policy_new(NULL, 0, NULL, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "policy", aura_policy_json(NULL, &buffer, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "out", aura_cancel_new(NULL, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "context", aura_context_messages_json(NULL, &text, &error));
  CHECK(text.ptr == NULL && text.len == 0);
  CHECK_FAILS(AURA_STATUS_INVALID, "context", aura_context_explain(NULL, "question", Z, &buffer, &error));
  CHECK(aura_context_describe(NULL, NULL, 0) == AURA_STATUS_INVALID);
  CHECK(aura_context_message(NULL, 0, NULL, 0) == AURA_STATUS_INVALID);
  CHECK(aura_principal_init(NULL, sizeof(aura_principal)) == AURA_STATUS_INVALID);
  CHECK(aura_turn_options_init(NULL, 8) == AURA_STATUS_INVALID);
  CHECK(aura_context_options_init(NULL, 8) == AURA_STATUS_INVALID);
  CHECK(aura_buffer_text(NULL).ptr == NULL && aura_error_message(NULL).ptr == NULL);
  CHECK(aura_error_cause(NULL, 0).ptr == NULL && aura_error_status(NULL) == AURA_STATUS_OK);
  aura_cancel_trigger(NULL);
  aura_engine_free(NULL);
  aura_policy_free(policy);
  aura_context_free(context);
  aura_turn_free(turn);
  aura_cancel_free(NULL);
  aura_buffer_free(buffer);
  aura_error_free(NULL);
}

static void policies(void) {
  static const char *const faults[][2] = {
      {"{\"token_budget\": 0}", "token_budget"},
      {"{\"token_budget\": -5}", "token_budget"},
      {"{\"token_bugdet\": 5}", "token_bugdet"},
      {"{\"mode\": \"clever\"}", "mode"},
      {"{\"min_relevance\": 2}", "min_relevance"},
      {"{\"weights\": [1, 2]}", "weights"},
  };
  aura_policy *policy = NULL;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    CHECK_FAILS(AURA_STATUS_INVALID, faults[i][1],
                aura_policy_new(faults[i][0], Z, &policy, &error));
    CHECK(policy == NULL);
  }
  CHECK(aura_policy_new("{", Z, &policy, &error) == AURA_STATUS_INVALID);
  aura_error_free(error);
  CHECK_FAILS(AURA_STATUS_INVALID, "json", aura_policy_new("\xc3\x28", 2, &policy, &error));
  CHECK_OK(aura_policy_new("", Z, &policy, &error));
  aura_policy_free(policy);

  /* The whole error object. */
  CHECK(aura_policy_new("{\"token_budget\": 0}", Z, &policy, &error) == AURA_STATUS_INVALID);
  CHECK(aura_error_status(error) == AURA_STATUS_INVALID);
  CHECK(check_equal(aura_error_operation(error), "aura_policy_new"));
  CHECK(check_contains(aura_error_message(error), "must be at least 1"));
  CHECK(check_contains(aura_error_context(error), "[\"field\",\"token_budget\"]"));
  CHECK(aura_error_cause(error, 0).ptr == NULL);
  aura_error_free(error);
  error = NULL;

  aura_buffer *json = NULL;
  CHECK_OK(aura_policy_new("{\"token_budget\": 77, \"mode\": \"window+summary\"}", Z, &policy, &error));
  CHECK_OK(aura_policy_json(policy, &json, &error));
  CHECK(check_contains(aura_buffer_text(json), "\"token_budget\":77"));
  CHECK(check_contains(aura_buffer_text(json), "\"mode\":\"window-summary\""));
  aura_buffer_free(json);
  aura_policy_free(policy);
}

static void records(aura_engine *engine) {
  char long_id[258];
  memset(long_id, 'x', sizeof long_id);
  CHECK_FAILS(AURA_STATUS_INVALID, "session_id",
              aura_session_record_exchange(engine, NULL, "", Z, "a", Z, "b", Z, NULL, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "session_id",
              aura_session_record_exchange(engine, NULL, long_id, 257, "a", Z, "b", Z, NULL, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "session_id",
              aura_session_record_exchange(engine, NULL, "\xed\xa0\x80", Z, "a", Z, "b", Z, NULL, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "user",
              aura_session_record_exchange(engine, NULL, "s", Z, "a\xff", Z, "b", Z, NULL, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "assistant",
              aura_session_record_exchange(engine, NULL, "s", Z, "a", Z, NULL, 3, NULL, &error));

  static const char *const faults[][2] = {
      {"[{\"role\":\"narrator\",\"text\":\"x\"}]", "messages[0].role"},
      {"[{\"role\":\"user\",\"text\":\"x\"},{\"role\":\"user\",\"txt\":\"x\"}]", "messages[1].txt"},
      {"[{\"role\":\"user\",\"text\":7}]", "messages[0].text"},
      {"{\"role\":\"user\"}", "messages"},
      {"7", "messages"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    CHECK_FAILS(AURA_STATUS_INVALID, faults[i][1],
                aura_session_record_turn(engine, NULL, "s", Z, faults[i][0], Z, NULL, NULL, &error));
  }
  static const char *const nothing[] = {"", "[]"};
  for (size_t i = 0; i < 2; i++) {
    CHECK_FAILS(AURA_STATUS_INVALID, "messages",
                aura_session_record_turn(engine, NULL, "s", Z, nothing[i], Z, NULL, NULL, &error));
  }

  aura_turn_options options;
  const char *messages = "[{\"role\":\"user\",\"text\":\"x\"}]";
  CHECK(aura_turn_options_init(&options, sizeof options) == AURA_STATUS_OK);
  options.status = 3;
  CHECK_FAILS(AURA_STATUS_INVALID, "options.status",
              aura_session_record_turn(engine, NULL, "s", Z, messages, Z, &options, NULL, &error));
  options.status = 0;
  options.reserved = 1;
  CHECK_FAILS(AURA_STATUS_INVALID, "options.reserved",
              aura_session_record_turn(engine, NULL, "s", Z, messages, Z, &options, NULL, &error));
  options.reserved = 0;
  options.turn_id.len = 4;
  CHECK_FAILS(AURA_STATUS_INVALID, "options.turn_id",
              aura_session_record_turn(engine, NULL, "s", Z, messages, Z, &options, NULL, &error));
  options.turn_id.len = 0;
  options.requests_json = aura_cstr("[\"a\\ud83d\"]");
  CHECK_FAILS(AURA_STATUS_INVALID, "options.requests_json",
              aura_session_record_turn(engine, NULL, "s", Z, messages, Z, &options, NULL, &error));

  /* Nothing of all that was recorded. */
  aura_buffer *buffer = NULL;
  CHECK_FAILS(AURA_STATUS_NOT_FOUND, "session_id",
              aura_session_describe(engine, NULL, "s", Z, &buffer, &error));
}

static void principals(aura_engine *engine) {
  aura_principal principal;
  aura_context *context = NULL;
  CHECK(aura_principal_init(&principal, sizeof principal) == AURA_STATUS_OK);
  principal.tenant = aura_cstr("\xff");
  CHECK_FAILS(AURA_STATUS_INVALID, "principal.tenant",
              aura_context_build(engine, &principal, "s", Z, "q", Z, NULL, &context, &error));
  principal.tenant = aura_cstr("");
  principal.labels_json = aura_cstr("[1]");
  CHECK_FAILS(AURA_STATUS_INVALID, "principal.labels_json[0]",
              aura_context_build(engine, &principal, "s", Z, "q", Z, NULL, &context, &error));
  principal.labels_json = aura_cstr("[\"half a \\udc00 cat\"]");
  CHECK_FAILS(AURA_STATUS_INVALID, "principal.labels_json",
              aura_context_build(engine, &principal, "s", Z, "q", Z, NULL, &context, &error));
  principal.struct_size = 12;
  CHECK_FAILS(AURA_STATUS_INVALID, "principal.struct_size",
              aura_context_build(engine, &principal, "s", Z, "q", Z, NULL, &context, &error));
}

static void contexts(aura_engine *engine) {
  aura_context *context = NULL;
  aura_buffer *buffer = NULL;
  aura_context_options options;
  CHECK(aura_context_options_init(&options, sizeof options) == AURA_STATUS_OK);
  CHECK_FAILS(AURA_STATUS_INVALID, "question",
              aura_context_build(engine, NULL, "s", Z, "\xf0\x9f", Z, &options, &context, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "out",
              aura_context_build(engine, NULL, "s", Z, "q", Z, &options, NULL, &error));
  options.provider = 77;
  CHECK_FAILS(AURA_STATUS_INVALID, "options.provider",
              aura_context_build(engine, NULL, "s", Z, "q", Z, &options, &context, &error));
  options.provider = AURA_PROVIDER_OPENAI;
  options.tools_json = aura_cstr("[{\"name\":\"f\",\"parametres\":{}}]");
  CHECK_FAILS(AURA_STATUS_INVALID, "options.tools_json[0].parametres",
              aura_context_build(engine, NULL, "s", Z, "q", Z, &options, &context, &error));
  options.tools_json = aura_cstr(NULL);
  options.blocks_json = aura_cstr("{}");
  CHECK_FAILS(AURA_STATUS_INVALID, "options.blocks_json",
              aura_context_build(engine, NULL, "s", Z, "q", Z, &options, &context, &error));
  CHECK(context == NULL);
  CHECK_FAILS(AURA_STATUS_NOT_FOUND, "request_id",
              aura_manifest_read(engine, NULL, "none", Z, &buffer, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "query.colour",
              aura_session_list(engine, NULL, "{\"colour\":1}", Z, &buffer, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "as_of.valid",
              aura_session_facts(engine, NULL, "s", Z, "{\"valid\":\"soon\"}", Z, &buffer, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "block",
              aura_manifest_explain(engine, NULL, "r", Z, "colour", Z, &buffer, &error));
}

static void requests(void) {
  static const char broken[] =
      "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"},"
      "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{}}]}]}";
  aura_buffer *buffer = NULL;
  aura_buffer *repairs = NULL;
  CHECK_OK(aura_verify(AURA_PROVIDER_ANTHROPIC, broken, Z, &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "\"rule\":\"A-PAIR\",\"path\":\"/messages/1/content/0\""));
  aura_buffer_free(buffer);
  CHECK_OK(aura_repair(AURA_PROVIDER_ANTHROPIC, broken, sizeof broken - 1, &buffer, &repairs, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "\"tool_use_id\":\"a\""));
  CHECK(check_contains(aura_buffer_text(repairs), "\"rule\":\"A-PAIR\""));
  aura_buffer_free(repairs);
  aura_str mended = aura_buffer_text(buffer);
  aura_buffer *again = NULL;
  CHECK_OK(aura_repair(AURA_PROVIDER_ANTHROPIC, mended.ptr, mended.len, &again, NULL, &error));
  aura_str same = aura_buffer_text(again);
  CHECK(same.len == mended.len && memcmp(same.ptr, mended.ptr, same.len) == 0);
  aura_buffer_free(again);
  aura_buffer_free(buffer);
  CHECK_FAILS(AURA_STATUS_INVALID, "provider", aura_verify(77, broken, Z, &buffer, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "provider",
              aura_repair(AURA_PROVIDER_GENERIC, broken, Z, &buffer, &repairs, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "request",
              aura_verify(AURA_PROVIDER_OPENAI, "{", Z, &buffer, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "request.contents",
              aura_repair(AURA_PROVIDER_GEMINI, broken, Z, &buffer, &repairs, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "request", aura_verify(AURA_PROVIDER_OPENAI, NULL, 3, &buffer, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "out", aura_verify(AURA_PROVIDER_OPENAI, broken, Z, NULL, &error));
  CHECK(buffer == NULL && repairs == NULL);
}

int main(void) {
  CHECK(strcmp(aura_version(), AURA_VERSION) == 0);
  CHECK(aura_abi_version() == AURA_ABI_VERSION);
  CHECK(strcmp(aura_status_name(AURA_STATUS_BUDGET_EXCEEDED), "budget-exceeded") == 0);
  CHECK(strcmp(aura_status_name(-3), "unknown") == 0);
  CHECK(aura_debug_live(99) == SIZE_MAX);
  engines();
  sizes();
  nulls();
  policies();
  aura_engine *engine = check_open_in_memory();
  records(engine);
  principals(engine);
  contexts(engine);
  requests();
  aura_engine_free(engine);
  return check_end();
}
