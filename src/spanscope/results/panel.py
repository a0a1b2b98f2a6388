"""Several segmentations of the same texts: their figures, and ways to look at them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from dataclasses import field as field_
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

from spanscope.arithmetic import ratio
from spanscope.data.problems import Problem
from spanscope.errors import plural
from spanscope.jsonable import JsonObject, json_text
from spanscope.measures.registry import Measure
from spanscope.results.rendering import Rendered
from spanscope.results.result import Result
from spanscope.results.runtimes import Runtime
from spanscope.results.score_rows import plain_rows
from spanscope.settings.headline import Headline
from spanscope.settings.run_settings import Input, Settings
from spanscope.stats.averages import Score


@dataclass(repr=False)
class Panel(Rendered):
    """The figures of several segmentations, and ways to look at them."""

    settings: Settings
    names: tuple[str, ...]
    gold: str | None
    results: Mapping[str, Result]  # each method against gold
    pairs: Mapping[tuple[str, str], Result]  # each ordered pair, the first as gold
    agreement: tuple[Score, ...]  # over all segmentations
    runtimes: Mapping[str, Runtime]
    source: Input
    meta: dict[str, str]
    noted: Mapping[str, Sequence[Problem]] = field_(default_factory=dict)  # while reading each segmentation

    def matrix(
        self, rate: str, measure: str | Measure | None = None, average: str = "document"
    ) -> dict[str, dict[str, float]]:
        """Return the figure of every pair: matrix[a][b] has a as gold."""
        out: dict[str, dict[str, float]] = {name: {} for name in self.names}
        for (a, b), result in self.pairs.items():
            out[a][b] = result.value(rate, measure, average)
        return out

    def consensus(
        self, rate: str, measure: str | Measure | None = None, average: str = "document"
    ) -> dict[str, float]:
        """Return for each segmentation the mean of its figures with all others, both ways round."""
        table = self.matrix(rate, measure, average)
        return {
            name: _mean([table[a][b] for a, b in permutations(self.names, 2) if name in (a, b)])
            for name in self.names
        }

    @property
    def headline(self) -> Headline:
        """Return the figure that leads."""
        result = next(self._each())
        return result.settings.lead(result.measures[0])

    def ranking(
        self, rate: str | None = None, measure: str | Measure | None = None, average: str | None = None
    ) -> list[str]:
        """Return the methods, the best against gold first; by the headline where nothing is said.

        Methods whose figure rests on fewer documents than that of others, because it is undefined on some, come
        after those; what is undefined altogether comes last.
        """
        found = []
        for at, (name, result) in enumerate(self.results.items()):
            chosen = result.measures[result.index(measure)]
            lead = result.settings.lead(chosen)
            key = (str(chosen), rate or lead.rate.name, average or lead.average)
            value = result.value(key[1], chosen, key[2])
            best = {one.name: one.best for one in result.settings.rates(chosen)}[key[1]]
            row = next(row for row in result.rows if (row.measure, row.rate, row.average) == key)
            undefined, away = math.isnan(value), -value if best == 1.0 else abs(value)
            found.append((undefined, row.undefined - row.documents, 0.0 if undefined else away, at, name))
        return [name for *_, name in sorted(found)]

    def by_document(self, rate: str, measure: str | Measure | None = None) -> Iterator[JsonObject]:
        """Return one record per document: the figure of every pair of segmentations, and their mean."""
        found: dict[str, dict[str, float]] = {}
        pairs = list(combinations(self.names, 2))
        self.pairs[pairs[0]].value(rate, measure, "document")  # refuses what there is not
        for (a, b), key in zip(pairs, _keys(pairs), strict=True):
            for record in self.pairs[a, b].by_document(measure):
                value = record[rate]
                found.setdefault(record["document"], {})[key] = math.nan if value is None else value
        for document, values in found.items():
            yield {"document": document, "pairs": values, "consensus": _mean(list(values.values()))}

    @property
    def rows(self) -> list[JsonObject]:
        """Return every score row with the names of the two segmentations it is about."""
        out = [
            {"gold": self.gold, "pred": name, **asdict(row)}
            for name, one in self.results.items()
            for row in one.rows
        ]
        out += [{"gold": a, "pred": b, **asdict(row)} for (a, b), one in self.pairs.items() for row in one.rows]
        return out

    @cached_property
    def problems(self) -> dict[str, int]:
        """Return how many data problems of each kind there are, every segmentation counted once."""
        out: Counter[str] = Counter()
        for problem in (problem for own in self.noted.values() for problem in own):
            out[problem.kind] += problem.number
        for name in self.names:
            lacking = [self.pairs[a, name].problems.number.get("missing document", 0) for a in self._others(name)]
            out["missing document"] += max(lacking, default=0)
        for pair in combinations(self.names, 2):
            out["nothing in common"] += self.pairs[pair].problems.number.get("nothing in common", 0)
        return {kind: number for kind, number in out.items() if number}

    def _others(self, name: str) -> list[str]:
        return [other for other in self.names if other != name]

    def _each(self) -> Iterator[Result]:
        yield from self.results.values()
        yield from self.pairs.values()

    def signature(self, measure: str | Measure | None = None, average: str | None = None) -> str:
        """Return the line that reproduces a figure."""
        first = next(self._each())
        return f"{first.signature(measure, average)}|gold:{self.gold or 'none'}"

    def to_dict(self, *, documents: bool = False, worst: int = 0, kept: bool = False) -> JsonObject:
        """Return the panel as plain data, non-finite numbers as None: every method as a result of its own.

        `documents` adds the figures of every document, `worst` those of so many, worst first, `kept` the counts of
        every document, from which `spanscope compare` can work.
        """
        from spanscope import __version__

        more: JsonObject = {"documents": documents, "worst": worst, "kept": kept}

        return {
            "form": 1,
            "spanscope": __version__,
            "settings": self.settings.plain(),
            "meta": self.meta,
            "input": asdict(self.source),
            "segmentations": list(self.names),
            "gold": self.gold,
            "ranking": self.ranking(),
            "methods": {name: result.to_dict(**more) for name, result in self.results.items()},
            "pairs": [{"gold": a, "pred": b, **_summary(result)} for (a, b), result in self.pairs.items()],
            "agreement": plain_rows(self.agreement),
            "runtime": {name: asdict(one) for name, one in self.runtimes.items()},
            "problems": self.problems,
        }

    def to_json(self, **options: Any) -> str:
        """Return the JSON form, with what `to_dict` is asked for."""
        return json_text(self.to_dict(**options))

    def __repr__(self) -> str:  # one line, and nothing of the documents
        return f"<Panel of {plural(len(self.names), 'segmentation')}, {plural(self.source.documents, 'document')}>"


def _keys(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return `a vs b` for every pair; in quotes where names with ` vs ` in them make two the same."""
    plain = [f"{a} vs {b}" for a, b in pairs]
    return plain if len(set(plain)) == len(plain) else [f"{a!r} vs {b!r}" for a, b in pairs]


def _summary(result: Result) -> JsonObject:
    return {
        "documents": result.documents,
        "rows": plain_rows(result.rows),
        "signatures": {str(measure): result.signature(measure) for measure in result.measures},
    }


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return float(ratio(sum(known), len(known)))
