r"""How far clients are apart where steps fall like one over the time, whatever their number.

Let :math:`1/\eta_t = a + bt`, let a round begin at time r, and let it have E steps.

- If :math:`b(E-1)\le a`, or :math:`r\ge E`, no step of the round is more than twice a later one,
  and the clients have gone at most :math:`2(E-1)\eta_tG` in mean square.
- Else the round is the first one, so that :math:`t\le E` wherever rounds begin.  As gradients
  are in mean square at most G, each client is within :math:`G/\mu` of its own minimiser, when the
  round begins and now, so that it has gone at most :math:`2G/\mu`.

Either way the spread of the clients is at most :math:`16E^2\eta_t^2G^2`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.iterations.claims import Spread, about
from verify.reading.iterations.names import (
    BEHIND,
    BEHIND_FIRST,
    MORE,
    MU,
    OFF,
    SLOPE,
    SLOPE_OFF,
    STEP,
    TIME,
    TOLD,
    VARIANCE,
    Expr,
)
from verify.reading.iterations.reading import Iteration
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable

THEN, SINCE = sympy.symbols("time_then iterations_since", nonnegative=True)
"""Time of an earlier step of the round, and how many iterations later this one is."""
GONE = sympy.Symbol("squared_way", nonnegative=True)
"""Mean squared way of the clients since the round began."""

__all__ = ["FallingSteps", "falling_spread", "own_facts"]


def own_facts() -> dict[str, Expr]:
    """What strong convexity says of gradients by the way to the client's own minimiser."""
    return {
        "gradient": SLOPE**2 + SLOPE_OFF**2 - MU**2 * BEHIND**2,
        "gradient at w_0": TOLD**2 - MU**2 * BEHIND_FIRST**2,
    }


@dataclass(frozen=True)
class FallingSteps(Spread):
    """The same with steps that fall like one over the time.

    Attributes
    ----------
    step : expression
        Of the iteration, in the time.
    """

    step: Expr

    def of_clients(self) -> Expr:
        """Bound on the mean squared distance of the clients from their mean."""
        return 16 * (MORE + 1) ** 2 * STEP**2 * self.square

    def claims(self) -> Iterator[ReadClaim]:
        """Why that is so."""
        slope, first = _line(self.step)
        now, then = (self.step.xreplace({TIME: t}) for t in (THEN + SINCE, THEN))
        since = Hypothesis("steps of a round", MORE - SINCE)
        few = Hypothesis("few local steps", first - slope * MORE)
        later = Hypothesis("a later round", THEN - MORE - 1)
        for name, known in (("few local steps", few), ("a later round", later)):
            yield about(Claim(then, self.factor * now, "<=", [since, known]), f"steps, {name}")
        yield from super().claims()
        ways = Claim(self.bound(MORE), self.of_clients(), "<=", [])
        yield about(ways, "spread of steps that halve at most")
        yield from self._many(first, slope)

    def _many(self, first: Expr, slope: Expr) -> Iterator[ReadClaim]:
        """The first round, of many local steps."""
        facts = own_facts()
        known = [
            Hypothesis("gradient", facts["gradient"]),
            Hypothesis("squared gradient", self.square - SLOPE**2 - SLOPE_OFF**2 - VARIANCE),
            Hypothesis("gradient at w_0", facts["gradient at w_0"]),
            Hypothesis("squared gradient at w_0", self.square - TOLD**2),
        ]
        way = (BEHIND - BEHIND_FIRST) ** 2
        yield about(Claim(MU**2 * way, 4 * self.square, "<=", known), "way between two models")
        own = self.of_clients().xreplace({STEP: self.step})
        left = [
            Hypothesis("way between two models", 4 * self.square - MU**2 * GONE),
            Hypothesis("many local steps", slope * MORE - first),
            Hypothesis("the first round", MORE + 1 - TIME),
            Hypothesis("mean of the ways", GONE - OFF**2),
        ]
        yield about(Claim(OFF**2, own, "<=", left), "spread, first of many local steps")


def falling_spread(read: Iteration, step: Expr | None) -> FallingSteps | None:
    """What is said of steps and gradients, if steps fall and a gradient is bounded."""
    if step is None:
        return None
    try:
        _line(step)
    except NotReadable:
        return None
    square = {sympy.expand(e + TOLD**2) for e in read.earlier}
    now = {sympy.expand(e + SLOPE**2 + SLOPE_OFF**2 + VARIANCE) for e in read.defined}
    both = sorted((e for e in square & now if e.is_Symbol and e.is_nonnegative), key=str)
    return FallingSteps(sympy.Integer(2), both[0], step) if both else None


def _line(step: Expr) -> tuple[Expr, Expr]:
    """How one over the step grows with the time, and from where."""
    over = sympy.expand(sympy.cancel(1 / step))
    slope, first = over.coeff(TIME), over.coeff(TIME, 0)
    if sympy.expand(slope * TIME + first - over) != 0 or not (
        slope.is_positive and first.is_positive
    ):
        raise NotReadable("steps that do not fall like one over the time")
    return slope, first
