"""Agreement between annotators: every usual coefficient, with intervals, by label, by pair and by document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from spanscope.arguments import field_name, label_names, listener, of_type, one_of, real, whole, words
from spanscope.arithmetic import Ints, Keys, keys_of
from spanscope.commands.agree.annotators import Annotators, family_of, gather, stem_of
from spanscope.commands.agree.counting import Wanted, choose, count, meaningful
from spanscope.commands.agree.documents import MISSING, Missing
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.engines.load import Progress
from spanscope.engines.sources import Source, open_sources
from spanscope.errors import InputError, MeasureError, did_you_mean, quoting, shown
from spanscope.families import TOKENS, Family
from spanscope.io.read_options import LEFT_OPEN
from spanscope.measures.agreement.gamma import SAMPLERS, Sampler
from spanscope.measures.agreement.gaps import by_pair
from spanscope.measures.agreement.positions import Positions, positions, settled_unit
from spanscope.measures.registry import Measure, parse
from spanscope.results.agreement import Agreement
from spanscope.settings.by_side import refuse_unread_of_formats, split_source
from spanscope.settings.intervals import interval_settings
from spanscope.settings.options import Ci, Scoring, Text, refuse_unread
from spanscope.settings.reading import Reading
from spanscope.settings.run_settings import Input, Settings, may_quote
from spanscope.settings.settle import settle, tag_rules
from spanscope.sides.comparison import Comparison
from spanscope.sides.groups import groups_of
from spanscope.stats.agreement import Figures, Key, SidedScore, intervals, scores

Unit = Literal["character", "token"]
UNITS: tuple[Unit, ...] = ("character", "token")
OPEN = tuple(name for name in LEFT_OPEN if name != "keep_fields")  # fields of documents are kept by `group`
OF_POSITIONS = ("agreement.kappa", "agreement.alpha")
MOST_DRAWN = 100_000_000  # figures of a kind x resamples, all of which are held to find the bounds
MOST_SAMPLES = 10_000  # of chance, for gamma: 30 are usual, and the time grows with them


def agree(
    *sources: Any,
    names: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    unit: Unit | None = None,
    missing: Missing = "pairwise",
    seed: int = 0,
    samples: int = 30,
    sampler: Sampler = "shuffle",
    alpha: float = 1.0,
    beta: float = 1.0,
    delta: float = 1.0,
    group: str | None = None,
    ci: bool | Ci = True,
    score: Scoring | None = None,
    read: Reading | None = None,
    text: Text = "full",
    progress: Progress | None = None,
) -> Agreement:
    """Measure how far annotators agree.

    sources    two or more annotators: paths or documents with spans, segments or tagged tokens; or one source that
               holds several (segmentations by name, a Label Studio export, tokens with two columns of tags).
    names      of the annotators, in their order; else those of the files, or those the source gives.
    measures   f1 (exact and relaxed, of every pair) and the measures of agreement: kappa, alpha, alpha_u, u_alpha,
               gamma; all unless given. A single coefficient (cohen_kappa) and any measure of two sides by its
               text form ("spans.iou(threshold=0.8)") can be asked for too. What is refused (alpha_U of
               overlapping units) is an error only where it was asked for.
    labels     look at these labels only; spans of others are left out.
    unit       what kappa, the alphas and gamma count in: "character" or "token"; tokens where all came as such.
    missing    documents that not all annotated: "pairwise" uses all that two or more have (F1, Cohen's kappa and
               gamma are means over pairs then, the alphas take those who are there), "skip" leaves them out and
               says so, or "error".
    samples    of chance for gamma in each document, drawn by `sampler`: "shuffle" (the paper's) or "statistical"
               (pygamma's default); `alpha`, `beta` and `delta` weigh place, label and units that stay alone.
    ci         intervals by a bootstrap over documents, as for evaluate; needs 2 documents.
    seed       of the samples of chance, and of the resamples unless a Ci says otherwise; the draws of a document
               depend on the seed and its id alone.
    group      a field of the documents, such as "author": those that have it in common are drawn together.
    score      Scoring(allow_different_texts=True) where annotators had other texts, which is refused else.
    read       how files are read, as for evaluate: input, fields, offsets, normalise, columns and what files leave
               open (ends, annotator, layer, split, label_names, texts); a source that is read in its own way is
               given as spanscope.source(path, ...).
    text, progress   as for evaluate; text is for messages.

    >>> one = [{"id": 1, "text": "a b c d", "spans": [{"start": 0, "end": 1, "label": "X"}]}]
    >>> agree(one, one, measures=["f1"]).value("f1")
    1.0
    """
    listen = listener(progress)
    if not sources:
        raise InputError("there is nothing to compare", expected="two annotators or more")
    seed = whole("seed", seed, 0, 2**63 - 1)
    asked = _Asked(
        measures,
        None if labels is None else label_names(labels),
        None if unit is None else one_of("unit", unit, UNITS),
        one_of("missing", missing, MISSING),
        None if group is None else field_name("group", group),
        None if names is None else words("names", names, "a name of each annotator"),
        _chance(samples, sampler, alpha, beta, delta, seed),
        interval_settings(Ci(seed=seed) if ci is True else ci),
        of_type("score", score, Scoring, "a Scoring") or Scoring(),
        of_type("read", read, Reading, "a Reading") or Reading(),
        text,
    )
    refuse_unread(asked.read, ("input", "fields", "offsets", "normalise", "columns", *OPEN), "agreement")
    refuse_unread(asked.score, ("allow_different_texts",), "agreement")
    opened, family = _open(sources, asked)
    choose(measures, family, asked.gamma)  # refuses what there is not before files are read
    settings = _reading_settings(family, asked)
    listen("reading", 0, 1)
    with quoting(settings.quotes):
        refuse_unread_of_formats(settings, [one.format for one in opened])
        found = gather(opened, asked.names, settings, family, asked.missing)
    counted_in = settled_unit(found.comparison, unit or ("token" if found.family == TOKENS else "character"))
    wanted = _settle(meaningful(choose(measures, found.family, asked.gamma), found), found, counted_in)
    made, refused = count(found, wanted, listen, asked=measures is not None)
    drawn = _drawn_keys(found, asked.group)
    rows = tuple(_rows(found, made, asked.ci, drawn, listen))
    p = positions(found.comparison, "gap" if found.family.partitions else counted_in)
    noted = [*found.problems, *refused, *_several(p, counted_in), *_unsure(made, asked.ci)]
    return Agreement(
        _written_settings(asked, settings, counted_in, made, drawn, found) | _origins(sources, opened, made),
        found.names,
        found.family.name,
        p.labels,
        rows,
        tuple(_inputs(sources, found)),
        _count_by_kind(noted),
        tuple(noted),
        found.comparison.documents,
        found.comparison.names,
        tuple(made),
        p,
    )


class _Asked(NamedTuple):
    """What was asked for, everything checked."""

    measures: Sequence[str] | None
    labels: Sequence[str] | None
    unit: Unit | None
    missing: Missing
    group: str | None
    names: Sequence[str] | None
    chance: dict[str, str | int | float]  # the parameters of gamma
    ci: Ci | None
    score: Scoring
    read: Reading
    text: Text

    @property
    def gamma(self) -> dict[str, dict[str, str | int | float]]:
        """The parameters that were given for measures, by their names."""
        return {"agreement.gamma": self.chance}


def _open(sources: Sequence[Any], asked: _Asked) -> tuple[list[Source], Family]:
    """Return the sources with their formats, and the family that all of them are of."""
    how = asked.read if asked.group is None else replace(asked.read, keep_fields=(asked.group,))
    stems = [stem_of(split_source(one)[0], at) for at, one in enumerate(sources)]
    with quoting(may_quote(asked.text)):
        opened = open_sources(sources, stems, how, collect=False)
        if asked.group is not None:  # one annotator has the field, and others need not
            opened = [replace(one, lacking=True) for one in opened]
        return opened, family_of(opened, tag_rules(how))


def _reading_settings(family: Family, asked: _Asked) -> Settings:
    """Return how the sources are read and joined, as settings of the family's usual measure."""
    usual = "segments.b_score" if family.partitions else "spans.exact"
    return settle(usual, None, labels=asked.labels, score=asked.score, read=asked.read, text=asked.text)


def _written_settings(
    asked: _Asked, settings: Settings, unit: str, made: Sequence[Figures], drawn: Keys | None, found: Annotators
) -> dict[str, Any]:
    """Return the settings that the result names: all that can change a figure."""
    return {
        "measures": [one.measure for one in made],
        "labels": asked.labels,
        "unit": unit,
        "missing": asked.missing,
        "seed": asked.chance["seed"],
        **({} if drawn is None else {"group": asked.group, "groups": len(np.unique(drawn))}),
        **{name: asked.chance[name] for name in ("samples", "sampler", "alpha", "beta", "delta")},
        "ci": asked.ci is not None and found.comparison.documents > 1,
        **{name: getattr(asked.ci or Ci(), name) for name in ("resamples", "level", "method")},
        "offsets": asked.read.offsets,
        "field": settings.field,
        "normalise": asked.read.normalise,
        "input": asked.read.input,
        "columns": dict(tag_rules(asked.read).columns or {}),
        **({"allow_different_texts": True} if settings.allow_different_texts else {}),
    }


def _origins(sources: Sequence[Any], opened: Sequence[Source], made: Sequence[Figures]) -> dict[str, Any]:
    """Return the packages that figures depend on, and how single sources are read, where there is any of it."""
    packages = _packages(opened, [one.measure for one in made])
    own = [dict(split_source(one)[1]) for one in sources]
    return {**({"plugins": packages} if packages else {}), **({"sources": own} if any(own) else {})}


def _chance(
    samples: int, sampler: Sampler, alpha: float, beta: float, delta: float, seed: int
) -> dict[str, str | int | float]:
    """Return the parameters of gamma, as Python's own numbers, everything checked."""
    if not isinstance(sampler, str) or sampler not in SAMPLERS:
        near = did_you_mean(sampler, SAMPLERS)
        raise MeasureError(f"no sampler is called {shown(sampler)}{near}", expected=" or ".join(SAMPLERS))
    expected = "a number from 0 on; delta above 0"
    return {
        "samples": whole("samples", samples, 1, MOST_SAMPLES),
        "sampler": sampler,
        "alpha": real("alpha", alpha, expected, lambda number: number >= 0),
        "beta": real("beta", beta, expected, lambda number: number >= 0),
        "delta": real("delta", delta, expected, lambda number: number > 0),
        "seed": seed,
    }


def _settle(wanted: Sequence[Wanted], found: Annotators, unit: str) -> list[Wanted]:
    """Return the measures of agreement with the unit that was decided on, unless their text form says another."""
    out = []
    for one in wanted:
        said = dict(one.measure.params).get("unit")
        if said == "gap" and not found.family.partitions:
            raise MeasureError("unit=gap is for segmentations", expected="character or token")
        open_ = one.is_agreement and said == "auto"
        settled = one.measure.replace(unit=_position(found, one.measure, unit)) if open_ else one.measure
        out.append(replace(one, measure=settled))
    return out


def _position(found: Annotators, measure: Measure, unit: str) -> str:
    """Return what a measure counts in; where positions are labelled, those of segmentations are gaps."""
    return "gap" if found.family.partitions and measure.name in OF_POSITIONS else unit


def _drawn_keys(found: Annotators, group: str | None) -> Keys | None:
    """Return the keys of the groups that documents are in, where groups are drawn."""
    if group is None:
        return None
    problems: list[Problem] = []
    rows = np.arange(found.comparison.documents)
    found.comparison.groups = groups_of(_with_values(found, group), group, rows, problems)
    return found.comparison.group_keys()


def _with_values(found: Annotators, field: str) -> Corpus:
    """Return the first annotator with the values of a field that any annotator knows of a document."""
    first, known = found.first, dict[str, Any]()
    for corpus in found.corpora:
        if corpus.ids is not None and corpus.meta is not None:
            own = zip(corpus.ids, corpus.meta.tolist(), strict=True)
            known = {name: about for name, about in own if about is not None and field in about} | known
    if first.ids is None:
        return first
    met = [None] * first.n_documents if first.meta is None else first.meta.tolist()
    every = [
        known.get(name) if about is None or field not in about else about
        for name, about in zip(first.ids, met, strict=True)
    ]
    return replace(first, meta=np.fromiter(every, object, len(every)))


def _rows(
    found: Annotators, made: Sequence[Figures], ci: Ci | None, drawn: Keys | None, progress: Progress
) -> Iterator[SidedScore]:
    """Return every score; documents are added in the order of their keys, so that none depends on theirs."""
    keys = keys_of(list(found.comparison.names))
    order = np.argsort(keys, kind="stable")
    users = _users(found.comparison).tolist()
    shared = [len(own.docs) for own in by_pair(found.comparison)]
    for number, figures in enumerate(made):
        own = figures.in_order(order)
        sure, behind = None, [_documents_behind(key, len(keys), users, shared) for key in own.keys]
        if ci is not None and len(own.keys) * ci.resamples <= MOST_DRAWN:
            by = keys if drawn is None else drawn
            sure = intervals(own, by[order], np.array(behind, dtype=np.int64), **asdict(ci))
        progress("intervals", number + 1, len(made))
        yield from scores(own, found.names, behind, sure)


def _documents_behind(key: Key, documents: int, users: Sequence[int], shared: Sequence[int]) -> int:
    """Return how many documents stand behind a figure."""
    if key.pair is not None:
        return shared[key.pair]
    return documents if key.label is None else users[key.label]


def _users(c: Comparison) -> Ints:
    """Return for each label in how many documents somebody used it."""
    width = max(len(c.labels), 1)
    keys = np.unique(np.concatenate([own.doc * width + own.label for own in c.sides.values()]))
    return np.bincount(keys % width, minlength=width)


def _unsure(made: Sequence[Figures], ci: Ci | None) -> list[Problem]:
    """Note figures that have no intervals because there are too many of them."""
    many = max((len(one.keys) for one in made), default=0)
    if ci is None or many * ci.resamples <= MOST_DRAWN:
        return []
    values = {"figures": many, "resamples": ci.resamples, "most": MOST_DRAWN}
    return [Problem("no intervals", "labels", values=values)]


def _packages(sources: Sequence[Source], measures: Sequence[str]) -> list[str]:
    """Return the packages that figures depend on: those of readers and of measures."""
    origins = (*(one.format.origin for one in sources), *(parse(one).definition.origin for one in measures))
    return [*dict.fromkeys(filter(None, origins))]


def _several(p: Positions, unit: str) -> list[Problem]:
    if not p.several:
        return []
    return [Problem("several labels", "spans", values={"unit": unit}, number=p.several)]


def _count_by_kind(problems: Sequence[Problem]) -> dict[str, int]:
    out: Counter[str] = Counter()
    for problem in problems:
        out[problem.kind] += problem.number
    return dict(out)


def _inputs(sources: Sequence[Any], found: Annotators) -> Iterator[Input]:
    for at, corpus in enumerate(found.corpora):
        yield Input.of(sources[at] if len(sources) == len(found.corpora) else sources[0], corpus)
