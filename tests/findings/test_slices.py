"""Slices of spans: by hand, against the twin, and that nothing is lost."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import spanscope
from tests.strategies import Document, documents
from tests.twins import slices as twin

Records = list[dict[str, Any]]


def span(start: int, end: int, label: str = "A") -> dict[str, Any]:
    return {"start": start, "end": end, "label": label}


def sliced(gold: Records, pred: Records, *by: str, measure: str = "spans.exact", **more: Any) -> dict[str, Any]:
    found = spanscope.evaluate(gold, pred, measure, by=by, ci=False, **more)
    return {one["name"]: one for one in found.slices()}


def test_the_case_of_the_docstring() -> None:
    """A prediction with a wrong end stands with the gold span that it was meant for."""
    gold = [{"id": 1, "spans": [span(0, 3), span(10, 20), span(40, 42)]}]
    pred = [{"id": 1, "spans": [span(0, 3), span(10, 12), span(30, 34)]}]
    found = sliced(gold, pred, "@length")
    assert found["3 to 5 characters"]["counts"] == {"tp": 1, "pred": 2, "gold": 1}
    assert found["2 characters"]["counts"] == {"tp": 0, "pred": 0, "gold": 1}
    assert found["6 to 10 characters"]["counts"] == {"tp": 0, "pred": 1, "gold": 1}
    assert found["6 to 10 characters"]["rates"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_bins_of_lengths_are_what_they_are_called() -> None:
    sizes = {0: "0 or 1 character", 1: "0 or 1 character", 2: "2 characters", 3: "3 to 5 characters"}
    sizes |= {5: "3 to 5 characters", 6: "6 to 10 characters", 100: "51 to 100 characters"}
    sizes |= {101: "over 100 characters"}
    for size, name in sizes.items():
        one = [{"id": 1, "spans": [span(0, size)]}]
        assert list(sliced(one, one, "@length")) == [name]


def test_labels_are_rare_or_frequent_against_an_even_share() -> None:
    """12 spans of 4 labels: an even share is 3, so 1 is rare, 2 and 3 are in the middle, 6 is frequent."""
    labels = "A" * 6 + "B" * 3 + "C" * 2 + "D"
    gold = [{"id": 1, "spans": [span(10 * at, 10 * at + 2, label) for at, label in enumerate(labels)]}]
    pred = [{"id": 1, "spans": [*gold[0]["spans"], span(500, 502, "E")]}]  # a label that gold does not have
    found = sliced(gold, pred, "@label-frequency")
    assert {name: one["counts"]["gold"] for name, one in found.items()} == {
        "rare labels": 1,
        "middle labels": 5,
        "frequent labels": 6,
    }
    assert found["rare labels"]["counts"]["pred"] == 2
    rows = spanscope.evaluate(gold, pred, "spans.exact", ci=False).counts()
    assert found["middle labels"]["counts"]["tp"] == rows["B"]["tp"] + rows["C"]["tp"]


def test_what_was_seen_in_training() -> None:
    text = "Ada met Bob and Cid"
    gold = [{"id": 1, "text": text, "spans": [span(0, 3, "P"), span(8, 11, "P"), span(16, 19, "P")]}]
    pred = [{"id": 1, "text": text, "spans": [span(0, 3, "P"), span(4, 7, "P")]}]
    train = [{"id": 9, "text": "Ada saw Bob", "spans": [span(0, 3, "P"), span(8, 11, "Q")]}]
    found = sliced(gold, pred, "@seen", train=train)
    assert found["seen with its label"]["counts"] == {"tp": 1, "pred": 1, "gold": 1}
    assert found["seen with another label"]["counts"] == {"tp": 0, "pred": 0, "gold": 1}
    assert found["unseen"]["counts"] == {"tp": 0, "pred": 1, "gold": 1}


def test_predictions_of_one_place_may_match_under_other_labels() -> None:
    """Matched is matched: the prediction goes with its gold span, whatever its own label."""
    gold = [{"id": 1, "spans": [span(0, 3), span(10, 13), span(20, 23), span(30, 33, "B")]}]
    pred = [{"id": 1, "spans": [span(0, 3, "B")]}]
    found = sliced(gold, pred, "@label-frequency", measure="spans.unlabelled")
    assert sum(one["counts"]["tp"] for one in found.values()) == 1
    assert found["middle labels"]["counts"] == {"tp": 1, "pred": 1, "gold": 4}


@given(docs=st.lists(documents(), min_size=1, max_size=4))
def test_counts_are_those_of_the_twin_and_add_up(docs: list[Document]) -> None:
    gold, pred = (
        [
            {"id": str(number), "spans": [span(one.start, one.end, one.label) for one in both[side]]}
            for number, both in enumerate(docs)
        ]
        for side in (0, 1)
    )
    found = spanscope.evaluate(gold, pred, "spans.exact", by=["@length", "@nested"], ci=False)
    for by, of in (("@length", twin.length), ("@nested", twin.nesting)):
        own = {one["name"]: one["counts"] for one in found.slices() if one["by"] == by}
        expected = twin.recount(docs, of)
        columns = ("tp", "pred", "gold")
        assert own == {name: {key: one[key] for key in columns} for name, one in expected.items()}
        assert {key: sum(one[key] for one in own.values()) for key in columns} == found.totals()
