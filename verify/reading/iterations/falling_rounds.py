r"""One iteration where rho-bar is known where rounds begin, of steps that fall over the time.

As in `verify.reading.iterations.rounds` for steps that halve at most within a round.  Else the
round is the first one, of many local steps (`verify.reading.iterations.falling`): each client has
gone at most :math:`2G/\mu`, and with :math:`1/\eta_s = a + bs` no local step leads away from the
minimiser but by its noise,

.. math:: \mathbb E\sum_i\alpha_i\|w_s^i-w^\star\|^2 \le \mathbb E\|w_0-w^\star\|^2 + G^2g(s),
          \qquad g(s) = \frac1b\Bigl(\frac1{a-b} - \frac1{a+b(s-1)}\Bigr) ,

by induction: g(0) = 0, and one local step adds at most :math:`\eta_s^2G^2`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.iterations.claims import about, assumed
from verify.reading.iterations.falling import THEN, FallingSteps
from verify.reading.iterations.names import (
    AWAY,
    BETA,
    EARLIER,
    FROM,
    MORE,
    MU,
    OFF,
    OWN,
    SLOPE,
    STATED,
    STEP,
    TIME,
    TOLD,
    Expr,
)
from verify.reading.iterations.reading import Iteration
from verify.reading.iterations.rounds import (
    LATER,
    WAYS,
    alike_right,
    at_first,
    distance_after,
    low_at_first,
    round_claims,
)
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable

FAR, DRIFT = sympy.symbols("largest_way drift", nonnegative=True)
"""Bounds on the mean squared way of the clients, and on what leads them away from w*."""
LEFT = sympy.Rational(3, 8)
"""Of rho-bar, with steps of at most 1/(4 beta)."""
SHORT = 1 - 4 * BETA * STEP

__all__ = ["alike_iteration", "alike_iteration_claims"]


def alike_iteration(read: Iteration, spread: FallingSteps) -> tuple[Expr, Expr]:
    """What one iteration does: the factor of the squared distance, and what is added."""
    low = low_at_first(read.begun.get("", ()))
    stated = [e + STATED for e in read.defined if e.coeff(STATED) == -1]
    if len(stated) != 1:
        raise NotReadable("noise whose variance has no bound")
    noise = 32 * (MORE + 1) ** 2 * spread.square + stated[0]
    return 1 - STEP * MU * (1 + LEFT * low), STEP**2 * noise


def alike_iteration_claims(
    read: Iteration, strict: frozenset[str], spread: FallingSteps
) -> Iterator[ReadClaim]:
    """Claims that together are what one iteration does."""
    factor, rest = alike_iteration(read, spread)
    right = factor * AWAY**2 + rest
    yield about(Claim(4 * BETA * spread.step, sympy.Integer(1), "<=", []), "short steps")
    yield from spread.claims()
    halving = frozenset({spread.factor * STEP - EARLIER, spread.square - TOLD**2})
    short = {"short steps": frozenset({SHORT})}
    one = replace(read, left=distance_after(), right=right, given=short, earlier=halving)
    yield from round_claims(one, strict)
    yield from _drift_claims(spread)
    yield _room(spread)
    first, losses, *known = yield from at_first(one, strict)
    room = 32 * (MORE + 1) ** 2 * STEP**2 * spread.square
    last = [
        first,
        losses,
        Hypothesis("way", FAR - WAYS),
        Hypothesis("away", FROM**2 + DRIFT - AWAY**2 - OFF**2),
        Hypothesis("room", room - 2 * FAR - LEFT * BETA * STEP * DRIFT),
        *known,
        Hypothesis("short steps", SHORT),
    ]
    part = "one iteration, first round of many local steps"
    yield about(Claim(LATER, alike_right(one), "<=", last), part)


def _drift(spread: FallingSteps, time: Expr) -> Expr:
    """g."""
    over = sympy.expand(sympy.cancel(1 / spread.step))
    slope, first = over.coeff(TIME), over.coeff(TIME, 0)
    return (1 / (first - slope) - 1 / (first + slope * (time - 1))) / slope


def _most(spread: FallingSteps) -> tuple[Expr, Expr]:
    """Bounds on the ways and the drift in the first round of many local steps."""
    return 4 * spread.square / MU**2, spread.square / (3 * MU * BETA)


def _drift_claims(spread: FallingSteps) -> Iterator[ReadClaim]:
    """Local steps of the first round, one by one."""
    known = [
        Hypothesis("strong convexity at w*", AWAY * SLOPE - OWN - MU * AWAY**2 / 2),
        Hypothesis("local steps before", FROM**2 + DRIFT - AWAY**2),
        Hypothesis("earlier gradient", spread.square - TOLD**2),
    ]
    moved = AWAY**2 - 2 * EARLIER * AWAY * SLOPE + EARLIER**2 * TOLD**2
    right = FROM**2 + DRIFT + EARLIER**2 * spread.square
    yield about(Claim(moved, right, "<=", known), "a falling local step from w*")
    curved = [Hypothesis("mu at most beta", assumed()["mu at most beta"])]
    then = spread.step.xreplace({TIME: THEN})
    more = then**2 + _drift(spread, THEN)
    yield about(Claim(more, _drift(spread, THEN + 1), "<=", curved), "one more falling step")
    most = _most(spread)[1]
    yield about(
        Claim(spread.square * _drift(spread, TIME), most, "<=", curved), "all falling steps"
    )


def _room(spread: FallingSteps) -> ReadClaim:
    """That the bounds leave room for them in the first round of many local steps."""
    over = sympy.expand(sympy.cancel(1 / spread.step))
    slope, start = over.coeff(TIME), over.coeff(TIME, 0)
    far, drift = _most(spread)
    known = [
        Hypothesis("many local steps", slope * MORE - start),
        Hypothesis("the first round", MORE + 1 - TIME),
    ]
    left = sympy.expand(2 * far + LEFT * BETA * STEP * drift).xreplace({STEP: spread.step})
    right = 32 * (MORE + 1) ** 2 * spread.step**2 * spread.square
    return about(Claim(left, right, "<=", known), "room")
