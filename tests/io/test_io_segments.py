"""Every form of a segmentation gives the same segments; what is no partition is refused, or repaired aloud."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spanscope
from spanscope.errors import InputError
from spanscope.io.detect import recognise
from tests.cli import GOLD, TRACES, jsonl, run, write
from tests.segment_support import read_segmentations
from tests.support import Json

Segments = list[tuple[int, int, str]]
TEXT = "One two. Three."  # 15 characters, cut after "One " (4) and after "two. " (9)
PLAIN: Segments = [(0, 4, "segment"), (4, 9, "segment"), (9, 15, "segment")]
LABELLED: Segments = [(0, 4, "A"), (4, 9, "B"), (9, 15, "segment")]
PAIRS = [[0, 4], [4, 9], [9, 15]]
NORMALISE = (
    "  try       --normalise   to sort segments, close gaps and extend to the end; every repair is reported"
)
UTF16 = "  try       --offsets utf16   if the offsets come from JavaScript or Java"
EACH = "  expected  each segment to start where the one before ends\n" + NORMALISE
LABEL = "\n  expected  a string (not '*', which stands for all labels)"
PARTS = "\n  expected  [start, end], [start, end, label] or an object"


def content(source: Any, **options: Any) -> dict[str, Segments]:
    """Return the segments of every segmentation in a source."""
    return {
        name: [
            (int(a), int(b), corpus.labels[c])
            for a, b, c in zip(corpus.spans.start, corpus.spans.end, corpus.spans.label, strict=True)
        ]
        for name, corpus in read_segmentations(source, name="gold", **options).items()
    }


def one(document: Json, **options: Any) -> Segments:
    """Return the segments of a document's only segmentation."""
    (found,) = content([document], **options).values()
    return found


def wrong(document: Any, **options: Any) -> str:
    """Return what is said about a document that is refused."""
    with pytest.raises(InputError) as caught:
        read_segmentations([document], name="gold", **options)
    return str(caught.value).removeprefix("gold[0]: ")


# ---------------------------------------------------------------- forms

FORMS: dict[str, tuple[Json, Segments]] = {
    "pairs": ({"text": TEXT, "segments": PAIRS}, PLAIN),
    "tuples": ({"text": TEXT, "segments": [tuple(pair) for pair in PAIRS]}, PLAIN),
    "numbers of NumPy": ({"text": TEXT, "segments": [[np.int64(a), np.int32(b)] for a, b in PAIRS]}, PLAIN),
    "objects": ({"text": TEXT, "segments": [{"start": a, "end": b} for a, b in PAIRS]}, PLAIN),
    "labels": ({"text": TEXT, "segments": [[0, 4, "A"], {"start": 4, "end": 9, "label": "B"}, [9, 15]]}, LABELLED),
    "tags": ({"text": TEXT, "segments": [[0, 4, "A"], {"start": 4, "end": 9, "tag": "B"}, [9, 15]]}, LABELLED),
    "segments without text": ({"segments": PAIRS}, PLAIN),
    "spans": ({"text": TEXT, "spans": PAIRS}, PLAIN),
    "trace": ({"trace": TEXT, "segments": PAIRS}, PLAIN),
    "null text": ({"text": None, "length": 15, "segments": PAIRS}, PLAIN),
    "boundaries": ({"length": 15, "boundaries": [4, 9]}, PLAIN),
    "boundaries of a text": ({"text": TEXT, "boundaries": [4, 9]}, PLAIN),
    "no boundary": ({"length": 15, "boundaries": []}, [(0, 15, "segment")]),
    "masses": ({"masses": [4, 5, 6]}, PLAIN),
    "masses of a text": ({"text": TEXT, "length": 15, "masses": [4, 5, 6]}, PLAIN),
    "gaps": ({"string": "00010000100000"}, PLAIN),  # 14 gaps; the 4th and the 9th are cuts
    "gaps of a text": ({"text": TEXT, "string": "00010000100000"}, PLAIN),
    "units": ({"length": 15, "string": "000100001000001"}, PLAIN),  # 1 on the last unit of each segment
    "units, the last not marked": ({"length": 15, "string": "000100001000000"}, PLAIN),
    "one unit": ({"string": ""}, [(0, 1, "segment")]),
    "levels of boundaries": (
        {"length": 9, "boundaries": {"chapter": [6], "section": [3, 6]}},
        [(0, 6, "chapter"), (6, 9, "chapter"), (0, 3, "section"), (3, 6, "section"), (6, 9, "section")],
    ),
    "levels of masses": (
        {"masses": {"chapter": [6, 3], "section": [9]}},
        [(0, 6, "chapter"), (6, 9, "chapter"), (0, 9, "section")],
    ),
    "levels of segments": ({"segments": {"a": [[0, 9]], "b": [[0, 9]]}}, [(0, 9, "a"), (0, 9, "b")]),
    "an empty text": ({"text": "", "segments": []}, []),
    "an empty text, no boundary": ({"text": "", "boundaries": []}, []),
    "an empty text, no mass": ({"masses": []}, []),
    "one character": ({"text": "x", "segments": [[0, 1]]}, [(0, 1, "segment")]),
}
NAMED = {
    "segments": PAIRS,
    "boundaries": {"boundaries": [4, 9]},
    "masses": {"masses": [4, 5, 6]},
    "gaps": "00010000100000",
    "units": {"string": "000100001000001"},
}


@pytest.mark.parametrize("name", FORMS)
def test_form(name: str) -> None:
    document, expected = FORMS[name]
    assert one(document) == expected


def test_forms_under_names() -> None:
    document = {"id": 1, "text": TEXT, "segmentations": NAMED | {"levels": {"a": PAIRS, "b": [[0, 15]]}}}
    found = content([document])
    assert found.pop("levels") == [(a, b, "a") for a, b in PAIRS] + [(0, 15, "b")]
    assert found == dict.fromkeys(NAMED, PLAIN)


DOCUMENTS = [{"id": key, "length": 15, "segmentations": {"Gold": PAIRS, "A": [[0, 15]]}} for key in ("x", "y")]
KEYED = {document["id"]: {k: v for k, v in document.items() if k != "id"} for document in DOCUMENTS}
WRAPPED = {
    "list": DOCUMENTS,
    "keyed by id": KEYED,
    **{key: {key: DOCUMENTS, "version": 1} for key in ("items", "data", "documents", "examples", "traces")},
}
BOTH = {"Gold": PLAIN + PLAIN, "A": [(0, 15, "segment")] * 2}


def has_segments(source: Any) -> bool:
    return recognise(source).family == "segments"


@pytest.mark.parametrize("name", WRAPPED)
@pytest.mark.parametrize("packed", [False, True])
def test_json_files(name: str, packed: bool, tmp_path: Path) -> None:
    data = json.dumps(WRAPPED[name]).encode()
    file = write(tmp_path / "f.json", gzip.compress(data) if packed else data)
    assert content(file) == content(str(file)) == content(WRAPPED[name]) == BOTH
    assert list(read_segmentations(file)["A"].ids or []) == ["x", "y"]
    assert has_segments(file)


@pytest.mark.parametrize("packed", [False, True])
def test_json_lines(packed: bool, tmp_path: Path) -> None:
    data = jsonl(DOCUMENTS).encode()
    file = write(tmp_path / "f.jsonl", gzip.compress(data) if packed else data)
    assert content(file) == BOTH
    assert has_segments(file)


def test_field_names() -> None:
    names = {"segmentations": "raw_annotations", "length": "size", "start": "from", "end": "to", "label": "kind"}
    raw = {"size": 15, "raw_annotations": {"A": [{"from": a, "to": b, "kind": c} for a, b, c in LABELLED]}}
    assert content([raw], field=names) == {"A": LABELLED}


EMOJI = "a😀b é"  # 5 characters, 6 UTF-16 units, 9 bytes; cut after the emoji and after the space


@pytest.mark.parametrize(("unit", "first", "second", "end"), [("utf16", 3, 5, 6), ("utf8", 5, 7, 9)])
def test_units_of_offsets(unit: str, first: int, second: int, end: int) -> None:
    expected = [(0, 2, "segment"), (2, 4, "segment"), (4, 5, "segment")]
    assert one({"text": EMOJI, "boundaries": [first, second]}, offsets=unit) == expected
    assert one({"text": EMOJI, "segments": [[0, first], [first, second], [second, end]]}, offsets=unit) == expected
    assert wrong({"text": EMOJI, "boundaries": [2]}, offsets=unit) == (
        "boundaries[0] is 2, inside a character or outside the text\n  expected  an offset between two characters"
    )
    assert wrong({"length": 5, "boundaries": [2]}, offsets=unit).endswith("expected  a text")


# ---------------------------------------------------------------- recognised


def protocol(gold: Any) -> str:
    return str(spanscope.evaluate(gold, gold, missing="error").settings.protocol.name)


FIRST = {"id": 1, "text": TEXT}
SPANS = [{"start": 0, "end": 3, "label": "N"}]
RECOGNISED = [
    ([{**FIRST, "segments": PAIRS}], "segments"),
    ([{"masses": [3, 4]}], "segments"),
    ([{"string": "010"}], "segments"),
    ({"traces": [{"masses": [3, 4]}]}, "segments"),
    ([{**FIRST, "segmentations": {"A": PAIRS}}], "segments"),
    ([{**FIRST, "spans": SPANS}], "spans"),
    ([{**FIRST, "spans": SPANS, "segments": PAIRS}], "spans"),
    ([{**FIRST, "text": 'the "segments": [[0, 1]] of', "spans": SPANS}], "spans"),
]


@pytest.mark.parametrize(("documents", "expected"), RECOGNISED)
def test_recognised_in_memory(documents: Any, expected: str) -> None:
    assert protocol(documents) == expected


FILES = [
    ([{**FIRST, "segments": PAIRS}], True),
    ([{**FIRST, "spans": SPANS}], False),
    ([{**FIRST, "spans": SPANS, "segments": PAIRS}], False),
    ([{**FIRST, "text": 'the "segments": [[0, 1]] of', "spans": SPANS}], False),
    ([{"id": 1, "string": "010"}], True),
    ([{**FIRST, "text": "x" * 70_000, "masses": [70_000]}], True),
    ([{**FIRST, "meta": {"boundaries": [1]}, "spans": SPANS}], False),
]


@pytest.mark.parametrize(("documents", "expected"), FILES)
def test_recognised_in_files(documents: Any, expected: bool, tmp_path: Path) -> None:
    assert has_segments(write(tmp_path / "f.jsonl", documents)) is expected


def test_recognised_keyed_by_id() -> None:
    assert protocol({"a": {"masses": [3, 4]}}) == "segments"


def test_recognised_under_another_name(tmp_path: Path) -> None:
    file = write(tmp_path / "f.json", json.dumps({"length": 9, "raw": {"A": [[0, 9]], "B": [[0, 9]]}}))
    assert run("eval", file, "--field", "segmentations=raw").code == 0


def test_check_under_another_name(tmp_path: Path) -> None:
    file = write(tmp_path / "f.json", json.dumps({"length": 9, "raw": {"A": [[0, 9]], "B": [[0, 9]]}}))
    assert run("check", file, "--field", "segmentations=raw").code == 0


def test_recognised_from_standard_input(tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", [{"id": 1, "masses": [3, 4]}])
    assert run("eval", file, "-", stdin=file.read_bytes()).code == 0
    assert run("eval", "-", file, stdin=file.read_bytes()).code == 0


def test_recognised_on_the_command_line() -> None:
    assert "Protocol  segments" in run("eval", TRACES).out
    assert f"PRED is missing: {GOLD} contains only one side" in " ".join(run("eval", GOLD).err.split())
    assert "Protocol   spans" in run("eval", GOLD, GOLD).out


LONG = "x" * 100_000
CUT_OFF: dict[str, tuple[Any, bool]] = {
    "a list": ([{"id": 1, "text": LONG, "segments": [[0, 100_000]]}] * 60, True),
    "a container": ({"version": 1, "items": [{"id": 1, "text": LONG, "masses": [100_000]}] * 60}, True),
    "keyed by id": ({f"t{i}": {"text": LONG, "masses": [100_000]} for i in range(60)}, True),
    "a document": ([{"id": 1, "segments": [[i, i + 1] for i in range(300_000)]}], True),
    "spans": ([{"id": 1, "text": LONG, "meta": {"segments": [1]}, "spans": []}] * 60, False),
    "spans with segments": ([{"id": 1, "spans": [{"start": i, "segments": 3} for i in range(300_000)]}], False),
}


@pytest.mark.parametrize("name", CUT_OFF)
@pytest.mark.parametrize("indent", [None, 1])
def test_recognised_by_the_head_of_a_long_file(name: str, indent: int | None, tmp_path: Path) -> None:
    """More than four megabytes: what is decided is decided by the fields of the first document alone."""
    value, expected = CUT_OFF[name]
    assert has_segments(write(tmp_path / "f.json", json.dumps(value, indent=indent))) is expected


@pytest.mark.parametrize("head", [b"", b"{", b"[", b"[[", b"[1", b'{"items": [[1, 2', b"\xff\xfe", b'{"a": {"b'])
def test_what_is_no_json_holds_no_segments(head: bytes, tmp_path: Path) -> None:
    assert not has_segments(write(tmp_path / "f.json", head))


# ---------------------------------------------------------------- refused


def segs(*parts: Any, n: int = 15) -> Json:
    return {"length": n, "segments": list(parts)}


WRONG: dict[str, tuple[Any, str]] = {
    "gap": (segs([0, 4], [5, 15]), f"segments[1] starts at 5, segments[0] ends at 4: a gap\n{EACH}"),
    "overlap": (segs([0, 4], [3, 15]), f"segments[1] starts at 3, segments[0] ends at 4: an overlap\n{EACH}"),
    "unsorted": (
        segs([4, 15], [0, 4]),
        "segments[1] starts at 0, before segments[0], which starts at 4\n"
        f"  expected  segments in the order of the text\n{NORMALISE}",
    ),
    "empty segment": (
        segs([0, 4], [4, 4], [4, 15]),
        f"segments[1] runs from 4 to 4\n  expected  segments with at least one unit\n{NORMALISE}",
    ),
    "outside": (
        segs([0, 4], [4, 16]),
        f"segments[1] runs from 4 to 16, outside the text\n  expected  0 <= start < end <= 15\n{UTF16}",
    ),
    "before the text": (
        segs([-1, 15]),
        f"segments[0] runs from -1 to 15, outside the text\n  expected  0 <= start < end <= 15\n{UTF16}",
    ),
    "not from 0": (segs([1, 15]), f"segments[0] starts at 1, the text starts at 0: a gap\n{EACH}"),
    "not to the end": (
        segs([0, 4], [4, 14]),
        f"segments[1] ends at 14, the text at 15\n  expected  the last segment to end with the text\n{NORMALISE}",
    ),
    "empty list": (segs(), "segments is empty, the text has 15 units\n  expected  segments that cover the text"),
    "no length": (
        {"boundaries": [3]},
        "boundaries need the length of the text\n  expected  a text or a length with them",
    ),
    "boundaries that shrink": (
        {"length": 9, "boundaries": [5, 3]},
        "boundaries[1] is 3\n  expected  growing boundaries, 0 < b < 9",
    ),
    "a boundary at the end": (
        {"length": 9, "boundaries": [3, 9]},
        "boundaries[1] is 9\n  expected  growing boundaries, 0 < b < 9",
    ),
    "masses": (
        {"length": 9, "masses": [4, 4]},
        "masses add up to 8, the text has 9 units\n  expected  masses of all of it",
    ),
    "a mass below 0": ({"masses": [4, -1]}, "masses[1] is -1\n  expected  a whole number, not negative"),
    "string too short": (
        {"length": 4, "string": "01"},
        "string has 2 characters, the text 4 units\n  expected  3 characters (one a gap) or 4 (one a unit)",
    ),
    "string of others": ({"string": "01x"}, "string is '01x'\n  expected  a string of 0 and 1"),
    "label a number": (segs([0, 15, 3]), f"segments[0].label is 3{LABEL}"),
    "label null": (segs([0, 15, None]), f"segments[0].label is None{LABEL}"),
    "label reserved": (segs([0, 15, "*"]), f"segments[0].label is '*'{LABEL}"),
    "bool": (segs([False, 15]), "segments[0].start is False\n  expected  a whole number"),
    "float": (segs([0, 15.0]), "segments[0].end is 15.0\n  expected  a whole number"),
    "a bool among boundaries": (
        {"length": 9, "boundaries": [True]},
        "boundaries[0] is True\n  expected  a whole number",
    ),
    "no end": (segs({"start": 0}), "segments[0].end is None\n  expected  a whole number"),
    "past 64 bits": (segs([0, 2**70]), f"segments[0].end is {2**70}\n  expected  an offset into a text"),
    "four numbers": (segs([0, 1, 2, 3]), f"segments[0] is [0, 1, 2, 3]{PARTS}"),
    "length true": (
        {"length": True, "boundaries": []},
        "length is True\n  expected  a whole number, not negative",
    ),
    "length against text": (
        {"text": TEXT, "length": 16, "segments": PAIRS},
        "length is 16, the text has 15 characters\n  expected  the same number",
    ),
    "two forms": (
        {"length": 9, "boundaries": [3], "masses": [3, 6]},
        "a document has both boundaries and masses\n  expected  one segmentation, or segmentations by name",
    ),
    "two forms under a name": (
        {"length": 9, "segmentations": {"A": {"boundaries": [], "masses": [9]}}},
        "segmentations.A is {'boundaries': [], 'masses': [9]}\n"
        "  expected  a list of segments, or an object with boundaries, masses or string",
    ),
    "numbers under a name": (
        {"length": 9, "segmentations": {"A": [3, 6]}},
        f'segmentations.A[0] is 3{PARTS}\n  try       "segmentations.A": {{"boundaries": [...]}} or '
        '{"masses": [...]}   for a list of numbers',
    ),
    "a misspelt form": (
        {"length": 9, "boundries": [3]},
        "a document has no segmentation (it has length, boundries); did you mean 'boundaries'?\n"
        "  expected  segmentations, segments, boundaries, masses or string",
    ),
    "no object": (5, "a document is 5\n  expected  an object with segmentations"),
    "segmentations a list": (
        {"length": 9, "segmentations": [[0, 9]]},
        "segmentations is [[0, 9]]\n  expected  an object of segmentations by name",
    ),
    "ptime": ({"masses": [9], "ptime": -1}, "ptime of '' is -1\n  expected  seconds, not negative"),
}


@pytest.mark.parametrize("name", WRONG)
def test_refused(name: str) -> None:
    document, expected = WRONG[name]
    assert wrong(document) == expected


SILENT = {  # what is changed or left out although nothing says so
    "an empty level": {"length": 9, "segments": {"a": [[0, 9]], "b": []}},
    "a label that is 0": segs({"start": 0, "end": 15, "label": 0}),
    "a level called *": {"length": 9, "boundaries": {"*": [3]}},
    "two names that are one": {"length": 9, "segmentations": {1: [[0, 9]], "1": [[0, 4], [4, 9]]}},
    "no segmentation": {"length": 9, "segmentations": {}},
    "segments beside segmentations": {"length": 9, "segmentations": {"A": [[0, 9]]}, "segments": [[0, 3], [3, 9]]},
    "gaps of two lengths": {"segmentations": {"A": "010", "B": "0101"}},
    "seconds of nobody": {"length": 9, "segmentations": {"A": [[0, 9]]}, "ptime": {"B": 1.0}},
    "one time for several": {"length": 9, "segmentations": {"A": [[0, 9]], "B": [[0, 9]]}, "ptime": 1.0},
}


@pytest.mark.parametrize("name", SILENT)
def test_refused_and_not_ignored(name: str) -> None:
    wrong(SILENT[name])


def test_seconds_follow_their_segmentation() -> None:
    """A number is of the only segmentation there is; seconds of others do not matter to what was asked for."""
    named = {"length": 9, "segmentations": {"A": [[0, 9]], "B": [[0, 9]]}, "ptime": {"B": 1.0}}
    assert not read_segmentations([named], only=["A"])["A"].seconds
    alone = {"length": 9, "segmentations": {"A": [[0, 9]]}, "ptime": 2.0}
    assert dict(read_segmentations([alone])["A"].seconds) == {0: 2.0}


def test_strings_give_the_length_to_all() -> None:
    """However the segmentations are ordered."""
    document = {"segmentations": {"A": {"boundaries": [3]}, "B": "0010"}}
    assert content([document]) == {name: [(0, 3, "segment"), (3, 5, "segment")] for name in ("A", "B")}
