"""A result in MLflow, TensorBoard and Weights & Biases; the last also by a stand-in for it."""

import importlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO
from unittest import mock

import pytest

import spanscope
from spanscope.adapters import mlflow as of_mlflow
from spanscope.adapters import tensorboard as of_tensorboard
from spanscope.adapters import wandb as of_wandb
from spanscope.adapters.scalars import scalars
from tests.support import needs

# One of two gold spans is found by one prediction, in the first of two documents.
GOLD = [{"id": 1, "text": "ab cd", "spans": [[0, 2, "A/1"], [3, 5, "A_1"]]}, {"id": 2, "text": "-", "spans": []}]
PRED = [{"id": 1, "spans": [[0, 2, "A/1"]]}, {"id": 2, "spans": []}]
MEASURES = ["spans.exact", "spans.relaxed(threshold=0.5)"]


def result(**options: Any) -> spanscope.Result:
    return spanscope.evaluate(GOLD, PRED, MEASURES, **{"ci": False, **options})


def test_names_and_values() -> None:
    found = scalars(result(), labels=True)
    assert found["spans.exact/precision/micro"] == 1.0
    assert found["spans.exact/recall/micro"] == found["spans.relaxed_threshold_0.5/recall/micro"] == 0.5
    assert (found["spans.exact/recall/label/A_1"], found["spans.exact/recall/label/A_1_2"]) == (1.0, 0.0)
    assert "spans.exact/precision/label/A_1_2" not in found, "what is undefined has no scalar"
    assert not any(name.endswith(("/low", "/high")) for name in found)
    assert not any("/label/" in name for name in scalars(result()))


def test_bounds_of_intervals() -> None:
    own = result(ci=spanscope.Ci(resamples=50))
    row = next(row for row in own.rows if (row.rate, row.average, row.label) == ("recall", "micro", None))
    found = scalars(own)
    assert (found["spans.exact/recall/micro/low"], found["spans.exact/recall/micro/high"]) == (row.low, row.high)


@pytest.mark.filterwarnings("ignore")  # of MLflow and what it imports
def test_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = needs("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    own = result()
    with pytest.raises(spanscope.MeasureError, match="no run of MLflow is active"):
        of_mlflow.log_result(own)
    with mlflow.start_run() as run:
        of_mlflow.log_result(own, step=3, labels=True)
    client = mlflow.MlflowClient()
    other = client.create_run(run.info.experiment_id)
    of_mlflow.log_result(own, other.info.run_id, client=client)
    for name, labels in ((run.info.run_id, True), (other.info.run_id, False)):
        data = client.get_run(name).data
        assert data.metrics == pytest.approx(scalars(own, labels=labels))
        assert data.tags["spanscope.signature"] == own.signature()
        kept = client.download_artifacts(name, "spanscope/result.json", str(tmp_path))
        assert json.loads(Path(kept).read_text(encoding="utf-8"))["rows"] == own.to_dict()["rows"]
    assert [one.step for one in client.get_metric_history(run.info.run_id, "spans.exact/f1/micro")] == [3]


@pytest.mark.filterwarnings("ignore")  # of tensorboardX and protobuf
def test_tensorboard(tmp_path: Path) -> None:
    board = needs("tensorboardX")
    written = []
    with board.SummaryWriter(str(tmp_path)) as writer:
        add = writer.file_writer.add_summary
        with mock.patch.object(writer.file_writer, "add_summary", lambda *one: written.append(one) or add(*one)):
            of_tensorboard.log_result(result(), writer, step=2)
    values = {
        one.tag: one.simple_value for summary, *_ in written for one in summary.value if not one.HasField("tensor")
    }
    assert values == pytest.approx(scalars(result()))
    assert {step for _, step, *_ in written} == {2}
    texts = {
        one.tag: one.tensor.string_val[0]
        for summary, *_ in written
        for one in summary.value
        if one.HasField("tensor")
    }
    assert texts["spanscope/signature/text_summary"].decode() == f"`{result().signature()}`"
    assert any(tmp_path.iterdir())


class Artifact:
    """What Weights & Biases documents of wandb.Artifact: a name, a type, metadata, and files that are written."""

    def __init__(self, name: str, type: str, metadata: dict[str, Any]) -> None:
        self.name, self.type, self.metadata, self.folder = name, type, metadata, Path(name)

    @contextmanager
    def new_file(self, name: str, mode: str = "x", encoding: str | None = None) -> Iterator[TextIO]:
        self.folder.mkdir(exist_ok=True)
        with (self.folder / name).open(mode, encoding=encoding) as file:
            yield file


class Run:
    """What it documents of a run: `log(data, step=)`, `summary` and `log_artifact`."""

    def __init__(self) -> None:
        self.logged: list[tuple[dict[str, float], int | None]] = []
        self.summary: dict[str, str] = {}
        self.artifacts: list[Artifact] = []

    def log(self, data: dict[str, float], step: int | None = None) -> None:
        self.logged.append((data, step))

    def log_artifact(self, artifact: Artifact) -> None:
        self.artifacts.append(artifact)


def test_wandb_by_its_documented_interface(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run, own = Run(), result()
    with mock.patch.dict("sys.modules", {"wandb": SimpleNamespace(Artifact=Artifact)}):
        of_wandb.log_result(own, run, step=4)
        of_wandb.log_result(own, run, artifact=None)
    assert run.logged == [(scalars(own), 4), (scalars(own), None)]
    assert run.summary == {"spanscope/signature": own.signature()}
    (artifact,) = run.artifacts
    assert (artifact.name, artifact.type) == ("spanscope", "evaluation")
    assert (
        json.loads((artifact.folder / "result.json").read_text(encoding="utf-8"))["rows"] == own.to_dict()["rows"]
    )
    assert (artifact.folder / "report.md").read_text(encoding="utf-8").startswith("# Evaluation")


@pytest.mark.filterwarnings("ignore")  # of wandb and what it imports
def test_wandb_offline(tmp_path: Path) -> None:
    """The package itself, where it is installed: it is large, and no part of the extra for tests."""
    try:
        wandb = importlib.import_module("wandb")
    except ImportError:
        pytest.skip("wandb is not installed: pip install 'spanscope[wandb]'")
    settings = wandb.Settings(mode="offline", root_dir=str(tmp_path), silent=True)
    with wandb.init(project="spans", dir=str(tmp_path), settings=settings) as run:
        of_wandb.log_result(result(), run)
        assert dict(run.summary)["spans.exact/recall/micro"] == 0.5
        assert run.summary["spanscope/signature"] == result().signature()
    assert any(tmp_path.rglob("*.wandb"))
