"""The sides beside each other: what a measure is called with."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar, cast

import numpy as np

from spanscope.arithmetic import CELLS, Bools, Floats, Ints, Keys, keys_of, scramble
from spanscope.data.corpus import Spans, Texts, Tokens, edges_of, place_documents
from spanscope.data.names import Numbered
from spanscope.errors import plural
from spanscope.sides.texts import texts_of

T = TypeVar("T")
PAIRS = 10_000_000  # pairs of spans, overlapping or not, up to which several documents are counted together


@dataclass(frozen=True, eq=False)
class Cells:
    """The (document, label) rows that have spans, and the row of every gold and predicted span."""

    doc: Ints
    label: Ints
    gold: Ints
    pred: Ints


@dataclass(repr=False, eq=False)
class Comparison:
    """Named sides over the same documents and the same labels; gold and pred when scoring.

    Joins and similarities are kept in `cache`: ten measures and a curve over one corpus join once.
    """

    names: Sequence[str]  # of the documents: their ids, or #1, #2, ... by position
    labels: tuple[str, ...]
    sides: Mapping[str, Spans]
    texts: Texts | None = None
    rows: Mapping[str, int] = field(default_factory=dict)  # where each side's rows start in the whole corpus
    origin: Mapping[str, Ints] = field(default_factory=dict)  # rows of the comparison that `keep` chose from
    lengths: Ints | None = None  # of the documents' texts, in the segments family
    tokens: Mapping[str, Tokens] = field(default_factory=dict)  # of the sides that came as tagged tokens
    lists: Mapping[str, list[Mapping[str, float]]] = field(default_factory=dict)  # of sides known by identifier
    no_answer: Floats | None = None  # of the predicted side: how sure it is that a query has no answer
    questions: Texts | None = None  # what the queries ask, where they have ids besides
    named_by_text: bool = False  # the names are texts: what queries ask
    groups: Sequence[str] | None = None  # of the documents, where groups of them are drawn and not they
    fields: Mapping[str, Sequence[str | None]] = field(default_factory=dict)  # of the documents, to slice by
    unscored: Mapping[str, Spans] = field(default_factory=dict)  # spans of labels that are not scored, by side
    absent: Mapping[str, Bools] = field(default_factory=dict)  # the documents that a side does not have, if any
    cache: dict[Hashable, object] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:  # one line, and nothing of the documents
        return f"<Comparison of {plural(self.documents, 'document')}, {plural(len(self.labels), 'label')}>"

    @property
    def gold(self) -> Spans:
        """Return the gold side."""
        return self.sides["gold"]

    @property
    def pred(self) -> Spans:
        """Return the predicted side."""
        return self.sides["pred"]

    @property
    def documents(self) -> int:
        """Return the number of documents."""
        return len(self.names)

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what was made under this key before, or make it now."""
        if key not in self.cache:
            self.cache[key] = make()
        return cast("T", self.cache[key])

    def text(self, side: str) -> Texts | None:
        """Return the text of every span of a side: its own, else cut from the document; None without any."""
        return self.cached(("text", side), lambda: texts_of(self.sides[side], self.texts))

    def untold(self, side: str) -> int:
        """Return how many spans of a side have no text, neither their own nor that of their document."""
        if side in self.lists:
            return sum(map(len, self.lists[side]))
        spans = self.sides[side]
        if spans.all_text:
            return 0
        found = self.text(side)
        return self.cached(("untold", side), lambda: len(spans) if found is None else found.tolist().count(None))

    @property
    def from_text(self) -> bool:
        """Tell whether the text of every span is its document's at its offsets, in one piece."""
        return self.texts is not None and all(side.from_text for side in self.sides.values())

    @property
    def located(self) -> bool:
        """Tell whether every span of every side came with offsets."""
        return all(bool(side.located.all()) for side in self.sides.values())

    @property
    def placed(self) -> bool:
        """Tell whether every span has offsets, or is a quote known to stand nowhere in its document."""
        sides = self.sides.values()
        return all("unplaced" in side.extra or bool(side.located.all()) for side in sides)

    def cells(self) -> Cells:
        """Return the rows by document and label that have spans."""
        return self.cached("cells", lambda: _cells(self))

    def keys(self) -> Keys:
        """Return a key for every document, by which random draws are made: of its id, else of its gold content."""
        return self.cached("keys", lambda: _keys(self))

    def group_keys(self) -> Keys | None:
        """Return the key of every document's group, which documents of one group share; None without groups."""
        return self.cached("groups", lambda: None if self.groups is None else _keys_of_groups(self.groups))

    def drawn_keys(self) -> Keys:
        """Return the keys that are drawn by: those of groups where there are some, else those of documents."""
        groups = self.group_keys()
        return self.keys() if groups is None else groups

    def present(self) -> Bools:
        """Return sides x documents: whether the side has the document, be it without spans."""
        none = np.zeros(self.documents, dtype=bool)
        return np.stack([~self.absent.get(name, none) for name in self.sides])

    def among(self, names: Sequence[str], docs: Ints) -> Comparison:
        """Return some of the sides beside each other, on documents that all of these have."""
        return Comparison(
            [self.names[doc] for doc in docs.tolist()],
            self.labels,
            {name: place_documents(self.sides[name], docs, self.documents) for name in names},
            None if self.texts is None else self.texts[docs],
            lengths=None if self.lengths is None else self.lengths[docs],
            tokens={name: self.tokens[name].take(docs) for name in names if name in self.tokens},
        )

    def keep(self, chosen: Mapping[str, Bools]) -> Comparison:
        """Return a comparison with only the chosen spans of each side."""
        origin = {name: np.flatnonzero(mask) for name, mask in chosen.items()}
        sides = {name: self.sides[name].take(rows) for name, rows in origin.items()}
        return replace(self, sides=sides, origin=origin, cache={})

    def batches(self, size: int) -> Iterator[Comparison]:
        """Cut the comparison into consecutive batches of documents: so many, and fewer where they are large."""
        cuts = edges_of(self.sides, self.documents, size, PAIRS)
        if len(cuts) <= 2:
            yield self
            return
        for first, last in pairwise(cuts):
            edges = {name: np.searchsorted(side.doc, [first, last]) for name, side in self.sides.items()}
            yield Comparison(
                self.names[first:last],
                self.labels,
                {name: _spans_between(side, first, last) for name, side in self.sides.items()},
                None if self.texts is None else self.texts[first:last],
                {name: int(edge[0]) for name, edge in edges.items()},
                lengths=None if self.lengths is None else self.lengths[first:last],
                tokens={name: tokens.part(first, last) for name, tokens in self.tokens.items()},
                lists={name: own[first:last] for name, own in self.lists.items()},
                no_answer=None if self.no_answer is None else self.no_answer[first:last],
                unscored={name: _spans_between(side, first, last) for name, side in self.unscored.items()},
                absent={name: own[first:last] for name, own in self.absent.items()},
            )


def _spans_between(spans: Spans, first: int, last: int) -> Spans:
    """Return the spans of consecutive documents, which are numbered from 0 then."""
    part = spans.part(*np.searchsorted(spans.doc, [first, last]).tolist())
    return replace(part, doc=part.doc - first)


def _keys_of_groups(groups: Sequence[str]) -> Keys:
    names = list(dict.fromkeys(groups))
    key = dict(zip(names, keys_of(names).tolist(), strict=True))
    return np.array([key[name] for name in groups], dtype=np.uint64)


def _keys(c: Comparison) -> Keys:
    """Return the keys of the ids; without ids those of gold spans and texts, and of how often they occurred."""
    return numbered_keys(content_keys(c)) if isinstance(c.names, Numbered) else keys_of(c.names)


def content_keys(c: Comparison) -> Keys:
    """Return a key of every document's gold spans and text; documents with the same content have the same.

    A document without a text adds nothing, whether or not others that it is counted with have one.
    """
    gold = c.gold
    labels = np.append(keys_of(c.labels), np.uint64(0))
    spans = scramble(gold.start.astype(np.uint64) + scramble(gold.end.astype(np.uint64) + labels[gold.label]))
    content = np.zeros(c.documents, dtype=np.uint64)
    np.add.at(content, gold.doc, spans)  # in no order: the order of spans means nothing
    if c.texts is not None:
        texts = c.texts.tolist()
        known = [text for text in dict.fromkeys(texts) if text is not None]  # each once: again it has another key
        key = {None: 0, **dict(zip(known, keys_of(known).tolist(), strict=True))}
        content += np.array([key[text] for text in texts], dtype=np.uint64)
    return content


def numbered_keys(content: Keys) -> Keys:
    """Return keys of contents that tell documents with the same content apart, by how often they occurred.

    Of so many documents that several are in a cell, those with the same content are told apart by their places,
    which are known without looking at all of them.
    """
    if len(content) > CELLS:
        return placed_keys(content)
    _, first, inverse = np.unique(content, return_index=True, return_inverse=True)
    if len(first) == len(content):
        return scramble(content)
    order = np.argsort(inverse, kind="stable")
    start = np.searchsorted(inverse[order], inverse[order], "left")
    again = np.empty(len(content), dtype=np.uint64)
    again[order] = (np.arange(len(content)) - start).astype(np.uint64)
    return scramble(content + scramble(again + np.uint64(1)))


def placed_keys(content: Keys, first: int = 0) -> Keys:
    """Return keys of contents and of their places, `first` documents coming before them."""
    place = np.arange(first + 1, first + 1 + len(content), dtype=np.uint64)
    return scramble(content + scramble(place))


def _cells(c: Comparison) -> Cells:
    width = max(len(c.labels), 1)
    gold, pred = c.gold.doc * width + c.gold.label, c.pred.doc * width + c.pred.label
    both = np.concatenate((gold, pred))
    if c.documents * width <= 4 * len(both) + 1000:  # dense enough to count instead of sorting
        present = np.zeros(c.documents * width, dtype=bool)
        present[both] = True
        keys = np.flatnonzero(present)
        number = np.cumsum(present) - 1
        return Cells(keys // width, keys % width, number[gold], number[pred])
    keys, inverse = np.unique(both, return_inverse=True)
    return Cells(keys // width, keys % width, inverse[: len(gold)], inverse[len(gold) :])
