"""The forms of a result: JSON and its schema, tables, data frames, the signature."""

import io
import json
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

import spanscope
from spanscope import Result
from spanscope.errors import MeasureError
from spanscope.measures.registry import Measure, parse
from spanscope.report import report_of, terminal
from spanscope.report.names import visible, width
from spanscope.report.wrapping import wrap
from tests.cli import GOLD, PRED, TRACES
from tests.results.test_result import MATCHING, Sides
from tests.strategies import corpora
from tests.support import NAMES, Json, documents, measures_of, needs

SCHEMA = json.loads((files("spanscope.results") / "schemas" / "result-1.json").read_text())
VALID = jsonschema.Draft202012Validator(SCHEMA)


def strict(text: str) -> Any:
    """Decode JSON, refusing what is not JSON."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture(scope="module")
def example() -> Result:
    return spanscope.evaluate(str(GOLD), str(PRED))


def test_pandas(example: Result) -> None:
    needs("pandas")
    frame = example.to_pandas()
    assert list(frame.columns) == list(asdict(example.rows[0]))
    assert len(frame) == len(example.rows)
    first = frame[(frame.rate == "f1") & (frame.average == "micro")].iloc[0]
    assert first.value == example.value()


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "json"])
def test_tables(example: Result, form: str) -> None:
    text = example.table(form)
    assert text.endswith("\n")
    assert ("0.7446" if form not in ("csv", "json") else str(example.value())) in text
    assert "nan" not in text.lower().replace("finance", "")
    assert str(example) == example.table()


STRANGE = ("a|b", "[red]x[/red]", "[/]", "x\ny", "100%_&{}~^\\", "\x1b[31mred")


@pytest.fixture(scope="module")
def strange() -> Result:
    spans = [[at, at + 1, label] for at, label in enumerate(STRANGE)]
    same = [{"id": "[b]|", "spans": spans}]
    return spanscope.evaluate(same, same, "spans.exact", meta={"[x]": "[/y]"})


def test_strange_labels_in_tables(strange: Result) -> None:
    """Labels are shown as they are: no mark-up, no escape sequence that a terminal would obey."""
    text = strange.table(examples=3)
    assert "[red]x[/red]" in text
    assert "\x1b" not in text


def test_strange_labels_in_latex(strange: Result) -> None:
    r"""A row is one line, and does not start with a bracket: after \\ that would be an argument."""
    lines = [line.strip() for line in strange.table("latex").splitlines()]
    assert [line for line in lines if line and line[0] not in "%\\" and not line.endswith("\\\\")] == []
    assert [line for line in lines if line.startswith("[")] == []


def test_strange_labels_in_markdown(strange: Result) -> None:
    text = strange.table("markdown")
    assert all(line.endswith(" |") for line in text.splitlines() if line.startswith("|"))
    assert "| a\\|b |" in text
    assert "(1 document, 6 spans)" in text


def test_unknown_form(example: Result) -> None:
    with pytest.raises(MeasureError, match=r"no format is called 'tabel'; did you mean 'table'\?"):
        example.table("tabel")


@given(corpora(), st.lists(st.sampled_from(MATCHING), max_size=2), st.sampled_from([None, 0, 1]))
def test_json_is_valid(sides: Sides, measures: list[Measure], undefined: Any) -> None:
    result = spanscope.evaluate(
        *sides, measures or None, score=spanscope.Scoring(undefined=undefined, beta=2), meta={"model": "é"}
    )
    data = strict(result.to_json(matches=True, documents=True))
    VALID.validate(data)
    assert data == strict(json.dumps(result.to_dict(matches=True, documents=True)))


def segmented(source: Path, name: str) -> list[Any]:
    """Return the documents of the example traces with one of their segmentations."""
    lines = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    return [{"id": one["id"], "text": one["text"], "segments": one["segmentations"][name]} for one in lines]


def sides_of(protocol: str) -> tuple[Any, Any]:
    """Return a small corpus that a protocol is for."""
    if protocol in ("segments", "rt-seg"):
        return segmented(TRACES, "Gold"), segmented(TRACES, "Lines")
    if protocol in ("tokens", "presidio", "conll2003", "seqeval", "seqeval-strict"):
        return [{"tokens": ["a", "b"], "tags": ["B-X", "I-X"]}], [{"tokens": ["a", "b"], "tags": ["B-X", "O"]}]
    if protocol in ("passages", "legal", "legalbench-rag", "chroma", "squad", "squad2", "trec"):
        passage = {"text": "a b", "file_path": "f", "span": [0, 3], "id": "d"}
        return [{"query": "q", "snippets": [passage]}], [{"query": "q", "retrieved_passages": [passage]}]
    return str(GOLD), str(PRED)


@pytest.mark.parametrize("protocol", spanscope.PROTOCOLS)
def test_json_of_protocols(protocol: str) -> None:
    result = spanscope.evaluate(*sides_of(protocol), protocol=protocol)
    VALID.validate(strict(result.to_json(matches=True, documents=True)))
    if result.comparison.tokens:
        return  # a list without documents does not show that tokens are meant
    empty = spanscope.evaluate([], [], protocol=protocol)
    VALID.validate(strict(empty.to_json(matches=True, documents=True)))


# ---------------------------------------------------------------- sentences without rich

WIDE = st.text(st.sampled_from([*"aZ  [](){}<>:\\/|-–·█éß中👍\u0301\u200b"]), max_size=200)


@given(WIDE, st.integers(20, 60))
def test_sentences_are_broken_where_rich_breaks_them(text: str, room: int) -> None:
    text = visible(text)
    want = Text(text.lstrip(" ")).wrap(Console(width=room), room - (len(text) - len(text.lstrip(" "))))
    if len(text) - len(text.lstrip(" ")) < room // 2 and text.strip(" "):
        found = ["".join(part for part, _ in line).strip() for line in wrap([(text, "")], room)]
        assert found == [line.plain.strip() for line in want]
        assert all(width(line) <= room for line in found)


def on_a_terminal(result: Result, **options: Any) -> str:
    """Return what a terminal as wide as a page shows, without trailing blanks."""
    out = io.StringIO()
    terminal.show(report_of(result, **options), Console(file=out, width=110, color_system=None))
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


@pytest.mark.parametrize("protocol", spanscope.PROTOCOLS)
@pytest.mark.parametrize("digits", [0, 4, 12])
def test_plain_tables_are_those_of_terminals(protocol: str, digits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "110")
    for meta in ({}, {"model": "m  ", "a long key it is": " x[b] :smile: \\"}, {"": ""}, {"name": "é" * 120}):
        result = spanscope.evaluate(*sides_of(protocol), protocol=protocol, ci=digits == 4, meta=meta)
        plain = result.table(digits=digits, worst=2)
        assert plain == on_a_terminal(result, digits=digits, worst=2)


LABELS = st.text(st.sampled_from([*"aZ [](){}<>:\\/|-–·█\t\n\x1béß中👍\u0301\u200b"]), min_size=1, max_size=60)


@given(st.lists(LABELS.filter(lambda label: label != "*"), min_size=1, max_size=4, unique=True))
def test_plain_tables_with_any_label(labels: list[str]) -> None:
    gold, pred = (
        [{"id": 1, "spans": [[at, at + 1, one] for at, one in enumerate(own)]}] for own in (labels, labels[::-1])
    )
    result = spanscope.evaluate(gold, pred, ["spans.exact", "spans.overlap"], labels=labels)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "110")
        assert result.table(worst=1) == on_a_terminal(result, worst=1)


def test_html_of_notebooks(example: Result) -> None:
    """Every table is there, a figure as in the others, and what a label says is no mark-up."""
    page = example._repr_html_()
    assert page.count("<table>") == example.table("latex").count(r"\begin{table}")
    assert f">{example.value():.4f}</td>" in page
    same = [{"id": 1, "spans": [[0, 1, "<b>&x"]]}]
    assert "&lt;b&gt;&amp;x" in spanscope.evaluate(same, same, "spans.exact")._repr_html_()


def test_what_was_said_of_passages_and_what_gold_is_are_in_the_schema() -> None:
    gold = [{"query": "q", "snippets": [{"answer": "x"}]}]
    found = [{"query": "q", "retrieved_passages": [{"text": "x", "score": 1}]}]
    result = spanscope.evaluate(
        gold,
        found,
        "passages.ranking",
        score=spanscope.Scoring(join="texts"),
        read=spanscope.Reading(scores="distances"),
    )
    data = strict(result.to_json(kept=True))
    VALID.validate(data)
    assert (data["settings"]["join"], data["settings"]["scores"]) == ("texts", "distances")
    assert data["kept"]["gold"] == result.gold_content


def test_the_schema_is_strict(example: Result) -> None:
    """Every object in the schema says what else it may hold, every field is described in one line."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert not VALID.is_valid({**example.to_dict(), "more": 1})

    def walk(schema: Json) -> None:
        if "properties" in schema:
            assert "additionalProperties" in schema
            for name, field in schema["properties"].items():
                assert 0 < len(field.get("description", "")) < 110, name
                assert "\n" not in field["description"]
        for value in [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]:
            walk(value)
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                walk(schema[key])

    walk(SCHEMA)


def test_json_twice(example: Result) -> None:
    """The same input gives the same bytes, timings apart."""
    again = spanscope.evaluate(str(GOLD), str(PRED))
    texts = []
    for result in (example, again):
        data = strict(result.to_json(matches=True, documents=True))
        assert set(data.pop("timings")) == {"read", "join", "count", "rate"}
        texts.append(json.dumps(data))
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", NAMES)
def test_signatures_parse_back(name: str) -> None:
    version = spanscope.__version__
    for measure in measures_of(name):
        same = documents("A[0,1]", text="ab")
        result = spanscope.evaluate(same, same, [measure])
        first, *rest = result.signature().split("|")
        assert parse(first) == measure
        assert rest[0] == "avg:micro"
        assert rest[-2:] == ["docs:1", f"spanscope:{version}"]
        assert "\n" not in result.signature()


def test_signature_says_what_moves_a_figure() -> None:
    gold = documents("A[0,1]", "B[0,1]")
    result = spanscope.evaluate(
        gold, gold[:1], "spans.exact", labels=["A"], missing="empty", score=spanscope.Scoring(undefined=0)
    )
    assert result.signature(average="macro") == (
        "spans.exact(duplicates=list)|avg:macro|labels:A|docs:2|ci:bootstrap,wilson,1000,level:0.95,seed:0"
        "|undefined:0|missing:empty"
        f"|spanscope:{spanscope.__version__}"
    )
