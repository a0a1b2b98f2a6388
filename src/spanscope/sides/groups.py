"""Fields of documents: groups that are drawn together, such as the documents of an author; values to slice by."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NoReturn

import msgspec

from spanscope.arithmetic import Ints
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.errors import InputError, did_you_mean, document_name, shown

MARKED = "marked"  # groups that a file marks itself, such as the articles behind -DOCSTART-
FEWEST = 20  # groups from which on they are drawn unasked; of fewer an interval says little


def groups_of(gold: Corpus, field: str | None, rows: Ints, problems: list[Problem]) -> Sequence[str] | None:
    """Return the group of every document of a comparison; None where documents themselves are drawn.

    `rows` are the documents of gold. Where no field was asked for, the groups that the file marks count if there
    are enough of them; that there are too few is noted.
    """
    if field is not None:
        return [_group(gold, field, row) for row in rows.tolist()]
    if gold.groups is None:
        return None
    marked = [gold.groups[row] if row >= 0 else "" for row in rows.tolist()]
    number = len(set(marked))
    if number >= FEWEST:
        return marked
    values = {"groups": number, "fewest": FEWEST}
    problems += [Problem("few marked groups", gold.name, side="gold", values=values)] if number > 1 else []
    return None


def _group(gold: Corpus, field: str, row: int) -> str:
    """Return the group of a document, by a field of it."""
    about: Mapping[str, Any] = {} if row < 0 or gold.meta is None else gold.meta[row] or {}
    if (value := about.get(field)) is None:
        is_text = gold.queries.named_by_text
        name = f" {document_name(gold.ids[row], is_text=is_text)}" if gold.ids is not None and row >= 0 else ""
        raise InputError(
            f"the document{name} has no field {shown(field)}, by which documents are grouped",
            where=gold.where(row) if row >= 0 else gold.name,
            expected="the field in every document of gold, in itself or under meta",
            hint="[[group=NAME]]   with the name of a field that all of them have",
        )
    return _text_of(value)


def values_of(
    gold: Corpus, fields: Sequence[str], rows: Ints, whole: bool = True
) -> dict[str, Sequence[str | None]]:
    """Return the value of each field in every document of a comparison; None where a document lacks it.

    `rows` are the documents of gold. A field that no document has is refused, where these are the `whole` of them:
    its name may be misspelt.
    """
    if not fields:
        return {}
    about: list[Mapping[str, Any]] = [
        {} if row < 0 or gold.meta is None else gold.meta[row] or {} for row in rows.tolist()
    ]
    return {field: _values(gold, field, about, whole) for field in fields}


def _values(gold: Corpus, field: str, about: Sequence[Mapping[str, Any]], whole: bool) -> list[str | None]:
    values = [own.get(field) for own in about]
    if whole and values and all(value is None for value in values):
        refuse_absent(field, gold.name, {name for own in about for name in own})
    return [None if value is None else _text_of(value) for value in values]


def refuse_absent(field: str, where: str, known: Collection[str] = ()) -> NoReturn:
    """Refuse a field to slice by that no document has; `known` are those that some have."""
    near = did_you_mean(field, sorted(known))
    raise InputError(
        f"no document has the field {shown(field)}{near}, by which documents are sliced",
        where=where,
        expected="a field of gold's documents, in themselves or under meta",
        hint="[[by=NAME]]   with the name of a field that documents have",
    )


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=str).decode()
