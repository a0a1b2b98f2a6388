"""What PII evaluation shows: what was missed, and none of the text where it must not leave the house."""

import json
import re
from pathlib import Path

import pytest

import spanscope
from spanscope.errors import InputError
from spanscope.settings.options import grouped
from tests.cli import run, write
from tests.support import Json

WORDS = ("Quentin", "Zephyr", "Osnabrueck", "visited", "Waldemar", "Ulrike", "k4711x")
# PERSON "Quentin Zephyr" is found half (boundary), LOCATION not at all, ID is called PERSON (type).
GOLD = ("PERSON", "PERSON", "LOCATION", "O", "PERSON", "PERSON", "ID")
PRED = ("PERSON", "O", "O", "O", "PERSON", "PERSON", "PERSON2")
IO = spanscope.Reading(scheme="IO")
FORMATS = ("table", "json", "markdown", "latex", "csv")


def tagged(tags: tuple[str, ...], copies: int = 1) -> list[Json]:
    return [{"id": f"doc{n}", "tokens": list(WORDS), "tags": list(tags)} for n in range(copies)]


def evaluated(copies: int = 1, **options: str) -> spanscope.Result:
    return spanscope.evaluate(tagged(GOLD, copies), tagged(PRED, copies), protocol="pii", **grouped(options))  # type: ignore[arg-type]


def leak(document: str, kind: str, label: str, words: str, *exposed: str) -> Json:
    """Return the record of a leak of which the exposed words are all or a part."""
    text = " ".join(WORDS)

    def place(part: str) -> Json:
        return {"start": text.index(part), "end": text.index(part) + len(part), "text": part}

    pieces = [place(part) for part in exposed]
    number = sum(len(part) for part in exposed)
    return {
        "document": document,
        "kind": kind,
        "label": label,
        **place(words),
        "exposed": pieces,
        "characters": number,
    }


CITY = ("uncovered", "LOCATION", "Osnabrueck", "Osnabrueck")
NAME = ("partly covered", "PERSON", "Quentin Zephyr", "Zephyr")


# ---------------------------------------------------------------- what got out


def test_leaks_are_what_no_prediction_of_any_type_covers() -> None:
    """What is found under another type, as the ID here, is covered, so it does not get out."""
    assert evaluated().leaks() == [leak("doc0", *NAME), leak("doc0", *CITY)]


def test_a_leak_is_a_leak_whatever_the_measure_thinks_of_the_span() -> None:
    """Two of three words are enough for a match at 0.5, and the third still stands there."""
    words = ["Maria", "del", "Carmen", "Lopez", "met", "Zebulon", "Pike", "now"]
    gold = [{"tokens": words, "tags": ["P", "P", "P", "P", "O", "P", "P", "O"]}]
    pred = [{"tokens": words, "tags": ["P", "P", "P", "O", "O", "P", "P", "P"]}]
    result = spanscope.evaluate(gold, pred, protocol="pii")
    assert result.counts()["P"]["tp_gold"] == 1
    assert [(one["text"], one["exposed"][0]["text"]) for one in result.leaks()] == [
        ("Maria del Carmen Lopez", "Lopez")
    ]
    assert [(one["text"], one["beyond"][0]["text"]) for one in result.over_wide()] == [("Zebulon Pike now", "now")]


def test_the_table_adds_leaks_up_and_puts_the_most_frequent_first() -> None:
    gold, pred = tagged(GOLD, 3), tagged(PRED, 3)
    gold[0]["tags"] = [tag if tag == "PERSON" else "O" for tag in GOLD]  # no LOCATION to miss there
    pred[0]["tags"] = gold[1]["tags"][:3] + ["O"] * 4  # misses Waldemar Ulrike, finds the other one
    result = spanscope.evaluate(gold, pred, protocol="pii")
    assert listed(result.table(), "Leaks: texts that stay readable", 3) == [
        ["LOCATION", "uncovered", "Osnabrueck", "Osnabrueck", "2", "doc1"],
        ["PERSON", "partly covered", "Quentin Zephyr", "Zephyr", "2", "doc1"],
        ["PERSON", "uncovered", "Waldemar Ulrike", "Waldemar Ulrike", "1", "doc0"],
    ]


def listed(table: str, title: str, number: int) -> list[list[str]]:
    """Return the first rows under a title, cell by cell."""
    lines = table[table.index(f"\n{title}\n") :].splitlines()[4 : 4 + number]
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines]


def test_where_nothing_is_missed_nothing_leaks() -> None:
    result = spanscope.evaluate(tagged(GOLD), tagged(GOLD), protocol="pii")
    assert result.leaks() == result.over_wide() == []
    assert "texts that stay readable" not in result.table()


def test_the_table_has_leaked_characters_by_label_with_intervals() -> None:
    """Zephyr and Osnabrueck stay readable in both documents: 16 of 14 + 10 + 15 + 6 characters."""
    table = evaluated(2).table()
    rows = listed(table, "Leaks: characters that stay readable", 4)
    assert [row[:4] for row in rows] == [
        ["any", "32", "90", "0.3556"],
        ["LOCATION", "20", "20", "1.0000"],
        ["PERSON", "12", "58", "0.2069"],
        ["ID", "0", "12", "0.0000"],
    ]
    assert [row[-3:] for row in rows] == [["2", "2", "8"], ["2", "0", "2"], ["0", "2", "4"], ["0", "0", "2"]]


def test_the_json_lists_leaks_where_matches_are_asked_for() -> None:
    data = evaluated().to_dict(matches=True)
    assert (data["leaks"], data["over_wide"]) == (evaluated().leaks(), [])
    assert not {"leaks", "over_wide"} & evaluated().to_dict().keys()
    assert data["counts"]["tokens.leaks"]["PERSON"]["leaked"] == 6


def test_the_csv_has_leaked_characters_and_spans_by_label() -> None:
    lines = evaluated().table("csv").splitlines()
    (row,) = [line.split(",") for line in lines if line.startswith("tokens.leaks,leaked_spans,label,PERSON,")]
    assert float(row[4]) == 0.5


def test_the_table_says_how_many_more_there_are() -> None:
    words = [f"name{n:02}" for n in range(20)]
    gold = [{"id": n, "tokens": [word], "tags": ["PERSON"]} for n, word in enumerate(words)]
    pred = [{**doc, "tags": ["O"]} for doc in gold]
    result = spanscope.evaluate(gold, pred, protocol="pii")
    table = result.table()
    assert "5 more in the JSON (--matches)" in table
    assert [word for word in words if word in table] == words[:15]
    assert len(result.leaks()) == 20


def test_other_protocols_have_no_table_of_leaks() -> None:
    result = spanscope.evaluate(tagged(GOLD), tagged(PRED), protocol="tokens")
    assert "Leaks" not in result.table()


def test_what_leaks_can_be_asked_of_any_result_with_spans() -> None:
    for protocol in ("presidio", "tokens"):
        result = spanscope.evaluate(tagged(GOLD), tagged(PRED), protocol=protocol, read=IO)
        assert result.leaks() == evaluated().leaks(), protocol


def test_labels_that_are_not_scored_still_hide_what_they_cover() -> None:
    """k4711x is an ID found as PERSON2, which --labels leaves out: it is hidden all the same."""
    result = spanscope.evaluate(tagged(GOLD), tagged(PRED), protocol="pii", labels=["ID", "PERSON"])
    assert result.leaks() == [leak("doc0", *NAME)]
    assert result.counts("tokens.leaks")["ID"]["leaked"] == 0


# ---------------------------------------------------------------- recall by type


def test_recall_by_type_stands_beside_its_support() -> None:
    """Of two PERSON spans one is found, the other half; LOCATION and ID are not; PERSON2 has no gold."""
    result = evaluated()
    recall = {label: result.value("recall", label=label) for label in ("PERSON", "LOCATION", "ID")}
    assert recall == {"PERSON": 0.5, "LOCATION": 0.0, "ID": 0.0}
    table = result.table()
    lines = table[table.index("By label") :].splitlines()
    heads = re.split(r"\s{2,}", lines[1].strip())
    rows = {row[0]: dict(zip(heads, row, strict=True)) for row in (re.split(r"\s{2,}", x) for x in lines[3:7])}
    assert {label: (row["Recall"], row["Support"]) for label, row in rows.items()} == {
        "PERSON": ("0.5000", "2"),
        "ID": ("0.0000", "1"),
        "LOCATION": ("0.0000", "1"),
        "PERSON2": ("–", "0"),
    }


# ---------------------------------------------------------------- text that stays in


def written(folder: Path) -> tuple[Path, Path]:
    """Write both sides, with texts of spans that are not the document's: a data problem that could quote them."""
    text = " ".join(WORDS)
    gold = {"start": 0, "end": 14, "label": "PERSON", "text": "Theobald Yorick"}
    sides = ([gold], [{"start": 0, "end": 7, "label": "PERSON", "text": "Isidor"}])
    paths = []
    for name, spans in zip(("gold", "pred"), sides, strict=True):
        paths.append(write(folder / f"{name}.jsonl", [{"id": "d", "text": text, "spans": spans}]))
    return paths[0], paths[1]


def nowhere(output: str) -> None:
    """Check that no word of the text, nor of the spans, is in an output; in any case and in any escaping."""
    for word in (*WORDS, "Theobald", "Yorick", "Isidor"):
        assert word.lower() not in output.lower(), word


@pytest.mark.parametrize("how", ["masked", "none"])
@pytest.mark.parametrize("form", FORMATS)
def test_no_word_of_tagged_tokens_is_in_a_report(form: str, how: str, tmp_path: Path) -> None:
    gold, pred = (write(tmp_path / f"{n}.jsonl", tagged(t)) for n, t in (("gold", GOLD), ("pred", PRED)))
    more = {"json": ("--matches", "--documents"), "table": ("-n", "9")}.get(form, ())
    full = run("eval", gold, pred, "-p", "pii", "-f", form, *more)
    hidden = run("eval", gold, pred, "-p", "pii", "-f", form, *more, "--text", how)
    assert (full.code, hidden.code) == (0, 0)
    nowhere(hidden.out + hidden.err + hidden.noted)
    if form != "csv":  # which has figures only
        assert "Osnabrueck" in full.out


ANYWAY = ("--allow-different-texts",)  # all spans have other texts than their documents


@pytest.mark.parametrize("how", ["masked", "none"])
@pytest.mark.parametrize("form", FORMATS)
def test_no_word_of_spans_with_problems_is_in_a_report(form: str, how: str, tmp_path: Path) -> None:
    gold, pred = written(tmp_path)
    more = {"json": ("--matches", "--documents"), "table": ("-n", "9")}.get(form, ())
    hidden = run("eval", gold, pred, "-m", "tokens.presidio", "-f", form, *more, "--text", how, *ANYWAY)
    assert hidden.code == 0
    nowhere(hidden.out + hidden.err + hidden.noted)
    if form == "json":
        data = json.loads(hidden.out)
        assert data["problems"]["number"] == {"text mismatch": 2}
        assert [len(cases) for cases in data["problems"]["first"].values()] == [2]


def test_masked_text_keeps_its_shape_and_text_none_has_none() -> None:
    found = evaluated(text="masked").leaks()
    assert [(one["text"], one["exposed"][0]["text"]) for one in found] == [
        ("xxxxxxx xxxxxx", "xxxxxx"),
        ("x" * 10, "x" * 10),
    ]
    for one in evaluated(text="none").leaks():
        assert one["text"] is None
        assert {piece["text"] for piece in one["exposed"]} == {None}
    assert {m["gold"]["text"] for m in evaluated(text="none").matches() if m["gold"]} == {None}


@pytest.mark.parametrize("how", ["full", "masked", "none"])
def test_how_text_is_shown_moves_no_figure(how: str) -> None:
    assert repr(evaluated(text=how).rows) == repr(evaluated().rows)


def test_masked_text_hides_vowel_signs_too() -> None:
    text = "राहुल"
    gold = [{"id": 1, "text": text, "spans": [{"start": 0, "end": 5, "label": "PERSON"}]}]
    (found,) = spanscope.evaluate(gold, [{**gold[0], "spans": []}], "tokens.presidio", text="masked").leaks()
    assert not set(found["text"]) & set(text)


@pytest.mark.parametrize("how", ["masked", "none"])
def test_refusals_quote_no_text_either(how: str, tmp_path: Path) -> None:
    gold, pred = written(tmp_path)
    with pytest.raises(InputError) as refusal:
        spanscope.evaluate(gold, pred, "tokens.presidio", text=how, score=spanscope.Scoring(strict=True))  # type: ignore[arg-type]
    nowhere(str(refusal.value))
