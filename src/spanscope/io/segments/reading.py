"""Segmentations: segments, boundaries, masses or 0/1 strings; one a document, or several under names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from spanscope.arguments import identifier, words
from spanscope.arithmetic import Ints
from spanscope.data.corpus import Corpus, Spans, Texts
from spanscope.data.problems import Problem, problem_at
from spanscope.errors import InputError, fields_of, shown
from spanscope.io.documents import Documents, documents_of
from spanscope.io.fields import FORMS, fields, meta_name
from spanscope.io.label_studio import is_export
from spanscope.io.metadata import META, Meta, meta_column, meta_of
from spanscope.io.read_options import ReadOptions
from spanscope.io.segments.label_studio import tasks
from spanscope.io.segments.partition import Repaired, Segment, are_in_place, explain, repair
from spanscope.io.segments.recognise import CONTAINERS
from spanscope.io.segments.shapes import ONLY, Place, Rules, forms, get, is_string, layers, times, whole_number
from spanscope.io.surrogates import any_half, refuse_half

PROMISED = "Gold"  # the name of a gold segmentation
GOLD = ("gold", "reference", "ground_truth", "gold_standard")  # and others, whatever their case

Where = Callable[[int], str]


@dataclass
class Columns:
    """One segmentation of some documents: one row per document, and one row per segment."""

    docs: list[int] = field(default_factory=list)
    layers: list[int] = field(default_factory=list)  # the document, and then the level within it
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    of: list[int] = field(default_factory=list)  # the row of each segment's document
    names: list[str] = field(default_factory=list)  # what each layer is called in messages
    owners: list[int] = field(default_factory=list)  # the row of each layer's document
    problems: list[Problem] = field(default_factory=list)  # noticed before the layers were looked at
    ptime: dict[int, float] = field(default_factory=dict)


def read_segmented(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return the segmentations of a source by name; the only one of a document without names under ''.

    They must partition the text. `normalise` repairs those that do not and reports every repair; `as_given` takes
    them as they are.
    """
    rules = _rules(options)
    found = _documents(source, options.side, rules)
    return _corpora(found, found.values, rules, options.only or ())


def read_tasks(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return the segmentations of an export of Label Studio, an annotator each."""
    rules = _rules(options)
    found = _documents(source, options.side, rules)
    documents = tasks(found.values, found.where, rules.report)
    for task, document in zip(found.values, documents, strict=True):
        if document is not None:
            document[META] = meta_of(task.get(META), {**task, **task["data"]}, rules.keep)
    return _corpora(found, documents, replace(rules, offsets="codepoints", keep=()), options.only or ())


def read_documents(found: Documents, options: ReadOptions) -> dict[str, Corpus]:
    """Return the segmentations of documents in our form that the reader of another format has made."""
    plain = replace(options, fields={}, offsets=None)
    return _corpora(found, found.values, _rules(plain), options.only or ())


def _rules(options: ReadOptions) -> Rules:
    asked = None if options.only is None else frozenset(words("only", options.only, "a list of names"))
    names, unit = fields(options.fields, segments=True), options.unit()
    keep = tuple(options.keep_fields)
    how = options.normalise, options.as_given
    return Rules(names, unit, *how, options.report, asked, keep, options.hints)


def _corpora(found: Documents, documents: Sequence[Any], rules: Rules, only: Sequence[str]) -> dict[str, Corpus]:
    """Return the segmentations of some documents; None stands for one that was left out, and reported."""
    table = _Table(found.name, found.where)
    for row, document in enumerate(documents):
        if document is None and found.values[row] is not None:
            continue
        try:
            _add(table, row, document, rules)
        except InputError as error:
            rules.report.bad(error, "bad document")
    _all_there(only, table)
    noted = [] if rules.report.collect else rules.report.problems
    return table.corpora(rules, found.sha256, noted)


def _all_there(only: Sequence[str], table: _Table) -> None:
    """Refuse names that no document has."""
    for name in only:
        if name not in table.sides:
            raise InputError(f"no segmentation is called {shown(name)}", where=table.called)


def _documents(source: Any, name: str, rules: Rules) -> Documents:
    def unwrap(value: Any, where: str) -> list[Any]:
        return _unwrap(value, rules, where)

    expected = "a path, or documents with segmentations"
    return documents_of(source, name or "documents", unwrap, CONTAINERS, rules.report, expected)


def _unwrap(value: Any, rules: Rules, where: str) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return list(value)
    if not isinstance(value, Mapping):
        raise InputError(f"the input is {shown(value)}", where=where, expected="a list of documents")
    for key in CONTAINERS:
        if isinstance(value.get(key), list):
            return list(value[key])
    if is_export([value]) or any(name in value for form in FORMS for name in rules.names[form]):
        return [value]
    if value and all(isinstance(item, Mapping) for item in value.values()):
        return [{rules.names["id"][0]: key, **item} for key, item in value.items()]
    keys = fields_of(value)
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
    refuse_half(text, "text", where)
    if length is not None:
        length = whole_number(length, "length", place)
        if text is not None and length != len(text) and not rules.as_given:
            place.wrong(f"length is {length}, the text has {len(text)} characters", "the same number")
    place.length = length if text is None else len(text)
    read, problems = _read(document, place)
    units = place.length
    if units is None:  # segments and masses say how long the text is
        units = max((end for layers in read.values() for layer in layers for _, end, _, _ in layer[1]), default=0)
    given = get(document, "id", rules.names)
    identity = identifier(given)
    if identity is None and given is not None:
        place.wrong(f"id is {shown(given)}", "a string or a whole number")
    refuse_half(identity, "id", where)
    named = meta_name(rules.names)
    table.meta.append(meta_of(document.get(named) if named else None, document, rules.keep))
    table.add(identity, text, units, row, read, times(document, place), problems)


def _read(document: Mapping[str, Any], place: Place) -> tuple[dict[str, Any], dict[str, list[Problem]]]:
    """Return the layers of every segmentation and what was noticed; strings first, which may give the length."""
    given = forms(document, place)
    read: dict[str, Any] = {}
    problems: dict[str, list[Problem]] = {}
    for name in sorted(given, key=lambda name: not is_string(given[name][0])):
        place.problems = problems[name] = []
        read[name] = layers(*given[name], place)
    return {name: read[name] for name in given}, problems


class _Table:
    """Collects documents into columns, by segmentation."""

    def __init__(self, called: str, where: Where) -> None:
        self.called, self.where = called, where
        self.ids: list[str | None] = []
        self.texts: list[str | None] = []
        self.units: list[int] = []
        self.meta: list[Meta | None] = []
        self.rows: list[int] = []  # of the documents in the input
        self.sides: dict[str, Columns] = {}

    def add(
        self,
        identity: str | None,
        text: str | None,
        units: int,
        row: int,
        read: Mapping[str, Any],
        ptime: Mapping[str, float],
        problems: Mapping[str, list[Problem]],
    ) -> None:
        """Take the segmentations of one document in."""
        doc = len(self.ids)
        self.ids.append(identity)
        self.texts.append(text)
        self.units.append(units)
        self.rows.append(row)
        for name, levels in read.items():
            side = self.sides.setdefault(name, Columns())
            own = len(side.docs)
            side.docs.append(doc)
            side.problems += problems[name]
            if name in ptime:
                side.ptime[own] = ptime[name]
            for called, segments in levels:
                side.names.append(called)
                side.owners.append(own)
                if segments:
                    starts, ends, labels, numbers = zip(*segments, strict=True)
                    side.starts += starts
                    side.ends += ends
                    side.labels += labels
                    side.numbers += numbers
                side.layers += [len(side.names) - 1] * len(segments)
                side.of += [own] * len(segments)

    def corpora(self, rules: Rules, sha256: str | None, noted: Sequence[Problem]) -> dict[str, Corpus]:
        """Return a corpus a segmentation, checked or repaired; what was noticed about all goes with the first."""
        sides = self.sides or {ONLY: Columns()}  # no documents are one segmentation of nothing
        next(iter(sides.values())).problems[:0] = noted
        return {name: self._corpus(name, side, rules, sha256) for name, side in sides.items()}

    def _corpus(self, name: str, side: Columns, rules: Rules, sha256: str | None) -> Corpus:
        units = np.array([self.units[doc] for doc in side.docs], dtype=np.int64)
        problems = list(side.problems)
        if not rules.as_given:
            problems += self._check_partitions(side, units, rules)
        labels = tuple(sorted(set(side.labels)))
        if any_half(labels):
            self._refuse_half(side)
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
        corpus.meta = meta_column([([self.meta[doc] for doc in side.docs], len(side.docs))])
        return corpus

    def _refuse_half(self, side: Columns) -> None:
        for layer, number, label in zip(side.layers, side.numbers, side.labels, strict=True):
            refuse_half(label, f"{side.names[layer]}[{number}].label", self._at(layer, side))

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

    def _check_partitions(self, side: Columns, units: Ints, rules: Rules) -> list[Problem]:
        """Check that every layer partitions its text; explain the first that does not, or repair."""
        layer, start, end, of = (
            np.array(column, dtype=np.int64) for column in (side.layers, side.starts, side.ends, side.of)
        )
        fine = are_in_place(layer, start, end, units[of]) if len(of) else np.zeros(0, dtype=bool)
        bad = sorted(set(layer[~fine].tolist()))
        for one in sorted(set(range(len(side.names))) - set(layer.tolist())):
            size = int(units[side.owners[one]])
            if size:
                error = self._explain([], size, one, side, rules)
                rules.report.bad(error, "not a partition")
        if not bad:
            return []
        problems: list[Problem] = []
        replaced: dict[int, list[Segment]] = {}
        edges = np.searchsorted(layer, [bad, [one + 1 for one in bad]])
        for one, first, last in zip(bad, *edges.tolist(), strict=True):
            own = [(side.starts[i], side.ends[i], side.labels[i], side.numbers[i]) for i in range(first, last)]
            try:
                fixed = self._repair(own, int(units[side.owners[one]]), one, side, rules)
            except InputError as error:
                rules.report.bad(error, "not a partition")
                continue
            replaced[one] = fixed.segments
            where = self._at(one, side)
            problems += [problem_at(kind, where, fixed.first[kind], number=n) for kind, n in fixed.repairs.items()]
        _replace(side, replaced)
        return problems

    def _at(self, layer: int, side: Columns) -> str:
        return self.where(self.rows[side.docs[side.owners[layer]]])

    def _explain(self, own: list[Segment], length: int, layer: int, side: Columns, rules: Rules) -> InputError:
        quiet = rules.normalise or not rules.hints
        return explain(own, length, side.names[layer], self._at(layer, side), repairing=quiet)

    def _repair(self, own: list[Segment], length: int, layer: int, side: Columns, rules: Rules) -> Repaired:
        """Return a layer as a partition, where repairs were asked for; of an empty text nothing is one."""
        if not length and not rules.normalise and all(segment[:2] == (0, 0) for segment in own):
            return Repaired([], Counter(), {})
        if not rules.normalise:
            raise self._explain(own, length, layer, side, rules)
        text = self.texts[side.docs[side.owners[layer]]]
        return repair(own, length, text, side.names[layer], self._at(layer, side))


def _replace(side: Columns, replaced: Mapping[int, list[Segment]]) -> None:
    """Put repaired layers in the place of what was read."""
    if not replaced:
        return
    old = list(zip(side.layers, side.of, side.starts, side.ends, side.labels, side.numbers, strict=True))
    new = [row for row in old if row[0] not in replaced]
    owner = {layer: of for layer, of, *_ in old}
    new += [(layer, owner[layer], *segment) for layer, segments in replaced.items() for segment in segments]
    new.sort(key=lambda row: (row[0], row[2]))
    columns = zip(*new, strict=True) if new else ([] for _ in range(6))
    side.layers, side.of, side.starts, side.ends, side.labels, side.numbers = map(list, columns)


def gold_by_name(names: Iterable[str]) -> str | None:
    """Return the segmentation that is gold by its name; several that could be are refused."""
    found = [name for name in names if name.lower() in GOLD]
    if [name for name in found if name.lower() == PROMISED.lower()] == [PROMISED]:
        return PROMISED
    if len(found) > 1:
        raise InputError(
            f"{len(found)} segmentations could be gold by their names: {', '.join(map(shown, found))}",
            expected="one that could be",
            hint=f"--gold {found[0]}   to say which",
        )
    return found[0] if found else None
