"""Which documents of the two sides belong together: by their ids, else by their texts or their position."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Literal

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import Corpus
from spanscope.data.names import Numbered
from spanscope.data.problems import Problem, problem_at
from spanscope.data.wording import Quote, quote
from spanscope.errors import DocumentError, document_name, plural
from spanscope.sides.forms import other_forms
from spanscope.sides.lacking import extra_documents, missing_documents, refuse_lacks

Missing = Literal["error", "empty", "skip"]
Extra = Literal["error", "skip"]
Repeated = Literal["error", "number"]


def pair_documents(
    gold: Corpus,
    pred: Corpus,
    missing: Missing,
    extra: Extra,
    repeated: Repeated,
    problems: list[Problem],
    forms: bool,
    by_content: bool,
) -> tuple[Sequence[str], Ints, Ints]:
    """Return document names, and for each the row in gold and in pred (-1 where it is missing)."""
    if gold.ids is None and pred.ids is None and not (gold.open_ended or pred.open_ended):
        return _by_position(gold, pred)
    if by_content and (pairs := _without_shared_ids(gold, pred, problems)) is not None:
        return pairs
    _refuse_ids_on_one_side(gold, pred)
    if (same := gold.ids) is not None and same == pred.ids and len(set(same)) == len(same):
        rows = np.arange(len(same))
        return same, rows, rows
    taken = {*(gold.ids or []), *(pred.ids or [])}  # a numbered name may be nobody's, on either side
    ids_gold, ids_pred = _unique(gold, repeated, taken), _unique(pred, repeated, taken)
    if ids_gold == ids_pred:
        rows = np.arange(len(ids_gold))
        return ids_gold, rows, rows
    gone = {*gold.left_out, *pred.left_out}
    at_gold = {name: row for row, name in enumerate(ids_gold) if name not in gone}
    at_pred = {name: row for row, name in enumerate(ids_pred) if name not in gone}
    if forms and (alike := other_forms(at_gold, at_pred)):
        problems += [_other_form(gold, pred, name, at_pred[name]) for name in alike]
        at_pred = {alike.get(name, name): row for name, row in at_pred.items()}
    names = _names(gold, pred, at_gold, at_pred, missing, extra, problems)
    return (
        names,
        np.array([at_gold.get(name, -1) for name in names], dtype=np.int64),
        np.array([at_pred.get(name, -1) for name in names], dtype=np.int64),
    )


def _refuse_ids_on_one_side(gold: Corpus, pred: Corpus) -> None:
    _refuse_lists_of_other_number(gold, pred)
    for corpus, other in ((gold, pred), (pred, gold)):
        if corpus.ids is None and corpus.n_documents:
            raise DocumentError(
                f"{corpus.name} has no document ids, {other.name} has",
                expected="ids on both sides, or on neither (documents are then paired by position)",
                hint="[[fields=id=NAME]]   if the ids of one file stand under another name",
            )


def _without_shared_ids(
    gold: Corpus, pred: Corpus, problems: list[Problem]
) -> tuple[Sequence[str], Ints, Ints] | None:
    """Return the documents that belong together where ids do not say it, but their texts or places do."""
    if (alike := pair_by_texts(gold, pred)) is not None:
        problems.append(_paired_by("their texts", gold, pred))
        return alike
    if _only_positions(gold, pred):
        problems.append(_paired_by("their position", gold, pred))
        rows = np.arange(gold.n_documents)
        return gold.ids or pred.ids or (), rows, rows
    return None


def _paired_by(means: str, gold: Corpus, pred: Corpus) -> Problem:
    return Problem("paired by", pred.name, side="pred", values={"gold": gold.name, "means": means})


def pair_by_texts(gold: Corpus, pred: Corpus) -> tuple[Sequence[str], Ints, Ints] | None:
    """Return the pairs of documents with the same text, where ids pair none and every text is there once.

    Tools give documents numbers of their own: without this, two exports of the same texts have nothing in common.
    """
    if not (gold.all_texts and pred.all_texts and gold.n_documents):
        return None
    if gold.ids is not None and pred.ids is not None and not set(gold.ids).isdisjoint(pred.ids):
        return None
    gone = {text for own in (gold, pred) for text in own.left_out.values() if text is not None}
    ours, theirs = (_rows_by_text(own, gone) for own in (gold, pred))
    if not ours or theirs is None or ours.keys() != theirs.keys():
        return None
    rows = list(ours.values())
    names = gold.ids or pred.ids or Numbered(range(1, gold.n_documents + 1))
    if gold.ids is None and pred.ids is not None:
        names = [pred.ids[theirs[text]] for text in ours]
    elif len(rows) < gold.n_documents:
        names = [names[row] for row in rows]
    return names, np.array(rows), np.array([theirs[text] for text in ours], dtype=np.int64)


def _rows_by_text(corpus: Corpus, gone: Container[str]) -> dict[str, int] | None:
    """Return where each text stands, without those that are left out; None where one is there twice."""
    texts: list[str] = [] if corpus.texts is None else corpus.texts.tolist()
    place = {text: row for row, text in enumerate(texts) if text not in gone}
    twice = len(place) < sum(text not in gone for text in texts)
    return None if twice else place


def _only_positions(gold: Corpus, pred: Corpus) -> bool:
    """Tell whether one side is lists of spans alone, as models give them, in the order of the texts."""
    bare = [_is_bare(own) for own in (gold, pred)]
    return sum(bare) == 1 and gold.n_documents == pred.n_documents and not (gold.open_ended or pred.open_ended)


def _is_bare(corpus: Corpus) -> bool:
    """Tell lists of spans alone: whose they are, only their order says."""
    return corpus.ids is None and corpus.texts is None and corpus.family == "spans" and not corpus.open_ended


def _refuse_lists_of_other_number(gold: Corpus, pred: Corpus) -> None:
    """Refuse lists of spans alone, where there are more or fewer of them than documents on the other side."""
    for own, other in ((gold, pred), (pred, gold)):
        number, wanted = own.n_documents, other.n_documents
        if not _is_bare(own) or not number or number == wanted or (number > 1 and _is_bare(other)):
            continue
        if number == 1:
            what, expected = f"is one list of spans for {plural(wanted, 'document')}", "a list of lists, or ids"
        else:
            there = f"{other.name} has {plural(wanted, 'document')}"
            what = f"has lists of spans for {plural(number, 'text')}, and {there}"
            expected = "a list for every document, in the same order, or ids"
        raise DocumentError(what, where=own.name, expected=expected)


def _by_position(gold: Corpus, pred: Corpus) -> tuple[Sequence[str], Ints, Ints]:
    if gold.n_documents != pred.n_documents:
        _refuse_lists_of_other_number(gold, pred)
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


def _without_rows(gold: Corpus, pred: Corpus, absent: int, extra: Extra, unknown: int) -> list[Problem]:
    """Note documents that only the other side shows: what has one row per span cannot show those without spans."""
    out = []
    if absent and pred.open_ended:
        values = {"other": gold.name}
        out.append(Problem("no row", pred.name, side="pred", values=values, number=absent))
    if unknown and extra != "skip" and gold.open_ended:
        values = {"other": pred.name}
        out.append(Problem("no row", gold.name, side="gold", values=values, number=unknown))
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
        problems += _without_rows(gold, pred, 0 if missing == "skip" else len(absent), extra, len(unknown))
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
