"""Files that are known and cannot be read: what they are, and the one step that makes a readable file of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from spanscope.errors import InputError, shown
from spanscope.io.column_names import WHOLE, columns_of_spans, is_row_a_span
from spanscope.io.head import TEXT, Head
from spanscope.io.spans.recognise import is_headless_rows
from spanscope.io.spans.recognise_models import is_old_spacy
from spanscope.io.xml_root import root_of

XLS = b"\xd0\xcf\x11\xe0"  # first bytes of .xls
READABLE_XML = "xmi:XMI of UIMA, collection of BioC, or GateDocument"
BESIDE = "spans with start, end and label beside the text"


class Known(NamedTuple):
    """What a file is, and what to do about it."""

    what: str
    expected: str
    hint: str = ""


XML = {
    "TEI": Known(
        "is TEI, which marks spans inside the text",
        BESIDE,
        "export it from an annotation tool as UIMA XMI or brat",
    ),
    "html": Known("is HTML", BESIDE, "export annotations as JSON from the tool that made them"),
    "typeSystemDescription": Known(
        "is a type system of UIMA, which describes annotations and has none",
        "the .xmi files beside it, or their folder",
    ),
    "XMI": Known("is XMI, but no CAS of UIMA", READABLE_XML),
}
TEXTS = {
    'File type = "ooTextFile"': Known(
        "is a TextGrid of Praat, which has times of speech and no characters",
        BESIDE,
        'write the boundaries of one tier as masses, {"masses": [4, 6]}, to score it as a segmentation',
    ),
    "#begin document": Known(
        "is OntoNotes' _conll, which has names as brackets such as (PERSON*",
        "a tag for every token",
        "rewrite its column of names as B-, I- and O tags, and read that as CoNLL",
    ),
}
OLD_SPACY = Known(
    "is training data of spaCy 2, which has tags of tokens in sentences of paragraphs",
    "a DocBin, or documents with a text and ents",
    "spacy convert FILE OUT --converter json   makes a .spacy file of it",
)


# What Python prints or has as source: in JSON no ( stands behind [, and no name without quotation marks.
# How it begins, and what comes later: two searches, for one pattern would try every end for every beginning.
PRINTED = (
    (
        re.compile(rb"""\[\s{0,99}\(\s{0,99}[ru]?['"]"""),
        re.compile(rb"""['"](entities|spans)['"]\s{0,99}:"""),
        Known(
            "is Python source of spaCy's training data, not JSON",
            "a file of JSON",
            'save it with json.dump(TRAIN_DATA, open("train.json", "w"))   in Python, and read that',
        ),
    ),
    (
        re.compile(rb"type: \S{1,999}, start: \d{1,20}, end: \d{1,20}, score: "),
        re.compile(b""),
        Known(
            "is what Presidio's results look like when they are printed",
            "a file of JSON",
            "json.dump([[one.to_dict() for one in results] for results in all_results], file)   in Python",
        ),
    ),
)


def _printed_by_python(head: Head) -> tuple[Known, str] | None:
    """Tell what Python prints, which begins like JSON or like nothing that is known, and where it stands."""
    if not head.is_path or head.holds_lines or head.value is not None:
        return None
    begun = head.data[:TEXT]
    for first, later, known in PRINTED:
        if (found := first.search(begun)) is not None and later.search(begun, found.end()) is not None:
            line = begun.count(b"\n", 0, found.start()) + 1
            return known, f"{head.source}:{line}"
    return None


def refuse_unreadable(head: Head) -> None:
    """Refuse a file that no format claims and that is known all the same."""
    where = str(head.source) if head.is_file else ""
    if head.is_path and head.data.startswith(XLS):
        raise InputError(
            "is an Excel workbook", where=where, expected="CSV or TSV", hint="in Excel, save it as CSV UTF-8"
        )
    if head.is_path and is_headless_rows(head):
        _refuse_headless(head)
    if head.is_path and head.delimited is not None:
        _refuse_no_offsets(head.delimited.header, head.delimited.rows, where)
    first = next((line for line in head.lines if line.strip()), "") if head.is_path else ""
    known = next((own for start, own in TEXTS.items() if first.startswith(start)), None)
    if known is None and head.is_path and (root := root_of(head)):
        alike = {name.lower(): own for name, own in XML.items()}
        known = alike.get(root.lower()) or Known(f"is XML with the root element {shown(root)}", READABLE_XML)
    if known is None and (printed := _printed_by_python(head)) is not None:
        known, where = printed
    if known is None and any(is_old_spacy(one.value) for one in head.records()):
        known = OLD_SPACY
    if known is not None:
        raise InputError(known.what, where=where, expected=known.expected, hint=known.hint)


def _refuse_headless(head: Head) -> None:
    """Refuse rows that may be spans or tagged tokens: read as one or the other, the figures differ."""
    row = head.lines[0].split(max("\t,;|", key=head.lines[0].count))
    raise InputError(
        f"{shown('  '.join(row))} looks like spans (document, start, end, label) or tagged tokens",
        where=f"{head.source}:1",
        expected="the names of the columns in the first row",
        hint="[[input=spans-tsv]] (with [[columns=doc=0,start=1,end=2,label=3]]) or [[input=conll]]",
    )


def _refuse_no_offsets(header: Sequence[str], rows: Sequence[Sequence[str]], where: str) -> None:
    """Refuse rows under the names of spans whose offsets are mostly no numbers: Excel makes dates of some."""
    columns = columns_of_spans(header)
    at = [header.index(columns[field]) for field in ("start", "end", "length") if field in columns]
    odd = (
        (number, row[column])
        for number, row in enumerate(rows, start=1)
        for column in at
        if row[column] and not WHOLE.fullmatch(row[column])
    )
    if is_row_a_span(columns) and (first := next(odd, None)) is not None:
        raise InputError(
            f"has the columns of spans ({', '.join(columns.values())}), but row {first[0]} has the offset "
            f"{shown(first[1])}",
            where=where,
            expected="whole numbers as offsets",
            hint="in Excel, give these columns the format Text   if it made dates of numbers",
        )
