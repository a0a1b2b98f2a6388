"""One source written in another form: read, take out what the form cannot hold, write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from spanscope.arguments import flag, of_type
from spanscope.commands.read import read as read_source
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.errors import InputError, plural, quoting
from spanscope.io.losses import Document, Loss, fit, with_ids
from spanscope.io.outputs import refuse_overwriting
from spanscope.io.pipes import matches
from spanscope.io.target import put, put_folder
from spanscope.io.writer import Writer
from spanscope.io.written_forms import writer_of
from spanscope.results.problems import tally
from spanscope.settings.by_side import split_source
from spanscope.settings.options import Text
from spanscope.settings.reading import Given, Reading
from spanscope.settings.run_settings import may_quote
from spanscope.sides.texts import option_that_fits, refuse_misplaced

ASIDE = "left aside"  # the kind of what a reader found that the family cannot use
MISPLACED = "text mismatch"


@dataclass(frozen=True)
class Converted:
    """What was written: where, in which form, how many documents and spans, and what could not be held."""

    path: str
    form: str
    family: str
    documents: int
    spans: int
    losses: tuple[Loss, ...] = ()
    problems: tuple[Problem, ...] = ()

    def __repr__(self) -> str:
        lost = f", {plural(len(self.losses), 'loss')}" if self.losses else ""
        return f"<Converted {self.path}: {self.form}, {plural(self.documents, 'document')}{lost}>"


def convert(
    source: Any,
    out: str | Path,
    *,
    to: str | None = None,
    lossy: bool = False,
    text: Text = "full",
    read: Reading | None = None,
    **given: Unpack[Given],
) -> Converted:
    """Write what a source holds in another form of its family.

    source   whatever `spanscope.read` reads.
    out      the file, or the folder, to write; never one that is read.
    to       the form, such as "brat", "doccano" or "label-studio"; else the ending of `out` says it.
    lossy    write it even where the form cannot hold everything: `losses` lists what it could not. Without it,
             such a conversion is refused, and nothing is written; so are spans whose texts stand at their offsets
             only by another option, such as `ends="inclusive"`.
    given    how the source is read, as for `spanscope.read`.

    Ids, scores and metadata survive where the form has a place for them.

    >>> import tempfile
    >>> source = [{"id": 1, "text": "Anna", "spans": [{"start": 0, "end": 4, "label": "PER", "score": 0.5}]}]
    >>> done = convert(source, tempfile.mkdtemp() + "/a.jsonl", to="doccano", lossy=True)
    >>> [str(loss) for loss in done.losses]
    ['1 score of spans: left out']
    """
    of_type("to", to, str, "the name of a form")
    path = str(of_type("out", out, (str, Path), "a path"))
    lossy = flag("lossy", lossy)
    with quoting(may_quote(text)):
        corpus = source if isinstance(source, Corpus) else read_source(source, text=text, read=read, **given)
        form = writer_of(corpus.family, to, path)
        beside = {**split_source(source)[1], **given}.get("texts", None if read is None else read.texts)
        for own in (split_source(source)[0], beside):
            _refuse_inputs(own, path, form)
        documents, losses = fit_to(corpus, form)
        if not lossy:
            _refuse_other_reading(corpus)
        if losses and not lossy:
            _refuse_losses(path, form, losses)
        written = form.write(documents)
        if isinstance(written, dict):
            put_folder(written, path)
        else:
            put(written, path)
    spans = sum(len(list(one.get(key) or ())) for one in documents for key in ("spans", "segments"))
    return Converted(path, form.name, corpus.family, len(documents), spans, tuple(losses), tuple(corpus.problems))


def fit_to(corpus: Corpus, form: Writer) -> tuple[list[Document], list[Loss]]:
    """Return the documents as a form can hold them, and what it cannot."""
    documents, losses = fit(corpus.to_dicts(), form.lacks)
    if form.needs_ids:
        documents, changed = with_ids(documents, form.own_id)
        losses += changed
    if corpus.schema:
        losses.append(Loss("labels that the file declares", len(corpus.schema), "kept where spans have them"))
    aside = [one for one in corpus.problems if one.kind == ASIDE]
    losses += [Loss(str(one.values["kinds"]), one.number, "ignored when the file was read") for one in aside]
    return documents, losses


def _refuse_inputs(own: Any, path: str, form: Writer) -> None:
    """Refuse an output that would replace what is read."""
    read = (matches(own) or [str(own)]) if isinstance(own, (str, Path)) else []
    if not form.folder:
        refuse_overwriting({"the conversion": path}, read)
        return
    target = Path(path).resolve()
    for one in read:
        there = Path(one).resolve()
        if target == there or target in there.parents or there in target.parents:
            raise InputError("holds the input, or is in it", where=path, expected="another folder for the output")


def _refuse_other_reading(corpus: Corpus) -> None:
    """Refuse spans whose texts would stand at their offsets if these were read in another way."""
    found = tally(corpus.problems)
    if MISPLACED in found.number and option_that_fits(found.first[MISPLACED]):
        refuse_misplaced(found.first[MISPLACED], found.number[MISPLACED], len(corpus.spans))


def _refuse_losses(path: str, form: Writer, losses: Sequence[Loss]) -> None:
    """Refuse a conversion that would lose something, with all that it would."""
    raise InputError(
        f"{form.name} cannot hold {'; '.join(one.counted for one in losses)}",
        where=path,
        expected="a format that can hold everything",
        hint="[[lossy]]   to write it without them, or [[to=NAME]] for another format",
    )
