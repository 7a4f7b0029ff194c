/* What the helpers in the Go files share. A helper makes one call and gives status, error and result together, so that no
 * pointer to Go memory is stored in C memory. Texts are borrowed for the call. */
#ifndef AURA_GO_SHIM_H
#define AURA_GO_SHIM_H

#include <stdlib.h>

#include "include/aura.h"

#define PTR(text) _GoStringPtr(text), _GoStringLen(text)
#define ENGINE const aura_engine *engine
#define WHO int has_who, _GoString_ tenant, _GoString_ agent, _GoString_ user, _GoString_ labels
#define ASKED (has_who ? go_who(&who, lent(tenant), lent(agent), lent(user), lent(labels)) : NULL)

typedef struct {
  aura_status status;
  aura_error *error;
} go_done;

typedef struct {
  aura_status status;
  aura_error *error;
  aura_buffer *buffer;
  aura_buffer *second;
} go_json;

typedef struct {
  aura_status status;
  aura_error *error;
  aura_turn *turn;
} go_turn;

#define lent(text) go_lend(_GoStringPtr(text), _GoStringLen(text))

static inline aura_str go_lend(const char *ptr, size_t len) {
  aura_str text = {len ? ptr : NULL, len};
  return text;
}

static inline const aura_principal *go_who(aura_principal *who, aura_str tenant, aura_str agent, aura_str user,
                                           aura_str labels) {
  aura_principal_init(who, sizeof *who);
  who->tenant = tenant;
  who->agent = agent;
  who->user = user;
  who->labels_json = labels;
  return who;
}

/* A helper that reads JSON: its name, the call, and its parameters beside engine and principal. */
#define READ(name, call, ...)                      \
  static go_json name(ENGINE, WHO, __VA_ARGS__) {   \
    go_json read = {AURA_STATUS_OK, NULL, NULL, NULL}; \
    aura_principal who;                             \
    read.status = call;                             \
    return read;                                    \
  }

#endif
