"""Lemma B.2: from the distance to the server's model to distances of pairs, (45) to (53)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from bounds import generic as xp
from verify.claim.statement import Rule, Terms
from verify.statements.fedbc.common import FREE, STEPPED, Array, runs, size, steps_of
from verify.statements.fedbc.rounds import Round, expected, first_rounds, side_by_side
from verify.world.world import World

_EVERY = (size(2, 2, **STEPPED), size(2, 1, virtual=True, **STEPPED), size(3, 2, virtual=True))
MEAN = runs(*_EVERY, domain="wide")
"""Every device computes, so that models do not depend on the sampled set."""
WIDE = runs(_EVERY[0], size(3, 3, **STEPPED), *_EVERY[1:], domain="wide")
"""The same, and three devices of three."""


def _members(w: World, place: int) -> list[int]:
    """Clients that the server averages: the sampled ones of the single round."""
    return list(list(combinations(range(w.multipliers.shape[-1]), w.S))[place])


def _each(w: World, value: Callable[[Round, list[int]], Array]) -> Array:
    """A per-client quantity of every sampled set, (B, 1, sets N)."""
    return side_by_side(w, [value(r, _members(w, k)) for k, r in enumerate(first_rounds(w))])


def _to_members(r: Round, members: list[int]) -> Array:
    """|x_i - x_j|^2 for the sampled j, (B, 1, N, S)."""
    chosen = xp.stack([r.new[..., j] for j in members], -1)
    return (r.new[..., None] - chosen[..., None, :]) ** 2


def _shares(r: Round, members: list[int]) -> Array:
    """Weights of the sampled clients in the server's average, (B, 1, 1, S)."""
    chosen = xp.stack([r.updated[..., j] for j in members], -1)
    return (chosen / xp.total(chosen)[..., None])[..., None, :]


def _eq45(part: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Jensen, then weights of at most one."""
        weighted = _each(w, lambda r, m: xp.total(_shares(r, m) * _to_members(r, m)))
        if part == "jensen":
            return {"|x_i - z|^2": _each(w, lambda r, m: r.spread)}, {"weighted": weighted}
        return {"weighted": weighted}, {"sum": _each(w, lambda r, m: xp.total(_to_members(r, m)))}

    return sides


def _squared_distances(r: Round) -> Array:
    """|x_i - x_j|^2, (B, 1, N, N)."""
    return (r.new[..., None] - r.new[..., None, :]) ** 2


def widest(r: Round) -> Array:
    """Largest |x_i - x_j|^2 over the pairs, (B, 1, 1)."""
    return xp.largest(xp.largest(_squared_distances(r)))[..., None]


def _eq50(part: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Under V the models do not depend on the sampled set, so its mean passes to j in S_t."""
        every = first_rounds(w)
        n = w.multipliers.shape[-1]
        mean = expected([r.spread for r in every])
        total = xp.total(_squared_distances(every[0])) * w.S / n
        if part == "mean":
            return {"E |x_i - z|^2": mean}, {"S/N sum": total}
        return {"S/N sum": total}, {"S (N-1)/N widest": w.S * (n - 1) * widest(every[0]) / n}

    return sides


_step = steps_of("proof of Lemma B.2", family=WIDE, **FREE)
APART = r"\|x_i^{t+1}-x_j^{t+1}\|"
ERROR = r"\|x_i^{t+1}-z^{t+1}\|^2"

STATEMENTS = (
    _step("eq45-47/jensen", "average of local models",
          ERROR + r"\le\sum_{j\in\mathcal S_t}\tfrac{\lambda_j^{t+1}}{\sum\lambda_j^{t+1}}" + APART + "^2",
          _eq45("jensen"), uses=("fedbc.def.server",)),
    _step("eq45-47/sum", "weights of at most one",
          r"\sum_{j\in\mathcal S_t}\tfrac{\lambda_j^{t+1}}{\sum\lambda_j^{t+1}}" + APART
          + r"^2\le\sum_{j\in\mathcal S_t}" + APART + "^2", _eq45("sum")),
    _step("eq50-53/mean", "mean over the sampled set",
          r"\mathbb E_{\mathcal S_t}" + ERROR + r"\le\tfrac SN\sum_j" + APART + "^2", _eq50("mean"),
          family=MEAN, uses=("fedbc.eq45-47",)),
    _step("eq50-53/widest", "widest pair",
          r"\tfrac SN\sum_{j\ne i}" + APART + r"^2\le\tfrac{S(N-1)}N\triangle x^{t+1}",
          _eq50("widest"), family=MEAN),
)  # fmt: skip
