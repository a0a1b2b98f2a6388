"""Readers of labelled spans."""
