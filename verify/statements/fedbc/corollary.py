"""Corollary 4.6: gradients of the clients at their own models, and the relaxed dual update."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bounds import fedbc as closed
from bounds import generic as xp
from verify.families import QUADRATIC_BOX, quadratic_data
from verify.instance import Instance
from verify.parameters import Family, Real, Shape
from verify.statement import Statement, Terms
from verify.statements.fedbc import deductions_theorem as deduced
from verify.statements.fedbc.common import (
    STEPPED,
    Round,
    domain_of,
    in_domain,
    residuals,
    rounds_of,
    runs,
    size,
    slopes,
    source,
    tolerance,
)
from verify.world import World

Array = Any
Sides = Callable[[World], tuple[Terms, Terms]]

# -- one round of Algorithm 1 ------------------------------------------------------------------

ANY = (size(1, 1, **STEPPED), size(2, 2, **STEPPED), size(2, 1, virtual=True))
TWO = (
    size(1, 1, rounds=2, **STEPPED), size(2, 2, rounds=2, **STEPPED),
    size(2, 1, rounds=2, virtual=True),
)  # fmt: skip


def _first(w: World) -> Round:
    return rounds_of(w)[0][0]


def _eq92(w: World) -> tuple[Terms, Terms]:
    """(25) solved for the gradient."""
    r = _first(w)
    return {"slope": slopes(w, r.new)}, {
        "e_i": residuals(w, r), "pull": -2 * r.multipliers * (r.new - r.server[..., None]),
    }  # fmt: skip


def _eq93(w: World) -> tuple[Terms, Terms]:
    """(a + b)^2 <= 2 a^2 + 2 b^2. Tight where both pull the same way."""
    r = _first(w)
    gap = (r.new - r.server[..., None]) ** 2
    return {"|grad f_i|^2": slopes(w, r.new) ** 2}, {
        "2 epsilon_i": 2 * residuals(w, r) ** 2, "8 lambda^2 gap": 8 * r.multipliers**2 * gap,
    }  # fmt: skip


def _eq94(w: World) -> tuple[Terms, Terms]:
    """Both models lie in X, so 2R could be R."""
    r = _first(w)
    reach = domain_of(w, rounds_of(w)).diameter[..., None]
    return {"|grad f_i|^2": slopes(w, r.new) ** 2}, {
        "2 epsilon_i": 2 * residuals(w, r) ** 2,
        "32 R^2 lambda^2": 32 * reach**2 * r.multipliers**2,
    }


# -- the corollary with the multipliers of (11) ------------------------------------------------


def _sign(w: World, r: Round) -> Array:
    """1 where the constraint of (96) is violated, -1 where it is satisfied, (B, 1, N)."""
    gap = (r.new - r.server[..., None]) ** 2
    return 2 * xp.indicator(gap > w.gamma, gap) - 1


def _bracket(signs: list[Array]) -> Array:
    """[sum of the signs]_+, with 1 for the summand k = 0: it needs z^{-1}, which is not defined, and
    1 is the value kindest to the claims."""
    return xp.positive_part(sum(signs, 1))


def _own_average(w: World) -> Array:
    """Average over rounds of client 0's squared gradient at its own models, (B, 1)."""
    run = rounds_of(w)[0]
    parts = [slopes(w, r.new)[..., 0] ** 2 for r in run]
    return sum(parts[1:], parts[0]) / len(parts)


def _allowed(w: World) -> Array:
    """A tolerance that the residuals of the run keep: what Oracle_i may be asked for."""
    return w.slack + tolerance(w, rounds_of(w))


def _projected(explicit: bool) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Where the constraint always holds the bracket is zero, but lambda stays at least
        lambda_min, so that |grad f_i| = 2 lambda |x - z| does not vanish with epsilon."""
        bracket = _bracket([_sign(w, r) for r in rounds_of(w)[0]])[..., 0]
        if not explicit:
            return {"average": _own_average(w)}, {
                "epsilon_i": _allowed(w), "alpha^2 [.]^2": w.dual_step**2 * bracket**2,
            }  # fmt: skip
        reach = domain_of(w, rounds_of(w)).diameter
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
        tolerance(w, rounds_of(w)), domain_of(w, rounds_of(w)).diameter, squares
    )


def _with_slack(w: World) -> Terms:
    return {**in_domain(w), "alpha > 0": w.dual_step}


# -- the relaxed update (95) -------------------------------------------------------------------


def _quadratics(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Convex quadratics on the line, exact local solutions."""
    one = values["curvature"][..., 0] * 0 + 1
    data = quadratic_data({**values, "sigma": one, "noise_share": one, "skew": one}, half=True)
    kept = {k: data[k] for k in ("A", "xi", "half")}
    params = {k: v for k, v in values.items() if k not in ("curvature", "optimum")}
    params["starts"] = values["start"][..., None, :] + 0 * values["optimum"]
    constants = {k: v for k, v in shape.items() if k not in ("N", "d")}
    return Instance("quadratic", {**kept, "law": "none"}, "fedbc", {**params, **constants})


RELAXED = Family(
    {
        "curvature": QUADRATIC_BOX["curvature"],
        "optimum": QUADRATIC_BOX["optimum"],
        "start": QUADRATIC_BOX["start"],
        "gamma": Real(0, 4, unit=(0, 2), per=("N",)),
        "dual_step": Real(1 / 64, 8, unit=(1, -2), log=True),
        "slack": Real(2.0**-30, 1, unit=(2, -2), log=True),
    },
    tuple({"N": 2, "d": 1, "relaxed": t, "rounds": 1, "local": "argmin"} for t in (2, 3, 4)),
    _quadratics,
    "two quadratics on the line, exact local solutions, multipliers of (95) from 0 on",
    {"starts": (0, 1)},
)
"""With the signs of (96) a dual step has the unit of a multiplier."""


def _relaxed_path(w: World) -> tuple[list[Array], list[Array], Array]:
    """Squared gradients of client 0 at x^1..x^T, its signs, and the diameter of the points."""
    n = w.gamma.shape[-1]
    server, multipliers = w.start, 0 * w.gamma
    gradients, signs, points = [], [], [w.start[..., 0]]
    for _ in range(w.relaxed):
        run = w.run(rounds=1, start=server, multipliers=multipliers, dual_step=0 * w.slack)
        new = run.local_models[..., 0, :, 0]
        gap = (new - server[..., 0][..., None]) ** 2
        sign = 2 * xp.indicator(gap > w.gamma, gap) - 1
        slope = w.problem.own_gradients(new[..., None])[..., 0]
        gradients.append(slope[..., 0] ** 2)
        signs.append(sign[..., 0])
        multipliers = xp.positive_part(multipliers + w.dual_step[..., None] * sign)
        whole = xp.total(multipliers)
        none = whole == 0
        shares = xp.where(none[..., None], 1 + 0 * multipliers, multipliers)
        server = (xp.total(shares * new) / xp.total(shares))[..., None]
        points += [server[..., 0], *(new[..., k] for k in range(n))]
    every = xp.stack([p + 0 * points[-1] for p in points], -1)
    return gradients, signs, xp.largest(every) - xp.smallest(every)


def _relaxed(explicit: bool) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """A multiplier that has risen once is positive in the next round; if the constraint is
        satisfied there and once more, the sum of the signs is zero."""
        gradients, signs, reach = _relaxed_path(w)
        average = sum(gradients[1:], gradients[0]) / len(gradients)
        bracket = _bracket(signs)
        if not explicit:
            return {"average": average}, {
                "epsilon_i": w.slack, "alpha^2 [.]^2": w.dual_step**2 * bracket**2,
            }  # fmt: skip
        return {"average": average}, {
            "2 epsilon_i": 2 * w.slack,
            "32 R^2 alpha^2 [.]^2": 32 * (reach * w.dual_step * bracket) ** 2,
        }

    return sides


# -- the remark on gamma -----------------------------------------------------------------------

GAPS = Family(
    {
        "gap": Real(0, 4, unit=(0, 2), per=("T",)), "gamma": Real(0, 4, unit=(0, 2)),
        "more": Real(0, 4, unit=(0, 2)),
    },
    tuple({"T": t} for t in (1, 2, 3)),
    about="any distances of one run",
)  # fmt: skip


def _remark(w: World) -> tuple[Terms, Terms]:
    """On fixed distances every sign falls as gamma grows."""

    def bracket(gamma: Array) -> Array:
        return xp.positive_part(xp.total(2 * xp.indicator(w.gap > gamma[..., None], w.gap) - 1))

    return {"larger gamma": bracket(w.gamma + w.more)}, {"gamma": bracket(w.gamma)}


PAIR = runs(size(2, 2, rounds=2), size(2, 2, rounds=4), domain="wide", extra={"more": Real(0, 4, unit=(0, 2), per=("N",))})


def _remark_run(w: World) -> tuple[Terms, Terms]:
    """Two runs, the second with larger gamma_i: multipliers and models differ too."""

    def bracket(gamma: Array) -> Array:
        run = w.run(gamma=gamma)
        signs = []
        for t in range(w.rounds):
            gap = (run.local_models[..., t, 0, 0] - run.server[..., t, 0]) ** 2
            signs.append(2 * xp.indicator(gap > gamma[..., 0], gap) - 1)
        return _bracket(signs)

    return {"larger gamma": bracket(w.gamma + w.more)}, {"gamma": bracket(w.gamma)}


_STEP: dict[str, Any] = {"kind": "proof step", "source": source("proof of Corollary 4.6")}
_WIDE = runs(*ANY, domain="wide")
_SLACK = {"slack": Real(2.0**-30, 1, unit=(2, -2), log=True)}
_LONG = runs(size(1, 1, rounds=2), size(2, 2, rounds=2), domain="wide", extra=_SLACK)
_SUM = r"\Bigl[\sum_{k=0}^%s\mathbb I_k\Bigr]_+"
_LEFT = r"\frac1T\sum_{t=1}^T\|\nabla f_i(x_i^t)\|^2\le"
_STRICT = frozenset({"alpha > 0"})


def anchored(family: Family) -> Family:
    """The same with every parameter but the tolerance kept in its range along a ray: the unnamed
    constants may depend on all the others."""
    box = {k: p if k == "slack" else replace(p, unit=(0, 0)) for k, p in family.box.items()}
    return replace(family, box=box)


def _step(name: str, title: str, latex: str, sides: Sides, **more: Any) -> Statement:
    fields = {**_STEP, "given": in_domain, "family": _WIDE, **more}
    return Statement(key=f"fedbc.{name}", title=title, latex=latex, sides=sides, **fields)


_COROLLARY: dict[str, Any] = {"source": source("Corollary 4.6"), "kind": "corollary"}

STATEMENTS = (
    *(
        Statement(
            key=f"fedbc.corollary46/orders@{reading}", title="local performance", relation="<~",
            latex=_LEFT + r"\mathcal O(\epsilon_i)+\alpha^2\mathcal O\Bigl(" + _SUM % "T" + r"\Bigr)^2",
            sides=sides, uses=("fedbc.eq99-100",), **more, **_COROLLARY,
        )
        for reading, sides, more in (
            ("projected", _projected(False),
             {"family": anchored(_LONG), "given": _with_slack, "strict": _STRICT}),
            ("relaxed", _relaxed(False), {"family": anchored(RELAXED)}),
        )
    ),
    *(
        Statement(
            key=f"fedbc.corollary46/constants@{reading}",
            title="local performance, constants of the proof",
            latex=_LEFT + r"2\epsilon_i+32R^2\alpha^2\Bigl(" + _SUM % "T" + r"\Bigr)^2",
            sides=sides, uses=("fedbc.eq99-100",), **more, **_COROLLARY,
        )
        for reading, sides, more in (
            ("projected", _projected(True),
             {"family": _LONG, "given": _with_slack, "strict": _STRICT}),
            ("relaxed", _relaxed(True), {"family": RELAXED}),
        )
    ),
    Statement(
        key="fedbc.corollary46.repaired", title="local performance by the multipliers", form="repaired",
        latex=_LEFT + r"2\epsilon_i+32R^2\frac1T\sum_{t<T}(\lambda_i^t)^2", sides=_projected_repaired,
        family=runs(*TWO, domain="wide"), given=in_domain, uses=("fedbc.eq94",), **_COROLLARY,
    ),
    Statement(
        key="fedbc.corollary46.remark@fixed", title="bracket against gamma, distances fixed",
        latex=r"\gamma\le\gamma'\Rightarrow[\cdot]_+(\gamma')\le[\cdot]_+(\gamma)", sides=_remark,
        family=GAPS, source=source("after Corollary 4.6"), kind="remark",
    ),
    Statement(
        key="fedbc.corollary46.remark@run", title="bracket against gamma, along Algorithm 1",
        latex=r"\gamma\le\gamma'\Rightarrow[\cdot]_+(\gamma')\le[\cdot]_+(\gamma)", sides=_remark_run,
        family=PAIR, given=in_domain, source=source("after Corollary 4.6"), kind="remark",
    ),
    _step("eq92", "gradient at the own model",
          r"\nabla f_i(x_i^{t+1})=e_i^{t+1}-2\lambda_i^t(x_i^{t+1}-z^t)", _eq92, relation="=="),
    _step("eq93", "square of it", r"\|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+8|\lambda_i^t|^2\|x_i^{t+1}-z^t\|^2",
          _eq93, deduction=deduced.EQ93),
    _step("eq94", "diameter", r"\|\nabla f_i(x_i^{t+1})\|^2\le2\epsilon_i+32R^2|\lambda_i^t|^2", _eq94,
          deduction=deduced.EQ94),
)  # fmt: skip
