"""The same spans give the same headline in whatever container they come; what spans do not allow is left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import MeasureError, Running
from tests.cli import run

# "University of Texas" against "University of": relaxed at 0.5 it is a match (IoU 13/19, 26/32 alike: 0.73), and
# exactly it is none.
TOKENS = ["The", "University", "of", "Texas", "called"]
GOLD, PRED = ["O", "B-ORG", "I-ORG", "I-ORG", "O"], ["O", "B-ORG", "I-ORG", "O", "O"]
TEXT = " ".join(TOKENS)
BUNDLE = [
    *("spans.exact", "spans.relaxed(threshold=0.5)", "spans.relaxed(threshold=0.8)"),
    *("spans.overlap", "spans.characters"),
]


def spans(*places: tuple[int, int], text: bool = True) -> list[dict[str, Any]]:
    own = [{"start": a, "end": b, "label": "ORG"} for a, b in places]
    return [{"id": 1, "spans": own, **({"text": TEXT} if text else {})}]


def conll(folder: Path) -> tuple[str, None]:
    lines = [f"{word} {gold} {pred}" for word, gold, pred in zip(TOKENS, GOLD, PRED, strict=True)]
    path = folder / "both.conll"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return str(path), None


CONTAINERS = {
    "character spans": lambda _: (spans((4, 23)), spans((4, 17))),
    "CoNLL": conll,
    "tokens with tags": lambda _: ([{"tokens": TOKENS, "tags": GOLD}], [{"tokens": TOKENS, "tags": PRED}]),
    "tags": lambda _: ([GOLD], [PRED]),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_one_headline_for_one_kind_of_data(container: str, tmp_path: Path) -> None:
    gold, pred = CONTAINERS[container](tmp_path)
    result = spanscope.evaluate(gold, pred, ci=False)
    assert result.settings.protocol.name == "spans"
    assert result.value() == result.value("f1") == 0.0
    assert str(result.settings.headline.measure) == "spans.exact(duplicates=list)"
    if container != "tags":  # which have no words to compare
        assert [one.short for one in result.measures] == BUNDLE
        assert result.value("f1", "spans.relaxed(threshold=0.5)") == 1.0


def test_tokens_is_another_name_of_it() -> None:
    assert spanscope.evaluate([GOLD], [PRED], protocol="tokens", ci=False).settings.protocol.name == "spans"


def test_reqflow_leads_with_relaxed_matches() -> None:
    result = spanscope.evaluate(spans((4, 23)), spans((4, 17)), protocol="reqflow", ci=False)
    assert result.value() == 1.0
    assert result.settings.headline.measure.short == "spans.relaxed(threshold=0.5)"


def test_what_needs_texts_is_left_out_without_them() -> None:
    result = spanscope.evaluate(spans((4, 23), text=False), spans((4, 17), text=False), ci=False)
    assert [one.short for one in result.measures] == ["spans.exact", "spans.overlap", "spans.characters"]
    assert result.problems.number == {"measure left out": 2}
    assert result.problems.first["measure left out"] == [
        f"{side}: spans.relaxed(threshold=0.5), spans.relaxed(threshold=0.8) left out: 1 span of this side has no "
        "text, which they compare"
        for side in ("gold", "pred")
    ]
    assert result.value("f1", "spans.overlap") == 1.0


@pytest.mark.parametrize("options", [{"measures": "spans.relaxed"}, {"protocol": "reqflow"}])
def test_what_was_asked_for_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(MeasureError, match="have no text"):
        spanscope.evaluate(spans((4, 23), text=False), spans((4, 17), text=False), ci=False, **options)


def test_empty_sides_need_no_texts() -> None:
    result = spanscope.evaluate(spans(text=False), spans(text=False), ci=False)
    assert [one.short for one in result.measures] == BUNDLE


@pytest.mark.parametrize("memory", ["counts", "totals"])
def test_portions_leave_out_alike(memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One document of many has no text: all portions are without what it does not allow, as the whole is."""
    import msgspec

    documents = [
        {"id": n, "spans": [{"start": 0, "end": 3, "label": "A"}], **({} if n == 3 else {"text": "abc"})}
        for n in range(8)
    ]
    path = tmp_path / "gold.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in documents))
    whole = spanscope.evaluate(str(path), str(path), ci=False)
    monkeypatch.setattr("spanscope.io.line_blocks.LINES", 3)
    monkeypatch.setattr("spanscope.engines.streaming.is_large", lambda *_: True)  # not to be read again as one
    found = spanscope.evaluate(str(path), str(path), ci=False, run=Running(memory=memory))  # type: ignore[arg-type]
    assert [one.short for one in found.measures] == ["spans.exact", "spans.overlap", "spans.characters"]
    assert found.rows == whole.rows
    assert found.problems.number["measure left out"] == whole.problems.number["measure left out"] == 2


def test_the_command_leads_with_it(tmp_path: Path) -> None:
    path, _ = conll(tmp_path)
    assert run("eval", path, "--fail-under", "f1=0.1").code == 1
    assert run("eval", path, "--fail-under", "spans.relaxed(threshold=0.5):f1=0.9").code == 0
