"""Who may ask, and what is never read: hosts, origins, paths, links, names."""

import os
import socket
from pathlib import Path

import pytest

from tests.cli import GOLD
from tests.serve import Served
from tests.serve.conftest import Start

SECRET = b'{"id": 1, "text": "secret", "spans": []}\n'
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}


# ---------------------------------------------------------------- hosts and origins


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
def test_own_names_are_answered(served: Served, host: str) -> None:
    name = f"{host}:{served.port}"
    assert served.ask("GET", "/api/runs", Host=name).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.evil.example:{port}",
        "",
        None,
        "10.0.0.1:{port}",
        "127.0.0.1:{port}@evil.example",
        "127.0.0.1:{port}.evil.example",
        "[::1]",
    ],
)
def test_foreign_hosts_are_refused(served: Served, host: str | None) -> None:
    """A name that someone else's DNS points here would make their page the same origin."""
    name = host and host.format(port=served.port)
    for path in ("/", "/api/runs", "/runs/x/data"):
        done = served.ask("GET", path, Host=name)
        assert done.status in (400, 403), (path, done)
        assert b"gold.jsonl" not in done.body


def test_two_hosts_are_refused(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), 10) as raw:
        own = f"Host: 127.0.0.1:{served.port}\r\n"
        raw.sendall(f"GET /api/files HTTP/1.1\r\n{own}Host: evil.example\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.split()[1] in (b"400", b"403")
    assert b"gold.jsonl" not in answer


def test_bound_to_every_address_only_bare_addresses_are_names(start: Start) -> None:
    """Bound to all addresses the server does not know its names, and an address cannot be rebound by DNS."""
    served = start(host="0.0.0.0")
    assert served.ask("GET", "/api/runs", Host=f"192.168.7.7:{served.port}").status == 200
    assert served.ask("GET", "/api/runs", Host=f"evil.example:{served.port}").status == 403


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://127.0.0.1:1", "https://127.0.0.1:{port}"]
)
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/jobs", {"gold": "gold.jsonl", "pred": "pred.jsonl"}),
        ("POST", "/api/upload?name=a.jsonl", b"x"),
        ("DELETE", "/api/runs/{run}", None),
        ("DELETE", "/api/jobs/{run}", None),
    ],
)
def test_foreign_origins_change_nothing(
    served: Served, method: str, path: str, body: bytes | None, origin: str | None
) -> None:
    run = served.score("gold.jsonl", "pred.jsonl") if "{run}" in path else ""
    done = served.ask(method, path.format(run=run), body, Origin=origin and origin.format(port=served.port))
    assert done.status == 403
    assert "Origin" in done.error["what"]
    assert served.left("uploads") == served.left("jobs") == []
    assert [one["id"] for one in served.ask("GET", "/api/runs").json["runs"]] == ([run] if run else [])


def test_scripts_of_other_pages_do_not_read(served: Served) -> None:
    done = served.ask("GET", "/api/files", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")
    assert done.status == 403
    assert served.ask("GET", "/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate").status == 200


@pytest.mark.parametrize("kind", [None, "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"])
def test_content_types_that_forms_can_send_are_refused(served: Served, kind: str | None) -> None:
    assert served.ask("POST", "/api/jobs", {"gold": "gold.jsonl"}, Content_Type=kind).status == 415
    assert served.ask("POST", "/api/upload?name=a", b"x", Content_Type=kind).status == 415
    assert served.left("uploads") == []


@pytest.mark.parametrize("method", ["PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
def test_other_methods_are_refused(served: Served, method: str) -> None:
    assert served.ask(method, "/api/runs").status in (400, 405)


def test_headers_stand_on_every_answer(served: Served) -> None:
    run = served.score("gold.jsonl", "pred.jsonl")
    paths = ["/", "/api/files", f"/runs/{run}/", f"/runs/{run}/data", f"/runs/{run}/report.html", "/nothing"]
    for path in paths:
        found = served.ask("GET", path).headers
        assert {name: found.get(name) for name in HEADERS} == HEADERS, path
        assert "frame-ancestors 'none'" in found["content-security-policy"]
        assert "access-control-allow-origin" not in found
    for path in ("/", f"/runs/{run}/"):
        page = served.ask("GET", path)
        assert "connect-src 'self'" in page.headers["content-security-policy"]
        assert b"connect-src 'none'" not in page.body
    refused = served.ask("GET", "/", Host="evil.example").headers
    assert {name: refused.get(name) for name in HEADERS} == HEADERS


# ---------------------------------------------------------------- what is never read


@pytest.fixture
def secret(folder: Path) -> Path:
    """Return a file beside the folder, which nothing may show."""
    path = folder.parent / "secret.jsonl"
    path.write_bytes(SECRET)
    return path


OUTSIDE = ["../secret.jsonl", "%2e%2e/secret.jsonl", "..%2fsecret.jsonl", "..\\secret.jsonl", "./../secret.jsonl"]
OUTSIDE += ["{absolute}", "file://{absolute}", "gold.jsonl/../../secret.jsonl", "gold.jsonl\0", "\0", "", "-", "."]


@pytest.mark.parametrize("name", OUTSIDE)
def test_paths_are_never_opened(served: Served, secret: Path, name: str) -> None:
    asked = name.format(absolute=secret)
    for body in ({"gold": asked, "pred": "pred.jsonl"}, {"gold": "gold.jsonl", "pred": asked}, {"result": asked}):
        done = served.ask("POST", "/api/jobs", body)
        assert done.status == 404, done
        assert done.error["what"] == "there is no such file"
    assert served.left("jobs") == []


@pytest.mark.parametrize("strange", [1, None, ["gold.jsonl"], {"name": "gold.jsonl"}, True, 1e308])
def test_names_that_are_no_texts(served: Served, strange: object) -> None:
    assert served.ask("POST", "/api/jobs", {"gold": strange, "pred": "pred.jsonl"}).status == 404


PATHS = ["/runs/../../secret.jsonl", "/runs/%2e%2e/%2e%2e/data", "/runs/..%2f..%2f/data", "/..%2fsecret.jsonl"]
PATHS += [
    "/runs/x%00/data",
    "/runs/..%5c../",
    "//etc/passwd",
    "/runs//data",
    "/uploads/x/data",
    "/jobs/x/report.html",
]


@pytest.mark.parametrize("path", PATHS)
def test_addresses_are_no_paths(served: Served, secret: Path, path: str) -> None:
    done = served.ask("GET", path)
    assert done.status in (400, 404), done
    assert b"secret" not in done.body


def test_links_and_hidden_files_are_neither_listed_nor_read(served: Served, secret: Path) -> None:
    folder = served.folder
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "deep.jsonl").write_bytes(SECRET)
    (folder / "link.jsonl").symlink_to(secret)
    (folder / "inner.jsonl").symlink_to(folder / "gold.jsonl")
    (folder / "linked").symlink_to(outside, target_is_directory=True)
    (folder / ".hidden.jsonl").write_bytes(SECRET)
    (folder / ".git").mkdir()
    (folder / ".git" / "in.jsonl").write_bytes(SECRET)
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "sub").mkdir()
    (folder / "sub" / "more.jsonl").write_bytes(SECRET)
    names = [one["name"] for one in served.ask("GET", "/api/files").json["files"]]
    assert names == ["gold.jsonl", "pred.jsonl", "sub/more.jsonl"]
    for name in ("link.jsonl", "inner.jsonl", "linked/deep.jsonl", ".hidden.jsonl", ".git/in.jsonl", "pipe.jsonl"):
        assert served.ask("POST", "/api/jobs", {"gold": name, "pred": "pred.jsonl"}).status == 404, name


@pytest.mark.parametrize("plain", [False, True])
def test_a_file_swapped_for_a_link_after_it_was_listed(
    folder: Path, secret: Path, plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The listing is a moment ago: the file itself is opened without following a link, also one on the way."""
    from spanscope.errors import InputError
    from spanscope.serve.folder import open_inside

    if plain:  # as on systems without descriptors of folders
        monkeypatch.setattr(os, "supports_dir_fd", set())
    (folder / "sub").mkdir()
    (folder / "sub" / "secret.jsonl").write_bytes(b"fine")
    with os.fdopen(open_inside(folder, "sub/secret.jsonl"), "rb") as file:
        assert file.read() == b"fine"
    (folder / "sub" / "secret.jsonl").unlink()
    (folder / "sub").rmdir()
    (folder / "sub").symlink_to(secret.parent, target_is_directory=True)
    (folder / "own.jsonl").symlink_to(secret)
    for name in ("sub/secret.jsonl", "own.jsonl", "../secret.jsonl", str(secret), "sub", "a\0b", "a\\..\\b"):
        with pytest.raises(InputError):
            open_inside(folder, name)


HOSTILE = [
    "<script>alert(1)</script>.jsonl".replace("/", "_"),
    "new\nline.jsonl",
    "\u202egold\u202c.jsonl",
    "-",
    "--help.jsonl",
]
HOSTILE += [
    "n" * 240 + ".jsonl",
    "a'\"&;$(id).jsonl",
    "=.jsonl",
    "émoji 🍕.jsonl",
    "json.py.jsonl",
    "\udcff\udcfe.jsonl",
]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_are_listed_visibly_and_scored(served: Served, name: str) -> None:
    asked = name if name.endswith(".jsonl") else f"{name}.jsonl"
    (served.folder / "gold.jsonl").rename(served.folder / asked)
    found = [one for one in served.ask("GET", "/api/files").json["files"] if one["name"] != "pred.jsonl"]
    assert len(found) == 1
    shown = found[0]["name"]
    assert shown.isprintable()
    assert "\u202e" not in shown
    run = served.score(found[0]["id"], "pred.jsonl")
    assert served.ask("GET", f"/runs/{run}/").status == 200


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("..%2F..%2Fetc%2Fpasswd", "passwd"),
        ("%2e%2e", "file"),
        ("C:%5Cdata%5Cgold.jsonl", "gold.jsonl"),
        ("", "file"),
        ("a%00b.jsonl", "a_b.jsonl"),
        ("%E2%80%AEgold.jsonl", "_gold.jsonl"),
        ("-", "_"),
        (".jsonl", "jsonl"),
    ],
)
def test_uploads_get_names_of_our_making(served: Served, given: str, kept: str) -> None:
    found = served.upload(given, GOLD.read_bytes())
    assert found["name"] == kept
    assert [path.name for path in served.kept.joinpath("uploads", found["id"]).iterdir()] == [kept]
    assert served.kept.stat().st_mode & 0o777 == 0o700


def test_a_very_long_name_keeps_its_ending(served: Served) -> None:
    found = served.upload("n" * 3000 + ".jsonl.gz", b"x")
    assert found["name"].endswith(".jsonl.gz")
    assert len(found["name"]) <= 120
