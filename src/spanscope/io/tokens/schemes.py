"""Tag sequences to chunks and back: IOB2, IOBES and their kin, for a whole corpus at once.

All sentences lie on one line with an O before, between and after them, so that every tag has two neighbours. A
rule is a table over pairs of neighbours (the kinds of both tags, and whether their types are the same) that says
whether a chunk starts, goes on or ends between them. Each distinct tag is taken apart once; the rest is arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Bools, Ints
from spanscope.errors import InputError, as_it_is, did_you_mean, plural, shown

SCHEMES = ("IO", "IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU", "BMES")
RULES = ("conlleval", "discard", "strict", "seqeval")
UNTYPED = "_"
LETTERS = {*"BILUSEM"}
DETECTED = ("IOB2", "IOB1", "IOE2", "IOE1", "IOBES", "BILOU", "BMES")  # the first of those that fit equally well
# Four prefixes are those that begin a chunk, are inside, end it, and are one by themselves.
PREFIXES = dict(zip(DETECTED, ("BI", "IB", "IE", "IE", "BIES", "BILU", "BMES"), strict=True))
LISTED = {scheme: "-, ".join(known[:-1]) + f"- or {known[-1]}-" for scheme, known in PREFIXES.items()}
KINDS = "OBIES.?"  # what a prefix does, in IOBES letters; `.` is special to seqeval, `?` any other prefix
OUT, BEGIN, IN, END, SINGLE = range(5)
OTHER = KINDS.index("?")
STARTS, INSIDE, ENDS = 1, 2, 4  # the bits of a table

Small = NDArray[np.int8]
ChunksOnLine = tuple[Ints, Ints, Ints]  # of chunks on the line: the first place, the one after the last, the type


@dataclass(frozen=True)
class Chunks:
    """Labelled runs of tokens, sorted by sentence and first token; `last` is the token after the chunk."""

    doc: Ints
    first: Ints
    last: Ints
    label: Ints  # number of a name in `labels`
    labels: tuple[str, ...]  # sorted


@dataclass(frozen=True)
class Fault:
    """A tag that its scheme does not allow where it stands."""

    doc: int
    token: int
    tag: str
    what: str


def _table(starts: str, inside: str, ends: str) -> NDArray[np.uint8]:
    """Write patterns as a table: kinds before and after (`*` any), then s same type, d different, `*` either."""
    table = np.zeros((len(KINDS), len(KINDS), 2), dtype=np.uint8)
    for bit, patterns in ((STARTS, starts), (INSIDE, inside), (ENDS, ends)):
        for pattern in patterns.split():
            axes = zip(pattern, (KINDS, KINDS, "ds"), strict=True)
            table[tuple(slice(None) if key == "*" else names.index(key) for key, names in axes)] |= bit
    return table.ravel()


# seqeval's default reading, which on the tags B, I, E, S and O is how conlleval and its successors repair.
LENIENT = _table("*B* *S* EE* SE* OE* EI* SI* OI* *Ed *Id *?d", "", "E** S** BB* BS* BO* IB* IS* IO* B*d I*d ?*d")
STRICT = {
    "IOB1": _table("OI* IId BI* IBs BBs", "BIs IIs", "IId IO* IB* BO* BId BBs"),
    "IOB2": _table("*B*", "BIs IIs", "IO* IId IB* BO* BId BB*"),
    "IOE1": _table("OI* IId EI* EEs", "IIs IEs", "IId IO* IEd EIs EEs"),
    "IOE2": _table("OI* OE* EI* EE* IId IEd", "IEs IIs", "E**"),
    **dict.fromkeys(("IOBES", "BILOU", "BMES"), _table("*B* *S*", "BIs BEs IIs IEs", "S** E**")),
}


@dataclass(frozen=True)
class _Text:
    """The sentences on one line: places hold numbers of distinct tags, 0 for O and between sentences."""

    distinct: tuple[str, ...]
    code: Ints
    between: Ints  # the places before the first, between, and after the last sentence

    def inside(self, place: Ints) -> tuple[Ints, Ints]:
        """Return the sentence of each place, and which token of it the place is."""
        doc = np.searchsorted(self.between, place, side="right") - 1
        return doc, place - self.between[doc] - 1

    def chunks(self, first: Ints, last: Ints, label: Ints, names: Sequence[str]) -> Chunks:
        """Return chunks between places, their labels numbered by the sorted names in use."""
        doc, start = self.inside(first)
        used = np.flatnonzero(np.bincount(label, minlength=len(names))).tolist()
        used.sort(key=names.__getitem__)
        number = np.zeros(len(names), dtype=np.int64)
        number[used] = np.arange(len(used))
        return Chunks(doc, start, start + (last - first), number[label], tuple(names[code] for code in used))


@dataclass(frozen=True)
class _Line:
    """A text as a rule reads it."""

    text: _Text
    scheme: str
    kind: Small
    type: Ints
    names: tuple[str, ...]  # of the types
    strange: Bools  # tags that are never right in the scheme
    pair: NDArray[np.uint8]  # where in a table every two neighbours are


def _text(tags: Sequence[str], sizes: Sequence[int] | Ints) -> _Text:
    between = _places_between(sizes)
    tokens = int(between[-1]) - len(between) + 1
    if tokens != len(tags):
        found = f"there are {plural(len(tags), 'tag')} for {plural(tokens, 'token')}"
        raise InputError(found, expected="a tag for every token", hint="sizes that add up to the number of tags")
    codes = {tag: code for code, tag in enumerate({"O": None} | dict.fromkeys(tags))}
    for tag in codes:
        if not isinstance(tag, str) or not tag:
            raise InputError(f"a tag is {shown(tag)}", expected="a tag such as B-PER", hint="O outside of chunks")
    code = np.fromiter(map(codes.__getitem__, tags), dtype=np.int64, count=tokens)
    code = np.insert(code, between - np.arange(len(between)), 0)
    return _Text(tuple(codes), code, between)


def _places_between(sizes: Sequence[int] | Ints) -> Ints:
    """Return the places that belong to no sentence."""
    lengths = np.asarray(sizes, dtype=np.int64).reshape(-1)
    if (lengths < 0).any():
        raise InputError(f"a sentence has {int(lengths.min())} tokens", expected="sizes of 0 and more")
    return np.concatenate(([0], np.cumsum(lengths + 1)))


def _read(text: _Text, scheme: str, rule: str) -> _Line:
    """Take every distinct tag apart, and look at all neighbours."""
    parts = [_parts(tag, scheme, rule) for tag in text.distinct]
    types = {name: code for code, name in enumerate(dict.fromkeys(name for _, name, _ in parts))}
    kind = np.array([kind for kind, _, _ in parts], dtype=np.int8)[text.code]
    type_ = np.array([types[name] for _, name, _ in parts], dtype=np.int64)[text.code]
    strange = np.array([odd for _, _, odd in parts], dtype=bool)
    same = type_[1:] == type_[:-1]
    same[text.between[:-1]] = False  # to seqeval, what is before a sentence has a type that no tag has
    pair = (kind[:-1] * len(KINDS) + kind[1:]).astype(np.uint8) * 2 + same
    return _Line(text, scheme, kind, type_, tuple(types), strange[text.code], pair)


def _parts(tag: str, scheme: str, rule: str) -> tuple[int, str, bool]:
    """Return the kind of a tag, its type, and whether the scheme has no such tag."""
    if rule == "seqeval":
        return _kind(tag[0], KINDS[:-1]), tag[1:].split("-", 1)[-1] or UNTYPED, False
    if scheme == "IO":
        return (OUT if tag == "O" else IN), tag, False
    if rule == "strict":
        kind = _kind(tag[0], PREFIXES[scheme])
        if kind == OTHER:
            what, expected = f"the tag {shown(tag)} is not one of {scheme}", f"{LISTED[scheme]}, or O"
            raise InputError(what, expected=expected, hint="another scheme, or rule conlleval to repair such tags")
        return kind, tag[1:].strip("-") or UNTYPED, False
    prefix, _, name = tag.partition("-")
    kind = _kind(prefix, PREFIXES[scheme])
    if kind == OTHER:  # read by its letter, or else as one that goes on: no tag but O is outside
        known = _kind(prefix, KINDS[:5])
        return (IN if known == OTHER else known), name or UNTYPED, True
    return kind, name or UNTYPED, kind == OUT and tag != "O"


def _kind(prefix: str, known: str) -> int:
    """Return what a prefix does, if it is one of those known; O always is."""
    if prefix == "O":
        return OUT
    if len(prefix) != 1 or prefix not in known:
        return OTHER
    return known.index(prefix) + 1 if len(known) == 4 else KINDS.index(prefix)


def chunks(
    tags: Sequence[str], sizes: Sequence[int] | Ints, scheme: str, rule: str = "conlleval"
) -> tuple[Chunks, list[Fault]]:
    """Return the chunks of tagged sentences, and what is wrong with the tags.

    The tags of all sentences follow each other; `sizes` are their numbers of tokens. Rule `conlleval` repairs
    ill-formed tags, `discard` drops the chunks that have one, `strict` and `seqeval` read every sentence as
    seqeval 1.2.2 does with and without mode='strict'. In scheme IO a chunk is a run of equal tags other than O.

    >>> found, faults = chunks(["B-PER", "I-PER", "O", "I-LOC"], [4], "IOB2")
    >>> found.first.tolist(), found.last.tolist(), [found.labels[code] for code in found.label]
    ([0, 3], [2, 4], ['PER', 'LOC'])
    >>> faults[0].what
    'I-LOC after O: a chunk starts with B- in IOB2'
    """
    _check_known("scheme", scheme, SCHEMES)
    _check_known("rule", rule, RULES)
    line = _read(text := _text(tags, sizes), scheme, rule)
    found = kept = _lenient(line)
    if rule == "seqeval" or scheme == "IO":
        return text.chunks(*found, line.names), []
    wrong = _wrong(line, found)
    places = np.flatnonzero(wrong)
    if rule == "strict":
        kept = _strict(line)
        places = _places_dropped(line, found, kept, wrong)
    elif rule == "discard":
        kept, places = _discard(line, found, places)
    return text.chunks(*kept, line.names), _faults(line, places, found, wrong)


def _check_known(what: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        unknown = f"there is no {what} {shown(name)}{did_you_mean(name, names)}"
        raise InputError(unknown, expected=f"one of {', '.join(names)}")


def _lenient(line: _Line) -> ChunksOnLine:
    """Return the chunks that seqeval finds by default.

    It remembers the latest start, whatever has ended since: only with prefixes that it does not know can chunks
    share tokens, or start where nothing did, at the first token of their sentence.
    """
    bits = LENIENT[line.pair]
    start = np.concatenate(([0], np.flatnonzero(bits & STARTS) + 1))
    last = np.flatnonzero(bits & ENDS)
    first = start[np.searchsorted(start, last, side="right") - 1]
    if (line.kind > SINGLE).any():
        between = line.text.between
        first = np.maximum(first, between[np.searchsorted(between, last, side="right") - 1] + 1)
    return first, last + 1, line.type[last]


def _strict(line: _Line) -> ChunksOnLine:
    """Return the chunks that seqeval finds in strict mode.

    A tag that could start a chunk does not where it goes on with one. So first find which tags are in chunks:
    those that could start one are; those that could only go on are if the tag before is.
    """
    bits = STRICT[line.scheme][line.pair]
    starts, goes_on = (bits & STARTS) > 0, (bits & INSIDE) > 0
    settled = np.maximum.accumulate(np.where(starts | ~goes_on, np.arange(len(bits)), 0))
    within = np.concatenate(([False], starts[settled]))
    goes_on &= within[:-1]
    first = np.flatnonzero(starts & ~goes_on) + 1
    last = np.flatnonzero(within[:-1] & ~goes_on)
    ended = (bits[last] & ENDS) > 0
    return first[ended], last[ended] + 1, line.type[first[ended]]


def _spell(size: int, scheme: str, first: Ints, last: Ints, label: Ints) -> Small:
    """Return the kinds of tags that chunks have in a scheme; they are in order and share no place."""
    step = np.zeros(size + 1, dtype=np.int8)
    step[first] += 1
    step[last] -= 1
    kinds = np.cumsum(step[:-1], dtype=np.int8) * np.int8(IN)
    touching = (first[1:] == last[:-1]) & (label[1:] == label[:-1])
    if "B" not in PREFIXES[scheme] or len(PREFIXES[scheme]) == 4:
        kinds[(last[:-1][touching] if scheme == "IOE1" else last) - 1] = END
    if "B" in PREFIXES[scheme]:
        kinds[first[1:][touching] if scheme == "IOB1" else first] = BEGIN
    if len(PREFIXES[scheme]) == 4:
        kinds[first[last - first == 1]] = SINGLE
    return np.asarray(kinds)


def _wrong(line: _Line, rows: ChunksOnLine) -> Bools:
    """Tell which places have another tag than their chunks have in the scheme."""
    return np.asarray((line.kind != _spell(len(line.kind), line.scheme, *rows)) | line.strange)


def _discard(line: _Line, found: ChunksOnLine, wrong: Ints) -> tuple[ChunksOnLine, Ints]:
    """Return the chunks without a wrong place, and the first wrong place of each other one."""
    first, last, label = found
    chunk = np.searchsorted(first, wrong, side="right") - 1
    outside = line.kind[wrong] == OUT
    chunk[outside] = -1 - np.arange(np.count_nonzero(outside))  # of no chunk: each stands for itself
    keep = np.ones(len(first), dtype=bool)
    keep[chunk[~outside]] = False
    return (first[keep], last[keep], label[keep]), wrong[np.sort(np.unique(chunk, return_index=True)[1])]


def _places_dropped(line: _Line, found: ChunksOnLine, kept: ChunksOnLine, wrong: Bools) -> Ints:
    """Return a place for each stretch of tags in no kept chunk: the first wrong one, or else the first."""
    gone = (line.kind != OUT) & (_spell(len(line.kind), "IOB2", *kept) == OUT)
    head = gone.copy()
    head[1:] &= ~gone[:-1]
    head[found[0]] |= gone[found[0]]  # what would be chunks if repaired is said one by one
    heads, places = np.flatnonzero(head), np.append(np.flatnonzero(wrong & gone), len(head))
    place = places[np.searchsorted(places, heads)]
    return np.where(place < np.append(heads, len(head))[1:], place, heads)


def _faults(line: _Line, places: Ints, found: ChunksOnLine, wrong: Bools) -> list[Fault]:
    """Say what is wrong at places; what would be chunks if repaired tells which part of one a tag is."""
    if not len(places):
        return []
    code, distinct = line.text.code, line.text.distinct
    docs, tokens = line.text.inside(places)
    opens, closes = (np.isin(places, ends) for ends in (found[0], found[1] - 1))
    starts, stops = (np.isin(places + step, line.text.between) for step in (-1, 1))
    tags = (code[places - 1], code[places], code[places + 1])
    flags = (starts, stops, opens, closes, line.strange[places], wrong[places])
    said: dict[tuple[int, ...], str] = {}
    out = []
    for doc, token, *rest in zip(*(c.tolist() for c in (docs, tokens, *tags, *flags)), strict=True):
        key = tuple(rest)
        if key not in said:
            before, tag, after = (distinct[number] for number in rest[:3])
            left = "at the start of a sentence" if rest[3] else f"after {before}"
            right = "at the end of a sentence" if rest[4] else f"before {after}"
            said[key] = _sentence(line.scheme, tag, left, right, rest[5:])
        out.append(Fault(doc, token, distinct[rest[1]], said[key]))
    return out


def _sentence(scheme: str, tag: str, left: str, right: str, flags: Sequence[int]) -> str:
    """Say what is wrong with a tag between its neighbours, and what would be right."""
    opens, closes, strange, wrong = flags
    if strange and tag.startswith("O-"):
        return f"{tag}: O has no type"
    if strange:
        return f"{as_it_is(tag)}: a tag starts with {LISTED[scheme]} in {scheme}, or is O"
    if not wrong:
        return f"{tag} {left}: seqeval's strict {scheme} finds no chunk here"
    begin, _, end, single = tuple(PREFIXES[scheme] if len(PREFIXES[scheme]) == 4 else "BIE ")
    starts, ends = f"{tag} {left}: a chunk starts with", f"{tag} {right}: a chunk ends with"
    if scheme == "IOB1":
        return f"{starts} I- in IOB1, and with B- right after one of its type"
    if scheme == "IOE1":
        return f"{ends} I- in IOE1, and with E- right before one of its type"
    if opens and closes and single != " ":
        return f"{tag} {left} and {right}: a chunk of one token is {single}- in {scheme}"
    return f"{starts} {begin}- in {scheme}" if opens and scheme != "IOE2" else f"{ends} {end}- in {scheme}"


def faults_by_scheme(tags: Sequence[str], sizes: Sequence[int] | Ints) -> dict[str, int]:
    """Return how many tags are ill-formed in each scheme they could be of: only IO if no tag has a prefix.

    Beside plain types, E-MAIL is one too.
    """
    text = _text(tags, sizes)
    parts = [tag.partition("-") for tag in text.distinct if tag[:2] not in ("O", "O-")]
    known = {(prefix, name) for prefix, hyphen, name in parts if hyphen and prefix in LETTERS}
    plain = {part for prefix, _, name in parts if prefix not in LETTERS for part in (prefix, name)}
    if not known or (plain and not any(prefix in "BI" or name in plain for prefix, name in known)):
        return {"IO": 0}
    lines = (_read(text, scheme, "conlleval") for scheme in DETECTED)
    return {line.scheme: int(np.count_nonzero(_wrong(line, _lenient(line)))) for line in lines}


def tags_of_chunks(chunks: Chunks, sizes: Sequence[int] | Ints, scheme: str) -> list[str]:
    """Return the tags of chunks that share no token: those of all sentences, one after the other.

    The label `_` is written as a prefix alone. IO has only labels: touching chunks of one label become one.
    """
    _check_known("scheme", scheme, SCHEMES)
    between = _places_between(sizes)
    order = np.lexsort((chunks.first, chunks.doc))
    doc, label = chunks.doc[order], chunks.label[order]
    _fits(doc, chunks.first[order], chunks.last[order], np.diff(between) - 1)
    first, last = (column[order] + between[doc] + 1 for column in (chunks.first, chunks.last))
    size = int(between[-1]) + 1
    kinds = _spell(size, "IOB2" if scheme == "IO" else scheme, first, last, label)
    owner = np.zeros(size, dtype=np.int64)
    owner[kinds != OUT] = np.repeat(label, last - first)
    written = np.array([_tags_of_label(name, scheme) for name in chunks.labels], dtype=object).reshape(
        -1, SINGLE + 1
    )
    owner, kinds = np.delete(owner, between), np.delete(kinds, between)
    return list(written[owner, kinds]) if len(written) else ["O"] * len(kinds)


def _tags_of_label(label: str, scheme: str) -> list[str]:
    """Return the tags of a label, by kind."""
    if scheme == "IO":
        if label in ("O", ""):
            raise InputError(f"the label {shown(label)} cannot be a tag of IO", expected="labels other than O")
        return ["O", *[label] * SINGLE]
    prefixes = PREFIXES[scheme] if len(PREFIXES[scheme]) == SINGLE else KINDS[BEGIN : SINGLE + 1]
    return ["O", *(prefix if label == UNTYPED else f"{prefix}-{label}" for prefix in prefixes)]


def _fits(doc: Ints, first: Ints, last: Ints, lengths: Ints) -> None:
    """Refuse chunks that tags cannot say."""
    size = np.append(lengths, 0)[np.where((doc >= 0) & (doc < len(lengths)), doc, -1)]
    outside = (first < 0) | (first >= last) | (last > size)
    if outside.any():
        row = int(np.argmax(outside))
        raise InputError(
            f"a chunk is at tokens {first[row]} to {last[row]} of sentence {doc[row]}, which has {size[row]}",
            expected=f"0 <= first < last <= tokens of a sentence from 0 to {len(lengths) - 1}",
        )
    shared = (doc[1:] == doc[:-1]) & (first[1:] < last[:-1])
    if shared.any():
        row = int(np.argmax(shared))
        raise InputError(
            f"chunks share token {first[row + 1]} of sentence {doc[row]}",
            expected="chunks that do not overlap: a token has one tag",
            hint="a measure of spans, which may overlap",
        )
