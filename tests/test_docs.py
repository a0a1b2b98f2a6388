"""The documentation against the program: everything is mentioned, examples run, links lead somewhere."""

import doctest
import io
import json
import os
import re
import runpy
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest import mock
from xml.etree import ElementTree

import pytest
import typer

import spanscope
from spanscope.cli import program
from spanscope.measures import registry
from tests.cli import GOLD, PRED, TRACES, environment, run
from tests.cli.test_cli import GOLDEN

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
WORDS = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"\(`([\w./-]+)`\)[^\n`]*\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
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


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page shows: blocks behind a sentence that ends with a name, as in (`gold.jsonl`):"""
    for name, content in FILE.findall(page.read_text(encoding="utf-8")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")


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
    shutil.copy(PRED, tmp_path / "pred2.jsonl")
    shutil.copy(GOLD, tmp_path / "new2.jsonl")
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
    write_files(page_of(block.place), folder)
    with (
        mock.patch.dict(os.environ, environment(), clear=True),
        mock.patch.dict(registry._registry),  # a measure of an example is known to it alone
        redirect_stdout(io.StringIO()) as said,
    ):
        if ">>> " in block.text:
            example = doctest.DocTestParser().get_doctest(block.text, {}, block.place, None, 0)
            doctest.DocTestRunner().run(example)
            assert "Failed example" not in said.getvalue(), said.getvalue()
        else:
            exec(compile(block.text, block.place, "exec"), {"__name__": "__main__"})


def page_of(place: str) -> Path:
    return ROOT / place.rpartition(":")[0]


def commands() -> Iterator[tuple[str, str, int, str]]:
    """Return place, command, exit code and shown output of every `$ spanscope ...`.

    A line `exit 1` after it gives the code; output is shown on pages in folders of `docs`, such as tutorials.
    """
    for block in blocks("console"):
        lines = block.text.replace("\\\n", " ").splitlines()
        for number, line in enumerate(lines):
            if not line.startswith("$ spanscope"):
                continue
            code, shown = 0, []
            for after in lines[number + 1 :]:
                if after.startswith("$ "):
                    break
                if found := re.fullmatch(r"#? ?exit (\d)", after.strip()):
                    code = int(found[1])
                elif after.strip() not in ("", "..."):
                    shown.append(after)
            is_inside = page_of(block.place).parent.parent == DOCS
            yield block.place, line, code, "\n".join(shown) if is_inside else ""


@pytest.mark.parametrize(("place", "line", "code", "shown"), list(commands()))
def test_console(place: str, line: str, code: int, shown: str, folder: Path) -> None:
    write_files(page_of(place), folder)
    words = shlex.split(line.removeprefix("$ "), comments=True)
    assert "|" not in words, "pipes are not run here"
    source = b""
    if "<" in words:
        at = words.index("<")
        source = (folder / words[at + 1]).read_bytes()
        del words[at : at + 2]
    done = run(*words[1:], stdin=source)
    assert done.code == code, f"{place}: {line}\n{done.err}"
    said = {" ".join(one.split()) for one in (done.out + done.err).splitlines()}
    assert [one for one in shown.splitlines() if " ".join(one.split()) not in said] == [], done.out + done.err


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


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    paths = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert [path for path in paths if not re.search(rf"[ :]{re.escape(path)}$", listed, re.MULTILINE)] == []


def test_pages_that_the_site_makes() -> None:
    """Every measure has a page with what it says of itself, and links lead to pages there are."""
    site = runpy.run_path(str(DOCS / "site_pages.py"))
    pages = site["made"]()
    for name, definition in spanscope.known().items():
        page = pages[f"measures/{name}.md"]
        assert page.startswith(f"# {name}\n")
        for key in ("Counts", "Undefined", "Source", "Checked"):
            assert page.count(f"**{key}.** ") == 1, (name, key)
        assert len(page) > 0.9 * len(definition.doc.strip())
        assert "<svg " in page
        assert page.partition("| figure | value |")[2].count(" | ") >= 1
        has_formula = any(
            line.startswith("    ") for line in definition.doc.partition("\nCounts ")[0].splitlines()
        )
        assert ('<p class="formula">' in page) == has_formula
    assert all(path.name in pages["conformance.md"] for path in (ROOT / "tests" / "oracles").glob("*.json"))
    for path, text in pages.items():
        links = [(path, link) for link in LINK.findall(text) if path.endswith(".md") and "://" not in link]
        folder = Path(path).parent
        there = [(folder / link).as_posix() in pages or (DOCS / folder / link).exists() for _, link in links]
        assert all(there), links


@pytest.mark.parametrize(
    ("plain", "found"),
    [
        ("    f1 = 2 p / (p + r)", "<mfrac><mrow><mn>2</mn>"),
        ("    D_o = 1 - x^2", "<msub><mi>D</mi><mtext>o</mtext></msub>"),
        ("    t = sum over k of n_k / N", "<munder><mo>∑</mo><mtext>k</mtext></munder><mfrac>"),
        ("    recall = share of gold spans", "share of gold spans"),
        ("    s = |g ∩ p| / |g ∪ p|", "<mo>|</mo><mi>g</mi>"),
        ("    h = H(gold | pred) / H(gold) < 1", "<mo>|</mo><mtext>"),
    ],
)
def test_formulas_are_typeset(plain: str, found: str) -> None:
    made = runpy.run_path(str(DOCS / "site_formulas.py"))["typeset"](plain)
    assert found in made
    ElementTree.fromstring(made)  # every element is closed


def test_formulas_of_measures_are_well_formed() -> None:
    """A formula keeps every word and number of its text, in order, and no sign of division."""
    typeset = runpy.run_path(str(DOCS / "site_formulas.py"))["typeset"]
    for definition in spanscope.known().values():
        lines = [line for line in definition.doc.splitlines() if line.startswith("    ")]
        for line in lines:
            shown = "".join(ElementTree.fromstring(typeset(line)).itertext())
            words = re.findall(
                r"[^\W\d_]{3,}", line.replace("sum over", "").replace("sigma", "").replace("alpha", "")
            )
            lost = [word for word in words if word not in shown]
            assert lost == [], (definition.name, line, shown)


def test_terms_lead_to_the_glossary() -> None:
    site = runpy.run_path(str(DOCS / "site_pages.py"))
    link = site["with_links"]
    text = "# recall\n\nWhat `recall` is: recall, and recall again; see [recall](x.md).\n\n    recall\n"
    linked = text.replace("is: recall", "is: [recall](../glossary.md#recall)")
    assert link(text, "tutorials/a.md", site["terms"]()) == linked
    assert link("a gate-keeper", "a.md", ["gate"]) == "a gate-keeper"


def test_generated_pages_are_fresh() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["make_pages.py", "--check"])
        with pytest.raises(SystemExit) as stopped:
            runpy.run_path(str(ROOT / "docs" / "make_pages.py"), run_name="__main__")
    assert stopped.value.code == 0
