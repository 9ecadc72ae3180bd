"""What is measured: quantities of a federation and along a run.

The number G^2 of A4 is read as the largest second moment of a stochastic gradient at the local
models of the run, given the past, on every outcome: the largest value that a reading restricted to
the run allows.  Where a strategy needs losses it takes the true F_i and F_i^*.
"""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import aggregation_weights, heterogeneity_gap, weighting_skew
from bounds.numbers.recording import recordable
from verify.claim import Array, Terms
from verify.terms.vocabulary import quantity
from verify.world.world import World, once

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


def gap_at(w: World, point: Array) -> Array:
    """F - sum p_i F_i^* at one point, (..., d) to (...)."""
    return heterogeneity_gap(excess_at(w, point), w.client_weights)


def gap(w: World) -> Array:
    """Gamma, (B, 1)."""
    return gap_at(w, best(w))


def normalised(x: Array) -> Array:
    """Positive numbers of sum one, (..., N)."""
    return x / xp.total(x)[..., None]


@recordable
def worst(x: Array) -> Array:
    """Largest entry over outcomes and everything behind them, (B, 1)."""
    return xp.largest(x.reshape(len(x), 1, -1))


@recordable
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
    return by_time(w, run.theta, averages, w.local_steps, w.rounds)


@quantity
def by_time(w: World, own: Array, averages: Array, local_steps: int, rounds: int) -> Array:
    """Of two rows of models the first at the times of eq. 2 and the second in between."""
    aggregated = [t % local_steps == 1 % local_steps for t in range(rounds + 1)]
    places = [own if here else averages for here in aggregated]
    return xp.stack([place[..., t, :] for t, place in enumerate(places)], -2)


def point(w: World, t: int) -> Array:
    """w_t, (B, R, d)."""
    return models(w)[..., t, :]


def distance(w: World, t: int) -> Array:
    """|w_t - w^*|^2, (B, R)."""
    return xp.squared_norm(point(w, t) - best(w))


def distance_after(w: World) -> Terms:
    """Left side of every claim about the iteration ``at``."""
    return {"E|w+ - w*|^2": distance(w, w.at + 1)}


def start_distance(w: World) -> Array:
    """|w_0 - w^*|^2, (B, 1)."""
    return xp.squared_norm(w.start - best(w))


def suboptimality(w: World, t: int) -> Array:
    """F(w_t) - F^*, as a square so that no digits cancel, (B, R)."""
    error = point(w, t) - best(w)
    return xp.dot(error, xp.matvec(mean_hessian(w), error)) / 2


def step(w: World) -> Array:
    """eta_t at the iteration ``at``, (B, 1)."""
    return w.step_sizes[..., w.at]


@quantity
def excess_of_steps(w: World, eta: Array, local_steps: int, rounds: int) -> Array:
    """Twice each step less every earlier one of its round, and less itself."""
    pairs = [(s, t) for t in range(rounds) for s in range(t // local_steps * local_steps, t + 1)]
    return xp.stack([2 * eta[..., t] - eta[..., s] for s, t in pairs], -1)


def second_moments(w: World) -> Array:
    """E|g_i|^2 at the local models of the run, (B, R, T, N)."""
    models = w.run().models[..., :-1, :, :]  # (B, R, T, N, d)
    wide = w.problem.expand(1)
    return xp.squared_norm(wide.own_gradients(models)) + wide.own_gradient_variance(models)


def squared_gradient(w: World) -> Array:
    """G^2: the largest second moment at the local models of the run, (B, 1)."""
    return worst(second_moments(w))


@quantity
def gradient_for_ever(w: World) -> Array:
    """G^2 of the run, and of what follows it where its weights are p from then on, (B, 1).

    Steps of at most 1/L and means never leave the hull of the minimisers and of the last models;
    d = 1.
    """
    own = squared_gradient(w)
    if not w.given("later"):
        return own
    minimiser = w.problem.optimum[..., 0]
    last = w.run().models[..., -1, :, 0]
    ends = xp.stack([last, minimiser + 0 * last], -1).reshape((*last.shape[:-1], -1))
    above, below = xp.largest(ends)[..., None] - minimiser, minimiser - xp.smallest(ends)[..., None]
    slopes = hessians(w)[..., 0, 0] * xp.maximum(above, below)
    return xp.maximum(own, xp.largest(slopes**2))


def far_second_moment(w: World) -> Array:
    """E|g_0|^2 at distance 2 G/mu from client 0's minimiser, where ``level`` is G."""
    step = 2 * w.level / w.mu
    point = w.problem.optimum[..., 0, :] + step[..., None] * xp.eye(w.problem.dim, w.mu)[0]
    slope = xp.squared_norm(w.problem.gradients(point))[..., 0]
    return slope + w.problem.gradient_variance(point)[..., 0]


# -- weights and their skew --------------------------------------------------------------------


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

    ``loop``, or no option: t = 0 mod E before the end, as in Algorithm 1; ``endless``: the end as
    well, of a run that shows all that it ever will; ``every``: all iterations before the end.
    """
    step = 1 if option == "every" else w.local_steps
    return tuple(range(0, w.rounds + (option == "endless"), step))


@quantity
def skew_low(w: World, option: str) -> Array:
    """rho-bar: at most rho(t, w_t) on every outcome."""
    found = [
        weighting_skew(weights_at(w, t), excess_at(w, point(w, t)), w.client_weights)
        for t in times(w, option)
    ]
    return least(xp.stack(found, -1))


@quantity
def skew_high(w: World, option: str) -> Array:
    """rho-tilde: at least rho(t, w^*) on every outcome."""
    ideal = excess_at(w, best(w))
    found = [weighting_skew(weights_at(w, t), ideal, w.client_weights) for t in times(w, option)]
    return worst(xp.stack(found, -1))


@quantity
def low_of(w: World, rule: str) -> Array:
    """rho-bar of the run of one rule, with the weights of the run, (B, 1)."""
    run = w.run(rule=rule)
    found = [
        weighting_skew(run.alpha[..., t, :], excess_at(w, run.theta[..., t, :]), w.client_weights)
        for t in times(w, "loop")
    ]
    return least(xp.stack(found, -1))


@quantity
def high_of(w: World, rule: str) -> Array:
    """rho-tilde of the run of one rule, with the weights of the run, (B, 1)."""
    run, ideal = w.run(rule=rule), excess_at(w, best(w))
    alphas = [run.alpha[..., t, :] for t in times(w, "loop")]
    return worst(xp.stack([weighting_skew(a, ideal, w.client_weights) for a in alphas], -1))


def ratios(w: World) -> Array:
    """kappa_t^i of the run, (B, R, T, N)."""
    return w.run().alpha / w.client_weights[..., None, :]


# -- what the paper bounds, and its bounds -----------------------------------------------------


def spread(w: World) -> Array:
    """Sum of alpha_i |w_t - w_t^i|^2 before iteration ``at``, (B, R)."""
    models, alpha = w.run().models[..., w.at, :, :], w.run().alpha[..., w.at, :]
    return xp.total(alpha * xp.squared_norm(models - point(w, w.at)[..., None, :]))


@quantity
def rounds_of(w: World, iterations: int, local_steps: int) -> Any:
    """Rounds that end within so many iterations."""
    return iterations // local_steps


def reached(w: World, horizon: str) -> tuple[Array, Any]:
    """F(w_T) - F^* and T, which counts iterations up to ``at`` or all rounds."""
    if w.given("horizon"):  # a run that does not move, of any length
        return suboptimality(w, w.rounds), w.horizon
    if horizon == "rounds":
        return suboptimality(w, w.rounds), rounds_of(w, w.rounds, w.local_steps)
    return suboptimality(w, w.at + 1), w.at + 1


def speed(w: World, low: Array, gap: Array | int) -> Array:
    """V of the run at a value of rho-bar."""
    start = w.distance0
    return closed.speed_constant(w.mu, w.beta, w.G2, w.sigma2_max, gap, start, low, w.local_steps)


def error(w: World, low: Array, high: Array) -> Array:
    """E of the run at values of rho-bar and rho-tilde."""
    return closed.learning_error(w.mu, w.beta, w.gap, low, high)


def bound(w: World, rounds: Any) -> Terms:
    """V/(T + gamma) and E from the numbers measured on the run."""
    own = error(w, w.low, w.high)
    return closed.aggregation_bound_upper(speed(w, w.low, w.gap), own, w.delay, rounds)


def speed_without_gap(w: World, rounds: Any) -> Array:
    """V/(T + gamma) at Gamma = 0."""
    return speed(w, w.low, 0) / (w.delay + rounds)


def one_iteration(w: World, before: Array, gap: Array | int, high: Array | int) -> Terms:
    """Right side of Theorem 3 at iteration ``at`` for a squared distance before it."""
    eta = step(w)
    return closed.one_round_upper(
        before, eta, w.mu, w.beta, w.G2, w.sigma2_max, gap, w.low, high, w.local_steps
    )


def gap_of(w: World, rule: str) -> Array:
    """sum p_i (F_i - F_i^*) at the end of the run of one rule, (B, R)."""
    theta = w.run(rule=rule).theta[..., w.rounds, :]
    return xp.total(w.client_weights * excess_at(w, theta))
