"""Google ADK: every model call of a runner's agent is sent a compiled context in place of the session's events.

    adapter = GoogleADKContextAdapter(engine, app_name="my-app")
    session = await adapter.prepare_session(runner)
    async for event in adapter.run(runner, session, question):
        ...
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from ..engine import ContextEngine
from ..messages import turns_of
from ..policy import ContextPolicy


class GoogleADKContextAdapter:
    """Rewrites the requests of a runner's agent and records its finished turns. ADK's own session stays as it is."""

    def __init__(
        self,
        engine: ContextEngine,
        app_name: str = "context-engine",
        user_id: str = "user",
        policy: ContextPolicy | None = None,
        *,
        session_id: str | None = None,
    ) -> None:
        self.engine = engine
        self.app_name = app_name
        self.user_id = user_id
        self.policy = policy
        self.session_id = session_id or engine.new_session()

    async def prepare_session(self, runner: Any) -> Any:
        """A fresh session of ADK."""
        return await runner.session_service.create_session(app_name=self.app_name, user_id=self.user_id)

    async def mirror_history(self, runner: Any, session: Any, messages: Sequence[Mapping[str, Any]]) -> None:
        """Records turns that were completed elsewhere."""
        for turn in turns_of(messages):
            self.engine.record_turn(self.session_id, turn)

    async def run(
        self, runner: Any, session: Any, question: str, agent_name: str | None = None
    ) -> AsyncIterator[Any]:
        """Runs the agent on a question and records the turn when it has answered. `agent_name` is the answer's name."""
        from google.genai import types

        self.attach(runner.agent)
        turn: list[dict[str, Any]] = [{"role": "user", "content": question}]
        answered = False
        message = types.Content(role="user", parts=[types.Part(text=question)])
        async for event in runner.run_async(user_id=self.user_id, session_id=session.id, new_message=message):
            if event.content and event.content.parts and not event.partial:
                turn.extend(_messages(event.content, agent_name))
                answered = answered or event.is_final_response()
            yield event
        if answered:
            self.engine.record_turn(self.session_id, turn)

    def attach(self, agent: Any) -> None:
        """Has an agent call `before_model_callback`; repeating the call changes nothing."""
        callbacks = agent.before_model_callback or []
        callbacks = list(callbacks) if isinstance(callbacks, list) else [callbacks]
        if self.before_model_callback not in callbacks:
            agent.before_model_callback = [*callbacks, self.before_model_callback]

    def before_model_callback(self, callback_context: Any, llm_request: Any) -> None:
        """Replaces the contents of a request: the context, then what followed the question as it is."""
        from google.genai import types

        contents = list(llm_request.contents or [])
        asked = max((at for at, content in enumerate(contents) if _question(content)), default=None)
        if asked is None:
            return
        context = self.engine.build_context(
            self.session_id, _question(contents[asked]), self.policy, provider="gemini"
        )
        compiled = [types.Content.model_validate(content) for content in context]
        llm_request.contents = [*compiled, *contents[asked + 1 :]]


def _question(content: Any) -> str:
    """What a user said; ADK's own notes about other agents and the results of tools are no question."""
    if content.role != "user":
        return ""
    texts = [part.text for part in content.parts or [] if part.text]
    text = "\n".join(texts)
    return "" if text.startswith("For context:") else text


def _messages(content: Any, name: str | None) -> list[dict[str, Any]]:
    """The content of an event in the engine's form: what the model said and called, or what tools gave."""
    said: list[dict[str, Any]] = []
    given: list[dict[str, Any]] = []
    for part in content.parts:
        if part.text and not part.thought:
            said.append({"type": "text", "text": part.text})
        if part.function_call:
            call = part.function_call
            said.append(
                {"type": "tool_call", "call_id": call.id, "name": call.name, "arguments": dict(call.args or {})}
            )
        if part.function_response:
            given.append(_result(part.function_response))
    messages = []
    if said:
        named = {"name": name} if name else {}
        messages.append({"role": "assistant", **named, "parts": said})
    messages.extend({"role": "tool", "parts": [result]} for result in given)
    return messages


def _result(response: Any) -> dict[str, Any]:
    text = json.dumps(response.response or {}, ensure_ascii=False, default=str)
    return {"type": "tool_result", "call_id": response.id, "tool": response.name, "text": text}
