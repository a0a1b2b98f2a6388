"""The table of documents: figures and counts of each as the library has them, sorted, and a way into each."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

import spanscope
from spanscope.viewer import documents
from tests.cli import GOLD, PRED, TRACES
from tests.support import Json
from tests.viewer import payload
from tests.viewer.conftest import Opened, axe

Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def result() -> spanscope.Result:
    return spanscope.evaluate(GOLD, PRED, protocol="reqflow", ci=False)


def column(table: Json, name: str, of: str | None = None) -> list[float | None]:
    """Return what stands under a head, by document."""
    at = next(at for at, one in enumerate(table["columns"]) if one["name"] == name and of in (None, one["of"]))
    own = table["cells"][str(at)]
    return own if isinstance(own, list) else [None if i < 0 else own["values"][i] for i in own["at"]]


def test_figures_and_counts_are_those_of_the_library(result: spanscope.Result) -> None:
    table = payload(result)["by_document"]
    records = result.by_document()
    for name in ("f1", "precision", "recall"):
        assert column(table, name, result.measures[0].short) == [one[name] for one in records]
    exact = result.by_document("spans.exact")
    assert column(table, "f1", "spans.exact") == [one["f1"] for one in exact]
    assert column(table, "Gold") == [one["gold"] for one in records]
    errors = [one for one in result.matches() if one["kind"] != "correct"]
    kinds = Counter((one["document"], one["kind"]) for one in errors)
    for kind in {one["kind"] for one in errors}:
        assert column(table, kind) == [kinds[one["document"], kind] for one in records]
    whole = Counter(one["document"] for one in errors)
    assert column(table, "Errors") == [whole[one["document"]] for one in records]


def test_a_table_of_some_documents_has_no_others(result: spanscope.Result) -> None:
    few = np.array([3, 7])
    own = documents.cut(documents.columns_of(result), few)["cells"]["0"]
    assert [own["values"][at] for at in own["at"]] == [result.by_document()[at]["f1"] for at in few]


def rows(page: Opened) -> list[list[str]]:
    told = "rows => rows.map(row => [...row.children].map(cell => cell.innerText.split('\\n').pop().trim()))"
    return list(page.page.get_by_test_id("by-document").evaluate_all(told))


def test_documents_are_sorted_and_open_their_errors(in_both: Open, result: spanscope.Result) -> None:
    """The worst first; then by errors, in the address; a document opens, and Back returns to the same table."""
    page = in_both(result).go("#/documents")
    worst = [one["document"] for one in result.by_document(worst="f1")]
    shown = [row[0] for row in rows(page)]
    values = {one["document"]: one["f1"] for one in result.by_document()}
    assert [values[name] for name in shown] == [values[name] for name in worst[: len(shown)]]
    errors = Counter(one["document"] for one in result.matches() if one["kind"] != "correct")
    head = page.page.get_by_role("group", name="Sort by").get_by_role("button", name="Errors")
    head.click()
    head.click()
    page.page.wait_for_function("() => location.hash.includes('order=-Errors')")
    name = rows(page)[0][0]
    assert errors[name] == max(errors.values())
    axe(page.page)
    for width in page.at_widths():
        assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    page.page.get_by_role("listbox").focus()
    page.page.keyboard.press("ArrowDown")
    second = rows(page)[1][0]
    page.page.keyboard.press("Enter")
    page.page.get_by_test_id("row").first.wait_for()
    assert page.page.locator(".hits").inner_text() == f"{errors[second]} listed"
    page.page.go_back()
    page.page.get_by_test_id("by-document").first.wait_for()
    assert rows(page)[0][0] == name
    page.page.get_by_label("Name").fill(second.lower())
    page.page.wait_for_function("() => location.hash.includes('find=')")
    page.page.keyboard.press("Escape")
    assert second in [row[0] for row in rows(page)]
    assert page.complaints == []


def test_a_document_without_errors_opens_whole(opened: Open, result: spanscope.Result) -> None:
    page = opened(result).go("#/documents?order=-f1")
    page.page.get_by_test_id("by-document").first.click()
    page.page.get_by_test_id("row").first.wait_for()
    kinds = set(page.page.get_by_test_id("row").locator(".kind").all_inner_texts())
    assert kinds == {"correct"}


def test_documents_of_segmentations(opened: Open) -> None:
    """A column for every method and their mean; by the name of a method, for its number is no lasting address."""
    panel = spanscope.panel(TRACES, ci=False)
    page = opened(panel).go("#/documents?order=-Sentences", testid="by-document")
    lead = panel.headline
    values = panel.results["Sentences"].by_document(lead.measure)
    best = sorted(values, key=lambda one: -one[lead.rate.name])
    assert [row[2] for row in rows(page)] == [f"{one[lead.rate.name]:.4f}" for one in best]
    axe(page.page)
    name = rows(page)[3][0]
    page.page.get_by_test_id("by-document").nth(3).click()
    page.page.get_by_test_id("docname").wait_for()
    assert page.text("docname") == name
    assert page.complaints == []
