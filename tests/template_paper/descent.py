"""Gradient descent on quadratics: one step (Lemma 1), and T of them (Theorem 1, with a slip)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim import Family, Hypothesis, Instance, Real, Shape, hypothesis, noiseless
from verify.claim.statement import Sides, statement
from verify.world.world import World

# -- where to look -------------------------------------------------------------------------------


def _build(values: Mapping[str, Any], shape: Shape) -> Instance:
    """One client that trains alone; what is not data of the problem is a parameter."""
    params = {name: values[name] for name in ("start", "step_size")}
    return Instance("quadratic", noiseless(values), "local", {**params, "rounds": shape["rounds"]})


BOX = {
    "curvature": Real(1 / 8, 8, unit=(1, -2), log=True, per=("N", "d")),
    "optimum": Real(-2, 2, unit=(0, 1), per=("N", "d")),
    "start": Real(-4, 4, unit=(0, 1), per=("d",)),
    "step_size": Real(1 / 64, 16, unit=(-1, 2), log=True),
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

# -- what is assumed -----------------------------------------------------------------------------

short_step = Hypothesis(
    "step at most 1/beta", r"\eta\le 1/\beta", lambda w: 1 - w.step_size * w.beta, "Lemma 1"
)


@hypothesis("start away from the optimum", r"f(x^0)>f^\star", where="Lemma 1", strict=True)
def away(w: World) -> Any:
    return _excess(w, 0)


def _excess(w: World, t: int) -> Any:
    """f(x^t) - f*, (B, R)."""
    return w.problem.excess(w.run().theta[..., t, :])[..., 0]


# -- the claims ----------------------------------------------------------------------------------


@statement(
    "template_paper.lemma1",
    where="Lemma 1",
    kind="lemma",
    title="one step",
    latex=r"f(x^1)\le f(x^0)-\tfrac\eta2\|\nabla f(x^0)\|^2",
    family=ONE_STEP,
    given=[short_step, away],
    proof="The descent lemma for the step 1/beta at most.",
)
def one_step(w: World) -> Sides:
    gradient = w.problem.gradients(w.run().theta[..., 0, :])[..., 0, :]
    return {"f(x^1) - f*": _excess(w, 1)}, {
        "f(x^0) - f*": _excess(w, 0),
        "-descent": -w.step_size * xp.squared_norm(gradient) / 2,
    }


@one_step.like(
    "template_paper.theorem1",
    where="Theorem 1",
    kind="theorem",
    title="T steps",
    family=RUNS,
    latex=r"f(x^T)-f^\star\le(1-\eta\mu)^{2T+1}(f(x^0)-f^\star)",
    uses=("template_paper.lemma1",),
    note="One power too many: false already with one curvature.",
)
def printed_rate(w: World) -> Sides:
    shrink = (1 - w.step_size * w.mu) ** (2 * int(w.rounds) + 1)
    return {"f(x^T) - f*": _excess(w, int(w.rounds))}, {"rate": shrink * _excess(w, 0)}


@printed_rate.like(
    "template_paper.theorem1.repaired",
    latex=r"f(x^T)-f^\star\le(1-\eta\mu)^{2T}(f(x^0)-f^\star)",
    uses=("template_paper.lemma1",),
    proof="Along each axis the error shrinks by 1 - eta h with mu <= h <= beta <= 1/eta.",
)
def rate(w: World) -> Sides:
    shrink = (1 - w.step_size * w.mu) ** (2 * int(w.rounds))
    return {"f(x^T) - f*": _excess(w, int(w.rounds))}, {"rate": shrink * _excess(w, 0)}
