"""Damage tables at random and read each: prints a line of JSON for every outcome that is none of ours.

    python tests/io/damaged_tables.py SEED NUMBER

Each reading is a command in a process of its own, forked from this one, which may end with 0, 1 or 2 only.
"""

import io
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import feather

import spanscope.cli
import spanscope.commands.check
import spanscope.commands.evaluate

WORDS = ("Alice", "Bob", "went", "to", "Paris", "é", "the")
Json = dict[str, Any]


def documents(draw: random.Random) -> list[Json]:
    out = []
    for row in range(12):
        text = " ".join(draw.choice(WORDS) for _ in range(10))
        starts = [draw.randrange(len(text) - 3) for _ in range(3)]
        spans = [
            {"start": at, "end": at + 2, "label": draw.choice(["PER", "LOC"]), "text": text[at : at + 2]}
            for at in starts
        ]
        out.append({"id": f"d{row}", "text": text, "spans": spans})
    return out


def tables(draw: random.Random) -> list[Any]:
    """Return rows of documents, rows of spans, and these with a dictionary of labels."""
    own = documents(draw)
    flat = pa.Table.from_pylist([{"doc": one["id"], **span} for one in own for span in one["spans"]])
    coded = flat.set_column(3, "label", flat["label"].combine_chunks().dictionary_encode())
    return [pa.Table.from_pylist(own), flat, coded]


def written(table: Any) -> dict[str, bytes]:
    """Return the table in every form of file."""
    out = {}
    for name, options in (("plain", {"use_dictionary": False, "compression": "NONE"}), ("coded", {})):
        file = io.BytesIO()
        pq.write_table(table, file, **options)
        out[f"{name}.parquet"] = file.getvalue()
    for name in ("lz4", "uncompressed"):
        file = io.BytesIO()
        feather.write_feather(table, file, compression=name)
        out[f"{name}.feather"] = file.getvalue()
    file = io.BytesIO()
    with pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)
    return {**out, "stream.arrow": file.getvalue()}


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Return the bytes with some changed, a piece twice, a piece of zeros, or without their end."""
    out, at = bytearray(data), draw.randrange(len(data))
    kind = draw.choice(["change"] * 5 + ["cut", "twice", "zeros"])
    piece = bytes(out[at : at + draw.randrange(1, 64)])
    if kind == "change":
        for _ in range(draw.choice([1, 1, 2, 4])):
            out[draw.randrange(len(out))] = draw.choice([0, 255, draw.randrange(256)])
    elif kind == "cut":
        del out[at:]
    else:
        out[at : at + (len(piece) if kind == "zeros" else 0)] = piece if kind == "twice" else bytes(len(piece))
    return bytes(out)


def ended(command: list[str], said: Path) -> tuple[int, str]:
    """Return how a command ends in a process of its own, and what it says."""
    child = os.fork()
    if child == 0:
        for stream, path in ((1, os.devnull), (2, str(said))):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
        sys.argv = ["spanscope", *command]
        try:
            spanscope.cli.main()
        except SystemExit as stop:
            sys.stderr.flush()
            os._exit(stop.code if isinstance(stop.code, int) else 99)
        os._exit(98)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), said.read_text(encoding="utf-8", errors="replace")


def main(seed: int, number: int) -> None:
    draw = random.Random(seed)
    files = [(name, data) for table in tables(draw) for name, data in written(table).items()]
    with tempfile.TemporaryDirectory() as folder:
        for at in range(number):
            name, data = files[at % len(files)]
            good, bad = Path(folder, f"good.{name}"), Path(folder, f"bad.{name}")
            good.write_bytes(data)
            bad.write_bytes(damaged(data, draw))
            command = ["eval", str(bad), str(good), "--no-ci"] if at % 2 else ["check", str(bad)]
            code, said = ended(command, Path(folder, "said"))
            if (
                code not in (0, 1, 2)
                or "internal error" in said
                or "Traceback" in said
                or (code == 2 and not said)
            ):
                print(json.dumps({"at": at, "file": name, "code": code, "said": said[:300]}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
