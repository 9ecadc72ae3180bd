"""Which common assumptions imply which: every arrow is a statement that the ladder decides.

An implication says with which constant the conclusion holds.  What does not follow is here too, as
the same claim without what it needs: its statement falls, with a witness.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bounds import generic as xp
from verify.claim.families import numbers, quadratics
from verify.claim.functions import functions
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real
from verify.claim.statement import Statement, statement
from verify.world.world import World

__all__ = ["IMPLICATIONS", "Implication", "implied_by"]


@dataclass(frozen=True)
class Implication:
    """One arrow between assumptions.

    Parameters
    ----------
    premises : tuple of str
        Names of assumptions (or, beside them, of conditions).
    conclusion : str
    constant : str
        The conclusion's constant in those of the premises.
    claim : Statement
        The inequality behind it; :func:`verify.check` decides it.
    """

    premises: tuple[str, ...]
    conclusion: str
    constant: str
    claim: Statement

    def __str__(self) -> str:
        return f"{' and '.join(self.premises)}  =>  {self.conclusion} with {self.constant}"


def implied_by(*premises: str) -> tuple[Implication, ...]:
    """What follows from these assumptions, directly."""
    return tuple(one for one in IMPLICATIONS if set(one.premises) <= set(premises))


STRONG = functions("smooth strongly convex")
CONVEX = functions("smooth convex")
SMOOTH = functions("smooth")
PL = functions("smooth PL")
PAIR = quadratics(
    ({"N": 2, "d": 1, "rounds": 0}, {"N": 2, "d": 2, "rounds": 0}), about="pairs of quadratics"
)


def _excess(w: World) -> Any:
    return w.problem.excess(w.start)[..., 0]


def _slope(w: World) -> Any:
    """Squared norm of the gradient at the start."""
    return xp.squared_norm(w.problem.gradients(w.start)[..., 0, :])


def _away(w: World) -> Any:
    """Squared distance to the minimiser."""
    return xp.squared_norm(w.start - w.problem.optimum[..., 0, :])


@statement(
    "implied.pl",
    where="Karimi, Nutini, Schmidt 2016, Theorem 2",
    family=STRONG,
    latex=r"2\mu(f(x)-f_*)\le\|\nabla f(x)\|^2",
)
def strongly_convex_is_pl(w: World) -> Any:
    """Strong convexity gives PL with the same constant."""
    return {"excess": 2 * w.problem.strong_convexity * _excess(w)}, {"gradient": _slope(w)}


@strongly_convex_is_pl.like("implied.growth", family=PL, latex=r"\mu\|x-x_*\|^2\le 2(f(x)-f_*)")
def pl_is_growth(w: World) -> Any:
    """PL gives quadratic growth with the same constant."""
    return {"distance": w.mu * _away(w)}, {"excess": 2 * _excess(w)}


@strongly_convex_is_pl.like(
    "implied.self_bounding", family=SMOOTH, latex=r"\|\nabla f(x)\|^2\le 2L(f(x)-f_*)"
)
def smooth_bounds_gradients(w: World) -> Any:
    """Smoothness bounds gradients by losses: expected smoothness of a gradient without noise."""
    return {"gradient": _slope(w)}, {"excess": 2 * w.beta * _excess(w)}


@strongly_convex_is_pl.like(
    "implied.additive", family=CONVEX, latex=r"\|\nabla f(x)\|\le L\|x-x_*\|"
)
def smooth_bounds_by_distance(w: World) -> Any:
    """Smoothness at the minimiser."""
    return {"gradient": _slope(w)}, {"distance": w.beta**2 * _away(w)}


@statement(
    "implied.similar",
    where="definition",
    family=PAIR,
    latex=r"\|\nabla R_1(x)-\nabla R_2(x)\|^2\le 2\|\nabla R_2(x_1)\|^2+2\delta^2\|x-x_1\|^2",
)
def similar_bounds_bias(w: World) -> Any:
    """Similar Hessians bound the dissimilarity on every ball around a minimiser."""
    slopes = w.problem.gradients(w.start)
    centre = w.problem.optimum[..., 0, :]
    hessian = w.problem.hessian  # type: ignore[attr-defined]
    delta2 = xp.squared_spectral_norm(hessian[..., 0, :, :] - hessian[..., 1, :, :])
    at_centre = xp.squared_norm(w.problem.gradients(centre)[..., 1, :])
    return {"apart": xp.squared_norm(slopes[..., 0, :] - slopes[..., 1, :])}, {
        "at the minimiser": 2 * at_centre,
        "around it": 2 * delta2 * _away(w),
    }


@similar_bounds_bias.like("implied.hessians", latex=r"\delta\le\max(L_1,L_2)")
def convex_is_similar(w: World) -> Any:
    """Convex smooth losses have Hessians no further apart than the larger smoothness."""
    hessian = w.problem.hessian  # type: ignore[attr-defined]
    apart = xp.squared_spectral_norm(hessian[..., 0, :, :] - hessian[..., 1, :, :])
    return {"delta^2": apart}, {"L^2": w.beta**2}


@statement(
    "implied.mean",
    where="Cauchy-Schwarz",
    latex=r"\|\frac1N\sum g_k\|^2\le\frac1N\sum\|g_k\|^2",
    family=numbers(
        {"g": Real(-2, 2, per=("N", "d"))},
        {"N": 2, "d": 1},
        {"N": 2, "d": 2},
        {"N": 3, "d": 2},
        about="gradients of clients",
    ),
)
def mean_is_shorter(w: World) -> Any:
    """So B^2 of the dissimilarity to the mean is at least 1, and smoothness is passed on."""
    return {"mean": xp.squared_norm(xp.mean(w.g, -2))}, {"all": xp.mean(xp.squared_norm(w.g))}


@mean_is_shorter.like(
    "implied.affine_to_mean",
    latex=r"\frac1N\sum\|g_k\|^2\le 2\|g_1\|^2+\frac2N\sum\|g_k-g_1\|^2",
)
def pairs_bound_the_mean(w: World) -> Any:
    """Affine dissimilarity of all to one client bounds the second moment over clients."""
    own = w.g[..., 0, :]
    apart = xp.mean(xp.squared_norm(w.g - own[..., None, :]))
    return {"all": xp.mean(xp.squared_norm(w.g))}, {
        "own": 2 * xp.squared_norm(own),
        "apart": 2 * apart,
    }


# -- what does not follow ------------------------------------------------------------------

converse = pl_is_growth.like(
    "implied.not_convex",
    latex=r"f(x)\ge f_*+\tfrac\mu2\|x-x_*\|^2\ \Rightarrow\ "
    r"\langle\nabla f(x),x-x_*\rangle\ge\mu\|x-x_*\|^2",
)


@converse
def pl_is_not_strongly_convex(w: World) -> Any:
    """PL does not give strong convexity towards the minimiser."""
    away = w.start - w.problem.optimum[..., 0, :]
    inner = xp.dot(w.problem.gradients(w.start)[..., 0, :], away)
    return {"distance": w.mu * _away(w)}, {"inner product": inner}


flat = Hypothesis("convex only", r"\mu=0", lambda w: 0 * w.beta, "what is left out")


@strongly_convex_is_pl.like(
    "implied.not_pl",
    family=CONVEX,
    given=[flat],
    latex=r"\tfrac L8(f(x)-f_*)\le\|\nabla f(x)\|^2",
)
def convex_is_not_pl(w: World) -> Any:
    """Convexity gives no PL, with however small a constant; here L/16."""
    return {"excess": w.beta / 8 * _excess(w)}, {"gradient": _slope(w)}


IMPLICATIONS: tuple[Implication, ...] = (
    Implication(("strong convexity",), "PL", "the same mu", strongly_convex_is_pl),
    Implication(("PL", "smoothness"), "quadratic growth", "the same mu", pl_is_growth),
    Implication(
        ("smoothness",), "expected smoothness", "L, without noise", smooth_bounds_gradients
    ),
    Implication(
        ("smoothness",),
        "bounded gradients on a ball",
        "L times the radius",
        smooth_bounds_by_distance,
    ),
    Implication(
        ("similar hessians",),
        "affine dissimilarity on a ball",
        "b^2 = 2 |grad R_k(x_i)|^2 + 2 delta^2 radius^2, c = 0",
        similar_bounds_bias,
    ),
    Implication(("smoothness", "convexity"), "similar hessians", "delta = L", convex_is_similar),
    Implication(("smoothness",), "smoothness of the mean", "the mean of the L_k", mean_is_shorter),
    Implication(
        ("affine dissimilarity",),
        "dissimilarity to one client",
        "G^2 = 2 b^2, B^2 = 2 + 2 c",
        pairs_bound_the_mean,
    ),
)
"""Arrows; each claim stands."""

GAPS: tuple[Implication, ...] = (
    Implication(("PL", "smoothness"), "strong convexity", "the same mu", pl_is_not_strongly_convex),
    Implication(("convexity", "smoothness"), "PL", "L/16", convex_is_not_pl),
)
"""What does not follow; each claim falls."""
