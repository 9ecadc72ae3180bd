"""Free numbers in place of runs: constants, losses and weights at one point, sums of Appendix A."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim import Array, Family, Hypothesis, Real, Rule, Shape, Statement, numbers, statement
from verify.claim import free as free_numbers
from verify.world.world import World

CURVATURE = Real(1 / 8, 8, unit=(1, -2), log=True)
LENGTH = Real(1 / 8, 8, unit=(0, 1), log=True)
LEVEL = Real(1 / 8, 64, unit=(1, -1), log=True)
"""G."""
_EXCESS = Real(0, 8, unit=(1, 0), per=("N",))
_RAW = Real(1 / 256, 1, log=True, per=("N",))
CONSTANTS = {
    "smoothness": CURVATURE,
    "mu": CURVATURE,
    "squared_gradient": Real(1 / 8, 8, unit=(2, -2), log=True),
    "sigma2": Real(0, 8, unit=(2, -2)),
    "gap": Real(1 / 64, 8, unit=(1, 0), log=True),
    "squared_start": Real(0, 8, unit=(0, 2)),
}
"""Of the corollary."""
NUMBERS = {
    **CONSTANTS,
    "low": Real(1 / 8, 64, log=True),
    "high": Real(0, 64),
    **dict.fromkeys(("more", "less"), Real(0, 8)),
    **dict.fromkeys(("excess", "other"), _EXCESS),
    "share": Real(1 / 64, 1, log=True, per=("N",)),
    **dict.fromkeys(("raw", "later", "first", "second"), _RAW),
    "temperature": Real(1 / 4, 16, unit=(1, 0), log=True),
    "level": LEVEL,
}
"""Low and high are rho-bar and rho-tilde, excess and other the losses x_i at two points, raw to
second weights that are not normalised yet, as are the shares."""
ALL = " ".join(CONSTANTS)
FEW: tuple[Shape, ...] = ({"N": 2}, {"N": 3})
SIZES: tuple[Shape, ...] = ({"N": 1}, *FEW, {"N": 5})


def family(names: str, about: str, *shapes: Shape, **others: Real) -> Family:
    """Instances that are nothing but these numbers, of the table or with a range of their own."""
    return numbers(
        {name: {**NUMBERS, **others}[name] for name in names.split()}, *shapes, about=about
    )


def constants(names: str = "", **others: Real) -> Family:
    """Any constants of the corollary, and further numbers."""
    shapes = ({"local_steps": 1}, {"local_steps": 3})
    return family(f"{ALL} {names}", "any constants", *shapes, **others)


def own_constants(w: World, *others: str) -> dict[str, Array]:
    """Values of the constants but for the others."""
    return {name: w.symbol(name) for name in (*CONSTANTS, "local_steps") if name not in others}


def speed_at(w: World, low: Array | int, **others: Any) -> Array:
    """V at a value of rho-bar, of free constants but for the others, which are given."""
    return closed.speed_constant(**own_constants(w, *others), **others, low=low)


def error_at(w: World, low: Array, high: Array) -> Array:
    """E at values of rho-bar and rho-tilde, of free constants."""
    return closed.learning_error(w.mu, w.smoothness, w.gap, low, high)


def some_loss(name: str, latex: str, symbol: str) -> Hypothesis:
    """Footnote 1: some of the losses x_i of this name is above zero."""
    apart = latex + r"\ne\sum_ip_iF_i^\star"
    return Hypothesis(name, apart, lambda w: xp.total(w.symbol(symbol)), "footnote 1", strict=True)


some_excess = some_loss("F(w) differs from sum p F*", "F(w)", "excess")

# -- the sums of Appendix A --------------------------------------------------------------------

_LOSS = Real(0, 4, unit=(1, 0))
_SQUARE = Real(0, 4, unit=(2, -2))
_SYMBOLS = {
    **dict.fromkeys(("spread", "distance", "distances"), Real(0, 4, unit=(0, 2))),
    **dict.fromkeys(("third", "fourth"), Real(0, 4, unit=(0, 2))),
    **dict.fromkeys(("first", "second"), Real(-4, 4, unit=(0, 2))),
    **dict.fromkeys(("excess", "here", "ideal", "rise", "gap", "speed", "share", "error"), _LOSS),
    **dict.fromkeys(("drop", "slope", "cross"), Real(-4, 4, unit=(1, 0))),
    **dict.fromkeys(("slopes", "mean_slope", "variance", "variances", "sigma2", "G2"), _SQUARE),
    **dict.fromkeys(("smoothness", "mu"), Real(1 / 16, 16, unit=(1, -2), log=True)),
    **dict.fromkeys(("low", "inverse", "quotient"), Real(1 / 16, 16, log=True)),
    **dict.fromkeys(("least", "floor"), Real(1 / 16, 1, log=True)),
    "steps": Real(1, 4, domain=(1, inf)),
    "step_size": Real(1 / 16, 16, unit=(-1, 2), log=True),
    "high": Real(0, 16),
    "largest": Real(1, 16, log=True),
    "time": Real(1, 64, log=True),
    "clients": Real(1, 8, domain=(1, inf)),
}
"""Sums over clients with weights alpha: spread |w_t - w_i|^2, distances |w_i - w*|^2, excess
x_i(w_i), drop F_i(w_i) - F_i(w*), slope <w_i - w*, grad F_i>, cross <w_t - w_i, grad F_i>, slopes
|grad F_i|^2, variances; here and ideal sum alpha x_i at w_t and at w*, rise F(w_t) - F*; mean_slope
and variance of the weighted sum; first to fourth A_1 to A_4; constants of eqs. 17 to 19: speed C,
share lambda_1, error lambda_2, inverse 1/rho-bar, quotient rho-tilde/rho-bar."""


def deduced(
    step: str, symbols: str, given: Iterable[Hypothesis], **fields: Any
) -> Callable[[Rule], Statement]:
    """Decorator: a step of Appendix A over non-negative symbols that are free of each other, under
    what stands before it."""
    more = {"kind": "deduction", "family": free_numbers(symbols, _SYMBOLS), "given": [*given]}
    return statement(f"aggregation.{step}-deduced", where="Appendix A", **more, **fields)
