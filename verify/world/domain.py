"""Whether an instance lies where its statement looks for instances.

A witness is believed only inside the domain: each parameter in its limits, with the shape that its
family gives it, and the sizes and choices of a listed shape (sizes may be larger than any listed
one).  What is data of a problem is judged by the problem's own family.  Relations between values
that a family names (`Family.constraints`) hold of each of its instances, whoever made it, and so do
those that its function builds in, where it keeps its parameters: made again of them it is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import Undecided, as_rational
from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, plain_numbers
from verify.claim.statement import Statement
from verify.verdict.relation import ROUNDING
from verify.world.noise_plan import NotAvailable

NO_INSTANCE = (InvalidInput, NotAvailable, ArithmeticError, ValueError)
"""What a family raises where it has no instance."""

APART = (0.2, 0.9)
"""Places in ranges between which an instance is taken whose parameters are not alike."""

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
            best, name = xp.maximum(best, least), name if missed else ""
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
    whole = family.build is plain_numbers
    if whole and instance.family != "numbers":
        return f"it is of the family {instance.family}, not of plain numbers"
    built = [] if whole else list(_built(family))
    fault = _other_form(built, instance) if built else ""
    if whole:
        missing = next((name for name in family.box if name not in instance.params), "")
        fault = f"{missing} is missing" if missing else ""
    if fault:
        return fault
    # what a family's own function makes of a parameter need not lie in the parameter's domain
    kept = [n for n in family.box if not any(_beyond(family, i, [n]) for i in built)]
    fault = _beyond(family, instance, kept)
    if not fault:
        params = instance.params
        fault = _no_shape(family, params) if whole else _no_size(family, built, params)
    return fault or _broken(family, instance) or _not_its_own(family, built, instance)


def _beyond(family: Family, instance: Instance, names: Sequence[str]) -> str:
    """Why parameters of these names have a wrong shape, or lie outside their domain."""
    params = instance.params
    sizes: dict[str, int] = {}
    for name in names:
        if name not in params:
            continue
        real, value = family.box[name], np.asarray(params[name], dtype=object)
        if value.ndim != len(real.per):
            return f"{name} has {value.ndim} axes instead of {len(real.per)}"
        for axis, length in zip(real.per, value.shape, strict=True):
            if sizes.setdefault(axis, length) != length or params.get(axis, length) != length:
                return f"{name} has {length} entries along {axis}, others another number"
        wrong = next((x for x in value.ravel() if not _inside(real, x)), None)
        if wrong is not None:
            low, high = real.limits
            return f"{name} = {float(wrong):.6g} lies outside its domain ({low:g}, {high:g})"
    return ""


def _built(family: Family, first: float = 0.5, last: float = 0.5) -> Iterator[Instance]:
    """One instance of each listed shape, from the middle of the ranges, or from places apart."""
    for shape in family.shapes:
        values = family.decode(np.linspace(first, last, family.width(shape))[None], shape)
        with suppress(*NO_INSTANCE):
            yield family.instance(values, shape)[0]


def _not_its_own(family: Family, built: Sequence[Instance], instance: Instance) -> str:
    """What a family's function would make otherwise of the instance's own parameters.

    A client's similarity to itself is 1, whatever was drawn for it: instances are what the function
    makes of them again.  Nothing is said where it does not keep its parameters under their names.
    """
    probes = [*built, *_built(family, *APART)]
    if not probes or any(_otherwise(family, made) != "" for made in probes):
        return ""
    name = _otherwise(family, instance)
    return f"{name} is not what its family makes of its parameters" if name else ""


def _otherwise(family: Family, instance: Instance) -> str | None:
    """A value that a family makes otherwise of an instance's parameters; empty if all are alike.

    None where a parameter is not kept under its name, or nothing can be made.
    """
    kept = {**instance.data, **instance.params}
    if not set(family.box) <= set(kept):
        return None
    values = {name: xp.to_float(np.asarray(kept[name]))[None] for name in family.box}
    found = None
    for shape in family.shapes:
        with suppress(*NO_INSTANCE):
            again = family.instance(values, {n: kept.get(n, v) for n, v in shape.items()})[0]
            made = {**again.data, **again.params}
            wrong = [name for name, value in kept.items() if not _close(value, made.get(name))]
            if not wrong:
                return ""
            found = found or wrong[0]
    return found


def _close(value: Any, again: Any) -> bool:
    """Numbers to rounding, all else by equality."""
    if not isinstance(value, np.ndarray | float | Fraction):
        return bool(value == again)
    one, other = xp.to_float(np.asarray(value)), xp.to_float(np.asarray(again))
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=ROUNDING, atol=0.0))


def _other_form(built: Sequence[Instance], instance: Instance) -> str:
    """Why an instance has none of the forms that a family's own function builds.

    A form is a family of problems, a method, and the names of data and parameters.
    """
    kinds = sorted({made.family for made in built})
    if instance.family not in kinds:
        return f"it is of the family {instance.family}, not of {' or '.join(kinds)}"
    if _form(instance) in map(_form, built):
        return ""
    return "its method, or the names of its data and parameters, are those of no listed shape"


def _form(instance: Instance) -> tuple[str | None, frozenset[str], frozenset[str]]:
    return instance.method, frozenset(instance.data), frozenset(instance.params)


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


def _no_size(family: Family, built: Sequence[Instance], params: Mapping[str, Any]) -> str:
    """Why what a family's own function keeps of a shape is no size, or no choice that it makes."""
    for name in sorted(set(params) - set(family.box)):
        listed = [shape[name] for shape in family.shapes if name in shape]
        if listed and all(map(_size, listed)) and not _size(params[name]):
            return f"{name} = {params[name]} is no size"
        chosen = [made.params[name] for made in built if isinstance(made.params.get(name), str)]
        if chosen and params[name] not in chosen:
            return f"{name} = {params[name]} is none of {', '.join(dict.fromkeys(chosen))}"
    return ""


def _size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
