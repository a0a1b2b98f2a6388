"""Several segmentations of the same texts: each against gold, each against each, and all together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from spanscope.arguments import heading, listener, of_type, one_of
from spanscope.commands.evaluate import score_sides
from spanscope.data.corpus import Corpus, Spans, with_documents
from spanscope.data.problems import Problem
from spanscope.engines.load import Progress, load_sides
from spanscope.errors import InputError, MeasureError, did_you_mean, quoting, shown
from spanscope.families import family_of
from spanscope.io.detect import recognise
from spanscope.io.pipes import hold
from spanscope.io.segments.reading import gold_by_name
from spanscope.match.overlaps import repeats_earlier
from spanscope.measures.registry import Measure, parse
from spanscope.results.panel import Panel
from spanscope.results.reduced import reduce_to
from spanscope.results.result import KEEPING, Keeping, Result
from spanscope.results.runtimes import runtime
from spanscope.settings.by_side import reading_of, split_source
from spanscope.settings.options import Ci, Running, Scoring, Text, refuse_unread
from spanscope.settings.parameters import change_parameters
from spanscope.settings.protocols import Protocol
from spanscope.settings.reading import Reading
from spanscope.settings.run_settings import Input, Settings
from spanscope.settings.settle import Measures, settle
from spanscope.sides.comparison import Comparison
from spanscope.sides.join import join
from spanscope.sides.pairing import Extra, Missing
from spanscope.stats.averages import Score, scores

PAIRWISE = ("segments.b_score(tolerance=3)", "segments.density_jsd", "segments.edit_distance(n_t=2)")
READ_BY_PANEL = (  # options that several segmentations of one file have a use for
    *("measures", "protocol", "missing", "extra", "group", "ci", "text", "meta"),
    *("beta", "undefined", "repeated", "parameters", "input", "offsets", "fields", "normalise", "memory"),
)
AGREEMENT = ("segments.agreement(of=b)", "segments.agreement(of=s)")


def panel(
    source: Any,
    gold: str | None = None,
    measures: Measures | None = None,
    *,
    only: Sequence[str] | None = None,
    protocol: str | Protocol | None = None,
    pairwise: Measures | None = None,
    missing: Missing | None = None,
    extra: Extra | None = None,
    group: str | None = None,
    ci: bool | Ci = True,
    text: Text = "full",
    score: Scoring | None = None,
    read: Reading | None = None,
    run: Running | None = None,
    meta: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Panel:
    """Score several segmentations of the same texts.

    source     a path or documents with `segmentations` by name, or a Label Studio export (a segmentation an
               annotator); or either as spanscope.source(path, ...).
    gold       the name of the gold segmentation; without it, the one called Gold, else one called gold, reference,
               ground_truth or gold_standard in whatever case (several are refused), else none.
    only       the names of the segmentations to score; else all there are.
    measures   for each method against gold; the protocol "segments" unless given.
    pairwise   for each pair of segmentations, gold or not; the measures given, else B-score, density and B.
    missing    documents that a method lacks: "error", "empty" (one segment) or "skip"; with the last two,
               documents that only the other one has are left out (extra="skip") unless extra is given.
    run        Running(memory="counts") keeps no segments, "totals" no counts of documents either.
    The other settings are those of evaluate.

    >>> text = {"id": 1, "length": 9, "segmentations": {"Gold": {"masses": [3, 6]}, "A": {"masses": [4, 5]}}}
    >>> panel([text]).results["A"].value("f1", "segments.b_score", "document")
    1.0
    """
    source, own = split_source(source)
    how, reading, memory = _options_of_panel(score, read, own, run)
    lacking = isinstance(missing, str) and missing in ("empty", "skip")
    rest: dict[str, Any] = {
        "missing": missing,
        "extra": "skip" if extra is None and lacking else extra,
        "group": group,
        "ci": ci,
        "text": text,
        "score": how,
        "read": reading,
    }
    settings = settle(measures, "segments" if protocol is None and measures is None else protocol, **rest)
    between = _settings_of_pairs(settings, pairwise, measures, protocol, rest)
    whole = replace(settings, measures=(*settings.measures, *between.measures))
    _check_family(whole)
    sides, origin = _read_sides(source, whole, only)
    if origin:
        settings, between = (replace(one, readers=(origin,)) for one in (settings, between))
    chosen = _gold(sides, gold)
    work = ((len(sides) - 1) if chosen else 0) + len(sides) * (len(sides) - 1)
    done = _counter(listener(progress), work)
    inputs = {name: Input.of(source, corpus) for name, corpus in sides.items()}

    def scored(a: str, b: str, how: Settings) -> Result:
        result = score_sides(sides[a], sides[b], how, (inputs[a], inputs[b]), errors=False)
        done()
        return reduce_to(result, memory)

    return Panel(
        settings,
        tuple(sides),
        chosen,
        {name: scored(chosen, name, settings) for name in sides if chosen is not None and name != chosen},
        {(a, b): scored(a, b, between) for a, b in permutations(sides, 2)},
        _agreement(sides, whole),
        {name: runtime(list(corpus.seconds.values())) for name, corpus in sides.items() if corpus.seconds},
        _whole(source, sides),
        heading(meta),
        {name: _notes_on(corpus) for name, corpus in sides.items()},
    )


def _options_of_panel(
    score: Scoring | None, read: Reading | None, own: Mapping[str, Any], run: Running | None
) -> tuple[Scoring, Reading, Keeping]:
    """Return how to score and how to read, and what is kept of results; refuse what a panel has no use for."""
    how = of_type("score", score, Scoring, "a Scoring") or Scoring()
    reading = reading_of(of_type("read", read, Reading, "a Reading") or Reading(), own)
    running = of_type("run", run, Running, "a Running") or Running()
    for options in (how, reading, running):
        refuse_unread(options, READ_BY_PANEL, "segmentations of one file")
    return how, reading, one_of("memory", "spans" if running.memory is None else running.memory, KEEPING)


def _read_sides(source: Any, settings: Settings, only: Sequence[str] | None) -> tuple[dict[str, Corpus], str]:
    """Return the segmentations by name, and the package that added their reader, if any."""
    with quoting(settings.quotes):
        held = hold(source)
        known = recognise(held, settings.field, settings.tags, settings.family.sources)
        return load_sides(held, "documents", settings, known=known, only=only), known.origin


def _check_family(settings: Settings) -> None:
    """Refuse measures of spans or tokens: there is nothing here that they could be about."""
    strangers = [measure for measure in settings.measures if not family_of(measure.family).partitions]
    if strangers:
        named = settings.protocol.name if settings.protocol.measures else ""
        asked = f"the protocol {named} measures no segmentations ({strangers[0].name})" if named else ""
        raise MeasureError(
            asked or f"{strangers[0].name} does not measure segmentations",
            expected="measures whose names start with segments., or the protocol segments or rt-seg",
            hint="two files, GOLD and PRED, for spans and tagged tokens",
        )


def _notes_on(corpus: Corpus) -> list[Problem]:
    """Return what was noticed about one segmentation, segments that are listed twice among it."""
    again = 0 if corpus.spans.increasing else int(repeats_earlier(corpus.spans).sum())
    repeated = Problem("duplicate", corpus.name, values={"noun": "segment"}, number=again)
    return [*corpus.problems, *([repeated] if again else [])]


def _gold(sides: Mapping[str, Corpus], asked: str | None) -> str | None:
    names = ", ".join(sides)
    if not any(corpus.n_documents for corpus in sides.values()):
        raise InputError("there are no documents", expected="documents with several segmentations")
    if len(sides) < 2:
        raise InputError(
            f"there is only 1 segmentation{f': {names}' if names else ', without a name'}",
            expected="several under segmentations, or gold and predictions in two files",
        )
    if asked is not None and (not isinstance(asked, str) or asked not in sides):
        near = did_you_mean(asked, sides) if isinstance(asked, str) else ""
        raise InputError(f"no segmentation is called {shown(asked)}{near}", expected=names)
    return asked if asked is not None else gold_by_name(sides)


def _settings_of_pairs(
    settings: Settings, pairwise: Measures | None, measures: Any, protocol: Any, rest: dict[str, Any]
) -> Settings:
    """Return the settings for pairs: what was asked for, else the protocol's own or three that are symmetric."""
    parameters = rest["score"].parameters
    if pairwise is not None:
        own = {**rest, "score": replace(rest["score"], parameters=None)}
        found = settle(pairwise, None if protocol is None else settings.protocol, **own)
        return replace(found, measures=change_parameters(found.measures, parameters, strict=False))
    if measures is not None or _is_tool(settings):
        return settings
    usual = tuple(parse(text) for text in PAIRWISE)
    return replace(settings, measures=change_parameters(usual, parameters, strict=False))


def _is_tool(settings: Settings) -> bool:
    """Tell whether the figures are RT-SEG's own, on segments that need not partition the text."""
    return settings.protocol.as_given and all(one.name == "segments.rt_seg" for one in settings.measures)


def _agreement(sides: Mapping[str, Corpus], settings: Settings) -> tuple[Score, ...]:
    """Return the agreement of all segmentations on the documents that all of them have; nothing without any."""
    keep = set.intersection(*(set(corpus.ids or []) for corpus in sides.values()))
    if _is_tool(settings) or not keep:
        return ()
    first, *others = sides
    whole: Comparison | None = None
    spans: dict[str, Spans] = {}
    shared = {name: with_documents(corpus, keep) for name, corpus in sides.items()}
    labels = tuple(sorted({label for corpus in sides.values() for label in corpus.labels}))
    for other in others:
        whole, _ = join(shared[first], shared[other], labels=labels, repeated=settings.repeated)
        spans |= {first: whole.gold, other: whole.pred}
    if whole is None:
        return ()
    together = Comparison(whole.names, labels, spans, lengths=whole.lengths)
    return tuple(
        row
        for measure in _agreements(settings)
        for row in scores(
            str(measure),
            measure(together).counts,
            settings.rates(measure),
            measure.definition.rate_set,
            settings.policy,
        )
    )


def _agreements(settings: Settings) -> list[Measure]:
    """Return the agreement measures that were asked for, else B and S with their defaults."""
    asked = [measure for measure in settings.measures if measure.name == "segments.agreement"]
    return asked or [parse(form) for form in AGREEMENT]


def _whole(source: Any, sides: Mapping[str, Corpus]) -> Input:
    """Describe the source: the largest number of documents a segmentation has, and all segments."""
    first = next(iter(sides.values()))
    one = Input.of(source, first)
    return replace(
        one,
        documents=max(corpus.n_documents for corpus in sides.values()),
        spans=sum(len(corpus.spans) for corpus in sides.values()),
    )


def _counter(progress: Progress, work: int) -> Callable[[], None]:
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        progress("scoring", done, work)

    return tick
