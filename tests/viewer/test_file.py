"""The file: no more of the texts than asked for, nothing that could run, and the commands that write it."""

import base64
import gzip
import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spanscope
from spanscope import viewer
from spanscope.settings.options import grouped
from spanscope.viewer import packing, spans
from tests.cli import GOLD, PRED, TRACES, refused, run, write
from tests.results.test_result_forms import VALID
from tests.support import documents
from tests.viewer import at_step, payload

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(Path(viewer.__file__).with_name("pages").glob("*.html"))
EACH = pytest.mark.parametrize("template", TEMPLATES, ids=[path.stem for path in TEMPLATES])


def evaluated(form: str | None = None, **options: Any) -> spanscope.Result:
    named = {} if form else {"protocol": "reqflow"}
    return spanscope.evaluate(GOLD, PRED, form, ci=False, **grouped(named | options))


# ---------------------------------------------------------------- privacy


SECRET = ("Zanzibarqua", "Quillfeather", "Mortwhistle", "Ombrefallow", "Vexatorium")


def private(**options: Any) -> spanscope.Result:
    """Return a result whose texts are unmistakable, with errors, leaks and data problems that quote them."""
    text = " ".join(SECRET)
    spans = [{"start": 0, "end": 11, "label": "P", "text": "Zanzibarqua"}]
    wrong = [{"start": 12, "end": 24, "label": "P", "text": "Mortwhistle"}]
    gold, pred = [{"id": "d1", "text": text, "spans": spans}], [{"id": "d1", "text": text, "spans": wrong}]
    return spanscope.evaluate(gold, pred, protocol="pii", ci=False, **grouped(options))


@pytest.mark.parametrize("text", ["none", "masked"])
@pytest.mark.parametrize("late", [False, True])
def test_withheld_texts_are_nowhere_in_the_file(text: str, late: bool) -> None:
    """Whether the evaluation or only the page was asked to withhold them."""
    whole = viewer.render(private())
    assert all(word in json.dumps(viewer.unpack(whole)) for word in SECRET)
    page = viewer.render(private(), text=text) if late else viewer.render(private(text=text))
    found = viewer.unpack(page)
    for part in (page, json.dumps(found)):
        assert [word for word in SECRET if word.lower() in part.lower()] == []
    assert found["text"] == found["settings"]["text"] == text
    assert found["corpus"]["texts"] == (
        [None] if text == "none" else [" ".join("x" * len(word) for word in SECRET)]
    )


@pytest.mark.parametrize("text", ["context", "masked", "none"])
def test_the_exported_result_is_valid_whatever_is_withheld(text: str) -> None:
    found = viewer.unpack(viewer.render(private(), text=text))
    result = json.loads(found["exports"]["json"])
    assert list(VALID.iter_errors(result)) == []
    assert result["settings"]["text"] == text
    (case,) = result["problems"]["first"]["text mismatch"]
    assert ("Mortwhistle" in case) == (text == "context")


def test_demo_without_texts_holds_no_sentence_of_it() -> None:
    page = viewer.render(evaluated(text="none"))
    inside = json.dumps(viewer.unpack(page)).lower()
    lines = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        words = line["text"].lower().split()
        for three in zip(words, words[1:], words[2:], strict=False):
            assert " ".join(three) not in inside
            assert " ".join(three) not in page.lower()


def test_a_page_shows_no_more_than_the_evaluation() -> None:
    with pytest.raises(spanscope.MeasureError, match="was asked for text='none'"):
        viewer.render(private(text="none"), text="full")
    with pytest.raises(spanscope.MeasureError, match="text is 'all'"):
        viewer.render(private(), text="all")


# ---------------------------------------------------------------- the file

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> \u202eevil\u2066 \x00 &amp; 😀'


def hostile() -> spanscope.Result:
    spans = [{"start": 0, "end": 9, "label": "<b>&'\"</title>"}]
    gold = [{"id": "<i>\u202e</script>", "text": HOSTILE, "spans": spans}]
    return spanscope.evaluate(gold, gold, "spans.relaxed", ci=False, meta={"<u>": "</main>"})


def test_hostile_texts_come_back_as_they_were() -> None:
    page = viewer.render(hostile(), title="</title><script>alert(3)</script>")
    found = viewer.unpack(page)
    assert found["corpus"]["texts"] == [HOSTILE]
    assert found["corpus"]["names"] == ["<i>\u202e</script>"]
    assert found["labels"] == ["<b>&'\"</title>"]
    assert "<script>alert(" not in page
    assert page.count("alert(") == 2  # the title, escaped, above and in the plain table
    assert "\u202e" not in page
    assert page.encode()  # no lone surrogate outside of the data
    assert page.count("</script>") == viewer.render(evaluated()).count("</script>")


def test_same_result_same_bytes() -> None:
    result = evaluated()
    assert viewer.render(result) == viewer.render(result)


@pytest.mark.parametrize(
    "numbers", [[], [0], [5, 4], [-129, 127], [70_000, -70_000, 2**31 - 1], [*range(0, 90_000, 90)]]
)
def test_columns_come_back(numbers: list[int]) -> None:
    column = np.array(numbers, dtype=np.int64)
    found = {"a": {"b": column}, "c": [1, {"d": None}], "e": "\ud83d"}
    assert packing.expand(packing.compress(found)) == {**found, "a": {"b": numbers}}


def test_figures_without_javascript() -> None:
    """The headline: 188 matches of 246 predictions and 259 gold spans, as the terminal shows."""
    page = viewer.render(evaluated())
    static = re.sub(r"<[^>]+>", " ", page.partition('id="static"')[2].partition("</main>")[0])
    for figure in (188 / 246, 188 / 259, 2 * 188 / (246 + 259)):
        assert f"{figure:.4f}" in static
    assert "Main_actor" in static


def test_documents_with_errors_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = documents(*(["A[0,4]"] * 10))
    pred = documents(*(["A[0,4]"] * 7), "A[1,4]", "A[0,4]", "B[5,6]")
    result = spanscope.evaluate(gold, pred, "spans.iou(threshold=0.9)", ci=False)
    room = 3 * (spans.PER_DOCUMENT + 2 * spans.PER_SPAN)
    found = payload(result, budget=room)
    assert (found["corpus"]["embedded"], found["corpus"]["total"]) == (3, 10)
    assert found["corpus"]["names"] == ["1", "8", "10"]
    everything = payload(result)
    assert everything["corpus"]["embedded"] == 10
    assert found["corpus"]["whole"] == everything["corpus"]["whole"]
    assert found["corpus"]["by_label"] == everything["corpus"]["by_label"]
    kept = {"1", "8", "10"}
    at = found["corpus"]["at"]
    want = Counter({one: n for one, n in at_step(everything, at).items() if one[0] in kept})
    assert at_step(found, at) == want
    monkeypatch.setattr(viewer, "BUDGET", room)
    assert viewer.unpack(viewer.render(result))["corpus"]["embedded"] == 3
    assert viewer.unpack(viewer.render(result, force=True))["corpus"]["embedded"] == 10


def test_pages_that_browsers_do_not_open_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewer, "MOST_BYTES", 1000)
    with pytest.raises(spanscope.MeasureError, match="more than browsers open"):
        viewer.render(evaluated())
    assert len(viewer.render(evaluated(), force=True)) > 1000


# ---------------------------------------------------------------- the template


@EACH
def test_template_is_built_from_the_sources(template: Path) -> None:
    """The rule of viewer/build.mjs: path, NUL, bytes, NUL of every source and of the lock, sorted by path."""
    home = ROOT / "viewer"
    if not home.is_dir():
        pytest.skip("the sources of the page are not here: this is not a checkout")
    files = [home / "package-lock.json", *(path for path in (home / "src").rglob("*") if path.is_file())]
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(home).as_posix(), path) for path in files):
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    first = template.read_text(encoding="utf-8").splitlines()[0]
    assert f"sources sha256:{digest.hexdigest()}" in first, "run: make viewer"


@EACH
def test_template_is_small_and_closed(template: Path) -> None:
    page = template.read_text(encoding="utf-8")
    assert len(page.encode()) <= 100 * 1024
    for place in ("TITLE", "STATIC", "DATA"):
        assert page.count(f"<!--SPANSCOPE:{place}-->") == 1
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    packed = re.search(r'id="code">([^<]+)</script>\n<script>(.+?)</script>', page)
    assert packed is not None
    scripts = (packed[2].encode(), gzip.decompress(base64.b64decode(packed[1])))  # what unpacks, what is unpacked
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(one).digest()).decode()}'" for one in scripts)
    assert policy[1].startswith(f"default-src 'none'; script-src {hashes}; ")
    assert set(re.findall(r"https?://[^\s\"'`<>)]+", page + scripts[1].decode())) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1998/Math/MathML",
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/1999/xlink",
    }


def test_sources_of_the_page_make_text_only_as_text() -> None:
    home = ROOT / "viewer" / "src"
    if not home.is_dir():
        pytest.skip("the sources of the page are not here: this is not a checkout")
    sources = [path for path in home.rglob("*") if path.suffix in (".ts", ".tsx")]
    wrong = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\(|new Function|document\.write", re.I)
    assert sources
    assert [path.name for path in sources if wrong.search(path.read_text(encoding="utf-8"))] == []
    asking = [path.name for path in sources if "fetch(" in path.read_text(encoding="utf-8")]
    # All of them ask only the server that shows the page; the policy of a file lets them ask nobody.
    assert sorted(asking) == ["api.ts", "start.tsx", "texts.ts"]


def test_the_lock_names_no_host() -> None:
    lock = ROOT / "viewer" / "package-lock.json"
    if not lock.is_file():
        pytest.skip("the sources of the page are not here: this is not a checkout")
    assert '"resolved"' not in lock.read_text(encoding="utf-8")


# ---------------------------------------------------------------- commands


def test_report(tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    done = run("report", GOLD, PRED, "-o", page, "--title", "Mine", "--text", "none", "--no-ci", "--meta", "a=b")
    assert (done.code, done.out, done.err) == (0, "", f"wrote {page}\n")
    found = viewer.unpack(page.read_text(encoding="utf-8"))
    assert (found["title"], found["text"], found["ci"], found["meta"]) == ("Mine", "none", None, {"a": "b"})
    assert found["corpus"]["whole"][found["corpus"]["at"]]["tp"] == 157


def test_report_of_other_families(tmp_path: Path) -> None:
    gold = write(tmp_path / "g.jsonl", [{"id": 1, "text": "abcdef", "segments": [[0, 3], [3, 6]]}])
    page = tmp_path / "r.html"
    assert run("report", gold, gold, "-o", page, "--no-ci").code == 0
    assert viewer.unpack(page.read_text(encoding="utf-8"))["family"] == "segments"


def test_eval_writes_the_page_too(tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    done = run("eval", GOLD, PRED, "--html", page)
    assert done.code == 0
    assert done.out == run("eval", GOLD, PRED).out
    assert viewer.unpack(page.read_text(encoding="utf-8"))["documents"] == 50


@pytest.mark.parametrize("there", [True, False])
def test_view_opens_a_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, there: bool) -> None:
    """Where no browser can be opened, as on a machine without a screen, the address is told."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or there)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = run("view", GOLD, PRED, "--no-ci")
    assert done.code == 0
    (path,) = tmp_path.glob("*/report.html")
    assert opened == [path.as_uri()]
    said = f"opened {path}" if there else f"no browser could be opened here; the address is {path.as_uri()}"
    assert done.err == f"{said}\n"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("report", GOLD, PRED, "-o", "-"), "-o needs the name of a file"),
        (("report", GOLD), "PRED is missing"),
        (("view", "-", "-"), "cannot both be standard input"),
        (("report", GOLD, PRED, "--text", "some"), "full or context or masked or none"),
        (("eval", TRACES, "--text", "some"), "full or context or masked or none"),
        (("report", TRACES, "--labels", "A"), "--labels needs GOLD and PRED"),
    ],
)
def test_refused(args: tuple[object, ...], words: str) -> None:
    assert words in refused(run(*args))


def test_large_pages_are_said_to_be_large(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(viewer, "LARGE", 1000)
    done = run("report", GOLD, PRED, "-o", tmp_path / "r.html", "--no-ci")
    assert "bytes: a browser will be slow to open it" in done.err
