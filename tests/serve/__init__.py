"""The server: asked over HTTP, and looked at in a real browser."""

import http.client
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]


class Answer(NamedTuple):
    """What the server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> Json:
        found: Json = self.json["error"]
        return found


class Served:
    """A running server, its folders (the one it serves, the one it remembers in), and what it holds."""

    held: Any
    stop: Callable[[], None]

    def __init__(self, port: int, folder: Path, kept: Path) -> None:
        self.port, self.folder, self.kept = port, folder, kept
        self.origin = f"http://127.0.0.1:{port}"

    def ask(self, method: str, path: str, body: Json | bytes | None = None, **headers: str | None) -> Answer:
        """Ask as the server's own page would; headers given as None are not sent."""
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        sent = {"Host": f"127.0.0.1:{self.port}", "Origin": self.origin, "Content-Type": kind}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            if data is not None:
                connection.putheader("Content-Length", str(len(data)))
            connection.endheaders(data)
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def upload(self, name: str, data: bytes) -> Json:
        done = self.ask("POST", f"/api/upload?name={name}", data)
        assert done.status == 200, done
        found: Json = done.json
        return found

    def submit(self, **asked: Any) -> str:
        done = self.ask("POST", "/api/jobs", asked)
        assert done.status == 202, done
        return str(done.json["id"])

    def until(self, job: str, *states: str) -> Json:
        """Wait until a job is in one of the states, and return it."""
        end = time.monotonic() + 120
        while time.monotonic() < end:
            found: Json = self.ask("GET", f"/api/jobs/{job}").json
            if found["state"] in states:
                return found
            time.sleep(0.05)
        raise AssertionError(f"the job is still {found}")

    def score(self, gold: str, pred: str | None, **more: Any) -> str:
        """Score two files and return the id of the run."""
        own = self.submit(gold=gold, pred=pred, **more)
        done = self.until(own, "done", "failed")
        assert done["state"] == "done", done
        return own

    def listed(self) -> list[str]:
        """Return the ids of the runs that are listed, the newest first."""
        return [one["id"] for one in self.ask("GET", "/api/runs").json["runs"]]

    def left(self, what: str) -> list[str]:
        """Return what lies in one of the folders in which it remembers."""
        return sorted(path.name for path in self.kept.joinpath(what).iterdir())
