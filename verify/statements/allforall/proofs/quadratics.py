"""Weighted gradient averaging on quadratics, whose moments are known: notation and guarantees.

Losses are above their least values, f_j(x) - f_j^*.  They have one Hessian, and so similar
gradients, or one minimiser.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.allforall import rates, sgd
from verify.outlines.exact import above, below, fractions, in_fractions
from verify.outlines.setting import ANY, Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.allforall import quantities as q
from verify.statements.allforall import theorem6b as runs
from verify.statements.allforall.proofs.exponential import BIAS, FACTOR, GAP, NOISE
from verify.statements.allforall.proofs.parabolas import LOOKED_AT, descent
from verify.statements.allforall.proofs.setting import FACTS as AVERAGED
from verify.statements.allforall.proofs.setting import QUANTITIES as AVERAGING

MASS = "Sum(share[j]**2, (j, 0, N - 1))"
OWN = ("sigma2[j]", "K", "least")
QUANTITIES = (
    *(one for one in AVERAGING if one.name not in OWN),
    Quantity("sigma2", "nonnegative", "variance of every agent's noise", r"\sigma^2"),
    Quantity("K", "positive integer", "rounds", "K"),
    Quantity("star", "vector", "minimiser of the mean loss", r"x^\lambda", known="0"),
    Quantity("left", "positive", "what a round leaves, exp(-eta mu)", r"e^{-\eta\mu}"),
    Quantity("half", "positive", "what one of step 1/(2 L) leaves", r"e^{-\mu/2L}"),
    Quantity("argument", "positive", "what stands under the logarithm"),
    Quantity("log", "nonnegative", "its logarithm"),
)


def _condition(less: str, more: str, *needs: str) -> Guaranteed:
    return Guaranteed("condition", {"less": less, "more": more}, needs, scope="")


def _relation(less: str, more: str, *needs: str) -> Guaranteed:
    return Guaranteed("relation", {"less": less, "more": more}, needs, scope="")


_POSITIVE, _ENOUGH = runs.log_positive.name, "K at least the number"
FACTS = {
    **{name: one for name, one in AVERAGED.items() if "least" not in one.args.values()},
    "similar": Guaranteed("relation", AVERAGED["similar"].args, scope="similar gradients (B.3)"),
    "independent": Guaranteed(
        "relation", {"less": "spread", "more": NOISE}, scope="independent noises of variance sigma2"
    ),
    "steep": Guaranteed(
        "smooth above its infimum", {"f": "H", "L": "L", "at": ANY, "low": "H(star)"}, scope=""
    ),
    "PL": Guaranteed("PL", {"f": "H", "mu": "mu", "at": ANY, "low": "H(star)"}),
    "below": Guaranteed("bounded below", {"f": "f", "low": "low", "at": "star"}, scope=""),
    "minimum": Guaranteed("minimiser", {"f": "H", "star": "star", "at": "x[0]"}, scope=""),
    "short step": _condition("eta", "1/(2*L)"),
    "tangent": Guaranteed("exponential", {"value": "left", "of": "eta*mu"}),
}
"""For steps of at most 1/(2 L)."""
HORIZON = {
    "long horizon": _condition("eta", "log/(mu*K)", _POSITIVE),
    "step": _relation("argument*left**K", "argument*half**K + 1", _POSITIVE),
    "argument": _relation(f"{GAP}*mu**2*K", f"argument*L*{NOISE}"),
}
PRECISE = {
    "rounds enough": _relation("argument*left**K", "1", _ENOUGH),
    "argument": _relation(f"{FACTOR}*4*{GAP}", "argument*eps"),
    "shorter step": _relation(f"8*(relax + 1)*L**2*eta*{NOISE}", "mu**2*eps"),
    "small bias": _relation(BIAS, "eps/2"),
}


# -- what statements ask --------------------------------------------------------------------------
def _weights(w: Any) -> Any:
    if not w.has("precision"):
        return q.mixing(w.row)
    if w.has("centre"):
        return rates.close_weights(runs.pair_bias(w), w.precision)
    return xp.ones_like(w.row) / w.N


def _constants(w: Any) -> tuple[Any, Any, Any]:
    """mu, L and m."""
    return (w.mu, w.smoothness, 0 * w.mu) if w.has("centre") else runs.constants(w)


def _bias(w: Any) -> Any:
    return xp.total(_weights(w) * runs.pair_bias(w)) if w.has("centre") else 0 * w.mu


def _gap(w: Any) -> Any:
    """F_lambda^0."""
    if w.has("centre"):
        return runs.weighted_gap(w, _weights(w))
    return _mixed(w)[1] * w.start**2 / 2


def _mixed(w: Any) -> tuple[Any, Any]:
    """Sum of the squared weights, and where there is one minimiser the curvature of the mean loss."""
    if w.has("precision") and not w.has("centre"):
        return 0 * w.mu + 1 / (0 * w.mu + w.N), xp.mean(runs.curvatures(w))
    weights = _weights(w)
    return q.mass(weights), None if w.has("centre") else xp.total(weights * runs.curvatures(w))


def _at_horizon(w: Any) -> tuple[Any, ...]:
    low, high, _ = _constants(w)
    return _gap(w), low, high, w.variance * _mixed(w)[0], w.rounds


def _step(w: Any) -> Any:
    if not w.has("precision"):
        return sgd.horizon_step(*_at_horizon(w))
    low, high, relax = _constants(w)
    return rates.averaging_smooth_step(low, high, w.variance, _mixed(w)[0], w.precision, relax)


def _last(w: Any) -> Any:
    """The mean gap after the last round."""
    if w.has("centre"):
        return runs.final_gap(w, _weights(w), _step(w))
    mass, curvature = _mixed(w)
    return runs.relaxed_gap(w, curvature, _step(w), mass)


def _left_of_half(w: Any) -> Any:
    low, high, _ = _constants(w)
    return xp.exp(-low * w.rounds / (2 * high))


def _argument(w: Any) -> Any:
    return runs.step_positive.rule(w) + 1


TERMS = (
    Term("mu", lambda w: _constants(w)[0]),
    Term("L", lambda w: _constants(w)[1]),
    Term("relax", lambda w: _constants(w)[2]),
    Term("K", lambda w: w.rounds),
    Term("sigma2", lambda w: w.variance),
    Term(MASS, lambda w: _mixed(w)[0]),
    Term(BIAS, _bias),
    Term("H(x[0]) - low", _gap),
    Term("G(x[K]) - lowest", _last),
)
LOGARITHMS = (
    Term("half**K", _left_of_half),
    Term("log", lambda w: sgd.horizon_level(*_at_horizon(w))),
    Term("log", lambda w: xp.log(_argument(w))),
    Term("log", lambda w: xp.log(xp.maximum(_argument(w), xp.ones_like(_argument(w))))),
    Term("argument - 1", lambda w: runs.step_positive.rule(w)),
    Term("H(x[K]) - H(star)", lambda w: runs.final_gap(w, _weights(w), _step(w), agent=None)),
)
PRECISION = Term("eps", lambda w: w.precision)


# -- exact runs -----------------------------------------------------------------------------------
def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The run of a world as outlines see it."""
    rounds, agents = int(world.rounds), int(world.N)
    share, eta = fractions(_weights(world)), below(_step(world))
    mu, smooth, relax = (fractions(one)[0] for one in _constants(world))
    sigma2, gap = fractions(world.variance)[0], fractions(_gap(world))[0]
    spread = sigma2 * sum(p**2 for p in share)
    if world.has("centre"):
        curves = [[mu, smooth][: int(world.d)]] * agents
        centres = [list(row) for row in in_fractions(world.centre).reshape(agents, -1)]
        start, bias = fractions(world.start), fractions(runs.pair_bias(world))
    else:
        curves = [[a] for a in fractions(runs.curvatures(world))]
        centres = [[Fraction(0)]] * agents
        start, bias = fractions(world.start), [Fraction(0)] * agents
    precise = world.has("precision")
    eps = fractions(world.precision)[0] if precise else Fraction(1)
    argument = gap * mu**2 * rounds / (smooth * spread)
    if precise:
        argument = 8 * (relax + 1) * smooth / mu * gap / eps
    numbers: dict[str, Any] = {
        "L": smooth,
        "mu": mu,
        "eta": eta,
        "relax": relax,
        "share": share,
        "sigma2": sigma2,
        "b": bias,
        "spread": spread,
        "eps": eps,
        "low": Fraction(0),
        "lowest": Fraction(0),
        "K": Fraction(rounds),
        "N": Fraction(agents),
        "left": below(_exp(-eta * mu)),
        "half": above(_exp(-mu / (2 * smooth))),
        "argument": argument,
        "log": Fraction(0) if precise else above(sgd.horizon_level(*_at_horizon(world))),
    }
    run = descent(numbers, curves, centres, start, share, len(start) - 1)
    return run, {"t": min(rounds, LOOKED_AT), "j": agents}


def _exp(exponent: Fraction) -> Any:
    return xp.exp(np.array([exponent], dtype=object))


AT_HORIZON = OutlineSetting(
    "weighted gradient averaging on quadratics",
    (runs.SIMILAR, runs.RELAXED),
    QUANTITIES,
    (*TERMS, *LOGARITHMS),
    FACTS | HORIZON,
    measured,
    {"j": "N"},
)
TO_PRECISION = OutlineSetting(
    "weighted gradient averaging on quadratics",
    (runs.SIMILAR_TARGET, runs.RELAXED_TARGET),
    QUANTITIES,
    (*TERMS, PRECISION),
    FACTS | PRECISE,
    measured,
    {"j": "N"},
)
