"""Files of systems that were scored alike: what was measured, and what is said of all of them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from spanscope.counts import Counts
from spanscope.jsonable import JsonObject
from spanscope.measures.registry import Measure
from spanscope.results.rendering import Rendered
from spanscope.results.resampled import resampled
from spanscope.results.result import Result
from spanscope.settings.headline import Headline
from spanscope.settings.run_settings import Settings
from spanscope.stats.counted import Counted

if TYPE_CHECKING:
    from spanscope.stats.slicings import Sliced


class Run(NamedTuple):
    """One file of a system: its documents, what was measured, and the counts."""

    path: str | None
    documents: Sequence[str]  # numbers where only totals are kept
    settings: Settings
    tables: tuple[Counts, ...]
    counted: Counted
    gold: str | None  # SHA-256 of the gold file, where it was one
    content: str | None  # what gold is, whatever its file; older results do not say
    result: Result | None  # where the run itself was read
    plain: JsonObject  # the settings as in JSON
    problems: dict[str, int]  # data problems by kind
    signature: str
    meta: Mapping[str, str]  # what the run itself was given for the head of its report
    slicings: Sequence[Sliced] = ()  # what slices count, where they were asked for


Runs = Mapping[str, Sequence[Run]]  # the files of every system, by its name


def first_run(runs: Runs) -> Run:
    """Return the first file of the first system, whose settings and gold are those of all."""
    return next(iter(runs.values()))[0]


class ResultOfRuns(Rendered):
    """A result of any kind about several runs that were scored alike, and so settings and measures of all."""

    runs: Mapping[str, Sequence[Run]]
    left_out: int | None  # documents that some run lacks, where those that all have were asked for
    meta: Mapping[str, str]

    @property
    def first(self) -> Run:
        """Return the first file of the first system as it was given."""
        return first_run(self.runs)

    @property
    def settings(self) -> JsonObject:
        """Return the settings of all runs as they go into JSON."""
        own = self.first.settings.plain()
        return own if self.left_out is None else {**own, "missing": "common"}

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Return what was measured, headline first."""
        return self.first.settings.measures

    @property
    def headline(self) -> Headline:
        """Return the figure that leads."""
        return self.first.settings.headline

    @property
    def problems(self) -> dict[str, dict[str, int]]:
        """Return the data problems of every run that has some, by kind."""
        out: dict[str, dict[str, int]] = {}
        for name, own in self.runs.items():
            for run in own:
                for kind, number in run.problems.items():
                    out.setdefault(name, {})[kind] = out.get(name, {}).get(kind, 0) + number
        return out

    def _head_of_json(self) -> JsonObject:
        """Return what the JSON begins with."""
        from spanscope import __version__

        return {
            "form": 1,
            "spanscope": __version__,
            "settings": self.settings,
            "headline": self.headline.plain(),
            "meta": self.meta,
            "resampled": resampled(self.first.settings.group, self.first.counted.units),
        }


def named_measures(settings: Settings, measure: str | Measure | None) -> tuple[str, list[Measure], Headline]:
    """Return a measure by name as it was asked for, those that it may be, and the figure of the first that leads.

    Without a name it is the first measure, and so is the figure where no measure goes by the name.
    """
    form = str(settings.measures[0] if measure is None else measure)
    named = [one for one in settings.measures if form in (str(one), one.short, one.name)]
    return form, named, settings.lead((named or settings.measures)[0])
