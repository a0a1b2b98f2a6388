"""Predictions that have at least a score that was asked for; the others are left out, and counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.errors import InputError, plural
from spanscope.sides.comparison import Comparison


def score_at_least(corpus: Corpus, least: float) -> tuple[Corpus, list[Problem]]:
    """Return a corpus with only the spans whose score is at least `least`, and how many were left out.

    A span without a score is neither above nor below: it is refused.
    """
    spans = corpus.spans
    if not len(spans):
        return corpus, []
    score = spans.extra.get("score", np.full(len(spans), np.nan))
    lacking = np.flatnonzero(np.isnan(score))
    if len(lacking):
        raise InputError(
            f"{len(lacking):,} of {plural(len(spans), 'prediction')} without a score, and min_score needs one",
            where=corpus.where(int(spans.doc[lacking[0]])),
            expected="score or confidence in every predicted span",
            hint="[[fields=span_score=NAME]]   if the confidence stands under another name",
        )
    keep = np.flatnonzero(score >= least)
    gone = len(spans) - len(keep)
    if not gone:
        return corpus, []
    noted = Problem("low score", corpus.name, side="pred", values={"least": repr(float(least))}, number=gone)
    return replace(corpus, spans=spans.take(keep)), [noted]


def note_unscored(c: Comparison) -> list[Problem]:
    """Note that some predictions have a score and others have none, so that they cannot be put in order."""
    score = c.pred.extra.get("score")
    lacking = 0 if score is None or "rank" in c.pred.extra else int(np.isnan(score).sum())
    return [Problem("no score", "pred", side="pred", number=lacking)] if 0 < lacking < len(c.pred) else []
