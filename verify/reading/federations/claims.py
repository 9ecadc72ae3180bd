r"""Claims about a round of All-for-one in plain numbers: what smoothness makes of the weights.

Let the weights be :math:`\alpha_k \ge 0` with the sum :math:`\mathcal A`, and draw a client with
probability :math:`\alpha_k/\mathcal A`: of its gradient let m be the mean and s the mean of
:math:`\|\nabla R_k - m\|^2` (`verify.reading.classes.apart`).  With g the own gradient

.. math:: \sum_k\alpha_k\nabla R_k = \mathcal Am, \qquad
          \sum_k\alpha_k(\|\nabla R_k - g\|^2 - \|g\|^2)
          = \mathcal A(\|m\|^2 + s - 2\langle g, m\rangle) .

The noise of the clients has mean zero, given the place, is independent and of a variance of at most
:math:`\sigma_k^2`, so smoothness along the step says, in mean given the place,

.. math:: \mathbb E f(\theta^1) \le f(\theta^0) - \eta\mathcal A\langle g, m\rangle
          + \frac{\eta^2\beta}2\Bigl(\mathcal A^2\|m\|^2 + \sum_k\alpha_k^2\sigma_k^2\Bigr) .

Inner products are numbers here, so all of this holds in every dimension.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.federations.rounds import Bound, RoundsRead
from verify.reading.federations.world import BETA, MU, STEP, own_at, value_at
from verify.reading.parts.claim import Claim
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types

WEIGHTS = sympy.Symbol("weights", positive=True)
MEAN = sympy.Symbol("squared_mean", nonnegative=True)
SPREAD = sympy.Symbol("spread", nonnegative=True)
ALONG = sympy.Symbol("along", real=True)
NOISE = sympy.Symbol("noise", nonnegative=True)
POWER = sympy.Symbol("power", nonnegative=True)
"""q^(T-1)."""

__all__ = ["ALONG", "MEAN", "NOISE", "SPREAD", "WEIGHTS", "round_claims", "smoothness"]


def smoothness() -> Expr:
    """What smoothness says of the mean value after a round, not negative."""
    after = value_at(0) - STEP * WEIGHTS * ALONG
    after += BETA * STEP**2 / 2 * (WEIGHTS**2 * MEAN + NOISE)
    return after - value_at(1)


def round_claims(
    rounds: RoundsRead,
    psi: Expr,
    others: Mapping[Expr, Expr],
    contracts: bool,
    everywhere: bool,
    falling: bool,
) -> Iterator[tuple[str, Claim]]:
    """Claims about a round, each with a name.

    Parameters
    ----------
    rounds : RoundsRead
    psi : symbol
        Of the sum that the weights are divided by.
    others : mapping
        Symbols of the other sums that the statement divides by.
    contracts : bool
        Whether the statement speaks of the Polyak-Lojasiewicz constant.
    everywhere : bool
        Whether there are weights at places at which the condition is not met.
    falling : bool
        Whether a falling part is taken off the constant of the bound.

    Raises
    ------
    NotReadable
        Where there is no such part.
    """
    descent = value_at(0) - STEP * own_at(0) / 2 + BETA * STEP**2 * NOISE / 2
    drift = WEIGHTS * (MEAN + SPREAD - 2 * ALONG)
    weights = [
        Hypothesis("smoothness, in mean", smoothness()),
        Hypothesis("weighted gaps", -own_at(0) - drift),
        Hypothesis("short step", 1 - STEP * BETA * WEIGHTS),
        Hypothesis("weights of at least one", WEIGHTS - 1),
    ]
    yield "a round", Claim(value_at(1), descent, "<=", weights)
    plain = [
        Hypothesis(n, e)
        for n, m in rounds.margins.items()
        for e in m
        if not e.atoms(sympy.Sum, sympy.Indexed)
    ]
    known = [
        *plain,
        Hypothesis("a round", descent - value_at(1)),
        Hypothesis("variance of the weighted", 1 / psi - NOISE),
        *(Hypothesis(f"{s} at most that of the weights", psi - s) for s in others if s != psi),
    ]
    if contracts:
        known.append(Hypothesis("Polyak-Lojasiewicz", own_at(0) - 2 * MU * value_at(0)))
        plain.append(Hypothesis("mu at most beta", BETA - MU))
    if everywhere:
        plain += weights[2:]
    if not rounds.many or rounds.bound is None:
        yield "any round", Claim(rounds.left, rounds.right, "<=", known)
        return
    yield from _of_many(rounds, _falling(rounds.bound) if falling else rounds.bound, known, plain)
    if falling:
        rest = rounds.bound.w * rounds.bound.q * POWER
        yield "rest", Claim(sympy.Integer(0), rest, "<=", [Hypothesis("factor", rounds.bound.q)])


def _of_many(
    rounds: RoundsRead, bound: Bound, known: list[Hypothesis], plain: list[Hypothesis]
) -> Iterator[tuple[str, Claim]]:
    before, after, one = value_at(0), value_at(1), sympy.Integer(1)
    met, where = known, []
    if rounds.condition is not None:
        where = [Hypothesis("condition", rounds.condition)]
        met = [*known, *where]
    first = bound.whole(before, one) + bound.running(one)
    yield "first round", Claim(after, first, "<=", met)
    yield "factor", Claim(sympy.Integer(0), bound.q, "<=", plain)
    yield "factor at most one", Claim(bound.q, one, "<=", plain)
    powers = [
        Hypothesis("power at most one", 1 - POWER),
        Hypothesis("factor", bound.q),
        Hypothesis("factor at most one", 1 - bound.q),
    ]
    more = bound.whole(before, POWER * bound.q) + bound.running(POWER * bound.q)
    given = [Hypothesis("first round", first - after), *where, *powers]
    yield "one more round", Claim(bound.whole(after, POWER), more, "<=", given)
    if rounds.condition is not None:
        if bound.a != 0 or bound.b != 0:
            raise NotReadable("terms of the run beside a condition")
        yield "condition not met", Claim(sympy.Integer(0), bound.whole(before, POWER), "<=", powers)


def _falling(bound: Bound) -> Bound:
    """The bound without q^T times its constant.

    Raises
    ------
    NotReadable
        Where it falls already, or has terms of the run.
    """
    if bound.v != 0 or bound.w == 0 or bound.a != 0 or bound.b != 0:
        raise NotReadable("a bound from whose constant nothing falls")
    return replace(bound, v=-bound.w * bound.q)
