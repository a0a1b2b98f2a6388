"""Laws of agreement on whatever annotators mark: spans that nest, cross, repeat, are empty or share offsets."""

import copy
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanscope import Agreement, Score, agree, parse
from tests.strategies import TEXTS, documents, variants
from tests.support import Json, with_gap
from tests.twins.spans import Span

Figures = dict[tuple[str, str | None], float]
Annotators = list[list[Json]]
half_as_many = settings(max_examples=max(settings.default.max_examples // 2, 1))  # each of them draws chance
SAMPLED = ("gamma", "gamma_cat")  # figures that depend on draws


@st.composite
def annotators(draw: st.DrawFn, least: int = 2) -> Annotators:
    """Draw two or three annotators of the same texts; some spans may have a gap."""
    number = draw(st.integers(least, 3))
    sides: Annotators = [[] for _ in range(number)]
    for key in range(draw(st.integers(1, 3))):
        text = draw(TEXTS)
        first, second = draw(documents(text))
        third = [s for one in first for s in draw(variants(text, one))]
        for side, own in zip(sides, (first, second, third), strict=False):
            side.append({"id": f"d{key}", "text": text, "spans": [draw(with_gap(written(s))) for s in own]})
    return sides


def written(span: Span) -> Json:
    return {"label": span.label, "start": span.start, "end": span.end}


def agreed(sides: Annotators, **options: Any) -> Agreement:
    return agree(*copy.deepcopy(sides), ci=False, samples=4, **options)


def overall(found: Agreement, *without: str) -> Figures:
    rows = {(called(row), row.label): row.value for row in found.rows if row.sides is None}
    return {key: value for key, value in rows.items() if key[0] not in without}


def called(row: Score) -> str:
    """Return the rate of a row; F1 with the name of its measure, as several have one."""
    return f"{parse(row.measure).name} f1" if row.rate == "f1" else row.rate


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-9, nan_ok=True)


@half_as_many
@given(sides=annotators())
def test_identical_annotators_agree_in_whatever_is_defined(sides: Annotators) -> None:
    found = overall(agreed([sides[0]] * len(sides)))
    assert {key: value for key, value in found.items() if not math.isnan(value)} == close(
        {key: 1.0 for key, value in found.items() if not math.isnan(value)}
    )
    if any(one["spans"] for one in sides[0]):
        assert found["spans.exact f1", None] == 1.0


@half_as_many
@given(sides=annotators())
def test_no_agreement_is_above_1_and_no_f1_below_0(sides: Annotators) -> None:
    for row in agreed(sides).rows:
        assert math.isnan(row.value) or row.value <= 1 + 1e-9, row
        assert row.rate != "f1" or math.isnan(row.value) or row.value >= 0, row


@half_as_many
@given(sides=annotators(), draw=st.data())
def test_order_of_documents_and_spans_moves_no_digit(sides: Annotators, draw: st.DataObject) -> None:
    moved = [
        [{**one, "spans": draw.draw(st.permutations(one["spans"]))} for one in draw.draw(st.permutations(side))]
        for side in sides
    ]
    here, there = agreed(sides), agreed(moved)
    assert overall(here) == pytest.approx(overall(there), abs=0, rel=0, nan_ok=True)
    assert here.disagreements() == there.disagreements()
    assert here.problems == there.problems


@half_as_many
@given(sides=annotators())
def test_order_of_annotators_moves_nothing_that_is_not_drawn(sides: Annotators) -> None:
    here, there = agreed(sides), agreed(sides[::-1])
    assert overall(here, *SAMPLED) == close(overall(there, *SAMPLED))


@half_as_many
@given(sides=annotators())
def test_other_names_of_labels_in_the_same_order_are_other_names_of_rows(sides: Annotators) -> None:
    new = {"A": "aa", "B": "bb", "C": "cc"}
    renamed = [
        [{**one, "spans": [{**s, "label": new[s["label"]]} for s in one["spans"]]} for one in side]
        for side in sides
    ]
    want = {(name, new.get(label or "", label)): value for (name, label), value in overall(agreed(sides)).items()}
    assert overall(agreed(renamed)) == close(want)


@half_as_many
@given(sides=annotators())
def test_a_document_alone_has_the_figures_it_has_among_others(sides: Annotators) -> None:
    labels = sorted({s["label"] for side in sides for one in side for s in one["spans"]})
    if not labels:
        return
    whole = agreed(sides, labels=labels)
    for measure in whole.measures:
        for at, record in enumerate(whole.by_document(measure)):
            alone = overall(agreed([[side[at]] for side in sides], labels=labels))
            for rate, value in record.items():
                name = f"{measure.name} f1" if rate == "f1" else rate
                if rate != "document":
                    assert (math.nan if value is None else value) == close(alone.get((name, None), math.nan)), name


# Krippendorff's alpha takes one value fewer than there are; with more documents that weighs less.
KEPT = ("spans.exact f1", "spans.relaxed f1", "cohen_kappa", "cohen_kappa_inside", "fleiss_kappa")
KEPT += ("fleiss_kappa_inside", "alpha_u", "u_alpha", "bar_u_alpha", "cu_alpha")


def kept(found: Agreement) -> Iterator[tuple[tuple[str, str | None], float]]:
    yield from ((key, value) for key, value in overall(found).items() if key[0] in KEPT)


@half_as_many
@given(sides=annotators())
def test_repeating_every_document_leaves_pooled_figures_alone(sides: Annotators) -> None:
    twice = [[{**one, "id": f"{one['id']}/{n}"} for n in range(2) for one in side] for side in sides]
    assert dict(kept(agreed(sides))) == close(dict(kept(agreed(twice))))
