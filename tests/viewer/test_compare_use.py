"""The page of a comparison in use: keys, links, exports, themes, the command, hostile and withheld texts."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import viewer
from spanscope.report import render
from spanscope.settings.options import grouped
from tests.cli import GOLD, PRED, refused, run
from tests.support import documents
from tests.viewer.conftest import Opened, axe
from tests.viewer.test_compare_page import HEAD, compared, figures

Open = Callable[..., Opened]
HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> \u202eevil 😀 שלום'


# ---------------------------------------------------------------- keys, links, exports


def test_keys_alone(opened: Open) -> None:
    result = compared()
    page = opened(result).go("", HEAD)
    keys, wait = page.page.keyboard, page.page.wait_for_function
    keys.press("x")
    wait("() => location.hash.includes('all=1')")
    keys.press("g")
    keys.press("c")
    page.page.get_by_test_id("row").first.wait_for()
    keys.press("Shift+Digit2")
    wait("() => location.hash.includes('kind=broken')")
    broken = len(result.changes["broken"])
    assert page.page.locator(".hits").inner_text() == f"{broken} listed"
    keys.press("j")
    keys.press("j")
    page.page.locator("[aria-selected=true][aria-posinset='3']").wait_for()
    keys.press("k")
    page.page.locator("[aria-selected=true][aria-posinset='2']").wait_for()
    keys.press("Digit1")
    both = broken + len(result.changes["fixed"])
    wait("want => document.querySelector('.hits').textContent === want", arg=f"{both} listed")
    keys.press("Escape")
    wait("() => !location.hash.includes('kind=')")
    keys.press("g")
    keys.press("b")
    page.page.get_by_test_id("item").first.wait_for()
    keys.press("j")
    page.page.locator("[aria-selected=true][aria-posinset='2']").wait_for()
    keys.press("/")
    assert page.page.evaluate("document.activeElement.id") == "search"
    keys.press("Escape")
    keys.press("Shift+Slash")
    page.page.get_by_role("dialog").wait_for()
    assert "differences only" in page.page.get_by_role("dialog").inner_text()


def test_tab_reaches_everything(opened: Open) -> None:
    page = opened(compared()).go("#/changes", HEAD)
    seen = set()
    for _ in range(60):
        page.page.keyboard.press("Tab")
        seen.add(page.page.evaluate("document.activeElement?.dataset?.testid || document.activeElement?.id || ''"))
    assert {"chip-fixed", "label", "doc", "search", "theme", "help", "export"} <= seen
    page.page.get_by_role("listbox").focus()
    page.page.keyboard.press("End")
    total = int(re.sub(r"\D", "", page.page.locator(".hits").inner_text()))
    page.page.locator(f"[aria-selected=true][aria-posinset='{total}']").wait_for()


def test_a_link_shows_the_same_again(opened: Open) -> None:
    page = opened(compared()).go("#/changes", HEAD)
    page.page.get_by_test_id("chip-broken").click()
    page.page.locator("#label").select_option(label="B")
    page.page.get_by_test_id("row").nth(3).click()
    page.page.wait_for_function("() => location.hash.includes('span=') && location.hash.includes('label=B')")
    again = opened(page.path).go("#" + page.page.url.partition("#")[2], HEAD)
    for part in (".hits", "[aria-selected=true]", "[data-testid=document] h3", ".chips"):
        assert again.page.locator(part).inner_text() == page.page.locator(part).inner_text()
    assert again.page.locator("[aria-selected=true]").get_attribute("aria-posinset") == "4"
    there = page.go("#/differences?all=1&by=-difference&figure=0.recall&name=b", HEAD)
    form = "recall%20spans.exact(duplicates%3Dlist)"  # it was opened by the position of a measure
    look = "end => location.hash.endsWith(end)"
    page.page.wait_for_function(look, arg=f"all=1&figure={form}&by=-difference&name=b")
    assert figures(there)


@pytest.mark.parametrize(
    "place", ["#/nothing?run=9&sel=x", "#/changes?kind=odd&label=Z&doc=99999&sel=-1", "#?&&=%"]
)
def test_bad_links_open_the_page(opened: Open, place: str) -> None:
    page = opened(compared()).go(place, HEAD)
    assert page.complaints == []


@pytest.mark.parametrize(
    ("name", "form"), [("json", "json"), ("csv", "csv"), ("md", "markdown"), ("tex", "latex")]
)
def test_exports_are_pythons(opened: Open, name: str, form: str) -> None:
    result = compared()
    page = opened(result).go("", HEAD)
    page.page.keyboard.press("e")
    with page.page.expect_download() as download:
        page.page.get_by_test_id(f"export-{name}").click()
    assert Path(download.value.path()).read_text(encoding="utf-8") == render(result, form)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["differences?all=1", "changes", "by-document", "about"])
def test_accessible(opened: Open, scheme: str, place: str) -> None:
    """axe-core finds nothing wrong, in both themes."""
    result = spanscope.compare(GOLD, ("base", PRED), ("new", GOLD), trials=50)
    page = opened(result, {"color_scheme": scheme}).go(f"#/{place}", HEAD)
    axe(page.page)


def test_figures_are_readable_without_javascript(opened: Open) -> None:
    result = compared()
    page = opened(result, {"java_script_enabled": False}).go("", testid=None)
    shown = page.page.locator("#static").inner_text()
    assert f"{result.value('f1').value:.4f}" in shown
    assert "no clear difference" in shown or "better" in shown


# ---------------------------------------------------------------- the command


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run(
        "compare",
        GOLD,
        f"a={PRED}",
        f"b={GOLD}",
        "--trials",
        50,
        "--html",
        page,
        "--title",
        "Two runs",
        "--text",
        "none",
    )
    assert (done.code, done.err) == (0, f"wrote {page}\n")
    assert "What changed" in done.out
    found = viewer.unpack(page.read_text(encoding="utf-8"))
    assert (found["title"], found["text"], [one["name"] for one in found["runs"]]) == (
        "Two runs",
        "none",
        ["a", "b"],
    )
    text = json.loads(GOLD.read_text(encoding="utf-8").splitlines()[0])["text"]
    assert text not in page.read_text(encoding="utf-8") + json.dumps(found)


def test_result_files_have_tables_only(tmp_path: Path, opened: Open) -> None:
    kept = [tmp_path / name for name in ("a.json", "b.json")]
    for path, pred in zip(kept, (PRED, GOLD), strict=True):
        assert run("eval", GOLD, pred, "-m", "spans.exact", "--no-ci", "--keep", "-o", path).code == 0
    done = run("compare", *kept, "--trials", 50, "--html", tmp_path / "page.html")
    assert done.code == 0
    found = viewer.unpack((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert (found["changed"], found["text"]) == (None, "none")
    page = opened(tmp_path / "page.html").go("", HEAD)
    links = page.page.get_by_role("navigation").get_by_role("link").all_inner_texts()
    assert links == ["Differences", "Documents", "About"]
    value = spanscope.evaluate(GOLD, PRED, "spans.exact", ci=False).value("f1")
    assert (page.text("was"), page.text("is")) == (f"{value:.4f}", "1.0000")
    page.go("#/by-document", "item")
    page.go("#/about", HEAD)
    assert page.complaints == []


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--title", "T"], "--title is an option of the page"),
        (["--force"], "--force is an option of the page"),
        (["--html", "-"], "--html needs the name of a file"),
    ],
)
def test_options_that_nothing_would_read(options: list[str], says: str) -> None:
    assert says in refused(run("compare", GOLD, f"a={PRED}", f"b={GOLD}", *options))


# ---------------------------------------------------------------- large, hostile, private


def test_ten_thousand_documents_make_few_elements(opened: Open) -> None:
    gold, one, two = (
        documents(*([spans] * 10_000)) for spans in ("A[0,4] B[6,9]", "A[0,4] B[20,29]", "A[0,3] B[6,9]")
    )
    result = spanscope.compare(
        gold, ("one", one), ("two", two), measures="spans.exact", trials=10, ci=spanscope.Ci(resamples=10)
    )
    page = opened(result)
    for place, testid in (
        ("#/differences?all=1", "figure"),
        ("#/changes", "row"),
        ("#/by-document?all=1", "item"),
    ):
        page.go(place, testid)
        assert page.page.locator("*").count() < 1000
    assert page.page.locator(".hits").inner_text().replace("\u2009", "") == "10000 documents listed"
    assert "30\u2009000 listed" in page.go("#/changes", "row").page.locator(".hits").inner_text()


def hostile(**options: Any) -> spanscope.Compared:
    name = "<i>\u202e</script>"
    gold = [{"id": name, "text": HOSTILE, "spans": [{"start": 0, "end": 9, "label": "<b>&'\"</title>"}]}]
    none = [{"id": name, "text": HOSTILE, "spans": []}]
    return spanscope.compare(
        gold, ("<u>\u202ea", none), ("</b>", gold), measures="spans.exact", **grouped(options)
    )


def test_hostile_texts_and_names_are_shown_as_text(opened: Open) -> None:
    page = opened(hostile(meta={"<u>": "</main>"}), title="<b>bold</b>")
    for place in ("#/differences", "#/by-document", "#/about", "#/changes"):
        page.go(place, HEAD)
        assert page.page.locator("main img, main script, h1 b, main i, main u").count() == 0
    assert page.page.locator(".words").first.evaluate("e => [e.childNodes.length, e.textContent]") == [1, HOSTILE]
    assert page.complaints == []
    assert {url.partition("#")[0] for url in page.requests} <= {page.path.as_uri(), "about:blank"}


SECRET = ("Zanzibarqua", "Quillfeather", "Mortwhistle")


def private(**options: Any) -> spanscope.Compared:
    text = " ".join([*SECRET, *["filler"] * 40])
    sides = [
        [{"id": "d", "text": text, "spans": [{"start": a, "end": b, "label": "P", "text": text[a:b]}]}]
        for a, b in ((0, 11), (12, 24), (0, 11))
    ]
    return spanscope.compare(
        sides[0], ("one", sides[1]), ("two", sides[2]), measures="spans.exact", **grouped(options)
    )


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("text", ["none", "masked", "context", "full"])
def test_no_more_of_the_texts_than_asked_for(text: str, late: bool) -> None:
    page = viewer.render(private(), text=text) if late else viewer.render(private(text=text))
    found = viewer.unpack(page)
    inside = (page + json.dumps(found)).lower()
    assert [word.lower() in inside for word in SECRET] == [text in ("full", "context")] * 3
    kept = found["changed"]["corpus"]["texts"][0]
    assert (kept is None) == (text == "none")
    # the words of 6 + 1 characters begin at 37, and the last span ends at 24: 24 + 60 = 37 + 6 x 7 + 5
    assert inside.count("filler") == {"full": 40}.get(text, 6 if text == "context" else 0)
    assert (
        found["text"]
        == found["settings"]["text"]
        == json.loads(found["exports"]["json"])["settings"]["text"]
        == text
    )


def test_of_results_that_show_more_and_less_the_least_is_shown() -> None:
    text = " ".join(SECRET)
    gold = [{"id": "d", "text": text, "spans": [{"start": 0, "end": 11, "label": "P"}]}]
    none = [{"id": "d", "text": text, "spans": []}]
    full, masked = (
        spanscope.evaluate(gold, run, "spans.exact", text=how) for run, how in ((gold, "full"), (none, "masked"))
    )
    found = viewer.unpack(viewer.render(spanscope.compare(gold, ("full", full), ("masked", masked))))
    assert found["text"] == found["settings"]["text"] == "masked"
    assert found["changed"]["corpus"]["texts"] == [" ".join("x" * len(word) for word in SECRET)]
    assert SECRET[0] not in json.dumps(found)


def test_a_page_shows_no_more_than_the_runs() -> None:
    with pytest.raises(spanscope.MeasureError, match="was asked for text='masked'"):
        viewer.render(private(text="masked"), text="full")
    with pytest.raises(spanscope.MeasureError, match="text is 'all'"):
        viewer.render(private(), text="all")


# ---------------------------------------------------------------- what does not fit, other families, other scripts


def test_what_is_left_out_is_said_and_counted(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 200 documents the hundred that changed are kept first; the counts stay those of all."""
    monkeypatch.setattr("spanscope.viewer.BUDGET", 9000)  # 20 + 4 x 20 bytes or 20 + 3 x 20 a document
    gold = documents(*["A[0,4] B[6,9]"] * 200)
    less = documents(*["A[0,4]", "A[0,4] B[6,9]"] * 100)
    result = spanscope.compare(gold, ("less", less), ("all", gold), measures="spans.exact", trials=10)
    page = opened(result).go("#/changes?kind=fixed", HEAD)
    found = viewer.unpack(page.path.read_text(encoding="utf-8"))["changed"]["corpus"]
    assert 0 < found["embedded"] < 100
    assert set(found["rows"]["change"]) <= {0, 3}
    assert found["rows"]["change"].count(0) == found["embedded"]  # one was fixed in each of them
    assert f"{found['embedded']} of 200 documents are in this file" in page.page.locator("main").inner_text()
    assert page.text("chip-fixed").split()[-1] == "100"
    assert page.page.locator(".hits").inner_text() == f"{found['embedded']} listed"


def test_queries_that_got_better_by_a_rate_that_should_be_high(opened: Open) -> None:
    gold = [{"query": f"q{n}", "snippets": [{"id": "x"}]} for n in range(4)]
    first = [{"query": f"q{n}", "retrieved_passages": [{"id": "y"}, {"id": "x"}]} for n in range(4)]
    second = [{"query": f"q{n}", "retrieved_passages": [{"id": "x"}] if n else [{"id": "z"}]} for n in range(4)]
    result = spanscope.compare(gold, ("first", first), ("second", second), measures="passages.ranking", trials=20)
    page = opened(result).go("#/by-document?order=worst", HEAD)
    assert "Queries" in page.page.get_by_role("navigation").get_by_role("link").all_inner_texts()
    rows = page.page.get_by_test_id("item").evaluate_all(
        "rows => rows.map(r => [...r.children].map(c => c.innerText.trim()).slice(1, 3))"
    )
    assert rows[0] == ["worse", "q0"]
    assert len(rows) == sum(one["base"] != one["value"] for one in result.documents_changed)
    assert {reading for reading, _ in rows[1:]} <= {"better"}


def test_a_lower_value_may_be_the_better_one(opened: Open) -> None:
    gold = [{"id": n, "text": "abcdef" * 4, "segments": [[0, 6], [6, 12], [12, 24]]} for n in range(5)]
    near = [{"id": n, "text": "abcdef" * 4, "segments": [[0, 9 + n], [9 + n, 24]]} for n in range(5)]
    result = spanscope.compare(gold, ("near", near), ("gold", gold), measures="segments.pk", trials=20)
    page = opened(result).go("#/by-document?order=best", HEAD)
    names = page.page.get_by_test_id("item").locator(".itemname").all_inner_texts()
    values = {one["document"]: one["pk"] for one in spanscope.evaluate(gold, near, "segments.pk").by_document()}
    assert [values[name] for name in names] == sorted(values.values(), reverse=True)
    assert page.page.locator(".diverge .better").count() == len(names) == 5
    assert page.page.locator(".diverge .worse, .diverge .up").count() == 0


def test_right_to_left_text_and_emoji(opened: Open) -> None:
    text = "שלום עולם 😀 וגם דוד"
    gold = [
        {
            "id": "r",
            "text": text,
            "spans": [{"start": 10, "end": 11, "label": "E"}, {"start": 0, "end": 4, "label": "W"}],
        }
    ]
    none = [{"id": "r", "text": text, "spans": []}]
    page = opened(spanscope.compare(gold, ("none", none), ("all", gold), measures="spans.exact")).go(
        "#/changes", HEAD
    )
    assert page.page.locator(".hit").all_inner_texts() == [text[0:4], text[10:11]]
    assert page.page.locator(".kwic").first.get_attribute("dir") == "rtl"
    boxes = {
        str(one.get_attribute("title")): one.bounding_box() or {} for one in page.page.locator(".mark.gold").all()
    }
    assert (
        boxes["gold W, 0–4: fixed"]["x"] > boxes["gold E, 10–11: fixed"]["x"]
    )  # the first word stands on the right
