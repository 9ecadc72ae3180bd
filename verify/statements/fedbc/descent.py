"""Lemma B.1 (ii): descent of the Lagrangian, for one client and in the mean, (21), (39) to (43)."""

from __future__ import annotations

from bounds import fedbc as closed
from bounds import generic as xp
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc import deductions
from verify.statements.fedbc.common import (
    ABOVE,
    FREE,
    PRINTED,
    Array,
    above,
    printed_domain,
    runs,
    source,
    steps_of,
    stiffness,
)
from verify.statements.fedbc.descent_gradient import FULL, READINGS, WIDE, mean_move
from verify.statements.fedbc.domain import bound_of, domain_of
from verify.statements.fedbc.rounds import (
    Round,
    expected,
    first_round,
    first_rounds,
    lagrangian,
    tolerance,
)
from verify.world.world import World, once


def _rise(w: World, r: Round) -> Array:
    """L_i^{t+1} - L_i^t."""
    return lagrangian(w, r.new, r.after, r.updated) - lagrangian(w, r.old, r.server, r.multipliers)


def _eq39(reading: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """alpha G of (37) has become alpha G^2."""
        r = first_round(w)
        epsilon = tolerance(w) / (2 * w.beta)
        square = w.dual_step * bound_of(w, reading) ** 2
        return {"rise": _rise(w, r)}, {
            "epsilon": epsilon[..., None],
            "-(lambda - L_i) |move|^2": (stiffness(w) - r.multipliers) * r.move**2,
            "alpha G^2": square[..., None],
            "consensus": w.lambda_max[..., None] * r.spread,
        }

    return sides


def _eq39_repaired(w: World) -> tuple[Terms, Terms]:
    """epsilon/(2 L_i) and alpha (16 R^4 + gamma_i^2).

    Proof. Add the bounds (34), (37) and (38) of the three differences.
    """
    r = first_round(w)
    reach = domain_of(w).diameter[..., None]
    return {"rise": _rise(w, r)}, {
        "epsilon": tolerance(w)[..., None] / (2 * stiffness(w)),
        "-(lambda - L_i) |move|^2": (stiffness(w) - r.multipliers) * r.move**2,
        "alpha G": w.dual_step[..., None] * (16 * reach**4 + w.gamma**2),
        "consensus": w.lambda_max[..., None] * r.spread,
    }


@once
def fall(w: World) -> Array:
    """Mean over clients and sampled sets of L_i^t - L_i^{t+1}."""
    return expected([xp.mean(-_rise(w, r)) for r in first_rounds(w)])


@once
def spread(w: World) -> Array:
    """Mean over clients and sampled sets of |x_i^{t+1} - z^{t+1}|^2."""
    return expected([xp.mean(r.spread) for r in first_rounds(w)])


def _descent(reading: str, factor: bool) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Alone at its minimum with gamma > 0, the Lagrangian rises by alpha gamma^2 each round,
        which is G of (37), not its square."""
        epsilon = tolerance(w)
        least = xp.smallest(w.multipliers - stiffness(w)) if factor else 1 + 0 * w.beta
        return {"mean |move|^2": least * mean_move(w)}, closed.lagrangian_descent_printed(
            fall(w), epsilon, w.beta, w.dual_step, bound_of(w, reading), w.lambda_max,
            spread(w),
        )  # fmt: skip

    return sides


def _descent_repaired(w: World) -> tuple[Terms, Terms]:
    """With lambda_min - L before the moves, epsilon/(2 L_i) and alpha (16 R^4 + gamma_i^2).

    Proof. I <= epsilon/(2 L_i) - (lambda_i - L_i) |move|^2, where lambda_i - L_i >= lambda_min - L;
    II <= alpha (16 R^4 + gamma_i^2); III <= lambda_max |x - z|^2. Add, and average. A device that
    keeps model and multiplier has I = II = 0, so both readings of participation are covered.
    """
    return {"mean |move|^2": (w.lambda_min - w.beta) * mean_move(w)}, (
        closed.lagrangian_descent_upper(
            fall(w), tolerance(w), stiffness(w), w.dual_step, domain_of(w).diameter,
            w.gamma, w.lambda_max, spread(w),
        )
    )  # fmt: skip


_step = steps_of("proof of Lemma B.1", given=printed_domain, strict=PRINTED, family=runs(*FULL))
_B1II = (
    r"%s\tfrac1N\sum_i\mathbb E\|x_i^{t+1}-x_i^t\|^2\le\tfrac1N\sum_i\mathbb E[\mathcal L_i^t-"
    r"\mathcal L_i^{t+1}]+%s+\alpha %s+\lambda_{\max}\tfrac1N\sum_i\|x_i^{t+1}-z^{t+1}\|^2"
)
_EQ39 = (
    r"\mathcal L_i^{t+1}-\mathcal L_i^t\le\frac\epsilon{2%s}-(\lambda_i^t-L_i)\|x_i^{t+1}-x_i^t\|^2"
    r"+\alpha %s+\lambda_{\max}\|x_i^{t+1}-z^{t+1}\|^2"
)

STATEMENTS = (
    *(
        Statement(
            key=f"fedbc.lemmaB1ii@{reading}-{constant}", source=source("Lemma B.1 (21)"),
            kind="lemma", title="descent of the Lagrangian", sides=_descent(constant, False),
            latex=_B1II % ("", r"\tfrac\epsilon{2L}", "G^2"), family=runs(*shapes),
            uses=("fedbc.eq39-42", "fedbc.H1"), given=printed_domain, strict=PRINTED,
        )
        for reading, shapes in READINGS.items()
        for constant in ("dual", "gradient")
    ),
    Statement(
        key="fedbc.lemmaB1ii.repaired", source=source("Lemma B.1 (21)"), kind="lemma",
        form="repaired", title="descent of the Lagrangian", sides=_descent_repaired, given=above,
        latex=_B1II % (r"(\lambda_{\min}-L)", r"\tfrac1N\sum_i\tfrac\epsilon{2L_i}",
                       r"\tfrac1N\sum_i(16R^4+\gamma_i^2)"),
        family=WIDE, strict=ABOVE, uses=("fedbc.eq39-42.repaired",),
    ),
    *(
        _step(f"eq39-42/client@{constant}", "one client", _EQ39 % ("L", "G^2"), _eq39(constant),
              deduction=deductions.EQ39,
              uses=("fedbc.eq29", "fedbc.eq35", "fedbc.eq36-37", "fedbc.eq38"))
        for constant in ("dual", "gradient")
    ),
    *(
        _step(f"eq39-42/mean@{constant}", "mean over the clients", _B1II % (
            r"(\lambda_i^t-L_i)", r"\tfrac\epsilon{2L}", "G^2"), _descent(constant, True))
        for constant in ("dual", "gradient")
    ),
    _step("eq39-42.repaired", "one client", _EQ39 % ("L_i", r"(16R^4+\gamma_i^2)"), _eq39_repaired,
          form="repaired", family=WIDE,
          uses=("fedbc.eq29", "fedbc.eq34", "fedbc.eq36-37", "fedbc.eq38"), **FREE),
)  # fmt: skip
