"""Theorem 4.5: stationarity of the server's models, as printed and with every constant."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from bounds import fedbc as closed
from bounds import generic as xp
from bounds.fedbc_constants import start_constant
from verify.claim import Array, Family, Real, Shape, Sides, statement
from verify.statements.fedbc import deductions as deduced
from verify.statements.fedbc import domain
from verify.statements.fedbc import horizons as long
from verify.statements.fedbc.common import STEPPED, size
from verify.statements.fedbc.conditions import (
    ABOVE,
    CONTRACTING,
    in_domain,
    positive_step,
    stiffness,
)
from verify.statements.fedbc.measures import tolerance
from verify.world.world import World

_FULL: tuple[Shape, ...] = (long.still("hump"), long.still("well"), *long.TOGETHER[:2])
_SAMPLED: dict[str, Any] = {"rounds": 2, **STEPPED, "together": True}
READINGS: dict[str, tuple[Shape, ...]] = {
    "V": (*_FULL, size(2, 1, virtual=True, **_SAMPLED)),
    "A": (*_FULL, size(2, 1, **_SAMPLED)),
}
"""Devices outside the sampled set: every device computes, or they keep model and multiplier."""
_AVERAGE = r"\frac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2"


def start_of(w: World, bound: Array) -> Array:
    """B_0 (88), (B, 1)."""
    start = domain.mean_loss(w, w.start[..., 0])
    return start_constant(start, domain.best_loss(w), bound[..., None] ** 2, stiffness(w))


def _fixed(*shapes: Shape) -> Family:
    """Runs with fixed wells and dual domain; along a ray the dual step alone leaves its range."""
    family = long.horizons(*shapes, domain="wide")
    frozen = {"height": 1, "width": 1, "low": 1, "high": 1}
    box = {
        name: Real(frozen[name], frozen[name], per=p.per)
        if name in frozen
        else p if name == "dual_step" else replace(p, unit=(0, 0))
        for name, p in family.box.items()
    }
    return replace(family, box=box)


@statement(
    "fedbc.theorem1@V", where="Theorem 4.5 (14)", title="global performance", relation="<~",
    latex=_AVERAGE + r"=\mathcal O(\tfrac{B_0}T)+\mathcal O(\epsilon)+\mathcal O(\delta^2)+\mathcal O(\alpha)+\mathcal O(\tfrac1{NT}\sum_i\gamma_i)",
    family=_fixed(*READINGS["V"]), given=[in_domain, *long.STANDING], uses=("fedbc.explicit90",),
    note="""The five terms, each with one unnamed constant. Smoothness, dual domain and wells are
    fixed: the constants may depend on them.""",
)
def theorem(w: World) -> Sides:
    rounds = long.length(w)
    return {"average |grad f|^2": long.average_gradient(w)}, {
        "B_0/T": start_of(w, domain.gradient_bound(w)) / rounds, "epsilon": tolerance(w),
        "delta^2": domain.dissimilarity(w) ** 2, "alpha": w.dual_step,
        "gamma/T": xp.mean(w.gamma) / rounds,
    }


theorem_literal = theorem.variant("fedbc.theorem1@A", family=_fixed(*READINGS["A"]))


@statement(
    "fedbc.theorem1.explicit", where="Theorem 4.5 (14)",
    title="global performance with every constant, every device computing",
    latex=_AVERAGE + r"\le\frac{4M_1^2}{\kappa T}(B_0+\lambda_{\max}\bar\gamma)+4\epsilon+\frac{4M_1^2}\kappa\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr)+\Bigl(4L^2+16\lambda_{\max}^2+\tfrac{4M_1^2\lambda_{\max}}\kappa\Bigr)\Bigl(\tfrac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}\Bigr)^2,\quad\kappa=\lambda_{\min}-L",
    family=long.horizons(*READINGS["V"], domain="wide"), given=[*ABOVE, *long.STANDING],
    uses=("fedbc.explicit90.repaired",),
    note="""4 M_1^2/(kappa T) (B_0 + lambda_max mean gamma) + 4 epsilon + 4 M_1^2/kappa (mean
    epsilon/(2 L_i) + alpha mean(16 R^4 + gamma_i^2)) + (4 L^2 + 16 lambda_max^2 + 4 M_1^2
    lambda_max/kappa) C.""",
    proof="""|grad f(z)|^2 <= (4 L^2 + 16 lambda_max^2) mean |x - z|^2 + 2 mean |grad L_i|^2 by (68)
    and (2a + 2b)^2 <= 8 a^2 + 8 b^2; mean |grad L_i|^2 <= 2 M_1^2 mean |move|^2 + 2 epsilon; kappa
    mean |move|^2 is bounded by the repaired descent lemma with kappa = lambda_min - L; consensus
    errors are at most C of the repaired Lemma B.2, and zero at t = 0. Sum; L^0 - L^T <= B_0 +
    lambda_max mean gamma by (87)-(89).""",
)
def explicit(w: World) -> Sides:
    return {"average |grad f|^2": long.average_gradient(w)}, closed.stationarity_upper(
        long.length(w), start_of(w, domain.gradient_bound(w)), tolerance(w),
        domain.dissimilarity(w), stiffness(w), w.lambda_min, w.lambda_max, w.dual_step,
        domain.domain_of(w).diameter, w.gamma,
    )


repaired = explicit.variant(
    "fedbc.explicit90.repaired", where="Theorem 4.5 (90)",
    title="global performance, constants that the steps give",
    uses=("fedbc.lemmaB1i.refined", "fedbc.lemmaB1ii.repaired", "fedbc.lemmaB2.repaired",
          "fedbc.eq66-68", "fedbc.eq78.repaired", "fedbc.eq80-83"))


def _explicit90(w: World, reading: str) -> Sides:
    dual = domain.gradient_bound(w) if reading == "gradient" else domain.dual_bound(w)
    start = dual if reading == "dual" else domain.gradient_bound(w)
    return {"average |grad f|^2": long.average_gradient(w)}, closed.stationarity_printed(
        long.length(w), start_of(w, start), tolerance(w), domain.dissimilarity(w), stiffness(w),
        w.lambda_max, w.dual_step, dual, w.gamma, w.S,
    )


EXPLICIT90 = tuple(
    statement(
        f"fedbc.explicit90@{reading}-{constant}", where="Theorem 4.5 (90)",
        title="global performance, constants of the proof",
        latex=_AVERAGE + r"\le\frac{4M_1^2B_0}T+\frac{4M_1^2\lambda_{\max}}{T}\bar\gamma+(M+2\lambda_{\max})\epsilon\frac{S(N-1)}{C_0^2N^2}\sum_i\frac1{(1+L_i)^2}+\delta^2\frac{S(N-1)}{C_0^2N^2}\sum_i\frac1{(1+L_i)^4}+\frac{2M_1^2\epsilon}L+2\alpha M_1^2G^2",
        family=long.horizons(*shapes), given=[*CONTRACTING, positive_step, *long.STANDING],
        uses=("fedbc.eq77", "fedbc.eq87-89"), deduction=deduced.EQ90,
        note="""Right side of (90). Two clients on opposite curvatures stand still at a point where
        f is not stationary; what remains for large T is the delta^2 term without M + 2
        lambda_max.""",
    )(partial(_explicit90, reading=constant))
    for reading, shapes in READINGS.items() for constant in ("dual", "gradient", "each")
)
"""What G stands for: (37) everywhere, (81) everywhere, or each where it was introduced."""
