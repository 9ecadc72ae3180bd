"""The published rates against PEPit: the largest left/right is one.

Each program has the right side of the claim at most 1 and asks for the largest left side, at L = 1.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from math import sqrt
from typing import Any

import pytest

from tests.verify.certify.certified_rates import READABLE, certified
from tests.verify.certify.published_rates import HARD, RATES

pep = pytest.importorskip("PEPit")

H, MU = 1.5, 0.25
"""A step size and a strong convexity."""
RHO = max(1 - MU * H, H - 1) ** 2

CONVEX, STRONG, SMOOTH = "smooth convex", "smooth strongly convex", "smooth"
CLASSES = {
    CONVEX: "SmoothConvexFunction",
    STRONG: "SmoothStronglyConvexFunction",
    SMOOTH: "SmoothFunction",
}

Steps = tuple[list[Any], list[Any], list[Any], Any]
"""Points, gradients, excesses, and the starting point relative to the minimiser."""


def _walk(kind: str, step: Callable[[list[Any], list[Any]], Any], rounds: int) -> tuple[Any, Steps]:
    problem, classes = pep.PEP(), import_module("PEPit.functions")
    constants = {"L": 1.0} if kind != STRONG else {"L": 1.0, "mu": MU}
    function = problem.declare_function(getattr(classes, CLASSES[kind]), **constants)
    best = function.stationary_point()
    points, gradients, values = [problem.set_initial_point()], [], []
    for t in range(rounds + 1):
        gradient, value = function.oracle(points[-1])
        gradients.append(gradient)
        values.append(value - function(best))
        if kind == SMOOTH:  # the minimum is below what a gradient step reaches
            problem.add_constraint(values[-1] >= gradient**2 / 2)
        if t < rounds:
            points.append(step(points, gradients))
    return problem, (points, gradients, values, best)


def gradient_step(h: float) -> Callable[[list[Any], list[Any]], Any]:
    return lambda x, g: x[-1] - h * g[-1]


def nesterov(x: list[Any], g: list[Any]) -> Any:
    ends = [a - b for a, b in zip(x, g, strict=True)]
    i = len(ends) - 1
    return ends[-1] if i in (0, 2) else ends[-1] + i / (i + 3) * (ends[-1] - ends[-2])


def momentum(share: float) -> Callable[[list[Any], list[Any]], Any]:
    return lambda x, g: x[-1] - g[-1] + (share * (x[-1] - x[-2]) if len(x) > 1 else 0 * x[-1])


def optimised(x: list[Any], g: list[Any]) -> Any:
    ends = [a - b for a, b in zip(x, g, strict=True)]
    first = (1 + sqrt(5)) / 2
    theta, i = [1, first, (1 + sqrt(1 + 8 * first**2)) / 2], len(ends) - 1
    before = ends[-2] if i else x[0]
    return (
        ends[-1]
        + (theta[i] - 1) / theta[i + 1] * (ends[-1] - before)
        + theta[i] / theta[i + 1] * (ends[-1] - x[-1])
    )


def far(steps: Steps) -> Any:
    return (steps[0][0] - steps[3]) ** 2


THETA = (1 + sqrt(1 + 8 * ((1 + sqrt(5)) / 2) ** 2)) / 2
PROGRAMS: dict[str, tuple[str, Any, int, Any, Any]] = {
    "gradient-1": (CONVEX, gradient_step(1), 1, lambda s: s[2][1], lambda s: far(s) / 6),
    "gradient-3": (CONVEX, gradient_step(1), 3, lambda s: s[2][3], lambda s: far(s) / 14),
    "gradient-any-step": (
        CONVEX,
        gradient_step(H),
        2,
        lambda s: s[2][2],
        lambda s: far(s) / 2 * max(1 / (4 * H + 1), (1 - H) ** 4),
    ),
    "gradient-slope-distance": (
        CONVEX,
        gradient_step(1),
        2,
        lambda s: s[1][2] ** 2,
        lambda s: far(s) / 9,
    ),
    "gradient-slope-value": (
        CONVEX,
        gradient_step(1),
        2,
        lambda s: s[1][2] ** 2,
        lambda s: 2 * s[2][0] / 5,
    ),
    "strong-distance": (
        STRONG,
        gradient_step(H),
        1,
        lambda s: (s[0][1] - s[3]) ** 2,
        lambda s: RHO * far(s),
    ),
    "strong-slope": (
        STRONG,
        gradient_step(H),
        1,
        lambda s: s[1][1] ** 2,
        lambda s: RHO * s[1][0] ** 2,
    ),
    "strong-value": (STRONG, gradient_step(H), 1, lambda s: s[2][1], lambda s: RHO * s[2][0]),
    "smooth-decrease": (
        SMOOTH,
        gradient_step(1),
        2,
        lambda s: [g**2 for g in s[1]],
        lambda s: 4 * (s[2][0] - s[2][2]) / 6,
    ),
    "smooth-value": (
        SMOOTH,
        gradient_step(1),
        2,
        lambda s: [g**2 for g in s[1]],
        lambda s: s[2][0] / 2,
    ),
    "nesterov-3": (CONVEX, nesterov, 3, lambda s: s[2][3], lambda s: far(s) / 15),
    "optimised-2": (CONVEX, optimised, 2, lambda s: s[2][2], lambda s: far(s) / (2 * THETA**2)),
    # read from the end: x_0 = x_1 + gamma g(x_1) with gamma L = 400
    "proximal-value": (
        CONVEX,
        gradient_step(-400),
        1,
        lambda s: s[2][0],
        lambda s: (s[0][1] - s[3]) ** 2 / 1600,
    ),
    "momentum-convex": (
        CONVEX,
        momentum(0.5),
        3,
        lambda s: s[2][3],
        lambda s: 0.11117 * far(s),
    ),
    "momentum-strong": (
        STRONG,
        momentum(0.3),
        3,
        lambda s: (s[0][3] - s[3]) ** 2,
        lambda s: 0.14917 * far(s),
    ),
    "proximal-distance": (
        STRONG,
        gradient_step(-H),
        1,
        far,
        lambda s: (s[0][1] - s[3]) ** 2 / (1 + H * MU) ** 2,
    ),
}


def worst(name: str) -> float:
    """Largest left side with the right side at most 1."""
    kind, step, rounds, left, right = PROGRAMS[name]
    problem, steps = _walk(kind, step, rounds)
    problem.add_constraint(right(steps) <= 1)
    found = left(steps)
    for metric in found if isinstance(found, list) else [found]:
        problem.set_performance_metric(metric)
    return float(problem.solve(verbose=0))


def test_every_rate_has_a_program() -> None:
    assert set(PROGRAMS) == {*RATES, *HARD}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_published_rate_is_the_worst_case(name: str) -> None:
    # the accuracy of a first-order solver; with finite L a proximal step stays 1/800 below its rate
    assert worst(name) == pytest.approx(1, abs=3e-3 if name == "proximal-value" else 5e-4)


@pytest.mark.parametrize("name", READABLE)
def test_the_certified_bound_is_the_same_worst_case(name: str) -> None:
    """Its number, our certificate: two programmes written apart."""
    bound = float(certified(name).bound)
    assert worst(name) == pytest.approx(bound, rel=5e-4)  # the accuracy of its solver
