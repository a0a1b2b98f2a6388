"""What the commands print, held against files looked at by people.

python -m tests.cli.test_cli --write    rewrites the files in tests/cli/golden; read the difference then
"""

import importlib
import io
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest
from typer.main import get_command

import spanscope
from spanscope.cli import main, program
from spanscope.cli.app import app
from spanscope.cli.help import COMMANDS as LISTED
from spanscope.cli.progress import Bar
from tests.cli import EXAMPLES, GOLD, PRED, TRACES, Done, environment, run, write

GOLDEN = Path(__file__).parent / "golden"
SAMPLE = (GOLD.name, PRED.name)
COMMANDS: dict[str, tuple[str, ...]] = {
    "table.txt": ("eval", *SAMPLE),
    "examples.txt": ("eval", *SAMPLE, "-m", "spans.exact", "-n", "6", "--digits", "2", "--meta", "model=demo"),
    "semeval.txt": ("eval", *SAMPLE, "-p", "semeval"),
    "report.md": ("eval", *SAMPLE, "-f", "markdown"),
    "scores.csv": ("eval", *SAMPLE, "-f", "csv"),
    "tables.tex": ("eval", *SAMPLE, "-f", "latex"),
    "result.json": ("eval", *SAMPLE, "-f", "json"),
    "measures.txt": ("measures",),
    "relaxed.txt": ("measures", "spans.relaxed"),
    "protocols.txt": ("protocols",),
    "check.txt": ("check", *SAMPLE),
    "panel.txt": ("eval", TRACES.name),
    "panel.md": ("eval", TRACES.name, "-f", "markdown", "-m", "segments.b_score", "-m", "segments.pk"),
    "panel.csv": ("eval", TRACES.name, "-f", "csv", "-m", "segments.boundaries"),
    "panel.tex": ("eval", TRACES.name, "-f", "latex"),
    "panel.json": ("eval", TRACES.name, "-f", "json", "-m", "segments.boundaries"),
    "rt_seg.txt": ("eval", TRACES.name, "-p", "rt-seg", "--gold", "Sentences"),
    "edit_distance.txt": ("measures", "segments.edit_distance"),
}


def settled(name: str, text: str) -> str:
    """Return an output without what changes from run to run and from version to version."""
    if name.endswith(".json"):
        data = json.loads(text)
        for part in (data, *data.get("methods", {}).values()):
            part.pop("timings", None)
            del part["spanscope"]
        text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    return re.sub(r"spanscope:[0-9][^\s\"`|]*", "spanscope:VERSION", text)


def output(name: str) -> str:
    """Return what a golden command prints, run in the folder of the examples."""
    before = Path.cwd()
    os.chdir(EXAMPLES)
    try:
        done = run(*COMMANDS[name])
    finally:
        os.chdir(before)
    assert done.code == (1 if name == "check.txt" else 0), done.err
    return settled(name, done.out)


@pytest.mark.parametrize("name", COMMANDS)
def test_golden(name: str) -> None:
    assert output(name) == (GOLDEN / name).read_text(encoding="utf-8")


def test_no_other_golden_files() -> None:
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(COMMANDS)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name.endswith(".txt")])
def test_plain_output_is_plain(name: str) -> None:
    """Piped output has no colour codes, and fits the width of a page."""
    text = output(name)
    assert "\x1b" not in text
    assert max(len(line) for line in text.splitlines() if "|spanscope:" not in line) <= 115


def test_lines_do_not_end_in_blanks() -> None:
    text = output("table.txt")
    assert [line for line in text.splitlines() if line != line.rstrip()] == []


# ---------------------------------------------------------------- gates


def gated(*gates: str, measure: str = "spans.exact") -> Done:
    options = [part for gate in gates for part in ("--fail-under", gate)]
    return run("eval", GOLD, PRED, "-m", measure, "-f", "csv", *options)


def test_gates_met() -> None:
    """On the example corpus micro F1 of spans.exact is 0.6218."""
    done = gated("micro_f1=0.62", "f1=0.6", "macro_recall=0.4", "recall[Main_actor]=0.9", "document_f1=0")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("measure,rate,average,label,value,")


def test_gates_missed() -> None:
    done = gated("micro_f1=0.63", "precision=0.1", "recall[Exception]=0.5")
    assert done.code == 1
    assert done.out.startswith("measure,")
    assert done.err == ("missed: micro_f1 is 0.6218, below 0.63\nmissed: recall[Exception] is 0.2, below 0.5\n")


def test_a_gate_at_the_very_figure_is_met(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{"id": 1, "spans": [[0, 1, "A"]]}])
    assert run("eval", path, path, "-m", "spans.exact", "--fail-under", "f1=1").code == 0


def test_a_gate_on_an_undefined_figure_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{"id": 1, "spans": []}])
    done = run("eval", path, path, "-m", "spans.exact", "--fail-under", "micro_f1=0", "-f", "csv")
    assert (done.code, done.err.splitlines()[0]) == (
        2,
        "micro_f1 is undefined: neither side has anything to count",
    )


def test_gates_of_another_measure() -> None:
    gates = ("--fail-under", "spans.exact:micro_f1=0.9", "--fail-under", "spans.relaxed(threshold=0.8):f1=0.6")
    done = run("eval", GOLD, PRED, "-f", "csv", *gates)
    assert (done.code, done.err) == (1, "missed: spans.exact:micro_f1 is 0.6218, below 0.9\n")


UNREADABLE = "\n  expected  a form such as micro_f1=0.75\n"


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("micro_f1", f"cannot read the gate 'micro_f1'{UNREADABLE}"),
        ("micro_f1=high", f"cannot read the gate 'micro_f1=high'{UNREADABLE}"),
        ("micro_f1=nan", f"cannot read the gate 'micro_f1=nan'{UNREADABLE}"),
        ("=0.5", f"cannot read the gate '=0.5'{UNREADABLE}"),
        ("micro f1=0.5", f"cannot read the gate 'micro f1=0.5'{UNREADABLE}"),
        ("f2=0.5", "spans.exact(duplicates=list) has no rate 'f2'\n  expected  f1 or precision or recall\n"),
        ("spans.iou:f1=0", "spans.iou(threshold=0.5) was not run\n  expected  spans.exact\n"),
    ],
)
def test_gates_that_cannot_be_read(gate: str, message: str) -> None:
    done = gated(gate)
    assert (done.code, done.err) == (2, message)


def test_a_gate_of_a_label_that_is_not_there() -> None:
    done = gated("recall[Actor]=0.5")
    assert done.code == 2
    assert done.err.startswith("spans.exact(duplicates=list) has no label 'Actor'")


# ---------------------------------------------------------------- options


def test_meta() -> None:
    done = run("eval", GOLD, PRED, "--meta", "model=gpt=4 [x]", "--meta", "prompt=v2", "-f", "json")
    assert json.loads(done.out)["meta"] == {"model": "gpt=4 [x]", "prompt": "v2"}
    head = run("eval", GOLD, PRED, "--meta", "model=gpt=4 [x]").out.splitlines()[0].split()
    assert head == ["Model", "gpt=4", "[x]"]
    assert "- model: m\n" in run("eval", GOLD, PRED, "--meta", "model=m", "-f", "markdown").out


@pytest.mark.parametrize(("digits", "figure"), [("0", "1"), ("1", "0.7"), ("6", "0.744554")])
def test_digits(digits: str, figure: str) -> None:
    for form in ("table", "markdown", "latex"):
        rows = run("eval", GOLD, PRED, "--digits", digits, "-f", form).out.splitlines()
        row = next(row for row in rows if "spans.relaxed(threshold=0.5)" in row and len(row.split()) > 5)
        assert figure in row.split()


ENDINGS = {
    "a.json": "{\n",
    "a.csv": "measure,rate,",
    "a.md": "# Evaluation\n",
    "a.tex": "% spans.exact(",
    "a.txt": "Gold ",
}


@pytest.mark.parametrize("name", ENDINGS)
def test_output_by_ending(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    done = run("eval", GOLD, PRED, "-o", path)
    assert (done.code, done.out, done.err) == (0, "", f"wrote {path}\n")
    assert path.read_text(encoding="utf-8").startswith(ENDINGS[name])
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_output_in_a_form_of_choice(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    assert run("eval", GOLD, PRED, "-f", "csv", "-o", path).code == 0
    assert path.read_text().startswith("measure,rate,")


def test_output_and_standard_output_agree(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    run("eval", GOLD, PRED, "-o", path)
    assert path.read_text(encoding="utf-8") == run("eval", GOLD, PRED).out


def test_matches_and_documents() -> None:
    data = json.loads(run("eval", GOLD, PRED, "-f", "json", "--matches", "--documents").out)
    assert len(data["by_document"]) == 5
    assert {len(records) for records in data["by_document"].values()} == {50}
    assert sum(record["gold"] is not None for record in data["matches"]) == data["inputs"]["gold"]["spans"]
    plain = json.loads(run("eval", GOLD, PRED, "-f", "json").out)
    assert not {"matches", "by_document"} & set(plain)


def test_matches_by_ending(tmp_path: Path) -> None:
    assert run("eval", GOLD, PRED, "--matches", "-o", tmp_path / "a.json").code == 0
    assert "matches" in json.loads((tmp_path / "a.json").read_text())


def test_standard_input() -> None:
    done = run("eval", "-", PRED, "-f", "json", stdin=GOLD.read_bytes())
    data = json.loads(done.out)
    assert data["inputs"]["gold"]["path"] == "-"
    assert data["rows"] == json.loads(run("eval", GOLD, PRED, "-f", "json").out)["rows"]


def test_version() -> None:
    assert run("--version") == Done(0, f"spanscope {spanscope.__version__}\n", "")


def test_help() -> None:
    for args in (("--help",), ("-h",), ("eval", "--help"), ("check", "-h"), ("demo", "-h"), ("measures", "-h")):
        done = run(*args)
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith("Usage: spanscope")


def test_every_command_of_a_module_is_listed() -> None:
    """Modules add their commands when they are loaded; what is not listed could not be called."""
    for module in {*LISTED.values()}:
        importlib.import_module(f"spanscope.cli.{module}")
    added = [one.name or one.callback.__name__ for one in app.registered_commands]  # type: ignore[union-attr]
    assert sorted(added) == sorted(LISTED)
    assert list(get_command(program()).commands) == [*LISTED]  # type: ignore[attr-defined]


def test_a_command_is_the_same_with_and_without_the_others() -> None:
    """A program that is started for one command has only this one; its help and its refusals do not show it."""
    commands = sorted(get_command(program()).commands)  # type: ignore[attr-defined]
    alone = {name: (run(name, "--help"), run(name, "--no-such-option")) for name in commands}
    with mock.patch("spanscope.cli.program", return_value=program()):
        assert alone == {name: (run(name, "--help"), run(name, "--no-such-option")) for name in commands}


def test_data_problems_are_said_beside_reports_that_do_not_show_them() -> None:
    done = run("eval", GOLD, PRED, "-f", "csv")
    assert done.noted == "data problems: 3 x duplicate; spanscope check GOLD PRED lists them all\n"
    assert run("eval", GOLD, PRED).noted == ""


@pytest.mark.parametrize(("extra", "word"), [(["-n", "3"], "--examples"), (["--digits", "2"], "--digits")])
def test_options_that_a_format_has_no_use_for_are_refused(extra: list[str], word: str) -> None:
    done = run("eval", GOLD, PRED, "-f", "csv", *extra)
    assert (done.code, word in done.err) == (2, True)


def test_links_pipes_and_devices_are_written_to(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    assert run("eval", GOLD, PRED, "-o", tmp_path / "link.txt").code == 0
    assert (tmp_path / "link.txt").is_symlink()
    assert "Overall" in (tmp_path / "real.txt").read_text(encoding="utf-8")
    assert "Overall" in run("eval", GOLD, PRED, "-o", "-").out


def test_demo() -> None:
    done = run("demo")
    assert done.code == 0
    assert done.err == f"$ spanscope eval {GOLD} {PRED} --examples 5\n\n"
    assert done.out.splitlines()[0].split()[0] == "Gold"
    assert "\nExamples\n" in done.out
    assert json.loads(run("demo", "-f", "json").out)["documents"] == 50


# ---------------------------------------------------------------- terminals and pipes


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal() -> None:
    screen = Terminal()
    env = {**environment(), "TERM": "xterm"}
    with mock.patch.object(sys, "stderr", screen), mock.patch.dict(os.environ, env, clear=True):
        with Bar(patience=0) as bar:
            for done in (1, 50, 100):
                bar("reading gold", done, 100)
            bar("scoring", 3, 3)
        assert "reading gold" in screen.getvalue()
        assert "100%" in screen.getvalue()


def test_no_progress_for_short_work() -> None:
    screen = Terminal()
    with mock.patch.object(sys, "stderr", screen), Bar() as bar:
        bar("reading gold", 1, 100)
    assert screen.getvalue() == ""


def test_no_progress_when_piped() -> None:
    screen = io.StringIO()
    with mock.patch.object(sys, "stderr", screen), Bar(patience=0) as bar:
        bar("reading gold", 1, 100)
    assert screen.getvalue() == ""


def test_evaluate_tells_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []
    spanscope.evaluate(str(GOLD), str(PRED), progress=lambda *step: told.append(step))
    assert list(dict.fromkeys(stage for stage, _, _ in told)) == [
        "reading gold",
        "reading pred",
        "scoring",
        "resampling",
    ]
    assert all(0 <= done <= total for _, done, total in told)
    assert ("scoring", 50, 50) in told
    assert told[-1] == ("resampling", 5, 5)


@pytest.mark.parametrize("args", [["eval", GOLD, PRED], ["eval", GOLD, PRED, "-f", "json"], ["measures"]])
def test_a_reader_that_stops_early(args: list[object]) -> None:
    """`spanscope eval ... | head -1` ends quietly; here nobody reads from the start."""
    command = [sys.executable, "-c", "from spanscope.cli import main; main()", *map(str, args)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read().decode()
        assert "Traceback" not in told
        assert "BrokenPipe" not in told
        assert process.wait(timeout=60) in (0, -signal.SIGPIPE)  # as `yes | head` ends


def test_colour_on_a_terminal() -> None:
    screen = Terminal()
    env = {key: value for key, value in environment().items() if key != "NO_COLOR"} | {
        "TERM": "xterm-256color",
        "COLUMNS": "80",
    }
    argv = ["spanscope", "eval", str(GOLD), str(PRED)]
    with (
        mock.patch.object(sys, "stdout", screen),
        mock.patch.object(sys, "argv", argv),
        mock.patch.dict(os.environ, env, clear=True),
        suppress(SystemExit),
    ):
        main()
    text = screen.getvalue()
    assert "\x1b[" in text
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text.splitlines()]
    assert max(len(line) for line in plain if "|spanscope:" not in line) <= 80


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.cli.test_cli --write")
    for golden in COMMANDS:
        (GOLDEN / golden).write_text(output(golden), encoding="utf-8")
        print(f"wrote {GOLDEN / golden}")
