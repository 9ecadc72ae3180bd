"""Steps of the printed proofs of Lemma 1, Theorem 1 and Lemma 2."""

from __future__ import annotations

from bounds import descent as closed
from bounds import generic as xp
from bounds.rates import theorem1_upper
from bounds.similarity import collaboration_weights, phi_by_name, similarity_ratio, weight_sum
from verify.claim import Array, Hypothesis, Real, Sides, Terms, numbers, quadratics, statement
from verify.statements.adaptive import common, deductions, descent
from verify.statements.adaptive.common import along, excess
from verify.statements.adaptive.problems import POINT, TRADEOFF, federation
from verify.world.world import World

# -- Lemma 1 ---------------------------------------------------------------------------------------


@statement(
    "adaptive.S1", where="proof of Lemma 1, (S1)", kind="proof step", over="mean",
    title="smoothness along the step",
    latex=r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le-\eta\mathcal A\langle\nabla R_\alpha,\nabla R_i\rangle+\tfrac{(\eta\mathcal A)^2\beta}2\mathbb E\|g^t\|^2",
    family=quadratics(
        descent.ONE_STEP.shapes, {"alpha": Real(0, 1, per=("N",)), "step_share": Real(0, 4)}
    ),
    given=[descent.positive_step, Hypothesis("some weight", r"\mathcal A_i^t>0",
                                             lambda w: xp.total(w.alpha), strict=True)],
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
    "adaptive.theorem1.rec@mean", where="proof of Theorem 1", kind="proof step", over="mean",
    title="recursion of the excess loss",
    latex=r"\mathbb E[\varepsilon_i^t]\le(1-\eta_i^t\mu)\mathbb E[\varepsilon_i^{t-1}]+\tfrac{(\eta_i^t\sigma_{i,\mathrm{eff}}^t)^2\beta}2",
    family=common.RUNS, given=common.STRICTLY_ADMISSIBLE, defines=common.CONSTANT_STEP,
    uses=("adaptive.S2",), deduction=deductions.recursion,
    note="Every term in mean. Tight for one client with mu = beta as the step comes near 1/beta.",
)
def recursion(w: World) -> Sides:
    return {"E excess": excess(w, w.rounds)}, _recursion(w, excess(w, w.rounds - 1))


@recursion.like(
    "adaptive.theorem1.rec@run", over="path", latex=recursion.latex, uses=("adaptive.S2",),
    note="Means of the excess loss, sigma_eff^t along one run.",
)
def recursion_run(w: World) -> Sides:
    before = w.mean(excess(w, w.rounds - 1))
    return {"E excess": w.mean(excess(w, w.rounds))}, _recursion(w, before)


def _square_of_weights(w: World) -> tuple[Array, Array]:
    """alpha_ik, (B, 1, N, N), a row per asking client, and (sigma_psi/sigma_phi)^2, (B, 1, N)."""
    ratio = similarity_ratio(w.gradient[..., None, :, :], w.gradient)
    phi = phi_by_name(w.phi, ratio, w.threshold)
    sigma2 = w.sigma2[..., None, :]
    return collaboration_weights(ratio, phi, sigma2), weight_sum(ratio, phi, sigma2)


_GRADIENT = Real(-2, 2, unit=(1, -1), per=("N", "d"))
_SUM = r"\sum_{%s\in[N]}\alpha_{ik}=(\sigma_{i,\psi}^t/\sigma_{i,\phi}^t)^2"


@statement(
    "adaptive.theorem1.sumalpha@any-column", where="proof of Theorem 1", kind="proof step",
    title="sum of the weights", latex=_SUM % "i", relation="==",
    family=numbers(
        {"gradient": _GRADIENT, "sigma2": common.VARIANCES, **common.PHI},
        *(
            {"N": n, "d": d, "phi": phi}
            for n, d in ((1, 1), (2, 1), (3, 1), (2, 2)) for phi in ("continuous", "binary")
        ),
        about="all clients at one point, with any gradients there",
    ),
    given=[Hypothesis("gradients", r"\nabla R_i\ne0\ \forall i",
                      lambda w: xp.squared_norm(w.gradient), strict=True)],
    note="Printed sum over who asks, for every client k that is asked and every i on the right.",
)
def any_column(w: World) -> Sides:
    alpha, value = _square_of_weights(w)
    every = xp.total(alpha, axis=-2)[..., None, :]
    return {"sum over i of alpha_ik": every}, {"(sigma_psi/sigma_phi)^2": value[..., :, None]}


@any_column.like(
    "adaptive.theorem1.sumalpha@own-column", latex=_SUM % "i",
    note="Printed sum over who asks, for k = i.",
)
def own_column(w: World) -> Sides:
    alpha, value = _square_of_weights(w)
    return {"sum over j of alpha_ji": xp.total(alpha, axis=-2)}, {"(sigma_psi/sigma_phi)^2": value}


@any_column.like(
    "adaptive.theorem1.sumalpha.repaired", latex=_SUM % "k", uses=("adaptive.def1.sum",),
    note="The sum runs over k, who is asked.",
    proof="sum_k phi(r_k) sigma_psi^2/sigma_k^2 = sigma_psi^2/sigma_phi^2 by definition.",
)
def row(w: World) -> Sides:
    alpha, value = _square_of_weights(w)
    return {"sum over k of alpha_ik": xp.total(alpha)}, {"(sigma_psi/sigma_phi)^2": value}


# -- Lemma 2, the chain of its proof ---------------------------------------------------------------

MODELS = federation(
    "quadratic", ({"N": 2, "d": 1}, {"N": 2, "d": 2}),
    {**POINT, "other": Real(-4, 4, unit=(0, 1), per=("d",)), **TRADEOFF, **common.PRECISION},
)
"""``point`` is theta_i^t; ``other`` is theta_k^t, the model of the client that is asked."""


def _own(w: World, point: Array) -> Array:
    """Squared own gradient at a point."""
    return xp.squared_norm(w.problem.gradients(point)[..., 0, :])


def _divided(w: World, point: Array) -> Terms:
    """A3 at theta_i^t over the squared gradient, its right side with the gradient at a point."""
    own = _own(w, w.point)
    slope = w.slope[..., 1] * _own(w, point) / own
    return {"b^2/G^2": w.squared_bias[..., 1] / own, "c G'^2/G^2": slope}


def _at_excess(w: World) -> Terms:
    level = 2 * w.mu * w.problem.excess(w.point)[..., 0]
    return {"b^2/(2 mu excess)": w.squared_bias[..., 1] / level, "c": w.slope[..., 1]}


def _a3_link(w: World, point: Array) -> Sides:
    gradients = w.problem.gradients(w.point)
    gap = xp.squared_norm(gradients[..., 1, :] - gradients[..., 0, :])
    return {"gap/G^2": gap / _own(w, w.point)}, _divided(w, point)


_A3 = r"1-\frac{\Delta_k^2}{G^2}\ge1-\frac{b_{ik}^2+c_{ik}\|\nabla R_i(\theta_%s^t)\|^2}{G^2}"
_PL = r"1-\frac{b_{ik}^2+c_{ik}\|\nabla R_i(\theta_%s^t)\|^2}{G^2}\ge1-\frac{b_{ik}^2}{2\mu\varepsilon_i^t}-c_{ik}"
_own_gradient = Hypothesis(
    "own gradient", r"G=\|\nabla R_i(\theta_i^t)\|>0", lambda w: _own(w, w.point), strict=True)


@statement(
    "adaptive.lemma2/proof-A3", where="proof of Lemma 2", kind="proof step", latex=_A3 % "k",
    title="assumption A3 in the proof", family=MODELS, given=[_own_gradient],
    deduction=deductions.a3,
    note="""What is subtracted from 1. Assumption A3 at theta_i^t has grad R_i(theta_i^t) on its
    right side; the display has grad R_i(theta_k^t).""",
)
def a3_link(w: World) -> Sides:
    return _a3_link(w, w.other)


a3_link_repaired = a3_link.variant(
    "adaptive.lemma2.repaired/proof-A3", latex=_A3 % "i", deduction=deductions.a3_repaired,
    sides=lambda w: _a3_link(w, w.point),
    note="What is subtracted from 1, with grad R_i(theta_i^t) for grad R_i(theta_k^t).",
    proof="Divide A3 at theta_i^t by the squared gradient.")


@a3_link.like(
    "adaptive.lemma2/proof-PL", title="Polyak-Lojasiewicz in the proof", latex=_PL % "k",
    deduction=deductions.pl,
    note="""G^2 >= 2 mu excess, with the realised excess loss (the reading kinder to the paper: the
    mean over runs is no bound of one run's gradient). The gradient at theta_k^t does not cancel.""",
)
def pl_link(w: World) -> Sides:
    return _divided(w, w.other), _at_excess(w)


pl_link_repaired = pl_link.variant(
    "adaptive.lemma2.repaired/proof-PL", latex=_PL % "i", deduction=deductions.pl_repaired,
    sides=lambda w: (_divided(w, w.point), _at_excess(w)),
    note="""G^2 >= 2 mu excess, with the realised excess loss (the reading kinder to the paper: the
    mean over runs is no bound of one run's gradient). Tight where mu is the own one.""",
    proof="With the gradient at theta_i^t c remains, and b^2/G^2 with G^2 >= 2 mu excess, A5.")


@a3_link.like(
    "adaptive.lemma2/proof-precision", title="smaller precision",
    latex=r"1-\frac{b_{ik}^2}{2\mu\varepsilon_i^t}-c_{ik}\ge1-\frac{b_{ik}^2}{2\mu\varepsilon}-c_{ik}",
    given=[
        _own_gradient,
        Hypothesis("epsilon at most the excess",
                   r"\varepsilon\le\varepsilon_i^t=R_i(\theta_i^t)-R_i(\theta_i^\star)",
                   lambda w: w.problem.excess(w.point)[..., 0] - w.precision, "Lemma 2"),
    ],
    deduction=deductions.precision, note="epsilon at most the excess loss.",
)
def precision_link(w: World) -> Sides:
    bias, slope = w.squared_bias[..., 1], w.slope[..., 1]
    return _at_excess(w), {"b^2/(2 mu eps)": bias / (2 * w.mu * w.precision), "c": slope}
