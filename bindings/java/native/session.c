/* Recording turns, and what is read as JSON. */
#include "aura_jni.h"

#define TEXT(at) lent(&given.texts[at])

/* The turn's id; its numbers go to `out`. */
static jbyteArray turn_of(JNIEnv *env, aura_turn *turn, jlongArray out) {
  aura_turn_view view;
  jbyteArray id = NULL;
  if (aura_turn_describe(turn, &view, sizeof view) == AURA_STATUS_OK) {
    jlong numbers[8] = {view.index,
                        view.status,
                        view.effect,
                        (jlong)view.first_event,
                        (jlong)view.last_event,
                        (jlong)view.message_count,
                        (jlong)view.change_seq,
                        view.recorded_at_ms};
    (*env)->SetLongArrayRegion(env, out, 0, 8, numbers);
    if (!(*env)->ExceptionCheck(env)) {
      id = bytes_of(env, view.turn_id);
    }
  }
  aura_turn_free(turn);
  return id;
}

/* A native method that gives a turn: its name, and the call that fills `turn`. */
#define TURN(name, call)                                                                                         \
  NATIVE(jbyteArray, name, jlong engine, jobjectArray who, jobjectArray texts, jlongArray numbers, jlongArray out) { \
    arguments given;                                                                                              \
    aura_turn *turn = NULL;                                                                                       \
    aura_error *error = NULL;                                                                                     \
    (void)owner;                                                                                                  \
    if (!arguments_load(env, who, texts, numbers, &given)) {                                                      \
      return NULL;                                                                                                \
    }                                                                                                             \
    const aura_engine *on = HANDLE(aura_engine, engine);                                                          \
    aura_str id = TEXT(0);                                                                                        \
    aura_status status = call;                                                                                    \
    arguments_free(&given);                                                                                       \
    if (status != AURA_STATUS_OK) {                                                                               \
      raise(env, status, error);                                                                                  \
      return NULL;                                                                                                \
    }                                                                                                             \
    return turn_of(env, turn, out);                                                                               \
  }

/* A native method that gives JSON or bytes: its name, and the call that fills `buffer`. `first` and `second` are texts. */
#define READ(name, call)                                                                                  \
  NATIVE(jbyteArray, name, jlong engine, jobjectArray who, jobjectArray texts, jlongArray numbers) {       \
    arguments given;                                                                                       \
    aura_buffer *buffer = NULL;                                                                            \
    aura_error *error = NULL;                                                                              \
    (void)owner;                                                                                           \
    if (!arguments_load(env, who, texts, numbers, &given)) {                                               \
      return NULL;                                                                                         \
    }                                                                                                      \
    const aura_engine *on = HANDLE(aura_engine, engine);                                                   \
    aura_str first = TEXT(0), second = TEXT(1);                                                            \
    (void)second;                                                                                          \
    aura_status status = call;                                                                             \
    arguments_free(&given);                                                                                \
    if (status != AURA_STATUS_OK) {                                                                        \
      raise(env, status, error);                                                                           \
      return NULL;                                                                                         \
    }                                                                                                      \
    return bytes_of_buffer(env, buffer);                                                                   \
  }

#define ASK on, given.asked

/* texts: session, messages, turn_id, parent, requests; numbers: status */
static aura_status record_turn(const aura_engine *on, arguments *from, aura_turn **turn, aura_error **error) {
  aura_turn_options options;
  aura_turn_options_init(&options, sizeof options);
  options.turn_id = lent(&from->texts[2]);
  options.parent = lent(&from->texts[3]);
  options.requests_json = lent(&from->texts[4]);
  options.status = (uint32_t)from->numbers[0];
  aura_str id = lent(&from->texts[0]), messages = lent(&from->texts[1]);
  return aura_session_record_turn(on, from->asked, id.ptr, id.len, messages.ptr, messages.len, &options, turn, error);
}

/* texts: session, user, assistant */
TURN(recordExchange, aura_session_record_exchange(ASK, id.ptr, id.len, TEXT(1).ptr, TEXT(1).len, TEXT(2).ptr,
                                                  TEXT(2).len, &turn, &error))
TURN(recordTurn, ((void)id, record_turn(on, &given, &turn, &error)))
/* texts: session, turn_id; numbers: status */
TURN(finishTurn, aura_session_finish_turn(ASK, id.ptr, id.len, TEXT(1).ptr, TEXT(1).len, (uint32_t)given.numbers[0],
                                          &turn, &error))

NATIVE(void, setHead, jlong engine, jobjectArray who, jobjectArray texts) {
  arguments given;
  aura_error *error = NULL;
  (void)owner;
  if (!arguments_load(env, who, texts, NULL, &given)) {
    return;
  }
  aura_str id = TEXT(0), turn = TEXT(1);
  aura_status status = aura_session_set_head(HANDLE(aura_engine, engine), given.asked, id.ptr, id.len, turn.ptr,
                                             turn.len, &error);
  arguments_free(&given);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
  }
}

#define FIRST ASK, first.ptr, first.len
#define BOTH FIRST, second.ptr, second.len

READ(sessionList, aura_session_list(FIRST, &buffer, &error))
READ(sessionDescribe, aura_session_describe(FIRST, &buffer, &error))
READ(sessionTurns, aura_session_turns(FIRST, (uint32_t)given.numbers[0], (size_t)given.numbers[1], &buffer, &error))
READ(sessionMessages, aura_session_messages(FIRST, given.numbers[0], given.numbers[1], &buffer, &error))
READ(sessionFacts, aura_session_facts(BOTH, &buffer, &error))
READ(manifestRead, aura_manifest_read(FIRST, &buffer, &error))
READ(manifestList, aura_manifest_list(FIRST, &buffer, &error))
READ(manifestExplain, aura_manifest_explain(BOTH, &buffer, &error))
READ(policyPropose, aura_policy_version_propose(FIRST, &buffer, &error))
READ(policyApprove, aura_policy_version_approve(BOTH, &buffer, &error))
READ(policyVersions, aura_policy_version_list(FIRST, &buffer, &error))
READ(artifactRead, aura_artifact_read(FIRST, &buffer, &error))
