"""Lemma B.2: the consensus error, its square of the widest pair and its sum, (44), (63) to (65)."""

from __future__ import annotations

from bounds import fedbc as closed
from bounds.fedbc_constants import contraction_printed
from verify.claim.parameters import Shape
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc import deductions_consensus as deduced
from verify.statements.fedbc.common import (
    CONTRACTING,
    FREE,
    HALF,
    STEPPED,
    contracting,
    half,
    runs,
    size,
    source,
    steps_of,
    stiffness,
)
from verify.statements.fedbc.consensus_sampling import APART, ERROR, MEAN, widest
from verify.statements.fedbc.domain import dissimilarity
from verify.statements.fedbc.rounds import (
    average_spread,
    expected,
    first_round,
    first_rounds,
    tolerance,
)
from verify.world.world import World

FULL = (size(1, 1, **STEPPED), size(2, 2, **STEPPED), size(3, 3, **STEPPED))
VIRTUAL: tuple[Shape, ...] = (
    *FULL[:2], size(2, 1, virtual=True, **STEPPED), size(2, 1, rounds=2, virtual=True),
)  # fmt: skip
LITERAL: tuple[Shape, ...] = (*FULL[:2], size(2, 1), size(2, 1, **STEPPED))
READINGS = {"V": VIRTUAL, "A": LITERAL}
"""Devices outside the sampled set: every device computes, or they keep model and multiplier."""
CONVEX = runs(*FULL, *VIRTUAL[2:], domain="convex")


def _eq63(part: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The square of (62), with S (N-1)/N before it, and a maximum bounded by it."""
        if part == "widest":
            mean = expected([r.spread for r in first_rounds(w)])
            return {"E |x_i - z|^2": mean}, {"widest": widest(first_round(w))}
        L, epsilon, delta = stiffness(w), tolerance(w), dissimilarity(w)
        n = L.shape[-1]
        share = w.S * (n - 1) / (contraction_printed(w.beta, w.lambda_max)[..., None] ** 2 * n)
        terms = {
            "epsilon": (n - 1) * 2 * share * epsilon[..., None] / (1 + L) ** 2,
            "delta^2": share * delta[..., None] ** 2 / (1 + L) ** 4,
        }
        if part == "both":
            terms["delta^2"] = (n - 1) * terms["delta^2"]
        return {"widest": widest(first_round(w))}, terms

    return sides


def _lemma(w: World) -> tuple[Terms, Terms]:
    """Constants of (65). With residuals of opposite sign on a hump two models are
    2 sqrt(epsilon)/(2 lambda - L) apart, more than these constants allow once L > 1 + sqrt 2."""
    return {"average": average_spread(w)}, closed.consensus_printed(
        tolerance(w), dissimilarity(w), stiffness(w), w.lambda_max, w.S
    )


def _sum(w: World) -> tuple[Terms, Terms]:
    """T times the constants of the lemma."""
    left, right = _lemma(w)
    return {"sum": w.rounds * left["average"]}, {k: w.rounds * v for k, v in right.items()}


def _repaired(w: World) -> tuple[Terms, Terms]:
    """((2 sqrt(epsilon) + delta/lambda_min)/(2 lambda_min - L))^2, every device computing.

    Proof. z^{t+1} is an average of local models, so |x_i - z| <= max_j |x_i - x_j|. For a pair with
    a_i <= a_j: 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i) - a_i grad f_j(x_j)),
    and the bracket is at most a_j L_i |x_i - x_j| + delta; divide by a_j.
    """
    epsilon, delta = tolerance(w), dissimilarity(w)
    return {"average": average_spread(w)}, {
        "widest": closed.consensus_upper(epsilon, delta, w.lambda_min, w.beta)
    }


_step = steps_of("proof of Lemma B.2", given=contracting, strict=CONTRACTING)
_SUMS = (
    r"\frac{S(N-1)}{C_0^2N^2}\Bigl(\epsilon\sum_i\frac1{(1+L_i)^2}+\delta^2\sum_i\frac1{(1+L_i)^4}"
    r"\Bigr)"
)
_AVERAGE = r"\frac1T\sum_t\frac1N\sum_i\mathbb E" + ERROR
_BOUND = r"\Bigl(\frac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}\Bigr)^2"

STATEMENTS = (
    *(
        Statement(
            key=f"fedbc.lemmaB2@{reading}", source=source("Lemma B.2 (44), (65)"), kind="lemma",
            title="consensus error", latex=_AVERAGE + r"\le" + _SUMS, sides=_lemma,
            family=runs(*shapes), uses=("fedbc.eq64-65",), given=contracting, strict=CONTRACTING,
        )
        for reading, shapes in READINGS.items()
    ),
    Statement(
        key="fedbc.lemmaB2.repaired", source=source("Lemma B.2 (44)"), kind="lemma",
        form="repaired", title="consensus error, every device computing",
        latex=_AVERAGE + r"\le" + _BOUND, sides=_repaired, family=CONVEX, given=half,
        strict=HALF, uses=("fedbc.def.server", "fedbc.eq62.repaired"),
    ),
    _step("eq63/widest", "widest pair", r"\mathbb E_t" + ERROR + r"\le\max_{i,j}" + APART + "^2",
          _eq63("widest"), family=MEAN, uses=("fedbc.eq50-53",), **FREE),
    *(
        _step(f"eq63/square@{reading}", "widest pair, bounded", r"\max_{i,j}" + APART
              + r"^2\le\sum_{j\ne i}\frac{2S(N-1)\epsilon}{C_0^2N(1+L_i)^2}+\frac{S(N-1)\delta^2}{C_0^2N(1+L_i)^4}",
              _eq63(reading), family=runs(*FULL[1:2], VIRTUAL[2]), deduction=deduced.EQ63,
              uses=("fedbc.eq62", "fedbc.eq50-53"))
        for reading in ("first", "both")
    ),
    _step("eq63.repaired", "widest pair, bounded", _AVERAGE + r"\le" + _BOUND, _repaired,
          form="repaired", family=CONVEX, given=half, strict=HALF,
          uses=("fedbc.def.server", "fedbc.eq62.repaired")),
    *(
        _step(f"eq64-65@{reading}", "sum over rounds", r"\tfrac1N\sum_t\sum_i\mathbb E" + ERROR
              + r"\le T\," + _SUMS, _sum, family=runs(*shapes), deduction=deduced.EQ65,
              uses=("fedbc.eq63",))
        for reading, shapes in READINGS.items()
    ),
    _step("eq64-65.repaired", "average over rounds", _AVERAGE + r"\le" + _BOUND, _repaired,
          form="repaired", family=CONVEX, given=half, strict=HALF, uses=("fedbc.eq63.repaired",)),
)  # fmt: skip
