r"""Claims about a client in an epoch: what smoothness makes of a step along its group's gradient.

Let client i be at its model with the gradient g, let the members of its group have the weights
:math:`a_j \ge 0` with sum one and the gradients :math:`h_j` at their models, and let
:math:`c_j` be what client i's gradient is there.  Draw a member with probability :math:`a_j`: what
the members have is a random vector, with means h and c and what is left of them, so that

.. math:: \sum_ja_j\|g - c_j\|^2 = \|g - c\|^2 + s, \qquad
          \sum_ja_j\|c_j - h_j\|^2 = \|c - h\|^2 + s', \qquad
          \Bigl\|\sum_ja_jn_j\Bigr\|^2 + s'' = \sum_ja_j\|n_j\|^2

with :math:`s, s', s'' \ge 0` and :math:`n_j` the noise of member j.  By smoothness the first is at
most :math:`L^2\sum_ja_j\|w_i - w_j\|^2`, by similarity the second at most
:math:`\sum_ja_j\kappa_{ij}^2`, and the third in the mean at most :math:`\sigma^2`.  The noise has
mean zero given the models, of whatever law, so smoothness along the step says in the mean

.. math:: \mathbb EJ_i^+ \le J_i - \eta\langle g, h\rangle
          + \frac{L\eta^2}2\Bigl(\|h\|^2 + \mathbb E\Bigl\|\sum_ja_jn_j\Bigr\|^2\Bigr) .

Gradients are one coordinate of vectors here, so all of this holds in every dimension.  Where groups
never change and their members start together, they stay together: they all take the same steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.groups.epochs import EpochsRead
from verify.reading.groups.names import (
    DISSIMILARITY,
    UPPER,
    apart_at,
    gradient_at,
    group_at,
    moved_at,
    value_at,
)
from verify.reading.groups.reading import SIGMA, GroupRuns
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types

NOISE = sympy.Symbol("noise", nonnegative=True)
"""Mean square of the noise of the group's mean gradient."""
MOVED = sympy.Symbol("gradient_moved", real=True)
"""g - c, one coordinate of it."""
CROSSED = sympy.Symbol("gradient_apart", real=True)
"""c - h, one coordinate of it."""
OWN = sympy.Symbol("squared_own", nonnegative=True)
MEAN = sympy.Symbol("squared_mean", nonnegative=True)
ALONG = sympy.Symbol("along", real=True)
"""Squared own gradient, that of the group, and their inner product."""
SPREADS = sympy.symbols("crossed_spread similar_spread noise_spread", nonnegative=True)
VECTORS = (str(MOVED), str(CROSSED))

__all__ = [
    "OWN",
    "epoch_claims",
    "in_squares",
    "own_against_group",
    "plain_claim",
    "smoothness",
    "step_facts",
]


def in_squares(e: Expr) -> Expr:
    """A formula about an epoch in the squares and the product that it may speak of.

    Raises
    ------
    NotReadable
        Where it speaks of a gradient otherwise.
    """
    own, group, found = gradient_at(0), group_at(0), sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(e)):
        powers = term.as_powers_dict()
        degrees = powers.get(own, 0), powers.get(group, 0)
        square = {(0, 0): 1, (2, 0): OWN, (1, 1): ALONG, (0, 2): MEAN}.get(degrees)
        rest = None if square is None else term / (own ** degrees[0] * group ** degrees[1])
        if rest is None or rest.has(own, group):
            raise NotReadable("a claim about gradients that is not one about their squares")
        found += square * rest
    return found


def smoothness(step: Expr, noise: Expr) -> Expr:
    """What smoothness says the mean excess loss after an epoch is at most."""
    return value_at(0) - step * ALONG + UPPER * step**2 / 2 * (MEAN + noise)


def epoch_claims(
    setting: GroupRuns, read: EpochsRead, together: bool
) -> Iterator[tuple[str, ReadClaim]]:
    """Claims about an epoch, each with a name.

    Parameters
    ----------
    setting : GroupRuns
    read : EpochsRead
    together : bool
        Whether the members of a group have one model in every epoch.
    """
    given = [Hypothesis(n, e, n in setting.statement.strict) for n, e in read.margins.items()]
    known = [*given, *step_facts(setting, setting.step)]
    zero, after = sympy.Integer(0), value_at(1)
    if setting.similar is not None:
        claim, facts = own_against_group(together)
        yield "own against group", claim
        known += facts
        if any(e.has(moved_at(0)) for e in (read.left, read.right)):
            claim, fact = against_moved()
            yield "own against group, moved", claim
            known.append(fact)
    one, other = in_squares(read.left), in_squares(read.right)
    if not read.many:
        yield "an epoch", plain_claim(one, other, known)
        return
    left, right = one + read.start * after, other + read.start * value_at(0)
    yield "one more epoch", plain_claim(left, right, known)
    end = [*given, Hypothesis("least loss", after)]
    yield "the end", plain_claim(zero, read.start * after, end)


def plain_claim(left: Expr, right: Expr, given: list[Hypothesis]) -> ReadClaim:
    """An inequality about gradients and numbers."""
    made = Claim(left, right, "<=", given)
    used = {str(s) for e in (left, right, *(h.expr for h in given)) for s in e.free_symbols}
    return ReadClaim({}, made, tuple(n for n in VECTORS if n in used))


def own_against_group(together: bool) -> tuple[ReadClaim, list[Hypothesis]]:
    """How far an own gradient is from that of the group: a claim, and what follows from it."""
    apart = 2 * DISSIMILARITY + 2 * UPPER**2 * apart_at(0)
    claim = plain_claim((MOVED + CROSSED) ** 2, apart, _of_members())
    known = [Hypothesis("own against group", apart - (OWN - 2 * ALONG + MEAN))]
    return claim, [*known, *([Hypothesis("members together", -apart_at(0))] if together else [])]


def against_moved() -> tuple[ReadClaim, Hypothesis]:
    """The same where it is said how far the own gradient is from what it is at the models."""
    most = 2 * DISSIMILARITY + 2 * moved_at(0)
    spread, similar = SPREADS[0], _of_members()[1]
    mean = Hypothesis("mean of the moved gradients", moved_at(0) - MOVED**2 - spread)
    claim = plain_claim((MOVED + CROSSED) ** 2, most, [mean, similar])
    return claim, Hypothesis("own against group, moved", most - (OWN - 2 * ALONG + MEAN))


def step_facts(setting: GroupRuns, step: Expr) -> list[Hypothesis]:
    """What is known of a step of any client of this size."""
    _, _, drawn = SPREADS
    sigma = setting.symbol(SIGMA)
    return [
        Hypothesis("smoothness, in mean", smoothness(step, NOISE) - value_at(1)),
        Hypothesis("noise of the mean gradient", sigma**2 - NOISE - drawn),
    ]


def _of_members() -> list[Hypothesis]:
    """What is known of the gradients of the members of its group."""
    moved, apart, _ = SPREADS
    return [
        Hypothesis("own gradient moved", UPPER**2 * apart_at(0) - MOVED**2 - moved),
        Hypothesis("similarity", DISSIMILARITY - CROSSED**2 - apart),
    ]
