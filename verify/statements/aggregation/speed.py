"""Remarks 5 and 6: the order of Corollary 4, and its speed constant V."""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import fedmax_weights, weighting_skew
from verify.claim.families import numbers
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real
from verify.claim.statement import Sides, statement
from verify.statements.aggregation import corollary
from verify.statements.aggregation.quantities import (
    Array,
    best,
    delay,
    excess_at,
    gap,
    hessians,
    heterogeneous,
    mean_hessian,
)
from verify.statements.aggregation.runs import runs, size
from verify.statements.aggregation.symbols import LOW, NUMBERS, STEPS
from verify.world.world import World

# -- Remark 5: O(1/T) --------------------------------------------------------------------------

STILL = runs(
    size(2, 1, 1, "fixed", quiet=True), about="two quadratics, run from where it stays",
    extra={"inverse_time": Real(0, 1)},
)


def _stationary(w: World) -> Array:
    """Minimiser of sum alpha_i F_i: gradient steps with weights alpha never leave it."""
    alpha = w.coefficients[..., 0, :]
    hessian = xp.total(alpha[..., None, None] * hessians(w), axis=-3)
    pulled = xp.matvec(hessians(w), w.problem.optimum)
    return xp.solve(hessian, xp.total(alpha[..., None] * pulled, axis=-2))


@statement(
    "aggregation.remark5", where="Remark 5 (eq. 11)", kind="remark", title="order 1/T",
    latex=r"\mathbb E[F(w_T)-F^\star]=O(1/T)", family=STILL, relation="<~",
    given=[
        heterogeneous,
        Hypothesis("T finite", r"T<\infty", lambda w: xp.indicator(w.inverse_time > 0, w.inverse_time),
                   strict=True),
    ],
    defines={"gap": gap, "delay": delay},
    note="""Constant weights alpha, no noise, E = 1, started at the minimiser of sum alpha_i F_i: w_T is
    that point for every T, and so is every constant. The ratio grows like T along the ray
    T -> infinity of each instance with alpha != p, so no constant serves; shown is the one of
    Corollary 4, V/(T + gamma). The remark infers this from the bound of the corollary, so that the
    points over which A4 ranges play no part here: the bound has all its constants.""",
)
def order(w: World) -> Sides:
    point = _stationary(w)
    error = point - best(w)
    left = xp.dot(error, xp.matvec(mean_hessian(w), error)) / 2
    low = weighting_skew(w.coefficients[..., 0, :], excess_at(w, point), w.client_weights)
    slope = xp.largest(xp.squared_norm(w.problem.gradients(point)))
    speed = closed.speed_constant(w.mu, w.beta, slope, 0, gap(w), xp.squared_norm(error), low, 1)
    right = speed * w.inverse_time / (1 + w.delay * w.inverse_time)
    return {"F(w_T) - F*": left}, {"V/(T + gamma)": right}


order_repaired = corollary.repaired.variant(
    "aggregation.remark5.repaired", where="Remark 5 (eq. 11)", kind="remark",
    title="order 1/T up to the learning error", uses=("aggregation.corollary4.repaired",),
    latex=r"\mathbb E[F(w_T)]-F^\star\le\frac{\mathcal V}{T+\gamma}+\mathcal E",
    note="Order 1/T up to the learning error; O(1/T) alone where rho-tilde = rho-bar.",
    proof="The repaired Corollary 4, whose two terms these are.",
)

# -- Remark 6: V from below --------------------------------------------------------------------

REMARK6 = "Remark 6 (eq. 12)"
OUTLIER = numbers(
    {"level": Real(1, 2.0**20, log=True), "excess": Real(1 / 8, 8, unit=(1, 0), log=True)},
    about="one client of share 1/level, the others at their minimum",
)
SHARES = numbers(
    {"level": Real(1, 64, log=True), "share": Real(1 / 64, 1 / 2, log=True)},
    about="two clients of given shares, any weights and losses",
)
CONSTANTS = numbers({**NUMBERS, "low": LOW}, *STEPS, about="any constants")
FLOOR = numbers(
    {**NUMBERS, "low": LOW, "least_share": Real(1 / 64, 1, log=True)}, *STEPS, about="any constants"
)


def speed_at(w: World, low: Array) -> Array:
    """V at a value of rho-bar, of free constants."""
    return closed.speed_constant(
        w.mu, w.smoothness, w.squared_gradient, w.sigma2, w.gap, w.squared_start, low,
        w.local_steps,
    )


@statement(
    "aggregation.remark6/large@free-shares", where=REMARK6, kind="remark", family=OUTLIER,
    title="rho-bar may be arbitrarily large", latex=r"\forall\ell\ \exists:\ \rho\ge\ell",
    note="rho of FedMax where only a client of share q = 1/level is badly served: 1/q.",
)
def large(w: World) -> Sides:
    share = xp.stack([1 / w.level, 1 - 1 / w.level], -1)
    excess = xp.stack([w.excess, 0 * w.excess], -1)
    return {"level": w.level}, {"rho": weighting_skew(fedmax_weights(excess), excess, share)}


@large.like(
    "aggregation.remark6/large@given-shares", latex=r"\forall p,\ell\ \exists:\ \rho\ge\ell",
    family=SHARES, note="sup rho over weights and losses is 1/min p for given shares.",
)
def large_given(w: World) -> Sides:
    return {"level": w.level}, {"sup rho": 1 / w.share}


@statement(
    "aggregation.remark6/floor", where=REMARK6, kind="remark", family=CONSTANTS,
    title="a least speed constant exists",
    latex=r"\mathcal V\ge\mathcal V_{\min}=\frac{8L^2\Gamma}{\mu^2}+\frac{L\gamma\|w^0-w^\star\|^2}2",
    note="V_min is what is left of V as rho-bar grows.",
)
def floor(w: World) -> Sides:
    least = closed.speed_floor(w.mu, w.smoothness, w.gap, w.squared_start)
    return {"V_min": least}, {"V": speed_at(w, w.low)}


@floor.like(
    "aggregation.remark6.refined", title="the least speed constant for given shares", family=FLOOR,
    latex=r"\mathcal V\ge\mathcal V_{\min}+\min p\,\frac{4L(32E^2G^2+\sigma^2)}{3\mu^2}",
    given=[Hypothesis("rho-bar at most 1/min p", r"\overline\rho\le\frac1{\min p_i}",
                      lambda w: 1 / w.least_share - w.low)],
    note="V_min + min p 4L(32 E^2 G^2 + sigma^2)/(3 mu^2), the floor for given shares.",
    proof="""rho is a ratio of sums with coefficients alpha_i <= 1 and p_i >= min p, so rho-bar <=
    1/min p; V falls with rho-bar.""",
)
def floor_refined(w: World) -> Sides:
    return {"V at 1/min p": speed_at(w, 1 / w.least_share)}, {"V": speed_at(w, w.low)}
