"""Pairs of spans, boundaries and passages, and which of them are accepted."""
