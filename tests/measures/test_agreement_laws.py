"""Laws of the measures of agreement, each of them over several annotators of generated documents."""

import copy
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope import agree, parse
from spanscope.counts import merge
from spanscope.errors import MeasureError
from spanscope.sides.join import Comparison
from tests.support import KNOWN, Json

NAMES = sorted(name for name in KNOWN if name.startswith("agreement."))
LENGTH = 12
every_measure = pytest.mark.parametrize("name", NAMES)
some = settings(max_examples=15)


@st.composite
def annotators(draw: st.DrawFn, *, alike: bool = False) -> list[list[Json]]:
    """Return two or three annotators of up to three documents; no annotator's spans of one label overlap."""
    number, documents = draw(st.integers(2, 3)), draw(st.integers(1, 3))
    sides: list[list[Json]] = []
    for _ in range(1 if alike else number):
        side = []
        for at in range(documents):
            cuts = sorted(draw(st.sets(st.integers(0, LENGTH), max_size=6)))
            pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
            spans = [{"start": s, "end": e, "label": draw(st.sampled_from("AB"))} for s, e in pairs]
            side.append({"id": f"d{at}", "text": "x" * LENGTH, "spans": spans})
        sides.append(side)
    return [copy.deepcopy(sides[0]) for _ in range(number)] if alike else sides


def found(sides: list[list[Json]], name: str) -> dict[tuple[Any, ...], float]:
    """Return the figures of a measure by rate, label and pair; nothing where it says nothing."""
    try:
        rows = agree(*sides, measures=[name], labels=["A", "B"], samples=3, ci=False).rows
    except MeasureError as error:
        assert "says nothing here" in str(error)  # noqa: PT017
        return {}
    return {(row.rate, row.label, row.sides): row.value for row in rows}


def close(one: float, other: float) -> bool:
    return (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


@every_measure
@some
@given(sides=annotators(alike=True))
def test_identical_annotators_agree_perfectly(name: str, sides: list[list[Json]]) -> None:
    for key, value in found(sides, name).items():
        assert math.isnan(value) or value == pytest.approx(1.0), key


@every_measure
@some
@given(sides=annotators(), draw=st.data())
def test_order_of_documents_is_immaterial(name: str, sides: list[list[Json]], draw: st.DataObject) -> None:
    other = [draw.draw(st.permutations(side)) for side in sides]
    one, two = found(sides, name), found(other, name)
    assert one.keys() == two.keys()
    assert all(close(value, two[key]) for key, value in one.items())


@every_measure
@some
@given(sides=annotators())
def test_renaming_labels_renames_rows(name: str, sides: list[list[Json]]) -> None:
    """A and B change places, which sampling does not see."""
    turned = copy.deepcopy(sides)
    for span in (span for side in turned for one in side for span in one["spans"]):
        span["label"] = "AB".replace(span["label"], "")
    one, two = found(sides, name), found(turned, name)
    for (rate, label, pair), value in one.items():
        assert close(value, two[rate, None if label is None else "AB".replace(label, ""), pair])


def compared(sides: list[list[Json]]) -> Comparison:
    """Return one comparison of all annotators."""
    from spanscope.commands.agree.annotators import family_of, gather
    from spanscope.settings.settle import settle, tag_rules

    settings_ = settle("spans.exact", None, labels=["A", "B"])
    family = family_of(sides, None, tag_rules(spanscope.Reading()))
    return gather(sides, None, settings_, family, "skip").comparison


@every_measure
@some
@given(sides=annotators())
def test_merging_single_documents_equals_the_whole(name: str, sides: list[list[Json]]) -> None:
    c = compared(sides)
    measure = parse(name).settled(c)
    before = copy.deepcopy({side: vars(own) for side, own in c.sides.items()})
    whole = measure(c).counts
    parts = [measure(batch).counts for batch in c.batches(1)]
    merged = merge(parts)
    assert merged.columns == whole.columns
    assert merged.label_sums[0].tolist() == whole.label_sums[0].tolist()
    assert merged.label_sums[1] == pytest.approx(whole.label_sums[1])
    assert (whole.values >= -1e-9).all()
    for side, own in c.sides.items():
        for column in ("doc", "start", "end", "label"):
            assert (before[side][column] == vars(own)[column]).all()


@every_measure
def test_text_form_parses_back(name: str) -> None:
    measure = parse(name)
    assert parse(str(measure)) == measure
    assert "Source " in measure.definition.doc
    assert "Undefined " in measure.definition.doc
    assert "Checked " in measure.definition.doc
