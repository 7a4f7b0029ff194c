"""Opening, closing, copying, panicking, forking; and what is left afterwards."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from context_engine import (
    AuraError,
    BusyError,
    ClosedError,
    ContextEngine,
    CorruptError,
    InMemoryStorage,
    InternalError,
    InvalidError,
    SQLiteStorage,
    UnavailableError,
    __version__,
    debug_live,
)


def test_closing(stored: ContextEngine) -> None:
    stored.record_exchange("s", "a", "b")
    stored.flush(10)
    stored.close()
    stored.close()
    for call in (
        lambda: stored.record_exchange("s", "a", "b"),
        lambda: stored.build_context("s", "q"),
        lambda: stored.sessions(),
        lambda: stored.facts("s"),
    ):
        with pytest.raises(ClosedError):
            call()


def test_closing_while_calls_run(stored: ContextEngine) -> None:
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            while True:
                stored.record_exchange(f"s{number}", "a", "b")
        except ClosedError:
            pass
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    stored.record_exchange("mine", "a", "b")
    stored.close()
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()
    assert failed == []


def test_copies_are_the_same_engine(engine: ContextEngine) -> None:
    assert copy.copy(engine) is engine and copy.deepcopy({"e": engine})["e"] is engine
    with pytest.raises(TypeError):
        pickle.dumps(engine)


def test_a_storage_belongs_to_one_engine(tmp_path: Path) -> None:
    storage = InMemoryStorage()
    with ContextEngine(storage=storage, auto_embedder=False):
        with pytest.raises(InvalidError):
            ContextEngine(storage=storage, auto_embedder=False)
    with pytest.raises(InvalidError):
        InMemoryStorage().get_turns("s")
    broken = SQLiteStorage(tmp_path / "no" / "such" / "a.db")
    with pytest.raises(UnavailableError) as caught:
        ContextEngine(storage=broken, auto_embedder=False)
    assert caught.value.field == "path" and isinstance(caught.value, OSError)
    broken._path = str(tmp_path / "a.db")
    ContextEngine(storage=broken, auto_embedder=False).close()


def test_wrong_options_are_named(tmp_path: Path) -> None:
    for options, field in [
        ({"language": "xx"}, "language"),
        ({"token_counter": "abacus"}, "token_counter"),
        ({"storage": SQLiteStorage(tmp_path / "a.db", durability="perhaps")}, "durability"),
        ({"storage": SQLiteStorage("")}, "path"),
        ({"storage": SQLiteStorage("a\0b")}, "path"),
    ]:
        with pytest.raises(InvalidError) as caught:
            ContextEngine(auto_embedder=False, **options)
        assert caught.value.field == field
    with pytest.raises(TypeError):
        ContextEngine(extractor=object())  # type: ignore[call-arg]


def test_files_that_are_no_store(tmp_path: Path) -> None:
    letter = tmp_path / "letter.db"
    letter.write_text("Dear reader, this is a letter and no database.\n" * 500)
    with pytest.raises(CorruptError) as caught:
        ContextEngine(storage=SQLiteStorage(letter), auto_embedder=False)
    assert caught.value.field == "path"
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with pytest.raises(AuraError):
        ContextEngine(storage=SQLiteStorage(other), auto_embedder=False)


def test_a_busy_store_is_a_busy_error(tmp_path: Path, stored: ContextEngine) -> None:
    stored.record_exchange("s", "a", "b")
    stored.flush()
    # Another process: within one, two copies of SQLite do not see each other's locks.
    program = "import sqlite3, sys; database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
    program += "database.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", program, str(tmp_path / "aura.db")]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None and other.stdout.readline() == "held\n"
    with pytest.raises(BusyError) as caught:
        stored.record_exchange("s", "c", "d")
    assert isinstance(caught.value, TimeoutError)
    other.communicate(timeout=10)
    assert stored.record_exchange("s", "c", "d").index == 1


def test_a_panic_is_an_internal_error_and_no_more(capfd: pytest.CaptureFixture[str]) -> None:
    engine = ContextEngine(auto_embedder=False)
    with pytest.raises(InternalError) as caught:
        engine._native.debug_panic()
    assert "panicked at" in str(caught.value) and caught.value.operation == "debug_panic"
    with pytest.raises(InternalError) as caught:
        engine.record_exchange("s", "a", "b")
    assert ("panicked", "debug_panic") in caught.value.context
    with ContextEngine(auto_embedder=False) as healthy:
        healthy.record_exchange("s", "a", "b")
    assert capfd.readouterr() == ("", "")


def test_dropped_without_closing(tmp_path: Path) -> None:
    gc.collect()
    before = debug_live("engine")
    for number in range(20):
        engine = ContextEngine(storage=SQLiteStorage(tmp_path / f"{number % 3}.db"), auto_embedder=False)
        engine.record_exchange("s", "a", "b")
        del engine
    gc.collect()
    assert debug_live("engine") == before
    with pytest.raises(ValueError):
        debug_live("song")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_an_engine_does_not_survive_a_fork(tmp_path: Path) -> None:
    program = f"""
import os, sys, warnings
warnings.simplefilter("ignore")
from context_engine import *
engine = ContextEngine(storage=SQLiteStorage({str(tmp_path / "a.db")!r}), auto_embedder=False)
engine.record_exchange("s", "a", "b")
child = os.fork()
if child == 0:
    try:
        engine.record_exchange("s", "c", "d")
        os._exit(1)
    except ClosedError as error:
        assert "fork" in str(error)
    del engine
    os._exit(0)
_, status = os.waitpid(child, 0)
assert status == 0, status
assert engine.record_exchange("s", "e", "f").index == 1
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_the_process_may_end_in_the_middle_of_a_call(tmp_path: Path) -> None:
    program = f"""
import threading
from context_engine import *
engine = ContextEngine(storage=SQLiteStorage({str(tmp_path / "a.db")!r}), auto_embedder=False)
def work():
    while True:
        engine.record_exchange("s", "a", "b")
        engine.build_context("s", "q")
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
engine.record_exchange("t", "a", "b")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_version() -> None:
    from importlib.metadata import version

    assert __version__ == version("libaura")


def test_memory_stays_flat(stored: ContextEngine) -> None:
    def used() -> int:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    if not os.path.exists("/proc/self/statm"):
        pytest.skip("this system does not say how much memory a process uses")

    def work(times: int) -> None:
        for _ in range(times):
            stored.build_context("s", "Where do I live?")
            with pytest.raises(InvalidError):
                stored.build_context("", "q")
        stored.flush()

    stored.record_exchange("s", "I live in Oslo.", "Noted.")
    work(1000)
    before = used()
    work(4000)
    assert used() - before < 20_000_000
