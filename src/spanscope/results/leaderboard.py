"""A leaderboard: systems by the figure that leads, which are told apart, and between which ranks each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from spanscope.errors import MeasureError, plural, shown
from spanscope.jsonable import JsonObject, finite_values, json_text
from spanscope.measures.registry import Measure
from spanscope.results.compared import Spread
from spanscope.results.runs import ResultOfRuns, Run, named_measures
from spanscope.settings.options import Ci

Extra = float | str | None  # what a column from the meta of result files holds


class Figure(NamedTuple):
    """One figure of a system with its interval."""

    measure: str
    rate: str
    average: str
    value: float
    low: float | None
    high: float | None
    documents: int
    undefined: int


@dataclass(frozen=True)
class Standing:
    """One system: its rank, its ranks in the resamples, and its figures, the headline first."""

    name: str
    rank: int
    ranks: tuple[int, int] | None  # None where its headline is undefined
    letters: str  # it shares one with every system from which it is not told apart
    figures: tuple[Figure, ...]
    meta: dict[str, Extra]  # what was asked for of the meta of its result files
    files: tuple[str | None, ...]

    @property
    def headline(self) -> Figure:
        """Return the figure by which systems are ranked."""
        return self.figures[0]


class Pair(NamedTuple):
    """Two systems, the better one first: how much higher the headline of the first is, and the test of that."""

    first: str
    second: str
    difference: float
    p: float
    adjusted: float  # for being one of all pairs
    told_apart: bool


@dataclass(frozen=True, repr=False)
class Leaderboard(ResultOfRuns):
    """Systems in the order of their headline."""

    runs: dict[str, list[Run]]
    standings: list[Standing]
    pairs: list[Pair]
    alike: list[tuple[str, ...]]  # systems that are not significantly different, a set for each letter
    ci: Ci
    trials: int
    exact: bool  # all patterns of swaps were tried for every pair
    alpha: float
    meta: dict[str, str] = field(default_factory=dict)
    left_out: int | None = None  # documents that some run lacks, where those that all have were asked for
    spreads: list[Spread] = field(default_factory=list)  # of systems with several files

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the systems, the best first."""
        return tuple(one.name for one in self.standings)

    def standing(self, name: str) -> Standing:
        """Return one system."""
        for one in self.standings:
            if one.name == name:
                return one
        raise MeasureError(f"no system is called {shown(name)}", expected=", ".join(self.names))

    def figure(
        self, name: str, rate: str | None = None, measure: str | Measure | None = None, average: str | None = None
    ) -> Figure:
        """Return a figure of a system; what is not said is as in the headline."""
        form, named, lead = named_measures(self.first.settings, measure)
        wanted = (rate or lead.rate.name, average or lead.average)
        for own in self.standing(name).figures:
            if own.measure in map(str, named) and (own.rate, own.average) == wanted:
                return own
        what = " ".join((form, *wanted))
        raise MeasureError(f"{shown(what)} is not in the leaderboard", expected="a measure and rate that are")

    def told_apart(self, one: str, other: str) -> bool:
        """Tell whether two systems are told apart: the adjusted p of their difference is below alpha."""
        if self.standing(one).name == self.standing(other).name:
            return False
        return next((pair.told_apart for pair in self.pairs if {one, other} == {pair.first, pair.second}), False)

    def to_dict(self) -> JsonObject:
        """Return the leaderboard as plain data, non-finite numbers as None: the versioned JSON form."""
        from spanscope.report.tables.leaderboard import signature

        return {
            **self._head_of_json(),
            "signature": signature(self),
            "documents": len(self.first.documents),
            **({} if self.left_out is None else {"left_out": self.left_out}),
            "trials": self.trials,
            "exact": self.exact,
            "alpha": self.alpha,
            "ci": asdict(self.ci),
            "systems": [_system(one) for one in self.standings],
            "pairs": [finite_values(one._asdict()) for one in self.pairs],
            "alike": [list(own) for own in self.alike],
            "spreads": [finite_values(asdict(one)) for one in self.spreads],
            "problems": self.problems,
        }

    def to_json(self) -> str:
        """Return the JSON form."""
        return json_text(self.to_dict())

    def __repr__(self) -> str:  # one line, and nothing of the documents
        return (
            f"<Leaderboard: {plural(len(self.names), 'system')}, {plural(len(self.first.documents), 'document')}>"
        )


def _system(one: Standing) -> JsonObject:
    return {
        "name": one.name,
        "rank": one.rank,
        "ranks": None if one.ranks is None else list(one.ranks),
        "letters": one.letters,
        "figures": [finite_values(own._asdict()) for own in one.figures],
        "meta": one.meta,
        "files": list(one.files),
    }


def shown_figures(found: Leaderboard, standing: Standing) -> Sequence[Figure]:
    """Return the figures worth a column: of the first measure what its F sums up too, of others what leads."""
    lead = found.headline
    out = []
    for own in standing.figures:
        measure = next(one for one in found.measures if str(one) == own.measure)
        leads = own.rate == found.first.settings.lead(measure).rate.name
        if leads or (lead.sums_up and measure == lead.measure and own.rate in ("precision", "recall")):
            out.append(own)
    return out
