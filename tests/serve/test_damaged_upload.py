"""Uploads that would crash whoever reads them, or fill the machine: the job fails, the server stays."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from spanscope.io import arrow
from spanscope.serve import jobs
from tests.io.test_damaged_tables import DOCUMENTS, far_offset, forks, repeated, stream
from tests.serve import Served
from tests.serve.conftest import Start
from tests.support import needs

pa = needs("pyarrow")
pq = needs("pyarrow.parquet")


def failed(served: Served, name: str, data: bytes) -> dict[str, str]:
    """Upload a file, score it against predictions, and return the error; then another run must still work."""
    own = served.upload(name, data)
    error: dict[str, str] = served.until(served.submit(gold=own["id"], pred="pred.jsonl"), "done", "failed")[
        "error"
    ]
    served.score("gold.jsonl", "pred.jsonl")
    return error


def test_a_damaged_table_fails_by_its_name(served: Served) -> None:
    error = failed(served, "gold.arrow", far_offset())
    assert (error["kind"], error["where"]) == ("InputError", "gold.arrow")
    assert error["what"].startswith("is not a whole Arrow file (")


def test_the_server_itself_opens_no_table(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are processes of their own: whatever is asked for here is asked for by the server."""
    opened: list[Any] = []
    for name in ("first_rows", "read_table"):
        monkeypatch.setattr(arrow, name, lambda *args: opened.append(args) or b"")
    for name in ("gold.arrow", "gold.json"):
        own = served.upload(name, stream(pa.Table.from_pylist(DOCUMENTS)))
        assert own["looks"] == "gold"
        served.until(served.submit(gold=own["id"], pred=own["id"]), "done")
    served.ask("GET", "/api/files")
    assert opened == []


CRASH = """
import os, signal, sys, pyarrow.ipc
from spanscope.serve import work
pyarrow.ipc.open_stream = lambda source: {what}
sys.exit(work.main())
"""


@forks
@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "is damaged: the process that read it crashed (SIGSEGV)"),
        ("os.kill(os.getpid(), signal.SIGXCPU)", "is damaged: the process that read it took too long"),
        ("bytearray(10**11)", "unpacks to more than 200 MB"),
    ],
)
def test_a_crash_of_the_job_names_the_file(
    served: Served, monkeypatch: pytest.MonkeyPatch, what: str, said: str
) -> None:
    """What a damaged file can do to the job's process: end it, keep it busy, ask for all memory there is."""
    own = served.upload("gold.arrow", stream(pa.Table.from_pylist(DOCUMENTS)))
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-P", "-c", CRASH.format(what=what)))
    error = served.until(served.submit(gold=own["id"], pred="pred.jsonl"), "done", "failed")["error"]
    assert (error["kind"], error["where"], error["what"]) == ("InputError", "gold.arrow", said)
    assert served.ask("GET", "/api/runs").json["runs"] == []


@forks
def test_the_time_to_read_a_table_has_a_limit(tmp_path: Path) -> None:
    """A second of the processor, in a process that another one watches."""
    import subprocess

    code = (
        "import sys\nfrom spanscope.system.child_process import bounded, fork_watched, reading\n"
        "from spanscope.errors import InputError\ntry:\n    code = fork_watched()\n"
        "except InputError as error:\n    print(error.message().splitlines()[0])\n    sys.exit(0)\n"
        "with reading('x.parquet'), bounded(10**9, 1):\n    while True:\n        pass\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert found.stdout == "x.parquet: is damaged: the process that read it took too long\n", found


@pytest.mark.parametrize("schema", [True, False])
def test_a_table_that_unpacks_to_more_than_an_upload_may_have(start: Start, schema: bool) -> None:
    file = io.BytesIO()
    pq.write_table(repeated(2000, 10_000), file, compression="zstd", store_schema=schema)
    assert len(file.getvalue()) < 50_000
    error = failed(start(upload=5_000_000), "gold.parquet", file.getvalue())
    assert (error["where"], error["what"]) == ("gold.parquet", "unpacks to more than 5 MB")
    assert (error["expected"], error["hint"]) == ("", "spanscope serve --limit 2GB")


def test_a_whole_table_is_scored(served: Served) -> None:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(DOCUMENTS), file)
    own = served.upload("gold.parquet", file.getvalue())
    run = served.score(own["id"], own["id"])
    (head,) = [one for one in served.ask("GET", "/api/runs").json["runs"] if one["id"] == run]
    assert (head["documents"], head["figure"]["value"]) == (4, 1.0)
