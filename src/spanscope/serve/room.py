"""How much is kept, and how long: what is too old goes, and where room is lacking uploads go before runs."""

from __future__ import annotations

import time

from spanscope.serve.limits import DAY, HOUR, Refused, size_in_words
from spanscope.serve.state import State


def tidy(state: State, now: float | None = None) -> None:
    """Remove what is beyond its time or its number: uploads, deleted runs, comparisons, what failed jobs said."""
    now, limits = time.time() if now is None else now, state.limits
    spare = _spare(state)
    old = [own for own in spare if now - state.uploads[own].modified > limits.days * DAY]
    many = spare[: max(0, len(state.uploads) - limits.uploads)]
    drop_uploads(state, [*dict.fromkeys((*old, *many))])
    drop_deleted(state, [own for own, head in state.deleted.items() if now - head["gone"] > limits.undo * HOUR])
    drop_compared(state, list(state.compared)[: max(0, len(state.compared) - limits.compared)])
    over = [own for own, job in state.jobs.items() if job.over]
    late = [own for own in over if now - state.jobs[own].ended > limits.told]
    for own in {*late, *over[: max(0, len(over) - limits.failures)]}:
        del state.jobs[own]


def make(state: State, wanted: int) -> None:
    """Make room for so many bytes: deleted runs go first, then uploads that nothing needs, the oldest first."""
    for drop, held in ((drop_deleted, state.deleted), (drop_uploads, _spare(state))):
        for own in list(held):
            if state.store.size() + wanted <= state.limits.total:
                return
            drop(state, [own])
    used = state.store.size()
    if used + wanted > state.limits.total:
        raise Refused(
            507,
            f"the runs that are kept have {size_in_words(used)} of {size_in_words(state.limits.total)}",
            expected="room for another",
            hint="delete runs, or spanscope serve --total 20GB",
        )


def refuse_more_runs(state: State) -> None:
    """Refuse a run where no more are kept: none goes unless somebody deletes it."""
    if len(state.runs) >= state.limits.runs:
        raise Refused(507, f"{len(state.runs)} runs are kept", expected="fewer", hint="delete runs")


def _spare(state: State) -> list[str]:
    """Return the uploads that no job has still to read, the oldest first."""
    needed = set().union(*state.needs.values()) if state.needs else set()
    return [own for own in state.uploads if own not in needed]


def drop_uploads(state: State, ids: list[str]) -> None:
    """Remove uploads."""
    for own in ids:
        del state.uploads[own]
    state.store.drop("upload", ids)


def drop_deleted(state: State, ids: list[str]) -> None:
    """Remove runs that were deleted before."""
    for own in ids:
        del state.deleted[own]
    state.store.drop("run", ids)


def drop_compared(state: State, keys: list[str]) -> None:
    """Remove comparisons: they can be made again."""
    state.store.drop("compare", [state.compared.pop(key)["id"] for key in keys])
