"""Exact linear algebra on small matrices of Fractions (or balls whose signs are decided).

Eigenvalues are certified by inertia: Sylvester's law says that an exact congruence to a
diagonal keeps the number of negative, zero and positive eigenvalues, so two factorisations
enclose an eigenvalue that a numerical guess only suggested.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from bounds.numbers.ball import Ball, Undecided
from bounds.numbers.rational import as_rational, sqrt_exact
from bounds.numbers.validate import InvalidInput, symmetric

__all__ = ["Inertia", "eigenvalue_range", "inertia", "inverse", "solve"]

_GUARD = Fraction(1, 2**102)


class Inertia(NamedTuple):
    """Numbers of eigenvalues below, at and above a level."""

    below: int
    at: int
    above: int


def inertia(A: Any, x: Any = 0) -> Inertia:
    """Count the eigenvalues of a symmetric matrix below, at and above ``x``, exactly.

    Parameters
    ----------
    A : array_like, (d, d)
        Symmetric; entries int, float (taken exactly), "p/q", Fraction or `Ball`.
    x : scalar
        The level.

    Raises
    ------
    InvalidInput
        If A is not symmetric.
    Undecided
        If a ball entry leaves the sign of a pivot open.

    Examples
    --------
    >>> inertia([[2, 1], [1, 2]], 1)
    Inertia(below=0, at=1, above=1)
    """
    M = _matrix(A)
    symmetric("A", M)
    size = len(M)
    rows = [[M[i, j] - (x if i == j else 0) for j in range(size)] for i in range(size)]
    signs = [0, 0, 0]
    active = list(range(size))
    while active:
        pivot = _largest(active, lambda i: rows[i][i])
        if pivot is None:
            pair = _largest([(i, j) for i in active for j in active if i < j], _entry(rows))
            if pair is None:
                signs[1] += len(active)
                break
            _add_row_and_column(rows, active, *pair)
            pivot = pair[0]
        value = rows[pivot][pivot]
        signs[0 if value < 0 else 2] += 1
        active.remove(pivot)
        for i in active:
            factor = rows[i][pivot] / value
            for j in active:
                rows[i][j] = rows[i][j] - factor * rows[pivot][j]
    return Inertia(*signs)


def eigenvalue_range(A: Any) -> tuple[Any, Any]:
    """Smallest and largest eigenvalue of a symmetric matrix.

    Returns
    -------
    smallest, largest : Fraction or Ball
        A Fraction where the eigenvalue was found to be rational (diagonal matrices, blocks of
        size two with a square discriminant, small denominators), else a `Ball` of relative
        width at most 2**-100, certified by `inertia`.  With ball entries the midpoint's
        range is widened by the largest absolute row sum of the radii (Weyl).

    Examples
    --------
    >>> eigenvalue_range([[2, 1], [1, 2]])
    (Fraction(1, 1), Fraction(3, 1))
    """
    M = _matrix(A)
    if any(isinstance(v, Ball) for v in M.ravel()):
        return _range_of_balls(M)
    symmetric("A", M)
    ranges = [_block_range(M[np.ix_(block, block)]) for block in _blocks(M)]
    return _extreme([r[0] for r in ranges], lowest=True), _extreme([r[1] for r in ranges])


def inverse(A: Any) -> Any:
    """Exact inverse, (d, d) -> (d, d); raises `InvalidInput` where A is singular."""
    M = _matrix(A)
    identity = np.array([[Fraction(int(i == j)) for j in range(len(M))] for i in range(len(M))])
    return _eliminate(M, identity)


def solve(A: Any, b: Any) -> Any:
    """Exact solution x of A x = b, with b of shape (d,) or (d, m)."""
    right = _matrix(b)
    if right.ndim == 1:
        return _eliminate(_matrix(A), right[:, None])[:, 0]
    return _eliminate(_matrix(A), right)


# -- private helpers ---------------------------------------------------------------------


def _matrix(A: Any) -> Any:
    entries = np.asarray(A, dtype=object)
    return entries if any(isinstance(v, Ball) for v in entries.ravel()) else as_rational(A)


def _entry(rows: Any) -> Any:
    return lambda pair: rows[pair[0]][pair[1]]


def _size(value: Any) -> Fraction:
    return abs(value.mid) if isinstance(value, Ball) else abs(value)


def _largest(candidates: list[Any], value: Any) -> Any:
    """The candidate of largest size that is surely not zero; None if all are surely zero."""
    best, best_size, doubt = None, Fraction(0), False
    for candidate in candidates:
        entry = value(candidate)
        if isinstance(entry, Ball) and entry.lo <= 0 <= entry.hi:
            doubt = doubt or entry.lo != entry.hi
        elif _size(entry) > best_size:
            best, best_size = candidate, _size(entry)
    if best is None and doubt:
        raise Undecided("whether a pivot is zero is undecided: raise the precision")
    return best


def _add_row_and_column(rows: Any, active: list[int], i: int, j: int) -> None:
    """Congruence that turns an off-diagonal entry into a pivot when the diagonal is zero."""
    for k in active:
        rows[i][k] = rows[i][k] + rows[j][k]
    for k in active:
        rows[k][i] = rows[k][i] + rows[k][j]


def _eliminate(M: Any, right: Any) -> Any:
    size = len(M)
    if M.ndim != 2 or M.shape != (size, size) or len(right) != size:
        raise InvalidInput(
            f"A must be square and fit b, got shapes {M.shape} and {right.shape}: reshape them."
        )
    rows = [list(M[i]) + list(right[i]) for i in range(size)]
    for column in range(size):
        pivot = _largest(list(range(column, size)), lambda i, c=column: rows[i][c])
        if pivot is None:
            raise InvalidInput(
                "A must be invertible, got a singular matrix: check its rows for dependence."
            )
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [v / head for v in rows[column]]
        for i in range(size):
            factor = rows[i][column]
            if i != column and not _is_zero(factor):
                pairs = zip(rows[i], rows[column], strict=True)
                rows[i] = [v - factor * w for v, w in pairs]
    result = np.empty((size, right.shape[1]), dtype=object)
    for i in range(size):
        result[i, :] = rows[i][size:]
    return result


def _is_zero(x: Any) -> bool:
    return (x.lo == x.hi == 0) if isinstance(x, Ball) else bool(x == 0)


def _blocks(M: Any) -> list[list[int]]:
    """Index sets of the connected components of the non-zero pattern."""
    left, blocks = set(range(len(M))), []
    while left:
        block, frontier = [], [min(left)]
        while frontier:
            i = frontier.pop()
            if i in left:
                left.remove(i)
                block.append(i)
                frontier += [j for j in left if M[i, j] != 0]
        blocks.append(sorted(block))
    return blocks


def _block_range(M: Any) -> tuple[Any, Any]:
    if len(M) == 1:
        return M[0, 0], M[0, 0]
    if len(M) == 2:
        middle = (M[0, 0] + M[1, 1]) / 2
        half_gap = sqrt_exact(((M[0, 0] - M[1, 1]) / 2) ** 2 + M[0, 1] ** 2)
        largest = middle + half_gap
        if isinstance(half_gap, Fraction):
            return middle - half_gap, largest
        # the smaller one from the product, which keeps relative accuracy near zero
        product = M[0, 0] * M[1, 1] - M[0, 1] ** 2
        return (product / largest if middle > 0 else middle - half_gap), largest
    negated = _smallest(np.array([[-v for v in row] for row in M], dtype=object))
    return _smallest(M), -negated


def _smallest(M: Any) -> Any:
    """Smallest eigenvalue: a high-precision guess, certified by two exact factorisations."""
    guess = _guess_smallest(M)
    near = guess.limit_denominator(10**6)
    if abs(near - guess) <= _GUARD * max(abs(near), Fraction(1)) and _is_smallest(M, near):
        return near
    margin = Fraction(abs(guess)) * _GUARD
    low, high = guess - margin, guess + margin
    if inertia(M, low).below == 0 and sum(inertia(M, high)[:2]) > 0:
        return Ball(low, high)
    raise Undecided("the smallest eigenvalue could not be enclosed")


def _is_smallest(M: Any, x: Fraction) -> bool:
    counts = inertia(M, x)
    return counts.below == 0 and counts.at > 0


def _guess_smallest(M: Any) -> Fraction:
    import mpmath

    with mpmath.workprec(256):
        entries = [[mpmath.mpf(v.numerator) / v.denominator for v in row] for row in M]
        values = mpmath.eigsy(mpmath.matrix(entries), eigvals_only=True)
        sign, mantissa, exponent, _ = sorted(values)[0]._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign else value


def _range_of_balls(M: Any) -> tuple[Any, Any]:
    balls = [[v if isinstance(v, Ball) else Ball(v) for v in row] for row in M]
    middle = np.array([[v.mid for v in row] for row in balls], dtype=object)
    radius = max(sum((v.rad for v in row), Fraction(0)) for row in balls)
    low, high = eigenvalue_range((middle + middle.T) / 2)
    return low + Ball(-radius, radius), high + Ball(-radius, radius)


def _extreme(values: list[Any], lowest: bool = False) -> Any:
    """Smallest or largest of Fractions and balls; overlapping balls are merged."""
    pick = min if lowest else max
    if all(isinstance(v, Fraction) for v in values):
        return pick(values)
    lows = [v.lo if isinstance(v, Ball) else v for v in values]
    highs = [v.hi if isinstance(v, Ball) else v for v in values]
    low, high = pick(lows), pick(highs)
    return low if low == high else Ball(low, high)
