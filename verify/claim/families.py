"""Families of small analytic federations that statements are searched over.

Aligned quadratics in one or two dimensions, two or three clients and two-point noise come close to
most bounds of the field; random high-dimensional instances do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape

QUADRATIC_BOX: dict[str, Real] = {
    "curvature": Real(1 / 8, 8, unit=(1, -2), log=True, per=("N", "d")),
    "optimum": Real(-2, 2, unit=(0, 1), per=("N", "d")),
    "sigma": Real(1 / 8, 8, unit=(1, -1), log=True, per=("N",)),
    "noise_share": Real(0, 1, per=("N",), domain=(0, 1)),
    "skew": Real(1 / 8, 8, log=True, per=("N",)),
    "start": Real(-4, 4, unit=(0, 1), per=("d",)),
    "tradeoff": Real(17 / 16, 4, domain=(1, inf)),
}
"""Curvatures along the axes, minimisers, claimed and actual noise, skewness of its two-point law,
the start of the followed client, and the place on the trade-off curve of assumption A3: b is
``tradeoff`` times its smallest value (rational where that value is)."""

NOT_PARAMS = ("curvature", "optimum", "sigma", "noise_share", "skew", "turn")


def quadratic_data(values: Mapping[str, Any], half: bool = False) -> dict[str, Any]:
    """Data of a quadratic federation from the entries of :data:`QUADRATIC_BOX`.

    ``turn`` (optional, per client) rotates the second and later clients' axes by the angle whose
    half has that tangent, so that rational numbers stay rational.
    """
    curvature = values["curvature"]
    eye = xp.eye(curvature.shape[-1], curvature)
    form = curvature[..., :, None] * eye
    if "turn" in values and curvature.shape[-1] == 2:
        rotation = _rotation(values["turn"])
        form = (rotation * curvature[..., None, :]) @ np.swapaxes(rotation, -1, -2)
    sigma = values["sigma"]
    return {
        "A": form,
        "xi": -values["optimum"],
        "sigma": sigma,
        "noise_scale": sigma * values["noise_share"],
        "skew": values["skew"],
        "law": "two_point",
        "half": half,
    }


def quadratic_instance(values: Mapping[str, Any], shape: Shape) -> Instance:
    """All-for-one on a quadratic federation; what is no problem data is a parameter."""
    method = shape.get("method", "all_for_one")
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "method", "half")}
    params = {k: v for k, v in values.items() if k not in NOT_PARAMS}
    data = quadratic_data(values, bool(shape.get("half", False)))
    return Instance("quadratic", data, method, {**params, **constants})


def noiseless(values: Mapping[str, Any]) -> dict[str, Any]:
    """Data of quadratics without noise, from the entries ``curvature`` and ``optimum``."""
    one = values["curvature"][..., 0] * 0 + 1
    data = quadratic_data({**values, "sigma": one, "noise_share": one, "skew": one}, half=True)
    return {**{k: data[k] for k in ("A", "xi", "half")}, "law": "none"}


def numbers(
    box: Mapping[str, Real],
    *shapes: Shape,
    about: str = "any parameters in the box",
    grow: tuple[str, ...] | None = None,
) -> Family:
    """Instances that are nothing but their parameters.

    ``grow`` names the sizes that may be larger than any listed value, as in `Family`: ``()`` where
    what the shapes list is a choice, of a norm for instance, and nothing beyond it is claimed.
    """
    return Family(box, shapes or ({},), about=about, grow=grow)


def free(names: str, box: Mapping[str, Real]) -> Family:
    """Free symbols for a deduction: the named entries of a box, not negative where it has none."""
    return numbers({k: box.get(k, Real(0, 4)) for k in names.split()}, about="free symbols")


def quadratics(
    shapes: tuple[Shape, ...], extra: Mapping[str, Real] | None = None, about: str = ""
) -> Family:
    """Family of quadratic federations with further parameters.

    Parameters
    ----------
    shapes : tuple of mappings
        With N, d, rounds and constants of the method (phi, weights).
    extra : mapping of str to Real
        Further parameters (step_share, precision, threshold, ...).
    about : str
        What to say of the scope.
    """
    text = about or "aligned quadratics, two-point noise, all outcomes enumerated"
    return Family({**QUADRATIC_BOX, **(extra or {})}, shapes, quadratic_instance, text)


def _rotation(half_tangent: Any) -> Any:
    """Rotation matrices (..., 2, 2) with rational entries."""
    size = 1 + half_tangent**2
    cos, sin = (1 - half_tangent**2) / size, 2 * half_tangent / size
    return xp.stack([xp.stack([cos, -sin], -1), xp.stack([sin, cos], -1)], -2)
