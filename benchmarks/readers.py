"""Other readers of the same JSON Lines, beside msgspec decoding the spans and dropping them.

    pip install duckdb pyarrow
    python benchmarks/readers.py                   # 200,000 documents, about a minute

What is not installed is skipped, and said. At the end each reader is given a span whose values have wrong types:
what it makes of it decides, not only how fast it is.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from clock import environment, load_average, table
from corpus import span_corpus
from spans import floor

ODD = '{"id": "d", "text": "abc def", "spans": [{"label": 5, "start": "1", "end": 2.7, "text": "b"}]}\n'
STRUCT = 'STRUCT(label VARCHAR, start BIGINT, "end" BIGINT, "text" VARCHAR)[]'
Read = Callable[[Path], Any]


def by_msgspec(path: Path) -> Any:
    """Read one file as Spanscope does."""
    from spanscope.io.reading import read

    return read(path, name="gold").spans


def by_duckdb(module: Any) -> Read:
    """Explode spans into rows on one thread, and compare each text with its document in SQL."""
    connection = module.connect()
    connection.execute("SET threads=1")

    def work(path: Path) -> Any:
        rows = f"""read_json('{path}', format='newline_delimited',
            columns={{id: 'VARCHAR', "text": 'VARCHAR', spans: '{STRUCT}'}})"""
        each = f'SELECT row_number() OVER () AS doc, "text" AS whole, unnest(spans) AS s FROM {rows}'
        text = 'substr(whole, s.start + 1, s."end" - s.start) = s."text"'
        return connection.sql(
            f'SELECT doc, s.label, s.start, s."end", {text} AS agrees FROM ({each})'
        ).fetchnumpy()

    return work


def by_pyarrow(pa: Any, threads: bool) -> Read:
    """Read lists of structs, whose types are said beforehand."""
    pj = import_module("pyarrow.json")
    span = pa.struct([("label", pa.string()), ("start", pa.int64()), ("end", pa.int64()), ("text", pa.string())])
    schema = pa.schema([("id", pa.string()), ("text", pa.string()), ("spans", pa.list_(span))])
    read = pj.ReadOptions(use_threads=threads, block_size=1 << 22)
    parse = pj.ParseOptions(explicit_schema=schema)
    return lambda path: pj.read_json(path, read_options=read, parse_options=parse)


def readers() -> dict[str, Read]:
    """Return the readers that are installed."""
    out: dict[str, Read] = {"spanscope: columns, every text checked": by_msgspec}
    try:
        out["duckdb, one thread: columns, texts compared"] = by_duckdb(import_module("duckdb"))
    except ImportError:
        print("duckdb is not installed")
    try:
        pa = import_module("pyarrow")
        out |= {f"pyarrow, {how}: lists": by_pyarrow(pa, how != "one thread") for how in ("one thread", "threads")}
    except ImportError:
        print("pyarrow is not installed")
    return out


def all_of(read: Read, paths: list[Path]) -> list[Any]:
    """Read files one after the other."""
    return [read(path) for path in paths]


def made_of(read: Read, path: Path) -> str:
    """Return what a reader makes of the odd line, or what it says of it."""
    try:
        found = read(path)
        return str(found.to_pylist() if hasattr(found, "to_pylist") else found)
    except Exception as error:
        return f"refuses: {str(error).splitlines()[0]}"


def main() -> int:
    """Time all readers in turn, the best of several rounds, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=200_000, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="the best of N rounds counts (5)")
    args = parser.parse_args()
    folder = span_corpus(args.documents).folder
    print(", ".join(f"{name} {value}" for name, value in environment(["msgspec", "duckdb", "pyarrow"]).items()))
    found = readers()
    both = [folder / f"{side}.jsonl" for side in ("gold", "pred")]
    work: dict[str, Callable[[], Any]] = {"floor: msgspec, spans decoded and dropped": floor(folder).work}
    work |= {name: partial(all_of, read, both) for name, read in found.items()}
    best = dict.fromkeys(work, float("inf"))
    for _ in range(args.rounds):
        for name, one in work.items():
            start = time.perf_counter()
            one()
            best[name] = min(best[name], time.perf_counter() - start)
    least = next(iter(best.values()))
    rows = [[name, f"{seconds:.3f}", f"{seconds / least:.2f}"] for name, seconds in best.items()]
    print(table(["reader", "seconds", "time / floor"], rows, words=1))
    with tempfile.TemporaryDirectory() as room:
        odd = Path(room, "odd.jsonl")
        odd.write_text(ODD, encoding="utf-8")
        for name, read in found.items():
            print(f"{name}\n    {made_of(read, odd)}")
    print(f"load after {load_average()}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
