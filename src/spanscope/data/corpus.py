"""Documents and their labelled spans, as columns.

A corpus is one side (gold, or one system's predictions): documents, and one row per span. Offsets are half-open
and count Unicode code points. A span is one or more fragments: `start` and `end` are its hull, and `pieces`
holds the fragments of a corpus in which at least one span has several.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Bools, Floats, Ints
from spanscope.data.problems import Problem
from spanscope.errors import plural

Texts = NDArray[np.object_]
NOWHERE = -(1 << 40)  # start and end of a span that came without offsets
FARTHEST = 1 << 48  # no text is that long: an offset past it is a mistake


@dataclass(frozen=True, eq=False)
class Pieces:
    """The fragments of all spans: fragment i runs from start[i] to end[i] and belongs to span[i]."""

    span: Ints
    start: Ints
    end: Ints

    def take(self, index: Ints) -> Pieces:
        """Return the fragments of the spans chosen by `index`, renumbered in that order."""
        first = np.searchsorted(self.span, index, "left")
        count = np.searchsorted(self.span, index, "right") - first
        rows = expand(first, count)
        renumbered = np.repeat(np.arange(len(index)), count)
        return Pieces(renumbered, self.start[rows], self.end[rows])


@dataclass(frozen=True, eq=False)
class Spans:
    """One row per span, sorted by document: the columns every family shares, and whatever else came along.

    `position` is the row in the order of the input, for the tools whose ties follow that order; `text` is None
    where no span came with a text, or where all of them are the documents' at their offsets; `extra` holds
    optional columns by name (score, source, rank, relevance, alternative, ...). Its column `quote` has the texts
    that spans came with where their documents have others at their offsets, else None.
    """

    doc: Ints
    start: Ints
    end: Ints
    label: Ints
    position: Ints
    text: Texts | None = None
    pieces: Pieces | None = None
    extra: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    all_text: bool = False  # every span is known to have a text

    def __len__(self) -> int:
        return len(self.doc)

    @property
    def located(self) -> Bools:
        """Tell which spans came with offsets."""
        return np.asarray(self.start != NOWHERE)

    @property
    def quote(self) -> Texts | None:
        """Return the texts that spans came with where their documents have others there; None without any."""
        return self.extra.get("quote")

    @property
    def from_text(self) -> bool:
        """Tell whether every text is the document's at the offsets, in one piece."""
        return self.text is None and self.all_text and self.pieces is None

    @cached_property
    def increasing(self) -> bool:
        """Tell whether (document, start, end) strictly increases: nothing to sort, no tie, no duplicate."""
        after, same = np.zeros(max(len(self) - 1, 0), dtype=bool), np.ones(max(len(self) - 1, 0), dtype=bool)
        for column in (self.doc, self.start, self.end):
            after |= same & (column[1:] > column[:-1])
            same &= column[1:] == column[:-1]
        return bool(after.all())

    def take(self, index: Ints) -> Spans:
        """Return the rows chosen by `index`, in that order."""
        return Spans(
            self.doc[index],
            self.start[index],
            self.end[index],
            self.label[index],
            self.position[index],
            None if self.text is None else self.text[index],
            None if self.pieces is None else self.pieces.take(index),
            {name: column[index] for name, column in self.extra.items()},
            self.all_text,
        )

    def part(self, first: int, last: int) -> Spans:
        """Return consecutive rows, without copying them."""
        if self.pieces is not None:
            return self.take(np.arange(first, last))
        own = slice(first, last)
        return Spans(
            self.doc[own],
            self.start[own],
            self.end[own],
            self.label[own],
            self.position[own],
            None if self.text is None else self.text[own],
            None,
            {name: column[own] for name, column in self.extra.items()},
            self.all_text,
        )

    def cut(self, row: int, whole: str) -> str:
        """Return the text of a span in its document; that of several fragments is joined by spaces."""
        if self.pieces is None:
            return whole[self.start[row] : self.end[row]]
        return " ".join(whole[start:end] for start, end in self.pieces_of(row))

    def pieces_of(self, row: int) -> list[tuple[int, int]]:
        """Return start and end of every fragment of one span."""
        if self.pieces is None:
            return [(int(self.start[row]), int(self.end[row]))]
        own = slice(*np.searchsorted(self.pieces.span, [row, row + 1]).tolist())
        return list(zip(self.pieces.start[own].tolist(), self.pieces.end[own].tolist(), strict=True))

    def fragments(self) -> Pieces:
        """Return the fragments of every span; a span without `pieces` is its own only fragment."""
        if self.pieces is not None:
            return self.pieces
        return Pieces(np.arange(len(self)), self.start, self.end)


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of all documents with their tags as given: document d has the rows first[d] to first[d + 1]."""

    first: Ints
    start: Ints
    end: Ints
    tag: Texts
    text: Texts | None = None  # None where only tags came along, and offsets are token numbers

    def take(self, docs: Ints) -> Tokens:
        """Return the tokens of the chosen documents, in that order; none for -1."""
        if np.array_equal(docs, np.arange(len(self.first) - 1)):  # all, as they are: mostly
            return self
        size = np.where(docs >= 0, np.diff(self.first)[docs] if len(self.first) > 1 else 0, 0)
        rows = expand(self.first[:-1][docs] if len(self.first) > 1 else docs, size)
        text = None if self.text is None else self.text[rows]
        return Tokens(np.append(0, np.cumsum(size)), self.start[rows], self.end[rows], self.tag[rows], text)

    def part(self, first: int, last: int) -> Tokens:
        """Return the tokens of consecutive documents, without copying them."""
        own = slice(int(self.first[first]), int(self.first[last]))
        text = None if self.text is None else self.text[own]
        edges = self.first[first : last + 1] - self.first[first]
        return Tokens(edges, self.start[own], self.end[own], self.tag[own], text)


@dataclass(frozen=True, eq=False)
class Queries:
    """What only queries have, beside their passages or answers."""

    lists: list[Mapping[str, float]] | None = None  # grades or scores by identifier, where there are only these
    no_answer: Floats | None = None  # how sure a system is that a query has no answer; NaN where it does not say
    questions: Texts | None = None  # what the queries ask, where they have ids besides
    named_by_text: bool = False  # the ids are texts: what queries ask
    kind: str = ""  # gold or retrieved, where the source shows which


NO_QUERIES = Queries()


@dataclass(repr=False, eq=False)
class Corpus:
    """One side: its documents, its spans, and what was noticed while reading it."""

    name: str
    ids: list[str] | None  # None when no document came with an id
    labels: tuple[str, ...]
    spans: Spans
    texts: Texts | None = None  # document texts; None elements where a document has none
    locate: Callable[[int], str] | None = None  # from a document's row to file:line
    schema: tuple[str, ...] | None = None  # the labels the file declares
    sha256: str | None = None
    problems: list[Problem] = field(default_factory=list)
    own_text: bool = False  # score the texts spans came with, not the document's at their offsets
    open_ended: bool = False  # columns cannot show documents without spans: a missing one is empty
    n_documents: int = 0
    lengths: Ints | None = None  # of the documents' texts, where segments cover them (the segments family)
    tokens: Tokens | None = None  # where documents came as tagged tokens (the tokens family)
    seconds: Mapping[int, float] = field(default_factory=dict)  # what a run took for a document, where it is known
    queries: Queries = NO_QUERIES  # where documents are queries (the passages family)
    all_texts: bool = False  # every document is known to have a text
    meta: Texts | None = None  # what else is known of each document: a dict, or None where it has none
    groups: Sequence[str] | None = None  # what each document is a part of, such as the article of a sentence
    renamed: frozenset[str] = frozenset()  # labels that it had before they were called otherwise
    role: str = ""  # gold or pred, where its source holds both and shows which it is
    # Documents that nobody vouches for, with their texts: they are left out on the other side too.
    left_out: Mapping[str, str | None] = field(default_factory=dict)

    def __repr__(self) -> str:  # one line, and nothing of the documents
        return f"<Corpus {self.name}: {plural(self.n_documents, 'document')}, {plural(self.size, 'span')}>"

    @property
    def size(self) -> int:
        """Return the number of spans, or of identifiers where there are only these."""
        lists = self.queries.lists
        return len(self.spans) if lists is None else sum(map(len, lists))

    @property
    def family(self) -> str:
        """Return what its documents hold: spans, tokens, segments or passages."""
        if self.tokens is not None:
            return "tokens"
        if self.lengths is not None:
            return "segments"
        return "passages" if self.queries.lists is not None or "rank" in self.spans.extra else "spans"

    def where(self, doc: int) -> str:
        """Return `file:line` of a document, or the name and its number."""
        return f"{self.name}[{doc}]" if self.locate is None else self.locate(doc)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the documents as plain dicts, in the fields by which Spanscope reads them back.

        Labelled spans: `{"id", "text", "spans": [{"start", "end", "label"}]}`, half-open offsets in code points; a
        span has `fragments`, `score`, `meta` and a `text` that is not its document's where it came with them.
        Tokens have `tokens`, `tags` and `start_indices`, segmentations `segments`, queries `snippets` or
        `retrieved_passages`. A document has `meta` where something else of it was kept.
        """
        from spanscope.data.dicts import documents_of

        return list(documents_of(self))

    def __getstate__(self) -> dict[str, Any]:
        places = [self.where(row) for row in range(self.n_documents)]  # the function that says it stays here
        return {**self.__dict__, "locate": places.__getitem__}


def with_quotes_nowhere(corpus: Corpus) -> Corpus:
    """Return a corpus whose spans without offsets are quotes that stand nowhere in their documents.

    Such predictions match nothing and count; of other spans without offsets nobody knows where they stand.
    """
    spans = corpus.spans
    return replace(corpus, spans=replace(spans, extra={**spans.extra, "unplaced": ~spans.located}))


def expand(first: Ints, count: Ints) -> Ints:
    """Return first[0], first[0]+1, ... count[0] numbers, then those of first[1], and so on.

    >>> expand(np.array([5, 0]), np.array([2, 1]))
    array([5, 6, 0])
    """
    total = int(count.sum())
    ends = np.cumsum(count)
    return np.asarray(np.arange(total) - np.repeat(ends - count, count) + np.repeat(first, count))


def edges_of(sides: Mapping[str, Spans], documents: int, size: int, most: int) -> list[int]:
    """Return where batches of documents start and end: so many documents each, and with two sides so few that they
    have no more than `most` pairs of spans, unless it is one document.
    """
    edges = [*range(0, documents, size), documents]
    if len(sides) != 2 or np.prod([len(side) for side in sides.values()]) <= most:
        return edges
    each = np.cumsum(np.prod([np.bincount(side.doc, minlength=documents) for side in sides.values()], axis=0))
    out = [0]
    for last in edges[1:]:
        while out[-1] < last:
            before = int(each[out[-1] - 1]) if out[-1] else 0
            fit = int(np.searchsorted(each, before + most, "right"))
            out.append(min(max(fit, out[-1] + 1), last))
    return out


def place_documents(spans: Spans, rows: Ints, documents: int) -> Spans:
    """Number the documents as in the comparison, dropping spans of documents that are not in it."""
    moved = spans
    if len(rows) != documents or not np.array_equal(rows, np.arange(documents)):
        place = np.full(documents, -1, dtype=np.int64)
        here = rows >= 0
        place[rows[here]] = np.flatnonzero(here)
        doc = place[spans.doc]
        moved = replace(spans, doc=doc)
        if (doc < 0).any():
            moved = moved.take(np.flatnonzero(doc >= 0))
    if len(moved) > 1 and (moved.doc[1:] < moved.doc[:-1]).any():
        moved = moved.take(np.argsort(moved.doc, kind="stable"))
    return moved


def recode(spans: Spans, old: Sequence[str], new: Mapping[str, int]) -> Spans:
    """Return the spans with label codes of the table `old` turned into those of the table `new`."""
    table = np.array([new.get(name, -1) for name in old], dtype=np.int64)  # spans of other labels are gone by now
    if np.array_equal(table, np.arange(len(table))):
        return spans
    return replace(spans, label=table[spans.label] if len(table) else spans.label)


def in_order(spans: Spans) -> Spans:
    """Return the spans sorted by content: document, start, end, fragments, text, and at last label.

    Every tie in every measure falls back on this order, so no figure depends on the order of the input. Labels
    come last: spans that differ in nothing else can change places, so no figure depends on their names.
    """
    if spans.increasing:
        return spans
    order = np.lexsort((spans.label, spans.end, spans.start, spans.doc))
    if spans.text is not None or spans.pieces is not None or "quote" in spans.extra:
        order = _break_ties(spans, order)
    return spans.take(order)


def _break_ties(spans: Spans, order: Ints) -> Ints:
    """Sort runs of spans with equal offsets by their fragments, their text, their label."""
    if len(order) < 2:
        return order
    same = np.ones(len(order) - 1, dtype=bool)
    for column in (spans.doc, spans.start, spans.end):
        ordered = column[order]
        same &= ordered[1:] == ordered[:-1]
    if not same.any():
        return order
    edges = np.flatnonzero(np.diff(np.concatenate(([0], same.astype(np.int8), [0]))))
    for first, last in edges.reshape(-1, 2):
        run = order[first : last + 1]
        order[first : last + 1] = sorted(run.tolist(), key=lambda row: _content(spans, row))
    return order


def _content(spans: Spans, row: int) -> tuple[list[int], str, str, int]:
    pieces: list[int] = []
    if spans.pieces is not None:
        own = slice(*np.searchsorted(spans.pieces.span, [row, row + 1]).tolist())
        pieces = [*spans.pieces.start[own].tolist(), *spans.pieces.end[own].tolist()]
    text, quote = (str(column[row]) if column is not None else "" for column in (spans.text, spans.quote))
    return pieces, text, quote, int(spans.label[row])


def with_documents(corpus: Corpus, keep: set[str]) -> Corpus:
    """Return a corpus with some of its documents, by id."""
    ids = corpus.ids or []
    rows = np.array([row for row, name in enumerate(ids) if name in keep], dtype=np.int64)
    if len(rows) == len(ids):
        return corpus
    place = np.full(len(ids), -1)
    place[rows] = np.arange(len(rows))
    doc = place[corpus.spans.doc]
    return replace(
        corpus,
        ids=[ids[row] for row in rows.tolist()],
        spans=replace(corpus.spans, doc=doc).take(np.flatnonzero(doc >= 0)),
        texts=None if corpus.texts is None else corpus.texts[rows],
        meta=None if corpus.meta is None else corpus.meta[rows],
        groups=None if corpus.groups is None else [corpus.groups[row] for row in rows.tolist()],
        n_documents=len(rows),
        lengths=None if corpus.lengths is None else corpus.lengths[rows],
        tokens=None if corpus.tokens is None else corpus.tokens.take(rows),
        locate=lambda row: corpus.where(int(rows[row])),
    )


def with_labels(corpus: Corpus, mapping: Mapping[str, str]) -> Corpus:
    """Return a corpus whose labels have other names; spans of labels mapped to nothing are left out, and noted."""
    if not mapping:
        return corpus
    new = [mapping.get(name, name) for name in corpus.labels]
    gone = np.array([name in ("", "O") for name in new], dtype=bool)
    labels = tuple(sorted({name for name, lost in zip(new, gone, strict=True) if not lost}))
    code = {name: at for at, name in enumerate(labels)}
    table = np.array([code.get(name, -1) for name in new], dtype=np.int64)
    label = table[corpus.spans.label] if len(table) else corpus.spans.label
    spans = replace(corpus.spans, label=label)
    problems = list(corpus.problems)
    if (lost := int((label < 0).sum())) > 0:
        spans = spans.take(np.flatnonzero(label >= 0))
        problems.append(Problem("other label", corpus.name, number=lost))
    schema = None if corpus.schema is None else tuple(mapping.get(name, name) for name in corpus.schema)
    renamed = frozenset(mapping) & {*corpus.labels, *(corpus.schema or ())}
    return replace(corpus, labels=labels, spans=spans, problems=problems, schema=schema, renamed=renamed)
