"""A plugin of pytest: a section at the end of the run with the figures of every `assert_spans`.

It is found by its entry point, and loads nothing else of Spanscope: a run that asserts nothing about spans shows
nothing and waits for nothing. Figures travel with the reports of the tests, so that pytest-xdist brings
them along, and `--junit-xml` has them as properties.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

PROPERTY = "spanscope"  # the name of a line of the section among the properties of a test
TESTING = "spanscope.adapters.testing"


@pytest.hookimpl(hookwrapper=True)  # which every version of pytest knows: the plugin is loaded by all of them
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Keep the figures of every assertion of a test."""
    _take_lines()
    yield
    item.user_properties += [(PROPERTY, line) for line in _take_lines()]


def _take_lines() -> list[str]:
    """Take away the lines of the assertions so far; there are none where nobody imported the module."""
    module = sys.modules.get(TESTING)
    lines = [] if module is None else [*module.asserted]
    if module is not None:
        module.asserted.clear()
    return lines


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the figures by test."""
    lines = [
        (report.nodeid, str(value))
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call"
        for name, value in report.user_properties
        if name == PROPERTY
    ]
    if not lines:
        return
    terminalreporter.section("spans")
    for test, line in lines:
        terminalreporter.write_line(f"{test}  {line}")
