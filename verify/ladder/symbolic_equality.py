"""Equality of symbolic numbers by value instead of by form.

sympy's ``==`` asks whether two expressions are written alike: ``2*x == 1`` is False, as if x could
not be 1/2. A side that branches on such an answer would be proved without the branch. Within
:func:`by_value`, code outside sympy gets an equation instead, which is True or False where the
symbols' signs decide it, and refuses to be a yes or no everywhere else.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

_INSIDE = ("sympy", "mpmath")
"""Packages that keep comparing by form: their caches and simplifications rest on it."""


@contextlib.contextmanager
def by_value() -> Iterator[None]:
    """Compare sympy expressions by value in this block.

    Raises
    ------
    TypeError
        Within the block, where ``==`` or ``!=`` of two expressions is undecided and a yes or no is
        asked of it.
    """
    import sympy

    kept = [
        (kind, name, kind.__dict__[name])
        for kind in _kinds(sympy.Basic)
        for name in ("__eq__", "__ne__")
        if name in kind.__dict__
    ]
    try:
        for kind, name, form in kept:
            equation = sympy.Eq if name == "__eq__" else sympy.Ne
            setattr(kind, name, _comparison(form, equation, sympy))
        yield
    finally:
        for kind, name, form in kept:
            setattr(kind, name, form)


def _comparison(form: Callable[[Any, Any], Any], equation: Any, sympy: Any) -> Any:
    """``==`` or ``!=``: by form for sympy itself and for numbers, by value for others."""

    def compare(self: Any, other: Any) -> Any:
        caller = str(sys._getframe(1).f_globals.get("__name__", ""))
        if caller.split(".")[0] in _INSIDE or not isinstance(self, sympy.Expr):
            return form(self, other)
        try:
            right = sympy.sympify(other, strict=True)
        except sympy.SympifyError:
            return form(self, other)
        if not isinstance(right, sympy.Expr) or not (self.free_symbols | right.free_symbols):
            return form(self, other)
        return equation(self, right)

    return compare


def _kinds(kind: type[Any]) -> set[type[Any]]:
    """A class and all classes derived from it."""
    found, waiting = {kind}, [kind]
    while waiting:
        below: list[type[Any]] = type.__subclasses__(waiting.pop())
        waiting += [k for k in below if k not in found]
        found.update(below)
    return found
