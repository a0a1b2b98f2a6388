"""What several test modules need: peers that may be missing, the settings of a measure, documents by hand."""

import importlib
import os
import pickle
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from types import FrameType, ModuleType
from typing import Annotated, Any, Literal, NoReturn, get_args, get_origin

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import spanscope
from spanscope.counts import Counts, name_of
from spanscope.measures.registry import Definition, Measure, parse
from spanscope.settings.options import grouped
from spanscope.sides.comparison import Comparison
from spanscope.sides.join import join
from tests.strategies import corpora

Json = dict[str, Any]
Row = tuple[int, str, tuple[tuple[str, int], ...]]
Table = Counter[tuple[str, str, tuple[tuple[str, int], ...]]]  # of a measure: how often each document has a row
EXAMPLE = Path(__file__).parent.parent / "examples" / "plugin"  # a package that adds to Spanscope
KNOWN = spanscope.known()
NAMES = sorted(name for name in KNOWN if name.startswith("spans."))  # segments have laws of their own
SHARES = (0.0, 0.5, 1.0)  # for every parameter that is a number from 0 to 1, unless a test draws its own


def needs(package: str) -> ModuleType:
    """Import a package of other people; where it is missing skip, but in CI fail."""
    try:
        return importlib.import_module(package)
    except ImportError:
        lacking(f"{package} is not installed: pip install 'spanscope[test]'")


def lacking(sentence: str) -> NoReturn:
    """Skip a test, or a module, that lacks something, with the command that installs it; in CI fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence, allow_module_level=True)


@contextmanager
def watched() -> Iterator[dict[str, int]]:
    """Count the lines of the evaluator that run, and the bytes in use at the most."""
    out, before = {"lines": 0, "bytes": 0}, sys.gettrace()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if "spanscope" not in frame.f_code.co_filename:
            return None
        out["lines"] += event == "line"
        return trace

    tracemalloc.start()
    sys.settrace(trace)
    try:
        yield out
    finally:
        sys.settrace(before)
        out["bytes"] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()


# ---------------------------------------------------------------- the settings of a measure


def refused(params: Json) -> bool:
    """Say whether two values do not go together."""
    return params.get("rules") == "reqflow" and params.get("assignment") == "optimal"


def choices(definition: Definition) -> dict[str, tuple[Any, ...]]:
    """Return the values every parameter may take; () for numbers."""
    out = {}
    for name in definition.parameters:
        hint = definition.types[name]
        kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        out[name] = get_args(kind) if get_origin(kind) is Literal else (False, True) if kind is bool else ()
    return out


def settings_of(definition: Definition, numbers: dict[str, tuple[float, ...]] | None = None) -> list[Json]:
    """Return every combination of the named values, with the given values for the numbers."""
    given = numbers or {}
    axes = {
        name: values or given.get(name, SHARES if name == "threshold" else ())
        for name, values in choices(definition).items()
    }
    axes = {name: values for name, values in axes.items() if values}
    combined = (dict(zip(axes, values, strict=True)) for values in product(*axes.values()))
    return [params for params in combined if not refused(params)]


def measures_of(name: str, numbers: dict[str, tuple[float, ...]] | None = None) -> list[Measure]:
    """Return a measure with every combination of its named values."""
    return [parse(name).replace(**params) for params in settings_of(KNOWN[name], numbers)]


# ---------------------------------------------------------------- counts


def compared(gold: Any, pred: Any) -> Comparison:
    """Return gold beside pred."""
    return join(spanscope.read(gold, name="gold"), spanscope.read(pred, name="pred"))[0]


def rows(counts: Counts) -> list[Row]:
    """Return document, label and counts of every row that is not all zero, sorted."""
    columns = [counts.column(name).tolist() for name in counts.columns]
    return sorted(
        (doc, name_of(counts, code), tuple(zip(counts.columns, values, strict=True)))
        for doc, code, *values in zip(counts.doc.tolist(), counts.label.tolist(), *columns, strict=True)
        if any(values)
    )


# ---------------------------------------------------------------- spans of several fragments


@st.composite
def fragmented_corpora(draw: DrawFn) -> tuple[list[Json], list[Json]]:
    """Draw corpora in which longer spans may have a gap."""
    gold, pred = (
        [{**doc, "spans": [draw(with_gap(span)) for span in doc["spans"]]} for doc in side]
        for side in draw(corpora())
    )
    return gold, pred


@st.composite
def with_gap(draw: DrawFn, span: Json) -> Json:
    label, start, end = span["label"], span["start"], span["end"]
    if end - start < 3 or draw(st.booleans()):
        return {"label": label, "start": start, "end": end}
    first = draw(st.integers(start + 1, end - 2))
    return {"label": label, "fragments": [[start, first], [draw(st.integers(first + 1, end - 1)), end]]}


# ---------------------------------------------------------------- documents by hand


def spans(written: str) -> list[Json]:
    """Read spans such as `A[0,4] B[6,9]+[12,14]`: a label, and one or more half-open fragments."""
    out = []
    for word in written.split():
        label, _, places = word.partition("[")
        fragments = [[int(n) for n in piece.strip("[]").split(",")] for piece in places.split("+")]
        if len(fragments) == 1:
            out.append({"label": label, "start": fragments[0][0], "end": fragments[0][1]})
        else:
            out.append({"label": label, "fragments": fragments})
    return out


def documents(*written: str, text: str | None = None) -> list[Json]:
    """Make documents 1, 2, ... from their spans."""
    shared = {} if text is None else {"text": text}
    return [{"id": n, **shared, "spans": spans(one)} for n, one in enumerate(written, start=1)]


def counted(gold: Iterable[str] | str, pred: Iterable[str] | str, form: str, **options: Any) -> Json:
    """Return the sums by label that a measure gives on documents written by hand."""
    return scored(gold, pred, form, **options).counts()


def scored(
    gold: Iterable[str] | str,
    pred: Iterable[str] | str,
    form: str,
    *,
    text: str | None = None,
    **options: Any,
) -> spanscope.Result:
    """Evaluate documents written by hand: one string, or one a document."""
    sides = [documents(*([side] if isinstance(side, str) else side), text=text) for side in (gold, pred)]
    return spanscope.evaluate(*sides, form, **grouped({"ci": False, **options}))


Counted = dict[str, int]


def row(tp: int, pred: int, gold: int) -> Counted:
    return {"tp": tp, "pred": pred, "gold": gold}


def outcomes(cor: int = 0, inc: int = 0, par: int = 0, mis: int = 0, spu: int = 0) -> Counted:
    return {"cor": cor, "inc": inc, "par": par, "mis": mis, "spu": spu}


def by_text(*texts: str, label: str = "A") -> list[Json]:
    return [{"id": 1, "spans": [{"label": label, "text": text} for text in texts]}]


def assert_parses_back(measure: Measure) -> None:
    """Check that a measure is what its text forms and its pickle give back."""
    assert parse(str(measure)) == measure
    assert parse(measure.short) == measure
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert hash(parse(str(measure))) == hash(measure)


def counted_rows(names: Sequence[str], tables: Mapping[Measure, Counts]) -> dict[Measure, Table]:
    """Return the rows of counts of every measure, documents by name."""
    return {
        measure: Counter((names[doc], label, row) for doc, label, row in rows(table))
        for measure, table in tables.items()
    }


def figures_of(result: spanscope.Result) -> dict[tuple[str, ...], float]:
    """Return every figure by measure, rate, average and label."""
    return {(row.measure, row.rate, row.average, str(row.label)): row.value for row in result.rows}
