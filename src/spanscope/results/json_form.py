"""The JSON form of a result: versioned, with a schema (`schemas/`), non-finite numbers as null."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from spanscope.findings.findings import LEAKS
from spanscope.jsonable import JsonObject, finite_values
from spanscope.results.resampled import resampled
from spanscope.results.score_rows import plain_rows

if TYPE_CHECKING:
    from spanscope.results.result import Result
    from spanscope.stats.slicings import Slicing

FORM = 1  # version of the JSON form


def as_dict(result: Result, *, matches: bool, documents: bool, worst: int, kept: bool) -> JsonObject:
    """Return a result as plain data, with what `Result.to_dict` is asked for."""
    from spanscope import __version__

    out: JsonObject = {
        "form": FORM,
        "spanscope": __version__,
        "settings": result.settings.plain(),
        "headline": result.settings.headline.plain(),
        "meta": result.meta,
        "inputs": {side: asdict(one) for side, one in zip(("gold", "pred"), result.inputs, strict=True)},
        "documents": result.documents,
        "memory": result.kept,
        "rows": plain_rows(result.rows),
        "counts": {str(measure): result.counts(measure) for measure in result.measures},
        "signatures": {str(measure): result.signature(measure) for measure in result.measures},
        "problems": {"number": result.problems.number, "first": result.problems.first},
        "curve": [finite_values(vars(point)) for point in result.curve()] if result.has_curve else [],
        "confusion": result.confusion(),
        "errors": {kind: finite_values(row) for kind, row in result.errors().items()},
        "timings": result.timings,
    }
    if result.located is not None:
        out["located"] = {"as_given": result.as_given, **result.located.to_dict()}
    if result.settings.ci is not None and result.documents > 1:
        out["resampled"] = resampled(result.settings.group, result.counted.units)
    out |= _asked_for(result)
    if matches:
        out["matches"] = list(result.matches())
    if matches and any(one.name == LEAKS for one in result.measures):
        out |= {"leaks": result.leaks(), "over_wide": result.over_wide()}
    if kept:
        out["kept"] = _kept_counts(result)
    if documents:
        out["by_document"] = {str(measure): result.by_document(measure) for measure in result.measures}
    if worst:
        ordered = {str(measure): result.by_document(measure, worst=True) for measure in result.measures}
        out["by_document"] = {name: own[:worst] for name, own in ordered.items()}
    return out


def _kept_counts(result: Result) -> JsonObject:
    """Return the counts of every document, and what slices count that stand under their own names."""
    from spanscope.results.saved_counts import keep
    from spanscope.stats.slicings import Slicing

    result.needs("counts", "keeping the counts")
    keys = result.comparison.keys(), result.comparison.group_keys()
    shown = [own for own in result.slicings if isinstance(own, Slicing) and _is_shown(own, result)]
    return keep(result.names, *keys, result.measures, result.tables, result.gold_content, shown)


def _is_shown(own: Slicing, result: Result) -> bool:
    """Tell whether slices stand under their own names in the records: values that may be texts are masked."""
    return {*own.counts.labels} >= {one.name for one in result.sliced if one.by == own.by}


def _asked_for(result: Result) -> JsonObject:
    """Return what stands in the JSON where slices were asked for, or predictions have scores."""
    out: JsonObject = {"slices": result.slices()} if result.settings.by else {}
    return out | ({"confidence": result.confidence().plain()} if result.has_scores else {})
