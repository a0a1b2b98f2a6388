"""A server that withholds texts lets none of them out, whatever is uploaded and whatever it is asked for.

The files are those of the canary search of the commands; every answer is searched, unpacked.
"""

import json
import os
from collections.abc import Iterator
from itertools import islice

import pytest

from spanscope.viewer import packing
from tests.canaries import CANARY, FORMATS, damaged_bytes, damaged_values
from tests.more_canaries import MORE
from tests.serve import Served
from tests.serve.conftest import Start
from tests.test_canary import found_in

FILES = {**FORMATS, **MORE}
SHARE = int(os.environ.get("SPANSCOPE_CANARIES", "5"))  # one file in so many is uploaded; 1 uploads all
EVERY, MOST = 40, 2  # damages of a file: one in so many, and so many of them


def _bodies(served: Served, run: str | None) -> Iterator[tuple[str, bytes]]:
    """Return what the server says of everything, and of a run."""
    places = ["/", "/api/runs", "/api/jobs", "/api/files", "/api/options"]
    if run is not None:
        own = ("", "/data", "/report.html", "/texts?from=0&to=3", "/rows?from=0&to=9", "/nothing")
        places += [f"/runs/{run}{one}" for one in own] + [f"/api/runs/{run}"]
    for place in places:
        yield place, served.ask("GET", place).body


def _found(served: Served, run: str | None) -> list[str]:
    out = [place for place, body in _bodies(served, run) if found_in(body)]
    if run is not None and CANARY in json.dumps(packing.expand(served.ask("GET", f"/runs/{run}/data").body)):
        out.append("data, unpacked")
    return out


def _scored(served: Served, sides: tuple[bytes, bytes | None]) -> str | None:
    """Upload both sides, score them, and return the run; none where it was refused, which says no text either."""
    ids = [None if data is None else served.upload(f"{n}.jsonl", data)["id"] for n, data in enumerate(sides)]
    asked = served.ask("POST", "/api/jobs", {"gold": ids[0], "pred": ids[1]})
    assert not found_in(asked.body)
    if asked.status >= 400:
        return None
    job = str(asked.json["id"])
    done = served.until(job, "done", "failed")
    assert not found_in(json.dumps(done).encode())
    return job if done["state"] == "done" else None


@pytest.mark.parametrize("text", ["masked", "none"])
def test_the_api_lets_no_canary_out(start: Start, text: str) -> None:
    served, scored = start(text=text), 0
    names = [*FILES][(text == "none") % SHARE :: SHARE]
    for name in names:
        run = _scored(served, FILES[name])
        scored += run is not None
        assert _found(served, run) == [], name
    assert scored > len(names) / 2


def test_damaged_uploads_let_no_canary_out(start: Start) -> None:
    served = start(text="masked")
    for name in ("spans", "conll"):
        gold, pred = FILES[name]
        hurt = [*damaged_bytes(gold)][:MOST] + (
            [] if name == "conll" else list(islice(damaged_values(gold), 0, MOST * EVERY, EVERY))
        )
        for data in hurt:
            run = _scored(served, (data, pred))
            assert _found(served, run) == [], (name, data[:300])


def test_the_search_would_find_one(start: Start) -> None:
    """Without a policy the same answers do show texts."""
    served = start()
    assert _found(served, _scored(served, FILES["spans"]))
