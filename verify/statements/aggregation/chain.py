"""The chain (16) to (19): bounds in terms of the ratios alpha_i/p_i."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import heterogeneity_gap, weight_ratio_upper, weighting_skew
from verify.claim import Array, Hypothesis, Reading, Sides
from verify.statements.aggregation import quantities as q
from verify.world.world import World

claim = q.claims(r"""
before eq. 17 :: proof step
    rho_bounds/quotient :: rho-tilde against rho-bar :: \tilde\rho/\overline\rho\le\Pi/\pi
    rho_bounds/inverse :: rho-bar from below :: 1/\overline\rho\le1/\pi
eq. 17 :: corollary
    eq17 :: bound by pi and Pi :: \mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\Bigl[C+\frac{\lambda_1}\pi\Bigr]+\lambda_2\frac{\Pi-\pi}\pi
eq. 18 :: proof step
    eq18/first :: largest weight from below :: \Pi\min p_i\le\max_i\kappa_t^ip_i
    eq18/second :: largest weight from above :: \max_i\kappa_t^ip_i\le1-(N-1)\min_i\kappa_t^ip_i
    eq18/third :: smallest weight :: 1-(N-1)\min_i\kappa_t^ip_i\le1-(N-1)\pi\min p_i
after eq. 18 :: proof step
    Pi_bound :: largest ratio :: \Pi\le\frac{1-(N-1)\pi\min p_i}{\min p_i}
before eq. 19 :: proof step
    E_bound :: error by pi :: \mathcal E\le\Bigl(\frac1{\pi\min p_i}-N\Bigr)
    E_bound@lambda2 :: error by pi :: \mathcal E\le\frac{8L\Gamma}{3\mu}\Bigl(\frac1{\pi\min p_i}-N\Bigr)
eq. 19 :: corollary
    eq19 :: bound by pi and the shares :: \mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\Bigl[C+\frac{\lambda_1}\pi\Bigr]+\lambda_2\Bigl(\frac1{\pi\min p_i}-N\Bigr)
given
    Corollary 4 :: \mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\Bigl[C+\frac{\lambda_1}{\overline\rho}\Bigr]+\lambda_2\Bigl(\frac{\tilde\rho}{\overline\rho}-1\Bigr) :: Corollary 4 (eq. 10)
    1/rho-bar :: \frac1{\overline\rho}\le\frac1\pi :: before eq. 17
    rho-tilde/rho-bar :: \frac{\tilde\rho}{\overline\rho}\le\frac\Pi\pi :: before eq. 17
    Pi :: \Pi\le\frac{1-(N-1)\pi\min p_i}{\min p_i} :: after eq. 18
    F(w*) <= F(w_t) :: F(w^\star)\le F(w_t) :: Section 2.1
    mu <= L :: \mu\le L :: Assumptions A1 and A2 together
""")

_TWO = "excess other share raw later"
_ABOUT = "losses at w_t and at w*, weights of two rounds"
WEIGHTS = q.family(_TWO, _ABOUT, *q.SIZES)
SIMPLEX = q.family("share raw later", "any weights", *q.SIZES)
CONSTANTS = q.family(f"mu smoothness {_TWO}", f"any constants, {_ABOUT}", *q.SIZES)
BOTH_EXCESS = (
    q.some_loss("F(w_t)", "F(w_t)", "excess"),
    q.some_loss("F(w*)", r"F(w^\star)", "other"),
)


def _ratios(w: World) -> tuple[Array, Array, Array, Array]:
    """Shares, both weight vectors and their ratios kappa, the rounds stacked before the clients."""
    share = q.normalised(w.share)
    first, second = q.normalised(w.raw), q.normalised(w.later)
    kappa = xp.stack([first / share, second / share], -2)
    return share, first, second, kappa.reshape((*kappa.shape[:-2], -1))


def _skews(w: World) -> tuple[Array, Array]:
    """rho-bar and rho-tilde of two rounds seen at two points."""
    share, first, second, _ = _ratios(w)
    return weighting_skew(first, w.excess, share), weighting_skew(second, w.other, share)


@claim("rho_bounds/quotient", family=WEIGHTS, given=BOTH_EXCESS)
def quotient(w: World) -> Sides:
    """rho-tilde <= Pi and rho-bar >= pi, as rho is a mean of the kappa_i with weights p_i x_i."""
    (low, high), kappa = _skews(w), _ratios(w)[3]
    return {"rho-tilde/rho-bar": high / low}, {"Pi/pi": xp.largest(kappa) / xp.smallest(kappa)}


@claim("rho_bounds/inverse", like=quotient)
def inverse(w: World) -> Sides:
    """Tight where all loss sits on the client of smallest kappa."""
    return {"1/rho-bar": 1 / _skews(w)[0]}, {"1/pi": 1 / xp.smallest(_ratios(w)[3])}


# -- eq. 17 on runs, and whether it follows from Corollary 4 -----------------------------------

POSITIVE = q.runs(*q.short("fixed", "fedsoftmax"), q.quiet(2, 4, 2, at=2), q.quiet(3, 2, 2))
POSITIVE2 = q.runs(*q.section2(*q.short("fixed"), q.quiet(2, 4, 2), q.quiet(3, 2, 2)))
RATIOS: q.Defined = {
    **q.over_horizon("every"),
    "least_ratio": lambda w: q.least(q.ratios(w)),
    "largest_ratio": lambda w: q.worst(q.ratios(w)),
}


def by_weights(w: World, pi: Array, error: Array, horizon: str) -> Sides:
    """The bound of Corollary 4 with pi for rho-bar in V, and an error."""
    left, count = q.reached(w, horizon)
    right = closed.aggregation_bound_upper(q.speed(w, pi, w.gap), error, w.delay, count)
    return {"E F(w_T) - F*": left}, right


@q.deduced(
    "eq17",
    "gap speed share error inverse quotient least largest time",
    [
        claim.given(
            "Corollary 4",
            lambda w: (w.speed + w.share * w.inverse) / w.time + w.error * (w.quotient - 1) - w.gap,
        ),
        claim.given("1/rho-bar", lambda w: 1 / w.least - w.inverse),
        claim.given("rho-tilde/rho-bar", lambda w: w.largest / w.least - w.quotient),
    ],
)
def seventeen_deduced(w: World) -> Sides:
    speed = (w.speed + w.share / w.least) / w.time
    return {"gap": w.gap}, {"speed": speed, "error": w.error * (w.largest - w.least) / w.least}


ON_RUNS: dict[str, Any] = {
    "tried": lambda r: (POSITIVE2 if "section2" in r else POSITIVE, q.REST),
    "given": [q.heterogeneous],
    "defines": lambda r: RATIOS,
}


@claim(
    "eq17",
    readings=q.on_run("iterates", "horizon"),
    over="mean",
    uses=("aggregation.corollary4.repaired", "aggregation.rho_bounds"),
    **q.under_a4(
        **ON_RUNS,
        deduction=seventeen_deduced,
        note="""pi <= rho(t, w) <= Pi at every point, virtual averages included, and pi <= 1, so that
    1 + 3 pi/8 <= 4L/mu: nothing of what breaks Corollary 4 is left.

    As loose as that corollary, and by Pi/pi more; the last term is needed by long runs that stay
    beside w*.""",
    ),
)
def eq17(w: World, r: Reading) -> Sides:
    error = q.error(w, w.least_ratio, w.largest_ratio)
    return by_weights(w, w.least_ratio, error, r.horizon)


# -- eq. 18 and what it gives ------------------------------------------------------------------


@claim("eq18/first", family=SIMPLEX)
def largest_from_below(w: World) -> Sides:
    """The client of largest kappa has a share of at least min p."""
    share, weights, _, _ = _ratios(w)
    top = xp.largest(weights / share) * xp.smallest(share)
    return {"Pi min p": top}, {"max kappa p": xp.largest(weights)}


@claim("eq18/second", like=largest_from_below)
def largest_from_above(w: World) -> Sides:
    """Tight where all the other weights are equal."""
    weights = _ratios(w)[1]
    rest = (weights.shape[-1] - 1) * xp.smallest(weights)
    return {"max kappa p": xp.largest(weights)}, {"1": 1, "-(N-1) min kappa p": -rest}


@claim("eq18/third", like=largest_from_below)
def smallest_weight(w: World) -> Sides:
    """min kappa p >= pi min p."""
    share, weights, _, _ = _ratios(w)
    others = weights.shape[-1] - 1
    floor = xp.smallest(weights / share) * xp.smallest(share)
    left = {"1": 1, "-(N-1) min kappa p": -others * xp.smallest(weights)}
    return left, {"one": 1, "-(N-1) pi min p": -others * floor}


@claim("Pi_bound", like=largest_from_below, uses=("aggregation.eq18",))
def largest_ratio(w: World) -> Sides:
    """Pi and pi over both rounds."""
    right = weight_ratio_upper(*_least_ratio(w))
    return {"Pi": xp.largest(_ratios(w)[3])}, {"(1-(N-1) pi min p)/min p": right}


def _least_ratio(w: World) -> tuple[Array, Array, int]:
    """pi over both rounds, the smallest share, and N."""
    share, _, _, kappa = _ratios(w)
    return xp.smallest(kappa), xp.smallest(share), share.shape[-1]


@claim(
    "E_bound",
    readings=["error-factor"],
    family=CONSTANTS,
    uses=("aggregation.rho_bounds", "aggregation.Pi_bound"),
    given=[
        *BOTH_EXCESS,
        claim.given(
            "F(w*) <= F(w_t)", lambda w: heterogeneity_gap(w.excess, q.normalised(w.share)) - w.gap
        ),
        claim.given("mu <= L", lambda w: w.smoothness - w.mu),
    ],
    defines={"gap": lambda w: heterogeneity_gap(w.other, q.normalised(w.share))},
)
def error_bound(w: World, r: Reading) -> Sides:
    """Without the factor 8 L Gamma/(3 mu) of E a loss is bounded by a pure number.

    Proof. rho-tilde/rho-bar - 1 <= Pi/pi - 1, and Pi <= (1 - (N-1) pi m)/m with m = min p gives
    Pi/pi - 1 <= 1/(pi m) - (N-1) - 1."""
    error = q.error_at(w, *_skews(w))
    if "lambda2" in r:
        right = closed.learning_error_of_weights_upper(w.mu, w.smoothness, w.gap, *_least_ratio(w))
    else:
        right = closed.learning_error_of_weights_printed(*_least_ratio(w)) + 0 * w.gap
    return {"E": error}, {"1/(pi min p) - N": right}


# -- eq. 19 ------------------------------------------------------------------------------------


@q.deduced(
    "eq19",
    "gap speed share error least largest time floor clients",
    [
        Hypothesis(
            "eq. 17",
            claim.latex("eq17"),
            lambda w: sum(seventeen_deduced(w)[1].values()) - w.gap,
            "eq. 17",
        ),
        claim.given(
            "Pi", lambda w: (1 - (w.clients - 1) * w.least * w.floor) / w.floor - w.largest
        ),
    ],
)
def nineteen_deduced(w: World) -> Sides:
    speed = (w.speed + w.share / w.least) / w.time
    error = w.error * (1 / (w.least * w.floor) - w.clients)
    return {"gap": w.gap}, {"speed": speed, "error": error}


@claim(
    "eq19",
    readings=q.on_run("iterates", "horizon"),
    over="mean",
    uses=("aggregation.eq17", "aggregation.Pi_bound"),
    **q.under_a4(
        **ON_RUNS,
        deduction=nineteen_deduced,
        note="As eq. 17, with the bound of Pi in place of Pi.",
    ),
)
def eq19(w: World, r: Reading) -> Sides:
    error = q.error(w, w.least_ratio, largest_of(w))
    return by_weights(w, w.least_ratio, error, r.horizon)


def largest_of(w: World) -> Array:
    """What the largest ratio is at most, by the smallest one."""
    clients = w.client_weights.shape[-1]
    return weight_ratio_upper(w.least_ratio, xp.smallest(w.client_weights), clients)
