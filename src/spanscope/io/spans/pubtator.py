"""PubTator: a line for the title, one for the abstract, then one line per annotation, document by document."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from spanscope.errors import InputError, shown
from spanscope.io.documents import Documents
from spanscope.io.folder import is_folder
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.fitting import translate_quoting
from spanscope.io.spans.one_file_each import note_left_aside, numbered_lines, open_files
from spanscope.io.spans.reading import ALONE, Sides
from spanscope.io.spans.recognise import PUBTATOR

TEXT = re.compile(r"([^|\t]+)\|([ta])\|(.*)")
BETWEEN = " "  # one character stands between title and abstract, whatever it was
SHORTEST = 5  # columns of an annotation: document, start, end, text, type
EXPECTED = "ID|t|TITLE, ID|a|ABSTRACT, or ID, start, end, text and type between tabs"


@dataclass
class Article:
    """A document: its id, where it begins, its title and abstract, and the lines about it with their places."""

    id: str
    where: str
    parts: dict[str, str] = field(default_factory=dict)
    lines: list[tuple[str, list[str]]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return title and abstract; an empty title keeps the character behind it."""
        title, abstract = self.parts.get("t", ""), self.parts.get("a", "")
        return f"{title}{BETWEEN}{abstract}" if abstract else title


def read_pubtator(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of a file, or of all such files of a folder."""
    files = open_files(source, PUBTATOR if is_folder(source) else ())
    articles: list[Article] = []
    for file in files.found:
        articles += _articles(file.text, file.name)
    others: Counter[str] = Counter(files.others)

    def translate(article: Article, _: str) -> dict[str, Any]:
        spans = [_span(columns, where) for where, columns in article.lines if not _is_relation(columns)]
        others["relations"] += sum(_is_relation(columns) for _, columns in article.lines)
        return {"id": article.id, "text": article.text, "spans": spans}

    found = Documents(articles, lambda row: articles[row].where, files.name, files.sha256)
    corpus = translate_quoting(found, translate, options)
    note_left_aside(corpus, others, options)
    return {ALONE: corpus}


def _articles(text: str, name: str) -> list[Article]:
    """Return the documents of a file: the lines of one follow each other, and begin with its id."""
    out: list[Article] = []
    for number, line in numbered_lines(text):
        where = f"{name}:{number}"
        if not line.strip():
            continue
        if (found := TEXT.fullmatch(line)) is not None:
            own, part, words = found[1], found[2], found[3]
            if part == "t" or not out:
                out.append(Article(own, where))
            _refuse_other(own, out[-1], where)
            if part in out[-1].parts:
                raise InputError(f"the document has a second |{part}| line", where=where, expected=EXPECTED)
            out[-1].parts[part] = words
            continue
        columns = line.split("\t")
        if not out or len(columns) < 4:
            raise InputError(f"the line is {shown(line)}", where=where, expected=EXPECTED)
        _refuse_other(columns[0], out[-1], where)
        out[-1].lines.append((where, columns))
    return out


def _refuse_other(own: str, article: Article, where: str) -> None:
    if own != article.id:
        what = f"the line is about the document {shown(own)}, those before it about {shown(article.id)}"
        raise InputError(what, where=where, expected="the title of a document before all else about it")


def _is_relation(columns: list[str]) -> bool:
    """Tell a relation, such as `ID CID D1 D2`, from an annotation, which has numbers in its place."""
    return not columns[1].lstrip("-").isdecimal() and not columns[2].lstrip("-").isdecimal()


def _span(columns: list[str], where: str) -> dict[str, Any]:
    if len(columns) < SHORTEST or not (columns[1].isdecimal() and columns[2].isdecimal()):
        raise InputError(f"the line is {shown(chr(9).join(columns))}", where=where, expected=EXPECTED)
    _, start, end, text, label, *more = columns
    out: dict[str, Any] = {"start": int(start), "end": int(end), "text": text, "label": label}
    meta = {key: value for key, value in zip(("identifier", "mentions"), more, strict=False) if value}
    return out | ({"meta": meta} if meta else {})
