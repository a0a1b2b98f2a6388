"""The table of slices on the pages, and the way from a slice to its errors."""

import re
from collections.abc import Callable

import pytest

import spanscope
from spanscope import Ci
from tests.commands.test_slices import corpus
from tests.viewer import payload
from tests.viewer.conftest import Opened, axe

Open = Callable[..., Opened]
BY = ["source", "@length", "year"]


@pytest.fixture(scope="module")
def result() -> spanscope.Result:
    gold, pred = corpus()
    longer = [{"start": 30, "end": 39, "label": "A"}]
    pred = [{**one, "spans": [*one["spans"], *longer]} if n % 7 == 0 else one for n, one in enumerate(pred)]
    return spanscope.evaluate(gold, pred, "spans.exact", by=BY, ci=Ci(resamples=50))


def listed(page: Opened) -> int:
    return int(re.sub(r"\D", "", page.page.locator(".hits").inner_text()))


def test_a_slice_leads_to_its_errors(in_both: Open, result: spanscope.Result) -> None:
    page = in_both(result).go()
    table = page.page.get_by_role("region", name="Slices")
    rows = [row.split("\t") for row in table.locator("tbody tr").all_inner_texts()]
    for row, one in zip(rows, result.slices(), strict=True):
        figures = [f"{value:.4f}" for name in ("precision", "recall") if (value := one["rates"][name]) is not None]
        assert (row[:2], row[-1]) == ([one["by"], one["name"]], str(one["documents"]))
        assert set(figures) <= set(row)
        assert row[2].startswith(f"{one['value']:.4f}")
    for width in page.at_widths():
        assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    axe(page.page)
    table.get_by_role("button", name="forum").click()
    page.page.wait_for_url("**#/errors?by=source&slice=forum")
    assert listed(page) == errors_by_hand(result, "source", "forum")
    axe(page.page)
    page.page.get_by_title("Remove the slice").click()
    page.page.wait_for_url("**#/errors")
    assert listed(page) == sum(one["count"] for one in result.errors().values())
    page.go("#/overview")
    table.wait_for()
    assert page.complaints == []


def errors_by_hand(result: spanscope.Result, by: str, name: str) -> int:
    """Return how many findings of a slice are errors: its misses and its predictions without a match."""
    counts = next(one for one in result.slices() if (one["by"], one["name"]) == (by, name))["counts"]
    return int(counts["gold"] - counts["tp"] + counts["pred"] - counts["tp"])


def test_links_to_slices_list_what_they_count(opened: Open, result: spanscope.Result) -> None:
    """There are only misses and false alarms in this corpus, each of which is a finding of its own."""
    page = opened(result)
    for by, name in (("@length", "6 to 10 characters"), ("@length", "3 to 5 characters"), ("year", "1990")):
        page.go(f"#/errors?by={by}&slice={name}")
        assert listed(page) == errors_by_hand(result, by, name)


def test_pages_of_segments_and_queries_show_slices(opened: Open) -> None:
    gold = [{"id": str(n), "length": 9 + n, "kind": "ab"[n % 2], "masses": [3, 6 + n]} for n in range(40)]
    pred = [{**one, "masses": [3, 6 + n] if n % 2 else [4, 5 + n]} for n, one in enumerate(gold)]
    found = spanscope.evaluate(gold, pred, "segments.boundaries", by=["kind"], ci=Ci(resamples=50))
    queries = [{"query": f"q{n}", "topic": "xy"[n % 2], "snippets": [{"text": f"t{n}"}]} for n in range(12)]
    runs = [{"query": f"q{n}", "retrieved": [f"t{n}" if n % 2 else "no"]} for n in range(12)]
    other = spanscope.evaluate(queries, runs, "passages.ranking(k=1)", by=["topic"], ci=Ci(resamples=50))
    for result, names in ((found, ["a", "b"]), (other, ["x", "y"])):
        page = opened(result).go(testid=None)
        table = page.page.get_by_role("region", name="Slices")
        table.wait_for()
        assert table.locator("tbody th").all_inner_texts() == names
        assert page.complaints == []


def test_hidden_values_are_not_in_the_page() -> None:
    gold, pred = corpus()
    for one in gold:
        one["source"] = f"{one['source']}: a secret that is longer than forty characters"
    found = spanscope.evaluate(gold, pred, "spans.exact", by=["source"], ci=False, text="masked")
    assert "secret" not in str(payload(found))
    assert payload(spanscope.evaluate(gold, pred, "spans.exact", ci=False))["slices"] is None
