"""The library: one package per paper, each with its sheet and the places that it leaves open."""
