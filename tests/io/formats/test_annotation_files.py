"""brat, PubTator, BioC, WebAnno TSV, UIMA and GATE: every sample, through every door, to what it must give."""

import pytest

import spanscope
from spanscope.io import detect
from spanscope.io.detect import FORMATS, recognise
from spanscope.io.head import Head
from spanscope.io.read_options import ReadOptions
from tests.cli import run
from tests.io.formats.expected import EXPECTED, SAMPLES, sides_of, spans_in

FORMAT = {
    "brat/gold": "brat",
    "brat/pred": "brat",
    "brat/one.ann": "brat",
    "pubtator/gold.pubtator": "pubtator",
    "bioc/gold.xml": "bioc-xml",
    "bioc/gold_bytes.xml": "bioc-xml",
    "bioc/gold.json": "bioc-json",
    "bioc/pred.json": "bioc-json",
    "webanno/annotation": "webanno",
    "webanno/one.tsv": "webanno",
    "uima/gold": "uima-xmi",
    "uima/pred": "uima-xmi",
    "uima/json": "uima-json",
    "gate/xml": "gate",
    "gate/bdoc": "bdoc",
}
ALONE = ("brat/one.ann", "webanno/one.tsv")  # one document, which has no id
# The texts that a format cannot hold: white space between passages and sentences is known by its length alone.
BLANK = ("pubtator", "bioc", "webanno")


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_is_claimed_by_one_format(name: str) -> None:
    path = SAMPLES / name
    assert recognise(path).name == recognise(str(path)).name == FORMAT[name]
    found, _ = detect._claims(Head(path), ReadOptions(), FORMATS)
    assert [one.name for one in found] == [FORMAT[name]]


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_gives_its_spans(name: str) -> None:
    expected = sides_of(name)
    found = spanscope.read_sides(SAMPLES / name)
    if len(expected) == 1:
        assert [*found] == [""]
        found = dict(zip(expected, found.values(), strict=True))
    assert found.keys() == expected.keys()
    for side, corpus in found.items():
        documents = expected[side]
        if name in ALONE:
            documents = {"": next(iter(documents.values()))}
        assert spans_in(corpus) == documents


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_gives_its_texts(name: str) -> None:
    ids = EXPECTED["files"][name].get("ids")
    own = ids if isinstance(ids, dict) else {}
    for corpus in spanscope.read_sides(SAMPLES / name).values():
        for document in corpus.to_dicts():
            if name in ALONE:
                continue
            text = EXPECTED["documents"][own.get(document["id"], document["id"])]
            assert document["text"] == (text.replace("\n", " ") if name.startswith(BLANK) else text)


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_is_scored(name: str) -> None:
    """Against itself, from Python and from the command line, of several sides one by name."""
    path = SAMPLES / name
    sides = sides_of(name)
    for side, documents in sides.items():
        size = sum(sum(spans.values()) for spans in documents.values())
        given = {} if len(sides) == 1 else {"annotator": side}
        found = spanscope.evaluate(path, path, "spans.exact", ci=False, read=spanscope.Reading(**given))
        assert found.totals() == {"tp": size, "pred": size, "gold": size}
        flags = [word for key, value in given.items() for word in (f"--{key}", value)]
        done = run("eval", path, path, "-m", "spans.exact", "-f", "json", "--no-ci", *flags)
        assert done.code == 0, done.err
    assert [one.kind for one in spanscope.check(path) if one.kind not in ("left aside", "duplicate")] == []


def test_sides_of_one_file_are_compared() -> None:
    for name in ("webanno/annotation", "gate/xml", "gate/bdoc"):
        path = SAMPLES / name
        gold, pred = sides_of(name)
        expected = spanscope.evaluate(SAMPLES / "brat/gold", SAMPLES / "brat/pred", "spans.overlap", ci=False)
        found = spanscope.evaluate(
            spanscope.source(path, annotator=gold),
            spanscope.source(path, annotator=pred),
            "spans.overlap",
            ci=False,
        )
        assert found.totals() == expected.totals()  # none of the pairs depends on the one discontinuous span
        assert spanscope.agree(path, measures=["f1"], ci=False).names == (gold, pred)
        with pytest.raises(spanscope.InputError, match=rf"holds 2 annotators \({gold}: 6 documents, {pred}: 6"):
            spanscope.evaluate(path, path)


@pytest.mark.parametrize(
    ("name", "aside"),
    [
        (
            "brat/gold",
            {
                "attributes": 10,
                "equivalences": 5,
                "events": 5,
                "normalizations": 5,
                "notes": 5,
                "relations": 5,
            },
        ),
        ("brat/pred", {}),
        ("pubtator/gold.pubtator", {"relations": 5}),
        ("uima/gold", {"annotations of the layer Token": 53}),
        ("uima/json", {"annotations of the layer Token": 53}),
        ("bioc/gold.xml", {}),
    ],
)
def test_what_spans_cannot_hold_is_counted(name: str, aside: dict[str, int]) -> None:
    corpus = spanscope.read(SAMPLES / name)
    found = {one.values["kinds"]: one.number for one in corpus.problems if one.kind == "left aside"}
    assert found == aside
    said = run("check", SAMPLES / name).out
    assert all(f"{number} {what} ignored" in said for what, number in aside.items())


def test_the_samples_are_all_here() -> None:
    """No sample of these formats is forgotten."""
    kinds = tuple({name.partition("/")[0] for name in FORMAT})
    assert {name for name in EXPECTED["files"] if name.startswith(kinds)} == {*FORMAT}


def test_several_samples_hold_the_same_corpus() -> None:
    """Formats beside each other: whatever two tools wrote of the same spans has an F1 of 1."""
    gold = SAMPLES / "uima/gold"
    for name in ("uima/json", "brat/gold"):
        found = spanscope.evaluate(gold, SAMPLES / name, "spans.exact", ci=False)
        assert found.totals()["gold"] == 19
        assert found.totals()["tp"] == (19 if name == "uima/json" else 18)  # the discontinuous span
