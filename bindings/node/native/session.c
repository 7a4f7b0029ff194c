/* Recording turns and reading sessions. The first text is the session's id, but for `sessionList`. */
#include "addon.h"

#define TEXT(at) text_lend(&self->texts[at])

/* texts: session, user, assistant */
static aura_status record_exchange(op *self) {
  aura_principal who;
  aura_str id = TEXT(0), user = TEXT(1), assistant = TEXT(2);
  return aura_session_record_exchange(op_engine(self), op_principal(self, &who), id.ptr, id.len, user.ptr, user.len,
                                      assistant.ptr, assistant.len, &self->turn, &self->error);
}

/* texts: session, messages, turn_id, parent, requests; numbers: status */
static aura_status record_turn(op *self) {
  aura_principal who;
  aura_turn_options options;
  aura_str id = TEXT(0), messages = TEXT(1);
  aura_turn_options_init(&options, sizeof options);
  options.turn_id = TEXT(2);
  options.parent = TEXT(3);
  options.requests_json = TEXT(4);
  options.status = (uint32_t)self->numbers[0];
  return aura_session_record_turn(op_engine(self), op_principal(self, &who), id.ptr, id.len, messages.ptr,
                                  messages.len, &options, &self->turn, &self->error);
}

/* texts: session, turn_id; numbers: status */
static aura_status finish_turn(op *self) {
  aura_principal who;
  aura_str id = TEXT(0), turn = TEXT(1);
  return aura_session_finish_turn(op_engine(self), op_principal(self, &who), id.ptr, id.len, turn.ptr, turn.len,
                                  (uint32_t)self->numbers[0], &self->turn, &self->error);
}

/* texts: session, turn_id */
static aura_status set_head(op *self) {
  aura_principal who;
  aura_str id = TEXT(0), turn = TEXT(1);
  return aura_session_set_head(op_engine(self), op_principal(self, &who), id.ptr, id.len, turn.ptr, turn.len,
                               &self->error);
}

/* texts: query */
static aura_status list(op *self) {
  aura_principal who;
  aura_str query = TEXT(0);
  return aura_session_list(op_engine(self), op_principal(self, &who), query.ptr, query.len, &self->buffer,
                           &self->error);
}

static aura_status describe(op *self) {
  aura_principal who;
  aura_str id = TEXT(0);
  return aura_session_describe(op_engine(self), op_principal(self, &who), id.ptr, id.len, &self->buffer,
                               &self->error);
}

/* numbers: first index, limit */
static aura_status turns(op *self) {
  aura_principal who;
  aura_str id = TEXT(0);
  return aura_session_turns(op_engine(self), op_principal(self, &who), id.ptr, id.len, (uint32_t)self->numbers[0],
                            (size_t)self->numbers[1], &self->buffer, &self->error);
}

/* numbers: first event, last event */
static aura_status messages(op *self) {
  aura_principal who;
  aura_str id = TEXT(0);
  return aura_session_messages(op_engine(self), op_principal(self, &who), id.ptr, id.len, self->numbers[0],
                               self->numbers[1], &self->buffer, &self->error);
}

/* texts: session, as_of */
static aura_status facts(op *self) {
  aura_principal who;
  aura_str id = TEXT(0), as_of = TEXT(1);
  return aura_session_facts(op_engine(self), op_principal(self, &who), id.ptr, id.len, as_of.ptr, as_of.len,
                            &self->buffer, &self->error);
}

int session_define(napi_env env, napi_value exports) {
  static const op_kind KINDS[] = {
      {"sessionRecordExchange", record_exchange, give_turn},
      {"sessionRecordTurn", record_turn, give_turn},
      {"sessionFinishTurn", finish_turn, give_turn},
      {"sessionSetHead", set_head, NULL},
      {"sessionList", list, give_json},
      {"sessionDescribe", describe, give_json},
      {"sessionTurns", turns, give_json},
      {"sessionMessages", messages, give_json},
      {"sessionFacts", facts, give_json},
  };
  return ops_define(env, exports, KINDS, sizeof KINDS / sizeof *KINDS);
}
