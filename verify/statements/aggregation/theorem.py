"""Lemmas 1 and 2, Theorem 3 (one iteration of generalised FedAvg), and A4 at every point."""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, Terms, hypothesis, numbers, statement
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.assumptions import A4, far, steep
from verify.statements.aggregation.runs import returning, returning_weights, runs, size
from verify.statements.aggregation.symbols import CURVATURE
from verify.world.world import World

LEMMA1 = "Lemma 1 (eq. 6)"
LEMMA2 = "Lemma 2 (eq. 7)"
_VALUE = Real(-8, 8, unit=(1, 0))
POINT = numbers(
    {"smoothness": CURVATURE, "value": _VALUE, "minimum": _VALUE, "after": _VALUE,
     "squared_gradient": Real(0, 8, unit=(2, -2))},
    about="any smooth function, seen at one point and one gradient step further",
)


@statement(
    "aggregation.lemma1", where=LEMMA1, kind="lemma", title="gradient domination",
    latex=r"\|\nabla f(w)\|^2\le2L(f(w)-f(w^\star))", family=POINT,
    given=[Hypothesis("smooth along the step", r"f(w-\tfrac1L\nabla f(w))\le f(w)-\tfrac1{2L}\|\nabla f(w)\|^2",
                      lambda w: w.value - w.squared_gradient / (2 * w.smoothness) - w.after),
           Hypothesis("w* is a minimum", r"f(w^\star)\le f(w-\tfrac1L\nabla f(w))",
                      lambda w: w.after - w.minimum, LEMMA1)],
    note="""Only two consequences of the hypotheses are used: L-smoothness at v = w - grad f(w)/L,
    where it reads f(v) <= f(w) - |grad f|^2/(2L), and f(w*) <= f(v). Tight for quadratics along the
    steepest axis.""",
)
def lemma1(w: World) -> Sides:
    right = closed.squared_gradient_upper(w.smoothness, w.value - w.minimum)
    return {"|grad f|^2": w.squared_gradient}, {"2L(f - f*)": right}


# -- Lemma 2 -----------------------------------------------------------------------------------

_SIZES = (
    size(1, 1, 1, "fedavg"), size(2, 2, 2, "fedavg"), size(2, 2, 2, "fedmax"),
    size(2, 2, 2, "fixed"), size(2, 3, 3, "fixed", quiet=True), size(3, 2, 2, "fixed", quiet=True),
)
SPREAD = runs(*_SIZES)
CLOSE = runs(*_SIZES, extra={"decay": Real(0, 1)})
_SHRINK = {"shrink": Real(1 / 64, 1, log=True)}


def _falling_steps(w: World) -> Array:
    """eta_t = share/(4L) shrink^t: decaying as fast as one likes."""
    first = w.step_share / (4 * w.beta)
    return xp.stack([first * w.shrink**t for t in range(w.rounds)], -1)


def _spread(w: World, shares: bool = False) -> dict[str, Array]:
    """Sum of alpha_i |w_t - w_t^i|^2 before iteration ``at``, (B, R)."""
    models, alpha = w.run().models[..., w.at, :, :], w.run().alpha[..., w.at, :]
    means = w.client_weights if shares else alpha
    centre = xp.total(means[..., None] * models, axis=-2)
    return {"E spread": xp.total(alpha * xp.squared_norm(models - centre[..., None, :]))}


@statement(
    "aggregation.lemma2@any-schedule", where=LEMMA2, kind="lemma", over="mean",
    title="spread of the clients", family=runs(size(2, 2, 2, "fixed", quiet=True), extra=_SHRINK),
    latex=r"\mathbb E\bigl[\sum_i\alpha_t^i\|w_t-w_t^i\|^2\bigr]\le16\eta_t^2E^2G^2",
    defines={"step_sizes": _falling_steps, "G2": q.squared_gradient},
    note="The last iteration of a round, where the spread is largest.",
)
def lemma2(w: World) -> Sides:
    right = closed.client_spread_upper(w.step_sizes[..., w.at], w.local_steps, w.G2)
    return _spread(w), {"16 eta^2 E^2 G^2": right}


corollary_steps = lemma2.variant(
    "aggregation.lemma2@corollary-steps", family=SPREAD,
    defines={"step_sizes": q.paper_steps, "G2": q.squared_gradient})
halving = lemma2.variant(
    "aggregation.lemma2@halving", family=CLOSE,
    given=[Hypothesis("eta_s <= 2 eta_t", r"\eta_s\le2\eta_t\text{ for }E\lfloor t/E\rfloor\le s\le t",
                      # one round of steps that fall: the first is the longest
                      lambda w: 2 * w.step_sizes[..., w.at] - w.step_sizes[..., 0])],
    defines={"step_sizes": q.short_steps, "G2": q.squared_gradient})


@halving.like(
    "aggregation.lemma2@shares-between", latex=lemma2.latex,
    note="w_t as eq. 4 has it, with the weights p; the 16 leaves room for its distance as well.",
)
def spread_of_shares(w: World) -> Sides:
    return _spread(w, shares=True), lemma2(w)[1]


@halving.like(
    "aggregation.lemma2.refined", latex=r"\ldots\le4\eta_t^2(E-1)^2G^2",
    note="4 eta_t^2 (E-1)^2 G^2 where no earlier step of the round exceeds 2 eta_t.",
    proof="""The weighted mean minimises the weighted squares, so the spread is at most that about
    the round's first model: sum alpha_i |sum_s eta_s g_i(w_s^i)|^2, at most (E-1) sum_s eta_s^2 G^2
    in mean. Tight for two equal weights, opposite flat losses and eta_s = 2 eta_t. Zero at E = 1,
    at least four times below the printed bound.""",
)
def spread_refined(w: World) -> Sides:
    right = closed.client_spread_refined_upper(w.step_sizes[..., w.at], w.local_steps, w.G2)
    return _spread(w), {"4 eta^2 (E-1)^2 G^2": right}


THEOREM = "Theorem 3 (eq. 9)"
RULES = ("fedavg", "fedmax", "fedsoftmax", "fixed")
ONE_STEP = tuple(size(n, 1, 1, rule) for n in (1, 2) for rule in ("fedmax", "fixed"))
TWO_STEPS = tuple(size(2, 2, 2, rule) for rule in RULES)
STEPS = runs(*ONE_STEP, *TWO_STEPS, size(3, 2, 2, "fixed", quiet=True))
"""One iteration from a common model, and the second local step of a round."""
RETURNING = returning(2, at=1)
"""One round that ends where it began: rho-bar sees its ends, the second iteration its middle. With
the same steps every later round is the same, so that an endless horizon changes nothing."""
OUTLIER = runs(*(size(2, 2, 2, rule, quiet=True) for rule in ("fedmax", "fedavg")))
"""Two clients without noise; the second local step, where a rare client has led away."""
EQUATION = runs(*(size(2, 3, 2, rule, timing="equation", quiet=True) for rule in RULES))

short = Hypothesis(
    "steps at most 1/(4L)", r"\eta_t\le\frac1{4L}\text{ for all }t",
    lambda w: 1 - 4 * w.beta * w.step_sizes[..., 0])
"""Of steps that fall the first is the longest."""
RETURNED = {**q.measured("all"), "coefficients": returning_weights}


def _right(w: World, before: Array) -> Terms:
    eta = w.step_sizes[..., w.at]
    return closed.one_round_upper(
        before, eta, w.mu, w.beta, w.G2, w.sigma2_max, w.gap, w.low, w.high, w.local_steps
    )


@statement(
    "aggregation.theorem3@rounds", where=THEOREM, title="one iteration", over="mean",
    latex=r"\mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\tfrac38\overline\rho))\mathbb E\|w_t-w^\star\|^2+\eta_t^2(32E^2G^2+6\overline\rho L\Gamma+\sigma^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)",
    family=OUTLIER, given=[q.heterogeneous, short], defines=q.measured("rounds"),
    note="Both sides in mean at iteration ``at``; the virtual average has the round's weights.",
)
def theorem3(w: World) -> Sides:
    return {"E|w+ - w*|^2": q.distance(w, w.at + 1)}, _right(w, q.distance(w, w.at))


final_model = theorem3.variant(
    "aggregation.theorem3@final-model", family=RETURNING, defines=RETURNED)


@theorem3.like(
    "aggregation.theorem3@shares-between", latex=theorem3.latex, family=STEPS,
    note="Eq. 4 to the letter: between aggregations the virtual average has the weights p.",
)
def shares_between(w: World) -> Sides:
    def point(t: int) -> Array:
        run = w.run()
        if t % w.local_steps == 0:
            return run.theta[..., t, :]
        return xp.total(w.client_weights[..., None] * run.models[..., t, :, :], axis=-2)

    before, after = (xp.squared_norm(point(t) - q.best(w)) for t in (w.at, w.at + 1))
    return {"E|w+ - w*|^2": after}, _right(w, before)


equation_timing = theorem3.variant("aggregation.theorem3@eq2-timing", family=EQUATION)
repaired = theorem3.variant(
    "aggregation.theorem3.repaired", family=STEPS, defines=q.measured("every"),
    title="one iteration, rho-bar over the virtual averages too", latex=theorem3.latex + q.EVERY,
    uses=("aggregation.lemma1", "aggregation.lemma2"),
    note="rho-bar and rho-tilde over all iterations, virtual averages included; eta_t <= 1/(4L).",
    proof="""With w_t the average under the round's weights the expansion is exact; E A_2 = 0, A_4
    is at most eta^2 sigma^2, A_3 and the cross term of A_1 cost 2 L eta^2 sum alpha x_i(w_t^i) each
    (Lemma 1), the spread 16 eta^2 E^2 G^2 (Lemma 2). The rest, A_5, is at most 16 eta^2 E^2 G^2 - 2
    eta (1 - 2 L eta)(1 - L eta) sum alpha x_i(w_t) + 2 eta sum alpha x_i(w*); the sums are at least
    rho-bar (F(w_t) - F* + Gamma) and at most rho-tilde Gamma, and (1 - 2 L eta)(1 - L eta) >=
    max(3/8, 1 - 3 L eta) for eta <= 1/(4L).""")


def _any_steps(w: World) -> Array:
    """Up to 8/L at the first step."""
    return 32 * q.short_steps(w)


@theorem3.like(
    "aggregation.theorem3.refined", family=STEPS, title="one iteration with steps of any size",
    latex=r"\ldots\le(1-\eta_t\mu(1+\overline\rho))\Delta_t+\eta_t^2G^2(1+4\eta_tL(E-1)^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)",
    given=[q.heterogeneous], defines={**q.measured("every"), "step_sizes": _any_steps},
    note="Sharp constants, steps of any size that at most halve within a round.",
    proof="""F_i(w_t) <= F_i(w_t^i) + <w_t - w_t^i, grad F_i(w_t^i)> + L/2 |w_t - w_t^i|^2 and
    strong convexity between w_t^i and w* give -2 eta <w_t - w*, sum alpha grad F_i(w_t^i)> <= -2
    eta sum alpha (x_i(w_t) - x_i(w*)) - eta mu |w_t - w*|^2 + eta L (spread); the direction has
    second moment at most G^2, the spread is at most 4 eta^2 (E-1)^2 G^2, and the sum is at most
    -eta mu rho-bar |w_t - w*|^2 + 2 eta Gamma (rho-tilde - rho-bar). Equality for one client, E = 1
    and mu = L. At E = 1 the noise term is 32 times smaller, and no step is too long.""",
)
def refined(w: World) -> Sides:
    return {"E|w+ - w*|^2": q.distance(w, w.at + 1)}, closed.one_round_refined_upper(
        q.distance(w, w.at), w.step_sizes[..., w.at], w.mu, w.beta, w.G2, w.gap, w.low, w.high,
        w.local_steps,
    )


# -- A4 at every point of the space ------------------------------------------------------------

SPACE = runs(
    size(1, 1, 1, "fedavg"),
    extra={"level": Real(1 / 8, 64, unit=(2, -2), log=True),
           "reach": Real(1 / 8, 64, unit=(0, 1), log=True)},
)
_FAR = r"\mu\|w-w_i^\star\|\ge2G"


def _far(w: World) -> Array:
    """A point at distance ``reach`` from client 0's minimiser."""
    return w.problem.optimum[..., 0, :] + w.reach[..., None] * xp.eye(w.problem.dim, w.mu)[0]


def far_second_moment(w: World) -> Array:
    """E|g_0|^2 at the far point."""
    point = _far(w)
    slope = xp.squared_norm(w.problem.gradients(point))[..., 0]
    return slope + w.problem.gradient_variance(point)[..., 0]


@hypothesis("A4 at a point", r"\mathbb E\|g_i(w)\|^2\le G^2", where=A4)
def everywhere(w: World) -> Array:
    """A4 covers every point, so one at distance 2 G/mu too."""
    return w.level - far_second_moment(w)


distant = Hypothesis("the point is far", _FAR, lambda w: w.mu**2 * w.reach**2 - 4 * w.level)
EVERYWHERE = (everywhere, distant)


@theorem3.like(
    "aggregation.theorem3@space", latex=theorem3.latex, family=SPACE, given=EVERYWHERE,
    note="Theorem 3 for one client with G^2 a bound at every point of the space.",
)
def space(w: World) -> Sides:
    eta, sigma2 = w.step_sizes[..., 0], xp.largest(w.sigma2)
    right = closed.one_round_upper(
        q.distance(w, 0), eta, w.mu, w.beta, w.level, sigma2, 0, 1, 1, 1
    )
    kept = {name: right[name] for name in ("contraction", "noise")}
    return {"E|w+ - w*|^2": q.distance(w, 1)}, kept


def _far_scalars(w: World) -> dict[str, Array]:
    """Scalars of the contradiction in an instance of the theorem."""
    reach2 = xp.squared_norm(_far(w) - w.problem.optimum[..., 0, :])
    return {"mu": w.mu, "level": w.level, "reach2": reach2, "second_moment": far_second_moment(w)}


@statement(
    "aggregation.theorem3.empty", where=THEOREM, latex=r"1\le0",
    title="no strongly convex loss has bounded gradients on the whole space",
    family=far(16, "G^2, mu and one point"),
    given=[steep,
           Hypothesis("A4 at a point", everywhere.latex, lambda w: w.level - w.second_moment, A4),
           Hypothesis("the point is far", _FAR, lambda w: w.mu**2 * w.reach2 - 4 * w.level)],
    empties="aggregation.theorem3@space", lift=_far_scalars,
    note="A2 on R^d and A4 at every point of it exclude each other.",
    proof="""E|g|^2 >= |grad F_i|^2 >= mu^2 r^2 at distance r from the minimiser; at r = 2 G/mu this
    is 4 G^2 > G^2.""",
)
def empty(w: World) -> Sides:
    return {"1": 1}, {"0": 0}
