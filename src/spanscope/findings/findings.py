"""What counting gives."""

from __future__ import annotations

from dataclasses import dataclass

from spanscope.counts import Counts
from spanscope.match.verdicts import Confusion, Verdicts
from spanscope.stats.averages import Ladder, Rungs

LEAKS = "tokens.leaks"  # the measure whose pieces are listed as leaks


@dataclass(frozen=True, eq=False)
class Findings:
    """What counting gives, of a batch or of all: counts of every measure, and the errors of the headline one."""

    counts: tuple[Counts, ...]
    ladder: Ladder | Rungs | None = None  # rungs where only totals are kept
    kinds: Counts | None = None
    confused: Confusion | None = None
    verdicts: Verdicts | None = None
