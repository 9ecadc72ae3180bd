"""Steps of the printed proofs of Lemma 1 and Theorem 1."""

from __future__ import annotations

from bounds import descent as closed
from bounds import generic as xp
from bounds.rates import theorem1_upper
from bounds.similarity import collaboration_weights, phi_by_name, similarity_ratio, weight_sum
from verify.claim import Array, Hypothesis, Real, Sides, Terms, numbers, quadratics, statement
from verify.statements.adaptive import common, deductions, descent
from verify.statements.adaptive.common import along, excess
from verify.world.world import World

# -- Lemma 1 ---------------------------------------------------------------------------------------


@statement(
    "adaptive.S1",
    where="proof of Lemma 1, (S1)",
    kind="proof step",
    over="mean",
    title="smoothness along the step",
    latex=r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le-\eta\mathcal A\langle\nabla R_\alpha,\nabla R_i\rangle+\tfrac{(\eta\mathcal A)^2\beta}2\mathbb E\|g^t\|^2",
    family=quadratics(
        descent.ONE_STEP.shapes,
        {"alpha": Real(0, 1, per=("N",)), "step_share": Real(1 / 64, 4, log=True)},
    ),
    given=[descent.some_weight],
    defines=descent.FREE_WEIGHTS,
    note="""Smoothness of R_i along the step, for steps of any length. Tight for one client, whose
    Hessian is beta.""",
)
def smoothness(w: World) -> Sides:
    theta = w.run().theta
    gradients = w.problem.gradients(theta[..., 0, :])
    whole = xp.total(w.alpha)
    mixed = xp.total(w.alpha[..., None] * gradients, axis=-2) / whole[..., None]
    taken = (theta[..., 0, :] - theta[..., 1, :]) / (w.step_size * whole)[..., None]
    return descent.change(w), closed.s1_upper(
        w.step_size, w.beta, w.alpha, xp.dot(mixed, gradients[..., 0, :]), xp.squared_norm(taken)
    )


# -- Theorem 1 -------------------------------------------------------------------------------------


def _recursion(w: World, before: Array) -> Terms:
    effective = along(w, w.run().theta[..., w.rounds - 1, :]).effective
    return theorem1_upper(before, w.step_size, w.mu, w.beta, effective[..., None])


@statement(
    "adaptive.theorem1.rec@in-mean",
    where="proof of Theorem 1",
    kind="proof step",
    over="mean",
    title="recursion of the excess loss",
    latex=r"\mathbb E[\varepsilon_i^t]\le(1-\eta_i^t\mu)\mathbb E[\varepsilon_i^{t-1}]+\tfrac{(\eta_i^t\sigma_{i,\mathrm{eff}}^t)^2\beta}2",
    family=common.RUNS,
    given=common.STRICTLY_ADMISSIBLE,
    defines=common.CONSTANT_STEP,
    uses=("adaptive.S2",),
    deduction=deductions.recursion,
    note="Every term in mean. Tight for one client with mu = beta as the step comes near 1/beta.",
)
def recursion(w: World) -> Sides:
    return {"E excess": excess(w, w.rounds)}, _recursion(w, excess(w, w.rounds - 1))


@recursion.like(
    "adaptive.theorem1.rec@each-run",
    over="path",
    latex=recursion.latex,
    uses=("adaptive.S2",),
    note="Means of the excess loss, sigma_eff^t along one run.",
)
def recursion_run(w: World) -> Sides:
    before = w.mean(excess(w, w.rounds - 1))
    return {"E excess": w.mean(excess(w, w.rounds))}, _recursion(w, before)


def _square_of_weights(w: World) -> tuple[Array, Array]:
    """alpha_ik, (B, 1, N, N), a row per asking client, and (sigma_psi/sigma_phi)^2, (B, 1, N)."""
    own = xp.squared_norm(w.gradient)
    ratio = similarity_ratio(w.gradient[..., None, :, :], w.gradient) + (0 * own / own)[..., None]
    phi = phi_by_name(w.phi, ratio, w.threshold)
    sigma2 = w.sigma2[..., None, :]
    return collaboration_weights(ratio, phi, sigma2), weight_sum(ratio, phi, sigma2)


_GRADIENT = Real(-2, 2, unit=(1, -1), per=("N", "d"))
_SUM = r"\sum_{%s\in[N]}\alpha_{ik}=(\sigma_{i,\psi}^t/\sigma_{i,\phi}^t)^2"


@statement(
    "adaptive.theorem1.sumalpha",
    where="proof of Theorem 1",
    kind="proof step",
    title="sum of the weights",
    latex=_SUM % "i",
    relation="==",
    family=numbers(
        {"gradient": _GRADIENT, "sigma2": common.VARIANCES, **common.PHI},
        *(
            {"N": n, "d": d, "phi": phi}
            for n, d in ((1, 1), (2, 1), (3, 1), (2, 2))
            for phi in ("continuous", "binary")
        ),
        about="all clients at one point, with any gradients there",
    ),
    given=[
        Hypothesis(
            "gradients",
            r"\nabla R_i\ne0\ \forall i",
            lambda w: xp.squared_norm(w.gradient),
            strict=True,
            defining=True,
        )
    ],
    note="Printed sum over who asks, for every client k that is asked and every i on the right.",
)
def any_column(w: World) -> Sides:
    alpha, value = _square_of_weights(w)
    every = xp.total(alpha, axis=-2)[..., None, :]
    return {"sum over i of alpha_ik": every}, {"(sigma_psi/sigma_phi)^2": value[..., :, None]}


@any_column.like(
    "adaptive.theorem1.sumalpha.repaired",
    latex=_SUM % "k",
    uses=("adaptive.def1.sum",),
    note="The sum runs over k, who is asked.",
    proof="sum_k phi(r_k) sigma_psi^2/sigma_k^2 = sigma_psi^2/sigma_phi^2 by definition.",
)
def row(w: World) -> Sides:
    alpha, value = _square_of_weights(w)
    return {"sum over k of alpha_ik": xp.total(alpha)}, {"(sigma_psi/sigma_phi)^2": value}
