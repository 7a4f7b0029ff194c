/* Records a short conversation, compiles the context for a question, and prints what was compiled and why.
 *
 * cc example.c -laura -o example && ./example [FILE]
 *
 * Without FILE the conversation is kept in memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aura.h"

static const char *const SESSION = "demo";

/** Ends the program when a call failed; `error` is where the call put its error, or NULL. */
static void must(aura_status status, aura_error **error) {
  if (status == AURA_STATUS_OK) {
    return;
  }
  aura_str operation = aura_error_operation(error ? *error : NULL);
  aura_str message = aura_error_message(error ? *error : NULL);
  fprintf(stderr, "%s: %.*s: %.*s\n", aura_status_name(status), (int)operation.len, operation.ptr,
          (int)message.len, message.ptr);
  aura_error_free(error ? *error : NULL);
  exit(1);
}

static void say(const aura_engine *engine, const char *user, const char *assistant) {
  aura_error *error = NULL;
  must(aura_session_record_exchange(engine, NULL, SESSION, SIZE_MAX, user, SIZE_MAX, assistant,
                                    SIZE_MAX, NULL, &error),
       &error);
}

/** The sentence at the end of an explanation. */
static aura_str sentence(aura_str json) {
  static const char key[] = "\"sentence\":\"";
  size_t len = sizeof key - 1;
  for (size_t at = json.len; at >= len; at--) {
    if (memcmp(json.ptr + at - len, key, len) == 0) {
      aura_str found = {json.ptr + at, json.len - at - strlen("\"}")};
      return found;
    }
  }
  return json;
}

/** Prints the messages, and for each event shown in them why it came in. */
static void show(const aura_context *context) {
  static const char *const roles[] = {"system", "user", "assistant", "tool"};
  aura_context_view view;
  must(aura_context_describe(context, &view, sizeof view), NULL);
  for (size_t i = 0; i < view.row_count; i++) {
    aura_message message;
    must(aura_context_message(context, i, &message, sizeof message), NULL);
    printf("%-9s (%" PRIu32 " tokens) %.*s\n", roles[message.role], message.tokens,
           (int)message.content.len, message.content.ptr ? message.content.ptr : "");
    for (size_t n = 0; n < message.events_count; n++) {
      char block[32];
      aura_buffer *answer = NULL;
      aura_error *error = NULL;
      snprintf(block, sizeof block, "event:%" PRIu64, message.events[n]);
      must(aura_context_explain(context, block, SIZE_MAX, &answer, &error), &error);
      aura_str why = sentence(aura_buffer_text(answer));
      printf("            why: %.*s\n", (int)why.len, why.ptr);
      aura_buffer_free(answer);
    }
  }
  printf("%" PRIu32 " tokens of a budget of %" PRIu32 "; the whole history would take %" PRIu64 "\n",
         view.tokens, view.budget, view.history_tokens);
}

int main(int argc, char **argv) {
  aura_error *error = NULL;

  aura_engine_options options;
  must(aura_engine_options_init(&options, sizeof options), NULL);
  options.storage = argc > 1 ? AURA_STORAGE_SQLITE : AURA_STORAGE_MEMORY;
  aura_engine *engine = NULL;
  must(aura_engine_open(argc > 1 ? argv[1] : NULL, argc > 1 ? SIZE_MAX : 0, &options, &engine,
                        &error),
       &error);

  say(engine, "I live in Oslo and I have two cats, Miso and Nori.", "What lovely names!");
  say(engine, "Can you recommend a book about fjords?", "Try a history of the Norwegian coast.");
  say(engine, "I just moved to Berlin.", "Welcome to Berlin!");
  say(engine, "Which museums are open on Mondays?", "Several on the Museum Island are.");

  aura_policy *policy = NULL;
  must(aura_policy_new("{\"token_budget\": 600, \"recency_turns\": 1}", SIZE_MAX, &policy, &error),
       &error);
  aura_context_options asked;
  must(aura_context_options_init(&asked, sizeof asked), NULL);
  asked.policy = policy;
  asked.system = aura_cstr("You are a helpful assistant.");
  const char *question = "Where do I live now, and what are my cats called?";
  aura_context *context = NULL;
  must(aura_context_build(engine, NULL, SESSION, SIZE_MAX, question, SIZE_MAX, &asked, &context,
                          &error),
       &error);
  show(context);

  aura_context_free(context);
  aura_policy_free(policy);
  must(aura_engine_close(engine, &error), &error);
  aura_engine_free(engine);
  return aura_debug_live(AURA_KIND_ALL) == 0 ? 0 : 1;
}
