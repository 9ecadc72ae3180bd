"""What the statements of the FedBC paper share: families of runs.

What happens along a run is in :mod:`.rounds`, what is taken over the interval that holds it in
:mod:`.domain`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bounds import generic as xp
from verify.claim import Array, Family, Instance, Real, Shape

_SQUARE, _LENGTH = (1, -2), (0, 1)
BOX: dict[str, Real] = {
    "height": Real(1 / 8, 64, unit=(1, 0), log=True, per=("N",)),
    "centre": Real(-6, 2, unit=_LENGTH, per=("N", "d")),
    "width": Real(1 / 8, 4, unit=_LENGTH, log=True),
    "start": Real(-2, 2, unit=_LENGTH, per=("d",)),
    "starts": Real(-2, 2, unit=_LENGTH, per=("N", "d")),
    "low": Real(0, 1),
    "high": Real(0, 1),
    "place": Real(0, 1, per=("N",)),
    "gamma": Real(0, 4, unit=(0, 2), per=("N",)),
    "dual_step": Real(1 / 1024, 8, unit=(1, -4), log=True),
}
"""Double wells, the server's and the clients' first models, the dual domain and the multipliers as
shares of what their conditions allow, tolerances and dual step."""
STEP = {"step_share": Real(1 / 16, 1)}
"""Step of one local gradient step, as a share of 2/(L + 2 lambda_max)."""
UNITS = {
    "lambda_min": _SQUARE, "lambda_max": _SQUARE, "multipliers": _SQUARE, "starts": _LENGTH,
    "step_size": (-1, 2),
}
_DATA = ("height", "centre", "width")
_NONE: Mapping[str, Real] = {}


def size(n: int, s: int, rounds: int = 1, **more: Any) -> Shape:
    """Shape of a run: N clients, S sampled, T rounds; V computes every client, A the sampled."""
    return {"N": n, "S": s, "d": 1, "rounds": rounds, "local": "argmin", **more}


STEPPED: dict[str, Any] = {"local": "gradient", "local_steps": 1}
"""One local gradient step, which leaves a residual."""
ANY = (size(1, 1, **STEPPED), size(2, 2, **STEPPED), size(2, 1, virtual=True))
"""One round from any models, the server's included."""


def runs(*shapes: Shape, domain: str = "printed", extra: Mapping[str, Real] = _NONE) -> Family:
    """FedBC on double wells.

    Parameters
    ----------
    domain : {"printed", "own", "wide", "convex"}
        Dual domain: that of the proofs, 1 + L <= lambda_min and lambda_max < (1 + L_i)^2/L_i;
        the same with each multiplier from its own 1 + L_i on; any with lambda_min above L; or any
        with 2 lambda_min > L.
    """
    box = dict(BOX)
    if any(s["local"] == "gradient" for s in shapes):
        box.update(STEP)
    if all(s.get("together") for s in shapes):
        box.pop("starts")
    about = "double wells on the line (smooth, not convex), every sampled set enumerated"
    return Family({**box, **extra}, shapes, partial(build_run, domain), about, UNITS)


def build_run(domain: str, values: Mapping[str, Any], shape: Shape) -> Instance:
    stiff = _kept(values["height"]) / xp.trailing(_kept(values["width"]) ** 2)
    top = xp.largest(stiff)
    low, high = values["low"], values["high"]
    room = xp.smallest((1 + stiff) ** 2 / stiff) - 1 - top
    if domain == "printed":
        least = 1 + top + low * room / 2
        most = least + high * room * 15 / 32
    elif domain == "own":
        least, most = 1 + xp.smallest(stiff), 1 + top + high * room * 15 / 16
    else:
        least = top * (1 + 2 * low) / 2 if domain == "convex" else top * (1 + low)
        least = least + top / 16
        most = least * (1 + high)
    first = 1 + stiff if domain == "own" else xp.trailing(least) + 0 * stiff
    rest = (*_DATA, "low", "high", "place", "step_share")
    params = {
        "multipliers": first + values["place"] * (xp.trailing(most) - first),
        "lambda_min": least, "lambda_max": most,
        **{k: v for k, v in values.items() if k not in rest},
    }
    if "starts" not in params:
        params["starts"] = values["start"][..., None, :] + 0 * values["centre"]
    if "step_share" in values:
        params["step_size"] = 2 * values["step_share"] / (top + 2 * most)
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "together")}
    data = {k: values[k] for k in _DATA}
    return Instance("double_well", data, "fedbc", {**params, **constants})


def _kept(x: Array) -> Array:
    """1 in place of a zero, which the problem itself refuses: derived numbers must exist."""
    return xp.where(x == 0, 1 + 0 * x, x)
