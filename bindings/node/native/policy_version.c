/* Versions of the tenant's policies, and artifacts. */
#include "addon.h"

#define TEXT(at) text_lend(&self->texts[at])

/* texts: proposal */
static aura_status propose(op *self) {
  aura_principal who;
  aura_str proposal = TEXT(0);
  return aura_policy_version_propose(op_engine(self), op_principal(self, &who), proposal.ptr, proposal.len,
                                     &self->buffer, &self->error);
}

/* texts: subject, version */
static aura_status approve(op *self) {
  aura_principal who;
  aura_str subject = TEXT(0), version = TEXT(1);
  return aura_policy_version_approve(op_engine(self), op_principal(self, &who), subject.ptr, subject.len, version.ptr,
                                     version.len, &self->buffer, &self->error);
}

/* texts: query */
static aura_status list(op *self) {
  aura_principal who;
  aura_str query = TEXT(0);
  return aura_policy_version_list(op_engine(self), op_principal(self, &who), query.ptr, query.len, &self->buffer,
                                  &self->error);
}

/* texts: handle */
static aura_status artifact(op *self) {
  aura_principal who;
  aura_str handle = TEXT(0);
  return aura_artifact_read(op_engine(self), op_principal(self, &who), handle.ptr, handle.len, &self->buffer,
                            &self->error);
}

static napi_value give_bytes(napi_env env, op *self) {
  napi_value bytes = NULL;
  void *copied;
  aura_str read = aura_buffer_text(self->buffer);
  if (napi_create_buffer_copy(env, read.ptr != NULL ? read.len : 0, read.ptr, &copied, &bytes) != napi_ok) {
    return NULL;
  }
  return bytes;
}

int policy_version_define(napi_env env, napi_value exports) {
  static const op_kind KINDS[] = {
      {"policyVersionPropose", propose, give_json},
      {"policyVersionApprove", approve, give_json},
      {"policyVersionList", list, give_json},
      {"artifactRead", artifact, give_bytes},
  };
  return ops_define(env, exports, KINDS, sizeof KINDS / sizeof *KINDS);
}
