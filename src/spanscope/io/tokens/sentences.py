"""The shapes tagged tokens come in: CoNLL files, documents with tokens and tags, lists of tags, a row a token."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.arguments import as_whole, identifier
from spanscope.data.corpus import FARTHEST
from spanscope.data.problems import Problem
from spanscope.errors import InputError, fields_of, shown
from spanscope.io.documents import documents_in
from spanscope.io.metadata import META, Meta, meta_of
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES, Source
from spanscope.io.spans.columns import column_values
from spanscope.io.spans.objects import CONTAINERS, is_pair
from spanscope.io.strict import Report
from spanscope.io.surrogates import any_half, has_half, refuse_half, refuse_halves
from spanscope.io.tokens.conll import (
    check_sides,
    check_tags,
    column,
    columns,
    is_conll,
    is_document,
    is_json,
    read_lines,
)
from spanscope.io.tokens.tag_rules import TagRules

TOKENS = ("tokens", "words")
TAGS = {
    "gold": ("tags", "ner_tags", "gold", "annotation"),
    "pred": ("predicted_tags", "pred_tags", "predictions", "pred", "prediction"),
}
STARTS = ("start_indices", "starts")
TEXT = ("text", "full_text")
IGNORED = "\0-100"  # stands for -100, which Hugging Face gives to tokens that are not scored; no tag has a NUL
FRAME = {"sentence_id", "token", "annotation", "prediction", "start_indices"}  # Presidio's columns


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
    meta: list[Meta | None] | None = None  # of documents
    where: Callable[[int, int], str] = lambda doc, token: f"{doc}:{token}"
    sha256: str | None = None
    problems: list[Problem] = field(default_factory=list)  # what is odd about the files, whatever the tags


def is_tagged(document: Any) -> bool:
    """Tell a document with tokens and tags."""
    if not isinstance(document, Mapping) or not any(key in document for key in TOKENS):
        return False
    return any(key in document for keys in TAGS.values() for key in keys)


def is_tags(one: Any, rules: TagRules) -> bool:
    """Tell a list of tags; numbers are tags where these have names."""
    if not isinstance(one, (list, tuple)) or not one or is_pair(one):
        return False
    return isinstance(one[0], str) or (rules.names is not None and type(one[0]) is int)


def claims_lines(head: bytes, rules: TagRules) -> bool:
    """Tell a CoNLL file: because somebody said so, or by its tags. Columns can be named beside a file of JSON."""
    if not rules.said:
        return bool(head) and is_conll(head)
    asked = columns(rules.columns)
    at = [*_tag_columns(asked, both="pred" in asked).values()]
    return not is_json(head) or is_conll(head, at) or (rules.input == "conll" and not is_document(head))


def _tag_columns(asked: Mapping[str, int], *, both: bool) -> dict[str, int]:
    """Return the columns of tags: the last, or gold in the one before and predictions in the last."""
    gold = {"gold": asked.get("gold", asked.get("tag", -2 if both else -1))}
    return gold | ({"pred": asked.get("pred", -1)} if both else {})


def is_frame(source: Any) -> bool:
    """Tell columns with a row a token, as Presidio has them."""
    keys = getattr(source, "columns", None)
    if keys is None and isinstance(source, Mapping):
        keys = source.keys()
    return keys is not None and {"token", "annotation"} <= {str(key) for key in keys}


def from_lines(source: str | Path | Source, options: ReadOptions) -> Sentences:
    """Return a CoNLL file: the token in the first column, the tag in the last (gold in the one before)."""
    file, rules, both = open_source(source), options.tags, options.both
    asked = columns(rules.columns)
    places = _tag_columns(asked, both=both)
    at = {"token": asked.get("token", 0), **places}
    found = read_lines(file, at, docstart=rules.docstart, said=rules.said, chosen=bool(rules.columns))
    alone = len(found.rows[0]) < 3 or not (rules.said or is_conll(file.data, [*places.values()]))
    if both and alone and "pred" not in asked:
        raise InputError(
            "has no column of predictions",
            where=file.name,
            expected="token, gold tag and predicted tag on every line, or predictions in a second file",
        )
    tags = {side: column(found, number, side, file) for side, number in places.items()}
    for own in tags.values() if not rules.said else ():
        check_tags(found, own, file)
    if both and not asked and len(found.rows[0]) > 3:
        check_sides(tags, file)
    tokens = column(found, at["token"], "token", file)
    first = np.append(0, np.cumsum(found.sizes)).tolist()
    return Sentences(
        file.name,
        found.sizes,
        tags,
        tokens,
        where=lambda doc, token: f"{file.name}:{found.numbers[first[doc] + token]}",
        sha256=file.sha256,
    )


def from_documents(source: Any, options: ReadOptions) -> Sentences:
    """Return documents with tokens and tags or lists of tags, of a JSON file or in memory."""
    side, rules = options.side, options.tags
    if isinstance(source, FILES):
        file = open_source(source)
        if rules.input == "conll":
            raise InputError("is a table or JSON, and not CoNLL", where=file.name, expected="lines of text")
        found = documents_in(file, _unwrapped, CONTAINERS, Report())
        if isinstance(found.value, dict) and isinstance(found.value.get("names"), list) and rules.names is None:
            rules = replace(rules, names=[str(name) for name in found.value["names"]])
        return replace(_collected(found.values, file.name, found.where, options, rules), sha256=file.sha256)
    documents = source
    if isinstance(source, Mapping):
        documents = next((source[key] for key in CONTAINERS if isinstance(source.get(key), list)), [source])
        if isinstance(source.get("names"), list) and rules.names is None:
            refuse_halves(source["names"], "names", side)
            rules = replace(rules, names=[str(name) for name in source["names"]])
    if not isinstance(documents, (list, tuple)):
        raise InputError(
            f"the input is {shown(source)}", expected="documents with tokens and tags, or lists of tags"
        )
    return _collected(documents, side, lambda row: f"{side}[{row}]", options, rules)


def _unwrapped(value: Any, _where: str) -> list[Any]:
    """Return the documents of a JSON value; one list of tags is one of them."""
    found = value
    if isinstance(value, dict):
        found = next((value[key] for key in CONTAINERS if isinstance(value.get(key), list)), [value])
    if isinstance(found, list) and found and isinstance(found[0], str):
        return [found]
    return list(found)


def _collected(
    documents: Sequence[Any], name: str, where: Callable[[int], str], options: ReadOptions, rules: TagRules
) -> Sentences:
    """Return documents with tokens and tags, or plain lists of tags."""
    side, both = options.side, options.both
    if documents and all(isinstance(one, (list, tuple)) for one in documents):
        if both:
            raise InputError("there are no predictions", expected="lists of tags for gold and for predictions")
        tags = _named(chain.from_iterable(documents), rules)
        if any_half(set(tags)):
            for row, one in enumerate(documents):
                refuse_halves(one, "tags", where(row))
        return Sentences(name, list(map(len, documents)), {"gold": tags}, where=lambda doc, _: where(doc))
    out = Sentences(name, [], {"gold": [], **({"pred": []} if both else {})}, [], [], [], [], [])
    out.where = lambda doc, _: where(doc)
    for row, document in enumerate(documents):
        _add(out, document, where(row), rules, side)
        _append(out.meta, [meta_of(document.get(META), document, options.keep_fields)])
    for tags in out.tags.values():
        if any_half(set(tags)):
            for row, last in enumerate(accumulate(out.sizes)):
                refuse_halves(tags[last - out.sizes[row] : last], "tags", where(row))
    if out.starts and len(out.starts) != len(out.tokens or []):
        raise InputError("some documents have start_indices, others have not", where=name, expected="all or none")
    out.starts = out.starts or None
    out.ids = _ids(out.ids or [], where)
    out.texts = out.texts if any(text is not None for text in out.texts or []) else None
    return out


def _ids(ids: Sequence[Any], where: Callable[[int], str]) -> list[str] | None:
    known = [_id(name, where(row)) for row, name in enumerate(ids) if name is not None]
    if known and len(known) < len(ids):
        row = list(ids).index(None)
        raise InputError("has no id, other documents have", where=where(row), expected="an id in every document")
    return known or None


def _id(value: Any, where: str) -> str:
    name = str(value) if isinstance(value, float) else identifier(value)
    if name is None:
        raise InputError(f"id is {shown(value)}", where=where, expected="a string or a whole number")
    return name


def _add(out: Sentences, document: Any, where: str, rules: TagRules, side: str) -> None:
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
        names = (*TAGS[wanted], *(TAGS["gold" if wanted == "pred" else "pred"] if alone else ()))
        found = _list(document, names, where)
        if len(found) != size:
            raise InputError(f"{size} tokens and {len(found)} tags", where=where, expected="a tag for every token")
        into.extend(_named(found, rules, where))
    starts = _starts(document, tokens, where)
    try:
        if has_half("".join(tokens)):
            refuse_halves(tokens, TOKENS[0], where)
    except TypeError:
        bad = next(token for token in tokens if not isinstance(token, str))
        raise InputError(f"a token is {shown(bad)}", where=where, expected="strings") from None
    for key in ("id", *TEXT):
        refuse_half(document.get(key), key, where)
    out.sizes.append(size)
    _append(out.tokens, tokens)
    _append(out.starts, starts)
    _append(out.texts, [next((document[key] for key in TEXT if isinstance(document.get(key), str)), None)])
    _append(out.ids, [document.get("id")])


def _starts(document: Mapping[str, Any], tokens: Sequence[Any], where: str) -> list[int]:
    """Return where tokens start in the text, if the document says so."""
    starts = next((document[key] for key in STARTS if document.get(key) is not None), None)
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
    found = next((document[name] for name in names if document.get(name) is not None), None)
    if not isinstance(found, (list, tuple)):
        what = f"a document has no {names[0]} (it has {fields_of(document)})"
        raise InputError(what, where=where, expected=" or ".join(names))
    return list(found)


def _named(tags: Any, rules: TagRules, where: str = "") -> list[str]:
    """Return tags as strings; numbers by the names that were given."""
    found = list(tags)
    kinds = set(map(type, found))
    if kinds <= {str}:
        return found
    if kinds <= {int} and rules.names is not None:
        named = dict(enumerate(rules.names)) | {-100: IGNORED}
        if all(tag in named for tag in found):
            return [named[tag] for tag in found]
    bad = next(tag for tag in found if not isinstance(tag, str))
    hint = "[[tag_names=O,B-PER,I-PER]]   for tags that are numbers" if isinstance(bad, int) else ""
    raise InputError(f"a tag is {shown(bad)}", where=where, expected="a string", hint=hint)


def from_rows(source: Any, options: ReadOptions) -> Sentences:
    """Return Presidio's data frame: a row a token, documents by sentence_id."""
    side, rules, both = options.side, options.tags, options.both
    table = {name: column_values(source[name], name, side) for name in FRAME if name in source}
    sizes = {len(values) for values in table.values()}
    if len(sizes) > 1:
        raise InputError("the columns are of different lengths", where=side, expected="a row a token")
    if both and "prediction" not in table:
        raise InputError("has no column prediction", where=side, expected="annotation and prediction")
    order: dict[Any, list[int]] = {}
    for row, key in enumerate(table.get("sentence_id", [0] * len(table["token"]))):
        _id(key, f"{side}[{row}]")
        order.setdefault(key, []).append(row)
    rows = [row for own in order.values() for row in own]
    wanted = "prediction" if side == "pred" and not both and "prediction" in table else "annotation"
    for column_ in ("token", "sentence_id", wanted, "prediction"):
        refuse_halves(table.get(column_, ()), column_, side)
    tags = {"gold": _named([table[wanted][row] for row in rows], rules, side)}
    if both:
        tags["pred"] = _named([table["prediction"][row] for row in rows], rules, side)
    return Sentences(
        side,
        [len(own) for own in order.values()],
        tags,
        [_token(table["token"][row], f"{side}[{row}]") for row in rows],
        _frame_starts(table, rows, side),
        ids=[str(key) for key in order],
        where=lambda doc, _: f"{side}[{list(order)[doc]}]",
    )


def _token(value: Any, where: str) -> str:
    """Return a token; what is no text is written out, as data frames make numbers of tokens."""
    try:
        return str(value)
    except ValueError:  # a number of thousands of digits
        raise InputError(f"a token is {shown(value)}", where=where, expected="a string") from None


def _frame_starts(table: Mapping[str, list[Any]], rows: Sequence[int], side: str) -> list[int] | None:
    if "start_indices" not in table:
        return None
    values = [table["start_indices"][row] for row in rows]
    for value in values:
        if (start := as_whole(value)) is None or not 0 <= start <= FARTHEST:
            raise InputError(f"start_indices has {shown(value)}", where=side, expected="whole numbers")
    return [int(value) for value in values]
