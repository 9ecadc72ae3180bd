r"""Claims about any number of iterations: a bound that each iteration hands on to the next.

Let the step before time t be :math:`\eta_t`, and let a statement say
:math:`m\,\mathbb E[F(w_{t+1})-F^\star] \le R(t)`.  With :math:`U(t) = 2R(t)/(mL)` it follows for
all t from

- :math:`\|w_0-w^\star\|^2 \le U(-1)`,
- :math:`\Delta_{t+1} \le f_t\Delta_t + r_t`, what one iteration does, with
  :math:`f_t = 1-\eta_t\mu(1+c\bar\rho)`, for :math:`\Delta_t = \mathbb E\|w_t-w^\star\|^2`,
- :math:`0 \le f_t` and :math:`f_tU(t-1) + r_t \le U(t)`, so that U is handed on, and
- :math:`F(w)-F^\star \le \frac L2\|w-w^\star\|^2`.

A run that never leaves its start is seen after one iteration: its gradients under the weights
vanish, and nothing is said of how many iterations there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.iterations.claims import (
    LOSSES,
    Spread,
    about,
    assumed,
    claim_of,
    given_of,
    iteration_claims,
    spread_of,
)
from verify.reading.iterations.falling import falling_spread
from verify.reading.iterations.falling_rounds import alike_iteration, alike_iteration_claims
from verify.reading.iterations.names import (
    AWAY,
    BETA,
    GAP,
    HERE,
    IDEAL,
    LEAST_SHARE,
    MORE,
    MU,
    NOISE,
    NUMBERS,
    OFF,
    RISE,
    RISEN,
    ROUNDS,
    SHARED,
    SLOPE,
    SLOPE_OFF,
    SQUARES,
    START,
    STEP,
    TIME,
    VARIANCE,
    VECTORS,
    Expr,
)
from verify.reading.iterations.reading import Iteration
from verify.reading.iterations.rounds import distance_after, low_at_first
from verify.reading.iterations.shares import most_of_shares, share_claims, shares_as_weights
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable

DISTANCE = sympy.Symbol("squared_distance", nonnegative=True)
"""Mean squared distance from the minimiser before an iteration."""
LATER = sympy.Symbol("squared_distance_after", nonnegative=True)
FACTOR = sympy.Symbol("factor", nonnegative=True)
REST, BEFORE, AFTER = sympy.symbols("rest bound_before bound_after", real=True)

__all__ = ["alike_many_claims", "factors_of", "many_claims", "resting_claims"]


def many_claims(
    read: Iteration, step: Expr, strict: frozenset[str], share: Expr
) -> Iterator[ReadClaim]:
    """Claims that together are what a statement says after any number of iterations.

    Parameters
    ----------
    read : Iteration
    step : expression
        The step of the iteration, in the time.
    strict : set of str
        Names of hypotheses that are strict.
    share : number
        c.

    Raises
    ------
    NotReadable
        Where the statement is about something else.
    """
    spread = spread_of(read) or falling_spread(read, step)
    if spread is None:
        raise NotReadable("clients whose spread has no bound")
    factor, rest = _iteration(read, share, spread)
    shares = yield from share_claims(read)
    if read.early:
        yield from shares_as_weights(read)
    one = replace(read, left=distance_after(), right=factor * AWAY**2 + rest, given={})
    yield from iteration_claims(one, "<=", strict, LOSSES, spread, shares)
    given = _of_constants(read, [*given_of(read, strict), *shares])
    yield from _handed_on(read, step, factor, rest, given)


def alike_many_claims(read: Iteration, step: Expr, strict: frozenset[str]) -> Iterator[ReadClaim]:
    """The same where one point minimises all losses, and rho-bar is known where rounds begin.

    Parameters
    ----------
    read : Iteration
    step : expression
        The step of the iteration, in the time.
    strict : set of str
        Names of hypotheses that are strict.

    Raises
    ------
    NotReadable
        Where the statement is about something else.
    """
    spread = falling_spread(read, step)
    if spread is None:
        raise NotReadable("clients whose spread has no bound")
    factor, rest = alike_iteration(read, spread)
    yield from alike_iteration_claims(read, strict, spread)
    low = low_at_first(read.begun.get("", ()))
    given = [
        Hypothesis("largest rho-bar", BETA - low * MU),
        Hypothesis("mu at most beta", assumed()["mu at most beta"]),
    ]
    yield from _handed_on(read, step, factor, rest, given)


def _handed_on(
    read: Iteration, step: Expr, factor: Expr, rest: Expr, given: list[Hypothesis]
) -> Iterator[ReadClaim]:
    """That the bound of the statement is handed on by what one iteration does."""
    times = read.left.coeff(RISEN)
    if not times.is_positive or read.left != times * RISEN:
        raise NotReadable("a left side that is no loss after an iteration")
    if read.right.has(*VECTORS, *NUMBERS, STEP):
        raise NotReadable("a bound that depends on the run")
    right = read.right.xreplace({ROUNDS: TIME + 1})

    def bound(time: Expr) -> Expr:
        return 2 * right.xreplace({TIME: time}) / (times * BETA)

    yield about(Claim(START, bound(sympy.Integer(-1)), "<=", given), "the start")
    factor, rest = (e.xreplace({STEP: step}) for e in (factor, rest))
    yield about(Claim(sympy.Integer(0), factor, "<=", given), "factor")
    handed = factor * bound(TIME - 1) + rest
    yield about(Claim(handed, bound(TIME), "<=", given), "one more iteration")
    known = [
        Hypothesis("one iteration", FACTOR * DISTANCE + REST - LATER),
        Hypothesis("before", BEFORE - DISTANCE),
        Hypothesis("one more iteration", AFTER - FACTOR * BEFORE - REST),
    ]
    yield about(Claim(LATER, AFTER, "<=", known), "handed on")
    end = [
        Hypothesis("bound", bound(TIME) - LATER),
        Hypothesis("smoothness of F", BETA * LATER / 2 - RISEN),
    ]
    yield about(Claim(read.left, right, "<=", end), "the end")
    if read.right.has(ROUNDS):
        counted = Hypothesis("rounds are no more than iterations", TIME + 1 - ROUNDS)
        yield about(Claim(right, read.right, "<=", [*given, counted]), "rounds")


def _of_constants(read: Iteration, known: list[Hypothesis]) -> list[Hypothesis]:
    """What is known of numbers that are the same at all times."""
    defined = [Hypothesis(f"defined {i}", e) for i, e in enumerate(sorted(read.defined, key=str))]
    random = (*VECTORS, *NUMBERS, STEP, TIME)
    more = [h for h in defined if not h.expr.has(*random)]
    name = "mu at most beta"
    curved = [Hypothesis(name, assumed()[name])] if more else []
    return [*(h for h in known if not h.expr.has(*random)), *more, *curved]


def factors_of(read: Iteration) -> list[Expr]:
    """Numbers that may be the share of rho-bar in the factor of a distance, the largest first."""
    low, _ = _ratios(read)
    found = {-e.coeff(low) for es in read.given.values() for e in es if e.has(low)}
    return sorted((c for c in {*found, sympy.Integer(1)} if 0 < c <= 1), reverse=True)


def resting_claims(read: Iteration, strict: frozenset[str]) -> Iterator[ReadClaim]:
    """The claim about runs that never leave their start, whatever the number of iterations."""
    still = dict.fromkeys((SLOPE, NOISE, OFF, SLOPE_OFF), sympy.Integer(0))
    known = {RISEN: RISE, MORE: sympy.Integer(0), **still}
    facts = [
        Hypothesis(n, e.xreplace({**known, SLOPE_OFF: SLOPE_OFF}))
        for n, e in assumed().items()
        if not e.has(VARIANCE, SQUARES)
    ]
    said = [Hypothesis(f"defined {i}", e) for i, e in enumerate(sorted(read.defined, key=str))]
    given = [h for h in (*given_of(read, strict), *said) if not h.expr.has(VARIANCE)]
    given += yield from share_claims(read)
    claim = claim_of(
        replace(read, left=read.left.xreplace(known), right=read.right.xreplace(known)),
        "<=",
        [*given, *facts],
    )
    yield about(claim, "at rest")


def _iteration(read: Iteration, share: Expr, spread: Spread) -> tuple[Expr, Expr]:
    """What one iteration does: the factor of the squared distance, and what is added."""
    low, high = _ratios(read)
    noise = spread.square * STEP**2 + STEP * BETA * spread.of_clients()
    return 1 - STEP * MU * (1 + share * low), noise + 2 * STEP * GAP * (high - low)


def _ratios(read: Iteration) -> tuple[Expr, Expr]:
    """Numbers of which one is at most rho at w_t, the other at least rho at w*."""
    lows = [-e.coeff(SHARED) for e in read.defined if e.coeff(HERE) == 1]
    highs = [e.coeff(GAP) for e in read.defined if e.coeff(IDEAL) == -1]
    lows, highs = ([e for e in found if read.right.has(e)] for found in (lows, highs))
    if read.right.has(LEAST_SHARE):
        highs.append(most_of_shares(read))
    if len(lows) != 1 or len(highs) != 1:
        raise NotReadable("a claim about no ratios of losses")
    return lows[0], highs[0]
