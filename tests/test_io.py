"""Every shape people have gives the same corpus."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spanscope
from spanscope.data import Corpus
from spanscope.errors import InputError
from spanscope.io import read
from tests.cli import jsonl, write
from tests.support import Json, needs

Part = tuple[int, int, str, str | None]
Content = list[tuple[str | None, str | None, list[Part]]]

TEXTS = {"a": "Anna met Bob.", "b": "In Köln 😀 rains Zoé", "7": "nothing here"}
PLACES = {"a": [(0, 4, "PER"), (9, 12, "PER")], "b": [(15, 18, "PER"), (3, 7, "LOC")], "7": []}
EXPECTED: Content = [
    (key, text, [(start, end, label, text[start:end]) for start, end, label in PLACES[key]])
    for key, text in TEXTS.items()
]


def content(corpus: Corpus) -> Content:
    """Return the documents of a corpus as plain values."""
    spans = corpus.spans
    own = [None] * len(spans) if spans.text is None else spans.text.tolist()
    found: list[list[Part]] = [[] for _ in range(corpus.n_documents)]
    for doc, start, end, label, text in zip(spans.doc, spans.start, spans.end, spans.label, own, strict=True):
        found[doc].append((int(start), int(end), corpus.labels[label], text))
    ids = corpus.ids or [None] * corpus.n_documents
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
    return [{"start": a, "end": b, label: name} | ({"text": own[a:b]} if text else {}) for a, b, name in PLACES[key]]


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
def test_prodigy_refuses_what_was_not_accepted(answer: str, tmp_path: Path) -> None:
    value = [*prodigy()[:1], *prodigy(answer)[1:]]
    message = (
        f"the answer is '{answer}'\n  expected  accepted examples only\n"
        "  try       grep '\"answer\":\"accept\"'   to keep those"
    )
    path = write(tmp_path / "a.jsonl", value)
    for source, where in ((value, "documents[1]"), (path, f"{path}:2")):
        with pytest.raises(InputError) as caught:
            read(source)
        assert str(caught.value) == f"{where}: {message}"


def test_answer_is_a_field_like_others_without_prodigy(tmp_path: Path) -> None:
    value = [{**document, "answer": "reject"} for document in DOCUMENTS]
    assert content(read(value)) == EXPECTED
    assert content(read(write(tmp_path / "a.jsonl", value))) == EXPECTED


# ---------------------------------------------------------------- names of fields, ids


def test_fields_under_other_names(tmp_path: Path) -> None:
    value = [
        {"nr": d["id"], "body": d["text"], "marks": [{"from": s["start"], "to": s["end"], "kind": s["label"]}
         for s in d["spans"]]} for d in DOCUMENTS
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


def test_lines_of_documents_in_json(tmp_path: Path) -> None:
    """Documents of a JSON file are named by the line they start on."""
    for value, lines in (
        (DOCUMENTS, (2, 17, 32)),
        ({"schema": [], "items": DOCUMENTS}, (4, 19, 34)),
        ({d["id"]: {"spans": d["spans"]} for d in DOCUMENTS}, (2, 16, 30)),
    ):
        path = write(tmp_path / "a.json", json.dumps(value, indent=1))
        starts = [number for number, line in enumerate(path.read_text().split("\n"), 1) if line.strip() == "{"]
        corpus = read(path)
        assert len(starts) >= 3 or isinstance(value, dict)
        assert [corpus.where(row) for row in range(3)] == [f"{path}:{line}" for line in lines]


def test_hash_is_that_of_the_file(tmp_path: Path) -> None:
    import hashlib

    path = write(tmp_path / "a.jsonl.gz", gzip.compress(jsonl(DOCUMENTS).encode()))
    assert read(path).sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


# ---------------------------------------------------------------- fragments, spans without offsets


def fragments(corpus: Corpus) -> list[list[tuple[int, int]]]:
    pieces = corpus.spans.fragments()
    out: list[list[tuple[int, int]]] = [[] for _ in range(len(corpus.spans))]
    for span, start, end in zip(pieces.span, pieces.start, pieces.end, strict=True):
        out[span].append((int(start), int(end)))
    return out


def test_fragments(tmp_path: Path) -> None:
    spans: list[Any] = [
        {"fragments": [[9, 12], [0, 4]], "label": "PER"},
        {"start": 5, "end": 8, "label": "VERB"},
        {"fragments": [[0, 4]], "label": "PER"},
    ]
    value = [{"id": "a", "text": TEXTS["a"], "spans": spans}, DOCUMENTS[1]]
    for source in (value, write(tmp_path / "a.jsonl", value), write(tmp_path / "a.json", json.dumps(value))):
        corpus = read(source)
        assert fragments(corpus) == [[(0, 4), (9, 12)], [(5, 8)], [(0, 4)], [(15, 18)], [(3, 7)]]
        assert content(corpus)[0][2] == [(0, 12, "PER", "Anna Bob"), (5, 8, "VERB", "met"), (0, 4, "PER", "Anna")]


def test_fragments_match_by_all_their_parts() -> None:
    gold = [{"id": 1, "spans": [{"fragments": [[0, 4], [9, 12]], "label": "A"}]}]
    hull = [{"id": 1, "spans": [{"start": 0, "end": 12, "label": "A"}]}]
    assert spanscope.evaluate(gold, gold, "spans.exact").value() == 1.0
    assert spanscope.evaluate(gold, hull, "spans.exact").value() == 0.0
    assert spanscope.evaluate(gold, hull, "spans.characters").totals() == {"tp": 7, "pred": 12, "gold": 7}


def test_spans_without_offsets(tmp_path: Path) -> None:
    value = [{"id": "a", "text": TEXTS["a"], "spans": [{"label": "PER", "text": "Anna"}]}]
    for source in (value, write(tmp_path / "a.jsonl", value)):
        assert content(read(source))[0][2] == [(-1, -1, "PER", "Anna")]


# ---------------------------------------------------------------- columns


def test_columns() -> None:
    pandas = needs("pandas")
    rows = [(key, *span, TEXTS[key][span[0] : span[1]]) for key in TEXTS for span in PLACES[key]]
    columns = dict(zip(("doc", "start", "end", "label", "text"), map(list, zip(*rows, strict=True)), strict=True))
    expected = [(key, None, spans) for key, _, spans in EXPECTED[:2]]
    arrays = {name: np.array(column) for name, column in columns.items()}
    for value in (columns, arrays, pandas.DataFrame(columns), pandas.DataFrame(columns).sort_values("label")):
        assert sorted(content(read(value)), key=str) == [
            (key, None, sorted(spans, key=lambda s: s[2])) if isinstance(value, pandas.DataFrame) else one
            for one in expected
            for key, _, spans in [one]
        ]


def test_columns_by_other_names() -> None:
    pandas = needs("pandas")
    frame = pandas.DataFrame({"nr": [1, 1], "from": [0, 5], "to": [4, 8], "entity_type": ["A", "B"]})
    field = {"id": "nr", "start": "from", "end": "to"}
    assert content(read(frame, field=field)) == [("1", None, [(0, 4, "A", None), (5, 8, "B", None)])]


def test_a_document_without_rows_is_empty() -> None:
    """Columns cannot show documents without spans: one that only the other side has counts as empty."""
    gold = {"doc": ["a", "b"], "start": [0, 0], "end": [1, 1], "label": ["A", "A"]}
    pred = {"doc": ["c", "a"], "start": [0, 0], "end": [1, 1], "label": ["A", "A"]}
    result = spanscope.evaluate(gold, pred, "spans.exact")
    assert result.totals() == {"tp": 1, "pred": 2, "gold": 2}
    assert result.documents == 3


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"doc": [1], "start": [0], "end": [1]}, "gold: there is no column label (there are doc, start, end)"),
        ({"start": [0], "end": [1], "label": ["A"]}, "gold: there is no column doc"),
        ({"doc": [1, 2], "start": [0], "end": [1], "label": ["A"]}, "gold: the columns are not equally long"),
        ({"doc": [1], "start": [5], "end": [1], "label": ["A"]}, "gold document '1': spans[0] ends at 1, before"),
        ({"doc": [1], "start": [0.5], "end": [1], "label": ["A"]}, "gold document '1': spans[0].start is 0.5"),
        ({"doc": [1], "start": [0], "end": [1], "label": [None]}, "gold document '1': spans[0].label is None"),
    ],
)
def test_bad_columns(value: Json, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(value, name="gold")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("value", [3, None, {1, 2}, b"[]"])
def test_neither_path_nor_documents(value: object) -> None:
    with pytest.raises(InputError, match=r"the input is .*\n  expected  a path, a list of documents, or columns"):
        read(value)
