"""Lemma B.2: the distance of two local models, (54) to (62), and the sign of C_0."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import permutations

from bounds import generic as xp
from bounds.fedbc.constants import contraction_printed
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.fedbc import deductions as deduced
from verify.statements.fedbc import quantities as given
from verify.statements.fedbc.consensus import APART, PROOF, WIDE
from verify.statements.fedbc.quantities import (
    STEPPED,
    Round,
    dissimilarity,
    first_round,
    hull_dissimilarity,
    residuals,
    runs,
    size,
    slopes,
    tolerance,
)
from verify.world.world import World

PAIR = (size(2, 2, **STEPPED),)

# -- one model (54), (55) --------------------------------------------------------------------------


def _solution(w: World, factor: int) -> Sides:
    r = first_round(w)
    step = (residuals(w, r) - slopes(w, r.new)) / (factor * r.multipliers)
    return {"x_i": r.new}, {"z": r.server[..., None] + 0 * r.new, "step": step}


eq55 = statement(
    "fedbc.eq54-55",
    where=PROOF,
    kind="proof step",
    title="local solution",
    relation="==",
    latex=r"x_i^{t+1}=z^t+\frac{e_i^{t+1}-\nabla f_i(x_i^{t+1})}{\lambda_i^t}",
    family=WIDE,
    deduction=deduced.EQ55,
    uses=("fedbc.def.oracle",),
    note="(54) divided by lambda, where the factor of x - z is 2 lambda.",
)(partial(_solution, factor=1))
eq55_repaired = eq55.like(
    "fedbc.eq54-55.repaired",
    uses=("fedbc.def.oracle",),
    note="(54) divided by 2 lambda.",
    latex=r"x_i^{t+1}=z^t+\frac{e_i^{t+1}-\nabla f_i(x_i^{t+1})}{2\lambda_i^t}",
    proof="Solve 2 lambda (x - z) = e - grad f_i(x) for x.",
)(partial(_solution, factor=2))

# -- two models (57)-(61), with a = lambda ---------------------------------------------------------


def _over_pairs(w: World, value: Callable[[Round, int, int], Array]) -> Array:
    """A quantity of every ordered pair, (B, 1, pairs)."""
    r = first_round(w)
    pairs = permutations(range(w.multipliers.shape[-1]), 2)
    return xp.stack([value(r, i, j) for i, j in pairs], -1)


def _distance(r: Round, i: int, j: int) -> Array:
    return xp.absolute(r.new[..., i] - r.new[..., j])


def _cross(w: World, r: Round, i: int, j: int, sign: int = -1) -> Array:
    """|a_j grad f_i(x_i) -+ a_i grad f_j(x_j)| with a = lambda."""
    slope, a = slopes(w, r.new), r.multipliers
    return xp.absolute(a[..., j] * slope[..., i] + sign * a[..., i] * slope[..., j])


def _crossed(sign: str) -> str:
    return rf"\|a_j\nabla f_i(x_i^{{t+1}}){sign}a_i\nabla f_j(x_j^{{t+1}})\|"


@statement(
    "fedbc.eq57",
    where=PROOF,
    kind="proof step",
    title="two models",
    family=WIDE,
    latex=APART + r"\le\frac{\|e_i\|}{a_i}+\frac{\|e_j\|}{a_j}+\frac1{a_ia_j}" + _crossed("-"),
    deduction=deduced.EQ57,
    uses=("fedbc.eq54-55",),
    note="With a = lambda. With the factor 2 of (54) kept, half of the right side would do.",
)
def eq57(w: World) -> Sides:
    error, a = xp.absolute(residuals(w, first_round(w))), first_round(w).multipliers
    share = error / a
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "residuals": _over_pairs(w, lambda r, i, j: share[..., i] + share[..., j]),
        "gradients": _over_pairs(w, lambda r, i, j: _cross(w, r, i, j) / (a[..., i] * a[..., j])),
    }


@statement(
    "fedbc.eq58",
    where=PROOF,
    kind="proof step",
    title="two models",
    latex=APART + r"\le\frac{\sqrt\epsilon}{1+L_i}+\frac1{(1+L_i)^2}" + _crossed("-"),
    family=runs(*PAIR, domain="own"),
    given=given.OWN,
    deduction=deduced.EQ58,
    uses=("fedbc.eq57", "fedbc.H1"),
    note="""One residual of the two, and 1 + L_i where a_j is at least 1 + L_j: a soft device with a
    residual is farther from a stiff one than the stiff one's constant allows.""",
)
def eq58(w: World) -> Sides:
    L, root = given.stiffness(w), xp.sqrt(tolerance(w))
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (1 + L[..., i])),
        "gradients": _over_pairs(w, lambda r, i, j: _cross(w, r, i, j) / (1 + L[..., i]) ** 2),
    }


@eq58.like(
    "fedbc.eq58.repaired",
    uses=("fedbc.eq54-55.repaired",),
    latex=APART
    + r"\le\frac{\sqrt\epsilon}{1+L_i}+\frac{\sqrt\epsilon}{1+L_j}+\frac1{(1+L_i)(1+L_j)}"
    + _crossed("-"),
    note="Both residuals, and 1 + L_j where a_j stands.",
    proof="""From (54), 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i) - a_i grad
    f_j(x_j)), which gives half of the right side of (57); residuals are at most sqrt(epsilon), a_i
    >= 1 + L_i and a_j >= 1 + L_j.""",
)
def eq58_repaired(w: World) -> Sides:
    least, root = 1 + given.stiffness(w), xp.sqrt(tolerance(w))
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon of i": _over_pairs(w, lambda r, i, j: root / least[..., i]),
        "sqrt epsilon of j": _over_pairs(w, lambda r, i, j: root / least[..., j]),
        "gradients": _over_pairs(
            w, lambda r, i, j: _cross(w, r, i, j) / (least[..., i] * least[..., j])
        ),
    }


def _eq59(w: World, sign: int) -> Sides:
    L, delta = given.stiffness(w), hull_dissimilarity(w)
    return {"gradients": _over_pairs(w, lambda r, i, j: _cross(w, r, i, j, sign))}, {
        "a_j L_i |x_i - x_j|": _over_pairs(
            w, lambda r, i, j: r.multipliers[..., j] * L[..., i] * _distance(r, i, j)
        ),
        "delta": delta[..., None],
    }


eq59 = eq57.like(
    "fedbc.eq59",
    title="two gradients",
    uses=("fedbc.A2", "fedbc.A3"),
    given=[given.in_domain],
    latex=_crossed("+") + r"\le a_jL_i" + APART + r"+\delta",
    note="The sign at the head of (59); its next line goes on with a minus, as (58) has it.",
)(partial(_eq59, sign=1))
eq59_repaired = eq59.like(
    "fedbc.eq59.repaired",
    uses=eq59.uses,
    latex=_crossed("-") + r"\le a_jL_i" + APART + r"+\delta",
    note="With a minus.",
    proof="Add and subtract a_j grad f_i(x_j).",
)(partial(_eq59, sign=-1))


def _bound(w: World, delta: Array) -> dict[str, Array]:
    """sqrt(epsilon)/(1 + L_i) and delta/(1 + L_i)^2 over the pairs."""
    L, root = given.stiffness(w), xp.sqrt(tolerance(w))
    return {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (1 + L[..., i])),
        "delta": _over_pairs(w, lambda r, i, j: delta / (1 + L[..., i]) ** 2),
    }


def _coefficient(w: World) -> Array:
    """1 - lambda_max L_i/(1 + L_i)^2, (B, 1, N)."""
    L = given.stiffness(w)
    return 1 - w.lambda_max[..., None] * L / (1 + L) ** 2


@eq58.like(
    "fedbc.eq61",
    title="two models, contracted",
    deduction=deduced.EQ61,
    latex=r"\Bigl(1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}\Bigr)"
    + APART
    + r"\le\frac{\sqrt\epsilon}{1+L_i}+\frac\delta{(1+L_i)^2}",
    uses=("fedbc.eq58", "fedbc.eq59"),
    note="""True although (58) is not. With the factor 2 of (54) kept, a_j (2 a_i - L_i) |x_i - x_j|
    is at most (a_i + a_j) sqrt(epsilon) + delta. As 2 a_i - L_i >= a_i + 1 and a_j >= 1, |x_i -
    x_j| <= sqrt(epsilon) + delta/(2 + L_i), and the coefficient is at most 1/(1 + L_i).""",
)
def eq61(w: World) -> Sides:
    share = _coefficient(w)
    return {
        "|x_i - x_j|": _over_pairs(w, lambda r, i, j: share[..., i] * _distance(r, i, j))
    }, _bound(w, hull_dissimilarity(w))


# -- C_0, and the division by it (62) --------------------------------------------------------------


@statement(
    "fedbc.C0",
    where=PROOF,
    kind="proof step",
    title="sign of C_0",
    uses=("fedbc.H2",),
    latex=r"\lambda_{\max}<\frac{(1+L_i)^2}{L_i}\ \forall i\Rightarrow C_0>0",
    family=numbers(
        {"L": Real(1 / 16, 16, log=True, per=("N",)), "lambda_max": Real(1 / 16, 64, log=True)},
        {"N": 1},
        {"N": 2},
        about="any smoothness constants and any lambda_max",
    ),
    given=[
        Hypothesis(
            "lambda_max < (1 + L_i)^2/L_i",
            r"\lambda_{\max}<(1+L_i)^2/L_i\ \forall i",
            lambda w: xp.smallest((1 + w.L) ** 2 / w.L) - w.lambda_max,
            "after (61)",
            strict=True,
        )
    ],
    note="""L_i = L = 1/4 and lambda_max = 2, above 1 + L: the condition asks for less than 6.25,
    and C_0 = -1.""",
)
def c0(w: World) -> Sides:
    return {"0": 0}, {"C_0": contraction_printed(xp.largest(w.L), w.lambda_max)}


@c0.like(
    "fedbc.C0.repaired",
    title="sign of C_i = 1 - lambda_max L_i/(1 + L_i)^2",
    uses=("fedbc.H2",),
    latex=r"\lambda_{\max}<\frac{(1+L_i)^2}{L_i}\ \forall i\Rightarrow1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}\ge0",
    note="C_i = 1 - lambda_max L_i/(1 + L_i)^2, the coefficient of (61).",
    proof="The condition times L_i/(1 + L_i)^2.",
)
def c0_repaired(w: World) -> Sides:
    return {"lambda_max L_i/(1 + L_i)^2": w.lambda_max[..., None] * w.L / (1 + w.L) ** 2}, {"1": 1}


positive = Hypothesis(
    "C_0 > 0",
    r"C_0=1-\lambda_{\max}/(4L)>0",
    lambda w: contraction_printed(w.beta, w.lambda_max),
    "after (61), 'strictly positive'",
    strict=True,
)


@eq58.like(
    "fedbc.eq62",
    given=[*given.PROOFS, positive],
    deduction=deduced.EQ62,
    family=runs(*PAIR, domain="proofs"),
    uses=("fedbc.eq61", "fedbc.C0"),
    latex=APART + r"\le\frac{\sqrt\epsilon}{C_0(1+L_i)}+\frac\delta{C_0(1+L_i)^2}",
    note="""C_0 = 1 - lambda_max/(4 L) is larger than the coefficient of (61) where L_i > 1. The s
    of (62) is left out, as in (63).""",
)
def eq62(w: World) -> Sides:
    share = contraction_printed(w.beta, w.lambda_max)[..., None]
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        k: v / share for k, v in _bound(w, dissimilarity(w)).items()
    }


@eq58.like(
    "fedbc.eq62.repaired",
    family=runs(*PAIR, domain="proofs"),
    given=given.PROOFS,
    latex=APART
    + r"\le\frac{\sqrt\epsilon}{C_i(1+L_i)}+\frac\delta{C_i(1+L_i)^2},\quad C_i=1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}",
    uses=("fedbc.eq54-55.repaired", "fedbc.eq59.repaired", "fedbc.C0.repaired"),
    note="C_i, the coefficient of (61), for C_0.",
    proof="""(61), as its note proves it from (54) and (59) with a minus, divided by C_i, which is
    positive by the condition after (61).""",
)
def eq62_repaired(w: World) -> Sides:
    share = _coefficient(w)
    near = _over_pairs(w, lambda r, i, j: share[..., i])
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        k: v / near for k, v in _bound(w, hull_dissimilarity(w)).items()
    }
