"""Every table in every width: a number is printed whole or not at all, and a row never without its name."""

import io
import json
import math
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

import spanscope
from spanscope.report import render, report_of, terminal
from spanscope.report.layout import LEGEND, table_lines
from spanscope.report.table import MAIN, Column, Mean, Table
from spanscope.report.wrapping import text_of
from tests.cli import GOLD, PRED, TRACES, environment, write

LONG = "Vertragsstrafenvereinbarungsklausel mit Rückwirkung und Haftungsausschluss Nr. 12.75"
LABELS = (LONG, "住所または居所の所在地に関する記載事項", "🏥 病院 🚑 emergency admission 2024", "A", "Main_actor")
WIDTHS = range(40, 201)


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


def damaged() -> list[dict[str, Any]]:
    """Return documents with spans that are repeated and empty, and one that gold lacks."""
    out = corpus(2, LABELS)
    for document in out[:9]:
        document["spans"] += [document["spans"][0], [7, 7, "A"]]
    return [*out[:-1], {"id": "another", "text": "x", "spans": []}]


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
        *(corpus(seed, tuple(f"{LONG} {at}" for at in range(120)), 60) for seed in (1, 2)),
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
        ci=spanscope.Ci(resamples=50),
        samples=2,
    ),
    "cuts": lambda: spanscope.agree(
        segmented(TRACES, "Gold"),
        segmented(TRACES, "Lines"),
        names=[LONG, "Lines"],
        ci=spanscope.Ci(resamples=50),
        samples=2,
    ),
    "check": lambda: spanscope.check(corpus(1, LABELS), damaged(), labels=LABELS[1:]),
    "plan": lambda: spanscope.plan(
        spanscope.evaluate(corpus(1, LABELS), corpus(2, LABELS), "spans.overlap", ci=False),
        detect=0.0213,
        expect=0.4,
        label=LONG,
    ),
}


# ---------------------------------------------------------------- tables hold the figures of the result


@cache
def reported(kind: str) -> tuple[Any, Any]:
    """Return what is shown, and its report, which is drawn in every width."""
    found = MADE[kind]()
    return found, report_of(found, worst=3)


def made(kind: str) -> tuple[Any, Sequence[Table]]:
    """Return what is shown, and its tables as data."""
    found, report = reported(kind)
    return found, report.tables


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def own_numbers(found: Any) -> set[float]:
    """Return every number that a result has."""
    if isinstance(found, list):
        kinds = [problem.kind for problem in found]
        return {float(sum(one.number for one in found if one.kind == kind)) for kind in kinds}
    if not hasattr(found, "to_dict"):
        return set(numbers([vars(found), found.found, found.smallest]))
    out = set(numbers(found.to_dict()))
    if isinstance(found, (spanscope.Result, spanscope.Panel)):
        out |= set(numbers(found.to_dict(documents=True)))
    if isinstance(found, spanscope.Result):
        out |= {rate.best for measure in found.measures for rate in found.settings.rates(measure)}
    if isinstance(found, spanscope.Panel):
        out |= set(found.consensus("f1", "segments.b_score").values())  # the one table that is not in the JSON
    return out


@pytest.mark.parametrize("kind", MADE)
def test_tables_hold_the_numbers_of_the_result(kind: str) -> None:
    """Not rounded, not made up: every figure of a table is one of the result, shares are of the column before."""
    found, tables = made(kind)
    own = own_numbers(found)
    for table in tables:
        for at, column in enumerate(table.columns):
            cells = [cell for cell in numbers([row[at] for row in table.rows]) if not math.isnan(cell)]
            if column.unit == "%":
                counts = [row[at - 1] for row in table.rows]
                of_all = {100 * part / sum(counts) for part in counts}  # type: ignore[arg-type]
                assert all(cell in of_all or any(math.isclose(cell, 100 * one) for one in own) for cell in cells)
            elif column.style == "count":  # of SemEval's measures gold is the sum of four columns
                assert all(cell == int(cell) for cell in cells)
            elif column.style not in ("bar", "place") and not column.names_row:
                assert not set(cells) - own, (table.title, column.name)


# ---------------------------------------------------------------- what is shown of them


@cache  # the same cells come in a hundred widths
def is_rounded(text: str, value: float, digits: int | None) -> bool:
    """Tell whether a text is the right rounding of a value: at most half a unit of its last digit away."""
    if math.isnan(value):
        return text == "–"
    if digits is None:
        return text == f"{value:g}"
    if not re.fullmatch(rf"[+-]?\d+\.\d{{{digits}}}" if digits else r"[+-]?\d+", text):
        return False
    return abs(Decimal(text) - Decimal(value)) <= Decimal(1) / 2 / 10**digits


def is_right(text: str, cell: Any, column: Column) -> bool:
    """Tell whether a cell is shown as it should be."""
    if cell is None:
        return text == column.missing
    if isinstance(cell, str):
        return text == cell
    if isinstance(cell, Mean):
        value, _, rest = text.partition(" ")
        std, _, n = rest.partition("(n=")
        known = (cell.std is None) == (not std.strip()) and n == (
            "" if cell.documents is None else f"{cell.documents})"
        )
        spread = not std.strip() or is_rounded(
            std.strip().removeprefix("±"), float(cell.std or 0.0), column.digits
        )
        undefined = value == "–" and math.isnan(cell.value)
        return undefined or (is_rounded(value, cell.value, column.digits) and spread and known)
    if isinstance(cell, tuple):
        if column.style == "place":
            return text == f"{cell[0]}..{cell[1]}"
        ends = text.removeprefix("[").removesuffix("]").split(", ")
        return text[0] + text[-1] == "[]" and all(
            is_rounded(end, value, column.digits) for end, value in zip(ends, cell, strict=True)
        )
    if isinstance(cell, int) or column.style == "count":
        return text == (str(cell) if column.style == "code" else f"{int(cell):,}")
    if column.style == "p" and text == "<0.0001":
        return cell < 0.0001
    unit = f" {column.unit}" if column.unit and text != "–" else ""
    return text.endswith(unit) and is_rounded(text.removesuffix(unit), cell, column.digits)


@cache
def is_name(shown: str, name: str) -> bool:
    """Tell whether a name is shown whole, or without its middle, and numbered where others would read alike."""
    start, gap, end = shown.partition("…")
    end = re.sub(r"^\d+…", "", end)
    whole = shown == name.strip()
    return whole or (bool(gap and start + end) and name.startswith(start) and name.endswith(end))


def name_of(cell: Any, column: Column) -> str:
    return cell if isinstance(cell, str) else f"{cell:.{column.digits}f}" if isinstance(cell, float) else str(cell)


def shown_columns(line: str, table: Table, names: list[int]) -> list[int]:
    """Return which columns stand below a line of heads, after those that name the rows."""
    heads = re.split(r"\s{3,}", line.strip())[len([at for at in names if table.columns[at].name]) :]
    out: list[int] = []
    for head in heads:
        after = out[-1] + 1 if out else 0
        fits = (
            at
            for at in range(after, len(table.columns))
            if at not in names and is_name(head.removesuffix("↓"), table.columns[at].name)
        )
        out.append(next(fits))
    return out


def check_part(lines: list[str], rule: int, table: Table, called: dict[str, str]) -> list[int]:
    """Check the rows below a rule against the cells of a table, and return the columns that were there."""
    names = [at for at, column in enumerate(table.columns) if column.names_row]
    columns = shown_columns(lines[rule - 1], table, names)
    below = lines[rule + 1 :]
    for row in table.rows:
        line = below.pop(0)
        cells = re.split(r"\s{3,}", line.strip().removeprefix("▸ "))
        if columns and table.columns[columns[-1]].style == "sentence":  # it may go on below
            while below and below[0][:8] == " " * 8:
                cells[-1] += " " + below.pop(0).strip()
            assert squeezed(cells.pop()) == squeezed(str(row[columns[-1]]))
        for shown, at in zip(cells, names, strict=False):
            name = name_of(row[at], table.columns[at])
            assert is_name(shown, name), (line, row)
            assert called.setdefault(shown, name) == name, f"{shown} is {name}, and {called[shown]}"
        for shown, at in zip(cells[len(names) :], columns, strict=False):
            bar = table.columns[at].style == "bar"
            assert set(shown) <= {"█"} if bar else is_right(shown, row[at], table.columns[at]), (line, row)
        drawn = [at for at in columns if table.columns[at].style not in ("bar", "sentence")]
        assert len(cells) - len(names) >= len(drawn), f"{line} lacks one of {len(drawn)} figures"
    return columns


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def check_table(table: Table, lines: list[str], rules: list[int], *, whole: bool) -> None:
    """Check all parts of a table: main columns are there, what is not is named below, and so are short names."""
    seen: set[int] = set()
    called: dict[str, str] = {}
    for rule in rules:
        seen |= set(check_part(lines, rule, table, called))
    text = " ".join(lines[rules[-1] + 1 + len(table.rows) :])
    figures = [at for at, one in enumerate(table.columns) if not one.names_row and one.style != "bar"]
    assert seen & set(figures)
    for at in set(figures) - seen:
        column = table.columns[at]
        assert not whole
        assert column.priority != MAIN
        assert squeezed(column.name) in squeezed(text).partition("Leftout")[2], column.name
    longest = min((column.longest for column in table.columns if column.longest), default=1000)
    short = [name for name, full in called.items() if name != full.strip() and cell_len(full) <= longest]
    for name in short if len(short) + len(table.columns) < LEGEND else []:
        assert f"{squeezed(name)}=" in squeezed(text)


def check(kind: str, text: str, width: int | None) -> None:
    """Check a report: nothing wider than it may be, all tables there, all rows of them whole."""
    tables = made(kind)[1]
    lines = text.splitlines()
    body = lines[:-1]  # the last line is to be copied
    wide = [line for line in body if width is not None and cell_len(line) > width]
    assert not wide, f"wider than {width}: {wide[:3]}"
    rules = [at for at, line in enumerate(lines) if line and set(line.strip()) == {"─"}]
    for table in tables:
        own = [rules.pop(0)]
        while (
            rules
            and len(own) < len(table.columns)
            and lines[own[-1] + len(table.rows) + 1 :][:1] == [""]
            and (rules[0] == own[-1] + len(table.rows) + 3)
        ):
            own.append(rules.pop(0))
        check_table(table, lines, own, whole=width is None)
    assert not rules


def on_terminal(report: Any, width: int) -> str:
    out = io.StringIO()
    terminal.show(report, Console(file=out, width=width, color_system=None))
    return out.getvalue()


@pytest.mark.parametrize("kind", MADE)
def test_tables_on_terminals(kind: str) -> None:
    for width in WIDTHS:
        check(kind, on_terminal(reported(kind)[1], width), width)


@pytest.mark.parametrize("kind", MADE)
def test_tables_in_as_many_columns_as_asked_for(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        check(kind, render(made(kind)[0], worst=3), width)


@pytest.mark.parametrize("kind", MADE)
def test_piped_tables_have_every_column(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    found, tables = made(kind)
    text = render(found, worst=3)
    check(kind, text, None)
    lines = text.splitlines()
    rules = [at for at, line in enumerate(lines) if line and set(line) == {"─"}]
    for at, table in zip(rules, tables, strict=True):
        heads = re.split(r"\s{3,}", lines[at - 1].strip())
        drawn = [one for one in table.columns if one.name and one.style != "bar"]
        assert [head.removesuffix("↓") for head in heads[: len(drawn)]] == [one.name for one in drawn]
    assert "Left out" not in text


@pytest.mark.parametrize("form", ["markdown", "latex", "json", "csv"])
@pytest.mark.parametrize("kind", MADE)
def test_every_kind_has_every_form(kind: str, form: str) -> None:
    found = made(kind)[0]
    text = render(found, form)
    assert text.endswith("\n")
    if form == "json":
        assert json.loads(text)
    if form == "latex":
        assert text.count(r"\midrule") == len(report_of(found).tables)


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
    assert row.split() == [label, "1.0000", "0.5000", "0.6667", "1", "0", "1", "2", "66.7", "%"]
    narrow = piped("eval", gold, pred, "-m", "spans.exact", "--no-ci", COLUMNS="60")
    row = next(line for line in narrow.splitlines() if line.startswith("LLL"))
    assert re.fullmatch(r"L+…L+(   +\d\.\d{4}){3}", row)
    assert row.endswith("1.0000   0.5000   0.6667")
    assert "Left out to fit 60 columns: TP, FP, FN, Support, Share (a wider terminal or -f markdown has all)" in (
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
    assert heads.split() == ["Figure", "a" * 58, "b" * 58, "Difference", "Interval", "p", "Verdict", "Detectable"]
    assert re.search(r"^▸ micro f1 +0\.5000 +0\.5000 +0\.0000 +– +1\.0000 ", text, re.MULTILINE)


@pytest.mark.parametrize("given", ["", "0", "wide", "-3", "9" * 5000, "²"])
def test_columns_that_say_nothing(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = made("requirements")[0]
    monkeypatch.delenv("COLUMNS", raising=False)
    usual = found.table()
    monkeypatch.setenv("COLUMNS", given)
    assert found.table() == usual


def test_names_lose_their_middles() -> None:
    from spanscope.report.names import cut_middle, shorten_names

    assert cut_middle("abcdefghij", 10) == "abcdefghij"
    assert cut_middle("abcdefghij", 7) == "abc…hij"
    assert cut_middle("日本語日本語", 7) == "日…語"  # two columns each, so that a whole one more would be too wide
    assert cut_middle("spans.iou(threshold=0.75)", 9) == "span…)"  # of 0.75 nothing rather than the 75
    assert cut_middle("spans.iou(threshold=0.75)", 13) == "spans.…=0.75)"
    assert cut_middle("1" * 30, 5) == "11…11"  # there is nothing else in it
    same = [f"run {letter} of the model" for letter in "abc"]
    assert list(shorten_names((name, 9) for name in same).values()) == ["run …odel", "run…2…del", "run…3…del"]


@pytest.mark.parametrize("room", [44, 60, math.inf])
def test_sentences_stay_in_their_columns(room: float) -> None:
    """A sentence that is no last column is broken within it, beside whatever stands to its right."""
    columns = (
        Column("Place", left=True, names_row=True),
        Column("Why", left=True, style="sentence", priority=MAIN),
        Column("Number", priority=MAIN),
    )
    why = "nothing like it stands in the text of this document, however long one looks"
    lines = [text_of(line) for line in table_lines(Table("Quotes", columns, [("a", why, 12)]), room, 110)]
    _, head, _, first, *more = lines
    at = head.index("Why")
    assert (first[0], first[-2:]) == ("a", "12")
    assert " ".join(line[at : head.index("Number")].strip() for line in (first, *more)).strip() == why
    assert all(not line[:at].strip() for line in more)
