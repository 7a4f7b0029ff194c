/**
 * @file aura.h
 * The C interface of Aura, a context engine for LLM agents.
 *
 * Made from crates/aura-ffi by `cargo xtask gen`. Do not edit.
 *
 * Ownership  What a function gives through `out` is yours until the matching `_free`, which accepts NULL. What a getter
 *            lends is valid until its owner is freed. Results hold what they need: free things in any order. The
 *            library keeps no memory of yours after a call has returned.
 * Errors     A function that can fail returns an `aura_status`. If `error` is not NULL, NULL is written to it, and an
 *            error object in its place when the call fails; free it with `aura_error_free`. `out` is NULL after a
 *            failure.
 * Texts      UTF-8 by pointer and length; SIZE_MAX as length means NUL-terminated; NULL with length 0 is empty.
 * JSON       In content, the escape of an unpaired surrogate is read as U+FFFD; in an identifier it is refused.
 *            Unknown fields are refused by name.
 * Threads    A function that takes `const T *` may run at the same time as any other on the same object; one that takes
 *            `T *` (the `_free` functions) needs the object for itself. All calls block.
 * Structs    Structs that may grow say their size: `struct_size` comes first in options, and functions that fill a
 *            struct take it as an argument. Always pass sizeof.
 * Panics     None passes the boundary: a defect of the engine is `AURA_STATUS_INTERNAL`, and the engine answers only
 *            that from then on; free it.
 */

#ifndef AURA_H
#define AURA_H

#include <stddef.h>
#include <stdint.h>

/** Version of the library that this header came with. */
#define AURA_VERSION "0.1.0"
/** First part of `AURA_VERSION`. */
#define AURA_VERSION_MAJOR 0
/** Second part of `AURA_VERSION`. */
#define AURA_VERSION_MINOR 1
/** Third part of `AURA_VERSION`. */
#define AURA_VERSION_PATCH 0

/** What stands before every function; define `AURA_STATIC` on Windows to link the static library. */
#ifndef AURA_API
#  if defined(_WIN32) && !defined(AURA_STATIC)
#    define AURA_API __declspec(dllimport)
#  else
#    define AURA_API
#  endif
#endif

/**
 * Version of the interface that this header describes: major × 1000 + minor. A library serves every header of the
 * same major whose minor is not larger than its own.
 */
#define AURA_ABI_VERSION 1

/**
 * How a call ended. The numbers are permanent; new ones may be added. Each calls for one reaction.
 */
enum aura_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Success.
   */
  AURA_STATUS_OK = 0,
  /**
   * An argument is wrong; the error names it. Correct the call.
   */
  AURA_STATUS_INVALID = 1,
  /**
   * What was asked for does not exist (any more).
   */
  AURA_STATUS_NOT_FOUND = 2,
  /**
   * The call contradicts what is stored, for example another turn under the same id.
   */
  AURA_STATUS_CONFLICT = 3,
  /**
   * The principal may not do or see this.
   */
  AURA_STATUS_DENIED = 4,
  /**
   * Somebody else holds a lock for longer than the time-out. Retry.
   */
  AURA_STATUS_BUSY = 5,
  /**
   * The engine has been closed.
   */
  AURA_STATUS_CLOSED = 6,
  /**
   * Stored bytes are damaged or of an unknown format.
   */
  AURA_STATUS_CORRUPT = 7,
  /**
   * The environment failed (disk full, file unreadable). Mend it and retry.
   */
  AURA_STATUS_UNAVAILABLE = 8,
  /**
   * A hard limit cannot be kept.
   */
  AURA_STATUS_BUDGET_EXCEEDED = 9,
  /**
   * The caller cancelled, or the deadline passed before anything valid existed.
   */
  AURA_STATUS_CANCELLED = 10,
  /**
   * A callback of the host failed; the error holds its cause.
   */
  AURA_STATUS_CALLBACK = 11,
  /**
   * A defect of the engine. After a panic the engine only answers with this status; free it.
   */
  AURA_STATUS_INTERNAL = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum aura_status aura_status;
#else
typedef int32_t aura_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a write that has returned survives.
 */
enum aura_durability
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The death of the process and the loss of power.
   */
  AURA_DURABILITY_FULL = 0,
  /**
   * The death of the process.
   */
  AURA_DURABILITY_NORMAL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum aura_durability aura_durability;
#else
typedef uint32_t aura_durability;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What recording a turn did.
 */
enum aura_effect
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A new turn was appended.
   */
  AURA_EFFECT_CREATED = 0,
  /**
   * Messages were appended to an open turn, or its status moved.
   */
  AURA_EFFECT_EXTENDED = 1,
  /**
   * All of it was stored before.
   */
  AURA_EFFECT_UNCHANGED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum aura_effect aura_effect;
#else
typedef uint32_t aura_effect;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A kind of object, for `aura_debug_live`.
 */
enum aura_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Objects of every kind.
   */
  AURA_KIND_ALL = 0,
  /**
   * `aura_engine`
   */
  AURA_KIND_ENGINE = 1,
  /**
   * `aura_policy`
   */
  AURA_KIND_POLICY = 2,
  /**
   * `aura_context`
   */
  AURA_KIND_CONTEXT = 3,
  /**
   * `aura_turn`
   */
  AURA_KIND_TURN = 4,
  /**
   * `aura_cancel`
   */
  AURA_KIND_CANCEL = 5,
  /**
   * `aura_buffer`
   */
  AURA_KIND_BUFFER = 6,
  /**
   * `aura_error`
   */
  AURA_KIND_ERROR = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum aura_kind aura_kind;
#else
typedef uint32_t aura_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a compilation ended.
 */
enum aura_outcome
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * All optional work was done.
   */
  AURA_OUTCOME_COMPLETE = 0,
  /**
   * Valid, but some optional work was skipped.
   */
  AURA_OUTCOME_DEGRADED = 1,
  /**
   * Policy and verified blocks only.
   */
  AURA_OUTCOME_RESTRICTED = 2,
  /**
   * The transcript, after a failure.
   */
  AURA_OUTCOME_FALLBACK = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum aura_outcome aura_outcome;
#else
typedef uint32_t aura_outcome;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The form of `aura_context_messages_json` and `aura_context_request_json`, and whose rules `aura_verify` checks.
 */
enum aura_provider
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Aura's own form, near to what all share.
   */
  AURA_PROVIDER_GENERIC = 0,
  /**
   * OpenAI chat completions.
   */
  AURA_PROVIDER_OPENAI = 1,
  /**
   * The OpenAI Responses API.
   */
  AURA_PROVIDER_OPENAI_RESPONSES = 2,
  /**
   * The Anthropic Messages API.
   */
  AURA_PROVIDER_ANTHROPIC = 3,
  /**
   * The Gemini API.
   */
  AURA_PROVIDER_GEMINI = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum aura_provider aura_provider;
#else
typedef uint32_t aura_provider;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Who speaks in a message.
 */
enum aura_role
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Instructions of the host.
   */
  AURA_ROLE_SYSTEM = 0,
  /**
   * The person who asks.
   */
  AURA_ROLE_USER = 1,
  /**
   * The model.
   */
  AURA_ROLE_ASSISTANT = 2,
  /**
   * A tool's answer.
   */
  AURA_ROLE_TOOL = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum aura_role aura_role;
#else
typedef uint32_t aura_role;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Which part of a context a message is.
 */
enum aura_section
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * System prompt and policy.
   */
  AURA_SECTION_SYSTEM = 0,
  /**
   * Turns shown as they were.
   */
  AURA_SECTION_HISTORY = 1,
  /**
   * What was recalled, facts and evidence, as data on the user's side.
   */
  AURA_SECTION_EVIDENCE = 2,
  /**
   * The question.
   */
  AURA_SECTION_QUESTION = 3,
  /**
   * What followed the question in the open turn.
   */
  AURA_SECTION_TAIL = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum aura_section aura_section;
#else
typedef uint32_t aura_section;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where an engine keeps what it records.
 */
enum aura_storage
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * In a SQLite file, which is made if it is absent.
   */
  AURA_STORAGE_SQLITE = 0,
  /**
   * In memory, gone when the engine is freed.
   */
  AURA_STORAGE_MEMORY = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum aura_storage aura_storage;
#else
typedef uint32_t aura_storage;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where a turn stands.
 */
enum aura_turn_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Ended well: feeds facts and recall.
   */
  AURA_TURN_STATUS_COMPLETE = 0,
  /**
   * More messages may follow.
   */
  AURA_TURN_STATUS_OPEN = 1,
  /**
   * Ended badly: feeds nothing, and no turn follows it by default.
   */
  AURA_TURN_STATUS_FAILED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum aura_turn_status aura_turn_status;
#else
typedef uint32_t aura_turn_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Bytes that the library made, mostly JSON. Immutable; free with `aura_buffer_free`.
 */
typedef struct aura_buffer aura_buffer;

/**
 * Stops the calls that were given it. May be shared between threads and freed while such a call runs.
 */
typedef struct aura_cancel aura_cancel;

/**
 * The messages and tools for one model call, and the manifest that accounts for them. Immutable, may be read from any
 * thread, outlives its engine; free with `aura_context_free`.
 */
typedef struct aura_context aura_context;

/**
 * An engine on one store. Every function that takes `const aura_engine *` may be called from any thread at any time;
 * only `aura_engine_free` needs the engine for itself.
 */
typedef struct aura_engine aura_engine;

/**
 * What went wrong. Immutable, may be read from any thread; free with `aura_error_free`. Its texts never hold stored
 * text.
 */
typedef struct aura_error aura_error;

/**
 * How a context is compiled. Immutable, may be shared between threads and engines; free with `aura_policy_free`, also
 * while a call that was given it runs.
 */
typedef struct aura_policy aura_policy;

/**
 * A turn as it was recorded. Immutable; free with `aura_turn_free`.
 */
typedef struct aura_turn aura_turn;

/**
 * UTF-8 text by pointer and length. From the library: borrowed, not NUL-terminated, `ptr` NULL where there is none.
 * To the library: `len` may be SIZE_MAX for a NUL-terminated text, and `ptr` NULL with `len` 0 is empty.
 */
typedef struct aura_str {
  /**
   * The first byte, or NULL.
   */
  const char *ptr;
  /**
   * How many bytes.
   */
  size_t len;
} aura_str;

/**
 * Who is asking. NULL stands for the default agent of the default tenant, and so do empty fields.
 */
typedef struct aura_principal {
  /**
   * sizeof(aura_principal) as the caller was compiled with it; set by `aura_principal_init`.
   */
  size_t struct_size;
  /**
   * The isolation boundary; empty is `default`.
   */
  struct aura_str tenant;
  /**
   * The agent that asks; empty is `default`.
   */
  struct aura_str agent;
  /**
   * The user on whose behalf it asks; empty is none.
   */
  struct aura_str user;
  /**
   * The labels it holds, as a JSON array of strings; empty is none.
   */
  struct aura_str labels_json;
} aura_principal;

/**
 * Options of `aura_context_build`. Fill with `aura_context_options_init`, then change what you need; 0 is the default.
 */
typedef struct aura_context_options {
  /**
   * sizeof(aura_context_options) as the caller was compiled with it; set by `aura_context_options_init`.
   */
  size_t struct_size;
  /**
   * How to compile; NULL for the default policy.
   */
  const struct aura_policy *policy;
  /**
   * Stops the call from another thread; NULL for nothing.
   */
  const struct aura_cancel *cancel;
  /**
   * The turn the context is for; empty makes an id. If that turn is open, its first user message is the question.
   */
  struct aura_str turn_id;
  /**
   * The id of the turn whose ancestors, itself included, are visible; empty is the head of the session.
   */
  struct aura_str head;
  /**
   * The system prompt; empty is none.
   */
  struct aura_str system;
  /**
   * The tools to offer, as a JSON array of `{"name", "description", "parameters"}`; empty is none.
   */
  struct aura_str tools_json;
  /**
   * More blocks of the host, as a JSON array of `{"block_id", "kind", "payload", …}`, where the payload is one of
   * `{"text": …}`, `{"tool_result": {"tool", "is_error", "text"}}`, `{"artifact": handle}` and, with the kind
   * `policy`, `{"policy": {"subject", "version"}}`; empty is none. `docs/blocks.md` has all fields.
   */
  struct aura_str blocks_json;
  /**
   * What joins the manifest with the host's logs; empty is none.
   */
  struct aura_str correlation_id;
  /**
   * The host's agent version, for the manifest; empty is none.
   */
  struct aura_str agent_version;
  /**
   * The host's workflow stage, for the manifest; empty is none.
   */
  struct aura_str workflow_stage;
  /**
   * How long the call may take, in milliseconds; past it optional work is skipped. 0 is no limit.
   */
  uint64_t deadline_ms;
  /**
   * An `aura_provider`.
   */
  uint32_t provider;
  /**
   * Must be 0.
   */
  uint32_t reserved;
} aura_context_options;

/**
 * One message of a context, by `aura_context_message`. All pointers are valid until the context is freed.
 */
typedef struct aura_message {
  /**
   * An `aura_role`.
   */
  uint32_t role;
  /**
   * An `aura_section`.
   */
  uint32_t section;
  /**
   * Its tokens, overhead included.
   */
  uint32_t tokens;
  /**
   * 1 when a tool message reports a failure, else 0.
   */
  uint32_t is_error;
  /**
   * The speaker's name; NULL when it has none.
   */
  struct aura_str name;
  /**
   * The text; NULL where the message only calls tools.
   */
  struct aura_str content;
  /**
   * A JSON object of what else the message has: `tool_calls`, `media`, `native`; NULL when there is nothing.
   */
  struct aura_str extra_json;
  /**
   * The id of the call that a tool message answers; NULL otherwise.
   */
  struct aura_str tool_call_id;
  /**
   * The ids of the events shown in it.
   */
  const uint64_t *events;
  /**
   * How many events.
   */
  size_t events_count;
} aura_message;

/**
 * A context, by `aura_context_describe`. All pointers are valid until the context is freed.
 */
typedef struct aura_context_view {
  /**
   * The messages in one block, to copy whole: first the rows, then their bytes. Aligned to 8.
   */
  const uint8_t *block;
  /**
   * Bytes of the block.
   */
  size_t block_len;
  /**
   * How many messages.
   */
  size_t row_count;
  /**
   * Bytes from one row (`aura_message_row`) to the next.
   */
  size_t row_size;
  /**
   * Where in the block the bytes begin that the offsets of the rows count from.
   */
  size_t bytes_off;
  /**
   * This compilation, by which its manifest is found and a recorded turn says what it answers.
   */
  struct aura_str request_id;
  /**
   * The turn the context is for.
   */
  struct aura_str turn_id;
  /**
   * What the whole visible history with the same question would take, in tokens.
   */
  uint64_t history_tokens;
  /**
   * What the context takes, in tokens: system text, tools, messages, overhead.
   */
  uint32_t tokens;
  /**
   * What it may take, in tokens.
   */
  uint32_t budget;
  /**
   * By how many tokens it exceeds the budget; 0 when it does not.
   */
  uint32_t over_budget;
  /**
   * What the tools take of `tokens`.
   */
  uint32_t tool_tokens;
  /**
   * An `aura_outcome`.
   */
  uint32_t outcome;
  /**
   * 1 when the model should take no action on it, else 0.
   */
  uint32_t read_only;
  /**
   * An `aura_provider`.
   */
  uint32_t provider;
  /**
   * 0.
   */
  uint32_t reserved;
} aura_context_view;

/**
 * Options of `aura_engine_open`. Fill with `aura_engine_options_init`, then change what you need; 0 is the default.
 */
typedef struct aura_engine_options {
  /**
   * sizeof(aura_engine_options) as the caller was compiled with it; set by `aura_engine_options_init`.
   */
  size_t struct_size;
  /**
   * An `aura_storage`.
   */
  uint32_t storage;
  /**
   * An `aura_durability`; of no effect in memory.
   */
  uint32_t durability;
  /**
   * Language of most sessions, by its ISO 639-1 code, for stemming and stop words; empty is `en`, and `und` none.
   */
  struct aura_str language;
  /**
   * What counts tokens: `o200k_base`, `cl100k_base` or `chars/4`; empty is `o200k_base`.
   */
  struct aura_str token_counter;
  /**
   * How many bytes of turns are kept in memory for reading, over all sessions; 0 is the engine's own choice.
   */
  uint64_t body_cache_bytes;
  /**
   * How many sessions are kept ready in memory; 0 is the engine's own choice.
   */
  uint64_t sessions;
} aura_engine_options;

/**
 * Options of `aura_session_record_turn`. Fill with `aura_turn_options_init`, then change what you need; 0 is the
 * default.
 */
typedef struct aura_turn_options {
  /**
   * sizeof(aura_turn_options) as the caller was compiled with it; set by `aura_turn_options_init`.
   */
  size_t struct_size;
  /**
   * The turn's id, so that a repeated call is recognised; empty makes one.
   */
  struct aura_str turn_id;
  /**
   * The id of the turn it follows; empty is the head of the session.
   */
  struct aura_str parent;
  /**
   * The contexts it answers, as a JSON array of request ids; empty is none.
   */
  struct aura_str requests_json;
  /**
   * An `aura_turn_status`.
   */
  uint32_t status;
  /**
   * Must be 0.
   */
  uint32_t reserved;
} aura_turn_options;

/**
 * A recorded turn, by `aura_turn_describe`.
 */
typedef struct aura_turn_view {
  /**
   * Its id, valid until the turn is freed.
   */
  struct aura_str turn_id;
  /**
   * Its first event; 0 if it has none.
   */
  uint64_t first_event;
  /**
   * Its last event; 0 if it has none.
   */
  uint64_t last_event;
  /**
   * How many messages it has.
   */
  uint64_t message_count;
  /**
   * How many mutations the session had seen with this one.
   */
  uint64_t change_seq;
  /**
   * When it was first recorded, in milliseconds since 1970-01-01T00:00:00Z.
   */
  int64_t recorded_at_ms;
  /**
   * Its number in the session, from 0.
   */
  uint32_t index;
  /**
   * An `aura_turn_status`.
   */
  uint32_t status;
  /**
   * An `aura_effect`.
   */
  uint32_t effect;
  /**
   * 0.
   */
  uint32_t reserved;
} aura_turn_view;

/**
 * One message in the block of a context. Offsets count from `bytes_off` of the view; what is absent has length 0.
 */
typedef struct aura_message_row {
  /**
   * An `aura_role`.
   */
  uint32_t role;
  /**
   * An `aura_section`.
   */
  uint32_t section;
  /**
   * Its tokens, overhead included.
   */
  uint32_t tokens;
  /**
   * 1 when a tool message reports a failure, else 0.
   */
  uint32_t is_error;
  /**
   * Where the speaker's name begins.
   */
  uint32_t name_off;
  /**
   * Bytes of the name.
   */
  uint32_t name_len;
  /**
   * Where the text begins.
   */
  uint32_t content_off;
  /**
   * Bytes of the text.
   */
  uint32_t content_len;
  /**
   * Where the JSON object begins that holds what else the message has: `tool_calls`, `media`, `native`.
   */
  uint32_t extra_off;
  /**
   * Bytes of that JSON.
   */
  uint32_t extra_len;
  /**
   * Where the id of the call begins that a tool message answers.
   */
  uint32_t tool_call_id_off;
  /**
   * Bytes of that id.
   */
  uint32_t tool_call_id_len;
  /**
   * Where the event ids shown in the message begin: `uint64_t` in the machine's byte order, aligned to 8.
   */
  uint32_t events_off;
  /**
   * How many event ids.
   */
  uint32_t events_count;
} aura_message_row;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Version of the loaded library, such as "0.1.0"; never freed. Compare with `AURA_VERSION`.
 */
AURA_API const char *aura_version(void);

/**
 * Version of the interface of the loaded library; compare its major with that of `AURA_ABI_VERSION`.
 */
AURA_API
uint32_t aura_abi_version(void);

/**
 * The bytes of a buffer, valid until it is freed: text, unless the function that made it says otherwise.
 */
AURA_API
struct aura_str aura_buffer_text(const struct aura_buffer *buffer);

/**
 * Frees a buffer; NULL is allowed.
 */
AURA_API void aura_buffer_free(struct aura_buffer *buffer);

/**
 * Reads what a handle stands for, such as `artifact://default/report@1#5d41…`, which a context names where it shows
 * `[kept as …]`. The bytes need not be text.
 * @param principal NULL for the default; it must be of the handle's tenant.
 * @param handle the handle.
 * @param handle_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the bytes.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_artifact_read(const struct aura_engine *engine,
                               const struct aura_principal *principal,
                               const char *handle,
                               size_t handle_len,
                               struct aura_buffer **out,
                               struct aura_error **error);

/**
 * Makes a cancel token; free it with `aura_cancel_free`.
 * @param[out] out the token.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API aura_status aura_cancel_new(struct aura_cancel **out, struct aura_error **error);

/**
 * Stops every call that was given the token, those to come too. Any thread; NULL does nothing.
 */
AURA_API void aura_cancel_trigger(const struct aura_cancel *cancel);

/**
 * Frees a token; NULL is allowed.
 */
AURA_API void aura_cancel_free(struct aura_cancel *cancel);

/**
 * Compiles the context for a question: a list of messages under the policy's token budget that holds what the question
 * needs. No model is called. A session without turns gives a context with just the question.
 * @param principal NULL for the default.
 * @param session_id 1 to 256 bytes of UTF-8.
 * @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param question the question; with an open turn (`options.turn_id`) only what to search by.
 * @param question_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param options NULL for the defaults.
 * @param[out] out the context.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_context_build(const struct aura_engine *engine,
                               const struct aura_principal *principal,
                               const char *session_id,
                               size_t session_id_len,
                               const char *question,
                               size_t question_len,
                               const struct aura_context_options *options,
                               struct aura_context **out,
                               struct aura_error **error);

/**
 * Gives all that the context puts into the body of a request, as a JSON object in the form of the provider that
 * `options.provider` named: messages, tools and, where the provider wants it apart, system text. Add the model and
 * your settings.
 * @param[out] out the JSON, valid until the context is freed.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_context_request_json(const struct aura_context *context,
                                      struct aura_str *out,
                                      struct aura_error **error);

/**
 * Gives the messages in the form of the provider that `options.provider` named, as a JSON array ready to be sent. For
 * Anthropic and Gemini the system prompt is not among them: it stands in `aura_context_request_json`.
 * @param[out] out the JSON, valid until the context is freed.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_context_messages_json(const struct aura_context *context,
                                       struct aura_str *out,
                                       struct aura_error **error);

/**
 * Gives the tools that were admitted in the form of the provider, as a JSON array ready to be sent.
 * @param[out] out the JSON, valid until the context is freed.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_context_tools_json(const struct aura_context *context,
                                    struct aura_str *out,
                                    struct aura_error **error);

/**
 * Gives the manifest: what went in, what stayed out and why, as a JSON object.
 * @param[out] out the JSON, valid until the context is freed.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_context_manifest_json(const struct aura_context *context,
                                       struct aura_str *out,
                                       struct aura_error **error);

/**
 * Says whether a block was a candidate, lost, or won and was cut, as a JSON object with a `sentence`.
 * @param block the block as the manifest names it, such as `event:12`, `turn:3` or `question`.
 * @param block_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the JSON.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_context_explain(const struct aura_context *context,
                                 const char *block,
                                 size_t block_len,
                                 struct aura_buffer **out,
                                 struct aura_error **error);

/**
 * Frees a context; NULL is allowed.
 */
AURA_API void aura_context_free(struct aura_context *context);

/**
 * Gives one message of a context, in the order to be sent.
 * @param index from 0; past the last it is `AURA_STATUS_NOT_FOUND`.
 * @param[out] out the message.
 * @param struct_size sizeof(aura_message) as the caller was compiled with it
 */
AURA_API
aura_status aura_context_message(const struct aura_context *context,
                                 size_t index,
                                 struct aura_message *out,
                                 size_t struct_size);

/**
 * Writes the defaults to `options`.
 * @param struct_size sizeof(aura_context_options)
 */
AURA_API
aura_status aura_context_options_init(struct aura_context_options *options,
                                      size_t struct_size);

/**
 * Checks the body of a request, made by whomever, against the rules of its provider. Needs no engine.
 * @param provider an `aura_provider`; `AURA_PROVIDER_GENERIC` has no rules.
 * @param request the JSON body: an object with `messages`, `input` or `contents`. Where it names a `model`, rules that
 * hold for some models only are checked for that one, else for the newest.
 * @param request_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out a JSON array of `{"rule", "path", "meaning"}`, where `path` is a JSON pointer; `[]` when no rule is
 * broken.
 * @param[out] error NULL, or where an error goes; it names `request` when there is nothing that could be checked.
 */
AURA_API
aura_status aura_verify(uint32_t provider,
                        const char *request,
                        size_t request_len,
                        struct aura_buffer **out,
                        struct aura_error **error);

/**
 * Mends the body of a request so that `aura_verify` finds nothing, with the least loss: what is misplaced is moved, what
 * is missing gets a placeholder, what can neither be moved nor completed is taken out. A body that breaks no rule stays
 * as it is, byte for byte.
 * @param provider as for `aura_verify`.
 * @param request as for `aura_verify`.
 * @param request_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the mended body.
 * @param[out] repairs NULL, or what was done: a JSON array of `{"rule", "path", "did"}`.
 * @param[out] error NULL, or where an error goes; it names `request` when there is nothing that could be mended.
 */
AURA_API
aura_status aura_repair(uint32_t provider,
                        const char *request,
                        size_t request_len,
                        struct aura_buffer **out,
                        struct aura_buffer **repairs,
                        struct aura_error **error);

/**
 * Describes a context.
 * @param[out] out the description.
 * @param struct_size sizeof(aura_context_view) as the caller was compiled with it
 */
AURA_API
aura_status aura_context_describe(const struct aura_context *context,
                                  struct aura_context_view *out,
                                  size_t struct_size);

/**
 * How many objects of a kind (an `aura_kind`) the caller holds; SIZE_MAX for a number that is no kind.
 */
AURA_API
size_t aura_debug_live(uint32_t kind);

/**
 * Panics inside the engine on purpose, so that a binding can test that the process survives: gives
 * `AURA_STATUS_INTERNAL` and leaves an engine that can only be freed.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API aura_status aura_debug_panic(const struct aura_engine *engine, struct aura_error **error);

/**
 * Writes the defaults to `options`.
 * @param struct_size sizeof(aura_engine_options)
 */
AURA_API
aura_status aura_engine_options_init(struct aura_engine_options *options,
                                     size_t struct_size);

/**
 * Opens an engine; close it with `aura_engine_close` and free it with `aura_engine_free`.
 * @param path the SQLite file, in UTF-8; empty for an engine in memory.
 * @param path_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param options NULL for the defaults.
 * @param[out] out the engine.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_engine_open(const char *path,
                             size_t path_len,
                             const struct aura_engine_options *options,
                             struct aura_engine **out,
                             struct aura_error **error);

/**
 * Waits until the work in the background is done (facts taken from recorded turns).
 * @param timeout_ms how long to wait at most; then `AURA_STATUS_BUSY`.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_engine_flush(const struct aura_engine *engine,
                              uint64_t timeout_ms,
                              struct aura_error **error);

/**
 * Refuses new calls with `AURA_STATUS_CLOSED` and waits for those that run; closing again succeeds. What the engine
 * has given out stays valid, and the engine still has to be freed.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_engine_close(const struct aura_engine *engine,
                              struct aura_error **error);

/**
 * Frees an engine, open or closed; NULL is allowed. No other call may be running on it.
 */
AURA_API void aura_engine_free(struct aura_engine *engine);

/**
 * Status of the call that gave this error; `AURA_STATUS_OK` for NULL.
 */
AURA_API aura_status aura_error_status(const struct aura_error *error);

/**
 * What failed, in words for a person; valid until the error is freed.
 */
AURA_API struct aura_str aura_error_message(const struct aura_error *error);

/**
 * The operation that failed; valid until the error is freed.
 */
AURA_API struct aura_str aura_error_operation(const struct aura_error *error);

/**
 * The parameter or field that was wrong, such as `session_id` or `messages[2].role`; NULL when it was none. Valid
 * until the error is freed.
 */
AURA_API
struct aura_str aura_error_field(const struct aura_error *error);

/**
 * What else is known, as a JSON array of `[key, value]` pairs; valid until the error is freed.
 */
AURA_API struct aura_str aura_error_context(const struct aura_error *error);

/**
 * The cause of the error (index 0), the cause of that (index 1) and so on; NULL past the last. Valid until the error
 * is freed.
 */
AURA_API
struct aura_str aura_error_cause(const struct aura_error *error,
                                 size_t index);

/**
 * Frees an error; NULL is allowed.
 */
AURA_API void aura_error_free(struct aura_error *error);

/**
 * Reads the manifest of a context, as a JSON object.
 * @param principal NULL for the default.
 * @param request_id the context's `request_id`.
 * @param request_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the JSON.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_manifest_read(const struct aura_engine *engine,
                               const struct aura_principal *principal,
                               const char *request_id,
                               size_t request_id_len,
                               struct aura_buffer **out,
                               struct aura_error **error);

/**
 * Lists manifests of the principal's tenant, newest first, as a JSON array.
 * @param principal NULL for the default.
 * @param query_json a JSON object, all of it optional: `session_id`, `since`, `until` (times), `limit`; empty lists
 *   the newest 100.
 * @param query_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the JSON.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_manifest_list(const struct aura_engine *engine,
                               const struct aura_principal *principal,
                               const char *query_json,
                               size_t query_json_len,
                               struct aura_buffer **out,
                               struct aura_error **error);

/**
 * Says whether a block was a candidate for a context, lost, or won and was cut, as a JSON object with a `sentence`.
 * @param principal NULL for the default.
 * @param request_id the context's `request_id`.
 * @param request_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param block the block as manifests name it, such as `event:12`, `turn:3` or `question`.
 * @param block_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the JSON.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_manifest_explain(const struct aura_engine *engine,
                                  const struct aura_principal *principal,
                                  const char *request_id,
                                  size_t request_id_len,
                                  const char *block,
                                  size_t block_len,
                                  struct aura_buffer **out,
                                  struct aura_error **error);

/**
 * Reads and checks a policy, such as `{"token_budget": 2000, "recency_turns": 4}`; fields left out have their
 * defaults. An unknown field or a value out of range is `AURA_STATUS_INVALID`, and the error names the field.
 * @param json a JSON object; empty is all defaults.
 * @param json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the policy.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_policy_new(const char *json,
                            size_t json_len,
                            struct aura_policy **out,
                            struct aura_error **error);

/**
 * Gives the whole policy as a JSON object, defaults included.
 * @param[out] out the JSON.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_policy_json(const struct aura_policy *policy,
                             struct aura_buffer **out,
                             struct aura_error **error);

/**
 * Frees a policy; NULL is allowed.
 */
AURA_API void aura_policy_free(struct aura_policy *policy);

/**
 * Keeps a version of a policy of the principal's tenant, signed by the principal. Until `aura_policy_version_approve`
 * approves it no block may claim it. The same proposal again changes nothing; another text under the same version is
 * `AURA_STATUS_CONFLICT`.
 * @param principal NULL for the default.
 * @param proposal_json a JSON object: `subject`, `version`, `text`; optional `authority` (0 to 5, default 5), `source`,
 *   `effective_from`, `expires_at` (times), `labels`.
 * @param proposal_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out what is stored, as a JSON object `{"policy", "proposed", "approved"}`.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_policy_version_propose(const struct aura_engine *engine,
                                        const struct aura_principal *principal,
                                        const char *proposal_json,
                                        size_t proposal_json_len,
                                        struct aura_buffer **out,
                                        struct aura_error **error);

/**
 * Approves a version of a policy, signed by the principal: from then on a block may claim it, and its text opens the
 * system message. Who may call this is yours to decide. Approving again changes nothing.
 * @param principal NULL for the default.
 * @param subject what the policy is about.
 * @param subject_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param version which version.
 * @param version_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out what is stored, as for `aura_policy_version_propose`.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_policy_version_approve(const struct aura_engine *engine,
                                        const struct aura_principal *principal,
                                        const char *subject,
                                        size_t subject_len,
                                        const char *version,
                                        size_t version_len,
                                        struct aura_buffer **out,
                                        struct aura_error **error);

/**
 * Lists the versions of the tenant's policies that the principal may see, by subject, then in the order proposed.
 * @param principal NULL for the default.
 * @param query_json a JSON object, all of it optional: `subject`, `approved_only`, `skip`, `limit`; empty lists the
 *   first 1,000.
 * @param query_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out a JSON array.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_policy_version_list(const struct aura_engine *engine,
                                     const struct aura_principal *principal,
                                     const char *query_json,
                                     size_t query_json_len,
                                     struct aura_buffer **out,
                                     struct aura_error **error);

/**
 * Writes the defaults to `principal`.
 * @param struct_size sizeof(aura_principal)
 */
AURA_API aura_status aura_principal_init(struct aura_principal *principal, size_t struct_size);

/**
 * Records a user's message and the assistant's answer as one complete turn. The session begins with its first turn.
 * @param principal NULL for the default.
 * @param session_id 1 to 256 bytes of UTF-8.
 * @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param user what the user said.
 * @param user_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param assistant what the assistant answered.
 * @param assistant_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the turn; NULL if it is not wanted.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_session_record_exchange(const struct aura_engine *engine,
                                         const struct aura_principal *principal,
                                         const char *session_id,
                                         size_t session_id_len,
                                         const char *user,
                                         size_t user_len,
                                         const char *assistant,
                                         size_t assistant_len,
                                         struct aura_turn **out,
                                         struct aura_error **error);

/**
 * Records messages as a turn, or extends an open turn. With a turn id the call may be repeated: the same messages
 * again change nothing, more messages extend an open turn, and anything else is `AURA_STATUS_CONFLICT`.
 * @param principal NULL for the default.
 * @param session_id 1 to 256 bytes of UTF-8.
 * @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param messages_json all messages of the turn from the first on, as a JSON array such as
 *   `[{"role":"user","text":"Hi"},{"role":"assistant","parts":[{"type":"text","text":"Hello"}]}]`.
 * @param messages_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param options NULL for the defaults.
 * @param[out] out the turn; NULL if it is not wanted.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_session_record_turn(const struct aura_engine *engine,
                                     const struct aura_principal *principal,
                                     const char *session_id,
                                     size_t session_id_len,
                                     const char *messages_json,
                                     size_t messages_json_len,
                                     const struct aura_turn_options *options,
                                     struct aura_turn **out,
                                     struct aura_error **error);

/**
 * Moves an open turn to complete or failed; repeating the call changes nothing.
 * @param principal NULL for the default.
 * @param session_id 1 to 256 bytes of UTF-8.
 * @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param turn_id the turn.
 * @param turn_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param status an `aura_turn_status`, complete or failed.
 * @param[out] out the turn; NULL if it is not wanted.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_session_finish_turn(const struct aura_engine *engine,
                                     const struct aura_principal *principal,
                                     const char *session_id,
                                     size_t session_id_len,
                                     const char *turn_id,
                                     size_t turn_id_len,
                                     uint32_t status,
                                     struct aura_turn **out,
                                     struct aura_error **error);

/**
 * Makes a turn the head of its session: the next turn follows it, and contexts, recall and facts see only it and its
 * ancestors. So a conversation is rewound, or a branch taken up again.
 * @param principal NULL for the default.
 * @param session_id 1 to 256 bytes of UTF-8.
 * @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param turn_id the turn.
 * @param turn_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_session_set_head(const struct aura_engine *engine,
                                  const struct aura_principal *principal,
                                  const char *session_id,
                                  size_t session_id_len,
                                  const char *turn_id,
                                  size_t turn_id_len,
                                  struct aura_error **error);

/**
 * Lists sessions of the principal's tenant in the order of their ids, as a JSON array.
 * @param principal NULL for the default.
 * @param query_json a JSON object, all of it optional: `user`, `agent`, `after` (a session id, for the next page),
 *   `limit`; empty lists the first 1,000.
 * @param query_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the JSON.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_session_list(const struct aura_engine *engine,
                              const struct aura_principal *principal,
                              const char *query_json,
                              size_t query_json_len,
                              struct aura_buffer **out,
                              struct aura_error **error);

/**
 * Describes a session, as a JSON object.
 * @param principal NULL for the default.
 * @param session_id 1 to 256 bytes of UTF-8.
 * @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the JSON.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_session_describe(const struct aura_engine *engine,
                                  const struct aura_principal *principal,
                                  const char *session_id,
                                  size_t session_id_len,
                                  struct aura_buffer **out,
                                  struct aura_error **error);

/**
 * Reads turns with their messages, as a JSON array in the order of their indexes.
 * @param principal NULL for the default.
 * @param session_id 1 to 256 bytes of UTF-8.
 * @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param from the index of the first turn.
 * @param limit how many turns at most.
 * @param[out] out the JSON.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_session_turns(const struct aura_engine *engine,
                               const struct aura_principal *principal,
                               const char *session_id,
                               size_t session_id_len,
                               uint32_t from,
                               size_t limit,
                               struct aura_buffer **out,
                               struct aura_error **error);

/**
 * Reads messages by their event ids, as a JSON array in their order.
 * @param principal NULL for the default.
 * @param session_id 1 to 256 bytes of UTF-8.
 * @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param first_event the first event id, from 1.
 * @param last_event the last event id, itself included.
 * @param[out] out the JSON.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_session_messages(const struct aura_engine *engine,
                                  const struct aura_principal *principal,
                                  const char *session_id,
                                  size_t session_id_len,
                                  uint64_t first_event,
                                  uint64_t last_event,
                                  struct aura_buffer **out,
                                  struct aura_error **error);

/**
 * Reads the facts of a session, as a JSON array.
 * @param principal NULL for the default.
 * @param session_id 1 to 256 bytes of UTF-8.
 * @param session_id_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param as_of_json empty for all facts, past ones too; or a JSON object with two times, `valid` (what was true
 *   then) and `known` (as far as the engine knew then; the same time if left out), such as
 *   `{"valid":"2026-05-03T10:00:00Z"}`.
 * @param as_of_json_len its length in bytes, or SIZE_MAX if it ends with a NUL.
 * @param[out] out the JSON.
 * @param[out] error NULL, or where an error goes.
 */
AURA_API
aura_status aura_session_facts(const struct aura_engine *engine,
                               const struct aura_principal *principal,
                               const char *session_id,
                               size_t session_id_len,
                               const char *as_of_json,
                               size_t as_of_json_len,
                               struct aura_buffer **out,
                               struct aura_error **error);

/**
 * Name of a status, such as "not-found", never freed; "unknown" for a number of a later version.
 */
AURA_API const char *aura_status_name(int32_t status);

/**
 * Writes the defaults to `options`.
 * @param struct_size sizeof(aura_turn_options)
 */
AURA_API aura_status aura_turn_options_init(struct aura_turn_options *options, size_t struct_size);

/**
 * Describes a recorded turn.
 * @param[out] out the description.
 * @param struct_size sizeof(aura_turn_view) as the caller was compiled with it
 */
AURA_API
aura_status aura_turn_describe(const struct aura_turn *turn,
                               struct aura_turn_view *out,
                               size_t struct_size);

/**
 * Frees a recorded turn; NULL is allowed.
 */
AURA_API void aura_turn_free(struct aura_turn *turn);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* AURA_H */

#if !defined(AURA_INLINE_H) && !defined(AURA_NO_INLINE)
#define AURA_INLINE_H /* cbindgen puts this behind the include guard */

/** A NUL-terminated text, to fill a struct with; NULL is empty. */
static inline aura_str aura_cstr(const char *text) {
  aura_str lent;
  lent.ptr = text;
  lent.len = text ? SIZE_MAX : 0;
  return lent;
}

/** Row `index` of the block of a context; `index` must be below `row_count`. */
static inline const aura_message_row *aura_context_row(const aura_context_view *view,
                                                       size_t index) {
  return (const aura_message_row *)(const void *)(view->block + index * view->row_size);
}

/** A text of a row, by its offset and length; NULL when it is absent. */
static inline aura_str aura_context_text(const aura_context_view *view,
                                         uint32_t off,
                                         uint32_t len) {
  aura_str lent;
  lent.ptr = len ? (const char *)(const void *)(view->block + view->bytes_off + off) : NULL;
  lent.len = len;
  return lent;
}

#endif
