"""How Hypothesis runs: without deadlines, and in CI with the same examples every time.

pytest --hypothesis-profile=deep    to look for trouble with many more examples
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from spanscope.errors import speaking_to

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
