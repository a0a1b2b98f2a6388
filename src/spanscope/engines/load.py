"""Both sides read, each by the reader that the table of formats names for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from spanscope.arguments import keep_silent
from spanscope.data.corpus import Corpus, with_labels
from spanscope.errors import InputError
from spanscope.families import FAMILIES, TOKENS, Family
from spanscope.findings.slices import BUILT_IN
from spanscope.io.arrow import as_rows
from spanscope.io.detect import BY_NAME, check_said, protocol_of, recognise
from spanscope.io.format import Format
from spanscope.io.head import head_of
from spanscope.io.metadata import refuse_unmet
from spanscope.io.pipes import byte_size
from spanscope.io.read_options import ReadOptions
from spanscope.io.reading import the_only
from spanscope.io.tokens.conll import SAY
from spanscope.io.tokens.tag_rules import TagRules
from spanscope.settings.by_side import refuse_unread_of_formats, refuse_unread_of_sides
from spanscope.settings.run_settings import Settings
from spanscope.settings.settle import Measures, without_tokens

Progress = Callable[[str, int, int], None]
Formats = Sequence[Format]
SEGMENTATIONS = ("segmentation", "spanscope eval FILE --gold NAME   (spanscope.panel) for several in one file")
QUERIES = ("side", "spanscope eval FILE   (spanscope.read_sides) for both")


def usual_protocol(
    source: Any, measures: Measures | None, field: Mapping[str, str] | None = None, tags: TagRules | None = None
) -> str | None:
    """Return the protocol for what a source holds, where nothing else was asked for."""
    if measures is not None:
        return None
    family, own = protocol_of(as_rows(source, "gold"), field, replace(tags or TagRules(), names=None))
    return own or FAMILIES[family].protocol


def formats_of(sources: Sequence[Any], settings: Settings) -> tuple[Format, ...]:
    """Return the format of each side, among what the measures can be about: spans may come as tagged tokens."""
    known = settings.family.sources
    usual = BY_NAME[known[0]]
    if settings.protocol.read is not None:  # which reads by rules of its own
        return (usual,) * len(sources)
    found: list[Format] = []
    for number, source in enumerate(sources):
        how = settings.of("pred" if number else "gold")
        tags = how.tags
        if found and found[0].family == TOKENS.name:  # beside tags, lists of numbers are tags too
            tags = replace(tags, lent=())
        found.append(usual if source is None else recognise(source, how.field, tags, known))
    return tuple(found)


def load_both(
    gold: Any, pred: Any, settings: Settings, progress: Progress, formats: Formats | None = None
) -> tuple[Corpus, Corpus, Settings]:
    """Read both sides; tagged tokens together, because their schemes, settings from then on, show in both.

    `formats` are those of the two sides, where these are parts of files that were looked at before.
    """
    gold, pred = as_rows(gold, "gold"), as_rows(pred, "pred")
    known = formats or formats_of((gold, pred), settings)
    ours, theirs, found = _load_both(gold, pred, settings, progress, known)
    if origins := tuple(dict.fromkeys(one.origin for one in known if one.origin)):
        found = replace(found, readers=origins)
    if formats is None:  # in a part of a file a field may be missing that others have
        _refuse_unmet((ours, theirs), settings)
    return ours, theirs, found


def _refuse_unmet(corpora: Sequence[Corpus], settings: Settings) -> None:
    """Refuse fields that were to be kept and that no document has: of one side, or of both."""
    asked = [tuple(settings.of(side).left_open.get("keep_fields", ())) for side in ("gold", "pred")]
    if asked[0] == asked[1]:
        refuse_unmet(corpora, asked[0], corpora[0].name)
        return
    for corpus, keep in zip(corpora, asked, strict=True):
        refuse_unmet([corpus], keep, corpus.name)


def _load_both(
    gold: Any, pred: Any, settings: Settings, progress: Progress, formats: Formats
) -> tuple[Corpus, Corpus, Settings]:
    if settings.family.retrieves:
        ours, theirs = _load_queries(gold, pred, settings, formats)
        return ours, theirs, settings
    tagged = [one.family == TOKENS.name for one in formats]
    check_said(settings.tags, (gold, pred))
    if pred is None and formats[0].several:
        return *_load_one_file(gold, settings, progress, formats[0]), settings
    refuse_unread_of_sides(settings, (gold, pred), formats)
    if not any(tagged):
        without_tokens(settings)
    refuse_unread_of_formats(settings, formats[:1] if pred is None else formats)
    if tagged[0] and (tagged[1] or pred is None):
        from spanscope.io.tokens.reading import read_both

        options = (_options("gold", settings.of("gold")), _options("pred", settings.of("pred")))
        copied = settings.protocol.tags is not None  # a tool has one scheme for both
        ours, theirs, (first, second) = read_both(gold, pred, *options, formats, one_scheme=copied)
        found = replace(settings.tags, scheme=first, pred_scheme=None if first == second else second)
        return ours, theirs, replace(settings, tags=found)
    if pred is None:
        raise InputError(
            "there are no predictions",
            expected="gold and predictions, or tokens with two columns of tags",
            hint=SAY if isinstance(gold, (str, Path)) and not settings.tags.said else "",
        )
    ours = _load_side(gold, "gold", settings, progress, formats[0])
    return ours, _load_side(pred, "pred", settings, progress, formats[1], ours), settings


def _load_queries(gold: Any, pred: Any, settings: Settings, formats: Formats) -> tuple[Corpus, Corpus]:
    """Read queries with gold, and with what was retrieved: two sources, or one that holds both."""
    refuse_unread_of_sides(settings, (gold, pred), formats)
    if pred is None:
        if not formats[0].holds_both(head_of(gold), settings.of("gold").field):
            raise InputError("there are no predictions", expected="gold, and passages that were retrieved")
        pred, formats = gold, (formats[0], formats[0])
    from spanscope.io.passages.reading import read_passages
    from spanscope.measures.passages import evidence

    without_tokens(settings)
    refuse_unread_of_formats(settings, formats)
    options = (_options("gold", settings.of("gold")), _options("pred", settings.of("pred")))
    ours = evidence.copies_no_tool([*settings.protocol.measures, *settings.measures])
    return read_passages((gold, pred), options, settings.corpus, settings.scores, formats, pair_paths=ours)


def _load_side(
    source: Any, side: str, settings: Settings, progress: Progress, known: Format, like: Corpus | None = None
) -> Corpus:
    """Read one of two sides, by the protocol's own rules where it has some; labels are renamed.

    Those of tagged tokens were renamed before their tags became spans. What is `like` another is not kept twice.
    """
    own, mapping = settings.of(side), settings.tags.mapping
    if own.protocol.read is not None:
        return with_labels(own.protocol.read(source, side), mapping)
    found = load_sides(source, side, own, progress, like, known)
    corpus = the_only(found, f"the {side} side", *words_for(own.family), annotator=own.left_open.get("annotator"))
    return corpus if known.family == TOKENS.name else with_labels(corpus, mapping)


def _load_one_file(gold: Any, settings: Settings, progress: Progress, known: Format) -> tuple[Corpus, Corpus]:
    """Read gold and predictions from one source of labelled spans, where it holds both."""
    from spanscope.engines.both_in_one import BOTH, both_of  # which few sources need

    formats, sides = (known, known), ("gold", "pred")
    refuse_unread_of_sides(settings, (gold, gold), formats)
    refuse_unread_of_formats(settings, formats)
    without_tokens(settings)
    own = [settings.of(side) for side in sides]
    read = [load_sides(gold, "gold", own[0], progress, known=known)]
    alike = [
        {key: value for key, value in _said_of(settings, side).items() if key != "annotator"} for side in sides
    ]
    read.append(read[0] if alike[0] == alike[1] else load_sides(gold, "pred", own[1], progress, known=known))
    shared, asked = settings.left_open.get("annotator"), [one.left_open.get("annotator") for one in own]
    if asked[0] == asked[1] == shared and shared is not None:
        the_only(read[0], "the source", annotator=shared)
        raise InputError("there are no predictions", expected="another annotator as predictions", hint=BOTH)
    names = both_of(read[0], *asked)
    found = [with_labels(side[name], settings.tags.mapping) for side, name in zip(read, names, strict=True)]
    return found[0], found[1]


def _said_of(settings: Settings, side: str) -> Mapping[str, Any]:
    return settings.sides[side][0] if side in settings.sides else {}


def words_for(family: Family) -> tuple[str, ...]:
    """Return what several sides of one source are called, and what they are for, where these are no annotators."""
    return SEGMENTATIONS if family.partitions else QUERIES if family.retrieves else ()


def load_sides(
    source: Any,
    side: str,
    settings: Settings,
    progress: Progress = keep_silent,
    like: Corpus | None = None,
    known: Format | None = None,
    only: Sequence[str] | None = None,
) -> dict[str, Corpus]:
    """Read all that a source holds, by annotator or by the names of its segmentations."""
    if isinstance(source, Corpus):
        return {"": source}
    known = known or recognise(source, settings.field, settings.tags, settings.family.sources)
    if known.family == TOKENS.name:
        from spanscope.io.tokens.reading import read_one

        return {"": read_one(source, _options(side, settings), known)}
    size = _size_of(source)

    def tell(done: int) -> None:
        progress(f"reading {side}", done, max(size, done))

    tool = settings.protocol.as_given  # segments are taken as given where all figures are the tool's own
    options = replace(
        _options(side, settings),
        progress=tell,
        like=like,
        normalise=settings.normalise,
        as_given=tool and all(measure.name == "segments.rt_seg" for measure in settings.measures),
        hints=not tool,  # normalise is refused beside such a protocol
        only=only,
    )
    found: dict[str, Corpus] = known.reader(source, options)
    return found


def _options(side: str, settings: Settings) -> ReadOptions:
    """Return what was said of a source, whatever its family; gold's documents say which group they are in."""
    said = dict(settings.left_open)
    asked = [name for name in settings.by if name not in BUILT_IN]
    asked += [] if settings.group is None else [settings.group]
    if asked and side != "pred":
        said["keep_fields"] = tuple(dict.fromkeys((*said.get("keep_fields", ()), *asked)))
    return ReadOptions(side, settings.field, settings.offsets, tags=settings.tags, **said)


def _size_of(source: Any) -> int:
    """Return how many bytes a file has; a part of a file says itself how far it is."""
    if isinstance(source, (str, Path)):
        with suppress(OSError, ValueError):  # the reader says what is wrong with the path
            return byte_size(source)
    return 0
