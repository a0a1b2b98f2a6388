"""A result: score rows, the settings in full, what was read, and the line that reproduces a figure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from spanscope import counts as tables
from spanscope.counts import Counts
from spanscope.errors import MeasureError, did_you_mean, plural, shown
from spanscope.findings import taxonomy
from spanscope.findings.findings import Findings
from spanscope.jsonable import JsonObject, json_text, plain
from spanscope.measures.registry import Measure, Outcome, parse
from spanscope.rates import COUNTED
from spanscope.results.curve import curve
from spanscope.results.problems import Problems
from spanscope.results.rendering import Rendered
from spanscope.results.value_of import Key, index_of, value_of, values_by_key
from spanscope.settings import signature
from spanscope.settings.run_settings import Input, Settings
from spanscope.sides.comparison import Comparison
from spanscope.stats.averages import Point, Score
from spanscope.stats.counted import Counted, Documents, Totals

if TYPE_CHECKING:
    from spanscope.results.confidence import Confidence
    from spanscope.results.frames import Records
    from spanscope.results.located import Located
    from spanscope.stats.slices import Slice
    from spanscope.stats.slicings import Sliced

NONE = "(none)"
Keeping = Literal["spans", "counts", "totals"]  # everything; counts of every document; only their sums
KEEPING: tuple[Keeping, ...] = ("spans", "counts", "totals")


@dataclass(repr=False, eq=False)
class Result(Rendered):
    """The figures of one run, and ways to look at them."""

    settings: Settings
    rows: list[Score]
    found: Findings
    inputs: tuple[Input, Input]
    comparison: Comparison
    problems: Problems
    meta: dict[str, str]
    timings: dict[str, float]
    kept: Keeping = "spans"  # what of the documents is still there
    gold: int | None = None  # the fingerprint of gold, where its spans are gone
    located: Located | None = None  # the predictions as quotes that were placed, where they came so
    left: Totals | None = None  # what is left of the counts of documents, where these are gone
    slicings: Sequence[Sliced] = ()  # what slices count, where they were asked for
    sliced: Sequence[Slice] = ()  # the figures of these slices
    as_given: float | None = None  # the headline with the offsets that all these quotes came with

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """Return the measures, headline first."""
        return self.settings.measures

    @property
    def tables(self) -> tuple[Counts, ...]:
        """Return the counts of every measure by document and label."""
        return self.found.counts

    @cached_property
    def counted(self) -> Counted:
        """Return what scores, intervals and tests are made from."""
        return Documents(self.tables, self.comparison.drawn_keys) if self.left is None else self.left

    @property
    def documents(self) -> int:
        """Return the number of documents scored."""
        return self.comparison.documents

    @cached_property
    def gold_content(self) -> str:
        """Return what gold is, as 16 hexadecimal digits: the same for the same gold spans, wherever they were."""
        from spanscope.sides.fingerprint import fingerprint

        return f"{fingerprint(self.comparison) if self.gold is None else self.gold:016x}"

    def needs(self, kept: Keeping, what: str) -> None:
        """Refuse what can no longer be told, because the spans or the counts of documents were not kept."""
        if KEEPING.index(self.kept) > KEEPING.index(kept):
            gone = "spans" if kept == "spans" else "counts of documents"
            raise MeasureError(f"{what} needs the {gone}, which were not kept", hint=f"[[memory={kept}]]")

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the documents as they may be shown: queries named by what they ask get numbers."""
        c = self.comparison
        if not c.named_by_text or self.settings.quotes:
            return c.names
        return [f"query {key:016x}" for key in c.keys().tolist()]

    def value(
        self,
        rate: str | None = None,
        measure: str | Measure | None = None,
        average: str | None = None,
        label: str | None = None,
    ) -> float:
        """Return one figure; NaN where it is undefined. A label asks for that label's own figure.

        What is not said is as in the headline: the first measure, the rate and the average that lead.
        """
        return value_of(self, rate, measure, average, label)

    @cached_property
    def figures(self) -> dict[Key, float]:
        """Return every figure by what it is."""
        return values_by_key(self.rows)

    def counts(self, measure: str | Measure | None = None) -> dict[str, dict[str, int | float]]:
        """Return the sums by label; `*` holds an overall row that is not the sum over the labels."""
        table = self.tables[self.index(measure)]
        codes, sums = table.label_sums
        rows = sums.tolist() if sums.dtype.kind == "i" else [[*map(plain, row)] for row in sums]
        seen = {tables.name_of(table, code): row for code, row in zip(codes.tolist(), rows, strict=True)}
        names = sorted(seen)
        if self.settings.policy.labels is not None and set(seen) != {tables.STAR_NAME}:
            names = [*self.settings.policy.labels, *([tables.STAR_NAME] if tables.STAR_NAME in seen else [])]
        zeros = [0] * len(table.columns)
        return {name: dict(zip(table.columns, seen.get(name, zeros), strict=True)) for name in names}

    def totals(self, measure: str | Measure | None = None) -> dict[str, int | float]:
        """Return the overall sums of a measure."""
        table = self.tables[self.index(measure)]
        return {name: plain(n) for name, n in zip(table.columns, tables.overall_sums(table), strict=True)}

    def curve(
        self, measure: str | Measure | None = None, grid: Sequence[float] | str | None = None
    ) -> list[Point]:
        """Return the figures at every threshold of a grid ("exact" for all breakpoints).

        Without a grid: the thresholds the evaluation was asked for, else 21 steps from 0 to 1. Greedy matching is
        done once; for optimal assignment, and for measures that count in their own way, every step is solved.
        Measures without a threshold have one point, at 1.
        """
        return curve(self, measure, grid)

    def confidence(self, measure: str | Measure | None = None, bins: int = 10) -> Confidence:
        """Return what the scores of predictions are worth: average precision, the curve over them, calibration.

        By the first measure that matches spans one by one, unless another is named. Every prediction must have a
        score, and the spans must have been kept.
        """
        from spanscope.results import confidence  # with its measures, which results without scores do not need

        key = None if measure is None else str(measure), bins
        if key not in self._confidence:
            self._confidence[key] = confidence.confidence(self, measure, bins)
        return self._confidence[key]

    @cached_property
    def _confidence(self) -> dict[tuple[str | None, int], Confidence]:
        return {}

    @property
    def has_scores(self) -> bool:
        """Tell whether every prediction has a score, and a measure was run by which they can be judged."""
        if self.kept != "spans" or "score" not in self.comparison.pred.extra:
            return False
        from spanscope.results import confidence

        return confidence.has_scores(self)

    @property
    def has_curve(self) -> bool:
        """Tell whether a measure has a curve, and enough was kept for it."""
        head = self.measures[self.settings.curved]
        solved = head.threshold is not None and self.found.ladder is None
        drawn = head.definition.rate_set is COUNTED or (head.definition.explains and head.threshold is not None)
        return drawn and (self.kept == "spans" or not solved)

    def confusion(self, measure: str | Measure | None = None) -> dict[str, dict[str, int]]:
        """Return how often each gold label met each predicted one, without the pairs that never met.

        `(none)` is nothing on that side (in more brackets where a label is called that). Without a measure it is
        the headline's; others that count label pairs, such as tokens.tags, can be asked for.
        """
        confused = self.found.confused
        if measure is not None and self.index(measure) != self.settings.explained:
            chosen = self.measures[self.index(measure)]
            self.needs("spans", f"the confusion of {chosen.short}")
            confused = self.outcome(chosen).confused
        if confused is None:
            return {}
        none = NONE
        while none in self.comparison.labels:
            none = f"({none})"
        names = [*self.comparison.labels, none]
        out: dict[str, dict[str, int]] = {name: {} for name in names}
        for gold, pred, n in zip(*(column.tolist() for column in confused), strict=True):
            out[names[gold]][names[pred]] = out[names[gold]].get(names[pred], 0) + n
        return out

    def errors(self) -> dict[str, dict[str, float]]:
        """Return for each kind of error how many there are and the micro F1 if only that kind were fixed."""
        if self.found.kinds is None:
            return {}
        head = self.settings.explained
        number = dict(zip(self.found.kinds.columns, tables.overall_sums(self.found.kinds).tolist(), strict=True))
        if self.measures[head].definition.rate_set is not COUNTED:  # counted on both sides: no F to put right
            nothing = {"f1_if_fixed": math.nan, "gain": math.nan}
            return {kind: {"count": int(n), **nothing} for kind, n in number.items() if kind != "correct"}
        whole = {name: int(n) for name, n in self.totals(self.measures[head]).items()}
        now = float(np.nan_to_num(self.value("f1", self.measures[head])))
        return {
            kind: {"count": int(number[kind]), "f1_if_fixed": value, "gain": value - now}
            for kind, value in taxonomy.if_fixed(number, **whole, undefined=self.settings.policy.undefined).items()
        }

    def matches(self, kinds: Sequence[str] | str | None = None) -> Iterator[JsonObject]:
        """Return what the first measure that matches has matched, a record each: document, kind, gold, pred.

        Spans have a score; boundaries a place and a distance (exact, near, extra, missed); passages a rank, and
        gold answers a number (found, again, nothing, missed). Kinds that are named leave out the others.
        """
        from spanscope.findings import matches as match_records

        self.needs("spans", "the list of matches")
        if self.found.verdicts is not None:
            yield from match_records.spans(self.found.verdicts, self.comparison, self.settings.text, kinds)
        elif kinds is None or kinds:
            yield from self._matches_of_measure(kinds)

    def _matches_of_measure(self, kinds: Sequence[str] | str | None) -> Iterator[JsonObject]:
        from spanscope.findings import matches as match_records

        if self.settings.family.labelled:
            return
        for measure in (one for one in self.measures if one.definition.matches):
            outcome = self.outcome(measure)
            if outcome.boundaries is not None:
                labels = self.comparison.labels if dict(measure.params).get("labelled") else None
                yield from match_records.boundaries(outcome.boundaries, self.names, labels, kinds)
                return
            if outcome.passages is not None:
                shown, level = (self.names, self.settings.text), int(dict(measure.params).get("level", 1))
                yield from match_records.passages(outcome.passages, self.comparison, shown, level, kinds)
                return

    def outcome(self, measure: Measure) -> Outcome:
        """Return what a measure finds in all documents: the counts, and what was matched to make them."""
        self.needs("spans", f"what {measure.short} matched")
        return measure(self.settings.protocol.view(measure, self.comparison))

    @property
    def drawable(self) -> bool:
        """Tell whether every span has a verdict, and a place or the word that it has none: a page can show it."""
        return self.found.verdicts is not None and self.comparison.placed

    def leaks(self) -> list[JsonObject]:
        """Return every gold span that stays readable, all or in part: what tokens.leaks counts.

        A record each: document, kind (uncovered, partly covered), the span, the pieces exposed, their characters.
        """
        return self._redaction_records("leaks")

    def over_wide(self) -> list[JsonObject]:
        """Return every prediction that covers PII and more than that, with the pieces that are beyond it."""
        return self._redaction_records("over_wide")

    def _redaction_records(self, what: Literal["leaks", "over_wide"]) -> list[JsonObject]:
        self.needs("spans", "the list of what stays readable")
        placed = all(bool(side.located.all()) for side in self.comparison.sides.values())
        if not (placed and self.settings.family.labelled):
            return []
        from spanscope.findings import leaked  # with the measure, which most runs do not need

        return list(getattr(leaked, what)(self.comparison, self.settings.text))

    def by_document(self, measure: str | Measure | None = None, *, worst: bool | str = False) -> list[JsonObject]:
        """Return one record per document: its name, the counts and the rates.

        `worst` puts the worst first: by the rate that leads, or by a rate that is named.
        """
        from spanscope.findings import records

        self.needs("counts", "the list of documents")
        at = self.index(measure)
        chosen, rates = self.measures[at], self.settings.rates(self.measures[at])
        found = records.documents(
            self.names, self.tables[at], rates, chosen.definition.rate_set, self.settings.policy
        )
        if worst is False:
            return found
        by_name = {rate.name: rate for rate in rates}
        wanted = worst if isinstance(worst, str) else self.settings.lead(chosen).rate.name
        if wanted not in by_name:
            near = did_you_mean(wanted, by_name)
            raise MeasureError(f"{chosen.short} has no rate {shown(wanted)}{near}", expected=" or ".join(by_name))
        return records.worst_first(found, [by_name[wanted], *(rate for rate in rates if rate.name != wanted)])

    def slices(self) -> Records:
        """Return one record per slice that was asked for, the worst first: its figure, and how it differs.

        `rest` is the figure of all other documents or spans, `p` that of the difference, `adjusted` the same for
        being one of several; `value` and these are of the rate that leads. None stands for what cannot be told.
        """
        from spanscope.results.frames import Records
        from spanscope.results.score_rows import slice_record

        return Records(slice_record(one) for one in self.sliced)

    def cutoffs(self) -> list[tuple[str, list[tuple[int, Measure]]]]:
        """Return the measures that were run at several cutoffs, by name, each with its cutoffs in order."""
        return cutoffs_of(self.measures)

    def signature(self, measure: str | Measure | None = None, average: str | None = None) -> str:
        """Return the line that reproduces a figure: everything that can move it."""
        from spanscope import __version__

        chosen = self.measures[self.index(measure)]
        own = [str(chosen), f"avg:{self.settings.lead(chosen).average if average is None else average}"]
        packages = [f"plugin:{one}" for one in self.settings.origins(chosen)]
        return "|".join([*own, *self._signed, *packages, f"spanscope:{__version__}"])

    @cached_property
    def _signed(self) -> list[str]:
        """Return the parts of a signature that all figures share."""
        seen = len({row.label for row in self.rows if row.label is not None})
        return signature.parts(self.settings, self.documents, seen, tagged=bool(self.comparison.tokens))

    def to_dict(
        self, *, matches: bool = False, documents: bool = False, worst: int = 0, kept: bool = False
    ) -> JsonObject:
        """Return the result as plain data, non-finite numbers as None: the versioned JSON form.

        `matches` adds every verdict, `documents` the figures of every document, `worst` those of so many, worst
        first, `kept` the counts of every document, from which `spanscope compare` can work.
        """
        from spanscope.results import json_form

        return json_form.as_dict(self, matches=matches, documents=documents, worst=worst, kept=kept)

    def to_json(self, **options: Any) -> str:
        """Return the JSON form, with what `to_dict` is asked for."""
        return json_text(self.to_dict(**options))

    def records(self) -> list[JsonObject]:
        """Return the score rows as plain records."""
        return [asdict(row) for row in self.rows]

    def __repr__(self) -> str:  # one line, and nothing of the documents
        lead = self.settings.headline
        said = f"{lead.rate.name} {self.value()} ({lead.average})"
        return f"<Result of {lead.measure.short}: {said}, {plural(self.documents, 'document')}>"

    def index(self, measure: str | Measure | None) -> int:
        """Return which of the measures is meant; the first where none is named."""
        return index_of(self.measures, measure, self._as_run)

    def _as_run(self, measure: str | Measure) -> Measure:
        """Return a measure as this run settled it."""
        wanted = parse(measure, self.settings.protocol.defaults)
        if self.kept == "spans" and self.settings.join is None:
            return wanted.settle(self.comparison)
        # what was decided from the data cannot be decided again: the measure that was run is meant
        return next((one for one in self.measures if one.fits(wanted)), wanted)


def cutoffs_of(measures: Sequence[Measure]) -> list[tuple[str, list[tuple[int, Measure]]]]:
    """Return the measures that were run at several cutoffs, by name, each with its cutoffs in order."""
    groups: dict[str, list[tuple[int, Measure]]] = {}
    for measure in measures:
        if "k" in (own := dict(measure.params)):
            groups.setdefault(measure.without("k"), []).append((int(own["k"]), measure))
    return [(name, sorted(own, key=lambda pair: pair[0])) for name, own in groups.items() if len(own) > 1]
