"""Documents with very many spans: work grows with the pairs that overlap, and has a limit where all of them do."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.errors import InputError, MeasureError
from spanscope.io.spans import columns
from spanscope.io.spans.values import Unfit
from spanscope.match import one_to_one as match
from spanscope.match import overlaps as pairs
from spanscope.measures.spans import matching as measures
from spanscope.sides import texts
from tests.cli import run
from tests.match.test_speed_paths import SIDE, TEXT, document
from tests.support import NAMES, Json, watched

KEYS = st.tuples(st.booleans(), st.integers(0, 2), st.sampled_from([0.0, 0.25, 0.5]))
CANDIDATES = st.dictionaries(st.tuples(st.integers(0, 6), st.integers(0, 6)), KEYS, max_size=40)


def walked(rows: list[tuple[Any, ...]]) -> list[int]:
    """Take pairs one after the other: gold row, predicted row, then what they are sorted by."""
    used: tuple[set[int], set[int]] = (set(), set())
    taken = []
    for at in sorted(range(len(rows)), key=lambda at: (*rows[at][2:], rows[at][1], rows[at][0])):
        if rows[at][0] not in used[0] and rows[at][1] not in used[1]:
            used[0].add(rows[at][0])
            used[1].add(rows[at][1])
            taken.append(at)
    return sorted(taken)


# ---------------------------------------------------------------- pairs not sorted, texts not read


@given(CANDIDATES)
def test_choosing_before_sorting_takes_what_sorting_takes(found: dict[tuple[int, int], tuple[Any, ...]]) -> None:
    rows = [(*pair, *keys) for pair, keys in found.items()]
    gold, pred = (np.array([row[i] for row in rows], dtype=np.int64) for i in range(2))
    keys = [
        np.array([row[i] for row in rows], dtype=kind) for i, kind in ((2, bool), (3, np.int8), (4, np.float64))
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match, "WALK", 2)
        patch.setattr(match, "PORTIONS", 5)
        taken = match.greedy(gold, pred, (*keys, pred, gold))
    assert np.flatnonzero(taken).tolist() == walked(rows)


@given(CANDIDATES, st.integers(1, 4))
def test_looking_late_takes_what_looking_at_all_takes(
    found: dict[tuple[int, int], tuple[Any, ...]], look: int
) -> None:
    rows = [(*pair, -score) for pair, (_, _, score) in found.items()]
    gold, pred = (np.array([row[i] for row in rows], dtype=np.int64) for i in range(2))
    score = np.array([-row[2] for row in rows], dtype=np.float64)
    slack = np.array([0.25 * extra for _, extra, _ in found.values()], dtype=np.float64)
    asked: list[int] = []

    def told(some: Any) -> Any:
        asked.extend(some.tolist())
        return score[some]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match, "LOOK", look)
        taken, scores = match.greedy_by(gold, pred, score + slack, told, (pred, gold))
    assert np.flatnonzero(taken).tolist() == walked(rows)
    assert scores.tolist() == score[taken].tolist()
    assert len(asked) == len(set(asked))


@given(SIDE, SIDE, st.sampled_from(["text=gestalt", "text=difflib", "rules=reqflow", "iou_weight=1"]))
def test_relaxed_looks_late_and_finds_the_same(gold: Any, pred: Any, setting: str) -> None:
    form = f"spans.relaxed(threshold=0.3,{setting})"
    found = []
    for look in (1, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(match, "LOOK", look)
            sides = [[document(side, text=TEXT)] for side in (gold, pred)]
            found.append(list(spanscope.evaluate(*sides, measures=form, ci=False).matches()))
    assert found[0] == found[1]


def window(number: int, over: int) -> tuple[list[Json], list[Json]]:
    """Return one document per side whose spans overlap about so many of the other side each."""
    size = max(80 * number // over, 80)
    out = []
    for seed in range(2):
        draw = random.Random(seed)
        starts = [draw.randrange(size - 40) for _ in range(number)]
        spans = [{"start": a, "end": a + draw.randint(30, 50), "label": draw.choice("AB")} for a in starts]
        text = "".join(random.Random(9).choices("etaoin shrdlu", k=size + 10))
        out.append([{"id": "d", "text": text, "spans": spans}])
    return out[0], out[1]


def test_most_texts_of_a_dense_document_are_never_held_against_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    plain = measures.text_ratio

    def ratio(first: Any, second: Any, **options: Any) -> Any:
        looked.append(len(first))
        return plain(first, second, **options)

    monkeypatch.setattr(measures, "text_ratio", ratio)
    result = spanscope.evaluate(*window(600, 100), ci=False)
    assert 0 < sum(looked) < len(pairs.same_label_pairs(result.comparison)) // 10  # one in 43 was


@pytest.mark.parametrize("form", ["spans.iou", "spans.exact", "spans.overlap", "spans.semeval"])
def test_ten_times_the_pairs_are_not_ten_times_the_steps_of_python(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def steps(number: int, over: int) -> int:
        gold, pred = window(number, over)
        with watched() as seen:
            spanscope.evaluate(gold, pred, form, ci=False)
        return seen["lines"]

    monkeypatch.setattr(match, "WALK", 100)  # small, as these documents are
    steps(10, 3)  # whatever is loaded or made once
    few, dense, twice = steps(300, 10), steps(300, 100), steps(600, 10)
    assert dense < 3 * few, (few, dense)  # most pairs are left out before anybody walks over them
    assert twice < 2.2 * few


# ---------------------------------------------------------------- everything overlaps everything


def all_over(number: int, *, empty: bool = False) -> list[Json]:
    """Return a document in which every span overlaps every other."""
    places = [(5, 5) if empty else (at, 4 * number - at) for at in range(number)]
    spans = [{"start": a, "end": b, "label": "AB"[at % 2]} for at, (a, b) in enumerate(places)]
    return [{"id": "wide", "text": "etaoin shrdlu " * number, "spans": spans}]


@pytest.mark.parametrize("empty", [False, True])
@pytest.mark.parametrize("form", [*NAMES, "spans.relaxed(rules=reqflow)", "spans.iou(assignment=optimal)"])
@pytest.mark.parametrize("errors", [False, True])
def test_every_measure_is_refused_or_is_cheap(
    form: str, errors: bool, empty: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = all_over(1000, empty=empty)
    monkeypatch.setattr(pairs, "MOST_PAIRS", 999_999)
    monkeypatch.setattr(texts, "LONGEST", 999_999)
    spanscope.evaluate(all_over(3), all_over(3), form, ci=False)  # whatever is loaded once
    said = ""
    with watched() as seen:
        try:
            spanscope.evaluate(both, both, form, score=spanscope.Scoring(errors=errors), ci=False)
        except MeasureError as refusal:
            said = refusal.what
    assert said in (
        "",
        "1,000,000 pairs of spans overlap in document 'wide', which has 1,000 gold and 1,000 predicted spans",
        "1,000 spans have 3,001,000 characters of text together",
    )
    assert seen["bytes"] < 2_000_000  # the pairs alone would take 33 million


def test_zero_length_spans_inside_others_are_no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = [{"id": "d", "spans": [{"start": 0, "end": 9, "label": "A"}] * 20}]
    pred = [{"id": "d", "spans": [{"start": 5, "end": 5, "label": "A"}] * 20}]
    monkeypatch.setattr(pairs, "MOST_PAIRS", 0)
    assert spanscope.evaluate(gold, pred, "spans.iou", ci=False).value("f1") == 0.0


def test_zero_length_spans_count_with_the_others_towards_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    one = [{"start": 5, "end": 5, "label": "A"}] * 3 + [{"start": 0, "end": 9, "label": "A"}] * 2
    both = [{"id": "d", "spans": one}]
    monkeypatch.setattr(pairs, "MOST_PAIRS", 13)
    assert spanscope.evaluate(both, both, "spans.iou", ci=False).value("f1") == 1.0
    monkeypatch.setattr(pairs, "MOST_PAIRS", 12)
    with pytest.raises(MeasureError, match="13 pairs of spans overlap in document 'd', which has 5 gold"):
        spanscope.evaluate(both, both, "spans.iou", ci=False)


def test_what_the_message_says_to_try_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "wide.jsonl"
    path.write_text(json.dumps(all_over(40)[0]))
    monkeypatch.setattr(pairs, "MOST_PAIRS", 400)
    for command in (("eval", path, path), ("compare", path, f"a={path}", f"b={path}")):
        refused = run(*command)
        assert refused.code == 2
        assert "-m spans.exact --no-errors   which needs no pairs" in refused.err
        assert run(*command, "-m", "spans.exact").code == 2
        assert run(*command, "-m", "spans.exact", "--no-errors").code == 0
        assert run(*command, "--labels", "A").code == 0
    assert (
        spanscope.evaluate(path, path, "spans.exact", score=spanscope.Scoring(errors=False), ci=False).value("f1")
        == 1.0
    )


def test_no_errors_leaves_out_what_lists_them(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(all_over(4)[0]))
    found = json.loads(run("eval", path, path, "--no-errors", "-f", "json").out)
    assert not found.get("errors")
    for option in (("-n", "3"), ("--matches", "-f", "json"), ("--html", str(tmp_path / "a.html"))):
        refused = run("eval", path, path, "--no-errors", *option)
        assert refused.code == 2
        assert "lists errors, and --no-errors turns them off" in refused.err


def test_texts_of_spans_in_each_other_are_listed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    both = all_over(20)
    monkeypatch.setattr(texts, "LONGEST", 500)
    result = spanscope.evaluate(both, both, "spans.exact", ci=False)
    assert [record["gold"]["text"] for record in result.matches()] == [
        both[0]["text"][span["start"] : span["end"]] for span in both[0]["spans"]
    ]
    with pytest.raises(MeasureError, match="20 spans have 1,220 characters of text together"):
        spanscope.evaluate(both, both, "spans.text", ci=False)


# ---------------------------------------------------------------- columns

ODD = st.sampled_from([0, 3, 5, 5.0, True, -1, None, float("nan"), 1 << 70, "5", np.int64(4)])
NAME = st.sampled_from(["a", "b", 1, 2.0, "1"])
WORD = st.sampled_from(["x", None, float("nan"), 3])
ROW = st.tuples(NAME, st.integers(0, 3) | ODD, st.integers(3, 6), st.sampled_from(["A", "B"]), WORD)
PLAIN = st.tuples(NAME, st.integers(0, 3), st.integers(3, 6), st.sampled_from(["A", "B"]), st.just("x"))


@given(st.lists(ROW, max_size=4) | st.lists(PLAIN, max_size=8))
def test_plain_columns_are_read_as_the_careful_reader_reads_them(rows: list[tuple[Any, ...]]) -> None:
    value = {name: [row[i] for row in rows] for i, name in enumerate(("doc", "start", "end", "label", "text"))}

    def read() -> Any:
        try:
            own = spanscope.evaluate(value, value, "spans.text", ci=False).comparison
        except (InputError, MeasureError) as refusal:
            return str(refusal)
        side = own.gold
        cells = (side.doc, side.start, side.end, side.label, side.position)
        return own.names, own.labels, [cell.tolist() for cell in cells], own.text("gold").tolist()  # type: ignore[union-attr]

    def unfit(*_: Any) -> Any:
        raise Unfit

    fast = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "_batch", unfit)
        assert read() == fast


def test_columns_of_many_spans_take_few_steps() -> None:
    size = 2000  # beside which what is looked at once, such as the names of columns, is little
    value = {
        "doc": ["d"] * size,
        "start": list(range(size)),
        "end": list(range(1, size + 1)),
        "label": ["A"] * size,
    }
    spanscope.evaluate(value, value, "spans.iou", ci=False)
    with watched() as seen:
        spanscope.evaluate(value, value, "spans.iou", ci=False)
    assert seen["lines"] < 3 * 2 * size  # a dict and a check of every field of every span were 85 for each
