"""Measures of retrieved passages and answers."""
