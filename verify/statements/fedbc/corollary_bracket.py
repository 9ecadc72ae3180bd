"""The bracket of Corollary 4.6: along the relaxed dual update (95), and against gamma."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim.families import QUADRATIC_BOX
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc.common import Array, in_domain, noiseless, runs, size, source
from verify.world.world import World


def sign_of(gap: Array, gamma: Array) -> Array:
    """1 where the constraint of (96) is violated, gap > gamma, and -1 where it is satisfied."""
    return 2 * xp.indicator(gap > gamma, gap) - 1


def bracket_of(signs: list[Array]) -> Array:
    """[sum of the signs]_+, with 1 for the summand k = 0: it needs z^{-1}, which is not defined, and
    1 is the value kindest to the claims."""
    return xp.positive_part(sum(signs, 1))


def _quadratics(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Convex quadratics on the line, exact local solutions."""
    data, params = noiseless(values)
    params["starts"] = values["start"][..., None, :] + 0 * values["optimum"]
    constants = {k: v for k, v in shape.items() if k not in ("N", "d")}
    return Instance("quadratic", data, "fedbc", {**params, **constants})


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
        sign = sign_of(gap, w.gamma)
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


def relaxed(explicit: bool) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """A multiplier that has risen once is positive in the next round; if the constraint is
        satisfied there and once more, the sum of the signs is zero."""
        gradients, signs, reach = _relaxed_path(w)
        average = sum(gradients[1:], gradients[0]) / len(gradients)
        bracket = bracket_of(signs)
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
        return xp.positive_part(xp.total(sign_of(w.gap, gamma[..., None])))

    return {"larger gamma": bracket(w.gamma + w.more)}, {"gamma": bracket(w.gamma)}


PAIR = runs(
    size(2, 2, rounds=2), size(2, 2, rounds=4), domain="wide",
    extra={
        "height": Real(8, 64, unit=(1, 0), log=True, per=("N",)),
        "width": Real(2, 4, unit=(0, 1)), "dual_step": Real(6, 8, unit=(1, -4)),
        "gamma": Real(0, 0.3, unit=(0, 2), per=("N",)),
        "more": Real(2.0**-10, 1 / 4, unit=(0, 2), log=True, per=("N",)),
    },
)  # fmt: skip
"""Long dual steps and small tolerances: a larger gamma lowers the multiplier, and the next distance
may then pass it."""


def _remark_run(w: World) -> tuple[Terms, Terms]:
    """Two runs, the second with larger gamma_i: multipliers and models differ too."""

    def bracket(gamma: Array) -> Array:
        run = w.run(gamma=gamma)
        signs = []
        for t in range(w.rounds):
            gap = (run.local_models[..., t, 0, 0] - run.server[..., t, 0]) ** 2
            signs.append(sign_of(gap, gamma[..., 0]))
        return bracket_of(signs)

    return {"larger gamma": bracket(w.gamma + w.more)}, {"gamma": bracket(w.gamma)}


STATEMENTS = (
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
)  # fmt: skip
