"""Theorem 4.5: the whole fall of the Lagrangians by B_0, (78) to (89)."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim.statement import Rule, Terms
from verify.statements.fedbc import deductions_theorem as deduced
from verify.statements.fedbc.common import (
    FREE,
    PRINTED,
    Array,
    printed_domain,
    steps_of,
    stiffness,
)
from verify.statements.fedbc.domain import best_loss, bound_of, mean_loss
from verify.statements.fedbc.horizons import TOGETHER, horizons
from verify.statements.fedbc.rounds import (
    everywhere,
    expected,
    lagrangian,
    losses,
    rounds_of,
    slopes,
)
from verify.statements.fedbc.theorem import start_of
from verify.world.world import World, once

READINGS = ("dual", "gradient")
"""What G stands for: the bound of the dual step (37), or of the gradients (81)."""


@once
def total_fall(w: World) -> Array:
    """Mean over clients and runs of L_i^0 - L_i^T."""
    parts = []
    for run in rounds_of(w):
        first, last = run[0], run[-1]
        before = lagrangian(w, first.old, first.server, first.multipliers)
        parts.append(xp.mean(before - lagrangian(w, last.new, last.after, last.updated)))
    return expected(parts)


def _eq78(part: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        first, last = rounds_of(w)[0][0], rounds_of(w)[0][-1]
        if part == "first":
            before = lagrangian(w, first.old, first.server, first.multipliers)
            there = losses(w, everywhere(first.server, w.multipliers))
            return {"L_i^0": before}, {"f_i(z^0)": there}
        return {"L_i^T": lagrangian(w, last.new, last.after, last.updated)}, {
            "f_i(x_i^T)": losses(w, last.new), "penalty": last.updated * (last.spread - w.gamma),
        }  # fmt: skip

    sides.__doc__ = (
        "x_i^0 = z^0 leaves f_i(z^0) - lambda_i^0 gamma_i."
        if part == "first"
        else "Definition (8)."
    )
    return sides


def _eq78_repaired(w: World) -> tuple[Terms, Terms]:
    """L_i^0 = f_i(z^0) - lambda_i^0 gamma_i, which is at most f_i(z^0), all that (87) needs.

    Proof. Definition (8) at x_i = z.
    """
    left, right = _eq78("first")(w)
    return left, {**right, "-lambda gamma": -w.multipliers * w.gamma}


def _eq80(w: World) -> tuple[Terms, Terms]:
    """Smoothness between x_i^T and z^T."""
    last = rounds_of(w)[0][-1]
    gap = last.after[..., None] - last.new
    return {"f_i(z)": losses(w, everywhere(last.after, w.multipliers))}, {
        "f_i(x_i)": losses(w, last.new), "slope": slopes(w, last.new) * gap,
        "L_i/2 |.|^2": stiffness(w) * gap**2 / 2,
    }  # fmt: skip


def _share(w: World, reading: str) -> Array:
    """G^2/(2 L_i), (B, 1, N)."""
    return bound_of(w, reading)[..., None] ** 2 / (2 * stiffness(w))


def _eq81(reading: str, part: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Peter-Paul with G a bound of the gradients."""
        last = rounds_of(w)[0][-1]
        there = losses(w, everywhere(last.after, w.multipliers))
        share, gamma = _share(w, reading), w.gamma * last.updated
        # lambda (gap - gamma) + gamma lambda leaves lambda gap, so that no digits cancel
        if part == "81":
            return {"f_i(z)": there}, {
                "f_i(x_i)": losses(w, last.new), "L_i gap": stiffness(w) * last.spread,
                "G^2/(2 L_i)": share,
            }  # fmt: skip
        return {"f_i(z)": there}, {
            "L_i^T": lagrangian(w, last.new, last.after, last.updated), "gamma": gamma,
            "G^2/(2 L_i)": share,
        }  # fmt: skip

    return sides


def _eq87(reading: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """(78) as an inequality, (83), and f(z^T) >= f(z^*)."""
        return {"L^0 - L^T": total_fall(w)}, {
            "B_0": start_of(w, bound_of(w, reading)),
            "gamma": w.lambda_max * xp.mean(w.gamma),
        }

    return sides


def _not_above(w: World) -> tuple[Terms, Terms]:
    """f(z^T) >= f(z^*)."""
    return {"f(z^*)": best_loss(w)}, {"f(z^T)": mean_loss(w, rounds_of(w)[0][-1].after)}


_step = steps_of(
    "proof of Theorem 4.5", given=printed_domain, strict=PRINTED, family=horizons(*TOGETHER)
)
_WIDE = horizons(*TOGETHER, domain="wide")
FALL = r"\tfrac1N\sum_i\mathbb E[\mathcal L_i^%s-\mathcal L_i^%s]"

STATEMENTS = (
    _step("eq78/first", "Lagrangian at the start", r"\mathcal L_i(x_i^0,z^0,\lambda_i^0)=f_i(z^0)",
          _eq78("first"), relation="==", uses=("fedbc.def.lagrangian", "fedbc.H3")),
    _step("eq78/last", "Lagrangian at the end",
          r"\mathcal L_i^T=f_i(x_i^T)+\lambda_i^T(\|x_i^T-z^T\|^2-\gamma_i)", _eq78("last"),
          relation="==", family=_WIDE, uses=("fedbc.def.lagrangian",), **FREE),
    _step("eq78.repaired", "Lagrangian at the start",
          r"\mathcal L_i(x_i^0,z^0,\lambda_i^0)=f_i(z^0)-\lambda_i^0\gamma_i", _eq78_repaired,
          relation="==", form="repaired", family=_WIDE,
          uses=("fedbc.def.lagrangian", "fedbc.H3"), **FREE),
    _step("eq80-83/80", "smoothness",
          r"f_i(z^T)\le f_i(x_i^T)+\langle\nabla f_i(x_i^T),z^T-x_i^T\rangle+\tfrac{L_i}2\|z^T-x_i^T\|^2",
          _eq80, family=_WIDE, uses=("fedbc.A2",), **FREE),
    *(
        _step(f"eq80-83/{part}@{reading}", "f at the server by the Lagrangian", latex,
              _eq81(reading, part), deduction=deduction, uses=uses)
        for part, latex, deduction, uses in (
            ("81",
             r"f_i(z^T)\le\mathcal L_i^T-(\lambda_i^T-L_i)\|x_i^T-z^T\|^2+\gamma_i\lambda_i^T+\tfrac{G^2}{2L_i}",
             deduced.EQ81, ("fedbc.eq78/last", "fedbc.H4")),
            ("83", r"\mathcal L_i^T\ge f_i(z^T)-\gamma_i\lambda_i^T-\tfrac{G^2}{2L_i}", deduced.EQ83,
             ("fedbc.H1",)),
        )
        for reading in READINGS
    ),
    *(
        _step(f"eq87-89/sum@{reading}", "fall of the Lagrangian", FALL % ("0", "T")
              + r"\le B_0+\tfrac{\lambda_{\max}}N\sum_i\gamma_i", _eq87(reading),
              deduction=deduced.EQ87,
              uses=("fedbc.eq78/first", "fedbc.eq80-83"))
        for reading in READINGS
    ),
    _step("eq87-89/optimum", "optimal global model", r"f(z^\star)\le f(z^T)", _not_above),
)  # fmt: skip
