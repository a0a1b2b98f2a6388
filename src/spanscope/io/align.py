"""The same text cut into other tokens: places that agree, white space aside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data import Corpus, Spans, Tokens
from spanscope.errors import InputError, shown


def moved(gold: Corpus, pred: Corpus) -> Corpus:
    """Return the predictions at the places that their characters have in gold's texts."""
    if gold.texts is None or pred.texts is None or pred.tokens is None:
        return pred
    place = _places(gold, pred)
    shift = np.append(0, np.cumsum([len(text) + 1 for text in pred.texts.tolist()]))[:-1]
    tokens = pred.tokens
    doc = np.repeat(np.arange(len(shift)), np.diff(tokens.first))
    new_tokens: Tokens = replace(
        tokens, start=place[shift[doc] + tokens.start], end=place[shift[doc] + tokens.end - 1] + 1
    )
    own = shift[pred.spans.doc]
    spans: Spans = replace(
        pred.spans, start=place[own + pred.spans.start], end=place[own + pred.spans.end - 1] + 1
    )
    return replace(pred, spans=spans, tokens=new_tokens, texts=gold.texts)


def _places(gold: Corpus, pred: Corpus) -> Ints:
    """Return for every place in the predictions' texts, one after the other, the place in gold's."""
    out: list[int] = []
    ours, theirs = ([] if side.texts is None else side.texts.tolist() for side in (gold, pred))
    for doc, (mine, text) in enumerate(zip(ours, theirs, strict=True)):
        if mine.replace(" ", "") != text.replace(" ", ""):
            raise InputError(
                f"the tokens read {shown(text)}, those of gold {shown(mine)}",
                where=pred.where(doc),
                expected="the same text cut into tokens, or the text or start_indices in every document",
            )
        places = [at for at, character in enumerate(mine) if character != " "]
        seen = 0
        for character in text:
            out.append(places[seen] if seen < len(places) else len(mine))
            seen += character != " "
        out.append(len(mine))
    return np.array(out, dtype=np.int64)
