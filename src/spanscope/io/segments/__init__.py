"""Readers of segmentations."""
