"""The kinds of data problems: what is done about each, and in which words it is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Kind(NamedTuple):
    """What is done about the problems of a kind, and their words.

    A kind that is found in several ways has words for each: a problem is told in those that use just its values.
    There, `{number:span}` is `1 span` or `2 spans`, `{number:are}` is `is` or `are`, `{name!n}` is cut and quoted,
    `{option!o}` is said in the language of the caller.
    """

    words: tuple[str, ...] = ()
    doubtful: bool = False  # it puts the figures in doubt: it is said before them
    of_texts: bool = False  # offsets and words contradict each other
    asked: bool = False  # the caller asked for it: --strict does not mind
    of_all: bool = False  # only all documents together can have it, not a portion of them
    summed: bool = False  # it is said once a side, with its number
    listed: bool = True  # `check` lists it, because it is about files and not about the run or the annotators
    empties: bool = False  # it may be why nothing is left to score
    plain: bool = False  # its words hold labels and numbers only: they are shown where texts are not


AT_NEXT = "{at} ends at {end}, the next segment starts at {start}"
NOT_THERE = "the document {document!n} is not in {other}"
OF_SOME = ("", " of the {looked:document} looked at")  # what a figure is of: all documents, or those looked at
# Those that put the figures in doubt come first, in the order in which they are told.
KINDS: Mapping[str, Kind] = {
    "nothing in common": Kind(
        ("no document is on both sides: every figure is 0 or undefined", "no document of {gold} is in this file"),
        doubtful=True,
        of_all=True,
        empties=True,
    ),
    "different texts": Kind(
        (
            "the text differs from the text of the same document at {there}",
            "the text is in the Unicode form {form}, that of the same document at {there} in {other}: offsets "
            "count different characters in the two",
        ),
        doubtful=True,
        of_texts=True,
    ),
    "text mismatch": Kind(
        (
            "{at}.text is {own}, the document has {there} at {start}..{end}{fits}",
            "{at} says {own}, {book!n} has {there} there",
        ),
        doubtful=True,
        of_texts=True,
    ),
    "Unicode form": Kind(
        (
            "{at}.text is in {form}, the document has the same text in {other} at {start}..{end}",
            "{at} has its text in {form}, {book!n} has the same in {other} there",
        ),
        plain=True,
    ),
    "other length": Kind(
        ("clause {clause} has {written:,} characters on the page, data.offsets gives it {given:,}",), doubtful=True
    ),
    "failed call": Kind(("the document has an error field, {error}, and is scored as it is",), doubtful=True),
    "unknown label": Kind(("{at}.label is {label!r}, not one of {labels}",), doubtful=True),
    "unseen label": Kind(
        ("no span has the label {label!n}{hint}",), doubtful=True, asked=True, of_all=True, empties=True
    ),
    "unseen name": Kind(
        ("no span has the label {label!n}, which was to be renamed{hint}",),
        doubtful=True,
        asked=True,
        of_all=True,
        listed=False,
        plain=True,
    ),
    "same file": Kind(
        ("gold and predictions are the same file",), doubtful=True, of_all=True, listed=False, plain=True
    ),
    "tuned on itself": Kind(
        ("{number:document} also served to choose the lowest score: the figures are too high",),
        True,
        of_all=True,
        plain=True,
    ),
    "swapped sides": Kind(
        ("{gold} is given as gold and {pred} as predictions: they may be swapped",),
        doubtful=True,
        of_all=True,
        listed=False,
        plain=True,
    ),
    "no spans": Kind(
        ("{documents:document} without any span",), True, of_all=True, listed=False, empties=True, plain=True
    ),
    "other offsets": Kind(
        tuple(
            f"this side probably {{how}}: {read} exact F1{of} would be {{then:figure}} instead of {{now:figure}}"
            for read in ("read that way,", "with {option!o}")
            for of in OF_SOME
        ),
        doubtful=True,
        of_all=True,
        listed=False,
        plain=True,
    ),
    "other unit": Kind(
        tuple(
            f"offsets seem to be {{unit}}: with {{option!o}} exact F1{of} would be {{then:figure}} instead of "
            "{now:figure}"
            for of in OF_SOME
        ),
        doubtful=True,
        of_all=True,
        listed=False,
        plain=True,
    ),
    "other label names": Kind(
        tuple(
            f"with {{names!o}} exact F1{of} would be {{then:figure}} instead of {{now:figure}}" for of in OF_SOME
        ),
        doubtful=True,
        of_all=True,
        listed=False,
        plain=True,
    ),
    "no curve": Kind(
        (
            "the curve of {measure} needs the spans, because matches are found again at every "
            "threshold: {option!o} shows it",
        ),
        asked=True,
        of_all=True,
        listed=False,
        plain=True,
    ),
    "missing document": Kind(
        (
            "{number:document} of {gold} {number:are} missing here, {treatment}; first {document!n}",
            "{number:document} not annotated by {whom} left out; first {document!n}",
            NOT_THERE,
        ),
        asked=True,
        of_all=True,
        summed=True,
    ),
    "not in every run": Kind(
        ("{number:document} left out, which other runs do not have",),
        asked=True,
        of_all=True,
        listed=False,
        plain=True,
    ),
    "extra document": Kind(
        ("{number:document} {number:are} not in {gold}, left out; first {document!n}", NOT_THERE),
        asked=True,
        of_all=True,
        summed=True,
    ),
    "low score": Kind(
        ("{number:prediction} with a score below {least} left out",), asked=True, summed=True, plain=True
    ),
    "no score": Kind(("{number:prediction} without a score: no figures by confidence",), asked=True, plain=True),
    "other label": Kind(
        ("{number:span} of other labels left out: {labels}", "{number:span} left out by the mapping"),
        asked=True,
        summed=True,
    ),
    "other order": Kind(
        ("{why} {gold}: the documents were dealt into {files:temporary file}",), asked=True, listed=False
    ),
    "paired by": Kind(("documents are paired with {gold} by {means}",), asked=True, listed=False, plain=True),
    "opened": Kind(
        (
            "is in {encoding}, and read as UTF-8",
            "read from {number:file} in the order of their names, {first} to {last}",
            "without data, ignored: {names}",
        ),
        asked=True,
        listed=False,
        plain=True,
    ),
    "left aside": Kind(("{number:,} {kinds} ignored: {for} cannot hold them",), asked=True, plain=True),
    "answer": Kind(
        ("{number:,} of {examples:example} {number:are} not accepted ({answers}): left out on both sides",),
        asked=True,
        plain=True,
    ),
    "answered again": Kind(
        ("{number:example} answered again by the same annotator: the last answer counts",), plain=True
    ),
    "read as": Kind(
        ("labels leave gaps in the texts, so they are read as {how}; {option!o} reads them as {other}",),
        asked=True,
        plain=True,
    ),
    "no place": Kind(("{number:passage} without a place: {why}",), asked=True, plain=True),
    "unknown judged": Kind(("{number:,} judged {what} not in the files beside, such as {name!n}",)),
    "other path": Kind(("{number:file} recognised by the end of the path: {book!n} is {other!n}",), asked=True),
    "unit assumed": Kind(
        (
            "offsets are read in {unit}, because the texts of the spans fit there; {tool} itself counts {usual}",
            "offsets are read in {unit}, as {tool} writes them: {number:span} {number:come} after a "
            "character that counts twice; {option!o} for a file from elsewhere",
        ),
        asked=True,
    ),
    "cut words": Kind(
        (
            "{number:span} after an emoji {number:begin} or {number:end} inside a word: brat's "
            "editor counts such a character "
            "twice and so moves spans",
        ),
        doubtful=True,
        plain=True,
    ),
    "shifted tags": Kind(
        ("{tool} puts tags after an emoji on the wrong tokens: export JSON instead",), True, plain=True
    ),
    "split words": Kind(
        (
            "{number:span} {number:start} inside a word, right after another one of the same label: the model "
            "probably tags every word piece as the beginning of a span",
        ),
        doubtful=True,
        plain=True,
    ),
    "nowhere": Kind(
        (
            "{number:quote} without a place in the text: as predictions, such quotes match nothing and "
            "count as spurious; {option!o} looks for them",
        ),
        asked=True,
        plain=True,
    ),
    "near place": Kind(
        ("{number:span} placed where the text is similar to the quote, but not equal",),
        asked=True,
        plain=True,
    ),
    "duplicate": Kind(
        (
            "{number:{noun}} repeating another one of the same document, label and offsets",
            "{at} repeats another span: {label} {start}..{end}",
            "passage {rank} repeats another one: {book!n} {start}..{end}",
        ),
        summed=True,
    ),
    "measure left out": Kind(
        ("{measures} left out: {number:{noun}} of this side {number:have} no text, which they compare",),
        asked=True,
        summed=True,
        listed=False,
    ),
    "few marked groups": Kind(
        (
            "the file marks {groups:,} articles, too few to resample: documents are drawn one by "
            "one, as if those of "
            "an article were independent, so intervals may be too narrow ({fewest:,} articles would be enough)",
        ),
        asked=True,
        of_all=True,
        listed=False,
        plain=True,
    ),
    "no intervals": Kind(
        (
            "none for labels, macro and weighted averages: "
            "{labels:,} labels x {resamples:,} resamples, {most:,} at most",
            "none for tables with many figures:  {figures:,} x {resamples:,} resamples, {most:,} at most",
        ),
        listed=False,
    ),
    "several labels": Kind(
        (
            "{number:,} {unit}s have several labels of one annotator: the label of the span that "
            "started last is used",
        ),
        listed=False,
    ),
    "no text": Kind(
        (
            "documents without text are taken to end with their last span: give texts for "
            "coefficients that count unmarked text",
        ),
        listed=False,
    ),
    "other sentences": Kind(
        (
            "every text is one sentence here, and the script splits sentences by NLTK's punkt_tab{missing}: "
            "span F1 can differ from the script's",
        ),
        asked=True,
        listed=False,
    ),
    "fractional grade": Kind(
        (
            "{number:grade} with a fraction: passages.ranking uses the grade as it is, figures of trec_eval only "
            "the whole number before the point, as trec_eval does",
        ),
        summed=True,
        listed=False,
    ),
    "empty span": Kind(("{at} is empty: it starts and ends at {start}",)),
    "quotes placed": Kind(("{what}",), asked=True, of_all=True, listed=False, plain=True),
    "no offsets": Kind(("{at} has a text, but no start and end",)),
    "other place": Kind(
        ("{at} has start and end {start}..{end}, but its fragments are {first}..{last}: the fragments are used",)
    ),
    "ids of rows": Kind(("all {rows:,} ids differ: are they ids of rows?",), doubtful=True, plain=True),
    "texts beside": Kind(
        ("has the texts of {texts} ({hash}): {all:document}, of which {empty:,} have no row here",),
        asked=True,
        listed=False,
        plain=True,
    ),
    "no row": Kind(
        ("{number:document} of {other} {number:have} no row here: counted as documents without spans",),
        asked=True,
        summed=True,
    ),
    "repeated id": Kind(("the id {document!n} is repeated (first at {first})",)),
    "ill-formed tag": Kind(("{number:,} more ill-formed tags",)),
    "repeated query": Kind(("the query {query} is repeated: paired with the other side's in order",)),
    "repeated document": Kind(("the document {name!n} of query {query!n} is repeated: the last line is used",)),
    "scores missing": Kind(("some passages have a score and some do not: they are ranked in the order given",)),
    "other form": Kind(
        (
            "the name {name!n} is that of a query of {gold} in another Unicode form: the two are paired",
            "the id {name!n} of a passage is that of gold in another Unicode form: the two are taken as one",
        )
    ),
    "empty passage": Kind(("passage {rank} is empty",)),
    "file name": Kind(("the name of the file {book!n} is read in the Unicode form NFC",)),
    "line ends": Kind(("lines of {book!n} end with two characters: each end counts as one",)),
    "moved place": Kind(("{at}.span {counted}",)),
    "cancelled annotation": Kind(("the annotation {annotation} was cancelled: left out",)),
    "no annotation": Kind(("the task has no annotation: left out",)),
    "sorted boundaries": Kind(("{at} is not sorted",)),
    "repeated boundary": Kind(("{at} repeats the boundary {boundary}: left out",)),
    "sorted segments": Kind(("{at} is not sorted",)),
    "empty segment": Kind(("{at} is empty, at {start}: left out",)),
    "extended to the start": Kind(("{at} starts at {start}",)),
    "extended to the end": Kind(("{at} ends at {end}, the text at {length}",)),
    "closed gap": Kind((AT_NEXT,)),
    "closed gap with text": Kind(("{at} ends at {end}, and {between} after it is in no segment",)),
    "cut overlap": Kind((AT_NEXT,)),
}
OTHER = Kind()  # what errors explain, coefficients that cannot be had, and kinds that another version has saved


def kind_of(name: str) -> Kind:
    """Return what is known of a kind of problem."""
    return KINDS.get(name, OTHER)
