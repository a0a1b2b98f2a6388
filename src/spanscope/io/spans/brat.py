"""brat's standoff files: a folder of texts `x.txt` with their annotations in `x.ann`, or one `.ann` alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem, problem_at
from spanscope.errors import InputError, plural, shown
from spanscope.io.documents import Documents
from spanscope.io.folder import Folder, is_folder, open_folder
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.fitting import count_fitting, translate_quoting
from spanscope.io.spans.one_file_each import (
    annotators_and_documents,
    decode,
    note_left_aside,
    numbered_lines,
    refuse_none,
    stem_of,
)
from spanscope.io.spans.reading import ALONE, Sides

SPAN = re.compile(r"T\d+\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
OTHERS = {
    "R": "relations",
    "E": "events",
    "A": "attributes",
    "M": "attributes",  # as old files have them
    "N": "normalizations",
    "#": "notes",
    "*": "equivalences",
}


class Pair(NamedTuple):
    """A document: its id, whose annotations these are, their name in messages, and its text, if there is one."""

    id: str | None
    annotator: str
    name: str
    annotations: bytes
    text: bytes | None


def read_brat(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of a folder, of one file, or of a folder with a folder for each annotator."""
    if not is_folder(source):
        pair, digest = _document_of_file(source)
        return {ALONE: _corpus([pair], pair.name, digest, options)}
    folder = open_folder(source)
    names = [name for name in folder.names if name.endswith(".ann")]
    refuse_none(names, [".ann"], folder.name)
    stems = {stem_of(name) for name in names}
    bare = [name for name in folder.names if name.endswith(".txt") and stem_of(name) not in stems]
    pairs = [_pair(folder, name) for name in names]
    if not _share_texts(whose := annotators_and_documents(names), pairs):
        whose = [(ALONE, stem_of(name)) for name in names]
    sides: dict[str, list[Pair]] = {}
    for (annotator, own), pair in zip(whose, pairs, strict=True):
        sides.setdefault(annotator, []).append(pair._replace(id=own))
    out = {who: _corpus(own, folder.name, folder.sha256, options) for who, own in sides.items()}
    note_left_aside(next(iter(out.values())), {"texts without a file of annotations": len(bare)}, options)
    return out


def _share_texts(whose: Sequence[tuple[str, str]], pairs: Sequence[Pair]) -> bool:
    """Tell whether documents of one name have one text: those of a train and a test set are no two annotations."""
    texts: dict[str, set[bytes]] = {}
    for (_, own), pair in zip(whose, pairs, strict=True):
        texts.setdefault(own, set()).update(() if pair.text is None else (pair.text,))
    return all(len(found) < 2 for found in texts.values())


def _pair(folder: Folder, name: str) -> Pair:
    text = f"{stem_of(name)}.txt"
    own = folder.open(text, text=False).data if text in folder.names else None
    return Pair(None, ALONE, f"{folder.name}/{name}", folder.open(name, text=False).data, own)


def _document_of_file(source: Any) -> tuple[Pair, str]:
    """Return the document of one file, with the text that lies beside it, if there is one."""
    file = open_source(source, text=False)
    beside = Path(source).with_suffix(".txt") if isinstance(source, (str, Path)) else None
    if beside is None or not file.name.endswith(".ann") or not beside.is_file():
        return Pair(None, ALONE, file.name, file.data, None), file.sha256
    text = open_source(beside, text=False)
    digest = sha256(f"{file.sha256}\0{text.sha256}".encode()).hexdigest()
    return Pair(None, ALONE, file.name, file.data, text.data), digest


def _corpus(pairs: Sequence[Pair], name: str, digest: str, options: ReadOptions) -> Corpus:
    others: Counter[str] = Counter()
    unit, behind = options.unit(), int(options.ends == "inclusive")

    def translate(pair: Pair, where: str) -> dict[str, Any]:
        spans = _spans(decode(pair.annotations, where), where, others)
        if pair.text is None:
            return {"id": pair.id, "spans": spans}
        text = decode(pair.text, where.removesuffix(".ann") + ".txt")
        return _with_text({"id": pair.id, "text": text, "spans": spans}, unit, behind, where)

    found = Documents(pairs, lambda row: pairs[row].name, name, digest)
    corpus = translate_quoting(found, translate, options)
    note_left_aside(corpus, others, options)
    if unit == "codepoints":
        corpus.problems[:0] = _cut_words(corpus)
    return corpus


def _spans(annotations: str, where: str, others: Counter[str]) -> list[dict[str, Any]]:
    """Return the spans of a file, and count all else that it holds."""
    out = []
    names: set[str] = set()
    for number, line in numbered_lines(annotations):
        if (kind := OTHERS.get(line[:1])) is not None:
            others[kind] += 1
        elif line.strip():
            out.append(_span(line, f"{where}:{number}"))
            name = line.partition("\t")[0]
            if name in names:
                what, expected = f"the annotation {name} is there twice", "annotations of one document, each once"
                raise InputError(what, where=f"{where}:{number}", expected=expected)
            names.add(name)
    return out


def _span(line: str, where: str) -> dict[str, Any]:
    found = SPAN.fullmatch(line)
    if found is None:
        expected = "T1, a tab, a label, start and end (further ones after semicolons), a tab, the text"
        raise InputError(f"the line is {shown(line)}", where=where, expected=expected)
    pieces = [[int(a), int(b)] for a, b in (piece.split(" ") for piece in found[2].split(";"))]
    place: dict[str, Any] = {"fragments": pieces}
    if len(pieces) == 1:
        place = {"start": pieces[0][0], "end": pieces[0][1]}
    return {**place, "label": found[1]} | ({} if found[3] is None else {"text": found[3]})


def _with_text(document: dict[str, Any], unit: str, behind: int, where: str) -> dict[str, Any]:
    """Return a document with the text whose characters the offsets count.

    brat's editor counts CR LF as one character, other tools as two: the quoted texts decide.
    """
    if "\r\n" not in document["text"]:
        return document
    readings = [document, {**document, "text": document["text"].replace("\r\n", "\n")}]
    numbers = [count_fitting([one], unit, behind) for one in readings]
    quoted = sum("text" in span for span in document["spans"])
    if 2 * max(numbers) < quoted:
        raise InputError(
            f"{numbers[0]} of {plural(quoted, 'quoted text')} stand at their offsets where CR LF is two "
            f"characters, {numbers[1]} where it is one",
            where=where,
            expected="annotations of this text",
        )
    return readings[numbers.index(max(numbers))]


def _cut_words(corpus: Corpus) -> list[Problem]:
    """Note spans behind an emoji that begin or end inside a word.

    brat's editor counts such characters twice, and the server then quotes the text at the wrong place, so that
    nothing else shows it.
    """
    if corpus.texts is None:
        return []
    number = 0
    spans = corpus.spans
    for doc, start, end in zip(spans.doc.tolist(), spans.start.tolist(), spans.end.tolist(), strict=True):
        text = corpus.texts[doc]
        if text is not None and not text.isascii() and max(text[:start], default="") > "\uffff":
            number += any(text[at - 1 : at].isalnum() and text[at : at + 1].isalnum() for at in (start, end))
    return [problem_at("cut words", corpus.name, number=number)] if number else []
