"""The report in plain characters, as `terminal` has it, for pipes and files: small runs need not wait for rich.

Only what lies in lines as it is: where a sentence has to be broken, or may be wider than a column, rich does it.
"""

from __future__ import annotations

from math import inf

from spanscope.report.layout import columns, laid_out
from spanscope.report.names import ORDINARY
from spanscope.report.problems import noted, warned
from spanscope.report.tables import WIDTH, facts, has_primary, tables
from spanscope.results.result import Result


def text(result: Result, *, digits: int = 4, worst: int = 0) -> str | None:
    """Return the report as plain text, without examples; None where it takes rich to break its sentences."""
    room = columns()
    known = facts(result)
    keys = max(len(key) for key, _ in known)
    prose = [line for line, _ in warned(result)]
    prose += [f"{key:<{keys}}  {value}" for key, value in known]
    lines = [*prose]
    for at, table in enumerate(tables(result, digits, worst=worst)):
        (title, *grid), note = laid_out(table, room or inf, primary=at == 0 and has_primary(result, table))
        around = ["".join(part for part, _ in title), *note.splitlines()]
        lines += ["", around[0], *("".join(part for part, _ in line) for line in grid), *around[1:]]
        prose += around
    below = [line for line, _ in noted(result)]
    signature = result.signature()
    prose += below
    if max(map(len, prose)) > min(room or WIDTH, WIDTH) or not ORDINARY.issuperset("".join([*prose, signature])):
        return None
    return "\n".join(line.rstrip() for line in [*lines, *below, "", signature]) + "\n"
