"""Quotes of a model become spans of the documents: read, place, tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from spanscope.data.corpus import Corpus
from spanscope.errors import DocumentError, InputError, MeasureError, named, plural, quoting, shown
from spanscope.io.document_texts import BODIES, ids_and_texts
from spanscope.io.documents import Documents, documents_in
from spanscope.io.opening import open_source
from spanscope.io.pipes import hold
from spanscope.io.reading import read as read_corpus
from spanscope.io.source import FILES, Source
from spanscope.io.strict import Report
from spanscope.locating.answers import IDS, LISTS, Answer, read_answer
from spanscope.locating.document import Locating, Placement, place
from spanscope.locating.placing import Order
from spanscope.locating.replies import has_own_id
from spanscope.results.located import Located, LocatedRow
from spanscope.settings.options import Text
from spanscope.settings.run_settings import may_quote

ORDERS = ("auto", "text", "label", "none")
CONTAINERS = ("documents", "data", "outputs")


def locate(
    texts: Any,
    outputs: Any,
    *,
    fuzzy: float = 0.75,
    order: Order = "auto",
    offsets: Literal["hint", "ignore"] = "hint",
    repair_json: bool = False,
    missing: Literal["error", "empty"] = "error",
    text: Text = "full",
) -> Located:
    """Place the quotes of a model in the documents it was asked about.

    texts     documents with `id` and `text`: a path, a list of objects, a mapping from id to text, or a Corpus.
    outputs   what the model said, by document: a path, or a list of objects with `id` and `spans` (each with
              `quote`, `label`, perhaps `start` and `end`), `entities`, lists by label, or the raw text under
              `output`. Outputs without ids are paired with the documents by position.
    fuzzy     the least score of a quote that is nearly in the text; 1 asks for quotes equal after folding.
    order     what the model's order says: auto, text, label or none.
    offsets   the model's own offsets are a hint, or ignored.

    The placement of a document depends on its text and its items alone: it never sees gold.
    """
    how = _settle(fuzzy, order, offsets)
    if missing not in ("error", "empty"):
        raise MeasureError(f"missing is {shown(missing)}", expected="error or empty")
    with quoting(may_quote(text)):
        documents = read_texts(texts)
        answers, repaired = _answers(outputs, documents, repair=repair_json, failed=missing)
        lacking = [name for name in documents if name not in answers]
        if lacking and missing == "error":
            raise DocumentError(
                f"{plural(len(lacking), 'document')} without an output, such as {named(lacking[0])}",
                expected="an output for each document",
                hint="[[missing=empty]]   to count them as nothing found",
            )
        rows: list[LocatedRow] = []
        for name, own in documents.items():
            where, items = answers.get(name, ("", []))
            rows += [_row(name, own, *one, where) for one in _place_items(own, items, how)]
    settings = {"fuzzy": fuzzy, "order": order, "offsets": offsets, "repair_json": repair_json, "missing": missing}
    return Located(rows, documents, corpus_of(documents, rows), settings, repaired, lacking, text)


def _settle(fuzzy: float, order: Order, offsets: Literal["hint", "ignore"]) -> Locating:
    if isinstance(fuzzy, bool) or not isinstance(fuzzy, (int, float)) or not 0.5 <= fuzzy <= 1:
        raise MeasureError(f"fuzzy is {shown(fuzzy)}", expected="a score from 0.5 to 1, such as 0.75")
    if order not in ORDERS:
        raise MeasureError(f"order is {shown(order)}", expected=", ".join(ORDERS))
    if offsets not in ("hint", "ignore"):
        raise MeasureError(f"offsets is {shown(offsets)}", expected="hint or ignore")
    return Locating(float(fuzzy), order, offsets)


def _place_items(
    text: str, items: Sequence[dict[str, Any]], how: Locating
) -> list[tuple[int, dict[str, Any], Placement]]:
    return [(at, item, one) for at, (item, one) in enumerate(zip(items, place(text, items, how), strict=True))]


def _row(name: str, text: str, number: int, item: Mapping[str, Any], one: Placement, where: str) -> LocatedRow:
    found = None if one.start is None else text[one.start : one.end]
    near = None if one.nearest is None else text[slice(*one.nearest)]
    return LocatedRow(
        name,
        number,
        item["label"],
        item["quote"],
        one.start,
        one.end,
        found,
        one.status,
        one.place,
        one.score,
        one.candidates,
        one.reason,
        one.nearest,
        near,
        one.moved,
        one.edits,
        where,
        item.get("score"),
        (item.get("start"), item.get("end")),
    )


def corpus_of(documents: Mapping[str, str], rows: Sequence[LocatedRow]) -> Corpus:
    """Return the placed quotes as a corpus; those without a place stay in it, as spans without offsets."""
    spans: dict[str, list[dict[str, Any]]] = {name: [] for name in documents}
    for row in rows:
        own: dict[str, Any] = {"label": row.label, "text": row.text if row.start is not None else row.quote or ""}
        own |= {"start": row.start, "end": row.end} if row.start is not None else {}
        own |= {} if row.confidence is None else {"score": row.confidence}
        spans[row.document].append(own)
    made = [{"id": name, "text": text, "spans": spans[name]} for name, text in documents.items()]
    return read_corpus(made, name="located")


def read_texts(source: Any) -> dict[str, str]:
    """Return the texts of documents by id."""
    if isinstance(source, Corpus):
        return _texts_of(source)
    if isinstance(source, Mapping) and all(isinstance(one, str) for one in source.values()):
        return {str(name): one for name, one in source.items()}
    found = _documents(source, "texts")
    out: dict[str, str] = {}
    for row, (own, text) in enumerate(ids_and_texts(found.values)):
        if text is None:
            return _texts_of(read_corpus(source, name="texts"))
        name = str(row) if own is None else own
        if name in out:
            raise DocumentError(f"the id {named(name)} is repeated", where=found.where(row), expected="ids once")
        out[name] = text
    return out


def _is(value: Any) -> bool:
    return isinstance(value, Mapping)


def _texts_of(corpus: Corpus) -> dict[str, str]:
    texts = [] if corpus.texts is None else corpus.texts.tolist()
    names = corpus.ids or [str(row) for row in range(corpus.n_documents)]
    lacking = next((row for row, own in enumerate(texts or [None]) if own is None), None)
    if corpus.n_documents and lacking is not None:
        raise InputError("the document has no text", where=corpus.where(lacking), expected="texts to look in")
    return dict(zip(names, texts, strict=True))


def _id_of(value: Any) -> str | None:
    own = next((value[key] for key in IDS if value.get(key) is not None), None) if _is(value) else None
    return None if own is None or isinstance(own, (list, dict)) else str(own)


def _documents(source: Any, called: str) -> Documents:
    """Return the documents of a source, before anybody looks into them."""
    source = hold(source)
    if isinstance(source, FILES):
        return documents_in(open_source(source), _unwrap, CONTAINERS, Report())
    if isinstance(source, (list, tuple, Mapping)):
        return Documents(_unwrap(source, called), lambda row: f"{called}[{row}]", called, None, source)
    raise InputError(f"the {called} are {shown(source)}", expected="a path, or a list of documents")


def _unwrap(value: Any, where: str) -> list[Any]:
    """Return the documents in a JSON value: a list, a list under a name, or the value itself."""
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, Mapping):
        inner = next((value[key] for key in CONTAINERS if isinstance(value.get(key), list)), None)
        if inner is not None:
            return list(inner)
        known = {*IDS, *LISTS, *BODIES}
        if value and not known & {*value} and all(isinstance(one, (Mapping, list)) for one in value.values()):
            return [{"id": key, **own} if _is(own) else {"id": key, "spans": own} for key, own in value.items()]
        return [value]
    raise InputError(f"the input is {shown(value)}", where=where, expected="documents")


Answers = dict[str, tuple[str, list[dict[str, Any]]]]


def _answers(source: Any, documents: Mapping[str, str], *, repair: bool, failed: str) -> tuple[Answers, list[str]]:
    """Return the items of each document with the place they came from, and where JSON was repaired."""
    found = _raw_or_documents(source, len(documents) == 1)
    names = [_id_of(value) for value in found.values]
    for row, value in enumerate(found.values):
        if _is(value) and names[row] not in documents and has_own_id(value):
            names[row] = None
    if not any(name is not None for name in names):
        names = _by_position(found, list(documents))
    out: Answers = {}
    repaired: list[str] = []
    for row, (name, value) in enumerate(zip(names, found.values, strict=True)):
        where = found.where(row)
        if name is None or name not in documents:
            what = "the output has no id" if name is None else f"no text has the id {named(name)}"
            raise DocumentError(what, where=where, expected="the id of one of the texts")
        if name in out:
            raise DocumentError(f"the id {named(name)} is repeated", where=where, expected="one output a document")
        answer: Answer = read_answer(value, where, repair=repair)
        if answer.failure is not None:
            _refuse_failed(answer.failure, where, failed)
            continue
        out[name] = (where, answer.items)
        repaired += [where] * answer.repaired
    return out, repaired


def _refuse_failed(why: str, where: str, failed: str) -> None:
    """Refuse a call that brought no reply, unless documents without an output are let pass."""
    if failed == "error":
        raise DocumentError(
            f"the call brought no reply: {shown(why)}",
            where=where,
            expected="an output for each document",
            hint="[[missing=empty]]   to count them as nothing found",
        )


def _raw_or_documents(source: Any, alone: bool) -> Documents:
    """Return the outputs of a source; of one document the source may be the model's very words."""
    source = hold(source)
    if isinstance(source, FILES):
        source = open_source(source)
        if source.head(64).lstrip()[:1] not in (b"{", b"["):
            if not alone:
                raise InputError(
                    "is not valid JSON",
                    where=str(source),
                    expected='a line for each document, such as {"id": "d1", "output": "what the model said"}',
                    hint="the model's words alone can be a file where they are about one document",
                )
            return Documents([_words_of(source)], lambda _: f"{source}:1", str(source))
    found = _documents(source, "outputs")
    if alone and len(found.values) != 1 and not any(_id_of(one) for one in found.values):
        return found._replace(
            values=[list(found.values)], where=lambda _: found.where(0) if found.values else found.name
        )
    return found


def _words_of(source: Source) -> str:
    try:
        return source.data.decode()
    except UnicodeDecodeError as error:
        line = source.data.count(b"\n", 0, error.start) + 1
        what = f"byte {source.data[error.start]:#04x} is not UTF-8"
        raise InputError(what, where=f"{source}:{line}", expected="text in UTF-8") from None


def _by_position(found: Documents, names: list[str]) -> list[str | None]:
    if len(found.values) != len(names):
        raise DocumentError(
            f"{plural(len(found.values), 'output')} without ids for {plural(len(names), 'document')}",
            where=found.name,
            expected="an id in each output, or as many outputs as documents, in their order",
        )
    return [*names]
