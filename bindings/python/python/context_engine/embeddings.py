"""Embedders: what turns texts into vectors, for recall by meaning beside recall by words."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Any, Protocol

from .errors import _invalid


class Embedder(Protocol):
    """What an embedder must have. `embed_many` is optional, and so are the attributes `model` and `dimension`.

    The same text must always give the same vector. It is called from threads of the engine.
    """

    def embed(self, text: str) -> Sequence[float]:
        """The vector of a text."""
        ...


class LocalEmbedder:
    """A model of the package `fastembed` (extra `embed`), which is loaded when it is first needed."""

    def __init__(self, model_name: str = "BAAI/bge-small-en-v1.5", dimension: int = 384) -> None:
        self.model = model_name
        self.dimension = dimension
        self._loaded: Any = None

    def embed(self, text: str) -> list[float]:
        return self.embed_many([text])[0]

    def embed_many(self, texts: list[str]) -> list[list[float]]:
        if self._loaded is None:
            from fastembed import TextEmbedding

            self._loaded = TextEmbedding(model_name=self.model)
        return [vector.tolist() for vector in self._loaded.embed(texts)]


def default_embedder() -> LocalEmbedder | None:
    """The local embedder where the package `fastembed` is installed, else None."""
    return LocalEmbedder() if importlib.util.find_spec("fastembed") else None


class _Wrapped:
    """An embedder with everything that the engine asks for."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.model = str(getattr(inner, "model", None) or getattr(inner, "model_name", None) or _name(inner))
        dimension = getattr(inner, "dimension", None)
        if dimension is None:
            dimension = len(inner.embed("dimension"))
        if not isinstance(dimension, int) or dimension < 1:
            raise _invalid("embedder", "its dimension must be a whole number of at least 1")
        self.dimension = dimension

    def embed(self, text: str) -> list[float]:
        return _floats(self._inner.embed(text))

    def embed_many(self, texts: list[str]) -> list[list[float]]:
        many = getattr(self._inner, "embed_many", None)
        vectors = many(texts) if many is not None else [self._inner.embed(text) for text in texts]
        return [_floats(vector) for vector in vectors]


def _name(inner: Any) -> str:
    return f"{type(inner).__module__}.{type(inner).__qualname__}"


def _floats(vector: Any) -> list[float]:
    return vector.tolist() if hasattr(vector, "tolist") else [float(number) for number in vector]
