"""segeval 2.0.11 and NLTK 3.10.4 on 100 random pairs of segmentations: windows, edits, Hamming distance.

Left out: confusion matrices, where segeval swaps precision and recall and gives near misses the weight d / n_t for
1 - d / n_t. Where the tools raise, our convention has a value: tests of their own say which.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from spanscope import Result
from tests.oracle import Json, failed, oracle, score, unlike

PK, WD = "segments.pk(auto=segeval)", "segments.window_diff(auto=segeval)"
CASES: list[Json] = oracle("segeval_random200")["cases"]

# ---------------------------------------------------------------- windows


@cache
def random_result(form: str, *measures: str) -> Result:
    """Score the random pairs, given as masses or as NLTK's strings of gaps."""
    keys = ("ref", "hyp") if form == "masses" else ("ref_gap", "hyp_gap")
    source = [case if form == "masses" else case["nltk"] for case in CASES]
    return score({str(n): (one[keys[0]], one[keys[1]]) for n, one in enumerate(source)}, *measures, form=form)


def at_random(measure: str, rate: str, form: str = "masses") -> list[Any]:
    return [row[rate] for row in random_result(form, measure).by_document(measure)]


def differ(ours: Iterable[Any], theirs: Iterable[Any]) -> list[str]:
    """Return a line for every pair whose figure is not theirs; what is None on their side is not compared."""
    return unlike(dict(enumerate(ours)), {n: value for n, value in enumerate(theirs) if value is not None})


NO_WINDOW = [n for n, case in enumerate(CASES) if case["N"] <= case["default_window"]]


def without(values: Iterable[Any], left_out: Iterable[int]) -> list[Any]:
    return [None if n in set(left_out) else value for n, value in enumerate(values)]


@pytest.mark.parametrize(("name", "measure"), [("pk", PK), ("window_diff", WD)])
@pytest.mark.parametrize("form", ["masses", "string"])
def test_windows_at_the_default_size(name: str, measure: str, form: str) -> None:
    theirs = without((case[name] for case in CASES), NO_WINDOW)
    assert differ(at_random(measure, name, form), theirs) == []
    for column, part in (("errors", 0), ("windows", 1)):
        parts = without((case[f"{name}_parts"] for case in CASES), NO_WINDOW)
        assert differ(at_random(measure, column, form), [p and p[part] for p in parts]) == []


def test_texts_not_longer_than_the_window() -> None:
    """No window, no figure: segeval's Pk is 0 there and its WindowDiff fails. Undefined here, except where both

    sides have no boundary: perfect, as everywhere.
    """
    assert len(NO_WINDOW) == 6
    for n in NO_WINDOW:
        assert (CASES[n]["pk"], failed(CASES[n]["window_diff"])) == (0, True)
        perfect = not CASES[n]["ref_boundaries"] and not CASES[n]["hyp_boundaries"]
        for rate, measure in (("pk", PK), ("window_diff", WD)):
            assert at_random(measure, rate)[n] == (0 if perfect else None)


def test_windows_over_the_edges() -> None:
    """edges=segeval is its lamprier_et_al_2007_fix, which divides by one window too many; lamprier does not."""
    theirs = [case["window_diff_lamprier_parts"] for case in CASES]
    assert [whole for _, whole in theirs] == [case["N"] + case["default_window"] + 1 for case in CASES]
    for edges, more in (("segeval", 0), ("lamprier", 1)):
        measure = f"segments.window_diff(auto=segeval, edges={edges})"
        assert differ(at_random(measure, "window_diff"), [part / (whole - more) for part, whole in theirs]) == []
        assert differ(at_random(measure, "errors"), [part for part, _ in theirs]) == []
    ours = at_random("segments.window_diff(auto=segeval, edges=segeval)", "window_diff")
    assert differ(ours, [case["window_diff_lamprier"] for case in CASES]) == []


WINDOWS = {
    "pk": ("segments.pk(window={})", "pk"),
    "window_diff": ("segments.window_diff(window={})", "window_diff"),
    "nltk_pk_gap": ("segments.pk(window={})", "pk"),
    "nltk_windowdiff_gap": ("segments.window_diff(window={})", "window_diff"),
    "nltk_windowdiff_weighted_gap": ("segments.window_diff(window={}, weighted=true)", "window_diff"),
    "nltk_pk_unit": ("segments.pk(window={}, edges=nltk)", "pk"),
    "nltk_windowdiff_unit": ("segments.window_diff(window={}, edges=nltk)", "window_diff"),
}


@pytest.mark.parametrize("window", [1, 2, 3, 7])
@pytest.mark.parametrize("name", WINDOWS)
def test_windows_of_a_given_size(name: str, window: int) -> None:
    """segeval, and NLTK on strings of gaps (the same) and of units (one window more)."""
    measure, rate = WINDOWS[name]
    theirs = [case["by_window"].get(str(window), {}).get(name) for case in CASES]
    assert sum(value is not None for value in theirs) > 80
    assert differ(at_random(measure.format(window), rate), theirs) == []


def test_nltks_own_window() -> None:
    """auto=nltk counts boundaries for segments (its issue 3102). Where that rounds to 0 NLTK's Pk is 0."""
    ours, theirs = at_random("segments.pk(auto=nltk)", "pk", "string"), [c["nltk"]["pk_default_k"] for c in CASES]
    nothing = [n for n, value in enumerate(ours) if value is None]
    assert differ(ours, without(theirs, nothing)) == []
    assert {theirs[n] for n in nothing} <= {0.0}
    for name, measure, rate in (("pk", PK, "pk"), ("windowdiff", WD, "window_diff")):
        found = [case["nltk"][f"{name}_at_segeval_k"] for case in CASES]
        assert [n for n, value in enumerate(found) if failed(value)] == NO_WINDOW
        assert differ(at_random(measure, rate, "string"), without(found, NO_WINDOW)) == []


@pytest.mark.parametrize(
    ("name", "costs"),
    [
        ("ghd_default(2,2,1)", ""),
        ("ghd(1,1,0.5)", "insert=1.0, delete=1.0, shift=0.5"),
        ("ghd(ins=1.5,del=2.5,shift=0.25)", "insert=2.5, delete=1.5, shift=0.25"),
    ],
)
def test_generalised_hamming_distance(name: str, costs: str) -> None:
    """NLTK edits the hypothesis into the reference, so what it inserts are boundaries of the reference only.

    Here insert is what a boundary invented by the prediction costs: the two names change places.
    """
    measure = f"segments.ghd({costs})"
    assert differ(at_random(measure, "ghd", "string"), [case["nltk"][name] for case in CASES]) == []


# ---------------------------------------------------------------- edits


@pytest.mark.parametrize("n_t", ["2", "3", "5", "10"])
def test_edits_of_random_pairs(n_t: str) -> None:
    """B, S and every edit."""
    measure = f"segments.edit_distance(n_t={n_t})"
    rows = list(random_result("masses", measure).by_document(measure))
    for n, (row, case) in enumerate(zip(rows, CASES, strict=True)):
        theirs = case["by_n_t"][n_t]
        if failed(theirs["B"]):
            continue
        found = theirs["statistics"]
        moved = [j - i for i, j in found["transpositions(gap index i,j, 0-based)"]]
        want = {
            "b": theirs["B"],
            "s": theirs["S"],
            "additions": found["additions_hyp_only(side a)"] + found["additions_ref_only(side b)"],
            "transpositions": len(moved),
            "transposed": sum(moved) / int(n_t),
            "matches": found["matches"],
            "gaps": found["pbs"],
            "pred": len(case["hyp_boundaries"]),
            "gold": len(case["ref_boundaries"]),
        }
        assert {key: row[key] for key in want} == pytest.approx(want, abs=1e-9), f"case {n}"
        assert row["additions"] + row["transposed"] == pytest.approx(found["count_edits"], abs=1e-9)


def test_nothing_to_edit() -> None:
    """segeval fails on two segmentations without boundaries (its documentation prints 1); here B and S are 1."""
    empty = [n for n, case in enumerate(CASES) if not case["ref_boundaries"] and not case["hyp_boundaries"]]
    for n_t in ("2", "3", "5", "10"):
        assert [n for n, case in enumerate(CASES) if failed(case["by_n_t"][n_t]["B"])] == empty
        for rate in "bs":
            assert {at_random(f"segments.edit_distance(n_t={n_t})", rate)[n] for n in empty} == {1.0}
