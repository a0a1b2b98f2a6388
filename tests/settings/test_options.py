"""Options are declared once: what derives from the declarations is held equal to them."""

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.cli.declared import DECLARED, SCORING, flag_of
from spanscope.errors import speaking_to
from spanscope.settings.options import ALL, FLAT, GROUPS, OF_ONE, Asking, Ci, about, given_of, grouped, options_of
from spanscope.settings.options import refuse_unread as refuse
from tests.cli import environment, run

OWN = {"gold", "pred", "progress", "ci", *GROUPS}


def test_evaluate_has_the_declared_keywords() -> None:
    """The keywords of evaluate are the options that stand for themselves, and the groups."""
    found = inspect.signature(spanscope.evaluate).parameters
    flat = {name: one for group in FLAT for name, one in options_of(group).items()}
    assert found.keys() == {*OWN, *flat}
    assert {name: found[name].default for name in flat} == {name: one.default for name, one in flat.items()}
    assert len(found) - 3 <= 14  # gold, pred and measures stand for themselves


def test_names_are_unique() -> None:
    names = [name for group in ALL for name in options_of(group)]
    assert len({*names}) == len(names)
    flags = [flag_of(name) for name in names]
    assert len({*flags}) == len(flags)


@pytest.mark.parametrize("name", DECLARED)
def test_every_option_is_explained(name: str) -> None:
    said = about(DECLARED[name][0])
    assert said.help.endswith(".")
    assert said.help[0].isupper()
    assert not said.example or flag_of(name) in said.example or said.short in said.example


def test_help_lists_every_option_under_its_title() -> None:
    text = run("eval", "--help").out
    for name in SCORING:
        assert flag_of(name) in text, name
    titles = [(group.__doc__ or "").split(":")[0].rstrip(".") for group in ALL]
    places = [text.index(f"{title}:\n") for title in titles]
    assert places == sorted(places)


def test_eval_comes_first() -> None:
    text = run("--help").out
    assert text[text.index("Commands:") :].split()[1] == "eval"


def test_options_are_put_into_their_groups() -> None:
    given: dict[str, Any] = {"labels": ["A"], "beta": 2, "offsets": "utf16", "fields": {"id": "n"}, "jobs": 2}
    assert grouped(given) == {
        "labels": ["A"],
        "score": spanscope.Scoring(beta=2),
        "read": spanscope.Reading(offsets="utf16", fields={"id": "n"}),
        "run": spanscope.Running(jobs=2),
    }


def test_what_was_given_is_known() -> None:
    assert given_of(spanscope.Reading()) == {}
    assert given_of(spanscope.Reading(offsets="utf8", mapping={}, columns={"tag": 1})) == {
        "offsets": "utf8",
        "columns": {"tag": 1},
    }
    assert given_of(Ci(seed=3)) == {"seed": 3}
    with pytest.raises(spanscope.MeasureError, match="corpus has no effect on check"):
        refuse(spanscope.Reading(corpus="x"), ("fields",), "check")
    with pytest.raises(spanscope.MeasureError, match="mapping has no effect on check"):
        spanscope.check([], read=spanscope.Reading(mapping={"A": "B"}))


@pytest.mark.parametrize(
    ("keyword", "expected"), [("read", "a Reading"), ("score", "a Scoring"), ("run", "a Running")]
)
def test_a_group_is_no_dict(keyword: str, expected: str) -> None:
    with pytest.raises(spanscope.MeasureError, match=f"expected  {expected}"):
        spanscope.evaluate([], [], "spans.exact", **grouped({keyword: {"offsets": "utf16"}}))


def test_the_headline_options_come_first() -> None:
    assert list(options_of(Asking)) == ["measures", "protocol", "labels", "missing", "extra", "group"]


HINTS = [
    ("offsets", "utf16", "--offsets utf16", 'read=Reading(offsets="utf16")', "offsets: utf16"),
    ("fields", "id=NAME", "--field id=NAME", 'read=Reading(fields={"id": "NAME"})', "fields: id=NAME"),
    (
        "columns",
        "token=0,tag=-1",
        "--columns token=0,tag=-1",
        'read=Reading(columns={"token": 0, "tag": -1})',
        "columns: token=0,tag=-1",
    ),
    ("labels", "A,B", "--labels A,B", 'labels=["A", "B"]', "labels: A,B"),
    ("missing", "empty", "--missing empty", 'missing="empty"', "missing: empty"),
    ("normalise", "", "--normalise", "read=Reading(normalise=True)", "normalise"),
    ("errors", "False", "--no-errors", "score=Scoring(errors=False)", "errors: False"),
    ("measures", "spans.exact", "-m spans.exact", 'measures="spans.exact"', "measures: spans.exact"),
    ("k", "1,5", "--k 1,5", "score=Scoring(k=[1, 5])", "k: 1,5"),
    ("jobs", "1", "--jobs 1", "run=Running(jobs=1)", "jobs: 1"),
    ("jobs", "", "--jobs", "jobs", "jobs"),
    ("resamples", "50", "--resamples 50", "ci=Ci(resamples=50)", "resamples: 50"),
]


@pytest.mark.parametrize(("name", "value", "flags", "python", "form"), HINTS)
def test_hints_speak_the_language_of_the_caller(name: str, value: str, flags: str, python: str, form: str) -> None:
    error = spanscope.InputError("x", hint=f"[[{name}{'=' if value else ''}{value}]]   if so")
    callers: dict[Any, str] = {"flags": flags, "python": python, "form": form}
    for caller, words in callers.items():
        with speaking_to(caller):
            assert str(error) == f"x\n  try       {words}   if so"


def test_hints_of_python_can_be_written() -> None:
    """What a hint says to a caller in Python is a keyword of evaluate."""
    for name, value, _, python, _ in HINTS:
        if value:
            known = {"Reading": spanscope.Reading, "Scoring": spanscope.Scoring, "Running": spanscope.Running}
            made = eval(f"dict({python})", {**known, "Ci": spanscope.Ci})
            assert {*made} <= {*inspect.signature(spanscope.evaluate).parameters}, name


def test_every_hint_names_an_option() -> None:
    """An option that a hint names is declared: nothing is suggested that there is not."""
    source = Path(spanscope.__file__).parent
    found = {
        name
        for path in source.rglob("*.py")
        if path.name != "errors.py"
        for name in re.findall(r"\[\[([a-z_]+)(?:=[^\]\n]+)?\]\]", path.read_text(encoding="utf-8"))
    }
    names = {name for group in (*ALL, *OF_ONE) for name in options_of(group)}
    assert found <= names | {
        f"{side}_{name}" for side in ("gold", "pred") for name in options_of(spanscope.Reading)
    }
    assert len(found) > 15


def test_commands_hint_at_flags(tmp_path: Path) -> None:
    text = '{"id": 1, "text": "ab", "spans": [{"start": 0, "end": 9, "label": "A"}]}\n'
    path = tmp_path / "g.jsonl"
    path.write_text(text, encoding="utf-8")
    assert "try       --offsets utf16   if" in run("eval", path, path).err
    with pytest.raises(spanscope.InputError) as caught:
        spanscope.evaluate(path, path)
    with speaking_to("python"):
        assert 'try       read=Reading(offsets="utf16")   if' in str(caught.value)
    code = f"import spanscope\ntry:\n    spanscope.evaluate({str(path)!r}, {str(path)!r})\n"
    code += "except spanscope.InputError as error:\n    print(error)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment()
    )
    assert 'try       read=Reading(offsets="utf16")   if' in done.stdout
