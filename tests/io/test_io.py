"""Every shape people have gives the same corpus."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.data.corpus import Corpus
from spanscope.errors import InputError
from spanscope.io.reading import read
from spanscope.sides.texts import texts_of
from tests.cli import jsonl, write
from tests.support import Json

Part = tuple[int, int, str, str | None]
Content = list[tuple[str | None, str | None, list[Part]]]

TEXTS = {"a": "Anna met Bob.", "b": "In Köln 😀 rains Zoé", "7": "nothing here"}
PLACES = {"a": [(0, 4, "PER"), (9, 12, "PER")], "b": [(16, 19, "PER"), (3, 7, "LOC")], "7": []}
EXPECTED: Content = [
    (key, text, [(start, end, label, text[start:end]) for start, end, label in PLACES[key]])
    for key, text in TEXTS.items()
]


def content(corpus: Corpus) -> Content:
    """Return the documents of a corpus as plain values."""
    spans = corpus.spans
    read = texts_of(spans, corpus.texts)
    own = [None] * len(spans) if read is None else read.tolist()
    found: list[list[Part]] = [[] for _ in range(corpus.n_documents)]
    for doc, start, end, label, text in zip(spans.doc, spans.start, spans.end, spans.label, own, strict=True):
        found[doc].append((int(start), int(end), corpus.labels[label], text))
    ids: list[Any] = [None] * corpus.n_documents if corpus.ids is None else list(corpus.ids)
    texts = [None] * corpus.n_documents if corpus.texts is None else corpus.texts.tolist()
    return list(zip(ids, texts, found, strict=True))


def without(*fields: str) -> Content:
    """Return what is expected of a shape that has no ids, or no texts."""
    return [
        (
            None if "id" in fields else key,
            None if "text" in fields else text,
            [(a, b, label, None if "text" in fields else own) for a, b, label, own in spans],
        )
        for key, text, spans in EXPECTED
    ]


def spans_of(key: str, label: str = "label", *, text: bool = False) -> list[Json]:
    own = TEXTS[key]
    return [
        {"start": a, "end": b, label: name} | ({"text": own[a:b]} if text else {}) for a, b, name in PLACES[key]
    ]


def documents(spans: str = "spans", label: str = "label", *, text: bool = False) -> list[Json]:
    return [{"id": key, "text": TEXTS[key], spans: spans_of(key, label, text=text)} for key in TEXTS]


DOCUMENTS = documents()
LISTS = [[list(span) for span in PLACES[key]] for key in TEXTS]
SPACY = [{"text": TEXTS[key], "ents": spans_of(key), "tokens": [{"id": 0, "start": 0, "end": 2}]} for key in TEXTS]
TRAINING = [[TEXTS[key], {"entities": [list(span) for span in PLACES[key]]}] for key in TEXTS]
GROUPS = [{"id": key, "text": TEXTS[key], "spans": {"sc": spans_of(key)}} for key in TEXTS]
NERVALUATE = [spans_of(key) for key in TEXTS]

SHAPES: dict[str, tuple[Any, Content]] = {
    "documents": (DOCUMENTS, EXPECTED),
    "with span texts": (documents(text=True), EXPECTED),
    "some span texts": ([documents(text=True)[0], *DOCUMENTS[1:]], EXPECTED),
    "entities": (documents("entities"), EXPECTED),
    "ents": (documents("ents"), EXPECTED),
    "tag": (documents(label="tag"), EXPECTED),
    "type": (documents(label="type"), EXPECTED),
    "entity_type": (documents(label="entity_type"), EXPECTED),
    "two names of the label": ([documents()[0], *documents(label="tag")[1:]], EXPECTED),
    "two names of the spans": ([documents()[0], *documents("ents")[1:]], EXPECTED),
    "triples": ([{**d, "spans": s} for d, s in zip(DOCUMENTS, LISTS, strict=True)], EXPECTED),
    "other fields": ([{**d, "meta": {"label": 3}, "lang": None} for d in DOCUMENTS], EXPECTED),
    "a number as id": ([*DOCUMENTS[:2], {**DOCUMENTS[2], "id": 7}], EXPECTED),
    "spaCy's doc.to_json": (SPACY, without("id")),
    "spaCy's training examples": (TRAINING, without("id")),
    "spaCy's groups of spans": (GROUPS, EXPECTED),
    "nervaluate": (NERVALUATE, without("id", "text")),
    "lists of triples": (LISTS, without("id", "text")),
    "no texts": ([{"id": d["id"], "spans": d["spans"]} for d in DOCUMENTS], without("text")),
    "no ids": ([{"text": d["text"], "spans": d["spans"]} for d in DOCUMENTS], without("id")),
}
WRAPPED: dict[str, tuple[Any, Content]] = {
    "items and schema": ({"items": DOCUMENTS, "schema": ["PER", "LOC"]}, EXPECTED),
    "data": ({"data": DOCUMENTS}, EXPECTED),
    "documents": ({"version": 1, "documents": DOCUMENTS}, EXPECTED),
    "examples": ({"examples": NERVALUATE}, without("id", "text")),
    "documents by id": ({d["id"]: {"text": d["text"], "spans": d["spans"]} for d in DOCUMENTS}, EXPECTED),
    "spans by id": ({d["id"]: d["spans"] for d in DOCUMENTS}, without("text")),
    "triples by id": (dict(zip(TEXTS, LISTS, strict=True)), without("text")),
    "one document": (DOCUMENTS[1], EXPECTED[1:2]),
    "one spaCy document": (SPACY[0], without("id")[:1]),
}
shapes = pytest.mark.parametrize("name", SHAPES)


# ---------------------------------------------------------------- shapes


@shapes
def test_list_in_memory(name: str) -> None:
    value, expected = SHAPES[name]
    assert content(read(value)) == expected
    assert content(read(tuple(value))) == expected


@shapes
@pytest.mark.parametrize("ascii_only", [True, False])
def test_json_lines(name: str, ascii_only: bool, tmp_path: Path) -> None:
    value, expected = SHAPES[name]
    assert content(read(write(tmp_path / "a.jsonl", jsonl(value, ensure_ascii=ascii_only)))) == expected


@shapes
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("suffix", ["json", "jsonl", "txt"])
def test_json_list(name: str, indent: int | None, suffix: str, tmp_path: Path) -> None:
    value, expected = SHAPES[name]
    assert content(read(write(tmp_path / f"a.{suffix}", json.dumps(value, indent=indent)))) == expected


@pytest.mark.parametrize("name", WRAPPED)
@pytest.mark.parametrize("indent", [None, 1])
def test_wrapped(name: str, indent: int | None, tmp_path: Path) -> None:
    value, expected = WRAPPED[name]
    for source in (value, write(tmp_path / "a.json", json.dumps(value, indent=indent))):
        assert content(read(source)) == expected


def test_schema_is_kept(tmp_path: Path) -> None:
    value = WRAPPED["items and schema"][0]
    assert read(value).schema == ("PER", "LOC")
    assert read(write(tmp_path / "a.json", json.dumps(value))).schema == ("PER", "LOC")
    assert read(DOCUMENTS).schema is None


def test_json_lines_called_json(tmp_path: Path) -> None:
    assert content(read(write(tmp_path / "a.json", DOCUMENTS))) == EXPECTED


def test_pretty_documents_one_after_the_other_are_neither(tmp_path: Path) -> None:
    text = "\n".join(json.dumps(document, indent=1) for document in DOCUMENTS)
    with pytest.raises(InputError, match=r"a\.json:\d+: not JSON at column 1: Extra data"):
        read(write(tmp_path / "a.json", text))


def test_one_line(tmp_path: Path) -> None:
    for document in (DOCUMENTS[1], documents("ents")[1], documents("entities")[1]):
        for end in ("", "\n", "\n\n"):
            assert content(read(write(tmp_path / "a.jsonl", json.dumps(document) + end))) == EXPECTED[1:2]


def test_one_line_of_training_examples(tmp_path: Path) -> None:
    """A JSON Lines file keeps its meaning when it has one line only."""
    assert content(read(write(tmp_path / "a.jsonl", [TRAINING[0]]))) == without("id")[:1]


def test_one_line_of_nervaluate_spans(tmp_path: Path) -> None:
    assert content(read(write(tmp_path / "a.jsonl", [NERVALUATE[0]]))) == without("id", "text")[:1]


def test_no_documents_in_a_list() -> None:
    assert content(read([])) == []


# ---------------------------------------------------------------- Prodigy


def prodigy(answer: str = "accept") -> list[Json]:
    return [
        {
            "text": TEXTS[key],
            "_input_hash": -number,
            "_task_hash": 50 + number,
            "spans": [{**span, "token_start": 0, "token_end": 1} for span in spans_of(key)],
            "answer": answer,
        }
        for number, key in enumerate(TEXTS, start=1)
    ]


def test_prodigy(tmp_path: Path) -> None:
    expected = [(str(-n), text, spans) for n, (_, text, spans) in enumerate(EXPECTED, start=1)]
    assert content(read(prodigy())) == expected
    assert content(read(write(tmp_path / "a.jsonl", prodigy()))) == expected


def test_prodigy_with_ids_of_its_own() -> None:
    """A real id comes before Prodigy's hash of the text."""
    value = [{"id": key, **one} for key, one in zip(TEXTS, prodigy(), strict=True)]
    assert content(read(value)) == EXPECTED


@pytest.mark.parametrize("answer", ["reject", "ignore"])
def test_prodigy_leaves_out_what_was_not_accepted(answer: str, tmp_path: Path) -> None:
    value = [*prodigy()[:1], *prodigy(answer)[1:]]
    for source in (value, write(tmp_path / "a.jsonl", value)):
        corpus = read(source)
        assert corpus.ids == ["-1"]
        assert {*corpus.left_out} == {str(-number) for number in range(2, len(value) + 1)}
        assert [(one.kind, one.number) for one in corpus.problems] == [("answer", len(value) - 1)]


def test_answer_is_a_field_like_others_without_prodigy(tmp_path: Path) -> None:
    value = [{**document, "answer": "reject"} for document in DOCUMENTS]
    assert content(read(value)) == EXPECTED
    assert content(read(write(tmp_path / "a.jsonl", value))) == EXPECTED


# ---------------------------------------------------------------- names of fields, ids


def test_fields_under_other_names(tmp_path: Path) -> None:
    value = [
        {
            "nr": d["id"],
            "body": d["text"],
            "marks": [{"from": s["start"], "to": s["end"], "kind": s["label"]} for s in d["spans"]],
        }
        for d in DOCUMENTS
    ]
    field = {"id": "nr", "text": "body", "spans": "marks", "start": "from", "end": "to", "label": "kind"}
    assert content(read(value, field=field)) == EXPECTED
    assert content(read(write(tmp_path / "a.jsonl", value), field=field)) == EXPECTED


def test_text_of_spans_under_another_name() -> None:
    value = [{"id": "a", "spans": [{"start": 0, "end": 4, "label": "PER", "words": "Anna", "text": 3}]}]
    assert content(read(value, field={"span_text": "words"})) == [("a", None, [(0, 4, "PER", "Anna")])]


def test_a_named_field_replaces_the_usual_names() -> None:
    value = [{"id": "a", "spans": [{"start": 0, "end": 4, "label": "X", "category": "PER"}]}]
    assert content(read(value, field={"label": "category"}))[0][2] == [(0, 4, "PER", None)]
    with pytest.raises(InputError, match=r"spans\[0\] has no label \(it has start, end, label\)"):
        read([{"id": "a", "spans": [{"start": 0, "end": 4, "label": "X"}]}], field={"label": "category"})


def test_a_number_and_its_text_are_one_id() -> None:
    """Ids 1 and "1" name one document, on two sides and on one."""
    gold, pred = ([{"id": key, "spans": [[0, 1, "A"]]}] for key in (1, "1"))
    assert spanscope.evaluate(gold, pred, "spans.exact").value() == 1.0
    with pytest.raises(spanscope.DocumentError, match="the id '1' is repeated"):
        spanscope.evaluate(gold + pred, gold + pred, "spans.exact")


# ---------------------------------------------------------------- bytes


def test_gzip(tmp_path: Path) -> None:
    for name, text in (("a.jsonl.gz", jsonl(DOCUMENTS)), ("b.json.gz", json.dumps(DOCUMENTS)), ("c", "[]")):
        path = write(tmp_path / name, gzip.compress(text.encode()))
        assert content(read(path)) == (EXPECTED if name != "c" else [])


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (jsonl(DOCUMENTS).encode(), gzip.compress(jsonl(DOCUMENTS).encode())):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        corpus = read("-")
        assert content(corpus) == EXPECTED
        assert corpus.where(1) == "<stdin>:2"


@pytest.mark.parametrize("text", [jsonl(DOCUMENTS), json.dumps(DOCUMENTS), json.dumps(DOCUMENTS, indent=2)])
def test_bytes_around_the_json(text: str, tmp_path: Path) -> None:
    """A byte order mark, line ends of Windows, and blank lines before and after change nothing."""
    data = text.encode()
    for given in (b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), b"\n \n" + data + b"\n\n", data.rstrip()):
        assert content(read(write(tmp_path / "a.json", given))) == EXPECTED


def test_blank_lines_keep_the_numbers_of_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", "\n" + jsonl(DOCUMENTS).replace("\n", "\n\r\n \t\n"))
    corpus = read(path)
    assert content(corpus) == EXPECTED
    assert [corpus.where(row) for row in range(3)] == [f"{path}:{line}" for line in (2, 5, 8)]


BY_LINE = """{
  "schema": [],
  "items": [
    {"id": "a",
     "spans": []}, {"id": "b", "spans": []},

    {"id": "c", "spans": []}
  ]
}
"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (BY_LINE, (4, 5, 7)),
        ('[\n{"id": "a", "spans": [\n]}, {"id": "b", "spans": []},\n\n{"id": "c", "spans": []}]', (2, 3, 5)),
        ('{"a": [],\n"b": [\n],\n\n"c": []}', (1, 2, 5)),
        ('\n\n[[],\n[], [[0, 1, "A"]]]', (3, "4[1]", "4[2]")),
    ],
)
def test_lines_of_documents_in_json(text: str, lines: tuple[int | str, ...], tmp_path: Path) -> None:
    """Documents of a JSON file are named by the line they start on, and by their number where they share it."""
    path = write(tmp_path / "a.json", text)
    corpus = read(path)
    assert [corpus.where(row) for row in range(3)] == [f"{path}:{line}" for line in lines]


def test_line_of_one_document(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", json.dumps(DOCUMENTS[0], indent=1))
    assert read(path).where(0) == f"{path}:1"


def test_hash_is_that_of_the_file(tmp_path: Path) -> None:
    import hashlib

    path = write(tmp_path / "a.jsonl.gz", gzip.compress(jsonl(DOCUMENTS).encode()))
    assert read(path).sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("value", [3, None, {1, 2}, b"[]"])
def test_neither_path_nor_documents(value: object) -> None:
    with pytest.raises(InputError, match=r"the input is .*\n  expected  a path, a list of documents, or columns"):
        read(value)
