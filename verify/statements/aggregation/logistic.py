"""Assumptions A1 to A4 for regularised logistic regression with known minimisers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import CURVATURE, source
from verify.world.world import World

_POINT = Real(-4, 4, unit=(0, 1), per=("d",))
_BOX = {
    "features": Real(1 / 4, 4, unit=(0, -1), log=True, per=("N", "n", "d")),
    "optimum": Real(-2, 2, unit=(0, 1), per=("N", "d")),
    "height": Real(1 / 4, 4, unit=(1, 0), log=True, per=("N",)),
    "ridge": CURVATURE,
    "point": _POINT,
    "shift": _POINT,
}


def _build(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Labels 1 and -1 in turn."""
    features = values["features"]
    one = 1 + 0 * features[..., 0]
    signs = xp.stack([(-1) ** j * one[..., j] for j in range(int(shape["n"]))], -1)
    data = {"X": features, "y": signs, **{k: values[k] for k in ("optimum", "height", "ridge")}}
    return Instance("logistic", data, None, {k: values[k] for k in ("point", "shift")})


TABLES = Family(
    _BOX, ({"N": 1, "n": 1, "d": 1}, {"N": 2, "n": 2, "d": 1}), _build,
    "regularised logistic regression at any two points",
)  # fmt: skip


def _sides(w: World) -> tuple[Any, Any]:
    """Loss at v above the tangent at w, and |v - w|^2."""
    slope = xp.dot(w.problem.gradients(w.point), w.shift[..., None, :])
    rise = w.problem.losses(w.point + w.shift) - w.problem.losses(w.point)
    return rise - slope, xp.squared_norm(w.shift)[..., None]


def _smooth(w: World) -> tuple[Terms, Terms]:
    """Tight where all margins vanish."""
    rise, square = _sides(w)
    return {"above the tangent": rise}, {"L/2 |v-w|^2": w.beta[..., None] * square / 2}


def _convex(w: World) -> tuple[Terms, Terms]:
    """Tight far out, where the logistic part is a straight line."""
    rise, square = _sides(w)
    return {"above the tangent": rise}, {"mu/2 |v-w|^2": w.mu[..., None] * square / 2}


def _variance(w: World) -> tuple[Terms, Terms]:
    """A row's gradient is at most a |x| long, so one sigma^2 serves all of R^d."""
    return {"E|g - grad F|^2": w.problem.gradient_variance(w.point)}, {"sigma^2": w.sigma2}


def _ball(w: World) -> tuple[Terms, Terms]:
    """A4 on the ball of radius r about the minimiser, r the distance of the point.

    Proof. |grad F_i(w)| = |grad F_i(w) - grad F_i(w_i*)| <= L r, and E|g|^2 is its square plus the
    variance.
    """
    slope = xp.squared_norm(w.problem.gradients(w.point))
    away = xp.squared_norm(w.point[..., None, :] - w.problem.optimum)
    return {"E|g|^2": slope + w.problem.gradient_variance(w.point)}, {
        "(L r)^2": w.beta[..., None] ** 2 * away, "sigma^2": w.sigma2
    }


def _at(name: str, sides: Any, latex: str, title: str, **more: Any) -> Statement:
    return Statement(
        key=f"aggregation.{name}", source=source(f"Assumption {name[:2]}"), kind="assumption",
        family=TABLES, sides=sides, latex=latex, title=title, **more,
    )  # fmt: skip


STATEMENTS = (
    _at(
        "A1/logistic", _smooth,
        r"F_i(v)\le F_i(w)+\langle v-w,\nabla F_i(w)\rangle+\tfrac L2\|v-w\|^2", "smoothness",
    ),
    _at(
        "A2/logistic", _convex,
        r"F_i(v)\ge F_i(w)+\langle v-w,\nabla F_i(w)\rangle+\tfrac\mu2\|v-w\|^2",
        "strong convexity", relation=">=",
    ),
    _at(
        "A3/logistic", _variance, r"\mathbb E\|g_i(w)-\nabla F_i(w)\|^2\le\sigma^2",
        "bounded variance",
    ),
    _at(
        "A4.explicit/ball", _ball, r"\mathbb E\|g_i(w)\|^2\le L^2\|w-w_i^\star\|^2+\sigma^2",
        "second moment on a ball", form="explicit",
    ),
)  # fmt: skip
