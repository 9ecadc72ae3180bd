"""Whether steps of the printed proofs follow from the displays before them, over free symbols."""

from __future__ import annotations

from collections.abc import Callable

from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct.common import source
from verify.world.world import World

_PLAIN = Real(-4, 4)
_SIZE = Real(0, 4)
_POSITIVE = Real(1 / 16, 4, log=True)
_BOX = {
    **dict.fromkeys(("before", "after", "last", "best", "first", "second", "own_risk", "shift"), _PLAIN),
    **dict.fromkeys(
        ("sum", "sum2", "rest", "rest2", "group", "start", "similar", "drift", "noise", "late",
         "moved", "bound", "kappa", "kappa_pair", "risk", "distance", "spread", "spread2", "other"),
        _SIZE,
    ),
    **dict.fromkeys(("horizon", "step_size", "estimation", "sigma2"), _POSITIVE),
    "part": Real(0, 1),
}  # fmt: skip


def _step(
    name: str, symbols: str, sides: Callable[[World], tuple[Terms, Terms]],
    given: Callable[[World], Terms],
) -> Statement:  # fmt: skip
    family = Family({k: _BOX[k] for k in symbols.split()}, about="free symbols")
    return Statement(
        key=f"hcct.{name}-deduced", source=source("proofs"), latex="", family=family, sides=sides,
        given=given,
    )  # fmt: skip


def _union(w: World) -> tuple[Terms, Terms]:
    return {"eps_i": w.own_risk}, {"estimation": w.estimation, "d1": w.distance, "lambda": w.shift}


def _union_given(w: World) -> Terms:
    """(34), and (35) on its event."""
    return {
        "(34)": w.risk + w.distance + w.shift - w.own_risk, "(35)": w.estimation - w.risk,
    }  # fmt: skip


def _jensen(w: World) -> tuple[Terms, Terms]:
    return {"deviation of the mean": w.spread}, {"sigma^2": w.sigma2}


def _jensen_given(w: World) -> Terms:
    """Jensen's inequality for the weights a and 1 - a, and Assumption 2."""
    mixed = w.part * w.spread2 + (1 - w.part) * w.other
    return {
        "convexity": mixed - w.spread, "first": w.sigma2 - w.spread2, "second": w.sigma2 - w.other,
        "a at most 1": 1 - w.part,
    }  # fmt: skip


def _squares(w: World) -> tuple[Terms, Terms]:
    """Two epochs of updates: nothing is known of their product."""
    return {"(x + y)^2": (w.first + w.second) ** 2}, {"x^2 + y^2": w.first**2 + w.second**2}


def _nothing(w: World) -> Terms:
    return {}


def _pair(w: World) -> tuple[Terms, Terms]:
    return {"|grad J_i - grad J_j|^2": w.moved}, {"kappa_iz^2": w.kappa}


def _pair_given(w: World) -> Terms:
    """Assumption 3 of the pair (i, j)."""
    return {"Assumption 3": w.kappa_pair - w.moved}


def _drifted(w: World) -> tuple[Terms, Terms]:
    return {"J after": w.after}, {
        "J before": w.before, "others": w.rest - w.sum, "bound": w.step_size * w.bound
    }


def _drifted_given(w: World) -> Terms:
    """The first inequality of (40) and what (39) bounds."""
    return {
        "first": w.before - w.sum + w.rest + w.step_size * w.moved - w.after,
        "(39)": w.bound - w.moved,
    }  # fmt: skip


def _telescope(w: World) -> tuple[Terms, Terms]:
    return {"both epochs": w.sum + w.sum2}, {
        "start": w.before, "best": -w.best, "rest": w.rest + w.rest2
    }


def _telescope_given(w: World) -> Terms:
    """(40) of two epochs, its second term dropped, and J_i^T at least the smallest value."""
    return {
        "epoch 0": w.before - w.sum - w.group + w.rest - w.after,
        "epoch 1": w.after - w.sum2 + w.rest2 - w.last, "smallest": w.last - w.best,
    }  # fmt: skip


def _divided(averaged: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        late = 2 * w.late / w.horizon if averaged else 2 * w.late
        return {"average": 2 * w.sum / w.horizon}, {
            "start": 2 * w.start / w.horizon, "similar": 2 * w.similar / w.horizon,
            "drift": 2 * w.drift / w.horizon, "noise": 2 * w.noise / w.horizon, "late": late,
        }  # fmt: skip

    return sides


def _divided_given(w: World) -> Terms:
    """(41): half of the weighted sum."""
    return {"(41)": w.start + w.similar + w.drift + w.noise + w.late - w.sum}


def _recalled(w: World) -> tuple[Terms, Terms]:
    return {"average": w.sum}, {
        "2 S_1": 2 * w.start, "S_2": w.similar, "S_3": w.drift, "S_4": w.noise + w.late
    }


def _recalled_given(w: World) -> Terms:
    """(26) in the quantities of (42) to (44), divided by xi_T: S_2 and S_3 twice, the last term of
    S_4 four times."""
    right = 2 * w.start + 2 * w.similar + 2 * w.drift + w.noise + 4 * w.late
    return {"(26)": right - w.sum}


UNION = _step("theorem1", "own_risk risk distance shift estimation", _union, _union_given)
JENSEN = _step("lemma1/noise", "spread spread2 other sigma2 part", _jensen, _jensen_given)
SQUARES = _step("eq39/f", "first second", _squares, _nothing)
PAIR = _step("eq39/h", "moved kappa kappa_pair", _pair, _pair_given)
DRIFTED = _step(
    "eq40/second", "before after sum rest moved bound step_size", _drifted, _drifted_given
)
TELESCOPE = _step(
    "eq41", "before after last best sum sum2 group rest rest2", _telescope, _telescope_given
)
_S = "sum start similar drift noise late horizon"
DIVIDED = _step("theorem2/averaged", _S, _divided(True), _divided_given)
DIVIDED_PRINTED = _step("theorem2/printed", _S, _divided(False), _divided_given)
RECALLED = _step("corollary1/recalled", _S.removesuffix(" horizon"), _recalled, _recalled_given)
