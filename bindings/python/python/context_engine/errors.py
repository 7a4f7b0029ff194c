"""Exceptions. Each kind calls for one reaction; all are `AuraError`s and, where Python has a fitting class, of that too."""

from __future__ import annotations

import traceback
from types import TracebackType
from typing import Any


class AuraError(Exception):
    """A call failed. The texts never hold stored text."""

    kind: str = "internal"
    """The kind's name, such as `not-found`."""
    code: int = 12
    """The kind's permanent number, the same in every language."""
    operation: str = ""
    """What failed."""
    field: str | None = None
    """The parameter or field that was wrong, such as `messages[2].role`."""
    context: list[tuple[str, str]] = []
    """What else is known."""
    causes: list[str] = []
    """The cause, the cause of that, and so on."""


class InvalidError(AuraError, ValueError):
    """An argument is wrong; `field` names it. Correct the call."""


class NotFoundError(AuraError, LookupError):
    """What was asked for does not exist (any more)."""


class ConflictError(AuraError):
    """The call contradicts what is stored, for example another turn under the same id."""


class DeniedError(AuraError, PermissionError):
    """The principal may not do or see this."""


class BusyError(AuraError, TimeoutError):
    """Somebody else holds a lock for longer than the time-out. Retry."""


class ClosedError(AuraError):
    """The engine has been closed."""


class CorruptError(AuraError):
    """Stored bytes are damaged or of an unknown format."""


class UnavailableError(AuraError, OSError):
    """The environment failed (disk full, file unreadable). Mend it and retry."""


class BudgetExceededError(AuraError):
    """A hard limit cannot be kept."""


class CancelledError(AuraError):
    """The caller cancelled, or the deadline passed before anything valid existed."""


class CallbackError(AuraError):
    """A callback of yours raised an exception, which is the `__cause__`."""


class InternalError(AuraError, RuntimeError):
    """A defect of the engine. After it the engine only raises this; open another."""


_CLASSES: dict[str, type[AuraError]] = {
    "invalid": InvalidError,
    "not-found": NotFoundError,
    "conflict": ConflictError,
    "denied": DeniedError,
    "busy": BusyError,
    "closed": ClosedError,
    "corrupt": CorruptError,
    "unavailable": UnavailableError,
    "budget-exceeded": BudgetExceededError,
    "cancelled": CancelledError,
    "callback": CallbackError,
    "internal": InternalError,
}


def _make(
    *,
    kind: str,
    code: int,
    message: str,
    operation: str,
    field: str | None,
    context: list[tuple[str, str]],
    causes: list[str],
) -> AuraError:
    """The exception for an error of the engine."""
    error = _CLASSES.get(kind, AuraError)(message)
    error.kind = kind
    error.code = code
    error.operation = operation
    error.field = field
    error.context = context
    error.causes = causes
    return error


def _detached(error: BaseException, frames: TracebackType | None) -> BaseException:
    """An exception without its frames, which it then has as a note where Python has notes."""
    text = "".join(traceback.format_exception(type(error), error, frames))
    seen: BaseException | None = error
    while seen is not None:
        seen.__traceback__ = None
        seen = seen.__cause__ or seen.__context__
    if hasattr(error, "add_note"):
        error.add_note(text)
    return error


def _invalid(field: str, problem: str, **more: Any) -> InvalidError:
    """The exception for an argument that Python itself found wrong."""
    error = InvalidError(f"{field}: {problem}")
    error.kind, error.code, error.field = "invalid", 1, field
    error.context = [(key, str(value)) for key, value in more.items()]
    return error
