"""Databases of the older package `aura-context-engine` (0.1), which had another format."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import InvalidError, UnavailableError, _invalid
from .messages import normalized
from .storage import is_open

if TYPE_CHECKING:
    from .engine import ContextEngine

_TABLES = frozenset({"sessions", "turns", "facts", "handoffs"})
_TURN_COLUMNS = frozenset({"turn_id", "session_id", "idx", "messages", "created_at"})
_HEADER = b"SQLite format 3\x00"


@dataclass(frozen=True)
class ImportReport:
    """What `import_database` took over."""

    sessions: int
    """Sessions with turns."""
    turns: int
    """Turns, those of an earlier import included."""
    left_facts: int
    """Facts that were not taken over: the engine draws its own from the turns."""
    left_handoffs: int
    """Handoffs between agents that were not taken over."""


def is_older(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a database of the older package.

    A file that an engine of this process has open is not looked into: closing it again would release the locks of the
    engine, for a process has them but once.
    """
    if not os.path.isfile(path) or is_open(path):
        return False
    try:
        with open(path, "rb") as file:
            if file.read(len(_HEADER)) != _HEADER:
                return False
        with closing(_open(path)) as database:
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            columns = {row[1] for row in database.execute("PRAGMA table_info(turns)")}
    except (OSError, sqlite3.Error):
        # Not for us to judge: opening it says what is wrong.
        return False
    return tables >= _TABLES and columns >= _TURN_COLUMNS


def refusal(path: str) -> InvalidError:
    """The exception for opening a database of the older package."""
    return _invalid(
        "path",
        f"{path} was written by the older package aura-context-engine and has another format; "
        f"open a new file and take it over with context_engine.import_database({path!r}, engine)",
    )


def import_database(source: str | os.PathLike[str], engine: ContextEngine) -> ImportReport:
    """Takes the sessions and turns of a database of the older package over, with their ids, order and times.

    The source is only read. Repeating an import that was interrupted finishes it. Facts are not copied, for the engine
    draws its own from the turns; handoffs are not either.
    """
    if not os.path.isfile(source):
        raise UnavailableError(f"source: {os.fspath(source)} does not exist")
    if not is_older(source):
        raise _invalid("source", f"{os.fspath(source)} is no database of the older package aura-context-engine")
    sessions: set[str] = set()
    turns = 0
    with closing(_open(source)) as database:
        rows = database.execute(
            "SELECT session_id, turn_id, messages, created_at FROM turns ORDER BY session_id, idx, created_at, turn_id"
        )
        for session_id, turn_id, messages, created_at in rows:
            _record(engine, session_id, turn_id, messages, created_at)
            sessions.add(session_id)
            turns += 1
        (facts,) = database.execute("SELECT count(*) FROM facts").fetchone()
        (handoffs,) = database.execute("SELECT count(*) FROM handoffs").fetchone()
    return ImportReport(len(sessions), turns, facts, handoffs)


def _record(engine: ContextEngine, session_id: str, turn_id: str, messages: str, created_at: float) -> None:
    at = datetime.fromtimestamp(created_at, timezone.utc).isoformat(timespec="milliseconds")
    recorded: list[dict[str, Any]] = []
    for message in normalized(json.loads(messages)):
        if message.get("parts"):
            message.setdefault("time", at.replace("+00:00", "Z"))
            recorded.append(message)
    if recorded:
        engine.record_turn(session_id, recorded, turn_id=turn_id)


def _open(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Opens a file for reading only."""
    return sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
