"""Corollary 4.6: gradients of the clients at their own models, (92) to (94), and the corollary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nan
from typing import Any

from bounds import generic as xp
from verify.claim import (
    QUADRATIC_BOX,
    Array,
    Family,
    Hypothesis,
    Instance,
    Reading,
    Real,
    Shape,
    Sides,
    noiseless,
)
from verify.claim.parameters import Build
from verify.statements.fedbc import corollary_signs as bracket
from verify.statements.fedbc import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Corollary 4.6 :: corollary
    corollary46 :: local performance :: \frac1T\sum_{t=1}^T\|\nabla f_i(x_i^t)\|^2\le\mathcal O(\epsilon_i)+\alpha^2\mathcal O\Bigl(\Bigl[\sum_{k=0}^T\mathbb I_k\Bigr]_+\Bigr)^2 <- eq99-100
    corollary46.repaired :: local performance by the number of violated rounds :: \frac1T\sum_{t=1}^T\|\nabla f_i(x_i^t)\|^2\le2\epsilon_i+8R^2\alpha^2\#\{k\le T:\|x_i^k-z^{k-1}\|^2>\gamma_i\}^2 <- eq93 eq99-100.repaired
proof of Corollary 4.6 :: proof step
    eq92 :: gradient at the own model :: \nabla f_i(x_i^{t+1})=e_i^{t+1}-2\lambda_i^t(x_i^{t+1}-z^t) <- def.oracle
    eq93 :: square of it :: \|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+8|\lambda_i^t|^2\|x_i^{t+1}-z^t\|^2 <- eq92 def.oracle
    eq94 :: diameter :: \|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+32R^2|\lambda_i^t|^2 <- eq93 A1
""")

SLACK = {"slack": Real(2.0**-30, 1, unit=(2, -2), log=True)}
"""What a tolerance allows beyond the residuals of the run."""

# -- multipliers of (11), and of (95) --------------------------------------------------------------

LONG = q.runs(*(q.size(n, n, rounds=2) for n in (1, 2)), domain="above", extra=SLACK)


def _own_average(w: World) -> Array:
    """Average over rounds of client 0's squared gradient at its own models, (B, 1)."""
    return bracket.average([q.slopes(w, r.new)[..., 0] ** 2 for r in q.rounds_of(w)[0]])


def _quadratics(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Convex quadratics on the line."""
    params = {k: v for k, v in values.items() if k not in ("curvature", "optimum")}
    params["starts"] = values["start"][..., None, :] + 0 * values["optimum"]
    if "step_share" in params:
        params["step_size"] = params.pop("step_share") / xp.largest(values["curvature"][..., 0])
    constants = {k: v for k, v in shape.items() if k not in ("N", "d")}
    return Instance("quadratic", noiseless(values), "fedbc", {**params, **constants})


_BOX = {
    **{k: QUADRATIC_BOX[k] for k in ("curvature", "optimum", "start")},
    "gamma": Real(0, 4, unit=(0, 2), per=("N",)),
    "dual_step": Real(1 / 64, 8, unit=(1, -2), log=True),
    **SLACK,
}
"""With the signs of (96) a dual step has the unit of a multiplier."""


def _relaxed_family(about: str, extra: Mapping[str, Real], **local: Any) -> Family:
    return Family(
        {**_BOX, **extra},
        tuple({"N": 2, "d": 1, "relaxed": t, "rounds": 1, **local} for t in (2, 3, 4)),
        _quadratics,
        f"two quadratics on the line, {about}, multipliers of (95) from 0 on",
        {"starts": (0, 1), "step_size": (-1, 2)},
    )


RELAXED = _relaxed_family("exact local solutions", {}, local="argmin")
RELAXED_STEPS = _relaxed_family("one local gradient step", q.STEP, **q.STEPPED)


@dataclass(frozen=True)
class _Path:
    """A run along (95): gradients of client 0 at x^1..x^T, its signs, and what bounds need."""

    gradients: list[Array]
    signs: list[Array]
    residual: Array  # largest squared residual of client 0
    reach: Array  # R
    served: Array  # smallest sum of multipliers that a server step divides by


@quantity
def _relaxed(w: World) -> _Path:
    """Where all multipliers vanish the server step (13) is 0/0, and the plain mean stands for it."""
    n = w.gamma.shape[-1]
    server, models, multipliers = w.start, w.starts, 0 * w.gamma
    gradients, signs, left, served, points = [], [], [], [], [w.start[..., 0]]
    for t in range(w.relaxed):
        state = {"start": server, "starts": models, "multipliers": multipliers}
        models = w.run(rounds=1, dual_step=0 * w.slack, **state).local_models[..., 0, :, :]
        new = models[..., 0]
        apart = new - server[..., 0][..., None]
        slope = w.problem.own_gradients(models)[..., 0]
        gradients.append(slope[..., 0] ** 2)
        left.append((slope + 2 * multipliers * apart)[..., 0] ** 2)
        sign = bracket.sign_of(apart**2, w.gamma)
        signs.append(sign[..., 0])
        multipliers = xp.positive_part(multipliers + w.dual_step[..., None] * sign)
        whole = xp.total(multipliers)
        if t + 1 < w.relaxed:
            served.append(whole)
        shares = xp.where((whole == 0)[..., None], 1 + 0 * multipliers, multipliers)
        server = (xp.total(shares * new) / xp.total(shares))[..., None]
        points += [server[..., 0], *(new[..., k] for k in range(n))]
    every = xp.stack([p + 0 * points[-1] for p in points[: -n - 1] + points[-n:]], -1)
    residual, least = xp.largest(xp.stack(left, -1)), xp.smallest(xp.stack(served, -1))
    return _Path(gradients, signs, residual, xp.largest(every) - xp.smallest(every), least)


has_value = Hypothesis(
    "the server step has a value",
    r"\sum_j\lambda_j^t>0,\ 1\le t<T",
    lambda w: _relaxed(w).served,
    strict=True,
    defining=True,
)


def _anchored(family: Family, build: Build, about: str, **at: float) -> Family:
    """The same with every parameter but the tolerance at one value, which it keeps along a ray: the
    unnamed constants may depend on all the others."""
    box = {k: p if k == "slack" else Real(at[k], at[k], per=p.per) for k, p in family.box.items()}
    return replace(family, box=box, shapes=family.shapes[:1], build=build, about=about)


def _one_strict(values: Mapping[str, Any], shape: Shape) -> Instance:
    """The first device at 0 with its tolerance, the second at its optimum with none."""
    optimum, gamma = values["optimum"], values["gamma"]
    apart = xp.stack([0 * optimum[..., 0, :], optimum[..., 1, :]], -2)
    own = xp.stack([gamma[..., 0], 0 * gamma[..., 1]], -1)
    return _quadratics({**values, "optimum": apart, "gamma": own}, shape)


_AT = {"height": 1, "width": 1, "centre": 0, "start": 1, "starts": 1, "low": 1, "high": 0}
NEAR = _anchored(
    LONG,
    LONG.build,
    "a device near its well for two rounds; only the tolerance moves",
    **{**_AT, "place": 0, "gamma": 4, "dual_step": 1},
)
"""x = 4/5, then 16/25, from z = 1, with lambda = 2: the distances are below gamma."""
RISEN = _anchored(
    replace(RELAXED, shapes=RELAXED.shapes[1:]),
    _one_strict,
    "two devices for three rounds; only the tolerance moves",
    curvature=1,
    optimum=1,
    start=2,
    gamma=0.5,
    dual_step=1,
)
"""From z = 2 both multipliers rise to 1; then z = 1/2, and the first device is at 1/3 and, with
the multiplier 0, at 0: its signs are 1, -1, -1, its gradients 0, 1/3, 0."""
NOTES = {
    "projected": """Where the constraint always holds the bracket is zero, but lambda stays at least
    lambda_min, so that |grad f_i| = 2 lambda |x - z| does not vanish with epsilon.""",
    "relaxed": """A multiplier that has risen once is positive in the next round; if the constraint
    is satisfied there and once more, the sum of the signs is zero.""",
}


@quantity
def _projected(w: World) -> tuple[Array, Array, Array]:
    """Average squared gradient, largest squared residual and bracket along (11)."""
    signs = [bracket.sign_of(r.gap, w.gamma) for r in q.rounds_of(w)[0]]
    return _own_average(w), q.tolerance(w), bracket.bracket_of(signs)[..., 0]


@quantity
def _along_95(w: World) -> tuple[Array, Array, Array]:
    """The same along (95)."""
    path = _relaxed(w)
    lost = xp.where(path.served == 0, nan + 0 * w.slack, 0 * w.slack)
    return bracket.average(path.gradients) + lost, path.residual, bracket.bracket_of(path.signs)


@claim(
    "corollary46",
    readings=("dual-update",),
    relation="<~",
    family=lambda r: RISEN if "relaxed" in r else NEAR,
    given=lambda r: [has_value] if "relaxed" in r else [q.in_domain, q.positive_step],
    note=lambda r: NOTES[r.dual_update],
)
def corollary(w: World, r: Reading) -> Sides:
    average, residual, found = _along_95(w) if "relaxed" in r else _projected(w)
    # a tolerance that the residuals of the run keep: what Oracle_i may be asked for
    right = {"epsilon_i": w.slack + residual, "alpha^2 [.]^2": w.dual_step**2 * found**2}
    return {"average": average}, right


@claim("corollary46.repaired", family=RELAXED_STEPS, also=(RELAXED,))
def repaired(w: World) -> Sides:
    """Multipliers of (95) from lambda_i^0 = 0 on; the number of violated rounds for the bracket.
    Whatever z is where the server step is 0/0, as long as it lies among the models.

    Proof. A multiplier of (95) rises by alpha in a violated round and never otherwise, so that
    lambda_i^t is at most alpha times their number; (93) with |x_i^{t+1} - z^t| <= R."""
    path = _relaxed(w)
    violated = sum(((s + 1) / 2 for s in path.signs), 0 * w.slack)
    return {"average": bracket.average(path.gradients)}, {
        "2 epsilon_i": 2 * path.residual,
        "8 R^2 alpha^2 #^2": 8 * (path.reach * w.dual_step * violated) ** 2,
    }


# -- the gradient of one client (92)-(94) ----------------------------------------------------------

follows, shown = q.deductions(
    claim,
    r"""
proof of Corollary 4.6
(93) :: \|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+8|\lambda_i^t|^2\|x_i^{t+1}-z^t\|^2
2R :: \|x_i^{t+1}-z^t\|\le2R :: before (94)
""",
)


@claim("eq92", relation="==", family=q.runs(*q.VIRTUAL), also=q.smooth(*q.VIRTUAL))
def eq92(w: World) -> Sides:
    """(25) solved for the gradient."""
    r = q.first_round(w)
    pull = -2 * r.multipliers * (r.new - r.server[..., None])
    return {"slope": q.slopes(w, r.new)}, {"e_i": q.residuals(w, r), "pull": pull}


@follows(
    "eq93",
    "residual~ multiplier gap~ epsilon",
    replace(q.small_residual, latex=r"\|e_i^{t+1}\|^2\le\epsilon_i", where="(10)"),
)
def square_of_92(w: World) -> Sides:
    right = {"epsilon": 2 * w.epsilon, "gap": 8 * w.multiplier**2 * w.gap**2}
    return {"slope": (w.residual - 2 * w.multiplier * w.gap) ** 2}, right


@claim("eq93", family=q.runs(*q.VIRTUAL), also=q.smooth(*q.VIRTUAL), deduction=square_of_92)
def eq93(w: World) -> Sides:
    """(a + b)^2 <= 2 a^2 + 2 b^2. Tight where both pull the same way."""
    r = q.first_round(w)
    return {"|grad f_i|^2": q.slopes(w, r.new) ** 2}, {
        "2 epsilon_i": 2 * q.residuals(w, r) ** 2,
        "8 lambda^2 gap": 8 * r.multipliers**2 * r.gap,
    }


@follows(
    "eq94",
    "slope epsilon reach multiplier gap",
    shown("(93)", lambda w: 2 * w.epsilon + 8 * w.multiplier**2 * w.gap**2 - w.slope),
    shown("2R", lambda w: 2 * w.reach - w.gap),
)
def gap_by_the_diameter(w: World) -> Sides:
    return {"slope": w.slope}, {"eps": 2 * w.epsilon, "R": 32 * (w.reach * w.multiplier) ** 2}


@claim("eq94", family=q.runs(*q.VIRTUAL), also=q.smooth(*q.VIRTUAL), deduction=gap_by_the_diameter)
def eq94(w: World) -> Sides:
    """Both models lie in X, so 2R could be R."""
    r = q.first_round(w)
    reach = q.reach_of(w)[..., None]
    return {"|grad f_i|^2": q.slopes(w, r.new) ** 2}, {
        "2 epsilon_i": 2 * q.residuals(w, r) ** 2,
        "32 R^2 lambda^2": 32 * reach**2 * r.multipliers**2,
    }
