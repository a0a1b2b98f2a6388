"""Files that are called by other paths on the two sides: those of predictions get gold's."""

from __future__ import annotations

from spanscope.data.problems import problem_at
from spanscope.io.passages.path_ends import same_ends
from spanscope.io.passages.rows import PassageRows


def pair_files(gold: PassageRows, pred: PassageRows) -> None:
    """Give predicted passages gold's names of files where whole paths share nothing, and note it."""
    ours, theirs = ({name for name in own.file if name is not None} for own in (gold, pred))
    if not ours or not theirs or ours & theirs:
        return
    if alike := same_ends(ours, theirs):
        pred.file = [alike.get(name, name) if name is not None else None for name in pred.file]
        other = min(alike)
        values = {"book": other, "other": alike[other]}
        pred.problems.append(problem_at("other path", pred.name, values, number=len(alike)))
