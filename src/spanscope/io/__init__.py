"""Files: what they are, how they are read, how outputs are written."""
