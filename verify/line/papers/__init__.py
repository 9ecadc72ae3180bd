"""The results of a paper's LaTeX source as records."""
