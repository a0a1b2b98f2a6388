"""The words of a model in what its interface returned: completions, messages, responses, and lines of batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

WRAPPERS = ("response", "body", "result", "message", "modelOutput")  # around a reply, one inside the other
TEXTS = ("text", "output_text")  # types of the parts that are the model's words
FAILED = ("errored", "canceled", "expired")  # results of a batch without a reply


def reply_of(value: Mapping[str, Any]) -> Any:
    """Return the words of a reply, or the arguments of its one tool call; None where this is no reply.

    >>> reply_of({"custom_id": "a", "response": {"body": {"choices": [{"message": {"content": "[]"}}]}}})
    '[]'
    >>> reply_of({"result": {"message": {"content": [{"type": "text", "text": "{}"}]}}})
    '{}'
    """
    found = (_words_of(own) for own in _unwrap(value))
    return next((one for one in found if one is not None), None)


def has_own_id(value: Mapping[str, Any]) -> bool:
    """Tell a reply that was kept as it came: its `id` is no document's.

    >>> has_own_id({"id": "chatcmpl-1", "object": "chat.completion", "choices": []})
    True
    >>> has_own_id({"id": "a", "choices": []})
    False
    """
    kind = value.get("object")
    of_chat = isinstance(kind, str) and kind in ("chat.completion", "text_completion", "response")
    return of_chat or (value.get("type") == "message" and "content" in value)


def failure_of(value: Mapping[str, Any]) -> str | None:
    """Return why a call brought no reply, as a batch says it; None where it says nothing of the kind.

    >>> failure_of({"custom_id": "a", "response": None, "error": {"message": "timeout"}})
    'timeout'
    """
    for own in _unwrap(value):
        error = own.get("error")
        if error:
            return _reason(error)
        if own.get("type") in FAILED:
            return str(own["type"])
    return None


def _reason(error: Any) -> str:
    """Return the innermost message of an error."""
    while isinstance(error, Mapping):
        inner = error.get("error", error.get("message"))
        if inner is None:
            return str(error.get("type", "an error without a message"))
        error = inner
    return str(error)


def _unwrap(value: Mapping[str, Any], depth: int = 4) -> Iterator[Mapping[str, Any]]:
    """Yield an object, and the objects that it wraps."""
    yield value
    for name in WRAPPERS:
        inner = value.get(name)
        if isinstance(inner, Mapping) and depth:
            yield from _unwrap(inner, depth - 1)


def _words_of(value: Mapping[str, Any]) -> Any:
    """Return the words of a reply that stands here."""
    if isinstance(value.get("output_text"), str):
        return value["output_text"]
    choice = _first_object(value.get("choices"))
    if choice:
        message = choice.get("message")
        return choice.get("text") if not isinstance(message, Mapping) else _words_in(message)
    candidate = _first_object(value.get("candidates"))
    if candidate:
        return _words_in(candidate)
    if isinstance(value.get("output"), Mapping):  # Bedrock, whose parts have no types
        inner = value["output"].get("message")
        parts = _objects_in(inner.get("content")) if isinstance(inner, Mapping) else []
        return "".join(part["text"] for part in parts if isinstance(part.get("text"), str)) or _only_use(parts)
    if isinstance(value.get("output"), list):
        said = [own for own in value["output"] if isinstance(own, Mapping)]
        parts = [part for own in said if own.get("type") == "message" for part in _objects_in(own.get("content"))]
        return _text_of_parts(parts) or _only_call(said)
    parts = _objects_in(value.get("content"))
    typed = bool(parts) and all("type" in part for part in parts)
    return _text_of_parts(parts) or (_only_call(parts) if typed else None)


def _words_in(message: Mapping[str, Any]) -> Any:
    """Return the words of a message: its content as text, in parts, or as the arguments of a tool call."""
    content = message.get("content", message.get("text"))
    if isinstance(content, str) and content.strip():
        return content
    if isinstance(content, Mapping):  # Gemini
        texts = [part["text"] for part in _objects_in(content.get("parts")) if isinstance(part.get("text"), str)]
        return "".join(texts) or None
    return _text_of_parts(_objects_in(content)) or _only_call(_objects_in(message.get("tool_calls")))


def _text_of_parts(parts: list[Mapping[str, Any]]) -> str | None:
    """Return the words of the parts that are text; thoughts and calls are others."""
    texts = [part["text"] for part in parts if part.get("type") in TEXTS and isinstance(part.get("text"), str)]
    return "".join(texts) or None


def _only_call(parts: list[Mapping[str, Any]]) -> Any:
    """Return the arguments of a tool call, where there is one."""
    calls = [part for part in parts if part.get("type") in ("tool_use", "function", "function_call")]
    if len(calls) != 1:
        return None
    inner = calls[0].get("function")
    return (inner if isinstance(inner, Mapping) else calls[0]).get(
        "input" if calls[0].get("type") == "tool_use" else "arguments"
    )


def _only_use(parts: list[Mapping[str, Any]]) -> Any:
    """Return the input of Bedrock's tool use, where there is one."""
    used = [part["toolUse"] for part in parts if isinstance(part.get("toolUse"), Mapping)]
    return used[0].get("input") if len(used) == 1 else None


def _first_object(value: Any) -> Mapping[str, Any]:
    return value[0] if isinstance(value, list) and value and isinstance(value[0], Mapping) else {}


def _objects_in(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
