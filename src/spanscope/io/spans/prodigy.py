"""Prodigy's examples, as `prodigy db-out` writes them: an answer a line, of annotators or of a review."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem, problem_at
from spanscope.errors import InputError, fields_of, shown
from spanscope.io.documents import Documents, documents_of
from spanscope.io.metadata import META, meta_of
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.inner import LISTS, list_documents, refuse_other_fields, value_inside
from spanscope.io.spans.one_file_each import note_left_aside
from spanscope.io.spans.reading import ALONE, Sides, translate_documents
from spanscope.io.strict import ANSWERS

FINAL = "final"  # the side of a review's own answers, beside those of the annotators it looked at
REVIEW = "review"
REFUSED = ("reject", "ignore")
# Sessions that nobody named are called by the time at which they began.
UNNAMED = re.compile(r"(.+-)?\d{4}-\d\d-\d\d[T_ ]\d\d[-:]\d\d[-:]\d\d")
IDS = ("id", "doc_id", "document_id")  # of documents, in what people gave their examples as meta
OF_A_SPAN = ("start", "end", "label", "text", "score", "token_start", "token_end", "meta")
EXPECTED = "examples of Prodigy, with a text and spans"


class Answer(NamedTuple):
    """What an annotator made of an example: whose it is, where it stands, the document's id, the example."""

    who: str
    row: int
    id: str
    example: Mapping[str, Any]

    @property
    def time(self) -> float:
        """Return when it was given, as far as that is known."""
        found = self.example.get("_timestamp")
        return float(found) if isinstance(found, (int, float)) else 0.0

    @property
    def answer(self) -> str:
        """Return what was decided; an example without an answer is accepted."""
        found = self.example.get("answer")
        return "accept" if found in ANSWERS else found if found in REFUSED else "other"


def read_prodigy(source: Any, options: ReadOptions) -> Sides:
    """Return the corpora of a dataset by annotator; of a review also its own answers, under `final`.

    Examples that were rejected or ignored are left out, on the other side too, and counted.
    """
    refuse_other_fields(options, ("id",), "Prodigy's examples")
    called, before = options.side or "documents", len(options.report.problems)
    found = documents_of(source, called, _examples, LISTS, options.report, EXPECTED)
    rows = [row for row, one in enumerate(found.values) if _is_fine(one, found.where(row), options)]
    _refuse_choices([found.values[row] for row in rows], found.name)
    ids = _ids([found.values[row] for row in rows], [found.where(row) for row in rows], options)
    noted = options.report.problems[before:]
    given: dict[str, list[Answer]] = {}
    for row, own in zip(rows, ids, strict=True):
        for answer in _answers(found.values[row], row, own, found.where(row)):
            given.setdefault(answer.who, []).append(answer)
    sides = {who: _corpus(answers, found, options) for who, answers in given.items()}
    if FINAL in sides:
        sides[FINAL] = replace(sides[FINAL], role="gold")
    sides = sides or {ALONE: _corpus([], found, options)}
    first = next(iter(sides.values()))
    note_left_aside(first, {"relations": sum(map(_relations, (found.values[row] for row in rows)))}, options)
    first.problems[:0] = noted
    return sides


def _relations(example: Mapping[str, Any]) -> int:
    found = example.get("relations")
    return len(found) if isinstance(found, list) else 0


def _examples(value: Any, where: str) -> list[Any]:
    return list_documents(value, where, EXPECTED)


def _is_fine(example: Any, where: str, options: ReadOptions) -> bool:
    """Tell examples that hold spans of a text; others are refused, or noted where problems are collected."""
    try:
        _refuse_others(example, where)
    except InputError as error:
        options.report.bad(error, "bad document")
        return False
    return True


def _refuse_others(example: Any, where: str) -> None:
    if not isinstance(example, Mapping):
        raise InputError(f"an example is {shown(example)}", where=where, expected=EXPECTED)
    if example.get("_is_binary") is True:
        raise InputError(
            "is an answer to one suggested span (_is_binary): nothing is known about the rest of the text",
            where=where,
            expected="examples with all their spans, as ner.manual, spans.manual or ner.correct make them",
            hint="prodigy ner.silver-to-gold   makes such examples of accepted and rejected spans",
        )
    if not isinstance(example.get("text"), str):
        raise InputError(f"an example has no text (it has {fields_of(example)})", where=where, expected=EXPECTED)
    if "_input_hash" not in example:
        raise InputError("an example has no _input_hash", where=where, expected="Prodigy's _input_hash")
    _spans_of(example, where)


def _spans_of(example: Mapping[str, Any], where: str) -> Sequence[Any]:
    """Return the spans of an example, which has none where it says nothing of them."""
    spans = example.get("spans") or []
    if not isinstance(spans, (list, tuple)):
        raise InputError(f"spans is {shown(spans)}", where=where, expected="a list of spans")
    if any(isinstance(span, Mapping) and "points" in span for span in spans):
        raise InputError("a span has points: it is a region of an image", where=where, expected=EXPECTED)
    return spans


def _refuse_choices(examples: Sequence[Mapping[str, Any]], where: str) -> None:
    """Refuse examples about whole texts: none of them was ever asked for spans."""
    about = any("options" in one or "accept" in one or isinstance(one.get("label"), str) for one in examples)
    if about and not any("spans" in one for one in examples):
        raise InputError("holds choices about whole texts, and no spans", where=where, expected=EXPECTED)


def _ids(examples: Sequence[Mapping[str, Any]], where: Sequence[str], options: ReadOptions) -> list[str]:
    """Return the id of each example: as asked for, else its own, else that in meta, else the hash of its text.

    The one in meta counts where every example has it, and no two texts share it.
    """
    hashes = [str(one["_input_hash"]) for one in examples]
    _refuse_other_texts(hashes, examples, where)
    if (name := options.fields.get("id")) is not None:
        own = [value_inside(one, name) for one in examples]
        if None in own:
            at = where[own.index(None)]
            raise InputError(f"has no {name}", where=at, expected="an id in every document")
        return list(map(str, own))
    for name in ("id", *(f"meta.{key}" for key in IDS)):
        own = [value_inside(one, name) for one in examples]
        if all(isinstance(one, (str, int)) for one in own) and _is_unique(own, hashes):
            return list(map(str, own))
    return hashes


def _is_unique(ids: Sequence[Any], hashes: Sequence[str]) -> bool:
    """Tell whether every text has one id, and no two have the same."""
    pairs = {*zip(map(str, ids), hashes, strict=True)}
    return len(pairs) == len({own for own, _ in pairs}) == len({own for _, own in pairs})


def _refuse_other_texts(
    hashes: Sequence[str], examples: Sequence[Mapping[str, Any]], where: Sequence[str]
) -> None:
    first: dict[str, int] = {}
    for row, (own, example) in enumerate(zip(hashes, examples, strict=True)):
        if example["text"] != examples[first.setdefault(own, row)]["text"]:
            raise InputError(
                f"has the _input_hash of {where[first[own]]}, and another text",
                where=where[row],
                expected="one text for each _input_hash",
            )


def _answers(example: Mapping[str, Any], row: int, own: str, where: str) -> Iterator[Answer]:
    """Yield the answer that an example is, and those of the annotators that a review looked at."""
    versions = example.get("versions")
    if example.get("_view_id") != REVIEW or not isinstance(versions, (list, tuple)):
        yield Answer(_annotator(example, where), row, own, example)
        return
    yield Answer(FINAL, row, own, example)
    for version in versions:
        if not isinstance(version, Mapping):
            continue
        sessions = version.get("sessions")
        several = sessions if isinstance(sessions, (list, tuple)) and sessions else [None]
        for session in several:
            who = _annotator(version, where) if session is None else _name_of(session, where)
            yield Answer(
                f"annotator {who}" if who == FINAL else who, row, own, {**version, "text": example["text"]}
            )


def _annotator(example: Mapping[str, Any], where: str) -> str:
    """Return who answered; nothing where nobody gave the session a name."""
    names = (_name_of(example.get(key), where) for key in ("_annotator_id", "_session_id"))
    return next(filter(None, names), ALONE)


def _name_of(session: Any, where: str) -> str:
    if session is not None and not isinstance(session, (str, int)):
        raise InputError(f"an annotator is {shown(session)}", where=where, expected="a name or a number")
    if session is None or UNNAMED.fullmatch(str(session)):
        return ALONE
    return str(session)


def _corpus(given: Sequence[Answer], found: Documents, options: ReadOptions) -> Corpus:
    """Return what one annotator answered: the last answer to each text, if the example was accepted."""
    last: dict[str, Answer] = {}
    for one in sorted(given, key=lambda answer: (answer.time, answer.row)):
        last[one.id] = one
    kept = sorted(last.values(), key=lambda answer: answer.row)
    good = [one for one in kept if one.answer == "accept"]
    corpus = translate_documents(
        found._replace(values=good, where=lambda row: found.where(good[row].row)),
        lambda answer, where: _document(answer, where, options),
        options,
    )
    noted = _problems_of_answers(len(given) - len(kept), kept, found.name)
    left_out = {one.id: str(one.example["text"]) for one in kept if one.answer != "accept"}
    return replace(corpus, problems=[*noted, *corpus.problems], left_out=left_out)


def _problems_of_answers(again: int, kept: Sequence[Answer], name: str) -> list[Problem]:
    """Return what is told of answers that do not count."""
    refused = Counter(one.answer for one in kept if one.answer != "accept")
    out = []
    if refused:
        answers = ", ".join(f"{number:,} {answer}" for answer, number in sorted(refused.items(), reverse=True))
        values = {"answers": answers, "examples": len(kept)}
        out.append(problem_at("answer", name, values, number=refused.total()))
    if again:
        out.append(problem_at("answered again", name, number=again))
    return out


def _document(answer: Answer, where: str, options: ReadOptions) -> dict[str, Any]:
    example = answer.example
    spans = [_span(span, number, where) for number, span in enumerate(_spans_of(example, where))]
    meta = meta_of(example.get(META), example, options.keep_fields)
    return {"id": answer.id, "text": example["text"], "spans": spans, META: meta}


def _span(span: Any, number: int, where: str) -> dict[str, Any]:
    if not isinstance(span, Mapping):
        expected = "an object with start, end and label"
        raise InputError(f"spans[{number}] is {shown(span)}", where=where, expected=expected)
    out = {key: span[key] for key in ("start", "end", "label", "text", "score") if key in span}
    more = {key: value for key, value in span.items() if key not in OF_A_SPAN}
    return {**out, "meta": more} if more else out
