"""What is kept of a run, and what can be read off it again."""
