"""One source read as it is: whatever format and family, as a corpus, or as several where it holds several."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

from spanscope.arguments import of_type
from spanscope.data.corpus import Corpus, with_labels
from spanscope.engines.load import words_for
from spanscope.engines.sources import Source, open_sources
from spanscope.errors import MeasureError, did_you_mean, quoting
from spanscope.families import PASSAGES, TOKENS
from spanscope.io.metadata import refuse_unmet
from spanscope.io.passages.reading import read_each_side
from spanscope.io.reading import the_only
from spanscope.io.tokens.reading import read_columns
from spanscope.settings.by_side import BY_SIDE, join_source, split_source
from spanscope.settings.options import Text, about, given_of, options_of
from spanscope.settings.reading import Given, Reading
from spanscope.settings.run_settings import may_quote

UNUSED = ("scores",)  # what says how two sides stand to each other


def read(
    source: Any, *, name: str = "", text: Text = "full", read: Reading | None = None, **given: Unpack[Given]
) -> Corpus:
    """Return what one source holds, in whichever format: labelled spans, tagged tokens, segments or queries.

    source   a path, `-` (standard input), documents or columns in memory, a data frame: whatever `evaluate` reads.
    name     what it is called in messages, where it has no name of its own.
    text     whether messages may quote documents, as for evaluate.
    given    how it is read, by the options of Reading as keywords: input, fields, offsets, ends, annotator, layer,
             columns, scheme, ...; or all of them as `read=Reading(...)`, as for evaluate.

    A source that holds several sides, such as two annotators, is refused with their names: `annotator` picks one,
    and `read_sides` returns all of them. `Corpus.to_dicts` gives plain documents.

    >>> corpus = read([{"id": 1, "text": "Anna met Bob", "spans": [{"start": 0, "end": 4, "label": "PER"}]}])
    >>> corpus.to_dicts()
    [{'id': '1', 'text': 'Anna met Bob', 'spans': [{'start': 0, 'end': 4, 'label': 'PER'}]}]
    """
    with quoting(may_quote(text)):
        one, shared = _open(source, name, read, given)
        sides = _renamed_sides(one, shared)
        return the_only(sides, name or "the source", *words_for(one.family), annotator=one.options.annotator)


def read_sides(
    source: Any, *, name: str = "", text: Text = "full", read: Reading | None = None, **given: Unpack[Given]
) -> dict[str, Corpus]:
    """Return all that one source holds, by annotator, model or segmentation; one without a name stands under ''.

    Tagged tokens with two columns of tags are the sides gold and pred; a data set with several splits has an entry
    for each of them. The keywords are those of `read`.

    >>> list(read_sides([{"id": 1, "segmentations": {"ann": [[0, 4]], "bob": [[0, 2], [2, 4]]}}]))
    ['ann', 'bob']
    """
    with quoting(may_quote(text)):
        one, shared = _open(source, name, read, given)
        sides = _sides_of_splits(one, shared)
        wanted = one.options.annotator
        if wanted is None:
            return sides
        return {wanted: the_only(sides, name or "the source", *words_for(one.family), annotator=wanted)}


def _sides_of_splits(one: Source, shared: Reading) -> dict[str, Corpus]:
    """Return the sides of a source; of several splits those of each, under its name."""
    known = one.format.splits
    splits = () if known is None or one.options.split is not None else known(one.source)
    if len(splits) < 2:
        return _renamed_sides(one, shared)
    out: dict[str, Corpus] = {}
    for split in splits:
        sides = _renamed_sides(replace(one, options=replace(one.options, split=split)), shared)
        out |= {(f"{split}/{side}" if side else split): corpus for side, corpus in sides.items()}
    return out


def _open(source: Any, name: str, read: Reading | None, given: Given) -> tuple[Source, Reading]:
    """Return a source with its format, and how it is read."""
    of_type("name", name, str, "the name of the input")
    path, own = split_source(source)
    whole = of_type("read", read, Reading, "a Reading") or Reading()
    shared = reading_from({**given_of(whole), **own, **given})
    said = given_of(shared)
    of_source = {key: value for key, value in said.items() if key in BY_SIDE}
    one = open_sources([join_source(path, of_source)], [name or "documents"], shared, collect=False)[0]
    _refuse_unread(one, said)
    return one, shared


def _renamed_sides(one: Source, shared: Reading) -> dict[str, Corpus]:
    """Return the sides of a source, with the names of labels that somebody gave."""
    sides = _sides(one, shared)
    if shared.mapping and one.family != TOKENS:  # those of tags were renamed before these became spans
        sides = {key: with_labels(side, shared.mapping) for key, side in sides.items()}
    return sides


def reading_from(given: dict[str, Any]) -> Reading:
    """Return how a source is read, by keywords; one that is none is refused."""
    known = options_of(Reading)
    if odd := next((key for key in given if key not in known), None):
        raise MeasureError(
            f"no option of reading is called {odd}{did_you_mean(odd, known)}", expected=", ".join(known)
        )
    return Reading(**given)


def _refuse_unread(one: Source, said: dict[str, Any]) -> None:
    """Refuse options that this family does not read; those of one source were looked at with its format."""
    for key in said:
        families = about(options_of(Reading)[key]).families
        if key in UNUSED or (key not in BY_SIDE and families and one.family.name not in families):
            raise MeasureError(f"{key} has no effect on {one.family.name} read alone", expected=f"no {key}")


def _sides(one: Source, shared: Reading) -> dict[str, Corpus]:
    if isinstance(one.source, Corpus):
        return one.read()
    if one.family == TOKENS:
        sides = read_columns(one.source, one.options, one.format)
    elif one.family == PASSAGES:
        sides = read_each_side(one.source, one.options, shared.corpus, one.format)
    else:
        return one.read()
    refuse_unmet(sides.values(), one.options.keep_fields, one.options.side)
    return sides
