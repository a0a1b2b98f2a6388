"""Cells: held to plain Python, added up from portions, and what is said of sums without rounding."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spanscope.arithmetic import Keys, keys_of
from spanscope.counts import Counts, make
from spanscope.rates import COUNTED, NamedRates, Rate, share
from spanscope.stats import cells as module
from spanscope.stats.averages import Policy
from spanscope.stats.cells import CellSums, add, change_keys, deal, fold
from spanscope.stats.counted import Documents, total_of
from spanscope.stats.counted import add as add_totals
from spanscope.stats.exact import add_into, deviation_of, round_sums, sum_by_group
from spanscope.stats.sums import resampled_sums
from spanscope.stats.table import table_of
from tests.twins import cells as twin

RATES = COUNTED.rates()
finite = st.floats(-1e12, 1e12, allow_nan=False, allow_subnormal=False)


def named(number: int, groups: int | None = None) -> list[str]:
    return [f"d{row if groups is None else row % groups}" for row in range(number)]


def keys(names: list[str]) -> Keys:
    """Return the keys of names, those of one group being the same."""
    known = dict.fromkeys(names)
    of = dict(zip(known, keys_of(list(known)).tolist(), strict=True))
    return np.array([of[name] for name in names], dtype=np.uint64)


def corpus(number: int, seed: int = 0) -> Counts:
    """Return counts of two labels, some documents without any."""
    draw = np.random.default_rng(seed)
    doc, label = np.divmod(np.flatnonzero(draw.random(2 * number) < 0.8), 2)
    gold = draw.integers(0, 4, len(doc))
    pred = draw.integers(0, 4, len(doc))
    return make(number, ("A", "B"), doc, label, {"tp": np.minimum(gold, pred), "pred": pred, "gold": gold})


# ---------------------------------------------------------------- against plain Python


@pytest.mark.parametrize(("number", "groups"), [(7, None), (40, None), (40, 5), (40, 30)])
def test_weighted_sums_are_those_of_plain_python(number: int, groups: int | None) -> None:
    """A cell each, several in a cell, groups, and more groups than cells: sixteen cells at most."""
    counts, names = corpus(number), named(number, groups)
    held = table_of([fold(counts, RATES, COUNTED, Policy(), deal(keys(names), 16))], RATES, COUNTED, Policy())
    (drawn,) = resampled_sums(held, 9, 3)
    rows = [dict.fromkeys(counts.columns, 0) for _ in range(number)]
    for doc, *values in zip(counts.doc.tolist(), *counts.values.tolist(), strict=True):
        for column, value in zip(counts.columns, values, strict=True):
            rows[doc][column] += value
    expected = twin.weighted_sums(rows, names, 16, 3, 9)
    for at, column in enumerate(counts.columns):
        assert drawn.labels[:, 0, at].sum(axis=0).tolist() == [one[column] for one in expected]


@pytest.mark.parametrize(("number", "most"), [(16, 16), (17, 16), (300, 16)])
def test_who_is_in_a_cell(number: int, most: int) -> None:
    names = named(number)
    dealt, expected = deal(keys(names), most), twin.cells_of(names, most)
    assert dealt.keys.tolist() == list(expected)
    assert [np.flatnonzero(dealt.at == at).tolist() for at in range(len(expected))] == list(expected.values())
    assert dealt.hashed == (number > most)


# ---------------------------------------------------------------- portions


def same(one: CellSums, other: CellSums) -> bool:
    """Tell whether sums by cell are read as the same."""
    ours, theirs = one.table(), other.table()
    return all(
        np.array_equal(a, b)
        for a, b in (
            (one.keys, other.keys),
            (ours.doc, theirs.doc),
            (ours.label, theirs.label),
            (ours.values, theirs.values),
            (one.mean_parts(), other.mean_parts()),
        )
    )


@given(cuts=st.lists(st.integers(0, 40), max_size=4), groups=st.sampled_from([None, 5, 30]), least=st.booleans())
def test_portions_add_up(cuts: list[int], groups: int | None, least: bool) -> None:
    """In whatever portions: cells become too many on the way, or are too many from the start, or never."""
    counts, own = corpus(40), keys(named(40, groups))
    how = (RATES, COUNTED, Policy())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CELLS", 16 if least else 4096)
        whole = fold(counts, *how, deal(own))
        edges = [0, *sorted(cuts), 40]
        parts = []
        for first, last in pairwise(edges):
            rows = (counts.doc >= first) & (counts.doc < last)
            part = Counts(
                last - first,
                counts.labels,
                counts.columns,
                counts.doc[rows] - first,
                counts.label[rows],
                counts.values[:, rows],
            )
            parts.append(fold(part, *how, deal(own[first:last])))
        found = parts[0]
        for part in parts[1:]:
            found = add(found, part)
    assert same(found, whole)
    assert found.hashed == whole.hashed


def test_other_keys_of_the_same_cells() -> None:
    counts, old, new = corpus(12), keys(named(12)), keys([f"other {row}" for row in range(12)])
    how = (RATES, COUNTED, Policy())
    moved = change_keys(fold(counts, *how, deal(old)), dict(zip(old.tolist(), new.tolist(), strict=True)))
    assert same(moved, fold(counts, *how, deal(new)))


# No figure is as near to 0 as to have a square that is 0.
FIGURES = st.floats(0, 1).map(lambda value: value if value > 1e-100 else 0.0)


@given(st.lists(st.one_of(FIGURES, st.just(math.nan)), min_size=2, max_size=30), st.integers(0, 30))
def test_means_of_portions(values: list[float], cut: int) -> None:
    """Mean, standard deviation and what is undefined are those that all documents together have, to the digit."""
    known = [value for value in values if not math.isnan(value)]
    rates = (Rate("value", lambda sums: np.where(sums["n"] > 0, sums["v"], np.nan)),)
    rate_set = NamedRates(rates, perfect=False)

    def counts(part: list[float]) -> Counts:
        rows = np.arange(len(part))
        there = ~np.isnan(np.array(part, dtype=np.float64))
        columns = {"v": np.nan_to_num(np.array(part, dtype=np.float64)), "n": there, "pred": there, "gold": there}
        return make(len(part), (), rows, np.full(len(part), -1), columns)

    how = (rates, rate_set, Policy())
    one, other = (
        total_of(counts(part), how, deal(keys(named(len(part)))), 10) for part in (values[:cut], values[cut:])
    )
    (mean,) = add_totals(one, other, 10).summary.means
    assert (mean.number, mean.undefined, mean.sum) == (len(known), len(values) - len(known), math.fsum(known))
    rows = Documents([counts(values)], lambda: keys(named(len(values)))).scores(0, "m", how)
    row = next(row for row in rows if row.average == "document")
    assert mean.std == row.std
    if len(known) > 1:
        assert mean.std == pytest.approx(statistics.stdev(known), rel=1e-12, abs=1e-300)


def test_an_infinite_value_is_in_the_sum_and_has_no_interval() -> None:
    rate = share("value", "a", "b")
    infinite = Rate("value", lambda sums: np.where(sums["b"] == 0, np.inf, rate.of(sums)))
    columns = {"a": np.array([1.0, 1.0, 3.0]), "b": np.array([2.0, 0.0, 4.0])}
    counts = make(3, (), np.arange(3), np.full(3, -1), columns | {"pred": columns["a"], "gold": columns["a"]})
    how = ((infinite,), NamedRates((infinite,), perfect=False), Policy())
    total = total_of(counts, how, deal(keys(named(3))), 10)
    assert total.summary.means[0].sum == math.inf
    assert total.summary.means[0].std is None
    assert not total.cells.mean_parts().any()


# ---------------------------------------------------------------- sums without rounding


@given(st.lists(st.tuples(finite, st.integers(0, 3)), max_size=40), st.integers(0, 40))
def test_sums_are_exact(rows: list[tuple[float, int]], cut: int) -> None:
    """Sums by group are those of fractions, rounded once; so are those of two portions."""
    values, group = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=np.int64)
    expected = [float(sum(map(Fraction, values[group == at].tolist()))) for at in range(4)]
    assert round_sums(sum_by_group([values], group, 4))[0].tolist() == expected
    parts = [sum_by_group([values[own]], group[own], 4) for own in (slice(cut), slice(cut, None))]
    every = np.arange(4)
    assert round_sums(add_into([(own, every) for own in parts], 4))[0].tolist() == expected


@given(st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=2, max_size=20))
@example([1.964377559435224e-158, 0.0])  # its square is too small to be held to the last digit
def test_deviations_are_exact(values: list[float]) -> None:
    """The variance of fractions, rounded at the end; equal values deviate by nothing at all."""
    mean = sum(map(Fraction, values)) / len(values)
    variance = sum((Fraction(value) - mean) ** 2 for value in values) / (len(values) - 1)
    assert deviation_of(np.array(values)) == pytest.approx(math.sqrt(variance), rel=1e-14, abs=1e-150)
    assert deviation_of(np.full(5, values[0])) == 0
