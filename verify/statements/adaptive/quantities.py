"""What the statements of the paper share: parameters, families, quantities along a run, hypotheses.

The modules of the theorems import it as ``q``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bounds import generic as xp
from bounds import rates, similarity
from bounds.sufficient import sufficient_ratio, sufficient_ratio_printed
from verify.claim import (
    Array,
    Family,
    Hypothesis,
    Instance,
    Reading,
    Real,
    Shape,
    plain_numbers,
)
from verify.claim.families import free, numbers, quadratics
from verify.claim.hypothesis import hypothesis
from verify.claim.statement import Rule, Statement, Terms, statement
from verify.claim.wording import Wording
from verify.statements.adaptive.problems import POINT as POINT
from verify.statements.adaptive.problems import SHIFT as SHIFT
from verify.statements.adaptive.problems import START as START
from verify.statements.adaptive.problems import TRADEOFF as TRADEOFF
from verify.statements.adaptive.problems import build as build
from verify.statements.adaptive.problems import federation as federation
from verify.statements.adaptive.problems import kicked
from verify.statements.adaptive.problems import shapes_of as shapes_of
from verify.statements.adaptive.problems import twenty_clients as twenty_clients
from verify.terms.vocabulary import quantity
from verify.world.world import World, once

Box = Mapping[str, Real]
Sizes = Iterable[tuple[int, int, int]]

claims = partial(Wording, "adaptive")
"""What a module claims, as a table."""

MENDED = r",\quad b_{ik}^2\text{ for }b_{ik},\ \varepsilon_i^t\text{ realised}"
"""What the repaired statements read differently in Definition 2, for their formulas."""

# -- parameters and families -----------------------------------------------------------------------

CURVATURE = Real(1 / 16, 16, unit=(1, -2), log=True)
"""For mu and beta as free numbers."""
VARIANCE = Real(1 / 16, 16, unit=(2, -2), log=True)
VARIANCES = replace(VARIANCE, per=("N",))
LOSS = Real(1 / 16, 16, unit=(1, 0), log=True)
SHARES = Real(0, 1, per=("N",), domain=(0, 1))
ALPHA = {"alpha": Real(0, 1, per=("N",))}
STEP = {"step_share": Real(1 / 64, 1, log=True)}
"""Step size, any positive number, as a multiple of 1/beta."""
PHI = {"threshold": Real(1 / 8, 1, domain=(0, 1))}
"""Threshold (lambda) of the binary rule; without effect on the continuous one."""
PRECISION = {"precision": Real(1 / 64, 16, unit=(1, 0), log=True)}
FACTOR = {"factor": Real(1 / 2, 8, log=True)}
"""C of the decreasing steps C/(mu (gamma + t))."""
DELAY = {"delay": Real(0, 64)}
"""gamma of the decreasing steps."""
BETA = {"beta": CURVATURE}
EQUAL = {"sigma2_one": VARIANCE}
"""One variance for all clients."""
CONSTANTS = {"excess": LOSS, "mu": CURVATURE, **BETA, "variance": VARIANCE}
_ROUNDS = tuple({"rounds": t} for t in (1, 2, 4))
_FREE_STEP = {"step_size": Real(1 / 64, 64, unit=(-1, 2), log=True)}
FREE = numbers({**CONSTANTS, **_FREE_STEP}, *_ROUNDS, about="any constants and any step size")
"""The constants of a bound after T rounds as free numbers."""
FREE_FACTOR = numbers({**CONSTANTS, **FACTOR}, *_ROUNDS, about="any constants")
FREE_DELAY = numbers({**FREE_FACTOR.box, **DELAY}, *_ROUNDS, about="any constants and any delay")

RULES: Mapping[str, Shape] = {
    "continuous": {"phi": "continuous"},
    "binary": {"phi": "binary"},
    "square": {"phi": "power", "exponent": 2},
}
"""Functions phi: both rules of Definition 3, and x^2, another one that Definition 1 admits."""
DEFINITION3, ALL_RULES = "continuous binary", " ".join(RULES)


def merged(*boxes: Box) -> dict[str, Real]:
    """One box of several."""
    return {name: real for box in boxes for name, real in box.items()}


def phi_shapes(sizes: Sizes, rules: str, **more: Any) -> tuple[Shape, ...]:
    """Shapes (N, d, rounds), each with some of the rules, and weights from the true ratios."""
    return tuple(
        {"N": n, "d": d, "rounds": t, **RULES[rule], "weights": "true", **more}
        for n, d, t in sizes
        for rule in rules.split()
    )


def runs(sizes: Sizes, *boxes: Box) -> Family:
    """All-for-one with true ratios on small quadratic federations, of sizes (N, d, rounds)."""
    return quadratics(phi_shapes(sizes, DEFINITION3), merged(PHI, STEP, *boxes))


def other_runs(
    kind: str, sizes: Sizes, *boxes: Box, points: int = 2, rules: str = DEFINITION3
) -> Family:
    """All-for-one with true ratios on a problem kind, with a noise of so many points."""
    shapes = phi_shapes(sizes, rules, method="all_for_one", points=points)
    return federation(kind, shapes, merged(START, TRADEOFF, PHI, STEP, *boxes), noise=True)


def wider(*boxes: Box) -> tuple[Family, ...]:
    """Further losses and rules of the theorems, noise of three points, longer runs."""
    return (
        other_runs("quadratic", ((2, 2, 1), (1, 1, 4)), *boxes, points=3, rules="square"),
        other_runs("pl", ((1, 1, 2), (2, 1, 1)), *boxes, rules="continuous"),
    )


SIZES = ((1, 1, 1), (1, 1, 2), (2, 1, 1), (2, 1, 2), (1, 1, 3))
RUNS = runs(SIZES)
RUNS_PRECISION = runs(SIZES, PRECISION)
KICKED = kicked(phi_shapes(((2, 1, 2),), DEFINITION3), PHI)
"""The condition on epsilon_i^(T-1) alone is met by runs that were below epsilon before."""


def any_constants(*boxes: Box, rules: str = DEFINITION3) -> Family:
    """Definition 2 on free constants, with further parameters."""
    shapes = tuple({"N": n, **RULES[rule]} for n in (2, 3) for rule in rules.split())
    bias, slope = Real(0, 4, unit=(1, -1), per=("N",)), Real(0, 2, per=("N",))
    own = {"bias": bias, "slope": slope, "sigma2": VARIANCES, "mu": CURVATURE}
    box = merged(own, PHI, *boxes)
    return Family(box, shapes, _own_constants, "any constants b, c, sigma, mu")


def _own_constants(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Client 0 is similar to itself: b = c = 0."""
    others = {name: values[name].copy() for name in ("bias", "slope")}
    for value in others.values():
        value[..., 0] = 0 * value[..., 0]
    return plain_numbers({**values, **others}, shape)


# -- Definition 1 ----------------------------------------------------------------------------------


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
    squared, gap = squares(w.problem.expand(extra) if extra else w.problem, theta)
    ratio = similarity.ratio_from_squares(gap, squared) + (0 * squared / squared)[..., None]
    weighted = (ratio, phi_of(w, ratio), per_client(w.sigma2, extra))
    return Along(
        squared,
        gap,
        similarity.collaboration_weights(*weighted),
        similarity.effective_variance(*weighted),
        similarity.step_ratio(*weighted),
    )


def squares(problem: Any, theta: Array) -> tuple[Array, Array]:
    """G^2, (...), and Delta_k^2, (..., N), at the points of an array (..., d)."""
    gradients = problem.gradients(theta)  # (..., N, d)
    own = gradients[..., :1, :]
    return xp.squared_norm(own)[..., 0], xp.squared_norm(gradients - own)


def own_square(w: World, point: Array) -> Array:
    """Squared gradient of client 0."""
    return xp.squared_norm(w.problem.gradients(point)[..., 0, :])


def phi_of(w: World, ratio: Array) -> Array:
    """phi of the rule that the instance names."""
    exponent = int(w.exponent) if w.has("exponent") else None
    return similarity.phi_by_name(w.phi, ratio, w.threshold, exponent)


def per_client(value: Array, extra: int) -> Array:
    """Insert axes before the client axis of (B, 1, N)."""
    return value[(..., *(None,) * extra, slice(None))] if extra else value


# -- Definition 2 ----------------------------------------------------------------------------------


def sufficient(w: World, precision: Array, printed: bool = True) -> tuple[Array, Array]:
    """Argument (1 - b/(2 mu eps) - c)_+ of Definition 2 and sigma_suf^2, (B, R, N) and (B, R)."""
    if printed:
        ratio = sufficient_ratio_printed(xp.sqrt(w.squared_bias), w.slope, w.mu, precision)
    else:
        ratio = sufficient_ratio(w.squared_bias, w.slope, w.mu, precision)
    return ratio, similarity.effective_variance(ratio, phi_of(w, ratio), w.sigma2)


def sufficient_variance(w: World) -> Array:
    """sigma_suf^2(epsilon) of Definition 2 as printed."""
    return sufficient(w, w.precision)[1]


def mended_variance(w: World) -> Array:
    """sigma_suf^2(epsilon) of Definition 2 with b^2."""
    return sufficient(w, w.precision, printed=False)[1]


def squared(r: Reading) -> str:
    """What a formula says of a reading with the square."""
    return r",\quad b_{ik}^2\text{ for }b_{ik}" * ("squared-b" in r)


def variance_of_definition2(w: World, r: Reading) -> Array:
    """sigma_suf^2(epsilon), by what stands over 2 mu epsilon."""
    return sufficient_variance(w) if "plain-b" in r else mended_variance(w)


def free_ratio(w: World, precision: Array) -> Array:
    """Argument of Definition 2 as printed, of the free constants of `any_constants`."""
    return sufficient_ratio_printed(w.bias, w.slope, w.mu, precision)


def free_variance(w: World, precision: Array) -> Array:
    """sigma_suf^2 as printed, of the free constants of `any_constants`."""
    ratio = free_ratio(w, precision)
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


# -- runs ------------------------------------------------------------------------------------------


@once
def _followed(w: World) -> Any:
    """Client 0 alone: long runs of many clients need no losses of the others."""
    return w.problem.select([0])


def excess(w: World, t: int) -> Array:
    """Realised excess loss of client 0 after t rounds, (B, R)."""
    return _followed(w).excess(w.run().theta[..., t, :])[..., 0]


def end_excess(w: World) -> Terms:
    """Realised excess loss after T rounds; its mean is the left side."""
    return {"E excess": excess(w, w.rounds)}


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


@quantity
def decreasing_sizes(w: World, delay: Array) -> Array:
    """C/(mu (gamma + t)) for t = 1 .. T, (B, 1, T)."""
    rounds = range(1, w.rounds + 1)
    return xp.stack([rates.decreasing_step_size(w.factor, w.mu, delay, t) for t in rounds], -1)


CONSTANT_STEP = {"step_size": lambda w: w.step_share / w.beta}
DECREASING_STEPS = {"step_sizes": lambda w: decreasing_sizes(w, 0)}
DELAYED_STEPS = {"step_sizes": lambda w: decreasing_sizes(w, w.delay)}

# -- hypotheses ------------------------------------------------------------------------------------

TABLE1 = "Theorem 2, Table 1"


def defined(name: str, latex: str) -> Callable[[Callable[..., Any]], Hypothesis]:
    """Decorator: what a formula of the claim divides by is above 0."""
    return hypothesis(name, latex, strict=True, defining=True)


def own_gradient_at(rule: Callable[..., Array], model: str = r"\theta_i^{t-1}") -> Hypothesis:
    """The squared own gradient at a model, without which a similarity ratio has no value."""
    return defined("own gradient", rf"\nabla R_i({model})\ne0")(rule)


short_steps = Hypothesis(
    "steps at most (sigma_phi/sigma_psi)^2/beta",
    r"\eta_i^t\le(\sigma_{i,\phi}^t/\sigma_{i,\psi}^t)^2\beta^{-1}\ \forall t\le T\text{ on every path}",
    lambda w: on_path(w).limit - steps(w) * w.beta[..., None],
    "Theorem 2",
)
strictly_short_steps = replace(
    short_steps, latex=short_steps.latex.replace(r"\le(", "<("), where="Theorem 1", strict=True
)
own_gradients = defined(
    "own gradients", r"\nabla R_i(\theta_i^{t-1})\ne0\ \forall t\le T\text{ almost surely}"
)(lambda w: on_path(w).squared_gradient)
"""Noise with a density meets it almost surely."""
own_gradient = own_gradient_at(lambda w: at_start(w).squared_gradient)
ADMISSIBLE = (short_steps, own_gradients)
"""The step condition at every round and on every path, and defined ratios."""
STRICTLY_ADMISSIBLE = (strictly_short_steps, own_gradients)
at_most_inverse_mu = Hypothesis(
    "step at most 1/mu", r"\eta_i^t\le\mu^{-1}", lambda w: 1 - w.step_size * w.mu, TABLE1
)
size_of_a_step = Hypothesis(
    "step above 0", r"\eta_i^t>0", lambda w: w.step_size, "Table 1: 'step size'", strict=True
)
factor_above_one = Hypothesis("C > 1", "C>1", lambda w: w.factor - 1, TABLE1, strict=True)
some_weight = defined("some weight", r"\mathcal A_i^t>0")(lambda w: xp.total(w.alpha))
"""Without it neither the printed limit of the step nor g^t has a value."""

# -- free symbols of the displays of the proofs ----------------------------------------------------

_MEAN, _SQUARE = Real(0, 4, unit=(1, 0)), Real(0, 4, unit=(2, -2))
_GRADIENT = Real(1 / 16, 4, unit=(2, -2), log=True)
_LOSS = Real(1 / 16, 4, unit=(1, 0), log=True)
SYMBOLS = {
    **dict.fromkeys(("after", "before"), _MEAN),
    **dict.fromkeys(("excess", "precision", "plateau"), _LOSS),
    **dict.fromkeys(("own", "effective", "sufficient"), _GRADIENT),
    **dict.fromkeys(("elsewhere", "gap", "bias"), _SQUARE),
    "slope": Real(0, 2),
    "mu": CURVATURE,
    **BETA,
    "step_size": Real(1 / 16, 16, unit=(-1, 2), log=True),
    "horizon": Real(1, 16),
    "series": Real(1 / 16, 16, log=True),
}
"""Mean excess after and before the step, realised excess, epsilon, beta sigma^2 C^2/(2 mu^2 (C-1)),
|grad R_i|^2 at theta_i, sigma_eff^2, sigma_suf^2, |grad R_i|^2 at theta_k, Delta_k^2, b^2, c, mu,
beta, eta, T, sum_t (1 - eta mu)^(T - t)."""


def deduced(
    key: str, names: str, *given: Hypothesis, where: str = "proofs", box: Box = SYMBOLS
) -> Callable[[Rule], Statement]:
    """Decorator: whether a step follows from the displays before it, over free symbols."""
    family = free(names, box)
    return statement(
        f"adaptive.{key}-deduced", where=where, kind="deduction", family=family, given=given
    )
