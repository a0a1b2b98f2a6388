"""What else is known of documents and spans is kept, whichever way they are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import InputError
from spanscope.io.spans import lines
from tests.support import needs

ANNA = {"start": 0, "end": 4, "label": "PER", "meta": {"id": "T1"}}
SEGMENT = {"type": "labels", "value": {"start": 0, "end": 3, "labels": ["A"]}}
DOCUMENTS: list[dict[str, Any]] = [
    {"id": "1", "text": "Anna met Bob", "meta": {"year": 1999}, "source": "web", "spans": [ANNA]},
    {"id": "2", "text": "Bob", "source": "mail", "spans": [{"start": 0, "end": 3, "label": "PER", "score": 0.5}]},
    {"id": "3", "text": "", "meta": "none", "spans": []},
]
KEPT = [{"year": 1999, "source": "web"}, {"source": "mail"}, {"meta": "none"}]


def _written(tmp_path: Path, how: str) -> Any:
    if how == "objects":
        return DOCUMENTS
    if how == "list":
        (tmp_path / "a.json").write_text(json.dumps(DOCUMENTS))
        return tmp_path / "a.json"
    if how == "lines":
        (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, DOCUMENTS)))
        return tmp_path / "a.jsonl"
    pandas = needs("pandas")
    needs("pyarrow")
    pandas.DataFrame(
        [{**one, "meta": {"year": 1999} if one["id"] == "1" else None} for one in DOCUMENTS]
    ).to_parquet(tmp_path / "a.parquet")
    return tmp_path / "a.parquet"


@pytest.mark.parametrize("how", ["objects", "list", "lines", "parquet"])
@pytest.mark.parametrize("strict", [False, True])
def test_metadata_is_kept_by_every_way_of_reading(
    tmp_path: Path, how: str, strict: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = _written(tmp_path, how)
    given: dict[str, Any] = {"ends": "exclusive"}
    if strict:  # the fast way is refused: the strict reader sees every document
        monkeypatch.setattr("spanscope.io.spans.batch.check_offset_columns", _unfit)
    corpus = spanscope.read(source, keep_fields=["source"], **given)
    kept = KEPT if how != "parquet" else [*KEPT[:2], None]
    assert corpus.meta is not None
    assert corpus.meta.tolist() == kept
    assert corpus.spans.extra["meta"].tolist() == [{"id": "T1"}, None]
    assert corpus.to_dicts()[0]["meta"] == KEPT[0]
    assert corpus.to_dicts()[0]["spans"][0] == ANNA


def _unfit(*_: object) -> None:
    from spanscope.io.spans.values import Unfit

    raise Unfit


def test_plain_documents_have_no_metadata() -> None:
    corpus = spanscope.read([{"id": 1, "spans": [{"start": 0, "end": 1, "label": "A"}]}])
    assert corpus.meta is None
    assert "meta" not in corpus.spans.extra


def test_blocks_of_a_large_file_keep_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.io.spans.reading.LARGE", 10)
    monkeypatch.setattr(lines, "CHUNK", 40)  # metadata is met after a document without any
    documents = [DOCUMENTS[1], *DOCUMENTS, DOCUMENTS[1]]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps({**one, "id": at}) for at, one in enumerate(documents)))
    corpus = spanscope.read(path, keep_fields=["source"])
    assert corpus.meta is not None
    assert corpus.meta.tolist() == [KEPT[1], *KEPT, KEPT[1]]


def test_columns_are_about_documents_where_each_has_one_value() -> None:
    table = {"doc": ["a", "b", "a"], "start": [0, 1, 2], "end": [1, 2, 3], "label": ["X", "Y", "Z"]}
    more = {"site": ["p", "q", "p"], "by": ["u", "v", None]}
    corpus = spanscope.read({**table, **more}, keep_fields=["site", "by"])
    assert corpus.to_dicts() == [
        {
            "id": "a",
            "spans": [
                {"start": 0, "end": 1, "label": "X", "meta": {"by": "u"}},
                {"start": 2, "end": 3, "label": "Z"},
            ],
            "meta": {"site": "p"},
        },
        {"id": "b", "spans": [{"start": 1, "end": 2, "label": "Y", "meta": {"by": "v"}}], "meta": {"site": "q"}},
    ]


@pytest.mark.parametrize(
    "document",
    [
        {"tokens": ["a"], "tags": ["O"]},
        {"text": "abc", "segments": [[0, 3]]},
        {"query": "abc", "snippets": ["a"]},
        {"data": {"text": "abc", "site": "p"}, "annotations": [{"result": [SEGMENT], "completed_by": 1}]},
    ],
)
def test_the_other_families_keep_it(document: dict[str, Any]) -> None:
    source = [{**document, "meta": {"year": 1999}, "site": "p"}]
    corpus = spanscope.read(source, keep_fields=["site"])
    assert corpus.meta is not None
    assert corpus.meta.tolist() == [{"year": 1999, "site": "p"}]


def test_a_field_that_no_document_has_is_refused() -> None:
    with pytest.raises(InputError, match="no document has the field 'sorce', which was to be kept"):
        spanscope.read(DOCUMENTS, keep_fields=["sorce"])
    read = spanscope.Reading(keep_fields=["sorce"])
    with pytest.raises(InputError, match="sorce"):
        spanscope.evaluate(DOCUMENTS, DOCUMENTS, ci=False, read=read)


def test_one_side_may_lack_it() -> None:
    pred = [{key: value for key, value in one.items() if key != "source"} for one in DOCUMENTS]
    read = spanscope.Reading(keep_fields=["source"])
    assert spanscope.evaluate(DOCUMENTS, pred, ci=False, read=read).value() == 1


def test_a_label_may_stand_under_meta() -> None:
    spans = [{"start": 0, "end": 1, "meta": "A"}]
    corpus = spanscope.read([{"id": 1, "spans": spans}], fields={"label": "meta"})
    assert corpus.labels == ("A",)
    assert "meta" not in corpus.spans.extra
