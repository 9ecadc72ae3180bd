"""Many numbers: sums over indices, extremes over clients, vectors in every dimension, matrices."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.calibration.known.record import FALSE, TRUE, Kind, Known
from tests.qa.calibration.worlds import numbers
from verify.claim.parameters import Real
from verify.world.world import World

s, m, v, a = Kind("sum"), Kind("maximum"), Kind("vector"), Kind("matrix")

SUMS: tuple[Known, ...] = (
    s.true(
        "square",
        "(sum_i x[i])**2 <= N*sum_i x[i]**2",
        "Cauchy-Schwarz with ones.",
    ),
    s.false(
        "square_three",
        "(sum_i x[i])**2 <= 3*sum_i x[i]**2",
        "Four equal numbers: 16 > 12.",
        at={"x": [1, 1, 1, 1]},
        shape={"N": 4},
    ),
    s.true(
        "product",
        "(sum_i a[i]*b[i])**2 <= sum_i(a[i]**2)*sum_j(b[j]**2)",
        "Cauchy-Schwarz.",
    ),
    s.false(
        "product_less",
        "(sum_i a[i]*b[i])**2 <= 99/100*sum_i(a[i]**2)*sum_j(b[j]**2)",
        "Equality without the factor at a = b.",
        at={"a": [1], "b": [1]},
        shape={"N": 1},
    ),
    s.true(
        "cubes",
        "sum_i x[i]**3 <= (sum_i x[i])**3 for x >= 0",
        "Expand the cube: all further terms are not negative.",
    ),
    s.false(
        "half_square",
        "sum_i x[i]**2 >= (sum_i x[i])**2/2 for x >= 0",
        "Three equal numbers: 3 < 9/2.",
        at={"x": [1, 1, 1]},
        shape={"N": 3},
    ),
    s.true(
        "jensen",
        "exp(mean_i(x[i])) <= mean_i(exp(x[i]))",
        "exp is convex.",
    ),
    s.false(
        "jensen_turned",
        "mean_i(exp(x[i])) <= exp(mean_i(x[i]))",
        "exp is strictly convex.",
        at={"x": [0, 1]},
        shape={"N": 2},
    ),
    s.true(
        "pairs",
        "sum_i sum_j (x[i] - x[j])**2 <= 2*N*sum_i x[i]**2",
        "The left side is 2 N sum x^2 - 2 (sum x)^2.",
    ),
    s.false(
        "pairs_less",
        "sum_i sum_j (x[i] - x[j])**2 <= N*sum_i x[i]**2",
        "At 1, -1: 8 > 4.",
        at={"x": [1, -1]},
        shape={"N": 2},
    ),
    s.true(
        "harmonic_mean",
        "N**2 <= sum_i(x[i])*sum_j(1/x[j]) for x > 0",
        "Cauchy-Schwarz for sqrt x and 1/sqrt x.",
    ),
    s.false(
        "harmonic_mean_more",
        "N**2 + 1/10 <= sum_i(x[i])*sum_j(1/x[j]) for x > 0",
        "Equality without the tenth at equal numbers.",
        at={"x": [1, 1]},
        shape={"N": 2},
    ),
    s.true(
        "lyapunov",
        "(sum_i x[i]**2)**2 <= sum_i(x[i])*sum_j(x[j]**3) for x >= 0",
        "Cauchy-Schwarz for x^(1/2) and x^(3/2).",
    ),
    s.false(
        "chebyshev_unsorted",
        "sum_i(a[i])*sum_j(b[j]) <= N*sum_i(a[i]*b[i]) for a, b >= 0",
        "At a = (1, 0), b = (0, 1): 1 > 0; it needs equal orders.",
        at={"a": [1, 0], "b": [0, 1]},
        shape={"N": 2},
    ),
)

MAXIMA: tuple[Known, ...] = (
    m.true(
        "width",
        "max_i(x[i]) - min_i(x[i]) <= 2*max_i(abs(x[i]))",
        "Both extremes lie between plus and minus the largest modulus.",
    ),
    m.false(
        "width_less",
        "max_i(x[i]) - min_i(x[i]) <= max_i(abs(x[i]))",
        "At 1, -1: 2 > 1.",
        at={"x": [1, -1]},
        shape={"N": 2},
    ),
    m.true(
        "of_sums",
        "max_i(x[i] + y[i]) <= max_i(x[i]) + max_i(y[i])",
        "Each term is at most the sum of the maxima.",
    ),
    m.true(
        "of_products",
        "max_i(x[i]*y[i]) <= max_i(x[i])*max_i(y[i]) for x, y >= 0",
        "Each product is at most the product of the maxima.",
    ),
    m.false(
        "of_signed_products",
        "max_i(x[i]*y[i]) <= max_i(x[i])*max_i(y[i])",
        "At x = y = (1, -2): 4 > 1.",
        at={"x": [1, -2], "y": [1, -2]},
        shape={"N": 2},
    ),
    m.true(
        "share_of_sum",
        "max_i(x[i]) <= N*mean_i(x[i]) for x >= 0",
        "The others are not negative.",
    ),
    m.false(
        "ten_means",
        "max_i(x[i]) <= 10*mean_i(x[i]) for x >= 0",
        "One of eleven: 1 > 10/11; true for up to ten.",
        at={"x": [1, *[0] * 10]},
        shape={"N": 11},
    ),
    m.false(
        "range_by_deviation",
        "(max_i(x[i]) - min_i(x[i]))**2 <= 4*mean_i((x[i] - mean_j(x[j]))**2)",
        "At 1, 0, -1: 4 > 8/3; true for two.",
        at={"x": [1, 0, -1]},
        shape={"N": 3},
    ),
)

VECTORS: tuple[Known, ...] = (
    v.true(
        "two_squares",
        "norm(x+y)**2 <= 2*norm(x)**2 + 2*norm(y)**2 for vectors x, y",
        "The difference is |x - y|^2.",
    ),
    v.false(
        "one_product",
        "norm(x+y)**2 <= norm(x)**2 + norm(y)**2 + norm(x)*norm(y) for vectors x, y",
        "At x = y: 4 > 3.",
        at={"x": [1], "y": [1]},
        shape={"d": 1},
    ),
    v.true(
        "cauchy_schwarz",
        "abs(dot(x,y)) <= norm(x)*norm(y) for vectors x, y",
        "Cauchy-Schwarz.",
    ),
    v.true(
        "one_norm",
        "norm1(x)**2 <= d*norm(x)**2 for vectors x",
        "Cauchy-Schwarz with signs.",
    ),
    v.false(
        "one_norm_five",
        "norm1(x)**2 <= 5*norm(x)**2 for vectors x",
        "Six equal coordinates: 36 > 30; true up to dimension five.",
        at={"x": [1] * 6},
        shape={"d": 6},
    ),
    v.true(
        "largest",
        "norminf(x) <= norm(x) for vectors x",
        "One square is at most their sum.",
    ),
    v.false(
        "largest_turned",
        "norm(x) <= norminf(x) for vectors x",
        "At (1, 1): sqrt 2 > 1.",
        at={"x": [1, 1]},
        shape={"d": 2},
    ),
    v.true(
        "parallelogram",
        "norm(x-y)**2 + norm(x+y)**2 == 2*norm(x)**2 + 2*norm(y)**2 for vectors x, y",
        "Expand.",
    ),
    v.false(
        "polar_sign",
        "norm(x-y)**2 == norm(x+y)**2 + 4*dot(x,y) for vectors x, y",
        "The sign of the product is minus.",
        at={"x": [1], "y": [1]},
        shape={"d": 1},
    ),
    v.true(
        "between",
        "norm(a*x + (1-a)*y)**2 + a*(1-a)*norm(x-y)**2 == a*norm(x)**2 + (1-a)*norm(y)**2"
        " for vectors x, y, a in [0, 1]",
        "Expand.",
    ),
    v.false(
        "between_more",
        "norm(a*x + (1-a)*y)**2 + 11/10*a*(1-a)*norm(x-y)**2 <= a*norm(x)**2 + (1-a)*norm(y)**2"
        " for vectors x, y, a in [0, 1]",
        "Equality with 1 in place of 11/10.",
        at={"x": [1], "y": [0], "a": "1/2"},
        shape={"d": 1},
    ),
    v.true(
        "mean",
        "norm(mean_i(u[i]))**2 <= mean_i(norm(u[i])**2) for vectors u",
        "Jensen.",
    ),
    v.false(
        "sum",
        "norm(sum_i(u[i]))**2 <= sum_i(norm(u[i])**2) for vectors u",
        "Two equal vectors: 4 > 2.",
        at={"u": [[1], [1]]},
        shape={"N": 2, "d": 1},
    ),
    v.false(
        "reverse_triangle",
        "norm(x) - norm(y) >= norm(x-y) for vectors x, y",
        "At x = 0: -1 < 1.",
        at={"x": [0], "y": [1]},
        shape={"d": 1},
    ),
)

SQUARE = Real(-2, 2, per=("d", "d"))
COLUMN = Real(-2, 2, per=("d",))
ONE_AND_TWO = ({"d": 1}, {"d": 2})


def _applied(w: World) -> Any:
    return xp.squared_norm(xp.matvec(w.A, w.x))


def _entries(w: World) -> Any:
    return xp.total(xp.total(w.A**2))


def _trace(w: World) -> Any:
    return xp.total(xp.total(w.A * xp.eye(w.A.shape[-1], w.A)))


def _frobenius(w: World) -> Any:
    return {"|Ax|^2": _applied(w)}, {"|A|^2|x|^2": _entries(w) * xp.squared_norm(w.x)}


def _largest_entry(w: World) -> Any:
    most = xp.largest(xp.largest(w.A**2))
    return {"|Ax|^2": _applied(w)}, {"max|x|^2": most * xp.squared_norm(w.x)}


def _hadamard(w: World) -> Any:
    first, second = w.A[..., 0, :], w.A[..., 1, :]
    det = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return {"det^2": det**2}, {"rows": xp.squared_norm(first) * xp.squared_norm(second)}


def _determinant(w: World) -> Any:
    first, second = w.A[..., 0, :], w.A[..., 1, :]
    det = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return {"5 det^2": 5 * det**2}, {"|A|^4": _entries(w) ** 2}


def _dimension(w: World) -> Any:
    return {"trace^2": _trace(w) ** 2}, {"d|A|^2": w.A.shape[-1] * _entries(w)}


def _three(w: World) -> Any:
    return {"trace^2": _trace(w) ** 2}, {"3|A|^2": 3 * _entries(w)}


def _form(w: World) -> Any:
    turned = xp.transpose(w.A)
    return {"x'Ax": xp.dot(w.x, xp.matvec(w.A, w.x))}, {
        "x'A'x": xp.dot(w.x, xp.matvec(turned, w.x))
    }


def _turned(w: World) -> Any:
    turned = xp.squared_norm(xp.matvec(xp.transpose(w.A), w.x))
    return {"|Ax|^2": _applied(w)}, {"|A'x|^2": turned}


def _spectral(w: World) -> Any:
    return {"|A|_2^2": xp.squared_spectral_norm(w.A)}, {"|A|^2": _entries(w)}


def _spectral_trace(w: World) -> Any:
    return {"trace^2": _trace(w) ** 2}, {"|A|_2^2": xp.squared_spectral_norm(w.A)}


BOTH = numbers(*ONE_AND_TWO, A=SQUARE, x=COLUMN)
ALONE = numbers(*ONE_AND_TWO, A=SQUARE)
PLANE = numbers({"d": 2}, A=SQUARE)
UNIT = [[1, 0], [0, 1]]

MATRICES: tuple[Known, ...] = (
    a.built(
        "frobenius",
        TRUE,
        "|Ax|^2 <= |A|_F^2 |x|^2",
        _frobenius,
        BOTH,
        "Cauchy-Schwarz for each row.",
    ),
    a.built(
        "largest_entry",
        FALSE,
        "|Ax|^2 <= max_ij a_ij^2 |x|^2",
        _largest_entry,
        BOTH,
        "All ones in two dimensions at (1, 1): 8 > 2.",
        at={"A": [[1, 1], [1, 1]], "x": [1, 1]},
        shape={"d": 2},
    ),
    a.built(
        "hadamard",
        TRUE,
        "det(A)^2 <= |row 1|^2 |row 2|^2",
        _hadamard,
        PLANE,
        "Lagrange: the difference is the squared inner product of the rows.",
    ),
    a.built(
        "determinant",
        FALSE,
        "5 det(A)^2 <= |A|_F^4, d = 2",
        _determinant,
        PLANE,
        "The best factor is 4: at the identity 5 > 4.",
        at={"A": UNIT},
    ),
    a.built(
        "trace",
        TRUE,
        "tr(A)^2 <= d |A|_F^2",
        _dimension,
        ALONE,
        "Cauchy-Schwarz on the diagonal.",
    ),
    a.built(
        "trace_three",
        FALSE,
        "tr(A)^2 <= 3 |A|_F^2",
        _three,
        ALONE,
        "The identity of dimension four: 16 > 12; true up to dimension three.",
        at={"A": [[int(i == j) for j in range(4)] for i in range(4)]},
        shape={"d": 4},
    ),
    a.built(
        "transposed",
        TRUE,
        "x'Ax == x'A'x",
        _form,
        BOTH,
        "A number is its own transpose.",
        relation="==",
    ),
    a.built(
        "turned",
        FALSE,
        "|Ax|^2 == |A'x|^2",
        _turned,
        BOTH,
        "A = [[0, 1], [0, 0]] at (1, 0): 0 and 1.",
        at={"A": [[0, 1], [0, 0]], "x": [1, 0]},
        shape={"d": 2},
        relation="==",
    ),
    a.built(
        "spectral",
        TRUE,
        "|A|_2^2 <= |A|_F^2",
        _spectral,
        ALONE,
        "The largest eigenvalue of A'A is at most its trace.",
    ),
    a.built(
        "spectral_trace",
        FALSE,
        "tr(A)^2 <= |A|_2^2",
        _spectral_trace,
        ALONE,
        "The identity of dimension two: 4 > 1.",
        at={"A": UNIT},
        shape={"d": 2},
    ),
)

MANY = (*SUMS, *MAXIMA, *VECTORS, *MATRICES)
"""All of them."""
