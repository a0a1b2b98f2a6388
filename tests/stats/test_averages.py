"""Cases worked by hand: SemEval outcomes, averages, and what is refused."""

from __future__ import annotations

import math

import pytest

import spanscope
from tests.support import NAMES, Counted, by_text, counted, documents, outcomes, row, scored

# ---------------------------------------------------------------- spans.semeval

MODES = ("strict", "exact", "partial", "type")


@pytest.mark.parametrize(
    ("gold", "pred", "strict", "exact", "partial", "type_"),
    [
        ("A[0,4]", "A[0,4]", *[outcomes(cor=1)] * 4),
        ("A[0,4]", "B[0,4]", outcomes(inc=1), outcomes(cor=1), outcomes(cor=1), outcomes(inc=1)),
        ("A[0,4]", "A[1,4]", outcomes(inc=1), outcomes(inc=1), outcomes(par=1), outcomes(cor=1)),
        ("A[0,4]", "B[1,4]", outcomes(inc=1), outcomes(inc=1), outcomes(par=1), outcomes(inc=1)),
        ("A[0,4]", "", *[outcomes(mis=1)] * 4),
        ("", "A[0,4]", *[outcomes(spu=1)] * 4),
        ("A[0,4]", "A[4,8]", *[outcomes(mis=1, spu=1)] * 4),  # touching
        ("A[3,3]", "A[3,3]", *[outcomes(cor=1)] * 4),  # zero-length
        ("A[3,3]", "A[2,5]", *[outcomes(mis=1, spu=1)] * 4),
        # One prediction over two golds, and two predictions in one gold: one pair each, the rest left over.
        (
            "A[0,4] A[6,10]",
            "A[0,10]",
            outcomes(inc=1, mis=1),
            outcomes(inc=1, mis=1),
            outcomes(par=1, mis=1),
            outcomes(cor=1, mis=1),
        ),
        (
            "A[0,10]",
            "A[0,4] A[6,10]",
            outcomes(inc=1, spu=1),
            outcomes(inc=1, spu=1),
            outcomes(par=1, spu=1),
            outcomes(cor=1, spu=1),
        ),
        # The exact pair is taken first; the other prediction is spurious. In mode type the same label first.
        (
            "A[0,10]",
            "B[0,10] A[0,9]",
            outcomes(inc=1, spu=1),
            outcomes(cor=1, spu=1),
            outcomes(cor=1, spu=1),
            outcomes(cor=1, spu=1),
        ),
        # Two golds at one place: the same label comes before another one.
        ("A[0,4] B[0,4]", "B[0,4]", *[outcomes(cor=1, mis=1)] * 4),
    ],
)
def test_semeval_gives_every_span_one_outcome(
    gold: str, pred: str, strict: Counted, exact: Counted, partial: Counted, type_: Counted
) -> None:
    for mode, expected in zip(MODES, (strict, exact, partial, type_), strict=True):
        assert counted(gold, pred, f"spans.semeval(mode={mode})")["*"] == expected, mode


def test_semeval_of_nothing_is_nothing() -> None:
    assert counted("", "", "spans.semeval") == {}


def test_semeval_calls_a_confusion_one_inc_overall_but_mis_and_spu_by_label() -> None:
    assert counted("A[0,4]", "B[0,4]", "spans.semeval") == {
        "A": outcomes(mis=1),
        "B": outcomes(spu=1),
        "*": outcomes(inc=1),
    }


def test_semeval_gives_half_credit_for_partial_matches_over_several_documents() -> None:
    result = scored(["A[0,4]", "A[0,4]"], ["A[0,4]", "A[0,3] A[6,8]"], "spans.semeval(mode=partial)")
    assert result.totals() == outcomes(cor=1, par=1, spu=1)
    assert result.value("precision") == pytest.approx(1.5 / 3)
    assert result.value("recall") == pytest.approx(1.5 / 2)
    assert result.value("f1") == pytest.approx(2 * 1.5 / 5)


def test_semeval_with_inclusive_ends_lets_touching_spans_overlap() -> None:
    form = "spans.semeval(mode=type, ends=inclusive)"
    assert counted("A[0,4]", "A[4,8]", form)["*"] == outcomes(cor=1)
    assert counted("A[0,4]", "A[5,8]", form)["*"] == outcomes(mis=1, spu=1)
    assert counted("A[3,3]", "A[2,5]", form)["*"] == outcomes(cor=1)


def test_semeval_fragments_overlap_where_they_share_a_character() -> None:
    for mode, expected in (("strict", outcomes(inc=1)), ("type", outcomes(cor=1))):
        assert counted("A[0,3]+[6,9]", "A[8,12]", f"spans.semeval(mode={mode})")["*"] == expected
    assert counted("A[0,3]+[6,9]", "A[4,5]", "spans.semeval")["*"] == outcomes(mis=1, spu=1)
    assert counted("A[0,3]+[6,9]", "A[0,9]", "spans.semeval")["*"] == outcomes(inc=1)


def test_semeval_inclusive_ends_keep_the_gap_of_fragments() -> None:
    # With inclusive ends A[0,3]+[6,9] covers 0 to 3 and 6 to 9; A[5,5] stands in the gap.
    found = counted("A[0,3]+[6,9]", "A[5,5]", "spans.semeval(ends=inclusive)")["*"]
    assert found == outcomes(mis=1, spu=1)


# ---------------------------------------------------------------- averages

# Label    gold                pred                      tp  pred  gold    P      R      F1
# A        two                 both, and one more         2    3     2    2/3     1     4/5
# B        two                 none                       0    0     2     -      0      0
# C        none                one                        0    1     0     0      -      0
# all                                                     2    4     4    1/2    1/2    1/2
AVERAGED = ("A[0,4] A[5,9] B[10,12] B[13,15]", "A[0,4] A[5,9] A[20,22] C[30,31]")


@pytest.mark.parametrize(
    ("average", "precision", "recall", "f1", "undefined"),
    [
        ("micro", 1 / 2, 1 / 2, 1 / 2, (0, 0, 0)),
        ("macro", (2 / 3 + 0) / 2, (1 + 0) / 2, (4 / 5 + 0 + 0) / 3, (1, 1, 0)),
        ("weighted", 2 / 3, (2 * 1 + 2 * 0) / 4, (2 * 4 / 5 + 2 * 0 + 0) / 4, (1, 1, 0)),
    ],
)
def test_an_undefined_rate_is_left_out_of_the_mean_and_counted(
    average: str, precision: float, recall: float, f1: float, undefined: tuple[int, ...]
) -> None:
    result = scored(*AVERAGED, "spans.exact")
    for rate, value, left_out in zip(
        ("precision", "recall", "f1"), (precision, recall, f1), undefined, strict=True
    ):
        assert result.value(rate, average=average) == pytest.approx(value)
        (found,) = (r for r in result.rows if (r.rate, r.average) == (rate, average))
        assert found.undefined == left_out


def test_undefined_rates_of_labels_are_nan_and_f_only_without_gold_and_predictions() -> None:
    result = scored(*AVERAGED, "spans.exact", labels=["A", "B", "C", "D"])
    assert math.isnan(result.value("precision", label="B"))
    assert result.value("recall", label="B") == 0
    assert result.value("f1", label="B") == 0
    assert result.value("precision", label="C") == 0
    assert math.isnan(result.value("recall", label="C"))
    assert result.value("f1", label="C") == 0
    assert all(math.isnan(result.value(rate, label="D")) for rate in ("precision", "recall", "f1"))
    assert result.value("f1", average="macro") == pytest.approx((4 / 5 + 0 + 0) / 3)  # D is left out


@pytest.mark.parametrize(
    ("undefined", "precision", "recall", "f1"),
    [
        (0, (2 / 3 + 0 + 0 + 0) / 4, (1 + 0 + 0 + 0) / 4, (4 / 5) / 4),
        (1, (2 / 3 + 1 + 0 + 1) / 4, (1 + 0 + 1 + 1) / 4, (4 / 5 + 0 + 0 + 1) / 4),
    ],
)
def test_undefined_may_be_0_or_1_as_tools_have_it(
    undefined: int, precision: float, recall: float, f1: float
) -> None:
    result = scored(*AVERAGED, "spans.exact", labels=["A", "B", "C", "D"], undefined=undefined)
    for rate, value in (("precision", precision), ("recall", recall), ("f1", f1)):
        assert result.value(rate, average="macro") == pytest.approx(value)
        assert all(r.undefined == 0 for r in result.rows)


def test_nothing_at_all_is_undefined_everywhere_but_1_for_the_empty_document() -> None:
    result = scored("", "", "spans.exact")
    for rate in ("precision", "recall", "f1"):
        assert math.isnan(result.value(rate))
        assert result.value(rate, average="document") == 1
    assert {r.average for r in result.rows} == {"micro", "document"}


def test_no_documents_at_all_is_undefined() -> None:
    result = spanscope.evaluate([], [], "spans.exact")
    assert all(math.isnan(r.value) for r in result.rows)


# Document 1: tp 1, pred 2, gold 1.  2: both sides empty.  3: gold only.  4: predictions only.
BY_DOCUMENT = (["A[0,4]", "", "A[0,4]", ""], ["A[0,4] A[5,6]", "", "", "A[0,4]"])


@pytest.mark.parametrize(
    ("rate", "value", "undefined"),
    [
        ("precision", (1 / 2 + 1 + 0) / 3, 1),  # document 3 has no predictions
        ("recall", (1 + 1 + 0) / 3, 1),  # document 4 has no gold
        ("f1", (2 / 3 + 1 + 0 + 0) / 4, 0),
    ],
)
def test_a_mean_over_documents_counts_an_empty_document_as_1(rate: str, value: float, undefined: int) -> None:
    result = scored(*BY_DOCUMENT, "spans.exact")
    assert result.value(rate, average="document") == pytest.approx(value)
    (found,) = (r for r in result.rows if (r.rate, r.average) == (rate, "document"))
    assert (found.undefined, found.documents) == (undefined, 4)


def test_where_a_tool_says_undefined_is_0_an_empty_document_is_0_too() -> None:
    result = scored(*BY_DOCUMENT, "spans.exact", undefined=0)
    assert result.value("f1", average="document") == pytest.approx((2 / 3 + 0 + 0 + 0) / 4)
    assert result.value("precision", average="document") == pytest.approx((1 / 2 + 0 + 0 + 0) / 4)


def test_an_empty_document_adds_nothing_to_sums() -> None:
    assert counted(*BY_DOCUMENT, "spans.exact") == {"A": row(1, 3, 2)}
    assert scored(*BY_DOCUMENT, "spans.exact").value("f1") == pytest.approx(2 / 5)


def test_by_document_shows_each_with_null_for_undefined() -> None:
    found = list(scored(*BY_DOCUMENT, "spans.exact").by_document())
    assert found[0] == {"document": "1", **row(1, 2, 1), "precision": 0.5, "recall": 1, "f1": pytest.approx(2 / 3)}
    assert found[2] == {"document": "3", **row(0, 0, 1), "precision": None, "recall": 0, "f1": 0}


def test_a_weighted_mean_without_any_gold_is_undefined() -> None:
    result = scored("", "A[0,4]", "spans.exact")
    assert math.isnan(result.value("f1", average="weighted"))
    assert result.value("f1", average="macro") == 0


def test_a_weighted_mean_without_any_gold_is_0_where_undefined_is_0() -> None:
    result = scored("", "A[0,4]", "spans.exact", undefined=0)
    assert [result.value(rate, average="weighted") for rate in ("precision", "recall", "f1")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("beta", "value"),
    [
        (2.0, 5 * 2 / (4 * 4 + 3)),  # tp 2, pred 3, gold 4: (1 + b²) tp / (b² gold + pred)
        (0.5, 1.25 * 2 / (0.25 * 4 + 3)),
    ],
)
def test_f_beta_leans_to_recall_above_1_and_to_precision_below(beta: float, value: float) -> None:
    result = scored("A[0,1] A[1,2] A[2,3] A[3,4]", "A[0,1] A[1,2] A[8,9]", "spans.exact", beta=beta)
    assert result.value(f"f{beta:g}") == pytest.approx(value)
    p, r = 2 / 3, 2 / 4
    assert value == pytest.approx((1 + beta**2) * p * r / (beta**2 * p + r))
    assert result.value("f1") == pytest.approx(2 * 2 / 7)  # F1 stays


@pytest.mark.parametrize("beta", [0, -1, math.inf, math.nan])
def test_beta_must_be_a_number_above_0(beta: float) -> None:
    with pytest.raises(spanscope.MeasureError, match="a number above 0"):
        scored("A[0,1]", "A[0,1]", "spans.exact", beta=beta)


def test_labels_given_are_the_only_ones_scored_and_all_averaged() -> None:
    result = scored("A[0,4] B[5,9]", "A[0,4] C[5,9]", "spans.exact", labels=["B", "A"])
    assert result.counts() == {"B": row(0, 0, 1), "A": row(1, 1, 1)}
    assert result.value("f1") == pytest.approx(2 / 3)
    assert result.value("f1", average="macro") == pytest.approx(1 / 2)
    assert result.problems.number == {"other label": 1}


def test_semeval_micro_reads_the_overall_row_and_macro_the_labels() -> None:
    result = scored("A[0,4] A[6,9]", "B[0,4] A[6,9]", "spans.semeval(mode=exact)")
    assert result.value("f1") == 1.0  # mode exact: labels do not count overall
    assert result.value("f1", label="A") == pytest.approx(2 / 3)
    assert result.value("f1", average="macro") == pytest.approx((2 / 3 + 0) / 2)


# ---------------------------------------------------------------- what is refused


def test_exact_refuses_spans_without_offsets_and_names_the_measure_that_takes_them() -> None:
    gold, pred = by_text("x", "y"), by_text("x")
    with pytest.raises(spanscope.MeasureError) as refusal:
        spanscope.evaluate(gold, pred, "spans.exact")
    assert str(refusal.value) == (
        "2 gold spans without offsets, and spans.exact needs them\n"
        "  expected  start and end in every span\n"
        "  try       -m spans.text   which compares label and text only"
    )
    assert spanscope.evaluate(gold, pred, "spans.text").counts() == {"A": row(1, 1, 2)}


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"spans.text"}))
def test_every_measure_but_text_refuses_spans_without_offsets(name: str) -> None:
    with pytest.raises(spanscope.MeasureError, match=f"1 pred span without offsets, and {name} needs them"):
        spanscope.evaluate(documents("A[0,1]", text="x"), by_text("x"), name)


@pytest.mark.parametrize("name", ["spans.relaxed", "spans.text"])
def test_a_measure_of_texts_refuses_spans_without_any(name: str) -> None:
    with pytest.raises(spanscope.MeasureError) as refusal:
        scored("A[0,1]", "A[0,1]", name)
    assert str(refusal.value) == (
        "the gold spans have no text, and there is no document text to cut it from\n"
        "  expected  a text in every document, or in every span\n"
        "  try       spans.iou   which compares offsets only"
    )


def test_relaxed_by_iou_alone_needs_no_text() -> None:
    assert counted("A[0,10]", "A[0,5]", "spans.relaxed(iou_weight=1)") == {"A": row(1, 1, 1)}


def test_a_text_in_some_documents_only_is_refused() -> None:
    gold = [*documents("A[0,1]", text="x"), {"id": 2, "spans": [{"label": "A", "start": 0, "end": 1}]}]
    with pytest.raises(spanscope.MeasureError, match="the gold spans have no text"):
        spanscope.evaluate(gold, gold, "spans.text")


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("spans.exat", "no measure is called 'spans.exat'; did you mean 'spans.exact'?"),
        ("spans.iou(treshold=0.5)", "spans.iou has no parameter 'treshold'; did you mean 'threshold'?"),
        ("spans.iou(threshold=1.5)", "threshold of spans.iou is 1.5"),
        ("spans.iou(threshold=true)", "threshold of spans.iou is True"),
        ("spans.iou(assignment=best)", "assignment of spans.iou is 'best'"),
        ("spans.semeval(mode=stric)", "mode of spans.semeval is 'stric'; did you mean 'strict'?"),
        ("spans.iou(0.5)", "cannot read the measure 'spans.iou(0.5)'"),
        ("spans.iou(threshold=1/2)", "cannot read the measure 'spans.iou(threshold=1/2)'"),
    ],
)
def test_unknown_measures_parameters_and_values_are_refused(form: str, message: str) -> None:
    with pytest.raises(spanscope.MeasureError) as refusal:
        spanscope.parse(form)
    assert str(refusal.value).startswith(message)
