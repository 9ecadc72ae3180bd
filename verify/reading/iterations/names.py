r"""Names of what a run says, as a program sees it, and of the same at one iteration, in the mean.

As a program sees it, at time t: the virtual average ``point{t}`` (one coordinate of a vector), the
step ``step{t}``, and of each client its model ``model{t}``, the gradient ``slope{t}``, the variance
of the noise ``variance{t}`` and the excess loss ``own{t}`` there, the excess loss ``here{t}`` at
the virtual average, and its weight ``alpha{r}`` in the round r.

At one iteration a client is drawn, beside the outcome, with its weight for probability.  Its model
is the virtual average and ``off``, whose mean over the clients vanishes; its gradient is the mean
``slope`` and ``slope_off``, and the mean of the noises is ``noise``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy

from bounds.numbers.symbolic import client_symbol

Expr = Any  # sympy carries no types

CLIENT, COUNT = client_symbol()
BETA = sympy.Symbol("beta", positive=True)
MU = sympy.Symbol("mu", positive=True)
MORE = sympy.Symbol("more_steps", nonnegative=True)
"""E - 1."""
TIME = sympy.Symbol("time", nonnegative=True)
"""Iterations before the one that is looked at."""
STEP = sympy.Symbol("step", positive=True)
EARLIER = sympy.Symbol("earlier_step", positive=True)
"""Step of an earlier iteration of the round."""

AWAY = sympy.Symbol("away", real=True)
"""The virtual average less the minimiser."""
OFF = sympy.Symbol("off", real=True)
SLOPE = sympy.Symbol("slope", real=True)
SLOPE_OFF = sympy.Symbol("slope_off", real=True)
NOISE = sympy.Symbol("noise", real=True)
TOLD = sympy.Symbol("told", real=True)
"""The stochastic gradient of the drawn client at an earlier iteration of the round."""
WAY = sympy.Symbol("way", real=True)
"""How far the drawn client is from the round's first model."""
MIDDLE = sympy.Symbol("middle", real=True)
"""The mean of the ways over the clients."""
FROM = sympy.Symbol("first_away", real=True)
"""The first model of the round less the minimiser."""
BEHIND = sympy.Symbol("behind", real=True)
"""The drawn client's model less its own minimiser."""
BEHIND_FIRST = sympy.Symbol("behind_first", real=True)
"""The same of the first model of the round."""
VECTORS = (AWAY, OFF, SLOPE, SLOPE_OFF, NOISE, TOLD, WAY, MIDDLE, FROM, BEHIND, BEHIND_FIRST)

VARIANCE = sympy.Symbol("variance", nonnegative=True)
OWN = sympy.Symbol("own", nonnegative=True)
HERE = sympy.Symbol("here", nonnegative=True)
IDEAL = sympy.Symbol("ideal", nonnegative=True)
STATED = sympy.Symbol("stated_variance", nonnegative=True)
"""Sum of alpha_i times the stated bound of the variance."""
SQUARES = sympy.Symbol("variance_of_squares", nonnegative=True)
"""The same of alpha_i squared."""
SHARED = sympy.Symbol("shared_here", nonnegative=True)
"""Sum of p_i x_i at the virtual average."""
RISE = sympy.Symbol("rise", nonnegative=True)
"""F(w_t) - F* at the virtual average."""
RISEN = sympy.Symbol("risen", nonnegative=True)
"""The same after the iteration."""
FIRST = sympy.Symbol("first", nonnegative=True)
SHARED_FIRST = sympy.Symbol("shared_first", nonnegative=True)
"""As ``here`` and ``shared_here``, of the first model of the round."""
NUMBERS = (VARIANCE, OWN, HERE, IDEAL, STATED, SQUARES, SHARED, RISE, RISEN, FIRST, SHARED_FIRST)
"""What depends on the outcome and is no vector; of each the mean."""
GAP = sympy.Symbol("shared_ideal", nonnegative=True)
"""Sum of p_i x_i at the minimiser: the same on every outcome."""
START = sympy.Symbol("squared_start", nonnegative=True)
"""Squared distance of the first model from the minimiser."""

ROUNDS = sympy.Symbol("whole_rounds", nonnegative=True)
"""Rounds that a run has ended."""
LEAST_SHARE = sympy.Symbol("least_share", positive=True)
"""The smallest share of a client."""
WEIGHT, OWN_SHARE = sympy.symbols("weight own_share", nonnegative=True)
"""Weight of one client in the round of the iteration, and its share."""
BEST = sympy.Symbol("best", real=True)
SHARE = sympy.IndexedBase("share", nonnegative=True)
HESSIAN = sympy.IndexedBase("hessian", positive=True)
OPTIMUM = sympy.IndexedBase("optimum", real=True)
BOUND = sympy.IndexedBase("sigma2", nonnegative=True)
CURVATURE = sympy.Sum(SHARE[CLIENT] * HESSIAN[CLIENT], (CLIENT, 1, COUNT))
PULL = sympy.Sum(SHARE[CLIENT] * HESSIAN[CLIENT] * OPTIMUM[CLIENT], (CLIENT, 1, COUNT))
"""The minimiser of F is the pull over the curvature."""

RESERVED = frozenset(
    str(s).partition("[")[0]
    for s in (
        *(BETA, MU, MORE, TIME, STEP, EARLIER, GAP, START, BEST, ROUNDS),
        *(LEAST_SHARE, WEIGHT, OWN_SHARE),
        *(SHARE, HESSIAN, OPTIMUM, BOUND, CLIENT, COUNT, *VECTORS, *NUMBERS),
    )
)
"""Names that no parameter may have."""

__all__ = [
    "AWAY",
    "BEHIND",
    "BEHIND_FIRST",
    "BEST",
    "BETA",
    "BOUND",
    "CLIENT",
    "COUNT",
    "CURVATURE",
    "EARLIER",
    "FIRST",
    "FROM",
    "GAP",
    "HERE",
    "HESSIAN",
    "IDEAL",
    "LEAST_SHARE",
    "MIDDLE",
    "MORE",
    "MU",
    "NOISE",
    "NUMBERS",
    "OFF",
    "OPTIMUM",
    "OWN",
    "OWN_SHARE",
    "PULL",
    "RESERVED",
    "RISE",
    "RISEN",
    "ROUNDS",
    "SHARE",
    "SHARED",
    "SHARED_FIRST",
    "SLOPE",
    "SLOPE_OFF",
    "SQUARES",
    "START",
    "STATED",
    "STEP",
    "TIME",
    "TOLD",
    "VARIANCE",
    "VECTORS",
    "WAY",
    "WEIGHT",
    "alpha_of",
    "at_best",
    "each",
    "point_at",
    "step_at",
]


def point_at(t: int) -> Expr:
    """One coordinate of the virtual average."""
    return sympy.Symbol(f"point{t}", real=True)


def step_at(t: int) -> Expr:
    """The step of an iteration."""
    return sympy.Symbol(f"step{t}", positive=True)


@cache
def alpha_of(r: int) -> Expr:
    """Weights of a round."""
    return sympy.IndexedBase(f"alpha{r}", nonnegative=True)


@cache
def each(word: str, t: int) -> Expr:
    """What each client has at a time: a vector, or a number that is not negative."""
    vector = word in ("model", "slope")
    return sympy.IndexedBase(f"{word}{t}", **{"real" if vector else "nonnegative": True})


def at_best() -> Expr:
    """The clients' excess losses at the minimiser of F."""
    return sympy.IndexedBase("ideal", nonnegative=True)
