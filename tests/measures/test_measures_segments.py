"""Every segment measure on small cases worked by hand; the convention of empty cases; parameters; what is refused.

Texts of 20 units unless said otherwise; a segmentation is written as the places at which it cuts.
"""

import math
from math import exp, log, log2, sqrt

import pytest

import spanscope
from tests.segment_support import OWN, cut, same, scored
from tests.support import KNOWN

# ---------------------------------------------------------------- the corners

NONE: list[int] = []
HALF, EVERY = [10], list(range(1, 20))
CASES = {
    "gold single": (NONE, HALF),
    "pred single": (HALF, NONE),
    "every unit": (HALF, EVERY),
    "off by one": (HALF, [11]),
}
PRF = ("precision", "recall", "f1")
DISTANCES = ("displacement", "displacement_pred", "median", "median_pred", "hausdorff")
MISSED: dict[str, tuple[float | None, ...]] = {"gold single": (0, None, 0), "pred single": (None, 0, 0)}
NOWHERE: dict[str, tuple[float | None, ...]] = dict.fromkeys(("gold single", "pred single"), (None,) * 5)

# Soft: the units 1..19 are 9, 8, ... 1, 0, 1, ... 9 away from 10.
CREDIT = (1 + 2 * sum(exp(-d / 5) for d in range(1, 10))) / 19
# Off by one: segments of 10 and 10 units against 11 and 9, in common 10, 1 and 9.
H_PRED = -(0.55 * log(0.55) + 0.45 * log(0.45))
H_BOTH = -(0.5 * log(0.5) + 0.05 * log(0.05) + 0.45 * log(0.45))
MI = log(2) + H_PRED - H_BOTH
HOMOGENEITY, COMPLETENESS = MI / log(2), MI / H_PRED
OVER, UNDER = 1 - (H_BOTH - log(2)) / log(2), 1 - (H_BOTH - H_PRED) / log(2)
# Every unit: all of gold is told by pred, and of pred's log 20 only log 2 by gold.
TOLD = log(2) / log(20)


def harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b)


CLUSTERS = ("ari", "homogeneity", "completeness", "v", "mi", "nmi", "nmi_geometric")
CLUSTERS += ("nce_over", "nce_under", "nce_f")
# name: the rates, and their values case by case
CORNERS: dict[str, tuple[tuple[str, ...], dict[str, tuple[float | None, ...]]]] = {
    # Within 3 of 10 are the seven boundaries 7..13.
    "segments.b_score": (PRF, {**MISSED, "every unit": (7 / 19, 1, 7 / 13), "off by one": (1, 1, 1)}),
    "segments.soft": (
        PRF,
        {**MISSED, "every unit": (CREDIT, 1, harmonic(CREDIT, 1)), "off by one": (exp(-1 / 5),) * 3},
    ),
    # 19 distances 0, 1, 1, 2, 2, ... 9, 9: their sum is 90, the tenth of them 5.
    "segments.displacement": (
        DISTANCES,
        {**NOWHERE, "every unit": (0, 90 / 19, 0, 5, 9), "off by one": (1, 1, 1, 1, 1)},
    ),
    "segments.bias": (
        ("bias",),
        {"gold single": (1,), "pred single": (-1 / 2,), "every unit": (18 / 2,), "off by one": (0,)},
    ),
    "segments.boundaries": (PRF, {**MISSED, "every unit": (1 / 19, 1, 1 / 10), "off by one": (0, 0, 0)}),
    "segments.cover": (
        ("cover",),
        {"gold single": (0,), "pred single": (None,), "every unit": (1,), "off by one": (1,)},
    ),
    # Every place has a bin. One of 1 against 19 of 1/19: the middle has 10/19 once and 1/38 eighteen times.
    "segments.density_jsd": (
        ("jsd",),
        {
            "gold single": (1,),
            "pred single": (1,),
            "every unit": (10 / 19 * log2(19 / 10) + 18 / 38 * log2(38) - log2(19) / 2,),
            "off by one": (1,),
        },
    ),
    # k is 10 where gold is one segment (10 windows, all of them hold 10), else 5 (15 windows, 5 hold 10).
    "segments.pk": (
        ("pk",),
        {"gold single": (1,), "pred single": (5 / 15,), "every unit": (10 / 15,), "off by one": (2 / 15,)},
    ),
    "segments.window_diff": (
        ("window_diff",),
        {"gold single": (1,), "pred single": (5 / 15,), "every unit": (1,), "off by one": (2 / 15,)},
    ),
    # Every unit: 5 windows have gold's one boundary, and pred has 19 * 5. Off by one: 4 of 5 windows have both.
    "segments.win_pr": (PRF, {**MISSED, "every unit": (5 / 95, 1, 10 / 100), "off by one": (4 / 5,) * 3}),
    "segments.overlap": (
        ("iou", "dice", "covering"),
        {
            "gold single": (10 / 20, 20 / 30, 1 / 2),
            "pred single": (10 / 20, 20 / 30, 1 / 2),
            "every unit": (1 / 10, 2 / 11, 1 / 10),
            "off by one": ((10 / 11 + 9 / 10) / 2, (20 / 21 + 18 / 19) / 2, (10 / 11 + 9 / 10) / 2),
        },
    ),
    "segments.purity": (
        ("purity", "coverage", "f1"),
        {
            "gold single": (1, 10 / 20, 2 / 3),
            "pred single": (10 / 20, 1, 2 / 3),
            "every unit": (1, 2 / 20, 2 / 11),
            "off by one": (19 / 20, 19 / 20, 19 / 20),
        },
    ),
    # Of 190 pairs two halves have 45 each; 11 and 9 units have 55 and 36, of which 45 and 36 are gold's.
    "segments.pairs": (
        (*PRF, "rand"),
        {
            "gold single": (1, 90 / 190, 180 / 280, 90 / 190),
            "pred single": (90 / 190, 1, 180 / 280, 90 / 190),
            "every unit": (None, 0, 0, 100 / 190),
            "off by one": (81 / 91, 81 / 90, 162 / 181, 171 / 190),
        },
    ),
    "segments.clusters": (
        CLUSTERS,
        {
            "gold single": (0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
            "pred single": (0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
            "every unit": (
                *(0, 1, TOLD, harmonic(1, TOLD), log(2), 2 * log(2) / log(40), sqrt(TOLD)),
                *(TOLD, 1, harmonic(TOLD, 1)),
            ),
            # Pairs: 81 in both, 90 and 91; by chance 90 * 91 / 190 = 819 / 19.
            "off by one": (
                *((81 - 819 / 19) / (181 / 2 - 819 / 19), HOMOGENEITY, COMPLETENESS),
                *(harmonic(HOMOGENEITY, COMPLETENESS), MI, 2 * MI / (log(2) + H_PRED), MI / sqrt(log(2) * H_PRED)),
                *(OVER, UNDER, harmonic(OVER, UNDER)),
            ),
        },
    ),
    # Where one side leaves nothing to chance, what is found is what is expected. Off by one: see below.
    "segments.ami": (("ami",), {"gold single": (0,), "pred single": (0,), "every unit": (0,)}),
    "segments.ghd": (
        ("ghd",),
        {"gold single": (2,), "pred single": (2,), "every unit": (36,), "off by one": (1,)},
    ),
    "segments.edit_distance": (
        ("b", "s"),
        {
            "gold single": (0, 18 / 19),
            "pred single": (0, 18 / 19),
            "every unit": (1 / 19, 1 / 19),
            "off by one": (1 / 2, 1 - 1 / 38),
        },
    ),
    # Chance: the square of the mean of two shares (pi), and their product (kappa), of 19 places.
    "segments.agreement": (
        ("agreement", "pi", "kappa", "bias"),
        {
            "gold single": (0, -1 / 1443, 0, 1 / 1444),
            "pred single": (0, -1 / 1443, 0, 1 / 1444),
            "every unit": (1 / 19, (19 - 100) / 261, 0, 81 / 361),
            "off by one": (1 / 2, (1 / 2 - 1 / 361) / (360 / 361), (1 / 2 - 1 / 361) / (360 / 361), 0),
        },
    ),
}


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, (_, own) in CORNERS.items() for case in own])
def test_corner(name: str, case: str) -> None:
    rates, values = CORNERS[name]
    record = scored(*CASES[case], name)
    for rate, value in zip(rates, values[case], strict=True):
        assert same(record[rate], value), rate


def test_every_measure_and_rate_has_its_corners() -> None:
    found = {name: set(rates) for name, (rates, _) in CORNERS.items()}
    assert found == {name: {rate.name for rate in KNOWN[name].rate_set.rates()} for name in OWN}


# What the tool itself prints, with three digits.
TOOL = ("P_k", "WindowDiff", "Boundary_F1", "Soft_Boundary_F1", "Boundary_Displacement", "Mean_IoU", "Mean_Dice")
TOOL += ("Boundary_Similarity", "Boundary_Density_JSD", "Boundary_Cover")
INF = math.inf
PRINTED = {
    "both single": (NONE, NONE, (0, 0, 0, 1, INF, 1, 1, 1, None, 1)),
    "gold single": (NONE, HALF, (1, 1, 0, 0, INF, 0.5, 0.667, 0, None, 0)),
    "pred single": (HALF, NONE, (0.333, 0.333, 0, 0, INF, 0.5, 0.667, 0, None, 1)),
    "every unit": (HALF, EVERY, (0.667, 1, 0.1, 0.620, 0, 0.1, 0.182, 0.538, 0.589, 1)),
    "off by one": (HALF, [11], (0.133, 0.133, 0, 0.819, 1, 0.905, 0.950, 1, 0.693, 1)),
}


@pytest.mark.parametrize("case", PRINTED)
def test_rt_seg_prints_what_the_tool_prints(case: str) -> None:
    gold, pred, values = PRINTED[case]
    result = spanscope.evaluate([cut(*gold)], [cut(*pred)], "segments.rt_seg", ci=False)
    for rate, value in zip(TOOL, values, strict=True):
        for average in ("micro", "document"):
            assert same(result.value(rate, average=average), value, 6e-4), rate


# ---------------------------------------------------------------- the convention of empty cases


# The text cut at 10, and at 11 by the prediction, beside one of 50 units that nobody cuts: what is a share of
# windows (15 and 25), segments (2 and 1), units (20 and 50), pairs of units (190 and 1225) or gaps (19 and 49)
# takes those of both texts, and so does chance; everything else is not moved.
POOLED: dict[str, dict[str, float]] = {
    "segments.pk": {"pk": 2 / 40},
    "segments.window_diff": {"window_diff": 2 / 40},
    "segments.overlap": {
        "iou": (10 / 11 + 9 / 10 + 1) / 3,
        "dice": (20 / 21 + 18 / 19 + 1) / 3,
        "covering": (10 * 10 / 11 + 10 * 9 / 10 + 50) / 70,
    },
    "segments.purity": dict.fromkeys(("purity", "coverage", "f1"), (19 + 50) / 70),
    "segments.pairs": {
        **{"precision": (81 + 1225) / (91 + 1225), "recall": (81 + 1225) / (90 + 1225)},
        **{"f1": 2 * (81 + 1225) / (181 + 2450), "rand": (171 + 1225) / (190 + 1225)},
    },
    "segments.bias": {"bias": 0},
    "segments.edit_distance": {"s": 1 - 1 / 2 / (19 + 49)},
    # Chance: the square of the mean of 1/19, 1/19, 0 and 0, and of 1/68.
    "segments.agreement": {
        "pi": (1 / 2 - 1 / 38**2) / (1 - 1 / 38**2),
        "kappa": (1 / 2 - 1 / 68**2) / (1 - 1 / 68**2),
        "bias": 1 / 38**2 - 1 / 68**2,
    },
}
# Where a text that nobody cuts has a pooled value by itself.
DEFINED = {**{name: set(rates) for name, rates in POOLED.items()}, "segments.agreement": {"bias"}}


@pytest.mark.parametrize("name", OWN)
def test_a_text_that_nobody_cuts_is_perfect(name: str) -> None:
    for n in (1, 2, 20):
        result = spanscope.evaluate([cut(n=n)], [cut(n=n)], name, ci=False)
        (record,) = result.by_document()
        for rate in KNOWN[name].rate_set.rates():
            assert same(record[rate.name], rate.best), (n, rate.name)
            assert same(result.value(rate.name, average="document"), rate.best), (n, rate.name)
            pooled = result.value(rate.name, average="micro")
            if rate.name in DEFINED.get(name, ()):
                assert same(pooled, rate.best) or (n < 3 and math.isnan(pooled)), (n, rate.name)
            else:
                assert math.isnan(pooled), (n, rate.name)


@pytest.mark.parametrize("name", OWN)
def test_a_text_that_nobody_cuts_adds_its_best_value_to_the_mean(name: str) -> None:
    gold, pred = [cut(10), cut(n=50, name="whole")], [cut(11), cut(n=50, name="whole")]
    alone, both = (spanscope.evaluate(gold[:number], pred[:number], name, ci=False) for number in (1, 2))
    for rate in KNOWN[name].rate_set.rates():
        own, value = alone.value(rate.name, average="micro"), both.value(rate.name, average="document")
        assert same(value, own if math.isnan(rate.best) else (own + rate.best) / 2), rate.name
        pooled = both.value(rate.name, average="micro")
        assert same(pooled, POOLED.get(name, {}).get(rate.name, own)), rate.name


@pytest.mark.parametrize("name", OWN)
def test_what_is_undefined_is_left_out_of_the_mean_and_counted(name: str) -> None:
    gold, pred = (
        [cut(10), cut(10, name="missed"), cut(name="found")],
        [cut(11), cut(name="missed"), cut(10, name="found")],
    )
    result = spanscope.evaluate(gold, pred, name, ci=False)
    rows = {row.rate: row for row in result.rows if row.average == "document"}
    rates, values = CORNERS[name]
    for place, rate in enumerate(rates):
        if name == "segments.ami":
            continue
        own = [values[case][place] for case in ("off by one", "pred single", "gold single")]
        defined = [value for value in own if value is not None]
        assert rows[rate].undefined == own.count(None), rate
        assert same(rows[rate].value, sum(defined) / len(defined) if defined else None), rate


def test_infinite_distances_are_counted() -> None:
    gold = [cut(10), cut(10, name="missed"), cut(name="found"), cut(name="whole")]
    pred = [cut(12), cut(name="missed"), cut(1, name="found"), cut(name="whole")]
    result = spanscope.evaluate(gold, pred, "segments.displacement", ci=False)
    assert result.totals()["infinite"] == 2
    assert result.value("displacement", average="micro") == 2
    assert result.value("displacement", average="document") == (2 + 0) / 2


@pytest.mark.parametrize("name", OWN)
def test_no_documents_give_nothing(name: str) -> None:
    result = spanscope.evaluate([], [], name, ci=False)
    assert all(math.isnan(row.value) for row in result.rows)
    assert list(result.by_document()) == []


# ---------------------------------------------------------------- averages


def test_bias_is_pooled_from_the_numbers_of_segments() -> None:
    gold, pred = [cut(10), cut(5, 10, 15, name="b")], [cut(5, 10, 15), cut(10, name="b")]
    result = spanscope.evaluate(gold, pred, "segments.bias", ci=False)
    assert result.value("bias", average="micro") == (2 - 2) / (2 + 4)
    assert result.value("bias", average="document") == (2 / 2 - 2 / 4) / 2


def test_windows_are_pooled() -> None:
    gold, pred = [cut(10), cut(2, n=4, name="b")], [cut(11), cut(n=4, name="b")]
    result = spanscope.evaluate(gold, pred, "segments.pk", ci=False)  # 2 of 15, and 1 of 3
    assert same(result.value("pk", average="micro"), 3 / 18)
    assert same(result.value("pk", average="document"), (2 / 15 + 1 / 3) / 2)


def test_figures_that_cannot_be_pooled_are_means_in_every_average() -> None:
    gold, pred = [cut(10), cut(5, 9, name="b")], [cut(11), cut(5, 6, name="b")]
    forms = {"segments.displacement": ("median", "hausdorff"), "segments.ghd": ("ghd",)}
    result = spanscope.evaluate(gold, pred, [*forms, "segments.density_jsd", "segments.clusters"], ci=False)
    values = {"median": (1 + 1.5) / 2, "hausdorff": (1 + 3) / 2, "ghd": (1 + 3) / 2}
    for form, rates in forms.items():
        for rate in rates:
            assert result.value(rate, form, average="micro") == values[rate]
            assert result.value(rate, form, average="document") == values[rate]
    for form, rate in (("segments.density_jsd", "jsd"), ("segments.clusters", "v")):
        assert same(result.value(rate, form, "micro"), result.value(rate, form, "document"))


def test_agreement_pools_the_similarity_and_averages_the_chance_of_pi() -> None:
    gold, pred = [cut(10, n=11), cut(1, 2, n=5, name="b")], [cut(9, n=11), cut(1, 2, n=5, name="b")]
    result = spanscope.evaluate(gold, pred, "segments.agreement", ci=False)
    agreed = (0.5 + 2) / (1 + 2)
    pi, kappa = ((1 / 10 + 2 / 4) / 2) ** 2, (3 / 14) ** 2
    wanted = {"agreement": agreed, "pi": (agreed - pi) / (1 - pi), "kappa": (agreed - kappa) / (1 - kappa)}
    for rate, value in {**wanted, "bias": pi - kappa}.items():
        assert same(result.value(rate, average="micro"), value), rate
