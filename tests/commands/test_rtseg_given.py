"""RT-SEG's functions take whatever the tool takes: other numbers, other traces, its aggregate as a file."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spanscope import (
    InputError,
    aggregated_results_to_json,
    evaluate_aggregate_segmentations,
    evaluate_segmentations,
)
from tests.support import needs

needs("pandas")

TRACE = "a" * 20
APART = {"Gold": [(0, 10), (10, 20)], "A": [(0, 8), (8, 20)]}


@pytest.mark.parametrize(
    ("window", "expected"),
    [(1.9, 0.0), (2, 1.0), (2.5, 1.0), (np.float64(2.0), 1.0), (np.int64(1), 0.0), (-0.5, 0.0), (math.inf, 1.0)],
)
def test_windows_are_any_numbers(window: Any, expected: float) -> None:
    """The boundaries are 2 apart: RT-SEG asks whether that is at most the window."""
    found = evaluate_segmentations(TRACE, APART, "Gold", window=window, slack=window)
    assert found["agreement"]["Boundary_Similarity"].tolist() == [expected]
    assert found["optimistic"]["Boundary_Cover"].tolist() == [expected]


def test_hyperparameters_are_as_they_were_given() -> None:
    found = evaluate_aggregate_segmentations([TRACE], [APART], "Gold", window=2.5, slack=np.float64(4.0))
    told = aggregated_results_to_json(found)["hyperparameters"]
    assert told == {"sigma": 5.0, "window": 2.5, "slack": 4}
    assert type(told["slack"]) is int


@pytest.mark.parametrize("trace", [list(TRACE), tuple(TRACE), np.array(list(TRACE)), TRACE.encode()])
def test_a_trace_is_anything_that_has_a_length(trace: Any) -> None:
    want = evaluate_segmentations(TRACE, APART, "Gold")
    found = evaluate_segmentations(trace, APART, "Gold")
    many = evaluate_aggregate_segmentations([trace, trace], [APART, APART], "Gold")
    for group, frame in want.items():
        assert found[group].to_dict() == frame.to_dict()
    assert many["linear_metrics"].loc["A", ("P_k", "mean")] == want["classical"]["P_k"][0]


def test_offsets_are_numpy_numbers() -> None:
    spans = {name: [tuple(map(np.int64, span)) for span in own] for name, own in APART.items()}
    want = evaluate_segmentations(TRACE, APART, "Gold")
    for group, frame in evaluate_segmentations(TRACE, spans, "Gold").items():
        assert frame.to_dict() == want[group].to_dict()


TOOL = """{"linear_metrics": {"A": {"P_k": {"mean": 0.25, "std": NaN},
"Boundary_Displacement": {"mean": Infinity, "std": NaN}}},
"pairwise_agreement_metrics": {"Gold vs A": {"Boundary_Similarity": 0.5, "Boundary_Density_JSD": NaN}}}"""


def test_an_aggregate_of_the_tool_as_a_file(tmp_path: Path) -> None:
    """As Python's json writes what RT-SEG's aggregated_results_to_json returns."""
    path = tmp_path / "aggregate.json"
    path.write_text(TOOL)
    for given in (path, str(path), json.loads(TOOL)):
        found = aggregated_results_to_json(given, dataset="d", ptime={"A": [1.0, 3.0]})
        assert json.loads(json.dumps(found, allow_nan=False)) == found
        assert found["linear_metrics"]["A"] == {
            "P_k": {"mean": 0.25, "std": None},
            "Boundary_Displacement": {"mean": None, "std": None},
        }
        assert found["pairwise_agreement_metrics"]["Gold vs A"]["Boundary_Similarity"] == 0.5
        assert (found["dataset"], found["runtime"]["A"]["mean"], found["traces"]) == ("d", 2.0, None)


def test_our_own_aggregate_read_again(tmp_path: Path) -> None:
    found = evaluate_aggregate_segmentations([TRACE], [APART], "Gold")
    first = aggregated_results_to_json(found, dataset="d", split="test", methods={"A": {"engines": ["x"]}})
    path = tmp_path / "aggregate.json"
    path.write_text(json.dumps(first))
    assert aggregated_results_to_json(path) == first


@pytest.mark.parametrize("content", ["", "[1]", '{"linear_metrics": 3}', '{"linear_metrics": {"A": 3}}', "{}"])
def test_files_that_hold_no_aggregate(content: str, tmp_path: Path) -> None:
    path = tmp_path / "aggregate.json"
    path.write_text(content)
    with pytest.raises(InputError):
        aggregated_results_to_json(path)
