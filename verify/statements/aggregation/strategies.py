"""What is said of the four strategies, and eq. 20."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import (
    aggregation_weights,
    fedmax_weights,
    fedmaxk_weights,
    weighting_skew,
)
from verify.parameters import Real
from verify.statement import Statement, Terms
from verify.statements.aggregation.chain import (
    RATIO,
    RATIOS,
    _no_error_below,
    _shares_skew,
    _some_excess,
)
from verify.statements.aggregation.common import (
    HETEROGENEOUS,
    NUMBERS,
    excess_at,
    gap,
    heterogeneous,
    least,
    numbers,
    open_claim,
    runs,
    short_steps,
    size,
    source,
    suboptimality,
)
from verify.statements.aggregation.error_free import _along, normalised
from verify.statements.aggregation.theorem import RULES
from verify.world import World

_SHARE = Real(1 / 64, 1, log=True, per=("N",))
_EXCESS = Real(0, 8, unit=(1, 0), per=("N",))
_SIZES: tuple[dict[str, Any], ...] = ({"N": 2}, {"N": 3})
TEMPERATURE = Real(1 / 4, 16, unit=(1, 0), log=True)

# -- FedAvg ------------------------------------------------------------------------------------

CONSTANTS = numbers(NUMBERS, {"local_steps": 1}, {"local_steps": 3}, about="any constants")
FINAL = runs(
    *(size(2, 2, e, rule, quiet=True) for e in (1, 2) for rule in RULES[1:]),
    about="runs without noise",
)  # fmt: skip


def _accuracy(w: World) -> tuple[Terms, Terms]:
    """F - F* after the same finite number of steps as another strategy."""
    mine = w.run(rule="fedavg").theta[..., w.rounds, :]
    average = xp.total(w.client_weights * excess_at(w, mine))
    other = xp.total(w.client_weights * excess_at(w, w.run().theta[..., w.rounds, :]))
    return {"sum p x of FedAvg": average}, {"sum p x": other}


def _constants(w: World) -> dict[str, Any]:
    names = ("mu", "smoothness", "squared_gradient", "sigma2", "gap", "squared_start")
    return {name: w.symbol(name) for name in names}


def _fedavg_speed(w: World) -> Any:
    return closed.speed_constant(**_constants(w), low=1, local_steps=w.local_steps)


def _twenty(w: World) -> tuple[Terms, Terms]:
    """V at rho-bar = 1 against the printed display, which adds 4L to a squared gradient."""
    printed = closed.fedavg_speed_constant_printed(**_constants(w), local_steps=w.local_steps)
    return {"V at rho-bar = 1": _fedavg_speed(w)}, {"V": printed}


def _twenty_repaired(w: World) -> tuple[Terms, Terms]:
    """V_min + 4L(32 E^2 G^2 + sigma^2)/(3 mu^2): a product where a difference is printed.

    Proof. rho is one everywhere for alpha = p; put rho-bar = 1 into V.
    """
    return {"V at rho-bar = 1": _fedavg_speed(w)}, {
        "V": closed.fedavg_speed_constant(**_constants(w), local_steps=w.local_steps)
    }


# -- FedMax ------------------------------------------------------------------------------------

ONE_ROUND = runs(*(size(n, e, e, "fedmax", quiet=True) for n in (2, 3) for e in (1, 2)))
RIVALS = runs(*(size(2, 2, 1, "fixed", quiet=True, d=d) for d in (1, 2)))


def _speed_of(w: World, weights: Any) -> Any:
    low = weighting_skew(weights, w.excess, normalised(w.share))
    return closed.speed_constant(**_constants(w), low=low, local_steps=1)


FAST = numbers(
    {**NUMBERS, "excess": Real(1 / 64, 8, unit=(1, 0), log=True, per=("N",)), "share": _SHARE,
     "raw": Real(1 / 256, 1, log=True, per=("N",))},
    *_SIZES, about="any losses at one point, any shares, weights and constants",
)  # fmt: skip


def _fastest(w: World) -> tuple[Terms, Terms]:
    """V with rho at one and the same point: FedMax makes it smallest."""
    return {"V of FedMax": _speed_of(w, fedmax_weights(w.excess))}, {
        "V": _speed_of(w, normalised(w.raw))
    }


def _worst_client(w: World) -> tuple[Terms, Terms]:
    """The new global model is the local model of the client worst served where the round began."""
    first = excess_at(w, w.run().theta[..., 0, :])
    chosen = xp.indicator(first >= xp.largest(first)[..., None], first)
    models = _local_models(w)
    return {"|w|": xp.squared_norm(w.run().theta[..., w.rounds, :])}, {
        "|w of the worst|": xp.squared_norm(xp.total(chosen[..., None] * models, axis=-2))
    }


def _local_models(w: World) -> Any:
    """Every client's model after its E steps, (B, R, N, d)."""
    models = w.run().models[..., 0, :, :]
    for t in range(w.rounds):
        slope = w.problem.own_gradients(models)
        models = models - w.step_sizes[..., t, None, None] * slope
    return models


def _single(w: World) -> Terms:
    """|J| = 1: the two largest losses differ."""
    first = excess_at(w, w.run().theta[..., 0, :])
    top = xp.largest(first)
    ties = xp.total(xp.indicator(first >= top[..., None], first))
    return {"one worst client": 1 - ties}


# -- FedMax(k) and power of choice -------------------------------------------------------------

CHOICE = numbers(
    {"excess": _EXCESS, "minimum": Real(-8, 8, unit=(1, 0), per=("N",)), "share": _SHARE},
    {"N": 2, "count": 1}, {"N": 3, "count": 2}, about="any losses and minima, all clients asked",
)  # fmt: skip
SAME_MINIMUM = numbers(
    {"excess": _EXCESS, "minimum": Real(-8, 8, unit=(1, 0))},
    {"N": 2, "count": 1}, {"N": 3, "count": 2}, about="any losses over one minimum",
)  # fmt: skip


def _choice(w: World) -> tuple[Terms, Terms]:
    """Power of choice ranks by F_i(w), FedMax(k) by F_i(w) - F_i*; the weights of both, per client."""
    return {"FedMax(k)": fedmaxk_weights(w.excess, w.count)}, {
        "power of choice": fedmaxk_weights(w.excess + w.minimum, w.count)
    }


def _choice_same(w: World) -> tuple[Terms, Terms]:
    """Equal where the minima are equal, all clients are asked and both average uniformly."""
    return {"FedMax(k)": fedmaxk_weights(w.excess, w.count)}, {
        "power of choice": fedmaxk_weights(w.excess + w.minimum[..., None], w.count)
    }


def _choice_shares(w: World) -> tuple[Terms, Terms]:
    """FedMax(k) weighted by p over the chosen clients."""
    share = normalised(w.share)
    return {"FedMax(k)": fedmaxk_weights(w.excess, w.count, share)}, {
        "power of choice": fedmaxk_weights(w.excess + w.minimum, w.count)
    }


def apart(w: World) -> Terms:
    """No two clients have one loss."""
    first, second = w.excess[..., :, None], w.excess[..., None, :]
    eye = xp.eye(w.excess.shape[-1], w.excess)
    return {"no ties": (first - second) ** 2 + eye}


# -- FedSoftMax --------------------------------------------------------------------------------

SOFT = numbers(
    {"excess": _EXCESS, "share": _SHARE, "temperature": TEMPERATURE}, *_SIZES,
    about="any losses at one point, any shares and temperature",
)  # fmt: skip
SOFT_RUNS = runs(*(size(2, 2, e, "fedsoftmax") for e in (1, 2)))


def _weights(w: World) -> Any:
    return aggregation_weights("fedsoftmax", w.excess, normalised(w.share), temperature=w.temperature)


def _nonzero(w: World) -> tuple[Terms, Terms]:
    """Every client has a weight: counted are the positive ones."""
    weights = _weights(w)
    return {"positive weights": xp.total(xp.indicator(weights > 0, weights))}, {
        "N": w.excess.shape[-1]
    }


def _floor(w: World) -> tuple[Terms, Terms]:
    """alpha_i >= p_i exp(-(max x - x_i)/T), the smallest weight that a temperature leaves.

    Proof. alpha_i = p_i e^{x_i/T}/sum_j p_j e^{x_j/T}, and the sum is at most e^{max x/T}.
    """
    share = normalised(w.share)
    below = (w.excess - xp.largest(w.excess)[..., None]) / w.temperature[..., None]
    return {"p e^-(range/T)": share * xp.exp(below)}, {"alpha": _weights(w)}


def _error_by_temperature(w: World) -> tuple[Terms, Terms]:
    """Eq. 19 with pi >= exp(-R/T), R the largest range of the losses at the aggregated models.

    Proof. kappa_i = e^{x_i/T}/sum_j p_j e^{x_j/T} >= e^{-(max x - x_i)/T}; the bound of eq. 19 falls
    as pi grows.
    """
    pi = xp.exp(-w.spread / w.temperature)
    speed = closed.speed_constant(
        w.mu, w.beta, w.G2, w.sigma2_max, w.gap, w.distance0, pi, w.local_steps
    )
    error = closed.learning_error_of_weights_upper(
        w.mu, w.beta, w.gap, pi, xp.smallest(w.client_weights), w.client_weights.shape[-1]
    )
    right = closed.aggregation_bound_upper(speed, error, w.delay, w.rounds)
    return {"E F(w_T) - F*": suboptimality(w, w.rounds)}, right


def _nineteen(w: World) -> tuple[Terms, Terms]:
    """Eq. 19 at the smallest ratio of the run."""
    error = closed.learning_error_of_weights_upper(
        w.mu, w.beta, w.gap, w.least_ratio, xp.smallest(w.client_weights),
        w.client_weights.shape[-1],
    )  # fmt: skip
    return {"E": closed.learning_error(w.mu, w.beta, w.gap, w.low, w.high)}, {"bound": error}


def _spread(w: World) -> Any:
    """Minus the least of min x - max x over rounds and outcomes, (B, 1)."""
    found = []
    for t in range(0, w.rounds, w.local_steps):
        excess = excess_at(w, w.run().theta[..., t, :])
        found.append(xp.smallest(excess) - xp.largest(excess))
    return -least(xp.stack(found, -1))


def _of(name: str, where: str = "Section 2.3") -> dict[str, Any]:
    return {
        "key": f"aggregation.strategy.{name}", "source": source(where), "kind": "claim",
    }  # fmt: skip




_POSITIVE_RHO = frozenset({"F(w) differs from sum p F*"})
_V20 = r"\mathcal V=\mathcal V_{\min}+"

STATEMENTS = (
    Statement(
        **_of("fedavg/skew"), title="rho is one everywhere", latex=r"\alpha=p\Rightarrow\rho\equiv1",
        family=numbers({"excess": _EXCESS, "share": _SHARE}, *_SIZES, about="any losses and shares"),
        sides=_shares_skew, relation="==", given=_some_excess, strict=_POSITIVE_RHO,
    ),
    Statement(
        **_of("fedavg/accuracy@error-term"), title="optimal in terms of accuracy",
        latex=r"\mathcal E\ge\mathcal E_{\mathrm{FedAvg}}=0", family=RATIO, sides=_no_error_below,
        given=lambda w: {"rho-bar at most rho-tilde": w.high - w.low},
    ),
    Statement(
        **_of("fedavg/accuracy@finite-run"), title="optimal in terms of accuracy",
        latex=r"F(w_T^{\mathrm{FedAvg}})\le F(w_T^\alpha)", family=FINAL, sides=_accuracy,
        defines={"step_sizes": short_steps},
    ),
    Statement(
        **_of("fedmax/bound@every-point"), title="optimal bound on the speed", family=FAST,
        latex=r"\mathcal V(\rho_{\mathrm{FedMax}}(w))\le\mathcal V(\rho_\alpha(w))", sides=_fastest,
    ),
    Statement(
        **_of("fedmax/bound@run"), title="optimal bound on the speed", family=RIVALS,
        latex=r"\overline\rho_\alpha\le\overline\rho_{\mathrm{FedMax}}", sides=_along,
        defines={"step_sizes": short_steps, "gap": gap}, given=heterogeneous, strict=HETEROGENEOUS,
    ),
    Statement(
        **_of("fedmax/model"), title="the global model is the worst client's", family=ONE_ROUND,
        latex=r"|J_t|=1\Rightarrow w_{t+E}=w_{t+E}^{j},\ j=\arg\max_iF_i(w_t)-F_i^\star",
        sides=_worst_client, relation="==", over="path", given=_single,
        defines={"step_sizes": short_steps},
    ),
    Statement(
        **_of("fedmaxk/choice@one-minimum"), title="FedMax(k) is power of choice",
        latex=r"F_i^\star=F_j^\star\Rightarrow\alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}",
        family=SAME_MINIMUM, sides=_choice_same, relation="==", given=apart,
        strict=frozenset({"no ties"}),
    ),
    Statement(
        **_of("fedmaxk/choice@any-minima"), title="FedMax(k) is power of choice",
        latex=r"\alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}", family=CHOICE, sides=_choice,
        relation="==", given=apart, strict=frozenset({"no ties"}),
    ),
    Statement(
        **_of("fedmaxk/choice@shares"), title="FedMax(k) is power of choice",
        latex=r"\alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}", family=CHOICE,
        sides=_choice_shares, relation="==", given=apart, strict=frozenset({"no ties"}),
    ),
    open_claim(
        "strategy.fedmaxk/practice", "claim", "Section 3",
        r"\text{FedMax}(k),\text{FedSoftMax}\text{ improve real-world performance}",
        "performance in practice",
        "tasks, k, seeds and the runs without these strategies are not given, and the claim is "
        "qualitative; both strategies are in the package",
    ),
    Statement(
        **_of("fedsoftmax/nonzero"), title="nonzero weights", latex=r"\alpha_t^i>0", family=SOFT,
        sides=_nonzero, relation="==",
    ),
    Statement(
        **_of("fedsoftmax/error"), title="error bounded by eq. 19", family=SOFT_RUNS, over="mean",
        latex=r"\mathcal E\le\lambda_2\Bigl(\frac1{\pi\min p_i}-N\Bigr)", sides=_nineteen,
        given=heterogeneous, strict=HETEROGENEOUS, defines=RATIOS, uses=("aggregation.eq19",),
    ),
    open_claim(
        "strategy.fedsoftmax/stability", "claim", "Section 2.3",
        r"\text{FedSoftMax is more stable than FedMax}", "stability",
        "a definition of stability; of the weights it is true in the sense that they are smooth in "
        "the losses at every T > 0 and jump at ties for FedMax",
    ),
    Statement(
        **{**_of("fedsoftmax.explicit/weights"), "form": "explicit"}, title="the smallest weight",
        latex=r"\alpha_t^i\ge p_ie^{-(\max x-x_i)/T}", family=SOFT, sides=_floor,
    ),
    Statement(
        **{**_of("fedsoftmax.explicit/error"), "form": "explicit"}, title="eq. 19 by temperature",
        latex=r"\ldots\le\frac1{T+\gamma}\Bigl[C+\lambda_1e^{R/T}\Bigr]+\lambda_2\Bigl(\frac{e^{R/T}}{\min p_i}-N\Bigr)",
        family=SOFT_RUNS, sides=_error_by_temperature, over="mean", given=heterogeneous,
        strict=HETEROGENEOUS, defines={**RATIOS, "spread": _spread}, uses=("aggregation.eq19",),
    ),
    Statement(
        key="aggregation.eq20", source=source("eq. 20"), kind="claim", title="speed of FedAvg",
        latex=_V20 + r"\frac{4L-32\tau^2G^2+\sigma^2}{3\mu^2}", family=CONSTANTS, sides=_twenty,
        relation="==", uses=("aggregation.V",),
    ),
    Statement(
        key="aggregation.eq20.repaired", source=source("eq. 20"), kind="claim", form="repaired",
        title="speed of FedAvg", latex=_V20 + r"\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2}",
        family=CONSTANTS, sides=_twenty_repaired, relation="==", uses=("aggregation.V",),
    ),
)  # fmt: skip
