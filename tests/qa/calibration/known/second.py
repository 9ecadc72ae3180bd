"""The second set, written after the first was measured: nothing is mended by looking at it."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.known.classes import FULL, ONE
from tests.qa.calibration.known.many import ALONE
from tests.qa.calibration.known.record import EMPTY, FALSE, SAYS_NOTHING, TRUE, Kind, Known
from tests.qa.calibration.worlds import ONE as ONE_CLIENT
from tests.qa.calibration.worlds import deviation, distance2, plain, point, scale, server, sgd
from verify.claim.functions import functions
from verify.world.visited import visited
from verify.world.world import World

n, m, g = Kind("second.numbers"), Kind("second.many"), Kind("second.given")
r, c = Kind("second.reach"), Kind("second.class")
a, w = Kind("second.matrix"), Kind("second.run")

NUMBERS: tuple[Known, ...] = (
    n.true(
        "sixth_powers",
        "x**6 + y**6 + z**6 >= 3*x**2*y**2*z**2",
        "The mean of three numbers is at least their geometric mean.",
    ),
    n.false(
        "sixth_powers_more",
        "x**6 + y**6 + z**6 >= 151/50*x**2*y**2*z**2",
        "At x = y = z = 1: 3 < 3.02.",
        at={"x": 1, "y": 1, "z": 1},
    ),
    n.true(
        "three_sums",
        "(a+b+c)*(a*b+b*c+c*a) >= 9*a*b*c for a, b, c > 0",
        "Both factors are at least three geometric means.",
    ),
    n.false(
        "three_sums_more",
        "(a+b+c)*(a*b+b*c+c*a) >= 91/10*a*b*c for a, b, c > 0",
        "At a = b = c = 1: 9 < 9.1.",
        at={"a": 1, "b": 1, "c": 1},
    ),
    n.true(
        "logarithm_of_product",
        "log(1+x+y) <= log(1+x) + log(1+y) for x, y >= 0",
        "(1+x)(1+y) = 1 + x + y + xy.",
    ),
    n.false(
        "logarithm_of_product_less",
        "log(1+x+y) <= log(1+x) + log(1+y) - x*y/100 for x, y >= 0",
        "At x = y = 100 the right side is 100 less, and was ahead by 4.",
        at={"x": 100, "y": 100},
    ),
    n.true("exponent", "exp(x*y) <= exp(x**2/2 + y**2/2)", "xy <= x^2/2 + y^2/2."),
    n.false(
        "exponent_less",
        "exp(x*y) <= exp(x**2/2 + y**2/2) - 1/1000",
        "Equality without the thousandth at x = y.",
        at={"x": 0, "y": 0},
    ),
    n.true(
        "cube_in_exponent",
        "exp(x**3) <= exp(100*x**2) for x in [0, 100]",
        "x^3 <= 100 x^2 there.",
    ),
    n.false(
        "cube_in_exponent_less",
        "exp(x**3) <= exp(50*x**2) for x in [0, 100]",
        "False above 50, where both sides are beyond all floats.",
        at={"x": 60},
    ),
    n.true(
        "even_powers",
        "2*x**n <= x**(2*n) + 1 for real x, integer n in [1, 20]",
        "(x^n - 1)^2 is not negative.",
    ),
    n.false(
        "two_whole_numbers",
        "13*c*n <= c*(n**2 + 41) for c > 0, integer n in [1, 30]",
        "At n = 6: 78 > 77, and at 7; nowhere else.",
        at={"c": 1},
        shape={"n": 6},
    ),
)

MANY: tuple[Known, ...] = (
    m.true(
        "squares_of_products",
        "sum_i(x[i]**2*y[i]**2) <= sum_i(x[i]**2)*sum_j(y[j]**2)",
        "The right side has all products.",
    ),
    m.false(
        "weights_of_any_sign",
        "sum_i(x[i]*y[i]) <= max_i(x[i])*sum_j(y[j])",
        "At x = (1, 0), y = (0, -1): 0 > -1.",
        at={"x": [1, 0], "y": [0, -1]},
        shape={"N": 2},
    ),
    m.true(
        "weights",
        "sum_i(x[i]*y[i]) <= max_i(x[i])*sum_j(y[j]) for y >= 0, real x",
        "Term by term.",
    ),
    m.false(
        "three_maxima",
        "sum_i(abs(x[i])) <= 3*max_i(abs(x[i]))",
        "Four equal numbers: 4 > 3.",
        at={"x": [1, 1, 1, 1]},
        shape={"N": 4},
    ),
    m.true(
        "polarised",
        "norm(x)*norm(y) <= dot(x,y) + norm(x-y)**2/2 for vectors x, y",
        "The right side is (|x|^2 + |y|^2)/2.",
    ),
    m.false(
        "polarised_less",
        "norm(x)*norm(y) <= dot(x,y) + norm(x-y)**2/3 for vectors x, y",
        "At x = 1, y = -1: 1 > -1 + 4/3.",
        at={"x": [1], "y": [-1]},
        shape={"d": 1},
    ),
    m.true(
        "three_vectors",
        "norm(x+y+z)**2 <= 3*norm(x)**2 + 3*norm(y)**2 + 3*norm(z)**2 for vectors x, y, z",
        "Cauchy-Schwarz.",
    ),
    m.false(
        "three_vectors_less",
        "norm(x+y+z)**2 <= 2*norm(x)**2 + 2*norm(y)**2 + 2*norm(z)**2 for vectors x, y, z",
        "At equal ones: 9 > 6.",
        at={"x": [1], "y": [1], "z": [1]},
        shape={"d": 1},
    ),
    m.true(
        "dimensions", "norm1(x) <= d*norminf(x) for vectors x", "Each coordinate is at most that."
    ),
    m.false(
        "dimensions_four",
        "norm1(x) <= 9/2*norminf(x) for vectors x",
        "Five equal coordinates: 5 > 9/2.",
        at={"x": [1] * 5},
        shape={"d": 5},
    ),
)


def _symmetric(k: int) -> Any:
    def sides(v: World) -> Any:
        both = v.A + xp.transpose(v.A)
        whole = xp.total(xp.total(v.A**2))
        return {"|A+A'|^2": xp.total(xp.total(both**2))}, {"k|A|^2": k * whole}

    return sides


def _trace(v: World, matrix: Any) -> Any:
    return xp.total(xp.total(matrix * xp.eye(matrix.shape[-1], v.A)))


def _square_by_entries(v: World) -> Any:
    return {"tr A^2": _trace(v, xp.matmul(v.A, v.A))}, {"|A|^2": xp.total(xp.total(v.A**2))}


def _square_by_trace(v: World) -> Any:
    return {"tr A^2": _trace(v, xp.matmul(v.A, v.A))}, {"(tr A)^2": _trace(v, v.A) ** 2}


MATRICES: tuple[Known, ...] = (
    a.built(
        "symmetric",
        TRUE,
        "|A + A'|_F^2 <= 4 |A|_F^2",
        _symmetric(4),
        ALONE,
        "The triangle inequality.",
    ),
    a.built(
        "symmetric_less",
        FALSE,
        "|A + A'|_F^2 <= 3 |A|_F^2",
        _symmetric(3),
        ALONE,
        "Any symmetric matrix has 4.",
        at={"A": [[1]]},
        shape={"d": 1},
    ),
    a.built(
        "trace_of_square",
        TRUE,
        "tr(A^2) <= |A|_F^2",
        _square_by_entries,
        ALONE,
        "a_ij a_ji <= (a_ij^2 + a_ji^2)/2.",
    ),
    a.built(
        "trace_of_square_less",
        FALSE,
        "tr(A^2) <= (tr A)^2",
        _square_by_trace,
        ALONE,
        "The exchange of two coordinates: 2 > 0.",
        at={"A": [[0, 1], [1, 0]]},
        shape={"d": 2},
    ),
)

GIVEN: tuple[Known, ...] = (
    g.true(
        "by_definition",
        "4*x*y <= s*(x + y) for x, y >= 0, real s given s == x + y",
        "(x - y)^2 is not negative.",
    ),
    g.false(
        "by_definition_less",
        "9/2*x*y <= s*(x + y) for x, y >= 0, real s given s == x + y",
        "At x = y = 1: 4.5 > 4.",
        at={"x": 1, "y": 1, "s": 2},
    ),
    g.true(
        "shares_entropy",
        "sum_i(p[i]**3) <= max_i(p[i])**2 for p >= 0 given sum_i p[i] == 1",
        "p^3 <= p times the largest square.",
    ),
    g.false(
        "shares_of_five",
        "1 <= 5*sum_i(p[i]**2) for p >= 0 given sum_i p[i] == 1",
        "Six equal shares: 5/6.",
        at={"p_raw": [1] * 6},
        shape={"N": 6},
    ),
    g.line(
        "three_ends",
        EMPTY,
        "x <= 2*y for real x, y given x + y >= 3, x <= 1, y <= 1",
        "x + y <= 2.",
    ),
    g.line(
        "quadratic",
        EMPTY,
        "x <= y for real x, y given x**2 + 2*x + 2 <= 0",
        "(x + 1)^2 + 1 is positive.",
    ),
    g.line("smaller", SAYS_NOTHING, "min(x, y) <= x", "A minimum is at most each."),
    g.line("own_double", SAYS_NOTHING, "2*x*y + y == y + y*x + x*y", "One polynomial."),
)

REACH: tuple[Known, ...] = (
    r.true(
        "one_point_of_a_plane",
        "x**2 + y**2 + 1/2 <= x + y",
        "At (1/2, 1/2) alone.",
        quantifier="some",
        at={"x": "1/2", "y": "1/2"},
    ),
    r.false(
        "no_point_of_a_plane",
        "x**2 + y**2 + 1 <= x + y",
        "(x - 1/2)^2 + (y - 1/2)^2 + 1/2 is positive.",
        quantifier="some",
    ),
    r.false(
        "order",
        "x**2*y <= x*y**2 + 1 for x, y >= 0",
        "At y = 1/x: x against 1 + 1/x.",
        relation="<~",
    ),
    r.true(
        "small",
        "x <= 5000*x**3 + 1/100 for x > 0",
        "x - 5000 x^3 is at most 2/3 of 1/sqrt(15000), 0.0054.",
    ),
    r.false(
        "small_less",
        "x <= 5000*x**3 + 1/200 for x > 0",
        "At x = 1/128: 0.0078 > 0.0074.",
        at={"x": "1/128"},
    ),
    r.true("large", "sqrt(x) <= 250 + x/1000 for x >= 0", "Young at x = 250000."),
    r.false(
        "large_less",
        "sqrt(x) <= 100 + x/1000 for x >= 0",
        "At x = 250000: 500 > 350.",
        at={"x": 250000},
    ),
)


def _cocoercive(k: int) -> Any:
    def sides(v: World) -> Any:
        met = visited(v)
        slope = met.gradients[:, :, 0, 0]
        gap = met.points[:, :, 0] - v.problem.optimum[..., 0, :]
        return {"|g|^2/L": k * xp.squared_norm(slope) / (100 * v.beta)}, {
            "<g, gap>": xp.dot(slope, gap)
        }

    return sides


CLASSES: tuple[Known, ...] = (
    c.built(
        "cocoercive",
        TRUE,
        "smooth convex: |g|^2/L <= <g, x - x*>",
        _cocoercive(100),
        functions("smooth convex"),
        "Baillon and Haddad.",
        defines=FULL,
    ),
    c.built(
        "cocoercive_more",
        FALSE,
        "smooth convex: 1.02 |g|^2/L <= <g, x - x*>",
        _cocoercive(102),
        functions("smooth convex"),
        "The parabola of curvature L has equality.",
        at=ONE,
        defines=FULL,
    ),
)


def _single(power: int) -> Any:
    def sides(v: World) -> Any:
        kept = (1 - v.step_size * v.mu) ** power
        return {"gap^2": distance2(v, server(v))}, {"kept": kept * distance2(v, v.start)}

    return sides


def _moment(power: int) -> Any:
    def sides(v: World) -> Any:
        size = xp.absolute(deviation(v))
        unit = v.step_size * scale(v)
        return {"E|dev|": size**power}, {"s": unit**power}

    return sides


RUNS: tuple[Known, ...] = (
    w.built(
        "kept_once",
        TRUE,
        "two rounds: gap^2 <= (1 - eta mu)^4 gap0^2",
        _single(4),
        plain({**ONE_CLIENT, "rounds": 2}),
        "Each round keeps (1 - eta lambda)^2 of it.",
    ),
    w.built(
        "kept_more",
        FALSE,
        "two rounds: gap^2 <= (1 - eta mu)^5 gap0^2",
        _single(5),
        plain({**ONE_CLIENT, "rounds": 2}),
        "At half a step: 1/16 > 1/32.",
        at=point(step_share="1/2"),
    ),
    w.built(
        "first_moment",
        TRUE,
        "E|dev| <= eta s",
        _moment(1),
        sgd(),
        "Jensen.",
        over="mean",
    ),
    w.built(
        "third_moment",
        FALSE,
        "E|dev|^3 <= (eta s)^3",
        _moment(3),
        sgd(),
        "Jensen the other way, strictly for skewed noise.",
        at=point(skew=[2]),
        over="mean",
    ),
)

SECOND = (*NUMBERS, *MANY, *MATRICES, *GIVEN, *REACH, *CLASSES, *RUNS)
"""The second set."""
