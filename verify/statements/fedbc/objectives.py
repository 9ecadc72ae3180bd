"""Section 2: when consensus is asked for, and when local and global minimisers coincide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim.families import numbers
from verify.claim.hypothesis import Hypothesis
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Sides, statement
from verify.statements.fedbc.common import Array, runs, size
from verify.statements.fedbc.conditions import in_domain
from verify.statements.fedbc.rounds import rounds_of
from verify.world.world import World


@statement(
    "fedbc.sp.consensus/zero", where="Section 2", kind="claim", title="gamma = 0 is consensus",
    relation="==", latex=r"\|x_i-z\|^2\le0\Rightarrow x_i=z",
    family=numbers(
        {"x": Real(-2, 2), "z": Real(-2, 2), "gamma": Real(0, 4)}, about="any two models on the line"
    ),
    given=[
        Hypothesis("feasible for gamma = 0", r"\|x_i-z\|^2\le0", lambda w: -((w.x - w.z) ** 2), "(7)"),
    ],
    note="|x - z|^2 <= 0 leaves x = z: the squared distance equals the tolerance.",
)
def consensus(w: World) -> Sides:
    return {"|x - z|^2": (w.x - w.z) ** 2}, {"0": 0 * w.x}


@consensus.like(
    "fedbc.sp.consensus/beyond", title="gamma > 0 is not", relation="<=", quantifier="some",
    latex=r"\exists x_i\ne z:\ \|x_i-z\|^2\le\gamma_i",
    given=[Hypothesis("x and z differ", r"x_i\ne z", lambda w: (w.x - w.z) ** 2, strict=True)],
)
def beyond_consensus(w: World) -> Sides:
    return {"|x - z|^2": (w.x - w.z) ** 2}, {"gamma": w.gamma}


def _largest_gap(w: World) -> Array:
    """Largest squared distance from the server's last model."""
    return xp.largest(rounds_of(w)[0][-1].spread)


@statement(
    "fedbc.sp.consensus.refined", where="Section 2", kind="claim", quantifier="some",
    title="Algorithm 1 with gamma = 0 leaves models apart",
    latex=r"\exists:\ \gamma_i=0,\ \max_i\|x_i^T-z^T\|>0",
    family=runs(size(2, 2, rounds=2), domain="wide"),
    given=[
        in_domain,
        Hypothesis("gamma = 0", r"\gamma_i=0", lambda w: -xp.largest(w.gamma), "Section 2"),
        Hypothesis("models differ", r"\max_i\|x_i^T-z^T\|>0", _largest_gap, strict=True),
    ],
    note="Two rounds of Algorithm 1 with gamma = 0 and bounded multipliers leave the models apart.",
)
def left_apart(w: World) -> Sides:
    gap = _largest_gap(w)
    return {"0": 0 * gap}, {"largest gap": gap}


# -- minimisers ----------------------------------------------------------------------------------


def _shared(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two clients with one centre."""
    centre = values["centre"][:, :1] + 0 * values["centre"]
    return Instance("numbers", {}, None, {**values, "centre": centre}, {})


@statement(
    "fedbc.sp.minimisers/contained", where="Section 2", kind="claim", relation="==",
    title="objectives coincide where minimisers are shared",
    latex=r"\operatorname{argmin}\sum_if_i\subset\operatorname{argmin}f_i",
    family=Family(
        {
            "curvature": Real(1 / 8, 8, log=True, per=("N",)), "centre": Real(-2, 2, per=("N",)),
            "point": Real(-2, 2),
        },
        ({"N": 2},), _shared, "two quadratics with one minimiser",
    ),
    given=[
        Hypothesis(
            "one minimiser", r"\operatorname{argmin}f_1=\operatorname{argmin}f_2",
            lambda w: -((w.centre[..., 0] - w.centre[..., 1]) ** 2), "Section 2",
        ),
    ],
    note="""Where the minimiser of the sum minimises every term, that is where all centres coincide,
    it is every client's minimiser.""",
    proof="A weighted mean of equal centres is that centre; equal losses have equal centres.",
)
def contained(w: World) -> Sides:
    minimiser = xp.total(w.curvature * w.centre) / xp.total(w.curvature)
    return {"minimiser of the sum": minimiser[..., None] + 0 * w.centre}, {"own": w.centre}


@contained.like(
    "fedbc.sp.minimisers/distributions", title="shared minimisers only with equal distributions",
    latex=r"\operatorname{argmin}f_1=\operatorname{argmin}f_2\Rightarrow f_1=f_2",
    note="""Quadratics of different curvature share a minimiser; equal distributions would give equal
    losses.""",
)
def same_losses(w: World) -> Sides:
    losses = w.curvature * (w.point[..., None] - w.centre) ** 2 / 2
    return {"f_1": losses[..., 0]}, {"f_2": losses[..., 1]}


contained_repaired = contained.variant(
    "fedbc.sp.minimisers.repaired", title="equal losses share their minimisers",
    latex=r"f_1=f_2\Rightarrow\operatorname{argmin}f_1=\operatorname{argmin}\sum_if_i",
)
