"""As test_canary.py, for every command and form of output: the options and files that only some of them take.

`check`, `convert`, `audit` and the first forms of the others are searched on every format in test_canary.py, what
the server answers in serve/test_canary.py.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spanscope.cli.help import COMMANDS
from tests.canaries import FORMATS
from tests.cli import run
from tests.more_canaries import MORE
from tests.support import needs
from tests.test_canary import assert_silent, found_in, put

Calls = Iterator[list[str]]
FORMS = ("table", "json", "csv", "markdown", "latex")
LAYOUTS = ("reqflow-csv", "conlleval", "seqeval", "trec_eval", "squad", "trec-run", "qrels")
KINDS = ("spans", "tokens", "passages", "squad", "segments", "langchain")  # queries without ids, the last
WHOLE = {**FORMATS, **MORE}
ALONE = {
    "measures",
    "protocols",
    "demo",
    "formats",
    "plan",
}  # read no texts of a user: names, results, our own texts
BESIDE = {"serve", "check", "convert", "audit"}  # searched in other modules


def _eval(gold: str, pred: str, out: Path) -> Calls:
    yield from (["eval", gold, pred, "-f", form] for form in (*LAYOUTS, "junit", "github"))
    yield from (["eval", gold, pred, "--no-ci", "-p", name] for name in ("pii", "presidio", "reqflow", "semeval"))
    yield ["eval", gold, pred, "--no-ci", "--memory", "totals", "-f", "json"]
    yield ["eval", gold, pred, "--no-ci", "-j", "2", "--matches", "-f", "json"]
    yield ["eval", gold, pred, "--no-ci", *(f"--by={one}" for one in ("@length", "@nested", "@document-length"))]
    yield ["eval", gold, pred, "--no-ci", "--by", "@seen", "--train", gold, "-f", "json"]
    yield ["eval", gold, pred, "--no-ci", "--locate", "--html", str(out / "located.html")]
    yield ["eval", gold, pred, "--ends", "inclusive", "--labels", "NAME", "--map", "PLACE=NAME"]
    yield ["eval", gold, pred, "--offsets", "utf16", "--strict"]
    yield ["eval", gold, pred, "--documents", "--worst", "9", "--fail-under", "0.99"]


def _report(gold: str, pred: str, out: Path) -> Calls:
    yield ["report", gold, pred, "-o", str(out / "page.html"), "--force", "-p", "pii"]
    yield ["report", gold, pred, "-o", str(out / "plain.html")]
    yield ["report", gold, pred, "-o", str(out / "sliced.html"), "--by", "@length", "--title", "t"]


def _compare(gold: str, pred: str, out: Path) -> Calls:
    three = [gold, f"a={pred}", f"b={gold}", "--trials", "9"]
    yield from (["compare", *three, "-f", form] for form in (*FORMS, "github", "junit"))
    yield ["compare", gold, f"a={pred}", f"b={pred}", "--trials", "9", "--html", str(out / "same.html")]
    yield ["compare", *three, "--by", "@length", "--html", str(out / "compared.html"), "--fail-if-worse"]
    yield ["compare", *three, "--missing", "common", "-p", "pii", "-f", "json"]
    yield ["compare", gold, f"a={pred},{pred}", f"b={gold},{pred}", "--trials", "9"]


def _leaderboard(gold: str, pred: str, out: Path) -> Calls:
    three = [gold, f"a={pred}", f"b={gold}", "--trials", "9"]
    yield from (["leaderboard", *three, "-f", form] for form in FORMS)
    yield ["leaderboard", gold, f"a={pred}", f"b={pred}", "--trials", "9"]
    yield ["leaderboard", *three, "--html", str(out / "board.html"), "-o", str(out / "board.csv")]


def _plot(gold: str, pred: str, out: Path) -> Calls:
    for kind in ("curve", "labels", "confusion", "segments", "cutoffs", "confidence", "calibration"):
        yield ["plot", kind, gold, pred, "-o", str(out / f"{kind}.svg")]
    for kind in ("compare", "leaderboard", "critical-difference"):
        yield ["plot", kind, gold, f"a={pred}", f"b={gold}", "-o", str(out / f"{kind}.svg")]


def _agree(gold: str, pred: str, out: Path) -> Calls:
    yield from (["agree", gold, pred, "-f", form] for form in FORMS)
    yield ["agree", gold, pred, "--unit", "token", "--documents", "-o", str(out / "agreement.json")]


def _adjudicate(gold: str, pred: str, out: Path) -> Calls:
    cases = str(out / "converted-cases.jsonl")
    yield ["adjudicate", gold, pred, "-o", cases]
    yield ["adjudicate", cases, "--into", gold, "-o", str(out / "converted-gold.jsonl")]


def _locate(gold: str, pred: str, out: Path) -> Calls:
    yield from (["locate", gold, pred, "-f", form] for form in ("json", "csv", "markdown"))
    yield ["locate", gold, pred, "--fuzzy", "1", "--repair-json", "-o", str(out / "converted.jsonl")]
    yield ["locate", gold, "--check"]


def _score(gold: str, pred: str, out: Path) -> Calls:
    yield ["score", pred, gold, "--k", "1"]
    yield ["score", pred, gold, "-p", "legal", "-o", str(out / "figures.json")]


def _view(gold: str, pred: str, out: Path) -> Calls:
    yield ["view", gold, pred, "-p", "pii"]
    yield ["view", gold, pred]


CALLS: dict[str, Callable[[str, str, Path], Calls]] = {
    "eval": _eval,
    "report": _report,
    "view": _view,
    "compare": _compare,
    "leaderboard": _leaderboard,
    "plot": _plot,
    "agree": _agree,
    "adjudicate": _adjudicate,
    "locate": _locate,
    "score": _score,
}


def test_every_command_is_searched() -> None:
    assert {*CALLS, "init"} | ALONE | BESIDE == set(COMMANDS)


@pytest.mark.parametrize("command", CALLS)
def test_no_form_of_a_command_lets_a_canary_out(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    needs("matplotlib")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) is None)
    ended = []
    for number, kind in enumerate(KINDS):
        policy = ("masked", "none")[number % 2]
        gold, pred = put(tmp_path, kind, WHOLE[kind])
        kept = [str(path) for path in tmp_path.iterdir()]
        for asked in CALLS[command](gold, pred, tmp_path):
            done = run(*asked, "--text", policy)
            ended.append(done.code)
            private = [
                str(path) for path in tmp_path.glob("converted*")
            ]  # which are data, and read by the next call
            assert_silent(done, tmp_path, [*kept, *private], asked)
        for path in tmp_path.glob("converted*"):
            path.unlink()
    assert ended.count(0) > len(ended) / 6
    for address in opened:
        assert not found_in(Path(address.removeprefix("file://")).read_bytes())


def test_no_result_that_is_kept_lets_a_canary_out(tmp_path: Path) -> None:
    needs("matplotlib")
    for kind in KINDS:
        folder = tmp_path / kind
        folder.mkdir()
        files = put(folder, kind, WHOLE[kind])
        results = [str(folder / f"{n}.json") for n in range(2)]
        for own in results:
            assert run("eval", *files, "-o", own, "--keep", "--documents", "--text", "masked").code == 0
        for asked in (
            ["compare", *results, "--trials", "9"],
            ["leaderboard", *results, "--trials", "9", "-f", "json"],
            ["plan", *results, "--detect", "0.1"],
            ["plot", "labels", results[0], "-o", str(folder / "figure.svg")],
        ):
            assert_silent(run(*asked), folder, [*files, *results], asked)
        assert not any(found_in(Path(own).read_bytes()) for own in results)


def test_a_configuration_that_is_proposed_quotes_nothing(tmp_path: Path) -> None:
    """It goes into a repository, so that a policy has no say."""
    for kind, sides in WHOLE.items():
        folder = tmp_path / re.sub(r"\W", "-", kind)
        folder.mkdir()
        files = put(folder, "notes", sides)
        (folder / "cut.jsonl").write_bytes(sides[0][: len(sides[0]) // 2])
        done = run("init", folder)
        assert_silent(done, folder, [*files, str(folder / "cut.jsonl")], kind)
