"""Appendix A from A_5 on: where rho enters, the recursion, and the induction that bounds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim.parameters import Family, Real, Shape, plain_numbers
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation import deductions
from verify.statements.aggregation.common import (
    CURVATURE,
    EVERY,
    HETEROGENEOUS,
    NUMBERS,
    distance,
    numbers,
    runs,
    short_steps,
    size,
    source,
    suboptimality,
)
from verify.statements.aggregation.families import returning_weights
from verify.statements.aggregation.proof_steps import fifth, sums
from verify.statements.aggregation.speed import speed
from verify.statements.aggregation.theorem import (
    OUTLIER,
    RETURNING,
    SPACE,
    STEPS,
    defines,
    empty,
    everywhere,
    short_given,
)
from verify.world.world import World

# -- A_5 ---------------------------------------------------------------------------------------


def _a5(w: World) -> tuple[Terms, Terms]:
    """Both sides in mean at iteration ``at``."""
    eta = w.step_sizes[..., w.at]
    noise = 16 * w.local_steps**2 * w.G2 + 6 * w.low * w.beta * w.gap
    return {"A5": fifth(w, sums(w))}, {
        "noise": eta**2 * noise,
        "contraction": -3 * eta * w.mu * w.low / 8 * distance(w, w.at),
        "bias": 2 * eta * w.gap * (w.high - w.low),
    }


def _a5_repaired(w: World) -> tuple[Terms, Terms]:
    """rho-bar over the virtual averages as well, eta_t <= 1/(4L).

    Proof. Let X = sum alpha x_i(w_t^i), Y = sum alpha x_i(w_t), Z = sum alpha x_i(w*), S the spread,
    h = L eta <= 1/4. Smoothness at w_t^i and Young's inequality with Lemma 1 give
    Y <= (1 + h) X + (1 + h) S/(2 eta), so that A_5 = -2 eta (1 - 2h) X + 2 eta Z is at most
    S - 2 eta c Y + 2 eta Z in mean, with c = (1 - 2h)/(1 + h). Lemma 2 bounds S;
    Y >= rho-bar (F(w_t) - F* + Gamma) with F(w_t) - F* >= mu/2 |w_t - w*|^2, and
    Z <= rho-tilde Gamma; c >= 3/8 and 1 - c <= 3h leave the three terms.
    """
    return _a5(w)


def _recursion(w: World) -> tuple[Terms, Terms]:
    """B, C and D of the proof; Theorem 3 in other letters."""
    eta = w.step_sizes[..., w.at]
    noise = 32 * w.local_steps**2 * w.G2 + 6 * w.low * w.beta * w.gap + w.sigma2_max
    return {"Delta+": distance(w, w.at + 1)}, {
        "(1 - eta mu B) Delta": (1 - eta * w.mu * (1 + 3 * w.low / 8)) * distance(w, w.at),
        "eta^2 C": eta**2 * noise,
        "eta D": 2 * eta * w.gap * (w.high - w.low),
    }


def _recursion_repaired(w: World) -> tuple[Terms, Terms]:
    """rho-bar over the virtual averages as well.

    Proof. The repaired Theorem 3 with B = 1 + 3 rho-bar/8, C and D its other coefficients.
    """
    return _recursion(w)


def _a5_space(w: World) -> tuple[Terms, Terms]:
    """One client, for which Gamma = 0 and rho is one; G^2 a bound at every point of the space."""
    eta = w.step_sizes[..., 0]
    return {"A5": fifth(w, sums(w))}, {
        "noise": 16 * eta**2 * w.level, "contraction": -3 * eta * w.mu / 8 * distance(w, 0),
    }  # fmt: skip


def _recursion_space(w: World) -> tuple[Terms, Terms]:
    """As A5: one client and G^2 a bound at every point of the space."""
    eta = w.step_sizes[..., 0]
    return {"Delta+": distance(w, 1)}, {
        "(1 - eta mu B) Delta": (1 - 11 * eta * w.mu / 8) * distance(w, 0),
        "eta^2 C": eta**2 * (32 * w.level + xp.largest(w.sigma2)),
    }


# -- psi ---------------------------------------------------------------------------------------

_SEQUENCE = {
    "start": Real(0, 8, unit=(0, 2)),
    "reached": Real(0, 1, per=("T",)),
    "noise": Real(1 / 64, 8, unit=(2, -2), log=True),
    "bias": Real(0, 8, unit=(1, 0)),
    "mu": CURVATURE,
    "slack": Real(1 / 64, 8, log=True),
}
_LENGTHS: tuple[Shape, ...] = ({"T": 1}, {"T": 2}, {"T": 4})
FREE = Family(
    {**_SEQUENCE, "delay": Real(1 / 8, 64, log=True)}, _LENGTHS, plain_numbers,
    "sequences that satisfy the recursion, free constants",
)  # fmt: skip
PAPER = Family(
    {**_SEQUENCE, "condition": Real(1, 64, log=True)}, _LENGTHS, plain_numbers,
    "sequences that satisfy the recursion, gamma = 4L/mu",
)  # fmt: skip


def _sequence(w: World) -> tuple[Any, Any]:
    """Delta_T of a sequence below the recursion, with beta = (1 + slack)/(mu B), B = 1.

    Also the smallest right side met: a sequence exists where it is not negative.
    """
    factor = 1 + w.slack
    value, lowest = w.start, w.start
    for t in range(w.T):
        eta = factor / (w.mu * (t + w.delay))
        right = (1 - eta * w.mu) * value + eta**2 * w.noise + eta * w.bias
        lowest = xp.minimum(lowest, right)
        value = w.reached[..., t] * right
    return value, lowest


def _induction(w: World) -> tuple[Terms, Terms]:
    """Delta_T <= psi/(T + gamma) for every sequence of non-negative numbers below the recursion.

    Where eta_0 mu B = beta mu B/gamma exceeds one the first factor is negative: Delta_0 = 0 allows
    Delta_1 = (beta/gamma)^2 C, above beta^2 C/((beta mu B - 1)(1 + gamma)) for small gamma.
    """
    right = closed.recursion_limit_upper(
        w.start, 1, w.mu, (1 + w.slack) / w.mu, w.noise, w.bias, w.delay, w.T
    )
    return {"Delta_T": _sequence(w)[0]}, {"psi/(T + gamma)": right}


def _induction_repaired(w: World) -> tuple[Terms, Terms]:
    """With beta mu B <= gamma, so that no factor is negative.

    Proof. With b = beta mu B, n = t + gamma and M_n = psi_n/n, the step gives at most
    (1 - b/n) M_n + ((b-1)/n) M_n = (n-1)/n M_n <= n/(n+1) M_n <= psi_{n+1}/(n+1), as psi_n does not
    fall with n for D >= 0.
    """
    return _induction(w)


def _exists(w: World) -> Terms:
    return {"recursion not negative": _sequence(w)[1]}


def _exists_contracting(w: World) -> Terms:
    return {**_exists(w), "beta mu B at most gamma": w.delay - 1 - w.slack}


def _smooth(w: World) -> tuple[Terms, Terms]:
    """F is L-smooth and its gradient vanishes at w*."""
    return {"F(w_t) - F*": suboptimality(w, w.rounds)}, {
        "L/2 |w_t - w*|^2": w.beta * distance(w, w.rounds) / 2
    }


FORM = numbers(
    {**NUMBERS, "low": Real(1 / 8, 64, log=True), "high": Real(0, 64), "time": Real(0, 64)},
    {"local_steps": 1}, {"local_steps": 3}, about="any constants",
)  # fmt: skip


def _form(w: World) -> tuple[Terms, Terms]:
    """L/2 times the sum of both entries of psi over T + gamma, beta = 1/mu and gamma = 4L/mu."""
    delay = closed.aggregation_delay(w.mu, w.smoothness)
    noise = 32 * w.local_steps**2 * w.squared_gradient + 6 * w.low * w.smoothness * w.gap + w.sigma2
    bias = 2 * w.gap * (w.high - w.low)
    steady = (noise / w.mu**2 + bias * (w.time + delay) / w.mu) / (3 * w.low / 8)
    whole = w.smoothness / 2 * (delay * w.squared_start + steady) / (w.time + delay)
    error = closed.learning_error(w.mu, w.smoothness, w.gap, w.low, w.high)
    return {"from psi": whole}, {"V/(T + gamma) + E": speed(w, w.low) / (w.time + delay) + error}


def _sum_for_max(w: World) -> tuple[Terms, Terms]:
    """The largest of two numbers is at most their sum if neither is negative.

    The second is negative for rho-bar > rho-tilde only, which a finite run allows and an endless one
    does not: remark7/least@endless bounds the excess by a rest that vanishes.
    """
    return {"max": xp.maximum(w.first, w.second)}, {"sum": w.first + w.second}


PAIR = numbers(
    {"first": Real(0, 8), "second": Real(-8, 8)}, about="the two entries of psi"
)


def _step(name: str, family: Family, sides: Any, latex: str, title: str, **more: Any) -> Statement:
    return Statement(
        key=f"aggregation.proof.{name}", source=source("Appendix A"), family=family, sides=sides,
        latex=latex, title=title, kind="proof step", **more,
    )  # fmt: skip


def _everywhere(name: str, sides: Any, latex: str, title: str) -> tuple[Statement, Statement]:
    """The reading of A4 at every point, as of Theorem 3 that the step belongs to."""
    return empty(f"aggregation.proof.{name}@space", "Appendix A"), _step(
        f"{name}@space", SPACE, sides, latex, title, over="mean", given=everywhere,
        defines={"step_sizes": short_steps},
    )  # fmt: skip


def _rated(
    name: str, family: Family, sides: Any, reading: str, latex: str, title: str,
    weights: Callable[[World], Any] | None = None, **more: Any,
) -> Statement:  # fmt: skip
    own: dict[str, Any] = {"coefficients": weights} if weights else {}
    return _step(
        name, family, sides, latex, title, over="mean", given=short_given, strict=HETEROGENEOUS,
        defines={**defines(reading), **own}, **more,
    )  # fmt: skip


def _delay(w: World) -> Any:
    return 4 * w.condition


_A5 = r"A_5\le\eta_t^2(16E^2G^2+6\overline\rho L\Gamma)-\tfrac38\eta_t\mu\overline\rho\Delta_t+2\eta_t\Gamma(\tilde\rho-\overline\rho)"
_REC = r"\Delta_{t+1}\le(1-\eta_t\mu B)\Delta_t+\eta_t^2C+\eta_tD"
_PSI = r"\Delta_t\le\frac\psi{t+\gamma}"
SMOOTH = runs(*(size(2, 1, 1, rule) for rule in ("fixed", "fedmax")), size(2, 2, 2, "fixed", d=2,
                                                                         quiet=True))  # fmt: skip

STATEMENTS = (
    *_everywhere("A5", _a5_space, _A5, "where rho enters"),
    *_everywhere("recursion", _recursion_space, _REC, "recursion"),
    _rated(
        "A5@rounds", OUTLIER, _a5, "rounds", _A5, "where rho enters", deduction=deductions.A5
    ),
    _rated(
        "A5@final-model", RETURNING, _a5, "all", _A5, "where rho enters", weights=returning_weights,
        deduction=deductions.A5,
    ),
    _rated(
        "A5.repaired", STEPS, _a5_repaired, "every", _A5 + EVERY,
        "where rho enters, rho-bar over the virtual averages too", form="repaired",
        deduction=deductions.A5_REPAIRED, uses=("aggregation.lemma1", "aggregation.lemma2"),
    ),
    _rated("recursion@rounds", OUTLIER, _recursion, "rounds", _REC, "recursion"),
    _rated(
        "recursion@final-model", RETURNING, _recursion, "all", _REC, "recursion",
        weights=returning_weights, uses=("aggregation.theorem3",),
    ),
    _rated(
        "recursion.repaired", STEPS, _recursion_repaired, "every", _REC + EVERY, "recursion",
        form="repaired", uses=("aggregation.theorem3.repaired",),
    ),
    _step(
        "psi/induction@free", FREE, _induction, _PSI, "induction", given=_exists,
    ),
    _step(
        "psi/induction@corollary", PAPER, _induction, _PSI, "induction", given=_exists,
        defines={"delay": _delay},
    ),
    _step(
        "psi/smooth", SMOOTH, _smooth, r"F(w_t)-F^\star\le\tfrac L2\|w_t-w^\star\|^2",
        "smoothness of F", over="path", defines={"step_sizes": defines("rounds")["step_sizes"]},
    ),
    _step(
        "psi/sum@free", PAIR, _sum_for_max, r"\max(a,b)\le a+b", "a sum for the maximum",
    ),
    _step(
        "psi/sum@endless", PAIR, _sum_for_max, r"b\ge0\Rightarrow\max(a,b)\le a+b",
        "a sum for the maximum", given=lambda w: {"rho-bar at most rho-tilde": w.second},
    ),
    _step(
        "psi/form", FORM, _form,
        r"\frac L2\frac{\gamma\Delta_0+\frac8{3\overline\rho}(C/\mu^2+D(T+\gamma)/\mu)}{T+\gamma}=\frac{\mathcal V}{T+\gamma}+\mathcal E",
        "the form of V and E", relation="==",
    ),
    _step(
        "psi.repaired/induction", FREE, _induction_repaired, _PSI, "induction without a negative factor",
        given=_exists_contracting, form="repaired",
    ),
)  # fmt: skip

