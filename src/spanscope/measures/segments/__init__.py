"""Measures of segmentations."""
