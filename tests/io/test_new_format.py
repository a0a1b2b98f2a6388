"""What a new row of the table brings: formats of texts, folders, objects and JSON that no command knows of."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.data.corpus import Corpus
from spanscope.errors import InputError
from spanscope.io import detect
from spanscope.io.detect import recognise
from spanscope.io.documents import Documents, documents_of
from spanscope.io.folder import names_in, open_folder
from spanscope.io.format import Format
from spanscope.io.head import Head
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import is_object_of
from spanscope.io.spans.reading import translate_documents
from tests.cli import refused, run, write

Add = Callable[..., Format]
TEXT = "Anna met Bob"  # Anna is [0, 4), Bob [9, 12)


@pytest.fixture
def add(monkeypatch: pytest.MonkeyPatch) -> Add:
    """Return a function that puts a row into the table, for one test."""

    def put(name: str, reader: Any, **about: Any) -> Format:
        row = Format(name, "spans", f"documents of {name}", reader, **about)
        monkeypatch.setattr(detect, "FORMATS", (row, *detect.FORMATS))
        monkeypatch.setattr(detect, "NAMES", (name, *detect.NAMES))
        monkeypatch.setitem(detect.BY_NAME, name, row)
        return row

    return put


# ---------------------------------------------------------------- lines of text, by several annotators


def read_marks(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Read lines such as `ann|d1|0-4|PER` below a first line `MARKS`: an annotator, a document, a span."""
    file = open_source(source)
    found: dict[str, dict[str, list[tuple[int, list[str]]]]] = {}
    for number, line in enumerate(file.data.decode().splitlines()[1:], start=2):
        who, document, *span = line.split("|")
        found.setdefault(who, {}).setdefault(document, []).append((number, span))

    def translate(value: Any, where: str) -> dict[str, Any]:
        document, lines = value
        spans = []
        for _, (place, label) in lines:
            start, dash, end = place.partition("-")
            if not dash:
                raise InputError(f"{place} is no place", where=where, expected="start-end")
            spans.append({"start": int(start), "end": int(end), "label": label})
        return {"id": document, "text": TEXT, "spans": spans}

    out = {}
    for who, documents in found.items():
        items = list(documents.items())
        places = [f"{file.name}:{lines[0][0]}" for _, lines in items]
        out[who] = translate_documents(
            Documents(items, places.__getitem__, file.name, file.sha256), translate, options
        )
    return out if len(out) > 1 else dict(zip([""], out.values(), strict=True))


def is_marks(head: Head, _: ReadOptions) -> bool:
    return head.lines[:1] == ["MARKS"]


def marks(path: Path, *lines: str) -> Path:
    return write(path, "\n".join(("MARKS", *lines)) + "\n")


@pytest.fixture
def text_format(add: Add) -> Format:
    return add("marks", read_marks, whole=is_marks)


@pytest.mark.usefixtures("text_format")
def test_every_command_reads_it(tmp_path: Path) -> None:
    gold = marks(tmp_path / "g.txt", "ann|d1|0-4|PER", "ann|d1|9-12|PER")
    pred = marks(tmp_path / "p.txt", "sys|d1|0-4|PER", "sys|d1|5-8|PER")
    plain = [{"id": "d1", "text": TEXT, "spans": [{"start": 0, "end": 4, "label": "PER"}]}]
    result = spanscope.evaluate(gold, pred, "spans.exact", ci=False)
    assert result.totals() == {"tp": 1, "pred": 2, "gold": 2}
    assert result.inputs[0].sha256 == open_source(gold).sha256
    assert spanscope.evaluate(gold, plain, "spans.exact", ci=False).totals() == {"tp": 1, "pred": 1, "gold": 2}
    assert spanscope.check(gold, pred) == []
    assert spanscope.agree(gold, pred, measures=["f1"], ci=False).value("f1") == 0.5
    assert spanscope.compare(gold, pred, plain, measures="spans.exact").value("f1").base == 0.5
    assert [len(spanscope.read(one).spans) for one in (gold, pred)] == [2, 2]


@pytest.mark.usefixtures("text_format")
def test_a_file_that_holds_several_annotators(tmp_path: Path) -> None:
    both = marks(tmp_path / "b.txt", "ann|d1|0-4|PER", "ann|d1|9-12|PER", "bob|d1|0-4|PER")
    found = spanscope.agree(both, measures=["f1"], ci=False)
    assert found.names == ("ann", "bob")
    assert found.value("f1") == pytest.approx(2 / 3)  # 2 * 1 / (2 + 1)
    with pytest.raises(InputError, match=r"the gold side holds 2 annotators \(ann: 1 document, bob: 1") as caught:
        spanscope.evaluate(both, both, "spans.exact")
    assert "spanscope agree FILE" in caught.value.hint
    with pytest.raises(InputError, match="holds 2 annotators"):
        spanscope.read(both)
    assert spanscope.check(both) == []


@pytest.mark.usefixtures("text_format")
def test_what_is_wrong_with_it_is_listed(tmp_path: Path) -> None:
    bad = marks(tmp_path / "g.txt", "ann|d1|0-4|PER", "ann|d2|here|PER", "ann|d3|0-99|PER")
    with pytest.raises(InputError, match="here is no place") as caught:
        spanscope.evaluate(bad, bad, "spans.exact")
    assert caught.value.where == f"{bad}:3"
    assert [(one.kind, one.line) for one in spanscope.check(bad)] == [("bad document", 3), ("bad span", 4)]


@pytest.mark.usefixtures("text_format")
def test_what_cannot_be_cut_into_blocks_is_read_whole(tmp_path: Path) -> None:
    gold = marks(tmp_path / "g.txt", "ann|d1|0-4|PER")
    for memory in ("counts", "totals"):
        run_so = spanscope.Running(memory=memory)  # type: ignore[arg-type]
        assert spanscope.evaluate(gold, gold, "spans.exact", ci=False, run=run_so).value("f1") == 1
    with pytest.raises(InputError, match="cannot be read by several processes"):
        spanscope.evaluate(gold, gold, "spans.exact", run=spanscope.Running(jobs=2))


@pytest.mark.usefixtures("text_format")
def test_options_that_it_does_not_read_are_refused(tmp_path: Path) -> None:
    gold = marks(tmp_path / "g.txt", "ann|d1|0-4|PER")
    words = "field has no effect on sources in the format marks"
    read = spanscope.Reading(fields={"label": "kind"})
    for call in (spanscope.evaluate, spanscope.agree):
        with pytest.raises(spanscope.MeasureError, match=words):
            call(gold, gold, read=read)
    with pytest.raises(spanscope.MeasureError, match="field has no effect on spans"):
        spanscope.check(gold, read=read)
    own = spanscope.source(gold, offsets="utf16")
    with pytest.raises(
        spanscope.MeasureError, match="offsets of pred has no effect on sources in the format marks"
    ):
        spanscope.evaluate(gold, own)
    assert recognise(gold, tags=detect.TagRules(input="marks")).name == "marks"


# ---------------------------------------------------------------- JSON Lines that share fields with ours


def read_scores(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Read documents whose spans are `[start, end, label]` under `entities`, with an `at` beside them."""

    def translate(value: Any, _: str) -> dict[str, Any]:
        spans = [dict(zip(("start", "end", "label"), one, strict=True)) for one in value["entities"]]
        return {"id": value["key"], "text": value["text"], "spans": spans}

    found = documents_of(source, options.side, lambda value, _: list(value), (), options.report)
    return {"": translate_documents(found, translate, options)}


def is_scores(one: Any, *_: Any) -> bool:
    """Tell a document by its first span: `entities` alone is ours."""
    spans = one.get("entities") if isinstance(one, dict) else None
    return bool(spans) and isinstance(spans[0], list)


@pytest.fixture
def scores(add: Add, tmp_path: Path) -> Path:
    """Return a file whose first document shows our own format only."""
    add("triples", read_scores, record=is_scores, in_blocks=True, ids=("key",))
    spans = [[], [[0, 4, "PER"]], [[0, 4, "PER"], [9, 12, "PER"]]]
    documents = [{"key": f"d{n}", "text": TEXT, "entities": own} for n, own in enumerate(spans)]
    return write(tmp_path / "g.jsonl", "".join(json.dumps(one) + "\n" for one in documents))


def test_a_general_format_yields_to_one_that_a_later_document_shows(scores: Path, tmp_path: Path) -> None:
    assert recognise(scores).name == "triples"
    plain = write(tmp_path / "plain.jsonl", '{"entities": []}\n{"entities": [{"start": 0, "end": 4}]}\n')
    assert recognise(plain).name == "spans"
    assert recognise([json.loads(line) for line in scores.read_text().splitlines()]).name == "triples"


@pytest.mark.parametrize("memory", ["spans", "counts", "totals"])
def test_blocks_are_in_the_format_of_their_file(
    scores: Path, memory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of blocks of one document, the first shows another format than the file; ids stand under their own name."""
    monkeypatch.setattr("spanscope.io.line_blocks.LINES", 1)
    turned = write(scores.parent / "p.jsonl", "".join(reversed(scores.read_text().splitlines(keepends=True))))
    run_so = spanscope.Running(memory=memory)
    for pred in (scores, turned):
        result = spanscope.evaluate(scores, pred, "spans.exact", ci=False, run=run_so)
        assert result.totals() == {"tp": 3, "pred": 3, "gold": 3}


# ---------------------------------------------------------------- folders


def read_folder(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Read a folder of texts `x.txt` with spans in `x.marks`."""
    folder = open_folder(source)
    names = [name for name in folder.names if name.endswith(".marks")]

    def translate(name: Any, _: str) -> dict[str, Any]:
        stem = name.removesuffix(".marks")
        text = folder.open(f"{stem}.txt").data.decode()
        spans = [line.split() for line in folder.open(name).data.decode().splitlines()]
        own = [{"start": int(a), "end": int(b), "label": label} for a, b, label in spans]
        return {"id": stem, "text": text, "spans": own}

    found = Documents(names, lambda row: f"{folder.name}/{names[row]}:1", folder.name)
    corpus = translate_documents(found, translate, options)
    corpus.sha256 = folder.sha256
    return {"": corpus}


def folder_of(path: Path, *spans: str) -> Path:
    path.mkdir()
    write(path / "d1.txt", TEXT)
    write(path / "d1.marks", "".join(f"{one}\n" for one in spans))
    (path / ".hidden").mkdir()
    (path / "more").mkdir()
    write(path / "more" / "README", "x")
    return path


def test_folders(add: Add, tmp_path: Path) -> None:
    add("folder", read_folder, whole=lambda head, _: any(name.endswith(".marks") for name in head.names))
    gold = folder_of(tmp_path / "gold", "0 4 PER", "9 12 PER")
    pred = folder_of(tmp_path / "pred", "0 4 PER")
    assert names_in(gold) == ("d1.marks", "d1.txt", "more/", "more/README")
    for one, other in ((gold, pred), (str(gold), str(pred))):
        result = spanscope.evaluate(one, other, "spans.exact", ci=False)
        assert result.totals() == {"tp": 1, "pred": 1, "gold": 2}
    ours, theirs = result.inputs
    assert ours.sha256 != theirs.sha256
    assert ours.sha256 == spanscope.evaluate(gold, gold, ci=False).inputs[1].sha256
    assert spanscope.agree(gold, pred, measures=["f1"], ci=False).value("f1") == pytest.approx(2 / 3)
    kept = spanscope.evaluate(gold, pred, "spans.exact", ci=False)
    assert spanscope.compare(gold, ("a", kept), ("b", kept)).value("f1").base == pytest.approx(2 / 3)
    with pytest.raises(InputError, match="another gold"):
        spanscope.compare(pred, ("a", kept), ("b", kept))


def test_a_folder_that_no_format_claims(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "gold")
    assert "d1.txt:1: is neither JSON nor CoNLL" in refused(run("eval", folder, folder))
    assert recognise(tmp_path).name == "spans"  # whose reader says what is wrong
    with pytest.raises(InputError, match="is not a folder"):
        open_folder(folder / "d1.txt")


# ---------------------------------------------------------------- objects of other libraries, binary files


class Doc:
    """What another library might have."""

    def __init__(self, *ends: int) -> None:
        self.ends = ends


class Better(Doc):
    """A kind of it."""


def test_objects_by_their_type(add: Add) -> None:
    def read(source: Any, options: ReadOptions) -> dict[str, Corpus]:
        def translate(value: Any, _: str) -> dict[str, Any]:
            return {"text": TEXT, "spans": [{"start": 0, "end": end, "label": "X"} for end in value.ends]}

        return {
            "": translate_documents(
                Documents(source, lambda row: f"{options.side}[{row}]", options.side), translate, options
            )
        }

    add("docs", read, record=lambda one, *_: is_object_of(one, "tests", "Doc"), in_files=False)
    gold, pred = [Doc(4, 8), Doc()], [Better(4), Doc(8)]
    assert spanscope.evaluate(gold, pred, "spans.exact", ci=False).totals() == {"tp": 1, "pred": 2, "gold": 2}
    assert not is_object_of(4, "tests")
    assert not is_object_of(Doc(), "tests", "Better")
    with pytest.raises(InputError, match="past the end of the text"):
        spanscope.evaluate(gold, [Doc(99), Doc()], "spans.exact")


def test_binary_files(add: Add, tmp_path: Path) -> None:
    def read(source: Any, options: ReadOptions) -> dict[str, Corpus]:
        file = open_source(source, text=False)
        ends = list(file.data[2:])
        document = {"id": "d", "text": TEXT, "spans": [{"start": 0, "end": end, "label": "X"} for end in ends]}
        return {
            "": translate_documents(
                Documents([document], lambda _: file.name, file.name, file.sha256), lambda one, _: one, options
            )
        }

    add("bytes", read, whole=lambda head, _: head.data.startswith(b"\xfe\x00"))
    gold = write(tmp_path / "g.bin", b"\xfe\x00\x04\x08")
    assert Head(gold).lines == []
    assert spanscope.evaluate(gold, gold, "spans.exact", ci=False).totals() == {"tp": 2, "pred": 2, "gold": 2}
