"""PEPit's worked examples as worst-case problems: each builds its problem and returns its rate.

The names, the parameters and their values are those of PEPit 0.5.1
(`PEPit.examples.FOLDER.wc_NAME`); the rate is the one that PEPit's page cites.  TIGHT: the worst
case equals it; UPPER: it is at most that; VALUE: no closed form is known, or a lower bound only,
and PEPit's own number stands instead, to seven digits.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import log2, sqrt
from typing import Any

from verify.worst_case import (
    BlockSmoothConvex,
    ClassProblem,
    CocoerciveOperator,
    CocoerciveStronglyMonotoneOperator,
    Convex,
    ConvexLipschitz,
    ConvexQuadraticGrowth,
    Indicator,
    LinearOperator,
    LipschitzOperator,
    LipschitzStronglyMonotoneOperator,
    MonotoneOperator,
    NonexpansiveOperator,
    Quadratics,
    SecantErrorBound,
    SkewLinearOperator,
    Smooth,
    SmoothConvex,
    SmoothLojasiewicz,
    SmoothStronglyConvex,
    StronglyConvex,
    StronglyMonotoneOperator,
    SymbolicPoint,
    SymmetricLinearOperator,
    TransposedOperator,
    best_along,
    bregman_proximal_step,
    bregman_step,
    epsilon_subgradient,
    inexact_gradient,
    inexact_prox,
    linear_minimiser,
    project,
    prox,
    shifted_minimiser,
)

TIGHT, UPPER, VALUE = "tight", "upper", "value"


@dataclass(frozen=True)
class Example:
    """An example: where it is from, how its rate is meant, and the function that builds it."""

    folder: str
    name: str
    rate: str
    build: Callable[..., float]

    def parameters(self) -> dict[str, Any]:
        """PEPit's own values."""
        given = inspect.signature(self.build).parameters.values()
        return {one.name: one.default for one in given if one.name != "p"}

    def problem(self, **changed: Any) -> tuple[ClassProblem, float]:
        """The problem and its rate, or PEPit's value."""
        p = ClassProblem(blocks=BLOCKED.get(self.name, 1))
        return p, self.build(p, **{**self.parameters(), **changed})


EXAMPLES: dict[str, Example] = {}
BLOCKED = {
    "cyclic_coordinate_descent": 3,
    "randomized_coordinate_descent_smooth_convex": 2,
    "randomized_coordinate_descent_smooth_strongly_convex": 2,
}
"""Examples with blocks of coordinates, and how many."""


def example(
    folder: str, rate: str, name: str = ""
) -> Callable[[Callable[..., float]], Callable[..., float]]:
    def kept(build: Callable[..., float]) -> Callable[..., float]:
        said = name or build.__name__
        EXAMPLES[f"{folder}.{said}"] = Example(folder, said, rate, build)
        return build

    return kept


def start(p: ClassProblem, best: SymbolicPoint, name: str = "x0") -> SymbolicPoint:
    """A point within distance one of another."""
    x = p.point(name)
    p.assume((x - best) ** 2 <= 1)
    return x


def thetas(n: int) -> list[float]:
    """Factors of the optimised gradient method."""
    first = [*accumulate(range(n - 1), lambda t, _: (1 + sqrt(4 * t * t + 1)) / 2, initial=1.0)]
    return [*first, (1 + sqrt(8 * first[-1] ** 2 + 1)) / 2] if n else [1.0]


# Steps are written as a point plus multiples of differences: factors that only sum to one up to
# rounding would make the worst case depend on where the origin is.


def silver(t: float, kappa: float) -> float:
    """Step of the silver schedule, times L."""
    return (1 + kappa * t) / (1 + t)


# -- unconstrained convex minimisation -------------------------------------------------------------

FREE = "unconstrained_convex_minimization"


@example(FREE, TIGHT)
def gradient_descent(p, L=3, gamma=1 / 3, n=4):
    f = p.function(SmoothConvex(L))
    best = f.minimiser()
    x = start(p, best)
    for _ in range(n):
        x = x - gamma * f.gradient(x)
    p.maximise(f(x) - f(best))
    return L / (2 * (2 * n * L * gamma + 1))


@example(FREE, TIGHT)
def accelerated_gradient_convex(p, mu=0, L=1, n=1):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = y = start(p, best)
    lam = 1.0
    for _ in range(n):
        old, lam, before = lam, (1 + sqrt(4 * lam**2 + 1)) / 2, x
        x = y - f.gradient(y) / L
        y = x + (old - 1) / lam * (x - before)
    p.maximise(f(x) - f(best))
    return L / 6 if n == 1 else L / (2 * old**2)  # PEPit cites L/(2 old^2), an upper bound


@example(FREE, TIGHT)
def accelerated_gradient_convex_simplified(p, mu=0, L=1, n=1):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = y = start(p, best)
    for i in range(n):
        before, x = x, y - f.gradient(y) / L
        y = x + i / (i + 3) * (x - before)
    p.maximise(f(x) - f(best))
    return 2 * L / (n**2 + 5 * n + 6)


@example(FREE, UPPER)
def accelerated_gradient_strongly_convex(p, mu=0.1, L=1, n=2):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = y = p.point("x0")
    p.assume(f(x) - f(best) + mu / 2 * (x - best) ** 2 <= 1)
    root = sqrt(mu / L)
    for _ in range(n):
        before, x = x, y - f.gradient(y) / L
        y = x + (1 - root) / (1 + root) * (x - before)
    p.maximise(f(x) - f(best))
    return (1 - root) ** n


@example(FREE, UPPER)
def accelerated_proximal_point(p, A0=5, gammas=(1 / 1.1, 2 / 1.1, 3 / 1.1), n=3):
    f = p.function(Convex())
    best = f.minimiser()
    x = v = p.point("x0")
    p.assume(f(x) - f(best) + A0 / 2 * (x - best) ** 2 <= 1)
    A = A0
    for gamma in gammas:
        alpha = (sqrt((A * gamma) ** 2 + 4 * A * gamma) - A * gamma) / 2
        y = x + alpha * (v - x)
        x = prox(f, y, gamma).x
        v, A = v + (x - y) / alpha, (1 - alpha) * A
    p.maximise(f(x) - f(best))
    return 4 / A0 / sum(map(sqrt, gammas)) ** 2


@example(FREE, TIGHT)
def conjugate_gradient(p, L=1, n=2):
    f = p.function(SmoothConvex(L))
    best = f.minimiser()
    x = start(p, best)
    span = [f.gradient(x)]
    for _ in range(n):
        end = best_along(f, x, span)
        span, x = [*span, end.g, x - end.x], end.x
    p.maximise(f(x) - f(best))
    return L / (2 * thetas(n)[-1] ** 2)


@example(FREE, TIGHT)
def conjugate_gradient_qg_convex(p, L=1, n=12):
    f = p.function(ConvexQuadraticGrowth(L))
    best = f.minimiser()
    x = start(p, best)
    span = [f.gradient(x)]
    for _ in range(n):
        end = best_along(f, x, span)
        span, x = [*span, end.g, x - end.x], end.x
    p.maximise(f(x) - f(best))
    return L / (2 * (n + 1))


@example(FREE, VALUE)
def cyclic_coordinate_descent(p, L=(1.0, 2.0, 10.0), n=9):
    f = p.function(BlockSmoothConvex(L))
    best = f.minimiser()
    x = start(p, best)
    for k in range(n):
        x = x - f.gradient(x).block(k % len(L)) / L[k % len(L)]
    p.maximise(f(x) - f(best))
    return 1.489276


@example(FREE, UPPER)
def epsilon_subgradient_method(p, M=2, n=6, gamma=0.3779644730092272, eps=0.1, R=1):
    f = p.function(Convex())
    best = f.minimiser()
    x = p.point("x0")
    p.assume((x - best) ** 2 <= R**2)
    for _ in range(n):
        g, gap = epsilon_subgradient(f, x)
        p.maximise(f(x) - f(best))
        p.assume(gap <= eps)
        p.assume(g**2 <= M**2)
        x = x - gamma * g
    p.assume(f.gradient(x) ** 2 <= M**2)
    p.maximise(f(x) - f(best))
    return (R**2 + 2 * (n + 1) * gamma * eps + (n + 1) * gamma**2 * M**2) / (2 * (n + 1) * gamma)


@example(FREE, TIGHT)
def gradient_descent_lc(p, mug=0.3, Lg=3, typeM="gen", muM=0.1, LM=1.0, gamma=1 / 3, n=3):
    G = p.function(SmoothStronglyConvex(mug, Lg))
    turned = p.function(TransposedOperator())
    kinds = {
        "gen": LinearOperator(LM, turned),
        "sym": SymmetricLinearOperator(muM, LM),
        "skew": SkewLinearOperator(LM),
    }
    M = p.function(kinds[typeM])
    back = {"gen": turned.gradient, "sym": M.gradient, "skew": lambda u: -M.gradient(u)}[typeM]
    x, best = p.point("x0"), p.point("x*")
    low = G.oracle(M.gradient(best))
    (turned if typeM == "gen" else M).add(low.g, 0 * x)
    p.assume((x - best) ** 2 <= 1)
    for _ in range(n):
        x = x - gamma * back(G.gradient(M.gradient(x)))
    p.maximise(G(M.gradient(x)) - low.f)
    low, high = 0.0, 1 / (2 * n + 1)  # Bousselmi et al., Theorem 4.1
    fall = lambda h: (1 - (2 * n + 1) * h) * (1 - h) ** (-2 * n - 1) - 1 + mug / Lg  # noqa: E731
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if fall(middle) * fall(low) < 0 else (middle, high)
    k, L = mug / Lg, Lg * LM**2
    m = min(max(sqrt(low / k / (L * gamma)), muM / LM), 1)
    best = k * m**2 / (k - 1 + (1 - k * L * gamma * m**2) ** (-2 * n))
    return L / 2 * max(best, (1 - L * gamma) ** (2 * n))


@example(FREE, TIGHT)
def gradient_descent_qg_convex(p, L=1, gamma=0.2, n=4):
    f = p.function(ConvexQuadraticGrowth(L))
    best = f.minimiser()
    x = start(p, best)
    for _ in range(n):
        x = x - gamma * f.gradient(x)
    p.maximise(f(x) - f(best))
    return L / 2 * max(1 / (2 * n * L * gamma + 1), L * gamma)


@example(FREE, TIGHT)
def gradient_descent_qg_convex_decreasing(p, L=1, n=6):
    f = p.function(ConvexQuadraticGrowth(L))
    best = f.minimiser()
    x = start(p, best)
    g, u = f.gradient(x), 1.0
    for _ in range(n):
        u = u / 2 + sqrt((u / 2) ** 2 + 2)
        x = x - g / (L * u)
        g = f.gradient(x)
    p.maximise(f(x) - f(best))
    return L / (2 * u)


@example(FREE, TIGHT)
def gradient_descent_quadratics(p, mu=0.3, L=3, gamma=1 / 3, n=4):
    f = p.function(Quadratics(mu, L))
    best = f.minimiser()
    x = start(p, best)
    for _ in range(n):
        x = x - gamma * f.gradient(x)
    p.maximise(f(x) - f(best))
    alpha = min(max(1 / (L * gamma * (2 * n + 1)), mu / L), 1)
    return L / 2 * max(alpha * (1 - alpha * L * gamma) ** (2 * n), (1 - L * gamma) ** (2 * n))


@example(FREE, UPPER)
def gradient_descent_silver_stepsize_convex(p, L=10, n=7):
    f = p.function(SmoothConvex(L))
    best = f.minimiser()
    x = start(p, best)
    for i in range(1, n + 1):
        dyadic = (i & -i).bit_length() - 1
        x = x - (1 + (1 + sqrt(2)) ** (dyadic - 1)) / L * f.gradient(x)
    p.maximise(f(x) - f(best))
    return L / (1 + sqrt(4 * (1 + sqrt(2)) ** (2 * log2(n + 1)) - 3))


@example(FREE, TIGHT)
def gradient_descent_silver_stepsize_strongly_convex(p, L=3.2, mu=0.1, n=8):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = start(p, best)
    z = mu / L
    steps = [silver(z, L / mu)]
    while len(steps) < n:
        turn = 1 - z + sqrt(1 + (1 - z) ** 2)
        y, z = z / turn, z * turn
        steps = [*steps[:-1], silver(y, L / mu), *steps[:-1], silver(z, L / mu)]
    for h in steps:
        x = x - h / L * f.gradient(x)
    p.maximise((x - best) ** 2)
    return ((1 - z) / (1 + z)) ** 2


@example(FREE, TIGHT)
def gradient_exact_line_search(p, L=1, mu=0.1, n=2):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = p.point("x0")
    p.assume(f(x) - f(best) <= 1)
    for _ in range(n):
        x = best_along(f, x, [f.gradient(x)]).x
    p.maximise(f(x) - f(best))
    return ((L - mu) / (L + mu)) ** (2 * n)


@example(FREE, UPPER)
def heavy_ball_momentum(p, mu=0.1, L=1.0, alpha=0.5, beta=0.6892024376045111, n=2):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = before = p.point("x0")
    p.assume(f(x) - f(best) <= 1)
    for _ in range(n):
        x, before = x - alpha * f.gradient(x) + beta * (x - before), x
    p.maximise(f(x) - f(best))
    return (1 - alpha * mu) ** n


@example(FREE, TIGHT)
def heavy_ball_momentum_qg_convex(p, L=1, n=5):
    f = p.function(ConvexQuadraticGrowth(L))
    best = f.minimiser()
    x = before = start(p, best)
    for t in range(n):
        x, before = x - f.gradient(x) / (L * (t + 2)) + t / (t + 2) * (x - before), x
    p.maximise(f(x) - f(best))
    return L / (2 * (n + 1))


@example(FREE, VALUE)  # the rate cited is that of exact gradients, a lower bound
def inexact_accelerated_gradient(p, L=1, epsilon=0.1, n=5):
    f = p.function(SmoothConvex(L))
    best = f.minimiser()
    x = y = start(p, best)
    for i in range(n):
        before, x = x, y - inexact_gradient(f, y, relative=epsilon) / L
        y = x + i / (i + 3) * (x - before)
    p.maximise(f(x) - f(best))
    return 0.0393878


@example(FREE, TIGHT)
def inexact_gradient_descent(p, L=1, mu=0.1, epsilon=0.1, n=2):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = p.point("x0")
    p.assume(f(x) - f(best) <= 1)
    high, low = (1 + epsilon) * L, (1 - epsilon) * mu
    for _ in range(n):
        x = x - 2 / (high + low) * inexact_gradient(f, x, relative=epsilon)
    p.maximise(f(x) - f(best))
    return ((high - low) / (high + low)) ** (2 * n)


@example(FREE, TIGHT)
def inexact_gradient_exact_line_search(p, L=1, mu=0.1, epsilon=0.1, n=2):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = p.point("x0")
    p.assume(f(x) - f(best) <= 1)
    for _ in range(n):
        x = best_along(f, x, [inexact_gradient(f, x, relative=epsilon)]).x
    p.maximise(f(x) - f(best))
    high, low = (1 + epsilon) * L, (1 - epsilon) * mu
    return ((high - low) / (high + low)) ** (2 * n)


@example(FREE, TIGHT)
def information_theoretic(p, mu=0.001, L=1, n=15):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = z = start(p, best)
    A, q = 0.0, mu / L
    for _ in range(n):
        old, A = A, ((1 + q) * A + 2 * (1 + sqrt((1 + A) * (1 + q * A)))) / (1 - q) ** 2
        beta = old / (1 - q) / A
        delta = ((1 - q) ** 2 * A - (1 + q) * old) / (1 + q + q * old) / 2
        y = z + beta * (x - z)
        g = f.gradient(y) / L
        x, z = y - g, z + q * delta * (y - z) - delta * g
    p.maximise((z - best) ** 2)
    return 1 / (1 + q * A)


@example(FREE, TIGHT)
def optimized_gradient(p, L=3, n=4):
    f = p.function(SmoothConvex(L))
    best = f.minimiser()
    x = y = start(p, best)
    theta = thetas(n)
    for old, new in pairwise(theta):
        before, x = x, y - f.gradient(y) / L
        y = x + (old - 1) / new * (x - before) + old / new * (x - y)
    p.maximise(f(y) - f(best))
    return L / (2 * theta[-1] ** 2)


@example(FREE, TIGHT)
def optimized_gradient_for_gradient(p, L=3, n=4):
    f = p.function(SmoothConvex(L))
    best = f.minimiser()
    x = y = p.point("x0")
    p.assume(f(x) - f(best) <= 1)
    t = thetas(n)[::-1]
    for i in range(n):
        old, y = y, x - f.gradient(x) / L
        first = (t[i] - 1) * (2 * t[i + 1] - 1) / t[i] / (2 * t[i] - 1)
        x = y + first * (y - old) + (2 * t[i + 1] - 1) / (2 * t[i] - 1) * (y - x)
    p.maximise(f.gradient(x) ** 2)
    return 2 * L / t[0] ** 2


@example(FREE, TIGHT)
def proximal_point(p, gamma=3, n=4):
    f = p.function(Convex())
    best = f.minimiser()
    x = start(p, best)
    for _ in range(n):
        x = prox(f, x, gamma).x
    p.maximise(f(x) - f(best))
    return 1 / (4 * gamma * n)


@example(FREE, TIGHT)
def robust_momentum(p, mu=0.1, L=1, lam=0.2):
    f = p.function(SmoothStronglyConvex(mu, L))
    best, k = f.minimiser(), L / mu
    rho = lam * (1 - 1 / k) + (1 - lam) * (1 - 1 / sqrt(k))
    alpha, beta = k * (1 - rho) ** 2 * (1 + rho) / L, k * rho**3 / (k - 1)
    gamma = rho**3 / ((k - 1) * (1 - rho) ** 2 * (1 + rho))
    x, potentials = [p.point("x0"), p.point("x1")], []
    for _ in range(2):
        y = x[-1] + gamma * (x[-1] - x[-2])
        x.append(x[-1] + beta * (x[-1] - x[-2]) - alpha * f.gradient(y))
        z = x[-1] + rho**2 / (1 - rho**2) * (x[-1] - x[-2]) - best
        gap = (L - mu) * (f(y) - f(best) - mu / 2 * (y - best) ** 2)
        c = mu**2 * (k - k * rho**2 - 1) / (2 * rho * (1 - rho))
        potentials.append(c * z**2 + gap - (f.gradient(y) - mu * (y - best)) ** 2 / 2)
    p.assume(potentials[0] <= 1)
    p.maximise(potentials[1])
    return rho**2


@example(FREE, TIGHT)
def subgradient_method(p, M=2, n=6, gamma=0.1889822365046136):
    f = p.function(ConvexLipschitz(M))
    best = f.minimiser()
    x = start(p, best)
    for _ in range(n):
        g = f.gradient(x)
        p.maximise(f(x) - f(best))
        x = x - gamma * g
    p.maximise(f(x) - f(best))
    return M / sqrt(n + 1)


@example(FREE, TIGHT)
def subgradient_method_rsi_eb(p, mu=0.1, L=1, gamma=0.1, n=4):
    f = p.function(SecantErrorBound(mu, L))
    best = f.minimiser()
    x = start(p, best)
    for _ in range(n):
        x = x - gamma * f.gradient(x)
    p.maximise((x - best) ** 2)
    return (1 - 2 * gamma * mu + gamma**2 * L**2) ** n


@example(FREE, UPPER)
def triple_momentum(p, mu=0.1, L=1.0, n=4):
    f = p.function(SmoothStronglyConvex(mu, L))
    best, rho = f.minimiser(), 1 - 1 / sqrt(L / mu)
    x = before = y = start(p, best)
    beta, gamma = rho**2 / (2 - rho), rho**2 / (1 + rho) / (2 - rho)
    delta = rho**2 / (1 - rho**2)
    for _ in range(n):
        middle = x + beta * (x - before) - (1 + rho) / L * f.gradient(y)
        y = middle + gamma * (middle - x)
        end = middle + delta * (middle - x)
        x, before = middle, x
    p.maximise(f(end) - f(best))
    return rho ** (2 * n) * L / 2 * L / mu


# -- adaptive methods ------------------------------------------------------------------------------


@example("adaptive_methods", TIGHT)
def polyak_steps_in_distance_to_optimum(p, L=1, mu=0.1, gamma=2 / 1.1):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = start(p, best)
    g = f.gradient(x)
    p.assume_equal(gamma * g**2, 2 * (f(x) - f(best)))
    f.gradient(x - gamma * g)
    p.maximise((x - gamma * g - best) ** 2)
    return (gamma * L - 1) * (1 - gamma * mu) / (gamma * (L + mu) - 1)


@example("adaptive_methods", TIGHT)
def polyak_steps_in_function_value(p, L=1, mu=0.1, gamma=2 / 1.1):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = p.point("x0")
    g = f.gradient(x)
    p.assume(f(x) - f(best) <= 1)
    p.assume_equal(g**2, 2 * L * (2 - L * gamma) * (f(x) - f(best)))
    p.maximise(f(x - gamma * g) - f(best))
    return (gamma * L - 1) * (L * gamma * (3 - gamma * (L + mu)) - 1)


# -- composite convex minimisation -----------------------------------------------------------------

BOTH = "composite_convex_minimization"


@example(BOTH, UPPER)
def accelerated_douglas_rachford_splitting(p, mu=0.1, L=1, alpha=0.9, n=2):
    f, h = p.function(Convex()), p.function(SmoothStronglyConvex(mu, L))
    best = (f + h).minimiser()
    u = w = start(p, best + alpha * h.gradient(best))
    theta = (1 - alpha * L) / (1 + alpha * L)
    for i in range(n):
        x = prox(h, u, alpha).x
        end = prox(f, 2 * x - u, alpha)
        before, w = w, u + theta * (end.x - x)
        u = w + (i - 1) / (i + 2) * (w - before) if i else w
    p.maximise(h(end.x) + end.f - (f + h)(best))
    return 2 / (alpha * theta * (n + 3) ** 2)


@example(BOTH, UPPER)
def accelerated_proximal_gradient(p, L=1, mu=0, n=4):
    f, h = p.function(SmoothStronglyConvex(mu, L)), p.function(Convex())
    best = (f + h).minimiser()
    x = y = start(p, best)
    lam = 1.0
    for _ in range(n):
        old, lam, before = lam, (1 + sqrt(4 * lam**2 + 1)) / 2, x
        x = prox(h, y - f.gradient(y) / L, 1 / L).x
        y = x + (old - 1) / lam * (x - before)
    p.maximise((f + h)(x) - (f + h)(best))
    return L / (2 * old**2)


@example(BOTH, TIGHT)
def accelerated_proximal_gradient_simplified(p, L=1, mu=0, n=4):
    f, h = p.function(SmoothStronglyConvex(mu, L)), p.function(Convex())
    best = (f + h).minimiser()
    x = y = start(p, best)
    for i in range(n):
        before, x = x, prox(h, y - f.gradient(y) / L, 1 / L).x
        y = x + i / (i + 3) * (x - before)
    p.maximise((f + h)(x) - (f + h)(best))
    return 2 * L / (n**2 + 5 * n + 2)


@example(BOTH, TIGHT)
def bregman_proximal_point(p, gamma=3, n=5):
    f, h = p.function(Convex()), p.function(Convex())
    best = f.minimiser()
    x = p.point("x0")
    slope = h.gradient(x)
    p.assume(h(best) - h(x) - slope @ (best - x) <= 1)
    for _ in range(n):
        end = bregman_proximal_step(slope, h, f, gamma)
        slope = end.g
    p.maximise(end.f - f(best))
    return 1 / (gamma * n)


@example(BOTH, VALUE)
def douglas_rachford_splitting(p, L=1, alpha=1, theta=1, n=9):
    f, h = p.function(Convex()), p.function(SmoothConvex(L))
    best = (f + h).minimiser()
    w = p.point("x0")
    for i in range(n):
        x = prox(h, w, alpha).x
        if i == 0:
            p.assume((x - best) ** 2 <= 1)
        end = prox(f, 2 * x - w, alpha)
        w = w + theta * (end.x - x)
    p.maximise(h(end.x) + end.f - (f + h)(best))
    return 0.0277917  # PESTO's table has 0.0278


@example(BOTH, TIGHT)
def douglas_rachford_splitting_contraction(p, mu=0.1, L=1, alpha=3, theta=1, n=2):
    f, h = p.function(SmoothStronglyConvex(mu, L)), p.function(Convex())
    w = [p.point("w"), p.point("v")]
    p.assume((w[0] - w[1]) ** 2 <= 1)
    for k in (0, 1):
        for _ in range(n):
            x = prox(h, w[k], alpha).x
            w[k] = w[k] + theta * (prox(f, 2 * x - w[k], alpha).x - x)
    p.maximise((w[0] - w[1]) ** 2)
    return max(1 / (1 + mu * alpha), alpha * L / (1 + alpha * L)) ** (2 * n)


def frank_wolfe_steps(p, L, D, n):
    f, h = p.function(SmoothConvex(L)), p.function(Indicator(D))
    best = (f + h).minimiser()
    x = p.point("x0")
    h.gradient(x)
    for i in range(n):
        y = linear_minimiser(f.gradient(x), h)
        x = (1 - 2 / (i + 2)) * x + 2 / (i + 2) * y
    p.maximise((f + h)(x) - (f + h)(best))
    return 2 * L * D**2 / (n + 2)


@example(BOTH, UPPER)
def frank_wolfe(p, L=1, D=1, R=float("inf"), center=None, n=10):
    return frank_wolfe_steps(p, L, D, n)


@example(BOTH, UPPER)
def improved_interior_algorithm(p, L=1, mu=1, c=1, lam=1, n=5):
    f, h = p.function(SmoothConvex(L)), p.function(StronglyConvex(mu), differentiable=True)
    inside = p.function(Indicator())
    best = (f + inside).minimiser()
    x = z = p.point("x0")
    slope, ck = h.gradient(x), c
    p.assume((h(best) - h(x) - slope @ (best - x)) * c + f(x) - (f + inside)(best) <= 1)
    for _ in range(n):
        alpha = (sqrt((ck * lam) ** 2 + 4 * ck * lam) - lam * ck) / 2
        ck = (1 - alpha) * ck
        gradient = f.gradient(x + alpha * (z - x))
        z = bregman_step(gradient, slope, h + inside, alpha / ck)
        slope = h.gradient(z)
        x = x + alpha * (z - x)
    p.maximise((f + inside)(x) - (f + inside)(best))
    return 4 * L / (c * (n + 1) ** 2)


def no_lips(p, L, gamma, n):
    """Mirror steps on f with h = (d + f)/L: gaps f - f*, distances between steps."""
    d = p.function(Convex(), differentiable=True)
    f = p.function(Convex(), differentiable=True)
    h, inside = (d + f) / L, p.function(Indicator())
    best = (f + inside).minimiser()
    x, distances = p.point("x0"), []
    p.assume(h(best) - h(x) - h.gradient(x) @ (best - x) <= 1)
    for _ in range(n):
        before, x = x, bregman_step(f.gradient(x), h.gradient(x), inside + h, gamma)
        distances.append(h(before) - h(x) - h.gradient(x) @ (before - x))
    return f(x) - f(best), distances


@example(BOTH, UPPER)
def no_lips_in_bregman_divergence(p, L=1, gamma=1, n=10):
    p.maximise(*no_lips(p, L, gamma, n)[1])
    return 2 / (n * (n - 1))


@example(BOTH, TIGHT)
def no_lips_in_function_value(p, L=1, gamma=0.5, n=3):
    p.maximise(no_lips(p, L, gamma, n)[0])
    return 1 / (gamma * n)


def forward_backward(p, kind, gamma, n):
    f, h = p.function(kind), p.function(Convex())
    best = (f + h).minimiser()
    x = start(p, best)
    for _ in range(n):
        x = prox(h, x - gamma * f.gradient(x), gamma).x
    p.maximise((x - best) ** 2)


@example(BOTH, TIGHT)
def proximal_gradient(p, L=1, mu=0.1, gamma=1, n=2):
    forward_backward(p, SmoothStronglyConvex(mu, L), gamma, n)
    return max((1 - mu * gamma) ** 2, (1 - L * gamma) ** 2) ** n


@example(BOTH, TIGHT)
def proximal_gradient_quadratics(p, L=1, mu=0.1, gamma=1, n=2):
    forward_backward(p, Quadratics(mu, L), gamma, n)
    return max((1 - mu * gamma) ** 2, (1 - L * gamma) ** 2) ** n


@example(BOTH, VALUE)
def three_operator_splitting(p, mu1=0.1, L1=10, L3=1, alpha=1, theta=1, n=4):
    f, h = p.function(SmoothStronglyConvex(mu1, L1)), p.function(Convex())
    g = p.function(SmoothConvex(L3))
    w = [p.point("w"), p.point("v")]
    p.assume((w[0] - w[1]) ** 2 <= 1)
    for k in (0, 1):
        for _ in range(n):
            x = prox(h, w[k], alpha).x
            y = prox(f, 2 * x - w[k] - alpha * g.gradient(x), alpha).x
            w[k] = w[k] + theta * (y - x)
    p.maximise((w[0] - w[1]) ** 2)
    return 0.4754523


# -- continuous-time models ------------------------------------------------------------------------

FLOWS = "continuous_time_models"


@example(FLOWS, TIGHT)
def accelerated_gradient_flow_convex(p, t=3.4):
    f = p.function(Convex())
    best, x, v = f.minimiser(), p.point("x"), p.point("v")
    met = f.oracle(x)
    turn = -(3 / t) * v - met.g
    mixed = x - best + t / 2 * v
    gap = met.f - f(best)
    p.maximise(2 * t * gap + t**2 * v @ met.g + 4 * (mixed @ (1.5 * v + t / 2 * turn)))
    return 0.0


@example(FLOWS, TIGHT)
def accelerated_gradient_flow_strongly_convex(p, mu=0.1, psd=True):
    f = p.function(StronglyConvex(mu))
    best, x, v, root = f.minimiser(), p.point("x"), p.point("v"), sqrt(mu)
    met, d = f.oracle(x), x - best
    turn = -2 * root * v - met.g
    p.assume_equal(met.f - f(best) + (root * d + v) ** 2 / 2, 1)
    p.maximise(met.g @ v + (root * d + v) @ (root * v + turn))
    return -root


@example(FLOWS, TIGHT)
def gradient_flow_convex(p, t=2.5):
    f = p.function(Convex())
    best, x = f.minimiser(), p.point("x")
    met = f.oracle(x)
    p.maximise(met.f - f(best) - t * met.g**2 - (x - best) @ met.g)
    return 0.0


@example(FLOWS, TIGHT)
def gradient_flow_strongly_convex(p, mu=0.1):
    f = p.function(StronglyConvex(mu))
    best, x = f.minimiser(), p.point("x")
    met = f.oracle(x)
    p.assume_equal(met.f - f(best), 1)
    p.maximise(-(met.g**2))
    return -2 * mu


# -- fixed points ----------------------------------------------------------------------------------

FIXED = "fixed_point_problems"


def halpern(p, n):
    A = p.function(LipschitzOperator(1))
    best = A.fixed_point()
    x = first = start(p, best)
    for i in range(n):
        x = first / (i + 2) + (1 - 1 / (i + 2)) * A.gradient(x)
    p.maximise((x - A.gradient(x)) ** 2)
    return (2 / (n + 1)) ** 2


@example(FIXED, TIGHT)
def halpern_iteration(p, n=25):
    return halpern(p, n)


@example(FIXED, UPPER)
def inconsistent_halpern_iteration(p, n=25):
    best, image = p.point("x*"), p.point("T x*")
    A = p.function(NonexpansiveOperator(best - image))
    A.add(best, image)
    x = first = start(p, best)
    for i in range(n):
        x = first / (i + 2) + (1 - 1 / (i + 2)) * A.gradient(x)
    p.maximise((x - A.gradient(x) - (best - image)) ** 2)
    return ((sqrt(sum(1 / k for k in range(1, n + 1)) + 12) + 1) / (n + 1)) ** 2


@example(FIXED, TIGHT)
def krasnoselskii_mann_constant_step_sizes(p, n=3, gamma=0.75):
    A = p.function(LipschitzOperator(1))
    x = start(p, A.fixed_point())
    for _ in range(n):
        x = (1 - gamma) * x + gamma * A.gradient(x)
    p.maximise(((x - A.gradient(x)) / 2) ** 2)
    return 1 / (n + 1) * (n / (n + 1)) ** n / (4 * gamma * (1 - gamma))


@example(FIXED, VALUE)
def krasnoselskii_mann_increasing_step_sizes(p, n=3):
    A = p.function(LipschitzOperator(1))
    x = start(p, A.fixed_point())
    for i in range(n):
        x = x / (i + 2) + (1 - 1 / (i + 2)) * A.gradient(x)
    p.maximise(((x - A.gradient(x)) / 2) ** 2)
    return 0.1196337


@example(FIXED, TIGHT)
def optimal_contractive_halpern_iteration(p, n=10, gamma=1.1):
    A = p.function(LipschitzOperator(1 / gamma))
    x = first = start(p, A.fixed_point())
    for i in range(n):
        phi = (gamma ** (2 * i + 4) - 1) / (gamma**2 - 1)
        x = A.gradient(x) + (first - A.gradient(x)) / phi
    p.maximise((x - A.gradient(x)) ** 2)
    return (1 + 1 / gamma) ** 2 * ((gamma - 1) / (gamma ** (n + 1) - 1)) ** 2


# -- inexact proximal methods ----------------------------------------------------------------------

INEXACT = "inexact_proximal_methods"


@example(INEXACT, UPPER)
def accelerated_inexact_forward_backward(p, L=1.3, zeta=0.45, n=11):
    f, h = p.function(SmoothConvex(L)), p.function(Convex())
    best = (f + h).minimiser()
    x = z = start(p, best)
    gamma, A = 1 / L, [0.0]
    eta = (1 - zeta**2) * gamma
    for i in range(n):
        A.append(A[i] + (eta + sqrt(eta**2 + 4 * eta * A[i])) / 2)
        g = f.gradient(y := x + (1 - A[i] / A[i + 1]) * (z - x))
        end = inexact_prox(h, y - gamma * g, gamma, gap=True)
        p.assume(end.error <= (zeta * gamma) ** 2 / 2 * (end.dual + g) ** 2)
        x, z = end.x, z - (A[i + 1] - A[i]) * (end.dual + g)
    p.maximise(f(x) + end.f - (f + h)(best))
    return 2 * L / (1 - zeta**2) / n**2


@example(INEXACT, TIGHT)
def partially_inexact_douglas_rachford_splitting(p, mu=0.1, L=5, n=5, gamma=1.4, sigma=0.2):
    f, h = p.function(SmoothStronglyConvex(mu, L)), p.function(Convex())
    best = (f + h).minimiser()
    goal = best + gamma * f.gradient(best)
    z = start(p, goal)
    for _ in range(n):
        end = inexact_prox(f, z, gamma, gap=False)
        y = prox(h, end.x - gamma * end.g, gamma).x
        p.assume(end.error <= sigma**2 / 2 * (y - z + gamma * end.g) ** 2)
        z = z + y - end.x
    p.maximise((z - goal) ** 2)
    low = (1 - sigma + gamma * mu * sigma) / (1 - sigma + gamma * mu)
    return max(low, (sigma + (1 - sigma) * gamma * L) / (1 + (1 - sigma) * gamma * L)) ** (2 * n)


@example(INEXACT, UPPER)
def relatively_inexact_proximal_point_algorithm(p, n=8, gamma=10, sigma=0.65):
    f = p.function(Convex())
    best = f.minimiser()
    x = start(p, best)
    for _ in range(n):
        end = inexact_prox(f, x, gamma, gap=False)
        p.assume(end.error <= sigma**2 / 2 * (end.x - x) ** 2)
        x = end.x
    p.maximise(f(x) - f(best))
    return (1 + sigma) / (4 * gamma * n ** sqrt(1 - sigma**2))


# -- low-dimensional worst cases -------------------------------------------------------------------

LOW = "low_dimensional_worst_cases_scenarios"


def two_sets(p):
    one, two = p.function(Indicator()), p.function(Indicator())
    return one, two, start(p, (one + two).minimiser())


@example(LOW, VALUE)
def alternate_projections(p, n=10):
    one, two, x = two_sets(p)
    for _ in range(n):
        x = project(two, project(one, x))
    p.maximise((x - project(one, x)) ** 2)
    return 0.0188677


@example(LOW, VALUE)
def averaged_projections(p, n=10):
    one, two, x = two_sets(p)
    for _ in range(n):
        x = (project(one, x) + project(two, x)) / 2
    p.maximise((project(two, x) - project(one, x)) ** 2)
    return 0.0684489


@example(LOW, VALUE)
def dykstra(p, n=10):
    one, two, x = two_sets(p)
    a = b = 0 * x
    for _ in range(n):
        y = project(one, x + a)
        a = x + a - y
        x, b = (z := project(two, y + b)), y + b - z
    p.maximise((x - project(one, x)) ** 2)
    return 0.0257564


@example(LOW, UPPER, "frank_wolfe")
def low_frank_wolfe(p, L=1, D=1, n=10):
    return frank_wolfe_steps(p, L, D, n)


def smooth_descent(p, L, gamma, n):
    f = p.function(Smooth(L))
    x = first = p.point("x0")
    for _ in range(n):
        p.maximise(f.gradient(x) ** 2)
        x = x - gamma * f.gradient(x)
    p.maximise(f.gradient(x) ** 2)
    p.assume(f(first) - f(x) <= 1)
    return 4 / 3 * L / n


@example(LOW, UPPER, "gradient_descent")
def low_gradient_descent(p, L=1, gamma=1, n=5):
    return smooth_descent(p, L, gamma, n)


@example(LOW, TIGHT, "halpern_iteration")
def low_halpern_iteration(p, n=10):
    return halpern(p, n)


@example(LOW, TIGHT, "inexact_gradient")
def low_inexact_gradient(p, L=1, mu=0.1, epsilon=0.1, n=6):
    return inexact_gradient_descent(p, L, mu, epsilon, n)


@example(LOW, TIGHT, "optimized_gradient")
def low_optimized_gradient(p, L=3, n=4):
    return EXAMPLES[f"{FREE}.optimized_gradient"].build(p, L, n)


def resolvents(p, alpha, n):
    A = p.function(MonotoneOperator())
    x = start(p, A.minimiser())
    for _ in range(n):
        before, x = x, prox(A, x, alpha).x
    p.maximise((x - before) ** 2)
    return (1 - 1 / n) ** (n - 1) / n


@example(LOW, TIGHT, "proximal_point")
def low_proximal_point(p, alpha=2.2, n=11):
    return resolvents(p, alpha, n)


# -- monotone inclusions and variational inequalities ----------------------------------------------

INCLUSIONS = "monotone_inclusions_variational_inequalities"


@example(INCLUSIONS, TIGHT, "accelerated_proximal_point")
def accelerated_resolvents(p, alpha=2, n=10):
    A = p.function(MonotoneOperator())
    x = y = last = start(p, A.minimiser())
    for i in range(n):
        before, x = x, prox(A, y, alpha).x
        shift = i / (i + 2)
        y, last = x + shift * (x - before) - shift * (before - last), y
    p.maximise((x - last) ** 2)
    return 1 / n**2


def splitting(p, A, B, alpha, theta):
    w, after = [p.point("w"), p.point("v")], []
    p.assume((w[0] - w[1]) ** 2 <= 1)
    for one in w:
        x = prox(B, one, alpha).x
        after.append(one - theta * (x - prox(A, 2 * x - one, alpha).x))
    p.maximise((after[0] - after[1]) ** 2)


@example(INCLUSIONS, TIGHT, "douglas_rachford_splitting")
def lipschitz_splitting(p, L=1, mu=0.1, alpha=1.3, theta=0.9):
    A = p.function(LipschitzStronglyMonotoneOperator(0, L))
    splitting(p, A, p.function(StronglyMonotoneOperator(mu)), alpha, theta)
    m, b, t = alpha * mu, alpha * L, theta
    first, second = 2 * (t - 1) * m + t - 2, t - 2 * (m + 1)
    c = sqrt((first**2 + b**2 * second**2) / (b**2 + 1))
    assert t * (t + c) / (m + 1) ** 2 / c * (c + m * (first - b**2 * second) / (b**2 + 1)) >= 0
    return ((t + c) / 2 / (m + 1)) ** 2  # the first case of the theorem


@example(INCLUSIONS, TIGHT)
def douglas_rachford_splitting_2(p, beta=1.2, mu=0.1, alpha=0.3, theta=1.5):
    splitting(
        p,
        p.function(CocoerciveOperator(beta)),
        p.function(StronglyMonotoneOperator(mu)),
        alpha,
        theta,
    )
    m, b, t = alpha * mu, alpha * beta, theta
    assert t <= 2 * (m + 1) * (b - m - m * b) / (b + m * b - m - m**2 - 2 * m**2 * b)
    return (1 - t * m / (m + 1)) ** 2  # the fourth case of the theorem


@example(INCLUSIONS, TIGHT)
def optimal_strongly_monotone_proximal_point(p, n=10, mu=0.05):
    A = p.function(StronglyMonotoneOperator(mu))
    x = y = last = start(p, A.minimiser())
    phi = [((1 + 2 * mu) ** (2 * i) - 1) / ((1 + 2 * mu) ** 2 - 1) for i in range(n + 2)]
    for i in range(n):
        before, x = x, prox(A, y, 1).x
        old, now, new = phi[i : i + 3]
        first, second = (now - 1) / new, 2 * mu * now / new
        third = (1 + 2 * mu) * old / new
        y, last = x + first * (x - before) - second * (y - x) + third * (last - before), y
    p.maximise((last - x) ** 2)
    return (2 * mu / ((1 + 2 * mu) ** n - 1)) ** 2


def optimistic(p, kind, gamma, n):
    inside, A = p.function(Indicator()), p.function(kind)
    best = (A + inside).minimiser()
    x = tilde = project(inside, start(p, best))
    v = A.gradient(tilde)
    for _ in range(n):
        before, old = tilde, v
        tilde = project(inside, x - gamma * v)
        v = A.gradient(tilde)
        x = tilde + gamma * (old - v)
    p.maximise((tilde - before) ** 2)


@example(INCLUSIONS, VALUE)
def optimistic_gradient(p, n=5, gamma=1 / 4, L=1):
    optimistic(p, LipschitzStronglyMonotoneOperator(0, L), gamma, n)
    return 0.0663142


@example(INCLUSIONS, VALUE)
def optimistic_gradient_refined(p, n=1, gamma=1 / 4, L=1):
    optimistic(p, LipschitzStronglyMonotoneOperator(0, L, strong=True), gamma, n)
    return 1.0625


@example(INCLUSIONS, VALUE)
def optimistic_gradient_refined_cocoercive(p, n=1, gamma=1 / 4, beta=1 / 4):
    optimistic(p, CocoerciveStronglyMonotoneOperator(0, beta, strong=True), gamma, n)
    return 1.3333333


@example(INCLUSIONS, VALUE)
def past_extragradient(p, n=5, gamma=1 / 4, L=1):
    inside, A = p.function(Indicator()), p.function(LipschitzStronglyMonotoneOperator(0, L))
    best = (A + inside).minimiser()
    x = project(inside, start(p, best))
    v = A.gradient(x)
    for _ in range(n):
        v = A.gradient(project(inside, x - gamma * v))
        before, x = x, project(inside, x - gamma * v)
    p.maximise((x - before) ** 2)
    return 0.0602664


@example(INCLUSIONS, TIGHT, "proximal_point")
def resolvent(p, alpha=2, n=10):
    return resolvents(p, alpha, n)


@example(INCLUSIONS, VALUE, "three_operator_splitting")
def three_operators(p, L=1, mu=0.1, beta=1, alpha=0.9, theta=1.3):
    A, B = p.function(MonotoneOperator()), p.function(CocoerciveOperator(beta))
    C = p.function(SmoothStronglyConvex(mu, L))
    w, after = [p.point("w"), p.point("v")], []
    p.assume((w[0] - w[1]) ** 2 <= 1)
    for one in w:
        x = prox(B, one, alpha).x
        y = prox(A, 2 * x - one - alpha * C.gradient(x), alpha).x
        after.append(one - theta * (x - y))
    p.maximise((after[0] - after[1]) ** 2)
    return 0.779689


# -- non-convex optimisation -----------------------------------------------------------------------

WILD = "nonconvex_optimization"


@example(WILD, TIGHT)
def difference_of_convex_algorithm(p, mu1=0.15, mu2=0.1, L1=2.0, L2=5.0, n=5, alpha=0):
    f, h = p.function(SmoothStronglyConvex(mu1, L1)), p.function(SmoothStronglyConvex(mu2, L2))
    F = f - h
    best = F.stationary_point()
    x = p.point("x0")
    p.assume(F(x) - F(best) <= 1)
    for i in range(n + 1):
        p.maximise(F.gradient(x) ** 2)
        p.assume(F(best) <= F(x) - F.gradient(x) ** 2 / (2 * (L1 - mu2)))
        if i < n:
            x = (1 + alpha) * shifted_minimiser(h.gradient(x), f) - alpha * x
    top, bottom = L1 * L2 - mu2 * L1, L1 + L2 + mu2 * (L2 / L1 - 3)  # L2 > L1
    return 2 * top / (bottom * n + top / (L1 - mu2))


@example(WILD, UPPER, "gradient_descent")
def wild_gradient_descent(p, L=1, gamma=1, n=5):
    return smooth_descent(p, L, gamma, n)


def steep_descent(p, kind, gamma, n):
    f = p.function(kind)
    best = f.minimiser()
    x = p.point("x0")
    p.assume(f(x) - f(best) <= 1)
    for _ in range(n):
        x = x - gamma * f.gradient(x)
    p.maximise(f(x) - f(best))
    m, s = kind.mu, gamma * kind.L  # the second case of the theorem, 1 <= s <= sqrt 3
    return (((s - 2) * (-s - 2) * m * gamma) / (-m * gamma - 2) + 1) ** n


@example(WILD, UPPER)
def gradient_descent_quadratic_lojasiewicz_expensive(p, L=1, mu=0.2, gamma=1, n=1):
    return steep_descent(p, SmoothLojasiewicz(L, mu, strong=True), gamma, n)


@example(WILD, UPPER)
def gradient_descent_quadratic_lojasiewicz_intermediate(p, L=1, mu=0.2, gamma=1, n=1, alpha=2 / 11):
    return steep_descent(p, SmoothLojasiewicz(L, mu, alpha), gamma, n)


@example(WILD, UPPER)
def gradient_descent_quadratic_lojasiewicz_naive(p, L=1, mu=0.2, gamma=1, n=1):
    return steep_descent(p, SmoothLojasiewicz(L, mu), gamma, n)


def wild_no_lips(p, L, gamma, n):
    one = p.function(Convex(), differentiable=True)
    two = p.function(Convex(), differentiable=True)
    f, h, inside = (two - one) / 2, (one + two) / (2 * L), p.function(Indicator())
    x = first = p.point("x0")
    (f + inside).gradient(x)
    ends = [x]
    for _ in range(n):
        x = bregman_step(f.gradient(x), h.gradient(x), inside + h, gamma)
        ends.append(x)
    p.assume((f + inside)(first) - (f + inside)(x) <= 1)
    return h, list(pairwise(ends))


@example(WILD, TIGHT)
def no_lips_1(p, L=1, gamma=0.5, n=5):
    h, steps = wild_no_lips(p, L, gamma, n)
    p.maximise(*(h(y) - h(x) - h.gradient(x) @ (y - x) for x, y in steps))
    return gamma / (n * (1 - L * gamma))


@example(WILD, TIGHT)
def no_lips_2(p, L=1, gamma=1, n=3):
    h, steps = wild_no_lips(p, L, gamma, n)
    p.maximise(*(h(x) - h(y) - h.gradient(y) @ (x - y) for x, y in steps))
    return gamma / n


# -- online learning -------------------------------------------------------------------------------

ONLINE = "online_learning"


def online(p, M, D, n, step):
    """Regret against a point of the set of losses that are met in turn."""
    losses, inside = [p.function(ConvexLipschitz(M)) for _ in range(n)], p.function(Indicator(D))
    rival, x = (project(inside, p.point(name)) for name in ("u", "x"))
    first, regret, met = x, p.number("zero") * 0, []
    for f in losses:
        one = f.oracle(x)
        regret = regret + one.f - f(rival)
        met.append(one)
        x = step(first, x, met, losses[: len(met)], inside)
    p.maximise(regret)


@example(ONLINE, VALUE)
def online_follow_leader(p, M=1, D=0.5, n=2):
    def leader(first, x, met, losses, inside):
        return sum(losses, inside).minimiser() if len(met) < n else x

    online(p, M, D, n, leader)
    return 0.9330127


@example(ONLINE, UPPER)
def online_follow_regularized_leader(p, M=1, D=0.5, n=2):
    def leader(first, x, met, losses, inside):
        return prox(sum(losses, inside), first, D / (M * sqrt(n))).x if len(met) < n else x

    online(p, M, D, n, leader)
    return M * D * sqrt(n)


@example(ONLINE, UPPER)
def online_frank_wolfe(p, M=1, D=0.5, n=2):
    eta, sigma = D / (2 * M) * (3 / n) ** (3 / 4), min(1, sqrt(3 / n))

    def step(first, x, met, losses, inside):
        direction = x - first + eta * sum((one.g for one in met), 0 * x)
        return (1 - sigma) * x + sigma * linear_minimiser(direction, inside)

    online(p, M, D, n, step)
    return 4 / 3 ** (3 / 4) * M * D * n ** (3 / 4)


@example(ONLINE, UPPER)
def online_gradient_descent(p, M=1, D=0.5, n=2):
    gamma = D / (M * sqrt(n))

    def step(first, x, met, losses, inside):
        return project(inside, x - gamma * met[-1].g)

    online(p, M, D, n, step)
    return M * D * sqrt(n)


# -- potential functions ---------------------------------------------------------------------------

POTENTIALS = "potential_functions"


@example(POTENTIALS, TIGHT)
def accelerated_gradient_method(p, L=1, gamma=1, lam=10.0):
    f = p.function(SmoothConvex(L))
    best, x, z = f.minimiser(), p.point("x"), p.point("z")
    new = (1 + sqrt(4 * lam**2 + 1)) / 2
    y = x + (z - x) / new
    before = lam**2 * (f(x) - f(best)) + L / 2 * (z - best) ** 2
    z = z - (new**2 - lam**2) / L * f.gradient(y)
    x = y - gamma * f.gradient(y)
    p.maximise(new**2 * (f(x) - f(best)) + L / 2 * (z - best) ** 2 - before)
    return 0.0


@example(POTENTIALS, TIGHT)
def gradient_descent_lyapunov_1(p, L=1, gamma=1, n=10):
    f = p.function(SmoothConvex(L))
    best, x = f.minimiser(), p.point("x")
    after = x - gamma * f.gradient(x)
    before = n * (f(x) - f(best)) + L / 2 * (x - best) ** 2
    p.maximise((n + 1) * (f(after) - f(best)) + L / 2 * (after - best) ** 2 - before)
    return 0.0


@example(POTENTIALS, TIGHT)
def gradient_descent_lyapunov_2(p, L=1, gamma=1, n=10):
    f = p.function(SmoothConvex(L))
    best, x, values = f.minimiser(), p.point("x"), []
    for k in (n, n + 1):
        g, gap = f.gradient(x), f(x) - f(best)
        values.append((2 * k + 1) * L * gap + k * (k + 2) * g**2 + L**2 * (x - best) ** 2)
        x = x - gamma * g
    p.maximise(values[1] - values[0])
    return 0.0


# -- stochastic and randomised methods -------------------------------------------------------------

CHANCE = "stochastic_and_randomized_convex_minimization"


def mean(parts, zero):
    return sum(parts, zero) / len(parts)


@example(CHANCE, UPPER)
def point_saga(p, L=1, mu=0.01, n=10):
    losses = [p.function(SmoothStronglyConvex(mu, L)) for _ in range(n)]
    best = (sum(losses[1:], losses[0]) / n).minimiser()
    memory, x = [p.point("phi") for _ in range(n)], p.point("x0")
    gamma = sqrt((n - 1) ** 2 + 4 * n * L / mu) / 2 / L / n - (1 - 1 / n) / 2 / L
    zero, c = 0 * x**2, 1 / (mu * L)
    gaps = [(f.gradient(best) - g) ** 2 for f, g in zip(losses, memory, strict=True)]
    p.assume((best - x) ** 2 + c * mean(gaps, zero) <= 1)
    after = zero
    for i, f in enumerate(losses):
        end = prox(f, x + gamma * memory[i] - gamma * mean(memory, 0 * x), gamma)
        new = [*gaps[:i], (f.gradient(best) - end.g) ** 2, *gaps[i + 1 :]]
        after = after + ((best - end.x) ** 2 + c * mean(new, zero)) / n
    p.maximise(after)
    return 1 - mu * gamma / (1 + mu * gamma)


@example(CHANCE, TIGHT)
def randomized_coordinate_descent_smooth_convex(p, L=1, gamma=1, d=2, t=4):
    f = p.function(SmoothConvex(L))
    best, x = f.minimiser(), p.point("x")

    def potential(k, x):
        return (k * gamma * L / d + 1) * (f(x) - f(best)) + L / 2 * (x - best) ** 2

    p.assume(potential(t - 1, x) <= 1)
    ends = [x - gamma * f.gradient(x).block(i) for i in range(d)]
    p.maximise(mean([potential(t, y) for y in ends], 0 * x**2))
    return 1.0


@example(CHANCE, TIGHT)
def randomized_coordinate_descent_smooth_strongly_convex(p, L=1, mu=0.1, gamma=2 / 1.1, d=2):
    f = p.function(SmoothStronglyConvex(mu, L))
    best = f.minimiser()
    x = start(p, best)
    ends = [x - gamma * f.gradient(x).block(i) for i in range(d)]
    p.maximise(mean([(y - best) ** 2 for y in ends], 0 * x**2))
    return max((mu * gamma - 1) ** 2 + d - 1, (L * gamma - 1) ** 2 + d - 1) / d


@example(CHANCE, UPPER)
def saga(p, L=1, mu=0.1, n=5):
    h, losses = p.function(Convex()), [p.function(SmoothStronglyConvex(mu, L)) for _ in range(n)]
    best = (h + sum(losses[1:], losses[0]) / n).minimiser()
    memory, x = [p.point("phi") for _ in range(n)], p.point("x0")
    gamma = 1 / 2 / (mu * n + L)
    c, zero = 1 / 2 / gamma / (1 - mu * gamma) / n, 0 * x**2
    gap = lambda f, y: f(y) - f(best) - f.gradient(best) @ (y - best)  # noqa: E731
    gaps = [gap(f, y) for f, y in zip(losses, memory, strict=True)]
    slopes = [f.gradient(y) for f, y in zip(losses, memory, strict=True)]
    p.assume(c * (best - x) ** 2 + mean(gaps, zero) <= 1)
    after = zero
    for i, f in enumerate(losses):
        move = f.gradient(x) - slopes[i] + mean(slopes, 0 * x)
        new = [*gaps[:i], gap(f, x), *gaps[i + 1 :]]
        after = after + (c * (prox(h, x - gamma * move, gamma).x - best) ** 2 + mean(new, zero)) / n
    p.maximise(after)
    return 1 - gamma * mu


def stochastic_gradient(p, L, mu, gamma, v, R, n):
    losses = [p.function(SmoothStronglyConvex(mu, L)) for _ in range(n)]
    best, x = (sum(losses[1:], losses[0]) / n).minimiser(), p.point("x0")
    zero = 0 * x**2
    p.assume(mean([f.gradient(best) ** 2 for f in losses], zero) <= v**2)
    p.assume((x - best) ** 2 <= R**2)
    p.maximise(mean([(x - gamma * f.gradient(x) - best) ** 2 for f in losses], zero))


@example(CHANCE, TIGHT)
def sgd(p, L=1, mu=0.1, gamma=0.7, v=1, R=2, n=5):
    stochastic_gradient(p, L, mu, gamma, v, R, n)
    spread = R**2 * (L + mu) ** 2 / 4 * (gamma - 2 / (L + mu)) ** 2 + v**2 * gamma**2
    return (gamma * R * (L - mu) / 2 + sqrt(spread)) ** 2


@example(CHANCE, TIGHT)
def sgd_overparametrized(p, L=1, mu=0.1, gamma=2.3, n=5):
    stochastic_gradient(p, L, mu, gamma, 0, 1, n)
    return max(1 - gamma * mu, L * gamma - 1) ** 2


# -- tutorial --------------------------------------------------------------------------------------


@example("tutorials", TIGHT)
def gradient_descent_contraction(p, L=1, mu=0.1, gamma=1, n=1):
    f = p.function(SmoothStronglyConvex(mu, L))
    x, y = p.point("x"), p.point("y")
    p.assume((x - y) ** 2 <= 1)
    for _ in range(n):
        x, y = x - gamma * f.gradient(x), y - gamma * f.gradient(y)
    p.maximise((x - y) ** 2)
    return max((1 - gamma * L) ** 2, (1 - gamma * mu) ** 2) ** n
