"""Serial twins of the methods, written from the update rules alone, on any kind of number."""
