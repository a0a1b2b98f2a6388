"""brat and PubTator: what their files hold besides, and what looks like them and is refused."""

from pathlib import Path

import pytest

import spanscope
from spanscope.errors import InputError
from tests.cli import refused, run, write


def folder(path: Path, **files: str) -> Path:
    """Return a folder of files, by names with an underscore for the dot and two for a slash."""
    for name, content in files.items():
        place = path / name.replace("__", "/").replace("_", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        write(place, content.encode())
    return path


def spans(source: object, **given: str) -> list[list[tuple[int, int, str]]]:
    documents = spanscope.read(source, **given).to_dicts()  # type: ignore[arg-type]
    return [[(one["start"], one["end"], one["label"]) for one in document["spans"]] for document in documents]


# ---------------------------------------------------------------- brat


def test_a_text_beside_the_file_is_its_text(tmp_path: Path) -> None:
    folder(tmp_path, a_txt="Ann met Bob", a_ann="T1\tPER 0 3\tAnn\nT2\tPER 8 11\tBob\n")
    assert spanscope.read(tmp_path / "a.ann").to_dicts() == [
        {
            "text": "Ann met Bob",
            "spans": [{"start": 0, "end": 3, "label": "PER"}, {"start": 8, "end": 11, "label": "PER"}],
        }
    ]
    folder(tmp_path, b_txt="Ann met", b_ann="T1\tPER 0 3\tAnn\nT2\tPER 8 11\tBob\n")
    with pytest.raises(InputError, match="past the end of the text"):
        spanscope.read(tmp_path / "b.ann")


@pytest.mark.parametrize(("start", "text"), [(7, "Hi all\nAnn"), (8, "Hi all\r\nAnn")])
def test_line_ends_of_two_characters_count_as_the_quotes_say(tmp_path: Path, start: int, text: str) -> None:
    folder(tmp_path, a_txt="Hi all\r\nAnn", a_ann=f"T1\tPER {start} {start + 3}\tAnn\n")
    assert spanscope.read(tmp_path).to_dicts()[0] == {
        "id": "a",
        "text": text,
        "spans": [{"start": start, "end": start + 3, "label": "PER"}],
    }


def test_line_ends_that_fit_no_quote_are_refused(tmp_path: Path) -> None:
    folder(tmp_path, a_txt="Hi all\r\nAnn", a_ann="T1\tPER 2 5\tAnn\n")
    message = refused(run("eval", tmp_path, tmp_path))
    assert message.startswith(
        f"{tmp_path}/a.ann: 0 of 1 quoted text stand at their offsets where CR LF is two characters, 0 where it"
    )


def test_a_span_over_a_line_end_has_its_text(tmp_path: Path) -> None:
    folder(tmp_path, a_txt="Ann\nLee", a_ann="T1\tPER 0 7\tAnn Lee\n")
    assert spanscope.check(tmp_path) == []


def test_offsets_in_another_unit_are_refused_with_the_option(tmp_path: Path) -> None:
    folder(tmp_path, a_txt="😀😀 Ann met Bob", a_ann="T1\tPER 5 8\tAnn\nT2\tPER 13 16\tBob\n")
    message = refused(run("eval", tmp_path, tmp_path))
    assert "have another text than their document" in message or "past the end of the text" in message
    assert "--offsets utf16" in message
    assert spans(tmp_path, offsets="utf16") == [[(3, 6, "PER"), (11, 14, "PER")]]


def test_words_cut_behind_an_emoji_are_told(tmp_path: Path) -> None:
    folder(tmp_path, a_txt="Ann 😀 met Bobby", a_ann="T1\tPER 0 2\tAn\nT2\tPER 11 14\tobb\n")
    assert [str(one).partition(": ")[2] for one in spanscope.read(tmp_path).problems] == [
        "1 span after an emoji begins or ends inside a word: brat's editor counts such a character "
        "twice and so moves spans"
    ]
    assert spanscope.read(tmp_path, offsets="utf16").problems[0].kind == "text mismatch"


def test_folders_beside_each_other_are_annotators_where_texts_are_the_same(tmp_path: Path) -> None:
    marks = {"d1_txt": "Ann met Bob", "d1_ann": "T1\tPER 0 3\tAnn\n"}
    other = {"d1_txt": "Ann met Bob", "d1_ann": "T1\tPER 8 11\tBob\n"}
    two = folder(tmp_path / "two", **{f"anna__{k}": v for k, v in marks.items()})
    folder(two, **{f"ben__{k}": v for k, v in other.items()})
    assert [*spanscope.read_sides(two)] == ["anna", "ben"]
    assert spans(two, annotator="ben") == [[(8, 11, "PER")]]
    assert spanscope.agree(two, measures=["f1"], ci=False).value("f1") == 0
    split = folder(tmp_path / "split", **{f"train__{k}": v for k, v in marks.items()})
    folder(split, test__d1_txt="Ann", test__d1_ann="")
    assert spanscope.read(split).ids == ["test/d1", "train/d1"]


def test_a_text_that_nobody_annotated_is_counted(tmp_path: Path) -> None:
    folder(tmp_path, a_txt="Ann", a_ann="M1\tOld T1\nT1\tPER 0 3\tAnn\n", b_txt="Bob", c_txt="Cem", c_ann="")
    corpus = spanscope.read(tmp_path)
    assert corpus.ids == ["a", "c"]
    assert {one.values["kinds"]: one.number for one in corpus.problems} == {
        "attributes": 1,
        "texts without a file of annotations": 1,
    }


@pytest.mark.parametrize("line", ["T1\tPER 0 x\tAnn", "T1 PER 0 3 Ann", "T1\tPER LAST 0 3\tAnn", "nothing"])
def test_a_line_that_is_none_is_refused(tmp_path: Path, line: str) -> None:
    folder(tmp_path, a_txt="Ann", a_ann=f"T1\tPER 0 3\tAnn\n{line}\n")
    message = refused(run("eval", tmp_path, tmp_path))
    assert message.startswith(f"{tmp_path}/a.ann:2: the line is ")
    hidden = refused(run("eval", tmp_path, tmp_path, "--text", "none"))
    assert "Ann" not in hidden.replace("an", "")
    assert "a string of" in hidden


# ---------------------------------------------------------------- PubTator


def test_title_and_abstract_are_one_character_apart(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.txt",
        "1|t|\n1|a|Ann met Bob\n1\t1\t4\tAnn\tPER\tC1\n1\t9\t12\tBob\tPER\tC2\tBob|Rob\n"
        "2|t|Ann\n2|a|\n2\t0\t3\tAnn\tPER\n",
    )
    assert spanscope.read(path).ids == ["1", "2"]
    assert spans(path) == [[(1, 4, "PER"), (9, 12, "PER")], [(0, 3, "PER")]]
    assert [one["text"] for one in spanscope.read(path).to_dicts()] == [" Ann met Bob", "Ann"]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("2\t0\t3\tAnn\tPER", "the line is about the document '2', those before it about '1'"),
        ("1\t0\tx\tAnn\tPER", "the line is '1\\t0\\tx\\tAnn\\tPER'"),
        ("1\t0\t3\tAnn", "the line is '1\\t0\\t3\\tAnn'"),
        ("1|a|More", "the document has a second |a| line"),
        ("Ann met Bob", "the line is 'Ann met Bob'"),
    ],
)
def test_lines_of_pubtator_that_are_none(tmp_path: Path, line: str, what: str) -> None:
    path = write(tmp_path / "a.pubtator", f"1|t|Ann\n1|a|x\n{line}\n")
    assert refused(run("eval", path, path)).startswith(f"{path}:3: {what}\n")


def test_relations_of_four_and_five_columns_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "a.pubtator", "1|t|Ann\n1\t0\t3\tAnn\tPER\t-\n1\tCID\tA\tB\n1\tBind\tA\tB\tNovel\n")
    assert [(one.values["kinds"], one.number) for one in spanscope.read(path).problems] == [("relations", 2)]


def test_ends_that_are_included(tmp_path: Path) -> None:
    path = write(tmp_path / "a.pubtator", "1|t|Ann met Bob\n1\t0\t2\tAnn\tPER\n1\t8\t10\tBob\tPER\n")
    assert "--ends inclusive" in refused(run("eval", path, path))
    assert spans(path, ends="inclusive") == [[(0, 3, "PER"), (8, 11, "PER")]]
