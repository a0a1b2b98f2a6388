"""One module a family, one function a published definition."""
