"""The options, each declared once.

From a declaration come the keyword in Python, the flag of the command line with its help, the setting in the JSON
of a result, the part of the signature where it is not the default, the refusal where nothing would read it, and
the page docs/options.md. Adding an option is adding a line to a group, and the code that uses it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from spanscope.errors import Caller, MeasureError, add_speaker
from spanscope.settings.declaring import PASSAGES, SPANS, TOKENS, Form, Option, option
from spanscope.settings.reading import Reading

if TYPE_CHECKING:
    from spanscope.engines.choice import Spark
    from spanscope.results.result import Keeping
    from spanscope.sides.pairing import Extra, Missing, Repeated
    from spanscope.stats.bootstrap import Method

Text = Literal["full", "context", "masked", "none"]
Undefined = Literal["null", "0", "1"] | float | None


@dataclass(init=False, repr=False, eq=False)  # it only declares: nobody makes one
class Asking:
    """What is scored."""

    measures: Any = option(
        None,
        "A measure; the first one gives the headline figure. Repeat the option for several.",
        "repeated",
        flag="--measure",
        short="-m",
        example="-m 'spans.relaxed(threshold=0.8)'",
        usual="the measures of the protocol",
    )
    protocol: Any = option(
        None,
        "A named set of measures and settings; `spanscope protocols` lists them.",
        short="-p",
        example="-p semeval",
        usual="chosen by the kind of data",
    )
    labels: Sequence[str] | None = option(
        None,
        "Score only these labels; the macro average is over all of them.",
        "list",
        example="--labels PERSON,PLACE",
        usual="all labels in the data",
        families=(SPANS, TOKENS),
    )
    missing: Missing | None = option(
        None,
        "What to do with gold documents that have no predictions: error, empty (score them as if "
        "nothing was found) or skip; when "
        "runs are compared also common (score only documents that every run has).",
        example="--missing empty",
        usual="error, unless the protocol sets another",
        signed=60,
    )
    extra: Extra | None = option(
        None,
        "What to do with predicted documents that are not in gold: error or skip.",
        example="--extra skip",
        usual="error, unless the protocol sets another",
        signed=61,
    )
    group: str | None = option(
        None,
        "A field of the gold documents, such as author: intervals and tests resample whole groups of documents.",
        example="--group patient",
        usual="resample single documents, or the articles marked in a CoNLL file",
        signed=63,
    )


@dataclass(init=False, repr=False, eq=False)  # it only declares: nobody makes one
class Slicing:
    """Slices: parts of the documents or spans that have figures of their own."""

    by: Sequence[str] | None = option(
        None,
        "Give figures for each value of this field of the gold documents, the worst first. Built in: @length, "
        "@label-frequency, @nested and @seen (of spans), @document-length. Repeat the option for several.",
        "repeated",
        example="--by source --by @length",
    )
    train: Any = option(
        None,
        "The training data for --by @seen: a span counts as seen when a span of the training data "
        "has the same text.",
        example="--train train.jsonl",
        families=(SPANS, TOKENS),
    )


@dataclass(frozen=True)
class Scoring:
    """Details of scoring."""

    parameters: Mapping[str, Any] | None = option(
        None,
        "Change one parameter of a measure of the protocol. Repeat the option for several.",
        "pairs",
        flag="--set",
        example="--set segments.b_score.tolerance=10",
        usual="the defaults of the measures",
    )
    beta: float | None = option(
        None,
        "Also give F-beta; with beta above 1, recall counts more than precision.",
        "number",
        example="--beta 2",
        usual="1, unless the protocol sets another",
    )
    undefined: Undefined = option(
        None,
        "The value of 0/0: null (left out of means, and reported), 0 or 1.",
        example="--undefined 0",
        usual="null, unless the protocol sets another",
    )
    repeated: Repeated | None = option(
        None,
        "What to do with ids that occur several times: error, or number (pair them in their order).",
        example="--repeated number",
        usual="error; for queries number",
        signed=62,
    )
    thresholds: Sequence[float] | Literal["exact"] | None = option(
        None,
        "Thresholds of the curve: numbers from 0 to 1, or exact for every score at which a figure changes.",
        "steps",
        example="--thresholds 0.3,0.5,0.8",
        usual="21 steps",
        families=(SPANS, TOKENS),
    )
    min_score: float | None = option(
        None,
        "Score only predictions whose confidence is at least this; every prediction needs one.",
        "number",
        example="--min-score 0.5",
        usual="all predictions",
        families=(SPANS, TOKENS),
        signed=63,
    )
    tune: Any = option(
        None,
        "Predictions on other (development) documents: the lowest confidence that gives the best F "
        "there is applied here as --min-score.",
        example="--tune dev.jsonl",
        usual="no tuning",
        families=(SPANS, TOKENS),
        signed=64,
    )
    tune_gold: Any = option(
        None,
        "Gold for the documents in --tune.",
        example="--tune-gold dev.gold.jsonl",
        usual="GOLD, if it contains these documents too",
        families=(SPANS, TOKENS),
    )
    k: int | Sequence[int] | None = option(
        None,
        "Cutoff k of the measures of passages: one number or several.",
        "cutoffs",
        example="--k 1,5,10",
        families=(PASSAGES,),
    )
    join: str | None = option(
        None,
        "How passages are matched with gold answers: by ids, texts or places.",
        example="--join texts",
        usual="whatever all of them have, ids first",
        families=(PASSAGES,),
        signed=10,
    )
    allow_different_texts: bool = option(
        False,
        "Score even if many texts differ from gold, or many span texts are not at their offsets.",
        "flag",
    )
    strict: bool = option(
        False, "Stop at data problems, such as texts that differ, instead of reporting them.", "flag"
    )
    errors: bool = option(True, "List the kinds of error and the confusion matrix of the first measure.", "flag")


@dataclass(frozen=True)
class Ci:
    """Confidence intervals: a bootstrap over documents."""

    resamples: int = option(1000, "Number of bootstrap resamples for confidence intervals.", "whole", least=2)
    level: float = option(0.95, "Confidence level of the intervals.", "number", example="--level 0.9")
    seed: int = option(0, "Random seed of the resamples.", "whole")
    method: Method = option(
        "wilson",
        "Method of the intervals: wilson (from the bootstrap standard error), percentile, basic or bca.",
        example="--method bca",
    )

    def __str__(self) -> str:
        return f"ci:bootstrap,{self.method},{self.resamples},level:{self.level:g},seed:{self.seed}"


@dataclass(frozen=True)
class Running:
    """Memory, processes and Spark."""

    jobs: int = option(
        1,
        "Number of processes that read JSON Lines files. The figures do not change.",
        "whole",
        short="-j",
        least=1,
    )
    memory: Keeping | None = option(
        None,
        "What is kept in memory: spans, counts (by document; no list of errors) or totals (sums over documents).",
        example="--memory totals",
        usual="chosen by the size of the files",
    )
    engine: str | Spark | None = option(
        None,
        "Where the scoring runs: local, or spark (for Parquet and JSON Lines).",
        example="--engine spark",
        usual="local",
    )


@dataclass(init=False, repr=False, eq=False)  # it only declares: nobody makes one
class Showing:
    """What is shown: texts, and the head of the report."""

    text: Text = option(
        "full",
        "How much text to show in reports, pages and messages: full, context (only around "
        "errors, in pages), masked or none.",
    )
    meta: Mapping[str, str] | None = option(
        None,
        "An entry for the head of the report. Repeat the option for several.",
        "pairs",
        example="--meta model=NAME",
    )


@dataclass(init=False, repr=False, eq=False)
class Converting:
    """Conversion: the format to write, and what may be lost."""

    to: str | None = option(
        None,
        "The format to write; `spanscope formats` lists them.",
        example="--to brat",
        usual="chosen by the ending of OUT",
    )
    lossy: bool = option(False, "Write even if the format cannot hold everything, and list what was lost.", "flag")


GROUPS: dict[str, type] = {
    "score": Scoring,
    "read": Reading,
    "run": Running,
}  # keywords of evaluate that are groups
SIDES = {"gold": "gold", "pred": "the predictions"}
FLAT: tuple[type, ...] = (Asking, Slicing, Showing)  # groups whose options are keywords of their own
ALL: tuple[type, ...] = (Asking, Slicing, Scoring, Reading, Ci, Running, Showing)
OF_ONE: tuple[type, ...] = (Converting,)  # groups of one command, which does not score


def options_of(group: type) -> dict[str, Field[Any]]:
    """Return the options of a group by name."""
    return {one.name: one for one in fields(group)}


def about(one: Field[Any]) -> Option:
    """Return what is said of an option."""
    found: Option = one.metadata["option"]
    return found


def keyword_of(name: str) -> str:
    """Return the keyword of `evaluate` that an option is given by: its own, or that of its group."""
    return next((word for word, group in GROUPS.items() if name in options_of(group)), name)


def grouped(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return options by name as keywords of `evaluate`: those of a group together, the others as they are."""
    out: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    for name, value in given.items():
        word = keyword_of(name)
        if word == name:
            out[name] = value
        else:
            parts.setdefault(word, {})[name] = value
    return out | {word: GROUPS[word](**own) for word, own in parts.items()}


def given_of(group: Any) -> dict[str, Any]:
    """Return the options of a group that differ from their defaults."""
    values = {one.name: getattr(group, one.name) for one in fields(group)}
    usual = {one.name: one.default for one in fields(group)}
    return {name: value for name, value in values.items() if not _same(value, usual[name])}


def _same(value: Any, usual: Any) -> bool:
    """Tell a default; an empty mapping or list says as little as none."""
    empty = usual is None and isinstance(value, (dict, list, tuple)) and not value
    return value is usual or empty or (type(value) is type(usual) and bool(value == usual))


def refuse_unread(group: Any, read: Sequence[str], what: str) -> None:
    """Refuse options that were given and that nothing would read: they would seem to have been heeded."""
    for name in given_of(group):
        if name not in read:
            raise MeasureError(f"{name} has no effect on {what}", expected=f"no {name} with it")


def say_option(name: str, value: str, caller: Caller) -> str:
    """Return an option and its value as the caller would write them; without a value its name.

    >>> say_option("offsets", "utf16", "flags"), say_option("offsets", "utf16", "python")
    ('--offsets utf16', 'read=Reading(offsets="utf16")')
    """
    side, _, own = name.partition("_")
    if side in SIDES and own in options_of(Reading):
        return _say_of_side(side, own, value, caller)
    one = next((options_of(group)[name] for group in (*ALL, *OF_ONE) if name in options_of(group)), None)
    if one is None:
        return f"{name} {value}".rstrip()
    said = about(one)
    if caller == "form":
        return f"{name}: {value}" if value else name
    if caller == "flags":
        flag = said.flag or f"--{name.replace('_', '-')}"
        if said.form == "flag":
            return f"--no-{flag[2:]}" if value == "False" else flag
        if said.form == "pairs":
            return " ".join(f"{flag} {pair}".rstrip() for pair in value.split(","))
        return f"{said.short if name == 'measures' else flag} {value}".rstrip()
    own = f"{name}={_literal(value, said.form)}" if value or said.form == "flag" else name
    groups = {**GROUPS, "ci": Ci}
    word = next((word for word, group in groups.items() if name in options_of(group)), None)
    return own if word is None or own == name else f"{word}={groups[word].__name__}({own})"


def _say_of_side(side: str, name: str, value: str, caller: Caller) -> str:
    """Return an option of one side as the caller would write it.

    >>> _say_of_side("pred", "offsets", "utf16", "flags"), _say_of_side("pred", "offsets", "utf16", "python")
    ('--pred-offsets utf16', 'pred=source(..., offsets="utf16")')
    """
    said = about(options_of(Reading)[name])
    if caller == "form":
        return f"{name} of {SIDES[side]}: {value}"
    if caller == "flags":
        return f"--{side}-{(said.flag or f'--{name}')[2:].replace('_', '-')} {value}"
    return f"{side}=source(..., {name}={_literal(value, said.form)})"


def _literal(value: str, form: Form) -> str:
    """Return a value that stands in a hint as Python would have it."""
    parts = [part.strip() for part in value.split(",")]
    if form in ("whole", "number"):
        return value
    if form == "flag":
        return value or "True"
    if form == "cutoffs":
        return f"[{', '.join(parts)}]"
    if form == "list":
        return f"[{', '.join(map(_quote, parts))}]"
    if form in ("pairs", "pair list"):
        pairs = [part.partition("=") for part in parts]
        own = [f"{_quote(key)}: {_number(value)}" for key, _, value in pairs]
        return f"{{{', '.join(own)}}}"
    return _quote(value)


def _number(text: str) -> str:
    """Return a number as it is, and a name in quotes."""
    return text if text.lstrip("-").isdigit() else _quote(text)


def _quote(text: str) -> str:
    return f'"{text}"'


add_speaker(say_option)
