"""What stays in memory: spans, or only counts of files that are read a block at a time, or only totals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spanscope.arguments import one_of, whole
from spanscope.errors import InputError, MeasureError
from spanscope.findings.slices import SETTLED
from spanscope.io.folder import is_folder, sources_in
from spanscope.io.json_lines import can_stream
from spanscope.io.opening import peek
from spanscope.io.pipes import byte_size
from spanscope.io.source import STDIN
from spanscope.results.result import KEEPING, Keeping
from spanscope.settings.run_settings import Settings

LARGE = 1_500_000_000  # bytes of both files from which spans are not kept, unless asked for
MOST_JOBS = 1_000  # processes: more than any machine has cores for
MOST_COUNTED = 2_000_000  # documents from which only totals are kept, unless asked for
WHOLE = 2_000_000_000  # bytes of a JSON file that is not JSON Lines: it can only be read whole


def uses_blocks(gold: Any, pred: Any, jobs: int, memory: str | None) -> bool:
    """Tell whether spans are let go of once counted: as asked, else for several processes and large files."""
    if memory is not None:
        one_of("memory", memory, KEEPING)
    whole("jobs", jobs, 1, MOST_JOBS)
    for source in (gold, pred):
        _refuse_huge(source)
    if memory == "spans":
        if jobs > 1:
            raise MeasureError(
                "several processes give back counts, not spans", hint="[[memory=counts]], or [[jobs=1]]"
            )
        return False
    if jobs == 1 and (memory is not None or not is_large(gold, pred)):
        return memory is not None
    able = can_cut(gold) and can_cut(pred)
    if jobs > 1 and not able:
        odd = gold if not can_cut(gold) else pred
        raise InputError(
            "cannot be read by several processes",
            where=str(odd) if isinstance(odd, (str, Path)) else "the input",
            expected="two files of JSON Lines, Parquet or Arrow",
        )
    return able


def can_cut(source: Any) -> bool:
    """Tell whether a source can be read in blocks: a file of JSON Lines, or of a table."""
    if can_stream(source):
        return True
    from spanscope.io.row_stream import is_cut_by_rows  # which only tables need

    return is_cut_by_rows(source)


def _refuse_huge(source: Any) -> None:
    """Refuse a JSON file that can only be read whole, and would fill the memory."""
    if size_of(source) <= WHOLE or peek(source).lstrip()[:1] not in (b"[", b"{") or can_cut(source):
        return
    raise InputError(
        f"is one JSON value of {size_of(source):,} bytes, which can only be read whole",
        where=str(source),
        expected=f"JSON Lines, one document per line, or at most {WHOLE:,} bytes",
        hint=f"jq -c '.[]' {source} > FILE.jsonl   which writes the documents of a list as lines",
    )


def most_documents(memory: Keeping | None, settings: Settings) -> int | None:
    """Return from how many documents on only totals are kept: None where counts of all are, 0 where of none.

    Where only totals are asked for, what cannot be had from them is refused.
    """
    if memory == "totals":
        if (error := _why_not(settings)) is not None:
            raise error
        return 0
    return MOST_COUNTED if memory is None and _why_not(settings) is None else None


def _why_not(settings: Settings) -> MeasureError | None:
    """Return why something that is asked for cannot be had from totals."""
    hint = "[[memory=counts]]"
    if settings.thresholds == "exact":
        return MeasureError("exact thresholds need every score, and only totals are kept", hint=hint)
    if (by := next((one for one in settings.by if one in SETTLED), None)) is not None:
        return MeasureError(f"{by} needs the counts of every document, and only totals are kept", hint=hint)
    return None


def is_large(*sources: Any) -> bool:
    """Tell whether the files together are so large that spans are not kept, unless asked for."""
    return size_of(*sources) > LARGE


def size_of(*sources: Any) -> int:
    """Return the bytes of the sources that are files."""
    out = 0
    for source in sources:
        if isinstance(source, (str, Path)) and str(source) != STDIN:
            try:
                out += sum(map(byte_size, sources_in(source))) if is_folder(source) else byte_size(source)
            except (OSError, ValueError, InputError):  # whoever opens it says what is wrong
                continue
    return out
