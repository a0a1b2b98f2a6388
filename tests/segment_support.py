"""What the tests of segment measures share: the measures and their settings, documents by hand, comparing."""

import math
from typing import Any

import spanscope
from spanscope.data.corpus import Corpus
from spanscope.io.detect import recognise
from spanscope.io.read_options import ReadOptions
from spanscope.measures.registry import Measure, parse
from spanscope.settings.options import grouped
from tests.support import KNOWN, Json, settings_of

NAMES = sorted(name for name in KNOWN if name.startswith("segments."))
OWN = [name for name in NAMES if name != "segments.rt_seg"]  # what is not the copy of a tool
TYPED = ["segments.boundaries", "segments.edit_distance", "segments.agreement"]  # may look at types


def read_segmentations(source: Any, name: str = "", field: Json | None = None, **given: Any) -> dict[str, Corpus]:
    """Read segmentations by the reader that the table names for them."""
    options = ReadOptions(name, field or {}, **given)
    found: dict[str, Corpus] = recognise(source, field, among=("segments",)).reader(source, options)
    return found


def refused(params: Json) -> bool:
    """Say whether two values do not go together: the ends of a text have no type, an optimum has only one."""
    ends = params.get("labelled") and params.get("ends")
    return bool(ends) or (params.get("edits") == "optimal" and params["types"] != "none")


def combinations(name: str, numbers: dict[str, tuple[float, ...]] | None = None) -> list[Json]:
    """Return every combination of a measure's named values that go together."""
    return [params for params in settings_of(KNOWN[name], numbers) if not refused(params)]


def measures_of(name: str, numbers: dict[str, tuple[float, ...]] | None = None) -> list[Measure]:
    """Return a measure with every combination of its named values."""
    return [parse(name).replace(**params) for params in combinations(name, numbers)]


def same(value: float | None, wanted: float | None, tolerance: float = 1e-9) -> bool:
    """Say whether two figures agree; undefined (None, NaN) agrees with undefined, infinite with infinite."""
    value, wanted = (math.nan if one is None else one for one in (value, wanted))
    if not math.isfinite(value) or not math.isfinite(wanted):
        return repr(float(value)) == repr(float(wanted))
    return math.isclose(value, wanted, rel_tol=tolerance, abs_tol=tolerance)


def cut(*places: int, n: int = 20, name: str = "d") -> Json:
    """Write a text of n units cut at places."""
    return {"id": name, "length": n, "boundaries": list(places)}


def scored(gold: list[int], pred: list[int], form: str, n: int = 20, **options: Any) -> Json:
    """Return the record of a document of n units, cut at places of gold and at others of pred."""
    sides = [cut(*gold, n=n)], [cut(*pred, n=n)]
    (record,) = spanscope.evaluate(*sides, form, ci=False, **grouped(options)).by_document()
    return record
