"""NLTK's strings: lines of 0 and 1, one character per gap or per unit, which the lines do not say."""

from __future__ import annotations

from functools import partial
from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, plural, shown
from spanscope.io.documents import Documents
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.segments.reading import read_documents
from spanscope.io.spans.one_file_each import decode, numbered_lines

GAPS, UNITS = "[[input=nltk-gaps]]", "[[input=nltk-units]]"
PAIRS = "[[input=nltk-gap-pairs]] or [[input=nltk-unit-pairs]]"


def ask_which(source: Any, _: ReadOptions) -> dict[str, Corpus]:
    """Refuse lines of 0 and 1 with the options for each reading."""
    file = open_source(source)
    number, first = next((n, line) for n, line in numbered_lines(decode(file.data, file.name)) if line.strip())
    raise InputError(
        f"{shown(first)} may have one character per gap ({len(first) + 1} units) or per unit ({len(first)})",
        where=f"{file.name}:{number}",
        expected="the word which of the two, and whether gold and predictions come in turn",
        hint=f"{GAPS} or {UNITS}, one line per document; {PAIRS}, gold and predictions in turn",
    )


def _read(source: Any, options: ReadOptions, *, per_gap: bool, pairs: bool) -> dict[str, Corpus]:
    """Return one document per line, or of every two lines; the documents have no ids but their places."""
    file = open_source(source)
    lines = [(n, line.strip()) for n, line in numbered_lines(decode(file.data, file.name)) if line.strip()]
    for number, line in lines:
        if set(line) - {"0", "1"}:
            raise InputError(f"the line is {shown(line)}", where=f"{file.name}:{number}", expected="0 and 1 alone")
    if pairs and len(lines) % 2:
        what = f"has {plural(len(lines), 'line')}, an odd number"
        raise InputError(what, where=file.name, expected="gold and predictions in turn")
    more = int(per_gap)
    documents: list[dict[str, Any]] = []
    at: list[int] = []
    for place in range(0, len(lines), 2 if pairs else 1):
        number, line = lines[place]
        own: dict[str, Any] = {"string": line}
        if pairs:
            other = lines[place + 1][1]
            if len(other) != len(line):
                what = f"the line has {plural(len(other), 'character')}, the one before it {len(line)}"
                raise InputError(what, where=f"{file.name}:{number + 1}", expected="two of one length")
            own = {"segmentations": {"gold": {"string": line}, "pred": {"string": other}}}
        name = {"id": f"s{len(documents) + 1}"} if pairs else {}
        documents.append({**name, "length": len(line) + more, **own})
        at.append(number)
    found = Documents(documents, lambda row: f"{file.name}:{at[row]}", file.name, file.sha256)
    return read_documents(found, options)


read_gaps = partial(_read, per_gap=True, pairs=False)
read_units = partial(_read, per_gap=False, pairs=False)
read_gap_pairs = partial(_read, per_gap=True, pairs=True)
read_unit_pairs = partial(_read, per_gap=False, pairs=True)
