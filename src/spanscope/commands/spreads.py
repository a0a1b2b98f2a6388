"""The several files of a system: their figures, and how far documents and files move the mean of these."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from spanscope.arithmetic import ratio
from spanscope.commands.systems import how_of_all, tables_of_runs
from spanscope.jsonable import finite
from spanscope.results.compared import Spread
from spanscope.results.runs import Run
from spanscope.settings.options import Ci
from spanscope.stats.bootstrap import Interval
from spanscope.stats.repeats import intervals_of_mean, variation_of
from spanscope.stats.sums import observed_values


def spreads_of_files(systems: Mapping[str, Sequence[Run]], ci: Ci) -> list[Spread]:
    """Return the figures of every system that has several files, and how far documents and files move them."""
    out = []
    for name, runs in systems.items():
        settings = runs[0].settings
        for at, measure in enumerate(settings.measures) if len(runs) > 1 else ():
            how = how_of_all(runs, at)
            tables = tables_of_runs(runs, at, how)
            found = variation_of([tables], ci.resamples, ci.seed)
            between = intervals_of_mean(found, tables, ci.level)
            each = np.array([observed_values(held) for held in tables])
            errors = np.sqrt([found.documents, found.runs]).T.tolist()
            for row, values, interval, error in zip(tables[0].rows(), each.T, between, errors, strict=True):
                known = values[~np.isnan(values)].tolist()
                if known:
                    out.append(_spread((str(measure), *row, name), known, interval, error))
    return out


def _spread(
    names: tuple[str, str, str, str | None, str],
    values: Sequence[float],
    interval: Interval,
    error: Sequence[float],
) -> Spread:
    """Return the spread of the figures of several files, from those that are defined."""
    mean = float(ratio(math.fsum(values), len(values)))
    square = float(ratio(math.fsum((one - mean) ** 2 for one in values), len(values) - 1))
    bounds = (finite(interval.low), finite(interval.high))
    errors = (finite(error[0]), finite(error[1]) if len(values) > 1 else None)
    deviation = finite(math.sqrt(square) if len(values) > 1 else math.nan)
    return Spread(*names, len(values), mean, min(values), max(values), deviation, *errors, *bounds)
