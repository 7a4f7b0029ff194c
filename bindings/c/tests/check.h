/* Checks for the tests: a failed one is printed and counted, and the program goes on. */
#ifndef CHECK_H
#define CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aura.h"

static int check_failures;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      check_failures++;                                                        \
    }                                                                          \
  } while (0)

/* A call that succeeds; `error` is the variable whose address it was given. */
#define CHECK_OK(call) check_call(__FILE__, __LINE__, #call, (call), &error, AURA_STATUS_OK, NULL)

/* A call that fails with a status and an error that names a field (NULL: none). */
#define CHECK_FAILS(status, field, call) \
  check_call(__FILE__, __LINE__, #call, (call), &error, (status), (field))

static inline int check_equal(aura_str text, const char *wanted) {
  size_t len = strlen(wanted);
  return text.len == len && (len == 0 || memcmp(text.ptr, wanted, len) == 0);
}

static inline int check_contains(aura_str text, const char *wanted) {
  size_t len = strlen(wanted);
  for (size_t at = 0; at + len <= text.len; at++) {
    if (memcmp(text.ptr + at, wanted, len) == 0) {
      return 1;
    }
  }
  return 0;
}

static inline void check_call(const char *file, int line, const char *call, aura_status status,
                              aura_error **error, aura_status wanted, const char *field) {
  aura_str message = aura_error_message(*error);
  aura_str named = aura_error_field(*error);
  int good = status == wanted && aura_error_status(*error) == wanted;
  if (wanted == AURA_STATUS_OK) {
    good = good && *error == NULL;
  } else {
    good = good && *error != NULL && message.len > 0 && aura_error_operation(*error).len > 0;
    good = good && (field ? check_equal(named, field) : named.ptr == NULL);
  }
  if (!good) {
    fprintf(stderr, "%s:%d: %s\n  gave %s, field %.*s: %.*s\n  wanted %s, field %s\n", file, line,
            call, aura_status_name(status), (int)named.len, named.ptr ? named.ptr : "",
            (int)message.len, message.ptr ? message.ptr : "", aura_status_name(wanted),
            field ? field : "(none)");
    check_failures++;
  }
  aura_error_free(*error);
  *error = NULL;
}

static inline aura_engine *check_open_in_memory(void) {
  aura_engine_options options;
  aura_engine *engine = NULL;
  aura_error *error = NULL;
  CHECK(aura_engine_options_init(&options, sizeof options) == AURA_STATUS_OK);
  options.storage = AURA_STORAGE_MEMORY;
  CHECK_OK(aura_engine_open(NULL, 0, &options, &engine, &error));
  if (engine == NULL) {
    exit(1);
  }
  return engine;
}

/* The exit code: whether every check held and nothing is left alive. */
static inline int check_end(void) {
  for (uint32_t kind = AURA_KIND_ALL; kind <= AURA_KIND_ERROR; kind++) {
    size_t live = aura_debug_live(kind);
    if (live != 0) {
      fprintf(stderr, "%" PRIu32 ": %zu objects of this kind are left\n", kind, live);
      check_failures++;
    }
  }
  if (check_failures > 0) {
    fprintf(stderr, "%d checks failed\n", check_failures);
    return 1;
  }
  return 0;
}

#endif
