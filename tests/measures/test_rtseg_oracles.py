"""RT-SEG's own figures, recorded from the real code: every case agrees under the protocol rt-seg.

Left out: fuzzy scores (the larger and the mean of two covers, which are compared), Krippendorff's alpha over
characters (another family's business), TraceSegmentEvaluator (the same figures rounded to three places, beside
lengths of segments), and inner values of P_k (k, max_gold_label: any other k would give another P_k).
"""

import math
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import spanscope
from spanscope import SpanscopeError, evaluate_segmentations
from tests.oracle import Json, failed, finite, oracle, rt_seg, spans, unlike

DOC, CORNERS = oracle("rtseg_doc_examples"), oracle("rtseg_corner_cases")
RANDOM: list[Json] = oracle("rtseg_random")["cases"]
NAMES = ("Method", "A", "B")


# ---------------------------------------------------------------- the tables of one trace


def cells(tables: Json) -> Iterator[tuple[Any, Any]]:
    """Return every figure of recorded tables under group, row and column."""
    for group, table in tables.items():
        for row in table["rows"]:
            who = " vs ".join(str(row[name]) for name in NAMES if name in row)
            yield from (((group, who, key), value) for key, value in row.items() if key not in NAMES)


def shape(tables: Json) -> Json:
    return {group: (table["columns"], len(table["rows"])) for group, table in tables.items()}


def plain(tables: Json) -> Json:
    """Return our data frames in the form the oracle records."""
    return {
        group: {"columns": list(frame.columns), "rows": frame.to_dict("records")}
        for group, frame in tables.items()
    }


def wrong_tables(ours: Json, theirs: Json) -> list[str]:
    """Return a line for every difference between our data frames and the recorded tables."""
    mine = plain(ours)
    assert list(mine) == list(theirs)
    assert shape(mine) == shape(theirs)
    assert [index for frame in ours.values() for index in frame.index] == [
        n for table in theirs.values() for n in range(len(table["rows"]))
    ]
    return unlike(dict(cells(mine)), dict(cells(theirs)))


def test_every_random_trace() -> None:
    """Two settings of each of the 100 traces, one to three methods each."""
    found = []
    for case in RANDOM:
        for run in case["runs"]:
            ours = evaluate_segmentations(
                case["trace"], spans(case["segmentations"]), case["gold_key"], **run["params"]
            )
            found += [f"trace {case['id']}, {line}" for line in wrong_tables(ours, run["tables"])]
    assert found == []


WHOLE = [case for case in CORNERS["cases"] if not failed(case["evaluate_segmentations"])]
corner = pytest.mark.parametrize("case", WHOLE, ids=[case["name"] for case in WHOLE])


@corner
def test_every_corner(case: Json) -> None:
    """Gaps, overlaps, offsets past the end or below 0, empty lists and texts, sigma 0: as the tool has them."""
    both = {"Gold": [tuple(span) for span in case["gold"]], "P": [tuple(span) for span in case["pred"]]}
    ours = evaluate_segmentations("x" * case["len"], both, "Gold", **case["params"])
    assert wrong_tables(ours, case["evaluate_segmentations"]["tables"]) == []


@pytest.mark.parametrize("name", ["single", "test_py_single"])
def test_examples_of_the_tool(name: str) -> None:
    case = DOC[name]
    ours = evaluate_segmentations(case["trace"], spans(case["segmentations"]), case["gold_key"], **case["params"])
    assert wrong_tables(ours, case["tables"]) == []


def test_the_first_example_of_the_document_prints_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    trace = "Step 1: Get data. Data is [1, 2]. Step 2: Sum data. Sum is 3. Step 3: Square it. Result is 9."
    segmentations = {"Gold": [(0, 31), (31, 59), (59, 84)], "MethodA": [(0, 31), (31, 84)]}
    tables = evaluate_segmentations(
        trace=trace, segmentations=segmentations, gold_key="Gold", sigma=5.0, window=10, slack=10
    )
    for group, df in tables.items():
        print(f"\n=== {group} ===")
        print(df)
    assert capsys.readouterr().out == DOC["single"]["printed"]


# ---------------------------------------------------------------- calls

HALVES, LATE = [(0, 10), (10, 20)], [(0, 11), (11, 20)]
PAIR = {"Gold": HALVES, "P": LATE}
CALLS: dict[str, tuple[Any, Any, Any, Json]] = {
    "gold_key=None": ("x" * 20, PAIR, None, {}),
    "gold_key missing": ("x" * 20, PAIR, "Nobody", {}),
    "groups=[]": ("x" * 20, PAIR, "Gold", {"groups": []}),
    "groups=['agreement']": ("x" * 20, PAIR, "Gold", {"groups": ["agreement"]}),
    "groups=['optimistic','classical'] order": ("x" * 20, PAIR, "Gold", {"groups": ["optimistic", "classical"]}),
    "only gold": ("x" * 20, {"Gold": HALVES}, "Gold", {}),
    "no segmentations": ("x" * 20, {}, "Gold", {}),
    "bytes trace": (b"x" * 20, PAIR, "Gold", {}),
    "three methods agreement rows": ("x" * 20, PAIR | {"Q": [(0, 20)]}, "Gold", {"groups": ["agreement"]}),
}
REFUSED: dict[str, tuple[Any, Any, Any, Json]] = {
    "unknown group": ("x" * 20, PAIR, "Gold", {"groups": ["nope"]}),
    "misspelt kwarg windw=0": ("x" * 20, PAIR, "Gold", {"windw": 0}),
    "kwarg trace_len=5": ("x" * 20, PAIR, "Gold", {"trace_len": 5}),
    "window=None": ("x" * 20, PAIR, "Gold", {"window": None}),
    "pred None": ("x" * 20, {"Gold": HALVES, "P": None}, "Gold", {}),
    "trace None": (None, PAIR, "Gold", {}),
}


@pytest.mark.parametrize("call", CALLS)
def test_calls(call: str) -> None:
    trace, segmentations, gold, more = CALLS[call]
    assert (
        wrong_tables(evaluate_segmentations(trace, segmentations, gold, **more), CORNERS["calls"][call]["tables"])
        == []
    )


@pytest.mark.parametrize("call", REFUSED)
def test_calls_that_are_refused(call: str) -> None:
    """The tool swallows misspelt arguments; the rest raises there too, in other words."""
    trace, segmentations, gold, more = REFUSED[call]
    with pytest.raises((SpanscopeError, TypeError)):
        evaluate_segmentations(trace, segmentations, gold, **more)


def test_no_call_is_forgotten() -> None:
    assert {*CALLS, *REFUSED, "sigma='5'"} == set(CORNERS["calls"])


def test_a_setting_written_as_text_is_the_number_it_says() -> None:
    """For sigma='5' the tool swallows its own TypeError and shows NaN."""
    theirs = CORNERS["calls"]["sigma='5'"]["tables"]["boundary_accuracy"]["rows"][0]
    assert theirs["Soft_Boundary_F1"] == "NaN"
    ours = evaluate_segmentations("x" * 20, PAIR, "Gold", sigma="5")  # type: ignore[arg-type]
    assert wrong_tables(ours, CORNERS["calls"]["groups=[]"]["tables"]) == []


def corner_of(name: str) -> Json:
    case: Json = next(case for case in CORNERS["cases"] if case["name"] == name)
    return case


def test_offsets_that_are_not_whole_numbers_are_refused() -> None:
    """They raise in the tool too, from deep inside."""
    case = corner_of("float_offsets")
    assert failed(case["evaluate_segmentations"])
    with pytest.raises((SpanscopeError, TypeError)):
        evaluate_segmentations("x" * case["len"], {"Gold": case["gold"], "P": case["pred"]}, "Gold")


def test_spans_with_labels_have_the_figures_of_their_offsets() -> None:
    """The tool cannot unpack triples."""
    case, same = corner_of("triple_spans"), corner_of("lists_not_tuples")
    assert failed(case["evaluate_segmentations"])
    assert [span[:2] for span in case["pred"]] == same["pred"]
    ours = evaluate_segmentations("x" * case["len"], {"Gold": case["gold"], "P": case["pred"]}, "Gold")
    assert wrong_tables(ours, same["evaluate_segmentations"]["tables"]) == []


def test_no_corner_is_forgotten() -> None:
    assert {case["name"] for case in CORNERS["cases"] if case not in WHOLE} == {"float_offsets", "triple_spans"}


# ---------------------------------------------------------------- many documents in one call

Triple = tuple[int, Any, Any]  # length of the text, gold and predicted spans


def rows(pairs: dict[str, Triple], *measures: str) -> dict[str, dict[str, Json]]:
    """Score pairs in one call; return the records of every measure by document."""
    gold, pred = (
        [{"id": name, "text": "x" * one[0], "segments": one[side]} for name, one in pairs.items()]
        for side in (1, 2)
    )
    result = spanscope.evaluate(gold, pred, list(measures), protocol="rt-seg", ci=False)
    return {name: {row["document"]: row for row in result.by_document(name)} for name in measures}


@cache
def random_rows() -> dict[str, dict[str, Json]]:
    """Return the figures of every pair of segmentations of every random trace, under all settings."""
    pairs = {
        f"{case['id']}, {a} vs {b}": (case["len"], case["segmentations"][a], case["segmentations"][b])
        for case in RANDOM
        for a, b in combinations(case["segmentations"], 2)
    }
    return rows(pairs, *sorted({rt_seg(run["params"]) for case in RANDOM for run in case["runs"]}))


def test_evaluate_gives_the_same_figures() -> None:
    """All pairs at once. The tables against gold are NaN in six traces without a gold key, and not compared."""
    found = []
    for case in RANDOM:
        for run in case["runs"]:
            for (group, who, metric), value in cells(run["tables"]):
                pair = f"{case['id']}, {who if group == 'agreement' else f'Gold vs {who}'}"
                if group == "agreement" or case["gold_key"]:
                    ours = random_rows()[rt_seg(run["params"])][pair]
                    found += [f"{pair}: {line}" for line in unlike(ours, {metric: finite(value)})]
    assert found == []


PARTS = {
    "boundary_prf": ("Boundary_Precision", "Boundary_Recall", "Boundary_F1"),
    "soft_prf": ("Soft_Precision", "Soft_Recall", "Soft_Boundary_F1"),
    "iou_dice": ("Mean_IoU", "Mean_Dice"),
}


def test_precision_and_recall_of_random_traces() -> None:
    found = []
    for case in RANDOM:
        for method, values in case["prf"].items():
            assert set(values) == {"boundary_prf", "soft_prf_sigma5"}
            for name, value in values.items():
                theirs = dict(zip(PARTS[name.removesuffix("_sigma5")], value["value"], strict=True))
                found += unlike(random_rows()[rt_seg({})][f"{case['id']}, Gold vs {method}"], theirs)
    assert found == []


INNER = {"k", "max_gold_label", "_to_labels"}
ONE_WAY = "SegmentationAgreement.boundary_similarity(eps=3)"
COVER = "cover_pred_by_gold(registry Boundary_Cover)"


@corner
def test_direct_calls(case: Json) -> None:
    """The metric functions themselves. Where they raise, the tables have NaN and so have we."""
    sides = (case["len"], case["gold"], case["pred"])
    measure = rt_seg(case["params"])
    both = rows({"it": sides, "back": (sides[0], sides[2], sides[1])}, measure)[measure]
    ours, swapped = both["it"], both["back"]
    for name, outcome in case["direct"].items():
        if name in INNER or name == ONE_WAY:
            continue
        value = math.nan if failed(outcome) else outcome["value"]
        if name == "cover_gold_by_pred":
            assert unlike(swapped, {"Boundary_Cover": finite(value)}) == []
        elif name in PARTS:
            assert unlike(ours, dict(zip(PARTS[name], map(finite, value), strict=True))) == [], name
        else:
            assert unlike(ours, {"Boundary_Cover" if name == COVER else name: finite(value)}) == []


def test_agreement_in_one_direction() -> None:
    """Twice the gold boundaries with a predicted one within 3, over all boundaries: read from b_score's counts.

    The tool fails on boundaries past the end; one at 0 (reversed_span) is none here.
    """
    theirs: dict[str, float] = {}
    sides: tuple[list[Json], list[Json]] = ([], [])
    for case in WHOLE:
        outcome = case["direct"][ONE_WAY]
        if not failed(outcome) and case["name"] != "reversed_span":
            theirs[case["name"]] = outcome["value"]
            for side, listed in zip(sides, (case["gold"], case["pred"]), strict=True):
                places = sorted({end for _, end in listed[:-1]})
                side.append({"id": case["name"], "length": case["len"], "boundaries": places})
    assert len(theirs) == 41
    ours = {
        row["document"]: 2 * row["near_gold"] / (row["gold"] + row["pred"]) if row["gold"] + row["pred"] else 1
        for row in spanscope.evaluate(*sides, "segments.b_score(tolerance=3)", ci=False).by_document()
    }
    assert unlike(ours, theirs) == []
