"""The process itself: its garbage collector, and children that may crash."""
