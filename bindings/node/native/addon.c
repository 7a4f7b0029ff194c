/* The module: every thread of JavaScript that loads it gets functions of its own. */
#include "addon.h"

int calls_define(napi_env env, napi_value exports, const call *calls, size_t count) {
  for (size_t i = 0; i < count; i++) {
    napi_value function;
    if (napi_create_function(env, calls[i].name, NAPI_AUTO_LENGTH, calls[i].run, NULL, &function) != napi_ok ||
        napi_set_named_property(env, exports, calls[i].name, function) != napi_ok) {
      return 0;
    }
  }
  return 1;
}

static napi_value version(napi_env env, napi_callback_info info) {
  (void)info;
  return string_of(env, aura_cstr(aura_version()));
}

static napi_value abi_version(napi_env env, napi_callback_info info) {
  napi_value pair = NULL;
  (void)info;
  if (napi_create_object(env, &pair) != napi_ok || !set_number(env, pair, "library", aura_abi_version()) ||
      !set_number(env, pair, "header", AURA_ABI_VERSION)) {
    return NULL;
  }
  return pair;
}

static napi_value status_name(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument;
  int32_t status = 0;
  if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != napi_ok ||
      napi_get_value_int32(env, argument, &status) != napi_ok) {
    napi_throw_type_error(env, NULL, "a status is a number");
    return NULL;
  }
  return string_of(env, aura_cstr(aura_status_name(status)));
}

static napi_value debug_live(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument;
  uint32_t kind = 0;
  napi_value live = NULL;
  if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != napi_ok ||
      napi_get_value_uint32(env, argument, &kind) != napi_ok) {
    napi_throw_type_error(env, NULL, "a kind is a number");
    return NULL;
  }
  napi_create_double(env, (double)aura_debug_live(kind), &live);
  return live;
}

NAPI_MODULE_INIT() {
  static const call CALLS[] = {
      {"version", version},
      {"abiVersion", abi_version},
      {"statusName", status_name},
      {"debugLive", debug_live},
  };
  int defined = calls_define(env, exports, CALLS, sizeof CALLS / sizeof *CALLS) && engine_define(env, exports) &&
                session_define(env, exports) && context_define(env, exports) && manifest_define(env, exports) &&
                policy_define(env, exports) && policy_version_define(env, exports);
  return defined ? exports : NULL;
}
