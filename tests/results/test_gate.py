"""Gates on figures that do not exist are refused: neither passed nor missed."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope import MeasureError, Result, evaluate
from spanscope.results.compared_gate import check_not_worse
from spanscope.results.gate import missed_gates
from spanscope.results.gate_form import check_bound
from spanscope.settings.options import grouped
from tests.support import Json

GOLD: list[Json] = [{"id": 1, "spans": [[0, 4, "Action"], [5, 9, "Actor"]]}, {"id": 2, "spans": []}]
NOBODY: list[Json] = [{"id": 1, "spans": []}, {"id": 2, "spans": []}]


def scored(gold: list[Json] = GOLD, pred: list[Json] = GOLD, **options: object) -> Result:
    return evaluate(gold, pred, "spans.exact", ci=False, **grouped(options))  # type: ignore[arg-type]


GATES = ("f1=0.9", "micro_f1=0", "macro_f1=0.9", "weighted_recall=0.9", "document_f1=0.9", "document_precision=-1")


@pytest.mark.parametrize("undefined", [None, 0, 1])
@pytest.mark.parametrize("gate", [*GATES, "f1[Acton]=0.9"])
def test_a_label_that_no_span_has_passes_no_gate(gate: str, undefined: int | None) -> None:
    """Every document is without spans of a misspelt label, and such documents count as perfect."""
    result = scored(labels=["Acton"], undefined=undefined)
    with pytest.raises(MeasureError, match="is undefined: neither side has anything to count") as error:
        missed_gates(result, [gate])
    assert "no span has the label 'Acton'" in str(error.value)


@pytest.mark.parametrize("memory", ["spans", "counts", "totals"])
@pytest.mark.parametrize("gate", GATES)
def test_a_corpus_without_spans_passes_no_gate(gate: str, memory: str) -> None:
    without_labels = "macro" in gate or "weighted" in gate  # there is no average over no labels
    what = "has no average" if without_labels else "is undefined: neither side has anything to count"
    with pytest.raises(MeasureError, match=what):
        missed_gates(scored(NOBODY, NOBODY, memory=memory), [gate])


def test_a_mean_over_documents_without_predictions_passes_no_gate() -> None:
    """Document 2 has neither gold nor predictions, so the mean is 1; precision itself is 0/0."""
    result = scored(pred=NOBODY)
    assert result.value("precision", average="document") == 1.0
    with pytest.raises(MeasureError, match="document_precision is undefined"):
        missed_gates(result, ["document_precision=0.9"])
    assert [one.gate for one in missed_gates(result, ["document_f1=0.6", "document_f1=0.5"])] == ["document_f1"]


def test_a_caller_who_says_what_0_by_0_is_has_a_figure() -> None:
    result = scored(pred=NOBODY, undefined=1)
    assert missed_gates(result, ["precision=0.9"]) == []
    assert [str(one) for one in missed_gates(result, ["f1=0.9"])] == ["f1 is 0.0, below 0.9"]


def test_an_undefined_ceiling_is_refused() -> None:
    whole = [{"id": 1, "masses": [9]}]  # no boundary on either side
    result = evaluate(whole, whole, "segments.displacement", ci=False)
    with pytest.raises(MeasureError, match="document_displacement is undefined"):
        missed_gates(result, ceilings=["document_displacement=3"])


def test_windows_without_boundaries_are_still_windows() -> None:
    whole = [{"id": 1, "masses": [9]}]
    assert (
        missed_gates(evaluate(whole, whole, "segments.pk(window=2)", ci=False), ceilings=["document_pk=0.1"]) == []
    )


def test_a_ceiling_over_a_rate_of_success_is_refused() -> None:
    """The worse the run, the surer it would pass."""
    with pytest.raises(MeasureError, match=r"f1 is best at 1, so 'f1=0\.9' cannot be a ceiling"):
        missed_gates(scored(pred=NOBODY), ceilings=["f1=0.9"])


@pytest.mark.parametrize("gate", ["f1=-inf", "f1=inf", "f1=nan", "f1="])
def test_a_bound_that_is_no_number_is_refused(gate: str) -> None:
    with pytest.raises(MeasureError, match="cannot read the gate"):
        missed_gates(scored(), [gate])


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("f2=0", "has no rate 'f2'"),
        ("label_f1=0", "has no rate 'label_f1'"),
        ("f1[Nobody]=0", "has no label 'Nobody'"),
        ("macro_f1[Actor]=0", "is over all labels"),
        ("spans.iou:f1=0", "was not run"),
        ("spans.nothing:f1=0", "spans.nothing"),
        ("spans.exact:pk=0", "has no rate 'pk'"),
    ],
)
def test_a_figure_that_the_result_does_not_have_is_refused(gate: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message.replace("[", "\\[")):
        missed_gates(scored(), [gate])


def test_a_floor_that_no_run_can_reach_is_refused() -> None:
    """A percentage, most likely."""
    gold = [{"id": 1, "spans": [{"start": 0, "end": 4, "label": "A"}]}]
    found = evaluate(gold, gold, "spans.exact", ci=False)
    with pytest.raises(MeasureError, match="f1 is at most 1, so 'micro_f1=75' can never be reached"):
        missed_gates(found, ["micro_f1=75"])


def test_a_ceiling_that_every_run_keeps_to_is_refused() -> None:
    """A percentage, most likely: leaked=10 would let all PII out. Distances have no end and take any ceiling."""
    gold = [{"id": 1, "text": "Ada L.", "spans": [{"start": 0, "end": 3, "label": "PERSON"}]}]
    none = [{"id": 1, "text": "Ada L.", "spans": []}]
    found = evaluate(gold, none, protocol="pii", ci=False)
    with pytest.raises(MeasureError, match=r"leaked is at most 1, so .*leaked=10' can never be exceeded"):
        missed_gates(found, [], ["tokens.leaks:leaked=10"])
    assert len(missed_gates(found, [], ["tokens.leaks:leaked=0.9"])) == 1
    cut = [{"id": 1, "length": 9, "segments": [[0, 3], [3, 9]]}]
    moved = [{"id": 1, "length": 9, "segments": [[0, 6], [6, 9]]}]
    far = evaluate(cut, moved, "segments.displacement", ci=False)
    assert not missed_gates(far, [], ["displacement=10"])


def test_a_margin_that_no_run_can_fall_short_by_is_refused() -> None:
    gold = [{"id": 1, "spans": [{"start": 0, "end": 3, "label": "A"}]}]
    compared = spanscope.compare(gold, ("base", gold), ("new", [{"id": 1, "spans": []}]), measures="spans.exact")
    with pytest.raises(MeasureError, match="no run can be worse by more than 50"):
        check_not_worse(compared, 50)
    assert not check_not_worse(compared, 0.5)[0].passed


@given(st.floats(0, 1), st.floats(0, 1), st.integers(-3, 3))
def test_a_gate_never_says_a_rounded_figure_that_contradicts_the_decision(
    value: float, bound: float, steps: int
) -> None:
    close = min(max(bound + steps * 10.0**-5, 0.0), 1.0)
    for one in (value, close, math.nextafter(bound, 2.0), math.nextafter(bound, -1.0)):
        found = check_bound("f1", one, f"f1={bound!r}", floor=True)
        said = float(found.words.removeprefix("f1 is ").partition(",")[0])
        assert (said >= bound) == (one >= bound) == found.passed
    assert check_bound("f1", 0.7999, "f1=0.8", floor=True).words == "f1 is 0.7999, below 0.8"
    assert check_bound("f1", 0.799999, "f1=0.8", floor=True).words == "f1 is 0.799999, below 0.8"
    assert check_bound("f1", 1 / 3, "f1=0.33", floor=True).words == "f1 is 0.3333, at least 0.33"
