"""The conlleval script of 2004-01-26 in plain Python: one pass over the tokens, as the script makes it."""

from collections import Counter
from dataclasses import dataclass, field

Sentences = list[list[str]]
Tag = tuple[str, str]  # prefix and type


@dataclass
class Tally:
    """What the script counts: phrases by type, tokens, and tokens with the right tag."""

    gold: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    correct: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    right: int = 0


def split(tag: str) -> Tag:
    """Split at the first hyphen; the type 0 is false in Perl, and so none."""
    prefix, hyphen, kind = tag.partition("-")
    return (prefix, "" if kind == "0" else kind) if hyphen else (tag, "")


def ends(before: Tag, tag: Tag) -> bool:
    (a, first), (b, second) = before, tag
    return (
        (a in ("B", "I") and b in ("B", "O"))
        or (a == "E" and b in ("E", "I", "O"))
        or (a not in ("O", ".") and first != second)
        or a in ("[", "]")
    )


def starts(before: Tag, tag: Tag) -> bool:
    (a, first), (b, second) = before, tag
    return (
        (b == "B" and a in ("B", "I", "O"))
        or (b == "I" and a in ("O", "E"))
        or (b == "E" and a in ("E", "O"))
        or (b not in ("O", ".") and first != second)
        or b in ("[", "]")
    )


def conlleval(gold: Sentences, pred: Sentences) -> Tally:
    """Count as the script does: a phrase is correct if both sides start and end it together, with one type."""
    out = Tally()
    last = last_found = ("O", "")
    inside = False
    for own, theirs in zip(gold, pred, strict=True):
        for number, (a, b) in enumerate([*zip(own, theirs, strict=True), ("O", "O")]):
            tag, found = split(a), split(b)
            over, over_found = ends(last, tag), ends(last_found, found)
            if inside and over and over_found and last[1] == last_found[1]:
                inside = False
                out.correct[last[1]] += 1
            elif inside and (over != over_found or tag[1] != found[1]):
                inside = False
            new, new_found = starts(last, tag), starts(last_found, found)
            inside |= new and new_found and tag[1] == found[1]
            out.gold[tag[1]] += new
            out.found[found[1]] += new_found
            if number < len(own):
                out.tokens += 1
                out.right += tag == found
            last, last_found = tag, found
    out.correct[last[1]] += inside
    return out


def rates(correct: int, found: int, gold: int) -> tuple[float, float, float]:
    """Return precision, recall and FB1 in per cent, 0 for 0/0."""
    precision = 100 * correct / found if found else 0.0
    recall = 100 * correct / gold if gold else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def report(tally: Tally) -> str:
    """Return what the script prints."""
    gold, found, correct = (sum(column.values()) for column in (tally.gold, tally.found, tally.correct))
    out = f"processed {tally.tokens} tokens with {gold} phrases; found: {found} phrases; correct: {correct}.\n"
    if tally.tokens:
        accuracy = 100 * tally.right / tally.tokens
        out += f"accuracy: {accuracy:6.2f}%; {_line(*rates(correct, found, gold))}\n"
    for kind in sorted(name for name in tally.gold | tally.found if tally.gold[name] or tally.found[name]):
        own = (tally.correct[kind], tally.found[kind], tally.gold[kind])
        out += f"{kind:>17}: {_line(*rates(*own))}  {tally.found[kind]}\n"
    return out


def _line(precision: float, recall: float, fb1: float) -> str:
    return f"precision: {precision:6.2f}%; recall: {recall:6.2f}%; FB1: {fb1:6.2f}"
