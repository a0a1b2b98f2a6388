"""From annotators to the blocks of figures: which coefficients there are, and what each of them counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

import numpy as np

from spanscope.arithmetic import Floats, Ints, Keys
from spanscope.commands.agree.annotators import Annotators
from spanscope.commands.evaluate import score_sides
from spanscope.data.corpus import Spans
from spanscope.data.problems import Problem, problem_at
from spanscope.engines.load import Progress
from spanscope.errors import MeasureError, shown
from spanscope.measures.agreement import gamma
from spanscope.measures.agreement.alignment import Units, Weights
from spanscope.measures.agreement.coding import Marks, coded_cells, marks, to_token_offsets, without_overlaps
from spanscope.measures.agreement.positions import Positions
from spanscope.measures.agreement.sums import (
    Block,
    coding_block,
    coding_block_by_label,
    disagreement_block,
    rate_block,
)
from spanscope.measures.agreement.unitising import Disagreement, alpha_u, u_alphas
from spanscope.measures.registry import Measure, parse
from spanscope.settings.options import Scoring
from spanscope.settings.settle import Input, Settings, settle

Unit = Literal["character", "token"]
MOST_LABELS = 1_000  # whose tables, of every label with every other, are still small
DENSE = 4_000_000  # numbers that the tables of the u-alphas may take at a time
EXACT, RELAXED, LOOSE = "spans.exact", "spans.relaxed(threshold=0.5)", "spans.iou(threshold=0.5)"
SEGMENTS = {"b_score": ("segments.b_score(tolerance=3)", "f1"), "b": ("segments.edit_distance(n_t=2)", "b")}
GROUPS = {
    "f1": ("f1_exact", "f1_relaxed", "b_score", "b"),
    "kappa": ("cohen_kappa", "cohen_kappa_inside", "fleiss_kappa", "fleiss_kappa_inside"),
    "alpha": ("alpha", "alpha_inside"),
    "alpha_u": ("alpha_u",),
    "u_alpha": ("u_alpha", "bar_u_alpha", "cu_alpha"),
    "gamma": ("gamma", "gamma_cat"),
}


@dataclass(frozen=True)
class Chance:
    """How gamma draws chance, and what it weighs."""

    samples: int = 30
    seed: int = 0
    sampler: gamma.Sampler = "shuffle"
    weights: Weights = field(default_factory=Weights)


def positions(a: Annotators, unit: Unit) -> Positions:
    """Return what annotators say of characters or tokens; of segmentations, of the gaps between units."""
    if a.family.partitions:
        cut = tuple(_boundaries(spans, a.lengths) for spans in a.spans)
        gaps = np.maximum(a.lengths - 1, 0)
        return Positions(a.spans, cut, cut, coded_cells(cut, gaps), gaps, ("boundary",), 0)
    spans, lengths = a.spans, a.lengths
    if unit == "token":
        if a.tokens is None:
            raise MeasureError("there are no tokens", expected="tagged tokens, or unit='character'")
        _all_on_tokens(a, np.diff(a.tokens.first))
        spans = tuple(to_token_offsets(own, a.tokens) for own in spans)
        lengths = np.diff(a.tokens.first)
    found = tuple(marks(own) for own in spans)
    resolved = [without_overlaps(own) for own in found]
    alone = tuple(own for own, _ in resolved)
    several = sum(int(many.sum()) for _, many in resolved)
    return Positions(spans, found, alone, coded_cells(alone, lengths), lengths, a.labels, several)


def _all_on_tokens(a: Annotators, sizes: Ints) -> None:
    """Refuse spans of documents without tokens, which columns of spans can have: they would count for nothing."""
    for own in a.spans:
        lacking = own.doc[sizes[own.doc] == 0]
        if len(lacking):
            what = f"the document {shown(a.documents[int(lacking[0])])} has spans, but no tokens"
            raise MeasureError(what, expected="tokens of every document, or unit='character'")


def _boundaries(spans: Spans, lengths: Ints) -> Marks:
    """Return the ends of segments as marks upon the gaps between units; the end of the text is none."""
    inner = (spans.end < lengths[spans.doc]) & (spans.end > 0)
    key = np.unique(np.stack((spans.doc[inner], spans.end[inner])), axis=1)
    return Marks(key[0], key[1] - 1, key[1], np.zeros(key.shape[1], dtype=np.int64))


def units(a: Annotators, p: Positions) -> Positions:
    """Return positions for coefficients of units: segments are units of their own text, not gaps."""
    if not a.family.partitions:
        return p
    found = tuple(marks(own) for own in a.spans)
    alone = tuple(without_overlaps(own)[0] for own in found)
    return Positions(a.spans, found, alone, coded_cells(alone, a.lengths), a.lengths, a.labels, 0)


def blocks(
    a: Annotators, wanted: Sequence[str], asked: bool, p: Positions, chance: Chance, keys: Keys, progress: Progress
) -> tuple[list[Block], list[Problem]]:
    """Return the blocks of the coefficients wanted; what is refused is noted, or raised where it was asked for."""
    out: list[Block] = []
    problems: list[Problem] = []
    labelled = not a.family.partitions and len(p.labels) > 0
    if _any("f1", wanted):
        out += pairwise(a)
    rest = [group for group in GROUPS if group != "f1" and _any(group, wanted)]
    if rest and len(p.labels) > MOST_LABELS:
        _refusable(lambda: _too_many(len(p.labels)), " ".join(rest), asked, problems)
        return out, problems
    if _any("kappa", wanted) or _any("alpha", wanted):
        out.append(coding_block(p.cells, len(p.lengths), len(p.labels)))
        out += [coding_block_by_label(p.marks, p.cells, p.lengths, len(p.labels))] if labelled else []
    whole = units(a, p)
    if "alpha_u" in wanted:
        out += _refusable(lambda: [_alpha_u(a, whole)], "alpha_u", asked, problems)
    if _any("u_alpha", wanted):
        out.append(_u_alphas(whole))
    if _any("gamma", wanted):
        out += _refusable(lambda: [_gamma(a, whole, chance, keys, progress)], "gamma", asked, problems)
    return out, problems


def _too_many(labels: int) -> list[Block]:
    raise MeasureError(
        f"too many labels: {labels:,}, {MOST_LABELS:,} at most, as every label is compared with every other",
        expected="fewer labels, or -m f1",
        hint="[[labels=A,B,C]]   to look at some of them",
    )


def _any(group: str, wanted: Sequence[str]) -> bool:
    return any(name in wanted for name in GROUPS[group])


def _refusable(make: Callable[[], list[Block]], name: str, asked: bool, problems: list[Problem]) -> list[Block]:
    try:
        return make()
    except MeasureError as error:
        if asked:
            raise
        problems.append(problem_at(f"no {name}", error.where or "all documents", {"what": error.what}))
        return []


def pairwise(a: Annotators) -> list[Block]:
    """Return F1 of every pair, the first of the two as gold; of segmentations their boundary figures."""
    if a.family.partitions:
        return [_scored(a, name, parse(form), rate) for name, (form, rate) in SEGMENTS.items()]
    exact = _scored(a, "f1_exact", parse(EXACT), "f1")
    try:
        return [exact, _scored(a, "f1_relaxed", parse(RELAXED), "f1")]
    except MeasureError:  # no text to compare
        return [exact, _scored(a, "f1_relaxed", parse(LOOSE), "f1")]


def _scored(a: Annotators, name: str, measure: Measure, rate: str) -> Block:
    alike = Scoring(allow_different_texts=True)  # what the texts are was looked at when annotators were joined
    labels = None if a.family.partitions else a.labels or None
    settings: Settings = settle([measure], None, labels=labels, score=alike)
    inputs = [Input.of(None, corpus) for corpus in a.corpora]
    tables = []
    for one, two in combinations(range(len(a.names)), 2):
        found = score_sides(a.corpora[one], a.corpora[two], settings, (inputs[one], inputs[two]), errors=False)
        tables.append(found.tables[0])
    own = next(each for each in settings.rates(measure) if each.name == rate)
    return rate_block(name, tables, own, each=len(tables) > 1)


def _alpha_u(a: Annotators, p: Positions) -> Block:
    found = alpha_u(p.marks, p.lengths, max(len(p.labels), 1), a.documents, p.labels)
    whole = Disagreement(found.observed.sum(1), found.expected.sum(1))
    return disagreement_block([("alpha_u", whole), *([("alpha_u", found)] if _labelled(a) else [])])


def _labelled(a: Annotators) -> bool:
    return not a.family.partitions and len(a.labels) > 0


def _u_alphas(p: Positions) -> Block:
    """Return the family of 2016, some documents at a time: their tables are dense."""
    labels = max(len(p.labels), 1)
    step = max(1, DENSE // (labels + 1) ** 2)
    parts = []
    for first in range(0, len(p.lengths), step):
        last = min(first + step, len(p.lengths))
        sides = [_documents(own, first, last) for own in p.flat]
        parts.append(u_alphas(sides, coded_cells(sides, p.lengths[first:last]), last - first, labels))
    if not parts:
        return disagreement_block([("u_alpha", Disagreement(np.zeros(0), np.zeros(0)))])
    u, bar, coded, by_label = (
        Disagreement(*(np.concatenate(columns) for columns in zip(*found, strict=True)))
        for found in zip(*parts, strict=True)
    )
    each = [("cu_alpha", by_label)] if len(p.labels) > 1 else []
    return disagreement_block([("u_alpha", u), ("bar_u_alpha", bar), ("cu_alpha", coded), *each])


def _documents(own: Marks, first: int, last: int) -> Marks:
    low, high = np.searchsorted(own.doc, [first, last])
    return Marks(own.doc[low:high] - first, own.start[low:high], own.end[low:high], own.label[low:high])


def _gamma(a: Annotators, p: Positions, chance: Chance, keys: Keys, progress: Progress) -> Block:
    """Return gamma and gamma-cat; a unit runs from the start of a span's first fragment to the end of its last."""
    documents, labels = len(p.lengths), max(len(p.labels), 1)
    edges = [np.searchsorted(own.doc, np.arange(documents + 1)) for own in p.spans]
    starts, ends = ([getattr(own, what).astype(np.float64) for own in p.spans] for what in ("start", "end"))
    plain = np.zeros((documents, 2))
    by_label: Floats = np.zeros((2, documents, labels + 1))
    for doc in range(documents):
        own = [
            Units(start[e[doc] : e[doc + 1]], end[e[doc] : e[doc + 1]], spans.label[e[doc] : e[doc + 1]])
            for start, end, spans, e in zip(starts, ends, p.spans, edges, strict=True)
        ]
        bounds = (0.0, float(p.lengths[doc])) if a.known else None
        try:
            found = gamma.document_parts(own, bounds, labels, int(keys[doc]), **vars(chance))
        except MeasureError as error:
            where = f"document {a.documents[doc]!r}"
            raise MeasureError(error.what, where=where, expected=error.expected, hint=error.hint) from None
        plain[doc] = found[:2]
        by_label[:, doc] = found.by_label, found.by_label_expected
        progress("gamma", doc + 1, documents)
    parts = [
        ("gamma", Disagreement(plain[:, 0], plain[:, 1])),
        ("gamma_cat", Disagreement(by_label[0, :, -1], by_label[1, :, -1])),
    ]
    if len(p.labels) > 1 and _labelled(a):
        parts.append(("gamma_cat", Disagreement(by_label[0, :, :-1], by_label[1, :, :-1])))
    return disagreement_block(parts)
