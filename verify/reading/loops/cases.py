"""Which of two values is the larger one, in cases: in each a smallest value is one of them.

In a case each smallest or largest value is known.  Where that is made of what the powers are made
of, it takes the symbol's place; where it is a multiple of a logarithm, the logarithm's symbol gives
way; else the symbol stays, and of it is known on which side of both values it lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.loops.parts import Parts
from verify.reading.parts.factored import factors_of
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types

MOST = 3
"""Conditions that are answered in both ways."""

__all__ = ["PickCase", "cases"]


@dataclass(frozen=True)
class PickCase:
    """One answer to each condition.

    Attributes
    ----------
    name : str
    picks : dict
        What each symbol of a smallest or largest value is.
    given : list of Hypothesis
        What the answers say.
    """

    name: str
    picks: Mapping[Expr, Expr]
    given: list[Hypothesis]


def cases(parts: Parts, known: Sequence[Hypothesis] = ()) -> Iterator[PickCase]:
    """All cases of the smallest and largest values among some parts that may happen.

    Parameters
    ----------
    parts : Parts
    known : sequence of Hypothesis
        By which some conditions are answered.
    """
    facts = {_condition(h.expr) for h in known}
    conditions: dict[Expr, None] = {}
    asked: list[tuple[Expr, Expr, int]] = []
    for part, symbol in parts.symbols.items():
        if not isinstance(part, sympy.Min | sympy.Max):
            continue
        if len(part.args) != 2:
            raise NotReadable("the smallest or largest of more than two values")
        condition, sign = _condition(part.args[0] - part.args[1])
        conditions.setdefault(condition)
        asked.append((part, symbol, sign))
    if len(conditions) > MOST:
        raise NotReadable("too many cases")
    answered = [
        (True,) if (c, 1) in facts else (False,) if (c, -1) in facts else (True, False)
        for c in conditions
    ]
    for answers in product(*answered):
        told = dict(zip(conditions, answers, strict=True))
        picks = {}
        for part, symbol, sign in asked:
            condition, _ = _condition(part.args[0] - part.args[1])
            first_larger = told[condition] == (sign > 0)
            one, other = part.args
            picks[symbol] = one if first_larger == isinstance(part, sympy.Max) else other
        given = [
            Hypothesis(f"{c} {'>=' if answer else '<='} 0", c if answer else -c)
            for (c, answer), ways in zip(told.items(), answered, strict=True)
            if len(ways) > 1
        ]
        yield PickCase("".join(str(int(a)) for a in answers), picks, given)


@lru_cache(maxsize=2_000)
def _condition(gap: Expr) -> tuple[Expr, int]:
    """A formula of the sign of a difference, up to a sign, without positive factors."""
    over, under = sympy.fraction(sympy.together(gap))
    if not under.is_positive:
        return gap, 1
    number, factors = factors_of(over)
    kept = sympy.Mul(*(f for f, n in factors if not (f.is_positive or n % 2 == 0)))
    if any(n % 2 == 0 and not f.is_positive for f, n in factors):
        return gap, 1
    kept = sympy.expand(kept)
    first = min(sympy.Add.make_args(kept), key=str)
    sign = -1 if first.could_extract_minus_sign() else 1
    return sympy.expand(sign * kept), sign * (1 if number > 0 else -1)
