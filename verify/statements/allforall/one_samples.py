"""Theorems 2.1 and 7.1, the naive scheme: averaging over close agents reaches eps under Setting 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Terms
from verify.statements.allforall.common import GRADIENT, PRECISION, numbers, one
from verify.statements.allforall.one_convex import claim
from verify.world.world import World

_SHAPES = (
    {"N": 1, "active": 1, "counted": 1, "rounds": 16},
    {"N": 2, "active": 1, "counted": 1, "rounds": 32},
    {"N": 3, "active": 3, "counted": 3, "rounds": 16},
)
_TIES = ({"N": 8, "active": 1, "counted": 8, "rounds": 16},)
_LATTICE = {
    "share": Real(0, 1), "tilt": Real(0, 1), "size": GRADIENT, "offset": Real(0, 1), "precision": PRECISION,
    "distance": Real(1 / 8, 8, unit=(0, 1), log=True),
}  # fmt: skip
LATTICE = numbers(
    _LATTICE, *_SHAPES,
    about="n of N agents with losses s |x - m| and tilt s |x - m|, gradients +-B",
)  # fmt: skip
TIED = numbers(_LATTICE, *_TIES, about="one close agent, all others with b = eps/2 exactly")


def _lattice(w: World, rounds: int, best: bool) -> Any:
    """lambda = 1/counted on the active agents; the mean slope is that of f^lambda."""
    from synthetic.exact_runs import absolute_lattice

    mass = one(w.size) * w.active / w.counted / w.counted
    step = rates.averaging_step(w.size**2, w.distance**2, w.N, mass, w.rounds)
    if best:
        step = xp.sqrt(2 * one(w.size)) * step
    move = step * w.size * w.N / w.counted
    awake = one(w.size) * w.active / w.N
    share = w.share * (1 + (w.active - 1) * w.tilt) / w.active
    return absolute_lattice(share, w.distance * w.offset, move, awake, rounds)


def averaged(best: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """E of the mean gap of agent 1 after K rounds, K at least the bound.

        Proof with the step D/(B sqrt(K N S)), S = sum lambda_j^2 = 1/N_i.  The recursion of Appendix
        D gives e_0/(2 eta K) + eta N B^2 S/2 + bias <= D B sqrt(N S/K) + eps/2, at most eps for
        K >= 4 D^2 B^2 N S/eps^2. The step as printed is shorter by sqrt 2: 1.06 eps/2 + eps/2.

        Where some b_ij = eps/2 the strict weights do not sum to one, and the run is slower.
        """
        tree = _lattice(w, w.rounds - 1, best)
        gaps = [xp.total(c * xp.absolute(tree.points[0][..., 0])) for c in tree.chances]
        mean = w.share * w.size * sum(gaps[1:], start=gaps[0]) / w.rounds
        return {"mean gap": mean}, {"precision": w.precision}

    return sides


def enough(best: bool) -> Callable[[World], Terms]:
    def given(w: World) -> Terms:
        """K, the distances up to round K on every outcome, and b_1j = D B s (1 - tilt) <= eps/2."""
        asked = rates.averaging_samples_upper(
            w.size**2, w.distance**2, w.precision, w.N, one(w.size) * w.counted
        )
        tree = _lattice(w, w.rounds, best)
        room = w.distance[..., None] - xp.absolute(tree.points[0][..., 0])
        met = sum(tree.chances)
        bias = w.distance * w.size * w.share * (1 - w.tilt)
        return {
            "K at least the bound": w.rounds - asked,
            "distances": xp.smallest(xp.where(met > 0, room, xp.absolute(room))),
            "biases at most eps/2": w.precision / 2 - (bias if w.active > 1 else 0 * bias),
        }

    return given


_21 = r"T_\varepsilon(i)\le\frac{4D^2B^2}{\varepsilon^2}\frac N{\mathcal N_i^\varepsilon(2b)}"
_RUN: dict[str, Any] = {"over": "mean", "sides": averaged(False), "given": enough(False)}
_NAIVE = claim("naive.a", "Section 5", r"\max_i\mathbb E[f_i(x_i)-f_i(x_i^*)]\le\varepsilon,\ T_\varepsilon\le\tfrac{4D^2B^2}{\varepsilon^2}\max_i\tfrac N{\mathcal N_i^\varepsilon(2b)}",
              family=LATTICE, uses=("allforall.theorem7.1",), title="all-for-all", **_RUN)  # fmt: skip
STATEMENTS = (
    claim("theorem2.1@stochastic", "Theorem 2.1", _21, family=LATTICE, **_RUN),
    claim("theorem2.1@ties", "Theorem 2.1", _21, family=TIED, **_RUN),
    claim("theorem7.1", "Theorem 7.1", _21, family=LATTICE, **_RUN),
    _NAIVE,
)
