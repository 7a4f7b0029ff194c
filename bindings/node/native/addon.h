/* What the files of the addon share: boxes that hold objects of the library, and operations that run on a worker thread. */
#ifndef AURA_ADDON_H
#define AURA_ADDON_H

#define NAPI_VERSION 8
#include <node_api.h>
#include <stdatomic.h>
#include <stdint.h>

#include "aura.h"

enum { TEXTS = 12, NUMBERS = 4 };

/* An object of the library. JavaScript holds one reference, and each operation that uses it another. */
typedef struct box {
  atomic_int references;
  void *object;
  const struct box_kind *kind;
} box;

typedef struct box_kind {
  napi_type_tag tag;
  void (*free)(void *object);
} box_kind;

extern const box_kind ENGINE, POLICY, CANCEL, CONTEXT;

/* Gives a JavaScript object that owns `object`; on failure `object` is freed, an exception is pending, and NULL comes back. */
napi_value box_wrap(napi_env env, const box_kind *kind, void *object);
/* The box of a JavaScript object; NULL where the value is null or undefined, or something else (an exception is then pending). */
box *box_of(napi_env env, const box_kind *kind, napi_value value);
box *box_retain(box *held);
void box_release(box *held);

/* Text that was copied out of JavaScript; `ptr` NULL where there was none. */
typedef struct text {
  char *ptr;
  size_t len;
} text;

aura_str text_lend(const text *held);
/* 0 when the value is neither a string nor null nor undefined; an exception is then pending. */
int text_copy(napi_env env, napi_value value, text *out);
void text_free(text *held);

typedef struct op op;

/* What JavaScript may ask for. `run` is on a worker thread, `give` makes the result on the thread of JavaScript. */
typedef struct op_kind {
  const char *name;
  aura_status (*run)(op *self);
  napi_value (*give)(napi_env env, op *self);
} op_kind;

struct op {
  const op_kind *kind;
  napi_async_work work;
  napi_deferred deferred;
  box *engine;
  box *policy;
  box *cancel;
  int has_principal;
  text principal[4];
  text texts[TEXTS];
  uint64_t numbers[NUMBERS];
  aura_status status;
  aura_error *error;
  aura_engine *opened;
  aura_turn *turn;
  aura_context *context;
  aura_buffer *buffer;
  aura_buffer *second;
};

/* The engine of an operation; NULL where it has none. */
const aura_engine *op_engine(const op *self);
/* The principal of an operation, written to `out`; NULL where it has none. */
const aura_principal *op_principal(const op *self, aura_principal *out);

napi_value give_turn(napi_env env, op *self);
napi_value give_json(napi_env env, op *self);

/* Adds `name(engine, policy, cancel, principal, texts, numbers)` to `exports` for each kind. */
int ops_define(napi_env env, napi_value exports, const op_kind *kinds, size_t count);

typedef struct call {
  const char *name;
  napi_callback run;
} call;

int calls_define(napi_env env, napi_value exports, const call *calls, size_t count);

/* A string of JavaScript; NULL with an exception pending when it is too long for it. */
napi_value string_of(napi_env env, aura_str given);
int set_string(napi_env env, napi_value object, const char *name, aura_str given);
int set_number(napi_env env, napi_value object, const char *name, double number);
/* What an error says, as a plain object. Frees the error. */
napi_value error_of(napi_env env, aura_status status, aura_error *error);
/* Throws what an error says. Frees the error. */
void error_throw(napi_env env, aura_status status, aura_error *error);

int engine_define(napi_env env, napi_value exports);
int session_define(napi_env env, napi_value exports);
int context_define(napi_env env, napi_value exports);
int manifest_define(napi_env env, napi_value exports);
int policy_define(napi_env env, napi_value exports);
int policy_version_define(napi_env env, napi_value exports);

#endif
