"""Gold under suspicion: what most systems agree on against gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple, Unpack

from spanscope.arguments import one_of, whole
from spanscope.commands.adjudicate import Adjudication, adjudicate
from spanscope.commands.read import read as read_source
from spanscope.commands.runs import with_names
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.errors import InputError, named, quoting
from spanscope.families import SPANS, TOKENS
from spanscope.io.losses import Document
from spanscope.io.run_files import names_of_paths
from spanscope.jsonable import as_shown
from spanscope.results.audit import BOTH, LABEL, MISSED, PLACE, Audit, Suspect
from spanscope.settings.by_side import split_source
from spanscope.settings.options import Text
from spanscope.settings.reading import Given, Reading
from spanscope.settings.run_settings import may_quote
from spanscope.sides.join import join

KINDS = {
    "type": LABEL,
    "boundary": PLACE,
    "boundary+type": BOTH,
}  # by the kinds that errors have; all else is missed
AGREED, GOLD = "most systems", "gold"
Key = tuple[Any, ...]


class _Votes(NamedTuple):
    """Gold, what every system has by document, and the systems that have each document."""

    gold: dict[str, Document]
    spans: dict[str, dict[Key, list[str]]]
    having: dict[str, list[str]]


def audit(
    gold: Any,
    *runs: Any,
    at_least: int | None = None,
    missing: Literal["error", "skip"] = "error",
    text: Text = "full",
    read: Reading | None = None,
    **given: Unpack[Given],
) -> Audit:
    """Return the spans that most systems have and gold has not, those most systems agree on first.

    gold       labelled spans, or tagged tokens.
    runs       predictions of two systems and more, as (name, source) or alone.
    at_least   systems that must agree; else more than half of those that have the document.
    missing    documents that a run lacks: "error", or "skip": the run has no say in them.
    text, read, given   as for `spanscope.read`.

    Systems agree on a span where label, start and end are the same; a system has one say, however often it repeats
    a span. What is agreed on is held against gold as predictions are: a span of gold's place is of `other label`,
    one that overlaps a gold span of its label has `other boundaries`, one that overlaps another label both; a gold
    span that is agreed on stands in no other's place. The rest is `missed by gold`. Gold spans that no system has
    are no suspects: they may be hard. Of equal agreement come first those whose gold span fewer systems have, then
    what stands first. With `masked` and `none` texts are left out, of `decide` too.

    >>> gold = [{"id": 1, "text": "Anna Lee", "spans": []}]
    >>> run = [{"id": 1, "text": "Anna Lee", "spans": [{"start": 0, "end": 8, "label": "PER"}]}]
    >>> [(one.kind, one.found["text"]) for one in audit(gold, ("a", run), ("b", run)).suspects]
    [('missed by gold', 'Anna Lee')]
    """
    one_of("missing", missing, ("error", "skip"))
    named_runs = _runs_by_name(runs)
    if at_least is not None:
        at_least = whole("at_least", at_least, 1, len(named_runs))
    with quoting(may_quote(text)):
        own = _labelled_corpus(read_source(gold, text=text, read=read, **given), GOLD)
        problems = list(own.problems)
        votes = _Votes({}, {}, {})
        for name, source in named_runs.items():
            corpus = _labelled_corpus(read_source(source, text=text, read=read, **given), name)
            problems += [*corpus.problems, *_count(votes, own, corpus, name, missing, quoted=may_quote(text))]
        agreed = [_majority_of(votes, name, at_least) for name in votes.gold]
        found = adjudicate(list(votes.gold.values()), agreed, names=[GOLD, AGREED], text=text)
        suspects = _suspects(found, votes, text)
        return Audit(tuple(named_runs), len(votes.gold), suspects, problems, found)


def _runs_by_name(runs: Sequence[Any]) -> dict[str, Any]:
    """Return the runs by name: that which was given, else the parts of their paths that differ."""
    pairs = with_names(runs)
    if len(pairs) < 2:
        raise InputError("there is one run" if pairs else "there are no runs", expected="two or more")
    paths = [isinstance(run, tuple) for run in runs]
    if not any(paths) and all(isinstance(split_source(one)[0], str) for _, one in pairs):
        short = names_of_paths([str(split_source(one)[0]) for _, one in pairs])
        pairs = [(name, one) for name, (_, one) in zip(short, pairs, strict=True)]
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        double = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two runs are called {named(double)}", expected="a name for each, as in NAME=FILE")
    return dict(pairs)


def _labelled_corpus(corpus: Corpus, name: str) -> Corpus:
    if corpus.family not in (SPANS.name, TOKENS.name):
        raise InputError(f"{named(name)} holds {corpus.family}", expected="labelled spans, or tagged tokens")
    return corpus


def _count(
    votes: _Votes, gold: Corpus, pred: Corpus, name: str, missing: Literal["error", "skip"], *, quoted: bool
) -> list[Problem]:
    """Add what a system has to the votes; return what was noticed on the way."""
    c, noticed = join(gold, pred, missing=missing, extra=missing)
    sides = [
        Corpus(side, list(c.names), c.labels, c.sides[side], c.texts, n_documents=c.documents).to_dicts()
        for side in ("gold", "pred")
    ]
    for doc, ours, theirs in zip(c.names, *sides, strict=True):
        votes.gold.setdefault(
            doc, {key: one for key, one in {**ours, "id": doc}.items() if quoted or key != "text"}
        )
        votes.having.setdefault(doc, []).append(name)
        own = votes.spans.setdefault(doc, {})
        for key in dict.fromkeys(_key(span) for span in theirs["spans"] if "start" in span):
            own.setdefault(key, []).append(name)
    return noticed


def _key(span: Mapping[str, Any]) -> Key:
    fragments = tuple(map(tuple, span.get("fragments", ())))
    return span["start"], span["end"], span["label"], fragments


def _majority_of(votes: _Votes, doc: str, at_least: int | None) -> Document:
    """Return a document with the spans that enough systems have; those that gold repeats as often as gold."""
    enough = len(votes.having[doc]) // 2 + 1 if at_least is None else at_least
    own = votes.gold[doc]
    repeated = Counter(_key(span) for span in own["spans"] if "start" in span)
    spans: list[Document] = []
    for key, names in sorted(votes.spans[doc].items()):
        if len(names) >= enough:
            start, end, label, pieces = key
            more = {"fragments": [list(one) for one in pieces]} if pieces else {}
            spans += [{"start": start, "end": end, "label": label, **more}] * max(1, repeated[key])
    return {**{name: own[name] for name in ("id", "text") if name in own}, "spans": spans}


def _suspects(found: Adjudication, votes: _Votes, text: Text) -> tuple[Suspect, ...]:
    out = []
    for one in found.disagreements:
        if one.second is None:
            continue
        doc = one.document
        have, key = votes.spans[doc], _key(one.second)
        kind = KINDS.get(one.kind, MISSED)
        gold = one.first if kind != MISSED else None
        with_gold = [] if gold is None or "start" not in gold else have.get(_key(gold), [])
        whole_text = votes.gold[doc].get("text")
        sides = [None if span is None else _span_as_shown(span, whole_text, text) for span in (one.second, gold)]
        out.append(
            Suspect(
                doc, kind, sides[0] or {}, sides[1], tuple(have[key]), tuple(with_gold), len(votes.having[doc])
            )
        )
    place = {name: at for at, name in enumerate(votes.gold)}
    return tuple(
        sorted(
            out,
            key=lambda one: (
                -Fraction(len(one.systems), one.of),
                len(one.with_gold),
                place[one.document],
                one.found["start"],
                one.found["end"],
            ),
        )
    )


def _span_as_shown(span: Document, text: str | None, how: Text) -> Document:
    """Return a span with its text, as it may be shown."""
    own: Document = {key: span[key] for key in ("start", "end", "label", "fragments") if key in span}
    said = None if text is None or "start" not in span else as_shown(text[span["start"] : span["end"]], how)
    return {**own, "text": said}
