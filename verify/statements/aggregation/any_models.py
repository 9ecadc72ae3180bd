r"""Lemma 2 and Theorem 3 for any number of local steps, clients and dimensions, and any noise.

Square integrable random vectors are vectors, with the mean of the inner product.  So one iteration
is a claim about the models and gradients of the clients, with what the assumptions say of them in
the mean; and of a client that is drawn by the weights alpha the way since the round began is a sum
of vectors, one for each local step.
"""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim import Array, Real, Shape, Sides, Terms, numbers
from verify.statements.aggregation import quantities as q
from verify.world.world import World

claim = q.claims(r"""
Lemma 2 (eq. 7) :: lemma
    lemma2.refined/vectors :: spread of the clients, any noise :: \mathbb E\bigl[\textstyle\sum_i\alpha_t^i\|w_t-w_t^i\|^2\bigr]\le4\eta_t^2(E-1)^2G^2
    lemma2.repaired/vectors :: spread of the clients, any noise :: \mathbb E\bigl[\textstyle\sum_i\alpha_t^i\|w_t-w_t^i\|^2\bigr]\le16\eta_t^2E^2G^2
Theorem 3 (eq. 9) :: theorem
    theorem3.repaired/from-refined :: one iteration, from its refined form :: \mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\tfrac38\overline\rho))\Delta_t+\eta_t^2(32E^2G^2+6\overline\rho L\Gamma+\sigma^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)
    theorem3.refined/vectors :: one iteration from any models, any noise :: \mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\overline\rho))\Delta_t+\eta_t^2G^2(1+4\eta_tL(E-1)^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)
given
    local steps :: \mathbb E\|\eta_sg_i(w_s^i)\|^2\le4\eta_t^2G^2 :: Assumption A4, steps that at most halve
    average :: \mathbb E\langle w_t^i-w_t,w_t-w_{t_0}\rangle\ge0 :: w_t is the average
    smoothness :: F_i(w_t)\le F_i(w_t^i)+\langle\nabla F_i(w_t^i),w_t-w_t^i\rangle+\tfrac L2\|w_t-w_t^i\|^2 :: Assumption A1
    strong convexity :: F_i(w^\star)\ge F_i(w_t^i)+\langle\nabla F_i(w_t^i),w^\star-w_t^i\rangle+\tfrac\mu2\|w_t^i-w^\star\|^2 :: Assumption A2
    unbiased :: \mathbb E\langle\textstyle\sum_i\alpha_t^i(g_i-\nabla F_i),w_t-w^\star\rangle\ge0 :: Assumption A3, as an equality
    A4 :: \mathbb E\|g_i(w_t^i)\|^2\le G^2 :: Assumption A4
    Lemma 2 :: \textstyle\sum_i\alpha_t^i\|w_t-w_t^i\|^2\le4\eta_t^2(E-1)^2G^2 :: Lemma 2, refined
    rho-bar :: \textstyle\sum_i\alpha_t^i(F_i(w_t)-F_i^\star)\ge\overline\rho\,(F(w_t)-F^\star+\Gamma)
    A2 :: F(w_t)-F^\star\ge\tfrac\mu2\|w_t-w^\star\|^2 :: Assumption A2, of F at w*
    refined :: \Delta_{t+1}\le(1-\eta_t\mu(1+\overline\rho))\Delta_t+\eta_t^2G^2(1+4\eta_tL(E-1)^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho) :: Theorem 3, refined
    steps at most 1/(4L) :: \eta_t\le\frac1{4L}
    rho-tilde :: \textstyle\sum_i\alpha_t^i(F_i(w^\star)-F_i^\star)\le\tilde\rho\,\Gamma :: Section 2.1, definition of rho-tilde
""")

STEP = Real(1 / 64, 1, unit=(-1, 2), log=True)
BEND = Real(1 / 8, 8, unit=(1, -2), log=True)
SQUARED = Real(1 / 8, 8, unit=(2, -2), log=True)
EXCESS = Real(0, 8, unit=(1, 0))
VALUES = Real(0, 8, unit=(1, 0), per=("N",))
SKEW = Real(0, 4)


def _vectors(length: float, *unit: int) -> Real:
    """One for each client."""
    return Real(-length, length, unit=(unit[0], unit[1]), per=("N", "d"))


# -- Lemma 2: the way of a client is a sum over its local steps ------------------------------------

STEPS_MADE: tuple[Shape, ...] = ({"N": 1, "d": 1}, {"N": 2, "d": 1}, {"N": 3, "d": 2})


@claim(
    "lemma2.refined/vectors",
    family=numbers(
        {
            "step_size": STEP,
            "squared_gradient": SQUARED,
            "moved": _vectors(1, 0, 1),
            "centre": Real(-1, 1, unit=(0, 1), per=("d",)),
        },
        *STEPS_MADE,
        about="any vectors for the local steps since a round began",
    ),
    given=[
        claim.given(
            "local steps",
            lambda w: (
                4 * (w.step_size**2 * w.squared_gradient)[..., None] - xp.squared_norm(w.moved)
            ),
        ),
        claim.given("average", lambda w: xp.dot(xp.total(w.moved, -2) - w.centre, w.centre)),
    ],
)
def lemma2(w: World) -> Sides:
    """N = E - 1 steps; centre is the average, of which the client's way is free in the mean.

    Proof. The mean minimises the mean square, so the spread is at most that about the round's first
    model, and |sum of N vectors|^2 is at most N times the sum of their squares."""
    spread = xp.squared_norm(xp.total(w.moved, -2) - w.centre)
    right = closed.client_spread_refined_upper(w.step_size, w.N + 1, w.squared_gradient)
    return {"E spread": spread}, {"4 eta^2 (E-1)^2 G^2": right}


@claim("lemma2.repaired/vectors", like=lemma2)
def lemma2_repaired(w: World) -> Sides:
    """Sixteen times in place of four. Proof. As for the refined form."""
    right = closed.client_spread_upper(w.step_size, w.N + 1, w.squared_gradient)
    return lemma2(w)[0], {"16 eta^2 E^2 G^2": right}


# -- Theorem 3: one iteration from any models ------------------------------------------------------


def _alpha(w: World) -> Array:
    return q.normalised(w.raw)


def _mean(w: World, x: Array) -> Array:
    """sum_i alpha_i x_i, of vectors."""
    return xp.total(_alpha(w)[..., None] * x, -2)


def _average(w: World) -> Array:
    return _mean(w, w.models)


def _off(w: World) -> Array:
    """w_t - w_t^i."""
    return _average(w)[..., None, :] - w.models


def _away(w: World) -> Array:
    return _average(w) - w.best


ANY_MODELS = numbers(
    {
        "raw": Real(1 / 8, 1, log=True, per=("N",)),
        "models": _vectors(2, 0, 1),
        "slope": _vectors(2, 1, -1),
        "noise": _vectors(1, 1, -1),
        "best": Real(-2, 2, unit=(0, 1), per=("d",)),
        **dict.fromkeys(("own", "here", "ideal"), VALUES),
        "step_size": STEP,
        **dict.fromkeys(("mu", "smoothness"), BEND),
        "squared_gradient": SQUARED,
        **dict.fromkeys(("rise", "gap"), EXCESS),
        **dict.fromkeys(("low", "high"), SKEW),
    },
    {"N": 1, "d": 1, "local_steps": 1},
    {"N": 2, "d": 1, "local_steps": 2},
    {"N": 2, "d": 2, "local_steps": 3},
    about="any models, gradients and losses of the clients",
)


@claim(
    "theorem3.refined/vectors",
    family=ANY_MODELS,
    uses=("aggregation.lemma2.refined",),
    given=[
        claim.given(
            "smoothness",
            lambda w: (
                w.own
                + xp.dot(w.slope, _off(w))
                + w.smoothness[..., None] * xp.squared_norm(_off(w)) / 2
                - w.here
            ),
        ),
        claim.given(
            "strong convexity",
            lambda w: (
                w.ideal
                - w.own
                - xp.dot(w.slope, w.best[..., None, :] - w.models)
                - w.mu[..., None] * xp.squared_norm(w.models - w.best[..., None, :]) / 2
            ),
        ),
        claim.given("unbiased", lambda w: xp.dot(_mean(w, w.noise), _away(w))),
        claim.given(
            "A4", lambda w: w.squared_gradient[..., None] - xp.squared_norm(w.slope + w.noise)
        ),
        claim.given(
            "Lemma 2",
            lambda w: (
                closed.client_spread_refined_upper(w.step_size, w.local_steps, w.squared_gradient)
                - xp.total(_alpha(w) * xp.squared_norm(_off(w)))
            ),
        ),
        claim.given("rho-bar", lambda w: xp.total(_alpha(w) * w.here) - w.low * (w.rise + w.gap)),
        claim.given("A2", lambda w: w.rise - w.mu * xp.squared_norm(_away(w)) / 2),
        claim.given("rho-tilde", lambda w: w.high * w.gap - xp.total(_alpha(w) * w.ideal)),
    ],
)
def theorem3(w: World) -> Sides:
    """Models, gradients and noises of the clients are any vectors, losses x_i any numbers, with
    what the assumptions, Lemma 2 and the definitions of rho-bar and rho-tilde say of them.

    Proof. Smoothness and strong convexity under the weights, twice eta_t of each; the direction has
    a second moment of at most G^2 by Jensen's inequality; x_i as the ratios say."""
    after = _away(w) - w.step_size[..., None] * _mean(w, w.slope + w.noise)
    before = xp.squared_norm(_away(w))
    right = closed.one_round_refined_upper(
        before,
        w.step_size,
        w.mu,
        w.smoothness,
        w.squared_gradient,
        w.gap,
        w.low,
        w.high,
        w.local_steps,
    )
    return {"Delta+": xp.squared_norm(after)}, right


CONSTANTS = numbers(
    {
        "after": Real(0, 8, unit=(0, 2)),
        "squared_start": Real(0, 8, unit=(0, 2)),
        "step_size": STEP,
        **dict.fromkeys(("mu", "smoothness"), BEND),
        "squared_gradient": SQUARED,
        "sigma2": Real(0, 8, unit=(2, -2)),
        "gap": EXCESS,
        **dict.fromkeys(("low", "high"), SKEW),
        "more": Real(0, 64),
    },
    about="any constants of one iteration",
)


def _refined(w: World) -> Terms:
    constants = w.squared_start, w.step_size, w.mu, w.smoothness, w.squared_gradient
    return closed.one_round_refined_upper(*constants, w.gap, w.low, w.high, 1 + w.more)


@claim(
    "theorem3.repaired/from-refined",
    family=CONSTANTS,
    uses=("aggregation.theorem3.refined/vectors",),
    given=[
        claim.given("refined", lambda w: sum(_refined(w).values()) - w.after),
        claim.given("steps at most 1/(4L)", lambda w: 1 - 4 * w.step_size * w.smoothness),
    ],
)
def theorem3_repaired(w: World) -> Sides:
    """The printed constants, as the refined ones are no larger for steps of at most 1/(4L); E is one
    local step and any number more.

    Proof. 4 eta L <= 1 leaves 1 + (E-1)^2 of the noise, at most 32 E^2, and 1 + rho-bar is at least
    1 + 3 rho-bar/8."""
    constants = w.squared_start, w.step_size, w.mu, w.smoothness, w.squared_gradient, w.sigma2
    right = closed.one_round_upper(*constants, w.gap, w.low, w.high, 1 + w.more)
    return {"Delta+": w.after}, right
