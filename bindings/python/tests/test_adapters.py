"""The adapters, with the frameworks themselves and models that say what they were sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

import context_engine.adapters as adapters
from context_engine import ContextEngine, ContextPolicy

POLICY = ContextPolicy(token_budget=700, recency_turns=1)


def fill(engine: ContextEngine, session: str) -> None:
    engine.record_exchange(session, "I live in Oslo and I have two cats, Miso and Nori.", "Noted.")
    for number in range(15):
        engine.record_exchange(session, f"Please file invoice {number} of the printer company.", f"Invoice {number} filed.")


def test_the_names() -> None:
    assert set(adapters.__all__) <= set(dir(adapters))
    with pytest.raises(AttributeError):
        adapters.NoSuchAdapter  # noqa: B018


def test_langgraph(engine: ContextEngine) -> None:
    pytest.importorskip("langgraph")
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.prebuilt import create_react_agent

    class Model(BaseChatModel):
        """Calls the tool once for a question about weather, then answers."""

        sent: list[list[Any]] = []

        @property
        def _llm_type(self) -> str:
            return "listening"

        def bind_tools(self, tools: Any, **_: Any) -> Model:
            return self

        def _generate(self, messages: list[Any], stop: Any = None, run_manager: Any = None, **_: Any) -> ChatResult:
            self.sent.append(messages)
            last = messages[-1]
            if isinstance(last, HumanMessage) and "weather" in str(last.content):
                calls = [{"name": "weather", "args": {"city": "Bergen"}, "id": f"call-{len(self.sent)}"}]
                answer = AIMessage("", tool_calls=calls)
            else:
                answer = AIMessage(f"answer {len(self.sent)}")
            return ChatResult(generations=[ChatGeneration(message=answer)])

    def weather(city: str) -> str:
        """Tells the weather."""
        return f"rain in {city}"

    adapter = adapters.LangGraphContextAdapter(engine, "chat", POLICY)
    fill(engine, "chat")
    adapter._recorded = 0
    adapter.session_id = "graph"
    model = Model()
    agent = create_react_agent(
        model, [weather], pre_model_hook=adapter.pre_model_hook, checkpointer=InMemorySaver(), prompt="Be kind."
    )
    config = {"configurable": {"thread_id": "1"}}
    for question in ("I live in Oslo and have two cats, Miso and Nori.", "How is the weather in Bergen?", "And my cats?"):
        agent.invoke({"messages": [("user", question)]}, config)
    engine.flush()

    # The loop of the second turn: the tool's result passes as it is, behind the question.
    loop = model.sent[2]
    assert isinstance(loop[0], SystemMessage) and isinstance(loop[-1], ToolMessage)
    assert loop[-1].content == "rain in Bergen" and loop[-2].tool_calls[0]["id"] == loop[-1].tool_call_id
    # The third turn is answered from what was recorded of the first two, each once.
    last = model.sent[3]
    assert "Miso" in str(last) and "And my cats?" in str(last[-1].content)
    turns = engine.storage.get_turns("graph")
    assert [turn.messages[0].content for turn in turns] == [
        "I live in Oslo and have two cats, Miso and Nori.",
        "How is the weather in Bergen?",
    ]
    assert [message.role for message in turns[1].messages] == ["user", "assistant", "tool", "assistant"]
    shown = [message for message in last if isinstance(message, ToolMessage)]
    assert [message.content for message in shown] == ["rain in Bergen"]
    assert adapter.pre_model_hook({"messages": []}) == {"llm_input_messages": []}
    adapter.record_exchange("bye", "bye")
    assert len(engine.storage.get_turns("graph")) == 3


def test_agno(engine: ContextEngine) -> None:
    pytest.importorskip("agno")
    from agno.agent import Agent
    from agno.models.base import Model
    from agno.models.response import ModelResponse

    sent: list[list[Any]] = []

    class Listening(Model):
        def invoke(self, *_: Any, **given: Any) -> ModelResponse:
            sent.append(list(given["messages"]))
            return ModelResponse(role="assistant", content="Miso and Nori.")

        async def ainvoke(self, *_: Any, **given: Any) -> ModelResponse:
            return self.invoke(**given)

        def invoke_stream(self, *_: Any, **given: Any) -> Any:
            yield self.invoke(**given)

        async def ainvoke_stream(self, *_: Any, **given: Any) -> Any:
            yield self.invoke(**given)

        def _parse_provider_response(self, response: Any, **_: Any) -> ModelResponse:
            return response

        def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
            return response

    adapter = adapters.AgnoContextAdapter(engine, policy=POLICY)
    fill(engine, adapter.session_id)
    agent = Agent(model=Listening(id="listening"), add_history_to_context=False, telemetry=False)
    question = "What are my two cats called?"
    response = agent.run(input=adapter.to_agno(adapter.messages_for(question)))
    adapter.record_exchange(question, response.content)
    assert "Miso" in str([message.content for message in sent[0]])
    assert sent[0][-1].content.endswith(question)
    assert len(sent[0]) < 10
    assert engine.storage.get_turns(adapter.session_id)[-1].messages[1].content == "Miso and Nori."


def test_google_adk(engine: ContextEngine) -> None:
    pytest.importorskip("google.adk")
    from google.adk.agents import LlmAgent
    from google.adk.models import BaseLlm, LlmRequest, LlmResponse
    from google.adk.runners import InMemoryRunner
    from google.genai import types

    sent: list[list[types.Content]] = []

    class Listening(BaseLlm):
        async def generate_content_async(
            self, llm_request: LlmRequest, stream: bool = False
        ) -> AsyncIterator[LlmResponse]:
            sent.append(list(llm_request.contents))
            last = llm_request.contents[-1].parts[-1]
            if last.text and "weather" in last.text:
                part = types.Part.from_function_call(name="weather", args={"city": "Bergen"})
            else:
                part = types.Part(text=f"answer {len(sent)}")
            yield LlmResponse(content=types.Content(role="model", parts=[part]))

    def weather(city: str) -> dict[str, str]:
        """Tells the weather."""
        return {"sky": f"rain in {city}"}

    adapter = adapters.GoogleADKContextAdapter(engine, app_name="app", policy=POLICY)
    fill(engine, adapter.session_id)
    before = len(engine.storage.get_turns(adapter.session_id))
    agent = LlmAgent(name="assistant", model=Listening(model="listening"), instruction="Be kind.", tools=[weather])
    runner = InMemoryRunner(agent=agent, app_name="app")

    async def ask(questions: list[str]) -> None:
        session = await adapter.prepare_session(runner)
        await adapter.mirror_history(runner, session, [{"role": "user", "content": "My name is Ana."}])
        for question in questions:
            async for _ in adapter.run(runner, session, question, "assistant"):
                pass

    asyncio.run(ask(["What are my two cats called?", "How is the weather in Bergen?", "Thanks"]))
    texts = [[part.text or "" for content in contents for part in content.parts] for contents in sent]
    assert "Miso" in str(texts[0]) and texts[0][-1].endswith("What are my two cats called?")
    # The tool loop: call and result stand behind the question.
    assert sent[2][-1].parts[0].function_response.response == {"sky": "rain in Bergen"}
    assert sent[2][-2].parts[0].function_call.name == "weather"
    # The next turn sees the loop from the log, and its own question last.
    assert texts[3][-1].endswith("Thanks") and "rain in Bergen" in str(sent[3])
    turns = engine.storage.get_turns(adapter.session_id)[before:]
    assert [turn.messages[0].content for turn in turns] == [
        "My name is Ana.",
        "What are my two cats called?",
        "How is the weather in Bergen?",
        "Thanks",
    ]
    assert [message.role for message in turns[2].messages] == ["user", "assistant", "tool", "assistant"]
    assert len([callback for callback in [agent.before_model_callback] if callback]) == 1
