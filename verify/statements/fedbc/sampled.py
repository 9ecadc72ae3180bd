r"""Runs of FedBC whose sampled sets are drawn, and numbers that hold whatever sets they are.

Outside of :math:`[\min_i m_i, \max_i m_i + 4l]` every double well is steep towards it. There the
exact local solution for a server's model inside is inside, and so is an average: with the start, the
interval is never left. Exact solutions leave no residual.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim import Array
from verify.rates.record import Cell
from verify.statements.fedbc.quantities import size
from verify.world.noise_plan import NotAvailable, Samples
from verify.world.world import World

_SIZES = ((2, 1), (4, 1), (4, 2), (8, 3), (16, 4), (16, 12), (32, 8))


def cells(**more: Any) -> tuple[Cell, ...]:
    """Shapes (N, S) without a horizon."""
    made = (size(n, s, **more) for n, s in _SIZES)
    return tuple({k: v for k, v in shape.items() if k != "rounds"} for shape in made)


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
