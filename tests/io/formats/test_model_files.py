"""spaCy, pipelines, Presidio, LangExtract, ai4privacy: every sample, through every door, to what it must give."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import InputError
from spanscope.io import detect
from spanscope.io.detect import FORMATS, recognise
from spanscope.io.head import Head
from spanscope.io.read_options import ReadOptions
from tests.cli import refused, run, write
from tests.io.formats.expected import EXPECTED, SAMPLES, sides_of, spans_in

GOLD = SAMPLES / "plain/gold.jsonl"
FORMAT = {
    **dict.fromkeys(
        [f"spacy/{side}.{end}" for side in ("gold", "pred") for end in ("spacy", "json", "jsonl")], "spacy"
    ),
    **dict.fromkeys(("spacy/tuples.json", "spacy/tuples.jsonl"), "spans"),  # as plain documents, with spans[]
    "spacy/example.json": "spacy",
    **dict.fromkeys(("huggingface/pipeline_aggregated.json", "huggingface/pipeline_raw.json"), "pipeline"),
    "huggingface/gliner.json": "spans",
    "langextract/data.jsonl": "langextract",
    **dict.fromkeys(("presidio/recognizer_results.json", "presidio/rest.json"), "presidio"),
    "presidio/input_samples.json": "spans",
    **dict.fromkeys([f"ai4privacy/rows_{name}.jsonl" for name in ("500k", "300k", "200k_first")], "ai4privacy"),
}
LAYERS = {"sc": "spans sc", "ents": "ents"}
LAYERED = [name for name in FORMAT if name.startswith(("spacy/gold", "spacy/pred"))]
ONE_SIDE = [name for name in FORMAT if name not in (*LAYERED, "spacy/example.json")]
WITH_IDS = {"langextract/data.jsonl", "ai4privacy/rows_500k.jsonl", "ai4privacy/rows_300k.jsonl"}
Found = list[Counter[tuple[Any, ...]]]


def in_order(corpus: Any) -> Found:
    """Return the spans of each document, in their order; quotes that stand nowhere are left out."""
    placed = ({"spans": [span for span in one["spans"] if "start" in span]} for one in corpus.to_dicts())
    return [spans_in(_Documents([one]))[""] for one in placed]


class _Documents(list[Any]):
    def to_dicts(self) -> list[Any]:
        return list(self)


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_is_claimed_by_one_format(name: str) -> None:
    path = SAMPLES / name
    assert recognise(path).name == recognise(str(path)).name == FORMAT[name]
    found, _ = detect._claims(Head(path), ReadOptions(), FORMATS)
    assert [one.name for one in found] == [FORMAT[name]]


@pytest.mark.parametrize("name", ONE_SIDE)
def test_every_sample_gives_its_spans(name: str) -> None:
    (expected,) = sides_of(name).values()
    (side,) = spanscope.read_sides(SAMPLES / name)
    assert side == ""
    corpus = spanscope.read(SAMPLES / name)
    assert in_order(corpus) == list(expected.values())
    assert corpus.ids == (list(expected) if name in WITH_IDS else None)


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("name", LAYERED)
def test_every_layer_gives_its_spans(name: str, layer: str) -> None:
    side = name[6:10]
    expected = sides_of(name)[f"{side}, {LAYERS[layer]}"]
    corpus = spanscope.read(SAMPLES / name, layer=layer)
    assert in_order(corpus) == list(expected.values())
    assert [one["text"] for one in corpus.to_dicts()] == list(EXPECTED["documents"].values())
    assert corpus.ids == (list(expected) if name.endswith(".spacy") else None)  # what these keep in user_data


@pytest.mark.parametrize("name", LAYERED)
def test_a_layer_is_asked_for(name: str) -> None:
    path, spans = SAMPLES / name, 19 if "gold" in name else 16
    message = refused(run("eval", path, path))
    assert message == (
        f"{path}: holds ents (15) and spans 'sc' ({spans})\n"
        "  expected  one layer of spans\n"
        "  try       --layer ents or --layer sc\n"
    )
    with pytest.raises(InputError, match="layer"):
        spanscope.read(path)
    assert "has no layer called 'other'" in refused(run("eval", path, path, "--layer", "other"))


def test_an_example_gives_its_text_and_its_entities() -> None:
    found = spanscope.read(SAMPLES / "spacy/example.json").to_dicts()
    sets, texts = EXPECTED["sets"]["gold-flat"], EXPECTED["documents"]
    assert [one["text"] for one in found] == [texts["d3"], texts["d4"]]
    assert [[[s["start"], s["end"], s["label"]] for s in one["spans"]] for one in found] == [
        sets["d3"],
        sets["d4"],
    ]


@pytest.mark.parametrize("name", [name for name in ONE_SIDE if name.startswith(("spacy", "lang", "ai4"))])
def test_every_sample_gives_its_texts(name: str) -> None:
    found = spanscope.read(SAMPLES / name).to_dicts()
    assert [one["text"] for one in found] == list(EXPECTED["documents"].values())


def matched(gold: str, pred: str) -> dict[str, int]:
    """Return how many spans of two sets of the samples are the same, counted here."""
    ours, theirs = (EXPECTED["sets"][name] for name in (gold, pred))
    tp = 0
    for key, spans in ours.items():
        tp += sum((Counter(tuple(s[:3]) for s in spans) & Counter(tuple(s[:3]) for s in theirs[key])).values())
    return {"tp": tp, "pred": sum(map(len, theirs.values())), "gold": sum(map(len, ours.values()))}


@pytest.mark.parametrize(
    ("name", "given", "of"),
    [
        ("spacy/pred.spacy", {"layer": "sc"}, "pred-plain"),
        ("spacy/pred.json", {"layer": "ents"}, "pred-flat-plain"),
        ("spacy/pred.jsonl", {"layer": "sc"}, "pred-plain"),
        ("huggingface/pipeline_aggregated.json", {}, "pred-flat"),
        ("huggingface/pipeline_raw.json", {}, "pred-flat-plain"),
        ("huggingface/gliner.json", {}, "gliner-pred"),
        ("presidio/recognizer_results.json", {}, "pred"),
    ],
)
def test_outputs_are_scored_against_gold_with_ids(name: str, given: dict[str, str], of: str) -> None:
    """Paired by position, or by texts where they have some."""
    path = SAMPLES / name
    found = spanscope.evaluate(GOLD, spanscope.source(path, **given), "spans.exact", ci=False)
    assert found.totals() == matched("gold-hull", of)
    flags = [word for key, value in given.items() for word in (f"--pred-{key}", value)]
    done = run("eval", GOLD, path, "-m", "spans.exact", "--no-ci", "-f", "csv", *flags)
    assert done.code == 0, done.err
    said = " ".join(run("eval", GOLD, path, "--no-ci", *flags).out.split())
    by = "their texts" if "spacy" in name else "their position"
    assert (f"paired with {GOLD} by {by}" in said) == (not name.endswith(".spacy"))  # which has the ids of gold


def test_lists_for_other_texts_are_refused() -> None:
    path = SAMPLES / "presidio/rest.json"
    message = f"{path}: is one list of spans for 6 documents\n  expected  a list of lists, or ids\n"
    assert refused(run("eval", GOLD, path)) == message
    assert refused(run("eval", SAMPLES / "presidio/input_samples.json", path)) == message
    rows = spanscope.read(SAMPLES / "presidio/recognizer_results.json").to_dicts()[:5]
    with pytest.raises(spanscope.DocumentError, match=r"has lists of spans for 5 texts, and .* has 6 documents"):
        spanscope.evaluate(GOLD, [one["spans"] for one in rows], ci=False)
    one = spanscope.read(GOLD).to_dicts()[:1]
    totals = spanscope.evaluate(one, path, "spans.exact", ci=False).totals()
    assert totals == {"tp": 2, "pred": 4, "gold": 4}  # PERSON and DATE; ORG and LOC are cut


def test_extractions_without_a_place_are_spurious() -> None:
    path = SAMPLES / "langextract/data.jsonl"
    unplaced = {
        key: [tuple(one) for one in own]
        for key, own in EXPECTED["files"]["langextract/data.jsonl"]["unplaced"].items()
    }
    found = {
        one["id"]: [(s["text"], s["label"]) for s in one["spans"] if "start" not in s]
        for one in spanscope.read(path).to_dicts()
    }
    assert {key: own for key, own in found.items() if own} == unplaced
    result = spanscope.evaluate(GOLD, path, "spans.exact", ci=False)
    # DATE; PERSON; ORG and LOC of d3; PERSON, EMAIL and LOC of d6. All 16 extractions count, found or not.
    assert result.totals() == {"tp": 7, "pred": 16, "gold": 19}
    lost = [m for m in result.matches() if m["pred"] and m["pred"]["start"] is None]
    assert [(m["kind"], m["pred"]["text"]) for m in lost] == [("spurious", one[0][0]) for one in unplaced.values()]
    done = run("eval", GOLD, path, "--no-ci")
    assert "5 quotes without a place in the text" in done.out
    assert "--locate looks for them" in " ".join(done.out.split())
    placed = spanscope.evaluate(GOLD, path, "spans.exact", ci=False, read=spanscope.Reading(locate=True))
    assert placed.totals()["tp"] == 10  # with "Zoë O’Neil", "New York" in d3 and "stroke", which stand there


def test_gold_cannot_stand_nowhere() -> None:
    path = SAMPLES / "langextract/data.jsonl"
    assert "5 gold spans without offsets" in refused(run("eval", path, path, "-m", "spans.exact"))


def test_python_source_is_refused() -> None:
    path = SAMPLES / "spacy/tuples.py.txt"
    message = refused(run("eval", path, path))
    assert message.startswith(f"{path}:1: is Python source of spaCy's training data, not JSON\n")
    assert "save it with json.dump(" in message
    with pytest.raises(InputError, match="Python source"):
        spanscope.read(path)


def test_training_data_of_spacy_2_is_refused(tmp_path: Path) -> None:
    tokens = [{"id": 0, "orth": "Ann", "tag": "NNP", "ner": "U-PERSON"}]
    old = [{"id": 0, "paragraphs": [{"raw": "Ann", "sentences": [{"tokens": tokens, "brackets": []}]}]}]
    for path in (write(tmp_path / "a.json", json.dumps(old)), write(tmp_path / "a.jsonl", old)):
        said = refused(run("eval", path, path))
        assert "is training data of spaCy 2" in said
        assert "spacy convert FILE OUT --converter json" in said


def test_printed_results_are_refused(tmp_path: Path) -> None:
    for text in ("type: PERSON, start: 0, end: 5, score: 0.85\n", "[type: URL, start: 0, end: 5, score: 0.85]"):
        (tmp_path / "a.log").write_text(text, encoding="utf-8")
        message = refused(run("eval", GOLD, tmp_path / "a.log"))
        assert f"{tmp_path}/a.log:1: is what Presidio's results look like when they are printed" in message
        assert "to_dict()" in message


def test_scores_and_what_is_left_aside() -> None:
    raw = spanscope.read(SAMPLES / "huggingface/pipeline_raw.json")
    assert [str(one).partition(": ")[2] for one in raw.problems] == [
        "34 scores of word pieces ignored: spans cannot hold them"
    ]
    layer = spanscope.read(SAMPLES / "spacy/gold.json", layer="ents")
    assert [str(one).partition(": ")[2] for one in layer.problems] == [
        "19 spans of other layers ignored: spans cannot hold them"
    ]


def test_the_samples_are_all_here() -> None:
    """No sample of these formats is forgotten; rows of tokens and tags are read by others."""
    kinds = tuple({name.partition("/")[0] for name in FORMAT})
    tagged = {f"huggingface/{name}" for name in ("rows.jsonl", "rows.parquet", "saved", "saved_dict")}
    tagged |= {"huggingface/gliner_train.json", "huggingface/tokenised.jsonl", "presidio/frame.csv"}
    others = {name for name in EXPECTED["files"] if name.startswith(kinds)} - tagged - {"spacy/tuples.py.txt"}
    assert others == {*FORMAT}
