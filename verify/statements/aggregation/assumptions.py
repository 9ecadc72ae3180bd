"""Assumptions A1 to A4: which losses meet them, and on which domain all four hold at once."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import (
    best,
    numbers,
    runs,
    short_steps,
    size,
    source,
    squared_gradient,
)
from verify.world.world import World

_POINTS = {
    "point": Real(-4, 4, unit=(0, 1), per=("d",)),
    "shift": Real(-4, 4, unit=(0, 1), per=("d",)),
}
AT_POINTS = runs(
    size(1, 1, 1, "fedavg", quiet=True), size(2, 1, 1, "fedavg", quiet=True, d=2), extra=_POINTS,
    about="quadratics at any two points",
)  # fmt: skip
NOISY = runs(size(2, 1, 1, "fedavg"), extra=_POINTS, about="quadratics with two-point noise")
RUNS = runs(
    *(size(2, 2, e, rule) for e in (1, 2) for rule in ("fixed", "fedmax")),
    size(2, 2, 2, "fixed", quiet=True, d=2), size(3, 3, 3, "fixed", quiet=True),
)  # fmt: skip


def _tangent(w: World) -> Terms:
    slope = xp.dot(w.problem.gradients(w.point), w.shift[..., None, :])
    return {"F_i(w)": w.problem.losses(w.point), "slope": slope}


def _after(w: World) -> Terms:
    return {"F_i(v)": w.problem.losses(w.point + w.shift)}


def _smooth(w: World) -> tuple[Terms, Terms]:
    """Tight along the steepest axis of the steepest client."""
    curve = w.beta * xp.squared_norm(w.shift) / 2
    return _after(w), {**_tangent(w), "L/2 |v-w|^2": curve[..., None]}


def _convex(w: World) -> tuple[Terms, Terms]:
    """Tight along the flattest axis of the flattest client."""
    curve = w.mu * xp.squared_norm(w.shift) / 2
    return _after(w), {**_tangent(w), "mu/2 |v-w|^2": curve[..., None]}


def _variance(w: World) -> tuple[Terms, Terms]:
    """Additive noise has one variance everywhere."""
    return {"E|g - grad F|^2": w.problem.gradient_variance(w.point)}, {
        "sigma^2": xp.largest(w.sigma2)[..., None]
    }


# -- A4 ----------------------------------------------------------------------------------------

FAR = numbers(
    {
        "mu": Real(1 / 16, 16, unit=(1, -2), log=True),
        "level": Real(1 / 16, 16, unit=(2, -2), log=True),
        "reach2": Real(1 / 16, 256, unit=(0, 2), log=True),
        "second_moment": Real(1 / 16, 256, unit=(2, -2), log=True),
    },
    about="any strongly convex loss at distance G/mu or more from its minimiser",
)  # fmt: skip


def _fails(w: World) -> tuple[Terms, Terms]:
    """Whatever G is named, at distance G/mu from the minimiser the second moment has reached G^2.

    E|g|^2 >= |grad F_i|^2 >= mu^2 r^2 for an unbiased gradient of a mu-strongly convex loss.
    """
    return {"G^2": w.level}, {"E|g|^2": w.second_moment}


def _far(w: World) -> Terms:
    return {
        "A2 and an unbiased gradient": w.second_moment - w.mu**2 * w.reach2,
        "far": w.mu**2 * w.reach2 - w.level,
    }


def _on_runs(w: World) -> tuple[Terms, Terms]:
    """The largest second moment at the local models of a run is finite and serves as G^2."""
    models = w.run().models[..., :-1, :, :]
    wide = w.problem.expand(1)
    moment = xp.squared_norm(wide.own_gradients(models)) + wide.own_gradient_variance(models)
    return {"E|g|^2": moment}, {"G^2": w.G2[..., None, None]}


def _slope_at_best(w: World) -> Any:
    """max |grad F_i(w*)|, (B, 1)."""
    return xp.largest(xp.sqrt(xp.squared_norm(w.problem.gradients(best(w)))))


def _radius(w: World) -> Any:
    """max(|w_0 - w*|, (max |grad F_i(w*)| + s)/mu) with s the largest length of the noise."""
    problem: Any = w.problem
    values = problem.noise_support()[0] * problem.noise_scale[..., None]
    longest = xp.largest(xp.largest(xp.absolute(values)))
    start = xp.sqrt(xp.squared_norm(w.start - best(w)))
    return xp.maximum(start, (_slope_at_best(w) + longest) / w.mu)


def _reach(w: World) -> tuple[Terms, Terms]:
    """Every local model stays in the ball about w* of radius r = max(|w_0 - w*|, (g + s)/mu), g the
    largest |grad F_i(w*)| and s the largest length of the noise; steps of at most 1/L, weights >= 0.

    Proof. A gradient step of size eta <= 1/L on F_i brings two points nearer by 1 - eta mu, and
    moves w* by at most eta g; so |w_{t+1}^i - w*| <= (1 - eta mu)|w_t^i - w*| + eta (g + s), at most
    r if |w_t^i - w*| is; averages stay in the ball.
    """
    models = w.run().models - best(w)[..., None, None, :]
    return {"|w_t^i - w*|": xp.sqrt(xp.squared_norm(models))}, {"r": _radius(w)[..., None, None]}


def _level(w: World) -> tuple[Terms, Terms]:
    """G^2 = (g + L r)^2 + sigma^2 serves in A4 at every point that the run can reach.

    Proof. |grad F_i(w)| <= |grad F_i(w*)| + L |w - w*| on the ball of the first part.
    """
    slope = _slope_at_best(w) + w.beta * _radius(w)
    return {"G^2 of the run": w.G2}, {"(g + L r)^2": slope**2, "sigma^2": xp.largest(w.sigma2)}


def _assumption(name: str, family: Any, sides: Any, latex: str, title: str, **more: Any) -> Statement:
    return Statement(
        key=f"aggregation.{name}", source=source(f"Assumption {name[:2]}"), kind="assumption",
        family=family, sides=sides, latex=latex, title=title, **more,
    )  # fmt: skip


_SHORT = {"step_sizes": short_steps, "G2": squared_gradient}

STATEMENTS = (
    _assumption(
        "A1/quadratic", AT_POINTS, _smooth,
        r"F_i(v)\le F_i(w)+\langle v-w,\nabla F_i(w)\rangle+\tfrac L2\|v-w\|^2", "smoothness",
    ),
    _assumption(
        "A2/quadratic", AT_POINTS, _convex,
        r"F_i(v)\ge F_i(w)+\langle v-w,\nabla F_i(w)\rangle+\tfrac\mu2\|v-w\|^2",
        "strong convexity", relation=">=",
    ),
    _assumption(
        "A3/quadratic", NOISY, _variance, r"\mathbb E\|g_i(w)-\nabla F_i(w)\|^2\le\sigma^2",
        "bounded variance",
    ),
    _assumption(
        "A4/run", RUNS, _on_runs, r"\mathbb E\|g_i(w_t^i)\|^2\le G^2",
        "bounded second moment along a run", over="path", defines=_SHORT,
    ),
    _assumption(
        "A4/space-fails", FAR, _fails, r"\forall G\ \exists w:\ \mathbb E\|g_i(w)\|^2\ge G^2",
        "no bounded second moment on the whole space", given=_far,
    ),
    _assumption(
        "A4.explicit/reach", RUNS, _reach,
        r"\|w_t^i-w^\star\|\le r=\max\Bigl(\|w_0-w^\star\|,\frac{\max\|\nabla F_i(w^\star)\|+s}\mu\Bigr)",
        "the domain that runs can reach", form="explicit", over="path", defines=_SHORT,
    ),
    _assumption(
        "A4.explicit/level", RUNS, _level,
        r"G^2=\bigl(\max\|\nabla F_i(w^\star)\|+Lr\bigr)^2+\sigma^2",
        "a bound of the second moment there", form="explicit", over="path", defines=_SHORT,
    ),
)  # fmt: skip
