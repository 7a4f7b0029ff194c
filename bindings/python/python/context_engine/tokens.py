"""Counting tokens."""

from __future__ import annotations

from typing import Protocol


class TokenCounter(Protocol):
    """A counter of your own. The same text must always give the same count."""

    def count_text(self, text: str) -> int:
        """How many tokens a text has."""
        ...


class HeuristicTokenCounter:
    """About four characters a token, for models whose vocabulary is not known."""

    def __init__(self, chars_per_token: float = 4.0) -> None:
        self.chars_per_token = chars_per_token

    def count_text(self, text: str) -> int:
        return max(1, int(len(text) / self.chars_per_token) + 1)
