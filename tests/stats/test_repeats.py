"""Several runs of a system: a plain twin, Welch's test of SciPy, mean squares of statsmodels, and laws."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from spanscope.arithmetic import Ints
from spanscope.counts import Counts
from spanscope.rates import COUNTED, NamedRates, mean
from spanscope.stats.averages import Policy
from spanscope.stats.bootstrap import intervals
from spanscope.stats.repeats import Repeated, drawn_runs, intervals_of_mean, judge, variation_of
from spanscope.stats.significance import paired_intervals
from spanscope.stats.table import Row, Table, table
from tests.stats.test_significance import COLUMNS, RATES, keys, two_runs
from tests.support import needs
from tests.twins import repeats as twin

POLICY = Policy(("A",))
RECALL, F1, DOCUMENT = Row("recall", "micro", None), Row("f1", "micro", None), Row("recall", "document", None)


def run(tp: Sequence[int] | Ints, gold: Sequence[int] | Ints) -> Table:
    """Return the table of a run that predicts nothing but what it finds."""
    found = np.asarray(tp, dtype=np.int64)
    every, values = np.arange(len(found)), np.stack([found, found, np.asarray(gold, dtype=np.int64)])
    counts = Counts(len(found), ("A",), COLUMNS, every, np.zeros_like(every), values)
    return table([counts], RATES, COUNTED, POLICY, keys(len(found)))


def at(held: Table, row: Row) -> int:
    return held.rows().index(row)


def noisy(seed: int, runs: int, documents: int = 60, deviation: float = 0.1) -> list[Table]:
    """Return the runs of one process: the ease of a document is that of all runs, that of a run its own."""
    draw = np.random.default_rng(seed)
    gold, ease = draw.poisson(4, documents) + 1, draw.beta(6, 2, documents)
    return [run(draw.binomial(gold, np.clip(ease + draw.normal(0, deviation), 0, 1)), gold) for _ in range(runs)]


@st.composite
def systems(draw: st.DrawFn) -> list[list[list[tuple[int, int]]]]:
    """Draw two systems of one to four runs over the same documents, some of them without gold."""
    gold = draw(st.lists(st.integers(0, 4), min_size=6, max_size=10))
    one_run = st.tuples(*(st.integers(0, n) for n in gold)).map(lambda tp: list(zip(tp, gold, strict=True)))
    return [draw(st.lists(one_run, min_size=1, max_size=4)) for _ in range(2)]


@given(systems())
@settings(max_examples=60)
def test_against_the_twin(given_: list[list[list[tuple[int, int]]]]) -> None:
    tables = [[run(*zip(*own, strict=True)) for own in runs] for runs in given_]
    names = keys(len(given_[0][0]))
    order = np.argsort(names)  # tables hold cells in the order of their keys, the twin any
    ours = variation_of(tables, 30, 7)
    place = at(tables[0][0], RECALL)
    sorted_ = [[[own[i] for i in order] for own in runs] for runs in given_]
    theirs = twin.compared(sorted_, names[order].tolist(), 30, 7)
    found = (ours.value[place], ours.documents[place], ours.runs[place])
    assert found == pytest.approx(theirs[:3], nan_ok=True, abs=1e-12)
    if not math.isnan(theirs.difference):
        degrees = ours.degrees(np.full(len(ours.value), len(names) - 1.0))[place]
        assert degrees == pytest.approx(theirs.degrees, rel=1e-6)


@pytest.mark.parametrize(("first", "second"), [((3, 5, 4), (6, 7, 9)), ((3, 5), (4, 9, 6, 5)), ((1, 8), (9, 2))])
def test_where_documents_do_not_matter_it_is_welchs_test(first: Sequence[int], second: Sequence[int]) -> None:
    """All documents of a run are alike, so that resamples are too, and only the runs' figures vary."""
    tables = [[run([tp] * 30, [10] * 30) for tp in own] for own in (first, second)]
    found = variation_of(tables, 50, 0)
    own, place = judge(found, 0.95), at(tables[0][0], RECALL)
    theirs = stats.ttest_ind([tp / 10 for tp in second], [tp / 10 for tp in first], equal_var=False)
    between = theirs.confidence_interval(0.95)
    assert own.degrees[place] == pytest.approx(theirs.df, rel=1e-9)
    assert own.p[place] == pytest.approx(theirs.pvalue, rel=1e-9)
    assert (own.low[place], own.high[place]) == pytest.approx((between.low, between.high), rel=1e-7)


def test_mean_squares_of_statsmodels() -> None:
    """Of means over documents the parts are mean squares of two crossed effects, but for the luck of resamples."""
    needs("statsmodels")
    import pandas as pd
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    draw, documents, runs = np.random.default_rng(3), 150, 4
    ease = draw.beta(4, 2, documents)
    gold = np.full(documents, 10)
    tp = [draw.binomial(gold, np.clip(ease + shift, 0, 1)) for shift in draw.normal(0, 0.08, runs)]
    frame = pd.DataFrame(
        [(str(r), str(d), own[d] / 10) for r, own in enumerate(tp) for d in range(documents)],
        columns=["run", "document", "value"],
    )
    square = anova_lm(ols("value ~ run + document", frame).fit())["mean_sq"]
    tables = [run(own, gold) for own in tp]
    found, place = variation_of([tables], 4000, 0), at(tables[0], DOCUMENT)
    assert found.documents[place] == pytest.approx(square["document"] / documents / runs, rel=0.08)
    theirs = (square["run"] - square["Residual"]) / documents / runs
    assert found.runs[place] == pytest.approx(theirs, rel=0.03)


def test_one_run_each_has_the_error_of_a_paired_interval() -> None:
    a, b = two_runs(1, 40, 0.1, labels="A")
    held = [[table([own], RATES, COUNTED, POLICY, keys(40))] for own in (a, b)]
    found = variation_of(held, 300, 2)
    theirs = paired_intervals(a, b, RATES, COUNTED, POLICY, keys(40), resamples=300, seed=2)
    np.testing.assert_allclose(found.error, [one.error for one in theirs], rtol=1e-9)
    assert not found.runs.any()


def test_the_same_file_thrice_is_one_file() -> None:
    """Runs that never vary add nothing, and documents keep all their degrees of freedom."""
    one = noisy(0, 1)
    once, thrice = (variation_of([[*one] * number, noisy(1, 1)], 200, 0) for number in (1, 3))
    np.testing.assert_allclose(once.documents, thrice.documents, rtol=1e-9)
    np.testing.assert_allclose(thrice.runs, 0, atol=1e-20)
    np.testing.assert_allclose(judge(thrice, 0.95).degrees, 59, rtol=1e-12)


def test_order_of_runs_and_sides() -> None:
    ours, theirs = noisy(2, 3), noisy(3, 4)
    found, turned = (judge(variation_of(own, 200, 0), 0.9) for own in ([ours, theirs], [theirs[::-1], ours[::-1]]))
    np.testing.assert_allclose(found.p, turned.p)
    np.testing.assert_allclose(found.low, -turned.high, atol=1e-12)


def part(found: Repeated, held: Sequence[Table], row: Row) -> tuple[float, float]:
    own = intervals_of_mean(found, held, 0.95)[at(held[0], row)]
    return own.low, own.high


def test_the_interval_of_a_mean_is_wider_for_its_runs() -> None:
    held = noisy(4, 5)
    found = variation_of([held], 400, 0)
    low, high = part(found, held, F1)
    value, error = found.value[at(held[0], F1)], found.error[at(held[0], F1)]
    assert 0 < low < value < high < 1
    alone = part(found._replace(runs=0 * found.runs, doubt=0 * found.doubt), held, F1)
    assert low < alone[0] < alone[1] < high
    assert high - low > 2 * 1.96 * error  # few runs: t, and not the normal distribution


def test_one_run_has_the_interval_of_eval() -> None:
    counts = two_runs(5, 40, labels="A")[0]
    held = table([counts], RATES, COUNTED, POLICY, keys(40))
    ours = intervals_of_mean(variation_of([[held]], 300, 0), [held], 0.95)
    theirs = intervals(counts, RATES, COUNTED, POLICY, keys(40), resamples=300)
    assert [one[:2] for one in ours] == [pytest.approx(one[:2], abs=1e-9) for one in theirs]


def test_perfect_runs_have_the_interval_of_one() -> None:
    held = [run([2] * 12, [2] * 12)] * 3
    low, high = part(variation_of([held], 100, 0), held, RECALL)
    assert (low, high) == part(variation_of([held[:1]], 100, 0), held[:1], RECALL)
    assert low < high == 1.0


def test_figures_that_are_no_shares_have_t() -> None:
    """SciPy's t interval of the runs' figures, where documents are all alike."""
    rates = NamedRates((mean("size", "sum", "n"),), perfect=False)
    held = []
    for size in (3.0, 4.0, 8.0):
        values = np.stack([np.full(30, size), np.ones(30), np.ones(30), np.ones(30)])
        every = np.arange(30)
        counts = Counts(30, ("A",), ("sum", "n", "pred", "gold"), every, np.zeros_like(every), values)
        held.append(table([counts], rates.named, rates, POLICY, keys(30)))
    own = intervals_of_mean(variation_of([held], 50, 0), held, 0.95)[at(held[0], Row("size", "micro", None))]
    error = stats.sem([3.0, 4.0, 8.0])
    assert own[:3] == pytest.approx((*stats.t.interval(0.95, 2, 5.0, error), error))


def test_few_documents_never_reach_a_small_p() -> None:
    """Five documents, everything right against everything wrong: no swaps of five cells go below 2 / 32."""
    tables = [[run([0] * 5, [3] * 5)] * 2, [run([3] * 5, [3] * 5)] * 2]
    found = judge(variation_of(tables, 50, 0), 0.95)
    assert found.p[at(tables[0][0], RECALL)] == 2 / 2**5


def test_a_figure_that_some_run_has_not() -> None:
    """Without predictions there is no precision: the mean is over the others, and so are the degrees."""
    held = [run([1] * 9, [2] * 9), run([2] * 9, [2] * 9), run([0] * 9, [2] * 9)]
    found, place = variation_of([held], 50, 0), at(held[0], Row("precision", "micro", None))
    assert (found.value[place], found.numbers[0][place]) == (1.0, 2)


def test_draws_for_ranks_spread_as_the_runs_do() -> None:
    held = noisy(6, 6)
    found, place = variation_of([held], 100, 0), at(noisy(6, 1)[0], F1)
    drawn = drawn_runs(found, place, "base", 20_000, 0)
    assert drawn.std() == pytest.approx(math.sqrt(found.runs[place] * 5 / 3), rel=0.05)  # t of 5 degrees
    assert not (drawn == drawn_runs(found, place, "other", 20_000, 0)).all()
    assert not drawn_runs(variation_of([held[:1]], 100, 0), place, "base", 10, 0).any()
