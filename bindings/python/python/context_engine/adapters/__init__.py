"""Adapters to agent frameworks: each records completed turns and replaces what a model is sent by a compiled context.

They are imported when they are first used, so that `context_engine` needs none of the frameworks.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .agno import AgnoContextAdapter
    from .google_adk import GoogleADKContextAdapter
    from .langgraph import LangGraphContextAdapter

__all__ = ["AgnoContextAdapter", "GoogleADKContextAdapter", "LangGraphContextAdapter"]

_HOMES = {
    "AgnoContextAdapter": "agno",
    "GoogleADKContextAdapter": "google_adk",
    "LangGraphContextAdapter": "langgraph",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
