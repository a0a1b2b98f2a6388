"""Runs beside each other: differences, how sure they are, and what was fixed or broken."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from spanscope.arithmetic import Floats
from spanscope.errors import MeasureError, plural, shown
from spanscope.jsonable import JsonObject, finite, finite_values, json_text
from spanscope.measures.registry import Measure
from spanscope.rates import Rate
from spanscope.results.frames import Records
from spanscope.results.result import Result
from spanscope.results.runs import ResultOfRuns, Run, named_measures
from spanscope.settings.options import Ci
from spanscope.stats.averages import document_sums, document_values
from spanscope.stats.bootstrap import mean_of_arrays
from spanscope.stats.counted import Documents

if TYPE_CHECKING:
    from spanscope.results.slice_difference import SliceDifference

Verdict = Literal["better", "worse", "higher", "lower", "no clear difference", "undefined"]
ALPHA = 0.05  # an adjusted p below it is called a difference
Span = tuple[str, int, int, str]


@dataclass(frozen=True)
class Difference:
    """One figure of a run beside that of the first run."""

    measure: str
    rate: str
    average: str
    label: str | None
    run: str
    base: float
    value: float
    difference: float
    low: float | None
    high: float | None
    p: float | None
    adjusted: float | None  # p, for being one of several labels and runs
    reading: Verdict
    smallest: float | None  # the smallest true difference that so many documents would show, four times in five
    documents: tuple[int, int] = (0, 0)  # that the two figures are over: of means, those where they are defined
    documents_error: float | None = None  # standard error of the difference for the documents
    files_error: float | None = None  # for the files of systems that have several; None where none has
    degrees: float | None = None  # of freedom of both together, where some system has several files


@dataclass(frozen=True)
class Spread:
    """A figure of the several files of one system: the mean with its interval, and what it varies by."""

    measure: str
    rate: str
    average: str
    label: str | None
    run: str
    files: int
    mean: float
    lowest: float
    highest: float
    deviation: float | None = None  # standard deviation of the files' figures
    documents_error: float | None = None  # standard error of the mean for the documents
    files_error: float | None = None  # for the files, without what documents add to their differences
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, repr=False)
class Compared(ResultOfRuns):
    """Runs beside each other; the first is the baseline."""

    runs: dict[str, list[Run]]
    rows: list[Difference]
    spreads: list[Spread]
    ci: Ci
    trials: int  # of swaps of documents between two runs; 0 where no two systems have one file each
    exact: bool  # all patterns of swaps were tried
    meta: dict[str, str] = field(default_factory=dict)
    left_out: int | None = None  # documents that some run lacks, where those that all have were asked for
    margin: float | None = None  # by which a run may be worse, where somebody asked
    sliced: Sequence[SliceDifference] = ()  # where slices were asked for: the one that lost most first

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the runs, the baseline first."""
        return tuple(self.runs)

    def averages(self, measure: Measure) -> list[str]:
        """Return the averages of a measure that tables show: the JSON has weighted ones and sums of values too."""
        if self.first.settings.lead(measure).average == "document":
            return ["document"]
        own = {row.average for row in self.rows if row.measure == str(measure) and row.label is None}
        return [one for one in ("micro", "macro", "document") if one in own]

    def value(
        self,
        rate: str | None = None,
        measure: str | Measure | None = None,
        average: str | None = None,
        label: str | None = None,
        run: str | None = None,
    ) -> Difference:
        """Return one difference: of the second run unless another is named.

        What is not said is as in the headline: the first measure, the rate and the average that lead.
        """
        form, named, lead = named_measures(self.first.settings, measure)
        rate, average = rate or lead.rate.name, "label" if label is not None else average or lead.average
        wanted = (rate, average, label, run or self.names[1])
        for row in self.rows:
            if (row.rate, row.average, row.label, row.run) == wanted and row.measure in map(str, named):
                return row
        what = " ".join(str(part) for part in (form, *wanted) if part is not None)
        raise MeasureError(f"{shown(what)} was not compared", expected="measure, rate, average and run of `rows`")

    @cached_property
    def changes(self) -> dict[str, list[JsonObject]]:
        """Return what was fixed and what broke, for two runs that were read: gold spans and spurious ones."""
        both = [own[0].result for own in self.runs.values() if len(own) == 1]
        if (
            len(self.runs) != 2
            or len(both) != 2
            or any(one is None or not (one.drawable and one.comparison.located) for one in both)
        ):
            return {}
        scored = set(self.first.documents)
        (right, wrong), (right_now, wrong_now) = (_outcomes(one, scored) for one in both if one is not None)
        return {
            "fixed": _list_spans(right_now - right),
            "broken": _list_spans(right - right_now),
            "spurious gone": _list_spans(wrong - wrong_now),
            "spurious new": _list_spans(wrong_now - wrong),
        }

    @property
    def not_worse(self) -> dict[str, bool]:
        """Return for every run whether its headline is shown to be not worse than the first's by the margin.

        It is where the interval of the difference lies above minus the margin; of a rate that is best at 0, below
        the margin. There is no answer without a margin, an interval or a best value.
        """
        out: dict[str, bool] = {}
        for row in (self.value(run=name) for name in self.names[1:] if self.margin is not None):
            best = self.headline.rate.best
            if row.low is not None and row.high is not None and best in (0.0, 1.0) and self.margin is not None:
                out[row.run] = row.high < self.margin if best == 0.0 else row.low > -self.margin
        return out

    @cached_property
    def documents_won(self) -> dict[str, dict[str, int]]:
        """Return in how many documents the headline figure of a run is better than the first's, as good, or worse.

        A document where one of the two is undefined is in none of these; nothing is told where only totals of the
        documents were kept, and of a rate without a best value.
        """
        rate = self.headline.rate
        if not self.by_documents or math.isnan(rate.best):
            return {}
        base, *others = (np.abs(by_document(own, 0, rate) - rate.best) for own in self.runs.values())
        return {
            name: {
                "won": int((own < base).sum()),
                "tied": int((own == base).sum()),
                "lost": int((own > base).sum()),
            }
            for name, own in zip(self.names[1:], others, strict=True)
        }

    @property
    def by_documents(self) -> bool:
        """Tell whether every run kept the counts of its documents."""
        return all(isinstance(run.counted, Documents) for own in self.runs.values() for run in own)

    @cached_property
    def documents_changed(self) -> list[JsonObject]:
        """Return the documents whose headline figure differs between the first two runs, most changed first.

        None are told of where only totals of the documents were kept.
        """
        if not self.by_documents:
            return []
        rate = self.headline.rate
        before, after = (by_document(self.runs[name], 0, rate) for name in self.names[:2])
        out = [
            {
                "document": name,
                "rate": rate.name,
                "base": finite(a),
                "value": finite(b),
                "difference": finite(b - a),
                "reading": direction(a, b, rate.best),
            }
            for name, a, b in zip(self.first.documents, before.tolist(), after.tolist(), strict=True)
            if a != b and not (math.isnan(a) and math.isnan(b))
        ]
        return sorted(out, key=lambda row: -abs(row["difference"] or 0.0))

    def slices(self) -> Records:
        """Return one record per slice and run, largest loss first: the headline of both runs, and the test.

        None stands for what cannot be told.
        """
        return Records(one.record() for one in self.sliced)

    def to_dict(self) -> JsonObject:
        """Return the comparison as plain data, non-finite numbers as None."""
        return {
            **self._head_of_json(),
            "runs": {name: [one.path for one in own] for name, own in self.runs.items()},
            "signature": self.first.signature,
            "problems": self.problems,
            "documents": len(self.first.documents),
            **({} if self.left_out is None else {"left_out": self.left_out}),
            **({} if self.margin is None else {"margin": self.margin, "not_worse": self.not_worse}),
            "documents_won": self.documents_won,
            "trials": self.trials,
            "exact": self.exact,
            "rows": [finite_values(asdict(row)) for row in self.rows],
            **({"slices": self.slices()} if self.sliced else {}),
            "spreads": [finite_values(asdict(row)) for row in self.spreads],
            "changes": self.changes,
            "documents_changed": self.documents_changed if len(self.names) == 2 else [],
        }

    def to_json(self) -> str:
        """Return the JSON form."""
        return json_text(self.to_dict())

    def __repr__(self) -> str:  # one line, and nothing of the documents
        return f"<Compared: {plural(len(self.names), 'run')}, {plural(len(self.first.documents), 'document')}>"


def read_difference(base: float, value: float, p: float, best: float) -> Verdict:
    """Return what an adjusted p says of a difference: which way the figure went, or that it is not clear."""
    if math.isnan(p):
        return "undefined"
    return "no clear difference" if p >= ALPHA or base == value else direction(base, value, best)


def direction(base: float, value: float, best: float) -> Verdict:
    """Return which way a figure went: better is nearer to the best value; without one, higher or lower."""
    if math.isnan(base) or math.isnan(value):
        return "undefined"
    if math.isnan(best):
        return "higher" if value > base else "lower"
    return "better" if abs(value - best) < abs(base - best) else "worse"


def by_document(runs: Sequence[Run], at: int, rate: Rate) -> Floats:
    """Return a rate of every document: of several files the mean."""
    settings = runs[0].settings
    rate_set = settings.measures[at].definition.rate_set
    return mean_of_arrays(
        [document_values(document_sums(run.tables[at]), rate, rate_set, settings.policy) for run in runs]
    )


def _outcomes(result: Result, documents: Container[str]) -> tuple[Counter[Span], Counter[Span]]:
    """Return the gold spans that were found, and the predicted ones that are no gold span's."""
    right: Counter[Span] = Counter()
    wrong: Counter[Span] = Counter()
    for record in (one for one in result.matches() if one["document"] in documents):
        if record["kind"] == "correct":
            right[_place(record, "gold")] += 1
        elif record["gold"] is None:
            wrong[_place(record, "pred")] += 1
    return right, wrong


def _place(record: JsonObject, side: str) -> Span:
    span = record[side]
    return record["document"], span["start"], span["end"], span["label"]


def _list_spans(spans: Counter[Span]) -> list[JsonObject]:
    return [
        {"document": document, "start": start, "end": end, "label": label, "number": number}
        for (document, start, end, label), number in sorted(spans.items())
    ]
