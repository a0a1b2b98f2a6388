"""Every table in every width: a number is printed whole or not at all, and a row never without its name."""

import io
import json
import math
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

import spanscope
from spanscope.report import agree as agreements
from spanscope.report import compare as comparisons
from spanscope.report import panel as panels
from spanscope.report import tables as results
from spanscope.report import terminal
from spanscope.report.tables import Table
from tests.cli import GOLD, PRED, TRACES, environment, write

LONG = "Vertragsstrafenvereinbarungsklausel mit Rückwirkung und Haftungsausschluss Nr. 12.75"
LABELS = (LONG, "住所または居所の所在地に関する記載事項", "🏥 病院 🚑 emergency admission 2024", "A", "Main_actor")
WIDTHS = range(40, 201)
NAMED = {  # heads of the columns that say which row it is
    *("", "Measure", "Rate", "Label", "Document", "Query", "k", "Threshold", "Kind", "Text", "Gold", "Predicted"),
    *("gold \\ predicted", "Figure", "Run", "Change", "A", "B", "as gold \\ against", "Method", "Coefficient"),
    *("Annotator", "says"),
}


def corpus(seed: int, labels: tuple[str, ...], documents: int = 24) -> list[dict[str, Any]]:
    """Return documents of 60 characters with spans drawn at random, the same texts for every seed."""
    drawn = random.Random(seed)
    out = []
    for number in range(documents):
        starts = [10 * at + drawn.randrange(3) for at in range(6)]
        spans = [[start, start + 4 + drawn.randrange(3), drawn.choice(labels)] for start in starts]
        out.append({"id": f"{LONG}/{number}", "text": "abcdefghij" * 6, "spans": spans})
    return out


def queries(seed: int) -> tuple[list[Any], list[Any]]:
    drawn = random.Random(seed)
    names = [f"what does clause {number} of the {LONG} say" for number in range(20)]
    gold = [{"query": name, "snippets": [{"id": f"d{drawn.randrange(30)}", "text": "x y"}]} for name in names]
    pred = [
        {
            "query": name,
            "retrieved_passages": [{"id": f"d{one}", "text": "x y"} for one in drawn.sample(range(30), 20)],
        }
        for name in names
    ]
    return gold, pred


def segmented(source: Path, name: str) -> list[Any]:
    lines = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    return [{"id": one["id"], "text": one["text"], "segments": one["segmentations"][name]} for one in lines]


def traces(methods: int) -> list[Any]:
    """Return the example traces with many segmentations, whose long names differ in the middle only."""
    out = []
    for line in TRACES.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        given = list(one["segmentations"].items())
        more = {f"{LONG} method {at} by sentences": given[at % len(given)][1] for at in range(methods)}
        out.append(one | {"segmentations": {"Gold": one["segmentations"]["Gold"]} | more})
    return out


def several(files: int) -> Any:
    gold = corpus(1, LABELS)
    runs = [
        (f"/data/runs/2024-11-02/{LONG}/seed-{at}/predictions.jsonl", corpus(at, LABELS))
        for at in range(2, 2 + files)
    ]
    return spanscope.compare(
        gold, *runs, measures=["spans.exact", "spans.relaxed"], trials=50, ci=spanscope.Ci(50)
    )


def tagged() -> Any:
    tokens = ["Johann", "Sebastian", "Bach", "of", "Leipzig"]
    gold = [{"tokens": tokens, "tags": ["B-PERSON", "I-PERSON", "I-PERSON", "O", "B-PLACE"]}] * 3
    pred = [{"tokens": tokens, "tags": ["O", "B-PERSON", "I-PERSON", "O", "O"]}] * 3
    return spanscope.evaluate(gold, pred, protocol="presidio")


MADE: dict[str, Callable[[], Any]] = {
    "spans": lambda: spanscope.evaluate(corpus(1, LABELS), corpus(2, LABELS), score=spanscope.Scoring(beta=2)),
    "requirements": lambda: spanscope.evaluate(str(GOLD), str(PRED)),
    "semeval": lambda: spanscope.evaluate(corpus(1, LABELS), corpus(2, LABELS), protocol="semeval"),
    "labels": lambda: spanscope.evaluate(
        *(corpus(seed, tuple(f"{LONG} {at}" for at in range(300)), 100) for seed in (1, 2)),
        "spans.exact",
        ci=False,
    ),
    "tokens": tagged,
    "segments": lambda: spanscope.evaluate(
        segmented(TRACES, "Gold"), segmented(TRACES, "Lines"), protocol="segments"
    ),
    "passages": lambda: spanscope.evaluate(
        *queries(3), protocol="passages", score=spanscope.Scoring(k=[1, 5, 10])
    ),
    "panel": lambda: spanscope.panel(traces(8)),
    "pairs": lambda: spanscope.panel(traces(3)),
    "six runs": lambda: several(6),
    "two runs": lambda: several(2),
    "agreement": lambda: spanscope.agree(
        *(corpus(seed, LABELS) for seed in (1, 2, 3)),
        names=[f"{LONG} {at}" for at in range(3)],
        resamples=50,
        samples=2,
    ),
}


@cache
def made(kind: str) -> tuple[Any, list[Table], set[str]]:
    """Return what is shown, its tables before any layout, and the figures of its JSON in four digits."""
    found = MADE[kind]()
    tables = tables_of(found)
    values = set(numbers(found.to_dict()))
    if isinstance(found, spanscope.Result):
        values |= set(numbers(found.to_dict(documents=True)))
    if isinstance(found, spanscope.Panel):
        values |= set(found.consensus("f1", "segments.b_score").values())  # the one table that is not in the JSON
    return found, tables, {f"{sign}{value:.4f}" for value in values for sign in ("", "+") if math.isfinite(value)}


def tables_of(found: Any) -> list[Table]:
    if isinstance(found, spanscope.Result):
        return results.tables(found, worst=3)
    if isinstance(found, spanscope.Panel):
        return panels.tables(found)
    return comparisons.tables(found) if hasattr(found, "runs") else agreements.tables(found, 4)


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def on_terminal(found: Any, width: int) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None)
    if isinstance(found, spanscope.Result):
        terminal.show(found, console, worst=3)
    elif isinstance(found, spanscope.Panel):
        panels.show(found, console)
    else:
        (comparisons if hasattr(found, "runs") else agreements).show(found, console)
    return out.getvalue()


def plainly(found: Any) -> str:
    return str(found.table(worst=3) if isinstance(found, spanscope.Result) else found.table())


def is_name(shown: str, name: str) -> bool:
    """Tell whether a name is shown whole, or without its middle, and numbered where others would read alike."""
    start, gap, end = shown.partition("…")
    end = re.sub(r"^\d+…", "", end)
    whole = shown == name.strip()
    return whole or (bool(gap and start + end) and name.startswith(start) and name.endswith(end))


def in_order(some: list[str], every: list[str]) -> bool:
    left = iter(every)
    return all(one in left for one in some)


def check_table(table: Table, lines: list[str], figures: set[str]) -> None:
    """Check the lines below the rule of a table against its cells."""
    names = next((at for at, head in enumerate(table.heads) if head not in NAMED), len(table.heads))
    seen: dict[str, str] = {}
    for row in table.rows:
        line = lines.pop(0)
        while lines and "agreement" in table.title.lower() and not lines[0][:20].strip():
            lines.pop(0)  # the rest of a sentence
        cells = re.split(r"\s{3,}", line.strip().removeprefix("▸ "))
        shown, others = cells[:names], [cell for cell in cells[names:] if not set(cell) <= {"█"}]
        assert all(map(is_name, shown, row[:names])), (line, row)
        for one, name in zip(shown, row, strict=False):
            assert seen.setdefault(one, name) == name, f"{one} is {name}, and {seen[one]}"
        if table.heads[-1] == "What it means":
            others = [cell for cell in others if not row[-1].startswith(cell)]
        assert others, f"no figure in {line}"
        assert in_order(others, [cell.strip() for cell in row[names:]]), (line, row)
        for figure in re.findall(r"(?<![\w.])[+-]?\d+\.\d{4}(?!\d)", " ".join(others)):
            assert figure in figures or figure.lstrip("+-") == "0.0000", (figure, line)
        assert line.count("[") - "".join(row[:names]).count("[") == line.count("]") - "".join(row[:names]).count(
            "]"
        )


def check(kind: str, text: str, width: int | None) -> None:
    """Check a report: nothing wider than it may be, all tables there, all rows of them whole."""
    _, tables, figures = made(kind)
    lines = text.splitlines()
    wide = [line for line in lines if "|spanscope:" not in line and width is not None and cell_len(line) > width]
    assert not wide, f"wider than {width}: {wide[:3]}"
    rules = [at for at, line in enumerate(lines) if line and set(line.strip()) == {"─"}]
    assert len(rules) == len(tables)
    for at, table in zip(rules, tables, strict=True):
        check_table(table, lines[at + 1 :], figures)


@pytest.mark.parametrize("kind", MADE)
def test_tables_on_terminals(kind: str) -> None:
    for width in WIDTHS:
        check(kind, on_terminal(made(kind)[0], width), width)


@pytest.mark.parametrize("kind", MADE)
def test_tables_in_as_many_columns_as_asked_for(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        check(kind, plainly(made(kind)[0]), width)


@pytest.mark.parametrize("kind", MADE)
def test_piped_tables_have_every_column(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    found, tables, _ = made(kind)
    text = plainly(found)
    check(kind, text, None)
    lines = text.splitlines()
    rules = [at for at, line in enumerate(lines) if line and set(line) == {"─"}]
    for at, table in zip(rules, tables, strict=True):
        heads = re.split(r"\s{3,}", lines[at - 1].strip())
        assert heads[: len(table.heads)] == [head for head in table.heads if head]
        assert all(name in lines[at + 1 + row] for row, cells in enumerate(table.rows) for name in cells[:1]) or (
            table.heads[-1] == "What it means"
        )
    assert "Left out" not in text


# ---------------------------------------------------------------- pipes, files, notes


def piped(*args: object, **more: str) -> str:
    """Return what a command prints into a pipe."""
    env = {key: value for key, value in environment().items() if key != "COLUMNS"} | {"PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "spanscope", *map(str, args)], capture_output=True, env=env | more, check=True
    )
    return done.stdout.decode()


def test_a_pipe_is_as_wide_as_its_table(tmp_path: Path) -> None:
    """A label of 120 characters, and a run of 150: rich would have cropped the figures."""
    label = "L" * 120
    gold = write(tmp_path / "gold.jsonl", [{"id": 1, "spans": [[0, 1, label], [2, 3, label], [4, 5, "B"]]}])
    pred = write(tmp_path / "pred.jsonl", [{"id": 1, "spans": [[0, 1, label], [2, 3, "B"]]}])
    text = piped("eval", gold, pred, "-m", "spans.exact", "--no-ci")
    row = next(line for line in text.splitlines() if line.startswith(label) and "%" in line)
    assert row.split() == [label, "1.0000", "0.5000", "0.6667", "2", "66.7", "%", "1"]
    narrow = piped("eval", gold, pred, "-m", "spans.exact", "--no-ci", COLUMNS="60")
    row = next(line for line in narrow.splitlines() if line.startswith("LLL"))
    assert re.fullmatch(r"L+…L+(   +\d\.\d{4}){3}", row)
    assert row.endswith("1.0000   0.5000   0.6667")
    assert "Left out to fit 60 columns: Support, Share, Predicted (a wider terminal or -f markdown has all)" in (
        " ".join(narrow.split())
    )
    target = tmp_path / "table.txt"
    piped("eval", gold, pred, "-m", "spans.exact", "--no-ci", "-o", target)
    assert target.read_text(encoding="utf-8") == text


def test_runs_keep_their_names_in_a_pipe(tmp_path: Path) -> None:
    """Two names of 64 characters stand above their columns, whole; so does every figure's own name."""
    gold = write(tmp_path / "gold.jsonl", [{"id": n, "spans": [[0, 1, "A"]]} for n in range(4)])
    files = [
        write(tmp_path / f"{letter * 58}.jsonl", [{"id": n, "spans": [[0, 1 + (n < 2), "A"]]} for n in range(4)])
        for letter in "ab"
    ]
    text = piped("compare", gold, *(f"{file.stem}={file}" for file in files), "-m", "spans.exact", "--trials", "5")
    heads = next(line for line in text.splitlines() if line.startswith("Figure"))
    assert heads.split() == ["Figure", "a" * 58, "b" * 58, "Difference", "Interval", "p", "Reading", "Shows"]
    assert re.search(r"^micro f1 +0\.5000 +0\.5000 +0\.0000 +\[0\.0000, 0\.0000\] +1\.0000 ", text, re.MULTILINE)


@pytest.mark.parametrize("given", ["", "0", "wide", "-3", "9" * 5000, "²"])
def test_columns_that_say_nothing(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = made("requirements")[0]
    monkeypatch.delenv("COLUMNS", raising=False)
    usual = found.table()
    monkeypatch.setenv("COLUMNS", given)
    assert found.table() == usual


def test_names_lose_their_middles() -> None:
    from spanscope.report.names import cut, shortened

    assert cut("abcdefghij", 10) == "abcdefghij"
    assert cut("abcdefghij", 7) == "abc…hij"
    assert cut("日本語日本語", 7) == "日…語"  # two columns each, so that a whole one more would be too wide
    assert cut("spans.iou(threshold=0.75)", 9) == "span…)"  # of 0.75 nothing rather than the 75
    assert cut("spans.iou(threshold=0.75)", 13) == "spans.…=0.75)"
    assert cut("1" * 30, 5) == "11…11"  # there is nothing else in it
    same = [f"run {letter} of the model" for letter in "abc"]
    assert list(shortened((name, 9) for name in same).values()) == ["run …odel", "run…2…del", "run…3…del"]
