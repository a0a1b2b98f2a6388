"""The schemas of comparisons and audits, held against what is written; each schema is a sound one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from referencing import Registry, Resource

import spanscope
from spanscope import Ci, Running, compare
from tests.commands.test_compared_slices import EXACT, runs

ALL = {
    one.name.removesuffix(".json"): json.loads(one.read_text("utf-8"))
    for one in (files("spanscope.results") / "schemas").iterdir()
    if one.name.endswith(".json")
}
KNOWN: Any = Registry().with_resources(
    [(schema["$id"], Resource.from_contents(schema)) for schema in ALL.values()]
)
CI = Ci(resamples=20)


def check(name: str, text: str) -> None:
    """Hold JSON against a schema by its name."""
    value = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    jsonschema.Draft202012Validator(ALL[name], registry=KNOWN).validate(value)


def test_every_schema_is_sound_and_says_what_its_fields_are() -> None:
    assert {"comparison-1", "audit-1", "leaderboard-1", "agreement-1", "panel-1", "result-1"} == {*ALL}
    for name, schema in ALL.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["$id"].endswith(f"/{name}.json")
        assert schema["additionalProperties"] is False
        for own in schema["properties"].values():
            assert len(own["description"]) > 3


def comparisons() -> Iterator[Callable[[], spanscope.Compared]]:
    gold, weak, other = runs()
    base: dict[str, Any] = {"measures": EXACT, "ci": CI, "trials": 20}
    yield lambda: compare(gold, weak, other, **base, by=["source", "@length"], margin=0.01)
    yield lambda: compare(gold, ("a", weak), ("b", other), ("c", gold), ci=CI, trials=20)
    yield lambda: compare(gold, weak, other[3:], **base, missing="common")
    yield lambda: compare(gold, weak, weak, **base, run=Running(memory="totals"), meta={"team": "x"})
    yield lambda: compare(gold[:1], weak[:1], other[:1], **base)
    same = [spanscope.evaluate(gold, one, EXACT, ci=False) for one in (weak, other)]
    yield lambda: compare(None, ("a", same), ("b", same[0]), ci=CI)
    texts = [{"id": f"d{at}", "text": "abcdefghij" * 3} for at in range(8)]
    cut, near = ([one | {"boundaries": own} for one in texts] for own in ([10, 20], [10, 21]))
    yield lambda: compare(cut, cut, near, ci=CI, trials=20)


@pytest.mark.parametrize("found", [*comparisons()])
def test_comparisons_fit_their_schema(found: Callable[[], spanscope.Compared]) -> None:
    check("comparison-1", found().to_json())


def test_audits_fit_their_schema() -> None:
    gold, weak, other = runs()
    bare = [{**one, "spans": []} for one in gold]
    for systems in ((weak, other), (gold, gold)):
        found = spanscope.audit(bare if systems[0] is gold else gold, *systems)
        check("audit-1", found.to_json())
    assert found.suspects
