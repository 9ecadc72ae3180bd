"""Theorem 4.5: the gradient at the server by those of the Lagrangians, (66) to (70)."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds.fedbc_constants import gradient_factor, gradient_factor_printed
from verify.claim.statement import Rule, Terms
from verify.statements.fedbc import deductions_theorem as deduced
from verify.statements.fedbc.common import (
    ANY,
    FREE,
    PRINTED,
    Array,
    printed_domain,
    runs,
    steps_of,
)
from verify.statements.fedbc.domain import mean_slope
from verify.statements.fedbc.rounds import everywhere, first_round, lagrangian_slope, slopes
from verify.world.world import World


def _own_slope(w: World) -> Array:
    """Mean of |grad L_i|^2 at the state, (B, 1)."""
    r = first_round(w)
    return xp.mean(lagrangian_slope(w, r.old, r.server, r.multipliers) ** 2)


def _gap(w: World) -> Array:
    r = first_round(w)
    return xp.mean((r.old - r.server[..., None]) ** 2)


def _mixed(w: World) -> Array:
    """Mean of |grad f_i(z) - grad L_i|^2."""
    r = first_round(w)
    own = slopes(w, everywhere(r.server, w.multipliers))
    return xp.mean((own - lagrangian_slope(w, r.old, r.server, r.multipliers)) ** 2)


def _change(w: World) -> Array:
    """Mean of |grad f_i(z) - grad f_i(x_i)|^2."""
    r = first_round(w)
    return xp.mean((slopes(w, everywhere(r.server, w.multipliers)) - slopes(w, r.old)) ** 2)


def _gradient(w: World) -> Terms:
    return {"|grad f|^2": mean_slope(w, first_round(w).server) ** 2}


def _eq66(w: World) -> tuple[Terms, Terms]:
    """(a + b)^2 <= 2 a^2 + 2 b^2, and Jensen."""
    return _gradient(w), {"mixed": 2 * _mixed(w), "own": 2 * _own_slope(w)}


def _right69(w: World) -> Terms:
    return {
        "4 change": 4 * _change(w), "8 lambda_max gap": 8 * w.lambda_max * _gap(w),
        "own": 2 * _own_slope(w),
    }  # fmt: skip


def _right70(w: World) -> Terms:
    factor = gradient_factor_printed(w.beta, w.lambda_max)
    return {"gap": factor * _gap(w), "own": 2 * _own_slope(w)}


def _eq69(part: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """2 |2 lambda (x - z)|^2 gives 16 lambda_max^2 after (a + b)^2 <= 2 a^2 + 2 b^2."""
        if part == "chain":
            return _eq66(w)[1], _right69(w)
        if part == "smooth":
            return _right69(w), _right70(w)
        return _gradient(w), _right69(w) if part == "69" else _right70(w)

    return sides


def _eq70_repaired(w: World) -> tuple[Terms, Terms]:
    """(4 L^2 + 16 lambda_max^2) mean |x - z|^2 + 2 mean |grad L_i|^2.

    Proof. (68); grad f_i(z) - grad L_i = [grad f_i(z) - grad f_i(x)] - 2 lambda (x - z), whose square
    is at most 2 L^2 |x - z|^2 + 8 lambda_max^2 |x - z|^2.
    """
    factor = gradient_factor(w.beta, w.lambda_max)
    return _gradient(w), {"gap": factor * _gap(w), "own": 2 * _own_slope(w)}


_step = steps_of("proof of Theorem 4.5", given=printed_domain, strict=PRINTED, family=runs(*ANY))
_WIDE: dict[str, Any] = {**FREE, "family": runs(*ANY, domain="wide")}
_F = r"\|\nabla f(z^t)\|^2"
_OWN = r"\tfrac2N\sum_i\|\nabla_{x_i}\mathcal L_i\|^2"
_R68 = r"\tfrac2N\sum_i\|\nabla f_i(z^t)-\nabla_{x_i}\mathcal L_i\|^2+" + _OWN
_R69 = (
    r"\tfrac4N\sum_i\|\nabla f_i(z^t)-\nabla f_i(x_i^t)\|^2+\tfrac{8\lambda_{\max}}N\sum_i"
    r"\|x_i^t-z^t\|^2+" + _OWN
)
_R70 = r"\tfrac{%s}N\sum_i\|z^t-x_i^t\|^2+" + _OWN
_EQ69 = ("fedbc.eq66-68", "fedbc.grad/17")

STATEMENTS = (
    _step("eq66-68", "gradient at the server", _F + r"\le" + _R68, _eq66, **_WIDE),
    _step("eq69-70/69", "gradient at the server", _F + r"\le" + _R69, _eq69("69"), uses=_EQ69),
    _step("eq69-70/chain", "from (68) to (69)", _R68 + r"\le" + _R69, _eq69("chain"),
          deduction=deduced.EQ69, uses=_EQ69),
    _step("eq69-70/smooth", "from (69) to (70)", _R69 + r"\le" + _R70 % r"4(L^2+2\lambda_{\max})",
          _eq69("smooth"), deduction=deduced.EQ70, uses=("fedbc.A2",), **_WIDE),
    _step("eq69-70/70", "gradient at the server", _F + r"\le" + _R70 % r"4(L^2+2\lambda_{\max})",
          _eq69("70"), uses=_EQ69),
    _step("eq69-70.repaired", "gradient at the server", _F + r"\le"
          + _R70 % r"4L^2+16\lambda_{\max}^2", _eq70_repaired, form="repaired",
          uses=(*_EQ69, "fedbc.A2"), **_WIDE),
)  # fmt: skip
