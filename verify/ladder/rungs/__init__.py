"""The rungs besides the search: proofs, links, simulation, units."""
