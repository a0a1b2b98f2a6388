"""Repairs of segmentations: what --normalise does, that it says so, and what `check` lists instead."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import spanscope
from spanscope.errors import InputError
from tests.cli import refused, run, write
from tests.io.test_io_segments import PAIRS, TEXT, Segments, one, segs, wrong
from tests.segment_support import read_segmentations
from tests.support import Json


def repaired(document: Json) -> tuple[list[tuple[int, int]], dict[str, int]]:
    """Return the segments after repair, and the number of repairs of each kind that the result reports."""
    gold = [{"id": 1, **document}]
    result = spanscope.evaluate(gold, gold, "segments.pk", read=spanscope.Reading(normalise=True))
    twice = {kind: number // 2 for kind, number in result.problems.number.items()}  # gold is pred here
    return [(a, b) for a, b, _ in one(document, normalise=True)], twice


def text(*parts: Any, of: str = TEXT) -> Json:
    return {"text": of, "segments": list(parts)}


REPAIRS: dict[str, tuple[Json, list[tuple[int, int]], dict[str, int]]] = {
    "nothing": (text(*PAIRS), [(0, 4), (4, 9), (9, 15)], {}),
    "sorted": (text([9, 15], [0, 4], [4, 9]), [(0, 4), (4, 9), (9, 15)], {"sorted segments": 1}),
    "empty": (text([0, 4], [4, 4], [4, 15]), [(0, 4), (4, 15)], {"empty segment": 1}),
    "gap": (text([0, 3], [4, 8], [9, 15]), [(0, 4), (4, 9), (9, 15)], {"closed gap": 2}),
    "gap with text": (text([0, 4], [9, 15]), [(0, 9), (9, 15)], {"closed gap with text": 1}),
    "gap without text": ({"length": 15, "segments": [[0, 4], [9, 15]]}, [(0, 9), (9, 15)], {"closed gap": 1}),
    "overlap": (text([0, 6], [4, 15]), [(0, 4), (4, 15)], {"cut overlap": 1}),
    "start": (text([1, 9], [9, 15]), [(0, 9), (9, 15)], {"extended to the start": 1}),
    "end": (text([0, 9], [9, 14]), [(0, 9), (9, 15)], {"extended to the end": 1}),
    "all": (
        text([9, 13], [1, 3], [5, 5], [4, 10]),
        [(0, 4), (4, 9), (9, 15)],
        {
            "sorted segments": 1,
            "empty segment": 1,
            "extended to the start": 1,
            "closed gap": 1,
            "cut overlap": 1,
            "extended to the end": 1,
        },
    ),
}


@pytest.mark.parametrize("name", REPAIRS)
def test_repair(name: str) -> None:
    document, segments, kinds = REPAIRS[name]
    assert repaired(document) == (segments, kinds)


def test_what_is_said_of_repairs() -> None:
    gold = [{"id": 1, **text([0, 3], [9, 14])}]
    (corpus,) = read_segmentations(gold, name="gold", normalise=True).values()
    assert [str(problem) for problem in corpus.problems] == [
        "gold[0]: segments[0] ends at 3, and ' two. ' after it is in no segment",
        "gold[0]: segments[1] ends at 14, the text at 15",
    ]


def test_labels_stay_with_their_segments() -> None:
    found = one(text([9, 15, "C"], [0, 3, "A"], [4, 9, "B"]), normalise=True)
    assert found == [(0, 4, "A"), (4, 9, "B"), (9, 15, "C")]


def test_levels_are_repaired_each_on_its_own() -> None:
    found = one({"length": 9, "segments": {"a": [[0, 3], [4, 9]], "b": [[0, 8]]}}, normalise=True)
    assert found == [(0, 4, "a"), (4, 9, "a"), (0, 9, "b")]


NO_REPAIR = {
    "inside": (text([0, 9], [4, 6], [9, 15]), "segments[1] lies inside segments[0]"),
    "the same twice": (text([0, 15], [0, 15]), "segments[1] lies inside segments[0]"),
    "outside": (text([0, 9], [9, 16]), "segments[1] runs from 9 to 16, outside the text"),
    "before": (text([-2, 15]), "segments[0] runs from -2 to 15, outside the text"),
    "backwards": (text([0, 9], [9, 8]), "segments[1] runs from 9 to 8"),
    "nothing": (text(), "segments is empty, the text has 15 units"),
    "only empty ones": (text([3, 3]), "segments is empty, the text has 15 units"),
}


@pytest.mark.parametrize("name", NO_REPAIR)
def test_without_repair(name: str) -> None:
    document, expected = NO_REPAIR[name]
    assert wrong(document, normalise=True).splitlines()[0] == expected


def test_inside_from_the_same_start() -> None:
    """[0, 5] lies inside [0, 15] however the two are listed; the sorted order puts the shorter first."""
    assert "lies inside" in wrong(text([0, 15], [0, 5]), normalise=True)


@pytest.mark.parametrize("places", [[9, 4], [4, 4, 9]])
def test_boundaries_are_not_changed_in_silence(places: list[int]) -> None:
    segments, kinds = repaired({"length": 15, "boundaries": places})
    assert segments == [(0, 4), (4, 9), (9, 15)]
    assert kinds == ({"sorted boundaries": 1} if places == [9, 4] else {"repeated boundary": 1})


def test_empty_segment_of_an_empty_text() -> None:
    assert repaired(text([0, 0], of="")) == ([], {"empty segment": 1})


@pytest.mark.parametrize("document", [text([0, 9], [9, 8]), text()])
def test_the_hint_leads_somewhere(document: Json) -> None:
    assert "--normalise" not in wrong(document, normalise=True)


def test_refused_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = write(Path("f.jsonl"), [{"id": 1, **segs([0, 9], [4, 6], [9, 15])}])
    assert refused(run("eval", file, file, "--normalise")) == (
        "f.jsonl:1: segments[1] lies inside segments[0]\n  expected  segments beside each other\n"
    )


# ---------------------------------------------------------------- laws


@st.composite
def partitions(draw: DrawFn) -> tuple[str, list[list[int]]]:
    """Draw a text of words, each with the white space behind it, cut before some of them."""
    words = draw(st.lists(st.tuples(st.text("ab", min_size=1, max_size=3), st.sampled_from([" ", "\n ", "\t"]))))
    words = [("x", " "), *words]
    whole = "".join(word + space for word, space in words)
    starts, at = [0], 0
    for word, space in words[:-1]:
        at += len(word) + len(space)
        starts += [at] if draw(st.booleans()) else []
    return whole, [list(pair) for pair in pairwise([*starts, len(whole)])]


@given(partitions(), st.randoms(use_true_random=False))
def test_white_space_and_order_are_repaired(drawn: tuple[str, list[list[int]]], chance: random.Random) -> None:
    """Segments as people draw them, without the white space behind and in any order, are the partition again."""
    whole, segments = drawn
    bare = [[a, a + len(whole[a:b].rstrip())] for a, b in segments]
    chance.shuffle(bare)
    found, kinds = repaired({"text": whole, "segments": bare})
    assert [list(pair) for pair in found] == segments
    assert kinds.get("closed gap", 0) == len(segments) - 1
    assert kinds.get("extended to the end", 0) == 1
    assert kinds.get("sorted segments", 0) == (bare != sorted(bare))


def sound(found: Segments, length: int) -> bool:
    edges = [0, *(end for _, end, _ in found)]
    return edges[-1] == length and all(
        (a, b) == (start, end) and a < b for (a, b), (start, end, _) in zip(pairwise(edges), found, strict=True)
    )


offsets = st.integers(0, 6)


@given(st.lists(st.tuples(offsets, offsets), max_size=4))
def test_never_changed_in_silence(drawn: list[tuple[int, int]]) -> None:
    """Refused, or a partition; and another one than was given only where a repair is reported."""
    document = {"text": "abc de", "segments": [list(pair) for pair in drawn]}
    try:
        segments, kinds = repaired(document)
    except InputError:
        return
    assert sound([(a, b, "") for a, b in segments], 6)
    assert bool(kinds) == (segments != drawn)


def test_own_measures_need_partitions_under_any_protocol() -> None:
    gold = [{"id": 1, **segs([9, 15], [-3, 4])}]
    with pytest.raises(InputError):
        spanscope.evaluate(gold, gold, "segments.boundaries", protocol="rt-seg")


# ---------------------------------------------------------------- check


def test_check_lists_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    documents: list[Any] = [
        {"id": 1, **text(*PAIRS)},
        {"id": 2, **text([0, 3], [4, 15])},
        {"id": 3, **text([0, 6], [4, 15])},
        {"id": 4, **text([0, 4], [4, 4], [4, 15])},
        {"id": 5, **text([4, 15], [0, 4])},
        {"id": 6, **text([0, 16])},
        {"id": 7, "length": 9, "boundaries": [9]},
    ]
    done = run("check", write(Path("f.jsonl"), documents))
    assert done.code == 1
    assert done.out.splitlines() == [
        "f.jsonl:2: segments[1] starts at 4, segments[0] ends at 3: a gap",
        "f.jsonl:3: segments[1] starts at 4, segments[0] ends at 6: an overlap",
        "f.jsonl:4: segments[1] runs from 4 to 4",
        "f.jsonl:5: segments[1] starts at 0, before segments[0], which starts at 4",
        "f.jsonl:6: segments[0] runs from 0 to 16, outside the text",
        "f.jsonl:7: boundaries[0] is 9",
    ]
    assert done.err == "6 problems: 5 x not a partition, 1 x bad document\n"


def test_check_of_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    gold = write(Path("gold.jsonl"), [{"id": key, "masses": [3, 6]} for key in (1, 2)])
    pred = write(Path("pred.jsonl"), [{"id": key, "masses": [3, 6]} for key in (2, 3)])
    assert run("check", gold, gold).code == 0
    assert run("check", gold, pred).out.splitlines() == [
        "gold.jsonl:1: the document '1' is not in pred.jsonl",
        "pred.jsonl:2: the document '3' is not in gold.jsonl",
    ]


def test_check_goes_on_after_a_bad_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for spans: a line that is not JSON is a problem among others."""
    monkeypatch.chdir(tmp_path)
    file = write(
        Path("f.jsonl"), '{"id": 1, "masses": [3]}\n{"id": 2, "mas\n{"id": 3, "length": 2, "masses": [3]}\n'
    )
    done = run("check", file)
    assert [line.split(":")[1] for line in done.out.splitlines()] == ["2", "3"]


@pytest.mark.parametrize("who", ["A", "B"])
def test_the_segmentation_is_named(who: str) -> None:
    own = {"A": [[0, 3]], "B": []}[who]
    assert wrong({"length": 9, "segmentations": {who: own}}).startswith(f"segmentations.{who}")


def test_the_hint_for_numbers_works() -> None:
    """In a document with one segmentation boundaries stand beside `segments`, not in it."""
    assert '"segments": {"boundaries"' not in wrong(segs(3, 6))
