"""Intervals: against corpora with repeated documents, against SciPy, by hand, and laws."""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from spanscope.arithmetic import Floats, Ints, draws, keys_of, poisson, ratio
from spanscope.counts import Counts, concat, merge
from spanscope.rates import COUNTED, NamedRates, Rate, share
from spanscope.stats import sums
from spanscope.stats.averages import Policy, scores
from spanscope.stats.bootstrap import METHOD, Interval, Method, bounds, intervals, intervals_of_all
from spanscope.stats.cells import deal, fold
from spanscope.stats.jackknife import jackknife
from spanscope.stats.sums import resampled_sums, statistic
from spanscope.stats.table import Row, table

RATES = COUNTED.rates()
METHODS: tuple[Method, ...] = ("percentile", "basic", "bca")
COLUMNS = ("tp", "pred", "gold")
POLICIES = (
    Policy(),
    Policy(undefined=0.0),
    Policy(undefined=1.0),
    Policy(labels=("C", "nowhere", "A")),
    Policy(labels=("nowhere", "B"), undefined=0.0),
)
LARGE = Rate("large", lambda s: ratio(1e9 * s["sum"] ** 2, s["n"]), 0.0)
MEAN = NamedRates((share("mean", "sum", "n"), LARGE), perfect=False)


def corpus(seed: int, documents: int = 12, labels: str = "ABCD", star: bool = False) -> Counts:
    """Return counts in which documents and labels are missing here and there, in no order."""
    draw = np.random.default_rng(seed)
    gold = draw.poisson(0.6, (documents, len(labels)))
    tp = draw.binomial(gold, draw.beta(4, 2, (documents, 1)))
    pred = tp + draw.poisson(0.3, gold.shape)
    doc, label = np.nonzero(gold + pred)
    mixed = draw.permutation(len(doc))
    values = np.stack([side[doc, label] for side in (tp, pred, gold)])[:, mixed]
    rows = Counts(documents, tuple(labels), COLUMNS, doc[mixed], label[mixed], values)
    if not star:
        return rows
    over = np.stack([tp.sum(axis=1), tp.sum(axis=1) + draw.poisson(0.5, documents), gold.sum(axis=1)])
    every = np.arange(documents)
    return concat(rows, Counts(documents, tuple(labels), COLUMNS, every, np.full(documents, -1), over))


def floats(seed: int, documents: int = 12) -> Counts:
    """Return sums that are not whole numbers, with nothing but overall rows."""
    draw = np.random.default_rng(seed)
    values = np.stack([draw.normal(3.0, 1.0, documents), draw.integers(0, 3, documents).astype(float)])
    values = np.concatenate(
        [values, values[1:], 1e9 * values[:1]]
    )  # columns of quite another size beside each other
    every = np.arange(documents)
    return Counts(documents, (), ("sum", "n", "gold", "pred"), every, np.full(documents, -1), values)


def picked(counts: Counts, docs: Sequence[int] | Ints) -> Counts:
    """Return the corpus of these documents, in this order, as often as they are named."""
    parts = []
    for d in docs:
        rows = counts.doc == d
        none = np.zeros(int(rows.sum()), dtype=np.int64)
        parts.append(Counts(1, counts.labels, counts.columns, none, counts.label[rows], counts.values[:, rows]))
    return merge(parts)


def named_keys(number: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return keys_of([f"d{i}" for i in range(number)])


def resampled(
    counts: Counts, rates: Sequence[Rate], rate_set: object, policy: Policy, number: int, seed: int
) -> Floats:
    """Return rows x resamples: plainly, the scores of corpora in which documents are left out or repeated."""
    weights = poisson(draws(seed, named_keys(counts.documents), number))
    every = np.arange(counts.documents)
    rows = [row(s) for s in scores("m", counts, rates, rate_set, policy)]  # type: ignore[arg-type]
    out = np.full((len(rows), number), np.nan)
    for r in range(number):
        if not weights[:, r].any():
            continue
        found = scores("m", picked(counts, np.repeat(every, weights[:, r])), rates, rate_set, policy)  # type: ignore[arg-type]
        known = {row(s): s.value for s in found}
        out[:, r] = [known.get(name, policy.undefined) for name in rows]  # a label that no document has: 0/0
    return out


def row(s: object) -> Row:
    return Row(s.rate, s.average, s.label)  # type: ignore[attr-defined]


def averaged(rows: Sequence[Row], found: Floats, policy: Policy) -> Floats:
    """Mend the macro averages of labels that no document of a resample has: they count where 0/0 is a number."""
    out = found.copy()
    for i, name in enumerate(rows):
        if name.average == "macro" and policy.labels is None and not math.isnan(policy.undefined):
            own = [j for j, other in enumerate(rows) if other.rate == name.rate and other.average == "label"]
            out[i] = found[own].mean(axis=0)
    return out


# ---------------------------------------------------------------- a resample is a corpus with repeated documents


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.parametrize("star", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_resamples_against_repeated_documents(policy: Policy, star: bool, seed: int) -> None:
    counts, number = corpus(seed, star=star), 40
    held = table([counts], RATES, COUNTED, policy, named_keys(counts.documents))
    ours = np.concatenate([statistic(held, part) for part in resampled_sums(held, number, seed)], axis=1)
    plain = resampled(counts, RATES, COUNTED, policy, number, seed)
    rows = [row(s) for s in scores("m", counts, RATES, COUNTED, policy)]
    assert held.rows() == rows
    np.testing.assert_allclose(ours, averaged(rows, plain, policy), rtol=0, atol=1e-12)
    assert np.isfinite(ours).mean() > 0.5


def test_resamples_of_a_family_without_labels() -> None:
    counts = floats(3)
    held = table([counts], MEAN.named, MEAN, Policy(), named_keys(12))
    ours = np.concatenate([statistic(held, part) for part in resampled_sums(held, 50, 5)], axis=1)
    assert [r.average for r in held.rows()] == ["micro", "document"] * 2
    np.testing.assert_allclose(ours, resampled(counts, MEAN.named, MEAN, Policy(), 50, 5), rtol=2e-12)


def test_percentile_and_basic_are_quantiles_of_them() -> None:
    counts = corpus(4)
    drawn = resampled(counts, RATES, COUNTED, Policy(), 200, 9)
    values = np.array([s.value for s in scores("m", counts, RATES, COUNTED, Policy())])
    low, high = np.nanquantile(drawn, [0.05, 0.95], axis=1)
    found = {m: interval_array(counts, m, resamples=200, level=0.9, seed=9) for m in METHODS[:2]}
    np.testing.assert_allclose(found["percentile"][:, :2], np.stack([low, high], axis=1), atol=1e-12)
    np.testing.assert_allclose(
        found["basic"][:, :2], np.stack([2 * values - high, 2 * values - low], axis=1), atol=1e-12
    )
    np.testing.assert_allclose(found["percentile"][:, 2], np.nanstd(drawn, axis=1, ddof=1), atol=1e-12)
    assert found["percentile"][:, 3].tolist() == np.isnan(drawn).sum(axis=1).tolist()
    assert found["percentile"][:, 3].any()


def interval_array(
    counts: Counts, method: Method = METHOD, policy: Policy | None = None, **options: float
) -> Floats:
    keys = named_keys(counts.documents)
    return np.array(intervals(counts, RATES, COUNTED, policy or Policy(), keys, method=method, **options))  # type: ignore[arg-type]


# ---------------------------------------------------------------- jackknife and BCa


@pytest.mark.parametrize("policy", POLICIES, ids=str)
@pytest.mark.parametrize("star", [False, True])
def test_jackknife_against_leaving_out(policy: Policy, star: bool) -> None:
    """Plainly: the corpus without document i is scored, for every i."""
    counts = corpus(6, documents=9, star=star)
    rows = [row(s) for s in scores("m", counts, RATES, COUNTED, policy)]
    left = []
    for d in range(9):
        rest = scores("m", picked(counts, [x for x in range(9) if x != d]), RATES, COUNTED, policy)
        known = {row(s): s.value for s in rest}
        left.append([known.get(name, policy.undefined) for name in rows])
    plain = averaged(rows, np.array(left).T, policy)
    found = jackknife(table([counts], RATES, COUNTED, policy, named_keys(9)))
    for i, line in enumerate(plain):
        values = line[~np.isnan(line)]
        n = len(values)
        away = values.mean() - values if n else values
        square = (away**2).sum()
        error = math.sqrt((n - 1) / n * square) if n else math.nan
        assert found.error[i] == pytest.approx(error, abs=1e-9, nan_ok=True)
        if square > 1e-20:
            assert found.acceleration[i] == pytest.approx((away**3).sum() / (6 * square**1.5), abs=1e-9)


def test_bca_against_a_plain_one() -> None:
    """Efron and Tibshirani (1993), 14.9 to 14.15, with SciPy's normal distribution; a mean over documents."""
    counts = corpus(0, documents=25)
    held = table([counts], RATES, COUNTED, Policy(), named_keys(25))
    place = held.rows().index(Row("f1", "document", None))
    drawn = np.concatenate([statistic(held, part) for part in resampled_sums(held, 500, 2)], axis=1)
    each = document_f1(counts)
    left = (each.sum() - each) / 24
    away = left.mean() - left
    a = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
    below = (drawn[place] < each.mean() - 1e-12).mean() + 0.5 * (abs(drawn[place] - each.mean()) <= 1e-12).mean()
    z0 = stats.norm.ppf(below)
    shares = [stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))) for z in stats.norm.ppf([0.025, 0.975])]
    found = bounds(held, drawn, 0.95, "bca")[place]
    assert found[:2] == pytest.approx(np.quantile(drawn[place], shares), abs=1e-9)
    assert abs(a) > 0.02  # else the correction would not have been tried
    assert found[:2] != pytest.approx(np.quantile(drawn[place], [0.025, 0.975]), abs=1e-3)


def document_f1(counts: Counts) -> Floats:
    """Return the F1 of every document, 1 where there is nothing on both sides."""
    tp, pred, gold = (np.bincount(counts.doc, weights=c, minlength=counts.documents) for c in counts.values)
    return np.where(pred + gold == 0, 1.0, 2 * tp / np.maximum(pred + gold, 1))


@pytest.mark.parametrize(("method", "name"), [("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")])
def test_agrees_with_scipy_bootstrap(method: Method, name: str) -> None:
    """The mean over 80 documents, 20,000 resamples each: bounds agree to a tenth of a standard error.

    Of that, simulation takes 0.03 (a bound has a standard error of 0.019) and Poisson weights 0.01 x 1.96.
    """
    counts = corpus(10, documents=80)
    each = document_f1(counts)
    theirs = stats.bootstrap(
        (each,), np.mean, n_resamples=20_000, method=name, random_state=np.random.default_rng(1)
    )
    rows = [row(s) for s in scores("m", counts, RATES, COUNTED, Policy())]
    ours = interval_array(counts, method, resamples=20_000)[rows.index(Row("f1", "document", None))]
    near = 0.1 * theirs.standard_error
    assert ours[:2] == pytest.approx([theirs.confidence_interval.low, theirs.confidence_interval.high], abs=near)
    assert ours[2] == pytest.approx(theirs.standard_error, rel=0.03)


def test_agrees_with_scipy_on_micro_f1() -> None:
    """A ratio of sums: SciPy resamples numbers of documents."""
    counts = corpus(11, documents=80)
    cells = np.stack([np.bincount(counts.doc, weights=c, minlength=80) for c in counts.values])

    def micro(docs: Floats, axis: int = -1) -> Floats:
        tp, pred, gold = cells[:, docs].sum(axis=axis)
        return np.asarray(2 * tp / (pred + gold))

    theirs = stats.bootstrap(
        (np.arange(80),), micro, n_resamples=20_000, method="percentile", random_state=np.random.default_rng(1)
    )
    rows = [row(s) for s in scores("m", counts, RATES, COUNTED, Policy())]
    ours = interval_array(counts, "percentile", resamples=20_000)[rows.index(Row("f1", "micro", None))]
    near = 0.1 * theirs.standard_error
    assert ours[:2] == pytest.approx([theirs.confidence_interval.low, theirs.confidence_interval.high], abs=near)


# ---------------------------------------------------------------- laws


def together(
    parts: Sequence[Counts], keys: Sequence[object], method: Method, rate_set: object = COUNTED
) -> list[Interval]:
    rates = RATES if rate_set is COUNTED else MEAN.named
    found = np.concatenate([np.asarray(k, dtype=np.uint64) for k in keys])
    return intervals(merge(parts), rates, rate_set, Policy(), found, resamples=150, method=method)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["labels", "star", "floats"])
@given(data=st.data())
def test_order_and_partition_change_no_digit(method: Method, kind: str, data: st.DataObject) -> None:
    counts = floats(5, 30) if kind == "floats" else corpus(5, documents=30, star=kind == "star")
    rate_set = MEAN if kind == "floats" else COUNTED
    keys = named_keys(30)
    order = np.array(data.draw(st.permutations(range(30))))
    ends = sorted(data.draw(st.sets(st.integers(1, 29), max_size=4)))
    pieces = np.split(order, ends)
    whole = together([counts], [keys], method, rate_set)
    parts = together(
        [picked(counts, piece) for piece in pieces], [keys[piece] for piece in pieces], method, rate_set
    )
    assert repr(whole) == repr(parts)


@pytest.mark.parametrize("method", METHODS)
def test_blocks_and_sparse_products_change_no_digit(method: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        interval_array(corpus(12, 100, star=True), method),
        np.array(together([floats(2, 90)], [named_keys(90)], method, MEAN)),
    ]
    blocks = (("WEIGHTS", 5_000), ("RESAMPLES_AT_ONCE", 130), ("SUMS", 1))
    pieces = (("ALONE", 3_000), ("CELLS_OF_PIECE", 7), ("NARROWEST_PIECE", 10**6))
    for name, value in (*blocks, *pieces, ("DENSE_SHARE", 2.0)):
        monkeypatch.setattr(sums, name, value)
        again = [
            interval_array(corpus(12, 100, star=True), method),
            np.array(together([floats(2, 90)], [named_keys(90)], method, MEAN)),
        ]
        assert [repr(a.tolist()) for a in again] == [repr(a.tolist()) for a in found], name


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("chunk", [1_000, 64])
def test_measures_together_have_the_intervals_of_each(
    method: Method, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measures with the same rows and with other ones, with labels and without: not a digit differs."""
    monkeypatch.setattr(sums, "RESAMPLES_AT_ONCE", chunk)
    monkeypatch.setattr(sums, "WEIGHTS", 5 * chunk)
    one = corpus(1)
    same = Counts(one.documents, one.labels, COLUMNS, one.doc, one.label, one.values[[0, 2, 1]])
    every = [one, corpus(2), same, corpus(3, star=True), floats(4), one]
    reads = [(MEAN.rates(), MEAN, Policy()) if own.labels == () else (RATES, COUNTED, Policy()) for own in every]
    keys = named_keys(one.documents)
    dealt = deal(keys)
    cells = [fold(own, *read, dealt) for own, read in zip(every, reads, strict=True)]
    found = intervals_of_all(cells, reads, [len(own.labels) for own in every], resamples=200, method=method)
    for own, read, mine in zip(every, reads, found, strict=True):
        alone = intervals(own, *read, keys, resamples=200, method=method)
        assert np.array_equal(np.array(mine), np.array(alone), equal_nan=True)


def test_the_seed_matters_and_is_all_that_does() -> None:
    counts = corpus(13)
    assert repr(interval_array(counts, seed=1).tolist()) == repr(interval_array(counts, seed=1).tolist())
    assert repr(interval_array(counts, seed=1).tolist()) != repr(interval_array(counts, seed=2).tolist())


def test_memory_is_bounded() -> None:
    """All weights at once would be 20,000 x 1,000 x 8 bytes = 160 MB, or 20 MB as bytes."""
    counts = corpus(15, documents=20_000)
    keys = named_keys(20_000)
    tracemalloc.start()
    intervals(counts, RATES, COUNTED, Policy(), keys)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 19e6


def test_products_of_few_columns_wake_no_other_thread() -> None:
    """Threads that wait for pieces of small products cost more time than the products."""
    every = [corpus(16, documents=4_096, labels="ABCDEFGH") for _ in range(5)]
    dealt, read = deal(named_keys(4_096)), (RATES, COUNTED, Policy())
    cells = [fold(own, *read, dealt) for own in every]
    all_threads, mine = time.process_time(), time.thread_time()
    intervals_of_all(cells, [read] * 5, [8] * 5)
    mine, all_threads = time.thread_time() - mine, time.process_time() - all_threads
    assert all_threads - mine < 0.1 * mine
