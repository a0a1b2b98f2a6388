"""Measures of tagged tokens."""
