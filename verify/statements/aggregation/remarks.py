"""Remarks 7 and 8: what makes V and E small, and what the chain says of both."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import weighting_skew
from verify.parameters import Real
from verify.statement import Statement, Terms
from verify.statements.aggregation.common import (
    HETEROGENEOUS,
    NUMBERS,
    heterogeneous,
    numbers,
    runs,
    size,
    source,
)
from verify.statements.aggregation.corollary import paper_defines
from verify.statements.aggregation.error_free import normalised
from verify.statements.aggregation.speed import speed
from verify.world import World

_SIZES: tuple[dict[str, Any], ...] = ({"N": 1}, {"N": 2}, {"N": 3}, {"N": 5})
_SHARE = Real(1 / 64, 1, log=True, per=("N",))
_RAW = Real(1 / 256, 1, log=True, per=("N",))
_EXCESS = Real(0, 8, unit=(1, 0), per=("N",))

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
    {"excess": _EXCESS, "share": _SHARE}, *_SIZES, about="any losses at one point, any shares"
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


def some_excess(w: World) -> Terms:
    return {"F(w) differs from sum p F*": xp.total(w.excess)}


def _no_error_on_runs(w: World) -> tuple[Terms, Terms]:
    """rho-bar may exceed rho-tilde on a finite run: the model comes from where the favoured clients
    are badly served."""
    error = closed.learning_error(w.mu, w.beta, w.gap, w.low, w.high)
    return {"E of FedAvg": 0 * error}, {"E": error}


def no_error_below(w: World) -> tuple[Terms, Terms]:
    """E of other strategies is not below zero, the E of FedAvg."""
    return {"E of FedAvg": 0 * w.gap}, {"E": error_of(w, w.high, w.low)}


# -- Remark 8 ----------------------------------------------------------------------------------

GOAL = numbers(
    {**{k: NUMBERS[k] for k in ("mu", "smoothness", "gap")}, "share": _SHARE,
     "raw": _RAW, "least_weight": Real(1 / 256, 1 / 2, log=True)},
    *_SIZES[1:], about="any weights with a given smallest one",
)  # fmt: skip


def _depends(w: World) -> tuple[Terms, Terms]:
    """Two weightings with one pi have one bound (constants and shares of the problem fixed)."""
    first, second = (
        speed(w, pi) + closed.learning_error_of_weights_upper(
            w.mu, w.smoothness, w.gap, pi, w.least_share, w.clients
        )
        for pi in (w.first, w.second)
    )
    return {"bound": first}, {"bound of the other": second}


SAME = numbers(
    {**NUMBERS, "least_share": Real(1 / 64, 1 / 4, log=True), "first": Real(1 / 64, 1, log=True),
     "second": Real(1 / 64, 1, log=True), "clients": Real(1, 4)},
    {"local_steps": 1}, about="any constants and two smallest ratios",
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
        given=some_excess, strict=frozenset({"F(w) differs from sum p F*"}), **_R7,
    ),
    Statement(
        key="aggregation.remark7/least@run", title="no strategy has a smaller error",
        latex=r"\mathcal E\ge0", family=runs(size(2, 2, 1, "fixed", quiet=True)),
        sides=_no_error_on_runs, given=heterogeneous, strict=HETEROGENEOUS,
        defines=paper_defines("all"), **_R7,
    ),
    Statement(
        key="aggregation.remark7/least@endless", title="no strategy has a smaller error",
        latex=r"\overline\rho\le\tilde\rho\Rightarrow\mathcal E\ge0", family=RATIO,
        sides=no_error_below, given=lambda w: {"rho-bar at most rho-tilde": w.high - w.low}, **_R7,
    ),
    Statement(
        key="aggregation.remark8/depends", title="both bounds depend on pi alone", family=SAME,
        latex=r"\pi=\pi'\Rightarrow\text{equal bounds}", sides=_depends, relation="==",
        given=lambda w: {"pi <= pi'": w.second - w.first, "pi' <= pi": w.first - w.second}, **_R8,
    ),
    Statement(
        key="aggregation.remark8/ensured", title="a smallest weight ensures a bound on the error",
        latex=r"\alpha_t^i\ge a\Rightarrow\frac1{\pi\min p_i}-N\le\frac{\max p_i}{a\min p_i}-N",
        family=GOAL, sides=_ensured,
        given=lambda w: {"weights at least a": xp.smallest(normalised(w.raw)) - w.least_weight},
        **_R8,
    ),
)  # fmt: skip
