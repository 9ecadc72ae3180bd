"""Numbers of a witness that lie outside their listed ranges: a range is where to look first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.parameters import Real
from verify.claim.statement import Statement

__all__ = ["beyond_ranges"]


def beyond_ranges(statement: Statement, witness: Mapping[str, Any]) -> list[str]:
    """A line for each parameter that a witness takes outside its range, with the cure.

    Parameters
    ----------
    statement : Statement
    witness : mapping
        Content of a witness file.

    Returns
    -------
    list of str
        Empty where every number lies within its range, or the range is the domain.
    """
    params = Instance.from_json(witness["instance"]).params
    lines = []
    for name, real in statement.family.box.items():
        if name not in params or (real.low, real.high) == real.limits:
            continue
        values = np.ravel(xp.to_float(np.asarray(params[name])))
        out = values[(values < real.low) | (values > real.high)]
        if out.size:
            lines.append(_line(name, float(out[0]), real))
    return lines


def _line(name: str, value: float, real: Real) -> str:
    low, high = f"{real.low:g}", f"{real.high:g}"
    return (
        f"{name} = {value:.6g} lies outside its range {low} to {high}, which says where to look: "
        f"if it is assumed, write Real({low}, {high}, domain=({low}, {high}))"
    )
