"""The case Gamma = 0: one iteration, T iterations, and what is said of the best strategy."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import fedmax_weights, heterogeneity_gap, weighting_skew
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import (
    CURVATURE,
    distance,
    excess_at,
    gap,
    least,
    not_at_optimum,
    numbers,
    paper_steps,
    runs,
    short_steps,
    size,
    skew_low,
    source,
    squared_gradient,
    start_distance,
    suboptimality,
)
from verify.statements.aggregation.corollary import delay
from verify.statements.aggregation.points import (
    EXCESS,
    RAW,
    SHARE,
    SIZES,
    SOME_EXCESS,
    normalised,
    some_excess,
)
from verify.statements.aggregation.theorem import ONE_STEP, RULES, TWO_STEPS
from verify.world.world import World

SHARED = runs(*ONE_STEP, *TWO_STEPS, size(2, 2, 2, "fixed", quiet=True, d=2), shared=True)
SHARED_RUNS = runs(
    *(size(2, 2, e, rule) for e in (1, 2) for rule in RULES),
    size(2, 4, 2, "fixed", quiet=True, d=2), shared=True,
)  # fmt: skip


def _iteration(w: World) -> tuple[Terms, Terms]:
    """Gamma = 0: rho-tilde has no value and none is needed. One minimiser for all clients.

    The ends of a round suffice for rho-bar here: no local step leads away from w*, so that
    |w_t - w*| is largest where the round begins.
    """
    eta = w.step_sizes[..., w.at]
    right = closed.one_round_upper(
        distance(w, w.at), eta, w.mu, w.beta, w.G2, w.sigma2_max, 0, w.low, 0, w.local_steps
    )
    return {"E|w+ - w*|^2": distance(w, w.at + 1)}, {
        "contraction": right["contraction"], "noise": right["noise"],
    }  # fmt: skip


def _short_apart(w: World) -> Terms:
    return {**not_at_optimum(w), "steps at most 1/(4L)": 1 - 4 * w.beta * w.step_sizes[..., 0]}


def _iterations(w: World) -> tuple[Terms, Terms]:
    """Gamma = 0: one minimiser for all clients. Then rho <= L/mu, so 1 + 3 rho-bar/8 <= 4L/mu."""
    speed = closed.speed_constant(
        w.mu, w.beta, w.G2, w.sigma2_max, 0, w.distance0, w.low, w.local_steps
    )
    return {"E F(w_T) - F*": suboptimality(w, w.rounds)}, {"speed": speed / (w.delay + w.rounds)}


MEASURED = {
    "G2": squared_gradient, "sigma2_max": lambda w: xp.largest(w.sigma2),
    "low": skew_low("rounds"),
}  # fmt: skip

# -- "corresponds to an IID dataset" -----------------------------------------------------------

ALIKE = runs(
    *(size(n, 1, 1, "fedavg", quiet=True, d=d) for n, d in ((2, 1), (3, 2))), alike=True
)
FLAT = runs(
    *(size(2, 1, 1, "fedavg", quiet=True, d=d) for d in (1, 2)), shared=True,
    extra={"point": Real(-4, 4, unit=(0, 1), per=("d",))},
)  # fmt: skip


def _alike(w: World) -> tuple[Terms, Terms]:
    """All losses equal, hence one minimiser.

    Compared are F* and sum p_i F_i*, both raised by the loss at the start so that they are not
    zero.
    """
    base = heterogeneity_gap(excess_at(w, w.start), w.client_weights)
    return {"F* + F(w_0)": w.gap + base}, {"sum p_i F_i* + F(w_0)": base}


def _equal_losses(w: World) -> tuple[Terms, Terms]:
    """One minimiser does not make the losses equal: two curvatures."""
    values = excess_at(w, w.point)
    return {"F_1(w) - F_1*": values[..., 0]}, {"F_2(w) - F_2*": values[..., 1]}


# -- the strategy ------------------------------------------------------------------------------

CLIENTS = numbers(
    {"excess": EXCESS, "share": SHARE, "raw": RAW}, *SIZES[1:],
    about="any losses at one point, any shares and weights",
)  # fmt: skip
RIVALS = runs(
    *(size(2, 2, 1, "fixed", quiet=True, d=d) for d in (1, 2)), shared=True
)


def _greedy(w: World) -> tuple[Terms, Terms]:
    """At every single point no weights give a larger rho than FedMax's.

    A mean is at most the largest entry. Tight where the weights sit on the badly served.
    """
    share, weights = normalised(w.share), normalised(w.raw)
    return {"rho": weighting_skew(weights, w.excess, share)}, {
        "rho of FedMax": weighting_skew(fedmax_weights(w.excess), w.excess, share)
    }


def _both_apart(w: World) -> Terms:
    """Footnote 2 for both runs."""
    runs_of = [w.run(rule=rule).theta - w.problem.optimum[..., :1, :] for rule in ("fixed", "fedmax")]
    return {"away from w*": xp.squared_norm(xp.stack(runs_of, -2))}


def low_of(w: World, rule: str) -> Any:
    """rho-bar of the run of one rule, with the weights of the run, (B, 1)."""
    run = w.run(rule=rule)
    found = []
    for t in range(0, w.rounds, w.local_steps):
        excess = excess_at(w, run.theta[..., t, :])
        found.append(weighting_skew(run.alpha[..., t, :], excess, w.client_weights))
    return least(xp.stack(found, -1))


def along_runs(w: World) -> tuple[Terms, Terms]:
    """Both strategies run on their own; FedMax may lead to where every rho is small."""
    return {"rho-bar": low_of(w, "fixed")}, {"rho-bar of FedMax": low_of(w, "fedmax")}


def _gap_of(w: World, rule: str) -> Any:
    theta = w.run(rule=rule).theta[..., w.rounds, :]
    return xp.total(w.client_weights * excess_at(w, theta))


def _optimal(w: World) -> tuple[Terms, Terms]:
    """F - F* after the same number of steps, FedMax against fixed weights."""
    return {"gap of FedMax": _gap_of(w, "fedmax")}, {"gap": _gap_of(w, "fixed")}


def _bound_falls(w: World) -> tuple[Terms, Terms]:
    """The bound of eq. 14 falls as rho-bar grows."""
    def bound(low: Any) -> Any:
        return closed.speed_constant(
            w.mu, w.smoothness, w.squared_gradient, w.sigma2, 0, w.squared_start, low, 1
        )

    return {"bound at rho + excess": bound(w.low + w.more)}, {"bound at rho": bound(w.low)}


BOUND = numbers(
    {
        "mu": CURVATURE, "smoothness": CURVATURE,
        "squared_gradient": Real(1 / 8, 8, unit=(2, -2), log=True),
        "sigma2": Real(0, 8, unit=(2, -2)),
        "squared_start": Real(0, 8, unit=(0, 2)),
        "low": Real(1 / 8, 64, log=True),
        "more": Real(0, 8),
    },
    about="any constants",
)  # fmt: skip

_LATEX = r"\mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\tfrac38\overline\rho))\mathbb E\|w_t-w^\star\|^2+\eta_t^2(32E^2G^2+\sigma^2)"
_T: dict[str, Any] = {"source": source("Section 2.2, Gamma = 0 (eq. 15)"), "kind": "claim"}
_APART = frozenset({"away from w*"})


def _free(name: str, family: Family, sides: Any, latex: str, title: str, **more: Any) -> Statement:
    return Statement(
        key=f"aggregation.errorfree/{name}", family=family, sides=sides, latex=latex, title=title,
        **_T, **more,
    )  # fmt: skip


STATEMENTS = (
    Statement(
        key="aggregation.eq13", source=source("eq. 13"), title="one iteration, Gamma = 0",
        latex=_LATEX, family=SHARED, sides=_iteration, over="mean", given=_short_apart,
        strict=_APART, defines={"step_sizes": short_steps, **MEASURED},
        uses=("aggregation.theorem3",),
    ),
    Statement(
        key="aggregation.eq14", source=source("eq. 14"), kind="corollary", family=SHARED_RUNS,
        title="T iterations, Gamma = 0", sides=_iterations, over="mean", given=not_at_optimum,
        latex=r"\mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\Bigl[\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2\overline\rho}+\frac{L\gamma\|w^0-w^\star\|^2}2\Bigr]",
        strict=_APART, uses=("aggregation.eq13",),
        defines={
            "step_sizes": paper_steps, **MEASURED, "distance0": start_distance, "delay": delay,
        },
    ),
    _free(
        "iid@if", ALIKE, _alike, r"F_i=F_j\Rightarrow\Gamma=0", "identical clients",
        relation="==", defines={"gap": gap},
    ),
    _free(
        "iid@only-if", FLAT, _equal_losses, r"\Gamma=0\Rightarrow F_i-F_i^\star=F_j-F_j^\star",
        "identical clients", relation="==",
    ),
    _free(
        "optimal@bound", BOUND, _bound_falls, r"\mathcal V(\rho')\le\mathcal V(\rho)\text{ for }\rho'\ge\rho",
        "the bound falls with rho-bar",
    ),
    _free(
        "fedmax@every-point", CLIENTS, _greedy, r"\rho_\alpha(w)\le\rho_{\mathrm{FedMax}}(w)",
        "FedMax maximises rho-bar", given=some_excess,
        strict=SOME_EXCESS,
    ),
    _free(
        "fedmax@run", RIVALS, along_runs, r"\overline\rho_\alpha\le\overline\rho_{\mathrm{FedMax}}",
        "FedMax maximises rho-bar", given=_both_apart, strict=_APART,
        defines={"step_sizes": short_steps},
    ),
    _free(
        "optimal@gap", RIVALS, _optimal, r"F(w_T^{\mathrm{FedMax}})\le F(w_T^\alpha)",
        "FedMax is the truly optimal algorithm", given=_both_apart, strict=_APART,
        defines={"step_sizes": short_steps},
    ),
)  # fmt: skip

