"""RT-SEG's functions as we offer them: our own figures, the extras of the JSON, and what is refused."""

import json
import math
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import spanscope
from spanscope import (
    InputError,
    MeasureError,
    aggregated_results_to_json,
    evaluate_aggregate_segmentations,
    evaluate_segmentations,
)
from tests.support import Json, needs

needs("pandas")

TRACE = "x" * 20
HALVES, LATE, WHOLE = [(0, 10), (10, 20)], [(0, 11), (11, 20)], [(0, 20)]
PAIR = {"Gold": HALVES, "A": LATE}
GROUPS = ["classical", "boundary_accuracy", "segment_structure", "agreement", "optimistic"]
SOFT = math.exp(-1 / 5)


def single(segmentations: Any = PAIR, gold: Any = "Gold", **options: Any) -> dict[str, list[Json]]:
    """Return the rows of every table of one trace."""
    found = evaluate_segmentations(TRACE, segmentations, gold, **options)
    return {group: frame.to_dict("records") for group, frame in found.items()}


def figures(segmentations: Mapping[str, Any], **options: Any) -> Json:
    """Return all figures of A against Gold."""
    out: Json = {}
    for rows in single(segmentations, **options).values():
        out |= rows[0]
    return {name: value for name, value in out.items() if name not in ("Method", "A", "B")}


def payload(*segmentations: Any, protocol: Any = "rt-seg", **extras: Any) -> Json:
    """Return the JSON of some traces, after checking that it is JSON."""
    agg = evaluate_aggregate_segmentations(
        [TRACE] * len(segmentations), list(segmentations), "Gold", protocol=protocol
    )
    found = aggregated_results_to_json(agg, **extras)
    again: Json = json.loads(json.dumps(found, allow_nan=False))
    assert again == found
    return found


# ---------------------------------------------------------------- our own figures


def test_own_figures() -> None:
    """One boundary at 10, found at 11. k = 5: of 15 windows the two with only one of 10 and 11 in them differ.

    IoU: 10/11 of the first segment and 9/10 of the second; Dice 20/21 and 18/19. 10 and 11 are in bins of their
    own (20 bins of one unit each), so the densities have nothing in common.
    """
    assert figures(PAIR, protocol=None) == pytest.approx(
        {
            "P_k": 2 / 15,
            "WindowDiff": 2 / 15,
            "Boundary_F1": 0.0,
            "Soft_Boundary_F1": SOFT,
            "Boundary_Displacement": 1.0,
            "Mean_IoU": (10 / 11 + 9 / 10) / 2,
            "Mean_Dice": (20 / 21 + 18 / 19) / 2,
            "Segmentation_Bias": 0.0,
            "Boundary_Similarity": 1.0,
            "Boundary_Density_JSD": 1.0,
            "Boundary_Cover": 1.0,
        }
    )


def test_own_figures_without_boundaries() -> None:
    """On both sides perfect, where the tool has F1 0, an infinite displacement and no divergence."""
    ours, theirs = (figures({"Gold": WHOLE, "A": WHOLE}, protocol=which) for which in (None, "rt-seg"))
    best = {"P_k", "WindowDiff", "Boundary_Displacement", "Segmentation_Bias", "Boundary_Density_JSD"}
    assert ours == {name: 0.0 if name in best else 1.0 for name in ours}
    assert (theirs["Boundary_F1"], theirs["Boundary_Displacement"]) == (0.0, math.inf)
    assert math.isnan(theirs["Boundary_Density_JSD"])


def test_own_figures_without_predicted_boundaries() -> None:
    found = figures({"Gold": HALVES, "A": WHOLE}, protocol=None)
    assert (found["Boundary_F1"], found["Soft_Boundary_F1"], found["Boundary_Similarity"]) == (0.0, 0.0, 0.0)
    assert math.isnan(found["Boundary_Cover"])
    assert found["Boundary_Density_JSD"] == 1.0
    assert found["Segmentation_Bias"] == -0.5


def test_parameters_reach_the_measures() -> None:
    assert figures(PAIR, protocol=None, window=0)["Boundary_Similarity"] == 0.0
    assert figures(PAIR, protocol=None, slack=0)["Boundary_Cover"] == 0.0
    assert figures(PAIR, protocol=None, sigma=1)["Soft_Boundary_F1"] == pytest.approx(math.exp(-1))


def test_own_aggregate() -> None:
    """A late by one, then without a boundary: the displacement rests on the first trace alone."""
    found = payload(PAIR, {"Gold": HALVES, "A": WHOLE}, protocol=None)
    own = found["linear_metrics"]["A"]
    assert own["Boundary_Displacement"] == {"mean": 1.0, "std": None, "n": 1}
    assert own["Segmentation_Bias"] == pytest.approx({"mean": -0.25, "std": 0.5 / math.sqrt(2), "n": 2})
    assert found["undefined"]["A"]["Boundary_Displacement"] == 1
    assert found["undefined"]["A"]["Boundary_Cover"] == 1
    assert found["undefined"]["Gold vs A"] == {"Boundary_Similarity": 0, "Boundary_Density_JSD": 0}


def test_own_infinite_values_are_counted() -> None:
    assert payload(PAIR, {"Gold": HALVES, "A": WHOLE}, protocol=None)["infinite"] == {
        "A": {"Boundary_Displacement": 1}
    }


NO_PARTITION = {
    "short": ([(0, 11)], "ends at 11, the text at 20"),
    "gap": ([(0, 9), (11, 20)], "starts at 11"),
    "unsorted": ([(10, 20), (0, 10)], "starts at 0, before"),
    "outside": ([(0, 21)], "runs from 0 to 21, outside the text"),
}


@pytest.mark.parametrize("name", NO_PARTITION)
def test_own_figures_need_partitions(name: str) -> None:
    segments, said = NO_PARTITION[name]
    with pytest.raises(InputError) as caught:
        single({"Gold": HALVES, "A": segments}, protocol=None)
    assert said in str(caught.value)
    assert single({"Gold": HALVES, "A": segments})  # the tool takes anything


def test_who_is_no_partition_is_named() -> None:
    with pytest.raises(InputError) as caught:
        evaluate_aggregate_segmentations(
            [TRACE] * 2, [PAIR | {"B": HALVES}, PAIR | {"B": [(0, 11)]}], "Gold", protocol=None
        )
    assert "B" in str(caught.value).splitlines()[0]


def test_the_hint_can_be_followed() -> None:
    with pytest.raises(InputError) as caught:
        single({"Gold": HALVES, "A": [(0, 11)]}, protocol=None)
    assert "--normalise" not in str(caught.value)


def test_own_figures_need_their_gold() -> None:
    with pytest.raises(InputError):
        single(PAIR, "Glod", protocol=None)


# ---------------------------------------------------------------- groups


def test_groups() -> None:
    assert list(single()) == list(single(groups=[])) == GROUPS
    assert list(single(groups=["optimistic", "classical"])) == ["optimistic", "classical"]
    agg = evaluate_aggregate_segmentations([TRACE], [PAIR], "Gold", ["agreement"])
    assert [len(frame) for frame in agg.values()] == [0, 1, 0]
    found = aggregated_results_to_json(agg)
    assert "linear_metrics" not in found  # as the tool: no key for an empty frame
    assert found["hyperparameters"] == {"sigma": 5.0, "window": 3, "slack": 10}


@pytest.mark.parametrize(("name", "near"), [("foo", ""), ("clasical", "; did you mean 'classical'?")])
def test_unknown_group(name: str, near: str) -> None:
    with pytest.raises(MeasureError) as caught:
        single(groups=[name])
    assert str(caught.value) == f"no group is called {name!r}{near}\n  expected  {', '.join(GROUPS)}"


def test_without_gold() -> None:
    """As the tool: everybody is listed, with NaN; agreement is computed."""
    found = single(gold=None)
    assert [row["Method"] for row in found["classical"]] == ["Gold", "A"]
    assert all(math.isnan(row["P_k"]) for row in found["classical"])
    assert found["agreement"][0]["Boundary_Similarity"] == 1.0


# ---------------------------------------------------------------- JSON

TWO = (PAIR | {"B": HALVES}, {"Gold": HALVES, "A": WHOLE})


def test_json_extras() -> None:
    methods = {"A": {"engines": ["RTNewLine"], "aligner": None, "base_unit": "clause"}}
    found = payload(*TWO, dataset="demo", split="test", methods=methods, ptime={"A": [1.0, 3.0]})
    assert {key: found[key] for key in ("dataset", "split", "traces", "gold_key", "protocol", "methods")} == {
        "dataset": "demo",
        "split": "test",
        "traces": 2,
        "gold_key": "Gold",
        "protocol": "rt-seg",
        "methods": methods,
    }
    assert found["runtime"] == {"A": {"n": 2, "mean": 2.0, "p50": 2.0, "p95": pytest.approx(2.9)}}
    assert found["infinite"] == {"A": {"Boundary_Displacement": 1}}
    assert found["linear_metrics"]["A"]["Boundary_Displacement"] == {"mean": None, "std": None, "n": 2}
    assert found["undefined"]["Gold vs A"] == {"Boundary_Similarity": 0, "Boundary_Density_JSD": 1}
    assert found["undefined"]["B"]["P_k"] == 1  # B has one trace of two


def test_json_without_extras() -> None:
    found = payload({"Gold": HALVES})
    assert set(found) == {
        *("hyperparameters", "protocol", "gold_key", "traces", "infinite"),
        *("dataset", "split", "undefined", "methods", "runtime"),
    }
    assert (found["dataset"], found["methods"], found["runtime"]) == (None, {}, {})


def test_json_is_always_valid() -> None:
    found = aggregated_results_to_json(
        evaluate_aggregate_segmentations([TRACE], [PAIR], "Gold"), methods={"A": {"temperature": math.nan}}
    )
    json.dumps(found, allow_nan=False)


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize("function", [evaluate_segmentations, evaluate_aggregate_segmentations])
@pytest.mark.parametrize("name", ["windw", "trace_len", "tolerance"])
def test_unknown_argument(function: Any, name: str) -> None:
    """The tool swallows all but the second."""
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
        function([TRACE], [PAIR], "Gold", **{name: 1})


OPTIONS = [
    ({"window": [3]}, "window of segments.rt_seg is [3]"),
    ({"window": "3"}, "window of segments.rt_seg is '3'"),
    ({"slack": "x"}, "slack of segments.rt_seg is 'x'"),
    ({"window": -1, "protocol": None}, "tolerance of segments.b_score is -1"),
    ({"sigma": 0, "protocol": None}, "sigma of segments.soft is 0.0"),
    ({"sigma": math.nan}, "sigma of segments.rt_seg is 'nan'"),
    ({"protocol": "segments"}, "protocol is 'segments'"),
    ({"window": None}, "window of segments.rt_seg is None"),
    ({"sigma": "x"}, "sigma"),
    ({"sigma": None}, "sigma"),
    ({"groups": "classical"}, "groups is 'classical'"),
]


@pytest.mark.parametrize(("options", "said"), OPTIONS)
def test_options_refused(options: Json, said: str) -> None:
    with pytest.raises(MeasureError) as caught:
        single(**options)
    assert str(caught.value).startswith(said)


def test_numbers_of_numpy() -> None:
    assert single(window=np.int64(3)) == single(window=3)


def test_arrays_of_numpy() -> None:
    assert single({"Gold": HALVES, "A": np.array(LATE)}) == single()


SEGMENTS = [
    (None, " is None"),
    ([(0, 10.0), (10, 20)], "[0].end is 10.0"),
    ([(0, True), (10, 20)], "[0].end is True"),
    ([5, 6], "[0] is 5"),
    ("abc", "is 'abc'"),
]


@pytest.mark.parametrize(("segments", "said"), SEGMENTS)
@pytest.mark.parametrize("protocol", ["rt-seg", None])
def test_segments_refused(segments: Any, said: str, protocol: Any) -> None:
    with pytest.raises(InputError) as caught:
        single({"Gold": HALVES, "A": segments}, protocol=protocol)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("traces", "segmentations", "said"),
    [
        ([], [], "there are no traces"),
        ([TRACE], [], "there are 1 traces and 0 segmentations"),
        (TRACE, [PAIR], "there are 20 traces and 1 segmentations"),
        ([TRACE], PAIR, "segmentations"),
        (None, [PAIR], "traces"),
        ([TRACE], [None], "segmentations[0] is None"),
        ([TRACE], [[HALVES, LATE]], "segmentations[0] is"),
    ],
)
def test_traces_refused(traces: Any, segmentations: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        evaluate_aggregate_segmentations(traces, segmentations, "Gold")
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("trace", [None, 5])
def test_trace_is_no_text(trace: Any) -> None:
    with pytest.raises(TypeError) as caught:
        evaluate_segmentations(trace, PAIR, "Gold")
    assert str(caught.value) == f"a trace is {trace}; expected a string, or a list"


@pytest.mark.parametrize(
    "seconds",
    [
        [],
        [math.nan],
        [math.inf],
        [-1.0],
        ["x"],
        3.0,
    ],
)
def test_seconds_refused(seconds: Any) -> None:
    with pytest.raises(InputError) as caught:
        payload(PAIR, ptime={"A": seconds})
    assert str(caught.value).startswith("ptime of 'A' is ")


@pytest.mark.parametrize(("agg", "more"), [(None, {}), ({"x": 1}, {}), ({}, {"methods": {"A": "RTNewLine"}})])
def test_json_of_something_else(agg: Any, more: Json) -> None:
    with pytest.raises(InputError):
        aggregated_results_to_json(agg, **more)


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said when the functions are imported: whoever imports them will call them."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.delitem(sys.modules, "spanscope.commands.rt_seg")
    monkeypatch.delitem(vars(spanscope), "evaluate_segmentations", raising=False)
    with pytest.raises(ImportError) as caught:
        vars(spanscope)["__getattr__"]("evaluate_segmentations")
    assert str(caught.value) == "RT-SEG's functions give data frames: pip install 'spanscope[pandas]'"


def test_nothing_is_lost_in_the_json() -> None:
    with pytest.raises(InputError, match="ptime is of 'B', which was not scored"):
        payload(PAIR, ptime={"B": [1.0]})
    with pytest.raises(InputError, match="two methods or pairs are called '1' in JSON"):
        payload({"Gold": HALVES, 1: LATE, "1": LATE})
    assert payload(PAIR, ptime={"Gold": np.array([1, 3])})["runtime"]["Gold"]["mean"] == 2.0
