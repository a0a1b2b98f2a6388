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
FORMATS = ("table", "json", "markdown", "latex", "csv")


def tagged(tags: tuple[str, ...], copies: int = 1) -> list[Json]:
    return [{"id": f"doc{n}", "tokens": list(WORDS), "tags": list(tags)} for n in range(copies)]


def evaluated(copies: int = 1, **options: str) -> spanscope.Result:
    return spanscope.evaluate(tagged(GOLD, copies), tagged(PRED, copies), protocol="pii", **grouped(options))  # type: ignore[arg-type]


def leak(label: str, kind: str, text: str | None, number: int = 1) -> Json:
    return {"label": label, "kind": kind, "text": text, "number": number}


# ---------------------------------------------------------------- what got out


def test_leaks_are_gold_spans_that_nothing_covers_well_enough() -> None:
    """What is found under another type is covered, so it does not get out."""
    assert evaluated().leaks() == [
        leak("LOCATION", "missing", "Osnabrueck"),
        leak("PERSON", "boundary", "Quentin Zephyr"),
    ]


def test_leaks_are_added_up_and_the_most_frequent_stand_first() -> None:
    gold, pred = tagged(GOLD, 3), tagged(PRED, 3)
    gold[0]["tags"] = [tag if tag == "PERSON" else "O" for tag in GOLD]  # no LOCATION to miss there
    pred[0]["tags"] = gold[1]["tags"][:3] + ["O"] * 4  # misses Waldemar Ulrike, finds the other one
    result = spanscope.evaluate(gold, pred, protocol="pii")
    assert result.leaks() == [
        leak("LOCATION", "missing", "Osnabrueck", 2),
        leak("PERSON", "boundary", "Quentin Zephyr", 2),
        leak("PERSON", "missing", "Waldemar Ulrike"),
    ]


def test_where_nothing_is_missed_nothing_leaks() -> None:
    result = spanscope.evaluate(tagged(GOLD), tagged(GOLD), protocol="pii")
    assert result.leaks() == []
    assert "Leaks" not in result.table()


def test_the_table_lists_what_got_out() -> None:
    table = evaluated(2).table()
    lines = table[table.index("\nLeaks\n") :].splitlines()
    found = [line.split("  ") for line in lines[4:6]]
    assert [[cell.strip() for cell in row if cell.strip()] for row in found] == [
        ["LOCATION", "missing", "Osnabrueck", "2"],
        ["PERSON", "boundary", "Quentin Zephyr", "2"],
    ]


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


def test_the_tool_names_no_errors_so_it_has_no_leaks() -> None:
    assert spanscope.evaluate(tagged(GOLD), tagged(PRED), protocol="presidio").leaks() == []


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


@pytest.mark.parametrize("how", ["masked", "none"])
@pytest.mark.parametrize("form", FORMATS)
def test_no_word_of_spans_with_problems_is_in_a_report(form: str, how: str, tmp_path: Path) -> None:
    gold, pred = written(tmp_path)
    more = {"json": ("--matches", "--documents"), "table": ("-n", "9")}.get(form, ())
    hidden = run("eval", gold, pred, "-m", "tokens.presidio", "-f", form, *more, "--text", how)
    assert hidden.code == 0
    nowhere(hidden.out + hidden.err + hidden.noted)
    if form == "json":
        data = json.loads(hidden.out)
        assert data["problems"]["number"] == {"text mismatch": 2}
        assert [len(cases) for cases in data["problems"]["first"].values()] == [2]


def test_masked_text_keeps_its_shape_and_text_none_has_none() -> None:
    assert evaluated(text="masked").leaks() == [
        leak("LOCATION", "missing", "x" * 10),
        leak("PERSON", "boundary", "xxxxxxx xxxxxx"),
    ]
    assert {one["text"] for one in evaluated(text="none").leaks()} == {None}
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
