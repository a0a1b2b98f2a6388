"""Gold under suspicion: what most systems agree on against gold, ranked, and ready to be decided."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.errors import DocumentError, InputError, MeasureError
from tests.cli import run
from tests.strategies import corpora
from tests.support import Json

TEXT = "Anna Lee met Bob Ray in Rome on Monday"


def document(*spans: tuple[int, int, str], name: str = "d1") -> Json:
    return {"id": name, "text": TEXT, "spans": [{"start": a, "end": b, "label": label} for a, b, label in spans]}


GOLD = [document((0, 4, "PER"), (13, 20, "PER"), (24, 28, "ORG"), (9, 12, "VERB"))]
RUNS = {
    "a": [document((0, 8, "PER"), (13, 20, "PER"), (24, 28, "LOC"), (32, 38, "DATE"))],
    "b": [document((0, 8, "PER"), (13, 20, "PER"), (24, 28, "LOC"), (32, 38, "DATE"), (13, 16, "PER"))],
    "c": [document((0, 8, "PER"), (13, 16, "PER"), (24, 28, "ORG"), (32, 38, "DATE"), (32, 38, "DATE"))],
}


def audited(**options: Any) -> spanscope.Audit:
    return spanscope.audit(GOLD, *RUNS.items(), **options)


def key(span: Json) -> tuple[int, int, str]:
    return span["start"], span["end"], span["label"]


def test_what_most_systems_say_is_held_against_gold() -> None:
    """Worked by hand: gold's `Bob Ray` has two of three as `Bob` has, and then stands in nobody's place."""
    found = audited()
    assert [(one.kind, key(one.found), one.gold and key(one.gold)) for one in found.suspects] == [
        ("other boundaries", (0, 8, "PER"), (0, 4, "PER")),
        ("missed by gold", (32, 38, "DATE"), None),
        ("missed by gold", (13, 16, "PER"), None),
        ("other label", (24, 28, "LOC"), (24, 28, "ORG")),
    ]
    assert [(len(one.systems), one.of, one.with_gold) for one in found.suspects] == [
        (3, 3, ()),
        (3, 3, ()),
        (2, 3, ()),
        (2, 3, ("c",)),
    ]
    assert found.suspects[0].found["text"] == "Anna Lee"
    assert repr(found) == "<Audit: 4 suspects by 3 systems in 1 document>"
    assert [key(one.found) for one in audited(at_least=3).suspects] == [(0, 8, "PER"), (32, 38, "DATE")]


def test_a_decided_list_goes_back_into_gold(tmp_path: Path) -> None:
    """Both spans of every case are in the list; nothing deleted, all four are added."""
    audited().decide.save(tmp_path / "list.json", to="label-studio")
    merged = spanscope.merge_decided(tmp_path / "list.json", GOLD)
    assert (merged.added, merged.removed) == (4, 0)


@pytest.mark.parametrize("text", ["masked", "none"])
def test_no_text_goes_out_where_none_may(text: Any, tmp_path: Path) -> None:
    found = audited(text=text)
    found.decide.save(tmp_path / "list.jsonl")
    for written in (
        found.to_json(),
        found.table("csv"),
        found.table("markdown"),
        (tmp_path / "list.jsonl").read_text(),
    ):
        assert not any(word in written for word in ("Anna", "Bob", "Rome", "Monday"))


@given(corpora(), st.data())
def test_suspects_are_those_of_sets(drawn: tuple[list[Json], list[Json]], data: st.DataObject) -> None:
    """The twin: what more than half of the runs have, less what gold has, document by document."""
    gold, pred = drawn
    some = [{**one, "spans": [s for s in one["spans"] if data.draw(st.booleans())]} for one in pred]
    runs = [pred, some, data.draw(st.sampled_from([gold, pred, some]))]
    found = spanscope.audit(gold, *((f"r{at}", one) for at, one in enumerate(runs)))
    want = set()
    for at, one in enumerate(gold):
        votes = Counter(own for side in runs for own in {key(span) for span in side[at]["spans"]})
        ours = {key(span) for span in one["spans"]}
        want |= {(at, own, number) for own, number in votes.items() if number >= 2 and own not in ours}
    order = {str(one["id"]): at for at, one in enumerate(gold)}
    assert {(order[one.document], key(one.found), len(one.systems)) for one in found.suspects} == want
    assert len(found.suspects) == len(want)
    shares = [len(one.systems) for one in found.suspects]
    assert shares == sorted(shares, reverse=True)
    for one in found.suspects:
        own = one.gold
        assert (own is None) == (one.kind == "missed by gold")
        if own is not None:
            same_place = (own["start"], own["end"]) == (one.found["start"], one.found["end"])
            assert (one.kind == "other label") == (same_place and own["label"] != one.found["label"])
            assert (one.kind == "other boundaries") == (not same_place and own["label"] == one.found["label"])
            assert len(one.with_gold) < 2  # what most systems have is not under suspicion


def test_a_run_has_no_say_in_documents_that_it_lacks() -> None:
    gold = [*GOLD, document((0, 4, "PER"), name="d2")]
    runs = {name: [*own, document((0, 8, "PER"), name="d2")] for name, own in RUNS.items()} | {"c": RUNS["c"]}
    with pytest.raises(DocumentError):
        spanscope.audit(gold, *runs.items())
    found = spanscope.audit(gold, *runs.items(), missing="skip")
    assert [(one.of, one.systems) for one in found.suspects if one.document == "d2"] == [(2, ("a", "b"))]


def test_what_cannot_be_audited_is_refused() -> None:
    with pytest.raises(InputError, match="there is one run"):
        spanscope.audit(GOLD, RUNS["a"])
    with pytest.raises(InputError, match="two runs are called"):
        spanscope.audit(GOLD, ("a", RUNS["a"]), ("a", RUNS["b"]))
    with pytest.raises(MeasureError, match="at_least"):
        audited(at_least=4)
    with pytest.raises(InputError, match="segments"):
        spanscope.audit([{"id": 1, "text": "abcd", "segments": [[0, 2], [2, 4]]}], *RUNS.items())


def test_the_command_writes_every_form(tmp_path: Path) -> None:
    files = {name: tmp_path / f"{name}.jsonl" for name in ("gold", *RUNS)}
    for name, own in {"gold": GOLD, **RUNS}.items():
        files[name].write_text("".join(json.dumps(one) + "\n" for one in own), encoding="utf-8")
    paths = [str(path) for path in files.values()]
    plain = run("audit", *paths)
    assert plain.code == 0
    assert "4 spans on which most of 3 systems agree with each other but not with gold, in 1 document" in plain.out
    found = json.loads(run("audit", *paths, "-f", "json").out)
    assert found == audited().to_dict() | {"systems": found["systems"]}
    rows = list(csv.DictReader(run("audit", *paths, "-f", "csv").out.splitlines()))
    assert [row["found_text"] for row in rows] == ["Anna Lee", "Monday", "Bob", "Rome"]
    assert run("audit", *paths, "-f", "markdown").out.count("| d1 |") == 4
    assert run("audit", *paths, "--decide", tmp_path / "list.json", "--to", "doccano").code == 0
    assert run("audit", *paths[:2]).code == 2
    assert run("audit", *paths, "--to", "doccano").code == 2
