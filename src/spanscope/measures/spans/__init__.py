"""Measures of labelled spans."""
