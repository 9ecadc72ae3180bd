r"""Large federations, and numbers that rho-bar, rho-tilde and G^2 keep on every outcome of noise.

Under weights that never change, :math:`\alpha_i = \kappa_i p_i`, every ratio rho lies between the
smallest and the largest :math:`\kappa`; under FedAvg all are 1. Noise of bounded size cannot lead a
run out of a ball: if :math:`\eta A_i \preceq I` then

.. math:: \|w - \eta(A_i(w - o_i) + \zeta) - w^\star\|
          \le (1-\eta\mu)\|w - w^\star\| + \eta(\|A_i(o_i - w^\star)\| + \|\zeta\|),

so that a ball about w* of radius :math:`(\|A_i(o_i-w^\star)\| + \sup\|\zeta_i\|)/\mu` for every i
is never left, and averages stay in it too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds import generic as xp
from synthetic import drawn
from synthetic.exact.moments import Moments
from synthetic.exact.stepped import Stepped
from verify.claim import Array, Instance
from verify.rates.affine import averaged
from verify.rates.record import Cell
from verify.statements.aggregation import quantities as q
from verify.world.world import World, once

BOUNDED = ("sphere", "skewed", "heavy")
"""Laws whose words have a largest value, which A4 needs on every outcome."""
_SIZES = (
    (1, 1, 1),
    (2, 1, 2),
    (2, 2, 1),
    (4, 3, 5),
    (20, 10, 1),
    (16, 4, 2),
    (64, 4, 1),
    (64, 16, 3),
    (128, 64, 1),
    (512, 8, 2),
    (512, 8, 1),
)
CELLS: tuple[Cell, ...] = tuple(
    {
        "N": n,
        "d": d,
        "local_steps": e,
        "law": BOUNDED[k % 3],
        "rule": ("fedavg", "fixed")[k // 3 % 2],
    }
    for k, (n, d, e) in enumerate(_SIZES)
)
MILD: tuple[Cell, ...] = tuple(
    {**cell, "rule": "fedavg", "condition": 2.0, "reach": 1 / 8} for cell in CELLS if cell["N"] > 1
)
"""Well-conditioned ones under the weights p, where no error is left and gamma = 4L/mu is small; the
start and all minimisers lie so close that the noise leads from early on."""


def federation(shared: bool, rng: np.random.Generator, cell: Cell) -> Instance:
    """Quadratics with any shares; ``shared`` gives all one minimiser (Gamma = 0).

    With noise, of bounded size, the weights never change.
    """
    noise = "law" in cell
    data = drawn.quadratics(
        rng,
        cell["N"],
        cell["d"],
        cell.get("law", "none"),
        layout=str(rng.choice(drawn.LAYOUTS[1:])),
        condition=float(drawn.log_uniform(rng, 1, cell.get("condition", 1e4 if noise else 1e3))),
        bias=0.0 if shared else float(drawn.log_uniform(rng, 1 / 64, cell.get("reach", 4))),
        slope=float(rng.uniform(0, 0.75)),
        low=float(drawn.log_uniform(rng, 1 / 4, 4)),
    )
    share = drawn.log_uniform(rng, 1 / 64, 1, cell["N"])
    params: dict[str, Any] = {"client_weights": share / share.sum(), "timing": "algorithm"}
    if noise:
        skewed = share * drawn.log_uniform(rng, 1 / 2, 2, cell["N"])
        params["coefficients"] = (skewed / skewed.sum())[None]
    away = rng.normal(size=cell["d"])
    params["start"] = away * drawn.log_uniform(rng, 1 / 16, cell.get("reach", 8))
    if not noise:
        params["temperature"] = np.asarray(drawn.log_uniform(rng, 1 / 16, 16))
    params |= {name: cell[name] for name in ("rule", "local_steps")}
    return Instance("quadratic", data, "aggregation", params)


def alpha(w: World) -> Array:
    """The weights of every round, (B, 1, N)."""
    return w.coefficients[..., 0, :] if w.rule == "fixed" else w.client_weights


def skew_low(w: World) -> Array:
    """At most rho everywhere, (B, 1)."""
    return xp.smallest(alpha(w) / w.client_weights)


def skew_high(w: World) -> Array:
    """At least rho everywhere, (B, 1)."""
    return xp.largest(alpha(w) / w.client_weights)


def largest_noise(w: World) -> Array:
    """Length that the noise of a gradient never exceeds, (B, 1, N)."""
    scale = w.problem.noise_variance**0.5
    if w.problem.law == "sphere":
        return scale
    values, _ = w.problem.noise_support()
    return scale * xp.largest(xp.absolute(values))


@once
def reach(w: World) -> Array:
    """Radius of the ball about w* that no model leaves, (B, 1)."""
    pulls = xp.sqrt(xp.squared_norm(w.problem.gradients(q.best(w))))
    away = xp.largest(pulls + largest_noise(w)) / w.problem.strong_convexity
    return xp.maximum(xp.sqrt(q.start_distance(w)), away)


def squared_gradient(w: World) -> Array:
    """At least E|g_i|^2 wherever a model may be, (B, 1)."""
    pulls = xp.sqrt(xp.squared_norm(w.problem.gradients(q.best(w))))
    steep = pulls + w.problem.client_smoothness * reach(w)[..., None]
    return xp.largest(steep**2 + w.problem.noise_variance)


def rounds(w: World) -> Stepped | Moments:
    """Exact means: of a gradient method where every client takes one step, else `averages`."""
    return averages(w) if w.local_steps > 1 else averaged(w, alpha(w), w.step_sizes)


def averages(w: World) -> Moments:
    r"""Exact mean and covariance of the virtual averages w_t.

    Within a round clients are independent given the round's first model: client i is an affine map
    M_i of it plus noise of covariance Q_i, the average has mean map sum_i alpha_i M_i and noise of
    covariance sum_i alpha_i^2 Q_i.
    """
    problem: Any = w.problem
    weights, form, sizes = alpha(w), problem.hessian, w.step_sizes  # (B, 1, N), (B, 1, N, d, d)
    eye, start = xp.eye(problem.dim, problem.optimum), w.original("start")
    spread = 0 * (start[..., :, None] * start[..., None, :])
    added = problem.gradient_covariance(start, spread)
    means, spreads = [start], [spread]
    for t in range(w.rounds):
        if t % w.local_steps == 0:  # everybody has the round's first model
            first = means[-1], spreads[-1]
            maps, offset, noise = eye + 0 * form, 0 * problem.optimum, 0 * added
        eta = sizes[..., t, None, None, None]
        kept = eye - eta * form
        offset = xp.matvec(kept, offset) + eta[..., 0] * xp.matvec(form, problem.optimum)
        maps, noise = kept @ maps, kept @ noise @ kept + eta**2 * added
        share = weights[..., None, None]
        mean_map = xp.total(share * maps, -3)
        own = xp.total(share**2 * noise, -3)
        middle = xp.total(weights[..., None] * offset, -2)
        means.append(xp.matvec(mean_map, first[0]) + middle)
        spreads.append(mean_map @ first[1] @ xp.transpose(mean_map) + own)
    whole = [x + 0 * means[-1] for x in means], [x + 0 * spreads[-1] for x in spreads]
    return Moments(xp.stack(whole[0], -2), xp.stack(whole[1], -3))
