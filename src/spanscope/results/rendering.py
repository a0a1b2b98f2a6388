"""What every kind of result can do: be shown as text, in a notebook and in a browser, and become a data frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spanscope.jsonable import JsonObject


class Rendered:
    """A result of any kind; `report` has the tables of each."""

    def table(self, format: str = "table", **options: Any) -> str:
        """Return the report as text: table, markdown, latex, csv or json; of scores also the forms of tools."""
        from spanscope.report import render

        return render(self, format, **options)

    def records(self) -> list[JsonObject]:
        """Return all rows as plain records: those of its CSV."""
        from spanscope.report import kind_of

        table = kind_of(self).every_row(self)
        names = [column.name for column in table.columns]
        return [dict(zip(names, row, strict=True)) for row in table.rows]

    def to_pandas(self) -> Any:
        """Return all rows as a pandas data frame."""
        from spanscope.results import frames

        return frames.to_pandas(self.records())

    def to_polars(self) -> Any:
        """Return all rows as a polars data frame."""
        from spanscope.results import frames

        return frames.to_polars(self.records())

    def show(self, height: int = 720, **options: Any) -> Path | None:
        """Show the page: in a notebook below the cell, so many pixels high; else in a browser.

        Options are those of the page: title, text, force. Returns where the page was written for a browser.
        """
        from spanscope.viewer.inline import show

        return show(self, height, **options)

    def _repr_html_(self) -> str:
        from spanscope.report import render_html

        return render_html(self)

    def __str__(self) -> str:
        return self.table()
