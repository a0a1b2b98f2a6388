"""A small server for the runs in a folder: drop gold and predictions, score, look, compare.

Needs the extra `spanscope[serve]`. Nothing here is imported unless the command `serve` runs.
"""
