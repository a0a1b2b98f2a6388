"""inspect_ai: a scorer for tasks in which a model marks spans by quoting them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from spanscope.commands.evaluate import evaluate
from spanscope.errors import InputError, shown
from spanscope.measures.registry import parse
from spanscope.rates import Rate
from spanscope.report.tables.errors import worst_errors
from spanscope.settings.reading import Reading
from spanscope.settings.run_settings import may_quote

UNREADABLE = "unreadable"  # outputs without JSON that can be read: they count as nothing found
SHOWN = 10  # errors in the explanation of a score
Counts = dict[str, float]


def span_scorer(measure: str = "spans.exact", *, repair_json: bool = False, **options: Any) -> Any:
    """Return a scorer for a Task: the output is JSON with quotes, which are placed in the text and scored.

    measure       what is measured.
    repair_json   mend broken JSON, such as an answer that was cut off.
    options       other keywords of `spanscope.evaluate`.

    The text of a sample is its metadata's `text`, else its input; its target is a JSON list of gold spans, such as
    `[[0, 4, "PER"]]`. The output is whatever `spanscope locate` reads: `[{"label": "PER", "quote": "Anna"}]` or
    `{"PER": ["Anna"]}`, in a fence or among words. The value of a score is the counts of the sample, and each rate
    of the measure is a metric over the sums of all samples. An output that cannot be read counts as nothing found;
    the metric `unreadable` is the share of such outputs.
    """
    from inspect_ai.scorer import Score, metric, scorer

    chosen = parse(measure)
    rates = chosen.definition.rate_set.rates()

    def made(name: str, read: Callable[[Sequence[Counts]], float]) -> Any:
        def compute(scores: list[Any]) -> float:
            return read([one.score.value for one in scores])

        return metric(name=name)(lambda: compute)()

    metrics = [made(rate.name, _over_sums(rate)) for rate in rates] + [made(UNREADABLE, _share_unreadable)]
    shows = may_quote(options.get("text", "full"))

    async def score(state: Any, target: Any) -> Any:
        document, output = str(state.metadata.get("text", state.input_text)), state.output.completion
        counts, explanation = score_output(
            document, target.text, output, measure, repair_json=repair_json, **options
        )
        return Score(value=counts, answer=output if shows else None, explanation=explanation)

    return scorer(metrics=metrics, name="spanscope")(lambda: score)()


def score_output(
    document: str,
    target: str,
    output: str,
    measure: str = "spans.exact",
    *,
    repair_json: bool = False,
    **options: Any,
) -> tuple[Counts, str]:
    """Return the counts of one sample, and its errors in words.

    >>> score_output("Anna met Bob", '[[0, 4, "PER"], [9, 12, "PER"]]', '{"PER": ["Anna"]}')[0]
    {'tp': 1.0, 'pred': 1.0, 'gold': 2.0, 'unreadable': 0.0}
    """
    gold = [{"id": "sample", "text": document, "spans": _spans(target)}]
    given = {"ci": False, **options, "read": Reading(locate=True, repair_json=repair_json)}
    found, why = [{"id": "sample", "output": output}], ""
    try:
        result = evaluate(gold, found, measure, **given)
    except InputError as error:
        if not error.where.startswith("outputs"):
            raise
        why = str(error)
        result = evaluate(gold, [{"id": "sample", "spans": []}], measure, **{**given, "read": Reading()})
    lines = [why] if why else []
    lines += ["".join(part for part, _ in line) for line in worst_errors(result, SHOWN)]
    counts = {name: float(number) for name, number in result.totals().items()}
    return counts | {UNREADABLE: float(bool(why))}, "\n".join(lines)


def _spans(target: str) -> list[Any]:
    """Return the gold spans that the target of a sample holds."""
    try:
        found = json.loads(target)
    except ValueError:
        found = None
    if not isinstance(found, list):
        raise InputError(f"the target of a sample is {shown(target)}", expected="a JSON list of spans")
    return found


def _over_sums(rate: Rate) -> Callable[[Sequence[Counts]], float]:
    """Return a function that reads a rate from the sums of the counts of all samples."""

    def read(values: Sequence[Mapping[str, float]]) -> float:
        if not values:
            return math.nan
        names = [name for name in values[0] if name != UNREADABLE]
        return float(rate({name: np.array([sum(one[name] for one in values)]) for name in names})[0])

    return read


def _share_unreadable(values: Sequence[Mapping[str, float]]) -> float:
    return float(np.mean([one[UNREADABLE] for one in values])) if values else math.nan
