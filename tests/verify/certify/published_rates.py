"""Exact worst-case rates of first-order methods, as published, each a claim about a class.

They are the closed formulas that PEPit's examples quote as tight; ``factor`` shrinks the right
side, so that anything clearly below one is a false claim.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from bounds import generic as xp
from verify.claim import Family, Hypothesis, Real, Statement, statement
from verify.claim.functions import functions
from verify.world.visited import Step, Visited, visited, walked
from verify.world.world import World, once

Value = Callable[[World], Any]
SHARE = {"share": Real(1 / 16, 31 / 16, domain=(0, 2))}
"""Step size as a share of 1/L."""


@dataclass(frozen=True)
class Rate:
    """A published rate: what is bounded, by what, for which class and method."""

    source: str
    family: Family
    left: Value
    right: Value
    step: Value | None = None

    def claim(self, name: str, factor: Fraction = Fraction(1)) -> Statement:
        """The rate, its right side times a factor."""

        @statement(
            f"rates.{name}",
            where=self.source,
            latex=self.source,
            family=self.family,
            given=[Hypothesis("off optimum", r"x_0\ne x_*", lambda w: self.right(w), strict=True)],
            defines={} if self.step is None else {"step_size": self.step},
        )
        def made(w: World) -> Any:
            scale = w.array(factor.numerator) / w.array(factor.denominator)
            return {"left": self.left(w)}, {"right": scale * self.right(w)}

        return made


# -- what is measured ----------------------------------------------------------------------------


def distance(w: World, point: Any) -> Any:
    """|x - x*|^2."""
    return xp.squared_norm(point - w.problem.optimum[..., 0, :])


def excess(v: Visited, t: int) -> Any:
    return v.excess[:, :, t, 0]


def slope(v: Visited, t: int) -> Any:
    return xp.squared_norm(v.gradients[:, :, t, 0])


def last(w: World) -> int:
    return int(w.rounds)


def rho(w: World) -> Any:
    """max(1 - mu eta, L eta - 1)^2."""
    return xp.maximum(1 - w.mu * w.step_size, w.beta * w.step_size - 1) ** 2


def full_step(w: World) -> Any:
    return 1 / w.beta


def shared_step(w: World) -> Any:
    return w.share / w.beta


def start_distance(w: World) -> Any:
    return w.beta * distance(w, w.start)


def smallest_slope(w: World) -> Any:
    best = slope(visited(w), 0)
    for t in range(1, last(w) + 1):
        best = xp.minimum(best, slope(visited(w), t))
    return best


def power(x: Any, n: int) -> Any:
    return x**n


# -- methods written down in the claim -----------------------------------------------------------


def nesterov(w: World, points: list[Any], gradients: list[Any]) -> Any:
    """Gradients at y_0, y_1, ...; after the last one the point x_n itself.

    x_{i+1} = y_i - g(y_i)/L, y_{i+1} = x_{i+1} + i/(i+3) (x_{i+1} - x_i), x_0 = y_0.
    """
    steps = [y - g[..., 0, :] / w.beta[..., None] for y, g in zip(points, gradients, strict=True)]
    i = len(steps) - 1
    if i + 1 == last(w):
        return steps[-1]
    return steps[-1] + (steps[-1] - steps[-2]) * i / (i + 3) if i else steps[-1]


def thetas(w: World) -> list[Any]:
    """theta_0 = 1, then (1 + sqrt(1 + 4 theta^2))/2, the last (1 + sqrt(1 + 8 theta^2))/2."""
    found = [w.array([[1]])]
    for i in range(1, last(w) + 1):
        by = 8 if i == last(w) else 4
        found.append((1 + xp.sqrt(1 + by * found[-1] ** 2)) / 2)
    return found


def optimised(w: World, points: list[Any], gradients: list[Any]) -> Any:
    """y_{i+1} = x_i - g_i/L, x_{i+1} = y_{i+1} + (theta_i - 1)/theta_{i+1} (y_{i+1} - y_i)
    + theta_i/theta_{i+1} (y_{i+1} - x_i)."""
    steps = [x - g[..., 0, :] / w.beta[..., None] for x, g in zip(points, gradients, strict=True)]
    theta, i = thetas(w), len(steps) - 1
    before = steps[-2] if i else points[0]
    push = ((theta[i] - 1) / theta[i + 1])[..., None] * (steps[-1] - before)
    pull = (theta[i] / theta[i + 1])[..., None] * (steps[-1] - points[-1])
    return steps[-1] + push + pull


def backwards(w: World, points: list[Any], gradients: list[Any]) -> Any:
    """x_0 = x_1 + gamma g(x_1): the proximal step read from its end, which is ``start``."""
    return points[-1] + (w.share / w.beta)[..., None] * gradients[-1][..., 0, :]


@once
def proximal(w: World) -> Any:
    """Both ends of a proximal step, the last one first."""
    return walked(w, backwards, 1)


def momentum(share: Fraction) -> Step:
    """x_{i+1} = x_i - g_i/L + share (x_i - x_{i-1})."""

    def step(w: World, points: list[Any], gradients: list[Any]) -> Any:
        end = points[-1] - gradients[-1][..., 0, :] / w.beta[..., None]
        return end + w.array(share) * (points[-1] - points[-2]) if len(points) > 1 else end

    return step


# -- the table -----------------------------------------------------------------------------------

CONVEX, STRONG, SMOOTH = "smooth convex", "smooth strongly convex", "smooth"
PULL = {"share": Real(1, 4096, log=True)}
"""gamma L of a proximal step."""

RATES: dict[str, Rate] = {
    "gradient-1": Rate(
        "Drori and Teboulle 2014, Theorem 3.1, N = 1: L R^2 / (4 N + 2)",
        functions(CONVEX, rounds=1),
        lambda w: excess(visited(w), 1),
        lambda w: start_distance(w) / 6,
        full_step,
    ),
    "gradient-3": Rate(
        "Drori and Teboulle 2014, Theorem 3.1, N = 3: L R^2 / (4 N + 2)",
        functions(CONVEX, rounds=3),
        lambda w: excess(visited(w), 3),
        lambda w: start_distance(w) / 14,
        full_step,
    ),
    "gradient-any-step": Rate(
        "Taylor, Hendrickx and Glineur 2017, Conjecture 2, N = 2, step h/L: "
        "(L R^2 / 2) max(1/(2 N h + 1), (1 - h)^{2 N})",
        functions(CONVEX, rounds=2, extra=SHARE),
        lambda w: excess(visited(w), 2),
        lambda w: start_distance(w) / 2 * xp.maximum(1 / (4 * w.share + 1), power(1 - w.share, 4)),
        shared_step,
    ),
    "gradient-slope-distance": Rate(
        "Taylor, Hendrickx and Glineur 2017, Conjecture 3, N = 2: |g_N|^2 <= L^2 R^2 / (N + 1)^2",
        functions(CONVEX, rounds=2),
        lambda w: slope(visited(w), 2),
        lambda w: w.beta * start_distance(w) / 9,
        full_step,
    ),
    "gradient-slope-value": Rate(
        "Kim and Fessler 2021, Theorem 5.1, N = 2: |g_N|^2 <= 2 L (f_0 - f*) / (2 N + 1)",
        functions(CONVEX, rounds=2),
        lambda w: slope(visited(w), 2),
        lambda w: 2 * w.beta * excess(visited(w), 0) / 5,
        full_step,
    ),
    "strong-distance": Rate(
        "Taylor, Hendrickx and Glineur 2018, Theorem 3.1: |x_1 - x*|^2 <= rho^2 |x_0 - x*|^2",
        functions(STRONG, extra=SHARE),
        lambda w: distance(w, visited(w).points[:, :, 1]),
        lambda w: rho(w) * distance(w, w.start),
        shared_step,
    ),
    "strong-slope": Rate(
        "Taylor, Hendrickx and Glineur 2018, Theorem 3.2: |g_1|^2 <= rho^2 |g_0|^2",
        functions(STRONG, extra=SHARE),
        lambda w: slope(visited(w), 1),
        lambda w: rho(w) * slope(visited(w), 0),
        shared_step,
    ),
    "strong-value": Rate(
        "Taylor, Hendrickx and Glineur 2018, Theorem 3.3: f_1 - f* <= rho^2 (f_0 - f*)",
        functions(STRONG, extra=SHARE),
        lambda w: excess(visited(w), 1),
        lambda w: rho(w) * excess(visited(w), 0),
        shared_step,
    ),
    "smooth-decrease": Rate(
        "Abbaszadehpeivasti, de Klerk and Zamani 2022, N = 2: "
        "min |g_i|^2 <= 4 L (f_0 - f_N) / (3 N)",
        functions(SMOOTH, rounds=2),
        smallest_slope,
        lambda w: 4 * w.beta * (excess(visited(w), 0) - excess(visited(w), 2)) / 6,
        full_step,
    ),
    "smooth-value": Rate(
        "Abbaszadehpeivasti, de Klerk and Zamani 2022, Theorem 2, N = 2: "
        "min |g_i|^2 <= 4 L (f_0 - f*) / (3 N + 2)",
        functions(SMOOTH, rounds=2),
        smallest_slope,
        lambda w: 4 * w.beta * excess(visited(w), 0) / 8,
        full_step,
    ),
    "nesterov-3": Rate(
        "PEPit, accelerated gradient for convex functions, n = 3: 2 L R^2 / (n^2 + 5 n + 6)",
        functions(CONVEX, rounds=3),
        lambda w: excess(walked(w, nesterov), 3),
        lambda w: 2 * start_distance(w) / 30,
    ),
    "optimised-2": Rate(
        "Kim and Fessler 2016, Theorem 2, N = 2: L R^2 / (2 theta_N^2)",
        functions(CONVEX, rounds=2),
        lambda w: excess(walked(w, optimised), 2),
        lambda w: start_distance(w) / (2 * thetas(w)[-1] ** 2),
    ),
    "proximal-value": Rate(
        "Taylor, Hendrickx and Glineur 2017b, Theorem 4.1, N = 1: R^2 / (4 gamma)",
        functions(CONVEX, points=1, extra=PULL),
        lambda w: excess(proximal(w), 0),
        lambda w: distance(w, proximal(w).points[:, :, 1]) * w.beta / (4 * w.share),
    ),
    "proximal-distance": Rate(
        "Rockafellar 1976, strongly convex: |x_1 - x*|^2 <= |x_0 - x*|^2 / (1 + gamma mu)^2",
        functions(STRONG, points=1, extra={"share": Real(1 / 8, 8, log=True)}),
        lambda w: distance(w, w.start),
        lambda w: distance(w, proximal(w).points[:, :, 1]) / (1 + w.share * w.mu / w.beta) ** 2,
    ),
}

# -- worst cases that are no closed formula and need a plane -------------------------------------

QUARTER = {"convexity": Real(1 / 4, 1 / 4, per=("N",), domain=(0, 1))}
HARD: dict[str, Rate] = {
    "momentum-convex": Rate(
        "PEPit, heavy ball with shares 1/2 on smooth convex functions: f_3 - f* <= 0.11117 L R^2",
        functions(CONVEX, rounds=3, points=3, dimensions=2),
        lambda w: excess(walked(w, momentum(Fraction(1, 2))), 3),
        lambda w: w.array(Fraction(11117, 100_000)) * start_distance(w),
    ),
    "momentum-strong": Rate(
        "PEPit, heavy ball with shares 3/10, mu = L/4: |x_3 - x*|^2 <= 0.14917 R^2",
        functions(STRONG, rounds=3, points=3, dimensions=2, extra=QUARTER),
        lambda w: distance(w, walked(w, momentum(Fraction(3, 10))).points[:, :, 3]),
        lambda w: w.array(Fraction(14917, 100_000)) * distance(w, w.start),
    ),
}
NEAR: dict[str, dict[str, Any]] = {
    "momentum-convex": {
        "stride": [[[-0.14, 1.66], [-2.21, 1.29], [-2.12, -1.49]]],
        "rise": [[1.01, 0.08, 0.84]],
        "approach": [0.64, -3.86],
    },
    "momentum-strong": {
        "stride": [[[1.76, -2.98], [-3.06, -1.1], [-1.2, 2.41]]],
        "rise": [[0.0, 0.0, 0.74]],
        "approach": [-3.84, 4.0],
        "convexity": [0.25],
    },
}
"""Members of the families, at L = 1, that come within one per cent of the worst case."""
