"""Every entry of tests/samples/expected.json is read, from Python and a command line, or refused as it should.

An entry needs no more than the one option that `told.TOLD` has for it. The tests of single formats look
further into what they hold, and at what their messages say.
"""

import json
from collections import Counter
from typing import Any

import pytest

import spanscope
from spanscope.errors import SpanscopeError
from tests.cli import refused, run
from tests.io.formats.expected import EXPECTED, SAMPLES, sides_of
from tests.io.formats.told import TOLD, flags

FILES: dict[str, dict[str, Any]] = EXPECTED["files"]
PARTS = {  # entries that are several files: gold, and what goes with it
    "trec": ("trec/qrels.txt", "trec/run.txt"),
    "beir": ("beir", "beir/run.json"),
    "ranx": ("ranx/qrels.json", "ranx/run.json"),
    "squad": ("squad/squad2.json", "squad/predictions.json"),
    "legalbench": ("legalbench/bench.json", "legalbench/bench.json"),
}
REFUSED = {  # what cannot be read, and the words that say so
    "doccano/old_annotations.jsonl": "numbers of doccano's database",
    "prodigy/binary.jsonl": "answer to one suggested span",
    "spacy/tuples.py.txt": "Python source",
    "csv/no_header.tsv": "--input spans-tsv",
    "segmentation/speech.TextGrid": "TextGrid of Praat",
    "llm/outputs.jsonl": "--locate",
    "llm/wrong_offsets.jsonl": "--locate",
    "llm/by_type.jsonl": "--locate",
    "huggingface/saved_dict": "--split train or --split test",
}
RETRIEVED_ALONE = ("langchain/retrieved.jsonl", "llamaindex/retrieved.jsonl")  # no gold, so no figure
WITHOUT_PLACES = ("langextract/data.jsonl",)  # of some of its spans
OTHERS = ("spacy/example.json", "huggingface/tokenised.jsonl", "labelstudio/one.conll", "llm/quotes.jsonl")
SPANS = [name for name, about in FILES.items() if "spans" in about and name not in REFUSED]
SEGMENTS = [name for name, about in FILES.items() if about.keys() & {"segments", "segments_by"}]
RETRIEVAL = [name for name, about in FILES.items() if "retrieval" in about]


def test_every_entry_is_one_of_these() -> None:
    """A new sample has to be put into a table, or is of a kind that is compared."""
    known = [*SPANS, *SEGMENTS, *RETRIEVAL, *REFUSED, *OTHERS]
    assert sorted(known) == sorted(FILES)
    assert {*TOLD} <= {*FILES, *(file for files in PARTS.values() for file in files), "ranx/qrels.parquet"}


def _plain(spans: Counter[Any]) -> Counter[Any]:
    """Return spans without scores and pieces, which not every format has."""
    return Counter({(start, end, label): 0 for start, end, label, *_ in spans}) + Counter(
        (start, end, label) for start, end, label, *_ in spans.elements()
    )


@pytest.mark.parametrize("name", SPANS)
def test_spans_of_every_sample(name: str) -> None:
    found = spanscope.read_sides(SAMPLES / name, **TOLD.get(name, {}))
    sides = sides_of(name)
    if "gold, spans sc" in sides or "pred, spans sc" in sides:
        sides = dict([next(iter(sides.items()))])
    assert len(found) == len(sides)
    for corpus, own in zip(found.values(), sides.values(), strict=True):
        documents = {
            one.get("id", str(row)): Counter(
                (span["start"], span["end"], span["label"]) for span in one["spans"] if "start" in span
            )
            for row, one in enumerate(corpus.to_dicts())
        }
        expected = {key: _plain(spans) for key, spans in own.items()}
        if (
            documents.keys() <= expected.keys()
        ):  # what a file leaves out has no spans, or was left out by its answer
            assert documents.items() <= expected.items()
            assert not [1 for key in expected.keys() - documents.keys() if expected[key] and key not in documents]
        else:  # without ids of their own, documents are in order
            assert list(documents.values()) == list(expected.values())


@pytest.mark.parametrize("name", SPANS + SEGMENTS)
def test_every_sample_scores_against_itself(name: str) -> None:
    sides = [*spanscope.read_sides(SAMPLES / name, **TOLD.get(name, {}))]
    files, more = [SAMPLES / name] * 2, flags(name)
    if set(sides) >= {"gold", "pred"} or "Key" in sides:
        files = files[:1]
    elif len(sides) > 1:
        more += ["--annotator", sides[0]]
    if name in WITHOUT_PLACES:
        more += ["-m", "spans.text"]
    done = run("eval", *files, "--no-ci", "-f", "json", *more)
    assert done.code == 0, done.err
    figures = [
        row["value"] for row in json.loads(done.out).get("rows", ()) if row["rate"] == "f1" and not row["label"]
    ]
    if len(files) == 2 and name in SPANS:
        assert figures
        assert {*figures} == {1.0}


@pytest.mark.parametrize("name", SEGMENTS)
def test_segments_of_every_sample(name: str) -> None:
    found = spanscope.read_sides(SAMPLES / name, **TOLD.get(name, {}))
    about = FILES[name]
    sides = {
        coder: [[end - start for start, end, *_ in one["segments"]] for one in corpus.to_dicts()]
        for coder, corpus in found.items()
    }
    if "segments" in about:
        assert list(sides.values()) == [list(about["segments"].values())]
    else:
        by_coder = {coder: [own[coder] for own in about["segments_by"].values()] for coder in sides}
        assert sides == by_coder


@pytest.mark.parametrize("name", RETRIEVAL)
def test_retrieval_of_every_sample(name: str) -> None:
    files = PARTS.get(name, (name,))
    for file in files:
        sides = spanscope.read_sides(SAMPLES / file, **TOLD.get(file, {}))
        assert all(len(corpus.to_dicts()) in (4, 5) for corpus in sides.values())
    if name in RETRIEVED_ALONE:
        return
    more = ["--gold-input", "qrels"] if name == "ranx" else []
    done = run("eval", *(SAMPLES / file for file in files), "--no-ci", *more)
    assert done.code == (2 if name == "legalbench" else 0), done.err


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_a_word(name: str) -> None:
    assert REFUSED[name] in refused(run("eval", SAMPLES / name, SAMPLES / name, "--no-ci"))
    if FILES[name].get("refuse"):
        with pytest.raises(SpanscopeError):
            spanscope.read_sides(SAMPLES / name)
