/* Texts on their way in and out. */
#include <stdlib.h>

#include "addon.h"

aura_str text_lend(const text *held) {
  aura_str lent;
  lent.ptr = held->ptr;
  lent.len = held->ptr != NULL ? held->len : 0;
  return lent;
}

int text_copy(napi_env env, napi_value value, text *out) {
  napi_valuetype type = napi_undefined;
  napi_typeof(env, value, &type);
  if (type == napi_null || type == napi_undefined) {
    return 1;
  }
  if (napi_get_value_string_utf8(env, value, NULL, 0, &out->len) != napi_ok) {
    napi_throw_type_error(env, NULL, "a text must be a string");
    return 0;
  }
  out->ptr = malloc(out->len + 1);
  if (out->ptr == NULL) {
    napi_throw_error(env, NULL, "out of memory");
    return 0;
  }
  return napi_get_value_string_utf8(env, value, out->ptr, out->len + 1, &out->len) == napi_ok;
}

void text_free(text *held) {
  free(held->ptr);
  held->ptr = NULL;
}

napi_value string_of(napi_env env, aura_str given) {
  napi_value made = NULL;
  /* SIZE_MAX stands for a text that ends with a NUL, as it does for Node. */
  if (napi_create_string_utf8(env, given.ptr != NULL ? given.ptr : "", given.len, &made) != napi_ok) {
    bool pending = false;
    napi_is_exception_pending(env, &pending);
    if (!pending) {
      napi_throw_range_error(env, NULL, "the text is longer than a string can be");
    }
    return NULL;
  }
  return made;
}

int set_string(napi_env env, napi_value object, const char *name, aura_str given) {
  napi_value value = NULL;
  if (given.ptr == NULL) {
    return napi_get_null(env, &value) == napi_ok && napi_set_named_property(env, object, name, value) == napi_ok;
  }
  value = string_of(env, given);
  return value != NULL && napi_set_named_property(env, object, name, value) == napi_ok;
}

int set_number(napi_env env, napi_value object, const char *name, double number) {
  napi_value value;
  return napi_create_double(env, number, &value) == napi_ok &&
         napi_set_named_property(env, object, name, value) == napi_ok;
}

static int set_causes(napi_env env, napi_value object, const aura_error *error) {
  napi_value causes;
  if (napi_create_array(env, &causes) != napi_ok) {
    return 0;
  }
  for (uint32_t i = 0;; i++) {
    aura_str cause = aura_error_cause(error, i);
    napi_value text;
    if (cause.ptr == NULL) {
      return napi_set_named_property(env, object, "causes", causes) == napi_ok;
    }
    text = string_of(env, cause);
    if (text == NULL || napi_set_element(env, causes, i, text) != napi_ok) {
      return 0;
    }
  }
}

napi_value error_of(napi_env env, aura_status status, aura_error *error) {
  napi_value object = NULL;
  int whole = napi_create_object(env, &object) == napi_ok && set_number(env, object, "status", (double)status) &&
              set_string(env, object, "message", aura_error_message(error)) &&
              set_string(env, object, "operation", aura_error_operation(error)) &&
              set_string(env, object, "field", aura_error_field(error)) &&
              set_string(env, object, "context", aura_error_context(error)) && set_causes(env, object, error);
  aura_error_free(error);
  return whole ? object : NULL;
}

void error_throw(napi_env env, aura_status status, aura_error *error) {
  napi_value object = error_of(env, status, error);
  if (object != NULL) {
    napi_throw(env, object);
  }
}
