"""Theorem 4.5: the sum over the rounds and what Lemma B.2 makes of it, (72) to (77)."""

from __future__ import annotations

from bounds import fedbc as closed
from bounds.fedbc_constants import gradient_factor_printed, moving_constant
from verify.claim.statement import Rule, Terms
from verify.statements.fedbc import deductions_theorem as deduced
from verify.statements.fedbc.common import (
    ABOVE,
    ANY,
    CONTRACTING,
    PRINTED,
    above,
    contracting,
    printed_domain,
    runs,
    steps_of,
    stiffness,
)
from verify.statements.fedbc.descent import fall, spread
from verify.statements.fedbc.domain import bound_of, dissimilarity, domain_of
from verify.statements.fedbc.horizons import TOGETHER, average_gradient, horizons
from verify.statements.fedbc.rounds import (
    average_spread,
    mean_slope_of_lagrangians,
    tolerance,
)
from verify.statements.fedbc.theorem_fall import FALL, READINGS, total_fall
from verify.world.world import World


def _eq72(reading: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """2 M_1^2 epsilon of (28) is gone, and 2 M_1^2 before two terms of (43) too."""
        most = moving_constant(w.beta, w.lambda_max) ** 2
        epsilon = tolerance(w)
        return {"mean |grad L_i|^2": mean_slope_of_lagrangians(w)}, {
            "fall": 2 * most * fall(w), "consensus": w.lambda_max * spread(w),
            "epsilon": most * epsilon / w.beta, "alpha G^2": w.dual_step * most * bound_of(w, reading) ** 2,
        }  # fmt: skip

    return sides


def _eq72_repaired(w: World) -> tuple[Terms, Terms]:
    """2 M_1^2/(lambda_min - L) times the right side of the repaired descent lemma, plus 2 epsilon.

    Proof. mean |grad L_i|^2 <= 2 M_1^2 mean |move|^2 + 2 epsilon, and the repaired descent lemma.
    """
    epsilon = tolerance(w)
    descent = closed.lagrangian_descent_upper(
        fall(w), epsilon, stiffness(w), w.dual_step, domain_of(w).diameter, w.gamma,
        w.lambda_max, spread(w),
    )  # fmt: skip
    factor = 2 * moving_constant(w.beta, w.lambda_max) ** 2 / (w.lambda_min - w.beta)
    return {"mean |grad L_i|^2": mean_slope_of_lagrangians(w)}, {
        **{k: factor * v for k, v in descent.items()}, "2 epsilon": 2 * epsilon,
    }  # fmt: skip


def _eq76(reading: str, inserted: bool) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Divided by T. Alone at a minimum with gamma > 0 the multiplier falls, L_i rises by
        alpha gamma^2 a round, and alpha G^2 makes up for it only where gamma is large."""
        most = moving_constant(w.beta, w.lambda_max) ** 2
        epsilon = tolerance(w)
        factor = gradient_factor_printed(w.beta, w.lambda_max) + 2 * w.lambda_max
        terms = {"fall": 4 * most * total_fall(w) / w.rounds}
        if inserted:
            bound = closed.consensus_printed(
                epsilon, dissimilarity(w), stiffness(w), w.lambda_max, w.S
            )
            terms |= {"epsilon": factor * bound["epsilon"], "delta^2": bound["delta^2"]}
        else:
            terms |= {"consensus": factor * average_spread(w)}
        return {"average |grad f|^2": average_gradient(w)}, {
            **terms, "M_1^2 epsilon/L": 2 * most * epsilon / w.beta,
            "alpha G^2": 2 * w.dual_step * most * bound_of(w, reading) ** 2,
        }  # fmt: skip

    return sides


def _eq77_repaired(w: World) -> tuple[Terms, Terms]:
    """With the constants of the repaired steps; L^0 - L^T still as it is.

    Proof. Sum (70) repaired over t, then (72) repaired; sum_t |x^t - z^t|^2 is at most T C since
    x^0 = z^0, with C of the repaired Lemma B.2.
    """
    reach = domain_of(w).diameter
    bound = closed.stationarity_upper(
        w.rounds, total_fall(w), tolerance(w), dissimilarity(w), stiffness(w),
        w.lambda_min, w.lambda_max, w.dual_step, reach, w.gamma,
    )  # fmt: skip
    return {"average |grad f|^2": average_gradient(w)}, {
        k: v for k, v in bound.items() if k != "gamma"
    }


_step = steps_of(
    "proof of Theorem 4.5", given=printed_domain, strict=PRINTED, family=horizons(*TOGETHER)
)
_AVERAGE = r"\tfrac1T\sum_{t<T}\mathbb E\|\nabla f(z^t)\|^2"
_SUM = r"\tfrac{S(N-1)}{C_0^2N^2}\sum_i\tfrac1{(1+L_i)^%d}"

STATEMENTS = (
    *(
        _step(f"eq72@{reading}", "descent in the gradient",
              r"\tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i\|^2\le2M_1^2" + FALL % ("t", "{t+1}")
              + r"+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2+\tfrac{M_1^2\epsilon}L+\alpha M_1^2G^2",
              _eq72(reading), family=runs(*ANY), deduction=deduced.EQ72,
              uses=("fedbc.lemmaB1i", "fedbc.lemmaB1ii"))
        for reading in READINGS
    ),
    _step("eq72.repaired", "descent in the gradient",
          r"\tfrac1N\sum_i\mathbb E\|\nabla_{x_i}\mathcal L_i\|^2\le\tfrac{2M_1^2}{\lambda_{\min}-L}\Bigl("
          + FALL % ("t", "{t+1}") + r"+\tfrac1N\sum_i\tfrac\epsilon{2L_i}+\alpha\tfrac1N\sum_i(16R^4+"
          r"\gamma_i^2)+\tfrac{\lambda_{\max}}N\sum_i\|x_i^{t+1}-z^{t+1}\|^2\Bigr)+2\epsilon",
          _eq72_repaired, form="repaired", given=above, strict=ABOVE,
          family=runs(*ANY, domain="wide"),
          uses=("fedbc.lemmaB1i.refined", "fedbc.lemmaB1ii.repaired")),
    *(
        _step(f"eq73-76@{reading}", "sum over the rounds", _AVERAGE + r"\le\tfrac{4M_1^2}T"
              + FALL % ("0", "T") + r"+\tfrac{M+2\lambda_{\max}}{NT}\sum_{t,i}\mathbb E\|z^{t+1}-x_i^{t+1}\|^2"
              r"+\tfrac{2M_1^2\epsilon}L+2\alpha M_1^2G^2", _eq76(reading, False),
              deduction=deduced.EQ76, uses=("fedbc.eq69-70", "fedbc.eq72", "fedbc.H3"))
        for reading in READINGS
    ),
    *(
        _step(f"eq77@{reading}", "Lemma B.2 inserted", _AVERAGE + r"\le\tfrac{4M_1^2}T"
              + FALL % ("0", "T") + r"+(M+2\lambda_{\max})\epsilon" + _SUM % 2 + r"+\delta^2" + _SUM % 4
              + r"+\tfrac{2M_1^2\epsilon}L+2\alpha M_1^2G^2", _eq76(reading, True),
              given=contracting, strict=CONTRACTING, deduction=deduced.EQ77,
              uses=("fedbc.eq73-76", "fedbc.lemmaB2"))
        for reading in READINGS
    ),
    *(
        _step(f"{name}.repaired", "sum over the rounds", _AVERAGE + r"\le\tfrac{4M_1^2}{\kappa T}"
              + FALL % ("0", "T") + r"+4\epsilon+\tfrac{4M_1^2}\kappa\Bigl(\tfrac1N\sum_i\tfrac\epsilon{2L_i}"
              r"+\alpha\tfrac1N\sum_i(16R^4+\gamma_i^2)\Bigr)+\Bigl(4L^2+16\lambda_{\max}^2+\tfrac{4M_1^2"
              r"\lambda_{\max}}\kappa\Bigr)C", _eq77_repaired, form="repaired", given=above,
              strict=ABOVE, family=horizons(*TOGETHER, domain="wide"),
              uses=("fedbc.eq69-70.repaired", "fedbc.eq72.repaired", "fedbc.lemmaB2.repaired",
                    "fedbc.H3"))
        for name in ("eq73-76", "eq77")
    ),
)  # fmt: skip
