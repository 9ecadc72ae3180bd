"""Boxes of the symbols that several families of the all-for-all paper share, with their units."""

from __future__ import annotations

from math import inf

from verify.claim import Real

CONDITION = Real(1, 8, log=True, domain=(1, inf))
CONDITIONS = Real(1, 8, log=True, per=("N",), domain=(1, inf))
CURVATURE = Real(1 / 8, 8, unit=(1, -2), log=True)
DELTA = Real(1 / 64, 1 / 2, log=True, domain=(0, 1 / 2))
FRACTION = Real(0, 63 / 64, domain=(0, 1))
"""By how much a number of samples exceeds the whole number below, or lacks of the one above."""
GRADIENT = Real(1 / 8, 8, unit=(1, -1), log=True)
LENGTH = Real(-2, 2, unit=(0, 1))
LENGTHS = Real(-2, 2, unit=(0, 1), per=("N",))
DISTANCE = Real(1 / 8, 8, unit=(0, 1), log=True)
NOISE = Real(1 / 64, 16, unit=(2, -2), log=True)
PRECISION = Real(1 / 64, 4, unit=(1, 0), log=True)
ROWS = Real(1 / 16, 1, per=("N", "N"))
SHARE = Real(0, 1, domain=(0, 1))
SHARES = Real(0, 1, per=("N",), domain=(0, 1))
WEIGHTS = Real(1 / 8, 1, per=("N",))
