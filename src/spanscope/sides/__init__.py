"""Gold beside predictions: joined, named, held against each other."""
