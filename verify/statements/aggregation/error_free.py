"""The case Gamma = 0: one iteration, T iterations, and what is said of the best strategy."""

from __future__ import annotations

from functools import partial
from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import fedmax_weights, heterogeneity_gap, weighting_skew
from verify.claim import (
    Array,
    Family,
    Real,
    Shape,
    Sides,
    Statement,
    Terms,
    hypothesis,
    numbers,
    statement,
)
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation import symbols
from verify.statements.aggregation.corollary import HORIZONS, reached
from verify.statements.aggregation.runs import runs, section2, size
from verify.statements.aggregation.space import spaced
from verify.statements.aggregation.symbols import NUMBERS, some_excess
from verify.statements.aggregation.theorem import ONE_STEP, RULES, TWO_STEPS
from verify.world.world import World

_LOOP = (*ONE_STEP, *TWO_STEPS, size(2, 2, 2, "fixed", quiet=True, d=2))
_LOOP2 = section2(*(size(2, 3, 2, rule, at=at) for at in (1, 2) for rule in ("fedavg", "fixed")))
_STEADY = tuple(
    size(2, 4, 2, rule, at=at, quiet=True)
    for at in (1, 3)
    for rule in ("fedavg", "fedmax", "steady")
)
"""One minimiser and d = 1 make rho the same at every point, so that the same weights in every round
have the same rho at all times."""
SHARED: dict[str, tuple[Shape, ...]] = {
    "section2+loop": _LOOP2,
    "section2+endless": section2(*_STEADY),
    "algorithm+loop": _LOOP,
    "algorithm+endless": _STEADY,
}
_WHOLE = (
    *(size(2, 2, e, rule) for e in (1, 2) for rule in RULES),
    size(2, 4, 2, "fixed", quiet=True, d=2),
)
SHARED_RUNS: dict[str, tuple[Shape, ...]] = {
    "section2+loop": section2(*(s for s in _WHOLE if s["rule"] in ("fedavg", "fixed"))),
    "section2+endless": section2(*_STEADY),
    "algorithm+loop": _WHOLE,
    "algorithm+endless": _STEADY,
}


def _shared(options: str) -> Family:
    return runs(*SHARED[options], shared=True, paced=True)


MEASURED = {**q.FREE, "low": partial(q.skew_low, option="loop")}


@statement(
    "aggregation.eq13@run+section2+loop",
    where="eq. 13",
    title="one iteration, Gamma = 0",
    over="mean",
    latex=r"\mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\tfrac38\overline\rho))\mathbb E\|w_t-w^\star\|^2+\eta_t^2(32E^2G^2+\sigma^2)",
    family=_shared("section2+loop"),
    given=[q.not_at_optimum],
    uses=("aggregation.theorem3",),
    defines=MEASURED,
    note="""Gamma = 0: rho-tilde has no value and none is needed. One minimiser for all clients.

    A steep client soon rests while rho-bar, taken where the round began, still counts on it; steps
    that fall fast enough leave nothing else to pay for that.""",
)
def iteration(w: World) -> Sides:
    return {"E|w+ - w*|^2": q.distance(w, w.at + 1)}, without_gap(w, q.distance(w, w.at))


def without_gap(w: World, before: Array) -> Terms:
    """Right side at iteration ``at`` and Gamma = 0 for a squared distance before it."""
    right = closed.one_round_upper(
        before,
        w.step_sizes[..., w.at],
        w.mu,
        w.beta,
        w.G2,
        w.sigma2_max,
        0,
        w.low,
        0,
        w.local_steps,
    )
    return {name: right[name] for name in ("contraction", "noise")}


OTHERS13 = tuple(
    iteration.variant(
        f"aggregation.eq13@run+{options}",
        family=_shared(options),
        defines={**MEASURED, "low": partial(q.skew_low, option=options.split("+")[1])},
    )
    for options in SHARED
    if options != "section2+loop"
)
SPACE13, EMPTY13 = spaced(iteration)
repaired13 = iteration.variant(
    "aggregation.eq13.repaired",
    family=_shared("algorithm+loop"),
    given=[q.not_at_optimum, q.short, q.halving],
    uses=("aggregation.theorem3.repaired",),
    note="""Steps of at most 1/(4L) that at most halve within a round; rho-bar at the ends of the
    rounds suffices.""",
    proof="""Let w_0 begin the round, d = w_0 - w*, h = L eta <= 1/4. Smoothness at w_t^i with
    Young's inequality and Lemma 1 bounds Y = sum alpha x_i(w_0) by (1 + h) X + (1 + h) S/(2 eta), X
    = sum alpha x_i(w_t^i), S = sum alpha |w_0 - w_t^i|^2 <= 4 (E-1)^2 eta^2 G^2 in mean. As x_i(w*)
    = 0, A_5 = -2 eta (1 - 2h) X <= S - 2 eta c Y with c = (1 - 2h)/(1 + h) >= 3/8, and Y >= rho-bar
    (F(w_0) - F*) >= rho-bar mu |d|^2/2. No step leads away from w* but by its noise, so |w_t - w*|^2
    exceeds |d|^2 by at most 4 (E-1) eta^2 G^2 in mean, which costs 3/2 rho-bar mu eta (E-1) eta^2
    G^2 <= (3/8) E eta^2 G^2, as rho-bar mu <= L. With the spread about w_t, no larger than S, that
    is less than 9 E^2 eta^2 G^2, of 32.""",
)


def speed_without_gap(w: World, count: Any) -> Array:
    """V at Gamma = 0 over T + gamma."""
    speed = closed.speed_constant(
        w.mu, w.beta, w.G2, w.sigma2_max, 0, w.distance0, w.low, w.local_steps
    )
    return speed / (w.delay + count)


def _sides14(w: World, option: str) -> Sides:
    left, count = reached(w, option)
    return {"E F(w_T) - F*": left}, {"speed": speed_without_gap(w, count)}


def _reading14(options: str) -> Statement:
    iterates, times, horizon = options.split("+")
    return statement(
        f"aggregation.eq14@run+{options}",
        where="eq. 14",
        kind="corollary",
        over="mean",
        title=f"T {horizon}, Gamma = 0",
        latex=r"\mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\Bigl[\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2\overline\rho}+\frac{L\gamma\|w^0-w^\star\|^2}2\Bigr]",
        family=runs(*SHARED_RUNS[f"{iterates}+{times}"], shared=True),
        given=[q.not_at_optimum],
        defines={**MEASURED, **q.HORIZON, "low": partial(q.skew_low, option="loop")},
        uses=("aggregation.eq13",),
        note="""Gamma = 0: one minimiser for all clients. Then rho <= L/mu, so 1 + 3 rho-bar/8 <=
        4L/mu.""",
    )(partial(_sides14, option=horizon))


EQ14 = tuple(_reading14(f"{options}+{horizon}") for options in SHARED_RUNS for horizon in HORIZONS)
SPACE14, EMPTY14 = spaced(EQ14[0])


# -- "corresponds to an IID dataset" -----------------------------------------------------------

ERROR_FREE = "Section 2.2, Gamma = 0 (eq. 15)"


@statement(
    "aggregation.errorfree/iid-if",
    where=ERROR_FREE,
    kind="claim",
    title="identical clients",
    latex=r"F_i=F_j\Rightarrow\Gamma=0",
    relation="==",
    defines={"gap": q.gap},
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
    "aggregation.errorfree/iid-only-if",
    where=ERROR_FREE,
    kind="claim",
    title="identical clients",
    latex=r"\Gamma=0\Rightarrow F_i-F_i^\star=F_j-F_j^\star",
    relation="==",
    family=runs(
        *(size(2, 1, 1, "fedavg", quiet=True, d=d) for d in (1, 2)),
        shared=True,
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
RIVALS = runs(*(size(2, 2, 1, "fixed", quiet=True, d=d) for d in (1, 2)), shared=True, paced=True)
_KEPT = ("mu", "smoothness", "squared_gradient", "sigma2", "squared_start")
BOUND = numbers(
    {**{k: NUMBERS[k] for k in _KEPT}, "low": symbols.LOW, "more": Real(0, 8)},
    about="any constants",
)


@statement(
    "aggregation.errorfree/optimal@bound",
    where=ERROR_FREE,
    kind="claim",
    family=BOUND,
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
    "aggregation.errorfree/fedmax@each-point",
    where=ERROR_FREE,
    kind="claim",
    family=CLIENTS,
    title="FedMax maximises rho-bar",
    latex=r"\rho_\alpha(w)\le\rho_{\mathrm{FedMax}}(w)",
    given=[some_excess],
    note="""At every single point no weights give a larger rho than FedMax's.

    A mean is at most the largest entry. Tight where the weights sit on the badly served.""",
)
def greedy(w: World) -> Sides:
    share, weights = q.normalised(w.share), q.normalised(w.raw)
    largest = weighting_skew(fedmax_weights(w.excess), w.excess, share)
    return {"rho": weighting_skew(weights, w.excess, share)}, {"rho of FedMax": largest}


@hypothesis(
    "away from w*",
    r"F(w_t^\alpha),F(w_t^{\mathrm{FedMax}})\ne F(w^\star)\text{ for all }t",
    where="footnote 2",
    strict=True,
)
def both_apart(w: World) -> Array:
    models = [w.run(rule=rule).theta for rule in ("fixed", "fedmax")]
    return xp.squared_norm(xp.stack(models, -2) - w.problem.optimum[..., :1, None, :])


@statement(
    "aggregation.errorfree/fedmax@whole-run",
    where=ERROR_FREE,
    kind="claim",
    family=RIVALS,
    title="FedMax maximises rho-bar",
    latex=r"\overline\rho_\alpha\le\overline\rho_{\mathrm{FedMax}}",
    given=[both_apart],
    defines={"step_sizes": q.free_steps},
    note="Both strategies run on their own; FedMax may lead to where every rho is small.",
)
def fedmax_on_runs(w: World) -> Sides:
    own = q.low_of(w, "fedmax")
    return {"rho-bar": q.low_of(w, "fixed")}, {"rho-bar of FedMax": own}


@fedmax_on_runs.like(
    "aggregation.errorfree/optimal@reached",
    title="FedMax is the truly optimal algorithm",
    latex=r"F(w_T^{\mathrm{FedMax}})\le F(w_T^\alpha)",
    note="F - F* after the same number of steps, FedMax against fixed weights.",
)
def fedmax_gap(w: World) -> Sides:
    def gap_of(rule: str) -> Array:
        theta = w.run(rule=rule).theta[..., w.rounds, :]
        return xp.total(w.client_weights * q.excess_at(w, theta))

    return {"gap of FedMax": gap_of("fedmax")}, {"gap": gap_of("fixed")}
