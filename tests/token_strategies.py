"""Hypothesis strategies: tagged tokens in every scheme, skip words among them, and what systems make of them."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from tests.support import Json, fragmented_corpora
from tests.twins.tokens import OUTSIDE, Doc, Span, Token

Chunk = tuple[str, int, int]  # label, first token, the one after the last
SCHEMES = ("IO", "IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU", "BMES")
LETTERS = {"IOBES": "BIES", "BILOU": "BILU", "BMES": "BMES", "IOB2": "BIIB", "IOE2": "IIEE"}
LABELS = ("A", "A", "A", "B", "C", "PII")  # mostly one, so that predictions of one type meet
WORDS = ("Ann", "Lee", "Bonn", "x1", "Zoë", "of", "The", "Street", ",", "-")  # the last five are skip words


@dataclass
class Corpus:
    """Both sides as plain documents, and what the twins see of them."""

    gold: list[Json]
    pred: list[Json]
    docs: list[Doc]
    options: Json = field(default_factory=dict)

    @property
    def sides(self) -> tuple[list[Json], list[Json]]:
        return self.gold, self.pred


def written(chunks: list[Chunk], size: int, scheme: str) -> list[str]:
    """Return the tags of chunks: in IOB1 B, in IOE1 E, only where a chunk touches another of its type."""
    out = [OUTSIDE] * size
    for label, first, last in chunks:
        if scheme == "IO":
            out[first:last] = [label] * (last - first)
            continue
        begin, inside, end, single = LETTERS.get(scheme, "IIII")
        letters = [single] if last - first == 1 else [begin, *inside * (last - first - 2), end]
        if scheme == "IOB1" and any(one == label and stop == first for one, _, stop in chunks):
            letters[0] = "B"
        if scheme == "IOE1" and any(one == label and start == last for one, start, _ in chunks):
            letters[-1] = "E"
        out[first:last] = [f"{letter}-{label}" for letter in letters]
    return out


@st.composite
def chunks(draw: DrawFn, size: int) -> list[Chunk]:
    """Draw chunks from left to right, some touching."""
    out: list[Chunk] = []
    at = 0
    while at < size:
        length = draw(st.integers(1, min(4, size - at)))
        label = draw(st.sampled_from((None, None, *LABELS)))
        if label is not None:
            out.append((label, at, at + length))
        at += length
    return out


@st.composite
def variants(draw: DrawFn, gold: list[Chunk]) -> list[Chunk]:
    """Draw what a system makes of chunks: keep, drop, relabel, split or shorten them, or leave a hole."""
    out: list[Chunk] = []
    for label, first, last in gold:
        middle = draw(st.integers(first, last))
        other = draw(st.sampled_from(LABELS))
        made = {
            "keep": [(label, first, last)],
            "drop": [],
            "relabel": [(other, first, last)],
            "split": [(label, first, middle), (draw(st.sampled_from((label, other))), middle, last)],
            "short": [(label, first, middle)],
            "hole": [(label, first, middle), (label, middle + 1, last)],
        }
        out += made[draw(st.sampled_from(sorted(made)))]
    return [chunk for chunk in out if chunk[1] < chunk[2]]


def joined(found: list[Chunk]) -> list[Chunk]:
    """Return chunks as IO tells them apart: neighbours of one label are one."""
    out: list[Chunk] = []
    for label, first, last in found:
        if out and out[-1][0] == label and out[-1][2] == first:
            out[-1] = (label, out[-1][1], last)
        else:
            out.append((label, first, last))
    return out


def spans_of(found: list[Chunk], tokens: list[Token]) -> list[Span]:
    return [Span(label, ((tokens[first].start, tokens[last - 1].end),)) for label, first, last in found]


@st.composite
def tagged_documents(draw: DrawFn, scheme: str, words: tuple[str, ...] = WORDS) -> tuple[Json, Json, Doc]:
    """Draw a document without id as gold, as predictions, and as the twins see it."""
    texts = draw(st.lists(st.sampled_from(words), max_size=9))
    gold = draw(chunks(len(texts)))
    pred = draw(variants(gold) | variants(gold) | chunks(len(texts)))
    if scheme == "IO":
        gold, pred = joined(gold), joined(pred)
    sides = [written(side, len(texts), scheme) for side in (gold, pred)]
    tokens, at = [], 0
    for text, *both in zip(texts, *sides, strict=True):
        tokens.append(Token(text, at, at + len(text), *both))
        at += len(text) + 1
    doc = Doc(spans_of(gold, tokens), spans_of(pred, tokens), tokens, " ".join(texts))
    return {"tokens": texts, "tags": sides[0]}, {"tokens": texts, "tags": sides[1]}, doc


@st.composite
def tagged(draw: DrawFn, words: tuple[str, ...] = WORDS, scheme: str | None = None) -> Corpus:
    """Draw one to four documents of tagged tokens, some perhaps empty."""
    chosen = scheme or draw(st.sampled_from(SCHEMES))
    found = draw(st.lists(tagged_documents(chosen, words), min_size=1, max_size=4))
    ids = [{"id": f"d{n}"} for n in range(len(found))]
    gold, pred = ([{**name, **one[side]} for name, one in zip(ids, found, strict=True)] for side in (0, 1))
    return Corpus(gold, pred, [doc for *_, doc in found], {"scheme": chosen})


def read(span: Json) -> Span:
    places: Any = span.get("fragments", [[span.get("start"), span.get("end")]])
    return Span(span["label"], tuple((a, b) for a, b in places))


@st.composite
def nested(draw: DrawFn, spans: list[Json]) -> list[Json]:
    """Draw spans within some of the spans: an e-mail address in a URL."""
    out = list(spans)
    for start, end in ((span["start"], span["end"]) for span in spans if "start" in span):
        if start < end and draw(st.booleans()):
            first = draw(st.integers(start, end - 1))
            inner = {"start": first, "end": draw(st.integers(first + 1, end))}
            out.append({"label": draw(st.sampled_from(("A", "B"))), **inner})
    return out


@st.composite
def characters(draw: DrawFn) -> Corpus:
    """Draw spans of characters that overlap, nest on either side, repeat, are empty or have gaps."""
    gold, pred = (
        [{"id": d["id"], "text": d["text"], "spans": draw(nested(d["spans"]))} for d in side]
        for side in draw(fragmented_corpora())
    )
    docs = [
        Doc(*([read(span) for span in one["spans"]] for one in pair), text=pair[0]["text"])
        for pair in zip(gold, pred, strict=True)
    ]
    return Corpus(gold, pred, docs)
