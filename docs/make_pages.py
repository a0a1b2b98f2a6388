"""Write the pages that come from the code: docs/measures.md from docstrings, docs/cli.md from the
commands, docs/options.md from the declarations of options.

`python docs/make_pages.py` writes them, `--check` fails when they are stale (a test runs it).
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import get_type_hints

from typer.models import OptionInfo

from spanscope import PROTOCOLS, known, parse
from spanscope.cli import program
from spanscope.cli.declared import flag_of
from spanscope.commands.formats import formats as table_of_formats
from spanscope.settings.options import ALL, GROUPS, Ci, about, options_of

HERE = Path(__file__).parent
FIRST, LAST = "<!-- formats: written by make_pages.py -->", "<!-- end of formats -->"
WIDTHS = """\
Tables are fitted to the width of the terminal, or to the environment variable COLUMNS. If a table
is too wide, columns of minor importance are left out, and a line below the table names them; main
figures are split into parts, one below the other; long names are shortened in the middle, with a
legend below. Numbers are never cut. In a pipe or a file tables have their full width."""
CODES = """\
Exit codes: 0 for success; 1 if a gate was missed or `check` found problems; 2 for bad input,
wrong usage, a failed engine, or a gate on an undefined figure; 130 after Ctrl-C. On SIGTERM and
SIGHUP the program removes its temporary files before it ends."""
COMPLETION = """\
`spanscope --install-completion` sets up completion in bash, zsh, fish and PowerShell. It
completes commands, options and their values: protocols, measures, formats (including those of
[plug-ins](plugins.md)) and other fixed choices, and after `--labels` the labels of the gold file
on the command line."""
OUTPUTS = """\
An output file is written completely or not at all; if it replaces a file, it keeps that file's
permissions. Before the work starts it is an error if an output is also an input (even through a
link), if two outputs have the same path, or if an output cannot be written. Pipes and devices
(`-o /dev/stdout`) work too."""


def measures() -> str:
    """Return the page of measures: the definition of each, as written beside its code."""
    out = [
        "# Measures",
        "",
        "Written from the definitions in `src/spanscope/measures/`; `spanscope measures NAME` prints the same.",
        "A measure's text form is the same on the command line, in Python, in a result file and in a signature.",
        "",
    ]
    for name, definition in known().items():
        out += [f"## `{name}`", "", f"`{parse(name)}`", "", "```text", definition.doc, "```", ""]
    out += ["# Protocols", "", "A protocol is a named bundle of measures and settings (`--protocol NAME`).", ""]
    for protocol in PROTOCOLS.values():
        out += [f"## `{protocol.name}`", "", protocol.summary, ""]
        out += [*(f"- `{text}`" for text in protocol.measures), ""]
    return "\n".join(out)


def commands() -> str:
    """Return the page of commands, from the functions behind them."""
    out = ["# Command line", "", "Reports go to standard output, messages to standard error.", ""]
    out += [WIDTHS, "", CODES, "", OUTPUTS, "", COMPLETION, ""]
    for command in program().registered_commands:
        function = command.callback
        assert function is not None
        parameters = [described(*item) for item in get_type_hints(function, include_extras=True).items()]
        arguments = " ".join(name for name, _, is_option in parameters if name and not is_option)
        title = " ".join(filter(None, ("spanscope", command.name or function.__name__, arguments)))
        out += [f"## `{title}`", "", inspect.getdoc(function) or "", ""]
        rows = [f"| `{name}` | {text} |" for name, text, is_option in parameters if is_option]
        out += ["| option | meaning |", "| --- | --- |", *rows, ""] if rows else []
    return "\n".join(out)


def options() -> str:
    """Return the page of options, group by group, from their declarations."""
    keywords = {group: word for word, group in GROUPS.items()} | {Ci: "ci"}
    out = [
        "# Options",
        "",
        "All options, with their keyword in Python and their flag on the command line. In Python, options of a",
    ]
    out += [
        'group are passed together: `evaluate(gold, pred, read=Reading(offsets="utf16"))`. The last column says',
        "to which kinds of data an option applies.",
        "",
    ]
    for group in ALL:
        word = keywords.get(group)
        title = (group.__doc__ or "").rstrip(".")
        out += [f"## {title}" + (f": `{word}={group.__name__}(...)`" if word else ""), ""]
        out += [
            "| keyword | flag | meaning | default | example | applies to |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        for name, one in options_of(group).items():
            said = about(one)
            usual = said.usual or ("none" if one.default is None else f"`{one.default}`")
            families = ", ".join(said.families) or "all"
            shown = f"`{said.example}`" if said.example else ""
            flag = flag_of(name) + (f", {said.short}" if said.short else "")
            out.append(f"| `{name}` | `{flag}` | {said.help} | {usual} | {shown} | {families} |")
        out.append("")
    return "\n".join(out)


def described(name: str, hint: object) -> tuple[str, str, bool]:
    """Return a parameter's words on the command line, its help, and whether it is an option."""
    found = next((extra for extra in getattr(hint, "__metadata__", ()) if hasattr(extra, "help")), None)
    if found is None:
        return "", "", False
    is_option = isinstance(found, OptionInfo)
    if not is_option:
        return found.metavar or name.upper(), found.help or "", False
    # typer keeps the first word of Option("--measure", "-m") where a default would stand
    words = [str(word) for word in (found.default, *(found.param_decls or ())) if str(word).startswith("-")]
    return ", ".join(words), found.help or "", True


def formats() -> str:
    """Return the page of formats with its table made anew; the words around it are written by hand."""
    rows = ["| family | `--input` | known by | options it heeds | `--to` |", "| --- | --- | --- | --- | --- |"]
    for one in table_of_formats():
        if one["known"]:
            options_, written = (", ".join(f"`{name}`" for name in one[key]) for key in ("options", "written"))
            rows.append(f"| {one['family']} | `{one['name']}` | {one['known']} | {options_} | {written} |")
    page = (HERE / "formats.md").read_text(encoding="utf-8")
    before, _, rest = page.partition(FIRST)
    _, _, after = rest.partition(LAST)
    return "\n".join([f"{before}{FIRST}", *rows, f"{LAST}{after}"])


PAGES = {"measures.md": measures, "cli.md": commands, "options.md": options, "formats.md": formats}


def main() -> int:
    """Write the pages, or with --check tell which are stale."""
    stale = []
    for name, make in PAGES.items():
        page, text = HERE / name, make()
        if "--check" not in sys.argv:
            page.write_text(text, encoding="utf-8")
        elif not page.exists() or page.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        print(f"stale: {', '.join(stale)}; run python docs/make_pages.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
