"""Checking and mending the bodies of requests, made by whomever."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _native


@dataclass(frozen=True)
class Violation:
    """What breaks a rule of a provider."""

    rule: str
    """The rule's permanent id."""
    path: str
    """Where, as a JSON pointer."""
    meaning: str


@dataclass(frozen=True)
class Repair:
    """What was done about a broken rule."""

    rule: str
    path: str
    did: str


def verify(provider: str, request: Mapping[str, Any] | str) -> list[Violation]:
    """Checks the body of a request against the rules of its provider (`openai`, `openai-responses`, `anthropic`, `gemini`)."""
    found = json.loads(_native.verify(provider, _text(request)))
    return [Violation(**violation) for violation in found]


def repair(provider: str, request: Mapping[str, Any] | str) -> tuple[Any, list[Repair]]:
    """Mends the body of a request with the least loss, so that `verify` finds nothing. A text gives a text back."""
    body, done = _native.repair(provider, _text(request))
    repairs = [Repair(**entry) for entry in json.loads(done)]
    return (body if isinstance(request, str) else json.loads(body)), repairs


def _text(request: Mapping[str, Any] | str) -> str:
    return request if isinstance(request, str) else json.dumps(request)
