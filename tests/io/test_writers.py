"""Documents written in every form are read back as they were; what a form cannot hold is refused or counted."""

from __future__ import annotations

import csv
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.commands.convert import fit_to
from spanscope.errors import InputError, MeasureError
from spanscope.io.detect import BY_NAME
from spanscope.io.losses import Loss, fit
from spanscope.io.spans.writers import WRITERS as SPANS
from spanscope.io.writer import Writer
from spanscope.io.written_forms import WRITERS
from tests.cli import refused, run
from tests.io.formats.expected import SAMPLES
from tests.support import needs

Document = dict[str, Any]
TEXT = st.text('ab é😀.\n\t\r\x01|[_;*\\<&"', max_size=14)
LABEL = st.sampled_from(["A", "B-C", "D E", "F|G", "[H]", "O", "<&>"])
NAME = st.one_of(st.text("ab", min_size=1, max_size=3), st.sampled_from(["d.1", "a/b", "x|y"]))
META = st.lists(
    st.sampled_from(
        [("year", 1999), ("sure", 0.5), ("type", "web"), ("score", "x <y>"), ("identifier", '\t"'), ("id", "\x02")]
    ),
    min_size=1,
    max_size=2,
).map(dict)


@st.composite
def span(draw: st.DrawFn, text: str) -> Document:
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=4)))
    out: Document = {"start": cuts[0], "end": cuts[-1], "label": draw(LABEL)}
    if len(cuts) == 4 and cuts[0] < cuts[1] < cuts[2] < cuts[3]:
        out["fragments"] = [cuts[:2], cuts[2:]]
    out |= {"score": draw(st.sampled_from([0.25, 1.0]))} if draw(st.booleans()) else {}
    return out | ({"meta": draw(META)} if draw(st.integers(0, 3)) == 0 else {})


@st.composite
def corpora(draw: st.DrawFn) -> list[Document]:
    named = draw(st.booleans())
    names = draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    out = []
    for name in names:
        text = draw(TEXT)
        spans = draw(st.lists(span(text), max_size=3))
        own: Document = {"id": name} if named else {}
        meta = {"meta": draw(META)} if draw(st.integers(0, 3)) == 0 else {}
        out.append({**own, "text": text, "spans": spans, **meta})
    return out


def _written(documents: list[Document], form: Writer, folder: str) -> Path:
    path = Path(folder) / ("out" if form.folder else f"out{form.suffixes[0]}" if form.suffixes else "out.json")
    done = spanscope.convert(documents, path, to=form.name)
    assert done.losses == ()
    return path


def _but(one: Document, *names: str) -> Document:
    return {key: own for key, own in one.items() if key not in names}


def _bare(documents: list[Document]) -> list[Document]:
    """Return documents without the tokens and tags that CoNLL has besides."""
    return [_but(one, "tokens", "tags", "start_indices") for one in documents]


def _sorted(documents: list[Document]) -> list[Document]:
    """Return documents by id with their spans in an order that does not depend on the file."""
    if all("id" in one for one in documents):
        documents = sorted(documents, key=lambda one: str(one["id"]))
    return [{**one, "spans": sorted(one["spans"], key=repr)} for one in documents]


BIOC = ("bioc-json", "bioc-xml")  # whose unit nobody can tell in texts without ASCII, so that it is said
READ = {**{name: {"offsets": "codepoints"} for name in BIOC}, "doccano": {"offsets": "utf16"}}
KNOWN = [one for one in SPANS if any(name in BY_NAME for name in one.reads_as)]


@pytest.mark.parametrize("form", KNOWN, ids=lambda form: form.name)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents=corpora())
def test_spans_are_read_back_as_they_were_written(form: Writer, documents: list[Document]) -> None:
    if form.extra:
        needs(form.extra)
    held, _ = fit_to(spanscope.read(documents), form)
    if not held:
        return
    assert fit_to(spanscope.read(held), form) == (held, [])  # what it holds once it holds again
    with tempfile.TemporaryDirectory() as folder:
        path = _written(held, form, folder)
        as_ = next(name for name in form.reads_as if name in BY_NAME)
        if form.name == "csv" and not any(one["spans"] for one in held):
            return
        given_: dict[str, Any] = {"input": as_, **READ.get(form.name, {})}
        if form.name in BIOC and not any(one["spans"] for one in held):
            given_.pop("offsets")
        back = spanscope.read(path, **given_).to_dicts()
    if form.name == "pipeline":  # its words are put together from pieces of words, so that nobody reads them
        held = [{**one, "spans": [_but(span, "text") for span in one["spans"]]} for one in held]
    assert _sorted(_bare(back)) == _sorted(held)


ANNA = {
    "id": "d/1",
    "text": "😀 Anna\nmet Bob",
    "meta": {"source": "web"},
    "spans": [
        {"start": 2, "end": 6, "label": "First Name", "score": 0.5, "meta": {"id": "T1"}},
        {"start": 2, "end": 14, "label": "B", "fragments": [[2, 6], [11, 14]]},
        {"start": 3, "end": 3, "label": "B"},
    ],
}
EVERYTHING = {  # worked by hand from ANNA
    "brat": {"spans without a character": 1, "scores of spans": 1, "documents with metadata": 1,
             "spans with metadata": 1, "labels of several words": 1, "ids that cannot be written, or repeat": 1},
    "doccano": {"spans in several pieces": 1, "scores of spans": 1, "spans with metadata": 1},
    "label-studio": {"spans in several pieces": 1},
    "prodigy": {"spans in several pieces": 1},
    "spacy": {"spans in several pieces": 1, "spans without a character": 1, "scores of spans": 1,
              "documents with metadata": 1, "spans with metadata": 1},
    "spacy-json": {"spans in several pieces": 1, "spans without a character": 1, "scores of spans": 1,
                   "ids of documents": 1, "documents with metadata": 1, "spans with metadata": 1},
    "csv": {"spans in several pieces": 1, "documents with metadata": 1, "spans with metadata": 1,
            "texts of documents": 1},
    "documents-csv": {"documents with metadata": 1},
    "conll": {"spans in several pieces": 1, "spans without a character": 1, "spans that overlap another": 1,
              "scores of spans": 0, "documents with metadata": 1, "ids of documents": 1,
              "texts whose tokens are not divided by single blanks": 1},
    "bioc-json": {},
    "pubtator": {"spans in several pieces": 1, "scores of spans": 1, "documents with metadata": 1,
                 "spans with metadata other than identifier": 1, "texts of several lines": 1},
    "webanno": {"spans in several pieces": 1, "spans without a character": 1, "scores of spans": 1,
                "documents with metadata": 1, "spans with metadata": 1,
                "ids that cannot be written, or repeat": 1},
    "parquet": {},
    "langextract": {"spans in several pieces": 1, "scores of spans": 1, "documents with metadata": 1},
    "bioc-xml": {},
    "uima-xmi": {"spans in several pieces": 1, "documents with metadata": 1,
                 "spans with metadata other than identifier": 1, "ids that cannot be written, or repeat": 1},
    "uima-json": {"spans in several pieces": 1, "documents with metadata": 1,
                  "spans with metadata other than identifier": 1, "ids that cannot be written, or repeat": 1},
    "gate": {"spans in several pieces": 1, "ids that cannot be written, or repeat": 1},
    "bdoc": {"spans in several pieces": 1, "ids that cannot be written, or repeat": 1},
    "pipeline": {"spans in several pieces": 1, "ids of documents": 1, "documents with metadata": 1,
                 "spans with metadata": 1, "texts of documents": 1},
    "presidio": {"spans in several pieces": 1, "ids of documents": 1, "documents with metadata": 1,
                 "spans with metadata other than recognizer": 1, "texts of documents": 1},
    "gliner2": {"spans in several pieces": 1, "ids of documents": 1, "documents with metadata": 1,
                "spans with metadata": 1, "texts of documents": 1},
    "ai4privacy": {"spans in several pieces": 1, "scores of spans": 1, "spans with metadata": 1,
                   "metadata other than language, locale, region, script, split, set": 1},
    "gliner-train": {"spans in several pieces": 1, "spans without a character": 1, "scores of spans": 1,
                     "documents with metadata": 1, "spans with metadata": 1,
                     "texts whose tokens are not divided by single blanks": 1},
    "spans": {},
}  # fmt: skip


@pytest.mark.parametrize("form", SPANS, ids=lambda form: form.name)
def test_what_a_form_cannot_hold_is_counted(form: Writer) -> None:
    _, losses = fit_to(spanscope.read([ANNA]), form)
    want = {what: number for what, number in EVERYTHING[form.name].items() if number}
    assert {loss.what: loss.number for loss in losses} == want


def test_a_lossy_conversion_is_refused_unless_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with pytest.raises(
        InputError, match=r"doccano cannot hold 1 span in several pieces; 1 score of spans"
    ) as info:
        spanscope.convert([ANNA], out, to="doccano")
    assert "lossy" in str(info.value)
    assert not out.exists()
    done = spanscope.convert([ANNA], out, to="doccano", lossy=True)
    assert done.losses[1] == Loss("scores of spans", 1, "left out")
    assert json.loads(out.read_text()) == {
        "id": "d/1",
        "text": ANNA["text"],
        "meta": {"source": "web"},
        "label": [[3, 7, "First Name"], [3, 15, "B"], [4, 4, "B"]],  # in the units of its editor
    }


def test_spans_that_another_option_would_place_are_refused(tmp_path: Path) -> None:
    """They would be written where the file says, which is another place than their texts have."""
    (tmp_path / "a.txt").write_text("Ann met Bob.")
    brat, out = tmp_path / "a.ann", tmp_path / "out.jsonl"
    brat.write_text("T1\tPER 0 2\tAnn\nT2\tPER 8 10\tBob\n")
    assert "--ends inclusive   with which they fit" in refused(run("convert", brat, out, "--to", "spans"))
    assert not out.exists()
    done = run("convert", brat, out, "--to", "spans", "--ends", "inclusive")
    assert (done.code, done.noted) == (0, "")
    (document,) = spanscope.read(out).to_dicts()
    assert [(one["start"], one["end"]) for one in document["spans"]] == [(0, 3), (8, 11)]
    assert "2 x text mismatch" in run("convert", brat, out, "--to", "spans", "--lossy").noted
    assert "'Ann'" not in run("convert", brat, out, "--to", "spans", "--lossy", "--text", "none").noted


def test_problems_of_the_source_are_told(tmp_path: Path) -> None:
    """Answers that were not accepted are not in the output, and that is said."""
    done = run("convert", SAMPLES / "prodigy/answers.jsonl", tmp_path / "out.jsonl", "--to", "spans")
    assert done.code == 0
    assert "2 of 6 examples are not accepted (1 reject, 1 ignore)" in done.noted


def test_label_studio_counts_utf16_and_keeps_what_is_known(tmp_path: Path) -> None:
    document = {**ANNA, "spans": ANNA["spans"][:1]}
    spanscope.convert([document], tmp_path / "a.json", to="label-studio")
    (task,) = json.loads((tmp_path / "a.json").read_text())
    assert task["data"] == {"text": ANNA["text"], "id": "d/1", "source": "web"}
    (result,) = task["annotations"][0]["result"]
    assert result["value"] == {"start": 3, "end": 7, "text": "Anna", "labels": ["First Name"]}
    assert (result["score"], result["meta"]) == (0.5, {"id": "T1"})


def test_langextract_has_classes_and_intervals(tmp_path: Path) -> None:
    spans = [{"start": 2, "end": 6, "label": "PER", "meta": {"sure": "yes"}}, {"text": "Bob", "label": "PER"}]
    spanscope.convert([{**ANNA, "meta": None, "spans": spans}], tmp_path / "a.jsonl", to="langextract")
    found = json.loads((tmp_path / "a.jsonl").read_text())
    assert [
        (one["extraction_class"], one["extraction_text"], one["char_interval"], one["attributes"])
        for one in found["extractions"]
    ] == [("PER", "Anna", {"start_pos": 2, "end_pos": 6}, {"sure": "yes"}), ("PER", "Bob", None, None)]


PLAIN = {
    "id": "d1",
    "text": "Anna Lee met Bob 😀 .",
    "spans": [{"start": 0, "end": 8, "label": "PER"}, {"start": 13, "end": 16, "label": "PER"}],
}
NESTED = {**PLAIN, "spans": [*PLAIN["spans"], {"start": 0, "end": 4, "label": "FIRST"}]}


def test_spacy_reads_what_was_written(tmp_path: Path) -> None:
    spacy = needs("spacy")
    vocabulary = spacy.blank("xx").vocab
    for document, group in ((PLAIN, None), (NESTED, "sc")):
        spanscope.convert([document], tmp_path / "a.spacy")
        (doc,) = spacy.tokens.DocBin().from_disk(tmp_path / "a.spacy").get_docs(vocabulary)
        assert doc.text == document["text"]
        found = doc.ents if group is None else doc.spans[group]
        assert sorted((one.start_char, one.end_char, one.label_) for one in found) == sorted(
            (one["start"], one["end"], one["label"]) for one in document["spans"]
        )
        spanscope.convert([document], tmp_path / "a.json", to="spacy-json", lossy=True)
        again = spacy.tokens.Doc(vocabulary).from_json(json.loads((tmp_path / "a.json").read_text()))
        assert again.text == document["text"]
        assert len(again.ents if group is None else again.spans[group]) == len(document["spans"])


def test_the_library_of_bioc_reads_what_was_written(tmp_path: Path) -> None:
    needs("bioc")
    from bioc import biocjson, biocxml

    for form, library in (("bioc-json", biocjson), ("bioc-xml", biocxml)):
        spanscope.convert([PLAIN], tmp_path / form, to=form)
        with (tmp_path / form).open() as file:
            (document,) = library.load(file).documents
        (passage,) = document.passages
        assert (document.id, passage.text) == ("d1", PLAIN["text"])
        assert [(one.text, one.infons["type"], one.locations[0].offset) for one in passage.annotations] == [
            ("Anna Lee", "PER", 0),
            ("Bob", "PER", 13),
        ]


def test_the_library_of_uima_reads_what_was_written(tmp_path: Path) -> None:
    cassis = needs("cassis")
    late = {"start": 17, "end": 18, "label": 'A "<&>"', "score": 0.5}  # the emoji
    document = {**PLAIN, "spans": [*PLAIN["spans"], late]}
    for form, ending in (("uima-xmi", "xmi"), ("uima-json", "json")):
        spanscope.convert([document], tmp_path / form, to=form)
        with (tmp_path / form / f"d1.{ending}").open("rb") as file:
            if ending == "xmi":
                with (tmp_path / form / "TypeSystem.xml").open("rb") as types:
                    cas = cassis.load_cas_from_xmi(file, typesystem=cassis.load_typesystem(types))
            else:
                cas = cassis.load_cas_from_json(file)
        found = cas.select("de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity")
        assert cas.sofa_string == PLAIN["text"]
        assert [(one.get_covered_text(), one.value, one.score) for one in found] == [
            ("Anna Lee", "PER", None),
            ("Bob", "PER", None),
            ("😀", 'A "<&>"', 0.5),
        ]


def test_gate_counts_utf16_and_keeps_what_is_known(tmp_path: Path) -> None:
    span = {**ANNA["spans"][0], "meta": {"id": "<T1>"}}
    spanscope.convert([{**ANNA, "id": "d1", "spans": [span]}], tmp_path / "gate", to="gate")
    said = (tmp_path / "gate" / "d1.xml").read_text()
    assert '<Node id="0"/>😀 <Node id="3"/>Anna<Node id="7"/>&#10;met Bob<Node id="15"/>' in said
    assert '<Annotation Id="0" Type="First Name" StartNode="3" EndNode="7">' in said
    assert '<Value className="java.lang.String">&lt;T1&gt;</Value>' in said
    assert '<Value className="java.lang.Double">0.5</Value>' in said


def test_models_write_lists_in_the_order_of_documents(tmp_path: Path) -> None:
    """As transformers, Presidio and GLiNER document their forms."""
    empty = {"id": "d2", "text": "Nobody", "spans": []}
    for form in ("pipeline", "presidio"):
        spanscope.convert([PLAIN, empty], tmp_path / form, to=form, lossy=True)
    first, second = json.loads((tmp_path / "pipeline").read_text())
    assert first[0] == {"entity_group": "PER", "score": None, "word": "Anna Lee", "start": 0, "end": 8}
    assert second == []
    first, second = json.loads((tmp_path / "presidio").read_text())
    assert {key: first[1][key] for key in ("entity_type", "start", "end")} == {
        "entity_type": "PER",
        "start": 13,
        "end": 16,
    }
    assert second == []
    spanscope.convert([PLAIN], tmp_path / "gliner", to="gliner-train")
    assert json.loads((tmp_path / "gliner").read_text()) == {
        "id": "d1",
        "tokenized_text": ["Anna", "Lee", "met", "Bob", "😀", "."],
        "ner": [[0, 1, "PER"], [3, 3, "PER"]],
    }


def test_gliner2_has_entities_by_label(tmp_path: Path) -> None:
    """Results for two texts in its form, but for labels without entities, of which a document has none."""
    found = [
        {
            "entities": {
                "person": [
                    {"text": "Ann", "confidence": 0.75, "start": 0, "end": 3},
                    {"text": "Bob", "confidence": 0.5, "start": 15, "end": 18},
                ],
                "city": [{"text": "Rome", "start": 8, "end": 12}],
            }
        },
        {"entities": {}},
    ]
    (tmp_path / "found.json").write_text(json.dumps(found))
    spanscope.convert(tmp_path / "found.json", tmp_path / "a.json", to="gliner2")
    assert json.loads((tmp_path / "a.json").read_text()) == found
    done = spanscope.convert([PLAIN], tmp_path / "b.json", to="gliner2", lossy=True)
    assert {one.what for one in done.losses} == {"ids of documents", "texts of documents"}
    ((bob,),) = [own[1:] for own in json.loads((tmp_path / "b.json").read_text())[0]["entities"].values()]
    assert bob == {"text": "Bob", "start": 13, "end": 16}


def test_pandas_reads_what_was_written(tmp_path: Path) -> None:
    pandas = needs("pandas")
    spanscope.convert([PLAIN], tmp_path / "a.csv", lossy=True)
    table = pandas.read_csv(tmp_path / "a.csv")
    assert table[["doc", "start", "end", "label", "text"]].to_numpy().tolist() == [
        ["d1", 0, 8, "PER", "Anna Lee"],
        ["d1", 13, 16, "PER", "Bob"],
    ]
    needs("pyarrow")
    spanscope.convert([PLAIN], tmp_path / "a.parquet")
    assert pandas.read_parquet(tmp_path / "a.parquet")["text"].tolist() == [PLAIN["text"]]


def test_brat_conll_and_webanno_look_as_their_tools_write_them(tmp_path: Path) -> None:
    spanscope.convert([PLAIN], tmp_path / "brat", to="brat")
    assert (tmp_path / "brat" / "d1.ann").read_text() == "T1\tPER 0 8\tAnna Lee\nT2\tPER 13 16\tBob\n"
    spanscope.convert([PLAIN], tmp_path / "a.conll", lossy=True)
    assert (tmp_path / "a.conll").read_text() == "Anna\tB-PER\nLee\tI-PER\nmet\tO\nBob\tB-PER\n😀\tO\n.\tO\n"
    spanscope.convert([NESTED], tmp_path / "webanno", to="webanno")
    lines = (tmp_path / "webanno" / "d1.tsv").read_text().splitlines()
    assert lines[5] == "1-1\t0-4\tAnna\tPER[1]|FIRST[3]\t"
    assert lines[-2:] == ["1-5\t17-19\t😀\t_\t", "1-6\t20-21\t.\t_\t"]


def test_nothing_is_written_over(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text(json.dumps(PLAIN))
    with pytest.raises(InputError, match="is an input"):
        spanscope.convert(source, source, to="doccano")
    (tmp_path / "b.jsonl").write_text(json.dumps({**PLAIN, "id": "d2"}))
    with pytest.raises(InputError, match=r"is the input|is an input"):  # one of those that a pattern matches
        spanscope.convert(tmp_path / "*.jsonl", tmp_path / "b.jsonl", to="doccano")
    (tmp_path / "b.jsonl").unlink()
    with pytest.raises(InputError, match="holds the input"):
        spanscope.convert(source, tmp_path, to="brat")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    with pytest.raises(InputError, match="is there already"):
        spanscope.convert(source, tmp_path / "full", to="brat")
    assert json.loads(source.read_text()) == PLAIN
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.jsonl", "full"]


def test_the_form_is_named_or_shown_by_the_ending(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no form of spans ends with \.xyz"):
        spanscope.convert([PLAIN], tmp_path / "a.xyz")
    with pytest.raises(MeasureError, match="spans cannot be written as 'brrat'; did you mean 'brat'"):
        spanscope.convert([PLAIN], tmp_path / "a.xyz", to="brrat")


def test_what_the_reader_left_aside_is_lost_too(tmp_path: Path) -> None:
    (tmp_path / "a.ann").write_text("T1\tPER 0 4\tAnna\nT2\tPER 5 8\tBob\nR1\tknows Arg1:T1 Arg2:T2\n")
    (tmp_path / "a.txt").write_text("Anna Bob")
    with pytest.raises(InputError, match="1 relation\\n"):
        spanscope.convert(tmp_path / "a.ann", tmp_path / "b.jsonl")


TAGGED = [{"id": "1", "tokens": ["Anna", "met", "Bob"], "tags": ["B-PER", "O", "B-PER"], "meta": {"a": 1}}]


@pytest.mark.parametrize(
    "form", [one for one in WRITERS["tokens"] if one.family == "tokens"], ids=lambda form: form.name
)
def test_tokens_are_read_back(form: Writer, tmp_path: Path) -> None:
    documents, _ = fit_to(spanscope.read(TAGGED), form)
    path = tmp_path / f"a{form.suffixes[0] if form.suffixes else '.jsonl'}"
    spanscope.convert(TAGGED, path, to=form.name, lossy=form.name in ("conll", "conllu", "token-rows"))
    assert _without_text(spanscope.read(path).to_dicts()) == _without_text(documents)


def test_conllu_is_as_its_library_writes_it(tmp_path: Path) -> None:
    """The sample of conllu 6.0.0, whose documents have one sentence each: their ids are those of sentences.

    One line of it says that no blank follows, where its text has one.
    """
    sample = SAMPLES / "conll/misc.conllu"
    spanscope.convert(sample, tmp_path / "a.conllu")
    lines = [line for line in sample.read_text(encoding="utf-8").splitlines() if "sent_id" not in line]
    want = "\n".join(lines).replace("# newdoc id", "# sent_id")
    want = want.replace("NER=O|SpaceAfter=No\n6\tAnn", "NER=O\n6\tAnn")
    assert (tmp_path / "a.conllu").read_text(encoding="utf-8").rstrip("\n") == want.rstrip("\n")
    odd = [
        {"id": "a", "tokens": ["10 000", "EUR"], "tags": ["B-A", "I-A"]},
        {"id": "b", "tokens": ["a\tb"], "tags": ["O"]},
        {"id": "c", "tokens": ["a"], "tags": ["B-A|B"]},
    ]
    done = spanscope.convert(odd, tmp_path / "b.conllu", lossy=True)
    unfit = "documents with a token or a tag that has tabs, line ends or bars, or without any"
    assert done.losses == (Loss(unfit, 2, "left out"),)
    empty = "\t_" * 7 + "\t"
    assert (tmp_path / "b.conllu").read_text() == (
        f"# sent_id = a\n# text = 10 000 EUR\n1\t10 000{empty}NER=B-A\n2\tEUR{empty}NER=I-A|SpaceAfter=No\n\n"
    )


def test_rows_of_tokens_are_a_table(tmp_path: Path) -> None:
    """The sample of Kaggle names sentences on their first token alone; tokens may have line ends or commas."""
    sample = SAMPLES / "conll/kaggle.csv"
    spanscope.convert(sample, tmp_path / "a.csv", to="token-rows")
    want, sentence = [["sentence_id", "token", "tag"]], ""
    with sample.open(encoding="utf-8", newline="") as file:
        for own, word, _, tag in list(csv.reader(file))[1:]:
            sentence = own or sentence
            want.append([sentence, word, tag])
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == want
    tokens, none = ["a\nb", "c,d", ""], {"id": "2", "tokens": [], "tags": []}
    odd = [{"id": "1", "tokens": tokens, "tags": ["O", "B-A", "O"]}, none]
    done = spanscope.convert(odd, tmp_path / "b.csv", to="token-rows", lossy=True)
    assert done.losses == (Loss("documents without a token", 1, "left out"),)
    assert [one["tokens"] for one in spanscope.read(tmp_path / "b.csv").to_dicts()] == [tokens]


def _without_text(documents: list[Document]) -> list[Document]:
    return [{key: own for key, own in one.items() if key not in ("text", "start_indices")} for one in documents]


def test_tags_alone_and_spans_of_tokens(tmp_path: Path) -> None:
    spanscope.convert([["B-PER", "O"]], tmp_path / "a.jsonl")
    assert spanscope.read(tmp_path / "a.jsonl").to_dicts()[0]["tags"] == ["B-PER", "O"]
    done = spanscope.convert(TAGGED, tmp_path / "brat", to="brat", lossy=True)
    assert done.losses[0].what == "documents with tokens and tags"
    assert (tmp_path / "brat" / "1.ann").read_text() == "T1\tPER 0 4\tAnna\nT2\tPER 9 12\tBob\n"


LINED = {"id": "s1", "text": "One.\nTwo.\nThree.", "segments": [[0, 5], [5, 16]]}


def test_segmentations_are_read_back(tmp_path: Path) -> None:
    labelled = {**LINED, "segments": [[0, 5, "A"], [5, 16, "B"]], "meta": {"by": "x"}, "ptime": 0.5}
    spanscope.convert([labelled], tmp_path / "a.jsonl")
    assert spanscope.read(tmp_path / "a.jsonl").to_dicts() == [labelled]
    spanscope.convert([{**labelled, "ptime": None}], tmp_path / "a.json", to="label-studio")
    back = spanscope.read(tmp_path / "a.json", input="label-studio").to_dicts()
    assert back == [{**LINED, "segments": [[0, 5, "A"], [5, 16, "B"]], "meta": {"by": "x"}}]
    spanscope.convert([LINED], tmp_path / "choi", to="choi")
    sign = "=" * 10
    assert (tmp_path / "choi" / "s1.ref").read_text() == f"{sign}\nOne.\n{sign}\nTwo.\nThree.\n{sign}\n"
    spanscope.convert([LINED], tmp_path / "b.json", to="segeval", lossy=True)
    assert json.loads((tmp_path / "b.json").read_text())["items"] == {"s1": {"coder": [5, 11]}}
    odd = {**LINED, "segments": [[0, 3], [3, 16]]}
    heading = {**LINED, "text": "========,2,A.\n!!!", "segments": [[0, 14], [14, 17]]}  # which its reader refuses
    for unfit in (odd, heading):
        with pytest.raises(InputError, match="1 document whose segments do not end where lines end"):
            spanscope.convert([unfit], tmp_path / "choi2", to="choi")


def test_wiki_727k_is_written_as_it_was_read(tmp_path: Path) -> None:
    """The sample of files as its program writes them; lines of a text are sentences too."""
    sample = SAMPLES / "segmentation/wiki727"
    spanscope.convert(sample, tmp_path / "wiki", to="wiki-727k")
    names = sorted(one.name for one in (tmp_path / "wiki").iterdir())
    assert names == ["s1", "s2", "s3"]
    assert [(tmp_path / "wiki" / name).read_bytes() for name in names] == [
        (sample / name).read_bytes() for name in names
    ]
    labelled = {**LINED, "id": "a.1", "segments": [[0, 5, "A\nB"], [5, 16, "C, d."]]}
    done = spanscope.convert([labelled], tmp_path / "text", to="wiki-727k", lossy=True)
    assert [(one.what, one.number) for one in done.losses] == [
        ("labels of segments of several lines, or with blanks around", 1),
        ("ids that cannot be written, or repeat", 1),
    ]
    said = "========,1,A B.\nOne.\n========,2,C, d..\nTwo.\nThree.\n"
    assert (tmp_path / "text" / "a%2E1").read_text() == said
    for odd, what in (
        ({**LINED, "segments": [[0, 3], [3, 16]]}, "without sentences, or whose segments end inside of one"),
        ({"length": 2, "segments": [[0, 2]]}, "without sentences, or whose segments end inside of one"),
        ({"length": 2, "segments": [[0, 2]], "meta": {"sentences": ["a"]}}, "without sentences"),
        ({**LINED, "text": "One.\n Two\nThree."}, "with a sentence that is no line of its own"),
    ):
        with pytest.raises(InputError, match=f"1 document {what}"):
            spanscope.convert([odd], tmp_path / "odd", to="wiki-727k")


def test_strings_of_nltk_have_a_character_a_gap_or_a_unit(tmp_path: Path) -> None:
    """The sample has a character a gap; strings of units are worked by hand: 1 is the last of a segment."""
    sample = SAMPLES / "segmentation/nltk.txt"
    spanscope.convert(sample, tmp_path / "gaps", to="nltk-gaps", input="nltk-gaps")
    assert (tmp_path / "gaps").read_bytes() == sample.read_bytes()
    wiki = SAMPLES / "segmentation/wiki727"  # of 2, 3 and 1 sentences, 2 and 1, and 2
    done = spanscope.convert(wiki, tmp_path / "units", to="nltk-units", lossy=True)
    assert (tmp_path / "units").read_text() == "010011\n011\n01\n"
    assert {one.what: one.number for one in done.losses} == {
        "labels of segments": 6,
        "ids of documents": 3,
        "documents with metadata": 3,
    }
    short = [{"length": 1, "segments": [[0, 1]]}, {"length": 0, "segments": []}]
    unfit = {"nltk-gaps": [2, "documents of fewer than two units"], "nltk-units": [1, "documents without a unit"]}
    for form, left in unfit.items():
        (loss,) = spanscope.convert(short, tmp_path / f"short-{form}", to=form, lossy=True).losses
        assert [loss.number, loss.what] == left
    assert (tmp_path / "short-nltk-units").read_text() == "1\n"


def test_tables_of_segeval_are_a_folder_that_is_read(tmp_path: Path) -> None:
    """The sample has two coders: each of them is written as the one coder of a table."""
    sample = SAMPLES / "segmentation/s1.tsv"
    header, gold, _ = sample.read_text().splitlines()
    spanscope.convert(sample, tmp_path / "gold", to="segeval-table", annotator="gold")
    assert [one.name for one in (tmp_path / "gold").iterdir()] == ["s1.tsv"]
    assert (tmp_path / "gold/s1.tsv").read_text() == f"{header}\n{gold.replace('gold', 'coder')}\n"
    documents = [{"id": name, "length": 3, "segments": [[0, 2], [2, 3]]} for name in ("a.1", "readme", "b/c")]
    done = spanscope.convert(documents, tmp_path / "many", to="segeval-table", lossy=True)
    assert done.losses == (Loss("ids that cannot be written, or repeat", 2, "changed"),)
    (tmp_path / "many/!.pdf").write_bytes(b"")
    corpus = spanscope.read(tmp_path / "many")  # known by its header
    assert [one["id"] for one in corpus.to_dicts()] == ["%72eadme", "a.1", "b%2Fc"]
    assert {str(one["segments"]) for one in corpus.to_dicts()} == {"[[0, 2], [2, 3]]"}
    assert [(one.kind, one.number) for one in corpus.problems] == [("left aside", 1)]
    with pytest.raises(InputError, match="1 document without segments"):
        spanscope.convert([{"length": 0, "segments": []}], tmp_path / "none", to="segeval-table")


def test_sentences_have_the_numbers_of_their_sections(tmp_path: Path) -> None:
    """Samples of one segmentation, with the last sentences of sections and with the numbers of these."""
    want = (SAMPLES / "segmentation/section_labels.jsonl").read_bytes()
    for name in ("section_labels.jsonl", "sentences.jsonl"):
        spanscope.convert(SAMPLES / "segmentation" / name, tmp_path / name, to="sentences")
        assert (tmp_path / name).read_bytes() == want
    text = {**LINED, "meta": {"sentences": "x", "by": "y"}, "ptime": 0.5}
    done = spanscope.convert([text], tmp_path / "text", to="sentences", lossy=True)
    assert done.losses == (Loss("metadata called sentences of documents with a text", 1, "left out"),)
    found = {"id": "s1", "ptime": 0.5, "sentences": ["One.", "Two.", "Three."], "section_ids": [0, 1, 1]}
    assert json.loads((tmp_path / "text").read_text()) == {**found, "meta": {"by": "y"}}


def test_queries_are_read_back(tmp_path: Path) -> None:
    gold = [{"id": "q1", "snippets": [{"id": "d1", "relevance": 2}, {"id": "d2"}]}]
    run = [{"id": "q1", "retrieved_passages": [{"id": "d2", "score": 2.5}, {"id": "d1", "score": 1.0}]}]
    spanscope.convert(gold, tmp_path / "a.qrels")
    assert (tmp_path / "a.qrels").read_text() == "q1 0 d1 2\nq1 0 d2 1\n"
    spanscope.convert(run, tmp_path / "a.run")
    assert (tmp_path / "a.run").read_text() == "q1 Q0 d2 1 2.5 spanscope\nq1 Q0 d1 2 1.0 spanscope\n"
    spanscope.convert(gold, tmp_path / "a.tsv", to="beir")
    assert (tmp_path / "a.tsv").read_text() == "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\n"
    result = spanscope.evaluate(tmp_path / "a.qrels", tmp_path / "a.run", "passages.ranking(k=1)", ci=False)
    assert result.value("recall") == 0.5
    for documents in (gold, run):
        spanscope.convert(documents, tmp_path / "a.jsonl")
        assert spanscope.read(tmp_path / "a.jsonl").to_dicts() == documents
    texts = [{"id": "q1", "query": "Who?", "snippets": [{"answer": ["Ann", "Anna"]}]}]
    spanscope.convert(texts, tmp_path / "squad.json", to="squad")
    (article,) = json.loads((tmp_path / "squad.json").read_text())["data"]
    (asked,) = article["paragraphs"][0]["qas"]
    assert [asked["question"], [one["text"] for one in asked["answers"]]] == ["Who?", ["Ann", "Anna"]]
    unordered = [{"id": "q1", "retrieved_passages": [{"id": "d2"}, {"id": "d1"}]}]
    with pytest.raises(InputError, match="1 query whose passages have no scores that fall"):
        spanscope.convert(unordered, tmp_path / "b.run")


def test_benchmarks_and_rows_of_ragas_look_as_their_tools_write_them(tmp_path: Path) -> None:
    """A benchmark is written as it was read, without fields that were not to be kept; rows have their contexts."""
    bench = SAMPLES / "legalbench/bench.json"
    spanscope.convert(bench, tmp_path / "bench.json", to="legalbench")
    tests = json.loads(bench.read_text(encoding="utf-8"))["tests"]
    wanted = [{key: own for key, own in one.items() if key != "tags"} for one in tests]
    assert json.loads((tmp_path / "bench.json").read_text(encoding="utf-8")) == {"tests": wanted}
    rows = SAMPLES / "ragas/new.jsonl"
    done = spanscope.convert(rows, tmp_path / "found.jsonl", to="ragas", annotator="pred", lossy=True)
    assert [str(one) for one in done.losses] == ["4 documents with metadata: left out"]
    kept = ("user_input", "retrieved_contexts", "retrieved_context_ids")
    given = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    written = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text(encoding="utf-8").splitlines()]
    assert written == [{key: one[key] for key in kept} for one in given]


def test_documents_of_langchain_are_written_as_it_writes_them(tmp_path: Path) -> None:
    """The same bytes; a document with a score stands in a pair with it; no place or name is made up."""
    sample, out = SAMPLES / "langchain/retrieved.jsonl", tmp_path / "a.jsonl"
    assert spanscope.convert(sample, out, to="langchain").losses == ()
    assert out.read_bytes() == sample.read_bytes()
    passage = {"text": "abc", "file_path": "a.txt", "span": [2, 5], "id": "p", "score": 0.5}
    spanscope.convert([{"id": "q", "query": "Who?", "retrieved_passages": [passage]}], out, to="langchain")
    meta = {"source": "a.txt", "start_index": 2}
    document = {"id": "p", "metadata": meta, "page_content": "abc", "type": "Document"}
    assert json.loads(out.read_text()) == {"id": "q", "query": "Who?", "documents": [[document, 0.5]]}
    assert _lost({"text": "abc", "span": [2, 4]}, "langchain") == [
        "1 passage with a place that is not as long as the text: left without it"
    ]
    for other in ({"source": "b.txt"}, {"start_index": 7}, {"doc_id": "x"}):
        assert _lost({**passage, "meta": other}, "langchain") == [
            "1 passage with metadata that name another file, place or identifier: left without these"
        ], other


def test_questions_of_dpr_are_written_as_it_writes_them(tmp_path: Path) -> None:
    """What its retriever saves, with scores as strings, and what it is trained on."""
    context = {"id": "wiki:7", "title": "Paris", "text": "It was Paris.", "score": "80.25", "has_answer": True}
    found = {"question": "Which city?", "ctxs": [context, {"id": "wiki:2", "text": "No.", "score": "7.5"}]}
    positive = {"passage_id": "wiki:7", "title": "Paris", "text": "It was Paris."}
    gold = {"id": "q", "question": "Which city?", "answers": ["Paris", "Lutetia"], "positive_ctxs": [positive]}
    for row in (found, gold):
        (tmp_path / "a.json").write_text(json.dumps([row]))
        assert spanscope.convert(tmp_path / "a.json", tmp_path / "b.json", to="dpr").losses == ()
        assert json.loads((tmp_path / "b.json").read_text()) == [row]
    given = {"text": "abc", "span": [0, 3], "file_path": "a.txt", "meta": {"title": "T", "page": 1}}
    assert _lost(given, "dpr") == [
        "1 passage with more than text and id and score and meta: reduced to these",
        "1 passage with metadata other than title and has_answer: left without these",
    ]
    judged = [{"query": "q", "snippets": [{"text": "a", "relevance": 0}, {"text": "b"}], "meta": {"by": "x"}}]
    done = spanscope.convert(judged, tmp_path / "c.json", to="dpr", lossy=True)
    assert [str(one) for one in done.losses] == [
        "1 passage of no relevance: left out",
        "1 query with metadata other than the answers of gold: left out",
    ]
    (row,) = json.loads((tmp_path / "c.json").read_text())
    assert row == {"question": "q", "answers": [], "positive_ctxs": [{"text": "b"}]}


def test_queries_of_ms_marco_are_written_as_it_has_them(tmp_path: Path) -> None:
    """As its first files have them: a line per query, and a row per passage."""
    passages = [
        {"is_selected": 0, "passage_text": "no", "url": "http://a"},
        {"is_selected": 1, "passage_text": "yes é", "passage_id": "p2"},
    ]
    rows = [
        {"query_id": "7", "query": "q", "passages": passages, "answers": ["yes", "yep"]},
        {"query_id": "8", "query": "r", "passages": passages[:1], "answers": ["No Answer Present."]},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert spanscope.convert(tmp_path / "a.jsonl", tmp_path / "b.jsonl", to="ms-marco").losses == ()
    written = (tmp_path / "b.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in written] == rows
    grades = [{"text": "a", "relevance": 2}, {"text": "b", "relevance": 0.5}, {"text": "c", "relevance": -1}]
    judged = [{"query": "q", "snippets": [*grades, {"id": "d"}], "meta": {"answers": ["No Answer Present."]}}]
    done = spanscope.convert(judged, tmp_path / "c.jsonl", to="ms-marco", lossy=True)
    assert [str(one) for one in done.losses] == [
        "1 passage without a text: left out",
        "3 passages of a grade other than 0 and 1: written as 0 or 1",
        "1 query with metadata other than answers: left out",
    ]
    (row,) = map(json.loads, (tmp_path / "c.jsonl").read_text().splitlines())
    assert [one["is_selected"] for one in row["passages"]] == [1, 1, 0]


def test_documents_of_haystack_are_written_as_it_writes_them(tmp_path: Path) -> None:
    """As its documentation shows what a splitter has cut; other documents have names of their own."""
    meta = {"source_id": "74ea87", "page_number": 1, "split_id": 1, "split_idx_start": 20, "file_path": "a.txt"}
    cut = {"content": "There is é", "meta": meta, "score": 0.5}
    whole = {"id": "f19", "content": "abc", "meta": {"source": "web"}, "score": None}
    row = {"id": "q", "query": "third", "documents": [cut, whole], "meta": {"by": "x"}}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    assert spanscope.convert(tmp_path / "a.jsonl", tmp_path / "b.jsonl", to="haystack").losses == ()
    assert json.loads((tmp_path / "b.jsonl").read_text(encoding="utf-8")) == row
    passage = {"text": "abc", "file_path": "a.txt", "span": [2, 5], "id": "p", "score": 0.5}
    spanscope.convert([{"query": "q", "retrieved_passages": [passage]}], tmp_path / "c.jsonl", to="haystack")
    made = {"file_path": "a.txt", "split_idx_start": 2, "source_id": "p"}
    (document,) = json.loads((tmp_path / "c.jsonl").read_text())["documents"]
    assert document == {"content": "abc", "meta": made, "score": 0.5}
    for other in ({"file_name": "b.txt"}, {"split_idx_start": 7}, {"source_id": "x"}, {"document_id": "x"}):
        assert _lost({**passage, "meta": other}, "haystack") == [
            "1 passage with metadata that name another file, place or identifier: left without these"
        ], other


def test_nodes_of_llamaindex_are_written_as_it_writes_them(tmp_path: Path) -> None:
    """But for the names of nodes, which are no names of documents: LlamaIndex makes some for nodes without one."""
    sample, out = SAMPLES / "llamaindex/retrieved.jsonl", tmp_path / "a.jsonl"
    assert spanscope.convert(sample, out, to="llamaindex").losses == ()
    rows, given = (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in (out, sample)
    )
    nodes = [one["node"] for row in given for one in row["source_nodes"]]
    assert all(node.pop("id_") for node in nodes)
    assert rows == given
    single = {"text": "abc", "id": "n1"}
    spanscope.convert([{"query": "q", "retrieved_passages": [single]}], tmp_path / "b.jsonl", to="llamaindex")
    (one,) = json.loads((tmp_path / "b.jsonl").read_text())["source_nodes"]
    assert (one["node"]["id_"], one["node"]["relationships"], one["score"]) == ("n1", {}, None)
    assert (one["node"]["start_char_idx"], one["node"]["end_char_idx"]) == (None, None)
    assert _lost({**single, "file_path": "a.txt", "meta": {"file_name": "b.txt"}}, "llamaindex") == [
        "1 passage with metadata that name another file, place or identifier: left without these"
    ]


def test_rows_of_squad_are_written_as_hugging_face_has_them(tmp_path: Path) -> None:
    """The same bytes; a wording without a place, or with one that the context contradicts, starts at -1."""
    sample, out = SAMPLES / "squad/hf_rows.jsonl", tmp_path / "a.jsonl"
    assert spanscope.convert(sample, out, to="squad-rows").losses == ()
    assert out.read_bytes() == sample.read_bytes()
    answer = {"answer": ["New York", "York", "NY"], "spans": [[3, 11], [6, 10], None]}
    query = {"id": "q", "query": "Where?", "snippets": [answer], "meta": {"context": "In New York", "by": "x"}}
    done = spanscope.convert([query], out, to="squad-rows", lossy=True)
    assert [str(one) for one in done.losses] == [
        "1 query with metadata other than title and context: left out",
        "1 query with places at which their context has another text: left without these places",
    ]
    answers = {"text": ["New York", "York", "NY"], "answer_start": [3, -1, -1]}
    row = {"id": "q", "context": "In New York", "question": "Where?", "answers": answers}
    assert json.loads(out.read_text()) == row


def _lost(passage: Document, form: str) -> list[str]:
    """Return what a form cannot hold of a passage that was retrieved."""
    writer = next(one for one in WRITERS["passages"] if one.name == form)
    corpus = spanscope.read([{"id": "q", "query": "Who?", "retrieved_passages": [passage]}])
    return [str(one) for one in fit_to(corpus, writer)[1]]


def test_ids_are_kept_apart() -> None:
    """Two ids that would have one name, and a name that another document has already."""
    writer = next(one for one in SPANS if one.name == "pubtator")
    documents = [{"id": name, "text": "x", "spans": []} for name in ("a b", "a|b", "a_b")]
    held, losses = fit_to(spanscope.read(documents), writer)
    assert [one["id"] for one in held] == ["a_b-2", "a_b-3", "a_b"]
    assert losses == [Loss("ids that cannot be written, or repeat", 2, "changed")]
    assert fit([], writer.lacks) == ([], [])
