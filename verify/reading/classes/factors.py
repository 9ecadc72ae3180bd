"""A gap between two sides as a factor of parameters, times what is left.

Where a bound is a multiple of something that a method makes smaller, so is the gap between what a
round hands on and what it was given; both parts are to be shown not negative.
"""

from __future__ import annotations

from typing import Any

import sympy

from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import same

Expr = Any  # sympy carries no types

__all__ = ["factor_apart"]


def factor_apart(gap: Expr, about: set[Expr]) -> tuple[Expr, Expr]:
    """Two formulas whose product is a gap, the first one without certain symbols.

    Parameters
    ----------
    gap : expression
    about : set of symbols
        That stay together in the second formula.

    Raises
    ------
    NotReadable
    """
    powers = sorted((p for p in gap.atoms(sympy.Pow) if not p.exp.is_number), key=str)
    names: dict[Expr, Expr] = {
        p: sympy.Dummy(f"power{i}", positive=True) for i, p in enumerate(powers)
    }
    back = {name: p for p, name in names.items()}
    plain = gap.xreplace(names)
    top, bottom = sympy.fraction(sympy.together(plain))
    number, factors = sympy.factor_list(top)
    scale = number / bottom
    rest = sympy.Integer(1)
    for factor, times in factors:
        if factor.free_symbols & about:
            rest *= factor**times
        else:
            scale *= factor**times
    if _is_negative(scale):
        scale, rest = -scale, -rest
    if not same(scale * rest, plain):
        raise NotReadable("a gap that does not come apart")
    return sympy.factor(scale).xreplace(back), sympy.expand(rest).xreplace(back)


def _is_negative(scale: Expr) -> bool:
    """By its value in the middle of shares between 0 and 1, which is not relied on."""
    middle = dict.fromkeys(scale.free_symbols, sympy.Rational(1, 2))
    return bool(scale.xreplace(middle).is_negative)
