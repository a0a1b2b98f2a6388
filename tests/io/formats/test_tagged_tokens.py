"""Tagged tokens in the files that people have: every sample, through every door, to what it must give."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import InputError, MeasureError
from spanscope.io.detect import recognise
from tests.cli import refused, run, write
from tests.io.formats.expected import EXPECTED, SAMPLES

FORMAT = {
    "conll/conll2003.txt": "conll",
    "conll/both.conll": "conll",
    "conll/header.bio": "conll",
    "conll/comments.conll": "conll",
    "conll/misc.conllu": "conllu",
    "conll/kaggle.csv": "token-rows",
    "presidio/frame.csv": "token-rows",
    "frames/tokens.parquet": "token-rows",
    "tags/seqeval.json": "seqeval",
    "huggingface/rows.parquet": "tokens",
    "huggingface/saved": "datasets",
    "huggingface/gliner_train.json": "gliner-train",
}
NAMES = EXPECTED["files"]["huggingface/rows.jsonl"]["tag_names"]
SAID: dict[str, dict[str, Any]] = {  # samples that leave something open, and the one option that says it
    "huggingface/rows.jsonl": {"tag_names": NAMES},
    "tags/nervaluate.json": {"input": "nervaluate"},
    "tags/seqeval_entities.json": {"input": "seqeval-entities"},
}
FLAGS = {
    "huggingface/rows.jsonl": ["--tag-names", ",".join(NAMES)],
    "tags/nervaluate.json": ["--input", "nervaluate"],
    "tags/seqeval_entities.json": ["--input", "seqeval-entities"],
}


def spans_of(corpus: spanscope.Corpus) -> list[Counter[tuple[Any, ...]]]:
    """Return the spans of each document, in the order of the documents."""
    return [
        Counter((span["start"], span["end"], span["label"]) for span in document["spans"])
        for document in corpus.to_dicts()
    ]


def expected(name: str, side: str) -> list[Counter[tuple[Any, ...]]]:
    own = EXPECTED["sets"][EXPECTED["files"][name]["spans"][side]]
    return [Counter((start, end, label) for start, end, label, *_ in spans) for spans in own.values()]


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_is_known(name: str) -> None:
    assert recognise(SAMPLES / name).name == FORMAT[name]


@pytest.mark.parametrize("name", [*FORMAT, *SAID])
def test_every_sample_gives_its_spans(name: str) -> None:
    found = spanscope.read_sides(SAMPLES / name, **SAID.get(name, {}))
    sides = EXPECTED["files"][name]["spans"]
    assert [*found] == ([*sides] if len(sides) == 2 else [""])
    for side, corpus in zip(sides, found.values(), strict=True):
        assert spans_of(corpus) == expected(name, side)
        if EXPECTED["files"][name].get("texts_joined"):
            assert all(" ".join(one.get("tokens", ())) in ("", one["text"]) for one in corpus.to_dicts())


@pytest.mark.parametrize("name", [*FORMAT, *SAID])
def test_every_sample_is_scored_from_the_command_line(name: str) -> None:
    sides = EXPECTED["files"][name]["spans"]
    files = [SAMPLES / name] * (3 - len(sides))
    done = run("eval", *files, "-m", "spans.exact", "-f", "json", "--no-ci", *FLAGS.get(name, []))
    assert done.code == 0, done.err
    size = sum(map(len, expected(name, "gold")))
    assert f'"gold": {size}' in done.out.replace("\n", " ") or f'"gold":{size}' in done.out


@pytest.mark.parametrize("name", ["conll/both.conll", "tags/seqeval.json", "presidio/frame.csv"])
def test_two_columns_of_tags_are_the_two_sides(name: str) -> None:
    """Worked by hand from the sample: of 15 gold and 15 predicted entities 10 are the same."""
    found = spanscope.evaluate(SAMPLES / name, measures="spans.exact", ci=False)
    common = [(a & b).total() for a, b in zip(expected(name, "gold"), expected(name, "pred"), strict=True)]
    assert found.totals() == {"tp": sum(common), "pred": 15, "gold": 15}


@pytest.mark.parametrize("split", ["train", "test"])
def test_splits_of_a_saved_data_set(split: str) -> None:
    path = SAMPLES / "huggingface/saved_dict"
    assert spans_of(spanscope.read(path, split=split)) == expected("huggingface/saved_dict", split)
    message = refused(run("eval", path, path))
    assert message.startswith(f"{path}: holds 2 splits: train, test\n")
    assert "--split train or --split test" in message
    assert "has no split 'dev': train, test" in refused(run("eval", path, path, "--split", "dev"))
    assert run("eval", path, path, "--split", split, "--no-ci").code == 0
    sides = spanscope.read_sides(path)
    assert list(sides) == ["train", "test"]
    assert spans_of(sides[split]) == expected("huggingface/saved_dict", split)
    assert list(spanscope.read_sides(path, split=split)) == [""]
    alone = SAMPLES / "huggingface/saved"
    assert "holds one data set, without splits" in refused(run("eval", alone, alone, "--split", "train"))


def test_pieces_of_words_are_tags_alone() -> None:
    """What -100 leaves out cannot be put together: the tags are those of the words, in their order."""
    corpus = spanscope.read(SAMPLES / "huggingface/tokenised.jsonl", tag_names=NAMES)
    words = spanscope.read(SAMPLES / "conll/conll2003.txt")
    assert [one["tags"] for one in corpus.to_dicts()] == [one["tags"] for one in words.to_dicts()]
    assert spans_of(corpus) == expected("tags/seqeval.json", "gold")


def test_numbers_without_names_are_refused() -> None:
    path = SAMPLES / "huggingface/rows.jsonl"
    message = refused(run("eval", path, path))
    assert message.startswith(f"{path}:1: a tag is the number 9, and nothing says which tag that is\n")
    assert "--tag-names O,B-PER,I-PER   with the names of all tags, in the order of their numbers" in message
    names = ",".join(f"{number}={name}" for number, name in enumerate(NAMES))
    assert run("eval", path, path, "--label-names", names, "--no-ci").code == 0
    few = refused(run("eval", path, path, "--tag-names", "O,B-X,I-X"))
    assert "the tag 9 has no name: 3 names of tags are known\n  expected  a number from 0 to 2\n  try " in few
    assert "label_names has 'x'" in refused(run("eval", path, path, "--label-names", "x=O"))


# ---------------------------------------------------------------- numbers of tokens


def test_numbers_of_tokens_are_refused_with_both_readings(tmp_path: Path) -> None:
    path = SAMPLES / "tags/nervaluate.json"
    message = refused(run("eval", path, path))
    assert message.startswith(f"{path}: its spans look like token numbers with the last token included")
    assert "3 of 15 start where they end" in message
    assert "--input nervaluate" in message
    assert "--ends exclusive" in message
    assert run("eval", path, path, "--ends", "exclusive", "--no-ci").code == 0
    text = write(tmp_path / "a.json", '[{"text": "ab", "spans": [{"start": 1, "end": 1, "label": "X"}]}]')
    assert spanscope.read(text).size == 1
    with pytest.raises(InputError, match="has texts"):
        spanscope.read(text, input="nervaluate")
    with pytest.raises(InputError, match="has scores"):
        spanscope.read(SAMPLES / "presidio/recognizer_results.json", input="nervaluate")


def test_a_list_of_strings_is_no_list_of_tags(tmp_path: Path) -> None:
    """One of the words must be O or have a prefix, unless somebody says that they are tags."""
    path = write(tmp_path / "a.json", '["a b", "hello"]')
    assert "expected  an object with id, text and spans" in refused(run("eval", path, path))
    for more in (["--input", "tags"], ["--scheme", "IO"]):
        assert run("eval", path, path, "--no-ci", *more).code == 0
    assert spanscope.evaluate([["PER", "O"]], [["PER", "PER"]], ci=False).totals()["pred"] == 1


def test_entities_of_seqeval_need_a_word(tmp_path: Path) -> None:
    path = SAMPLES / "tags/seqeval_entities.json"
    with pytest.raises((InputError, MeasureError)):
        spanscope.read(path)
    one = write(tmp_path / "a.json", '[["PER", 0, 1], ["LOC", 3, 3]]')
    (document,) = spanscope.read(one, input="seqeval-entities").to_dicts()
    assert [(span["start"], span["end"]) for span in document["spans"]] == [(0, 2), (3, 4)]
    odd = write(tmp_path / "b.json", '[[["PER", 0]]]')
    assert "expected  lists of a type" in refused(run("eval", odd, odd, "--input", "seqeval-entities"))


def test_training_data_of_gliner_may_nest(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.json", '[{"tokenized_text": ["New", "York", "U"], "ner": [[0, 1, "l"], [0, 2, "o"]]}]'
    )
    assert spanscope.read(path).to_dicts()[0]["spans"] == [
        {"start": 0, "end": 8, "label": "l"},
        {"start": 0, "end": 10, "label": "o"},
    ]
    odd = write(tmp_path / "b.json", '[{"tokenized_text": ["New"], "ner": [[0, 1, "l"]]}]')
    assert "in 1 tokens" in refused(run("eval", odd, odd))


# ---------------------------------------------------------------- CoNLL


def test_documents_are_groups_of_sentences(tmp_path: Path) -> None:
    assert spanscope.read(SAMPLES / "conll/conll2003.txt").groups == ["1", "2", "3", "4", "5", "6"]
    sentence = "Ann B-PER\nran O\n\n"
    mark = "-DOCSTART- -X- O O\n"  # CoNLL-2003 has four columns here, and a blank line behind
    text = mark + "\n" + sentence * 2 + mark + sentence + mark + "\n" + mark + "\n" + sentence
    corpus = spanscope.read(write(tmp_path / "a.conll", text))
    assert corpus.n_documents == 4
    assert corpus.groups == ["1", "1", "2", "3"]
    assert spanscope.read(write(tmp_path / "b.conll", mark + sentence * 2)).groups is None
    named = "# newdoc id = a\n" + sentence * 2 + "# newdoc id = b\n" + sentence
    corpus = spanscope.read(write(tmp_path / "c.conll", named))
    assert (corpus.groups, corpus.ids) == (["a", "a", "b"], None)


def test_the_export_of_label_studio_is_read_with_a_warning() -> None:
    path = SAMPLES / "labelstudio/one.conll"
    (problem,) = spanscope.read(path).problems
    assert str(problem).endswith(
        "Label Studio's CoNLL export puts tags after an emoji on the wrong tokens: export JSON instead"
    )
    assert "export JSON" in run("eval", path, path, "--no-ci").out
    assert spanscope.read(SAMPLES / "conll/conll2003.txt").problems == []


def test_comments_of_one_side_serve_both(tmp_path: Path) -> None:
    """A system's output has no comments: its sentences stand in gold's order, and its tokens in gold's texts."""
    gold = SAMPLES / "conll/comments.conll"
    bare = "".join(line for line in gold.read_text(encoding="utf-8").splitlines(True) if line[:2] != "# ")
    pred = write(tmp_path / "pred.conll", bare)
    cut = write(tmp_path / "cut.conll", bare.replace("O\tI-PERSON\n’\tI-PERSON\nNeil\t", "O’Neil\t"))
    for other in (pred, cut):
        assert spanscope.evaluate(gold, other, "spans.exact", ci=False).totals() == {
            "tp": 15,
            "pred": 15,
            "gold": 15,
        }
    found = spanscope.evaluate(gold, SAMPLES / "brat/gold", "spans.exact", missing="skip", ci=False)
    assert found.totals()["tp"] == 14  # brat has one in two pieces


def test_a_token_that_the_text_does_not_have(tmp_path: Path) -> None:
    path = write(tmp_path / "a.conll", "# text = Ann met Bob\nAnn\tB-PER\nsaw\tO\n")
    message = refused(run("eval", path, path))
    assert message.startswith(f"{path}:3: the token 'saw' is not in the text after the one before\n")


UD = (
    "# sent_id = s1\n# text = Il va du Mans.\n"
    "1\tIl\til\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tva\taller\tVERB\t_\t_\t0\troot\t_\t_\n"
    "3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_\n"
    "4\tle\tle\tDET\t_\t_\t5\tdet\t_\tNER=B-LOC\n"
    "5\tMans\tMans\tPROPN\t_\t_\t2\tobl\t_\tNER=I-LOC|SpaceAfter=No\n5.1\tx\t_\t_\t_\t_\t_\t_\t_\tNER=B-PER\n"
    "6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
)


def test_words_of_one_token_and_empty_nodes(tmp_path: Path) -> None:
    """`du` is de and le: what starts at le starts at du."""
    corpus = spanscope.read(write(tmp_path / "a.conllu", UD))
    (document,) = corpus.to_dicts()
    assert (document["id"], document["text"]) == ("s1", "Il va du Mans.")
    assert document["spans"] == [{"start": 6, "end": 13, "label": "LOC"}]
    assert document["tokens"] == ["Il", "va", "de", "le", "Mans", "."]
    assert [(one.values["kinds"], one.number) for one in corpus.problems] == [("tags of empty nodes", 1)]
    bare = UD.replace("# text = Il va du Mans.\n", "")
    assert spanscope.read(write(tmp_path / "b.conllu", bare)).to_dicts()[0]["text"] == "Il va du Mans."
    parts = (
        "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n2\tn't\t_\t_\t_\t_\t_\t_\t_\tNER=B-X\n"
    )
    assert spanscope.read(write(tmp_path / "c.conllu", parts)).to_dicts()[0]["spans"][0]["start"] == 2


def test_keys_of_the_last_column_are_a_question(tmp_path: Path) -> None:
    two = UD.replace("NER=B-LOC", "NE=B-ORG|NER=B-LOC")
    path = write(tmp_path / "a.conllu", two)
    assert "has tags under NER and NE" in refused(run("eval", path, path))
    assert spanscope.read(path, layer="NE").to_dicts()[0]["spans"] == [{"start": 6, "end": 8, "label": "ORG"}]
    assert "no word has 'Foo' in its last column" in refused(run("eval", path, path, "--layer", "Foo"))
    none = write(tmp_path / "b.conllu", UD.replace("NER=", "X="))
    assert "its last column has the keys X (3)" in refused(run("eval", none, none))
    brackets = write(tmp_path / "c.conllu", UD.replace("NER=B-LOC", "Entity=(1-place").replace("NER=I-LOC|", ""))
    brackets.write_text(brackets.read_text(encoding="utf-8").replace("NER=B-PER", "_"), encoding="utf-8")
    assert "has entities as brackets" in refused(run("eval", brackets, brackets))


# ---------------------------------------------------------------- one row per token


def test_sentences_of_a_table(tmp_path: Path) -> None:
    full = write(tmp_path / "a.csv", 'sent_id;word;ner_tag\n1;Ann;B-PER\n1;";";O\n2;Bob;B-PER\n')
    assert [one["tokens"] for one in spanscope.read(full).to_dicts()] == [["Ann", ";"], ["Bob"]]
    blank = write(tmp_path / "b.csv", "word,label\nAnn,B-PER\nran,O\n\nBob,B-PER\n")
    assert [one["tokens"] for one in spanscope.read(blank).to_dicts()] == [["Ann", "ran"], ["Bob"]]
    again = write(tmp_path / "c.csv", "Sentence #,Word,Tag\n1,Ann,O\n,ran,O\n2,Bob,O\n1,Cid,O\n")
    assert refused(run("eval", again, again)).startswith(f"{again}:5: the sentence '1' begins again\n")
    start = write(tmp_path / "d.csv", "sentence_id,token,tag,start\n1,Ann,O,x\n")
    assert "start_indices has 'x'" in refused(run("eval", start, start))
    lines = write(tmp_path / "e.jsonl", '{"sentence_id": 1, "token": "Ann", "tag": "B-PER"}\n' * 2)
    assert spanscope.read(lines).n_documents == 1


def test_rows_of_frames() -> None:
    import pandas as pd
    import polars as pl

    table = {"Sentence #": ["1", None, "2"], "Word": ["Ann", "Lee", "Bob"], "Tag": ["B-PER", "I-PER", "B-PER"]}
    for frame in (pd.DataFrame(table), pl.DataFrame(table), table):
        assert spans_of(spanscope.read(frame)) == [Counter({(0, 7, "PER"): 1}), Counter({(0, 3, "PER"): 1})]
