"""Curves over thresholds of measures that count in their own way: asked again at every step."""

from pathlib import Path

import pytest

import spanscope
from spanscope.errors import MeasureError
from tests.cli import run, write

# Two of three tokens of a name are found in two pieces, IoU 2/3; a place is found; a date is not there.
DOCUMENT = {
    "id": 1,
    "tokens": ["New", "York", "Mets", "in", "Rome", "today"],
    "tags": ["ORG", "ORG", "ORG", "O", "LOC", "O"],
    "predicted_tags": ["ORG", "O", "ORG", "O", "LOC", "DATE"],
}


def evaluated(thresholds: list[float] | None = None) -> spanscope.Result:
    return spanscope.evaluate([DOCUMENT], protocol="pii", score=spanscope.Scoring(thresholds=thresholds))


def test_points_are_the_figures_at_each_threshold() -> None:
    """At 0.5 two of two gold spans and two of three predictions are right; at 0.75 one of each."""
    low, high = evaluated().curve(grid=[0.5, 0.75])
    assert (low.threshold, low.tp, low.pred, low.gold) == (0.5, 2, 3, 2)
    assert (low.precision, low.recall) == (2 / 3, 1.0)
    assert low.value == pytest.approx(5 * (2 / 3) / (4 * (2 / 3) + 1))  # F2, which leads
    assert low.f1 == pytest.approx(0.8)
    assert (high.tp, high.precision, high.recall) == (1, 1 / 3, 1 / 2)
    assert low.macro == pytest.approx((1 + 1 + 0) / 3)  # ORG, LOC, DATE


def test_the_thresholds_asked_for_are_those_of_the_table_and_the_json() -> None:
    result = evaluated([0.4, 0.7])
    table = result.table()
    lines = table[table.index("Over thresholds: tokens.presidio") :].splitlines()[3:5]
    assert [line.split()[:3] for line in lines] == [["0.40", "0.6667", "1.0000"], ["0.70", "0.3333", "0.5000"]]
    assert [point["threshold"] for point in result.to_dict()["curve"]] == [0.4, 0.7]


def test_without_thresholds_there_are_21_steps() -> None:
    assert len(evaluated().to_dict()["curve"]) == 21


def test_there_are_no_exact_breakpoints() -> None:
    with pytest.raises(MeasureError, match=r"tokens\.presidio has no exact breakpoints"):
        evaluated().curve(grid="exact")


@pytest.mark.parametrize("protocol", ["pii", "presidio"])
def test_the_curve_is_drawn(protocol: str, tmp_path: Path) -> None:
    path = write(tmp_path / "d.jsonl", [DOCUMENT])
    done = run("plot", "curve", path, "-p", protocol, "--thresholds", "0.3,0.6,0.9", "-o", tmp_path / "c.svg")
    assert done.code == 0, done.err
    drawn = (tmp_path / "c.svg").read_text(encoding="utf-8")
    assert "F2" in drawn


def test_a_measure_without_a_threshold_has_no_curve() -> None:
    with pytest.raises(MeasureError, match="has no threshold"):
        evaluated().curve("tokens.leaks")
