"""Runs of FedBC that statements are searched over, on losses of one variable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bounds import generic as xp
from synthetic.double_well import DoubleWell
from verify.claim import Array, Family, Instance, Real, Shape

_SQUARE, _LENGTH = (1, -2), (0, 1)
BOX: dict[str, Real] = {
    "height": Real(1 / 8, 64, unit=(1, 0), log=True, per=("N",)),
    "centre": Real(-6, 2, unit=_LENGTH, per=("N", "d")),
    "width": Real(1 / 8, 4, unit=_LENGTH, log=True),
    "start": Real(-2, 2, unit=_LENGTH, per=("d",)),
    "starts": Real(-2, 2, unit=_LENGTH, per=("N", "d")),
    "high": Real(0, 1),
    "place": Real(0, 1, per=("N",)),
    "gamma": Real(0, 4, unit=(0, 2), per=("N",)),
    "dual_step": Real(1 / 1024, 8, unit=(1, -4), log=True),
}
"""Double wells, the server's and the clients' first models, the width of the dual domain and the
places of the multipliers in it, tolerances and dual step."""
FLOOR = {"floor": Real(1 / 16, 16, unit=_SQUARE, log=True)}
"""lambda_min where nothing is asked of it."""
LOW = {"low": Real(1 / 64, 1, log=True)}
"""How far lambda_min is above the least that is asked of it."""
STEP = {"step_share": Real(1 / 16, 1)}
"""Step of one local gradient step, as a share of 2/(L + 2 lambda_max)."""
UNITS = {
    "lambda_min": _SQUARE,
    "lambda_max": _SQUARE,
    "multipliers": _SQUARE,
    "starts": _LENGTH,
    "step_size": (-1, 2),
}
_DATA = ("height", "centre", "width")
_NONE: Mapping[str, Real] = {}
STEEPEST = {"double_well": 1, "nonconvex": 2, "pl": 8}
"""Largest curvature of the shape of a loss."""


def size(n: int, s: int, rounds: int = 1, **more: Any) -> Shape:
    """Shape of a run: N clients, S sampled, T rounds; V computes every client, A the sampled.

    Where all are sampled the two are one, and the shape says V: with more clients, of whom S are
    still sampled, it must not become A.
    """
    if n == s:
        more = {"virtual": True, **more}
    return {"N": n, "S": s, "d": 1, "rounds": rounds, "local": "argmin", **more}


STEPPED: dict[str, Any] = {"local": "gradient", "local_steps": 1}
"""One local gradient step, which leaves a residual."""
FULL = (size(1, 1, **STEPPED), size(2, 2, **STEPPED))
"""Every device is sampled."""
SOLVED = (*FULL, size(2, 2))
VIRTUAL = (*FULL, size(2, 1, virtual=True, **STEPPED))
"""Every device computes."""
EVERY = (*VIRTUAL, size(2, 1, **STEPPED))
"""Every participation: what the sampled devices do alone, and what all do."""


def runs(*shapes: Shape, domain: str = "any", extra: Mapping[str, Real] = _NONE) -> Family:
    """FedBC on double wells.

    Parameters
    ----------
    domain : {"any", "half", "above", "own", "proofs"}
        Dual domain: any; 2 lambda_min > L; lambda_min > L; multipliers from 1 + L_i on; the same
        with lambda_max < (1 + L_i)^2/L_i.
    """
    box = dual_box(domain)
    if any(s["local"] == "gradient" for s in shapes):
        box.update(STEP)
    if all(s.get("together") for s in shapes):
        box.pop("starts")
    about = "double wells on the line (smooth, not convex), every sampled set enumerated"
    return Family({**box, **extra}, shapes, partial(build_run, domain), about, UNITS)


def smooth(*shapes: Shape, domain: str = "any") -> tuple[Family, ...]:
    """The same runs on losses without kinks, for what is claimed of all smooth losses: one that
    flattens out, and one with many wells and a PL constant."""
    plain = runs(*shapes, domain=domain)
    return tuple(
        replace(
            plain,
            build=partial(build_run, domain, problem=problem),
            about=f"{loss} on the line, every sampled set enumerated",
        )
        for problem, loss in (("nonconvex", "t^2/(1 + t^2)"), ("pl", "t^2 + 3 sin^2 t"))
    )


def dual_box(domain: str) -> dict[str, Real]:
    """Parameters of a run, with those that its dual domain needs."""
    needs = {"any": FLOOR, "own": {}, "proofs": {}}
    return {**BOX, **needs.get(domain, LOW)}


def build_run(
    domain: str, values: Mapping[str, Any], shape: Shape, problem: str = "double_well"
) -> Instance:
    stiff = STEEPEST[problem] * _kept(values["height"]) / xp.trailing(_kept(values["width"]) ** 2)
    first, least, most = _dual_domain(domain, stiff, values)
    rest = (*_DATA, "low", "high", "place", "floor", "step_share")
    params = {
        "multipliers": first + values["place"] * (xp.trailing(most) - first),
        "lambda_min": least,
        "lambda_max": most,
        **{k: v for k, v in values.items() if k not in rest},
    }
    if "starts" not in params:
        params["starts"] = values["start"][..., None, :] + 0 * values["centre"]
    if "step_share" in values:
        params["step_size"] = 2 * values["step_share"] / (xp.largest(stiff) + 2 * most)
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "together")}
    data = {k: values[k] for k in _DATA}
    return Instance(problem, data, "fedbc", {**params, **constants})


def _dual_domain(domain: str, stiff: Array, values: Mapping[str, Any]) -> tuple[Array, ...]:
    """Where each multiplier may begin, lambda_min and lambda_max."""
    top, high = xp.largest(stiff), values["high"]
    room = xp.smallest((1 + stiff) ** 2 / stiff) - 1 - top
    if domain in ("own", "proofs"):
        most = (1 + top) * (1 + high) if domain == "own" else 1 + top + high * room * 15 / 16
        return 1 + stiff, 1 + xp.smallest(stiff), most
    bottom = {"any": 0, "half": top / 2, "above": top}[domain]
    least = values["floor"] if domain == "any" else bottom + values["low"] * top
    most = least * (1 + high)
    return xp.trailing(least) + 0 * stiff, least, most


def _kept(x: Array) -> Array:
    """1 in place of a zero, which the problem itself refuses: derived numbers must exist."""
    return xp.where(x == 0, 1 + 0 * x, x)


COMPUTING = tuple(size(n, s, virtual=True, **STEPPED) for n, s in ((2, 2), (2, 1), (3, 2)))
"""Two clients at least, every device computes: models do not depend on the sampled set."""
WAITING = (size(2, 1, **STEPPED), size(3, 2, **STEPPED))
"""Devices outside the sampled set wait."""
WIDE = runs(COMPUTING[0], size(3, 3, **STEPPED), *COMPUTING[1:], *WAITING)
"""Any dual domain, any multipliers, every participation."""


# -- for the theorem: every client starts at the server's model, and some runs stand still ---------

ENDLESS = 2**20
"""Rounds of a run that stands still."""
_TWO: dict[str, Any] = {"rounds": 2, "together": True}
TOGETHER = (
    size(1, 1, **STEPPED, **_TWO),
    size(2, 2, **STEPPED, **_TWO),
    size(2, 1, virtual=True, **_TWO),
    size(2, 1, **STEPPED, **_TWO),
)
"""Two rounds from x_i^0 = z^0, every participation."""
ALL_SAMPLED = TOGETHER[:2]
"""The same where every device is sampled, so that participation is no question."""


def still(branch: str, horizon: int = ENDLESS) -> Shape:
    """Two clients that pull the server with equal force, the second from its hump or its well."""
    return size(2, 2, horizon=horizon, branch=branch, together=True)


def horizons(*shapes: Shape, domain: str = "own") -> Family:
    """Runs with x_i^0 = z^0; shapes with ``branch`` stand still by construction."""
    box = {k: v for k, v in dual_box(domain).items() if k != "starts"}
    box["dual_step"] = Real(2.0**-40, 8, unit=(1, -4), log=True)
    if any(s["local"] == "gradient" for s in shapes):
        box.update(STEP)
    about = "double wells on the line, common start, every sampled set enumerated"
    return Family(box, shapes, partial(_build_horizon, domain), about, UNITS)


def _build_horizon(domain: str, values: Mapping[str, Any], shape: Shape) -> Instance:
    plain = {k: v for k, v in shape.items() if k != "branch"}
    made = build_run(domain, values, plain)
    if "branch" not in shape:
        return made
    # one multiplier for both; the second client is placed where its force is opposite
    multiplier = made.params["multipliers"][..., :1]
    pair = multiplier + 0 * made.params["multipliers"]
    start, data = values["start"], made.data
    own = DoubleWell(data).proximal(2 * pair, start)[..., 0, :]
    force = 2 * multiplier * (start - own)
    width, height = values["width"][..., None], values["height"][..., 1:]
    slope = force * width / height
    place = 2 + slope if shape["branch"] == "hump" else -slope
    other = 2 * start - own - width * place
    data = {**data, "centre": xp.stack([data["centre"][..., 0, :], other], -2)}
    gap = (own - start) ** 2
    params = {**made.params, "multipliers": pair, "gamma": gap + 0 * pair}
    return Instance("double_well", data, "fedbc", params)
