"""How far annotators agree: coefficients, and what they are made of. Arithmetic on arrays, no files."""
