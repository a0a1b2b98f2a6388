"""What the page says when there is little to say, and all of it by the keyboard."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import spanscope
from spanscope import viewer
from spanscope.viewer import packing
from spanscope.viewer import payload as payloads
from tests.cli import GOLD, PRED
from tests.support import documents
from tests.viewer.conftest import Opened, settle
from tests.viewer.test_page import chip, evaluated, last_number, listed

Open = Callable[..., Opened]


def main(page: Opened) -> str:
    return str(page.page.locator("main").inner_text())


# ---------------------------------------------------------------- states


def test_nothing_at_these_filters(opened: Open) -> None:
    page = opened(evaluated()).go("#/errors?q=xyzzy&t=0.80")
    assert "Nothing to list with these filters at 0.80" in main(page)
    page.page.get_by_role("button", name="Back to 0.50", exact=True).click()
    page.page.get_by_role("button", name="Clear the filters").click()
    page.page.get_by_test_id("row").first.wait_for()
    assert listed(page) == sum(row["count"] for row in evaluated().errors().values())


def test_a_perfect_run_says_so(opened: Open, tmp_path: Path) -> None:
    page = opened(spanscope.evaluate(GOLD, GOLD, ci=False)).go("#/errors")
    assert "Every span matches exactly: 259 of 259. The two files are the same, byte for byte." in main(page)
    other = tmp_path / "other.jsonl"
    other.write_text(GOLD.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    page = opened(spanscope.evaluate(GOLD, other, ci=False)).go("#/errors")
    assert "Every span matches exactly: 259 of 259." in main(page)
    assert "byte for byte" not in main(page)


def test_labels_on_one_side_and_few_examples(opened: Open) -> None:
    gold, pred = documents(*["A[0,4] B[5,7]"] * 25), documents("C[5,7]", *["A[0,4]"] * 24)
    gold[0]["spans"].append({"start": 8, "end": 9, "label": "D"})
    page = opened(spanscope.evaluate(gold, pred, "spans.iou", ci=False)).go("#/errors")
    rows = {row.split()[0]: row for row in page.page.locator(".labels tbody tr").all_inner_texts()}
    assert "never predicted" in rows["B"]
    assert "never predicted" in rows["D"]
    assert "not in gold" in rows["C"]
    assert "not" not in rows["A"]
    assert page.page.locator(".labels tr.few th").all_inner_texts() == ["D never predicted", "C not in gold"]
    assert page.page.locator("td[title='few examples: n = 1']").count() == 1


def test_withheld_texts_are_bars_on_a_ruler(opened: Open) -> None:
    """Also in a document of 1,000 spans: some of them are drawn, and it is said how many."""
    many = " ".join(f"A[{at},{at + 2}]" for at in range(0, 3000, 3))
    gold = documents("A[0,4] B[6,9]", many)
    page = opened(spanscope.evaluate(gold, documents("A[0,4]", ""), "spans.iou", ci=False, text="none"))
    page.go("#/errors?doc=1")
    assert "Texts are not in this report." in main(page)
    assert "gold 6–9" in page.page.get_by_test_id("row").first.inner_text()
    bars = page.page.locator(".ruler .mark").evaluate_all("bars => bars.map(bar => [bar.title, bar.style.left])")
    assert [(title.partition(":")[0], left.split(".")[0]) for title, left in bars] == [
        ("gold A, 0–4", "0%"),
        ("predicted A, 0–4", "0%"),
        ("gold B, 6–9", "66"),
    ]
    page.go("#/errors?doc=2")
    assert page.page.locator(".ruler .mark").count() == 300
    assert "300 of 1\u2009000 are drawn" in main(page)
    assert page.complaints == []


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        (lambda data: packing.pack({**data, "form": 99, "spanscope": "9.9"}), "Made by Spanscope 9.9"),
        (lambda data: packing.pack(data)[: -len(packing.pack(data)) // 2], "Was it cut off on its way?"),
    ],
)
def test_files_that_cannot_be_read(opened: Open, tmp_path: Path, spoilt: Callable[[Any], str], words: str) -> None:
    """From a newer version, or cut off: a sentence, and the plain figures stay."""
    path = tmp_path / "spoilt.html"
    result = evaluated()
    data = spoilt(payloads.payload(result))
    path.write_text(viewer.fill_page("spans", "t", viewer.static(result), data), encoding="utf-8")
    page = opened(path).go("", testid=None)
    page.page.get_by_text(words).wait_for()
    assert f"{2 * 188 / (246 + 259):.4f}" in page.page.locator("#static").inner_text()


def test_the_signature_stands_on_every_page(opened: Open) -> None:
    result = evaluated(protocol="pii")
    for place in ("overview", "errors", "leaks", "about"):
        page = opened(result).go(f"#/{place}", testid="f2")
        assert page.page.locator(".signature").inner_text() == result.signature()
    for digest in (one.sha256 for one in result.inputs):
        assert digest is not None
        assert digest in main(page)


# ---------------------------------------------------------------- filters, curve, matrix


def test_filter_by_length(opened: Open) -> None:
    """Of the gold span, else of the prediction, in characters; on the chips, in the list and in the link."""
    result = evaluated()
    want: dict[str, int] = {}
    for one in result.matches():
        side = one["gold"] or one["pred"]
        if 5 <= side["end"] - side["start"] <= 12:
            want[one["kind"]] = want.get(one["kind"], 0) + 1
    page = opened(result).go("#/errors")
    page.page.get_by_label("Length, from").fill("5")
    page.page.get_by_label("Length, to").fill("12")
    page.page.wait_for_function("() => location.hash === '#/errors?len=5..12'")
    kinds = payloads.payload(result)["kinds"]
    assert {kind: last_number(page.text(chip(kind))) for kind in kinds} == {
        kind: want.get(kind, 0) for kind in kinds
    }
    assert listed(page) == sum(n for kind, n in want.items() if kind != "correct") > 0
    page.page.get_by_label("Length, to").fill("")
    page.page.wait_for_function("() => location.hash === '#/errors?len=5..'")
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("Escape")
    page.page.wait_for_function("() => location.hash === '#/errors'")


def with_scores(result: spanscope.Result) -> spanscope.Result:
    """Return the result with a score for every prediction: 0, 0.1 ... 0.9 and again; every seventh has none."""
    c = result.comparison
    score = np.arange(len(c.pred)) % 10 / 10
    score[::7] = np.nan
    pred = replace(c.pred, extra={**c.pred.extra, "score": score})
    return replace(result, comparison=replace(c, sides={**c.sides, "pred": pred}))


def test_filter_by_confidence(opened: Open) -> None:
    """Only where predictions have scores; typed as people type, digit by digit."""
    page = opened(evaluated()).go("#/errors")
    assert page.page.get_by_label("Confidence, from").count() == 0
    result = with_scores(evaluated())
    page = opened(result).go("#/errors?kind=correct")
    page.page.get_by_label("Confidence, from").press_sequentially("0.35")
    page.page.get_by_label("Confidence, to").press_sequentially("0.7")
    page.page.wait_for_function("() => location.hash === '#/errors?kind=correct&conf=0.35..0.7'")
    score = result.comparison.pred.extra["score"]
    verdicts = result.found.verdicts
    assert verdicts is not None
    own = score[verdicts.pred[verdicts.kind == 0]]
    assert listed(page) == int(((own >= 0.35) & (own <= 0.7)).sum()) > 0
    assert page.complaints == []


def test_the_curve_of_a_label(opened: Open) -> None:
    """The label filter chooses whose curve is drawn; its table has Python's figures at every threshold."""
    page = opened(evaluated()).go("#/errors?label=Entity")
    value = evaluated().value("f1", label="Entity")
    says = f"Precision, recall and F1 of Entity by threshold; F1 is {value:.4f} at 0.50"
    assert page.page.locator(".curve svg").get_attribute("aria-label") == says
    page.page.get_by_text("The curve as a table").click()
    for row in page.page.locator(".curve tbody tr").all_inner_texts():
        threshold, *rates = (float(cell) for cell in row.split())
        there = evaluated(f"spans.relaxed(threshold={threshold})")
        want = [there.value(rate, label="Entity") for rate in ("precision", "recall", "f1")]
        assert rates == pytest.approx(want, abs=0.00005 + 1e-12)
    page.go("#/overview")
    page.page.get_by_role("combobox", name="Label", exact=True).select_option("Action")
    page.page.get_by_text("Only Action.").wait_for()


def test_the_band_is_the_interval(opened: Open) -> None:
    result = spanscope.evaluate(GOLD, PRED, protocol="reqflow")
    (row,) = (
        one
        for one in result.rows
        if (one.measure, one.rate, one.average) == (str(result.measures[0]), "f1", "micro")
    )
    page = opened(result).go("#/errors")
    assert (page.page.locator("path.between").get_attribute("d") or "").count("L") == 2 * 21 - 1
    assert "95 % intervals: wilson" in page.page.locator(".curve figcaption").inner_text()
    page.page.get_by_text("The curve as a table").click()
    lines = [line.split() for line in page.page.locator(".curve tbody tr").all_inner_texts()]
    (at,) = (line for line in lines if line[0] == "0.50")
    assert at[4:6] == [f"{row.low:.4f}", f"{row.high:.4f}"]
    assert all(float(line[4]) <= float(line[3]) <= float(line[5]) for line in lines)
    page = opened(evaluated()).go("#/errors")
    assert page.page.locator("path.between").count() == 0


def test_the_matrix_in_percent(opened: Open) -> None:
    result = evaluated()
    row = result.confusion()["Entity"]
    columns = {name: sum(line.get(name, 0) for line in result.confusion().values()) for name in row}
    page = opened(result).go("#/errors")
    cells = page.page.locator(".matrix tbody tr", has=page.page.get_by_role("rowheader", name="Entity")).locator(
        "button"
    )
    for mode, whole in (("counts", None), ("row %", "row"), ("column %", "column")):
        page.page.get_by_label("What the cells show").select_option(mode)
        found = {
            (cell.get_attribute("aria-label") or "")
            .partition("predicted ")[2]
            .partition(":")[0]: cell.inner_text()
            for cell in cells.all()
        }
        for name, n in row.items():
            if n:
                of = {None: 100, "row": sum(row.values()), "column": columns[name]}[whole]
                assert float(found["none" if name == "(none)" else name]) == pytest.approx(100 * n / of, abs=0.5)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_chart_as_a_file(opened: Open, scheme: str) -> None:
    """The SVG stands alone: colours written out, on a ground of its own. The PNG has twice its size."""
    page = opened(spanscope.evaluate(GOLD, PRED), {"color_scheme": scheme}).go("#/errors")
    with page.page.expect_download() as download:
        page.page.get_by_role("button", name="SVG").click()
    assert download.value.suggested_filename == "curve.svg"
    text = Path(download.value.path()).read_text(encoding="utf-8")
    drawing = ElementTree.fromstring(text)
    assert (drawing.get("width"), drawing.get("height")) == ("420", "190")
    assert not any(part in text for part in ("var(", "class=", "currentColor"))
    ground = drawing[0].get("fill")
    assert ground == page.page.evaluate("getComputedStyle(document.body).backgroundColor")
    strokes = {
        style for one in drawing.iter() if "stroke: " in (style := (one.get("style") or "").replace(":", ": "))
    }
    assert len(strokes) >= 4
    with page.page.expect_download() as download:
        page.page.get_by_role("button", name="PNG").click()
    data = Path(download.value.path()).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(data[16:20]), int.from_bytes(data[20:24])) == (840, 380)
    assert len(data) > 5000  # not an empty picture
    assert page.complaints == []


# ---------------------------------------------------------------- keys


def test_everything_without_a_mouse(opened: Open) -> None:
    """Tab, arrows, Space and Enter reach and use every control of the page of errors."""
    result = evaluated()
    page = opened(result).go("#/errors")
    keys, look = page.page.keyboard, page.page.wait_for_function
    page.page.get_by_test_id("slider").focus()
    keys.press("ArrowRight")
    look("() => document.querySelector('[data-testid=step]').textContent === '0.55'")
    keys.press("Shift+BracketLeft")  # {
    look("() => document.querySelector('[data-testid=step]').textContent === '0.45'")
    keys.press("]")
    page.page.get_by_role("button", name="Label", exact=True).focus()
    keys.press("Enter")
    assert page.page.locator(".labels th[aria-sort=ascending]").inner_text().startswith("Label")
    cell = page.page.locator(".matrix button:not(.same)").first
    cell.focus()
    number = last_number(cell.inner_text())
    keys.press("Space")
    look("() => location.hash.includes('gold=')")
    assert listed(page) == number
    keys.press("Escape")
    look("() => !location.hash.includes('gold=')")
    page.page.get_by_test_id(chip("type")).focus()
    keys.press("Space")
    look("() => location.hash.includes('kind=')")
    keys.press("2")
    look("() => !location.hash.includes('kind=')")
    keys.press("l")
    keys.type("Entity")
    look("() => location.hash.includes('label=Entity')")
    keys.press("Escape")
    keys.press("/")
    keys.type("system")
    look("() => location.hash.includes('q=system')")
    keys.press("Escape")
    keys.press("Escape")
    look("() => location.hash.split('?').length === 1 || !location.hash.includes('q=')")
    page.page.get_by_role("listbox").focus()
    for key in ("ArrowDown", "End", "Home", "PageDown", "ArrowUp", "j", "K", "J", "k"):
        was = page.page.get_by_role("listbox").get_attribute("aria-activedescendant")
        keys.press(key)
        look(
            "was => document.querySelector('[role=listbox]').getAttribute('aria-activedescendant') !== was",
            arg=was,
        )
    page.page.locator(".document summary").focus()
    keys.press("Enter")
    page.page.get_by_role("region", name="Spans of this document").wait_for()
    keys.press("e")
    keys.press("ArrowDown")
    assert page.page.evaluate("document.activeElement.dataset.testid") == "export-list-jsonl"
    keys.press("Escape")
    assert page.page.evaluate("document.activeElement.dataset.testid") == "export"
    keys.press("g")
    keys.press("a")
    page.page.get_by_role("heading", name="About this report").wait_for()
    assert page.complaints == []


def test_single_keys_can_be_switched_off(opened: Open) -> None:
    """WCAG 2.1.4."""
    page = opened(evaluated()).go("#/errors")
    page.page.keyboard.press("Shift+Slash")
    page.page.get_by_label("Single keys work").uncheck()
    page.page.get_by_role("button", name="Close").click()
    page.page.get_by_role("dialog").wait_for(state="detached")
    page.page.keyboard.press("]")
    settle(page.page)
    assert page.text("step") == "0.50"
