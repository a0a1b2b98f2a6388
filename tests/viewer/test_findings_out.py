"""What leaves the page: the findings as listed, and flags as corrections that are put back into gold."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spanscope
from tests.cli import GOLD, PRED
from tests.viewer.conftest import Opened, axe

Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def result() -> spanscope.Result:
    return spanscope.evaluate(GOLD, PRED, "spans.relaxed", ci=False)


WATCH = """() => {
    window.savedAs = undefined;
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => (window.saved = blob.text(), make.call(URL, blob));
    HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; };
}"""  # what is handed over as a file, without the browser's own ways of saving it


def save(page: Opened, name: str) -> tuple[str, str]:
    """Choose an export of the menu; return the name of the file and what is in it."""
    page.page.evaluate(WATCH)
    page.page.get_by_test_id("export").click()
    page.page.get_by_test_id(f"export-{name}").click()
    page.page.wait_for_function("() => window.savedAs")
    return tuple(page.page.evaluate("Promise.all([window.savedAs, window.saved])"))


def test_findings_go_out_as_they_are_listed(in_both: Open, result: spanscope.Result) -> None:
    """The lines are those of `Result.matches`, with how alike the spans are beside them."""
    page = in_both(result, title="Run 7").go("#/errors?kind=boundary,missing,spurious")
    name, lines = save(page, "list-jsonl")
    assert name == "Run-7-findings.jsonl"
    found = [json.loads(line) for line in lines.splitlines()]
    want = list(result.matches(["boundary", "missing", "spurious"]))
    plain: Any = lambda one: json.dumps([one[key] for key in ("document", "kind", "gold", "pred")])  # noqa: E731
    assert sorted(map(plain, found)) == sorted(map(plain, want))
    paired = [one for one in found if one["kind"] == "boundary"]
    assert all(abs(0.65 * one["iou"] + 0.35 * one["text_ratio"] - one["score"]) < 0.0002 for one in paired)
    assert all(one["iou"] is None for one in found if one["kind"] != "boundary")
    name, table = save(page, "list-csv")
    assert name == "Run-7-findings.csv"
    rows = list(csv.DictReader(table.splitlines()))
    assert [row["gold_text"] or row["pred_text"] for row in rows] == [
        (one["gold"] or one["pred"])["text"] for one in found
    ]
    page.page.get_by_test_id("chip-missing").click()
    assert len(save(page, "list-jsonl")[1].splitlines()) == len(want) - result.errors()["missing"]["count"]
    assert page.complaints == []


def test_flags_stay_and_become_corrections(in_both: Open, result: spanscope.Result, tmp_path: Path) -> None:
    """A gold span that is wrong is taken out, a prediction that is missing is put in; unsure ones stay."""
    page = in_both(result).go("#/errors?kind=missing,spurious")
    shown = next(one for one in result.matches(["missing"]))
    extra = next(one for one in result.matches(["spurious"]))
    rows = page.page.get_by_test_id("row")
    rows.filter(has_text=shown["gold"]["text"]).first.click()
    page.page.keyboard.press("m")
    page.page.get_by_label("Note").press_sequentially("not a name")  # as a person types it
    page.page.get_by_label("Note").press("Enter")
    rows.filter(has_text="∅ →").filter(has_text=extra["pred"]["text"]).first.click()
    page.page.get_by_role("button", name="add it").click()
    page.page.get_by_label("Flagged").check()
    assert rows.count() == 2
    page.page.wait_for_function("() => location.hash.includes('flagged=1')")
    for width in page.at_widths():
        assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    axe(page.page)
    page.go("#/errors?flagged=1")  # from the start: flags are kept in the browser
    assert page.page.get_by_test_id("row").count() == 2
    name, text = save(page, "corrections")
    assert name.endswith("-corrections.jsonl")
    (tmp_path / "list.jsonl").write_text(text, encoding="utf-8")
    merged = spanscope.merge_decided(tmp_path / "list.jsonl", GOLD)
    assert (merged.added, merged.removed) == (1, 1)
    assert "not a name" in text
    after = {
        (one["id"], span["start"], span["end"], span["label"]) for one in merged.documents for span in one["spans"]
    }
    before = {
        (one["id"], span["start"], span["end"], span["label"])
        for one in spanscope.read(GOLD).to_dicts()
        for span in one["spans"]
    }
    own: Any = lambda one, side: (one["document"], *(one[side][key] for key in ("start", "end", "label")))  # noqa: E731
    assert before - after == {own(shown, "gold")}
    assert after - before == {own(extra, "pred")}
    assert page.complaints == []


@pytest.mark.parametrize("text", ["masked", "none"])
def test_no_text_goes_out_of_a_page_without_texts(opened: Open, result: spanscope.Result, text: str) -> None:
    page = opened(result, text=text).go("#/errors")
    page.page.get_by_test_id("row").first.click()
    page.page.keyboard.press("m")
    words = {one["gold"]["text"] for one in result.matches(["missing"])}
    for name in ("list-csv", "list-jsonl", "corrections"):
        found = save(page, name)[1]
        assert found.count("\n") > 0
        assert 'text"' not in found.replace("text_ratio", "")
        assert not any(word in found for word in words)
