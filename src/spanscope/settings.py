"""What a run was asked to do, what it read, and what is wrong with that."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from spanscope.aggregate import Policy
from spanscope.data import Corpus, Problem
from spanscope.errors import MeasureError, plural, shown
from spanscope.io import Offsets
from spanscope.io.fields import fields
from spanscope.io.sentences import TagRules
from spanscope.join import Comparison, Extra, Missing, Repeated
from spanscope.measure import Measure, parse
from spanscope.pairs import repeats
from spanscope.protocols import Protocol, protocol
from spanscope.rates import COUNTED, Rate
from spanscope.resample import METHOD, Method

Measures = str | Measure | Sequence[str | Measure]
Undefined = Literal["null", "0", "1"] | float | None
Text = Literal["full", "context", "masked", "none"]
USUAL = TagRules()
MOST_RESAMPLES = 1_000_000
SHOWN = 20  # problems of each kind that a result carries


@dataclass(frozen=True)
class Ci:
    """How intervals are made: a bootstrap over documents."""

    resamples: int = 1000
    level: float = 0.95
    seed: int = 0
    method: Method = METHOD

    def __str__(self) -> str:
        return f"ci:bootstrap,{self.method},{self.resamples},level:{self.level:g},seed:{self.seed}"


@dataclass(frozen=True)
class Settings:
    """Everything that can move a figure."""

    measures: tuple[Measure, ...]
    protocol: Protocol
    policy: Policy
    beta: float
    missing: Missing
    extra: Extra
    repeated: Repeated
    offsets: Offsets
    field: dict[str, str]
    thresholds: tuple[float, ...] | Literal["exact"] | None = None  # of the curve; None: 21 steps
    normalise: bool = False  # repair segmentations that are no partition
    text: Text = "full"  # how spans show in reports: not all may leave the building
    corpus: str | None = None  # the folder of the files that passages are from
    ci: Ci | None = None  # None: no intervals
    tags: TagRules = USUAL  # how the tags of tokens are read

    @property
    def family(self) -> str:
        """Return the family of the measures, which says how files are read: segments as soon as one is of it."""
        families = {measure.family for measure in self.measures}
        return next(
            (one for one in ("segments", "tokens", "passages") if one in families), self.measures[0].family
        )

    @property
    def headline(self) -> int:
        """Return which measure the curve and the errors are about: the first that matches and counts spans."""
        kinds = [measure.definition for measure in self.measures]
        found = [i for i, kind in enumerate(kinds) if kind.explains or (kind.reading is COUNTED and kind.matches)]
        counted = [i for i, kind in enumerate(kinds) if kind.reading is COUNTED]
        return (found or counted or [0])[0]

    @property
    def quotes(self) -> bool:
        """Tell whether reports may quote texts word for word."""
        return self.text in ("full", "context")

    def rates(self, measure: Measure) -> tuple[Rate, ...]:
        """Return the rates read from a measure's counts under these settings."""
        return measure.definition.rates(self.beta, harmonic=self.protocol.harmonic)

    def plain(self) -> dict[str, Any]:
        """Return the settings as they go into JSON."""
        return {
            "measures": [str(measure) for measure in self.measures],
            "protocol": self.protocol.name or None,
            "labels": None if self.policy.labels is None else list(self.policy.labels),
            "beta": self.beta,
            "undefined": None if math.isnan(self.policy.undefined) else self.policy.undefined,
            "missing": self.missing,
            "extra": self.extra,
            "repeated": self.repeated,
            "offsets": self.offsets,
            "field": self.field,
            "normalise": self.normalise,
            "text": self.text,
            "corpus": self.corpus,
            "ci": None if self.ci is None else asdict(self.ci),
            "scheme": self.tags.scheme,
            "repair": self.tags.repair,
            "columns": dict(self.tags.columns or {}),
            "tag_names": None if self.tags.names is None else list(self.tags.names),
            "mapping": dict(self.tags.mapping),
            "thresholds": list(self.thresholds) if isinstance(self.thresholds, tuple) else self.thresholds,
        }


@dataclass(frozen=True)
class Input:
    """What was read on one side."""

    path: str | None
    sha256: str | None
    documents: int
    spans: int

    @classmethod
    def of(cls, source: Any, corpus: Corpus) -> Input:
        """Describe a corpus and where it came from."""
        path = str(source) if isinstance(source, (str, Path)) else None
        return cls(path, corpus.sha256, corpus.n_documents, corpus.size)


@dataclass(frozen=True)
class Problems:
    """How many data problems there are of each kind, and the first cases."""

    number: dict[str, int] = field(default_factory=dict)
    first: dict[str, list[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.number)


def data_problems(problems: Sequence[Problem], c: Comparison, *, told: bool = True) -> Problems:
    """Sum up problems by kind, with duplicates among them: they are scored, but people should know.

    `told` lets the first cases be shown, which may quote the text.
    """
    found = list(problems)
    for side, spans in c.sides.items():
        if side == "gold" and "alternative" in spans.extra:  # wordings of one answer share its place
            continue
        extra = 0 if spans.increasing else int((repeats(spans) & spans.located).sum())
        if extra:
            what = f"{plural(extra, 'span')} repeating another one of the same document, label and offsets"
            found.append(Problem("duplicate", side, what, extra))
    number: Counter[str] = Counter()
    for problem in found:
        number[problem.kind] += problem.number
    first: dict[str, list[str]] = {}
    for problem in found:
        if len(cases := first.setdefault(problem.kind, [])) < SHOWN:
            cases.append(str(problem) if told else problem.where)
    return Problems(dict(number), first)


def steps(given: Any) -> Any:
    """Return the thresholds of a curve, sorted and checked: a tuple, "exact", or None where none are given."""
    if given is None or (isinstance(given, str) and given == "exact"):
        return given
    try:
        out = tuple(sorted({float(step) for step in given}))
    except (TypeError, ValueError):
        out = ()
    if not out or not all(0 <= step <= 1 for step in out):
        raise MeasureError(f"thresholds are {shown(given)}", expected="numbers from 0 to 1, or exact")
    return out


def settle(
    measures: Measures | None,
    name: str | Protocol | None,
    *,
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
    text: str = "full",
    tags: TagRules | None = None,
    k: int | Sequence[int] | None = None,
    corpus: str | Path | None = None,
    ci: bool | Ci = False,
) -> Settings:
    """Return all settings, the caller's before the protocol's before the defaults; everything checked."""
    chosen = protocol(name)
    if measures is not None and name is None:
        chosen = Protocol("", "", ())
    beta = chosen.beta if beta is None else beta
    if not isinstance(beta, (int, float)) or not (math.isfinite(beta) and beta > 0):
        raise MeasureError(f"beta is {shown(beta)}", expected="a number above 0")
    if chosen.read is not None and (offsets != "codepoints" or field or repeated not in (None, "error")):
        raise MeasureError(
            f"{chosen.name} reads by the rules of the tool it copies",
            expected="no offsets, field or repeated beside it",
        )
    labels = None if labels is None else _checked_labels(labels)
    picked = _picked(measures, chosen)
    settings = Settings(
        measures=_at_cutoffs(picked, k),
        protocol=chosen,
        policy=Policy(tuple(labels) if labels is not None else chosen.labels, _undefined(undefined, chosen)),
        beta=float(beta),
        missing=_one_of("missing", missing or chosen.missing, ("error", "empty", "skip")),
        extra=_one_of("extra", extra or chosen.extra, ("error", "skip")),
        repeated=_one_of("repeated", repeated or chosen.repeated or _usual(picked), ("error", "number")),
        offsets=offsets,
        field=dict(field or {}) if field is None or isinstance(field, Mapping) else field,
        thresholds=steps(thresholds),
        normalise=normalise,
        text=_one_of("text", text, get_args(Text)),
        corpus=None if corpus is None else str(corpus),
        ci=_interval(ci),
        tags=_tag_rules(tags or TagRules(), chosen),
    )
    _check_family(settings)
    if settings.family == "passages" and beta != chosen.beta:
        raise MeasureError(
            f"beta is {beta:g}, and no passages measure has an F-beta", expected="no beta beside them"
        )
    return settings


def _interval(given: bool | Ci) -> Ci | None:
    """Return how intervals are made, everything checked."""
    if not isinstance(given, (bool, Ci)):
        raise MeasureError(f"ci is {shown(given)}", expected="True, False or a Ci")
    ci = Ci() if given is True else given or None
    if ci is None:
        return None
    if type(ci.resamples) is not int or not 2 <= ci.resamples <= MOST_RESAMPLES:
        raise MeasureError(f"resamples is {shown(ci.resamples)}", expected=f"2 to {MOST_RESAMPLES:,}")
    if isinstance(ci.level, bool) or not isinstance(ci.level, float) or not 0 < ci.level < 1:
        raise MeasureError(f"level is {shown(ci.level)}", expected="a number between 0 and 1, such as 0.95")
    if type(ci.seed) is not int or not 0 <= ci.seed < 2**63:
        raise MeasureError(f"seed is {shown(ci.seed)}", expected="a whole number from 0 to 2^63")
    _one_of("method", ci.method, get_args(Method))
    return ci


def _usual(measures: tuple[Measure, ...]) -> str:
    """Return what becomes of repeated ids: queries are often asked again, documents must not be."""
    return "number" if any(measure.family == "passages" for measure in measures) else "error"


def _at_cutoffs(measures: tuple[Measure, ...], k: int | Sequence[int] | None) -> tuple[Measure, ...]:
    """Return the measures at every cutoff that was asked for."""
    if k is None:
        return measures
    cutoffs: list[Any] = list(k) if isinstance(k, (list, tuple, range)) else [k]
    if not cutoffs or not all(type(one) is int and one > 0 for one in cutoffs):
        raise MeasureError(f"k is {shown(k)}", expected="a number of passages, or several: at least 1")
    if not any("k" in dict(measure.params) for measure in measures):
        raise MeasureError("no measure has a cutoff k", expected="passages measures, such as passages.ranking")
    out = []
    for measure in measures:
        has = "k" in dict(measure.params)
        out += [measure.but(k=one) for one in cutoffs] if has else [measure]
    return tuple(dict.fromkeys(out))


def _tag_rules(given: TagRules, chosen: Protocol) -> TagRules:
    """Return how tags are read: a protocol that copies a tool reads as the tool does."""
    if chosen.tags is None:
        return given
    if given.repair != TagRules().repair:
        raise MeasureError(
            f"{chosen.name} reads tags by the rules of the tool it copies", expected="no repair beside it"
        )
    own = chosen.tags
    if given.scheme not in (None, own.scheme) and own.scheme is not None:
        raise MeasureError(
            f"{chosen.name} reads tags by the rules of the tool it copies", expected="no scheme beside it"
        )
    scheme = given.scheme or own.scheme
    return replace(given, scheme=scheme, repair=own.repair, docstart=own.docstart, numbers=own.numbers)


def with_tokens(settings: Settings) -> None:
    """Refuse options that nothing reads where both sides are tagged tokens."""
    _refuse_given(settings, "tagged tokens", ("offsets", "field"))


def _refuse_given(settings: Settings, what: str, names: tuple[str, ...]) -> None:
    """Refuse options that were given and that nothing would read: they would seem to have been heeded."""
    given = {
        "labels": settings.policy.labels is not None,
        "thresholds": settings.thresholds is not None,
        "mapping": bool(settings.tags.mapping),
        "offsets": settings.offsets != "codepoints",
        "field": bool(settings.field),
    }
    for name in names:
        if given[name]:
            raise MeasureError(f"{name} means nothing for {what}", expected=f"no {name} beside them")


def without_tokens(settings: Settings) -> None:
    """Refuse options for tagged tokens where there are none: nothing that is asked for is silently ignored."""
    given, own = settings.tags, settings.protocol.tags or USUAL
    for name, asked in (
        ("scheme", given.scheme != own.scheme),
        ("repair", given.repair != own.repair),
        ("columns", bool(given.columns)),
        ("tag_names", given.names is not None),
    ):
        if asked:
            expected = "a CoNLL file, documents with tokens and tags, or lists of tags"
            raise MeasureError(f"{name} is for tagged tokens, and there are none", expected=expected)


def _check_family(settings: Settings) -> None:
    """Refuse options that the family has no use for: nothing that is asked for is silently ignored."""
    segments = settings.family == "segments"
    fields(settings.field, segments=segments)  # refuses names that are none
    if settings.family in ("segments", "passages"):
        _refuse_given(settings, settings.family, ("labels", "thresholds", "mapping"))
    if settings.family == "passages":
        _refuse_given(settings, "passages", ("offsets", "field"))
    if settings.corpus is not None and settings.family != "passages":
        raise MeasureError("corpus is the folder of the files of passages", expected="passages measures")
    if settings.normalise and not segments:
        raise MeasureError("normalise repairs segmentations", expected="segments measures, or --protocol segments")
    if settings.normalise and settings.protocol.as_given:
        raise MeasureError(
            f"{settings.protocol.name} takes segments as they are given", expected="no normalise beside it"
        )


def _picked(measures: Measures | None, chosen: Protocol) -> tuple[Measure, ...]:
    """Return the measures asked for, each once, under the protocol's rules."""
    given = [measures] if isinstance(measures, (str, Measure)) else list(measures or chosen.measures)
    if not given:
        raise MeasureError("no measure was given", expected="one text form or several")
    return tuple(dict.fromkeys(parse(text, chosen.defaults) for text in given))


def _checked_labels(given: Sequence[str]) -> list[str]:
    labels = [] if isinstance(given, str) else list(given)
    if not labels or not all(isinstance(label, str) for label in labels) or len(set(labels)) < len(labels):
        raise MeasureError(f"labels are {shown(given)}", expected="a list of different names")
    if "*" in labels:
        raise MeasureError("'*' is no label", expected="another name: '*' stands for all labels together")
    return labels


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> Any:
    if value not in choices:
        raise MeasureError(f"{name} is {shown(value)}", expected=" or ".join(choices))
    return value


def _undefined(given: Undefined, chosen: Protocol) -> float:
    value = chosen.undefined if given is None else given
    if value is None or value == "null" or (isinstance(value, float) and math.isnan(value)):
        return float("nan")
    if value not in ("0", "1", 0, 1):
        raise MeasureError(f"undefined is {shown(given)}", expected="null, 0 or 1")
    return float(value)
