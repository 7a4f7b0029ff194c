/* Objects of the library in the hands of JavaScript. */
#include <stdlib.h>

#include "addon.h"

static void free_engine(void *object) { aura_engine_free(object); }
static void free_policy(void *object) { aura_policy_free(object); }
static void free_cancel(void *object) { aura_cancel_free(object); }
static void free_context(void *object) { aura_context_free(object); }

const box_kind ENGINE = {{0x6175726100000001u, 0x656e67696e650000u}, free_engine};
const box_kind POLICY = {{0x6175726100000002u, 0x706f6c6963790000u}, free_policy};
const box_kind CANCEL = {{0x6175726100000003u, 0x63616e63656c0000u}, free_cancel};
const box_kind CONTEXT = {{0x6175726100000004u, 0x636f6e7465787400u}, free_context};

box *box_retain(box *held) {
  if (held != NULL) {
    atomic_fetch_add_explicit(&held->references, 1, memory_order_relaxed);
  }
  return held;
}

void box_release(box *held) {
  if (held != NULL && atomic_fetch_sub_explicit(&held->references, 1, memory_order_acq_rel) == 1) {
    held->kind->free(held->object);
    free(held);
  }
}

static void collected(napi_env env, void *data, void *hint) {
  (void)env;
  (void)hint;
  box_release(data);
}

napi_value box_wrap(napi_env env, const box_kind *kind, void *object) {
  napi_value wrapper = NULL;
  box *made = malloc(sizeof *made);
  if (made == NULL) {
    kind->free(object);
    napi_throw_error(env, NULL, "out of memory");
    return NULL;
  }
  atomic_init(&made->references, 1);
  made->object = object;
  made->kind = kind;
  if (napi_create_object(env, &wrapper) != napi_ok || napi_type_tag_object(env, wrapper, &kind->tag) != napi_ok ||
      napi_wrap(env, wrapper, made, collected, NULL, NULL) != napi_ok) {
    box_release(made);
    return NULL;
  }
  return wrapper;
}

box *box_of(napi_env env, const box_kind *kind, napi_value value) {
  napi_valuetype type = napi_undefined;
  bool is_ours = false;
  void *found = NULL;
  napi_typeof(env, value, &type);
  if (type == napi_null || type == napi_undefined) {
    return NULL;
  }
  if (type != napi_object || napi_check_object_type_tag(env, value, &kind->tag, &is_ours) != napi_ok || !is_ours ||
      napi_unwrap(env, value, &found) != napi_ok) {
    napi_throw_type_error(env, NULL, "an object of another kind was given");
    return NULL;
  }
  return found;
}
