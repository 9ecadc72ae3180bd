"""Equations 40 and 41 and Theorem 2, printed and repaired."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bounds import generic as xp
from bounds.hcct import convergence as closed
from verify.claim import Array, Hypothesis, Real, Sides, Terms, numbers, statement
from verify.statements.hcct.quantities import training
from verify.statements.hcct.quantities.claims import averaging
from verify.statements.hcct.quantities.symbols import CURVATURE, symbols
from verify.statements.hcct.quantities.training import (
    OWN,
    SHORT_STEPS,
    run_of,
    steps,
)
from verify.terms.vocabulary import quantity
from verify.world.world import World


def _last_epoch(w: World, following: bool, line: int = 0, summed: bool = True) -> Sides:
    """Losses after the last epoch (printed, before it), without or with what the two lines add."""
    run, eta, t = run_of(w), w.step_size, run_of(w).last
    own, group = xp.total(run.gradients(t) ** 2), xp.total(run.group_gradients(t) ** 2)
    right = {
        "J before": xp.total(run.losses(t)),
        "own": -eta * own / 2,
        "group": -eta * group / 2,
        "similarity": eta * w.dissimilarity[..., t],
        "squared": w.curvature * eta**2 * group / 2,
        "noise": w.curvature * eta**2 * run.clients * w.sigma**2 / 2,
    }
    if line == 1:
        apart = (run.gradients(t)[..., :, None] - run.crossed(t)) ** 2
        right["moved"] = eta * xp.total(
            run.in_group(t, apart) if summed else _first_member(w, apart)
        )
    if line == 2:
        noise = 2 * run.clients * w.sigma**2
        right["drift"] = eta * w.curvature**2 * _past(w, noise)
    return {"J after": xp.total(run.losses(t + following))}, right


@quantity
def _past(w: World, noise: Array) -> Array:
    """sum_s (eta^s)^2 (dissimilarity and noise), over the epochs before the last."""
    each = range(run_of(w).last)
    return sum(w.step_size**2 * (w.dissimilarity[..., s] + noise) for s in each)


@quantity
def _first_member(w: World, apart: Array) -> Array:
    """Of each client against the first member of its group in the last epoch."""
    run = run_of(w)
    row = run.words[run.last].split("|")
    first = [next(int(g[0]) for g in row if str(i) in g) for i in range(run.clients)]
    return xp.stack([apart[..., i, j] for i, j in enumerate(first)], -1)


_40 = r"\sum_i\mathbb EJ_i(\mathbf w_i^{%s})-\sum_i\mathbb EJ_i(\mathbf w_i^t)\le-\frac{\eta^t}2\sum_i\mathbb E\|\nabla J_i\|^2-\ldots"
first_summed = statement(
    "hcct.eq40/first@own-models+summed-j+misplaced",
    where="Equation 40",
    kind="proof step",
    title="descent",
    latex=_40 % "t",
    over="mean",
    family=training.CHANGING,
    given=SHORT_STEPS,
    defines=OWN,
    uses=("hcct.lemma1", "hcct.eq38"),
    note="The last epoch of the schedule; printed, the left side is zero.",
)(partial(_last_epoch, following=False, line=1))
first_fixed = first_summed.variant(
    "hcct.eq40/first@own-models+fixed-j+misplaced",
    sides=partial(_last_epoch, following=False, line=1, summed=False),
)
summed_now = first_summed.variant(
    "hcct.eq40/first@own-models+summed-j+in-place",
    latex=_40 % "t+1",
    note="The last epoch of the schedule.",
    sides=partial(_last_epoch, following=True, line=1),
)
fixed_now = summed_now.variant(
    "hcct.eq40/first@own-models+fixed-j+in-place",
    sides=partial(_last_epoch, following=True, line=1, summed=False),
)
FIRST = tuple(averaging(claim) for claim in (first_summed, first_fixed, summed_now, fixed_now))


@statement(
    "hcct.eq40/second-deduced",
    where="Equation 40",
    kind="deduction",
    latex="",
    family=symbols("before after sum rest moved bound step_size"),
    given=[
        Hypothesis(
            "first",
            r"\sum_i\mathbb EJ_i(\mathbf w_i^{t+1})\le\sum_i\mathbb EJ_i(\mathbf w_i^t)-\tfrac{\eta^t}2\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2+\ldots+\eta^t\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)-\nabla J_i(\mathbf w_j^t)\|^2",
            lambda w: w.before - w.sum + w.rest + w.step_size * w.moved - w.after,
            "Equation 40",
        ),
        Hypothesis(
            "(39)",
            r"\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)-\nabla J_i(\mathbf w_j^t)\|^2\le L^2\sum_{s<t}(\eta^s)^2\sum_i\bigl(\textstyle\sum_{z\in\mathcal C_i^s}a_z^s\kappa_{i,z}^2+2\sigma^2\bigr)",
            lambda w: w.bound - w.moved,
            "Equation 39",
        ),
    ],
)
def drift_deduced(w: World) -> Sides:
    return {"J after": w.after}, {
        "J before": w.before,
        "others": w.rest - w.sum,
        "bound": w.step_size * w.bound,
    }


second_printed = first_summed.variant(
    "hcct.eq40/second@own-models+misplaced",
    title="descent with the drift",
    family=training.SHORT,
    also=(training.CHANGING,),
    uses=("hcct.eq39",),
    deduction=drift_deduced,
    sides=partial(_last_epoch, following=False, line=2),
)
second_now = second_printed.variant(
    "hcct.eq40/second@own-models+in-place",
    latex=_40 % "t+1",
    note="The last epoch of the schedule.",
    sides=partial(_last_epoch, following=True, line=2),
)
SECOND = averaging(second_printed), averaging(second_now)
second_repaired = first_summed.variant(
    "hcct.eq40.repaired/second",
    title="groups that never change",
    latex=_40 % "t+1",
    family=training.FIXED,
    uses=("hcct.lemma1.repaired",),
    sides=partial(_last_epoch, following=True),
    note="The last epoch of the schedule; members start together, one local step.",
    proof="""Lemma 1 and the polarisation of Equation 38 with the index bound by the sum; members of
    one group have one model, so that the moved gradients are equal.""",
)


def averages(w: World) -> tuple[Array, Array, Array]:
    """xi_T, sum_t eta^t sum_i |grad J_i(w_i^t)|^2 and sum_i J_i(w_i^0) - J_i^*."""
    eta = steps(w)
    return xp.total(eta), xp.total(eta * _squared_gradients(w)), xp.total(run_of(w).losses(0))


@quantity
def _squared_gradients(w: World) -> Array:
    """sum_i |grad J_i(w_i^t)|^2 of every epoch, (B, R, T)."""
    run = run_of(w)
    return xp.stack([xp.total(run.gradients(t) ** 2) for t in range(run.last + 1)], -1)


def _average(w: World, bound: Callable[..., Terms], more: tuple[Array, ...] = ()) -> Sides:
    xi, total, gap = averages(w)
    known = steps(w), w.curvature, gap, w.dissimilarity, w.sigma**2, run_of(w).clients
    return {"average": total / xi}, bound(*known, *more)


def _divided(w: World) -> Sides:
    right = {k: 2 * w.symbol(k) / w.horizon for k in ("start", "similar", "drift", "noise")}
    return {"average": 2 * w.sum / w.horizon}, {**right, "late": 2 * w.late}


printed_deduced = statement(
    "hcct.theorem2/printed-deduced",
    where="Theorem 2",
    kind="deduction",
    latex="",
    family=symbols("sum start similar drift noise late horizon"),
    given=[
        Hypothesis(
            "(41)",
            r"\sum_t\tfrac{\eta^t}2\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le S_1+S_2+S_3+\tfrac{LN\sigma^2}2\sum_t(\eta^t)^2+2L^2N\sigma^2\sum_t\eta^t\sum_{s<t}(\eta^s)^2",
            lambda w: w.start + w.similar + w.drift + w.noise + w.late - w.sum,
            "Equation 41",
        )
    ],
)(_divided)
theorem2 = statement(
    "hcct.theorem2@own-models+undivided",
    where="Theorem 2",
    title="convergence",
    latex=r"\frac1{\xi_T}\sum_t\eta^t\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le\frac{2S_1}{\xi_T}+\frac{2S_2}{\xi_T}+\frac{2S_3}{\xi_T}+\ldots",
    over="mean",
    family=training.CARRIED,
    given=SHORT_STEPS,
    defines=OWN,
    uses=("hcct.eq41",),
    deduction=printed_deduced,
    note="""Right side of (26). Without noise and with kappa close to the true values.

    A small client that is carried away by a large one pays for it with the dissimilarity of
    that group for a few epochs only, and with its gradient for ever.  Where members are averaged
    when they meet (Algorithm 1), one epoch together carries it away whatever the step size.""",
)(partial(_average, bound=closed.theorem2_printed, more=(False,)))
MEETINGS = {"family": training.MET_OFTEN, "also": (training.MET,)}
"""Runs that begin at one common model, and runs that begin at one of each client's own."""
theorem2_divided = theorem2.variant(
    "hcct.theorem2@own-models+divided",
    sides=partial(_average, bound=closed.theorem2_printed, more=(True,)),
)
theorem2_algorithm = averaging(theorem2).variant("hcct.theorem2@algorithm+undivided", **MEETINGS)
theorem2_algorithm_divided = averaging(theorem2_divided).variant(
    "hcct.theorem2@algorithm+divided", **MEETINGS
)


theorem2_repaired = theorem2.like(
    "hcct.theorem2.repaired",
    title="groups that never change",
    family=training.FIXED,
    uses=("hcct.lemma1.repaired",),
    latex=r"\frac1{\xi_T}\sum_t\eta^t\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le\frac{2S_1}{\xi_T}+\frac{2S_2}{\xi_T}+\frac{LN\sigma^2}{\xi_T}\sum_t(\eta^t)^2",
    note="Groups that never change, members starting together, one local step.",
    proof="""Members of a group have one model, so that (38) has no moved gradient: the descent of
    Lemma 1 gives eta/2 sum |grad J_i|^2 <= sum J(w^t) - sum J(w^{t+1}) + eta K
    + L eta^2 N sigma^2/2 for eta <= 1/L. Sum over t and divide by xi_T/2.""",
)(partial(_average, bound=closed.fixed_groups_upper))


@theorem2.like(
    "hcct.theorem2.refined/drift",
    title="groups that change, with the disagreement",
    latex=theorem2_repaired.latex
    + r"+\frac{2L^2}{\xi_T}\sum_t\eta^t\sum_{i,j}a_{ij}^t\mathbb E\|\mathbf w_i^t-\mathbf w_j^t\|^2",
    family=training.CHANGING,
    also=(training.SHORT,),
    uses=("hcct.lemma1.repaired",),
    note="""Groups that change, own models, one local step: the disagreement of the models stands for
    its bound (39).""",
    proof="""(38) with the index bound by the sum leaves eta sum_i sum_j a_ij |grad J_i(w_i) -
    grad J_i(w_j)|^2, at most eta L^2 times the weighted squared distances of the models.""",
)
def theorem2_with_drift(w: World) -> Sides:
    return _average(w, closed.own_drift_upper, (_disagreement(w),))


@quantity
def _disagreement(w: World) -> Array:
    """E sum_i sum_j a_ij |w_i^t - w_j^t|^2 of every epoch, (B, 1, T)."""
    run, apart = run_of(w), []
    for t, models in enumerate(run.models[:-1]):
        square = (models[..., :, None] - models[..., None, :]) ** 2
        apart.append(w.mean(xp.total(run.in_group(t, square))))
    return xp.stack(apart, -1)


@statement(
    "hcct.corollary1/recalled-deduced",
    where="Equations 42 to 44",
    kind="deduction",
    latex="",
    family=symbols("sum start similar drift noise late"),
    given=[
        Hypothesis(
            "(26)",
            r"\sum_t\eta^t\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le2S_1+2S_2+2S_3+LN\sigma^2\sum_t(\eta^t)^2+4L^2N\sigma^2\sum_t\eta^t\sum_{s<t}(\eta^s)^2",
            lambda w: 2 * (w.start + w.similar + w.drift) + w.noise + 4 * w.late - w.sum,
            "Theorem 2, Equation 44",
        )
    ],
)
def recalled_deduced(w: World) -> Sides:
    """(26) in the quantities of (42) to (44), divided by xi_T: S_2 and S_3 twice, the last term of
    S_4 four times."""
    return {"average": w.sum}, {
        "2 S_1": 2 * w.start,
        "S_2": w.similar,
        "S_3": w.drift,
        "S_4": w.noise + w.late,
    }


@theorem2.like(
    "hcct.corollary1/recalled@own-models",
    where="Equations 42 to 44",
    kind="corollary",
    title="the bound as recalled",
    deduction=recalled_deduced,
    latex=r"\frac1{\xi_T}\sum_t\eta^t\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le\frac{2S_1+S_2+S_3+S_4}{\xi_T}",
    note="(26) as Equations 42 to 44 recall it: S_2 and S_3 once, the last sum of S_4 once.",
)
def recalled(w: World) -> Sides:
    left, right = _average(w, closed.theorem2_printed, (True,))
    factors = {"dissimilarity": 2, "drift": 2, "noise of the drift": 4}
    return left, {name: value / factors.get(name, 1) for name, value in right.items()}


recalled_algorithm = averaging(recalled).variant("hcct.corollary1/recalled@algorithm", **MEETINGS)


@statement(
    "hcct.eq41-deduced",
    where="Equation 41",
    kind="deduction",
    latex="",
    family=symbols("before after last best sum sum2 group rest rest2"),
    given=[
        Hypothesis(
            "epoch 0",
            r"\sum_i\mathbb EJ_i(\mathbf w_i^1)\le\sum_i\mathbb EJ_i(\mathbf w_i^0)-\tfrac{\eta^0}2\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^0)\|^2-\tfrac{\eta^0-L(\eta^0)^2}2\sum_i\mathbb E\|\textstyle\sum_ja_j^0\nabla J_j(\mathbf w_j^0)\|^2+\ldots",
            lambda w: w.before - w.sum - w.group + w.rest - w.after,
            "Equation 40",
        ),
        Hypothesis(
            "epoch 1",
            r"\sum_i\mathbb EJ_i(\mathbf w_i^2)\le\sum_i\mathbb EJ_i(\mathbf w_i^1)-\tfrac{\eta^1}2\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^1)\|^2+\ldots",
            lambda w: w.after - w.sum2 + w.rest2 - w.last,
            "Equation 40",
        ),
        Hypothesis(
            "smallest",
            r"\sum_i\mathbb E[J_i(\mathbf w_i^T)]\ge\sum_i\mathbb E[J_i(\mathbf w_i^*)],\ T=2",
            lambda w: w.last - w.best,
            "Equation 41",
        ),
    ],
)
def telescope_deduced(w: World) -> Sides:
    return {"both epochs": w.sum + w.sum2}, {
        "start": w.before,
        "best": -w.best,
        "rest": w.rest + w.rest2,
    }


def _summed(w: World, bound: Callable[..., Terms], more: tuple[Array, ...] = ()) -> Sides:
    """Half of the weighted sum, and a bound of the average times xi_T/2."""
    xi, total, _ = averages(w)
    right = _average(w, bound, more)[1]
    return {"half the sum": total / 2}, {k: v * xi / 2 for k, v in right.items()}


summed = theorem2.like(
    "hcct.eq41@own-models",
    where="Equation 41",
    kind="proof step",
    title="summed",
    latex=r"\sum_t\frac{\eta^t}2\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le S_1+S_2+S_3+\tfrac{LN\sigma^2}2\sum_t(\eta^t)^2+2L^2N\sigma^2\sum_t\eta^t\sum_{s<t}(\eta^s)^2",
    deduction=telescope_deduced,
    uses=("hcct.eq40",),
    note="(41): half of the weighted sum; its last noise term is the one of (26) with 1/xi_T.",
)(partial(_summed, bound=closed.theorem2_printed, more=(True,)))
summed_algorithm = averaging(summed).variant("hcct.eq41@algorithm", **MEETINGS)
summed_repaired = summed.like(
    "hcct.eq41.repaired",
    title="groups that never change",
    family=training.FIXED,
    latex=r"\sum_t\frac{\eta^t}2\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le S_1+S_2+\frac{LN\sigma^2}2\sum_t(\eta^t)^2",
    uses=("hcct.eq40.repaired",),
    note="(41) for groups that never change, members starting together, one local step.",
    proof="As for the repaired Theorem 2, before the division by xi_T/2.",
)(partial(_summed, bound=closed.fixed_groups_upper))


@statement(
    "hcct.claim.convEffect",
    where="Section 6",
    kind="claim",
    title="dissimilarity slows down",
    latex=r"\text{the bound grows with}\ \sum_ja_j\kappa_{i,j}^2",
    family=numbers(
        {
            "steps": Real(1 / 64, 1, log=True),
            "curvature": CURVATURE,
            "gap": Real(0, 4),
            "similarity": Real(0, 4),
            "more": Real(0, 4),
            "sigma": Real(1 / 64, 4, log=True),
        },
        about="two epochs of one step size, any constants",
    ),
    note="The right side of (26) with a smaller and with a larger dissimilarity.",
)
def effect(w: World) -> Sides:
    eta = xp.stack([w.steps, w.steps], -1)
    known = eta, w.curvature, w.gap
    less, more = (xp.stack([k, k], -1) for k in (w.similarity, w.similarity + w.more))
    return (
        closed.theorem2_printed(*known, less, w.sigma**2, 2, True),
        closed.theorem2_printed(*known, more, w.sigma**2, 2, True),
    )
