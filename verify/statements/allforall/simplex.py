r"""Theorem 4.1 where noise and bias are both as large as the recursion allows.

N agents share one model, Lambda = 1/N.  With the simplex of edge points h e_i,

.. math:: f_i(x) = s\,(1 - x_i/h)^+ + \beta\,|\langle n, x\rangle - h/\sqrt N|, \qquad n = \mathbf 1/\sqrt N,

is minimal at h e_i and s above that at every h e_j, so B.1 holds with b_ij = s = eps/2, while the
mean of the f_i is flat, s (1 - 1/N), on the whole simplex: no point serves two agents better.  All
slopes along n are the same, so the distance z from the plane moves without chance, and as long as
no coordinate passes h the expected gap is a function of z alone.

The theorem names no step of its own: "the same assumptions as in Theorem 3.a" may or may not include
the step of 3.a, which is too long here by a factor sqrt 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.all_convex import (
    BLOCKS,
    average_over_blocks,
    claim,
    rounds_for_blocks,
)
from verify.statements.allforall.common import PRECISION, numbers, one
from verify.world.world import World

SIMPLEX = numbers(
    {"fill": Real(0, 1), "offset": Real(0, 1), "ratio": Real(8, 64, log=True), "precision": PRECISION,
     "distance": Real(1 / 8, 8, unit=(0, 1), log=True)},
    {"N": 4, "rounds": 16}, {"N": 64, "rounds": 36}, {"N": 256, "rounds": 64},
    about="one model for N agents, exact gradients, minimisers at the corners of a simplex",
)  # fmt: skip


def _slopes(w: World) -> tuple[Any, Any, Any]:
    """s/h, beta and B, with 4 D^2 B^2/eps^2 = K and h = ratio D."""
    size = w.precision * xp.sqrt(one(w.precision) * w.rounds) / (2 * w.distance)
    tilt = w.fill * w.precision / (2 * w.ratio * w.distance)
    return tilt, size - tilt, size


def _move(w: World, size: Any, best: bool) -> Any:
    """Way of the shared model per unit of gradient: eta/N, S = 1.

    Printed sqrt(2 N (N D^2)/(K B^2))/N; the shorter one is D/(B sqrt K).
    """
    step = w.distance / (size * xp.sqrt(one(size) * w.rounds))
    return step if best else step * xp.sqrt(2 * one(size))


def _reached(best: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """E of the mean F over K = 4 D^2 B^2/eps^2 rounds of Algorithm 1, asynchronous oracle.

        With the printed step the first part is 1.06 eps/2: D/(B sqrt(K/2)) steps down to the plane
        and half a step off it ever after. With eps/2 (1 - 1/N) of bias this passes eps for N > 17.

        Proof with the step N D/(B sqrt(K S)).  E|G_Lambda|^2 <= B^2 S/N and |y^0 - y^Lambda|^2 <=
        N D^2, so the mean of f^Lambda over K rounds is at most N D^2/(2 eta K) + eta B^2 S/(2 N) =
        D B sqrt(S/K) <= eps/2 above its minimum; Lemma 3 adds eps/2 at most.
        """
        tilt, normal, size = _slopes(w)
        root = xp.sqrt(one(size) * w.N)
        flat = tilt * w.ratio * w.distance * (w.N - 1) / w.N
        move = _move(w, size, best)
        z = w.distance * w.offset
        total: Any = 0 * z
        for _ in range(w.rounds):
            side = xp.indicator(z > 0, z) - xp.indicator(z < 0, z)
            total = total + normal * xp.absolute(z) - tilt * z / root
            z = z - move * (normal * side - tilt / root)
        return {"bias": flat, "above it": total / w.rounds}, {"precision": w.precision}

    return sides


def _met(best: bool) -> Callable[[World], Terms]:
    def given(w: World) -> Terms:
        """|g| <= B, and no coordinate passes h: it starts at h/N + z/sqrt N and gains at most
        eta s/(N h) a round and what z does."""
        tilt, normal, size = _slopes(w)
        move = _move(w, size, best)
        edge = w.ratio * w.distance
        root = xp.sqrt(one(size) * w.N)
        highest = edge / w.N + (w.distance + move * size) / root + w.rounds * move * tilt
        return {"|g| at most B": size - (normal + tilt), "coordinates below h": edge - highest}

    return given


_41 = r"T_\varepsilon\le\frac{4D^2B^2}{\varepsilon^2}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)}"
_STEP = r",\ \eta=\tfrac{ND}{B\sqrt{K\sum_i1/\mathcal N_i^\varepsilon(2b)}}"
STATEMENTS: tuple[Statement, ...] = (
    claim("theorem4.1/blocks", "Theorem 4.1", _41, family=BLOCKS, over="mean",
          sides=average_over_blocks(False), given=rounds_for_blocks),
    claim("theorem4.1/simplex@step-of-3a", "Theorem 4.1", _41, family=SIMPLEX, over="mean",
          sides=_reached(False), given=_met(False)),
    claim("theorem4.1/simplex@shorter-step", "Theorem 4.1", _41 + _STEP, family=SIMPLEX,
          over="mean", sides=_reached(True), given=_met(True)),
)  # fmt: skip
