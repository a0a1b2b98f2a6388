"""BioC, UIMA, WebAnno and GATE: layers, sets, units, views, and what is refused with the option that decides."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import InputError
from tests.cli import refused, run, write
from tests.io.formats.expected import SAMPLES
from tests.io.formats.test_brat_pubtator import spans

# ---------------------------------------------------------------- BioC


def passage(text: str, offset: int, *places: tuple[int, int], **more: Any) -> dict[str, Any]:
    marks = [
        {"infons": {"type": "X"}, "text": text[a : a + n], "locations": [{"offset": offset + a, "length": n}]}
        for a, n in places
    ]
    return {"offset": offset, "infons": {}, "text": text, "annotations": marks, **more}


def bioc(path: Path, *documents: Any) -> Path:
    return write(path, "".join(json.dumps(one) + "\n" for one in documents))


def test_documents_of_pubtators_api(tmp_path: Path) -> None:
    documents = [{"id": n, "infons": {}, "passages": [passage("Ann met Bob", 0, (0, 3))]} for n in "12"]
    for path in (
        bioc(tmp_path / "a.jsonl", *documents),
        bioc(tmp_path / "b.json", {"PubTator3": documents}),
        bioc(tmp_path / "c.json", documents),
        bioc(tmp_path / "d.json", {"documents": documents}),
    ):
        assert spanscope.read(path).ids == ["1", "2"]
        assert spans(path) == [[(0, 3, "X")]] * 2
        assert spanscope.evaluate(path, path, ci=False).value() == 1


def test_sentences_in_place_of_a_text(tmp_path: Path) -> None:
    own = {"offset": 0, "infons": {}, "sentences": [passage("Ann.", 0, (0, 3)), passage("Bob.", 6, (0, 3))]}
    path = bioc(tmp_path / "a.json", {"documents": [{"id": "1", "passages": [own]}]})
    assert spanscope.read(path).to_dicts()[0]["text"] == "Ann.  Bob."
    assert spans(path) == [[(0, 3, "X"), (6, 9, "X")]]


def test_passages_over_each_other_are_refused(tmp_path: Path) -> None:
    path = bioc(tmp_path / "a.json", {"id": "1", "passages": [passage("Ann met Bob", 0), passage("Bob", 5)]})
    message = refused(run("eval", path, path))
    assert "a passage starts at 5, and the one before it ends at 11 code points" in message


def test_annotations_without_a_type_or_a_place(tmp_path: Path) -> None:
    odd = passage("Ann", 0, (0, 3))
    odd["annotations"].append({"infons": {"type": "X"}, "locations": []})
    path = bioc(tmp_path / "a.json", {"id": "1", "passages": [odd]})
    assert [str(one) for one in spanscope.read(path).problems] == [
        f"{path}: 1 annotations without a place ignored: spans cannot hold them"
    ]
    odd["annotations"][0]["infons"] = {"kind": "X"}
    path = bioc(tmp_path / "b.json", {"id": "1", "passages": [odd]})
    assert "an annotation has the infons 'kind'\n  expected  type or semantic_type" in refused(
        run("eval", path, path)
    )


def test_a_unit_that_somebody_says_counts() -> None:
    path = SAMPLES / "bioc/gold_bytes.xml"
    assert len(spanscope.read(path, offsets="utf8").spans) == 19
    with pytest.raises(InputError):
        spanscope.evaluate(path, path, read=spanscope.Reading(offsets="codepoints"))


def test_passages_of_queries_are_no_bioc(tmp_path: Path) -> None:
    path = bioc(
        tmp_path / "a.jsonl",
        {"query": "q", "passages": [{"text": "a", "offset": 3}]},
        {"query": "r", "passages": []},
    )
    assert spanscope.io.detect.recognise(path).name == "passages"


BIOC = """<?xml version="1.0"?>
<!DOCTYPE collection {dtd}>
<collection><document><id>1</id>
<passage><offset>0</offset><text>Ann{more}</text><annotation id="1"><infon key="type">PER</infon>
<location offset="0" length="{length}"/><text>Ann</text></annotation></passage></document></collection>"""


def test_a_document_type_is_fine_and_an_entity_is_not(tmp_path: Path) -> None:
    fine = write(tmp_path / "a.xml", BIOC.format(dtd='SYSTEM "BioC.dtd"', more="", length=3))
    assert spans(fine) == [[(0, 3, "PER")]]
    own = write(tmp_path / "b.xml", BIOC.format(dtd='[<!ENTITY a "bcd">]', more="&a;", length=3))
    outer = write(tmp_path / "c.xml", BIOC.format(dtd='SYSTEM "BioC.dtd"', more="&a;", length=3))
    for path in (own, outer):
        assert "declares or uses an entity of its own" in refused(run("eval", path, path))
    odd = write(tmp_path / "d.xml", BIOC.format(dtd='SYSTEM "BioC.dtd"', more="", length="x"))
    assert refused(run("eval", odd, odd)).startswith(f"{odd}:3: the length is 'x'")
    cut = write(tmp_path / "e.xml", BIOC.format(dtd='SYSTEM "BioC.dtd"', more="", length=3)[:-20])
    assert refused(run("eval", cut, cut)).startswith(f"{cut}:5: is not valid XML (")


# ---------------------------------------------------------------- UIMA

NER, POS = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity", "a.b.POS"


def cas(*annotations: dict[str, Any], text: str = "😀 Ann met Bob") -> dict[str, Any]:
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": text}
    return {"%TYPES": {}, "%FEATURE_STRUCTURES": [sofa, *({"@sofa": 1, **one} for one in annotations)]}


def mark(of: str, begin: int, end: int, **features: Any) -> dict[str, Any]:
    return {"%TYPE": of, "begin": begin, "end": end, **features}


def test_several_layers_are_a_question(tmp_path: Path) -> None:
    two = cas(mark(NER, 3, 6, value="PER", confidence="0.5"), mark(POS, 3, 6, PosValue="NN"), mark("Token", 3, 6))
    path = write(tmp_path / "a.json", json.dumps(two))
    message = refused(run("eval", path, path))
    assert message.startswith(f"{path}: holds 2 layers: NamedEntity (1), POS (1)\n")
    assert "--layer NamedEntity" in message
    assert spanscope.read(path, layer="NamedEntity").to_dicts()[0]["spans"] == [
        {"start": 2, "end": 5, "label": "PER", "score": 0.5}
    ]
    for name in ("POS", "a.b.POS", "POS.PosValue", "_InitialView/POS"):
        assert spans(path, layer=name) == [[(2, 5, "NN")]]
    assert spans(path, layer="Token") == [[(2, 5, "Token")]]
    assert "has no layer called 'X': NamedEntity (1)" in refused(run("eval", path, path, "--layer", "X"))
    assert spanscope.evaluate(path, path, ci=False, read=spanscope.Reading(layer="POS")).value() == 1


def test_features_and_views_are_a_question(tmp_path: Path) -> None:
    two = cas(mark("a.Concept", 3, 6, code="C1x", kind="drug"))
    path = write(tmp_path / "a.json", json.dumps(two))
    assert "holds 2 layers: Concept.code (1), Concept.kind (1)" in refused(run("eval", path, path))
    assert spans(path, layer="Concept.kind") == [[(2, 5, "drug")]]
    views = cas(mark(NER, 3, 6, value="PER"), mark(NER, 0, 2, value="PER") | {"@sofa": 9})
    views["%FEATURE_STRUCTURES"].append({"%ID": 9, "%TYPE": "uima.cas.Sofa", "sofaID": "de", "sofaString": "Oh"})
    path = write(tmp_path / "b.json", json.dumps(views))
    assert "_InitialView/NamedEntity (1), de/NamedEntity (1)" in refused(run("eval", path, path))
    assert spans(path, layer="de/NamedEntity") == [[(0, 2, "PER")]]


def test_layers_without_labels_are_never_taken_by_themselves(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", json.dumps(cas(mark("a.Token", 3, 6))))
    assert "holds 1 layer without a label: Token (1)" in refused(run("eval", path, path))
    bare = write(tmp_path / "b.json", json.dumps(cas()))
    assert spans(bare) == [[]]
    some = write(tmp_path / "c.json", json.dumps(cas(mark(NER, 3, 6, value="PER"), mark(NER, 7, 10))))
    assert [(one.values["kinds"], one.number) for one in spanscope.read(some).problems] == [
        ("annotations without a label", 1)
    ]


@pytest.mark.parametrize("value", [{"_context": {"_types": {}}, "_views": {}}, {"%FEATURE_STRUCTURES": [1]}])
def test_other_json_of_uima_is_refused(tmp_path: Path, value: Any) -> None:
    path = write(tmp_path / "a.json", json.dumps(value))
    assert refused(run("eval", path, path)).startswith(f"{path}")


def test_offsets_past_the_text_and_documents_without_one(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", json.dumps(cas(mark(NER, 3, 99, value="PER"))))
    assert "spans[0].end is 99, inside a character or past the end of the text" in refused(run("eval", path, path))
    bare = {"%FEATURE_STRUCTURES": [mark(NER, 0, 1, value="PER")]}
    path = write(tmp_path / "b.json", json.dumps(bare))
    assert "has no text (no Sofa with a sofaString)" in refused(run("eval", path, path))


# ---------------------------------------------------------------- WebAnno

HEADER = "#FORMAT=WebAnno TSV 3.3\n#T_SP=a.Entity|value\n#T_SP=a.POS|coarse\n\n\n"
SHEET = (
    HEADER
    + "#Text=😀 A\\_nn \\[x\\]\n1-1\t0-2\t😀\t_\t_\t\n1-2\t3-7\tA\\_nn\tPER\\|s[1]|*[2]\tN\t\n"
    + "1-3\t8-11\t\\[x\\]\tPER\\|s[1]\t_\t\n1-3.1\t9-10\tx\tLOC\t_\t\n\n#Text=Bob\n2-1\t13-16\tBob\tPER\t_\t\n"
)


def test_stacked_annotations_sub_tokens_and_escapes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", SHEET)
    message = refused(run("eval", path, path))
    assert message.startswith(f"{path}: holds 2 layers: Entity (4), POS (1)\n")
    corpus = spanscope.read(path, layer="Entity")
    assert corpus.to_dicts()[0]["text"] == "😀 A_nn [x]  Bob"
    assert sorted(spans(path, layer="Entity")[0]) == [(2, 10, "PER|s"), (8, 9, "LOC"), (12, 15, "PER")]
    assert {one.values["kinds"]: one.number for one in corpus.problems} == {
        "annotations of the layer POS": 1,
        "annotations without a label": 1,
    }
    assert spans(path, layer="POS") == [[(2, 6, "N")]]


def test_tokens_in_another_unit_are_refused(tmp_path: Path) -> None:
    one = HEADER.replace("#T_SP=a.POS|coarse\n", "")
    path = write(tmp_path / "a.tsv", one + "#Text=😀 Ann\n1-1\t0-1\t😀\t_\t\n1-2\t2-5\tAnn\tPER\t\n")
    message = refused(run("eval", path, path))
    assert message.startswith(f"{path}: 2 of 2 tokens are not at their offsets (first: '😀' at 0-1)")
    assert "--offsets codepoints or --offsets utf8" in message
    assert spans(path, offsets="codepoints") == [[(2, 5, "PER")]]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("1-1\t0-3\tAnn\t_\t", "the token has 1 column of annotations"),
        ("Ann B-PER", "the line is 'Ann B-PER'"),
    ],
)
def test_lines_of_webanno_that_are_none(tmp_path: Path, line: str, what: str) -> None:
    path = write(tmp_path / "a.tsv", f"{HEADER}#Text=Ann\n{line}\n")
    assert refused(run("eval", path, path)).startswith(f"{path}:7: {what}\n")


def test_an_export_with_its_curation(tmp_path: Path) -> None:
    sheet = HEADER.replace("#T_SP=a.POS|coarse\n", "") + "#Text=Ann\n1-1\t0-3\tAnn\t{}\t\n"
    for name, cell in {
        "annotation/d.txt/ann.tsv": "PER",
        "annotation/d.txt/INITIAL_CAS.tsv": "_",
        "curation/d.txt/CURATION_USER.tsv": "ORG",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path / name, sheet.format(cell))
    sides = spanscope.read_sides(tmp_path)
    assert {who: one.to_dicts()[0]["spans"][0]["label"] for who, one in sides.items()} == {
        "ann": "PER",
        "CURATION_USER": "ORG",
    }
    assert [(one.values["kinds"], one.number) for one in sides["ann"].problems] == [
        ("documents as they were before annotation", 1)
    ]


# ---------------------------------------------------------------- GATE


def bdoc(kind: str = "p", **sets: list[tuple[int, int, str]]) -> dict[str, Any]:
    groups = {
        name.replace("_", " ").strip(): {
            "annotations": [{"type": label, "start": a, "end": b, "features": {}} for a, b, label in own]
        }
        for name, own in sets.items()
    }
    return {"annotation_sets": groups, "text": "😀 Ann", "features": {}, "offset_type": kind, "name": "d"}


def test_units_of_documents_may_differ(tmp_path: Path) -> None:
    two = [bdoc("p", Key=[(2, 5, "PER")]), bdoc("j", Key=[(3, 6, "PER")]) | {"name": "e"}]
    path = write(tmp_path / "a.json", json.dumps(two))
    assert spans(path) == [[(2, 5, "PER")]] * 2
    assert spanscope.read(path).ids == ["d", "e"]
    odd = write(tmp_path / "b.json", json.dumps(bdoc("j", Key=[(1, 6, "PER")])))
    assert "an offset is 1, inside a character" in refused(run("eval", odd, odd))
    none = write(tmp_path / "c.json", json.dumps(bdoc("x", Key=[(1, 6, "PER")])))
    assert "offset_type is 'x'\n  expected  p (Python) or j (Java)" in refused(run("eval", none, none))


def test_sets_of_gate_are_sides(tmp_path: Path) -> None:
    value = bdoc(Key=[(2, 5, "PER")], Response=[(0, 1, "PER")], Original_markups=[(0, 5, "p")], _=[])
    path = write(tmp_path / "a.bdocjs", json.dumps(value))
    sides = spanscope.read_sides(path)
    assert [*sides] == ["Key", "Response"]
    assert [(one.values["kinds"], one.number) for one in sides["Key"].problems] == [
        ("annotations of the original mark-up", 1)
    ]
    assert spans(path, layer="Response") == [[(0, 1, "PER")]]
    assert spans(path, layer="Original markups") == [[(0, 5, "p")]]
    message = refused(run("eval", path, path, "--layer", "key"))
    assert "has no set of annotations called 'key'" in message
    assert "--annotator NAME" in refused(run("eval", path, path))


def test_nodes_that_the_text_has_not(tmp_path: Path) -> None:
    text = (SAMPLES / "gate/xml/d3.xml").read_text(encoding="utf-8")
    path = write(tmp_path / "a.xml", text.replace('StartNode="42"', 'StartNode="43"'))
    assert refused(run("eval", path, path)).startswith(
        f"{path}: the annotation '3' has the node '43',which is not in the text"
    )
    bare = write(tmp_path / "b.xml", "<GateDocument/>")
    assert "has no TextWithNodes" in refused(run("eval", bare, bare))


# ---------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('<?xml version="1.0"?>\n<!-- x --><TEI xmlns="t"><text/></TEI>', "is TEI"),
        ("<!DOCTYPE html>\n<html><body>Ann</body></html>", "is HTML"),
        ("<typeSystemDescription/>", "is a type system of UIMA"),
        ('<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"/>', "is XMI, but no CAS of UIMA"),
        ("<doc>Ann</doc>", "is XML with the root element 'doc'"),
        ("<collection><item/></collection>", "is XML with the root element 'collection'"),
        ("#begin document (a); part 000\na 0 0 Ann NNP (PERSON)\n", "is OntoNotes' _conll"),
        ('File type = "ooTextFile"\nObject class = "TextGrid"\n', "is a TextGrid of Praat"),
    ],
)
@pytest.mark.parametrize("command", ["eval {0} {0}", "check {0}", "agree {0} {0}", "eval {0} {0} -m spans.exact"])
def test_known_files_that_cannot_be_read(tmp_path: Path, content: str, what: str, command: str) -> None:
    path = write(tmp_path / "a.xml", content)
    assert refused(run(*command.format(path).split())).startswith(f"{path}: {what}")


def test_the_sample_of_praat_is_refused() -> None:
    path = SAMPLES / "segmentation/speech.TextGrid"
    assert "is a TextGrid of Praat, which has times of speech" in refused(run("eval", path, path))


@pytest.mark.parametrize(
    "name", ["uima/gold", "bioc/gold.xml", "gate/xml", "webanno/one.tsv", "pubtator/gold.pubtator"]
)
def test_a_format_that_was_said_wrongly_is_refused(name: str) -> None:
    own = spanscope.io.detect.recognise(SAMPLES / name).name
    for other in ("bioc-xml", "uima-xmi", "gate", "webanno", "pubtator", "brat", "bioc-json", "uima-json", "bdoc"):
        if other != own:
            with pytest.raises(InputError):
                spanscope.read(SAMPLES / name, input=other)
