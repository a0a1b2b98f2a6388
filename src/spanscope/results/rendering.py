"""What every kind of result can do: be shown as text, and in a notebook."""

from __future__ import annotations

from typing import Any


class Rendered:
    """A result of any kind; `report` has the tables of each."""

    def table(self, format: str = "table", **options: Any) -> str:
        """Return the report as text: table, markdown, latex, csv or json; of scores also the forms of tools."""
        from spanscope.report import render

        return render(self, format, **options)

    def _repr_html_(self) -> str:
        from spanscope.report import render_html

        return render_html(self)

    def __str__(self) -> str:
        return self.table()
