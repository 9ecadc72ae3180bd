r"""Steps that differ from round to round, and a bound that is handed on with them.

With the means :math:`e_T` of the values on which a condition was met so far, and the step
:math:`s_{T+1}` of a round, what holds of a round says

.. math:: e_{T+1} \le (1 - s_{T+1}\mu)e_T + n_{T+1}

if neither factor nor noise is negative: what is left out later was not negative.  So
:math:`e_T \le R_T` follows for all T from

- :math:`f(\theta^0) \le R_0`, which is positive, and
- :math:`(1 - s_{T+1}\mu)R_T + n_{T+1} \le R_{T+1}`, the first time from :math:`R_0`.

Steps and bounds are read as one over a number that grows by the same amount in every round.  Where
that is :math:`\\gamma + T` times something, with a delay of the variances, a symbol stands for the
delay, and that it is positive is a claim of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from bounds.numbers.formal_terms import extreme_type
from verify.certify.prover.prove import Hypothesis
from verify.reading.federations.limits import ALL, OWN, in_roots
from verify.reading.federations.reading import WeighedRuns
from verify.reading.federations.sums import ClientSums
from verify.reading.parts.factored import cancelled, factored
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import same

Expr = Any  # sympy carries no types

ROUNDS = sympy.Symbol("rounds", integer=True, positive=True)
DELAY = sympy.Symbol("delayed", positive=True)
GREATEST = "greatest"

__all__ = ["DELAY", "GREATEST", "ROUNDS", "Sizes", "read_sizes"]


@dataclass(frozen=True)
class Sizes:
    """Steps and bounds as one over a number that grows by the same amount.

    Attributes
    ----------
    steps, bounds : pairs of expressions
        By how much the number grows in a round, and what it is at none.
    greatest : list of Hypothesis
        That symbols for the greatest of several values are at least each of them.
    delay : expression or None
        What `DELAY` stands for, if it stands for anything.
    """

    steps: tuple[Expr, Expr]
    bounds: tuple[Expr, Expr]
    greatest: list[Hypothesis]
    delay: Expr | None = None

    @property
    def first(self) -> Expr:
        """The step of the first round."""
        return self.step(sympy.Integer(0))

    def step(self, rounds: Expr) -> Expr:
        """The step of the round after so many."""
        grows, begin = self.steps
        return factored(1 / (grows * (rounds + 1) + begin))

    def bound(self, rounds: Expr) -> Expr:
        """The bound after so many rounds."""
        grows, begin = self.bounds
        return factored(1 / (grows * rounds + begin))


def read_sizes(setting: WeighedRuns, right: Mapping[int, Expr]) -> Sizes:
    """Steps of any round, and the bound after any number of rounds.

    Parameters
    ----------
    setting : WeighedRuns
    right : mapping
        The right side after some numbers of rounds.

    Raises
    ------
    NotReadable
        Where they have another form.
    """
    longest = max(right)
    made = setting.sizes(longest)
    for t in right:
        if setting.sizes(t) != made[:t]:
            raise NotReadable("steps that depend on how many rounds follow")
    table: dict[Expr, Expr] = {}
    bounds = _growing({t: _without_greatest(e, table) for t, e in right.items()})
    plain = [in_roots(e, setting, ClientSums()) for e in made]
    steps = _growing({t + 1: e for t, e in enumerate(plain)})
    delay = cancelled(steps[1] / steps[0])
    late = bool(delay.free_symbols & {ALL, OWN})
    if late:
        if not same(delay * bounds[0], bounds[1]):
            raise NotReadable("a bound that is not delayed as the steps are")
        steps, bounds = ((grows, grows * DELAY) for grows in (steps[0], bounds[0]))
        table = {
            largest.func(*(_delayed(value, delay) for value in largest.args)): symbol
            for largest, symbol in table.items()
        }
    greatest = [
        Hypothesis(f"{symbol} against {value}", symbol - value)
        for largest, symbol in table.items()
        for value in largest.args
    ]
    every = (*steps, *bounds, *(h.expr for h in greatest))
    if any(e.atoms(sympy.Sum, sympy.Indexed) or e.free_symbols & {ALL, OWN} for e in every):
        raise NotReadable("steps or bounds of the variances beside a delay")
    return Sizes(steps, bounds, greatest, delay if late else None)


def _delayed(value: Expr, delay: Expr) -> Expr:
    """A value with a symbol for the delay, where it has that as a factor."""
    if not value.free_symbols & {ALL, OWN}:
        return value
    return cancelled(value / delay) * DELAY


def _without_greatest(e: Expr, table: dict[Expr, Expr]) -> Expr:
    """A formula with symbols for the greatest of several values."""
    for largest in sorted(e.atoms(sympy.Max), key=str):
        facts = {"positive": True} if largest.is_positive else {"real": True}
        table.setdefault(largest, sympy.Symbol(f"{GREATEST}{len(table)}", **facts))
    found = e.xreplace(table)
    if found.atoms(sympy.Max, sympy.Min, extreme_type()):
        raise NotReadable("a greatest value within another")
    return found


def _growing(found: Mapping[int, Expr]) -> tuple[Expr, Expr]:
    """By how much one over these numbers grows, and what it is at 0.

    Raises
    ------
    NotReadable
    """
    if any(e == 0 for e in found.values()):
        raise NotReadable("a step or a bound that is zero")
    over = {t: 1 / e for t, e in found.items()}
    grows = factored(cancelled(over[2] - over[1]))
    begin = factored(cancelled(over[1] - grows))
    for t, e in over.items():
        if not same(grows * t + begin, e):
            raise NotReadable("steps or bounds of another form in the number of rounds")
    return grows, begin
