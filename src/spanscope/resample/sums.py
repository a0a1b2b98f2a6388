"""Weighted sums of many resamples, and the scores that are read from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Keys, draws, poisson, ratio
from spanscope.resample.table import Cells, Table

WEIGHTS = 256_000  # weights made at once: 2 MB, which stay in the cache
CHUNK = 1_000  # resamples at once; fewer, for more documents, where there are many labels
SUMS = 400_000  # sums kept at once
DENSE = 0.1  # share of cells in use from which a dense product is the faster one
ALONE = 4_000_000  # multiplications of a product up to which it is over before other threads have woken up
Weights = Callable[[Keys, int, int], NDArray[np.uint8]]


class Draws(NamedTuple):
    """Weighted sums of some resamples, the resamples along the last axis."""

    labels: Floats  # codes x runs x columns x resamples
    means: Floats  # runs x rates x 2 x resamples


def weighed(held: Table, resamples: int, seed: int) -> Iterator[Draws]:
    """Return the sums of all resamples, some at a time."""
    return sums_of(held, held.cells, resamples, lambda keys, n, at: poisson(draws(seed, keys, n, first=at)))


def sums_of(held: Table, cells: Cells, number: int, weights: Weights) -> Iterator[Draws]:
    """Return weights @ cells, for some resamples and documents at a time.

    `weights` makes a row a key, from (keys, how many, number of the first).
    """
    width = cells.counts.shape[1]
    chunk = min(CHUNK, max(64, SUMS // max(1, cells.codes * width)))
    block = WEIGHTS // chunk
    columns = len(held.columns)
    for first in range(0, number, chunk):
        n = min(chunk, number - first)
        labels = np.zeros((cells.codes, width, n))
        means = np.zeros((cells.means.shape[1], n))
        for start in range(0, len(cells.keys), block):
            stop = start + block
            drawn = weights(cells.keys[start:stop], n, first).astype(np.float64)
            means += _product(cells.means[start:stop], drawn)
            _add(labels, cells, start, drawn)
        yield Draws(
            labels.reshape(cells.codes, width // columns, columns, n), means.reshape(-1, len(held.rates), 2, n)
        )


def _add(labels: Floats, cells: Cells, start: int, drawn: Floats) -> None:
    """Add the weighted counts of a block of documents, by a dense product or by a sparse one."""
    size, width = len(drawn), cells.counts.shape[1]
    low, high = np.searchsorted(cells.doc, (start, start + size))
    doc, code, counts = cells.doc[low:high] - start, cells.code[low:high], cells.counts[low:high]
    if high - low >= DENSE * size * cells.codes:
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
    """Return counts.T @ drawn; a small one by this thread alone. Sums are exact, so either way gives the same."""
    if counts.size * drawn.shape[1] <= ALONE:
        return np.asarray(np.einsum("di,dj->ij", counts, drawn))
    return np.asarray(counts.T @ drawn)


def observed(held: Table) -> Floats:
    """Return the statistic of every row as it is, every document once."""
    return np.asarray(statistic(held, total(held))[:, 0])


def total(held: Table) -> Draws:
    """Return the sums over all documents, as one resample."""
    cells = held.cells
    labels = np.zeros((cells.codes, cells.counts.shape[1]))
    np.add.at(labels, cells.code, cells.counts)
    shape = (cells.codes, held.runs, len(held.columns), 1)
    return Draws(labels.reshape(shape), cells.means.sum(axis=0).reshape(held.runs, -1, 2, 1))


def statistic(held: Table, sums: Draws) -> Floats:
    """Return rows x resamples: the value of every row, or of two runs the difference, second minus first."""
    return between(values(held, sums), 1)


def between(pair: Floats, axis: int) -> Floats:
    """Return the only run along an axis, or the second minus the first."""
    only = np.asarray(pair.take(0, axis))
    return only if pair.shape[axis] == 1 else np.asarray(pair.take(1, axis) - only)


def values(held: Table, sums: Draws) -> Floats:
    """Return rows x runs x resamples: every score of every run and resample, NaN where undefined."""
    whole = sums.labels[0] if held.star else sums.labels.sum(axis=0)
    labels = np.concatenate([sums.labels, np.zeros((1, *sums.labels.shape[1:]))])[held.place]
    out: list[Floats] = []
    for i, rate in enumerate(held.rates):
        out.append(held.read(rate, whole, 1)[None])
        each = held.read(rate, labels, 2)
        if held.names:
            defined = ~np.isnan(each)
            weight = np.where(defined, held.weight(labels, 2), 0.0)
            known = np.where(defined, each, 0.0)
            out.append(ratio(known.cumsum(axis=0)[-1], defined.sum(axis=0))[None])  # added in order, as scores are
            out.append(ratio((weight * known).sum(axis=0), weight.sum(axis=0), empty=held.policy.undefined)[None])
        out.append(ratio(sums.means[:, i, 0], sums.means[:, i, 1])[None])
        out.append(each)
    return np.concatenate(out)
