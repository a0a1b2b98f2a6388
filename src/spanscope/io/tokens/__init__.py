"""Readers of tagged tokens."""
