"""Corollary 4 in its readings and as its proof supports it; Remarks 5 and 6 on it."""

from __future__ import annotations

from functools import partial
from itertools import product
from math import inf
from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import fedmax_weights, weighting_skew
from verify.claim import Array, Family, Hypothesis, Real, Sides, Terms, numbers, statement
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation import theorem
from verify.statements.aggregation.endless_runs import gradient_for_ever, leaving, settling
from verify.statements.aggregation.runs import resting, returning, runs, section2, size, turned
from verify.statements.aggregation.space import spaced
from verify.statements.aggregation.symbols import LOW, constants
from verify.world.world import World

COROLLARY = "Corollary 4 (eq. 10)"
SHORT = tuple(size(2, t, 1, rule, quiet=True) for t in (1, 2) for rule in ("fedmax", "fedavg"))
LONGER = (
    *(size(2, 2, e, rule) for e in (1, 2) for rule in theorem.RULES),
    size(2, 4, 2, "fedmax", quiet=True),
    size(3, 2, 2, "fixed", quiet=True),
)
RUNS = runs(*SHORT, *LONGER)
SECTION2 = runs(
    *section2(*SHORT, size(2, 2, 2, "fixed", quiet=True), size(2, 3, 2, "fixed", quiet=True))
)
RETURNING = returning(4, at=2)
"""T = 3, in the middle of the second round; w_0, w_2 and w_4 are the minimiser of F."""
TURNED = turned(size(3, 1, 1, "fixed", quiet=True))
REST = resting(*(size(n, 1, 1, "fixed", quiet=True) for n in (2, 3)))
"""One local step, for which the times of eq. 2 and of Algorithm 1 are the same."""
SETTLING = settling(
    *(size(2, 2, e, "fixed", quiet=True) for e in (1, 2)),
    size(2, 4, 2, "fixed", quiet=True),
    size(3, 3, 3, "fixed", quiet=True),
)
SETTLING2 = settling(*section2(*(size(2, t, 2, "fixed", quiet=True) for t in (2, 4))))
HORIZONS = ("iterations", "rounds")


def reached(w: World, option: str) -> tuple[Array, Any]:
    """F(w_T) - F^* and T, which counts iterations up to ``at`` or all rounds."""
    if w.given("horizon"):  # a run that does not move, of any length
        return q.suboptimality(w, w.rounds), w.horizon
    if option == "iterations":
        return q.suboptimality(w, w.at + 1), w.at + 1
    return q.suboptimality(w, w.rounds), w.rounds // w.local_steps


def bound(w: World, rounds: Any) -> Terms:
    """V/(T + gamma) and E from the numbers measured on the run."""
    speed = closed.speed_constant(
        w.mu, w.beta, w.G2, w.sigma2_max, w.gap, w.distance0, w.low, w.local_steps
    )
    error = closed.learning_error(w.mu, w.beta, w.gap, w.low, w.high)
    return closed.aggregation_bound_upper(speed, error, w.delay, rounds)


def _sides(w: World, option: str) -> Sides:
    left, count = reached(w, option)
    return {"E F(w_T) - F*": left}, bound(w, count)


def _family(iterates: str, times: str, option: str) -> tuple[Family, ...]:
    """Where a reading is tried: a minimum over all times needs runs that hide nothing."""
    if times == "endless":
        middle = {"algorithm": RETURNING, "section2": leaving()}[iterates]
        settled = SETTLING if iterates == "algorithm" else SETTLING2
        return (*([middle] if option == "iterations" else []), REST, settled)
    return (SECTION2 if iterates == "section2" else RUNS, TURNED, REST)


corollary4 = statement(
    "aggregation.corollary4@run+section2+loop+iterations",
    where=COROLLARY,
    kind="corollary",
    latex=r"\mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\mathcal V(\overline\rho,\tilde\rho)+\mathcal E(\overline\rho,\tilde\rho)",
    title="T iterations",
    over="mean",
    family=SECTION2,
    also=(TURNED, REST),
    given=[q.heterogeneous],
    defines=q.over_horizon("loop"),
    uses=("aggregation.theorem3",),
    note="""E may be negative on a run that ends: all weight on a client whose minimiser is w*
    makes rho-tilde zero, so that E = -8L Gamma/(3 mu), which outweighs V/(T + gamma) after one
    iteration if L/mu is a few hundred. In the proof of the corollary a maximum of two numbers is
    replaced by their sum, which is smaller if one of them is negative.

    Without an end rho-bar <= rho-tilde (remark7.refined). What then breaks it is the middle of a
    round, which rho-bar does not see: by Algorithm 1 before a return to w*, by eq. 2 the first
    aggregated model of a long round. For whole rounds the printed constants leave much room: a
    long run at rest next to w* comes nearest, left/right -> 3/8, and needs E once T > 85.""",
)(partial(_sides, option="iterations"))
OTHERS = tuple(
    corollary4.variant(
        f"aggregation.corollary4@run+{iterates}+{times}+{option}",
        title=f"T {option}",
        family=families[0],
        also=families[1:],
        sides=partial(_sides, option=option),
        defines=q.over_horizon(times) | ({"G2": gradient_for_ever} if times == "endless" else {}),
    )
    for iterates, times, option in product(("section2", "algorithm"), ("loop", "endless"), HORIZONS)
    for families in [_family(iterates, times, option)]
    if (iterates, times, option) != ("section2", "loop", "iterations")
)
SPACE, EMPTY = spaced(corollary4)
CONTRACTING = (
    q.heterogeneous,
    q.halving,
    Hypothesis(
        "rho-bar at most rho-tilde", r"\overline\rho\le\tilde\rho", lambda w: w.high - w.low
    ),
    Hypothesis(
        "1 + 3 rho-bar/8 at most gamma",
        r"1+\tfrac38\overline\rho\le\gamma",
        lambda w: w.delay - 1 - 3 * w.low / 8,
    ),
)
"""What the induction needs besides rho at every iteration. With the steps of the corollary
``halving`` says E <= 1 + gamma."""
repaired = corollary4.variant(
    "aggregation.corollary4.repaired",
    family=RUNS,
    also=(REST,),
    given=CONTRACTING,
    title="T iterations, rho over all iterations, first step contracting",
    latex=corollary4.latex
    + q.EVERY
    + r",\ \overline\rho\le\tilde\rho,\ 1+\tfrac38\overline\rho\le\gamma,\ E\le1+\gamma",
    defines=q.over_horizon("every"),
    uses=("aggregation.theorem3.repaired",),
    note="""rho-bar and rho-tilde over all iterations, w_t of Appendix A, rho-bar <= rho-tilde, 1 +
    3 rho-bar/8 <= gamma = 4L/mu, and rounds of at most 1 + gamma steps.""",
    proof="""By the repaired Theorem 3, Delta_{t+1} <= (1 - b/n) Delta_t + C/(mu n)^2 + D/(mu n)
    with n = t + gamma, b = 1 + 3 rho-bar/8 <= gamma, D >= 0. Let M_n = max(gamma Delta_0/n, K_1/n +
    K_2) with K_1 = C/(mu^2 (b-1)), K_2 = D/(mu (b-1)). From Delta_t <= M_n and 1 - b/n >= 0 the
    step gives at most (1 - b/n) M_n + ((b-1)/n)(K_1/n + K_2) <= (n-1)/n M_n <= M_{n+1}. The maximum
    is at most the sum, and F(w_T) - F* <= L Delta_T/2. Without b <= gamma the factor 1 - b/n may be
    negative, and an upper bound of Delta_t no longer serves.""",
)


# -- Remark 5: O(1/T) --------------------------------------------------------------------------


@statement(
    "aggregation.remark5",
    where="Remark 5 (eq. 11)",
    kind="remark",
    title="order 1/T",
    latex=r"\mathbb E[F(w_T)-F^\star]=O(1/T)",
    family=REST,
    relation="<~",
    given=[q.heterogeneous],
    defines=q.over_horizon("endless"),
    note="""A run that starts at the minimiser of sum alpha_i F_i, constant weights alpha, no noise,
    E = 1: w_T is that point for every T, and so is every constant. The ratio grows like T along T
    -> infinity in each instance with alpha != p, so no constant serves; shown is the one of
    Corollary 4, V/(T + gamma). The remark infers this from the bound of the corollary, so that the
    points over which A4 ranges play no part here: the bound has all its constants.""",
)
def order(w: World) -> Sides:
    left, count = reached(w, "iterations")
    return {"F(w_T) - F*": left}, {"V/(T + gamma)": bound(w, count)["speed"]}


order_repaired = repaired.variant(
    "aggregation.remark5.repaired",
    where="Remark 5 (eq. 11)",
    kind="remark",
    title="order 1/T up to the learning error",
    uses=("aggregation.corollary4.repaired",),
    latex=r"\mathbb E[F(w_T)]-F^\star\le\frac{\mathcal V}{T+\gamma}+\mathcal E",
    note="Order 1/T up to the learning error; O(1/T) alone where rho-tilde = rho-bar.",
    proof="The repaired Corollary 4, whose two terms these are.",
)

# -- Remark 6: V from below --------------------------------------------------------------------

REMARK6 = "Remark 6 (eq. 12)"


def speed_at(w: World, low: Array) -> Array:
    """V at a value of rho-bar, of free constants."""
    return closed.speed_constant(
        w.mu,
        w.smoothness,
        w.squared_gradient,
        w.sigma2,
        w.gap,
        w.squared_start,
        low,
        w.local_steps,
    )


@statement(
    "aggregation.remark6/large@any-shares",
    where=REMARK6,
    kind="remark",
    title="rho-bar may be arbitrarily large",
    latex=r"\forall\ell\ \exists:\ \rho\ge\ell",
    family=numbers(
        {
            "level": Real(1, 2.0**20, log=True, domain=(1, inf)),
            "excess": Real(1 / 8, 8, unit=(1, 0), log=True),
        },
        about="one client of share 1/level, the others at their minimum",
    ),
    note="rho of FedMax where only a client of share q = 1/level is badly served: 1/q.",
)
def large(w: World) -> Sides:
    share = xp.stack([1 / w.level, 1 - 1 / w.level], -1)
    excess = xp.stack([w.excess, 0 * w.excess], -1)
    return {"level": w.level}, {"rho": weighting_skew(fedmax_weights(excess), excess, share)}


@large.like(
    "aggregation.remark6/large@given-shares",
    latex=r"\forall p,\ell\ \exists:\ \rho\ge\ell",
    family=numbers(
        {"level": Real(1, 64, log=True), "share": Real(1 / 64, 1 / 2, log=True, domain=(0, 1 / 2))},
        about="two clients of given shares, any weights and losses",
    ),
    note="sup rho over weights and losses is 1/min p for given shares.",
)
def large_given(w: World) -> Sides:
    return {"level": w.level}, {"sup rho": 1 / w.share}


@statement(
    "aggregation.remark6/floor",
    where=REMARK6,
    kind="remark",
    family=constants(low=LOW),
    title="a least speed constant exists",
    latex=r"\mathcal V\ge\mathcal V_{\min}=\frac{8L^2\Gamma}{\mu^2}+\frac{L\gamma\|w^0-w^\star\|^2}2",
    note="V_min is what is left of V as rho-bar grows.",
)
def floor(w: World) -> Sides:
    least = closed.speed_floor(w.mu, w.smoothness, w.gap, w.squared_start)
    return {"V_min": least}, {"V": speed_at(w, w.low)}


@floor.like(
    "aggregation.remark6.refined",
    title="the least speed constant for given shares",
    family=constants(low=LOW, least_share=Real(1 / 64, 1, log=True, domain=(0, 1))),
    latex=r"\mathcal V\ge\mathcal V_{\min}+\min p\,\frac{4L(32E^2G^2+\sigma^2)}{3\mu^2}",
    given=[
        Hypothesis(
            "rho-bar at most 1/min p",
            r"\overline\rho\le\frac1{\min p_i}",
            lambda w: 1 / w.least_share - w.low,
        )
    ],
    note="V_min + min p 4L(32 E^2 G^2 + sigma^2)/(3 mu^2), the floor for given shares.",
    proof="""rho is a ratio of sums with coefficients alpha_i <= 1 and p_i >= min p, so rho-bar <=
    1/min p; V falls with rho-bar.""",
)
def floor_refined(w: World) -> Sides:
    return {"V at 1/min p": speed_at(w, 1 / w.least_share)}, {"V": speed_at(w, w.low)}
