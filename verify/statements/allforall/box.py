"""Boxes of the symbols that several families of the all-for-all paper share, with their units."""

from __future__ import annotations

from verify.claim import Real

CONDITIONS = Real(1, 8, log=True, per=("N",))
CURVATURE = Real(1 / 8, 8, unit=(1, -2), log=True)
DELTA = Real(1 / 64, 1 / 2, log=True)
GRADIENT = Real(1 / 8, 8, unit=(1, -1), log=True)
LENGTH = Real(-2, 2, unit=(0, 1))
LENGTHS = Real(-2, 2, unit=(0, 1), per=("N",))
DISTANCE = Real(1 / 8, 8, unit=(0, 1), log=True)
NOISE = Real(1 / 64, 16, unit=(2, -2), log=True)
PRECISION = Real(1 / 64, 4, unit=(1, 0), log=True)
ROWS = Real(1 / 16, 1, per=("N", "N"))
SHARES = Real(0, 1, per=("N",))
WEIGHTS = Real(1 / 8, 1, per=("N",))
