"""The sides beside each other, document by document."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal, TypeVar

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, Keys, keys_of, mixed
from spanscope.data.corpus import Corpus, Spans, Texts, Tokens, edges_of, in_order, place_documents, recode
from spanscope.data.names import Numbered
from spanscope.data.problems import Problem, Quote, problem_at, quote
from spanscope.errors import DocumentError, InputError, document_name, plural
from spanscope.sides.forms import alike_passages, other_forms
from spanscope.sides.lacking import extra_documents, missing_documents, refuse_lacks
from spanscope.sides.texts import check_span_texts, document_texts, own_texts, texts_of

T = TypeVar("T")
PAIRS = 10_000_000  # pairs of spans, overlapping or not, up to which several documents are counted together
Missing = Literal["error", "empty", "skip"]
Extra = Literal["error", "skip"]
Repeated = Literal["error", "number"]


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
    unscored: Mapping[str, Spans] = field(default_factory=dict)  # spans of labels that are not scored, by side
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
        return self.cache[key]  # type: ignore[return-value]

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

    def cells(self) -> Cells:
        """Return the rows by document and label that have spans."""
        return self.cached("cells", lambda: _cells(self))

    def keys(self) -> Keys:
        """Return a key for every document, by which random draws are made: of its id, else of its gold content."""
        return self.cached("keys", lambda: _keys(self))

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
                {name: _between(side, first, last) for name, side in self.sides.items()},
                None if self.texts is None else self.texts[first:last],
                {name: int(edge[0]) for name, edge in edges.items()},
                lengths=None if self.lengths is None else self.lengths[first:last],
                tokens={name: tokens.part(first, last) for name, tokens in self.tokens.items()},
                lists={name: own[first:last] for name, own in self.lists.items()},
                no_answer=None if self.no_answer is None else self.no_answer[first:last],
                unscored={name: _between(side, first, last) for name, side in self.unscored.items()},
            )


def join(
    gold: Corpus,
    pred: Corpus,
    *,
    labels: Sequence[str] | None = None,
    missing: Missing = "error",
    extra: Extra = "error",
    repeated: Repeated = "error",
    forms: bool = False,
) -> tuple[Comparison, list[Problem]]:
    """Put predictions beside gold by document id (by position when neither side has ids).

    With `forms` names that find no partner are tried again in the Unicode form NFC, those of documents and those
    that passages are known by.

    Returns the comparison, and what was noticed on the way: documents left out, texts that differ.
    """
    problems: list[Problem] = []
    names, rows_gold, rows_pred = _pair(gold, pred, missing, extra, repeated, problems, forms)
    table = tuple(sorted(set(gold.labels) | set(pred.labels))) if labels is None else tuple(labels)
    code = {name: i for i, name in enumerate(table)}
    texts = document_texts(gold, pred, rows_gold, rows_pred, problems)
    differ = any(problem.kind == "different texts" for problem in problems)
    lengths = _lengths(gold, pred, rows_gold, rows_pred)
    sides = {}
    for side, corpus, rows in (("gold", gold, rows_gold), ("pred", pred, rows_pred)):
        spans = place_documents(_only(side, corpus, code, problems), rows, corpus.n_documents)
        if texts is not None and lengths is None and not corpus.own_text:
            own = own_texts(spans, corpus, rows) if differ and side == "pred" else spans
            spans = check_span_texts(own, corpus, rows, texts, problems)
        own = recode(spans, corpus.labels, code)
        sides[side] = own if "rank" in own.extra else in_order(own)  # the order of passages is data
    both = (("gold", gold, rows_gold), ("pred", pred, rows_pred))
    tokens = {side: corpus.tokens.take(rows) for side, corpus, rows in both if corpus.tokens is not None}
    asked = [(side, corpus.queries, rows) for side, corpus, rows in both]
    lists = {side: _lists(queries.lists, rows) for side, queries, rows in asked if queries.lists is not None}
    if forms:
        problems += alike_passages(sides, lists, lambda doc: pred.where(int(rows_pred[doc])))
    unsure = pred.queries.no_answer
    sure = None if unsure is None else np.append(unsure, np.nan)[rows_pred]
    c = Comparison(names, table, sides, texts, lengths=lengths, tokens=tokens, lists=lists, no_answer=sure)
    c.named_by_text = gold.queries.named_by_text
    c.unscored = {side: place_documents(_others(own, code), rows, own.n_documents) for side, own, rows in both}
    questions = [(queries.questions, rows) for _, queries, rows in asked if queries.questions is not None]
    if questions:  # as gold has it, else the predictions
        c.questions = np.append(questions[0][0], [None])[questions[0][1]]  # the last: a query that is not there
    return c, problems


def _lists(own: list[Mapping[str, float]], rows: Ints) -> list[Mapping[str, float]]:
    """Return the lists of the chosen documents; an empty one where a document is missing."""
    return [own[row] if row >= 0 else {} for row in rows.tolist()]


def _pair(
    gold: Corpus,
    pred: Corpus,
    missing: Missing,
    extra: Extra,
    repeated: Repeated,
    problems: list[Problem],
    forms: bool,
) -> tuple[Sequence[str], Ints, Ints]:
    """Return document names, and for each the row in gold and in pred (-1 where it is missing)."""
    if gold.ids is None and pred.ids is None and not (gold.open_ended or pred.open_ended):
        return _by_position(gold, pred)
    for corpus, other in ((gold, pred), (pred, gold)):
        if corpus.ids is None and corpus.n_documents:
            raise DocumentError(
                f"{corpus.name} has no document ids, {other.name} has",
                expected="ids on both sides, or on neither (documents are then paired by position)",
                hint="[[fields=id=NAME]]   if the ids of one file stand under another name",
            )
    if (same := gold.ids) is not None and same == pred.ids and len(set(same)) == len(same):
        rows = np.arange(len(same))
        return same, rows, rows
    taken = {*(gold.ids or []), *(pred.ids or [])}  # a numbered name may be nobody's, on either side
    ids_gold, ids_pred = _unique(gold, repeated, taken), _unique(pred, repeated, taken)
    if ids_gold == ids_pred:
        rows = np.arange(len(ids_gold))
        return ids_gold, rows, rows
    at_gold = {name: row for row, name in enumerate(ids_gold)}
    at_pred = {name: row for row, name in enumerate(ids_pred)}
    if forms and (alike := other_forms(at_gold, at_pred)):
        problems += [_other_form(gold, pred, name, at_pred[name]) for name in alike]
        at_pred = {alike.get(name, name): row for name, row in at_pred.items()}
    names = _names(gold, pred, at_gold, at_pred, missing, extra, problems)
    return (
        names,
        np.array([at_gold.get(name, -1) for name in names], dtype=np.int64),
        np.array([at_pred.get(name, -1) for name in names], dtype=np.int64),
    )


def _by_position(gold: Corpus, pred: Corpus) -> tuple[Sequence[str], Ints, Ints]:
    if gold.n_documents != pred.n_documents:
        raise DocumentError(
            f"{gold.name} has {gold.n_documents:,} documents, {pred.name} has {pred.n_documents:,}, "
            "and neither has ids",
            expected="as many documents on both sides, in the same order, or an id on each",
            hint="[[fields=id=NAME]]   if the ids stand under another name",
        )
    rows = np.arange(gold.n_documents)
    return Numbered(range(1, gold.n_documents + 1)), rows, rows


def _unique(corpus: Corpus, repeated: Repeated, others: set[str]) -> list[str]:
    """Return the ids; repeated ones are refused, or numbered from the second on: q, q#2, q#3."""
    ids = corpus.ids or []
    if len(set(ids)) == len(ids):
        return ids
    seen: dict[str, int] = {}
    taken = set(others)
    out = []
    for row, name in enumerate(ids):
        times = seen.get(name, 0)
        if times and repeated == "error":
            called = document_name(name, is_text=corpus.queries.named_by_text)
            raise DocumentError(
                f"the id {called} is repeated (first at {corpus.where(ids.index(name))})",
                where=corpus.where(row),
                expected="one document for each id",
                hint="[[repeated=number]]   to pair repeated ids in their order",
            )
        numbered = name
        while times and numbered in taken:
            times += 1
            numbered = f"{name}#{times}"
        seen[name] = max(times, 1)
        taken.add(numbered)
        out.append(numbered)
    return out


def _names(
    gold: Corpus,
    pred: Corpus,
    at_gold: Mapping[str, int],
    at_pred: Mapping[str, int],
    missing: Missing,
    extra: Extra,
    problems: list[Problem],
) -> list[str]:
    """Decide which documents are scored when the two sides do not hold the same ones."""
    absent = [name for name in at_gold if name not in at_pred]
    unknown = [name for name in at_pred if name not in at_gold]
    names = list(at_gold)
    if gold.open_ended or pred.open_ended:  # columns cannot show documents without spans
        kept = [name for name in names if name in at_pred] if missing == "skip" else names
        return kept if extra == "skip" else kept + unknown
    lacks = []
    if absent:
        row = at_gold[absent[0]]
        first = _name_of(gold, absent[0], row)
        lacks.append(missing_documents(gold.name, pred.name, first, row, len(absent), missing))
    if unknown:
        row = at_pred[unknown[0]]
        lacks.append(extra_documents(gold.name, pred.name, _name_of(pred, unknown[0], row), row, len(unknown)))
    refuse_lacks(lacks, missing, extra, (len(at_gold), len(at_pred)))
    if at_pred and missing == "empty" and len(absent) == len(at_gold):
        problems.append(Problem("nothing in common", pred.name, side="pred", values={"gold": gold.name}))
    problems += lacks
    return [name for name in names if name in at_pred] if missing == "skip" else names


def _other_form(gold: Corpus, pred: Corpus, name: str, row: int) -> Problem:
    """Note a document whose name is written in another Unicode form than gold's."""
    values = {"name": _name_of(pred, name, row), "gold": gold.name}
    return problem_at("other form", pred.where(row), values, side="pred")


def _name_of(corpus: Corpus, name: str, row: int) -> str | Quote:
    """Return the name of a document for a message; of a query without an id, whose name is a text, its place."""
    return quote(name, masked=f"of {corpus.where(row)}") if corpus.queries.named_by_text else name


def _only(side: str, corpus: Corpus, code: Mapping[str, int], problems: list[Problem]) -> Spans:
    """Return the spans whose labels are scored; those of other labels are left out and reported."""
    known = np.array([name in code for name in corpus.labels], dtype=bool)
    if known.all() or not len(corpus.spans):
        return corpus.spans
    keep = known[corpus.spans.label]
    left = int((~keep).sum())
    others = tuple(name for name, yes in zip(corpus.labels, known, strict=True) if not yes)
    problems.append(Problem("other label", corpus.name, side=side, values={"labels": others}, number=left))
    return corpus.spans.take(np.flatnonzero(keep))


def _others(corpus: Corpus, code: Mapping[str, int]) -> Spans:
    """Return the spans whose labels are not scored: they count for nothing, and still cover text."""
    unknown = np.array([name not in code for name in corpus.labels], dtype=bool)
    rows = np.flatnonzero(unknown[corpus.spans.label]) if unknown.any() else np.zeros(0, dtype=np.int64)
    return replace(corpus.spans.take(rows), text=None, extra={})


def _lengths(gold: Corpus, pred: Corpus, rows_gold: Ints, rows_pred: Ints) -> Ints | None:
    """Return the length of every document's text, which both sides must agree on: segments cover all of it."""
    if gold.lengths is None or pred.lengths is None:
        return None
    ours, theirs = (_taken(c.lengths, rows) for c, rows in ((gold, rows_gold), (pred, rows_pred)))
    differ = np.flatnonzero((rows_gold >= 0) & (rows_pred >= 0) & (ours != theirs))
    if len(differ):
        row = int(differ[0])
        raise InputError(
            f"the segments cover {theirs[row]:,} units, those of the same document at "
            f"{gold.where(int(rows_gold[row]))} cover {ours[row]:,}",
            where=pred.where(int(rows_pred[row])),
            expected="the same text on both sides",
            hint="[[normalise]]   if segments stop short of the text; give text or length in every document",
        )
    return np.where(rows_gold >= 0, ours, theirs)


def _taken(lengths: Ints | None, rows: Ints) -> Ints:
    assert lengths is not None
    return lengths[rows] if len(lengths) else np.zeros(len(rows), dtype=np.int64)


def _between(spans: Spans, first: int, last: int) -> Spans:
    """Return the spans of consecutive documents, which are numbered from 0 then."""
    part = spans.part(*np.searchsorted(spans.doc, [first, last]).tolist())
    return replace(part, doc=part.doc - first)


def _keys(c: Comparison) -> Keys:
    """Return the keys of the ids; without ids those of gold spans and texts, and of how often they occurred."""
    return numbered_keys(content_keys(c)) if isinstance(c.names, Numbered) else keys_of(c.names)


def content_keys(c: Comparison) -> Keys:
    """Return a key of every document's gold spans and text; documents with the same content have the same.

    A document without a text adds nothing, whether or not others that it is counted with have one.
    """
    gold = c.gold
    labels = np.append(keys_of(c.labels), np.uint64(0))
    spans = mixed(gold.start.astype(np.uint64) + mixed(gold.end.astype(np.uint64) + labels[gold.label]))
    content = np.zeros(c.documents, dtype=np.uint64)
    np.add.at(content, gold.doc, spans)  # in no order: the order of spans means nothing
    if c.texts is not None:
        texts = c.texts.tolist()
        known = [text for text in dict.fromkeys(texts) if text is not None]  # each once: again it has another key
        key = {None: 0, **dict(zip(known, keys_of(known).tolist(), strict=True))}
        content += np.array([key[text] for text in texts], dtype=np.uint64)
    return content


def numbered_keys(content: Keys) -> Keys:
    """Return keys of contents that tell documents with the same content apart, by how often they occurred."""
    _, first, inverse = np.unique(content, return_index=True, return_inverse=True)
    if len(first) == len(content):
        return mixed(content)
    order = np.argsort(inverse, kind="stable")
    start = np.searchsorted(inverse[order], inverse[order], "left")
    again = np.empty(len(content), dtype=np.uint64)
    again[order] = (np.arange(len(content)) - start).astype(np.uint64)
    return mixed(content + mixed(again + np.uint64(1)))


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
