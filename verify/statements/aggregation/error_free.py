"""The case Gamma = 0: one iteration, T iterations, and what is said of the best strategy."""

from __future__ import annotations

from functools import partial

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import fedmax_weights, heterogeneity_gap, weighting_skew
from verify.claim import Array, Real, Sides, hypothesis, numbers, statement
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation import symbols
from verify.statements.aggregation.runs import runs, size
from verify.statements.aggregation.symbols import NUMBERS, some_excess
from verify.statements.aggregation.theorem import ONE_STEP, RULES, TWO_STEPS, short
from verify.world.world import World

SHARED = runs(*ONE_STEP, *TWO_STEPS, size(2, 2, 2, "fixed", quiet=True, d=2), shared=True)
SHARED_RUNS = runs(
    *(size(2, 2, e, rule) for e in (1, 2) for rule in RULES),
    size(2, 4, 2, "fixed", quiet=True, d=2), shared=True,
)
MEASURED = {**q.NOISE, "low": partial(q.skew_low, reading="rounds")}


@statement(
    "aggregation.eq13", where="eq. 13", title="one iteration, Gamma = 0", over="mean",
    latex=r"\mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\tfrac38\overline\rho))\mathbb E\|w_t-w^\star\|^2+\eta_t^2(32E^2G^2+\sigma^2)",
    family=SHARED, given=[q.not_at_optimum, short], uses=("aggregation.theorem3",),
    defines={"step_sizes": q.short_steps, **MEASURED},
    note="""Gamma = 0: rho-tilde has no value and none is needed. One minimiser for all clients.

    The ends of a round suffice for rho-bar here: no local step leads away from w*, so that |w_t -
    w*| is largest where the round begins.""",
)
def iteration(w: World) -> Sides:
    eta, before = w.step_sizes[..., w.at], q.distance(w, w.at)
    right = closed.one_round_upper(
        before, eta, w.mu, w.beta, w.G2, w.sigma2_max, 0, w.low, 0, w.local_steps
    )
    kept = {name: right[name] for name in ("contraction", "noise")}
    return {"E|w+ - w*|^2": q.distance(w, w.at + 1)}, kept


def speed_without_gap(w: World) -> Array:
    """V at Gamma = 0 over T + gamma."""
    speed = closed.speed_constant(
        w.mu, w.beta, w.G2, w.sigma2_max, 0, w.distance0, w.low, w.local_steps
    )
    return speed / (w.delay + w.rounds)


@statement(
    "aggregation.eq14", where="eq. 14", kind="corollary", title="T iterations, Gamma = 0",
    latex=r"\mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\Bigl[\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2\overline\rho}+\frac{L\gamma\|w^0-w^\star\|^2}2\Bigr]",
    over="mean", family=SHARED_RUNS, given=[q.not_at_optimum], defines={**q.HORIZON, **MEASURED},
    uses=("aggregation.eq13",),
    note="Gamma = 0: one minimiser for all clients. Then rho <= L/mu, so 1 + 3 rho-bar/8 <= 4L/mu.",
)
def iterations(w: World) -> Sides:
    return {"E F(w_T) - F*": q.suboptimality(w, w.rounds)}, {"speed": speed_without_gap(w)}


# -- "corresponds to an IID dataset" -----------------------------------------------------------

ERROR_FREE = "Section 2.2, Gamma = 0 (eq. 15)"


@statement(
    "aggregation.errorfree/iid@if", where=ERROR_FREE, kind="claim", title="identical clients",
    latex=r"F_i=F_j\Rightarrow\Gamma=0", relation="==", defines={"gap": q.gap},
    family=runs(
        *(size(n, 1, 1, "fedavg", quiet=True, d=d) for n, d in ((2, 1), (3, 2))), alike=True
    ),
    note="""All losses equal, hence one minimiser.

    Compared are F* and sum p_i F_i*, both raised by the loss at the start so that they are not
    zero.""",
)
def alike(w: World) -> Sides:
    base = heterogeneity_gap(q.excess_at(w, w.start), w.client_weights)
    return {"F* + F(w_0)": w.gap + base}, {"sum p_i F_i* + F(w_0)": base}


@statement(
    "aggregation.errorfree/iid@only-if", where=ERROR_FREE, kind="claim", title="identical clients",
    latex=r"\Gamma=0\Rightarrow F_i-F_i^\star=F_j-F_j^\star", relation="==",
    family=runs(
        *(size(2, 1, 1, "fedavg", quiet=True, d=d) for d in (1, 2)), shared=True,
        extra={"point": Real(-4, 4, unit=(0, 1), per=("d",))},
    ),
    note="One minimiser does not make the losses equal: two curvatures.",
)
def equal_losses(w: World) -> Sides:
    values = q.excess_at(w, w.point)
    return {"F_1(w) - F_1*": values[..., 0]}, {"F_2(w) - F_2*": values[..., 1]}


CLIENTS = symbols.at_one_point(
    *symbols.SIZES[1:], raw=symbols.RAW, about="any losses at one point, any shares and weights"
)
RIVALS = runs(*(size(2, 2, 1, "fixed", quiet=True, d=d) for d in (1, 2)), shared=True)
_KEPT = ("mu", "smoothness", "squared_gradient", "sigma2", "squared_start")
BOUND = numbers(
    {**{k: NUMBERS[k] for k in _KEPT}, "low": symbols.LOW, "more": Real(0, 8)},
    about="any constants",
)


@statement(
    "aggregation.errorfree/optimal@bound", where=ERROR_FREE, kind="claim", family=BOUND,
    title="the bound falls with rho-bar",
    latex=r"\mathcal V(\rho')\le\mathcal V(\rho)\text{ for }\rho'\ge\rho",
    note="The bound of eq. 14 falls as rho-bar grows.",
)
def bound_falls(w: World) -> Sides:
    def bound(low: Array) -> Array:
        return closed.speed_constant(
            w.mu, w.smoothness, w.squared_gradient, w.sigma2, 0, w.squared_start, low, 1
        )

    return {"bound at rho + excess": bound(w.low + w.more)}, {"bound at rho": bound(w.low)}


@statement(
    "aggregation.errorfree/fedmax@every-point", where=ERROR_FREE, kind="claim", family=CLIENTS,
    title="FedMax maximises rho-bar", latex=r"\rho_\alpha(w)\le\rho_{\mathrm{FedMax}}(w)",
    given=[some_excess],
    note="""At every single point no weights give a larger rho than FedMax's.

    A mean is at most the largest entry. Tight where the weights sit on the badly served.""",
)
def greedy(w: World) -> Sides:
    share, weights = q.normalised(w.share), q.normalised(w.raw)
    largest = weighting_skew(fedmax_weights(w.excess), w.excess, share)
    return {"rho": weighting_skew(weights, w.excess, share)}, {"rho of FedMax": largest}


@hypothesis(
    "away from w*", r"F(w_t^\alpha),F(w_t^{\mathrm{FedMax}})\ne F(w^\star)\text{ for all }t",
    where="footnote 2", strict=True,
)
def both_apart(w: World) -> Array:
    models = [w.run(rule=rule).theta for rule in ("fixed", "fedmax")]
    return xp.squared_norm(xp.stack(models, -2) - w.problem.optimum[..., :1, None, :])


@statement(
    "aggregation.errorfree/fedmax@run", where=ERROR_FREE, kind="claim", family=RIVALS,
    title="FedMax maximises rho-bar", latex=r"\overline\rho_\alpha\le\overline\rho_{\mathrm{FedMax}}",
    given=[both_apart], defines={"step_sizes": q.short_steps},
    note="Both strategies run on their own; FedMax may lead to where every rho is small.",
)
def fedmax_on_runs(w: World) -> Sides:
    own = q.low_of(w, "fedmax")
    return {"rho-bar": q.low_of(w, "fixed")}, {"rho-bar of FedMax": own}


@fedmax_on_runs.like(
    "aggregation.errorfree/optimal@gap", title="FedMax is the truly optimal algorithm",
    latex=r"F(w_T^{\mathrm{FedMax}})\le F(w_T^\alpha)",
    note="F - F* after the same number of steps, FedMax against fixed weights.",
)
def fedmax_gap(w: World) -> Sides:
    def gap_of(rule: str) -> Array:
        theta = w.run(rule=rule).theta[..., w.rounds, :]
        return xp.total(w.client_weights * q.excess_at(w, theta))

    return {"gap of FedMax": gap_of("fedmax")}, {"gap": gap_of("fixed")}
