"""Agreement between annotators: every usual coefficient, with intervals, by label, by pair and by document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

from spanscope.arguments import (
    label_names,
    listed,
    listener,
    of_type,
    one_of,
    real,
    whole,
    words,
)
from spanscope.arithmetic import Ints, Keys, keys_of
from spanscope.commands.agree.annotators import Annotators, family_of, gather, stem_of
from spanscope.commands.agree.blocks import GROUPS, Chance, Unit, blocks, positions
from spanscope.data.problems import Problem
from spanscope.engines.load import Progress
from spanscope.engines.sources import open_sources
from spanscope.errors import InputError, MeasureError, did_you_mean, quoting, shown
from spanscope.families import TOKENS
from spanscope.measures.agreement.alignment import Weights
from spanscope.measures.agreement.gamma import SAMPLERS, Sampler
from spanscope.measures.agreement.positions import Positions
from spanscope.measures.agreement.sums import Block
from spanscope.results.agreement import Agreement, Figure
from spanscope.settings.by_side import (
    refuse_unread_of_formats,
    split_source,
)
from spanscope.settings.options import Ci, Reading, Text, refuse_unread
from spanscope.settings.settle import Input, interval_settings, may_quote, settle, tag_rules
from spanscope.stats.blocks import figures_of_all, intervals_of_block

MOST_DRAWN = 100_000_000  # figures of a kind x resamples, all of which are held to find the bounds
MOST_SAMPLES = 10_000  # of chance, for gamma: 30 are usual, and the time grows with them


def agree(
    *sources: Any,
    names: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    unit: Unit | None = None,
    missing: Literal["skip", "error"] = "skip",
    seed: int = 0,
    samples: int = 30,
    sampler: Sampler = "shuffle",
    alpha: float = 1.0,
    beta: float = 1.0,
    delta: float = 1.0,
    ci: bool | Ci = True,
    read: Reading | None = None,
    text: Text = "full",
    progress: Progress | None = None,
) -> Agreement:
    """Measure how far annotators agree.

    sources    two or more annotators: paths or documents with spans, segments or tagged tokens; or one source that
               holds several (segmentations by name, a Label Studio export, tokens with two columns of tags).
    names      of the annotators, in their order; else those of the files, or those the source gives.
    measures   coefficients, or groups of them: f1, kappa, alpha, alpha_u, u_alpha, gamma; all unless given. What
               is refused (alpha_U of overlapping units) is an error only where it was asked for.
    labels     look at these labels only; spans of others are left out.
    unit       what kappa, the alphas and gamma count in: "character" or "token"; tokens where all came as such.
    missing    documents that not all annotated: "skip" leaves them out and says so, or "error".
    samples    of chance for gamma in each document, drawn by `sampler`: "shuffle" (the paper's) or "statistical"
               (pygamma's default); `alpha`, `beta` and `delta` weigh place, label and units that stay alone.
    ci         intervals by a bootstrap over documents, as for evaluate; needs 2 documents.
    seed       of the samples of chance, and of the resamples unless a Ci says otherwise; the draws of a document
               depend on the seed and its id alone.
    read       how files are read, as for evaluate: input, fields, offsets, normalise and columns; a source that is
               read in its own way is given as spanscope.source(path, ...).
    text, progress   as for evaluate; text is for messages.

    >>> one = [{"id": 1, "text": "a b c d", "spans": [{"start": 0, "end": 1, "label": "X"}]}]
    >>> agree(one, one, measures=["f1"]).value("f1_exact")
    1.0
    """
    listen = listener(progress)
    if not sources:
        raise InputError("there is nothing to compare", expected="two annotators or more")
    wanted = _wanted(measures)
    seed, samples = whole("seed", seed, 0, 2**63 - 1), whole("samples", samples, 1, MOST_SAMPLES)
    chance = Chance(samples, seed, _sampler(sampler), _weights(alpha, beta, delta))
    sure = interval_settings(Ci(seed=seed) if ci is True else ci)
    one_of("missing", missing, ("skip", "error"))
    names = None if names is None else words("names", names, "a name of each annotator")
    labels = None if labels is None else label_names(labels)
    how = of_type("read", read, Reading, "a Reading") or Reading()
    refuse_unread(how, ("input", "fields", "offsets", "normalise", "columns"), "agreement")
    rules, parts = tag_rules(how), [split_source(one) for one in sources]
    with quoting(may_quote(text)):
        beside = open_sources(sources, [stem_of(one, at) for at, (one, _) in enumerate(parts)], how, collect=False)
        family = family_of(beside, rules)
    usual = "segments.b_score" if family.partitions else "spans.exact"
    settings = settle(usual, None, labels=labels, read=how, text=text)
    listen("reading", 0, 1)
    with quoting(settings.quotes):
        refuse_unread_of_formats(settings, [one.format for one in beside])
        found = gather(beside, names, settings, family, missing)
    chosen = _unit(unit, found)
    p = positions(found, chosen)
    wanted = _meaningful(wanted, found)
    keys = keys_of(list(found.documents))
    made, refused = blocks(found, wanted, measures is not None, p, chance, keys, listen)
    rows = _rows(found, made, wanted, keys, sure, listen)
    noted = [*found.problems, *refused, *_several(p, chosen), *(_unsure(made, sure.resamples) if sure else [])]
    own = {
        "measures": None if measures is None else list(listed(measures)),
        "labels": labels,
        "unit": chosen,
        "missing": missing,
        "seed": seed,
        "samples": samples,
        "sampler": sampler,
        **chance.weights._asdict(),
        "ci": sure is not None and len(found.documents) > 1,
        **{name: getattr(sure or Ci(), name) for name in ("resamples", "level", "method")},
        "offsets": how.offsets,
        "field": settings.field,
        "normalise": how.normalise,
        "input": how.input,
        "columns": dict(rules.columns or {}),
        **({"sources": [dict(own) for _, own in parts]} if any(own for _, own in parts) else {}),
    }
    return Agreement(
        own,
        found.names,
        found.family.name,
        p.labels,
        tuple(rows),
        tuple(_inputs([one for one, _ in parts], found)),
        _counted(noted),
        tuple(noted),
        len(found.documents),
        found.documents,
        tuple(made),
        p,
    )


def _wanted(measures: Sequence[str] | None) -> tuple[str, ...]:
    """Return the coefficients asked for, groups opened."""
    every = tuple(name for own in GROUPS.values() for name in own)
    if measures is None:
        return every
    out: list[str] = []
    for name in listed(measures):
        if not isinstance(name, str) or (name not in GROUPS and name not in every):
            near = did_you_mean(name, [*GROUPS, *every])
            raise MeasureError(
                f"no coefficient is called {shown(name)}{near}", expected=f"{', '.join(GROUPS)}, or one of them"
            )
        out += GROUPS.get(name, (name,))
    if not out:
        raise MeasureError("no coefficient was asked for", expected=", ".join(GROUPS))
    return tuple(dict.fromkeys(out))


def _meaningful(wanted: Sequence[str], found: Annotators) -> tuple[str, ...]:
    """Leave out what says nothing: about labels where there is one, about gaps where segments leave none.

    Of one label without outside only disagreement can be seen: kappa and alpha could never be above 0.
    """
    idle = {"bar_u_alpha"} if found.family.partitions else set()
    if len(found.labels) < 2:
        idle |= {"cu_alpha", "gamma_cat", *({"u_alpha"} if found.family.partitions else set())}
    if len(found.labels) < 2 or found.family.partitions:
        idle |= {"cohen_kappa_inside", "fleiss_kappa_inside", "alpha_inside"}
    left = tuple(name for name in wanted if name not in idle)
    if not left:
        raise MeasureError(
            f"{wanted[0]} says nothing here: there is one label, or segments leave no gaps",
            expected="several labels, or another coefficient",
        )
    return left


def _sampler(name: Sampler) -> Sampler:
    if not isinstance(name, str) or name not in SAMPLERS:
        near = did_you_mean(name, SAMPLERS)
        raise MeasureError(f"no sampler is called {shown(name)}{near}", expected=" or ".join(SAMPLERS))
    return name


def _weights(alpha: float, beta: float, delta: float) -> Weights:
    expected = "a number from 0 on; delta above 0"
    one, two = (
        real(name, value, expected, lambda number: number >= 0)
        for name, value in (("alpha", alpha), ("beta", beta))
    )
    return Weights(one, two, real("delta", delta, expected, lambda number: number > 0))


def _unit(unit: Unit | None, found: Annotators) -> Unit:
    """Return what positions are: tokens where everybody's are known, unless something was asked for."""
    if unit is None:
        return "token" if found.family == TOKENS else "character"
    one_of("unit", unit, get_args(Unit))
    if unit == "token" and found.tokens is None:
        raise MeasureError("there are no tokens", expected="tagged tokens, or unit='character'")
    return unit


def _rows(
    found: Annotators,
    made: Sequence[Block],
    wanted: Sequence[str],
    keys: Keys,
    ci: Ci | None,
    progress: Progress,
) -> Iterator[Figure]:
    """Return every figure; documents are added in the order of their keys, so that none depends on theirs."""
    order = np.argsort(keys, kind="stable")
    pairs = list(combinations(found.names, 2))
    users = _users(found)
    for number, block in enumerate(made):
        in_order = Block(block.keys, block.columns[order], block.read)
        value = figures_of_all(in_order)
        behind = [len(keys) if key.label is None else int(users[key.label]) for key in block.keys]
        low = high = [math.nan] * len(value)
        if ci is not None and len(block.keys) * ci.resamples <= MOST_DRAWN:
            own = intervals_of_block(in_order, keys[order], np.array(behind, dtype=np.int64), **asdict(ci))
            low, high = [one.low for one in own], [one.high for one in own]
        progress("intervals", number + 1, len(made))
        for at, key in enumerate(block.keys):
            if key.coefficient not in wanted:
                continue
            none = math.isnan(value[at]) or math.isnan(low[at])
            yield Figure(
                key.coefficient,
                None if key.label is None else found.labels[key.label],
                None if key.pair is None else pairs[key.pair],
                float(value[at]),
                None if none else float(low[at]),
                None if none else float(high[at]),
                behind[at],
            )


def _users(found: Annotators) -> Ints:
    """Return for each label in how many documents somebody used it."""
    width = max(len(found.labels), 1)
    keys = np.unique(np.concatenate([own.doc * width + own.label for own in found.spans]))
    return np.bincount(keys % width, minlength=width)


def _unsure(made: Sequence[Block], resamples: int) -> list[Problem]:
    """Note figures that have no intervals because there are too many of them."""
    many = max((len(block.keys) for block in made), default=0)
    if many * resamples <= MOST_DRAWN:
        return []
    values = {"figures": many, "resamples": resamples, "most": MOST_DRAWN}
    return [Problem("no intervals", "labels", values=values)]


def _several(p: Positions, unit: str) -> list[Problem]:
    if not p.several:
        return []
    return [Problem("several labels", "spans", values={"unit": unit}, number=p.several)]


def _counted(problems: Sequence[Problem]) -> dict[str, int]:
    out: Counter[str] = Counter()
    for problem in problems:
        out[problem.kind] += problem.number
    return dict(out)


def _inputs(sources: Sequence[Any], found: Annotators) -> Iterator[Input]:
    for at, corpus in enumerate(found.corpora):
        yield Input.of(sources[at] if len(sources) == len(found.corpora) else sources[0], corpus)
