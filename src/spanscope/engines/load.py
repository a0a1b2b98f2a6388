"""Both sides read. Readers that few runs need are loaded by those that do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from spanscope.data.corpus import Corpus, renamed
from spanscope.errors import InputError, plural
from spanscope.families import FAMILIES, SPANS, TOKENS, Family
from spanscope.io.arrow import as_rows
from spanscope.io.detect import recognise
from spanscope.io.pipes import byte_size
from spanscope.io.reading import Report, read
from spanscope.io.tokens.conll import SAY
from spanscope.io.tokens.tag_rules import TagRules, check_said
from spanscope.settings.by_side import refuse_unread_of_sides
from spanscope.settings.settle import Measures, Settings, with_tokens, without_tokens

USUAL = TagRules()
Progress = Callable[[str, int, int], None]


def recognised(
    source: Any, measures: Measures | None, field: Mapping[str, str] | None = None, tags: TagRules | None = None
) -> str | None:
    """Return the protocol for what a source holds, where nothing else was asked for."""
    if measures is not None:
        return None
    found = recognise(as_rows(source, "gold"), field, replace(tags or TagRules(), names=None))
    return "trec" if found.by_identifier else FAMILIES[found.family].protocol


def kinds_of(
    sources: Sequence[Any], field: Mapping[str, str] | None = None, tags: TagRules = USUAL
) -> tuple[Family, ...]:
    """Return the family of each of several sources that stand beside each other: the first decides for all."""
    if not sources:
        return ()
    first = FAMILIES[recognise(sources[0], field, tags).family]
    others = (recognise(source, field, tags, first.sources).family for source in sources[1:])
    return (first, *(FAMILIES[name] for name in others))


def families(sources: Sequence[Any], settings: Settings) -> tuple[Family, ...]:
    """Return what each source holds, among what the measures can be about: spans may come as tagged tokens."""
    if settings.protocol.read is not None:
        return (SPANS,) * len(sources)
    known = settings.family.sources
    names = []
    for number, source in enumerate(sources):
        how = settings.of("pred" if number else "gold")
        names.append(known[0] if source is None else recognise(source, how.field, how.tags, known).family)
    return tuple(FAMILIES[name] for name in names)


def load_both(
    gold: Any, pred: Any, settings: Settings, told: Progress, kinds: Sequence[Family] | None = None
) -> tuple[Corpus, Corpus, Settings]:
    """Read both sides; tagged tokens together, because their scheme, a setting from then on, shows in both.

    `kinds` are the families of the two sides, where these are parts of files that were looked at before.
    """
    gold, pred = as_rows(gold, "gold"), as_rows(pred, "pred")
    if settings.family.retrieves:
        if pred is None:
            raise InputError("there are no predictions", expected="gold, and passages that were retrieved")
        from spanscope.io.passages.reading import read_passages

        without_tokens(settings)
        ours, theirs = read_passages(gold, pred, settings.corpus, settings.scores, settings.tags)
        return ours, theirs, settings
    rules = settings.tags
    tagged = [kind == TOKENS for kind in kinds or families((gold, pred), settings)]
    check_said(rules, (gold, pred))
    refuse_unread_of_sides(settings, (gold, pred), tagged)
    if not any(tagged):
        without_tokens(settings)
    if tagged[0] and (tagged[1] or pred is None):
        from spanscope.io.tokens.reading import read_both

        with_tokens(settings)
        ours, theirs, scheme = read_both(gold, pred, settings.of("gold").tags, settings.of("pred").tags)
        return ours, theirs, replace(settings, tags=replace(settings.tags, scheme=scheme))
    if pred is None:
        raise InputError(
            "there are no predictions",
            expected="gold and predictions, or tokens with two columns of tags",
            hint=SAY if isinstance(gold, (str, Path)) and not rules.said else "",
        )
    both: list[Corpus] = []
    for source, side, own in ((gold, "gold", tagged[0]), (pred, "pred", tagged[1])):
        corpus = _tagged(source, side, settings) if own else load(source, side, settings, told, *both)
        both.append(corpus if own else renamed(corpus, settings.tags.mapping))
    return both[0], both[1], settings


def _tagged(source: Any, side: str, settings: Settings) -> Corpus:
    """Read tagged tokens that stand against spans of another kind."""
    from spanscope.io.tokens.reading import read_one

    return read_one(source, side, settings.of(side).tags)


def load(source: Any, side: str, settings: Settings, told: Progress, like: Corpus | None = None) -> Corpus:
    """Read one side, by the protocol's own rules where it has some; what is `like` another is not kept twice."""
    settings = settings.of(side)
    if settings.protocol.read is not None:
        return settings.protocol.read(source, side)
    if settings.family.partitions and not isinstance(source, Corpus):
        return the_one(segmentations(source, side, settings), side)
    size = 0
    if isinstance(source, (str, Path)):  # a part of a file says itself how far it is
        with suppress(OSError, ValueError):  # the reader says what is wrong with the path
            size = byte_size(source)
    return read(
        source,
        name=side,
        field=settings.field,
        offsets=settings.offsets,
        report=Report(),
        progress=lambda done: told(f"reading {side}", done, max(size, done)),
        like=like,
    )


def segmentations(
    source: Any, name: str, settings: Settings, only: Sequence[str] | None = None
) -> dict[str, Corpus]:
    """Read segmentations by name, by the protocol's rules: as given where all figures are the tool's own."""
    from spanscope.io.segments.reading import read_segmentations

    tool = settings.protocol.as_given
    return read_segmentations(
        source,
        name=name,
        field=settings.field,
        offsets=settings.offsets,
        normalise=settings.normalise,
        as_given=tool and all(measure.name == "segments.rt_seg" for measure in settings.measures),
        only=only,
        hints=not tool,  # normalise is refused beside such a protocol
        input=settings.tags.input,
    )


def the_one(found: Mapping[str, Corpus], side: str) -> Corpus:
    """Return the one segmentation of an input, or say what to do with several."""
    if len(found) != 1:
        names = ", ".join(name or "one without a name" for name in found) or "none"
        raise InputError(
            f"the {side} side holds {plural(len(found), 'segmentation')}: {names}",
            expected="one of each document on each side",
            hint="spanscope eval FILE --gold NAME   (spanscope.panel) for several in one file",
        )
    return next(iter(found.values()))
