"""Proposition 3: the time-adaptive variant, its printed schedule and one that works."""

from __future__ import annotations

from collections.abc import Callable

from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Terms
from verify.statements.allforall.all_convex import (
    BLOCKS,
    Array,
    average_over_blocks,
    claim,
    rounds_for_blocks,
)
from verify.statements.allforall.common import numbers, one
from verify.world.world import World

RUNS = numbers(
    {"size": Real(1 / 8, 64, log=True), "distance": Real(1 / 8, 8, log=True), "offset": Real(0, 1)},
    {"p": 0}, {"p": 1}, {"p": 3}, about="one agent with f = B |x|, exact gradients, x^0 within D, eps = 2^-p",
)  # fmt: skip


def _moved(w: World, longer: int) -> Array:
    """Upper bound of the way in 16 D^2 B^2/eps^2 rounds, epochs of ``longer`` times K_eps.

    The epoch of 2^-q has step 2 D^2/(K B^2) = 1/(2 B^4 4^q) with K = 4 D^2 B^2 4^q, and at most one
    round more than its length.
    """
    left = 16 * (w.distance * w.size) ** 2 * 4**w.p
    way: Array = 0 * left
    for q in range(w.p + 2):
        length = xp.minimum(longer * 4 * (w.distance * w.size) ** 2 * 4**q, left)
        way = way + (length + 1) / (2 * w.size**3 * 4**q)
        left = left - length
    return way


def _least_gap(longer: int) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Smallest gap among all rounds up to the printed number of samples.

        Whatever "averaged precision" averages, over an epoch or over the run, it is no smaller than
        this. The printed eta(eps) is the square of the step of Theorem 3: it has another unit, and
        an epoch moves by 2 D^2/B only, however far the minimum is.
        """
        gap = xp.positive_part(w.distance * w.offset - _moved(w, longer))
        return {"smallest F": w.size * gap}, {"precision": one(w.size) / 2**w.p}

    return sides


EPOCHS = numbers({"mass": Real(1, 4, log=True), "growth": Real(0, 1, per=("p",)), "scale": Real(1 / 8, 8, log=True)},
                 {"p": 1}, {"p": 3}, {"p": 8}, about="sums of squares that grow from epoch to epoch")  # fmt: skip


def _doubling(w: World) -> tuple[Terms, Terms]:
    """All epochs down to 2^-p <= eps < 2^-(p-1), against 64/3 (BD)^2 S/eps^2 at the last S.

    Proof.  4 sum_{q<=p} 4^q S_q <= (16/3) 4^p S_p, as fewer agents are close at a smaller
    precision, and 4^p < 4/eps^2.
    """
    masses = [w.mass]
    for q in range(w.p):
        masses.append(masses[-1] * (1 + w.growth[..., q]))
    left = rates.doubling_samples_upper(w.scale, one(w.scale), xp.stack(masses, -1))
    return {"all epochs": left}, {"64/3 S/eps^2": 64 * w.scale * masses[-1] * 4 ** (w.p - 1) / 3 * one(w.mass)}


_PRINTED = r"T_\varepsilon\le\tfrac{16D^2B^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)},\ \eta(\varepsilon)=\tfrac{2ND^2}{K_\varepsilon B^2\sum_i1/\mathcal N_i^\varepsilon(2b)}"
_TITLE = "time-adaptive all-for-all"
STATEMENTS = (
    *(claim(f"prop3@{name}", "Proposition 3", _PRINTED, family=RUNS, sides=_least_gap(longer),
            kind="property", title=_TITLE) for name, longer in (("epochs-of-K", 1), ("epochs-of-T", 4))),
    claim("prop3.repaired/length", "Proposition 3", r"\sum_{q\le p}K_{2^{-q}}\le\tfrac{64}3\tfrac{D^2B^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^{\varepsilon/2}(2b)},\ 2^{-p}\le\varepsilon<2^{1-p}",
          family=EPOCHS, sides=_doubling, form="repaired", kind="property", title=_TITLE),
    claim("prop3.repaired/epoch", "Proposition 3", r"\eta(\varepsilon)=\tfrac{ND}{B\sqrt{K_\varepsilon\sum_i1/\mathcal N_i^\varepsilon(2b)}},\ \text{restarted}:\ \mathbb E\bigl[\tfrac1{K_\varepsilon}\sum_kF^k\bigr]\le\varepsilon\ \text{over the epoch}",
          family=BLOCKS, over="mean", sides=average_over_blocks(True), given=rounds_for_blocks,
          form="repaired", kind="property", title=_TITLE, uses=("allforall.theorem4.1",)),
)  # fmt: skip
