"""The page of queries in a real browser: strips, figures at every cutoff, and open queries are Python's."""

from collections.abc import Callable

import pytest

import spanscope
from tests.viewer import payload
from tests.viewer.conftest import Opened, axe
from tests.viewer.test_queries_payload import FOUND, GOLD, HEBREW, SCRIPT, small

Open = Callable[..., Opened]


def rows(page: Opened) -> list[str]:
    return [str(name) for name in page.page.locator(".row .query bdi:first-child").all_inner_texts()]


def to_cutoff(page: Opened, step: int, k: int) -> None:
    page.set_step(step)
    page.page.wait_for_function(
        "k => document.querySelector('[data-testid=step]').textContent === String(k)", arg=k
    )


def near(shown: str, value: float | None, digits: int) -> bool:
    return shown == "–" if value is None else abs(float(shown) - value) <= 0.5 * 10**-digits + 1e-12


# ---------------------------------------------------------------- figures and strips in the browser


def test_figures_at_every_cutoff_are_pythons(opened: Open) -> None:
    result = small()
    page = opened(result).go("#/queries", testid="recall")
    for step, k in enumerate((1, 2, 3)):
        to_cutoff(page, step, k)
        measure = f"passages.ranking(k={k})"
        for rate in ("recall", "ndcg", "hit", "mrr"):
            assert near(page.text(rate), result.value(rate, measure, "document"), 4)
        worst = result.by_document(measure, worst=True)
        assert rows(page) == [row["document"] for row in worst]
        for place, row in enumerate(worst):
            cells = page.page.get_by_test_id("row").nth(place)
            for rate in ("recall", "ndcg", "hit", "mrr"):
                assert near(cells.locator(f"[data-rate='0.{rate}']").inner_text(), row[rate], 3)
    page.page.get_by_test_id("row").filter(has_text="alpha").click()
    for k in (1, 2, 3):
        own = next(r for r in result.by_document(f"passages.ranking(k={k})") if r["document"] == "alpha")
        for rate in ("recall", "precision", "hit", "mrr", "map", "ndcg", "r_precision"):
            shown = page.page.locator(f"[data-figure='0.{rate}@{k}']").inner_text()
            assert near(shown, own[rate], 4)
    assert page.complaints == []


@pytest.mark.parametrize("sort", ["mrr", "ndcg", "precision"])
def test_other_orders_are_pythons(opened: Open, sort: str) -> None:
    result = small()
    page = opened(result).go(f"#/queries?k=3&sort=0.{sort}", testid="recall")
    assert rows(page) == [row["document"] for row in result.by_document("passages.ranking(k=3)", worst=sort)]
    page.page.locator("#sort").select_option("order")
    page.page.wait_for_function("() => location.hash.includes('sort=order')")
    assert rows(page) == [test["query"] for test in GOLD["tests"]]


def test_strips_say_what_was_found(opened: Open) -> None:
    page = opened(small()).go("#/queries?k=3&sort=order", testid="recall")
    said = page.page.locator(".row .cells .hidden").all_inner_texts()
    lost = "no answer found"
    want = ["answers at rank 2, 3", lost, lost, "nothing retrieved", "answers at rank 2", "answers at rank 3"]
    assert said == want
    to_cutoff(page, 1, 2)
    assert page.page.locator(".row .cells .hidden").all_inner_texts() == [
        "answers at rank 2",
        *want[1:5],
        lost,
    ]
    first = page.page.locator(".row .first").all_inner_texts()
    assert first == ["#2", "–", "–", "–", "#2", "#3"]
    assert page.page.locator(".row").nth(0).locator(".strip path.mark").count() == 1
    assert page.page.locator(".row").nth(1).locator(".strip path.mark").count() == 0
    assert page.page.locator(".row").nth(0).locator(".strip .beyond path.new").count() == 1


def test_an_open_query(opened: Open) -> None:
    page = opened(small()).go("#/queries?k=2&sel=0", testid="recall")
    shown = page.page.get_by_test_id("passage")
    assert [one.get_attribute("data-rank") for one in shown.all()] == ["1", "2", "3", "4"]
    whys = [one.locator(".why").inner_text() for one in shown.all()]
    assert whys[:3] == ["holds no gold answer", "gold 1: holds the answer", "gold 2: holds the answer"]
    assert whys[3] == "gold 1: holds the answer (found above already)"
    assert shown.locator("mark").all_text_contents() == ["RED \n fox jumps", "blue whale", "red fox jumps"]
    texts = [one.locator(".quote").text_content() for one in shown.all()]
    assert texts == FOUND[0]["retrieved_passages"]
    assert page.page.locator(".cut").inner_text() == "below the cutoff k = 2"
    for sel, words in ((3, "nothing retrieved"), (2, "no gold answer"), (1, "missed in the first 2")):
        page.go(f"#/queries?k=2&sel={sel}", testid="open")
        assert words in page.page.locator(".facts").inner_text()
    assert "An empty passage." in page.text("open")


def test_answers_of_squad(opened: Open) -> None:
    gold = [{"id": "a", "snippets": [{"answer": ["The Cat!", "a dog"]}]}, {"id": "b", "snippets": []}]
    gold += [{"id": "c", "snippets": [{"answer": ["fish"]}]}, {"id": "d", "snippets": []}]
    said = [("a", "cat", 0.125), ("b", "", 0.5), ("c", "fish", 0.75), ("d", "bird", 0.25)]
    pred = [{"id": name, "prediction_text": text, "no_answer_probability": sure} for name, text, sure in said]
    result = spanscope.evaluate(gold, pred, "passages.squad(no_answer=0.6)", ci=False)
    assert payload(result)["queries"]["first"] == [1, 1, 0, 0]  # b: rightly nothing; c: taken for nothing
    page = opened(result).go("#/queries?sort=order&sel=0", testid="f1")
    for place, row in enumerate(result.by_document()):
        cells = page.page.get_by_test_id("row").nth(place)
        for rate in ("exact_match", "f1"):
            assert near(cells.locator(f"[data-rate='0.{rate}']").inner_text(), row[rate], 3)
    shown = page.text("open")
    for words in ("compared as cat", "compared as dog", "probability of no answer 0.125"):
        assert words in shown
    page.go("#/queries?sort=order&sel=2", testid="open")
    assert "so the prediction counts as empty" in page.text("open")


def test_overview_is_pythons(opened: Open) -> None:
    result = small(ci=True)
    page = opened(result).go("#/overview?k=3", testid="card-0.recall")
    for rate in ("recall", "ndcg", "hit", "mrr"):
        assert near(page.text(f"card-0.{rate}"), result.value(rate, "passages.ranking(k=3)", "document"), 4)
    page.page.get_by_text("The curves as a table").click()
    for k in (1, 2, 3):
        for rate in ("recall", "precision", "hit", "mrr", "map", "ndcg"):
            shown = page.page.locator(f"[data-cell='0.{rate}@{k}']").inner_text()
            assert near(shown, result.value(rate, f"passages.ranking(k={k})", "document"), 4)
    assert page.page.locator(".panel figcaption").first.inner_text().split() == [
        "Recall",
        page.text("card-0.recall")[:5],
    ]
    names = page.page.locator(".panel figcaption").all_inner_texts()
    assert [name.split()[0] for name in names] == [
        "Recall",
        "Precision",
        "Hit",
        "MRR",
        "MAP",
        "nDCG",
    ]
    page.page.get_by_role("button", name="none").click()
    page.page.get_by_test_id("row").first.wait_for()
    assert sorted(rows(page)) == ["beta", "delta"]


# ---------------------------------------------------------------- filters, keys, links, everyone


def test_filters(opened: Open) -> None:
    page = opened(small()).go("#/queries?sort=order&k=2", testid="recall")
    page.page.get_by_test_id("miss").click()
    page.page.wait_for_function("() => location.hash.includes('miss=1')")
    assert rows(page) == ["beta", "delta", f"{HEBREW} {SCRIPT}"]
    page.page.locator("#search").fill("BLACK TEA")
    page.page.wait_for_function("() => location.hash.includes('q=')")
    assert rows(page) == ["beta"]
    page.page.locator("#search").fill("no such words")
    page.page.get_by_role("button", name="Clear the filters").click()
    page.page.wait_for_function("() => document.querySelectorAll('[data-testid=row]').length === 6")


def test_keys_alone(opened: Open) -> None:
    page = opened(small()).go("#/overview", testid="card-0.recall")
    keys = page.page.keyboard
    keys.press("g")
    keys.press("q")
    page.page.get_by_test_id("row").first.wait_for()
    for k in (2, 3):
        keys.press("]")
        page.page.wait_for_function(
            "k => document.querySelector('[data-testid=step]').textContent === k", arg=str(k)
        )
    keys.press("[")
    page.page.wait_for_function("() => document.querySelector('[data-testid=step]').textContent === '2'")
    before = page.page.locator(".asked").inner_text()
    keys.press("j")
    page.page.wait_for_function("was => document.querySelector('.asked').innerText !== was", arg=before)
    assert page.page.locator(".asked").inner_text() == rows(page)[1]
    keys.press("Enter")
    assert page.page.evaluate("document.activeElement.id") == "open"
    keys.press("k")
    page.page.wait_for_function("was => document.querySelector('.asked').innerText === was", arg=before)
    keys.press("m")
    page.page.wait_for_function("() => document.querySelectorAll('[data-testid=row]').length === 3")
    keys.press("/")
    assert page.page.evaluate("document.activeElement.id") == "search"
    keys.press("Escape")
    keys.press("Escape")
    page.page.wait_for_function("() => document.querySelectorAll('[data-testid=row]').length === 6")


def test_a_link_shows_the_same_again(opened: Open) -> None:
    page = opened(small()).go("#/queries", testid="recall")
    to_cutoff(page, 2, 3)
    page.page.locator("#sort").select_option("0.mrr")
    page.page.get_by_test_id("miss").click()
    page.page.get_by_test_id("row").nth(1).click()
    page.page.wait_for_function("() => location.hash.includes('query=') && location.hash.includes('k=3')")
    again = opened(page.path).go("#" + page.page.url.partition("#")[2], testid="recall")
    for one in ("open", "step", "recall"):
        assert again.text(one) == page.text(one)
    assert rows(again) == rows(page)
    broken = opened(page.path).go("#/queries?k=7&sel=99&sort=nonsense", testid="recall")
    assert broken.text("step") == "1"
    assert broken.complaints == []


def test_hostile_texts_are_shown_as_text(opened: Open) -> None:
    page = opened(small()).go("#/queries?sel=1", testid="open")
    assert SCRIPT in page.text("open")
    assert page.page.locator("main img, main script").count() == 0
    page.go("#/queries?sel=5", testid="open")
    assert SCRIPT in page.page.locator(".asked").inner_text()
    assert page.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["overview?k=2", "queries?k=2&sel=0"])
def test_accessible(opened: Open, scheme: str, place: str) -> None:
    shown = "card-0.recall" if "overview" in place else "recall"
    page = opened(small(ci=True), {"color_scheme": scheme}).go(f"#/{place}", testid=shown)
    axe(page.page)


def test_thousands_of_queries(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few elements however many rows; beyond the budget the worst are kept, and the page says so."""
    number = 5_000
    gold = {f"q{n}": {f"d{n % 7}": 1, "d9": 2} for n in range(number)}
    run = {f"q{n}": {f"d{m}": 1.0 - m / 10 for m in range(n % 11)} for n in range(number)}
    result = spanscope.evaluate(gold, run, protocol="trec", ci=False)
    page = opened(result).go("#/queries?k=10", testid="map")
    assert page.page.locator(".hits").inner_text().replace("\u2009", "") == f"{number} queries"
    assert 0 < page.page.get_by_test_id("row").count() < 60
    assert page.page.locator("*").count() < 1000
    monkeypatch.setattr("spanscope.viewer.BUDGET", 25_000)
    page = opened(result).go("#/queries", testid="map")
    some = payload(result, budget=25_000)["queries"]
    assert 0 < some["embedded"] < number
    kept = {row["document"] for row in result.by_document(worst=True)[: some["embedded"]]}
    assert set(some["names"]) == kept
    said = page.page.locator(".queries > .note").inner_text().replace("\u2009", "")
    assert said.startswith(f"{some['embedded']} of {number} queries are in this file")
    assert near(page.text("map"), result.value("map", average="document"), 4)
