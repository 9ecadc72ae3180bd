r"""Lemma 1 and Theorem 2 for groups that change, models of each client's own, and any steps.

Square integrable random vectors are vectors, with the mean of the inner product, and a value is
its mean: what is here is about gradients and noises as vectors of any space, with what smoothness
and Assumption 2 say of them in the mean.  Client i takes the direction sum_j a_j grad J_j(w_j) of
its group, whichever that is in an epoch.
"""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.hcct.quantities.symbols import CURVATURE, SIZES
from verify.world.world import World

STEP = Real(1 / 64, 1, unit=(-1, 2), log=True)
SLOPE = Real(-2, 2, unit=(1, -1), per=("d",))
SLOPES = Real(-2, 2, unit=(1, -1), per=("N", "d"))
IN_EPOCHS = Real(-2, 2, unit=(1, -1), per=("T", "d"))


def _mean(w: World, x: Array) -> Array:
    """sum_j a_j x_j, of vectors."""
    return xp.total((w.size / xp.total(w.size)[..., None])[..., None] * x, -2)


def _decrease(w: World, slope: Array, drawn: Array, step: Array) -> Array:
    """What smoothness leaves of the decrease along a step against the drawn direction."""
    smoothness = w.curvature if step.ndim == w.curvature.ndim else w.curvature[..., None]
    return step * xp.dot(slope, drawn) - smoothness * step**2 * xp.squared_norm(drawn) / 2


# -- Lemma 1: one epoch of one client in its group -------------------------------------------------


@statement(
    "hcct.lemma1.refined/any-models",
    where="Lemma 1",
    kind="lemma",
    title="one client in any group, from any models, any noise",
    latex=r"\mathbb E[J_i(\mathbf w_i^{t+1})]-J_i(\mathbf w_i^t)\le-\eta^t\langle\nabla J_i,\textstyle\sum_ja_j\nabla J_j\rangle+\frac{L(\eta^t)^2}2\bigl(\|\sum_ja_j\nabla J_j\|^2+\sigma^2\bigr)",
    family=numbers(
        {
            "size": SIZES,
            "own": SLOPE,
            "gradient": SLOPES,
            "noise": SLOPES,
            "fall": Real(-8, 8, unit=(1, 0)),
            "curvature": CURVATURE,
            "step_size": STEP,
            "variance": Real(0, 4, unit=(2, -2)),
        },
        {"N": 1, "d": 1},
        {"N": 2, "d": 1},
        {"N": 3, "d": 2},
        about="any gradients and noises of the members of a group",
    ),
    given=[
        Hypothesis(
            "smoothness",
            r"\mathbb EJ_i(\mathbf w_i^{t+1})\le J_i(\mathbf w_i^t)-\eta^t\mathbb E\langle\nabla J_i,\textstyle\sum_ja_j\mathbf g_j\rangle+\frac{L(\eta^t)^2}2\mathbb E\|\sum_ja_j\mathbf g_j\|^2",
            lambda w: w.fall - _decrease(w, w.own, _mean(w, w.gradient + w.noise), w.step_size),
            "Assumption 1",
        ),
        Hypothesis(
            "unbiased",
            r"\mathbb E\langle\nabla J_i,\textstyle\sum_ja_j(\mathbf g_j-\nabla J_j)\rangle\ge0",
            lambda w: xp.dot(w.own, _mean(w, w.noise)),
            "Assumption 2, as an equality",
        ),
        Hypothesis(
            "unbiased for the group",
            r"\mathbb E\langle\textstyle\sum_ja_j\nabla J_j,\sum_ja_j(\mathbf g_j-\nabla J_j)\rangle\le0",
            lambda w: -xp.dot(_mean(w, w.gradient), _mean(w, w.noise)),
            "Assumption 2, as an equality",
        ),
        Hypothesis(
            "variance",
            r"\mathbb E\|\mathbf g_j-\nabla J_j\|^2\le\sigma^2",
            lambda w: w.variance[..., None] - xp.squared_norm(w.noise),
            "Assumption 2",
        ),
    ],
    note="One local step of any size; fall is J_i(w_i^t) - E J_i(w_i^{t+1}).",
    proof="""Smoothness of J_i along its own step; the noise is perpendicular to what is known before
    it, and by Jensen's inequality the weighted mean has a variance of at most sigma^2.""",
)
def lemma1(w: World) -> Sides:
    group, scale = _mean(w, w.gradient), w.curvature * w.step_size**2 / 2
    return {"rise": -w.fall}, {
        "alignment": -w.step_size * xp.dot(w.own, group),
        "squared": scale * xp.squared_norm(group),
        "noise": scale * w.variance,
    }


# -- Equation 38: how far the group's mean gradient is from a client's own --------------------------


@statement(
    "hcct.eq38.refined/any-models",
    where="Equation 38",
    kind="proof step",
    title="one client in any group, from any models",
    latex=r"\|\nabla J_i(\mathbf w_i)-\textstyle\sum_ja_j\nabla J_j(\mathbf w_j)\|^2\le2\sum_ja_j\kappa_{i,j}^2+2L^2\sum_ja_j\|\mathbf w_i-\mathbf w_j\|^2",
    family=numbers(
        {
            "size": SIZES,
            **dict.fromkeys(("gradient", "crossed"), SLOPES),
            "own": SLOPE,
            "models": Real(-2, 2, unit=(0, 1), per=("N", "d")),
            "model": Real(-2, 2, unit=(0, 1), per=("d",)),
            "similarity": Real(0, 4, unit=(2, -2), per=("N",)),
            "curvature": CURVATURE,
        },
        {"N": 1, "d": 1},
        {"N": 2, "d": 1},
        {"N": 3, "d": 2},
        about="any gradients and models of the members of a group",
    ),
    given=[
        Hypothesis(
            "smoothness",
            r"\|\nabla J_i(\mathbf w_i)-\nabla J_i(\mathbf w_j)\|\le L\|\mathbf w_i-\mathbf w_j\|",
            lambda w: (
                w.curvature[..., None] ** 2 * _apart(w)
                - xp.squared_norm(w.own[..., None, :] - w.crossed)
            ),
            "Assumption 1",
        ),
        Hypothesis(
            "similarity",
            r"\|\nabla J_i(\mathbf w_j)-\nabla J_j(\mathbf w_j)\|^2\le\kappa_{i,j}^2",
            lambda w: w.similarity - xp.squared_norm(w.crossed - w.gradient),
            "Assumption 3",
        ),
    ],
    note="""The index of the sum bound, both terms twice: what (38) gives for the second sum of the
    refined Theorem 2 where members have models of their own.""",
    proof="""|sum_j a_j (x - z_j)|^2 <= sum_j a_j |x - z_j|^2 and |x - z|^2 <= 2 |x - y|^2 + 2 |y - z|^2.""",
)
def own_against_group(w: World) -> Sides:
    shares = w.size / xp.total(w.size)[..., None]
    return {"apart": xp.squared_norm(w.own - _mean(w, w.gradient))}, {
        "similarity": 2 * xp.total(shares * w.similarity),
        "models": 2 * w.curvature**2 * xp.total(shares * _apart(w)),
    }


def _apart(w: World) -> Array:
    """|w_i - w_j|^2."""
    return xp.squared_norm(w.model[..., None, :] - w.models)


# -- Theorem 2: all epochs of one client -----------------------------------------------------------


@statement(
    "hcct.theorem2.refined/any-groups",
    where="Theorem 2",
    kind="theorem",
    title="each client, groups that change, any steps, any noise",
    latex=r"\frac1{\xi_T}\sum_t\eta^t\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le\frac2{\xi_T}\bigl(J_i(\mathbf w_i^0)-\mathbb EJ_i(\mathbf w_i^T)\bigr)+\frac1{\xi_T}\sum_t\eta^t\mathbb E\bigl\|\nabla J_i(\mathbf w_i^t)-\textstyle\sum_ja_j^t\nabla J_j(\mathbf w_j^t)\bigr\|^2+\frac{L\sigma^2}{\xi_T}\sum_t(\eta^t)^2",
    family=numbers(
        {
            "steps": Real(1 / 64, 1, unit=(-1, 2), log=True, per=("T",)),
            **dict.fromkeys(("own", "group", "noise"), IN_EPOCHS),
            "fall": Real(-8, 8, unit=(1, 0), per=("T",)),
            "curvature": CURVATURE,
            "variance": Real(0, 4, unit=(2, -2)),
        },
        {"T": 1, "d": 1},
        {"T": 2, "d": 1},
        {"T": 3, "d": 2},
        about="any gradients, directions and noises of one client in all epochs",
    ),
    given=[
        Hypothesis(
            "smoothness",
            r"\mathbb EJ_i(\mathbf w_i^{t+1})\le\mathbb EJ_i(\mathbf w_i^t)-\eta^t\mathbb E\langle\nabla J_i,\textstyle\sum_ja_j^t\mathbf g_j^t\rangle+\frac{L(\eta^t)^2}2\mathbb E\|\sum_ja_j^t\mathbf g_j^t\|^2",
            lambda w: w.fall - _decrease(w, w.own, w.group + w.noise, w.steps),
            "Assumption 1",
        ),
        Hypothesis(
            "unbiased",
            r"\mathbb E\langle\nabla J_i,\textstyle\sum_ja_j^t(\mathbf g_j^t-\nabla J_j)\rangle\ge0",
            lambda w: xp.dot(w.own, w.noise),
            "Assumption 2, as an equality",
        ),
        Hypothesis(
            "unbiased for the group",
            r"\mathbb E\langle\textstyle\sum_ja_j^t\nabla J_j,\sum_ja_j^t(\mathbf g_j^t-\nabla J_j)\rangle\le0",
            lambda w: -xp.dot(w.group, w.noise),
            "Assumption 2, as an equality",
        ),
        Hypothesis(
            "variance",
            r"\mathbb E\bigl\|\textstyle\sum_ja_j^t(\mathbf g_j^t-\nabla J_j)\bigr\|^2\le\sigma^2",
            lambda w: w.variance[..., None] - xp.squared_norm(w.noise),
            "Assumption 2, by Jensen's inequality",
        ),
        Hypothesis(
            "eta at most 1/L",
            r"\eta^t\le\tfrac1L\ \forall t",
            lambda w: 1 - w.curvature[..., None] * w.steps,
            "Theorem 2",
        ),
    ],
    uses=("hcct.lemma1.refined",),
    note="""One local step and any steps of at most 1/L; ``group`` is the mean gradient of whichever
    group client i is in, ``fall`` the decrease of its loss in an epoch, so that their sum is the
    whole decrease.  Where members are together the second sum is at most that of a_j kappa_ij^2;
    else the distances of their models enter, as in the other leaf.""",
    proof="""Lemma 1 and -<x, y> = (|x - y|^2 - |x|^2 - |y|^2)/2 in every epoch: for eta^t <= 1/L what
    is left of |sum_j a_j grad J_j|^2 is not positive.  Sum over t and divide by xi_T/2.""",
)
def theorem2(w: World) -> Sides:
    xi, apart = xp.total(w.steps), xp.squared_norm(w.own - w.group)
    return {"average": xp.total(w.steps * xp.squared_norm(w.own)) / xi}, {
        "start": 2 * xp.total(w.fall) / xi,
        "dissimilarity": xp.total(w.steps * apart) / xi,
        "noise": w.curvature * w.variance * xp.total(w.steps**2) / xi,
    }
