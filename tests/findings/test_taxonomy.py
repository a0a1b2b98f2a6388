"""What kind of error each span is: cases worked by hand, and what must always hold.

The plain-Python definition of the kinds is compared in test_twins.py.
"""

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.families import FAMILIES, SPANS
from spanscope.findings.taxonomy import KINDS, boundary_detail, if_fixed
from tests.strategies import corpora
from tests.support import Json, scored, spans

Sides = tuple[list[Json], list[Json]]
MATCHING = ["spans.exact", "spans.exact(duplicates=set)", "spans.unlabelled", "spans.iou", "spans.overlap"]
MATCHING += ["spans.iou(assignment=optimal)", "spans.relaxed", "spans.relaxed(rules=reqflow)", "spans.text"]


def shown(span: Json | None) -> str:
    return "-" if span is None else f"{span['label']}[{span['start']},{span['end']}]"


def verdicts(gold: str | list[str], pred: str | list[str], form: str = "spans.exact", **options: Any) -> list[str]:
    """Return `kind gold pred` of every verdict on a document or several, sorted."""
    result = scored(gold, pred, form, **options)
    return sorted(f"{one['kind']} {shown(one['gold'])} {shown(one['pred'])}" for one in result.matches())


# ---------------------------------------------------------------- one kind at a time


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ("A[0,4]", "A[0,4]", ["correct A[0,4] A[0,4]"]),
        ("A[0,4]", "A[0,3]", ["boundary A[0,4] A[0,3]"]),
        ("A[0,4]", "B[0,4]", ["type A[0,4] B[0,4]"]),
        ("A[0,4]", "B[1,4]", ["boundary+type A[0,4] B[1,4]"]),
        ("A[0,4]", "", ["missing A[0,4] -"]),
        ("", "A[0,4]", ["spurious - A[0,4]"]),
        ("", "", []),
    ],
)
def test_one_span_against_one(gold: str, pred: str, expected: list[str]) -> None:
    assert verdicts(gold, pred) == expected


def test_touching_spans_do_not_overlap() -> None:
    assert verdicts("A[0,4]", "A[4,8]") == ["missing A[0,4] -", "spurious - A[4,8]"]


def test_split_is_a_second_piece_elsewhere_in_the_gold_span() -> None:
    assert verdicts("A[0,10]", "A[0,4] A[6,10]") == ["boundary A[0,10] A[0,4]", "split - A[6,10]"]


def test_split_pieces_may_have_any_label() -> None:
    assert verdicts("A[0,10]", "A[0,4] B[6,10]") == ["boundary A[0,10] A[0,4]", "split - B[6,10]"]


def test_merge_is_a_second_gold_span_elsewhere_under_the_prediction() -> None:
    assert verdicts("A[0,4] A[6,10]", "A[0,10]") == ["boundary A[0,4] A[0,10]", "merge A[6,10] -"]


def test_duplicate_is_a_second_prediction_of_the_same_span() -> None:
    assert verdicts("A[0,4]", "A[0,4] A[0,4]") == ["correct A[0,4] A[0,4]", "duplicate - A[0,4]"]


def test_duplicate_may_have_other_bounds_with_the_label_or_another_label_with_the_bounds() -> None:
    assert verdicts("A[0,4]", "A[0,4] A[0,3]") == ["correct A[0,4] A[0,4]", "duplicate - A[0,3]"]
    assert verdicts("A[0,4]", "A[0,4] B[0,4]") == ["correct A[0,4] A[0,4]", "duplicate - B[0,4]"]


def test_a_prediction_inside_a_found_span_with_neither_its_label_nor_its_bounds_is_spurious() -> None:
    assert verdicts("A[0,4]", "A[0,4] B[1,3]") == ["correct A[0,4] A[0,4]", "spurious - B[1,3]"]


def test_a_nested_gold_span_that_was_not_found_is_missing_not_merged() -> None:
    assert verdicts("A[0,10] A[2,5]", "A[0,10]") == ["correct A[0,10] A[0,10]", "missing A[2,5] -"]


# ---------------------------------------------------------------- who is paired with whom


def test_type_is_paired_before_boundary() -> None:
    assert verdicts("A[0,4]", "A[0,3] B[0,4]") == ["duplicate - A[0,3]", "type A[0,4] B[0,4]"]


def test_boundary_is_paired_before_boundary_and_type_even_with_less_in_common() -> None:
    assert verdicts("A[0,10]", "B[0,9] A[8,10]") == ["boundary A[0,10] A[8,10]", "spurious - B[0,9]"]


def test_inside_a_tier_the_larger_overlap_is_paired_first() -> None:
    found = verdicts("A[0,10]", "A[0,3] A[0,8]")
    assert found == ["boundary A[0,10] A[0,8]", "duplicate - A[0,3]"]


def test_what_the_measure_matched_is_correct_and_stays_so() -> None:
    assert verdicts("A[0,10]", "A[0,6]", "spans.iou") == ["correct A[0,10] A[0,6]"]
    assert verdicts("A[0,10]", "A[0,4]", "spans.iou") == ["boundary A[0,10] A[0,4]"]
    assert verdicts("A[0,4]", "B[0,4]", "spans.unlabelled") == ["correct A[0,4] B[0,4]"]


def test_empty_spans_meet_only_at_one_place() -> None:
    assert verdicts("A[3,3]", "B[3,3]") == ["type A[3,3] B[3,3]"]
    assert verdicts("A[3,3]", "A[2,5]") == ["missing A[3,3] -", "spurious - A[2,5]"]
    assert verdicts("A[3,3]", "A[4,4]") == ["missing A[3,3] -", "spurious - A[4,4]"]


def test_documents_do_not_see_each_other() -> None:
    assert verdicts(["A[0,4]", ""], ["", "A[0,4]"]) == ["missing A[0,4] -", "spurious - A[0,4]"]


def test_fragments_are_compared_by_the_characters_they_cover() -> None:
    result = scored("A[0,3]+[6,9]", "A[0,9]", "spans.exact")
    (one,) = result.matches()
    assert (one["kind"], one["score"]) == ("boundary", pytest.approx(6 / 9))
    assert verdicts("A[0,3]+[6,9]", "A[3,6]") == ["missing A[0,9] -", "spurious - A[3,6]"]


def test_with_sets_the_repeated_span_gets_no_verdict() -> None:
    assert verdicts("A[0,4] A[0,4]", "A[0,4]", "spans.exact(duplicates=set)") == ["correct A[0,4] A[0,4]"]
    assert verdicts("A[0,4] A[0,4]", "A[0,4]") == ["correct A[0,4] A[0,4]", "missing A[0,4] -"]


# ---------------------------------------------------------------- records


def test_a_record_holds_both_spans_the_score_and_how_the_boundaries_differ() -> None:
    result = scored("A[0,4]", "A[1,4]", "spans.exact", text="abcdef")
    assert list(result.matches()) == [
        {
            "document": "1",
            "kind": "boundary",
            "gold": {"start": 0, "end": 4, "label": "A", "text": "abcd"},
            "pred": {"start": 1, "end": 4, "label": "A", "text": "bcd"},
            "score": 0.75,
            "detail": "shorter, left",
        }
    ]


def test_a_span_alone_has_no_score() -> None:
    (one,) = scored("A[0,4]", "", "spans.exact").matches()
    assert (one["pred"], one["score"]) == (None, None)


def test_records_come_by_document_and_place() -> None:
    result = scored(["A[5,9] A[0,4]", "B[1,2]"], ["A[5,9] C[3,4]", ""], "spans.exact")
    places = [(one["document"], (one["gold"] or one["pred"])["start"]) for one in result.matches()]
    assert places == sorted(places)


def test_kinds_can_be_chosen_and_unknown_ones_are_refused() -> None:
    result = scored("A[0,4] A[6,9]", "A[0,4]", "spans.exact")
    assert [one["kind"] for one in result.matches(["missing"])] == ["missing"]
    with pytest.raises(spanscope.MeasureError, match="no kind of error is called 'lost'"):
        list(result.matches(["lost"]))


@pytest.mark.parametrize("form", ["spans.characters", "spans.semeval"])
def test_measures_that_match_no_spans_one_to_one_give_no_verdicts(form: str) -> None:
    result = scored("A[0,4]", "A[0,3]", form)
    assert list(result.matches()) == []
    assert result.errors() == result.confusion() == {}


@pytest.mark.parametrize(
    ("gold", "pred", "detail"),
    [
        ((2, 8), (2, 8), ""),
        ((2, 8), (3, 8), "shorter, left"),
        ((2, 8), (2, 7), "shorter, right"),
        ((2, 8), (3, 7), "shorter, both"),
        ((2, 8), (1, 8), "longer, left"),
        ((2, 8), (2, 9), "longer, right"),
        ((2, 8), (1, 9), "longer, both"),
        ((2, 8), (3, 9), "shifted, both"),
        ((2, 8), (1, 7), "shifted, both"),
    ],
)
def test_how_boundaries_differ(gold: tuple[int, int], pred: tuple[int, int], detail: str) -> None:
    assert boundary_detail(gold, pred) == detail


# ---------------------------------------------------------------- sums


def test_confusion_counts_label_pairs_with_nothing_as_a_label() -> None:
    result = scored("A[0,4] A[6,9] B[12,15]", "A[0,4] B[6,9] C[20,22]", "spans.exact")
    assert nonzero(result.confusion()) == {
        ("A", "A"): 1,
        ("A", "B"): 1,
        ("B", "(none)"): 1,
        ("(none)", "C"): 1,
    }


def nonzero(confusion: dict[str, dict[str, int]]) -> dict[tuple[str, str], int]:
    return {(gold, pred): n for gold, row in confusion.items() for pred, n in row.items() if n}


# One boundary error, one missing span, one spurious one beside one match: tp 1, pred 3, gold 3, F1 = 1/3.
def test_errors_tell_the_f1_if_one_kind_were_fixed() -> None:
    found = scored("A[0,4] A[10,14] A[20,24]", "A[0,4] A[10,13] A[30,34]", "spans.exact").errors()
    assert {kind: row["count"] for kind, row in found.items() if row["count"]} == {
        "boundary": 1,
        "missing": 1,
        "spurious": 1,
    }
    assert found["boundary"]["f1_if_fixed"] == pytest.approx(4 / 6)
    assert found["missing"]["f1_if_fixed"] == pytest.approx(4 / 7)
    assert found["spurious"]["f1_if_fixed"] == pytest.approx(2 / 5)
    assert found["spurious"]["gain"] == pytest.approx(2 / 5 - 1 / 3)
    assert found["type"] == {"count": 0, "f1_if_fixed": pytest.approx(1 / 3), "gain": pytest.approx(0)}


def test_fixing_split_and_merge() -> None:
    split = scored("A[0,10]", "A[0,4] A[6,10]", "spans.exact").errors()
    assert split["split"] == {"count": 1, "f1_if_fixed": 0.0, "gain": 0.0}  # the other piece stays wrong
    merge = scored("A[0,4] A[6,10]", "A[0,10]", "spans.exact").errors()
    assert merge["merge"]["f1_if_fixed"] == pytest.approx(2 / 4)  # tp 1, pred 2, gold 2


def test_if_fixed_of_no_spans_is_undefined() -> None:
    assert all(math.isnan(value) for value in if_fixed({}, tp=0, pred=0, gold=0).values())


@pytest.mark.parametrize("form", MATCHING)
@given(sides=corpora())
def test_every_counted_span_gets_exactly_one_kind(form: str, sides: Sides) -> None:
    result = spanscope.evaluate(*sides, form)
    records = list(result.matches())
    totals = result.totals()
    assert sum(one["gold"] is not None for one in records) == totals["gold"]
    assert sum(one["pred"] is not None for one in records) == totals["pred"]
    assert sum(one["kind"] == "correct" for one in records) == totals["tp"]
    assert {one["kind"] for one in records} <= set(KINDS)


@given(sides=corpora(), size=st.integers(1, 2))
def test_sums_of_kinds_and_confusion_are_those_of_the_records_whatever_the_batch(sides: Sides, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FAMILIES, "spans", SPANS._replace(batch=size))
        result = spanscope.evaluate(*sides, "spans.iou")
    whole = spanscope.evaluate(*sides, "spans.iou")
    records = list(result.matches())
    assert records == list(whole.matches())
    assert result.confusion() == whole.confusion()
    number = Counter(one["kind"] for one in records)
    assert {kind: row["count"] for kind, row in result.errors().items()} == {k: number[k] for k in KINDS[1:]}
    pairs = Counter(tuple("(none)" if s is None else s["label"] for s in (r["gold"], r["pred"])) for r in records)
    assert nonzero(result.confusion()) == pairs


def test_a_corpus_without_offsets_has_verdicts_by_its_texts() -> None:
    side = [{"id": 1, "spans": [{"label": "A", "text": "x"}]}]
    result = spanscope.evaluate(side, side, "spans.text")
    assert ([one["kind"] for one in result.matches()], result.value("f1")) == (["correct"], 1.0)


def test_spans_written_by_hand_are_what_they_say() -> None:
    assert spans("A[0,4] B[6,9]+[12,14]") == [
        {"label": "A", "start": 0, "end": 4},
        {"label": "B", "fragments": [[6, 9], [12, 14]]},
    ]


# ---------------------------------------------------------------- what is no boundary error


def test_equal_zero_length_spans_are_no_boundary_error() -> None:
    """ReqFlow never matches zero-length spans: one is missed and one predicted in vain, at the same place."""
    found = verdicts("A[5,5]", "A[5,5]", "spans.relaxed(rules=reqflow)", text="abcdefgh")
    assert found == ["missing A[5,5] -", "spurious - A[5,5]"]
    assert verdicts("A[5,5]", "A[5,5]", "spans.relaxed", text="abcdefgh") == ["correct A[5,5] A[5,5]"]


def quoted(words: str, label: str = "A") -> list[Json]:
    return [{"id": "d", "spans": [{"start": 0, "end": 4, "label": label, "text": words}]}]


def test_other_words_at_the_same_place_are_an_error_of_text() -> None:
    """Score .65 + .35 * 0 at a threshold of .8: label and offsets are right, the words are not."""
    result = spanscope.evaluate(quoted("Rome"), quoted("xyzz"), "spans.relaxed(threshold=0.8)")
    (found,) = result.matches()
    assert found["kind"] == "text"
    assert "detail" not in found
    assert result.errors()["boundary"]["count"] == 0
    assert result.errors()["text"]["f1_if_fixed"] == 1.0


def test_the_right_label_goes_before_the_right_words() -> None:
    pred = quoted("xyzz")
    pred[0]["spans"] += quoted("Rome", "B")[0]["spans"]
    result = spanscope.evaluate(quoted("Rome"), pred, "spans.text")
    assert sorted(one["kind"] for one in result.matches()) == ["duplicate", "text"]


@pytest.mark.parametrize(("undefined", "expected"), [(None, math.nan), (0.0, 0.0), (1.0, 1.0)])
def test_f1_if_fixed_follows_undefined(undefined: float | None, expected: float) -> None:
    """Without its only, spurious prediction a corpus without gold has no F1, or the one that was asked for."""
    result = scored("", "A[0,4]", "spans.exact", undefined=undefined)
    assert result.errors()["spurious"]["f1_if_fixed"] == pytest.approx(expected, nan_ok=True)
