"""The flow, from top to bottom: read, join, count, merge, rate."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from spanscope.arguments import flag, heading, listener
from spanscope.data.corpus import Corpus
from spanscope.engines.choice import Spark, asked
from spanscope.engines.load import Progress, load_both, recognised
from spanscope.engines.pipeline import beside, count_all, rated, refuse_unclear, settled, together, unsure
from spanscope.engines.sizes import in_blocks
from spanscope.errors import quoting
from spanscope.io.fields import fields
from spanscope.io.pipes import held
from spanscope.io.reading import Offsets
from spanscope.io.tokens.tag_rules import TagRules, checked_rules
from spanscope.results.problems import data_problems
from spanscope.results.result import Kept, Result
from spanscope.settings.protocols import Protocol
from spanscope.settings.settle import Ci, Input, Measures, Settings, Text, Undefined, may_quote, settle
from spanscope.sides.join import Extra, Missing, Repeated
from spanscope.system.gc_pause import uncollected

T = TypeVar("T")


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
    input: str | None = None,
    columns: Mapping[str, int | str] | None = None,
    tag_names: Sequence[str] | None = None,
    mapping: Mapping[str, str] | None = None,
    text: Text = "full",
    k: int | Sequence[int] | None = None,
    corpus: str | Path | None = None,
    join: str | None = None,
    scores: str | None = None,
    ci: bool | Ci = True,
    strict: bool = False,
    errors: bool = True,
    jobs: int = 1,
    memory: Kept | None = None,
    engine: str | Spark | None = None,
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
    input        the format of files, whatever they look like: "spans", "segments", "label-studio", "tokens",
                 "tags", "conll" (needed where tags have no prefix, or for a header row), "passages", "judgements"
                 or "trec".
    columns      of CoNLL files, from 0 or from the end: {"token": 0, "gold": -2, "pred": -1} or {"tag": 3}.
    tag_names    the names of tags that are numbers.
    k            cutoff of passages measures, or several.
    corpus       the folder of the files that passages are from: places are checked against their texts.
    join         what passages and gold answers are joined by: "ids", "texts" or "places"; else by what all have.
    scores       of passages: "similarities" (the highest first) or "distances" (the lowest first).
    text         of spans in reports: "full", "context" (pages hold only the text around errors), "masked" (letters
                 and digits hidden) or "none".
    mapping      other names for labels, on both sides: {"PER": "PERSON"}; "" leaves a label out.
    ci           intervals for every figure by a bootstrap over documents: 1,000 resamples, 95 %, or as a Ci says.
    strict       refuse data problems (span text that is not the document's, differing texts) instead of
                 reporting them.
    errors       name the kind of every error and count label confusions, for the headline measure.
    jobs         processes that read and count files of JSON Lines; the figures are the same for any number.
    memory       what stays in memory: "spans" (everything), "counts" (of every document: files are read in blocks,
                 and there is no list of errors) or "totals" (their sums); else spans, but counts for files of more
                 than 1.5 GB or several processes, and from 2 million of their documents on totals.
    engine       "local", or "spark" for data frames of Spark and for paths that Spark reads (Parquet, JSON Lines).
    meta         key-value pairs for the head of the report.
    progress     called with (stage, done, total) while working.

    >>> gold = [{"id": 1, "spans": [{"start": 0, "end": 4, "label": "Action"}]}]
    >>> evaluate(gold, gold, "spans.exact").value("f1")
    1.0
    """
    clock = Clock()
    gold, pred = held(gold), held(pred)
    told, named = listener(progress), heading(meta)
    strict, errors = flag("strict", strict), flag("errors", errors)
    on_spark, both, sample = asked(engine, gold, pred), [], gold
    if on_spark:
        from spanscope.engines import (
            spark,
            spark_frames,  # as below: modules that small runs need not wait for
        )

        both = spark_frames.sides(gold, pred, on_spark, fields(field, segments=True))
        sample = spark_frames.head(both[0]) if protocol is None and measures is None else gold
    tags = checked_rules(
        TagRules(scheme, repair, columns, tag_names, {} if mapping is None else mapping, input=input)
    )
    if protocol is None:
        with quoting(may_quote(text)):
            protocol = recognised(sample, measures, field, tags)
    settings = settle(
        measures,
        protocol,
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
        join=join,
        scores=scores,
        ci=ci,
        tags=tags,
    )
    with quoting(settings.quotes):
        if on_spark:
            from spanscope.engines.dispatch import dispatched
            from spanscope.engines.streaming import Task

            there = partial(spark.run, both=both, how=on_spark)
            found = dispatched((gold, pred), Task(settings, strict, errors), there, jobs, memory, named, told)
            clock.lap("count")
            return replace(found, timings=clock.laps)
        if in_blocks(gold, pred, jobs, memory):
            from spanscope.engines.streaming import Task, streamed

            found = streamed(gold, pred, Task(settings, strict, errors), jobs, memory, named, told)
            clock.lap("count")
            return replace(found, timings=clock.laps)
        with uncollected():
            ours, theirs, settings = load_both(gold, pred, settings, told)
        clock.lap("read")
        inputs = (Input.of(gold, ours), Input.of(gold if pred is None else pred, theirs))
        return score(ours, theirs, settings, inputs, strict, errors, named, told, clock)


@uncollected()
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
    clock, told = clock or Clock(), listener(told)
    comparison, problems = beside(gold, pred, settings, strict=strict)
    settings, shown = settled(comparison, settings)
    refuse_unclear(shown, settings, pred.name)
    clock.lap("join")
    parts = list(count_all(comparison, settings, errors, told))
    clock.lap("count")
    found = together(parts)
    return Result(
        settings=settings,
        rows=clock.lap("rate", rated(settings, found.counts, comparison.keys, told)),
        found=found,
        inputs=inputs,
        comparison=comparison,
        problems=data_problems([*problems, *unsure(settings, found.counts)], comparison, told=settings.quotes),
        meta=dict(meta or {}),
        timings=clock.laps,
    )


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
