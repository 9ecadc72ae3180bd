"""Theorem 4.5: the whole fall of the Lagrangians by B_0, (78) to (89)."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Sides, statement
from verify.statements.fedbc import deductions_theorem as deduced
from verify.statements.fedbc.quantities import (
    TOGETHER,
    Round,
    common_start,
    everywhere,
    expected,
    gradient_bound,
    horizons,
    hull_best_loss,
    in_domain,
    lagrangian,
    last_above,
    losses,
    mean_loss,
    rounds_of,
    slopes,
    stiffness,
)
from verify.statements.fedbc.theorem import start_of
from verify.world.world import World, once

PROOF = "proof of Theorem 4.5"
PLAIN, WIDE = horizons(*TOGETHER), horizons(*TOGETHER, domain="any")


def fall_tex(before: str, after: str) -> str:
    """Mean fall of the Lagrangians between two rounds."""
    return rf"\tfrac1N\sum_i\mathbb E[\mathcal L_i^{before}-\mathcal L_i^{after}]"


def _first(w: World, run: list[Round]) -> Array:
    """L_i^0."""
    return lagrangian(w, run[0].old, run[0].server, run[0].multipliers)


def _last(w: World, run: list[Round]) -> Array:
    """L_i^T."""
    return lagrangian(w, run[-1].new, run[-1].after, run[-1].updated)


@once
def total_fall(w: World) -> Array:
    """Mean over clients and runs of L_i^0 - L_i^T."""
    return expected([xp.mean(_first(w, run) - _last(w, run)) for run in rounds_of(w)])


@statement(
    "fedbc.eq78/first",
    where=PROOF,
    kind="proof step",
    title="Lagrangian at the start",
    latex=r"\mathcal L_i(x_i^0,z^0,\lambda_i^0)=f_i(z^0)",
    relation="==",
    family=WIDE,
    given=[common_start],
    uses=("fedbc.def.lagrangian", "fedbc.H3"),
    note="x_i^0 = z^0 leaves f_i(z^0) - lambda_i^0 gamma_i.",
)
def eq78_first(w: World) -> Sides:
    run = rounds_of(w)[0]
    there = losses(w, everywhere(run[0].server, w.multipliers))
    return {"L_i^0": _first(w, run)}, {"f_i(z^0)": there}


@eq78_first.like(
    "fedbc.eq78/last",
    title="Lagrangian at the end",
    uses=("fedbc.def.lagrangian",),
    latex=r"\mathcal L_i^T=f_i(x_i^T)+\lambda_i^T(\|x_i^T-z^T\|^2-\gamma_i)",
    given=(),
    note="Definition (8).",
)
def eq78_last(w: World) -> Sides:
    run, last = rounds_of(w)[0], rounds_of(w)[0][-1]
    return {"L_i^T": _last(w, run)}, {
        "f_i(x_i^T)": losses(w, last.new),
        "penalty": last.updated * (last.spread - w.gamma),
    }


@eq78_first.like(
    "fedbc.eq78.repaired",
    uses=eq78_first.uses,
    latex=r"\mathcal L_i(x_i^0,z^0,\lambda_i^0)=f_i(z^0)-\lambda_i^0\gamma_i",
    note="L_i^0 = f_i(z^0) - lambda_i^0 gamma_i, which is at most f_i(z^0), all that (87) needs.",
    proof="Definition (8) at x_i = z.",
)
def eq78_repaired(w: World) -> Sides:
    left, right = eq78_first(w)
    return left, {**right, "-lambda gamma": -w.multipliers * w.gamma}


# -- the Lagrangian at the end from below (80)-(83) ------------------------------------------------


def _there(w: World) -> dict[str, Array]:
    return {"f_i(z)": losses(w, everywhere(rounds_of(w)[0][-1].after, w.multipliers))}


@statement(
    "fedbc.eq80-83/80",
    where=PROOF,
    kind="proof step",
    title="smoothness",
    family=WIDE,
    latex=r"f_i(z^T)\le f_i(x_i^T)+\langle\nabla f_i(x_i^T),z^T-x_i^T\rangle+\tfrac{L_i}2\|z^T-x_i^T\|^2",
    uses=("fedbc.A2",),
    note="Smoothness between x_i^T and z^T.",
)
def eq80(w: World) -> Sides:
    last = rounds_of(w)[0][-1]
    gap = last.after[..., None] - last.new
    return _there(w), {
        "f_i(x_i)": losses(w, last.new),
        "slope": slopes(w, last.new) * gap,
        "L_i/2 |.|^2": stiffness(w) * gap**2 / 2,
    }


def _share(w: World) -> Array:
    """G^2/(2 L_i), (B, 1, N); G is the least that bounds the gradients, as (81) asks of it."""
    return gradient_bound(w)[..., None] ** 2 / (2 * stiffness(w))


LETTER = "Peter-Paul, for G of (37) as for any G that bounds the gradients: the least is taken."


@eq80.like(
    "fedbc.eq80-83/81",
    title="f at the server by the Lagrangian",
    deduction=deduced.EQ81,
    latex=r"f_i(z^T)\le\mathcal L_i^T-(\lambda_i^T-L_i)\|x_i^T-z^T\|^2+\gamma_i\lambda_i^T+\tfrac{G^2}{2L_i}",
    uses=("fedbc.eq78/last", "fedbc.H4"),
    note=LETTER,
)
def eq81(w: World) -> Sides:
    last = rounds_of(w)[0][-1]
    # lambda (gap - gamma) + gamma lambda leaves lambda gap, so that no digits cancel
    return _there(w), {
        "f_i(x_i)": losses(w, last.new),
        "L_i gap": stiffness(w) * last.spread,
        "G^2/(2 L_i)": _share(w),
    }


@eq80.like(
    "fedbc.eq80-83/83",
    title="f at the server by the Lagrangian",
    deduction=deduced.EQ83,
    family=PLAIN,
    given=[last_above],
    uses=("fedbc.H1",),
    note=LETTER,
    latex=r"\mathcal L_i^T\ge f_i(z^T)-\gamma_i\lambda_i^T-\tfrac{G^2}{2L_i}",
)
def eq83(w: World) -> Sides:
    run = rounds_of(w)[0]
    return _there(w), {
        "L_i^T": _last(w, run),
        "gamma": w.gamma * run[-1].updated,
        "G^2/(2 L_i)": _share(w),
    }


@eq83.like(
    "fedbc.eq87-89/sum",
    title="fall of the Lagrangian",
    deduction=deduced.EQ87,
    given=[in_domain, common_start, last_above],
    uses=("fedbc.eq78/first", "fedbc.eq80-83"),
    latex=fall_tex("0", "T") + r"\le B_0+\tfrac{\lambda_{\max}}N\sum_i\gamma_i",
    note="(78) as an inequality, (83), and f(z^T) >= f(z^*). " + LETTER,
)
def eq87(w: World) -> Sides:
    return {"L^0 - L^T": total_fall(w)}, {
        "B_0": start_of(w, gradient_bound(w), hull_best_loss(w)),
        "gamma": w.lambda_max * xp.mean(w.gamma),
    }


@eq80.like(
    "fedbc.eq87-89/optimum",
    title="optimal global model",
    latex=r"f(z^\star)\le f(z^T)",
    note="f(z^T) >= f(z^*).",
)
def not_above(w: World) -> Sides:
    return {"f(z^*)": hull_best_loss(w)}, {"f(z^T)": mean_loss(w, rounds_of(w)[0][-1].after)}
