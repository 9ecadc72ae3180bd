"""Lemma B.1: the three differences of the Lagrangian in one round, (29) to (38).

I is the change by the local models, II by the multipliers, III by the server's model.
"""

from __future__ import annotations

from bounds import generic as xp
from verify.claim.statement import Rule, Terms
from verify.statements.fedbc import deductions
from verify.statements.fedbc.common import (
    FREE,
    PRINTED,
    Array,
    printed_domain,
    runs,
    steps_of,
    stiffness,
)
from verify.statements.fedbc.descent_gradient import FULL, VIRTUAL, WIDE
from verify.statements.fedbc.domain import domain_of
from verify.statements.fedbc.rounds import (
    Round,
    first_round,
    lagrangian,
    losses,
    residuals,
    slopes,
    tolerance,
)
from verify.world.world import World


def _part_one(w: World, r: Round) -> Array:
    return lagrangian(w, r.new, r.server, r.multipliers) - lagrangian(
        w, r.old, r.server, r.multipliers
    )


def _part_two(w: World, r: Round) -> Array:
    """(lambda' - lambda) (|x' - z|^2 - gamma), where f_i(x') has cancelled."""
    return (r.updated - r.multipliers) * (r.gap - w.gamma)


def _part_three(r: Round) -> Array:
    """lambda' (|x' - z'|^2 - |x' - z|^2), where the rest has cancelled."""
    return r.updated * (r.spread - r.gap)


def _sides_of_one(w: World, r: Round) -> tuple[Terms, Terms]:
    """Both Lagrangians of the first difference without gamma, so that no digits cancel."""
    before = (r.old - r.server[..., None]) ** 2
    after = {"f_i(x')": losses(w, r.new), "lambda |x' - z|^2": r.multipliers * r.gap}
    return after, {"f_i(x)": losses(w, r.old), "lambda |x - z|^2": r.multipliers * before}


def _eq29(w: World) -> tuple[Terms, Terms]:
    """The three differences telescope."""
    r = first_round(w)
    return {"after": lagrangian(w, r.new, r.after, r.updated)}, {
        "before": lagrangian(w, r.old, r.server, r.multipliers),
        "I": _part_one(w, r), "II": _part_two(w, r), "III": _part_three(r),
    }  # fmt: skip


def _eq31(w: World) -> tuple[Terms, Terms]:
    """As an inequality: f_i(x') - f_i(x) <= <grad f_i(x'), x' - x> + (L_i/2) |x' - x|^2."""
    r = first_round(w)
    move = r.move
    after, before = _sides_of_one(w, r)
    return after, {
        "f_i(x)": before["f_i(x)"], "slope": slopes(w, r.new) * move,
        "L_i/2 |move|^2": stiffness(w) * move**2 / 2,
        "lambda |x' - z|^2": after["lambda |x' - z|^2"],
    }  # fmt: skip


def _eq33(w: World) -> tuple[Terms, Terms]:
    """(31) with the difference of squares written out."""
    r = first_round(w)
    move = r.move
    after, before = _sides_of_one(w, r)
    return after, {
        **before, "residual": residuals(w, r) * move,
        "L_i/2 |move|^2": stiffness(w) * move**2 / 2, "-lambda |move|^2": -r.multipliers * move**2,
    }  # fmt: skip


def _eq34(w: World) -> tuple[Terms, Terms]:
    """<e, d> <= |e|^2/(2 L_i) + (L_i/2) |d|^2. Tight where d = e/L_i and the curvature is -L_i."""
    r = first_round(w)
    move, stiff = r.move, stiffness(w)
    after, before = _sides_of_one(w, r)
    return after, {
        **before, "|e|^2/(2 L_i)": residuals(w, r) ** 2 / (2 * stiff),
        "L_i |move|^2": stiff * move**2, "-lambda |move|^2": -r.multipliers * move**2,
    }  # fmt: skip


def _eq35(common: bool) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        r = first_round(w)
        stiff = stiffness(w)
        bottom = w.beta[..., None] if common else stiff
        epsilon = tolerance(w)[..., None]
        return {"I": _part_one(w, r)}, {
            "epsilon": epsilon / (2 * bottom),
            "-(lambda - L_i) |move|^2": (stiff - r.multipliers) * r.move**2,
        }

    sides.__doc__ = (
        "epsilon/(2L) with the largest L: (34) gives epsilon/(2 L_i), which is larger."
        if common
        else "epsilon/(2 L_i).\n\nProof. (34) and |e_i|^2 <= epsilon."
    )
    return sides


def _eq36(w: World) -> tuple[Terms, Terms]:
    """II is the product of the two differences."""
    r = first_round(w)
    excess = r.gap - w.gamma
    return {"with lambda'": lagrangian(w, r.new, r.server, r.updated)}, {
        "with lambda": lagrangian(w, r.new, r.server, r.multipliers),
        "|change| |gap - gamma|": xp.absolute(r.updated - r.multipliers) * xp.absolute(excess),
    }


def _eq37(part: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The projection does not lengthen the dual step; both parts of the square are positive."""
        r = first_round(w)
        alpha, gap = w.dual_step[..., None], r.gap
        square = {"alpha (gap - gamma)^2": alpha * (gap - w.gamma) ** 2}
        split = {"alpha gap^2": alpha * gap**2, "alpha gamma^2": alpha * w.gamma**2}
        if part == "projected":
            excess = gap - w.gamma
            return {"lambda' (gap - gamma)": r.updated * excess}, {
                "lambda (gap - gamma)": r.multipliers * excess, **square,
            }  # fmt: skip
        if part == "split":
            return square, split
        reach = domain_of(w).diameter[..., None]
        return split, {"alpha 16 R^4": 16 * alpha * reach**4, "alpha gamma^2": alpha * w.gamma**2}

    return sides


def _eq38(part: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The second square is dropped, and lambda <= lambda_max."""
        r = first_round(w)
        if part == "equal":
            return {"at z'": lagrangian(w, r.new, r.after, r.updated)}, {
                "at z": lagrangian(w, r.new, r.server, r.updated), "difference": _part_three(r),
            }  # fmt: skip
        return {"III": _part_three(r)}, {"lambda_max |x - z|^2": w.lambda_max[..., None] * r.spread}

    return sides


_step = steps_of("proof of Lemma B.1", given=printed_domain, strict=PRINTED, family=runs(*FULL))

STATEMENTS = (
    _step("eq29", "three differences", r"\mathcal L_i^{t+1}-\mathcal L_i^t=I+II+III", _eq29, relation="==",
          uses=("fedbc.def.lagrangian",),
          family=WIDE, **FREE),
    *(
        _step(
            f"{name}@{reading}", title, latex.replace("REL", sign), sides, relation=relation,
            family=WIDE, uses=(f"fedbc.{used}",), **FREE,
            **({"deduction": deduction} if reading == "upper" and deduction else {}),
        )
        for name, used, title, latex, sides, deduction in (
            ("eq31", "A2", "smoothness",
             r"I\,REL\,\langle\nabla f_i(x_i^{t+1}),x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2+\lambda_i^t(\|x_i^{t+1}-z^t\|^2-\|x_i^t-z^t\|^2)",
             _eq31, None),
            ("eq33", "eq31", "difference of squares",
             r"I\,REL\,\langle e_i^{t+1},x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2-\lambda_i^t\|x_i^{t+1}-x_i^t\|^2",
             _eq33, deductions.EQ33),
            ("eq34", "eq33", "Peter-Paul",
             r"I\,REL\,\tfrac1{2L_i}\|e_i^{t+1}\|^2+L_i\|x_i^{t+1}-x_i^t\|^2-\lambda_i^t\|x_i^{t+1}-x_i^t\|^2",
             _eq34, deductions.EQ34),
        )
        for reading, relation, sign in (("upper", "<=", r"\le"), ("equal", "==", "="))
    ),
    _step("eq35", "bound of the first difference",
          r"I\le\frac\epsilon{2L}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2", _eq35(True),
          deduction=deductions.EQ35, uses=("fedbc.eq34", "fedbc.def.oracle")),
    _step("eq35.repaired", "bound of the first difference",
          r"I\le\frac\epsilon{2L_i}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2", _eq35(False),
          form="repaired", family=runs(*VIRTUAL, domain="convex"),
          uses=("fedbc.eq34", "fedbc.def.oracle"), **FREE),
    _step("eq36-37/product", "bound of the second difference",
          r"II\le|\lambda_i^{t+1}-\lambda_i^t|\,|\|x_i^{t+1}-z^t\|^2-\gamma_i|", _eq36, family=WIDE,
          **FREE),
    *(
        _step(f"eq36-37/{part}", "bound of the second difference", latex, _eq37(part),
              family=WIDE, **FREE, **more)
        for part, latex, more in (
            ("projected", r"II\le\alpha(\|x_i^{t+1}-z^t\|^2-\gamma_i)^2",
             {"uses": ("fedbc.def.dual",)}),
            ("split", r"\alpha(\|x_i^{t+1}-z^t\|^2-\gamma_i)^2\le\alpha\|x_i^{t+1}-z^t\|^4+\alpha\gamma_i^2",
             {"deduction": deductions.EQ37}),
            ("diameter", r"\alpha\|x_i^{t+1}-z^t\|^4+\alpha\gamma_i^2\le16\alpha R^4+\alpha\gamma_i^2",
             {"uses": ("fedbc.A1",)}),
        )
    ),
    _step("eq38/equal", "third difference",
          r"III=\lambda_i^{t+1}(\|x_i^{t+1}-z^{t+1}\|^2-\|x_i^{t+1}-z^t\|^2)", _eq38("equal"),
          relation="==", family=WIDE, **FREE),
    _step("eq38/dropped", "third difference",
          r"III\le\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2", _eq38("dropped"), family=WIDE,
          deduction=deductions.EQ38, **FREE),
)  # fmt: skip
