"""Tests of differences: by hand, against SciPy, laws, and p-values under the null and under an effect."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from spanscope.arithmetic import Floats, Keys, draws, keys_of, poisson
from spanscope.counts import Counts, concat, merge
from spanscope.rates import COUNTED
from spanscope.stats import sums as sums_module
from spanscope.stats.averages import Policy, document_values, scores
from spanscope.stats.bootstrap import Method
from spanscope.stats.power import documents_needed, smallest_difference
from spanscope.stats.significance import (
    Randomisation,
    paired_intervals,
    randomisation,
)
from spanscope.stats.table import Row

RATES = COUNTED.rates()
COLUMNS = ("tp", "pred", "gold")
METHODS: tuple[Method, ...] = ("percentile", "basic", "bca")


def keys(number: int) -> Keys:
    return keys_of([f"d{i}" for i in range(number)])


def two_runs(
    seed: int, documents: int, better: float = 0.0, labels: str = "ABC", star: bool = False
) -> tuple[Counts, Counts]:
    """Return the counts of two runs on the same gold; the second finds more by `better`."""
    draw = np.random.default_rng(seed)
    gold = draw.poisson(1.0, (documents, len(labels)))
    ease = draw.beta(4, 2, (documents, 1))
    out = []
    for more in (0.0, better):
        tp = draw.binomial(gold, np.minimum(1.0, ease + more))
        pred = tp + draw.poisson(0.4, gold.shape)
        doc, label = np.nonzero(gold + pred)
        values = np.stack([side[doc, label] for side in (tp, pred, gold)])
        run = Counts(documents, tuple(labels), COLUMNS, doc, label, values)
        if star:
            over = np.stack([side.sum(axis=1) for side in (tp, pred + (pred > 1), gold)])
            run = concat(run, replace(run, doc=np.arange(documents), label=np.full(documents, -1), values=over))
        out.append(run)
    return out[0], out[1]


def compared(a: Counts, b: Counts, policy: Policy | None = None, **options: int) -> Randomisation:
    return randomisation(a, b, RATES, COUNTED, policy or Policy(), keys(a.documents), **options)


def by_row(found: Randomisation) -> dict[Row, tuple[float, float, int]]:
    return {line.row: (line.difference, line.p, line.undefined) for line in found.verdicts}


def plain(rows: Sequence[tuple[int, int, int, int, int]], documents: int, labels: str = "A") -> Counts:
    """Return counts from rows (document, label, tp, pred, gold)."""
    doc, label, *values = (np.array(column) for column in zip(*rows, strict=True))
    return Counts(documents, tuple(labels), COLUMNS, doc, label, np.stack(values))


F1_MICRO, F1_DOCUMENT = Row("f1", "micro", None), Row("f1", "document", None)


# ---------------------------------------------------------------- by hand


def test_three_documents_by_hand() -> None:
    """Recall 2/4, 1/4, 1/4 against 4/4, 3/4, 1/4: documents 1 and 2 differ, by 2 of 12 gold spans each.

    Four patterns: no swap +4/12, one swap 0 (twice), both swaps -4/12. Two of the four reach |4/12|: p = 1/2.
    """
    a = plain([(0, 0, 2, 4, 4), (1, 0, 1, 4, 4), (2, 0, 1, 4, 4)], 3)
    b = plain([(0, 0, 4, 4, 4), (1, 0, 3, 4, 4), (2, 0, 1, 4, 4)], 3)
    found = compared(a, b)
    assert (found.exact, found.trials, found.differ) == (True, 4, 2)
    for average, label in (
        ("micro", None),
        ("macro", None),
        ("weighted", None),
        ("document", None),
        ("label", "A"),
    ):
        difference, p, undefined = by_row(found)[Row("recall", average, label)]
        assert difference == pytest.approx(1 / 3, abs=1e-12)
        assert (p, undefined) == (0.5, 0)


def test_unequal_documents_by_hand() -> None:
    """The recall of the documents differs by 1/2, 1/4 and -1/8, together 5/8.

    With any signs the eight sums are +-5/8, +-7/8, +-3/8 and +-1/8: four of the eight reach 5/8.
    """
    a = plain([(0, 0, 4, 8, 8), (1, 0, 4, 8, 8), (2, 0, 4, 8, 8)], 3)
    b = plain([(0, 0, 8, 8, 8), (1, 0, 6, 8, 8), (2, 0, 3, 8, 8)], 3)
    difference, p, _ = by_row(compared(a, b))[Row("recall", "document", None)]
    assert (difference, p) == (pytest.approx(5 / 24, abs=1e-12), 0.5)


def test_undefined_trials_count_against_a_difference() -> None:
    """Each run predicts in one document only. After one swap a run predicts nothing and has no precision."""
    a = plain([(0, 0, 1, 1, 1), (1, 0, 0, 0, 1)], 2)
    b = plain([(0, 0, 0, 0, 1), (1, 0, 0, 1, 1)], 2)
    assert by_row(compared(a, b))[Row("precision", "micro", None)] == (-1.0, 1.0, 2)


def test_an_undefined_difference_has_no_p() -> None:
    a = plain([(0, 0, 0, 0, 1), (1, 0, 0, 0, 1)], 2)
    b = plain([(0, 0, 0, 0, 1), (1, 0, 0, 1, 1)], 2)
    difference, p, _ = by_row(compared(a, b))[Row("precision", "micro", None)]
    assert math.isnan(difference)
    assert math.isnan(p)


def test_few_trials_are_counted_with_the_observed_one() -> None:
    """With 9 trials no p is below 1/10, however clear the difference."""
    a = plain([(d, 0, 0, 5, 5) for d in range(60)], 60)
    b = plain([(d, 0, 5, 5, 5) for d in range(60)], 60)
    found = compared(a, b, trials=9)
    assert (found.exact, found.trials, found.differ) == (False, 9, 60)
    assert by_row(found)[F1_MICRO][1] == 0.1


def test_identical_runs() -> None:
    a, _ = two_runs(1, 40)
    found = compared(a, a)
    assert (found.exact, found.trials, found.differ) == (True, 1, 0)
    assert {(d, p, u) for d, p, u in by_row(found).values()} == {(0.0, 1.0, 0)}
    for line in paired_intervals(a, a, RATES, COUNTED, Policy(), keys(40)):
        assert line[:3] == (0.0, 0.0, 0.0)


def test_no_documents() -> None:
    none = np.zeros(0, dtype=np.int64)
    empty = Counts(0, ("A",), COLUMNS, none, none, np.zeros((3, 0), dtype=np.int64))
    assert all(math.isnan(line.p) for line in compared(empty, empty).verdicts)
    for method in METHODS:
        found = paired_intervals(empty, empty, RATES, COUNTED, Policy(), keys(0), method=method)
        assert all(math.isnan(line.low) for line in found)


# ---------------------------------------------------------------- against other implementations


def per_document(run: Counts) -> Floats:
    return np.stack([np.bincount(run.doc, weights=c, minlength=run.documents) for c in run.values])


def scipy_p(a: Counts, b: Counts, statistic: str, resamples: float) -> tuple[float, float]:
    """Return difference and p of SciPy's permutation test, whose samples are numbers of rows of both runs."""
    cells = np.concatenate([per_document(a), per_document(b)], axis=1)
    each = document_values(dict(zip(COLUMNS, cells, strict=True)), RATES[2], COUNTED, Policy())

    def micro(rows: Floats, axis: int) -> Floats:
        tp, pred, gold = cells[:, rows.astype(int)].sum(axis=axis if axis < 0 else axis + 1)
        return np.asarray(2 * tp / (pred + gold))

    def difference(x: Floats, y: Floats, axis: int) -> Floats:
        if statistic == "document":
            return np.asarray(each[y.astype(int)].mean(axis=axis) - each[x.astype(int)].mean(axis=axis))
        return micro(y, axis) - micro(x, axis)

    n = a.documents
    found = stats.permutation_test(
        (np.arange(n), np.arange(n, 2 * n)),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        random_state=np.random.default_rng(7),
    )
    return float(found.statistic), float(found.pvalue)


@pytest.mark.parametrize("average", ["micro", "document"])
@pytest.mark.parametrize("seed", range(4))
def test_exact_p_agrees_with_scipy(average: str, seed: int) -> None:
    """Up to ten documents SciPy goes through all patterns as well."""
    a, b = two_runs(seed, 10, better=0.15)
    found = compared(a, b)
    assert found.exact
    difference, p, _ = by_row(found)[Row("f1", average, None)]
    assert (difference, p) == pytest.approx(scipy_p(a, b, average, np.inf), abs=1e-12)


@pytest.mark.parametrize("average", ["micro", "document"])
@pytest.mark.parametrize("seed", range(4))
def test_sampled_p_agrees_with_scipy(average: str, seed: int) -> None:
    """Both sample 10,000 patterns: p agrees to four standard errors of the difference of two samples.

    SciPy doubles the smaller tail, which here is the same but for simulation, and has twice the error of ours.
    """
    a, b = two_runs(seed + 20, 80, better=0.04)
    found = compared(a, b)
    assert not found.exact
    difference, p, _ = by_row(found)[Row("f1", average, None)]
    theirs = scipy_p(a, b, average, 9_999)
    assert difference == pytest.approx(theirs[0], abs=1e-12)
    near = 4 * math.sqrt(3 * theirs[1] * (1 - theirs[1] / 2) / 10_000) + 1e-4
    assert p == pytest.approx(theirs[1], abs=near)


@pytest.mark.parametrize("star", [False, True])
@pytest.mark.parametrize("policy", [Policy(), Policy(undefined=0.0), Policy(labels=("C", "A", "none"))], ids=str)
def test_all_patterns_by_plain_python(star: bool, policy: Policy) -> None:
    """Every average and label: the rows of documents are swapped in earnest, and both corpora are scored anew."""
    n = 7
    a, b = two_runs(5, n, better=0.2, star=star)
    labels = policy.labels or ("A", "B", "C")
    whole = Policy(labels, policy.undefined)

    def read(run: Counts) -> dict[Row, float]:
        found = scores("m", run, RATES, COUNTED, whole)
        return {Row(s.rate, s.average, s.label): s.value for s in found}

    def part(run: Counts, d: int) -> Counts:
        rows = run.doc == d
        return Counts(1, run.labels, COLUMNS, run.doc[rows] * 0, run.label[rows], run.values[:, rows])

    reached: dict[Row, int] = {}
    first, second = read(a), read(b)
    for pattern in range(2**n):
        runs = [
            merge([part(b if (pattern >> d & 1) == side else a, d) for d in range(n)])  # side 1: bit 1 takes b
            for side in (1, 0)
        ]
        one, other = map(read, runs)
        for name in first:
            away = abs(other[name] - one[name])
            large = math.isnan(away) or away >= abs(second[name] - first[name]) - 1e-12
            reached[name] = reached.get(name, 0) + large
    found = by_row(compared(a, b, policy))
    assert set(found) == set(first)
    for name, (difference, p, _) in found.items():
        assert difference == pytest.approx(second[name] - first[name], abs=1e-12, nan_ok=True)
        expected = math.nan if math.isnan(difference) else reached[name] / 2**n
        assert p == pytest.approx(expected, abs=1e-12, nan_ok=True), name
    assert len({p for _, p, _ in found.values()}) > 5


@pytest.mark.parametrize("method", METHODS)
def test_paired_intervals_against_plain_resamples(method: Method) -> None:
    """The mean over documents and micro F1 with the same weights on both sides; quantiles by NumPy."""
    n = 40
    a, b = two_runs(9, n, better=0.1)
    weights = poisson(draws(3, keys(n), 400)).astype(float)
    micro, mean, left = [], [], []
    for run in (a, b):
        tp, pred, gold = per_document(run)
        micro.append(2 * tp @ weights / ((pred + gold) @ weights))
        each = np.where(pred + gold == 0, 1.0, 2 * tp / np.maximum(pred + gold, 1))
        mean.append(each @ weights / weights.sum(axis=0))
        left.append((each.sum() - each) / (n - 1))
    found = paired_intervals(a, b, RATES, COUNTED, Policy(), keys(n), resamples=400, seed=3, method=method)
    rows = [line.row for line in compared(a, b, trials=1).verdicts]
    value = by_row(compared(a, b, trials=1))
    for name, drawn in ((F1_MICRO, micro[1] - micro[0]), (F1_DOCUMENT, mean[1] - mean[0])):
        line = found[rows.index(name)]
        assert line.error == pytest.approx(drawn.std(ddof=1), abs=1e-12)
        low, high = np.quantile(drawn, [0.025, 0.975])
        if method == "percentile":
            assert line[:2] == pytest.approx((low, high), abs=1e-12)
        if method == "basic":
            assert line[:2] == pytest.approx((2 * value[name][0] - high, 2 * value[name][0] - low), abs=1e-12)
    if method == "bca":
        jack = left[1] - left[0]
        away = jack.mean() - jack
        a_hat = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
        z0 = stats.norm.ppf((drawn < value[F1_DOCUMENT][0]).mean())
        at = [stats.norm.cdf(z0 + (z0 + z) / (1 - a_hat * (z0 + z))) for z in stats.norm.ppf([0.025, 0.975])]
        assert found[rows.index(F1_DOCUMENT)][:2] == pytest.approx(np.quantile(drawn, at), abs=1e-9)


# ---------------------------------------------------------------- laws


@pytest.mark.parametrize("documents", [8, 50])
@pytest.mark.parametrize("star", [False, True])
@pytest.mark.parametrize("policy", [Policy(), Policy(undefined=0.0)], ids=str)
def test_swapping_the_runs_flips_every_difference(documents: int, star: bool, policy: Policy) -> None:
    a, b = two_runs(3, documents, better=0.1, star=star)
    there, back = compared(a, b, policy, trials=500), compared(b, a, policy, trials=500)
    assert there.exact == (documents == 8)
    assert repr([(-x.difference, x.p, x.undefined) for x in there.verdicts]) == repr(
        [(x.difference, x.p, x.undefined) for x in back.verdicts]
    ).replace("(0.0,", "(-0.0,")
    assert any(x.difference > 0 for x in there.verdicts)


@given(data=st.data())
@pytest.mark.parametrize("documents", [8, 40])
def test_order_and_partition_change_no_digit(documents: int, data: st.DataObject) -> None:
    a, b = two_runs(4, documents, better=0.1, star=True)
    order = np.array(data.draw(st.permutations(range(documents))))
    pieces = np.split(order, sorted(data.draw(st.sets(st.integers(1, documents - 1), max_size=3))))

    def picked(run: Counts) -> Counts:
        parts = []
        for piece in pieces:
            place = np.full(documents, -1)
            place[piece] = np.arange(len(piece))
            rows = place[run.doc] >= 0
            parts.append(
                replace(
                    run,
                    documents=len(piece),
                    doc=place[run.doc[rows]],
                    label=run.label[rows],
                    values=run.values[:, rows],
                )
            )
        return merge(parts)

    own = keys(documents)
    arguments = (RATES, COUNTED, Policy())
    whole = randomisation(a, b, *arguments, own, trials=300)
    parts = randomisation(picked(a), picked(b), *arguments, own[order], trials=300)
    assert repr(whole) == repr(parts)
    assert whole.exact == (documents == 8)
    intervals = [
        paired_intervals(*runs, *arguments, at, resamples=100, method="bca")
        for runs, at in (((a, b), own), ((picked(a), picked(b)), own[order]))
    ]
    assert repr(intervals[0]) == repr(intervals[1])


def test_blocks_change_no_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = two_runs(4, 60, better=0.1, star=True)
    before = repr(compared(a, b, trials=700))
    for name, value in (("WEIGHTS", 20_000), ("RESAMPLES_AT_ONCE", 100), ("DENSE_SHARE", 2.0)):
        monkeypatch.setattr(sums_module, name, value)
        assert repr(compared(a, b, trials=700)) == before


def test_labels_of_either_run_are_compared() -> None:
    """B is predicted by the second run only: its F1 is undefined in the first, and so is the difference."""
    a = plain([(0, 0, 1, 1, 1), (1, 0, 0, 1, 1)], 2, "AB")
    b = plain([(0, 0, 1, 1, 1), (1, 0, 1, 1, 1), (1, 1, 0, 1, 0)], 2, "AB")
    found = by_row(compared(a, b))
    assert math.isnan(found[Row("f1", "label", "B")][0])
    assert found[Row("f1", "macro", None)][0] == pytest.approx((1 + 0) / 2 - 1 / 2, abs=1e-12)


# ---------------------------------------------------------------- under the null, and under an effect


def test_p_is_uniform_under_the_null() -> None:
    """400 corpora of 40 documents, two runs from one process: p is uniform (KS p > 0.001, fixed seeds).

    The difference of the recall is a whole number of spans, and often 0: there p is 1 too often, never too small.
    """
    found: dict[Row, list[float]] = {}
    for seed in range(400):
        a, b = two_runs(10_000 + seed, 40)
        for line in compared(a, b, trials=400, seed=seed).verdicts:
            found.setdefault(line.row, []).append(line.p)
    for name in (F1_MICRO, F1_DOCUMENT, Row("f1", "macro", None), Row("precision", "micro", None)):
        p = np.array(found[name])
        assert stats.kstest(p, "uniform").pvalue > 0.001, name
        assert 0.017 <= (p <= 0.05).mean() <= 0.083  # three standard errors around 0.05
    p = np.array(found[Row("recall", "micro", None)])
    assert stats.kstest(p, "uniform", alternative="greater").pvalue > 0.001
    assert (p == 1).mean() > 0.05


def test_power_is_as_promised() -> None:
    """Two runs find each of 20 gold spans in 60 documents with chance 0.7, or more by `smallest_difference`.

    The standard error of the difference is known: sqrt(2 x 0.21 / 1200), nearly. 400 corpora; 80 % +- 6 % show it.
    """
    detect = smallest_difference(math.sqrt(2 * 0.21 / 1200))
    assert documents_needed(math.sqrt(2 * 0.21 / 1200), 60, detect) == 60
    draw = np.random.default_rng(5)
    gold = np.full(60, 20)
    shown = 0
    for seed in range(400):
        runs = []
        for chance in (0.7 - detect / 2, 0.7 + detect / 2):
            tp = draw.binomial(gold, chance)
            runs.append(plain([(d, 0, int(t), 20, 20) for d, t in enumerate(tp)], 60))
        found = randomisation(*runs, RATES[1:2], COUNTED, Policy(), keys(60), trials=400, seed=seed)
        shown += found.verdicts[0].p <= 0.05
    assert 0.74 < shown / 400 < 0.86
