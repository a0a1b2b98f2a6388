"""Quotes as they were placed: one row per item, shares by status and label, and the corpus that comes of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, draws, keys_of, poisson, ratio
from spanscope.data.corpus import Corpus
from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.jsonable import finite, finite_values, json_text
from spanscope.locating.changes import normalised_by
from spanscope.locating.document import FOUND, STATUSES
from spanscope.results.rendering import Rendered
from spanscope.settings.run_settings import may_quote

GROUNDED, AMBIGUOUS = "grounded", "ambiguous"
SHARES = (GROUNDED, *STATUSES, AMBIGUOUS)  # what there are shares of; each status, all that were found, those open
ALL = "*"  # of all labels
HIGH = (GROUNDED, "exact")  # shares that are the better the higher they are
RESAMPLES, NORMAL = 1000, 1.959963984540054  # the quantile of the normal distribution for 95 %


class LocatedRow(NamedTuple):
    """What became of one item."""

    document: str
    item: int
    label: str
    quote: str | None
    start: int | None
    end: int | None
    text: str | None  # the document's own words
    status: str
    place: str = ""
    score: float | None = None
    candidates: tuple[tuple[int, int], ...] = ()
    reason: str = ""
    nearest: tuple[int, int] | None = None
    nearest_text: str | None = None
    moved: int | None = None
    edits: int = 0
    where: str = ""
    confidence: float | None = None
    given: tuple[int | None, int | None] | None = None  # the offsets that the model gave

    @property
    def ambiguous(self) -> bool:
        """Tell whether nothing decided between several places."""
        return self.place == "open"

    @property
    def normalised(self) -> tuple[str, ...]:
        """Return what was normalised to find the quote."""
        return normalised_by(self.quote or "", self.text or "") if self.status == "normalised" else ()


def _wilson(value: Floats, drawn: Floats, items: Floats) -> tuple[Floats, Floats]:
    """Return bounds of shares from their values, their resampled values and the items by document."""
    variance = np.zeros(len(value))
    known = ~np.isnan(drawn).all(axis=1) if drawn.size else np.zeros(len(value), dtype=bool)
    variance[known] = np.nanvar(drawn[known], axis=1)
    most = np.where(variance > 0, items.sum(axis=1), (items > 0).sum(axis=1))
    number = np.minimum(ratio(value * (1 - value), variance, empty=np.inf), most)
    middle = ratio(value + ratio(NORMAL**2, 2 * number), 1 + ratio(NORMAL**2, number))
    spread = ratio(value * (1 - value), number) + ratio(NORMAL**2, 4 * number**2)
    half = ratio(NORMAL * np.sqrt(spread), 1 + ratio(NORMAL**2, number))
    return np.clip(middle - half, 0.0, 1.0), np.clip(middle + half, 0.0, 1.0)


class Share(NamedTuple):
    """The share of the items of a label, or of all, with a status."""

    label: str
    share: str
    value: float
    low: float
    high: float
    number: int
    items: int


@dataclass(frozen=True, eq=False)
class Located(Rendered):
    """All items of some outputs, placed."""

    rows: Sequence[LocatedRow]
    documents: Mapping[str, str]  # text by id, in the order of the texts
    corpus: Corpus = field(repr=False)
    settings: Mapping[str, Any]
    repaired: Sequence[str] = ()  # where outputs stand whose JSON was repaired
    without: Sequence[str] = ()  # documents without an output
    text: str = "full"
    problems: Mapping[str, int] = field(default_factory=dict)  # of the data, as all results have them

    def __repr__(self) -> str:
        return f"<Located {len(self.rows)} items in {len(self.documents)} documents: {self.counts()}>"

    def counts(self, label: str | None = None) -> dict[str, int]:
        """Return how many items there are of each status, of all labels or of one; and how many are ambiguous."""
        rows = [row for row in self.rows if label is None or row.label == label]
        number = Counter(row.status for row in rows)
        return {**{one: number[one] for one in STATUSES}, AMBIGUOUS: sum(row.ambiguous for row in rows)}

    @property
    def labels(self) -> list[str]:
        return sorted({row.label for row in self.rows})

    def share(self, name: str, label: str | None = None) -> Share:
        """Return a share, with its interval: grounded, ambiguous, or that of a status."""
        wanted = label or ALL
        found = next((one for one in self.shares if (one.share, one.label) == (name, wanted)), None)
        if found is None:
            known = SHARES if name not in SHARES else [row.label for row in self.rows]
            what = name if name not in SHARES else wanted
            raise MeasureError(
                f"there is no share {shown(what)}{did_you_mean(what, known)}", expected=", ".join(SHARES)
            )
        return found

    @cached_property
    def shares(self) -> list[Share]:
        """Return all shares, of all labels and of each, with intervals.

        Wilson's interval, for as many independent items as the variance between documents says there are: quotes
        of one document fail together. Where no share varies that number is the number of documents.
        """
        labels, names = [ALL, *self.labels], list(self.documents)
        at = {name: row for row, name in enumerate(names)}
        code = {name: row for row, name in enumerate(labels)}
        items = np.zeros((len(labels), len(names)))
        hits = np.zeros((len(SHARES), len(labels), len(names)))
        for row in self.rows:
            kinds = [SHARES.index(row.status)]
            kinds += [0] * (row.status in FOUND) + [len(SHARES) - 1] * row.ambiguous
            for label in (0, code[row.label]):
                items[label, at[row.document]] += 1
                for kind in kinds:
                    hits[kind, label, at[row.document]] += 1
        weights = poisson(draws(0, keys_of(names), RESAMPLES)).astype(np.float64) if names else np.zeros((0, 1))
        out: list[Share] = []
        whole = items.sum(axis=1)
        for kind, share in enumerate(SHARES):
            value = ratio(hits[kind].sum(axis=1), items.sum(axis=1))
            drawn = ratio(hits[kind] @ weights, items @ weights)
            low, high = _wilson(value, drawn, items)
            number = hits[kind].sum(axis=1)
            out += [
                Share(label, share, float(value[n]), float(low[n]), float(high[n]), int(number[n]), int(whole[n]))
                for n, label in enumerate(labels)
            ]
        return out

    @property
    def quoted(self) -> bool:
        """Tell whether quotes and passages may be shown word for word."""
        return may_quote(self.text)

    def records(self) -> list[dict[str, Any]]:
        """Return the documents with all items as plain data: what `spanscope locate -o` writes."""
        out: dict[str, dict[str, Any]] = {
            name: {"id": name, **({"text": text} if self.quoted else {}), "spans": []}
            for name, text in self.documents.items()
        }
        for row in self.rows:
            out[row.document]["spans"].append(self._record(row))
        return list(out.values())

    def _record(self, row: LocatedRow) -> dict[str, Any]:
        own: dict[str, Any] = {"start": row.start, "end": row.end, "label": row.label}
        if self.quoted:
            own["text"] = row.text if row.start is not None else row.quote
            own |= {"quote": row.quote} if row.text != row.quote and row.start is not None else {}
        own |= {"score": row.confidence} if row.confidence is not None else {}
        decided = {"status": row.status, "score": finite(row.score) if row.score is not None else None}
        decided |= {
            "place": row.place,
            "candidates": len(row.candidates),
            "moved": row.moved,
            "edits": row.edits or None,
        }
        decided |= {"reason": row.reason, "nearest": row.nearest, "normalised": list(row.normalised)}
        decided |= {"nearest_text": row.nearest_text} if self.quoted else {}
        return {**own, "locate": {key: value for key, value in decided.items() if value not in (None, "", [])}}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data: settings, counts, shares with intervals, and all items."""
        return {
            "settings": dict(self.settings),
            "documents": len(self.documents),
            "repaired": list(self.repaired),
            "without": list(self.without),
            "counts": self.counts(),
            "shares": [finite_values(one._asdict()) for one in self.shares],
            "items": [{"document": row.document, "item": row.item, **self._record(row)} for row in self.rows],
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json_text(self.to_dict())
