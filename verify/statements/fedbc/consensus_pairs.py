"""Lemma B.2: the distance of two local models, (54) to (62), and the sign of C_0."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import permutations

from bounds import generic as xp
from bounds.fedbc_constants import contraction_printed
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.fedbc import conditions as given
from verify.statements.fedbc import deductions as deduced
from verify.statements.fedbc.common import STEPPED, runs, size
from verify.statements.fedbc.consensus import APART, PROOF, WIDE
from verify.statements.fedbc.domain import dissimilarity
from verify.statements.fedbc.measures import residuals, slopes, tolerance
from verify.statements.fedbc.rounds import Round, first_round
from verify.world.world import World

PAIR = (size(2, 2, **STEPPED), size(2, 2))

# -- one model (54), (55) --------------------------------------------------------------------------


def _solution(w: World, factor: int) -> Sides:
    r = first_round(w)
    step = (residuals(w, r) - slopes(w, r.new)) / (factor * r.multipliers)
    return {"x_i": r.new}, {"z": r.server[..., None] + 0 * r.new, "step": step}


eq55 = statement(
    "fedbc.eq54-55", where=PROOF, kind="proof step", title="local solution", relation="==",
    latex=r"x_i^{t+1}=z^t+\frac{e_i^{t+1}-\nabla f_i(x_i^{t+1})}{\lambda_i^t}", family=WIDE,
    given=[given.in_domain], deduction=deduced.EQ55, uses=("fedbc.def.oracle",),
    note="(54) divided by lambda, where the factor of x - z is 2 lambda.",
)(partial(_solution, factor=1))
eq55_repaired = eq55.like(
    "fedbc.eq54-55.repaired", uses=("fedbc.def.oracle",), note="(54) divided by 2 lambda.",
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
    "fedbc.eq57", where=PROOF, kind="proof step", title="two models", family=WIDE,
    latex=APART + r"\le\frac{\|e_i\|}{a_i}+\frac{\|e_j\|}{a_j}+\frac1{a_ia_j}" + _crossed("-"),
    given=[given.in_domain], deduction=deduced.EQ57, uses=("fedbc.eq54-55",),
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
    "fedbc.eq58@every", where=PROOF, kind="proof step", title="two models", given=given.PRINTED,
    latex=APART + r"\le\frac{\sqrt\epsilon}{1+L_i}+\frac1{(1+L_i)^2}" + _crossed("-"),
    family=runs(*PAIR), deduction=deduced.EQ58, uses=("fedbc.eq57", "fedbc.H1"),
    note="One residual of the two; true because (55) has lost a factor 2, if lambda_j >= 1 + L_i.",
)
def eq58(w: World) -> Sides:
    L, root = given.stiffness(w), xp.sqrt(tolerance(w))
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (1 + L[..., i])),
        "gradients": _over_pairs(w, lambda r, i, j: _cross(w, r, i, j) / (1 + L[..., i]) ** 2),
    }


eq58_own = eq58.variant(
    "fedbc.eq58@own", family=runs(*PAIR, domain="own"),
    given=[
        given.in_domain,
        Hypothesis("lambda_i >= 1 + L_i", r"a_i=\lambda_i^0\ge1+L_i\ \forall i",
                   lambda w: xp.smallest(w.multipliers - 1 - given.stiffness(w)), "before (58)"),
        given.below_square,
    ])
"""With lambda_i >= 1 + L_i for each device's own constant."""


def _eq59(w: World, sign: int) -> Sides:
    L, delta = given.stiffness(w), dissimilarity(w)
    return {"gradients": _over_pairs(w, lambda r, i, j: _cross(w, r, i, j, sign))}, {
        "a_j L_i |x_i - x_j|": _over_pairs(
            w, lambda r, i, j: r.multipliers[..., j] * L[..., i] * _distance(r, i, j)
        ),
        "delta": delta[..., None],
    }


EQ59 = tuple(
    eq57.like(
        f"fedbc.eq59@{reading}", title="two gradients", uses=("fedbc.A2", "fedbc.A3"),
        latex=_crossed(printed) + r"\le a_jL_i" + APART + r"+\delta",
        note=note,
    )(partial(_eq59, sign=sign))
    for reading, printed, sign, note in (
        ("minus", "-", -1, "Add and subtract grad f_i(x_j)."),
        ("plus", "+", 1, "The sign at the head of (59); its next line goes on with a minus."),
    )
)


def _bound(w: World) -> dict[str, Array]:
    """sqrt(epsilon)/(1 + L_i) and delta/(1 + L_i)^2 over the pairs."""
    L, root, delta = given.stiffness(w), xp.sqrt(tolerance(w)), dissimilarity(w)
    return {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (1 + L[..., i])),
        "delta": _over_pairs(w, lambda r, i, j: delta / (1 + L[..., i]) ** 2),
    }


@eq58.like(
    "fedbc.eq61", title="two models, contracted", deduction=deduced.EQ61, note="(59) in (58).",
    latex=r"\Bigl(1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}\Bigr)" + APART + r"\le\frac{\sqrt\epsilon}{1+L_i}+\frac\delta{(1+L_i)^2}",
    uses=("fedbc.eq58", "fedbc.eq59"),
)
def eq61(w: World) -> Sides:
    L = given.stiffness(w)

    def shrunk(r: Round, i: int, j: int) -> Array:
        share = 1 - w.lambda_max * L[..., i] / (1 + L[..., i]) ** 2
        return share * _distance(r, i, j)

    return {"|x_i - x_j|": _over_pairs(w, shrunk)}, _bound(w)


# -- C_0, and the division by it (62) --------------------------------------------------------------


@statement(
    "fedbc.C0", where=PROOF, kind="proof step", title="sign of C_0", uses=("fedbc.H2",),
    latex=r"\lambda_{\max}<\frac{(1+L)^2}L\Rightarrow C_0>0",
    family=numbers(
        {"L": Real(1 / 16, 16, log=True), "lambda_max": Real(1 / 16, 64, log=True)},
        about="any smoothness and any lambda_max",
    ),
    given=[
        Hypothesis("lambda_max >= 1 + L", r"\lambda_{\max}\ge1+L", lambda w: w.lambda_max - 1 - w.L),
        Hypothesis("lambda_max < (1 + L)^2/L", r"\lambda_{\max}<(1+L_i)^2/L_i,\ L_i=L\ \forall i",
                   lambda w: (1 + w.L) ** 2 / w.L - w.lambda_max, "after (61)", strict=True),
    ],
    note="Equal L_i, L = 1/4 and lambda_max = 2: the condition asks for less than 6.25, C_0 = -1.",
)
def c0(w: World) -> Sides:
    return {"0": 0}, {"C_0": contraction_printed(w.L, w.lambda_max)}


@c0.like(
    "fedbc.C0.repaired", title="sign of C_0 = 1 - lambda_max L/(1 + L)^2", uses=("fedbc.H2",),
    latex=r"\lambda_{\max}<\frac{(1+L)^2}L\Rightarrow1-\frac{\lambda_{\max}L}{(1+L)^2}\ge0",
    note="C_0 = 1 - lambda_max L/(1 + L)^2.", proof="The condition times L/(1 + L)^2.",
)
def c0_repaired(w: World) -> Sides:
    return {"0": 0}, {"C_0": 1 - w.lambda_max * w.L / (1 + w.L) ** 2}


@eq58.like(
    "fedbc.eq62", given=given.CONTRACTING, deduction=deduced.EQ62, uses=("fedbc.eq61", "fedbc.C0"),
    latex=APART + r"\le\frac{\sqrt\epsilon}{C_0(1+L_i)}+\frac\delta{C_0(1+L_i)^2}",
    note="C_0 = 1 - lambda_max/(4 L) is larger than the coefficient of (61) where L_i > 1.",
)
def eq62(w: World) -> Sides:
    L, epsilon, delta = given.stiffness(w), tolerance(w), dissimilarity(w)
    root, share = xp.sqrt(epsilon), contraction_printed(w.beta, w.lambda_max)
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (share * (1 + L[..., i]))),
        "delta": _over_pairs(w, lambda r, i, j: delta / (share * (1 + L[..., i]) ** 2)),
    }


@eq58.like(
    "fedbc.eq62.repaired", family=runs(*PAIR, domain="convex"), given=given.HALF,
    latex=APART + r"\le\frac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}",
    uses=("fedbc.def.oracle", "fedbc.eq59"),
    note="(2 sqrt(epsilon) + delta/lambda_min)/(2 lambda_min - L).",
    proof="""For a pair with a_i <= a_j: 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad
    f_i(x_i) - a_i grad f_j(x_j)); by (59) the bracket is at most a_j L_i |x_i - x_j| + delta.
    Divide by a_j.""",
)
def eq62_repaired(w: World) -> Sides:
    epsilon, delta = tolerance(w), dissimilarity(w)
    share = 2 * w.lambda_min - w.beta
    root, apart = 2 * xp.sqrt(epsilon) / share, delta / (w.lambda_min * share)
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon": root[..., None], "delta": apart[..., None],
    }
