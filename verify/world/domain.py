"""Whether an instance lies where its statement looks for instances.

A witness is believed only inside the domain: each parameter in its limits, with the shape that its
family gives it, and the sizes and choices of a listed shape (sizes may be larger than any listed
one).  What is data of a problem is judged by the problem's own family.  Relations between values
that a family names (`Family.constraints`) hold of each of its instances, whoever made it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import Undecided, as_rational
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, plain_numbers
from verify.claim.statement import Statement

__all__ = ["outside", "unmet"]


def outside(statement: Statement, instance: Instance) -> str:
    """Why an instance is none of a statement's families; empty if it is one of some family.

    Parameters
    ----------
    statement : Statement
    instance : Instance
        Without a leading axis.
    """
    faults = []
    for family in (statement.family, *statement.also):
        fault = _fault(family, instance)
        if not fault:
            return ""
        faults.append(fault)
    return faults[0]


def unmet(statement: Statement, instance: Instance) -> tuple[Any, str]:
    """By how much instances miss what a family of the statement names.

    Parameters
    ----------
    statement : Statement
    instance : Instance
        Batch with leading axis B.

    Returns
    -------
    least : ndarray, shape (B,), or None
        Smallest margin under the family that is met best, in the numbers of the instance; None
        where a family names nothing, so that nothing can be missed.
    name : str
        Of a constraint that the first instance misses, empty if none.

    Notes
    -----
    Families of another kind of instances do not count.
    """
    best, name = None, ""
    for family in (statement.family, *statement.also):
        if family.build is plain_numbers and instance.family != "numbers":
            continue
        if not family.constraints:
            return None, ""
        margins = {said: _least(rule(instance)) for said, rule in family.constraints.items()}
        least = xp.smallest(np.stack(np.broadcast_arrays(*margins.values()), axis=-1))
        missed = next((said for said, margin in margins.items() if not margin[0] >= 0), "")
        if best is None:
            best, name = least, missed
        else:
            best, name = xp.maximum(best, least), name and missed and name
    return best, name


def _least(margin: Any) -> Any:
    """Smallest margin of each instance, (B,); of a yes or no 0 or -1."""
    margin = np.asarray(margin)
    if margin.dtype == bool:
        margin = np.where(margin, 0, -1)
    return xp.smallest(margin.reshape(len(margin) if margin.ndim else 1, -1))


def _broken(family: Family, instance: Instance) -> str:
    """The constraint that one instance misses, or that cannot be decided; empty if none."""
    exact = Instance(
        instance.family,
        {name: _exact(value) for name, value in instance.data.items()},
        instance.method,
        {name: _exact(value) for name, value in instance.params.items()},
    ).batched()
    for name, rule in family.constraints.items():
        try:
            if not _least(rule(exact))[0] >= 0:
                return f"{name} does not hold"
        except Undecided:
            return f"whether {name} cannot be decided"
    return ""


def _exact(value: Any) -> Any:
    """A number or an array of numbers as fractions."""
    return as_rational(value) if isinstance(value, np.ndarray | float) else value


def _fault(family: Family, instance: Instance) -> str:
    """Why an instance is none of a family; empty if that cannot be said."""
    params = instance.params
    whole = family.build is plain_numbers
    if whole and instance.family != "numbers":
        return f"it is of the family {instance.family}, not of plain numbers"
    sizes: dict[str, int] = {}
    for name, real in family.box.items():
        if name not in params:
            if whole:
                return f"{name} is missing"
            continue
        value = np.asarray(params[name], dtype=object)
        if value.ndim != len(real.per):
            return f"{name} has {value.ndim} axes instead of {len(real.per)}"
        for axis, length in zip(real.per, value.shape, strict=True):
            if sizes.setdefault(axis, length) != length or params.get(axis, length) != length:
                return f"{name} has {length} entries along {axis}, others another number"
        wrong = next((x for x in value.ravel() if not _inside(real, x)), None)
        if wrong is not None:
            low, high = real.limits
            return f"{name} = {float(wrong):.6g} lies outside its domain ({low:g}, {high:g})"
    fault = _no_shape(family, params) if whole else ""
    return fault or _broken(family, instance)


def _inside(real: Real, value: Any) -> bool:
    """In the domain, or, of a quantity with a unit, of the right sign: units may be changed."""
    return real.inside(value) or real.admits(value)


def _no_shape(family: Family, params: Mapping[str, Any]) -> str:
    """Why the constants of plain numbers are no listed shape with sizes that may grow."""
    said = {name: value for name, value in params.items() if name not in family.box}
    free = set(family.growing)
    for shape in family.shapes:
        fixed = {name: value for name, value in shape.items() if name not in family.box}
        alike = set(fixed) == set(said)
        if alike and all(
            said[name] == value or (name in free and _size(said[name]))
            for name, value in fixed.items()
        ):
            return ""
    return f"its sizes and choices {said} are those of no listed shape"


def _size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
