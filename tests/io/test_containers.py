"""Packed files, archives, folders and patterns: read as what is in them, or refused with what to do."""

import bz2
import gzip
import hashlib
import json
import lzma
import struct
import zipfile
from pathlib import Path

import pytest

import spanscope
from spanscope import InputError, Running, evaluate
from spanscope.errors import DocumentError
from spanscope.io import archive, packed
from tests.cli import GOLD, PRED, refused, run
from tests.io.formats.expected import EXPECTED, SAMPLES, sides_of, spans_in

ONE = [f"compressed/{name}" for name in ("gold.jsonl.gz", "gold.jsonl.bz2", "gold.jsonl.xz", "gold.zip")]
ZST = "compressed/gold.jsonl.zst"
FOLDERS = ["folder", "folder_per_document"]
LINE = '{"id": "%s", "text": "Anna met Bob", "spans": [{"start": 0, "end": 4, "label": "PER"}]}\n'
WHOLE = LINE % "d1" + LINE % "d2"
CONLL = "Anna B-PER\nmet O\n\nBob B-PER\nleft O\n"


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def zipped(path: Path, **members: str | bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in members.items():
            out.writestr(name.replace("__", "/", 1) if "__" in name else name, content)
    return path


def error_of(path: Path | str) -> str:
    with pytest.raises(InputError) as error:
        spanscope.read(path)
    return str(error.value)


# ---------------------------------------------------------------- samples


@pytest.mark.parametrize("name", [*ONE, ZST, *FOLDERS, "doccano/export.zip"])
def test_every_sample_is_read_as_it_says(name: str) -> None:
    if name == ZST:
        pytest.importorskip("zstandard")
    found = spanscope.read_sides(SAMPLES / name)
    expected = sides_of(name)
    if len(expected) == 1:
        assert spans_in(next(iter(found.values()))) == next(iter(expected.values()))
    else:
        assert {side: spans_in(corpus) for side, corpus in found.items()} == expected


@pytest.mark.parametrize("name", [*ONE, *FOLDERS, "folder/part-*.jsonl"])
def test_every_sample_is_scored_from_the_command_line(name: str) -> None:
    about = EXPECTED["files"].get(name, EXPECTED["files"]["folder"])
    size = sum(map(len, EXPECTED["sets"][about["spans"]["gold"]].values()))
    path = str(SAMPLES / name)
    done = run("eval", path, path, "-m", "spans.exact", "-f", "json", "--no-ci")
    assert done.code == 0, done.err
    assert {one["spans"] for one in json.loads(done.out)["inputs"].values()} == {size}


def test_members_are_annotators() -> None:
    found = spanscope.agree(SAMPLES / "doccano/export.zip", measures=["f1"], ci=False)
    assert found.names == ("anna", "ben")
    with pytest.raises(InputError, match=r"holds 2 annotators \(anna: 6 documents, ben: 6"):
        spanscope.read(SAMPLES / "doccano/export.zip")


# ---------------------------------------------------------------- what is in them


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_read_and_named(encoding: str, tmp_path: Path) -> None:
    mark = {"utf-16": "", "utf-16-le": "\ufeff", "utf-16-be": "\ufeff"}[encoding]
    text = WHOLE.replace("Anna", "\U0001f600nna")
    wide, plain = write(tmp_path / "w.jsonl", (mark + text).encode(encoding)), write(tmp_path / "p.jsonl", text)
    corpus = spanscope.read(wide)
    assert corpus.to_dicts() == spanscope.read(plain).to_dicts()
    assert [str(one) for one in corpus.problems] == [f"{wide}: is in UTF-16, and read as UTF-8"]
    for memory in ("spans", "counts", "totals"):
        found = evaluate(wide, plain, ci=False, run=Running(memory=memory))  # type: ignore[arg-type]
        assert found.totals() == {"tp": 2, "pred": 2, "gold": 2}
        assert found.problems.number["opened"] == 1
    assert spanscope.check(wide) == []


def test_a_member_may_be_packed_once(tmp_path: Path) -> None:
    inner = gzip.compress(WHOLE.encode())
    assert spanscope.read(zipped(tmp_path / "a.zip", **{"a.jsonl.gz": inner})).n_documents == 2
    for nested in (gzip.compress(inner), bz2.compress(inner)):
        assert "is packed twice" in error_of(write(tmp_path / "b", nested))
    archived = zipped(tmp_path / "c.zip", **{"a.jsonl": WHOLE}).read_bytes()
    assert "is packed twice" in error_of(write(tmp_path / "d", gzip.compress(archived)))
    message = error_of(zipped(tmp_path / "e.zip", **{"a.zip": archived}))
    assert message.startswith(f"{tmp_path}/e.zip/a.zip: is an archive in an archive")


def test_what_lies_beside_data_is_none(tmp_path: Path) -> None:
    beside = {
        "README.md": "#",
        "LICENSE": "x",
        ".DS_Store": "x",
        "__MACOSX/._a": "x",
        "x.conf": "",
        "a.jsonl": WHOLE,
    }
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as out:
        for name, content in beside.items():
            out.writestr(name, content)
    assert spanscope.read(tmp_path / "a.zip").ids == ["d1", "d2"]
    for name, content in beside.items():
        write(tmp_path / "f" / name, content)
    write(tmp_path / "f" / "b.jsonl", WHOLE.replace("d", "e", 2).replace('"ied', '"id'))
    write(tmp_path / "f" / "b.jsonl", LINE % "d3" + LINE % "d4")
    (tmp_path / "f" / "__MACOSX" / "._a").unlink()
    corpus = spanscope.read(tmp_path / "f")
    assert corpus.ids == ["d1", "d2", "d3", "d4"]
    assert corpus.where(2) == f"{tmp_path}/f/b.jsonl:1"
    assert [one.what for one in corpus.problems] == [
        "without data, ignored: LICENSE, README.md, x.conf, and 1 more",
        "read from 2 files in the order of their names, a.jsonl to b.jsonl",
    ]


@pytest.mark.parametrize("shape", ["folder", "zip", "pattern"])
def test_parts_of_every_family(shape: str, tmp_path: Path) -> None:
    families = {
        "tokens": (CONLL, CONLL.replace("Bob", "Eve"), "a.txt", "b.txt"),
        "segments": (
            '{"id": 1, "masses": [2, 3]}\n{"id": 2, "masses": [4]}',
            '{"id": 3, "masses": [1, 1]}',
            "a.json",
            "b.json",
        ),
        "passages": ('[{"id": "q1", "answers": ["x"]}]', '[{"id": "q2", "answers": ["y"]}]', "a.json", "b.json"),
        "judgements": ('{"q1": {"d1": 1.5}}', '{"q2": {"d2": 0.5}}', "a.json", "b.json"),
        "spans": (WHOLE, LINE % "d3", "a.jsonl", "b.jsonl"),
    }
    for family, (first, second, one, two) in families.items():
        folder = tmp_path / family
        parts = [write(folder / one, first), write(folder / two, second)]
        path: Path | str = folder
        if shape == "zip":
            path = zipped(tmp_path / f"{family}.zip", **{one: first, two: second})
        elif shape == "pattern":
            path = f"{folder}/[ab].*"
        apart = [row for part in parts for row in spanscope.read(part).to_dicts()]
        assert spanscope.read(path).to_dicts() == apart, family


def test_files_of_the_same_documents_are_annotators_each_once(tmp_path: Path) -> None:
    for name in ("a.jsonl", "a.json", "b.jsonl"):
        write(tmp_path / "f" / name, WHOLE)
    assert list(spanscope.read_sides(tmp_path / "f")) == ["a.json", "a.jsonl", "b.jsonl"]


def test_a_document_in_two_parts_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "f/a.jsonl", WHOLE)
    write(tmp_path / "f/b.jsonl", LINE % "d2" + LINE % "d3")
    for memory in ("spans", "counts"):
        with pytest.raises(DocumentError, match=r"b.jsonl:1: the id 'd2' is repeated \(first at .*a.jsonl:2\)"):
            evaluate(tmp_path / "f", tmp_path / "f", ci=False, run=Running(memory=memory))  # type: ignore[arg-type]


def test_mixed_formats_are_refused_with_counts(tmp_path: Path) -> None:
    for name, content in {"a.jsonl": WHOLE, "b.jsonl": LINE % "d3" + LINE % "d4", "c.txt": CONLL}.items():
        write(tmp_path / "f" / name, content)
    assert error_of(tmp_path / "f").startswith(
        f"{tmp_path}/f: holds files of 2 formats: 2 files of spans (a.jsonl, ...), 1 file of conll (c.txt)\n"
    )


def test_a_pattern_is_sorted_and_may_match_nothing(tmp_path: Path) -> None:
    for number in (10, 9, 1):
        write(tmp_path / f"p{number}.jsonl", LINE % number + LINE % (number + 100))
    assert spanscope.read(f"{tmp_path}/p*.jsonl").ids == ["1", "101", "10", "110", "9", "109"]
    assert spanscope.read(f"{tmp_path}/p9*").ids == ["9", "109"]
    pattern = f"{tmp_path}/q*.jsonl"
    assert refused(run("eval", pattern, pattern)).startswith(f"{pattern}: no file matches the pattern\n")
    odd = write(tmp_path / "p[1].jsonl", LINE % "odd" + LINE % "other")
    assert spanscope.read(odd).ids == ["odd", "other"]


def test_the_hash_of_a_folder_is_that_of_its_files(tmp_path: Path) -> None:
    total = hashlib.sha256()
    for name, ids in {"a.jsonl": "12", "b.jsonl": "34"}.items():
        content = "".join(LINE % own for own in ids)
        write(tmp_path / "f" / name, content)
        total.update(f"{name}\0{hashlib.sha256(content.encode()).hexdigest()}\0".encode())
    for memory in ("spans", "counts", "totals"):
        inputs = evaluate(tmp_path / "f", tmp_path / "f", ci=False, run=Running(memory=memory)).inputs  # type: ignore[arg-type]
        assert [(one.path, one.sha256) for one in inputs] == [(str(tmp_path / "f"), total.hexdigest())] * 2
    path = zipped(tmp_path / "a.zip", **{"a.jsonl": WHOLE})
    assert spanscope.read(path).sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


# ---------------------------------------------------------------- in blocks


def parts_of(folder: Path, path: Path, cuts: list[int]) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for number, (first, last) in enumerate(zip([0, *cuts], [*cuts, len(lines)], strict=True)):
        pack = (gzip.compress, bz2.compress, lzma.compress, bytes)[number % 4]
        write(folder / f"part-{number}", pack("".join(lines[first:last]).encode()))


@pytest.mark.parametrize(("memory", "jobs"), [("counts", 1), ("totals", 1), ("counts", 2)])
def test_parts_are_read_in_blocks(memory: str, jobs: int, tmp_path: Path) -> None:
    expected = evaluate(GOLD, PRED, ci=False).rows
    parts_of(tmp_path / "g", GOLD, [1, 3])
    parts_of(tmp_path / "p", PRED, [2])
    how = Running(memory=memory, jobs=jobs)  # type: ignore[arg-type]
    assert evaluate(tmp_path / "g", f"{tmp_path}/p/part-*", ci=False, run=how).rows == expected
    backwards = PRED.read_text(encoding="utf-8").splitlines(keepends=True)[::-1]
    other = write(tmp_path / "p.jsonl", "".join(backwards))
    assert evaluate(tmp_path / "g", other, ci=False, run=how).rows == expected


# ---------------------------------------------------------------- damaged


@pytest.mark.parametrize(
    ("name", "pack"), [("bzip2", bz2.compress), ("xz", lzma.compress), ("gzip", gzip.compress)]
)
def test_damaged_packed_files_are_refused(name: str, pack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    raw = pack("".join(LINE % number for number in range(500)).encode())
    broken = raw[: len(raw) // 2] + bytes(8) + raw[len(raw) // 2 + 8 :]
    for data in (raw[:-6], broken):
        path = write(tmp_path / "a", data)
        assert error_of(path).startswith(f"{path}: is not a whole {name} file (")


def test_zstandard_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = pytest.importorskip("zstandard")
    data = WHOLE.encode() * 1000 + b" " * 3 * packed.PART
    raw = library.compress(data) + library.compress(b"\n" + WHOLE.encode())
    path = write(tmp_path / "a.zst", raw)
    unpacker = packed.Unpacker("a", packed.PACKINGS[3])
    out = []
    for at in range(0, len(raw), 1000):
        unpacker.feed(raw[at : at + 1000])
        while unpacker.waiting:
            out.append(unpacker.part())
    unpacker.finish()
    assert b"".join(out) == data + b"\n" + WHOLE.encode()
    assert "is not a whole Zstandard file (it ends too early)" in error_of(write(path, raw[:-3]))
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    assert "pip install 'spanscope[zstd]'" in error_of(path)


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", **{"a.jsonl": WHOLE * 50})
    raw = path.read_bytes()
    assert error_of(write(path, raw[:-30])).startswith(f"{path}: is not a whole zip archive (")
    crc = raw.index(struct.pack("<L", zipfile.crc32(WHOLE.encode() * 50)), 40)  # type: ignore[attr-defined]
    assert "a.zip/a.jsonl: is not a whole zip archive (Bad CRC-32" in error_of(
        write(path, raw[:crc] + b"\0\0\0\0" + raw[crc + 4 :])
    )
    at = raw.index(b"PK\x01\x02")
    locked = raw[:6] + b"\1" + raw[7 : at + 8] + b"\1" + raw[at + 9 :]
    assert "a.zip/a.jsonl: needs a password" in error_of(write(path, locked))
    assert "is an archive without any file of data" in error_of(zipped(path))
    assert "is an archive without any file of data" in error_of(zipped(path, **{"README.md": "#"}))
    assert "is a document of Office" in error_of(
        zipped(path, **{"[Content_Types].xml": "<a/>", "xl/a.xml": "<a/>"})
    )


def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_UNPACKED", 10_000)
    path = zipped(tmp_path / "a.zip", **{"a.jsonl": LINE % "d" + " " * 1_000_000})
    assert "bytes unpack to 1,000,0" in error_of(path)
    monkeypatch.setattr("spanscope.io.source.MOST_UNPACKED", 10_000)
    for pack in (bz2.compress, lzma.compress, gzip.compress):
        assert "bytes unpack to more than" in error_of(write(tmp_path / "b", pack(b" " * 1_000_000)))


def test_an_archive_on_standard_input_is_refused(tmp_path: Path) -> None:
    raw = zipped(tmp_path / "a.zip", **{"a.jsonl": WHOLE}).read_bytes()
    assert raw.startswith(archive.MAGIC)
    assert "<stdin>: is a zip archive" in refused(run("eval", "-", GOLD, stdin=raw))


def test_members_are_never_written_anywhere(tmp_path: Path) -> None:
    path = (
        zipped(tmp_path / "in/a.zip", **{"../../evil.jsonl": WHOLE}) if (tmp_path / "in").mkdir() is None else None
    )
    assert path is not None
    before = sorted(tmp_path.rglob("*"))
    assert spanscope.read(path).n_documents == 2
    assert sorted(tmp_path.rglob("*")) == before
