"""Corollary 4.6: gradients of the clients at their own models, (92) to (94), and the corollary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bounds import fedbc as closed
from bounds import generic as xp
from verify.claim import QUADRATIC_BOX, Array, Family, Hypothesis, Instance, Real, Shape, noiseless
from verify.claim.statement import Sides, statement
from verify.statements.fedbc import corollary_bracket as bracket
from verify.statements.fedbc import deductions as deduced
from verify.statements.fedbc.common import ANY, STEPPED, runs, size
from verify.statements.fedbc.conditions import in_domain, positive_step
from verify.statements.fedbc.domain import domain_of
from verify.statements.fedbc.measures import residuals, slopes, tolerance
from verify.statements.fedbc.rounds import first_round, rounds_of
from verify.world.world import World

SLACK = {"slack": Real(2.0**-30, 1, unit=(2, -2), log=True)}
_LEFT = r"\frac1T\sum_{t=1}^T\|\nabla f_i(x_i^t)\|^2\le"

# -- multipliers of (11), and of (95) --------------------------------------------------------------

LONG = runs(size(1, 1, rounds=2), size(2, 2, rounds=2), domain="wide", extra=SLACK)


def _own_average(w: World) -> Array:
    """Average over rounds of client 0's squared gradient at its own models, (B, 1)."""
    return bracket.average([slopes(w, r.new)[..., 0] ** 2 for r in rounds_of(w)[0]])


def _projected(w: World) -> tuple[Array, Array, Array, Array]:
    """Average squared gradient, a tolerance that the residuals of the run keep (what Oracle_i may
    be asked for), the bracket and R."""
    signs = [bracket.sign_of(r.gap, w.gamma) for r in rounds_of(w)[0]]
    allowed = w.slack + tolerance(w)
    return _own_average(w), allowed, bracket.bracket_of(signs)[..., 0], domain_of(w).diameter


def _quadratics(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Convex quadratics on the line, exact local solutions."""
    params = {k: v for k, v in values.items() if k not in ("curvature", "optimum")}
    params["starts"] = values["start"][..., None, :] + 0 * values["optimum"]
    constants = {k: v for k, v in shape.items() if k not in ("N", "d")}
    return Instance("quadratic", noiseless(values), "fedbc", {**params, **constants})


RELAXED = Family(
    {
        **{k: QUADRATIC_BOX[k] for k in ("curvature", "optimum", "start")},
        "gamma": Real(0, 4, unit=(0, 2), per=("N",)),
        "dual_step": Real(1 / 64, 8, unit=(1, -2), log=True), **SLACK,
    },
    tuple({"N": 2, "d": 1, "relaxed": t, "rounds": 1, "local": "argmin"} for t in (2, 3, 4)),
    _quadratics,
    "two quadratics on the line, exact local solutions, multipliers of (95) from 0 on",
    {"starts": (0, 1)},
)
"""With the signs of (96) a dual step has the unit of a multiplier."""


def _relaxed(w: World) -> tuple[Array, Array, Array, Array]:
    """The same along (95): gradients of client 0 at x^1..x^T, its signs, spread of the points."""
    n = w.gamma.shape[-1]
    server, multipliers = w.start, 0 * w.gamma
    gradients, signs, points = [], [], [w.start[..., 0]]
    for _ in range(w.relaxed):
        run = w.run(rounds=1, start=server, multipliers=multipliers, dual_step=0 * w.slack)
        new = run.local_models[..., 0, :, 0]
        gap = (new - server[..., 0][..., None]) ** 2
        sign = bracket.sign_of(gap, w.gamma)
        slope = w.problem.own_gradients(new[..., None])[..., 0]
        gradients.append(slope[..., 0] ** 2)
        signs.append(sign[..., 0])
        multipliers = xp.positive_part(multipliers + w.dual_step[..., None] * sign)
        none = xp.total(multipliers) == 0
        shares = xp.where(none[..., None], 1 + 0 * multipliers, multipliers)
        server = (xp.total(shares * new) / xp.total(shares))[..., None]
        points += [server[..., 0], *(new[..., k] for k in range(n))]
    every = xp.stack([p + 0 * points[-1] for p in points], -1)
    reach = xp.largest(every) - xp.smallest(every)
    return bracket.average(gradients), w.slack, bracket.bracket_of(signs), reach


def _anchored(family: Family) -> Family:
    """The same with every parameter but the tolerance kept in its range along a ray: the unnamed
    constants may depend on all the others."""
    box = {k: p if k == "slack" else replace(p, unit=(0, 0)) for k, p in family.box.items()}
    return replace(family, box=box)


def _orders(w: World, relaxed: bool) -> Sides:
    average, epsilon, signs, _ = _relaxed(w) if relaxed else _projected(w)
    return {"average": average}, {"epsilon_i": epsilon, "alpha^2 [.]^2": w.dual_step**2 * signs**2}


def _constants(w: World, relaxed: bool) -> Sides:
    average, epsilon, signs, reach = _relaxed(w) if relaxed else _projected(w)
    return {"average": average}, {
        "2 epsilon_i": 2 * epsilon, "32 R^2 alpha^2 [.]^2": 32 * (reach * w.dual_step * signs) ** 2,
    }


_READINGS: tuple[tuple[str, Family, list[Hypothesis], str], ...] = (
    ("projected", LONG, [in_domain, positive_step],
     """Where the constraint always holds the bracket is zero, but lambda stays at least lambda_min,
     so that |grad f_i| = 2 lambda |x - z| does not vanish with epsilon."""),
    ("relaxed", RELAXED, [],
     """A multiplier that has risen once is positive in the next round; if the constraint is
     satisfied there and once more, the sum of the signs is zero."""),
)
"""Multipliers of (11), which Algorithm 1 projects to Lambda, or of the relaxed update (95)."""
ORDERS = tuple(
    statement(
        f"fedbc.corollary46/orders@{reading}", where="Corollary 4.6", kind="corollary",
        title="local performance", relation="<~", uses=("fedbc.eq99-100",), note=note,
        latex=_LEFT + r"\mathcal O(\epsilon_i)+\alpha^2\mathcal O\Bigl(" + bracket.bracket_tex("T") + r"\Bigr)^2",
        family=_anchored(family), given=given,
    )(partial(_orders, relaxed=reading == "relaxed"))
    for reading, family, given, note in _READINGS
)
CONSTANTS = tuple(
    order.like(
        f"fedbc.corollary46/constants@{reading}", title="local performance, constants of the proof",
        latex=_LEFT + r"2\epsilon_i+32R^2\alpha^2\Bigl(" + bracket.bracket_tex("T") + r"\Bigr)^2",
        relation="<=", uses=("fedbc.eq99-100",), note=note, family=family,
    )(partial(_constants, relaxed=reading == "relaxed"))
    for order, (reading, family, _, note) in zip(ORDERS, _READINGS, strict=True)
)


@statement(
    "fedbc.corollary46.repaired", where="Corollary 4.6", kind="corollary",
    title="local performance by the multipliers",
    latex=_LEFT + r"2\epsilon_i+32R^2\frac1T\sum_{t<T}(\lambda_i^t)^2",
    family=runs(
        size(1, 1, rounds=2, **STEPPED), size(2, 2, rounds=2, **STEPPED),
        size(2, 1, rounds=2, virtual=True), domain="wide",
    ),
    given=[in_domain], uses=("fedbc.eq94",),
    note="2 epsilon_i + 32 R^2 times the average of (lambda_i^t)^2, for any multipliers.",
    proof="Average (94) over the rounds.",
)
def repaired(w: World) -> Sides:
    squares = xp.stack([r.multipliers[..., 0] ** 2 for r in rounds_of(w)[0]], -1)
    return {"average": _own_average(w)}, closed.local_stationarity_upper(
        tolerance(w), domain_of(w).diameter, squares
    )


# -- the gradient of one client (92)-(94) ----------------------------------------------------------


@statement(
    "fedbc.eq92", where=bracket.PROOF, kind="proof step", title="gradient at the own model",
    latex=r"\nabla f_i(x_i^{t+1})=e_i^{t+1}-2\lambda_i^t(x_i^{t+1}-z^t)", relation="==",
    family=runs(*ANY, domain="wide"), given=[in_domain], uses=("fedbc.def.oracle",),
    note="(25) solved for the gradient.",
)
def eq92(w: World) -> Sides:
    r = first_round(w)
    return {"slope": slopes(w, r.new)}, {
        "e_i": residuals(w, r), "pull": -2 * r.multipliers * (r.new - r.server[..., None]),
    }


@eq92.like(
    "fedbc.eq93", title="square of it", relation="<=", deduction=deduced.EQ93,
    latex=r"\|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+8|\lambda_i^t|^2\|x_i^{t+1}-z^t\|^2",
    uses=("fedbc.eq92", "fedbc.def.oracle"),
    note="(a + b)^2 <= 2 a^2 + 2 b^2. Tight where both pull the same way.",
)
def eq93(w: World) -> Sides:
    r = first_round(w)
    return {"|grad f_i|^2": slopes(w, r.new) ** 2}, {
        "2 epsilon_i": 2 * residuals(w, r) ** 2, "8 lambda^2 gap": 8 * r.multipliers**2 * r.gap,
    }


@eq93.like(
    "fedbc.eq94", title="diameter", deduction=deduced.EQ94, uses=("fedbc.eq93", "fedbc.A1"),
    latex=r"\|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+32R^2|\lambda_i^t|^2",
    note="Both models lie in X, so 2R could be R.",
)
def eq94(w: World) -> Sides:
    r = first_round(w)
    reach = domain_of(w).diameter[..., None]
    return {"|grad f_i|^2": slopes(w, r.new) ** 2}, {
        "2 epsilon_i": 2 * residuals(w, r) ** 2,
        "32 R^2 lambda^2": 32 * reach**2 * r.multipliers**2,
    }
