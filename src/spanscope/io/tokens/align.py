"""The same text cut into other tokens: places that agree, white space aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, shown


def move_to_text_of(gold: Corpus, pred: Corpus) -> Corpus:
    """Return the predictions at the places that their characters have in gold's texts."""
    if gold.texts is None or pred.texts is None or pred.tokens is None:
        return pred
    partner = _partners(gold, pred)
    if partner is None:
        return pred  # the join says what is missing
    place = _places(gold, pred, partner)
    shift = np.append(0, np.cumsum([len(text) + 1 for text in pred.texts.tolist()]))[:-1]
    tokens, spans = pred.tokens, pred.spans
    doc = np.repeat(shift, np.diff(tokens.first))
    own = shift[spans.doc]
    texts = pred.texts.copy()
    texts[partner >= 0] = gold.texts[partner[partner >= 0]]
    return replace(
        pred,
        spans=replace(spans, start=place[own + spans.start], end=place[own + spans.end - 1] + 1),
        tokens=replace(tokens, start=place[doc + tokens.start], end=place[doc + tokens.end - 1] + 1),
        texts=texts,
    )


def _partners(gold: Corpus, pred: Corpus) -> Ints | None:
    """Return gold's row of each predicted document, -1 where there is none; None where they cannot be paired."""
    if gold.ids is None and pred.ids is None:
        return np.arange(pred.n_documents) if gold.n_documents == pred.n_documents else None
    if gold.ids is None or pred.ids is None:
        return None
    row = {name: at for at, name in enumerate(_occurrences(gold.ids))}
    return np.array([row.get(name, -1) for name in _occurrences(pred.ids)], dtype=np.int64)


def _occurrences(ids: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Return every id with how often it came before: repeated ones are paired in their order."""
    seen: Counter[str] = Counter()
    for name in ids:
        yield name, seen[name]
        seen[name] += 1


def _places(gold: Corpus, pred: Corpus, partner: Ints) -> Ints:
    """Return for every place in the predictions' texts, one after the other, the place in gold's."""
    out: list[int] = []
    ours, theirs = ([] if side.texts is None else side.texts.tolist() for side in (gold, pred))
    for doc, (at, text) in enumerate(zip(partner.tolist(), theirs, strict=True)):
        mine = ours[at] if at >= 0 else text
        if "".join(mine.split()) != "".join(text.split()):
            raise InputError(
                f"the tokens read {shown(text)}, those of gold {shown(mine)}",
                where=pred.where(doc),
                expected="the same text cut into tokens, or the text or start_indices in every document",
            )
        places = [at for at, character in enumerate(mine) if not character.isspace()]
        seen = 0
        for character in text:
            out.append(places[seen] if seen < len(places) else len(mine))
            seen += not character.isspace()
        out.append(len(mine))
    return np.array(out, dtype=np.int64)
