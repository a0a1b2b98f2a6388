"""The Runs page in both browsers: several runs at once, what errors propose, leaderboard, undo, what is gone."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

import spanscope
from tests.cli import GOLD, PRED
from tests.serve import Served
from tests.serve.test_runs_page import DROP, Open, dropped, hold, let_go, opening
from tests.viewer.conftest import BOTH, WIDTHS, axe, resize

QUICK = {"measures": ["spans.exact"], "ci": False}

# Presses a button; gives what has the focus once the page is drawn, for which no time passes.
FOCUSED = """async button => {
    button.click();
    for (let n = 0; n < 50; n++) await Promise.resolve();
    return document.activeElement.id;
}"""


@pytest.fixture(params=BOTH)
def in_both(request: pytest.FixtureRequest, play: Any) -> Iterator[Open]:
    """Return what opens a place of a server, once in Chromium and once in Firefox."""
    yield from opening(request.getfixturevalue("firefox" if request.param == "firefox" else "browser"))


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:
    """Return what opens a place of a server in Chromium."""
    yield from opening(browser)


def fewer(served: Served, name: str, spans: int, documents: int | None = None) -> str:
    """Put predictions into the folder that lack the first spans of every document, or whole documents."""
    lines = [json.loads(line) for line in PRED.read_text(encoding="utf-8").splitlines()][:documents]
    text = "".join(json.dumps({**one, "spans": one["spans"][spans:]}) + "\n" for one in lines)
    (served.folder / name).write_text(text, encoding="utf-8")
    return text


def test_several_predictions_dropped_at_once_are_several_runs(served: Served, in_both: Open) -> None:
    page = in_both(served)
    files = [dropped(GOLD)] + [[f"{n}.pred.jsonl", fewer(served, f"{n}.jsonl", n)] for n in range(3)]
    page.evaluate(DROP, [files, None])
    page.get_by_test_id("slot-pred").get_by_text("2.pred.jsonl").wait_for()
    page.get_by_role("button", name="Remove predictions 1.pred.jsonl").click()
    assert page.get_by_test_id("score").inner_text() == "Score 2 runs"
    page.get_by_test_id("score").click()
    page.get_by_test_id("run").nth(1).wait_for()
    names = page.locator("[data-testid=run] th a").all_inner_texts()
    assert sorted(names) == ["0.pred.jsonl", "2.pred.jsonl"]


def test_an_upload_shows_how_much_of_it_has_gone(served: Served, in_both: Open) -> None:
    page = in_both(served)
    held = hold(page, "**/api/upload?*")
    page.evaluate(DROP, [[dropped(GOLD)], None])
    page.get_by_test_id("sending").wait_for()
    assert GOLD.name in page.get_by_test_id("sending").inner_text()
    assert page.get_by_test_id("sending").locator("progress").get_attribute("max") == str(GOLD.stat().st_size)
    assert page.get_by_test_id("score").is_disabled()
    let_go(held)
    page.get_by_test_id("sending").wait_for(state="detached")
    page.get_by_test_id("slot-gold").get_by_text(GOLD.name).wait_for()


def test_what_an_error_proposes_is_a_button(served: Served, in_both: Open) -> None:
    """Missing documents are counted as asked, with the figure that Python gives; the message goes."""
    fewer(served, "short.jsonl", 0, 40)
    job = served.submit(gold="gold.jsonl", pred="short.jsonl", options={"labels": ["Action"]})
    served.until(job, "failed")
    page = in_both(served)
    page.get_by_test_id("try").get_by_text("missing: empty").click()
    page.get_by_test_id("run").wait_for()
    page.get_by_test_id("wrong").wait_for(state="detached")
    own = spanscope.evaluate(GOLD, served.folder / "short.jsonl", labels=["Action"], missing="empty", ci=False)
    assert page.get_by_test_id("figure").inner_text() == f"{own.value():.4f}"
    assert page.get_by_label("Labels", exact=True).input_value() == "Action"


def test_what_only_the_reader_knows_is_opened(served: Served, in_both: Open) -> None:
    """The spans of predictions stand under another name: the field of that side is opened and begun."""
    lines = [json.loads(line) for line in PRED.read_text(encoding="utf-8").splitlines()]
    for one in lines:
        one["marks"] = one.pop("spans")
    text = "".join(json.dumps(one) + "\n" for one in lines)
    (served.folder / "other.jsonl").write_text(text, encoding="utf-8")
    served.until(served.submit(gold="gold.jsonl", pred="other.jsonl", options=QUICK), "failed")
    page = in_both(served)
    asked = page.get_by_test_id("try").filter(has_text="fields of the predictions")
    field = page.locator("#o-pred_fields")
    assert asked.evaluate(FOCUSED) == "o-pred_fields"
    assert field.input_value() == "spans="
    field.fill("spans=marks")
    page.get_by_test_id("score").click()
    page.get_by_test_id("run").wait_for()
    own = spanscope.evaluate(GOLD, PRED, "spans.exact", ci=False)
    assert page.get_by_test_id("figure").inner_text() == f"{own.value():.4f}"
    page.wait_for_function("() => location.hash.includes('marks')")
    page.reload()  # what was set is in the address
    page.get_by_role("button", name="Fields of predictions: spans=marks").wait_for()


def test_the_sides_can_be_swapped(served: Served, in_both: Open) -> None:
    page = in_both(served)
    page.evaluate(DROP, [[dropped(PRED), dropped(GOLD)], None])
    page.get_by_test_id("slot-pred").get_by_text(PRED.name).wait_for()
    page.get_by_test_id("swap").click()
    page.get_by_test_id("slot-gold").get_by_text(PRED.name).wait_for()
    page.get_by_test_id("slot-pred").get_by_text(GOLD.name).wait_for()


def test_messages_can_all_be_dismissed(served: Served, in_both: Open) -> None:
    bad = served.upload("bad.jsonl", b"{}\n")["id"]
    for _ in range(2):
        served.until(served.submit(gold="gold.jsonl", pred=bad), "failed")
    page = in_both(served)
    page.get_by_test_id("dismiss").click()
    page.get_by_test_id("wrong").first.wait_for(state="detached")
    assert served.ask("GET", "/api/runs").json["jobs"] == []


@pytest.mark.parametrize("refused", [True, False])
def test_a_message_is_seen_on_a_phone(served: Served, opened: Open, refused: bool) -> None:
    """All messages stand below the form there: the page goes to them, of the form's own errors and of jobs."""
    gold, pred = (served.upload(name, b"{}\n")["id"] for name in ("gold.jsonl", "bad.jsonl"))
    page = opened(served, f"/#/runs?gold={gold}&pred={pred}")
    page.set_viewport_size({"width": 390, "height": 700})
    page.get_by_test_id("slot-pred").get_by_text("bad.jsonl").wait_for()
    if refused:
        told = {"kind": "", "what": "no such thing", "where": "", "expected": "", "hint": ""}
        answer = json.dumps({"error": told})
        page.route("**/api/jobs", lambda route: route.fulfill(status=400, body=answer))
    page.get_by_test_id("score").click()
    page.get_by_test_id("wrong").wait_for()
    seen = "() => { const box = document.querySelector('.wrong').getBoundingClientRect();"
    page.wait_for_function(f"{seen} return box.top >= 0 && Math.min(box.bottom, box.top + 80) <= innerHeight; }}")


def boarded(served: Served) -> str:
    """Score three runs of one gold and one of another; return the address of the leaderboard of the three."""
    for n in (2, 0, 1):
        fewer(served, f"minus{n}.jsonl", n)
        served.score("gold.jsonl", f"minus{n}.jsonl", options={"ci": False})
    served.score("pred.jsonl", "minus1.jsonl", options={"ci": False})
    return f"/#/runs?board={hashlib.sha256(GOLD.read_bytes()).hexdigest()[:12]}"


def test_the_leaderboard_of_one_gold(served: Served, in_both: Open) -> None:
    """The order is that of Python's figures, by whichever is chosen, and stays in the address."""
    page = in_both(served, boarded(served))
    rows = page.get_by_test_id("standing")
    rows.first.wait_for()

    def order() -> list[str]:
        return [text.splitlines()[0] for text in rows.locator("th").all_inner_texts()]

    names = ["minus0.jsonl", "minus1.jsonl", "minus2.jsonl"]
    own = {name: spanscope.evaluate(GOLD, served.folder / name, ci=False) for name in names}
    by = {rate: sorted(names, key=lambda name: -own[name].value(rate)) for rate in ("f1", "precision")}
    assert order() == by["f1"]
    name = rows.first.locator("th")
    for width in WIDTHS:  # a row does not lose its name, and where columns are out of sight that is said
        resize(page, width)
        assert name.evaluate("one => one.scrollWidth <= one.clientWidth"), width
        box = page.get_by_role("region", name="Leaderboard")
        scrolls = box.evaluate("one => one.scrollWidth > one.clientWidth + 1")
        assert page.locator(".runs .sideways").count() == scrolls, width
    assert rows.first.locator("td.lead").inner_text() == f"{own[by['f1'][0]].value():.4f}"
    assert page.locator("th[aria-sort=descending]").count() == 1
    page.get_by_role("button", name="Precision micro · exact").click()
    page.wait_for_function("() => location.hash.includes('sort=')")
    assert order() == by["precision"]
    page.reload()
    rows.first.wait_for()
    assert order() == by["precision"]


def test_delete_and_undo_and_notes(served: Served, in_both: Open) -> None:
    served.score("gold.jsonl", "pred.jsonl", name="mine", options=QUICK)
    page = in_both(served)
    page.get_by_test_id("edit").click()
    form = page.get_by_role("form", name="Name and note of mine")
    form.get_by_label("Name").fill("better <b>name</b>")
    form.get_by_label("Note").fill("learning rate 0.1")
    page.get_by_test_id("save").click()
    page.get_by_role("link", name="better <b>name</b>", exact=True).wait_for()
    page.get_by_text("learning rate 0.1").wait_for()
    page.get_by_label("Delete better").click()
    page.get_by_test_id("run").wait_for(state="detached")
    page.get_by_role("button", name="Undo the deletion of better").click()
    page.get_by_test_id("run").wait_for()
    assert page.get_by_text("learning rate 0.1").is_visible()


def test_a_page_that_is_gone_says_so_and_can_be_had_back(served: Served, in_both: Open) -> None:
    run = served.score("gold.jsonl", "pred.jsonl", options=QUICK)
    served.ask("DELETE", f"/api/runs/{run}")
    page = in_both(served, f"/runs/{run}/")
    page.get_by_text("the run was deleted").wait_for()
    axe(page)
    page.get_by_test_id("restore").click()
    page.get_by_test_id("f1").first.wait_for()
    page.goto(f"{served.origin}/runs/0123456789ab/")
    page.get_by_text("there is no such run any more").wait_for()
    assert page.get_by_test_id("restore").count() == 0
    assert page.goto(f"{served.origin}/nowhere").status == 404
    page.get_by_text("there is no page at this address").wait_for()
    axe(page)
    page.get_by_role("link", name="List of runs").click()
    page.get_by_test_id("run").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_at_once_is_accessible_at_all_widths(served: Served, in_both: Open, scheme: str) -> None:
    place = boarded(served)
    fewer(served, "short.jsonl", 0, 40)
    served.until(served.submit(gold="gold.jsonl", pred="short.jsonl"), "failed")
    run = served.score("gold.jsonl", "pred.jsonl", options=QUICK)
    served.ask("POST", f"/api/runs/{run}", {"note": "a note " * 30})
    deleted = served.score("gold.jsonl", "pred.jsonl", options=QUICK)
    served.ask("DELETE", f"/api/runs/{deleted}")
    page = in_both(served, f"{place}&o.missing=empty&o.pred_fields=label%3Dcategory", color_scheme=scheme)
    page.get_by_test_id("standing").first.wait_for()
    for width in WIDTHS:
        resize(page, width)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), width
    axe(page)
    page.get_by_test_id("board-of").select_option("")
    page.get_by_test_id("edit").first.click()
    for width in WIDTHS:
        resize(page, width)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), width
    axe(page)
