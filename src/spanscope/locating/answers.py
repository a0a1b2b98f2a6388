"""What a model said, as items: JSON in fences or among words, flat or by label."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from spanscope.errors import InputError, fields_of, plural, shown
from spanscope.locating.lenient_json import Broken, read_leniently
from spanscope.locating.replies import failure_of, reply_of

QUOTES = ("quote", "text", "span", "mention", "extraction_text", "entity_text", "value", "surface", "word", "name")
LABELS = ("label", "type", "tag", "category", "entity_type", "extraction_class", "class", "entity_group", "entity")
LISTS = (
    "spans",
    "entities",
    "items",
    "extractions",
    "quotes",
    "annotations",
    "predictions",
    "mentions",
    "results",
)
RAW = ("output", "response", "completion", "content", "answer", "raw", "generated_text", "message", "prediction")
IDS = ("custom_id", "id", "doc_id", "document_id", "document", "key", "recordId")  # id may be that of a batch
ABOUT = (*IDS, "text", "body", "source_text", "meta", "metadata", "model", "prompt", "usage", "error")  # no labels
STARTS, ENDS = ("start", "begin", "start_char", "start_offset"), ("end", "stop", "end_char", "end_offset")
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(```|~~~)[ \t]*[\w+-]*[ \t]*\n(.*?)(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)


class Answer(NamedTuple):
    """The items of one output, whether its JSON had to be repaired, and why there is none where a call failed."""

    items: list[dict[str, Any]]
    repaired: bool = False
    failure: str | None = None


def read_answer(value: Any, where: str, *, repair: bool = False) -> Answer:
    """Return the items of one output: an object with a list of them, by label or flat, or with a raw text."""
    if isinstance(value, str):
        found, repaired = _json_in(value, where, repair=repair)
        return Answer(list(_items(found, where)), repaired)
    if isinstance(value, Mapping):
        if not any(key in value for key in LISTS):
            raw = next((value[key] for key in RAW if isinstance(value.get(key), str)), None)
            raw = raw if raw is not None else reply_of(value)
            if raw is not None:
                return read_answer(raw, where, repair=repair)
            inner = next((value[key] for key in RAW if isinstance(value.get(key), (list, dict))), None)
            if inner is not None:
                return read_answer(inner, where, repair=repair)
            failure = failure_of(value) or _without_words(value)
            if failure is not None:
                return Answer([], failure=failure)
        told = {key: own for key, own in value.items() if key not in ABOUT or isinstance(own, list)}
        return Answer(list(_items(told, where)))
    if isinstance(value, (list, tuple)):
        return Answer(list(_items(list(value), where)))
    raise InputError(f"the output is {shown(value)}", where=where, expected="items, or the text of a model")


def _without_words(value: Mapping[str, Any]) -> str | None:
    """Return why an object holds no answer where its only answer is null; None where it may hold one."""
    answer = next((key for key in RAW if key in value and value[key] is None), None)
    listed = any(isinstance(own, (list, dict)) for key, own in value.items() if key not in ABOUT)
    return None if answer is None or listed else f"{answer} is null"


def _json_in(text: str, where: str, *, repair: bool) -> tuple[Any, bool]:
    """Return the one JSON value of a model's text: in a fence, or the balanced one among its words."""
    body = _THOUGHT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    fences = [found[2] for found in _FENCE.finditer(body) if found[2].lstrip()[:1] in ("{", "[")]
    parts = fences or [body]
    found = [value for part in parts for value in _values(part)]
    if len(found) > 1 and all(found[0] == one for one in found[1:]):
        found = found[:1]
    if len(found) > 1 and not fences and all(isinstance(one, dict) and _is_item(one) for one in found):
        found = [found]  # an item a line
    if len(found) == 1:
        return found[0], False
    if (inner := _text_in(body)) is not None:
        return _json_in(inner, where, repair=repair)
    if len(found) > 1:
        what = f"the output holds {plural(len(found), 'JSON value')}"
        raise InputError(what, where=where, expected="one, in a fence or among words")
    if repair:
        try:
            return read_leniently(parts[-1]), True
        except Broken as error:
            raise InputError(f"the output cannot be repaired: {error}", where=where, expected="JSON") from None
    raise _explain(body, where)


def _text_in(body: str) -> str | None:
    """Return the text that was made JSON once more."""
    if body.lstrip()[:1] != '"':
        return None
    try:
        own = json.loads(body)
    except ValueError:
        return None
    return own if isinstance(own, str) else None


def _values(text: str) -> Iterator[Any]:
    """Yield the JSON objects and lists of a text, exactly as they stand; words around them are skipped.

    What begins like JSON and is broken ends the search: part of an answer must not pass for all of it.
    """
    decoder, at = json.JSONDecoder(), 0
    while found := re.compile(r"[{\[]").search(text, at):
        try:
            value, at = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            if re.match(r"[{\[]\s*[{\[\"'}\]]", text[found.start() : found.start() + 80]):
                return
            at = found.end()  # a brace in prose
            continue
        if not value or isinstance(value, dict) or isinstance(value[0], (dict, str)) or found.start() == 0:
            yield value


def _explain(text: str, where: str) -> InputError:
    """Say where the JSON of an output is broken."""
    start = re.search(r"[{\[]", text)
    hint = "--repair-json (repair_json=True) to repair it; repaired outputs are counted"
    if start is None:
        return InputError("the output holds no JSON", where=where, expected="JSON, in a fence or among words")
    try:
        json.JSONDecoder().raw_decode(text, start.start())
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno} of the output"
        cut = not text[error.pos :].strip() or error.msg.startswith("Unterminated")
        what = (
            f"the output is cut off at {place}" if cut else f"the output is not valid JSON at {place}: {error.msg}"
        )
        return InputError(what, where=where, expected="a whole JSON value", hint=hint)
    except (ValueError, RecursionError):
        pass
    return InputError("the output is not valid JSON", where=where, expected="a whole JSON value", hint=hint)


def _items(value: Any, where: str) -> Iterator[dict[str, Any]]:
    """Yield the items of a parsed output."""
    if isinstance(value, Mapping):
        inner = next((value[key] for key in LISTS if isinstance(value.get(key), (list, dict))), None)
        if inner is not None:
            yield from _items(inner, where)
        elif _is_item(value):
            yield _item(value, where, "", 0)
        elif all(isinstance(one, (list, str, Mapping)) or one is None for one in value.values()):
            yield from _by_label(value, where)
        else:
            raise _no_items(value, where)
        return
    if not isinstance(value, list):
        raise InputError(f"the output holds {shown(value)}", where=where, expected="a list of items")
    for number, one in enumerate(value):
        if isinstance(one, Mapping) and not _is_item(one) and len(one) == 1:
            yield from _by_label(one, where)
        else:
            yield _item(one, where, "", number)


def _is_item(value: Mapping[str, Any]) -> bool:
    """Tell an item from an object of labels: it has a quote, or a label beside offsets."""
    quoted = any(isinstance(value.get(key), str) for key in QUOTES)
    placed = any(isinstance(value.get(key), int) for key in STARTS)
    labelled = any(isinstance(value.get(key), str) for key in LABELS)
    return (quoted and (labelled or placed or len(value) == 1 or "quote" in value)) or (
        labelled and not _lists(value)
    )


def _lists(value: Mapping[str, Any]) -> bool:
    return any(isinstance(one, (list, Mapping)) for one in value.values())


def _by_label(value: Mapping[str, Any], where: str) -> Iterator[dict[str, Any]]:
    """Yield the items of an object of lists by label."""
    for label, own in value.items():
        listed = own if isinstance(own, list) else [] if own is None else [own]
        for number, one in enumerate(listed):
            yield _item(one, where, str(label), number)


def _item(one: Any, where: str, label: str, number: int) -> dict[str, Any]:
    """Return an item under our own names."""
    if isinstance(one, str) or one is None:
        return {"quote": one, "label": label}
    if not isinstance(one, Mapping):
        raise InputError(f"item {number} is {shown(one)}", where=where, expected="a quote, or an object with one")
    if not any(name in one for name in (*QUOTES, *STARTS, *LABELS[-1:], "char_interval")):
        raise _no_quote(one, where, number)
    quote = _first(one, QUOTES)
    named = _first(one, LABELS)
    if quote is None and named is not None and "entity" in one and isinstance(one["entity"], str):
        quote, named = one["entity"], _first(one, LABELS[:-1])
    if quote is not None and not isinstance(quote, str):
        raise InputError(f"the quote of item {number} is {shown(quote)}", where=where, expected="a text")
    out: dict[str, Any] = {"quote": quote, "label": label or ("" if named is None else str(named))}
    interval = one.get("char_interval")
    for key, names in (("start", STARTS), ("end", ENDS)):
        own = _first(one, names)
        if own is None and isinstance(interval, Mapping):
            own = interval.get(f"{key}_pos")
        if isinstance(own, int) and not isinstance(own, bool):
            out[key] = own
    score = _first(one, ("score", "confidence", "probability"))
    return out | ({"score": score} if isinstance(score, (int, float)) and not isinstance(score, bool) else {})


def _first(one: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((one[name] for name in names if one.get(name) is not None), None)


def _no_quote(one: Mapping[str, Any], where: str, number: int) -> InputError:
    return InputError(
        f"item {number} has no quote: it has {fields_of(one)}",
        where=where,
        expected=f"the words of the document under one of {', '.join(QUOTES[:4])}",
    )


def _no_items(value: Mapping[str, Any], where: str) -> InputError:
    return InputError(
        f"the output has no list of items: it has {fields_of(value)}",
        where=where,
        expected=f"a list under one of {', '.join(LISTS[:5])}, or lists by label",
    )
