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
os.environ.pop("COLUMNS", None)  # tables are as wide as they need, whatever runs the tests says of its terminal


@pytest.fixture(autouse=True)
def flags() -> Iterator[None]:
    """Let messages speak of flags, as on the command line; tests/settings/test_options.py has the rest."""
    with speaking_to("flags"):
        yield
