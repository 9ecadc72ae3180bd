"""What is said of FedAvg and FedMax, and eq. 20."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import fedmax_weights, weighting_skew
from verify.claim.families import numbers
from verify.claim.hypothesis import hypothesis
from verify.claim.parameters import Real
from verify.claim.statement import Sides, statement
from verify.statements.aggregation import error_free, remarks
from verify.statements.aggregation.quantities import (
    Array,
    excess_at,
    gap,
    heterogeneous,
    short_steps,
)
from verify.statements.aggregation.runs import runs, size
from verify.statements.aggregation.symbols import (
    EXCESS,
    FEW,
    NUMBERS,
    RAW,
    SHARE,
    STEPS,
    normalised,
)
from verify.statements.aggregation.theorem import RULES
from verify.world.world import World

# -- FedAvg ------------------------------------------------------------------------------------

STRATEGIES = "Section 2.3"
CONSTANTS = numbers(NUMBERS, *STEPS, about="any constants")
FINAL = runs(
    *(size(2, 2, e, rule, quiet=True) for e in (1, 2) for rule in RULES[1:]),
    about="runs without noise",
)

skew = remarks.shares_skew.variant(
    "aggregation.strategy.fedavg/skew", where=STRATEGIES, kind="claim", title="rho is one everywhere",
    family=numbers({"excess": EXCESS, "share": SHARE}, *FEW, about="any losses and shares"),
)
accuracy_error = remarks.no_error_below.variant(
    "aggregation.strategy.fedavg/accuracy@error-term", where=STRATEGIES, kind="claim",
    title="optimal in terms of accuracy", latex=r"\mathcal E\ge\mathcal E_{\mathrm{FedAvg}}=0",
)


@statement(
    "aggregation.strategy.fedavg/accuracy@finite-run", where=STRATEGIES, kind="claim", family=FINAL,
    title="optimal in terms of accuracy", latex=r"F(w_T^{\mathrm{FedAvg}})\le F(w_T^\alpha)",
    defines={"step_sizes": short_steps},
    note="F - F* after the same finite number of steps as another strategy.",
)
def accuracy(w: World) -> Sides:
    mine = w.run(rule="fedavg").theta[..., w.rounds, :]
    average = xp.total(w.client_weights * excess_at(w, mine))
    other = xp.total(w.client_weights * excess_at(w, w.run().theta[..., w.rounds, :]))
    return {"sum p x of FedAvg": average}, {"sum p x": other}


def _constants(w: World) -> dict[str, Any]:
    names = ("mu", "smoothness", "squared_gradient", "sigma2", "gap", "squared_start")
    return {name: w.symbol(name) for name in names}


def _fedavg_speed(w: World) -> dict[str, Array]:
    speed = closed.speed_constant(**_constants(w), low=1, local_steps=w.local_steps)
    return {"V at rho-bar = 1": speed}


@statement(
    "aggregation.eq20", where="eq. 20", kind="claim", title="speed of FedAvg", relation="==",
    latex=r"\mathcal V=\mathcal V_{\min}+\frac{4L-32\tau^2G^2+\sigma^2}{3\mu^2}", family=CONSTANTS,
    uses=("aggregation.V",),
    note="V at rho-bar = 1 against the printed display, which adds 4L to a squared gradient.",
)
def twenty(w: World) -> Sides:
    printed = closed.fedavg_speed_constant_printed(**_constants(w), local_steps=w.local_steps)
    return _fedavg_speed(w), {"V": printed}


@twenty.like(
    "aggregation.eq20.repaired", uses=("aggregation.V",),
    latex=r"\mathcal V=\mathcal V_{\min}+\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2}",
    note="V_min + 4L(32 E^2 G^2 + sigma^2)/(3 mu^2): a product where a difference is printed.",
    proof="rho is one everywhere for alpha = p; put rho-bar = 1 into V.",
)
def twenty_repaired(w: World) -> Sides:
    right = closed.fedavg_speed_constant(**_constants(w), local_steps=w.local_steps)
    return _fedavg_speed(w), {"V": right}


# -- FedMax ------------------------------------------------------------------------------------

ONE_ROUND = runs(*(size(n, e, e, "fedmax", quiet=True) for n in (2, 3) for e in (1, 2)))
RIVALS = runs(*(size(2, 2, 1, "fixed", quiet=True, d=d) for d in (1, 2)))
FAST = numbers(
    {**NUMBERS, "excess": Real(1 / 64, 8, unit=(1, 0), log=True, per=("N",)), "share": SHARE,
     "raw": RAW},
    *FEW, about="any losses at one point, any shares, weights and constants",
)


@statement(
    "aggregation.strategy.fedmax/bound@every-point", where=STRATEGIES, kind="claim", family=FAST,
    title="optimal bound on the speed",
    latex=r"\mathcal V(\rho_{\mathrm{FedMax}}(w))\le\mathcal V(\rho_\alpha(w))",
    note="V with rho at one and the same point: FedMax makes it smallest.",
)
def fastest(w: World) -> Sides:
    def speed(weights: Array) -> Array:
        low = weighting_skew(weights, w.excess, normalised(w.share))
        return closed.speed_constant(**_constants(w), low=low, local_steps=1)

    return {"V of FedMax": speed(fedmax_weights(w.excess))}, {"V": speed(normalised(w.raw))}


bound_on_runs = error_free.fedmax_on_runs.variant(
    "aggregation.strategy.fedmax/bound@run", where=STRATEGIES, title="optimal bound on the speed",
    family=RIVALS, given=[heterogeneous], defines={"step_sizes": short_steps, "gap": gap},
)


def _local_models(w: World) -> Array:
    """Every client's model after its E steps, (B, R, N, d)."""
    models = w.run().models[..., 0, :, :]
    for t in range(w.rounds):
        slope = w.problem.own_gradients(models)
        models = models - w.step_sizes[..., t, None, None] * slope
    return models


def _worst_served(excess: Array) -> Array:
    """Indicator of the clients with the largest loss, (..., N)."""
    return xp.indicator(excess >= xp.largest(excess)[..., None], excess)


@hypothesis("one worst client", r"|J_t|=1", where="Section 2.2, Gamma = 0 (eq. 15)")
def single(w: World) -> Array:
    """The two largest losses differ."""
    return 1 - xp.total(_worst_served(excess_at(w, w.run().theta[..., 0, :])))


@statement(
    "aggregation.strategy.fedmax/model", where=STRATEGIES, kind="claim", family=ONE_ROUND,
    title="the global model is the worst client's", relation="==", over="path",
    latex=r"|J_t|=1\Rightarrow w_{t+E}=w_{t+E}^{j},\ j=\arg\max_iF_i(w_t)-F_i^\star",
    given=[single], defines={"step_sizes": short_steps},
    note="The new global model is the local model of the client worst served where the round began.",
)
def worst_client(w: World) -> Sides:
    chosen = _worst_served(excess_at(w, w.run().theta[..., 0, :]))
    model = xp.total(chosen[..., None] * _local_models(w), axis=-2)
    final = w.run().theta[..., w.rounds, :]
    return {"|w|": xp.squared_norm(final)}, {"|w of the worst|": xp.squared_norm(model)}
