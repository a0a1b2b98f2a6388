"""Coefficients as functions of sums over documents.

A block is a matrix (documents x columns) and a function from column sums to figures. The sums of all documents
give the values, those of weighted documents the intervals, and each row alone the figures of its document: see
`stats.blocks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, ratio
from spanscope.counts import STAR, Counts
from spanscope.measures.agreement import coefficients as co
from spanscope.measures.agreement.coding import CodedCells, Marks, coded_cells, label_pairs, without_overlaps
from spanscope.measures.agreement.unitising import Disagreement, alpha_of_sums
from spanscope.rates import Rate

Figures = Callable[[Floats], Floats]  # (..., columns) to (..., figures)


class Key(NamedTuple):
    """What a figure is: the coefficient, the label (None over all) and the pair of annotators (None over all)."""

    coefficient: str
    label: int | None = None
    pair: int | None = None


@dataclass(frozen=True)
class Block:
    """Columns that are summed over documents, the figures read from the sums, and what they are."""

    keys: tuple[Key, ...]
    columns: Any  # documents x columns, dense or a sparse matrix of scipy
    read: Figures


def _sparse(
    doc: Sequence[Ints], column: Sequence[Ints], weight: Sequence[Floats | Ints], shape: tuple[int, int]
) -> Any:
    """Return a sparse matrix (documents x columns) from pieces of its entries, which add up."""
    from scipy.sparse import coo_matrix

    entries = np.concatenate(weight).astype(np.float64)
    return coo_matrix((entries, (np.concatenate(doc), np.concatenate(column))), shape=shape).tocsr()


# ---------------------------------------------------------------- coding


def coding_block(found: CodedCells, documents: int, labels: int) -> Block:
    """Return kappa, Fleiss' kappa and alpha over all labels, with and without what nobody marked."""
    raters = len(found.code)
    pairs = list(combinations(range(raters), 2))
    width = (labels + 1) ** 2
    parts = [label_pairs(found, a, b, labels) for a, b in pairs]
    doc = [part.doc for part in parts] + [found.doc[found.silent]]
    column = [at * width + part.label * (labels + 1) + part.other for at, part in enumerate(parts)]
    column.append(np.full(int(found.silent.sum()), len(pairs) * width))
    weight = [part.weight for part in parts] + [found.length[found.silent]]
    table = _sparse(doc, column, weight, (documents, len(pairs) * width + 1))

    def read(sums: Floats) -> Floats:
        lead = sums.shape[:-1]
        each = sums[..., :-1].reshape(*lead, len(pairs), labels + 1, labels + 1)
        return _kappas(each, sums[..., -1], raters)

    return Block(_kappa_keys(None, len(pairs)), table, read)


def _kappa_keys(label: int | None, pairs: int) -> tuple[Key, ...]:
    """Return the figures of `_kappas`; one pair needs no rows of its own."""
    names = ("cohen_kappa", "cohen_kappa_inside")
    each = [Key(name, label, at) for name in names for at in range(pairs)] if pairs > 1 else []
    alike = ("fleiss_kappa", "fleiss_kappa_inside", "alpha", "alpha_inside")
    return (*(Key(name, label) for name in names), *(Key(name, label) for name in alike), *each)


def _kappas(tables: Floats, silent: Floats, raters: int) -> Floats:
    """Return the figures of the tables of all pairs (..., pairs, K, K) and what all annotators left outside."""
    plain, inner = co.cohen(tables), co.cohen(co.without_silent_units(tables))
    whole = co.coincidences(tables)
    within = co.without_silent_units(whole, raters * silent)
    alike = [co.fleiss(whole), co.fleiss(within), co.alpha(whole), co.alpha(within)]
    out = [_mean(plain)[..., None], _mean(inner)[..., None], np.stack(alike, axis=-1)]
    if tables.shape[-3] > 1:
        out += [plain, inner]
    return np.concatenate(out, axis=-1)


def _mean(each: Floats) -> Floats:
    """Return the mean over pairs of what is defined."""
    known = ~np.isnan(each)
    return ratio(np.where(known, each, 0.0).sum(-1), known.sum(-1))


def coding_block_by_label(sides: Sequence[Marks], found: CodedCells, lengths: Ints, labels: int) -> Block:
    """Return the same for every label against all the rest.

    A position counts as the label's wherever one of its spans covers it, also where another one lies inside: each
    label is a question of its own, so overlaps need no rule. Without outside: the positions that somebody marked
    with any label.
    """
    documents = len(lengths)
    pairs = list(combinations(range(len(sides)), 2))
    alone = [_merge_by_label(side, labels) for side in sides]
    own = coded_cells(alone, np.repeat(lengths, labels))
    label, doc = own.doc % labels, own.doc // labels
    here, column, weight = [], [], []
    for at, (a, b) in enumerate(pairs):
        one, two = own.code[a] >= 0, own.code[b] >= 0
        some = one | two
        kind = np.where(one & two, 0, np.where(one, 1, 2))[some]
        here.append(doc[some])
        column.append((label[some] * len(pairs) + at) * 3 + kind)
        weight.append(own.length[some])
    extra = labels * len(pairs) * 3
    quiet = [(found.code[a] < 0) & (found.code[b] < 0) for a, b in pairs] + [found.silent]
    for at, chosen in enumerate(quiet):
        here.append(found.doc[chosen])
        column.append(np.full(int(chosen.sum()), extra + at))
        weight.append(found.length[chosen])
    here.append(np.arange(documents))
    column.append(np.full(documents, extra + len(quiet)))
    weight.append(lengths)
    table = _sparse(here, column, weight, (documents, extra + len(quiet) + 1))
    keys = tuple(key for k in range(labels) for key in _kappa_keys(k, 1))
    return Block(keys, table, lambda sums: _label_kappas(sums, labels, len(pairs)))


def _merge_by_label(side: Marks, labels: int) -> Marks:
    """Return marks by document and label, those of one label that overlap made one."""
    key = side.doc * labels + side.label
    order = np.lexsort((-side.end, side.start, key))
    same = np.zeros(len(key), dtype=np.int64)
    return without_overlaps(Marks(key[order], side.start[order], side.end[order], same))[0]


def _label_kappas(sums: Floats, labels: int, pairs: int) -> Floats:
    lead = sums.shape[:-1]
    met = sums[..., : labels * pairs * 3].reshape(*lead, labels, pairs, 3)
    quiet, silent, total = sums[..., -pairs - 2 : -2], sums[..., -2], sums[..., -1]
    rest = total[..., None, None] - met.sum(-1)
    inner = rest - quiet[..., None, :]  # of a pair: what one of the two marked
    within = rest - silent[..., None, None]  # of all: what anybody marked
    tables, marked, by_all = (
        np.concatenate((met, corner[..., None]), axis=-1).reshape(*lead, labels, pairs, 2, 2)
        for corner in (rest, inner, within)
    )
    whole, some = co.coincidences(tables), co.coincidences(by_all)
    figures = [_mean(co.cohen(tables)), _mean(co.cohen(marked))]
    figures += [co.fleiss(whole), co.fleiss(some), co.alpha(whole), co.alpha(some)]
    return np.stack(figures, axis=-1).reshape(*lead, labels * len(figures))


# ---------------------------------------------------------------- disagreements and counts


def disagreement_block(parts: Sequence[tuple[str, Disagreement]]) -> Block:
    """Return pooled coefficients by name: one figure, or one a label where they are documents x labels."""
    keys: list[Key] = []
    columns: list[Floats] = []
    done = 0
    for name, (observed, expected) in parts:
        many = observed.ndim == 2
        keys += [Key(name, k) for k in range(observed.shape[1])] if many else [Key(name)]
        columns.append(np.stack((observed, expected), axis=-1).reshape(len(observed), 2 * len(keys) - done))
        done = 2 * len(keys)
    table = np.concatenate(columns, axis=1)

    def read(sums: Floats) -> Floats:
        halves = sums.reshape(*sums.shape[:-1], len(keys), 2)
        return alpha_of_sums(halves[..., 0], halves[..., 1])

    return Block(tuple(keys), table, read)


def rate_block(name: str, tables: Sequence[Counts], rate: Rate, *, each: bool) -> Block:
    """Return a rate of every pair of annotators from its counts: over all labels and by label, and their mean.

    `each` gives the pairs rows of their own.
    """
    first = tables[0]
    width, labels, pairs = len(first.columns), len(first.labels), len(tables)
    doc, column, weight = [], [], []
    for at, table in enumerate(tables):
        starred = bool((table.label == STAR).any())
        code = np.where(table.label == STAR, labels, table.label)
        for c in range(width):
            place = at * (labels + 1) * width + c
            doc.append(table.doc)
            column.append(place + code * width)
            weight.append(np.asarray(table.values[c], dtype=np.float64))
            if not starred:
                doc.append(table.doc)
                column.append(np.full(len(table.doc), place + labels * width))
                weight.append(weight[-1])
    shape = (first.documents, pairs * (labels + 1) * width)
    table_ = _sparse(doc, column, weight, shape)

    def read(sums: Floats) -> Floats:
        parts = sums.reshape(*sums.shape[:-1], pairs, labels + 1, width)
        found = np.asarray(rate({name: parts[..., at] for at, name in enumerate(first.columns)}))
        means = _mean(np.swapaxes(found, -1, -2))
        return np.concatenate((means, found[..., labels]), axis=-1) if each else means

    keys = [*(Key(name, k) for k in range(labels)), Key(name)]
    keys += [Key(name, None, at) for at in range(pairs)] if each else []
    return Block(tuple(keys), table_, read)


def list_figures(blocks: Sequence[Block]) -> Iterator[tuple[Key, int, int]]:
    """Return what every figure is, with the number of its block and its place in it."""
    for number, block in enumerate(blocks):
        yield from ((key, number, at) for at, key in enumerate(block.keys))
