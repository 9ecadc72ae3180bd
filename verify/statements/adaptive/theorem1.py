"""Theorem 1, the steps of its proof, and what can be proved with one step size for every path."""

from __future__ import annotations

from bounds import descent
from bounds import generic as xp
from bounds.adaptive_weights import (
    step_ratio_binary_sharp,
    step_ratio_continuous_sharp,
    theorem1_direction_upper,
)
from bounds.rates import theorem1_upper
from bounds.similarity import collaboration_weights, phi_by_name, similarity_ratio, weight_sum
from verify.claim import Array, Hypothesis, Reading, Real, hypothesis, numbers
from verify.claim.statement import Sides, Terms
from verify.statements.adaptive import lemma1
from verify.statements.adaptive import quantities as q
from verify.world.world import World

claim = q.claims(r"""
Theorem 1 :: theorem
    theorem1@in-mean :: excess loss after T rounds
proof of Theorem 1 :: proof step
    theorem1.id :: the weighted gaps cancel
    theorem1.rec@in-mean :: recursion of the excess loss
    theorem1.sumalpha :: sum of the weights
proof of Theorem 1, (S2) :: proof step
    S2 :: descent with the weights of Definition 1
""")

_TWO = ((2, 1, 1), (2, 2, 1))

_UNROLLED = r"\mathbb E[\varepsilon_i^T]\le(1-\eta_i\mu)^T\varepsilon_i^0+\frac{\beta\eta_i^2}2\sum_{t=1}^T(1-\eta_i\mu)^{T-t}(\sigma_{i,\psi}^t)^2"
_RECURSION = r"\mathbb E[\varepsilon_i^t]\le(1-\eta_i^t\mu)\mathbb E[\varepsilon_i^{t-1}]+\tfrac{(\eta_i^t\sigma_{i,\mathrm{eff}}^t)^2\beta}2"
_S2 = r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le-\tfrac{\eta_i^t}2\|\nabla R_i\|^2+\tfrac{(\eta_i^t\sigma_{i,\mathrm{eff}}^t)^2\beta}2"
_S2_IN_MEAN = r"\mathbb E[\varepsilon_i^t]\le\mathbb E[\varepsilon_i^{t-1}]-\tfrac{\eta_i^t}2\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2+\tfrac{(\eta_i^t\sigma_{i,\mathrm{eff}}^t)^2\beta}2"
_A5_IN_MEAN = r"\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2\ge2\mu\,\mathbb E[\varepsilon_i^{t-1}]"
_IDENTITY = r"\sum_k\alpha_{ik}^t(\|\nabla R_k-\nabla R_i\|^2-\|\nabla R_i\|^2)\le-\|\nabla R_i\|^2"
_EFFECTIVE = r"\sum_k(\alpha_{ik}^t\sigma_k)^2\le(\sigma_{i,\mathrm{eff}}^t)^2"
_SUM = r"\sum_{%s\in[N]}\alpha_{ik}=(\sigma_{i,\psi}^t/\sigma_{i,\phi}^t)^2"
Q = r"\eta\le\tfrac1\beta\min_r(\sigma_\phi/\sigma_\psi)^2"
REFINED = (
    Q
    + r"\Rightarrow\mathbb E[\varepsilon_i^T]\le(1-\eta\mu)^T\varepsilon_i^0+\tfrac{\beta\eta^2}2\sum_t(1-\eta\mu)^{T-t}\,\mathbb E"
)


def unrolled(w: World) -> Terms:
    """Right side of the theorem along the runs."""
    effective = q.on_path(w).effective  # (B, R, T)
    return theorem1_upper(q.excess(w, 0), w.step_size, w.mu, w.beta, effective)


theorem1 = claim(
    "theorem1@in-mean",
    over="mean",
    latex=_UNROLLED,
    family=q.RUNS,
    also=q.wider(),
    given=q.STRICTLY_ADMISSIBLE,
    defines=q.CONSTANT_STEP,
    uses=("adaptive.S2",),
    note="Right side in mean. Tight for one client with mu = beta as the step comes near 1/beta.",
)(lambda w: (q.end_excess(w), unrolled(w)))

theorem1_run = theorem1.like(
    "adaptive.theorem1@each-run",
    over="path",
    latex=_UNROLLED,
    uses=("adaptive.S2",),
    note="Right side along one run.",
)(lambda w: ({"E excess": w.mean(q.excess(w, w.rounds))}, unrolled(w)))


# -- its proof -------------------------------------------------------------------------------------


def _step_by_limit(w: World) -> Array:
    """step_share of the largest admissible step at theta^0."""
    return w.step_share * q.at_first(w).limit / w.beta


_below_limit = hypothesis(
    "step below (sigma_phi/sigma_psi)^2/beta",
    r"\eta_i^t\beta<(\sigma_{i,\phi}^t/\sigma_{i,\psi}^t)^2",
    where="Theorem 1",
    strict=True,
)(lambda w: q.at_start(w).limit - w.step_size * w.beta)


@claim(
    "theorem1.id",
    relation="==",
    family=q.runs(((1, 1, 1), *_TWO, (3, 1, 1))),
    latex=r"\sum_k\alpha_{ik}^t(\Delta_k^2-\|\nabla R_i\|^2)=-\|\nabla R_i\|^2",
    given=[_below_limit, q.own_gradient],
    defines={"step_size": _step_by_limit},
    uses=("adaptive.def1.drift",),
    note="Definition 1 makes the weighted gaps cancel exactly.",
)
def gaps_cancel(w: World) -> Sides:
    at = q.at_start(w)
    gap = xp.total(at.alpha * (at.squared_gap - at.squared_gradient[..., None]))
    return {"weighted gaps": gap}, {"-G^2": -at.squared_gradient}


@q.deduced(
    "S2",
    "change step_size beta whole own weighted_gaps noise effective",
    hypothesis(
        "last display",
        lemma1.last_display.leaf("eta").latex,
        where="proof of Lemma 1, last display",
    )(lambda w: lemma1.weighted_gradients(w) + w.step_size * w.beta * w.noise - w.change),
    hypothesis("identity", _IDENTITY, where="proof of Theorem 1")(
        lambda w: -w.own - w.weighted_gaps + w.whole * w.own
    ),
    Hypothesis("variance", _EFFECTIVE, lambda w: w.effective - w.noise, "Definition 1"),
    where="proof of Theorem 1",
    box=lemma1.DISPLAYS,
)
def _s2_deduced(w: World) -> Sides:
    noise = w.step_size**2 * w.effective * w.beta / 2
    return {"change": w.change}, {"descent": -w.step_size * w.own / 2, "noise": noise}


@claim(
    "S2",
    like=gaps_cancel,
    over="mean",
    relation="<=",
    latex=_S2,
    uses=("adaptive.lemma1", "adaptive.theorem1.id", "adaptive.def1.var"),
    deduction=_s2_deduced,
    also=(
        q.other_runs("quadratic", _TWO, points=3, rules="square"),
        q.other_runs("pl", _TWO, rules="continuous"),
        q.other_runs("nonconvex", _TWO, rules="binary"),
    ),
    simulate=(lambda: q.twenty_clients("gaussian"), lambda: q.twenty_clients("sphere")),
    note="Lemma 1 (with its variance term as derived) and Definition 1 together.",
)
def descent_of_definition1(w: World) -> Sides:
    at = q.at_start(w)
    right = descent.s2_upper(w.step_size, w.beta, at.effective, at.squared_gradient)
    return lemma1.change(w), right


def _noise(w: World) -> Array:
    return w.step_size**2 * w.effective * w.beta / 2


@q.deduced(
    "theorem1.rec",
    "after before own effective mu beta step_size",
    hypothesis("(S2)", _S2_IN_MEAN, where="proof of Theorem 1, (S2) in mean")(
        lambda w: _noise(w) - w.step_size * w.own / 2 + w.before - w.after
    ),
    Hypothesis("A5", _A5_IN_MEAN, lambda w: w.own - 2 * w.mu * w.before, "Assumption A5, in mean"),
)
def _recursion_deduced(w: World) -> Sides:
    contraction = (1 - w.step_size * w.mu) * w.before
    return {"after": w.after}, {"before": contraction, "noise": _noise(w)}


def _recursion(w: World, before: Array) -> Terms:
    effective = q.along(w, w.run().theta[..., w.rounds - 1, :]).effective
    return theorem1_upper(before, w.step_size, w.mu, w.beta, effective[..., None])


recursion = claim(
    "theorem1.rec@in-mean",
    over="mean",
    latex=_RECURSION,
    family=q.RUNS,
    given=q.STRICTLY_ADMISSIBLE,
    defines=q.CONSTANT_STEP,
    uses=("adaptive.S2",),
    deduction=_recursion_deduced,
    note="Every term in mean. Tight for one client with mu = beta as the step comes near 1/beta.",
)(lambda w: (q.end_excess(w), _recursion(w, q.excess(w, w.rounds - 1))))


@recursion.like(
    "adaptive.theorem1.rec@each-run",
    over="path",
    latex=_RECURSION,
    uses=("adaptive.S2",),
    note="Means of the excess loss, sigma_eff^t along one run.",
)
def recursion_run(w: World) -> Sides:
    before = w.mean(q.excess(w, w.rounds - 1))
    return {"E excess": w.mean(q.excess(w, w.rounds))}, _recursion(w, before)


def _square_of_weights(w: World) -> tuple[Array, Array]:
    """alpha_ik, (B, 1, N, N), a row per asking client, and (sigma_psi/sigma_phi)^2, (B, 1, N)."""
    own = xp.squared_norm(w.gradient)
    ratio = similarity_ratio(w.gradient[..., None, :, :], w.gradient) + (0 * own / own)[..., None]
    phi = phi_by_name(w.phi, ratio, w.threshold)
    sigma2 = w.sigma2[..., None, :]
    return collaboration_weights(ratio, phi, sigma2), weight_sum(ratio, phi, sigma2)


_BY_DEFINITION = "sum_k phi(r_k) sigma_psi^2/sigma_k^2 = sigma_psi^2/sigma_phi^2 by definition."
_GRADIENT = {"gradient": Real(-2, 2, unit=(1, -1), per=("N", "d"))}
_gradients = q.defined("gradients", r"\nabla R_i\ne0\ \forall i")(
    lambda w: xp.squared_norm(w.gradient)
)


@claim(
    "theorem1.sumalpha",
    readings=("summed",),
    relation="==",
    latex=lambda r: _SUM % ("i" if "over-i" in r else "k"),
    family=numbers(
        {**_GRADIENT, "sigma2": q.VARIANCES, **q.PHI},
        *(
            {"N": n, "d": d, "phi": phi}
            for n, d in ((1, 1), (2, 1), (3, 1), (2, 2))
            for phi in ("continuous", "binary")
        ),
        about="all clients at one point, with any gradients there",
    ),
    given=[_gradients],
    uses=lambda r: ("adaptive.def1.sum",) * ("over-k" in r),
    note="""Over i the sum is over who asks, for every client k that is asked and every i on the
    right.""",
    proof=lambda r: _BY_DEFINITION * ("over-k" in r),
)
def sum_of_weights(w: World, r: Reading) -> Sides:
    alpha, value = _square_of_weights(w)
    if "over-i" in r:
        every = xp.total(alpha, axis=-2)[..., None, :]
        return {"sum over i of alpha_ik": every}, {"(sigma_psi/sigma_phi)^2": value[..., :, None]}
    return {"sum over k of alpha_ik": xp.total(alpha)}, {"(sigma_psi/sigma_phi)^2": value}


# -- one step size for every path ------------------------------------------------------------------


def smallest_limit(w: World) -> Array:
    """Smallest (sigma_phi/sigma_psi)^2 over all ratios, the sharp form of Remark 3, (B, 1)."""
    if w.phi == "binary":
        return step_ratio_binary_sharp(w.sigma2, w.threshold)
    return step_ratio_continuous_sharp(w.sigma2)


no_longer = Hypothesis("step at most min q/beta", Q, lambda w: 1 - w.step_share)


@theorem1.refined(
    title="adaptive weights in mean, one step size for every path",
    latex=REFINED + r"\sum_k(\alpha_{ik}^t\sigma_k)^2",
    also=(),
    given=[no_longer, q.own_gradients],
    defines={"step_size": lambda w: w.step_share * smallest_limit(w) / w.beta},
    uses=("adaptive.lemma1.repaired", "adaptive.remark3.refined", "adaptive.def1.var"),
    note="""Theorem 1 in mean for every step size up to q/beta, q the sharp bound of Remark 3, and
    with the variance of the direction, sum_k (alpha_k^t sigma_k)^2 <= sigma_eff^2.""",
    proof="""sum_k alpha_k^t = (sigma_psi/sigma_phi)^2 <= 1/q at every point, so the repaired Lemma
    1 applies in every round on every path. Its first two terms are -eta G^2/2 (Definition 1), its
    last one eta^2 beta/2 sum_k (alpha_k^t sigma_k)^2. G^2 >= 2 mu X, full expectation, unroll;
    1 - eta mu >= 0 since eta mu <= q mu/beta <= 1. Tight for one client with mu = beta and step
    1/beta.""",
)
def direction(w: World) -> Sides:
    return q.end_excess(w), theorem1_direction_upper(
        q.excess(w, 0), w.step_size, w.mu, w.beta, q.on_path(w).alpha, w.sigma2
    )
