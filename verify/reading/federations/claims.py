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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.federations.averages import average_claims
from verify.reading.federations.places import BETA, MU, own_at, places_of, value_at
from verify.reading.federations.rounds import Bound, RoundsRead
from verify.reading.federations.sizes import GREATEST, ROUNDS
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

__all__ = [
    "ALONG",
    "MEAN",
    "NOISE",
    "SPREAD",
    "WEIGHTS",
    "AboutRounds",
    "round_claims",
    "smoothness",
]


@dataclass(frozen=True)
class AboutRounds:
    """What claims about a round rest on.

    Attributes
    ----------
    step : symbol
        Of the round.
    psi : symbol
        Of the sum that the weights are divided by.
    others : sequence of symbols
        Of the other sums that the statement divides by.
    contracts : bool
        Whether the statement speaks of the Polyak-Lojasiewicz constant.
    everywhere : bool
        Whether there are weights at places at which the condition is not met.
    strict : set of str
        Names of the margins that are positive.
    squares : symbol or None
        Of the sum of phi^2 over sigma^2, where the statement speaks of it.
    """

    step: Expr
    psi: Expr
    others: Sequence[Expr]
    contracts: bool
    everywhere: bool
    strict: frozenset[str]
    squares: Expr | None = None

    @property
    def descent(self) -> Expr:
        """What the mean value after a round is at most."""
        noise = BETA * self.step**2 * NOISE / 2
        return value_at(0) - self.step * own_at(0) / 2 + noise

    @property
    def weights(self) -> list[Hypothesis]:
        """What is known of the sum of the weights."""
        return [
            Hypothesis("short step", 1 - self.step * BETA * WEIGHTS),
            Hypothesis("weights of at least one", WEIGHTS - 1),
        ]

    def plain(self, rounds: RoundsRead) -> list[Hypothesis]:
        """What is known whether or not the condition is met."""
        found = [
            Hypothesis(n, e, n in self.strict)
            for n, m in rounds.margins.items()
            for e in m
            if not e.atoms(sympy.Sum, sympy.Indexed)
        ]
        if self.contracts:
            found.append(Hypothesis("mu at most beta", BETA - MU))
        return [*found, *(self.weights if self.everywhere else [])]

    def known(self, rounds: RoundsRead) -> list[Hypothesis]:
        """What is known of a round where the condition, if there is one, is met."""
        found = [
            *self.plain(rounds),
            Hypothesis("a round", self.descent - value_at(1)),
            Hypothesis("variance of the weighted", 1 / self.psi - NOISE),
            *(Hypothesis(f"{s} at most that of the weights", self.psi - s) for s in self.others),
        ]
        if self.squares is not None:
            variance = self.squares / self.psi**2
            found.append(Hypothesis("variance by the weights", variance - NOISE))
        if self.contracts:
            found.append(Hypothesis("Polyak-Lojasiewicz", own_at(0) - 2 * MU * value_at(0)))
        return found


def smoothness(step: Expr) -> Expr:
    """What smoothness says of the mean value after a round with this step, not negative."""
    after = value_at(0) - step * WEIGHTS * ALONG
    after += BETA * step**2 / 2 * (WEIGHTS**2 * MEAN + NOISE)
    return after - value_at(1)


def round_claims(
    rounds: RoundsRead, about: AboutRounds, falling: bool
) -> Iterator[tuple[str, Claim]]:
    """Claims about a round, each with a name.

    Parameters
    ----------
    rounds : RoundsRead
    about : AboutRounds
    falling : bool
        Whether a falling part is taken off the constant of the bound.

    Raises
    ------
    NotReadable
        Where there is no such part.
    """
    if rounds.level is not None:
        reached = Hypothesis("reached", value_at(1) - rounds.level)
        over = value_at(1) / rounds.level
        yield "Markov", Claim(sympy.Integer(1), over, "<=", [reached])
        yield "Markov, not reached", Claim(sympy.Integer(0), over, "<=", [])
    descent, step = about.descent, about.step
    drift = WEIGHTS * (MEAN + SPREAD - 2 * ALONG)
    gaps = Hypothesis("weighted gaps", -own_at(0) - drift)
    smooth = Hypothesis("smoothness, in mean", smoothness(step))
    yield "a round", Claim(value_at(1), descent, "<=", [smooth, gaps, *about.weights])
    known, plain = about.known(rounds), about.plain(rounds)
    if rounds.sizes is not None:
        yield from decreasing_claims(rounds, about, known, plain)
        return
    if rounds.average is not None:
        yield from average_claims(rounds.average, rounds.condition, known, plain)
        return
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


def decreasing_claims(
    rounds: RoundsRead, about: AboutRounds, known: list[Hypothesis], plain: list[Hypothesis]
) -> Iterator[tuple[str, Claim]]:
    """Claims of a bound that is handed on from round to round, where each has a step of its own.

    Raises
    ------
    NotReadable
        Where the noise of a round has no bound that is the same at all places.
    """
    sizes, before, after, zero = rounds.sizes, value_at(0), value_at(1), sympy.Integer(0)
    if sizes is None or len(about.others) != 1 or not about.contracts:
        raise NotReadable("rounds without one bound of their noise")
    (level,) = about.others

    def handed_on(value: Expr, step: Expr) -> Expr:
        return (1 - step * MU) * value + BETA * step**2 / (2 * level)

    where = [] if rounds.condition is None else [Hypothesis("condition", rounds.condition)]
    yield "contraction", Claim(after, handed_on(before, about.step), "<=", [*known, *where])
    yield "factor", Claim(zero, 1 - about.step * MU, "<=", plain)
    stated = [h for h in plain if h.name in rounds.margins]
    free = [h for h in stated if not places_of(h.expr) and not h.expr.has(about.step)]
    named = {s for h in sizes.greatest for s in h.expr.free_symbols if str(s).startswith(GREATEST)}
    positive = [Hypothesis(f"{s} above zero", s, True) for s in sorted(named, key=str)]
    for h in positive:
        yield h.name, Claim(zero, h.expr, "<", [*free, *sizes.greatest])
    first = [*free, *sizes.greatest, *positive, Hypothesis("factor", 1 - sizes.first * MU)]
    if sizes.delay is not None:
        yield "the first step is the longest", Claim(sizes.step(ROUNDS), sizes.first, "<=", free)
    begin = Hypothesis("a start", sizes.bounds[1], True)
    yield "a start", Claim(zero, sizes.bounds[1], "<", first)
    yield "the start", Claim(before, sizes.bound(zero), "<=", [*sizes.greatest, *positive, begin])
    for name, rounds_before, given in (
        ("first round", zero, [*first, begin]),
        ("one more round", ROUNDS, [*free, *sizes.greatest]),
    ):
        step = sizes.step(rounds_before)
        left = handed_on(sizes.bound(rounds_before), step)
        known_here = [*given, Hypothesis("factor", 1 - step * MU)]
        yield name, Claim(left, sizes.bound(rounds_before + 1), "<=", known_here)
