"""Averages, intervals, tests: numbers read from sums."""
