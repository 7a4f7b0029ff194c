"""The engine."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from . import _native, older
from ._native import Cancel, Context, Principal
from .embeddings import Embedder, _Wrapped, default_embedder
from .errors import AuraError
from .messages import normalized, plain, turns_of
from .models import ContextBlock, Fact, Message, Turn
from .policy import ContextPolicy
from .storage import InMemoryStorage, SQLiteStorage
from .tokens import TokenCounter

_FOREVER_MS = 2**63
_PAGE = 1000


class ContextEngine:
    """Records the turns of conversations and compiles contexts from them.

    Any thread may use it at any time, and the interpreter's lock is given up while it works. `copy` and `deepcopy` give
    the same engine. Close it, or use it in a `with` statement; what it has given out stays valid.

    Every call may name a `principal`, who asks; without it the default agent of the default tenant does.
    """

    def __init__(
        self,
        storage: SQLiteStorage | InMemoryStorage | None = None,
        embedder: Embedder | None = None,
        token_counter: TokenCounter | str | None = None,
        default_policy: ContextPolicy | None = None,
        auto_embedder: bool = True,
        *,
        language: str | None = None,
        body_cache_bytes: int = 0,
        sessions: int = 0,
    ) -> None:
        """Opens the engine on a store, by default one in memory.

        `embedder` adds recall by meaning; with `auto_embedder` the local model serves where the extra `embed` is
        installed. `token_counter` is `o200k_base` (the default), `cl100k_base`, `chars/4` or a counter of your own.
        `language` is the ISO 639-1 code of most sessions (`en`), or `und`. `body_cache_bytes` and `sessions` bound what
        is kept in memory; 0 leaves it to the engine.
        """
        self.storage = storage if storage is not None else InMemoryStorage()
        self.storage._attach(self)
        self.default_policy = default_policy if default_policy is not None else ContextPolicy()
        if embedder is None and auto_embedder:
            embedder = default_embedder()
        self.embedder = embedder
        own_counter = token_counter is not None and not isinstance(token_counter, str)
        try:
            self._native = _native.Engine(
                self.storage._path,
                durability=self.storage._durability,
                language=language,
                token_counter=token_counter if isinstance(token_counter, str) else None,
                counter=token_counter if own_counter else None,
                embedder=None if embedder is None else _Wrapped(embedder),
                body_cache_bytes=body_cache_bytes,
                sessions=sessions,
            )
        except BaseException as error:
            self.storage._detach()
            path = self.storage._path
            if isinstance(error, AuraError) and error.field == "path" and path and older.is_older(path):
                raise older.refusal(path) from None
            raise

    # Writing

    def new_session(self) -> str:
        """A fresh session id. The session begins with its first turn."""
        return uuid.uuid4().hex

    def record_turn(
        self,
        session_id: str,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        wait: bool = False,
        turn_id: str | None = None,
        parent: str | None = None,
        status: str = "complete",
        requests: Iterable[str] = (),
        principal: Principal | None = None,
    ) -> Turn:
        """Records messages as a turn, or extends an open turn. What has returned is durable.

        A message is a `Message`, a dictionary as OpenAI and the adapters have it (`role`, `content`, `name`,
        `tool_calls`, `tool_call_id`), or one in the engine's form (`role`, `parts` or `text`, `time`, `metadata`).

        With `turn_id` the call may be repeated: the same messages again change nothing, more messages extend an open
        turn, and anything else raises `ConflictError`. `requests` names the contexts that the turn answers. `wait`
        waits until the facts have been drawn from it.
        """
        given = normalized(messages)
        turn: dict[str, Any] = {"messages": given, "status": status, "requests": list(requests)}
        if turn_id is not None:
            turn["turn_id"] = turn_id
        if parent is not None:
            turn["parent"] = parent
        recorded = self._native.record_turn(principal, session_id, json.dumps(turn))
        if wait:
            self.flush()
        return _turn(session_id, recorded, [plain(message) for message in given])

    def record_exchange(
        self,
        session_id: str,
        user_message: str,
        assistant_message: str,
        *,
        wait: bool = False,
        principal: Principal | None = None,
    ) -> Turn:
        """Records a question and its answer as a complete turn."""
        recorded = self._native.record_exchange(principal, session_id, user_message, assistant_message)
        if wait:
            self.flush()
        messages = [Message("user", user_message), Message("assistant", assistant_message)]
        return _turn(session_id, recorded, messages)

    def finish_turn(
        self, session_id: str, turn_id: str, status: str = "complete", *, principal: Principal | None = None
    ) -> Turn:
        """Moves an open turn to `complete` or `failed`; repeating the call changes nothing."""
        recorded = self._native.finish_turn(principal, session_id, turn_id, status)
        return self._read_turns(session_id, recorded["index"], 1, principal=principal, recorded=recorded)[0]

    def set_head(self, session_id: str, turn_id: str, *, principal: Principal | None = None) -> None:
        """Makes a turn the head of its session, to rewind the conversation or take a branch up again."""
        self._native.set_head(principal, session_id, turn_id)

    def flush(self, timeout: float | None = None) -> None:
        """Waits until the work in the background is done; `BusyError` after `timeout` seconds."""
        self._native.flush(_FOREVER_MS if timeout is None else max(0, round(timeout * 1000)))

    # Contexts

    def build_context(
        self,
        session_id: str,
        question: str,
        policy: ContextPolicy | None = None,
        system_prompt: str | None = None,
        extra_blocks: Sequence[ContextBlock | Mapping[str, Any]] | None = None,
        **options: Any,
    ) -> list[dict[str, Any]]:
        """Compiles the context for a question and gives its messages: a list of `{"role", "content"}` dictionaries.

        `options` are those of `compile_context`, which gives the manifest too.
        """
        if extra_blocks or options:
            context = self.compile_context(session_id, question, policy, system_prompt, extra_blocks, **options)
            return context.messages
        handle = (policy if policy is not None else self.default_policy)._handle()
        return self._native.build_context(session_id, question, handle, system_prompt)

    def compile_context(
        self,
        session_id: str,
        question: str,
        policy: ContextPolicy | None = None,
        system_prompt: str | None = None,
        extra_blocks: Sequence[ContextBlock | Mapping[str, Any]] | None = None,
        *,
        principal: Principal | None = None,
        turn_id: str | None = None,
        head: str | None = None,
        tools: Sequence[Mapping[str, Any]] | None = None,
        provider: str | None = None,
        deadline: float | None = None,
        correlation_id: str | None = None,
        agent_version: str | None = None,
        workflow_stage: str | None = None,
        cancel: Cancel | None = None,
    ) -> Context:
        """Compiles the context for a question. No model is called.

        `turn_id` is the turn the context is for; if it is open, its first user message is the question and `question`
        only what to search by. `head` is the turn whose ancestors are visible. `tools` are dictionaries of `name`,
        `description` and `parameters`. `extra_blocks` are `ContextBlock`s or blocks in the engine's form. `provider` is
        `generic`, `openai`, `openai-responses`, `anthropic` or `gemini`. `deadline` is in seconds: past it optional work
        is skipped. `cancel` stops the call from another thread.
        """
        handle = (policy if policy is not None else self.default_policy)._handle()
        blocks = [
            block._to_block(number) if isinstance(block, ContextBlock) else dict(block)
            for number, block in enumerate(extra_blocks or ())
        ]
        return self._native.compile_context(
            principal,
            session_id,
            question,
            handle,
            turn_id=turn_id,
            head=head,
            system=system_prompt,
            tools=json.dumps([dict(tool) for tool in tools]) if tools else None,
            blocks=json.dumps(blocks) if blocks else None,
            provider=provider,
            deadline_ms=None if deadline is None else max(1, round(deadline * 1000)),
            correlation_id=correlation_id,
            agent_version=agent_version,
            workflow_stage=workflow_stage,
            cancel=cancel,
        )

    def run_transcript(
        self,
        messages: Sequence[Mapping[str, Any]],
        policy: ContextPolicy | None = None,
        system_prompt: str | None = None,
        session_id: str | None = None,
        timings: dict[str, float] | None = None,
    ) -> tuple[list[dict[str, Any]], str]:
        """Records all but the last message of a transcript and compiles the context for the last, a question.

        Gives the messages and the session. `timings` receives `backfill_ms` and `read_ms`.
        """
        session_id = session_id or self.new_session()
        begin = time.perf_counter()
        for turn in turns_of(messages[:-1]):
            self.record_turn(session_id, turn)
        self.flush()
        recorded = time.perf_counter()
        context = self.build_context(session_id, messages[-1]["content"], policy, system_prompt)
        if timings is not None:
            timings["backfill_ms"] = (recorded - begin) * 1000
            timings["read_ms"] = (time.perf_counter() - recorded) * 1000
        return context, session_id

    # Reading

    def sessions(self, *, principal: Principal | None = None, **query: Any) -> list[dict[str, Any]]:
        """Sessions by id. `query`: `user`, `agent`, `after` (a session id, for the next page), `limit` (1,000)."""
        found: list[dict[str, Any]] = json.loads(self._native.sessions(principal, json.dumps(query)))
        return found

    def session(self, session_id: str, *, principal: Principal | None = None) -> dict[str, Any]:
        """A session."""
        found: dict[str, Any] = json.loads(self._native.session(principal, session_id))
        return found

    def turns(
        self, session_id: str, first: int = 0, limit: int = _PAGE, *, principal: Principal | None = None
    ) -> list[dict[str, Any]]:
        """Turns with all that their messages hold, from index `first` on."""
        found: list[dict[str, Any]] = json.loads(self._native.turns(principal, session_id, first, limit))
        return found

    def messages(
        self, session_id: str, first_event: int, last_event: int, *, principal: Principal | None = None
    ) -> list[dict[str, Any]]:
        """The messages of a range of events, both ends included."""
        found: list[dict[str, Any]] = json.loads(self._native.messages(principal, session_id, first_event, last_event))
        return found

    def facts(
        self,
        session_id: str,
        *,
        valid: str | datetime | None = None,
        known: str | datetime | None = None,
        principal: Principal | None = None,
    ) -> list[Fact]:
        """The facts of a session, past ones too; or those that held at `valid` as far as was known at `known`."""
        as_of = {"valid": _time(valid), "known": _time(known)}
        given = {key: at for key, at in as_of.items() if at is not None}
        facts = json.loads(self._native.facts(principal, session_id, json.dumps(given)))
        return [Fact(session_id=session_id, **fact) for fact in facts]

    def manifest(self, request_id: str, *, principal: Principal | None = None) -> dict[str, Any]:
        """The manifest of a context: what went in, what stayed out and why, later what it led to."""
        found: dict[str, Any] = json.loads(self._native.manifest(principal, request_id))
        return found

    def manifests(self, *, principal: Principal | None = None, **query: Any) -> list[dict[str, Any]]:
        """Manifests, newest first. `query`: `session_id`, `since`, `until` (times), `limit` (100)."""
        for key in ("since", "until"):
            if key in query:
                query[key] = _time(query[key])
        found: list[dict[str, Any]] = json.loads(self._native.manifests(principal, json.dumps(query)))
        return found

    def explain(self, request_id: str, block: str, *, principal: Principal | None = None) -> dict[str, Any]:
        """Whether a block (`event:12`, `turn:3`, `question`) was a candidate, lost, or won and was cut."""
        found: dict[str, Any] = json.loads(self._native.explain(principal, request_id, block))
        return found

    # Policies of the tenant, and artifacts

    def propose_policy(
        self,
        subject: str,
        version: str,
        text: str,
        *,
        principal: Principal | None = None,
        **fields: Any,
    ) -> dict[str, Any]:
        """Keeps a version of a policy; until it is approved no block may claim it.

        `fields`: `authority` (0 to 5), `source`, `effective_from`, `expires_at` (times), `labels`.
        """
        for key in ("effective_from", "expires_at"):
            if key in fields:
                fields[key] = _time(fields[key])
        proposal = json.dumps({"subject": subject, "version": version, "text": text, **fields})
        stored: dict[str, Any] = json.loads(self._native.propose_policy(principal, proposal))
        return stored

    def approve_policy(self, subject: str, version: str, *, principal: Principal | None = None) -> dict[str, Any]:
        """Approves a version of a policy: from then on a block may claim it. Who may call this is yours to decide."""
        stored: dict[str, Any] = json.loads(self._native.approve_policy(principal, subject, version))
        return stored

    def policy_versions(self, *, principal: Principal | None = None, **query: Any) -> list[dict[str, Any]]:
        """Versions of policies. `query`: `subject`, `approved_only`, `skip`, `limit` (1,000)."""
        found: list[dict[str, Any]] = json.loads(self._native.policy_versions(principal, json.dumps(query)))
        return found

    def read_artifact(self, handle: str, *, principal: Principal | None = None) -> bytes:
        """The bytes that a handle stands for, such as `artifact://default/report@1#5d41…`."""
        return self._native.read_artifact(principal, handle)

    # Ending

    def close(self) -> None:
        """Refuses new calls and waits for those that run. Closing again does nothing."""
        self._native.close()

    def __enter__(self) -> ContextEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __copy__(self) -> ContextEngine:
        return self

    def __deepcopy__(self, memo: object) -> ContextEngine:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("an engine cannot be pickled; open one in the other process on the same file")

    def _read_turns(
        self,
        session_id: str,
        first: int = 0,
        limit: int | None = None,
        *,
        principal: Principal | None = None,
        recorded: Mapping[str, Any] | None = None,
    ) -> list[Turn]:
        """Turns as objects, page by page."""
        turns: list[Turn] = []
        while limit is None or len(turns) < limit:
            page = self.turns(session_id, first + len(turns), limit or _PAGE, principal=principal)
            turns.extend(_stored_turn(session_id, entry, recorded) for entry in page)
            if not page:
                break
        return turns


def _time(at: str | datetime | None) -> str | None:
    return at.isoformat(timespec="milliseconds") if isinstance(at, datetime) else at


def _turn(session_id: str, recorded: Mapping[str, Any], messages: list[Message]) -> Turn:
    return Turn(
        session_id=session_id,
        index=recorded["index"],
        messages=messages,
        turn_id=recorded["turn_id"],
        created_at=recorded["recorded_at_ms"] / 1000,
        status=recorded["status"],
        parent=recorded["parent"],
        effect=recorded["effect"],
        first_event=recorded["first_event"],
        last_event=recorded["last_event"],
        change_seq=recorded["change_seq"],
    )


def _stored_turn(session_id: str, entry: Mapping[str, Any], recorded: Mapping[str, Any] | None) -> Turn:
    turn = entry["turn"]
    messages = [plain(stored["message"]) for stored in entry["messages"]]
    events = [stored["event_id"] for stored in entry["messages"]]
    at = datetime.fromisoformat(turn["recorded_at"].replace("Z", "+00:00")).timestamp()
    return Turn(
        session_id=session_id,
        index=turn["index"],
        messages=messages,
        turn_id=turn["turn_id"],
        created_at=at,
        status=turn["status"],
        parent=turn["parent"],
        effect=recorded["effect"] if recorded else None,
        first_event=events[0] if events else None,
        last_event=events[-1] if events else None,
        change_seq=recorded["change_seq"] if recorded else None,
    )
