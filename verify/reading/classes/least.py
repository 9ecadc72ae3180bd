r"""Parts that are taken off a bound before it is handed on from round to round.

One is what a constant of it falls to in a geometric series.  Another is the least value of an
average loss, which is not the average of the clients' least values.  A bound may begin with
:math:`\sum_kp_kf_k(x)`, each client's loss above its own minimum, of which a run reaches the least
value :math:`m = \min\sum_kp_kf_k\ge0` only: such a bound is not handed on, though one that has m
taken off is.  Of m is known that it is a number, at least 0, and that at every point, with g the
average gradient there and f the average value,

.. math:: \frac{\|g\|^2}{2L} \le f - m \le \frac{\|g\|^2}{2\mu},

the latter where all losses are strongly convex: their average is, and so has a minimiser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.classes.world import POOLED, SIGMA, MetLoss

Expr = Any  # sympy carries no types

LEAST = sympy.Symbol("f_least", nonnegative=True)

__all__ = ["LEAST", "falling", "least_facts", "least_part", "noise_part"]


def least_facts(kind: str, loss: MetLoss, said: set[Expr]) -> Iterator[Hypothesis]:
    """What is known of the least value, where it is spoken of."""
    if LEAST not in said:
        return
    for number, one in enumerate(loss.met[1:]):
        above = one.f - LEAST
        yield Hypothesis(
            f"f at {number} above the least of all", above - one.g**2 / (2 * loss.upper)
        )
        if kind == "smooth strongly convex":
            yield Hypothesis(f"PL of the average at {number}", one.g**2 / 2 - loss.lower * above)


def least_part(kind: str, bound: Expr, loss: MetLoss) -> Expr:
    """What the average values of a bound at the first point become where they are the least one.

    Nothing where the losses do not fall to it at a rate.
    """
    if loss.count is None or kind != "smooth strongly convex":
        return sympy.Integer(0)
    return LEAST * sympy.diff(bound, loss.met[1].f)


def falling(
    bound: Expr, rounds: Expr, random: set[Expr], part: Callable[[Expr], Expr] = lambda c: c
) -> Expr | None:
    """q^T C for a part of the constant of a bound whose other terms fall by a factor q each round.

    Parameters
    ----------
    bound : expression
    rounds : symbol
        T.
    random : set of symbols
        Those that the other terms are about.
    part : callable
        The part of the constant, which is to be free of T.
    """
    symbols = sorted(bound.free_symbols & random, key=str)
    if not symbols:
        return None
    found = sympy.Poly(bound, *symbols)
    constant = part(found.coeff_monomial(1))
    ratios = {
        sympy.simplify(c.xreplace({rounds: rounds + 1}) / c)
        for powers, c in found.terms()
        if any(powers)
    }
    (ratio,) = ratios if len(ratios) == 1 else (None,)
    if ratio is None or ratio.has(rounds) or constant == 0 or constant.has(rounds) or ratio == 1:
        return None
    return ratio**rounds * constant


def noise_part(constant: Expr) -> Expr:
    """The terms of a constant that are about noise."""
    terms = sympy.Add.make_args(sympy.expand(constant))
    return sympy.Add(*(e for e in terms if e.free_symbols & {POOLED, SIGMA}))
