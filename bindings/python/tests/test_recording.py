"""Recording turns and reading them back."""

from __future__ import annotations

from pathlib import Path

import pytest

from context_engine import (
    ConflictError,
    ContextEngine,
    DeniedError,
    InvalidError,
    Message,
    NotFoundError,
    Principal,
    SQLiteStorage,
)

TOOL_TURN = [
    {"role": "user", "content": "Will it rain in Bergen?", "name": "Ana"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Bergen"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "name": "weather", "content": '{"rain": true}'},
    {"role": "assistant", "content": "It will."},
]


def test_a_turn_has_its_ids(engine: ContextEngine) -> None:
    session = engine.new_session()
    first = engine.record_exchange(session, "hello", "hi")
    second = engine.record_turn(session, [Message("user", "again", "Ana"), {"role": "assistant", "text": "yes"}])
    assert (first.index, first.first_event, first.last_event, first.effect) == (0, 1, 2, "created")
    assert (second.index, second.first_event, second.parent, second.status) == (1, 3, 0, "complete")
    assert second.messages == [Message("user", "again", "Ana"), Message("assistant", "yes")]
    assert second.text == "user: again\nassistant: yes"
    assert engine.storage.get_turns(session)[1].messages == second.messages
    assert engine.storage.next_turn_index(session) == 2
    assert not engine.storage.has_session("another") and engine.storage.get_turns("another") == []


def test_calls_of_tools_are_kept(engine: ContextEngine) -> None:
    engine.record_turn("s", TOOL_TURN)
    [record] = engine.turns("s")
    parts = [part for stored in record["messages"] for part in stored["message"]["parts"]]
    assert parts[1] == {"type": "tool_call", "call_id": "c1", "name": "weather", "arguments": {"city": "Bergen"}}
    assert parts[2]["text"] == '{"rain": true}' and parts[2]["tool"] == "weather"
    assert engine.messages("s", 2, 3)[0]["event_id"] == 2
    shown = engine.build_context("s", "And tomorrow?", provider="openai")
    assert [message["role"] for message in shown] == ["user", "assistant", "tool", "assistant", "user"]
    assert shown[1]["tool_calls"][0]["function"]["name"] == "weather"


def test_a_turn_may_be_repeated_and_extended(engine: ContextEngine) -> None:
    first = engine.record_turn("s", TOOL_TURN[:2], turn_id="t", status="open")
    assert first.status == "open"
    assert engine.record_turn("s", TOOL_TURN[:1], turn_id="t", status="open").effect == "unchanged"
    whole = engine.record_turn("s", TOOL_TURN, turn_id="t", status="open")
    assert (whole.effect, whole.last_event) == ("extended", 4)
    done = engine.finish_turn("s", "t")
    assert (done.status, done.last_event) == ("complete", 4)
    with pytest.raises(ConflictError) as caught:
        engine.record_turn("s", [Message("user", "something else")], turn_id="t")
    assert caught.value.kind == "conflict" and caught.value.code == 3
    with pytest.raises(ConflictError):
        engine.finish_turn("s", "t", "failed")


def test_a_rewound_session_forgets_the_branch(engine: ContextEngine) -> None:
    engine.record_turn("s", [Message("user", "The colour is red."), Message("assistant", "Red.")], turn_id="a")
    engine.record_turn("s", [Message("user", "The colour is blue."), Message("assistant", "Blue.")], turn_id="b")
    engine.set_head("s", "a")
    shown = str(engine.build_context("s", "Which colour is it?"))
    assert "red" in shown and "blue" not in shown
    assert engine.record_exchange("s", "Thanks", "Welcome").parent == 0


def test_wrong_messages_are_named(engine: ContextEngine) -> None:
    for messages, field in [
        ([{"role": "nobody", "content": "a"}], "messages[0].role"),
        ([{"role": "user", "content": "a"}, {"role": "user", "content": 7}], "messages[1].content"),
        ([{"role": "user", "content": [{"type": "song"}]}], "messages[0].content[0]"),
        ([{"role": "user", "content": ""}], "messages[0].parts"),
        ([7], "messages[0]"),
    ]:
        with pytest.raises(InvalidError) as caught:
            engine.record_turn("s", messages)  # type: ignore[arg-type]
        assert caught.value.field == field, messages
        assert isinstance(caught.value, ValueError)
    with pytest.raises(InvalidError) as caught:
        engine.record_exchange("", "a", "b")
    assert caught.value.field == "session_id"
    with pytest.raises(NotFoundError):
        engine.session("nowhere")
    with pytest.raises(TypeError):
        engine.record_exchange("s", "a", None)  # type: ignore[arg-type]


def test_principals_are_apart(engine: ContextEngine) -> None:
    ana, bea = Principal(tenant="shop", user="ana"), Principal(tenant="shop", user="bea")
    engine.record_exchange("s", "My shoe size is 38.", "Noted.", principal=ana)
    assert "38" in str(engine.build_context("s", "What is my shoe size?", principal=ana))
    with pytest.raises(DeniedError) as caught:
        engine.build_context("s", "What is my shoe size?", principal=bea)
    assert caught.value.field == "session_id" and isinstance(caught.value, PermissionError)
    with pytest.raises(DeniedError):
        engine.build_context("s", "What is my shoe size?")
    assert [entry["session_id"] for entry in engine.sessions(principal=ana)] == ["s"]
    assert engine.sessions() == [] and engine.sessions(principal=bea) == []
    assert ana == Principal(tenant="shop", user="ana") != bea and hash(ana) != hash(bea)
    with pytest.raises(InvalidError) as caught:
        Principal(user="x" * 300)
    assert caught.value.field == "user"


def test_facts_have_two_time_axes(engine: ContextEngine) -> None:
    for at, words in [("2024-01-01", "I live in Oslo."), ("2024-06-01", "I just moved to Berlin.")]:
        engine.record_turn("s", [{"role": "user", "text": words, "time": f"{at}T10:00:00Z"}])
    facts = engine.facts("s")
    assert [fact.valid for fact in facts] == [False, True]
    assert "Berlin" in facts[1].text and facts[1].sources == [2] and facts[1].provenance == ["2"]
    [then] = engine.facts("s", valid="2024-03-01T00:00:00Z", known="2999-01-01T00:00:00Z")
    assert "Oslo" in then.text
    assert [fact.text for fact in engine.storage.get_facts("s")] == [fact.text for fact in facts]


def test_what_was_recorded_is_there_again(tmp_path: Path) -> None:
    for round in range(3):
        with ContextEngine(storage=SQLiteStorage(tmp_path / "a.db"), auto_embedder=False) as engine:
            assert engine.record_exchange("s", "a", "b").index == round


def test_pages_are_joined(engine: ContextEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    import context_engine.engine as module

    monkeypatch.setattr(module, "_PAGE", 3)
    for number in range(7):
        engine.record_exchange("s", f"question {number}", f"answer {number}")
    assert [turn.index for turn in engine.storage.get_turns("s")] == list(range(7))
