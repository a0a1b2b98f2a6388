"""Documents for which a model gave no answer: pipelines write why under `error`, and no spans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.arguments import holds
from spanscope.data.problems import Problem, problem_at
from spanscope.data.wording import quote
from spanscope.io.fields import ERROR


def note_failed_call(record: Mapping[str, Any], where: str, row: int = 0) -> list[Problem]:
    """Note an error that a document carries: it is scored as a document with nothing found.

    >>> [str(one) for one in note_failed_call({"spans": [], "error": "timeout"}, "pred.jsonl:3")]
    ["pred.jsonl:3: the document carries an error, 'timeout', and is scored as it stands"]
    """
    error = record.get(ERROR)
    return [problem_at("failed call", where, {"error": quote(error)}, row=row)] if holds(error) else []
