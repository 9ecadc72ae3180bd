"""Quantities of a federation and along a run, step sizes, and what most statements assume of them.

The number G^2 of A4 is read as the largest second moment of a stochastic gradient at the local
models of the run, given the past, on every outcome: the largest value that a reading restricted to
the run allows.  Where a strategy needs losses it takes the true F_i and F_i^*.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import aggregation_weights, heterogeneity_gap, weighting_skew
from verify.claim import Array, Hypothesis, hypothesis
from verify.world.world import World, once

EVERY = r",\quad\overline\rho,\tilde\rho\text{ over every iteration}"
"""What the repaired statements define differently, for their formulas."""

heterogeneous = Hypothesis("Gamma", r"\Gamma>0", lambda w: w.gap, "footnote 1, at w*", strict=True)
"""Footnote 1 at w^*, where Gamma >= 0 anyhow: without it rho(t, w^*) is not defined."""
not_at_optimum = Hypothesis(
    "away from w*",
    r"F(w_t)\ne F(w^\star)\text{ for all }t",
    lambda w: xp.squared_norm(models(w) - best(w)[..., None, :]),
    "footnote 2",
    strict=True,
)
"""At every iteration on every outcome (footnote 1 as well)."""

# -- a federation ------------------------------------------------------------------------------


def hessians(w: World) -> Array:
    """Hessians of the clients' quadratics, (B, 1, N, d, d)."""
    problem: Any = w.problem
    return problem.hessian


def mean_hessian(w: World) -> Array:
    """Hessian of F, (B, 1, d, d)."""
    return xp.total(w.client_weights[..., None, None] * hessians(w), axis=-3)


def best(w: World) -> Array:
    """Minimiser of F, (B, 1, d)."""
    pulled = xp.matvec(hessians(w), w.problem.optimum)
    return xp.solve(mean_hessian(w), xp.total(w.client_weights[..., None] * pulled, axis=-2))


def excess_at(w: World, point: Array) -> Array:
    """F_i - F_i^* of every client at one point, (..., d) to (..., N)."""
    extra = point.ndim - 3
    problem = w.problem.expand(extra) if extra else w.problem
    return problem.excess(point)


def gap(w: World) -> Array:
    """Gamma, (B, 1)."""
    return heterogeneity_gap(excess_at(w, best(w)), w.client_weights)


def normalised(x: Array) -> Array:
    """Positive numbers of sum one, (..., N)."""
    return x / xp.total(x)[..., None]


def worst(x: Array) -> Array:
    """Largest entry over outcomes and everything behind them, (B, 1)."""
    return xp.largest(x.reshape(len(x), 1, -1))


def least(x: Array) -> Array:
    """Smallest entry over outcomes and everything behind them, (B, 1)."""
    return xp.smallest(x.reshape(len(x), 1, -1))


# -- a run -------------------------------------------------------------------------------------


@once
def models(w: World) -> Array:
    """w_t at every t, (B, R, T + 1, d).

    With the weights of the round (Appendix A, Algorithm 1); where models are aggregated at the
    times of eq. 2, its w_1, w_(E+1), ... and, in between, the p-average of eq. 4.
    """
    run = w.run()
    if w.timing == "algorithm":
        return run.theta
    averages = xp.total(w.client_weights[..., None, :, None] * run.models, axis=-2)
    aggregated = [t % w.local_steps == 1 % w.local_steps for t in range(w.rounds + 1)]
    places = [run.theta if here else averages for here in aggregated]
    return xp.stack([place[..., t, :] for t, place in enumerate(places)], -2)


def point(w: World, t: int) -> Array:
    """w_t, (B, R, d)."""
    return models(w)[..., t, :]


def distance(w: World, t: int) -> Array:
    """|w_t - w^*|^2, (B, R)."""
    return xp.squared_norm(point(w, t) - best(w))


def start_distance(w: World) -> Array:
    """|w_0 - w^*|^2, (B, 1)."""
    return xp.squared_norm(w.start - best(w))


def suboptimality(w: World, t: int) -> Array:
    """F(w_t) - F^*, as a square so that no digits cancel, (B, R)."""
    error = point(w, t) - best(w)
    return xp.dot(error, xp.matvec(mean_hessian(w), error)) / 2


def second_moments(w: World) -> Array:
    """E|g_i|^2 at the local models of the run, (B, R, T, N)."""
    models = w.run().models[..., :-1, :, :]  # (B, R, T, N, d)
    wide = w.problem.expand(1)
    return xp.squared_norm(wide.own_gradients(models)) + wide.own_gradient_variance(models)


def squared_gradient(w: World) -> Array:
    """G^2: the largest second moment at the local models of the run, (B, 1)."""
    return worst(second_moments(w))


def weights_at(w: World, t: int) -> Array:
    """alpha_t, (B, R, N); after the last iteration, what the rule would choose next."""
    if t < w.rounds:
        return w.run().alpha[..., t, :]
    seen = excess_at(w, w.run().theta[..., t, :])
    if w.rule == "fixed":
        return w.coefficients[..., t // w.local_steps, :] + 0 * seen
    temperature = w.temperature if w.rule == "fedsoftmax" else None
    return aggregation_weights(w.rule, seen, w.client_weights, temperature=temperature)


def times(w: World, option: str) -> tuple[int, ...]:
    """Iterations over which rho-bar and rho-tilde are taken.

    ``loop``: t = 0 mod E before the end, as in Algorithm 1; ``endless``: the end as well, of a run
    that shows all that it ever will; ``every``: all iterations before the end.
    """
    step = 1 if option == "every" else w.local_steps
    return tuple(range(0, w.rounds + (option == "endless"), step))


def skew_low(w: World, option: str) -> Array:
    """rho-bar: at most rho(t, w_t) on every outcome."""
    found = [
        weighting_skew(weights_at(w, t), excess_at(w, point(w, t)), w.client_weights)
        for t in times(w, option)
    ]
    return least(xp.stack(found, -1))


def skew_high(w: World, option: str) -> Array:
    """rho-tilde: at least rho(t, w^*) on every outcome."""
    ideal = excess_at(w, best(w))
    found = [weighting_skew(weights_at(w, t), ideal, w.client_weights) for t in times(w, option)]
    return worst(xp.stack(found, -1))


def low_of(w: World, rule: str) -> Array:
    """rho-bar of the run of one rule, with the weights of the run, (B, 1)."""
    run = w.run(rule=rule)
    found = [
        weighting_skew(run.alpha[..., t, :], excess_at(w, run.theta[..., t, :]), w.client_weights)
        for t in times(w, "loop")
    ]
    return least(xp.stack(found, -1))


# -- step sizes, and the constants of the theorems measured on a run ---------------------------


def free_steps(w: World) -> Array:
    """eta_t = pace_t/(4L), any positive numbers: Theorem 3 and its lemmas name no range."""
    return w.pace / (4 * w.beta[..., None])


def paper_steps(w: World) -> Array:
    """eta_t = 1/(mu (t + 4 L/mu)) of Corollary 4."""
    rows = [closed.aggregation_step_size(w.mu, w.beta, t) for t in range(w.rounds)]
    return xp.stack(rows, -1)


short = Hypothesis(
    "steps at most 1/(4L)",
    r"\eta_t\le\frac1{4L}\text{ for all }t",
    lambda w: 1 - 4 * w.beta[..., None] * w.step_sizes,
)
"""No step size is named for Theorem 3; its proof needs this and the next."""


@hypothesis("steps halve at most", r"\eta_s\le2\eta_t\text{ for }E\lfloor t/E\rfloor\le s\le t")
def halving(w: World) -> Array:
    """No step of a round is more than twice a later one."""
    eta, count = w.step_sizes, w.local_steps
    pairs = [(s, t) for t in range(w.rounds) for s in range(t // count * count, t + 1)]
    return xp.stack([2 * eta[..., t] - eta[..., s] for s, t in pairs], -1)


def delay(w: World) -> Array:
    """gamma = 4L/mu."""
    return closed.aggregation_delay(w.mu, w.beta)


NOISE = {"G2": squared_gradient, "sigma2_max": lambda w: xp.largest(w.sigma2)}
FREE = {"step_sizes": free_steps, **NOISE}
HORIZON = {"step_sizes": paper_steps, "distance0": start_distance, "delay": delay}


def measured(option: str) -> dict[str, Callable[[World], Array]]:
    """Free steps and the constants of the theorem."""
    skews = {"low": partial(skew_low, option=option), "high": partial(skew_high, option=option)}
    return {**FREE, "gap": gap, **skews}


def over_horizon(option: str) -> dict[str, Callable[[World], Array]]:
    """The steps of the corollary and its constants."""
    return {**measured(option), **HORIZON}
