"""Segmentations: segments, boundaries, masses or 0/1 strings; one a document, or several under names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data import Corpus, Problem, Spans, Texts
from spanscope.errors import InputError, shown
from spanscope.io.careful import OFFSETS, Report
from spanscope.io.fields import fields
from spanscope.io.forms import FORMS, ONLY, Place, Rules, forms, get, layers, times, whole_number
from spanscope.io.jsonl import decode, is_lines, item_lines, lines
from spanscope.io.labelstudio import is_export, tasks
from spanscope.io.partition import Segment, explain, repair, sound
from spanscope.io.source import open_source, peek

SEGMENTED = re.compile(rb'"(segmentations|segments|boundaries|masses|completed_by)"\s*:')
SPANS = re.compile(rb'"(spans|ents|entities)"\s*:')
CONTAINERS = ("items", "data", "documents", "examples", "traces")
Where = Callable[[int], str]


@dataclass
class Columns:
    """One segmentation of some documents: a row a document, and a row a segment."""

    docs: list[int] = field(default_factory=list)
    layers: list[int] = field(default_factory=list)  # the document, and then the level within it
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    of: list[int] = field(default_factory=list)  # the row of each segment's document
    names: list[str] = field(default_factory=list)  # what each layer is called in messages
    ptime: dict[int, float] = field(default_factory=dict)


def read_segmentations(
    source: Any,
    *,
    name: str = "",
    field: Mapping[str, str] | None = None,
    offsets: str = "codepoints",
    normalise: bool = False,
    as_given: bool = False,
    report: Report | None = None,
    only: Sequence[str] | None = None,
) -> dict[str, Corpus]:
    """Return the segmentations of a source by name; the only one of a document without names under ''.

    They must partition the text. `normalise` repairs those that do not and reports every repair; `as_given` takes
    them as they are, for the protocol of a tool that does.
    """
    if offsets not in OFFSETS:
        raise InputError(f"offsets are in {offsets!r}", expected=" or ".join(OFFSETS))
    asked = None if only is None else frozenset(only)
    rules = Rules(fields(field, segments=True), offsets, normalise, as_given, report or Report(), asked)
    documents, where, sha256, called = _documents(source, name, rules)
    if is_export(documents):
        documents = tasks(documents, where, rules.report)
        rules = replace(rules, offsets="codepoints")
    table = _Table(called, where)
    for row, document in enumerate(documents):
        try:
            _add(table, row, document, rules)
        except InputError as error:
            rules.report.bad(error, "bad document")
    _all_there(only or (), table)
    return table.corpora(rules, sha256)


def _all_there(only: Sequence[str], table: _Table) -> None:
    """Refuse names that no document has."""
    for name in only:
        if name not in table.sides:
            raise InputError(f"no segmentation is called {shown(name)}", where=table.called)


def has_segments(source: Any) -> bool:
    """Tell whether a source holds segmentations and not labelled spans, from its first document."""
    if isinstance(source, (str, Path)):
        head = peek(source)
        spans, found = SPANS.search(head), SEGMENTED.search(head)
        return found is not None and (spans is None or found.start() < spans.start())
    first: Any = source
    if isinstance(source, (list, tuple)):
        first = source[0] if source else None
    elif isinstance(source, Mapping):
        first = next(
            (source[key][0] for key in CONTAINERS if isinstance(source.get(key), list) and source[key]), source
        )
    if is_export([first]):
        return True
    return isinstance(first, Mapping) and any(key in first for key in FORMS) and "spans" not in first


def _documents(source: Any, name: str, rules: Rules) -> tuple[list[Any], Where, str | None, str]:
    """Return the documents of a source, where each stands, and the hash and name of what was read."""
    if isinstance(source, (str, Path)):
        file = open_source(source)
        if is_lines(file):
            numbered = list(lines(file.data))
            at = [number for number, _ in numbered]
            found = [decode(line, file.name, number) for number, line in numbered]
            return found, lambda row: f"{file.name}:{at[row]}", file.sha256, file.name
        value = decode(file.data, file.name)
        found = _unwrapped(value, rules, f"{file.name}:1")
        whole = len(found) == 1 and found[0] == value
        return found, item_lines(file, value, CONTAINERS, whole=whole), file.sha256, file.name
    called = name or "documents"
    if not isinstance(source, (list, tuple, Mapping)):
        raise InputError(f"the input is {shown(source)}", expected="a path, or documents with segmentations")
    return _unwrapped(source, rules, called), lambda row: f"{called}[{row}]", None, called


def _unwrapped(value: Any, rules: Rules, where: str) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return list(value)
    if not isinstance(value, Mapping):
        raise InputError(f"the input is {shown(value)}", where=where, expected="a list of documents")
    for key in CONTAINERS:
        if isinstance(value.get(key), list):
            return list(value[key])
    if any(name in value for form in FORMS for name in rules.names[form]):
        return [value]
    if value and all(isinstance(item, Mapping) for item in value.values()):
        return [{rules.names["id"][0]: key, **item} for key, item in value.items()]
    keys = ", ".join(str(key)[:30] for key in list(value)[:8]) or "nothing"
    raise InputError(f"the object has {keys}", where=where, expected="documents under items, or keyed by id")


def _add(table: _Table, row: int, document: Any, rules: Rules) -> None:
    """Take one document in."""
    where = table.where(row)
    if not isinstance(document, Mapping):
        raise InputError(f"a document is {shown(document)}", where=where, expected="an object with segmentations")
    text, length = get(document, "text", rules.names), get(document, "length", rules.names)
    place = Place(where, text, None, rules)
    if text is not None and not isinstance(text, str):
        place.wrong(f"text is {shown(text)}", "a string")
    if length is not None:
        length = whole_number(length, "length", place)
        if text is not None and length != len(text) and not rules.as_given:
            place.wrong(f"length is {length}, the text has {len(text)} characters", "the same number")
    place.length = length if text is None else len(text)
    read = {name: layers(form, called, place) for name, (form, called) in forms(document, place).items()}
    units = place.length
    if units is None:  # segments and masses say how long the text is
        units = max((end for layers in read.values() for layer in layers for _, end, _, _ in layer[1]), default=0)
    identity = get(document, "id", rules.names)
    if isinstance(identity, bool) or not isinstance(identity, (str, int, type(None))):
        place.wrong(f"id is {shown(identity)}", "a string or a whole number")
    table.add(identity, text, units, row, read, times(document, place))


class _Table:
    """Collects documents into columns, by segmentation."""

    def __init__(self, called: str, where: Where) -> None:
        self.called, self.where = called, where
        self.ids: list[str | None] = []
        self.texts: list[str | None] = []
        self.units: list[int] = []
        self.rows: list[int] = []  # of the documents in the input
        self.sides: dict[str, Columns] = {}

    def add(
        self, identity: Any, text: str | None, units: int, row: int, read: Any, ptime: Mapping[str, float]
    ) -> None:
        """Take the segmentations of one document in."""
        doc = len(self.ids)
        self.ids.append(None if identity is None else str(identity))
        self.texts.append(text)
        self.units.append(units)
        self.rows.append(row)
        for name, levels in read.items():
            side = self.sides.setdefault(name, Columns())
            own = len(side.docs)
            side.docs.append(doc)
            if name in ptime:
                side.ptime[own] = ptime[name]
            for called, segments in levels:
                side.names.append(called)
                if segments:
                    starts, ends, labels, numbers = zip(*segments, strict=True)
                    side.starts += starts
                    side.ends += ends
                    side.labels += labels
                    side.numbers += numbers
                side.layers += [len(side.names) - 1] * len(segments)
                side.of += [own] * len(segments)

    def corpora(self, rules: Rules, sha256: str | None) -> dict[str, Corpus]:
        """Return a corpus a segmentation, checked or repaired."""
        sides = self.sides or {ONLY: Columns()}  # no documents are one segmentation of nothing
        return {name: self._corpus(name, side, rules, sha256) for name, side in sides.items()}

    def _corpus(self, name: str, side: Columns, rules: Rules, sha256: str | None) -> Corpus:
        units = np.array([self.units[doc] for doc in side.docs], dtype=np.int64)
        problems: list[Problem] = []
        if not rules.as_given:
            problems = self._partitioned(side, units, rules)
        labels = tuple(sorted(set(side.labels)))
        code = {label: i for i, label in enumerate(labels)}
        of, starts, ends, numbers = (
            np.array(column, dtype=np.int64) for column in (side.of, side.starts, side.ends, side.numbers)
        )
        coded = np.array([code[label] for label in side.labels], dtype=np.int64)
        spans = Spans(of, starts, ends, coded, np.arange(len(coded)), extra={"number": numbers})
        called = f"{self.called}:{name}" if name else self.called
        texts: Texts | None = None
        if any(self.texts[doc] is not None for doc in side.docs):
            texts = np.empty(len(side.docs), dtype=object)
            texts[:] = [self.texts[doc] for doc in side.docs]
        ids = [self.ids[doc] for doc in side.docs]
        corpus = Corpus(
            called, self._ids(ids, side), labels, spans, texts, lambda row: self.where(self.rows[side.docs[row]])
        )
        corpus.sha256, corpus.problems, corpus.n_documents, corpus.lengths = (
            sha256,
            problems,
            len(side.docs),
            units,
        )
        corpus.seconds = side.ptime
        return corpus

    def _ids(self, ids: list[str | None], side: Columns) -> list[str] | None:
        known = [name for name in ids if name is not None]
        if len(known) == len(ids):
            return known
        if not known and len(self.sides) > 1:  # methods may lack documents: name all of them by their place
            return [f"#{doc + 1}" for doc in side.docs]
        if known:
            at = self.where(self.rows[side.docs[ids.index(None)]])
            raise InputError("has no id, other documents have", where=at, expected="an id in every document")
        return None

    def _partitioned(self, side: Columns, units: Ints, rules: Rules) -> list[Problem]:
        """Check that every layer partitions its text; explain the first that does not, or repair."""
        layer, start, end, of = (
            np.array(column, dtype=np.int64) for column in (side.layers, side.starts, side.ends, side.of)
        )
        fine = sound(layer, start, end, units[of]) if len(of) else np.zeros(0, dtype=bool)
        bad = sorted(set(layer[~fine].tolist()))
        empty = sorted(set(np.flatnonzero(units > 0).tolist()) - set(of.tolist()))
        for row in empty:
            where = self.where(self.rows[side.docs[row]])
            rules.report.bad(explain([], int(units[row]), "segments", where), "not a partition")
        if not bad:
            return []
        problems: list[Problem] = []
        replaced: dict[int, list[Segment]] = {}
        edges = np.searchsorted(layer, [bad, [one + 1 for one in bad]])
        for one, first, last in zip(bad, *edges.tolist(), strict=True):
            row, called = side.of[first], side.names[one]
            where = self.where(self.rows[side.docs[row]])
            own = [(side.starts[i], side.ends[i], side.labels[i], side.numbers[i]) for i in range(first, last)]
            try:
                if not rules.normalise:
                    raise explain(own, int(units[row]), called, where)
                fixed = repair(own, int(units[row]), self.texts[side.docs[row]], called, where)
            except InputError as error:
                rules.report.bad(error, "not a partition")
                continue
            replaced[one] = fixed.segments
            problems += [Problem(kind, where, fixed.first[kind], n) for kind, n in fixed.repairs.items()]
        _replace(side, replaced)
        return problems


def _replace(side: Columns, replaced: Mapping[int, list[Segment]]) -> None:
    """Put repaired layers in the place of what was read."""
    if not replaced:
        return
    old = list(zip(side.layers, side.of, side.starts, side.ends, side.labels, side.numbers, strict=True))
    new = [row for row in old if row[0] not in replaced]
    owner = {layer: of for layer, of, *_ in old}
    new += [(layer, owner[layer], *segment) for layer, segments in replaced.items() for segment in segments]
    new.sort(key=lambda row: (row[0], row[2]))
    side.layers, side.of, side.starts, side.ends, side.labels, side.numbers = (
        list(c) for c in zip(*new, strict=True)
    )
