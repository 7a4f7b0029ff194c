"""Nasty texts, in words and in ids."""

from __future__ import annotations

import pytest

from context_engine import ContextEngine, InvalidError, Principal

TEXTS = {
    "nul": "a\0b",
    "emoji": "👩‍👩‍👧 and ☔",
    "replacement": "\ufffd",
    "right to left": "שלום עולם \u202e",
    "astral": "𐍈" * 100,
    "line ends": "a\r\nb\u2028c",
    "quotes": "\"\\'\u007f",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_words_come_back(engine: ContextEngine, text: str) -> None:
    engine.record_exchange("s", text, text)
    engine.record_turn("s", [{"role": "user", "content": text}])
    assert [stored["message"]["parts"][0]["text"] for stored in engine.messages("s", 1, 3)] == [text] * 3
    assert engine.build_context("s", text)[-1]["content"].endswith(text)


@pytest.mark.parametrize("half", ["\ud83d", "\ude00", "\ude00\ud83d"])
def test_half_a_pair_is_replaced_in_words_and_refused_in_ids(engine: ContextEngine, half: str) -> None:
    mended = "a" + "\ufffd" * len(half) + "b"
    engine.record_exchange("s", f"a{half}b", "fine")
    engine.record_turn("s", [{"role": "user", "content": f"a{half}b"}])
    assert [stored["message"]["parts"][0]["text"] for stored in engine.messages("s", 1, 3)] == [mended, "fine", mended]
    assert engine.build_context("s", half, system_prompt=half)[0]["content"] == "\ufffd" * len(half)
    for call in (
        lambda: engine.record_exchange(half, "a", "b"),
        lambda: engine.record_turn("s", [{"role": "user", "content": "a"}], turn_id=half),
        lambda: engine.finish_turn("s", half),
        lambda: engine.compile_context("s", "q", correlation_id=half),
        lambda: Principal(user=half),
        lambda: engine.manifest(half),
    ):
        with pytest.raises(InvalidError):
            call()


def test_two_halves_are_one_character(engine: ContextEngine) -> None:
    engine.record_exchange("s", "\ud83d\ude00", "fine")
    assert engine.messages("s", 1, 1)[0]["message"]["parts"][0]["text"] == "😀"


def test_ten_megabytes(engine: ContextEngine) -> None:
    text = "0123456789abcdef " * 600_000
    engine.record_exchange("s", text, "fine")
    assert engine.messages("s", 1, 1)[0]["message"]["parts"][0]["text"] == text
    assert engine.compile_context("s", "What did I say?").tokens <= 4096


def test_an_id_may_be_long_but_not_too_long(engine: ContextEngine) -> None:
    engine.record_exchange("é" * 128, "a", "b")
    with pytest.raises(InvalidError) as caught:
        engine.record_exchange("é" * 129, "a", "b")
    assert caught.value.field == "session_id"
