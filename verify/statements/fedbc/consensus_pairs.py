"""Lemma B.2: the distance of two local models, (54) to (62), and the sign of C_0."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

from bounds import generic as xp
from bounds.fedbc_constants import contraction_printed
from verify.claim.parameters import Family, Real
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc import deductions_consensus as deduced
from verify.statements.fedbc.common import (
    CONTRACTING,
    FREE,
    HALF,
    PRINTED,
    STEPPED,
    Array,
    contracting,
    half,
    in_domain,
    printed_domain,
    runs,
    size,
    source,
    steps_of,
    stiffness,
)
from verify.statements.fedbc.consensus_sampling import APART, WIDE
from verify.statements.fedbc.domain import dissimilarity
from verify.statements.fedbc.rounds import (
    Round,
    first_round,
    residuals,
    slopes,
    tolerance,
)
from verify.world.world import World

PAIR = (size(2, 2, **STEPPED), size(2, 2))


def _solution(factor: int) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        r = first_round(w)
        step = (residuals(w, r) - slopes(w, r.new)) / (factor * r.multipliers)
        return {"x_i": r.new}, {"z": r.server[..., None] + 0 * r.new, "step": step}

    sides.__doc__ = (
        "(54) divided by 2 lambda.\n\nProof. Solve 2 lambda (x - z) = e - grad f_i(x) for x."
        if factor == 2
        else "(54) divided by lambda, where the factor of x - z is 2 lambda."
    )
    return sides


def _over_pairs(w: World, value: Callable[[Round, int, int], Array]) -> Array:
    """A quantity of every ordered pair, (B, 1, pairs)."""
    r = first_round(w)
    n = w.multipliers.shape[-1]
    return xp.stack([value(r, i, j) for i, j in permutations(range(n), 2)], -1)


def _distance(r: Round, i: int, j: int) -> Array:
    return xp.absolute(r.new[..., i] - r.new[..., j])


def _cross(w: World, r: Round, i: int, j: int, sign: int = -1) -> Array:
    """|a_j grad f_i(x_i) -+ a_i grad f_j(x_j)| with a = lambda."""
    slope, a = slopes(w, r.new), r.multipliers
    return xp.absolute(a[..., j] * slope[..., i] + sign * a[..., i] * slope[..., j])


def _eq57(w: World) -> tuple[Terms, Terms]:
    """With a = lambda. With the factor 2 of (54) kept, half of the right side would do."""
    error = xp.absolute(residuals(w, first_round(w)))

    def own(r: Round, i: int, j: int) -> Array:
        return error[..., i] / r.multipliers[..., i] + error[..., j] / r.multipliers[..., j]

    def crossed(r: Round, i: int, j: int) -> Array:
        return _cross(w, r, i, j) / (r.multipliers[..., i] * r.multipliers[..., j])

    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "residuals": _over_pairs(w, own), "gradients": _over_pairs(w, crossed),
    }  # fmt: skip


def _eq58(w: World) -> tuple[Terms, Terms]:
    """One residual of the two; true because (55) has lost a factor 2, if lambda_j >= 1 + L_i."""
    L = stiffness(w)
    root = xp.sqrt(tolerance(w))
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (1 + L[..., i])),
        "gradients": _over_pairs(w, lambda r, i, j: _cross(w, r, i, j) / (1 + L[..., i]) ** 2),
    }


def _own_domain(w: World) -> Terms:
    """lambda_i >= 1 + L_i for each device's own constant."""
    L = stiffness(w)
    return {
        **in_domain(w),
        "lambda_i >= 1 + L_i": xp.smallest(w.multipliers - 1 - L),
        "lambda_max < (1 + L_i)^2/L_i": xp.smallest((1 + L) ** 2 / L) - w.lambda_max,
    }


def _eq59(sign: int) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Add and subtract grad f_i(x_j)."""
        L, delta = stiffness(w), dissimilarity(w)
        return {"gradients": _over_pairs(w, lambda r, i, j: _cross(w, r, i, j, sign))}, {
            "a_j L_i |x_i - x_j|": _over_pairs(
                w, lambda r, i, j: r.multipliers[..., j] * L[..., i] * _distance(r, i, j)
            ),
            "delta": delta[..., None],
        }

    return sides


def _eq61(w: World) -> tuple[Terms, Terms]:
    """(59) in (58)."""
    L, epsilon, delta = stiffness(w), tolerance(w), dissimilarity(w)
    root = xp.sqrt(epsilon)

    def shrunk(r: Round, i: int, j: int) -> Array:
        share = 1 - w.lambda_max * L[..., i] / (1 + L[..., i]) ** 2
        return share * _distance(r, i, j)

    return {"|x_i - x_j|": _over_pairs(w, shrunk)}, {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (1 + L[..., i])),
        "delta": _over_pairs(w, lambda r, i, j: delta / (1 + L[..., i]) ** 2),
    }


def _eq62(w: World) -> tuple[Terms, Terms]:
    """C_0 = 1 - lambda_max/(4 L) is larger than the coefficient of (61) where L_i > 1."""
    L, epsilon, delta = stiffness(w), tolerance(w), dissimilarity(w)
    root, share = xp.sqrt(epsilon), contraction_printed(w.beta, w.lambda_max)
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon": _over_pairs(w, lambda r, i, j: root / (share * (1 + L[..., i]))),
        "delta": _over_pairs(w, lambda r, i, j: delta / (share * (1 + L[..., i]) ** 2)),
    }


def _eq62_repaired(w: World) -> tuple[Terms, Terms]:
    """(2 sqrt(epsilon) + delta/lambda_min)/(2 lambda_min - L).

    Proof. For a pair with a_i <= a_j: 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i)
    - a_i grad f_j(x_j)); by (59) the bracket is at most a_j L_i |x_i - x_j| + delta. Divide by a_j.
    """
    epsilon, delta = tolerance(w), dissimilarity(w)
    share = 2 * w.lambda_min - w.beta
    root, apart = 2 * xp.sqrt(epsilon) / share, delta / (w.lambda_min * share)
    return {"|x_i - x_j|": _over_pairs(w, _distance)}, {
        "sqrt epsilon": root[..., None], "delta": apart[..., None],
    }  # fmt: skip


# -- C_0 ---------------------------------------------------------------------------------------

C0 = Family(
    {"L": Real(1 / 16, 16, log=True), "lambda_max": Real(1 / 16, 64, log=True)},
    about="any smoothness and any lambda_max",
)


def _c0(w: World) -> tuple[Terms, Terms]:
    """Equal L_i, L = 1/4 and lambda_max = 2: the condition asks for less than 6.25, C_0 = -1."""
    return {"0": 0}, {"C_0": contraction_printed(w.L, w.lambda_max)}


def _c0_given(w: World) -> Terms:
    return {
        "lambda_max >= 1 + L": w.lambda_max - 1 - w.L,
        "lambda_max < (1 + L)^2/L": (1 + w.L) ** 2 / w.L - w.lambda_max,
    }


def _c0_repaired(w: World) -> tuple[Terms, Terms]:
    """C_0 = 1 - lambda_max L/(1 + L)^2.

    Proof. The condition times L/(1 + L)^2.
    """
    return {"0": 0}, {"C_0": 1 - w.lambda_max * w.L / (1 + w.L) ** 2}


_step = steps_of("proof of Lemma B.2", family=runs(*PAIR), given=printed_domain, strict=PRINTED)
_C = r"\|a_j\nabla f_i(x_i^{t+1})%sa_i\nabla f_j(x_j^{t+1})\|"
_C0: dict[str, Any] = {
    "family": C0, "given": _c0_given, "strict": frozenset({"lambda_max < (1 + L)^2/L"}),
    "kind": "proof step", "source": source("proof of Lemma B.2"), "uses": ("fedbc.H2",),
}  # fmt: skip

STATEMENTS = (
    _step("eq54-55", "local solution", r"x_i^{t+1}=z^t+\frac{e_i^{t+1}-\nabla f_i(x_i^{t+1})}{\lambda_i^t}",
          _solution(1), relation="==", deduction=deduced.EQ55, family=WIDE,
          uses=("fedbc.def.oracle",), **FREE),
    _step("eq54-55.repaired", "local solution",
          r"x_i^{t+1}=z^t+\frac{e_i^{t+1}-\nabla f_i(x_i^{t+1})}{2\lambda_i^t}", _solution(2),
          relation="==", form="repaired", family=WIDE, uses=("fedbc.def.oracle",), **FREE),
    _step("eq57", "two models", APART + r"\le\frac{\|e_i\|}{a_i}+\frac{\|e_j\|}{a_j}+\frac1{a_ia_j}"
          + _C % "-", _eq57, deduction=deduced.EQ57, family=WIDE, uses=("fedbc.eq54-55",), **FREE),
    *(
        _step(f"eq58@{reading}", "two models", APART + r"\le\frac{\sqrt\epsilon}{1+L_i}+\frac1{(1+L_i)^2}"
              + _C % "-", _eq58, given=given, deduction=deduced.EQ58, family=family,
              uses=("fedbc.eq57", "fedbc.H1"))
        for reading, given, family in (
            ("every", printed_domain, runs(*PAIR)), ("own", _own_domain, runs(*PAIR, domain="own")),
        )
    ),
    *(
        _step(f"eq59@{reading}", "two gradients", _C % word + r"\le a_jL_i" + APART + r"+\delta",
              _eq59(sign), family=WIDE, uses=("fedbc.A2", "fedbc.A3"), **FREE)
        for reading, word, sign in (("minus", "-", -1), ("plus", "+", 1))
    ),
    _step("eq61", "two models, contracted",
          r"\Bigl(1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}\Bigr)" + APART
          + r"\le\frac{\sqrt\epsilon}{1+L_i}+\frac\delta{(1+L_i)^2}", _eq61, deduction=deduced.EQ61,
          uses=("fedbc.eq58", "fedbc.eq59")),
    Statement(
        key="fedbc.C0", title="sign of C_0", latex=r"\lambda_{\max}<\frac{(1+L)^2}L\Rightarrow C_0>0",
        sides=_c0, **_C0,
    ),
    Statement(
        key="fedbc.C0.repaired", title="sign of C_0 = 1 - lambda_max L/(1 + L)^2", form="repaired",
        latex=r"\lambda_{\max}<\frac{(1+L)^2}L\Rightarrow1-\frac{\lambda_{\max}L}{(1+L)^2}\ge0",
        sides=_c0_repaired, **_C0,
    ),
    _step("eq62", "two models", APART + r"\le\frac{\sqrt\epsilon}{C_0(1+L_i)}+\frac\delta{C_0(1+L_i)^2}",
          _eq62, deduction=deduced.EQ62, given=contracting, strict=CONTRACTING,
          uses=("fedbc.eq61", "fedbc.C0")),
    _step("eq62.repaired", "two models", APART
          + r"\le\frac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}", _eq62_repaired,
          form="repaired", family=runs(*PAIR, domain="convex"), given=half, strict=HALF,
          uses=("fedbc.def.oracle", "fedbc.eq59")),
)  # fmt: skip
