"""What the statements of the adaptive paper share: families, quantities along a run, hypotheses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds import rates, similarity
from bounds.sufficient import sufficient_ratio, sufficient_ratio_printed
from verify.claim import Array, Family, Hypothesis, Instance, Real, Shape, plain_numbers, quadratics
from verify.statements.adaptive.problems import START, TRADEOFF, federation
from verify.world.world import World, once

MENDED = r",\quad b_{ik}^2\text{ for }b_{ik},\ \varepsilon_i^t\text{ realised}"
"""What the repaired statements read differently in Definition 2, for their formulas."""

# -- parameters and families -------------------------------------------------------------------

CURVATURE = Real(1 / 16, 16, unit=(1, -2), log=True)
"""For mu and beta as free numbers."""
VARIANCE = Real(1 / 16, 16, unit=(2, -2), log=True)
VARIANCES = replace(VARIANCE, per=("N",))
LOSS = Real(1 / 16, 16, unit=(1, 0), log=True)
STEP = {"step_share": Real(1 / 64, 1, log=True)}
"""Step size, any positive number, as a multiple of 1/beta."""
PHI = {"threshold": Real(1 / 8, 1, domain=(0, 1))}
"""Threshold (lambda) of the binary rule; without effect on the continuous one."""
PRECISION = {"precision": Real(1 / 64, 16, unit=(1, 0), log=True)}
FACTOR = {"factor": Real(1 / 2, 8, log=True)}
"""C of the decreasing steps C/(mu (gamma + t))."""
DELAY = {"delay": Real(0, 64)}
"""gamma of the decreasing steps."""
CONSTANTS = {"excess": LOSS, "mu": CURVATURE, "beta": CURVATURE, "variance": VARIANCE}
ROUNDS = tuple({"rounds": t} for t in (1, 2, 4))
FREE = Family(
    {**CONSTANTS, "step_size": Real(1 / 64, 64, unit=(-1, 2), log=True)},
    ROUNDS,
    about="any constants and any step size",
)
"""The constants of a bound after T rounds as free numbers."""


RULES: Mapping[str, Shape] = {
    "continuous": {"phi": "continuous"},
    "binary": {"phi": "binary"},
    "square": {"phi": "power", "exponent": 2},
}
"""Functions phi: both rules of Definition 3, and x^2, another one that Definition 1 admits."""
DEFINITION3 = ("continuous", "binary")


def phi_shapes(
    *sizes: tuple[int, int, int], rules: tuple[str, ...] = DEFINITION3
) -> tuple[Shape, ...]:
    """Shapes (N, d, rounds), each with some of the rules, and weights from the true ratios."""
    return tuple(
        {"N": n, "d": d, "rounds": t, **RULES[rule], "weights": "true"}
        for n, d, t in sizes
        for rule in rules
    )


def run_family(*sizes: tuple[int, int, int], extra: dict[str, Real] | None = None) -> Family:
    """All-for-one with true ratios on small quadratic federations."""
    return quadratics(phi_shapes(*sizes), {**PHI, **STEP, **(extra or {})})


def other_runs(
    kind: str,
    *sizes: tuple[int, int, int],
    extra: Mapping[str, Real] | None = None,
    points: int = 2,
    rules: tuple[str, ...] = DEFINITION3,
) -> Family:
    """All-for-one with true ratios on a problem kind, with a noise of so many points."""
    box = {**START, **TRADEOFF, **PHI, **STEP, **(extra or {})}
    constants = {"method": "all_for_one", "points": points}
    shapes = tuple({**shape, **constants} for shape in phi_shapes(*sizes, rules=rules))
    return federation(kind, shapes, box, noise=True)


def wider(extra: Mapping[str, Real] | None = None) -> tuple[Family, ...]:
    """Further losses and rules of the theorems, noise of three points, longer runs."""
    return (
        other_runs("quadratic", (2, 2, 1), (1, 1, 4), extra=extra, points=3, rules=("square",)),
        other_runs("pl", (1, 1, 2), (2, 1, 1), extra=extra, rules=("continuous",)),
    )


SIZES = ((1, 1, 1), (1, 1, 2), (2, 1, 1), (2, 1, 2), (1, 1, 3))
RUNS = run_family(*SIZES)


def definition_family(extra: Mapping[str, Real], rules: tuple[str, ...] = DEFINITION3) -> Family:
    """Definition 2 on free constants, with further parameters."""
    shapes = tuple({"N": n, **RULES[rule]} for n in (2, 3) for rule in rules)
    bias, slope = Real(0, 4, unit=(1, -1), per=("N",)), Real(0, 2, per=("N",))
    box = {"bias": bias, "slope": slope, "sigma2": VARIANCES, "mu": CURVATURE, **PHI, **extra}
    return Family(box, shapes, _own_constants, "any constants b_ik, c_ik, sigma_k, mu")


def _own_constants(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Client 0 is similar to itself: b = c = 0."""
    others = {name: values[name].copy() for name in ("bias", "slope")}
    for value in others.values():
        value[..., 0] = 0 * value[..., 0]
    return plain_numbers({**values, **others}, shape)


# -- Definition 1 ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Along:
    """Quantities of client 0 at the points of an array (..., d).

    Where the own gradient vanishes the similarity ratio is 0/0 or infinite, and what is made of it
    has no value: NaN, or a division by zero of exact numbers.
    """

    squared_gradient: Array  # (...)      G^2
    squared_gap: Array  # (..., N)   Delta_k^2
    alpha: Array  # (..., N)
    effective: Array  # (...)      sigma_eff^2 = sigma_psi^2
    limit: Array  # (...)      (sigma_phi / sigma_psi)^2


def along(w: World, theta: Array) -> Along:
    """Weights and variances of Definition 1 at points (B, R, d) or (B, R, T, d)."""
    extra = theta.ndim - 3
    problem = w.problem.expand(extra) if extra else w.problem
    gradients = problem.gradients(theta)  # (..., N, d)
    own = gradients[..., :1, :]
    squared = xp.squared_norm(own)  # (..., 1)
    gap = xp.squared_norm(gradients - own)
    ratio = similarity.ratio_from_squares(gap, squared[..., 0]) + 0 * squared / squared
    weighted = (ratio, phi_of(w, ratio), per_client(w.sigma2, extra))
    return Along(
        squared[..., 0],
        gap,
        similarity.collaboration_weights(*weighted),
        similarity.effective_variance(*weighted),
        similarity.step_ratio(*weighted),
    )


def phi_of(w: World, ratio: Array) -> Array:
    """phi of the rule that the instance names."""
    exponent = int(w.exponent) if w.has("exponent") else None
    return similarity.phi_by_name(w.phi, ratio, w.threshold, exponent)


def per_client(value: Array, extra: int) -> Array:
    """Insert axes before the client axis of (B, 1, N)."""
    return value[(..., *(None,) * extra, slice(None))] if extra else value


# -- Definition 2 ------------------------------------------------------------------------------


def sufficient(w: World, precision: Array, printed: bool = True) -> tuple[Array, Array]:
    """Argument (1 - b/(2 mu eps) - c)_+ of Definition 2 and sigma_suf^2, (B, R, N) and (B, R)."""
    if printed:
        ratio = sufficient_ratio_printed(xp.sqrt(w.squared_bias), w.slope, w.mu, precision)
    else:
        ratio = sufficient_ratio(w.squared_bias, w.slope, w.mu, precision)
    return ratio, similarity.effective_variance(ratio, phi_of(w, ratio), w.sigma2)


def free_variance(w: World, precision: Array) -> Array:
    """sigma_suf^2 as printed, of the free constants of `definition_family`."""
    ratio = sufficient_ratio_printed(w.bias, w.slope, w.mu, precision)
    return similarity.effective_variance(ratio, phi_of(w, ratio), w.sigma2)


def cluster_psi(w: World) -> Array:
    """psi((1 - b/(2 mu eps))_+) as printed, with the positive part of Definition 2, (B, 1, N)."""
    ratio = sufficient_ratio_printed(w.bias, 0 * w.bias, w.mu, w.precision)
    return ratio * phi_of(w, ratio)


def cluster_size(psi: Array) -> Array:
    """Number of clients with psi > 0."""
    return xp.total(xp.indicator(psi > 0, psi))


def smallest_psi(psi: Array) -> Array:
    """Smallest psi of the members of the cluster."""
    return xp.smallest(xp.where(psi > 0, psi, 1 + 0 * psi))


# -- runs --------------------------------------------------------------------------------------


@once
def _followed(w: World) -> Any:
    """Client 0 alone: long runs of many clients need no losses of the others."""
    return w.problem.select([0])


def excess(w: World, t: int) -> Array:
    """Realised excess loss of client 0 after t rounds, (B, R)."""
    return _followed(w).excess(w.run().theta[..., t, :])[..., 0]


def start_excess(w: World) -> Array:
    """Excess loss of client 0 at theta^0, read off the problem."""
    return w.problem.excess(w.start)[..., 0]


def at_first(w: World) -> Along:
    """Definition 1 at theta^0, read off the instance, before any run."""
    return along(w, w.start + 0 * w.problem.optimum[..., 0, :])


@once
def at_start(w: World) -> Along:
    """Definition 1 at theta^0 of a run."""
    return along(w, w.run().theta[..., 0, :])


@once
def on_path(w: World) -> Along:
    """Definition 1 at theta^0 .. theta^{T-1}, (B, R, T) and (B, R, T, N)."""
    found: Along = w.pathwise(along)
    return found


def steps(w: World) -> Array:
    """Step sizes of all rounds, (B, 1, T)."""
    return w.step_sizes if w.has("step_sizes") else w.step_size[..., None]


def decreasing_sizes(w: World, delay: Array) -> Array:
    """C/(mu (gamma + t)) for t = 1 .. T, (B, 1, T)."""
    rounds = range(1, w.rounds + 1)
    return xp.stack([rates.decreasing_step_size(w.factor, w.mu, delay, t) for t in rounds], -1)


CONSTANT_STEP = {"step_size": lambda w: w.step_share / w.beta}
DELAYED_STEPS = {"step_sizes": lambda w: decreasing_sizes(w, w.delay)}


# -- hypotheses --------------------------------------------------------------------------------

TABLE1 = "Theorem 2, Table 1"
short_steps = Hypothesis(
    "steps at most (sigma_phi/sigma_psi)^2/beta",
    r"\eta_i^t\le(\sigma_{i,\phi}^t/\sigma_{i,\psi}^t)^2\beta^{-1}\ \forall t\le T\text{ on every path}",
    lambda w: on_path(w).limit - steps(w) * w.beta[..., None],
    "Theorem 2",
)
strictly_short_steps = replace(
    short_steps, latex=short_steps.latex.replace(r"\le(", "<("), where="Theorem 1", strict=True
)
own_gradients = Hypothesis(
    "own gradients",
    r"\nabla R_i(\theta_i^{t-1})\ne0\ \forall t\le T\text{ almost surely}",
    lambda w: on_path(w).squared_gradient,
    strict=True,
    defining=True,
)
own_gradient = Hypothesis(
    "own gradient",
    r"\nabla R_i(\theta_i^{t-1})\ne0",
    lambda w: at_start(w).squared_gradient,
    strict=True,
    defining=True,
)
"""Without them a similarity ratio has no value; noise with a density meets them almost surely."""
ADMISSIBLE = (short_steps, own_gradients)
"""The step condition at every round and on every path, and defined ratios."""
STRICTLY_ADMISSIBLE = (strictly_short_steps, own_gradients)
at_most_inverse_mu = Hypothesis(
    "step at most 1/mu", r"\eta_i^t\le\mu^{-1}", lambda w: 1 - w.step_size * w.mu, TABLE1
)
size_of_a_step = Hypothesis(
    "step not negative", r"\eta_i^t\ge0", lambda w: w.step_size, "Table 1: 'step size'"
)
factor_above_one = Hypothesis("C > 1", "C>1", lambda w: w.factor - 1, TABLE1, strict=True)


# -- a large instance --------------------------------------------------------------------------


def twenty_clients(law: str) -> Instance:
    """Twenty clients in ten dimensions, two clusters, noise without finite support.

    Deterministic: curvatures and minimisers lie on grids, so nothing is drawn.
    """
    clients, dim = 20, 10
    k, j = np.arange(clients)[:, None], np.arange(dim)[None]
    curvature = 1 / 2 + ((3 * k + j) % 7) / 6
    optimum = np.where(k % 2 == 0, 1.0, -1.0) / 4 + ((k + 2 * j) % 5) / 100
    data = {
        "A": curvature[..., None] * np.eye(dim),
        "xi": -optimum,
        "noise_scale": 1 / 2 + (np.arange(clients) % 3) / 2,
        "law": law,
        "half": True,
    }
    params = {
        "start": np.full(dim, 2.0),
        "step_share": 0.5,
        "threshold": 0.5,
        "tradeoff": 1.5,
        "rounds": 1,
        "phi": "continuous",
        "weights": "true",
    }
    return Instance("quadratic", data, "all_for_one", params)
