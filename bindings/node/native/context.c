/* Compiling contexts, reading them, and checking the bodies of requests. */
#include "addon.h"

#define TEXT(at) text_lend(&self->texts[at])

/* texts: session, question, turn_id, head, system, tools, blocks, correlation_id, agent_version, workflow_stage;
   numbers: deadline_ms, provider */
static aura_status build(op *self) {
  aura_principal who;
  aura_context_options options;
  aura_str id = TEXT(0), question = TEXT(1);
  aura_context_options_init(&options, sizeof options);
  options.policy = self->policy != NULL ? self->policy->object : NULL;
  options.cancel = self->cancel != NULL ? self->cancel->object : NULL;
  options.turn_id = TEXT(2);
  options.head = TEXT(3);
  options.system = TEXT(4);
  options.tools_json = TEXT(5);
  options.blocks_json = TEXT(6);
  options.correlation_id = TEXT(7);
  options.agent_version = TEXT(8);
  options.workflow_stage = TEXT(9);
  options.deadline_ms = self->numbers[0];
  options.provider = (uint32_t)self->numbers[1];
  return aura_context_build(op_engine(self), op_principal(self, &who), id.ptr, id.len, question.ptr, question.len,
                            &options, &self->context, &self->error);
}

static napi_value give_context(napi_env env, op *self) {
  aura_context *made = self->context;
  self->context = NULL;
  return box_wrap(env, &CONTEXT, made);
}

/* texts: request; numbers: provider */
static aura_status verify(op *self) {
  aura_str request = TEXT(0);
  return aura_verify((uint32_t)self->numbers[0], request.ptr, request.len, &self->buffer, &self->error);
}

static aura_status repair(op *self) {
  aura_str request = TEXT(0);
  return aura_repair((uint32_t)self->numbers[0], request.ptr, request.len, &self->buffer, &self->second,
                     &self->error);
}

static napi_value give_repaired(napi_env env, op *self) {
  napi_value pair;
  if (napi_create_object(env, &pair) != napi_ok ||
      !set_string(env, pair, "request", aura_buffer_text(self->buffer)) ||
      !set_string(env, pair, "repairs", aura_buffer_text(self->second))) {
    return NULL;
  }
  return pair;
}

/* The context that a function was called with, and its second argument. */
static const aura_context *context_of(napi_env env, napi_callback_info info, napi_value *second) {
  size_t count = 2;
  napi_value arguments[2];
  box *held;
  if (napi_get_cb_info(env, info, &count, arguments, NULL, NULL) != napi_ok) {
    return NULL;
  }
  held = box_of(env, &CONTEXT, arguments[0]);
  *second = arguments[1];
  if (held == NULL) {
    bool pending = false;
    napi_is_exception_pending(env, &pending);
    if (!pending) {
      napi_throw_type_error(env, NULL, "no context was given");
    }
    return NULL;
  }
  return held->object;
}

static napi_value view_of(napi_env env, napi_callback_info info) {
  napi_value second, object, block;
  aura_context_view view;
  void *copied;
  const aura_context *context = context_of(env, info, &second);
  if (context == NULL || aura_context_describe(context, &view, sizeof view) != AURA_STATUS_OK) {
    return NULL;
  }
  /* The block is copied whole; JavaScript reads the rows from the copy. */
  if (napi_create_object(env, &object) != napi_ok ||
      napi_create_buffer_copy(env, view.block_len, view.block, &copied, &block) != napi_ok ||
      napi_set_named_property(env, object, "block", block) != napi_ok ||
      !set_number(env, object, "rowCount", (double)view.row_count) ||
      !set_number(env, object, "rowSize", (double)view.row_size) ||
      !set_number(env, object, "bytesOff", (double)view.bytes_off) ||
      !set_string(env, object, "requestId", view.request_id) || !set_string(env, object, "turnId", view.turn_id) ||
      !set_number(env, object, "historyTokens", (double)view.history_tokens) ||
      !set_number(env, object, "tokens", view.tokens) || !set_number(env, object, "budget", view.budget) ||
      !set_number(env, object, "overBudget", view.over_budget) ||
      !set_number(env, object, "toolTokens", view.tool_tokens) ||
      !set_number(env, object, "outcome", view.outcome) || !set_number(env, object, "readOnly", view.read_only) ||
      !set_number(env, object, "provider", view.provider)) {
    return NULL;
  }
  return object;
}

typedef aura_status (*reader)(const aura_context *, aura_str *, aura_error **);

static napi_value read(napi_env env, napi_callback_info info, reader from) {
  napi_value second;
  aura_str json;
  aura_error *error = NULL;
  const aura_context *context = context_of(env, info, &second);
  if (context == NULL) {
    return NULL;
  }
  aura_status status = from(context, &json, &error);
  if (status != AURA_STATUS_OK) {
    error_throw(env, status, error);
    return NULL;
  }
  return string_of(env, json);
}

static napi_value messages_json(napi_env env, napi_callback_info info) {
  return read(env, info, aura_context_messages_json);
}
static napi_value request_json(napi_env env, napi_callback_info info) {
  return read(env, info, aura_context_request_json);
}
static napi_value tools_json(napi_env env, napi_callback_info info) {
  return read(env, info, aura_context_tools_json);
}
static napi_value manifest_json(napi_env env, napi_callback_info info) {
  return read(env, info, aura_context_manifest_json);
}

static napi_value explain(napi_env env, napi_callback_info info) {
  napi_value second, answer;
  text block = {NULL, 0};
  aura_buffer *buffer = NULL;
  aura_error *error = NULL;
  const aura_context *context = context_of(env, info, &second);
  if (context == NULL || !text_copy(env, second, &block)) {
    return NULL;
  }
  aura_status status = aura_context_explain(context, block.ptr, block.len, &buffer, &error);
  text_free(&block);
  if (status != AURA_STATUS_OK) {
    error_throw(env, status, error);
    return NULL;
  }
  answer = string_of(env, aura_buffer_text(buffer));
  aura_buffer_free(buffer);
  return answer;
}

int context_define(napi_env env, napi_value exports) {
  static const op_kind KINDS[] = {
      {"contextBuild", build, give_context},
      {"verify", verify, give_json},
      {"repair", repair, give_repaired},
  };
  static const call CALLS[] = {
      {"contextView", view_of},           {"contextMessagesJson", messages_json},
      {"contextRequestJson", request_json}, {"contextToolsJson", tools_json},
      {"contextManifestJson", manifest_json}, {"contextExplain", explain},
  };
  return ops_define(env, exports, KINDS, sizeof KINDS / sizeof *KINDS) &&
         calls_define(env, exports, CALLS, sizeof CALLS / sizeof *CALLS);
}
