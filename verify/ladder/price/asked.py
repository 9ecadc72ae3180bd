"""What the referee says of a parameter point, with nothing said where there is no exact value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds.numbers import Undecided, as_rational
from bounds.numbers.validate import InvalidInput
from verify.claim.statement import Family, Shape, Statement
from verify.world.noise_plan import NotAvailable
from verify.world.referee import Rescored, rescore

__all__ = ["ask"]


def ask(
    statement: Statement, values: Mapping[str, Any], shape: Shape, family: Family | None = None
) -> Rescored | None:
    """Re-score a parameter point (values without the instance axis) in exact arithmetic.

    ``family`` builds the instance, where that is not the statement's own one.
    """
    lifted = {k: np.asarray(as_rational(np.asarray(v)[None])) for k, v in values.items()}
    try:
        with np.errstate(all="ignore"):
            return rescore(statement, (family or statement.family).instance(lifted, shape)[0])
    except (NotAvailable, Undecided, InvalidInput, ZeroDivisionError, ArithmeticError, ValueError):
        return None
