"""Assumptions 4.1 to 4.4 on problem families, and which conditions can be met at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bounds import generic as xp
from bounds.fedbc_constants import dual_interval_printed
from verify.claim.families import quadratics
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc.common import (
    BOX,
    Array,
    build_run,
    in_domain,
    runs,
    size,
    source,
    stiffness,
)
from verify.statements.fedbc.domain import dissimilarity, domain_of
from verify.statements.fedbc.rounds import everywhere, first_round, slopes
from verify.world.world import World

# -- Assumption 4.1 ------------------------------------------------------------------------------

WHERE = {"where": Real(0, 1), "weight": Real(0, 1), "other": Real(0, 1)}
INSIDE = runs(size(1, 1), size(2, 2), domain="convex", extra=WHERE)


def _stationary(w: World) -> tuple[Terms, Terms]:
    """At the ends of an interval with inward gradients the gradient of L_i(., z, lambda) points
    inward for every z inside, so that its zero lies in between: no farther from z than the end."""
    problem: Any = w.problem
    domain = domain_of(w)
    z = domain.low + w.where * domain.diameter
    multiplier = w.lambda_min + w.weight * (w.lambda_max - w.lambda_min)
    zero = problem.proximal(2 * multiplier[..., None] + 0 * w.multipliers, z[..., None])[..., 0]
    z, low, high = (p[..., None] + 0 * zero for p in (z, domain.low, domain.high))
    return {"to the zero": xp.absolute(zero - z)}, {
        "to the end": xp.where(zero < z, z - low, high - z)
    }


# -- Assumption 4.2 ------------------------------------------------------------------------------


def _points(w: World) -> tuple[Array, Array, Array]:
    """Two points of X and its interval."""
    domain = domain_of(w)
    first = domain.low + w.where * domain.diameter
    return first, domain.low + w.other * domain.diameter, domain.diameter


def _smooth(w: World) -> tuple[Terms, Terms]:
    """Tight inside one piece of a double well."""
    one, other, _ = _points(w)
    like = w.multipliers
    gap = slopes(w, everywhere(one, like)) - slopes(w, everywhere(other, like))
    return {"|difference|": xp.absolute(gap)}, {
        "L_i |x - y|": stiffness(w) * xp.absolute(one - other)[..., None]
    }


# -- Assumption 4.3 ------------------------------------------------------------------------------


def _similar(w: World) -> tuple[Terms, Terms]:
    """Any (a, b) of the square and any x of X against the corners, the ends and the kinks."""
    x, _, _ = _points(w)
    span = w.lambda_max - w.lambda_min
    a, b = w.lambda_min + w.weight * span, w.lambda_min + w.other * span
    slope = slopes(w, everywhere(x, w.multipliers))
    delta = dissimilarity(w)
    return {"|a f_1' - b f_2'|": xp.absolute(a * slope[..., 0] - b * slope[..., 1])}, {"delta": delta}


def twins(domain: str, values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two clients with one loss."""
    same = {k: values[k][:, :1] + 0 * values[k] for k in ("height", "centre")}
    return build_run(domain, {**values, **same}, shape)


TWINS = Family(
    BOX, (size(2, 2),), partial(twins, "wide"), "two clients with one double well"
)

SINGLE = replace(TWINS, box={**BOX, "high": Real(0, 0)}, about="one double well, one multiplier")


def _vanishes(w: World) -> tuple[Terms, Terms]:
    """f_1 = f_2 and a != b: delta is at least (lambda_max - lambda_min) |grad f| somewhere."""
    return {"delta": dissimilarity(w)}, {"0": 0 * w.lambda_min}


def _vanishes_refined(w: World) -> tuple[Terms, Terms]:
    """delta = (lambda_max - lambda_min) max |grad f| for equal losses.

    Proof. |a - b| |grad f(x)| is largest at the corner with the ends of Lambda.
    """
    domain = domain_of(w)
    largest = [
        xp.absolute(slopes(w, everywhere(domain.grid[..., k], w.multipliers))[..., 0])
        for k in range(domain.grid.shape[-1])
    ]
    span = w.lambda_max - w.lambda_min
    return {"delta": dissimilarity(w)}, {"span": span * xp.largest(xp.stack(largest, -1))}


# -- Assumption 4.4 ------------------------------------------------------------------------------

NOISY = quadratics(
    ({"N": 2, "d": 1, "rounds": 1, "method": "local"},), {"step_size": Real(1 / 8, 1, unit=(-1, 2))}
)


def _drawn(w: World) -> Array:
    """The gradient that client 0 draws at its start, read off its first step, (B, R)."""
    theta = w.run().theta
    return ((theta[..., 0, :] - theta[..., 1, :]) / w.step_size[..., None])[..., 0]


def _unbiased(reading: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        gradients = w.problem.gradients(w.start)[..., 0]
        right = gradients[..., 0] if reading == "own" else xp.mean(gradients)
        return {"g_i": _drawn(w)}, {"gradient": right}

    sides.__doc__ = (
        "With the index i on the right." if reading == "own" else "f without index is the mean loss."
    )
    return sides


def _variance(w: World) -> tuple[Terms, Terms]:
    """Tight where the claimed variance is the actual one."""
    gap = _drawn(w) - w.problem.gradients(w.start)[..., 0, 0]
    return {"|g_i - grad|^2": gap**2}, {"sigma^2": w.sigma2[..., 0]}


# -- conditions at once --------------------------------------------------------------------------

STIFF = Family(
    {"L": Real(1 / 16, 16, log=True, per=("N",)), "low": Real(0, 1), "high": Real(0, 1)},
    ({"N": 1}, {"N": 2}, {"N": 3}),
    about="any smoothness constants",
)


def _room(w: World) -> tuple[Terms, Terms]:
    """Whether the interval of the conditions H1 and H2 is not empty."""
    least, below = dual_interval_printed(w.L)
    return {"1 + L": least}, {"min (1 + L_i)^2/L_i": below}


def _close(w: World) -> Terms:
    return {"L_i differ by at most 1": 1 - xp.largest(w.L) + xp.smallest(w.L)}


def _room_close(w: World) -> tuple[Terms, Terms]:
    """Clients whose constants differ by at most 1 always leave room.

    Proof. (1 + L_i)^2/L_i = L_i + 2 + 1/L_i > L_i + 2 >= 1 + L.
    """
    return _room(w)


def _some_instance(w: World) -> tuple[Terms, Terms]:
    """An instance of two clients with C_0 > 0, both conditions, and every model in its domain."""
    r = first_round(w)
    return {"0": 0 * w.lambda_min}, {"C_0": 1 - w.lambda_max / (4 * w.beta) + 0 * r.server}


def _both(w: World) -> Terms:
    L = stiffness(w)
    return {
        **in_domain(w),
        "H1": w.lambda_min - 1 - xp.largest(L),
        "H2": xp.smallest((1 + L) ** 2 / L) - w.lambda_max,
    }


_THIRD = Family(
    {"L": Real(1 / 16, 16, log=True), "lambda_max": Real(1, 64, log=True)},
    about="any smoothness and lambda_max",
)


def _third(w: World) -> tuple[Terms, Terms]:
    """H1 and C_0 > 0 leave only L > 1/3.

    Proof. 1 + L <= lambda_max < 4 L.
    """
    return {"1/3": 1}, {"L": 3 * w.L}


def _third_given(w: World) -> Terms:
    return {"H1": w.lambda_max - 1 - w.L, "C_0 > 0": 4 * w.L - w.lambda_max}


_COMMON: dict[str, Any] = {"kind": "assumption"}
_FOURTH: dict[str, Any] = {"kind": "assumption", "source": source("Assumption 4.4"), "over": "mean"}

STATEMENTS = (
    Statement(
        key="fedbc.A1/double_well", source=source("Assumption 4.1"), sides=_stationary,
        title="stationary points in the domain", given=in_domain, family=INSIDE, **_COMMON,
        latex=r"\exists x\in\mathcal X:\nabla_{x_i}\mathcal L_i(x,z,\lambda)=0\ \forall z\in\mathcal X",
    ),
    Statement(
        key="fedbc.A2/double_well", source=source("Assumption 4.2"), title="smoothness",
        latex=r"\|\nabla f_i(x)-\nabla f_i(y)\|\le L_i\|x-y\|", sides=_smooth, family=INSIDE,
        given=in_domain, **_COMMON,
    ),
    Statement(
        key="fedbc.A3/double_well", source=source("Assumption 4.3"), title="heterogeneity",
        latex=r"\|a\nabla f_i(x)-b\nabla f_j(x)\|\le\delta", sides=_similar, given=in_domain,
        family=runs(size(2, 2), domain="convex", extra=WHERE), **_COMMON,
    ),
    *(
        Statement(
            key=f"fedbc.A4/mean@{reading}", title="unbiased gradients", sides=_unbiased(reading),
            latex=r"\mathbb E[g_i]=\nabla f(x_i)", relation="==", family=NOISY, **_FOURTH,
        )
        for reading in ("own", "global")
    ),
    Statement(
        key="fedbc.A4/variance", title="bounded variance", sides=_variance, family=NOISY,
        latex=r"\mathbb E\|g_i-\nabla f_i(x_i)\|^2\le\sigma^2", **_FOURTH,
    ),
)  # fmt: skip

CONDITIONS = (
    Statement(
        key="fedbc.H2/met", source=source("after (61)"), kind="assumption",
        title="all conditions at once", quantifier="some", sides=_some_instance, given=_both,
        latex=r"\exists:\ 1+L\le\lambda_{\min},\ \lambda_{\max}<(1+L_i)^2/L_i,\ C_0\ge0",
        family=runs(size(2, 2), domain="printed"), strict=frozenset({"H2"}),
    ),
    Statement(
        key="fedbc.H2.refined/close", source=source("after (61)"), kind="assumption", form="refined",
        title="clients of like smoothness leave room", sides=_room_close, given=_close, family=STIFF,
        latex=r"\max_{ij}(L_i-L_j)\le1\Rightarrow1+L\le\min_i(1+L_i)^2/L_i",
    ),
    Statement(
        key="fedbc.H2.refined/apart", source=source("after (61)"), kind="assumption", form="refined",
        title="clients of unlike smoothness leave none", quantifier="some", family=STIFF,
        latex=r"\exists L_1,L_2:\ \min_i(1+L_i)^2/L_i\le1+L",
        sides=lambda w: (_room(w)[1], _room(w)[0]),
    ),
    Statement(
        key="fedbc.C0.refined", source=source("after (61)"), kind="assumption", form="refined",
        title="C_0 > 0 needs L > 1/3", latex=r"C_0>0\Rightarrow L>\tfrac13", sides=_third,
        given=_third_given, strict=frozenset({"C_0 > 0"}), family=_THIRD,
    ),
)  # fmt: skip

_IDENTICAL: dict[str, Any] = {
    "source": source("after Theorem 4.5"), "kind": "remark", "relation": "==", "given": in_domain,
}  # fmt: skip
_ZERO = r"f_i=f_j\ \forall i,j\Rightarrow\delta=0"

HETEROGENEITY = (
    Statement(
        key="fedbc.theorem1.interp/c@interval", title="the third term is due to heterogeneity",
        latex=_ZERO, sides=_vanishes, family=TWINS, **_IDENTICAL,
    ),
    Statement(
        key="fedbc.theorem1.interp/c@one-multiplier", latex=_ZERO, sides=_vanishes_refined,
        title="the third term is due to heterogeneity, Lambda being a point", family=SINGLE,
        **_IDENTICAL,
    ),
    Statement(
        key="fedbc.theorem1.interp.refined/c", form="refined", sides=_vanishes_refined, family=TWINS,
        title="the third term is due to heterogeneity and to the width of Lambda",
        latex=r"f_i=f_j\ \forall i,j\Rightarrow\delta=(\lambda_{\max}-\lambda_{\min})\max_{\mathcal X}\|\nabla f\|",
        **_IDENTICAL,
    ),
)  # fmt: skip
