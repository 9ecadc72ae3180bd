r"""The least value of an average loss, which is not the average of the clients' least values.

A bound may begin with :math:`\sum_kp_kf_k(x)`, each client's loss above its own minimum, of which a
run reaches the least value :math:`m = \min\sum_kp_kf_k\ge0` only: such a bound is not handed on
from round to round, though one that has m taken off is.  Of m is known that it is a number, at
least 0, and that at every point, with g the average gradient there and f the average value,

.. math:: \frac{\|g\|^2}{2L} \le f - m \le \frac{\|g\|^2}{2\mu},

the latter where all losses are strongly convex: their average is, and so has a minimiser.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.classes.world import POOLED, SIGMA, MetLoss

Expr = Any  # sympy carries no types

LEAST = sympy.Symbol("f_least", nonnegative=True)

__all__ = ["LEAST", "least_facts", "noise_part"]


def least_facts(kind: str, loss: MetLoss, said: set[Expr]) -> Iterator[Hypothesis]:
    """What is known of the least value, where it is spoken of."""
    if LEAST not in said:
        return
    for number, one in enumerate(loss.met[1:]):
        above = one.f - LEAST
        yield Hypothesis(f"f at {number} above the least of all", above - one.g**2 / (2 * loss.upper))
        if kind == "smooth strongly convex":
            yield Hypothesis(f"PL of the average at {number}", one.g**2 / 2 - loss.lower * above)


def noise_part(constant: Expr) -> Expr:
    """The terms of a constant that are about noise."""
    terms = sympy.Add.make_args(sympy.expand(constant))
    return sympy.Add(*(e for e in terms if e.free_symbols & {POOLED, SIGMA}))
