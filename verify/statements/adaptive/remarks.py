"""Remarks 2 and 3, and the claims in the text around Theorem 2."""

from __future__ import annotations

from bounds import rates, similarity
from bounds.adaptive_weights import step_ratio_binary_sharp, step_ratio_continuous_sharp
from bounds.heterogeneity import mismatch
from bounds.similarity import inverse_variance, step_ratio
from bounds.sufficient import sufficient_ratio_best
from verify.claim import Array, Reading, hypothesis
from verify.claim.statement import Sides, Terms
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive.definition2 import decreasing
from verify.statements.adaptive.definitions import SOME_WEIGHT, WEIGHTS, ratios
from verify.statements.adaptive.theorem2 import decreasing_row_empty
from verify.world.world import World

claim = q.claims(r"""
Remark 2 :: remark
    remark2 :: sufficient and selected clusters differ
Remark 3 :: remark
    remark3/a :: order of the variances
    remark3/b :: step limit, binary
    remark3/c-phi :: display for phi
after Theorem 2 :: claim
    text.thm2/saturation :: linear rate up to a level
    text.thm2/no-floor :: no term depends on the heterogeneity
    text.thm2/contrast :: comparison with earlier work :: \text{no bias term, speed-up } 1/\mathcal N_i^\star(\varepsilon) \text{ on the excess loss}
""")

_LIMIT = r"(\sigma_{i,\phi}^t/\sigma_{i,\psi}^t)^2\ge"
_PHI = r"(\sigma_{i,\phi}^t)^2=\Bigl(\sum_k\frac{%s(r_{ik})}{\sigma_k^2}\Bigr)^{-1}"
_EVERYBODY = r"\ge\Bigl(\sum_k\frac1{\sigma_k^2}\Bigr)^{-1}"
_SUBLINEAR = r"\mathbb E[\varepsilon_i^T]\le\frac1{%s}\max\Bigl(\frac{\beta\sigma_i^2C^2}{2\psi(1)\mu^2(C-1)},%s\varepsilon_i^0\Bigr)"
_HORIZON = r"\mathbb E[\varepsilon_i^T]\le\frac{\beta\sigma_i^2}{2\psi(1)\mu^2T}\Bigl(\ln\frac{2\psi(1)T\mu^2\varepsilon_i^0}{\beta\sigma_i^2}+1\Bigr)"

_weight = hypothesis("weight of client 1", r"k\in\mathcal N_i^t", where="Remark 2", strict=True)(
    lambda w: q.at_first(w).alpha[..., 1]
)
_some_excess = q.defined("excess", r"R_i(\theta_i^{t-1})-R_i(\theta_i^\star)>0")(q.start_excess)


@claim(
    "remark2",
    quantifier="some",
    latex=r"\mathcal N_i^\star(\varepsilon_i^t)\ne\mathcal N_i^t",
    family=q.runs([(2, 1, 1)]),
    given=[_weight, _some_excess],
    note="""Client 1 works with client 0, though none of the constants (b, c) of A3 puts it into
    the sufficient cluster, at the realised excess loss and with b^2 as the proof of Lemma 2 needs
    it.""",
)
def clusters_differ(w: World) -> Sides:
    shift, spread = (pair[..., 0, :] for pair in mismatch(w.A, w.xi))
    ratio = sufficient_ratio_best(shift, spread, w.mu, q.start_excess(w))
    return {"psi of client 1": (ratio * q.phi_of(w, ratio))[..., 1]}, {"0": 0}


# -- Remark 3 --------------------------------------------------------------------------------------


def _limit(w: World) -> Terms:
    return {"(sigma_phi/sigma_psi)^2": step_ratio(w.ratio, q.phi_of(w, w.ratio), w.sigma2)}


def _phi_variance(w: World) -> Array:
    return inverse_variance(q.phi_of(w, w.ratio), w.sigma2)


def _psi_variance(w: World) -> Array:
    return inverse_variance(w.ratio * q.phi_of(w, w.ratio), w.sigma2)


@claim(
    "remark3/a",
    latex=r"\sigma_{i,\phi}^t\le\sigma_{i,\psi}^t",
    family=WEIGHTS,
    given=SOME_WEIGHT,
    note="psi <= phi on [0, 1]. Tight where every phi(r) is zero or r one.",
)
def variances_ordered(w: World) -> Sides:
    psi = inverse_variance(w.ratio * w.phi, w.sigma2)
    return {"sigma_phi^2": inverse_variance(w.phi, w.sigma2)}, {"sigma_psi^2": psi}


binary = claim("remark3/b", latex=_LIMIT + r"\lambda", family=ratios("binary"))(
    lambda w: ({"lambda": similarity.step_ratio_binary_lower(w.threshold)}, _limit(w))
)

binary_sharp = binary.refined(
    part="b",
    title="step limit, binary, sharp",
    latex=_LIMIT + r"\lambda+(1-\lambda)\frac{\sigma_i^{-2}}{\sum_k\sigma_k^{-2}}",
    note="""q is at least lambda + (1 - lambda) p, p the share of client i in the sum of sigma_k^-2.
    Attained with every other ratio at lambda.""",
    proof="""q is the average of the chosen clients' ratios with weights sigma_k^-2; the own ratio
    is 1, the others are at least lambda.""",
)(lambda w: ({"sharp bound": step_ratio_binary_sharp(w.sigma2, w.threshold)}, _limit(w)))

continuous = binary.like(
    "adaptive.remark3/c",
    title="step limit, continuous",
    family=ratios("continuous"),
    latex=_LIMIT + r"\sigma_i^{-2}\bigl(\textstyle\sum_k\sigma_k^{-2}\bigr)^{-1}",
    note="Tight for one client only.",
)(lambda w: ({"bound": similarity.step_ratio_lower(w.sigma2)}, _limit(w)))

continuous_sharp = continuous.refined(
    part="c",
    title="step limit, continuous, sharp",
    latex=_LIMIT + r"2\Bigl(1+\sqrt{\sigma_i^2\textstyle\sum_k\sigma_k^{-2}}\Bigr)^{-1}",
    note="q >= 2/(1 + sqrt(sigma_i^2 sum_k sigma_k^-2)): of order 1/sqrt(N), not 1/N.",
    proof="""With w_k = sigma_k^-2, W their sum over the others and r their mean ratio, the mean of
    squares is at least the square of the mean, so q >= (w_i + W r^2)/(w_i + W r), which is smallest
    at W r^2 + 2 w_i r = w_i and is 2 r there. Attained with every other ratio equal to that r.""",
)(lambda w: ({"sharp bound": step_ratio_continuous_sharp(w.sigma2)}, _limit(w)))

own_share = continuous.like(
    "adaptive.remark3/c-psi",
    title="display for psi",
    latex=r"\frac1{(\sigma_{i,\psi}^t)^2}=\frac1{\sigma_i^2}+\sum_{k\ne i}\frac{\psi(r_{ik})}{\sigma_k^2}\ge\frac1{\sigma_i^2}",
    note="1/sigma_psi^2 is at least the own term. Tight where no other client is similar.",
)(lambda w: ({"1/sigma_i^2": 1 / w.sigma2[..., 0]}, {"1/sigma_psi^2": 1 / _psi_variance(w)}))


@claim(
    "remark3/c-phi",
    readings=("letter",),
    relation=lambda r: "==" if "psi" in r else "<=",
    family=ratios("continuous"),
    latex=lambda r: _PHI % r"\psi" if "psi" in r else _PHI % r"\phi" + _EVERYBODY,
    note="""The display writes psi into sigma_phi^2, whose definition has phi. With phi its equality
    is that definition, and its bound is left. Tight where all ratios are 1.""",
    proof=lambda r: (
        "phi(x) <= x <= 1, so that sum phi(r_k)/sigma_k^2 <= sum 1/sigma_k^2." * ("phi" in r)
    ),
)
def displayed_phi(w: World, r: Reading) -> Sides:
    if "psi" in r:
        return {"sigma_phi^2": _phi_variance(w)}, {"displayed": _psi_variance(w)}
    everybody = inverse_variance(1 + 0 * w.sigma2, w.sigma2)
    return {"(sum 1/sigma_k^2)^-1": everybody}, {"sigma_phi^2": _phi_variance(w)}


# -- the text around Theorem 2 ---------------------------------------------------------------------

speed_up = decreasing.variant(
    "adaptive.text.thm2/speed-up",
    kind="claim",
    where="after Theorem 2",
    title="precision costs variance reduction",
    uses=("adaptive.def2.mono",),
)


@claim(
    "text.thm2/saturation",
    relation="==",
    family=q.FREE,
    latex=r"U_{T+1}-L=(1-\eta\mu)(U_T-L),\quad L=\tfrac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
    note="""The bound of the constant row minus its saturation level shrinks by 1 - eta mu per
    round.""",
)
def contracts(w: World) -> Sides:
    constants = (w.excess, w.step_size, w.mu, w.beta, w.variance)
    here = rates.theorem2_constant_upper(*constants, w.rounds)
    after = rates.theorem2_constant_upper(*constants, w.rounds + 1)
    contracted = (1 - w.step_size * w.mu) * here["contraction"]
    level = w.step_size * w.beta * w.variance / (2 * w.mu)
    left = {"bound after": after["contraction"], "saturation": after["saturation"]}
    return left, {"contracted": contracted, "level": level}


def _own_variance(w: World) -> Array:
    """sigma_i^2/psi(1), the effective variance of a client that is alone."""
    return w.sigma2[..., 0] / q.phi_of(w, 1 + 0 * w.sigma2)[..., 0]


def _constants(w: World) -> tuple[Array, Array, Array, Array, int]:
    return q.excess(w, 0), w.mu, w.beta, _own_variance(w), w.rounds


@claim(
    "text.thm2/no-floor",
    over="mean",
    latex=r"\mathbb E[\varepsilon_i^T]\le(1-\eta\mu)^T\varepsilon_i^0+\frac{\eta\beta}{2\mu}\frac{\sigma_i^2}{\psi(1)}",
    family=q.RUNS,
    given=[*q.ADMISSIBLE, q.at_most_inverse_mu],
    also=q.wider(),
    defines=q.CONSTANT_STEP,
    uses=("adaptive.theorem1",),
    note="""The constant row with the own variance: no term depends on the heterogeneity, and no
    precision is assumed.""",
    proof="r_ii = 1 gives sigma_eff^2 <= sigma_i^2/psi(1) at every point; then Theorem 1.",
)
def no_floor(w: World) -> Sides:
    start, *symbols = _constants(w)
    return q.end_excess(w), rates.theorem2_constant_upper(start, w.step_size, *symbols)


@no_floor.like(
    "adaptive.text.thm2.repaired/sublinear",
    title="decreasing steps do not saturate",
    latex=_SUBLINEAR % (r"\gamma+T", r"\gamma"),
    family=q.runs(q.SIZES, q.FACTOR, q.DELAY),
    given=[*q.ADMISSIBLE, q.factor_above_one],
    defines=q.DELAYED_STEPS,
    uses=("adaptive.theorem2.decr.repaired",),
    note="""Decreasing steps with a delay bring the mean excess loss down like 1/T, whatever b and
    c: the repaired decreasing row with sigma_i^2/psi(1) for sigma_suf^2, and no precision
    assumed.""",
    proof="""r_ii = 1 gives sigma_eff^2 <= sigma_i^2/psi(1) at every point, so the recursion of
    Theorem 1 has that variance; then the induction of the repaired decreasing row.""",
)
def sublinear(w: World) -> Sides:
    bound = rates.theorem2_decreasing_upper(*_constants(w), w.factor, w.delay)
    return q.end_excess(w), {"max/(gamma + T)": bound}


@sublinear.like(
    "adaptive.text.thm2/sublinear",
    latex=_SUBLINEAR % ("T", ""),
    family=q.runs(q.SIZES, q.FACTOR),
    defines=q.DECREASING_STEPS,
    uses=("adaptive.theorem2.decr",),
    note="With the decreasing steps of Table 1, which no run can take.",
)
def sublinear_printed(w: World) -> Sides:
    bound = rates.theorem2_decreasing_printed(*_constants(w), w.factor)
    return q.end_excess(w), {"max/T": bound}


no_decreasing = decreasing_row_empty.variant(
    "adaptive.text.thm2.empty",
    where="after Theorem 2",
    kind="claim",
    empties="adaptive.text.thm2/sublinear",
)


def _horizon_size(w: World) -> Array:
    return rates.horizon_step_size(q.start_excess(w), w.mu, w.beta, _own_variance(w), w.rounds)


sublinear_horizon = no_floor.like(
    "adaptive.text.thm2.repaired/sublinear-horizon",
    title="horizon-dependent steps do not saturate",
    latex=_HORIZON,
    given=[*q.ADMISSIBLE, q.at_most_inverse_mu, q.size_of_a_step],
    also=q.wider()[1:],
    defines={"step_size": _horizon_size},
    uses=("adaptive.theorem1",),
    note="""The horizon-dependent step with sigma_i^2/psi(1) for sigma_suf^2 and beta in the
    logarithm: ln(T)/T without a floor, no precision assumed.""",
    proof="""The bound without a floor at this step, at which (1 - eta mu)^T <= exp(-eta mu T) is
    beta sigma_i^2/(2 psi(1) T mu^2 eps0).""",
)(lambda w: (q.end_excess(w), rates.theorem2_horizon_upper(*_constants(w))))

contrast = claim.open(
    "text.thm2/contrast",
    "compares with bounds of three other papers (Even et al., Chayti et al., Hashemi et al.), "
    "whose statements are not in the package",
)
