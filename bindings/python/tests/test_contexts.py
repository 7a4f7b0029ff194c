"""Contexts, their manifests, and policies."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace

import pytest

from context_engine import (
    Cancel,
    CancelledError,
    ConflictError,
    ContextBlock,
    ContextEngine,
    ContextPolicy,
    DeniedError,
    InvalidError,
    Message,
    NotFoundError,
    PolicyMode,
    Priority,
    _native,
    repair,
    verify,
)

TOOLS = [{"name": "weather", "description": "Tells the weather.", "parameters": {"type": "object"}}]


def fill(engine: ContextEngine, turns: int = 30) -> None:
    for number in range(turns):
        engine.record_exchange("s", f"Parcel {number} weighs {number * 7} kilograms.", f"Parcel {number} is noted.")


def test_a_context_and_its_manifest(engine: ContextEngine) -> None:
    fill(engine)
    policy = ContextPolicy(token_budget=600, policy_version="seven")
    context = engine.compile_context(
        "s",
        "How heavy is parcel 4?",
        policy,
        "Be brief.",
        [
            {
                "block_id": "note",
                "kind": "evidence",
                "source": "handbook",
                "payload": {"text": "A parcel of 28 kilograms is heavy."},
            }
        ],
        tools=TOOLS,
        provider="openai",
        turn_id="next",
        correlation_id="corr",
        agent_version="a2",
        workflow_stage="triage",
        deadline=60.0,
    )
    assert context.messages[0] == {"role": "system", "content": "Be brief."}
    assert context.messages[-1]["role"] == "user" and "parcel 4" in str(context.messages[-1])
    assert "28 kilograms" in context.messages_json()
    assert 0 < context.tokens <= context.budget == 600 < context.history_tokens
    assert (context.turn_id, context.outcome, context.read_only, context.over_budget) == ("next", "complete", False, 0)
    assert context.provider == "openai" and context.tool_tokens > 0 and len(context) >= 3
    assert context.tools[0]["function"]["name"] == "weather"
    assert context.request["messages"] == context.messages == json.loads(context.messages_json())
    assert verify("openai", context.request) == []
    assert context.manifest["correlation_id"] == "corr" and context.manifest["policy_version"] == "seven"
    assert context.rows[0][:2] == ("system", "system") and sum(row[2] for row in context.rows) <= context.tokens
    assert context.explain("question")["answer"] == "candidate"
    assert engine.explain(context.request_id, "question") == context.explain("question")
    assert engine.manifest(context.request_id)["workflow_stage"] == "triage"
    assert [entry["request_id"] for entry in engine.manifests(session_id="s", limit=3)] == [context.request_id]
    engine.record_turn("s", [Message("user", "How heavy?"), Message("assistant", "28")], requests=[context.request_id])
    assert engine.manifest(context.request_id)["link"]["turn_id"]
    with pytest.raises(NotFoundError):
        engine.manifest("no-such-request")


def test_a_context_outlives_its_engine() -> None:
    with ContextEngine(auto_embedder=False) as engine:
        fill(engine, 2)
        context = engine.compile_context("s", "How heavy is parcel 1?")
    del engine
    assert "7 kilograms" in str(context.messages)


def test_the_short_road_gives_the_same(engine: ContextEngine) -> None:
    fill(engine)
    policy = ContextPolicy(token_budget=500)
    for question in ("How heavy is parcel 4?", "Parcel 20?", "unrelated"):
        short = engine.build_context("s", question, policy, "Be brief.")
        assert short == engine.compile_context("s", question, policy, "Be brief.").messages
        assert short == engine.build_context("s", question, policy, "Be brief.", provider="generic")


def test_a_new_session_is_just_the_question(engine: ContextEngine) -> None:
    assert engine.build_context(engine.new_session(), "Anybody there?") == [
        {"role": "user", "content": "Anybody there?"}
    ]


def test_modes(engine: ContextEngine) -> None:
    fill(engine, 6)
    count = {
        mode: len(engine.build_context("s", "hello", ContextPolicy(mode=mode, recency_turns=1)))
        for mode in PolicyMode
    }
    assert count[PolicyMode.FULL_HISTORY] == 13 and count[PolicyMode.WINDOWED] == 3
    assert engine.build_context("s", "hello", ContextPolicy(mode="windowed", recency_turns=1))


def test_top_k_counts_turns(engine: ContextEngine) -> None:
    for number in range(20):
        engine.record_exchange("s", f"Crate {number} holds apples.", f"Crate {number} with apples is noted.")
    policy = ContextPolicy(recency_turns=1, facts_enabled=False, top_k=2)
    context = engine.compile_context("s", "Which crates hold apples?", policy)
    recalled = {event for role, section, _, events in context.rows if section == "evidence" for event in events}
    turns = {(event - 1) // 2 for event in recalled}
    assert len(turns) == 2 and len(recalled) == 4
    none = engine.compile_context("s", "Which crates hold apples?", replace(policy, top_k=0))
    assert not [row for row in none.rows if row[1] == "evidence"]


def test_the_defaults_are_the_engine_s() -> None:
    own = json.loads(ContextPolicy().to_json())
    engines = json.loads(_native.Policy("{}").json())
    assert set(engines) - set(own) <= {"max_recall_tokens", "ranking"}, "policy.py lacks a field of the policy"
    read = json.loads(_native.Policy(ContextPolicy().to_json()).json())
    assert read == engines


def test_a_wrong_policy_is_named() -> None:
    with ContextEngine(auto_embedder=False) as engine:
        for field, value in [("token_budget", 0), ("min_relevance", 2.0), ("recall_form", "song"), ("weights", (1.0,))]:
            with pytest.raises(InvalidError) as caught:
                engine.build_context("s", "q", ContextPolicy(**{field: value}))  # type: ignore[arg-type]
            assert caught.value.field == field
    with pytest.raises(ValueError):
        ContextPolicy(mode="another").to_json()


def test_a_policy_may_be_changed_and_copied(engine: ContextEngine) -> None:
    fill(engine)
    policy = ContextPolicy(token_budget=4000, mode=PolicyMode.FULL_HISTORY)
    large = engine.compile_context("s", "q", policy).tokens
    policy.token_budget = 300
    assert engine.compile_context("s", "q", policy).tokens <= 300 < large
    for twin in (copy.copy(policy), copy.deepcopy(policy), pickle.loads(pickle.dumps(policy))):
        assert twin == policy and engine.compile_context("s", "q", twin).budget == 300


def test_blocks_of_the_host(engine: ContextEngine) -> None:
    blocks = [
        ContextBlock(Priority.P1, "rule", [Message("user", "Answer in Norwegian.")]),
        ContextBlock(Priority.P3, "report", [Message("user", "Bergen has 240 rainy days a year.")]),
    ]
    shown = str(engine.build_context("s", "How many rainy days has Bergen?", extra_blocks=blocks))
    assert "Norwegian" in shown and "240 rainy days" in shown
    with pytest.raises(InvalidError) as caught:
        engine.build_context("s", "q", extra_blocks=[{"block_id": "a", "kind": "song", "payload": {"text": "x"}}])
    assert caught.value.field == "blocks[0].kind"


def test_policies_are_proposed_approved_and_claimed(engine: ContextEngine) -> None:
    assert engine.propose_policy("refunds", "7", "Refunds are granted within 30 days.")["policy"]["version"] == "7"
    with pytest.raises(ConflictError):
        engine.propose_policy("refunds", "7", "Never.")
    with pytest.raises(InvalidError) as caught:
        engine.propose_policy("refunds", "8", "Never.", colour=1)
    assert caught.value.field == "proposal.colour"
    claim = {"block_id": "p", "kind": "policy", "trust": "policy"}
    claim["payload"] = {"policy": {"subject": "refunds", "version": "7"}}  # type: ignore[assignment]
    with pytest.raises(DeniedError):
        engine.build_context("s", "May I return it?", extra_blocks=[claim])
    assert engine.approve_policy("refunds", "7")["approved"]
    assert "within 30 days" in engine.build_context("s", "May I return it?", extra_blocks=[claim])[0]["content"]
    assert len(engine.policy_versions(subject="refunds", approved_only=True)) == 1
    with pytest.raises(NotFoundError):
        engine.approve_policy("refunds", "9")


def test_artifacts(engine: ContextEngine) -> None:
    with pytest.raises(NotFoundError):
        engine.read_artifact("artifact://default/none@1#5d41402abc4b2a76b9719d911017c592")
    with pytest.raises(InvalidError) as caught:
        engine.read_artifact("song")
    assert caught.value.field == "handle"


def test_cancelling(engine: ContextEngine) -> None:
    cancel = Cancel()
    engine.build_context("s", "q", cancel=cancel)
    cancel.cancel()
    assert cancel.cancelled
    with pytest.raises(CancelledError):
        engine.build_context("s", "q", cancel=cancel)


def test_requests_are_checked_and_mended() -> None:
    broken = {"messages": [{"role": "tool", "tool_call_id": "c1", "content": "x"}, {"role": "user", "content": "Hi"}]}
    found = verify("openai", broken)
    assert found and found[0].path.startswith("/messages/0")
    mended, done = repair("openai", broken)
    assert verify("openai", mended) == [] and {entry.rule for entry in done} >= {found[0].rule}
    text, _ = repair("openai", json.dumps(broken))
    assert json.loads(text) == mended
    with pytest.raises(InvalidError) as caught:
        verify("nobody", broken)
    assert caught.value.field == "provider"
    with pytest.raises(InvalidError) as caught:
        verify("openai", "[")
    assert caught.value.field == "request"


def test_transcripts(engine: ContextEngine) -> None:
    timings: dict[str, float] = {}
    transcript = [
        {"role": "user", "content": "I live in Oslo."},
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": "Where do I live?"},
    ]
    messages, session = engine.run_transcript(transcript, timings=timings)
    assert "Oslo" in str(messages) and len(engine.turns(session)) == 1
    assert set(timings) == {"backfill_ms", "read_ms"}
