"""Hypothesis strategies: short texts cut into segments, by two sides that agree, nearly agree or do not."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.twins.rt_seg import Listed
from tests.twins.segments import Doc, Typed

Json = dict[str, Any]
LONGEST = 40
NAMES = ("A", "A", "B", "C")  # mostly one label, so that boundaries of one type meet
NUMBERS = ("1", "1", "2", "5")
LETTERS = "ab é😀\n\u0301"
# Texts of nothing and of one unit too, which have no room for a boundary.
LENGTHS: SearchStrategy[int] = (
    st.integers(0, LONGEST) | st.integers(2, 6) | st.integers(15, LONGEST) | st.sampled_from((0, 1, 2))
)


class Corpus(NamedTuple):
    """Documents as a twin sees them, and as they are given to the evaluator."""

    docs: list[Doc]
    gold: list[Json]
    pred: list[Json]

    @property
    def sides(self) -> tuple[list[Json], list[Json]]:
        return self.gold, self.pred


# ---------------------------------------------------------------- where the boundaries are


@st.composite
def cuts(draw: DrawFn, n: int) -> set[int]:
    """Draw inner boundaries of a text of n units: none, all, a few or many."""
    places = range(1, n)
    match draw(st.sampled_from(("none", "all", "few", "few", "few", "many"))):
        case "none":
            return set()
        case "all":
            return set(places)
        case "few":
            return draw(st.sets(st.sampled_from(places), max_size=5)) if n > 1 else set()
    return {place for place in places if draw(st.booleans())}


@st.composite
def moved(draw: DrawFn, n: int, gold: set[int]) -> set[int]:
    """Draw what a system makes of boundaries: the same, others, or each kept, dropped, moved a little or split."""
    match draw(st.sampled_from(("same", "other", "near", "near", "near"))):
        case "same":
            return set(gold)
        case "other":
            return draw(cuts(n))
    found = set(draw(st.sets(st.sampled_from(range(1, n)), max_size=2))) if n > 1 else set()
    for place in sorted(gold):
        steps = draw(st.sampled_from(((0,), (0,), (), (1,), (-1,), (2,), (-3,), (4,), (-1, 1), (0, 2))))
        found |= {place + step for step in steps if 0 < place + step < n}
    return found


# ---------------------------------------------------------------- how they are written


def masses(n: int, places: set[int]) -> list[int]:
    """Return the lengths of the segments; a text of nothing has none."""
    return [b - a for a, b in pairwise([0, *sorted(places), n])] if n else []


@st.composite
def segments(draw: DrawFn, lengths: list[int], labels: list[str] | None = None) -> list[Any]:
    """Write segments as pairs or triples, or as objects."""
    ends = list(accumulate(lengths))
    named = [{} if labels is None else {"label": label} for label in labels or [""] * len(ends)]
    out: list[Any] = [
        {"start": end - length, "end": end, **name} for end, length, name in zip(ends, lengths, named, strict=True)
    ]
    return out if draw(st.booleans()) else [list(one.values()) for one in out]


def written(n: int, places: set[int], *, per_gap: bool, last: str) -> str:
    """Write boundaries as zeros and ones: one for each gap, or one for each unit, 1 on the last of a segment."""
    gaps = "".join("1" if place in places else "0" for place in range(1, n))
    return gaps if per_gap or not n else gaps + last


@st.composite
def forms(draw: DrawFn, n: int, places: set[int]) -> Json:
    """Write one segmentation in any of the forms; those that need the length leave it to the caller."""
    match draw(st.sampled_from(("segments", "boundaries", "masses", "gaps", "units"))):
        case "segments":
            return {"segments": draw(segments(masses(n, places)))}
        case "boundaries":
            return {"boundaries": sorted(places)}
        case "masses":
            return {"masses": masses(n, places)}
        case "gaps":
            return {"string": written(n, places, per_gap=True, last="")}
    return {"string": written(n, places, per_gap=False, last=draw(st.sampled_from("01")))}


@st.composite
def sized(draw: DrawFn, n: int, text: str, form: Json) -> Json:
    """Add the text or its length, which a form that tells the length by itself may go without."""
    alone = "masses" in form or len(form.get("string", " " * n)) == n - 1
    options = [{"text": text}, {"length": n}, *([{}] if alone else [])]
    return {**draw(st.sampled_from(options)), **form}


def texts(n: int) -> SearchStrategy[str]:
    """Draw a text of n units."""
    return st.text(LETTERS, min_size=n, max_size=n)


# ---------------------------------------------------------------- documents


def plain(places: set[int]) -> Typed:
    """Give all boundaries one type."""
    return frozenset((place, "") for place in places)


@st.composite
def plain_documents(draw: DrawFn) -> tuple[Doc, Json, Json]:
    """Draw a document whose segments have no labels."""
    n = draw(LENGTHS)
    gold = draw(cuts(n))
    pred, text = draw(moved(n, gold)), draw(texts(n))
    sides = [draw(sized(n, text, draw(forms(n, side)))) for side in (gold, pred)]
    return Doc(n, plain(gold), plain(pred)), sides[0], sides[1]


@st.composite
def labelled_documents(draw: DrawFn, names: Sequence[str] = NAMES) -> tuple[Doc, Json, Json]:
    """Draw a document whose segments have labels; that of the segment which ends there is a boundary's type."""
    n = draw(LENGTHS)
    gold = draw(cuts(n))
    text, both = draw(texts(n)), []
    known = dict(zip([*sorted(gold), n], draw(kinds(names, len(gold) + 1)), strict=True))
    for places in (gold, draw(moved(n, gold))):
        ends = [*sorted(places), n]
        other = draw(kinds(names, len(ends))) if draw(st.booleans()) else [names[0]] * len(ends)
        labels = [known.get(end, one) for end, one in zip(ends, other, strict=True)]
        if draw(st.booleans()) and places is not gold:
            labels[draw(st.integers(0, len(labels) - 1))] = draw(st.sampled_from(names))
        lengths = masses(n, places)
        both.append((frozenset(zip(ends[:-1], labels[:-1], strict=True)), lengths, labels[: len(lengths)]))
    sides = [draw(sized(n, text, {"segments": draw(segments(lengths, labels))})) for _, lengths, labels in both]
    return Doc(n, both[0][0], both[1][0]), sides[0], sides[1]


def kinds(names: Sequence[str], number: int) -> SearchStrategy[list[str]]:
    """Draw so many labels."""
    return st.lists(st.sampled_from(names), min_size=number, max_size=number)


@st.composite
def levelled_documents(draw: DrawFn, names: Sequence[str] = NAMES) -> tuple[Doc, Json, Json]:
    """Draw a document cut several times, as into chapters and into sections: a level for each name."""
    n = draw(LENGTHS)
    levels = {name: draw(cuts(n)) for name in draw(st.sets(st.sampled_from(names), min_size=1))}
    other = {name: draw(moved(n, places)) for name, places in levels.items()}
    text = draw(texts(n))
    sides = [draw(sized(n, text, draw(level_forms(n, one)))) for one in (levels, other)]
    gold, pred = (frozenset((b, name) for name, places in one.items() for b in places) for one in (levels, other))
    return Doc(n, gold, pred), sides[0], sides[1]


@st.composite
def level_forms(draw: DrawFn, n: int, levels: dict[str, set[int]]) -> Json:
    """Write several levels in any of the forms that can hold them."""
    match draw(st.sampled_from(("segments", "boundaries", "masses"))):
        case "segments":
            return {"segments": {name: draw(segments(masses(n, places))) for name, places in levels.items()}}
        case "boundaries":
            return {"boundaries": {name: sorted(places) for name, places in levels.items()}}
    return {"masses": {name: masses(n, places) for name, places in levels.items()}}


@st.composite
def corpora(
    draw: DrawFn, make: SearchStrategy[tuple[Doc, Json, Json]] | None = None, least: int = 0, most: int = 4
) -> Corpus:
    """Draw some documents, in the same order on both sides."""
    found = draw(st.lists(plain_documents() if make is None else make, min_size=least, max_size=most))
    names = [f"d{number}" for number in range(len(found))]
    gold = [{"id": name, **one} for name, (_, one, _) in zip(names, found, strict=True)]
    pred = [{"id": name, **one} for name, (_, _, one) in zip(names, found, strict=True)]
    return Corpus([doc for doc, _, _ in found], gold, pred)


def typed_corpora(names: Sequence[str] = NAMES, least: int = 0) -> SearchStrategy[Corpus]:
    """Draw documents whose boundaries have types, by labels or by levels."""
    return corpora(labelled_documents(names) | levelled_documents(names), least=least)


# ---------------------------------------------------------------- lists of spans that are no segmentation


@st.composite
def listed(draw: DrawFn, n: int) -> list[tuple[int, int]]:
    """Draw spans as a careless tool may list them: with gaps, overlapping, in any order, past the end, or none."""
    if draw(st.booleans()):
        places = [0, *sorted(draw(cuts(n))), n]
        return draw(st.permutations(list(pairwise(places))))
    ends = st.tuples(st.integers(0, n), st.integers(0, n + 3))
    return [(min(pair), max(pair)) for pair in draw(st.lists(ends, max_size=6))]


@st.composite
def listed_corpora(draw: DrawFn) -> tuple[list[Listed], list[Json], list[Json]]:
    """Draw documents for RT-SEG's own rules."""
    docs, gold, pred = [], [], []
    for number in range(draw(st.integers(0, 4))):
        n = draw(LENGTHS)
        one = Listed(n, draw(listed(n)), draw(listed(n)))
        text = draw(texts(n))
        docs.append(one)
        for side, spans in ((gold, one.gold), (pred, one.pred)):
            side.append({"id": number, "text": text, "segments": [list(span) for span in spans]})
    return docs, gold, pred
