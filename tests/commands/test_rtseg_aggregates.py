"""RT-SEG over many traces, recorded from the real code: its three frames, its JSON, means over pairs of methods.

Recorded with it: what segeval and NLTK say of the same traces, compared with our own measures. Left out, as in
test_rtseg_oracles: fuzzy scores, Krippendorff's alpha and TraceSegmentEvaluator.
"""

import json
import math
from collections import defaultdict
from functools import cache
from typing import Any

import pytest

import spanscope
from spanscope import InputError, aggregated_results_to_json, evaluate_aggregate_segmentations
from tests.oracle import Json, finite, oracle, rt_seg, spans, unlike

DOC, AGGREGATE = oracle("rtseg_doc_examples"), oracle("rtseg_aggregate")["cases"]
RANDOM: dict[int, Json] = {case["id"]: case for case in oracle("rtseg_random")["cases"]}
MANY = next(name for name in AGGREGATE if name.startswith("30 random traces"))
SIMILARITY = "evaluate_approaches_bounding_similarity"
REFUSED = ("no traces", "fewer segmentations than traces")
MORE = "more segmentations than traces"
NUMBERED = "integer method names"
EXAMPLE = DOC["test_py_single"]
CASES: dict[str, Json] = {
    "the second example of the document": DOC["aggregate"],
    "the tool's own test, three times": {
        "traces": [EXAMPLE["trace"]] * 3,
        "segmentations": [EXAMPLE["segmentations"]] * 3,
        "gold_key": EXAMPLE["gold_key"],
        **DOC["test_py_aggregate_x3"],
    },
    MANY: {
        "traces": [RANDOM[key]["trace"] for key in AGGREGATE[MANY]["case_ids"]],
        "segmentations": [RANDOM[key]["segmentations"] for key in AGGREGATE[MANY]["case_ids"]],
        "gold_key": "Gold",
        **AGGREGATE[MANY],
    },
    **{
        name: case
        for name, case in AGGREGATE.items()
        if name not in (MANY, NUMBERED, *REFUSED) and not name.startswith(SIMILARITY)
    },
}
every_case = pytest.mark.parametrize("name", CASES)


def run(case: Json) -> Json:
    found: Json = evaluate_aggregate_segmentations(
        case["traces"],
        [spans(each) for each in case["segmentations"]],
        case["gold_key"],
        **(case.get("params") or case.get("kw") or {}),
    )
    return found


# ---------------------------------------------------------------- frames


def recorded(frame: Json) -> Json:
    """Return the figures of a recorded frame under row and column."""
    keys = [tuple(key) if isinstance(key, list) else key for key in frame["columns"]]
    index = [tuple(key) if isinstance(key, list) else key for key in frame["index"]]
    return {
        (row, key): value
        for row, values in zip(index, frame["values"], strict=True)
        for key, value in zip(keys, values, strict=True)
    }


@every_case
def test_frames(name: str) -> None:
    """Rows, columns and figures of the tool, in its order; beside them columns of ours (n, std, Boundary_F1)."""
    ours = run(CASES[name])
    assert list(ours)[:3] == list(CASES[name]["frames"])
    for key, frame in CASES[name]["frames"].items():
        mine, theirs = ours[key], recorded(frame)
        assert [list(row) if isinstance(row, tuple) else row for row in mine.index] == frame["index"], key
        assert not theirs or list(mine.index.names) == frame["index_names"]
        columns = list(dict.fromkeys(column for _, column in theirs))
        assert [column for column in mine.columns if column in columns] == columns
        found = {(row, column): mine.loc[row, column] for row, column in theirs}
        assert unlike(found, theirs) == [], key


def test_boundary_f1_is_aggregated_too() -> None:
    """The tool asks for a column `F1` that does not exist, and so loses Boundary_F1; here it is a column more."""
    case = CASES["two equal traces"]
    assert ["Boundary_F1", "mean"] not in case["frames"]["linear_metrics"]["columns"]
    frame = run(case)["linear_metrics"]
    assert [frame.loc["A", ("Boundary_F1", what)] for what in ("mean", "std", "n")] == [0.0, 0.0, 2]


def test_numbers_of_traces_are_shown() -> None:
    """A method missing in a trace has no row there in the tool, and nobody sees it; n says so here."""
    frames = run(CASES["method missing in one trace"])
    assert frames["linear_metrics"]["P_k", "n"].to_dict() == {"A": 3, "B": 2}
    assert frames["pairwise_agreement_metrics"]["Boundary_Similarity_n"].to_dict() == {
        ("A", "B"): 2,
        ("Gold", "A"): 3,
        ("Gold", "B"): 2,
    }


def test_methods_keep_their_names() -> None:
    """The tool turns methods called 2 and 10 into 2.0 and 10.0; the figures are the same, the names stay."""
    case = AGGREGATE[NUMBERED]
    named = [
        {int(key) if key.isdigit() else key: value for key, value in each.items()}
        for each in case["segmentations"]
    ]
    ours = aggregated_results_to_json(run(case | {"segmentations": named}))
    for key, theirs in case["json"].items():
        mine = ours[key]
        assert set(mine) == {name.replace(".0", "") for name in theirs}, key
        for name, values in theirs.items():
            assert wrong_json(mine[name.replace(".0", "")], values) == []


@pytest.mark.parametrize("name", REFUSED)
def test_numbers_that_do_not_fit(name: str) -> None:
    """Without traces the tool raises ValueError, with too few segmentations IndexError."""
    with pytest.raises(InputError):
        run(AGGREGATE[name])


def test_too_many_segmentations() -> None:
    """The tool ignores what has no trace, and so does its protocol; our own tables refuse it."""
    case = AGGREGATE[MORE]
    with pytest.raises(InputError):
        evaluate_aggregate_segmentations(case["traces"], case["segmentations"], "Gold", protocol=None)


# ---------------------------------------------------------------- JSON


def leaves(value: Any, at: tuple[str, ...] = ()) -> Json:
    """Return every figure of nested objects under its path."""
    if not isinstance(value, dict):
        return {"/".join(at): finite(value)}
    return {path: leaf for key, inner in value.items() for path, leaf in leaves(inner, (*at, key)).items()}


def wrong_json(ours: Json, theirs: Json) -> list[str]:
    return unlike(leaves(ours), leaves(theirs))


@every_case
def test_json(name: str) -> None:
    """The tool's three keys, absent where a frame is empty; its NaN and Infinity are null, so that it is JSON."""
    ours = aggregated_results_to_json(run(CASES[name]))
    theirs = CASES[name]["json"]
    assert [key for key in ours if key.endswith("_metrics")] == CASES[name]["json_keys"] == list(theirs)
    assert all(list(ours[key]) == list(theirs[key]) for key in theirs)
    assert wrong_json(ours, theirs) == []
    assert json.loads(json.dumps(ours, allow_nan=False)) == ours


def test_the_second_example_of_the_document() -> None:
    """Its last line prints the keys: the three of its comment come first."""
    traces = ["Trace one ...", "Trace two ..."]
    segmentations_per_trace = [
        {"Gold": [(0, 10), (10, 20)], "MethodA": [(0, 12), (12, 20)]},
        {"Gold": [(0, 5), (5, 15)], "MethodA": [(0, 6), (6, 15)]},
    ]
    agg = evaluate_aggregate_segmentations(
        traces=traces, segmentations=segmentations_per_trace, gold_key="Gold", sigma=5.0, window=10, slack=10
    )
    payload = aggregated_results_to_json(agg)
    assert list(payload.keys())[:3] == DOC["aggregate"]["json_keys"]
    assert payload["hyperparameters"] == DOC["aggregate"]["params"]
    assert wrong_json(payload, DOC["aggregate"]["json"]) == []


# ---------------------------------------------------------------- pairs of methods: the panel


def panels(cases: list[Json], measure: str) -> list[Any]:
    """Return panels of the traces, one for each set of methods."""
    groups: dict[tuple[str, ...], list[Json]] = defaultdict(list)
    for case in cases:
        groups[tuple(case["segmentations"])].append(
            {"id": case["id"], "text": case["trace"], "segmentations": case["segmentations"]}
        )
    return [
        spanscope.panel(source, gold=None, measures=[measure], protocol="rt-seg") for source in groups.values()
    ]


@cache
def pairwise(window: int) -> dict[int, Json]:
    """Return the B-scores of all pairs of each random trace, and their mean."""
    measure = rt_seg({"window": window})
    return {
        int(row["document"]): row
        for each in panels(list(RANDOM.values()), measure)
        for row in each.by_document("Boundary_Similarity", measure)
    }


def test_consensus_of_each_trace() -> None:
    ours = {key: row["consensus"] for key, row in pairwise(3).items()}
    assert unlike(ours, {key: case["consensus_w3"]["value"] for key, case in RANDOM.items()}) == []


def test_pairs_of_each_trace() -> None:
    """The agreement tables, pairs without gold included."""
    for key, case in RANDOM.items():
        for run_ in case["runs"]:
            if run_["params"].get("window", 3) == 3:
                table = run_["tables"]["agreement"]["rows"]
                theirs = {f"{row['A']} vs {row['B']}": row["Boundary_Similarity"] for row in table}
                assert unlike(pairwise(3)[key]["pairs"], theirs) == [], key
                assert set(pairwise(3)[key]["pairs"]) == set(theirs)


@pytest.mark.parametrize("window", [0, 3, 10])
def test_mean_over_all_pairs_of_all_traces(window: int) -> None:
    values = [v for key in AGGREGATE[MANY]["case_ids"] for v in pairwise(window)[key]["pairs"].values()]
    assert math.fsum(values) / len(values) == pytest.approx(AGGREGATE[SIMILARITY][f"w{window}"]["value"], abs=1e-9)


def test_means_of_a_panel_are_the_aggregate() -> None:
    """30 traces, some methods missing in some: each method over the traces that have it, infinity included."""
    cases = [RANDOM[key] for key in AGGREGATE[MANY]["case_ids"]]
    source = [{"id": c["id"], "text": c["trace"], "segmentations": c["segmentations"]} for c in cases]
    measure = rt_seg(AGGREGATE[MANY]["params"])
    panel = spanscope.panel(source, gold="Gold", measures=[measure], protocol="rt-seg", missing="skip")
    for key, value in recorded(AGGREGATE[MANY]["frames"]["linear_metrics"]).items():
        method, (metric, kind) = key
        if kind == "mean":
            assert unlike({key: panel.results[method].value(metric, measure, "document")}, {key: value}) == []
    frames = AGGREGATE[MANY]["frames"]
    for (pair, metric), value in recorded(frames["pairwise_agreement_metrics"]).items():
        assert unlike({pair: panel.pairs[pair].value(metric, measure, "document")}, {pair: value}) == []


@pytest.mark.parametrize("window", [3, 10])
def test_mean_over_all_pairs_of_the_tools_own_test(window: int) -> None:
    measure = rt_seg({"window": window})
    (panel,) = panels([EXAMPLE | {"id": 1}], measure)
    (row,) = panel.by_document("Boundary_Similarity", measure)
    assert row["consensus"] == pytest.approx(DOC[SIMILARITY][f"w{window}"], abs=1e-9)


def test_panel_of_the_tools_own_test() -> None:
    """alpha_matrix holds B-scores in spite of its name; the group's consensus is the mean over pairs."""
    measure = rt_seg({"window": 3})
    source = [{"id": 1, "text": EXAMPLE["trace"], "segmentations": EXAMPLE["segmentations"]}]
    panel = spanscope.panel(source, gold=EXAMPLE["gold_key"], measures=[measure], protocol="rt-seg")
    names, values = DOC["alpha_matrix_w3"]["names"], DOC["alpha_matrix_w3"]["values"]
    assert list(panel.names) == names
    matrix = panel.matrix("Boundary_Similarity", measure)
    theirs = {(a, b): values[i][j] for i, a in enumerate(names) for j, b in enumerate(names) if a != b}
    assert unlike({(a, b): matrix[a][b] for a, b in theirs}, theirs) == []
    consensus = panel.consensus("Boundary_Similarity", measure)
    ours = {
        name: sum(row[k] for k in range(4) if k != i) / 3
        for i, (name, row) in enumerate(zip(names, values, strict=True))
    }
    assert unlike(consensus, ours) == []
    (row,) = panel.by_document("Boundary_Similarity", measure)
    assert row["consensus"] == pytest.approx(DOC["group_consensus_w3"], abs=1e-9)
    for (group, who, metric), value in _gold_cells():
        if group != "agreement":
            assert panel.results[who].value(metric, measure, "document") == pytest.approx(value, abs=1e-9)


def _gold_cells() -> list[tuple[tuple[str, str, str], float]]:
    return [
        ((group, row["Method"], metric), value)
        for group, table in EXAMPLE["tables"].items()
        for row in table["rows"]
        if "Method" in row
        for metric, value in row.items()
        if metric != "Method"
    ]


# ---------------------------------------------------------------- segeval and NLTK on the same traces

OTHERS = {
    "segeval.pk(hyp,ref)": ("segments.pk(auto=segeval)", "pk"),
    "segeval.window_diff(hyp,ref)": ("segments.window_diff(auto=segeval)", "window_diff"),
    "segeval.pk(k=rtseg k)": ("segments.pk", "pk"),
    "segeval.window_diff(k=rtseg k)": ("segments.window_diff", "window_diff"),
    "nltk.pk(k=rtseg k)": ("segments.pk", "pk"),
    "nltk.windowdiff(k=rtseg k)": ("segments.window_diff", "window_diff"),
    "nltk.pk(default k)": ("segments.pk(auto=nltk)", "pk"),
    "segeval.boundary_similarity(n_t=2)": ("segments.edit_distance(n_t=2)", "b"),
    "segeval.boundary_similarity(n_t=4)": ("segments.edit_distance(n_t=4)", "b"),
}


@cache
def own_measures() -> dict[str, dict[str, Json]]:
    pairs = {(key, method): case for key, case in RANDOM.items() for method in case["other_libs"]}
    gold, pred = (
        [
            {"id": f"{key}/{method}", "text": case["trace"], "segments": case["segmentations"][side or method]}
            for (key, method), case in pairs.items()
        ]
        for side in ("Gold", None)
    )
    measures = list({measure: None for measure, _ in OTHERS.values()})
    result = spanscope.evaluate(gold, pred, measures, ci=False)
    return {measure: {row["document"]: row for row in result.by_document(measure)} for measure in measures}


@pytest.mark.parametrize("name", OTHERS)
def test_other_libraries(name: str) -> None:
    """Not compared: what the tools raise, and 0 for a Pk without any window, where ours is undefined."""
    measure, rate = OTHERS[name]
    found, ours = [], own_measures()[measure]
    for key, case in RANDOM.items():
        for method, values in case["other_libs"].items():
            row, theirs = ours[f"{key}/{method}"], values[name]
            if isinstance(theirs, (int, float)) and not (row.get("windows") == 0 and theirs == 0):
                found += [f"{key}/{method} {line}" for line in unlike(row, {rate: theirs})]
    assert found == []


def test_nothing_is_forgotten() -> None:
    known = {
        "id",
        "trace",
        "len",
        "kinds",
        "segmentations",
        "gold_key",
        "runs",
        "prf",
        "other_libs",
        "consensus_w3",
    }
    left_out = {"fuzzy_slack10", "krippendorff_alpha_boundary_bits"}
    assert all(set(case) - left_out == known for case in RANDOM.values())
    assert all(set(values) == set(OTHERS) for case in RANDOM.values() for values in case["other_libs"].values())
    assert set(AGGREGATE) - set(CASES) - {NUMBERED, *REFUSED} == {SIMILARITY, f"{SIMILARITY}_no_traces"}
