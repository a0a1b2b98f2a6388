"""Options are declared once: what derives from the declarations is held equal to them."""

import inspect
from typing import Any

import pytest

import spanscope
from spanscope.cli.declared import DECLARED, SCORING, flag_of
from spanscope.settings.options import ALL, FLAT, GROUPS, Asking, Ci, about, declared, given_of, grouped
from spanscope.settings.options import refuse_unread as refuse
from tests.cli import run

OWN = {"gold", "pred", "progress", "ci", *GROUPS}


def test_evaluate_has_the_declared_keywords() -> None:
    """The keywords of evaluate are the options that stand for themselves, and the groups."""
    found = inspect.signature(spanscope.evaluate).parameters
    flat = {name: one for group in FLAT for name, one in declared(group).items()}
    assert found.keys() == {*OWN, *flat}
    assert {name: found[name].default for name in flat} == {name: one.default for name, one in flat.items()}
    assert len(found) - 3 <= 13  # gold, pred and measures stand for themselves


def test_names_are_unique() -> None:
    names = [name for group in ALL for name in declared(group)]
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
    with pytest.raises(spanscope.MeasureError, match="corpus means nothing for check"):
        refuse(spanscope.Reading(corpus="x"), ("fields",), "check")
    with pytest.raises(spanscope.MeasureError, match="mapping means nothing for check"):
        spanscope.check([], read=spanscope.Reading(mapping={"A": "B"}))


@pytest.mark.parametrize(
    ("keyword", "expected"), [("read", "a Reading"), ("score", "a Scoring"), ("run", "a Running")]
)
def test_a_group_is_no_dict(keyword: str, expected: str) -> None:
    with pytest.raises(spanscope.MeasureError, match=f"expected  {expected}"):
        spanscope.evaluate([], [], "spans.exact", **grouped({keyword: {"offsets": "utf16"}}))


def test_the_headline_options_come_first() -> None:
    assert list(declared(Asking)) == ["measures", "protocol", "labels", "missing", "extra"]
