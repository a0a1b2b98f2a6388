"""Where the lowest score was found, if it was found on other documents; and where that cannot be asked for."""

from __future__ import annotations

from dataclasses import dataclass

from spanscope.errors import MeasureError
from spanscope.settings.options import Scoring


@dataclass(frozen=True)
class Tuned:
    """Where the lowest score was found: the inputs and their hashes, the figure that led there, and its value."""

    gold: str | None
    pred: str | None
    gold_sha256: str | None
    pred_sha256: str | None
    documents: int
    measure: str
    rate: str
    value: float

    def __str__(self) -> str:
        hashes = (self.gold_sha256, self.pred_sha256)
        return ",".join("memory" if one is None else one[:12] for one in hashes)


def refuse_tuning(score: Scoring) -> None:
    """Refuse other documents to tune on where there is nothing to tune."""
    for name in ("tune", "tune_gold"):
        if getattr(score, name) is not None:
            raise MeasureError(
                f"{name} is for predictions that are scored against gold, one run at a time",
                expected=f"no {name} here",
                hint="[[min_score=0.5]]   with the score found by spanscope eval",
            )
