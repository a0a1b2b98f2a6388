"""Laws of the counts that measures of agreement make; those of their figures are in tests/commands."""

import copy

import pytest
from hypothesis import given, settings

import spanscope
from spanscope import parse
from spanscope.commands.agree.annotators import family_of, gather
from spanscope.counts import merge
from spanscope.engines.sources import open_sources
from spanscope.errors import MeasureError
from spanscope.settings.settle import settle, tag_rules
from spanscope.sides.comparison import Comparison
from tests.commands.test_agree_laws import annotators
from tests.support import KNOWN, Json

NAMES = sorted(name for name in KNOWN if name.startswith("agreement."))
every_measure = pytest.mark.parametrize("name", NAMES)
some = settings(max_examples=15)


def compared(sides: list[list[Json]]) -> Comparison:
    """Return one comparison of all annotators."""
    how = spanscope.Reading()
    sources = open_sources(sides, [f"annotator {at}" for at in range(len(sides))], how, collect=False)
    family = family_of(sources, tag_rules(how))
    return gather(sources, None, settle("spans.exact", None, labels=["A", "B", "C"]), family, "skip").comparison


@every_measure
@some
@given(sides=annotators())
def test_merging_single_documents_equals_the_whole(name: str, sides: list[list[Json]]) -> None:
    c = compared(sides)
    measure = parse(name).settle(c)
    before = copy.deepcopy({side: vars(own) for side, own in c.sides.items()})
    try:
        whole = measure(c).counts
    except MeasureError as error:  # alpha_U of units that overlap
        assert name == "agreement.alpha_u", error  # noqa: PT017
        return
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
