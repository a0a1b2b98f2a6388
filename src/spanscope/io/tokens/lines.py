"""CoNLL files as sentences: which columns hold tokens and tags, and what comments say of the sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from spanscope.data.problems import Problem
from spanscope.errors import InputError
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import Source
from spanscope.io.tokens.conll import (
    check_sides,
    check_tags,
    column,
    columns,
    from_label_studio,
    is_conll,
    read_lines,
)
from spanscope.io.tokens.recognise import tag_columns
from spanscope.io.tokens.remarks import Remarks
from spanscope.io.tokens.sentences import Sentences


def from_lines(source: str | Path | Source, options: ReadOptions) -> Sentences:
    """Return a CoNLL file: the token in the first column, the tag in the last (gold in the one before)."""
    file, rules, both = open_source(source), options.tags, options.both
    asked = columns(rules.columns)
    places = tag_columns(asked, both=both)
    at = {"token": asked.get("token", 0), **places}
    found = read_lines(file, at, docstart=rules.docstart, said=rules.said, chosen=bool(rules.columns))
    alone = len(found.rows[0]) < 3 or not (rules.said or is_conll(file.data, [*places.values()]))
    if both and alone and "pred" not in asked:
        raise InputError(
            "has no column of predictions",
            where=file.name,
            expected="token, gold tag and predicted tag on every line, or predictions in a second file",
        )
    tags = {side: column(found, number, side, file) for side, number in places.items()}
    for own in tags.values() if not rules.said else ():
        check_tags(found, own, file)
    if both and not asked and len(found.rows[0]) > 3:
        check_sides(tags, file)
    tokens = column(found, at["token"], "token", file)
    first, said = found.first(), found.remarks or Remarks()
    shifted = (
        [Problem("shifted tags", file.name, values={"tool": "Label Studio's CoNLL export"})]
        if from_label_studio(found)
        else []
    )
    return Sentences(
        file.name,
        found.sizes,
        tags,
        tokens,
        texts=_texts_or_tokens(said.texts, tokens, first),
        ids=said.names(),
        where=lambda doc, token: f"{file.name}:{found.numbers[first[doc] + token]}",
        sha256=file.sha256,
        problems=shifted,
        groups=said.groups(),
        in_comments=True,
    )


def _texts_or_tokens(texts: list[str | None], tokens: list[str], first: Sequence[int]) -> list[str | None] | None:
    """Return the texts that comments have, the tokens joined where one has none; None where there is no text."""
    if not any(texts):
        return None
    return [text or " ".join(tokens[a:b]) for text, (a, b) in zip(texts, pairwise(first), strict=True)]
