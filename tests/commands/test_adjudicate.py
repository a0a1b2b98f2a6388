"""What two annotators disagree on is listed by kind, imported by their tools, and merged once it is decided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import DocumentError, InputError, MeasureError
from tests.cli import run
from tests.io.formats.expected import SAMPLES

TEXT = "Anna Lee met Bob in Rome on Monday"
ANN: list[dict[str, Any]] = [
    {
        "id": "d1",
        "text": TEXT,
        "meta": {"source": "web"},
        "spans": [
            {"start": 0, "end": 4, "label": "PER"},
            {"start": 13, "end": 16, "label": "PER", "score": 0.5},
            {"start": 20, "end": 24, "label": "LOC"},
        ],
    },
    {"id": "d2", "text": "Nothing here", "spans": []},
    {"id": "d3", "text": "Carl left", "spans": [{"start": 0, "end": 4, "label": "PER"}]},
]
BEN: list[dict[str, Any]] = [
    {
        "id": "d1",
        "text": TEXT,
        "spans": [
            {"start": 0, "end": 8, "label": "PER"},
            {"start": 13, "end": 16, "label": "PER"},
            {"start": 20, "end": 24, "label": "ORG"},
            {"start": 28, "end": 34, "label": "DATE"},
        ],
    },
    {"id": "d2", "text": "Nothing here", "spans": []},
    {"id": "d3", "text": "Carl left", "spans": []},
]


def found() -> spanscope.Adjudication:
    return spanscope.adjudicate(ANN, BEN, names=["ann", "ben"])


def test_disagreements_have_kinds() -> None:
    own = found()
    assert [(one.document, one.kind, one.first and one.first["label"], one.second and one.second["label"])
            for one in own.disagreements] == [
        ("d1", "boundary", "PER", "PER"),
        ("d1", "type", "LOC", "ORG"),
        ("d1", "only second", None, "DATE"),
        ("d3", "only first", "PER", None),
    ]  # fmt: skip
    assert own.kinds == {"boundary": 1, "type": 1, "only second": 1, "only first": 1}
    assert (own.agreed, own.compared, len(own.documents)) == (1, 3, 2)
    assert repr(own) == "<Adjudication: 4 disagreements in 2 documents>"


def test_the_list_has_what_both_have_once_and_marks_the_rest() -> None:
    document = found().documents[0]
    assert document["meta"] == {
        "source": "web",
        "document": "d1",
        "disagreements": [
            "boundary: ann PER 0-4, ben PER 0-8",
            "type: ann LOC 20-24, ben ORG 20-24",
            "only second: ben DATE 28-34",
        ],
    }
    assert [(one["start"], one["end"], one["label"], one.get("meta")) for one in document["spans"]] == [
        (0, 4, "PER", {"by": "ann", "kind": "boundary"}),
        (0, 8, "PER", {"by": "ben", "kind": "boundary"}),
        (13, 16, "PER", None),
        (20, 24, "LOC", {"by": "ann", "kind": "type"}),
        (20, 24, "ORG", {"by": "ben", "kind": "type"}),
        (28, 34, "DATE", {"by": "ben", "kind": "only second"}),
    ]
    assert document["spans"][2]["score"] == 0.5


@pytest.mark.parametrize("form", ["doccano", "label-studio", "prodigy"])
def test_a_list_is_imported_and_comes_back(form: str, tmp_path: Path) -> None:
    done = found().save(tmp_path / "list.json", to=form)
    assert {loss.what for loss in done.losses} == (
        {"scores of spans", "spans with metadata"} if form == "doccano" else set()
    )
    merged = spanscope.merge_decided(tmp_path / "list.json", ANN)
    assert (merged.decided, merged.added, merged.removed) == (2, 3, 0)  # nothing was deleted from the list
    assert [one["id"] for one in merged.documents] == ["d1", "d2", "d3"]
    assert merged.documents[0]["meta"] == {"source": "web"}
    assert all("meta" not in span for span in merged.documents[0]["spans"])


def test_doccano_gives_back_the_places_it_was_given(tmp_path: Path) -> None:
    """It exports offsets as they were imported, with ids of its own; its exports are read in UTF-16 units."""
    text = "\N{GRINNING FACE} Ann met Bob"
    gold = [{"id": "d1", "text": text, "spans": [{"start": 2, "end": 5, "label": "PER"}]}]
    other = [{"id": "d1", "text": text, "spans": [{"start": 10, "end": 13, "label": "PER"}]}]
    spanscope.adjudicate(gold, other).save(tmp_path / "list.jsonl", to="doccano")
    listed = json.loads((tmp_path / "list.jsonl").read_text())
    assert listed["label"] == [[3, 6, "PER"], [11, 14, "PER"]]
    (tmp_path / "export.jsonl").write_text(json.dumps({**listed, "id": 7, "Comments": []}))
    merged = spanscope.merge_decided(tmp_path / "export.jsonl", gold)
    assert (merged.added, merged.removed) == (1, 0)
    assert [(one["start"], one["end"]) for one in merged.documents[0]["spans"]] == [(2, 5), (10, 13)]


def test_annotations_of_other_texts_or_places_are_refused(tmp_path: Path) -> None:
    lone = [{**one, "text": one["text"].upper() + "!"} for one in BEN]
    with pytest.raises(InputError, match="3 of 3 documents have another text than ann has"):
        spanscope.adjudicate(ANN, lone, names=["ann", "ben"])
    found = spanscope.adjudicate(ANN, lone, names=["ann", "ben"], allow_different_texts=True)
    assert found.kinds == {"boundary": 1, "type": 1, "only second": 1, "only first": 1}
    moved = [{**one, "spans": [{**span, "text": text_of(one, span)} for span in one["spans"]]} for one in ANN]
    for one in moved:
        for span in one["spans"]:
            span["end"] -= 1
    with pytest.raises(InputError, match=r"inclusive\W+with which they fit"):
        spanscope.adjudicate(moved, BEN)


def test_problems_of_both_are_told(tmp_path: Path) -> None:
    done = run("adjudicate", SAMPLES / "labelstudio/two_annotators.json", "-o", tmp_path / "list.jsonl")
    assert done.code == 0
    assert "the annotation 301 was cancelled: left out" in done.noted


def text_of(document: dict[str, Any], span: dict[str, Any]) -> str:
    whole: str = document["text"]
    return whole[span["start"] : span["end"]]


def test_a_list_is_written_where_spans_may_overlap(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="to is 'conll'"):
        found().save(tmp_path / "list.conll", to="conll")
    assert found().save(tmp_path / "list").form == "spans"


def test_no_text_is_quoted_where_none_may_be(tmp_path: Path) -> None:
    lone = [{"id": "d1", "text": TEXT.replace("Lee", "Loe"), "spans": []}]
    for refused in (
        lambda: spanscope.merge_decided(lone, ANN, text="masked"),
        lambda: spanscope.convert(ANN, tmp_path / "a", to="doccano", text="none"),
        lambda: spanscope.convert(ANN, tmp_path / "a.xyz", text="none"),
    ):
        with pytest.raises(InputError) as info:
            refused()
        assert not any(word in str(info.value) for word in ("Anna", "Lee", "Rome", "Monday"))


def test_decisions_replace_the_spans_of_their_documents() -> None:
    decided = {"id": "other", "text": TEXT, "meta": {"document": "d1"}, "spans": [BEN[0]["spans"][0]]}
    by_text = {"text": "Carl left", "spans": []}
    for one, added, removed, row in ((decided, 1, 3, 0), (by_text, 0, 1, 2)):
        merged = spanscope.merge_decided([one], ANN)
        assert (merged.added, merged.removed) == (added, removed)
        assert merged.documents[row]["spans"] == one["spans"]
        assert [own for at, own in enumerate(merged.documents) if at != row] == [
            own for at, own in enumerate(spanscope.read(ANN).to_dicts()) if at != row
        ]


@pytest.mark.parametrize(
    ("decided", "message"),
    [
        ([{"id": "d9", "text": "New", "spans": []}], "is not a document of gold"),
        ([{"id": "d1", "text": "Anna", "spans": []}], "the text is not that of the document"),
        ([{"id": "d1", "spans": []}, {"id": "x", "text": TEXT, "spans": []}], "a document is decided twice"),
    ],
)
def test_decisions_about_something_else_are_refused(decided: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        spanscope.merge_decided(decided, ANN)


def test_documents_of_one_annotator_alone() -> None:
    with pytest.raises(DocumentError):
        spanscope.adjudicate(ANN, BEN[:2])
    own = spanscope.adjudicate(ANN, BEN[:2], missing="skip")
    assert own.compared == 2
    assert any(
        problem.kind in ("left out", "missing document", "documents") or problem.number for problem in own.problems
    )


def test_one_source_of_two_annotators(tmp_path: Path) -> None:
    task = {"data": {"text": TEXT}, "annotations": []}
    for number, document in enumerate((ANN[0], BEN[0]), start=1):
        result = [
            {"type": "labels", "value": {"start": one["start"], "end": one["end"], "labels": [one["label"]]}}
            for one in document["spans"]
        ]
        task["annotations"].append({"id": number, "completed_by": number, "result": result})  # type: ignore[attr-defined]
    (tmp_path / "a.json").write_text(json.dumps([task]))
    own = spanscope.adjudicate(tmp_path / "a.json")
    assert own.names == ("1", "2")
    assert own.kinds == {"boundary": 1, "type": 1, "only second": 1}
    with pytest.raises(InputError, match="expected  two annotators, or two sources"):
        spanscope.adjudicate(ANN)


def test_fragments_are_compared_and_kept() -> None:
    pieces = {"start": 0, "end": 16, "label": "PER", "fragments": [[0, 4], [13, 16]]}
    one = [{"id": "1", "text": TEXT, "spans": [pieces]}]
    own = spanscope.adjudicate(
        one, [{"id": "1", "text": TEXT, "spans": [{"start": 0, "end": 16, "label": "PER"}]}]
    )
    assert own.kinds == {"boundary": 1}
    assert own.documents[0]["spans"][0]["fragments"] == [[0, 4], [13, 16]]


def test_the_command(tmp_path: Path) -> None:
    for name, documents in (("ann", ANN), ("ben", BEN)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, documents)))
    ann, ben, out = (str(tmp_path / f"{name}.jsonl") for name in ("ann", "ben", "list"))
    done = run("adjudicate", ann, ben, "-o", out, "--to", "doccano")
    assert done.code == 0
    assert "ann and ben: 1 span identical, 4 disagreements in 2 of 3 documents" in done.out
    assert "only first" in done.out
    assert "not in the list: 6 spans with metadata (left out)" in done.err
    gold = str(tmp_path / "gold.jsonl")
    merged = run("adjudicate", out, "--into", ann, "-o", gold)
    assert merged.code == 0
    assert "spans, 2 documents decided, 3 spans added, 0 removed" in merged.err
    assert json.loads(Path(ann).read_text().splitlines()[0]) == ANN[0]  # never in place
    refused = run("adjudicate", out, "--into", ann, "-o", ann)
    assert refused.code == 2
    assert "is an input" in refused.err


# ---------------------------------------------------------------- corrections, as a page exports them


def corrections(*flags: tuple[int, int, str, str | None], **more: Any) -> list[dict[str, Any]]:
    """Return corrections of the first document: spans as (start, end, label, flag)."""
    spans = [
        {"start": a, "end": b, "label": label, **({"meta": {"flag": flag, "note": "why"}} if flag else {})}
        for a, b, label, flag in flags
    ]
    return [{"id": "d1", "spans": spans, "meta": {"document": "d1", "corrections": ["in words"]}, **more}]


def test_corrections_take_out_what_is_wrong_and_put_in_what_is_missing() -> None:
    """What stays keeps what gold says of it; what is unsure stays; marks are gone."""
    listed = [(0, 4, "PER", "wrong"), (0, 8, "PER", "missing"), (13, 16, "PER", None), (20, 24, "LOC", "unsure")]
    merged = spanscope.merge_decided(corrections(*listed), ANN)
    assert (merged.added, merged.removed, merged.undecided) == (1, 1, 1)
    before = {(one["start"], one["end"]): one for one in spanscope.read(ANN).to_dicts()[0]["spans"]}
    after = {(one["start"], one["end"]): one for one in merged.documents[0]["spans"]}
    assert after.keys() == {(0, 8), (13, 16), (20, 24)}
    assert after[13, 16] == before[13, 16]  # with its score
    assert after[20, 24] == before[20, 24]
    assert after[0, 8] == {"start": 0, "end": 8, "label": "PER"}


def test_corrections_keep_what_no_page_has() -> None:
    """Fragments, and spans without offsets, are in no page: they stay as gold has them."""
    text = "Anna and Bob Lee"
    gold = [
        {
            "id": "d1",
            "text": text,
            "spans": [
                {"start": 0, "end": 16, "label": "PER", "fragments": [[0, 4], [13, 16]], "meta": {"flag": "own"}},
                {"start": 9, "end": 12, "label": "PER"},
            ],
        }
    ]
    merged = spanscope.merge_decided(corrections((0, 16, "PER", None), (9, 12, "PER", "wrong"), text=text), gold)
    assert (merged.added, merged.removed) == (0, 1)
    assert merged.documents[0]["spans"] == spanscope.read(gold).to_dicts()[0]["spans"][:1]


@pytest.mark.parametrize("form", ["doccano", "label-studio", "prodigy"])
def test_corrections_go_through_annotation_tools(form: str, tmp_path: Path) -> None:
    listed = corrections((0, 4, "PER", "wrong"), (13, 16, "PER", None), (20, 24, "LOC", "discuss"), text=TEXT)
    spanscope.convert(listed, tmp_path / "list.json", to=form, lossy=True)
    merged = spanscope.merge_decided(tmp_path / "list.json", ANN)
    kept = [(one["start"], one["end"], one["label"]) for one in merged.documents[0]["spans"]]
    wrong = [] if form != "doccano" else [(0, 4, "PER")]  # which has no place for flags of spans
    assert kept == [*wrong, (13, 16, "PER"), (20, 24, "LOC")]
