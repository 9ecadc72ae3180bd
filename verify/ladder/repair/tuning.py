"""Numbers by which the search for mends was tuned, file by file: value, unit, reason."""

from __future__ import annotations

from fractions import Fraction

# Mends that are tried
FACTORS = sorted(
    {Fraction(a, b) for a in (1, 2, 3, 4, 8) for b in (1, 2, 3, 4, 8)} - {Fraction(1)},
    key=lambda f: (f.numerator + f.denominator, f),
)
"""Factors on the right side, on one of its terms or on a symbol, short ones first."""

LARGE_FACTORS = tuple(map(Fraction, (16, 32, 100, 1000)))
"""Factors that are tried on the whole right side alone."""

COEFFICIENTS = (1, 2, 8)
"""Factors with which a missing term is tried."""

MOST_TERMS = 80
"""Monomials that are tried as a missing term."""

# The sample on which they are tried
SAMPLED_FROM = 512
"""Kept instances of a shape of which a sample is drawn."""

SAMPLED_BROKEN = 24
"""Instances of a shape in the sample that break the claim."""

SAMPLED_WHOLE = 24
"""Instances of a shape in the sample that do not."""

MOST_BITS = 64.0
"""Excess, in powers of two, that stands for an infinite one."""

BISECTIONS = 20
"""Steps in which the least factor of a mend is found: to one part in a million."""

# Flaws, one after the other
MOST_FLAWS = 4
"""Flaws that are listed at most."""

CHANGED_SHARE = 8
"""The changed claim gets one part in so many of the leaf's evaluations."""

REFEREED = 6
"""Mends about which the referee is asked, best first."""

WORTH = 1 / 2
"""A mend that leaves more than this part of the excess is none."""
