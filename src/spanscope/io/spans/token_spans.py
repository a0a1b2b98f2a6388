"""Spans in numbers of tokens, the last one included: nervaluate's, seqeval's get_entities, GLiNER's training data.

None of them can be told from spans in characters by their numbers, so that the first two are read where somebody
says what they are. GLiNER's have their tokens beside them: their text is these, joined by blanks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from spanscope.arguments import as_whole
from spanscope.errors import InputError, fields_of, shown
from spanscope.io.documents import documents_of
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.objects import CONTAINERS
from spanscope.io.spans.reading import ALONE, Sides, read_plain, translate_documents

TRIPLE = 'lists of a type, the first and the last token, such as ["PER", 0, 1]'


def read_nervaluate(source: Any, options: ReadOptions) -> Sides:
    """Return nervaluate's lists of spans: token numbers, half-open here."""
    own = replace(options, ends="inclusive")
    sides = read_plain(source, own)
    for corpus in sides.values():
        has_texts = corpus.texts is not None and any(text is not None for text in corpus.texts)
        if has_texts or "score" in corpus.spans.extra:  # a model's spans, in characters
            raise InputError(
                f"has {'texts' if has_texts else 'scores'}, so its spans cannot be token numbers",
                where=corpus.name,
                expected="lists of spans with label, start and end alone",
                hint="no [[input=nervaluate]]",
            )
    return sides


def read_seqeval_entities(source: Any, options: ReadOptions) -> Sides:
    """Return the entities of one or of several lists of tags."""
    found = documents_of(source, options.side or "documents", _sentences, (), options.report)

    def translate(value: Any, where: str) -> Mapping[str, Any]:
        if not isinstance(value, (list, tuple)):
            raise InputError(f"a document is {shown(value)}", where=where, expected=TRIPLE)
        return {"spans": [_entity(one, where) for one in value]}

    return {ALONE: translate_documents(found, translate, replace(options, ends="inclusive"))}


def read_gliner_train(source: Any, options: ReadOptions) -> Sides:
    """Return the sentences of GLiNER's training data, at the places of their tokens in the joined text."""
    found = documents_of(source, options.side or "documents", _as_list, CONTAINERS, options.report)
    return {ALONE: translate_documents(found, _of_gliner, replace(options, ends=None))}


def _sentences(value: Any, _where: str) -> list[Any]:
    """Return the lists of entities; entities of one list of tags are one of them."""
    found = list(value) if isinstance(value, (list, tuple)) else [value]
    return [found] if found and _is_entity(found[0]) else found


def _is_entity(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 3 and isinstance(value[0], str)


def _entity(value: Any, where: str) -> Mapping[str, Any]:
    if not _is_entity(value):
        raise InputError(f"an entity is {shown(value)}", where=where, expected=TRIPLE)
    return dict(zip(("label", "start", "end"), value, strict=True))


def _as_list(value: Any, _where: str) -> list[Any]:
    if isinstance(value, Mapping):
        return next((list(value[key]) for key in CONTAINERS if isinstance(value.get(key), list)), [value])
    return list(value)


def _of_gliner(value: Any, where: str) -> Mapping[str, Any]:
    """Return a sentence as a document of our own."""
    tokens = value.get("tokenized_text") if isinstance(value, Mapping) else None
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
        raise InputError(f"a document has {fields_of(value)}", where=where, expected="tokenized_text and ner")
    starts = list(accumulate((len(token) + 1 for token in tokens), initial=0))
    spans = [_of_tokens(one, tokens, starts, where) for one in value.get("ner") or ()]
    own = {key: value[key] for key in ("id",) if value.get(key) is not None}
    return {**own, "text": " ".join(tokens), "spans": spans}


def _of_tokens(one: Any, tokens: Sequence[str], starts: Sequence[int], where: str) -> Mapping[str, Any]:
    first, last, label = one if isinstance(one, (list, tuple)) and len(one) == 3 else (None, None, None)
    a, b = as_whole(first), as_whole(last)
    if a is None or b is None or not 0 <= a <= b < len(tokens):
        expected = f"the first token, the last one and a label, in {len(tokens)} tokens"
        raise InputError(f"ner has {shown(one)}", where=where, expected=expected)
    return {"start": starts[a], "end": starts[b] + len(tokens[b]), "label": label}
