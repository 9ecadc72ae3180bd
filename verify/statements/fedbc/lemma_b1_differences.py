"""Lemma B.1: the three differences of the Lagrangian in one round, (29) to (38).

I is the change by the local models, II by the multipliers, III by the server's model.
"""

from __future__ import annotations

from dataclasses import replace

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Sides, Terms
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
proof of Lemma B.1 :: proof step
    eq29 :: three differences :: \mathcal L_i^{t+1}-\mathcal L_i^t=I+II+III <- def.lagrangian
    eq31@as-used :: smoothness :: I\,\le\,\langle\nabla f_i(x_i^{t+1}),x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2+\lambda_i^t(\|x_i^{t+1}-z^t\|^2-\|x_i^t-z^t\|^2) <- A2
    eq33@as-used :: difference of squares :: I\,\le\,\langle e_i^{t+1},x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2-\lambda_i^t\|x_i^{t+1}-x_i^t\|^2 <- eq31@as-used
    eq34@as-used :: Peter-Paul :: I\,\le\,\tfrac1{2L_i}\|e_i^{t+1}\|^2+L_i\|x_i^{t+1}-x_i^t\|^2-\lambda_i^t\|x_i^{t+1}-x_i^t\|^2 <- eq33@as-used
    eq35@printed :: bound of the first difference :: I\le\frac\epsilon{2L}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2 <- eq34 def.oracle
    eq35@traced :: bound of the first difference :: I\le\frac\epsilon{2L_i}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2 <- eq34@as-used def.oracle
    eq36-37/product :: bound of the second difference :: II\le|\lambda_i^{t+1}-\lambda_i^t|\,|\|x_i^{t+1}-z^t\|^2-\gamma_i|
    eq36-37/projected :: bound of the second difference :: II\le\alpha(\|x_i^{t+1}-z^t\|^2-\gamma_i)^2 <- def.dual
    eq36-37/split :: bound of the second difference :: \alpha(\|x_i^{t+1}-z^t\|^2-\gamma_i)^2\le\alpha\|x_i^{t+1}-z^t\|^4+\alpha\gamma_i^2
    eq36-37/diameter :: bound of the second difference :: \alpha\|x_i^{t+1}-z^t\|^4+\alpha\gamma_i^2\le16\alpha R^4+\alpha\gamma_i^2 <- A1
    eq38/equal :: third difference :: III=\lambda_i^{t+1}(\|x_i^{t+1}-z^{t+1}\|^2-\|x_i^{t+1}-z^t\|^2)
    eq38/dropped :: third difference :: III\le\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2
""")

WIDE, SMOOTH = q.runs(*q.EVERY), q.smooth(*q.EVERY)
"""Any dual domain, any multipliers, every participation."""
follows, shown = q.deductions(
    claim,
    r"""
proof of Lemma B.1
(31) :: I\le\langle\nabla f_i(x_i^{t+1}),x_i^{t+1}-x_i^t\rangle+\tfrac{L_i}2\|x_i^{t+1}-x_i^t\|^2+\lambda_i^t(\|x_i^{t+1}-z^t\|^2-\|x_i^t-z^t\|^2) :: (31), printed as an equality
(33) :: I\le\langle e_i^{t+1},x_i^{t+1}-x_i^t\rangle+(\tfrac{L_i}2-\lambda_i^t)\|x_i^{t+1}-x_i^t\|^2 :: (33), printed as an equality
(34) :: I\le\tfrac1{2L_i}\|e_i^{t+1}\|^2+(L_i-\lambda_i^t)\|x_i^{t+1}-x_i^t\|^2 :: (34), printed as an equality
""",
)


def _part_one(w: World, r: q.Round) -> Array:
    before = q.lagrangian(w, r.old, r.server, r.multipliers)
    return q.lagrangian(w, r.new, r.server, r.multipliers) - before


def _part_three(r: q.Round) -> Array:
    """lambda' (|x' - z'|^2 - |x' - z|^2), where the rest has cancelled."""
    return r.updated * (r.spread - r.gap)


@claim("eq29", relation="==", family=WIDE, also=SMOOTH[:1])
def eq29(w: World) -> Sides:
    """The three differences telescope."""
    r = q.first_round(w)
    # II is (lambda' - lambda) (|x' - z|^2 - gamma), where f_i(x') has cancelled
    return {"after": q.lagrangian(w, r.new, r.after, r.updated)}, {
        "before": q.lagrangian(w, r.old, r.server, r.multipliers),
        "I": _part_one(w, r),
        "II": (r.updated - r.multipliers) * (r.gap - w.gamma),
        "III": _part_three(r),
    }


# -- the first difference --------------------------------------------------------------------------


def _sides_of_one(w: World, r: q.Round) -> tuple[Terms, Terms]:
    """Both Lagrangians of the first difference without gamma, so that no digits cancel."""
    before = (r.old - r.server[..., None]) ** 2
    after = {"f_i(x')": q.losses(w, r.new), "lambda |x' - z|^2": r.multipliers * r.gap}
    return after, {"f_i(x)": q.losses(w, r.old), "lambda |x - z|^2": r.multipliers * before}


def _equal(display: Hypothesis) -> list[Hypothesis]:
    """A display that is printed as an equality, as two inequalities."""
    above = display.latex.replace(r"I\le", r"I\ge")
    turned = replace(display, latex=above, rule=lambda w: -display.rule(w))
    return [display, replace(turned, name=f"{display.name} from above")]


DISPLAY31 = shown(
    "(31)",
    lambda w: (
        w.slope * (w.new - w.old)
        + w.stiff * (w.new - w.old) ** 2 / 2
        + w.multiplier * ((w.new - w.server) ** 2 - (w.old - w.server) ** 2)
        - w.part
    ),
)
DISPLAY33 = shown(
    "(33)", lambda w: w.residual * w.move + (w.stiff / 2 - w.multiplier) * w.move**2 - w.part
)


@follows("eq33", "part~ slope~ multiplier stiff+ new~ old~ server~", DISPLAY31)
def squares_written_out(w: World) -> Sides:
    return {"I": w.part}, {
        "residual": (w.slope + 2 * w.multiplier * (w.new - w.server)) * (w.new - w.old),
        "move": (w.stiff / 2 - w.multiplier) * (w.new - w.old) ** 2,
    }


@follows("eq34", "part~ residual~ stiff+ multiplier move~", DISPLAY33)
def peter_paul(w: World) -> Sides:
    square = w.residual**2 / (2 * w.stiff)
    return {"I": w.part}, {"|e|^2/(2 L)": square, "move": (w.stiff - w.multiplier) * w.move**2}


@claim("eq31@as-used", like=eq29, relation="<=", also=SMOOTH)
def eq31(w: World) -> Sides:
    """As an inequality.

    Proof. f_i(x') - f_i(x) <= <grad f_i(x'), x' - x> + (L_i/2) |x' - x|^2."""
    r = q.first_round(w)
    after, before = _sides_of_one(w, r)
    return after, {
        "f_i(x)": before["f_i(x)"],
        "slope": q.slopes(w, r.new) * r.move,
        "L_i/2 |move|^2": q.stiffness(w) * r.move**2 / 2,
        "lambda |x' - z|^2": after["lambda |x' - z|^2"],
    }


@claim("eq33@as-used", like=eq31, deduction=squares_written_out)
def eq33(w: World) -> Sides:
    """As an inequality.

    Proof. (31) with the difference of squares written out."""
    r = q.first_round(w)
    after, before = _sides_of_one(w, r)
    return after, {
        **before,
        "residual": q.residuals(w, r) * r.move,
        "L_i/2 |move|^2": q.stiffness(w) * r.move**2 / 2,
        "-lambda |move|^2": -r.multipliers * r.move**2,
    }


@claim("eq34@as-used", like=eq31, deduction=peter_paul)
def eq34(w: World) -> Sides:
    """As an inequality. Tight where d = e/L_i and the curvature is -L_i.

    Proof. <e, d> <= |e|^2/(2 L_i) + (L_i/2) |d|^2."""
    r, stiff = q.first_round(w), q.stiffness(w)
    after, before = _sides_of_one(w, r)
    return after, {
        **before,
        "|e|^2/(2 L_i)": q.residuals(w, r) ** 2 / (2 * stiff),
        "L_i |move|^2": stiff * r.move**2,
        "-lambda |move|^2": -r.multipliers * r.move**2,
    }


EQUAL = tuple(
    mended.variant(
        f"{mended.entry}@as-set",
        relation="==",
        deduction=deduction
        and deduction.variant(
            f"{deduction.key}-equal", relation="==", given=_equal(*deduction.given)
        ),
        proof="",
        uses=tuple(used.partition("@")[0] for used in mended.uses),
        latex=mended.latex.replace(r"\,\le\,", "=", 1),
        note="Printed with the sign =; <= is what smoothness gives.",
    )
    for mended, deduction in ((eq31, None), (eq33, squares_written_out), (eq34, peter_paul))
)
"""(31) to (34) are printed as equalities."""


@follows(
    "eq35",
    "part~ residual~ stiff+ top+ multiplier move~ epsilon",
    shown(
        "(34)",
        lambda w: w.residual**2 / (2 * w.stiff) + (w.stiff - w.multiplier) * w.move**2 - w.part,
    ),
    q.small_residual,
    q.largest_stiffness,
)
def residual_bounded(w: World) -> Sides:
    epsilon = w.epsilon / (2 * w.top)
    return {"I": w.part}, {"epsilon/(2 L)": epsilon, "move": (w.stiff - w.multiplier) * w.move**2}


def _bounded(w: World, bottom: Array) -> Sides:
    r = q.first_round(w)
    return {"I": _part_one(w, r)}, {
        "epsilon": q.tolerance(w)[..., None] / (2 * bottom),
        "-(lambda - L_i) |move|^2": (q.stiffness(w) - r.multipliers) * r.move**2,
    }


@claim("eq35@printed", family=q.runs(*q.FULL), given=[q.in_domain], deduction=residual_bounded)
def eq35(w: World) -> Sides:
    """epsilon/(2L) with the largest L: (34) gives epsilon/(2 L_i), which is larger."""
    return _bounded(w, w.beta[..., None])


@claim("eq35@traced", like=eq35, family=WIDE, also=SMOOTH[:1])
def eq35_repaired(w: World) -> Sides:
    """epsilon/(2 L_i).

    Proof. (34) and |e_i|^2 <= epsilon."""
    return _bounded(w, q.stiffness(w))


# -- the second difference -------------------------------------------------------------------------

PROJECTED = "The projection does not lengthen the dual step; both parts of the square are positive."


@claim("eq36-37/product", like=eq31)
def eq36(w: World) -> Sides:
    """II is the product of the two differences."""
    r = q.first_round(w)
    product = xp.absolute(r.updated - r.multipliers) * xp.absolute(r.gap - w.gamma)
    return {"with lambda'": q.lagrangian(w, r.new, r.server, r.updated)}, {
        "with lambda": q.lagrangian(w, r.new, r.server, r.multipliers),
        "|change| |gap - gamma|": product,
    }


def _square(w: World) -> Terms:
    alpha = w.dual_step[..., None]
    return {"alpha (gap - gamma)^2": alpha * (q.first_round(w).gap - w.gamma) ** 2}


@claim("eq36-37/projected", like=eq36, given=[q.in_domain], note=PROJECTED)
def eq37_projected(w: World) -> Sides:
    r = q.first_round(w)
    excess = r.gap - w.gamma
    right = {"lambda (gap - gamma)": r.multipliers * excess, **_square(w)}
    return {"lambda' (gap - gamma)": r.updated * excess}, right


@follows("eq37", "alpha gap gamma")
def square_split(w: World) -> Sides:
    right = {"gap": w.alpha * w.gap**2, "gamma": w.alpha * w.gamma**2}
    return {"square": w.alpha * (w.gap - w.gamma) ** 2}, right


@claim("eq36-37/split", like=eq36, deduction=square_split, note=PROJECTED)
def eq37_split(w: World) -> Sides:
    alpha, gap = w.dual_step[..., None], q.first_round(w).gap
    return _square(w), {"alpha gap^2": alpha * gap**2, "alpha gamma^2": alpha * w.gamma**2}


@claim("eq36-37/diameter", like=eq36, note=PROJECTED)
def eq37_diameter(w: World) -> Sides:
    alpha, reach = w.dual_step[..., None], q.reach_of(w)[..., None]
    right = {"alpha 16 R^4": 16 * alpha * reach**4, "alpha gamma^2": alpha * w.gamma**2}
    return eq37_split(w)[1], right


# -- the third difference --------------------------------------------------------------------------


@claim("eq38/equal", like=eq29)
def eq38_equal(w: World) -> Sides:
    """Definition (8): f_i(x_i^{t+1}) and gamma_i cancel."""
    r = q.first_round(w)
    at_z = q.lagrangian(w, r.new, r.server, r.updated)
    right = {"at z": at_z, "difference": _part_three(r)}
    return {"at z'": q.lagrangian(w, r.new, r.after, r.updated)}, right


@follows(
    "eq38",
    "multiplier most spread gap",
    replace(q.below_most, latex=r"\lambda_i^{t+1}\le\lambda_{\max}", where="(11)"),
)
def square_dropped(w: World) -> Sides:
    return {"III": w.multiplier * (w.spread - w.gap)}, {"bound": w.most * w.spread}


@claim(
    "eq38/dropped", like=eq38_equal, relation="<=", given=[q.in_domain], deduction=square_dropped
)
def eq38_dropped(w: World) -> Sides:
    """The second square is dropped, and lambda <= lambda_max."""
    r = q.first_round(w)
    return {"III": _part_three(r)}, {"lambda_max |x - z|^2": w.lambda_max[..., None] * r.spread}
