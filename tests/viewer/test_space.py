"""Room: few labels and many, short names and long ones, at every width, with a mouse and with a finger."""

import random
from collections.abc import Callable
from typing import Any

import pytest

import spanscope
from tests.viewer.conftest import Opened, axe

Open = Callable[..., Opened]
Json = dict[str, Any]
HEBREW = ["שלום", "עולם", "זה", "משפט", "בעברית", "עם", "שמות", "של", "אנשים", "ומקומות", "כמו", "תל", "אביב"]
LATIN = ["the", "buyer", "shall", "deliver", "all", "goods", "within", "thirty", "days", "of", "the", "receipt"]
TAILS = (" that somebody typed in by hand", "-Reference", "_x", "Person", "")

# Every name stands inside its bar, at the bar's right where the span is read from there. Gives how many names.
NAMES = """() => [...document.querySelectorAll('.mark')].map(mark => {
    const name = mark.querySelector('span');
    if (!name) return 0;
    const [bar, own] = [mark.getBoundingClientRect(), name.getBoundingClientRect()];
    if (own.left < bar.left - 1 || own.right > bar.right + 1) throw new Error(name.textContent + ' runs over');
    if (mark.title.indexOf(',') < 0) throw new Error('no tooltip');
    const right = mark.classList.contains('right');
    if ((right ? bar.right - own.right : own.left - bar.left) > 4) throw new Error(name.textContent + ' astray');
    return 1;
}).reduce((a, b) => a + b, 0)"""


def corpus(labels: int) -> tuple[list[Json], list[Json]]:
    """Return documents read from the left and from the right; L0 is confused with L1 most."""
    chance = random.Random(labels)
    names = [f"L{n}{TAILS[n % len(TAILS)]}" for n in range(labels)]
    gold, pred = [], []
    for number in range(max(4, labels // 6)):
        words = chance.choices(HEBREW if number % 2 else LATIN, k=40)
        starts = [0]
        for word in words:
            starts.append(starts[-1] + len(word) + 1)
        sides: tuple[list[Json], list[Json]] = ([], [])
        for at in range(0, 36, 3):
            own = chance.randrange(labels)
            for side, label in zip(
                sides, (own, {0: 1}.get(own, own) if at % 4 else chance.randrange(labels)), strict=True
            ):
                side.append({"start": starts[at], "end": starts[at + 1 + at % 3] - 1, "label": names[label]})
        for out, spans in zip((gold, pred), sides, strict=True):
            out.append({"id": f"d{number}", "text": " ".join(words), "spans": spans})
    return gold, pred


@pytest.mark.parametrize("labels", [3, 8, 100])
def test_one_design_for_few_labels_and_many(in_both: Open, labels: int) -> None:
    """The matrix stands beside the list, the document has what is left of the window, and no name runs over."""
    page = in_both(spanscope.evaluate(*corpus(labels), "spans.exact", ci=False)).go("#/errors")
    here = page.page
    heads = here.locator(".matrix thead th span")
    names = here.locator(".labels tbody tr")
    assert heads.count() == min(labels, 12) + 1
    assert names.count() == min(labels, 12)
    assert {head for head in heads.all_inner_texts() if head != "none"} <= {
        f"L{n}{TAILS[n % 5]}" for n in range(labels)
    }
    assert "vertical" in heads.first.evaluate("one => getComputedStyle(one).writingMode")
    for width in page.at_widths():
        assert here.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert here.evaluate(NAMES) > 0, width
        boxes = {
            name: here.locator(name).first.bounding_box() for name in (".matrix", ".list", ".document", "header")
        }
        if width >= 1280:
            assert boxes[".matrix"]["x"] + boxes[".matrix"]["width"] <= boxes[".list"]["x"]
            assert here.evaluate("document.documentElement.scrollHeight <= innerHeight"), width
            assert 900 - 30 <= boxes[".document"]["y"] + boxes[".document"]["height"] <= 900
            assert boxes[".document"]["x"] + boxes[".document"]["width"] > width - 40
        if width == 390:
            assert boxes["header"]["height"] < 100
            assert boxes[".list"]["y"] < 330
            assert boxes[".list"]["y"] < boxes[".matrix"]["y"]
    if labels > 12:
        assert heads.first.inner_text().startswith(("L0 ", "L1-"))  # those confused most come first
        here.get_by_label("Find a label").fill("l99")
        assert names.count() == 1
        assert "L99" in names.first.inner_text()
    if labels == 3:
        here.keyboard.press("Escape")
        here.get_by_text("spans as a table").click()
        table = here.get_by_role("region", name="Spans of this document")
        for n, side in ((0, "left"), (3, "right"), (5, "left")):
            for cell in (table.locator("thead th").nth(n), table.locator("tbody tr").first.locator("td").nth(n)):
                assert cell.evaluate("one => getComputedStyle(one).textAlign") == side
    axe(here)
    assert page.complaints == []


def test_nothing_names_a_key_where_fingers_touch(opened: Open) -> None:
    touch = {"has_touch": True, "is_mobile": True}
    page = opened(spanscope.evaluate(*corpus(3), "spans.exact", ci=False), context=touch).go("#/errors").page
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.locator("kbd").count() > 0
    assert not any(one.is_visible() for one in page.locator("kbd").all())
    assert page.locator("#search").get_attribute("placeholder") == "search"
    page.get_by_test_id("help").click()
    assert "Keys" not in page.get_by_role("dialog").inner_text()
