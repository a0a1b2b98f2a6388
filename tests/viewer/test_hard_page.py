"""Hard documents in a real browser: deep nesting, emoji, right to left, line ends, very long texts."""

import math
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

import spanscope
from spanscope.settings.options import grouped
from tests.viewer.conftest import Opened, resize, settle
from tests.viewer.test_page import chip, last_number, listed

Open = Callable[..., Opened]
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"  # seven code points, eleven units of UTF-16
HEBREW = "הלקוח שולח את החשבונית המלאה אל המנהל הראשי בכל יום ראשון בבוקר"
KINDS = ("boundary", "type", "boundary+type", "split", "merge", "duplicate", "spurious", "missing", "text")


def spans(text: str, *found: tuple[str, str]) -> list[dict[str, Any]]:
    """Return spans by their words: the first place of each in the text."""
    return [
        {"start": text.index(words), "end": text.index(words) + len(words), "label": label}
        for words, label in found
    ]


def pair(name: str, text: str, gold: list[Any], pred: list[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"id": name, "text": text, "spans": gold}, {"id": name, "text": text, "spans": pred}


def nested() -> tuple[dict[str, Any], dict[str, Any]]:
    """Five spans, each inside the one before; of the predictions some are cut, one has another label."""
    text = "one two three four five six seven eight nine ten and after that nothing of note"
    deep = [("one two three four five six seven eight nine ten", "A"), ("two three four five six seven", "B")]
    deep += [("three four five six", "A"), ("four five", "C"), ("five", "B")]
    cut = [("one two three four five six seven eight nine", "A"), ("two three four five six seven", "B")]
    cut += [("three four five", "A"), ("four five", "A"), ("note", "C")]
    return pair("nested", text, spans(text, *deep), spans(text, *cut))


def emoji() -> tuple[dict[str, Any], dict[str, Any]]:
    text = (
        f"The {FAMILY} family met \U0001f680\U0001f680 rockets and the \U0001f1e9\U0001f1ea flag, then {FAMILY}."
    )
    gold = spans(text, (f"{FAMILY} family", "A"), ("\U0001f680\U0001f680 rockets", "B"), ("flag", "C"))
    pred = spans(text, (f"{FAMILY} family met", "A"), ("\U0001f680 rockets", "B"), ("flag", "B"))
    return pair("emoji", text, gold, pred)


def right_to_left() -> tuple[dict[str, Any], dict[str, Any]]:
    gold = spans(HEBREW, ("הלקוח", "A"), ("את החשבונית המלאה", "B"), ("המנהל הראשי", "A"), ("יום ראשון", "C"))
    pred = spans(HEBREW, ("הלקוח", "A"), ("החשבונית המלאה", "B"), ("המנהל", "B"), ("בבוקר", "C"))
    return pair("hebrew", HEBREW, gold, pred)


def lines() -> tuple[dict[str, Any], dict[str, Any]]:
    text = "first line\nsecond\tline\r\n\n  indented over\nthe end of it"
    gold = spans(text, ("line\nsecond", "A"), ("indented over\nthe end", "B"), ("it", "C"))
    pred = spans(text, ("first line\nsecond", "A"), ("over\nthe", "B"))
    return pair("lines", text, gold, pred)


def long(name: str, words: int, every: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Numbered words of eight characters; of the gold spans a third is missed, a third cut, and some are added."""
    text = "".join(f"w{at:06} " for at in range(words))
    gold = [{"start": at * 8, "end": at * 8 + 23, "label": "ABC"[at % 3]} for at in range(0, words - 3, every)]
    pred = [{**one, "end": one["end"] - 8 * (at % 3 == 1)} for at, one in enumerate(gold) if at % 3]
    pred += [{"start": one["end"] + 1, "end": one["end"] + 8, "label": "C"} for one in gold[::5]]
    return pair(name, text, gold, pred)


@cache
def corpus() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return both sides; "very long" has 200,000 characters and 3,000 spans."""
    docs = [nested(), emoji(), right_to_left(), lines(), long("long", 6250, 50), long("very long", 25_000, 14)]
    return [gold for gold, _ in docs], [pred for _, pred in docs]


def evaluated(threshold: float = 0.5, **options: Any) -> spanscope.Result:
    return spanscope.evaluate(*corpus(), f"spans.iou(threshold={threshold})", ci=False, **grouped(options))


# ---------------------------------------------------------------- figures


def test_the_corpus_is_hard() -> None:
    gold, pred = corpus()
    assert len(gold[-1]["text"]) == 200_000
    assert 3000 <= len(gold[-1]["spans"]) + len(pred[-1]["spans"]) < 3600
    assert len(FAMILY) == 7
    assert len(FAMILY.encode("utf-16-le")) == 22


def test_every_step_is_pythons(opened: Open) -> None:
    """Figures, counts of kinds, the length of the list and every label, at all 21 thresholds."""
    page = opened(evaluated()).go("#/errors")
    labels = page.page.locator(".labels tbody tr")
    for step in range(21):
        threshold = step / 20
        page.set_step(step)
        page.page.wait_for_function(
            "want => document.querySelector('[data-testid=step]').textContent === want", arg=f"{threshold:.2f}"
        )
        there = evaluated(threshold)
        totals = there.totals()
        assert [page.text(name) for name in ("tp", "pred", "gold")] == [
            str(totals[name]) for name in ("tp", "pred", "gold")
        ]
        for name in ("f1", "precision", "recall"):
            assert abs(float(page.text(name)) - there.value(name)) <= 0.00005 + 1e-12
        want = {kind: row["count"] for kind, row in there.errors().items()}
        assert {kind: last_number(page.text(chip(kind))) for kind in KINDS} == want
        assert listed(page) == sum(want.values())
        for row in labels.all_inner_texts():
            name, *rates, number = row.split()
            values = [there.value(rate, label=name) for rate in ("precision", "recall", "f1")]
            assert [abs(float(a) - b) <= 0.0005 + 1e-12 for a, b in zip(rates, values, strict=True)] == [True] * 3
            assert int(number) == there.counts()[name]["gold"]
    assert page.complaints == []


# ---------------------------------------------------------------- bars and words

BARS = """([text, side]) => {
    const unit = [0];  // of each code point: where it stands in UTF-16
    for (const one of text) unit.push(unit[unit.length - 1] + one.length);
    const pane = document.querySelectorAll('.pane')[side];
    const node = pane.querySelector('.words').firstChild;
    const from = text.indexOf(node.data);
    const range = document.createRange();
    const found = {};
    for (const bar of pane.querySelectorAll('.mark')) {
        const [, gold, label, start, end] = /^(gold|predicted) (.*), (\\d+)–(\\d+): /.exec(bar.title);
        const box = bar.getBoundingClientRect();
        range.setStart(node, Math.max(0, unit[start] - from));
        range.setEnd(node, Math.min(node.length, unit[end] - from));
        const words = [];  // a blank at the end of a line comes apart from the words before it: one piece
        for (const {left, right, top, bottom, width} of range.getClientRects()) {
            const last = words[words.length - 1];
            if (width < 1) continue;
            if (last && Math.abs(last.top - top) < 1 && Math.abs(last.right - left) < 1) last.right = right;
            else if (last && Math.abs(last.top - top) < 1 && Math.abs(last.left - right) < 1) last.left = left;
            else words.push({left, right, top, bottom});
        }
        const over = words.some(r => Math.abs(r.left - box.left) < 1 && Math.abs(r.right - box.right) < 1
            && (gold === 'gold' ? box.bottom <= r.top + 1 : box.top >= r.bottom - 1)
            && Math.abs(gold === 'gold' ? r.top - box.bottom : box.top - r.bottom) < 90);
        const key = [gold, label, start, end].join(' ');
        (found[key] ??= {bars: 0, words: words.length, over: true}).bars += 1;
        found[key].over &&= over;
    }
    return {from, to: from + node.length, found};
}"""


def drawn(page: Opened, text: str, side: int = 0) -> dict[str, Any]:
    return page.page.evaluate(BARS, [text, side])  # type: ignore[no-any-return]


def named(number: int, units: tuple[int, float] = (0, math.inf)) -> set[str]:
    """Return the spans of a document that touch a part of its text, as the page names them."""
    out = set()
    for side, documents in zip(("gold", "predicted"), corpus(), strict=True):
        for one in documents[number]["spans"]:
            if one["start"] < units[1] and one["end"] > units[0]:
                out.add(f"{side} {one['label']} {one['start']} {one['end']}")
    return out


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize("width", [1280, 420])
def test_bars_stand_over_their_words(opened: Open, number: int, width: int) -> None:
    """Every span has a bar for each line it runs over, as wide as its words there, above or below them."""
    text = corpus()[0][number]["text"]
    page = opened(evaluated()).go(f"#/errors?doc={corpus()[0][number]['id']}")
    resize(page.page, width)
    found = drawn(page, text)["found"]
    assert set(found) == named(number)
    assert {name: one for name, one in found.items() if not one["over"] or one["bars"] != one["words"]} == {}


def test_nested_spans_have_lanes_of_their_own(opened: Open) -> None:
    """Five deep: the tops of the gold bars over "five" differ, the innermost is nearest to the text."""
    page = opened(evaluated()).go(f"#/errors?doc={corpus()[0][0]['id']}")
    tops = page.page.locator(".mark.gold").evaluate_all(
        "bars => bars.map(bar => [bar.title, bar.getBoundingClientRect().top])"
    )
    heights = {re.search(r", (\d+–\d+)", title)[1]: top for title, top in tops}  # type: ignore[index]
    assert len(heights) == 5
    inner = sorted(heights, key=lambda place: int(place.split("–")[1]) - int(place.split("–")[0]))
    assert [heights[place] for place in inner] == sorted(heights.values(), reverse=True)
    assert len(set(heights.values())) == 5


@pytest.mark.parametrize("number", [4, 5])
def test_long_texts_are_shown_in_parts(opened: Open, number: int) -> None:
    """About 12,000 characters at a time, with all of their spans; "Later text" goes on, "Earlier text" back."""
    text = corpus()[0][number]["text"]
    page = opened(evaluated()).go(f"#/errors?doc={corpus()[0][number]['id']}")
    seen = []
    for _ in range(3):
        part = drawn(page, text)
        assert part["to"] - part["from"] <= 12_400
        assert set(part["found"]) == named(number, (part["from"], part["to"]))
        assert all(one["over"] and one["bars"] == one["words"] for one in part["found"].values())
        seen.append((part["from"], part["to"]))
        assert page.page.locator("*").count() < 1500
        page.page.get_by_role("button", name="Later text").click()
        page.page.wait_for_function(
            "was => document.querySelector('.words').firstChild.data.slice(0, 8) !== was",
            arg=text[part["from"] : part["from"] + 8],
        )
    assert seen[0][0] == 0
    assert all(a[0] < b[0] <= a[1] < b[1] for a, b in pairwise(seen))  # nothing is jumped over
    page.page.get_by_role("button", name="Earlier text").click()
    settle(page.page)
    assert drawn(page, text)["from"] < seen[2][1]


def test_side_by_side(opened: Open) -> None:
    """The key s: gold on the left, predictions on the right, the same spans, and one scrolls with the other."""
    text = corpus()[0][4]["text"]
    page = opened(evaluated()).go(f"#/errors?doc={corpus()[0][4]['id']}")
    together = set(drawn(page, text)["found"])
    page.page.keyboard.press("s")
    page.page.locator(".two").wait_for()
    left, right = (set(drawn(page, text, side)["found"]) for side in (0, 1))
    assert {name.split()[0] for name in left} == {"gold"}
    assert {name.split()[0] for name in right} == {"predicted"}
    assert left | right == together
    panes = page.page.locator(".pane")
    for moved, other, to in ((0, 1, 300), (1, 0, 120)):
        panes.nth(moved).evaluate("(pane, to) => { pane.scrollTop = to }", to)
        page.page.wait_for_function(
            "([other, to]) => document.querySelectorAll('.pane')[other].scrollTop === to", arg=[other, to]
        )
    page.page.keyboard.press("s")
    page.page.locator(".two").wait_for(state="detached")
    assert set(drawn(page, text)["found"]) == together


# ---------------------------------------------------------------- without colour


FILLS = "bars => bars.map(b => [b.title, getComputedStyle(b).backgroundImage.slice(0, 36), b.textContent])"


def test_kinds_are_told_apart_without_colour(opened: Open) -> None:
    """Each kind has a sign of its own in the list and on its bars; paired kinds are dashed, lone ones hatched."""
    page = opened(evaluated(1.0)).go("#/errors?kind=boundary,type,boundary%2Btype,spurious,missing,correct")
    rows = page.page.get_by_test_id("row")
    signs = dict(
        rows.evaluate_all(
            "rows => rows.map(r => [r.querySelector('.glyph').title, r.querySelector('.glyph').textContent])"
        )
    )
    assert len(set(signs.values())) == len(signs) >= 5
    fills: dict[str, set[str]] = {}
    for number in (0, 1, 2):
        page.go(f"#/errors?doc={corpus()[0][number]['id']}")
        for title, fill, name in page.page.locator(".mark").evaluate_all(FILLS):
            kind = title.rpartition(": ")[2].partition(" · ")[0]
            fills.setdefault(kind, set()).add(fill)
            assert kind == "correct" or not name or name.split()[0] == signs[kind]
    assert fills["correct"] == {"none"}
    assert fills["boundary"] == fills["type"] != fills["missing"] == fills["spurious"]
    assert all("gradient" in fill for kind in ("boundary", "missing") for fill in fills[kind])


def test_lines_of_the_curve_are_told_apart_without_colour(opened: Open) -> None:
    page = opened(evaluated()).go("#/errors")
    dashes = page.page.locator(".line path").evaluate_all(
        "all => all.map(p => getComputedStyle(p).strokeDasharray)"
    )
    assert len(set(dashes)) == 3


@pytest.mark.parametrize("how", ["deuteranopia", "protanopia", "tritanopia", "achromatopsia"])
def test_colours_of_labels_stay_apart(opened: Open, how: str) -> None:
    """The three labels of the table, as someone sees them who sees fewer colours, are not the same."""
    page = opened(evaluated()).go("#/errors")
    page.page.context.new_cdp_session(page.page).send("Emulation.setEmulatedVisionDeficiency", {"type": how})
    seen = {page.page.locator(".labels .hue").nth(at).screenshot() for at in range(3)}
    assert len(seen) == 3


def wide_of(page: Any) -> bool:
    """Whether the page is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_a_very_long_label_widens_no_page(opened: Open) -> None:
    text = "one two three"
    gold, pred = pair("long", text, spans(text, ("one", "L" * 300), ("two", "B")), spans(text, ("two", "L" * 300)))
    page = opened(spanscope.evaluate([gold], [pred])).go().page
    for width in (1280, 390):
        resize(page, width, 800)
        for name in ("Overview", "Errors"):
            page.get_by_role("link", name=name).click()
            page.get_by_role("button", name="L" * 300).first.wait_for()
            assert not wide_of(page), (width, name)


def test_of_thousands_of_labels_the_tables_show_twelve_until_asked(opened: Open) -> None:
    number = 6_000
    text = "x" * number
    gold = [{"start": i, "end": i + 1, "label": f"L{i}"} for i in range(number)]
    pred = [{**span, "label": "L1"} if span["label"] == "L0" else span for span in gold]
    both = pair("many", text, gold, pred)
    shown = opened(spanscope.evaluate([both[0]], [both[1]], measures=["spans.exact"], ci=False)).go("#/errors")
    page = shown.page
    assert page.locator(".labels tbody tr").count() == 12
    page.get_by_role("button", name="gold L0, predicted L1: 1", exact=True).click()
    assert listed(shown) == 1
    page.get_by_role("link", name="Overview").click()
    assert page.locator(".labels tbody tr").count() == 12
    assert page.get_by_role("button", name="All 6\u2009000").count() == 1
    assert shown.complaints == []
