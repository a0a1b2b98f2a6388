"""As test_canary.py, for formats that hold few texts or are named by an option; and that no format is left out."""

import os
from itertools import islice
from pathlib import Path

import pytest

from spanscope.io.detect import BY_NAME, recognise
from tests.canaries import FORMATS
from tests.cli import run
from tests.more_canaries import GOLD, MORE, PRED
from tests.rare_canaries import RARE
from tests.test_canary import assert_silent, found_in, put
from tests.test_canary_folders import FOLDERS
from tests.test_canary_folders import put as put_folder

EVERY = int(os.environ.get("SPANSCOPE_CANARIES", "15"))  # one damage in so many; 1 tries all
POLICIES = ("masked", "none")
OBJECTS = {"columns"}  # which are no files: test_canary_folders.py has these as frames


def test_every_format_is_searched(tmp_path: Path) -> None:
    files = (path for name, sides in {**FORMATS, **MORE}.items() for path in put(tmp_path, name, sides))
    folders = (
        put_folder(tmp_path / name, side, made(own))
        for name, made in FOLDERS.items()
        for side, own in (("gold", GOLD), ("pred", PRED))
    )
    searched = {recognise(path).name for path in (*files, *folders)} | set(RARE)
    assert set(BY_NAME) - searched == OBJECTS


@pytest.mark.parametrize("name", RARE)
def test_no_command_lets_a_canary_out(name: str, tmp_path: Path) -> None:
    rare = RARE[name]
    files = put(tmp_path, "whole", (rare.gold, rare.pred))
    ended, several = (
        [],
        rare.pred is None and name not in {"seqeval", "ragas-csv"},
    )  # segmentations have no matches
    for number, asked in enumerate(
        (
            ["eval", *files, "--no-ci", "-f", "json", *([] if several else ["--matches"]), *rare.options],
            ["eval", *files, "--no-ci", "--html", str(tmp_path / "page.html"), *rare.options],
            ["check", *files, *rare.options],
            ["eval", *files[::-1], "--no-ci", "--worst", "3"],
            ["agree", *files, "--no-ci"],
        )
    ):
        done = run(*asked, "--text", POLICIES[number % 2])
        ended.append(done.code)
        assert_silent(done, tmp_path, files, asked)
    assert (ended[:2] == [0, 0]) is rare.scored


@pytest.mark.parametrize("name", RARE)
def test_no_damaged_file_lets_a_canary_out(name: str, tmp_path: Path) -> None:
    rare = RARE[name]
    for number, data in enumerate(islice(rare.hurt(rare.gold), 0, None, 1 if len(rare.gold) < 99 else EVERY)):
        sides = (data, rare.pred) if rare.pred is None or number % 2 else (rare.gold, data)
        files = put(tmp_path, "hurt", sides)
        for asked in (["eval", *files, "--no-ci", *rare.options], ["check", *files, *rare.options]):
            told = [*asked, "--text", POLICIES[number % 2]]
            assert_silent(run(*told), tmp_path, files, (asked, data[:600]))


def test_there_is_something_to_hide(tmp_path: Path) -> None:
    """Without a policy, text that stands where numbers belong is quoted."""
    rare = RARE["nltk-gaps"]
    said = [
        run("eval", *put(tmp_path, "hurt", (data, rare.pred)), "--no-ci", *rare.options).err
        for data in rare.hurt(rare.gold)
    ]
    assert any(found_in(one.encode()) for one in said)
