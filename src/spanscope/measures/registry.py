"""A measure is a value: a published definition and its parameters, whose text form parses back to it."""

from __future__ import annotations

import ast
import importlib
import inspect
import keyword
import math
import pkgutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from spanscope import plugins
from spanscope.arguments import mapping
from spanscope.arithmetic import Bools
from spanscope.counts import Counts
from spanscope.errors import MeasureError, PluginError, SpanscopeError, did_you_mean, kind_of_value, shown
from spanscope.families import FAMILIES
from spanscope.match.one_to_one import Match
from spanscope.match.overlaps import Pairs
from spanscope.match.verdicts import Confusion, Verdicts
from spanscope.rates import RateSet
from spanscope.sides.comparison import Comparison

if TYPE_CHECKING:  # each is loaded with the measures of its family
    from spanscope.match.boundary_pairs import BoundaryMatch
    from spanscope.match.gold_ranking import PassageMatch

Value = str | int | float | bool
TOOLS = "tools"  # what only copies a tool, of any family
AGREEMENT = "agreement"  # measures of any number of annotators
PACKAGES = (*FAMILIES, AGREEMENT)
OURS = "spanscope.measures."
ALWAYS = (
    "threshold",
    "mode",
    "tolerance",
    "sigma",
    "n_t",
    "bins",
    "k",
)  # parameters without which a figure cannot be read


@dataclass(frozen=True)
class Range:
    """The values a number may take, for `Annotated[float, Range(0, 1)]`."""

    low: float
    high: float

    def __str__(self) -> str:
        if math.isinf(self.high):
            return f"a number of at least {self.low:g}"
        return f"a number from {self.low:g} to {self.high:g}"


Share = Annotated[float, Range(0, 1)]
Whole = Annotated[int, Range(0, 2**31)]  # a distance in units
Positive = Annotated[float, Range(1e-9, 1e12)]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a measure found in a batch: the counts, and the very pairs that made them.

    `match` holds the pairs of spans that count as found, `boundaries` those of boundaries, and `passages` says
    which passage holds which gold answer: what pages, figures and lists draw. `ladder` is the matching of spans
    at the lowest threshold, where the matching at any threshold t is the part of it that reaches t: the whole
    curve is read from it.
    """

    counts: Counts
    match: Match | None = None
    ladder: Match | None = None
    counted: tuple[Bools, Bools] | None = None  # which gold and predicted rows count; None: all
    near: Pairs | None = None  # what errors are paired by, where it is not the spans that overlap
    verdicts: Verdicts | None = None  # where the measure itself says what became of each span
    confused: Confusion | None = None  # label pairs by the measure's own rules
    boundaries: BoundaryMatch | None = None
    passages: PassageMatch | None = None


@dataclass(frozen=True, eq=False)
class Definition:
    """A registered measure: its function, its parameters and how rates are read from its counts."""

    name: str
    function: Callable[..., Outcome]
    rate_set: RateSet
    needs: frozenset[str]
    matches: bool
    explains: bool
    breaks: Mapping[str, str]
    parameters: Mapping[str, inspect.Parameter]
    types: Mapping[str, Any]
    settle: Callable[..., Mapping[str, Value]] | None = None
    overall: str = ""

    @property
    def doc(self) -> str:
        """Return the definition as written for people."""
        return inspect.getdoc(self.function) or ""

    @property
    def origin(self) -> str:
        """Return the package that adds it, with its version; '' for our own, and for those of a script."""
        plugin = plugins.of_module("measures", self.function.__module__)
        return "" if plugin is None else plugin.origin

    @property
    def summary(self) -> str:
        """Return the first line of the definition."""
        return self.doc.partition("\n")[0]


@dataclass(frozen=True)
class Measure:
    """A definition with all its parameters set. Equal, hashed and printed by its text form."""

    name: str
    params: tuple[tuple[str, Value], ...]
    definition: Definition = field(compare=False, repr=False)

    @cached_property
    def text(self) -> str:
        """Return the text form, with every parameter."""
        inner = ", ".join([f"{key}={_print_value(value)}" for key, value in self.params])
        return f"{self.name}({inner})" if inner else self.name

    def __str__(self) -> str:
        return self.text

    @cached_property
    def short(self) -> str:
        """Return the text form with the threshold or mode, and whatever else is not at its default."""
        return self.without()

    def without(self, *names: str) -> str:
        """Return the short text form without some parameters: what measures at several cutoffs share."""
        inner = ", ".join(
            f"{key}={_print_value(value)}"
            for key, value in self.params
            if key not in names and (key in ALWAYS or value != self.definition.parameters[key].default)
        )
        return f"{self.name}({inner})" if inner else self.name

    def __call__(self, c: Comparison) -> Outcome:
        try:
            found: object = self.definition.function(c, **dict(self.params))
        except SpanscopeError:
            raise
        except Exception as error:
            plugin = plugins.of_module("measures", self.definition.function.__module__)
            if plugin is None:
                raise
            raise plugin._replace(name=self.name).failure(error) from error
        if not isinstance(found, Outcome):
            raise MeasureError(f"{self.name} returns {kind_of_value(found)}", expected="an Outcome")
        return found

    def replace(self, **changes: Value) -> Measure:
        """Return the same measure with some parameters changed."""
        return build(self.name, {**dict(self.params), **changes})

    def settle(self, c: Comparison) -> Measure:
        """Return the measure with what depends on the data decided, once for all batches of it."""
        if (settle := self.definition.settle) is None:
            return self
        asked = {name: value for name, value in self.params if name in inspect.signature(settle).parameters}
        return self.replace(**settle(c, **asked))

    def fits(self, asked: Measure) -> bool:
        """Tell whether this is the measure that was asked for, with what depends on the data decided."""
        settle = self.definition.settle
        open_ = () if settle is None else tuple(inspect.signature(settle).parameters)
        return self.name == asked.name and all(
            mine == other or (name in open_ and other == self.definition.parameters[name].default)
            for (name, mine), (_, other) in zip(self.params, asked.params, strict=True)
        )

    @cached_property
    def family(self) -> str:
        """Return the family: the part of the name before the dot."""
        return self.name.partition(".")[0]

    @property
    def threshold(self) -> float | None:
        """Return the threshold, for measures that have one."""
        value = dict(self.params).get("threshold")
        return None if value is None else float(value)

    def __reduce__(self) -> tuple[object, ...]:
        return (parse, (str(self),))


_registry: dict[str, Definition] = {}
_loaded: set[str] = set()


def measure(
    name: str,
    rates: RateSet,
    *,
    needs: frozenset[str] = frozenset({"offsets"}),
    matches: bool = True,
    explains: bool = False,
    breaks: Mapping[str, str] | None = None,
    settle: Callable[..., Mapping[str, Value]] | None = None,
    overall: str = "",
) -> Callable[[Callable[..., Outcome]], Callable[..., Outcome]]:
    """Register a function from a comparison to counts as a measure, under its public name.

    `rates` says which rates are read from its counts. `needs` names what the spans must have (offsets, text);
    `matches` says that the outcome holds what was matched (spans, boundaries or passages), `explains` that the
    measure itself names the errors.
    `breaks` names the laws it breaks, each with the parameter under which it does and the reason. `settle` takes
    the whole comparison and the parameter it is about, and says what an `auto` stands for there. `overall` goes on
    where the name of the measure starts a sentence about its overall figures, where these are not those of labels.
    """

    def register(function: Callable[..., Outcome]) -> Callable[..., Outcome]:
        parameters = dict(list(inspect.signature(function).parameters.items())[1:])
        types = get_type_hints(function, include_extras=True)
        if not function.__module__.startswith(OURS):
            _check_new(name, function, parameters, types)
        _registry[name] = Definition(
            name, function, rates, needs, matches, explains, breaks or {}, parameters, types, settle, overall
        )
        return function

    return register


def _check_new(
    name: str,
    function: Callable[..., Outcome],
    parameters: Mapping[str, inspect.Parameter],
    types: Mapping[str, Any],
) -> None:
    """Refuse a measure that is not ours if its name is taken, or if its signature says too little."""
    for package in {name.partition(".")[0], TOOLS} & {*PACKAGES, TOOLS}:
        _load_all(package, until=name)
    taken, own = _registry.get(name), function.__module__.partition(".")[0]
    owner = own if taken is None else taken.function.__module__.partition(".")[0]
    if (owner not in (own, "__main__") and own != "__main__") or owner == "spanscope":
        raise MeasureError(f"a measure of {owner} is called {name} already", expected="a name that is not taken")
    if "." not in name:
        raise MeasureError(
            f"a measure is called {shown(name)}", expected="a family, a dot and a name: mine.starts"
        )
    if not inspect.signature(function).parameters:
        raise MeasureError(f"{name} takes nothing", expected="a comparison, then parameters with defaults")
    for key, one in parameters.items():
        if one.default is inspect.Parameter.empty or key not in types:
            raise MeasureError(
                f"{key} of {name} has no {'type' if one.default is not one.empty else 'default'}",
                expected="a type and a default for every parameter behind the comparison",
            )


def known() -> dict[str, Definition]:
    """Return every registered measure by name, those of packages included, as far as these can be used."""
    return known_and_refused()[0]


def known_and_refused() -> tuple[dict[str, Definition], list[PluginError]]:
    """Return every registered measure by name, and what is wrong with packages whose measures cannot be used."""
    for package in (*PACKAGES, TOOLS):
        _load_all(package)
    _, refused = plugins.load_all("measures", plugins.Plugin.load)
    return dict(sorted(_registry.items())), refused


def parse(text: str | Measure, defaults: Mapping[str, Mapping[str, Value]] | None = None) -> Measure:
    """Return the measure that a text such as `spans.relaxed(threshold=0.8)` names.

    `defaults` replaces the defaults of measures by name (a protocol's settings); what the text says wins.
    """
    if isinstance(text, Measure):
        return text
    if not isinstance(text, str):
        raise MeasureError(f"a measure is {shown(text)}", expected="a form such as spans.relaxed(threshold=0.8)")
    name, given = _read(text)
    usual = mapping("defaults", defaults, "parameters by measure", (Mapping,))
    return build(name, {**usual.get(name, {}), **given})


def build(name: str, given: Mapping[str, Value]) -> Measure:
    """Return a measure by name and parameters, every one checked."""
    definition = _find(name)
    for key in given:
        if key not in definition.parameters:
            raise MeasureError(
                f"{name} has no parameter {shown(key)}{did_you_mean(key, definition.parameters)}",
                expected=", ".join(definition.parameters) or "no parameters",
                hint=f"spanscope measures {name}",
            )
    params = tuple(
        (key, _check(definition, key, given.get(key, parameter.default)))
        for key, parameter in sorted(definition.parameters.items())
    )
    return Measure(name, params, definition)


def _find(name: str) -> Definition:
    family = name.partition(".")[0]
    for package in (family, TOOLS):
        if family in PACKAGES:
            _load_all(package, until=name)
    if name not in _registry and (plugin := plugins.the_only("measures", name)) is not None:
        plugin.load()
        if name not in _registry:
            raise plugin.refusal(f"nothing in {plugin.target} registers it")
    if name not in _registry:
        known, refused = known_and_refused()
        if name not in known:
            raise MeasureError(
                f"no measure is called {shown(name)}{did_you_mean(name, known)}",
                expected=plugins.in_words(refused),
                hint="spanscope measures   to list them",
            )
    return _registry[name]


def _load_all(package: str, until: str = "") -> None:
    """Load every module of a package of measures, until one has a measure: a new file needs no entry anywhere."""
    if until in _registry:
        return
    parent = importlib.import_module(f"spanscope.measures.{package}")
    for module in pkgutil.iter_modules(parent.__path__, f"{parent.__name__}."):
        if until not in _registry:
            _load(module.name)


def _load(module: str) -> None:
    if module not in _loaded:
        _loaded.add(module)
        importlib.import_module(module)


def _read(text: str) -> tuple[str, dict[str, Value]]:
    """Split a text form into the name and the parameters it gives."""
    wrong = MeasureError(
        f"cannot read the measure {shown(text)}", expected="a form such as spans.relaxed(threshold=0.8)"
    )
    if len(text) > 1000:
        raise wrong
    try:
        node = ast.parse(text.strip(), mode="eval").body
        call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
        name, params = ast.unparse(call.func), [(k.arg, _literal(k.value)) for k in call.keywords]
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):  # TypeError: {[]: 1} is no value
        raise wrong from None
    keys = {key for key, _ in params if key is not None}
    if call.args or len(keys) < len(params) or not isinstance(call.func, (ast.Attribute, ast.Name)):
        raise wrong
    return name, {str(key): value for key, value in params}


def _literal(node: ast.expr) -> Value:
    """Return a text, a number or a truth value; ValueError for anything else."""
    if isinstance(node, ast.Name):
        return {"true": True, "false": False}.get(node.id, node.id)
    value = ast.literal_eval(node)
    if not isinstance(value, (str, int, float, bool)):
        raise ValueError
    return value


def read_value(text: str) -> Value:
    """Return what a text stands for as the value of a parameter: a number, a truth value, or else itself.

    >>> read_value("10"), read_value("true"), read_value("greedy")
    (10, True, 'greedy')
    """
    try:
        return _literal(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return text


def _check(definition: Definition, key: str, value: Value) -> Value:
    """Return the value if it fits the type the function's signature gives the parameter."""
    hint = definition.types[key]
    bounds = [extra for extra in getattr(hint, "__metadata__", ()) if isinstance(extra, Range)]
    kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if get_origin(kind) is Literal:
        fits, expected = value in get_args(kind), " or ".join(map(str, get_args(kind)))
    elif kind is float:
        number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan
        fits = abs(number) <= sys.float_info.max  # no NaN, no infinity, no 900 digits
        expected = str(bounds[0]) if bounds else "a number"
    else:
        fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        expected = f"a whole number{str(bounds[0])[8:]}" if bounds else kind.__name__
    if not isinstance(value, str):
        fits = fits and all(bound.low <= value <= bound.high for bound in bounds)
    if not fits:
        told = value if isinstance(value, str) else shown(value)
        near = did_you_mean(told, map(str, get_args(kind))) if get_origin(kind) is Literal else ""
        raise MeasureError(f"{key} of {definition.name} is {shown(value)}{near}", expected=expected)
    return float(value) if kind is float else value


def _print_value(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.isidentifier() and value.isascii() and not _means_something(value):
        return value
    return repr(value)


def _means_something(word: str) -> bool:
    """Tell words that would be read back as something else than a string."""
    return keyword.iskeyword(word) or word in ("true", "false")
