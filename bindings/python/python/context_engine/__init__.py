"""Aura, a context engine for LLM agents.

It keeps every turn of every conversation durably, and before each model call compiles a list of messages that holds
what the current question needs and fits a token budget. No model is called to do this.

    from context_engine import ContextEngine, ContextPolicy, SQLiteStorage

    engine = ContextEngine(storage=SQLiteStorage("aura.db"))
    session = engine.new_session()
    engine.record_exchange(session, "I live in Oslo.", "Noted.")
    messages = engine.build_context(session, "Where do I live?", policy=ContextPolicy(token_budget=2048))
"""

from ._native import VERSION as __version__
from ._native import Cancel, Context, Principal, debug_live
from .engine import ContextEngine
from .errors import (
    AuraError,
    BudgetExceededError,
    BusyError,
    CallbackError,
    CancelledError,
    ClosedError,
    ConflictError,
    CorruptError,
    DeniedError,
    InternalError,
    InvalidError,
    NotFoundError,
    UnavailableError,
)
from .models import ContextBlock, Fact, Message, Priority, Turn
from .older import ImportReport, import_database
from .policy import ContextPolicy, PolicyMode
from .requests import Repair, Violation, repair, verify
from .storage import InMemoryStorage, SQLiteStorage

__all__ = [
    "AuraError",
    "BudgetExceededError",
    "BusyError",
    "CallbackError",
    "Cancel",
    "CancelledError",
    "ClosedError",
    "ConflictError",
    "Context",
    "ContextBlock",
    "ContextEngine",
    "ContextPolicy",
    "CorruptError",
    "DeniedError",
    "Fact",
    "ImportReport",
    "InMemoryStorage",
    "InternalError",
    "InvalidError",
    "Message",
    "NotFoundError",
    "PolicyMode",
    "Principal",
    "Priority",
    "Repair",
    "SQLiteStorage",
    "Turn",
    "UnavailableError",
    "Violation",
    "__version__",
    "debug_live",
    "import_database",
    "repair",
    "verify",
]
