"""What evidence is, and what it adds up to."""
