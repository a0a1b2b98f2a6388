"""Live comparison with segeval 2.0.11, NLTK and mir_eval on texts cut at random, and where we differ."""

import math
import warnings
from collections.abc import Callable
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import spanscope
from tests.support import Json, needs


def quietly(package: str) -> ModuleType:
    """Import a package whose own source draws warnings when it is compiled."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return needs(package)


segeval = quietly("segeval")
nltk = quietly("nltk.metrics.segmentation")
mir_eval = quietly("mir_eval.segment")

Text = tuple[int, list[int], list[int]]  # units, gold boundaries, predicted boundaries
PRF = ("precision", "recall", "f1")


@st.composite
def boundaries(draw: DrawFn, units: int) -> list[int]:
    """Draw boundaries: few, many, none or all."""
    places = list(range(1, units))
    kind = draw(st.sampled_from(["few", "few", "many", "none", "all"]))
    if not places or kind in ("none", "all"):
        return places if kind == "all" else []
    if kind == "many":
        return [place for place in places if draw(st.booleans())]
    return sorted(draw(st.sets(st.sampled_from(places), max_size=5)))


@st.composite
def texts(draw: DrawFn) -> list[Text]:
    """Draw some texts cut twice; often the second time near the first."""
    out = []
    for _ in range(draw(st.integers(1, 6))):
        units = draw(st.integers(1, 40))
        gold = draw(boundaries(units))
        pred = draw(boundaries(units))
        if draw(st.booleans()):
            moved = {place + draw(st.integers(-3, 3)) for place in gold}
            pred = sorted(place for place in moved if 0 < place < units)
        out.append((units, gold, pred))
    return out


def rows(cut: list[Text], *measures: str) -> list[list[Json]]:
    """Return the records of every document, by measure."""
    gold, pred = (
        [{"id": n, "length": text[0], "boundaries": text[side]} for n, text in enumerate(cut)] for side in (1, 2)
    )
    result = spanscope.evaluate(gold, pred, list(measures), ci=False)
    return [list(result.by_document(measure)) for measure in measures]


def masses(units: int, places: list[int]) -> tuple[int, ...]:
    ends = [0, *places, units]
    return tuple(b - a for a, b in pairwise(ends))


def gaps(units: int, places: list[int]) -> str:
    """Return NLTK's string with a character for each gap between units."""
    return "".join("1" if place in places else "0" for place in range(1, units))


def near(ours: Any, theirs: Any) -> None:
    assert ours == pytest.approx(float(theirs), abs=1e-9)


def empty(text: Text) -> bool:
    return not text[1] and not text[2]


# ---------------------------------------------------------------- segeval


@given(cut=texts())
def test_windows_of_segevals_own_size(cut: list[Text]) -> None:
    pk, wd, lamprier = rows(
        cut,
        "segments.pk(auto=segeval)",
        "segments.window_diff(auto=segeval)",
        "segments.window_diff(auto=segeval, edges=segeval)",
    )
    for n, (units, gold, pred) in enumerate(cut):
        hyp, ref = masses(units, pred), masses(units, gold)
        near(lamprier[n]["window_diff"], segeval.window_diff(hyp, ref, lamprier_et_al_2007_fix=True))
        if pk[n]["windows"]:
            assert [pk[n]["errors"], pk[n]["windows"]] == [*segeval.pk(hyp, ref, return_parts=True)]
            near(wd[n]["window_diff"], segeval.window_diff(hyp, ref))


@given(cut=texts(), window=st.integers(1, 8))
def test_windows_of_a_given_size(cut: list[Text], window: int) -> None:
    """segeval on masses and NLTK on gaps are the same; NLTK on units has a window more (edges=nltk)."""
    forms = [
        f"segments.{name}(window={window}{more})"
        for name, more in (
            ("pk", ""),
            ("window_diff", ""),
            ("window_diff", ", weighted=true"),
            ("pk", ", edges=nltk"),
            ("window_diff", ", edges=nltk"),
        )
    ]
    pk, wd, weighted, pk_units, wd_units = rows(cut, *forms)
    for n, (units, gold, pred) in enumerate(cut):
        if units <= window:
            continue
        hyp, ref, hyp_gaps, ref_gaps = (
            *(masses(units, p) for p in (pred, gold)),
            *(gaps(units, p) for p in (pred, gold)),
        )
        near(pk[n]["pk"], segeval.pk(hyp, ref, window_size=window))
        near(wd[n]["window_diff"], segeval.window_diff(hyp, ref, window_size=window))
        near(pk[n]["pk"], nltk.pk(ref_gaps, hyp_gaps, window))
        near(wd[n]["window_diff"], nltk.windowdiff(ref_gaps, hyp_gaps, window))
        near(weighted[n]["window_diff"], nltk.windowdiff(ref_gaps, hyp_gaps, window, weighted=True))
        near(pk_units[n]["pk"], nltk.pk(f"{ref_gaps}0", f"{hyp_gaps}0", window))
        near(wd_units[n]["window_diff"], nltk.windowdiff(f"{ref_gaps}0", f"{hyp_gaps}0", window))


WEIGHTS = {
    "scaled": (segeval.weight_a, segeval.weight_s_scale, segeval.weight_t_scale),
    "unit": (segeval.weight_a, segeval.weight_s, segeval.weight_t),
}


@given(cut=texts(), n_t=st.integers(1, 8), costs=st.sampled_from(["scaled", "unit"]))
def test_edits_are_segevals(cut: list[Text], n_t: int, costs: str) -> None:
    (found,) = rows(cut, f"segments.edit_distance(n_t={n_t}, costs={costs})")
    for row, text in zip(found, cut, strict=True):
        if empty(text):
            assert (row["b"], row["s"]) == (1, 1)
            continue
        hyp, ref = masses(text[0], text[2]), masses(text[0], text[1])
        theirs = segeval.boundary_statistics(hyp, ref, n_t=n_t, weight=WEIGHTS[costs])
        for column in ("additions", "transpositions", "substitutions", "matches"):
            assert row[column] == len(theirs[column]), column
        assert row["gaps"] == theirs["pbs"]
        near(row["additions"] + row["transposed"], theirs["count_edits"])
        near(row["b"], segeval.boundary_similarity(hyp, ref, n_t=n_t, weight=WEIGHTS[costs]))
        near(row["s"], segeval.segmentation_similarity(hyp, ref, n_t=n_t, weight=WEIGHTS[costs]))


@st.composite
def typed(draw: DrawFn) -> list[tuple[list[set[int]], list[set[int]]]]:
    """Draw for every gap of some texts the types of boundary that two sides have there."""
    kinds = st.lists(st.sets(st.integers(1, 4), max_size=2), min_size=1, max_size=10)
    out = []
    for _ in range(draw(st.integers(1, 4))):
        one = draw(kinds)
        other = draw(st.lists(st.sets(st.integers(1, 4), max_size=2), min_size=len(one), max_size=len(one)))
        out.append((one, draw(st.permutations(one)) if draw(st.booleans()) else other))
    return out


def levels(sets: list[set[int]]) -> Json:
    """Return a segmentation of four levels, a level a type."""
    found = {str(kind): [at for at, here in enumerate(sets, start=1) if kind in here] for kind in (1, 2, 3, 4)}
    return {"length": len(sets) + 1, "boundaries": found}


@given(cut=typed(), n_t=st.integers(1, 5))
def test_edits_of_typed_boundaries_are_segevals(
    cut: list[tuple[list[set[int]], list[set[int]]]], n_t: int
) -> None:
    sides = [[{"id": n, **levels(pair[side])} for n, pair in enumerate(cut)] for side in (1, 0)]
    found = list(
        spanscope.evaluate(*sides, f"segments.edit_distance(n_t={n_t}, types=ordinal)", ci=False).by_document()
    )
    for row, (one, other) in zip(found, cut, strict=True):
        if not any((*one, *other)):
            assert row["b"] == 1
            continue
        a, b = (tuple(frozenset(here) for here in side) for side in (one, other))
        theirs = segeval.boundary_statistics(a, b, n_t=n_t, boundary_format=segeval.BoundaryFormat.sets)
        for column in ("additions", "transpositions", "substitutions", "matches"):
            assert row[column] == len(theirs[column]), column
        near(row["b"], segeval.boundary_similarity(a, b, n_t=n_t, boundary_format=segeval.BoundaryFormat.sets))


AGREEMENT = {
    "agreement": segeval.actual_agreement_linear,
    "pi": segeval.fleiss_pi_linear,
    "kappa": segeval.fleiss_kappa_linear,
    "bias": segeval.artstein_poesio_bias_linear,
}


@given(cut=texts(), of=st.sampled_from(["b", "s"]))
def test_agreement_of_two_is_segevals(cut: list[Text], of: str) -> None:
    """segeval raises on texts without a boundary, and where chance is 1: boundaries everywhere on both sides."""
    kept = [text for text in cut if not empty(text)]
    assume(any(len(gold) + len(pred) < 2 * (units - 1) for units, gold, pred in kept))
    data = {
        n: {"gold": masses(units, gold), "pred": masses(units, pred)} for n, (units, gold, pred) in enumerate(kept)
    }
    sides = [[{"id": n, "masses": coders[side]} for n, coders in data.items()] for side in ("gold", "pred")]
    result = spanscope.evaluate(*sides, f"segments.agreement(of={of})", ci=False)
    similarity = segeval.boundary_similarity if of == "b" else segeval.segmentation_similarity
    for rate, theirs in AGREEMENT.items():
        near(result.value(rate, average="micro"), theirs(data, fnc_compare=similarity))


@given(cut=texts(), more=st.data(), of=st.sampled_from(["b", "s"]))
def test_agreement_of_three_is_segevals(cut: list[Text], more: st.DataObject, of: str) -> None:
    """As between two, in a panel; no pair of coders may be without boundaries, since segeval raises there."""
    data = {
        n: dict(zip("abc", (masses(units, p) for p in (gold, pred, more.draw(boundaries(units)))), strict=True))
        for n, (units, gold, pred) in enumerate(cut)
    }
    data = {n: coders for n, coders in data.items() if [len(found) for found in coders.values()].count(1) < 2}
    assume(any(len(found) < sum(found) for coders in data.values() for found in coders.values()))
    source = [
        {"id": n, "segmentations": {coder: {"masses": found} for coder, found in coders.items()}}
        for n, coders in data.items()
    ]
    rows_ = [
        row for row in spanscope.panel(source).agreement if row.average == "micro" and f"of={of}" in row.measure
    ]
    similarity = segeval.boundary_similarity if of == "b" else segeval.segmentation_similarity
    for rate, theirs in AGREEMENT.items():
        (ours,) = (row.value for row in rows_ if row.rate == rate)
        near(ours, theirs(data, fnc_compare=similarity))


# ---------------------------------------------------------------- NLTK


@given(cut=texts())
def test_pk_of_nltks_own_size(cut: list[Text]) -> None:
    (found,) = rows(cut, "segments.pk(auto=nltk)")
    for row, (units, gold, pred) in zip(found, cut, strict=True):
        if row["windows"] and units > 1:
            near(row["pk"], nltk.pk(gaps(units, gold), gaps(units, pred)))


COSTS = st.sampled_from([0.25, 0.5, 1.0, 1.5, 2.0, 3.0])


@given(cut=texts(), insert=COSTS, delete=COSTS, shift=COSTS)
def test_hamming_distance_is_nltks(cut: list[Text], insert: float, delete: float, shift: float) -> None:
    """NLTK turns the hypothesis into the reference, so it inserts what we call deleted."""
    (found,) = rows(cut, f"segments.ghd(insert={insert}, delete={delete}, shift={shift})")
    for row, (units, gold, pred) in zip(found, cut, strict=True):
        near(row["ghd"], nltk.ghd(gaps(units, gold), gaps(units, pred), delete, insert, shift))


# ---------------------------------------------------------------- mir_eval


def intervals(units: int, places: list[int]) -> tuple[np.ndarray, list[str]]:
    ends = [0, *places, units]
    return np.array(list(pairwise(ends)), dtype=float), [str(n) for n in range(len(places) + 1)]


@given(cut=texts(), tolerance=st.integers(0, 6))
def test_boundaries_are_mir_evals(cut: list[Text], tolerance: int) -> None:
    inner, ends = rows(
        cut,
        f"segments.boundaries(tolerance={tolerance})",
        f"segments.boundaries(tolerance={tolerance}, ends=true)",
    )
    for n, (units, gold, pred) in enumerate(cut):
        both = intervals(units, gold)[0], intervals(units, pred)[0]
        assert [ends[n][rate] for rate in PRF] == pytest.approx(mir_eval.detection(*both, window=tolerance + 0.25))
        if gold and pred:
            theirs = mir_eval.detection(*both, window=tolerance + 0.25, trim=True)
            assert [inner[n][rate] for rate in PRF] == pytest.approx(theirs)


@given(cut=texts())
def test_medians_are_mir_evals(cut: list[Text]) -> None:
    (found,) = rows(cut, "segments.displacement")
    for row, (units, gold, pred) in zip(found, cut, strict=True):
        if gold and pred:
            theirs = mir_eval.deviation(intervals(units, gold)[0], intervals(units, pred)[0], trim=True)
            assert [row["median"], row["median_pred"]] == pytest.approx(theirs)


Frames = Callable[..., Any]


@given(cut=texts())
def test_pairs_and_clusters_are_mir_evals(cut: list[Text]) -> None:
    """mir_eval divides by zero where no units are together, and calls one cluster 0 where scikit-learn says 1."""
    pairs, clusters, ami = rows(cut, "segments.pairs", "segments.clusters", "segments.ami")
    for n, (units, gold, pred) in enumerate(cut):
        if not (gold and pred and max(len(gold), len(pred)) < units - 1):
            continue
        given_ = (*intervals(units, gold), *intervals(units, pred))

        def theirs(figure: Frames, given_: Any = given_) -> Any:
            return figure(*given_, frame_size=1.0)

        assert [pairs[n][rate] for rate in PRF] == pytest.approx(theirs(mir_eval.pairwise), abs=1e-9)
        near(pairs[n]["rand"], theirs(mir_eval.rand_index))
        near(clusters[n]["ari"], theirs(mir_eval.ari))
        mi, adjusted, nmi = theirs(mir_eval.mutual_information)
        assert (clusters[n]["mi"], clusters[n]["nmi_geometric"]) == pytest.approx((mi, nmi), abs=1e-9)
        near(ami[n]["ami"], adjusted)
        for names, figure in (
            (("nce_over", "nce_under", "nce_f"), mir_eval.nce),
            (("completeness", "homogeneity", "v"), mir_eval.vmeasure),
        ):
            assert [clusters[n][name] for name in names] == pytest.approx(theirs(figure), abs=1e-9)


# ---------------------------------------------------------------- where we differ, and why


def test_texts_without_boundaries_have_figures() -> None:
    """segeval raises, mir_eval says 0 and NaN; to us two sides without boundaries agree."""
    text = (10, [], [])
    with pytest.raises(ValueError, match="max"):
        segeval.boundary_similarity((10,), (10,))
    both = intervals(10, [])[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert mir_eval.detection(both, both, trim=True) == (0, 0, 0)
        assert math.isnan(mir_eval.deviation(both, both, trim=True)[0])
    edits, exact, away = rows([text], "segments.edit_distance", "segments.boundaries", "segments.displacement")
    assert (edits[0]["b"], exact[0]["f1"], away[0]["median"]) == (1, 1, 0)


def test_a_window_as_long_as_the_text() -> None:
    """segeval's Pk is 0, its WindowDiff 0/0, NLTK raises; here there is no window and so no figure."""
    assert segeval.pk((1, 1), (2,)) == 0
    with pytest.raises(ZeroDivisionError):
        nltk.pk("0", "1", 2)
    (found,) = rows([(2, [], [1])], "segments.pk(window=2)")
    assert found[0]["pk"] is None


def test_long_windows() -> None:
    """segeval compares numbers by identity, and its WindowDiff fails from a window of 256 on."""
    with pytest.raises(AssertionError):
        segeval.window_diff((600, 600), (500, 700), window_size=256)
    (found,) = rows([(1200, [500], [600])], "segments.window_diff(window=256)")
    near(found[0]["window_diff"], nltk.windowdiff(gaps(1200, [500]), gaps(1200, [600]), 256))
