"""Thin bridges to other libraries: the core imports none of them, and each imports its library where used."""
