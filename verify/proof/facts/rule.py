"""What a rule of facts is: parameters, the inequalities that it gives, and a false twin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Claims", "FactRule", "both", "nothing"]

Claims = Sequence[tuple[str, bool]]
"""Formulas that are not negative, and whether they are positive."""


@dataclass(frozen=True)
class FactRule:
    """A named rule by which an outline knows something.

    Attributes
    ----------
    name : str
    takes : mapping
        Kind of each parameter: ``function``, ``number`` (made of declared numbers alone),
        ``vector``, ``noise`` (one that is unbiased), ``formula``, ``count`` (a whole number),
        ``moment``, ``pattern`` and ``draw`` (as declared, with its letters), ``entry``,
        ``clients`` (their number, all of equal weight), ``mixing`` or ``index``.
    says : callable
        Parameters to formulas that are not negative.
    twin : callable
        The same, slightly false: exact runs must refuse it.
    words : str
        A sentence for the reader, with the parameters in braces.
    scope : str
        What is assumed, in the field's words and without points; empty where the rule follows from
        other assumptions or from a definition.
    source : str
    declares : callable, optional
        For rules that change how formulas are read: called with the reader and the parameters.
    twin_declares : callable, optional
    """

    name: str
    takes: Mapping[str, str]
    says: Callable[..., Claims]
    twin: Callable[..., Claims]
    words: str
    scope: str
    source: str
    declares: Callable[..., None] | None = None
    twin_declares: Callable[..., None] | None = None


def both(formula: str) -> Claims:
    """A formula that is zero."""
    return [(formula, False), (f"-({formula})", False)]


def nothing(**_: Any) -> Claims:
    """No inequality."""
    return []
