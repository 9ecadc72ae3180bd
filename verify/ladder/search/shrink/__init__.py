"""From a broken instance to one that an author would have chosen, with numbers for a pencil."""

from verify.ladder.search.shrink.simplest import has_long_numbers, shrink

__all__ = ["has_long_numbers", "shrink"]
