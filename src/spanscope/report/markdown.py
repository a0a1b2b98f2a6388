"""Reports as Markdown."""

from __future__ import annotations

from spanscope.report.names import visible
from spanscope.report.rounding import write_table
from spanscope.report.table import MARK, PRIMARY, Report, Section, Table


def text(report: Report) -> str:
    """Return a report as a document: its title, words, tables and signatures, with blank lines between."""
    blocks = [f"# {visible(report.title)}"]
    for section in report.opening:
        blocks += _section(section)
    for table in report.tables:
        note = [visible(table.note)] if table.note else []
        title = f"{visible(table.title)} ({PRIMARY})" if table.leads else visible(table.title)
        blocks += [f"## {_escape(title)}", _table(table), *note]
    for section in report.closing:
        blocks += _section(section)
    lines = [f"`{visible(line)}`  " for line in report.signatures] or [f"`{visible(report.signature)}`"]
    return "\n\n".join([*blocks, "\n".join(lines)]) + "\n"


def _section(section: Section) -> list[str]:
    if not section.items:
        return []
    items = [visible(item) for item in section.items]
    words = ["\n".join(f"- {item}" for item in items)] if section.listed else items
    return [f"## {section.title}", *words] if section.title else words


def _table(table: Table) -> str:
    own = write_table(table)
    rule = tuple(":--" if column.left else "--:" for column in own.columns)
    marked = [(f"{MARK} {row[0]}", *row[1:]) if at in table.leads else row for at, row in enumerate(own.rows)]
    rows = [own.heads, rule, *marked]
    return "\n".join("| " + " | ".join(_escape(cell) for cell in row) + " |" for row in rows)


def _escape(text: str) -> str:
    return text.replace("|", "\\|")
