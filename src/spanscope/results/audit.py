"""Gold under suspicion: spans where most systems agree with one another against gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from spanscope.errors import plural
from spanscope.jsonable import JsonObject, json_text
from spanscope.results.rendering import Rendered

MISSED, LABEL, PLACE, BOTH = "missed by gold", "other label", "other boundaries", "other label and boundaries"


@dataclass(frozen=True)
class Suspect:
    """A span that most systems have and gold has not, and the gold span in whose place it stands, if any."""

    document: str
    kind: str
    found: JsonObject
    gold: JsonObject | None
    systems: tuple[str, ...]  # that have it
    with_gold: tuple[str, ...]  # that have gold's span
    of: int  # systems that have the document


@dataclass(frozen=True, repr=False)
class Audit(Rendered):
    """Spans where most systems agree with one another against gold, what is most agreed on first.

    `decide` is the list that annotation tools import and `adjudicate --into` puts back: both spans of every case.
    """

    systems: tuple[str, ...]
    documents: int
    suspects: tuple[Suspect, ...]
    problems: Sequence[Any] = field(default=(), compare=False)
    decide: Any = field(default=None, compare=False)

    def __repr__(self) -> str:
        found = plural(len(self.suspects), "suspect")
        return f"<Audit: {found} by {plural(len(self.systems), 'system')} in {plural(self.documents, 'document')}>"

    @property
    def kinds(self) -> dict[str, int]:
        """Return how many suspects there are of each kind, the most frequent first."""
        return dict(Counter(one.kind for one in self.suspects).most_common())

    def to_dict(self) -> JsonObject:
        """Return all that was found as plain data."""
        return {
            "form": 1,
            "kind": "audit",
            "systems": list(self.systems),
            "documents": self.documents,
            "kinds": self.kinds,
            "suspects": [
                {**asdict(one), "systems": list(one.systems), "with_gold": list(one.with_gold)}
                for one in self.suspects
            ],
        }

    def to_json(self) -> str:
        """Return the same as JSON."""
        return json_text(self.to_dict())
