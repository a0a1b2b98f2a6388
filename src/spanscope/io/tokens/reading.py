"""Tagged tokens: their chunks as spans, at the places of the tokens in the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import Corpus, Spans, Texts, Tokens
from spanscope.data.problems import Problem, problem_at
from spanscope.errors import InputError, did_you_mean, shown
from spanscope.io.detect import recognise
from spanscope.io.format import Format
from spanscope.io.metadata import meta_column
from spanscope.io.read_options import ReadOptions
from spanscope.io.tokens.align import move_to_text_of
from spanscope.io.tokens.found_scheme import Tags, detect, detect_both
from spanscope.io.tokens.ignored import drop_ignored, drop_own_ignored
from spanscope.io.tokens.schemes import RULES, SCHEMES, Chunks, Fault, chunks
from spanscope.io.tokens.sentences import Sentences
from spanscope.io.tokens.tag_rules import TagRules

ANY = "IOB2"  # what stands for the scheme where the rule does not look at it
MOST_FAULTS_LISTED = 1000  # ill-formed tags that are listed one by one


def read_both(
    gold: Any,
    pred: Any,
    of_gold: ReadOptions,
    of_pred: ReadOptions | None = None,
    formats: Sequence[Format | None] = (None, None),
    *,
    one_scheme: bool = False,
) -> tuple[Corpus, Corpus, tuple[str, str]]:
    """Return gold, predictions and their schemes; without `pred`, both come from one source with two columns.

    `of_pred` says how predictions are read, where that differs; `formats` are those of the sources, where known.
    `one_scheme` asks for one scheme for both sides.
    """
    of_pred = of_pred or of_gold
    rules = of_gold.tags
    for own in (rules, of_pred.tags):
        _check_rules(own)
    ours = sentences(gold, replace(of_gold, side="gold", both=pred is None), formats[0])
    lent = replace(of_pred.tags, lent=ours.names)
    theirs = ours if pred is None else sentences(pred, replace(of_pred, side="pred", tags=lent), formats[1])
    ours, theirs = drop_ignored(ours, theirs)
    column = "pred" if pred is None else "gold"
    sides = {"gold": ours.tags["gold"], "pred": theirs.tags[column]}
    if pred is not None:
        _lend(ours, theirs)
        _lend_places(ours, theirs)
    _no_blank(ours, "gold")
    _no_blank(theirs, column)
    tagged = (sides["gold"], ours.sizes), (sides["pred"], theirs.sizes)
    schemes = _schemes(tagged, (rules.scheme, of_pred.tags.scheme), one_scheme=one_scheme)
    first = _corpus(ours, sides["gold"], schemes[0], rules)
    second = _corpus(theirs, sides["pred"], schemes[1], rules)
    return first, second if pred is None or rules.numbers else _same_text(first, second, ours, theirs), schemes


def _check_rules(rules: TagRules) -> None:
    """Refuse rules and schemes that there are not, or that do not go together."""
    if rules.repair not in RULES:
        raise InputError(f"no rule of repair is called {shown(rules.repair)}", expected=", ".join(RULES))
    if rules.scheme is not None and rules.scheme not in SCHEMES:
        near = did_you_mean(rules.scheme, SCHEMES)
        raise InputError(f"no scheme is called {shown(rules.scheme)}{near}", expected=", ".join(SCHEMES))
    if rules.repair == "seqeval" and rules.scheme not in (None, ANY):
        raise InputError(
            "repair=seqeval reads every tag as seqeval does, whatever the scheme", expected="no scheme"
        )


def _schemes(
    tagged: tuple[Tags, Tags], asked: tuple[str | None, str | None], *, one_scheme: bool
) -> tuple[str, str]:
    """Return the schemes of both sides: those asked for, else found from the tags."""
    if asked[0] is not None or asked[1] is not None:
        return asked[0] or detect(*tagged[0]), asked[1] or detect(*tagged[1])
    if one_scheme:
        both = detect([*tagged[0][0], *tagged[1][0]], [*tagged[0][1], *tagged[1][1]])
        return both, both
    return detect_both(*tagged)


def sentences(source: Any, options: ReadOptions, known: Format | None = None) -> Sentences:
    """Return tokens and tags in one of the shapes people have."""
    own = known or recognise(source, tags=options.tags, among=("tokens",))
    found: Sentences = own.reader(source, options)
    return found


def _lend(ours: Sentences, theirs: Sentences) -> None:
    """Let a side of tags alone have the tokens of the other: it must have as many tags, sentence by sentence."""
    if ours.tokens is not None and theirs.tokens is not None:
        return
    for doc, (mine, tags) in enumerate(zip(ours.sizes, theirs.sizes, strict=False)):
        if mine != tags:
            raise InputError(
                f"the sentence has {tags} tags, that of gold has {mine}",
                where=theirs.where(doc, 0),
                expected="a tag for every token of gold",
            )
    if len(ours.sizes) != len(theirs.sizes):
        what = f"{theirs.name} has {len(theirs.sizes):,} sentences, {ours.name} has {len(ours.sizes):,}"
        raise InputError(what, expected="as many on both sides")
    for one, other in ((ours, theirs), (theirs, ours)):
        if one.tokens is None and other.tokens is not None:
            one.tokens, one.starts, one.ends = other.tokens, other.starts, other.ends
            one.texts, one.ids = other.texts, other.ids if one.ids is None else one.ids


def _lend_places(ours: Sentences, theirs: Sentences) -> None:
    """Let a side have the ids and the places of the other, where it has none and reads the same.

    Comments such as `# id` and `# text` mostly stand in gold alone; predictions have its sentences in its order.
    """
    if ours.tokens is None or theirs.tokens is None or len(ours.sizes) != len(theirs.sizes):
        return
    placed = [side.starts is not None or side.texts is not None for side in (ours, theirs)]
    named = [side.ids is not None for side in (ours, theirs)]
    if placed[0] == placed[1] and named[0] == named[1]:
        return
    same = ours.sizes == theirs.sizes and ours.tokens == theirs.tokens
    for one, other in ((ours, theirs), (theirs, ours)):
        if one.ids is None and other.ids is not None and other.in_comments and _read_alike(one, other):
            one.ids = other.ids
        if same and one.starts is None and one.texts is None:
            one.starts, one.ends, one.texts = other.starts, other.ends, other.texts


def _read_alike(one: Sentences, other: Sentences) -> bool:
    """Tell whether every sentence has the same characters on both sides, however it is cut into tokens."""
    return all(
        "".join("".join(ours).split()) == "".join("".join(theirs).split())
        for ours, theirs in zip(_sentences_of(one), _sentences_of(other), strict=True)
    )


def _sentences_of(found: Sentences) -> Iterator[list[str]]:
    tokens = found.tokens or []
    return (tokens[a:b] for a, b in pairwise(accumulate(found.sizes, initial=0)))


def read_one(source: Any, options: ReadOptions, known: Format | None = None) -> Corpus:
    """Return tagged tokens that stand against spans of another kind on the other side."""
    found = drop_own_ignored(sentences(source, options, known))
    _no_blank(found, "gold")
    scheme = options.tags.scheme or detect(found.tags["gold"], found.sizes)
    return _corpus(found, found.tags["gold"], scheme, options.tags)


def read_columns(source: Any, options: ReadOptions, known: Format | None = None) -> dict[str, Corpus]:
    """Return the tags of a source that is read alone: gold and predictions where it has both."""
    try:
        gold, pred, _ = read_both(source, None, options, formats=(known, None))
    except InputError as error:
        if "predict" not in error.what:
            raise
        return {"": read_one(source, options, known)}
    return {"gold": gold, "pred": pred}


def _corpus(found: Sentences, tags: list[str], scheme: str, rules: TagRules) -> Corpus:
    """Return the chunks of the tags as spans, at the places of their tokens."""
    renamed: frozenset[str] = frozenset()
    if rules.mapping:
        tags, renamed = _map_tags(tags, rules.mapping, scheme)
    got, faults = _chunks(found, tags, scheme, rules)
    first = np.append(0, np.cumsum(np.array(found.sizes, dtype=np.int64)))
    start, end, texts = _places(replace(found, tokens=None) if rules.numbers else found, first)
    rows = first[got.doc]
    spans = (
        Spans(got.doc, start[rows + got.first], end[rows + got.last - 1], got.label, np.arange(len(got.doc)))
        if len(got.doc)
        else _no_spans()
    )
    text = None if found.tokens is None else _objects(found.tokens)
    corpus = Corpus(found.name, found.ids, got.labels, spans, texts, lambda doc: found.where(doc, 0))
    corpus.sha256, corpus.n_documents = found.sha256, len(found.sizes)
    corpus.problems, corpus.renamed = [*found.problems, *_faults(faults, found)], renamed
    corpus.groups = found.groups
    corpus.meta = meta_column([(found.meta or (), len(found.sizes))])
    corpus.tokens = Tokens(first, start, end, _objects(tags), text)
    return corpus


def _chunks(found: Sentences, tags: list[str], scheme: str, rules: TagRules) -> tuple[Chunks, list[Fault]]:
    """Return the chunks of tags; a tag that cannot be one is refused where it stands."""
    try:
        got, faults = chunks(tags, found.sizes, scheme, rules.repair)
    except InputError as error:
        raise InputError(
            error.what, where=_first_bad(found, tags, scheme, rules), expected=error.expected
        ) from None
    if "*" in got.labels:
        row = next(at for at, tag in enumerate(tags) if tag.endswith("*"))
        raise InputError(
            "'*' cannot be a label",
            where=_place_of_token(found, row),
            expected="another name: '*' stands for all labels",
        )
    return got, faults


def _no_blank(found: Sentences, side: str) -> None:
    """Refuse a tag that is empty, where it stands."""
    if "" in found.distinct[side]:
        where = _place_of_token(found, found.tags[side].index(""))
        raise InputError("a tag is ''", where=where, expected="a tag for every token, O outside")


def _first_bad(found: Sentences, tags: list[str], scheme: str, rules: TagRules) -> str:
    bad = set()
    for tag in set(tags):
        try:
            chunks([tag], [1], scheme, rules.repair)
        except InputError:
            bad.add(tag)
    return _place_of_token(found, next((at for at, tag in enumerate(tags) if tag in bad), 0))


def _place_of_token(found: Sentences, row: int) -> str:
    """Return where a token stands."""
    first = np.append(0, np.cumsum(found.sizes))
    doc = int(np.searchsorted(first, row, "right")) - 1
    return found.where(doc, row - int(first[doc]))


def _map_tags(tags: list[str], mapping: Mapping[str, str], scheme: str) -> tuple[list[str], frozenset[str]]:
    """Return tags with other labels, O for those mapped to nothing, and which labels were renamed."""
    table: dict[str, str] = {}
    renamed = set()
    for tag in set(tags):
        prefix, hyphen, label = tag.partition("-") if scheme != "IO" else ("", "", tag)
        new = mapping.get(label, label)
        gone = label in mapping and new in ("", "O")
        table[tag] = "O" if tag == "O" or gone else f"{prefix}{hyphen}{new}"
        renamed.add(label)
    return [table[tag] for tag in tags], frozenset(mapping) & renamed


def _no_spans() -> Spans:
    nothing = np.zeros(0, dtype=np.int64)
    return Spans(nothing, nothing, nothing, nothing, nothing)


def _objects(values: Sequence[Any]) -> Texts:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _places(found: Sentences, first: Ints) -> tuple[Ints, Ints, Texts | None]:
    """Return start and end of every token, and the texts: as given, found in the text, or joined by blanks."""
    if found.tokens is None:  # only tags: offsets are token numbers
        at = np.arange(first[-1]) - np.repeat(first[:-1], np.diff(first))
        return at, at + 1, None
    size = np.fromiter(map(len, found.tokens), np.int64, len(found.tokens))
    texts = None if found.texts is None else _objects(found.texts)
    if found.starts is not None:
        start = np.array(found.starts, dtype=np.int64)
        return start, start + size if found.ends is None else np.array(found.ends, dtype=np.int64), texts
    if found.texts is not None:
        start = np.array(_search(found, first), dtype=np.int64)
        return start, start + size, texts
    total = np.append(0, np.cumsum(size + 1))
    start = total[:-1] - np.repeat(total[first[:-1]], np.diff(first))
    joined = [" ".join(found.tokens[a:b]) for a, b in zip(first[:-1].tolist(), first[1:].tolist(), strict=True)]
    return start, start + size, _objects(joined)


def _search(found: Sentences, first: Ints) -> list[int]:
    """Return where each token stands in the text of its document, from left to right."""
    out: list[int] = []
    tokens, texts = found.tokens or [], found.texts or []
    for doc, text in enumerate(texts):
        place = 0
        if text is None:
            where = found.where(doc, 0)
            raise InputError("has no text, other documents have", where=where, expected="a text in every document")
        for number, token in enumerate(tokens[first[doc] : first[doc + 1]]):
            at = text.find(token, place)
            if at < 0:
                where = found.where(doc, number)
                raise InputError(
                    f"the token {shown(token)} is not in the text after the one before",
                    where=where,
                    expected="tokens that occur in the text, in order, or start_indices",
                )
            out.append(at)
            place = at + len(token)
    return out


def _faults(faults: Sequence[Fault], found: Sentences) -> list[Problem]:
    listed = [
        problem_at("ill-formed tag", found.where(fault.doc, fault.token), {"what": fault.what})
        for fault in faults[:MOST_FAULTS_LISTED]
    ]
    if len(faults) > MOST_FAULTS_LISTED:
        rest = faults[MOST_FAULTS_LISTED]
        more = len(faults) - MOST_FAULTS_LISTED
        listed.append(problem_at("ill-formed tag", found.where(rest.doc, rest.token), number=more))
    return listed


def _same_text(gold: Corpus, pred: Corpus, ours: Sentences, theirs: Sentences) -> Corpus:
    """Put predictions on other tokens at the places they have in gold's text, where nothing else gives them."""
    same = ours.sizes == theirs.sizes and ours.tokens == theirs.tokens
    placed = any(part is not None for part in (ours.starts, theirs.starts, theirs.texts))
    if same or placed or ours.tokens is None or theirs.tokens is None:
        return pred
    return move_to_text_of(gold, pred)
