"""Mends: small changes of a claim's right side, or a hypothesis more: each gives another claim.

They work on any callable and on every kind of number, so that the referee decides on the changed
claim as on any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim.hypothesis import Hypothesis
from verify.claim.statement import Sides, Statement
from verify.terms.claims import program_of
from verify.world.world import World

RIGHT, GIVEN = "right", "given"
"""What a mend makes anew beside symbols."""

Value = Callable[[Any], Any]
Terms = Callable[[World, dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Mend:
    """One change of a claim.

    Parameters
    ----------
    text : str
        What it makes of the right side; ``{}`` stands for its factor.
    size : int
        How much it says, where two change the right side equally.
    symbol : str
        Symbol of which the right side sees another value.
    value : callable or None
        Its value there.
    terms : callable or None
        World and named terms -> the changed terms.
    factor : Fraction or None
        Factor, for one that has one.
    part : str
        Term of the right side that is changed or comes in, and may be a bound by itself; of a
        hypothesis what it bounds.
    swapped : tuple of two str
        Symbols of which the right side sees each in the place of the other.
    given : Hypothesis or None
        A hypothesis that comes in.
    program : mapping of str to str
        The change as Python: the value of a symbol by its name, the changed terms under ``right``
        (of ``left`` and ``right``), the margin of a hypothesis under ``given``.
    tex : str
        The change in words with formulas, a symbol as ``<name>``.
    recipe : tuple
        Name of the function that makes it and what that is given, as JSON has it; see
        `verify.ladder.repair.recipes`.
    """

    text: str
    size: int
    symbol: str = ""
    value: Value | None = None
    terms: Terms | None = None
    factor: Fraction | None = None
    part: str = ""
    swapped: tuple[str, str] | tuple[()] = ()
    given: Hypothesis | None = None
    program: Mapping[str, str] = field(default_factory=dict, hash=False)
    tex: str = ""
    recipe: tuple[Any, ...] = field(default=(), hash=False)

    def __str__(self) -> str:
        return self.said(str(self.factor))

    def said(self, factor: str) -> str:
        """What the mend makes of the right side, its factor in these words."""
        # names may hold braces of their own, after the place of the factor
        return self.text if self.factor is None else self.text.replace("{}", factor, 1)


@dataclass(frozen=True)
class MendedSides:
    """Both sides of a claim with changes of the right one."""

    rule: Callable[[World], Sides]
    mends: tuple[Mend, ...]

    def __call__(self, w: World) -> Sides:
        """Left side as it was, right side changed."""
        # first, so that nothing derived sees a changed symbol; and once for all mends of a world
        left, right = w.once(self.rule)
        changes: dict[str, Any] = {}
        for mend in self.mends:
            if mend.value is not None:
                changes[mend.symbol] = mend.value(changes.get(mend.symbol, w.symbol(mend.symbol)))
            if mend.swapped:
                one, other = mend.swapped
                seen = [changes.get(name, w.symbol(name)) for name in mend.swapped]
                changes |= {other: seen[0], one: seen[1]}
        if changes:
            right = self.rule(w.with_changed(changes))[1]
        terms = dict(right)
        for mend in self.mends:
            if mend.terms is not None:
                terms = mend.terms(w, terms)
        return left, terms


def mended(statement: Statement, mends: Sequence[Mend], **changes: Any) -> Statement:
    """The claim with these changes of its right side, and the hypotheses that come in."""
    given = [mend.given for mend in mends if mend.given is not None]
    if given and "given" not in changes:
        changes["given"] = (*statement.given, *given)
    if len(given) == len(mends):
        return replace(statement, **changes)
    rule, before, program = statement.sides, tuple[Mend, ...](), program_of(statement.sides)
    if isinstance(program, MendedSides):  # nested, the inner change would hide the outer
        rule, before = program.rule, program.mends
    assert rule is not None
    return replace(statement, sides=MendedSides(rule, (*before, *mends)), **changes)


def times(factor: Fraction, x: Any) -> Any:
    """Product with a factor in the number type of the other one."""
    if isinstance(x, float) or (isinstance(x, np.ndarray) and x.dtype.char != "O"):
        return float(factor) * x
    if isinstance(x, int) and (factor * x).denominator == 1:
        return int(factor * x)
    return factor * x


def scaled_term(name: str, factor: Fraction) -> Mend:
    """A factor on one term, or on the whole right side if no name is given."""

    def terms(_: World, right: dict[str, Any]) -> dict[str, Any]:
        return {k: times(factor, v) if name in ("", k) else v for k, v in right.items()}

    return Mend(
        f"{{}} times {spelled(name)}",
        1,
        terms=terms,
        factor=factor,
        program={RIGHT: changed_term(name, by_number("{}", factor))},
        tex=f"${number_in_tex(factor)}$ times {spelled_in_tex(name)}",
        recipe=("scaled_term", name, str(factor)),
    )


def scaled_symbol(name: str, factor: Fraction) -> Mend:
    """A factor on one symbol."""
    return Mend(
        f"{{}} times {name}",
        2,
        symbol=name,
        value=lambda x: times(factor, x),
        factor=factor,
        program={name: by_number(f"w.{name}", factor)},
        tex=f"${number_in_tex(factor)}\\,<{name}>$ for $<{name}>$",
        recipe=("scaled_symbol", name, str(factor)),
    )


def spelled(place: str) -> str:
    """A term of the right side, or all of it, in words."""
    return f"[{place}]" if place else "the right side"


def changed_term(place: str, made: str) -> str:
    """Python of the right side with one term, or all, made anew; ``{}`` in it is the old one."""
    if not place:
        return "{name: " + made.replace("{}", "term") + " for name, term in right.items()}"
    return "{**right, " + f"{place!r}: " + made.replace("{}", f"right[{place!r}]") + "}"


def by_number(made: str, factor: Fraction) -> str:
    """Python of a product with a number, without a float where there was none."""
    above = f"{factor.numerator} * {made}" if factor.numerator != 1 else made
    return above if factor.denominator == 1 else f"{above} / {factor.denominator}"


def number_in_tex(factor: Fraction) -> str:
    """A number in TeX."""
    whole = factor.denominator == 1
    return str(factor) if whole else rf"\frac{{{factor.numerator}}}{{{factor.denominator}}}"


def spelled_in_tex(place: str) -> str:
    """A term of the right side, or all of it, in words."""
    return rf"the term ``{place}''" if place else "the right-hand side"
