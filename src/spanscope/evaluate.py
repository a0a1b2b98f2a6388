"""The flow, from top to bottom: read, join, count, merge, rate."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from spanscope import taxonomy
from spanscope.aggregate import Ladder, Score, merge_ladders, scores
from spanscope.counts import Counts, merge
from spanscope.data import Corpus, Problem
from spanscope.engines import local
from spanscope.errors import InputError, MeasureError, did_you_mean, plural, shown
from spanscope.io import Offsets
from spanscope.io.tokens import TagRules
from spanscope.join import Comparison, Extra, Missing, Repeated, join
from spanscope.load import Progress, load_both, recognised
from spanscope.measure import Measure
from spanscope.protocols import Protocol
from spanscope.rates import COUNTED
from spanscope.resample import Interval, intervals
from spanscope.result import Findings, Result
from spanscope.settings import Ci, Input, Measures, Settings, Text, Undefined, data_problems, settle
from spanscope.verdicts import Confusion, Verdicts

T = TypeVar("T")
BATCH = 100_000
SMALL = 2_000  # documents of a batch where every measure goes over them many times: they stay in the cache
ASKED = (
    "missing document",
    "extra document",
    "other label",
    "unseen label",
)  # left out because the caller said so


def evaluate(
    gold: Any,
    pred: Any = None,
    measures: Measures | None = None,
    *,
    protocol: str | Protocol | None = None,
    labels: Sequence[str] | None = None,
    beta: float | None = None,
    undefined: Undefined = None,
    missing: Missing | None = None,
    extra: Extra | None = None,
    repeated: Repeated | None = None,
    offsets: Offsets = "codepoints",
    field: Mapping[str, str] | None = None,
    thresholds: Sequence[float] | Literal["exact"] | None = None,
    normalise: bool = False,
    scheme: str | None = None,
    repair: str = "conlleval",
    columns: Mapping[str, int | str] | None = None,
    tag_names: Sequence[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    text: Text = "full",
    k: int | Sequence[int] | None = None,
    corpus: str | Path | None = None,
    ci: bool | Ci = True,
    strict: bool = False,
    errors: bool = True,
    meta: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Score predictions against gold.

    gold, pred   paths (JSON, JSON Lines, gzip of either, `-` for standard input), lists of documents as plain
                 dicts, lists of lists of spans paired by position, or columns (a mapping of arrays or a data
                 frame with doc, start, end, label and perhaps text). Segmentations: documents with segments,
                 boundaries, masses or 0/1 strings. Tagged tokens: CoNLL files, documents with tokens and tags,
                 lists of tags, a data frame with a row a token; without pred, gold holds both. Queries with
                 gold answers and with retrieved passages, TREC qrels and runs, SQuAD.
    measures     one text form such as "spans.relaxed(threshold=0.8)" or several; the first is the headline.
    protocol     a named bundle of measures and settings; unless measures are given, "reqflow" for spans,
                 "segments" for segmentations, "tokens" for tagged tokens, "passages" for retrieval.
    labels       score these labels only, and average macro over all of them; else the labels seen.
    beta         adds F-beta to precision, recall and F1; 1 unless the protocol says otherwise.
    undefined    what 0/0 is: None (left out of means and counted), 0 or 1.
    missing      documents of gold that pred lacks: "error", "empty" (nothing found) or "skip".
    extra        documents of pred that gold lacks: "error" or "skip".
    repeated     ids that occur several times: "error", or "number" to pair them in order.
    offsets      the unit of start and end: "codepoints", "utf16" or "utf8".
    field        names of fields that differ from the usual ones, e.g. {"label": "category"}.
    thresholds   steps of the curve in reports: a list, or "exact" for every score at which it changes; else 21.
    normalise    repair segmentations that do not partition the text (sort, close gaps, extend to the end) and
                 report every repair; else they are refused.
    scheme       of tags: IO, IOB1, IOB2, IOE1, IOE2, IOBES, BILOU or BMES; else found out from them.
    repair       what becomes of ill-formed tags: "conlleval" (an I that continues nothing starts a span),
                 "discard" or "strict"; every one is reported.
    columns      of CoNLL files, from 0 or from the end: {"token": 0, "gold": -2, "pred": -1} or {"tag": 3}.
    tag_names    the names of tags that are numbers.
    k            cutoff of passages measures, or several.
    corpus       the folder of the files that passages are from: places are checked against their texts.
    text         of spans in reports: "full", "context" (pages hold only the text around errors), "masked" (letters
                 and digits hidden) or "none".
    mapping      other names for labels, on both sides: {"PER": "PERSON"}; "" leaves a label out.
    ci           intervals for every figure by a bootstrap over documents: 1,000 resamples, 95 %, or as a Ci says.
    strict       refuse data problems (span text that is not the document's, differing texts) instead of
                 reporting them.
    errors       name the kind of every error and count label confusions, for the headline measure.
    meta         key-value pairs for the head of the report.
    progress     called with (stage, done, total) while working.

    >>> gold = [{"id": 1, "spans": [{"start": 0, "end": 4, "label": "Action"}]}]
    >>> evaluate(gold, gold, "spans.exact").value("f1")
    1.0
    """
    clock = Clock()
    told = progress or _silent
    settings = settle(
        measures,
        recognised(gold, measures, field) if protocol is None else protocol,
        labels=labels,
        beta=beta,
        undefined=undefined,
        missing=missing,
        extra=extra,
        repeated=repeated,
        offsets=offsets,
        field=field,
        thresholds=thresholds,
        normalise=normalise,
        text=text,
        k=k,
        corpus=corpus,
        ci=ci,
        tags=TagRules(scheme, repair, columns, tag_names, dict(mapping or {})),
    )
    ours, theirs, settings = load_both(gold, pred, settings, told)
    clock.lap("read")
    inputs = (Input.of(gold, ours), Input.of(gold if pred is None else pred, theirs))
    named = {str(key): str(value) for key, value in (meta or {}).items()}
    return score(ours, theirs, settings, inputs, strict, errors, named, told, clock)


def score(
    gold: Corpus,
    pred: Corpus,
    settings: Settings,
    inputs: tuple[Input, Input],
    strict: bool = False,
    errors: bool = True,
    meta: Mapping[str, str] | None = None,
    told: Progress | None = None,
    clock: Clock | None = None,
) -> Result:
    """Join, count and rate two sides that have been read."""
    clock, told = clock or Clock(), told or _silent
    comparison, problems = _beside(gold, pred, settings, strict=strict)
    settings = replace(settings, measures=tuple(one.settled(comparison) for one in settings.measures))
    clock.lap("join")
    parts = list(_count_all(comparison, settings, errors, told))
    clock.lap("count")
    found = _together(parts)
    return Result(
        settings=settings,
        rows=clock.lap("rate", _rate(settings, found.counts, comparison, told)),
        found=found,
        inputs=inputs,
        comparison=comparison,
        problems=data_problems(problems, comparison, told=settings.quotes),
        meta=dict(meta or {}),
        timings=clock.laps,
    )


def _beside(gold: Corpus, pred: Corpus, settings: Settings, *, strict: bool) -> tuple[Comparison, list[Problem]]:
    """Join the two sides, and refuse what cannot or shall not be scored."""
    comparison, noticed = join(
        gold,
        pred,
        labels=settings.policy.labels,
        missing=settings.missing,
        extra=settings.extra,
        repeated=settings.repeated,
    )
    if not comparison.documents:
        what = "no document is on both sides: every figure is 0 or undefined"
        noticed.append(Problem("nothing in common", pred.name, what))
    problems = [*gold.problems, *pred.problems, *noticed, *_unseen(settings, gold, pred)]
    if strict:
        refuse(problems, told=settings.quotes)
    check_needs(comparison, settings.measures)
    return comparison, problems


def _unseen(settings: Settings, gold: Corpus, pred: Corpus) -> list[Problem]:
    """Note labels that were asked for and that no span has: often a slip of the pen."""
    known = {*gold.labels, *pred.labels}
    asked = () if settings.protocol.labels is not None else settings.policy.labels or ()
    return [
        Problem("unseen label", gold.name, f"no span has the label {shown(name)}{did_you_mean(name, known)}")
        for name in asked
        if name not in known
    ]


def _rate(settings: Settings, counts: Sequence[Counts], c: Comparison, told: Progress) -> list[Score]:
    """Read the rates of every measure from its counts, and how sure they are from resamples of the documents."""
    out: list[Score] = []
    for done, (measure, table) in enumerate(zip(settings.measures, counts, strict=True), start=1):
        how = (settings.rates(measure), measure.definition.reading, settings.policy)
        rows = scores(str(measure), table, *how)
        if settings.ci is not None and table.documents > 1:
            found = intervals(table, *how, c.keys(), **asdict(settings.ci))
            rows = [_with(row, interval) for row, interval in zip(rows, found, strict=True)]
            told("resampling", done, len(counts))
        out += rows
    return out


def _with(row: Score, interval: Interval) -> Score:
    """Return a score with its interval, where it has one."""
    if math.isnan(interval.low):
        return row
    return replace(row, low=interval.low, high=interval.high)


def refuse(problems: Sequence[Problem], *, told: bool = True) -> None:
    """Refuse data with problems, naming the first; what the caller asked to leave out is none.

    `told` lets the message quote the text.
    """
    bad = [problem for problem in problems if problem.kind not in ASKED]
    if bad:
        first = bad[0]
        more = f" (and {len(bad) - 1:,} more problems)" if len(bad) > 1 else ""
        raise InputError(
            f"{first.what if told else first.kind}{more}",
            where=first.where,
            expected="no data problems, as --strict asks",
            hint="spanscope check   to list them all",
        )


def check_needs(c: Comparison, measures: Sequence[Measure]) -> None:
    """Refuse measures that need offsets where spans came without."""
    for side, spans in c.sides.items():
        nowhere = int((~spans.located).sum())
        for measure in measures:
            if nowhere and "offsets" in measure.definition.needs:
                raise MeasureError(
                    f"{plural(nowhere, f'{side} span')} without offsets, and {measure.name} needs them",
                    expected="start and end in every span",
                    hint="-m spans.text   which compares label and text only",
                )


def _count_all(c: Comparison, settings: Settings, errors: bool, told: Progress) -> Any:
    done, size = 0, SMALL if settings.family == "segments" else BATCH

    def tick() -> None:
        nonlocal done
        done = min(done + size, c.documents)
        told("scoring", done, c.documents)

    return local.run(partial(count, settings, errors), c.batches(size), tick)


def count(settings: Settings, errors: bool, c: Comparison) -> Findings:
    """Count one batch of documents: every measure, and the errors of the headline measure."""
    views = [settings.protocol.view(measure, c) for measure in settings.measures]
    outcomes = [measure(view) for measure, view in zip(settings.measures, views, strict=True)]
    counts = tuple(outcome.counts for outcome in outcomes)
    head = settings.headline
    view, outcome = views[head], outcomes[head]
    ladder = None
    if outcome.ladder is not None:
        ladder = Ladder(view.gold.label[outcome.ladder.gold], outcome.ladder.score)
    own = outcome.verdicts
    matched = outcome.match is not None and explains(settings.measures[head], view)
    if not errors or (own is None and not matched):
        return Findings(counts, ladder, None, outcome.confused if errors else None, None)
    verdicts = taxonomy.classify(view, outcome) if own is None else own
    confused = outcome.confused if outcome.confused is not None else taxonomy.confusion(view, verdicts)
    return Findings(counts, ladder, taxonomy.count_kinds(view, verdicts), confused, _in_whole(verdicts, view, c))


def explains(measure: Measure, c: Comparison) -> bool:
    """Tell whether errors can be named: the measure matches spans, and all of them have offsets."""
    matches = measure.definition.reading is COUNTED and measure.definition.matches
    return matches and all(bool(side.located.all()) for side in c.sides.values())


def _in_whole(verdicts: Verdicts, view: Comparison, c: Comparison) -> Verdicts:
    """Number the rows of a batch as in the whole comparison."""
    out = {}
    for side, rows in (("gold", verdicts.gold), ("pred", verdicts.pred)):
        known = rows.copy()
        here = rows >= 0
        known[here] = view.origin[side][rows[here]] if side in view.origin else rows[here]
        known[here] += c.rows.get(side, 0)
        out[side] = known
    return replace(verdicts, gold=out["gold"], pred=out["pred"])


def _concat(parts: Sequence[Verdicts]) -> Verdicts:
    return Verdicts(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("kind", "gold", "pred", "score"))
    )


def _silent(_stage: str, _done: int, _total: int) -> None:
    """Say nothing."""


def _together(parts: Sequence[Findings]) -> Findings:
    """Merge what the batches gave."""
    return Findings(
        tuple(merge(tables) for tables in zip(*(part.counts for part in parts), strict=True)),
        _merged([part.ladder for part in parts], merge_ladders),
        _merged([part.kinds for part in parts], merge),
        _merged([part.confused for part in parts], _stacked),
        _merged([part.verdicts for part in parts], _concat),
    )


def _stacked(parts: Sequence[Confusion]) -> Confusion:
    gold, pred, number = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return gold, pred, number


def _merged(parts: Sequence[Any], how: Callable[[Sequence[Any]], Any]) -> Any:
    present = [part for part in parts if part is not None]
    return how(present) if present else None


class Clock:
    """Seconds since the last lap, by name."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self.last = time.perf_counter()

    def lap(self, name: str, value: T = None) -> T:  # type: ignore[assignment]
        """Write down the time since the last lap, and pass a value on."""
        now = time.perf_counter()
        self.laps[name] = now - self.last
        self.last = now
        return value
