"""A result as its JSON has it: enough for figures and tables of figures, nothing of documents and spans."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any

import msgspec

from spanscope.errors import InputError, MeasureError, plural
from spanscope.jsonable import JsonObject, json_text
from spanscope.measures.registry import Measure, parse
from spanscope.results.confidence import Confidence, restore
from spanscope.results.frames import Records
from spanscope.results.problems import Problems
from spanscope.results.rendering import Rendered
from spanscope.results.result import cutoffs_of
from spanscope.results.score_rows import slice_record
from spanscope.results.value_of import Key, index_of, value_of, values_by_key
from spanscope.settings.options import Ci, grouped
from spanscope.settings.run_settings import Settings
from spanscope.settings.settle import settle
from spanscope.stats.averages import Point, Score
from spanscope.stats.slices import Slice

SETTLED = (
    "labels",
    "beta",
    "undefined",
    "missing",
    "extra",
    "repeated",
    "group",
)  # what rates need of a result file
OTHERS = {  # what only the files of other kinds of results have
    "methods": "several segmentations",
    "systems": "a leaderboard",
    "annotators": "the agreement of annotators",
    "spreads": "a comparison of runs",
}
UNSOUND = (AttributeError, LookupError, TypeError, ValueError, msgspec.ValidationError)
NUMBERS = dict[str, dict[str, int | float | None]]


@dataclass(frozen=True, repr=False)
class WrittenResult(Rendered):
    """What figures need of a result, under the names that a result has for it."""

    settings: Settings
    documents: int
    rows: list[Score]
    problems: Problems
    sums: Mapping[str, NUMBERS]  # by measure and label
    signatures: Mapping[str, str]
    points: Sequence[Point]  # of the curve
    pairs: dict[str, dict[str, int]]  # of labels
    sure: Confidence | None = None  # what the scores of predictions are worth, where all had one
    sliced: Sequence[Slice] = ()  # the figures of slices, where they were asked for
    data: JsonObject = field(default_factory=dict)  # all that the file holds

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Return the measures, headline first."""
        return self.settings.measures

    @property
    def meta(self) -> dict[str, str]:
        """Return what the run was given for the head of its report."""
        return {str(key): str(own) for key, own in self.data.get("meta", {}).items()}

    @cached_property
    def figures(self) -> dict[Key, float]:
        """Return every figure by what it is."""
        return values_by_key(self.rows)

    def value(
        self,
        rate: str | None = None,
        measure: str | Measure | None = None,
        average: str | None = None,
        label: str | None = None,
    ) -> float:
        """Return one figure, as a result does; NaN where it is undefined."""
        return value_of(self, rate, measure, average, label)

    def slices(self) -> Records:
        """Return one record per slice that was asked for, the worst first."""
        return Records(slice_record(one) for one in self.sliced)

    def errors(self) -> dict[str, dict[str, float]]:
        """Return for each kind of error how many there are and the micro F1 if only that kind were fixed."""
        own = self.data.get("errors", {})
        return {kind: {name: _number(n) for name, n in row.items()} for kind, row in own.items()}

    def records(self) -> list[JsonObject]:
        """Return the score rows as plain records."""
        return [asdict(row) for row in self.rows]

    def to_dict(self) -> JsonObject:
        """Return all that the file holds."""
        return self.data

    def to_json(self) -> str:
        """Return the JSON form."""
        return json_text(self.data)

    def __repr__(self) -> str:  # one line, and nothing of the documents
        lead = self.settings.headline
        said = f"{lead.rate.name} {self.value()} ({lead.average})"
        return f"<WrittenResult of {lead.measure.short}: {said}, {plural(self.documents, 'document')}>"

    def index(self, measure: str | Measure | None) -> int:
        """Return which of the measures is meant; the first where none is named."""
        return index_of(self.measures, measure, parse)

    def counts(self, measure: str | Measure | None = None) -> dict[str, dict[str, int | float]]:
        """Return the sums by label."""
        own = self.sums[str(self.measures[self.index(measure)])]
        return {label: {name: _number(n) for name, n in row.items()} for label, row in own.items()}

    def signature(self, measure: str | Measure | None = None) -> str:
        """Return the line that reproduces a figure."""
        return self.signatures[str(self.measures[self.index(measure)])]

    def curve(
        self, measure: str | Measure | None = None, grid: Sequence[float] | str | None = None
    ) -> list[Point]:
        """Return the points of the curve that was written, or the one at the threshold that was asked for."""
        at = self.settings.curved if measure is None else self.index(measure)
        chosen = self.measures[at]
        if not self.points or at != self.settings.curved:
            raise MeasureError(
                f"the result holds no curve of {chosen.short}", hint="spanscope plot curve GOLD PRED"
            )
        return list(self.points) if grid is None else [self._point_asked_for(chosen)]

    def _point_asked_for(self, measure: Measure) -> Point:
        """Return the point at a measure's own threshold, which its score rows have."""
        known = {
            (row.rate, row.average): row.value
            for row in self.rows
            if row.measure == str(measure) and row.label is None
        }
        names = ("precision", "recall", "f1", self.settings.lead(measure).rate.name)
        precision, recall, f1, value = (known.get((name, "micro"), math.nan) for name in names)
        macro_f1, macro = (known.get((name, "macro"), math.nan) for name in names[2:])
        at = measure.threshold if measure.threshold is not None else 1.0
        return Point(at, 0, 0, 0, precision, recall, f1, macro_f1, value, macro)

    def confusion(self, measure: str | Measure | None = None) -> dict[str, dict[str, int]]:
        """Return how often each gold label met each predicted one, of the measure that explains errors."""
        if measure is not None and self.index(measure) != self.settings.explained:
            raise MeasureError("the result holds the confusion of one measure", expected="no other with it")
        return self.pairs

    def confidence(self, measure: str | Measure | None = None) -> Confidence:
        """Return what the scores of predictions are worth, as it was written."""
        if self.sure is None or (measure is not None and self.sure.measure != str(parse(measure))):
            raise MeasureError(
                "the result holds nothing about the scores of predictions",
                expected="the result of predictions that all have one",
                hint="spanscope plot confidence GOLD PRED",
            )
        return self.sure

    def cutoffs(self) -> list[tuple[str, list[tuple[int, Measure]]]]:
        """Return the measures that were run at several cutoffs, by name, each with its cutoffs in order."""
        return cutoffs_of(self.measures)


def restore_result(value: Any, name: str) -> WrittenResult:
    """Return what the data of a result file holds for figures."""
    other = next((what for key, what in OTHERS.items() if isinstance(value, Mapping) and key in value), None)
    if other is not None:
        whole = "the result of one run, as spanscope eval writes it"
        raise InputError(f"holds {other}", where=name, expected=whole, hint="spanscope.load   reads its figures")
    try:
        settings = settle_again(value["settings"], [parse(text) for text in value["settings"]["measures"]])
        return WrittenResult(
            settings,
            msgspec.convert(value["documents"], int),
            [msgspec.convert(_undefined_values(row), Score) for row in value["rows"]],
            msgspec.convert(value["problems"], Problems),
            msgspec.convert(value["counts"], dict[str, NUMBERS]),
            msgspec.convert(value["signatures"], dict[str, str]),
            [msgspec.convert(_undefined_values(point), Point) for point in value["curve"]],
            msgspec.convert(value["confusion"], dict[str, dict[str, int]]),
            restore(value["confidence"]) if "confidence" in value else None,
            [_slice(one) for one in value.get("slices", ())],
            value,
        )
    except UNSOUND:
        raise InputError("the result cannot be read", where=name, expected="a file as it was written") from None


def _slice(record: JsonObject) -> Slice:
    """Return a slice as it was: what is None was undefined."""
    names = [one.name for one in fields(Slice)]
    plain = {name: math.nan if record[name] is None else record[name] for name in names}
    rates = {name: _number(own) for name, own in record["rates"].items()}
    return msgspec.convert({**plain, "rates": rates}, Slice)


def settle_again(written: Mapping[str, Any], measures: Sequence[Measure]) -> Settings:
    """Return the settings of a result file, as far as figures need them."""
    own = grouped({key: written.get(key) for key in SETTLED})
    ci = written.get("ci")
    return settle(list(measures), written.get("protocol"), ci=Ci(**ci) if ci else False, **own)


def _undefined_values(row: JsonObject) -> JsonObject:
    """Return a row whose figures that were not finite are numbers again; bounds and deviations may be missing."""
    absent = ("low", "high", "label", "std", "infinite")
    return {key: math.nan if own is None and key not in absent else own for key, own in row.items()}


def _number(value: float | None) -> int | float:
    return math.nan if value is None else value
