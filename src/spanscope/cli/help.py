"""Help in titled groups: an option is found by what it is about."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

OWN = "Options"


class GroupedCommand(TyperCommand):
    """A command whose help lists its options under the titles of their groups."""

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


class OrderedGroup(TyperGroup):
    """The program: commands in the order of use, eval first."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  what click hands over
        """Return the names of the commands, the most used first."""
        return sorted(self.commands, key=_place)


ORDER = ("eval", "compare", "report", "view", "check", "agree", "plan", "plot", "serve", "score", "demo")


def _place(name: str) -> tuple[int, str]:
    return (ORDER.index(name) if name in ORDER else len(ORDER), name)
