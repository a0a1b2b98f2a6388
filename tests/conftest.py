"""How Hypothesis runs: without deadlines, and in CI with the same examples every time.

pytest --hypothesis-profile=deep    to look for trouble with many more examples
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from spanscope.errors import speaking_to
from spanscope.measures import registry

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("local", max_examples=25, **COMMON)
settings.register_profile("repeatable", max_examples=25, derandomize=True, **COMMON)
settings.register_profile("deep", max_examples=1000, **COMMON)
settings.load_profile("repeatable" if os.environ.get("CI") == "true" else "local")
NEEDS = {
    "play": "browser",
    "spark": "spark",
}  # the marker of the tests that take a fixture, directly or through others
os.environ.pop("COLUMNS", None)  # tables are as wide as they need, whatever runs the tests says of its terminal


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by marker
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what drives a browser or Spark: `make test` leaves it to `make test-browser` and `make test-spark`."""
    for item in items:
        for fixture, marker in NEEDS.items():
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(marker)


@pytest.fixture(autouse=True)
def flags() -> Iterator[None]:
    """Let messages speak of flags, as on the command line; tests/settings/test_options.py has the rest."""
    with speaking_to("flags"):
        yield


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which the package of the examples is installed, with its metadata."""
    from tests.support import EXAMPLE, needs

    needs("hatchling")
    room = tmp_path_factory.mktemp("plugin")
    source = shutil.copytree(EXAMPLE, room / "source")
    command = "pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation --target"
    subprocess.run(
        [sys.executable, "-m", *command.split(), room / "site", source], check=True, capture_output=True
    )
    assert (room / "site" / "spanscope_example-1.2.0.dist-info" / "entry_points.txt").is_file()
    return room / "site"


@pytest.fixture
def lone(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Let modules and measures of packages be known to one test alone."""
    before = {*sys.modules}
    measures = dict(registry._registry)
    yield monkeypatch
    for name in {*sys.modules} - before:
        if not name.startswith(("spanscope.", "numpy", "scipy")):
            del sys.modules[name]
    for name in {*registry._registry} - {*measures}:
        if not registry._registry[name].function.__module__.startswith("spanscope."):
            del registry._registry[name]
