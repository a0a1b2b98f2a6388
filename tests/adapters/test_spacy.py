"""The scorer in pipelines of spaCy, beside the figures of spaCy's own scorer."""

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from spanscope.adapters.spacy import make_scorer, score_examples
from spanscope.errors import MeasureError
from tests.support import needs

spacy = needs("spacy")
training = needs("spacy.training")
scoring = needs("spacy.scorer")
NAME = "spanscope.scorer.v1"
ROOT = Path(__file__).parents[2]
TEXTS = ["Anna met Bob in Rome .", "Rome is old .", "Nothing at all here ."]
GOLD = [[(0, 4, "PER"), (9, 12, "PER"), (16, 20, "LOC")], [(0, 4, "LOC")], []]
PATTERNS = [
    {"label": "PER", "pattern": "Anna"},
    {"label": "LOC", "pattern": "Bob"},
    {"label": "LOC", "pattern": "Rome"},
    {"label": "ORG", "pattern": "Nothing"},
]


@pytest.fixture(autouse=True)
def _registered() -> None:
    """The entry point registers the scorer where the package was installed with it."""
    if NAME not in spacy.registry.scorers:
        spacy.registry.scorers.register(NAME, func=make_scorer)


def pipeline(**scorer: Any) -> Any:
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler", config={"scorer": {"@scorers": NAME, **scorer}})
    ruler.add_patterns(PATTERNS)
    return nlp


def examples(nlp: Any) -> list[Any]:
    pairs = zip(TEXTS, GOLD, strict=True)
    return [training.Example.from_dict(nlp.make_doc(text), {"entities": own}) for text, own in pairs]


def test_language_evaluate_gives_the_figures_of_spacy() -> None:
    """Three of five predictions are right, of four gold spans: as spaCy's own scorer says."""
    nlp = pipeline(measures=["spans.exact", "spans.unlabelled"])
    own = examples(nlp)
    found = nlp.evaluate(own)
    for example in own:
        example.predicted = nlp(example.reference.text)
    theirs = scoring.Scorer.score_spans(own, "ents")
    assert found["ents_p"] == pytest.approx(3 / 5)
    assert found["ents_r"] == pytest.approx(3 / 4)
    for name in ("ents_p", "ents_r", "ents_f"):
        assert found[name] == pytest.approx(theirs[name])
    for label, scores in theirs["ents_per_type"].items():
        for short, value in scores.items():
            assert (found["ents_per_type"][label][short] or 0.0) == pytest.approx(value), (label, short)
    assert found["spans.unlabelled/precision/micro"] == pytest.approx(4 / 5)


def test_configuration_of_a_whole_pipeline() -> None:
    """The scorer survives the way through a configuration, as `spacy train` takes it."""
    config = pipeline(protocol="semeval").config
    assert '@scorers = "spanscope.scorer.v1"' in config.to_str()
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    nlp.get_pipe("entity_ruler").add_patterns(PATTERNS)
    assert nlp.evaluate(examples(nlp))["ents_f"] == pytest.approx(6 / 9)


def test_groups_of_spans() -> None:
    nlp = spacy.blank("en")
    config = {"spans_key": "sc", "scorer": {"@scorers": NAME, "layer": "sc"}}
    nlp.add_pipe("span_ruler", config=config).add_patterns(PATTERNS)
    own = []
    for text, spans in zip(TEXTS, GOLD, strict=True):
        example = training.Example.from_dict(nlp.make_doc(text), {})
        chars = [example.reference.char_span(start, end, label) for start, end, label in spans]
        example.reference.spans["sc"] = chars
        own.append(example)
    found = nlp.evaluate(own)
    assert (found["spans_sc_p"], found["spans_sc_r"]) == (pytest.approx(3 / 5), pytest.approx(3 / 4))
    assert found["spans_sc_per_type"]["PER"]["r"] == pytest.approx(1 / 2)


def test_what_was_never_annotated_is_left_out() -> None:
    nlp = pipeline()
    plain = training.Example(nlp(TEXTS[0]), nlp.make_doc(TEXTS[0]))
    theirs = scoring.get_ner_prf([plain])
    assert score_examples([plain]) == theirs == {f"ents_{one}": None for one in ("p", "r", "f", "per_type")}
    (first, *_) = examples(nlp)
    first.predicted = nlp(TEXTS[0])
    assert score_examples([plain, first])["ents_p"] == pytest.approx(2 / 3)


def test_options() -> None:
    nlp = pipeline()
    (*_, last) = examples(nlp)
    assert score_examples([last])["ents_f"] is None
    assert score_examples([last], undefined=0)["ents_f"] == 0.0
    last.predicted = nlp(TEXTS[2])
    assert not any(str(one) == "nan" for one in score_examples([last], protocol="spans").values())
    with pytest.raises(MeasureError, match=r"did you mean 'spans\.exact'"):
        score_examples([last], "spans.exat")


def test_entry_points_lead_somewhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"]
    assert points["spacy_scorers"] == {NAME: "spanscope.adapters.spacy:make_scorer"}
    assert {*points["pytest11"].values()} == {"spanscope.adapters.pytest_plugin"}
    assert import_module("spanscope.adapters.pytest_plugin")
