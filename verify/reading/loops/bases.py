r"""What is known of powers :math:`b^K` and of exponentials, from what is known of b.

For :math:`0\le b\le1` and any whole :math:`K\ge1`

.. math:: 0\le b^K\le1, \qquad b^K \ge 1 - K(1-b),

sums of powers :math:`\sum_{j<K}b^{pj}` are at least 1, at most K and at most
:math:`\sum_jb^j\le1/(1-b)`, powers are in the order of their bases, and :math:`b\le1-y` implies
:math:`b^K\le e^{-yK}`, as :math:`1-y\le e^{-y}`.  As :math:`\ln X\ge1-1/X`, logarithms of numbers
above one are positive; and if :math:`\ln X\le(1-b)K`, then :math:`Xb^K\le1`.  The same of
:math:`b^{2K}`, with twice the rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.loops.closed import RoundPowers
from verify.reading.loops.points import Points
from verify.reading.parts.claim import Claim

Expr = Any  # sympy carries no types

__all__ = ["POSITIVE", "PowersKnown", "known_of_powers", "rules"]

POSITIVE = "a smallest or largest value above zero"
ZERO, ONE = sympy.Integer(0), sympy.Integer(1)


@dataclass
class PowersKnown:
    """What is known of powers.

    Attributes
    ----------
    claims : list of (str, Claim)
        About bases, on which it rests.
    facts : list of Hypothesis
    """

    claims: list[tuple[str, Claim]] = field(default_factory=list)
    facts: list[Hypothesis] = field(default_factory=list)


def rules(rounds: Expr) -> Iterator[tuple[str, Claim]]:
    """What is used of every base, as claims."""
    base, rate = sympy.Symbol("base", real=True), sympy.Symbol("rate", real=True)
    within = [Hypothesis("base", base), Hypothesis("base at most one", 1 - base)]
    yield "power at most one", Claim(base**rounds, ONE, "<=", within)
    yield "Bernoulli", Claim(1 - rounds * (1 - base), base**rounds, "<=", within)
    known = [Hypothesis("a rate", 1 - rate - base)]
    yield "exponential", Claim(base, sympy.exp(-rate), "<=", known)


def known_of_powers(
    powers: RoundPowers,
    rates: Mapping[Expr, Expr],
    shrunk: Mapping[Expr, Expr],
    logs: Mapping[Expr, Expr],
    rounds: Expr,
    known: Sequence[Hypothesis],
    full: Mapping[Expr, Expr],
) -> PowersKnown:
    """Claims about bases, and facts about powers that follow.

    Parameters
    ----------
    powers : RoundPowers
    rates : mapping
        The symbol of each exponential exp(-y K), with y.
    shrunk : mapping
        The symbol of each exponential exp(-y), with y.
    logs : mapping
        The symbol of each logarithm, with what it is of.
    rounds : symbol
    known : sequence of Hypothesis
        In which symbols of smallest and largest values are replaced.
    full : mapping
        What they are replaced by.
    """
    made, seen = PowersKnown(), Points(known, {})
    known = list(known)

    def learn(name: str, low: Expr, high: Expr, *facts: Hypothesis) -> bool:
        gap = high - low
        if not seen.hold(gap):
            return False
        strict = any(h.strict for h in facts)
        made.claims.append((name, Claim(low, high, "<" if strict else "<=", [*known])))
        made.facts.extend(facts)
        return True

    def at(e: Expr) -> Expr:
        return e.xreplace(full).xreplace(full)

    for symbol, e in logs.items():
        strict = any(h.strict and h.expr.free_symbols >= at(e).free_symbols for h in known)
        fact = Hypothesis(f"{symbol} above zero", symbol, strict)
        if learn(fact.name, ZERO, 1 - 1 / at(e), fact):
            known.append(fact)
    seen = Points(known, {})
    here = {}
    for base, power in powers.symbols.items():
        if learn(f"{power}: base", ZERO, at(base)) and learn(
            f"{power}: base at most one", at(base), ONE
        ):
            here[base] = power
            made.facts += [
                Hypothesis(f"{power} at most one", 1 - power),
                Hypothesis(f"{power}: Bernoulli", power - 1 + rounds * (1 - base)),
            ]
    for (base, times), total in powers.series.items():
        if base in here:
            made.facts += [
                Hypothesis(f"{total} at most so many ones", rounds - total),
                Hypothesis(f"{total} at least one", total - 1),
                Hypothesis(f"{total} summed up", 1 - (1 - base) * total),
                Hypothesis(
                    f"{total} and its power", 1 - (1 - base**times) * total - here[base] ** times
                ),
                Hypothesis(
                    f"{total} and its power, from above",
                    (1 - base**times) * total - 1 + here[base] ** times,
                ),
            ]
    for base, power in here.items():
        for other, greater in here.items():
            if power != greater:
                fact = Hypothesis(f"{power} at most {greater}", greater - power)
                learn(f"{power} and {greater} in order", at(base), at(other), fact)
        for symbol, rate in rates.items():
            if learn(
                f"{power} and {symbol}",
                at(rate),
                1 - at(base),
                Hypothesis(f"{power} at most {symbol}", symbol - power),
            ):
                continue
            learn(
                f"{power}**2 and {symbol}",
                at(rate),
                2 * (1 - at(base)),
                Hypothesis(f"{power}**2 at most {symbol}", symbol - power**2),
            )
        for symbol, e in logs.items():
            if learn(
                f"{power} and {symbol}",
                symbol,
                rounds * (1 - at(base)),
                Hypothesis(f"{power} times what {symbol} is of", 1 - e * power),
            ):
                continue
            learn(
                f"{power}**2 and {symbol}",
                symbol,
                2 * rounds * (1 - at(base)),
                Hypothesis(f"{power}**2 times what {symbol} is of", 1 - e * power**2),
            )
    for symbol, value in full.items():
        if not symbol.is_positive and value not in logs:
            learn(f"{symbol} above zero", ZERO, at(value), Hypothesis(POSITIVE, symbol, True))
    for symbol, rate in {**rates, **shrunk}.items():
        learn(f"{symbol}: rate", ZERO, at(rate), Hypothesis(f"{symbol} at most one", 1 - symbol))
    return made
