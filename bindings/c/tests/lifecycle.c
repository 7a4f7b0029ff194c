/* Opening, closing, freeing, panicking, and files that are no store. The argument is an empty folder. */
#include "check.h"

#define Z SIZE_MAX

static aura_error *error;

static void closing(void) {
  aura_engine *engine = check_open_in_memory();
  aura_turn *turn = NULL;
  aura_context *context = NULL;
  aura_buffer *buffer = NULL;
  CHECK_OK(aura_session_record_exchange(engine, NULL, "s", Z, "hello", Z, "hi", Z, &turn, &error));
  CHECK_OK(aura_context_build(engine, NULL, "s", Z, "hello?", Z, NULL, &context, &error));
  CHECK_OK(aura_session_describe(engine, NULL, "s", Z, &buffer, &error));
  CHECK_OK(aura_engine_flush(engine, 10000, &error));
  CHECK_OK(aura_engine_close(engine, &error));
  CHECK_OK(aura_engine_close(engine, &error));
  CHECK_FAILS(AURA_STATUS_CLOSED, NULL,
              aura_session_record_exchange(engine, NULL, "s", Z, "a", Z, "b", Z, NULL, &error));
  aura_context *second = NULL;
  CHECK_FAILS(AURA_STATUS_CLOSED, NULL,
              aura_context_build(engine, NULL, "s", Z, "q", Z, NULL, &second, &error));
  CHECK(second == NULL);
  aura_buffer *none = NULL;
  CHECK_FAILS(AURA_STATUS_CLOSED, NULL, aura_session_list(engine, NULL, NULL, 0, &none, &error));
  aura_engine_free(engine);

  /* What the engine gave outlives it. */
  aura_turn_view turn_view;
  CHECK(aura_turn_describe(turn, &turn_view, sizeof turn_view) == AURA_STATUS_OK);
  CHECK(turn_view.turn_id.len > 0 && turn_view.effect == AURA_EFFECT_CREATED);
  aura_str json;
  CHECK_OK(aura_context_messages_json(context, &json, &error));
  CHECK(check_contains(json, "hello?"));
  CHECK(check_contains(aura_buffer_text(buffer), "\"session_id\":\"s\""));
  CHECK(aura_debug_live(AURA_KIND_CONTEXT) == 1 && aura_debug_live(AURA_KIND_TURN) == 1);
  CHECK(aura_debug_live(AURA_KIND_BUFFER) == 1 && aura_debug_live(AURA_KIND_ENGINE) == 0);
  CHECK(aura_debug_live(AURA_KIND_ALL) == 3);
  aura_turn_free(turn);
  aura_context_free(context);
  aura_buffer_free(buffer);
}

static void panicking(void) {
  aura_engine *engine = check_open_in_memory();
  aura_engine *healthy = check_open_in_memory();
  CHECK(aura_debug_panic(engine, NULL) == AURA_STATUS_INTERNAL);
  CHECK_FAILS(AURA_STATUS_INTERNAL, NULL, aura_debug_panic(engine, &error));
  CHECK(aura_session_record_exchange(engine, NULL, "s", Z, "a", Z, "b", Z, NULL, &error) ==
        AURA_STATUS_INTERNAL);
  CHECK(check_contains(aura_error_message(error), "panicked"));
  CHECK(check_contains(aura_error_context(error), "aura_debug_panic"));
  aura_error_free(error);
  error = NULL;
  CHECK_FAILS(AURA_STATUS_INTERNAL, NULL, aura_engine_close(engine, &error));
  CHECK_OK(aura_session_record_exchange(healthy, NULL, "s", Z, "a", Z, "b", Z, NULL, &error));
  CHECK(aura_debug_panic(healthy, &error) == AURA_STATUS_INTERNAL);
  CHECK(check_contains(aura_error_message(error), "a defect of the engine"));
  CHECK(check_contains(aura_error_message(error), "debug.rs"));
  CHECK(check_equal(aura_error_operation(error), "aura_debug_panic"));
  aura_error_free(error);
  error = NULL;
  aura_engine_free(engine);
  aura_engine_free(healthy);
}

static void cancelling(void) {
  aura_engine *engine = check_open_in_memory();
  aura_cancel *cancel = NULL;
  aura_context *context = NULL;
  aura_context_options options;
  CHECK_OK(aura_cancel_new(&cancel, &error));
  CHECK(aura_context_options_init(&options, sizeof options) == AURA_STATUS_OK);
  options.cancel = cancel;
  CHECK_OK(aura_context_build(engine, NULL, "s", Z, "q", Z, &options, &context, &error));
  aura_context_free(context);
  aura_cancel_trigger(cancel);
  CHECK_FAILS(AURA_STATUS_CANCELLED, NULL,
              aura_context_build(engine, NULL, "s", Z, "q", Z, &options, &context, &error));
  CHECK(context == NULL);
  aura_cancel_free(cancel);
  aura_engine_free(engine);
}

static void files(const char *folder) {
  char path[4096];
  aura_engine *engine = NULL;
  aura_buffer *buffer = NULL;

  /* What was recorded is there when the file is opened again. */
  snprintf(path, sizeof path, "%s/store.db", folder);
  for (int round = 1; round <= 3; round++) {
    CHECK_OK(aura_engine_open(path, Z, NULL, &engine, &error));
    CHECK_OK(aura_session_record_exchange(engine, NULL, "s", Z, "a", Z, "b", Z, NULL, &error));
    CHECK_OK(aura_session_turns(engine, NULL, "s", Z, (uint32_t)round - 1, 9, &buffer, &error));
    char wanted[32];
    snprintf(wanted, sizeof wanted, "\"index\":%d", round - 1);
    CHECK(check_contains(aura_buffer_text(buffer), wanted));
    aura_buffer_free(buffer);
    if (round < 3) {
      CHECK_OK(aura_engine_close(engine, &error));
    }
    aura_engine_free(engine);
  }

  snprintf(path, sizeof path, "%s/letter.db", folder);
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL);
  if (file != NULL) {
    for (int line = 0; line < 500; line++) {
      fputs("Dear reader, this is a letter and no database.\n", file);
    }
    fclose(file);
  }
  CHECK_FAILS(AURA_STATUS_CORRUPT, "path", aura_engine_open(path, Z, NULL, &engine, &error));
  CHECK(engine == NULL);

  snprintf(path, sizeof path, "%s/no/such/folder/store.db", folder);
  CHECK_FAILS(AURA_STATUS_UNAVAILABLE, "path", aura_engine_open(path, Z, NULL, &engine, &error));
  CHECK(engine == NULL);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: lifecycle FOLDER\n");
    return 2;
  }
  closing();
  panicking();
  cancelling();
  files(argv[1]);
  return check_end();
}
