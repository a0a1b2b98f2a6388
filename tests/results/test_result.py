"""What a result holds: figures, counts, curve, confusion, errors and matches that agree with each other."""

import math
from collections import Counter
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope import Result
from spanscope.errors import MeasureError
from spanscope.findings.taxonomy import KINDS
from spanscope.measures.registry import Measure, parse
from spanscope.rates import COUNTED
from spanscope.stats.averages import GRID
from tests.cli import GOLD, PRED
from tests.strategies import corpora
from tests.support import KNOWN, NAMES, Json, measures_of, scored

PAIRED = ("boundary", "type", "boundary+type", "text")
LONE_GOLD, LONE_PRED = ("missing", "merge"), ("spurious", "split", "duplicate")
MATCHING = [
    measure
    for name in NAMES
    for measure in measures_of(name, {"threshold": (0.0, 0.5)})
    if measure.definition.rate_set is COUNTED and name != "spans.characters"
]
Sides = tuple[list[Json], list[Json]]


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


@pytest.fixture(scope="module")
def example() -> Result:
    return spanscope.evaluate(str(GOLD), str(PRED), ci=False)


# ---------------------------------------------------------------- value, counts

BY_HAND = scored("A[0,4] A[6,9] B[10,12]", "A[0,4] B[6,9] B[20,22] B[30,31]", "spans.exact")


def test_value_by_hand() -> None:
    """Three gold spans, four predicted, one right: A found once of two, B never."""
    assert BY_HAND.value("precision") == 1 / 4
    assert BY_HAND.value("recall") == 1 / 3
    assert BY_HAND.value() == 2 / 7
    assert BY_HAND.value(label="A") == 2 / 3
    assert BY_HAND.value(label="B") == 0.0
    assert BY_HAND.value(average="macro") == pytest.approx(1 / 3)
    assert BY_HAND.value(average="weighted") == pytest.approx((2 * 2 / 3 + 0) / 3)
    assert BY_HAND.counts() == {"A": {"tp": 1, "pred": 1, "gold": 2}, "B": {"tp": 0, "pred": 3, "gold": 1}}
    assert BY_HAND.totals() == {"tp": 1, "pred": 4, "gold": 3}


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"rate": "recal"}, "has no rate 'recal'; did you mean 'recall'?\n  expected  f1 or precision or recall"),
        ({"rate": "f2"}, "has no rate 'f2'\n  expected  f1 or precision or recall"),
        ({"average": "mikro"}, "has no average 'mikro'; did you mean 'micro'?\n  expected  document or label or "),
        ({"label": "a"}, "has no label 'a'\n  expected  A or B"),
        ({"measure": "spans.iou"}, "spans.iou(threshold=0.5) was not run\n  expected  spans.exact"),
        ({"measure": "spans.nope"}, "no measure is called 'spans.nope'"),
    ],
)
def test_figures_that_are_not_there(wanted: Json, message: str) -> None:
    with pytest.raises(MeasureError) as caught:
        BY_HAND.value(**wanted)
    assert message in str(caught.value)


def test_average_label_needs_a_label() -> None:
    """`label` is the average of rows by label: it is no figure on its own."""
    with pytest.raises(MeasureError):
        BY_HAND.value(average="label")


def test_f_beta() -> None:
    result = scored("A[0,4] A[6,9] B[10,12]", "A[0,4]", "spans.exact", beta=2)
    assert result.value("f2") == pytest.approx(5 * 1 / (4 * 3 + 1))
    assert result.value("f1") == 2 / 4


def test_undefined() -> None:
    """0/0 is NaN here, null in JSON; 0 or 1 where that is asked for."""
    for undefined, value in ((None, math.nan), ("null", math.nan), (0, 0.0), ("1", 1.0)):
        result = scored("A[0,4]", "", "spans.exact", undefined=undefined)
        assert same(result.value("precision"), value)
        assert result.value("recall") == 0.0
        assert result.value() == 0.0
        row = result.to_dict()["rows"][0]
        assert (row["rate"], row["average"]) == ("precision", "micro")
        assert row["value"] == (None if math.isnan(value) else value)


def test_given_labels_are_all_there() -> None:
    result = scored("A[0,4]", "A[0,4]", "spans.exact", labels=["B", "A"])
    assert result.counts() == {"B": {"tp": 0, "pred": 0, "gold": 0}, "A": {"tp": 1, "pred": 1, "gold": 1}}
    assert math.isnan(result.value(label="B"))
    assert result.value(average="macro") == 1.0


def test_counts_without_labels() -> None:
    assert scored("A[0,4]", "B[0,4]", "spans.unlabelled").counts() == {"*": {"tp": 1, "pred": 1, "gold": 1}}


@given(corpora(), st.sampled_from(NAMES))
def test_rows_agree_with_counts(sides: Sides, name: str) -> None:
    result = spanscope.evaluate(*sides, name, ci=False)
    counts, totals = result.counts(), result.totals()
    assert {row.label for row in result.rows} - {None} == set(counts) - {"*"}
    if "*" not in counts:
        assert totals == {column: sum(row[column] for row in counts.values()) for column in totals}
    if result.measures[0].definition.rate_set is COUNTED:
        for label, n in [(None, totals), *((k, v) for k, v in counts.items() if k != "*")]:
            for rate, top, bottom in (
                ("precision", n["tp"], n["pred"]),
                ("recall", n["tp"], n["gold"]),
                ("f1", 2 * n["tp"], n["pred"] + n["gold"]),
            ):
                assert same(result.value(rate, label=label), top / bottom if bottom else math.nan)


# ---------------------------------------------------------------- kinds, confusion, matches


def counted_spans(result: Result, side: str) -> Counter[tuple[Any, ...]]:
    c = result.comparison
    spans = c.sides[side]
    return Counter(
        (c.names[d], int(a), int(b), c.labels[n])
        for d, a, b, n in zip(spans.doc, spans.start, spans.end, spans.label, strict=True)
    )


@given(corpora(), st.sampled_from(MATCHING))
def test_kinds_add_up(sides: Sides, measure: Measure) -> None:
    result = spanscope.evaluate(*sides, [measure], ci=False)
    totals, errors = result.totals(), result.errors()
    kinds = Counter(record["kind"] for record in result.matches())
    assert {kind: row["count"] for kind, row in errors.items()} == {kind: kinds[kind] for kind in KINDS[1:]}
    assert kinds["correct"] == totals["tp"]
    assert sum(kinds[kind] for kind in ("correct", *PAIRED, *LONE_GOLD)) == totals["gold"]
    assert sum(kinds[kind] for kind in ("correct", *PAIRED, *LONE_PRED)) == totals["pred"]
    for side, lone in (("gold", LONE_PRED), ("pred", LONE_GOLD)):
        found = Counter(
            (r["document"], r[side]["start"], r[side]["end"], r[side]["label"])
            for r in result.matches()
            if r["kind"] not in lone
        )
        assert found <= counted_spans(result, side)
        assert found.total() == totals[side]
    assert all(0 <= row["f1_if_fixed"] <= 1 for row in errors.values() if not math.isnan(row["f1_if_fixed"]))


@given(corpora(), st.sampled_from(MATCHING))
def test_confusion_adds_up(sides: Sides, measure: Measure) -> None:
    result = spanscope.evaluate(*sides, [measure], ci=False)
    cells, labels = result.confusion(), [*result.comparison.labels, "(none)"]
    pairs: Counter[tuple[str, str]] = Counter()
    for record in result.matches():
        gold, pred = ((record[side] or {"label": "(none)"})["label"] for side in ("gold", "pred"))
        pairs[gold, pred] += 1
    assert list(cells) == labels
    assert all(n > 0 for row in cells.values() for n in row.values())
    assert {(g, p): n for g, row in cells.items() for p, n in row.items() if n} == dict(pairs)
    assert sum(sum(cells[label].values()) for label in labels[:-1]) == result.totals()["gold"]
    assert sum(row.get(label, 0) for row in cells.values() for label in labels[:-1]) == result.totals()["pred"]
    assert "(none)" not in cells["(none)"]


def test_a_label_called_none() -> None:
    """A label may have any name but `*`; the cells of one called (none) must not get lost."""
    gold, pred = ([{"id": 1, "spans": [[0, 4, label]]}] for label in ("(none)", "A"))
    result = spanscope.evaluate(gold, pred, "spans.exact", ci=False)
    assert sum(n for row in result.confusion().values() for n in row.values()) == 1


def test_matches_by_hand() -> None:
    text = "Anna met Bob and Zoe today."
    gold = "PER[0,4] PER[9,12] PER[17,20]"
    result = scored(gold, "PER[0,4] ORG[9,12] PER[16,20] LOC[21,26]", "spans.exact", text=text)
    records = [
        (r["kind"], r["gold"] and r["gold"]["text"], r["pred"] and r["pred"]["text"]) for r in result.matches()
    ]
    assert records == [
        ("correct", "Anna", "Anna"),
        ("type", "Bob", "Bob"),
        ("boundary", "Zoe", " Zoe"),
        ("spurious", None, "today"),
    ]
    assert [r.get("detail") for r in result.matches()] == [None, None, "longer, left", None]
    assert [r["score"] for r in result.matches()] == [1.0, 1.0, 0.75, None]
    assert [r["kind"] for r in result.matches(["type", "spurious"])] == ["type", "spurious"]
    with pytest.raises(MeasureError, match="no kind of error is called 'typo'"):
        list(result.matches(["typo"]))


@pytest.mark.parametrize("form", ["spans.characters", "spans.semeval"])
def test_measures_without_matches_have_no_errors(form: str) -> None:
    result = scored("A[0,4]", "A[0,3]", form)
    assert (result.errors(), result.confusion(), list(result.matches())) == ({}, {}, [])


def test_errors_are_left_out_on_request() -> None:
    result = scored("A[0,4]", "A[0,3]", "spans.exact", errors=False)
    assert (result.errors(), result.confusion(), list(result.matches())) == ({}, {}, [])


def test_spans_without_offsets_can_all_be_right() -> None:
    value = [{"id": 1, "spans": [{"label": "A", "text": "Anna"}]}]
    result = spanscope.evaluate(value, value, "spans.text", ci=False)
    assert (result.value(), {row["count"] for row in result.errors().values()}) == (1.0, {0})


# ---------------------------------------------------------------- curve


@pytest.mark.parametrize("name", [n for n in NAMES if "threshold" not in KNOWN[n].parameters])
def test_curve_without_a_threshold(name: str) -> None:
    """One point, at 1; a measure without matches has no curve."""
    result = scored(["A[0,4] B[5,6]", "A[0,3]"], ["A[0,4] A[5,6]", "A[0,2]"], name, text="abcdefgh")
    if KNOWN[name].rate_set is not COUNTED:
        with pytest.raises(MeasureError, match="has no threshold and no matches, so it has no curve"):
            result.curve()
        return
    (point,) = result.curve()
    assert {key: asdict(point)[key] for key in ("tp", "pred", "gold")} == result.totals()
    assert (point.threshold, point.precision, point.recall, point.f1) == (
        1.0,
        result.value("precision"),
        result.value("recall"),
        result.value(),
    )
    if "*" not in result.counts():
        assert point.macro_f1 == pytest.approx(result.value(average="macro"))


def test_curve_of_very_many_characters() -> None:
    """The point is read from the counts: it does not need memory for every character."""
    result = scored(f"A[0,{2**36}]", f"A[0,{2**36}]", "spans.characters")
    assert result.curve()[0].tp == 2**36


@given(corpora(), st.sampled_from(["spans.iou", "spans.relaxed"]), st.sampled_from(["greedy", "optimal"]))
def test_curve_is_the_measure_at_every_threshold(sides: Sides, name: str, assignment: str) -> None:
    result = spanscope.evaluate(*sides, f"{name}(assignment={assignment})", ci=False)
    points = result.curve()
    assert [point.threshold for point in points] == list(GRID)
    assert [point.tp for point in points] == sorted((point.tp for point in points), reverse=True)
    for point in points[::5]:
        at = spanscope.evaluate(
            *sides, parse(name).replace(assignment=assignment, threshold=point.threshold), ci=False
        )
        assert {key: asdict(point)[key] for key in ("tp", "pred", "gold")} == at.totals()
        for rate in ("precision", "recall", "f1"):
            assert same(getattr(point, rate), at.value(rate))


def test_exact_curve() -> None:
    result = scored("A[0,4] A[10,14]", "A[0,4] A[10,12]", "spans.iou(threshold=0)")
    assert [(p.threshold, p.tp) for p in result.curve(grid="exact")] == [(0.5, 2), (1.0, 1)]
    assert [(p.threshold, p.tp) for p in result.curve(grid=[0.2, 0.7])] == [(0.2, 2), (0.7, 1)]
    solved = scored("A[0,4]", "A[0,4]", "spans.iou(assignment=optimal)")
    with pytest.raises(MeasureError, match="exact breakpoints need assignment=greedy"):
        solved.curve(grid="exact")


def test_curve_of_another_measure_than_the_first(example: Result) -> None:
    later = example.curve("spans.relaxed(threshold=0.8)")
    assert later == example.curve("spans.relaxed(threshold=0.5)") == example.curve()
    assert example.curve("spans.exact")[0].f1 == example.value("f1", "spans.exact")


# ---------------------------------------------------------------- by document


@given(corpora(), st.sampled_from(NAMES))
def test_documents_add_up(sides: Sides, name: str) -> None:
    result = spanscope.evaluate(*sides, name, ci=False)
    records = list(result.by_document())
    assert [record["document"] for record in records] == [document["id"] for document in sides[0]]
    for column, total in result.totals().items():
        assert sum(record[column] for record in records) == total
    values = [record["f1"] for record in records if record["f1"] is not None]
    mean = sum(values) / len(values) if values else math.nan
    assert same(round(result.value(average="document"), 12), round(mean, 12))


def test_an_empty_document_is_perfect() -> None:
    result = scored(["", "A[0,4]"], ["", ""], "spans.exact")
    assert [record["f1"] for record in result.by_document()] == [1.0, 0.0]
    assert [record["precision"] for record in result.by_document()] == [1.0, None]


def test_the_curve_has_the_thresholds_asked_for() -> None:
    """A list is sorted and used in every view; "exact" gives every score at which the curve changes."""
    gold = [{"id": 1, "spans": [[0, 10, "A"], [20, 30, "A"], [40, 50, "A"]]}]
    pred = [{"id": 1, "spans": [[0, 10, "A"], [20, 25, "A"], [40, 48, "A"]]}]  # IoU 1, .5, .8
    asked = spanscope.evaluate(gold, pred, "spans.iou", score=spanscope.Scoring(thresholds=[0.9, 0.3]), ci=False)
    assert [(point.threshold, point.tp) for point in asked.curve()] == [(0.3, 3), (0.9, 1)]
    exact = spanscope.evaluate(gold, pred, "spans.iou", score=spanscope.Scoring(thresholds="exact"), ci=False)
    assert [(point.threshold, point.tp) for point in exact.curve()] == [(0.5, 3), (0.8, 2), (1.0, 1)]
    assert len(spanscope.evaluate(gold, pred, "spans.iou", ci=False).curve()) == 21
    with pytest.raises(spanscope.MeasureError, match="thresholds are"):
        spanscope.evaluate(gold, pred, "spans.iou", score=spanscope.Scoring(thresholds=[1.5]), ci=False)
