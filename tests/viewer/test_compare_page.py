"""The page of a comparison in a real browser: its figures and lists are Python's, and nothing more is in it."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import spanscope
from spanscope.settings.options import grouped
from tests.cli import GOLD, PRED
from tests.commands.test_compare import GOLD as SPANS
from tests.commands.test_compare import STRONG, WEAK
from tests.commands.test_compared_slices import runs as sliced_runs
from tests.support import documents
from tests.viewer.conftest import Opened

Open = Callable[..., Opened]
Json = dict[str, Any]
HEAD = "difference"


def compared(**options: Any) -> spanscope.Compared:
    return spanscope.compare(
        SPANS, ("base", WEAK), ("new", STRONG), **grouped({"measures": "spans.exact", "trials": 200, **options})
    )


def same() -> spanscope.Compared:
    return spanscope.compare(SPANS, ("one", WEAK), ("two", WEAK), measures="spans.exact", trials=50)


def number(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.4f}".replace("-", "−")


def signed(value: float) -> str:
    return f"+{number(value)}" if value > 0 else number(value)


def p_of(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}" if value >= 0.0001 else "<0.0001"


def figures(page: Opened) -> dict[int, list[str]]:
    """Return the cells of every figure shown, by the number of its row."""
    found = page.page.get_by_test_id("figure").evaluate_all(
        "rows => rows.map(r => [Number(r.dataset.row), [...r.children].map(c => c.innerText.trim())])"
    )
    return dict(found)


def wanted(row: Any) -> list[str]:
    """Return what the page has to say of a difference, but for its name."""
    over = row.documents
    return [
        number(row.base),
        number(row.value),
        signed(row.difference),
        p_of(row.adjusted),
        row.reading,
        str(over[1]) if over[0] == over[1] else f"{over[0]} / {over[1]}",
        number(row.smallest),
    ]


def shown(cells: list[str]) -> list[str]:
    """Return the cells without the name and the bar, and the reading without its sign."""
    return [*cells[1:4], cells[5], re.sub(r"^\W\s*", "", cells[6]), *cells[7:]]


def last_number(text: str) -> int:
    return int(re.findall(r"\d+", text)[-1])


# ---------------------------------------------------------------- differences


def test_every_figure_is_pythons(opened: Open) -> None:
    """All rates and averages, and the labels of every rate, as rows of `Compared` have them."""
    result = compared()
    page = opened(result)
    seen: dict[int, list[str]] = {}
    for rate in ("precision", "recall", "f1"):
        page.go(f"#/differences?all=1&every=1&figure=0.{rate}", HEAD)
        seen |= figures(page)
    assert seen.keys() == set(range(len(result.rows)))
    for at, row in enumerate(result.rows):
        assert shown(seen[at]) == wanted(row), row
        assert seen[at][0] == row.label or seen[at][0].lower().startswith(row.rate)
    head = result.value("f1")
    assert [page.text(name) for name in ("was", "is", "difference", "p", "reading")] == [
        number(head.base), number(head.value), signed(head.difference), p_of(head.adjusted), head.reading
    ]  # fmt: skip


def test_intervals_are_pythons(opened: Open) -> None:
    result = compared()
    page = opened(result).go("#/differences?all=1", HEAD)
    drawn = page.page.get_by_test_id("figure").evaluate_all(
        "rows => rows.map(r => [Number(r.dataset.row), r.querySelector('svg').getAttribute('aria-label'),"
        " r.querySelector('svg').classList.contains('clear')])"
    )
    assert len(drawn) >= 12
    for at, says, clear in drawn:
        row = result.rows[at]
        assert row.low is not None
        assert row.high is not None
        assert says == f"{signed(row.difference)}, interval {signed(row.low)} to {signed(row.high)}"
        assert clear == (row.low > 0 or row.high < 0)


def test_the_sentence_counts_the_intervals_that_include_zero(opened: Open) -> None:
    lines = [json.loads(line) for line in PRED.read_text(encoding="utf-8").splitlines()]
    less = [{**line, "spans": line["spans"][:-1]} for line in lines]
    less[0]["spans"] = [
        *less[0]["spans"],
        {"start": 0, "end": 1, "label": "odd"},
    ]  # precision: 0 is in the interval
    result = spanscope.compare(GOLD, ("base", PRED), ("less", less), measures="spans.exact", trials=50)
    usual = [row for row in result.rows if row.label is None and row.average != "weighted"]
    bounds = [(row.low, row.high) for row in usual if row.low is not None and row.high is not None]
    zero = sum(low <= 0 <= high for low, high in bounds)
    assert 0 < zero < len(bounds)  # else the sentence would be another one
    page = opened(result).go("", HEAD)
    assert page.text("honest").startswith(f"{zero} of {len(bounds)} intervals include zero.")


def test_identical_runs_have_no_differences(opened: Open) -> None:
    page = opened(same()).go("", HEAD)
    assert (page.text("difference"), page.text("reading")) == ("0.0000", "no clear difference")
    assert "No differences" in page.text("same")
    assert page.page.get_by_test_id("figure").count() == 0
    page.page.keyboard.press("x")
    page.page.get_by_test_id("figure").first.wait_for()
    assert {cells[3] for cells in figures(page).values()} == {"0.0000"}
    for place in ("#/changes", "#/by-document"):
        assert "No differences" in page.go(place, HEAD).text("nothing")
        assert page.page.get_by_test_id("row").count() == page.page.get_by_test_id("item").count() == 0


def test_only_figures_without_difference_are_hidden(opened: Open) -> None:
    one = documents("A[0,4] B[6,9]", "A[0,4] B[6,9]", "A[1,4]")
    other = documents("A[0,4] B[6,9]", "A[0,4]", "A[1,4]")
    result = spanscope.compare(one, ("all", one), ("less", other), measures="spans.exact")
    page = opened(result).go("", HEAD)
    usual = {at for at, row in enumerate(result.rows) if row.label is None and row.average != "weighted"}
    labels = {at for at, row in enumerate(result.rows) if row.label is not None and row.rate == "f1"}
    differ = {at for at, row in enumerate(result.rows) if row.difference != 0}
    assert set(figures(page)) == (usual | labels) & differ != usual | labels
    page.page.get_by_test_id("only").first.click()
    page.page.wait_for_function(
        "n => document.querySelectorAll('[data-testid=figure]').length === n", arg=len(usual | labels)
    )


def test_sorting_and_the_filter_of_labels(opened: Open) -> None:
    result = compared()
    page = opened(result).go("#/differences?all=1&by=-difference", HEAD)
    order = [at for at in figures(page) if result.rows[at].label is None]
    assert order == sorted(order, key=lambda at: -result.rows[at].difference)
    page.page.keyboard.press("/")
    page.page.keyboard.type("b")
    page.page.wait_for_function("() => location.hash.includes('name=b')")
    assert [result.rows[at].label for at in figures(page) if result.rows[at].label] == ["B"]


def test_each_of_three_runs_against_the_first(opened: Open) -> None:
    result = spanscope.compare(
        SPANS, ("base", WEAK), ("new", STRONG), ("gold", SPANS), measures="spans.exact", trials=100
    )
    page = opened(result).go("#/differences?all=1", HEAD)
    assert {result.rows[at].run for at in figures(page)} == {"new"}
    page.page.locator("#run").select_option(label="gold")
    page.page.wait_for_function("() => document.querySelector('[data-testid=is]').textContent === '1.0000'")
    found = figures(page)
    assert {result.rows[at].run for at in found} == {"gold"}
    assert all(shown(cells) == wanted(result.rows[at]) for at, cells in found.items())
    assert page.page.get_by_role("link", name="Changes").count() == 0


def test_several_files_of_a_system(opened: Open) -> None:
    result = spanscope.compare(
        SPANS, ("base", WEAK), ("new", STRONG), ("new", SPANS), measures="spans.exact", trials=100
    )
    page = opened(result).go("", HEAD)
    rows = page.page.get_by_test_id("spread").evaluate_all(
        "rows => rows.map(r => [...r.children].map(c => c.innerText))"
    )
    want = [one for one in result.spreads if one.label is None and one.average != "weighted"]
    assert [[row[4], *row[9:]] for row in rows] == [
        [number(n) for n in (one.mean, one.lowest, one.highest)] for one in want
    ]
    new = [(row, one) for row, one in zip(rows, want, strict=True) if one.low is not None]
    assert [row[5:9] for row, _ in new] == [
        [f"{number(one.low)} to {number(one.high)}"]
        + [number(n) for n in (one.deviation, one.documents_error, one.files_error)]
        for _, one in new
    ]
    assert new
    assert {row[3] for row in rows} == {"2"}
    head = result.value("f1")
    assert (page.text("is"), page.text("difference")) == (number(head.value), signed(head.difference))


# ---------------------------------------------------------------- changes


@pytest.mark.parametrize("kind", ["fixed", "broken", "spurious gone", "spurious new"])
def test_lists_of_changes_are_pythons(opened: Open, kind: str) -> None:
    runs = (("new", STRONG), ("base", WEAK)) if kind == "spurious gone" else (("base", WEAK), ("new", STRONG))
    result = spanscope.compare(SPANS, *runs, measures="spans.exact", trials=50)
    page = opened(result).go(f"#/changes?kind={kind}", HEAD)
    want = Counter((one["document"], one["start"], one["end"], one["label"]) for one in result.changes[kind])
    assert last_number(page.text(f"chip-{kind.replace(' ', '-')}")) == sum(want.values()) > 0
    found: Counter[tuple[Any, ...]] = Counter()
    total = sum(want.values())
    for _ in range(total):
        row = page.page.locator("[aria-selected=true]")
        name, place, label = (row.locator(part).inner_text() for part in (".doc", ".offsets", ".pair >> nth=0"))
        start, end = map(int, re.findall(r"\d+", place)[:2])
        found[name, start, end, label] += 1
        at = int(row.get_attribute("aria-posinset") or 0)
        if at < total:
            page.page.keyboard.press("j")
            page.page.locator(f"[aria-selected=true][aria-posinset='{at + 1}']").wait_for()
    assert found == want


def outcomes(result: spanscope.Result) -> tuple[Counter[Any], Counter[Any], Counter[Any]]:
    """Return the gold spans of a run, those that are right, and the predictions without one."""
    gold: Counter[Any] = Counter()
    right: Counter[Any] = Counter()
    alone: Counter[Any] = Counter()
    for one in result.matches():
        own = one["gold"] or one["pred"]
        key = (one["document"], own["start"], own["end"], own["label"])
        (gold if one["gold"] else alone)[key] += 1
        right[key] += one["kind"] == "correct"
    return gold, +right, alone


def test_counts_of_all_changes(opened: Open) -> None:
    """With equal spans among gold and predictions: some of them are found by one run, some by the other."""
    gold = documents("A[0,4] A[0,4] A[0,4] B[5,9]", "B[0,3] C[4,8]")
    one = documents("A[0,4] C[20,22] C[20,22]", "B[0,3] C[4,7]")
    two = documents("A[0,4] A[0,4] C[20,22] B[30,33]", "C[4,8]")
    result = spanscope.compare(gold, ("one", one), ("two", two), measures="spans.exact", trials=50)
    (golds, was, gone), (_, now, new) = (
        outcomes(spanscope.evaluate(gold, run, "spans.exact")) for run in (one, two)
    )
    want = {
        "fixed": now - was, "broken": was - now, "both right": was & now, "both wrong": golds - (was | now),
        "spurious gone": gone - new, "spurious new": new - gone, "spurious in both": gone & new,
    }  # fmt: skip
    assert [sum(own.values()) for own in want.values()] == [2, 1, 1, 2, 1, 1, 1]
    page = opened(result).go("#/changes", HEAD)
    found = {kind: last_number(page.text(f"chip-{kind.replace(' ', '-')}")) for kind in want}
    assert found == {kind: sum(own.values()) for kind, own in want.items()}
    cells = page.page.get_by_test_id("label").evaluate_all(
        "rows => rows.map(r => [...r.children].map(c => c.innerText.trim()))"
    )
    columns = ("fixed", "broken", "both wrong", "spurious gone", "spurious new")
    for label, *numbers in cells:
        assert [int(n) for n in numbers] == [
            sum(n for key, n in want[kind].items() if key[3] == label) for kind in columns
        ]


def test_a_document_in_three_lanes(opened: Open) -> None:
    text = "Ada met Bob in Rome 😀 today"
    gold = [
        {
            "id": "d",
            "text": text,
            "spans": [{"start": 0, "end": 3, "label": "P"}, {"start": 8, "end": 11, "label": "P"}],
        }
    ]
    one = [{"id": "d", "text": text, "spans": [{"start": 0, "end": 3, "label": "P"}]}]
    two = [
        {
            "id": "d",
            "text": text,
            "spans": [{"start": 8, "end": 11, "label": "P"}, {"start": 20, "end": 27, "label": "D"}],
        }
    ]
    result = spanscope.compare(gold, ("one", one), ("two", two), measures="spans.exact")
    page = opened(result).go("#/changes", HEAD)
    marks = page.page.locator(".mark")
    titles = [marks.nth(at).get_attribute("title") for at in range(marks.count())]
    assert set(titles) == {
        "gold P, 0–3: broken",
        "gold P, 8–11: fixed",
        "A P, 0–3: correct",
        "B P, 8–11: correct",
        "B D, 20–27: spurious",
    }
    top = {str(title): (marks.nth(at).bounding_box() or {})["y"] for at, title in enumerate(titles)}
    words = (page.page.locator(".words").first.bounding_box() or {})["y"]
    assert top["gold P, 0–3: broken"] < top["A P, 0–3: correct"] < top["B P, 8–11: correct"]
    assert words < top["A P, 0–3: correct"]
    assert page.page.locator(".words").first.inner_text() == text
    rows = page.page.get_by_test_id("row")
    assert [rows.nth(at).locator(".hit").inner_text() for at in range(3)] == ["Ada", "Bob", text[20:27]]


# ---------------------------------------------------------------- documents


@pytest.mark.parametrize("order", ["most", "worst", "best"])
def test_documents_are_pythons(opened: Open, order: str) -> None:
    result = compared()
    base, new = (
        {one["document"]: one["f1"] for one in spanscope.evaluate(SPANS, side, "spans.exact").by_document()}
        for side in (WEAK, STRONG)
    )
    page = opened(result).go(f"#/by-document?order={order}", HEAD)
    cells = page.page.get_by_test_id("item").evaluate_all(
        "rows => rows.map(r => [...r.children].map(c => c.innerText.trim()))"
    )
    assert len(cells) > 15
    for _, reading, name, a, b, difference, *_ in cells:
        assert [a, b, difference] == [number(base[name]), number(new[name]), signed(new[name] - base[name])]
        assert reading == ("better" if new[name] > base[name] else "worse")
    moves = [new[row[2]] - base[row[2]] for row in cells]
    key = {"most": lambda d: -abs(d), "worst": lambda d: d, "best": lambda d: -d}[order]
    assert moves == sorted(moves, key=key)
    changed = {name for name in base if base[name] != new[name]}
    assert f"{len(changed)} documents listed" in page.page.locator(".hits").inner_text()
    assert {row["document"] for row in result.documents_changed} == changed
    page.page.keyboard.press("Enter")
    page.page.get_by_test_id("document").wait_for()
    assert cells[0][2] in page.page.get_by_test_id("document").locator("h3").inner_text()


def test_segments_have_differences_and_documents(opened: Open) -> None:
    gold = [{"id": n, "text": "abcdef" * 4, "segments": [[0, 6], [6, 12], [12, 24]]} for n in range(6)]
    near = [{"id": n, "text": "abcdef" * 4, "segments": [[0, 6 + n % 3], [6 + n % 3, 24]]} for n in range(6)]
    result = spanscope.compare(gold, ("near", near), ("gold", gold), protocol="segments", trials=50)
    page = opened(result).go("#/differences?all=1&every=1", HEAD)
    assert page.page.get_by_role("navigation").get_by_role("link").all_inner_texts() == [
        "Differences",
        "Documents",
        "About",
    ]
    found = figures(page)
    assert found.keys() == {at for at, row in enumerate(result.rows) if row.label is None}
    assert all(shown(cells) == wanted(result.rows[at]) for at, cells in found.items())
    assert page.complaints == []


def test_slices_are_pythons(opened: Open) -> None:
    """The run beside the first, what lost most first; small slices say that they are."""
    gold, weak, other = sliced_runs()
    result = spanscope.compare(
        gold,
        ("base", weak),
        ("new", other),
        ("gold", gold),
        measures="spans.exact",
        by=["source", "year"],
        trials=50,
    )
    page = opened(result)
    for at, name in ((1, "new"), (2, "gold")):
        page.go(f"#/differences?run={at}", HEAD)
        rows = page.page.get_by_test_id("slice")
        lines = [[cell.strip() for cell in row.locator("th, td").all_inner_texts()] for row in rows.all()]
        own = [one for one in result.slices() if one["run"] == name]
        assert len(own) == len(lines) > 4
        for one, cells in zip(own, lines, strict=True):
            assert cells[:5] == [
                one["by"], one["name"], number(one["base"]), number(one["value"]), signed(one["difference"])
            ]  # fmt: skip
            assert cells[6] == ("too few" if one["units"] < 6 else p_of(one["adjusted"]))
            assert (cells[5] == "too few") == (one["units"] < 20)
            assert cells[7].endswith(one["reading"] if one["units"] >= 6 else "")
