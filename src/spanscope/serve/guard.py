"""Who may ask: the checks on every request, and the headers on every answer.

A page of another origin can make a browser send requests here. It cannot forge Host or Origin, so these decide:

Host      must be this server's own name and port, else a name that someone else's DNS points at this machine
          (rebinding) would make their page the same origin as ours.
Origin    must be this server's own on every request that changes something. A request without Origin is refused
          too: browsers send it with every POST and DELETE, and a script can as well.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spanscope.serve.limits import ANY, Refused

SAFE = ("GET", "HEAD")
METHODS = (*SAFE, "POST", "DELETE")
NAMES = ("localhost", "127.0.0.1", "[::1]")
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}
NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"


def own_host(given: str, host: str, port: int) -> bool:
    """Tell whether a Host header names this server.

    Bound to every address it cannot know its names: then any bare address will do, which no DNS can forge.

    >>> own_host("localhost:8765", "127.0.0.1", 8765), own_host("evil.example:8765", "127.0.0.1", 8765)
    (True, False)
    """
    name, sign, number = given.lower().rpartition(":")
    if not sign or not number.isdigit():  # without a port, or an address of version 6 without one
        name, number = given.lower(), "80"
    if number != str(port):
        return False
    known = f"[{host}]" if ":" in host else host.lower()
    if name in NAMES or (name == known and host not in ANY):
        return True
    if host not in ANY:
        return False
    try:
        return bool(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        return False


def check(method: str, path: str, headers: Mapping[str, str], host: str, port: int) -> None:
    """Refuse a request that did not come from this server's own page."""
    if not own_host(headers.get("host", ""), host, port):
        raise Refused(403, "the Host header names another server", expected=f"localhost:{port}")
    if method not in METHODS:
        raise Refused(405, f"{method[:20]} is not allowed here", expected=", ".join(METHODS))
    site, mode = headers.get("sec-fetch-site", "none"), headers.get("sec-fetch-mode", "navigate")
    if site not in ("none", "same-origin") and mode != "navigate":
        raise Refused(403, "the request comes from a page of another origin")
    if method in SAFE:
        return
    if headers.get("origin", "") != f"http://{headers.get('host', '')}":
        what = "the Origin header is missing or names another page"
        raise Refused(403, what, expected=f"http://{headers.get('host', '')}")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    wanted = "application/octet-stream" if path == "/api/upload" else "application/json"
    if method == "POST" and kind != wanted:
        raise Refused(415, f"the content type is {kind[:60] or 'missing'}", expected=wanted)


class Answer(JSONResponse):
    """JSON in plain ASCII: a name of bytes that are no text must not be what makes a whole list unreadable."""

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class Guard:
    """Checks every request before anything else sees it, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, host: str, port: int) -> None:
        self.app, self.host, self.port = app, host, port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("content-security-policy", NOTHING)
            await send(message)

        hosts = [value for name, value in scope["headers"] if name == b"host"]
        try:
            if len(hosts) != 1:
                raise Refused(403, "there must be one Host header")
            check(scope["method"], scope["path"], Headers(scope=scope), self.host, self.port)
        except Refused as refused:
            answer = Answer({"error": refused.error}, refused.status, headers={"connection": "close"})
            await answer(scope, receive, headed)
            return
        await self.app(scope, receive, headed)
