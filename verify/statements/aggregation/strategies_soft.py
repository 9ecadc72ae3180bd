"""What is said of FedMax(k) and FedSoftMax."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import (
    aggregation_weights,
    fedmaxk_weights,
)
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.chain import RATIOS
from verify.statements.aggregation.common import (
    HETEROGENEOUS,
    excess_at,
    heterogeneous,
    least,
    numbers,
    open_claim,
    runs,
    size,
    suboptimality,
)
from verify.statements.aggregation.points import (
    EXCESS,
    FEW,
    SHARE,
    TEMPERATURE,
    claim_on,
    normalised,
)
from verify.world.world import World

# -- FedMax(k) and power of choice -------------------------------------------------------------

CHOICE = numbers(
    {"excess": EXCESS, "minimum": Real(-8, 8, unit=(1, 0), per=("N",)), "share": SHARE},
    {"N": 2, "count": 1}, {"N": 3, "count": 2}, about="any losses and minima, all clients asked",
)  # fmt: skip
SAME_MINIMUM = numbers(
    {"excess": EXCESS, "minimum": Real(-8, 8, unit=(1, 0))},
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
    {"excess": EXCESS, "share": SHARE, "temperature": TEMPERATURE}, *FEW,
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


STATEMENTS = (
    Statement(
        **claim_on("fedmaxk/choice@one-minimum"), title="FedMax(k) is power of choice",
        latex=r"F_i^\star=F_j^\star\Rightarrow\alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}",
        family=SAME_MINIMUM, sides=_choice_same, relation="==", given=apart,
        strict=frozenset({"no ties"}),
    ),
    Statement(
        **claim_on("fedmaxk/choice@any-minima"), title="FedMax(k) is power of choice",
        latex=r"\alpha_{\mathrm{FedMax}(k)}=\alpha_{\mathrm{PoC}}", family=CHOICE, sides=_choice,
        relation="==", given=apart, strict=frozenset({"no ties"}),
    ),
    Statement(
        **claim_on("fedmaxk/choice@shares"), title="FedMax(k) is power of choice",
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
        **claim_on("fedsoftmax/nonzero"), title="nonzero weights", latex=r"\alpha_t^i>0", family=SOFT,
        sides=_nonzero, relation="==",
    ),
    Statement(
        **claim_on("fedsoftmax/error"), title="error bounded by eq. 19", family=SOFT_RUNS, over="mean",
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
        **{**claim_on("fedsoftmax.explicit/weights"), "form": "explicit"}, title="the smallest weight",
        latex=r"\alpha_t^i\ge p_ie^{-(\max x-x_i)/T}", family=SOFT, sides=_floor,
    ),
    Statement(
        **{**claim_on("fedsoftmax.explicit/error"), "form": "explicit"}, title="eq. 19 by temperature",
        latex=r"\ldots\le\frac1{T+\gamma}\Bigl[C+\lambda_1e^{R/T}\Bigr]+\lambda_2\Bigl(\frac{e^{R/T}}{\min p_i}-N\Bigr)",
        family=SOFT_RUNS, sides=_error_by_temperature, over="mean", given=heterogeneous,
        strict=HETEROGENEOUS, defines={**RATIOS, "spread": _spread}, uses=("aggregation.eq19",),
    ),
)  # fmt: skip
