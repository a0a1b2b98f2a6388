"""What became of every span: kinds of error, and matches as records."""
