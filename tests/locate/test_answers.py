"""What models say, as items."""

import json

import pytest

import spanscope
from spanscope.errors import DocumentError, InputError
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


WORDS = '{"A": ["x"]}'
MESSAGE = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": WORDS}]}
CHAT = {"object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": WORDS}}]}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": WORDS}}
REPLIES = {  # as the references of the interfaces show them
    "chat completion": CHAT,
    "completion": {"object": "text_completion", "choices": [{"text": WORDS, "index": 0}]},
    "line of a batch": {
        "id": "batch_req_1",
        "custom_id": "d1",
        "response": {"status_code": 200, "request_id": "r", "body": CHAT},
        "error": None,
    },
    "tool call": {"choices": [{"message": {"content": None, "tool_calls": [CALL]}}]},
    "response": {
        "object": "response",
        "output": [
            {"type": "reasoning", "summary": []},
            {"type": "message", "content": [{"type": "output_text", "text": WORDS, "annotations": []}]},
        ],
    },
    "function call": {"output": [{"type": "function_call", "name": "f", "arguments": WORDS}]},
    "message": MESSAGE,
    "message with thoughts": {**MESSAGE, "content": [{"type": "thinking", "thinking": "[]"}, *MESSAGE["content"]]},
    "tool use": {**MESSAGE, "content": [{"type": "tool_use", "name": "f", "input": {"A": ["x"]}}]},
    "batch of messages": {"custom_id": "d1", "result": {"type": "succeeded", "message": MESSAGE}},
    "candidates": {"key": "d1", "response": {"candidates": [{"content": {"parts": [{"text": WORDS}]}}]}},
    "record": {"recordId": "d1", "modelInput": {}, "modelOutput": MESSAGE},
    "chat of a local server": {"model": "m", "message": {"role": "assistant", "content": WORDS}, "done": True},
}


@pytest.mark.parametrize("name", REPLIES)
def test_the_words_of_a_reply_are_found_in_what_an_interface_returned(name: str) -> None:
    assert read_answer(REPLIES[name], "f:1").items == ONE


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"custom_id": "d1", "response": None, "error": {"code": "x", "message": "timeout"}}, "timeout"),
        ({"custom_id": "d1", "response": {"status_code": 400, "body": {"error": {"message": "no"}}}}, "no"),
        ({"custom_id": "d1", "result": {"type": "expired"}}, "expired"),
        ({"result": {"type": "errored", "error": {"type": "error", "error": {"message": "busy"}}}}, "busy"),
        ({"id": "d1", "error": "cut off"}, "cut off"),
        ({"id": "d1", "output": None}, "output is null"),
    ],
)
def test_a_call_without_a_reply_has_no_items_but_a_reason(said, why: str) -> None:
    assert read_answer(said, "f:1") == ([], False, why)


def test_a_batch_is_paired_by_the_id_that_was_asked_with(tmp_path) -> None:
    """`id` is the batch's own; the id of the document stands under `custom_id`. One call failed."""
    lines = [
        {**REPLIES["line of a batch"], "custom_id": "d2"},
        {"id": "batch_req_2", "custom_id": "d1", "response": None, "error": {"message": "timeout"}},
    ]
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    texts = {"d1": "no", "d2": "an x"}
    with pytest.raises(DocumentError, match=r"batch\.jsonl:2: the call brought no reply: 'timeout'"):
        spanscope.locate(texts, path)
    found = spanscope.locate(texts, path, missing="empty")
    assert [(row.document, row.start, row.end) for row in found.rows] == [("d2", 3, 4)]
    assert found.without == ["d1"]


def test_an_unknown_wrapper_is_refused_and_not_taken_for_a_label() -> None:
    with pytest.raises(InputError) as refused:
        read_answer({"verdict": {"state": "done", "said": "x"}}, "f:1")
    assert "item 0 has no quote: it has state, said" in str(refused.value)


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
    assert answer == (ONE, True, None)
    assert not read_answer('{"A": ["x"]}', "f:1", repair=True).repaired


def test_an_item_a_line_and_json_within_json() -> None:
    lines = '{"quote": "x", "label": "A"}\n{"quote": "y", "label": "B"}'
    assert read_answer(lines, "f:1").items == TWO
    assert read_answer(json.dumps(lines), "f:1").items == TWO


def test_replies_of_bedrock() -> None:
    text = {"output": {"message": {"role": "assistant", "content": [{"text": '{"A": ["x"]}'}]}}}
    used = {"output": {"message": {"content": [{"toolUse": {"name": "f", "input": {"A": ["x"]}}}]}}}
    assert [read_answer(one, "f:1").items for one in (text, used)] == [ONE, ONE]


def test_the_id_of_a_reply_is_no_document() -> None:
    """Replies that were kept as they came belong to the documents by position; other ids are held to the texts."""
    texts = [{"id": "a", "text": "x y"}, {"id": "b", "text": "x y"}]
    said = [{"message": {"content": '{"A": ["x"]}'}}], [{"message": {"content": '{"A": ["y"]}'}}]
    replies = [
        {"id": f"chatcmpl-{at}", "object": "chat.completion", "choices": one} for at, one in enumerate(said)
    ]
    assert [(row.document, row.quote) for row in spanscope.locate(texts, replies).rows] == [("a", "x"), ("b", "y")]
    message = {"id": "msg_1", "type": "message", "content": [{"type": "text", "text": '{"A": ["y"]}'}]}
    assert [row.quote for row in spanscope.locate(texts[:1], [message]).rows] == ["y"]
    own = [{**one, "id": name} for one, name in zip(replies, "ba", strict=True)]
    assert [(row.document, row.quote) for row in spanscope.locate(texts, own).rows] == [("a", "y"), ("b", "x")]
    with pytest.raises(DocumentError, match="no text has the id 'c'"):
        spanscope.locate(texts, [{"id": "c", "choices": said[0]}, {"id": "a", "choices": said[1]}])
