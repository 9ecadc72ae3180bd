"""What is said of FedMax(k) and FedSoftMax."""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import aggregation_weights, fedmaxk_weights
from verify.claim.families import numbers
from verify.claim.parameters import Real
from verify.claim.statement import Sides, open_claim, statement
from verify.statements.aggregation.chain import RATIOS, by_weights
from verify.statements.aggregation.quantities import Array, excess_at, heterogeneous, least
from verify.statements.aggregation.runs import runs, size
from verify.statements.aggregation.strategies import STRATEGIES
from verify.statements.aggregation.symbols import (
    EXCESS,
    FEW,
    SHARE,
    TEMPERATURE,
    no_ties,
    normalised,
)
from verify.world.world import World

# -- FedMax(k) and power of choice -------------------------------------------------------------

_SHAPES = ({"N": 2, "count": 1}, {"N": 3, "count": 2})
CHOICE = numbers(
    {"excess": EXCESS, "minimum": Real(-8, 8, unit=(1, 0), per=("N",)), "share": SHARE},
    *_SHAPES, about="any losses and minima, all clients asked",
)
SAME_MINIMUM = numbers(
    {"excess": EXCESS, "minimum": Real(-8, 8, unit=(1, 0))}, *_SHAPES,
    about="any losses over one minimum",
)


@statement(
    "aggregation.strategy.fedmaxk/choice@one-minimum", where=STRATEGIES, kind="claim",
    title="FedMax(k) is power of choice", relation="==", family=SAME_MINIMUM, given=[no_ties],
    latex=r"F_i^\star=F_j^\star\Rightarrow\alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}",
    note="Equal where the minima are equal, all clients are asked and both average uniformly.",
)
def choice_same(w: World) -> Sides:
    chosen = fedmaxk_weights(w.excess + w.minimum[..., None], w.count)
    return {"FedMax(k)": fedmaxk_weights(w.excess, w.count)}, {"power of choice": chosen}


@choice_same.like(
    "aggregation.strategy.fedmaxk/choice@any-minima", family=CHOICE,
    latex=r"\alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}",
    note="Power of choice ranks by F_i(w), FedMax(k) by F_i(w) - F_i*; the weights of both, per client.",
)
def choice(w: World) -> Sides:
    chosen = fedmaxk_weights(w.excess + w.minimum, w.count)
    return {"FedMax(k)": fedmaxk_weights(w.excess, w.count)}, {"power of choice": chosen}


@choice.like(
    "aggregation.strategy.fedmaxk/choice@shares", latex=choice.latex,
    note="FedMax(k) weighted by p over the chosen clients.",
)
def choice_shares(w: World) -> Sides:
    share = normalised(w.share)
    return {"FedMax(k)": fedmaxk_weights(w.excess, w.count, share)}, choice(w)[1]


practice = open_claim(
    "aggregation.strategy.fedmaxk/practice", "claim", "Section 3",
    r"\text{FedMax}(k),\text{FedSoftMax}\text{ improve real-world performance}",
    "performance in practice",
    "tasks, k, seeds and the runs without these strategies are not given, and the claim is "
    "qualitative; both strategies are in the package",
)

# -- FedSoftMax --------------------------------------------------------------------------------

SOFT = numbers(
    {"excess": EXCESS, "share": SHARE, "temperature": TEMPERATURE}, *FEW,
    about="any losses at one point, any shares and temperature",
)
SOFT_RUNS = runs(*(size(2, 2, e, "fedsoftmax") for e in (1, 2)))


def _weights(w: World) -> Array:
    return aggregation_weights("fedsoftmax", w.excess, normalised(w.share), temperature=w.temperature)


@statement(
    "aggregation.strategy.fedsoftmax/nonzero", where=STRATEGIES, kind="claim", family=SOFT,
    title="nonzero weights", latex=r"\alpha_t^i>0", relation="==",
    note="Every client has a weight: counted are the positive ones.",
)
def nonzero(w: World) -> Sides:
    weights = _weights(w)
    positive = xp.total(xp.indicator(weights > 0, weights))
    return {"positive weights": positive}, {"N": w.excess.shape[-1]}


@statement(
    "aggregation.strategy.fedsoftmax.explicit/weights", where=STRATEGIES, kind="claim", family=SOFT,
    title="the smallest weight", latex=r"\alpha_t^i\ge p_ie^{-(\max x-x_i)/T}",
    note="alpha_i >= p_i exp(-(max x - x_i)/T), the smallest weight that a temperature leaves.",
    proof="alpha_i = p_i e^{x_i/T}/sum_j p_j e^{x_j/T}, and the sum is at most e^{max x/T}.",
)
def floor(w: World) -> Sides:
    share = normalised(w.share)
    below = (w.excess - xp.largest(w.excess)[..., None]) / w.temperature[..., None]
    return {"p e^-(range/T)": share * xp.exp(below)}, {"alpha": _weights(w)}


def _error(w: World, pi: Array) -> Array:
    """Bound of E at a smallest ratio."""
    return closed.learning_error_of_weights_upper(
        w.mu, w.beta, w.gap, pi, xp.smallest(w.client_weights), w.client_weights.shape[-1]
    )


@statement(
    "aggregation.strategy.fedsoftmax/error", where=STRATEGIES, kind="claim", family=SOFT_RUNS,
    title="error bounded by eq. 19", over="mean", given=[heterogeneous], defines=RATIOS,
    latex=r"\mathcal E\le\lambda_2\Bigl(\frac1{\pi\min p_i}-N\Bigr)", uses=("aggregation.eq19",),
    note="Eq. 19 at the smallest ratio of the run.",
)
def error(w: World) -> Sides:
    own = closed.learning_error(w.mu, w.beta, w.gap, w.low, w.high)
    return {"E": own}, {"bound": _error(w, w.least_ratio)}


def _spread(w: World) -> Array:
    """Minus the least of min x - max x over rounds and outcomes, (B, 1)."""
    found = []
    for t in range(0, w.rounds, w.local_steps):
        excess = excess_at(w, w.run().theta[..., t, :])
        found.append(xp.smallest(excess) - xp.largest(excess))
    return -least(xp.stack(found, -1))


@error.like(
    "aggregation.strategy.fedsoftmax.explicit/error", title="eq. 19 by temperature",
    latex=r"\ldots\le\frac1{T+\gamma}\Bigl[C+\lambda_1e^{R/T}\Bigr]+\lambda_2\Bigl(\frac{e^{R/T}}{\min p_i}-N\Bigr)",
    defines={**RATIOS, "spread": _spread}, uses=("aggregation.eq19",),
    note="Eq. 19 with pi >= exp(-R/T), R the largest range of the losses at the aggregated models.",
    proof="""kappa_i = e^{x_i/T}/sum_j p_j e^{x_j/T} >= e^{-(max x - x_i)/T}; the bound of eq. 19 falls
    as pi grows.""",
)
def error_by_temperature(w: World) -> Sides:
    pi = xp.exp(-w.spread / w.temperature)
    return by_weights(w, pi, _error(w, pi))


stability = open_claim(
    "aggregation.strategy.fedsoftmax/stability", "claim", STRATEGIES,
    r"\text{FedSoftMax is more stable than FedMax}", "stability",
    "a definition of stability; of the weights it is true in the sense that they are smooth in "
    "the losses at every T > 0 and jump at ties for FedMax",
)
