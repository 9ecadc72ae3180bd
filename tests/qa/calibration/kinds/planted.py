"""Entries that fail by a slip, a missing condition, a constant or an order, or are empty.

Written before any of them was measured.
"""

from __future__ import annotations

from typing import Any

from tests.qa.calibration.kinds.record import (
    CONDITION,
    CONSTANT,
    EMPTY,
    ORDER,
    Planted,
    built,
    fails,
    misprinted,
    misprinted_twice,
    needs,
)
from tests.qa.calibration.worlds import (
    DEFINES,
    ONE,
    curvature,
    distance2,
    excess,
    last,
    plain,
    server,
    sgd,
    sigma,
    slope2,
)
from verify.claim.parameters import Real
from verify.world.world import World


def _mean_descent(w: World) -> Any:
    half = w.step_size**2 * w.beta / 2
    fall = (w.step_size - half) * slope2(w, w.start)
    right = {"f0": excess(w, w.start), "noise": half * sigma(w) ** 2}
    return {"f1": excess(w, last(w)), "fall": fall}, right


def _rounds(more: int) -> Any:
    def sides(w: World) -> Any:
        factor = (1 - w.step_size * curvature(w)) ** (2 * (w.rounds + more))
        return {"gap^2": distance2(w, server(w))}, {"kept": factor * distance2(w, w.start)}

    return sides


def _half_descent(w: World) -> Any:
    fall = w.step_size * slope2(w, w.start) / 2
    return {"f1": excess(w, server(w)), "fall": fall}, {"f0": excess(w, w.start)}


LONG = {"step_share": Real(1 / 20, 4, domain=(0, 8))}
SHORT = {"short step": lambda w: 1 - w.step_size * w.beta}
RUN = {"defines": DEFINES}

SLIPS: tuple[Planted, ...] = (
    misprinted(
        "square_lost",
        "abs(mean_i(x[i])) <= mean_i(x[i]**2)",
        "(mean_i(x[i]))**2 <= mean_i(x[i]**2)",
        "The square of the mean is meant: Jensen.",
    ),
    misprinted(
        "index",
        "sum_i(x[i])*sum_j(y[j]) <= sum_i(x[i]**2)/2 + sum_i(y[i]**2)/2",
        "sum_i(x[i]*y[i]) <= sum_i(x[i]**2)/2 + sum_i(y[i]**2)/2",
        "One index is meant: 2xy <= x^2 + y^2 term by term.",
    ),
    misprinted(
        "sign",
        "norm(x-y)**2 == norm(x)**2 + norm(y)**2 + 2*dot(x,y) for vectors x, y",
        "norm(x-y)**2 == norm(x)**2 + norm(y)**2 - 2*dot(x,y) for vectors x, y",
        "Expand.",
    ),
    misprinted(
        "factor",
        "x*y <= a*x**2/4 + y**2/(4*a) for x, y, a > 0",
        "x*y <= a*x**2/2 + y**2/(2*a) for x, y, a > 0",
        "Young's inequality.",
    ),
    misprinted(
        "power",
        "2*x*y <= a*x**2 + y**2/a**2 for x, y, a > 0",
        "2*x*y <= a*x**2 + y**2/a for x, y, a > 0",
        "Young's inequality; the units of a show it.",
    ),
    misprinted(
        "extreme",
        "mean_i(x[i]) <= min_i(x[i])",
        "mean_i(x[i]) <= max_i(x[i])",
        "The largest is meant.",
    ),
    misprinted(
        "number_of_terms",
        "(sum_i x[i])**2 <= 2*sum_i x[i]**2",
        "(sum_i x[i])**2 <= N*sum_i x[i]**2",
        "The number of terms is meant: Cauchy-Schwarz.",
    ),
    misprinted(
        "expectation",
        built(_mean_descent, sgd(), over="path"),
        built(_mean_descent, sgd(), over="mean"),
        "The expectation is dropped: the descent lemma holds in the mean.",
        said="f1 + eta (1 - eta beta/2)|g|^2 <= f0 + eta^2 beta sigma^2/2, without E",
    ),
    misprinted(
        "one_round_more",
        built(_rounds(1), plain(ONE, {**ONE, "rounds": 2}), relation="=="),
        built(_rounds(0), plain(ONE, {**ONE, "rounds": 2}), relation="=="),
        "Each round multiplies the gap once.",
        said="gap_T^2 == (1 - eta lambda)^(2T+2) gap_0^2",
    ),
    misprinted_twice(
        "two_places",
        "x*y <= x**2/A + B/A for x, y > 0",
        ("4", "2"),
        ("y", "y**2"),
        "Both the square and the factor are misprinted.",
    ),
)

CONDITIONS: tuple[Planted, ...] = (
    needs("share", "x**2 <= x for x >= 0", "x <= 1", "x (1 - x) >= 0."),
    needs("bernoulli", "(1+x)**3 >= 1 + 3*x for real x", "x >= -3", "The difference is x^2(3+x)."),
    needs(
        "short_step",
        "(1 - eta*mu)**2 <= 1 - eta*mu for eta, mu >= 0",
        "eta*mu <= 1",
        "A square of a share is at most the share.",
    ),
    needs("root", "sqrt(x) <= x for x > 0", "x >= 1", "Square both sides."),
    needs(
        "signs",
        "max_i(x[i]*y[i]) <= max_i(x[i])*max_i(y[i])",
        "min_i(x[i]) >= 0, min_i(y[i]) >= 0",
        "Products of numbers that are not negative.",
    ),
    needs(
        "angle",
        "norm(x+y)**2 <= norm(x)**2 + norm(y)**2 for vectors x, y",
        "dot(x,y) <= 0",
        "Expand.",
    ),
    needs(
        "cubes",
        "(mean_i(x[i]))**3 <= mean_i(x[i]**3) for real x",
        "min_i(x[i]) >= 0",
        "The cube is convex on the non-negative numbers.",
    ),
    needs(
        "quotient",
        "x/(x - y) >= 1 for real x, y given x > y",
        "y >= 0",
        "x/(x - y) = 1 + y/(x - y).",
    ),
    Planted(
        "long_step",
        CONDITION,
        {"": built(_half_descent, plain(ONE, **LONG), **RUN)},
        "f1 + eta |g|^2/2 <= f0 for any step",
        "The descent lemma needs eta beta <= 1.",
        built(_half_descent, plain(ONE, **LONG), given=SHORT, **RUN),
    ),
)

CONSTANTS: tuple[Planted, ...] = (
    fails(CONSTANT, "young", "x*y <= x**2/4 + y**2/4 for x, y > 0", "The ratio is at most 2."),
    fails(CONSTANT, "square", "(x+y)**2 <= x**2 + y**2 for x, y > 0", "The ratio is at most 2."),
    fails(
        CONSTANT,
        "roots",
        "sqrt(x) + sqrt(y) <= sqrt(x+y) for x, y > 0",
        "The ratio is at most sqrt 2.",
    ),
    fails(
        CONSTANT, "bump", "2*c*x <= 9/10*c*(1 + x**2) for c, x > 0", "The ratio is at most 10/9."
    ),
    fails(
        CONSTANT,
        "three",
        "x*y*z <= (x**3 + y**3 + z**3)/4 for x, y, z > 0",
        "The ratio is at most 4/3.",
    ),
    fails(CONSTANT, "logarithm", "log(1+x) <= 9/10*x for x > 0", "The ratio is below 10/9."),
    fails(
        CONSTANT,
        "larger",
        "max(x, y) <= 3/4*(x + y) for x, y > 0",
        "The ratio is below 4/3, as the smaller one vanishes.",
    ),
    fails(CONSTANT, "exponential", "3*x <= exp(x) for x >= 0", "The ratio is at most 3/e, at 1."),
    fails(
        CONSTANT,
        "half_of_all",
        "(sum_i x[i])**2 <= N/2*sum_i x[i]**2",
        "The ratio is at most 2, for any number of terms.",
    ),
    fails(
        CONSTANT,
        "vectors",
        "norm(x+y)**2 <= norm(x)**2 + norm(y)**2 for vectors x, y",
        "The ratio is at most 2, in any dimension.",
    ),
    fails(
        CONSTANT,
        "shares",
        "x*y <= 1/5*(x+y)**2 for x, y > 0",
        "The ratio is at most 5/4, at x = y.",
    ),
    misprinted(
        "constant_behind_a_slip",
        "x*y <= x/4 + y**2/4 for x, y > 0",
        "x*y <= x**2/4 + y**2/4 for x, y > 0",
        "Read past, the ratio is at most 2.",
        CONSTANT,
    ),
)

ORDERS: tuple[Planted, ...] = (
    fails(ORDER, "linear", "x**2 <= 3*x for x > 0", "The ratio is x/3."),
    fails(ORDER, "terms", "(sum_i x[i])**2 <= sum_i x[i]**2", "The ratio is N at equal numbers."),
    fails(ORDER, "dimension", "norm1(x) <= norm(x) for vectors x", "The ratio is sqrt d."),
    fails(ORDER, "two_symbols", "x*y <= x**2 + y for x, y > 0", "At y = x^2 the ratio is x/2."),
    fails(ORDER, "exponential_growth", "exp(x) <= 10*(1+x)**3 for x >= 0", "It grows like exp x."),
    fails(ORDER, "small", "1/x <= 5 + x for x > 0", "As x vanishes the ratio is 1/(5x)."),
    fails(
        ORDER,
        "whole_numbers",
        "c*n**2 <= 4*c*n for c > 0, integer n in [1, 64]",
        "The ratio is n/4.",
    ),
    fails(
        ORDER,
        "largest",
        "max_i(x[i]) <= 2*mean_i(x[i]) for x >= 0",
        "One of N: the ratio is N/2.",
    ),
    fails(
        ORDER,
        "no_right_side",
        "x*y <= max(x - 1, 0)*y for x, y > 0",
        "The right side is zero up to x = 1.",
    ),
    fails(ORDER, "by_order", "x**3 <= x**2 + 1 for x >= 0", "The ratio is about x.", relation="<~"),
    fails(
        ORDER,
        "terms_by_order",
        "(sum_i x[i])**2 <= sum_i x[i]**2",
        "The ratio is N at equal numbers.",
        relation="<~",
    ),
    fails(ORDER, "square_root", "x <= 2*sqrt(x) for x > 0", "The ratio is sqrt x/2."),
    misprinted(
        "order_behind_a_slip",
        "x**2*y <= x*y + 1/10 for x, y > 0",
        "x**2*y <= 5*x*y for x, y > 0",
        "Read past, the ratio is x/5.",
        ORDER,
    ),
)

EMPTIES: tuple[Planted, ...] = (
    fails(EMPTY, "ends", "x**2 <= y for real x, y given x >= 2, x <= 1", "No such x."),
    fails(
        EMPTY,
        "squares",
        "x + y <= 1 for real x, y given x**2 + y**2 <= -1",
        "Squares are not negative.",
    ),
    fails(
        EMPTY,
        "orders",
        "x <= y for real x, y given x >= y + 1, y >= x + 1",
        "Added up: 0 >= 2.",
    ),
    fails(
        EMPTY,
        "product",
        "x <= y for real x, y given x > 0, y > 0, x*y <= -1",
        "A product of positive numbers is positive.",
    ),
    fails(
        EMPTY,
        "triangle",
        "norm(x) <= 1 for vectors x, y given norm(x + y)**2 >= 2*norm(x)**2 + 2*norm(y)**2 + 1",
        "|x + y|^2 <= 2|x|^2 + 2|y|^2.",
    ),
    misprinted(
        "empty_behind_a_slip",
        "x <= y for real x, y given x >= y - 1, x <= y + 1",
        "x <= y for real x, y given x >= y + 1, x <= y - 1",
        "Read past, nothing meets the hypotheses.",
        EMPTY,
    ),
)

PLANTED = (*SLIPS, *CONDITIONS, *CONSTANTS, *ORDERS, *EMPTIES)
"""All of them."""
