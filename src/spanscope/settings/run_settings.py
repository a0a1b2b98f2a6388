"""The settings of a run, everything that can move a figure; and what it read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from dataclasses import field as field_
from functools import cached_property
from typing import Any, Literal, get_args

from spanscope.arguments import (
    one_of,
)
from spanscope.data.corpus import Corpus
from spanscope.families import Family, deciding_family
from spanscope.io.offsets import Offsets
from spanscope.io.surrogates import path_of
from spanscope.io.tokens.tag_rules import TagRules
from spanscope.measures.registry import Measure
from spanscope.rates import Rate
from spanscope.settings.headline import Headline, beside_of, curved_of, explained_of, headline_of
from spanscope.settings.left_open import said_of_source
from spanscope.settings.options import Ci, Text
from spanscope.settings.protocols import Protocol
from spanscope.settings.tuning import Tuned
from spanscope.sides.pairing import Extra, Missing, Repeated
from spanscope.stats.averages import Policy
from spanscope.stats.counted import How

USUAL = TagRules()
Side = tuple[dict[str, Any], dict[str, str], Any, TagRules, Mapping[str, Any]]  # given, names, offsets, tags, open
RETRIEVAL = {"join": ("ids", "texts", "places"), "scores": ("similarities", "distances")}  # told where given


def may_quote(text: Any) -> bool:
    """Tell whether texts may be quoted word for word, by how they show in reports."""
    return one_of("text", text, get_args(Text)) in ("full", "context")


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
    offsets: Offsets | None  # None: the unit of the format
    field: dict[str, str]
    thresholds: tuple[float, ...] | Literal["exact"] | None = None  # of the curve; None: 21 steps
    allow_different_texts: bool = False  # score documents although most of their texts differ
    locate: bool = False  # predictions are quotes, placed in the texts of gold
    normalise: bool = False  # repair segmentations that are no partition
    text: Text = "full"  # how spans show in reports: not all may leave the building
    corpus: str | None = None  # the folder of the files that passages are from
    ci: Ci | None = None  # None: no intervals
    tags: TagRules = USUAL  # how the tags of tokens are read
    join: str | None = None  # what passages and answers are joined by, where that was said
    group: str | None = None  # the field of gold's documents by which they are grouped where they are drawn
    by: tuple[str, ...] = ()  # fields of gold's documents, and slices that are built in
    train: str | None = None  # the file by which spans are seen or not, where it is one
    scores: str | None = None  # of passages: similarities or distances, where that was said
    min_score: float | None = None  # predictions below it are left out
    tune: Tuned | None = None  # where that was found, unless somebody said it
    partial: bool = False  # measures that spans do not allow are left out: they are a bundle's, not asked for
    left_open: Mapping[str, Any] = field_(default_factory=dict)  # what files leave open, where somebody said it
    readers: tuple[str, ...] = ()  # packages, with their versions, whose readers read the sources
    sides: Mapping[str, Side] = field_(default_factory=dict)  # how a side is read, where that is its own

    def of(self, side: str) -> Settings:
        """Return the settings by which a side is read."""
        found = self.tags.scheme if side == "gold" else self.tags.pred_scheme or self.tags.scheme
        if side not in self.sides:
            return self if found == self.tags.scheme else replace(self, tags=replace(self.tags, scheme=found))
        given, names, offsets, tags, left_open = self.sides[side]
        tags = tags if "scheme" in given else replace(tags, scheme=found)
        return replace(self, field=names, offsets=offsets, tags=tags, left_open=left_open, sides={})

    @cached_property
    def family(self) -> Family:
        """Return the family of the measures, which says how files are read: segments as soon as one is of it."""
        return deciding_family([measure.family for measure in self.measures])

    def origins(self, *measures: Measure) -> tuple[str, ...]:
        """Return the packages that figures of these measures, of all unless some are named, depend on."""
        of_measures = [one.definition.origin for one in measures or self.measures]
        return tuple(dict.fromkeys(filter(None, (*of_measures, self.protocol.origin, *self.readers))))

    @property
    def headline(self) -> Headline:
        """Return the figure that leads: that of the first measure."""
        return self.lead(self.measures[0])

    def lead(self, measure: Measure) -> Headline:
        """Return the figure of a measure that leads."""
        return headline_of(measure, self.rates(measure), self.beta, self.protocol.rate)

    def beside(self, measure: Measure) -> Measure | None:
        """Return the measure whose figures of labels stand beside its own."""
        return beside_of(measure, self.measures)

    def curve_rates(self, measure: Measure) -> tuple[Rate, ...]:
        """Return the rates that a curve over thresholds shows: precision, recall, F1, and the one that leads."""
        by_name = {rate.name: rate for rate in self.rates(measure)}
        return (*(by_name[name] for name in ("precision", "recall", "f1")), self.lead(measure).rate)

    @cached_property
    def curved(self) -> int:
        """Return which measure the curve is about."""
        return curved_of(self.measures)

    @cached_property
    def explained(self) -> int:
        """Return which measure the errors are about."""
        return explained_of(self.measures)

    @property
    def quotes(self) -> bool:
        """Tell whether reports may quote texts word for word."""
        return may_quote(self.text)

    def rates(self, measure: Measure) -> tuple[Rate, ...]:
        """Return the rates read from a measure's counts under these settings."""
        return measure.definition.rate_set.rates(self.beta, harmonic=self.protocol.harmonic)

    def how(self, measure: Measure) -> How:
        """Return how the figures of a measure are read from its counts."""
        return self.rates(measure), measure.definition.rate_set, self.policy

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
            **({} if self.group is None else {"group": self.group}),
            **({} if not self.by else {"by": list(self.by)}),
            **({} if self.train is None else {"train": self.train}),
            "offsets": self.offsets,
            **said_of_source(self.left_open),
            "field": self.field,
            **({"locate": True} if self.locate else {}),
            "normalise": self.normalise,
            "text": self.text,
            "corpus": path_of(self.corpus),
            "ci": None if self.ci is None else asdict(self.ci),
            "scheme": self.tags.scheme,
            **({} if self.tags.pred_scheme is None else {"pred_scheme": self.tags.pred_scheme}),
            "repair": self.tags.repair,
            "input": self.tags.input,
            "columns": dict(self.tags.columns or {}),
            "tag_names": None if self.tags.names is None else list(self.tags.names),
            "mapping": dict(self.tags.mapping),
            "thresholds": list(self.thresholds) if isinstance(self.thresholds, tuple) else self.thresholds,
            **{side: said_of_source(own) for side, (own, *_) in self.sides.items()},
            **({"allow_different_texts": True} if self.allow_different_texts else {}),
            **({} if self.min_score is None else {"min_score": self.min_score}),
            **({} if self.tune is None else {"tune": asdict(self.tune)}),
            **({} if not (packages := self.origins()) else {"plugins": list(packages)}),
            **{name: own for name in RETRIEVAL if (own := getattr(self, name)) is not None},
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
        return cls(path_of(source), corpus.sha256, corpus.n_documents, corpus.size)
