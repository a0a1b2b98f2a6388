"""One library call each, the flow readable from top to bottom."""
