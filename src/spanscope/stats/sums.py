"""Weighted sums of many resamples, and the scores that are read from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Keys, draws, poisson, ratio
from spanscope.stats.table import Table, WeighedRows

WEIGHTS = 256_000  # weights made at once: 2 MB, which stay in the cache
RESAMPLES_AT_ONCE = 1_000  # resamples at once; fewer, for more cells, where there are many labels
SUMS = 400_000  # sums kept at once
MOST_SUMS = 8_000_000  # where there are so many labels that these would be very few resamples
DENSE_SHARE = 0.1  # share of cells in use from which a dense product is the faster one
ALONE = 1 << 18  # multiplications of a product that BLAS makes without waking other threads
CELLS_OF_PIECE = 64  # cells in a product that is made in pieces
NARROWEST_PIECE = 8  # resamples in such a piece; fewer are slower than threads that wait for each other
Weights = Callable[[Keys, int, int], NDArray[np.uint8]]


class Draws(NamedTuple):
    """Weighted sums of some resamples, the resamples along the last axis."""

    labels: Floats  # codes x runs x columns x resamples
    means: Floats  # runs x rates x 2 x resamples


def resampled_sums(held: Table, resamples: int, seed: int) -> Iterator[Draws]:
    """Return the sums of all resamples, some at a time."""
    return (drawn for (drawn,) in resampled_sums_of_all([held], resamples, seed))


def resampled_sums_of_all(tables: Sequence[Table], resamples: int, seed: int) -> Iterator[list[Draws]]:
    """Return the sums of all resamples, some at a time, of tables over the same cells."""
    every = [(held, held.cells) for held in tables]
    return sums_of_all(every, resamples, lambda keys, n, at: poisson(draws(seed, keys, n, first=at)))


def sums_of(held: Table, cells: WeighedRows, number: int, weights: Weights) -> Iterator[Draws]:
    """Return weights @ cells, for some resamples and cells at a time."""
    return (drawn for (drawn,) in sums_of_all([(held, cells)], number, weights))


def sums_of_all(
    tables: Sequence[tuple[Table, WeighedRows]], number: int, weights: Weights
) -> Iterator[list[Draws]]:
    """Return weights @ cells of tables over the same cells, whose weights are made once for all of them.

    `weights` makes one row per key, from (keys, how many, number of the first).
    """
    every = [cells for _, cells in tables]
    groups, keys = _group_alike(every), every[0].keys
    wide = max(1, sum(cells.codes * cells.counts.shape[1] for cells in every))
    chunk = min(RESAMPLES_AT_ONCE, max(min(64, MOST_SUMS // wide), SUMS // wide, 1))
    block = WEIGHTS // chunk
    for first in range(0, number, chunk):
        n = min(chunk, number - first)
        labels = [np.zeros((own[0].codes, sum(cells.counts.shape[1] for cells in own), n)) for own in groups]
        means = np.zeros((sum(cells.means.shape[1] for cells in every), n))
        for start in range(0, len(keys), block):
            stop = start + block
            drawn = weights(keys[start:stop], n, first).astype(np.float64)
            means += _product(_side_by_side([cells.means[start:stop] for cells in every]), drawn)
            for sums, own in zip(labels, groups, strict=True):
                _add(sums, own, start, drawn)
        yield _sums_by_table(tables, groups, labels, means)


def _group_alike(every: Sequence[WeighedRows]) -> list[list[WeighedRows]]:
    """Put tables with the same rows together: their counts are weighed by one product."""
    groups: list[list[WeighedRows]] = []
    for cells in every:
        for own in groups:
            one = own[0]
            same = one.codes == cells.codes and np.array_equal(one.cell, cells.cell)
            if same and np.array_equal(one.code, cells.code):
                own.append(cells)
                break
        else:
            groups.append([cells])
    return groups


def _side_by_side(columns: Sequence[Floats]) -> Floats:
    return columns[0] if len(columns) == 1 else np.concatenate(columns, axis=1)


def _sums_by_table(
    tables: Sequence[tuple[Table, WeighedRows]],
    groups: list[list[WeighedRows]],
    labels: Sequence[Floats],
    means: Floats,
) -> list[Draws]:
    """Return the sums of each table, in order."""
    of: dict[int, Floats] = {}
    for sums, own in zip(labels, groups, strict=True):
        ends = np.cumsum([cells.counts.shape[1] for cells in own])[:-1]
        of |= {id(cells): part for cells, part in zip(own, np.split(sums, ends, axis=1), strict=True)}
    each = np.split(means, np.cumsum([cells.means.shape[1] for _, cells in tables])[:-1])
    return [
        Draws(
            of[id(cells)].reshape(
                cells.codes, cells.counts.shape[1] // len(held.columns), len(held.columns), means.shape[1]
            ),
            own.reshape(-1, len(held.rates), 2, means.shape[1]),
        )
        for (held, cells), own in zip(tables, each, strict=True)
    ]


def _add(labels: Floats, alike: Sequence[WeighedRows], start: int, drawn: Floats) -> None:
    """Add the weighted counts of a block of cells, by a dense product or by a sparse one."""
    cells, size, width = alike[0], len(drawn), labels.shape[1]
    low, high = np.searchsorted(cells.cell, (start, start + size))
    doc, code = cells.cell[low:high] - start, cells.code[low:high]
    counts = _side_by_side([one.counts[low:high] for one in alike])
    if high - low >= DENSE_SHARE * size * cells.codes:
        block = np.zeros((size, cells.codes, width))
        block[doc, code] = counts
        labels += _product(block.reshape(size, -1), drawn).reshape(labels.shape)
        return
    from scipy.sparse import csr_array

    active, place = np.unique(code, return_inverse=True)
    at = (place[:, None] * width + np.arange(width)).ravel()
    shape = (len(active) * width, size)
    product = csr_array((counts.ravel(), (at, np.repeat(doc, width))), shape=shape) @ drawn
    labels[active] += product.reshape(len(active), width, -1)


def _product(counts: Floats, drawn: Floats) -> Floats:
    """Return counts.T @ drawn, where there are few columns by this thread alone: waking others costs more.

    Sums are exact, so pieces give the same.
    """
    cells = min(CELLS_OF_PIECE, len(counts))
    wide = ALONE // max(1, cells * counts.shape[1])
    if wide < NARROWEST_PIECE:
        return np.asarray(counts.T @ drawn)
    out = np.zeros((counts.shape[1], drawn.shape[1]))
    for first in range(0, len(counts), cells):
        own, weights = np.ascontiguousarray(counts[first : first + cells].T), drawn[first : first + cells]
        for at in range(0, drawn.shape[1], wide):
            out[:, at : at + wide] += own @ weights[:, at : at + wide]
    return out


def observed_values(held: Table) -> Floats:
    """Return the statistic of every row as it is, every document once."""
    return np.asarray(statistic(held, total_sums(held))[:, 0])


def total_sums(held: Table) -> Draws:
    """Return the sums over all cells, as one resample."""
    cells = held.cells
    labels = np.zeros((cells.codes, cells.counts.shape[1]))
    np.add.at(labels, cells.code, cells.counts)
    shape = (cells.codes, held.runs, len(held.columns), 1)
    return Draws(labels.reshape(shape), cells.means.sum(axis=0).reshape(held.runs, -1, 2, 1))


def statistic(held: Table, sums: Draws) -> Floats:
    """Return rows x resamples: the value of every row, or of two runs the difference, second minus first."""
    return second_minus_first(values(held, sums), 1)


def second_minus_first(pair: Floats, axis: int) -> Floats:
    """Return the only run along an axis, or the second minus the first."""
    only = np.asarray(pair.take(0, axis))
    return only if pair.shape[axis] == 1 else np.asarray(pair.take(1, axis) - only)


def values(held: Table, sums: Draws) -> Floats:
    """Return rows x runs x resamples: every score of every run and resample, NaN where undefined."""
    whole = sums.labels[0] if held.star else sums.labels.sum(axis=0)
    labels = np.concatenate([sums.labels, np.zeros((1, *sums.labels.shape[1:]))])[held.place]
    weights = held.weight(labels, 2) if held.names else None
    out: list[Floats] = []
    rates = zip(held.read_all(held.rates, whole, 1), held.read_all(held.rates, labels, 2), strict=True)
    for i, (micro, each) in enumerate(rates):
        out.append(micro[None])
        if weights is not None:
            defined = ~np.isnan(each)
            weight = np.where(defined, weights, 0.0)
            known = np.where(defined, each, 0.0)
            out.append(ratio(known.cumsum(axis=0)[-1], defined.sum(axis=0))[None])  # added in order, as scores are
            out.append(ratio((weight * known).sum(axis=0), weight.sum(axis=0), empty=held.policy.undefined)[None])
        out.append(ratio(sums.means[:, i, 0], sums.means[:, i, 1])[None])
        out.append(each)
    return np.concatenate(out)
