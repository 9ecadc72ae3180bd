"""What is said of the temperature and of the limits of the weights: Figures 5 and 6, Remark 10, RQs."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import (
    aggregation_weights,
    fedmax_weights,
    fedmaxk_weights,
    fedsoftmax_weights,
    weighting_skew,
)
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import (
    not_at_optimum,
    numbers,
    open_claim,
    paper_steps,
    runs,
    size,
    source,
    start_distance,
    weights_at,
)
from verify.statements.aggregation.corollary import delay
from verify.statements.aggregation.error_free import MEASURED
from verify.statements.aggregation.points import (
    EXCESS,
    FEW,
    SHARE,
    SOME_EXCESS,
    TEMPERATURE,
    normalised,
    some_excess,
)
from verify.statements.aggregation.strategies_soft import apart
from verify.world.world import World

_POINT = {"excess": EXCESS, "share": SHARE, "temperature": TEMPERATURE}
ABOUT = "any losses at one point, any shares and temperature"
SOFT = numbers(_POINT, *FEW, about=ABOUT)
TWO = numbers({**_POINT, "factor": Real(1, 16, log=True)}, *FEW, about="two temperatures")
TOP = numbers(_POINT, {"N": 3, "count": 2}, about=ABOUT)
SHARED = runs(*(size(2, 2, e, "fedsoftmax") for e in (1, 2)), shared=True)
FIXED = numbers(
    {"place": Real(1 / 8, 7 / 8), "reach": Real(1 / 4, 4, unit=(0, 1), log=True),
     "temperature": TEMPERATURE},
    about="two parabolas of curvature one, p such that FedSoftMax rests at a given point",
)  # fmt: skip


def _soft(w: World, temperature: Any) -> Any:
    return fedsoftmax_weights(w.excess, normalised(w.share), temperature)


def _skew(w: World, temperature: Any) -> Any:
    return weighting_skew(_soft(w, temperature), w.excess, normalised(w.share))


def _hotter_faster(w: World) -> tuple[Terms, Terms]:
    """rho, and with it the speed that V promises, read as growing with T."""
    return {"rho at T": _skew(w, w.temperature)}, {
        "rho at a higher T": _skew(w, w.temperature * w.factor)
    }


def _colder_faster(w: World) -> tuple[Terms, Terms]:
    """rho grows with 1/T: its derivative is the variance of x under the weights, over sum p x."""
    return {"rho at a higher T": _skew(w, w.temperature * w.factor)}, {
        "rho at T": _skew(w, w.temperature)
    }


def _range(w: World) -> Any:
    return xp.largest(w.excess) - xp.smallest(w.excess)


def _to_shares(w: World) -> tuple[Terms, Terms]:
    """At most a quarter of R/T, R = max x - min x.

    Proof. The derivative of alpha_i by 1/T is alpha_i (x_i - sum_j alpha_j x_j), of absolute value at
    most alpha_i (1 - alpha_i) R <= R/4; at 1/T = 0 the weights are p.
    """
    gap = xp.absolute(_soft(w, w.temperature) - normalised(w.share))
    return {"|alpha_i - p_i|": gap}, {"R/(4T)": (_range(w) / w.temperature)[..., None] / 4}


def _top(w: World) -> tuple[Any, Any]:
    """Weight p of the worst served client, and how far its loss lies above the next."""
    share, best = normalised(w.share), xp.largest(w.excess)
    chosen = xp.indicator(w.excess >= best[..., None], w.excess)
    others = xp.where(chosen > 0, w.excess - w.excess - 1, w.excess)
    return xp.total(chosen * share), best - xp.largest(others)


def _to_fedmax(w: World) -> tuple[Terms, Terms]:
    """As T falls the weights tend to FedMax's, faster than any power of T.

    The others together have at most (1 - p)/p e^{-gap/T}, p the share of the worst served client and
    gap the distance of its loss from the next.
    """
    share, above = _top(w)
    rest = 1 - xp.total(fedmax_weights(w.excess) * _soft(w, w.temperature))
    return {"weight of the others": rest}, {
        "(1-p)/p e^(-gap/T)": (1 - share) / share * xp.exp(-above / w.temperature)
    }


def _one_worst(w: World) -> Terms:
    top = xp.largest(w.excess)
    ties = xp.total(xp.indicator(w.excess >= top[..., None], w.excess))
    return {"one worst client": 1 - ties}


def _to_fedmaxk(w: World) -> tuple[Terms, Terms]:
    """Distance to the weights of FedMax(2): as T falls FedSoftMax leaves the second client too, as
    T grows it returns to p. Read: some temperature comes at least as near to FedMax(k) as FedAvg."""
    soft, share = _soft(w, w.temperature), normalised(w.share)
    goal = fedmaxk_weights(w.excess, w.count)
    return {"distance of FedSoftMax": xp.total((soft - goal) ** 2)}, {
        "distance of FedAvg": xp.total((share - goal) ** 2)
    }


def _iid_rate(w: World) -> tuple[Terms, Terms]:
    """Gamma = 0: E|alpha_i - p_i| <= E max x_i(w_t)/(4T) <= L Delta_t/(8T), which eq. 14 bounds.

    Proof. |alpha_i - p_i| <= (max x - min x)/(4T), see Remark 10; x_i(w) <= L |w - w*|^2/2 for a common
    minimiser w*; the proof of eq. 14 bounds L Delta_t/2. So the rate 1/t is safe, with the steps of
    Corollary 4; without noise x_i falls like |w_t - w*|^2, so that 1/t^2 is usual.
    """
    speed = closed.speed_constant(
        w.mu, w.beta, w.G2, w.sigma2_max, 0, w.distance0, w.low, w.local_steps
    )
    gaps = xp.absolute(weights_at(w, w.rounds) - w.client_weights)
    return {"E|alpha_i - p_i|": xp.largest(gaps)}, {
        "eq. 14 over 4T": speed / (w.delay + w.rounds) / (4 * w.temperature)
    }


def _rests(w: World) -> tuple[Any, Any, Any]:
    """Losses at the resting point, p and the weights there; minimisers 0 and r, the point q r."""
    place = w.place[..., None]
    minimiser = xp.stack([0 * w.reach, w.reach], -1)
    excess = (place * w.reach[..., None] - minimiser) ** 2 / 2
    alpha = xp.stack([1 - w.place, w.place], -1)
    tilted = alpha * xp.exp(-excess / w.temperature[..., None])
    share = normalised(tilted)
    return excess, share, aggregation_weights(
        "fedsoftmax", excess, share, temperature=w.temperature
    )


def _other_limit(w: World) -> tuple[Terms, Terms]:
    """FedSoftMax rests where sum alpha_i grad F_i = 0: at q r the weights (1 - q, q) do that. They
    are p only where both losses are equal: alpha_i/p_i is proportional to e^{x_i/T}."""
    _, share, alpha = _rests(w)
    return {"1/8": 1 + 0 * w.place}, {"8 |alpha - p|": 8 * xp.absolute(alpha - share)[..., 0]}


def _limit_ratio(w: World) -> tuple[Terms, Terms]:
    """alpha_i/p_i over alpha_j/p_j, wherever the run has come to rest: e^{(x_i - x_j)/T}."""
    soft, share = _soft(w, w.temperature), normalised(w.share)
    first = soft[..., 0] * share[..., 1]
    second = soft[..., 1] * share[..., 0]
    apart = (w.excess[..., 0] - w.excess[..., 1]) / w.temperature
    return {"alpha_i p_j": first}, {"alpha_j p_i e^((x_i-x_j)/T)": second * xp.exp(apart)}


_FIVE: dict[str, Any] = {"source": source("Figure 5"), "kind": "figure"}
_TEN: dict[str, Any] = {"source": source("Remark 10"), "kind": "remark"}
_APART: dict[str, Any] = {"given": some_excess, "strict": SOME_EXCESS}
_IMAGES = (
    "the images, the network's starts, the seeds and how F_i* is estimated are not given; figures/ "
    "draws it on synthetic shards and quadratics with stated choices"
)

STATEMENTS = (
    Statement(
        key="aggregation.fig5/formula@temperature", title="a higher temperature is faster",
        latex=r"T'\ge T\Rightarrow\rho_{T'}(w)\ge\rho_T(w)", family=TWO, sides=_hotter_faster,
        **_APART, **_FIVE,
    ),
    Statement(
        key="aggregation.fig5/formula@inverse", title="a higher inverse temperature is faster",
        latex=r"T'\ge T\Rightarrow\rho_{T'}(w)\le\rho_T(w)", family=TWO, sides=_colder_faster,
        **_APART, **_FIVE,
    ),
    open_claim(
        "fig5/curves", "figure", "Figure 5", r"T\in[5,30]:\ \text{higher }T,\text{ higher speed}",
        "curves of several temperatures", _IMAGES,
    ),
    open_claim(
        "fig6", "figure", "Figure 6", r"\alpha_i-p_i\to0\text{ at rate }1/t",
        "weights against shares, IID", _IMAGES,
    ),
    Statement(
        key="aggregation.fig6.explicit", source=source("Figure 6"), kind="figure", form="explicit",
        title="weights tend to p, Gamma = 0", over="mean", family=SHARED, sides=_iid_rate,
        latex=r"\mathbb E|\alpha_t^i-p_i|\le\frac1{4T(t+\gamma)}\Bigl[\frac{4L(32E^2G^2+\sigma^2)}{3\mu^2\overline\rho}+\frac{L\gamma\|w_0-w^\star\|^2}2\Bigr]",
        given=not_at_optimum, strict=frozenset({"away from w*"}), uses=("aggregation.eq14",),
        defines={"step_sizes": paper_steps, **MEASURED, "distance0": start_distance,
                 "delay": delay},
    ),
    Statement(
        key="aggregation.remark10/hot", title="FedAvg at high temperatures", family=SOFT,
        latex=r"|\alpha_i-p_i|\le\frac{\max x-\min x}{4T}", sides=_to_shares, **_TEN,
    ),
    Statement(
        key="aggregation.remark10/cold@one", title="FedMax at low temperatures", family=SOFT,
        latex=r"1-\alpha_{\max}\le\frac{1-p_{\max}}{p_{\max}}e^{-\mathrm{gap}/T}", sides=_to_fedmax,
        given=_one_worst, **_TEN,
    ),
    Statement(
        key="aggregation.remark10/cold@k", title="nearer to FedMax(k) than FedAvg", family=TOP,
        latex=r"\|\alpha_T-\alpha_{\mathrm{FedMax}(k)}\|\le\|p-\alpha_{\mathrm{FedMax}(k)}\|",
        sides=_to_fedmaxk, given=apart, strict=frozenset({"no ties"}), **_TEN,
    ),
    open_claim(
        "remark10/phases", "remark", "Remark 10",
        r"\text{fast as FedMax}(k)\text{ first, correct as FedAvg later}", "two phases",
        "numbers for FedMax(k), k and what counts as the first phase are not given",
    ),
    Statement(
        key="aggregation.RQ3/iid", source=source("Research question 3"), kind="claim",
        title="weights tend to p where all losses do to their minima", family=SOFT,
        latex=r"x_i\to0\Rightarrow\alpha_i\to p_i", sides=_to_shares,
    ),
    Statement(
        key="aggregation.RQ3/others", source=source("Research question 3"), kind="claim",
        title="other limits for heterogeneous data", quantifier="some", family=FIXED,
        latex=r"\Gamma>0:\ \lim\alpha_i\ne p_i", sides=_other_limit,
    ),
    Statement(
        key="aggregation.RQ3.explicit", source=source("Research question 3"), kind="claim",
        title="the limits by the losses there", form="explicit", family=SOFT, relation="==",
        latex=r"\frac{\alpha_i}{p_i}=\frac{\alpha_j}{p_j}e^{(x_i-x_j)/T}", sides=_limit_ratio,
    ),
    Statement(
        key="aggregation.RQ4/limit", source=source("Research question 4"), kind="claim",
        title="a curve of largest speed", family=SOFT, given=_one_worst, sides=_to_fedmax,
        latex=r"T\to0:\ \alpha\to\alpha_{\mathrm{FedMax}}",
    ),
    open_claim(
        "RQ4/faster", "claim", "Research question 4", r"\text{speed grows with }T^{-1}",
        "further experiments, not shown", _IMAGES,
    ),
)  # fmt: skip
