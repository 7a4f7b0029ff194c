/* Policies and tokens to cancel with: nothing here waits. */
#include <stdlib.h>

#include "addon.h"

static int argument(napi_env env, napi_callback_info info, napi_value *out) {
  size_t count = 1;
  return napi_get_cb_info(env, info, &count, out, NULL, NULL) == napi_ok;
}

static napi_value policy_new(napi_env env, napi_callback_info info) {
  napi_value given;
  text json = {NULL, 0};
  aura_policy *policy = NULL;
  aura_error *error = NULL;
  if (!argument(env, info, &given) || !text_copy(env, given, &json)) {
    return NULL;
  }
  aura_status status = aura_policy_new(json.ptr, json.ptr != NULL ? json.len : 0, &policy, &error);
  text_free(&json);
  if (status != AURA_STATUS_OK) {
    error_throw(env, status, error);
    return NULL;
  }
  return box_wrap(env, &POLICY, policy);
}

static napi_value policy_json(napi_env env, napi_callback_info info) {
  napi_value given, text = NULL;
  aura_buffer *buffer = NULL;
  aura_error *error = NULL;
  if (!argument(env, info, &given)) {
    return NULL;
  }
  box *held = box_of(env, &POLICY, given);
  if (held == NULL) {
    return NULL;
  }
  aura_status status = aura_policy_json(held->object, &buffer, &error);
  if (status != AURA_STATUS_OK) {
    error_throw(env, status, error);
    return NULL;
  }
  text = string_of(env, aura_buffer_text(buffer));
  aura_buffer_free(buffer);
  return text;
}

static napi_value cancel_new(napi_env env, napi_callback_info info) {
  aura_cancel *cancel = NULL;
  aura_error *error = NULL;
  (void)info;
  aura_status status = aura_cancel_new(&cancel, &error);
  if (status != AURA_STATUS_OK) {
    error_throw(env, status, error);
    return NULL;
  }
  return box_wrap(env, &CANCEL, cancel);
}

static napi_value cancel_trigger(napi_env env, napi_callback_info info) {
  napi_value given;
  box *held = argument(env, info, &given) ? box_of(env, &CANCEL, given) : NULL;
  if (held != NULL) {
    aura_cancel_trigger(held->object);
  }
  return NULL;
}

int policy_define(napi_env env, napi_value exports) {
  static const call CALLS[] = {
      {"policyNew", policy_new},
      {"policyJson", policy_json},
      {"cancelNew", cancel_new},
      {"cancelTrigger", cancel_trigger},
  };
  return calls_define(env, exports, CALLS, sizeof CALLS / sizeof *CALLS);
}
