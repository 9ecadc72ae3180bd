"""Lemma B.1 (i): the gradient of a Lagrangian by the move of the model, (20), (26) and (27)."""

from __future__ import annotations

from bounds import generic as xp
from bounds.fedbc_constants import moving_constant
from verify.claim.parameters import Shape
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc import deductions
from verify.statements.fedbc.common import (
    PRINTED,
    STEPPED,
    Array,
    in_domain,
    printed_domain,
    runs,
    size,
    source,
    steps_of,
)
from verify.statements.fedbc.rounds import (
    expected,
    first_rounds,
    in_every_set,
    lagrangian_slope,
    mean_slope_of_lagrangians,
    tolerance,
)
from verify.world.world import World, once

FULL = (size(1, 1, **STEPPED), size(2, 2, **STEPPED), size(2, 2))
VIRTUAL: tuple[Shape, ...] = (*FULL, size(2, 1, virtual=True, **STEPPED), size(2, 1, virtual=True))
LITERAL: tuple[Shape, ...] = (*FULL, size(2, 1, **STEPPED), size(2, 1))
READINGS = {"V": VIRTUAL, "A": LITERAL}
"""Devices outside the sampled set: every device computes, or they keep model and multiplier."""
WIDE = runs(*VIRTUAL, *LITERAL[3:], domain="wide")
"""Any dual domain above L, every participation."""


def _gradient(power: int) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Tight where curvature and residual push the same way."""
        slope = in_every_set(w, lambda r: lagrangian_slope(w, r.old, r.server, r.multipliers))
        move = in_every_set(w, lambda r: r.move)
        most = moving_constant(w.beta, w.lambda_max)[..., None]
        epsilon = tolerance(w)[..., None]
        if power == 1:
            return {"|grad L_i|": xp.absolute(slope)}, {
                "(L + 2 lambda_max) |move|": most * xp.absolute(move),
                "sqrt epsilon": xp.sqrt(epsilon),
            }
        return {"|grad L_i|^2": slope**2}, {
            "2 M_1^2 |move|^2": 2 * most**2 * move**2, "2 epsilon": 2 * epsilon,
        }  # fmt: skip

    return sides


@once
def mean_move(w: World) -> Array:
    """Mean over clients and sampled sets of |x_i^{t+1} - x_i^t|^2, (B, 1)."""
    return expected([xp.mean(r.move**2) for r in first_rounds(w)])


def _b1i(w: World) -> tuple[Terms, Terms]:
    """2 M_1^2 multiplies epsilon too, which is right only where M_1 >= 1."""
    factor = 2 * moving_constant(w.beta, w.lambda_max) ** 2
    return {"mean |grad L_i|^2": mean_slope_of_lagrangians(w)}, {
        "mean |move|^2": factor * mean_move(w),
        "epsilon": factor * tolerance(w),
    }


def _b1i_repaired(w: World) -> tuple[Terms, Terms]:
    """2 M_1^2 mean |move|^2 + 2 epsilon, with every client computing in every round.

    Proof. grad L_i(x^t) = [grad f_i(x^t) - grad f_i(x^{t+1})] + 2 lambda (x^t - x^{t+1}) + e_i; its
    norm is at most M_1 |move| + sqrt(epsilon). Square, and average over clients.
    """
    factor = 2 * moving_constant(w.beta, w.lambda_max) ** 2
    return {"mean |grad L_i|^2": mean_slope_of_lagrangians(w)}, {
        "mean |move|^2": factor * mean_move(w), "2 epsilon": 2 * tolerance(w),
    }  # fmt: skip


_step = steps_of("proof of Lemma B.1", given=printed_domain, strict=PRINTED)
_GRADIENT = r"\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|"
_B1I = (
    r"\tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i(x_i^t,z^t,\lambda_i^t)\|^2\le"
    r"2M_1^2\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2+%s\epsilon"
)

STATEMENTS = (
    *(
        Statement(
            key=f"fedbc.lemmaB1i@{reading}", source=source("Lemma B.1 (20)"), kind="lemma",
            title="gradient of the Lagrangian", latex=_B1I % "2M_1^2", sides=_b1i,
            family=runs(*shapes), uses=("fedbc.eq27",), deduction=deductions.B1I,
            given=printed_domain, strict=PRINTED,
        )
        for reading, shapes in READINGS.items()
    ),
    Statement(
        key="fedbc.lemmaB1i.refined", source=source("Lemma B.1 (20)"), kind="lemma",
        form="refined", title="2 epsilon, for any dual domain", latex=_B1I % "2",
        sides=_b1i_repaired, family=runs(*VIRTUAL, domain="convex"), given=in_domain,
        uses=("fedbc.eq27",),
    ),
    *(
        _step(
            f"{name}@{reading}", "gradient before the round", latex, _gradient(power),
            family=runs(*shapes), **more,
        )
        for name, latex, power, more in (
            ("eq26", _GRADIENT + r"\le(L+2\lambda_{\max})\|x_i^{t+1}-x_i^t\|+\sqrt\epsilon", 1,
             {"uses": ("fedbc.grad/17", "fedbc.def.oracle", "fedbc.A2")}),
            ("eq27", _GRADIENT + r"^2\le2M_1^2\|x_i^{t+1}-x_i^t\|^2+2\epsilon", 2,
             {"uses": ("fedbc.eq26",), "deduction": deductions.EQ27}),
        )
        for reading, shapes in READINGS.items()
    ),
)  # fmt: skip
