"""Texts of documents in a source of their own, beside tables with one row per span."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import spanscope
from spanscope import InputError, MeasureError, Reading, Running, source
from tests.cli import jsonl, refused, run, write

TEXTS = {"d1": "😀 Ann met Bob", "d2": "nobody", "d3": "Eve"}  # the second has no row
ROWS = [
    {"doc": "d1", "start": 2, "end": 5, "label": "PER", "text": "Ann"},
    {"doc": "d3", "start": 0, "end": 3, "label": "PER", "text": "Eve"},
    {"doc": "d1", "start": 10, "end": 13, "label": "PER", "text": "Bob"},
]
WANTED = [
    {
        "id": "d1",
        "text": TEXTS["d1"],
        "spans": [{"start": 2, "end": 5, "label": "PER"}, {"start": 10, "end": 13, "label": "PER"}],
    },
    {"id": "d2", "text": TEXTS["d2"], "spans": []},
    {"id": "d3", "text": TEXTS["d3"], "spans": [{"start": 0, "end": 3, "label": "PER"}]},
]
DOCUMENTS = [{"id": key, "text": text} for key, text in TEXTS.items()]


def table(rows: list[dict[str, Any]] = ROWS) -> str:
    names = list(rows[0])
    return "\n".join([",".join(names), *(",".join(str(row[name]) for name in names) for row in rows)]) + "\n"


def moved(rows: list[dict[str, Any]] = ROWS) -> list[dict[str, Any]]:
    """Return rows whose offsets are in UTF-16 units: those behind the emoji are one farther."""
    return [row | {key: row[key] + (row["doc"] == "d1") for key in ("start", "end")} for row in rows]


def folder(at: Path) -> Path:
    at.mkdir()
    for key, text in TEXTS.items():
        write(at / f"{key}.txt", text)
    return at


FORMS: dict[str, Callable[[Path], Any]] = {
    "mapping": lambda _: TEXTS,
    "documents": lambda _: DOCUMENTS,
    "frame": lambda _: pd.DataFrame(DOCUMENTS),
    "lines": lambda at: write(at / "t.jsonl", jsonl(DOCUMENTS)),
    "json": lambda at: write(at / "t.json", json.dumps({"documents": DOCUMENTS})),
    "csv": lambda at: write(at / "t.csv", "Doc ID;full_text\n" + "".join(f"{k};{t}\n" for k, t in TEXTS.items())),
    "folder": lambda at: folder(at / "t"),
}
TABLES: dict[str, Callable[[Path], Any]] = {
    "csv": lambda at: write(at / "spans.csv", table()),
    "pandas": lambda _: pd.DataFrame(ROWS),
    "polars": lambda _: pl.DataFrame(ROWS),
    "arrow": lambda _: pl.DataFrame(ROWS).to_arrow(),
    "columns": lambda _: {key: [row[key] for row in ROWS] for key in ROWS[0]},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", TABLES)
def test_every_document_of_the_texts_is_there_with_its_text(kind: str, form: str, tmp_path: Path) -> None:
    corpus = spanscope.read(TABLES[kind](tmp_path), texts=FORMS[form](tmp_path))
    assert corpus.to_dicts() == WANTED
    told = [one for one in corpus.problems if one.kind == "texts beside"]
    assert [(one.values["all"], one.values["empty"]) for one in told] == [(3, 1)]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_units_of_offsets_are_those_of_the_texts(kind: str, tmp_path: Path) -> None:
    spans = write(tmp_path / "u.csv", table(moved()))
    if kind == "parquet":
        pl.DataFrame(moved()).write_parquet(spans := tmp_path / "u.parquet")
    texts = write(tmp_path / "t.jsonl", jsonl(DOCUMENTS))
    assert spanscope.read(spans, texts=texts, offsets="utf16").to_dicts() == WANTED
    assert "--offsets utf16" in refused(run("eval", spans, spans, "--texts", texts))
    assert "--texts FILE" in refused(run("eval", spans, spans, "--offsets", "utf16"))


def test_documents_without_rows_count(tmp_path: Path) -> None:
    """Of three documents one is right, one half right (F1 2/3), and one is empty on both sides."""
    gold, pred = write(tmp_path / "g.csv", table()), write(tmp_path / "p.csv", table(ROWS[:2]))
    texts = write(tmp_path / "t.jsonl", jsonl(DOCUMENTS))
    result = spanscope.evaluate(gold, pred, "spans.exact", read=Reading(texts=str(texts)), ci=False)
    assert [one.documents for one in result.inputs] == [3, 3]
    assert result.value("f1", average="document") == pytest.approx(
        (1 + 1 + 2 / 3) / 3
    )  # nothing found where nothing is: 1
    assert f"|texts:{texts}|" in result.signature()
    done = run("eval", gold, pred, "--texts", texts, "--no-ci", "-m", "spans.exact", "-f", "json")
    assert json.loads(done.out)["settings"]["texts"] == str(texts)
    assert run("check", gold, gold, "--texts", texts).code == 0
    assert run("agree", gold, pred, "--texts", texts, "-m", "f1").code == 0


def test_one_side_has_texts_of_its_own(tmp_path: Path) -> None:
    gold = write(tmp_path / "g.jsonl", jsonl(WANTED))
    result = spanscope.evaluate(gold, source(pd.DataFrame(moved()), texts=TEXTS, offsets="utf16"), ci=False)
    assert result.value("f1", "spans.exact") == 1.0
    assert "pred_texts:in memory" in result.signature()
    pred, texts = write(tmp_path / "p.csv", table()), write(tmp_path / "t.jsonl", jsonl(DOCUMENTS))
    assert "--gold-texts FILE or --pred-texts FILE" in refused(run("eval", gold, pred, "--texts", texts))
    assert run("eval", gold, pred, "--pred-texts", texts, "--no-ci").code == 0


def test_no_output_replaces_the_texts(tmp_path: Path) -> None:
    spans, texts = write(tmp_path / "s.csv", table()), write(tmp_path / "t.jsonl", jsonl(DOCUMENTS))
    commands = [
        ("convert", spans, texts),
        ("eval", spans, spans, "-o", texts),
        ("agree", spans, spans, "-o", texts),
    ]
    for command in commands:
        refused(run(*command, "--texts", texts))
    assert texts.read_text(encoding="utf-8") == jsonl(DOCUMENTS)


def test_a_configuration_names_the_texts_beside_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spans, _ = write(tmp_path / "s.csv", table()), write(tmp_path / "t.jsonl", jsonl(DOCUMENTS))
    config = write(tmp_path / "spanscope.toml", 'texts = "t.jsonl"\n')
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    done = run("eval", spans, spans, "--config", config, "--no-ci", "-f", "json")
    assert json.loads(done.out)["inputs"]["gold"]["documents"] == len(TEXTS)


def test_conversions_have_the_texts(tmp_path: Path) -> None:
    spans, out = write(tmp_path / "s.csv", table()), tmp_path / "out.jsonl"
    assert run("convert", spans, out, "--texts", folder(tmp_path / "t")).code == 0
    assert [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] == WANTED


def test_rows_may_call_documents_by_the_whole_names_of_their_files(tmp_path: Path) -> None:
    rows = [row | {"doc": f"{row['doc']}.txt"} for row in ROWS]
    found = spanscope.read(write(tmp_path / "s.csv", table(rows)), texts=folder(tmp_path / "t")).to_dicts()
    assert found == [{**one, "id": f"{one['id']}.txt"} for one in WANTED]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (DOCUMENTS[:2], "s.csv:3: no text has the id 'd3'"),
        ([*DOCUMENTS, DOCUMENTS[0]], "texts[3]: the id 'd1' is repeated"),
        ([{"id": 1}], "texts[0]: the document has no text"),
        ([{"text": "a"}], "texts[0]: the document has no id"),
        (pd.DataFrame(ROWS), "the rows are spans"),
        (7, "the texts are 7"),
    ],
)
def test_texts_that_do_not_fit_are_refused(texts: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        spanscope.read(write(tmp_path / "s.csv", table()), texts=texts)
    assert said in str(caught.value)


def test_where_texts_mean_nothing(tmp_path: Path) -> None:
    spans = write(tmp_path / "s.csv", table())
    own = write(tmp_path / "own.csv", table([row | {"text": TEXTS[row["doc"]]} for row in ROWS]))
    with pytest.raises(InputError, match="the rows have the texts of their documents"):
        spanscope.read(own, texts=TEXTS)
    with pytest.raises(InputError, match="in the documents themselves"):
        spanscope.read(WANTED, texts=TEXTS)
    with pytest.raises(MeasureError, match="texts of documents has no effect on sources in the format doccano"):
        spanscope.read([{"text": "Ann", "label": [[0, 3, "PER"]]}], texts=TEXTS)
    (tmp_path / "two").mkdir()
    for name in "ab":
        write(tmp_path / f"two/{name}.csv", spans.read_text(encoding="utf-8"))
    with pytest.raises(InputError, match="holds 2 files, and texts would make all documents those of each"):
        spanscope.read(tmp_path / "two", texts=TEXTS)
    pl.DataFrame(ROWS).write_parquet(parts := tmp_path / "s.parquet")
    with pytest.raises(InputError, match="read whole, and not by several processes"):
        spanscope.evaluate(parts, parts, "spans.exact", read=Reading(texts=TEXTS), run=Running(jobs=2))
    totals = spanscope.evaluate(
        parts, parts, "spans.exact", read=Reading(texts=TEXTS), run=Running(memory="totals"), ci=False
    )
    assert totals.counts() == {"PER": {"tp": 3, "pred": 3, "gold": 3}}
