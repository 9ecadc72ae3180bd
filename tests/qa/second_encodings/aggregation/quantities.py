"""The symbols of "Tackling Computational Heterogeneity in FL", from the raw data of a world.

Every world of these results is a federation of aligned parabolas, F_i the sum over coordinates k of
c_ik (w_k - o_ik)^2 / 2, so that optima, values and constants are plain arithmetic.
"""

from __future__ import annotations

from typing import Any

from bounds import generic as xp

__all__ = [
    "aggregated_at",
    "between",
    "coefficients",
    "corollary_steps",
    "excess",
    "gamma_of",
    "largest_skew",
    "last",
    "local_models",
    "minimiser",
    "mu",
    "own_excess",
    "own_steps",
    "ratios",
    "second_moment",
    "shares",
    "skew",
    "smallest_skew",
    "smoothness",
    "squared_distance",
    "start_distance",
    "sum_of_excess",
    "variance",
]


def curvature(w: Any) -> Any:
    """c_i, (B, 1, N, d): the diagonal of the Hessian, which is all of it."""
    form: Any = w.problem.data["A"]
    diagonal = xp.stack([form[..., k, k] for k in range(form.shape[-1])], -1)
    return diagonal if w.problem.data["half"] else 2 * diagonal


def minima(w: Any) -> Any:
    """o_i, (B, 1, N, d)."""
    return -w.problem.data["xi"]


def smoothness(w: Any) -> Any:
    """L of Assumption 1: the smallest number that serves every client, (B, 1)."""
    return xp.largest(xp.largest(curvature(w)))


def mu(w: Any) -> Any:
    """mu of Assumption 2: the largest number that serves every client, (B, 1)."""
    return xp.smallest(xp.smallest(curvature(w)))


def shares(w: Any) -> Any:
    """p_i, (B, 1, N)."""
    given = w.client_weights
    return given / given.sum(-1)[..., None]


def minimiser(w: Any) -> Any:
    """w^*, the optimum of F = sum p_i F_i, (B, 1, d)."""
    pull = shares(w)[..., None] * curvature(w)
    return (pull * minima(w)).sum(-2) / pull.sum(-2)


def own_excess(w: Any, places: Any) -> Any:
    """F_i(places_i) - F_i^*, (B, R, N); the least value of a parabola is 0."""
    return (curvature(w) * (places - minima(w)) ** 2).sum(-1) / 2


def excess(w: Any, place: Any) -> Any:
    """F(place) - F^*, (B, R), as the square that it is."""
    pull = (shares(w)[..., None] * curvature(w)).sum(-2)
    return (pull * (place - minimiser(w)) ** 2).sum(-1) / 2


def sum_of_excess(w: Any, place: Any) -> Any:
    """F(place) - sum_i p_i F_i^*, (B, R): the denominator of (8)."""
    return (shares(w) * own_excess(w, place[..., None, :])).sum(-1)


def gamma_of(w: Any) -> Any:
    """Gamma = F^* - sum_i p_i F_i^* (5), (B, 1)."""
    return sum_of_excess(w, minimiser(w))


# -- the run -------------------------------------------------------------------------------------


def local_models(w: Any, t: int) -> Any:
    """w_t^i, (B, R, N, d)."""
    return w.run().models[..., t, :, :]


def between(w: Any, t: int) -> bool:
    """Whether w_t is the virtual average of (4) and no aggregated model."""
    steps = int(w.local_steps)
    equation = w.has("timing") and w.timing == "equation"
    return t > 0 and (t - 1 if equation else t) % steps != 0


def aggregated_at(w: Any, t: int) -> Any:
    """w_t, (B, R, d): the global model, or between two of them sum_i p_i w_t^i, as in (4)."""
    models = local_models(w, t)
    if not between(w, t):
        return models[..., 0, :]
    by_round = w.has("round_weights") and not w.has("shares_centre")
    used = w.run().alpha[..., t - 1, :] if by_round else shares(w)
    return (used[..., None] * models).sum(-2)


def coefficients(w: Any, t: int) -> Any:
    """alpha_t^i, (B, R, N): those of the round, and p_i where (4) says so, unless a reading has
    `round_weights`."""
    if t == int(w.rounds):
        return _next_weights(w)
    used = w.run().alpha[..., t, :]
    return shares(w) + 0 * used if between(w, t) and not w.has("round_weights") else used


def round_starts(w: Any) -> range:
    """The t that are 0 mod E among the iterations that are run; with `final_too` also the end."""
    return range(0, int(w.rounds) + w.has("final_too"), int(w.local_steps))


def last(w: Any) -> int:
    """T: the iterations that are run, or with `in_between` those up to the one looked at."""
    return int(w.at) + 1 if w.has("in_between") else int(w.rounds)


def _next_weights(w: Any) -> Any:
    """What the rule would choose after the end."""
    t = int(w.rounds)
    if w.rule == "fixed":
        return w.coefficients[..., t // int(w.local_steps), :]
    lacking = own_excess(w, aggregated_at(w, t)[..., None, :])
    if w.rule == "fedavg":
        return shares(w) + 0 * lacking
    if w.rule == "fedmax":
        worst = xp.indicator(lacking == xp.largest(lacking)[..., None], lacking)
        return worst / worst.sum(-1)[..., None]
    steepest = xp.largest(lacking)[..., None]
    raised = shares(w) * xp.exp((lacking - steepest) / w.temperature[..., None])
    return raised / raised.sum(-1)[..., None]


def squared_distance(w: Any, t: int) -> Any:
    """||w_t - w^*||^2, (B, R)."""
    return ((aggregated_at(w, t) - minimiser(w)) ** 2).sum(-1)


def start_distance(w: Any) -> Any:
    """||w^0 - w^*||^2, (B, 1)."""
    return ((w.start - minimiser(w)) ** 2).sum(-1)


def skew(w: Any, t: int, place: Any) -> Any:
    """rho(t, place) of (8), (B, R)."""
    weighted = (coefficients(w, t) * own_excess(w, place[..., None, :])).sum(-1)
    return weighted / sum_of_excess(w, place)


def smallest_skew(w: Any) -> Any:
    """The number overline rho: least rho(t, w_t), t = 0 mod E, over every outcome, (B, 1)."""
    found = [skew(w, t, aggregated_at(w, t)).min(axis=1, keepdims=True) for t in round_starts(w)]
    return xp.smallest(xp.stack(found, -1))


def largest_skew(w: Any) -> Any:
    """The number tilde rho: largest rho(t, w^*), t = 0 mod E, over every outcome, (B, 1)."""
    best = minimiser(w)
    found = [skew(w, t, best).max(axis=1, keepdims=True) for t in round_starts(w)]
    if w.has("endless"):  # then rho-bar is at most rho-tilde
        found.append(smallest_skew(w))
    return xp.largest(xp.stack(found, -1))


def ratios(w: Any) -> tuple[Any, Any]:
    """The numbers pi and Pi of (16): extremes of alpha_t^i / p_i over rounds and outcomes."""
    every = range(0, int(w.rounds), int(w.local_steps))
    kappa = [w.run().alpha[..., t, :] / shares(w) for t in every]
    least = [xp.smallest(k).min(axis=1, keepdims=True) for k in kappa]
    most = [xp.largest(k).max(axis=1, keepdims=True) for k in kappa]
    return xp.smallest(xp.stack(least, -1)), xp.largest(xp.stack(most, -1))


def variance(w: Any) -> Any:
    """sigma^2 of Assumption 3, (B, 1): what the federation promises of every client."""
    return xp.largest(w.problem.noise_variance + 0 * shares(w))


def second_moment(w: Any) -> Any:
    """G^2 of Assumption 4, (B, 1): the least bound of E||g_i(w_t^i)||^2 over clients and t; with
    `given_past`, of its mean given the past on every outcome."""
    found = []
    for t in range(int(w.rounds)):
        models = local_models(w, t)
        slope = curvature(w) * (models - minima(w))
        square = (slope**2).sum(-1) + w.problem.own_gradient_variance(models)
        if not w.has("given_past"):
            square = w.mean(square)
        found.append(xp.largest(square).max(axis=1, keepdims=True))
    if w.has("later"):
        found.append(_between_minima(w))
    return xp.largest(xp.stack(found, -1))


def _between_minima(w: Any) -> Any:
    """Largest squared slope between the last models and the minima, which a run on the line without
    noise does not leave once its weights are p and its steps at most 1/L."""
    places, rests = local_models(w, int(w.rounds))[..., 0], minima(w)[..., 0]
    low = xp.minimum(xp.smallest(places), xp.smallest(rests))[..., None]
    high = xp.maximum(xp.largest(places), xp.largest(rests))[..., None]
    steepest = curvature(w)[..., 0] * xp.maximum(high - rests, rests - low)
    return xp.largest(steepest**2).max(axis=1, keepdims=True)


# -- what a run must be told ---------------------------------------------------------------------


def corollary_steps(w: Any) -> Any:
    """eta_t = 1/(mu (t + gamma)), gamma = 4 L/mu, (B, 1, T)."""
    rule = [1 / (mu(w) * t + 4 * smoothness(w)) for t in range(int(w.rounds))]
    return xp.stack(rule, -1)


def own_steps(w: Any) -> Any:
    """A schedule of the family where the paper leaves it free, from the family's parameters.

    No part of a claim: the first encoding's, taken over so that both see one run.
    """
    return w.pace / (4 * smoothness(w))[..., None]
