/* Engines, policies, tokens to cancel with, and what the library says of itself. */
#include "aura_jni.h"

#include <stdlib.h>

NATIVE(jbyteArray, version) {
  (void)owner;
  return bytes_of(env, aura_cstr(aura_version()));
}

NATIVE(jint, abiVersion) {
  (void)env;
  (void)owner;
  return (jint)aura_abi_version();
}

NATIVE(jint, headerVersion) {
  (void)env;
  (void)owner;
  return AURA_ABI_VERSION;
}

NATIVE(jbyteArray, statusName, jint status) {
  (void)owner;
  return bytes_of(env, aura_cstr(aura_status_name(status)));
}

NATIVE(jlong, debugLive, jint kind) {
  (void)env;
  (void)owner;
  return (jlong)aura_debug_live((uint32_t)kind);
}

/* texts: path, language, token_counter; numbers: storage, durability, body_cache_bytes, sessions */
NATIVE(jlong, engineOpen, jobjectArray texts, jlongArray numbers) {
  arguments given;
  aura_engine *engine = NULL;
  aura_error *error = NULL;
  aura_engine_options options;
  (void)owner;
  if (!arguments_load(env, NULL, texts, numbers, &given)) {
    return 0;
  }
  aura_engine_options_init(&options, sizeof options);
  options.storage = (uint32_t)given.numbers[0];
  options.durability = (uint32_t)given.numbers[1];
  options.body_cache_bytes = given.numbers[2];
  options.sessions = given.numbers[3];
  options.language = lent(&given.texts[1]);
  options.token_counter = lent(&given.texts[2]);
  aura_str path = lent(&given.texts[0]);
  aura_status status = aura_engine_open(path.ptr, path.len, &options, &engine, &error);
  arguments_free(&given);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
  }
  return NUMBER(engine);
}

NATIVE(void, engineFlush, jlong engine, jlong timeout) {
  aura_error *error = NULL;
  (void)owner;
  aura_status status = aura_engine_flush(HANDLE(aura_engine, engine), (uint64_t)timeout, &error);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
  }
}

NATIVE(void, engineClose, jlong engine) {
  aura_error *error = NULL;
  (void)owner;
  aura_status status = aura_engine_close(HANDLE(aura_engine, engine), &error);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
  }
}

NATIVE(void, enginePanic, jlong engine) {
  aura_error *error = NULL;
  (void)owner;
  aura_status status = aura_debug_panic(HANDLE(aura_engine, engine), &error);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
  }
}

NATIVE(void, engineFree, jlong engine) {
  (void)env;
  (void)owner;
  aura_engine_free(HANDLE(aura_engine, engine));
}

NATIVE(jlong, policyNew, jbyteArray json) {
  text given;
  aura_policy *policy = NULL;
  aura_error *error = NULL;
  (void)owner;
  if (!text_copy(env, json, &given)) {
    free(given.ptr);
    return 0;
  }
  aura_str text = lent(&given);
  aura_status status = aura_policy_new(text.ptr, text.len, &policy, &error);
  free(given.ptr);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
  }
  return NUMBER(policy);
}

NATIVE(jbyteArray, policyJson, jlong policy) {
  aura_buffer *buffer = NULL;
  aura_error *error = NULL;
  (void)owner;
  aura_status status = aura_policy_json(HANDLE(aura_policy, policy), &buffer, &error);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
    return NULL;
  }
  return bytes_of_buffer(env, buffer);
}

NATIVE(void, policyFree, jlong policy) {
  (void)env;
  (void)owner;
  aura_policy_free(HANDLE(aura_policy, policy));
}

NATIVE(jlong, cancelNew) {
  aura_cancel *cancel = NULL;
  aura_error *error = NULL;
  (void)owner;
  aura_status status = aura_cancel_new(&cancel, &error);
  if (status != AURA_STATUS_OK) {
    raise(env, status, error);
  }
  return NUMBER(cancel);
}

NATIVE(void, cancelTrigger, jlong cancel) {
  (void)env;
  (void)owner;
  aura_cancel_trigger(HANDLE(aura_cancel, cancel));
}

NATIVE(void, cancelFree, jlong cancel) {
  (void)env;
  (void)owner;
  aura_cancel_free(HANDLE(aura_cancel, cancel));
}
