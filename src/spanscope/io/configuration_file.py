"""Where a project's configuration file is, and what stands in it: TOML; of pyproject.toml one table."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from spanscope.errors import InputError, shown

OWN, SHARED = "spanscope.toml", "pyproject.toml"
LARGEST = 1_000_000  # bytes


def find_configuration(start: Path) -> Path | None:
    """Return the configuration file of a folder, or of the nearest one above it that has one.

    In one folder spanscope.toml comes before pyproject.toml, which counts only with a table tool.spanscope.
    """
    here = start.resolve()
    for folder in (here, *here.parents):
        own, shared = folder.joinpath(OWN), folder.joinpath(SHARED)
        if own.is_file():
            return own
        if shared.is_file() and "spanscope" in _tool(_parse(shared), shared):
            return shared
    return None


def read_configuration(path: Path) -> dict[str, Any]:
    """Return what stands in a configuration file."""
    found = _parse(path)
    if path.name != SHARED:
        return found
    table = _tool(found, path).get("spanscope")
    if not isinstance(table, dict):
        raise InputError("has no table [tool.spanscope]", where=str(path))
    return table


def _parse(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
        if len(data) > LARGEST:
            raise InputError("is too large for a configuration file", where=str(path))
        return tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", where=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"is not valid TOML:  {shown(str(error), 100)}", where=str(path)) from None


def _tool(found: dict[str, Any], path: Path) -> dict[str, Any]:
    table = found.get("tool", {})
    if not isinstance(table, dict):
        raise InputError("tool is not a table", where=str(path))
    return table
