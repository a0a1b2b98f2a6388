"""What spaCy holds and writes: documents, examples, DocBin and JSON, read as they are."""

import json
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from tests.cli import refused, run, write
from tests.support import needs

spacy = needs("spacy")
from spacy.tokens import Doc, DocBin, Span  # noqa: E402
from spacy.training import Example  # noqa: E402

NLP = spacy.blank("en")
TEXT = "Ann met Bob in New York 😀."
GOLD = [(0, 3, "PER"), (8, 11, "PER"), (15, 23, "LOC")]
PRED = [(0, 3, "PER"), (8, 11, "LOC"), (19, 23, "LOC")]
Spans = list[tuple[int, int, str]]


def doc(text: str = TEXT, ents: Spans = (), **groups: Spans) -> Doc:  # type: ignore[assignment]
    own = NLP(text)
    own.ents = [own.char_span(start, end, label=label) for start, end, label in ents]
    for name, spans in groups.items():
        own.spans[name] = [own.char_span(start, end, label=label) for start, end, label in spans]
    return own


def spans(source: Any, **given: Any) -> list[Spans]:
    found = spanscope.read(source, **given).to_dicts()
    return [[(one["start"], one["end"], one["label"]) for one in document["spans"]] for document in found]


def totals(gold: Any, pred: Any) -> dict[str, int]:
    return spanscope.evaluate(gold, pred, "spans.exact", ci=False).totals()


@pytest.fixture
def sides() -> tuple[list[Doc], list[Doc]]:
    return [doc(ents=GOLD), doc("Nothing.")], [doc(ents=PRED), doc("Nothing.", [(0, 7, "PER")])]


def test_every_form_is_the_same(sides: tuple[list[Doc], list[Doc]], tmp_path: Path) -> None:
    """Of three gold spans the first is found; the second has another label, the third is cut; one is invented."""
    gold, pred = sides
    expected = {"tp": 1, "pred": 4, "gold": 3}
    DocBin(docs=gold).to_disk(tmp_path / "gold.spacy")
    DocBin(docs=pred, store_user_data=True).to_disk(tmp_path / "pred.spacy")
    for number, docs in enumerate(sides):
        write(tmp_path / f"{number}.json", [one.to_json() for one in docs])
        write(tmp_path / f"{number}.jsonl", "".join(json.dumps(one.to_json()) + "\n" for one in docs))
    examples = [Example(b, a) for a, b in zip(gold, pred, strict=True)]
    first = [
        gold,
        tuple(gold),
        DocBin(docs=gold),
        tmp_path / "gold.spacy",
        tmp_path / "0.json",
        tmp_path / "0.jsonl",
        [one.to_json() for one in gold],
        [one.ents for one in gold],
        [one.to_dict() for one in examples],
        spanscope.source(examples, annotator="gold"),
    ]
    second = [
        pred,
        DocBin(docs=pred),
        str(tmp_path / "pred.spacy"),
        tmp_path / "1.json",
        [one.ents for one in pred],
        spanscope.source(examples, annotator="pred"),
        [
            [{"entity_group": label, "start": a, "end": b} for a, b, label in PRED],
            [{"entity_group": "PER", "start": 0, "end": 7}],
        ],
    ]
    for one in first:
        assert totals(one, pred) == expected, one
    for other in second:
        assert totals(gold, other) == expected, other
    assert totals(gold[0], pred[0]) == {"tp": 1, "pred": 3, "gold": 3}
    done = run(
        "eval", tmp_path / "gold.spacy", tmp_path / "pred.spacy", "-m", "spans.exact", "--no-ci", "-f", "csv"
    )
    assert done.code == 0, done.err
    assert spanscope.check(tmp_path / "gold.spacy", tmp_path / "1.jsonl") == []
    assert spanscope.agree(gold, pred, measures=["f1"], ci=False).value("f1") == pytest.approx(2 / 7)
    assert len(spanscope.compare(gold, pred, gold, measures="spans.exact", trials=5).rows) > 0


def test_examples_hold_both_sides(sides: tuple[list[Doc], list[Doc]]) -> None:
    examples = [Example(b, a) for a, b in zip(*sides, strict=True)]
    found = spanscope.read_sides(examples)
    assert [*found] == ["gold", "pred"]
    assert [len(one.spans) for one in found.values()] == [3, 4]
    assert spans(examples, annotator="pred")[0] == PRED
    assert totals(examples, None) == {"tp": 1, "pred": 4, "gold": 3}
    with pytest.raises(spanscope.InputError, match=r"\(gold: 2 documents, pred: 2\)"):
        spanscope.read(examples)
    with pytest.raises(spanscope.InputError, match="Examples only, or documents only"):
        spanscope.read([*examples, sides[0][0]])


def test_groups_are_asked_for() -> None:
    own = doc(ents=GOLD[:1], sc=GOLD, other=[])
    with pytest.raises(spanscope.InputError, match=r"holds ents \(1\) and spans 'sc' \(3\)"):
        spanscope.read([own])
    assert spans([own], layer="sc") == spans(own.spans["sc"]) == [GOLD]
    assert spans([own], layer="ents") == [GOLD[:1]]
    assert spans([own], layer="other") == [[]]
    assert spans([doc(sc=GOLD), doc("Nothing.")]) == [GOLD, []]  # the only layer with spans
    assert spans([doc("Nothing.")]) == [[]]
    assert spans([doc(ents=GOLD, ents_=[]), doc(ents=PRED)]) == [GOLD, PRED]
    both = doc(ents=GOLD[:1])
    both.spans["ents"] = [both.char_span(*GOLD[1][:2], label="PER")]
    assert spans([both], layer="spans.ents") == [GOLD[1:2]]


def test_groups_in_json_are_asked_for(tmp_path: Path) -> None:
    """However late they come: plain documents with entities are read by another reader, which has no groups."""
    plain, grouped = doc(ents=GOLD).to_json(), doc(a=GOLD, b=PRED).to_json()
    late = write(tmp_path / "a.jsonl", "".join(json.dumps(one) + "\n" for one in [plain] * 30 + [grouped]))
    message = refused(run("eval", late, late))
    assert message.startswith(f"{late}:31: spans has groups of spans\n")
    assert "--input spacy" in message
    assert "holds ents (90), spans 'a' (3) and spans 'b' (3)" in refused(
        run("eval", late, late, "--input", "spacy")
    )
    assert [len(own) for own in spans(late, input="spacy", layer="ents")] == [3] * 30 + [0]
    both = [doc(ents=GOLD[:1], sc=PRED).to_json()]
    assert spans(both, fields={"spans": "ents"}) == [GOLD[:1]]
    assert spans(both, fields={"spans": "spans"}) == [PRED]
    hidden = refused(run("eval", late, late, "--input", "spacy", "--text", "none"))
    assert "ents (90), spans a string of 1 character (3)" in hidden


def test_ids_scores_and_links_are_kept() -> None:
    docs = [doc(ents=GOLD), doc("Nothing.")]
    assert spanscope.read(docs).ids is None
    for number, one in enumerate(docs):
        one.user_data["id"] = f"x{number}"
    assert spanscope.read(docs).ids == spanscope.read(DocBin(docs=docs, store_user_data=True)).ids == ["x0", "x1"]
    assert spanscope.read(DocBin(docs=docs)).ids is None
    scored = doc(sc=GOLD)
    scored.spans["sc"].attrs["scores"] = [0.5, 0.25, 1.0]  # as the categoriser of spans leaves them
    for source in ([scored], DocBin(docs=[scored])):
        assert [one["score"] for one in spanscope.read(source).to_dicts()[0]["spans"]] == [0.5, 0.25, 1.0]
    Span.set_extension("score", default=None)
    try:
        scored.spans["sc"].attrs.clear()
        scored.spans["sc"][0]._.score = 0.75
        found = spanscope.read([scored]).to_dicts()[0]["spans"]
        assert [one.get("score") for one in found] == [0.75, None, None]
    finally:
        Span.remove_extension("score")


def test_training_tuples() -> None:
    tuples = [(TEXT, {"entities": GOLD}), ("Nothing.", {"entities": []})]
    assert spans(tuples) == [GOLD, []]
    assert spans([(TEXT, {"entities": GOLD, "spans": {}})]) == [GOLD]
    assert spans([(TEXT, {"spans": {"sc": PRED}, "entities": []})]) == [PRED]


@pytest.mark.parametrize(
    ("tags", "what"),
    [
        (["B-PER", "O"], "a tag is 'O'"),
        (["I-PER", "O"], "a tag is 'I-PER'"),
        (["-", "O"], "it is unknown whether it is in an entity"),
        (["O", "B-PER"], "the end of the document"),
        (["O"], "2 tokens, 2 marks of blanks and 1 tags"),
    ],
)
def test_examples_whose_tags_do_not_fit(tags: list[str], what: str) -> None:
    example = {
        "doc_annotation": {"entities": tags, "spans": {}},
        "token_annotation": {"ORTH": ["Ann", "left"], "SPACY": [True, False]},
    }
    with pytest.raises(spanscope.InputError, match=what):
        spanscope.read([example])


@pytest.mark.parametrize(
    ("document", "what"),
    [
        ({"text": "a", "spans": {"sc": [["x"]]}}, "spans[0] is ['x']"),
        ({"text": "a", "ents": {}, "spans": {"sc": []}}, "ents is {}"),
        ({"text": "a", "ents": [], "spans": {"sc": [{"start": 0, "end": 2, "label": "A"}]}}, "past the end"),
    ],
)
def test_documents_that_are_none(document: Any, what: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", [document])
    message = refused(run("eval", path, path))
    assert message.startswith(f"{path}:1")
    assert what in message
    assert [one.kind for one in spanscope.check(path)][:1] in (["bad span"], ["bad document"])


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    """Cut off, of other bytes, or far larger than it says: never spans that nobody wrote."""
    packed = DocBin(docs=[doc(ents=GOLD)]).to_bytes()
    raw = zlib.decompress(packed)
    damaged = [
        packed[: len(packed) // 2],
        zlib.compress(raw[: len(raw) // 2]),
        zlib.compress(raw[:40] + b"\xc1" * 40 + raw[80:]),
        b"x\x9c" + b"nothing",
        zlib.compress(b"nothing"),
    ]
    for data in damaged:
        path = tmp_path / "a.spacy"
        path.write_bytes(data)
        message = refused(run("eval", path, path))
        known = (": is not a valid DocBin", ": is a binary file", ":1: byte 0x9c is not UTF-8")
        assert message.startswith(tuple(f"{path}{what}" for what in known))
        assert TEXT[:3] not in refused(run("eval", path, path, "--text", "none"))


def test_spacy_is_loaded_for_its_own_things_only(tmp_path: Path) -> None:
    """And a file that needs it says so where it is not installed."""
    DocBin(docs=[doc(ents=GOLD)]).to_disk(tmp_path / "a.spacy")
    code = (
        "import sys, spanscope\n"
        "sys.modules['spacy.tokens'] = None\n"
        "spanscope.read([{'text': 'a', 'spans': {'sc': [{'start': 0, 'end': 1, 'label': 'A'}]}}])\n"
        "assert 'spacy' not in sys.modules\n"
        f"try: spanscope.read({str(tmp_path / 'a.spacy')!r})\n"
        "except spanscope.InputError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "is a spaCy DocBin: reading it needs spaCy, which is not installed" in done.stdout
    assert "pip install 'spanscope[spacy]'" in done.stdout


WORDS = ("Ann", "é", "😀", "\n", "New", "  ", "don't", ".")


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_spacy_writes(data: Any, tmp_path_factory: Any) -> None:
    """Entities that do not overlap and groups that do, over any words, from objects, DocBin and JSON."""
    docs = []
    for _ in range(data.draw(st.integers(1, 3))):
        words = data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
        own = Doc(
            NLP.vocab,
            words=words,
            spaces=data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words))),
        )
        places = st.integers(0, len(words) - 1)
        pairs = [sorted(data.draw(st.tuples(places, places))) for _ in range(data.draw(st.integers(0, 4)))]
        group = [Span(own, a, b + 1, label=data.draw(st.sampled_from(["A", "b c"]))) for a, b in pairs]
        own.set_ents(spacy.util.filter_spans(group))
        own.spans["sc"] = group
        docs.append(own)
    folder = tmp_path_factory.mktemp("spacy")
    DocBin(docs=docs).to_disk(folder / "a.spacy")
    write(folder / "a.json", [one.to_json() for one in docs])
    for layer, of in (("ents", lambda one: one.ents), ("sc", lambda one: one.spans["sc"])):
        expected = [sorted((s.start_char, s.end_char, s.label_) for s in of(one)) for one in docs]
        for source in (docs, DocBin(docs=docs), folder / "a.spacy", folder / "a.json"):
            corpus = spanscope.read(source, layer=layer)
            assert [one["text"] for one in corpus.to_dicts()] == [one.text for one in docs]
            assert [sorted(own) for own in spans(source, layer=layer)] == expected
