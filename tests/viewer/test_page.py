"""The page in a real browser, from a file: its figures are Python's, and nothing leaves it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.settings.options import grouped
from tests.cli import GOLD, PRED
from tests.support import documents
from tests.viewer import at_step, payload
from tests.viewer.conftest import Opened, axe
from tests.viewer.test_file import HOSTILE, hostile

Open = Callable[..., Opened]
FIGURES = ("f1", "precision", "recall", "tp", "pred", "gold")


def evaluated(form: str | None = None, **options: Any) -> spanscope.Result:
    named = {} if form else {"protocol": "reqflow"}
    return spanscope.evaluate(GOLD, PRED, form, ci=False, **grouped(named | options))


def chip(kind: str) -> str:
    return f"chip-{kind.replace('+', '-')}"


def last_number(text: str) -> int:
    return int(re.findall(r"\d+", text)[-1])


def figures(page: Opened) -> list[str]:
    return [page.text(name) for name in FIGURES]


def listed(page: Opened) -> int:
    """Return how many findings the list says it holds."""
    said = page.page.locator(".hits").inner_text()
    return int(re.sub(r"\D", "", said))


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize(
    "form", ["spans.relaxed", "spans.iou(threshold=0.37, assignment=optimal)", "tokens.presidio"]
)
def test_figures_at_every_step_are_pythons(opened: Open, form: str) -> None:
    result = evaluated(form)
    page = opened(result).go("#/errors")
    found = payload(result)
    corpus, kinds = found["corpus"], found["kinds"]
    assert page.text("step") == f"{corpus['steps'][corpus['at']]:.2f}"
    for step, threshold in enumerate(corpus["steps"]):
        page.set_step(step)
        page.page.wait_for_function(
            "want => document.querySelector('[data-testid=step]').textContent === want", arg=f"{threshold:.2f}"
        )
        there = evaluated(f"{form.partition('(')[0]}({_with(form, threshold)})")
        for name in ("f1", "precision", "recall"):
            assert abs(float(page.text(name)) - there.value(name)) <= 0.00005 + 1e-12
        totals = there.totals()
        assert [page.text(name) for name in ("tp", "pred", "gold")] == [
            str(totals.get("tp", totals.get("tp_gold"))),
            str(totals["pred"]),
            str(totals["gold"]),
        ]
        counts = {kind: last_number(page.text(chip(kind))) for kind in kinds[1:]}
        assert counts == {kind: row["count"] for kind, row in there.errors().items()}
        assert listed(page) == sum(counts.values())


def _with(form: str, threshold: float) -> str:
    rest = re.sub(r"threshold=[\d.]+,? ?", "", form.partition("(")[2].rstrip(")"))
    return ", ".join(filter(None, (f"threshold={threshold}", rest)))


@pytest.mark.parametrize("form", ["spans.relaxed", "tokens.presidio"])
def test_a_cell_of_the_matrix_lists_its_findings(opened: Open, form: str) -> None:
    result = evaluated(form)
    found = payload(result)
    none = len(found["labels"])
    cells = sorted((cell for cell in found["confusion"]["cells"] if cell[0] != cell[1]), key=lambda cell: -cell[2])
    page = opened(result)
    for gold, pred, n in (
        cells[0],
        next(c for c in cells if c[0] == none),
        next(c for c in cells if none not in c),
    ):
        name = [*found["labels"], ""]
        page.go(f"#/errors?gold={name[gold]}&pred={name[pred]}")
        assert listed(page) == n
    page.go("#/errors?kind=missing")
    assert listed(page) == result.errors()["missing"]["count"]


def test_lists_are_short_however_long_they_are(opened: Open) -> None:
    """3,000 documents with an error each: few elements, and every finding is counted."""
    gold, pred = documents(*(["A[0,4] B[6,9]"] * 3000)), documents(*(["A[0,4] B[20,29]"] * 3000))
    page = opened(spanscope.evaluate(gold, pred, "spans.iou", ci=False)).go("#/errors")
    assert listed(page) == 6000
    assert 0 < page.page.get_by_test_id("row").count() < 200
    assert page.page.locator("*").count() < 5000


def test_what_is_left_out_is_said(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.viewer.BUDGET", 3000)
    page = opened(evaluated(text="none")).go("#/errors")
    embedded = payload(evaluated(text="none"), budget=3000)["corpus"]["embedded"]
    assert 0 < embedded < 50
    assert re.search(rf"\b{embedded} of 50 documents", page.page.locator("body").inner_text())


def test_other_families_have_an_overview(opened: Open) -> None:
    gold = [{"id": 1, "text": "abcdef", "segments": [[0, 3], [3, 6]]}]
    page = opened(spanscope.evaluate(gold, gold, protocol="segments", ci=False)).go("", testid=None)
    page.page.get_by_text("All measures").click()
    page.page.get_by_text("segments.pk", exact=False).first.wait_for()
    links = page.page.get_by_role("navigation").get_by_role("link").all_inner_texts()
    assert links == ["Overview", "Segments", "Documents", "About"]
    assert page.complaints == []


def test_leaks_are_listed_for_pii(opened: Open) -> None:
    result = evaluated(protocol="pii")
    page = opened(result).go("#/leaks", testid="f2")
    words = [one["text"] for one in result.leaks()[:5]]
    assert not any(word in page.page.locator("main").inner_text() for word in words)  # hidden until asked for
    page.page.get_by_label("Show the texts").check()
    shown = page.page.locator("main").inner_text()
    assert all(word in shown for word in words)


def test_every_leak_opens_its_document(opened: Open) -> None:
    """Lopez stays readable in the first document, `now` is redacted in the second; Ann Lee is found."""
    texts = ["Maria del Carmen Lopez came.", "Zebulon Pike now left, Ann Lee too."]
    gold = [{"id": "one", "text": texts[0], "spans": [{"start": 0, "end": 22, "label": "PERSON"}]}]
    gold += [{"id": "two", "text": texts[1], "spans": [{"start": 0, "end": 12, "label": "PERSON"}]}]
    pred = [{**gold[0], "spans": [{"start": 0, "end": 16, "label": "PERSON"}]}]
    pred += [{**gold[1], "spans": [{"start": 0, "end": 16, "label": "ORG"}]}]
    page = opened(spanscope.evaluate(gold, pred, protocol="pii")).go("#/leaks", testid=None)
    page.page.get_by_label("Show the texts").check()
    for side, name, piece in (("gold", "one", "Lopez"), ("pred", "two", "now")):
        (row,) = page.page.get_by_test_id(f"leak-{side}").all()
        assert piece in row.inner_text().split("\t")
        row.get_by_role("button").click()
        page.page.get_by_test_id("document").get_by_role("heading", name=f"Document {name}").wait_for()
        page.back()
        page.page.get_by_label("Show the texts").check()
    assert "5 characters of 34 stay readable" in page.page.locator("main").inner_text()
    assert page.text("leaked") == "5"
    assert page.complaints == []


def test_the_overview_says_that_the_headline_ignores_types(opened: Open) -> None:
    page = opened(evaluated(protocol="pii")).go("#/overview", testid=None)
    page.page.get_by_text("tokens.presidio ignores types overall").wait_for()


# ---------------------------------------------------------------- nothing leaves, nothing runs


def test_no_request_and_no_complaint(opened: Open) -> None:
    page = opened(evaluated())
    for place in ("#/overview", "#/errors", "#/about"):
        page.go(place)
    assert {url.partition("#")[0] for url in page.requests if not url.startswith(("data:", "blob:"))} <= {
        page.path.as_uri(),
        "about:blank",
    }
    assert page.complaints == []


def test_hostile_texts_are_shown_as_text(opened: Open) -> None:
    page = opened(hostile(), title="<b>bold</b>").go("#/errors?kind=correct")
    page.page.get_by_test_id("row").first.click()
    shown = page.page.get_by_test_id("document").inner_text()
    assert "</script><script>alert(1)</script>" in shown
    assert "<b>bold</b>" in page.page.locator("h1").first.inner_text()
    assert page.page.locator("main img, main script, h1 b").count() == 0
    assert page.complaints == []


def test_texts_are_one_piece(opened: Open) -> None:
    """The text can be found and copied: it stands there once, in one text node, unit by unit as Python has it."""
    page = opened(hostile()).go("#/errors?kind=correct")
    page.page.get_by_test_id("row").first.click()
    units = [int.from_bytes(pair, "little") for pair in _pairs(HOSTILE.encode("utf-16-le", "surrogatepass"))]
    found = page.page.get_by_test_id("document").evaluate(
        """(element, units) => {
            const want = String.fromCharCode(...units);
            const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            let n = 0;
            while (walker.nextNode()) n += walker.currentNode.data.includes(want);
            return n;
        }""",
        units,
    )
    assert found == 1


def _pairs(data: bytes) -> list[bytes]:
    return [data[at : at + 2] for at in range(0, len(data), 2)]


def test_without_texts_the_page_works(opened: Open) -> None:
    page = opened(evaluated(text="none")).go("#/errors")
    page.page.get_by_test_id("row").first.click()
    page.page.get_by_test_id("document").wait_for()
    assert "librarian" not in page.page.content().lower()
    assert page.complaints == []


def test_figures_are_readable_without_javascript(opened: Open) -> None:
    page = opened(evaluated(), {"java_script_enabled": False}).go("", testid=None)
    shown = page.page.locator("#static").inner_text()
    assert f"{2 * 188 / (246 + 259):.4f}" in shown
    assert page.page.locator("#static").is_visible()


# ---------------------------------------------------------------- links, keys, exports


def test_a_link_shows_the_same_again(opened: Open) -> None:
    page = opened(evaluated()).go("#/errors")
    page.set_step(16)
    page.page.get_by_test_id(chip("missing")).click()
    page.page.get_by_test_id("row").nth(2).click()
    page.page.wait_for_function("() => location.hash.includes('span=')")
    again = opened(page.path).go("#" + page.page.url.partition("#")[2])
    assert figures(again) == figures(page)
    assert again.text("step") == "0.80"
    there = evaluated("spans.relaxed(threshold=0.8)").errors()
    assert listed(again) == listed(page) == sum(row["count"] for row in there.values()) - there["missing"]["count"]
    same = "[aria-selected=true], [aria-current=true], .selected"
    assert again.page.locator(same).first.inner_text() == page.page.locator(same).first.inner_text()


def test_keys_alone(opened: Open) -> None:
    page = opened(evaluated()).go("#/overview")
    keys = page.page.keyboard
    keys.press("g")
    keys.press("e")
    page.page.get_by_test_id("row").first.wait_for()
    keys.press("]")
    page.page.wait_for_function("() => document.querySelector('[data-testid=step]').textContent === '0.55'")
    keys.press("[")
    page.page.wait_for_function("() => document.querySelector('[data-testid=step]').textContent === '0.50'")
    keys.press("Shift+Digit8")
    page.page.wait_for_function("() => location.hash.includes('kind=missing')")
    assert listed(page) == evaluated().errors()["missing"]["count"]
    keys.press("j")
    page.page.wait_for_function("() => location.hash.includes('span=')")
    keys.press("Escape")
    page.page.wait_for_function("() => !location.hash.includes('kind=')")
    keys.press("Shift+Slash")
    page.page.get_by_role("dialog").wait_for()
    keys.press("Escape")
    page.page.get_by_role("dialog").wait_for(state="detached")
    before = page.page.evaluate("document.documentElement.dataset.theme")
    keys.press("d")
    page.page.wait_for_function("was => document.documentElement.dataset.theme !== was", arg=before)


AS_IT_COMES = """(() => {
    const look = new MutationObserver(() => {
        if (!document.querySelector('[data-testid=slider]')) return;
        look.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', {key: ']', bubbles: true, cancelable: true}));
    });
    look.observe(document, {childList: true, subtree: true});
})()"""


def test_keys_work_as_soon_as_the_page_is_there(opened: Open) -> None:
    page = opened(evaluated())
    page.page.add_init_script(AS_IT_COMES)
    page.go("#/overview")
    page.page.wait_for_function("() => document.querySelector('[data-testid=step]').textContent === '0.55'")


def test_a_closed_help_swallows_no_key(opened: Open) -> None:
    """A closed dialog keeps the focus until the next frame: a key typed before that is the page's."""
    page = opened(evaluated()).go("#/errors")
    page.page.keyboard.press("Shift+Slash")
    page.page.get_by_role("dialog").wait_for()
    page.page.evaluate(
        """() => {
            const field = document.querySelector("dialog input");
            field.closest("dialog").close();
            field.dispatchEvent(new KeyboardEvent("keydown", {key: "l", bubbles: true, cancelable: true}));
        }"""
    )
    page.page.wait_for_function("() => document.activeElement.id === 'label'")


def test_the_key_of_the_help_closes_it(opened: Open) -> None:
    page = opened(evaluated()).go("#/errors")
    page.page.keyboard.press("Shift+Slash")
    page.page.get_by_role("dialog").wait_for()
    page.page.keyboard.press("Shift+Slash")
    page.page.wait_for_function("() => !document.querySelector('dialog')")


def test_tab_reaches_everything_and_is_not_trapped(opened: Open) -> None:
    page = opened(evaluated()).go("#/errors")
    seen = set()
    for _ in range(150):
        page.page.keyboard.press("Tab")
        seen.add(page.page.evaluate("document.activeElement?.dataset?.testid ?? document.activeElement?.id ?? ''"))
    assert {"slider", "theme", "help", "search", chip("missing")} <= seen


@pytest.mark.parametrize("name", ["json", "csv", "md", "tex"])
def test_exports_are_pythons(opened: Open, name: str) -> None:
    result = evaluated()
    page = opened(result).go()
    page.page.get_by_test_id("export").click()
    with page.page.expect_download() as download:
        page.page.get_by_test_id(f"export-{name}").click()
    found = Path(download.value.path()).read_text(encoding="utf-8")
    want = payload(result)["exports"][name]
    assert json.loads(found) == json.loads(want) if name == "json" else found == want


# ---------------------------------------------------------------- for everyone


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["overview", "errors", "about", "leaks"])
def test_accessible(opened: Open, scheme: str, place: str) -> None:
    """axe-core finds nothing wrong, in both themes."""
    result = spanscope.evaluate(GOLD, PRED, protocol="pii" if place == "leaks" else None)
    page = opened(result, {"color_scheme": scheme}).go(f"#/{place}", testid="f2" if place == "leaks" else "f1")
    if place == "errors":
        page.page.get_by_test_id("row").first.click()
    axe(page.page)


def test_the_chosen_theme_is_the_systems(opened: Open) -> None:
    shown = {}
    for scheme in ("light", "dark"):
        page = opened(evaluated(), {"color_scheme": scheme}).go()
        shown[scheme] = page.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert shown["light"] != shown["dark"]


def test_matches_of_the_list_are_those_of_python(opened: Open) -> None:
    """Every row of a short list names a document in which Python has such an error."""
    result = evaluated()
    found = payload(result)
    page = opened(result).go("#/errors?kind=spurious")
    rows = page.page.get_by_test_id("row").all_inner_texts()
    want = [one[0] for one in at_step(found, found["corpus"]["at"]).elements() if one[1] == "spurious"]
    assert len(rows) == len(want) == 11
    assert all(any(name in row for row in rows) for name in want)


def test_invented_quotes_are_listed_with_the_nearest_passage(opened: Open) -> None:
    """One of three quotes says 45 where the text says 30; as given only its place is gold's."""
    text = "The fee is due in 30 days. Bob met Ann."
    gold = [{"id": "a", "text": text, "spans": [[0, 7, "Duty"], [15, 25, "Term"], [27, 30, "P"]]}]
    said = [("the fee", "Duty", 1, 8), ("in 45 days", "Term", 15, 25), ("Bob", "P", 25, 28)]
    items = [{"quote": quote, "label": label, "start": a, "end": b} for quote, label, a, b in said]
    pred = [{"id": "a", "spans": items}]
    result = spanscope.evaluate(gold, pred, "spans.exact", read=spanscope.Reading(locate=True), ci=False)
    page = opened(result).go("#/quotes")
    assert page.text("not-found") == "1"
    (row,) = page.page.get_by_test_id("lost").all()
    assert row.locator("del").all_inner_texts() == ["45"]
    assert row.locator("ins").all_inner_texts() == ["30"]
    assert "a number differs" in row.inner_text()
    assert "0.3333" in page.text("as-given")
    row.get_by_role("button").click()
    page.page.get_by_test_id("document").get_by_role("heading", name="Document a").wait_for()
    assert "in 45 days (nowhere in the text)" in page.page.get_by_test_id("row").first.inner_text()
    assert page.complaints == []


def test_invented_quotes_are_hidden_where_texts_are(opened: Open) -> None:
    gold = [{"id": "a", "text": "Bob pays 30 days later.", "spans": [[0, 3, "P"]]}]
    pred = [{"id": "a", "spans": [{"quote": "pays 45 days later", "label": "P"}]}]
    read = spanscope.Reading(locate=True)
    page = opened(spanscope.evaluate(gold, pred, "spans.exact", read=read, ci=False, text="none")).go("#/quotes")
    (row,) = page.page.get_by_test_id("lost").all()
    assert "45" not in row.inner_text()
    assert "4–22" in row.inner_text()
    assert page.complaints == []
