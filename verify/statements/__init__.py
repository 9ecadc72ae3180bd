"""The library: one package per paper, each with its sheet."""
