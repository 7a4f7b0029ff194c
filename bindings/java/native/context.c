/* Contexts, and the bodies of requests. */
#include "aura_jni.h"

#include <stdlib.h>

#define TEXT(at) lent(&given.texts[at])

/* texts: session, question, turn_id, head, system, tools, blocks, correlation_id, agent_version, workflow_stage;
   numbers: deadline_ms, provider */
NATIVE(jlong, contextBuild, jlong engine, jobjectArray who, jobjectArray texts, jlongArray numbers, jlong policy,
       jlong cancel) {
  arguments given;
  aura_context *context = NULL;
  aura_error *error = NULL;
  aura_context_options options;
  (void)owner;
  if (!arguments_load(env, who, texts, numbers, &given)) {
    return 0;
  }
  aura_context_options_init(&options, sizeof options);
  options.policy = HANDLE(aura_policy, policy);
  options.cancel = HANDLE(aura_cancel, cancel);
  options.turn_id = TEXT(2);
  options.head = TEXT(3);
  options.system = TEXT(4);
  options.tools_json = TEXT(5);
  options.blocks_json = TEXT(6);
  options.correlation_id = TEXT(7);
  options.agent_version = TEXT(8);
  options.workflow_stage = TEXT(9);
  options.deadline_ms = given.numbers[0];
  options.provider = (uint32_t)given.numbers[1];
  aura_str id = TEXT(0), question = TEXT(1);
  aura_status status = aura_context_build(HANDLE(aura_engine, engine), given.asked, id.ptr, id.len, question.ptr,
                                          question.len, &options, &context, &error);
  arguments_free(&given);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
  }
  return NUMBER(context);
}

NATIVE(void, contextFree, jlong context) {
  (void)env;
  (void)owner;
  aura_context_free(HANDLE(aura_context, context));
}

/* The block of the rows, copied whole; numbers go to `out`, request and turn id to `ids`. */
NATIVE(jbyteArray, contextView, jlong context, jlongArray out, jobjectArray ids) {
  aura_context_view view;
  (void)owner;
  if (aura_context_describe(HANDLE(aura_context, context), &view, sizeof view) != AURA_STATUS_OK) {
    return NULL;
  }
  jlong numbers[11] = {(jlong)view.row_count, (jlong)view.row_size, (jlong)view.bytes_off,
                       (jlong)view.history_tokens, view.tokens, view.budget, view.over_budget, view.tool_tokens,
                       view.outcome, view.read_only, view.provider};
  (*env)->SetLongArrayRegion(env, out, 0, 11, numbers);
  if ((*env)->ExceptionCheck(env)) {
    return NULL;
  }
  aura_str texts[2] = {view.request_id, view.turn_id};
  for (jsize i = 0; i < 2; i++) {
    jbyteArray text = bytes_of(env, texts[i]);
    if (text == NULL) {
      return NULL;
    }
    (*env)->SetObjectArrayElement(env, ids, i, text);
    if ((*env)->ExceptionCheck(env)) {
      return NULL;
    }
  }
  aura_str block = {(const char *)view.block, view.block_len};
  return bytes_of(env, block);
}

/* which: 0 messages, 1 request, 2 tools, 3 manifest */
NATIVE(jbyteArray, contextJson, jlong context, jint which) {
  const aura_context *from = HANDLE(aura_context, context);
  aura_str json = {NULL, 0};
  aura_error *error = NULL;
  aura_status status;
  (void)owner;
  switch (which) {
    case 0:
      status = aura_context_messages_json(from, &json, &error);
      break;
    case 1:
      status = aura_context_request_json(from, &json, &error);
      break;
    case 2:
      status = aura_context_tools_json(from, &json, &error);
      break;
    default:
      status = aura_context_manifest_json(from, &json, &error);
      break;
  }
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
    return NULL;
  }
  return bytes_of(env, json);
}

NATIVE(jbyteArray, contextExplain, jlong context, jbyteArray block) {
  text given;
  aura_buffer *buffer = NULL;
  aura_error *error = NULL;
  (void)owner;
  if (!text_copy(env, block, &given)) {
    free(given.ptr);
    return NULL;
  }
  aura_status status = aura_context_explain(HANDLE(aura_context, context), given.ptr, given.len, &buffer, &error);
  free(given.ptr);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
    return NULL;
  }
  return bytes_of_buffer(env, buffer);
}

NATIVE(jbyteArray, verify, jint provider, jbyteArray request) {
  text given;
  aura_buffer *buffer = NULL;
  aura_error *error = NULL;
  (void)owner;
  if (!text_copy(env, request, &given)) {
    free(given.ptr);
    return NULL;
  }
  aura_status status = aura_verify((uint32_t)provider, given.ptr, given.len, &buffer, &error);
  free(given.ptr);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
    return NULL;
  }
  return bytes_of_buffer(env, buffer);
}

/* What was done goes to the first place of `repairs`. */
NATIVE(jbyteArray, repair, jint provider, jbyteArray request, jobjectArray repairs) {
  text given;
  aura_buffer *buffer = NULL, *done = NULL;
  aura_error *error = NULL;
  (void)owner;
  if (!text_copy(env, request, &given)) {
    free(given.ptr);
    return NULL;
  }
  aura_status status = aura_repair((uint32_t)provider, given.ptr, given.len, &buffer, &done, &error);
  free(given.ptr);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
    return NULL;
  }
  jbyteArray text = bytes_of_buffer(env, done);
  if (text == NULL) {
    aura_buffer_free(buffer);
    return NULL;
  }
  (*env)->SetObjectArrayElement(env, repairs, 0, text);
  if ((*env)->ExceptionCheck(env)) {
    aura_buffer_free(buffer);
    return NULL;
  }
  return bytes_of_buffer(env, buffer);
}
