"""Training that is tied to its start: what a step gains (Lemma 1), how far it goes (Theorem 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim import Family, Hypothesis, Instance, Real, Shape, noiseless
from verify.claim.statement import Sides
from verify.claim.wording import Wording
from verify.world.world import World

claim = Wording(
    "anchor",
    r"""
Lemma 1 :: lemma
    lemma1 :: one step ::
        f(x^1)+\tfrac\lambda2\|x^1-x^0\|^2\le f(x^0)-\tfrac\eta2\|\nabla f(x^0)\|^2
Theorem 1 :: theorem
    theorem1 :: T steps :: \|x^T-x^0\|\le\tfrac\beta{\beta+\lambda}\|x^\star-x^0\|
given
    short step :: \eta\le\tfrac1{\beta+\lambda} :: Lemma 1
""",
)

# -- where to look -------------------------------------------------------------------------------


def _build(values: Mapping[str, Any], shape: Shape) -> Instance:
    """One client that trains alone; what is not data of the problem is a parameter."""
    params = {name: values[name] for name in ("start", "step_size", "pull")}
    return Instance(
        "quadratic", noiseless(values), "anchored", {**params, "rounds": shape["rounds"]}
    )


BOX = {
    "curvature": Real(1 / 8, 8, unit=(1, -2), log=True, per=("N", "d")),
    "optimum": Real(-2, 2, unit=(0, 1), per=("N", "d")),
    "start": Real(-4, 4, unit=(0, 1), per=("d",)),
    "step_size": Real(1 / 64, 16, unit=(-1, 2), log=True),
    "pull": Real(1 / 64, 16, unit=(1, -2), log=True),
}
ONE_STEP = Family(
    BOX,
    ({"N": 1, "d": 1, "rounds": 1}, {"N": 1, "d": 2, "rounds": 1}),
    _build,
    about="quadratics without noise",
)
RUNS = Family(
    BOX,
    ({"N": 1, "d": 1, "rounds": 2}, {"N": 1, "d": 2, "rounds": 3}),
    _build,
    about="quadratics without noise",
)

# -- what is assumed, what is claimed ------------------------------------------------------------

short_step: Hypothesis = claim.given("short step", lambda w: 1 - w.step_size * (w.beta + w.pull))


def _excess(w: World, t: int) -> Any:
    """f(x^t) - f*, (B, R)."""
    return w.problem.excess(w.run().theta[..., t, :])[..., 0]


def _moved(w: World, t: int) -> Any:
    """x^t - x^0, (B, R, d)."""
    return w.run().theta[..., t, :] - w.run().theta[..., 0, :]


@claim(
    "lemma1",
    family=ONE_STEP,
    given=[short_step],
    proof="At its start f + lambda |x - x^0|^2/2 has the gradient of f, and it is smooth with the "
    "constant beta + lambda: the descent lemma.",
)
def one_step(w: World) -> Sides:
    gradient = w.problem.gradients(w.run().theta[..., 0, :])[..., 0, :]
    left = {"f(x^1) - f*": _excess(w, 1), "pull": w.pull * xp.squared_norm(_moved(w, 1)) / 2}
    descent = -w.step_size * xp.squared_norm(gradient) / 2
    return left, {"f(x^0) - f*": _excess(w, 0), "-descent": descent}


@claim(
    "theorem1",
    family=RUNS,
    given=[short_step],
    uses=("anchor.lemma1",),
    proof="Along an axis of curvature h the model goes the share (1 - (1 - eta (h + lambda))^T) "
    "h/(h + lambda) of the way to the optimum, at most beta/(beta + lambda).",
)
def stays_near(w: World) -> Sides:
    whole = xp.squared_norm(w.problem.optimum[..., 0, :] - w.start)
    share = w.beta / (w.beta + w.pull)
    gone = xp.squared_norm(_moved(w, int(w.rounds)))
    return {"|x^T - x^0|^2": gone}, {"bound": share**2 * whole}
