"""Classes of losses that need not be smooth: Lipschitz convex, and weakly convex.

An instance is an explicit loss of the class (:mod:`synthetic.cuts`), whatever the parameters are:
the largest of zero and of as many cuts as a method meets points.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape

__all__ = ["DATA", "ROUGH", "rough", "rough_class_of"]

ROUGH = ("Lipschitz convex", "weakly convex")
"""Convex with slopes of norm G at most (``w.lipschitz``); f + (rho/2)|x|^2 convex (``w.bend``)."""

DATA = ("tilt", "slope", "drop", "optimum", "lipschitz", "bend")
NOT_CONSTANTS = ("N", "d", "points", "method")


def rough(kind: str, shapes: tuple[Shape, ...], extra: Mapping[str, Real], about: str) -> Family:
    """Family of all losses of a class, as a method meets them.

    Parameters
    ----------
    kind : str
        One of :data:`ROUGH`.
    shapes : tuple of mapping
        With N, d, points, rounds and method.
    extra : mapping of str to Real
        Further parameters.
    about : str
        What to say of the scope.
    """
    box = {
        "drop": Real(0, 4, unit=(1, 0), per=("N", "points")),
        "start": Real(-4, 4, unit=(0, 1), per=("d",)),
    }
    if kind == "Lipschitz convex":
        box["lipschitz"] = Real(1 / 8, 8, unit=(1, -1), log=True, per=("N",))
        box["tilt"] = Real(-1, 1, per=("N", "points", "d"), domain=(-1, 1))
    else:
        box["bend"] = Real(1 / 8, 8, unit=(1, -2), log=True, per=("N",))
        box["slope"] = Real(-8, 8, unit=(1, -1), per=("N", "points", "d"))
    if any(shape["N"] > 1 for shape in shapes):  # one client's minimiser is the origin
        box["optimum"] = Real(-2, 2, unit=(0, 1), per=("N", "d"))
    text = about or f"{kind} functions, explicit largest cuts"
    return Family({**box, **extra}, shapes, partial(_instance, kind), text)


def rough_class_of(family: Family) -> str | None:
    """The class whose losses a family is, one of :data:`ROUGH`; None if it is no such class."""
    build = family.build
    return build.args[0] if isinstance(build, partial) and build.func is _instance else None


def _instance(kind: str, values: Mapping[str, Any], shape: Shape) -> Instance:
    """A method on the largest of cuts; what is no problem data is a parameter."""
    names = ("lipschitz", "tilt") if kind == "Lipschitz convex" else ("slope", "bend")
    data = {name: values[name] for name in names}
    origin = 0 * values["start"][..., None, :]
    centre = values.get("optimum", origin)
    data = {**data, "drop": values["drop"], "centre": centre, "law": "none"}
    params = {k: v for k, v in values.items() if k not in DATA}
    constants = {k: v for k, v in shape.items() if k not in NOT_CONSTANTS}
    return Instance("cuts", data, shape["method"], {**params, **constants})
