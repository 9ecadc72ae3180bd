"""What is said of FedAvg, FedMax, FedMax(k) and FedSoftMax, and eq. 20."""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import aggregation_rules as rules
from bounds import generic as xp
from verify.claim import Array, Reading, Real, Sides, hypothesis
from verify.statements.aggregation import error_free, remarks
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.chain import RATIOS, by_weights
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.claims(r"""
Section 2.3 :: claim
    strategy.fedavg/skew :: rho is one everywhere :: \alpha=p\Rightarrow\rho\equiv1
    strategy.fedavg/accuracy :: optimal in terms of accuracy :: \mathcal E\ge\mathcal E_{\mathrm{FedAvg}}=0
    strategy.fedavg/accuracy@reached :: optimal in terms of accuracy :: F(w_T^{\mathrm{FedAvg}})\le F(w_T^\alpha)
eq. 20 :: claim
    eq20 :: speed of FedAvg :: \mathcal V=\mathcal V_{\min}+\frac{4L-32\tau^2G^2+\sigma^2}{3\mu^2}
    eq20@product :: speed of FedAvg :: \mathcal V=\mathcal V_{\min}+\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2}
Section 2.3 :: claim
    strategy.fedmax/bound@each-point :: optimal bound on the speed :: \mathcal V(\rho_{\mathrm{FedMax}}(w))\le\mathcal V(\rho_\alpha(w))
    strategy.fedmax/bound@whole-run :: optimal bound on the speed :: \overline\rho_\alpha\le\overline\rho_{\mathrm{FedMax}}
    strategy.fedmax/model :: the global model is the worst client's :: |J_t|=1\Rightarrow w_{t+E}=w_{t+E}^{j},\ j=\arg\max_iF_i(w_t)-F_i^\star
    strategy.fedmaxk/choice :: FedMax(k) is power of choice :: \alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}
    strategy.fedmaxk.repaired/choice :: FedMax(k) is power of choice :: F_i^\star=F_j^\star\Rightarrow\alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}
    strategy.fedsoftmax/nonzero :: nonzero weights :: \alpha_t^i>0
    strategy.fedsoftmax.explicit/weights :: the smallest weight :: \alpha_t^i\ge p_ie^{-(\max x-x_i)/T}
    strategy.fedsoftmax/error :: error bounded by eq. 19 :: \mathcal E\le\lambda_2\Bigl(\frac1{\pi\min p_i}-N\Bigr)
    strategy.fedsoftmax.explicit/error :: eq. 19 by temperature :: \ldots\le\frac1{T+\gamma}\Bigl[C+\lambda_1e^{R/T}\Bigr]+\lambda_2\Bigl(\frac{e^{R/T}}{\min p_i}-N\Bigr)
""")

# -- FedAvg ------------------------------------------------------------------------------------

skew = claim(
    "strategy.fedavg/skew",
    like=remarks.shares_skew,
    note=remarks.shares_skew.note,
    family=q.family("excess share", "any losses and shares", *q.FEW),
)(remarks.skew_of_shares)
accuracy_error = tuple(
    claim.variant(leaf, f"strategy.fedavg/accuracy@bound+{leaf.reading}")
    for leaf in remarks.no_error
)


@claim(
    "strategy.fedavg/accuracy@reached",
    family=q.runs(*q.short(*q.RULES[1:], quiet=True), about="runs without noise", paced=True),
    defines=q.STEPPED,
)
def accuracy(w: World) -> Sides:
    """F - F* after the same finite number of steps as another strategy."""
    other = xp.total(w.client_weights * q.excess_at(w, w.run().theta[..., w.rounds, :]))
    return {"sum p x of FedAvg": q.gap_of(w, "fedavg")}, {"sum p x": other}


@claim(
    "eq20",
    readings=["parenthesis"],
    relation="==",
    family=q.constants(),
    uses=("aggregation.V",),
)
def twenty(w: World, r: Reading) -> Sides:
    """V at rho-bar = 1; the display as printed adds 4L to a squared gradient.

    Proof. rho is one everywhere for alpha = p; put rho-bar = 1 into V."""
    value = closed.fedavg_speed_constant
    if "difference" in r:
        value = closed.fedavg_speed_constant_printed
    return {"V at rho-bar = 1": q.speed_at(w, 1)}, {"V": value(**q.own_constants(w))}


# -- FedMax ------------------------------------------------------------------------------------


@claim(
    "strategy.fedmax/bound@each-point",
    family=q.family(
        f"{q.ALL} excess share raw",
        "any losses at one point, any shares, weights and constants",
        *q.FEW,
        excess=Real(1 / 64, 8, unit=(1, 0), log=True, per=("N",)),
    ),
)
def fastest(w: World) -> Sides:
    """V with rho at one and the same point: FedMax makes it smallest."""

    def speed(weights: Array) -> Array:
        low = rules.weighting_skew(weights, w.excess, q.normalised(w.share))
        return q.speed_at(w, low, local_steps=1)

    return {"V of FedMax": speed(rules.fedmax_weights(w.excess))}, {"V": speed(q.normalised(w.raw))}


bound_on_runs = claim.variant(
    error_free.fedmax_on_runs,
    "strategy.fedmax/bound@whole-run",
    family=q.runs(*(q.quiet(2, 2, 1, d=d) for d in (1, 2)), paced=True),
    given=[q.heterogeneous],
    defines={**q.STEPPED, "gap": q.gap},
)


def _local_models(w: World) -> Array:
    """Every client's model after the E steps of the first round, (B, R, N, d)."""
    return trained(w, w.run().models[..., 0, :, :], w.step_sizes, w.local_steps)


@quantity
def trained(w: World, models: Array, step_sizes: Array, steps: int) -> Array:
    """Every client's model after so many steps on its own loss."""
    for t in range(steps):
        slope = w.problem.own_gradients(models)
        models = models - step_sizes[..., t, None, None] * slope
    return models


def worst_served(excess: Array) -> Array:
    """Indicator of the clients with the largest loss, (..., N)."""
    return xp.indicator(excess >= xp.largest(excess)[..., None], excess)


@hypothesis("one worst client", r"|J_t|=1", where="FedMax (eqs. 15, 21, 22)")
def single(w: World) -> Array:
    """Where the first round begins: the two largest losses differ."""
    return 1 - xp.total(worst_served(q.excess_at(w, w.run().theta[..., 0, :])))


@claim(
    "strategy.fedmax/model",
    relation="==",
    over="path",
    family=q.runs(*(q.quiet(n, e, e, "fedmax") for n in (2, 3) for e in (1, 2)), paced=True),
    given=[single],
    defines=q.STEPPED,
)
def worst_client(w: World) -> Sides:
    """The new global model is the local model of the client worst served where the round began."""
    chosen = worst_served(q.excess_at(w, w.run().theta[..., 0, :]))
    model = xp.total(chosen[..., None] * _local_models(w), axis=-2)
    final = w.run().theta[..., w.local_steps, :]
    return {"|w|": xp.squared_norm(final)}, {"|w of the worst|": xp.squared_norm(model)}


# -- FedMax(k) and power of choice -------------------------------------------------------------

_SHAPES = ({"N": 2, "count": 1}, {"N": 3, "count": 2})


@claim(
    "strategy.fedmaxk/choice",
    readings=["inside-k"],
    relation="==",
    family=q.family(
        "excess minimum share",
        "any losses and minima, all clients asked",
        *_SHAPES,
        minimum=Real(-8, 8, unit=(1, 0), per=("N",)),
    ),
    note=lambda r: (
        "FedMax(k) weighted by p over the chosen clients."
        if "by-shares" in r
        else "Power of choice ranks F_i, FedMax(k) ranks F_i - F_i*; all clients are asked."
    ),
)
def choice(w: World, r: Reading) -> Sides:
    share = q.normalised(w.share) if "by-shares" in r else None
    own = rules.fedmaxk_weights(w.excess, w.count, share)
    chosen = rules.fedmaxk_weights(w.excess + w.minimum, w.count)
    return {"FedMax(k)": own}, {"power of choice": chosen}


@claim(
    "strategy.fedmaxk.repaired/choice",
    like=choice[0],
    family=q.family(
        "excess minimum", "any losses over one minimum", *_SHAPES, minimum=Real(-8, 8, unit=(1, 0))
    ),
)
def choice_repaired(w: World) -> Sides:
    """Equal minima, equal weights inside the k.

    Proof. A common constant added to all losses changes no rank; ties are broken by the number of
    the client in both."""
    chosen = rules.fedmaxk_weights(w.excess + w.minimum[..., None], w.count)
    return {"FedMax(k)": rules.fedmaxk_weights(w.excess, w.count)}, {"power of choice": chosen}


# -- FedSoftMax --------------------------------------------------------------------------------

SOFT = q.family(
    "excess share temperature", "any losses at one point, any shares and temperature", *q.FEW
)
SOFT_RUNS = q.runs(*q.short("fedsoftmax"))


def soft_weights(w: World) -> Array:
    """Weights of FedSoftMax at one point, (..., N)."""
    return rules.fedsoftmax_weights(w.excess, q.normalised(w.share), w.temperature)


@claim("strategy.fedsoftmax/nonzero", relation="==", family=SOFT)
def nonzero(w: World) -> Sides:
    """Every client has a weight: counted are the positive ones."""
    weights = soft_weights(w)
    positive = xp.total(xp.indicator(weights > 0, weights))
    return {"positive weights": positive}, {"N": w.excess.shape[-1]}


@claim("strategy.fedsoftmax.explicit/weights", family=SOFT)
def floor(w: World) -> Sides:
    """alpha_i >= p_i exp(-(max x - x_i)/T), the smallest weight that a temperature leaves.

    Proof. alpha_i = p_i e^{x_i/T}/sum_j p_j e^{x_j/T}, and the sum is at most e^{max x/T}."""
    share = q.normalised(w.share)
    below = (w.excess - xp.largest(w.excess)[..., None]) / w.temperature[..., None]
    return {"p e^-(range/T)": share * xp.exp(below)}, {"alpha": soft_weights(w)}


def _error(w: World, pi: Array) -> Array:
    """Bound of E at a smallest ratio."""
    return closed.learning_error_of_weights_upper(
        w.mu, w.beta, w.gap, pi, xp.smallest(w.client_weights), w.client_weights.shape[-1]
    )


@claim(
    "strategy.fedsoftmax/error",
    over="mean",
    family=SOFT_RUNS,
    given=[q.heterogeneous],
    defines=RATIOS,
    uses=("aggregation.eq19",),
)
def error(w: World) -> Sides:
    """Eq. 19 at the smallest ratio of the run."""
    return {"E": q.error(w, w.low, w.high)}, {"bound": _error(w, w.least_ratio)}


@quantity
def served_spread(w: World) -> Array:
    """Minus the least of min x - max x over rounds and outcomes, (B, 1)."""
    served = [q.excess_at(w, w.run().theta[..., t, :]) for t in q.times(w, "loop")]
    return -q.least(xp.stack([xp.smallest(x) - xp.largest(x) for x in served], -1))


@claim(
    "strategy.fedsoftmax.explicit/error",
    like=error,
    defines={**RATIOS, "spread": served_spread},
    uses=("aggregation.eq19",),
)
def error_by_temperature(w: World) -> Sides:
    """Eq. 19 with pi >= exp(-R/T), R the largest range of the losses at the aggregated models.

    Proof. kappa_i = e^{x_i/T}/sum_j p_j e^{x_j/T} >= e^{-(max x - x_i)/T}; the bound of eq. 19
    falls as pi grows."""
    pi = xp.exp(-w.spread / w.temperature)
    return by_weights(w, pi, _error(w, pi), "iterations")
