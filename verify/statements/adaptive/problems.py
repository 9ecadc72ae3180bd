"""Small instances of every problem family of the package, with free points or with runs.

Kinds: ``quadratic`` (turned axes, additive noise), ``pl`` and ``nonconvex`` (separable, additive
noise), ``streaming`` (Gaussian features), ``least_squares`` (a table of rows
drawn with replacement).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim import QUADRATIC_BOX, Family, Instance, Real, Shape, quadratic_data

_NOISE = {k: QUADRATIC_BOX[k] for k in ("sigma", "noise_share", "skew")}
_OPTIMUM = {"optimum": QUADRATIC_BOX["optimum"]}
_CURVED = {"curvature": QUADRATIC_BOX["curvature"], **_OPTIMUM, "turn": Real(0, 1, per=("N",))}
_SEPARABLE = {
    "height": Real(1 / 8, 8, unit=(1, 0), log=True, per=("N",)),
    **_OPTIMUM,
    "width": Real(1 / 4, 4, unit=(0, 1), log=True),
}
_ROWS = {
    "features": Real(1 / 4, 4, unit=(1 / 2, -1), log=True, per=("N", "n", "d")),
    "labels": Real(-2, 2, unit=(1 / 2, 0), per=("N", "n")),
}
_KINDS: Mapping[str, tuple[Mapping[str, Real], str]] = {
    "quadratic": (_CURVED, "quadratics with turned axes"),
    "pl": (_SEPARABLE, "wavy parabolas (Polyak-Lojasiewicz, not convex)"),
    "nonconvex": (_SEPARABLE, "saturated losses (smooth, bounded, no Polyak-Lojasiewicz constant)"),
    "streaming": (_CURVED, "least squares on streamed Gaussian features"),
    "least_squares": (_ROWS, "least squares on a table of rows"),
}
"""Box and description of each kind."""
_ADDITIVE = ("quadratic", "pl", "nonconvex")

POINT = {"point": Real(-4, 4, unit=(0, 1), per=("d",))}
SHIFT = {"shift": Real(-4, 4, unit=(0, 1), per=("d",))}
START = {"start": QUADRATIC_BOX["start"]}
TRADEOFF = {"tradeoff": QUADRATIC_BOX["tradeoff"]}


def shapes_of(kind: str, *sizes: tuple[int, int], **constants: Any) -> tuple[Shape, ...]:
    """Shapes (N, d) of a kind, with further constants; tables have two rows."""
    rows = {"n": 2} if kind == "least_squares" else {}
    return tuple({"N": n, "d": d, **rows, **constants} for n, d in sizes)


def federation(
    kind: str, shapes: tuple[Shape, ...], extra: Mapping[str, Real], *, noise: bool = False
) -> Family:
    """Instances of one kind; what is no datum of the problem is a parameter.

    Parameters
    ----------
    kind : str
        ``quadratic``, ``pl``, ``nonconvex``, ``streaming`` or ``least_squares``.
    shapes : tuple of mappings
        N, d and, for ``least_squares``, n; with runs also rounds, method and its constants.
    extra : mapping of str to Real
        Points, steps and further parameters.
    noise : bool
        Whether additive noise is searched over; without, there is none. Its law has two points,
        or three in shapes with ``points`` = 3.
    """
    losses, about = _KINDS[kind]
    box = {**losses, **(_NOISE if noise and kind in _ADDITIVE else {}), **extra}
    return Family(box, shapes, partial(build, kind), about)


def build(kind: str, values: Mapping[str, Any], shape: Shape) -> Instance:
    """Instance of one kind from parameter values."""
    own = {*_KINDS[kind][0], *_NOISE}
    params = {k: v for k, v in values.items() if k not in own}
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "n", "method", "points")}
    data = _rows(values) if kind == "least_squares" else _data(kind, values)
    if kind in _ADDITIVE:
        data = {**data, **_noise(values, shape.get("points", 2))}
    return Instance(kind, data, shape.get("method"), {**params, **constants})


def _data(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
    if kind in ("pl", "nonconvex"):
        renamed = {"height": "height", "centre": "optimum", "width": "width"}
        return {name: values[source] for name, source in renamed.items()}
    free = values["curvature"][..., 0] * 0
    full = quadratic_data({"sigma": free, "noise_share": free, "skew": free, **values})
    if kind == "streaming":
        return {"H": full["A"], "targets": -full["xi"]}
    return {k: full[k] for k in ("A", "xi", "half")}


def _noise(values: Mapping[str, Any], points: int) -> dict[str, Any]:
    if "sigma" not in values:
        return {"law": "none"}
    sigma, scale = values["sigma"], values["sigma"] * values["noise_share"]
    claimed = {"sigma": sigma, "noise_scale": scale}
    if points == 2:
        return {**claimed, "skew": values["skew"], "law": "two_point"}
    reach = 1 + values["skew"]  # -reach, 0 and reach, of variance 1
    rare = 1 / (2 * reach**2)
    law = {
        "values": xp.stack([-reach, 0 * reach, reach], -1),
        "probabilities": xp.stack([rare, 1 - 2 * rare, rare], -1),
    }
    return {**claimed, "law": "finite", **law}


def _rows(values: Mapping[str, Any]) -> dict[str, Any]:
    """Triangular tables, so that every client's matrix is invertible."""
    features = values["features"]
    kept = np.broadcast_to(np.tril(np.ones(features.shape[-2:], dtype=bool)), features.shape)
    return {"X": xp.where(kept, features, 0 * features), "y": values["labels"]}


_KICKED = {
    "stiffness": Real(1 / 8, 8, unit=(1, -2), log=True),
    "offset": Real(1 / 8, 2, unit=(0, 1), log=True),
    "near": Real(1 / 64, 1, log=True, domain=(0, 1)),
    "kick": Real(2, 256, log=True),
    "quiet": Real(1 / 64, 4, log=True),
    "level": Real(1 / 64, 1, log=True, domain=(0, 1)),
    "step_share": Real(1 / 16, 1, log=True),
    "tradeoff": QUADRATIC_BOX["tradeoff"],
}


def kicked(shapes: tuple[Shape, ...], extra: Mapping[str, Real]) -> Family:
    """Runs that begin so near to the own minimiser that client 0 is alone, and are then kicked.

    Two parabolas of one curvature; the own noise is large, so that after one step of a size
    ``step_share``/beta the excess loss is large on every outcome, and the other client, who has
    little noise, is similar.  ``level`` is the precision as a share of the least excess loss there.
    """
    about = "two parabolas of one curvature, a start near the own minimiser, much own noise"
    units = {"start": (0, 1), "precision": (1, 0)}
    return Family({**_KICKED, **extra}, shapes, _build_kicked, about, units)


def _build_kicked(values: Mapping[str, Any], shape: Shape) -> Instance:
    own, half, share = values["offset"], values["stiffness"], values["step_share"]
    gap = 2 * half * own
    start, sigma = values["near"] * own, values["kick"] * gap
    left = share * sigma / (2 * half) - (1 - share) * start
    one = xp.ones_like(own)
    data = {
        "A": xp.stack([half, half], -1)[..., None, None],
        "xi": -xp.stack([0 * own, own], -1)[..., None],
        "sigma": xp.stack([sigma, values["quiet"] * gap], -1),
        "noise_scale": xp.stack([sigma, 0 * gap], -1),
        "skew": xp.stack([one, one], -1),
        "law": "two_point",
        "half": False,
    }
    params = {k: v for k, v in values.items() if k == "step_share" or k not in _KICKED}
    params |= {"tradeoff": values["tradeoff"], "start": start[..., None]}
    params["precision"] = values["level"] * half * left**2
    constants = {k: v for k, v in shape.items() if k not in ("N", "d")}
    return Instance("quadratic", data, "all_for_one", {**params, **constants})


def twenty_clients(law: str) -> Instance:
    """Twenty clients in ten dimensions, two clusters, noise without finite support.

    Deterministic: curvatures and minimisers lie on grids, so nothing is drawn.
    """
    clients, dim = 20, 10
    k, j = np.arange(clients)[:, None], np.arange(dim)[None]
    curvature = 1 / 2 + ((3 * k + j) % 7) / 6
    optimum = np.where(k % 2 == 0, 1.0, -1.0) / 4 + ((k + 2 * j) % 5) / 100
    scale = 1 / 2 + (np.arange(clients) % 3) / 2
    form = curvature[..., None] * np.eye(dim)
    data = {"A": form, "xi": -optimum, "noise_scale": scale, "law": law, "half": True}
    rule = {"threshold": 0.5, "tradeoff": 1.5, "phi": "continuous", "weights": "true"}
    params = {"start": np.full(dim, 2.0), "step_share": 0.5, "rounds": 1, **rule}
    return Instance("quadratic", data, "all_for_one", params)
