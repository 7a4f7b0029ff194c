/* Recording and reading: turns by id, branches, tenants, texts of every kind. */
#include "check.h"

#define Z SIZE_MAX

static aura_error *error;

static aura_turn_view describe(const aura_turn *turn) {
  aura_turn_view view;
  CHECK(aura_turn_describe(turn, &view, sizeof view) == AURA_STATUS_OK);
  return view;
}

static void turns(aura_engine *engine) {
  static const char *const messages[] = {
      "[{\"role\":\"user\",\"text\":\"Look it up\"}]",
      "[{\"role\":\"user\",\"text\":\"Look it up\"},{\"role\":\"assistant\",\"parts\":[{\"type\":"
      "\"tool_call\",\"call_id\":\"c1\",\"name\":\"search\",\"arguments\":{\"q\":\"it\"}}]}]",
  };
  aura_turn_options options;
  aura_turn *turn = NULL;
  aura_turn_view view;
  CHECK(aura_turn_options_init(&options, sizeof options) == AURA_STATUS_OK);
  options.turn_id = aura_cstr("t-1");
  options.status = AURA_TURN_STATUS_OPEN;

  CHECK_OK(aura_session_record_turn(engine, NULL, "turns", Z, messages[0], Z, &options, &turn, &error));
  view = describe(turn);
  CHECK(check_equal(view.turn_id, "t-1") && view.index == 0 && view.message_count == 1);
  CHECK(view.status == AURA_TURN_STATUS_OPEN && view.effect == AURA_EFFECT_CREATED);
  aura_turn_free(turn);

  CHECK_OK(aura_session_record_turn(engine, NULL, "turns", Z, messages[0], Z, &options, &turn, &error));
  CHECK(describe(turn).effect == AURA_EFFECT_UNCHANGED);
  aura_turn_free(turn);

  CHECK_OK(aura_session_record_turn(engine, NULL, "turns", Z, messages[1], Z, &options, &turn, &error));
  view = describe(turn);
  CHECK(view.effect == AURA_EFFECT_EXTENDED && view.first_event == 1 && view.last_event == 2);
  aura_turn_free(turn);

  CHECK(aura_session_record_turn(engine, NULL, "turns", Z, "[{\"role\":\"user\",\"text\":\"no\"}]", Z,
                                 &options, &turn, &error) == AURA_STATUS_CONFLICT);
  CHECK(turn == NULL);
  aura_error_free(error);
  error = NULL;

  CHECK_OK(aura_session_finish_turn(engine, NULL, "turns", Z, "t-1", Z, AURA_TURN_STATUS_COMPLETE,
                                    &turn, &error));
  CHECK(describe(turn).status == AURA_TURN_STATUS_COMPLETE);
  aura_turn_free(turn);
  CHECK_FAILS(AURA_STATUS_NOT_FOUND, "turn_id",
              aura_session_finish_turn(engine, NULL, "turns", Z, "t-9", Z,
                                       AURA_TURN_STATUS_COMPLETE, NULL, &error));
  CHECK_FAILS(AURA_STATUS_INVALID, "status",
              aura_session_finish_turn(engine, NULL, "turns", Z, "t-1", Z, 5, NULL, &error));
}

/* A branch that was left is not seen, until it is taken up again. */
static void branches(aura_engine *engine) {
  aura_turn *turn = NULL;
  aura_context *context = NULL;
  aura_str json;
  aura_turn_options options;
  CHECK(aura_turn_options_init(&options, sizeof options) == AURA_STATUS_OK);
  options.turn_id = aura_cstr("root");
  CHECK_OK(aura_session_record_turn(engine, NULL, "tree", Z,
                                    "[{\"role\":\"user\",\"text\":\"The door code is about to come.\"}]",
                                    Z, &options, NULL, &error));
  options.turn_id = aura_cstr("left");
  CHECK_OK(aura_session_record_turn(engine, NULL, "tree", Z,
                                    "[{\"role\":\"user\",\"text\":\"It is walnut.\"}]", Z, &options,
                                    NULL, &error));
  CHECK_OK(aura_session_set_head(engine, NULL, "tree", Z, "root", Z, &error));
  options.turn_id = aura_cstr("right");
  CHECK_OK(aura_session_record_turn(engine, NULL, "tree", Z,
                                    "[{\"role\":\"user\",\"text\":\"It is hazel.\"}]", Z, &options,
                                    &turn, &error));
  CHECK(describe(turn).index == 2);
  aura_turn_free(turn);
  CHECK_OK(aura_context_build(engine, NULL, "tree", Z, "What is it?", Z, NULL, &context, &error));
  CHECK_OK(aura_context_messages_json(context, &json, &error));
  CHECK(check_contains(json, "hazel") && !check_contains(json, "walnut"));
  aura_context_free(context);

  aura_context_options asked;
  CHECK(aura_context_options_init(&asked, sizeof asked) == AURA_STATUS_OK);
  asked.head = aura_cstr("left");
  CHECK_OK(aura_context_build(engine, NULL, "tree", Z, "What is it?", Z, &asked, &context, &error));
  CHECK_OK(aura_context_messages_json(context, &json, &error));
  CHECK(!check_contains(json, "hazel") && check_contains(json, "walnut"));
  aura_context_free(context);
  CHECK_FAILS(AURA_STATUS_NOT_FOUND, "turn_id",
              aura_session_set_head(engine, NULL, "tree", Z, "nowhere", Z, &error));
}

static void tenants(aura_engine *engine) {
  aura_principal ours;
  aura_principal theirs;
  aura_context *context = NULL;
  aura_buffer *buffer = NULL;
  aura_turn *turn = NULL;
  CHECK(aura_principal_init(&ours, sizeof ours) == AURA_STATUS_OK);
  CHECK(aura_principal_init(&theirs, sizeof theirs) == AURA_STATUS_OK);
  ours.tenant = aura_cstr("ours");
  theirs.tenant = aura_cstr("theirs");
  CHECK_OK(aura_session_record_exchange(engine, &ours, "secret", Z, "The key is under the mat.", Z,
                                        "Noted.", Z, NULL, &error));
  CHECK_FAILS(AURA_STATUS_DENIED, "session_id",
              aura_session_record_exchange(engine, &theirs, "secret", Z, "a", Z, "b", Z, &turn, &error));
  CHECK_FAILS(AURA_STATUS_DENIED, "session_id",
              aura_context_build(engine, &theirs, "secret", Z, "Where is the key?", Z, NULL, &context,
                                 &error));
  CHECK_FAILS(AURA_STATUS_DENIED, "session_id",
              aura_session_turns(engine, &theirs, "secret", Z, 0, 9, &buffer, &error));
  CHECK_FAILS(AURA_STATUS_DENIED, "session_id",
              aura_session_facts(engine, NULL, "secret", Z, NULL, 0, &buffer, &error));
  CHECK(turn == NULL && context == NULL && buffer == NULL);
  CHECK_OK(aura_session_list(engine, &theirs, NULL, 0, &buffer, &error));
  CHECK(check_equal(aura_buffer_text(buffer), "[]"));
  aura_buffer_free(buffer);
  CHECK_OK(aura_session_list(engine, &ours, "{\"limit\": 5}", Z, &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "\"session_id\":\"secret\""));
  aura_buffer_free(buffer);
}

/* Texts with a NUL, outside the basic plane, with an unpaired surrogate in JSON, and a very long one. */
static void texts(aura_engine *engine) {
  aura_buffer *buffer = NULL;
  static const char nul[] = "before\0after";
  CHECK_OK(aura_session_record_exchange(engine, NULL, "texts", Z, nul, sizeof nul - 1,
                                        "\xf0\x9f\x90\x88", Z, NULL, &error));
  CHECK_OK(aura_session_record_turn(engine, NULL, "texts", Z,
                                    "[{\"role\":\"user\",\"text\":\"half a \\ud83d cat\"}]", Z, NULL,
                                    NULL, &error));
  CHECK_OK(aura_session_messages(engine, NULL, "texts", Z, 1, 3, &buffer, &error));
  aura_str json = aura_buffer_text(buffer);
  CHECK(check_contains(json, "before\\u0000after"));
  CHECK(check_contains(json, "\xf0\x9f\x90\x88"));
  CHECK(check_contains(json, "half a \xef\xbf\xbd cat"));
  aura_buffer_free(buffer);

  size_t len = 10u * 1024u * 1024u;
  char *body = malloc(len);
  CHECK(body != NULL);
  if (body == NULL) {
    return;
  }
  for (size_t at = 0; at < len; at++) {
    body[at] = at % 11 == 10 ? ' ' : (char)('a' + at / 11 % 26);
  }
  CHECK_OK(aura_session_record_exchange(engine, NULL, "long", Z, body, len, "Long.", Z, NULL, &error));
  CHECK_OK(aura_session_messages(engine, NULL, "long", Z, 1, 1, &buffer, &error));
  CHECK(aura_buffer_text(buffer).len > len);
  body[len - 1] = '\0';
  CHECK(check_contains(aura_buffer_text(buffer), body + len - 64));
  aura_buffer_free(buffer);
  free(body);
}

static void facts(aura_engine *engine) {
  aura_buffer *buffer = NULL;
  CHECK_OK(aura_session_record_exchange(engine, NULL, "facts", Z, "I live in Oslo.", Z, "Nice.", Z,
                                        NULL, &error));
  CHECK_OK(aura_engine_flush(engine, 10000, &error));
  CHECK_OK(aura_session_facts(engine, NULL, "facts", Z, NULL, 0, &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), "Oslo"));
  aura_buffer_free(buffer);
  CHECK_OK(aura_session_facts(engine, NULL, "facts", Z, "{\"valid\":\"1999-01-01T00:00:00Z\"}", Z,
                              &buffer, &error));
  CHECK(check_equal(aura_buffer_text(buffer), "[]"));
  aura_buffer_free(buffer);
}

int main(void) {
  aura_engine *engine = check_open_in_memory();
  turns(engine);
  branches(engine);
  tenants(engine);
  texts(engine);
  facts(engine);
  aura_engine_free(engine);
  return check_end();
}
