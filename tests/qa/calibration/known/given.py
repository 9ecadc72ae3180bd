"""Hypotheses: equalities, strict relations, thin sets, and such that nothing meets; tautologies."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.known.record import EMPTY, FALSE, SAYS_NOTHING, TRUE, Kind, Known
from tests.qa.calibration.worlds import ANY, POSITIVE, numbers
from verify.world.world import World

q, r, t = Kind("equality"), Kind("strict"), Kind("thin")
z, w = Kind("empty"), Kind("tautology")

CIRCLE = {"circle": lambda w: -xp.absolute(w.x**2 + w.y**2 - 1)}
HYPERBOLA = {"hyperbola": lambda w: -xp.absolute(w.x * w.y - 1)}


def _below(a: int, b: int) -> Any:
    """Both sides with c x + c y on the left and c a/b on the right."""

    def sides(w: World) -> Any:
        return {"cx": w.c * w.x, "cy": w.c * w.y}, {"c": a * w.c / b}

    return sides


EQUALITIES: tuple[Known, ...] = (
    q.built(
        "circle",
        TRUE,
        "c (x + y) <= 3c/2 for c > 0 given x^2 + y^2 = 1",
        _below(3, 2),
        numbers(c=POSITIVE, x=ANY, y=ANY),
        "x + y <= sqrt 2 < 3/2 on the unit circle.",
        given=CIRCLE,
    ),
    q.built(
        "circle_less",
        FALSE,
        "c (x + y) <= 7c/5 for c > 0 given x^2 + y^2 = 1",
        _below(7, 5),
        numbers(c=POSITIVE, x=ANY, y=ANY),
        "Rational points are dense on the circle: 20/29 + 21/29 = 41/29 > 7/5.",
        at={"c": 1, "x": "20/29", "y": "21/29"},
        given=CIRCLE,
    ),
    q.built(
        "hyperbola",
        TRUE,
        "c (x + y) >= 2c for c, x, y > 0 given xy = 1",
        _below(2, 1),
        numbers(c=POSITIVE, x=POSITIVE, y=POSITIVE),
        "(x + y)^2 = (x - y)^2 + 4.",
        given=HYPERBOLA,
        relation=">=",
    ),
    q.built(
        "hyperbola_more",
        FALSE,
        "c (x + y) >= 2.01c for c, x, y > 0 given xy = 1",
        _below(201, 100),
        numbers(c=POSITIVE, x=POSITIVE, y=POSITIVE),
        "At x = y = 1: 2 < 2.01.",
        at={"c": 1, "x": 1, "y": 1},
        given=HYPERBOLA,
        relation=">=",
    ),
    q.true(
        "parabola",
        "y + 1/4 >= x for real x, y given y == x**2",
        "(x - 1/2)^2 is not negative.",
    ),
    q.false(
        "parabola_less",
        "y + 6/25 >= x for real x, y given y == x**2",
        "At x = 1/2: 0.49 < 0.5.",
        at={"x": "1/2"},
    ),
    q.true(
        "sum",
        "4*x*y <= s**2 for real x, y, s given s == x + y",
        "s^2 - 4xy = (x - y)^2.",
    ),
    q.false(
        "sum_less",
        "5*x*y <= s**2 for real x, y, s given s == x + y",
        "At x = y = 1: 5 > 4.",
        at={"x": 1, "y": 1, "s": 2},
    ),
    q.true(
        "shares_mean",
        "sum_i p[i]*x[i] <= max_i(x[i]) for p >= 0, real x given sum_i p[i] == 1",
        "A weighted mean is at most the largest.",
    ),
    q.false(
        "shares_square",
        "sum_i p[i]*x[i]**2 <= max_i(x[i])**2 for p >= 0, real x given sum_i p[i] == 1",
        "One negative number far out: at x = (0, -1), p = (0, 1): 1 > 0.",
        at={"p_raw": [0, 1], "x": [0, -1]},
        shape={"N": 2},
    ),
    q.true(
        "shares_spread",
        "1 <= N*sum_i p[i]**2 for p >= 0 given sum_i p[i] == 1",
        "Cauchy-Schwarz: (sum p)^2 <= N sum p^2.",
    ),
    q.false(
        "shares_eight",
        "1 <= 8*sum_i p[i]**2 for p >= 0 given sum_i p[i] == 1",
        "Nine equal shares: 8/9 < 1; true for up to eight.",
        at={"p_raw": [1] * 9},
        shape={"N": 9},
    ),
)

STRICT: tuple[Known, ...] = (
    r.true(
        "quotient",
        "x/(x - y) >= 1 for real x, y given x > y, y >= 0",
        "x/(x - y) = 1 + y/(x - y).",
    ),
    r.false(
        "quotient_signed",
        "x/(x - y) >= 1 for real x, y given x > y",
        "At x = -1, y = -2: -1 < 1.",
        at={"x": -1, "y": -2},
    ),
    r.true(
        "floor_open",
        "c*floor(x) <= c*x/2 for c > 0, x in [0, 1)",
        "The floor is zero below 1.",
    ),
    r.false(
        "floor_closed",
        "c*floor(x) <= c*x/2 for c > 0, x in [0, 1]",
        "At x = 1 alone: 1 > 1/2.",
        at={"c": 1, "x": 1},
    ),
    r.true(
        "increasing",
        "x**3 - y**3 >= 3*y**2*(x - y) for real x, y given x > y, y > 0",
        "x^2 + xy + y^2 >= 3y^2.",
    ),
    r.false(
        "increasing_signed",
        "x**3 - y**3 >= 3*y**2*(x - y) for real x, y given x > y",
        "At x = 0, y = -1: 1 < 3.",
        at={"x": 0, "y": -1},
    ),
)

THIN: tuple[Known, ...] = (
    t.false(
        "nearly_a_square",
        "x**2 + 1/9 >= 2/3*x + 1/1000000000 for x in [0, 1]",
        "False within 4e-5 of 1/3.",
        at={"x": "1/3"},
    ),
    t.true(
        "a_square",
        "x**2 + 1/9 >= 2/3*x for x in [0, 1]",
        "(x - 1/3)^2 is not negative.",
    ),
    t.false(
        "one_line_of_a_plane",
        "abs(x - 3*y) >= 1/100000 for x, y in [-2, 2]",
        "False along x = 3y.",
        at={"x": 0, "y": 0},
    ),
    t.false(
        "one_point_left",
        "x <= 1/2 for real x given x**2 + 1 <= 2*x",
        "The hypothesis says x = 1, and 1 > 1/2.",
        at={"x": 1},
    ),
    t.true(
        "one_point_left_true",
        "x*y <= y + y**2 for real x, y given x**2 + 1 <= 2*x",
        "The hypothesis says x = 1.",
    ),
    t.false(
        "narrow_pulse",
        "c/(1 + 10000000000*(x - 7/11)**2) <= c/2 for c > 0, x in [0, 1]",
        "A pulse of width 1e-5 around 7/11.",
        at={"c": 1, "x": "7/11"},
    ),
)

EMPTIES: tuple[Known, ...] = (
    z.line(
        "two_ends",
        EMPTY,
        "x**2 <= y for real x, y given x >= 2, x <= 1",
        "No x is above 2 and below 1.",
    ),
    z.line(
        "negative_square",
        EMPTY,
        "x + y <= 1 for real x, y given x**2 + y**2 <= -1",
        "Squares are not negative.",
    ),
    z.line(
        "circle_of_orders",
        EMPTY,
        "x <= y for real x, y given x >= y + 1, y >= x + 1",
        "Added up: 0 >= 2.",
    ),
    z.line(
        "negative_sum",
        EMPTY,
        "sum_i x[i] <= 1 for real x given sum_i x[i]**2 <= -1",
        "Squares are not negative.",
    ),
    z.line(
        "beyond_the_triangle",
        EMPTY,
        "norm(x) <= 1 for vectors x, y given norm(x + y) >= norm(x) + norm(y) + 1",
        "The triangle inequality.",
    ),
    z.line(
        "product_and_signs",
        EMPTY,
        "x <= y for real x, y given x > 0, y > 0, x*y <= -1",
        "A product of positive numbers is positive.",
    ),
)

TAUTOLOGIES: tuple[Known, ...] = (
    w.line(
        "one_of_two",
        SAYS_NOTHING,
        "x <= max(x, y)",
        "A maximum is at least each of what it is taken of.",
    ),
    w.line("modulus", SAYS_NOTHING, "x <= abs(x)", "By the definition of the modulus."),
    w.line("added_square", SAYS_NOTHING, "x <= x + y**2", "x on both sides."),
    w.line("turned", SAYS_NOTHING, "x*y + x == x + y*x", "One expression in another order."),
    w.line(
        "premise",
        SAYS_NOTHING,
        "x <= 2*y for real x, y given x <= 2*y",
        "The premise is the claim.",
    ),
    w.line("numbers_only", SAYS_NOTHING, "1 <= 2 + 0*x", "No symbol matters."),
)

GIVEN = (*EQUALITIES, *STRICT, *THIN, *EMPTIES, *TAUTOLOGIES)
"""All of them."""
