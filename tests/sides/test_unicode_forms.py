"""Texts in other Unicode forms are named: quotes in another form are no mismatches, documents count otherwise."""

from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

import spanscope
from spanscope.errors import InputError
from tests.cli import run, write

NFC = "Caf\N{LATIN SMALL LETTER E WITH ACUTE} M\N{LATIN SMALL LETTER U WITH DIAERESIS}ller met Ann."
NFD = normalize("NFD", NFC)
GOLD = [{"id": "1", "text": NFC, "spans": [{"start": 0, "end": 11, "label": "ORG"}]}]
QUOTED = {"start": 0, "end": 11, "label": "ORG", "text": normalize("NFD", NFC[:11])}


def document(**more: Any) -> dict[str, Any]:
    return {"id": "1", "spans": [QUOTED, {**QUOTED, "label": "PER"}], **more}


@pytest.mark.parametrize("text", [{"text": NFC}, {}])
def test_quotes_in_another_form_are_no_mismatches(text: dict[str, str], tmp_path: Path) -> None:
    """Held against their own document, and against gold's where their file has no texts."""
    pred = write(tmp_path / "p.jsonl", [document(**text)])
    for options in ({}, {"measures": "spans.text"}):
        found = spanscope.evaluate(GOLD, pred, ci=False, **options)  # type: ignore[arg-type]
        assert found.problems.number == {"Unicode form": 2}
        assert (found.value("recall"), found.value("precision")) == (1, 0.5)
    assert found.problems.first["Unicode form"][0] == (
        f"{pred}:1: spans[0].text is in NFD, the document has the same text in NFC at 0..11"
    )


def test_check_and_read_name_them(tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", [document(text=NFC)])
    done = run("check", path)
    assert done.code == 1
    assert "2 x Unicode form" in done.err
    assert [one.kind for one in spanscope.read(path).problems] == ["Unicode form"] * 2


def test_offsets_that_count_another_form_say_so() -> None:
    """The offsets of the document in NFD, in which a syllable of Korean is two letters (in UTF-8 three bytes)."""
    text = "\N{HANGUL SYLLABLE GA}\N{HANGUL SYLLABLE NA} Ann left."
    start = normalize("NFD", text).index("Ann")
    spans = [{"start": start, "end": start + 3, "label": "PER", "text": "Ann"}] * 2
    (first, _) = spanscope.read([{"id": "1", "text": text, "spans": spans}]).problems
    assert first.kind == "text mismatch"
    assert first.what.endswith("and the right text if it were in the Unicode form NFD")


def test_documents_in_another_form_are_named() -> None:
    gold = [{**GOLD[0], "id": str(number)} for number in range(3)]
    pred = [{**one, "text": NFD, "spans": []} for one in gold]
    with pytest.raises(InputError, match="this one in the Unicode form NFD instead of NFC") as refusal:
        spanscope.evaluate(gold, pred, ci=False)
    assert 'unicodedata.normalize("NFC", text)' in str(refusal.value)
    found = spanscope.evaluate(gold[:1], pred[:1], ci=False)
    assert "the text is in the Unicode form NFD" in found.problems.first["different texts"][0]


def test_passages_in_another_form_than_their_file(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/a.txt").write_text(NFC, encoding="utf-8")
    passage = {"file_path": "a.txt", "span": [0, 11], "text": QUOTED["text"]}
    pred = [{"query": "q", "retrieved_passages": [passage]}]
    corpus = spanscope.read(pred, corpus=tmp_path / "texts")
    (problem,) = corpus.problems
    assert problem.what == "retrieved_passages[0] has its text in NFD, 'a.txt' has the same in NFC there"
