"""The worst case of one step over a class of losses."""
