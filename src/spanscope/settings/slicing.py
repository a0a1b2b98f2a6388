"""By what documents and spans are sliced, as somebody asked for it, everything checked."""

from __future__ import annotations

from typing import Any

from spanscope.arguments import as_list, field_name
from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.findings.slices import BUILT_IN

SEEN = "@seen"


def sliced_by(given: Any, train: Any) -> tuple[str, ...]:
    """Return the fields and the built-in slices that were asked for, each once; refuse what is neither."""
    asked = () if given is None else tuple(dict.fromkeys(field_name("by", one) for one in as_list(given)))
    for name in asked:
        if name.startswith("@") and name not in BUILT_IN:
            raise MeasureError(
                f"no slices are called {shown(name)}{did_you_mean(name, BUILT_IN)}",
                expected=f"a field of documents, or {', '.join(BUILT_IN)}",
            )
    if SEEN in asked and train is None:
        raise MeasureError("@seen needs the data that a system was trained on", hint="[[train=FILE]]")
    if train is not None and SEEN not in asked:
        raise MeasureError("train is for slices of what was seen in it", hint=f"[[by={SEEN}]]")
    return asked
