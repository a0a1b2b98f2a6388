"""The JSON of agreement has a schema, whatever it is of."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from referencing import Registry, Resource

from spanscope import agree, source
from tests.cli import TRACES, run, write
from tests.commands.test_agree import ANN, BOB, CLEO
from tests.commands.test_panel import no_constant
from tests.support import Json

SCHEMAS = {
    name: json.loads((files("spanscope.results") / "schemas" / f"{name}-1.json").read_text())
    for name in ("result", "agreement")
}
KNOWN: Any = Registry().with_resources(  # type: ignore[var-annotated]
    [(schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()]
)
VALID = jsonschema.Draft202012Validator(SCHEMAS["agreement"], registry=KNOWN)
GAPS = [ANN[:2], BOB[1:], [CLEO[0], CLEO[2]]]


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("--documents",),
        ("--no-ci", "--labels", "PER,LOC", "-m", "f1", "-m", "gamma"),
        ("--missing", "skip", "--method", "bca", "--resamples", "20"),
        ("--group", "author", "--offsets", "utf16", "--field", "label=label", "--allow-different-texts"),
    ],
)
@pytest.mark.parametrize("gaps", [False, True])
def test_the_json_has_a_schema(args: tuple[str, ...], gaps: bool, tmp_path: Path) -> None:
    sides = [
        [{**one, "author": one["id"]} for one in side] for side in ([ANN, BOB, ANN[1:]] if gaps else [ANN, BOB])
    ]
    names = [write(tmp_path / f"{at}.jsonl", side) for at, side in enumerate(sides)]
    done = run("agree", *names, "-f", "json", "--samples", "2", *args)
    assert done.code == 0, done.err
    VALID.validate(json.loads(done.out, parse_constant=no_constant))


def test_segments_tokens_and_sources_of_their_own_have_it() -> None:
    tagged = [{"id": "x", "tokens": ["Ann", "saw"], "tags": ["B-PER", "O"]}]
    VALID.validate(plain(agree(TRACES, samples=2, ci=False)))
    VALID.validate(plain(agree(tagged, tagged, samples=2, ci=False)))
    VALID.validate(plain(agree(source(ANN, offsets="utf16"), BOB, samples=2, ci=False)))


def plain(found: Any) -> Json:
    out: Json = json.loads(found.to_json(documents=True), parse_constant=no_constant)
    return out


def test_the_schema_is_strict() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS["agreement"])
    data = plain(agree(*GAPS, samples=2, ci=False))
    VALID.validate(data)
    assert not VALID.is_valid({**data, "more": 1})
    assert not VALID.is_valid({name: own for name, own in data.items() if name != "shared"})
    for name in ("settings", "annotators", "rows", "shared", "disagreements"):
        worse = json.loads(json.dumps(data))
        inner = worse[name] if name == "settings" else worse[name][0]
        inner["more"] = 1
        assert not VALID.is_valid(worse), name
