"""FedSoftMax between FedAvg and FedMax, and where it rests: Figures 5 and 6, Remark 10, RQs.

With one local step it is gradient descent on the tilted loss Phi(w) = T log sum_i p_i e^{x_i(w)/T},
x_i = F_i - F_i*, whose gradient is sum_i alpha_i grad F_i.
"""

from __future__ import annotations

from math import inf

from bounds import aggregation_rules as rules
from bounds import generic as xp
from verify.claim import Array, Family, Real, Sides, hypothesis
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.strategies import SOFT, SOFT_RUNS, soft_weights, worst_served
from verify.world.world import World

claim = q.claims(r"""
Figure 5 :: figure
    fig5/formula :: a higher temperature is faster :: T'\ge T\Rightarrow\rho_{T'}(w)\ge\rho_T(w)
    fig5.repaired/formula :: a higher inverse temperature is faster :: T'\ge T\Rightarrow\rho_{T'}(w)\le\rho_T(w)
Figure 6 :: figure
    fig6.explicit :: weights tend to p, Gamma = 0 :: \mathbb E|\alpha_t^i-p_i|\le\frac1{4T(t+\gamma)}\Bigl[\frac{4L(32E^2G^2+\sigma^2)}{3\mu^2\overline\rho}+\frac{L\gamma\|w_0-w^\star\|^2}2\Bigr]
given
    T at least 5 :: T\ge5 :: Section 3.2, 'in the range between 5 and 30'
    T' at most 30 :: T'\le30 :: Section 3.2, 'in the range between 5 and 30'
Remark 10 :: remark
    remark10/hot :: FedAvg at high temperatures :: |\alpha_i-p_i|\le\frac{\max x-\min x}{4T}
    remark10.repaired/cold :: FedMax at low temperatures :: 1-\alpha_{\max}\le\frac{1-p_{\max}}{p_{\max}}e^{-\mathrm{gap}/T}
    remark10/cold :: FedMax(k) at low temperatures :: \lim_{T\to0}\alpha_T=\alpha_{\mathrm{FedMax}(k)}
Research question 3 :: claim
    RQ3/iid :: weights tend to p where all losses do to their minima :: x_i\to0\Rightarrow\alpha_i\to p_i
    RQ3/others :: other limits for heterogeneous data :: \Gamma>0:\ \lim\alpha_i\ne p_i
    RQ3.explicit :: the limits by the losses there :: \frac{\alpha_i}{p_i}=\frac{\alpha_j}{p_j}e^{(x_i-x_j)/T}
Research question 4 :: claim
    RQ4/limit :: a curve of largest speed :: T\to0:\ \alpha\to\alpha_{\mathrm{FedMax}}
Section 2.3 :: claim
    strategy.fedsoftmax.refined/error :: true error of the limit :: F(w_\infty)-F^\star\le\frac{R^2}{8T}
    strategy.fedsoftmax.refined/error-second :: true error of the limit, second order :: F(w_\infty)-F^\star\le\frac L{2\mu^2}\Bigl\|\sum_i(\alpha_i-p_i)\nabla F_i(w^\star)\Bigr\|^2
Research question 3 :: claim
    RQ3.refined :: the limit of the weights exists and is characterised :: \Phi(v)\ge\Phi(w)+\Bigl\langle v-w,\sum_i\alpha_i\nabla F_i(w)\Bigr\rangle+\tfrac\mu2\|v-w\|^2,\quad\Phi=T\log\sum_ip_ie^{x_i/T}
""")
# -- Figures 5 and 6 ---------------------------------------------------------------------------


_FACTOR = Real(1, 16, log=True, domain=(1, inf))
_RANGE = {
    "temperature": Real(5, 30, unit=(1, 0), log=True),
    "factor": Real(1, 6, log=True, domain=(1, inf)),
    "excess": Real(0, 64, unit=(1, 0), per=("N",)),
}


def _two_temperatures(**others: Real) -> Family:
    return q.family("excess share temperature factor", "two temperatures", *q.FEW, **others)


@claim(
    "fig5/formula",
    family=_two_temperatures(**_RANGE),
    given=[
        q.some_excess,
        claim.given("T at least 5", lambda w: w.temperature - 5),
        claim.given("T' at most 30", lambda w: 30 - w.temperature * w.factor),
    ],
)
def hotter_faster(w: World) -> Sides:
    """rho, and with it the speed that V promises, as T grows."""
    share = q.normalised(w.share)
    hot = rules.fedsoftmax_weights(w.excess, share, w.temperature * w.factor)
    here, hotter = (rules.weighting_skew(x, w.excess, share) for x in (soft_weights(w), hot))
    return {"rho at T": here}, {"rho at a higher T": hotter}


@claim(
    "fig5.repaired/formula",
    like=hotter_faster,
    family=_two_temperatures(factor=_FACTOR),
    given=[q.some_excess],
)
def colder_faster(w: World) -> Sides:
    """1/T in place of T.

    Proof. The derivative of rho by 1/T is the variance of x under the weights, over sum p x."""
    here, hotter = hotter_faster(w)
    return hotter, here


@claim(
    "fig6.explicit",
    over="mean",
    family=q.runs(*SOFT_RUNS.shapes, shared=True),
    given=[q.not_at_optimum],
    defines={**q.at_no_gap("loop"), **q.HORIZON},
    uses=("aggregation.eq14",),
)
def iid_rate(w: World) -> Sides:
    """Gamma = 0: E|alpha_i - p_i| <= E max x_i(w_t)/(4T) <= L Delta_t/(8T), which eq. 14 bounds.

    Proof. |alpha_i - p_i| <= (max x - min x)/(4T), see Remark 10; x_i(w) <= L |w - w*|^2/2 for a
    common minimiser w*; the proof of eq. 14 bounds L Delta_t/2. So the rate 1/t is safe, with the
    steps of Corollary 4; without noise x_i falls like |w_t - w*|^2, so that 1/t^2 is usual."""
    gaps = xp.absolute(q.weights_at(w, w.rounds) - w.client_weights)
    right = q.speed_without_gap(w, w.rounds) / (4 * w.temperature)
    return {"E|alpha_i - p_i|": xp.largest(gaps)}, {"eq. 14 over 4T": right}


# -- Remark 10: between FedAvg and FedMax ------------------------------------------------------


def apart(w: World) -> Sides:
    gap = xp.absolute(soft_weights(w) - q.normalised(w.share))
    spread = xp.largest(w.excess) - xp.smallest(w.excess)
    return {"|alpha_i - p_i|": gap}, {"R/(4T)": (spread / w.temperature)[..., None] / 4}


to_shares = claim(
    "remark10/hot",
    family=SOFT,
    note="At most a quarter of R/T, R = max x - min x.",
    proof="""The derivative of alpha_i by 1/T is alpha_i (x_i - sum_j alpha_j x_j), of absolute
    value at most alpha_i (1 - alpha_i) R <= R/4; at 1/T = 0 the weights are p.""",
)(apart)


@hypothesis(
    "one worst client",
    r"\bigl|\arg\max_i(F_i(w)-F_i^\star)\bigr|=1",
    where="FedMax (eqs. 15, 21, 22)",
)
def one_worst(w: World) -> Array:
    return 1 - xp.total(worst_served(w.excess))


def _top(w: World) -> tuple[Array, Array]:
    """Weight p of the worst served client, and how far its loss lies above the next."""
    chosen = worst_served(w.excess)
    others = xp.where(chosen > 0, w.excess - w.excess - 1, w.excess)
    above = xp.largest(w.excess) - xp.largest(others)
    return xp.total(chosen * q.normalised(w.share)), above


@claim("remark10.repaired/cold", family=SOFT, given=[one_worst])
def to_fedmax(w: World) -> Sides:
    """FedMax in place of FedMax(k): as T falls the weights tend to it faster than any power of T.

    Proof. The others together have at most (1 - p)/p e^{-gap/T}, p the share of the worst served
    client and gap the distance of its loss from the next."""
    share, above = _top(w)
    rest = 1 - xp.total(rules.fedmax_weights(w.excess) * soft_weights(w))
    right = (1 - share) / share * xp.exp(-above / w.temperature)
    return {"weight of the others": rest}, {"(1-p)/p e^(-gap/T)": right}


@claim(
    "remark10/cold",
    relation="==",
    family=q.family("excess", "any losses at one point", {"N": 3, "count": 2}),
    given=[one_worst],
)
def to_fedmaxk(w: World) -> Sides:
    """k = 2 of three clients. As T falls all weight goes to the one that is served worst (see the
    repaired form), whatever k is; FedMax(2) keeps the second."""
    limit = rules.fedmax_weights(w.excess)
    return {"limit of FedSoftMax": limit}, {"FedMax(k)": rules.fedmaxk_weights(w.excess, w.count)}


# -- Research questions 3 and 4 ----------------------------------------------------------------

iid_limit = claim.variant(to_shares, "RQ3/iid")


@claim(
    "RQ3/others",
    quantifier="some",
    family=q.family(
        "place reach temperature",
        "two parabolas of curvature one, p such that FedSoftMax rests at a given point",
        place=Real(1 / 8, 7 / 8, domain=(0, 1)),
        reach=Real(1 / 4, 4, unit=(0, 1), log=True),
    ),
)
def other_limit(w: World) -> Sides:
    """FedSoftMax rests where sum alpha_i grad F_i = 0: at q r the weights (1 - q, q) do that. They
    are p only where both losses are equal: alpha_i/p_i is proportional to e^{x_i/T}. The minimisers
    are 0 and r."""
    minimiser = xp.stack([0 * w.reach, w.reach], -1)
    excess = (w.place[..., None] * w.reach[..., None] - minimiser) ** 2 / 2
    resting = xp.stack([1 - w.place, w.place], -1)
    share = q.normalised(resting * xp.exp(-excess / w.temperature[..., None]))
    apart = rules.fedsoftmax_weights(excess, share, w.temperature) - share
    return {"1/8": 1 + 0 * w.place}, {"8 |alpha - p|": 8 * xp.absolute(apart)[..., 0]}


@claim("RQ3.explicit", relation="==", family=SOFT)
def limit_ratio(w: World) -> Sides:
    """alpha_i/p_i over alpha_j/p_j, wherever the run has come to rest: e^{(x_i - x_j)/T}."""
    soft, share = soft_weights(w), q.normalised(w.share)
    left, right = soft[..., 0] * share[..., 1], soft[..., 1] * share[..., 0]
    apart = (w.excess[..., 0] - w.excess[..., 1]) / w.temperature
    return {"alpha_i p_j": left}, {"alpha_j p_i e^((x_i-x_j)/T)": right * xp.exp(apart)}


speed_limit = claim.variant(to_fedmax, "RQ4/limit")

# -- the tilted loss ---------------------------------------------------------------------------


def _tilted(w: World, point: Array) -> Array:
    """Phi at a point, (B, R); the largest exponent is taken out."""
    excess, temperature = q.excess_at(w, point), w.temperature
    top = xp.largest(excess)
    above = (excess - top[..., None]) / temperature[..., None]
    return top + temperature * xp.log(xp.total(w.client_weights * xp.exp(above)))


def _slope(w: World, point: Array) -> Array:
    """sum alpha_i grad F_i, (B, R, d)."""
    alpha = rules.fedsoftmax_weights(q.excess_at(w, point), w.client_weights, w.temperature)
    return xp.total(alpha[..., None] * w.problem.gradients(point), axis=-2)


@claim(
    "strategy.fedsoftmax.refined/error",
    family=q.runs(
        q.quiet(2, 1, 1, "fedsoftmax"),
        q.quiet(2, 1, 1, "fedsoftmax", d=2),
        q.quiet(3, 1, 1, "fedsoftmax"),
        extra=q.POINTS,
        about="quadratics at any two points, any shares and temperature",
    ),
)
def error(w: World) -> Sides:
    """F - F* at the minimiser of Phi is at most R^2/(8T), R the range of the x_i(w*). Stated for
    every w with both values of Phi.

    Proof. sum p x <= Phi by Jensen's inequality, and Phi(w*) <= Gamma + R^2/(8T) by Hoeffding's
    lemma; the minimiser has Phi(w) <= Phi(w*)."""
    ideal = q.excess_at(w, q.best(w))
    spread = xp.largest(ideal) - xp.smallest(ideal)
    return {"F(w) - sum p F*": q.gap_at(w, w.point), "Phi(w*)": _tilted(w, q.best(w))}, {
        "Phi(w)": _tilted(w, w.point),
        "Gamma": q.gap(w),
        "R^2/(8T)": spread**2 / (8 * w.temperature),
    }


@claim("strategy.fedsoftmax.refined/error-second", like=error)
def error_second(w: World) -> Sides:
    """F - F* at the minimiser of Phi is at most L |grad Phi(w*)|^2/(2 mu^2), of order 1/T^2. Stated
    for every w with both gradients.

    Proof. F is L-smooth with minimiser w*, and |grad Phi(w) - grad Phi(w*)| >= mu |w - w*|; at the
    minimiser of Phi the first gradient is zero. grad Phi(w*) = sum (alpha_i - p_i) grad F_i(w*),
    and |alpha_i - p_i| <= R/(4T)."""
    square = xp.squared_norm(_slope(w, w.point) - _slope(w, q.best(w)))
    gap = q.gap_at(w, w.point) - q.gap(w)
    return {"F(w) - F*": gap}, {"L |.|^2/(2 mu^2)": w.beta * square / (2 * w.mu**2)}


@claim("RQ3.refined", like=error)
def convex(w: World) -> Sides:
    """Phi is mu-strongly convex with gradient sum alpha_i grad F_i.

    Proof. The derivative of T log sum p e^{x/T} by x_i is alpha_i. The second derivative of Phi is
    sum alpha_i grad^2 F_i + Cov_alpha(grad F_i)/T, at least mu. So FedSoftMax with E = 1 is
    gradient descent on Phi and its weights tend to those at the one minimiser of Phi."""
    slope, curve = xp.dot(_slope(w, w.point), w.shift), w.mu * xp.squared_norm(w.shift) / 2
    left = {"Phi(w)": _tilted(w, w.point), "slope": slope, "mu/2 |v-w|^2": curve}
    return left, {"Phi(v)": _tilted(w, w.point + w.shift)}
