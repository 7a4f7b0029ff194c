/* Reading manifests that are stored. */
#include "addon.h"

#define TEXT(at) text_lend(&self->texts[at])

/* texts: request id */
static aura_status read(op *self) {
  aura_principal who;
  aura_str id = TEXT(0);
  return aura_manifest_read(op_engine(self), op_principal(self, &who), id.ptr, id.len, &self->buffer, &self->error);
}

/* texts: query */
static aura_status list(op *self) {
  aura_principal who;
  aura_str query = TEXT(0);
  return aura_manifest_list(op_engine(self), op_principal(self, &who), query.ptr, query.len, &self->buffer,
                            &self->error);
}

/* texts: request id, block */
static aura_status explain(op *self) {
  aura_principal who;
  aura_str id = TEXT(0), block = TEXT(1);
  return aura_manifest_explain(op_engine(self), op_principal(self, &who), id.ptr, id.len, block.ptr, block.len,
                               &self->buffer, &self->error);
}

int manifest_define(napi_env env, napi_value exports) {
  static const op_kind KINDS[] = {
      {"manifestRead", read, give_json},
      {"manifestList", list, give_json},
      {"manifestExplain", explain, give_json},
  };
  return ops_define(env, exports, KINDS, sizeof KINDS / sizeof *KINDS);
}
