"""Equations 40 and 41 and Theorem 2, printed and repaired."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds import hcct_convergence as closed
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct.common import CURVATURE, numbers, source
from verify.statements.hcct.convergence_families import (
    CARRIED,
    CHANGING,
    FIXED,
    MET,
    MET_OFTEN,
    SHORT,
)
from verify.statements.hcct.deductions import (
    DIVIDED,
    DIVIDED_PRINTED,
    DRIFTED,
    RECALLED,
    TELESCOPE,
)
from verify.statements.hcct.drift import DEFINES
from verify.statements.hcct.training import (
    SHORT_STEPS,
    dissimilarity,
    run_of,
    short_steps,
    steps,
    training,
)
from verify.world.world import World

Array = Any


# -- (40) --------------------------------------------------------------------------------------


def _last_epoch(first: bool, following: bool, repaired: bool = False) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The last epoch of the schedule; printed, the left side is zero.

        Proof of the form for groups that never change.  Lemma 1 and the polarisation of Equation 38
        with the index bound by the sum; members of one group have one model, so that the moved
        gradients are equal.
        """
        run = run_of(w)
        t, eta, n = len(run.words) - 1, w.step_size, run.clients
        own, group = xp.total(run.gradients(t) ** 2), xp.total(run.group_gradients(t) ** 2)
        similar = w.dissimilarity[..., t]
        after = run.losses(t + 1) if following else run.losses(t)
        right = {
            "J before": xp.total(run.losses(t)), "own": -eta * own / 2, "group": -eta * group / 2,
            "similarity": eta * similar, "squared": w.curvature * eta**2 * group / 2,
            "noise": w.curvature * eta**2 * n * w.sigma**2 / 2,
        }  # fmt: skip
        if first:
            crossed = run.crossed(t)
            apart = run.in_group(t, (run.gradients(t)[..., :, None] - crossed) ** 2)
            right["moved"] = eta * xp.total(apart)
        elif not repaired:
            past: Array = 0
            for s in range(t):
                past = past + w.step_size**2 * (w.dissimilarity[..., s] + 2 * n * w.sigma**2)
            right["drift"] = eta * w.curvature**2 * past
        return {"J after": xp.total(after)}, right

    return sides


# -- (41), Theorem 2 -----------------------------------------------------------------------------


def _averages(w: World) -> tuple[Array, Array, Array]:
    """xi_T, sum_t eta^t sum_i |grad J_i(w_i^t)|^2 and sum_i J_i(w_i^0) - J_i^*."""
    run = run_of(w)
    eta = steps(w)
    squares = xp.stack([xp.total(run.gradients(t) ** 2) for t in range(len(run.words))], -1)
    return xp.total(eta), xp.total(eta * squares), xp.total(run.losses(0))


def _theorem(averaged: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Right side of (26). Without noise and with kappa close to the true values.

        A small client that is carried away by a large one pays for it with the dissimilarity of
        that group for a few epochs only, and with its gradient for ever.  Where members are averaged
        when they meet (Algorithm 1), one epoch together carries it away whatever the step size.
        """
        xi, total, gap = _averages(w)
        right = closed.theorem2_printed(
            steps(w), w.curvature, gap, w.dissimilarity, w.sigma**2, run_of(w).clients, averaged
        )
        return {"average": total / xi}, right

    return sides


def _as_recalled(w: World) -> tuple[Terms, Terms]:
    """(26) as Equations 42 to 44 recall it: S_2 and S_3 once, the last sum of S_4 once."""
    left, right = _theorem(True)(w)
    factors = {"dissimilarity": 2, "drift": 2, "noise of the drift": 4}
    return left, {name: value / factors.get(name, 1) for name, value in right.items()}


def _summed(w: World) -> tuple[Terms, Terms]:
    """(41): half of the weighted sum; its last noise term is the one of (26) with 1/xi_T."""
    xi, total, gap = _averages(w)
    right = closed.theorem2_printed(
        steps(w), w.curvature, gap, w.dissimilarity, w.sigma**2, run_of(w).clients, True
    )
    return {"half the sum": total / 2}, {k: v * xi / 2 for k, v in right.items()}


def _fixed(w: World) -> tuple[Terms, Terms]:
    """Groups that never change, members starting together.

    Proof.  Members of a group have one model, so that (38) has no moved gradient: the descent of
    Lemma 1 gives eta/2 sum |grad J_i|^2 <= sum J(w^t) - sum J(w^{t+1}) + eta K + L eta^2 N sigma^2/2
    for eta <= 1/L. Sum over t and divide by xi_T/2.
    """
    xi, total, gap = _averages(w)
    return {"average": total / xi}, closed.fixed_groups_upper(
        steps(w), w.curvature, gap, w.dissimilarity, w.sigma**2, run_of(w).clients
    )


def _fixed_sum(w: World) -> tuple[Terms, Terms]:
    """(41) for groups that never change.

    Proof.  As for the repaired Theorem 2, before the division by xi_T/2.
    """
    xi, total, _ = _averages(w)
    right = _fixed(w)[1]
    return {"half the sum": total / 2}, {k: v * xi / 2 for k, v in right.items()}


def _with_drift(w: World) -> tuple[Terms, Terms]:
    """Groups that change: the disagreement of the models stands for its bound (39).

    Proof.  (38) with the index bound by the sum leaves eta sum_i sum_j a_ij |grad J_i(w_i) -
    grad J_i(w_j)|^2, at most eta L^2 times the weighted squared distances of the models.
    """
    run = run_of(w)
    xi, total, gap = _averages(w)
    apart = []
    for t in range(len(run.words)):
        models = run.models[t]
        square = (models[..., :, None] - models[..., None, :]) ** 2
        apart.append(w.mean(xp.total(run.in_group(t, square))))
    right = closed.own_drift_upper(
        steps(w), w.curvature, gap, w.dissimilarity, w.sigma**2, run.clients, xp.stack(apart, -1)
    )
    return {"average": total / xi}, right


# -- the effect of the dissimilarity -------------------------------------------------------------

_TERMS = numbers(
    {"steps": Real(1 / 64, 1, log=True), "curvature": CURVATURE, "gap": Real(0, 4),
     "similarity": Real(0, 4), "more": Real(0, 4), "sigma": Real(1 / 64, 4, log=True)},
    about="two epochs of one step size, any constants",
)  # fmt: skip


def _effect(w: World) -> tuple[Terms, Terms]:
    """The right side of (26) with a smaller and with a larger dissimilarity."""

    def bound(similar: Array) -> Terms:
        eta = xp.stack([w.steps, w.steps], -1)
        return closed.theorem2_printed(
            eta, w.curvature, w.gap, xp.stack([similar, similar], -1), w.sigma**2, 2, True
        )

    return bound(w.similarity), bound(w.similarity + w.more)


_D = {**DEFINES, "dissimilarity": dissimilarity}
_AVERAGED = {**_D, "training": training(True)}
_M: dict[str, Any] = {"over": "mean", "given": short_steps, "strict": SHORT_STEPS, "defines": _D}
_40 = r"\sum_i\mathbb EJ_i(\mathbf w_i^{%s})-\sum_i\mathbb EJ_i(\mathbf w_i^t)\le-\frac{\eta^t}2\sum_i\mathbb E\|\nabla J_i\|^2-\ldots"
_41 = r"\sum_t\frac{\eta^t}2\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le S_1+S_2+S_3+\tfrac12S_4"
_26 = r"\frac1{\xi_T}\sum_t\eta^t\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le\frac{2S_1}{\xi_T}+\frac{2S_2}{\xi_T}+\frac{2S_3}{\xi_T}+\ldots"
_42 = r"\frac1{\xi_T}\sum_t\eta^t\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le\frac{2S_1+S_2+S_3+S_4}{\xi_T}"
_FIX = r"\frac1{\xi_T}\sum_t\eta^t\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le\frac{2S_1}{\xi_T}+\frac{2S_2}{\xi_T}+\frac{LN\sigma^2}{\xi_T}\sum_t(\eta^t)^2"

STATEMENTS = (
    Statement(key="hcct.theorem2@own-models-printed", source=source("Theorem 2"), latex=_26,
              family=CARRIED, sides=_theorem(False), title="convergence", deduction=DIVIDED_PRINTED, uses=("hcct.eq41",), **_M),
    Statement(key="hcct.theorem2@own-models-averaged-sum", source=source("Theorem 2, Equation 44"),
              latex=_26, family=CARRIED, sides=_theorem(True), title="convergence", deduction=DIVIDED,
              uses=("hcct.eq41",), **_M),
    Statement(key="hcct.theorem2@algorithm-printed", source=source("Theorem 2, Algorithm 1"),
              latex=_26, family=MET, sides=_theorem(False), title="convergence", deduction=DIVIDED_PRINTED,
              uses=("hcct.eq41",), **{**_M, "defines": _AVERAGED}),
    Statement(key="hcct.theorem2@algorithm-averaged-sum", source=source("Theorem 2, Equation 44"),
              latex=_26, family=MET, sides=_theorem(True), title="convergence", deduction=DIVIDED,
              uses=("hcct.eq41",), **{**_M, "defines": _AVERAGED}),
    Statement(key="hcct.theorem2@algorithm-common-start-printed",
              source=source("Theorem 2, Algorithm 1"), latex=_26, family=MET_OFTEN,
              sides=_theorem(False), title="convergence", deduction=DIVIDED_PRINTED,
              uses=("hcct.eq41",), **{**_M, "defines": _AVERAGED}),
    Statement(key="hcct.theorem2@algorithm-common-start-averaged-sum",
              source=source("Theorem 2, Equation 44"), latex=_26, family=MET_OFTEN,
              sides=_theorem(True), title="convergence", deduction=DIVIDED,
              uses=("hcct.eq41",), **{**_M, "defines": _AVERAGED}),
    Statement(key="hcct.theorem2.repaired", source=source("Theorem 2"), latex=_FIX, form="repaired",
              family=FIXED, sides=_fixed, title="groups that never change", uses=("hcct.lemma1",), **_M),
    Statement(key="hcct.theorem2.refined/drift", source=source("Theorem 2"), form="refined",
              latex=_FIX + r"+\frac{2L^2}{\xi_T}\sum_t\eta^t\sum_{i,j}a_{ij}^t\mathbb E\|\mathbf w_i^t-\mathbf w_j^t\|^2",
              family=CHANGING, sides=_with_drift, title="groups that change, with the disagreement",
              uses=("hcct.lemma1",), **_M),
    Statement(key="hcct.corollary1/recalled@own-models", source=source("Equations 42 to 44"),
              kind="corollary", latex=_42, family=CARRIED, sides=_as_recalled, deduction=RECALLED,
              title="the bound as recalled", **_M),
    Statement(key="hcct.corollary1/recalled@algorithm", source=source("Equations 42 to 44"),
              kind="corollary", latex=_42, family=MET, sides=_as_recalled, deduction=RECALLED,
              title="the bound as recalled", **{**_M, "defines": _AVERAGED}),
    Statement(key="hcct.corollary1/recalled@algorithm-common-start",
              source=source("Equations 42 to 44"), kind="corollary", latex=_42, family=MET_OFTEN,
              sides=_as_recalled, deduction=RECALLED, title="the bound as recalled",
              **{**_M, "defines": _AVERAGED}),
    Statement(key="hcct.claim.convEffect", source=source("Section 6"), kind="claim", family=_TERMS,
              latex=r"\text{the bound grows with}\ \sum_ja_j\kappa_{i,j}^2", sides=_effect,
              title="dissimilarity slows down"),
    Statement(key="hcct.eq40/first@printed", source=source("Equation 40"), kind="proof step",
              latex=_40 % "t", family=CHANGING, sides=_last_epoch(True, False), title="descent",
              uses=("hcct.lemma1", "hcct.eq38"), **_M),
    Statement(key="hcct.eq40/first@next", source=source("Equation 40"), kind="proof step",
              latex=_40 % "t+1", family=CHANGING, sides=_last_epoch(True, True), title="descent",
              uses=("hcct.lemma1", "hcct.eq38"), **_M),
    Statement(key="hcct.eq40/second@printed", source=source("Equation 40"), kind="proof step",
              latex=_40 % "t", family=SHORT, sides=_last_epoch(False, False),
              title="descent with the drift", deduction=DRIFTED, uses=("hcct.eq39",), **_M),
    Statement(key="hcct.eq40/second@next", source=source("Equation 40"), kind="proof step",
              latex=_40 % "t+1", family=SHORT, sides=_last_epoch(False, True),
              title="descent with the drift", deduction=DRIFTED, uses=("hcct.eq39",), **_M),
    Statement(key="hcct.eq40.repaired/second", source=source("Equation 40"), kind="proof step",
              form="repaired", latex=_40 % "t+1", family=FIXED, sides=_last_epoch(False, True, True),
              title="groups that never change", uses=("hcct.lemma1",), **_M),
    Statement(key="hcct.eq41", source=source("Equation 41"), kind="proof step", latex=_41,
              family=CARRIED, sides=_summed, title="summed", deduction=TELESCOPE, uses=("hcct.eq40",), **_M),
    Statement(key="hcct.eq41.repaired", source=source("Equation 41"), kind="proof step", form="repaired",
              latex=r"\sum_t\frac{\eta^t}2\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le S_1+S_2+\frac{LN\sigma^2}2\sum_t(\eta^t)^2",
              family=FIXED, sides=_fixed_sum, title="groups that never change",
              uses=("hcct.eq40.repaired",), **_M),
)  # fmt: skip
