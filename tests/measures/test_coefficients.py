"""Kappa, pi, Fleiss, alpha: published tables, plain-Python twins over single positions, and laws."""

import math
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spanscope.data.corpus import Pieces, Spans, Tokens
from spanscope.measures.agreement import coefficients as co
from spanscope.measures.agreement.coding import (
    OUTSIDE,
    Marks,
    coded_cells,
    label_pairs,
    marks,
    to_token_offsets,
    without_overlaps,
)

NAN = math.nan
Span = tuple[int, int, int]  # start, end, label
LENGTH = 14
SPANS = st.lists(
    st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH), st.integers(0, 2)).map(
        lambda one: (min(one[:2]), max(one[:2]), one[2])
    ),
    max_size=5,
)


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12, nan_ok=True)


def scott(table: Any) -> Any:
    """Scott's pi is Fleiss' kappa of two annotators."""
    return co.fleiss(co.pool_margins(co.margins(table[None])))


# ---------------------------------------------------------------- published tables


def test_cohen_and_scott_by_hand() -> None:
    table = np.array([[20, 20, 0], [0, 10, 0], [0, 0, 50]], dtype=float)
    agreed, chance = 0.8, 0.4 * 0.2 + 0.1 * 0.3 + 0.5 * 0.5
    assert co.cohen(co.margins(table)) == close((agreed - chance) / (1 - chance))
    pooled = 0.3**2 + 0.2**2 + 0.5**2
    assert scott(table) == close((agreed - pooled) / (1 - pooled))


def test_cohen_of_wikipedias_grant_example() -> None:
    """50 proposals, both yes 20, both no 15, 5 and 10 split: p_o = .7, p_e = .5, kappa = .4."""
    assert co.cohen(co.margins(np.array([[20.0, 5.0], [10.0, 15.0]]))) == close(0.4)


FLEISS = [  # Fleiss (1971), as on Wikipedia: 10 subjects, 14 raters, 5 categories; kappa .210
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def tables_of(values: list[list[int]], labels: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the contingency tables of all pairs of raters, unit by unit."""
    raters = len(values[0])
    out = np.zeros((raters * (raters - 1) // 2, labels, labels))
    for unit in values:
        for at, (a, b) in enumerate(combinations(unit, 2)):
            out[at, a, b] += 1
    return out


def test_fleiss_as_published() -> None:
    values = [[k for k, number in enumerate(row) for _ in range(number)] for row in FLEISS]
    assert co.fleiss(co.pool_margins(co.margins(tables_of(values, 5)))) == pytest.approx(0.210, abs=0.0005)


@pytest.mark.parametrize(
    ("first", "second", "published"),
    [("0100000010", "1110010000", 0.095), ("aabbdcccedda", "babbbccceddd", 0.692)],
)
def test_alpha_as_published(first: str, second: str, published: float) -> None:
    """Krippendorff (2011), Computing Krippendorff's alpha-reliability: binary data, and nominal data."""
    names = sorted({*first, *second})
    codes = [[names.index(one) for one in unit] for unit in zip(first, second, strict=True)]
    assert co.alpha(co.pool_margins(co.margins(tables_of(codes, len(names))))) == pytest.approx(
        published, abs=0.0005
    )


# ---------------------------------------------------------------- corner cases


@pytest.mark.parametrize("measure", [co.cohen, co.fleiss, co.alpha])
def test_undefined(measure: Any) -> None:
    """Without units, and with one category only, nothing can be told from chance."""
    assert math.isnan(measure(co.margins(np.zeros((2, 2)))))
    assert math.isnan(measure(co.margins(np.array([[9.0, 0], [0, 0]]))))


@pytest.mark.parametrize("measure", [co.cohen, co.fleiss, co.alpha])
def test_leading_axes(measure: Any) -> None:
    draw = np.random.default_rng(3)
    table = draw.integers(0, 9, (4, 2, 3, 3)).astype(float)
    table += np.swapaxes(table, -1, -2)  # coincidence tables are symmetric
    whole = measure(co.margins(table))
    assert whole.shape == (4, 2)
    assert all(whole[i, j] == close(float(measure(co.margins(table[i, j])))) for i in range(4) for j in range(2))


def test_inside() -> None:
    """Only the cell in which all are outside goes: a kappa of .82 with it may be one of .28 without."""
    table = np.array([[10.0, 8], [9, 500]])
    found = co.margins(table)
    assert [one.tolist() for one in found] == [[10, 500], [18, 509], [19, 508]]
    assert [one.tolist() for one in found.inside()] == [[10, 0], [18, 9], [19, 8]]
    assert [one.tolist() for one in found.inside(np.array(300))] == [[10, 200], [18, 209], [19, 208]]
    assert found.both[1] == 500
    agreed, chance = 10 / 27, (18 * 19 + 9 * 8) / 27**2
    assert co.cohen(co.margins(table).inside()) == close((agreed - chance) / (1 - chance))
    assert co.cohen(co.margins(table)) > 0.5
    assert co.cohen(co.margins(table).inside()) < 0


# ---------------------------------------------------------------- positions, one by one


def spans_of(found: list[list[Span]]) -> Spans:
    """Return one annotator's documents as spans."""
    columns = [(doc, *span) for doc, own in enumerate(found) for span in sorted(own)]
    doc, start, end, label = np.array(columns, dtype=np.int64).reshape(-1, 4).T
    return Spans(doc, start, end, label, np.arange(len(doc)))


def said(own: list[Span], at: int) -> int:
    """Return the label of a position: of the span that started last, the shorter one, the first label."""
    over = [(start, -end, -label) for start, end, label in own if start <= at < end]
    return -max(over)[2] if over else OUTSIDE


def sides_of(found: list[list[list[Span]]]) -> list[Marks]:
    return [without_overlaps(marks(spans_of(own)))[0] for own in found]


@given(st.lists(st.lists(SPANS, min_size=2, max_size=2), min_size=2, max_size=3))
@example([[[(0, 9, 0), (2, 5, 1), (2, 5, 2), (4, 7, 0)], []], [[(3, 3, 1)], [(0, 14, 2)]]])
def test_cells_say_what_every_position_says(found: list[list[list[Span]]]) -> None:
    """found[annotator][document]: the cells spread out are the labels of all positions, one by one."""
    got = coded_cells(sides_of(found), np.array([LENGTH, LENGTH]))
    for side, own in enumerate(found):
        spread = [int(code) for code, n in zip(got.code[side], got.length, strict=True) for _ in range(n)]
        assert spread == [said(document, at) for document in own for at in range(LENGTH)]
    assert got.doc.tolist() == sorted(got.doc.tolist())
    silent = [max(codes) == OUTSIDE for codes in zip(*got.code.tolist(), strict=True)]
    assert got.silent.tolist() == silent


@given(st.lists(SPANS, min_size=1, max_size=3))
def test_positions_with_several_labels_are_counted(found: list[list[Span]]) -> None:
    kept, several = without_overlaps(marks(spans_of(found)))
    want = sum(
        len({label for start, end, label in own if start <= at < end}) > 1 for own in found for at in range(LENGTH)
    )
    assert several.sum() == want
    order = list(zip(kept.doc.tolist(), kept.start.tolist(), kept.end.tolist(), strict=True))
    assert order == sorted(order)


def test_what_nothing_interrupts_stays_whole() -> None:
    """[0, 9) around [2, 5): three stretches; two spans that only touch stay two."""
    kept, _ = without_overlaps(marks(spans_of([[(0, 9, 0), (2, 5, 1)], [(0, 4, 0), (4, 6, 0)]])))
    assert list(zip(*(column.tolist() for column in kept), strict=True)) == [
        (0, 0, 2, 0),
        (0, 2, 5, 1),
        (0, 5, 9, 0),
        (1, 0, 4, 0),
        (1, 4, 6, 0),
    ]


@given(st.lists(st.lists(SPANS, min_size=2, max_size=2), min_size=3, max_size=3))
def test_rows_and_coefficients_against_single_positions(found: list[list[list[Span]]]) -> None:
    """The tables by boundaries give the figures that Fleiss and Krippendorff define by single units."""
    got = coded_cells(sides_of(found), np.array([LENGTH, LENGTH]))
    tables = np.zeros((3, 4, 4))
    for at, (a, b) in enumerate(combinations(range(3), 2)):
        part = label_pairs(got, a, b, 3)
        np.add.at(tables[at], (part.label, part.other), part.weight)
        assert part.weight.sum() == 2 * LENGTH
    units = [[said(own[doc], at) for own in found] for doc in range(2) for at in range(LENGTH)]
    whole = co.pool_margins(co.margins(tables))
    assert co.fleiss(whole) == close(plain_fleiss(units))
    assert co.alpha(whole) == close(plain_alpha(units))
    marked = [unit for unit in units if max(unit) > OUTSIDE]
    silent = float(got.length[got.silent].sum())
    assert co.alpha(whole.inside(np.array(3 * silent))) == close(plain_alpha(marked))
    assert co.fleiss(whole.inside(np.array(3 * silent))) == close(plain_fleiss(marked))


def plain_fleiss(units: list[list[int]]) -> float:
    """Fleiss (1971), unit by unit."""
    if not units:
        return NAN
    n = len(units[0])
    counts = [Counter(unit) for unit in units]
    mean = sum(sum(k * (k - 1) for k in c.values()) / (n * (n - 1)) for c in counts) / len(units)
    whole = sum(counts, Counter())  # type: ignore[arg-type]
    chance = sum((k / (n * len(units))) ** 2 for k in whole.values())
    return NAN if len(whole) < 2 else (mean - chance) / (1 - chance)


def plain_alpha(units: list[list[int]]) -> float:
    """Krippendorff's alpha by all pairs of values, within units and at all."""
    values = [value for unit in units for value in unit]
    if len(set(values)) < 2:
        return NAN
    m, n = len(units[0]), len(values)
    observed = sum(a != b for unit in units for a, b in combinations(unit, 2)) * 2 / (m - 1) / n
    expected = sum(a != b for a, b in combinations(values, 2)) * 2 / (n * (n - 1))
    return 1 - observed / expected


# ---------------------------------------------------------------- fragments and tokens


def test_fragments_are_marked_and_nothing_between() -> None:
    spans = Spans(*(np.array([value]) for value in (0, 1, 9, 0, 0)))
    pieces = Pieces(np.array([0, 0]), np.array([1, 7]), np.array([3, 9]))
    both = marks(Spans(spans.doc, spans.start, spans.end, spans.label, spans.position, pieces=pieces))
    assert both.start.tolist() == [1, 7]
    assert both.end.tolist() == [3, 9]


def test_on_tokens() -> None:
    """`ab cd ef` and `gh`: a span takes every token it shares a character with."""
    first, text = np.array([0, 3, 4]), np.array(["O"] * 4, dtype=object)
    tokens = Tokens(first, np.array([0, 3, 6, 0]), np.array([2, 5, 8, 2]), text)
    spans = spans_of([[(0, 2, 0), (1, 4, 0), (2, 3, 0), (3, 8, 0)], [(0, 1, 0), (1, 2, 0)]])
    got = to_token_offsets(spans, tokens)
    assert got.start.tolist() == [0, 0, 1, 1, 0, 0]
    assert got.end.tolist() == [1, 2, 1, 3, 1, 1]  # [2, 3) is the blank: empty
    assert len(marks(got).doc) == 5


# ---------------------------------------------------------------- laws


@settings(max_examples=50)
@given(st.lists(st.lists(SPANS, min_size=2, max_size=2), min_size=2, max_size=3), st.randoms())
def test_order_of_annotators_and_documents_is_immaterial(found: list[list[list[Span]]], random: Any) -> None:
    def figure(sides: list[list[list[Span]]]) -> float:
        got = coded_cells(sides_of(sides), np.array([LENGTH, LENGTH]))
        tables = np.zeros((len(sides) * (len(sides) - 1) // 2, 4, 4))
        for at, (a, b) in enumerate(combinations(range(len(sides)), 2)):
            part = label_pairs(got, a, b, 3)
            np.add.at(tables[at], (part.label, part.other), part.weight)
        return float(co.alpha(co.pool_margins(co.margins(tables))))

    other = [list(reversed(own)) for own in found]
    random.shuffle(other)
    assert figure(other) == close(figure(found))


@given(SPANS.filter(lambda own: sum(end > start for start, end, _ in own) > 0))
def test_identical_annotators_agree(own: list[Span]) -> None:
    got = coded_cells(sides_of([[own], [own]]), np.array([LENGTH + 1]))
    part = label_pairs(got, 0, 1, 3)
    table = np.zeros((4, 4))
    np.add.at(table, (part.label, part.other), part.weight)
    for figure in (co.cohen(co.margins(table)), scott(table), co.alpha(co.pool_margins(co.margins(table[None])))):
        assert figure == close(1.0)
