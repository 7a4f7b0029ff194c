"""Where an engine keeps what it records."""

from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING

from .errors import NotFoundError, _invalid
from .models import Fact, Turn

if TYPE_CHECKING:
    from .engine import ContextEngine


class _Storage:
    """A store of one engine, and a way to read it."""

    _path: str | None = None
    _durability: str = "full"

    def __init__(self) -> None:
        self._engine: ContextEngine | None = None

    def _attach(self, engine: ContextEngine) -> None:
        if self._engine is not None:
            raise _invalid("storage", "belongs to another engine already; share that engine, or open the path again")
        self._engine = engine

    def _detach(self) -> None:
        self._engine = None

    def _attached(self) -> ContextEngine:
        if self._engine is None:
            raise _invalid("storage", "belongs to no engine yet")
        return self._engine

    def has_session(self, session_id: str) -> bool:
        """Whether a turn was recorded in the session."""
        try:
            self._attached().session(session_id)
        except NotFoundError:
            return False
        return True

    def get_turns(self, session_id: str) -> list[Turn]:
        """All turns of the session, in order; none where it does not exist."""
        return self._attached()._read_turns(session_id) if self.has_session(session_id) else []

    def get_facts(self, session_id: str) -> list[Fact]:
        """All facts of the session, past ones too; none where it does not exist."""
        return self._attached().facts(session_id) if self.has_session(session_id) else []

    def next_turn_index(self, session_id: str) -> int:
        """The index that the next turn of the session will have."""
        if not self.has_session(session_id):
            return 0
        return int(self._attached().session(session_id)["turns"])


class InMemoryStorage(_Storage):
    """A store that is gone with its engine."""


class SQLiteStorage(_Storage):
    """A store in a SQLite file, which is made if it is absent. Several engines and processes may have it open.

    `durability`: what a write that has returned survives; `full` the loss of power too, `normal` the death of the
    process. A file written by the older package `aura-context-engine` is refused: `import_database` takes it over.
    """

    def __init__(self, path: str | os.PathLike[str] = "context_engine.db", *, durability: str = "full") -> None:
        super().__init__()
        self._path = os.fspath(path)
        self._durability = durability

    def _attach(self, engine: ContextEngine) -> None:
        super()._attach(engine)
        _FILES.add(self)

    def _detach(self) -> None:
        super()._detach()
        _FILES.discard(self)


_FILES: weakref.WeakSet[SQLiteStorage] = weakref.WeakSet()


def is_open(path: str | os.PathLike[str]) -> bool:
    """Whether an engine of this process has, or had, a file open."""
    for storage in list(_FILES):
        try:
            if storage._path is not None and os.path.samefile(storage._path, path):
                return True
        except OSError:
            # It is gone, so it is another one.
            continue
    return False
