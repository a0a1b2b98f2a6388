"""What servers for continuous integration show: a summary and annotations of GitHub's, gates as JUnit's XML."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import spanscope
from spanscope.report.github import annotation_of, annotations_of
from spanscope.results.gate import checked_gates
from tests.cli import PLAIN, run

TEXT = "The operator shall log every login."
GOLD = [{"id": "r1", "text": TEXT, "spans": [{"start": 4, "end": 12, "label": "Actor"}]}]
PRED = [
    {"id": "r1", "spans": [{"start": 0, "end": 12, "label": "Actor"}, {"start": 4, "end": 12, "label": "Actor"}]}
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, documents in (("gold", GOLD), ("pred", PRED)):
        Path(f"{name}.jsonl").write_text("\n".join(map(json.dumps, documents)) + "\n", encoding="utf-8")
    return tmp_path


def evaluate(*more: str, form: str = "github") -> tuple[int, str, list[str]]:
    done = run("eval", "gold.jsonl", "pred.jsonl", "--no-ci", "-f", form, *more)
    return done.code, done.out, done.err.splitlines()


GATES = ("--fail-under", "precision=0.6", "--fail-under", "recall[Actor]=0.9")


def test_summary_and_annotations(folder: Path) -> None:
    """One of two predictions is right, one gold span of one is found: precision 1/2, recall 1."""
    code, out, err = evaluate(*GATES)
    assert code == 1
    assert out.splitlines()[:6] == [
        *("# Evaluation", "", "## Gates", ""),
        "- ❌ missed: precision is 0.5, below 0.6",
        "- ✅ passed: recall[Actor] is 1.0, at least 0.9",
    ]
    assert err == ["::error title=Missed gate::missed: precision is 0.5, below 0.6"]


def test_the_summary_of_a_step_is_added_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "step.md").write_text("before\n", encoding="utf-8")
    monkeypatch.setitem(PLAIN, "GITHUB_STEP_SUMMARY", str(folder / "step.md"))
    assert evaluate() == (0, "", [])
    assert (folder / "step.md").read_text(encoding="utf-8").startswith("before\n# Evaluation\n")
    assert evaluate("-o", "own.md")[0] == 0
    assert (folder / "own.md").read_text(encoding="utf-8").startswith("# Evaluation\n")


def test_problems_are_annotated_at_their_places(folder: Path) -> None:
    """A text that contradicts its offsets puts figures in doubt; a document left out was asked for."""
    span = {"start": 0, "end": 4, "label": "X", "text": "Nona"}
    odd = [*GOLD, {"id": "r2", "text": "None here", "spans": [span]}]
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, odd)), encoding="utf-8")
    code, _, err = evaluate("--missing", "skip", "--text", "full")
    assert code == 0
    assert err[0].startswith("::error file=gold.jsonl,line=2,title=1 x text mismatch")
    assert err[0].endswith("::spans[0].text is 'Nona', the document has 'None' at 0..4")
    assert err[1].startswith("::notice title=1 x missing document::pred.jsonl: 1 document of gold.jsonl")
    assert "Nona" not in "".join(evaluate("--missing", "skip", "--text", "masked")[2])


def test_a_refusal_is_annotated_at_its_place(folder: Path) -> None:
    (folder / "gold.jsonl").write_text('{"id": "a,b%", "spans": [{"start": "x"}]}\n', encoding="utf-8")
    code, out, err = evaluate()
    assert (code, out) == (2, "")
    assert err[-1].startswith("::error file=gold.jsonl,line=1,title=Refused::")
    assert "%0A  expected  " in err[-1]
    assert not any("::" in line for line in evaluate(form="table")[2])


def test_no_text_begins_a_command_of_its_own() -> None:
    """Line ends and what else separates the parts of a command are written as GitHub's toolkit writes them."""
    gold = [{"id": 1, "text": "abc", "spans": [{"start": 0, "end": 1, "label": "A,B:%"}]}]
    none = [{"id": 1, "spans": []}]
    labels = ["A,B:%", "nothing\r\n::error::else"]
    result = spanscope.evaluate(gold, none, "spans.exact", labels=labels, ci=False)
    missed, unseen, *_ = annotations_of(result, checked_gates(result, ["recall[A,B:%]=1"]))
    assert missed == "::error title=Missed gate::missed: recall[A,B:%25] is 0.0, below 1"
    assert unseen.startswith("::error title=1 x unseen label (1 document scored)::")
    assert unseen.isprintable()
    error = spanscope.InputError("a%b\r\nc", where="x,y:z:3", hint="d")
    words = "a%25b%0D%0Ac%0A  try       d"
    assert annotation_of(error) == f"::error file=x%2Cy%3Az,line=3,title=Refused::{words}"


def test_at_most_ten_of_a_level() -> None:
    spans = [{"start": 0, "end": 1, "label": "A"}]
    result = spanscope.evaluate([{"id": 1, "text": "ab", "spans": spans}], [{"id": 1, "spans": []}], ci=False)
    lines = annotations_of(result, checked_gates(result, [f"recall=0.{at + 1}" for at in range(9)] * 2))
    assert len(lines) == 10


def test_junit(folder: Path) -> None:
    code, out, err = evaluate(*GATES, form="junit")
    assert code == 1
    assert err == ["missed: precision is 0.5, below 0.6"]
    suite = ElementTree.fromstring(out)[0]
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("2", "1")
    missed, passed = suite.findall("testcase")
    assert missed.attrib["name"] == "precision at least 0.6"
    assert [one.attrib["message"] for one in missed] == ["precision is 0.5, below 0.6"]
    assert passed.attrib["name"] == "recall[Actor] at least 0.9"
    assert list(passed) == []
    signature = spanscope.evaluate("gold.jsonl", "pred.jsonl", ci=False).signature()
    assert [one.attrib["value"] for one in suite.iter("property")] == [spanscope.__version__, signature]
    assert "Overall: micro-averaged precision" in (suite.findtext("system-out") or "")


def test_junit_without_gates_is_refused(folder: Path) -> None:
    assert evaluate(form="junit")[0] == 2
    assert run("compare", "gold.jsonl", "a=pred.jsonl", "b=pred.jsonl", "-f", "junit").code == 2
    with pytest.raises(spanscope.MeasureError, match="a test case for each gate"):
        spanscope.evaluate("gold.jsonl", "pred.jsonl", ci=False).table("junit")


def test_xml_holds_whatever_a_label_is() -> None:
    label = "a\0<b>\ud800\x1b"
    gold = [{"id": 1, "text": "abc", "spans": [{"start": 0, "end": 1, "label": "A"}]}]
    result = spanscope.evaluate(gold, gold, "spans.exact", ci=False, meta={"name": label.replace("\ud800", "")})
    text = result.table("junit", gates=checked_gates(result, ["f1=1"]))
    assert "name: " not in text.split("<system-out>")[0]
    assert "\\x00<b>\\x1b" in (ElementTree.fromstring(text).findtext(".//system-out") or "")


def test_comparisons(folder: Path) -> None:
    """The F1 of the predictions is 2/3, that of gold itself is 1."""
    files = ["gold.jsonl", "new=pred.jsonl", "old=gold.jsonl"]
    done = run("compare", *files, "-f", "junit", "--fail-if-worse", "--trials", "10")
    (case,) = ElementTree.fromstring(done.out).iter("testcase")
    assert (done.code, case.attrib["name"], len(case)) == (0, "f1 of old not worse than new", 0)
    files = ["gold.jsonl", "old=gold.jsonl", "new=pred.jsonl"]
    done = run("compare", *files, "-f", "github", "--fail-if-worse", "0.1", "--trials", "10")
    said = "missed: f1 of new is 0.6667, which is worse than 1.0 of old by more than 0.1"
    assert (done.code, done.err.splitlines()[0]) == (1, f"::error title=Missed gate::{said}")
    assert f"- ❌ {said}" in done.out.splitlines()


def test_every_segmentation_has_its_gates(folder: Path) -> None:
    names = {"Gold": [[0, 2], [2, 4]], "a": [[0, 2], [2, 4]], "b": [[0, 4]]}
    document = {"id": 1, "text": "abcd", "segmentations": names}
    (folder / "traces.jsonl").write_text(json.dumps(document) + "\n", encoding="utf-8")
    options = [
        "--fail-under",
        "segments.boundaries:recall=1",
        "--no-ci",
        "-f",
        "junit",
        "-m",
        "segments.boundaries",
    ]
    done = run("eval", "traces.jsonl", *options)
    cases = {case.attrib["name"]: len(case) for case in ElementTree.fromstring(done.out).iter("testcase")}
    gate = "segments.boundaries:recall at least 1"
    assert (done.code, cases) == (1, {f"a: {gate}": 0, f"b: {gate}": 1})
