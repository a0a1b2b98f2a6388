"""What two annotators disagree on, as documents to decide; and decided documents put back into gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal, Unpack

from spanscope.arguments import flag, one_of, words
from spanscope.commands.convert import Converted, convert
from spanscope.commands.read import read as read_source
from spanscope.commands.read import read_sides
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.errors import InputError, named, plural, quoting
from spanscope.families import SPANS, TOKENS
from spanscope.findings.taxonomy import classify
from spanscope.io.losses import Document
from spanscope.io.surrogates import legible
from spanscope.match.verdicts import CORRECT, KINDS
from spanscope.measures.spans.matching import exact
from spanscope.results.problems import Tally, tally
from spanscope.settings.by_side import split_source
from spanscope.settings.options import Text
from spanscope.settings.reading import Given, Reading
from spanscope.settings.run_settings import may_quote
from spanscope.sides.comparison import Comparison
from spanscope.sides.join import join
from spanscope.sides.texts import refuse_different_texts, refuse_misplaced

OWN = {"missing": "only first", "spurious": "only second"}  # of two annotators neither is gold
FLAG, NOTE = "flag", "note"  # what a list of corrections says of a span: wrong, missing, unsure, discuss
CORRECTIONS = "corrections"  # what its documents have as metadata: all flags in words
MARKS = ("by", "kind")  # what the spans of a list to decide have as metadata, and decided ones lose
FORMS = ("label-studio", "prodigy", "doccano", "spans")  # in which spans may overlap, to be decided
SIDES = ("gold", "pred")  # of a comparison: here those of two annotators
DOCUMENT, LISTED = "document", "disagreements"  # likewise of its documents


@dataclass(frozen=True)
class Disagreement:
    """A place where two annotators differ: the kind, and the span of each, None where one has none."""

    document: str
    kind: str
    first: Document | None
    second: Document | None


@dataclass(frozen=True, repr=False)
class Adjudication:
    """What two annotators disagree on.

    `documents` are those with a disagreement: the spans of both, those they agree on once. A span that is to be
    decided says by whom it is and of which kind under `meta`, the document lists its disagreements there.
    """

    names: tuple[str, str]
    documents: list[Document]
    disagreements: list[Disagreement]
    agreed: int  # spans that both have
    compared: int  # documents
    problems: list[Problem]

    def __repr__(self) -> str:
        found = plural(len(self.disagreements), "disagreement")
        return f"<Adjudication: {found} in {plural(len(self.documents), 'document')}>"

    @property
    def kinds(self) -> dict[str, int]:
        """Return how many disagreements there are of each kind, the most frequent first."""
        return dict(Counter(one.kind for one in self.disagreements).most_common())

    def save(self, path: str | Path, *, to: str | None = None) -> Converted:
        """Write the documents to decide in a form that an annotation tool imports: doccano, label-studio, prodigy.

        What the form cannot hold is left out and listed in `losses`. Our own form, `spans`, is the usual one.
        """
        if to is not None:
            one_of("to", to, FORMS)
        return convert(self.documents, path, to=to or "spans", lossy=True)


def adjudicate(
    first: Any,
    second: Any = None,
    *,
    names: Sequence[str] | None = None,
    missing: Literal["error", "skip"] = "error",
    allow_different_texts: bool = False,
    text: Text = "full",
    read: Reading | None = None,
    **given: Unpack[Given],
) -> Adjudication:
    """Return what two annotators disagree on, by the kinds that errors have.

    first, second   their annotations; without `second`, `first` is a source that holds those of two.
    names           of the annotators; else those of the files, or those that the source gives.
    missing         documents that only one of them has: "error", or "skip".
    allow_different_texts   compare offsets even if the two had other texts, or spans have other texts there.
    text, read, given   as for `spanscope.read`.

    Spans agree that have one label and one place. The others are paired as errors are: `type` (one place, two
    labels), `boundary` (one label, places that overlap), `boundary+type`, `split`, `merge`, `duplicate`, `text`,
    `only first`, `only second`.

    >>> one = [{"id": 1, "text": "Anna Lee", "spans": [{"start": 0, "end": 4, "label": "PER"}]}]
    >>> two = [{"id": 1, "text": "Anna Lee", "spans": [{"start": 0, "end": 8, "label": "PER"}]}]
    >>> adjudicate(one, two, names=["ann", "ben"]).kinds
    {'boundary': 1}
    """
    one_of("missing", missing, ("error", "skip"))
    with quoting(may_quote(text)):
        sides = _two_sides(first, second, text, read, given)
        if names is not None:
            given_names = words("names", names, "a name of each annotator")
            if len(given_names) != 2:
                raise InputError(f"there are {plural(len(given_names), 'name')}", expected="two")
            sides = dict(zip(given_names, sides.values(), strict=True))
        (one, ours), (other, theirs) = sides.items()
        c, noticed = join(ours, theirs, missing=missing, extra=missing, by_content=True)
        problems = [*ours.problems, *theirs.problems, *noticed]
        if not flag("allow_different_texts", allow_different_texts):
            _refuse_other_texts(tally(problems), c, one)
        return _find(c, (one, other), ours, problems)


def _refuse_other_texts(found: Tally, c: Comparison, whose: str) -> None:
    """Refuse annotations of other texts, and spans that mostly have other texts at their offsets."""
    if (kind := "different texts") in found.number:
        refuse_different_texts(found.first[kind][0], found.number[kind], c.documents, whose)
    if (kind := "text mismatch") in found.number:
        refuse_misplaced(found.first[kind], found.number[kind], len(c.gold) + len(c.pred))


def _two_sides(first: Any, second: Any, text: Text, read: Reading | None, given: Given) -> dict[str, Corpus]:
    """Return the annotations of two, by name."""
    if second is None:
        found = read_sides(first, text=text, read=read, **given)
        if len(found) != 2:
            held = ", ".join(named(name) for name in found if name) or "one annotator"
            raise InputError(f"the source holds {held}", expected="two annotators, or two sources")
    else:
        names = [_name_of(source, at) for at, source in enumerate((first, second), start=1)]
        if names[0] == names[1]:
            names = [f"{name} ({at})" for at, name in enumerate(names, start=1)]
        sources = zip(names, (first, second), strict=True)
        found = {name: read_source(source, text=text, read=read, **given) for name, source in sources}
    for name, corpus in found.items():
        if corpus.family not in (SPANS.name, TOKENS.name):
            raise InputError(f"{named(name)} holds {corpus.family}", expected="labelled spans, or tagged tokens")
    return found


def _name_of(source: Any, at: int) -> str:
    own = split_source(source)[0]
    return legible(Path(own).stem) if isinstance(own, (str, Path)) else f"annotator {at}"


def _find(c: Comparison, names: tuple[str, str], ours: Corpus, problems: list[Problem]) -> Adjudication:
    """Return the verdicts on all spans as disagreements, and the documents that have some."""
    verdicts = classify(c, exact(c))
    spans = {
        side: list(chain.from_iterable(one["spans"] for one in _documents(c, side))) for side in ("gold", "pred")
    }
    rows = sorted(
        zip(verdicts.kind.tolist(), verdicts.gold.tolist(), verdicts.pred.tolist(), strict=True),
        key=lambda row: _place(c, row[1], row[2]),
    )
    found: list[Disagreement] = []
    decided: dict[int, list[Document]] = {}
    agreed = 0
    for kind, gold, pred in rows:
        first, second = (None if at < 0 else spans[side][at] for side, at in zip(SIDES, (gold, pred), strict=True))
        doc = _place(c, gold, pred)[0]
        if kind == CORRECT:
            agreed += 1
            decided.setdefault(doc, []).append(first or {})
            continue
        word = OWN.get(KINDS[kind], KINDS[kind])
        found.append(Disagreement(c.names[doc], word, first, second))
        both = zip(names, (first, second), strict=True)
        decided.setdefault(doc, []).extend(_mark(one, who, word) for who, one in both if one is not None)
    documents = _to_decide(c, names, ours, found, decided)
    return Adjudication(names, documents, found, agreed, c.documents, problems)


def _documents(c: Comparison, side: str) -> list[Document]:
    """Return the documents of one side of a comparison, their spans in the order of its rows."""
    return Corpus(side, list(c.names), c.labels, c.sides[side], c.texts, n_documents=c.documents).to_dicts()


def _place(c: Comparison, gold: int, pred: int) -> tuple[int, int, int]:
    side, row = (c.gold, gold) if gold >= 0 else (c.pred, pred)
    return int(side.doc[row]), int(side.start[row]), int(side.end[row])


def _mark(span: Document, who: str, kind: str) -> Document:
    return {**span, "meta": {**span.get("meta", {}), "by": who, "kind": kind}}


def _to_decide(
    c: Comparison,
    names: tuple[str, str],
    ours: Corpus,
    found: Sequence[Disagreement],
    decided: Mapping[int, Sequence[Document]],
) -> list[Document]:
    """Return the documents with disagreements, which their metadata lists in words without texts."""
    known = {} if ours.meta is None or ours.ids is None else dict(zip(ours.ids, ours.meta.tolist(), strict=True))
    listed: dict[str, list[str]] = {}
    for one in found:
        listed.setdefault(one.document, []).append(_in_words(one, names))
    out = []
    for doc, name in enumerate(c.names):
        if name in listed:
            text = {} if c.texts is None or c.texts[doc] is None else {"text": c.texts[doc]}
            meta = {**(known.get(name) or {}), DOCUMENT: name, LISTED: listed[name]}
            spans = sorted(decided.get(doc, []), key=lambda span: (span.get("start", -1), span.get("end", -1)))
            out.append({"id": name, **text, "spans": spans, "meta": meta})
    return out


def _in_words(one: Disagreement, names: tuple[str, str]) -> str:
    """Return a disagreement in words: its kind, and what each annotator has."""
    spans = zip(names, (one.first, one.second), strict=True)
    return f"{one.kind}: " + ", ".join(f"{who} {_label_at(span)}" for who, span in spans if span is not None)


def _label_at(span: Document) -> str:
    return f"{span['label']} {span['start']}-{span['end']}" if "start" in span else str(span["label"])


# ---------------------------------------------------------------- decided documents


@dataclass(frozen=True)
class Merged:
    """Gold with decided documents in place of its own, and how many these were and what they changed."""

    documents: list[Document]
    decided: int
    added: int
    removed: int
    undecided: int = 0  # spans that are flagged as unsure or to be discussed: they stay as they are


def merge_decided(
    decided: Any, gold: Any, *, text: Text = "full", read: Reading | None = None, **given: Unpack[Given]
) -> Merged:
    """Return gold with the spans of decided documents in place of its own; neither source is changed.

    A decided document is that of gold with the name in its metadata (`document`, which `adjudicate` writes), else
    with its id, else with its text. Its text must be that of gold. The options say how the decided list is read;
    gold is given as `spanscope.source(path, ...)` where it needs some.

    A span that stays keeps what gold says of it and the list does not. Of a list of corrections, which a page
    exports, spans flagged as wrong are left out, those that are missing are put in, and spans of gold without
    offsets, which no page has, stay.

    >>> gold = [{"id": 1, "text": "Anna Lee", "spans": []}, {"id": 2, "text": "Bob", "spans": []}]
    >>> list_ = [{"id": 1, "text": "Anna Lee", "spans": [{"start": 0, "end": 8, "label": "PER"}]}]
    >>> merge_decided(list_, gold).added
    1
    """
    with quoting(may_quote(text)):
        own, new = read_source(gold, text=text), read_source(decided, text=text, read=read, **given)
        documents = own.to_dicts()
        rows: dict[int, Document] = {}
        for at, one in enumerate(new.to_dicts()):
            row = _row_of(one, documents, new.where(at))
            if row in rows:
                raise InputError("a document is decided twice", where=new.where(at), expected="one decision each")
            if _differs(one, documents[row]):
                what = f"the text is not that of the document at {own.where(row)}"
                raise InputError(what, where=new.where(at), expected="decisions about the same text")
            rows[row] = one
        return _merge(documents, rows)


def _row_of(one: Document, documents: Sequence[Document], where: str) -> int:
    """Return which document of gold a decided one is."""
    name = one.get("meta", {}).get(DOCUMENT, one.get("id"))
    ids = [document.get("id") for document in documents]
    if name is not None and ids.count(str(name)) == 1:
        return ids.index(str(name))
    same = [
        row for row, document in enumerate(documents) if one.get("text") and document.get("text") == one["text"]
    ]
    if len(same) == 1:
        return same[0]
    what = "is not a document of gold" if not same else f"may be any of {len(same)} documents of gold"
    raise InputError(
        what, where=where, expected="the id of a document of gold, or its text where it is the only one"
    )


def _differs(one: Document, other: Document) -> bool:
    texts = one.get("text"), other.get("text")
    return None not in texts and texts[0] != texts[1]


def _merge(documents: Sequence[Document], rows: Mapping[int, Document]) -> Merged:
    out, added, removed, undecided = [], 0, 0, 0
    for row, document in enumerate(documents):
        if row not in rows:
            out.append(document)
            continue
        spans, still = _decided_spans(rows[row], document["spans"])
        undecided += still
        before, after = (Counter(map(_key, own)) for own in (document["spans"], spans))
        added += (after - before).total()
        removed += (before - after).total()
        out.append({**document, "spans": spans})
    return Merged(out, len(rows), added, removed, undecided)


def _decided_spans(decided: Document, own: Sequence[Document]) -> tuple[list[Document], int]:
    """Return the spans that a decided document is to have, and how many of them are still undecided."""
    spans, undecided = decided["spans"], 0
    corrected = CORRECTIONS in decided.get("meta", {})
    if corrected:
        flags = [span.get("meta", {}).get(FLAG) for span in spans]
        undecided = sum(flag in ("unsure", "discuss") for flag in flags)
        spans = [span for span, flag in zip(spans, flags, strict=True) if flag != "wrong"]
    marks = (*MARKS, FLAG, NOTE) if corrected else MARKS
    left: dict[tuple[Any, ...], list[Document]] = {}
    for span in own:
        left.setdefault(_place_and_label(span), []).append(span)
    out = []
    for span in spans:
        known = left.get(_place_and_label(span))
        out.append(_keep_fields(_without_marks(span, marks), known.pop(0) if known else {}))
    kept = [span for span in own if "start" not in span] if corrected else []
    return out + kept, undecided


def _place_and_label(span: Document) -> tuple[Any, ...]:
    return span.get("start"), span.get("end"), span["label"], span.get("text") if "start" not in span else None


def _keep_fields(span: Document, own: Document) -> Document:
    """Return a span with what gold says of it and the list does not."""
    meta = {**own.get("meta", {}), **span.get("meta", {})}
    return {**own, **span, **({"meta": meta} if meta else {})}


def _key(span: Document) -> tuple[Any, ...]:
    return span.get("start"), span.get("end"), span["label"], str(span.get("fragments"))


def _without_marks(span: Document, marks: Sequence[str]) -> Document:
    """Return a span without what the list to decide said of it."""
    meta = {key: own for key, own in span.get("meta", {}).items() if key not in marks}
    rest = {key: own for key, own in span.items() if key != "meta"}
    return {**rest, "meta": meta} if meta else rest
