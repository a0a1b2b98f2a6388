"""What is read: documents, spans, tokens, and what is odd about them."""
