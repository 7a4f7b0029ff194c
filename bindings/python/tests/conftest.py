"""What the tests share: an engine, and a look at what is left alive."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from context_engine import ContextEngine, SQLiteStorage, debug_live


@pytest.fixture
def engine() -> Iterator[ContextEngine]:
    with ContextEngine(auto_embedder=False) as engine:
        yield engine


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[ContextEngine]:
    with ContextEngine(storage=SQLiteStorage(tmp_path / "aura.db"), auto_embedder=False) as engine:
        yield engine


@pytest.fixture(autouse=True)
def nothing_stays_alive() -> Iterator[None]:
    """Every test ends with as many native objects as it began with."""
    gc.collect()
    # An engine may still be held by a fixture, which ends after this one.
    kinds = ("context", "cancel", "callback")
    before = {kind: debug_live(kind) for kind in kinds}
    yield
    deadline = time.monotonic() + 10
    while True:
        gc.collect()
        # A thread of an engine that was closed by its callback ends a moment later.
        if all(debug_live(kind) <= before[kind] for kind in kinds):
            return
        assert time.monotonic() < deadline, {kind: debug_live(kind) - before[kind] for kind in kinds}
        time.sleep(0.01)
