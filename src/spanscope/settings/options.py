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
        "A measure; the first one leads. Repeat it for several.",
        "repeated",
        flag="--measure",
        short="-m",
        example="-m 'spans.relaxed(threshold=0.8)'",
        usual="those of the protocol",
    )
    protocol: Any = option(
        None,
        "A named bundle of measures and settings; spanscope protocols lists them.",
        short="-p",
        example="-p semeval",
        usual="by the kind of data",
    )
    labels: Sequence[str] | None = option(
        None,
        "Score these labels only, and average macro over all of them.",
        "list",
        example="--labels PERSON,PLACE",
        usual="the labels seen",
        families=(SPANS, TOKENS),
    )
    missing: Missing | None = option(
        None,
        "Documents of gold that the predictions lack: error, empty (nothing was found in them) or skip; where "
        "runs are compared, also common (what some run lacks is left out of all).",
        example="--missing empty",
        usual="error, or as the protocol says",
        signed=60,
    )
    extra: Extra | None = option(
        None,
        "Documents of the predictions that gold lacks: error or skip.",
        example="--extra skip",
        usual="error, or as the protocol says",
        signed=61,
    )
    group: str | None = option(
        None,
        "A field of gold's documents, such as author: intervals and tests draw all documents of a group together.",
        example="--group patient",
        usual="documents are drawn one by one, or the articles that a CoNLL file marks",
        signed=63,
    )


@dataclass(init=False, repr=False, eq=False)  # it only declares: nobody makes one
class Slicing:
    """Slices: parts of the documents or spans that have figures of their own."""

    by: Sequence[str] | None = option(
        None,
        "A field of gold's documents: figures for each of its values, the worst first. Or @length, "
        "@label-frequency, @nested, @seen (of spans) or @document-length. Repeat it for several.",
        "repeated",
        example="--by source --by @length",
    )
    train: Any = option(
        None,
        "The training data, for --by @seen: spans whose text is that of a span in it are seen.",
        example="--train train.jsonl",
        families=(SPANS, TOKENS),
    )


@dataclass(frozen=True)
class Scoring:
    """Finer points of scoring."""

    parameters: Mapping[str, Any] | None = option(
        None,
        "Change a parameter of a measure that is run, without naming the others again. Repeat it for several.",
        "pairs",
        flag="--set",
        example="--set segments.b_score.tolerance=10",
        usual="as the measures say",
    )
    beta: float | None = option(
        None,
        "Give F-beta beside F1: above 1 recall counts more.",
        "number",
        example="--beta 2",
        usual="1, or as the protocol says",
    )
    undefined: Undefined = option(
        None,
        "What 0/0 is: null (left out of means, and counted), 0 or 1.",
        example="--undefined 0",
        usual="null, or as the protocol says",
    )
    repeated: Repeated | None = option(
        None,
        "Ids that occur several times: error, or number to pair them in their order.",
        example="--repeated number",
        usual="error, number for queries",
        signed=62,
    )
    thresholds: Sequence[float] | Literal["exact"] | None = option(
        None,
        "Steps of the curve: numbers from 0 to 1, or exact for every score at which a figure changes.",
        "steps",
        example="--thresholds 0.3,0.5,0.8",
        usual="21 steps",
        families=(SPANS, TOKENS),
    )
    min_score: float | None = option(
        None,
        "Score only the predictions with at least this score; all of them must have one.",
        "number",
        example="--min-score 0.5",
        usual="all predictions",
        families=(SPANS, TOKENS),
        signed=63,
    )
    tune: Any = option(
        None,
        "Predictions of other documents: the lowest score with the best F there is the lowest score here.",
        example="--tune dev.jsonl",
        usual="no tuning",
        families=(SPANS, TOKENS),
        signed=64,
    )
    tune_gold: Any = option(
        None,
        "Gold of the documents that --tune has predictions of.",
        example="--tune-gold dev.gold.jsonl",
        usual="GOLD, which holds them too",
        families=(SPANS, TOKENS),
    )
    k: int | Sequence[int] | None = option(
        None, "Cutoff of passages measures, or several.", "cutoffs", example="--k 1,5,10", families=(PASSAGES,)
    )
    join: str | None = option(
        None,
        "What passages and gold answers are joined by: ids, texts or places.",
        example="--join texts",
        usual="what all of them have",
        families=(PASSAGES,),
        signed=10,
    )
    allow_different_texts: bool = option(
        False,
        "Score documents although many texts differ from gold's, or many span texts are not at their offsets.",
        "flag",
    )
    strict: bool = option(
        False, "Refuse data problems, such as texts that do not agree, instead of reporting them.", "flag"
    )
    errors: bool = option(
        True, "Name the kind of every error and count label confusions, for the first measure.", "flag"
    )


@dataclass(frozen=True)
class Ci:
    """How sure the figures are: intervals by a bootstrap over documents."""

    resamples: int = option(1000, "Resamples of the documents, for the intervals.", "whole", least=2)
    level: float = option(0.95, "Level of the intervals.", "number", example="--level 0.9")
    seed: int = option(0, "Seed of the resamples.", "whole")
    method: Method = option(
        "wilson",
        "How bounds are made: wilson, from the error over resamples; percentile, basic, bca, from quantiles.",
        example="--method bca",
    )

    def __str__(self) -> str:
        return f"ci:bootstrap,{self.method},{self.resamples},level:{self.level:g},seed:{self.seed}"


@dataclass(frozen=True)
class Running:
    """How it is run."""

    jobs: int = option(
        1,
        "Processes that read and count files of JSON Lines. The figures are the same.",
        "whole",
        short="-j",
        least=1,
    )
    memory: Keeping | None = option(
        None,
        "What is kept: spans, counts (of documents; no list of errors) or totals (their sums).",
        example="--memory totals",
        usual="by the size of the files",
    )
    engine: str | Spark | None = option(
        None,
        "Where it runs: local, or spark for Parquet and JSON Lines that Spark reads.",
        example="--engine spark",
        usual="local",
    )


@dataclass(init=False, repr=False, eq=False)  # it only declares: nobody makes one
class Showing:
    """What is shown: the texts, and the head of the report."""

    text: Text = option(
        "full", "Text in reports, pages and messages: full, context (around errors, in pages), masked or none."
    )
    meta: Mapping[str, str] | None = option(
        None, "For the head of the report. Repeat it for several.", "pairs", example="--meta model=NAME"
    )


@dataclass(init=False, repr=False, eq=False)
class Converting:
    """Conversion: the form that is written, and what may be lost."""

    to: str | None = option(
        None,
        "The form that is written; spanscope formats lists them.",
        example="--to brat",
        usual="by the ending of OUT",
    )
    lossy: bool = option(
        False, "Write it although the form cannot hold everything, and list what was lost.", "flag"
    )


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
            raise MeasureError(f"{name} means nothing for {what}", expected=f"no {name} beside it")


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
