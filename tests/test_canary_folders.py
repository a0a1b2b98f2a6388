"""As test_canary.py, for folders of files, tables and frames: what is in them stays in them."""

import gzip
import io
import json
import os
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import SpanscopeError
from tests.canaries import CANARY, GOLD_TAGS, TEXT, TOKENS, damaged_bytes, damaged_values
from tests.cli import run
from tests.more_canaries import GOLD, PRED, bdoc, brat, gate, uima, webanno, xmi
from tests.support import needs
from tests.test_canary import assert_silent, found_in

Files = dict[str, bytes]
Spans = list[dict[str, Any]]
POLICIES = ("masked", "none")
ALL = os.environ.get("SPANSCOPE_CANARIES") == "1"  # every damage, not a part of them


def stream(table: Any) -> bytes:
    """Return a table as save_to_disk writes it: Arrow's stream."""
    out = io.BytesIO()
    with needs("pyarrow").ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def parquet(rows: list[dict[str, Any]]) -> bytes:
    pa, out = needs("pyarrow"), io.BytesIO()
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


def saved(spans: Spans) -> Files:
    """Return a data set as save_to_disk of Hugging Face lays it out, with names of classes."""
    names = ["O", "B-NAME", "I-NAME", "B-PLACE"]
    tags = [names.index(tag) if len(spans) > 1 else 0 for tag in GOLD_TAGS]
    table = needs("pyarrow").Table.from_pylist([{"tokens": TOKENS, "ner_tags": tags}] * 2)
    kinds = {"feature": {"names": names, "_type": "ClassLabel"}, "_type": "Sequence"}
    words = {"feature": {"dtype": "string", "_type": "Value"}, "_type": "Sequence"}
    info = {"features": {"tokens": words, "ner_tags": kinds}, "description": TEXT}
    state = {"_data_files": [{"filename": "data-00000-of-00001.arrow"}], "_fingerprint": "1", "_split": "test"}
    return {
        "data-00000-of-00001.arrow": stream(table),
        "dataset_info.json": json.dumps(info).encode(),
        "state.json": json.dumps(state).encode(),
    }


def documents(spans: Spans) -> list[dict[str, Any]]:
    return [{"id": f"d{n}", "text": TEXT, "spans": spans, "note": CANARY} for n in range(2)]


def span_rows(spans: Spans) -> list[dict[str, Any]]:
    return [{"doc": "d0", **one, "text": TEXT[one["start"] : one["end"]], "note": CANARY} for one in spans]


def _lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def beir(spans: Spans) -> Files:
    """Return a folder of BEIR as gold, and a run as predictions."""
    if spans is not GOLD:
        return {"run.trec": b"q0 Q0 t0 1 0.5 x\nq1 Q0 t1 1 0.5 x\n"}
    return {
        "corpus.jsonl": _lines(*({"_id": f"t{n}", "title": CANARY, "text": TEXT} for n in range(2))),
        "queries.jsonl": _lines(*({"_id": f"q{n}", "text": f"Who is {CANARY}?"} for n in range(2))),
        "qrels/test.tsv": b"query-id\tcorpus-id\tscore\nq0\tt0\t1\nq1\tt0\t1\n",
    }


def legalbench(spans: Spans) -> Files:
    """Return a folder of LegalBench-RAG as gold, and passages as predictions."""
    place = {"file_path": "t.txt", "span": [8, 20]}
    asked = [{"query": f"Who is {CANARY} {n}?"} for n in range(2)]
    if spans is not GOLD:
        found = [{**place, "span": [0, 15]}]
        return {"found.jsonl": _lines(*({**one, "retrieved_passages": found} for one in asked))}
    tests = [{**one, "snippets": [{**place, "answer": TEXT[8:20]}]} for one in asked]
    return {"bench.json": json.dumps({"tests": tests}).encode(), "corpus/t.txt": TEXT.encode()}


FOLDERS: dict[str, Callable[[Spans], Files]] = {
    "beir": beir,
    "legalbench": legalbench,
    "uima": lambda spans: {"d0.json": uima(spans), "d1.json": uima(GOLD)},
    "gate": lambda spans: {"d0.xml": gate(spans), "d1.xml": gate(GOLD)},
    "webanno": lambda spans: {
        f"annotation/{name}/anna.tsv": webanno(GOLD_TAGS if tagged else ["O"] * 8)
        for name, tagged in (("d0", len(spans) > 1), ("d1", True))
    },
    "compressed lines": lambda spans: {"part-0.jsonl.gz": gzip.compress(_lines(*documents(spans)))},
    "bdoc": lambda spans: {"d0.bdocjs": bdoc(spans), "d1.bdocjs": bdoc(GOLD)},
    "xmi": lambda spans: {"d0.xmi": xmi(spans), "d1.xmi": xmi(GOLD), "TypeSystem.xml": f"<a>{TEXT}</a>".encode()},
    "brat": lambda spans: {"d0.txt": TEXT.encode(), "d0.ann": brat(spans)},
    "saved": saved,
    "documents in Parquet": lambda spans: {"part-0.parquet": parquet(documents(spans))},
    "spans in Parquet": lambda spans: {"part-0.parquet": parquet(span_rows(spans))},
}


def put(folder: Path, side: str, files: Files) -> str:
    for name, data in files.items():
        path = folder / side / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return str(folder / side)


def damaged(data: bytes) -> Iterator[bytes]:
    """Return one file damaged: at the level of its values where it is JSON, of its bytes where it is a text."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        yield from (data[: len(data) * share // 10] for share in (3, 6, 9))
        yield data + data
        yield data.replace(CANARY.encode(), CANARY[:3].encode() + b"\xff" + CANARY[4:].encode(), 1)
        return
    yield from islice(damaged_bytes(data), 0, None, 1 if ALL else 3)
    if text.startswith("{"):
        yield from islice(damaged_values(data), 0, None, 1 if ALL else 23)


@pytest.mark.parametrize("name", FOLDERS)
def test_no_folder_lets_a_canary_out(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    files = [put(tmp_path, side, FOLDERS[name](own)) for side, own in (("gold", GOLD), ("pred", PRED))]
    ended = []
    for number, asked in enumerate(
        (
            ["eval", *files, "--no-ci", "-f", "json", "--matches"],
            ["eval", *files, "--no-ci", "--html", str(out / "page.html"), "-o", str(out / "table.txt")],
            ["check", *files],
            ["agree", *files, "--no-ci"],
            ["convert", files[0], str(tmp_path / "converted.jsonl"), "--to", "spans", "--lossy"],
        )
    ):
        done = run(*asked, "--text", POLICIES[number % 2])
        ended.append(done.code)
        assert_silent(done, out, [], asked)
    assert ended[:2] == [0, 0]
    run("report", *files, "--no-ci", "-o", out / "full.html")
    listed = run("eval", *files, "--no-ci", "--examples", "9").out.encode()
    assert found_in(listed) or found_in((out / "full.html").read_bytes())  # there is something to hide


@pytest.mark.parametrize("name", FOLDERS)
def test_no_damaged_folder_lets_a_canary_out(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    whole = FOLDERS[name](GOLD)
    gold = put(tmp_path, "gold", whole)
    for number, (file, hurt) in enumerate((own, bad) for own in whole for bad in damaged(whole[own])):
        pred = put(tmp_path, "pred", {**whole, file: hurt})
        policy = POLICIES[number % 2]
        for asked in (["eval", gold, pred, "--no-ci"], ["check", pred])[: 1 + (number % 3 == 0)]:
            assert_silent(run(*asked, "--text", policy), out, [], (asked, file, hurt[:600]))


def objects() -> Iterator[tuple[str, Any]]:
    """Return objects of other libraries, and columns, whole and with something wrong."""
    spacy, datasets = needs("spacy"), needs("datasets")
    made = spacy.blank("en")(TEXT)
    made.ents = [made.char_span(one["start"], one["end"], one["label"], alignment_mode="expand") for one in GOLD]
    yield "spaCy", [made, made]
    yield "DocBin", spacy.tokens.DocBin(docs=[made, made], store_user_data=True)
    yield "a document too few", [made]
    yield "an object that is no document", [made, made[1:2]]
    for wrong in ("", "tokens", "ner_tags"):
        row = {"tokens": TOKENS, "ner_tags": GOLD_TAGS}
        yield f"data set {wrong}", datasets.Dataset.from_list([{key: row[key] for key in row if key != wrong}] * 2)
    yield "a tag too many", datasets.Dataset.from_list([{**row, "ner_tags": [*GOLD_TAGS, "O"]}] * 2)
    rows = span_rows(GOLD)
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    yield "columns", columns
    for wrong in columns:
        yield f"columns without {wrong}", {key: own for key, own in columns.items() if key != wrong}
        if wrong not in ("doc", "label"):
            yield f"columns with another {wrong}", {**columns, wrong: [CANARY] * len(rows)}
            yield f"columns with a short {wrong}", {**columns, wrong: [TEXT]}


def frames() -> Iterator[tuple[str, Any]]:
    """Return rows as frames of every library: spans, and documents, whole and with a column that is wrong."""
    pandas, polars, pa = needs("pandas"), needs("polars"), needs("pyarrow")
    for rows in (span_rows(GOLD), documents(GOLD)):
        for wrong in ("", *rows[0]):
            kept = [{key: own for key, own in row.items() if key != wrong} for row in rows]
            words = [{**row, wrong: CANARY} if wrong not in ("", "doc", "id", "label") else row for row in rows]
            for made in (kept, words):
                yield f"pandas {wrong}", pandas.DataFrame(made)
                yield f"polars {wrong}", polars.DataFrame(made)
                yield f"arrow {wrong}", pa.Table.from_pylist(made)


@pytest.mark.parametrize("policy", POLICIES)
def test_no_frame_lets_a_canary_out(policy: Any, tmp_path: Path) -> None:
    gold, read = documents(GOLD), 0
    for name, frame in chain(frames(), objects()):
        for sides in ((gold, frame), (frame, frame)):
            try:
                found = spanscope.evaluate(*sides, text=policy, ci=False)
            except SpanscopeError as error:
                said = [str(error), repr(error)]
            else:
                read += 1
                said = [repr(found), found.table(), found.table("json"), repr(found.problems), found._repr_html_()]
            assert not any(found_in(one.encode()) for one in said), (name, said)
    assert read > 12
