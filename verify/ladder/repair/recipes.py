"""Mends as plain data: the function that makes one and what it is given, read back with care.

A corpus keeps repairs in this way.  Nothing of what is read is run: each name stands for one of the
functions below, and what it is given must be of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from verify.ladder.repair.candidates import SEEN, by_form, exchanged, seen_as, without
from verify.ladder.repair.conditions import at_most
from verify.ladder.repair.fit import ClosedForm
from verify.ladder.repair.mends import Mend, scaled_symbol, scaled_term
from verify.ladder.repair.monomials import further_term, times_product
from verify.ladder.search.seeds import Malformed

__all__ = ["mend_of"]

NUMBER = re.compile(r"-?\d{1,18}(/0*[1-9]\d{0,17})?", re.ASCII)
"""A fraction as `str` writes it."""

LARGEST = 16
"""Powers and shifts that are read."""


def mend_of(recipe: Any) -> Mend:
    """The mend of a recipe.

    Parameters
    ----------
    recipe : list
        :attr:`~verify.ladder.repair.mends.Mend.recipe` as JSON has it.

    Returns
    -------
    Mend

    Raises
    ------
    Malformed
        If it is none.
    """
    if not isinstance(recipe, list) or not recipe or not isinstance(recipe[0], str):
        raise Malformed
    made, kinds = RECIPES.get(recipe[0], (None, ()))
    if made is None or len(recipe) != 1 + len(kinds):
        raise Malformed
    return made(*(read(raw) for read, raw in zip(kinds, recipe[1:], strict=True)))


def _need(good: Any) -> None:
    if not good:
        raise Malformed


def _name(raw: Any) -> str:
    _need(isinstance(raw, str))
    return str(raw)


def _flag(raw: Any) -> bool:
    _need(isinstance(raw, bool))
    return bool(raw)


def _number(raw: Any) -> Fraction:
    _need(isinstance(raw, str) and NUMBER.fullmatch(raw))
    return Fraction(raw)


def _how(raw: Any) -> str:
    _need(raw in (*SEEN,))
    return str(raw)


def _whole(raw: Any) -> int:
    _need(type(raw) is int and abs(raw) <= LARGEST)
    return int(raw)


def _powers(raw: Any) -> dict[str, int]:
    _need(isinstance(raw, list) and all(isinstance(p, list) and len(p) == 2 for p in raw))
    found = {_name(name): _whole(power) for name, power in raw}
    _need(found and all(found.values()))
    return found


def _form(raw: Any) -> ClosedForm:
    _need(isinstance(raw, list) and len(raw) == 5)
    power = _number(raw[3])
    _need(power.denominator in (1, 2) and abs(power) <= LARGEST and raw[0] in ("y", "y^2", "1/y"))
    return ClosedForm(raw[0], _number(raw[1]), _number(raw[2]), power, _whole(raw[4]))


RECIPES: dict[str, tuple[Callable[..., Mend], tuple[Callable[[Any], Any], ...]]] = {
    "scaled_term": (scaled_term, (_name, _number)),
    "scaled_symbol": (scaled_symbol, (_name, _number)),
    "times_product": (times_product, (_name, _powers, _number, _name)),
    "further_term": (further_term, (_powers, _number)),
    "without": (without, (_name,)),
    "seen_as": (seen_as, (_name, _how)),
    "exchanged": (exchanged, (_name, _name)),
    "at_most": (at_most, (_powers, _number, _flag)),
    "by_form": (by_form, (_name, _name, _form)),
}
"""What makes a mend, and how each thing that it is given is read."""
