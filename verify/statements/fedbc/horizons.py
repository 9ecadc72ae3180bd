"""Runs for the theorem: every client starts at the server's model, and some runs stand still.

A run that stands still repeats its first round for ever, so its average over T rounds is known for
every T without running them: server's model and multipliers do not change, nor do local models from
x^1 on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bounds import generic as xp
from synthetic.double_well import DoubleWell
from verify.claim import Array, Family, Instance, Real, Shape
from verify.statements.fedbc.common import STEP, STEPPED, UNITS, build_run, dual_box, size
from verify.statements.fedbc.domain import mean_slope
from verify.statements.fedbc.rounds import expected, first_rounds, rounds_of
from verify.world.world import World, once

LONG = 2**20
"""Rounds of a run that stands still."""
_TWO: dict[str, Any] = {"rounds": 2, "together": True}
TOGETHER: tuple[Shape, ...] = (
    size(1, 1, **STEPPED, **_TWO),
    size(2, 2, **STEPPED, **_TWO),
    size(2, 1, virtual=True, **_TWO),
    size(2, 1, **STEPPED, **_TWO),
)
"""Two rounds from x_i^0 = z^0, every participation."""
FULL = TOGETHER[:2]
"""The same where every device is sampled, so that participation is no question."""


def still(branch: str, horizon: int = LONG) -> Shape:
    """Two clients that pull the server with equal force, the second from its hump or its well."""
    return size(2, 2, horizon=horizon, branch=branch, together=True)


def horizons(*shapes: Shape, domain: str = "own") -> Family:
    """Runs with x_i^0 = z^0; shapes with ``branch`` stand still by construction."""
    box = {k: v for k, v in dual_box(domain).items() if k != "starts"}
    box["dual_step"] = Real(2.0**-40, 8, unit=(1, -4), log=True)
    if any(s["local"] == "gradient" for s in shapes):
        box.update(STEP)
    about = "double wells on the line, common start, every sampled set enumerated"
    return Family(box, shapes, partial(_build, domain), about, UNITS)


def _build(domain: str, values: Mapping[str, Any], shape: Shape) -> Instance:
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


@once
def stands(w: World) -> Array:
    """Whether server and multipliers are after the first round what they were before, (B, 1).

    Rounding moves a float run that stands still, and the search does not mind.
    """
    guard = 0 if w.number == "exact" else 1e-9
    moved = []
    for r in first_rounds(w):
        scale = xp.absolute(r.server) + xp.absolute(r.after)
        moved.append(xp.absolute(r.after - r.server) > guard * scale)
        changed = xp.absolute(r.updated - r.multipliers) > guard * r.multipliers
        moved.append(xp.largest(xp.indicator(changed, r.updated)) > 0)
    found = moved[0]
    for more in moved[1:]:
        found = found | more
    return ~found


@once
def length(w: World) -> Array:
    """T: as long as one likes where the run stands still, else the rounds that are run, (B, 1)."""
    run = w.rounds + 0 * w.lambda_min
    return xp.where(stands(w), w.horizon + 0 * run, run) if w.has("horizon") else run


@once
def average_gradient(w: World) -> Array:
    """Mean over rounds and sampled sets of |f'(z^t)|^2, (B, 1)."""
    return expected([mean_slope(w, r.server) ** 2 for run in rounds_of(w) for r in run])
