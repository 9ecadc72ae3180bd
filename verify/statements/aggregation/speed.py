"""The two constants V and E of Corollary 4, and Remarks 5 and 6 on them."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import fedmax_weights, weighting_skew
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import (
    HETEROGENEOUS,
    NUMBERS,
    best,
    described,
    excess_at,
    gap,
    hessians,
    heterogeneous,
    mean_hessian,
    numbers,
    runs,
    size,
    source,
)
from verify.statements.aggregation.corollary import (
    RUNS,
    contracting,
    delay,
    paper_defines,
    repaired,
)
from verify.world.world import World

# -- Remark 5: O(1/T) --------------------------------------------------------------------------

STILL = runs(
    size(2, 1, 1, "fixed", quiet=True), about="two quadratics, run from where it stays",
    extra={"inverse_time": Real(0, 1)},
)  # fmt: skip


def stationary(w: World) -> Any:
    """Minimiser of sum alpha_i F_i: gradient steps with weights alpha never leave it."""
    alpha = w.coefficients[..., 0, :]
    hessian = xp.total(alpha[..., None, None] * hessians(w), axis=-3)
    pulled = xp.matvec(hessians(w), w.problem.optimum)
    return xp.solve(hessian, xp.total(alpha[..., None] * pulled, axis=-2))


def _order(w: World) -> tuple[Terms, Terms]:
    """Constant weights alpha, no noise, E = 1, started at the minimiser of sum alpha_i F_i: w_T is
    that point for every T, and so is every constant. The ratio grows like T along the ray
    T -> infinity of each instance with alpha != p, so no constant serves; shown is the one of
    Corollary 4, V/(T + gamma). The remark infers this from the bound of the corollary, so that the
    points over which A4 ranges play no part here: the bound has all its constants."""
    point = stationary(w)
    error = point - best(w)
    left = xp.dot(error, xp.matvec(mean_hessian(w), error)) / 2
    excess = excess_at(w, point)
    low = weighting_skew(w.coefficients[..., 0, :], excess, w.client_weights)
    slope = xp.largest(xp.squared_norm(w.problem.gradients(point)))
    speed = closed.speed_constant(w.mu, w.beta, slope, 0, gap(w), xp.squared_norm(error), low, 1)
    return {"F(w_T) - F*": left}, {
        "V/(T + gamma)": speed * w.inverse_time / (1 + w.delay * w.inverse_time)
    }


def _finite(w: World) -> Terms:
    return {**heterogeneous(w), "T finite": xp.indicator(w.inverse_time > 0, w.inverse_time)}


def _order_repaired(w: World) -> tuple[Terms, Terms]:
    """Order 1/T up to the learning error; O(1/T) alone where rho-tilde = rho-bar.

    Proof. The repaired Corollary 4, whose two terms these are.
    """
    return repaired(w)


# -- V, E and Remark 6 -------------------------------------------------------------------------

CONSTANTS = numbers(
    {**NUMBERS, "low": Real(1 / 8, 64, log=True)}, {"local_steps": 1}, {"local_steps": 3},
    about="any constants",
)  # fmt: skip
FLOOR = numbers(
    {**NUMBERS, "low": Real(1 / 8, 64, log=True), "least_share": Real(1 / 64, 1, log=True)},
    {"local_steps": 1}, {"local_steps": 3}, about="any constants",
)  # fmt: skip
OUTLIER = numbers(
    {"level": Real(1, 2.0**20, log=True), "excess": Real(1 / 8, 8, unit=(1, 0), log=True)},
    about="one client of share 1/level, the others at their minimum",
)
SHARES = numbers(
    {"level": Real(1, 64, log=True), "share": Real(1 / 64, 1 / 2, log=True)},
    about="two clients of given shares, any weights and losses",
)


def _large(w: World) -> tuple[Terms, Terms]:
    """rho of FedMax where only a client of share q = 1/level is badly served: 1/q."""
    share = xp.stack([1 / w.level, 1 - 1 / w.level], -1)
    excess = xp.stack([w.excess, 0 * w.excess], -1)
    return {"level": w.level}, {"rho": weighting_skew(fedmax_weights(excess), excess, share)}


def _large_given(w: World) -> tuple[Terms, Terms]:
    """sup rho over weights and losses is 1/min p for given shares."""
    return {"level": w.level}, {"sup rho": 1 / w.share}


def speed(w: World, low: Any) -> Any:
    """V at a value of rho-bar, of free constants."""
    return closed.speed_constant(
        w.mu, w.smoothness, w.squared_gradient, w.sigma2, w.gap, w.squared_start, low,
        w.local_steps,
    )  # fmt: skip


def _floor(w: World) -> tuple[Terms, Terms]:
    """V_min is what is left of V as rho-bar grows."""
    floor = closed.speed_floor(w.mu, w.smoothness, w.gap, w.squared_start)
    return {"V_min": floor}, {"V": speed(w, w.low)}


def _floor_refined(w: World) -> tuple[Terms, Terms]:
    """V_min + min p 4L(32 E^2 G^2 + sigma^2)/(3 mu^2), the floor for given shares.

    Proof. rho is a ratio of sums with coefficients alpha_i <= 1 and p_i >= min p, so rho-bar <=
    1/min p; V falls with rho-bar.
    """
    return {"V at 1/min p": speed(w, 1 / w.least_share)}, {"V": speed(w, w.low)}


_REMARK6: dict[str, Any] = {"source": source("Remark 6 (eq. 12)"), "kind": "remark"}

STATEMENTS = (
    described(
        "V", "definition", "Corollary 4",
        r"\mathcal V=\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2\overline\rho}+\frac{8L^2\Gamma}{\mu^2}+\frac{L\gamma\|w^0-w^\star\|^2}2",
        "speed constant, tau read as E",
    ),
    described(
        "E", "definition", "Corollary 4",
        r"\mathcal E=\frac{8L\Gamma}{3\mu}\bigl(\frac{\tilde\rho}{\overline\rho}-1\bigr)",
        "learning error",
    ),
    Statement(
        key="aggregation.remark5", source=source("Remark 5 (eq. 11)"), kind="remark",
        title="order 1/T", latex=r"\mathbb E[F(w_T)-F^\star]=O(1/T)", family=STILL, sides=_order,
        given=_finite, strict=frozenset({"T finite", *HETEROGENEOUS}), relation="<~",
        defines={"gap": gap, "delay": delay},
    ),
    Statement(
        key="aggregation.remark5.repaired", form="repaired", family=RUNS, sides=_order_repaired,
        source=source("Remark 5 (eq. 11)"), kind="remark", over="mean", given=contracting,
        title="order 1/T up to the learning error", strict=HETEROGENEOUS,
        latex=r"\mathbb E[F(w_T)]-F^\star\le\frac{\mathcal V}{T+\gamma}+\mathcal E",
        defines=paper_defines("every"), uses=("aggregation.corollary4.repaired",),
    ),
    Statement(
        key="aggregation.remark6/large@free-shares", title="rho-bar may be arbitrarily large",
        latex=r"\forall\ell\ \exists:\ \rho\ge\ell", family=OUTLIER, sides=_large, **_REMARK6,
    ),
    Statement(
        key="aggregation.remark6/large@given-shares", title="rho-bar may be arbitrarily large",
        latex=r"\forall p,\ell\ \exists:\ \rho\ge\ell", family=SHARES, sides=_large_given,
        **_REMARK6,
    ),
    Statement(
        key="aggregation.remark6/floor", title="a least speed constant exists",
        latex=r"\mathcal V\ge\mathcal V_{\min}=\frac{8L^2\Gamma}{\mu^2}+\frac{L\gamma\|w^0-w^\star\|^2}2",
        family=CONSTANTS, sides=_floor, **_REMARK6,
    ),
    Statement(
        key="aggregation.remark6.refined", title="the least speed constant for given shares",
        latex=r"\mathcal V\ge\mathcal V_{\min}+\min p\,\frac{4L(32E^2G^2+\sigma^2)}{3\mu^2}",
        form="refined", sides=_floor_refined, family=FLOOR,
        given=lambda w: {"rho-bar at most 1/min p": 1 / w.least_share - w.low}, **_REMARK6,
    ),
)  # fmt: skip
