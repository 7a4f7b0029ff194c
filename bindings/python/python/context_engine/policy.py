"""How a context is compiled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from . import _native


class PolicyMode(str, Enum):
    """How the history is chosen."""

    PRIORITY_SELECTIVE = "priority-selective"
    """Recent turns verbatim, what the question needs from further back, and facts."""
    FULL_HISTORY = "full-history"
    """The whole transcript, as much as the budget holds."""
    WINDOWED = "windowed"
    """The newest turns and nothing else of the history."""
    WINDOW_SUMMARY = "window+summary"
    """The newest turns, and the facts in place of the rest."""


@dataclass
class ContextPolicy:
    """The settings of a compilation. Values out of range raise `InvalidError` naming the field, when the policy is used."""

    mode: PolicyMode | str = PolicyMode.PRIORITY_SELECTIVE
    recency_turns: int = 2
    """How many of the newest turns are shown verbatim."""
    top_k: int | None = None
    """A ceiling on recalled turns (on messages with `recall_unit="message"`); None lets budget and relevance decide."""
    token_budget: int = 4096
    """Input tokens for the whole list: system text, tools, messages and their overhead."""
    facts_enabled: bool = True
    retrieval_enabled: bool = True
    min_relevance: float = 0.015
    """Absolute floor of relevance in [0, 1] below which nothing is recalled."""
    max_facts: int = 12
    include_unselected: bool = False
    """Whether the remaining turns are offered too, as far as the budget goes."""
    tool_top_k: int = 0
    min_tool_relevance: float = 0.0
    max_result_tokens: int = 0
    stale_result_tokens: int = 0
    skill_top_k: int = 0
    min_skill_relevance: float = 0.0
    max_skill_body_tokens: int = 0
    min_handoff_relevance: float = 0.0
    max_handoff_tokens: int = 256
    response_reserve: int = 0
    """Tokens taken off the budget first."""
    max_recall_tokens: int | None = None
    recall_unit: str | None = None
    """`turn` or `message`; None is `turn` where `top_k` is given, else `message`."""
    recall_form: str = "excerpts"
    recall_scope: str = "session"
    sitting_gap: int | str = 6 * 60 * 60
    """A longer pause (seconds, or a text such as "6h") starts a new sitting."""
    on_failure: str = "full-history"
    on_conflict: str = "surface"
    prefix_mode: str = "selective"
    reasoning: str = "keep"
    policy_version: str = "dev"
    """Recorded in every manifest."""
    weights: tuple[float, ...] = (2.0, 2.0, 1.0, 1.0, 1.0, 1.0)
    ranking: Mapping[str, float] | None = None
    """What each signal counts when candidates are ranked; None is as measured."""

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__.pop("_compiled", None)
        object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_compiled"}

    def to_json(self) -> str:
        """The policy in the engine's form, as every other language takes it."""
        given = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        given["mode"] = PolicyMode(given["mode"]).value
        if self.top_k is None:
            given["top_k"] = "auto"
        elif self.top_k <= 0:
            given["top_k"] = "auto"
            given["retrieval_enabled"] = False
        if self.recall_unit is None:
            given["recall_unit"] = "message" if self.top_k is None else "turn"
        given["weights"] = list(self.weights)
        if self.ranking is not None:
            given["ranking"] = dict(self.ranking)
        return json.dumps({name: value for name, value in given.items() if value is not None})

    def _handle(self) -> _native.Policy:
        """The policy as the engine checked it, until a field is set."""
        handle: _native.Policy | None = self.__dict__.get("_compiled")
        if handle is None:
            handle = _native.Policy(self.to_json())
            self.__dict__["_compiled"] = handle
        return handle
