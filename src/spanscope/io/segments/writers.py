"""The forms in which segmentations are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spanscope.io import losses as of
from spanscope.io.losses import Document, Feature
from spanscope.io.offsets import units_before
from spanscope.io.segments import write_strings as strings
from spanscope.io.segments import write_units as units
from spanscope.io.segments.recognise import HEADING
from spanscope.io.spans.lacks import file_name
from spanscope.io.writer import Writer, json_lines, json_value

CUT = "=========="  # between the segments of Choi's files
LEVELS = Feature(
    "documents with several levels of segments",
    "left out",
    lambda one: int(isinstance(one["segments"], Mapping)),
    lambda one: None if isinstance(one["segments"], Mapping) else one,
)
LABELS = Feature(
    "labels of segments",
    "left out",
    lambda one: sum(len(segment) > 2 for segment in one["segments"]),
    lambda one: {**one, "segments": [segment[:2] for segment in one["segments"]]},
)
TIMES = of.without_field("times that a method took", "ptime")


def _ends_at_lines(document: Document) -> bool:
    text = document["text"]
    lines = text.removesuffix("\n").split("\n")
    return (
        all(text[end - 1 : end] == "\n" for _, end, *_ in document["segments"][:-1])
        and not any(line.startswith(CUT) or not line.strip() or HEADING.fullmatch(line.strip()) for line in lines)
        and "\r" not in text
    )


BETWEEN_LINES = Feature(
    "documents whose segments do not end where lines end",
    "left out",
    lambda one: int(not _ends_at_lines(one)),
    lambda one: one if _ends_at_lines(one) else None,
)


def write_lines(documents: Sequence[Document]) -> bytes:
    """Return our own form, one line per document."""
    return json_lines(documents)


def write_choi(documents: Sequence[Document]) -> dict[str, bytes]:
    """Return Choi's files: a sentence a line, and a line of signs around every segment."""
    out = {}
    for one in documents:
        parts = [one["text"][start:end].removesuffix("\n") for start, end, *_ in one["segments"]]
        out[f"{one['id']}.ref"] = "".join(
            f"{part}\n" for part in [CUT, *(x for p in parts for x in (p, CUT))]
        ).encode()
    return out


def write_segeval(documents: Sequence[Document]) -> bytes:
    """Return segeval's JSON: the lengths of segments, by document and by coder."""
    items = {one["id"]: {"coder": [end - start for start, end, *_ in one["segments"]]} for one in documents}
    return json_value({"segmentation_type": "linear", "id": "", "items": items})


def write_segeval_tables(documents: Sequence[Document]) -> dict[str, bytes]:
    """Return segeval's tables, one for each document: a coder and the lengths of its segments."""
    masses = {one["id"]: [str(end - start) for start, end, *_ in one["segments"]] for one in documents}
    rows = {name: "\t".join(["coder", *own]) for name, own in masses.items()}
    return {f"{name}.tsv": f"Coder\tMasses\n{row}\n".encode() for name, row in rows.items()}


def write_label_studio(documents: Sequence[Document]) -> bytes:
    """Return tasks of Label Studio with an annotation each, whose offsets count UTF-16 units, as its own do."""
    return json_value([_task(one, number) for number, one in enumerate(documents, start=1)])


def _task(document: Document, number: int) -> dict[str, Any]:
    text = document["text"]
    before = units_before(text, "utf16")
    result = [
        {
            "id": f"r{at}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "value": {
                "start": before(start),
                "end": before(end),
                "text": text[start:end],
                "labels": [*more] or ["segment"],
            },
        }
        for at, (start, end, *more) in enumerate(document["segments"], start=1)
    ]
    own = {"id": document["id"]} if "id" in document else {}
    meta = {"meta": document["meta"]} if "meta" in document else {}
    return {
        "data": {"text": text, **own},
        **meta,
        "annotations": [{"id": number, "completed_by": 1, "result": result}],
    }


ALL_BUT_LENGTHS = (LABELS, TIMES, of.META, of.IDS, of.TEXTS)  # of documents in the order of their lines
NO_SEGMENTS = Feature(
    "documents without segments",
    "left out",
    lambda one: int(not one["segments"]),
    lambda one: one if one["segments"] else None,
)
WRITERS = (
    Writer("segments", "segments", write_lines, (), (".jsonl", ".ndjson"), ("segments",)),
    Writer(
        "choi",
        "segments",
        write_choi,
        (LEVELS, of.NO_TEXT, LABELS, TIMES, of.META, BETWEEN_LINES),
        reads_as=("choi",),
        needs_ids=True,
        folder=True,
    ),
    Writer(
        "segeval",
        "segments",
        write_segeval,
        (LEVELS, LABELS, TIMES, of.META, of.TEXTS),
        reads_as=("segeval",),
        needs_ids=True,
    ),
    Writer(
        "label-studio",
        "segments",
        write_label_studio,
        (LEVELS, of.NO_TEXT, TIMES),
        reads_as=("label-studio", "labelstudio-segments"),
    ),
    Writer(
        "wiki-727k",
        "segments",
        units.write_wiki,
        (LEVELS, TIMES, units.NO_SENTENCES, units.NO_LINES, units.ONE_LINE_LABELS, units.OTHER_META),
        reads_as=("wiki-727k",),
        needs_ids=True,
        own_id=units.bare_name,
        folder=True,
    ),
    Writer(
        "nltk-gaps",
        "segments",
        strings.write_gaps,
        (LEVELS, strings.NO_GAPS, *ALL_BUT_LENGTHS),
        reads_as=("nltk-gaps",),
    ),
    Writer(
        "nltk-units",
        "segments",
        strings.write_units,
        (LEVELS, strings.NO_UNITS, *ALL_BUT_LENGTHS),
        reads_as=("nltk-units",),
    ),
    Writer(
        "segeval-table",
        "segments",
        write_segeval_tables,
        (LEVELS, NO_SEGMENTS, LABELS, TIMES, of.META, of.TEXTS),
        reads_as=("segeval-table",),
        needs_ids=True,
        own_id=file_name,
        folder=True,
    ),
    Writer(
        "sentences",
        "segments",
        units.write_sections,
        (LEVELS, units.NO_SENTENCES, LABELS, units.OWN_SENTENCES),
        reads_as=("sentences",),
    ),
)
