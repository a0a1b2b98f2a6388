"""One file with several segmentations has what eval of two files has: views, gates, kept counts, comparisons."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from referencing import Registry, Resource

import spanscope
from spanscope.errors import InputError, MeasureError
from tests.cli import TRACES, refused, run, write
from tests.commands.test_panel import B_SCORE, DOCUMENTS, document, no_constant
from tests.support import Json

SCHEMAS = {
    name: json.loads((files("spanscope.results") / "schemas" / f"{name}-1.json").read_text())
    for name in ("result", "panel")
}
KNOWN: Any = Registry().with_resources(  # type: ignore[var-annotated]
    [(schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()]
)
VALID = jsonschema.Draft202012Validator(SCHEMAS["panel"], registry=KNOWN)
MORE = [  # ten documents: A is exact in all of them, B is one off in half and never cuts in the rest
    document(f"d{at}", Gold=[10], A=[10], B=[11] if at % 2 else []) for at in range(10)
]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("f.jsonl"), DOCUMENTS)
    write(Path("ten.jsonl"), MORE)


def ev(*args: object) -> Any:
    return run("eval", "f.jsonl", *args)


def read(done: Any) -> Json:
    assert done.code == 0, done.err
    found: Json = json.loads(done.out, parse_constant=no_constant)
    return found


# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("--documents",),
        ("--worst", "1"),
        ("--keep",),
        ("--memory", "counts", "--keep"),
        ("--memory", "totals"),
        ("-p", "rt-seg"),
        ("--only", "A,B"),
        ("--no-ci",),
    ],
)
def test_the_json_has_a_schema(args: tuple[str, ...]) -> None:
    VALID.validate(read(ev("-f", "json", *args)))


def test_the_schema_is_strict() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS["panel"])
    data = spanscope.panel(DOCUMENTS).to_dict()
    VALID.validate(data)
    assert not VALID.is_valid({**data, "more": 1})
    data["methods"]["A"]["more"] = 1
    assert not VALID.is_valid(data)


def test_documents_and_the_worst() -> None:
    """A is one off in x, exact in y: Boundary F1 0 and 1."""
    own = read(ev("-f", "json", "--documents", "-m", "segments.boundaries"))["methods"]["A"]["by_document"]
    (records,) = own.values()
    assert [(one["document"], one["f1"]) for one in records] == [("x", 0.0), ("y", 1.0)]
    own = read(ev("-f", "json", "--worst", "1", "-m", "segments.boundaries"))["methods"]["A"]["by_document"]
    assert [one["document"] for (one,) in own.values()] == ["x"]
    table = ev("--worst", "1", "-m", "segments.boundaries").out
    assert 0 < table.index("Worst documents: segments.boundaries") < table.index(", A\n") < table.index(", B\n")


def test_views_need_what_they_need() -> None:
    assert "add to the JSON: add --format json" in refused(ev("--documents"))
    assert "--keep needs the counts of every document" in refused(ev("-f", "json", "--keep", "--memory", "totals"))
    assert "--html needs the spans" in refused(ev("--html", "x.html", "--memory", "counts"))
    assert "--matches needs GOLD and PRED" in refused(ev("-f", "json", "--matches"))


@pytest.mark.parametrize("memory", ["counts", "totals"])
def test_memory_moves_no_figure(memory: Any) -> None:
    whole = spanscope.panel(MORE)
    found = spanscope.panel(MORE, run=spanscope.Running(memory=memory))
    assert {one.kept for one in found.results.values()} == {memory}
    assert str(found.rows) == str(whole.rows)
    assert [one.counts() for one in found.results.values()] == [one.counts() for one in whole.results.values()]
    with pytest.raises(MeasureError, match="which were not kept"):
        list(found.results["A"].matches())
    if memory == "totals":
        with pytest.raises(MeasureError, match="which were not kept"):
            found.results["A"].by_document()
    else:
        assert found.results["A"].by_document() == whole.results["A"].by_document()


# ---------------------------------------------------------------- gates


@pytest.mark.parametrize(
    ("gate", "code", "said"),
    [
        (("--fail-under", f"{B_SCORE}:document_f1=0"), 0, ""),
        (
            ("--fail-under", f"{B_SCORE}:document_f1=0.5"),
            1,
            "missed: B: segments.b_score:document_f1 is 0.0",
        ),
        (("--only", "Gold,A", "--fail-under", f"{B_SCORE}:document_f1=1.0"), 0, ""),
        (("--fail-over", "segments.displacement:document_displacement=1"), 1, "missed: B: segments.displacement"),
        (("--fail-under", "segments.pk:document_pk=0.1"), 2, "cannot be a floor"),
        (("--fail-under", "f1"), 2, "cannot read the gate"),
        (("--only", "A,B", "--fail-under", "document_f1=0.5"), 2, "a gate needs a gold segmentation"),
    ],
)
def test_gates_are_for_every_method(gate: tuple[str, ...], code: int, said: str) -> None:
    """B-score of A is 1, of B 0; displacement of A .5, of B 5."""
    done = ev(*gate)
    assert done.code == code
    assert said in done.err


# ---------------------------------------------------------------- comparing methods


def test_methods_are_compared() -> None:
    """Exact F1 of A is 1 in all ten documents, of B 0 in all: 2 of 2**10 patterns of swaps are as far apart."""
    found = spanscope.compare(spanscope.panel(MORE, measures="segments.boundaries"))
    (row,) = (r for r in found.rows if (r.rate, r.average) == ("f1", "document"))
    assert (row.run, row.base, row.value, row.difference) == ("B", 1.0, 0.0, -1.0)
    assert row.p == 2 / 2**10
    assert row.reading == "worse"


def test_compare_on_the_command_line() -> None:
    done = run("compare", "ten.jsonl", "-m", "segments.boundaries", "-f", "json")
    direct = spanscope.compare(spanscope.panel("ten.jsonl", measures="segments.boundaries"))
    assert read(done)["rows"] == json.loads(direct.to_json())["rows"]
    kept = run("eval", "ten.jsonl", "-m", "segments.boundaries", "-f", "json", "--keep", "-o", "kept.json")
    assert kept.code == 0
    assert read(run("compare", "kept.json", "-f", "json"))["rows"] == read(done)["rows"]
    turned = read(run("compare", "ten.jsonl", "--gold", "A", "-m", "segments.boundaries", "-f", "json"))
    assert {row["run"] for row in turned["rows"]} == {"B"}


def test_what_cannot_be_compared() -> None:
    assert "there is no gold segmentation" in refused(run("compare", "f.jsonl", "--only", "A,B"))
    assert "there is 1 run" in refused(run("compare", "f.jsonl", "--only", "Gold,A"))
    assert "name segmentations of a single FILE" in refused(run("compare", "f.jsonl", "f.jsonl", "--gold", "A"))
    with pytest.raises(InputError, match="its own measures"):
        spanscope.compare(spanscope.panel(MORE), measures="segments.pk")
    assert run("eval", "ten.jsonl", "-f", "json", "-o", "bare.json").code == 0
    assert "kept no counts" in refused(run("compare", "bare.json"))


# ---------------------------------------------------------------- parameters of a bundle's measures


def test_a_parameter_of_the_bundle_is_changed() -> None:
    """B is 5 off in y: near within 10 units, and nowhere in x."""
    usual = read(ev("-f", "json"))["settings"]["measures"]
    done = read(ev("-f", "json", "--set", "segments.b_score.tolerance=10"))
    expected = [form.replace("b_score(tolerance=3)", "b_score(tolerance=10)") for form in usual]
    assert done["settings"]["measures"] == expected != usual
    assert done["settings"]["protocol"] == "segments"
    assert (
        "segments.b_score(tolerance=10)|" in done["methods"]["B"]["signatures"]["segments.b_score(tolerance=10)"]
    )
    found = spanscope.panel(DOCUMENTS, score=spanscope.Scoring(parameters={"segments.b_score.tolerance": 10}))
    assert found.results["B"].value("f1", B_SCORE, "document") == 0.5
    assert found.pairs["Gold", "B"].value("f1", B_SCORE, "document") == 0.5
    assert json.loads(found.to_json())["methods"]["B"]["rows"] == done["methods"]["B"]["rows"]


def test_parameters_of_two_files_and_of_comparisons() -> None:
    one = {"id": 1, "length": 20, "boundaries": [5]}
    gold, pred = write(Path("g.jsonl"), [one]), write(Path("p.jsonl"), [{**one, "boundaries": [10]}])
    args = ("--set", "segments.b_score.tolerance=10", "--set", "segments.pk.auto=half", "-f", "json")
    rows = read(run("eval", gold, pred, *args))["rows"]
    key = ("segments.b_score(tolerance=10)", "f1", "document")
    assert [row["value"] for row in rows if (row["measure"], row["rate"], row["average"]) == key] == [1.0]
    rows = read(run("compare", gold, pred, "same=p.jsonl", *args))["rows"]
    assert key in {(row["measure"], row["rate"], row["average"]) for row in rows}


def test_parameters_of_spans() -> None:
    """The gold span covers 10 characters, the prediction 6 of them: an IoU of .6."""
    gold = [{"id": 1, "spans": [{"start": 0, "end": 10, "label": "A"}]}]
    pred = [{"id": 1, "spans": [{"start": 0, "end": 6, "label": "A"}]}]
    for threshold, value in ((0.6, 1.0), (0.7, 0.0)):
        how = spanscope.Scoring(parameters={"spans.iou.threshold": threshold})
        assert spanscope.evaluate(gold, pred, ["spans.iou"], score=how, ci=False).value("f1") == value


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("segments.b_scor.tolerance=1", "no measure that is run is called 'segments.b_scor'; did you mean"),
        ("spans.exact.duplicates=set", "no measure that is run is called 'spans.exact'"),
        (
            "segments.b_score.tolerence=1",
            "segments.b_score has no parameter 'tolerence'; did you mean 'tolerance'",
        ),
        ("segments.b_score.tolerance=-1", "tolerance of segments.b_score is -1"),
        ("segments.b_score.tolerance=x", "tolerance of segments.b_score is 'x'"),
        ("tolerance", "--set"),
    ],
)
def test_parameters_that_there_are_not(given: str, said: str) -> None:
    assert said in " ".join(refused(ev("--set", given)).split())


def test_parameters_are_a_mapping() -> None:
    with pytest.raises(MeasureError, match="parameters is 5"):
        spanscope.evaluate(str(TRACES), None, score=spanscope.Scoring(parameters=5))  # type: ignore[arg-type]
