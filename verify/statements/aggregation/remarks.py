"""Remarks 7 and 8: what makes V and E small, and what the chain says of both."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import weighting_skew
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import (
    HETEROGENEOUS,
    NUMBERS,
    best,
    excess_at,
    heterogeneous,
    numbers,
    runs,
    size,
    source,
    worst,
)
from verify.statements.aggregation.corollary import paper_defines
from verify.statements.aggregation.error_free import low_of
from verify.statements.aggregation.points import (
    EXCESS,
    FEW,
    RAW,
    SHARE,
    SIZES,
    SOME_EXCESS,
    normalised,
    some_excess,
)
from verify.statements.aggregation.speed import speed
from verify.world.world import World

# -- Remark 7 ----------------------------------------------------------------------------------

_LOW = {"low": Real(1 / 8, 64, log=True)}
TWO = numbers(
    {**NUMBERS, **_LOW, "more": Real(0, 8)}, {"local_steps": 1}, {"local_steps": 3},
    about="any constants",
)  # fmt: skip
RATIO = numbers(
    {**{k: NUMBERS[k] for k in ("mu", "smoothness", "gap")}, **_LOW, "high": Real(0, 64),
     "less": Real(0, 8)},
    about="any constants",
)  # fmt: skip
ONE_POINT = numbers(
    {"excess": EXCESS, "share": SHARE}, *SIZES, about="any losses at one point, any shares"
)


def _speed_falls(w: World) -> tuple[Terms, Terms]:
    """V falls as rho-bar grows, the rest being fixed."""
    return {"V at a larger rho-bar": speed(w, w.low + w.more)}, {"V": speed(w, w.low)}


def error_of(w: World, high: Any, low: Any) -> Any:
    return closed.learning_error(w.mu, w.smoothness, w.gap, low, high)


def _error_grows(w: World) -> tuple[Terms, Terms]:
    """E is 8 L Gamma/(3 mu) times rho-tilde/rho-bar - 1."""
    lower = error_of(w, w.high, w.low)
    return {"E": lower}, {"E at a larger ratio": error_of(w, w.high + w.less, w.low)}


def shares_skew(w: World) -> tuple[Terms, Terms]:
    """rho is one at every point for alpha = p, so that rho-tilde = rho-bar."""
    share = normalised(w.share)
    return {"sum alpha x": weighting_skew(share, w.excess, share)}, {"1": 1}


def _no_error_on_runs(w: World) -> tuple[Terms, Terms]:
    """rho-bar may exceed rho-tilde on a finite run: the model comes from where the favoured clients
    are badly served."""
    error = closed.learning_error(w.mu, w.beta, w.gap, w.low, w.high)
    return {"E of FedAvg": 0 * error}, {"E": error}


def no_error_below(w: World) -> tuple[Terms, Terms]:
    """rho-bar and rho-tilde over an endless run: what T of its iterations leave of E, and a rest
    that vanishes with T. The E of FedAvg is that of its own run.

    Proof. In a round that begins at w_r and whose steps sum to S_r, convexity and smoothness give
    <w_r - w*, grad F_i(w_s^i)> >= F_i(w_r) - F_i(w*) - L/2 |w_r - w_s^i|^2. The local models are in
    mean square within G times the steps taken of w_r, and the round moves by at most G S_r, so that
    Delta_{r+1} <= Delta_r - 2 S_r sum alpha (x_i(w_r) - x_i(w*)) + G^2 Q_r with
    Q_r = S_r^2 + L sum_s eta_s (sum_{s'<s} eta_s')^2. The sum over i is at least
    (rho-bar - rho-tilde) Gamma in every round, hence
    2 (rho-bar - rho-tilde) Gamma sum eta <= |w_0 - w*|^2 + G^2 sum Q, which is
    E >= -4L (|w_0 - w*|^2 + G^2 sum Q)/(3 mu rho-bar sum eta). With the steps of the corollary
    sum Q is bounded and sum eta is not, so E >= 0 where rho-bar and rho-tilde see all times.
    """
    run = w.run(rule="fedavg")
    ideal = excess_at(w, best(w))
    high = [
        weighting_skew(run.alpha[..., t, :], ideal, w.client_weights)
        for t in range(0, w.rounds, w.local_steps)
    ]
    args = (w.mu, w.beta, w.gap)
    own = closed.learning_error(*args, low_of(w, "fedavg"), worst(xp.stack(high, -1)))
    rest = 4 * w.beta / (3 * w.mu * w.low) * (w.distance0 + w.G2 * _spent(w)) / xp.total(w.step_sizes)
    return {"E of FedAvg": own}, {
        "E": closed.learning_error(*args, w.low, w.high), "rest after T iterations": rest,
    }  # fmt: skip


def _spent(w: World) -> Any:
    """Sum of Q_r over the rounds, (B, 1)."""
    found: Any = 0 * w.mu
    for first in range(0, w.rounds, w.local_steps):
        taken = 0 * w.mu
        for t in range(first, first + w.local_steps):
            eta = w.step_sizes[..., t]
            found = found + w.beta * eta * taken**2
            taken = taken + eta
        found = found + taken**2
    return found


LONG = runs(
    *(size(2, 2, e, rule, quiet=True) for e in (1, 2) for rule in ("fixed", "fedmax")),
    size(2, 6, 2, "fixed", quiet=True), size(2, 1, 1, "fixed"),
)  # fmt: skip


def endless() -> dict[str, Any]:
    """What readings with rho-bar and rho-tilde over an endless run have in common."""
    return {
        "given": heterogeneous, "strict": HETEROGENEOUS, "defines": paper_defines("rounds"),
    }  # fmt: skip


# -- Remark 8 ----------------------------------------------------------------------------------

GOAL = numbers(
    {**{k: NUMBERS[k] for k in ("mu", "smoothness", "gap")}, "share": SHARE,
     "raw": RAW, "least_weight": Real(1 / 256, 1 / 2, log=True)},
    *SIZES[1:], about="any weights with a given smallest one",
)  # fmt: skip


def _depends(w: World) -> tuple[Terms, Terms]:
    """Two weightings with one pi have one bound (constants and shares of the problem fixed).

    Both give pi p to every client; what is left goes to all but the last, or all but the first.
    """
    share, bounds = normalised(w.share), []
    for name, empty in (("first", w.N - 1), ("second", 0)):
        kept = w.symbol(name) * (1 - xp.eye(w.N, share)[empty])
        weights = w.pi[..., None] * share + (1 - w.pi)[..., None] * normalised(kept)
        pi = xp.smallest(weights / share)
        error = closed.learning_error_of_weights_upper(
            w.mu, w.smoothness, w.gap, pi, xp.smallest(share), w.N
        )
        bounds.append(speed(w, pi) + error)
    return {"bound": bounds[0]}, {"bound of the other": bounds[1]}


SAME = numbers(
    {**NUMBERS, "pi": Real(1 / 64, 1, log=True), "share": SHARE, "first": RAW, "second": RAW},
    *({**shape, "local_steps": 1} for shape in FEW),
    about="any constants and shares, two weightings with one smallest ratio",
)  # fmt: skip


def _ensured(w: World) -> tuple[Terms, Terms]:
    """Weights of at least a have pi >= a/max p, so that the error is at most
    8 L Gamma/(3 mu) (max p/(a min p) - N)."""
    share, weights = normalised(w.share), normalised(w.raw)
    clients, floor = share.shape[-1], xp.smallest(share)
    args = (w.mu, w.smoothness, w.gap)
    error = closed.learning_error_of_weights_upper(
        *args, xp.smallest(weights / share), floor, clients
    )
    ensured = closed.learning_error_of_weights_upper(
        *args, w.least_weight / xp.largest(share), floor, clients
    )
    return {"error bound": error}, {"error bound from min alpha": ensured}


_R7: dict[str, Any] = {"source": source("Remark 7"), "kind": "remark"}
_R8: dict[str, Any] = {"source": source("Remark 8"), "kind": "remark"}

STATEMENTS = (
    Statement(
        key="aggregation.remark7/speed", title="speed by the largest rho-bar", family=TWO,
        latex=r"\overline\rho'\ge\overline\rho\Rightarrow\mathcal V(\overline\rho')\le\mathcal V(\overline\rho)",
        sides=_speed_falls, **_R7,
    ),
    Statement(
        key="aggregation.remark7/error", title="error by the smallest ratio", family=RATIO,
        latex=r"\mathcal E\text{ grows with }\tilde\rho/\overline\rho", sides=_error_grows, **_R7,
    ),
    Statement(
        key="aggregation.remark7/zero", title="no error for alpha = p", family=ONE_POINT,
        latex=r"\alpha=p\Rightarrow\rho\equiv1", sides=shares_skew, relation="==",
        given=some_excess, strict=SOME_EXCESS, **_R7,
    ),
    Statement(
        key="aggregation.remark7/least@run", title="no strategy has a smaller error",
        latex=r"\mathcal E\ge0", family=runs(size(2, 2, 1, "fixed", quiet=True)),
        sides=_no_error_on_runs, given=heterogeneous, strict=HETEROGENEOUS,
        defines=paper_defines("all"), **_R7,
    ),
    Statement(
        key="aggregation.remark7/least@endless", title="no strategy has a smaller error",
        latex=r"\mathcal E\ge-\frac{4L}{3\mu\overline\rho}\,\frac{\|w_0-w^\star\|^2+G^2\sum_rQ_r}{\sum_t\eta_t}\to0",
        family=LONG, sides=no_error_below, **endless(), **_R7,
    ),
    Statement(
        key="aggregation.remark8/depends", title="both bounds depend on pi alone", family=SAME,
        latex=r"\pi=\pi'\Rightarrow\text{equal bounds}", sides=_depends, relation="==", **_R8,
    ),
    Statement(
        key="aggregation.remark8/ensured", title="a smallest weight ensures a bound on the error",
        latex=r"\alpha_t^i\ge a\Rightarrow\frac1{\pi\min p_i}-N\le\frac{\max p_i}{a\min p_i}-N",
        family=GOAL, sides=_ensured,
        given=lambda w: {"weights at least a": xp.smallest(normalised(w.raw)) - w.least_weight},
        **_R8,
    ),
)  # fmt: skip
