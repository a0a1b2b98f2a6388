"""A byte order mark: no part of JSON, wherever it is read; a character of a text that offsets point into."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.io.json_lines import can_stream
from spanscope.io.opening import peek
from spanscope.io.passages.library import Book
from spanscope.settings.options import grouped
from tests.cli import TRACES, jsonl, refused, run, write
from tests.support import Json

BOM = b"\xef\xbb\xbf"
SPANS = [{"id": n, "text": "Anna met", "spans": [{"start": 0, "end": 4, "label": "PER"}]} for n in range(3)]
TOKENS = [{"id": n, "tokens": ["Anna", "met"], "tags": ["B-PER", "O"]} for n in range(3)]
TAGS = [["B-PER", "O"], ["O", "B-LOC"]]
SEGMENTS = [{"id": n, "text": "abcd", "segments": [[0, 2], [2, 4]]} for n in range(3)]
GOLD = [{"id": n, "query": "who?", "snippets": [{"answer": "Anna"}]} for n in range(3)]
FOUND = [{"id": n, "query": "who?", "retrieved_passages": [{"text": "Anna"}]} for n in range(3)]
SAID = [{"id": n, "prediction_text": "Anna", "no_answer_probability": 0.0} for n in range(3)]
QRELS = {"q1": {"d1": 1, "d2": 0}}
KINDS: dict[str, tuple[Any, Any]] = {
    "spans": (SPANS, SPANS),
    "tokens": (TOKENS, TOKENS),
    "tags": (TAGS, TAGS),
    "segments": (SEGMENTS, SEGMENTS),
    "passages": (GOLD, FOUND),
    "answers": (GOLD, SAID),
    "judgements": (QRELS, {"q1": {"d1": 0.5, "d2": 0.1}}),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def text_of(value: Any, form: str) -> bytes:
    if form == "lines":
        return jsonl(value).encode()
    return json.dumps(value, indent=1 if form == "indented" else None).encode()


def marked(name: str, value: Any, form: str = "lines", *, packed: bool = False) -> str:
    data = BOM + text_of(value, form)
    return str(write(Path(name), gzip.compress(data) if packed else data))


# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("form", ["lines", "one line", "indented"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_family(kind: str, form: str, packed: bool) -> None:
    """The protocol that is found out, every figure and every problem are those of the file without a mark."""
    if kind == "judgements" and form == "lines":
        form = "one line"
    sides = KINDS[kind]
    paths = [marked(f"{n}.json", side, form, packed=packed) for n, side in enumerate(sides)]
    plain = [str(write(Path(f"plain{n}.json"), text_of(side, form))) for n, side in enumerate(sides)]
    found, wanted = (spanscope.evaluate(*own, ci=False) for own in (paths, plain))
    assert found.settings.plain() == wanted.settings.plain()
    assert [(row.rate, row.average, row.label, repr(row.value)) for row in found.rows] == [
        (row.rate, row.average, row.label, repr(row.value)) for row in wanted.rows
    ]
    assert found.problems.number == wanted.problems.number
    assert [str(one).partition(" ")[2] for one in spanscope.check(*paths)] == [
        str(one).partition(" ")[2] for one in spanscope.check(*plain)
    ]


@pytest.mark.parametrize("kind", ["spans", "tokens", "segments", "passages"])
def test_standard_input(kind: str) -> None:
    gold, pred = KINDS[kind]
    path = marked("p.jsonl", pred)
    done = run("eval", "-", path, "-f", "json", "--no-ci", stdin=BOM + text_of(gold, "lines"))
    assert done.code == 0, done.err
    plain = str(write(Path("g.jsonl"), text_of(gold, "lines")))
    assert (
        json.loads(done.out)["rows"] == json.loads(run("eval", plain, path, "-f", "json", "--no-ci").out)["rows"]
    )


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("options", [{"memory": "counts"}, {"memory": "totals"}, {"jobs": 2}])
@pytest.mark.parametrize("order", [1, -1])
def test_files_read_in_blocks(options: Json, packed: bool, order: int) -> None:
    gold, pred = marked("g.jsonl", SPANS, packed=packed), marked("p.jsonl", SPANS[::order], packed=packed)
    assert can_stream(gold)
    result = spanscope.evaluate(gold, pred, "spans.exact", ci=False, **grouped(options))
    assert result.counts() == {"PER": {"tp": 3, "pred": 3, "gold": 3}}


def test_a_table_of_lines_longer_than_what_is_held() -> None:
    """More than 4 MB are read as a stream."""
    many = [{**SPANS[0], "id": n, "note": "x" * 1000} for n in range(5000)]
    path = marked("many.jsonl", many)
    assert spanscope.evaluate(path, path, "spans.exact", ci=False).totals()["tp"] == 5000


def test_agreement_and_panels() -> None:
    for kind in ("spans", "tokens", "segments"):
        path = marked("a.jsonl", KINDS[kind][0])
        found = spanscope.agree(path, str(write(Path("b.jsonl"), text_of(KINDS[kind][0], "lines"))), ci=False)
        assert found.family == kind
    traces = str(write(Path("traces.jsonl"), BOM + TRACES.read_bytes()))
    done = run("eval", traces, "-f", "csv")
    assert (done.code, done.out) == (0, run("eval", TRACES, "-f", "csv").out)


def test_result_files() -> None:
    """A result that an editor saved again is a result all the same, for compare and for plan."""
    gold, pred = marked("g.jsonl", SPANS), marked("p.jsonl", [*SPANS[:2], {**SPANS[2], "spans": []}])
    for name in ("a.json", "b.json"):
        assert run("eval", gold, pred, "-m", "spans.exact", "--keep", "-o", name).code == 0
        write(Path(name), BOM + Path(name).read_bytes())
    assert run("compare", "a.json", "b.json").code == 0
    assert run("compare", gold, "x=a.json", "y=b.json").code == 0
    done = run("plan", "a.json", "--detect", "0.1")
    assert (done.code, done.err) == (0, "")


def test_the_line_of_a_mistake_is_that_of_the_file() -> None:
    path = str(write(Path("g.jsonl"), BOM + text_of(SPANS, "lines") + b'{"id": 9,\n'))
    assert refused(run("eval", path, path)).startswith("g.jsonl:4: the JSON ends too early\n")


def test_offsets_in_a_document_do_not_count_the_mark_of_its_file() -> None:
    path = marked("g.json", SPANS, "indented")
    result = spanscope.evaluate(path, path, "spans.exact", ci=False)
    assert next(iter(result.matches()))["gold"] == {"start": 0, "end": 4, "label": "PER", "text": "Anna"}
    assert [*result.problems.number] == ["same file"]


def test_the_first_bytes_are_without_it() -> None:
    assert peek(marked("a.json", SPANS, "one line"), 6) in (b'[{"', b'[{"id"')
    assert peek(marked("a.gz", SPANS, "one line", packed=True))[:3] == b'[{"'


# ---------------------------------------------------------------- files that passages point into

CLAUSES = ["Section 1. The Merger.", "Section 2. Termination.", "Section 3. Damages."]
TEXT = "\ufeff" + "\r\n".join(CLAUSES) + "\r\n"


def corpus(data: bytes) -> str:
    """Write a file into a folder of files; return its text as a benchmark's code reads it."""
    Path("corpus").mkdir(exist_ok=True)
    path = write(Path("corpus/merger.txt"), data)
    with path.open(encoding="utf-8") as file:
        return file.read()


def perfect(text: str, shift: int = 0, *, told: bool = True) -> tuple[list[Json], list[Json]]:
    """Return queries with a clause each as gold, and a run that finds just that, at the places in a text."""
    gold, found = [], []
    for number, clause in enumerate(CLAUSES):
        start = text.index(clause) + shift
        one: Json = {"file_path": "merger.txt", "span": [start, start + len(clause)]}
        gold.append({"id": number, "query": "?", "snippets": [{**one, "answer": clause}]})
        found.append(
            {"id": number, "query": "?", "retrieved_passages": [{**one, **({"text": clause} if told else {})}]}
        )
    return gold, found


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("ends", ["\r\n", "\n"])
@pytest.mark.parametrize("measure", ["passages.characters", "passages.span_f1", "passages.exact_match"])
def test_a_perfect_run_is_perfect(measure: str, ends: str, told: bool) -> None:
    """Offsets count the mark as one character, as Python's open does; each line end is one too."""
    text = corpus(TEXT.replace("\r\n", ends).encode())
    assert text[0] == "\ufeff"
    assert text.index(CLAUSES[0]) == 1
    result = spanscope.evaluate(
        *perfect(text, told=told), measure, read=spanscope.Reading(corpus="corpus"), ci=False
    )
    rate = {"passages.characters": "f1", "passages.span_f1": "span_f1"}.get(measure, "exact_match")
    assert result.value(rate) == 1
    assert result.problems.number == ({"line ends": 1} if ends == "\r\n" else {})


def test_at_the_command_line() -> None:
    gold, found = perfect(corpus(TEXT.encode()))
    paths = marked("g.jsonl", gold), marked("p.jsonl", found)
    done = run("eval", *paths, "--corpus", "corpus", "-m", "passages.characters", "-f", "json", "--no-ci")
    assert json.loads(done.out)["problems"]["number"] == {"line ends": 1}
    done = run("check", *paths, "--corpus", "corpus")
    assert "does not" not in done.out + done.err
    assert "says" not in done.out


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_places_that_do_not_count_the_mark_are_moved_and_told(ends: str) -> None:
    """Nothing is moved without a word: six places, three on each side."""
    text = corpus(TEXT.replace("\r\n", ends).encode())
    result = spanscope.evaluate(
        *perfect(text, -1), "passages.characters", read=spanscope.Reading(corpus="corpus"), ci=False
    )
    assert result.value("f1") == 1
    assert result.problems.number["moved place"] == 6
    assert (
        result.problems.first["moved place"][0] == "gold[0]: snippets[0].span does not count the byte order mark"
    )
    mixed = perfect(text)[0], perfect(text, -1)[1]
    result = spanscope.evaluate(*mixed, "passages.characters", read=spanscope.Reading(corpus="corpus"), ci=False)
    assert (result.value("f1"), result.problems.number["moved place"]) == (1, 3)


def test_places_on_disk_without_the_mark() -> None:
    """The second clause starts at 25 on disk, 24 without the mark; in the text it is at 24."""
    book = Book(TEXT.encode(), "merger.txt")
    start, size = TEXT.index(CLAUSES[1]), len(CLAUSES[1])
    assert start == 25
    assert book.place(CLAUSES[1], 24, 24 + size) == ((24, 24 + size), "")
    assert book.place(CLAUSES[1], 25, 25 + size) == ((24, 24 + size), "counts line ends as two characters")
    start = TEXT.index(CLAUSES[2])
    want = (
        (start - 2, start - 2 + len(CLAUSES[2])),
        "counts line ends as two characters, and not the byte order mark",
    )
    assert book.place(CLAUSES[2], start - 1, start - 1 + len(CLAUSES[2])) == want


def test_a_text_that_is_nowhere_is_reported_where_it_was_said_to_be() -> None:
    text = corpus(TEXT.encode())
    gold, found = perfect(text)
    gold[0]["snippets"][0]["answer"] = "Something else entirely"
    result = spanscope.evaluate(
        gold, found, "passages.characters", read=spanscope.Reading(corpus="corpus"), ci=False
    )
    assert (result.value("f1"), result.problems.number["text mismatch"]) == (1, 1)


def test_the_mark_itself_may_be_quoted() -> None:
    corpus(TEXT.encode())
    one = {"file_path": "merger.txt", "span": [0, 8]}
    sides = [{"id": 1, "snippets": [{**one, "answer": "\ufeffSection"}]}], [{"id": 1, "retrieved_passages": [one]}]
    result = spanscope.evaluate(*sides, "passages.characters", read=spanscope.Reading(corpus="corpus"), ci=False)
    assert (result.value("f1"), result.problems.number) == (1, {"line ends": 1})


def test_a_mark_elsewhere_is_a_character_like_any_other() -> None:
    book = Book("ab\ufeffcd".encode(), "f")
    assert book.place("cd", 3, 5) == ((3, 5), "")
    assert book.place("cd", 2, 4) == ((2, 4), "")
