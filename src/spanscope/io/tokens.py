"""Tagged tokens: CoNLL files, documents with tokens and tags, lists of tags, a data frame with a row a token."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data import Corpus, Problem, Spans, Texts, Tokens
from spanscope.errors import InputError, did_you_mean, shown
from spanscope.io.align import moved
from spanscope.io.conll import column, columns, is_conll, read_lines
from spanscope.io.jsonl import decode, is_lines, item_lines, lines
from spanscope.io.objects import CONTAINERS
from spanscope.io.source import Source, open_source, peek
from spanscope.tags import RULES, SCHEMES, Fault, chunks, detect

TOKENS = ("tokens", "words")
TAGS = {
    "gold": ("tags", "ner_tags", "gold", "annotation"),
    "pred": ("predicted_tags", "pred_tags", "predictions", "pred", "prediction"),
}
STARTS = ("start_indices", "starts")
TEXT = ("text", "full_text")
FRAME = {"sentence_id", "token", "annotation", "prediction", "start_indices"}  # Presidio's columns
MOST = 1000  # ill-formed tags that are listed one by one


@dataclass(frozen=True)
class TagRules:
    """How tags are read."""

    scheme: str | None = None  # None: found out from the tags
    repair: str = "conlleval"
    columns: Mapping[str, str | int] | None = None
    names: Sequence[str] | None = None  # of tags given as numbers
    mapping: Mapping[str, str] = field(default_factory=dict)  # labels by other names; "" or O leaves one out


@dataclass
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


def has_tokens(source: Any) -> bool:
    """Tell whether a source holds tagged tokens."""
    if isinstance(source, (str, Path)):
        head = peek(source)
        return is_conll(head) or (b'"tokens"' in head and b'"tags"' in head) or b'"ner_tags"' in head
    if _is_frame(source):
        return True
    first = source
    if isinstance(source, Mapping):
        first = next((source[key] for key in CONTAINERS if isinstance(source.get(key), list)), [source])
    if not isinstance(first, (list, tuple)):
        return False
    document = next((one for one in first if one), None)
    if isinstance(document, Mapping):
        return any(key in document for key in TOKENS) and any(
            key in document for keys in TAGS.values() for key in keys
        )
    return (
        isinstance(document, (list, tuple))
        and isinstance(document[0], str)
        and not (len(document) == 2 and isinstance(document[1], Mapping))
    )


def _is_frame(source: Any) -> bool:
    keys = getattr(source, "columns", None)
    if keys is None and isinstance(source, Mapping):
        keys = source.keys()
    return keys is not None and {"token", "annotation"} <= {str(key) for key in keys}


def read_both(gold: Any, pred: Any, rules: TagRules) -> tuple[Corpus, Corpus, str]:
    """Return gold, predictions and the scheme; without `pred`, both come from one source with two columns."""
    if rules.repair not in RULES:
        raise InputError(f"no rule of repair is called {shown(rules.repair)}", expected=", ".join(RULES))
    if rules.scheme is not None and rules.scheme not in SCHEMES:
        near = did_you_mean(rules.scheme, SCHEMES)
        raise InputError(f"no scheme is called {shown(rules.scheme)}{near}", expected=", ".join(SCHEMES))
    ours = _sentences(gold, "gold", rules, both=pred is None)
    theirs = ours if pred is None else _sentences(pred, "pred", rules, both=False)
    sides = {"gold": ours.tags["gold"], "pred": theirs.tags["pred" if pred is None else "gold"]}
    scheme = rules.scheme or detect([*sides["gold"], *sides["pred"]], [*ours.sizes, *theirs.sizes])
    first = _corpus(ours, sides["gold"], scheme, rules)
    second = _corpus(theirs, sides["pred"], scheme, rules)
    return first, second if pred is None else _same_text(first, second, ours, theirs), scheme


def read_one(source: Any, side: str, rules: TagRules) -> Corpus:
    """Return tagged tokens that stand against spans of another kind on the other side."""
    found = _sentences(source, side, rules, both=False)
    scheme = rules.scheme or detect(found.tags["gold"], found.sizes)
    return _corpus(found, found.tags["gold"], scheme, rules)


def _sentences(source: Any, side: str, rules: TagRules, *, both: bool) -> Sentences:
    """Return tokens and tags in one of the shapes people have."""
    if isinstance(source, (str, Path)):
        file = open_source(source)
        if is_conll(file.data[: 1 << 16]):
            return _from_lines(file, rules, both=both)
        documents, where = _from_json(file)
        return replace(_from_documents(documents, file.name, where, rules, both=both), sha256=file.sha256)
    if _is_frame(source):
        return _from_frame(source, side, rules)
    documents = source
    if isinstance(source, Mapping):
        documents = next((source[key] for key in CONTAINERS if isinstance(source.get(key), list)), [source])
        if isinstance(source.get("names"), list) and rules.names is None:
            rules = replace(rules, names=[str(name) for name in source["names"]])
    if not isinstance(documents, (list, tuple)):
        raise InputError(
            f"the input is {shown(source)}", expected="documents with tokens and tags, or lists of tags"
        )
    return _from_documents(documents, side, lambda row: f"{side}[{row}]", rules, both=both)


def _from_lines(file: Source, rules: TagRules, *, both: bool) -> Sentences:
    """Return a CoNLL file: the token in the first column, the tag in the last (gold in the one before)."""
    found, asked = read_lines(file), columns(rules.columns)
    if both and (not found.rows or len(found.rows[0]) < 3) and "pred" not in asked:
        raise InputError(
            "has no column of predictions",
            where=file.name,
            expected="token, gold tag and predicted tag on every line, or predictions in a second file",
        )
    places = {"gold": asked.get("gold", asked.get("tag", -2 if both else -1))}
    if both:
        places["pred"] = asked.get("pred", -1)
    tags = {side: column(found, at, side, file) for side, at in places.items()}
    tokens = column(found, asked.get("token", 0), "token", file)
    first = np.append(0, np.cumsum(found.sizes)).tolist()
    return Sentences(
        file.name,
        found.sizes,
        tags,
        tokens,
        where=lambda doc, token: f"{file.name}:{found.numbers[first[doc] + token]}",
        sha256=file.sha256,
    )


def _from_json(file: Source) -> tuple[list[Any], Callable[[int], str]]:
    if is_lines(file):
        numbered = list(lines(file.data))
        at = [number for number, _ in numbered]
        return [decode(line, file.name, number) for number, line in numbered], lambda row: f"{file.name}:{at[row]}"
    value = decode(file.data, file.name)
    found = value
    if isinstance(value, dict):
        found = next((value[key] for key in CONTAINERS if isinstance(value.get(key), list)), [value])
    return list(found), item_lines(file, value, CONTAINERS, whole=found == [value])


def _from_documents(
    documents: Sequence[Any], name: str, where: Callable[[int], str], rules: TagRules, *, both: bool
) -> Sentences:
    """Return documents with tokens and tags, or plain lists of tags."""
    if documents and all(isinstance(one, (list, tuple)) for one in documents):
        tags = _named(chain.from_iterable(documents), rules)
        return Sentences(name, list(map(len, documents)), {"gold": tags}, where=lambda doc, _: where(doc))
    out = Sentences(name, [], {"gold": [], **({"pred": []} if both else {})}, [], [], [], [])
    out.where = lambda doc, _: where(doc)
    for row, document in enumerate(documents):
        _add(out, document, where(row), rules)
    out.starts = out.starts if out.starts and len(out.starts) == len(out.tokens or []) else None
    out.ids = _ids(out.ids or [], where)
    out.texts = out.texts if any(text is not None for text in out.texts or []) else None
    return out


def _ids(ids: Sequence[Any], where: Callable[[int], str]) -> list[str] | None:
    known = [str(name) for name in ids if name is not None]
    if known and len(known) < len(ids):
        row = list(ids).index(None)
        raise InputError("has no id, other documents have", where=where(row), expected="an id in every document")
    return known or None


def _add(out: Sentences, document: Any, where: str, rules: TagRules) -> None:
    """Take one document in."""
    if not isinstance(document, Mapping):
        raise InputError(
            f"a document is {shown(document)}", where=where, expected="an object with tokens and tags"
        )
    tokens = _list(document, TOKENS, where)
    size = len(tokens)
    for side, into in out.tags.items():
        names = TAGS[side] if len(out.tags) > 1 or any(key in document for key in TAGS["gold"]) else TAGS["pred"]
        found = _list(document, names, where)
        if len(found) != size:
            what = f"{size} tokens and {len(found)} {side if len(out.tags) > 1 else ''} tags".replace("  ", " ")
            raise InputError(what, where=where, expected="a tag for every token")
        into.extend(_named(found, rules, where))
    starts = next((document[key] for key in STARTS if document.get(key) is not None), None)
    if starts is not None and (len(starts) != size or not all(isinstance(start, int) for start in starts)):
        raise InputError(
            f"start_indices is {shown(starts)}", where=where, expected="a whole number for every token"
        )
    if not all(isinstance(token, str) for token in tokens):
        bad = next(token for token in tokens if not isinstance(token, str))
        raise InputError(f"a token is {shown(bad)}", where=where, expected="strings")
    out.sizes.append(size)
    _append(out.tokens, tokens)
    _append(out.starts, starts or [])
    _append(out.texts, [next((document[key] for key in TEXT if isinstance(document.get(key), str)), None)])
    _append(out.ids, [document.get("id")])


def _append(into: list[Any] | None, values: Sequence[Any]) -> None:
    if into is not None:
        into.extend(values)


def _list(document: Mapping[str, Any], names: Sequence[str], where: str) -> list[Any]:
    found = next((document[name] for name in names if document.get(name) is not None), None)
    if not isinstance(found, (list, tuple)):
        keys = ", ".join(str(key)[:30] for key in list(document)[:8])
        raise InputError(f"a document has no {names[0]} (it has {keys})", where=where, expected=" or ".join(names))
    return list(found)


def _named(tags: Any, rules: TagRules, where: str = "") -> list[str]:
    """Return tags as strings; numbers by the names that were given."""
    found = list(tags)
    kinds = set(map(type, found))
    if kinds <= {str}:
        return found
    if kinds <= {int} and rules.names is not None and all(0 <= tag < len(rules.names) for tag in found):
        return [rules.names[tag] for tag in found]
    bad = next(tag for tag in found if not isinstance(tag, str))
    hint = "--tag-names O,B-PER,I-PER   for tags that are numbers" if isinstance(bad, int) else ""
    raise InputError(f"a tag is {shown(bad)}", where=where, expected="a string", hint=hint)


def _from_frame(source: Any, side: str, rules: TagRules) -> Sentences:
    """Return Presidio's data frame: a row a token, documents by sentence_id."""
    table = {name: list(source[name]) for name in FRAME if name in source}
    keys = table.get("sentence_id", [0] * len(table["token"]))
    order: dict[Any, list[int]] = {}
    for row, key in enumerate(keys):
        order.setdefault(key, []).append(row)
    rows = [row for own in order.values() for row in own]
    tags = {"gold": _named([table["annotation"][row] for row in rows], rules)}
    if "prediction" in table:
        tags["pred"] = _named([table["prediction"][row] for row in rows], rules)
    starts = [int(table["start_indices"][row]) for row in rows] if "start_indices" in table else None
    return Sentences(
        side,
        [len(own) for own in order.values()],
        tags,
        [str(table["token"][row]) for row in rows],
        starts,
        ids=[str(key) for key in order],
        where=lambda doc, _: f"{side}[{list(order)[doc]}]",
    )


def _corpus(found: Sentences, tags: list[str], scheme: str, rules: TagRules) -> Corpus:
    """Return the chunks of the tags as spans, at the places of their tokens."""
    if rules.mapping:
        tags = _mapped(tags, rules.mapping, scheme)
    got, faults = chunks(tags, found.sizes, scheme, rules.repair)
    first = np.append(0, np.cumsum(np.array(found.sizes, dtype=np.int64)))
    start, end, texts = _places(found, first)
    rows = first[got.doc]
    spans = (
        Spans(got.doc, start[rows + got.first], end[rows + got.last - 1], got.label, np.arange(len(got.doc)))
        if len(got.doc)
        else _no_spans()
    )
    text = None if found.tokens is None else _objects(found.tokens)
    corpus = Corpus(found.name, found.ids, got.labels, spans, texts, lambda doc: found.where(doc, 0))
    corpus.sha256, corpus.n_documents = found.sha256, len(found.sizes)
    corpus.problems = _faults(faults, found)
    corpus.tokens = Tokens(first, start, end, _objects(tags), text)
    return corpus


def _mapped(tags: list[str], mapping: Mapping[str, str], scheme: str) -> list[str]:
    """Rename labels, keeping the prefixes of tags; a label mapped to nothing becomes O."""
    table: dict[str, str] = {}
    for tag in set(tags):
        prefix, hyphen, label = tag.partition("-") if scheme != "IO" else ("", "", tag)
        new = mapping.get(label, label)
        gone = label in mapping and new in ("", "O")
        table[tag] = "O" if tag == "O" or gone else f"{prefix}{hyphen}{new}"
    return [table[tag] for tag in tags]


def _no_spans() -> Spans:
    nothing = np.zeros(0, dtype=np.int64)
    return Spans(nothing, nothing, nothing, nothing, nothing)


def _objects(values: Sequence[Any]) -> Texts:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _places(found: Sentences, first: Ints) -> tuple[Ints, Ints, Texts | None]:
    """Return start and end of every token, and the texts: as given, found in the text, or joined by blanks."""
    if found.tokens is None:  # only tags: offsets are token numbers
        at = np.arange(first[-1]) - np.repeat(first[:-1], np.diff(first))
        return at, at + 1, None
    size = np.fromiter(map(len, found.tokens), np.int64, len(found.tokens))
    texts = None if found.texts is None else _objects(found.texts)
    if found.starts is not None:
        start = np.array(found.starts, dtype=np.int64)
        return start, start + size, texts
    if found.texts is not None:
        start = np.array(_searched(found, first), dtype=np.int64)
        return start, start + size, texts
    total = np.append(0, np.cumsum(size + 1))
    start = total[:-1] - np.repeat(total[first[:-1]], np.diff(first))
    joined = [" ".join(found.tokens[a:b]) for a, b in zip(first[:-1].tolist(), first[1:].tolist(), strict=True)]
    return start, start + size, _objects(joined)


def _searched(found: Sentences, first: Ints) -> list[int]:
    """Return where each token stands in the text of its document, from left to right."""
    out: list[int] = []
    tokens, texts = found.tokens or [], found.texts or []
    for doc, text in enumerate(texts):
        place = 0
        for number, token in enumerate(tokens[first[doc] : first[doc + 1]]):
            at = -1 if text is None else text.find(token, place)
            if at < 0:
                where = found.where(doc, number)
                raise InputError(
                    f"the token {shown(token)} is not in the text behind the one before",
                    where=where,
                    expected="tokens that stand in the text in their order, or start_indices",
                )
            out.append(at)
            place = at + len(token)
    return out


def _faults(faults: Sequence[Fault], found: Sentences) -> list[Problem]:
    listed = [
        Problem("ill-formed tag", found.where(fault.doc, fault.token), fault.what) for fault in faults[:MOST]
    ]
    if len(faults) > MOST:
        rest = faults[MOST]
        what = f"{len(faults) - MOST:,} more ill-formed tags"
        listed.append(Problem("ill-formed tag", found.where(rest.doc, rest.token), what, len(faults) - MOST))
    return listed


def _same_text(gold: Corpus, pred: Corpus, ours: Sentences, theirs: Sentences) -> Corpus:
    """Put predictions on other tokens at the places they have in gold's text, where nothing else gives them."""
    same = ours.sizes == theirs.sizes and ours.tokens == theirs.tokens
    placed = any(part is not None for part in (ours.starts, ours.texts, theirs.starts, theirs.texts, ours.ids))
    if same or placed or ours.tokens is None or theirs.tokens is None or len(ours.sizes) != len(theirs.sizes):
        return pred  # the join says what is missing
    return moved(gold, pred)
