"""Which text each span of a batch has: its own, or its document's at its offsets; and where these differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import NOWHERE
from spanscope.data.problems import Problem, problem_at
from spanscope.data.wording import quote
from spanscope.io.fields import any_there
from spanscope.io.offsets import other_reading
from spanscope.io.spans.batch import Batch, numbers_in_documents
from spanscope.io.spans.values import number_column

Texts = Sequence[str | None]
CASES = 20  # of a batch that are tried by other readings: more are not shown


def texts_of(batch: Batch, *, keep_given: bool) -> tuple[Texts | None, Texts]:
    """Return the text of each span, and those that the documents have at the offsets, where somebody had to look.

    None stands for the texts that all documents have at all offsets: nobody has to cut them before they are
    asked for, and mostly they are not.
    """
    given = batch.given
    if _agree(batch):
        return given if keep_given else None, ()
    if not keep_given and _cut_later(batch):
        return None, ()
    whole = _whole_texts(batch)
    if not whole:
        return given, ()
    known = type(None) not in set(map(type, whole)) and not (batch.starts == NOWHERE).any()
    if known and not keep_given and not any_there(given):
        return None, ()
    cut: list[str | None] = [
        None if text is None or a == NOWHERE or (known and own is None) else text[a:b]
        for text, a, b, own in zip(whole, batch.starts.tolist(), batch.ends.tolist(), given, strict=True)
    ]
    for row, fragments in batch.fragments.items():
        if (text := whole[row]) is not None:
            cut[row] = " ".join(text[a:b] for a, b in fragments)
    if keep_given:
        return given, cut
    return None if known else [own if there is None else there for own, there in zip(given, cut, strict=True)], cut


def _cut_later(batch: Batch) -> bool:
    """Tell whether all spans have offsets into texts, and none a text of its own, without a look at each."""
    placed = len(batch.starts) > 0 and not (batch.starts == NOWHERE).any()
    return placed and type(None) not in set(map(type, batch.texts)) and not any_there(batch.given)


def quotes(batch: Batch, cut: Texts) -> Texts | None:
    """Return the texts that spans came with where their documents have others, else None; None without any."""
    pairs = zip(batch.given, cut, strict=True) if cut else ()
    out = [None if own is None or there is None or own == there else own for own, there in pairs]
    return out if any_there(out) else None


def mismatches(batch: Batch, cut: Texts, first: int, where: Callable[[int], str]) -> list[Problem]:
    """Return where the text that a span came with is not the document's; `first` is the first document's row."""
    if not cut:
        return []
    number = numbers_in_documents(batch.numbers, batch.sizes).tolist()
    doc = np.repeat(np.arange(len(batch.sizes)), batch.sizes).tolist()
    out: list[Problem] = []
    for row, (own, there) in enumerate(zip(batch.given, cut, strict=True)):
        if own is not None and there is not None and own != there:
            values: dict[str, Any] = {"at": f"spans[{number[row]}]", "own": quote(own), "there": quote(there)}
            start, end = int(batch.starts[row]), int(batch.ends[row])
            fits = other_reading(batch.texts[doc[row]] or "", start, end, own) if len(out) < CASES else ""
            values |= {"start": start, "end": end, "fits": fits}
            place = first + doc[row]
            at = batch.rows[doc[row]] if batch.rows else place
            out.append(problem_at("text mismatch", where(at), values, row=place))
    return out


def _whole_texts(batch: Batch) -> Texts:
    """Return the text of the document of each span; nothing where no document has one."""
    if not any_there(batch.texts):
        return []
    out: list[str | None] = np.repeat(np.array(batch.texts, dtype=object), batch.sizes).tolist()
    return out


def _agree(batch: Batch) -> bool:
    """Tell whether every span came with the very text that the document has at its offsets."""
    if batch.agrees is not None:
        return batch.agrees
    whole = _whole_texts(batch)
    if batch.fragments or not whole or (batch.starts == NOWHERE).any():
        return False
    try:
        own: Ints = number_column(list(map(len, batch.given)), typed=True)  # type: ignore[arg-type]
        return bool((own == batch.ends - batch.starts).all()) and all(
            map(str.startswith, whole, batch.given, batch.starts.tolist())  # type: ignore[arg-type]
        )
    except TypeError:  # a document or a span without text
        return False
