"""With the text policy masked or none, nothing that is printed quotes a document: no message, repr or report."""

import json
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import SpanscopeError
from spanscope.settings.options import grouped
from tests.cli import PLAIN, Done, run

NAME = "Zebulon"  # the name of a patient, in every text
TEXT = f"Patient {NAME} Pike was seen."
SPAN = {"start": 8, "end": 15, "label": "NAME"}
GOOD = {"id": "a", "text": TEXT, "spans": [SPAN]}
TOKENS = {"id": "a", "tokens": ["Patient", NAME], "tags": ["O", "B-NAME"]}
CUT = {"id": "a", "text": TEXT, "segments": [{"start": 0, "end": 16}, {"start": 16, "end": len(TEXT)}]}
QUERY = {"id": "q", "query": f"Who is {NAME}?", "snippets": [{"text": TEXT}]}
PRODIGY = {"_input_hash": 1, "_task_hash": 1, "answer": "accept"}
STUDIO = {"id": 1, "data": {"text": TEXT}, "predictions": [{"model_version": [NAME], "result": []}]}
MARK = {"%ID": 2, "%TYPE": [NAME], "@sofa": 1, "begin": 8, "end": 15, "value": "NAME"}
SOFA = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": TEXT}
CAS = {"%TYPES": {}, "%FEATURE_STRUCTURES": [SOFA, MARK, {**MARK, "%ID": 3, "%TYPE": "a.B"}], "%VIEWS": {}}
FOUND = {"id": "q", "query": f"Who is {NAME}?", "retrieved_passages": [{"text": TEXT}]}


def spans(**changed: Any) -> dict[str, Any]:
    return {**GOOD, "spans": [{**SPAN, **changed}]}


# What stands in the gold file, and in the predictions where these are not gold again: a document, or bytes.
CASES: dict[str, tuple[Any, ...]] = {
    "another quote": (spans(text=NAME[::-1]), spans(text=NAME.upper())),
    "a document that is a string": ([TEXT],),
    "an input that is a string": (json.dumps(TEXT).encode(),),
    "a text that is a list": ({**GOOD, "text": [TEXT]},),
    "a text that is an object": ({**GOOD, "text": {"of": TEXT}},),
    "a quote that is a list": (spans(text=[NAME]),),
    "a span that is a string": ({**GOOD, "spans": [TEXT]},),
    "spans that are a string": ({**GOOD, "spans": TEXT},),
    "a start that is a string": (spans(start=NAME),),
    "a label that is an object": (spans(label={"of": NAME}),),
    "a confidence that is a string": (spans(score=NAME),),
    "fragments that are a string": (spans(fragments=NAME),),
    "a fragment that is a string": (spans(fragments=[NAME]),),
    "a span without a label": ({**GOOD, "spans": [{"start": 8, "end": 15, NAME: 1}]},),
    "a document without spans": ({"id": "a", "text": TEXT, NAME: 1},),
    "an object of nothing known": ({NAME: 1},),
    "broken JSON": (f'{{"id": "a", "text": {NAME} "spans": []}}\n'.encode() * 2,),
    "broken JSON in a list": (f'[{{"id": "a", "text": {NAME}, "spans": []}}]'.encode(),),
    "other texts": (GOOD, {**GOOD, "text": TEXT.upper()}),
    "fragments beside a start that is a name": (spans(start=NAME, fragments=[[8, 10], [12, 15]]),),
    "an answer that is a text": ({**GOOD, "answer": TEXT, "_task_hash": 1},),
    "an id that is a list": ({**GOOD, "id": [NAME]},),
    "segments with an id that is an object": ({**CUT, "id": {"of": NAME}},),
    "tags that are words": (f"Patient {NAME}\n{NAME} O\n".encode(),),
    "a document too many": (GOOD, [GOOD, {**GOOD, "id": "b"}]),
    "tokens cut otherwise": (TOKENS, {**TOKENS, "tokens": ["Patient", f"{NAME}s"]}),
    "a token that is not in the text": ({**TOKENS, "text": "Patient nobody"},),
    "a token at another place": ({**TOKENS, "text": TEXT, "start_indices": [0, 9]},),
    "a token that is a list": ({**TOKENS, "tokens": ["Patient", [NAME]]},),
    "tokens that are a string": ({**TOKENS, "tokens": TEXT},),
    "a tag that is a list": ({**TOKENS, "tags": ["O", [NAME]]},),
    "start_indices that are strings": ({**TOKENS, "start_indices": [NAME, NAME]},),
    "prose": (TEXT.encode() * 3,),
    "CoNLL with a line that has no tag": (f"Patient O\n{NAME} B-NAME\nPike {NAME}\n".encode(),),
    "a gap between segments": ({**CUT, "segments": [{"start": 0, "end": 8}, {"start": 15, "end": len(TEXT)}]},),
    "a segment that is a string": ({**CUT, "segments": [NAME]},),
    "segments that are a string": ({**CUT, "segments": TEXT},),
    "segments of an object": ({"id": "a", "text": TEXT, "segmentations": {"A": TEXT}},),
    "segments that are labels by text": ({**CUT, "segments": {TEXT: "plan"}},),
    "segments that are lists of labels by text": ({**CUT, "segments": {TEXT: ["plan"]}},),
    "segmentations that are labels by text": ({"id": "a", "text": TEXT, "segmentations": {TEXT: "plan"}},),
    "times by text": ({**CUT, "ptime": {TEXT: "long"}},),
    "a list in a cell that is cut off": (f'question,contexts,answer\nWho?,"[\'{TEXT}",{NAME}\n'.encode(),),
    "an annotator that is a list": ([{**GOOD, **PRODIGY}, {**GOOD, **PRODIGY, "_annotator_id": [NAME]}],),
    "a model that is a list": ([[STUDIO]],),
    "a type that is a list": (CAS,),
    "a text of segments that is a list": ({**CUT, "text": [TEXT]},),
    "a query that is a list": ({**QUERY, "query": [TEXT]}, FOUND),
    "a passage that is a number": (QUERY, {**FOUND, "retrieved_passages": [[TEXT]]}),
    "passages that are a string": (QUERY, {**FOUND, "retrieved_passages": TEXT}),
    "a passage whose text is a list": (QUERY, {**FOUND, "retrieved_passages": [{"text": [TEXT]}]}),
    "a relevance that is a string": ({**QUERY, "snippets": [{"text": TEXT, "relevance": NAME}]}, FOUND),
    "a query without passages": ([QUERY, {"id": "r", "query": TEXT, NAME: 1}], FOUND),
    "a query that is repeated": ([QUERY, QUERY], [FOUND, FOUND]),
    "a query that is missing": ({"query": TEXT, "snippets": [TEXT]}, {"query": "?", "retrieved_passages": ["x"]}),
    "qrels that are text": (f"q 0 d 1\nq 0 {NAME}\n".encode(), f"q Q0 d 1 0.5 x\n{NAME} {NAME}\n".encode()),
}


def put(folder: Path, name: str, found: Any) -> str:
    path = folder / f"{name}.jsonl"
    if not isinstance(found, bytes):
        found = "".join(json.dumps(one) + "\n" for one in (found if isinstance(found, list) else [found])).encode()
    path.write_bytes(found)
    return str(path)


def said(ask: Any) -> str:
    """Return all that a call says: of its refusal, or of its result in every form."""
    try:
        found = ask()
    except SpanscopeError as error:
        return f"{error} {error!r} {error.args} {''.join(traceback.format_exception(error))}"
    if isinstance(found, list):
        return " ".join(f"{one} {one!r}" for one in found)
    forms = [found.table(form) for form in ("table", "markdown", "csv", "json")]
    return " ".join((*forms, repr(found), str(found), str(found.problems)))


@pytest.mark.parametrize("policy", ["masked", "none"])
@pytest.mark.parametrize("case", CASES)
def test_no_message_quotes_a_document(case: str, policy: Any, tmp_path: Path) -> None:
    gold, pred = (*CASES[case], CASES[case][0])[:2]
    files = put(tmp_path, "gold", gold), put(tmp_path, "pred", pred)
    for protocol in (None, "reqflow-v1"):
        assert NAME not in said(lambda: spanscope.evaluate(*files, text=policy, protocol=protocol))  # noqa: B023
    assert NAME not in said(lambda: spanscope.evaluate(*files, text=policy, score=spanscope.Scoring(strict=True)))
    assert NAME not in said(
        lambda: spanscope.evaluate(*files, text=policy, run=spanscope.Running(memory="counts"))
    )
    assert NAME not in said(lambda: spanscope.check(*files, text=policy))
    assert NAME not in said(lambda: spanscope.agree(*files, text=policy, measures=["f1"]))
    if not isinstance(gold, bytes):
        given = [one if isinstance(one, list) else [one] for one in (gold, pred)]
        assert NAME not in said(lambda: spanscope.evaluate(*given, text=policy))


def test_words_that_were_said_to_be_tags_are_not_quoted(tmp_path: Path) -> None:
    path = put(tmp_path, "gold", f"{NAME} O\nPike O\n".encode())
    how: dict[str, Any] = {"columns": {"tag": 0}, "scheme": "IOB2"}
    assert f"{NAME}: a tag starts with" in said(lambda: spanscope.check(path, **grouped(how)))
    assert NAME not in said(lambda: spanscope.check(path, text="none", **grouped(how)))


def printed(done: Done) -> str:
    return f"{done.out}{done.err}{done.noted}"


@pytest.mark.parametrize(
    "case", ["another quote", "tokens cut otherwise", "a segment that is a string", "broken JSON"]
)
@pytest.mark.parametrize("command", ["eval", "check", "agree"])
def test_no_command_prints_a_document(case: str, command: str, tmp_path: Path) -> None:
    gold, pred = (*CASES[case], CASES[case][0])[:2]
    files = put(tmp_path, "gold", gold), put(tmp_path, "pred", pred)
    assert NAME not in printed(run(command, *files, "--text", "masked"))
    everything = "".join(printed(run(other, *files)) for other in ("eval", "check"))
    assert any(form in everything for form in (NAME[:3], NAME[::-1]))  # there is something to hide


def test_results_have_short_reprs(tmp_path: Path) -> None:
    """A notebook that shows a result by accident shows no document, whatever the policy."""
    path = put(tmp_path, "gold", GOOD)
    found = spanscope.evaluate(path, path, "spans.exact", ci=False)
    assert repr(found) == "<Result of spans.exact: f1 1.0 (micro), 1 document>"
    compared = spanscope.compare(path, ("a", path), ("b", path), measures="spans.exact", trials=2)
    agreement = spanscope.agree(path, path, measures=["f1"])
    cut = {"masses": [5, len(TEXT) - 5]}
    panel = spanscope.panel([{"id": "a", "text": TEXT, "segmentations": {"A": cut, "B": cut}}])
    for one in (found, compared, agreement, panel, found.comparison):
        assert NAME not in repr(one)
        assert len(repr(one)) < 200
        assert "\n" not in repr(one)


@pytest.mark.parametrize("option", [["--text=masked"], ["--text", "none"]])
def test_what_goes_wrong_inside_is_not_quoted(
    option: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An internal error may say anything: under a policy the terminal is told only its kind."""

    def fail(*_args: Any, **_options: Any) -> None:
        raise KeyError(TEXT)

    monkeypatch.setattr(sys.modules["spanscope.commands.evaluate"], "evaluate", fail)
    path = put(tmp_path, "gold", GOOD)
    assert NAME in printed(run("eval", path, path))
    for debug in ("", "1"):
        monkeypatch.setitem(PLAIN, "SPANSCOPE_DEBUG", debug)
        done = run("eval", path, path, *option)
        assert done.code == 2
        assert "internal error: KeyError\n" in done.err
        assert NAME not in printed(done)
        assert ("raise KeyError" in done.err) is (debug == "1")  # where it was, without what it says


def test_what_goes_wrong_inside_is_not_quoted_where_a_configuration_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_args: Any, **_options: Any) -> None:
        raise KeyError(TEXT)

    monkeypatch.setattr(sys.modules["spanscope.commands.evaluate"], "score_sides", fail)
    path = put(tmp_path, "gold", GOOD)
    for policy in ("masked", "full"):
        config = tmp_path / "spanscope.toml"
        config.write_text(f"gold = {path!r}\ntext = {policy!r}\n[runs]\na = {path!r}\n", encoding="utf-8")
        done = run("eval", "--config", config)
        assert done.code == 2
        assert "internal error: KeyError" in done.err
        assert (NAME in printed(done)) is (policy == "full")
