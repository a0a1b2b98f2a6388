"""The flow, from top to bottom: read, join, count, merge, rate."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from spanscope.arguments import flag, heading, listener
from spanscope.data.corpus import Corpus
from spanscope.engines.choice import Spark, choose_spark
from spanscope.engines.load import Progress, load_both, recognised
from spanscope.engines.pipeline import count_all, join_sides, merge_findings, refuse_unclear, settle_on_data
from spanscope.engines.rating import Documents, note_missing_intervals, rate
from spanscope.engines.sizes import uses_blocks
from spanscope.errors import quoting
from spanscope.io.fields import fields
from spanscope.io.pipes import held
from spanscope.io.reading import Offsets
from spanscope.io.tokens.tag_rules import TagRules, checked_rules
from spanscope.results.problems import duplicates, show_tally, tally
from spanscope.results.result import Kept, Result
from spanscope.settings.protocols import Protocol
from spanscope.settings.settle import Ci, Input, Measures, Settings, Text, Undefined, settle
from spanscope.sides.join import Extra, Missing, Repeated
from spanscope.system.gc_pause import uncollected

if TYPE_CHECKING:
    from spanscope.engines.spark_frames import Side  # loaded where Spark is asked for


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
    input        what files are, whatever they look like: "conll", for CoNLL files with tags that have no prefix
                 (PERSON and O) or with a header row.
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
    listen, head = listener(progress), heading(meta)
    strict, errors = flag("strict", strict), flag("errors", errors)
    spark = choose_spark(engine, gold, pred)
    frames = None if spark is None else _frames(gold, pred, spark, field)
    tags = checked_rules(
        TagRules(scheme, repair, columns, tag_names, {} if mapping is None else mapping, input=input)
    )
    if protocol is None:
        sample = gold if frames is None or measures is not None else _first_rows(frames[0])
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
        if spark is None and not uses_blocks(gold, pred, jobs, memory):
            with uncollected():
                ours, theirs, settings = load_both(gold, pred, settings, listen)
            clock.lap("read")
            inputs = (Input.of(gold, ours), Input.of(gold if pred is None else pred, theirs))
            return score(ours, theirs, settings, inputs, strict, errors, head, listen, clock)
        from spanscope.engines.streaming import Task, evaluate_blocks  # what small runs need not wait for

        task = Task(settings, strict, errors)
        if spark is None or frames is None:
            found = evaluate_blocks(gold, pred, task, jobs, memory, head, listen)
        else:
            from spanscope.engines.dispatch import evaluate_on_spark

            found = evaluate_on_spark((gold, pred), frames, spark, task, jobs, memory, head, listen)
        clock.lap("count")
        return replace(found, timings=clock.laps)


def _frames(gold: Any, pred: Any, spark: Spark, field: Mapping[str, str] | None) -> Sequence[Side]:
    from spanscope.engines.spark_frames import sides

    return sides(gold, pred, spark, fields(field, segments=True))


def _first_rows(side: Side) -> Any:
    from spanscope.engines.spark_frames import head

    return head(side)


@uncollected()
def score(
    gold: Corpus,
    pred: Corpus,
    settings: Settings,
    inputs: tuple[Input, Input],
    strict: bool = False,
    errors: bool = True,
    meta: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> Result:
    """Join, count and rate two sides that have been read."""
    clock, listen = clock or Clock(), listener(progress)
    comparison, problems = join_sides(gold, pred, settings, strict=strict)
    settings, shown = settle_on_data(comparison, settings)
    refuse_unclear(shown, settings, pred.name)
    clock.lap("join")
    parts = list(count_all(comparison, settings, errors, listen))
    clock.lap("count")
    found = merge_findings(parts)
    rows = rate(settings, Documents(found.counts, comparison.keys), listen)
    clock.lap("rate")
    problems += [*note_missing_intervals(settings, found.counts), *duplicates(comparison)]
    return Result(
        settings=settings,
        rows=rows,
        found=found,
        inputs=inputs,
        comparison=comparison,
        problems=show_tally(tally(problems), quotes=settings.quotes),
        meta=dict(meta or {}),
        timings=clock.laps,
    )


class Clock:
    """Seconds since the last lap, by name."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self.last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Write down the time since the last lap."""
        now = time.perf_counter()
        self.laps[name] = now - self.last
        self.last = now
