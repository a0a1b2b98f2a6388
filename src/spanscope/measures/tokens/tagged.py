"""Tagged tokens, one by one."""

from __future__ import annotations

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.counts import STAR, Counts, concat, make
from spanscope.data.corpus import Tokens, expand
from spanscope.errors import MeasureError
from spanscope.match.verdicts import Confusion
from spanscope.measures.registry import Outcome, measure
from spanscope.measures.tally import count_each
from spanscope.measures.tokens.units import (
    ANY_PII,
    SkipWords,
    skip_list,
    split_names,
    tokens_of,
    tokens_that_count,
)
from spanscope.rates import COUNTED, NamedRates, share
from spanscope.sides.comparison import Comparison


@measure("tokens.tags", COUNTED, matches=False, overall=ANY_PII)
def tags(
    c: Comparison, *, skip_words: SkipWords = "none", extra_skip_words: str = "", generic: str = ""
) -> Outcome:
    """Compare the labels of tokens one by one.

        tp = tokens with the same label on both sides,   gold, pred = tokens with a label on that side

    A token's label is that of the span it is in (of several, the last by place); tokens outside of spans on both
    sides count for nothing. The overall row, `*`, is "any PII": tokens with some label on both sides.
    skip_words=presidio leaves Presidio's 417 skip words out, `extra_skip_words` those that it lists with blanks
    between them (such as 'gmbh dr.'); `generic` names labels that stand for any (such as 'PII,ID').

    Counts     tp, pred, gold in tokens, by document and label, and under `*`.
    Undefined  precision without predicted, recall without gold tokens, F if there are neither.
    Source     the token evaluation of presidio-evaluator.
    Differs    the tool (tokens.presidio_tokens) counts a skip word when it is right and not when it is wrong.
    Checked    tests/twins/tokens.py; cases worked by hand.
    """
    gold, pred = (_labels(c, side) for side in ("gold", "pred"))
    tokens = tokens_of(c) or c.tokens["gold"]
    loose = np.append(np.isin(np.array(c.labels, dtype=object), split_names(generic)), False)
    pred = np.where(loose[pred] & (gold >= 0), gold, pred)
    gold = np.where(loose[gold] & (pred >= 0), pred, gold)
    kept = ((gold >= 0) | (pred >= 0)) & tokens_that_count(tokens, skip_list(skip_words, extra_skip_words))
    doc = np.repeat(np.arange(c.documents), np.diff(tokens.first))[kept]
    gold, pred = gold[kept], pred[kept]
    return Outcome(_token_counts(c, doc, gold, pred), confused=_token_pairs(c, gold, pred))


ACCURACY = NamedRates((share("accuracy", "right", "tokens"),), perfect=False)


@measure("tokens.accuracy", ACCURACY, matches=False)
def accuracy(c: Comparison) -> Outcome:
    """Compare the tags of tokens as they were given, including O.

        accuracy = tokens with the same tag on both sides / tokens

    Mostly O, so mostly high: it says little about entities.

    Counts     right, tokens, by document.
    Undefined  without tokens.
    Source     the accuracy of conlleval and of seqeval's accuracy_score.
    Checked    seqeval live; tests/twins/tokens.py.
    """
    _labels(c, "gold", "tokens.accuracy")  # refuses tokens that are not the same on both sides
    if len(c.tokens) < 2:
        raise MeasureError("tokens.accuracy needs tags on both sides", hint="tokens.tags")
    gold, pred = c.tokens["gold"], c.tokens["pred"]
    doc = np.repeat(np.arange(c.documents), np.diff(gold.first))
    size = np.diff(gold.first)
    right = count_each(doc[np.asarray(gold.tag == pred.tag, dtype=bool)], c.documents)
    columns = {"right": right, "tokens": size, "gold": size, "pred": size}
    return Outcome(make(c.documents, c.labels, np.arange(c.documents), np.full(c.documents, STAR), columns))


def _labels(c: Comparison, side: str, name: str = "tokens.tags") -> Ints:
    """Return the label of every token, -1 outside of spans."""
    tokens = tokens_of(c)
    if tokens is None or not all(_same_tokens(tokens, own) for own in c.tokens.values()):
        raise MeasureError(
            f"{name} needs the same tokens on both sides",
            expected="tagged tokens, cut the same way",
            hint="tokens.presidio or spans.characters   which compare places in the text",
        )
    spans = c.sides[side]
    wide = int(max(tokens.end.max(initial=0), spans.end.max(initial=0))) + 2
    doc = np.repeat(np.arange(c.documents), np.diff(tokens.first))
    first = np.searchsorted(doc * wide + tokens.end, spans.doc * wide + spans.start, "right")
    last = np.maximum(np.searchsorted(doc * wide + tokens.start, spans.doc * wide + spans.end, "left"), first)
    out = np.full(len(tokens.start), -1)
    out[expand(first, last - first)] = np.repeat(spans.label, last - first)
    return out


def _same_tokens(one: Tokens, other: Tokens) -> bool:
    return np.array_equal(one.first, other.first) and np.array_equal(one.start, other.start)


def _token_counts(c: Comparison, doc: Ints, gold: Ints, pred: Ints) -> Counts:
    width = max(len(c.labels), 1)
    keys = [doc[side >= 0] * width + side[side >= 0] for side in (gold, pred)]
    right = (doc * width + gold)[(gold == pred) & (gold >= 0)]
    cells = np.unique(np.concatenate(keys))
    number = {
        name: count_each(np.searchsorted(cells, own), len(cells))
        for name, own in zip(("gold", "pred"), keys, strict=True)
    }
    tp = count_each(np.searchsorted(cells, right), len(cells))
    labels = make(
        c.documents,
        c.labels,
        cells // width,
        cells % width,
        {"tp": tp, "pred": number["pred"], "gold": number["gold"]},
    )
    present = np.unique(doc)
    some = {"tp": doc[(gold >= 0) & (pred >= 0)], "pred": doc[pred >= 0], "gold": doc[gold >= 0]}
    star = {name: count_each(rows, c.documents)[present] for name, rows in some.items()}
    return concat(labels, make(c.documents, c.labels, present, np.full(len(present), STAR), star))


def _token_pairs(c: Comparison, gold: Ints, pred: Ints) -> Confusion:
    none = len(c.labels)
    rows, columns = np.where(gold < 0, none, gold), np.where(pred < 0, none, pred)
    cells, number = np.unique(rows * (none + 1) + columns, return_counts=True)
    return cells // (none + 1), cells % (none + 1), number
