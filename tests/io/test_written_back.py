"""Tagged tokens, segmentations and queries written in every form of their families, and read back as they were."""

from __future__ import annotations

import tempfile
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.commands.convert import fit_to
from spanscope.io.detect import BY_NAME
from spanscope.io.passages.writers import WRITERS as PASSAGES
from spanscope.io.segments.writers import WRITERS as SEGMENTS
from spanscope.io.tokens.writers import WRITERS as TOKENS
from spanscope.io.writer import Writer

Document = dict[str, Any]
MANY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
META = st.dictionaries(
    st.sampled_from(["source", "year"]), st.sampled_from(["web", "é😀"]), min_size=1, max_size=2
)
NAME = st.text("abé", min_size=1, max_size=3)
OF_LENGTHS = ("choi", "segeval", "segeval-table", "nltk-gaps", "nltk-units")
AS = {"squad": ("squad",), "beir": ("trec",)}  # of a file alone
OF_PASSAGES = st.sampled_from(  # some of it would be read as another file, place or identifier
    [
        {"title": "T"},
        {"url": "u"},
        {"title": "é", "has_answer": False},
        {"source": "b.txt"},
        {"start_index": 9},
        {"doc_id": "z"},
        {"file_name": "c.txt"},
    ]
)
OF_QUERIES = st.sampled_from(
    [
        {"answers": ["x", "é"]},
        {"answers": [], "title": "T"},
        {"answers": 1},
        {"title": "T", "context": "In New York"},
        {"answers": ["No Answer Present."]},
    ]
)
TEXT = st.sampled_from(["x", "y é"])
ANSWER = st.sampled_from(  # wordings with places, some of which are too short or stand elsewhere in the context
    [
        {"answer": ["New York", "York"], "spans": [[3, 11], [7, 11]]},
        {"answer": ["New York", "York"], "spans": [[3, 11], None]},
        {"answer": ["New York", "York"], "span": [3, 11]},
        {"text": "York", "span": [7, 11]},
        {"text": "York", "span": [6, 10]},
        {"text": "York"},
    ]
)
REPEATED = {  # what metadata say again of the file, the id and the start of a passage
    "langchain": ("source", "start_index"),
    "llamaindex": ("file_path",),
    "haystack": ("file_path", "source_id", "split_idx_start"),
}
LINE = st.text("ab é.,=", min_size=1, max_size=4) | st.sampled_from(["========,2,a.", "=" * 10])
WORD = st.text('aB.é😀-"#,', min_size=1, max_size=4)


def _maybe(draw: st.DrawFn, key: str, values: st.SearchStrategy[Any]) -> Document:
    return {key: draw(values)} if draw(st.booleans()) else {}


def _names(draw: st.DrawFn) -> list[Document]:
    """Return the ids of some documents, or none at all."""
    names = draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    return [{"id": name} for name in names] if draw(st.booleans()) else [{} for _ in names]


def _back(held: list[Document], form: Writer) -> list[Document]:
    """Write documents, and return what is read of them; those of a folder come by their names."""
    assert fit_to(spanscope.read(held), form)[1] == []  # what it holds once it holds again
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("out" if form.folder else f"out{form.suffixes[0] if form.suffixes else '.json'}")
        done = spanscope.convert(held, path, to=form.name)
        assert done.losses == ()
        as_ = next(name for name in AS.get(form.name, form.reads_as) if name in BY_NAME)
        return spanscope.read(path, input=as_).to_dicts()


def _but(documents: list[Document], *names: str) -> list[Document]:
    return [{key: own for key, own in one.items() if key not in names} for one in documents]


# ---------------------------------------------------------------- tokens


@st.composite
def tagged(draw: st.DrawFn) -> list[Document]:
    out = []
    placed = draw(st.booleans())
    for own in _names(draw):
        tokens = draw(st.lists(WORD, min_size=1, max_size=5))
        kinds = draw(st.lists(st.sampled_from(["O", "A", "B-C"]), min_size=len(tokens), max_size=len(tokens)))
        tags = ["O" if kind == "O" else f"B-{kind}" for kind in kinds]
        said = _laid_out(draw, tokens) if placed else {}
        out.append({**own, **said, "tokens": tokens, "tags": tags, **_maybe(draw, "meta", META)})
    return out


def _laid_out(draw: st.DrawFn, tokens: list[str]) -> Document:
    """Return a text of tokens with nothing, a blank or more between them, and where they start."""
    gaps = draw(st.lists(st.sampled_from(["", " ", " ", "  "]), min_size=len(tokens), max_size=len(tokens)))
    first = draw(st.sampled_from(["", "", " "]))
    starts = [len(first) + len("".join(tokens[:at] + gaps[:at])) for at in range(len(tokens))]
    text = first + "".join(map("".join, zip(tokens, gaps, strict=True)))
    return {"text": text.rstrip(), "start_indices": starts}


JOINED = "texts whose tokens are not divided by single blanks"
MAY_LOSE = {
    "tokens": set[str](),
    "hugging-face": {JOINED},
    "conll": {JOINED, "ids of documents", "documents with metadata"},
    "token-rows": {JOINED, "documents with metadata", "documents without an id"},
    "conllu": {f"{JOINED} or nothing", "documents with metadata"},
}


@pytest.mark.parametrize("form", TOKENS, ids=lambda form: form.name)
@MANY
@given(documents=tagged())
def test_tokens(form: Writer, documents: list[Document]) -> None:
    held, losses = fit_to(spanscope.read(documents), form)
    assert len(held) == len(documents)
    assert {one.what for one in losses} <= MAY_LOSE[form.name]
    assert [_placed(one) for one in _back(held, form)] == [_placed(one) for one in held]


def _placed(document: Document) -> Document:
    """Return a document without its spans, which its tags say, and with its tokens in a text."""
    tokens = document["tokens"]
    starts = [len(" ".join([*tokens[:at], ""])) for at in range(len(tokens))]
    own = {"text": " ".join(tokens), "start_indices": starts, **document}
    return {key: value for key, value in own.items() if key != "spans"}


# ---------------------------------------------------------------- segments


@st.composite
def segmented(draw: st.DrawFn) -> list[Document]:
    out = []
    for own in _names(draw):
        lines = draw(st.none() | st.lists(LINE, min_size=1, max_size=4))
        text = draw(st.text("ab é😀\n", min_size=1, max_size=14)) if lines is None else "\n".join(lines)
        more = _maybe(draw, "meta", META) | _maybe(draw, "ptime", st.sampled_from([0.5, 2.0]))
        said = {"text": text} if draw(st.booleans()) else {}
        size = len(text)
        if lines is not None and draw(st.booleans()):
            size = len(lines)
            said = {"length": size, "meta": {**more.pop("meta", {}), "sentences": lines}}
        edges = [at for at in range(1, size) if lines is None or size == len(lines) or text[at - 1] == "\n"]
        inner = draw(st.lists(st.sampled_from(edges), max_size=3, unique=True)) if edges else []
        segments = [[a, b] for a, b in pairwise([0, *sorted(inner), size])]
        if draw(st.booleans()):
            segments = [[*own, draw(st.sampled_from(["A", "b c", "d,1.", " e\nf"]))] for own in segments]
        out.append({**own, "segments": segments, **more, **said})
    return out


@pytest.mark.parametrize("form", SEGMENTS, ids=lambda form: form.name)
@MANY
@given(documents=segmented())
def test_segments(form: Writer, documents: list[Document]) -> None:
    held, _ = fit_to(spanscope.read(documents), form)
    if not held:
        return
    back = _back(held, form)
    if form.folder:
        held, back = (sorted(one, key=lambda one: one["id"]) for one in (held, back))
    if form.name == "label-studio":  # whose segments have a label, whatever it is
        back = [_unlabelled(one, "segment") for one in back]
    if form.name in ("wiki-727k", "sentences"):  # units are sentences there
        assert list(map(_in_sentences, back)) == list(map(_in_sentences, held))
    elif form.name in (
        "choi",
        "segeval",
        "segeval-table",
        "nltk-gaps",
        "nltk-units",
    ):  # units are lines there, or have no text
        assert [_lengths(one, lines=form.name == "choi") for one in held] == [_lengths(one) for one in back]
    else:
        assert back == held


def _in_sentences(document: Document) -> tuple[str | None, list[tuple[list[str], list[str]]], Document]:
    """Return the id, the sentences and the labels of every segment, the rest of the metadata and the time."""
    units = document["text"].splitlines(keepends=True) if "text" in document else document["meta"]["sentences"]
    size = len if "text" in document else lambda _: 1
    ends = [*accumulate(map(size, units))]
    parts = [
        ([unit.removesuffix("\n") for unit, end in zip(units, ends, strict=True) if a < end <= b], more)
        for a, b, *more in document["segments"]
    ]
    rest = {key: own for key, own in document.get("meta", {}).items() if key != "sentences"}
    return document.get("id"), parts, {**rest, "ptime": document.get("ptime")}


def _unlabelled(document: Document, label: str) -> Document:
    segments = [[a, b, *(one for one in more if one != label)] for a, b, *more in document["segments"]]
    return {**document, "segments": segments}


def _lengths(document: Document, *, lines: bool = False) -> tuple[str | None, list[int]]:
    """Return the id and the lengths of segments, in lines of the text where these are the units."""
    if not lines:
        return document.get("id"), [b - a for a, b, *_ in document["segments"]]
    parts = [document["text"][a:b] for a, b, *_ in document["segments"]]
    return document.get("id"), [len(part.removesuffix("\n").split("\n")) for part in parts]


# ---------------------------------------------------------------- passages


@st.composite
def queries(draw: st.DrawFn, key: str) -> list[Document]:
    out = []
    names = draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    for name in names:
        documents = draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
        scores = sorted(
            draw(st.lists(st.sampled_from([0.5, 1.0, 2.5, 3.0]), min_size=3, max_size=3)), reverse=True
        )
        items = []
        placed, plain = draw(st.booleans()), draw(st.booleans())
        for one, score in zip(documents, scores, strict=False):
            graded = _maybe(draw, "relevance", st.sampled_from([0, 1, 2, 1.5]))
            own = {} if plain else graded if key == "snippets" else {"score": score}
            place = {"file_path": f"{one}.txt", "span": [2, 3], "text": draw(TEXT)} if placed else {}
            more = _maybe(draw, "text", TEXT) | _maybe(draw, "meta", OF_PASSAGES)
            items.append({**({} if placed and plain else {"id": one}), **own, **more, **place})
        asked = _maybe(draw, "query", st.sampled_from(["Who?", "Was?"]))
        if key == "snippets" and draw(st.integers(0, 2)) == 0:
            items = [draw(ANSWER)]
        meta = {"meta": draw(st.one_of(META, OF_QUERIES))} if draw(st.booleans()) else {}
        out.append({"id": name, **asked, key: items, **meta})
    return out


@pytest.mark.parametrize("form", PASSAGES, ids=lambda form: form.name)
@MANY
@given(gold=queries("snippets"), found=queries("retrieved_passages"))
def test_queries(form: Writer, gold: list[Document], found: list[Document]) -> None:
    for documents in (gold, found):
        held, _ = fit_to(spanscope.read(documents), form)
        if not held:
            continue
        back = _back(held, form)
        names = REPEATED.get(form.name, ())
        assert _plain(back, names) == _plain(held, names), form.name


def _plain(documents: list[Document], repeated: tuple[str, ...]) -> list[Document]:
    """Return queries with every grade, which is 1 where nothing is said, and without what is said again."""
    out = []
    for one in documents:
        gold = [{**item, "relevance": item.get("relevance", 1)} for item in one.get("snippets", ())]
        found = [_once(item, repeated) for item in one.get("retrieved_passages", ())]
        sides = {"snippets": gold, "retrieved_passages": found}
        out.append({**one, **{key: items for key, items in sides.items() if key in one}})
    return out


def _once(item: Document, repeated: tuple[str, ...]) -> Document:
    """Return a passage without metadata that repeat its file, its id or its start, nor an id that is its file."""
    if not repeated:
        return item
    said = (item.get("file_path"), item.get("id"), *item.get("span", ())[:1])
    meta = {key: own for key, own in item.get("meta", {}).items() if not (key in repeated and own in said)}
    rest = {key: own for key, own in item.items() if key != "meta" and (key, own) != ("id", item.get("file_path"))}
    return {**rest, **({"meta": meta} if meta else {})}
