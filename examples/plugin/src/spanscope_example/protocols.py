"""A protocol of our own: which measures are run, in which order, and by which settings."""

from spanscope import Protocol

BEGINNINGS = Protocol(
    "beginnings",
    "Where spans begin: starts within two characters lead, then exact matches.",
    ("example.starts(within=2)", "spans.exact"),
)
