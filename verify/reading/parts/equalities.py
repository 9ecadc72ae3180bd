"""Hypotheses that say that two numbers are equal, as polynomials in the numbers of an instance.

A margin such as ``-abs(x**2 + y**2 - 1)`` is never above zero: the hypothesis is an equality.  So
are two margins that are each other's negative.  Which hypotheses can be is asked of numbers first,
what they say is then read from the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.numbers.symbolic import NotReadable
from bounds.numbers.validate import unchecked
from verify.claim.parameters import Shape, plain_numbers
from verify.claim.statement import Statement
from verify.limits.clock import OutOfTime, at_most
from verify.reading.parts.refusals import asked
from verify.reading.parts.symbols import formula, symbol_values
from verify.verdict.relation import differs
from verify.world.noise_plan import WITHOUT_VALUE, AllOutcomes
from verify.world.returned import margins_of
from verify.world.world import World

__all__ = ["Entry", "Equality", "equalities"]

Entry = tuple[str, tuple[int, ...]]
"""A parameter's name and the place of one of its numbers."""

Equality = Mapping[tuple[tuple[Entry, int], ...], Fraction]
"""A polynomial that is zero: the coefficient of each product of powers."""

POINTS = 16
"""Random points at which a margin that is an equality is never above zero."""
READING = 2.0
"""Seconds of processor time for reading them: sympy may take for ever over an absolute value."""
MOST_NUMBERS = 64
"""Numbers of an instance up to which its hypotheses are read: a symbol takes its time."""


def equalities(statement: Statement, shape: Shape) -> list[Equality]:
    """What a statement on plain numbers assumes to be equal, where that is a polynomial.

    Parameters
    ----------
    statement : Statement
    shape : mapping
        One shape of its family.

    Returns
    -------
    list of polynomials
        Each of which is zero on every instance that meets the hypotheses; empty where none is
        found. A root of such a polynomial may still miss the hypothesis, of which it is a square.
    """
    family = statement.family
    plain = family.build is plain_numbers and statement.given
    if not plain or not 0 < family.width(shape) <= MOST_NUMBERS:
        return []
    try:
        chosen = _never_above(statement, shape)
        if not chosen:
            return []
        import sympy  # noqa: F401  (loading it is not charged)

        with at_most(READING):
            return list(_read(statement, shape, chosen))
    except (OutOfTime, NotReadable, *WITHOUT_VALUE):
        return []


def _never_above(statement: Statement, shape: Shape) -> list[tuple[str, ...]]:
    """Names of margins that are never above zero, alone or with another one."""
    rng = np.random.default_rng(5)
    u = rng.random((POINTS, statement.family.width(shape)))
    instance = statement.family.instance(statement.family.decode(u, shape), shape)
    world = World(instance, "float64", AllOutcomes(), statement.defines)
    with unchecked(), np.errstate(all="ignore"):
        found = {
            name: np.asarray(margin, dtype=float).reshape(-1)
            for name, margin in margins_of(statement, world).items()
        }
    strict = statement.strict
    names = [n for n, m in found.items() if n not in strict and len(m) == POINTS]
    alone = [(n,) for n in names if (found[n] <= 0).all() and (found[n] < 0).any()]
    pairs = [
        (one, other)
        for i, one in enumerate(names)
        for other in names[i + 1 :]
        if not differs(found[one], -found[other]).any() and found[one].any()
    ]
    return [*alone, *pairs]


def _read(
    statement: Statement, shape: Shape, chosen: Sequence[tuple[str, ...]]
) -> Iterator[Equality]:
    import sympy

    values = symbol_values(statement.family.box, shape)
    symbols = {
        entry.expr: (name, place[1:])
        for name, value in values.items()
        for place, entry in np.ndenumerate(value)
    }
    named = {name for names in chosen for name in names}
    asked_for = replace(statement, given=[item for item in statement.given if item.name in named])
    with asked():
        instance = statement.family.instance(values, shape)
        world = World(instance, "symbolic", AllOutcomes(), statement.defines)
        margins = margins_of(asked_for, world)
    for names in chosen:
        try:
            read = [formula(np.asarray(margins[name], dtype=object).item()) for name in names]
        except (NotReadable, ValueError):
            continue
        inner = read[0] if len(names) == 2 else _zero_where(read[0])
        if inner is None or (len(names) == 2 and sympy.expand(read[0] + read[1]) != 0):
            continue
        top = sympy.fraction(sympy.together(_squared(inner)))[0]
        if not top.free_symbols or not top.is_polynomial(*top.free_symbols):
            continue
        found = _terms(sympy.Poly(top, *top.free_symbols), symbols)
        if found:
            yield found


def _zero_where(margin: Any) -> Any:
    """The expression whose zeros are where a margin ``-c abs(p)`` or ``-c p^2`` is not negative."""
    import sympy

    number, rest = margin.as_coeff_Mul()
    if not number.is_negative:
        return None
    if isinstance(rest, sympy.Abs):
        return rest.args[0]
    if rest.is_Pow and rest.exp.is_positive and (rest.exp.is_even or rest.base.is_nonnegative):
        return _zero_where(-rest.base) or rest.base
    return None


def _squared(expr: Any) -> Any:
    """``sqrt(q) - c`` without its root, ``q - c**2``: its zeros are among those of the latter."""
    import sympy

    roots = [t for t in sympy.Add.make_args(expr) if _rooted(t)]
    if len(roots) != 1:
        return expr
    return roots[0] ** 2 - (expr - roots[0]) ** 2


def _rooted(term: Any) -> bool:
    """Whether a term is a square root with a factor."""
    import sympy

    return any(f.is_Pow and f.exp == sympy.Rational(1, 2) for f in sympy.Mul.make_args(term))


def _terms(poly: Any, symbols: Mapping[Any, Entry]) -> Equality:
    """A polynomial as plain numbers; empty where it has others than fractions."""
    if not all(c.is_Rational for c in poly.coeffs()) or set(poly.gens) - set(symbols):
        return {}
    return {
        tuple((symbols[g], n) for g, n in zip(poly.gens, powers, strict=True) if n): Fraction(
            int(c.p), int(c.q)
        )
        for powers, c in poly.terms()
    }
