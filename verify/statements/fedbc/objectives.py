"""Section 2: when consensus is asked for, and when local and global minimisers coincide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Statement, Terms
from verify.statements.fedbc.common import Array, in_domain, runs, size, source
from verify.statements.fedbc.rounds import rounds_of
from verify.world.world import World

PAIR = Family(
    {"x": Real(-2, 2), "z": Real(-2, 2), "gamma": Real(0, 4)}, about="any two models on the line"
)


def _feasible(w: World) -> tuple[Terms, Terms]:
    """|x - z|^2 <= 0 leaves x = z: the squared distance equals the tolerance."""
    return {"|x - z|^2": (w.x - w.z) ** 2}, {"0": 0 * w.x}


def _feasible_given(w: World) -> Terms:
    return {"feasible for gamma = 0": -((w.x - w.z) ** 2)}


def _apart(w: World) -> tuple[Terms, Terms]:
    return {"|x - z|^2": (w.x - w.z) ** 2}, {"gamma": w.gamma}


def _apart_given(w: World) -> Terms:
    return {"x and z differ": (w.x - w.z) ** 2}


def _largest_gap(w: World) -> Array:
    """Largest squared distance from the server's last model."""
    return xp.largest(rounds_of(w)[0][-1].spread)


def _enforced(w: World) -> tuple[Terms, Terms]:
    """Two rounds of Algorithm 1 with gamma = 0 and bounded multipliers leave the models apart."""
    gap = _largest_gap(w)
    return {"0": 0 * gap}, {"largest gap": gap}


def _enforced_given(w: World) -> Terms:
    gap = _largest_gap(w)
    return {**in_domain(w), "gamma = 0": -xp.largest(w.gamma), "models differ": gap}


# -- minimisers ----------------------------------------------------------------------------------

TWO = Family(
    {
        "curvature": Real(1 / 8, 8, log=True, per=("N",)), "centre": Real(-2, 2, per=("N",)),
        "point": Real(-2, 2),
    },
    ({"N": 2},),
    about="two quadratics on the line",
)  # fmt: skip


def _minimiser(w: World) -> Array:
    return xp.total(w.curvature * w.centre) / xp.total(w.curvature)


def _contained(w: World) -> tuple[Terms, Terms]:
    """Where the minimiser of the sum minimises every term, that is where all centres coincide, it
    is every client's minimiser.

    Proof. A weighted mean of equal centres is that centre; equal losses have equal centres.
    """
    return {"minimiser of the sum": _minimiser(w)[..., None] + 0 * w.centre}, {"own": w.centre}


def _coincide(w: World) -> Terms:
    apart = (w.centre[..., 0] - w.centre[..., 1]) ** 2
    return {"one minimiser": -apart}


def _same_losses(w: World) -> tuple[Terms, Terms]:
    """Quadratics of different curvature share a minimiser; equal distributions would give equal
    losses."""
    losses = w.curvature * (w.point[..., None] - w.centre) ** 2 / 2
    return {"f_1": losses[..., 0]}, {"f_2": losses[..., 1]}


def _shared(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two clients with one centre."""
    centre = values["centre"][:, :1] + 0 * values["centre"]
    return Instance("numbers", {}, None, {**values, "centre": centre}, {})


SHARED = Family(TWO.box, TWO.shapes, _shared, "two quadratics with one minimiser")


STATEMENTS = (
    Statement(
        key="fedbc.sp.consensus/zero", source=source("Section 2"), title="gamma = 0 is consensus",
        latex=r"\|x_i-z\|^2\le0\Rightarrow x_i=z", family=PAIR, sides=_feasible, kind="claim",
        given=_feasible_given, relation="==",
    ),
    Statement(
        key="fedbc.sp.consensus/beyond", source=source("Section 2"), title="gamma > 0 is not",
        latex=r"\exists x_i\ne z:\ \|x_i-z\|^2\le\gamma_i", family=PAIR, sides=_apart, kind="claim",
        given=_apart_given, strict=frozenset({"x and z differ"}), quantifier="some",
    ),
    Statement(
        key="fedbc.sp.consensus.refined", source=source("Section 2"), form="refined", kind="claim",
        title="Algorithm 1 with gamma = 0 leaves models apart", quantifier="some",
        latex=r"\exists:\ \gamma_i=0,\ \max_i\|x_i^T-z^T\|>0", sides=_enforced,
        given=_enforced_given, strict=frozenset({"models differ"}),
        family=runs(size(2, 2, rounds=2), domain="wide"),
    ),
    Statement(
        key="fedbc.sp.minimisers/contained", source=source("Section 2"), kind="claim",
        title="objectives coincide where minimisers are shared", relation="==", sides=_contained,
        latex=r"\operatorname{argmin}\sum_if_i\subset\operatorname{argmin}f_i", family=SHARED,
        given=_coincide,
    ),
    Statement(
        key="fedbc.sp.minimisers/distributions", source=source("Section 2"), kind="claim",
        title="shared minimisers only with equal distributions", relation="==", family=SHARED,
        latex=r"\operatorname{argmin}f_1=\operatorname{argmin}f_2\Rightarrow f_1=f_2",
        sides=_same_losses, given=_coincide,
    ),
    Statement(
        key="fedbc.sp.minimisers.repaired", source=source("Section 2"), form="repaired",
        title="equal losses share their minimisers", relation="==", sides=_contained, kind="claim",
        latex=r"f_1=f_2\Rightarrow\operatorname{argmin}f_1=\operatorname{argmin}\sum_if_i",
        family=SHARED, given=_coincide,
    ),
)  # fmt: skip
