"""Quantities of a setting that a term may name, measured on a run or on a problem.

A quantity is a function of the world (and of places, such as a round) that stands for itself: a
term names it, and does not say how it is measured.  It is the paper's table of notation as
functions; what they measure is trusted as methods and problems are, so that a claim is proved for
any number of clients only where its quantities belong to the package.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from verify.terms.node import node
from verify.terms.traced import example_of, lifted, wrapped

__all__ = ["quantity", "quantity_named"]

_KNOWN: dict[str, Callable[..., Any]] = {}

F = TypeVar("F", bound=Callable[..., Any])


def quantity(function: F) -> F:
    """Decorator: a quantity that terms name, evaluated once in each world.

    Parameters
    ----------
    function : callable
        Of the world, and of further places that are numbers, sizes or arrays; defined at the top
        of its module.
    """
    name = f"{function.__module__}:{function.__qualname__}"

    @wraps(function)
    def value(w: Any, *places: Any) -> Any:
        if getattr(type(w), "traces", False):
            made = node("quantity", *map(lifted, places), data=name)
            return wrapped(made, value(w.example, *map(example_of, places)))
        return function(w, *places) if places else w.once(function)

    _KNOWN[name] = value
    return value  # type: ignore[return-value]


def quantity_named(name: str) -> Callable[..., Any]:
    """The quantity of a name that stands in a term."""
    if name not in _KNOWN:
        importlib.import_module(name.partition(":")[0])
    return _KNOWN[name]
