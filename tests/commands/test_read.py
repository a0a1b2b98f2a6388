"""One source read as a corpus, whatever it is, and its documents as plain dicts."""

import pickle
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.data.corpus import with_documents
from spanscope.settings.options import options_of
from spanscope.settings.reading import Given, Reading
from tests.cli import write

SAMPLES = Path(__file__).parent.parent / "samples"
TEXT = "Anna met Bob"
SPANS: dict[str, Any] = {
    "id": "d1",
    "text": TEXT,
    "spans": [
        {"start": 0, "end": 4, "label": "PER", "score": 0.5},
        {"start": 0, "end": 12, "label": "PAIR", "fragments": [[0, 4], [9, 12]]},
        {"start": 9, "end": 12, "label": "PER", "text": "Rob"},
        {"label": "PER", "text": "Carl"},
        {"start": 4, "end": 4, "label": "GAP"},
    ],
}
TOKENS = {
    "id": "s1",
    "text": "Anna met",
    "spans": [{"start": 0, "end": 4, "label": "PER"}],
    "tokens": ["Anna", "met"],
    "tags": ["B-PER", "O"],
    "start_indices": [0, 5],
}
SEGMENTS = [
    {"id": "a", "text": "abcd", "segments": [[0, 1], [1, 4]], "ptime": 0.5},
    {"id": "b", "length": 4, "segments": [[0, 1, "X"], [1, 4, "Y"]]},
    {"id": "c", "length": 4, "segments": {"part": [[0, 1], [1, 4]], "chapter": [[0, 4]]}},
]
GOLD = {
    "id": "q1",
    "query": "Who?",
    "snippets": [
        {"answer": ["Anna", "Ann"], "file_path": "a.txt"},
        {"text": "Bob", "file_path": "a.txt", "span": [9, 12], "relevance": 2},
    ],
}
FOUND = {
    "query": "Who?",
    "no_answer_probability": 0.25,
    "retrieved_passages": [{"text": "Bob", "file_path": "a.txt", "span": [9, 12], "id": "p1", "score": 0.75}],
}


@pytest.mark.parametrize("documents", [[SPANS], [TOKENS], SEGMENTS, [GOLD], [FOUND]])
def test_documents_come_back_as_they_were(documents: list[Any]) -> None:
    corpus = spanscope.read(documents)
    assert corpus.to_dicts() == documents
    assert spanscope.read(corpus.to_dicts()).to_dicts() == documents
    again = pickle.loads(pickle.dumps(corpus))
    assert again.to_dicts() == documents
    assert again.where(0) == corpus.where(0) == "documents[0]"


def test_families() -> None:
    for documents, family in (
        ([SPANS], "spans"),
        ([TOKENS], "tokens"),
        (SEGMENTS, "segments"),
        ([GOLD], "passages"),
    ):
        assert spanscope.read(documents).family == family


def test_what_is_usual_is_left_out() -> None:
    spans = [{"start": 0, "end": 4, "label": "PER", "text": "Anna", "score": None}, [9, 12, "PER"]]
    assert spanscope.read([{"id": 7, "text": TEXT, "spans": spans}]).to_dicts() == [
        {
            "id": "7",
            "text": TEXT,
            "spans": [{"start": 0, "end": 4, "label": "PER"}, {"start": 9, "end": 12, "label": "PER"}],
        }
    ]
    assert spanscope.read([[{"start": 0, "end": 4, "label": "PER"}]]).to_dicts() == [
        {"spans": [{"start": 0, "end": 4, "label": "PER"}]}
    ]
    assert spanscope.read([["B-PER", "O"]]).to_dicts() == [
        {"spans": [{"start": 0, "end": 1, "label": "PER"}], "tags": ["B-PER", "O"]}
    ]


def test_options_are_keywords(tmp_path: Path) -> None:
    assert [*Given.__annotations__] == [*options_of(Reading)]
    other = [{"key": "a", "text": "😀Anna", "marks": [{"start": 2, "end": 5, "kind": "X"}]}]
    fields = {"id": "key", "spans": "marks", "label": "kind"}
    want = [{"id": "a", "text": "😀Anna", "spans": [{"start": 1, "end": 5, "label": "Y"}]}]
    given: Any = {"fields": fields, "offsets": "utf16", "ends": "inclusive", "mapping": {"X": "Y"}}
    assert spanscope.read(other, **given).to_dicts() == want
    assert spanscope.read(other, read=Reading(**given)).to_dicts() == want
    given.pop("mapping")
    assert spanscope.read(spanscope.source(other, **given), mapping={"X": "Y"}).to_dicts() == want
    lines = write(tmp_path / "x.txt", "Anna PER\nmet O\n")
    assert spanscope.read(lines, input="conll", scheme="IO").to_dicts()[0]["tokens"] == ["Anna", "met"]


def test_options_that_nothing_reads_are_refused() -> None:
    with pytest.raises(spanscope.MeasureError, match="repair has no effect on spans read alone"):
        spanscope.read([SPANS], repair="strict")
    with pytest.raises(spanscope.MeasureError, match="scheme of documents has no effect"):
        spanscope.read([SPANS], scheme="IOB2")
    with pytest.raises(spanscope.MeasureError, match="scores has no effect on passages read alone"):
        spanscope.read([FOUND], scores="distances")
    with pytest.raises(spanscope.MeasureError, match="called offset; did you mean 'offsets'"):
        spanscope.read([SPANS], offset="utf16")  # type: ignore[call-arg]
    with pytest.raises(spanscope.MeasureError, match="read is 3"):
        spanscope.read([SPANS], read=3)  # type: ignore[arg-type]


def test_several_sides() -> None:
    both = [{"id": "t", "segmentations": {"ann": [[0, 4]], "bob": [[0, 2], [2, 4]]}}]
    sides = spanscope.read_sides(both)
    assert {name: side.to_dicts()[0]["segments"] for name, side in sides.items()} == {
        "ann": [[0, 4]],
        "bob": [[0, 2], [2, 4]],
    }
    with pytest.raises(
        spanscope.InputError, match=r"the source holds 2 segmentations \(ann: 1 document, bob: 1"
    ) as caught:
        spanscope.read(both)
    assert "spanscope.panel" in caught.value.hint
    assert spanscope.read(both, annotator="bob").to_dicts() == sides["bob"].to_dicts()
    assert [*spanscope.read_sides(both, annotator="bob")] == ["bob"]
    with pytest.raises(spanscope.InputError, match="has no segmentation 'bop'; did you mean 'bob'"):
        spanscope.read(both, annotator="bop")
    assert [*spanscope.read_sides([SPANS])] == [""]


def test_tags_of_both_sides(tmp_path: Path) -> None:
    both = write(tmp_path / "x.conll", "Anna B-PER O\nmet O O\n")
    sides = spanscope.read_sides(both)
    assert {name: side.to_dicts()[0]["tags"] for name, side in sides.items()} == {
        "gold": ["B-PER", "O"],
        "pred": ["O", "O"],
    }
    with pytest.raises(spanscope.InputError, match=r"holds 2 annotators \(gold: 1 document, pred: 1"):
        spanscope.read(both)
    assert [*spanscope.read_sides(SAMPLES / "conll" / "conll2003.txt")] == [""]


def test_judgements_and_runs_are_told_apart() -> None:
    qrels, run = (spanscope.read(SAMPLES / "trec" / name).to_dicts()[0] for name in ("qrels.txt", "run.txt"))
    assert qrels == {"id": "q1", "snippets": [{"id": "d1", "relevance": 2}, {"id": "d5", "relevance": 0}]}
    passages = [{"id": "d1", "score": 3.0}, {"id": "d2", "score": 2.0}, {"id": "d3", "score": 1.0}]
    assert run == {"id": "q1", "retrieved_passages": passages}
    scored = [{"id": "a", "score": 1}, {"id": "b", "score": 0.5}]
    assert spanscope.read({"q": {"a": 1, "b": 0.5}}).to_dicts() == [{"id": "q", "retrieved_passages": scored}]
    judged = spanscope.read({"q": {"a": 1, "b": 0}}, input="qrels").to_dicts()
    assert judged[0]["snippets"] == [{"id": "a", "relevance": 1}, {"id": "b", "relevance": 0}]


def test_no_text_is_quoted_where_it_is_masked() -> None:
    with pytest.raises(spanscope.InputError) as caught:
        spanscope.read([{"id": 1, "text": ["secret"], "spans": []}], text="none")
    assert "secret" not in str(caught.value)


def test_a_part_of_a_corpus() -> None:
    documents = [{"id": name, "text": TEXT, "spans": []} for name in "abc"]
    assert [one["id"] for one in with_documents(spanscope.read(documents), {"a", "c"}).to_dicts()] == ["a", "c"]
