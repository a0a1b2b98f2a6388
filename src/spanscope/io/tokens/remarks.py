"""What CoNLL files say of sentences beside their tokens: comments with ids and texts, and marks of documents.

A comment has a name and a value: `# id = d1`, `# sent_id = d1-2`, `# text = Ann met Bob`. What follows
`-DOCSTART-`, `# newdoc` or `# newdoc id = d1` is another document, which is the group of its sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

DOCSTART = "-DOCSTART-"
IDS = ("id", "sent_id")
NEWDOC, NEWDOC_ID = "newdoc", "newdoc id"


@dataclass(eq=False)
class Remarks:
    """What is said of the sentences: one entry each."""

    ids: list[str | None] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    documents: list[tuple[int, str | None]] = field(default_factory=list)  # their numbers, and their ids

    def names(self) -> list[str] | None:
        """Return ids of the sentences: those of documents of one sentence each; None unless all have some."""
        own = [name for _, name in self.documents if name is not None]
        if own and len(set(own)) == len(self.documents):
            return own
        found = [name for name in self.ids if name]
        return found if found and len(found) == len(self.ids) else None

    def groups(self) -> list[str] | None:
        """Return the document of each sentence by its id, else its number; None where all are of one."""
        if len({number for number, _ in self.documents}) < 2:
            return None
        twice = Counter(dict(self.documents).values())
        return [str(number + 1) if name is None or twice[name] > 1 else name for number, name in self.documents]


def remarks_of(lines: Sequence[str], first: Sequence[int], tokens: Collection[int]) -> Remarks:
    """Return what is said of sentences; `first` are the lines of their first tokens, `tokens` those of all."""
    out, starts = Remarks(), set(first)
    own: dict[str, str] = {}
    document, name, filled = 0, None, False
    for number, line in enumerate(lines, start=1):
        if number in starts:
            out.ids.append(next((own[key] for key in IDS if own.get(key)), None))
            out.texts.append(own.get("text") or None)
            out.documents.append((document, name))
            own, filled = {}, True
        elif number in tokens or line[:1] not in {"#", "-"}:
            continue
        elif line.startswith(DOCSTART):
            document, name, filled = document + filled, None, False
        elif line[0] == "#":
            key, _, value = line[1:].partition("=")
            own[key.strip()] = value.removesuffix("\r").removeprefix(" ")
            if key.strip() in {NEWDOC, NEWDOC_ID}:
                document, name, filled = document + filled, own.get(NEWDOC_ID, "").strip() or None, False
                own.pop(NEWDOC_ID, None)
    return out
