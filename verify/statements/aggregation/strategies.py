"""What is said of FedAvg and FedMax, and eq. 20."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import (
    fedmax_weights,
    weighting_skew,
)
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import (
    HETEROGENEOUS,
    NUMBERS,
    excess_at,
    gap,
    heterogeneous,
    numbers,
    runs,
    short_steps,
    size,
    source,
)
from verify.statements.aggregation.error_free import along_runs
from verify.statements.aggregation.points import (
    EXCESS,
    FEW,
    RAW,
    SHARE,
    SOME_EXCESS,
    claim_on,
    normalised,
    some_excess,
)
from verify.statements.aggregation.remarks import LONG, endless, no_error_below, shares_skew
from verify.statements.aggregation.theorem import RULES
from verify.world.world import World

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
    {**NUMBERS, "excess": Real(1 / 64, 8, unit=(1, 0), log=True, per=("N",)), "share": SHARE,
     "raw": RAW},
    *FEW, about="any losses at one point, any shares, weights and constants",
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


_V20 = r"\mathcal V=\mathcal V_{\min}+"

STATEMENTS = (
    Statement(
        **claim_on("fedavg/skew"), title="rho is one everywhere", latex=r"\alpha=p\Rightarrow\rho\equiv1",
        family=numbers({"excess": EXCESS, "share": SHARE}, *FEW, about="any losses and shares"),
        sides=shares_skew, relation="==", given=some_excess, strict=SOME_EXCESS,
    ),
    Statement(
        **claim_on("fedavg/accuracy@error-term"), title="optimal in terms of accuracy",
        latex=r"\mathcal E\ge\mathcal E_{\mathrm{FedAvg}}=0", family=LONG, sides=no_error_below,
        **endless(),
    ),
    Statement(
        **claim_on("fedavg/accuracy@finite-run"), title="optimal in terms of accuracy",
        latex=r"F(w_T^{\mathrm{FedAvg}})\le F(w_T^\alpha)", family=FINAL, sides=_accuracy,
        defines={"step_sizes": short_steps},
    ),
    Statement(
        **claim_on("fedmax/bound@every-point"), title="optimal bound on the speed", family=FAST,
        latex=r"\mathcal V(\rho_{\mathrm{FedMax}}(w))\le\mathcal V(\rho_\alpha(w))", sides=_fastest,
    ),
    Statement(
        **claim_on("fedmax/bound@run"), title="optimal bound on the speed", family=RIVALS,
        latex=r"\overline\rho_\alpha\le\overline\rho_{\mathrm{FedMax}}", sides=along_runs,
        defines={"step_sizes": short_steps, "gap": gap}, given=heterogeneous, strict=HETEROGENEOUS,
    ),
    Statement(
        **claim_on("fedmax/model"), title="the global model is the worst client's", family=ONE_ROUND,
        latex=r"|J_t|=1\Rightarrow w_{t+E}=w_{t+E}^{j},\ j=\arg\max_iF_i(w_t)-F_i^\star",
        sides=_worst_client, relation="==", over="path", given=_single,
        defines={"step_sizes": short_steps},
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
