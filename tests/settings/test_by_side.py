"""Gold and predictions can be read in their own ways: each side by its own names, format and offsets."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from tests.cli import run

TEXT = "Anna 😀 met Bob in Rome"  # the smile is two units of UTF-16
PLACES = [(0, 4, "PER"), (11, 14, "PER"), (18, 22, "LOC")]
PLAIN = [{"id": "d1", "text": TEXT, "spans": [{"start": a, "end": b, "label": name} for a, b, name in PLACES]}]
OTHER = [
    {
        "name": "d1",
        "text": TEXT,
        "marks": [
            {"start": a + (a > 5), "end": b + (b > 5), "category": name}
            for a, b, name in [*PLACES[:2], (0, 1, "X")]
        ],
    }
]
NAMES = {"id": "name", "spans": "marks", "label": "category"}


def put(path: Path, documents: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")
    return str(path)


def test_objects() -> None:
    pred = spanscope.source(OTHER, fields=NAMES, offsets="utf16")
    result = spanscope.evaluate(PLAIN, pred, "spans.exact", ci=False)
    assert result.totals() == {"tp": 2, "pred": 3, "gold": 3}
    assert "pred_field:id=name,label=category,spans=marks|pred_offsets:utf16" in result.signature()
    assert json.loads(result.to_json())["settings"]["pred"] == {"fields": NAMES, "offsets": "utf16"}


@pytest.mark.parametrize("memory", ["spans", "counts", "totals"])
def test_files_however_they_are_counted(tmp_path: Path, memory: Any) -> None:
    """Documents in other orders are dealt by ids that stand under other names on the two sides."""
    more = [{**PLAIN[0], "id": f"d{n}"} for n in range(2, 9)]
    others = [{**OTHER[0], "name": f"d{n}"} for n in reversed(range(2, 9))]
    gold, pred = put(tmp_path / "g.jsonl", [*PLAIN, *more]), put(tmp_path / "p.jsonl", [*others, *OTHER])
    own = spanscope.source(pred, fields=NAMES, offsets="utf16")
    result = spanscope.evaluate(gold, own, "spans.exact", ci=False, run=spanscope.Running(memory=memory))
    assert result.totals() == {"tp": 16, "pred": 24, "gold": 24}


def test_the_command_line(tmp_path: Path) -> None:
    gold, pred = put(tmp_path / "g.jsonl", PLAIN), put(tmp_path / "p.jsonl", OTHER)
    fields = [f"--pred-field={name}={own}" for name, own in NAMES.items()]
    given = ["--pred-offsets", "utf16", "-m", "spans.exact", "--no-ci", "-f", "json"]
    found = json.loads(run("eval", gold, pred, *fields, *given).out)
    assert found["settings"]["pred"] == {"fields": NAMES, "offsets": "utf16"}
    assert found["settings"]["field"] == {}
    swapped = [one.replace("--pred-", "--gold-") for one in [*fields, *given]]
    assert json.loads(run("eval", pred, gold, *swapped).out)["settings"]["gold"]["offsets"] == "utf16"
    done = run("compare", gold, f"a={pred}", f"b={pred}", *fields, "--pred-offsets", "utf16", "-m", "spans.exact")
    assert done.code == 0, done.err
    assert run("report", gold, pred, *fields, "--pred-offsets", "utf16", "-o", tmp_path / "r.html").code == 0


def test_what_both_have_is_added_to() -> None:
    """Names for both sides hold beside those of one."""
    gold = [{"name": "d1", "spans": [{"start": 0, "end": 4, "kind": "A"}]}]
    pred = [{"name": "d1", "marks": [{"start": 0, "end": 4, "kind": "A"}]}]
    own = spanscope.source(pred, fields={"spans": "marks"})
    shared = spanscope.Reading(fields={"id": "name", "label": "kind"})
    assert spanscope.evaluate(gold, own, "spans.exact", read=shared, ci=False).value("f1") == 1


def test_tags_of_one_side(tmp_path: Path) -> None:
    """Predictions as CoNLL without prefixes stand against gold in JSON."""
    gold = [{"tokens": ["Anna", "met", "Bob"], "tags": ["PER", "O", "PER"]}]
    (tmp_path / "p.txt").write_text("x Anna PER\nx met O\nx Bob O\n", encoding="utf-8")
    pred = spanscope.source(tmp_path / "p.txt", input="conll", columns={"token": 1, "tag": 2})
    result = spanscope.evaluate(gold, pred, "spans.exact", ci=False, read=spanscope.Reading(scheme="IO"))
    assert result.totals() == {"tp": 1, "pred": 1, "gold": 2}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda own: spanscope.evaluate(PLAIN, own(fields={"nothing": "x"}), "spans.exact"), "no field is called"),
        (lambda own: spanscope.evaluate(PLAIN, own(offsets="inches"), "spans.exact"), "inches"),
        (
            lambda own: spanscope.evaluate(PLAIN, own(input="nothing"), "spans.exact"),
            "no input is called 'nothing'",
        ),
        (
            lambda own: spanscope.evaluate(PLAIN, own(offsets="utf16"), protocol="reqflow-v1"),
            "offsets of one side has no effect on reqflow-v1",
        ),
    ],
)
def test_refusals(call: Any, words: str) -> None:
    def own(**given: Any) -> Any:
        return spanscope.source(OTHER, **given)

    with pytest.raises(spanscope.SpanscopeError, match=words):
        call(own)


def test_options_of_one_side_that_nothing_would_read_are_refused(tmp_path: Path) -> None:
    """What is typed for one side is heeded, or refused: never passed over."""
    spans, tags = put(tmp_path / "g.jsonl", PLAIN), tmp_path / "a.conll"
    tags.write_text("Anna B-PER B-PER\nmet O O\n", encoding="utf-8")
    two = tmp_path / "b.conll"
    two.write_text("Anna B-PER\nmet O\n", encoding="utf-8")
    for args, words in (
        ((two, two, "--gold-field", "label=x"), "fields of gold has no effect on tagged tokens"),
        ((two, two, "--pred-offsets", "utf16"), "offsets of pred has no effect on tagged tokens"),
        ((spans, spans, "--pred-columns", "tag=1"), "columns of pred has no effect on a file that is not CoNLL"),
        ((spans, spans, "--gold-input", "conll"), "input of gold has no effect on a file that is not CoNLL"),
        ((tags, "--pred-columns", "tag=1"), "columns is for predictions of their own, and there are none"),
    ):
        done = run("eval", *args, "--no-ci")
        assert (done.code, done.err.splitlines()[0]) == (2, words), args
    with pytest.raises(spanscope.MeasureError, match="input says what a file is, and there is none"):
        spanscope.evaluate(PLAIN, spanscope.source(PLAIN, input="spans"), "spans.exact")


# ---------------------------------------------------------------- in commands that take any number of sources


def test_annotators_that_are_read_differently() -> None:
    """Two spans of three are the same: F1 = 2 * 2 / (3 + 3)."""
    other = spanscope.source(OTHER, fields=NAMES, offsets="utf16")
    found = spanscope.agree(PLAIN, other, measures=["f1"], ci=False)
    assert found.value("f1") == pytest.approx(4 / 6)
    assert found.settings["sources"] == [{}, {"fields": NAMES, "offsets": "utf16"}]
    assert "sources" not in spanscope.agree(PLAIN, PLAIN, measures=["f1"], ci=False).settings
    with pytest.raises(
        spanscope.MeasureError, match="columns of annotator 2 has no effect on a file that is not CoNLL"
    ):
        spanscope.agree(PLAIN, spanscope.source(PLAIN, columns={"tag": 1}))
    with pytest.raises(spanscope.InputError, match="no field is called"):
        spanscope.agree(PLAIN, spanscope.source(PLAIN, fields={"nothing": "x"}))


def test_tags_of_one_annotator_in_columns_of_their_own(tmp_path: Path) -> None:
    one, two = tmp_path / "a.conll", tmp_path / "b.conll"
    one.write_text("Anna B-PER\nmet O\nBob B-PER\n", encoding="utf-8")
    two.write_text("x B-PER Anna\nx O met\nx O Bob\n", encoding="utf-8")
    own = spanscope.source(two, columns={"token": 2, "tag": 1})
    assert spanscope.agree(one, own, measures=["f1"], ci=False).value("f1") == pytest.approx(2 / 3)
    assert [problem.kind for problem in spanscope.check(one, own)] == []


def test_problems_of_a_source_that_is_read_in_its_own_way(tmp_path: Path) -> None:
    gold, pred = put(tmp_path / "g.jsonl", PLAIN), put(tmp_path / "p.jsonl", OTHER)
    assert spanscope.check(gold, spanscope.source(pred, fields=NAMES, offsets="utf16")) == []
    assert {one.kind for one in spanscope.check(gold, pred)} == {"bad document"}
    fields = [f"--pred-field={name}={own}" for name, own in NAMES.items()]
    assert run("check", gold, pred, *fields, "--pred-offsets", "utf16").code == 0
    assert run("check", gold, pred, "--pred-offsets", "utf16").code == 1
    done = run("check", gold, "--pred-offsets", "utf16")
    assert done.code == 2
    assert "--pred-offsets is for predictions, and there are none" in done.err


def test_segmentations_that_are_read_in_their_own_way() -> None:
    text = {"id": 1, "length": 9, "raw": {"Gold": {"masses": [3, 6]}, "A": {"masses": [4, 5]}}}
    own = spanscope.source([text], fields={"segmentations": "raw"})
    assert spanscope.panel(own, ci=False).names == ("Gold", "A")
    for odd in ({"columns": {"tag": 1}}, {"input": "nothing"}):
        with pytest.raises(spanscope.MeasureError):
            spanscope.panel(spanscope.source([text], **odd))  # type: ignore[arg-type]
