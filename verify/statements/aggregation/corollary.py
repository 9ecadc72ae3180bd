"""Corollary 4 in its readings, and in the form that its proof supports."""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim.hypothesis import Hypothesis
from verify.claim.statement import Sides, Terms, statement
from verify.statements.aggregation import theorem
from verify.statements.aggregation.quantities import (
    EVERY,
    HORIZON,
    Array,
    heterogeneous,
    over_horizon,
    skew_high,
    skew_low,
    suboptimality,
)
from verify.statements.aggregation.runs import returning, returning_weights, runs, size, turned
from verify.world.world import World

COROLLARY = "Corollary 4 (eq. 10)"
SHORT = runs(*(size(2, t, 1, rule, quiet=True) for t in (1, 2) for rule in ("fedmax", "fedavg")))
RETURNING = returning(4, at=2)
"""T = 3, in the middle of the second round; w_0, w_2 and w_4 are the minimiser of F. The two rare
clients are equally badly served there, so that rho is 1/(their share) in every round, and further
rounds can return too: an endless horizon changes nothing."""
TURNED = turned(size(3, 1, 1, "fixed", quiet=True))
_SIZES = (
    size(1, 2, 1, "fedavg"), *(size(2, 2, e, rule) for e in (1, 2) for rule in theorem.RULES),
    size(2, 4, 2, "fedmax", quiet=True), size(3, 2, 2, "fixed", quiet=True),
)
RUNS = runs(*_SIZES)
ENDLESS = runs(
    *_SIZES, size(3, 128, 1, "fixed", quiet=True, resting=True, rows=1),
    about="aligned quadratics, two-point noise, all outcomes; long runs that stay where they are",
)


def bound(w: World, rounds: Array) -> Terms:
    """V/(T + gamma) and E from the numbers measured on the run."""
    speed = closed.speed_constant(
        w.mu, w.beta, w.G2, w.sigma2_max, w.gap, w.distance0, w.low, w.local_steps
    )
    error = closed.learning_error(w.mu, w.beta, w.gap, w.low, w.high)
    return closed.aggregation_bound_upper(speed, error, w.delay, rounds)


@statement(
    "aggregation.corollary4@rounds", where=COROLLARY, kind="corollary", title="T iterations",
    latex=r"\mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\mathcal V(\overline\rho,\tilde\rho)+\mathcal E(\overline\rho,\tilde\rho)",
    over="mean", family=SHORT, given=[heterogeneous], defines=over_horizon("rounds"),
    uses=("aggregation.theorem3",), note="T counts iterations.",
)
def corollary4(w: World) -> Sides:
    return {"E F(w_T) - F*": suboptimality(w, w.at + 1)}, bound(w, w.at + 1)


final_model = corollary4.variant(
    "aggregation.corollary4@final-model", family=RETURNING,
    defines={**over_horizon("all"), "coefficients": returning_weights},
)


@corollary4.like(
    "aggregation.corollary4@T-rounds", latex=corollary4.latex, family=TURNED,
    defines=over_horizon("all"), uses=("aggregation.theorem3",),
    note="""T counts rounds and the final model is w_TE, the steps still run over iterations.

    Where E > 0 cannot be relied on the bound may even be negative: all weight on a client whose
    minimiser is w* makes rho-tilde zero, so that E = -8L Gamma/(3 mu), which outweighs V/(T + gamma)
    after one iteration if L/mu is a few hundred. In the proof of the corollary a maximum of two
    numbers is replaced by their sum, which is smaller if one of them is negative.""",
)
def by_rounds(w: World) -> Sides:
    return {"E F(w_TE) - F*": suboptimality(w, w.rounds)}, bound(w, w.rounds // w.local_steps)


def _high_endless(w: World) -> Array:
    return xp.maximum(skew_high(w, "all"), skew_low(w, "all"))


endless = by_rounds.variant(
    "aggregation.corollary4@T-rounds-endless", family=ENDLESS,
    defines={**over_horizon("all"), "high": _high_endless},
    note="""T counts rounds as in Table 1, the model is w_TE as in Algorithm 1, and the min and the max are
    over t = 0 mod E without an end, as printed.

    Then rho-bar <= rho-tilde (see remark7/least@endless). Of a finite run this leaves rho-bar at most
    its own minimum, and rho-tilde at least its own maximum and at least rho-bar; taken here are the
    values that make the bound smallest.

    The bound is loose for two reasons, both printed constants. G^2 >= 2 mu max x_i makes V/(T + gamma)
    at least 256 kappa E^2/(3 (T + 4 kappa)) times F - F* of every round, kappa = L/mu, and where the
    same weights are kept, rho(t, w*)/rho(t, w_t) >= (F(w_t) - F* + Gamma)/Gamma once the weighted
    losses at w_t are no larger than at w*, so that E >= (8 kappa/3)(F - F*). Hence mutants of V
    survive: E does their work. A long run at rest next to w* comes nearest, left/right -> 3/8, and
    needs E once T > 85.""",
)


@corollary4.like(
    "aggregation.corollary4@space", latex=corollary4.latex, family=theorem.SPACE,
    given=theorem.EVERYWHERE, defines=HORIZON, uses=("aggregation.theorem3",),
    note="Corollary 4 for one client with G^2 a bound at every point of the space.",
)
def space(w: World) -> Sides:
    speed = closed.speed_constant(w.mu, w.beta, w.level, xp.largest(w.sigma2), 0, w.distance0, 1, 1)
    return {"E F(w_T) - F*": suboptimality(w, 1)}, {"speed": speed / (w.delay + 1)}


empty = theorem.empty.variant(
    "aggregation.corollary4.empty", where=COROLLARY, empties="aggregation.corollary4@space"
)
CONTRACTING = (
    heterogeneous,
    Hypothesis("rho-bar at most rho-tilde", r"\overline\rho\le\tilde\rho", lambda w: w.high - w.low),
    Hypothesis("1 + 3 rho-bar/8 at most gamma", r"1+\tfrac38\overline\rho\le\gamma",
               lambda w: w.delay - 1 - 3 * w.low / 8),
)
"""What the induction needs besides the repaired Theorem 3."""
repaired = corollary4.variant(
    "aggregation.corollary4.repaired", family=RUNS, given=CONTRACTING,
    title="T iterations, rho over all iterations, first step contracting",
    latex=corollary4.latex + EVERY + r",\ \overline\rho\le\tilde\rho,\ 1+\tfrac38\overline\rho\le\gamma",
    defines=over_horizon("every"), uses=("aggregation.theorem3.repaired",),
    note="rho-bar and rho-tilde over all iterations, rho-bar <= rho-tilde, 1 + 3 rho-bar/8 <= 4L/mu.",
    proof="""By the repaired Theorem 3, Delta_{t+1} <= (1 - b/n) Delta_t + C/(mu n)^2 + D/(mu n) with
    n = t + gamma, b = 1 + 3 rho-bar/8 <= gamma, D >= 0. Let M_n = max(gamma Delta_0/n, K_1/n + K_2)
    with K_1 = C/(mu^2 (b-1)), K_2 = D/(mu (b-1)). From Delta_t <= M_n and 1 - b/n >= 0 the step
    gives at most (1 - b/n) M_n + ((b-1)/n)(K_1/n + K_2) <= (n-1)/n M_n <= M_{n+1}. The maximum is
    at most the sum, and F(w_T) - F* <= L Delta_T/2. Without b <= gamma the factor 1 - b/n may be
    negative, and an upper bound of Delta_t no longer serves.""",
)
