"""Agno: the engine keeps the history, and the agent replays none of its own.

    adapter = AgnoContextAdapter(engine)
    agent = Agent(model=model, add_history_to_context=False)
    response = agent.run(input=adapter.to_agno(adapter.messages_for(question)))
    adapter.record_exchange(question, response.content)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..engine import ContextEngine
from ..policy import ContextPolicy


class AgnoContextAdapter:
    """Compiles what an agent is run with, and records what came of it."""

    def __init__(
        self, engine: ContextEngine, session_id: str | None = None, policy: ContextPolicy | None = None
    ) -> None:
        self.engine = engine
        self.session_id = session_id or engine.new_session()
        self.policy = policy

    def messages_for(self, question: str) -> list[dict[str, Any]]:
        """The context for a question."""
        return self.engine.build_context(self.session_id, question, self.policy, provider="openai")

    def record_exchange(self, user_message: str, assistant_message: str) -> None:
        """Records a completed exchange."""
        self.engine.record_exchange(self.session_id, user_message, assistant_message)

    @staticmethod
    def to_agno(messages: Sequence[Mapping[str, Any]]) -> list[Any]:
        """The messages as Agno's own objects."""
        from agno.models.message import Message

        kept = ("role", "content", "name", "tool_calls", "tool_call_id")
        return [Message(**{key: message[key] for key in kept if key in message}) for message in messages]
