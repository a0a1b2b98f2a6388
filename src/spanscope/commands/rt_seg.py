"""RT-SEG's evaluation functions, same names and shapes: its own figures by default, ours with protocol=None."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal

from spanscope.commands.evaluate import evaluate
from spanscope.errors import InputError, MeasureError, did_you_mean, shown
from spanscope.io.segments.traces import by_method, check_gold, check_traces, say_who
from spanscope.results.result import Result
from spanscope.settings.options import Scoring

try:
    import pandas
except ImportError:  # said when the functions are imported, not when an evaluation is done
    raise ImportError("RT-SEG's functions give data frames: pip install 'spanscope[pandas]'") from None

GROUPS: dict[str, tuple[str, ...]] = {
    "classical": ("P_k", "WindowDiff"),
    "boundary_accuracy": ("Boundary_F1", "Soft_Boundary_F1", "Boundary_Displacement"),
    "segment_structure": ("Mean_IoU", "Mean_Dice", "Segmentation_Bias"),
    "agreement": ("Boundary_Similarity", "Boundary_Density_JSD"),
    "optimistic": ("Boundary_Cover",),
}
LINEAR = (
    "Boundary_F1",
    "Soft_Boundary_F1",
    "Mean_IoU",
    "Mean_Dice",
    "Boundary_Displacement",
    "Segmentation_Bias",
    "P_k",
    "WindowDiff",
)
_SCORED = ("classical", "boundary_accuracy", "segment_structure")
NAN = math.nan
ENDLESS = "infinite "
FARTHEST = 2.0**31  # no trace is longer
Which = Literal["rt-seg"] | None
Row = dict[str, Any]


def evaluate_segmentations(
    trace: str | bytes | Sequence[Any],
    segmentations: Mapping[Any, Sequence[Any]],
    gold_key: Any = None,
    groups: Sequence[str] | None = None,
    *,
    sigma: float = 5.0,
    window: float = 3,
    slack: float = 10,
    protocol: Which = "rt-seg",
) -> dict[str, Any]:
    """Return RT-SEG's tables of one trace: a data frame a group of metrics.

    The trace is a text, bytes or a list (of tokens, say): only its length counts. `window` and `slack` are any
    numbers; distances are whole, so 2.5 is 2. protocol="rt-seg" gives the tool's own figures on segments as they
    are; None ours, on segments that must partition the trace. Without gold the groups that need it hold NaN, as
    the tool has it.
    """
    given = [by_method(segmentations, "segmentations")]
    tables, _ = _tables([trace], given, gold_key, groups, sigma, window, slack, protocol)
    return {group: _frame(rows) for group, rows in tables.items()}


def evaluate_aggregate_segmentations(
    traces: Sequence[str | bytes | Sequence[Any]],
    segmentations: Sequence[Mapping[Any, Sequence[Any]]],
    gold_key: Any = None,
    groups: Sequence[str] | None = None,
    *,
    sigma: float = 5.0,
    window: float = 3,
    slack: float = 10,
    protocol: Which = "rt-seg",
) -> dict[str, Any]:
    """Return RT-SEG's tables over many traces: mean, standard deviation and number of values of each metric.

    linear_metrics by method with columns (metric, mean | std | n); pairwise_agreement_metrics by pair and
    per_method_agreement_metrics by method with columns METRIC, METRIC_std, METRIC_n.
    """
    texts, given = check_traces(traces, segmentations, tool=protocol is not None)
    tables, infinite = _tables(texts, given, gold_key, groups, sigma, window, slack, protocol)
    scored = [row for group in _SCORED for row in tables.get(group, [])]
    cover = _flat(_group(tables.get("optimistic", []), ["Method"], GROUPS["optimistic"]))
    frames = {
        "linear_metrics": _group(scored, ["Method"], LINEAR),
        "pairwise_agreement_metrics": _flat(_group(tables.get("agreement", []), ["A", "B"], GROUPS["agreement"])),
        "per_method_agreement_metrics": cover.dropna(subset=["Boundary_Cover"]) if len(cover) else cover,
    }
    about = {
        "hyperparameters": {"sigma": _real(sigma, "sigma"), **_distances_given(window, slack)},
        "protocol": protocol,
        "gold_key": None if gold_key is None else str(gold_key),
        "traces": len(texts),
        "infinite": infinite,
    }
    for frame in frames.values():
        frame.attrs.update(about)
    return frames


def _tables(
    traces: Sequence[Any],
    given: Sequence[Mapping[Any, Sequence[Any]]],
    gold_key: Any,
    groups: Sequence[str] | None,
    sigma: float,
    window: float,
    slack: float,
    protocol: Which,
) -> tuple[dict[str, list[Row]], dict[str, dict[str, int]]]:
    """Return the rows of every group, trace after trace, and how often each metric is infinite."""
    wanted = _groups_wanted(groups, protocol)
    check_gold(gold_key, given, tool=protocol is not None)
    pairs: list[tuple[int, Any, Any]] = []
    for at, one in enumerate(given):
        pairs += [(at, a, b) for a, b in combinations(one, 2)] if "agreement" in wanted else []
        if gold_key in one and set(wanted) - {"agreement"}:
            pairs += [(at, gold_key, name) for name in one if name != gold_key]
    values = _values(traces, given, list(dict.fromkeys(pairs)), sigma, window, slack, protocol)
    tables = {
        group: [row for at, one in enumerate(given) for row in _rows(group, at, one, gold_key, values)]
        for group in wanted
    }
    scored = [pair for pair in values if pair[1] == gold_key]
    metrics = [metric for group in wanted if group != "agreement" for metric in GROUPS[group]]
    return tables, _infinite(scored, metrics, values)


def _groups_wanted(groups: Sequence[str] | None, protocol: Which) -> list[str]:
    """Return the groups asked for; none is all, as the tool has it."""
    if protocol not in ("rt-seg", None):
        raise MeasureError(
            f"protocol is {shown(protocol)}", expected="'rt-seg' (the tool's figures) or None (ours)"
        )
    if isinstance(groups, (str, Mapping)) or not isinstance(groups, (Iterable, type(None))):
        raise MeasureError(f"groups is {shown(groups)}", expected="a list of " + ", ".join(GROUPS))
    for group in groups or ():
        if not isinstance(group, str) or group not in GROUPS:
            near = did_you_mean(group, GROUPS)
            raise MeasureError(f"no group is called {shown(group)}{near}", expected=", ".join(GROUPS))
    return list(groups or GROUPS)


def _rows(group: str, at: int, one: Mapping[Any, Any], gold_key: Any, values: Mapping[Any, Row]) -> list[Row]:
    """Return the rows of one trace in one group."""
    metrics = GROUPS[group]
    if group == "agreement":
        return [{"A": a, "B": b, **{m: values[at, a, b][m] for m in metrics}} for a, b in combinations(one, 2)]
    nothing = dict.fromkeys(metrics, NAN)
    scored = [name for name in one if gold_key not in one or name != gold_key]
    found = {name: values.get((at, gold_key, name), nothing) for name in scored}
    return [{"Method": name, **{metric: own[metric] for metric in metrics}} for name, own in found.items()]


def _values(
    traces: Sequence[Any],
    given: Sequence[Mapping[Any, Sequence[Any]]],
    pairs: Sequence[tuple[int, Any, Any]],
    sigma: float,
    window: float,
    slack: float,
    protocol: Which,
) -> dict[tuple[int, Any, Any], dict[str, float]]:
    """Return every metric of every pair of segmentations, all pairs scored as one corpus."""
    texts = list(map(_decode, traces))
    sides = [
        [
            {"id": number, "text": texts[pair[0]], "segmentations": {"x": given[pair[0]][pair[which]]}}
            for number, pair in enumerate(pairs)
        ]
        for which in (1, 2)
    ]
    if not pairs:
        return {}
    measures = _measures(sigma, window, slack, protocol)
    try:
        result = evaluate(
            sides[0],
            sides[1],
            list(measures),
            protocol=protocol,
            missing="error",
            ci=False,
            score=Scoring(errors=False),
        )
    except InputError as error:
        say_who(texts, given, error, tool=protocol is not None)
        raise
    columns = [_column(result, form, rates) for form, rates in measures.items()]
    return {
        pair: {name: value for found in columns for name, value in found[number].items()}
        for number, pair in enumerate(pairs)
    }


def _measures(sigma: float, window: float, slack: float, protocol: Which) -> dict[str, dict[str, str]]:
    """Return the measures to run, each with the tool's name of its rates."""
    sigma, window, slack = _real(sigma, "sigma"), _whole(window, "window"), _whole(slack, "slack")
    if protocol == "rt-seg":
        names = [metric for group in GROUPS.values() for metric in group]
        form = f"segments.rt_seg(sigma={sigma!r}, window={window!r}, slack={slack!r})"
        return {form: {name: name for name in names}}
    return {
        "segments.pk": {"pk": "P_k"},
        "segments.window_diff": {"window_diff": "WindowDiff"},
        "segments.boundaries": {"f1": "Boundary_F1"},
        f"segments.soft(sigma={sigma!r})": {"f1": "Soft_Boundary_F1"},
        "segments.displacement": {"displacement": "Boundary_Displacement"},
        "segments.overlap": {"iou": "Mean_IoU", "dice": "Mean_Dice"},
        "segments.bias": {"bias": "Segmentation_Bias"},
        f"segments.b_score(tolerance={window!r})": {"f1": "Boundary_Similarity"},
        "segments.density_jsd": {"jsd": "Boundary_Density_JSD"},
        f"segments.cover(tolerance={slack!r})": {"cover": "Boundary_Cover"},
    }


def _distances_given(window: Any, slack: Any) -> dict[str, float | None]:
    """Return the two distances as they were given, as numbers that JSON can have."""
    numbers = {"window": _real(window, "window"), "slack": _real(slack, "slack")}
    return {
        name: None if not math.isfinite(value) else int(value) if value.is_integer() else value
        for name, value in numbers.items()
    }


def _column(result: Result, form: str, rates: Mapping[str, str]) -> list[dict[str, float]]:
    """Return the values of a measure's rates, a document each, and under ENDLESS whether they are infinite.

    The tool's infinities are infinite again; ours are undefined in tables, and only counted.
    """
    out = []
    for record in result.by_document(form):
        found = {}
        for rate, name in rates.items():
            endless = record.get(f"{rate}_infinite", 0)
            found[name] = math.inf if endless else NAN if record[rate] is None else float(record[rate])
            found[ENDLESS + name] = float(bool(endless or record.get("infinite", 0)))
        out.append(found)
    return out


def _decode(trace: Any) -> str:
    """Return a text as long as the trace, of which the tool only asks for the length."""
    if isinstance(trace, bytes):
        return trace.decode("latin-1")
    if isinstance(trace, str):
        return trace
    if isinstance(trace, Mapping) or not hasattr(trace, "__len__"):
        raise TypeError(f"a trace is {shown(trace)}; expected a string, or a list")
    return "." * len(trace)


def _frame(rows: Sequence[Row]) -> Any:
    return pandas.DataFrame(list(rows))


def _group(rows: Sequence[Row], keys: list[str], metrics: Sequence[str]) -> Any:
    """Return mean, standard deviation and number of each metric, by method or pair."""
    frame = _frame(rows)
    present = [metric for metric in metrics if metric in frame.columns]
    if not present:
        return pandas.DataFrame()
    table = frame.groupby(keys)[present].agg(["mean", "std", "count"])
    return table.rename(columns={"count": "n"}, level=1)


def _flat(table: Any) -> Any:
    """Return the columns METRIC, METRIC_std, METRIC_n."""
    if len(table):
        table.columns = [metric if kind == "mean" else f"{metric}_{kind}" for metric, kind in table.columns]
    return table


def _infinite(
    pairs: Sequence[tuple[int, Any, Any]], metrics: Sequence[str], values: Mapping[Any, Row]
) -> dict[str, dict[str, int]]:
    """Return for each method and metric how many traces have an infinite value, where there are any."""
    out: dict[str, dict[str, int]] = {}
    for pair in pairs:
        for metric in metrics:
            if values[pair][ENDLESS + metric]:
                own = out.setdefault(str(pair[2]), {})
                own[metric] = own.get(metric, 0) + 1
    return out


def _whole(value: Any, name: str) -> int:
    """Return a distance as the whole number that lets the same distances pass; none is within NaN."""
    if isinstance(value, str):
        raise MeasureError(f"{name} of segments.rt_seg is {shown(value)}", expected="a number")
    number = _real(value, name)
    return -1 if math.isnan(number) else math.floor(min(max(number, -1.0), FARTHEST))


def _real(value: Any, name: str) -> float:
    """Return a parameter that is a number, or a text that says one."""
    try:
        return float(value) if not isinstance(value, bool) else float("no number")
    except (TypeError, ValueError, OverflowError):
        raise MeasureError(f"{name} of segments.rt_seg is {shown(value)}", expected="a number") from None
