/* Operations: what may wait runs on a worker thread and settles a promise. */
#include <stdlib.h>

#include "addon.h"

const aura_engine *op_engine(const op *self) { return self->engine != NULL ? self->engine->object : NULL; }

const aura_principal *op_principal(const op *self, aura_principal *out) {
  if (!self->has_principal) {
    return NULL;
  }
  aura_principal_init(out, sizeof *out);
  out->tenant = text_lend(&self->principal[0]);
  out->agent = text_lend(&self->principal[1]);
  out->user = text_lend(&self->principal[2]);
  out->labels_json = text_lend(&self->principal[3]);
  return out;
}

static void op_free(op *self) {
  box_release(self->engine);
  box_release(self->policy);
  box_release(self->cancel);
  for (size_t i = 0; i < 4; i++) {
    text_free(&self->principal[i]);
  }
  for (size_t i = 0; i < TEXTS; i++) {
    text_free(&self->texts[i]);
  }
  aura_error_free(self->error);
  aura_engine_free(self->opened);
  aura_turn_free(self->turn);
  aura_context_free(self->context);
  aura_buffer_free(self->buffer);
  aura_buffer_free(self->second);
  free(self);
}

static void execute(napi_env env, void *data) {
  op *self = data;
  (void)env;
  self->status = self->kind->run(self);
}

/* Takes the exception that is pending, to reject with it. */
static napi_value pending(napi_env env) {
  napi_value exception = NULL;
  bool is_pending = false;
  napi_is_exception_pending(env, &is_pending);
  if (is_pending) {
    napi_get_and_clear_last_exception(env, &exception);
  }
  if (exception == NULL) {
    napi_get_undefined(env, &exception);
  }
  return exception;
}

static void settle(napi_env env, napi_status how, op *self) {
  napi_value value = NULL;
  if (how != napi_ok) {
    self->status = AURA_STATUS_CANCELLED;
  }
  if (self->status != AURA_STATUS_OK) {
    aura_error *error = self->error;
    self->error = NULL;
    value = error_of(env, self->status, error);
    napi_reject_deferred(env, self->deferred, value != NULL ? value : pending(env));
    return;
  }
  if (self->kind->give == NULL) {
    napi_get_undefined(env, &value);
  } else {
    value = self->kind->give(env, self);
  }
  if (value != NULL) {
    napi_resolve_deferred(env, self->deferred, value);
  } else {
    napi_reject_deferred(env, self->deferred, pending(env));
  }
}

/* Where JavaScript has ended meanwhile (a terminated worker), settling fails, and all is freed just the same. */
static void complete(napi_env env, napi_status how, void *data) {
  op *self = data;
  napi_handle_scope scope;
  if (napi_open_handle_scope(env, &scope) == napi_ok) {
    settle(env, how, self);
    napi_close_handle_scope(env, scope);
  }
  napi_delete_async_work(env, self->work);
  op_free(self);
}

static int copy_list(napi_env env, napi_value list, text *out, uint32_t most) {
  uint32_t count = 0;
  if (napi_get_array_length(env, list, &count) != napi_ok || count > most) {
    napi_throw_type_error(env, NULL, "the texts must be an array that is not too long");
    return 0;
  }
  for (uint32_t i = 0; i < count; i++) {
    napi_value entry;
    if (napi_get_element(env, list, i, &entry) != napi_ok || !text_copy(env, entry, &out[i])) {
      return 0;
    }
  }
  return 1;
}

static int copy_numbers(napi_env env, napi_value list, uint64_t *out) {
  uint32_t count = 0;
  if (napi_get_array_length(env, list, &count) != napi_ok || count > NUMBERS) {
    napi_throw_type_error(env, NULL, "the numbers must be an array that is not too long");
    return 0;
  }
  for (uint32_t i = 0; i < count; i++) {
    napi_value entry;
    int64_t number = 0;
    if (napi_get_element(env, list, i, &entry) != napi_ok ||
        napi_get_value_int64(env, entry, &number) != napi_ok || number < 0) {
      napi_throw_type_error(env, NULL, "a number must not be negative");
      return 0;
    }
    out[i] = (uint64_t)number;
  }
  return 1;
}

static box *held(napi_env env, const box_kind *kind, napi_value value) {
  return box_retain(box_of(env, kind, value));
}

static int fill(napi_env env, napi_value *arguments, op *self) {
  bool is_list = false;
  bool is_pending = false;
  self->engine = held(env, &ENGINE, arguments[0]);
  self->policy = held(env, &POLICY, arguments[1]);
  self->cancel = held(env, &CANCEL, arguments[2]);
  napi_is_exception_pending(env, &is_pending);
  if (is_pending) {
    return 0;
  }
  napi_is_array(env, arguments[3], &is_list);
  self->has_principal = is_list;
  if (is_list && !copy_list(env, arguments[3], self->principal, 4)) {
    return 0;
  }
  return copy_list(env, arguments[4], self->texts, TEXTS) && copy_numbers(env, arguments[5], self->numbers);
}

static napi_value start(napi_env env, napi_callback_info info) {
  size_t count = 6;
  napi_value arguments[6];
  void *kind = NULL;
  napi_value promise = NULL;
  napi_value name;
  op *self = calloc(1, sizeof *self);
  if (self == NULL) {
    napi_throw_error(env, NULL, "out of memory");
    return NULL;
  }
  if (napi_get_cb_info(env, info, &count, arguments, NULL, &kind) != napi_ok || !fill(env, arguments, self)) {
    op_free(self);
    return NULL;
  }
  self->kind = kind;
  if (napi_create_promise(env, &self->deferred, &promise) != napi_ok ||
      napi_create_string_utf8(env, self->kind->name, NAPI_AUTO_LENGTH, &name) != napi_ok ||
      napi_create_async_work(env, NULL, name, execute, complete, self, &self->work) != napi_ok) {
    op_free(self);
    return NULL;
  }
  if (napi_queue_async_work(env, self->work) != napi_ok) {
    napi_delete_async_work(env, self->work);
    op_free(self);
    napi_throw_error(env, NULL, "the work cannot be queued");
    return NULL;
  }
  return promise;
}

int ops_define(napi_env env, napi_value exports, const op_kind *kinds, size_t count) {
  for (size_t i = 0; i < count; i++) {
    napi_value function;
    if (napi_create_function(env, kinds[i].name, NAPI_AUTO_LENGTH, start, (void *)(uintptr_t)&kinds[i], &function) !=
            napi_ok ||
        napi_set_named_property(env, exports, kinds[i].name, function) != napi_ok) {
      return 0;
    }
  }
  return 1;
}

napi_value give_json(napi_env env, op *self) { return string_of(env, aura_buffer_text(self->buffer)); }

napi_value give_turn(napi_env env, op *self) {
  aura_turn_view view;
  napi_value turn = NULL;
  if (aura_turn_describe(self->turn, &view, sizeof view) != AURA_STATUS_OK ||
      napi_create_object(env, &turn) != napi_ok || !set_string(env, turn, "turnId", view.turn_id) ||
      !set_number(env, turn, "index", view.index) || !set_number(env, turn, "status", view.status) ||
      !set_number(env, turn, "effect", view.effect) ||
      !set_number(env, turn, "firstEvent", (double)view.first_event) ||
      !set_number(env, turn, "lastEvent", (double)view.last_event) ||
      !set_number(env, turn, "messageCount", (double)view.message_count) ||
      !set_number(env, turn, "changeSeq", (double)view.change_seq) ||
      !set_number(env, turn, "recordedAt", (double)view.recorded_at_ms)) {
    return NULL;
  }
  return turn;
}
