// Records a short conversation, compiles the context for a question, and prints what was compiled and why.
//
// c++ -std=c++11 example.cpp -laura -o example && ./example [FILE]
//
// Without FILE the conversation is kept in memory.
#include <iostream>
#include <string>

#include "aura.hpp"

namespace {

/** The sentence at the end of an explanation. */
std::string sentence(const std::string &json) {
  const std::string key = "\"sentence\":\"";
  const std::size_t at = json.rfind(key);
  return at == std::string::npos ? json : json.substr(at + key.size(), json.size() - at - key.size() - 2);
}

void run(const aura::Engine &engine) {
  engine.record_exchange("demo", "I live in Oslo and I have two cats, Miso and Nori.",
                         "What lovely names!");
  engine.record_exchange("demo", "Can you recommend a book about fjords?",
                         "Try a history of the Norwegian coast.");
  engine.record_exchange("demo", "I just moved to Berlin.", "Welcome to Berlin!");
  engine.record_exchange("demo", "Which museums are open on Mondays?",
                         "Several on the Museum Island are.");

  const aura::Policy policy(R"({"token_budget": 600, "recency_turns": 1})");
  aura::ContextOptions options;
  options.policy = &policy;
  options.system = "You are a helpful assistant.";
  const aura::Context context =
      engine.build_context("demo", "Where do I live now, and what are my cats called?", options);

  for (const aura::Message message : context) {
    std::cout << aura::name(message.role) << " (" << message.tokens << " tokens) "
              << message.content << "\n";
    for (std::size_t n = 0; n < message.events_count; ++n) {
      const std::string block = "event:" + std::to_string(message.events[n]);
      std::cout << "            why: " << sentence(context.explain(block)) << "\n";
    }
  }
  std::cout << context.tokens() << " tokens of a budget of " << context.budget()
            << "; the whole history would take " << context.history_tokens() << "\n";
}

}  // namespace

int main(int argc, char **argv) {
  try {
    run(argc > 1 ? aura::Engine(argv[1]) : aura::Engine::in_memory());
  } catch (const aura::Error &error) {
    std::cerr << aura_status_name(error.status()) << ": " << error.what() << "\n";
    return 1;
  }
  return aura_debug_live(AURA_KIND_ALL) == 0 ? 0 : 1;
}
