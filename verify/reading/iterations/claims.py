r"""Claims about one iteration of a run with local steps, from what is known in the mean.

With a client that is drawn by the weights of the round (`verify.reading.iterations.draws`), what
the assumptions say of each client they say in the mean: smoothness and strong convexity of
:math:`F_i` at its own model, at the virtual average and at the minimiser of F, and strong convexity
and smoothness of F at its minimiser.  The mean of the noises has at most the variance that the
weights give to a client, and, as the clients draw independently, that which their squares give.

How far a client is from the round's first model is at most, after j local steps before this
iteration, all of them at most :math:`\lambda` times its step, and of gradients whose squares are in
mean at most :math:`G^2`,

.. math:: \mathbb E\sum_i\alpha_i\|w^i - w_0\|^2 \le (j\lambda\eta G)^2 :

by induction on j, one local step and one more.  As j is at most E - 1 and the mean over the clients
minimises the mean square, the spread of the clients is at most that with E - 1 for j; if j is zero
there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.iterations.draws import averaged
from verify.reading.iterations.names import (
    AWAY,
    BETA,
    EARLIER,
    GAP,
    HERE,
    IDEAL,
    MIDDLE,
    MORE,
    MU,
    NOISE,
    NUMBERS,
    OFF,
    OWN,
    RISE,
    RISEN,
    SHARED,
    SLOPE,
    SLOPE_OFF,
    SQUARES,
    STATED,
    STEP,
    TOLD,
    VARIANCE,
    VECTORS,
    WAY,
    Expr,
)
from verify.reading.iterations.reading import Iteration
from verify.reading.parts.claim import Claim, ReadClaim, said

SPREAD, LOSSES, YOUNG = "spread", "losses", "losses at w_t"
FACTS = (SPREAD, LOSSES, YOUNG)
"""What a claim may rest on: the spread of the clients alone; all that the assumptions say; the same
with the losses at the virtual average bounded by those at the local models."""

__all__ = [
    "FACTS",
    "LOSSES",
    "MADE",
    "Spread",
    "about",
    "assumed",
    "assumed_after",
    "claim_of",
    "completed",
    "given_of",
    "iteration_claims",
    "noise_claims",
    "on_every_outcome",
    "spread_of",
    "way_claims",
]

MADE = sympy.Symbol("steps_made", nonnegative=True)
"""Local steps of the round before this iteration."""


def assumed() -> dict[str, Expr]:
    """What the assumptions and the method say of an iteration, not negative."""
    slope, off, away = SLOPE**2 + SLOPE_OFF**2, OFF**2, AWAY**2
    along = SLOPE * AWAY + SLOPE_OFF * OFF
    return {
        "smoothness at w_t": OWN - SLOPE_OFF * OFF + BETA * off / 2 - HERE,
        "strong convexity at w*": IDEAL - OWN + along - MU * (away + off) / 2,
        "smoothness below": 2 * BETA * OWN - slope,
        "strong convexity of F": RISE - MU * away / 2,
        "smoothness of F": BETA * away / 2 - RISE,
        "variance of the mean": VARIANCE - NOISE**2,
        "variance of independent": SQUARES - NOISE**2,
        "stated variance": STATED - VARIANCE,
        "mu at most beta": BETA - MU,
    }


def assumed_after(path: bool = False) -> dict[str, Expr]:
    """What smoothness of F says after the iteration, not negative; in the mean, or on a path."""
    after = averaged((AWAY - STEP * (SLOPE + NOISE)) ** 2, path)
    return {"smoothness of F after it": BETA * after / 2 - RISEN}


def on_every_outcome() -> dict[str, Expr]:
    """What the assumptions say on each outcome: nothing of the noise."""
    return {n: e for n, e in assumed().items() if not e.has(NOISE)}


@dataclass(frozen=True)
class Spread:
    """What the clients' ways are made of.

    Attributes
    ----------
    factor : number
        An earlier step of the round is at most so many times this one.
    square : expression
        Bound on the mean square of a gradient.
    """

    factor: Expr
    square: Expr

    def bound(self, steps: Expr) -> Expr:
        """Of the mean squared way after so many steps."""
        return (steps * self.factor * STEP) ** 2 * self.square

    def of_clients(self) -> Expr:
        """Bound on the mean squared distance of the clients from their mean."""
        return self.bound(MORE)

    def claims(self) -> Iterator[ReadClaim]:
        """Why that is so."""
        *steps, way = way_claims(self)
        yield from steps
        # the mean of the ways lies in the middle of the clients
        yield about(way.claim._replace(left=OFF**2), "spread")


def spread_of(read: Iteration) -> Spread | None:
    """What is said of earlier steps of the round, if both a step and a gradient are bounded."""
    factors, squares = [], []
    for e in sorted(read.earlier, key=str):
        if e.free_symbols == {STEP, EARLIER} and e.is_polynomial():
            one, other = e.coeff(STEP), e.coeff(EARLIER)
            if one.is_positive and other.is_negative and e == one * STEP + other * EARLIER:
                factors.append(-one / other)
        square = sympy.expand(e + TOLD**2)
        if not square.has(*VECTORS, *NUMBERS, EARLIER) and square.is_nonnegative:
            squares.append(square)
    return Spread(min(factors), squares[0]) if factors and squares else None


def iteration_claims(
    read: Iteration,
    relation: str,
    strict: frozenset[str],
    facts: str,
    spread: Spread | None = None,
    more: Sequence[Hypothesis] = (),
) -> Iterator[ReadClaim]:
    """Claims that together are what a statement says of any iteration, each with its part.

    Parameters
    ----------
    read : Iteration
    relation : {"<=", "=="}
    strict : set of str
        Names of hypotheses that are strict.
    facts : str
        Which of `FACTS` the last of them rests on.
    spread : Spread, optional
        What is known of the ways of the clients, if not what is said of earlier steps.
    more : sequence of Hypothesis
        What is known besides.
    """
    spread = spread or spread_of(read)
    known = [Hypothesis(f"defined {i}", e) for i, e in enumerate(sorted(read.defined, key=str))]
    more = [*more]
    if spread is not None:
        yield from spread.claims()
        more.append(Hypothesis("spread of the clients", spread.of_clients() - OFF**2))
    if facts != SPREAD:
        left_out = {VARIANCE} if (read.left + read.right).has(SQUARES) else {VARIANCE, SQUARES}
        facts_of = on_every_outcome() if read.path else assumed()
        if (read.left + read.right).has(RISEN):
            facts_of |= assumed_after(read.path)
        more += [Hypothesis(n, e) for n, e in facts_of.items() if not e.has(*left_out)]
        for one in () if read.path else noise_claims(known):
            yield one
            more.append(Hypothesis(one.label["part"], one.claim.right - one.claim.left))
        kept = [h for h in known if not h.expr.has(VARIANCE, STATED)]
        known = kept if not (read.left + read.right).has(VARIANCE, STATED) else known
    if facts == YOUNG:
        one = _young_claim()
        yield one
        more = [h for h in more if not h.expr.has(OFF * SLOPE_OFF)]
        more.append(Hypothesis(one.label["part"], one.claim.right - one.claim.left))
    yield about(claim_of(read, relation, [*given_of(read, strict), *known, *more]), "one iteration")


def given_of(read: Iteration, strict: frozenset[str]) -> list[Hypothesis]:
    """What the statement asks of an iteration, beyond the signs of the symbols."""
    return [
        Hypothesis(name, e, name in strict)
        for name, found in sorted(read.given.items())
        for e in sorted(found, key=str)
        if not e.is_nonnegative or (name in strict and not e.is_positive)
    ]


def claim_of(read: Iteration, relation: str, known: list[Hypothesis]) -> Claim:
    """The claim itself, with F(w_t) - F* and Gamma for the sum of the shares' losses."""
    rises = {SHARED: RISE + GAP}
    left, right = (e.xreplace(rises) for e in (read.left, read.right))
    given = [Hypothesis(h.name, sympy.expand(h.expr.xreplace(rises)), h.strict) for h in known]
    return Claim(left, right, relation, given)


def noise_claims(known: list[Hypothesis]) -> Iterator[ReadClaim]:
    """What definitions that bound a variance say of the mean of the noises."""
    facts = [Hypothesis(n, e) for n, e in assumed().items() if e.has(VARIANCE)]
    for h in known:
        for number, name in ((VARIANCE, "squared gradient"), (STATED, "noise")):
            if h.expr.coeff(number) == -1:
                yield about(Claim(NOISE**2, h.expr + number, "<=", [h, *facts]), name)


def _young_claim() -> ReadClaim:
    """Losses at the virtual average by those at the local models."""
    facts = assumed()
    names = "smoothness at w_t", "smoothness below"
    right = (1 + BETA * STEP) * (2 * STEP * OWN + OFF**2)
    given = [Hypothesis(n, facts[n]) for n in names]
    return about(Claim(2 * STEP * HERE, right, "<=", given), "losses at w_t")


def way_claims(spread: Spread) -> Iterator[ReadClaim]:
    """How far the clients are from the first model of the round, step by step."""
    told = [
        Hypothesis("earlier step", spread.factor * STEP - EARLIER),
        Hypothesis("earlier gradient", spread.square - TOLD**2),
    ]
    one = sympy.Integer(1)
    yield about(Claim((EARLIER * TOLD) ** 2, spread.bound(one), "<=", told), "a local step")
    before = Hypothesis("mean of the local steps before", spread.bound(one) - WAY**2)
    more = Hypothesis("a local step", spread.bound(one) - TOLD**2)
    made = (MADE * WAY + TOLD) / (MADE + 1)
    yield about(Claim(made**2, spread.bound(one), "<=", [before, more]), "one more local step")
    parts = [
        Hypothesis("way", spread.bound(MADE) - MIDDLE**2 - OFF**2),
        Hypothesis("steps of a round", MORE - MADE),
    ]
    yield about(Claim(MIDDLE**2 + OFF**2, spread.bound(MORE), "<=", parts), "way")


def completed(claim: Claim) -> list[Expr]:
    """What a square may be completed of where a product of two vectors is bounded by squares."""
    pairs = [(SLOPE_OFF, OFF), (SLOPE, MIDDLE)]
    met = [p for p in pairs if any({*p} <= e.free_symbols for e in said(claim))]
    forms = [way + sign * STEP * slope for slope, way in met for sign in (1, -1)]
    return [STEP * SLOPE, *forms] if forms else []


def about(claim: Claim, part: str) -> ReadClaim:
    """The claim with its label, and the vectors that it names."""
    named = {s for e in said(claim) for s in e.free_symbols}
    return ReadClaim({"part": part}, claim, tuple(str(s) for s in VECTORS if s in named))
