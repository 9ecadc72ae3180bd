"""FedSoftMax with one local step is gradient descent on a tilted loss: its limit and its true error.

Phi(w) = T log sum_i p_i e^{x_i(w)/T}, x_i = F_i - F_i*, has the gradient sum_i alpha_i grad F_i.
"""

from __future__ import annotations

from bounds import generic as xp
from bounds.aggregation_rules import fedsoftmax_weights, heterogeneity_gap
from verify.claim.statement import Sides, statement
from verify.statements.aggregation.assumptions import POINTS
from verify.statements.aggregation.quantities import Array, best, excess_at
from verify.statements.aggregation.runs import runs, size
from verify.world.world import World

SOFT_POINTS = runs(
    size(2, 1, 1, "fedsoftmax", quiet=True), size(2, 1, 1, "fedsoftmax", quiet=True, d=2),
    size(3, 1, 1, "fedsoftmax", quiet=True), extra=POINTS,
    about="quadratics at any two points, any shares and temperature",
)


def _tilted(w: World, point: Array) -> Array:
    """Phi at a point, (B, R); the largest exponent is taken out."""
    excess, temperature = excess_at(w, point), w.temperature
    top = xp.largest(excess)
    above = (excess - top[..., None]) / temperature[..., None]
    return top + temperature * xp.log(xp.total(w.client_weights * xp.exp(above)))


def _slope(w: World, point: Array) -> Array:
    """sum alpha_i grad F_i, (B, R, d)."""
    alpha = fedsoftmax_weights(excess_at(w, point), w.client_weights, w.temperature)
    return xp.total(alpha[..., None] * w.problem.gradients(point), axis=-2)


@statement(
    "aggregation.strategy.fedsoftmax.refined/error", where="Section 2.3", kind="claim",
    title="true error of the limit", latex=r"F(w_\infty)-F^\star\le\frac{R^2}{8T}", family=SOFT_POINTS,
    note="""F - F* at the minimiser of Phi is at most R^2/(8T), R the range of the x_i(w*). Stated for
    every w with both values of Phi.""",
    proof="""sum p x <= Phi by Jensen's inequality, and Phi(w*) <= Gamma + R^2/(8T) by Hoeffding's lemma;
    the minimiser has Phi(w) <= Phi(w*).""",
)
def error(w: World) -> Sides:
    ideal = excess_at(w, best(w))
    spread = xp.largest(ideal) - xp.smallest(ideal)
    here = heterogeneity_gap(excess_at(w, w.point), w.client_weights)
    gap, square = heterogeneity_gap(ideal, w.client_weights), spread**2 / (8 * w.temperature)
    return {"F(w) - sum p F*": here, "Phi(w*)": _tilted(w, best(w))}, {
        "Phi(w)": _tilted(w, w.point), "Gamma": gap, "R^2/(8T)": square,
    }


@error.like(
    "aggregation.strategy.fedsoftmax.refined/error-second",
    title="true error of the limit, second order",
    latex=r"F(w_\infty)-F^\star\le\frac L{2\mu^2}\Bigl\|\sum_i(\alpha_i-p_i)\nabla F_i(w^\star)\Bigr\|^2",
    note="""F - F* at the minimiser of Phi is at most L |grad Phi(w*)|^2/(2 mu^2), of order 1/T^2. Stated
    for every w with both gradients.""",
    proof="""F is L-smooth with minimiser w*, and |grad Phi(w) - grad Phi(w*)| >= mu |w - w*|; at the
    minimiser of Phi the first gradient is zero. grad Phi(w*) = sum (alpha_i - p_i) grad F_i(w*), and
    |alpha_i - p_i| <= R/(4T).""",
)
def error_second(w: World) -> Sides:
    gap = xp.squared_norm(_slope(w, w.point) - _slope(w, best(w)))
    ideal = heterogeneity_gap(excess_at(w, best(w)), w.client_weights)
    value = heterogeneity_gap(excess_at(w, w.point), w.client_weights)
    return {"F(w) - F*": value - ideal}, {"L |.|^2/(2 mu^2)": w.beta * gap / (2 * w.mu**2)}


@error.like(
    "aggregation.RQ3.refined", where="Research question 3",
    title="the limit of the weights exists and is characterised",
    latex=r"\Phi(v)\ge\Phi(w)+\Bigl\langle v-w,\sum_i\alpha_i\nabla F_i(w)\Bigr\rangle+\tfrac\mu2\|v-w\|^2,\quad\Phi=T\log\sum_ip_ie^{x_i/T}",
    note="Phi is mu-strongly convex with gradient sum alpha_i grad F_i.",
    proof="""The derivative of T log sum p e^{x/T} by x_i is alpha_i. The second derivative of Phi is
    sum alpha_i grad^2 F_i + Cov_alpha(grad F_i)/T, at least mu. So FedSoftMax with E = 1 is gradient
    descent on Phi and its weights tend to those at the one minimiser of Phi.""",
)
def convex(w: World) -> Sides:
    slope, curve = xp.dot(_slope(w, w.point), w.shift), w.mu * xp.squared_norm(w.shift) / 2
    left = {"Phi(w)": _tilted(w, w.point), "slope": slope, "mu/2 |v-w|^2": curve}
    return left, {"Phi(v)": _tilted(w, w.point + w.shift)}
