/**
 * @file aura.hpp
 * The C++ face of Aura, a context engine for LLM agents: header only, C++11 and later, on top of aura.h.
 *
 * Objects own what they hold and free it when they die; they can be moved, not copied. A failure throws `aura::Error`.
 * What a `Text` points to lives as long as the object that gave it. An `Engine` may be used from several threads at
 * once, but not while it is being destroyed.
 */
#ifndef AURA_HPP
#define AURA_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#if __cplusplus >= 201703L
#include <string_view>
#endif

#include "aura.h"

namespace aura {

/** UTF-8 text that somebody else owns. */
class Text {
 public:
  Text() noexcept : data_(nullptr), size_(0) {}
  Text(const char *text) noexcept : data_(text), size_(text != nullptr ? std::strlen(text) : 0) {}
  Text(const char *data, std::size_t size) noexcept : data_(data), size_(size) {}
  Text(const std::string &text) noexcept : data_(text.data()), size_(text.size()) {}
  Text(aura_str text) noexcept : data_(text.ptr), size_(text.len) {}
#if __cplusplus >= 201703L
  Text(std::string_view text) noexcept : data_(text.data()), size_(text.size()) {}
  operator std::string_view() const noexcept { return std::string_view(data_, size_); }
#endif

  const char *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::string str() const { return empty() ? std::string() : std::string(data_, size_); }

  /** The same text for aura.h. */
  aura_str raw() const noexcept {
    aura_str text;
    text.ptr = data_;
    text.len = size_;
    return text;
  }

  friend bool operator==(Text a, Text b) noexcept {
    return a.size_ == b.size_ && (a.empty() || std::memcmp(a.data_, b.data_, a.size_) == 0);
  }
  friend bool operator!=(Text a, Text b) noexcept { return !(a == b); }
  friend std::ostream &operator<<(std::ostream &out, Text text) {
    return out.write(text.data_, static_cast<std::streamsize>(text.size_));
  }

 private:
  const char *data_;
  std::size_t size_;
};

/** What went wrong; `what()` is the operation and the message. */
class Error : public std::runtime_error {
 public:
  Error(aura_status status, const std::string &what) : std::runtime_error(what), status_(status) {}

  /** Takes an error object of aura.h, which it frees. */
  static Error take(aura_status status, aura_error *error) {
    const std::unique_ptr<aura_error, void (*)(aura_error *)> owned(error, aura_error_free);
    const std::string operation = Text(aura_error_operation(error)).str();
    const std::string message = Text(aura_error_message(error)).str();
    const char *name = aura_status_name(status);
    Error made(status, message.empty() ? std::string(name) : operation + ": " + message);
    made.operation_ = operation;
    made.message_ = message;
    made.field_ = Text(aura_error_field(error)).str();
    made.context_json_ = Text(aura_error_context(error)).str();
    for (std::size_t at = 0; aura_error_cause(error, at).ptr != nullptr; ++at) {
      made.causes_.push_back(Text(aura_error_cause(error, at)).str());
    }
    return made;
  }

  /** By which a program decides what to do. */
  aura_status status() const noexcept { return status_; }
  /** The operation that failed. */
  const std::string &operation() const noexcept { return operation_; }
  /** What failed, in words for a person. */
  const std::string &message() const noexcept { return message_; }
  /** The parameter or field that was wrong; empty when it was none. */
  const std::string &field() const noexcept { return field_; }
  /** What else is known, as a JSON array of `[key, value]` pairs. */
  const std::string &context_json() const noexcept { return context_json_; }
  /** The cause, the cause of that, and so on. */
  const std::vector<std::string> &causes() const noexcept { return causes_; }

 private:
  aura_status status_;
  std::string operation_;
  std::string message_;
  std::string field_;
  std::string context_json_;
  std::vector<std::string> causes_;
};

namespace detail {

/**
 * Throws what a call left in `error`, unless it succeeded. A reference, since the call that sets `error` may run after
 * the arguments beside it were evaluated.
 */
inline void check(aura_status status, aura_error *const &error) {
  if (status != AURA_STATUS_OK) {
    throw Error::take(status, error);
  }
}

/** For calls that give a status and no error object. */
inline void check(aura_status status) {
  if (status != AURA_STATUS_OK) {
    throw Error(status, aura_status_name(status));
  }
}

struct Free {
  void operator()(aura_engine *engine) const noexcept {
    aura_engine_close(engine, nullptr);
    aura_engine_free(engine);
  }
  void operator()(aura_policy *policy) const noexcept { aura_policy_free(policy); }
  void operator()(aura_context *context) const noexcept { aura_context_free(context); }
  void operator()(aura_turn *turn) const noexcept { aura_turn_free(turn); }
  void operator()(aura_cancel *cancel) const noexcept { aura_cancel_free(cancel); }
  void operator()(aura_buffer *buffer) const noexcept { aura_buffer_free(buffer); }
};

template <typename T>
using Owned = std::unique_ptr<T, Free>;

inline std::string take(aura_buffer *buffer) {
  const Owned<aura_buffer> owned(buffer);
  return Text(aura_buffer_text(buffer)).str();
}

}  // namespace detail

/** Who speaks in a message. */
enum class Role : std::uint32_t {
  System = AURA_ROLE_SYSTEM,
  User = AURA_ROLE_USER,
  Assistant = AURA_ROLE_ASSISTANT,
  Tool = AURA_ROLE_TOOL
};

/** The role's name in JSON. */
inline const char *name(Role role) noexcept {
  switch (role) {
    case Role::System: return "system";
    case Role::User: return "user";
    case Role::Assistant: return "assistant";
    case Role::Tool: return "tool";
  }
  return "unknown";
}

/** Which part of a context a message is. */
enum class Section : std::uint32_t {
  System = AURA_SECTION_SYSTEM,
  History = AURA_SECTION_HISTORY,
  Evidence = AURA_SECTION_EVIDENCE,
  Question = AURA_SECTION_QUESTION,
  Tail = AURA_SECTION_TAIL
};

/** How a compilation ended. */
enum class Outcome : std::uint32_t {
  Complete = AURA_OUTCOME_COMPLETE,
  Degraded = AURA_OUTCOME_DEGRADED,
  Restricted = AURA_OUTCOME_RESTRICTED,
  Fallback = AURA_OUTCOME_FALLBACK
};

/** The form of `Context::request_json` and `Context::messages_json`, and whose rules `verify` checks. */
enum class Provider : std::uint32_t {
  Generic = AURA_PROVIDER_GENERIC,
  Openai = AURA_PROVIDER_OPENAI,
  OpenaiResponses = AURA_PROVIDER_OPENAI_RESPONSES,
  Anthropic = AURA_PROVIDER_ANTHROPIC,
  Gemini = AURA_PROVIDER_GEMINI
};

/** Where a turn stands. */
enum class TurnStatus : std::uint32_t {
  Complete = AURA_TURN_STATUS_COMPLETE,
  Open = AURA_TURN_STATUS_OPEN,
  Failed = AURA_TURN_STATUS_FAILED
};

/** What recording a turn did. */
enum class Effect : std::uint32_t {
  Created = AURA_EFFECT_CREATED,
  Extended = AURA_EFFECT_EXTENDED,
  Unchanged = AURA_EFFECT_UNCHANGED
};

/** What a write that has returned survives. */
enum class Durability : std::uint32_t {
  Full = AURA_DURABILITY_FULL,
  Normal = AURA_DURABILITY_NORMAL
};

/** Who is asking; empty fields have their defaults. */
struct Principal {
  std::string tenant;
  std::string agent;
  std::string user;
  /** A JSON array of strings. */
  std::string labels_json;

  /** The same for aura.h, valid as long as this object is unchanged. */
  aura_principal raw() const {
    aura_principal given;
    detail::check(aura_principal_init(&given, sizeof given));
    given.tenant = Text(tenant).raw();
    given.agent = Text(agent).raw();
    given.user = Text(user).raw();
    given.labels_json = Text(labels_json).raw();
    return given;
  }
};

/** Stops calls that run in other threads. */
class Cancel {
 public:
  Cancel() {
    aura_cancel *made = nullptr;
    aura_error *error = nullptr;
    detail::check(aura_cancel_new(&made, &error), error);
    cancel_.reset(made);
  }

  /** Stops every call that was given this token, those to come too. */
  void trigger() const noexcept { aura_cancel_trigger(cancel_.get()); }
  const aura_cancel *raw() const noexcept { return cancel_.get(); }

 private:
  detail::Owned<aura_cancel> cancel_;
};

/** How a context is compiled; read and checked once, then immutable. */
class Policy {
 public:
  /** From a JSON object; empty is all defaults. */
  explicit Policy(Text json = Text()) {
    aura_policy *made = nullptr;
    aura_error *error = nullptr;
    detail::check(aura_policy_new(json.data(), json.size(), &made, &error), error);
    policy_.reset(made);
  }

  /** The whole policy as JSON, defaults included. */
  std::string json() const {
    aura_buffer *made = nullptr;
    aura_error *error = nullptr;
    detail::check(aura_policy_json(policy_.get(), &made, &error), error);
    return detail::take(made);
  }

  const aura_policy *raw() const noexcept { return policy_.get(); }

 private:
  detail::Owned<aura_policy> policy_;
};

/** A turn as it was recorded. */
struct Turn {
  std::string id;
  std::uint32_t index;
  TurnStatus status;
  Effect effect;
  /** 0 if it has no messages. */
  std::uint64_t first_event;
  /** 0 if it has no messages. */
  std::uint64_t last_event;
  std::uint64_t message_count;
  /** How many mutations the session had seen with this one. */
  std::uint64_t change_seq;
  std::chrono::system_clock::time_point recorded_at;

  /** Takes a turn of aura.h, which it frees. */
  static Turn take(aura_turn *turn) {
    const detail::Owned<aura_turn> owned(turn);
    aura_turn_view view;
    detail::check(aura_turn_describe(turn, &view, sizeof view));
    Turn made;
    made.id = Text(view.turn_id).str();
    made.index = view.index;
    made.status = static_cast<TurnStatus>(view.status);
    made.effect = static_cast<Effect>(view.effect);
    made.first_event = view.first_event;
    made.last_event = view.last_event;
    made.message_count = view.message_count;
    made.change_seq = view.change_seq;
    made.recorded_at = std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(
            std::chrono::milliseconds(view.recorded_at_ms)));
    return made;
  }
};

/** What else a turn is recorded with; empty fields have their defaults. */
struct TurnOptions {
  /** So that a repeated call is recognised. */
  std::string turn_id;
  /** The turn it follows. */
  std::string parent;
  /** The contexts it answers, as a JSON array of request ids. */
  std::string requests_json;
  TurnStatus status = TurnStatus::Complete;
};

/** What else a context is compiled from; empty fields have their defaults. */
struct ContextOptions {
  const Policy *policy = nullptr;
  const Cancel *cancel = nullptr;
  /** The turn the context is for. */
  std::string turn_id;
  /** The turn whose ancestors, itself included, are visible. */
  std::string head;
  std::string system;
  std::string tools_json;
  std::string blocks_json;
  std::string correlation_id;
  std::string agent_version;
  std::string workflow_stage;
  /** Past it optional work is skipped; 0 is no limit. */
  std::chrono::milliseconds deadline = std::chrono::milliseconds(0);
  Provider provider = Provider::Generic;
};

/** One message of a context, in views that live as long as the context. */
struct Message {
  Role role;
  Section section;
  std::uint32_t tokens;
  /** Whether a tool message reports a failure. */
  bool is_error;
  Text name;
  Text content;
  /** A JSON object of what else it has: `tool_calls`, `media`, `native`; empty when there is nothing. */
  Text extra_json;
  /** The call that a tool message answers. */
  Text tool_call_id;
  /** The ids of the events shown in it. */
  const std::uint64_t *events;
  std::size_t events_count;
};

/** The messages and tools for one model call, and the manifest that accounts for them. */
class Context {
 public:
  /** Takes a context of aura.h, which it frees. */
  explicit Context(aura_context *context) : context_(context) {
    detail::check(aura_context_describe(context, &view_, sizeof view_));
  }

  /** How many messages. */
  std::size_t size() const noexcept { return view_.row_count; }

  /** A message, in the order to be sent; throws past the last. */
  Message operator[](std::size_t index) const {
    aura_message given;
    detail::check(aura_context_message(context_.get(), index, &given, sizeof given));
    Message message;
    message.role = static_cast<Role>(given.role);
    message.section = static_cast<Section>(given.section);
    message.tokens = given.tokens;
    message.is_error = given.is_error != 0;
    message.name = given.name;
    message.content = given.content;
    message.extra_json = given.extra_json;
    message.tool_call_id = given.tool_call_id;
    message.events = given.events;
    message.events_count = given.events_count;
    return message;
  }

  /** Walks the messages; gives them by value. */
  class Iterator {
   public:
    Iterator(const Context *context, std::size_t index) noexcept
        : context_(context), index_(index) {}
    Message operator*() const { return (*context_)[index_]; }
    Iterator &operator++() noexcept {
      ++index_;
      return *this;
    }
    bool operator!=(const Iterator &other) const noexcept { return index_ != other.index_; }

   private:
    const Context *context_;
    std::size_t index_;
  };

  Iterator begin() const noexcept { return Iterator(this, 0); }
  Iterator end() const noexcept { return Iterator(this, size()); }

  /** By which its manifest is found and a recorded turn says what it answers. */
  Text request_id() const noexcept { return view_.request_id; }
  /** The turn the context is for. */
  Text turn_id() const noexcept { return view_.turn_id; }
  /** What it takes, in tokens. */
  std::uint32_t tokens() const noexcept { return view_.tokens; }
  /** What it may take, in tokens. */
  std::uint32_t budget() const noexcept { return view_.budget; }
  /** By how many tokens it exceeds the budget; 0 when it does not. */
  std::uint32_t over_budget() const noexcept { return view_.over_budget; }
  /** What the tools take of `tokens()`. */
  std::uint32_t tool_tokens() const noexcept { return view_.tool_tokens; }
  /** What the whole visible history with the same question would take, in tokens. */
  std::uint64_t history_tokens() const noexcept { return view_.history_tokens; }
  Outcome outcome() const noexcept { return static_cast<Outcome>(view_.outcome); }
  /** Whether the model should take no action on it. */
  bool read_only() const noexcept { return view_.read_only != 0; }
  Provider provider() const noexcept { return static_cast<Provider>(view_.provider); }

  /** All that it puts into the body of a request, as a JSON object in the provider's form. */
  Text request_json() const { return lent(aura_context_request_json); }
  /** The messages in the provider's form, as a JSON array ready to be sent; for some without the system prompt. */
  Text messages_json() const { return lent(aura_context_messages_json); }
  /** The tools that were admitted, as a JSON array. */
  Text tools_json() const { return lent(aura_context_tools_json); }
  /** What went in, what stayed out and why, as a JSON object. */
  Text manifest_json() const { return lent(aura_context_manifest_json); }

  /** What became of a block such as `event:12`, as a JSON object with a `sentence`. */
  std::string explain(Text block) const {
    aura_buffer *made = nullptr;
    aura_error *error = nullptr;
    detail::check(
        aura_context_explain(context_.get(), block.data(), block.size(), &made, &error), error);
    return detail::take(made);
  }

  const aura_context *raw() const noexcept { return context_.get(); }
  /** The block of the messages, for who wants to copy it whole. */
  const aura_context_view &view() const noexcept { return view_; }

 private:
  Text lent(aura_status (*get)(const aura_context *, aura_str *, aura_error **)) const {
    aura_str text;
    aura_error *error = nullptr;
    detail::check(get(context_.get(), &text, &error), error);
    return text;
  }

  detail::Owned<aura_context> context_;
  aura_context_view view_;
};

/** What breaks the rules of a provider in the body of a request, as a JSON array; `[]` when nothing does. */
inline std::string verify(Provider provider, Text request) {
  aura_buffer *made = nullptr;
  aura_error *error = nullptr;
  detail::check(aura_verify(static_cast<std::uint32_t>(provider), request.data(), request.size(),
                            &made, &error),
                error);
  return detail::take(made);
}

/** A body that breaks no rule of its provider, and what was done to it. */
struct Repaired {
  std::string request;
  /** A JSON array; `[]` when the body is the given one. */
  std::string repairs;
};

/** Mends the body of a request with the least loss. */
inline Repaired repair(Provider provider, Text request) {
  aura_buffer *made = nullptr;
  aura_buffer *done = nullptr;
  aura_error *error = nullptr;
  detail::check(aura_repair(static_cast<std::uint32_t>(provider), request.data(), request.size(),
                            &made, &done, &error),
                error);
  Repaired repaired;
  const detail::Owned<aura_buffer> owned(done);
  repaired.request = detail::take(made);
  repaired.repairs = Text(aura_buffer_text(done)).str();
  return repaired;
}

/** How an engine is opened. */
struct EngineOptions {
  Durability durability = Durability::Full;
  /** An ISO 639-1 code, for stemming and stop words; empty is `en`, and `und` none. */
  std::string language;
  /** `o200k_base`, `cl100k_base` or `chars/4`; empty is `o200k_base`. */
  std::string token_counter;
  /** How many bytes of turns are kept in memory; 0 is the engine's own choice. */
  std::uint64_t body_cache_bytes = 0;
  /** How many sessions are kept ready in memory; 0 is the engine's own choice. */
  std::uint64_t sessions = 0;
};

/** An engine on one store; closed and freed when it dies. */
class Engine {
 public:
  /** Opens a SQLite file, which is made if it is absent. */
  explicit Engine(Text path, const EngineOptions &options = EngineOptions())
      : engine_(open(path, AURA_STORAGE_SQLITE, options)) {}

  /** An engine in memory, gone when it dies. */
  static Engine in_memory(const EngineOptions &options = EngineOptions()) {
    return Engine(open(Text(), AURA_STORAGE_MEMORY, options));
  }

  /** Records a user's message and the assistant's answer as one complete turn. */
  Turn record_exchange(Text session, Text user, Text assistant,
                       const Principal &who = Principal()) const {
    const aura_principal principal = who.raw();
    aura_turn *made = nullptr;
    aura_error *error = nullptr;
    detail::check(aura_session_record_exchange(raw(), &principal, session.data(), session.size(),
                                               user.data(), user.size(), assistant.data(),
                                               assistant.size(), &made, &error),
                  error);
    return Turn::take(made);
  }

  /** Records messages, a JSON array, as a turn, or extends an open turn. */
  Turn record_turn(Text session, Text messages_json, const TurnOptions &options = TurnOptions(),
                   const Principal &who = Principal()) const {
    const aura_principal principal = who.raw();
    aura_turn_options given;
    detail::check(aura_turn_options_init(&given, sizeof given));
    given.turn_id = Text(options.turn_id).raw();
    given.parent = Text(options.parent).raw();
    given.requests_json = Text(options.requests_json).raw();
    given.status = static_cast<std::uint32_t>(options.status);
    aura_turn *made = nullptr;
    aura_error *error = nullptr;
    detail::check(
        aura_session_record_turn(raw(), &principal, session.data(), session.size(),
                                 messages_json.data(), messages_json.size(), &given, &made, &error),
        error);
    return Turn::take(made);
  }

  /** Moves an open turn to complete or failed. */
  Turn finish_turn(Text session, Text turn_id, TurnStatus status = TurnStatus::Complete,
                   const Principal &who = Principal()) const {
    const aura_principal principal = who.raw();
    aura_turn *made = nullptr;
    aura_error *error = nullptr;
    detail::check(aura_session_finish_turn(raw(), &principal, session.data(), session.size(),
                                           turn_id.data(), turn_id.size(),
                                           static_cast<std::uint32_t>(status), &made, &error),
                  error);
    return Turn::take(made);
  }

  /** Makes a turn the head of its session, to rewind it or take a branch up again. */
  void set_head(Text session, Text turn_id, const Principal &who = Principal()) const {
    const aura_principal principal = who.raw();
    aura_error *error = nullptr;
    detail::check(aura_session_set_head(raw(), &principal, session.data(), session.size(),
                                        turn_id.data(), turn_id.size(), &error),
                  error);
  }

  /** Compiles the context for a question. */
  Context build_context(Text session, Text question,
                        const ContextOptions &options = ContextOptions(),
                        const Principal &who = Principal()) const {
    const aura_principal principal = who.raw();
    aura_context_options given;
    detail::check(aura_context_options_init(&given, sizeof given));
    given.policy = options.policy != nullptr ? options.policy->raw() : nullptr;
    given.cancel = options.cancel != nullptr ? options.cancel->raw() : nullptr;
    given.turn_id = Text(options.turn_id).raw();
    given.head = Text(options.head).raw();
    given.system = Text(options.system).raw();
    given.tools_json = Text(options.tools_json).raw();
    given.blocks_json = Text(options.blocks_json).raw();
    given.correlation_id = Text(options.correlation_id).raw();
    given.agent_version = Text(options.agent_version).raw();
    given.workflow_stage = Text(options.workflow_stage).raw();
    given.deadline_ms = milliseconds(options.deadline);
    given.provider = static_cast<std::uint32_t>(options.provider);
    aura_context *made = nullptr;
    aura_error *error = nullptr;
    detail::check(aura_context_build(raw(), &principal, session.data(), session.size(),
                                     question.data(), question.size(), &given, &made, &error),
                  error);
    return Context(made);
  }

  /** Lists sessions, as a JSON array; `query_json` as in `aura_session_list`. */
  std::string sessions(Text query_json = Text(), const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_session_list(raw(), principal, query_json.data(), query_json.size(), out, error);
    });
  }

  /** Describes a session, as a JSON object. */
  std::string session(Text session, const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_session_describe(raw(), principal, session.data(), session.size(), out, error);
    });
  }

  /** Reads turns with their messages, as a JSON array. */
  std::string turns(Text session, std::uint32_t from = 0, std::size_t limit = 100,
                    const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_session_turns(raw(), principal, session.data(), session.size(), from, limit, out,
                                error);
    });
  }

  /** Reads the messages of a range of events, both ends included, as a JSON array. */
  std::string messages(Text session, std::uint64_t first_event, std::uint64_t last_event,
                       const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_session_messages(raw(), principal, session.data(), session.size(), first_event,
                                   last_event, out, error);
    });
  }

  /** Reads the facts of a session, as a JSON array; `as_of_json` as in `aura_session_facts`. */
  std::string facts(Text session, Text as_of_json = Text(),
                    const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_session_facts(raw(), principal, session.data(), session.size(),
                                as_of_json.data(), as_of_json.size(), out, error);
    });
  }

  /** Reads the manifest of a context, as a JSON object. */
  std::string manifest(Text request_id, const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_manifest_read(raw(), principal, request_id.data(), request_id.size(), out, error);
    });
  }

  /** Lists manifests, newest first, as a JSON array; `query_json` as in `aura_manifest_list`. */
  std::string manifests(Text query_json = Text(), const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_manifest_list(raw(), principal, query_json.data(), query_json.size(), out, error);
    });
  }

  /** What became of a block such as `event:12` in a stored context, as a JSON object with a `sentence`. */
  std::string explain(Text request_id, Text block, const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_manifest_explain(raw(), principal, request_id.data(), request_id.size(),
                                   block.data(), block.size(), out, error);
    });
  }

  /** Keeps a version of a policy; `proposal_json` as in `aura_policy_version_propose`. Gives what is stored, as JSON. */
  std::string propose_policy(Text proposal_json, const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_policy_version_propose(raw(), principal, proposal_json.data(),
                                         proposal_json.size(), out, error);
    });
  }

  /** Approves a version of a policy, so that a block may claim it. Gives what is stored, as JSON. */
  std::string approve_policy(Text subject, Text version, const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_policy_version_approve(raw(), principal, subject.data(), subject.size(),
                                         version.data(), version.size(), out, error);
    });
  }

  /** Lists versions of policies as a JSON array; `query_json` as in `aura_policy_version_list`. */
  std::string policies(Text query_json = Text(), const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_policy_version_list(raw(), principal, query_json.data(), query_json.size(), out,
                                      error);
    });
  }

  /** Reads the bytes that a handle such as `artifact://…` stands for; they need not be text. */
  std::string artifact(Text handle, const Principal &who = Principal()) const {
    return asked(who, [&](const aura_principal *principal, aura_buffer **out, aura_error **error) {
      return aura_artifact_read(raw(), principal, handle.data(), handle.size(), out, error);
    });
  }

  /** Waits until the work in the background is done; throws `AURA_STATUS_BUSY` when it takes longer. */
  void flush(std::chrono::milliseconds timeout) const {
    aura_error *error = nullptr;
    detail::check(aura_engine_flush(raw(), milliseconds(timeout), &error), error);
  }

  /** Refuses new calls and waits for those that run; closing again does nothing. */
  void close() const {
    aura_error *error = nullptr;
    detail::check(aura_engine_close(raw(), &error), error);
  }

  const aura_engine *raw() const noexcept { return engine_.get(); }

 private:
  explicit Engine(aura_engine *engine) noexcept : engine_(engine) {}

  static aura_engine *open(Text path, std::uint32_t storage, const EngineOptions &options) {
    const std::uint32_t loaded = aura_abi_version();
    if (loaded / 1000 != AURA_ABI_VERSION / 1000 || loaded < AURA_ABI_VERSION) {
      throw Error(AURA_STATUS_INTERNAL,
                  std::string("the loaded libaura is version ") + aura_version() +
                      ", which does not serve the header of version " AURA_VERSION);
    }
    aura_engine_options given;
    detail::check(aura_engine_options_init(&given, sizeof given));
    given.storage = storage;
    given.durability = static_cast<std::uint32_t>(options.durability);
    given.language = Text(options.language).raw();
    given.token_counter = Text(options.token_counter).raw();
    given.body_cache_bytes = options.body_cache_bytes;
    given.sessions = options.sessions;
    aura_engine *made = nullptr;
    aura_error *error = nullptr;
    detail::check(aura_engine_open(path.data(), path.size(), &given, &made, &error), error);
    return made;
  }

  template <typename Ask>
  static std::string asked(const Principal &who, Ask ask) {
    const aura_principal principal = who.raw();
    aura_buffer *made = nullptr;
    aura_error *error = nullptr;
    detail::check(ask(&principal, &made, &error), error);
    return detail::take(made);
  }

  static std::uint64_t milliseconds(std::chrono::milliseconds span) noexcept {
    return span.count() > 0 ? static_cast<std::uint64_t>(span.count()) : 0;
  }

  detail::Owned<aura_engine> engine_;
};

}  // namespace aura

#endif /* AURA_HPP */
