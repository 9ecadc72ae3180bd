"""Lemma 1 and its per-client chain, Equations 28 and 38, on one epoch from any state."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.hcct.convergence import descent_upper
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.hcct.quantities.claims import averaging
from verify.statements.hcct.quantities.symbols import CURVATURE, POINTS, SIZES, symbols
from verify.statements.hcct.quantities.training import kappa2, largest_bend, own_models, run_of
from verify.world.world import World

_STEP = Real(1 / 64, 4, unit=(-1, 2), log=True)
_STATE = {"optimum": POINTS, "start": POINTS, "size": SIZES}
_GROUPS = (
    {"N": 1, "schedule": "0"},
    {"N": 2, "schedule": "01"},
    {"N": 2, "schedule": "0|1"},
    {"N": 3, "schedule": "01|2"},
)
_BOX = {
    "bend": Real(-4, 4, unit=(1, -2), per=("N",)),
    **_STATE,
    "sigma": Real(1 / 8, 4, unit=(1, -1), log=True),
    "share": Real(0, 1, per=("N",), domain=(0, 1)),
    "step_size": _STEP,
}
_ANY = numbers(
    _BOX,
    *_GROUPS,
    about="parabolas up or down, one epoch from any models, one local step, "
    "two-point noise enumerated",
)
_LONGER = numbers(
    _BOX,
    {"N": 1, "schedule": "0", "local_steps": 2},
    {"N": 2, "schedule": "01", "local_steps": 2},
    about="the same with two local steps",
)
"""Equations 4 and 5 have Q of them, and the convergence part names no Q."""
_OWN = {"training": own_models, "smoothness": largest_bend}


@statement(
    "hcct.lemma1/sum@own-models",
    where="Lemma 1",
    kind="lemma",
    title="descent in one epoch",
    latex=r"\sum_i\mathbb E[J_i(\mathbf w_i^{t+1})]-\sum_i\mathbb E[J_i(\mathbf w_i^t)]\le-\eta^t\sum_i\mathbb E\langle\nabla J_i,\sum_ja_j\nabla J_j\rangle+\frac{L(\eta^t)^2}2\sum_i\mathbb E\|\sum_ja_j\nabla J_j\|^2+\frac{L(\eta^t)^2N}2\sigma^2",
    over="mean",
    family=_ANY,
    also=(_LONGER,),
    defines=_OWN,
    note="""For any number Q of local steps, since none is named. Two local steps have twice the
    noise, and a mean that is not the gradient at w_i^t.""",
)
def lemma1(w: World) -> Sides:
    run, group = run_of(w), run_of(w).group_gradients(0)
    along, square = xp.total(run.gradients(0) * group), xp.total(group**2)
    right = descent_upper(w.step_size, w.smoothness, along, square, w.sigma**2, run.clients)
    before, after = (xp.total(run.losses(t)) for t in (0, 1))
    return {"sum J after": after}, {"sum J before": before, **right}


def _client0(w: World) -> tuple[Array, Array, Array, Array]:
    """Own gradient, the group's mean gradient, the drawn one, and the move of client 0."""
    run = run_of(w)
    move = run.models[1] - run.models[0]
    own, group, drawn = run.gradients(0), run.group_gradients(0), run.updates[0]
    return own[..., 0], group[..., 0], drawn[..., 0], move[..., 0]


@lemma1.like(
    "hcct.lemma1/smooth@own-models",
    where="Equation 37",
    title="one client",
    latex=r"\mathbb E J_i(\mathbf w_i^{t+1})-\mathbb EJ_i(\mathbf w_i^t)\le\mathbb E\langle\nabla J_i,\mathbf w_i^{t+1}-\mathbf w_i^t\rangle+\frac L2\mathbb E\|\mathbf w_i^{t+1}-\mathbf w_i^t\|^2",
)
def smooth(w: World) -> Sides:
    run, (own, _, _, move) = run_of(w), _client0(w)
    return {"J after": run.losses(1)[..., 0]}, {
        "J before": run.losses(0)[..., 0],
        "slope": own * move,
        "square": w.smoothness * move**2 / 2,
    }


@smooth.like(
    "hcct.lemma1/unbiased@own-models",
    relation="==",
    latex=r"\mathbb E\langle\nabla J_i,\mathbf w_i^{t+1}-\mathbf w_i^t\rangle=\mathbb E\langle\nabla J_i,-\eta^t\sum_ja_j\nabla J_j\rangle",
)
def unbiased(w: World) -> Sides:
    own, group, _, move = _client0(w)
    return {"slope": own * move}, {"alignment": -w.step_size * own * group}


@unbiased.like(
    "hcct.lemma1/square@own-models",
    latex=r"\mathbb E\|\mathbf w_i^{t+1}-\mathbf w_i^t\|^2=(\eta^t)^2\mathbb E\|\sum_ja_j\mathbf g_j\|^2",
)
def squared_move(w: World) -> Sides:
    _, _, update, move = _client0(w)
    return {"square": move**2}, {"eta^2 |sum a g|^2": w.step_size**2 * update**2}


@unbiased.like(
    "hcct.lemma1/split@own-models",
    note="The deviation has mean zero.",
    latex=r"\mathbb E\|\sum_ja_j\mathbf g_j\|^2=\mathbb E\|\sum_ja_j\nabla J_j\|^2+\mathbb E\|\sum_ja_j(\nabla J_j-\mathbf g_j)\|^2",
)
def split(w: World) -> Sides:
    _, group, update, _ = _client0(w)
    scale = w.step_size**2 * w.smoothness / 2
    mean, deviation = scale * group**2, scale * (update - group) ** 2
    return {"second moment": scale * update**2}, {"mean": mean, "deviation": deviation}


@statement(
    "hcct.lemma1/noise-deduced",
    where="Equation 37",
    kind="deduction",
    latex="",
    family=symbols("spread spread2 other sigma2 part"),
    given=[
        Hypothesis(
            "convexity",
            r"\mathbb E\|ax+(1-a)y\|^2\le a\,\mathbb E\|x\|^2+(1-a)\,\mathbb E\|y\|^2",
            lambda w: w.part * w.spread2 + (1 - w.part) * w.other - w.spread,
        ),
        Hypothesis(
            "first",
            r"x=\nabla J_1-\mathbf g_1,\ \mathbb E\|x\|^2\le\sigma^2",
            lambda w: w.sigma2 - w.spread2,
            "Assumption 2",
        ),
        Hypothesis(
            "second",
            r"y=\nabla J_2-\mathbf g_2,\ \mathbb E\|y\|^2\le\sigma^2",
            lambda w: w.sigma2 - w.other,
            "Assumption 2",
        ),
        Hypothesis("a at most 1", r"a\le1", lambda w: 1 - w.part, "Equation 6"),
    ],
)
def noise_deduced(w: World) -> Sides:
    """Jensen's inequality for the weights a and 1 - a, and Assumption 2."""
    return {"deviation of the mean": w.spread}, {"sigma^2": w.sigma2}


@smooth.like(
    "hcct.lemma1/noise@own-models",
    deduction=noise_deduced,
    note="Tight for one client, or all noise in one.",
    latex=r"\mathbb E\|\sum_ja_j(\nabla J_j-\mathbf g_j)\|^2\le\sigma^2",
)
def noise(w: World) -> Sides:
    scale = w.step_size**2 * w.smoothness / 2
    return {"deviation": split(w)[1]["deviation"]}, {"sigma^2": scale * w.sigma**2}


repaired = lemma1.variant(
    "hcct.lemma1.repaired",
    title="descent in one epoch of one local step",
    also=(),
    latex=lemma1.latex
    + r",\quad Q=1,\ \mathbf w_i^{t+1}=\mathbf w_i^t-\eta^t\textstyle\sum_ja_j\mathbf g_j^t",
    note="One local step, and each client keeps its own model (Equation 39).",
    proof="""Smoothness of every J_i along its own step; E g_j is the gradient at w_j^t, and by
    Jensen's inequality the noise of a weighted mean is at most sigma^2.""",
)
ALGORITHM = tuple(
    averaging(claim) for claim in (lemma1, smooth, unbiased, squared_move, split, noise)
)
"""Where members are averaged when they meet, the step includes the way to their mean."""


@statement(
    "hcct.eq28",
    where="Equation 28",
    kind="proof step",
    title="moved gradients",
    latex=r"\mathbb E\|\nabla J_i(\mathbf w_i)-\nabla J_i(\mathbf w_j)\|^2\le L^2\mathbb E\|\mathbf w_i-\mathbf w_j\|^2",
    family=_ANY,
    defines=_OWN,
    note="|grad J_i(w_i) - grad J_i(w_j)|^2 for i = 0 and the last client j.",
)
def moved(w: World) -> Sides:
    crossed, model = run_of(w).crossed(0), run_of(w).models[0]
    gap = (model[..., 0] - model[..., -1]) ** 2
    return {"moved gradient": (crossed[..., 0, 0] - crossed[..., 0, -1]) ** 2}, {
        "L^2 |w_i - w_j|^2": w.smoothness**2 * gap
    }


@statement(
    "hcct.eq38/a",
    where="Equation 38",
    kind="proof step",
    title="polarisation",
    relation="==",
    latex=r"-\langle x,y\rangle=-\tfrac12\|x\|^2-\tfrac12\|y\|^2+\tfrac12\|x-y\|^2",
    family=numbers(
        {
            "curvature": CURVATURE,
            "slack": Real(1 / 1024, 1, unit=(1, -1), log=True),
            **_STATE,
            "step_size": _STEP,
        },
        *_GROUPS[1:2],
        {"N": 3, "schedule": "012"},
        _GROUPS[3],
        about="parabolas of one curvature, one epoch from any models",
    ),
    defines={"training": own_models, "kappa2": kappa2},
)
def polarised(w: World) -> Sides:
    own, group, _, _ = _client0(w)
    return {"-<x, y>": -own * group}, {
        "x^2": -(own**2) / 2,
        "y^2": -(group**2) / 2,
        "(x - y)^2": (own - group) ** 2 / 2,
    }


def _other(w: World, summed: bool) -> tuple[Array, Array]:
    """|grad J_i(w_i) - grad J_i(w_j)|^2 and |grad J_i(w_j) - sum_j a_j grad J_j(w_j)|^2, i = 0.

    With the index bound by the sum, both are means over the group, the second inside the square;
    with a fixed one, j = 1.
    """
    run = run_of(w)
    crossed, own = run.crossed(0), run.gradients(0)
    apart = (own[..., :, None] - crossed) ** 2
    if summed:
        rest = run.in_group(0, crossed - own[..., None, :])
        return run.in_group(0, apart)[..., 0], rest[..., 0] ** 2
    return apart[..., 0, 1], (crossed[..., 0, 1] - run.group_gradients(0)[..., 0]) ** 2


def _halved(w: World, summed: bool) -> Sides:
    own, group, _, _ = _client0(w)
    first, second = _other(w, summed)
    return {"(x - y)^2/2": (own - group) ** 2 / 2}, {"moved": first, "rest": second}


halved_fixed = polarised.like(
    "hcct.eq38/c@fixed-j",
    title="split",
    relation="<=",
    latex=r"\tfrac12\|\nabla J_i(\mathbf w_i)-\textstyle\sum_ja_j\nabla J_j(\mathbf w_j)\|^2\le\|\nabla J_i(\mathbf w_i)-\nabla J_i(\mathbf w_j)\|^2+\|\nabla J_i(\mathbf w_j)-\sum_ja_j\nabla J_j(\mathbf w_j)\|^2",
    note="|x + y|^2/2 <= x^2 + y^2, under the mean of the group where the index is bound.",
)(partial(_halved, summed=False))
halved_summed = halved_fixed.variant("hcct.eq38/c@summed-j", sides=partial(_halved, summed=True))


def _similar(w: World, summed: bool) -> Sides:
    row = run_of(w).weights[run_of(w).words[0]][..., 0, :]
    return {"rest": _other(w, summed)[1]}, {"sum a kappa^2": xp.total(row * w.kappa2[..., 0, :])}


similar_fixed = halved_fixed.like(
    "hcct.eq38/d@fixed-j",
    title="similarity",
    latex=r"\|\nabla J_i(\mathbf w_j)-\textstyle\sum_ja_j\nabla J_j(\mathbf w_j)\|^2\le\sum_ja_j\kappa_{i,j}^2",
    note="Assumption 3 compares two gradients at one model; a fixed w_j is not the other members'.",
)(partial(_similar, summed=False))
similar_summed = similar_fixed.variant("hcct.eq38/d@summed-j", sides=partial(_similar, summed=True))
