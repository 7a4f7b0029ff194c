"""The native part. Only `Cancel`, `Context`, `Principal` and `debug_live` are for users, who find them in `context_engine`."""

from collections.abc import Iterable
from typing import Any, final

VERSION: str

@final
class Principal:
    """Who is asking: tenant, agent, user and the labels held. Immutable."""

    def __new__(
        cls,
        *,
        tenant: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        labels: Iterable[str] = (),
    ) -> Principal: ...
    @property
    def tenant(self) -> str: ...
    @property
    def agent(self) -> str: ...
    @property
    def user(self) -> str | None: ...
    @property
    def labels(self) -> list[str]: ...

@final
class Cancel:
    """Stops every call that was given it; any thread may trigger it."""

    def __new__(cls) -> Cancel: ...
    def cancel(self) -> None:
        """Stops the calls that carry this token, those to come too."""

    @property
    def cancelled(self) -> bool:
        """Whether it was triggered."""

@final
class Context:
    """The messages and tools for one model call, and the manifest that accounts for them. Outlives its engine."""

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages in the form of the provider, ready to be sent."""

    @property
    def request(self) -> dict[str, Any]:
        """The body of a request but for the model and your settings."""

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The admitted tools in the form of the provider."""

    @property
    def manifest(self) -> dict[str, Any]:
        """What went in, what stayed out and why."""

    @property
    def rows(self) -> list[tuple[str, str, int, list[int]]]:
        """Role, section, tokens and event ids of each message of the generic form."""

    def messages_json(self) -> str: ...
    def request_json(self) -> str: ...
    def tools_json(self) -> str: ...
    def manifest_json(self) -> str: ...
    def explain(self, block: str) -> dict[str, Any]:
        """Whether a block (`event:12`, `turn:3`, `question`) was a candidate, lost, or won and was cut."""

    @property
    def request_id(self) -> str: ...
    @property
    def turn_id(self) -> str: ...
    @property
    def tokens(self) -> int: ...
    @property
    def budget(self) -> int: ...
    @property
    def over_budget(self) -> int:
        """By how many tokens the budget is exceeded; 0 when it is not."""

    @property
    def tool_tokens(self) -> int: ...
    @property
    def history_tokens(self) -> int:
        """What the whole visible history with the same question would take."""

    @property
    def outcome(self) -> str:
        """`complete`, `degraded`, `restricted` or `fallback`."""

    @property
    def read_only(self) -> bool:
        """Whether the model should take no action on it."""

    @property
    def provider(self) -> str: ...
    def __len__(self) -> int: ...

@final
class Policy:
    def __new__(cls, text: str) -> Policy: ...
    def json(self) -> str: ...

@final
class Engine:
    def __new__(
        cls,
        path: str | None,
        *,
        durability: str,
        language: str | None,
        token_counter: str | None,
        counter: Any,
        embedder: Any,
        body_cache_bytes: int,
        sessions: int,
    ) -> Engine: ...
    def flush(self, timeout_ms: int) -> None: ...
    def close(self) -> None: ...
    def record_turn(self, principal: Principal | None, session_id: str, turn: str) -> dict[str, Any]: ...
    def record_exchange(
        self, principal: Principal | None, session_id: str, user: str, assistant: str
    ) -> dict[str, Any]: ...
    def finish_turn(
        self, principal: Principal | None, session_id: str, turn_id: str, status: str
    ) -> dict[str, Any]: ...
    def set_head(self, principal: Principal | None, session_id: str, turn_id: str) -> None: ...
    def compile_context(
        self,
        principal: Principal | None,
        session_id: str,
        question: str,
        policy: Policy | None,
        *,
        turn_id: str | None = None,
        head: str | None = None,
        system: str | None = None,
        tools: str | None = None,
        blocks: str | None = None,
        provider: str | None = None,
        deadline_ms: int | None = None,
        correlation_id: str | None = None,
        agent_version: str | None = None,
        workflow_stage: str | None = None,
        cancel: Cancel | None = None,
    ) -> Context: ...
    def build_context(
        self, session_id: str, question: str, policy: Policy | None, system: str | None
    ) -> list[dict[str, Any]]: ...
    def sessions(self, principal: Principal | None, query: str) -> str: ...
    def session(self, principal: Principal | None, session_id: str) -> str: ...
    def turns(self, principal: Principal | None, session_id: str, first: int, limit: int) -> str: ...
    def messages(
        self, principal: Principal | None, session_id: str, first_event: int, last_event: int
    ) -> str: ...
    def facts(self, principal: Principal | None, session_id: str, as_of: str) -> str: ...
    def manifest(self, principal: Principal | None, request_id: str) -> str: ...
    def manifests(self, principal: Principal | None, query: str) -> str: ...
    def explain(self, principal: Principal | None, request_id: str, block: str) -> str: ...
    def propose_policy(self, principal: Principal | None, proposal: str) -> str: ...
    def approve_policy(self, principal: Principal | None, subject: str, version: str) -> str: ...
    def policy_versions(self, principal: Principal | None, query: str) -> str: ...
    def read_artifact(self, principal: Principal | None, handle: str) -> bytes: ...
    def debug_panic(self) -> None: ...

def verify(provider: str, request: str) -> str: ...
def repair(provider: str, request: str) -> tuple[str, str]: ...
def debug_live(kind: str = "all") -> int:
    """How many objects of a kind are alive: `engine`, `policy`, `context`, `cancel`, `callback`, or `all`."""
