"""Numbers by which budgets and limits were tuned; the profiles themselves stand in ``budgets``."""

from __future__ import annotations

# Shares of a budget
EFFORT = 220_000
"""What the search for a proof may do at quick and default: nearly twice what the dearest proof of
the library takes (122,000)."""

MUTANTS_FROM = 40_000
"""Evaluations of a leaf from which mutants are searched on their own."""

MUTANTS_SHARE = 32
"""One evaluation in so many goes to mutants, beside those of the search."""

SECONDS_SHARES = {"search": 0.6, "referee": 0.1, "costs": 0.6}
"""Parts of a leaf's time that are limited: the search, each instance that is scored again in exact
arithmetic, and what `holds` costs, which may take as long as the search again."""

FURTHER_SHARE = 2
"""The further families together get one part in so many of the leaf's evaluations."""

# Limits of time and of work
TOLD_AGAIN = 1.0
"""Seconds until a block that has not ended is told again."""

LOOK_AGAIN = 0.005
"""Seconds between two looks at a block that waits."""

WALL_TIMES = 8
"""Times as long as it may compute that a block may take by the clock on the wall."""

BYTES_PER_CALL = 1024
"""Memory that counts like one call."""
