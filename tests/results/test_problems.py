"""Data problems as values: their words, their sums, and what is left of them where texts are masked."""

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.data.problem_kinds import KINDS, kind_of
from spanscope.data.problems import Problem, merge, problem_at, sentence, withhold
from spanscope.data.wording import quote, values_in
from spanscope.errors import quoting
from spanscope.settings.options import grouped

SOURCE = Path(spanscope.__file__).parent
EXPLAINED = {"bad input", "bad span", "bad document", "bad line", "documents", "not a partition", "not accepted"}
EXPLAINED |= {"dropped, as ReqFlow does", "no fleiss_kappa"}


@pytest.mark.parametrize("name", KINDS)
def test_words_of_a_kind_are_told_apart_by_their_values(name: str) -> None:
    values = [values_in(words) for words in KINDS[name].words]
    assert values
    assert len(set(values)) == len(values)
    for own in values:
        told = Problem(name, "a.jsonl", 3, document="d", values=dict.fromkeys(own, 2), number=2)
        assert str(told).startswith("a.jsonl:3: ")
        assert not re.search("[{}]", str(told))


def test_every_kind_that_is_found_is_known() -> None:
    """A kind without words would be an error where somebody looks at it."""
    made = re.compile(r"(?:Problem|problem_at|report\.bad|tell|note)\(\s*(?:error, )?\"([^\"]+)\"")
    found = {name for path in SOURCE.rglob("*.py") for name in made.findall(path.read_text(encoding="utf-8"))}
    assert len(found) > 40
    assert found - KINDS.keys() == EXPLAINED


@pytest.mark.parametrize(
    "where", ["a.jsonl:17", "a.jsonl", "a:b:3", "gold[3]", "a:007", ":5", "", "a:" + "9" * 5000]
)
def test_a_place_stays_as_it_was_written(where: str) -> None:
    assert problem_at("no offsets", where, {"at": "spans[0]"}).where == where


def test_a_place_is_a_file_and_a_line() -> None:
    problem = problem_at("empty span", "a:b.jsonl:17", {"at": "spans[2]", "start": 4})
    assert (problem.file, problem.line) == ("a:b.jsonl", 17)
    assert str(problem) == "a:b.jsonl:17: spans[2] is empty: it starts and ends at 4"


def test_words_mask_what_documents_hold() -> None:
    values = {"at": "spans[0]", "own": quote("Mary"), "there": quote("Marion"), "start": 0, "end": 6, "fits": ""}
    problem = problem_at("text mismatch", "a.jsonl:1", values)
    assert sentence(problem) == "a.jsonl:1: spans[0].text is 'Mary', the document has 'Marion' at 0..6"
    masked = "spans[0].text is a string of 4 characters, the document has a string of 6 characters at 0..6"
    assert sentence(problem, quotes=False) == f"a.jsonl:1: {masked}"
    assert str(withhold(problem)) == "a.jsonl:1: withheld"
    assert "Mar" not in repr(problem)


def test_nothing_of_a_text_is_kept_where_it_may_not_be_quoted() -> None:
    with quoting(False):
        own = quote("Mary")
    assert own == ("a string of 4 characters", "a string of 4 characters")
    assert b"Mary" not in pickle.dumps(own)


def test_problems_of_portions_are_added() -> None:
    def left(side: str, number: int, *labels: str) -> Problem:
        return Problem("other label", "a.jsonl", side=side, values={"labels": labels}, number=number)

    mapped = Problem("other label", "a.jsonl", side="gold", number=3)
    odd = problem_at("empty span", "a.jsonl:1", {"at": "spans[0]", "start": 1})
    found = merge([left("gold", 1, "B, C"), left("pred", 1, "A"), mapped, odd, left("gold", 2, "A", "B, C"), odd])
    assert [(one.side, one.number, one.what) for one in found] == [
        ("gold", 3, "3 spans of other labels left out: A, B, C"),
        ("pred", 1, "1 span of other labels left out: A"),
        ("gold", 3, "3 spans left out by the mapping"),
        *[("", 1, "spans[0] is empty: it starts and ends at 1")] * 2,
    ]


def test_the_first_document_of_portions_is_the_first_of_all() -> None:
    values = {"gold": "g", "treatment": "left out"}
    lacks = [
        Problem("missing document", "p", side="pred", document=name, values=values, number=number, row=row)
        for name, number, row in (("c", 2, 7), ("a", 1, 3), ("b", 4, 5))
    ]
    (found,) = merge(lacks)
    assert str(found) == "p: 7 documents of g are missing here, left out; first 'a'"


def test_kinds_of_another_version() -> None:
    """A result that was saved elsewhere may hold kinds that nobody knows here."""
    assert not kind_of("something new").doubtful
    assert kind_of("something new").listed


@pytest.mark.parametrize("text", ["full", "masked"])
@pytest.mark.parametrize("options", [{"mapping": {"B, C": ""}}, {"labels": ["A", "D"]}, {"missing": "empty"}])
@pytest.mark.parametrize("number", [1, 1200])
def test_the_same_words_whatever_stays_in_memory(text: Any, options: Any, number: int, tmp_path: Path) -> None:
    spans = [{"start": 0, "end": 1, "label": "A"}, {"start": 2, "end": 3, "label": "B, C"}]
    gold = [{"id": f"d{at}", "text": "a b", "spans": spans} for at in range(number + 1)]
    pred = gold[1:] if "missing" in options else gold
    paths = [tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"]
    for path, documents in zip(paths, (gold, pred), strict=True):
        path.write_text("\n".join(map(json.dumps, documents)), encoding="utf-8")
    found = [
        spanscope.evaluate(
            *paths, "spans.exact", run=spanscope.Running(memory=memory), ci=False, text=text, **grouped(options)
        ).problems
        for memory in ("spans", "counts", "totals")
    ]
    for own in found:
        own.number.pop("other order", None)
        own.first.pop("other order", None)
    assert found[0]
    assert found[1] == found[0]
    assert found[2] == found[0]
