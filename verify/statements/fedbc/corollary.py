"""Corollary 4.6: gradients of the clients at their own models, (92) to (94), and the corollary."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bounds import fedbc as closed
from bounds import generic as xp
from verify.claim.parameters import Family, Real
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc import deductions_theorem as deduced
from verify.statements.fedbc.common import (
    ANY,
    STEPPED,
    Array,
    in_domain,
    runs,
    size,
    source,
    steps_of,
)
from verify.statements.fedbc.corollary_bracket import RELAXED, bracket_of, relaxed, sign_of
from verify.statements.fedbc.corollary_signs import BRACKET
from verify.statements.fedbc.domain import domain_of
from verify.statements.fedbc.rounds import first_round, residuals, rounds_of, slopes, tolerance
from verify.world.world import World

TWO = (
    size(1, 1, rounds=2, **STEPPED), size(2, 2, rounds=2, **STEPPED),
    size(2, 1, rounds=2, virtual=True),
)  # fmt: skip


def _eq92(w: World) -> tuple[Terms, Terms]:
    """(25) solved for the gradient."""
    r = first_round(w)
    return {"slope": slopes(w, r.new)}, {
        "e_i": residuals(w, r), "pull": -2 * r.multipliers * (r.new - r.server[..., None]),
    }  # fmt: skip


def _eq93(w: World) -> tuple[Terms, Terms]:
    """(a + b)^2 <= 2 a^2 + 2 b^2. Tight where both pull the same way."""
    r = first_round(w)
    return {"|grad f_i|^2": slopes(w, r.new) ** 2}, {
        "2 epsilon_i": 2 * residuals(w, r) ** 2, "8 lambda^2 gap": 8 * r.multipliers**2 * r.gap,
    }  # fmt: skip


def _eq94(w: World) -> tuple[Terms, Terms]:
    """Both models lie in X, so 2R could be R."""
    r = first_round(w)
    reach = domain_of(w).diameter[..., None]
    return {"|grad f_i|^2": slopes(w, r.new) ** 2}, {
        "2 epsilon_i": 2 * residuals(w, r) ** 2,
        "32 R^2 lambda^2": 32 * reach**2 * r.multipliers**2,
    }


# -- the corollary with the multipliers of (11) ------------------------------------------------


def _own_average(w: World) -> Array:
    """Average over rounds of client 0's squared gradient at its own models, (B, 1)."""
    run = rounds_of(w)[0]
    parts = [slopes(w, r.new)[..., 0] ** 2 for r in run]
    return sum(parts[1:], parts[0]) / len(parts)


def _allowed(w: World) -> Array:
    """A tolerance that the residuals of the run keep: what Oracle_i may be asked for."""
    return w.slack + tolerance(w)


def _projected(explicit: bool) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Where the constraint always holds the bracket is zero, but lambda stays at least
        lambda_min, so that |grad f_i| = 2 lambda |x - z| does not vanish with epsilon."""
        bracket = bracket_of([sign_of(r.gap, w.gamma) for r in rounds_of(w)[0]])[..., 0]
        if not explicit:
            return {"average": _own_average(w)}, {
                "epsilon_i": _allowed(w), "alpha^2 [.]^2": w.dual_step**2 * bracket**2,
            }  # fmt: skip
        reach = domain_of(w).diameter
        return {"average": _own_average(w)}, {
            "2 epsilon_i": 2 * _allowed(w),
            "32 R^2 alpha^2 [.]^2": 32 * (reach * w.dual_step * bracket) ** 2,
        }

    return sides


def _projected_repaired(w: World) -> tuple[Terms, Terms]:
    """2 epsilon_i + 32 R^2 times the average of (lambda_i^t)^2, for any multipliers.

    Proof. Average (94) over the rounds.
    """
    run = rounds_of(w)[0]
    squares = xp.stack([r.multipliers[..., 0] ** 2 for r in run], -1)
    return {"average": _own_average(w)}, closed.local_stationarity_upper(
        tolerance(w), domain_of(w).diameter, squares
    )


def _with_slack(w: World) -> Terms:
    return {**in_domain(w), "alpha > 0": w.dual_step}


def anchored(family: Family) -> Family:
    """The same with every parameter but the tolerance kept in its range along a ray: the unnamed
    constants may depend on all the others."""
    box = {k: p if k == "slack" else replace(p, unit=(0, 0)) for k, p in family.box.items()}
    return replace(family, box=box)


_step = steps_of("proof of Corollary 4.6", given=in_domain, family=runs(*ANY, domain="wide"))
_SLACK = {"slack": Real(2.0**-30, 1, unit=(2, -2), log=True)}
_LONG = runs(size(1, 1, rounds=2), size(2, 2, rounds=2), domain="wide", extra=_SLACK)
_LEFT = r"\frac1T\sum_{t=1}^T\|\nabla f_i(x_i^t)\|^2\le"
_STRICT = frozenset({"alpha > 0"})
_COROLLARY: dict[str, Any] = {"source": source("Corollary 4.6"), "kind": "corollary"}

STATEMENTS = (
    *(
        Statement(
            key=f"fedbc.corollary46/orders@{reading}", title="local performance", relation="<~",
            latex=_LEFT + r"\mathcal O(\epsilon_i)+\alpha^2\mathcal O\Bigl(" + BRACKET % "T" + r"\Bigr)^2",
            sides=sides, uses=("fedbc.eq99-100",), **more, **_COROLLARY,
        )
        for reading, sides, more in (
            ("projected", _projected(False),
             {"family": anchored(_LONG), "given": _with_slack, "strict": _STRICT}),
            ("relaxed", relaxed(False), {"family": anchored(RELAXED)}),
        )
    ),
    *(
        Statement(
            key=f"fedbc.corollary46/constants@{reading}",
            title="local performance, constants of the proof",
            latex=_LEFT + r"2\epsilon_i+32R^2\alpha^2\Bigl(" + BRACKET % "T" + r"\Bigr)^2",
            sides=sides, uses=("fedbc.eq99-100",), **more, **_COROLLARY,
        )
        for reading, sides, more in (
            ("projected", _projected(True),
             {"family": _LONG, "given": _with_slack, "strict": _STRICT}),
            ("relaxed", relaxed(True), {"family": RELAXED}),
        )
    ),
    Statement(
        key="fedbc.corollary46.repaired", title="local performance by the multipliers", form="repaired",
        latex=_LEFT + r"2\epsilon_i+32R^2\frac1T\sum_{t<T}(\lambda_i^t)^2", sides=_projected_repaired,
        family=runs(*TWO, domain="wide"), given=in_domain, uses=("fedbc.eq94",), **_COROLLARY,
    ),
    _step("eq92", "gradient at the own model",
          r"\nabla f_i(x_i^{t+1})=e_i^{t+1}-2\lambda_i^t(x_i^{t+1}-z^t)", _eq92, relation="==",
          uses=("fedbc.def.oracle",)),
    _step("eq93", "square of it", r"\|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+8|\lambda_i^t|^2\|x_i^{t+1}-z^t\|^2",
          _eq93, deduction=deduced.EQ93, uses=("fedbc.eq92", "fedbc.def.oracle")),
    _step("eq94", "diameter", r"\|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+32R^2|\lambda_i^t|^2", _eq94,
          deduction=deduced.EQ94, uses=("fedbc.eq93", "fedbc.A1")),
)  # fmt: skip
