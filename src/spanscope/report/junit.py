"""Gates as JUnit's XML, which most servers for continuous integration show: a test case for each gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from spanscope.errors import MeasureError
from spanscope.report.names import visible

if TYPE_CHECKING:
    from spanscope.report.table import Report
    from spanscope.results.gate_form import CheckedGate


def text(report: Report, gates: Sequence[CheckedGate], doubts: Sequence[str], figures: str) -> str:
    """Return one suite: the gates, the signature as a property, the figures, and what puts them in doubt."""
    if not gates:
        raise MeasureError("JUnit's XML has a test case for each gate, and there is none", expected="a gate")
    from spanscope import __version__

    numbers = {"tests": str(len(gates)), "failures": str(sum(not gate.passed for gate in gates)), "errors": "0"}
    root = ElementTree.Element("testsuites", {"name": "spanscope", **numbers})
    suite = ElementTree.SubElement(root, "testsuite", {"name": "spanscope", **numbers, "skipped": "0"})
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in (("spanscope", __version__), ("signature", report.signature)):
        ElementTree.SubElement(properties, "property", {"name": name, "value": visible(value)})
    for gate in gates:
        _add_case(suite, visible(report.title), gate)
    ElementTree.SubElement(suite, "system-out").text = _lines(figures)
    if doubts:
        ElementTree.SubElement(suite, "system-err").text = _lines("\n".join(doubts))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _add_case(suite: ElementTree.Element, of: str, gate: CheckedGate) -> None:
    """Add a gate as a test case, with what was found."""
    name = visible(f"{gate.gate} {gate.aim}")
    case = ElementTree.SubElement(suite, "testcase", {"classname": of, "name": name, "time": "0"})
    if not gate.passed:
        said = visible(str(gate))
        ElementTree.SubElement(case, "failure", {"message": said, "type": "missed gate"}).text = said


def _lines(text: str) -> str:
    """Return lines without characters that XML cannot hold."""
    return "\n".join(map(visible, text.splitlines()))
