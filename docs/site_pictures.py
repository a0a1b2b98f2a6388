"""Small pictures for the pages of measures: an example, and the figures that the measure gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isnan
from typing import Any

import spanscope

Rows = Mapping[str, Sequence[tuple[int, int, str]]]  # spans by the name of their row
TEXT = "The operator shall log every failed login attempt at once."
SPANS = {
    "gold": [(4, 12, "Actor"), (19, 49, "Action"), (50, 57, "Time")],
    "predicted": [(0, 12, "Actor"), (13, 18, "Action"), (19, 36, "Action"), (50, 57, "Time")],
}
ANNOTATORS = {
    "Ann": [(4, 12, "Actor"), (19, 49, "Action"), (50, 57, "Time")],
    "Ben": [(0, 12, "Actor"), (19, 36, "Action"), (50, 57, "Action")],
}
LENGTH = 40
BOUNDARIES = {"gold": [10, 22, 30], "predicted": [11, 30]}
WORDS = ["Call", "Maria", "del", "Carmen", "tomorrow", "030", "1234", "before", "noon"]
TAGS = {
    "gold": ["O", "B-NAME", "I-NAME", "I-NAME", "O", "B-PHONE", "I-PHONE", "O", "O"],
    "predicted": ["O", "B-NAME", "I-NAME", "O", "O", "B-PHONE", "I-PHONE", "O", "B-DATE"],
}
FILE = "Anna Berg founded Acme in Bonn. It began in 1999."
ANSWERS = [(0, 22), (32, 48)]
PASSAGES = [("b.txt", 0, 20), ("a.txt", 0, 25), ("a.txt", 18, 49)]
JUDGED = {"d1": 1, "d2": 2, "d3": 0}
RANKING = ["d3", "d1", "d9", "d2"]
GOLD_ANSWER, ANSWER = "Anna Berg founded Acme", "Anna Berg of Acme"
OF_PLACES = ("characters", "chroma", "documents", "legalbench_rag")
OF_WORDS = ("exact_match", "legal", "span_f1", "squad")
WIDE, HIGH, LEFT = 10, 34, 90  # pixels: a character, a row, and the names of the rows
COLOURS = {"Actor": "#3f51b5", "Action": "#00796b", "Time": "#8e5a00", "NAME": "#3f51b5", "PHONE": "#00796b"}
COLOURS |= {"DATE": "#8e5a00", "answer": "#00796b", "passage": "#3f51b5", "": "#546e7a"}
COLOURS |= {"relevant": "#00796b", "not relevant": "#8e5a00", "not judged": "#546e7a"}


def drawn(rows: Rows, length: int, text: str = "", note: str = "") -> str:
    """Return an SVG with rows of spans above each other, the text they lie on, and a note below."""
    places = {
        side: [f"{start} to {end} {label}".strip() for start, end, label in own] for side, own in rows.items()
    }
    said = "; ".join(f"{side}: {', '.join(own) or 'nothing'}" for side, own in places.items())
    width, height = LEFT + length * WIDE + 10, len(rows) * HIGH + 4 + 22 * bool(text)
    out = [f'<div class="picture"><svg viewBox="0 0 {width} {height}" width="{width}" role="img"']
    out.append(f' aria-label="{said}">')
    for number, (side, own) in enumerate(rows.items()):
        top = number * HIGH + 4
        out.append(f'<text x="0" y="{top + 18}" font-size="13" fill="currentColor">{side}</text>')
        for start, end, label in own:
            at, size = LEFT + start * WIDE, (end - start) * WIDE - 2
            colour = COLOURS.get(label, COLOURS[""])
            out.append(f'<rect x="{at}" y="{top}" width="{size}" height="26" rx="3" fill="{colour}"/>')
            word = label or str(end - start)
            out.append(f'<text x="{at + 5}" y="{top + 18}" font-size="12" fill="#fff">{word}</text>')
    style = f'y="{height - 6}" font-size="13" font-family="monospace" fill="currentColor"'
    letters = (f'<text x="{LEFT + at * WIDE}" {style}>{one}</text>' for at, one in enumerate(text) if one != " ")
    return "".join([*out, *letters, "</svg></div>", f"\n\n{note}" if note else ""])


def example(name: str) -> str:
    """Return a picture of an example with the figures that a measure gives it."""
    family, _, own = name.partition(".")
    if family == "agreement":
        picture, figures = _agreement(name)
    elif family == "passages":
        picture, figures = (
            _words(name) if own in OF_WORDS else _places(name) if own in OF_PLACES else _ranking(name)
        )
    else:
        picture, figures = {"spans": _spans, "segments": _segments, "tokens": _tokens}[family](name)
    return "\n".join(["## An example", "", picture, "", "| figure | value |", "| --- | --: |", *figures, ""])


Made = tuple[str, list[str]]  # a picture, and rows of a table of figures


def _spans(name: str) -> Made:
    gold, pred = ([{"id": "d", "text": TEXT, "spans": SPANS[side]}] for side in SPANS)
    return drawn(SPANS, len(TEXT), TEXT), _figures(gold, pred, name)


def _segments(name: str) -> Made:
    edges = {side: [0, *own, LENGTH] for side, own in BOUNDARIES.items()}
    rows = {side: [(start, end, "") for start, end in pairwise(own)] for side, own in edges.items()}
    gold, pred = ([{"id": "d", "length": LENGTH, "boundaries": own}] for own in BOUNDARIES.values())
    note = "The numbers are the lengths of the segments."
    return drawn(rows, LENGTH, note=note), _figures(gold, pred, name)


def _tokens(name: str) -> Made:
    text = " ".join(WORDS)
    starts = [len(" ".join([*WORDS[:number], ""])) for number in range(len(WORDS))]
    rows: dict[str, list[tuple[int, int, str]]] = {}
    for side, tags in TAGS.items():
        own = rows[side] = []
        for start, word, tag in zip(starts, WORDS, tags, strict=True):
            end = start + len(word)
            if tag[0] == "B":
                own.append((start, end, tag[2:]))
            elif tag[0] == "I":
                own[-1] = (own[-1][0], end, own[-1][2])
    plain = name.startswith("tokens.presidio_")  # the tool takes a whole tag for a type
    sides = ([tag[2:] or tag for tag in own] if plain else own for own in TAGS.values())
    gold, pred = ([{"id": "d", "text": text, "tokens": WORDS, "tags": own}] for own in sides)
    return drawn(rows, len(text), text), _figures(gold, pred, name)


def _places(name: str) -> Made:
    rows = {"gold": [(*place, "answer") for place in ANSWERS]}
    for rank, (file, start, end) in enumerate(PASSAGES, 1):
        rows[f"passage {rank}"] = [(start, end, "passage")] if file == "a.txt" else []
    snippets = [{"file_path": "a.txt", "span": [start, end], "answer": FILE[start:end]} for start, end in ANSWERS]
    found = [{"file_path": file, "span": [start, end]} for file, start, end in PASSAGES]
    gold, pred = [{"query": "q", "snippets": snippets}], [{"query": "q", "retrieved_passages": found}]
    note = "The first passage is from another file, 20 characters long."
    return drawn(rows, len(FILE), FILE, note), _figures(gold, pred, name)


def _ranking(name: str) -> Made:
    kinds = {True: "relevant", False: "not relevant", None: "not judged"}
    boxes = []
    for rank, one in enumerate(RANKING):
        grade = JUDGED.get(one)
        boxes.append((rank * 14, rank * 14 + 13, kinds[None if grade is None else grade > 0]))
    run = {"q": {one: float(len(RANKING) - rank) for rank, one in enumerate(RANKING)}}
    listed = ", ".join(f"{one} ({JUDGED[one]})" if one in JUDGED else one for one in RANKING)
    note = f"Passages in the order retrieved, with their grades: {listed}."
    if name.startswith("passages.trec"):
        figures = _figures({"q": JUDGED}, run, name)
    else:
        answers = [{"id": one, "relevance": grade} for one, grade in JUDGED.items()]
        passages = [{"id": one, "score": score} for one, score in run["q"].items()]
        gold, pred = [{"query": "q", "snippets": answers}], [{"query": "q", "retrieved_passages": passages}]
        figures = _figures(gold, pred, name)
    return drawn({"retrieved": boxes}, 56, note=note), figures


def _words(name: str) -> Made:
    rows = {}
    for side, text in (("gold", GOLD_ANSWER), ("first passage", ANSWER)):
        own, at = [], 0
        for word in text.split():
            own.append((at, at + len(word) + 2, word))
            at += len(word) + 3
        rows[side] = own
    if name == "passages.squad":
        paragraph = {"qas": [{"id": "q", "question": "Who?", "answers": [{"text": GOLD_ANSWER}]}]}
        figures = _figures({"version": "v2.0", "data": [{"paragraphs": [paragraph]}]}, {"q": ANSWER}, name)
    else:
        gold = [{"query": "Who?", "snippets": [{"answer": GOLD_ANSWER}]}]
        figures = _figures(gold, [{"query": "Who?", "retrieved_passages": [{"text": ANSWER}]}], name)
    return drawn(rows, 34), figures


def _agreement(name: str) -> Made:
    sides = [[{"id": "d", "text": TEXT, "spans": own}] for own in ANNOTATORS.values()]
    found = spanscope.agree(*sides, measures=[name.partition(".")[2]], names=list(ANNOTATORS), ci=False)
    rows = {row.rate: row.value for row in found.rows if row.label is None and row.average == "micro"}
    return drawn(ANNOTATORS, len(TEXT), TEXT), [_row(rate, value) for rate, value in rows.items()]


def _figures(gold: Any, pred: Any, name: str) -> list[str]:
    """Return the figures over all labels as rows of a table."""
    asked: dict[str, Any] = {"protocol": "presidio"} if name.startswith("tokens.presidio_") else {"measures": name}
    rows = spanscope.evaluate(gold, pred, **asked, ci=False).rows
    own = [row for row in rows if row.average == "micro" and row.label is None]
    return [_row(row.rate, row.value) for row in own if spanscope.parse(row.measure).name == name]


def _row(rate: str, value: float) -> str:
    return f"| {rate} | {'–' if isnan(value) else format(value, '.4f')} |"
