"""The case Gamma = 0: one iteration, T iterations, and what is said of the best strategy."""

from __future__ import annotations

from bounds import generic as xp
from bounds.aggregation_rules import fedmax_weights, weighting_skew
from verify.claim import Array, Family, Reading, Shape, Sides, hypothesis
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.quantities import instances
from verify.world.world import World

claim = q.claims(r"""
eq. 13 :: theorem
    eq13 :: one iteration, Gamma = 0 :: \mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\tfrac38\overline\rho))\mathbb E\|w_t-w^\star\|^2+\eta_t^2(32E^2G^2+\sigma^2)
    eq13.repaired :: one iteration, Gamma = 0 :: \mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\tfrac38\overline\rho))\mathbb E\|w_t-w^\star\|^2+\eta_t^2(32E^2G^2+\sigma^2)
eq. 14 :: corollary
    eq14 :: T iterations, Gamma = 0 :: \mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\Bigl[\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2\overline\rho}+\frac{L\gamma\|w^0-w^\star\|^2}2\Bigr]
Section 2.2, Gamma = 0 (eq. 15) :: claim
    errorfree/iid-if :: identical clients :: F_i=F_j\Rightarrow\Gamma=0
    errorfree/iid-only-if :: identical clients :: \Gamma=0\Rightarrow F_i-F_i^\star=F_j-F_j^\star
    errorfree/optimal@bound :: the bound falls with rho-bar :: \mathcal V(\rho')\le\mathcal V(\rho)\text{ for }\rho'\ge\rho
    errorfree/fedmax@each-point :: FedMax maximises rho-bar :: \rho_\alpha(w)\le\rho_{\mathrm{FedMax}}(w)
    errorfree/fedmax@whole-run :: FedMax maximises rho-bar :: \overline\rho_\alpha\le\overline\rho_{\mathrm{FedMax}}
    errorfree/optimal@reached :: FedMax is the truly optimal algorithm :: F(w_T^{\mathrm{FedMax}})\le F(w_T^\alpha)
""")

_STEADY = tuple(
    q.quiet(2, 4, 2, rule, at=at) for at in (1, 3) for rule in ("fedavg", "fedmax", "steady")
)
"""One minimiser and d = 1 make rho the same at every point, so that the same weights in every round
have the same rho at all times."""
_LOOP = (*q.ONE_STEP, *q.TWO_STEPS, q.quiet(2, 2, 2, d=2))
_LOOP2 = tuple(q.size(2, 3, 2, rule, at=at) for at in (1, 2) for rule in ("fedavg", "fixed"))
_WHOLE = (*q.short(*q.RULES), q.quiet(2, 4, 2, d=2))
_WHOLE2 = tuple(shape for shape in _WHOLE if shape["rule"] in ("fedavg", "fixed"))


def shared(r: Reading, loop: tuple[Shape, ...], loop2: tuple[Shape, ...], paced: bool) -> Family:
    """Runs of clients with one minimiser, under a reading of the iterates and the times."""
    shapes = _STEADY if "endless" in r else loop2 if "section2" in r else loop
    return q.runs(*(q.section2(*shapes) if "section2" in r else shapes), shared=True, paced=paced)


def without_gap(w: World) -> Sides:
    """Theorem 3 at Gamma = 0."""
    right = q.one_iteration(w, q.distance(w, w.at), gap=0, high=0)
    return q.distance_after(w), {name: right[name] for name in ("contraction", "noise")}


eq13 = claim(
    "eq13",
    readings=q.on_run("iterates", "times"),
    over="mean",
    uses=("aggregation.theorem3",),
    try_first=instances.steep_client,
    **q.under_a4(
        tried=lambda r: [shared(r, _LOOP, _LOOP2, paced=True)],
        given=[q.not_at_optimum],
        defines=lambda r: q.at_no_gap(r.times),
        note="""Gamma = 0: rho-tilde has no value and none is needed. One minimiser for all clients.

    A steep client soon rests while rho-bar, taken where the round began, still counts on it; steps
    that fall fast enough leave nothing else to pay for that.""",
    ),
)(without_gap)
repaired = claim(
    "eq13.repaired",
    like=eq13.leaf("algorithm", "loop"),
    given=[q.not_at_optimum, q.short_steps, q.halving],
    uses=("aggregation.theorem3.repaired",),
    note="""Steps of at most 1/(4L) that at most halve within a round; rho-bar at the ends of the
    rounds suffices.""",
    proof="""Let w_0 begin the round, d = w_0 - w*, h = L eta <= 1/4. Smoothness at w_t^i with
    Young's inequality and Lemma 1 bounds Y = sum alpha x_i(w_0) by (1 + h) X + (1 + h) S/(2 eta), X
    = sum alpha x_i(w_t^i), S = sum alpha |w_0 - w_t^i|^2 <= 4 (E-1)^2 eta^2 G^2 in mean. As x_i(w*)
    = 0, A_5 = -2 eta (1 - 2h) X <= S - 2 eta c Y with c = (1 - 2h)/(1 + h) >= 3/8, and Y >= rho-bar
    (F(w_0) - F*) >= rho-bar mu |d|^2/2. No step leads away from w* but by its noise, so |w_t - w*|^2
    exceeds |d|^2 by at most 4 (E-1) eta^2 G^2 in mean, which costs 3/2 rho-bar mu eta (E-1) eta^2
    G^2 <= (3/8) E eta^2 G^2, as rho-bar mu <= L. With the spread about w_t, no larger than S, that
    is less than 9 E^2 eta^2 G^2, of 32.""",
)(without_gap)


@claim(
    "eq14",
    readings=q.on_run("iterates", "times", "horizon"),
    title=lambda r: f"T {r.horizon or 'iterations'}, Gamma = 0",
    over="mean",
    uses=("aggregation.eq13",),
    **q.under_a4(
        tried=lambda r: [shared(r, _WHOLE, _WHOLE2, paced=False)],
        given=[q.not_at_optimum],
        defines=lambda r: {**q.at_no_gap(r.times), **q.HORIZON},
        note="""Gamma = 0: one minimiser for all clients. Then rho <= L/mu, so 1 + 3 rho-bar/8 <=
    4L/mu.""",
    ),
)
def eq14(w: World, r: Reading) -> Sides:
    left, count = q.reached(w, r.horizon)
    return {"E F(w_T) - F*": left}, {"speed": q.speed_without_gap(w, count)}


# -- "corresponds to an IID dataset" -----------------------------------------------------------


@claim(
    "errorfree/iid-if",
    relation="==",
    defines={"gap": q.gap},
    family=q.runs(q.quiet(2, 1, 1, "fedavg"), q.quiet(3, 1, 1, "fedavg", d=2), alike=True),
)
def alike(w: World) -> Sides:
    """All losses equal, hence one minimiser.

    Compared are F* and sum p_i F_i*, both raised by the loss at the start so that they are not
    zero."""
    base = q.gap_at(w, w.start)
    return {"F* + F(w_0)": w.gap + base}, {"sum p_i F_i* + F(w_0)": base}


@claim(
    "errorfree/iid-only-if",
    relation="==",
    family=q.runs(
        *(q.quiet(2, 1, 1, "fedavg", d=d) for d in (1, 2)),
        shared=True,
        extra={"point": q.POINTS["point"]},
    ),
)
def equal_losses(w: World) -> Sides:
    """One minimiser does not make the losses equal: two curvatures."""
    values = q.excess_at(w, w.point)
    return {"F_1(w) - F_1*": values[..., 0]}, {"F_2(w) - F_2*": values[..., 1]}


# -- FedMax, "optimal" -------------------------------------------------------------------------

RIVALS = q.runs(*(q.quiet(2, 2, 1, d=d) for d in (1, 2)), shared=True, paced=True)


@claim(
    "errorfree/optimal@bound",
    family=q.family(
        "mu smoothness squared_gradient sigma2 squared_start low more", "any constants"
    ),
)
def bound_falls(w: World) -> Sides:
    """The bound of eq. 14 falls as rho-bar grows."""
    above, here = (q.speed_at(w, low, gap=0, local_steps=1) for low in (w.low + w.more, w.low))
    return {"bound at rho + excess": above}, {"bound at rho": here}


@claim(
    "errorfree/fedmax@each-point",
    family=q.family(
        "excess share raw", "any losses at one point, any shares and weights", *q.SIZES[1:]
    ),
    given=[q.some_excess],
)
def greedy(w: World) -> Sides:
    """At every single point no weights give a larger rho than FedMax's.

    A mean is at most the largest entry. Tight where the weights sit on the badly served."""
    share, weights = q.normalised(w.share), q.normalised(w.raw)
    largest = weighting_skew(fedmax_weights(w.excess), w.excess, share)
    return {"rho": weighting_skew(weights, w.excess, share)}, {"rho of FedMax": largest}


@hypothesis(
    "away from w*",
    r"F(w_t^\alpha),F(w_t^{\mathrm{FedMax}})\ne F(w^\star)\text{ for all }t",
    where="footnote 2",
    strict=True,
)
def both_apart(w: World) -> Array:
    models = [w.run(rule=rule).theta for rule in ("fixed", "fedmax")]
    return xp.squared_norm(xp.stack(models, -2) - w.problem.optimum[..., :1, None, :])


@claim("errorfree/fedmax@whole-run", family=RIVALS, given=[both_apart], defines=q.STEPPED)
def fedmax_on_runs(w: World) -> Sides:
    """Both strategies run on their own; FedMax may lead to where every rho is small."""
    own = q.low_of(w, "fedmax")
    return {"rho-bar": q.low_of(w, "fixed")}, {"rho-bar of FedMax": own}


@claim("errorfree/optimal@reached", like=fedmax_on_runs)
def fedmax_gap(w: World) -> Sides:
    """F - F* after the same number of steps, FedMax against fixed weights."""
    return {"gap of FedMax": q.gap_of(w, "fedmax")}, {"gap": q.gap_of(w, "fixed")}
