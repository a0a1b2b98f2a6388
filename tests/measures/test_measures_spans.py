"""Every span measure on small cases worked by hand; the averages; what is refused, and how.

Spans are written `A[0,4]`: a label and half-open offsets; `A[0,3]+[6,9]` is one span of two fragments.
"""

from typing import Any

import pytest

import spanscope
from tests.support import Json, by_text, counted, documents, row, scored

# ---------------------------------------------------------------- spans.exact


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ("A[0,4]", "A[0,4]", {"A": row(1, 1, 1)}),
        ("A[0,4]", "A[0,3]", {"A": row(0, 1, 1)}),
        ("A[0,4]", "A[1,4]", {"A": row(0, 1, 1)}),
        ("A[0,4]", "B[0,4]", {"A": row(0, 0, 1), "B": row(0, 1, 0)}),
        ("A[0,9] A[2,4] B[2,4]", "B[2,4] A[2,4]", {"A": row(1, 1, 2), "B": row(1, 1, 1)}),  # nested
        ("A[0,5] A[3,8]", "A[3,8] A[4,9]", {"A": row(1, 2, 2)}),  # overlapping
        ("A[0,4] A[0,4]", "A[0,4]", {"A": row(1, 1, 2)}),  # duplicated in gold
        ("A[0,4]", "A[0,4] A[0,4] A[0,4]", {"A": row(1, 3, 1)}),  # duplicated in pred
        ("A[0,4] A[0,4]", "A[0,4] A[0,4]", {"A": row(2, 2, 2)}),
        ("A[3,3]", "A[3,3]", {"A": row(1, 1, 1)}),  # zero-length
        ("A[3,3]", "A[4,4]", {"A": row(0, 1, 1)}),
        ("A[0,4]", "", {"A": row(0, 0, 1)}),
        ("", "A[0,4]", {"A": row(0, 1, 0)}),
        ("", "", {}),
    ],
)
def test_exact(gold: str, pred: str, expected: Json) -> None:
    assert counted(gold, pred, "spans.exact") == expected


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ("A[0,4] A[0,4]", "A[0,4]", {"A": row(1, 1, 1)}),
        ("A[0,4]", "A[0,4] A[0,4] A[1,4]", {"A": row(1, 2, 1)}),
        ("A[0,4] B[0,4]", "A[0,4] A[0,4]", {"A": row(1, 1, 1), "B": row(0, 0, 1)}),
    ],
)
def test_exact_with_sets_counts_a_repeated_span_once(gold: str, pred: str, expected: Json) -> None:
    assert counted(gold, pred, "spans.exact(duplicates=set)") == expected


def test_sets_are_taken_document_by_document() -> None:
    twice = ["A[0,4] A[0,4]", "A[0,4]"]
    assert counted(twice, twice, "spans.exact(duplicates=set)") == {"A": row(2, 2, 2)}


def test_the_same_offsets_in_another_document_do_not_match() -> None:
    assert counted(["A[0,4]", ""], ["", "A[0,4]"], "spans.exact") == {"A": row(0, 1, 1)}


@pytest.mark.parametrize(
    ("gold", "pred", "tp"),
    [
        ("A[0,3]+[6,9]", "A[0,3]+[6,9]", 1),
        ("A[0,3]+[6,9]", "A[6,9]+[0,3]", 1),  # the order of the fragments is not meant
        ("A[0,3]+[6,9]", "A[0,9]", 0),  # the hull is not the span
        ("A[0,3]+[6,9]", "A[0,4]+[6,9]", 0),
        ("A[0,3]+[6,9]", "A[0,3]+[7,9]", 0),
    ],
)
@pytest.mark.parametrize("name", ["spans.exact", "spans.unlabelled"])
def test_spans_of_several_fragments_match_when_all_fragments_agree(
    name: str, gold: str, pred: str, tp: int
) -> None:
    (found,) = counted(gold, pred, name).values()
    assert found == row(tp, 1, 1)


@pytest.mark.parametrize(
    ("gold", "pred"), [("A[0,3]+[3,6]", "A[0,6]"), ("A[0,0]+[3,6]", "A[3,6]"), ("A[1,1]+[5,5]", "A[1,1]+[5,5]")]
)
def test_fragments_that_touch_or_are_empty_are_the_same_place_to_every_measure_or_to_none(
    gold: str, pred: str
) -> None:
    found = {
        "spans.exact": counted(gold, pred, "spans.exact")["A"]["tp"],
        "spans.iou": counted(gold, pred, "spans.iou(threshold=1)")["A"]["tp"],
        "spans.semeval": counted(gold, pred, "spans.semeval")["*"]["cor"],
    }
    assert len(set(found.values())) == 1, found


# ---------------------------------------------------------------- spans.unlabelled


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ("A[0,4]", "B[0,4]", {"*": row(1, 1, 1)}),
        ("A[0,4] B[0,4]", "C[0,4]", {"*": row(1, 1, 2)}),
        ("A[0,4]", "A[0,3]", {"*": row(0, 1, 1)}),
        ("A[3,3]", "B[3,3]", {"*": row(1, 1, 1)}),
        ("A[0,4]", "", {"*": row(0, 0, 1)}),
        ("", "", {}),
    ],
)
def test_unlabelled(gold: str, pred: str, expected: Json) -> None:
    assert counted(gold, pred, "spans.unlabelled") == expected


def test_unlabelled_with_sets_counts_a_place_once_whatever_its_labels() -> None:
    form = "spans.unlabelled(duplicates=set)"
    assert counted("A[0,4] B[0,4]", "C[0,4] C[0,4]", form) == {"*": row(1, 1, 1)}


def test_unlabelled_has_no_macro_average_and_no_labels() -> None:
    result = scored("A[0,4] B[5,6]", "B[0,4]", "spans.unlabelled")
    assert {score.average for score in result.rows} == {"micro", "document"}
    with pytest.raises(spanscope.MeasureError, match="has no average 'macro'"):
        result.value(average="macro")


# ---------------------------------------------------------------- spans.iou, spans.overlap


@pytest.mark.parametrize(
    ("gold", "pred", "threshold", "tp"),
    [
        ("A[0,10]", "A[0,5]", 0.5, 1),  # 5 / 10, at the threshold
        ("A[0,10]", "A[0,4]", 0.5, 0),
        ("A[0,10]", "A[5,15]", 1 / 3, 1),  # 5 / 15, at the threshold
        ("A[0,10]", "A[5,15]", 0.34, 0),
        ("A[0,10]", "A[9,19]", 0.0, 1),  # 1 / 19
        ("A[0,10]", "A[10,20]", 0.0, 0),  # touching is not overlapping, at threshold 0 too
        ("A[0,10]", "B[0,10]", 0.0, 0),
        ("A[0,10]", "A[0,10]", 1.0, 1),
        ("A[3,3]", "A[3,3]", 1.0, 1),  # identical zero-length spans have IoU 1
        ("A[3,3]", "A[2,5]", 0.0, 0),  # a zero-length span shares no character
        ("A[3,3]", "A[3,5]", 0.0, 0),
        ("A[0,3]+[6,9]", "A[0,9]", 0.6, 1),  # 6 / 9
        ("A[0,3]+[6,9]", "A[0,9]", 0.7, 0),
        ("A[0,3]+[6,9]", "A[2,7]", 2 / 9, 1),  # 1 and 1 shared, of 6 and 5
        ("A[0,3]+[6,9]", "A[3,6]", 0.0, 0),  # in the gap
        ("A[0,3]+[6,9]", "A[6,9]+[20,23]", 1 / 3, 1),  # 3 / 9
    ],
)
def test_iou_of_two_spans(gold: str, pred: str, threshold: float, tp: int) -> None:
    for assignment in ("greedy", "optimal"):
        totals = scored(gold, pred, f"spans.iou(threshold={threshold!r}, assignment={assignment})").totals()
        assert totals == row(tp, 1, 1)


def test_iou_uses_each_span_once() -> None:
    assert counted("A[0,10]", "A[0,9] A[1,10] A[0,10]", "spans.iou") == {"A": row(1, 3, 1)}
    assert counted("A[0,10] A[0,9]", "A[0,10]", "spans.iou") == {"A": row(1, 1, 2)}


def test_iou_pairs_nested_spans_with_their_like() -> None:
    # Taken outer-with-outer and inner-with-inner both pairs reach 0.8; crosswise neither would.
    assert counted("A[0,20] A[5,10]", "A[0,18] A[5,9]", "spans.iou(threshold=0.8)") == {"A": row(2, 2, 2)}


@pytest.mark.parametrize(
    ("gold", "pred", "tp"),
    [
        ("A[0,10]", "A[9,30]", 1),
        ("A[0,10]", "A[10,30]", 0),
        ("A[0,10]", "B[0,10]", 0),
        ("A[0,10] A[20,30]", "A[5,25]", 1),
        ("A[0,10]", "A[1,2] A[3,4]", 1),
        ("A[3,3]", "A[3,3]", 1),
        ("A[3,3]", "A[0,9]", 0),
        ("A[0,3]+[6,9]", "A[8,12]", 1),
        ("A[0,3]+[6,9]", "A[4,5]", 0),
    ],
)
def test_overlap(gold: str, pred: str, tp: int) -> None:
    assert scored(gold, pred, "spans.overlap").totals()["tp"] == tp


# Gold A[0,10], A[10,15]; predictions A[2,12] (IoU 8/12 and 2/13), A[0,6] (6/10 and none).
def test_overlap_optimal_finds_more_than_greedy() -> None:
    case = ("A[0,10] A[10,15]", "A[2,12] A[0,6]")
    assert counted(*case, "spans.overlap") == {"A": row(1, 2, 2)}
    assert counted(*case, "spans.overlap(assignment=optimal)") == {"A": row(2, 2, 2)}


# ---------------------------------------------------------------- spans.relaxed

TEXT = "abcdefghij"


@pytest.mark.parametrize(
    ("weight", "highest"),
    [
        (1.0, 0.5),  # IoU of A[0,4] and A[0,8]: 4 / 8
        (0.0, 2 / 3),  # ratio of "abcd" and "abcdefgh": 2 * 4 / 12
        (0.65, 0.65 * 0.5 + 0.35 * 2 / 3),
        (0.5, 0.5 * 0.5 + 0.5 * 2 / 3),
    ],
)
def test_relaxed_weighs_iou_against_the_likeness_of_the_texts(weight: float, highest: float) -> None:
    for threshold, tp in ((highest - 1e-9, 1), (highest + 1e-9, 0)):
        form = f"spans.relaxed(threshold={threshold!r}, iou_weight={weight})"
        assert counted("A[0,4]", "A[0,8]", form, text=TEXT) == {"A": row(tp, 1, 1)}


def test_relaxed_pairs_must_overlap_at_threshold_0_too() -> None:
    case = ("A[0,4]", "A[4,8]")
    assert counted(*case, "spans.relaxed(threshold=0)", text="abababab") == {"A": row(0, 1, 1)}
    assert counted(*case, "spans.relaxed(threshold=0, rules=reqflow)", text="abababab") == {"A": row(1, 1, 1)}


def test_relaxed_zero_length_spans_are_the_same_span_but_not_to_reqflow() -> None:
    assert counted("A[3,3]", "A[3,3]", "spans.relaxed(threshold=1)", text=TEXT) == {"A": row(1, 1, 1)}
    form = "spans.relaxed(threshold=0.1, rules=reqflow)"
    assert counted("A[3,3]", "A[3,3]", form, text=TEXT) == {"A": row(0, 1, 1)}


def test_relaxed_reads_the_predicted_text_first() -> None:
    # difflib's ratio is not symmetric: "tide" after "diet" gives 1/4, "diet" after "tide" 1/2.
    gold = [{"id": 1, "spans": [{"label": "A", "start": 0, "end": 4, "text": "diet"}]}]
    pred = [{"id": 1, "spans": [{"label": "A", "start": 0, "end": 4, "text": "tide"}]}]
    form = "spans.relaxed(iou_weight=0, threshold=0.4)"
    assert spanscope.evaluate(gold, pred, form, ci=False).totals()["tp"] == 0
    assert spanscope.evaluate(pred, gold, form, ci=False).totals()["tp"] == 1


def test_relaxed_at_threshold_1_is_not_exact_where_texts_differ() -> None:
    gold = [{"id": 1, "spans": [{"label": "A", "start": 0, "end": 4, "text": "abcd"}]}]
    pred = [{"id": 1, "spans": [{"label": "A", "start": 0, "end": 4, "text": "abce"}]}]
    result = spanscope.evaluate(gold, pred, ["spans.exact", "spans.relaxed(threshold=1)"], ci=False)
    assert result.totals("spans.exact")["tp"] == 1
    assert result.totals("spans.relaxed(threshold=1)")["tp"] == 0


def test_relaxed_uses_the_documents_text_where_there_is_one() -> None:
    gold = [{"id": 1, "text": TEXT, "spans": [{"label": "A", "start": 0, "end": 4, "text": "wrong"}]}]
    pred = documents("A[0,4]", text=TEXT)
    result = spanscope.evaluate(gold, pred, "spans.relaxed(threshold=1)", ci=False)
    assert result.totals() == row(1, 1, 1)
    assert result.problems.number == {"text mismatch": 1}


def test_relaxed_joins_fragments_with_a_space() -> None:
    # "abc ghi" against "abcdefghi": difflib's ratio is 2 * 6 / 16, their IoU 6 / 9.
    for threshold, tp in ((0.65 * 6 / 9 + 0.35 * 12 / 16 - 1e-9, 1), (0.65 * 6 / 9 + 0.35 * 12 / 16 + 1e-9, 0)):
        form = f"spans.relaxed(threshold={threshold!r})"
        assert counted("A[0,3]+[6,9]", "A[0,9]", form, text=TEXT) == {"A": row(tp, 1, 1)}


def test_relaxed_greedy_may_lose_what_optimal_keeps() -> None:
    # One letter throughout, so that the ratio is 2 * short / (short + long): the cases of spans.iou again.
    case, text = ("A[0,10] A[10,15]", "A[2,12] A[0,6]"), "a" * 15
    assert counted(*case, "spans.relaxed(threshold=0.3)", text=text) == {"A": row(1, 2, 2)}
    form = "spans.relaxed(threshold=0.3, assignment=optimal)"
    assert counted(*case, form, text=text) == {"A": row(2, 2, 2)}


# ---------------------------------------------------------------- spans.text


@pytest.mark.parametrize(
    ("gold", "pred", "normalise", "tp"),
    [
        ("The  pump", " the pump\n", "lower", 1),
        ("The  pump", " the pump\n", "space", 0),
        ("The  pump", " The pump\n", "space", 1),
        ("The  pump", "The pump", "none", 0),
        ("The pump", "The pump", "none", 1),
        ("STRASSE", "straße", "lower", 1),  # case is folded, not lowered
        ("a\u00a0b", "a b", "space", 1),  # a no-break space is white space
        ("", "", "none", 1),
    ],
)
def test_text_is_compared_as_asked(gold: str, pred: str, normalise: str, tp: int) -> None:
    form = f"spans.text(normalise={normalise})"
    assert spanscope.evaluate(by_text(gold), by_text(pred), form, ci=False).counts() == {"A": row(tp, 1, 1)}


def test_text_needs_no_offsets_and_counts_duplicates_as_asked() -> None:
    gold, pred = by_text("x", "x", "y"), by_text("x", "X", "x", "z")
    assert spanscope.evaluate(gold, pred, "spans.text", ci=False).counts() == {"A": row(2, 4, 3)}
    form = "spans.text(duplicates=set)"
    assert spanscope.evaluate(gold, pred, form, ci=False).counts() == {"A": row(1, 2, 2)}


def test_text_of_another_label_or_document_does_not_match() -> None:
    assert spanscope.evaluate(by_text("x"), by_text("x", label="B"), "spans.text", ci=False).counts() == {
        "A": row(0, 0, 1),
        "B": row(0, 1, 0),
    }
    gold = [{"id": 1, "spans": [{"label": "A", "text": "x"}]}, {"id": 2, "spans": []}]
    pred = [{"id": 1, "spans": []}, {"id": 2, "spans": [{"label": "A", "text": "x"}]}]
    assert spanscope.evaluate(gold, pred, "spans.text", ci=False).counts() == {"A": row(0, 1, 1)}


def test_text_matches_wherever_the_words_stand() -> None:
    assert counted("A[0,2]", "A[4,6]", "spans.text", text="abcdab") == {"A": row(1, 1, 1)}


def test_text_of_spans_with_offsets_on_one_side_only() -> None:
    gold = documents("A[0,3] A[4,7]", text="The cat")
    assert spanscope.evaluate(gold, by_text("the"), "spans.text", ci=False).counts() == {"A": row(1, 1, 2)}


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        (by_text("x"), by_text(), {"A": row(0, 0, 1)}),
        (by_text(), by_text("x"), {"A": row(0, 1, 0)}),
        (by_text(), by_text(), {}),
        ([], [], {}),
    ],
)
def test_text_of_no_spans_is_not_missing(gold: Any, pred: Any, expected: Json) -> None:
    assert spanscope.evaluate(gold, pred, "spans.text", ci=False).counts() == expected


@pytest.mark.parametrize("name", ["spans.relaxed", "spans.text"])
def test_a_measure_of_texts_needs_none_where_a_side_has_no_spans(name: str) -> None:
    gold = [{"id": 1, "spans": [{"label": "A", "start": 0, "end": 1, "text": "x"}]}]
    assert spanscope.evaluate(gold, documents(""), name, ci=False).counts() == {"A": row(0, 0, 1)}


# ---------------------------------------------------------------- spans.characters


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ("A[0,10]", "A[5,12]", {"A": row(5, 7, 10)}),
        ("A[0,10] A[2,5]", "A[0,10]", {"A": row(10, 10, 10)}),  # nested: counted once
        ("A[0,6] A[4,10]", "A[0,10] A[0,10]", {"A": row(10, 10, 10)}),  # overlapping, duplicated
        ("A[0,4] B[0,4]", "A[2,6]", {"A": row(2, 4, 4), "B": row(0, 0, 4)}),
        ("A[3,3]", "A[3,3]", {"A": row(0, 0, 0)}),  # zero-length spans cover nothing
        ("A[0,3]+[6,9]", "A[2,7]", {"A": row(2, 5, 6)}),
        ("A[0,4] A[4,8]", "A[0,8]", {"A": row(8, 8, 8)}),
        ("A[0,4]", "", {"A": row(0, 0, 4)}),
        ("", "", {}),
    ],
)
def test_characters(gold: str, pred: str, expected: Json) -> None:
    assert counted(gold, pred, "spans.characters") == expected


def test_characters_of_one_document_are_not_those_of_the_next() -> None:
    assert counted(["A[0,9]", "A[0,2]"], ["A[0,1]", "A[0,9]"], "spans.characters") == {"A": row(3, 10, 11)}
