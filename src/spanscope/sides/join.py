"""Predictions put beside gold, document by document: two corpora become one comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import Corpus, Spans, Texts, in_order, place_documents, recode
from spanscope.data.problems import Problem
from spanscope.errors import InputError
from spanscope.sides.comparison import Comparison
from spanscope.sides.forms import alike_passages
from spanscope.sides.groups import groups_of, values_of
from spanscope.sides.pairing import Extra, Missing, Repeated, pair_documents
from spanscope.sides.texts import check_span_texts, document_texts, own_texts


def join(
    gold: Corpus,
    pred: Corpus,
    *,
    labels: Sequence[str] | None = None,
    missing: Missing = "error",
    extra: Extra = "error",
    repeated: Repeated = "error",
    forms: bool = False,
    by_content: bool = False,
    group: str | None = None,
    by: Sequence[str] = (),
    whole: bool = True,
) -> tuple[Comparison, list[Problem]]:
    """Put predictions beside gold by document id (by position when neither side has ids).

    With `forms` names that find no partner are tried again in the Unicode form NFC, those of documents and those
    that passages are known by. With `by_content` documents are paired by their texts where their ids pair none,
    and by position where one side is lists of spans alone.

    `group` is the field of gold by which documents are drawn together, `by` are those they are sliced by;
    `whole` says that these are all documents, and not a portion of them.
    Returns the comparison, and what was noticed on the way: documents left out, texts that differ.
    """
    problems: list[Problem] = []
    names, rows_gold, rows_pred = pair_documents(gold, pred, missing, extra, repeated, problems, forms, by_content)
    table = tuple(sorted(set(gold.labels) | set(pred.labels))) if labels is None else tuple(labels)
    code = {name: i for i, name in enumerate(table)}
    texts = document_texts(gold, pred, rows_gold, rows_pred, problems)
    differ = any(problem.kind == "different texts" for problem in problems)
    lengths = _lengths(gold, pred, rows_gold, rows_pred)
    sides, both = {}, (("gold", gold, rows_gold), ("pred", pred, rows_pred))
    for side, corpus, rows in both:
        spans = place_documents(_only(side, corpus, code, problems), rows, corpus.n_documents)
        if texts is not None and lengths is None and not corpus.own_text:
            own = own_texts(spans, corpus, rows) if differ and side == "pred" else spans
            spans = check_span_texts(own, corpus, rows, texts, problems)
        own = recode(spans, corpus.labels, code)
        sides[side] = own if "rank" in own.extra else in_order(own)  # the order of passages is data
    tokens = {side: corpus.tokens.take(rows) for side, corpus, rows in both if corpus.tokens is not None}
    lists = {side: _lists(own.queries.lists, rows) for side, own, rows in both if own.queries.lists is not None}
    if forms:
        problems += alike_passages(sides, lists, lambda doc: pred.where(int(rows_pred[doc])))
    sure = None if (unsure := pred.queries.no_answer) is None else np.append(unsure, np.nan)[rows_pred]
    c = Comparison(names, table, sides, texts, lengths=lengths, tokens=tokens, lists=lists, no_answer=sure)
    c.named_by_text = gold.queries.named_by_text
    c.unscored = {side: place_documents(_others(own, code), rows, own.n_documents) for side, own, rows in both}
    c.questions = _questions([(corpus.queries.questions, rows) for _, corpus, rows in both])
    c.groups, c.fields = groups_of(gold, group, rows_gold, problems), values_of(gold, by, rows_gold, whole)
    return c, problems


def _questions(sides: Sequence[tuple[Texts | None, Ints]]) -> Texts | None:
    """Return the questions as gold has them, else as the predictions do."""
    for own, rows in sides:
        if own is not None:
            return np.append(own, [None])[rows]  # the last: a query that is not there
    return None


def _lists(own: list[Mapping[str, float]], rows: Ints) -> list[Mapping[str, float]]:
    """Return the lists of the chosen documents; an empty one where a document is missing."""
    return [own[row] if row >= 0 else {} for row in rows.tolist()]


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
    ours, theirs = (_take(c.lengths, rows) for c, rows in ((gold, rows_gold), (pred, rows_pred)))
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


def _take(lengths: Ints | None, rows: Ints) -> Ints:
    assert lengths is not None
    return lengths[rows] if len(lengths) else np.zeros(len(rows), dtype=np.int64)
