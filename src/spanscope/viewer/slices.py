"""What the pages show of slices: a line each, and which documents or spans are in it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.engines.slicing import name_shown
from spanscope.findings.slices import MEANT
from spanscope.jsonable import JsonObject
from spanscope.report.tables.slices import note_of
from spanscope.results.result import Result
from spanscope.results.score_rows import slice_record
from spanscope.stats.slices import FEW, FEWEST
from spanscope.stats.slicings import Slicing


def lines(result: Result) -> JsonObject | None:
    """Return the slices, the worst first, and what is said under their table; None where nobody asked for some."""
    if not result.sliced:
        return None
    out = []
    for one in result.sliced:
        line = {key: value for key, value in slice_record(one).items() if key not in ("counts", "units", "p")}
        out.append({**line, "bounded": one.units >= FEW, "tested": one.units >= FEWEST})
    return {"lines": out, "note": note_of(result), "tests": result.settings.ci is not None}


def ways(result: Result, docs: Ints, rows: Mapping[str, Ints]) -> JsonObject:
    """Return for every way to slice the names, and the number of that of each document, or of each span.

    `docs` and `rows` are the documents and spans that are shown. Ways are left out whose names are hidden and the
    same: a name could not say which slice is meant.
    """
    out: JsonObject = {}
    for at, one in enumerate(result.slicings):
        if not isinstance(one, Slicing):  # sums alone: nothing of documents is shown
            continue
        names = [name_shown(one.by, name, result.settings) for name in one.counts.labels]
        if len(set(names)) == len(names):
            members = _members(one, result.documents, docs, rows)
            out[str(at)] = {"by": one.by, "names": names, "meant": list(MEANT), **members}
    return out


def _members(one: Slicing, documents: int, docs: Ints, rows: Mapping[str, Ints]) -> JsonObject:
    if one.members is not None:
        gold, pred = one.members
        return {"doc": None, "gold": gold[rows["gold"]], "pred": pred[rows["pred"]]}
    of = np.full(documents, -1, dtype=np.int64)  # a document without spans has no row
    of[one.counts.doc] = one.counts.label
    return {"doc": of[docs], "gold": None, "pred": None}
