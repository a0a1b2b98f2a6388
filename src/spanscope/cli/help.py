"""Which commands there are, and help in titled groups: an option is found by what it is about."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from typer.core import TyperCommand

OWN = "Options"
TYPED: ContextVar[frozenset[str]] = ContextVar(
    "typed"
)  # parameters that were typed; the others have their defaults
COMMANDS = {  # each with the module that has it, in the order of use
    "eval": "scoring",
    "compare": "compare",
    "leaderboard": "leaderboard",
    "report": "report",
    "view": "report",
    "check": "about",
    "locate": "locate",
    "agree": "agree",
    "audit": "audit",
    "adjudicate": "adjudicate",
    "convert": "convert",
    "formats": "convert",
    "plan": "compare",
    "plot": "plot",
    "serve": "serve",
    "init": "init",
    "score": "scoring",
    "demo": "scoring",
    "measures": "about",
    "protocols": "about",
}


WHOLE_SENTENCE = 300  # characters; no command's first sentence is as long
MAY_STAND_ALONE = {"--fail-if-worse": "0"}  # options whose value may be left out, and what holds then


def fill_in_values(args: list[str]) -> list[str]:
    """Return what was typed, with the usual values of options that stand alone.

    >>> fill_in_values(["--fail-if-worse", "gold.jsonl"]), fill_in_values(["--fail-if-worse", "0.1"])
    (['--fail-if-worse', '0', 'gold.jsonl'], ['--fail-if-worse', '0.1'])
    """
    out = []
    for at, one in enumerate(args):
        out.append(one)
        if one in MAY_STAND_ALONE and not is_number("".join(args[at + 1 : at + 2])):
            out.append(MAY_STAND_ALONE[one])
    return out


def is_number(text: str) -> bool:
    """Tell whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


class GroupedCommand(TyperCommand):
    """A command whose help lists its options under the titles of their groups."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed; an option whose value may be left out has its usual one then."""
        left: list[str] = super().parse_args(ctx, fill_in_values(args))
        given = {name: ctx.get_parameter_source(name) for name in ctx.params}
        TYPED.set(frozenset(name for name, source in given.items() if source and source.name == "COMMANDLINE"))
        return left

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first sentence of the help, whole: the list of commands wraps it; Click would cut it."""
        return super().get_short_help_str(max(limit, WHOLE_SENTENCE))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, those of a group together; a command's own come first."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], OWN: []}
        for one in self.get_params(ctx):
            record = one.get_help_record(ctx)
            title = "Arguments" if one.param_type_name == "argument" else getattr(one, "rich_help_panel", None)
            if record is not None:
                groups.setdefault(title or OWN, []).append(record)
        for title, records in groups.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records, col_max=24)
