"""Databases of the package aura-context-engine 0.1.2, one of which wrote `older.db`."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from context_engine import (
    ContextEngine,
    ImportReport,
    InvalidError,
    SQLiteStorage,
    UnavailableError,
    import_database,
)

OLDER = Path(__file__).with_name("older.db")


def test_an_older_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "aura.db"
    shutil.copy(OLDER, path)
    with pytest.raises(InvalidError) as caught:
        ContextEngine(storage=SQLiteStorage(path), auto_embedder=False)
    assert caught.value.field == "path" and "import_database" in str(caught.value)
    assert hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(OLDER.read_bytes()).digest()
    assert [file.name for file in tmp_path.iterdir()] == ["aura.db"]


def test_its_sessions_are_taken_over(stored: ContextEngine) -> None:
    report = import_database(OLDER, stored)
    assert report == ImportReport(sessions=2, turns=5, left_facts=4, left_handoffs=1)
    assert import_database(OLDER, stored) == report
    turns = stored.storage.get_turns("chat-2")
    assert [turn.index for turn in turns] == [0, 1, 2]
    assert turns[0].turn_id == "14178f1d75cb49508462babc10487e1f"
    last = stored.turns("chat-2", 2)[0]["messages"]
    assert [stored_message["message"]["role"] for stored_message in last] == ["user", "tool", "assistant"]
    assert last[0]["message"]["name"] == "Ana" and last[0]["message"]["time"].startswith("2026-11-30T")
    shown = str(stored.build_context("chat-1", "Where do I live now, and what are my cats called?"))
    assert "Berlin" in shown and "Miso" in shown


def test_other_files_are_no_source(tmp_path: Path, stored: ContextEngine) -> None:
    with pytest.raises(UnavailableError):
        import_database(tmp_path / "nothing.db", stored)
    letter = tmp_path / "letter.db"
    letter.write_text("Dear reader")
    with pytest.raises(InvalidError):
        import_database(letter, stored)
    with pytest.raises(InvalidError):
        import_database(tmp_path / "aura.db", stored)
