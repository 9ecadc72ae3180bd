r"""Weights and shares of single clients: what is said of each is summed over all.

Let :math:`\alpha_i\ge\pi p_i` for every client, say.  Then :math:`\sum_i\alpha_ix_i\ge
\pi\sum_ip_ix_i` for numbers :math:`x_i` that are not negative: excess losses at one point, and one.

Where m is the smallest share, every weight is at least :math:`\pi m`, and all but one of N have a
sum of at least :math:`(N-1)\pi m`.  So :math:`\alpha_i\le1-(N-1)\pi m`, which is at most
:math:`(1-(N-1)\pi m)p_i/m`; summed as above it bounds the losses under the weights.

Where models within a round are averaged under the shares there are two virtual averages: of the
shares, and of the weights of the round, which are known before.  Both begin at the round's first
model and what is said of each weight holds of the shares too, so that what one iteration does is
said of both; the one that is looked at is the first within a round, and the second at its end.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.iterations.names import (
    CLIENT,
    COUNT,
    GAP,
    HERE,
    IDEAL,
    LEAST_SHARE,
    OWN_SHARE,
    SHARE,
    SHARED,
    WEIGHT,
    Expr,
    alpha_of,
)
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable

if TYPE_CHECKING:
    from verify.reading.iterations.reading import Iteration

OTHERS = sympy.Symbol("other_weights", nonnegative=True)
"""Sum of the weights of all clients but one."""

__all__ = [
    "least_of_ratios",
    "most_of_shares",
    "of_clients",
    "share_claims",
    "shares_as_weights",
    "summed_over_clients",
]


def of_clients(said: Iterable[Expr], number: int) -> Iterator[Expr]:
    """Those formulas that are about the weight and the share of each client.

    Parameters
    ----------
    said : iterable of expressions
        What definitions say, not negative.
    number : int
        Of the round.
    """
    for e in said:
        found = _of_client(e, number)
        if found is not None:
            yield found


@lru_cache(2_000, typed=True)
def _of_client(e: Expr, number: int) -> Expr | None:
    """A formula in the weight and the share of a client; None where it is about something else."""
    names = {alpha_of(number)[CLIENT]: WEIGHT, SHARE[CLIENT]: OWN_SHARE}
    found = sympy.expand(sympy.sympify(e).xreplace(names))
    weight, share = found.coeff(WEIGHT), found.coeff(OWN_SHARE)
    linear = sympy.expand(weight * WEIGHT + share * OWN_SHARE - found) == 0
    rest = (weight + share).free_symbols
    unknown = {CLIENT, WEIGHT, OWN_SHARE, COUNT} & rest or found.atoms(sympy.Indexed)
    return found if linear and found.has(WEIGHT) and not unknown else None


def summed_over_clients(clients: Iterable[Expr]) -> Iterator[Expr]:
    """What they say of sums over all clients, not negative."""
    one = sympy.Integer(1)
    for e in clients:
        for weighted, shared in ((one, one), (HERE, SHARED), (IDEAL, GAP)):
            yield sympy.expand(e.xreplace({WEIGHT: weighted, OWN_SHARE: shared}))


def least_of_ratios(read: Iteration) -> Expr | None:
    """A number of which the share times it is at most the weight, for every client."""
    found = [-e.coeff(OWN_SHARE) for e in read.clients if e.coeff(WEIGHT) == 1]
    named = [r for r in found if r.is_Symbol and r.is_nonnegative]
    return named[0] if len(named) == 1 else None


def most_of_shares(read: Iteration) -> Expr:
    """What a weight is at most, of the share, by the smallest share and the number of clients.

    Raises
    ------
    NotReadable
        Where nothing is known of the smallest ratio.
    """
    least = least_of_ratios(read)
    if least is None:
        raise NotReadable("weights of which none has a smallest one")
    return (1 - (COUNT - 1) * least * LEAST_SHARE) / LEAST_SHARE


def shares_as_weights(read: Iteration) -> Iterator[ReadClaim]:
    """That what is said of each client's weight holds of its share as well."""
    sums = {WEIGHT: sympy.Integer(1), OWN_SHARE: sympy.Integer(1)}
    said = [
        Hypothesis("sum of the weights", e.xreplace(sums)) for e in sorted(read.clients, key=str)
    ]
    for e, one in zip(sorted(read.clients, key=str), said, strict=True):
        claim = Claim(sympy.Integer(0), e.xreplace({WEIGHT: OWN_SHARE}), "<=", [one])
        yield ReadClaim({"part": "shares for weights"}, claim, ())
    if read.right.has(LEAST_SHARE):
        top = sympy.expand(most_of_shares(read) * LEAST_SHARE)
        known = [*said, Hypothesis("sum of the shares", 1 - COUNT * LEAST_SHARE)]
        claim = Claim(OWN_SHARE * LEAST_SHARE, top * OWN_SHARE, "<=", known)
        yield ReadClaim({"part": "a largest share"}, claim, ())


def share_claims(read: Iteration) -> Generator[ReadClaim, None, list[Hypothesis]]:
    """What the smallest share says of the losses under the weights, from single clients up."""
    if not read.right.has(LEAST_SHARE):
        return []
    most, least = most_of_shares(read), least_of_ratios(read)
    share = Hypothesis("smallest share", OWN_SHARE - LEAST_SHARE)
    ratio = Hypothesis("smallest ratio", WEIGHT - least * OWN_SHARE)
    floor = Claim(least * LEAST_SHARE, WEIGHT, "<=", [share, ratio])
    yield ReadClaim({"part": "every weight"}, floor, ())
    others = Hypothesis("other weights", OTHERS - (COUNT - 1) * least * LEAST_SHARE)
    top = most * LEAST_SHARE
    rest = others.expr.xreplace({OTHERS: 1 - WEIGHT})
    known = [share, Hypothesis(others.name, sympy.expand(rest))]
    most_of_one = Claim(WEIGHT * LEAST_SHARE, sympy.expand(top) * OWN_SHARE, "<=", known)
    yield ReadClaim({"part": "a largest weight"}, most_of_one, ())
    return [
        Hypothesis("largest weights", sympy.expand(top * GAP - LEAST_SHARE * IDEAL)),
        Hypothesis("all weights", 1 - COUNT * least * LEAST_SHARE),
    ]
