"""Segmentations as their tools write them: every sample reads to what expected.json says, and scores."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import InputError
from tests.cli import refused, run, write
from tests.io.formats.expected import EXPECTED, SAMPLES

HERE = SAMPLES / "segmentation"
ONE = [name for name, own in EXPECTED["files"].items() if "segments" in own]
SEVERAL = [name for name, own in EXPECTED["files"].items() if "segments_by" in own]
SAID = {"segmentation/nltk.txt": "nltk-gap-pairs"}


def masses(corpus: Any) -> dict[str, list[int]]:
    return {one["id"]: [own[1] - own[0] for own in one["segments"]] for one in corpus.to_dicts()}


def cuts(source: Any, **given: Any) -> list[list[int]]:
    documents = spanscope.read(source, **given).to_dicts()
    return [[own[1] - own[0] for own in one["segments"]] for one in documents]


@pytest.mark.parametrize("name", ONE)
def test_samples_of_one_segmentation(name: str) -> None:
    corpus = spanscope.read(SAMPLES / name)
    assert masses(corpus) == EXPECTED["files"][name]["segments"]
    if "labels" in EXPECTED["files"][name]:
        labels = {one["id"]: [own[2] for own in one["segments"]] for one in corpus.to_dicts()}
        assert labels == EXPECTED["files"][name]["labels"]


@pytest.mark.parametrize("name", SEVERAL)
def test_samples_of_several_coders(name: str) -> None:
    given = {"input": SAID[name]} if name in SAID else {}
    sides = spanscope.read_sides(SAMPLES / name, **given)  # type: ignore[arg-type]
    found: dict[str, dict[str, list[int]]] = {}
    for coder, corpus in sides.items():
        for document, own in masses(corpus).items():
            found.setdefault(document, {})[coder] = own
    assert found == EXPECTED["files"][name]["segments_by"]


def test_sentences_stay_as_metadata() -> None:
    texts = {name: own["sentences"] for name, own in EXPECTED["segmentations"].items()}
    for name in ("choi", "wiki727", "sentences.jsonl", "section_labels.jsonl"):
        documents = spanscope.read(HERE / name).to_dicts()
        assert {one["id"]: one["meta"]["sentences"] for one in documents} == texts


# By hand: the boundaries 2, 5 against 3, 5 are half a miss of two (3/4), 2 against 1 is half a miss (1/2), and a
# boundary where there is none is wrong (0).
B = (3 / 4 + 1 / 2 + 0) / 3
PAIRS = ["choi choi_pred", "wiki727 choi_pred", "sentences.jsonl choi_pred", "sentences_first.jsonl choi_pred"]


@pytest.mark.parametrize("files", PAIRS)
def test_two_files_score(files: str) -> None:
    gold, pred = (HERE / name for name in files.split())
    done = run("eval", gold, pred, "--no-ci", "-m", "segments.edit_distance(n_t=2)", "-f", "json")
    assert done.code == 0, done.err
    rows = [row for row in json.loads(done.out)["rows"] if row["average"] == "document"]
    assert next(row["value"] for row in rows if row["rate"] == "b") == pytest.approx(B)


@pytest.mark.parametrize(("name", "given"), [("segeval.json", ()), ("nltk.txt", ("--input", "nltk-gap-pairs"))])
def test_one_file_with_both_scores(name: str, given: tuple[str, ...]) -> None:
    done = run("eval", HERE / name, *given, "--no-ci")
    assert done.code == 0, done.err
    assert f"{B:.4f}" in done.out


# ---------------------------------------------------------------- what is asked, and what is refused


def test_strings_are_asked_about() -> None:
    message = refused(run("eval", HERE / "nltk.txt"))
    assert message.startswith(
        f"{HERE}/nltk.txt:1: '01001' may have one character per gap (6 units) or per unit (5)"
    )
    assert "--input nltk-gaps or --input nltk-units" in message


def test_strings_a_line_a_document(tmp_path: Path) -> None:
    path = write(tmp_path / "s.txt", "0101\n\n10\n")
    assert cuts(path, input="nltk-gaps") == [[2, 2, 1], [1, 2]]
    assert cuts(path, input="nltk-units") == [[2, 2], [1, 1]]
    assert "'0101 x'" in refused(run("eval", write(tmp_path / "t.txt", "0101 x\n"), "--input", "nltk-gaps"))
    assert "an odd number" in refused(run("eval", write(tmp_path / "o.txt", "01\n"), "--input", "nltk-unit-pairs"))
    uneven = write(tmp_path / "u.txt", "010\n01\n")
    assert "u.txt:2: the line has 2 characters" in refused(run("eval", uneven, "--input", "nltk-gap-pairs"))


def sentences(*labels: list[Any]) -> list[dict[str, Any]]:
    return [{"id": at, "sentences": ["x"] * len(own), "labels": own} for at, own in enumerate(labels)]


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        (([1, 0, 1], [1, 1]), "all documents begin and end with 1"),
        (([0, 1, 0], [0, 0, 1]), "neither is always 1"),
        (([0, 0, 1], [0, 1]), "in no document does a 0 follow a 1"),
    ],
)
def test_labels_that_may_mark_several_things_are_asked_about(labels: tuple[list[int], ...], why: str) -> None:
    with pytest.raises(InputError, match=why) as caught:
        spanscope.read(sentences(*labels))
    assert caught.value.hint.count("[[input=sentences-") == 3


def test_what_labels_mark_can_be_said_of_files(tmp_path: Path) -> None:
    path = write(tmp_path / "s.json", json.dumps(sentences([0, 1, 0, 1, 0])))
    assert cuts(path, input="sentences-last") == [[2, 2, 1]]
    assert cuts(path, input="sentences-first") == [[1, 2, 2]]
    assert cuts(path, input="sentences-sections") == [[1, 1, 1, 1, 1]]


def test_labels_that_come_back_are_new_segments() -> None:
    documents = spanscope.read(sentences(["a", "a", "b", "a"])).to_dicts()
    assert documents[0]["segments"] == [[0, 2, "a"], [2, 3, "b"], [3, 4, "a"]]
    with pytest.raises(InputError, match="2 sentences and 1 label"):
        spanscope.read([{"sentences": ["a", "b"], "labels": [1]}])


def test_separators_of_choi(tmp_path: Path) -> None:
    line = "=" * 10
    path = write(tmp_path / "a.ref", f"{line} \r\nOne.\r\n{line}\r\nTwo.  \r\nThree.\r\n")
    assert cuts(path) == [[1, 2]]
    twice = write(tmp_path / "b.ref", f"{line}\nOne.\n{line}\n{line}\nTwo.\n{line}\n")
    assert refused(run("eval", twice, twice)).startswith(
        f"{twice}:4: two separators have no sentence between them"
    )


def test_headings_of_wiki(tmp_path: Path) -> None:
    text = "========,1,preface.\nOne.\n========,2,Rome, St. Peter.\n========,3,Inner.\n***LIST***\n"
    folder = tmp_path / "00" / "11"
    folder.mkdir(parents=True)
    write(folder / "12", text)
    corpus = spanscope.read(tmp_path)
    assert corpus.to_dicts()[0]["segments"] == [[0, 1, "preface"], [1, 2, "Inner"]]
    assert corpus.ids == ["00/11/12"]
    assert [(one.values["kinds"], one.number) for one in corpus.problems] == [("headings without sentences", 1)]


def test_positions_of_segeval(tmp_path: Path) -> None:
    path = write(tmp_path / "d.csv", "Coder,Positions\nann,1,1,2,2,2,3\nben,1,1,1,2,2,3\n")
    sides = spanscope.read_sides(path)
    assert {coder: masses(corpus) for coder, corpus in sides.items()} == {
        "ann": {"d": [2, 3, 1]},
        "ben": {"d": [3, 2, 1]},
    }
    short = write(tmp_path / "e.tsv", "Coder\tMasses\nann\t2\t3\nben\t2\t2\n")
    assert "the masses add up to 5 of 'ann', 4 of 'ben'" in refused(run("eval", short))
    other = write(tmp_path / "f.json", json.dumps({"items": {}, "segmentation_type": "multilinear"}))
    assert "segmentation_type is 'multilinear'" in refused(run("eval", other))


def test_textgrids_are_refused_with_a_word() -> None:
    message = refused(run("eval", HERE / "speech.TextGrid"))
    assert "is a TextGrid of Praat, which has times of speech and no characters" in message
    assert "masses" in message


def test_traces_of_reasoning_flow() -> None:
    text = "First. Then."
    nodes = [{"start": 0, "end": 7, "label": "plan", "source": "response"}]
    nodes += [{"start": 7, "end": 12, "label": "fact", "source": "response"}]
    trace = {
        "doc_id": "t1",
        "raw_text": {"question": "?", "response": text},
        "nodes": [*nodes, {"start": 0, "end": 1, "label": "context", "source": "question"}],
        "edges": [{}],
    }
    corpus = spanscope.read([trace])
    assert corpus.to_dicts() == [{"id": "t1", "text": text, "segments": [[0, 7, "plan"], [7, 12, "fact"]]}]
    assert {one.values["kinds"]: one.number for one in corpus.problems} == {
        "edges": 1,
        "nodes outside the response": 1,
    }


def test_metadata_of_documents_are_kept() -> None:
    given = [{"id": 1, "length": 4, "segments": [[0, 4]], "meta": {"a": 1}, "source": "x"}]
    assert spanscope.read(given, keep_fields=["source"]).to_dicts()[0]["meta"] == {"a": 1, "source": "x"}
