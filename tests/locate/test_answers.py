"""What models say, as items."""

import pytest

from spanscope.errors import InputError
from spanscope.locating.answers import read_answer
from spanscope.locating.lenient_json import read_leniently

ONE = [{"quote": "x", "label": "A"}]
TWO = [*ONE, {"quote": "y", "label": "B"}]


@pytest.mark.parametrize(
    ("said", "items"),
    [
        ('[{"quote": "x", "label": "A"}]', ONE),
        ('Sure!\n```json\n{"entities": [{"text": "x", "type": "A"}]}\n```\nDone.', ONE),
        ('<think>{"entities": [{"text": "no", "type": "A"}]}</think>[{"text": "x", "label": "A"}]', ONE),
        ('As [1] says: {"A": ["x"], "B": ["y"]}', TWO),
        ('{"entities": {"A": ["x"], "B": "y"}}', TWO),
        ({"spans": [{"mention": "x", "tag": "A"}, {"value": "y", "category": "B"}]}, TWO),
        ({"choices": [{"message": {"content": '{"A": ["x"]}'}}]}, ONE),
        ({"output": "[]"}, []),
        ('[{"A": "x"}, {"B": "y"}]', TWO),
    ],
)
def test_shapes(said, items) -> None:
    assert read_answer(said, "f:1").items == items


def test_offsets_and_scores_come_along() -> None:
    said = [{"text": "x", "label": "A", "start": 3, "end": 4, "confidence": 0.5}]
    assert read_answer(said, "f:1").items == [{**ONE[0], "start": 3, "end": 4, "score": 0.5}]
    interval = [{"extraction_text": "x", "extraction_class": "A", "char_interval": {"start_pos": 3, "end_pos": 4}}]
    assert read_answer({"extractions": interval}, "f:1").items == [{**ONE[0], "start": 3, "end": 4}]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ('{"entities": [{"text": "x", "type": "A"},]}', "line 1, column 4"),
        ('```json\n{"entities": [{"text": "x", "type": "A"}, {"text": "cu', "cut off"),
        ("I found nothing.", "holds no JSON"),
        ('{"A": ["x"]} or {"A": ["y"]}', "2 JSON values"),
        ('{"entities": [3]}', "item 0 is 3"),
    ],
)
def test_what_is_no_answer_is_refused_with_its_place(said: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        read_answer(said, "out.jsonl:7")
    assert words in str(refused.value)
    assert str(refused.value).startswith("out.jsonl:7: ")


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("{'a': [1, 2,], b: 'x'}", {"a": [1, 2], "b": "x"}),
        ('{"a": [{"t": "x"}, {"t": "cut o', {"a": [{"t": "x"}]}),
        ('[{"t": "say "hi" now"}]', [{"t": 'say "hi" now'}]),
        ("[True, None, 1.5]", [True, None, 1.5]),
    ],
)
def test_repairs(said: str, value) -> None:
    assert read_leniently(said) == value


def test_a_repair_is_told() -> None:
    answer = read_answer("{'A': ['x',]}", "f:1", repair=True)
    assert answer == (ONE, True)
    assert not read_answer('{"A": ["x"]}', "f:1", repair=True).repaired
