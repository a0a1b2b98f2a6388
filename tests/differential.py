"""Every way that Spanscope reads and counts a corpus, and what comes out of each.

Each corpus goes through all ways that can hold it: a file of lines, a long one that is never held in memory, one
JSON value, Python objects, columns, Arrow, Parquet, blocks, totals, processes, files dealt by their ids, Spark.
What comes out must be the same everywhere: figures, intervals, counts, data problems, or the words of the refusal.
Only where a document stands is told differently (a line, a row, a place in a list), so places are numbers of
documents here.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from spanscope import Running
from spanscope.commands.evaluate import evaluate
from spanscope.data.problem_kinds import KINDS
from spanscope.engines import streaming
from spanscope.errors import SpanscopeError
from spanscope.io import line_blocks as blocks
from spanscope.io.spans.values import Unfit
from spanscope.settings.options import grouped
from tests.generated import NAMES, Corpus, Json

# What is said of files alone, or looked for where spans are in memory: not every way can have it.
APART = {"other order", "no row", *(name for name, kind in KINDS.items() if kind.plain)}
BOM = b"\xef\xbb\xbf"
PLACE = re.compile(r"\b(gold|pred)(?:(?:\.[a-z.]+)?:(\d+)|\[(\d+)\])")


# ---------------------------------------------------------------- written


def put_lines(made: Corpus, folder: Path) -> tuple[str, str]:
    """Write both sides as JSON Lines."""
    paths = []
    for side, documents in (("gold", made.gold), ("pred", made.pred)):
        lines = [json.dumps(one, ensure_ascii=made.seed % 2 == 0) for one in documents]
        if side == "gold" and made.broken is not None:
            lines[made.broken] = lines[made.broken][:-1]
        text = "".join(line + "\n" * (2 if made.blank and row % 3 == 0 else 1) for row, line in enumerate(lines))
        path = folder / f"{side}.jsonl"
        path.write_bytes((BOM if made.bom else b"") + text.encode())
        paths.append(str(path))
    return paths[0], paths[1]


def put_array(made: Corpus, folder: Path) -> tuple[str, str]:
    """Write both sides as one JSON value each, one document per line after the first."""
    paths = []
    for side, documents in (("gold", made.gold), ("pred", made.pred)):
        path = folder / f"{side}.json"
        text = "[\n" + ",\n".join(map(json.dumps, documents)) + "\n]"
        path.write_bytes((BOM if made.bom else b"") + text.encode())
        paths.append(str(path))
    return paths[0], paths[1]


def numbers_of_lines(made: Corpus, way: str, side: str) -> dict[int, int]:
    """Return the number of the document on every line that has one."""
    documents = made.gold if side == "gold" else made.pred
    if way == "array":
        return {row + 2: row for row in range(len(documents))}
    if way in ("arrow", "parquet") or not made.blank:
        return {row + 1: row for row in range(len(documents))}
    out, line = {}, 1
    for row in range(len(documents)):
        out[line] = row
        line += 2 if row % 3 == 0 else 1
    return out


def table(documents: Sequence[Json]) -> Any:
    """Return documents as an Arrow table; None where Arrow has no type for a column of theirs."""
    import pyarrow as pa

    try:
        names = list(dict.fromkeys(name for one in documents for name in one))
        return pa.table({name: pa.array([one.get(name) for one in documents]) for name in names})
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return None


def has_same_types(documents: Sequence[Json]) -> bool:
    """Tell whether a table can hold documents: there, a label that is null is the same as none."""
    spans = [span for one in documents for key in NAMES["spans"] for span in one.get(key) or ()]
    return not any(name in span and span[name] is None for span in spans for name in NAMES["label"])


# ---------------------------------------------------------------- what comes out


def outcome(made: Corpus, way: str, ask: Callable[[], Any]) -> Any:
    """Return what an evaluation says, with the numbers of documents for the places where they stand."""
    try:
        found = ask()
    except SpanscopeError as error:
        return type(error).__name__, _placed(made, way, str(error))
    number = {kind: n for kind, n in found.problems.number.items() if kind not in APART}
    first = {
        kind: sorted(_placed(made, way, case) for case in cases) if number[kind] <= len(cases) else len(cases)
        for kind, cases in found.problems.first.items()
        if kind in number
    }
    counts = {str(one): found.counts(str(one)) for one in found.settings.measures}
    return {
        "rows": [_figures(row) for row in found.rows],
        "counts": counts,
        "problems": dict(sorted(number.items())),
        "first": dict(sorted(first.items())),
        "documents": found.documents,
    }


def _figures(row: Any) -> tuple[Any, ...]:
    figures = (row.value, row.std, row.low, row.high)
    return row.measure, row.rate, row.average, row.label, *map(repr, figures), row.documents, row.undefined


def _placed(made: Corpus, way: str, text: str) -> str:
    def number(found: re.Match[str]) -> str:
        side, line, row = found.groups()
        if row is not None:
            return f"{side} {row}"
        return f"{side} {numbers_of_lines(made, way, side).get(int(line), line)}"

    text = re.sub(r"\S*/(?=(gold|pred)\.)", "", text)
    return re.sub(r"\b(gold|pred)\.[a-z.]+\b", r"\1", PLACE.sub(number, text))


def are_close(found: Any, expected: Any, *, intervals: bool) -> bool:
    """Tell whether totals agree as far as they have to (docs/scale.md says how far, and why)."""
    if isinstance(found, tuple) or isinstance(expected, tuple):
        return bool(found == expected)
    if {**found, "rows": []} != {**expected, "rows": []} or len(found["rows"]) != len(expected["rows"]):
        return False
    figures = slice(4, 8 if intervals else 6)  # value, standard deviation, low, high
    return all(
        one[:4] == other[:4] and one[8:] == other[8:] and all(map(_is_near, one[figures], other[figures]))
        for one, other in zip(found["rows"], expected["rows"], strict=True)
    )


def _is_near(one: str, other: str) -> bool:
    return one == other or ("None" not in (one, other) and math.isclose(float(one), float(other), abs_tol=1e-9))


def agree(made: Corpus, way: str, found: Any, expected: Any) -> bool:
    """Tell whether a way gives what reading both files whole gives."""
    if way == "spark":
        found, expected = without_places(found), without_places(expected)
        if isinstance(expected, tuple):  # it names documents by their ids, and of several wrong ones any
            return isinstance(found, tuple)
    if way == "totals":
        exact = "no ids" not in made.traits  # documents without ids are drawn by their places
        return are_close(found, expected, intervals=exact)
    if way == "blocks alone" and isinstance(expected, tuple):  # of several things wrong, it may name another one
        return isinstance(found, tuple)
    return bool(found == expected)


def without_places(found: Any) -> Any:
    """Return an outcome that does not say where documents stand, nor which of its names a label has there."""
    if isinstance(found, tuple):
        text = re.sub(r"\b(gold|pred)(:\w+| document '[^']*'| \d+|\[\d+\])", r"\1", found[1])
        return found[0], re.sub(r"\.(tag|type|entity_type) is", ".label is", text)
    return {key: value for key, value in found.items() if key != "first"}


# ---------------------------------------------------------------- the ways


def ways(made: Corpus, folder: Path) -> dict[str, Any]:
    """Return what every way makes of a corpus that can hold it."""
    lines = put_lines(made, folder)
    out = ways_of_lines(made, lines)
    with patch("spanscope.io.spans.reading.LARGE", 0), patch("spanscope.io.spans.lines.CHUNK", 150):
        out["stream"] = outcome(
            made, "lines", lambda: evaluate(*lines, run=Running(memory="spans"), **grouped(made.options))
        )
    if made.broken is None:
        array = put_array(made, folder)
        out["array"] = outcome(
            made, "array", lambda: evaluate(*array, run=Running(memory="spans"), **grouped(made.options))
        )
        out |= _tables(made, folder)
    return out


def ways_of_lines(made: Corpus, lines: tuple[str, str]) -> dict[str, Any]:
    """Return what comes of files of lines: read whole, in blocks, as totals; and of the same as objects.

    Objects are also read by the strict reader alone, which says what is accepted.
    """

    def ask(**how: Any) -> Any:
        return outcome(made, "lines", lambda: evaluate(*lines, **grouped(how), **grouped(made.options)))

    out = {"lines": ask(memory="spans")}
    with patch.object(blocks, "LINES", 3), patch.object(streaming, "ROOM", 400):
        out["blocks"], out["totals"] = ask(memory="counts"), ask(memory="totals")
        with patch.object(streaming, "AGAIN", 0):
            out["blocks alone"] = ask(memory="counts")
    if made.broken is None:
        out["objects"] = outcome(made, "objects", lambda: evaluate(made.gold, made.pred, **grouped(made.options)))
        with patch("spanscope.io.spans.objects._columns", side_effect=Unfit):
            strict = outcome(made, "objects", lambda: evaluate(made.gold, made.pred, **grouped(made.options)))
            out["strict"] = strict
    return out


def _tables(made: Corpus, folder: Path) -> dict[str, Any]:
    """Return what comes of tables: as they are in memory, and as Parquet."""
    import pyarrow.parquet as pq

    tables = [table(side) for side in (made.gold, made.pred)]
    if any(one is None or not one.num_columns for one in tables):
        return {}
    if not all(has_same_types(side) for side in (made.gold, made.pred)):
        return {}
    paths = []
    for side, one in zip(("gold", "pred"), tables, strict=True):
        pq.write_table(one, folder / f"{side}.parquet")
        paths.append(str(folder / f"{side}.parquet"))
    return {
        "arrow": outcome(made, "arrow", lambda: evaluate(*tables, **grouped(made.options))),
        "parquet": outcome(made, "parquet", lambda: evaluate(*paths, **grouped(made.options))),
    }


def flat(made: Corpus) -> Corpus | None:
    """Return what columns can hold of a corpus: spans of documents with ids, no texts; None where that is nothing.

    Documents without spans cannot be seen in columns, and a document that only one side has counts as empty on the
    other: so both sides get the same documents here, each with a span on one side at least.
    """
    sides = []
    for documents in (made.gold, made.pred):
        names = [_get(one, "id") for one in documents]
        if None in names or len(set(names)) < len(names):
            return None
        sides.append({name: _get(one, "spans") for name, one in zip(names, documents, strict=True)})
    names = [name for name in dict.fromkeys((*sides[0], *sides[1])) if any(side.get(name) for side in sides)]
    gold, pred = ([{"id": name, "spans": side.get(name) or []} for name in names] for side in sides)
    usual = {key: value for key, value in made.options.items() if key not in ("missing", "extra", "repeated")}
    out = Corpus(made.seed, gold, pred, usual, traits=made.traits)
    fit = all(has_same_types(side) and any(one["spans"] for one in side) for side in (gold, pred))
    return out if fit else None


def _get(document: Json, key: str) -> Any:
    return next((document[name] for name in NAMES[key] if document.get(name) is not None), None)


def ways_of_columns(made: Corpus, folder: Path) -> dict[str, Any]:
    """Return what columns, data frames and tables with one row per span make of a corpus that they can hold."""
    import pandas as pd
    import pyarrow.parquet as pq

    fit = flat(made)
    if fit is None:
        return {}
    columns = [_columns(side) for side in (fit.gold, fit.pred)]
    if not all({"start", "end"} <= set(one) or {"start_position", "end_position"} <= set(one) for one in columns):
        return {}
    out = {"objects": outcome(fit, "objects", lambda: evaluate(fit.gold, fit.pred, **grouped(fit.options)))}
    out["columns"] = outcome(fit, "objects", lambda: evaluate(*columns, **grouped(fit.options)))
    frames = [pd.DataFrame({name: pd.Series(own, dtype=object) for name, own in one.items()}) for one in columns]
    out["frames"] = outcome(fit, "objects", lambda: evaluate(*frames, **grouped(fit.options)))
    tables = [
        table([dict(zip(one, row, strict=True)) for row in zip(*one.values(), strict=True)]) for one in columns
    ]
    if None not in tables:
        for side, one in zip(("gold", "pred"), tables, strict=True):
            pq.write_table(one, folder / f"{side}.flat.parquet")
        paths = [str(folder / f"{side}.flat.parquet") for side in ("gold", "pred")]
        out["flat parquet"] = outcome(fit, "objects", lambda: evaluate(*paths, **grouped(fit.options)))
    return {way: without_places(found) for way, found in out.items()}


def _columns(documents: Sequence[Json]) -> dict[str, list[Any]]:
    """Return the spans of documents as columns, one row per span."""
    rows = [{"doc": one["id"], **span} for one in documents for span in one["spans"]]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name) for row in rows] for name in names}
