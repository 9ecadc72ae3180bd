"""Boxes of parameters, and free symbols for the displays of a proof."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import Any

from verify.claim import Array, Real, free
from verify.world.world import World

CURVATURE = Real(1 / 8, 8, unit=(1, -2), log=True)
LENGTH = Real(-2, 2, unit=(0, 1))
POINTS = Real(-2, 2, unit=(0, 1), per=("N",))
LEVEL = Real(1 / 64, 63 / 64, domain=(0, 1))
SHARE = Real(0, 1, domain=(0, 1))
SIZE = Real(1, 16, log=True, domain=(1, inf))
SIZES = Real(1, 16, log=True, per=("N",), domain=(1, inf))
SLOPE = Real(1 / 8, 8, unit=(1, -1), log=True)
TRADEOFF = Real(1 / 64, 64, log=True)

_ANY_SIGN, _POSITIVE = Real(-4, 4), Real(1 / 16, 4, log=True)
_SYMBOLS = {
    **dict.fromkeys(("before", "after", "last", "best", "first", "second"), _ANY_SIGN),
    **dict.fromkeys(("own_risk", "shift"), _ANY_SIGN),
    **dict.fromkeys(("horizon", "step_size", "estimation", "sigma2"), _POSITIVE),
    "part": SHARE,
}
symbols = partial(free, box=_SYMBOLS)
"""Free symbols of these names, not negative unless listed otherwise."""


def members(clients: Any, w: World) -> Array:
    """Mask (N,) of a group of clients."""
    return w.array([int(k in clients) for k in range(int(w.original("N")))])
