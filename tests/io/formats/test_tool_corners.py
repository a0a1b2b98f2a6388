"""doccano, Label Studio and Prodigy, built by hand: units, who counts, what is left out, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import InputError
from spanscope.io.detect import recognise
from tests.cli import refused, run, write
from tests.io.formats.expected import SAMPLES
from tests.support import Json

Places = list[list[tuple[int, int, str]]]


def spans(source: Any, **given: Any) -> Places:
    return [
        [(one["start"], one["end"], one["label"]) for one in document["spans"]]
        for document in spanscope.read(source, **given).to_dicts()
    ]


def wrong(source: Any, **given: Any) -> str:
    with pytest.raises(InputError) as caught:
        spanscope.read(source, **given)
    return str(caught.value)


def kinds(corpus: Any) -> dict[str, int]:
    return {one.kind: one.number for one in corpus.problems}


# ---------------------------------------------------------------- Prodigy


def example(number: int, *marks: tuple[int, int, str], **more: Any) -> Json:
    return {
        "text": f"Anna met Bob {number}",
        "_input_hash": number,
        "_task_hash": 100 + number,
        "answer": "accept",
        "spans": [{"start": a, "end": b, "label": label} for a, b, label in marks],
        **more,
    }


def test_the_later_answer_of_an_annotator_counts() -> None:
    """By its time, wherever it stands; a rejection takes an acceptance back."""
    first = example(1, (0, 4, "A"), _timestamp=20, _session_id="d-ann")
    again = example(1, (9, 12, "B"), _timestamp=10, _session_id="d-ann")
    corpus = spanscope.read([first, again])
    assert spans([first, again]) == [[(0, 4, "A")]]
    assert kinds(corpus) == {"answered again": 1}
    taken_back = example(1, _timestamp=30, _session_id="d-ann", answer="reject")
    corpus = spanscope.read([first, again, taken_back])
    assert (corpus.n_documents, [*corpus.left_out]) == (0, ["1"])
    assert kinds(corpus) == {"answer": 1, "answered again": 2}
    assert "2 examples answered again by the same annotator" in " ".join(one.what for one in corpus.problems)


def test_sessions_that_nobody_named_are_one_annotator() -> None:
    dates = ["2024-05-03_10-00-00", "2024-05-04_09-30-00"]
    found = spanscope.read_sides([example(n, _session_id=one) for n, one in enumerate(dates)])
    assert [*found] == [""]
    assert [*spanscope.read_sides([example(1, _annotator_id="d-ann", _session_id=dates[0])])] == ["d-ann"]


def test_ids_of_prodigy() -> None:
    """Those in meta where all examples have one of their own, and those that somebody names."""
    two = [example(n, meta={"doc_id": f"d{n}", "url": f"u{n}"}) for n in (1, 2)]
    assert spanscope.read(two).ids == ["d1", "d2"]
    assert spanscope.read(two, fields={"id": "meta.url"}).ids == ["u1", "u2"]
    assert spanscope.read([*two, example(3, meta={"doc_id": "d1"})]).ids == ["1", "2", "3"]
    assert spanscope.read([*two, example(3)]).ids == ["1", "2", "3"]
    assert "has no meta.url" in wrong([*two, example(3)], fields={"id": "meta.url"})
    assert "another name for label has no effect on Prodigy's examples" in wrong(two, fields={"label": "x"})


def test_metadata_of_prodigy() -> None:
    one = example(1, (0, 4, "A"), meta={"source": "web"}, batch=7)
    one["spans"][0] |= {"score": 0.5, "pattern": 3, "token_start": 0, "token_end": 0}
    assert spanscope.read([one], keep_fields=["batch"]).to_dicts() == [
        {
            "id": "1",
            "text": "Anna met Bob 1",
            "spans": [{"start": 0, "end": 4, "label": "A", "score": 0.5, "meta": {"pattern": 3}}],
            "meta": {"source": "web", "batch": 7},
        }
    ]


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        ({"_is_binary": True}, "is an answer to one suggested span"),
        ({"text": None}, "an example has no text"),
        ({"spans": [{"label": "A", "points": [[0, 1]]}]}, "a span has points: it is a region of an image"),
        ({"spans": 3}, "spans is 3"),
        ({"spans": [3]}, "spans[0] is 3"),
        ({"spans": [{"start": 0, "end": 99, "label": "A"}]}, "spans[0].end is 99, past the end of the text"),
        ({"_input_hash": 1, "text": "another"}, "has the _input_hash of documents[0], and another text"),
    ],
)
def test_examples_that_are_refused(odd: Json, said: str) -> None:
    assert said in wrong([example(1), {**example(2), **odd}])


def test_choices_about_whole_texts_are_refused() -> None:
    choice = {key: value for key, value in example(1, options=[], accept=["x"]).items() if key != "spans"}
    assert "holds choices about whole texts, and no spans" in wrong([choice])
    assert spans([choice, example(2)]) == [[], []]  # beside spans they are a question more


def test_relations_of_prodigy_are_counted() -> None:
    corpus = spanscope.read([example(1, relations=[{"head": 0, "child": 1}] * 3)])
    assert [str(one) for one in corpus.problems] == ["documents: 3 relations ignored: spans cannot hold them"]


def test_a_version_is_checked_like_an_example() -> None:
    odd = {**example(1), "spans": 3, "sessions": ["ann"]}
    assert "spans is 3" in wrong([example(1, _view_id="review", versions=[odd])], annotator="final")


def test_a_region_without_a_value_is_no_evidence_and_is_refused() -> None:
    """What a source is must not stumble over it; the reader says what is wrong."""
    assert "result[0].value is None" in wrong([task(1, by(1, {"type": "labels"}))])


def test_versions_of_a_review() -> None:
    """Two sessions may share a version; what a session rejected is no document of its."""
    shared = {**example(1, (0, 4, "A")), "sessions": ["ann", "bob"]}
    other = {**example(1, answer="reject"), "sessions": ["eve"]}
    found = spanscope.read_sides([example(1, (0, 4, "A"), _view_id="review", versions=[shared, other])])
    assert {name: side.size for name, side in found.items()} == {"final": 1, "ann": 1, "bob": 1, "eve": 0}
    assert [*found["eve"].left_out] == ["1"]


# ---------------------------------------------------------------- doccano

EMOJI = "😀 Anna"


def test_units_of_doccano() -> None:
    """Anna is 2..6 in code points and 3..7 in UTF-16; 1 is inside the emoji."""
    export = {"id": 1, "text": EMOJI, "label": [[3, 7, "A"]], "Comments": []}
    assert spans([export]) == [[(2, 6, "A")]]
    assert spans([export | {"label": [[2, 6, "A"]]}], offsets="codepoints") == [[(2, 6, "A")]]
    assert "label[0] begins or ends inside a character of UTF-16" in wrong([export | {"label": [[1, 6, "A"]]}])
    for name in ("d1", None):
        assert "1 span behind a character that counts twice" in wrong([export | {"id": name}])
    before = {"text": "Anna 😀", "label": [[0, 4, "A"]]}  # where nothing depends on the unit
    assert spans([before]) == [[(0, 4, "A")]]
    assert spanscope.read([before]).problems == []


def test_triples_under_entities_are_plain_spans() -> None:
    one = {"text": EMOJI, "entities": [[2, 6, "A"]]}
    assert recognise([one]).name == "spans"
    assert spans([one]) == [[(2, 6, "A")]]


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        ({"label": ["entities"]}, "label is ['entities']: names and no places, as of whole texts"),
        ({"label": [[0, 4]]}, "label[0] is [0, 4]"),
        ({"label": 3}, "label is 3"),
        ({"label": [[0, 4, 7]]}, "label[0].label is 7: labels are numbers of doccano's database"),
        ({"label": [[0, 4, "*"]]}, "spans[0].label is '*'"),
        ({"label": [[0, 9, "A"]]}, "spans[0].end is 9, past the end of the text"),
        ({"text": 3}, "text is 3"),
        ({"entities": [{"start_offset": 0, "end_offset": 1, "label": "A"}]}, "has spans under label and under"),
    ],
)
def test_documents_of_doccano_that_are_refused(odd: Json, said: str) -> None:
    one = {"id": 1, "text": "Anna", "label": [[0, 4, "A"]]}
    assert said in wrong([one, {**one, "id": 2, **odd}])


def test_users_of_an_old_export_are_sides() -> None:
    def by(user: int, start: int) -> Json:
        return {"label": "A", "start_offset": start, "end_offset": start + 1, "user": user}

    both = {"id": 1, "text": "abcd", "annotations": [by(1, 0), by(2, 1), by(1, 2)], "meta": {}}
    alone = {"id": 2, "text": "abcd", "annotations": [by(1, 0)], "meta": {}}
    nothing = {"id": 3, "text": "abcd", "annotations": [], "meta": {}}
    found = spanscope.read_sides([both, alone, nothing])
    assert {name: (side.ids, side.size) for name, side in found.items()} == {
        "1": (["1", "2", "3"], 3),
        "2": (["1", "3"], 1),
    }


def test_columns_that_doccano_keeps_are_metadata() -> None:
    one = {"id": 1, "text": "Anna", "label": [], "Comments": ["?"], "meta": {"a": 1}, "year": 1999, "more": ""}
    assert spanscope.read([one]).to_dicts()[0]["meta"] == {"a": 1, "Comments": ["?"], "year": 1999}


def test_members_of_a_folder_are_annotators(tmp_path: Path) -> None:
    for name, end in (("ann", 4), ("bob", 3)):
        line = {"id": 1, "text": "Anna", "label": [[0, end, "A"]], "Comments": []}
        write(tmp_path / f"{name}.jsonl", json.dumps(line) + "\n")
    assert [*spanscope.read_sides(tmp_path)] == ["ann", "bob"]
    assert spanscope.agree(tmp_path, measures=["f1"], ci=False).value("f1", "spans.exact") == 0


# ---------------------------------------------------------------- Label Studio


STORY = "😀 Anna met Bob in the garden"  # long enough that one name leaves gaps


def region(start: Any, end: Any, *labels: str, **more: Any) -> Json:
    value = {"start": start, "end": end, "labels": list(labels) or ["A"], **more}
    return {"type": "labels", "to_name": "text", "value": value}


def task(number: int, *annotations: Json, text: str = STORY, **more: Any) -> Json:
    return {"id": number, "data": {"text": text}, "annotations": list(annotations), **more}


def by(who: Any, *results: Json, **more: Any) -> Json:
    return {"id": 9, "completed_by": who, "result": list(results), **more}


LETTERS = "abcdefghij"


@pytest.mark.parametrize(
    ("regions", "read"),
    [
        ([(0, 5), (5, 10)], "labelstudio-segments"),  # nothing is left
        ([(0, 5), (6, 8)], "labelstudio-spans"),  # 3 of 10 are left
        ([(0, 5), (3, 9)], "labelstudio-spans"),  # some is left, and labels overlap
        ([], "labelstudio-spans"),
        ([(0, 5), (5, 9)], ""),  # 1 of 10 is left: a segmentation with a gap?
        ([(0, 5), (3, 10)], ""),  # all is covered, and labels overlap
    ],
)
def test_spans_are_told_from_segments_by_what_they_cover(
    regions: list[tuple[int, int]], read: str, tmp_path: Path
) -> None:
    export = [task(1, by(1, *(region(*ends) for ends in regions)), text=LETTERS)]
    path = write(tmp_path / "a.json", json.dumps(export))
    if read:
        assert recognise(path).name == recognise(export).name == read
        return
    said = refused(run("agree", path, path))
    assert "can be read in 2 ways: labelstudio-segments, labelstudio-spans" in said
    assert "--input labelstudio-segments or --input labelstudio-spans   to say which" in said
    assert len(spanscope.read(path, input="labelstudio-spans").spans) == 2


def test_blanks_between_segments_are_no_gaps_and_pages_of_clauses_are_segments() -> None:
    assert recognise([task(1, by(1, region(0, 4), region(5, 8)), text="abcd efg ")]).name == "labelstudio-segments"
    clauses = {"html": "<div>ab</div><div>cd</div>", "offsets": [[0, 2], [2, 4]]}
    assert recognise([task(1, by(1)) | {"data": clauses}]).name == "labelstudio-segments"


def test_the_first_tasks_of_a_large_file_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.io.json_lines.HEAD", 2_000)
    monkeypatch.setattr("spanscope.io.head.HEAD", 2_000)
    none, some = task(1, by(1)), task(2, by(1, region(0, 4)), text=LETTERS)
    path = write(tmp_path / "a.json", json.dumps([none, *[some] * 50]))
    assert recognise(path).name == "labelstudio-spans"


def test_the_name_of_before_still_reads_segments(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", json.dumps([task(1, by(1, region(0, 5), region(5, 10)), text=LETTERS)]))
    assert len(spanscope.read(path, input="label-studio").spans) == 2
    assert spanscope.read(path, input="labelstudio-segments").family == "segments"


def test_units_of_label_studio() -> None:
    """The texts of spans decide, for annotators and models apart; Anna is 3..7 in UTF-16."""
    drawn, counted = region(3, 7, text="Anna"), region(2, 6, text="Anna")
    both = task(1, by(1, drawn), predictions=[{"model_version": "m", "result": [counted]}])
    found = spanscope.read_sides([both])
    assert [spans_of.start.tolist() for spans_of in (found["1"].spans, found["m"].spans)] == [[2], [2]]
    assert kinds(found["m"]) == {"unit assumed": 1}
    assert "read in code points, because the texts of the spans fit there" in found["m"].problems[0].what
    assert kinds(spanscope.read([task(1, by(1, region(3, 7)))]))["unit assumed"] == 1
    bare = {"id": 1, "data": {"text": STORY}, "predictions": [{"model_version": "m", "result": [region(3, 7)]}]}
    assert "1 span of m behind a character that counts twice in UTF-16" in wrong([bare])
    assert spans([bare], offsets="utf16") == [[(2, 6, "A")]]
    misfit = [task(1, by(1, region(3, 7, text="Bob")))]
    assert "of 1 span with a text these stand at their offsets: 0 in UTF-16 units and 0 in code points" in wrong(
        misfit
    )


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (region(3, 7) | {"value": {"start": 3, "end": 7}}, "1: result[0].value.labels is None"),
        (region(3, 7) | {"value": 3}, "1: result[0].value is 3"),
        (region("3", 7, text="Anna"), "of 1 span with a text|spans[0].start is '3'"),
        (region(3, None), "spans[0] has no end"),
        (region(3, 99), "spans[0].end is 99"),
        ({"type": "paragraphlabels", "value": {"paragraphlabels": ["A"], "start": "0", "end": "1"}}, "paragraphs"),
        (
            {"type": "hypertextlabels", "value": {"start": "/p[1]", "end": "/p[1]", "hypertextlabels": ["A"]}},
            "globalO",
        ),
    ],
)
def test_regions_that_are_refused(result: Json, said: str) -> None:
    told = wrong([task(1, by(1, result))])
    assert any(one in told for one in said.split("|")), told


def test_pages_count_only_where_the_text_of_a_region_fits() -> None:
    value = {"globalOffsets": {"start": 3, "end": 7}, "text": "Anna", "hypertextlabels": ["A"]}
    html = task(
        1, by(1, {"type": "hypertextlabels", "value": value}), text="<p>😀 <b>Anna</b> met Bob in the garden</p>"
    )
    assert spans([html]) == [[(2, 6, "A")]]
    assert spanscope.read([html]).to_dicts()[0]["text"] == STORY
    for text in ("Bob", None):
        value["text"] = text
        assert "stand at their offsets" in wrong([html])


def test_a_region_with_several_labels_is_several_spans() -> None:
    assert spans([task(1, by(1, region(3, 7, "A", "B")))]) == [[(2, 6, "A"), (2, 6, "B")]]


def test_what_spans_cannot_hold_is_counted_for_label_studio() -> None:
    others = [{"type": "relation"}, {"type": "choices", "value": {"choices": ["x"]}}, {"type": "relation"}]
    corpus = spanscope.read([task(1, by(1, region(3, 7, text="Anna"), *others), drafts=[{}, {}])])
    aside = {one.values["kinds"]: one.number for one in corpus.problems if one.kind == "left aside"}
    assert aside == {"drafts": 2, "relations": 2, "results of the type choices": 1}


def test_tasks_without_an_annotation_leave_both_sides(tmp_path: Path) -> None:
    """One was cancelled, one was never annotated: the predictions for them are not scored."""
    guess = {"predictions": [{"model_version": "m", "result": [region(3, 7, text="Anna")]}]}
    export = [
        task(1, by(1, region(3, 7, text="Anna")), **guess),
        task(2, by(1, region(0, 2, text="😀"), was_cancelled=True), **guess),
        task(3, **guess),
    ]
    path = write(tmp_path / "a.json", json.dumps(export))
    found = spanscope.evaluate(path, None, "spans.exact", ci=False)
    assert found.totals() == {"tp": 1, "pred": 1, "gold": 1}
    assert found.problems.number["cancelled annotation"] == found.problems.number["no annotation"] == 1
    only = [{key: value for key, value in one.items() if key != "annotations"} for one in export]
    assert spanscope.read(only).n_documents == 3


def test_who_annotated_in_label_studio() -> None:
    one = task(1, by({"id": 4, "email": "ann@x.org"}, region(3, 7)), by(2, region(0, 2)))
    assert [*spanscope.read_sides([one])] == ["ann@x.org", "2"]
    assert spanscope.agree([one], measures=["f1"], ci=False).names == ("ann@x.org", "2")
    assert "two annotations are by '2'" in wrong([task(1, by(2), by(2))])
    old = {"id": 1, "data": {"text": STORY}, "completions": [by(1, region(3, 7))]}
    assert spans([old]) == [[(2, 6, "A")]]
    addressed = task(1, by(1), text="https://example.org/a.txt")
    assert "data.text is an address: the text itself is not in the export" in wrong([addressed])


def short(number: int, text: str = STORY, **more: Any) -> Json:
    return {"id": number, "text": text, "annotator": 1, "annotation_id": 7, "lead_time": 1.5, **more}


def test_names_of_a_project_in_json_min() -> None:
    place = {"start": 3, "end": 7, "text": "Anna", "labels": ["A"]}
    named = {**short(1), "story": STORY, "ner": [place], "key": "d1"}
    del named["text"]
    assert "data has story, key" in wrong([named])
    given = {"text": "story", "id": "key"}
    assert spans([named], fields=given) == [[(2, 6, "A")]]
    assert spanscope.read([named], fields=given).ids == ["d1"]
    two = short(1, ner=[place], pos=[{**place, "labels": ["NN"]}])
    assert "has labels under ner, pos" in wrong([two])
    assert spans([two], fields={"spans": "pos"}) == [[(2, 6, "NN")]]
    assert spans([short(1), short(2, ner=[place])]) == [[], [(2, 6, "A")]]


def test_cells_of_a_table_with_breaks_in_them(tmp_path: Path) -> None:
    """A text over two lines whose break counts; regions as JSON in a cell; semicolons in place of commas."""
    cell = json.dumps([{"start": 3, "end": 6, "text": "Bob", "labels": ["A"]}]).replace('"', '""')
    for separator in ",;\t":
        names = separator.join(("annotation_id", "annotator", "id", "label", "lead_time", "text"))
        row = separator.join(("7", "1", "5", f'"{cell}"', "1.5", '"ab\nBob"'))
        path = write(tmp_path / "a.csv", f"{names}\n{row}\n")
        assert spans(path) == [[(3, 6, "A")]]
        assert spanscope.read(path).to_dicts()[0]["id"] == "5"


def test_the_way_out_of_a_refusal_is_named(tmp_path: Path) -> None:
    """Fragments in cells, entities of seqeval without a word, and one line without a tag among many with one."""
    cells = write(tmp_path / "f.csv", "doc,start,end,label\nd1,0-4;15-38,40,X\n")
    assert "JSON with fragments for a span of several pieces" in refused(run("eval", cells, cells))
    entities = SAMPLES / "tags/seqeval_entities.json"
    assert "--input seqeval-entities" in refused(run("eval", entities, entities))
    tagged = write(tmp_path / "t.txt", "Ann B-PER\nmet O\n\n" * 5 + "Total 17\n")
    message = refused(run("eval", tagged, tagged))
    assert "t.txt:16: " in message
    assert "as 10 lines before have" in message
    assert "--input conll   which reads '17' as its tag" in message
