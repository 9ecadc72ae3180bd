"""Steps of the printed proofs of Lemma 1, Theorem 1 and Lemma 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import descent as closed
from bounds import generic as xp
from bounds import rates as closed_rates
from bounds.similarity import (
    collaboration_weights,
    phi_by_name,
    similarity_ratio,
    weight_sum,
)
from verify.claim.families import quadratics
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive import deductions, descent, rates
from verify.statements.adaptive.common import PHI, PRECISION, along, excess, source
from verify.statements.adaptive.problems import POINT, TRADEOFF, federation
from verify.world.world import World

# -- S1 ----------------------------------------------------------------------------------------

ANY_STEP = quadratics(
    tuple({"N": n, "d": d, "rounds": 1, "weights": "fixed"} for n, d in descent.SIZES),
    {"alpha": Real(0, 1, per=("N",)), "step_share": Real(0, 4)},
)


def _some_step(w: World) -> Terms:
    return {"step positive": w.step_size, "some weight": xp.total(w.alpha)}


def _s1(w: World) -> tuple[Terms, Terms]:
    """Smoothness of R_i along the step, for steps of any length.

    Tight for one client, whose Hessian is beta.
    """
    theta = w.run().theta
    gradients = w.problem.gradients(theta[..., 0, :])
    whole = xp.total(w.alpha)
    mixed = xp.total(w.alpha[..., None] * gradients, axis=-2) / whole[..., None]
    taken = (theta[..., 0, :] - theta[..., 1, :]) / (w.step_size * whole)[..., None]
    return descent._change(w), closed.s1_upper(
        w.step_size, w.beta, w.alpha, xp.dot(mixed, gradients[..., 0, :]), xp.squared_norm(taken)
    )


# -- Theorem 1 ---------------------------------------------------------------------------------


def _recursion(w: World, before: Any) -> Terms:
    effective = along(w, w.run().theta[..., w.rounds - 1, :]).effective
    return closed_rates.theorem1_upper(before, w.step_size, w.mu, w.beta, effective[..., None])


def _rec_mean(w: World) -> tuple[Terms, Terms]:
    """Every term in mean. Tight for one client with mu = beta and step 1/beta."""
    return {"E excess": excess(w, w.rounds)}, _recursion(w, excess(w, w.rounds - 1))


def _rec_run(w: World) -> tuple[Terms, Terms]:
    """Means of the excess loss, sigma_eff^t along one run."""
    before = w.mean(excess(w, w.rounds - 1))
    return {"E excess": w.mean(excess(w, w.rounds))}, _recursion(w, before)


COMMON_POINT = Family(
    {
        "gradient": Real(-2, 2, unit=(1, -1), per=("N", "d")),
        "sigma2": Real(1 / 16, 16, unit=(2, -2), log=True, per=("N",)),
        **PHI,
    },
    tuple(
        {"N": n, "d": d, "phi": phi}
        for n, d in ((1, 1), (2, 1), (3, 1), (2, 2))
        for phi in ("continuous", "binary")
    ),
    about="all clients at one point, with any gradients there",
)


def _square_of_weights(w: World) -> tuple[Any, Any]:
    """alpha_ik, (B, 1, N, N) with a row per asking client, and (sigma_psi/sigma_phi)^2, (B, 1, N)."""
    ratio = similarity_ratio(w.gradient[..., None, :, :], w.gradient)
    phi = phi_by_name(w.phi, ratio, w.threshold)
    sigma2 = w.sigma2[..., None, :]
    return collaboration_weights(ratio, phi, sigma2), weight_sum(ratio, phi, sigma2)


def _nonzero(w: World) -> Terms:
    return {"gradients": xp.squared_norm(w.gradient)}


def _columns(w: World) -> tuple[Terms, Terms]:
    """Printed sum over who asks, for every client k that is asked and every i on the right."""
    alpha, value = _square_of_weights(w)
    return {"sum over i of alpha_ik": xp.total(alpha, axis=-2)[..., None, :]}, {
        "(sigma_psi/sigma_phi)^2": value[..., :, None]
    }


def _own_column(w: World) -> tuple[Terms, Terms]:
    """Printed sum over who asks, for k = i."""
    alpha, value = _square_of_weights(w)
    return {"sum over j of alpha_ji": xp.total(alpha, axis=-2)}, {"(sigma_psi/sigma_phi)^2": value}


def _rows(w: World) -> tuple[Terms, Terms]:
    """The sum runs over k, who is asked.

    Proof. sum_k phi(r_k) sigma_psi^2/sigma_k^2 = sigma_psi^2/sigma_phi^2 by definition.
    """
    alpha, value = _square_of_weights(w)
    return {"sum over k of alpha_ik": xp.total(alpha)}, {"(sigma_psi/sigma_phi)^2": value}


# -- Lemma 2, the chain of its proof -----------------------------------------------------------

MODELS = federation(
    "quadratic",
    ({"N": 2, "d": 1}, {"N": 2, "d": 2}),
    {**POINT, "other": Real(-4, 4, unit=(0, 1), per=("d",)), **TRADEOFF, **PRECISION},
)
"""``point`` is theta_i^t; ``other`` is theta_k^t, the model of the client that is asked."""


def _squares(w: World, point: Any) -> tuple[Any, Any]:
    """Squared own gradient at a point and squared gap of client 1 at theta_i^t."""
    gradients = w.problem.gradients(w.point)
    own = w.problem.gradients(point)[..., 0, :]
    return xp.squared_norm(own), xp.squared_norm(gradients[..., 1, :] - gradients[..., 0, :])


def _a3_link(slipped: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """What is subtracted from 1. Assumption A3 at theta_i^t has grad R_i(theta_i^t) on its
        right side; the display has grad R_i(theta_k^t).

        Proof (of the form without the slip). Divide A3 at theta_i^t by the squared gradient.
        """
        own, gap = _squares(w, w.point)
        slip, _ = _squares(w, w.other if slipped else w.point)
        return {"gap/G^2": gap / own}, {
            "b^2/G^2": w.squared_bias[..., 1] / own,
            "c G'^2/G^2": w.slope[..., 1] * slip / own,
        }

    return sides


def _pl_link(slipped: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """G^2 >= 2 mu excess, with the realised excess loss (the reading kinder to the paper:
        the mean over runs is no bound of one run's gradient). Tight where mu is the own one.

        Proof (of the form without the slip). G' = G leaves b^2/G^2, and G^2 >= 2 mu excess is A5.
        """
        own, _ = _squares(w, w.point)
        slip, _ = _squares(w, w.other if slipped else w.point)
        level = 2 * w.mu * w.problem.excess(w.point)[..., 0]
        return {
            "b^2/G^2": w.squared_bias[..., 1] / own,
            "c G'^2/G^2": w.slope[..., 1] * slip / own,
        }, {"b^2/(2 mu excess)": w.squared_bias[..., 1] / level, "c": w.slope[..., 1]}

    return sides


def _precision_link(w: World) -> tuple[Terms, Terms]:
    """epsilon at most the excess loss."""
    level = 2 * w.mu * w.problem.excess(w.point)[..., 0]
    bias = w.squared_bias[..., 1]
    return {"b^2/(2 mu excess)": bias / level, "c": w.slope[..., 1]}, {
        "b^2/(2 mu eps)": bias / (2 * w.mu * w.precision), "c": w.slope[..., 1]
    }  # fmt: skip


def _away(w: World) -> Terms:
    return {"own gradient": _squares(w, w.point)[0]}


def _at_most_excess(w: World) -> Terms:
    gap = w.problem.excess(w.point)[..., 0] - w.precision
    return {**_away(w), "epsilon at most the excess": gap}


_CHAIN: dict[str, Any] = {
    "source": source("proof of Lemma 2"), "kind": "proof step", "family": MODELS, "given": _away,
    "strict": frozenset({"own gradient"}),
}  # fmt: skip
_A3 = r"1-\frac{\Delta_k^2}{G^2}\ge1-\frac{b_{ik}^2+c_{ik}\|\nabla R_i(\theta_%s^t)\|^2}{G^2}"
_PL = r"1-\frac{b_{ik}^2+c_{ik}\|\nabla R_i(\theta_%s^t)\|^2}{G^2}\ge1-\frac{b_{ik}^2}{2\mu\varepsilon_i^t}-c_{ik}"
_SUM = r"\sum_{%s\in[N]}\alpha_{ik}=(\sigma_{i,\psi}^t/\sigma_{i,\phi}^t)^2"
_WEIGHTS: dict[str, Any] = {
    "source": source("proof of Theorem 1"), "kind": "proof step", "family": COMMON_POINT, "given": _nonzero,
    "strict": frozenset({"gradients"}), "relation": "==", "title": "sum of the weights",
}  # fmt: skip
_REC: dict[str, Any] = {
    "source": source("proof of Theorem 1"), "kind": "proof step", "family": rates.RUNS,
    "given": rates._admissible, "strict": rates._BELOW, "defines": rates._CONST, "uses": ("adaptive.S2",),
    "title": "recursion of the excess loss",
    "latex": r"\mathbb E[\varepsilon_i^t]\le(1-\eta_i^t\mu)\mathbb E[\varepsilon_i^{t-1}]+\tfrac{(\eta_i^t\sigma_{i,\mathrm{eff}}^t)^2\beta}2",
}  # fmt: skip

STATEMENTS = (
    Statement(
        key="adaptive.S1", source=source("proof of Lemma 1, (S1)"), kind="proof step",
        title="smoothness along the step", family=ANY_STEP, sides=_s1, over="mean",
        latex=r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le-\eta\mathcal A\langle\nabla R_\alpha,\nabla R_i\rangle+\tfrac{(\eta\mathcal A)^2\beta}2\mathbb E\|g^t\|^2",
        given=_some_step, strict=frozenset({"step positive", "some weight"}),
        defines=descent.FREE_WEIGHTS,
    ),
    Statement(
        key="adaptive.theorem1.rec@mean", sides=_rec_mean, over="mean", deduction=deductions.REC, **_REC
    ),
    Statement(key="adaptive.theorem1.rec@run", sides=_rec_run, over="path", **_REC),
    Statement(
        key="adaptive.theorem1.sumalpha@any-column", sides=_columns, latex=_SUM % "i", **_WEIGHTS
    ),
    Statement(
        key="adaptive.theorem1.sumalpha@own-column", sides=_own_column, latex=_SUM % "i", **_WEIGHTS
    ),
    Statement(
        key="adaptive.theorem1.sumalpha.repaired", sides=_rows, latex=_SUM % "k", form="repaired",
        uses=("adaptive.def1.sum",), **_WEIGHTS,
    ),
    Statement(
        key="adaptive.lemma2/proof-A3", sides=_a3_link(True), title="assumption A3 in the proof",
        latex=_A3 % "k", deduction=deductions.A3, **_CHAIN,
    ),
    Statement(
        key="adaptive.lemma2/proof-PL", sides=_pl_link(True), title="Polyak-Lojasiewicz in the proof",
        latex=_PL % "k", deduction=deductions.PL, **_CHAIN,
    ),
    Statement(
        key="adaptive.lemma2/proof-precision", sides=_precision_link, title="smaller precision",
        latex=r"1-\frac{b_{ik}^2}{2\mu\varepsilon_i^t}-c_{ik}\ge1-\frac{b_{ik}^2}{2\mu\varepsilon}-c_{ik}",
        deduction=deductions.PRECISION, **{**_CHAIN, "given": _at_most_excess},
    ),
    Statement(
        key="adaptive.lemma2.repaired/proof-A3", sides=_a3_link(False), form="repaired",
        title="assumption A3 in the proof", latex=_A3 % "i",
        deduction=deductions.A3_REPAIRED, **_CHAIN,
    ),
    Statement(
        key="adaptive.lemma2.repaired/proof-PL", sides=_pl_link(False), form="repaired",
        title="Polyak-Lojasiewicz in the proof", latex=_PL % "i",
        deduction=deductions.PL_REPAIRED, **_CHAIN,
    ),
)  # fmt: skip
