"""The list of errors: heads that sort it, groups, similarities, and addresses that mean the same tomorrow."""

import re
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher

import pytest

import spanscope
from tests.cli import GOLD, PRED
from tests.support import Json
from tests.viewer.conftest import Opened, axe

Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def result() -> spanscope.Result:
    return spanscope.evaluate(GOLD, PRED, "spans.relaxed", ci=False)


def alike(page: Opened) -> list[float]:
    """Return the similarities that the list shows, from the top."""
    shown = page.page.locator(".row .alike").all_inner_texts()
    return [float(text) for text in shown if re.fullmatch(r"\d\.\d+", text)]


def score(one: Json) -> float:
    """Return the score of a pair by hand."""
    gold, pred = one["gold"], one["pred"]
    shared = min(gold["end"], pred["end"]) - max(gold["start"], pred["start"])
    union = max(gold["end"], pred["end"]) - min(gold["start"], pred["start"])
    return 0.65 * shared / union + 0.35 * SequenceMatcher(None, pred["text"], gold["text"], autojunk=False).ratio()


def test_the_list_is_sorted_by_its_heads(in_both: Open, result: spanscope.Result) -> None:
    """Upwards, downwards, and not at all; kinds in words, and every similarity with what it is made of."""
    page = in_both(result).go("#/errors?kind=boundary,boundary%2Btype,text,type,split,merge,spurious,missing")
    head = page.page.get_by_role("group", name="Sort by").get_by_role("button", name="Alike")
    want = sorted(map(score, result.matches(["boundary", "boundary+type", "type", "text"])))
    head.click()
    page.page.wait_for_function("() => location.hash.includes('sort=alike')")
    found = alike(page)
    assert found == pytest.approx(want[: len(found)], abs=0.00006)
    head.click()
    page.page.wait_for_function("() => location.hash.includes('sort=-alike')")
    found = alike(page)
    assert found == pytest.approx(want[::-1][: len(found)], abs=0.00006)
    first = page.page.get_by_test_id("row").first
    assert first.locator(".kind").inner_text() == "type"  # the same place with another label
    assert first.locator(".alike").get_attribute("title") == "IoU 1.0000 · text 1.0000 · score 1.0000"
    for width in page.at_widths():
        assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    axe(page.page)
    head.click()
    page.page.wait_for_function("() => !location.hash.includes('sort=')")
    assert page.complaints == []


def test_groups_count_and_open_their_findings(in_both: Open, result: spanscope.Result) -> None:
    """By words, by labels, by kind and by document; Back leads out of a group again."""
    page = in_both(result).go("#/errors")
    rows, look = page.page.get_by_test_id("group"), page.page.wait_for_function
    errors = [one for one in result.matches() if one["kind"] != "correct"]
    texts = Counter((one["gold"] or one["pred"])["text"] for one in errors)
    pairs = Counter(
        " → ".join(one[side]["label"] if one[side] else "∅" for side in ("gold", "pred")) for one in errors
    )
    for by, counts in (
        ("text", texts),
        ("labels", pairs),
        ("kind", Counter(one["kind"] for one in errors)),
        ("doc", Counter(one["document"] for one in errors)),
    ):
        page.page.get_by_label("Group by").select_option(by)
        look("by => location.hash.includes(`group=${by}`)", arg=by)
        number, name = rows.first.inner_text().split("\n")
        assert int(number) == counts[name] == max(counts.values())
        page.page.get_by_role("listbox").focus()
        page.page.keyboard.press("Enter")
        page.page.get_by_test_id("row").first.wait_for()
        assert page.page.locator(".hits").inner_text() == f"{number} listed"
        page.back()
        rows.first.wait_for()
        assert rows.first.inner_text().split("\n") == [number, name]
    axe(page.page)
    assert page.complaints == []


def test_addresses_name_what_they_show(opened: Open, result: spanscope.Result) -> None:
    """Ids and values: the same address shows the same on the page of a corpus in another order."""
    shown = next(iter(result.matches("missing")))
    span = f"gold:{shown['gold']['start']}-{shown['gold']['end']}:{shown['gold']['label']}"
    document = shown["document"]
    place = f"#/errors?t=0.80&gold={shown['gold']['label']}&pred=&in={document}&span={span}"
    gold, pred = (list(reversed(spanscope.read(path).to_dicts())) for path in (GOLD, PRED))
    turned = spanscope.evaluate(gold, pred, "spans.relaxed", ci=False)
    for one in (result, turned):
        page = opened(one).go(place)
        assert page.text("step") == "0.80"
        chosen = page.page.locator("[role=option][aria-selected=true]").inner_text()
        assert document in chosen
        assert shown["gold"]["text"][:20] in chosen.replace("\n", "")
        assert page.complaints == []


def test_every_step_into_the_list_is_undone_by_back(opened: Open, result: spanscope.Result) -> None:
    page = opened(result).go("#/errors")
    total, hits = page.page.locator(".hits").inner_text(), page.page.locator(".hits")
    page.page.locator(".matrix td button:not(.same)").first.click()
    page.page.wait_for_function("() => location.hash.includes('gold=')")
    inside = hits.inner_text()
    page.page.locator(".labels tbody button").first.click()
    page.page.wait_for_function("() => location.hash.includes('label=')")
    page.back()
    assert "label=" not in page.page.url
    assert hits.inner_text() == inside != total
    page.back()
    assert "gold=" not in page.page.url
    assert hits.inner_text() == total


def test_lists_end_with_a_whole_row(in_both: Open, result: spanscope.Result) -> None:
    """At any height of the window, also after it has changed; where all rows have room, nothing is cut."""
    page = in_both(result).go("#/errors")
    look = """() => {
        const list = document.querySelector('.list');
        return list.clientHeight % 28 === 0 && list.clientHeight >= 56;
    }"""
    for height in (900, 771, 1013, 640):
        page.page.set_viewport_size({"width": 1280, "height": height})
        page.page.wait_for_function(look)
    page.page.set_viewport_size({"width": 390, "height": 803})
    page.page.wait_for_function(look)
    assert page.complaints == []
