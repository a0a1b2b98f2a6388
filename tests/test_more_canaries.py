"""As test_canary.py, for the files of more tools, and for the commands that write files of data.

What these commands write is data, with its texts; what they say of it must not quote any.
"""

import json
import os
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import pytest

from tests.canaries import FORMATS, damaged_bytes, damaged_values
from tests.cli import run
from tests.more_canaries import MORE
from tests.test_canary import assert_silent, put

EVERY = int(os.environ.get("SPANSCOPE_CANARIES", "12"))  # one damage in so many; 1 tries all
FORMS = ("csv", "conll", "brat", "label-studio", "pubtator", "webanno", "spacy")
POLICIES = ("masked", "none")


def is_json(data: bytes) -> bool:
    try:
        [json.loads(line) for line in data.splitlines()]
    except ValueError:
        return False
    return True


def damaged(data: bytes) -> Iterator[bytes]:
    """Return damaged data: lines lost at its beginning too, so that a text can stand where a header should."""
    lines = data.splitlines(keepends=True)
    lost = (b"".join(lines[number:]) for number in range(1, min(len(lines), 4)))
    values = islice(damaged_values(data), 0, None, EVERY) if is_json(data) else ()
    return chain(islice(damaged_bytes(data), EVERY % 2, None, 2 if EVERY > 1 else 1), lost, values)


@pytest.mark.parametrize("name", MORE)
def test_no_command_lets_a_canary_out(name: str, tmp_path: Path) -> None:
    files = put(tmp_path, "whole", MORE[name])
    ended = []
    for number, asked in enumerate(
        (
            ["eval", *files, "--no-ci", "-f", "json", "--matches"],
            ["eval", *files, "--no-ci", "--html", str(tmp_path / "page.html"), "-o", str(tmp_path / "table.txt")],
            ["check", *files],
            ["agree", *files, "--no-ci"],
            ["eval", *files[::-1], "--no-ci", "--worst", "3"],
            ["report", *files, "--no-ci", "-o", str(tmp_path / "report.html")],
        )
    ):
        done = run(*asked, "--text", POLICIES[number % 2])
        ended.append(done.code)
        assert_silent(done, tmp_path, files, asked)
    assert 0 in ended


@pytest.mark.parametrize("name", MORE)
def test_no_damaged_file_lets_a_canary_out(name: str, tmp_path: Path) -> None:
    gold, pred = MORE[name]
    for number, data in enumerate(damaged(gold)):
        files = put(tmp_path, "hurt", (data, pred) if pred is None or number % 2 else (gold, data))
        policy = POLICIES[number % 2]
        for asked in (["eval", *files, "--no-ci", "--text", policy], ["check", *files, "--text", policy]):
            assert_silent(run(*asked), tmp_path, files, (asked, data[:600]))


@pytest.mark.parametrize("name", [*FORMATS, *MORE])
def test_commands_that_write_data_say_nothing_of_it(name: str, tmp_path: Path) -> None:
    written = tmp_path / "written"
    written.mkdir()
    folder = tmp_path / "read"
    folder.mkdir()
    whole = {**FORMATS, **MORE}[name]
    cut = whole[0][: len(whole[0]) * 2 // 3]
    number = len(name)
    for kind, sides in (("whole", whole), ("cut", (cut, whole[1]))):
        files = put(folder, kind, sides)
        kept = [str(path) for path in folder.iterdir()]
        for form in FORMS[number % 2 :: 3]:
            asked = ["convert", files[0], str(written / f"{kind}.{form}"), "--to", form, "--lossy"]
            assert_silent(run(*asked, "--text", POLICIES[number % 2]), folder, kept, asked)
        ended = []
        for asked in (
            ["adjudicate", *files, "-o", str(written / f"{kind}.jsonl"), "--text", "masked"],
            ["locate", *files, "-o", str(written / f"{kind}.found.jsonl"), "--text", "none"],
            ["locate", files[0], "--check", "--text", "masked"],
            ["audit", *files, *files, "--decide", str(written / f"{kind}.decide.jsonl"), "--text", "none"],
            ["formats", files[0]],
        ):
            done = run(*asked)
            ended.append(done.code)
            assert_silent(done, folder, kept, asked)
        assert name != "spans" or kind != "whole" or ended[:2] == [0, 0]
