"""Conditions between pairs of points, from which those of most classes are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from verify.worst_case.function import Condition, Function, OracleAnswer
from verify.worst_case.points import Expression, Number, combined, rational

__all__ = ["above", "above_tangent", "bounded", "each", "pairs", "within"]


def pairs(
    met: Sequence[OracleAnswer],
    others: Sequence[OracleAnswer],
    said: str,
    rule: Callable[[OracleAnswer, OracleAnswer], Expression],
) -> Iterator[Condition]:
    """``rule(i, j) >= 0`` for each i of the first and each other j of the second."""
    for i in met:
        for j in others:
            if i is not j:
                yield Condition(f"{said} {i.name} {j.name}", rule(i, j))


def each(
    met: Sequence[OracleAnswer],
    said: str,
    rule: Callable[[OracleAnswer], Expression],
    *,
    equality: bool = False,
) -> Iterator[Condition]:
    """``rule(i) >= 0``, or ``== 0``, for each i."""
    for i in met:
        yield Condition(f"{said} {i.name}", rule(i), equality)


def above_tangent(i: OracleAnswer, j: OracleAnswer, mu: Number = 0) -> Expression:
    """f_i - f_j - <g_j, x_i - x_j> - mu/2 |x_i - x_j|^2: curvature at least mu."""
    d = i.x - j.x
    return combined([(1, i.f), (-1, j.f)], [(-1, j.g, d), (-rational(mu) / 2, d, d)])


def within(met: Sequence[OracleAnswer], mu: Number, L: Number) -> Iterator[Condition]:
    r"""Curvature between mu and L > mu, for all pairs.

    .. math:: f_i \ge f_j + \langle g_j, x_i - x_j\rangle
        + \frac{\tfrac1L|g_i-g_j|^2 + \mu|x_i-x_j|^2 - 2\tfrac\mu L\langle g_i-g_j, x_i-x_j\rangle}
               {2(1-\mu/L)}

    Taylor, Hendrickx, Glineur, Math. Program. 161 (2017), Theorem 4; mu < 0 is allowed.
    """
    mu, L = rational(mu), rational(L)
    if not (L > 0 and mu < L):
        raise ValueError(f"L must be above 0 and above mu = {mu}, got {L}: raise L or lower mu")
    c = 1 / (2 * (1 - mu / L))
    for i, j in permutations(met, 2):
        d, e = i.x - j.x, i.g - j.g
        form = combined(
            [(1, i.f), (-1, j.f)],
            [(-1, j.g, d), (-c / L, e, e), (-c * mu, d, d), (2 * c * mu / L, e, d)],
        )
        yield Condition(f"between {i.name} {j.name}", form)


def above(f: Function, L: Number | None = None) -> Iterator[Condition]:
    """Values above those of minimisers, of L-smooth functions by |g|^2/(2 L) at least.

    For functions of which the gradient vanishes elsewhere too. With the conditions between pairs
    they suffice: Drori, Shamir, The complexity of finding stationary points with stochastic
    gradient descent (2020), Theorem 7; without smoothness the maximum of function and least value
    has the data.
    """
    for best in f.lowest:
        for i in f.met:
            if i is not best:
                gap = combined([(1, i.f), (-1, best.f)], [])
                rise = i.g**2 / (2 * rational(L)) if L is not None else 0
                yield Condition(f"above {i.name}", gap - rise)


def bounded(met: Sequence[OracleAnswer], M: Number) -> Iterator[Condition]:
    """Gradients of norm at most M."""
    yield from each(met, "gradient of", lambda i: -(i.g**2) + rational(M) ** 2)
