"""Which commands there are, and help in titled groups: an option is found by what it is about."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

OWN = "Options"
COMMANDS = {  # each with the module that has it, in the order of use
    "eval": "scoring",
    "compare": "compare",
    "report": "report",
    "view": "report",
    "check": "about",
    "agree": "agree",
    "plan": "compare",
    "plot": "plot",
    "serve": "serve",
    "score": "scoring",
    "demo": "scoring",
    "measures": "about",
    "protocols": "about",
}


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
