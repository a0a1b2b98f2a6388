"""Arguments that are not what they should be: every public function refuses them in words a person can act on."""

import inspect
import json
import math
import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spanscope
from spanscope import (
    InputError,
    MeasureError,
    SpanscopeError,
    agree,
    check,
    compare,
    evaluate,
    leaderboard,
    panel,
    parse,
    plan,
    read,
)
from spanscope.settings.options import GROUPS, grouped, options_of
from tests.cli import run

LABELS = ("A", "B")
GOLD = [
    {"id": n, "text": "ab cd ef", "spans": [{"start": 0, "end": 1 + n % 2, "label": LABELS[n % 2]}]}
    for n in range(6)
]
PRED = [{"id": n, "text": "ab cd ef", "spans": [{"start": 0, "end": 1, "label": "A"}]} for n in range(6)]
TOKENS = [{"id": 1, "tokens": ["a", "b"], "tags": ["B-X", "O"]}]
CUT = [{"id": 1, "length": 9, "segmentations": {"Gold": {"masses": [3, 6]}, "A": {"masses": [4, 5]}}}]


class Mute:
    """An object that cannot say what it is."""

    def __repr__(self) -> str:
        raise RuntimeError


ODD: dict[str, Any] = {
    "None": None,
    "''": "",
    "x": "x",
    "-1": -1,
    "1.5": 1.5,
    "[]": [],
    "{}": {},
    "object": object(),
    "True": True,
    "nan": math.nan,
    "10**400": 10**400,
    "10**5000": 10**5000,
    "list of nothing": [None],
    "list of lists": [[]],
    "nothing by name": {"A": None},
    "bytes": b"x",
    "a set": {1},
    "an array": np.arange(3),
    "mute": Mute(),
    "a type": int,
    "half a character": "\ud83d",
    "halves": ["\ud83d"],
    "halves by name": {"\ud83d": "\ud83d"},
}
CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "evaluate": (evaluate, (GOLD, PRED), {"ci": False}),
    "evaluate tokens": (evaluate, (TOKENS, TOKENS), {"ci": False}),
    "compare": (compare, (GOLD, PRED, PRED), {"trials": 10, "ci": spanscope.Ci(resamples=5)}),
    "leaderboard": (leaderboard, (GOLD, PRED, GOLD), {"trials": 10, "ci": spanscope.Ci(resamples=5)}),
    "agree": (agree, (GOLD, PRED), {"ci": False, "samples": 2}),
    "panel": (panel, (CUT,), {"ci": False}),
    "check": (check, (GOLD, PRED), {}),
    "check tokens": (check, (TOKENS,), {}),
    "plan": (plan, (), {"detect": 0.05}),
    "read": (read, (GOLD,), {}),
    "parse": (parse, ("spans.exact",), {}),
}


def keywords(function: Callable[..., Any], taken: int) -> Iterator[str]:
    """Return the names of the arguments that can be given by name, and those of the options in their groups."""
    own = inspect.signature(function).parameters
    positional = [one for one in own.values() if one.kind is one.POSITIONAL_OR_KEYWORD][:taken]
    for one in own.values():
        named = one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)
        if named and one.name not in ("gold", "pred") and one.name not in {each.name for each in positional}:
            yield one.name
            yield from options_of(GROUPS[one.name]) if one.name in GROUPS else ()


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("name", CALLS)
def test_every_keyword(name: str, odd: str) -> None:
    """A keyword of a wrong type is refused as all errors are, or taken; and what is taken can be written."""
    function, given, usual = CALLS[name]
    if function is plan:
        given = (evaluate(GOLD, PRED, "spans.exact", ci=False),)
    for keyword in keywords(function, len(given)):
        try:
            asked = {**usual, keyword: ODD[odd]}
            own = {one: asked.pop(one) for one in [*asked] if one in inspect.signature(function).parameters}
            found = function(*given, **own, **grouped(asked))
        except SpanscopeError:
            continue
        if hasattr(found, "to_json"):
            json.loads(found.to_json())


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"jobs": "2"}, "jobs is '2'\n  expected  a whole number, 1 to 1,000"),
    ({"jobs": True}, "jobs is True\n  expected  a whole number, 1 to 1,000"),
    ({"strict": "no"}, "strict is 'no'\n  expected  True or False"),
    ({"errors": None}, "errors is None\n  expected  True or False"),
    ({"missing": ""}, "missing is ''\n  expected  error or empty or skip"),
    (
        {"mapping": {"A": None}},
        'mapping has None for \'A\'\n  expected  labels by label, e.g. {"PER": "PERSON"}; "" leaves one out',
    ),
    ({"labels": 5}, "labels are 5\n  expected  a list of different names"),
    ({"thresholds": [10**400]}, "expected  numbers from 0 to 1, or exact"),
    ({"beta": 10**400}, "expected  a number above 0"),
    ({"meta": {"n": 10**5000}}, "meta has a number of thousands of digits for 'n'"),
    ({"progress": "x"}, "progress is 'x'\n  expected  a function of (stage, done, total), or None"),
]


@pytest.mark.parametrize(("given", "words"), REFUSED, ids=[words[:24] for _, words in REFUSED])
def test_words(given: dict[str, Any], words: str) -> None:
    with pytest.raises(MeasureError) as caught:
        evaluate(GOLD, PRED, **grouped(given))
    assert words in str(caught.value)


# ---------------------------------------------------------------- measures


@pytest.mark.parametrize(
    "text", ["spans.iou(threshold={[]:1})", "spans.iou(**{})", "1()", "spans.exact(1)", "(a or b)()"]
)
def test_texts_that_are_no_measure(text: str) -> None:
    with pytest.raises(MeasureError, match="cannot read the measure"):
        parse(text)


def test_threshold_of_900_digits() -> None:
    with pytest.raises(MeasureError, match=r"threshold of spans.iou is 9{60}\.\.\."):
        parse(f"spans.iou(threshold={'9' * 900})")
    with pytest.raises(MeasureError, match="a number of thousands of digits"):
        parse("spans.iou").replace(threshold=10**5000)
    assert str(parse(f"spans.iou(threshold=0.{'1' * 900})")) == str(
        parse("spans.iou(threshold=0.1111111111111111)")
    )


PIECES = (
    "{[]:1}",
    "[1]",
    "**{}",
    "*a",
    "lambda:0",
    "9" * 400,
    "nan",
    "1e999",
    "None",
    "1j",
    "b'x'",
    "(" * 99,
    "a." * 200,
)


def test_mutated_measures() -> None:
    """Whatever becomes of a text form, it is a measure whose own text form parses back to it, or is refused."""
    draw = random.Random(7)
    forms = [str(parse(name)) for name in spanscope.known()]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(4000):
            text = draw.choice(forms)
            for _ in range(draw.randint(1, 3)):
                at = draw.randint(0, len(text))
                more = draw.choice((*PIECES, *"()[]{}=,.:'\\ 09-+*/@", chr(draw.randint(0, 700))))
                text = text[:at] + more + text[at + draw.randint(0, 3) :]
            try:
                found = parse(text)
            except MeasureError:
                continue
            assert parse(str(found)) == found


# ---------------------------------------------------------------- documents


@pytest.mark.parametrize(
    ("documents", "options"),
    [
        ([{"id": 10**5000, "spans": []}], {}),
        ([{"id": 10**5000, "length": 3, "masses": [3]}], {}),
        ([{"id": 10**5000, "tokens": ["a"], "tags": ["O"]}], {}),
        ({"doc": [10**5000], "start": [0], "end": [1], "label": ["A"]}, {}),
        ([{"id": 10**5000, "spans": []}], {"protocol": "reqflow-v1"}),
        ([{"id": 10**5000, "query": "x", "snippets": []}], {"protocol": "passages"}),
    ],
)
def test_ids_that_cannot_be_written(documents: Any, options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="id is a number of thousands of digits"):
        evaluate(documents, documents, ci=False, **grouped(options))


def test_columns_that_are_arrays() -> None:
    columns = {
        "doc": np.array([1, 2]),
        "start": np.array([0, 0]),
        "end": np.array([1, 1]),
        "label": np.array(["A", "B"]),
    }
    assert evaluate(columns, columns, protocol="tokens", ci=False).value("f1") == 1.0


@pytest.mark.parametrize("value", ["5", '"text"', "true", "null"])
def test_reqflow_on_json_that_is_no_list(value: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(value)
    done = run("eval", path, path, "-p", "reqflow-v1")
    assert done.code == 2
    assert "internal error" not in done.err
    assert "expected  a list of items, or an object of them" in done.err


@pytest.mark.parametrize(
    "pair", ["id=text", "text=id", "spans=text", "id=answer", "text=answer", "text=_input_hash"]
)
def test_two_fields_under_one_name(pair: str, tmp_path: Path) -> None:
    """Files are read as Python objects are; one field cannot be both the id and the text, which may be private."""
    path = tmp_path / "a.jsonl"
    documents = [
        {"id": f"n{n}", "text": f"t{n}", "spans": [{"start": 0, "end": 2, "label": "A"}]} for n in range(3)
    ]
    path.write_text("\n".join(map(json.dumps, documents)))
    field = dict([pair.split("=")])
    found = []
    for source in (str(path), documents):
        try:
            found.append(
                evaluate(source, source, "spans.exact", read=spanscope.Reading(fields=field), ci=False).value("f1")
            )
        except InputError as error:
            found.append(error.what)
    assert found[0] == found[1]
    assert pair != "id=text" or found[0] == "the fields id and text are both called 'text'"


@pytest.mark.parametrize(
    ("pair", "both"),
    [
        ("start=end", "start and end"),
        ("end=start", "start and end"),
        ("label=start", "start and label"),
        ("label=end", "end and label"),
        ("end=type", "end and label"),
        ("span_text=label", "label and span_text"),
        ("label=text", "label and span_text"),
        ("span_text=start", "start and span_text"),
    ],
)
def test_two_fields_of_spans_under_one_name(pair: str, both: str, tmp_path: Path) -> None:
    """With start=end all spans would be empty, and every exact figure 1."""
    own, path = pair.partition("=")[2], tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "a", "text": "abc", "spans": [{"start": 0, "end": 2, "label": "A"}]}))
    for command in (("eval", path, path), ("check", path)):
        done = run(*command, "--field", pair)
        assert (done.code, done.err.splitlines()[0]) == (2, f"the fields {both} are both called {own!r}")


def test_a_field_of_documents_and_one_of_spans_under_one_name() -> None:
    documents = [{"id": "a", "label": "abc", "spans": [{"start": 0, "end": 2, "label": "A", "text": "ab"}]}]
    read = spanscope.Reading(fields={"text": "label"})
    assert evaluate(documents, documents, "spans.exact", read=read, ci=False).value("f1") == 1
    assert spanscope.check(documents, read=read) == []


def test_differences_beyond_reach(tmp_path: Path) -> None:
    result = evaluate(GOLD, PRED, "spans.exact", ci=False)
    for detect in (1e-300, -1e-12, 5e-324):
        with pytest.raises(MeasureError, match="would take more documents than there are"):
            plan(result, detect=detect)
    path = tmp_path / "r.json"
    path.write_text(result.to_json(kept=True))
    done = run("plan", path, "--detect", "1e-300")
    assert (done.code, "internal error" in done.err) == (2, False)
    assert plan(result, detect=0.01).found.documents > 1000
