"""spaCy's documents: .spacy files, JSON, objects in memory. Entities and every group of spans are layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, may_quote_now, named, shown
from spanscope.io.documents import Documents, documents_in, documents_of
from spanscope.io.fields import fields
from spanscope.io.opening import open_source, peek
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES, is_object_of
from spanscope.io.spans.objects import CONTAINERS, unwrap
from spanscope.io.spans.one_file_each import note_left_aside
from spanscope.io.spans.reading import ALONE, Sides, translate_documents
from spanscope.io.spans.recognise_models import is_docbin, is_spacy_object
from spanscope.io.spans.spacy_json import from_json
from spanscope.io.spans.spacy_objects import ENTS, Layered, from_object, sides_of, unpack

SIDES = ("gold", "pred")  # what an Example has of one text: the reference, and what was predicted


def read_spacy(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of a source; of Examples gold and predictions by these names."""
    found = _open(source, options)
    is_example = [is_object_of(one, "spacy", "Example") for one in found.values]
    if not any(is_example):
        return {ALONE: _corpus(found, options)}
    if not all(is_example):
        row = is_example.index(False)
        raise InputError(
            f"an item is {shown(found.values[row])}, others are Examples",
            where=found.where(row),
            expected="Examples only, or documents only",
        )
    own = {name: found._replace(values=values) for name, values in sides_of(found.values, SIDES).items()}
    return {name: replace(_corpus(one, options), role=name) for name, one in own.items()}


def _open(source: Any, options: ReadOptions) -> Documents:
    """Return documents as they come: objects of spaCy's, or values of JSON."""
    called = options.side or "documents"
    if isinstance(source, FILES):
        if not is_docbin(peek(source, 1 << 16)):
            return documents_in(open_source(source), _unwrap, CONTAINERS, options.report)
        file = open_source(source, text=False)
        return Documents(unpack(file.data, file.name), lambda row: f"{file.name}[{row}]", file.name, file.sha256)
    if is_object_of(source, "spacy", "DocBin"):
        return Documents(unpack(source, called), lambda row: f"{called}[{row}]", called)
    if is_spacy_object(source):
        source = [source]
    return documents_of(source, called, _unwrap, CONTAINERS, options.report)


def _unwrap(value: Any, where: str) -> list[Any]:
    if isinstance(value, (list, tuple)) and not (value and isinstance(value[0], str)):
        return list(value)
    if isinstance(value, Mapping) and "token_annotation" in value:
        return [value]
    return unwrap(value, fields(None), where)[0]


def _corpus(found: Documents, options: ReadOptions) -> Corpus:
    """Return the corpus of one layer of all documents."""
    documents = [_try_reading(partial(_layers_of, one), found.where(row)) for row, one in enumerate(found.values)]
    sizes: Counter[str] = Counter({ENTS: 0})
    for one in documents:
        if not isinstance(one, InputError):
            sizes.update({name: len(spans) for name, spans in one.layers.items()})
    layer = choose_group(sizes, options.layer, found.name)
    named_all = all(not isinstance(one, InputError) and one.id is not None for one in documents)

    def translate(one: Layered | InputError, _: str) -> dict[str, Any]:
        if isinstance(one, InputError):
            raise one
        own = one.id if named_all else None
        return {"id": own, "text": one.text, "spans": one.layers.get(layer, []), "meta": one.meta}

    corpus = translate_documents(found._replace(values=documents), translate, options)
    note_left_aside(corpus, {"spans of other layers": sizes.total() - sizes[layer]}, options)
    return corpus


def _try_reading(read: Callable[[str], Layered], where: str) -> Layered | InputError:
    """Return a document, or in its place the error that says why it cannot be read."""
    try:
        return read(where)
    except InputError as error:
        return error


def _layers_of(one: Any, where: str) -> Layered:
    is_empty = isinstance(one, (list, tuple)) and not one  # the spans of a document that has none
    if isinstance(one, Layered):
        return one
    return from_object(one) if is_empty or is_spacy_object(one) else from_json(one, where)


def choose_group(found: Mapping[str, int], asked: str | None, where: str) -> str:
    """Return the layer that is read: the one asked for, else the only one that has spans.

    >>> choose_group({"ents": 3, "sc": 0}, None, "gold.spacy")
    'ents'
    """
    full = [name for name, number in found.items() if number]
    if asked is None and len(full) < 2:
        return full[0] if full else ENTS
    if asked is not None and asked in found:
        return asked
    names = full if asked is None else list(found)
    held = _list_parts([f"{ENTS if name == ENTS else f'spans {shown(name)}'} ({found[name]:,})" for name in names])
    what = f"holds {held}" if asked is None else f"has no layer called {named(asked)}: it holds {held}"
    hint = " or ".join(f"[[layer={name}]]" for name in names) if may_quote_now() else ""
    raise InputError(what, where=where, expected="one layer of spans", hint=hint)


def _list_parts(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)
