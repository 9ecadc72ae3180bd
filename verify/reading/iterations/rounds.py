r"""Claims about an iteration where ratios of losses are known where its round begins.

Let :math:`w_0` be the first model of the round, and let one point minimise every loss.  Then no
local step leads away from it in the mean but by its noise, so that after j of them, all at most
:math:`\lambda` times the step :math:`\eta` of this iteration,

.. math:: \mathbb E\sum_i\alpha_i\|w^i-w^\star\|^2
          \le \mathbb E\|w_0-w^\star\|^2 + j(\lambda\eta G)^2 ,

by induction: it is so for j = 0, and one local step adds at most that much.  Smoothness between the
local models and the first one bounds the losses there, of which rho-bar is known, by those at the
local models.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.iterations.claims import (
    MADE,
    Spread,
    about,
    assumed,
    given_of,
    noise_claims,
    spread_of,
    way_claims,
)
from verify.reading.iterations.names import (
    AWAY,
    BETA,
    EARLIER,
    FIRST,
    FROM,
    GAP,
    HERE,
    IDEAL,
    MIDDLE,
    MORE,
    MU,
    NOISE,
    OFF,
    OWN,
    SHARED,
    SHARED_FIRST,
    SLOPE,
    SLOPE_OFF,
    STATED,
    STEP,
    TOLD,
    VARIANCE,
    Expr,
)
from verify.reading.iterations.reading import Iteration
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable

LATER = sympy.Symbol("squared_distance_after", nonnegative=True)
WAYS = MIDDLE**2 + OFF**2
"""The mean squared way of a client since its round began."""

__all__ = [
    "LATER",
    "WAYS",
    "alike_right",
    "at_first",
    "distance_after",
    "first_facts",
    "low_at_first",
    "round_claims",
]


def first_facts() -> dict[str, Expr]:
    """What the assumptions say of the first model of the round, not negative.

    The second and the third need one minimiser of all losses.
    """
    along = SLOPE * MIDDLE + SLOPE_OFF * OFF
    return {
        "smoothness at w_0": OWN - along + BETA * WAYS / 2 - FIRST,
        "smoothness at w*": BETA * FROM**2 / 2 - FIRST,
        "strong convexity of F": SHARED_FIRST - MU * FROM**2 / 2,
    }


def round_claims(read: Iteration, strict: frozenset[str]) -> Iterator[ReadClaim]:
    """Claims that together are what a statement says of the distance after any iteration.

    Parameters
    ----------
    read : Iteration
        On losses with one minimiser.
    strict : set of str
        Names of hypotheses that are strict.

    Raises
    ------
    NotReadable
        Where the statement is about something else.
    """
    spread = spread_of(read)
    after = distance_after()
    if spread is None or sympy.expand(read.left - after) != 0:
        raise NotReadable("a claim about something else than the distance after an iteration")
    yield from way_claims(spread)
    yield from _drift_claims(spread)
    known = yield from at_first(read, strict)
    last = [
        *known[:2],
        Hypothesis("way", spread.bound(MORE) - WAYS),
        Hypothesis("away", _away(spread, MORE) - AWAY**2 - OFF**2),
        *known[2:],
        *given_of(read, strict),
    ]
    yield about(Claim(LATER, alike_right(read), "<=", last), "one iteration")


def distance_after() -> Expr:
    """The squared distance from the minimiser after an iteration, in the mean."""
    return sympy.expand((AWAY - STEP * SLOPE) ** 2 + STEP**2 * NOISE**2)


def alike_right(read: Iteration) -> Expr:
    """The right side where one point minimises all losses.

    Raises
    ------
    NotReadable
        Where it depends on the losses at the virtual average.
    """
    if read.right.has(HERE, SHARED, STATED, VARIANCE):
        raise NotReadable("a bound by the losses at the virtual average")
    return read.right.xreplace({GAP: sympy.Integer(0), IDEAL: sympy.Integer(0)})


def at_first(
    read: Iteration, strict: frozenset[str]
) -> Generator[ReadClaim, None, list[Hypothesis]]:
    """What is known whatever the way since the round began.

    Parameters
    ----------
    read : Iteration
    strict : set of str
        Names of hypotheses that are strict.
    """
    begun = [
        Hypothesis(f"{name or 'defined'}, when the round begins", e, name in strict)
        for name, found in sorted(read.begun.items())
        for e in sorted(found, key=str)
    ]
    facts = {n: Hypothesis(n, e) for n, e in {**assumed(), **first_facts()}.items()}
    ratio = yield from _ratio_claim(begun, facts)
    losses = _losses(facts)
    yield losses
    known = [Hypothesis(f"defined {i}", e) for i, e in enumerate(sorted(read.defined, key=str))]
    noise = []
    for one in noise_claims(known):
        yield one
        noise.append(_said(one))
    convex = facts["strong convexity at w*"].expr.xreplace({IDEAL: sympy.Integer(0)})
    before = [Hypothesis("strong convexity at w*", convex), facts["smoothness below"]]
    right = (1 - STEP * MU) * AWAY**2 + OFF**2 - 2 * STEP * (1 - 2 * BETA * STEP) * OWN
    first = Claim(distance_after(), right + STEP**2 * NOISE**2, "<=", before)
    yield about(first, "before rho-bar")
    return [
        Hypothesis("before rho-bar", sympy.expand(first.right - LATER)),
        _said(losses),
        ratio,
        facts["strong convexity of F"],
        *noise,
        *(h for h in begun if not h.expr.has(FROM)),
    ]


def _away(spread: Spread, steps: Expr) -> Expr:
    """Bound on the mean squared distance from the minimiser after so many local steps."""
    return FROM**2 + steps * spread.bound(sympy.Integer(1))


def _drift_claims(spread: Spread) -> Iterator[ReadClaim]:
    """One local step from any models, and all that were made."""
    known = [
        Hypothesis("strong convexity at w*", AWAY * SLOPE - OWN - MU * AWAY**2 / 2),
        Hypothesis("local steps before", _away(spread, MADE) - AWAY**2),
        Hypothesis("earlier step", spread.factor * STEP - EARLIER),
        Hypothesis("earlier gradient", spread.square - TOLD**2),
    ]
    moved = AWAY**2 - 2 * EARLIER * AWAY * SLOPE + EARLIER**2 * TOLD**2
    yield about(Claim(moved, _away(spread, MADE + 1), "<=", known), "a local step from w*")
    made = [
        Hypothesis("local steps", _away(spread, MADE) - AWAY**2 - OFF**2),
        Hypothesis("steps of a round", MORE - MADE),
    ]
    yield about(Claim(AWAY**2 + OFF**2, _away(spread, MORE), "<=", made), "away")


def low_at_first(begun: Iterable[Expr]) -> Expr:
    """The number of which rho is at least that where rounds begin.

    Parameters
    ----------
    begun : iterable of expressions
        What is known of the first model of a round, not negative.

    Raises
    ------
    NotReadable
        Where there are none or several.
    """
    lows = [-e.coeff(SHARED_FIRST) for e in begun if e.coeff(FIRST) == 1]
    if len(lows) != 1:
        raise NotReadable("a claim about no ratio of losses where rounds begin")
    return lows[0]


def _ratio_claim(
    begun: list[Hypothesis], facts: dict[str, Hypothesis]
) -> Generator[ReadClaim, None, Hypothesis]:
    """That rho-bar is at most the ratio of smoothness and convexity, where w_0 is not w*."""
    low = low_at_first(h.expr for h in begun)
    names = "smoothness at w*", "strong convexity of F"
    given = [h for h in begun if h.expr.has(FROM, FIRST)] + [facts[n] for n in names]
    one = about(Claim(low * MU, BETA, "<=", given), "largest rho-bar")
    yield one
    return _said(one)


def _losses(facts: dict[str, Hypothesis]) -> ReadClaim:
    """The losses at the first model by those at the local models."""
    right = (1 + BETA * STEP) * (2 * STEP * OWN + WAYS)
    given = [facts[n] for n in ("smoothness at w_0", "smoothness below")]
    return about(Claim(2 * STEP * FIRST, right, "<=", given), "losses at w_0")


def _said(one: ReadClaim) -> Hypothesis:
    """A claim as what is known later."""
    return Hypothesis(one.label["part"], one.claim.right - one.claim.left)
