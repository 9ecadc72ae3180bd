"""Clients that are grouped by their gradients: any of them, and where cosines are defined."""

from __future__ import annotations

from itertools import combinations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, hypothesis, numbers
from verify.statements.hcct.quantities.symbols import SIZES, TRADEOFF, members
from verify.world.world import World

GRADIENT = Real(-2, 2, unit=(1, -1), per=("N", "d"))
CLIENTS = {"gradient": GRADIENT, "size": SIZES, "tradeoff": TRADEOFF}
ABOUT = "two or three clients, any gradients and sizes"
THREE = ({"N": 3, "d": 1}, {"N": 3, "d": 2})
SMALL = ({"N": 2, "d": 1}, {"N": 2, "d": 2}, *THREE)
TWO_OR_THREE = numbers(CLIENTS, *SMALL, about=ABOUT)


@hypothesis(
    "means",
    r"\sum_{i\in\mathcal C}D_i\mathbf g_i\ne0\ \forall\,\mathcal C\subseteq\mathcal N,\ |\mathcal C|\ge2",
    strict=True,
    where="Equation 8, its denominator",
)
def _means(w: World) -> Array:
    n = int(w.original("N"))
    groups = [members(g, w) for k in range(2, n + 1) for g in combinations(range(n), k)]
    sums = [xp.total((w.size * group)[..., None] * w.gradient, -2) for group in groups]
    return xp.smallest(xp.stack([xp.squared_norm(x) for x in sums], -1))


DIRECTIONS = (
    Hypothesis(
        "gradients",
        r"\mathbf g_i\ne0\ \forall i",
        lambda w: xp.smallest(xp.squared_norm(w.gradient)),
        "Equation 8, its denominator",
        strict=True,
    ),
    _means,
)
"""Where a gradient or the mean of a group vanishes the printed cosine is 0/0; the code, which has to
go on, takes 0 there."""


def scale(w: World) -> Array:
    """More than any benefit: what rounds to it does not count where benefits cancel."""
    return 2 * int(w.original("N")) * (1 + w.original("tradeoff"))
