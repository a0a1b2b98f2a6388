"""Krippendorff's alphas for unitising: published examples, recorded figures, twins over single positions."""

import math
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spanscope.errors import MeasureError
from spanscope.measures.agreement.coding import Marks, coded_cells
from spanscope.measures.agreement.unitising import UAlphas, alpha_of_sums, alpha_u, u_alphas
from tests.oracle import oracle

NAN = math.nan
Unit = tuple[int, int, int]  # start, end, label
Sides = list[list[Unit]]
RECORDED = oracle("agreement_unitizing")
CASES = RECORDED["u_alpha_2016_random60"]
LENGTH = 16


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-9, nan_ok=True)


def marked(units: list[Unit], doc: int = 0) -> Marks:
    columns = [(doc, *unit) for unit in sorted(units)]
    return Marks(*np.array(columns, dtype=np.int64).reshape(-1, 4).T)


def family(sides: Sides, length: int, labels: int) -> UAlphas:
    found = [marked(units) for units in sides]
    return u_alphas(found, coded_cells(found, np.array([length])), 1, labels)


def one(parts: Any, label: int | None = None) -> float:
    value = alpha_of_sums(*parts)[0]
    return float(value if label is None else value[label])


# ---------------------------------------------------------------- alpha_U


@pytest.mark.parametrize("name", RECORDED["krippendorff_1995_2004_alphaU"])
def test_alpha_u_as_published(name: str) -> None:
    """Krippendorff (2004), page 254, and the example of DKPro's own test, both with their disagreements.

    DKPro's test gives the overall figure of the first to one part in a thousand only (.8591 for .8587).
    """
    case = RECORDED["krippendorff_1995_2004_alphaU"][name]
    begin, length = case["continuum"]
    units = case.get("units(begin,length) per rater") or case["units"]
    labels = sorted(units)
    sides = [
        marked([(s - begin, s - begin + n, at) for at, label in enumerate(labels) for s, n in units[label][rater]])
        for rater in range(2)
    ]
    observed, expected = alpha_u(sides, np.array([length]), len(labels))
    printed = case.get("expected_by_DKPro_test") or case["expected"]
    for at, label in enumerate(labels):
        figures = (observed[0, at], expected[0, at], 1 - observed[0, at] / expected[0, at])
        assert figures == pytest.approx(printed[label], abs=0.0001)
        want = case["computed"][label]
        assert figures == close((want["D_o"], want["D_e"], want["alpha"]))
    assert float(alpha_of_sums(observed.sum(), expected.sum())) == close(case["computed"]["overall"])
    if "overall" in printed:
        assert float(alpha_of_sums(observed.sum(), expected.sum())) == pytest.approx(printed["overall"], abs=0.001)


def plain_alpha_u(sides: Sides, length: int) -> tuple[float, float]:
    """The formulas of 2004 for one label, unit by unit and gap by gap."""
    total = 0.0
    for a, b in permutations(range(len(sides)), 2):
        for s, e, _ in sides[a]:
            over = [(s2, e2) for s2, e2, _ in sides[b] if s2 < e and s < e2]
            total += sum((s - s2) ** 2 + (e - e2) ** 2 for s2, e2 in over) / 2 if over else (e - s) ** 2
    r = len(sides)
    observed = 2 * total / (r * (r - 1) * length**2)
    gaps = []
    for units in sides:
        ends = [0, *(e for _, e, _ in sorted(units))]
        starts = [*(s for s, _, _ in sorted(units)), length]
        gaps += [s - e for s, e in zip(starts, ends, strict=True)]
    sizes = [e - s for units in sides for s, e, _ in units]
    chance = sum(
        (len(sizes) - 1) * (2 * n**3 - 3 * n**2 + n) / 3 + n**2 * sum(g - n + 1 for g in gaps if g >= n)
        for n in sizes
    )
    below = r * length * (r * length - 1) - sum(n * (n - 1) for n in sizes)
    return observed, 2 / length * chance / below if below else 0.0


@st.composite
def disjoint(draw: st.DrawFn, labels: int = 1) -> list[Unit]:
    cuts = sorted(draw(st.sets(st.integers(0, LENGTH), max_size=7)))
    pieces = [(a, b, draw(st.integers(0, labels - 1))) for a, b in pairwise(cuts)]
    return [piece for piece in pieces if draw(st.booleans())]


@given(st.lists(disjoint(), min_size=2, max_size=4))
@example([[], [(0, 16, 0)]])
@example([[(0, 3, 0), (3, 5, 0)], [(1, 4, 0)], []])
def test_alpha_u_is_its_formula(sides: Sides) -> None:
    observed, expected = alpha_u([marked(units) for units in sides], np.array([LENGTH]), 1)
    assert (observed[0, 0], expected[0, 0]) == close(plain_alpha_u(sides, LENGTH))


def test_alpha_u_by_document_and_label() -> None:
    """Documents and labels do not touch each other."""
    first, second = [[(0, 4, 0), (6, 8, 1)], [(1, 4, 0)]], [[(2, 3, 1)], [(2, 9, 1), (0, 1, 0)]]
    both = [
        Marks(*(np.concatenate(pair) for pair in zip(marked(a), marked(b, 1), strict=True)))
        for a, b in zip(first, second, strict=True)
    ]
    observed, expected = alpha_u(both, np.array([10, 12]), 2)
    for doc, (sides, length) in enumerate(((first, 10), (second, 12))):
        for label in (0, 1):
            own = [[unit for unit in units if unit[2] == label] for units in sides]
            want = plain_alpha_u(own, length)
            assert (observed[doc, label], expected[doc, label]) == close(want)


def test_alpha_u_refuses_overlaps() -> None:
    sides = [marked([(0, 4, 1), (3, 6, 1)]), marked([])]
    with pytest.raises(MeasureError) as error:
        alpha_u(sides, np.array([9]), 2, names=["d7"], called=["A", "B"])
    assert "document 'd7'" in str(error.value)
    assert "label 'B' has 0..4 and 3..6" in str(error.value)
    alpha_u([marked([(0, 4, 0), (3, 6, 1)]), marked([])], np.array([9]), 2)  # of two labels it is defined


# ---------------------------------------------------------------- the family of 2016


@pytest.mark.parametrize("number", range(len(CASES)))
def test_u_alpha_as_recorded(number: int) -> None:
    case = CASES[number]
    labels = sorted({label for units in case["spans"].values() for label, _, _ in units})
    sides = [[(start, end, labels.index(label)) for label, start, end in own] for own in case["spans"].values()]
    found = family(sides, case["L"], len(labels))
    assert one(found.u) == close(case["u_alpha"])
    assert one(found.bar) == close(case["bar_u_alpha"])
    for key, parts in (("lindanna_u_alpha", found.u), ("lindanna_bar_u_alpha", found.bar)):
        if isinstance(case.get(key), float):
            assert one(parts) == close(case[key])


def test_there_are_recorded_figures_of_another_tool() -> None:
    assert sum(isinstance(case.get("lindanna_u_alpha"), float) for case in CASES) >= 50


def plain_coding(sides: Sides, labels: int) -> tuple[float, list[float]]:
    """Return cu-alpha and (k)u-alpha by single positions: equations 10, 11 and 13b of the paper of 2016."""
    m = len(sides)
    value = [[next((k for s, e, k in units if s <= x < e), None) for x in range(LENGTH)] for units in sides]
    met = np.zeros((labels, labels))
    squares = np.zeros(labels)
    for i, j in permutations(range(m), 2):
        for x in range(LENGTH):
            if value[i][x] is not None and value[j][x] is not None:
                met[value[i][x], value[j][x]] += 1 / (m - 1)
        for s, e, k in sides[i]:
            squares[k] += sum(value[j][x] is not None for x in range(s, e)) ** 2 / (m - 1)
    total = met.sum()
    below = total - squares.sum() / total if total else 0.0
    if below <= 1e-12:
        return NAN, [NAN] * labels
    chance = np.outer(met.sum(1), met.sum(0))
    chance[np.diag_indices(labels)] -= squares
    chance = chance / below
    top, bottom = total - np.trace(met), total - np.trace(chance)
    each = []
    for k in range(labels):
        own, expected = met[k].sum(), chance[k].sum()
        off = expected - chance[k, k]
        known = own > 0 and abs(off) > 1e-12 and abs(expected) > 1e-12  # of three, e_k may be nothing
        each.append(1 - expected / own * (own - met[k, k]) / off if known else NAN)
    return (1 - top / bottom if abs(bottom) > 1e-12 else NAN), each


@settings(max_examples=200)
@given(st.lists(disjoint(3), min_size=2, max_size=4))
def test_coding_is_its_formula(sides: Sides) -> None:
    found = family(sides, LENGTH, 3)
    whole, each = plain_coding(sides, 3)
    if not math.isnan(whole):
        assert one(found.coding) == close(whole)
    for k in range(3):
        if not math.isnan(each[k]):
            assert one(found.by_label, k) == close(each[k])


def test_coding_by_hand() -> None:
    """Two annotators, L = 10, both mark 0..4 and 6..8; the first calls them A B, the other A A.

    l_AA = 8, l_AB = l_BA = 2, l_BB = 0, in all 12; q_A = 4^2 + 4^2 + 2^2 = 36, q_B = 2^2 = 4.
    below = 12 - 40/12 = 104/12; e_AA = (100 - 36)/below, e_BB = (4 - 4)/below, e_AB = 20/below.
    cu-alpha = 1 - 4/(12 - 64 * 12/104) = 1 - 4/(480/104) = 2/15.
    (A)u-alpha = 1 - (84/below/10) * 2/(20/below) = .16; (B): e_B = 20/below = e_B - e_BB: 1 - 2/2 = 0.
    """
    sides = [[(0, 4, 0), (6, 8, 1)], [(0, 4, 0), (6, 8, 0)]]
    found = family(sides, 10, 2)
    assert one(found.coding) == close(2 / 15)
    assert one(found.by_label, 0) == close(0.16)
    assert one(found.by_label, 1) == close(0.0)
    assert one(found.bar) == close(1.0)


def test_undefined() -> None:
    """Nobody marked anything: nothing is expected. One label over all of the text: likewise."""
    for sides in ([[], []], [[(0, 9, 0)], [(0, 9, 0)]]):
        found = family(sides, 9, 1)
        assert math.isnan(one(found.u))
        assert math.isnan(one(found.coding))


@given(disjoint(2).filter(bool))
def test_identical_annotators_agree(units: list[Unit]) -> None:
    found = family([units, units, units], LENGTH + 1, 2)
    assert one(found.u) == close(1.0)
    assert one(found.bar) == close(1.0)
    sides = [marked(units)] * 2
    observed, expected = alpha_u(sides, np.array([LENGTH + 1]), 2)
    assert observed.sum() == 0
    assert expected.sum() >= 0


@given(st.lists(disjoint(2), min_size=3, max_size=3))
def test_order_of_annotators_is_immaterial(sides: Sides) -> None:
    here, there = family(sides, LENGTH, 2), family(sides[::-1], LENGTH, 2)
    for a, b in zip(here, there, strict=True):
        for x, y in zip(a, b, strict=True):
            assert np.allclose(x, y)
    both = [alpha_u([marked(units) for units in own], np.array([LENGTH]), 2) for own in (sides, sides[::-1])]
    assert np.allclose(both[0], both[1])
