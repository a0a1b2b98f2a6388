"""doccano, Label Studio and Prodigy: every sample, through every door, to what it must give."""

from pathlib import Path

import pytest

import spanscope
from spanscope.errors import InputError
from spanscope.io import detect
from spanscope.io.detect import FORMATS, recognise
from spanscope.io.head import Head
from spanscope.io.read_options import ReadOptions
from tests.cli import refused, run
from tests.io.formats.expected import EXPECTED, SAMPLES, sides_of, spans_in

FORMAT = {
    **dict.fromkeys(("doccano/gold.jsonl", "doccano/pred.jsonl", "doccano/relations.jsonl"), "doccano"),
    **dict.fromkeys(("doccano/old_labels.jsonl", "doccano/export.zip", "doccano/import.jsonl"), "doccano"),
    **dict.fromkeys(("labelstudio/full.json", "labelstudio/two_annotators.json"), "labelstudio-spans"),
    **dict.fromkeys(("labelstudio/with_predictions.json", "labelstudio/hypertext.json"), "labelstudio-spans"),
    **dict.fromkeys(("labelstudio/min_one.json", "labelstudio/min_two.json"), "labelstudio-spans"),
    **dict.fromkeys(("labelstudio/one.csv", "labelstudio/two.csv", "labelstudio/one.tsv"), "labelstudio-spans"),
    **dict.fromkeys(("prodigy/gold.jsonl", "prodigy/answers.jsonl", "prodigy/review.jsonl"), "prodigy"),
    "prodigy/two_annotators.jsonl": "prodigy",
}
REFUSED = ("doccano/old_annotations.jsonl", "prodigy/binary.jsonl")
ELSEWHERE = ("labelstudio/one.conll",)  # tokens
UNIT = {"doccano/import.jsonl": "codepoints"}  # the one option that it needs
BY_POSITION = ("doccano/import.jsonl",)
TOLD = {"duplicate", "left aside", "unit assumed", "cancelled annotation", "answer", "read as", "opened"}
TWO = [name for name in FORMAT if len(EXPECTED["files"][name]["spans"]) == 2]


def test_the_samples_are_all_here() -> None:
    tools = ("doccano", "labelstudio", "prodigy")
    assert {name for name in EXPECTED["files"] if name.startswith(tools)} == {*FORMAT, *REFUSED, *ELSEWHERE}


@pytest.mark.parametrize("name", [name for name in FORMAT if not name.endswith(".zip")])
def test_every_sample_is_claimed_by_one_format(name: str) -> None:
    assert recognise(SAMPLES / name).name == FORMAT[name]
    found, _ = detect._claims(Head(SAMPLES / name), ReadOptions(), FORMATS)
    assert [one.name for one in found] == [FORMAT[name]]


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_gives_its_spans_and_texts(name: str) -> None:
    expected = sides_of(name)
    found = spanscope.read_sides(SAMPLES / name, offsets=UNIT.get(name))
    if len(expected) == 1:
        found = dict(zip(expected, found.values(), strict=True))
    assert found.keys() == expected.keys()
    ids = EXPECTED["files"][name].get("ids")
    for side, corpus in found.items():
        documents = corpus.to_dicts()
        if name in BY_POSITION:
            documents = [{**one, "id": key} for one, key in zip(documents, EXPECTED["documents"], strict=True)]
            ids = {key: key for key in EXPECTED["documents"]}
            own = [spans_in(_Dicts([one])) for one in documents]
            assert {key: spans for one in own for key, spans in one.items()} == expected[side]
        else:
            assert spans_in(corpus) == expected[side]
        assert [one["text"] for one in documents] == [EXPECTED["documents"][ids[one["id"]]] for one in documents]


class _Dicts:
    """Documents that have what a corpus has."""

    def __init__(self, documents: list[dict[str, object]]) -> None:
        self.documents = documents

    def to_dicts(self) -> list[dict[str, object]]:
        return self.documents


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_is_scored(name: str) -> None:
    """Against itself, from Python and from the command line, of several sides one by name."""
    path, sides = SAMPLES / name, sides_of(name)
    unit = {} if name not in UNIT else {"offsets": UNIT[name]}
    for side, documents in sides.items():
        size = sum(sum(spans.values()) for spans in documents.values())
        given = unit if len(sides) == 1 else {"annotator": side, **unit}
        found = spanscope.evaluate(path, path, "spans.exact", ci=False, read=spanscope.Reading(**given))
        assert found.totals() == {"tp": size, "pred": size, "gold": size}
        flags = [word for key, value in given.items() for word in (f"--{key}", value)]
        done = run("eval", path, path, "-m", "spans.exact", "-f", "json", "--no-ci", *flags)
        assert done.code == 0, done.err
    checked = spanscope.check(path, read=spanscope.Reading(**unit))
    assert {one.kind for one in checked} <= TOLD


def test_samples_that_are_refused() -> None:
    path = SAMPLES / "doccano/old_annotations.jsonl"
    for command in ("eval", "agree"):
        said = refused(run(command, path, path))
        assert said.startswith(f"{path}:1: annotations[0].label is 5: labels are numbers of doccano's database")
        assert 'export as "JSONL (text label)", or give the names: --label-names 1=PER' in said
    path = SAMPLES / "prodigy/binary.jsonl"
    assert "is an answer to one suggested span (_is_binary)" in refused(run("eval", path, path))
    path = SAMPLES / "doccano/import.jsonl"
    said = refused(run("eval", path, path))
    assert said.startswith(f"{path}: 6 spans behind a character that counts twice in UTF-16")
    assert "--offsets codepoints   for a file that Python wrote" in said


def test_labels_that_are_numbers_have_names() -> None:
    names = {"1": "DATE", "2": "DISORDER", "3": "EMAIL", "4": "LOC", "5": "ORG", "6": "PERSON"}
    found = spanscope.read(SAMPLES / "doccano/old_annotations.jsonl", label_names=names)
    assert spans_in(found) == sides_of("doccano/gold.jsonl")["gold"]


def test_units_that_are_assumed_are_told() -> None:
    """In gold 2, 2 and 2 spans of the first, second and last document stand behind an emoji."""
    (told,) = [
        one for one in spanscope.read(SAMPLES / "doccano/gold.jsonl").problems if one.kind == "unit assumed"
    ]
    assert told.number == 6
    assert "read in UTF-16 units, as doccano writes them: 6 spans come after" in told.what


def test_answers_that_were_not_accepted_leave_both_sides() -> None:
    """The second and the third document were rejected and ignored: 4 + 3 + 0 + 5 spans are left."""
    answers, gold = SAMPLES / "prodigy/answers.jsonl", SAMPLES / "prodigy/gold.jsonl"
    plain = SAMPLES / "doccano/gold.jsonl"  # which has other ids, so that texts pair them
    for sides in ((answers, gold), (gold, answers), (answers, plain), (plain, answers)):
        found = spanscope.evaluate(*sides, "spans.exact", ci=False)
        assert found.totals() == {"tp": 12, "pred": 12, "gold": 12}
        assert found.problems.number["answer"] == 2
        agreed = spanscope.agree(*sides, measures=["f1"], ci=False)
        assert (agreed.documents, agreed.value("f1", "spans.exact")) == (4, 1.0)
        assert spanscope.agree(*sides, measures=["f1"], ci=False, missing="error").documents == 4
        assert {one.kind for one in spanscope.check(*sides)} <= TOLD
    said = " ".join(run("eval", answers, gold, "--no-ci").out.split())
    assert "2 of 6 examples are not accepted (1 reject, 1 ignore): left out on both sides" in said


@pytest.mark.parametrize("name", TWO)
def test_gold_and_predictions_in_one_file(name: str) -> None:
    """10 of 16 predicted spans are among the 19 of gold."""
    path, (gold, pred) = SAMPLES / name, [*sides_of(name)]
    done = run("eval", path, "--gold-annotator", gold, "--pred-annotator", pred, "-m", "spans.exact", "-f", "json")
    assert done.code == 0, done.err
    one, other = (spanscope.source(path, annotator=who) for who in (gold, pred))
    found = spanscope.evaluate(one, other, "spans.exact", ci=False)
    assert found.totals() == {"tp": 10, "pred": 16, "gold": 19}
    assert "same file" not in found.problems.number
    if name == "labelstudio/with_predictions.json":  # a person and a model: it shows which is gold
        assert spanscope.evaluate(path, None, "spans.exact", ci=False).totals() == found.totals()
        assert run("eval", path, "--no-ci").code == 0
    else:
        assert "nothing says which is gold" in refused(run("eval", path, "--no-ci"))


def test_a_review_holds_its_own_answers_and_those_of_others() -> None:
    path = SAMPLES / "prodigy/review.jsonl"
    assert "holds 3 annotators" in refused(run("eval", path))
    done = run("eval", path, "--pred-annotator", "ner-ben", "-m", "spans.exact", "--no-ci", "-f", "csv")
    assert done.code == 0, done.err  # `final` is gold
    found = spanscope.agree(path, measures=["f1"], ci=False)
    assert found.names == ("final", "ner-anna", "ner-ben")
    assert found.value("f1", "spans.exact") == pytest.approx((1 + 2 * 20 / 35) / 3)


@pytest.mark.parametrize("name", [*TWO])
def test_agreement_of_one_export(name: str) -> None:
    """F1 is 2 * 10 / (19 + 16); kappa is that of the same spans in plain JSON Lines."""
    found = spanscope.agree(SAMPLES / name, measures=["f1", "kappa"], ci=False)
    plain = [
        [
            {"id": key, "text": EXPECTED["documents"][key], "spans": [_span(one) for one in spans]}
            for key, spans in EXPECTED["sets"][of].items()
        ]
        for of in ("gold-hull", "pred-plain")
    ]
    want = spanscope.agree(*plain, measures=["f1", "kappa"], ci=False)
    assert found.names == tuple(sides_of(name))
    assert found.value("f1", "spans.exact") == pytest.approx(20 / 35)
    assert found.value("cohen_kappa") == pytest.approx(want.value("cohen_kappa"))


def _span(one: list[object]) -> dict[str, object]:
    return {"start": one[0], "end": one[1], "label": one[2]}


def test_agreement_of_two_exports(tmp_path: Path) -> None:
    """The gold of each tool beside doccano's predictions, whose ids are Label Studio's and none of Prodigy's."""
    pred = SAMPLES / "doccano/pred.jsonl"
    for name in ("doccano/gold.jsonl", "labelstudio/full.json", "labelstudio/one.csv", "prodigy/gold.jsonl"):
        found = spanscope.agree(SAMPLES / name, pred, measures=["f1"], ci=False)
        assert found.value("f1", "spans.exact") == pytest.approx(20 / 35)
        done = run("agree", SAMPLES / name, pred, "--no-ci", "-m", "f1", "-f", "csv", "-o", tmp_path / "a.csv")
        assert done.code == 0, done.err


@pytest.mark.parametrize("name", ["labelstudio/min_one.json", "prodigy/gold.jsonl", "doccano/gold.jsonl"])
def test_other_formats_do_not_read_them(name: str) -> None:
    for other in ("labelstudio-spans", "prodigy", "doccano", "labelstudio-segments"):
        if other != FORMAT[name]:
            with pytest.raises(InputError):
                spanscope.read(SAMPLES / name, input=other)
