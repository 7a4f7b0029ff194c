/* Many threads on one engine: they record, compile, share a policy and a context, and one of them closes. */
#include <pthread.h>

#include "check.h"

#define Z SIZE_MAX
#define WRITERS 6
#define TURNS 40

struct work {
  aura_engine *engine;
  const aura_policy *policy;
  const aura_context *shared;
  unsigned number;
  unsigned failures;
};

static void expect(struct work *work, int good) {
  work->failures += good ? 0 : 1;
}

static void *record(void *given) {
  struct work *work = given;
  for (unsigned i = 0; i < TURNS; i++) {
    char text[64];
    aura_turn *turn = NULL;
    aura_context *context = NULL;
    aura_context_options options;
    aura_str json;
    snprintf(text, sizeof text, "note %u of writer %u", i, work->number);
    expect(work, aura_session_record_exchange(work->engine, NULL, "all", Z, text, Z, "Noted.", Z,
                                              &turn, NULL) == AURA_STATUS_OK);
    aura_turn_free(turn);
    aura_context_options_init(&options, sizeof options);
    options.policy = work->policy;
    expect(work, aura_context_build(work->engine, NULL, "all", Z, text, Z, &options, &context,
                                    NULL) == AURA_STATUS_OK);
    expect(work, aura_context_messages_json(context, &json, NULL) == AURA_STATUS_OK);
    expect(work, check_contains(json, text));
    aura_context_free(context);
    expect(work, aura_context_manifest_json(work->shared, &json, NULL) == AURA_STATUS_OK);
    expect(work, json.len > 2 && json.ptr[0] == '{' && json.ptr[json.len - 1] == '}');
  }
  return NULL;
}

/* Runs until the engine is closed under it, and sees nothing but success and then refusal. */
static void *outlive(void *given) {
  struct work *work = given;
  for (;;) {
    aura_error *error = NULL;
    aura_status status =
        aura_session_record_exchange(work->engine, NULL, "late", Z, "a", Z, "b", Z, NULL, &error);
    expect(work, aura_error_status(error) == status);
    aura_error_free(error);
    if (status != AURA_STATUS_OK) {
      expect(work, status == AURA_STATUS_CLOSED);
      return NULL;
    }
  }
}

static void run(struct work *works, void *(*body)(void *)) {
  pthread_t threads[WRITERS];
  for (unsigned i = 0; i < WRITERS; i++) {
    CHECK(pthread_create(&threads[i], NULL, body, &works[i]) == 0);
  }
  if (body == outlive) {
    aura_error *error = NULL;
    CHECK_OK(aura_session_record_exchange(works->engine, NULL, "late", Z, "a", Z, "b", Z, NULL, &error));
    CHECK_OK(aura_engine_close(works->engine, &error));
  }
  for (unsigned i = 0; i < WRITERS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(works[i].failures == 0);
  }
}

int main(void) {
  aura_error *error = NULL;
  aura_engine *engine = check_open_in_memory();
  aura_policy *policy = NULL;
  aura_context *shared = NULL;
  aura_buffer *buffer = NULL;
  struct work works[WRITERS];
  CHECK_OK(aura_policy_new("{\"token_budget\": 300}", Z, &policy, &error));
  CHECK_OK(aura_context_build(engine, NULL, "all", Z, "first", Z, NULL, &shared, &error));
  for (unsigned i = 0; i < WRITERS; i++) {
    works[i].engine = engine;
    works[i].policy = policy;
    works[i].shared = shared;
    works[i].number = i;
    works[i].failures = 0;
  }
  run(works, record);

  /* No event was lost or given twice. */
  char wanted[64];
  snprintf(wanted, sizeof wanted, "\"last_event\":%d", WRITERS * TURNS * 2);
  CHECK_OK(aura_session_describe(engine, NULL, "all", Z, &buffer, &error));
  CHECK(check_contains(aura_buffer_text(buffer), wanted));
  aura_buffer_free(buffer);

  run(works, outlive);
  aura_engine_free(engine);
  aura_context_free(shared);
  aura_policy_free(policy);
  return check_end();
}
