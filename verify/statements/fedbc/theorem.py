"""Theorem 4.5: stationarity of the server's models, as printed and with every constant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bounds import fedbc as closed
from bounds import generic as xp
from bounds.fedbc_constants import start_constant
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc import deductions_theorem as deduced
from verify.statements.fedbc.common import (
    ABOVE,
    CONTRACTING,
    STEPPED,
    Array,
    above,
    contracting,
    in_domain,
    size,
    source,
    stiffness,
)
from verify.statements.fedbc.domain import (
    best_loss,
    dissimilarity,
    domain_of,
    dual_bound,
    gradient_bound,
    mean_loss,
)
from verify.statements.fedbc.horizons import (
    TOGETHER,
    average_gradient,
    horizons,
    length,
    standing,
    still,
)
from verify.statements.fedbc.rounds import tolerance
from verify.world.world import World

FULL: tuple[Shape, ...] = (still("hump"), still("well"), *TOGETHER[:2])
_SAMPLED: dict[str, Any] = {"rounds": 2, **STEPPED, "together": True}
READINGS: dict[str, tuple[Shape, ...]] = {
    "V": (*FULL, size(2, 1, virtual=True, **_SAMPLED)),
    "A": (*FULL, size(2, 1, **_SAMPLED)),
}
"""Devices outside the sampled set: every device computes, or they keep model and multiplier."""
CONSTANTS = ("dual", "gradient", "each")
"""What G stands for: (37) everywhere, (81) everywhere, or each where it was introduced."""


def constants(w: World, reading: str) -> tuple[Array, Array]:
    """G of the dual step and G of the start, (B, 1)."""
    dual = gradient_bound(w) if reading == "gradient" else dual_bound(w)
    return dual, dual if reading == "dual" else gradient_bound(w)


def start_of(w: World, bound: Array) -> Array:
    """B_0 (88), (B, 1)."""
    start = mean_loss(w, w.start[..., 0])
    return start_constant(start, best_loss(w), bound[..., None] ** 2, stiffness(w))


def _printed(reading: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Right side of (90). Two clients on opposite curvatures stand still at a point where f is
        not stationary; what remains for large T is the delta^2 term without M + 2 lambda_max."""
        dual, start = constants(w, reading)
        return {"average |grad f|^2": average_gradient(w)}, closed.stationarity_printed(
            length(w), start_of(w, start), tolerance(w), dissimilarity(w), stiffness(w),
            w.lambda_max, w.dual_step, dual, w.gamma, w.S,
        )  # fmt: skip

    return sides


def _explicit(w: World) -> tuple[Terms, Terms]:
    """4 M_1^2/(kappa T) (B_0 + lambda_max mean gamma) + 4 epsilon + 4 M_1^2/kappa (mean epsilon/(2 L_i)
    + alpha mean(16 R^4 + gamma_i^2)) + (4 L^2 + 16 lambda_max^2 + 4 M_1^2 lambda_max/kappa) C.

    Proof. |grad f(z)|^2 <= (4 L^2 + 16 lambda_max^2) mean |x - z|^2 + 2 mean |grad L_i|^2 by (68) and
    (2a + 2b)^2 <= 8 a^2 + 8 b^2; mean |grad L_i|^2 <= 2 M_1^2 mean |move|^2 + 2 epsilon; kappa mean
    |move|^2 is bounded by the repaired descent lemma with kappa = lambda_min - L; consensus errors
    are at most C of the repaired Lemma B.2, and zero at t = 0. Sum; L^0 - L^T <= B_0 + lambda_max
    mean gamma by (87)-(89).
    """
    return {"average |grad f|^2": average_gradient(w)}, closed.stationarity_upper(
        length(w), start_of(w, gradient_bound(w)), tolerance(w), dissimilarity(w), stiffness(w),
        w.lambda_min, w.lambda_max, w.dual_step, domain_of(w).diameter, w.gamma,
    )  # fmt: skip


def _shape_of_it(w: World) -> tuple[Terms, Terms]:
    """The five terms, each with one unnamed constant. Smoothness, dual domain and wells are fixed:
    the constants may depend on them."""
    rounds = length(w)
    return {"average |grad f|^2": average_gradient(w)}, {
        "B_0/T": start_of(w, gradient_bound(w)) / rounds,
        "epsilon": tolerance(w),
        "delta^2": dissimilarity(w) ** 2,
        "alpha": w.dual_step,
        "gamma/T": xp.mean(w.gamma) / rounds,
    }


def _resting(w: World) -> Terms:
    return {**in_domain(w), **standing(w)}


def _contracting(w: World) -> Terms:
    return {**contracting(w), "alpha > 0": w.dual_step, **standing(w)}


def _above(w: World) -> Terms:
    return {**above(w), **standing(w)}


def fixed(*shapes: Shape) -> Family:
    """Runs with fixed wells and dual domain; nothing leaves its range along a ray but the dual step."""
    family = horizons(*shapes, domain="wide")
    frozen = {"height": 1, "width": 1, "low": 1, "high": 1}
    box = {
        name: Real(frozen[name], frozen[name], per=p.per)
        if name in frozen
        else p if name == "dual_step" else replace(p, unit=(0, 0))
        for name, p in family.box.items()
    }
    return replace(family, box=box)


_AVERAGE = r"\frac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2"
_O = (
    r"=\mathcal O(\tfrac{B_0}T)+\mathcal O(\epsilon)+\mathcal O(\delta^2)+\mathcal O(\alpha)"
    r"+\mathcal O(\tfrac1{NT}\sum_i\gamma_i)"
)
_SUM = r"\frac{S(N-1)}{C_0^2N^2}\sum_i\frac1{(1+L_i)^%d}"
_EQ90 = (
    r"\le\frac{4M_1^2B_0}T+\frac{4M_1^2\lambda_{\max}}{T}\bar\gamma+(M+2\lambda_{\max})\epsilon"
    + _SUM % 2 + r"+\delta^2" + _SUM % 4 + r"+\frac{2M_1^2\epsilon}L+2\alpha M_1^2G^2"
)
_EXPLICIT = (
    r"\le\frac{4M_1^2}{\kappa T}(B_0+\lambda_{\max}\bar\gamma)+4\epsilon+\frac{4M_1^2}\kappa\Bigl("
    r"\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr)+\Bigl(4L^2+"
    r"16\lambda_{\max}^2+\tfrac{4M_1^2\lambda_{\max}}\kappa\Bigr)\Bigl(\tfrac{2\sqrt\epsilon+\delta/"
    r"\lambda_{\min}}{2\lambda_{\min}-L}\Bigr)^2,\quad\kappa=\lambda_{\min}-L"
)

STATEMENTS = (
    *(
        Statement(
            key=f"fedbc.theorem1@{reading}", source=source("Theorem 4.5 (14)"), relation="<~",
            title="global performance", latex=_AVERAGE + _O, sides=_shape_of_it,
            family=fixed(*shapes), given=_resting,
            uses=("fedbc.explicit90",),
        )
        for reading, shapes in READINGS.items()
    ),
    Statement(
        key="fedbc.theorem1.explicit", source=source("Theorem 4.5 (14)"), form="explicit",
        title="global performance with every constant, every device computing",
        latex=_AVERAGE + _EXPLICIT, sides=_explicit, strict=ABOVE,
        family=horizons(*READINGS["V"], domain="wide"), given=_above,
        uses=("fedbc.explicit90.repaired",),
    ),
    *(
        Statement(
            key=f"fedbc.explicit90@{reading}-{constant}", source=source("Theorem 4.5 (90)"),
            title="global performance, constants of the proof", latex=_AVERAGE + _EQ90,
            sides=_printed(constant), family=horizons(*shapes), given=_contracting,
            strict=CONTRACTING | {"alpha > 0"}, uses=("fedbc.eq77", "fedbc.eq87-89"),
            deduction=deduced.EQ90,
        )
        for reading, shapes in READINGS.items()
        for constant in CONSTANTS
    ),
    Statement(
        key="fedbc.explicit90.repaired", source=source("Theorem 4.5 (90)"), form="repaired",
        title="global performance, constants that the steps give", latex=_AVERAGE + _EXPLICIT,
        sides=_explicit, strict=ABOVE, given=_above,
        family=horizons(*READINGS["V"], domain="wide"),
        uses=("fedbc.lemmaB1i.refined", "fedbc.lemmaB1ii.repaired", "fedbc.lemmaB2.repaired",
              "fedbc.eq66-68", "fedbc.eq78.repaired", "fedbc.eq80-83"),
    ),
)  # fmt: skip
