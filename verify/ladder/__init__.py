"""The rungs that look for evidence, and the climb over them."""
