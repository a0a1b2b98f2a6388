"""Further files whose every text holds a canary: formats that hold few texts, or that an option names.

A format without texts is searched too: what stands in a file by mistake is no less private.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.canaries import CANARY, CUT, GOLD_TAGS, SPANS, TEXT, TOKENS, damaged_bytes, damaged_values
from tests.more_canaries import QUERIES, QUOTES

Hurt = Callable[[bytes], Iterator[bytes]]


def _lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _whole(value: Any) -> bytes:
    return json.dumps(value).encode()


def foreign(data: bytes) -> Iterator[bytes]:
    """Return a file of identifiers and numbers in which a text stands where none belongs."""
    lines, text = data.splitlines(keepends=True), TEXT.encode()
    for number in range(len(lines) + 1):
        yield b"".join([*lines[:number], text + b"\n", *lines[number:]])
        if number < len(lines):
            yield b"".join([*lines[:number], text, b"\t", *lines[number:]])
            yield b"".join([*lines[:number], lines[number].rstrip(b"\n"), b" ", text, b"\n", *lines[number + 1 :]])
    yield b'"' + text + b'"'
    yield json.dumps({"text": TEXT, "items": TEXT}).encode()
    yield json.dumps([TEXT, [TEXT], 1]).encode()


def values(data: bytes) -> Iterator[bytes]:
    """Return damaged bytes, then damaged values, of a format with texts."""
    yield from damaged_bytes(data)
    yield from damaged_values(data)


class Rare(NamedTuple):
    """Gold and predictions, or one file with both; how files are damaged, and the options that name the format."""

    gold: bytes
    pred: bytes | None
    hurt: Hurt = foreign
    options: tuple[str, ...] = ()
    scored: bool = True  # whether `eval` reads it as it is


def _said(name: str) -> tuple[str, str]:
    return ("--input", name)


def _presidio(spans: list[dict[str, Any]]) -> list[Any]:
    return [
        {
            "entity_type": one["label"],
            "start": one["start"],
            "end": one["end"],
            "score": 0.85,
            "analysis_explanation": {"textual_explanation": f"found {CANARY}", "recognizer": "A"},
            "recognition_metadata": {"said": TEXT},
        }
        for one in spans
    ]


def _haystack(key: str) -> bytes:
    found = {"content": TEXT[8:20], "meta": {"source_id": "a.txt", "split_idx_start": 8}, "score": 0.5}
    return _lines(*({"query": f"Who is {CANARY} {n}?", key: [found]} for n in range(2)))


def _flow(cut: list[dict[str, Any]]) -> bytes:
    nodes = [{**one, "label": "plan", "source": "response", "annotation": True} for one in cut]
    return _lines({"doc_id": "d1", "raw_text": {"question": f"{CANARY}?", "response": TEXT}, "nodes": nodes})


def _sentences(labels: list[int]) -> bytes:
    return _lines({"id": "a", "sentences": [TEXT, CANARY, TEXT, CANARY], "labels": labels, "note": CANARY})


def _squad_rows() -> list[dict[str, Any]]:
    answers = {"text": [CANARY], "answer_start": [8]}
    return [{"id": f"q{n}", "context": TEXT, "question": f"{CANARY}?", "answers": answers} for n in range(2)]


_CELL = "\"['{}']\"".format
_RAGAS = "user_input,retrieved_contexts,response,reference\n" + "".join(
    f"Who is {CANARY} {n}?,{_CELL(TEXT)},{QUOTES[0]},{QUOTES[0]}\n" for n in range(2)
)
_NERVALUATE = [
    [{"label": "NAME", "start": 1, "end": 2, "text": QUOTES[0]}, {"label": "PLACE", "start": 6, "end": 6}]
]
_SPAN_ROWS = _lines(*({"id": f"d{n}", "text": TEXT, "spans": SPANS} for n in range(3)))
_JUDGED = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 1}}
_RUN = {"q1": {"d1": 0.5, "d2": 0.25}, "q2": {"d1": 0.5, "d2": 0.25}}
_MASSES = {"items": {"d1": {"ann": [2, 1], "ben": [1, 2]}}, "segmentation_type": "linear"}

RARE: dict[str, Rare] = {
    "presidio": Rare(_SPAN_ROWS, _whole([_presidio(SPANS), _presidio(SPANS[:1]), []]), values),
    "nervaluate": Rare(_whole(_NERVALUATE), _whole([_NERVALUATE[0][:1]]), values, _said("nervaluate")),
    "seqeval-entities": Rare(
        _whole([["NAME", 1, 2], ["PLACE", 6, 6]]), _whole([["NAME", 1, 2]]), options=_said("seqeval-entities")
    ),
    "tags": Rare(_lines(GOLD_TAGS), _lines(["O"] * 8)),
    "seqeval": Rare(_whole({"y_true": [GOLD_TAGS], "y_pred": [["O"] * 8]}), None),
    "reasoning-flow": Rare(_flow(CUT), _flow([{"start": 0, "end": 21}, {"start": 21, "end": len(TEXT)}]), values),
    "segeval": Rare(_whole(_MASSES), None),
    "segeval-table": Rare(b"Coder\tMasses\nann\t2\t1\nben\t1\t2\n", None),
    "nltk": Rare(b"0100\n0010\n", None, options=_said("nltk"), scored=False),  # which asks for one of the four
    "nltk-gaps": Rare(b"0100\n0010\n", b"0010\n0010\n", options=_said("nltk-gaps")),
    "nltk-units": Rare(b"01001\n00101\n", b"00101\n00101\n", options=_said("nltk-units")),
    "nltk-gap-pairs": Rare(b"0100\n0010\n", None, options=_said("nltk-gap-pairs")),
    "nltk-unit-pairs": Rare(b"01001\n00101\n", None, options=_said("nltk-unit-pairs")),
    "sentences-last": Rare(_sentences([0, 1, 0, 1]), _sentences([1, 0, 0, 1]), values, _said("sentences-last")),
    "sentences-first": Rare(_sentences([1, 1, 0, 1]), _sentences([1, 0, 0, 1]), values, _said("sentences-first")),
    "sentences-sections": Rare(
        _sentences([0, 1, 1, 2]), _sentences([0, 0, 1, 2]), values, _said("sentences-sections")
    ),
    "haystack": Rare(QUERIES, _haystack("documents"), values),
    "ragas-csv": Rare(_RAGAS.encode(), None, damaged_bytes),
    "squad-rows": Rare(_lines(*_squad_rows()), _whole({"q0": f"{CANARY} Pike", "q1": ""}), values),
    "trec": Rare(b"q1 0 d1 1\nq1 0 d2 0\n", b"q1 Q0 d1 1 0.5 x\nq1 Q0 d2 2 0.25 x\n"),
    "judgements": Rare(_whole(_JUDGED), _whole(_RUN)),
    "qrels": Rare(_whole(_JUDGED), _whole(_JUDGED), options=_said("qrels"), scored=False),  # judgements alone
    "run": Rare(_whole(_RUN), _whole(_RUN), options=_said("run"), scored=False),  # a run alone
    "label-studio": Rare(_SPAN_ROWS, _SPAN_ROWS, values, _said("label-studio"), scored=False),  # said wrongly
    "quotes of a model": Rare(
        _SPAN_ROWS,
        _lines(*({"id": f"d{n}", "spans": [{"text": f"{CANARY} pike", "label": "NAME"}]} for n in range(3))),
        damaged_bytes,
        ("--locate",),
    ),
    "tags as numbers": Rare(
        _lines({"id": "a", "tokens": TOKENS, "ner_tags": [0, 1, 2, 0] + 4 * [0]}),
        _lines({"id": "a", "tokens": TOKENS, "ner_tags": 8 * [0]}),
        values,
        ("--tag-names", "O,B-NAME,I-NAME"),
    ),
}
