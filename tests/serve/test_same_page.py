"""The pages as the server shows them: what is held of a page in a file is held of it here, by the same tests."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from spanscope import viewer
from spanscope.serve import job_files
from tests.serve import Served
from tests.serve.conftest import Start
from tests.viewer import (
    test_compare_page,
    test_compare_use,
    test_page,
    test_queries_page,
    test_segments_page,
    test_states,
)
from tests.viewer.conftest import Opened

test_steps = test_page.test_figures_at_every_step_are_pythons
test_matrix = test_page.test_a_cell_of_the_matrix_lists_its_findings
test_list = test_page.test_matches_of_the_list_are_those_of_python
test_short_lists = test_page.test_lists_are_short_however_long_they_are
test_leaks = test_page.test_leaks_are_listed_for_pii
test_hostile = test_page.test_hostile_texts_are_shown_as_text
test_one_text = test_page.test_texts_are_one_piece
test_withheld = test_page.test_without_texts_the_page_works
test_links = test_page.test_a_link_shows_the_same_again
test_keys = test_page.test_keys_alone
test_exports = test_page.test_exports_are_pythons
test_theme = test_page.test_the_chosen_theme_is_the_systems
test_accessible = test_page.test_accessible
test_length = test_states.test_filter_by_length
test_label_curve = test_states.test_the_curve_of_a_label
test_percent = test_states.test_the_matrix_in_percent
test_picture = test_states.test_a_chart_as_a_file
test_signature = test_states.test_the_signature_stands_on_every_page
test_switched_off = test_states.test_single_keys_can_be_switched_off
test_windows = test_segments_page.test_counts_at_every_window_are_the_librarys
test_panel = test_segments_page.test_a_panel_is_drawn_against_gold
test_cutoffs = test_queries_page.test_figures_at_every_cutoff_are_pythons
test_query = test_queries_page.test_an_open_query
test_differences = test_compare_page.test_every_figure_is_pythons
test_changes = test_compare_page.test_lists_of_changes_are_pythons
test_compare_keys = test_compare_use.test_keys_alone


class Address:
    """Where a page is, with the name under which a path would tell it."""

    def __init__(self, address: str) -> None:
        self.address = address

    def as_uri(self) -> str:
        return self.address


@pytest.fixture
def opened(browser: Any, start: Start) -> Iterator[Callable[..., Opened]]:
    """Return a function that leaves a page as a finished job does, and opens it from the server."""
    contexts = []
    served: Served = start()
    numbers = count()

    def left(found: Any, options: dict[str, Any]) -> Address:
        own = f"page{next(numbers)}"
        out = served.kept.joinpath("runs", own, "out")
        out.mkdir(parents=True)
        explained = getattr(getattr(found, "found", None), "verdicts", None) is not None
        title = viewer.unpack(viewer.render(found, **options))["title"]
        made = (
            job_files.put_spans(found, title, out)
            if explained and not options
            else job_files.put_page(viewer.render(found, **options), out)
        )
        served.held.runs[own] = {"id": own, "name": own, "text": "full", **made}
        return Address(f"{served.origin}/runs/{own}/")

    def open_(found: Any, /, context: dict[str, Any] | None = None, **options: Any) -> Opened:
        place: Any = found if isinstance(found, Address) else left(found, options)
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 900}, **(context or {})))
        contexts[-1].set_default_timeout(30_000)
        return Opened(contexts[-1].new_page(), place)

    yield open_
    for one in contexts:
        one.close()
