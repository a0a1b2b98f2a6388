"""Packages that add to Spanscope: the one under examples/plugin as people install it, and broken ones."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

import spanscope
from spanscope import plugins
from tests.cli import environment, run, write
from tests.support import EXAMPLE

OWN = "plugin:spanscope-example/1.2.0"
SOURCE = str(Path(spanscope.__file__).parents[1])
DOCUMENTS = 12
pytestmark = pytest.mark.xdist_group("plugins")  # which installs the package once
Declare = Callable[..., None]


@pytest.fixture
def example(installed: Path, lone: pytest.MonkeyPatch) -> None:
    lone.syspath_prepend(str(installed))


@pytest.fixture
def declare(tmp_path: Path, lone: pytest.MonkeyPatch) -> Declare:
    """Return a function that puts a package with entry points where it is found."""

    def put(package: str, kind: str, name: str, code: str, attribute: str = "", version: str = "0.3") -> None:
        module = package.replace("-", "_")
        metadata = tmp_path / package / f"{module}-{version}.dist-info"
        metadata.mkdir(parents=True)
        write(metadata / "METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
        target = module + attribute
        write(metadata / "entry_points.txt", f"[spanscope.{kind}]\n{name} = {target}\n")
        write(tmp_path / package / f"{module}.py", dedent(code))
        lone.syspath_prepend(str(tmp_path / package))

    return put


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return gold and predictions in the format of the package: every third start is one character late."""
    for side in ("gold", "pred"):
        lines = ["#inline 1"]
        for at in range(DOCUMENTS):
            late = "A[nna](PER)" if side == "pred" and at % 3 == 0 else "[Anna](PER)"
            lines.append(f"d{at}\t{late} met [Bob](PER) in [New \\[York\\]](LOC)")
        write(tmp_path / f"{side}.inline", "\n".join(lines) + "\n")
    return tmp_path / "gold.inline", tmp_path / "pred.inline"


@pytest.fixture
def lines(tmp_path: Path, files: tuple[Path, Path], example: None) -> tuple[Path, Path]:
    """Return the same documents as JSON Lines."""
    for one in files:
        spanscope.convert(one, one.with_suffix(".jsonl"))
    return tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"


# ---------------------------------------------------------------- what a package adds


def test_a_measure_has_all_that_ours_have(lines: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("eval", *lines, "-m", "example.starts", "--html", page, "-f", "json")
    found = json.loads(done.out)
    recall = 1 - DOCUMENTS / 3 / (3 * DOCUMENTS)
    (row,) = [one for one in found["rows"] if (one["rate"], one["average"]) == ("recall", "micro")]
    assert row["value"] == pytest.approx(recall)
    assert 0 < row["low"] < recall < row["high"] < 1
    assert found["settings"]["plugins"] == ["spanscope-example/1.2.0"]
    assert "example.starts" in page.read_text(encoding="utf-8")
    done = run("compare", lines[0], f"a={lines[1]}", f"b={lines[0]}", "-m", "example.starts", "--trials", "99")
    assert done.code == 0
    assert OWN in done.out
    several = run("eval", *lines, "-m", "example.starts", "-j", "2", "--memory", "totals", "-f", "json")
    assert json.loads(several.out)["rows"][0] == found["rows"][0]


def test_packages_stand_in_the_signatures_of_figures_that_depend_on_them(
    files: tuple[Path, Path], lines: tuple[Path, Path]
) -> None:
    ours = spanscope.evaluate(*lines, ["spans.exact", "example.starts"], ci=False)
    assert "plugin:" not in ours.signature("spans.exact")
    assert OWN in ours.signature("example.starts").split("|")
    assert OWN in spanscope.evaluate(*files, "spans.exact", ci=False).signature()  # read by the package
    assert OWN in spanscope.evaluate(*lines, protocol="beginnings", ci=False).signature("spans.exact")
    agreed = spanscope.agree(*files, measures=["f1"], ci=False)
    assert (OWN in agreed.signature(), agreed.settings["plugins"]) == (True, ["spanscope-example/1.2.0"])


def test_a_result_with_a_package_fits_the_schema(files: tuple[Path, Path], example: None) -> None:
    import jsonschema

    schema = json.loads((Path(SOURCE) / "spanscope/results/schemas/result-1.json").read_text(encoding="utf-8"))
    found = spanscope.evaluate(*files, "example.starts", ci=False).to_dict()
    jsonschema.validate(found, schema)


def test_a_format_is_known_by_its_claim_listed_explained_and_written(
    files: tuple[Path, Path], example: None, tmp_path: Path
) -> None:
    assert "inline" in run("formats").out
    said = run("formats", "inline").out
    assert "spanscope-example/1.2.0" in said
    assert "[Anna](PER) met [Bob](PER)" in said
    again, brat = tmp_path / "again.inline", tmp_path / "brat"
    assert run("convert", files[0], brat, "--to", "brat", "--lossy").code == 0
    assert run("convert", files[0], again).err == f"wrote {again}: inline, {DOCUMENTS} documents, 36 spans\n"
    assert again.read_text(encoding="utf-8") == files[0].read_text(encoding="utf-8")
    assert run("check", again).code == 0
    exact = run("eval", *files, "-m", "spans.exact", "--input", "inline", "--no-ci")
    assert exact.code == 0
    assert f"{1 - 1 / 9:.4f}" in exact.out


def test_what_our_own_formats_claim_stays_theirs(lines: tuple[Path, Path], lone: pytest.MonkeyPatch) -> None:
    """A package that would claim everything is not even asked."""
    asked: list[object] = []
    lone.setattr("spanscope.io.plugged.plugged_formats", lambda taken: asked.append(taken) or ([], []))
    spanscope.evaluate(*lines, "spans.exact", ci=False)
    assert asked == []


def test_a_protocol_is_named_and_listed(lines: tuple[Path, Path]) -> None:
    done = run("eval", *lines, "-p", "beginnings", "--no-ci")
    assert (done.code, "example.starts(within=2)" in done.out) == (0, True)
    assert "beginnings     Where spans begin" in run("protocols").out
    said = run("eval", *lines, "-p", "beginings").err
    assert "did you mean 'beginnings'?" in said


def test_the_tests_of_the_package_pass(installed: Path) -> None:
    where = {"PYTHONPATH": os.pathsep.join([str(installed), SOURCE]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    asked = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, EXAMPLE / "tests"]
    done = subprocess.run(asked, env=environment() | where, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_page_about_packages_shows_the_entry_points_of_the_example() -> None:
    page = (EXAMPLE.parents[1] / "docs" / "plugins.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    declared = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert tomllib.loads(shown)["project"]["entry-points"] == declared


# ---------------------------------------------------------------- what goes wrong

MEASURE = """
    from spanscope.measures.registry import Outcome, measure
    from spanscope.rates import COUNTED

    @measure("{name}", COUNTED)
    def own({parameters}) -> Outcome:
        {body}
"""
GOLD = [{"id": 1, "text": "Anna met Bob", "spans": [[0, 4, "PER"]]}]
REMEDY = "  try       pip install --upgrade some-package, or pip uninstall some-package"


def measure(name: str = "some.own", parameters: str = "c", body: str = "raise ValueError('the cat')") -> str:
    return dedent(MEASURE).format(name=name, parameters=parameters, body=body)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("", "nothing in some_package registers it"),
        (measure("spans.exact"), "a measure of spanscope is called spans.exact already"),
        (measure(parameters=""), "some.own takes nothing"),
        (measure(parameters="c, *, far: int"), "far of some.own has no default"),
        (measure(parameters="c, *, far=1"), "far of some.own has no type"),
        (measure("lonely"), "a measure is called 'lonely'"),
    ],
)
def test_a_measure_that_cannot_be_loaded_is_refused_by_the_name_of_its_package(
    code: str, why: str, declare: Declare
) -> None:
    declare("some-package", "measures", "some.own", code)
    with pytest.raises(spanscope.PluginError) as error:
        spanscope.evaluate(GOLD, GOLD, "some.own", ci=False)
    what = f"the measure 'some.own' of the package some-package 0.3 cannot be used: {why}"
    assert str(error.value) == f"{what}\n{REMEDY}"
    listed = run("measures")  # goes on, and says it
    assert (listed.code, "spans.exact" in listed.out) == (0, True)
    assert why in listed.err or not code
    assert spanscope.evaluate(GOLD, GOLD, "spans.exact", ci=False).value() == 1


def test_a_measure_that_fails_is_said_of_its_package_and_quotes_no_private_text(declare: Declare) -> None:
    declare("some-package", "measures", "some.own", measure())
    with pytest.raises(
        spanscope.PluginError, match=r"some-package 0\.3 cannot be used: ValueError: the cat"
    ) as error:
        spanscope.evaluate(GOLD, GOLD, "some.own", ci=False)
    assert isinstance(error.value.__cause__, ValueError)
    with pytest.raises(spanscope.PluginError, match=r"cannot be used: ValueError\n"):
        spanscope.evaluate(GOLD, GOLD, "some.own", ci=False, text="masked")


def test_a_measure_that_gives_no_counts_is_refused(declare: Declare) -> None:
    declare("some-package", "measures", "some.own", measure(body="return 0.5"))
    with pytest.raises(spanscope.MeasureError, match=r"some\.own returns 0\.5"):
        spanscope.evaluate(GOLD, GOLD, "some.own", ci=False)


def test_a_name_of_two_packages_is_refused_with_both(declare: Declare) -> None:
    declare("some-package", "protocols", "ours", "")
    declare("other-package", "protocols", "ours", "", version="2.0")
    with pytest.raises(spanscope.PluginError, match=r"several packages: other-package 2\.0 and some-package 0\.3"):
        spanscope.evaluate(GOLD, GOLD, protocol="ours", ci=False)
    assert "several packages" in run("protocols").err


PROTOCOL = "from spanscope import Protocol\nOWN = Protocol({name!r}, 'Ours.', {measures})"
FORMAT = """
from spanscope.io.format import Format
def claim(head, options):
    {claim}
def read(source{options}):
    return {read}
OWN = Format({name!r}, {family!r}, 'a cue', read, whole=claim)
"""


def plugged(**other: str) -> str:
    usual = {"claim": "return True", "options": ", options", "read": "{}", "name": "own", "family": "spans"}
    return FORMAT.format(**(usual | other))


@pytest.mark.parametrize(
    ("kind", "name", "code", "why"),
    [
        ("protocols", "own", "OWN = 1", "some_package:OWN is no spanscope.Protocol"),
        ("protocols", "own", PROTOCOL.format(name="other", measures=("spans.exact",)), "is called 'other'"),
        ("protocols", "own", PROTOCOL.format(name="own", measures=()), "it has no measures"),
        ("protocols", "own", PROTOCOL.format(name="own", measures=("spans.exat",)), "no measure is called"),
        ("protocols", "pii", PROTOCOL.format(name="pii", measures=("spans.exact",)), "has one of this name"),
        ("protocols", "own", "", "AttributeError"),
        ("readers", "own", "OWN = 1", "some_package:OWN is no spanscope.io.format.Format"),
        ("readers", "brat", plugged(name="brat"), "Spanscope has one of this name itself"),
        ("readers", "own", plugged(family="spam"), "its family is 'spam'"),
        ("writers", "own", "OWN = 1", "some_package:OWN is no spanscope.io.writer.Writer"),
    ],
)
def test_what_is_no_such_thing_is_reported_where_everything_is_listed(
    kind: str, name: str, code: str, why: str, declare: Declare
) -> None:
    declare("some-package", kind, name, code, ":OWN")
    done = run("protocols" if kind == "protocols" else "formats")
    assert done.code == 0
    assert "of the package some-package 0.3 cannot be used: " in done.err
    assert why in done.err
    assert REMEDY in done.err
    assert spanscope.evaluate(GOLD, GOLD, "spans.exact", protocol="pii", ci=False).value() == 1


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (plugged(options=""), "TypeError: read() takes 1 positional argument but 2 were given"),
        (plugged(read="1 / 0"), "ZeroDivisionError: division by zero"),
        (plugged(read="[1]"), "its reader returns list instead of corpora by annotator"),
    ],
)
def test_a_reader_that_fails_is_said_of_its_package(code: str, why: str, declare: Declare, tmp_path: Path) -> None:
    declare("some-package", "readers", "own", code, ":OWN")
    done = run("check", write(tmp_path / "a.own", "!\n"))
    assert (done.code, done.err) == (
        2,
        f"the format 'own' of the package some-package 0.3 cannot be used: {why}\n{REMEDY}\n",
    )


def test_a_claim_that_fails_claims_nothing_and_is_named_where_nothing_else_does(
    declare: Declare, tmp_path: Path
) -> None:
    declare("some-package", "readers", "own", plugged(claim="1 / 0"), ":OWN")
    done = run("check", write(tmp_path / "a.jsonl", '{"spam": 1}\n'))
    assert done.code == 2
    assert "no format has documents with" in done.err
    assert "some-package 0.3 cannot be used: ZeroDivisionError" in done.err
    assert spanscope.evaluate([], [], "spans.exact", ci=False).documents == 0


def test_two_formats_of_packages_that_claim_a_file_are_refused(declare: Declare, tmp_path: Path) -> None:
    declare("some-package", "readers", "own", plugged(), ":OWN")
    declare("other-package", "readers", "theirs", plugged(name="theirs"), ":OWN")
    done = run("check", write(tmp_path / "a.own", "!\n"))
    assert "can be read in 2 ways: own, theirs" in done.err
    assert "--input own or --input theirs" in done.err


def test_a_writer_that_gives_no_bytes_is_said_of_its_package(declare: Declare, tmp_path: Path) -> None:
    code = "from spanscope.io.writer import Writer\nOWN = Writer('own', 'spans', lambda documents: 'text')"
    declare("some-package", "writers", "own", code, ":OWN")
    out = tmp_path / "out"
    with pytest.raises(spanscope.PluginError, match="its writer returns str instead of bytes"):
        spanscope.convert(GOLD, out, to="own")
    assert not out.exists()


def test_nothing_looks_for_packages_where_all_names_are_ours(lone: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """To look through what is installed takes longer than to score a small corpus."""

    def look(*_: object) -> None:
        raise AssertionError("somebody looks for packages")

    lone.setattr(plugins, "_declared", look)
    gold = write(tmp_path / "gold.jsonl", "".join(f"{json.dumps(one)}\n" for one in GOLD))
    assert run("eval", gold, gold, "-p", "pii", "--no-ci").code == 0
    assert (
        run("eval", gold, gold, "-m", "spans.relaxed", "--input", "spans", "--html", tmp_path / "a.html").code == 0
    )
    assert run("convert", gold, tmp_path / "a.json", "--to", "doccano").code == 0
    assert run("agree", gold, gold, "--no-ci").code == 0
