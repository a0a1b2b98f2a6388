"""Files that the tools' own libraries write are read back: bioc for BioC and PubTator, dkpro-cassis for UIMA."""

from pathlib import Path
from typing import Any

import bioc
import cassis
from bioc import biocjson, biocxml, pubtator
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from tests.cli import write

NER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
# Letters of one, two and four bytes, of one and two UTF-16 units, and what XML and JSON have to escape.
TEXTS = st.text("aé😀<&\"' \n", min_size=1, max_size=30)


@st.composite
def documents(draw: Any) -> tuple[str, list[tuple[int, int, str]]]:
    """Draw a text and spans in it, nested, overlapping, repeated."""
    text = draw(TEXTS)
    at = st.integers(0, len(text) - 1)
    starts = draw(st.lists(at, max_size=5))
    ends = [draw(st.integers(start + 1, len(text))) for start in starts]
    labels = [draw(st.sampled_from(["PER", "a b", "<é>"])) for _ in starts]
    return text, list(zip(starts, ends, labels, strict=True))


def found(path: Path) -> list[tuple[int, int, str]]:
    (document,) = spanscope.read(path).to_dicts()
    return sorted((one["start"], one["end"], one["label"]) for one in document["spans"])


@given(documents())
def test_what_cassis_writes(tmp_path_factory: Any, document: tuple[str, list[tuple[int, int, str]]]) -> None:
    text, spans = document
    system = cassis.TypeSystem()
    kind = system.create_type(NER, supertypeName="uima.tcas.Annotation")
    system.create_feature(kind, "value", "uima.cas.String")
    cas = cassis.Cas(typesystem=system)
    cas.sofa_string = text
    cas.add_all([kind(begin=start, end=end, value=label) for start, end, label in spans])
    folder = tmp_path_factory.mktemp("cas")
    cas.to_xmi(folder / "a.xmi")
    cas.to_json(folder / "a.json")
    for name in ("a.xmi", "a.json"):
        assert found(folder / name) == sorted(spans)
        assert spanscope.read(folder / name).to_dicts()[0]["text"] == text


@given(documents())
def test_what_bioc_writes(tmp_path_factory: Any, document: tuple[str, list[tuple[int, int, str]]]) -> None:
    text, spans = document
    own = bioc.BioCDocument()
    own.id = "d"
    passage = bioc.BioCPassage()
    passage.offset, passage.text = 0, text
    for number, (start, end, label) in enumerate(spans):
        mark = bioc.BioCAnnotation()
        mark.id, mark.text, mark.infons["type"] = str(number), text[start:end], label
        mark.add_location(bioc.BioCLocation(start, end - start))
        passage.add_annotation(mark)
    own.add_passage(passage)
    collection = bioc.BioCCollection()
    collection.add_document(own)
    folder = tmp_path_factory.mktemp("bioc")
    with (folder / "a.json").open("w", encoding="utf-8") as file:
        biocjson.dump(collection, file)
    with (folder / "a.xml").open("w", encoding="utf-8") as file:
        biocxml.dump(collection, file)
    for name in ("a.json", "a.xml"):
        assert found(folder / name) == sorted(spans)
        assert spanscope.read(folder / name).to_dicts()[0]["text"] == text


def test_what_bioc_writes_for_pubtator(tmp_path: Path) -> None:
    own = pubtator.PubTator("7", "Ann met Bob.", "Bob left.")
    own.add_annotation(pubtator.PubTatorAnn("7", 8, 11, "Bob", "PER", "P1"))
    own.add_annotation(pubtator.PubTatorAnn("7", 13, 16, "Bob", "PER", "P1"))
    own.add_relation(pubtator.PubTatorRel("7", "Same", "P1", "P1"))
    with (tmp_path / "a.pubtator").open("w", encoding="utf-8") as file:
        pubtator.dump([own], file)
    corpus = spanscope.read(tmp_path / "a.pubtator")
    assert corpus.ids == ["7"]
    assert found(tmp_path / "a.pubtator") == [(8, 11, "PER"), (13, 16, "PER")]
    assert [one.number for one in corpus.problems] == [1]
    assert write(tmp_path / "b.txt", (tmp_path / "a.pubtator").read_bytes()).exists()
    assert found(tmp_path / "b.txt") == found(tmp_path / "a.pubtator")
