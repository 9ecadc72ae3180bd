"""Exact linear algebra on small matrices of rationals (or balls), by flint.

The eigenvalues of a symmetric matrix are the roots of its characteristic polynomial and all real,
so they are counted by Descartes' rule of signs, which is then exact, and enclosed by flint's
isolation of roots.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
from flint import arb_mat, fmpq_mat, fmpq_poly

from bounds.numbers.ball import Ball, Undecided, as_arb, from_arb
from bounds.numbers.rational import as_rational
from bounds.numbers.validate import InvalidInput, symmetric
from bounds.numbers.via_flint import as_flint, from_flint, precision, working_bits

__all__ = ["Inertia", "eigenvalue_range", "inertia", "inverse", "solve"]


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
        If ball entries leave the sign of a coefficient of the characteristic polynomial open.

    Examples
    --------
    >>> inertia([[2, 1], [1, 2]], 1)
    Inertia(below=0, at=1, above=1)
    """
    M = _matrix(A)
    symmetric("A", M)
    size, level = len(M), x if isinstance(x, Ball) else as_rational(x)
    with working_bits(precision()):
        polynomial = _flint(M - np.diag(np.full(size, level))).charpoly()
    signs = [_sign(coefficient) for coefficient in polynomial.coeffs()]
    at = next(i for i, sign in enumerate(signs) if sign)
    kept = [sign for sign in signs if sign]
    above = sum(a != b for a, b in itertools.pairwise(kept))
    return Inertia(size - at - above, at, above)


def eigenvalue_range(A: Any) -> tuple[Any, Any]:
    """Smallest and largest eigenvalue of a symmetric matrix.

    Returns
    -------
    smallest, largest : Fraction or Ball
        A Fraction where the eigenvalue is rational, else a `Ball` of relative width at most
        2**-100.  With ball entries the midpoint's range is widened by the largest absolute row
        sum of the radii (Weyl).

    Examples
    --------
    >>> eigenvalue_range([[2, 1], [1, 2]])
    (Fraction(1, 1), Fraction(3, 1))
    """
    M = _matrix(A)
    if _has_balls(M):
        return _range_of_balls(M)
    symmetric("A", M)
    polynomial = _flint(M).charpoly()
    roots: list[Any] = []
    for root, multiplicity in polynomial.roots():
        roots.append(from_flint(root))
        polynomial //= fmpq_poly([-root, 1]) ** multiplicity
    with working_bits(max(precision(), 128)):
        roots += [from_arb(root.real) for root, _ in polynomial.numer().complex_roots()]
    # should enclosures overlap, the one that begins first still holds the smallest root
    return min(roots, key=lambda r: _ends(r)[0]), max(roots, key=lambda r: _ends(r)[1])


def inverse(A: Any) -> Any:
    """Exact inverse, (d, d) -> (d, d); raises `InvalidInput` where A is singular."""
    M = _matrix(A)
    return solve(M, np.eye(len(M), dtype=object))


def solve(A: Any, b: Any) -> Any:
    """Exact solution x of A x = b, with b of shape (d,) or (d, m)."""
    M, right = _matrix(A), _matrix(b)
    if M.ndim != 2 or M.shape != (len(M), len(M)) or len(right) != len(M):
        raise InvalidInput(
            f"A must be square and fit b, got shapes {M.shape} and {right.shape}: reshape them."
        )
    if _has_balls(right) and not _has_balls(M):
        return inverse(M) @ right
    columns, balls = right.reshape(len(right), -1), _has_balls(M)
    result = np.empty(columns.size, dtype=object)
    try:
        with working_bits(precision()):
            found = _flint(M).solve(_flint(columns, balls)).entries()
            result[:] = [from_arb(v) if balls else from_flint(v) for v in found]
    except ZeroDivisionError as error:
        if balls:
            raise Undecided("whether A is singular is undecided: raise the precision") from error
        raise InvalidInput(
            "A must be invertible, got a singular matrix: check its rows for dependence."
        ) from error
    return result.reshape(right.shape)


# -- private helpers ---------------------------------------------------------------------


def _matrix(A: Any) -> Any:
    """Entries as rationals; as they are where one of them is a ball and no point."""
    entries = np.asarray(A, dtype=object)
    return entries if _has_balls(entries) else as_rational(A)


def _has_balls(entries: Any) -> bool:
    return any(isinstance(v, Ball) and not v.is_point for v in entries.ravel())


def _flint(M: Any, balls: bool = False) -> Any:
    """The matrix of flint, of balls if an entry is one."""
    if balls or _has_balls(M):
        return arb_mat(*M.shape, [as_arb(v) for v in M.ravel()])
    return fmpq_mat(*M.shape, [as_flint(v) for v in M.ravel()])


def _sign(x: Any) -> int:
    if x == 0:
        return 0
    if not (x > 0 or x < 0):
        raise Undecided("the sign of a coefficient is undecided: raise the precision")
    return 1 if x > 0 else -1


def _ends(x: Any) -> tuple[Any, Any]:
    return (x.lo, x.hi) if isinstance(x, Ball) else (x, x)


def _range_of_balls(M: Any) -> tuple[Any, Any]:
    balls = [[v if isinstance(v, Ball) else Ball(v) for v in row] for row in M]
    middle = np.array([[v.mid for v in row] for row in balls], dtype=object)
    radius = max(sum((v.rad for v in row), as_rational(0)) for row in balls)
    low, high = eigenvalue_range((middle + middle.T) / 2)
    return low + Ball(-radius, radius), high + Ball(-radius, radius)
