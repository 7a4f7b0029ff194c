"""LangGraph: a `pre_model_hook` for agents.

    adapter = LangGraphContextAdapter(engine, policy=ContextPolicy(token_budget=2048))
    agent = create_react_agent(model, tools, pre_model_hook=adapter.pre_model_hook)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..engine import ContextEngine
from ..messages import turns_of
from ..policy import ContextPolicy

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


class LangGraphContextAdapter:
    """Records the finished turns of a graph's state and gives the model a compiled context and the open turn.

    One adapter stands for one thread of conversation. Turns are counted, so that a state that a checkpointer brings back
    is not recorded twice.
    """

    def __init__(
        self, engine: ContextEngine, session_id: str | None = None, policy: ContextPolicy | None = None
    ) -> None:
        self.engine = engine
        self.session_id = session_id or engine.new_session()
        self.policy = policy
        self._recorded = engine.storage.next_turn_index(self.session_id)

    def pre_model_hook(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Gives `llm_input_messages`: instructions of the state, the context, and what followed the question as it is."""
        state_messages = list(state.get("messages", []))
        known = [_known(message) for message in state_messages]
        asked = max((at for at, message in enumerate(known) if message["role"] == "user"), default=None)
        if asked is None:
            return {"llm_input_messages": state_messages}
        start = next(at for at, message in enumerate(known) if message["role"] != "system")
        self._record(known[start:asked])
        question = known[asked]["content"]
        context = self.engine.build_context(
            self.session_id, _text(question), self.policy, provider="openai"
        )
        return {"llm_input_messages": [*state_messages[:start], *context, *state_messages[asked + 1 :]]}

    def record_exchange(self, user_message: str, assistant_message: str) -> None:
        """Records a completed exchange, where the state does not keep it for the next call."""
        self.engine.record_exchange(self.session_id, user_message, assistant_message)
        self._recorded += 1

    def _record(self, history: list[dict[str, Any]]) -> None:
        turns = turns_of(history)
        for turn in turns[self._recorded :]:
            self.engine.record_turn(self.session_id, turn)
        self._recorded = max(self._recorded, len(turns))


def _known(message: Any) -> dict[str, Any]:
    """A message of the state as a dictionary that can be recorded."""
    if isinstance(message, Mapping):
        role = message.get("role", message.get("type", "user"))
        return {**message, "role": _ROLES.get(role, role), "content": message.get("content", "")}
    role = getattr(message, "type", "user")
    known: dict[str, Any] = {"role": _ROLES.get(role, role), "content": message.content}
    for key in ("name", "tool_calls", "tool_call_id", "status"):
        value = getattr(message, key, None)
        if value:
            known[key] = value
    return known


def _text(content: Any) -> str:
    """The words of a message's content."""
    if isinstance(content, str):
        return content
    parts = (part if isinstance(part, str) else part.get("text", "") for part in content or ())
    return "\n".join(part for part in parts if part)
