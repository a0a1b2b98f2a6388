"""Characters in common: the truth, and the figures of LegalBench-RAG 431bc8f and Chroma's evaluation d451fc4."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.errors import InputError
from spanscope.measures.passages.places import (
    Place,
    characters,
    chroma,
    document_mismatch,
    legalbench_rag,
    merge_places,
    touching_neighbours,
)
from tests.oracle import Json, oracle

LEGAL = oracle("legalbenchrag_random")["cases"]
RANDOM = oracle("spanret_random100")["cases"]
REAL = os.environ.get("SPANSCOPE_CHROMA", "")  # 472 real questions, not part of this repository
PLACES = st.lists(
    st.builds(
        lambda file, start, length: Place(file, start, start + length),
        st.sampled_from(["a", "b", "c"]),
        st.integers(0, 40),
        st.integers(0, 15),
    ),
    max_size=8,
)


def places(written: Iterable[Any]) -> list[Place]:
    return [Place(*one) for one in written]


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def figures_of_legalbench_rag(gold: list[Place], retrieved: list[Place]) -> Json:
    shared, wanted, found = legalbench_rag(gold, retrieved)
    return {"precision": share(shared, found), "recall": share(shared, wanted)}


def figures_of_chroma(gold: list[Place], retrieved: list[Place]) -> Json:
    shared, wanted, found, missed = chroma(gold, retrieved)
    return {
        "precision": share(shared, found),
        "recall": share(shared, wanted),
        "iou": share(shared, found + missed),
    }


def our_figures(gold: list[Place], retrieved: list[Place]) -> Json:
    shared, wanted, found = characters(gold, retrieved)
    return {
        "precision": share(shared, found),
        "recall": share(shared, wanted),
        "f1": share(2 * shared, wanted + found),
        "iou": share(shared, wanted + found - shared),
    }


def agree(found: Json, want: Json) -> None:
    assert {name: found[name] for name in want} == pytest.approx(want, abs=1e-12)


# ---------------------------------------------------------------- recorded figures


def test_all_cases_are_there() -> None:
    assert (len(LEGAL), sum("out" in case for case in LEGAL)) == (63, 60)
    assert (len(RANDOM), sum("chroma" in case for case in RANDOM)) == (50, 41)


@pytest.mark.parametrize("case", LEGAL)
def test_legalbench_rag(case: Json) -> None:
    gold, retrieved = places(case["gold"]), places(case["retrieved"])
    if "out" in case:
        agree(figures_of_legalbench_rag(gold, retrieved), case["out"])
        assert not touching_neighbours(gold)
    else:  # only whether the benchmark takes such golds
        assert bool(touching_neighbours(gold)) == case["validation"].startswith("rejected")


@pytest.mark.parametrize("case", RANDOM, ids=[case["id"] for case in RANDOM])
def test_random_cases(case: Json) -> None:
    gold, retrieved = places(case["gold"]), places(case["retrieved"])
    agree(our_figures(gold, retrieved), case["char_set"])
    agree(figures_of_legalbench_rag(gold, retrieved), case["legalbenchrag"])
    if "chroma" in case:  # recorded only where all gold is in a.txt
        agree(figures_of_chroma(gold, retrieved), case["chroma"])


@pytest.mark.skipif(not REAL, reason="needs SPANSCOPE_CHROMA, the file of Chroma's questions with figures")
def test_real_questions() -> None:
    data = json.loads(Path(REAL).read_text("utf-8"))
    assert [len(config["per_query"]) for config in data["configs"]] == [472, 472]
    for config in data["configs"]:
        for query in config["per_query"]:
            gold, retrieved = places(data["gold"][query["q"]]), places(query["retrieved"])
            agree(our_figures(gold, retrieved), query["char_set"])
            agree(figures_of_legalbench_rag(gold, retrieved), query["legalbenchrag"])
            agree(figures_of_chroma(gold, retrieved), query["chroma"])
            agree({"drm": share(*document_mismatch(gold, retrieved))}, {"drm": query["drm"]})


# ---------------------------------------------------------------- laws


def occupied(side: list[Place]) -> set[tuple[str, int]]:
    return {(place.file, at) for place in side for at in range(place.start, place.end)}


@given(side=PLACES)
def test_merged_places_hold_the_same_characters_and_do_not_touch(side: list[Place]) -> None:
    found = merge_places(side)
    assert occupied(found) == occupied(side)
    assert found == sorted(found)
    assert not touching_neighbours(found)
    assert all(place.start < place.end for place in found)
    assert merge_places(found) == found


@given(gold=PLACES, retrieved=PLACES)
def test_characters_are_sets(gold: list[Place], retrieved: list[Place]) -> None:
    first, second = occupied(gold), occupied(retrieved)
    assert characters(gold, retrieved) == (len(first & second), len(first), len(second))


@given(gold=PLACES, retrieved=PLACES)
def test_legalbench_rag_sums_over_pairs(gold: list[Place], retrieved: list[Place]) -> None:
    pairs = sum(len(occupied([one]) & occupied([other])) for one in gold for other in retrieved)
    lengths = [sum(place.end - place.start for place in side) for side in (gold, retrieved)]
    assert legalbench_rag(gold, retrieved) == (pairs, *lengths)


@given(gold=PLACES, retrieved=PLACES)
def test_chroma_merges_only_what_is_shared(gold: list[Place], retrieved: list[Place]) -> None:
    seen = occupied(retrieved)
    lengths = [sum(place.end - place.start for place in side) for side in (gold, retrieved)]
    missed = sum(len(occupied([one]) - seen) for one in gold)
    assert chroma(gold, retrieved) == (len(occupied(gold) & seen), *lengths, missed)


@given(gold=PLACES, retrieved=PLACES)
def test_all_three_agree_where_nothing_overlaps(gold: list[Place], retrieved: list[Place]) -> None:
    gold, retrieved = merge_places(gold), merge_places(retrieved)
    parts = characters(gold, retrieved)
    assert legalbench_rag(gold, retrieved) == parts
    assert chroma(gold, retrieved) == (*parts, parts[1] - parts[0])


# ---------------------------------------------------------------- by hand


def test_legalbench_rag_reaches_a_recall_of_2() -> None:
    gold, retrieved = places([("a", 100, 200)]), places([("a", 50, 200), ("a", 100, 250)])
    assert figures_of_legalbench_rag(gold, retrieved)["recall"] == 2.0
    assert our_figures(gold, retrieved) == {"precision": 0.5, "recall": 1.0, "f1": 200 / 300, "iou": 0.5}


def test_the_same_offsets_in_another_file_are_no_match() -> None:
    gold, retrieved = places([("a", 0, 50)]), places([("b", 0, 50)])
    assert characters(gold, retrieved) == (0, 50, 50)
    assert document_mismatch(gold, retrieved) == (1, 1)


def test_nothing_on_a_side() -> None:
    some = places([("a", 0, 5)])
    assert characters([], []) == legalbench_rag([], []) == (0, 0, 0)
    assert (chroma(some, []), chroma([], some)) == ((0, 5, 0, 5), (0, 0, 5, 0))
    assert (document_mismatch(some, []), document_mismatch([], some)) == ((0, 0), (1, 1))


def test_empty_places_hold_no_characters() -> None:
    gold, retrieved = places([("a", 0, 10)]), places([("a", 5, 5)])
    assert characters(gold, retrieved) == (0, 10, 0)
    assert legalbench_rag(gold, retrieved) == (0, 10, 0)
    assert document_mismatch(gold, retrieved) == (0, 1)


def test_sides_may_be_generators() -> None:
    side = places([("a", 0, 10), ("b", 5, 8)])
    assert characters(iter(side), iter(side)) == (13, 13, 13)
    assert chroma(iter(side), iter(side)) == (13, 13, 13, 0)


@pytest.mark.parametrize(("start", "end"), [(5, 4), (-1, 3)])
def test_impossible_places_are_refused(start: int, end: int) -> None:
    with pytest.raises(InputError, match=f"goes from {start} to {end}"):
        Place("a", start, end)
