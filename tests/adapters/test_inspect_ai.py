"""The scorer of inspect_ai by a stand-in of its documented interface, and by the package where it is installed."""

import asyncio
import importlib
import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from spanscope import InputError
from spanscope.adapters.inspect_ai import score_output, span_scorer

# input, text in the metadata, target, output: three gold spans and three predictions, of which two are right
SAMPLES = (
    ("Anna met Bob", None, [[0, 4, "PER"], [9, 12, "PER"]], '{"PER": ["Anna"]}'),
    ("Mark places: ...", "Rome is old", [[0, 4, "LOC"]], 'Here:\n```json\n{"LOC": ["Rome", "old"]}\n```'),
    ("Nothing", None, [], "I cannot do that."),
)
FIGURES = {"precision": 2 / 3, "recall": 2 / 3, "f1": 2 / 3, "unreadable": 1 / 3}


@dataclass
class Score:
    """What inspect_ai documents of a score."""

    value: dict[str, float]
    answer: str | None = None
    explanation: str | None = None


@contextmanager
def stand_in() -> Iterator[list[Any]]:
    """Put `metric` and `scorer`, decorators of functions that make one, in the place of the package."""
    metrics: list[Any] = []

    def metric(name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
        def named(make: Callable[[], Any]) -> Callable[[], Any]:
            def made() -> Any:
                own = make()
                own.called = name
                return own

            return made

        return named

    def scorer(metrics: list[Any], name: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
        kept[:] = metrics
        return lambda make: make

    kept = metrics
    module = SimpleNamespace(Score=Score, metric=metric, scorer=scorer)
    packages = {"inspect_ai": SimpleNamespace(scorer=module), "inspect_ai.scorer": module}
    with mock.patch.dict("sys.modules", packages):
        yield metrics


def state(sample: tuple[str, str | None, list[Any], str]) -> Any:
    words, text, _, output = sample
    metadata = {} if text is None else {"text": text}
    return SimpleNamespace(input_text=words, metadata=metadata, output=SimpleNamespace(completion=output))


def test_scores_and_metrics_by_the_documented_interface() -> None:
    with stand_in() as metrics:
        score = span_scorer()
        scores = [asyncio.run(score(state(one), SimpleNamespace(text=json.dumps(one[2])))) for one in SAMPLES]
    assert [one.value["tp"] for one in scores] == [1, 1, 0]
    assert [one.answer for one in scores] == [one[3] for one in SAMPLES]
    assert "missing" in scores[0].explanation
    assert "Bob" in scores[0].explanation
    assert "holds no JSON" in scores[2].explanation
    samples = [SimpleNamespace(score=one) for one in scores]
    assert {one.called: one(samples) for one in metrics} == pytest.approx(FIGURES)
    assert all(math.isnan(one([])) for one in metrics)


def test_broken_json_is_mended_where_that_is_asked_for() -> None:
    target, output = '[[0, 4, "PER"]]', '[{"label": "PER", "quote": "Anna"}, {"label": "PE'
    assert score_output("Anna met Bob", target, output)[0]["unreadable"] == 1
    assert score_output("Anna met Bob", target, output, repair_json=True)[0] == {
        **dict.fromkeys(("tp", "pred", "gold"), 1.0),
        "unreadable": 0.0,
    }


def test_no_text_is_explained_where_texts_are_masked() -> None:
    for output in ('{"PER": ["Bob"]}', "Bob broke it", '{"PER": ["Bob"'):
        assert "Bob" not in score_output("Anna met Bob", '[[0, 4, "PER"]]', output, text="masked")[1]


def test_a_target_that_is_no_gold_is_refused() -> None:
    for target in ("Anna", '{"PER": ["Anna"]}'):
        with pytest.raises(InputError, match="a JSON list of spans"):
            score_output("Anna met Bob", target, "[]")
    with pytest.raises(InputError, match="past the end of the text"):
        score_output("Anna", '[[0, 40, "PER"]]', "[]")


@pytest.mark.filterwarnings("ignore")  # of inspect_ai and what it imports
def test_evaluation_of_inspect_ai(tmp_path: Path) -> None:
    """The package itself, where it is installed: it is large, and no part of the extra for tests."""
    try:
        inspect_ai = importlib.import_module("inspect_ai")
    except ImportError:
        pytest.skip("inspect_ai is not installed: pip install 'spanscope[inspect-ai]'")
    models = importlib.import_module("inspect_ai.model")
    outputs = [models.ModelOutput.from_content("mockllm/model", one[3]) for one in SAMPLES]
    for one in outputs:
        one.usage = models.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    make = importlib.import_module("inspect_ai.dataset").Sample
    samples = [
        make(input=one[0], target=json.dumps(one[2]), metadata={} if one[1] is None else {"text": one[1]})
        for one in SAMPLES
    ]
    task = inspect_ai.Task(dataset=samples, scorer=span_scorer())
    model = models.get_model("mockllm/model", custom_outputs=outputs)
    (log,) = inspect_ai.eval(task, model=model, display="none", log_dir=str(tmp_path), max_samples=1)
    assert log.status == "success"
    (score,) = log.results.scores
    assert {name: one.value for name, one in score.metrics.items()} == pytest.approx(FIGURES)
