"""What the page of segmentations is given: what each boundary is at every window."""

import json
from typing import Any

import pytest

import spanscope
from spanscope import viewer
from spanscope.commands.window_slider import windows
from tests.viewer.test_segments_page import inside, two

Json = dict[str, Any]


def kinds_at(runs: Json, row: int, step: int) -> int:
    return int(
        max(
            (start, kind)
            for start, kind in zip(
                *(runs[key][runs["first"][row] : runs["first"][row + 1]] for key in ("from", "kind")), strict=True
            )
            if start <= step
        )[1]
    )


# ---------------------------------------------------------------- what Python gives


def test_windows_are_whole_and_hold_the_one_asked_for() -> None:
    for wanted in (0, 1, 3, 10, 15, 16, 37, 1000):
        found = windows(wanted)
        assert found[0] == 0
        assert wanted in found
        assert found == sorted(set(found))
        assert len(found) <= 32
        assert found[-1] >= max(5, 2 * wanted)


def test_marks_by_hand() -> None:
    """At 10 both: exact. 20 and 22: near from 2 on. 30 is missed; 50 is extra. A free nearer one is taken."""
    gold = [{"id": 1, "length": 60, "boundaries": [10, 20, 30]}]
    pred = [{"id": 1, "length": 60, "boundaries": [8, 10, 22, 50]}]
    corpus = inside(spanscope.evaluate(gold, pred, "segments.b_score(tolerance=2)", ci=False))["corpus"]
    marks = corpus["marks"]["1"]
    assert corpus["windows"] == [0, 1, 2, 3, 4, 5]
    assert corpus["windows"][corpus["at"]] == 2
    assert marks["whole"] == [[1, 0, 3, 2], [1, 0, 3, 2], *[[1, 1, 2, 1]] * 4]
    assert [kinds_at(marks["pred"], row, 0) for row in range(4)] == [2, 0, 2, 2]
    assert [kinds_at(marks["pred"], row, 5) for row in range(4)] == [2, 0, 1, 2]
    assert [kinds_at(marks["gold"], row, 5) for row in range(3)] == [0, 1, 3]
    assert corpus["unit"] == "unit"


def test_most_pairs_come_before_exact_ones() -> None:
    """Within 3 both can be paired only if the two at 3 are not paired with each other."""
    gold, pred = [{"id": 1, "length": 9, "boundaries": [1, 4]}], [{"id": 1, "length": 9, "boundaries": [4, 7]}]
    corpus = inside(spanscope.evaluate(gold, pred, "segments.boundaries(tolerance=3)", ci=False))["corpus"]
    assert corpus["marks"]["1"]["whole"][3] == [0, 2, 0, 0]
    assert corpus["marks"]["1"]["whole"][2] == [1, 0, 1, 1]


@pytest.mark.parametrize("tolerance", [0, 3, 40])
def test_every_window_is_the_measure_at_that_tolerance(tolerance: int) -> None:
    corpus = inside(two(f"segments.boundaries(tolerance={tolerance})"))["corpus"]
    marks = corpus["marks"]["1"]
    for step, window in enumerate(corpus["windows"]):
        there = two(f"segments.boundaries(tolerance={window})")
        exact, near, extra, missed = marks["whole"][step]
        totals = there.totals()
        assert [exact + near, exact + near + extra, exact + near + missed] == [
            totals["tp"],
            totals["pred"],
            totals["gold"],
        ]
        want = [there.value(rate, average="micro") for rate in ("precision", "recall", "f1")]
        assert marks["figures"][step] == [*want, there.value("f1", average="document")]
        for doc, record in enumerate(there.by_document()):
            first, last = corpus["sides"]["1"]["first"][doc : doc + 2]
            own = [kinds_at(marks["pred"], row, step) for row in range(first, last)]
            assert (own.count(0) + own.count(1), len(own)) == (record["tp"], record["pred"])


def test_documents_are_worst_first() -> None:
    result = two("segments.b_score(tolerance=3)")
    corpus = inside(result)["corpus"]
    values = {one["document"]: one["f1"] for one in result.by_document()}
    named = [corpus["names"][doc] for doc in corpus["orders"]["1"]]
    assert [values[name] for name in named] == [one["f1"] for one in result.by_document(worst=True)]
    assert dict(zip(corpus["names"], corpus["values"]["1"], strict=True)) == values


def test_places_are_in_utf16_too() -> None:
    gold = [{"id": 1, "text": "😀a😀b", "boundaries": [1, 3]}]
    side = inside(spanscope.evaluate(gold, gold, protocol="segments", ci=False))["corpus"]["sides"]["0"]
    assert (side["at"], side["at16"]) == ([1, 3], [2, 5])


def test_a_panel_with_gaps_keeps_its_places_apart() -> None:
    """A method that lacks a document has no ribbon there, and its marks stand where they belong."""
    docs = [
        {"id": "a", "length": 9, "segmentations": {"Gold": {"boundaries": [3]}, "M": {"boundaries": [3]}}},
        {"id": "b", "length": 9, "segmentations": {"Gold": {"boundaries": [4]}, "N": {"boundaries": [6]}}},
        {
            "id": "c",
            "length": 9,
            "segmentations": {"Gold": {"masses": [9]}, "M": {"boundaries": [2]}, "N": {"masses": [9]}},
        },
    ]
    corpus = inside(spanscope.panel(docs, measures="segments.b_score", missing="skip", ci=False))["corpus"]
    has = {
        corpus["methods"][int(n)]: {name for name, yes in zip(corpus["names"], side["has"], strict=True) if yes}
        for n, side in corpus["sides"].items()
    }
    assert has == {"Gold": {"a", "b", "c"}, "M": {"a", "c"}, "N": {"b", "c"}}
    order = {name: n for n, name in enumerate(corpus["methods"])}
    m, n = (corpus["marks"][str(order[name])] for name in ("M", "N"))
    assert m["whole"][0] == [1, 0, 1, 0]
    assert (n["whole"][0], n["whole"][2]) == ([0, 0, 1, 1], [0, 1, 0, 0])
    at = corpus["sides"]["0"]["at"]
    assert at[corpus["marks"][str(order["N"])]["pred"]["pair"][-1]] == 4
    assert {at[row]: kinds_at(m["gold"], row, 0) for row in range(2)} == {3: 0, 4: -1}


# ---------------------------------------------------------------- privacy and size

SECRET = ("Zanzibarqua", "Quillfeather", "Mortwhistle", "Ombrefallow", "Vexatorium")


def private() -> list[Json]:
    text = " ".join(SECRET)
    parts = [[0, 12], [13, len(text)]]
    return [{"id": 1, "text": text, "segmentations": {"Gold": [[0, 12], [12, len(text)]], "A": parts}}]


@pytest.mark.parametrize("text", ["none", "masked"])
def test_withheld_texts_are_nowhere(text: str) -> None:
    """Neither in the texts nor in what was noted when a gap was closed."""
    found = spanscope.panel(private(), read=spanscope.Reading(normalise=True), ci=False)
    whole = viewer.render(found)
    assert all(word in json.dumps(viewer.unpack(whole)) for word in SECRET)
    page = viewer.render(found, text=text)
    data = viewer.unpack(page)
    for part in (page, json.dumps(data)):
        assert [word for word in SECRET if word.lower() in part.lower()] == []
    assert data["corpus"]["texts"] == [None if text == "none" else " ".join("x" * len(word) for word in SECRET)]
    assert data["corpus"]["unit"] == "character"
    assert data["problems"][0]["number"] == 1


def test_context_is_what_is_near_an_error() -> None:
    text = "".join(chr(ord("a") + n % 26) for n in range(400))
    gold, pred = [{"id": 1, "text": text, "boundaries": [200]}], [{"id": 1, "text": text, "boundaries": [300]}]
    result = spanscope.evaluate(gold, pred, "segments.boundaries", ci=False, text="context")
    (found,) = inside(result)["corpus"]["texts"]
    assert found == "·" * 140 + text[140:360] + "·" * 40
    same = spanscope.evaluate(gold, gold, "segments.boundaries", ci=False, text="context")
    assert inside(same)["corpus"]["texts"] == ["·" * 400]
