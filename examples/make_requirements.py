"""Write the demo data set: 50 software requirements with gold spans and the spans of an imaginary LLM.

Gold is inline mark-up that may nest: ``The [Main_actor|clerk] can [Action|void a [Entity|sale]].``
Every block of requirements.txt is one requirement, followed by lines that start with ``~``:

    ~ also: Label|text           a gold span that crosses the mark-up above (brackets can only nest)
    ~ miss: gold                 the model did not find this gold span
    ~ move: gold => text         wrong boundaries
    ~ relabel: gold => Label     wrong label
    ~ blur: gold => Label|text   wrong boundaries and wrong label
    ~ split: gold => a + b       one gold span found in two pieces
    ~ merge: a + b => text       two gold spans covered by one prediction (with the label of the first)
    ~ twice: gold                the same span predicted twice
    ~ add: Label|text            a spurious span
    ~ nothing: -                 the model returned no span at all

A gold span is named by its text, or ``Label|text``; ``...`` stands for any words left out. What no line
mentions was predicted exactly. Run ``python examples/make_requirements.py`` to rewrite both files.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

OUT = Path(__file__).resolve().parent.parent / "src" / "spanscope" / "examples"
LABELS = (
    "Action",
    "Entity",
    "Main_actor",
    "System_response",
    "Condition",
    "Constraint",
    "Precondition",
    "Exception",
)

DATA = (Path(__file__).parent / "requirements.txt").read_text(encoding="utf-8")


class Span(NamedTuple):
    """A labelled stretch of text; offsets are half-open and count code points."""

    start: int
    end: int
    label: str


class Doc(NamedTuple):
    """One requirement, with the number of edits of each kind that led from gold to predictions."""

    key: str
    text: str
    gold: list[Span]
    pred: list[Span]
    edits: Counter[str]


def parse(markup: str, base: int = 0) -> tuple[str, list[Span], str]:
    """Read mark-up up to a closing bracket or the end; return its plain text, its spans and the rest."""
    text, spans = "", []
    while markup and markup[0] != "]":
        if markup[0] == "[":
            label, markup = markup[1:].split("|", 1)
            start = base + len(text)
            inner, nested, markup = parse(markup, start)
            assert markup.startswith("]"), f"unclosed [{label}|"
            spans += [Span(start, start + len(inner), label), *nested]
            text, markup = text + inner, markup[1:]
        else:
            text, markup = text + markup[0], markup[1:]
    return text, spans, markup


def pattern(words: str) -> str:
    """Turn ``a ... b`` into a regular expression."""
    return r"(?<!\w)" + ".*?".join(re.escape(part) for part in re.split(r" \.\.\.", words)) + r"(?!\w)"


def pick(text: str, gold: list[Span], name: str) -> Span:
    """Find the one gold span that is called ``text`` or ``Label|text``."""
    label, _, words = name.rpartition("|")
    hits = [s for s in gold if label in ("", s.label) and re.fullmatch(pattern(words), text[s.start : s.end])]
    assert len(hits) == 1, f"{name!r} names {len(hits)} gold spans in {text!r}"
    return hits[0]


def place(text: str, name: str, label: str, near: Span | None) -> Span:
    """Find ``text`` or ``Label|text``: the occurrence that shares most with ``near``, else the only one."""
    given, _, words = name.rpartition("|")
    hits = [Span(m.start(), m.end(), given or label) for m in re.finditer(pattern(words), text)]
    if near:
        hits = sorted(hits, key=lambda s: max(s.start, near.start) - min(s.end, near.end))[:1]
    assert len(hits) == 1, f"{name!r} occurs {len(hits)} times in {text!r}"
    return hits[0]


def check(kind: str, old: list[Span], new: list[Span]) -> None:
    """Make sure that an edit does what its name says."""
    same_label = {s.label for s in new} == {old[0].label} if old else True
    overlap = all(n.start < o.end and o.start < n.end for n in new for o in old)
    moved = all(n[:2] != o[:2] for n in new for o in old)
    counts, wanted = (len(old), len(new)), {"merge": (2, 1), "split": (1, 2), "miss": (1, 0), "twice": (1, 2)}
    assert overlap, (kind, old, new)
    assert counts == wanted.get(kind, (kind != "add", 1)), (kind, old, new)
    assert kind not in ("move", "split", "merge", "blur") or moved, (kind, old, new)
    assert kind in ("relabel", "blur", "miss", "add") or same_label, (kind, old, new)
    assert kind not in ("relabel", "blur") or not same_label, (kind, old, new)


def read(block: str) -> Doc:
    """Read one block of ``DATA``: mark the gold spans, then apply the edits to get the predictions."""
    lines = block.splitlines()
    key, markup = " ".join(line for line in lines if line[0] != "~").split(" ", 1)
    text, gold, rest = parse(markup)
    assert not rest, f"{key}: stray bracket before {rest!r}"
    edits = [line[2:].split(": ", 1) for line in lines if line[0] == "~"]
    gold += [place(text, name, "", None) for kind, name in edits if kind == "also"]
    pred = list(gold)
    for kind, edit in edits:
        if kind == "nothing":
            pred = []
        if kind in ("also", "nothing"):
            continue
        left, _, right = ("", "", edit) if kind == "add" else edit.partition(" => ")
        old = [pick(text, gold, name) for name in left.split(" + ") if name]
        if kind == "relabel":
            new = [old[0]._replace(label=right)]
        elif kind == "twice":
            new = old * 2
        else:
            label, near = (old[0].label, old[0]) if old else ("", None)
            new = [place(text, name, label, near) for name in right.split(" + ") if name]
        check(kind, old, new)
        assert kind == "twice" or not set(new) & set(gold), f"{key}: {kind} gives a gold span"
        for span in old:
            pred.remove(span)
        pred += new
    return Doc(key, text, gold, pred, Counter(kind for kind, _ in edits))


def write(side: str, docs: list[tuple[str, str, list[Span]]]) -> None:
    """Write one JSON line a document, spans in reading order and outer ones first; then check the file."""
    path = OUT / f"requirements.{side}.jsonl"
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for key, text, spans in docs:
            ordered = sorted(spans, key=lambda s: (s.start, -s.end, s.label))
            rows = [{**s._asdict(), "text": text[s.start : s.end]} for s in ordered]
            file.write(json.dumps({"id": key, "text": text, "spans": rows}, ensure_ascii=False) + "\n")
    for doc in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        assert 8 <= len(doc["text"].split()) <= 40, f"{doc['id']}: {len(doc['text'].split())} words"
        for span in doc["spans"]:
            assert span["label"] in LABELS, f"{doc['id']}: unknown label {span['label']!r}"
            assert 0 <= span["start"] < span["end"] <= len(doc["text"]), f"{doc['id']}: bad offsets {span}"
            assert span["text"] == doc["text"][span["start"] : span["end"]].strip(), f"{doc['id']}: {span}"


def main() -> None:
    """Write both files, check them and print a summary."""
    docs = [read(block) for block in DATA.strip().split("\n\n")]
    assert [doc.key for doc in docs] == [f"R{n:02}" for n in range(1, 51)], "ids must run from R01 to R50"
    assert all(len(set(doc.gold)) == len(doc.gold) for doc in docs), "duplicate gold span"
    OUT.mkdir(parents=True, exist_ok=True)
    write("gold", [(doc.key, doc.text, doc.gold) for doc in docs])
    write("pred", [(doc.key, doc.text, doc.pred) for doc in docs])

    gold = Counter(span.label for doc in docs for span in doc.gold)
    pred = Counter(span.label for doc in docs for span in doc.pred)
    right = sum((Counter(doc.gold) & Counter(doc.pred)).total() for doc in docs)
    print(f"{len(docs)} documents\n{'label':<16}{'gold':>6}{'share':>7}{'pred':>6}")
    for label in LABELS:
        print(f"{label:<16}{gold[label]:>6}{gold[label] / gold.total():>7.0%}{pred[label]:>6}")
    print(f"{'all':<16}{gold.total():>6}{'':>7}{pred.total():>6}")
    edits = Counter(kind for doc in docs for kind in doc.edits.elements())
    print("edits:", ", ".join(f"{kind} {count}" for kind, count in edits.most_common()))
    precision, recall = right / pred.total(), right / gold.total()
    f1 = 2 * right / (gold.total() + pred.total())
    print(f"exactly right: {right} (precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f})")
    assert 0.60 <= f1 <= 0.72, "the demo model should be neither hopeless nor perfect"


if __name__ == "__main__":
    main()
