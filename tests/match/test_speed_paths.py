"""The fast ways give what the slow ones give: texts that are not cut, joins that look on, walks in parts."""

from __future__ import annotations

import difflib
import gc
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.errors import MeasureError
from spanscope.io.reading import read
from spanscope.match import one_to_one as match
from spanscope.match import overlaps as pairs
from spanscope.match.similarity import text_ratio
from spanscope.sides import comparison

TEXT = "the cat sat on the mat, ∑ó the cat"
PLACES = st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))).map(lambda two: (min(two), max(two)))
SIDE = st.lists(st.tuples(PLACES, st.sampled_from("AB")), max_size=8)


def document(side: list[tuple[tuple[int, int], str]], **more: Any) -> dict[str, Any]:
    """Return a document with these spans."""
    return {"id": "d", "spans": [{"start": a, "end": b, "label": label} for (a, b), label in side], **more}


def own_text(side: list[tuple[tuple[int, int], str]]) -> dict[str, Any]:
    """Return a document without a text whose spans bring theirs: nothing about them can be known from offsets."""
    made = document(side)
    for span in made["spans"]:
        span["text"] = TEXT[span["start"] : span["end"]]
    return made


@given(st.text("ab", max_size=6), st.text("ab", max_size=6), st.text("abc", max_size=6))
def test_ratio_of_a_text_in_another_follows_from_the_lengths(head: str, inner: str, tail: str) -> None:
    outer = head + inner + tail
    slow = [
        difflib.SequenceMatcher(None, a, b, autojunk=False).ratio() for a, b in ((inner, outer), (outer, inner))
    ]
    fast = text_ratio(np.array([inner, outer], dtype=object), np.array([outer, inner], dtype=object))
    assert fast.tolist() == slow


@pytest.mark.parametrize("autojunk", [False, True])
def test_long_texts_keep_the_heuristic_where_it_is_asked_for(autojunk: bool) -> None:
    inner, outer = "ab" * 120, "ab" * 120 + "xyz" * 30
    slow = difflib.SequenceMatcher(None, inner, outer, autojunk=autojunk).ratio()
    fast = text_ratio(np.array([inner], dtype=object), np.array([outer], dtype=object), autojunk=autojunk)
    assert fast.tolist() == [slow]
    whole = {"text": outer + "."}
    gold, pred = ([document([((0, len(text)), "A")], **whole)] for text in (outer, inner))
    form = f"spans.relaxed(iou_weight=0, threshold=0, text={'difflib' if autojunk else 'gestalt'})"
    result = spanscope.evaluate(gold, pred, form, ci=False)
    assert next(iter(result.matches(["correct"])))["score"] == slow


@given(SIDE, SIDE, st.sampled_from(["gestalt", "difflib"]))
def test_relaxed_without_reading_texts_is_relaxed_with_them(gold: Any, pred: Any, text: str) -> None:
    form = f"spans.relaxed(threshold=0.3, text={text})"
    fast = spanscope.evaluate([document(gold, text=TEXT)], [document(pred, text=TEXT)], form, ci=False)
    slow = spanscope.evaluate([own_text(gold)], [own_text(pred)], form, ci=False)
    assert fast.comparison.from_text
    assert not slow.comparison.from_text
    assert fast.counts() == slow.counts()
    if fast.found.ladder is not None and slow.found.ladder is not None:
        assert sorted(fast.found.ladder.score.tolist()) == sorted(slow.found.ladder.score.tolist())


def test_a_text_that_differs_between_the_sides_is_each_sides_own() -> None:
    gold = {"id": "d", "text": "abcd", "spans": [{"start": 0, "end": 4, "label": "A"}]}
    pred = {"id": "d", "text": "wxyz", "spans": [{"start": 0, "end": 4, "label": "A"}]}
    result = spanscope.evaluate([gold], [pred], "spans.relaxed(iou_weight=0, threshold=0)", ci=False)
    assert result.problems.number == {"different texts": 1}
    (found,) = result.matches(["correct"])
    assert found["score"] == 0.0  # difflib's ratio of abcd and wxyz
    assert found["pred"]["text"] == "wxyz"


@pytest.mark.parametrize("own", [None, "abcd", "other"])
def test_the_other_sides_text_is_lent(own: str | None) -> None:
    gold = {"id": "d", "text": "abcd", "spans": [{"start": 0, "end": 4, "label": "A"}]}
    span: dict[str, Any] = {"start": 0, "end": 4, "label": "A"}
    pred = {"id": "d", "spans": [span if own is None else span | {"text": own}]}
    result = spanscope.evaluate([gold], [pred], "spans.relaxed(iou_weight=0, threshold=1)", ci=False)
    assert result.value("f1") == 1.0
    assert result.problems.number == ({"text mismatch": 1} if own == "other" else {})


@given(SIDE, SIDE)
def test_overlapping_pairs_are_those_of_two_loops(gold: Any, pred: Any) -> None:
    found = spanscope.evaluate([document(gold)], [document(pred)], "spans.exact", ci=False).comparison
    own = pairs.overlapping_pairs(found)
    rows = sorted(zip(own.gold.tolist(), own.pred.tolist(), strict=True))
    sides = [list(zip(side.start.tolist(), side.end.tolist(), strict=True)) for side in (found.gold, found.pred)]
    assert rows == [
        (g, p)
        for g, (a, b) in enumerate(sides[0])
        for p, (x, y) in enumerate(sides[1])
        if max(a, x) < min(b, y) or (a == b and (a, b) == (x, y))
    ]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 3)), max_size=40, unique=True))
def test_walking_in_parts_takes_what_one_walk_takes(rows: list[tuple[int, int, int]]) -> None:
    gold, pred, key = (np.array([row[i] for row in rows], dtype=np.int64) for i in range(3))
    expected, used = [], (set[int](), set[int]())
    for row in sorted(range(len(rows)), key=lambda at: (rows[at][2], rows[at][1], rows[at][0])):
        g, p, _ = rows[row]
        if g not in used[0] and p not in used[1]:
            used[0].add(g)
            used[1].add(p)
            expected.append(row)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match, "WALK", 3)
        assert np.flatnonzero(match.greedy(gold, pred, (key, pred, gold))).tolist() == sorted(expected)


@pytest.mark.parametrize("most", [1, 4, 9, 10**9])
def test_batches_cut_at_large_documents_change_no_figure(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = [
        {"id": i, "spans": [{"start": k, "end": k + 2 + i % 2, "label": "A"} for k in range(i % 5)]}
        for i in range(12)
    ]
    moved = [doc | {"spans": [span | {"end": span["end"] + 1} for span in doc["spans"]]} for doc in docs]
    whole = spanscope.evaluate(docs, moved, ["spans.iou", "spans.exact"], ci=False)
    monkeypatch.setattr(comparison, "PAIRS", most)
    parts = spanscope.evaluate(docs, moved, ["spans.iou", "spans.exact"], ci=False)
    assert [row.value for row in parts.rows] == [row.value for row in whole.rows]
    assert list(parts.matches()) == list(whole.matches())
    # The documents have 0 1 4 9 16 0 1 4 9 16 0 1 pairs: | marks the cuts.
    # 1 and 4: 0 1 | 4 | 9 | 16 | 0 1 | 4 | 9 | 16 | 0 1      9: 0 1 4 | 9 | 16 | 0 1 4 | 9 | 16 | 0 1
    assert len(list(whole.comparison.batches(100))) == {1: 9, 4: 9, 9: 7, 10**9: 1}[most]


def test_too_many_pairs_are_refused_with_the_document_named(monkeypatch: pytest.MonkeyPatch) -> None:
    nested = [{"start": k, "end": 40 - k, "label": "A"} for k in range(20)]
    both = [{"id": "a", "spans": nested[:2]}, {"id": "wide", "spans": nested}]
    monkeypatch.setattr(pairs, "MOST_PAIRS", 399)
    with pytest.raises(MeasureError) as caught:
        spanscope.evaluate(both, both, "spans.iou", ci=False)
    assert "400 pairs of spans overlap in document 'wide', which has 20 gold and 20 predicted spans" in str(
        caught.value
    )
    assert (
        spanscope.evaluate(both, both, "spans.exact", score=spanscope.Scoring(errors=False), ci=False).value("f1")
        == 1.0
    )
    monkeypatch.setattr(pairs, "MOST_PAIRS", 404)
    assert spanscope.evaluate(both, both, "spans.iou", ci=False).value("f1") == 1.0


ADVERSARIAL = """
import spanscope
from spanscope.errors import MeasureError
def side(n, more):
    spans = [{"start": k, "end": 4 * n - k + more, "label": "A"} for k in range(n)]
    return [{"id": "d", "spans": spans}]
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
before = peak()
try:
    spanscope.evaluate(side(20_000, 0), side(20_000, 1), "spans.iou", ci=False)
except MeasureError as error:
    print(error)
print((peak() - before) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted in other units elsewhere")
def test_everything_over_everything_does_not_eat_the_machine() -> None:
    done = subprocess.run([sys.executable, "-c", ADVERSARIAL], capture_output=True, text=True, check=True)
    said, _, grown = done.stdout.strip().rpartition("\n")
    assert said.startswith("400,000,000 pairs of spans overlap in document 'd'")
    assert int(grown) < 200  # megabytes; the pairs alone would take thousands


def test_reading_leaves_the_garbage_collector_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(document([((0, 3), "A")], id=i, text=TEXT)) for i in range(3)))
    for on in (True, False):
        (gc.enable if on else gc.disable)()
        try:
            read(path)
            assert gc.isenabled() == on
            with pytest.raises(spanscope.InputError):
                read(tmp_path / "none.jsonl")
        finally:
            assert gc.isenabled() == on
            gc.enable()


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "d", "spans": [{"start": -1099511627776, "end": -1099511627776, "label": "A"}]}',
        '{"id": "d", "spans": [{"start": true, "end": 1, "label": "A"}]}',
        '{"id": "d", "spans": [{"start": 0, "end": 99999999999999999999, "label": "A"}]}',
        '{"id": "d", "text": "ab", "spans": [{"start": 1, "end": 3, "label": "A", "text": "b"}]}',
        '{"id": "d", "text": "ab", "spans": [{"start": 3, "end": 3, "label": "A", "text": ""}]}',
        '{"id": "d", "answer": "reject", "_task_hash": 1, "spans": []}',
    ],
)
def test_what_the_fast_reader_does_not_take_is_explained_with_its_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"id": "c", "spans": []}}\n{line}\n')
    with pytest.raises(spanscope.InputError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:2: ")


def test_more_labels_than_fit_into_a_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    names = [f"L{i:03}" for i in range(300)]
    path.write_text(
        json.dumps(document([((i, i + 1), name) for i, name in enumerate(names)])) + '\n{"spans": [], "id": 2}\n'
    )
    corpus = read(path)
    assert [corpus.labels[code] for code in corpus.spans.label] == names
