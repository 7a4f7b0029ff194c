"""What is recorded and read: messages, turns, facts, and blocks that the host adds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any


@dataclass
class Message:
    """A message of one text. Messages with tool calls, results or media are dictionaries; see `ContextEngine.record_turn`."""

    role: str
    content: str
    name: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The message as a dictionary, without a name where it has none."""
        message: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.name:
            message["name"] = self.name
        return message


@dataclass
class Turn:
    """A recorded turn: a question and all that follows it up to the next one."""

    session_id: str
    index: int
    """Its number in the session, gapless from 0."""
    messages: list[Message]
    """Its texts; tool calls and media are in the dictionaries of `ContextEngine.turns`."""
    turn_id: str
    created_at: float
    """When it was first recorded, in seconds since 1970."""
    status: str = "complete"
    """`open`, `complete` or `failed`."""
    parent: int | None = None
    """The index of the turn it follows."""
    effect: str | None = None
    """What recording it did: `created`, `extended` or `unchanged`; None where it was read."""
    first_event: int | None = None
    last_event: int | None = None
    change_seq: int | None = None
    """How many mutations the session had seen with this one; None where it was read."""

    @property
    def text(self) -> str:
        """The texts, each behind its role."""
        return "\n".join(f"{message.role}: {message.content}" for message in self.messages)


@dataclass
class Fact:
    """A short statement about a session, with its sources and both time axes (RFC 3339)."""

    session_id: str
    text: str
    fact_id: str
    subject: str = ""
    sources: list[int] = field(default_factory=list)
    """The ids of the events that state it."""
    trust: str = "untrusted"
    valid_from: str | None = None
    valid_to: str | None = None
    recorded_at: str | None = None
    invalidated_at: str | None = None
    invalidated_by: int | None = None
    replaced_by: str | None = None

    @property
    def valid(self) -> bool:
        """Whether nothing has retired it."""
        return self.invalidated_at is None

    @property
    def provenance(self) -> list[str]:
        """The ids of the events that state it, as texts."""
        return [str(event) for event in self.sources]


class Priority(IntEnum):
    """The classes of admission. A lower number has priority."""

    P1 = 1
    P2 = 2
    P3 = 3
    P4 = 4
    P5 = 5


@dataclass
class ContextBlock:
    """Material of the host for one context.

    P1 is a constraint of the user, which is always shown; everything else is evidence, which is shown, fenced as data,
    where the budget allows it.
    """

    priority: Priority
    kind: str
    messages: list[Message]
    tokens: int = 0

    def _to_block(self, number: int) -> dict[str, Any]:
        """The block in the engine's form."""
        constraint = self.priority == Priority.P1
        return {
            "block_id": f"{self.kind or 'block'}-{number}",
            "kind": "user-constraint" if constraint else "evidence",
            "trust": "verified" if constraint else "untrusted",
            "source": self.kind or None,
            "payload": {"text": "\n".join(message.content for message in self.messages)},
        }
