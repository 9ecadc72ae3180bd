"""What the rules of methods say of a round, for claims that free numbers do not prove.

A rule is a set of cases one of which each client is in: a number after the round as a formula in
what was before it, and what that case says besides.  `verify.reading.runs.agreement` compares them
with exact runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy

from algorithms.fedbc import FedBC
from bounds.numbers.symbolic import client_symbol
from verify.reading.runs.parts import name_after

Expr = Any  # sympy carries no types
Settings = Mapping[str, Expr]
"""Hyper-parameters of the generic client; models by their distance from the server's."""

__all__ = ["METHODS", "Case", "Rule"]


@dataclass(frozen=True)
class Case:
    """One way in which a client may go through a round.

    Attributes
    ----------
    name : str
    values : dict
        Number after the round -> formula.
    margins : dict
        Name -> expression that is not negative.
    strict : set of str
        Names of those that are positive.
    waits : bool
        Whether this is a client that does not take part.
    """

    name: str
    values: Mapping[Expr, Expr]
    margins: Mapping[str, Expr] = field(default_factory=dict)
    strict: frozenset[str] = frozenset()
    waits: bool = False

    @property
    def names(self) -> set[str]:
        """Families of the numbers that a round makes, as far as it is one of them."""
        return {str(v.base) for v in self.values}


@dataclass(frozen=True)
class Rule:
    """A method as it is read.

    Attributes
    ----------
    traces : dict
        Axes of what a run records, "d" or "N d" and so on.
    begin : dict
        Trace -> hyper-parameter that it begins with.
    models : set of str
        Hyper-parameters that are models of the clients.
    cases : callable
        Hyper-parameters -> the cases of one round.
    weights : str
        Hyper-parameter of each client by which slopes of others are weighted, where clients are
        compared.
    """

    traces: Mapping[str, str]
    begin: Mapping[str, str]
    models: frozenset[str]
    cases: Callable[[Settings], Iterator[Case]]
    weights: str


def _fedbc(given: Settings) -> Iterator[Case]:
    """Dual ascent on the distance from the server's model, projected on an interval."""
    k, _ = client_symbol()
    new, after = (
        sympy.IndexedBase(name_after(n, 1, 1), real=True)[k]
        for n in ("local_models", "multipliers")
    )
    before, low, high = given["multipliers"], given["lambda_min"], given["lambda_max"]
    free = before + given["dual_step"] * (new**2 - given["gamma"])
    yield Case("waits", {new: given["starts"], after: before}, waits=True)
    yield Case(
        "moves freely",
        {after: free},
        {"at least the lower end": free - low, "at most the upper end": high - free},
    )
    yield Case(
        "is held at the lower end",
        {after: low},
        {"below the lower end": low - free, "ends in order": high - low},
    )
    yield Case("is held at the upper end", {after: high}, {"above the upper end": free - high})
    yield Case(
        "ends out of order",
        {after: high},
        {"lower end above": low - high},
        frozenset({"lower end above"}),
    )


METHODS: Mapping[str, Rule] = {
    FedBC.name: Rule(
        {"server": "d", "multipliers": "N", "local_models": "N d"},
        {"server": "start", "multipliers": "multipliers"},
        frozenset({"starts"}),
        _fedbc,
        "multipliers",
    ),
}
"""Methods whose runs are read with symbols."""
