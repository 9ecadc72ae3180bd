"""Equation 33, step by step, and what Remark 1 makes of the bound."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds import hcct_divergence as distance
from bounds import hcct_generalization as closed
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct import laws
from verify.statements.hcct.common import LEVEL, numbers, source
from verify.statements.hcct.laws import EXIST, LABELS, LEVELS, Labels, level_given
from verify.world.world import World

# -- (33) --------------------------------------------------------------------------------------


def _identity(w: World) -> tuple[Terms, Terms]:
    known = Labels(w, False)
    own, group, mixed = known.own_error(), known.group_error(), known.group_error(known.own)
    return {"eps_i": own}, {"a": own - group, "b": group - mixed, "c": mixed}


def _triangle(w: World) -> tuple[Terms, Terms]:
    """With eps_i(h) = eps_i(h, f_i), the reading of an absolute error."""
    known = Labels(w, False)
    own, group, mixed = known.own_error(), known.group_error(), known.group_error(known.own)
    return {"eps_i": own}, {
        "eps_G": group, "|b|": xp.absolute(mixed - group), "|c|": xp.absolute(own - mixed),
    }  # fmt: skip


def _labels(exact: bool, printed: bool, other: bool = False) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Signed difference of the labels against |E|h - f_i| - E|h - f_G||.

        Proof of the form with |f_G - f_i|: ||a| - |b|| <= |a - b| under the mean.
        """
        known = Labels(w, exact)
        law = known.own_law if other else known.group_law
        gap = known.group - known.own
        error = known.own_error if other else known.group_error
        moved = xp.absolute(error(known.own) - error(known.group))
        right = xp.total(law * (gap if printed else xp.absolute(gap)))
        return {"change of the error": moved}, {"E[f_G - f_i]": right}

    return sides


def _masses(w: World) -> tuple[Terms, Terms]:
    """Tight where h - f_i is constant on the places at which one law exceeds the other."""
    known = Labels(w, False)
    gap = xp.absolute(known.group_law - known.own_law)
    moved = xp.absolute(known.own_error() - known.group_error(known.own))
    return {"|eps_i - eps_G(h, f_i)|": moved}, {
        "integral": xp.total(gap * xp.absolute(known.model - known.own))
    }


def _divergence(name: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Outputs in [0, 1]: |h - f_i| <= 1. Atoms stand in the order of their places."""
        known = Labels(w, False)
        gap = xp.absolute(known.group_law - known.own_law)
        measure = {"l1": distance.l1_distance, "thresholds": distance.threshold_divergence}[name]
        return {"integral": xp.total(gap * xp.absolute(known.model - known.own))}, {
            "d1": measure(known.group_law, known.own_law)
        }

    return sides


def _other_side(exact: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """E_i[f_G - f_i] in place of E_G[f_G - f_i]."""
        known = Labels(w, exact)
        return {"eps_i": known.own_error()}, {
            "eps_G": known.group_error(), "E_i[f_G - f_i]": known.shifts()[0],
            "d1": distance.l1_distance(known.group_law, known.own_law),
        }  # fmt: skip

    return sides


# -- whether a step follows: free symbols --------------------------------------------------------

_FREE = numbers(
    {k: Real(-2, 2) for k in ("own", "group", "mixed", "first", "second")}, about="free symbols"
)


def _deduced(w: World) -> tuple[Terms, Terms]:
    return {"own": w.own}, {"group": w.group, "|b|": w.first, "|c|": w.second}


def _absolute_values(w: World) -> Terms:
    """first and second are at least what they are the absolute values of."""
    return {
        "first": w.first - (w.mixed - w.group), "second": w.second - (w.own - w.mixed),
    }  # fmt: skip


TRIANGLE = Statement(
    key="hcct.thm1.chain/b-deduced", source=source("proof of Theorem 1"), latex="", family=_FREE,
    sides=_deduced, given=_absolute_values,
)  # fmt: skip


def _signed(w: World) -> tuple[Terms, Terms]:
    return {"|b|": w.first}, {"E[f_G - f_i]": w.second}


def _what_is_known(w: World) -> Terms:
    """|b| is at most the mean of |f_G - f_i|, which is at least plus and minus E[f_G - f_i]."""
    return {
        "|b| >= 0": w.first, "|b| <= E|f_G - f_i|": w.group - w.first,
        "E|f_G - f_i| >= E[f_G - f_i]": w.group - w.second,
        "E|f_G - f_i| >= -E[f_G - f_i]": w.group + w.second,
    }  # fmt: skip


SIGNED = Statement(
    key="hcct.thm1.chain/c-deduced", source=source("proof of Theorem 1"), latex="", family=_FREE,
    sides=_signed, given=_what_is_known,
)  # fmt: skip

# -- Remark 1 ------------------------------------------------------------------------------------

_BOUND = numbers(
    {
        "lipschitz": Real(1 / 8, 8, log=True), "convexity": Real(1 / 8, 8, log=True), "level": LEVEL,
        "size": Real(1, 64, log=True), "more": Real(0, 64), "distance": Real(0, 2),
        "closer": Real(0, 2), "shift": Real(-1, 1),
    },
    about="any constants of the bound",
)  # fmt: skip


def _right_side(w: World, more: bool, closer: bool) -> Terms:
    size = w.size + w.more if more else w.size
    estimation = closed.estimation_upper(w.lipschitz, w.convexity, size, w.level)
    distance_now = w.distance - w.closer if closer else w.distance
    return {"estimation": estimation, "d1 + lambda": distance_now + w.shift}


def _larger(w: World) -> tuple[Terms, Terms]:
    return _right_side(w, True, False), _right_side(w, False, False)


def _nearer(w: World) -> tuple[Terms, Terms]:
    return _right_side(w, False, True), _right_side(w, False, False)


def _more_coins(w: World) -> tuple[Terms, Terms]:
    """Mean test error of a sample mean, mu p (1 - p) (1 + 1/n)/2, with ``more`` samples."""
    spread = w.convexity * w.chance * (1 - w.chance) / 2
    return {"error": spread * (1 + 1 / (w.size + w.more))}, {"error before": spread * (1 + 1 / w.size)}


_COINS = numbers(
    {"chance": Real(0, 1), "convexity": Real(1 / 8, 8, log=True), "size": Real(1, 64, log=True),
     "more": Real(0, 64)}, about="means of coins",
)  # fmt: skip

_TWO_GROUPS = numbers(
    {
        "own_law": Real(1 / 64, 1, per=("n",)), "law": Real(1 / 64, 1, per=("n",)),
        "law2": Real(1 / 64, 1, per=("n",)), "own": Real(0, 1, per=("n",)),
        "labels": Real(0, 1, per=("n",)), "labels2": Real(0, 1, per=("n",)),
    },
    {"n": 1}, {"n": 2}, about="two groups that know their labelling function exactly",
)  # fmt: skip


def _law(w: World, name: str) -> Any:
    mass = w.symbol(name)
    return mass / xp.total(mass)[..., None]


def _errors(w: World) -> tuple[Terms, Terms]:
    """h = f_G of each group: E_i|f_G - f_i| in the group of smaller d_1 against the other."""
    own = _law(w, "own_law")
    gaps = [xp.total(own * xp.absolute(w.symbol(k) - w.own)) for k in ("labels", "labels2")]
    return {"error of the near group": gaps[0]}, {"error of the far group": gaps[1]}


def _near_and_far(w: World) -> Terms:
    own = _law(w, "own_law")
    near, far = (distance.l1_distance(_law(w, k), own) for k in ("law", "law2"))
    return {"d1 smaller": far - near}


_C: dict[str, Any] = {"kind": "proof step", "source": source("Equation 33")}
_CLOSE: dict[str, Any] = {"kind": "remark", "source": source("Remark 1")}
_G: dict[str, Any] = {"given": laws.laws_exist, "strict": EXIST, "family": LABELS}
_X: dict[str, Any] = {"given": laws.labels_exact, "strict": EXIST, "family": LABELS}
_SIGN = r"|\epsilon_{G_i}(h,f_i)-\epsilon_{G_i}(h)|\le\mathbb E_{\hat{\mathcal P}_{G_i}}[f_{G_i}-f_i]"
_OTHER = r"\epsilon_i(h)\le\epsilon_{G_i}(h)+\mathbb E_{\mathcal P_i}[f_{G_i}-f_i]+d_1"
_INT = r"\int|\hat{\mathcal P}_{G_i}-\mathcal P_i|\,|h-f_i|\le d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)"
_ERR = r"\text{test error decreases with larger }\hat D\text{ or smaller }d_1"

STATEMENTS = (
    Statement(key="hcct.remark1/samples@bound", title="more samples", latex=_ERR, family=_BOUND,
              sides=_larger, given=level_given, strict=LEVELS, **_CLOSE),
    Statement(key="hcct.remark1/samples@error", title="more samples", latex=_ERR, family=_COINS,
              sides=_more_coins, **_CLOSE),
    Statement(key="hcct.remark1/divergence@bound", title="closer laws", latex=_ERR, family=_BOUND,
              sides=_nearer, given=level_given, strict=LEVELS, **_CLOSE),
    Statement(key="hcct.remark1/divergence@error", title="closer laws", latex=_ERR,
              family=_TWO_GROUPS, sides=_errors, given=_near_and_far, **_CLOSE),
    Statement(key="hcct.thm1.chain/a", title="add and subtract", relation="==", sides=_identity,
              latex=r"\epsilon_i=\epsilon_i-\epsilon_G+\epsilon_G-\epsilon_G(h,f_i)+\epsilon_G(h,f_i)",
              **_C, **_G),
    Statement(key="hcct.thm1.chain/b", title="absolute values", sides=_triangle, deduction=TRIANGLE,
              latex=r"\epsilon_i\le\epsilon_G+|\epsilon_G(h,f_i)-\epsilon_G|+|\epsilon_i(h,f_i)-\epsilon_G(h,f_i)|",
              **_C, **_G),
    Statement(key="hcct.thm1.chain/c@any-labels", title="labels", latex=_SIGN, deduction=SIGNED,
              sides=_labels(False, True), **_C, **_G),
    Statement(key="hcct.thm1.chain/c@exact-labels", title="labels", latex=_SIGN, deduction=SIGNED,
              sides=_labels(True, True), **_C, **_X),
    Statement(key="hcct.thm1.chain/d", title="laws", sides=_masses,
              latex=r"|\epsilon_i(h,f_i)-\epsilon_G(h,f_i)|\le\int|\hat{\mathcal P}_{G_i}-\mathcal P_i|\,|h-f_i|",
              **_C, **_G),
    Statement(key="hcct.thm1.chain/e@L1", title="divergence", latex=_INT, sides=_divergence("l1"),
              **_C, **_G),
    Statement(key="hcct.thm1.chain/e@thresholds", title="divergence", latex=_INT,
              sides=_divergence("thresholds"), **_C, **_G),
    Statement(key="hcct.thm1.chain/other@any-labels", title="the other order", latex=_OTHER,
              sides=_other_side(False), **_C, **_G),
    Statement(key="hcct.thm1.chain/other@exact-labels", title="the other order", latex=_OTHER,
              sides=_other_side(True), **_C, **_X),
    Statement(key="hcct.thm1.chain.repaired/c", form="repaired", title="labels",
              latex=r"|\epsilon_{G_i}(h,f_i)-\epsilon_{G_i}(h)|\le\mathbb E_{\hat{\mathcal P}_{G_i}}|f_{G_i}-f_i|",
              sides=_labels(False, False), **_C, **_G),
)  # fmt: skip
