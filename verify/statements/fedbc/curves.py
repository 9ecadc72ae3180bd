r"""Theorem 4.5, Lemma B.2 and Corollary 4.6 of FedBC at scale: many devices, long runs.

A run in which every device takes part has one outcome, so that the statements' own sides are exact
whatever the number of devices and rounds.  Where some are sampled the sets are drawn, and numbers
are taken that hold whatever sets they are: outside of :math:`[\min_i m_i, \max_i m_i + 4l]` every
double well is steep towards it.  There the exact local solution for a server's model inside is
inside, and so is an average: with the start, the interval is never left.  Exact solutions leave no
residual.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim import Array, Statement
from verify.rates.boxed import boxed
from verify.rates.record import Cell, Rate
from verify.statements.fedbc import corollary, lemma_b2, theorem
from verify.statements.fedbc.quantities import STEPPED, size
from verify.world.noise_plan import NotAvailable, Samples
from verify.world.world import World

# -- sampled sets that are drawn -------------------------------------------------------------------


def alike(rng: np.random.Generator, values: dict[str, Any]) -> dict[str, Any]:
    """Wells of one height in half of the federations, where no multiplier falls below 1 + L_i."""
    if rng.uniform() < 1 / 2:
        values["height"] = values["height"][..., :1] + 0 * values["height"]
    return values


def sets(w: World) -> Array:
    """S of N devices in every round, uniformly, by addressed draws: masks (1, R, T, N)."""
    from synthetic.noise.addressed import Addressed
    from synthetic.noise.philox import run_key

    if not isinstance(w.noise_plan, Samples):
        raise NotAvailable("sampled sets are drawn where noise is")
    clients, plan = w.multipliers.shape[-1], w.noise_plan
    replicates = range(plan.first, plan.first + plan.replicates)
    source = Addressed("indices", run_key(plan.key), replicates, clients, rows=2)
    masks = np.zeros((1, plan.replicates, w.rounds, clients))
    for t in range(w.rounds):
        words = source.words(t, 1)[..., 0].numpy()
        chosen = np.argsort(words, axis=-1, kind="stable")[:, : w.S]
        np.put_along_axis(masks[0, :, t], chosen, 1.0, axis=-1)
    return masks


def _wells(w: World) -> tuple[Array, Array]:
    """First and last well of every client, (B, 1, N)."""
    first = w.problem.data["centre"][..., 0]
    problem: Any = w.problem
    return first, first + 4 * xp.trailing(problem.width)


DRAWN: dict[str, Any] = {
    "sets": sets,
    "lowest": lambda w: xp.minimum(w.start[..., 0], xp.smallest(_wells(w)[0])),
    "highest": lambda w: xp.maximum(w.start[..., 0], xp.largest(_wells(w)[1])),
    "residual": lambda w: 0 * w.lambda_min,
}
"""What a world defines whose sampled sets are drawn."""

# -- the rates -------------------------------------------------------------------------------------

ALL = tuple((n, n) for n in (1, 2, 4, 8, 16))
SOME = ((2, 1), (4, 1), (4, 2), (8, 3), (16, 4), (16, 12), (32, 8))


def _cells(sizes: Sequence[tuple[int, int]], **more: Any) -> tuple[Cell, ...]:
    """Shapes (N, S) without a horizon."""
    made = (size(n, s, **more) for n, s in sizes)
    return tuple({k: v for k, v in shape.items() if k != "rounds"} for shape in made)


def _rates(
    claims: Iterable[Statement], cells: tuple[Cell, ...], bounded: str, problems: str, **more: Any
) -> tuple[Rate, ...]:
    shared: dict[str, Any] = {"way": "sides", "iterate": "average", "longest": 200, **more}
    change = alike if shared["way"] == "samples" else None
    return tuple(
        Rate(
            statement=claim,
            problems=problems,
            draw=boxed(claim.family, change),
            cells=cells,
            bounded=bounded,
            **shared,
        )
        for claim in claims
    )


_GRADIENT, _SPREAD = "squared gradient", "consensus error"
_THEOREMS = (theorem.explicit, theorem.repaired, theorem.explicit90, theorem.explicit90_traced)
_LEMMAS = (lemma_b2.lemma_explicit, lemma_b2.lemma_refined)
_APART = (*_cells(ALL), *_cells(ALL, **STEPPED))
_RELAXED: tuple[Cell, ...] = ({"N": 2, "d": 1, **STEPPED},)
_ONE_MORE = {"relaxed": lambda w: int(w.original("rounds")) + 1}
"""The relaxed run takes two rounds at least."""
_SETS: dict[str, Any] = {"way": "samples", "wide": True, "defines": DRAWN}
"""Exact local solutions, a set of devices drawn in every round."""
_COMPUTING = _cells(SOME, virtual=True)
_FROM_ONE = _cells(SOME, virtual=True, together=True)
_WAITING = _cells(SOME, together=True)

RATES: tuple[Rate, ...] = (
    *_rates(_THEOREMS, _cells(ALL, together=True), _GRADIENT, "double wells, solved"),
    *_rates(_THEOREMS, _cells(ALL, together=True, **STEPPED), _GRADIENT, "double wells, one step"),
    *_rates((lemma_b2.eq65, lemma_b2.eq65_traced, *_LEMMAS), _APART, _SPREAD, "double wells"),
    *_rates((corollary.repaired,), _RELAXED, _GRADIENT, "two quadratics", defines=_ONE_MORE),
    *_rates(_THEOREMS[:2], _FROM_ONE, _GRADIENT, "some averaged", **_SETS),
    *_rates(_THEOREMS[:1], _WAITING, _GRADIENT, "some compute, the others wait", **_SETS),
    *_rates((*_LEMMAS, lemma_b2.eq65_traced), _COMPUTING, _SPREAD, "some averaged", **_SETS),
)
