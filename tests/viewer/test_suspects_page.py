"""Gold under suspicion on the page of several runs: what `spanscope audit` finds, flagged and put right."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import viewer
from tests.cli import GOLD, PRED
from tests.support import Json
from tests.viewer.conftest import Opened, axe
from tests.viewer.test_findings_out import save

Open = Callable[..., Opened]


def runs() -> list[tuple[str, list[Json]]]:
    """Return three runs: one, and two that lack every third of its spans, others each."""
    whole = spanscope.read(PRED).to_dicts()
    less = [
        [{**one, "spans": [span for at, span in enumerate(one["spans"]) if at % 3 != left]} for one in whole]
        for left in (0, 1)
    ]
    return [("one", whole), ("two", less[0]), ("three", less[1])]


@pytest.fixture(scope="module")
def three() -> spanscope.Compared:
    return spanscope.compare(GOLD, *runs(), measures="spans.exact", trials=20)


def test_suspects_are_those_of_the_command(three: spanscope.Compared) -> None:
    found = viewer.unpack(viewer.render(three))["audit"]
    want = spanscope.audit(GOLD, *runs()).suspects
    names = found["systems"]

    def span(side: str, at: int) -> tuple[Any, ...]:
        own = found[side]
        units = found["texts"][own["doc"][at]].encode("utf-16-le")
        text = units[2 * own["start16"][at] : 2 * own["end16"][at]].decode("utf-16-le")
        return own["start"][at], own["end"][at], found["labels"][own["label"][at]], text

    def told(one: Json | None) -> tuple[Any, ...] | None:
        return None if one is None else (one["start"], one["end"], one["label"], one["text"])

    assert found["total"] == len(want) == len(found["kind"]) > 20
    for at, one in enumerate(want):
        assert (found["names"][found["found"]["doc"][at]], found["kind"][at]) == (one.document, one.kind)
        assert span("found", at) == told(one.found)
        row = found["row"][at]
        assert (None if row < 0 else span("gold", row)) == told(one.gold)
        assert [names[n] for n in found["votes"][at]] == list(one.systems)
        assert [names[n] for n in found["with_gold"][at]] == list(one.with_gold)
        assert found["of"][at] == one.of


@pytest.mark.parametrize("text", ["masked", "none"])
def test_no_text_of_a_suspect_is_in_a_page_without_texts(three: spanscope.Compared, text: str) -> None:
    page = viewer.unpack(viewer.render(three, text=text))
    words = {one.found["text"] for one in spanscope.audit(GOLD, *runs()).suspects}
    assert not any(word in json.dumps(page["audit"]["texts"], ensure_ascii=False) for word in words)


def test_runs_that_cannot_be_held_against_one_gold_have_no_suspects() -> None:
    gold = [{"id": 1, "text": "abcdef", "segments": [[0, 3], [3, 6]]}]
    page = viewer.render(spanscope.compare(gold, ("a", gold), ("b", gold), measures="segments.pk", trials=5))
    assert viewer.unpack(page)["audit"] is None


def test_suspects_are_flagged_and_put_right(in_both: Open, three: spanscope.Compared, tmp_path: Path) -> None:
    """`m` says that gold is wrong and lacks what the runs agree on; the corrections do that to gold."""
    page = in_both(three).go("#/suspects?why=other%20label", "suspect")
    first = next(one for one in spanscope.audit(GOLD, *runs()).suspects if one.kind == "other label")
    rows = page.page.get_by_test_id("suspect")
    assert first.gold is not None
    assert f"{first.gold['label']} → {first.found['label']}" in rows.first.inner_text().replace("\n", "")
    page.page.keyboard.press("m")
    page.page.locator(".row .flag").first.wait_for()
    page.page.get_by_label("Note").last.press_sequentially("as told")
    page.page.get_by_label("Note").last.press("Enter")
    for width in page.at_widths():
        assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    axe(page.page)
    listed = save(page, "suspects")[1]
    own = spanscope.audit(GOLD, *runs()).to_dict()["suspects"]
    assert [json.loads(line) for line in listed.splitlines()] == [
        {key: one[key] for key in ("document", "kind", "found", "gold", "systems", "with_gold", "of")}
        for one in own
        if one["kind"] == "other label"
    ]
    page.go("#/suspects", "suspect")  # from the start: flags are kept in the browser
    text = save(page, "corrections")[1]
    (tmp_path / "list.jsonl").write_text(text, encoding="utf-8")
    assert "as told" in text
    merged = spanscope.merge_decided(tmp_path / "list.jsonl", GOLD)
    assert (merged.decided, merged.added, merged.removed) == (1, 1, 1)
    spans = next(one["spans"] for one in merged.documents if one["id"] == first.document)
    places = {(one["start"], one["end"], one["label"]) for one in spans}
    assert (first.found["start"], first.found["end"], first.found["label"]) in places
    assert (first.gold["start"], first.gold["end"], first.gold["label"]) not in places
    assert page.complaints == []


def test_changes_are_flagged_on_the_same_shelf(opened: Open, tmp_path: Path) -> None:
    """A gold span that only one run has is flagged as wrong; the page of one run over that gold has the flag."""
    two = spanscope.compare(GOLD, *runs()[:2], measures="spans.exact", trials=20)
    page = opened(two).go("#/changes?kind=broken", "row")
    page.page.keyboard.press("m")
    page.page.locator(".flagbar [aria-pressed=true]").wait_for()
    text = save(page, "corrections")[1]
    (tmp_path / "list.jsonl").write_text(text, encoding="utf-8")
    merged = spanscope.merge_decided(tmp_path / "list.jsonl", GOLD)
    broken = two.changes["broken"][0]
    assert (merged.added, merged.removed) == (0, 1)
    assert json.loads(text)["meta"]["corrections"] == [
        f"wrong: gold {broken['label']} {broken['start']}-{broken['end']}"
    ]
    # At the same address, where its flags are kept.
    viewer.write(spanscope.evaluate(GOLD, PRED, "spans.exact", ci=False), page.path)
    again = page.go("#/errors?kind=correct&flagged=1")
    assert again.page.get_by_test_id("row").count() == 1
    assert page.complaints == []
