"""Claims up to a constant about numbers of samples, each against a method that needs fewer.

The paper names none of its constants C > 0, so one bad instance refutes nothing.  Here the number
of agents grows as the precision falls, N = ceil(1/eps): what a constant had to bridge grows with N.
"""

from __future__ import annotations

from typing import Any

from bounds import allforall_lower as lower
from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.common import PRECISION, numbers, one, source
from verify.statements.allforall.lower import (
    CONVEX,
    QUADRATIC,
    few_convex,
    few_quadratic,
    quadratic,
)
from verify.statements.allforall.lower import convex as lower_convex
from verify.world.world import World

_SMALL = Real(1 / 64, 1 / 17, unit=(1, 0), log=True)
_MANY = "N = ceil(1/eps) agents, "
SHORT = numbers({"share": Real(1 / 4, 1), "precision": _SMALL}, about=_MANY + "none close, rB = share eps")
CLOSE = numbers({"precision": _SMALL}, about=_MANY + "all others at one distance")
NOISY = numbers(
    {"noise": Real(1 / 8, 8, log=True), "radius": Real(1 / 2, 1), "precision": _SMALL},
    about=_MANY + "all distances 5 eps",
)  # fmt: skip


def _agents(w: World) -> Any:
    return xp.ceil(1 / w.precision)


def _trivial_method(w: World) -> tuple[Terms, Terms]:
    """With rB <= eps the point 0 is within B |x_i^*| <= rB <= eps of every agent's minimum.

    So one sample (the least that the definition allows) suffices on the whole class, while the
    right side grows with N where no other agent is close (all b_ij = 5 eps, which is a metric).
    The class of Theorem 5 asks for |x_i^*| <= r and E|g|^2 <= B^2 as well. What is missing in both
    is a lower bound on rB/eps, which the proof needs (its delta <= 1/2 grows with eps/(rB)) and the
    repaired forms assume.
    """
    scale = w.share * w.precision
    right = scale**2 * w.agents / w.precision**2
    return {"(rB)^2 N/(eps^2 N_i)": right}, {"samples used": one(right)}


def _plain_average(w: World) -> tuple[Terms, Terms]:
    """Laws within 5 eps of each other have gradients within 5 eps, as the class of Theorem 5 asks.

    All f_i are quadratics of curvature 1/r^2, so minimisers differ by at most 5 eps r^2. One step
    of length r^2 with the mean of T gradients at 0, of any agents, ends at expected gap
    r^2 (5 eps)^2/2 + r^2 sigma^2/(2 T) of every agent: at most eps where 25 eps r^2 <= 1 and
    T >= r^2 sigma^2/eps, whatever N. But 5 eps > 4 eps: the bound counts one close agent.
    """
    size = w.noise / w.precision
    return {"r^2 sigma^2 N/(eps N_i)": size * w.agents}, {"samples used": size + 1}


def _useful(w: World) -> Terms:
    return {"25 eps r^2 at most 1": 1 - 25 * w.precision * w.radius**2}


def _majority(kind: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The construction with d = 2 and V = {(1, 1), (1, -1)}, solved by a majority of signs.

        Convex: eps = psi = delta/2 and b_1j = eps/2, so delta_j = 3 delta/4 while only agent 1 has
        4 b_1j <= eps. A sample shows the second coordinate with chance 1/2, so by Hoeffding the
        majority errs with chance at most (1/2 + exp(-u)/2)^T <= exp(-u T/4), u = 2 (3 delta/4)^2,
        and an error costs at most 3 eps: T = 12/delta^2 gives a mean gap below eps/9. Quadratic:
        eps = delta^2/4, b_1j = eps, delta_j = delta/2, an error costs 4 eps: T = 29/delta^2.
        """
        eps = w.precision
        if kind == "convex":
            return {"d N/(eps^2 N_1)": 2 * w.agents / eps**2}, {"samples used": 1 + 3 / eps**2}
        return {"d N/(eps N_1)": 2 * w.agents / eps}, {"samples used": 1 + 29 / (4 * eps)}

    return sides


def _match(w: World) -> tuple[Terms, Terms]:
    """b_1j = eps for every other agent: close for the lower bound (4 eps), far for the upper one
    (eps/2). The quotient of the two personal factors is N."""
    return {"N/N_i(2b)": w.agents}, {"N/N_i(b/4)": one(w.precision)}


BIASES = numbers({"bias": Real(0, 4, unit=(1, 0), per=("N",)), "precision": PRECISION},
                 {"N": 1}, {"N": 3}, about="agent i and others, any biases")  # fmt: skip


def _rescaled(w: World) -> tuple[Terms, Terms]:
    """The factor of the upper bound at eps is that of the lower bound at eps/8, agent i counted."""
    n = w.N + 1
    close = 1 + rates.close_agents(2 * w.bias, w.precision)
    other = 1 + rates.close_agents(w.bias / 4, w.precision / 8)
    return {"N/N_i(2b) at eps": n / close}, {"N/N_i(b/4) at eps/8": n / other}


def _far_enough(w: World) -> Terms:
    return {**few_convex(w), "rB at least 1": w.precision / w.share - 1}


def _distances_convex(w: World) -> tuple[Terms, Terms]:
    """B <= 1 <= rB, with the two-sign instance of Theorem 1 for delta_j = (delta - b_1j)^+.

    Proof.  delta = 2 eps/(rB) <= 4 eps, so at most N_i(b/4) agents tell anything, and the Bayes gap
    is that of Theorem 1. The gradient of B |x - r xi|, xi = +-1, is affine in xi with slope at most
    B <= 1. On Xi = [-1, 1], one ball of radius 1, a locally bounded map has values of diameter 1,
    so d_H <= TV = |delta_i - delta_j| <= b_ij.
    """
    return lower_convex(w)


def _common(w: World) -> Any:
    """r^2 sigma^2 = c^2/r^2 with c^2 = s^2/z^2, s^2 = 4 eps r^2."""
    return 4 * w.precision / w.bias**2


def _few_common(w: World) -> Terms:
    bound = lower.quadratic_samples_lower(_common(w), w.precision, w.agents, w.informative) / 2
    return {"fewer samples than the bound": bound - w.samples, "r^2 sigma^2 >= 8 eps": 1 - 2 * w.bias**2}


def _distances_quadratic(w: World) -> tuple[Terms, Terms]:
    """r >= 1, r^2 sigma >= 1/2, r^2 sigma^2 >= 8 eps, and agents count up to b_ij < 2 r sqrt eps.

    Proof.  Two signs, xi = +-c with c = sigma r^2 and means alpha s_j, s_j = (s - b_1j)^+,
    s = 2 r sqrt eps <= r: the noise has variance (c^2 - s_j^2)/r^4 <= sigma^2 and KL <=
    2 s^2/(c^2 - s^2) <= 4 s^2/c^2, so T >= (1/32) r^2 sigma^2 N/(eps n) for n agents with s_j > 0.
    The gradient (x - xi)/r^2 is affine with slope at most 1. On Xi = [-c, c] a locally bounded map
    changes by at most max(1, c + 1) <= 2 c if c >= 1, by at most 1 <= 2 c if 1/2 <= c <= 1, so
    d_H <= 2 c TV = |s_i - s_j| <= b_ij.
    """
    return quadratic(w)


_1A = r"\inf_{\mathcal M}\sup\mathcal T_i^\varepsilon\ge\frac{Cr^2B^2N}{\varepsilon^2\mathcal N_i^\varepsilon(b/4)}"
_1B = r"\inf_{\mathcal M}\sup\mathcal T_i^\varepsilon\ge\frac{C'r^2\sigma^2N}{\varepsilon\,%s}"
_12 = {
    "convex": r"T_\varepsilon\ge C\frac{dN}{\varepsilon^2\,\mathcal N_1^\varepsilon(%s)}",
    "quadratic": r"T_\varepsilon\ge C'\frac{dN}{\varepsilon\,\mathcal N_1^\varepsilon(%s)}",
}
_LAWS = "lower bound under distances of laws"
_FEW_CONVEX, _FEW_QUADRATIC = (
    numbers(dict(family.box), *family.shapes[-2:], about=family.about) for family in (CONVEX, QUADRATIC)
)
_FEW: dict[str, dict[str, Any]] = {
    "convex": {"family": _FEW_CONVEX, "over": "mean", "sides": lower_convex, "given": few_convex},
    "quadratic": {"family": _FEW_QUADRATIC, "over": "mean", "sides": quadratic, "given": few_quadratic},
}


def _order(key: str, where: str, latex: str, title: str, **fields: Any) -> Statement:
    return Statement(
        key=f"allforall.{key}", source=source(where), latex=latex, title=title, relation="<~",
        defines={"agents": _agents}, **fields,
    )  # fmt: skip


STATEMENTS = (
    _order("theorem1a", "Theorem 1, convex", _1A, "lower bound, all-for-one", family=SHORT,
           sides=_trivial_method),
    _order("theorem5a", "Theorem 5, convex", _1A, _LAWS, family=SHORT, sides=_trivial_method),
    _order("theorem5b", "Theorem 5, strongly convex", _1B % r"\mathcal N_i^\varepsilon(b/4)", _LAWS,
           family=NOISY, sides=_plain_average, given=_useful),
    Statement(
        key="allforall.theorem5a.repaired", source=source("Theorem 5, convex"), form="repaired",
        latex=_1A + r",\ C=\tfrac{15}{1024},\ B\le1\le rB", title=_LAWS, given=_far_enough,
        family=numbers({"share": Real(1 / 256, 1 / 16, log=True),
                        "precision": Real(1 / 256, 1 / 16, log=True)},
                       *CONVEX.shapes[-2:], about=CONVEX.about), sides=_distances_convex,
        over="mean",
    ),
    Statement(
        key="allforall.theorem5b.repaired", source=source("Theorem 5, strongly convex"),
        latex=_1B % r"|\{j:b_{ij}<2r\sqrt\varepsilon\}|" + r",\ C'=\tfrac1{32}", title=_LAWS,
        family=_FEW_QUADRATIC, sides=_distances_quadratic, given=_few_common,
        form="repaired", over="mean",
    ),
    *(_order(f"eq12/{kind}", "Equation 12", latex % "4b", "samples of the construction",
             family=CLOSE, sides=_majority(kind), kind="proof step") for kind, latex in _12.items()),
    *(Statement(key=f"allforall.eq12.repaired/{kind}", source=source("Equation 12"),
                latex=latex % "b/4", title="samples of the construction", kind="proof step",
                form="repaired", **_FEW[kind]) for kind, latex in _12.items()),
    _order("claim.match@same", "after Theorem 2",
           r"\frac N{\mathcal N_i^\varepsilon(2b)}\lesssim\frac N{\mathcal N_i^\varepsilon(b/4)}",
           "upper and lower bounds match", family=CLOSE, sides=_match, kind="claim"),
    Statement(
        key="allforall.claim.match@rescaled", source=source("after Theorem 2"), kind="claim",
        latex=r"\frac N{\mathcal N_i^\varepsilon(2b)}=\frac N{\mathcal N_i^{\varepsilon/8}(b/4)}",
        relation="==", title="upper and lower bounds match", family=BIASES, sides=_rescaled,
    ),
)  # fmt: skip
