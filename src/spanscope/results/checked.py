"""What a check found: a list of problems that is shown, and becomes a data frame, as other results do."""

from __future__ import annotations

from spanscope.data.problems import Problem
from spanscope.results.rendering import Rendered


class Checked(Rendered, list[Problem]):
    """The problems of some inputs."""

    __repr__ = list.__repr__
    __str__ = list.__repr__
