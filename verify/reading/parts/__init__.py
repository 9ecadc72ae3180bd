"""Claims with symbols in place of what they are made of."""
