"""`spanscope.locate` and the command: rows, counts, corpora, gates, proposals; expected values worked by hand."""

import csv
import io
import json
import math
import sys
from pathlib import Path

import pytest

import spanscope
from spanscope.errors import DocumentError, InputError, MeasureError
from tests.cli import refused, run, write

TEXT = "The fee is due in 30 days. Bob met Bob. The  “final” fee is not refundable."
SAID = [
    {"quote": "The fee is due", "label": "Duty"},
    {"quote": 'the "final" fee', "label": "Duty"},
    {"quote": "due in 45 days", "label": "Term"},
    {"quote": "Bob", "label": "Person"},
    {"quote": "fee is refundable", "label": "Duty"},
    {"quote": "", "label": "Term"},
    {"quote": "Bob met Bob", "label": "Event", "start": 30, "end": 41},
    {"quote": "refundible", "label": "Duty"},
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    texts, outputs = tmp_path / "texts.jsonl", tmp_path / "out.jsonl"
    texts.write_text(json.dumps({"id": "a", "text": TEXT}) + "\n", encoding="utf-8")
    outputs.write_text(json.dumps({"id": "a", "spans": SAID}) + "\n", encoding="utf-8")
    return texts, outputs


def test_rows_tell_every_decision(files) -> None:
    found = spanscope.locate(*files)
    assert [row.status for row in found.rows] == [
        *("exact", "normalised", "not_found", "exact", "not_found", "empty", "exact", "fuzzy"),
    ]
    fee, final, term, bob, negation, _, event, slip = found.rows
    assert (fee.start, fee.end, fee.place, fee.score, fee.candidates) == (0, 14, "only", 1.0, ((0, 14),))
    assert (final.text, final.normalised) == ("The  “final” fee", ("quotation marks", "white space", "case"))
    assert (term.reason, term.nearest_text, term.start) == ("number", "due in 30 days", None)
    assert (bob.place, bob.start, bob.candidates, bob.ambiguous) == ("open", 27, ((27, 30), (35, 38)), True)
    assert (negation.reason, negation.nearest_text) == ("negation", "fee is not refundable")
    assert (event.start, event.moved) == (27, -3)
    assert (slip.text, slip.edits) == ("refundable", 1)
    assert slip.score == pytest.approx(0.9)
    assert found.counts() == {
        **{"exact": 3, "normalised": 1, "fuzzy": 1, "surplus": 0, "not_found": 2, "empty": 1, "ambiguous": 1},
    }
    assert found.counts("Duty")["not_found"] == 1


def test_shares_by_label_have_intervals(files) -> None:
    found = spanscope.locate(*files)
    whole, term = found.share("not_found"), found.share("not_found", "Term")
    assert (whole.value, whole.number, whole.items) == (0.25, 2, 8)
    assert (term.value, term.items) == (0.5, 2)
    assert 0 <= whole.low < 0.25 < whole.high <= 1
    with pytest.raises(MeasureError, match="there is no share 'lost'"):
        found.share("lost")


def test_wilson_interval_of_a_share_that_never_varies() -> None:
    """None of 10 documents' quotes lost: Wilson's bound for 0 of 10 is 3.8415 / (10 + 3.8415) = 0.2775."""
    texts = {str(at): "one two" for at in range(10)}
    found = spanscope.locate(texts, [{"id": name, "spans": [{"quote": "one", "label": "A"}]} for name in texts])
    assert found.share("not_found")[2:5] == pytest.approx((0.0, 0.0, 0.27753), abs=1e-4)


def test_nothing_disappears_from_the_corpus(files) -> None:
    corpus = spanscope.locate(*files).corpus
    assert (corpus.size, int(corpus.spans.located.sum())) == (8, 5)


def test_repeated_quotes_are_placed_one_to_one() -> None:
    said = [{"quote": "Bob", "label": "P"}] * 3 + [{"quote": "Bob", "label": "Q"}]
    rows = spanscope.locate({"a": "Bob met Bob."}, [{"id": "a", "spans": said}]).rows
    assert [(row.start, row.status) for row in rows[:3]] == [(0, "exact"), (8, "exact"), (None, "surplus")]
    assert rows[3].start in (0, 8)


def test_quotes_that_differ_in_case_alone_are_placed_one_to_one() -> None:
    said = [{"quote": quote, "label": "P"} for quote in ("bob", "Bob", "BOB")]
    rows = spanscope.locate({"a": "Bob met Bob."}, [{"id": "a", "spans": said}]).rows
    assert [row.start for row in rows].count(None) == 1
    assert {row.start for row in rows} == {0, 8, None}


def test_order_and_offsets_decide_together() -> None:
    text = "A pump. A valve. A pump. A seal. A pump."
    ordered = [{"quote": quote, "label": "P"} for quote in ("A valve", "A pump", "A seal")]
    assert [row.start for row in spanscope.locate({"a": text}, [{"id": "a", "spans": ordered}]).rows] == [
        8,
        17,
        25,
    ]
    hinted = [{"quote": "A pump", "label": "P", "start": 35, "end": 41}]
    (row,) = spanscope.locate({"a": text}, [{"id": "a", "spans": hinted}]).rows
    assert (row.start, row.place, row.moved) == (33, "offset", -2)
    (row,) = spanscope.locate({"a": text}, [{"id": "a", "spans": hinted}], offsets="ignore").rows
    assert (row.start, row.place) == (0, "open")


def test_outputs_without_ids_are_paired_by_position() -> None:
    found = spanscope.locate([{"text": "one"}, {"text": "two"}], [{"A": ["one"]}, {"A": ["one"]}])
    assert [row.status for row in found.rows] == ["exact", "not_found"]
    with pytest.raises(DocumentError, match="1 output without ids for 2 documents"):
        spanscope.locate([{"text": "one"}, {"text": "two"}], [{"A": ["one"]}])


def test_what_cannot_be_joined_is_refused() -> None:
    with pytest.raises(DocumentError, match="no text has the id 'b'"):
        spanscope.locate({"a": "x"}, [{"id": "b", "spans": []}])
    with pytest.raises(DocumentError, match="1 document without an output, such as 'a'"):
        spanscope.locate({"a": "x", "b": "y"}, [{"id": "b", "spans": []}])
    assert spanscope.locate({"a": "x", "b": "y"}, [{"id": "b", "spans": []}], missing="empty").without == ["a"]
    with pytest.raises(MeasureError, match="fuzzy is 2"):
        spanscope.locate({"a": "x"}, [{"id": "a", "spans": []}], fuzzy=2)


def test_fuzzy_can_be_turned_off() -> None:
    (row,) = spanscope.locate({"a": TEXT}, [{"id": "a", "spans": SAID[-1:]}], fuzzy=1).rows
    assert row.status == "not_found"


def test_the_command_writes_a_corpus_that_can_be_read(files, tmp_path: Path) -> None:
    done = run("locate", *files, "-o", tmp_path / "located.jsonl")
    assert done.code == 0, done.err
    (document,) = map(json.loads, (tmp_path / "located.jsonl").read_text(encoding="utf-8").splitlines())
    assert document["spans"][1] == {
        **{"start": 40, "end": 56, "label": "Duty", "text": "The  “final” fee", "quote": 'the "final" fee'},
        "locate": {
            **{"status": "normalised", "score": 1.0, "place": "only", "candidates": 1},
            "normalised": ["quotation marks", "white space", "case"],
        },
    }
    assert document["spans"][2]["start"] is None
    assert "not found        2   0.2500" in done.out
    assert "a number differs" in done.out


def test_views(files) -> None:
    rows = list(csv.DictReader(io.StringIO(run("locate", *files, "-f", "csv").out)))
    assert [row["status"] for row in rows][:3] == ["exact", "normalised", "not_found"]
    made = json.loads(run("locate", *files, "-f", "json").out)
    assert made["counts"]["not_found"] == 2
    assert {"label": "*", "share": "not_found", "value": 0.25, "number": 2, "items": 8}.items() <= next(
        one for one in made["shares"] if (one["share"], one["label"]) == ("not_found", "*")
    ).items()
    assert made["items"][2]["locate"]["nearest_text"] == "due in 30 days"
    assert "| not found" in run("locate", *files, "-f", "markdown").out


def test_gates(files) -> None:
    passed = run("locate", *files, "--fail-over", "not_found=0.25", "--fail-under", "grounded=0.6")
    assert passed.code == 0, passed.err
    missed = run("locate", *files, "--fail-over", "not_found[Term]=0.1")
    assert (missed.code, missed.err) == (1, "missed: not_found[Term] is 0.5, above 0.1\n")
    wrong = run("locate", *files, "--fail-under", "not_found=0.1")
    assert wrong.code == 2
    assert "--fail-over not_found=" in wrong.err


def test_broken_json_is_refused_or_repaired_and_counted(tmp_path: Path, files) -> None:
    (tmp_path / "raw.jsonl").write_text(json.dumps({"id": "a", "output": '{"P": ["Bob",]}'}), encoding="utf-8")
    refused = run("locate", files[0], tmp_path / "raw.jsonl")
    assert refused.code == 2
    column = 13 if sys.version_info >= (3, 13) else 14  # the comma, or what stands behind it
    assert f"raw.jsonl:1: the output is not valid JSON at line 1, column {column}" in refused.err
    assert "--repair-json" in refused.err
    mended = run("locate", files[0], tmp_path / "raw.jsonl", "--repair-json")
    assert mended.code == 0
    assert "JSON was repaired in 1 output." in mended.out


def test_raw_words_are_of_one_document_and_text(tmp_path: Path) -> None:
    texts = write(tmp_path / "texts.jsonl", [{"id": "a", "text": "Bob came."}, {"id": "b", "text": "Ann left."}])
    raw = tmp_path / "raw.txt"
    raw.write_bytes(b'Here:\n[{"text": "Caf\xe9", "label": "P"}]')
    assert "raw.txt: is not valid JSON" in refused(run("locate", texts, raw))
    one = write(tmp_path / "one.jsonl", [{"id": "a", "text": "Bob came."}])
    assert "raw.txt:2: byte 0xe9 is not UTF-8" in refused(run("locate", one, raw))


def test_raw_words_of_a_model_for_one_document(tmp_path: Path, files) -> None:
    (tmp_path / "raw.txt").write_text('Here you are:\n```json\n{"P": ["Bob"]}\n```\n', encoding="utf-8")
    assert "exact            1" in run("locate", files[0], tmp_path / "raw.txt").out


@pytest.mark.parametrize("policy", ["masked", "none"])
def test_no_text_is_shown_where_it_may_not(files, tmp_path: Path, policy: str) -> None:
    done = run("locate", *files, "--text", policy, "-o", tmp_path / "located.jsonl")
    shown = done.out + done.err + (tmp_path / "located.jsonl").read_text(encoding="utf-8")
    shown += run("locate", *files, "--text", policy, "-f", "csv").out
    assert not any(word in shown for word in ("Bob", "fee", "refund", "days"))


def test_repairs_of_gold_are_proposed_and_never_written(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    spans = [
        {"start": 2, "end": 5, "label": "P", "text": "Bob"},
        {"start": 4, "end": 7, "label": "V", "text": "met"},
    ]
    gold.write_text(json.dumps({"id": "a", "text": "Bob met Ann.", "spans": spans}) + "\n", encoding="utf-8")
    before = gold.read_bytes()
    done = run("locate", "--check", gold)
    assert done.code == 1
    assert '-{"id":"a","text":"Bob met Ann.","spans":[{"start":2,"end":5' in done.out
    assert '+{"id":"a","text":"Bob met Ann.","spans":[{"start":0,"end":3' in done.out
    assert "1 span moved to where its text stands" in done.err
    assert gold.read_bytes() == before
    spans[0] |= {"start": 0, "end": 3}
    gold.write_text(json.dumps({"id": "a", "text": "Bob met Ann.", "spans": spans}) + "\n", encoding="utf-8")
    assert run("locate", "--check", gold).code == 0


def test_answers_must_be_readable() -> None:
    with pytest.raises(InputError, match="the output is 3"):
        spanscope.locate({"a": "x"}, [3])


def test_outputs_without_any_quote_have_no_shares() -> None:
    """No resample has an item then, and no warning comes of it."""
    found = spanscope.locate({"a": "The fee is due."}, [{"id": "a", "spans": []}])
    assert math.isnan(found.share("not_found").value)
    assert found.table()
