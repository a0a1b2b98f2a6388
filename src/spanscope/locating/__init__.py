"""Quotes become places in a text: folding, occurrences, fuzzy search, guards, the choice among occurrences."""
