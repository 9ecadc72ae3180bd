"""How a world fills its replicate axis: with all outcomes, with samples, or with none.

Here too is what a world says where it has no value, one exception per reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np


@dataclass(frozen=True)
class AllOutcomes:
    """Every outcome of a finitely supported law with its probability: expectations are exact.

    ``cap`` limits the number of outcomes of one instance.
    """

    cap: int = 4096


@dataclass(frozen=True)
class Samples:
    """Independent samples of weight 1/R from addressed noise.

    ``key`` is the run key; replicates ``first .. first + replicates - 1`` are drawn, ``chunk`` at
    a time (as many as fit into memory if None; the values do not depend on it). ``record`` names
    the extras of a run to keep besides its models, all if None.
    """

    key: int
    replicates: int
    first: int = 0
    device: str = "cpu"
    chunk: int | None = None
    record: tuple[str, ...] | None = None


NoisePlan = AllOutcomes | Samples


class NotAvailable(Exception):
    """The asked-for value has no exact form in this world; carries the reason for the ledger."""


class NoValue(TypeError):
    """A function of a statement stops with an error in a world; the cause is what it met.

    A program that is given another kind of world than it was written for mostly meets a TypeError.

    Where a symbol is changed, a term is left out or numbers are symbols, that is an answer: the
    function makes no sense there.  Where it happens to the claim itself it is a fault of its
    program.  Errors of the package's own code never become this one.
    """


WITHOUT_VALUE = (NotAvailable, NoValue, ArithmeticError, ValueError, LookupError)
"""What a changed claim raises in a world where it makes no sense."""


def sure(number: str) -> np.ndarray[Any, Any]:
    """Weights (1, 1) of the one outcome of a world without noise, in its number type."""
    if number == "float64":
        return np.ones((1, 1))
    return np.full((1, 1), Fraction(1), dtype=object)
