"""Lemma B.1: the three differences of the Lagrangian in one round, (29) to (38).

I is the change by the local models, II by the multipliers, III by the server's model.
"""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Sides, Terms, statement
from verify.statements.fedbc import deductions as deduced
from verify.statements.fedbc.descent import EVERY, FULL, PROOF
from verify.statements.fedbc.quantities import (
    Round,
    first_round,
    in_domain,
    lagrangian,
    losses,
    reach_of,
    residuals,
    runs,
    slopes,
    smooth,
    stiffness,
    tolerance,
)
from verify.world.world import World

WIDE, SMOOTH = runs(*EVERY), smooth(*EVERY)
"""Any dual domain, any multipliers, every participation."""


def _part_one(w: World, r: Round) -> Array:
    return lagrangian(w, r.new, r.server, r.multipliers) - lagrangian(
        w, r.old, r.server, r.multipliers
    )


def _part_three(r: Round) -> Array:
    """lambda' (|x' - z'|^2 - |x' - z|^2), where the rest has cancelled."""
    return r.updated * (r.spread - r.gap)


@statement(
    "fedbc.eq29",
    where=PROOF,
    kind="proof step",
    title="three differences",
    relation="==",
    latex=r"\mathcal L_i^{t+1}-\mathcal L_i^t=I+II+III",
    family=WIDE,
    also=SMOOTH[:1],
    uses=("fedbc.def.lagrangian",),
    note="The three differences telescope.",
)
def eq29(w: World) -> Sides:
    r = first_round(w)
    # II is (lambda' - lambda) (|x' - z|^2 - gamma), where f_i(x') has cancelled
    return {"after": lagrangian(w, r.new, r.after, r.updated)}, {
        "before": lagrangian(w, r.old, r.server, r.multipliers),
        "I": _part_one(w, r),
        "II": (r.updated - r.multipliers) * (r.gap - w.gamma),
        "III": _part_three(r),
    }


# -- the first difference --------------------------------------------------------------------------


def _sides_of_one(w: World, r: Round) -> tuple[Terms, Terms]:
    """Both Lagrangians of the first difference without gamma, so that no digits cancel."""
    before = (r.old - r.server[..., None]) ** 2
    after = {"f_i(x')": losses(w, r.new), "lambda |x' - z|^2": r.multipliers * r.gap}
    return after, {"f_i(x)": losses(w, r.old), "lambda |x - z|^2": r.multipliers * before}


@eq29.like(
    "fedbc.eq31.repaired",
    title="smoothness",
    relation="<=",
    also=SMOOTH,
    uses=("fedbc.A2",),
    latex=r"I\,\le\,\langle\nabla f_i(x_i^{t+1}),x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2+\lambda_i^t(\|x_i^{t+1}-z^t\|^2-\|x_i^t-z^t\|^2)",
    note="As an inequality.",
    proof="f_i(x') - f_i(x) <= <grad f_i(x'), x' - x> + (L_i/2) |x' - x|^2.",
)
def eq31(w: World) -> Sides:
    r = first_round(w)
    after, before = _sides_of_one(w, r)
    return after, {
        "f_i(x)": before["f_i(x)"],
        "slope": slopes(w, r.new) * r.move,
        "L_i/2 |move|^2": stiffness(w) * r.move**2 / 2,
        "lambda |x' - z|^2": after["lambda |x' - z|^2"],
    }


@eq31.like(
    "fedbc.eq33.repaired",
    title="difference of squares",
    uses=("fedbc.eq31.repaired",),
    deduction=deduced.EQ33,
    latex=r"I\,\le\,\langle e_i^{t+1},x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2-\lambda_i^t\|x_i^{t+1}-x_i^t\|^2",
    note="As an inequality.",
    proof="(31) with the difference of squares written out.",
)
def eq33(w: World) -> Sides:
    r = first_round(w)
    after, before = _sides_of_one(w, r)
    return after, {
        **before,
        "residual": residuals(w, r) * r.move,
        "L_i/2 |move|^2": stiffness(w) * r.move**2 / 2,
        "-lambda |move|^2": -r.multipliers * r.move**2,
    }


@eq31.like(
    "fedbc.eq34.repaired",
    title="Peter-Paul",
    uses=("fedbc.eq33.repaired",),
    deduction=deduced.EQ34,
    latex=r"I\,\le\,\tfrac1{2L_i}\|e_i^{t+1}\|^2+L_i\|x_i^{t+1}-x_i^t\|^2-\lambda_i^t\|x_i^{t+1}-x_i^t\|^2",
    note="As an inequality. Tight where d = e/L_i and the curvature is -L_i.",
    proof="<e, d> <= |e|^2/(2 L_i) + (L_i/2) |d|^2.",
)
def eq34(w: World) -> Sides:
    r = first_round(w)
    stiff = stiffness(w)
    after, before = _sides_of_one(w, r)
    return after, {
        **before,
        "|e|^2/(2 L_i)": residuals(w, r) ** 2 / (2 * stiff),
        "L_i |move|^2": stiff * r.move**2,
        "-lambda |move|^2": -r.multipliers * r.move**2,
    }


EQUAL = tuple(
    step.variant(
        step.entry.removesuffix(".repaired"),
        relation="==",
        deduction=deduction,
        proof="",
        uses=tuple(used.removesuffix(".repaired") for used in step.uses),
        latex=step.latex.replace(r"\,\le\,", "=", 1),
        note="Printed with the sign =; <= is what smoothness gives.",
    )
    for step, deduction in ((eq31, None), (eq33, deduced.EQ33_EQUAL), (eq34, deduced.EQ34_EQUAL))
)
"""(31) to (34) are printed as equalities."""


def _eq35(w: World, bottom: Array) -> Sides:
    r = first_round(w)
    return {"I": _part_one(w, r)}, {
        "epsilon": tolerance(w)[..., None] / (2 * bottom),
        "-(lambda - L_i) |move|^2": (stiffness(w) - r.multipliers) * r.move**2,
    }


@statement(
    "fedbc.eq35",
    where=PROOF,
    kind="proof step",
    title="bound of the first difference",
    family=runs(*FULL),
    given=[in_domain],
    latex=r"I\le\frac\epsilon{2L}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2",
    deduction=deduced.EQ35,
    uses=("fedbc.eq34", "fedbc.def.oracle"),
    note="epsilon/(2L) with the largest L: (34) gives epsilon/(2 L_i), which is larger.",
)
def eq35(w: World) -> Sides:
    return _eq35(w, w.beta[..., None])


@eq35.like(
    "fedbc.eq35.repaired",
    latex=r"I\le\frac\epsilon{2L_i}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2",
    family=WIDE,
    also=SMOOTH[:1],
    given=[in_domain],
    uses=("fedbc.eq34.repaired", "fedbc.def.oracle"),
    note="epsilon/(2 L_i).",
    proof="(34) and |e_i|^2 <= epsilon.",
)
def eq35_repaired(w: World) -> Sides:
    return _eq35(w, stiffness(w))


@eq31.like(
    "fedbc.eq36-37/product",
    title="bound of the second difference",
    note="II is the product of the two differences.",
    latex=r"II\le|\lambda_i^{t+1}-\lambda_i^t|\,|\|x_i^{t+1}-z^t\|^2-\gamma_i|",
)
def eq36(w: World) -> Sides:
    r = first_round(w)
    excess = r.gap - w.gamma
    return {"with lambda'": lagrangian(w, r.new, r.server, r.updated)}, {
        "with lambda": lagrangian(w, r.new, r.server, r.multipliers),
        "|change| |gap - gamma|": xp.absolute(r.updated - r.multipliers) * xp.absolute(excess),
    }


def _square(w: World) -> Terms:
    alpha = w.dual_step[..., None]
    return {"alpha (gap - gamma)^2": alpha * (first_round(w).gap - w.gamma) ** 2}


@eq36.like(
    "fedbc.eq36-37/projected",
    uses=("fedbc.def.dual",),
    given=[in_domain],
    latex=r"II\le\alpha(\|x_i^{t+1}-z^t\|^2-\gamma_i)^2",
    note="The projection does not lengthen the dual step; both parts of the square are positive.",
)
def eq37_projected(w: World) -> Sides:
    r = first_round(w)
    excess = r.gap - w.gamma
    return {"lambda' (gap - gamma)": r.updated * excess}, {
        "lambda (gap - gamma)": r.multipliers * excess,
        **_square(w),
    }


@eq36.like(
    "fedbc.eq36-37/split",
    deduction=deduced.EQ37,
    note=eq37_projected.note,
    latex=r"\alpha(\|x_i^{t+1}-z^t\|^2-\gamma_i)^2\le\alpha\|x_i^{t+1}-z^t\|^4+\alpha\gamma_i^2",
)
def eq37_split(w: World) -> Sides:
    alpha, gap = w.dual_step[..., None], first_round(w).gap
    return _square(w), {"alpha gap^2": alpha * gap**2, "alpha gamma^2": alpha * w.gamma**2}


@eq36.like(
    "fedbc.eq36-37/diameter",
    uses=("fedbc.A1",),
    note=eq37_projected.note,
    latex=r"\alpha\|x_i^{t+1}-z^t\|^4+\alpha\gamma_i^2\le16\alpha R^4+\alpha\gamma_i^2",
)
def eq37_diameter(w: World) -> Sides:
    alpha, reach = w.dual_step[..., None], reach_of(w)[..., None]
    right = {"alpha 16 R^4": 16 * alpha * reach**4, "alpha gamma^2": alpha * w.gamma**2}
    return eq37_split(w)[1], right


@eq29.like(
    "fedbc.eq38/equal",
    title="third difference",
    latex=r"III=\lambda_i^{t+1}(\|x_i^{t+1}-z^{t+1}\|^2-\|x_i^{t+1}-z^t\|^2)",
    note="Definition (8): f_i(x_i^{t+1}) and gamma_i cancel.",
)
def eq38_equal(w: World) -> Sides:
    r = first_round(w)
    return {"at z'": lagrangian(w, r.new, r.after, r.updated)}, {
        "at z": lagrangian(w, r.new, r.server, r.updated),
        "difference": _part_three(r),
    }


@eq38_equal.like(
    "fedbc.eq38/dropped",
    relation="<=",
    given=[in_domain],
    deduction=deduced.EQ38,
    note="The second square is dropped, and lambda <= lambda_max.",
    latex=r"III\le\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2",
)
def eq38_dropped(w: World) -> Sides:
    r = first_round(w)
    return {"III": _part_three(r)}, {"lambda_max |x - z|^2": w.lambda_max[..., None] * r.spread}
