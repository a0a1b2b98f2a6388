"""Readers of queries, passages and answers."""
