"""Named bundles of measures and settings: a seed's report, or a tool's own figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from spanscope.arithmetic import Bools
from spanscope.data.corpus import Corpus
from spanscope.errors import MeasureError, PluginError, did_you_mean, shown
from spanscope.families import SPANS
from spanscope.io.spans.reqflow import TAGS, read_reqflow
from spanscope.io.tokens.tag_rules import TagRules
from spanscope.measures.registry import Measure, Value, parse
from spanscope.plugins import Plugin, in_words, load_all, load_named
from spanscope.sides.comparison import Comparison
from spanscope.sides.pairing import Extra, Missing, Repeated


@dataclass(frozen=True)
class Protocol:
    """What a protocol runs, and the settings under which its figures hold.

    `defaults` replaces defaults of measures by name, so that a measure given beside the protocol follows its
    rules too. `read` replaces the strict reader by a tool's own rules; `keep` hides spans from a measure.
    """

    name: str
    summary: str
    measures: tuple[str, ...]
    defaults: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    labels: tuple[str, ...] | None = None
    undefined: float | None = None
    missing: Missing = "error"
    extra: Extra = "error"
    read: Callable[[Any, str], Corpus] | None = None
    keep: Callable[[Measure, Comparison], Mapping[str, Bools] | None] | None = None
    beta: float = 1.0
    rate: str | None = None  # the rate of the headline; None: F with this beta, else the measure's first
    tags: TagRules | None = None  # how the tags of tokens are read, where the protocol says so
    repeated: Repeated | None = None  # what becomes of ids that occur several times, where the protocol says so
    as_given: bool = False  # segmentations are scored as they come, partition or not, as the tool does
    partial: bool = False  # measures that spans without texts do not allow are left out, and that is said
    copies: str = ""  # the tool whose own figures these are: what is odd about the data is reported, never refused
    origin: str = ""  # the package that adds it, with its version; none for our own
    harmonic: bool = False  # F from precision and recall, as the tool computes it, to its last bit

    def view(self, measure: Measure, c: Comparison) -> Comparison:
        """Return what the measure may see of a comparison."""
        hidden = self.keep(measure, c) if self.keep else None
        if hidden is None:
            return c
        key = ("kept", *(hash(mask.tobytes()) for mask in hidden.values()))
        return c.cached(key, lambda: c.keep(hidden))


def _forward_only(measure: Measure, c: Comparison) -> Mapping[str, Bools] | None:
    """Hide spans that end before they start, which only ReqFlow's set-based exact figures count."""
    if measure.name == "spans.exact" and dict(measure.params)["duplicates"] == "set":
        return None
    keep = {name: np.asarray(side.end >= side.start) for name, side in c.sides.items()}
    return None if all(mask.all() for mask in keep.values()) else keep


def _reqflow(name: str, summary: str, measures: tuple[str, ...]) -> Protocol:
    return Protocol(
        name,
        summary,
        measures,
        defaults={"spans.relaxed": {"text": "difflib", "rules": "reqflow"}},
        labels=TAGS,
        undefined=0.0,
        missing="skip",
        extra="skip",
        read=read_reqflow,
        copies="ReqFlow",
        keep=_forward_only,
        harmonic=True,
    )


PROTOCOLS = {
    protocol.name: protocol
    for protocol in (
        Protocol(
            "spans",
            "Labelled spans and tagged tokens: exact matches (as CoNLL), then relaxed, any overlap, characters.",
            (
                "spans.exact",
                "spans.relaxed(threshold=0.5)",
                "spans.relaxed(threshold=0.8)",
                "spans.overlap",
                "spans.characters",
            ),
            partial=True,
        ),
        Protocol(
            "reqflow",
            "The report that ReqFlow's authors recommend, by our own measures: relaxed at 0.5, at 0.8, exact.",
            ("spans.relaxed(threshold=0.5)", "spans.relaxed(threshold=0.8)", "spans.exact"),
        ),
        _reqflow(
            "reqflow-v1",
            "The figures of ReqFlow v1 itself (its window at 0.80, its command line): to check old results.",
            ("spans.relaxed(threshold=0.8)", "spans.exact(duplicates=set)", "spans.exact(duplicates=list)"),
        ),
        _reqflow(
            "reqflow-v2",
            "The figures of ReqFlow v2 itself (relaxed at 0.5): to check old results.",
            (
                "spans.relaxed(threshold=0.5)",
                "spans.relaxed(threshold=0.8)",
                "spans.exact(duplicates=set)",
                "spans.exact(duplicates=list)",
            ),
        ),
        Protocol(
            "semeval",
            "SemEval-2013 task 9.1: strict, exact, partial and type schemes, independent of the order of spans.",
            tuple(f"spans.semeval(mode={mode})" for mode in ("strict", "exact", "partial", "type")),
        ),
        Protocol(
            "pii",
            "PII: F2 of found personal data, characters that leak, exact matches, characters.",
            ("tokens.presidio(threshold=0.75)", "tokens.leaks", "spans.exact", "spans.characters"),
            beta=2.0,
        ),
        Protocol(
            "presidio",
            "The figures of presidio-evaluator 0.3.2 itself: its span evaluator at 0.9, and its token evaluator.",
            ("tokens.presidio_evaluator", "tokens.presidio_tokens"),
            beta=2.0,
            tags=TagRules("IO"),
            copies="presidio-evaluator",
        ),
        Protocol(
            "conll2003",
            "The figures of the conlleval script: precision, recall and F1 by type and overall, 0 for 0/0.",
            ("spans.exact", "tokens.accuracy"),
            undefined=0.0,
            harmonic=True,
            tags=TagRules(None, "conlleval", docstart=True),
            copies="conlleval",
        ),
        Protocol(
            "seqeval",
            "The figures of seqeval's classification report in its default mode.",
            ("spans.exact(duplicates=set)",),
            undefined=0.0,
            harmonic=True,
            tags=TagRules("IOB2", "seqeval"),
            copies="seqeval",
        ),
        Protocol(
            "seqeval-strict",
            "The figures of seqeval's classification report in its strict mode; set the tag scheme with --scheme.",
            ("spans.exact(duplicates=set)",),
            undefined=0.0,
            harmonic=True,
            tags=TagRules(None, "strict"),
            copies="seqeval",
        ),
        Protocol(
            "semeval2013",
            "The figures of nervaluate 1.2.1: its four schemes, with predictions matched in list order.",
            tuple(f"spans.semeval(mode={mode})" for mode in ("strict", "exact", "partial", "type")),
            defaults={"spans.semeval": {"matching": "nervaluate"}},
            undefined=0.0,
            harmonic=True,
            tags=TagRules(numbers=True),
            copies="nervaluate",
        ),
        Protocol(
            "passages",
            "Retrieved passages: the legal scorer's four figures, by our own definitions.",
            ("passages.ranking(k=10)", "passages.exact_match", "passages.span_f1"),
            repeated="number",
            partial=True,
        ),
        Protocol(
            "legal",
            "The figures of the legal retrieval script score.py itself.",
            ("passages.legal(k=10)",),
            repeated="number",
            copies="score.py",
        ),
        Protocol(
            "legalbench-rag",
            "The character figures of LegalBench-RAG's own code, and our own.",
            ("passages.legalbench_rag", "passages.characters(k=1000000)"),
            rate="recall",
            repeated="number",
            undefined=0.0,
            copies="LegalBench-RAG",
        ),
        Protocol(
            "chroma",
            "The character figures of Chroma's chunking evaluation, and our own.",
            ("passages.chroma", "passages.characters(k=1000000)"),
            rate="recall",
            repeated="number",
            copies="Chroma's chunking evaluation",
        ),
        Protocol(
            "squad",
            "SQuAD 1.1: exact match and F1; a question without a prediction counts as 0.",
            ("passages.squad(version='1.1')",),
            missing="empty",
            extra="skip",
            copies="SQuAD's script",
        ),
        Protocol(
            "squad2",
            "SQuAD 2.0: exact match and F1, with unanswerable questions; those without a prediction are left out.",
            ("passages.squad",),
            missing="skip",
            extra="skip",
            copies="SQuAD's script",
        ),
        Protocol(
            "trec",
            "trec_eval 9.0.8 with -c: queries missing from the run count as 0.",
            ("passages.trec", *(f"passages.trec_cut(k={k})" for k in (5, 10, 100))),
            missing="empty",
            extra="skip",
            copies="trec_eval",
        ),
        Protocol(
            "segments",
            "Segmentations: the figures that RT-SEG's authors recommend, by our own measures, and Fournier's B.",
            (
                "segments.b_score(tolerance=3)",
                "segments.soft(sigma=5.0)",
                "segments.displacement",
                "segments.bias",
                "segments.pk",
                "segments.window_diff",
                "segments.boundaries",
                "segments.overlap",
                "segments.density_jsd",
                "segments.cover(tolerance=10)",
                "segments.edit_distance(n_t=2)",
            ),
        ),
        Protocol(
            "rt-seg",
            "The figures of RT-SEG itself, on segments as they are given: to compare with published ones.",
            ("segments.rt_seg",),
            missing="skip",
            extra="skip",
            as_given=True,
            copies="RT-SEG",
        ),
    )
}
ALIASES = {"tokens": "spans"}  # names that stay accepted: tagged tokens are spans in another container


def protocol(name: str | Protocol | None) -> Protocol:
    """Return a protocol by name; without a name the default one for labelled spans."""
    if isinstance(name, Protocol):
        return name
    if name is None:
        return PROTOCOLS[SPANS.protocol]
    name = ALIASES.get(name, name) if isinstance(name, str) else name
    if isinstance(name, str) and name in PROTOCOLS:
        return PROTOCOLS[name]
    if isinstance(name, str) and (added := load_named("protocols", name, _of_package)) is not None:
        return added
    known, refused = known_protocols()
    raise MeasureError(
        f"no protocol is called {shown(name)}{did_you_mean(name, known)}",
        expected="; ".join(filter(None, (", ".join(known), in_words(refused)))),
    )


def known_protocols() -> tuple[dict[str, Protocol], list[PluginError]]:
    """Return every protocol by name, those of packages behind ours, and which packages cannot be used."""
    added, refused = load_all("protocols", _of_package)
    return PROTOCOLS | {one.name: one for one in added}, refused


def _of_package(one: Plugin) -> Protocol:
    """Return the protocol that a package adds; one of our names, or one whose measures are none, is refused."""
    found = one.load()
    if not isinstance(found, Protocol):
        raise one.refusal(f"{one.target} is no spanscope.Protocol")
    if found.name != one.name:
        raise one.refusal(f"what stands at {one.target} is called {found.name!r}")
    if found.name in PROTOCOLS or found.name in ALIASES:
        raise one.refusal("Spanscope has one of this name itself")
    if not found.measures:
        raise one.refusal("it has no measures")
    try:
        for measure in found.measures:
            parse(measure, found.defaults)
    except MeasureError as error:
        raise one.failure(error) from error
    return replace(found, origin=one.origin)
