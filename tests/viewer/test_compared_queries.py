"""Comparisons of passages: a query opens with its answers and what either run retrieved."""

import json
from collections.abc import Callable

import pytest

import spanscope
from spanscope import viewer
from tests.viewer.conftest import Opened, axe

Open = Callable[..., Opened]
ASKED = {"q1": "where rivers end", "q2": "what burns"}
GOLD = [
    {"id": "q1", "query": ASKED["q1"], "gold": [{"text": "in the sea"}]},
    {"id": "q2", "query": ASKED["q2"], "gold": [{"text": "dry wood"}]},
]


def run(*found: tuple[str, ...]) -> list[dict[str, object]]:
    return [
        {"id": key, "retrieved": [{"text": text} for text in own]} for key, own in zip(ASKED, found, strict=True)
    ]


@pytest.fixture(scope="module")
def compared() -> spanscope.Compared:
    first = run(("Mountains are high.", "They end in the sea."), ("All dry wood burns.",))
    second = run(("They end in the sea.",), ("Stones do not.", "Water does not."))
    return spanscope.compare(
        GOLD, ("a", first), ("b", second), measures="passages.ranking(by=substring)", trials=5
    )


def test_enter_opens_the_texts_of_a_query(in_both: Open, compared: spanscope.Compared) -> None:
    page = in_both(compared).go("#/by-document?all=1&item=q2", "open")
    opened = page.page.get_by_test_id("open")
    page.page.get_by_role("listbox").focus()
    page.page.keyboard.press("Enter")
    assert page.page.evaluate("document.activeElement.id") == "open"
    assert "dry wood" in opened.get_by_role("region", name="Gold answers").inner_text()
    sides = [opened.get_by_role("region", name=f"Retrieved by {name}") for name in "ab"]
    assert "All dry wood burns." in sides[0].inner_text()
    assert sides[0].locator("mark").inner_text() == "dry wood"
    assert [one.inner_text() for one in sides[1].get_by_test_id("passage").locator(".quote").all()] == [
        "Stones do not.",
        "Water does not.",
    ]
    axe(page.page)
    for width in page.at_widths():
        assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    page.page.keyboard.press("j")
    page.page.wait_for_function("() => document.querySelector('#open h3').textContent.includes('q1')")
    assert page.complaints == []


@pytest.mark.parametrize("text", ["masked", "none"])
def test_no_text_is_in_a_page_that_may_not_have_it(compared: spanscope.Compared, text: str) -> None:
    whole = json.dumps(viewer.unpack(viewer.render(compared)))
    page = json.dumps(viewer.unpack(viewer.render(compared, text=text)))
    for words in ("dry wood", "Stones", "the sea", "where rivers"):
        assert words in whole or words == "where rivers"
        assert words not in page


def test_other_families_have_no_queries() -> None:
    gold = [{"id": 1, "text": "Anna", "spans": []}]
    page = viewer.render(spanscope.compare(gold, ("a", gold), ("b", gold), measures="spans.exact", trials=5))
    assert viewer.unpack(page)["queries"] is None
