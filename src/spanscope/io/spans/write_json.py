"""Labelled spans in the JSON of other tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spanscope.io.losses import Document
from spanscope.io.offsets import units_before
from spanscope.io.writer import json_lines, json_value

ANNOTATOR = 1  # Label Studio's number of the annotator, where nobody is known


def write_lines(documents: Sequence[Document]) -> bytes:
    """Return our own form, one line per document."""
    return json_lines(documents)


def write_doccano(documents: Sequence[Document]) -> bytes:
    """Return what doccano imports for sequence labelling: offsets in the UTF-16 units that its editor counts.

    It keeps offsets as they come, shows them in these units, and adds to them what is marked in these units.
    """
    return json_lines([_doccano_record(one) for one in documents])


def _doccano_record(document: Document) -> dict[str, Any]:
    before = units_before(document["text"], "utf16")
    return {
        **{key: document[key] for key in ("id", "text", "meta") if key in document},
        "label": [[before(span["start"]), before(span["end"]), span["label"]] for span in document["spans"]],
    }


def write_prodigy(documents: Sequence[Document]) -> bytes:
    """Return what Prodigy's spans.manual and ner.manual read."""
    return json_lines(
        [{**one, "spans": [{**span, "text": cut(one, span)} for span in one["spans"]]} for one in documents]
    )


def write_label_studio(documents: Sequence[Document]) -> bytes:
    """Return the tasks that Label Studio imports, with an annotation each; its offsets are UTF-16 units."""
    return json_value([_task(one, number) for number, one in enumerate(documents, start=1)])


def _task(document: Document, number: int) -> dict[str, Any]:
    before = units_before(document["text"], "utf16")
    result = []
    for at, span in enumerate(document["spans"], start=1):
        place = {"start": before(span["start"]), "end": before(span["end"])}
        value = {**place, "text": cut(document, span), "labels": [span["label"]]}
        more = {key: span[key] for key in ("score", "meta") if key in span}
        result.append(
            {"id": f"r{at}", "from_name": "label", "to_name": "text", "type": "labels", "value": value, **more}
        )
    own = {"id": document["id"]} if "id" in document else {}
    return {  # without an id of the task: Label Studio numbers tasks itself
        "data": {"text": document["text"], **own, **document.get("meta", {})},
        "annotations": [{"id": number, "completed_by": ANNOTATOR, "result": result}],
    }


def cut(document: Document, span: Document) -> str:
    """Return what a span marks."""
    text: str = document["text"][span["start"] : span["end"]]
    return text


def write_bioc(documents: Sequence[Document]) -> bytes:
    """Return a collection of BioC in JSON: a passage a document, and what is known of a span as its infons."""
    return json_value(
        {"source": "", "date": "", "key": "", "infons": {}, "documents": [_article(one) for one in documents]}
    )


def _article(document: Document) -> dict[str, Any]:
    annotations = []
    for number, span in enumerate(document["spans"], start=1):
        pieces = span.get("fragments", [[span["start"], span["end"]]])
        score = {"score": repr(span["score"])} if "score" in span else {}
        annotations.append(
            {
                "id": str(number),
                "infons": {**span.get("meta", {}), "type": span["label"], **score},
                "text": " ".join(document["text"][start:end] for start, end in pieces),
                "locations": [{"offset": start, "length": end - start} for start, end in pieces],
            }
        )
    passage = {"offset": 0, "infons": {}, "text": document["text"], "sentences": [], "annotations": annotations}
    return {
        "id": document["id"],
        "infons": document.get("meta", {}),
        "passages": [{**passage, "relations": []}],
        "relations": [],
    }


def write_bdoc(documents: Sequence[Document]) -> dict[str, bytes]:
    """Return a file of GATE's JSON for each document, the spans in the default set; offsets are code points."""
    return {f"{one['id']}.bdocjs": json_value(_bdoc(one)) for one in documents}


def _bdoc(document: Document) -> dict[str, Any]:
    marks = [
        {
            "type": span["label"],
            "start": span["start"],
            "end": span["end"],
            "id": number,
            "features": {**({"score": span["score"]} if "score" in span else {}), **span.get("meta", {})},
        }
        for number, span in enumerate(document["spans"])
    ]
    return {
        "annotation_sets": {"": {"name": "", "annotations": marks, "next_annid": len(marks)}},
        "text": document["text"],
        "features": document.get("meta", {}),
        "offset_type": "p",
        "name": document["id"],
    }


def write_parquet(documents: Sequence[Document]) -> bytes:
    """Return a table with one row per document, the spans a list of structs."""
    import io

    from spanscope.errors import InputError
    from spanscope.io.tables import arrow

    pa = arrow("parquet")
    import pyarrow.parquet as pq

    fields = {"start": pa.int64(), "end": pa.int64(), "label": pa.string(), "text": pa.string()}
    fields |= {"score": pa.float64(), "fragments": pa.list_(pa.list_(pa.int64()))}
    try:
        metas = {
            name: pa.array(values).type
            for name, values in (
                ("document", [one.get("meta") for one in documents]),
                ("span", [span.get("meta") for one in documents for span in one["spans"]]),
            )
            if any(value is not None for value in values)
        }
        spans = fields | ({"meta": metas["span"]} if "span" in metas else {})
        own = {"id": pa.string(), "text": pa.string(), "spans": pa.list_(pa.struct(list(spans.items())))}
        own |= {"meta": metas["document"]} if "document" in metas else {}
        table = pa.Table.from_pylist(list(documents), schema=pa.schema(list(own.items())))
    except pa.ArrowException:
        raise InputError(
            "metadata is of several types under one name",
            expected="one type under each name",
            hint="[[to=spans]]   JSON Lines hold them as they are",
        ) from None
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()
