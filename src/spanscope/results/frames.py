"""Records as data frames of pandas and of polars, and lists of records that know how to become one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from spanscope.jsonable import JsonObject

MOST_SHOWN = 30  # records that a notebook shows


def to_pandas(records: Sequence[Mapping[str, Any]]) -> Any:
    """Return records as a pandas data frame, a row each; what is None stays missing."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_pandas needs pandas: pip install 'spanscope[pandas]'") from None
    return pandas.DataFrame(list(map(flat, records)))


def to_polars(records: Sequence[Mapping[str, Any]]) -> Any:
    """Return records as a polars data frame, a row each; what is None stays null."""
    try:
        import polars
    except ImportError:
        raise ImportError("to_polars needs polars: pip install 'spanscope[polars]'") from None
    rows = [{name: _plain(own) for name, own in flat(one).items()} for one in records]
    return polars.DataFrame(rows, infer_schema_length=None, strict=False)


def _plain(value: Any) -> Any:
    """Return a value as polars takes it: a tuple becomes a list."""
    return list(value) if isinstance(value, tuple) else value


def flat(record: Mapping[str, Any]) -> JsonObject:
    """Return a record without records in it: what stands in those gets their name before a dot.

    >>> flat({"name": "news", "rates": {"f1": 0.5}})
    {'name': 'news', 'rates.f1': 0.5}
    """
    out: JsonObject = {}
    for name, own in record.items():
        if isinstance(own, Mapping):
            out |= {f"{name}.{inner}": value for inner, value in flat(own).items()}
        else:
            out[name] = own
    return out


class Records(list[JsonObject]):
    """A list of records that becomes a data frame, and that a notebook shows as a table."""

    def to_pandas(self) -> Any:
        """Return the records as a pandas data frame; records in them become columns named with a dot."""
        return to_pandas(self)

    def to_polars(self) -> Any:
        """Return the records as a polars data frame; records in them become columns named with a dot."""
        return to_polars(self)

    def _repr_html_(self) -> str:
        rows = [flat(one) for one in self[:MOST_SHOWN]]
        names = list(dict.fromkeys(name for one in rows for name in one))
        heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
        cells = ("".join(f"<td>{escape(_word(one.get(name)))}</td>" for name in names) for one in rows)
        body = "".join(f"<tr>{line}</tr>" for line in cells)
        more = f"<p>{len(self) - MOST_SHOWN:,} more</p>" if len(self) > MOST_SHOWN else ""
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{more}"


def _word(value: Any) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
