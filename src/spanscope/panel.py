"""Several segmentations of the same texts: each against gold, each against each, and all together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

import numpy as np

from spanscope.aggregate import Score, scores
from spanscope.arithmetic import ratio
from spanscope.data import Corpus, Spans
from spanscope.errors import InputError, did_you_mean, plural, shown
from spanscope.evaluate import Progress, score, segmentations
from spanscope.join import Comparison, Extra, Missing, Repeated, join
from spanscope.measure import Measure, parse
from spanscope.protocols import Protocol
from spanscope.result import Result
from spanscope.settings import Input, Measures, Settings, Undefined, settle

GOLD = ("gold", "reference", "ground_truth", "gold_standard")  # names of a gold segmentation, whatever their case
PAIRWISE = ("segments.b_score(tolerance=3)", "segments.density_jsd", "segments.edit_distance(n_t=2)")
AGREEMENT = ("segments.agreement(of=b)", "segments.agreement(of=s)")


@dataclass(frozen=True)
class Runtime:
    """How long a method took for a document: mean, median and 95th percentile, in seconds."""

    documents: int
    mean: float
    p50: float
    p95: float


@dataclass
class Panel:
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

    def by_document(self, rate: str, measure: str | Measure | None = None) -> Iterator[dict[str, Any]]:
        """Return a record a document: the figure of every pair of segmentations, and their mean."""
        found: dict[str, dict[str, float]] = {}
        for a, b in combinations(self.names, 2):
            for record in self.pairs[a, b].by_document(measure):
                value = record[rate]
                found.setdefault(record["document"], {})[f"{a} vs {b}"] = math.nan if value is None else value
        for document, values in found.items():
            yield {"document": document, "pairs": values, "consensus": _mean(list(values.values()))}

    @property
    def rows(self) -> list[dict[str, Any]]:
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
        """Return how many data problems of each kind there are, each corpus counted once."""
        out: dict[str, int] = {}
        for one in self._each():
            for kind, number in one.problems.number.items():
                out[kind] = max(out.get(kind, 0), number)
        return out

    def _each(self) -> Iterator[Result]:
        yield from self.results.values()
        yield from self.pairs.values()

    def signature(self, measure: str | Measure | None = None, average: str = "document") -> str:
        """Return the line that reproduces a figure."""
        first = next(self._each())
        return f"{first.signature(measure, average)}|gold:{self.gold or 'none'}"

    def to_dict(self) -> dict[str, Any]:
        """Return the panel as plain data, non-finite numbers as None."""
        from spanscope import __version__

        return {
            "form": 1,
            "spanscope": __version__,
            "settings": self.settings.plain(),
            "meta": self.meta,
            "input": asdict(self.source),
            "segmentations": list(self.names),
            "gold": self.gold,
            "methods": {name: _summary(result) for name, result in self.results.items()},
            "pairs": {f"{a} vs {b}": _summary(result) for (a, b), result in self.pairs.items()},
            "agreement": [_clean(asdict(row)) for row in self.agreement],
            "runtime": {name: asdict(one) for name, one in self.runtimes.items()},
            "problems": self.problems,
        }

    def to_json(self) -> str:
        """Return the JSON form."""
        import msgspec

        return msgspec.json.format(msgspec.json.encode(self.to_dict()), indent=2).decode()

    def table(self, format: str = "table", **options: Any) -> str:
        """Return the report as text: table, markdown, latex, csv or json."""
        from spanscope.report.panel import render

        return render(self, format, **options)

    def __str__(self) -> str:
        return self.table()


def panel(
    source: Any,
    gold: str | None = None,
    measures: Measures | None = None,
    *,
    only: Sequence[str] | None = None,
    protocol: str | Protocol | None = None,
    pairwise: Measures | None = None,
    beta: float = 1.0,
    undefined: Undefined = None,
    missing: Missing | None = None,
    extra: Extra | None = None,
    repeated: Repeated = "error",
    offsets: Any = "codepoints",
    field: Mapping[str, str] | None = None,
    normalise: bool = False,
    meta: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Panel:
    """Score several segmentations of the same texts.

    source     a path or documents with `segmentations` by name, or a Label Studio export (a segmentation an
               annotator).
    gold       the name of the gold segmentation; without it, one called Gold or Reference, else none.
    only       the names of the segmentations to score; else all there are.
    measures   for each method against gold; the protocol "segments" unless given.
    pairwise   for each pair of segmentations, gold or not; the measures given, else B-score, density and B.
    missing    documents that a method lacks: "error", "empty" (one segment) or "skip".
    The other settings are those of evaluate.

    >>> text = {"id": 1, "length": 9, "segmentations": {"Gold": {"masses": [3, 6]}, "A": {"masses": [4, 5]}}}
    >>> panel([text]).results["A"].value("f1", "segments.b_score", "document")
    1.0
    """
    rest: dict[str, Any] = {
        "beta": beta,
        "undefined": undefined,
        "missing": missing,
        "extra": extra,
        "repeated": repeated,
        "offsets": offsets,
        "field": field,
        "normalise": normalise,
    }
    settings = settle(measures, "segments" if protocol is None and measures is None else protocol, **rest)
    sides = segmentations(source, "documents", settings, only)
    chosen = _gold(sides, gold)
    between = _between(settings, pairwise, measures, protocol, rest)
    told = progress or (lambda _stage, _done, _total: None)
    work = ((len(sides) - 1) if chosen else 0) + len(sides) * (len(sides) - 1)
    done = _counter(told, work)
    inputs = {name: Input.of(source, corpus) for name, corpus in sides.items()}

    def run(a: str, b: str, how: Settings) -> Result:
        result = score(sides[a], sides[b], how, (inputs[a], inputs[b]), errors=False)
        done()
        return result

    return Panel(
        settings,
        tuple(sides),
        chosen,
        {name: run(chosen, name, settings) for name in sides if chosen is not None and name != chosen},
        {(a, b): run(a, b, between) for a, b in permutations(sides, 2)},
        _agreement(sides, settings),
        {name: _runtime(corpus) for name, corpus in sides.items() if corpus.seconds},
        _whole(source, sides),
        {str(key): str(value) for key, value in (meta or {}).items()},
    )


def _gold(sides: Mapping[str, Corpus], asked: str | None) -> str | None:
    names = ", ".join(sides)
    if len(sides) < 2:
        raise InputError(
            f"there is only {plural(len(sides), 'segmentation')}: {names or 'none'}",
            expected="several under segmentations, or gold and predictions in two files",
        )
    if asked is not None and asked not in sides:
        raise InputError(f"no segmentation is called {shown(asked)}{did_you_mean(asked, sides)}", expected=names)
    return asked if asked is not None else next((name for name in sides if name.lower() in GOLD), None)


def _between(
    settings: Settings, pairwise: Measures | None, measures: Any, protocol: Any, rest: dict[str, Any]
) -> Settings:
    """Return the settings for pairs: what was asked for, else the protocol's own or three that are symmetric."""
    if pairwise is not None:
        return settle(pairwise, settings.protocol if protocol else None, **rest)
    if measures is not None or settings.protocol.as_given:
        return settings
    return replace(settings, measures=tuple(parse(text) for text in PAIRWISE))


def _agreement(sides: Mapping[str, Corpus], settings: Settings) -> tuple[Score, ...]:
    """Return the agreement of all segmentations on the documents that all of them have."""
    if settings.protocol.as_given:
        return ()
    first, *others = sides
    whole: Comparison | None = None
    spans: dict[str, Spans] = {}
    keep = set.intersection(*(set(corpus.ids or []) for corpus in sides.values()))
    shared = {name: _only(corpus, keep) for name, corpus in sides.items()} if keep else dict(sides)
    for other in others:
        whole, _ = join(shared[first], shared[other], repeated=settings.repeated)
        spans |= {first: whole.gold, other: whole.pred}
    if whole is None:
        return ()
    labels = tuple(sorted({label for corpus in sides.values() for label in corpus.labels}))
    together = Comparison(whole.names, labels, spans, lengths=whole.lengths)
    return tuple(
        row
        for measure in _agreements(settings)
        for row in scores(
            str(measure),
            measure(together).counts,
            settings.rates(measure),
            measure.definition.reading,
            settings.policy,
        )
    )


def _agreements(settings: Settings) -> list[Measure]:
    """Return the agreement measures that were asked for, else B and S with their defaults."""
    asked = [measure for measure in settings.measures if measure.name == "segments.agreement"]
    return asked or [parse(form) for form in AGREEMENT]


def _only(corpus: Corpus, keep: set[str]) -> Corpus:
    """Return a corpus with some of its documents."""
    ids = corpus.ids or []
    rows = [row for row, name in enumerate(ids) if name in keep]
    if len(rows) == len(ids) or corpus.lengths is None:
        return corpus
    place = np.full(len(ids), -1)
    place[rows] = np.arange(len(rows))
    doc = place[corpus.spans.doc]
    spans = replace(corpus.spans, doc=doc).take(np.flatnonzero(doc >= 0))
    texts = None if corpus.texts is None else corpus.texts[rows]
    return replace(
        corpus,
        ids=[ids[row] for row in rows],
        spans=spans,
        texts=texts,
        n_documents=len(rows),
        lengths=corpus.lengths[rows],
        locate=lambda row: corpus.where(rows[row]),
    )


def _runtime(corpus: Corpus) -> Runtime:
    seconds = np.array(list(corpus.seconds.values()))
    p50, p95 = (float(value) for value in np.percentile(seconds, [50, 95]))
    return Runtime(len(seconds), float(seconds.mean()), p50, p95)


def _whole(source: Any, sides: Mapping[str, Corpus]) -> Input:
    """Describe the source: the largest number of documents a segmentation has, and all segments."""
    first = next(iter(sides.values()))
    one = Input.of(source, first)
    return replace(
        one,
        documents=max(corpus.n_documents for corpus in sides.values()),
        spans=sum(len(corpus.spans) for corpus in sides.values()),
    )


def _counter(told: Progress, work: int) -> Callable[[], None]:
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        told("scoring", done, work)

    return tick


def _summary(result: Result) -> dict[str, Any]:
    return {
        "documents": result.documents,
        "rows": [_clean(asdict(row)) for row in result.rows],
        "signatures": {str(measure): result.signature(measure, "document") for measure in result.measures},
    }


def _clean(row: dict[str, Any]) -> dict[str, Any]:
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in row.items()
    }


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return float(ratio(sum(known), len(known)))
