"""What a run is asked to do becomes its settings: checked, and refused where nothing would heed it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from spanscope.arguments import (
    as_list,
    field_name,
    flag,
    folder_name,
    label_names,
    number,
    of_type,
    one_of,
    real,
)
from spanscope.errors import MeasureError, shown
from spanscope.families import PASSAGES, SPANS, TOKENS, family_of
from spanscope.io.detect import by_name, known_input
from spanscope.io.fields import check_fields, own_names
from spanscope.io.offsets import unit_of
from spanscope.io.read_options import LEFT_OPEN
from spanscope.io.surrogates import path_of
from spanscope.io.tokens.conll import SAY
from spanscope.io.tokens.tag_rules import TagRules, checked_rules
from spanscope.measures.registry import AGREEMENT, Measure, parse
from spanscope.settings.intervals import interval_settings
from spanscope.settings.left_open import left_open
from spanscope.settings.options import Ci, Scoring, Text, Undefined
from spanscope.settings.parameters import at_cutoffs, change_parameters
from spanscope.settings.protocols import Protocol, protocol
from spanscope.settings.reading import Reading
from spanscope.settings.run_settings import RETRIEVAL, USUAL, Settings
from spanscope.settings.slicing import SEEN, sliced_by
from spanscope.settings.thresholds import steps
from spanscope.settings.tuning import refuse_tuning
from spanscope.sides.pairing import Extra, Missing, Repeated
from spanscope.stats.averages import Policy

Measures = str | Measure | Sequence[str | Measure]


def settle(
    measures: Measures | None,
    name: str | Protocol | None,
    *,
    labels: Sequence[str] | None = None,
    missing: Missing | None = None,
    extra: Extra | None = None,
    group: str | None = None,
    by: Sequence[str] | None = None,
    train: Any = None,
    ci: bool | Ci = False,
    text: str = "full",
    score: Scoring | None = None,
    read: Reading | None = None,
) -> Settings:
    """Return all settings, the caller's before the protocol's before the defaults; everything checked."""
    score = of_type("score", score, Scoring, "a Scoring") or Scoring()
    read = of_type("read", read, Reading, "a Reading") or Reading()
    chosen = protocol(name)
    if measures is not None and name is None:
        chosen = Protocol("", "", ())
    picked = change_parameters(_pick(measures, chosen), score.parameters)
    repeated = _usual(picked, chosen) if score.repeated is None else score.repeated
    labels = None if labels is None else label_names(labels)
    settings = Settings(
        measures=at_cutoffs(picked, score.k),
        protocol=chosen,
        policy=Policy(
            tuple(labels) if labels is not None else chosen.labels, _settle_undefined(score.undefined, chosen)
        ),
        beta=_beta(score.beta, chosen),
        missing=one_of("missing", chosen.missing if missing is None else missing, get_args(Missing)),
        extra=one_of("extra", chosen.extra if extra is None else extra, get_args(Extra)),
        group=None if group is None else field_name("group", group),
        by=sliced_by(by, train),
        train=path_of(train),
        repeated=one_of("repeated", repeated, get_args(Repeated)),
        offsets=None if read.offsets is None else unit_of(read.offsets),
        left_open=left_open(read),
        field=own_names(read.fields),
        thresholds=steps(score.thresholds),
        allow_different_texts=flag("allow_different_texts", score.allow_different_texts),
        locate=flag("locate", read.locate),
        normalise=flag("normalise", read.normalise),
        text=one_of("text", text, get_args(Text)),
        corpus=folder_name(read.corpus),
        ci=interval_settings(ci),
        tags=_tag_rules(tag_rules(read), chosen),
        join=score.join,
        scores=read.scores,
        min_score=None if score.min_score is None else number("min_score", score.min_score),
        partial=chosen.partial and measures is None,
    )
    refuse_tuning(score)
    return _consistent(settings)


def _consistent(settings: Settings) -> Settings:
    """Return settings that go together; refuse what contradicts the protocol or what the family has no use for."""
    chosen, join, scores = settings.protocol, settings.join, settings.scores
    given = settings.offsets or settings.field or settings.left_open or settings.repeated != "error"
    if chosen.read is not None and given:
        raise MeasureError(
            f"{chosen.name} reads by the rules of the tool it copies",
            expected=f"no {', '.join(('offsets', 'field', *settings.left_open))} or repeated with it",
        )
    if join is not None or scores is not None:
        settings = replace(
            settings, measures=_settle_retrieval(settings.measures, chosen.name, join=join, scores=scores)
        )
    _check_family(settings)
    if settings.family.retrieves and settings.beta != chosen.beta:
        raise MeasureError(
            f"beta is {settings.beta:g}, and no passages measure has an F-beta", expected="no beta with them"
        )
    return settings


def tag_rules(read: Reading) -> TagRules:
    """Return how tags are read, as far as the options say, everything of the type it should be."""
    mapping = {} if read.mapping is None else read.mapping
    return checked_rules(
        TagRules(read.scheme, read.repair, read.columns, read.tag_names, mapping, input=read.input)
    )


def _beta(given: float | None, chosen: Protocol) -> float:
    return real("beta", chosen.beta if given is None else given, "a number above 0", lambda number: number > 0)


def _usual(measures: tuple[Measure, ...], chosen: Protocol) -> str:
    """Return what becomes of repeated ids: queries are often asked again, documents must not be."""
    queries = any(family_of(measure.family).retrieves for measure in measures)
    return chosen.repeated or (PASSAGES if queries else SPANS).repeated


def _settle_retrieval(measures: tuple[Measure, ...], rules: str, **said: str | None) -> tuple[Measure, ...]:
    """Return the measures with what was said about passages; `rules` names the tool that a protocol copies."""
    from spanscope.measures.passages.evidence import copies_no_tool, set_join

    name = next(name for name, value in said.items() if value is not None)
    if not all(family_of(measure.family).retrieves for measure in measures):
        raise MeasureError(f"{name} is for retrieved passages", expected="passages measures with it")
    if rules and not copies_no_tool(protocol(rules).measures):
        raise MeasureError(f"{rules} copies a tool", expected=f"no {name} with it")
    for name, value in said.items():
        if value is not None:
            one_of(name, value, RETRIEVAL[name])
    return measures if said["join"] is None else set_join(measures, said["join"])


def _tag_rules(given: TagRules, chosen: Protocol) -> TagRules:
    """Return how tags are read: a protocol that copies a tool reads as the tool does."""
    known_input(given.input)
    if chosen.tags is None:
        return given
    if given.repair != TagRules().repair:
        raise MeasureError(
            f"{chosen.name} reads tags by the rules of the tool it copies", expected="no repair with it"
        )
    own = chosen.tags
    if given.scheme not in (None, own.scheme) and own.scheme is not None:
        raise MeasureError(
            f"{chosen.name} reads tags by the rules of the tool it copies", expected="no scheme with it"
        )
    scheme = given.scheme or own.scheme
    return replace(given, scheme=scheme, repair=own.repair, docstart=own.docstart, numbers=own.numbers)


def refuse_given(settings: Settings, what: str, names: Sequence[str]) -> None:
    """Refuse options that were given and that nothing would read: they would seem to have been heeded."""
    given = {
        "labels": settings.policy.labels is not None,
        "thresholds": settings.thresholds is not None,
        "mapping": bool(settings.tags.mapping),
        "offsets": settings.offsets is not None,
        **{name: name in settings.left_open for name in LEFT_OPEN},
        "field": bool(settings.field),
    }
    for name in names:
        if given[name]:
            raise MeasureError(f"{name} has no effect on {what}", expected=f"no {name} with them")


def without_tokens(settings: Settings) -> None:
    """Refuse options for tagged tokens where there are none: nothing that is asked for is silently ignored."""
    given, own = settings.tags, settings.protocol.tags or USUAL
    for name, asked in (
        ("scheme", given.scheme != own.scheme),
        ("repair", given.repair != own.repair),
        ("input", given.input is not None and by_name(given.input).family == TOKENS.name),
        ("columns", bool(given.columns) and not (given.input and "columns" in by_name(given.input).reads)),
        ("tag_names", given.names is not None),
    ):
        if asked:
            expected = "a CoNLL file, documents with tokens and tags, or lists of tags"
            hint = "" if given.said else SAY
            raise MeasureError(f"{name} is for tagged tokens, and there are none", expected=expected, hint=hint)


def _check_family(settings: Settings) -> None:
    """Refuse options that the family has no use for: nothing that is asked for is silently ignored."""
    family = settings.family
    check_fields(settings.field, family.name)
    refuse_given(settings, family.name, family.unread)
    if settings.corpus is not None and not family.retrieves:
        raise MeasureError("corpus is the folder of the files of passages", expected="passages measures")
    if SEEN in settings.by and family.retrieves:  # before the training data are read as gold is
        raise MeasureError(f"{SEEN} slices labelled spans", expected=f"spans measures, or no {SEEN}")
    if settings.min_score is not None and not family.labelled:
        raise MeasureError("min_score is of labelled spans", expected="spans measures, or no min_score")
    if settings.locate and family.name != "spans":
        raise MeasureError("locate places quotes of labelled spans", expected="spans measures, or no locate")
    if settings.normalise and not family.partitions:
        raise MeasureError(
            "normalise repairs segmentations", expected="segments measures, or [[protocol=segments]]"
        )
    if settings.normalise and settings.protocol.as_given:
        raise MeasureError(
            f"{settings.protocol.name} takes segments as they are given", expected="no normalise with it"
        )


def _pick(measures: Measures | None, chosen: Protocol) -> tuple[Measure, ...]:
    """Return the measures asked for, each once, under the protocol's rules."""
    given = chosen.measures if measures is None else as_list(measures)
    if not given:
        raise MeasureError("no measure was given", expected="one text form or several")
    out = tuple(dict.fromkeys(parse(text, chosen.defaults) for text in given))
    for measure in out:
        if measure.family == AGREEMENT:
            raise MeasureError(
                f"{measure.name} is about annotators, none of whom is gold",
                expected="a measure of predictions against gold",
                hint=f"spanscope agree A B -m {measure.name.partition('.')[2]}",
            )
    return out


def _settle_undefined(given: Undefined, chosen: Protocol) -> float:
    value = chosen.undefined if given is None else given
    if (
        value is None
        or (isinstance(value, str) and value == "null")
        or (isinstance(value, float) and math.isnan(value))
    ):
        return float("nan")
    if not isinstance(value, (str, int, float)) or value not in ("0", "1", 0, 1):
        raise MeasureError(f"undefined is {shown(given)}", expected="null, 0 or 1")
    return float(value)
