"""What the statements of the grouping paper share: boxes of parameters, groups, free symbols."""

from __future__ import annotations

from typing import Any

from verify.claim.families import numbers
from verify.claim.parameters import Family, Real
from verify.world.world import World

Array = Any

CURVATURE = Real(1 / 8, 8, unit=(1, -2), log=True)
LENGTH = Real(-2, 2, unit=(0, 1))
POINTS = Real(-2, 2, unit=(0, 1), per=("N",))
LEVEL = Real(1 / 64, 63 / 64)
SIZE = Real(1, 16, log=True)
SIZES = Real(1, 16, log=True, per=("N",))
TRADEOFF = Real(1 / 64, 64, log=True)


def members(clients: Any, w: World) -> Array:
    """Mask (N,) of a group of clients."""
    return w.array([int(k in clients) for k in range(int(w.original("N")))])


# -- whether a step of a proof follows: its displays as free symbols -------------------------------

_ANY = "before after last best first second own_risk shift"
_NOT_NEGATIVE = """
sum sum2 rest rest2 group start similar drift noise late moved bound kappa kappa_pair risk distance
spread spread2 other
"""
_POSITIVE = "horizon step_size estimation sigma2"
_SYMBOLS = {
    **dict.fromkeys(_ANY.split(), Real(-4, 4)),
    **dict.fromkeys(_NOT_NEGATIVE.split(), Real(0, 4)),
    **dict.fromkeys(_POSITIVE.split(), Real(1 / 16, 4, log=True)),
    "part": Real(0, 1),
}


def free(names: str) -> Family:
    """Free symbols of these names."""
    return numbers({k: _SYMBOLS[k] for k in names.split()}, about="free symbols")
