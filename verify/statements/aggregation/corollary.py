"""Corollary 4: a bound after T iterations, its readings, and the form that its proof supports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import (
    EVERY,
    HETEROGENEOUS,
    heterogeneous,
    measured,
    paper_steps,
    runs,
    size,
    skew_high,
    skew_low,
    source,
    start_distance,
    suboptimality,
)
from verify.statements.aggregation.families import (
    returning,
    returning_size,
    returning_weights,
    turned,
)
from verify.statements.aggregation.theorem import RULES, empty, everywhere
from verify.world.world import World

SHORT = runs(*(size(2, t, 1, rule, quiet=True) for t in (1, 2) for rule in ("fedmax", "fedavg")))
RETURNING = returning(returning_size(4, 2))
"""T = 3, in the middle of the second round; w_0, w_2 and w_4 are the minimiser of F. The two rare
clients are equally badly served there, so that rho is 1/(their share) in every round, and further
rounds can return too: an endless horizon changes nothing."""

TURNED = turned(size(3, 1, 1, "fixed", quiet=True))
_SIZES = (
    size(1, 2, 1, "fedavg"), *(size(2, 2, e, rule) for e in (1, 2) for rule in RULES),
    size(2, 4, 2, "fedmax", quiet=True), size(3, 2, 2, "fixed", quiet=True),
)  # fmt: skip
RUNS = runs(*_SIZES)
ENDLESS = runs(
    *_SIZES, size(3, 128, 1, "fixed", quiet=True, resting=True, rows=1),
    about="aligned quadratics, two-point noise, all outcomes; long runs that stay where they are",
)  # fmt: skip
SPACE = runs(
    size(1, 1, 1, "fedavg"),
    extra={
        "level": Real(1 / 8, 64, unit=(2, -2), log=True),
        "reach": Real(1 / 8, 64, unit=(0, 1), log=True),
    },
)


def delay(w: World) -> Any:
    """gamma = 4L/mu."""
    return closed.aggregation_delay(w.mu, w.beta)


def bound(w: World, rounds: Any) -> Terms:
    """V/(T + gamma) and E from the numbers measured on the run."""
    speed = closed.speed_constant(
        w.mu, w.beta, w.G2, w.sigma2_max, w.gap, w.distance0, w.low, w.local_steps
    )
    error = closed.learning_error(w.mu, w.beta, w.gap, w.low, w.high)
    return closed.aggregation_bound_upper(speed, error, w.delay, rounds)


def corollary(w: World) -> tuple[Terms, Terms]:
    """T counts iterations."""
    return {"E F(w_T) - F*": suboptimality(w, w.at + 1)}, bound(w, w.at + 1)


def _by_rounds(w: World) -> tuple[Terms, Terms]:
    """T counts rounds and the final model is w_TE, the steps still run over iterations.

    Where E > 0 cannot be relied on the bound may even be negative: all weight on a client whose
    minimiser is w* makes rho-tilde zero, so that E = -8L Gamma/(3 mu), which outweighs V/(T + gamma)
    after one iteration if L/mu is a few hundred. In the proof of the corollary a maximum of two
    numbers is replaced by their sum, which is smaller if one of them is negative.
    """
    return {"E F(w_TE) - F*": suboptimality(w, w.rounds)}, bound(w, w.rounds // w.local_steps)


def _endless(w: World) -> tuple[Terms, Terms]:
    """T counts rounds as in Table 1, the model is w_TE as in Algorithm 1, and the min and the max are
    over t = 0 mod E without an end, as printed.

    Then rho-bar <= rho-tilde (see remark7/least@endless). Of a finite run this leaves rho-bar at most
    its own minimum, and rho-tilde at least its own maximum and at least rho-bar; taken here are the
    values that make the bound smallest.

    The bound is loose for two reasons, both printed constants. G^2 >= 2 mu max x_i makes V/(T + gamma)
    at least 256 kappa E^2/(3 (T + 4 kappa)) times F - F* of every round, kappa = L/mu, and where the
    same weights are kept, rho(t, w*)/rho(t, w_t) >= (F(w_t) - F* + Gamma)/Gamma once the weighted
    losses at w_t are no larger than at w*, so that E >= (8 kappa/3)(F - F*). Hence mutants of V
    survive: E does their work. A long run at rest next to w* comes nearest, left/right -> 3/8, and
    needs E once T > 85.
    """
    return _by_rounds(w)


def _space(w: World) -> tuple[Terms, Terms]:
    """Corollary 4 for one client with G^2 a bound at every point of the space."""
    speed = closed.speed_constant(
        w.mu, w.beta, w.level, xp.largest(w.sigma2), 0, w.distance0, 1, 1
    )
    return {"E F(w_T) - F*": suboptimality(w, 1)}, {"speed": speed / (w.delay + 1)}


def repaired(w: World) -> tuple[Terms, Terms]:
    """rho-bar and rho-tilde over all iterations, rho-bar <= rho-tilde, 1 + 3 rho-bar/8 <= 4L/mu.

    Proof. By the repaired Theorem 3, Delta_{t+1} <= (1 - b/n) Delta_t + C/(mu n)^2 + D/(mu n) with
    n = t + gamma, b = 1 + 3 rho-bar/8 <= gamma, D >= 0. Let M_n = max(gamma Delta_0/n, K_1/n + K_2)
    with K_1 = C/(mu^2 (b-1)), K_2 = D/(mu (b-1)). From Delta_t <= M_n and 1 - b/n >= 0 the step
    gives at most (1 - b/n) M_n + ((b-1)/n)(K_1/n + K_2) <= (n-1)/n M_n <= M_{n+1}. The maximum is
    at most the sum, and F(w_T) - F* <= L Delta_T/2. Without b <= gamma the factor 1 - b/n may be
    negative, and an upper bound of Delta_t no longer serves.
    """
    return corollary(w)


def contracting(w: World) -> Terms:
    """What the induction needs besides the repaired Theorem 3."""
    return {
        **heterogeneous(w), "rho-bar at most rho-tilde": w.high - w.low,
        "1 + 3 rho-bar/8 at most gamma": w.delay - 1 - 3 * w.low / 8,
    }  # fmt: skip


def paper_defines(reading: str) -> dict[str, Callable[[World], Any]]:
    """The steps of the corollary and the constants measured on the run."""
    return {
        "step_sizes": paper_steps, **measured(reading), "distance0": start_distance,
        "delay": delay,
    }  # fmt: skip


def _high_endless(w: World) -> Any:
    return xp.maximum(skew_high("all")(w), skew_low("all")(w))


_LATEX = r"\mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\mathcal V(\overline\rho,\tilde\rho)+\mathcal E(\overline\rho,\tilde\rho)"
_COMMON: dict[str, Any] = {
    "source": source("Corollary 4 (eq. 10)"), "title": "T iterations", "latex": _LATEX,
    "kind": "corollary", "over": "mean", "given": heterogeneous,
    "strict": HETEROGENEOUS, "uses": ("aggregation.theorem3",),
}  # fmt: skip


def _reading(name: str, family: Family, sides: Any, reading: str, **more: Any) -> Statement:
    return Statement(
        key=f"aggregation.corollary4@{name}", family=family, sides=sides,
        defines={**paper_defines(reading), **more.pop("extra", {})}, **{**_COMMON, **more},
    )  # fmt: skip


STATEMENTS = (
    empty("aggregation.corollary4@space", "Corollary 4 (eq. 10)"),
    _reading("rounds", SHORT, corollary, "rounds"),
    _reading(
        "final-model", RETURNING, corollary, "all", extra={"coefficients": returning_weights}
    ),
    _reading("T-rounds", TURNED, _by_rounds, "all"),
    _reading("T-rounds-endless", ENDLESS, _endless, "all", extra={"high": _high_endless}),
    Statement(
        key="aggregation.corollary4@space", family=SPACE, sides=_space,
        defines={"step_sizes": paper_steps, "distance0": start_distance, "delay": delay},
        **{**_COMMON, "given": everywhere, "strict": frozenset()},
    ),
    Statement(
        key="aggregation.corollary4.repaired", family=RUNS, form="repaired", sides=repaired,
        defines=paper_defines("every"),
        **{**_COMMON, "given": contracting,
           "title": "T iterations, rho over all iterations, first step contracting",
           "latex": _LATEX + EVERY + r",\ \overline\rho\le\tilde\rho,\ 1+\tfrac38\overline\rho\le\gamma",
           "uses": ("aggregation.theorem3.repaired",)},
    ),
)  # fmt: skip
