"""The documentation against the program: everything is mentioned, examples run, links lead somewhere."""

import json
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import typer

import spanscope
from spanscope.cli import program
from tests.cli import GOLD, PRED, TRACES, environment, run
from tests.cli.test_cli import GOLDEN

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WORDS = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
UNTOLD = {"--help", "--install-completion", "--show-completion"}  # typer's own


class Block(NamedTuple):
    """A fenced block of a page."""

    place: str
    kind: str
    text: str


def blocks(*kinds: str) -> list[Block]:
    out = []
    for page in PAGES:
        content = page.read_text(encoding="utf-8")
        for found in FENCE.finditer(content):
            line = content.count("\n", 0, found.start()) + 1
            if found[1] in kinds:
                out.append(Block(f"{page.relative_to(ROOT)}:{line}", found[1], found[2]))
    return out


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that holds the example corpus under the names the examples use."""
    shutil.copy(GOLD, tmp_path / "gold.jsonl")
    shutil.copy(PRED, tmp_path / "pred.jsonl")
    shutil.copy(TRACES, tmp_path / "traces.jsonl")
    (tmp_path / "both.conll").write_text("EU B-ORG B-ORG\nsays O O\n\nPeter B-PER O\n", encoding="utf-8")
    answer = {"file_path": "a.txt", "span": [0, 9], "answer": "an answer"}
    gold = {"tests": [{"query": "q", "snippets": [answer]}]}
    (tmp_path / "gold.json").write_text(json.dumps(gold), encoding="utf-8")
    passage = {"text": "an answer", "file_path": "a.txt", "span": [0, 9]}
    found = [{"query": "q", "retrieved_passages": [passage]}]
    (tmp_path / "predictions.json").write_text(json.dumps(found), encoding="utf-8")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text("an answer and more", encoding="utf-8")
    question = {"id": "q1", "question": "Who?", "answers": [{"text": "Ann"}]}
    squad = {"version": "v2.0", "data": [{"paragraphs": [{"qas": [question]}]}]}
    (tmp_path / "squad.json").write_text(json.dumps(squad), encoding="utf-8")
    (tmp_path / "answers.json").write_text(json.dumps({"q1": "Ann"}), encoding="utf-8")
    shutil.copy(GOLD, tmp_path / "new.jsonl")
    (tmp_path / "runs").mkdir()
    for name in ("base", "new", "newest"):
        shutil.copy(PRED, tmp_path / "runs" / f"{name}.jsonl")
    kept = spanscope.evaluate(str(GOLD), str(PRED), ci=False).to_json(kept=True)
    (tmp_path / "pred.json").write_text(kept, encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("q 0 d 1\n", encoding="utf-8")
    (tmp_path / "run.txt").write_text("q Q0 d 1 2.5 me\n", encoding="utf-8")
    for side, tag in (("gold", "B-PER"), ("pred", "O")):
        (tmp_path / f"{side}.conll").write_text(f"Peter {tag}\nspoke O\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---------------------------------------------------------------- everything is mentioned


def options() -> Iterator[tuple[str, str]]:
    """Return every command with each of its long options."""
    group = typer.main.get_command(program())
    for name, command in {"": group, **group.commands}.items():  # type: ignore[attr-defined]
        for parameter in command.params:
            yield from ((name, word) for word in parameter.opts if word.startswith("--") and word not in UNTOLD)


@pytest.mark.parametrize(("command", "option"), list(options()))
def test_options_are_mentioned(command: str, option: str) -> None:
    assert re.search(rf"{option}(?![\w-])", WORDS)


@pytest.mark.parametrize(
    "command", sorted({command for command, _ in options() if command} | {"protocols", "measures"})
)
def test_commands_are_mentioned(command: str) -> None:
    assert re.search(rf"\bspanscope {command}\b", WORDS)


@pytest.mark.parametrize("name", [*spanscope.known(), *spanscope.PROTOCOLS])
def test_measures_and_protocols_are_mentioned(name: str) -> None:
    assert re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", WORDS)


# ---------------------------------------------------------------- every example runs


def test_there_are_examples() -> None:
    assert len(blocks("python")) >= 3
    assert len(list(commands())) >= 5


@pytest.mark.parametrize("block", blocks("python"), ids=lambda block: block.place)
def test_python(block: Block, folder: Path) -> None:
    """A block with prompts is a doctest; any other is a script that must run to its end."""
    code = block.text
    if ">>> " in code:
        (folder / "example.txt").write_text(code, encoding="utf-8")
        arguments = ["-m", "doctest", "example.txt"]
    else:
        (folder / "example.py").write_text(code, encoding="utf-8")
        arguments = ["-W", "error", "example.py"]
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment()
    )
    assert done.returncode == 0, done.stdout + done.stderr


def commands() -> Iterator[tuple[str, str, int]]:
    """Return place, command and exit code of every `$ spanscope ...`; a line `exit 1` after it gives the code."""
    for block in blocks("console"):
        lines = block.text.replace("\\\n", " ").splitlines()
        for number, line in enumerate(lines):
            if not line.startswith("$ spanscope"):
                continue
            code = 0
            for after in lines[number + 1 :]:
                if after.startswith("$ "):
                    break
                if found := re.fullmatch(r"#? ?exit (\d)", after.strip()):
                    code = int(found[1])
            yield block.place, line, code


@pytest.mark.parametrize(("place", "line", "code"), list(commands()))
def test_console(place: str, line: str, code: int, folder: Path) -> None:
    words = shlex.split(line.removeprefix("$ "), comments=True)
    assert "|" not in words, "pipes are not run here"
    source = b""
    if "<" in words:
        at = words.index("<")
        source = (folder / words[at + 1]).read_bytes()
        del words[at : at + 2]
    done = run(*words[1:], stdin=source)
    assert done.code == code, f"{place}: {line}\n{done.err}"


def test_the_report_in_the_readme() -> None:
    """The report shown in the README is part of the report that the program gives."""
    table = (GOLDEN / "table.txt").read_text(encoding="utf-8")
    known = {" ".join(line.split()) for line in table.splitlines()}
    shown = next(block for block in blocks("text") if "▸" in block.text or "Precision" in block.text)
    for line in shown.text.splitlines():
        short = " ".join(line.split())
        if short and short != "..." and "|spanscope:" not in short and "─" not in short:
            assert short in known, f"{shown.place}: {line}"
    signature = next(line for line in shown.text.splitlines() if "|spanscope:" in line)
    result = spanscope.evaluate(str(GOLD), str(PRED))
    assert signature == result.signature()


# ---------------------------------------------------------------- links and generated pages


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_fences_are_closed(page: Path) -> None:
    fences = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("```")]
    assert all(line != "```" for line in fences[::2])
    assert all(line == "```" for line in fences[1::2])


def test_generated_pages_are_fresh() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["make_pages.py", "--check"])
        with pytest.raises(SystemExit) as stopped:
            runpy.run_path(str(ROOT / "docs" / "make_pages.py"), run_name="__main__")
    assert stopped.value.code == 0
