"""Live comparison with nervaluate 1.2.1: spans.semeval against its four scenarios, and where we differ."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import spanscope
from tests.peers.nervaluate_support import COLUMNS, SCENARIOS, Figures, nervaluate, our_figures, their_figures
from tests.strategies import corpora
from tests.support import Json, counted, documents

Sides = tuple[list[Json], list[Json]]


def listed(side: list[Json], shorter: int) -> list[list[Json]]:
    """Write spans as nervaluate takes them; its ends are the last position inside."""
    return [
        [{"label": s["label"], "start": s["start"], "end": s["end"] - shorter} for s in doc["spans"]]
        for doc in side
    ]


def theirs(sides: Sides, ends: str) -> Figures:
    """Return nervaluate's figures by scenario and label, `*` for its overall ones."""
    true, pred = (listed(side, 1 if ends == "exclusive" else 0) for side in sides)
    tags = sorted({span["label"] for doc in [*true, *pred] for span in doc})
    return their_figures(true, pred, tags, "dict")


def ours(sides: Sides, matching: str, ends: str) -> Figures:
    """Return our figures in the same form; nervaluate's 0/0 is 0."""
    forms = {mode: f"spans.semeval(mode={mode}, matching={matching}, ends={ends})" for mode in SCENARIOS}
    result = spanscope.evaluate(*sides, list(forms.values()), score=spanscope.Scoring(undefined=0), ci=False)
    return our_figures(result, forms)


def same(sides: Sides, matching: str, ends: str) -> None:
    found, wanted = ours(sides, matching, ends), theirs(sides, ends)
    for mode in SCENARIOS:
        assert set(found[mode]) == set(wanted[mode])
        for label in wanted[mode]:
            assert found[mode][label] == pytest.approx(wanted[mode][label], abs=1e-12), (mode, label)


def without_empty(sides: Sides) -> Sides:
    gold, pred = (
        [{**doc, "spans": [s for s in doc["spans"] if s["start"] < s["end"]]} for doc in side] for side in sides
    )
    return gold, pred


def touches(one: Json, other: Json, ends: str) -> bool:
    last = 1 if ends == "inclusive" else 0
    return min(one["end"], other["end"]) + last > max(one["start"], other["start"])


def one_to_one(sides: Sides, ends: str) -> bool:
    """Say whether every span overlaps at most one of the other side."""
    return all(
        sum(touches(span, other, ends) for other in there["spans"]) <= 1
        for first, second in (sides, sides[::-1])
        for here, there in zip(first, second, strict=True)
        for span in here["spans"]
    )


@st.composite
def wide_corpora(draw: DrawFn) -> Sides:
    """Draw spans of up to 400 characters, of which 1 % is more than one; several documents."""
    place = st.tuples(st.integers(0, 900), st.sampled_from([1, 2, 99, 100, 101, 199, 200, 201, 400]))
    span = st.builds(
        lambda label, where: {"label": label, "start": where[0], "end": where[0] + where[1]},
        st.sampled_from("AB"),
        place,
    )
    size = draw(st.integers(1, 3))
    gold, pred = ([{"id": n, "spans": draw(st.lists(span, max_size=5))} for n in range(size)] for _ in range(2))
    return gold, pred


@st.composite
def sparse_corpora(draw: DrawFn) -> Sides:
    """Draw documents of separate stretches with at most one span of either side in each."""
    gold: list[Json] = []
    pred: list[Json] = []
    for key in range(draw(st.integers(1, 4))):
        sides: tuple[list[Json], list[Json]] = ([], [])
        for stretch in range(draw(st.integers(0, 5))):
            for side in sides:
                if draw(st.integers(0, 3)):
                    start = stretch * 12 + draw(st.integers(0, 4))
                    end = start + draw(st.integers(1, 6))
                    side.append({"label": draw(st.sampled_from("AAB")), "start": start, "end": end})
        gold.append({"id": key, "spans": draw(st.permutations(sides[0]))})
        pred.append({"id": key, "spans": draw(st.permutations(sides[1]))})
    return gold, pred


# ---------------------------------------------------------------- the same figures


@pytest.mark.parametrize("ends", ["exclusive", "inclusive"])
@given(sides=corpora())
@example(sides=(documents("A[0,100]"), documents("A[99,120]")))
def test_matching_nervaluate_gives_its_figures_overall_and_by_tag(ends: str, sides: Sides) -> None:
    assume(sides[0])
    same(without_empty(sides), "nervaluate", ends)


@pytest.mark.parametrize("ends", ["exclusive", "inclusive"])
@given(sides=wide_corpora())
@example(sides=(documents("A[0,200]"), documents("A[199,220]")))  # half a per cent: not enough
@example(sides=(documents("A[0,200]"), documents("A[198,220]")))
def test_matching_nervaluate_needs_1_per_cent_of_the_gold_span_too(ends: str, sides: Sides) -> None:
    same(sides, "nervaluate", ends)


@given(sides=corpora())
def test_with_inclusive_ends_spans_of_one_position_are_the_same_too(sides: Sides) -> None:
    assume(sides[0])
    same(sides, "nervaluate", "inclusive")


@pytest.mark.parametrize("ends", ["exclusive", "inclusive"])
@given(sides=sparse_corpora())
def test_best_matching_gives_the_same_where_a_span_overlaps_at_most_one_of_the_other_side(
    ends: str, sides: Sides
) -> None:
    assert one_to_one(sides, ends)
    same(sides, "best", ends)


@given(sides=corpora())
def test_best_matching_gives_the_same_on_any_documents_that_are_one_to_one(sides: Sides) -> None:
    pairs = [(g, p) for g, p in zip(*without_empty(sides), strict=True) if one_to_one(([g], [p]), "exclusive")]
    assume(pairs)
    same(([g for g, _ in pairs], [p for _, p in pairs]), "best", "exclusive")


# ---------------------------------------------------------------- where we differ, and why


def strict_f1(gold: str, pred: str, ends: str = "exclusive") -> float:
    return float(theirs((documents(gold), documents(pred)), ends)["strict"]["*"]["f1"])


def our_f1(gold: str, pred: str) -> float:
    return spanscope.evaluate(documents(gold), documents(pred), "spans.semeval", ci=False).value("f1")


def test_an_exact_match_is_not_lost_to_an_earlier_overlapping_prediction() -> None:
    """nervaluate lets predictions choose in list order, so that order decides; a figure of ours must not."""
    assert strict_f1("A[5,9]", "A[4,9] A[5,9]") == 0
    assert strict_f1("A[5,9]", "A[5,9] A[4,9]") == pytest.approx(2 / 3)
    assert our_f1("A[5,9]", "A[4,9] A[5,9]") == our_f1("A[5,9]", "A[5,9] A[4,9]") == pytest.approx(2 / 3)


def test_touching_spans_do_not_overlap() -> None:
    """nervaluate reads ends as inclusive; with the half-open offsets of its own examples spans that touch

    overlap by one position and can take a gold span away from the exact prediction.
    """
    gold, pred = "A[4,8]", "A[0,4] A[4,8]"
    assert strict_f1(gold, pred, ends="inclusive") == 0
    assert strict_f1(gold, pred, ends="exclusive") == pytest.approx(2 / 3)
    assert our_f1(gold, pred) == pytest.approx(2 / 3)


def test_a_long_gold_span_is_overlapped_by_one_character() -> None:
    """nervaluate wants 1 % of the gold span; sharing a character is what overlapping means here."""
    sides = (documents("A[0,500]"), documents("A[499,520]"))
    assert theirs(sides, "exclusive")["type"]["*"]["cor"] == 0
    assert ours(sides, "best", "exclusive")["type"]["*"]["cor"] == 1


def test_rows_by_label_do_not_add_up_to_the_overall_row_in_either() -> None:
    """Both filter to a label before matching: a confusion is one INC overall, a MIS and a SPU by label."""
    sides = (documents("A[0,4]"), documents("B[0,4]"))
    for found in (theirs(sides, "exclusive"), ours(sides, "best", "exclusive")):
        rows = {
            label: {column: row[column] for column in COLUMNS if row[column]}
            for label, row in found["strict"].items()
        }
        assert rows == {"*": {"inc": 1}, "A": {"mis": 1}, "B": {"spu": 1}}


def test_a_first_document_without_spans_is_no_trouble() -> None:
    """nervaluate's default loader looks into the first document and fails when it is empty."""
    with pytest.raises(IndexError):
        nervaluate.Evaluator([[], []], [[], []], tags=["A"])
    assert counted(["", "A[0,4]"], ["", "A[0,4]"], "spans.semeval")["*"]["cor"] == 1


def test_0_out_of_0_is_undefined_here_and_0_there() -> None:
    """A zero would say that nothing was right, when there was nothing to be right about."""
    sides = (documents("A[0,4]"), documents(""))
    assert theirs(sides, "exclusive")["strict"]["*"]["precision"] == 0
    found = spanscope.evaluate(*sides, "spans.semeval", ci=False).value("precision")
    assert found != pytest.approx(0)
    assert str(found) == "nan"
