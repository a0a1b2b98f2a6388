"""Which text each span of a batch has: its own, or its document's at its offsets; and where these differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import NOWHERE
from spanscope.data.problems import Problem, problem_at
from spanscope.data.unicode_forms import differs_in_form, forms_of
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
    out = [
        own if own is not None and there is not None and _is_other(own, there) else None for own, there in pairs
    ]
    return out if any_there(out) else None


def _is_other(own: str, there: str) -> bool:
    """Tell two texts that differ, and not only in their Unicode forms."""
    return own != there and not differs_in_form(own, there)


def mismatches(batch: Batch, cut: Texts, first: int, where: Callable[[int], str]) -> list[Problem]:
    """Return where the text that a span came with is not the document's; `first` is the first document's row."""
    if not cut:
        return []
    number = numbers_in_documents(batch.numbers, batch.sizes).tolist()
    doc = np.repeat(np.arange(len(batch.sizes)), batch.sizes).tolist()
    out: list[Problem] = []
    for row, (own, there) in enumerate(zip(batch.given, cut, strict=True)):
        if own is not None and there is not None and own != there:
            place = first + doc[row]
            at = where(batch.rows[doc[row]] if batch.rows else place)
            span = Quoting(f"spans[{number[row]}]", int(batch.starts[row]), int(batch.ends[row]), own, there)
            whole = (batch.texts[doc[row]] or "") if len(out) < CASES else None
            out.append(problem_of(span, whole, at, row=place))
    return out


class Quoting(NamedTuple):
    """A span with another text than its document: its place, its own text and the document's."""

    at: str
    start: int
    end: int
    own: str
    there: str


def problem_of(span: Quoting, whole: str | None, where: str, *, row: int = 0) -> Problem:
    """Return what is noted of a span with another text than its document.

    `whole` is the document's text, in which other readings of the offsets are tried; None where no more are.
    """
    values: dict[str, Any] = {"at": span.at, "start": span.start, "end": span.end}
    if differs_in_form(span.own, span.there):
        return problem_at("Unicode form", where, {**values, **forms_of(span.own, span.there)}, row=row)
    values |= {"own": quote(span.own), "there": quote(span.there)}
    values["fits"] = "" if whole is None else other_reading(whole, span.start, span.end, span.own)
    return problem_at("text mismatch", where, values, row=row)


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
