"""Files that are cut, mixed, concatenated, or said to be in another format: read rightly, or refused.

What a damaged file may be read as follows from the readings of the whole samples, which other tests hold against
tests/samples/expected.json:

- of a file that was cut, the first documents, of which the last may lack spans, or have a last one that was cut;
- of a mixture of two files, all documents of both; what is left out is named as a data problem;
- by a reader of another format, what the format's own reader finds.

Everything else is refused. SPANSCOPE_MIXTURES sets how many files are made.
"""

import os
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

import spanscope
from spanscope.errors import SpanscopeError
from spanscope.io.detect import NAMES
from tests.io.formats.expected import SAMPLES
from tests.io.formats.told import TOLD

NUMBER = int(os.environ.get("SPANSCOPE_MIXTURES", "400"))
SHARES = 4  # of the files, so that processes share the work
NO_DATA = re.compile(
    r"expected.json|README|annotation.conf|(brat/(gold|pred)|corpus/c)/d\d.txt"
)  # texts alone too
FILES = sorted(
    str(path.relative_to(SAMPLES))
    for path in SAMPLES.rglob("*")
    if path.is_file() and path.stat().st_size and path.name[0] not in "._" and not NO_DATA.search(str(path))
)
BINARY = (".parquet", ".feather", ".arrow")  # without checksums: of a byte too many nobody can tell
LINES_ARE_SENTENCES = (b"==========", b"========,")  # whatever they say, in files that begin so
SAID = {"csv/no_header.tsv": {"input": "spans-tsv"}}  # what is refused unless somebody says so
READ_OTHERWISE = {"csv/inclusive.csv"}  # lines of which say another thing without its option
A_LINE_IS_LESS = re.compile(
    r"conll/.*|.*\.conll|presidio/frame.csv|ranx/.*json"
)  # than a document: so further lines are further tokens, or judgements, of another document
CONVENTIONS = {"segmentation/sentences.jsonl", "segmentation/sentences_first.jsonl"}  # lines that fit both
IN_QUOTES = re.compile(r"csv/(documents|literal)\.csv|labelstudio/.*[ct]sv")  # where lines of others are text
NUMBERS_ALONE = ("segmentation/s1.tsv",)  # without its header it is a file of TREC
SOUND_IN_PART = ("llm/wrong_offsets.jsonl", "uima/json/d5.json", "uima/gold/d5.xmi")  # refused as a whole or alone
AS_SAID = {
    "conll",
    "qrels",
    "run",
    "sentences-last",
    "sentences-first",
    "sentences-sections",
    "nltk-gaps",
    "nltk-units",
    "nltk-gap-pairs",
    "nltk-unit-pairs",
}  # what any file of columns, or of numbers by name, is if somebody says so
CUT = 2  # items that a cut may change: a span of tagged tokens can become two


class Document(NamedTuple):
    """What counts of a document: its text, where it has one, what it holds, and the same without places."""

    text: str | None
    held: Counter[Any]
    words: Counter[Any]


Sides = dict[str, list[Document]]


def _frozen(one: Any) -> Any:
    if isinstance(one, dict):
        return tuple(sorted((key, _frozen(own)) for key, own in one.items() if key != "meta"))
    return tuple(map(_frozen, one)) if isinstance(one, list) else one


def _words(one: Any, text: str | None) -> Any:
    """Return what a span says instead of where it is, which depends on what stands before it."""
    if text is None or not isinstance(one, dict) or "start" not in one:
        return _frozen(one)
    return text[one["start"] : one["end"]], one["label"]


def document(one: dict[str, Any]) -> Document:
    names = ("spans", "segments", "snippets", "retrieved_passages")
    text, items = one.get("text"), [own for name in names for own in one.get(name, ())]
    return Document(text, Counter(map(_frozen, items)), Counter(_words(own, text) for own in items))


def reading(path: Path, **given: Any) -> tuple[Sides, int]:
    """Return the documents of a file by side, and how many problems were named."""
    found = spanscope.read_sides(path, **given)
    problems = sum(one.number for corpus in found.values() for one in corpus.problems)
    return {name: [document(one) for one in corpus.to_dicts()] for name, corpus in found.items()}, problems


@cache
def own(name: str) -> tuple[Sides, int] | None:
    """Return the right reading of a sample alone; nothing of one that is refused, or no data by itself."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / Path(name).name
        path.write_bytes((SAMPLES / name).read_bytes())
        try:
            return reading(path, **TOLD.get(name, SAID.get(name, {})))
        except SpanscopeError:
            return None


# ---------------------------------------------------------------- how files are damaged


class Made(NamedTuple):
    """A damaged file: what was done, to which samples, the bytes, and the ending of its name."""

    how: str
    names: tuple[str, ...]
    data: bytes


def _lines(name: str) -> list[bytes]:
    data = (SAMPLES / name).read_bytes().removesuffix(b"\n")
    return [line.rstrip(b"\r") + b"\n" for line in data.split(b"\n")]


def made(rng: random.Random) -> Made:
    """Return a damaged file."""
    one, other = rng.sample(FILES, 2)
    if rng.random() < 0.3:  # of one folder: formats that are near to each other
        other = rng.choice([name for name in FILES if name.split("/")[0] == one.split("/")[0]])
    data, lines = (SAMPLES / one).read_bytes(), _lines(one)
    how = rng.choice(("cut", "cut at a line", "without its head", "joined", "mixed", "with a line", "said"))
    if how != "said" and any(name.endswith(BINARY) for name in (one, other)):
        how = "cut"
    if TOLD.get(one) != TOLD.get(other) and {one, other} & READ_OTHERWISE:
        how = "cut"
    if how in ("mixed", "with a line") and (
        one == other
        or A_LINE_IS_LESS.fullmatch(one)
        or A_LINE_IS_LESS.fullmatch(other)
        or IN_QUOTES.fullmatch(one)
        or IN_QUOTES.fullmatch(other)
        or {one, other} == CONVENTIONS
        or other in NUMBERS_ALONE  # a line of which is a judgement among those of TREC
    ):
        how = "joined"
    if how == "without its head" and one in NUMBERS_ALONE:
        how = "cut"
    if how == "cut":
        return Made(how, (one,), data[: rng.randrange(len(data))])
    if how == "cut at a line":
        return Made(how, (one,), b"".join(lines[: rng.randrange(len(lines))]))
    if how == "without its head":
        return Made(how, (one,), b"".join(lines[rng.randrange(len(lines)) :]))
    if how == "said":
        return Made(how, (one,), data)
    if how == "joined":
        between = b"" if data.endswith(b"\n") else b"\n"
        return Made(how, (one, other), data + between + (SAMPLES / other).read_bytes())
    if how == "with a line":
        at = rng.randrange(len(lines) + 1)
        line = rng.choice([line for line in _lines(other) if line.strip()])
        return Made(how, (one, other), b"".join([*lines[:at], line, *lines[at:]]))
    sides = [lines, _lines(other)]
    mixed = [rng.choice([side for side in sides if side]).pop(0) for _ in range(sum(map(len, sides)))]
    return Made(how, (one, other), b"".join(mixed))


# ---------------------------------------------------------------- what a right reading is


def is_first(found: list[Document], whole: list[Document]) -> bool:
    """Tell whether documents are the first of others; the last may lack items, and its last one may be cut."""
    if len(found) > len(whole) or found[:-1] != whole[: len(found) - 1]:
        return not found
    last, full = found[-1], whole[len(found) - 1]
    begins = last.text is None or full.text is None or full.text.startswith(last.text)
    return begins and (last.held - full.held).total() <= CUT


def is_last(found: list[Document], whole: list[Document]) -> bool:
    """Tell whether documents are the last of others; the first may lack items, and one may be cut."""
    if len(found) > len(whole) or found[1:] != whole[len(whole) - len(found) + 1 :]:
        return not found
    return (found[0].words - whole[-len(found)].words).total() <= CUT


def words(sides: Sides) -> Counter[Any]:
    return sum((one.words for side in sides.values() for one in side), Counter())


def wrong(case: Made, found: Sides, problems: int) -> str:
    """Return what is wrong with a reading, or nothing."""
    readings = [one for name in case.names if (one := own(name)) is not None]
    if len(readings) < len(case.names):
        kept = own(case.names[0]) if case.how == "with a line" else None  # of a line that is no data by itself
        same = kept is not None and words(kept[0]) == words(found)
        return "" if same or set(case.names) & set(SOUND_IN_PART) else "the sample is refused"
    wholes = [one[0] for one in readings]
    named = problems > min(one[1] for one in readings)
    if case.how == "said":
        (whole,) = wholes
        return "" if words(found) == words(whole) else "another reading"
    if len(wholes) == 1:
        (whole,) = wholes
        is_right = is_last if case.how == "without its head" else is_first
        there = {side: documents for side, documents in found.items() if documents}
        return "" if all(side in whole and is_right(there[side], whole[side]) for side in there) else "no part"
    both, read = words(wholes[0]) + words(wholes[1]), words(found)
    if read == both or (named and read <= both):
        return ""
    return "" if case.how == "with a line" and words(wholes[0]) <= read <= both else "not both"


def outcome(rng: random.Random, folder: Path) -> tuple[str, Made, dict[str, Any]]:
    """Read one damaged file; return what is wrong, or nothing."""
    case = made(rng)
    suffix = Path(rng.choice(case.names)).suffix
    path = folder / f"file{suffix}"
    for old in folder.iterdir():
        old.unlink()
    path.write_bytes(case.data)
    given = dict(rng.choice([{}, *(TOLD.get(name, {}) for name in case.names)]))
    if case.how == "said":
        given["input"] = rng.choice([name for name in NAMES if name not in AS_SAID])
    try:
        found, problems = reading(path, **given)
    except SpanscopeError:
        return "", case, given
    except Exception as error:
        return f"internal error: {type(error).__name__}: {error}", case, given
    if case.data.startswith(LINES_ARE_SENTENCES) and len(case.names) == 2:
        return "", case, given
    return wrong(case, found, problems), case, given


@pytest.mark.parametrize("share", range(SHARES))
def test_damaged_files_are_read_rightly_or_refused(share: int, tmp_path: Path) -> None:
    rng = random.Random(share)
    for number in range(NUMBER // SHARES):
        said, case, given = outcome(rng, tmp_path)
        assert not said, (said, number, case.how, case.names, given, case.data[:1000])
