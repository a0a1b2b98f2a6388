"""Documents with tokens and tags, and lists of tags: what every shape of tagged tokens is read into."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any

from spanscope.arguments import identifier
from spanscope.data.problems import Problem
from spanscope.errors import InputError, fields_of, shown
from spanscope.io.arrow import TableRows
from spanscope.io.documents import documents_in
from spanscope.io.fields import name_of, value_of
from spanscope.io.hugging_face import class_names
from spanscope.io.metadata import META, Meta, meta_of
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES
from spanscope.io.spans.objects import CONTAINERS
from spanscope.io.strict import Report
from spanscope.io.surrogates import any_half, has_half, refuse_half, refuse_halves
from spanscope.io.tokens.recognise import TAGS, TOKENS, as_lists
from spanscope.io.tokens.tag_numbers import Names

STARTS = ("start_indices", "starts")
TEXT = ("text", "full_text")


@dataclass(eq=False)
class Sentences:
    """What a source holds: tokens and tags one after the other, and where each document stands."""

    name: str
    sizes: list[int]
    tags: dict[str, list[str]]  # by side; `gold` where a source has one column of tags only
    tokens: list[str] | None = None
    starts: list[int] | None = None
    texts: list[str | None] | None = None
    ids: list[str] | None = None
    where: Callable[[int, int], str] = lambda doc, token: f"{doc}:{token}"
    sha256: str | None = None
    problems: list[Problem] = field(default_factory=list)  # what is odd about the files, whatever the tags
    ends: list[int] | None = None  # beside starts, where tokens are not as long as their places
    groups: list[str] | None = None  # of each document, where the source says what it is a part of
    names: Sequence[str] | None = None  # of tags that are numbers, where the source has some
    meta: list[Meta | None] | None = None  # of documents
    in_comments: bool = False  # ids stand in comments, which the other side need not have

    @cached_property
    def distinct(self) -> dict[str, set[str]]:
        """Return the different tags of each side, once all are there: few, where every token has one."""
        return {side: set(tags) for side, tags in self.tags.items()}


def from_documents(source: Any, options: ReadOptions) -> Sentences:
    """Return documents with tokens and tags or lists of tags, of a JSON file or in memory."""
    side, rules = options.side, options.tags
    if isinstance(source, FILES):
        file = open_source(source)
        if rules.input == "conll":
            raise InputError("is a table or JSON, and not CoNLL", where=file.name, expected="lines of text")
        found = documents_in(file, _unwrap, CONTAINERS, Report())
        own = class_names(file.held.table) if isinstance(file.held, TableRows) else {}
        if isinstance(found.value, dict) and isinstance(found.value.get("names"), list):
            own = _for_all([str(name) for name in found.value["names"]])
        names = Names(options, own)
        return replace(_collect(found.values, file.name, found.where, options, names), sha256=file.sha256)
    documents, own = source, {}
    if isinstance(source, Mapping):
        documents = next((source[key] for key in CONTAINERS if isinstance(source.get(key), list)), [source])
        if isinstance(source.get("names"), list):
            refuse_halves(source["names"], "names", side)
            own = _for_all([str(name) for name in source["names"]])
    elif isinstance(documents, (list, tuple)) and set(map(type, documents)) != {list}:
        documents = [as_lists(one) for one in documents]
    if not isinstance(documents, (list, tuple)):
        raise InputError(
            f"the input is {shown(source)}", expected="documents with tokens and tags, or lists of tags"
        )
    return _collect(documents, side, lambda row: f"{side}[{row}]", options, Names(options, own))


def _for_all(names: list[str]) -> dict[str, list[str]]:
    """Return the names of tags by every column that may have numbers for them."""
    return dict.fromkeys(chain(*TAGS.values()), names)


def _unwrap(value: Any, _where: str) -> list[Any]:
    """Return the documents of a JSON value; one list of tags is one of them."""
    found = value
    if isinstance(value, dict):
        found = next((value[key] for key in CONTAINERS if isinstance(value.get(key), list)), [value])
    if isinstance(found, list) and found and isinstance(found[0], str):
        return [found]
    return list(found)


def _collect(
    documents: Sequence[Any], name: str, where: Callable[[int], str], options: ReadOptions, names: Names
) -> Sentences:
    """Return documents with tokens and tags, or plain lists of tags."""
    side, both = options.side, options.both
    if documents and all(issubclass(kind, (list, tuple)) for kind in set(map(type, documents))):
        if both:
            raise InputError("there are no predictions", expected="lists of tags for gold and for predictions")
        tags = names.tags(chain.from_iterable(documents))
        out = Sentences(name, list(map(len, documents)), {"gold": tags}, where=lambda doc, _: where(doc))
        if any_half(out.distinct["gold"]):
            for row, one in enumerate(documents):
                refuse_halves(one, "tags", where(row))
        return out
    out = Sentences(name, [], {"gold": [], **({"pred": []} if both else {})}, [], [], [], [], meta=[])
    out.where, out.names = (lambda doc, _: where(doc)), names.known()
    for row, document in enumerate(documents):
        _add(out, document, where(row), names, side)
        _append(out.meta, [meta_of(document.get(META), document, options.keep_fields)])
    for key, tags in out.tags.items():
        if any_half(out.distinct[key]):
            for row, last in enumerate(accumulate(out.sizes)):
                refuse_halves(tags[last - out.sizes[row] : last], "tags", where(row))
    if out.starts and len(out.starts) != len(out.tokens or []):
        raise InputError("some documents have start_indices and others do not", where=name, expected="all or none")
    out.starts = out.starts or None
    out.ids = _ids(out.ids or [], where)
    out.texts = out.texts if any(text is not None for text in out.texts or []) else None
    return out


def _ids(ids: Sequence[Any], where: Callable[[int], str]) -> list[str] | None:
    known = [_id(name, row, where) for row, name in enumerate(ids) if name is not None]
    if known and len(known) < len(ids):
        row = list(ids).index(None)
        raise InputError("has no id, other documents have", where=where(row), expected="an id in every document")
    return known or None


def _id(value: Any, row: int, where: Callable[[int], str]) -> str:
    name = str(value) if isinstance(value, float) else identifier(value)
    if name is None:
        raise InputError(f"id is {shown(value)}", where=where(row), expected="a string or a whole number")
    return name


def _add(out: Sentences, document: Any, where: str, names: Names, side: str) -> None:
    """Take one document in."""
    if not isinstance(document, Mapping):
        raise InputError(
            f"a document is {shown(document)}", where=where, expected="an object with tokens and tags"
        )
    tokens = _list(document, TOKENS, where)
    size = len(tokens)
    for column_, into in out.tags.items():
        alone = len(out.tags) == 1
        wanted = side if alone and side in TAGS else column_
        keys = (*TAGS[wanted], *(TAGS["gold" if wanted == "pred" else "pred"] if alone else ()))
        found = _list(document, keys, where)
        if len(found) != size:
            raise InputError(f"{size} tokens and {len(found)} tags", where=where, expected="a tag for every token")
        into.extend(names.tags(found, where, name_of(document, keys) or keys[0]))
    starts = _starts(document, tokens, where)
    try:
        if has_half("".join(tokens)):
            refuse_halves(tokens, TOKENS[0], where)
    except TypeError:
        bad = next(token for token in tokens if not isinstance(token, str))
        raise InputError(f"a token is {shown(bad)}", where=where, expected="strings") from None
    for key in ("id", *TEXT):
        if document.get(key) is not None:
            refuse_half(document[key], key, where)
    out.sizes.append(size)
    _append(out.tokens, tokens)
    _append(out.starts, starts)
    _append(out.texts, [next((document[key] for key in TEXT if isinstance(document.get(key), str)), None)])
    _append(out.ids, [document.get("id")])


def _starts(document: Mapping[str, Any], tokens: Sequence[Any], where: str) -> list[int]:
    """Return where tokens start in the text, if the document says so."""
    starts = value_of(document, STARTS)
    if starts is None:
        return []
    whole = isinstance(starts, (list, tuple)) and all(type(start) is int and start >= 0 for start in starts)
    if not whole or len(starts) != len(tokens) or any(b < a for a, b in pairwise(starts)):
        expected = "a whole number for every token, growing"
        raise InputError(f"start_indices is {shown(starts)}", where=where, expected=expected)
    text = next((document[key] for key in TEXT if isinstance(document.get(key), str)), None)
    for start, token in zip(starts, tokens, strict=True):
        if text is not None and isinstance(token, str) and text[start : start + len(token)] != token:
            there = text[start : start + len(token)]
            what = f"the token {shown(token)} starts at {start}, where the text has {shown(there)}"
            raise InputError(what, where=where, expected="tokens at their places in the text")
    return list(starts)


def _append(into: list[Any] | None, values: Sequence[Any]) -> None:
    if into is not None:
        into.extend(values)


def _list(document: Mapping[str, Any], names: Sequence[str], where: str) -> list[Any]:
    found = value_of(document, names)
    if not isinstance(found, (list, tuple)):
        what = f"a document has no {names[0]} (it has {fields_of(document)})"
        raise InputError(what, where=where, expected=" or ".join(names))
    return list(found)
