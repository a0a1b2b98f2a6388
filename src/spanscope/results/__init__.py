"""What a run gave, how it is kept, and what is asked of it."""
