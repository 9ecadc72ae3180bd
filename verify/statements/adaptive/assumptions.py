"""Assumptions A1, A3, A4, A5: which problem families meet them, and which cannot.

A part names a family.  Where a family fails an assumption whatever its constants, the part says
that, and is a claim like any other: an explicit point beyond every bound, or an instance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Real, Shape
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive.common import source
from verify.statements.adaptive.problems import POINT, SHIFT, TRADEOFF, federation
from verify.world.world import World

Rule = Callable[[World], tuple[Terms, Terms]]

ALL = ("quadratic", "pl", "nonconvex", "streaming", "least_squares")
CONVEX = ("quadratic", "streaming", "least_squares")


def shapes_of(kind: str, *sizes: tuple[int, int]) -> tuple[Shape, ...]:
    """Shapes (N, d) of a kind; tables have two rows."""
    rows = {"n": 2} if kind == "least_squares" else {}
    return tuple({"N": n, "d": d, **rows} for n, d in sizes)


# -- A1, A3, A4, A5: at points -----------------------------------------------------------------


def _other(w: World) -> Any:
    return w.point + w.shift


def _smooth(w: World) -> tuple[Terms, Terms]:
    """Squares of both sides. Tight along the steepest axis of the steepest client."""
    gap = w.problem.gradients(_other(w)) - w.problem.gradients(w.point)
    bound = w.beta**2 * xp.squared_norm(w.shift)
    return {"|difference|^2": xp.squared_norm(gap)}, {"beta^2 |shift|^2": bound[..., None]}


def _heterogeneity(w: World) -> tuple[Terms, Terms]:
    """Tight on aligned clients at the point that the trade-off curve touches."""
    gradients = w.problem.gradients(w.point)
    own = gradients[..., :1, :]
    return {"|difference|^2": xp.squared_norm(gradients - own)}, {
        "b^2": w.squared_bias,
        "c G^2": w.slope * xp.squared_norm(own),
    }


def _tangent(w: World) -> Any:
    """R(theta) + <theta' - theta, grad R(theta)>, per client."""
    slope = xp.dot(w.problem.gradients(w.point), w.shift[..., None, :])
    return w.problem.losses(w.point), slope


def _convex(w: World) -> tuple[Terms, Terms]:
    """Tight along the flattest axis of the flattest client."""
    value, slope = _tangent(w)
    curve = w.mu * xp.squared_norm(w.shift) / 2
    return {"R(theta')": w.problem.losses(_other(w))}, {
        "R(theta)": value, "slope": slope, "mu/2 |shift|^2": curve[..., None],
    }  # fmt: skip


def _not_convex(w: World) -> tuple[Terms, Terms]:
    """A loss below its tangent: no mu > 0, not even mu = 0, serves A4."""
    value, slope = _tangent(w)
    return {"R(theta')": w.problem.losses(_other(w))}, {"R(theta)": value, "slope": slope}


def _below_tangent(w: World) -> Terms:
    value, slope = _tangent(w)
    return {"below the tangent": value + slope - w.problem.losses(_other(w))}


def _polyak(w: World) -> tuple[Terms, Terms]:
    """Tight along the flattest axis of a quadratic, near t = 2.2017 of a wavy parabola."""
    squared = xp.squared_norm(w.problem.gradients(w.point))
    return {"|grad R|^2/2": squared / 2}, {"mu excess": w.mu[..., None] * w.problem.excess(w.point)}


def _flat(w: World) -> tuple[Terms, Terms]:
    """R = a h(x/l) with h(t) = t^2/(1 + t^2): |grad R|^2/2 = 2a/(l^2 (1+t^2)^3) R, which is
    at most mu R at t^2 = 2a/(l^2 mu), whatever mu > 0 is asked for."""
    reach = w.width * xp.sqrt(2 * w.height[..., 0] / (w.width**2 * w.level))
    point = w.problem.optimum[..., 0, :] + reach[..., None]
    squared = xp.squared_norm(w.problem.gradients(point))
    return {"|grad R|^2/2": squared / 2}, {
        "mu excess": w.level[..., None] * w.problem.excess(point)
    }


LEVEL = {"level": Real(1 / 64, 64, unit=(1, -2), log=True)}


def _at_points(
    name: str, kinds: tuple[str, ...], sides: Rule, latex: str, *sizes: tuple[int, int],
    where: dict[str, Real], relation: str = "<=", title: str,
) -> tuple[Statement, ...]:  # fmt: skip
    return tuple(
        Statement(
            key=f"adaptive.{name}/{kind}",
            source=source(f"Assumption {name}"),
            kind="assumption",
            title=title,
            latex=latex,
            family=federation(kind, shapes_of(kind, *sizes), where),
            sides=sides,
            relation=relation,
        )
        for kind in kinds
    )


_A4 = r"R_i(\theta')\ge R_i(\theta)+(\theta'-\theta)^\top\nabla R_i(\theta)+\tfrac\mu2\|\theta'-\theta\|^2"
_A5 = r"\tfrac12\|\nabla R_i(\theta)\|^2\ge\mu(R_i(\theta)-R_i(\theta_i^\star))"

STATEMENTS = (
    *_at_points(
        "A1", ALL, _smooth, r"\|\nabla R_i(\theta)-\nabla R_i(\theta')\|\le\beta\|\theta-\theta'\|",
        (1, 1), (2, 2), where={**POINT, **SHIFT}, title="smoothness",
    ),
    *_at_points(
        "A3", ALL, _heterogeneity,
        r"\|\nabla R_i(\theta)-\nabla R_k(\theta)\|^2\le b_{ik}^2+c_{ik}\|\nabla R_i(\theta)\|^2",
        (2, 1), (2, 2), where={**POINT, **TRADEOFF}, title="bounded heterogeneity",
    ),
    *_at_points(
        "A4", CONVEX, _convex, _A4, (1, 1), (2, 2), where={**POINT, **SHIFT}, relation=">=",
        title="strong convexity",
    ),
    *(
        Statement(
            key=f"adaptive.A4/{kind}-fails", source=source("Assumption A4"), kind="assumption",
            title="not convex", quantifier="some", sides=_not_convex, given=_below_tangent,
            latex=r"R_i(\theta')<R_i(\theta)+(\theta'-\theta)^\top\nabla R_i(\theta)",
            strict=frozenset({"below the tangent"}),
            family=federation(kind, shapes_of(kind, (1, 1)), {**POINT, **SHIFT}),
        )
        for kind in ("pl", "nonconvex")
    ),
    *_at_points(
        "A5", (*CONVEX, "pl"), _polyak, _A5, (1, 1), (2, 2), where=POINT, relation=">=",
        title="Polyak-Lojasiewicz",
    ),
    Statement(
        key="adaptive.A5/nonconvex-fails", source=source("Assumption A5"), kind="assumption",
        title="no Polyak-Lojasiewicz constant", sides=_flat,
        latex=r"\forall\mu>0\ \exists\theta:\ \tfrac12\|\nabla R_i(\theta)\|^2\le\mu R_i(\theta)",
        family=federation("nonconvex", shapes_of("nonconvex", (1, 1)), LEVEL),
    ),
)  # fmt: skip
