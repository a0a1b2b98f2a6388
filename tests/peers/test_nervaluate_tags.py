"""Live comparison with nervaluate 1.2.1 on tags and spans: protocol semeval2013, overall and by type."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import spanscope
from tests.peers.nervaluate_support import (
    SCENARIOS,
    Figures,
    our_figures,
    their_figures,
)
from tests.strategies import corpora
from tests.support import Json

TYPES = ["A", "B", "C-D"]
Sentences = list[list[str]]
Sides = tuple[Sentences, Sentences]


@st.composite
def tagged(draw: DrawFn) -> Sides:
    """Draw B, I and O in any order, so that many an I continues nothing; half of the predictions are gold's."""
    tag = st.sampled_from(["O", "O", *(f"{prefix}-{name}" for prefix in "BII" for name in TYPES)])
    gold = draw(st.lists(st.lists(tag, min_size=1, max_size=9), min_size=1, max_size=4))
    pred = [[draw(st.one_of(st.just(own), tag)) for own in sentence] for sentence in gold]
    return gold, pred


def theirs(true: Any, pred: Any, loader: str, names: list[str]) -> Figures:
    return their_figures(true, pred, names, loader)


def ours(gold: Any, pred: Any, more: str = "") -> Figures:
    """Return the protocol's figures, or those with more settings of its measures."""
    forms = {mode: f"spans.semeval(mode={mode}{more})" for mode in SCENARIOS}
    result = spanscope.evaluate(gold, pred, list(forms.values()) if more else None, protocol="semeval2013")
    return our_figures(result, forms)


def same(found: Figures, wanted: Figures) -> None:
    for mode in SCENARIOS:
        assert set(found[mode]) == set(wanted[mode])
        for label in wanted[mode]:
            assert found[mode][label] == pytest.approx(wanted[mode][label], abs=1e-12), (mode, label)


def worded(side: Sentences, words: list[list[str]]) -> list[Json]:
    return [{"tokens": own, "tags": tags} for own, tags in zip(words, side, strict=True)]


# ---------------------------------------------------------------- the same figures


@settings(max_examples=100)
@given(sides=tagged())
def test_lists_of_tags_give_the_figures_of_the_list_loader(sides: Sides) -> None:
    """Half-open token numbers with exclusive ends are nervaluate's inclusive ones: the protocol as it stands."""
    same(ours(*sides), theirs(*sides, "list", TYPES))


@settings(max_examples=50)
@given(sides=tagged(), data=st.data())
def test_tokens_give_the_figures_of_the_list_loader_whatever_their_length(
    sides: Sides, data: st.DataObject
) -> None:
    """The protocol counts in tokens, as nervaluate does for tags: how long the words are does not matter."""
    words = [[data.draw(st.sampled_from(["a", "of", "w" * 40])) for _ in tags] for tags in sides[0]]
    same(ours(*(worded(side, words) for side in sides)), theirs(*sides, "list", TYPES))


@settings(max_examples=100)
@given(sides=corpora())
def test_spans_give_the_figures_of_the_dict_loader(sides: tuple[list[Json], list[Json]]) -> None:
    """Spans in any order, overlapping or not; nervaluate gets the last position as the end."""
    kept = [
        [{**doc, "spans": [s for s in doc["spans"] if s["start"] < s["end"]]} for doc in side] for side in sides
    ]
    listed = [
        [[{"label": s["label"], "start": s["start"], "end": s["end"] - 1} for s in doc["spans"]] for doc in side]
        for side in kept
    ]
    if kept[0]:
        names = sorted({span["label"] for side in listed for doc in side for span in doc})
        same(ours(*kept), theirs(*listed, "dict", names))


# ---------------------------------------------------------------- where a setting matters

TOUCHING: Sides = ([["O", "B-A"]], [["B-A", "B-A"]])


def test_inclusive_ends_are_wrong_for_tags() -> None:
    """With ends=inclusive the first prediction takes the gold span that it only touches, and nobody is right."""
    wanted = theirs(*TOUCHING, "list", TYPES)
    assert wanted["strict"]["*"]["cor"] == 1
    same(ours(*TOUCHING), wanted)
    found = ours(*TOUCHING, ", ends=inclusive")["strict"]["*"]
    assert (found["cor"], found["inc"], found["spu"]) == (0, 1, 1)


# The first prediction covers two gold spans. By tokens the first of them is nearer, by characters the second.
NEAR: Sides = ([["B-A", "O", "B-A", "I-A", "I-A"]], [["B-A", "I-A", "I-A", "B-A", "I-A"]])
WORDS = [["a", "b", "w" * 50, "c", "d"]]


def test_by_tokens_both_predictions_are_right() -> None:
    wanted = theirs(*NEAR, "list", TYPES)
    assert wanted["type"]["*"]["cor"] == 2
    same(ours(*NEAR), wanted)


def test_tokens_with_their_words_give_the_figures_of_the_list_loader() -> None:
    same(ours(*(worded(side, WORDS) for side in NEAR)), theirs(*NEAR, "list", TYPES))
