"""mir_eval 0.8.2, scikit-learn, pyannote.metrics and ruptures on 120 pairs of segmentations: the same figures.

All pairs are scored in one call and compared one document each. Where a side has no boundary, or no two units
share a segment, the tools contradict each other and our convention; each such difference is a test of its own.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spanscope import evaluate

Json = dict[str, Any]
Values = Sequence[float | None]
ORACLE: Json = json.loads(
    (Path(__file__).parents[1] / "oracles" / "seg_mir_eval_pyannote_ruptures.json").read_text("utf-8")
)
CASES: list[Json] = ORACLE["cases"]
PRF = ("precision", "recall", "f1")
DETECTION, DEVIATION = "mir_eval_detection(P,R,F)", "mir_eval_deviation_trim(ref_to_est,est_to_ref)"
TOLERANCES = {"window=0.5": 0, "window=1": 1, "window=3": 3, "window=10": 10}  # a window of half a unit is exact
BOUNDARIES = {
    f"{window},trim={trim}": f"segments.boundaries(tolerance={tolerance}, ends={str(not trim).lower()})"
    for window, tolerance in TOLERANCES.items()
    for trim in (True, False)
}
OTHERS = ("displacement", "pairs", "clusters", "ami", "purity")

Kind = Callable[[Json], bool]


def both(case: Json) -> bool:
    return bool(case["ref"]) and bool(case["est"])


def neither(case: Json) -> bool:
    return not case["ref"] and not case["est"]


def only_gold(case: Json) -> bool:
    return bool(case["ref"]) and not case["est"]


def only_pred(case: Json) -> bool:
    return bool(case["est"]) and not case["ref"]


def alone(case: Json) -> bool:
    """Tell whether every unit of gold is a segment of its own, so that no two are together."""
    return len(case["ref"]) == case["N"] - 1


@cache
def scored() -> dict[str, list[Json]]:
    """Return the records of every document, by measure: 120 pairs in one call."""
    gold, pred = (
        [{"id": n, "length": case["N"], "boundaries": case[side]} for n, case in enumerate(CASES)]
        for side in ("ref", "est")
    )
    measures = [*BOUNDARIES.values(), *(f"segments.{name}" for name in OTHERS)]
    result = evaluate(gold, pred, measures, ci=False)
    return {measure: list(result.by_document(measure)) for measure in measures}


def ours(measure: str, rates: Sequence[str], n: int) -> list[float | None]:
    return [scored()[measure][n][rate] for rate in rates]


def wrong(measure: str, rates: Sequence[str], theirs: Callable[[Json], Values], kind: Kind = both) -> list[str]:
    """Return a line for every case of a kind in which the rates are not theirs."""
    found = []
    cases = [n for n, case in enumerate(CASES) if kind(case)]
    assert cases, "no case of this kind"
    for n in cases:
        have, want = ours(measure, rates, n), list(theirs(CASES[n]))
        if have != pytest.approx(want, abs=1e-9, nan_ok=True):
            found.append(f"case {n}: {measure} {rates} is {have}, theirs {want}")
    return found


def anything(case: Json) -> bool:
    return True


def test_the_oracle_holds_all_kinds() -> None:
    kinds = (both, neither, only_gold, only_pred, alone)
    assert [sum(map(kind, CASES)) for kind in kinds] == [99, 6, 7, 8, 5]


# ---------------------------------------------------------------- boundaries


@pytest.mark.parametrize("setting", BOUNDARIES)
def test_boundaries_are_mir_evals_detection(setting: str) -> None:
    kind = both if setting.endswith("True") else anything
    assert wrong(BOUNDARIES[setting], PRF, lambda case: case[DETECTION][setting], kind) == []


@pytest.mark.parametrize("setting", [setting for setting in BOUNDARIES if setting.endswith("True")])
def test_two_segmentations_without_boundaries_agree(setting: str) -> None:
    """mir_eval gives 0, 0, 0 where nothing had to be found and nothing was; to us that is perfect."""
    assert all(case[DETECTION][setting] == [0, 0, 0] for case in CASES if neither(case))
    assert wrong(BOUNDARIES[setting], PRF, lambda case: (1, 1, 1), neither) == []


@pytest.mark.parametrize("setting", [setting for setting in BOUNDARIES if setting.endswith("True")])
def test_a_side_without_boundaries(setting: str) -> None:
    """mir_eval gives 0, 0, 0; here the rate over no boundaries is undefined, the other one and F are 0."""
    assert all(case[DETECTION][setting] == [0, 0, 0] for case in CASES if only_gold(case) or only_pred(case))
    assert wrong(BOUNDARIES[setting], PRF, lambda case: (None, 0, 0), only_gold) == []
    assert wrong(BOUNDARIES[setting], PRF, lambda case: (0, None, 0), only_pred) == []


DISTANCES = ("median", "median_pred")


def test_medians_are_mir_evals_deviation() -> None:
    assert wrong("segments.displacement", DISTANCES, lambda case: case[DEVIATION]) == []


def test_hausdorff_is_ruptures() -> None:
    assert wrong("segments.displacement", ["hausdorff"], lambda case: [case["ruptures"]["hausdorff"]]) == []


def test_distances_without_boundaries() -> None:
    """mir_eval gives NaN and ruptures fails; here two sides without boundaries are at distance 0, and a distance

    to nothing is infinite: counted, not averaged.
    """
    lost = [case for case in CASES if not both(case)]
    assert all([*case[DEVIATION], case["ruptures"]["hausdorff"]] == [None] * 3 for case in lost)
    names = (*DISTANCES, "hausdorff", "infinite")
    assert wrong("segments.displacement", names, lambda case: (0, 0, 0, 0), neither) == []
    for kind in (only_gold, only_pred):
        assert wrong("segments.displacement", names, lambda case: (None, None, None, 1), kind) == []


# ---------------------------------------------------------------- pairs of units


def frames(name: str) -> Callable[[Json], Values]:
    """Return a figure of mir_eval over frames of one unit."""

    def found(case: Json) -> Values:
        values: Values = case["mir_eval_frame1"][name]
        return values

    return found


def test_pairs_are_mir_evals_pairwise() -> None:
    def kind(case: Json) -> bool:
        return not alone(case)

    assert wrong("segments.pairs", PRF, frames("pairwise(P,R,F)"), kind) == []


def test_pairs_where_gold_puts_no_two_units_together() -> None:
    """mir_eval has NaN for recall and F; recall is undefined here too, but F is 0, as wherever a side is empty."""
    assert all(case["mir_eval_frame1"]["pairwise(P,R,F)"] == [0, None, None] for case in CASES if alone(case))
    assert wrong("segments.pairs", PRF, lambda case: (0, None, 0), alone) == []


def test_rand_is_mir_evals_and_ruptures() -> None:
    assert wrong("segments.pairs", ["rand"], frames("rand"), anything) == []
    assert wrong("segments.pairs", ["rand"], lambda case: [case["ruptures"]["randindex"]], anything) == []


# ---------------------------------------------------------------- segments as clusters of units


def sklearn(name: str) -> Callable[[Json], Values]:
    def found(case: Json) -> Values:
        value = case["sklearn_unit_labels"][name]
        return value if isinstance(value, list) else [value]

    return found


def test_clusters_are_scikit_learns() -> None:
    """On every case: the convention where a side has one cluster only is scikit-learn's."""
    for rates, name in (
        (("homogeneity", "completeness", "v"), "homogeneity,completeness,v"),
        (["ari"], "ari"),
        (["nmi"], "nmi"),
    ):
        assert wrong("segments.clusters", rates, sklearn(name), anything) == []


def test_adjusted_rand_is_mir_evals() -> None:
    assert wrong("segments.clusters", ["ari"], frames("ari"), anything) == []


def test_v_measure_is_mir_evals() -> None:
    """Their precision is completeness, their recall homogeneity."""
    assert wrong("segments.clusters", ("completeness", "homogeneity", "v"), frames("vmeasure(P,R,F)")) == []


def test_v_measure_with_one_cluster() -> None:
    """mir_eval has 0 for homogeneity or completeness wherever a side is one cluster; scikit-learn has 1, since

    one cluster contradicts nothing. They agree on V itself but where both sides are one cluster: 0 or 1.
    """
    for kind in (neither, only_gold, only_pred):
        assert all(
            case["mir_eval_frame1"]["vmeasure(P,R,F)"] == pytest.approx([0, 0, 0], abs=1e-12)
            for case in CASES
            if kind(case)
        )
    rates = ("completeness", "homogeneity", "v")
    assert wrong("segments.clusters", rates, lambda case: (1, 1, 1), neither) == []
    assert wrong("segments.clusters", rates, lambda case: (1, 0, 0), only_gold) == []
    assert wrong("segments.clusters", rates, lambda case: (0, 1, 0), only_pred) == []


INFORMATION = "mutual_information(MI,AMI,NMI)"


def test_mutual_information_is_mir_evals() -> None:
    def theirs(case: Json) -> Values:
        mi, _, nmi = case["mir_eval_frame1"][INFORMATION]
        return [mi, nmi]

    assert wrong("segments.clusters", ("mi", "nmi_geometric"), theirs) == []


def test_no_mutual_information() -> None:
    """One side without boundaries: nothing is shared. mir_eval rounds MI to 1e-16 and divides it by 1e-10.

    With none on both sides everything is perfect; mi is left out there, since no value of it is the best.
    """
    for kind in (only_gold, only_pred):
        assert all(abs(case["mir_eval_frame1"][INFORMATION][2]) < 1e-5 for case in CASES if kind(case))
        assert wrong("segments.clusters", ("mi", "nmi", "nmi_geometric"), lambda case: (0, 0, 0), kind) == []
    assert wrong("segments.clusters", ("mi", "nmi", "nmi_geometric"), lambda case: (None, 1, 1), neither) == []


def test_adjusted_mutual_information_is_mir_evals() -> None:
    assert wrong("segments.ami", ["ami"], lambda case: [case["mir_eval_frame1"][INFORMATION][1]], anything) == []


NCE = ("nce_over", "nce_under", "nce_f")


def test_normalised_conditional_entropies_are_mir_evals() -> None:
    def kind(case: Json) -> bool:
        return not neither(case)

    assert wrong("segments.clusters", NCE, frames("nce(over,under,F)"), kind) == []


def test_normalised_conditional_entropies_of_one_cluster_on_both_sides() -> None:
    """mir_eval gives 0, 0, 0; to us two sides without boundaries are perfect."""
    assert all(case["mir_eval_frame1"]["nce(over,under,F)"] == [0, 0, 0] for case in CASES if neither(case))
    assert wrong("segments.clusters", NCE, lambda case: (1, 1, 1), neither) == []


# ---------------------------------------------------------------- pyannote


def test_purity_and_coverage_are_pyannotes() -> None:
    def theirs(case: Json) -> Values:
        purity, coverage = case["pyannote"]["purity"], case["pyannote"]["coverage"]
        return [purity, coverage, 2 * purity * coverage / (purity + coverage)]

    assert wrong("segments.purity", ("purity", "coverage", "f1"), theirs, anything) == []


def test_nothing_of_the_oracle_is_left_out() -> None:
    """Every figure the file holds has been named above."""
    named = {DETECTION, DEVIATION, "mir_eval_frame1", "sklearn_unit_labels", "pyannote", "ruptures"}
    inner = {"pairwise(P,R,F)", "rand", "ari", INFORMATION, "nce(over,under,F)", "vmeasure(P,R,F)"}
    for case in CASES:
        assert set(case) == {"N", "ref", "est", *named}
        assert set(case["mir_eval_frame1"]) == inner
        assert set(case["sklearn_unit_labels"]) == {"ari", "homogeneity,completeness,v", "nmi"}
        assert set(case[DETECTION]) == set(BOUNDARIES)
        assert (set(case["pyannote"]), set(case["ruptures"])) == (
            {"purity", "coverage"},
            {"randindex", "hausdorff"},
        )
