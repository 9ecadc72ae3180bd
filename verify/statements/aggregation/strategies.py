"""What is said of FedAvg, FedMax, FedMax(k) and FedSoftMax, and eq. 20."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import aggregation_rules as rules
from bounds import generic as xp
from verify.claim import Array, Real, Sides, hypothesis, numbers, statement
from verify.statements.aggregation import error_free, remarks, symbols
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.chain import RATIOS, by_weights
from verify.statements.aggregation.runs import runs, size
from verify.statements.aggregation.symbols import NUMBERS
from verify.statements.aggregation.theorem import RULES
from verify.world.world import World

# -- FedAvg ------------------------------------------------------------------------------------

STRATEGIES = "Section 2.3"
FINAL = runs(
    *(size(2, 2, e, rule, quiet=True) for e in (1, 2) for rule in RULES[1:]),
    about="runs without noise",
    paced=True,
)
skew = remarks.shares_skew.variant(
    "aggregation.strategy.fedavg/skew",
    where=STRATEGIES,
    kind="claim",
    title="rho is one everywhere",
    family=symbols.at_one_point(*symbols.FEW, about="any losses and shares"),
)
accuracy_error = remarks.no_error_on_runs.variant(
    "aggregation.strategy.fedavg/accuracy@bound+loop",
    where=STRATEGIES,
    kind="claim",
    title="optimal in terms of accuracy",
    latex=r"\mathcal E\ge\mathcal E_{\mathrm{FedAvg}}=0",
)
accuracy_endless = remarks.no_error_endless.variant(
    "aggregation.strategy.fedavg/accuracy@bound+endless",
    where=STRATEGIES,
    kind="claim",
    title=accuracy_error.title,
    latex=accuracy_error.latex,
)


@statement(
    "aggregation.strategy.fedavg/accuracy@reached",
    where=STRATEGIES,
    kind="claim",
    family=FINAL,
    title="optimal in terms of accuracy",
    latex=r"F(w_T^{\mathrm{FedAvg}})\le F(w_T^\alpha)",
    defines={"step_sizes": q.free_steps},
    note="F - F* after the same finite number of steps as another strategy.",
)
def accuracy(w: World) -> Sides:
    mine = w.run(rule="fedavg").theta[..., w.rounds, :]
    average = xp.total(w.client_weights * q.excess_at(w, mine))
    other = xp.total(w.client_weights * q.excess_at(w, w.run().theta[..., w.rounds, :]))
    return {"sum p x of FedAvg": average}, {"sum p x": other}


def _constants(w: World) -> dict[str, Any]:
    names = ("mu", "smoothness", "squared_gradient", "sigma2", "gap", "squared_start")
    return {name: w.symbol(name) for name in names}


@statement(
    "aggregation.eq20",
    where="eq. 20",
    kind="claim",
    title="speed of FedAvg",
    relation="==",
    latex=r"\mathcal V=\mathcal V_{\min}+\frac{4L-32\tau^2G^2+\sigma^2}{3\mu^2}",
    family=symbols.constants(),
    uses=("aggregation.V",),
    note="V at rho-bar = 1 against the printed display, which adds 4L to a squared gradient.",
)
def twenty(w: World) -> Sides:
    speed = closed.speed_constant(**_constants(w), low=1, local_steps=w.local_steps)
    printed = closed.fedavg_speed_constant_printed(**_constants(w), local_steps=w.local_steps)
    return {"V at rho-bar = 1": speed}, {"V": printed}


@twenty.like(
    "aggregation.eq20.repaired",
    uses=("aggregation.V",),
    latex=r"\mathcal V=\mathcal V_{\min}+\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2}",
    note="V_min + 4L(32 E^2 G^2 + sigma^2)/(3 mu^2): a product where a difference is printed.",
    proof="rho is one everywhere for alpha = p; put rho-bar = 1 into V.",
)
def twenty_repaired(w: World) -> Sides:
    right = closed.fedavg_speed_constant(**_constants(w), local_steps=w.local_steps)
    return twenty(w)[0], {"V": right}


# -- FedMax ------------------------------------------------------------------------------------

ONE_ROUND = runs(*(size(n, e, e, "fedmax", quiet=True) for n in (2, 3) for e in (1, 2)), paced=True)
RIVALS = runs(*(size(2, 2, 1, "fixed", quiet=True, d=d) for d in (1, 2)), paced=True)
FAST = numbers(
    {
        **NUMBERS,
        "excess": Real(1 / 64, 8, unit=(1, 0), log=True, per=("N",)),
        "share": symbols.SHARE,
        "raw": symbols.RAW,
    },
    *symbols.FEW,
    about="any losses at one point, any shares, weights and constants",
)


@statement(
    "aggregation.strategy.fedmax/bound@each-point",
    where=STRATEGIES,
    kind="claim",
    family=FAST,
    title="optimal bound on the speed",
    latex=r"\mathcal V(\rho_{\mathrm{FedMax}}(w))\le\mathcal V(\rho_\alpha(w))",
    note="V with rho at one and the same point: FedMax makes it smallest.",
)
def fastest(w: World) -> Sides:
    def speed(weights: Array) -> Array:
        low = rules.weighting_skew(weights, w.excess, q.normalised(w.share))
        return closed.speed_constant(**_constants(w), low=low, local_steps=1)

    return {"V of FedMax": speed(rules.fedmax_weights(w.excess))}, {"V": speed(q.normalised(w.raw))}


bound_on_runs = error_free.fedmax_on_runs.variant(
    "aggregation.strategy.fedmax/bound@whole-run",
    where=STRATEGIES,
    title="optimal bound on the speed",
    family=RIVALS,
    given=[q.heterogeneous],
    defines={"step_sizes": q.free_steps, "gap": q.gap},
)


def _local_models(w: World) -> Array:
    """Every client's model after the E steps of the first round, (B, R, N, d)."""
    models = w.run().models[..., 0, :, :]
    for t in range(w.local_steps):
        slope = w.problem.own_gradients(models)
        models = models - w.step_sizes[..., t, None, None] * slope
    return models


def worst_served(excess: Array) -> Array:
    """Indicator of the clients with the largest loss, (..., N)."""
    return xp.indicator(excess >= xp.largest(excess)[..., None], excess)


@hypothesis("one worst client", r"|J_t|=1", where="FedMax (eqs. 15, 21, 22)")
def single(w: World) -> Array:
    """Where the first round begins: the two largest losses differ."""
    return 1 - xp.total(worst_served(q.excess_at(w, w.run().theta[..., 0, :])))


@statement(
    "aggregation.strategy.fedmax/model",
    where=STRATEGIES,
    kind="claim",
    family=ONE_ROUND,
    title="the global model is the worst client's",
    relation="==",
    over="path",
    latex=r"|J_t|=1\Rightarrow w_{t+E}=w_{t+E}^{j},\ j=\arg\max_iF_i(w_t)-F_i^\star",
    given=[single],
    defines={"step_sizes": q.free_steps},
    note="""The new global model is the local model of the client worst served where the round
    began.""",
)
def worst_client(w: World) -> Sides:
    chosen = worst_served(q.excess_at(w, w.run().theta[..., 0, :]))
    model = xp.total(chosen[..., None] * _local_models(w), axis=-2)
    final = w.run().theta[..., w.local_steps, :]
    return {"|w|": xp.squared_norm(final)}, {"|w of the worst|": xp.squared_norm(model)}


# -- FedMax(k) and power of choice -------------------------------------------------------------

_SHAPES = ({"N": 2, "count": 1}, {"N": 3, "count": 2})
CHOICE = numbers(
    {
        "excess": symbols.EXCESS,
        "minimum": Real(-8, 8, unit=(1, 0), per=("N",)),
        "share": symbols.SHARE,
    },
    *_SHAPES,
    about="any losses and minima, all clients asked",
)
SAME_MINIMUM = numbers(
    {"excess": symbols.EXCESS, "minimum": Real(-8, 8, unit=(1, 0))},
    *_SHAPES,
    about="any losses over one minimum",
)


@statement(
    "aggregation.strategy.fedmaxk/choice@uniform",
    where=STRATEGIES,
    kind="claim",
    family=CHOICE,
    title="FedMax(k) is power of choice",
    relation="==",
    latex=r"\alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}",
    note="Power of choice ranks F_i, FedMax(k) ranks F_i - F_i*; all clients are asked.",
)
def choice(w: World) -> Sides:
    chosen = rules.fedmaxk_weights(w.excess + w.minimum, w.count)
    return {"FedMax(k)": rules.fedmaxk_weights(w.excess, w.count)}, {"power of choice": chosen}


@choice.like(
    "aggregation.strategy.fedmaxk/choice@by-shares",
    latex=choice.latex,
    note="FedMax(k) weighted by p over the chosen clients.",
)
def choice_shares(w: World) -> Sides:
    share = q.normalised(w.share)
    return {"FedMax(k)": rules.fedmaxk_weights(w.excess, w.count, share)}, choice(w)[1]


@choice.like(
    "aggregation.strategy.fedmaxk.repaired/choice",
    latex=r"F_i^\star=F_j^\star\Rightarrow\alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}",
    family=SAME_MINIMUM,
    note="Equal minima, equal weights inside the k.",
    proof="""A common constant added to all losses changes no rank; ties are broken by the number of
    the client in both.""",
)
def choice_repaired(w: World) -> Sides:
    chosen = rules.fedmaxk_weights(w.excess + w.minimum[..., None], w.count)
    return {"FedMax(k)": rules.fedmaxk_weights(w.excess, w.count)}, {"power of choice": chosen}


# -- FedSoftMax --------------------------------------------------------------------------------

SOFT = symbols.at_one_point(
    *symbols.FEW,
    temperature=symbols.TEMPERATURE,
    about="any losses at one point, any shares and temperature",
)
SOFT_RUNS = runs(*(size(2, 2, e, "fedsoftmax") for e in (1, 2)))


def soft_weights(w: World) -> Array:
    """Weights of FedSoftMax at one point, (..., N)."""
    return rules.fedsoftmax_weights(w.excess, q.normalised(w.share), w.temperature)


@statement(
    "aggregation.strategy.fedsoftmax/nonzero",
    where=STRATEGIES,
    kind="claim",
    family=SOFT,
    title="nonzero weights",
    latex=r"\alpha_t^i>0",
    relation="==",
    note="Every client has a weight: counted are the positive ones.",
)
def nonzero(w: World) -> Sides:
    weights = soft_weights(w)
    positive = xp.total(xp.indicator(weights > 0, weights))
    return {"positive weights": positive}, {"N": w.excess.shape[-1]}


@statement(
    "aggregation.strategy.fedsoftmax.explicit/weights",
    where=STRATEGIES,
    kind="claim",
    family=SOFT,
    title="the smallest weight",
    latex=r"\alpha_t^i\ge p_ie^{-(\max x-x_i)/T}",
    note="alpha_i >= p_i exp(-(max x - x_i)/T), the smallest weight that a temperature leaves.",
    proof="alpha_i = p_i e^{x_i/T}/sum_j p_j e^{x_j/T}, and the sum is at most e^{max x/T}.",
)
def floor(w: World) -> Sides:
    share = q.normalised(w.share)
    below = (w.excess - xp.largest(w.excess)[..., None]) / w.temperature[..., None]
    return {"p e^-(range/T)": share * xp.exp(below)}, {"alpha": soft_weights(w)}


def _error(w: World, pi: Array) -> Array:
    """Bound of E at a smallest ratio."""
    return closed.learning_error_of_weights_upper(
        w.mu, w.beta, w.gap, pi, xp.smallest(w.client_weights), w.client_weights.shape[-1]
    )


@statement(
    "aggregation.strategy.fedsoftmax/error",
    where=STRATEGIES,
    kind="claim",
    family=SOFT_RUNS,
    title="error bounded by eq. 19",
    over="mean",
    given=[q.heterogeneous],
    defines=RATIOS,
    latex=r"\mathcal E\le\lambda_2\Bigl(\frac1{\pi\min p_i}-N\Bigr)",
    uses=("aggregation.eq19",),
    note="Eq. 19 at the smallest ratio of the run.",
)
def error(w: World) -> Sides:
    own = closed.learning_error(w.mu, w.beta, w.gap, w.low, w.high)
    return {"E": own}, {"bound": _error(w, w.least_ratio)}


def _spread(w: World) -> Array:
    """Minus the least of min x - max x over rounds and outcomes, (B, 1)."""
    served = [q.excess_at(w, w.run().theta[..., t, :]) for t in q.times(w, "loop")]
    return -q.least(xp.stack([xp.smallest(x) - xp.largest(x) for x in served], -1))


@error.like(
    "aggregation.strategy.fedsoftmax.explicit/error",
    title="eq. 19 by temperature",
    latex=r"\ldots\le\frac1{T+\gamma}\Bigl[C+\lambda_1e^{R/T}\Bigr]+\lambda_2\Bigl(\frac{e^{R/T}}{\min p_i}-N\Bigr)",
    defines={**RATIOS, "spread": _spread},
    uses=("aggregation.eq19",),
    note="Eq. 19 with pi >= exp(-R/T), R the largest range of the losses at the aggregated models.",
    proof="""kappa_i = e^{x_i/T}/sum_j p_j e^{x_j/T} >= e^{-(max x - x_i)/T}; the bound of eq. 19
    falls as pi grows.""",
)
def error_by_temperature(w: World) -> Sides:
    pi = xp.exp(-w.spread / w.temperature)
    return by_weights(w, pi, _error(w, pi), "iterations")
