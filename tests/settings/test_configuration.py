"""Configuration files: found, checked, filled in where nothing was typed; and made up by `spanscope init`."""

import json
import shutil
from pathlib import Path

import pytest

import spanscope
from spanscope.settings.configuration import OPTIONS, configuration
from spanscope.settings.options import ALL, options_of
from tests.cli import GOLD, PRED, refused, run


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a project, in which the commands run."""
    shutil.copy(GOLD, tmp_path / "gold.jsonl")
    shutil.copy(PRED, tmp_path / "pred.jsonl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, text: str, name: str = "spanscope.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


BASIC = 'gold = "gold.jsonl"\nruns = "pred.jsonl"\nci = false\nlabels = ["Action"]\n'


def scored(*args: object) -> dict[str, object]:
    done = run("eval", *args, "-f", "json")
    assert done.code == 0, done
    found: dict[str, object] = json.loads(done.out)
    return found


def test_eval_with_nothing_on_the_line(project: Path) -> None:
    write(project, BASIC)
    own = spanscope.evaluate(GOLD, PRED, labels=["Action"], ci=False)
    found = scored()
    assert found["rows"] == json.loads(own.to_json())["rows"]
    assert found["meta"] == {"configuration": "spanscope.toml"}
    assert "Configuration  spanscope.toml" in run("eval").out


def test_it_is_found_from_below_and_paths_are_beside_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project, BASIC)
    below = project / "a" / "b"
    below.mkdir(parents=True)
    rows = scored()["rows"]
    monkeypatch.chdir(below)
    found = scored()
    assert found["rows"] == rows
    monkeypatch.chdir("/")
    assert scored("--config", project / "spanscope.toml")["rows"] == rows


def test_pyproject_counts_with_a_table_of_ours(project: Path) -> None:
    write(project, "[tool.other]\n", "pyproject.toml")
    assert "GOLD is missing" in refused(run("eval"))
    text = "[tool.spanscope]\n" + BASIC
    write(project, text, "pyproject.toml")
    assert scored()["meta"] == {"configuration": "pyproject.toml"}
    write(project, BASIC.replace("Action", "Entity"))
    assert scored()["meta"] == {"configuration": "spanscope.toml"}  # it comes first


def test_what_is_typed_comes_first_even_where_it_is_the_default(project: Path) -> None:
    write(project, BASIC + 'missing = "skip"\n')
    assert scored("--labels", "Entity")["settings"]["labels"] == ["Entity"]  # type: ignore[index]
    assert scored("--ci", "--resamples", "1000")["settings"]["ci"]["resamples"] == 1000  # type: ignore[index]
    assert scored("--missing", "error")["settings"]["missing"] == "error"  # type: ignore[index]
    assert scored()["settings"]["missing"] == "skip"  # type: ignore[index]


def test_files_on_the_line_do_not_read_it(project: Path) -> None:
    write(project, "nonsense")
    assert run("eval", "gold.jsonl", "pred.jsonl", "--no-ci").code == 0


def test_options_of_every_form(project: Path) -> None:
    """Values as data give what the same words on the line give."""
    lines = [json.loads(line) for line in PRED.read_text(encoding="utf-8").splitlines()]
    moved = [{**one, "spans": [{**s, "kind": s.pop("label")} for s in one["spans"]]} for one in lines]
    write(project, "".join(json.dumps(one) + "\n" for one in moved), "other.jsonl")
    write(
        project,
        'gold = "gold.jsonl"\nruns = ["other.jsonl"]\nmeasures = ["spans.exact", "spans.relaxed"]\nci = false\n'
        'pred_fields = { label = "kind" }\nmapping = { Entity = "Thing" }\nthresholds = [0.5, 0.8]\nbeta = 2\n'
        'parameters = { "spans.relaxed.threshold" = 0.7 }\nstrict = false\nmeta = { model = "m" }\n',
    )
    flags = ["-m", "spans.exact", "-m", "spans.relaxed", "--no-ci", "--pred-field", "label=kind"]
    flags += ["--map", "Entity=Thing", "--thresholds", "0.5,0.8", "--beta", "2", "--set"]
    flags += ["spans.relaxed.threshold=0.7", "--meta", "model=m"]
    typed, own = scored("gold.jsonl", "other.jsonl", *flags), scored()
    assert own["settings"] == typed["settings"]
    assert own["rows"] == typed["rows"]
    assert own["meta"] == {"model": "m", "configuration": "spanscope.toml"}


def test_gates(project: Path) -> None:
    write(project, BASIC + 'fail_under = "f1=0.99"\n')
    done = run("eval")
    assert done.code == 1
    assert run("eval", "--fail-under", "f1=0.1").code == 0
    write(project, BASIC + 'fail_under = ["f1=0.1"]\n')
    assert run("eval").code == 0


def test_several_runs(project: Path) -> None:
    shutil.copy(PRED, project / "new.jsonl")
    write(project, 'gold = "gold.jsonl"\n[runs]\nbase = "pred.jsonl"\nnew = "new.jsonl"\n')
    said = refused(run("eval"))
    assert "there are 2 runs" in said
    assert "base, new" in said
    assert "did you mean 'new'" in refused(run("eval", "--run", "nwe"))
    assert run("eval", "--run", "new", "--no-ci").code == 0
    assert "cannot be combined with GOLD" in refused(run("eval", "gold.jsonl", "pred.jsonl", "--run", "new"))
    for command in ("compare", "leaderboard"):
        done = run(command, "--trials", "100", "--resamples", "50")
        assert done.code == 0, done
        assert "base" in done.out
        assert "new" in done.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('protocl = "pii"', "did you mean 'protocol'"),
        ("protocol = 3", "expected  a text"),
        ('labels = { a = "b" }', "expected  a list"),
        ("beta = true", "expected  a number"),
        ("labels = [[1]]", "a list of texts or numbers"),
        ("[runs]\na = 3", "the name of a file"),
        ("ci = 1", "true or false"),
        ("gold = ", "is not valid TOML"),
        ('runs = "pred.jsonl"', "names no gold"),
        ('gold = "nowhere.jsonl"', "nowhere.jsonl"),
        ('gold = "gold.jsonl"\nruns = "pred.jsonl"\nprotocol = "none"', "none"),
    ],
)
def test_what_is_refused(project: Path, text: str, said: str) -> None:
    write(project, text)
    assert said in refused(run("eval"))


def test_every_option_of_scoring_has_a_key() -> None:
    assert OPTIONS.keys() >= {name for group in ALL for name in options_of(group)}


def test_a_file_that_is_not_there(project: Path) -> None:
    with pytest.raises(spanscope.InputError, match="cannot be read"):
        configuration(project / "no.toml")


# ---------------------------------------------------------------- init


def test_init_writes_what_eval_reads(project: Path) -> None:
    done = run("init")
    assert done.code == 0
    assert "gold gold.jsonl: its name says gold (spans)" in done.err
    assert "run pred.jsonl: its name says predictions (spans)" in done.err
    found = configuration(project / "spanscope.toml")
    assert (found.gold, dict(found.runs)) == ("gold.jsonl", {"pred": "pred.jsonl"})
    assert run("eval", "--no-ci").code == 0
    before = (project / "spanscope.toml").read_text(encoding="utf-8")
    assert "already exists" in refused(run("init"))
    assert (project / "spanscope.toml").read_text(encoding="utf-8") == before
    assert run("init", "--force").code == 0


def test_init_says_what_it_leaves_out(project: Path) -> None:
    (project / "runs").mkdir()
    (project / "pred.jsonl").rename(project / "runs" / 'a "b".jsonl')
    shutil.copy(PRED, project / "runs" / "c.jsonl")
    write(project, '{"a": 1}', "notes.json")
    write(project, "EU B-ORG\nrejects O\n\n", "tags.conll")
    shutil.copy(GOLD, project / "gold-old.jsonl")
    done = run("init")
    assert done.code == 0, done
    found = configuration(project / "spanscope.toml")
    assert dict(found.runs) == {'a "b"': 'runs/a "b".jsonl', "c": "runs/c.jsonl"}
    assert found.gold == "gold-old.jsonl"
    for words in (
        "no file is named as predictions",
        "left out notes.json",
        "left out tags.conll",
        "2 whose names say gold",
    ):
        assert words in done.err


def test_init_without_gold(project: Path) -> None:
    (project / "gold.jsonl").unlink()
    assert "no file is named as gold" in refused(run("init"))
    assert not (project / "spanscope.toml").exists()
    assert "is not a folder" in refused(run("init", "pred.jsonl"))


def test_init_says_how_to_add_the_output_of_a_language_model(project: Path) -> None:
    (project / "pred.jsonl").unlink()
    lines = [json.dumps({"id": one, "output": "[]"}) for one in ("1", "2")]
    write(project, "\n".join(lines), "outputs.jsonl")
    done = run("init")
    assert (
        "left out outputs.jsonl: no format has documents with id, output; for the output of a language model"
        in done.err
    )
    assert "no predictions were found: add them to the file, under [runs]" in done.err
    assert "under [runs] of the configuration" in refused(run("eval"))
