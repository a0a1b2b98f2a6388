"""Label Studio exports, built by hand: clauses and quotes, UTF-16, who annotated, and what is broken."""

import json
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import InputError
from tests.cli import refused, run, write
from tests.io.test_io_segments import content
from tests.support import Json

# 'She said "hi". ' has 15 characters, 'Then left.' 10; the page writes the quotes as \" and so has 17 and 10.
CLAUSES = ['She said \\"hi\\". ', "Then left."]
OFFSETS = [[0, 15], [15, 25]]


def page(*clauses: str, between: str = "") -> str:
    return between.join(f"<div><div>{clause}</div></div>" for clause in clauses)


def region(start: tuple[int, Any], end: tuple[int, Any], label: str = "Plan") -> Json:
    """Return a result from a clause and an offset in it to another; clauses count from 1."""
    ends = {"start": f"/div[{start[0]}]/div[1]/text()[1]", "end": f"/div[{end[0]}]/div[1]/text()[1]"}
    value = {**ends, "startOffset": start[1], "endOffset": end[1], "hypertextlabels": [label], "text": "..."}
    return {"from_name": "ner", "to_name": "content", "type": "hypertextlabels", "value": value}


def drawn(start: Any, end: Any, *labels: str) -> Json:
    """Return a result on a plain text."""
    return {"type": "labels", "value": {"start": start, "end": end, "labels": list(labels) or ["A"]}}


def by(who: Any, *results: Json, **more: Any) -> Json:
    return {"id": 7, "completed_by": who, "was_cancelled": False, "result": list(results), **more}


def clauses(*annotations: Json, html: str = page(*CLAUSES), offsets: Any = OFFSETS) -> list[Json]:
    data = {"html": html, "offsets": offsets, "origin_id": "t1"}
    return [{"id": 5, "data": data, "annotations": list(annotations), "predictions": [], "drafts": []}]


def plain(*annotations: Json, text: str = "a😀b", **more: Any) -> list[Json]:
    return [{"id": 9, "data": {"text": text}, "annotations": list(annotations), **more}]


def html(text: str, *results: Json) -> list[Json]:
    return [{"id": 9, "data": {"html": text}, "annotations": [by(1, *results)]}]


def wrong(tasks: Any) -> str:
    with pytest.raises(InputError) as caught:
        content(tasks)
    return str(caught.value)


# ---------------------------------------------------------------- pages of clauses

WHOLE = [region((1, 0), (1, 17)), region((2, 0), (2, 10))]


def test_clauses() -> None:
    assert content(clauses(by(1, *WHOLE))) == {"1": [(0, 15, "Plan"), (15, 25, "Plan")]}


@pytest.mark.parametrize(
    ("offset", "expected"),
    [(9, 9), (11, 10), (13, 12), (15, 13), (16, 14), (17, 15)],  # before, after each quote, and at the end
)
def test_an_escaped_quote_is_one_character(offset: int, expected: int) -> None:
    found = content(clauses(by(1, region((1, 0), (1, offset)), region((1, offset), (2, 10)))))
    assert found == {"1": [(0, expected, "Plan"), (expected, 25, "Plan")]}


def test_a_backslash_of_the_text_is_left_alone() -> None:
    """Where the clause is as long as its page, nothing was escaped: the text itself has the backslash."""
    tasks = clauses(by(1, region((1, 0), (1, 4)), region((1, 4), (1, 6))), html=page('ab\\"cd'), offsets=[[0, 6]])
    assert content(tasks) == {"1": [(0, 4, "Plan"), (4, 6, "Plan")]}


def test_clauses_count_utf16() -> None:
    tasks = clauses(
        by(1, region((1, 0), (1, 3)), region((1, 3), (2, 2))), html=page("a😀b", "cd"), offsets=[[0, 3], [3, 5]]
    )
    assert content(tasks) == {"1": [(0, 2, "Plan"), (2, 5, "Plan")]}


def test_entities_of_the_page() -> None:
    tasks = clauses(
        by(1, region((1, 0), (1, 4)), region((2, 0), (2, 2))),
        html=page("a&lt;b&amp;", "cd"),
        offsets=[[0, 4], [4, 6]],
    )
    assert content(tasks) == {"1": [(0, 4, "Plan"), (4, 6, "Plan")]}


NEWLINE, EMPTY, LESS = ("abc", "defg"), ("a", "", "cde", "f"), ("a < b", "def")


@pytest.mark.parametrize(
    ("text", "at", "between"),
    [
        (NEWLINE, 2, "\n"),
        (EMPTY, 3, ""),
        (LESS, 1, ""),
    ],
)
def test_clauses_are_found_by_their_number(text: tuple[str, ...], at: int, between: str) -> None:
    """A browser counts elements: what stands between them, or is missing in them, does not move the others."""
    edges = [0, *accumulate(map(len, text))]
    cut = edges[at - 1] + 3
    results = [region((1, 0), (at, 3)), region((at, 3), (len(text), len(text[-1])))]
    offsets = [list(pair) for pair in pairwise(edges)]
    found = content(clauses(by(1, *results), html=page(*text, between=between), offsets=offsets))
    assert found == {"1": [(0, cut, "Plan"), (cut, edges[-1], "Plan")]}


def test_order_and_gaps_are_for_normalise() -> None:
    """Results in the order they were drawn, and 'She said' without the space behind it."""
    tasks = clauses(by(1, region((1, 9), (2, 10), "B"), region((1, 0), (1, 8), "A")))
    assert wrong(tasks).startswith("gold[0]: segmentations.1[1] starts at 0, before segmentations.1[0]")
    assert content(tasks, normalise=True) == {"1": [(0, 9, "A"), (9, 25, "B")]}
    found = spanscope.panel(
        [*clauses(*tasks[0]["annotations"], by(2, *WHOLE))], read=spanscope.Reading(normalise=True)
    )
    assert found.problems == {"sorted segments": 1, "closed gap": 1}


BROKEN: dict[str, tuple[Any, Any, str]] = {
    "another element": ("/p[1]/text()[1]", 0, "'/p[1]/text()[1]' with offset 0"),
    "past the last clause": ("/div[3]/div[1]/text()[1]", 0, "'/div[3]/div[1]/text()[1]' with offset 0"),
    "clause 0": ("/div[0]/div[1]/text()[1]", 0, "'/div[0]/div[1]/text()[1]' with offset 0"),
    "nothing": (None, 0, "None with offset 0"),
    "no offset": ("/div[1]/div[1]/text()[1]", None, "'/div[1]/div[1]/text()[1]' with offset None"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_paths(name: str) -> None:
    path, offset, said = BROKEN[name]
    result = region((1, 0), (2, 10))
    result["value"] |= {"start": path, "startOffset": offset}
    assert wrong(clauses(by(1, result))) == (
        f"gold[0]: 1: result[0].start is {said}\n  expected  /div[N]/... and an offset"
    )


@pytest.mark.parametrize("offset", [11, 1000, -3, True])
def test_offsets_outside_the_clause(offset: int) -> None:
    assert "result[0].end" in wrong(clauses(by(1, region((1, 0), (2, offset)))))


def test_offsets_inside_a_character() -> None:
    wrong(clauses(by(1, region((1, 0), (1, 2)), region((1, 2), (1, 4))), html=page("a😀b"), offsets=[[0, 3]]))


@pytest.mark.parametrize("offsets", [[1, 2], [["a", "b"]], [[0]], [None]])
def test_broken_offsets_of_clauses(offsets: Any) -> None:
    wrong(clauses(by(1, region((1, 0), (1, 1))), offsets=offsets))


# ---------------------------------------------------------------- plain texts, and pages without clauses


def test_plain_text_counts_utf16() -> None:
    """The emoji is two units: 0..3 is 'a😀', 3..4 is 'b'."""
    expected = {"1": [(0, 2, "A"), (2, 3, "B")]}
    assert content(plain(by(1, drawn(0, 3, "A"), drawn(3, 4, "B")))) == expected
    assert content(plain(by(1, drawn(0, 3, "A"), drawn(3, 4, "B"))), offsets="utf8") == expected  # always UTF-16


@pytest.mark.parametrize(("end", "said"), [(2, "2"), (5, "5"), (-1, "-1"), (None, "None"), (3.0, "3.0")])
def test_plain_text_refused(end: Any, said: str) -> None:
    assert wrong(plain(by(1, drawn(0, end)))) == (
        f"gold[0]: 1: result[0].end is {said}\n  expected  an offset into the text, in UTF-16 units"
    )


def test_results_that_are_no_regions() -> None:
    """A choice about the whole text is no segment."""
    choice = {"type": "choices", "value": {"choices": ["good"]}}
    assert content(plain(by(1, choice, drawn(0, 4)))) == {"1": [(0, 3, "A")]}


def test_global_offsets() -> None:
    """Both paragraphs joined are 'a😀bcd'; 0..3 is 'a😀', 3..6 the rest."""
    parts = [
        {"type": "hypertextlabels", "value": {"globalOffsets": {"start": a, "end": b}, "hypertextlabels": ["A"]}}
        for a, b in ((0, 3), (3, 6))
    ]
    assert content(html("<p>a😀b</p><p>cd</p>", *parts)) == {"1": [(0, 2, "A"), (2, 5, "A")]}


def test_a_page_without_global_offsets() -> None:
    assert "result[0].start is '/div[1]/div[1]/text()[1]'" in wrong(html("<p>ab</p>", region((1, 0), (1, 2))))


@pytest.mark.parametrize(
    "bad",
    [
        {"globalOffsets": [0, 4], "labels": ["A"]},
        {"start": False, "end": 4, "labels": ["A"]},
        {"start": 0, "end": 4, "labels": ["A", "B"]},
    ],
)
def test_values_that_are_refused(bad: Json) -> None:
    wrong(plain(by(1, {"type": "labels", "value": bad})))


def test_result_is_no_list() -> None:
    wrong(plain({"completed_by": 1, "result": 5}))


# ---------------------------------------------------------------- who


def test_annotators_and_models() -> None:
    tasks = plain(
        by(1, drawn(0, 4)),
        by({"id": 3, "email": "ann@example.org"}, drawn(0, 3), drawn(3, 4)),
        by({"id": 4}, drawn(0, 4)),
        predictions=[{"model_version": "m-2", "result": [drawn(0, 1), drawn(1, 4)]}],
    )
    assert content(tasks) == {
        "1": [(0, 3, "A")],
        "ann@example.org": [(0, 2, "A"), (2, 3, "A")],
        "4": [(0, 3, "A")],
        "m-2": [(0, 1, "A"), (1, 3, "A")],
    }


def test_nobody() -> None:
    assert content(plain({"result": [drawn(0, 4)]})) == {"annotator": [(0, 3, "A")]}


def test_two_annotations_by_one() -> None:
    assert wrong(plain(by(1, drawn(0, 4)), by(1, drawn(0, 4)))) == (
        "gold[0]: two annotations are by '1'\n  expected  one annotation of each annotator"
    )


def test_a_model_is_no_annotator() -> None:
    tasks = plain(by(1, drawn(0, 4)), predictions=[{"model_version": 1, "result": [drawn(0, 4)]}])
    assert len(content(tasks)) == 2


CANCELLED = [by(1, drawn(0, 4)), by(2, drawn(0, 4)), by(3, drawn(0, 1), was_cancelled=True)]


def test_cancelled_annotations_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(content(plain(*CANCELLED))) == ["1", "2"]
    done = run("check", write(Path("ls.json"), json.dumps(plain(*CANCELLED))))
    assert (done.code, done.out) == (1, "ls.json:1: the annotation 7 was cancelled: left out\n")


def test_cancelled_annotations_are_reported() -> None:
    assert spanscope.panel(plain(*CANCELLED)).problems == {"cancelled annotation": 1}


def test_ids() -> None:
    """The trace's own id, else the task's."""
    found = spanscope.panel(
        [*clauses(by(1, *WHOLE), by(2, *WHOLE)), *plain(by(1, drawn(0, 4)), by(2, drawn(0, 4)))]
    )
    assert [record["document"] for record in found.by_document("f1")] == ["t1", "9"]


def test_an_export_is_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = write(Path("export.json"), json.dumps(plain(by(1, drawn(0, 4)), by(2, drawn(0, 3), drawn(3, 4)))))
    assert "2 segmentations" in run("eval", file, "--gold", "1").out
    assert "no segmentation is called '3'" in refused(run("eval", file, "--gold", "3"))


def test_predictions_without_annotations() -> None:
    task = {"id": 1, "data": {"text": "abcd"}, "predictions": [{"model_version": "m", "result": [drawn(0, 4)]}]}
    assert content([task]) == {"m": [(0, 4, "A")]}


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ({"id": 3}, "a task is {'id': 3}\n  expected  an object with data and annotations"),
        (5, "a task is 5\n  expected  an object with data and annotations"),
        (
            {"data": {"image": "x.png"}, "annotations": []},
            "data has image\n  expected  a text under text, content or html",
        ),
        (
            {"data": {"text": "ab"}, "annotations": ["x"]},
            "annotations[0] is 'x'\n  expected  an object with result",
        ),
    ],
)
def test_broken_tasks(task: Any, said: str) -> None:
    assert wrong([*plain(by(1, drawn(0, 4))), task]) == f"gold[1]: {said}"


# ---------------------------------------------------------------- nothing moves, nothing is lost in silence


def test_between_a_backslash_and_its_quote() -> None:
    assert wrong(clauses(by(1, region((1, 0), (1, 10)), region((1, 10), (2, 10))))) == (
        "gold[0]: 1: result[0].end is '/div[1]/div[1]/text()[1]' with offset 10\n"
        "  expected  an offset from 0 to 17 between two characters of clause 1"
    )


def test_another_number_of_clauses() -> None:
    said = wrong(clauses(by(1, *WHOLE), offsets=[[0, 25]]))
    assert said == "gold[0]: data.html has 2 clauses, data.offsets 1\n  expected  as many of both"


def test_clauses_of_another_length_are_reported() -> None:
    """'ab ' was shown without its space: the offsets are right, and people are told."""
    tasks = clauses(
        *(by(who, region((1, 0), (2, 2))) for who in (1, 2)), html=page("ab", "cd"), offsets=[[0, 3], [3, 5]]
    )
    assert spanscope.panel(tasks).problems == {"other length": 1}


def test_a_model_has_one_name_in_all_tasks() -> None:
    """In the second task nobody is called m; the model has the name it has in the first."""
    tasks = [
        *plain(by("m", drawn(0, 4)), predictions=[{"model_version": "m", "result": [drawn(0, 4)]}]),
        *plain(by("n", drawn(0, 4)), predictions=[{"model_version": "m", "result": [drawn(0, 4)]}]),
    ]
    assert {name: len(found) for name, found in content(tasks).items()} == {"m": 1, "model m": 2, "n": 1}


def test_tasks_that_nobody_annotated_are_reported() -> None:
    tasks = [*plain(by(1, drawn(0, 4)), by(2, drawn(0, 4))), *plain()]
    assert spanscope.panel(tasks).problems == {"no annotation": 1}


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ({"annotations": 5}, "annotations is 5\n  expected  a list"),
        (by([1]), "completed_by is [1]\n  expected  an e-mail address or a number"),
        (by(1, 5), "1: result[0] is 5\n  expected  an object with type and value"),  # type: ignore[arg-type]
        (
            by(1, {"type": "labels", "value": 3}),
            "1: result[0].value is 3\n  expected  an object with start, end and labels",
        ),
    ],
)
def test_malformed_annotations(task: Json, said: str) -> None:
    broken = [{**plain()[0], **task}] if "annotations" in task else plain(task)
    assert wrong([*plain(by(1, drawn(0, 4))), *broken]) == f"gold[1]: {said}"
