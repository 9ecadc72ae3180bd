"""Whether steps of the printed proofs follow from the displays before them, over free symbols."""

from __future__ import annotations

from collections.abc import Callable

from bounds import generic as xp
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive.common import source
from verify.world.world import World

_GRADIENT = Real(1 / 16, 4, unit=(2, -2), log=True)
_CURVATURE = Real(1 / 16, 16, unit=(1, -2), log=True)
_LOSS = Real(1 / 16, 4, unit=(1, 0), log=True)
_SYMBOLS = {
    "after": Real(0, 4, unit=(1, 0)),
    "before": Real(0, 4, unit=(1, 0)),
    "excess": _LOSS,
    "precision": _LOSS,
    "plateau": _LOSS,
    "own": _GRADIENT,
    "elsewhere": Real(0, 4, unit=(2, -2)),
    "gap": Real(0, 4, unit=(2, -2)),
    "bias": Real(0, 4, unit=(2, -2)),
    "slope": Real(0, 2),
    "effective": _GRADIENT,
    "sufficient": _GRADIENT,
    "mu": _CURVATURE,
    "beta": _CURVATURE,
    "step_size": Real(1 / 16, 16, unit=(-1, 2), log=True),
    "horizon": Real(1, 16),
    "series": Real(1 / 16, 16, log=True),
}
"""Mean excess after and before the step, realised excess, epsilon, beta sigma^2 C^2/(2 mu^2 (C-1)),
|grad R_i|^2 at theta_i and at theta_k, Delta_k^2, b^2, c, sigma_eff^2, sigma_suf^2, mu, beta, eta, T,
sum_t (1 - eta mu)^(T - t)."""


def _step(
    name: str,
    symbols: str,
    sides: Callable[[World], tuple[Terms, Terms]],
    given: Callable[[World], Terms],
) -> Statement:
    family = Family({k: _SYMBOLS[k] for k in symbols.split()}, about="free symbols")
    return Statement(
        key=f"adaptive.{name}-deduced", source=source("proofs"), latex="", family=family,
        sides=sides, given=given,
    )  # fmt: skip


def _rec(w: World) -> tuple[Terms, Terms]:
    noise = w.step_size**2 * w.effective * w.beta / 2
    return {"after": w.after}, {"before": (1 - w.step_size * w.mu) * w.before, "noise": noise}


def _rec_given(w: World) -> Terms:
    """(S2) and assumption A5 in full expectation."""
    noise = w.step_size**2 * w.effective * w.beta / 2
    return {
        "(S2)": noise - w.step_size * w.own / 2 + w.before - w.after,
        "A5": w.own - 2 * w.mu * w.before,
    }


def _a3(w: World) -> tuple[Terms, Terms]:
    return {"gap": w.gap / w.own}, {"b^2 + c G'^2": (w.bias + w.slope * w.elsewhere) / w.own}


def _a3_given(w: World) -> Terms:
    return {"A3 at theta_i": w.bias + w.slope * w.own - w.gap}


def _a3_same(w: World) -> tuple[Terms, Terms]:
    return {"gap": w.gap / w.own}, {"b^2 + c G^2": (w.bias + w.slope * w.own) / w.own}


def _pl(w: World) -> tuple[Terms, Terms]:
    return {"b^2 + c G'^2": (w.bias + w.slope * w.elsewhere) / w.own}, {
        "b^2/(2 mu excess) + c": w.bias / (2 * w.mu * w.excess) + w.slope
    }


def _pl_same(w: World) -> tuple[Terms, Terms]:
    return {"b^2 + c G^2": (w.bias + w.slope * w.own) / w.own}, {
        "b^2/(2 mu excess) + c": w.bias / (2 * w.mu * w.excess) + w.slope
    }


def _pl_given(w: World) -> Terms:
    return {"A5": w.own - 2 * w.mu * w.excess}


def _precision(w: World) -> tuple[Terms, Terms]:
    return {"at the excess": w.bias / (2 * w.mu * w.excess)}, {
        "at epsilon": w.bias / (2 * w.mu * w.precision)
    }


def _precision_given(w: World) -> Terms:
    return {"epsilon at most the excess": w.excess - w.precision}


def _replace(w: World) -> tuple[Terms, Terms]:
    return {"noise": w.beta * w.step_size**2 * w.series * w.effective / 2}, {
        "saturation": w.step_size * w.beta * w.sufficient / (2 * w.mu)
    }


def _replace_given(w: World) -> Terms:
    """Lemma 2, and the geometric series."""
    return {
        "Lemma 2": w.sufficient - w.effective,
        "geometric series": 1 - w.step_size * w.mu * w.series,
    }


def _summed(w: World) -> tuple[Terms, Terms]:
    return {"average": w.own}, {
        "start": 2 * w.excess / (w.horizon * w.step_size),
        "noise": w.step_size * w.beta * w.sufficient,
    }


def _summed_given(w: World) -> Terms:
    """(S2) summed over t, with sigma_eff <= sigma_suf; own is the average squared gradient."""
    noise = w.horizon * w.step_size**2 * w.beta * w.sufficient / 2
    return {"sum of (S2)": w.excess + noise - w.step_size * w.horizon * w.own / 2}


def _dropped(w: World) -> tuple[Terms, Terms]:
    return {"excess at T": w.after}, {"noise/T": w.plateau / w.horizon}


def _dropped_given(w: World) -> Terms:
    return {"decreasing row": xp.maximum(w.plateau, w.excess) / w.horizon - w.after}


REC = _step("theorem1.rec", "after before own effective mu beta step_size", _rec, _rec_given)
A3 = _step("lemma2/proof-A3", "gap bias slope own elsewhere", _a3, _a3_given)
A3_REPAIRED = _step("lemma2.repaired/proof-A3", "gap bias slope own", _a3_same, _a3_given)
PL = _step("lemma2/proof-PL", "bias slope own elsewhere mu excess", _pl, _pl_given)
PL_REPAIRED = _step("lemma2.repaired/proof-PL", "bias slope own mu excess", _pl_same, _pl_given)
PRECISION = _step(
    "lemma2/proof-precision", "bias mu excess precision", _precision, _precision_given
)
REPLACE = _step(
    "theorem2/replace", "effective sufficient mu beta step_size series", _replace, _replace_given
)
SUMMED = _step(
    "theorem3.step", "own excess sufficient beta step_size horizon", _summed, _summed_given
)
DROPPED = _step("corollary1/proof-max", "after excess plateau horizon", _dropped, _dropped_given)
