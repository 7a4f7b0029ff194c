"""Messages of hosts and frameworks in the engine's form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .errors import _invalid
from .models import Message

_ROLES = {"human": "user", "ai": "assistant", "model": "assistant", "developer": "system"}
_OWN = frozenset({"role", "name", "time", "text", "parts", "native", "metadata"})


def normalized(messages: Iterable[Message | Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Messages in the engine's form."""
    return [_one(message, f"messages[{at}]") for at, message in enumerate(messages)]


def _one(message: Message | Mapping[str, Any], place: str) -> dict[str, Any]:
    if isinstance(message, Message):
        message = message.to_dict()
    if not isinstance(message, Mapping):
        raise _invalid(place, "must be a Message or a dictionary")
    if "content" not in message and ("parts" in message or "text" in message):
        return dict(message)
    role = message.get("role")
    own: dict[str, Any] = {"role": _ROLES.get(role, role) if isinstance(role, str) else role}
    for key in ("name", "time", "metadata", "native"):
        if message.get(key):
            own[key] = message[key]
    content = message.get("content")
    call = message.get("tool_call_id")
    if own["role"] == "tool" and call is not None:
        own.pop("name", None)
        own["parts"] = [_result(message, call, content, place)]
    else:
        own["parts"] = [*_parts(content, place), *_calls(message.get("tool_calls"), place)]
    return own


def _parts(content: Any, place: str) -> list[dict[str, Any]]:
    if content is None or content == "":
        return []
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, Sequence):
        raise _invalid(f"{place}.content", "must be a text or a list of parts")
    return [_part(part, f"{place}.content[{at}]") for at, part in enumerate(content)]


def _part(part: Any, place: str) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if isinstance(part, Mapping):
        kind = part.get("type")
        if kind in ("text", "input_text", "output_text"):
            return {"type": "text", "text": part.get("text", "")}
        if kind in ("tool_call", "tool_result", "media", "opaque"):
            return dict(part)
        if kind in ("image_url", "input_image"):
            image = part.get("image_url")
            uri = image.get("url") if isinstance(image, Mapping) else image
            return {"type": "media", "mime": _mime(uri), "uri": uri}
    raise _invalid(place, "is no part that can be recorded; use `parts` in the engine's form")


def _mime(uri: Any) -> str:
    """The media type that a `data:` URI names."""
    if isinstance(uri, str) and uri.startswith("data:"):
        return uri[5:].split(";")[0].split(",")[0] or "image/*"
    return "image/*"


def _calls(calls: Any, place: str) -> list[dict[str, Any]]:
    own = []
    for at, call in enumerate(calls or []):
        if not isinstance(call, Mapping):
            raise _invalid(f"{place}.tool_calls[{at}]", "must be a dictionary")
        function = call.get("function", call)
        arguments = function.get("arguments", function.get("args", {}))
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments or "{}")
            except ValueError:
                # A model may write what is no JSON; it is kept, as a text.
                pass
        own.append(
            {
                "type": "tool_call",
                "call_id": call.get("id"),
                "name": function.get("name"),
                "arguments": arguments,
            }
        )
    return own


def _result(message: Mapping[str, Any], call: str, content: Any, place: str) -> dict[str, Any]:
    if content is not None and not isinstance(content, str):
        texts = [part["text"] for part in _parts(content, place) if part["type"] == "text"]
        content = "\n".join(texts)
    result: dict[str, Any] = {"type": "tool_result", "call_id": call, "text": content or ""}
    if message.get("name"):
        result["tool"] = message["name"]
    if message.get("is_error") or message.get("status") == "error":
        result["is_error"] = True
    return result


def text_of(message: Mapping[str, Any]) -> str:
    """The words of a message in the engine's form."""
    texts = [message["text"]] if "text" in message else []
    for part in message.get("parts", ()):
        if part.get("text"):
            texts.append(part["text"])
    return "\n".join(texts)


def plain(message: Mapping[str, Any]) -> Message:
    """The words of a message in the engine's form, with who spoke."""
    return Message(str(message.get("role")), text_of(message), message.get("name"))


def turns_of(messages: Iterable[Any]) -> list[list[Any]]:
    """Messages grouped by turn: each user message begins one."""
    turns: list[list[Any]] = []
    for message in messages:
        role = message.role if isinstance(message, Message) else message.get("role")
        if not turns or (_ROLES.get(role, role) == "user" and turns[-1]):
            turns.append([])
        turns[-1].append(message)
    return turns
