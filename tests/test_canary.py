"""With --text masked or none no character of a document leaves the program, whatever a file looks like.

Every text of every format holds a canary. Files are damaged in every way, all commands are run on them, and
everything that is printed or written is searched, pages unpacked. Ids and labels are printed by design.
"""

import gzip
import os
import zipfile
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import pytest

from tests.canaries import CANARY, FORMATS, damaged_bytes, damaged_values
from tests.cli import Done, run
from tests.recording.page import data_of

SHARES = 4  # of the damaged files of a format, so that processes share the work
FORMS = ("table", "json", "csv", "markdown", "latex", "github")
WORDS = tuple(
    word.encode() for word in (CANARY, CANARY.upper(), CANARY.lower(), CANARY[::-1], CANARY[:5], CANARY[2:])
)


def put(folder: Path, name: str, sides: tuple[bytes, bytes | None]) -> list[str]:
    paths = []
    for side, data in zip(("gold", "pred"), sides, strict=True):
        if data is not None:
            path = folder / f"{name}.{side}.jsonl"
            path.write_bytes(data)
            paths.append(str(path))
    return paths


CONVERTED = "converted"


def found_in(data: bytes) -> bool:
    """Tell whether a canary, or most of one, stands in what was printed or written, packed pages unpacked."""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    if b'id="data"' in data:
        data += data_of(data.decode()).encode()
    return any(word in data for word in WORDS)


def assert_silent(done: Done, folder: Path, inputs: list[str], what: object) -> None:
    said = f"{done.out}{done.err}{done.noted}"
    assert not found_in(said.encode("utf-8", "surrogateescape")), (what, said[:2000])
    for path in folder.iterdir():
        if str(path) not in inputs:
            on_purpose = path.name.startswith(CONVERTED)  # a conversion is about the texts: it writes them
            assert on_purpose or not found_in(path.read_bytes()), (what, path.name)
            path.unlink()


def commands(files: list[str], out: Path) -> Iterator[list[str]]:
    """Return every command that reads texts, with everything that it can print or write."""
    both = len(files) > 1
    yield from (["eval", *files, "--no-ci", "-f", form] for form in FORMS)
    yield ["eval", *files, "--no-ci", "--html", str(out / "page.html"), "-o", str(out / "table.txt")]
    yield ["eval", *files, "--no-ci", "-f", "junit", "--fail-under", "f1=0.99"]
    yield ["check", *files]
    if both:
        yield ["eval", *files, "--no-ci", "--examples", "9", "--worst", "3"]
        yield ["eval", *files, "--no-ci", "-o", str(out / "kept.json"), "--keep", "--documents", "--matches"]
        yield ["eval", *files, "--no-ci", "--strict"]
        yield ["eval", *files, "--no-ci", "--memory", "counts"]
        yield ["compare", *files, files[0], "--trials", "5", "--html", str(out / "compared.html")]
        yield ["compare", *files, files[0], "--trials", "5", "-f", "json"]
        yield from (["audit", *files, files[0], files[1], "-f", form] for form in ("table", "json", "csv"))
        yield ["leaderboard", *files, files[0], "--trials", "5", "--html", str(out / "leaderboard.html")]
    yield ["agree", *files, "--no-ci", "-f", "json"]
    yield ["agree", *files, "--no-ci"]
    yield ["convert", files[0], str(out / f"{CONVERTED}.zz")]
    yield ["convert", files[0], str(out / f"{CONVERTED}.zz"), "--to", "conll"]
    yield ["report", *files, "--no-ci", "-o", str(out / "report.html")]
    yield from (
        ["plot", kind, *files, "-o", str(out / "figure.svg")] for kind in ("labels", "confusion", "segments")
    )
    yield ["score", *files[::-1]]


@pytest.mark.parametrize("policy", ["masked", "none"])
@pytest.mark.parametrize("name", FORMATS)
def test_no_command_lets_a_canary_out(name: str, policy: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    files = put(tmp_path, "whole", FORMATS[name])
    ended = []
    for asked in commands(files, tmp_path):
        done = run(*asked, "--text", policy)
        ended.append(done.code)
        assert_silent(done, tmp_path, files, asked)
    assert 0 in ended


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("name", FORMATS)
def test_no_damaged_file_lets_a_canary_out(name: str, share: int, tmp_path: Path) -> None:
    gold, pred = FORMATS[name]
    textual = name in {"conll", "conllu", "token rows"}
    every = int(os.environ.get("SPANSCOPE_CANARIES", "5"))  # one damage in so many; 1 tries all
    hurt = chain(damaged_bytes(gold), () if textual else islice(damaged_values(gold), 0, None, every))
    for number, data in enumerate(hurt):
        if number % SHARES != share:
            continue
        sides = [(data, pred)] if pred is None or number % 2 else [(gold, data), (data, data)]
        for at, both in enumerate(sides):
            files = put(tmp_path, "hurt", both)
            policy = ("masked", "none")[number % 2]
            for asked in (
                ["eval", *files, "--no-ci", "-f", ("json", "table")[at], "--text", policy],
                ["check", *files, "--text", policy],
                ["agree", *files, "--no-ci", "--text", policy],
            )[: 3 if number % 3 == 0 else 2]:
                assert_silent(run(*asked), tmp_path, files, (asked, data[:600]))


def test_there_is_something_to_hide(tmp_path: Path) -> None:
    """Without a policy the same commands do quote: the search can find what it looks for."""
    files = put(tmp_path, "whole", FORMATS["spans"])
    done = run("eval", *files, "--no-ci", "--examples", "9")
    assert found_in(done.out.encode())
    run("report", *files, "--no-ci", "-o", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert CANARY in data_of(page)  # which is packed, so that a search of the bytes alone would miss it
    packed = page[page.index('id="data"') :]
    assert CANARY not in packed
    assert found_in(f"<script {packed}".encode())


@pytest.mark.parametrize("policy", ["masked", "none"])
def test_no_archive_or_folder_lets_a_canary_out(policy: str, tmp_path: Path) -> None:
    gold, pred = FORMATS["spans"]
    for side, data in (("gold", gold), ("pred", pred or b"")):
        (tmp_path / side).mkdir()
        first, *rest = data.splitlines(keepends=True)
        with zipfile.ZipFile(tmp_path / f"{side}.zip", "w") as out:
            for name, part in (("a.jsonl", first), ("b.jsonl", b"".join(rest)[: -40 if side == "pred" else None])):
                (tmp_path / side / name).write_bytes(part)
                out.writestr(name, part)
    inputs = [str(path) for path in tmp_path.iterdir()]
    for ending in ("", ".zip"):
        files = [str(tmp_path / f"{side}{ending}") for side in ("gold", "pred")]
        for asked in (["eval", *files, "--no-ci"], ["eval", files[0], files[0], "--no-ci"], ["check", *files]):
            assert_silent(run(*asked, "--text", policy), tmp_path, inputs, asked)
