"""Measures that only copy a tool, to the digit."""
