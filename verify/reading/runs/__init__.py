"""Claims about runs of a method, read as claims about any numbers."""
