"""Live comparison with seqeval 1.2.2: spans.exact on flat spans written as IOB2 tags, and where we differ."""

import math
import warnings
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import spanscope
from tests.strategies import flat_corpora
from tests.support import Json, documents, needs

metrics = needs("seqeval.metrics")
labeling = needs("seqeval.metrics.sequence_labeling")
scheme = needs("seqeval.scheme")
Sides = tuple[list[Json], list[Json]]
AVERAGES = ("micro", "macro", "weighted")
RATES = {"precision": "precision", "recall": "recall", "f1": "f1-score"}


def tags(spans: list[Json], length: int) -> list[str]:
    """Write flat spans as IOB2, one tag per position."""
    out = ["O"] * length
    for span in spans:
        inside = range(span["start"], span["end"])
        for position in inside:
            out[position] = f"{'B' if position == inside.start else 'I'}-{span['label']}"
    return out


def tagged(side: list[Json], lengths: list[int]) -> list[list[str]]:
    return [tags(doc["spans"], length) for doc, length in zip(side, lengths, strict=True)]


def report(sides: Sides, lengths: list[int], **options: Any) -> dict[str, dict[str, float]]:
    """Return seqeval's own report, 0/0 as 0 unless said otherwise."""
    gold, pred = (tagged(side, lengths) for side in sides)
    found: dict[str, dict[str, float]] = metrics.classification_report(
        gold, pred, output_dict=True, **{"zero_division": 0, **options}
    )
    return found


def lengths_of(sides: Sides) -> list[int]:
    """Return how many positions each document has; at least one, since seqeval has no empty sentences."""
    ends = ([span["end"] for doc in pair for span in doc["spans"]] for pair in zip(*sides, strict=True))
    return [max([1, *each]) for each in ends]


def some_spans(sides: Sides) -> bool:
    return any(doc["spans"] for side in sides for doc in side)


def check(sides: Sides, **options: Any) -> None:
    wanted = report(sides, lengths_of(sides), **options)
    result = spanscope.evaluate(*sides, "spans.exact", score=spanscope.Scoring(undefined=0), ci=False)
    assert_figures(result, wanted)


def assert_figures(result: spanscope.Result, wanted: Mapping[str, Mapping[str, float]]) -> None:
    """Compare a result with the figures of seqeval's report, to 1e-12."""
    counts = result.counts()
    assert set(wanted) == {f"{average} avg" for average in AVERAGES} | set(counts)
    for rate, their_rate in RATES.items():
        for average in AVERAGES:
            theirs = wanted[f"{average} avg"][their_rate]
            assert result.value(rate, average=average) == pytest.approx(theirs, abs=1e-12), (rate, average)
        for label, row in counts.items():
            assert result.value(rate, label=label) == pytest.approx(wanted[label][their_rate], abs=1e-12)
            assert wanted[label]["support"] == row["gold"]


@st.composite
def token_corpora(draw: DrawFn) -> Sides:
    """Draw sentences of tokens: chunks of one to three tokens, some of them predicted otherwise."""
    gold, pred = [], []
    for key in range(draw(st.integers(1, 5))):
        here: tuple[list[Json], list[Json]] = ([], [])
        for side in here:
            at = 0
            for length in draw(st.lists(st.integers(1, 3), max_size=6)):
                label = draw(st.sampled_from(["PER", "LOC", "ORG", None, None]))
                if label:
                    side.append({"label": label, "start": at, "end": at + length})
                at += length
        gold.append({"id": key, "spans": here[0]})
        pred.append({"id": key, "spans": here[1]})
    return gold, pred


# ---------------------------------------------------------------- the same figures


@given(sides=flat_corpora())
def test_exact_gives_seqevals_report_over_characters(sides: Sides) -> None:
    assume(some_spans(sides))
    check(sides)


@settings(max_examples=100)
@given(sides=token_corpora())
def test_exact_gives_seqevals_report_over_tokens(sides: Sides) -> None:
    assume(some_spans(sides))
    check(sides)


@given(sides=token_corpora())
def test_exact_gives_seqevals_strict_report_too(sides: Sides) -> None:
    assume(some_spans(sides))
    check(sides, mode="strict", scheme=scheme.IOB2)


@given(sides=token_corpora(), beta=st.sampled_from([0.5, 2.0]))
def test_f_beta_is_seqevals(sides: Sides, beta: float) -> None:
    assume(some_spans(sides))
    gold, pred = (tagged(side, lengths_of(sides)) for side in sides)
    result = spanscope.evaluate(*sides, "spans.exact", score=spanscope.Scoring(undefined=0, beta=beta), ci=False)
    for average in AVERAGES:
        *_, theirs, _ = labeling.precision_recall_fscore_support(
            gold, pred, average=average, beta=beta, zero_division=0
        )
        assert result.value(f"f{beta:g}", average=average) == pytest.approx(theirs, abs=1e-12)


def test_spans_that_touch_stay_apart() -> None:
    check((documents("A[0,2] A[2,4]"), documents("A[0,4]")))


def test_predictions_only_and_gold_only() -> None:
    check((documents("A[0,2]"), documents("")))
    check((documents(""), documents("A[0,2]")))


# ---------------------------------------------------------------- where we differ, and why

# A: found.  B: gold only.  C: predicted only.
CASE = (documents("A[0,2] B[3,5]"), documents("A[0,2] C[6,8]"))


def test_macro_leaves_undefined_rates_out_unless_asked_for_zeros() -> None:
    """seqeval averages a 0 for the precision of a label that was never predicted, and for the recall of one

    without gold; here such a rate is undefined, left out of the mean and counted.
    """
    theirs = report(CASE, [8])["macro avg"]
    assert (theirs["precision"], theirs["recall"]) == pytest.approx((1 / 3, 1 / 3))
    result = spanscope.evaluate(*CASE, "spans.exact", ci=False)
    assert result.value("precision", average="macro") == pytest.approx(1 / 2)
    assert result.value("recall", average="macro") == pytest.approx(1 / 2)
    assert [r.undefined for r in result.rows if r.average == "macro"] == [1, 1, 0]


def test_f1_of_a_label_on_one_side_only_is_0_in_both() -> None:
    """F is undefined only where gold and predictions are both empty, so nothing drops out of macro F1."""
    assert report(CASE, [8])["macro avg"]["f1-score"] == pytest.approx(1 / 3)
    assert spanscope.evaluate(*CASE, "spans.exact", ci=False).value("f1", average="macro") == pytest.approx(1 / 3)


def test_weighted_precision_leaves_a_label_never_predicted_out() -> None:
    """seqeval weighs in a precision of 0 for B; here it is undefined, and A alone is left."""
    assert report(CASE, [8])["weighted avg"]["precision"] == pytest.approx(1 / 2)
    assert spanscope.evaluate(*CASE, "spans.exact", ci=False).value("precision", average="weighted") == 1.0


def test_repeated_spans_count_each_time_unless_sets_are_asked_for() -> None:
    """Tags cannot repeat a span, so seqeval works on sets; lists of spans can, and an LLM's do."""
    sides = (documents("A[0,2]"), documents("A[0,2] A[0,2]"))
    assert report(sides, [2])["A"]["precision"] == 1.0
    assert spanscope.evaluate(*sides, "spans.exact", ci=False).value("precision") == 0.5
    assert spanscope.evaluate(*sides, "spans.exact(duplicates=set)", ci=False).value("precision") == 1.0


def test_a_corpus_without_spans_has_figures() -> None:
    """seqeval's report fails and its macro F1 is nan with a warning; here everything is undefined, no more."""
    sides = (documents(""), documents(""))
    with pytest.raises(ValueError, match="max"):
        metrics.classification_report([["O"]], [["O"]], zero_division=0)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Mean of empty slice", category=RuntimeWarning)
        warnings.filterwarnings("ignore", message="invalid value", category=RuntimeWarning)
        assert math.isnan(metrics.f1_score([["O"]], [["O"]], average="macro", zero_division=0))
    result = spanscope.evaluate(*sides, "spans.exact", ci=False)
    assert math.isnan(result.value("f1"))
    assert (
        spanscope.evaluate(*sides, "spans.exact", score=spanscope.Scoring(undefined=0), ci=False).value("f1") == 0
    )


def test_nested_spans_have_figures_which_tags_cannot_hold() -> None:
    """One tag per token cannot say that a span lies in another; offsets can."""
    sides = (documents("A[0,4] B[1,2]"), documents("A[0,4] B[1,2]"))
    assert set(tags(sides[0][0]["spans"], 4)) == {"B-A", "B-B", "I-A"}
    assert report(sides, [4])["A"]["support"] == 2  # the outer span has become two
    assert spanscope.evaluate(*sides, "spans.exact", ci=False).counts()["A"]["gold"] == 1
