"""Many threads on one engine, and several processes on one file."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from context_engine import ContextEngine, SQLiteStorage


def test_thirty_two_threads(stored: ContextEngine) -> None:
    def work(number: int) -> None:
        for turn in range(10):
            stored.record_exchange("shared", f"thread {number} turn {turn}", "noted")
            stored.record_exchange(f"own-{number}", f"turn {turn}", "noted")
            stored.build_context("shared", f"thread {number}")

    with ThreadPoolExecutor(32) as pool:
        list(pool.map(work, range(32)))
    turns = stored.storage.get_turns("shared")
    assert [turn.index for turn in turns] == list(range(320))
    events = [event for turn in turns for event in (turn.first_event, turn.last_event)]
    assert events == list(range(1, 641))
    for number in range(32):
        texts = [turn.messages[0].content for turn in stored.storage.get_turns(f"own-{number}")]
        assert texts == [f"turn {turn}" for turn in range(10)]


def test_the_lock_of_the_interpreter_is_given_up(engine: ContextEngine) -> None:
    """While one thread is in a long call, another one runs Python."""
    text = "A long message about nothing at all. " * 60_000
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.perf_counter()
    engine.record_exchange("s", text, text)
    end = time.perf_counter()
    done.set()
    ticker.join()
    inside = [at for at in ticks if begin < at < end]
    assert end - begin < 0.01 or len(inside) >= 3


def test_two_processes_share_a_file(tmp_path: Path, stored: ContextEngine) -> None:
    program = f"""
from context_engine import *
with ContextEngine(storage=SQLiteStorage({str(tmp_path / "aura.db")!r}), auto_embedder=False) as engine:
    for number in range(40):
        engine.record_exchange("s", f"other {{number}}", "noted")
"""
    stored.record_exchange("s", "mine", "noted")
    other = subprocess.Popen([sys.executable, "-c", program])
    for number in range(40):
        stored.record_exchange("s", f"mine {number}", "noted")
    assert other.wait(60) == 0
    turns = stored.storage.get_turns("s")
    assert [turn.index for turn in turns] == list(range(81))
    said = {turn.messages[0].content for turn in turns}
    assert {f"other {number}" for number in range(40)} <= said
