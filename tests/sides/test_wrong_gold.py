"""Gold that is not the predictions' gold: refused, and where that is meant said before the figures, everywhere."""

import json
import re
from pathlib import Path
from unittest import mock

import pytest

import spanscope
from spanscope import Scoring
from tests.cli import GOLD, PRED, TRACES, refused, run, write
from tests.support import documents, needs

MEANT, ALLOWED = "--allow-different-texts", spanscope.Scoring(allow_different_texts=True)
HEAD = "The figures are in doubt"
ALL = "50 x different texts (in 50 of 50 documents)"
LINE = f"data problems: {ALL}, 3 x duplicate; spanscope check GOLD PRED lists them all\n"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Return the example's predictions on other texts: each has a sentence more, so that all offsets are valid."""
    rows = [json.loads(line) for line in PRED.read_text(encoding="utf-8").splitlines()]
    return write(tmp_path / "wrong.jsonl", [row | {"text": row["text"] + " Not so."} for row in rows])


def test_wrong_gold_is_refused(wrong: Path) -> None:
    done = run("eval", GOLD, wrong)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"{wrong}:1: 50 of 50 documents have another text than gold has (this one at {GOLD}:1)\n"
        "  expected  gold and predictions for the same texts\n"
        "  try       --allow-different-texts   to score them by their offsets all the same\n"
    )
    for memory in ("counts", "totals"):
        assert run("eval", GOLD, wrong, "--memory", memory, "--no-ci").err == done.err
    for words in (("report", "-o", "page.html"), ("compare", PRED), ("plot", "labels", "-o", "figure.svg")):
        asked = (
            (words[0], GOLD, wrong, *words[1:])
            if words[0] != "plot"
            else ("plot", "labels", GOLD, wrong, *words[2:])
        )
        done = run(*asked)
        assert done.code == 2
        assert "50 of 50 documents have another text than gold has" in done.err


@pytest.mark.parametrize(
    ("different", "documents", "refused"),
    [(1, 1, False), (1, 5, False), (2, 20, False), (2, 19, True), (3, 29, True), (3, 30, False), (2, 2, True)],
)
def test_at_least_two_and_more_than_a_tenth(different: int, documents: int, refused: bool) -> None:
    gold = [{"id": n, "text": "ab", "spans": [[0, 1, "A"]]} for n in range(documents)]
    pred = [row | {"text": "xb"} if row["id"] < different else row for row in gold]
    if refused:
        with pytest.raises(spanscope.InputError, match=f"{different} of {documents} documents have another text"):
            spanscope.evaluate(gold, pred, "spans.exact", ci=False)
    else:
        found = spanscope.evaluate(gold, pred, "spans.exact", ci=False)
        assert found.problems.number == {"different texts": different}


def test_documents_that_one_side_lacks_are_not_shared() -> None:
    """Two of the eleven documents that both have differ, of the forty of gold far fewer than a tenth."""
    gold = [{"id": n, "text": "ab", "spans": [[0, 1, "A"]]} for n in range(40)]
    pred = [row | {"text": "xb"} if row["id"] < 2 else row for row in gold[:11]]
    with pytest.raises(spanscope.InputError, match="2 of 11 documents have another text"):
        spanscope.evaluate(gold, pred, "spans.exact", ci=False, missing="empty")


@pytest.mark.parametrize(
    ("gold", "pred", "start", "same"),
    [
        ("abc def", "abc def \n", 4, True),  # white space at the end
        ("abc\r\ndef", "abc\ndef", 0, True),  # the span ends before the line does
        ("abc\r\ndef", "abc\ndef", 4, False),  # and here it lies behind the end of the line
        ("abc\rdef", "abc\ndef", 4, True),  # one character each
        ("\ufeffabc", "abc", 1, False),  # all offsets move
        ("abc def", "abc  def", 0, False),  # other white space is another text
    ],
)
def test_what_moves_no_offset_is_no_difference(gold: str, pred: str, start: int, same: bool) -> None:
    rows = [
        [{"id": 1, "text": text, "spans": [{"start": start, "end": start + 2, "label": "A"}]}]
        for text in (gold, pred)
    ]
    found = spanscope.evaluate(*rows, "spans.exact", ci=False)
    assert found.problems.number == ({} if same else {"different texts": 1})


def test_protocols_that_copy_a_tool_only_report() -> None:
    gold = [{"id": n, "text": "ab", "spans": [{"start": 0, "end": 1, "tag": "Action"}]} for n in range(3)]
    pred = [row | {"text": "xb"} for row in gold]
    assert spanscope.evaluate(gold, pred, protocol="reqflow-v2", ci=False).value("f1", "spans.exact") == 1.0


def test_a_table_says_it_first(wrong: Path, tmp_path: Path) -> None:
    done = run("eval", GOLD, wrong, MEANT)
    lines = done.out.splitlines()
    assert lines[:2] == [HEAD, f"  {ALL}"]
    said = " ".join(done.out.partition("\n\n")[0].split())
    assert f"{wrong}:1: the text differs from the text of the same document at {GOLD}:1" in said
    assert said.endswith(
        "Figures are computed from the offsets; --strict refuses such data. spanscope check GOLD "
        "PRED lists them all."
    )
    assert done.out.partition("\n\n")[2].startswith("Gold ")
    assert done.out.count("different texts") == 1  # not once more below
    assert done.out.index("different texts") < done.out.index("0.7446") < done.out.index("3 x duplicate")
    assert done.noted == ""
    target = tmp_path / "table.txt"
    done = run("eval", GOLD, wrong, MEANT, "-o", target)
    assert done.noted == LINE.replace(", 3 x duplicate", "")
    assert target.read_text(encoding="utf-8").startswith(f"{HEAD}\n")


def test_tables_in_python_and_on_terminals(wrong: Path) -> None:
    result = spanscope.evaluate(GOLD, wrong, "spans.exact", ci=False, score=ALLOWED)
    assert str(result).startswith(f"{HEAD}\n  {ALL}\n")
    assert result.table(examples=2).startswith(f"{HEAD}\n  {ALL}\n")  # rich's, as on a terminal


def test_markdown_says_it_first(wrong: Path) -> None:
    lines = run("eval", GOLD, wrong, MEANT, "-f", "markdown").out.splitlines()
    assert lines[:5] == ["# Evaluation", "", f"## {HEAD}", "", lines[4]]
    assert lines[4].startswith(f"- {ALL}; first: {wrong}:1: the text differs")
    below = lines.index("## Data problems")
    assert lines[below + 2].startswith("- 3 x duplicate; first: ")
    assert lines[below + 3] == ""
    assert lines[below + 4].startswith("`spans.exact")


@pytest.mark.parametrize("form", ["json", "csv", "latex", "reqflow-csv", "markdown"])
def test_other_forms_say_it_on_the_side(form: str, wrong: Path) -> None:
    options = ("-p", "reqflow") if form == "reqflow-csv" else ()
    assert run("eval", GOLD, wrong, MEANT, "-f", form, *options).noted == LINE


def test_it_is_said_before_the_output(wrong: Path) -> None:
    both = mock.Mock()
    with (
        mock.patch("spanscope.cli.writing.put_text", both.figures),
        mock.patch("spanscope.cli.writing.typer.echo", both.said),
    ):
        run("eval", GOLD, wrong, MEANT, "-f", "csv", "-m", "spans.exact", "--no-ci")
    assert [name for name, _, _ in both.mock_calls] == ["said", "figures"]
    assert both.said.call_args.args[0] == LINE.strip()


def test_report_and_view_say_it(wrong: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert run("report", GOLD, wrong, MEANT, "-o", target, "--no-ci").noted == LINE
    page = target.read_text(encoding="utf-8")
    above = page.partition('<main id="static">')[0]
    assert f"<p>{HEAD}: {ALL}</p></aside>" in above  # before the figures, and it stays when the page is drawn
    with mock.patch("webbrowser.open"):
        assert run("view", GOLD, wrong, MEANT, "--no-ci").noted == LINE
    right = tmp_path / "right.html"
    done = run("report", GOLD, PRED, "-o", right, "--no-ci")
    assert done.noted == "data problems: 3 x duplicate; spanscope check GOLD PRED lists them all\n"
    assert "<aside" not in right.read_text(encoding="utf-8").partition('<main id="static">')[0]


def test_compare_says_it(wrong: Path, tmp_path: Path) -> None:
    asked = ("compare", GOLD, PRED, f"second={wrong}", "-m", "spans.exact", "--trials", "5", MEANT)
    done = run(*asked)
    assert done.out.startswith(f"The figures of second are in doubt: {ALL}\n\n")
    assert (done.out.count("different texts"), done.noted) == (1, "")
    assert "\nData problems of second: 3 x duplicate\n" in done.out
    lines = run(*asked, "-f", "markdown").out.splitlines()
    assert lines[2] == f"- **The figures of second are in doubt: {ALL}**"
    of_second = f"second: {ALL}, 3 x duplicate; spanscope check GOLD PRED lists them all\n"
    for form in ("json", "csv", "latex"):
        assert run(*asked, "-f", form).noted == f"data problems: {PRED}: 3 x duplicate; {of_second}"
    page = tmp_path / "page.html"
    run(*asked, "-f", "csv", "--html", page)
    assert (
        f"The figures of second are in doubt: {ALL}"
        in page.read_text(encoding="utf-8").partition('id="static"')[0]
    )


def test_files_of_one_system_are_counted_together(wrong: Path) -> None:
    """Two files of 50 documents, all of them on other texts."""
    found = spanscope.compare(
        str(GOLD),
        ("a", str(PRED)),
        ("b", str(wrong)),
        ("b", str(wrong)),
        measures="spans.exact",
        trials=5,
        score=ALLOWED,
    )
    assert "of b are in doubt: 100 x different texts (in 100 of 100 documents)" in found.table()


@pytest.mark.parametrize("kind", ["labels", "compare"])
def test_plot_says_it(kind: str, wrong: Path, tmp_path: Path) -> None:
    needs("matplotlib")
    files = (GOLD, wrong) if kind == "labels" else (GOLD, PRED, f"second={wrong}")
    done = run("plot", kind, *files, "-o", tmp_path / "figure.svg", "-m", "spans.exact", MEANT)
    assert done.code == 0
    assert ALL in done.noted


def test_other_kinds_of_doubt(tmp_path: Path) -> None:
    gold = documents("A[0,1]", "A[2,3]")
    empty = spanscope.evaluate(gold, gold, "spans.exact", labels=["A", "Acton"], ci=False)
    assert str(empty).startswith(f"{HEAD}\n  1 x unseen label (2 documents scored)\n")
    text = [{"id": 1, "text": "ab", "spans": [{"start": 0, "end": 1, "label": "A", "text": "b"}]}]
    anyway = Scoring(allow_different_texts=True)
    quoted = spanscope.evaluate(text, text, "spans.exact", ci=False, score=anyway)
    assert str(quoted).startswith(f"{HEAD}\n  2 x text mismatch (1 document scored)\n")
    one, two = ([{"id": name, "spans": [[0, 1, "A"]]}] for name in ("x", "y"))
    apart = spanscope.evaluate(one, two, "spans.exact", missing="empty", extra="skip", ci=False)
    assert str(apart).startswith(f"{HEAD}\n  1 x nothing in common (1 document scored)\n")
    assert "\nData problems\n  1 x missing document\n" in str(apart)  # as the caller asked for


def test_a_panel_says_it_first(tmp_path: Path) -> None:
    """Two segmentations of different documents have nothing in common."""
    rows = [
        {"id": 1, "text": "ab", "segmentations": {"Gold": {"masses": [1, 1]}, "A": {"masses": [2]}}},
        {"id": 2, "text": "ab", "segmentations": {"Gold": {"masses": [1, 1]}, "B": {"masses": [2]}}},
    ]
    asked = ("eval", write(tmp_path / "panel.jsonl", rows), "--missing", "skip", "--extra", "skip")
    done = run(*asked)
    assert done.out.startswith(f"{HEAD}: 1 x nothing in common (2 documents scored)\n")
    assert re.search(r"\nData problems: \d+ x missing document\n", done.out)
    assert "1 x nothing in common (2 documents scored), 2 x missing document" in run(*asked, "-f", "csv").noted
    assert f"## {HEAD}\n\n- 1 x nothing" in run(*asked, "-f", "markdown").out.partition("## Pairs")[0]


def test_agree_says_it_first(tmp_path: Path) -> None:
    """Both annotators quote what their own document has not, and their texts differ."""
    span = {"start": 0, "end": 2, "label": "A", "text": "zz"}
    files = [
        write(tmp_path / f"{text}.jsonl", [{"id": n, "text": text, "spans": [span]} for n in range(3)])
        for text in ("abc", "xbc", "xyc")
    ]
    done = run("agree", *files[:2], MEANT, "-m", "f1", "--no-ci")
    words = "3 x different texts (in 3 of 3 documents){} 6 x text mismatch (3 documents scored)"
    assert done.out.startswith(f"{HEAD}: {words.format(';')}\n\n")
    assert done.noted == ""
    done = run("agree", *files[:2], MEANT, "-m", "f1", "--no-ci", "-f", "csv")
    assert done.noted == f"data problems: {words.format(',')}; spanscope check A B lists them all\n"
    assert (
        f"# Agreement\n\n**{HEAD}: "
        in run("agree", *files[:2], MEANT, "-m", "f1", "--no-ci", "-f", "markdown").out
    )
    done = run("agree", *files, MEANT, "-m", "f1", "--no-ci")
    assert done.out.startswith(f"{HEAD}: 6 x different texts (3 documents scored); ")  # of two, against the first


def test_annotators_with_other_texts_are_refused(tmp_path: Path) -> None:
    """Two of four documents have another text; without texts to compare, nothing is refused."""
    spans = [{"start": 0, "end": 2, "label": "A"}]
    ours = [{"id": n, "text": "abcd", "spans": spans} for n in range(4)]
    theirs = [{"id": n, "text": "xyz" if n < 2 else "abcd", "spans": spans} for n in range(4)]
    first, second = write(tmp_path / "a.jsonl", ours), write(tmp_path / "b.jsonl", theirs)
    told = refused(run("agree", first, second, "-m", "f1", "--no-ci"))
    assert told.startswith(f"{second}:1: 2 of 4 documents have another text than another annotator has")
    assert "--allow-different-texts" in told
    assert run("agree", first, second, MEANT, "-m", "f1", "--no-ci").code == 0
    with pytest.raises(spanscope.InputError, match="2 of 4 documents"):
        spanscope.agree(first, first, second, measures=["f1"], ci=False)
    meant = spanscope.agree(
        first, second, measures=["f1"], ci=False, score=spanscope.Scoring(allow_different_texts=True)
    )
    assert meant.value("f1") == 1.0
    assert meant.settings["allow_different_texts"] is True
    with pytest.raises(spanscope.MeasureError, match="strict has no effect on agreement"):
        spanscope.agree(first, second, score=spanscope.Scoring(strict=True))


def test_nothing_is_said_of_good_data() -> None:
    for words in (("demo",), ("demo", "segments"), ("eval", GOLD, PRED), ("eval", TRACES)):
        done = run(*words)
        assert HEAD not in done.out
        assert done.noted == ""


def test_a_plan_from_a_pilot_in_doubt_says_so(wrong: Path, tmp_path: Path) -> None:
    run("eval", GOLD, wrong, MEANT, "-m", "spans.exact", "--keep", "-o", tmp_path / "kept.json")
    done = run("plan", tmp_path / "kept.json", "--detect", "0.05")
    assert done.code == 0
    assert "data problems of the pilot: 50 x different texts (in 50 of 50 documents)" in done.err
