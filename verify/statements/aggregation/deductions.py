"""Whether steps of Appendix A follow from the displays before them, over free symbols."""

from __future__ import annotations

from collections.abc import Callable

from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import source
from verify.world.world import World

_AREA = Real(0, 4, unit=(0, 2))
_LOSS = Real(0, 4, unit=(1, 0))
_SQUARE = Real(0, 4, unit=(2, -2))
_CURVATURE = Real(1 / 16, 16, unit=(1, -2), log=True)
_SYMBOLS = {
    "spread": _AREA,
    "distance": _AREA,
    "distances": _AREA,
    "first": Real(-4, 4, unit=(0, 2)),
    "second": Real(-4, 4, unit=(0, 2)),
    "third": _AREA,
    "fourth": _AREA,
    "excess": _LOSS,
    "drop": Real(-4, 4, unit=(1, 0)),
    "slope": Real(-4, 4, unit=(1, 0)),
    "cross": Real(-4, 4, unit=(1, 0)),
    "slopes": _SQUARE,
    "mean_slope": _SQUARE,
    "variance": _SQUARE,
    "variances": _SQUARE,
    "sigma2": _SQUARE,
    "G2": _SQUARE,
    "steps": Real(1, 4),
    "step_size": Real(1 / 16, 16, unit=(-1, 2), log=True),
    "smoothness": _CURVATURE,
    "mu": _CURVATURE,
    "gap": _LOSS,
    "speed": _LOSS,
    "share": _LOSS,
    "error": _LOSS,
    "here": _LOSS,
    "ideal": _LOSS,
    "rise": _LOSS,
    "low": Real(1 / 16, 16, log=True),
    "high": Real(0, 16),
    "inverse": Real(1 / 16, 16, log=True),
    "quotient": Real(1 / 16, 16, log=True),
    "least": Real(1 / 16, 1, log=True),
    "largest": Real(1, 16, log=True),
    "time": Real(1, 64, log=True),
    "floor": Real(1 / 16, 1, log=True),
    "clients": Real(1, 8),
}
"""Sums over clients with weights alpha: spread |w_t - w_i|^2, distances |w_i - w*|^2, excess x_i(w_i),
drop F_i(w_i) - F_i(w*), slope <w_i - w*, grad F_i>, cross <w_t - w_i, grad F_i>, slopes |grad F_i|^2,
variances; here and ideal sum alpha x_i at w_t and at w*, rise F(w_t) - F*; mean_slope and variance of the weighted sum; first to fourth A_1 to A_4; constants of eqs.
17 to 19: speed C, share lambda_1, error lambda_2, inverse 1/rho-bar, quotient rho-tilde/rho-bar."""


def _step(
    name: str,
    symbols: str,
    sides: Callable[[World], tuple[Terms, Terms]],
    given: Callable[[World], Terms],
) -> Statement:
    family = Family({k: _SYMBOLS[k] for k in symbols.split()}, about="free symbols")
    return Statement(
        key=f"aggregation.{name}-deduced", source=source("Appendix A"), latex="", family=family,
        sides=sides, given=given,
    )  # fmt: skip


def _a1a(w: World) -> tuple[Terms, Terms]:
    return {"A1": -2 * w.step_size * (w.cross + w.slope)}, {
        "spread": w.spread, "slopes": 2 * w.smoothness * w.step_size**2 * w.excess,
        "rest": -2 * w.step_size * w.slope,
    }  # fmt: skip


def _a1a_given(w: World) -> Terms:
    square = w.spread + w.step_size**2 * w.slopes + 2 * w.step_size * w.cross
    return {"a square": square, "Lemma 1": 2 * w.smoothness * w.excess - w.slopes}


def _after_a1a(w: World) -> Terms:
    eta = w.step_size
    bound = w.spread + 2 * w.smoothness * eta**2 * w.excess - 2 * eta * w.slope
    return {"A1a": bound - w.first, "A2": w.slope - w.drop - w.mu * w.distances / 2}


def _a1b_first(w: World) -> tuple[Terms, Terms]:
    return {"A1": w.first}, {
        "drop": -2 * w.step_size * w.drop, "distances": -w.step_size * w.mu * w.distances
    }


def _line(w: World, factor: int) -> Terms:
    eta = w.step_size
    return {
        "spread": factor * eta**2 * w.steps**2 * w.G2, "distances": -eta * w.mu * w.distances,
        "slopes": 2 * w.smoothness * eta**2 * w.excess, "drop": -2 * eta * w.drop,
    }  # fmt: skip


def _spread(w: World) -> Terms:
    return {"Lemma 2": 16 * w.step_size**2 * w.steps**2 * w.G2 - w.spread}


def _a1b_whole(w: World) -> tuple[Terms, Terms]:
    return {"A1": w.first}, _line(w, 1)


def _a1b_repaired(w: World) -> tuple[Terms, Terms]:
    return {"A1": w.first}, _line(w, 16)


def _a1b_given(w: World) -> Terms:
    return {**_after_a1a(w), **_spread(w)}


def _a3(w: World) -> tuple[Terms, Terms]:
    eta2 = w.step_size**2
    return {"A3": eta2 * w.mean_slope}, {"excess": 2 * w.smoothness * eta2 * w.excess}


def _a3_given(w: World) -> Terms:
    return {
        "Jensen": w.slopes - w.mean_slope, "Lemma 1": 2 * w.smoothness * w.excess - w.slopes
    }


def _a4(w: World) -> tuple[Terms, Terms]:
    eta2 = w.step_size**2
    return {"A4": eta2 * w.variance}, {"sigma^2": eta2 * w.sigma2}


def _a4_given(w: World) -> Terms:
    return {"Jensen": w.variances - w.variance, "A3": w.sigma2 - w.variances}


def _pre(w: World) -> tuple[Terms, Terms]:
    eta = w.step_size
    after = w.distance + w.first + w.second + w.third + w.fourth
    return {"after": after}, {
        "before": (1 - eta * w.mu) * w.distance, "spread": 16 * eta**2 * w.steps**2 * w.G2,
        "noise": eta**2 * w.sigma2, "excess": 4 * w.smoothness * eta**2 * w.excess,
        "drop": -2 * eta * w.drop,
    }  # fmt: skip


def _pre_given(w: World) -> Terms:
    """The bounds of A_1 to A_4 and the mean of squares."""
    line = _line(w, 1)
    eta2 = w.step_size**2
    return {
        "A1": sum(line.values(), start=0 * w.first) - w.first,
        "A2": -w.second,
        "A3": 2 * w.smoothness * eta2 * w.excess - w.third,
        "A4": eta2 * w.sigma2 - w.fourth,
        "mean of squares": w.distances - w.distance,
    }


def _a5(w: World) -> tuple[Terms, Terms]:
    eta = w.step_size
    noise = 16 * w.steps**2 * w.G2 + 6 * w.low * w.smoothness * w.gap
    return {
        "slopes": 4 * w.smoothness * eta**2 * w.excess, "drop": -2 * eta * (w.excess - w.ideal)
    }, {
        "noise": eta**2 * noise, "contraction": -3 * eta * w.mu * w.low * w.distance / 8,
        "bias": 2 * eta * w.gap * (w.high - w.low),
    }  # fmt: skip


def _a5_given(w: World) -> Terms:
    """What is known at w_t if rho-bar is known at the ends of the round alone.

    Smoothness at w_t^i with Young's inequality and Lemma 1 bounds the losses at w_t.
    """
    eta, h = w.step_size, w.smoothness * w.step_size
    return {
        "smoothness": (1 + h) * (2 * eta * w.excess + w.spread) - 2 * eta * w.here,
        **_spread(w),
        "steps at most 1/(4L)": 1 - 4 * h,
        "rho-tilde": w.high * w.gap - w.ideal,
        "A2": 2 * w.rise - w.mu * w.distance,
    }


def _a5_given_everywhere(w: World) -> Terms:
    """The same, and rho-bar at most rho(t, w_t)."""
    return {**_a5_given(w), "rho-bar": w.here - w.low * (w.rise + w.gap)}


def _seventeen(w: World) -> tuple[Terms, Terms]:
    return {"gap": w.gap}, {
        "speed": (w.speed + w.share / w.least) / w.time,
        "error": w.error * (w.largest - w.least) / w.least,
    }


def _seventeen_given(w: World) -> Terms:
    corollary = (w.speed + w.share * w.inverse) / w.time + w.error * (w.quotient - 1)
    return {
        "Corollary 4": corollary - w.gap, "1/rho-bar": 1 / w.least - w.inverse,
        "rho-tilde/rho-bar": w.largest / w.least - w.quotient,
    }  # fmt: skip


def _nineteen(w: World) -> tuple[Terms, Terms]:
    return {"gap": w.gap}, {
        "speed": (w.speed + w.share / w.least) / w.time,
        "error": w.error * (1 / (w.least * w.floor) - w.clients),
    }


def _nineteen_given(w: World) -> Terms:
    seventeen = _seventeen(w)[1]
    largest = (1 - (w.clients - 1) * w.least * w.floor) / w.floor
    return {
        "eq. 17": sum(seventeen.values(), start=0 * w.gap) - w.gap, "Pi": largest - w.largest
    }


_A1 = "first spread excess slope drop distances step_size smoothness mu"
A1A = _step("proof.A1a", "spread cross slope slopes excess step_size smoothness", _a1a, _a1a_given)
A1B_FIRST = _step("proof.A1b/first", _A1, _a1b_first, _after_a1a)
A1B_WHOLE = _step("proof.A1b/whole", f"{_A1} G2 steps", _a1b_whole, _a1b_given)
A1B_REPAIRED = _step("proof.A1b.repaired", f"{_A1} G2 steps", _a1b_repaired, _a1b_given)
A3 = _step("proof.A3", "mean_slope slopes excess step_size smoothness", _a3, _a3_given)
A4 = _step("proof.A4", "variance variances sigma2 step_size", _a4, _a4_given)
PRE = _step(
    "proof.pre",
    "first second third fourth distance distances excess drop G2 sigma2 steps step_size smoothness mu",
    _pre, _pre_given,
)  # fmt: skip
_A5 = "excess here ideal spread distance rise G2 gap low high step_size smoothness mu steps"
A5 = _step("proof.A5", _A5, _a5, _a5_given)
A5_REPAIRED = _step("proof.A5.repaired", _A5, _a5, _a5_given_everywhere)
SEVENTEEN = _step(
    "eq17", "gap speed share error inverse quotient least largest time",
    _seventeen, _seventeen_given,
)  # fmt: skip
NINETEEN = _step(
    "eq19", "gap speed share error least largest time floor clients", _nineteen, _nineteen_given
)
STATEMENTS = (A1A, A1B_FIRST, A1B_WHOLE, A1B_REPAIRED, A3, A4, PRE, A5, A5_REPAIRED, SEVENTEEN, NINETEEN)
