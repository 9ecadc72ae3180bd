"""Assumptions A2 and A6: the stochastic gradients that methods really draw."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive.assumptions import Rule, shapes_of
from verify.statements.adaptive.common import along, run_family, source
from verify.statements.adaptive.problems import POINT, federation
from verify.world.world import World

# -- A2, A6: through the gradients that a method really draws ----------------------------------

STEP_SIZE = {"step_size": Real(1 / 8, 8, unit=(-1, 2), log=True)}
START = {"start": Real(-4, 4, unit=(0, 1), per=("d",))}
_DRAWN = {**START, **STEP_SIZE}


def _one_step(kind: str, method: str, *sizes: tuple[int, int]) -> Family:
    constants = {"method": method, "rounds": 1}
    if method == "all_for_one":
        constants["weights"] = "fixed"
    shapes = tuple({**shape, **constants} for shape in shapes_of(kind, *sizes))
    # a variance next to zero would be lost in the rounding of the step that it is read off
    seen = {"noise_share": Real(1 / 16, 1, per=("N",))} if kind != "least_squares" else {}
    return federation(kind, shapes, {**_DRAWN, **seen}, noise=True)


def _direction(w: World) -> Any:
    """What was subtracted in the first step, per unit of step size, (B, R, d)."""
    theta = w.run().theta
    return (theta[..., 0, :] - theta[..., 1, :]) / w.step_size[..., None]


def _own(w: World) -> Any:
    return w.problem.gradients(w.start)[..., 0, :]


def _variance(w: World) -> tuple[Terms, Terms]:
    """E|g - grad R|^2 of the gradient that Local draws. Tight where the claim sigma is."""
    return {"|g - grad R|^2": xp.squared_norm(_direction(w) - _own(w))}, {
        "sigma^2": w.sigma2[..., 0]
    }


def _mean(w: World) -> tuple[Terms, Terms]:
    """E g = grad R, from the gradient that Local draws, in one dimension."""
    return {"g": _direction(w)[..., 0]}, {"grad R": _own(w)[..., 0]}


def _moving(w: World) -> Terms:
    return {"own gradient": xp.squared_norm(_own(w))}


def _ones(w: World) -> Any:
    clients = w.problem.clients
    like = w.problem.optimum[..., :1, :1] * 0 + 1
    return like + 0 * xp.eye(clients, w.problem.optimum)


def _independent(w: World) -> tuple[Terms, Terms]:
    """The variance of the sum of all clients' gradients is the sum of their variances."""
    gap = _direction(w) - xp.total(w.problem.gradients(w.start), axis=-2)
    return {"|sum of g - grad R|^2": xp.squared_norm(gap)}, {
        "sum of variances": xp.total(w.problem.gradient_variance(w.start))
    }


def _measurable(w: World) -> tuple[Terms, Terms]:
    """The weights that a run uses in round t are Definition 1 at theta^{t-1}, on every outcome."""
    run = w.run()
    return {"weights used": run.weights}, {
        "Definition 1 at theta": along(w, run.theta[..., :-1, :]).alpha
    }


def _moving_on_paths(w: World) -> Terms:
    return {"own gradients": along(w, w.run().theta[..., :-1, :]).squared_gradient}


def _far_streaming(w: World) -> tuple[Terms, Terms]:
    """In one dimension the variance is 8 H^2 e^2/b at distance e; e = level/(2H), b = 2."""
    distance = w.level / (2 * w.H[..., 0, 0, 0])
    point = w.problem.optimum[..., 0, :] + distance[..., None]
    return {"B^2": w.level**2}, {"variance": w.problem.gradient_variance(point)[..., 0]}


def _far_rows(w: World) -> tuple[Terms, Terms]:
    """Two rows x, x' without labels: the variance is (x^2 - x'^2)^2 theta^2."""
    rows = w.X[..., 0, :, 0]
    distance = w.level / xp.absolute(rows[..., 0] ** 2 - rows[..., 1] ** 2)
    return {"B^2": w.level**2}, {
        "variance": w.problem.gradient_variance(distance[..., None])[..., 0]
    }


def _rows_differ(w: World) -> Terms:
    rows = w.X[..., 0, :, 0]
    return {
        "rows differ": (rows[..., 0] - rows[..., 1]) ** 2,
        "no labels": -xp.absolute(w.y[..., 0, :]),
    }


def _ball(w: World) -> tuple[Terms, Terms]:
    """4/b (tr H + lambda_max) lambda_max |e|^2 at distance |e|. Tight along the steepest axis."""
    top = xp.largest_eigenvalue(w.H)
    trace = xp.total(xp.total(w.H * xp.eye(w.H.shape[-1], w.H)))
    reach = xp.squared_norm(w.point[..., None, :] - w.problem.optimum)
    return {"variance": w.problem.gradient_variance(w.point)}, {
        "4/b (tr H + l) l |e|^2": 4 * (trace + top) * top * reach / w.problem.option("batch")
    }


def _drawn(
    name: str, part: str, kind: str, method: str, sides: Rule, latex: str,
    *sizes: tuple[int, int], title: str, **more: Any,
) -> Statement:  # fmt: skip
    return Statement(
        key=f"adaptive.{name}/{part}{kind}",
        source=source(f"Assumption {name}"),
        title=title,
        kind="assumption",
        latex=latex,
        family=_one_step(kind, method, *sizes),
        sides=sides,
        over="mean",
        **more,
    )


_A2 = r"\mathbb V[g_i^t(\theta)]\le\sigma_i^2"
_LEVEL2 = {"level": Real(1 / 4, 64, unit=(1, -1), log=True)}
_UNBOUNDED: dict[str, Any] = {
    "source": source("Assumption A2"), "kind": "assumption", "title": "no bound serves all points",
    "latex": r"\forall B\ \exists\theta:\ \mathbb V[g_i(\theta)]\ge B^2",
}  # fmt: skip

STATEMENTS = (
    *(
        _drawn("A2", "", kind, "local", _variance, _A2, (1, 1), (1, 2), title="bounded variance")
        for kind in ("quadratic", "pl", "nonconvex")
    ),
    Statement(
        key="adaptive.A2/streaming-unbounded", sides=_far_streaming,
        family=federation("streaming", shapes_of("streaming", (1, 1)), _LEVEL2), **_UNBOUNDED,
    ),
    Statement(
        key="adaptive.A2/rows-unbounded", sides=_far_rows, given=_rows_differ,
        strict=frozenset({"rows differ"}),
        family=federation("least_squares", shapes_of("least_squares", (1, 1)), _LEVEL2), **_UNBOUNDED,
    ),
    Statement(
        key="adaptive.A2/streaming-ball", source=source("Assumption A2"), kind="assumption",
        title="a bound on every ball", sides=_ball,
        latex=r"\mathbb V[g_i(\theta)]\le\tfrac4b(\operatorname{tr}H_i+\|H_i\|)\|H_i\|\,\|\theta-\theta_i^\star\|^2",
        family=federation("streaming", shapes_of("streaming", (1, 1), (2, 2)), POINT),
    ),
    *(
        _drawn(
            "A6", "unbiased-", kind, "local", _mean, r"\mathbb E[g_k^t(\theta)]=\nabla R_k(\theta)",
            (1, 1), title="unbiased oracle", relation="==", given=_moving,
            strict=frozenset({"own gradient"}),
        )
        for kind in ("quadratic", "pl", "nonconvex", "least_squares")
    ),
    *(
        _drawn(
            "A6", "independent-", kind, "all_for_one", _independent,
            r"\mathbb V\bigl[\textstyle\sum_kg_k\bigr]=\sum_k\mathbb V[g_k]", (2, 1),
            title="independent oracles", relation="==", defines={"weight_matrix": _ones},
        )
        for kind in ("quadratic", "pl", "nonconvex", "least_squares")
    ),
    Statement(
        key="adaptive.A6/measurable", source=source("introduction, Definition 1"),
        title="weights are functions of the last model", kind="assumption", relation="==",
        latex=r"\alpha_{ik}^t=\phi(r_{ik}(\theta_i^{t-1}))(\sigma_{i,\psi}(\theta_i^{t-1})/\sigma_k)^2",
        family=run_family((2, 1, 1), (2, 1, 2), (2, 2, 2)), sides=_measurable, over="path",
        defines={"step_size": lambda w: w.step_share / w.beta}, given=_moving_on_paths,
        strict=frozenset({"own gradients"}),
    ),
)  # fmt: skip
