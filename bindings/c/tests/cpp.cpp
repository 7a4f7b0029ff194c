// The C++ header: every class, every method, and what is thrown. The argument is an empty folder.
#include <thread>
#include <type_traits>
#include <utility>

#include "aura.hpp"
#include "check.h"

namespace {

static_assert(!std::is_copy_constructible<aura::Engine>::value, "an engine is not copied");
static_assert(!std::is_copy_constructible<aura::Context>::value, "a context is not copied");
static_assert(std::is_nothrow_move_constructible<aura::Engine>::value, "an engine is moved");
static_assert(std::is_move_constructible<aura::Context>::value, "a context is moved");
static_assert(std::is_nothrow_destructible<aura::Engine>::value, "destructors do not throw");

bool contains(aura::Text text, const char *wanted) {
  return text.str().find(wanted) != std::string::npos;
}

/** The error that a call throws. */
template <typename Call>
aura::Error thrown(Call call) {
  try {
    call();
  } catch (const aura::Error &error) {
    return error;
  }
  return aura::Error(AURA_STATUS_OK, "nothing was thrown");
}

void texts() {
  const std::string owned("a\0b", 3);
  CHECK(aura::Text(owned).size() == 3 && aura::Text(owned).str() == owned);
  CHECK(aura::Text().empty() && aura::Text(nullptr).str().empty());
  CHECK(aura::Text("ab") == aura::Text("abc", 2) && aura::Text("ab") != aura::Text("ac"));
#if __cplusplus >= 201703L
  const std::string_view view = aura::Text("view");
  CHECK(view == "view" && aura::Text(view) == "view");
#endif
}

void errors(const aura::Engine &engine) {
  const aura::Error policy = thrown([] { aura::Policy(R"({"token_budget": 0})"); });
  CHECK(policy.status() == AURA_STATUS_INVALID && policy.field() == "token_budget");
  CHECK(contains(std::string(policy.what()), "aura_policy_new: "));
  CHECK(contains(policy.context_json(), "token_budget") && policy.causes().empty());

  const aura::Error session = thrown([&] { engine.session("nowhere"); });
  CHECK(session.status() == AURA_STATUS_NOT_FOUND && session.field() == "session_id");
  CHECK(!session.message().empty() && !session.operation().empty());

  const aura::Error utf8 = thrown([&] { engine.record_exchange("s", "\xff", "b"); });
  CHECK(utf8.status() == AURA_STATUS_INVALID && utf8.field() == "user");

  const aura::Error path = thrown([] { aura::Engine(""); });
  CHECK(path.status() == AURA_STATUS_INVALID && path.field() == "path");

  aura::Principal foreign;
  foreign.tenant = "foreign";
  engine.record_exchange("mine", "a", "b");
  const aura::Error denied = thrown([&] { engine.turns("mine", 0, 5, foreign); });
  CHECK(denied.status() == AURA_STATUS_DENIED && denied.field() == "session_id");
}

void conversation(const aura::Engine &engine) {
  aura::TurnOptions turn_options;
  turn_options.turn_id = "t-1";
  turn_options.status = aura::TurnStatus::Open;
  const aura::Turn open =
      engine.record_turn("talk", R"([{"role":"user","text":"I am allergic to peanuts."}])", turn_options);
  CHECK(open.id == "t-1" && open.status == aura::TurnStatus::Open && open.index == 0);
  CHECK(open.effect == aura::Effect::Created && open.first_event == 1 && open.last_event == 1);
  CHECK(open.recorded_at.time_since_epoch().count() > 0 && open.message_count == 1);
  const aura::Turn done = engine.finish_turn("talk", "t-1");
  CHECK(done.status == aura::TurnStatus::Complete && done.change_seq > open.change_seq);
  engine.record_exchange("talk", "What is for lunch?", "Soup.");
  engine.flush(std::chrono::seconds(10));

  const aura::Policy policy(R"({"token_budget": 700})");
  CHECK(contains(policy.json(), "\"token_budget\":700"));
  const aura::Cancel cancel;
  aura::ContextOptions options;
  options.policy = &policy;
  options.cancel = &cancel;
  options.system = "Be kind.";
  options.provider = aura::Provider::Openai;
  options.deadline = std::chrono::seconds(60);
  options.correlation_id = "corr-9";
  const aura::Context context = engine.build_context("talk", "Am I allergic to anything?", options);
  CHECK(context.size() >= 2 && context.tokens() > 0 && context.tokens() <= context.budget());
  CHECK(context.outcome() == aura::Outcome::Complete && !context.read_only());
  CHECK(context.provider() == aura::Provider::Openai && context.over_budget() == 0);
  CHECK(context[0].role == aura::Role::System && contains(context[0].content, "Be kind."));
  std::size_t seen = 0;
  std::string all;
  for (const aura::Message message : context) {
    all += message.content.str();
    ++seen;
  }
  CHECK(seen == context.size() && contains(all, "peanuts"));
  CHECK(thrown([&] { context[seen]; }).status() == AURA_STATUS_NOT_FOUND);
  CHECK(contains(context.messages_json(), "peanuts") && context.tools_json() == "[]");
  CHECK(contains(context.manifest_json(), "corr-9"));
  CHECK(contains(context.explain("question"), "candidate"));
  CHECK(contains(engine.manifest(context.request_id()), "corr-9"));
  CHECK(contains(engine.manifests(), "corr-9"));
  CHECK(engine.explain(context.request_id(), "question") == context.explain("question"));

  CHECK(contains(engine.propose_policy("{\"subject\":\"tone\",\"version\":\"1\",\"text\":\"Be kind.\"}"), "tone"));
  CHECK(contains(engine.approve_policy("tone", "1"), "approved"));
  CHECK(contains(engine.policies("{\"subject\":\"tone\"}"), "Be kind.") && engine.policies("{\"subject\":\"x\"}") == "[]");
  CHECK(thrown([&] { engine.artifact("artifact://other/x@1#00112233445566778899aabbccddeeff"); }).status() ==
        AURA_STATUS_DENIED);

  const aura::Provider openai = aura::Provider::Openai;
  CHECK(contains(context.request_json(), "Be kind.") && aura::verify(openai, context.request_json()) == "[]");
  const char *broken = "{\"messages\":[{\"role\":\"tool\",\"content\":\"12\"}]}";
  CHECK(contains(aura::verify(openai, broken), "O-ORPHAN"));
  const aura::Repaired repaired = aura::repair(openai, broken);
  CHECK(aura::verify(openai, repaired.request) == "[]" && contains(repaired.repairs, "O-ORPHAN"));
  CHECK(thrown([&] { aura::verify(openai, "{"); }).field() == "request");

  cancel.trigger();
  CHECK(thrown([&] { engine.build_context("talk", "And now?", options); }).status() ==
        AURA_STATUS_CANCELLED);

  CHECK(contains(engine.sessions(), "\"talk\"") && contains(engine.session("talk"), "\"turns\":2"));
  CHECK(contains(engine.turns("talk"), "Soup.") && contains(engine.messages("talk", 1, 1), "peanuts"));
  CHECK(contains(engine.facts("talk"), "peanuts"));
  engine.set_head("talk", "t-1");
  CHECK(contains(engine.session("talk"), "\"head\":0"));
}

void moved() {
  aura::Engine engine = aura::Engine::in_memory();
  const aura::Engine other = std::move(engine);
  other.record_exchange("s", "a", "b");
  aura::Context context = other.build_context("s", "a?");
  const aura::Context kept = std::move(context);
  other.close();
  other.close();
  CHECK(thrown([&] { other.record_exchange("s", "a", "b"); }).status() == AURA_STATUS_CLOSED);
  CHECK(kept.size() > 0 && contains(kept.messages_json(), "a?"));
}

void from_threads(const aura::Engine &engine) {
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([&engine] {
      for (int i = 0; i < 20; ++i) {
        engine.record_exchange("crowd", "a", "b");
        (void)engine.build_context("crowd", "c").messages_json();
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  CHECK(contains(engine.session("crowd"), "\"turns\":80"));
}

void files(const std::string &folder) {
  aura::EngineOptions options;
  options.durability = aura::Durability::Normal;
  options.body_cache_bytes = 1 << 20;
  options.sessions = 4;
  options.language = "de";
  options.token_counter = "cl100k_base";
  const std::string path = folder + "/cpp.db";
  for (int round = 1; round <= 2; ++round) {
    const aura::Engine engine(path, options);
    CHECK(engine.record_exchange("s", "a", "b").index + 1 == static_cast<std::uint32_t>(round));
    CHECK(contains(engine.build_context("s", "c").manifest_json(), "cl100k_base"));
  }
  const aura::Error lost = thrown([&] { aura::Engine(folder + "/no/such/folder/x.db"); });
  CHECK(lost.status() == AURA_STATUS_UNAVAILABLE);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: cpp FOLDER\n");
    return 2;
  }
  try {
    const aura::Engine engine = aura::Engine::in_memory();
    texts();
    errors(engine);
    conversation(engine);
    moved();
    from_threads(engine);
    files(argv[1]);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "not expected: %s\n", error.what());
    return 1;
  }
  return check_end();
}
