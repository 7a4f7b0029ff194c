"""Embedders and token counters written in Python."""

from __future__ import annotations

import gc
import hashlib
import math
import threading
import time

import pytest

from context_engine import AuraError, CallbackError, ContextEngine, ContextPolicy, debug_live
from context_engine.tokens import HeuristicTokenCounter


class Meanings:
    """Texts about the same thing have the same vector."""

    dimension = 8

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, text: str) -> list[float]:
        self.texts.append(text)
        things = {"feline": 0, "cat": 0, "puss": 0, "car": 1, "vehicle": 1}
        for word, axis in things.items():
            if word in text.lower():
                return [1.0 if at == axis else 0.01 for at in range(self.dimension)]
        noise = hashlib.sha256(text.encode()).digest()
        return [byte / 255 + 0.001 if at > 1 else 0.001 for at, byte in enumerate(noise[: self.dimension])]


def test_recall_by_meaning() -> None:
    embedder = Meanings()
    with ContextEngine(embedder=embedder) as engine:
        engine.record_exchange("s", "My puss sleeps all day.", "How sweet.")
        for number in range(12):
            engine.record_exchange("s", f"Invoice {number} was paid.", "Noted.")
        engine.flush(30)
        assert any("puss" in text for text in embedder.texts)
        shown = engine.compile_context("s", "What does the feline do?")
        assert shown.manifest["coverage"]
        assert "feline" in str(embedder.texts)


@pytest.mark.parametrize("wrong", ["raise", "count", "dimension", "nan", "none"])
def test_an_embedder_that_fails_harms_nothing_else(wrong: str) -> None:
    class Broken:
        dimension = 4
        model = "broken"

        def embed(self, text: str) -> list[float]:
            return self.embed_many([text])[0]

        def embed_many(self, texts: list[str]) -> list[list[float]]:
            if wrong == "raise":
                raise RuntimeError("my own failure")
            if wrong == "count":
                return []
            if wrong == "none":
                return None  # type: ignore[return-value]
            return [[math.nan] * 4 if wrong == "nan" else [1.0] * 3 for _ in texts]

    gc.collect()
    before = debug_live("callback")
    engine = ContextEngine(embedder=Broken())
    engine.record_exchange("s", "I live in Oslo.", "Noted.")
    assert "Oslo" in str(engine.build_context("s", "Where do I live?"))
    with pytest.raises(AuraError) as caught:
        engine.flush(2)
    if wrong == "raise" and isinstance(caught.value, CallbackError):
        assert isinstance(caught.value.__cause__, RuntimeError)
    engine.close()
    del engine, caught
    gc.collect()
    assert debug_live("callback") == before


def test_an_embedder_that_stalls_does_not_stall_us() -> None:
    release = threading.Event()

    class Stalling:
        dimension = 4
        model = "stalling"

        def embed(self, text: str) -> list[float]:
            release.wait(20)
            return [1.0, 0.0, 0.0, 0.0]

    engine = ContextEngine(embedder=Stalling())
    begin = time.perf_counter()
    engine.record_exchange("s", "I live in Oslo.", "Noted.")
    assert "Oslo" in str(engine.build_context("s", "Where do I live?", deadline=0.2))
    assert time.perf_counter() - begin < 5
    release.set()
    engine.close()


def test_an_embedder_may_call_and_close_the_engine() -> None:
    closed = threading.Event()

    begun = threading.Event()

    class Calling:
        dimension = 2
        model = "calling"
        engine: ContextEngine

        def embed(self, text: str) -> list[float]:
            if not begun.is_set():
                begun.set()
                self.engine.sessions()
                self.engine.close()
                closed.set()
            return [1.0, 0.0]

    embedder = Calling()
    engine = ContextEngine(embedder=embedder)
    embedder.engine = engine
    engine.record_exchange("s", "a", "b")
    assert closed.wait(5)
    engine.close()
    del embedder.engine


def test_an_unusable_embedder_is_refused() -> None:
    class Empty:
        def embed(self, text: str) -> list[float]:
            return []

    with pytest.raises(ValueError):
        ContextEngine(embedder=Empty())
    with pytest.raises(AttributeError):
        ContextEngine(embedder=object())  # type: ignore[arg-type]


def test_a_counter_of_ones_own() -> None:
    with ContextEngine(auto_embedder=False, token_counter=HeuristicTokenCounter()) as engine:
        engine.record_exchange("s", "I live in Oslo.", "Noted.")
        context = engine.compile_context("s", "Where do I live?")
        assert context.tokens > 0
    with ContextEngine(auto_embedder=False, token_counter="chars/4") as engine:
        assert engine.compile_context("s", "Where do I live?").tokens > 0


def test_a_counter_that_raises_is_the_cause() -> None:
    class Broken:
        def count_text(self, text: str) -> int:
            raise KeyError("my own failure")

    with ContextEngine(auto_embedder=False, token_counter=Broken()) as engine:
        with pytest.raises(CallbackError) as caught:
            engine.build_context("s", "Where do I live?", ContextPolicy(on_failure="error"))
        cause = caught.value.__cause__
        assert isinstance(cause, KeyError) and "count_text" in "".join(getattr(cause, "__notes__", ["count_text"]))
        assert caught.value.kind == "callback" and caught.value.causes
        del caught, cause


def test_an_exception_that_the_engine_keeps_holds_nothing() -> None:
    """Its frames would reach the engine, which then would never go."""

    class Failing:
        dimension = 2
        model = "failing"
        engine: ContextEngine

        def embed(self, text: str) -> list[float]:
            engine = self.engine
            engine.session("nowhere")
            return []

    embedder = Failing()
    embedder.engine = ContextEngine(embedder=embedder)
    embedder.engine.record_exchange("s", "a", "b")
    with pytest.raises(AuraError):
        embedder.engine.flush(0.5)
    embedder.engine.close()
    del embedder.engine
