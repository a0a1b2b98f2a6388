"""CoNLL-U: ten columns a word, names in the last one, such as `NER=B-LOC`; the text stands in a comment.

Words of a token that is written as one (`1-2 du` for `1 de`, `2 le`) stand at their parts of it where it is these
words one behind the other, else all of them stand at the whole token. Empty nodes (`1.1`) are in no text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from spanscope.data.problems import Problem
from spanscope.errors import InputError, did_you_mean, named, shown
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import Source
from spanscope.io.tokens.conll import decode
from spanscope.io.tokens.remarks import remarks_of
from spanscope.io.tokens.sentences import Sentences

COLUMNS = 10
KEYS = ("NER", "NE")  # of the last column, under which people have tags of names
ID = re.compile(r"(?P<first>\d+)(-(?P<last>\d+)|\.\d+)?")
TEN = "ten columns separated by tabs, of which the first counts words: 1, 2-3, 3.1"


class Word(NamedTuple):
    """A line of a sentence: its number, the id, the form and what the last column says."""

    line: int
    id: str
    form: str
    misc: dict[str, str]


@dataclass(eq=False)
class _Found:
    """Words of all sentences, in one list after the other."""

    tags: list[str] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


def from_conllu(source: str | Path | Source, options: ReadOptions) -> Sentences:
    """Return a CoNLL-U file with the tags that stand under one key of its last column."""
    file = open_source(source)
    if options.both:
        expected = "predictions in a second file"
        raise InputError("has no column of predictions", where=file.name, expected=expected)
    lines = decode(file).split("\n")
    sentences = list(_sentences(lines, file.name))
    key = _key(sentences, file.name, options.layer)
    first = [words[0].line for words in sentences]
    said = remarks_of(lines, first, {word.line for words in sentences for word in words})
    out = _Found()
    empty = sum(_add(out, *own, key, file.name) for own in zip(sentences, said.texts, strict=True))
    at = [0, *accumulate(out.sizes)]
    return Sentences(
        file.name,
        out.sizes,
        {"gold": out.tags},
        out.forms,
        out.starts,
        out.texts,
        said.names(),
        lambda doc, token: f"{file.name}:{out.lines[at[doc] + token]}",
        file.sha256,
        [Problem("left aside", file.name, values={"kinds": "tags of empty nodes"}, number=empty)] if empty else [],
        out.ends,
        said.groups(),
        in_comments=True,
    )


def is_conllu(lines: Sequence[str]) -> bool:
    """Tell CoNLL-U by the first lines: ten columns, of which the first counts."""
    rows = [line.split("\t") for line in lines if line.strip() and line[0] != "#"]
    starts = {"1", "1-2", "1-3", "1-4", "0.1"}
    return bool(rows) and rows[0][0] in starts and all(map(_is_word, rows))


def _is_word(cells: Sequence[str]) -> bool:
    return len(cells) == COLUMNS and ID.fullmatch(cells[0]) is not None


def _sentences(lines: Sequence[str], name: str) -> Iterator[list[Word]]:
    """Return the words of each sentence."""
    rows = ((number, line.removesuffix("\r")) for number, line in enumerate(lines, start=1) if line[:1] != "#")
    for blank, own in groupby(rows, lambda row: not row[1].strip()):
        if not blank:
            yield [_word(line, number, f"{name}:{number}") for number, line in own]


def _word(line: str, number: int, where: str) -> Word:
    cells = line.split("\t")
    if not _is_word(cells):
        raise InputError(
            f"the line has {len(cells)} columns and starts with {shown(cells[0])}", where=where, expected=TEN
        )
    misc = {} if cells[-1] == "_" else dict(_pairs(cells[-1]))
    return Word(number, cells[0], cells[1], misc)


def _pairs(cell: str) -> Iterator[tuple[str, str]]:
    for one in cell.split("|"):
        key, _, value = one.partition("=")
        yield key, value


def _key(sentences: Sequence[Sequence[Word]], name: str, asked: str | None) -> str:
    """Return the key of the tags: the one that was said, else the usual one that the file has."""
    there = Counter(key for words in sentences for word in words for key in word.misc if key != "SpaceAfter")
    listed = ", ".join(f"{key} ({number})" for key, number in there.most_common(8)) or "none"
    if asked is not None:
        if asked not in there:
            what = f"no word has {named(asked)} in its last column{did_you_mean(asked, list(there))}"
            raise InputError(what, where=name, expected=listed)
        return asked
    found = [key for key in KEYS if key in there]
    if len(found) == 1:
        return found[0]
    if not found and "Entity" in there:
        raise InputError(
            "has entities as brackets, such as Entity=(1-person, and no tags",
            where=name,
            expected="a tag for every word, such as NER=B-LOC in the last column",
            hint="write its brackets as NER=B-, I- and O   and read that",
        )
    what = f"its last column has the keys {listed}" if not found else f"has tags under {' and '.join(found)}"
    raise InputError(
        what,
        where=name,
        expected="one key with tags, such as NER=B-LOC",
        hint="[[layer=KEY]]   to say which holds tags",
    )


def _add(out: _Found, words: Sequence[Word], text: str | None, key: str, name: str) -> int:
    """Take one sentence in; return how many tags of empty nodes are left aside."""
    units = _units(words)
    found = text or _join(units)
    size, place = len(out.tags), 0
    for surface, own in units:
        at = found.find(surface.form, place)
        if at < 0:
            raise InputError(
                f"the token {shown(surface.form)} is not in the text after the one before",
                where=f"{name}:{surface.line}",
                expected="tokens that occur in the # text of their sentence, in order",
            )
        place = at + len(surface.form)
        for word, (start, end) in zip(own, _parts(surface, own, at), strict=True):
            out.tags.append(word.misc.get(key, "O") or "O")
            out.forms.append(word.form)
            out.lines.append(word.line)
            out.starts.append(start)
            out.ends.append(end)
    out.texts.append(found)
    out.sizes.append(len(out.tags) - size)
    return sum("." in word.id and word.misc.get(key, "O") != "O" for word in words)


def _units(words: Sequence[Word]) -> list[tuple[Word, list[Word]]]:
    """Return what stands in the text, each with its words: one, or those of a token that is written as one."""
    out: list[tuple[Word, list[Word]]] = []
    last = 0
    for word in words:
        match = ID.fullmatch(word.id)
        if match is None or "." in word.id:
            continue
        if match["last"]:
            last = int(match["last"])
            out.append((word, []))
        elif out and int(word.id) <= last:
            out[-1][1].append(word)
        else:
            out.append((word, [word]))
    return out


def _join(units: Sequence[tuple[Word, list[Word]]]) -> str:
    """Return the text of a sentence without a comment that has it: SpaceAfter=No says where no blank is."""
    parts = [surface.form + ("" if surface.misc.get("SpaceAfter") == "No" else " ") for surface, _ in units]
    return "".join(parts).rstrip(" ")


def _parts(surface: Word, words: Sequence[Word], at: int) -> list[tuple[int, int]]:
    """Return the places of the words of one written token."""
    if "".join(word.form for word in words) != surface.form:
        return [(at, at + len(surface.form))] * len(words)
    return list(pairwise(accumulate((len(word.form) for word in words), initial=at)))
