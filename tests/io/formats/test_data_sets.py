"""What a user of Hugging Face has: data sets with names of classes, and predictions as numbers or as tags."""

from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pytest
import seqeval.metrics

import spanscope
from spanscope.errors import InputError
from tests.cli import run

NAMES = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
WORDS = [["Ann", "Lee", "met", "Bob"], ["Rome", "is", "old"], ["Nobody", "came"]]
GOLD = [[1, 2, 0, 1], [3, 0, 0], [0, 0]]
PRED = [[1, 2, 0, 3], [3, 0, 0], [1, 0]]


def names_of(rows: Any) -> list[list[str]]:
    return [[NAMES[tag] for tag in row] for row in rows]


@pytest.fixture(scope="module")
def dataset() -> datasets.Dataset:
    features = datasets.Features(
        tokens=datasets.List(datasets.Value("string")),
        ner_tags=datasets.List(datasets.ClassLabel(names=NAMES)),
    )
    return datasets.Dataset.from_dict({"tokens": WORDS, "ner_tags": GOLD}, features=features)


def f1() -> float:
    return float(seqeval.metrics.f1_score(names_of(GOLD), names_of(PRED)))


def test_one_call_scores_a_data_set(dataset: datasets.Dataset) -> None:
    """As seqeval: two of four predicted entities are among three of gold."""
    arrays = [np.array(row) for row in PRED]
    dtype = np.array(arrays, dtype=object)
    for pred in (PRED, names_of(PRED), arrays, dtype, dataset.remove_columns("ner_tags").add_column("tags", PRED)):
        result = spanscope.evaluate(dataset, pred, ci=False)
        assert result.value() == pytest.approx(f1(), abs=1e-12)
        assert result.totals("spans.exact") == {"tp": 2, "pred": 4, "gold": 3}


def test_numbers_past_the_names_are_refused(dataset: datasets.Dataset) -> None:
    with pytest.raises(InputError, match="the tag 9 has no name: 5 names of tags are known"):
        spanscope.evaluate(dataset, [[1, 2, 0, 9], [3, 0, 0], [0, 0]], ci=False)
    with pytest.raises(InputError):  # of numbers on both sides nobody knows the names
        spanscope.evaluate(GOLD, PRED, ci=False)


def test_rows_that_were_chosen_are_read_in_their_order(dataset: datasets.Dataset) -> None:
    chosen = dataset.select([2, 0])
    assert [one["tokens"] for one in spanscope.read(chosen).to_dicts()] == [WORDS[2], WORDS[0]]
    assert spanscope.evaluate(chosen, [PRED[2], PRED[0]], "spans.exact", ci=False).totals()["tp"] == 1


def test_splits_in_memory(dataset: datasets.Dataset) -> None:
    both = datasets.DatasetDict({"train": dataset, "test": dataset.select([1])})
    assert spanscope.read(both, split="test").n_documents == 1
    with pytest.raises(InputError, match="holds 2 splits: train, test"):
        spanscope.read(both)
    found = spanscope.evaluate(both, PRED, "spans.exact", ci=False, read=spanscope.Reading(split="train"))
    assert found.totals() == {"tp": 2, "pred": 4, "gold": 3}
    alone = datasets.DatasetDict({"test": dataset})
    assert spanscope.read(alone).n_documents == 3


def test_arrays_that_are_filled_up(dataset: datasets.Dataset) -> None:
    """As a model sees them: rows of one length, -100 where nothing is scored."""
    width = max(map(len, GOLD))
    gold, pred = (
        np.array([row + [fill] * (width - len(row)) for row in rows]) for rows, fill in ((GOLD, -100), (PRED, 0))
    )
    read = spanscope.Reading(tag_names=NAMES)
    found = spanscope.evaluate(gold, pred, "spans.exact", ci=False, read=read)
    assert found.totals() == {"tp": 2, "pred": 4, "gold": 3}
    assert found.value() == pytest.approx(f1(), abs=1e-12)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_the_library_writes(dataset: datasets.Dataset, tmp_path: Path) -> None:
    dataset.save_to_disk(tmp_path / "one", num_shards=2)
    datasets.DatasetDict({"train": dataset, "test": dataset}).save_to_disk(tmp_path / "two")
    dataset.to_parquet(tmp_path / "three.parquet")
    expected = spanscope.read(dataset).to_dicts()
    assert [one["tags"] for one in expected] == names_of(GOLD)
    for name, given in (("one", {}), ("two", {"split": "test"}), ("three.parquet", {})):
        assert spanscope.read(tmp_path / name, **given).to_dicts() == expected
        flags = [word for key, value in given.items() for word in (f"--{key}", value)]
        done = run("eval", tmp_path / name, tmp_path / name, "--no-ci", *flags)
        assert done.code == 0, done.err


def test_a_saved_data_set_that_is_damaged(dataset: datasets.Dataset, tmp_path: Path) -> None:
    dataset.save_to_disk(tmp_path / "a")
    state = tmp_path / "a/state.json"
    state.write_text(state.read_text().replace("data-0", "../data-0"))
    with pytest.raises(InputError, match=r"names the file '\.\./data-00000-of-00001\.arrow'"):
        spanscope.read(tmp_path / "a")
    state.write_text("{")
    with pytest.raises(InputError, match=r"state\.json: is not JSON"):
        spanscope.read(tmp_path / "a")
