"""Runs cut down to the documents that all of them have, and how many were left out for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from spanscope.arithmetic import Ints, Keys
from spanscope.counts import of_documents
from spanscope.errors import InputError, MeasureError, plural
from spanscope.results.runs import Run
from spanscope.sides.lacking import MISSING
from spanscope.sides.pairing import Missing
from spanscope.stats.counted import Counted, Documents, Totals
from spanscope.stats.slicings import Slicing
from spanscope.stats.slicings import of_documents as of_slices

Common = Literal["common"]
MissingOfRuns = Missing | Common
NOT_IN_EVERY_RUN = "not in every run"


class CommonRuns(NamedTuple):
    """The runs of every system, and how many documents of gold some run lacks: those are left out of all."""

    systems: dict[str, list[Run]]
    left_out: int


def keep_common(systems: Mapping[str, Sequence[Run]]) -> CommonRuns:
    """Return the runs with the documents that all have, in the order of the first run."""
    runs = [run for own in systems.values() for run in own]
    for run in runs:
        _refuse_unknown(run)
    known = [set(run.documents) for run in runs]
    shared, seen = set.intersection(*known), set.union(*known)
    if not shared:
        raise InputError("no document is in all of the runs", expected="documents that all of them have")
    gold = max(len(seen), *(len(run.documents) + run.problems.get(MISSING, 0) for run in runs))
    names = [name for name in runs[0].documents if name in shared]
    out = {name: [_cut_down(run, names) for run in own] for name, own in systems.items()}
    return CommonRuns(out, gold - len(names))


def _refuse_unknown(run: Run) -> None:
    """Refuse a run that does not say which documents it had."""
    if isinstance(run.counted, Totals):
        raise MeasureError(
            f"which documents {run.path or 'a run'} has is not known: only their totals were kept",
            hint="[[memory=counts]]   to keep the counts of documents",
        )
    if run.plain.get("missing") == "empty" and (number := run.problems.get(MISSING)):
        raise InputError(
            f"{plural(number, 'missing document')} counted as nothing found, and which they are is not known",
            where=run.path or "a run",
            expected="a run scored without [[missing=empty]]",
        )


def _cut_down(run: Run, names: Sequence[str]) -> Run:
    """Return a run with the documents named; what it had beyond them is a data problem of its own."""
    plain = {**run.plain, "missing": "common"}
    signature = _sign(run.signature, len(names))
    if list(run.documents) == list(names):
        return run._replace(plain=plain, signature=signature)
    place = {name: row for row, name in enumerate(run.documents)}
    rows = np.array([place[name] for name in names], dtype=np.int64)
    beyond = len(run.documents) - len(names)
    tables = tuple(of_documents(table, rows) for table in run.tables)
    return run._replace(
        documents=tuple(names),
        tables=tables,
        counted=Documents(tables, _keys_at(run.counted, rows)),
        content=None,  # what gold is among these documents shows in the counts
        plain=plain,
        problems={**run.problems, **({NOT_IN_EVERY_RUN: beyond} if beyond else {})},
        signature=signature,
        slicings=[of_slices(one, rows) for one in run.slicings if isinstance(one, Slicing)],
    )


def _keys_at(counted: Counted, rows: Ints) -> Callable[[], Keys]:
    """Return what draws the keys of some documents."""
    if isinstance(counted, Totals):  # which were refused
        raise MeasureError("totals have no documents", hint="[[memory=counts]]")
    return lambda: counted.keys()[rows]


def _sign(signature: str, documents: int) -> str:
    """Return a signature with the number of documents that are left, and the reason."""
    parts = [part for part in signature.split("|") if not part.startswith("missing:")]
    parts = [f"docs:{documents}" if part.startswith("docs:") else part for part in parts]
    return "|".join([*parts[:-1], "missing:common", parts[-1]])
