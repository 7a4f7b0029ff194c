/* Opening, flushing and closing an engine. */
#include "addon.h"

/* texts: path, language, token_counter; numbers: storage, durability, body_cache_bytes, sessions */
static aura_status open(op *self) {
  aura_engine_options options;
  aura_engine_options_init(&options, sizeof options);
  options.storage = (uint32_t)self->numbers[0];
  options.durability = (uint32_t)self->numbers[1];
  options.body_cache_bytes = self->numbers[2];
  options.sessions = self->numbers[3];
  options.language = text_lend(&self->texts[1]);
  options.token_counter = text_lend(&self->texts[2]);
  aura_str path = text_lend(&self->texts[0]);
  return aura_engine_open(path.ptr, path.len, &options, &self->opened, &self->error);
}

static napi_value give_engine(napi_env env, op *self) {
  aura_engine *opened = self->opened;
  self->opened = NULL;
  return box_wrap(env, &ENGINE, opened);
}

/* numbers: timeout_ms */
static aura_status flush(op *self) { return aura_engine_flush(op_engine(self), self->numbers[0], &self->error); }

static aura_status close_engine(op *self) { return aura_engine_close(op_engine(self), &self->error); }

static aura_status panic(op *self) { return aura_debug_panic(op_engine(self), &self->error); }

int engine_define(napi_env env, napi_value exports) {
  static const op_kind KINDS[] = {
      {"engineOpen", open, give_engine},
      {"engineFlush", flush, NULL},
      {"engineClose", close_engine, NULL},
      {"debugPanic", panic, NULL},
  };
  return ops_define(env, exports, KINDS, sizeof KINDS / sizeof *KINDS);
}
