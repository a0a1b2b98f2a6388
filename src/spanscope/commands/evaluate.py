"""The flow, from top to bottom: read, join, count, merge, rate."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from spanscope.arguments import flag, heading, listener, of_type
from spanscope.commands.tuned import best_score, check_tuning, sides_to_tune_on, with_tuning_noted
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.engines.choice import Spark, choose_spark
from spanscope.engines.load import Progress, load_both, usual_protocol
from spanscope.engines.pipeline import (
    count_all,
    join_sides,
    look_for_signs,
    merge_findings,
    note_odd_inputs,
    note_sentences,
    refuse_unclear,
    refuse_wrong_texts,
    settle_on_data,
)
from spanscope.engines.rating import note_missing_intervals, rate
from spanscope.engines.sizes import uses_blocks
from spanscope.errors import MeasureError, quoting
from spanscope.io.fields import Fields, fields
from spanscope.io.pipes import hold_all
from spanscope.results.problems import duplicates, show_tally, tally
from spanscope.results.result import Result
from spanscope.settings.by_side import reading_of, split_source, with_sides
from spanscope.settings.options import Ci, Running, Scoring, Text
from spanscope.settings.protocols import Protocol
from spanscope.settings.reading import Reading
from spanscope.settings.run_settings import Input, Settings, may_quote
from spanscope.settings.settle import Measures, settle, tag_rules
from spanscope.settings.tuning import Tuned
from spanscope.sides.lacking import shared_documents
from spanscope.sides.pairing import Extra, Missing
from spanscope.sides.scored import note_unscored
from spanscope.stats.counted import Documents
from spanscope.system.gc_pause import uncollected

if TYPE_CHECKING:
    from spanscope.commands.located_side import Placed
    from spanscope.engines.spark_frames import Side  # loaded where Spark is asked for
    from spanscope.findings.findings import Findings
    from spanscope.findings.slices import Forms
    from spanscope.sides.comparison import Comparison


def evaluate(
    gold: Any,
    pred: Any = None,
    measures: Measures | None = None,
    *,
    protocol: str | Protocol | None = None,
    labels: Sequence[str] | None = None,
    missing: Missing | None = None,
    extra: Extra | None = None,
    group: str | None = None,
    by: Sequence[str] | None = None,
    train: Any = None,
    ci: bool | Ci = True,
    text: Text = "full",
    score: Scoring | None = None,
    read: Reading | None = None,
    run: Running | None = None,
    meta: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Score predictions against gold.

    gold, pred   paths (JSON, JSON Lines, gzip of either, `-` for standard input), lists of documents as plain
                 dicts, lists of lists of spans paired by position, or columns (a mapping of arrays or a data
                 frame with doc, start, end, label and perhaps text). Segmentations: documents with segments,
                 boundaries, masses or 0/1 strings. Tagged tokens: CoNLL files, documents with tokens and tags,
                 lists of tags, a data frame with one row per token; without pred, gold holds both. Queries with
                 gold answers and with retrieved passages, TREC qrels and runs, SQuAD.
    measures     one text form such as "spans.relaxed(threshold=0.8)" or several; the first is the headline.
    protocol     a named bundle of measures and settings; unless measures are given, "spans" for labelled spans and
                 tagged tokens (exact micro F1 leads), "segments" for segmentations, "passages" for retrieval,
                 "squad" or "squad2" for SQuAD's own files, by their version, "trec" for judgements and runs.
    labels       score these labels only, and average macro over all of them; else the labels seen.
    missing      documents of gold that pred lacks: "error", "empty" (nothing found) or "skip".
    extra        documents of pred that gold lacks: "error" or "skip".
    group        a field of gold's documents, such as "author": those that have it in common are drawn together.
    by           fields of gold's documents, such as ["source"], and slices that are built in, such as "@length":
                 figures of each slice, `Result.slices()`, the worst first (docs/slices.md).
    train        what the system was trained on, for "@seen": a path or documents, read as gold is.
    ci           intervals for every figure by a bootstrap over documents: 1,000 resamples, 95 %, or as a Ci says.
    text         of spans in reports: "full", "context" (pages hold only the text around errors), "masked" (letters
                 and digits hidden) or "none".
    score        finer points of scoring: Scoring(beta=2, undefined=0, repeated="number", k=[5, 10], ...).
    read         how files are read: Reading(offsets="utf16", fields={"label": "category"}, scheme="IOB2", ...).
    run          how it is run: Running(jobs=2, memory="totals", engine="spark").
    meta         key-value pairs for the head of the report.
    progress     called with (stage, done, total) while working.

    Every option of the groups is described in docs/options.md.

    >>> gold = [{"id": 1, "spans": [{"start": 0, "end": 4, "label": "Action"}]}]
    >>> evaluate(gold, gold, "spans.exact").value("f1")
    1.0
    """
    clock = Clock()
    (gold, of_gold), (pred, of_pred) = split_source(gold), split_source(pred)
    gold, pred = hold_all(gold, pred)
    listen, head = listener(progress), heading(meta)
    how = of_type("score", score, Scoring, "a Scoring") or Scoring()
    reading = of_type("read", read, Reading, "a Reading") or Reading()
    running = of_type("run", run, Running, "a Running") or Running()
    strict, errors = flag("strict", how.strict), flag("errors", how.errors)
    placed = _place_quotes(gold, pred, reading, running, of_pred, text)
    sides = _Sides(gold, pred if placed is None else placed.corpus, of_gold, of_pred, pred, placed)
    spark, frames, names = _on_spark(sides, reading, running)
    if protocol is None:
        protocol = _usual_protocol(sides, measures, reading, frames, text)
    alike = {"labels": labels, "missing": missing, "extra": extra, "text": text}
    how, dev, tuned = _tune(gold, measures, how, of_gold, of_pred, {**alike, "protocol": protocol, "read": read})
    asked = {**alike, "group": group, "by": by, "train": train, "ci": ci, "score": how, "read": reading}
    settings = replace(settle(measures, protocol, **asked), tune=tuned)
    settings = with_sides(settings, reading, gold=of_gold, pred=of_pred)
    with quoting(settings.quotes):
        forms = _forms(train, settings)
        if spark is None and not uses_blocks(sides.gold, sides.pred, running.jobs, running.memory):
            found = _evaluate_whole(sides, settings, strict, errors, head, listen, clock, forms)
            return found if dev is None else with_tuning_noted(found, dev)
        from spanscope.engines.streaming import Task, evaluate_blocks  # what small runs need not wait for

        task = Task(settings, strict, errors, forms=forms)
        if spark is None or frames is None:
            found = evaluate_blocks(sides.gold, sides.pred, task, running, head, listen)
        else:
            from spanscope.engines.dispatch import evaluate_on_spark

            both = (sides.gold, sides.pred)
            found = evaluate_on_spark(both, frames, names, spark, task, running, head, listen)
        clock.lap("count")
        found = replace(found, timings=clock.laps)
        return found if dev is None else with_tuning_noted(found, dev)


class _Sides(NamedTuple):
    """Both sides: the sources that are read, and what was said of each alone."""

    gold: Any
    pred: Any  # where quotes were placed, the corpus of their places
    of_gold: Mapping[str, Any]
    of_pred: Mapping[str, Any]
    given: Any  # the predictions as they were given
    placed: Placed | None


def _on_spark(
    sides: _Sides, reading: Reading, running: Running
) -> tuple[Spark | None, Sequence[Side] | None, Fields]:
    """Return Spark, its data frames of both sides and the names of their fields, where it was asked for."""
    spark = choose_spark(running.engine, sides.gold, sides.pred)
    if spark is None:
        return None, None, {}
    if sides.of_gold or sides.of_pred:
        raise MeasureError("Spark reads both sides alike", expected="options for both sides")
    from spanscope.engines.spark_frames import open_sides

    names = fields(reading.fields, segments=True)
    return spark, open_sides(sides.gold, sides.pred, spark, names), names


def _usual_protocol(
    sides: _Sides, measures: Measures | None, reading: Reading, frames: Sequence[Side] | None, text: Text
) -> str | None:
    """Return the protocol that is usual for what gold holds, where no measures are asked for."""
    sample = sides.gold
    if frames is not None and measures is None:
        from spanscope.engines.spark_frames import first_rows

        sample = first_rows(frames[0])
    with quoting(may_quote(text)):
        own = reading_of(reading, sides.of_gold)
        return usual_protocol(sample, measures, own.fields, tag_rules(own))


def _evaluate_whole(
    sides: _Sides,
    settings: Settings,
    strict: bool,
    errors: bool,
    head: Mapping[str, str],
    listen: Progress,
    clock: Clock,
    forms: Forms | None,
) -> Result:
    """Read both sides into memory and score them."""
    with uncollected():
        ours, theirs, settings = load_both(sides.gold, sides.pred, settings, listen)
    clock.lap("read")
    one_file = sides.pred is None
    inputs = (Input.of(sides.gold, ours), Input.of(sides.gold if one_file else sides.given, theirs))
    asked = sides.of_gold.get("annotator"), sides.of_pred.get("annotator")  # two of one file are two sides
    odd = [] if one_file else note_odd_inputs(*((one.path, one.sha256) for one in inputs))
    odd = [one for one in odd if one.kind != "same file" or asked[0] == asked[1]]
    if sides.placed is None:
        return score_sides(ours, theirs, settings, inputs, strict, errors, head, listen, clock, odd, forms)
    odd = [*odd, *sides.placed.problems]
    found = score_sides(ours, theirs, settings, inputs, strict, errors, head, listen, clock, odd, forms)
    return _with_quotes(found, ours, sides.placed)


def _tune(
    gold: Any,
    measures: Measures | None,
    how: Scoring,
    of_gold: Mapping[str, Any],
    of_pred: Mapping[str, Any],
    asked: Mapping[str, Any],
) -> tuple[Scoring, Result | None, Tuned | None]:
    """Return how to score with the lowest score that is best on other documents, where that was asked for."""
    if not check_tuning(how):
        return how, None, None
    ours, theirs, own = sides_to_tune_on(gold, how, of_gold, of_pred)
    dev = evaluate(ours, theirs, measures, **{**asked, **own})
    least, tuned = best_score(dev)
    return replace(how, tune=None, tune_gold=None, min_score=least), dev, tuned


def _place_quotes(
    gold: Any, pred: Any, reading: Reading, running: Running, own: Mapping[str, Any], text: Text
) -> Placed | None:
    """Return predictions that are quotes placed in the texts of gold, where that was asked for."""
    if not (flag("locate", reading.locate) or flag("repair_json", reading.repair_json)):
        return None
    from spanscope.commands.located_side import check_asked, place_predictions  # what other runs need not wait for

    check_asked(reading, running, own)
    return place_predictions(gold, pred, reading, text)


def _with_quotes(result: Result, gold: Corpus, placed: Placed) -> Result:
    """Return the result with its quotes, and its headline with the offsets that all of them came with."""
    given = placed.as_given
    if given is None:
        return replace(result, located=placed.located)
    settings = replace(result.settings, ci=None)
    plain = score_sides(gold, given, settings, result.inputs, errors=False)
    return replace(result, located=placed.located, as_given=plain.value())


def _forms(train: Any, settings: Settings) -> Forms | None:
    if train is None:
        return None
    from spanscope.engines.slicing import forms_in  # what other runs need not wait for

    return forms_in(train, settings)


def _slices(c: Comparison, settings: Settings, found: Findings, forms: Forms | None, gold: str) -> dict[str, Any]:
    """Return what a result has of slices: the counts in them, and the figures that are read from these."""
    if not settings.by:
        return {}
    from spanscope.engines.slicing import settle_slices, slice_all, slice_counts

    slicings = settle_slices(slice_counts(c, settings, found, forms), gold)
    counted = Documents(found.counts, c.drawn_keys)
    return {"slicings": slicings, "sliced": slice_all(slicings, counted, settings)}


@uncollected()
def score_sides(
    gold: Corpus,
    pred: Corpus,
    settings: Settings,
    inputs: tuple[Input, Input],
    strict: bool = False,
    errors: bool = True,
    meta: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    clock: Clock | None = None,
    odd: Sequence[Problem] = (),
    forms: Forms | None = None,
) -> Result:
    """Join, count and rate two sides that have been read; `odd` is what was noticed about their files."""
    clock, listen = clock or Clock(), listener(progress)
    comparison, problems = join_sides(gold, pred, settings, strict=strict)
    settings, shown, left_out = settle_on_data(comparison, settings)
    refuse_unclear(shown, settings, pred.name)
    shared = shared_documents(gold.n_documents, problems)
    refuse_wrong_texts(tally(problems), settings, shared, gold.size + pred.size)
    clock.lap("join")
    parts = list(count_all(comparison, settings, errors, listen))
    clock.lap("count")
    found = merge_findings(parts)
    rows = rate(settings, Documents(found.counts, comparison.drawn_keys), listen)
    slices = _slices(comparison, settings, found, forms, gold.name)
    clock.lap("rate")
    problems += [*left_out, *note_sentences(settings)]
    problems += [*note_missing_intervals(settings, found.counts), *duplicates(comparison)]
    problems += [*note_unscored(comparison), *odd, *look_for_signs(comparison, settings, rows)]
    return Result(
        settings=settings,
        rows=rows,
        found=found,
        inputs=inputs,
        comparison=comparison,
        problems=show_tally(tally(problems), quotes=settings.quotes),
        meta=dict(meta or {}),
        timings=clock.laps,
        **slices,
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
