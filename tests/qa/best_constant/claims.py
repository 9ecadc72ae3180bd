"""Claims that fall by a constant that is known: fifteen lines, fifteen claims on classes.

Each line is an inequality of a textbook with a factor that is too small; the classes are those of
worked examples of performance estimation whose rate is known to be tight.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from bounds import generic as xp
from verify.claim.functions import functions
from verify.claim.parameters import Real
from verify.claim.statement import Statement, statement
from verify.world.visited import visited

LINES: dict[str, tuple[str, str]] = {
    "readme": ("5*x*y <= (x+y)**2 for x, y >= 0", "5/4"),
    "three products": ("30*x*y*z <= (x+y+z)**3 for x, y, z >= 0", "10/9"),
    "three squares": ("(x+y+z)**2 <= 2*(x**2+y**2+z**2) for real x, y, z", "3/2"),
    "pairs": ("3*(x*y+y*z+z*x) <= (x+y+z)**2/2 for real x, y, z", "2"),
    "two vectors": ("norm(x+y)**2 <= norm(x)**2+norm(y)**2 for vectors x, y", "2"),
    "unlike weights": ("norm(x+y)**2 <= 3/2*norm(x)**2+2*norm(y)**2 for vectors x, y", "7/6"),
    "three vectors": (
        "norm(x+y+z)**2 <= 2*(norm(x)**2+norm(y)**2+norm(z)**2) for vectors x, y, z",
        "3/2",
    ),
    "product of vectors": ("dot(x, y) <= norm(x)**2/4+norm(y)**2/4 for vectors x, y", "2"),
    "parabola": ("x*(1-x) <= 1/8 for x in [0, 1]", "2"),
    "cubic": ("x**2*(1-x) <= 1/8 for x in [0, 1]", "32/27"),
    "fourth powers": ("(x+y)**4 <= 4*(x**4+y**4) for real x, y", "2"),
    "cubes": ("x**3+y**3+z**3 >= 4*x*y*z for x, y, z >= 0", "3/4"),
    "mixed": ("x**4+y**4 >= 2*x*y*(x**2+y**2) for real x, y", "1/2"),
    "quotient": ("x/(1+x**2) <= 1/4 for x >= 0", "2"),
    "a bounded step": (
        "norm(x - v)**2 <= 2*norm(x)**2 for vectors x, v given norm(v) <= norm(x)",
        "2",
    ),
}
"""Name: the claim, and the factor of its right side with which it is true and tight."""

Sides = Callable[[Any], Any]
FULL = {"step_size": lambda w: 1 / w.beta}
OWN = {"step_size": lambda w: w.h}
STEP = {"h": Real(1 / 8, 8, unit=(-1, 2), log=True)}


def _made(name: str, sides: Sides, kind: str, defines: Any = FULL, **more: Any) -> Statement:
    family = functions(kind, **more)
    made = statement(f"constant.{name}", where="bench", latex="x", family=family, defines=defines)
    return made(sides)


def _away(w: Any, t: int) -> Any:
    return xp.squared_norm(visited(w).points[..., t, :] - w.problem.optimum[..., 0, :])


def _excess(w: Any, t: int) -> Any:
    return visited(w).excess[..., t, 0]


def _slope(w: Any, t: int) -> Any:
    return xp.squared_norm(visited(w).gradients[..., t, 0, :])


def _along(w: Any) -> Any:
    seen = visited(w)
    gap = seen.points[..., 0, :] - w.problem.optimum[..., 0, :]
    return xp.dot(seen.gradients[..., 0, 0, :], gap)


def _last(rounds: int, divisor: int) -> Sides:
    return lambda w: (
        {"f": _excess(w, rounds)},
        {"LD^2": w.beta * _away(w, 0) / divisor},
    )


def _flat(rounds: int, divisor: int) -> Sides:
    return lambda w: (
        {"|g|^2": _slope(w, rounds)},
        {"(LD)^2": w.beta**2 * _away(w, 0) / divisor},
    )


def _rate(w: Any) -> Any:
    return {"f": _excess(w, 1)}, {"f0": (1 - w.mu / w.beta) ** 2 * _excess(w, 0) / 2}


def _contracted(w: Any) -> Any:
    return {"after": _away(w, 1)}, {"before": (1 - w.mu / w.beta) ** 2 * _away(w, 0) / 3}


CLASSES: dict[str, tuple[Statement, str]] = {
    "one step": (_made("one", _last(1, 7), "smooth convex"), "7/6"),
    "two steps": (_made("two", _last(2, 12), "smooth convex", rounds=2), "6/5"),
    "three steps": (_made("three", _last(3, 16), "smooth convex", rounds=3), "8/7"),
    "five steps": (_made("five", _last(5, 25), "smooth convex", rounds=5), "25/22"),
    "gradient, one step": (_made("flat", _flat(1, 5), "smooth convex"), "5/4"),
    "gradient, two steps": (_made("flat2", _flat(2, 10), "smooth convex", rounds=2), "10/9"),
    "descent": (
        _made(
            "descent",
            lambda w: ({"|g|^2": _slope(w, 0)}, {"f": w.beta * (_excess(w, 0) - _excess(w, 1))}),
            "smooth",
        ),
        "2",
    ),
    "average slope": (
        _made(
            "average",
            lambda w: (
                {"|g|^2": (_slope(w, 0) + _slope(w, 1)) / 2},
                {"f": w.beta * _excess(w, 0) / 2},
            ),
            "smooth",
            rounds=2,
        ),
        "2",
    ),
    "rate": (_made("rate", _rate, "smooth strongly convex"), "2"),
    "contraction": (_made("contraction", _contracted, "smooth strongly convex"), "3"),
    "steep": (
        _made(
            "steep",
            lambda w: ({"f": 3 * w.mu * _excess(w, 0)}, {"|g|^2": _slope(w, 0)}),
            "smooth strongly convex",
        ),
        "3/2",
    ),
    "cocoercive": (
        _made(
            "cocoercive",
            lambda w: ({"f": _excess(w, 0), "g": _slope(w, 0) / w.beta}, {"<g, x>": _along(w)}),
            "smooth convex",
        ),
        "3/2",
    ),
    "hump": (
        _made("hump", lambda w: ({"g1": _slope(w, 1)}, {"g0": _slope(w, 0)}), "smooth"),
        "4",
    ),
    "PL, steep": (
        _made(
            "pl",
            lambda w: ({"f": 5 * w.mu * _excess(w, 0)}, {"|g|^2": _slope(w, 0)}),
            "smooth PL",
        ),
        "5/2",
    ),
    "subgradient": (
        _made(
            "subgradient",
            lambda w: (
                {"after": _away(w, 1), "fall": 2 * w.h * _excess(w, 0)},
                {
                    "before": _away(w, 0) / 2,
                    "step": w.h**2 * w.lipschitz[..., 0] ** 2 / 2,
                },
            ),
            "Lipschitz convex",
            defines=OWN,
            extra=STEP,
        ),
        "2",
    ),
}
"""Name: the claim, and the factor of its right side with which it is true and tight."""

CONSTANTS: dict[str, Fraction] = {
    name: Fraction(q) for name, (_, q) in (*LINES.items(), *CLASSES.items())
}
