"""Gamma: recorded figures of pygamma, best alignments by trying all of them, samplers, laws."""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spanscope import agree
from spanscope.errors import MeasureError
from spanscope.measures.agreement import alignment, gamma
from spanscope.measures.agreement.alignment import Units, Weights, align
from spanscope.measures.agreement.samplers import Continua, continuum, shuffle, statistical
from tests.oracle import oracle

Unit = tuple[int, int, int]  # start, end, label
RECORDED = oracle("pygamma_best_disorder")["cases"]
MORE = oracle("pygamma_many_and_expected")
WEIGHTS = {(1, 1): Weights(1, 1), (3, 1): Weights(3, 1), (1, 0): Weights(1, 0)}
UNITS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 6), st.integers(0, 1)).map(lambda u: (u[0], u[0] + u[1], u[2])),
    max_size=4,
)


def units_of(found: list[Unit]) -> Units:
    start, end, label = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return Units(start.astype(float), end.astype(float), label)


def read(listed: list[list[Any]]) -> tuple[list[Units], list[str]]:
    """Return recorded units by annotator, and the labels."""
    labels = sorted({label for *_, label in listed})
    raters = sorted({rater for rater, *_ in listed})
    return [
        units_of([(s, e, labels.index(k)) for who, s, e, k in listed if who == rater]) for rater in raters
    ], labels


def observed(units: list[Units], labels: int, weights: Weights, **options: bool) -> gamma.Disorders:
    return gamma.disorders(continuum(units).take(None), labels, weights, **options)


# ---------------------------------------------------------------- recorded figures


@pytest.mark.parametrize("number", range(len(RECORDED)))
@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=str)
def test_best_disorder_is_pygammas(number: int, weights: Weights) -> None:
    case = RECORDED[number]
    units, labels = read(case["units(annotator,start,end,label)"])
    want = case[f"alpha={weights.alpha},beta={weights.beta},delta_empty=1"]
    found = observed(units, len(labels), weights)
    assert found.disorder[0] / case["avg_units_per_annotator"] == pytest.approx(want["best_disorder"], abs=1e-5)
    assert align(units, weights).disorder == pytest.approx(found.disorder[0], abs=1e-9)


def test_gamma_cat_disorder_is_pygammas() -> None:
    """All but 4 of 120: equally good alignments, of which the published figure for two does not depend on any.

    Where nothing is aligned pygamma gives 0 (no disagreement), or 1 where it aligned a pair that costs exactly as
    much as leaving both alone; here all units then count as different.
    """
    unlike = []
    for number, case in enumerate(RECORDED):
        units, labels = read(case["units(annotator,start,end,label)"])
        for weights in WEIGHTS.values():
            want = case[f"alpha={weights.alpha},beta={weights.beta},delta_empty=1"]["gamma_cat_disorder"]
            found = observed(units, len(labels), weights, unaligned=True)
            if len(align(units, weights).rows) == 0:
                assert want in (0.0, 1.0)
            elif found.differ[0, -1] / found.weight[0, -1] != pytest.approx(want, abs=1e-5):
                unlike.append((number, len(units), weights))
    assert len(unlike) == 4
    for number, _, weights in unlike:
        assert is_tied(read(RECORDED[number]["units(annotator,start,end,label)"])[0], weights)


def is_tied(units: list[Units], weights: Weights) -> bool:
    """Tell whether some other alignment is as good as the best: a nudge of one saving changes what is taken."""
    if len(units) == 2:
        return bool(np.isclose(alignment.dissimilarity(units[0], units[1], weights), 2 * weights.delta).any())
    less = 1 - 1e-9  # lets candidates in that save nothing at all
    rows, saving = alignment.candidates(units, Weights(weights.alpha * less, weights.beta * less, weights.delta))
    best = align(units, weights)
    taken = {tuple(row) for row in best.rows.tolist()}
    nudged = saving + np.array([0 if tuple(row) in taken else 1e-6 for row in rows.tolist()])
    chosen = alignment._best_packing(rows, nudged, [len(one.start) for one in units])
    return {tuple(row) for row in rows[chosen].tolist()} != taken


@pytest.mark.parametrize("number", range(len(MORE["best"])))
@pytest.mark.parametrize("weights", [Weights(1, 1), Weights(3, 1)], ids=str)
def test_best_disorder_of_many_is_pygammas(number: int, weights: Weights) -> None:
    """Three to five annotators, up to 20 units each in 120 positions."""
    case = MORE["best"][number]
    units, _ = read(case["units(annotator,start,end,label)"])
    mean = sum(len(one.start) for one in units) / len(units)
    want = case[f"alpha={weights.alpha},beta={weights.beta}"]
    assert align(units, weights).disorder / mean == pytest.approx(want, abs=1e-5)


@pytest.mark.parametrize("number", range(len(MORE["expected"])))
def test_expected_disorder_is_pygammas(number: int) -> None:
    """The means of two independent sets of samples, ours and pygamma's, differ by less than 4 standard errors."""
    case = MORE["expected"][number]
    units, labels = read(case["units(annotator,start,end,label)"])
    weights, samples = Weights(case["alpha"], case["beta"]), 200 if len(units) > 2 else 500
    mean = sum(len(one.start) for one in units) / len(units)
    found = gamma.document_parts(
        units, None, len(labels), 7, samples=samples, sampler=case["sampler"], weights=weights
    )
    assert found.observed / mean == pytest.approx(case["observed"], abs=1e-5)
    error = case["sd"] * math.sqrt(1 / case["samples"] + 1 / samples)
    assert abs(found.expected / mean - case["mean"]) < 4 * error


# ---------------------------------------------------------------- all alignments, one by one


def plain(one: Unit | None, two: Unit | None, weights: Weights) -> float:
    if one is None or two is None:
        return weights.delta
    apart = abs(one[0] - two[0]) + abs(one[1] - two[1])
    long = one[1] - one[0] + two[1] - two[0]
    share = apart / long if long else 0.0 if not apart else 1e12
    return (weights.alpha * share**2 + weights.beta * (one[2] != two[2])) * weights.delta


def partitions(sides: list[list[Unit]]) -> Iterator[list[tuple[Unit | None, ...]]]:
    """Return every alignment: the first unit left goes with any choice of the others', or alone."""
    first = next((r for r, units in enumerate(sides) if units), None)
    if first is None:
        yield []
        return
    choices: list[list[int | None]] = [
        [0] if r == first else [None, *range(len(units))] if r > first else [None] for r, units in enumerate(sides)
    ]
    for pick in product(*choices):
        taken = tuple(None if at is None else sides[r][at] for r, at in enumerate(pick))
        rest = [[u for i, u in enumerate(units) if i != pick[r]] for r, units in enumerate(sides)]
        for others in partitions(rest):
            yield [taken, *others]


def least(sides: list[list[Unit]], weights: Weights) -> float:
    pairs = [(a, b) for b in range(len(sides)) for a in range(b)]
    return min(
        sum(plain(row[a], row[b], weights) for row in rows for a, b in pairs) / len(pairs)
        for rows in partitions(sides)
    )


@settings(max_examples=100, deadline=None)
@given(
    st.lists(UNITS, min_size=2, max_size=2), st.sampled_from([Weights(1, 1), Weights(3, 1, 0.5), Weights(0, 1)])
)
@example([[(2, 2, 0)], [(2, 2, 0), (3, 3, 0)]], Weights(1, 1))
def test_alignment_of_two_is_the_best(sides: list[list[Unit]], weights: Weights) -> None:
    found = align([units_of(units) for units in sides], weights)
    assert found.disorder == pytest.approx(least(sides, weights), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(UNITS.map(lambda units: units[:3]), min_size=3, max_size=3), st.sampled_from(list(WEIGHTS.values()))
)
def test_alignment_of_three_is_the_best(sides: list[list[Unit]], weights: Weights) -> None:
    found = align([units_of(units) for units in sides], weights)
    assert found.disorder == pytest.approx(least(sides, weights), abs=1e-9)


def crowd(seed: int, raters: int, number: int, length: int) -> list[Units]:
    draw = np.random.default_rng(seed)
    start = draw.integers(0, length, (raters, number))
    return [
        units_of([(int(s), int(s + draw.integers(1, 9)), int(draw.integers(3))) for s in own]) for own in start
    ]


@pytest.mark.parametrize("seed", range(5))
def test_ways_to_solve_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole or by component, walked through or by an integer programme: the same disorder."""
    two, three = crowd(seed, 2, 30, 150), crowd(seed, 3, 9, 60)
    whole, walked = align(two).disorder, align(three).disorder
    monkeypatch.setattr(alignment, "MOST_SOLVED_WHOLE", 0)
    monkeypatch.setattr(alignment, "MOST_WALKED", 0)
    assert align(two).disorder == pytest.approx(whole, abs=1e-9)
    assert observed(two, 3, Weights()).disorder[0] == pytest.approx(whole, abs=1e-9)
    assert align(three).disorder == pytest.approx(walked, abs=1e-9)


def test_too_many_candidates_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "MOST_CANDIDATES", 50)
    with pytest.raises(MeasureError, match="more than 50 alignments to choose from in one document"):
        align(crowd(1, 3, 12, 30))
    align(crowd(1, 2, 12, 30))  # two have another limit


@pytest.mark.parametrize("raters", [2, 3])
def test_too_many_units_are_refused_or_noted(raters: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrix of all pairs would take more memory than there is: what needs no pairs is still there."""
    monkeypatch.setattr(gamma, "MOST_PAIRS", 8)
    own = [{"id": "d", "text": "a b c", "spans": [[0, 1, "A"], [2, 3, "A"], [4, 5, "B"]]}]
    with pytest.raises(MeasureError, match=r"document 'd'.*3 x 3 pairs.*8 at most"):
        agree(*[own] * raters, measures=["gamma"])
    found = agree(*[own] * raters)
    assert found.problems["no gamma"] == 1
    assert found.value("alpha") == 1.0
    monkeypatch.setattr(gamma, "MOST_PAIRS", 9)
    assert agree(*[own] * raters, measures=["gamma"]).value("gamma") == 1.0


# ---------------------------------------------------------------- gamma-cat and gamma-k by hand


def test_gamma_cat_and_k_by_hand() -> None:
    """Two pairs in the same places, A-A and A-B, and one unit alone.

    Weights are 1 each: of all 1 of 2 pairs differs, of label A 1 of 2, of B 1 of 1. As pygamma counts, the unit
    that stays alone (C) is a third difference of weight 1.
    """
    units = [units_of([(0, 4, 0), (10, 14, 0), (50, 51, 2)]), units_of([(0, 4, 0), (10, 14, 1)])]
    found = observed(units, 3, Weights())
    assert found.differ[0].tolist() == [1, 1, 0, 1]
    assert found.weight[0].tolist() == [2, 1, 0, 2]
    as_pygamma = observed(units, 3, Weights(), unaligned=True)
    assert as_pygamma.differ[0].tolist() == [1, 1, 1, 2]
    assert as_pygamma.weight[0].tolist() == [2, 1, 1, 3]


def test_gamma_cat_of_three_by_hand() -> None:
    """Three units in one place, A A B: three pairs of weight 1/2, two of them differ; d_pos .25 weighs .75."""
    same = [units_of([(0, 4, 0)]), units_of([(0, 4, 0)]), units_of([(0, 4, 1)])]
    found = observed(same, 2, Weights())
    assert found.differ[0].tolist() == [1, 1, 1]
    assert found.weight[0].tolist() == [1.5, 1, 1.5]
    moved = [units_of([(0, 4, 0)]), units_of([(2, 6, 1)])]  # |2| + |2| over 8: a half, squared
    assert observed(moved, 2, Weights()).weight[0].tolist() == [0.75, 0.75, 0.75]


# ---------------------------------------------------------------- samplers

REAL = continuum([units_of([(0, 4, 0), (10, 15, 1), (30, 38, 2)]), units_of([(2, 6, 0), (31, 39, 2)])])


def test_shuffled_continua_are_real_annotators_moved() -> None:
    made = shuffle(REAL, (0.0, 40.0), 200, 3, 5)
    sizes = made.there.sum(2)
    assert set(sizes.ravel().tolist()) == {2, 3}
    for sample in range(200):
        for rater in range(2):
            own = made.there[sample, rater]
            start, end = made.start[sample, rater, own], made.end[sample, rater, own]
            source = {3: 0, 2: 1}[int(own.sum())]
            assert (end - start).tolist() == (REAL.end - REAL.start)[source, REAL.there[source]].tolist()
            moved = (start - REAL.start[source, REAL.there[source]]) % 40
            assert len(set(moved.tolist())) == 1  # all by the same stretch, wrapping around
            assert start.min() >= 0
            assert start.max() <= 40


def test_places_are_apart() -> None:
    """Half a mean unit (2.9) between the moves of two annotators, up to rounding; uniform over the text."""
    made = shuffle(REAL, (0.0, 40.0), 4000, 3, 5)
    sources = np.where(made.there.sum(2) == 3, 0, 1)
    moved = (made.start[:, :, 0] - REAL.start[sources, 0]) % 40
    assert np.abs(moved[:, 0] - moved[:, 1]).min() >= 2
    counts = np.bincount(moved[:, 0].astype(int), minlength=40)
    assert ((counts - 100) ** 2 / 100).sum() < 72.1  # chi-square, 39 degrees of freedom, p = .001
    assert abs((sources == 0).mean() - 0.5) < 0.02


def test_statistical_continua_have_the_moments_of_the_real_one() -> None:
    made = statistical(REAL, 4000, 3, 5)
    sizes = made.there.sum(2)
    assert set(sizes.ravel().tolist()) <= {1, 2, 3, 4}
    lengths = (made.end - made.start)[made.there]
    real = [4, 5, 8, 4, 8]
    assert lengths.mean() == pytest.approx(np.mean(real), abs=0.06)
    assert lengths.std() == pytest.approx(np.std(real), abs=0.06)
    assert np.bincount(made.label[made.there]) / made.there.sum() == pytest.approx([0.4, 0.2, 0.4], abs=0.02)
    assert made.start[:, :, 0].mean() == pytest.approx(
        np.mean([6, 15, 25, 2]), abs=0.4
    )  # the gaps, before the first


def shuffled(seed: int, key: int) -> Continua:
    return shuffle(REAL, (0, 40), 9, seed, key)


def drawn(seed: int, key: int) -> Continua:
    return statistical(REAL, 9, seed, key)


@pytest.mark.parametrize("make", [shuffled, drawn])
def test_samples_are_keyed(make: Any) -> None:
    def same(one: Continua, two: Continua) -> bool:
        return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))

    assert same(make(1, 2), make(1, 2))
    assert not same(make(1, 2), make(2, 2))
    assert not same(make(1, 2), make(1, 3))


# ---------------------------------------------------------------- documents


def test_unknown_sampler() -> None:
    with pytest.raises(MeasureError, match="no sampler is called 'shufle'; did you mean 'shuffle'"):
        gamma.document_parts(crowd(1, 2, 3, 30), None, 3, 0, sampler="shufle")  # type: ignore[arg-type]


def test_documents_without_units_add_nothing() -> None:
    parts = gamma.document_parts([units_of([]), units_of([])], (0, 50), 2, 1)
    assert parts[:2] == (0, 0)
    assert parts.by_label.tolist() == parts.by_label_expected.tolist() == [0, 0, 0]
    assert math.isnan(gamma.gamma_of_sums(np.array(0.0), np.array(0.0)))


def test_one_annotator_found_nothing() -> None:
    """Every unit alone costs delta, twice that over the mean number; chance can do little better."""
    parts = gamma.document_parts([units_of([(0, 4, 0), (9, 12, 0)]), units_of([])], (0, 100), 1, 1)
    assert parts.observed == 2.0
    assert 1.5 < parts.expected <= 2.0


@pytest.mark.parametrize("raters", [2, 3])
@pytest.mark.parametrize("sampler", gamma.SAMPLERS)
def test_identical_annotators_agree_and_strangers_do_not(raters: int, sampler: Any) -> None:
    own = crowd(2, 1, 8, 200) * raters
    parts = gamma.document_parts(own, (0, 210), 3, 1, sampler=sampler)
    assert parts.observed == pytest.approx(0)
    assert parts.expected > 0
    found = [
        gamma.document_parts(crowd(seed, raters, 6, 300), (0, 310), 3, seed, sampler=sampler) for seed in range(20)
    ]
    value = 1 - sum(one.observed for one in found) / sum(one.expected for one in found)
    assert abs(value) < 0.1


@pytest.mark.parametrize("raters", [2, 3])
def test_order_of_annotators_is_immaterial(raters: int) -> None:
    """What is observed is the same to the digit; what chance gives, up to sampling."""
    units = crowd(4, raters, 8, 120)
    here, there = (gamma.document_parts(own, (0, 130), 3, 1, samples=200) for own in (units, units[::-1]))
    assert here.observed == pytest.approx(there.observed, abs=1e-9)
    assert here.expected == pytest.approx(there.expected, rel=0.03)
