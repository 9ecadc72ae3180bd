"""Corollary 4 in its readings and as its proof supports it; Remarks 5 and 6 on it."""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import fedmax_weights, weighting_skew
from verify.claim import Array, Hypothesis, Real, Sides, Terms, numbers, statement
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation import theorem
from verify.statements.aggregation.runs import returning, returning_weights, runs, size, turned
from verify.statements.aggregation.symbols import LOW, constants
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
    over="mean", family=SHORT, given=[q.heterogeneous], defines=q.over_horizon("rounds"),
    uses=("aggregation.theorem3",), note="T counts iterations.",
)
def corollary4(w: World) -> Sides:
    return {"E F(w_T) - F*": q.suboptimality(w, w.at + 1)}, bound(w, w.at + 1)


final_model = corollary4.variant(
    "aggregation.corollary4@final-model", family=RETURNING,
    defines={**q.over_horizon("all"), "coefficients": returning_weights})


@corollary4.like(
    "aggregation.corollary4@T-rounds", latex=corollary4.latex, family=TURNED,
    defines=q.over_horizon("all"), uses=("aggregation.theorem3",),
    note="""T counts rounds and the final model is w_TE, the steps still run over iterations.

    Where E > 0 cannot be relied on the bound may even be negative: all weight on a client whose
    minimiser is w* makes rho-tilde zero, so that E = -8L Gamma/(3 mu), which outweighs V/(T +
    gamma) after one iteration if L/mu is a few hundred. In the proof of the corollary a maximum of
    two numbers is replaced by their sum, which is smaller if one of them is negative.""",
)
def by_rounds(w: World) -> Sides:
    return {"E F(w_TE) - F*": q.suboptimality(w, w.rounds)}, bound(w, w.rounds // w.local_steps)


endless = by_rounds.variant(
    "aggregation.corollary4@T-rounds-endless", family=ENDLESS,
    defines={
        **q.over_horizon("all"),
        "high": lambda w: xp.maximum(q.skew_high(w, "all"), q.skew_low(w, "all")),
    },
    note="""T counts rounds as in Table 1, the model is w_TE as in Algorithm 1, and the min and the
    max are over t = 0 mod E without an end, as printed.

    Then rho-bar <= rho-tilde (see remark7/least@endless). Of a finite run this leaves rho-bar at
    most its own minimum, and rho-tilde at least its own maximum and at least rho-bar; taken here
    are the values that make the bound smallest.

    The bound is loose for two reasons, both printed constants. G^2 >= 2 mu max x_i makes V/(T +
    gamma) at least 256 kappa E^2/(3 (T + 4 kappa)) times F - F* of every round, kappa = L/mu, and
    where the same weights are kept, rho(t, w*)/rho(t, w_t) >= (F(w_t) - F* + Gamma)/Gamma once the
    weighted losses at w_t are no larger than at w*, so that E >= (8 kappa/3)(F - F*). Hence mutants
    of V survive: E does their work. A long run at rest next to w* comes nearest, left/right -> 3/8,
    and needs E once T > 85.""")


@corollary4.like(
    "aggregation.corollary4@space", latex=corollary4.latex, family=theorem.SPACE,
    given=theorem.EVERYWHERE, defines=q.HORIZON, uses=("aggregation.theorem3",),
    note="Corollary 4 for one client with G^2 a bound at every point of the space.",
)
def space(w: World) -> Sides:
    speed = closed.speed_constant(w.mu, w.beta, w.level, xp.largest(w.sigma2), 0, w.distance0, 1, 1)
    return {"E F(w_T) - F*": q.suboptimality(w, 1)}, {"speed": speed / (w.delay + 1)}


empty = theorem.empty.variant(
    "aggregation.corollary4.empty", where=COROLLARY, empties="aggregation.corollary4@space"
)
CONTRACTING = (
    q.heterogeneous,
    Hypothesis("rho-bar at most rho-tilde", r"\overline\rho\le\tilde\rho", lambda w: w.high - w.low),
    Hypothesis("1 + 3 rho-bar/8 at most gamma", r"1+\tfrac38\overline\rho\le\gamma",
               lambda w: w.delay - 1 - 3 * w.low / 8),
)
"""What the induction needs besides the repaired Theorem 3."""
repaired = corollary4.variant(
    "aggregation.corollary4.repaired", family=RUNS, given=CONTRACTING,
    title="T iterations, rho over all iterations, first step contracting",
    latex=corollary4.latex + q.EVERY + r",\ \overline\rho\le\tilde\rho,\ 1+\tfrac38\overline\rho\le\gamma",
    defines=q.over_horizon("every"), uses=("aggregation.theorem3.repaired",),
    note="""rho-bar and rho-tilde over all iterations, rho-bar <= rho-tilde, 1 + 3 rho-bar/8 <=
    4L/mu.""",
    proof="""By the repaired Theorem 3, Delta_{t+1} <= (1 - b/n) Delta_t + C/(mu n)^2 + D/(mu n)
    with n = t + gamma, b = 1 + 3 rho-bar/8 <= gamma, D >= 0. Let M_n = max(gamma Delta_0/n, K_1/n +
    K_2) with K_1 = C/(mu^2 (b-1)), K_2 = D/(mu (b-1)). From Delta_t <= M_n and 1 - b/n >= 0 the
    step gives at most (1 - b/n) M_n + ((b-1)/n)(K_1/n + K_2) <= (n-1)/n M_n <= M_{n+1}. The maximum
    is at most the sum, and F(w_T) - F* <= L Delta_T/2. Without b <= gamma the factor 1 - b/n may be
    negative, and an upper bound of Delta_t no longer serves.""")


# -- Remark 5: O(1/T) --------------------------------------------------------------------------

STILL = runs(
    size(2, 1, 1, "fixed", quiet=True), about="two quadratics, run from where it stays",
    extra={"inverse_time": Real(0, 1)},
)


def _stationary(w: World) -> Array:
    """Minimiser of sum alpha_i F_i: gradient steps with weights alpha never leave it."""
    alpha = w.coefficients[..., 0, :]
    hessian = xp.total(alpha[..., None, None] * q.hessians(w), axis=-3)
    pulled = xp.matvec(q.hessians(w), w.problem.optimum)
    return xp.solve(hessian, xp.total(alpha[..., None] * pulled, axis=-2))


@statement(
    "aggregation.remark5", where="Remark 5 (eq. 11)", kind="remark", title="order 1/T",
    latex=r"\mathbb E[F(w_T)-F^\star]=O(1/T)", family=STILL, relation="<~",
    given=[q.heterogeneous,
           Hypothesis("T finite", r"T<\infty",
                      lambda w: xp.indicator(w.inverse_time > 0, w.inverse_time), strict=True)],
    defines={"gap": q.gap, "delay": q.delay},
    note="""Constant weights alpha, no noise, E = 1, started at the minimiser of sum alpha_i F_i:
    w_T is that point for every T, and so is every constant. The ratio grows like T along the ray T
    -> infinity of each instance with alpha != p, so no constant serves; shown is the one of
    Corollary 4, V/(T + gamma). The remark infers this from the bound of the corollary, so that the
    points over which A4 ranges play no part here: the bound has all its constants.""",
)
def order(w: World) -> Sides:
    point = _stationary(w)
    error = point - q.best(w)
    left = xp.dot(error, xp.matvec(q.mean_hessian(w), error)) / 2
    low = weighting_skew(w.coefficients[..., 0, :], q.excess_at(w, point), w.client_weights)
    slope = xp.largest(xp.squared_norm(w.problem.gradients(point)))
    speed = closed.speed_constant(w.mu, w.beta, slope, 0, q.gap(w), xp.squared_norm(error), low, 1)
    right = speed * w.inverse_time / (1 + w.delay * w.inverse_time)
    return {"F(w_T) - F*": left}, {"V/(T + gamma)": right}


order_repaired = repaired.variant(
    "aggregation.remark5.repaired", where="Remark 5 (eq. 11)", kind="remark",
    title="order 1/T up to the learning error", uses=("aggregation.corollary4.repaired",),
    latex=r"\mathbb E[F(w_T)]-F^\star\le\frac{\mathcal V}{T+\gamma}+\mathcal E",
    note="Order 1/T up to the learning error; O(1/T) alone where rho-tilde = rho-bar.",
    proof="The repaired Corollary 4, whose two terms these are.")

# -- Remark 6: V from below --------------------------------------------------------------------

REMARK6 = "Remark 6 (eq. 12)"


def speed_at(w: World, low: Array) -> Array:
    """V at a value of rho-bar, of free constants."""
    return closed.speed_constant(
        w.mu, w.smoothness, w.squared_gradient, w.sigma2, w.gap, w.squared_start, low,
        w.local_steps,
    )


@statement(
    "aggregation.remark6/large@free-shares", where=REMARK6, kind="remark",
    title="rho-bar may be arbitrarily large", latex=r"\forall\ell\ \exists:\ \rho\ge\ell",
    family=numbers(
        {"level": Real(1, 2.0**20, log=True), "excess": Real(1 / 8, 8, unit=(1, 0), log=True)},
        about="one client of share 1/level, the others at their minimum",
    ),
    note="rho of FedMax where only a client of share q = 1/level is badly served: 1/q.",
)
def large(w: World) -> Sides:
    share = xp.stack([1 / w.level, 1 - 1 / w.level], -1)
    excess = xp.stack([w.excess, 0 * w.excess], -1)
    return {"level": w.level}, {"rho": weighting_skew(fedmax_weights(excess), excess, share)}


@large.like(
    "aggregation.remark6/large@given-shares", latex=r"\forall p,\ell\ \exists:\ \rho\ge\ell",
    family=numbers(
        {"level": Real(1, 64, log=True), "share": Real(1 / 64, 1 / 2, log=True)},
        about="two clients of given shares, any weights and losses",
    ),
    note="sup rho over weights and losses is 1/min p for given shares.",
)
def large_given(w: World) -> Sides:
    return {"level": w.level}, {"sup rho": 1 / w.share}


@statement(
    "aggregation.remark6/floor", where=REMARK6, kind="remark", family=constants(low=LOW),
    title="a least speed constant exists",
    latex=r"\mathcal V\ge\mathcal V_{\min}=\frac{8L^2\Gamma}{\mu^2}+\frac{L\gamma\|w^0-w^\star\|^2}2",
    note="V_min is what is left of V as rho-bar grows.",
)
def floor(w: World) -> Sides:
    least = closed.speed_floor(w.mu, w.smoothness, w.gap, w.squared_start)
    return {"V_min": least}, {"V": speed_at(w, w.low)}


@floor.like(
    "aggregation.remark6.refined", title="the least speed constant for given shares",
    family=constants(low=LOW, least_share=Real(1 / 64, 1, log=True)),
    latex=r"\mathcal V\ge\mathcal V_{\min}+\min p\,\frac{4L(32E^2G^2+\sigma^2)}{3\mu^2}",
    given=[Hypothesis("rho-bar at most 1/min p", r"\overline\rho\le\frac1{\min p_i}",
                      lambda w: 1 / w.least_share - w.low)],
    note="V_min + min p 4L(32 E^2 G^2 + sigma^2)/(3 mu^2), the floor for given shares.",
    proof="""rho is a ratio of sums with coefficients alpha_i <= 1 and p_i >= min p, so rho-bar <=
    1/min p; V falls with rho-bar.""",
)
def floor_refined(w: World) -> Sides:
    return {"V at 1/min p": speed_at(w, 1 / w.least_share)}, {"V": speed_at(w, w.low)}
