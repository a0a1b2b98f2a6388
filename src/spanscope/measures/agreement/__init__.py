"""Agreement between annotators: coefficients, and the sums they are read from."""
