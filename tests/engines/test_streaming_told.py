"""Files read in blocks: what is said of bad lines and odd data, and what was not kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from spanscope import Running, viewer
from spanscope.commands.evaluate import evaluate
from spanscope.engines import sizes
from spanscope.errors import InputError, MeasureError
from spanscope.io import line_blocks as blocks
from spanscope.settings.options import grouped
from tests.streaming_support import FAMILIES, documents, files, put, refusal, same, same_rows, small, whole

__all__ = ["small"]  # a fixture


# ---------------------------------------------------------------- what is said


BAD = [
    '{"id": "d16", "spans": [',
    '{"id": "d16", "spans": [{"start": 5, "end": 2, "label": "A"}]}',
    '{"id": "d16", "spans": 3}',
]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bad_line_in_the_third_block(
    bad: str, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if jobs > 1 and bad != BAD[0]:
        pytest.skip("one bad line is enough for several processes")
    monkeypatch.setattr(blocks, "LINES", 7)
    gold, pred = documents("spans", 30)
    lines: Any = [*pred[:16], bad, *pred[17:]]
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", lines)
    kind, words = refusal(ours, theirs, memory="counts", jobs=jobs)
    assert words.startswith(f"{theirs}:17: ")
    assert (kind, words) == refusal(ours, theirs, memory="spans")


@pytest.mark.usefixtures("small")
def test_a_bad_line_of_dealt_files(tmp_path: Path) -> None:
    gold, pred = documents("spans", 30)
    lines: Any = [*reversed(pred)]
    lines[16] = '{"id": "d13", "spans": [{"start": 5, "end": 2, "label": "A"}]}'
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", lines)
    assert refusal(ours, theirs, memory="counts")[1].startswith(f"{theirs}:17: spans[0]")


@pytest.mark.usefixtures("small")
def test_labels(tmp_path: Path) -> None:
    """Labels that only late blocks have, labels asked for, labels that no span has."""
    ours, theirs = files(tmp_path, "spans")
    found = evaluate(ours, theirs, run=Running(memory="counts"))
    assert "Late" in {row.label for row in found.rows}
    chosen: Any = {"labels": ["Late", "A", "Lat"]}
    found = evaluate(ours, theirs, run=Running(memory="counts"), **grouped(chosen))
    same(whole(ours, theirs, **chosen), found)
    assert found.problems.number["unseen label"] == 1
    assert "other label" in found.problems.number
    assert len(found.problems.first["other label"]) == 2  # once a side, however many blocks


@pytest.mark.usefixtures("small")
def test_texts_that_do_not_agree(tmp_path: Path) -> None:
    gold, pred = documents("spans")
    for row in (2, 33, 58):
        gold[row]["spans"] = [{"start": 0, "end": 3, "label": "A", "text": "not so"}]
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    found = evaluate(ours, theirs, run=Running(memory="counts"))
    assert [case.split(": ")[0] for case in found.problems.first["text mismatch"]] == [
        f"{ours}:{line}" for line in (3, 34, 59)
    ]
    same(whole(ours, theirs), found)
    kind, words = refusal(ours, theirs, memory="counts", strict=True)
    assert kind is InputError
    assert words.startswith(f"{ours}:3: spans[0].text is 'not so'")


@pytest.mark.usefixtures("small")
def test_nothing_in_common(tmp_path: Path) -> None:
    gold, pred = documents("spans")
    for one in pred:
        one["id"] = f"other {one['id']}"
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    for policy in ("empty", "skip"):
        options: Any = {"missing": policy, "extra": "skip"}
        expected, found = (
            whole(ours, theirs, **options),
            evaluate(ours, theirs, run=Running(memory="counts"), **grouped(options)),
        )
        assert found.problems.first["nothing in common"] == expected.problems.first["nothing in common"]
        assert found.totals() == expected.totals()


@pytest.mark.usefixtures("small")
def test_tags_that_fit_other_schemes_in_some_blocks(tmp_path: Path) -> None:
    """A block of nothing but O has no scheme; the scheme is that of all documents."""
    gold, pred = documents("tokens", 20)
    for side in (gold, pred):
        for one in side[14:]:
            one["tags"] = ["O"] * 10
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    found = evaluate(ours, theirs, run=Running(memory="counts"))
    assert found.settings.tags.scheme == "IOB2"
    same(whole(ours, theirs), found)


# ---------------------------------------------------------------- what was not kept


@pytest.mark.usefixtures("small")
def test_what_counts_can_tell(tmp_path: Path) -> None:
    ours, theirs = files(tmp_path, "spans")
    found, expected = evaluate(ours, theirs, run=Running(memory="counts")), whole(ours, theirs)
    assert found.curve(grid="exact") == expected.curve(grid="exact")
    assert repr(found.by_document(worst=True)) == repr(expected.by_document(worst=True))
    kept = found.to_dict(kept=True)["kept"]
    assert kept["keys"] == expected.to_dict(kept=True)["kept"]["keys"]
    with pytest.raises(MeasureError, match="the list of matches needs the spans"):
        next(found.matches())
    assert "counts of every document were kept" in str(found)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("small")
def test_the_page_needs_the_spans(family: str, tmp_path: Path) -> None:
    found = evaluate(*files(tmp_path, family), run=Running(memory="counts"), ci=False)
    with pytest.raises(MeasureError, match="the page needs the spans, which were not kept"):
        viewer.render(found)


@pytest.mark.usefixtures("small")
def test_optimal_matching_has_no_curve(tmp_path: Path) -> None:
    ours, theirs = files(tmp_path, "spans")
    found = evaluate(ours, theirs, "spans.relaxed(assignment=optimal)", run=Running(memory="counts"))
    assert found.to_dict()["curve"] == []
    assert "Over thresholds" not in str(found)
    same_rows(found, whole(ours, theirs, measures="spans.relaxed(assignment=optimal)"))
    with pytest.raises(MeasureError, match="curve"):
        found.curve()


def test_inputs_without_lines() -> None:
    gold, pred = documents("spans", 12)
    same(evaluate(list(gold), list(pred)), evaluate(list(gold), list(pred), run=Running(memory="counts")))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"jobs": 0}, "jobs is 0"),
        ({"memory": "all"}, "memory is 'all'"),
        ({"jobs": 2, "memory": "spans"}, "several processes give back counts, not spans"),
    ],
)
def test_options_that_cannot_be(options: Any, words: str, tmp_path: Path) -> None:
    assert words in refusal(*files(tmp_path, "spans", 3), **options)[1]


def test_several_processes_need_lines(tmp_path: Path) -> None:
    gold, pred = documents("spans", 3)
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(list(gold)))
    words = refusal(str(path), put(tmp_path / "p.jsonl", pred), jobs=2)[1]
    assert words.startswith(f"{path}: cannot be read by several processes")


def test_huge_json_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, pred = documents("spans", 20)
    path, lines = tmp_path / "gold.json", put(tmp_path / "p.jsonl", pred)
    path.write_text(json.dumps(list(gold), indent=1))
    evaluate(str(path), lines)
    monkeypatch.setattr(sizes, "WHOLE", 1000)
    for memory in (None, "spans", "counts", "totals"):
        words = refusal(str(path), lines, memory=memory)[1]
        assert words.startswith(f"{path}: is one JSON value of {path.stat().st_size:,} bytes")
        assert f"jq -c '.[]' {path} > FILE.jsonl" in words
    evaluate(lines, lines, "spans.exact")  # lines may be of any size
