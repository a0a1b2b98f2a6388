"""Passages against the files they are from: line ends, names, places past the end, texts that differ."""

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.errors import SpanscopeError
from spanscope.io.passages.library import Book, Library
from spanscope.settings.options import grouped
from tests.cli import refused, run, write
from tests.support import Json

UNIX = "ab\ncd\nef"
LINES = b"ab\r\ncd\r\nef"  # the same on disk, with two characters per line end
NFC, NFD = (unicodedata.normalize(form, "é.txt") for form in ("NFC", "NFD"))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("corpus/sub").mkdir(parents=True)
    write(Path("corpus/unix.txt"), UNIX)
    write(Path("corpus/lines.txt"), LINES)
    write(Path("corpus/sub/deep.txt"), "deep")
    write(Path("outside.txt"), "hidden")


def at(file: str, start: int, end: int, **more: Any) -> Json:
    return {"file_path": file, "span": [start, end], **more}


def scored(gold: Json, passage: Json, form: str = "passages.characters", **options: Any) -> spanscope.Result:
    sides = [{"id": 1, "snippets": [gold]}], [{"id": 1, "retrieved_passages": [passage]}]
    return spanscope.evaluate(*sides, form, **grouped({"corpus": "corpus", **options}))


def shared(result: spanscope.Result) -> tuple[int, int, int]:
    (row,) = result.by_document()
    return row["shared"], row["wanted"], row["retrieved"]


def said(gold: Json, passage: Json, **options: Any) -> str:
    with pytest.raises(SpanscopeError) as caught:
        scored(gold, passage, **options)
    return f"{caught.value}\n"


# ---------------------------------------------------------------- line ends


def test_one_character_a_line_end() -> None:
    result = scored(at("lines.txt", 3, 5, answer="cd"), at("lines.txt", 6, 8, text="ef"))
    assert result.problems.number == {"line ends": 1}  # told once a file
    assert shared(result) == (0, 2, 2)
    assert scored(at("unix.txt", 3, 5, answer="cd"), at("unix.txt", 3, 5)).problems.number == {}


@pytest.mark.parametrize(
    ("start", "end", "text", "want"),
    [
        (0, 2, "ab", (0, 2)),
        (4, 6, "cd", (3, 5)),
        (8, 10, "ef", (6, 8)),  # past the end, if a line end were one character
        (0, 10, "ab\r\ncd\r\nef", (0, 8)),
        (1, 5, "b\r\nc", (1, 4)),
        (2, 4, "\r\n", (2, 3)),
    ],
)
def test_two_characters_a_line_end(start: int, end: int, text: str, want: tuple[int, int]) -> None:
    """Places counted on disk are moved, and that is told; the other side counts one character."""
    result = scored(at("lines.txt", start, end, answer=text), at("lines.txt", *want))
    size = want[1] - want[0]
    assert shared(result) == (size, size, size)
    assert result.problems.number.get("moved place", 0) == (end != want[1])
    assert "text mismatch" not in result.problems.number


def test_moved_places_on_the_side_of_predictions() -> None:
    result = scored(at("lines.txt", 3, 5), at("lines.txt", 4, 6, text="cd"))
    assert shared(result) == (2, 2, 2)
    assert result.problems.number["moved place"] == 1


@given(
    lines=st.lists(st.text("abé", max_size=3), min_size=1, max_size=4),
    ends=st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=4, max_size=4),
    draw=st.data(),
)
def test_moved_places_hold_the_same_characters(lines: list[str], ends: list[str], draw: st.DataObject) -> None:
    raw = "".join(line + end for line, end in zip(lines, ends, strict=False))
    book = Book(raw.encode(), "f")
    assert book.text == raw.replace("\r\n", "\n").replace("\r", "\n")
    assert book.two == ("\r\n" in raw)
    apart = [n for n in range(len(raw) + 1) if raw[n - 1 : n + 1] != "\r\n" or n == 0]  # not inside a line end
    start, end = sorted(draw.draw(st.tuples(st.sampled_from(apart), st.sampled_from(apart))))
    first, last = book.moved(start, end)
    assert book.text[first:last] == raw[start:end].replace("\r\n", "\n").replace("\r", "\n")


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("disk", [NFC, NFD])
@pytest.mark.parametrize("gold", [NFC, NFD])
@pytest.mark.parametrize("pred", [NFC, NFD])
def test_either_unicode_form_of_a_name(disk: str, gold: str, pred: str) -> None:
    write(Path("corpus") / disk, "café")
    result = scored(at(gold, 0, 4), at(pred, 0, 4))
    assert shared(result) == (4, 4, 4)
    assert result.problems.number.get("file name", 0) == (gold == NFD) + (pred == NFD)


def test_either_unicode_form_without_the_files() -> None:
    assert shared(scored(at(NFD, 0, 4), at(NFC, 0, 4), corpus=None)) == (4, 4, 4)


def test_folders_inside() -> None:
    assert shared(scored(at("sub/deep.txt", 0, 4), at("sub/deep.txt", 2, 4))) == (2, 4, 2)


NOT_THERE = (
    "  expected  file_path relative to the folder of the files\n"
    "  try       --corpus FOLDER   with another folder\n"
)


@pytest.mark.parametrize("name", ["none.txt", "../outside.txt", "sub/../../outside.txt", "sub", "", ".", "a\0b"])
def test_files_that_are_not_in_the_folder(name: str) -> None:
    message = said(at("unix.txt", 0, 1), at(name, 0, 1))
    assert message == f"pred[0]: the file {name!r} is not in corpus\n{NOT_THERE}"


def test_paths_from_the_root_and_links_that_lead_out() -> None:
    outside = str(Path("outside.txt").absolute())
    assert said(at(outside, 0, 1), at("unix.txt", 0, 1)).startswith("gold[0]: the file ")
    Path("corpus/link.txt").symlink_to(outside)
    assert said(at("link.txt", 0, 1), at("unix.txt", 0, 1)).startswith("gold[0]: the file 'link.txt' is not in")
    Path("corpus/near.txt").symlink_to("unix.txt")
    assert shared(scored(at("near.txt", 0, 1), at("near.txt", 0, 1))) == (1, 1, 1)


@pytest.mark.parametrize("folder", ["none", "outside.txt"])
def test_no_folder(folder: str) -> None:
    message = said(at("unix.txt", 0, 1), at("unix.txt", 0, 1), corpus=folder)
    assert message == f"{folder}: there is no such folder\n  expected  the folder of the files\n"


def test_a_corpus_beside_other_families() -> None:
    spans = [{"id": 1, "spans": []}]
    with pytest.raises(SpanscopeError, match="corpus is the folder of the files of passages"):
        spanscope.evaluate(spans, spans, read=spanscope.Reading(corpus="corpus"))


# ---------------------------------------------------------------- places and texts


@pytest.mark.parametrize(
    ("file", "end", "size"), [("unix.txt", 9, 8), ("lines.txt", 12, 8), ("sub/deep.txt", 5, 4)]
)
def test_a_place_past_the_end(file: str, end: int, size: int) -> None:
    message = said(at(file, 0, end, answer="x"), at("unix.txt", 0, 1))
    want = f"gold[0]: snippets[0].span ends at {end}, past the end of {file!r}\n"
    assert message == f"{want}  expected  at most {size} characters\n"


def test_the_end_of_a_file_is_no_mistake() -> None:
    assert shared(scored(at("unix.txt", 0, 8), at("unix.txt", 8, 8))) == (0, 8, 0)


@pytest.mark.parametrize("data", [b"ab\xff", "é".encode("utf-16"), b"\xc3"])
def test_files_that_are_no_utf8(data: bytes) -> None:
    write(Path("corpus/bad.txt"), data)
    place = {b"ab\xff": 2, b"\xc3": 0}.get(data, 0)
    want = f"bad.txt: byte {place} is not valid UTF-8\n  expected  a text in UTF-8\n"
    assert said(at("bad.txt", 0, 1), at("unix.txt", 0, 1)) == want


def test_a_byte_order_mark_is_a_character() -> None:
    """As it is to Python's open; places that do not count it are moved, and told."""
    write(Path("corpus/mark.txt"), b"\xef\xbb\xbfabc")
    assert scored(at("mark.txt", 1, 3, answer="ab"), at("mark.txt", 1, 3)).problems.number == {}
    result = scored(at("mark.txt", 0, 2, answer="ab"), at("mark.txt", 1, 3))
    assert (shared(result), result.problems.number) == ((2, 2, 2), {"moved place": 1})


def test_a_text_that_is_not_there_is_reported_and_kept() -> None:
    result = scored(at("unix.txt", 0, 2, answer="xy"), at("unix.txt", 0, 2, text="XY"), "passages.exact_match")
    assert result.problems.number == {"text mismatch": 2}
    assert result.problems.first["text mismatch"] == [
        "gold[0]: snippets[0] says 'xy', 'unix.txt' has 'ab' there",
        "pred[0]: retrieved_passages[0] says 'XY', 'unix.txt' has 'ab' there",
    ]
    assert result.value("exact_match") == 1  # what the sides say, not what the file says
    message = said(at("unix.txt", 0, 2, answer="xy"), at("unix.txt", 0, 2), strict=True)
    assert message.startswith("gold[0]: snippets[0] says 'xy', 'unix.txt' has 'ab' there\n")


def test_every_wording_is_held_against_the_file() -> None:
    result = scored(at("unix.txt", 0, 2, answer=["ab", "xy"]), at("unix.txt", 0, 2))
    assert result.problems.number["text mismatch"] == 1
    assert shared(result) == (2, 2, 2)


def test_passages_without_text_get_the_files() -> None:
    result = scored(at("unix.txt", 0, 2, answer="ab"), at("unix.txt", 0, 2), "passages.exact_match")
    assert (result.value("exact_match"), result.problems.number) == (1, {})
    line = scored(at("lines.txt", 0, 5), at("lines.txt", 0, 5, text="ab\ncd"), "passages.span_f1")
    assert (line.value("span_f1"), line.problems.number) == (1, {"line ends": 1})
    with pytest.raises(SpanscopeError, match=r"^some passages have no text"):
        scored(at("unix.txt", 0, 2), at("unix.txt", 0, 2), "passages.span_f1", corpus=None)


def test_passages_without_a_place_are_taken_as_they_are() -> None:
    assert (
        scored({"answer": "x"}, {"text": "x", "file_path": "none.txt"}, "passages.exact_match").problems.number
        == {}
    )


def test_files_are_read_once() -> None:
    library = Library("corpus")
    book = library.book("unix.txt", "here")
    Path("corpus/unix.txt").unlink()
    assert library.book("unix.txt", "there") is book


# ---------------------------------------------------------------- the command


def test_the_option() -> None:
    write(Path("g.jsonl"), [{"id": 1, "snippets": [at("lines.txt", 4, 6, answer="cd")]}])
    write(Path("p.jsonl"), [{"id": 1, "retrieved_passages": [at("lines.txt", 3, 5)]}])
    asked = ("eval", "g.jsonl", "p.jsonl", "-m", "passages.characters")
    done = run(*asked, "--corpus", "corpus")
    assert done.code == 0, done.err
    assert "moved place" in done.out
    assert refused(run(*asked, "--corpus", "none")).startswith("none: there is no such folder\n")
    queries = [{"id": n, "retrieved_passages": [at("lines.txt", 3, end)]} for n, end in ((1, 5), (2, 5000))]
    write(Path("p.jsonl"), queries)
    assert refused(run(*asked, "--corpus", "corpus")).startswith(
        "p.jsonl:2: retrieved_passages[0].span ends at 5,000, past the end of 'lines.txt'\n"
    )
