"""Lemmas 1 and 2, and Theorem 3: one iteration of generalised FedAvg."""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, Statement, Terms, numbers, statement
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.runs import periodic, returning, runs, section2, size
from verify.statements.aggregation.space import spaced
from verify.statements.aggregation.symbols import CURVATURE
from verify.world.world import World

LEMMA1 = "Lemma 1 (eq. 6)"
LEMMA2 = "Lemma 2 (eq. 7)"
_VALUE = Real(-8, 8, unit=(1, 0))
POINT = numbers(
    {
        "smoothness": CURVATURE,
        "value": _VALUE,
        "minimum": _VALUE,
        "after": _VALUE,
        "squared_gradient": Real(0, 8, unit=(2, -2)),
    },
    about="any smooth function, seen at one point and one gradient step further",
)


@statement(
    "aggregation.lemma1",
    where=LEMMA1,
    kind="lemma",
    title="gradient domination",
    latex=r"\|\nabla f(w)\|^2\le2L(f(w)-f(w^\star))",
    family=POINT,
    given=[
        Hypothesis(
            "smooth along the step",
            r"f(w-\tfrac1L\nabla f(w))\le f(w)-\tfrac1{2L}\|\nabla f(w)\|^2",
            lambda w: w.value - w.squared_gradient / (2 * w.smoothness) - w.after,
            f"{LEMMA1}, L-smoothness at v = w - grad f(w)/L",
        ),
        Hypothesis(
            "w* is a minimum",
            r"f(w^\star)\le f(w-\tfrac1L\nabla f(w))",
            lambda w: w.after - w.minimum,
            LEMMA1,
        ),
    ],
    note="""Only two consequences of the hypotheses are used: L-smoothness at v = w - grad f(w)/L,
    where it reads f(v) <= f(w) - |grad f|^2/(2L), and f(w*) <= f(v). Tight for quadratics along the
    steepest axis.""",
)
def lemma1(w: World) -> Sides:
    right = closed.squared_gradient_upper(w.smoothness, w.value - w.minimum)
    return {"|grad f|^2": w.squared_gradient}, {"2L(f - f*)": right}


# -- Lemma 2 -----------------------------------------------------------------------------------

RULES = ("fedavg", "fedmax", "fedsoftmax", "fixed")
ONE_STEP = tuple(size(n, 1, 1, rule) for n in (1, 2) for rule in ("fedmax", "fixed"))
TWO_STEPS = tuple(size(2, 2, 2, rule) for rule in RULES)
SHAPES = (*ONE_STEP, *TWO_STEPS, size(3, 2, 2, "fixed", quiet=True))
STEPS = runs(*(shape for shape in SHAPES if shape["N"] > 1), paced=True)
"""One iteration from a common model, and the second local step of a round; Gamma > 0 takes two
clients."""
SECTION2 = runs(
    *section2(
        *(size(2, 3, 2, rule, at=at, quiet=True) for at in (1, 2) for rule in ("fedavg", "fixed")),
        size(2, 3, 2, "fixed"),
        size(3, 3, 2, "fixed", quiet=True),
    ),
    paced=True,
)
"""A local step after aggregation, and the step that aggregates: w_1 and w_3 do, w_2 is between."""
_SPREAD = runs(
    *SHAPES, size(2, 3, 3, "fixed", quiet=True), size(2, 8, 8, "fixed", quiet=True), paced=True
)


def _spread(w: World) -> dict[str, Array]:
    """Sum of alpha_i |w_t - w_t^i|^2 before iteration ``at``, (B, R)."""
    models, alpha = w.run().models[..., w.at, :, :], w.run().alpha[..., w.at, :]
    away = models - q.point(w, w.at)[..., None, :]
    return {"E spread": xp.total(alpha * xp.squared_norm(away))}


@statement(
    "aggregation.lemma2@run+section2",
    where=LEMMA2,
    kind="lemma",
    over="mean",
    title="spread of the clients",
    family=SECTION2,
    defines=q.FREE,
    latex=r"\mathbb E\bigl[\sum_i\alpha_t^i\|w_t-w_t^i\|^2\bigr]\le16\eta_t^2E^2G^2",
    note="""For any positive step sizes, since none are named: a round may begin with long steps
    and end with short ones.""",
)
def lemma2(w: World) -> Sides:
    right = closed.client_spread_upper(w.step_sizes[..., w.at], w.local_steps, w.G2)
    return _spread(w), {"16 eta^2 E^2 G^2": right}


lemma2_algorithm = lemma2.variant("aggregation.lemma2@run+algorithm", family=_SPREAD)
lemma2_repaired = lemma2.variant(
    "aggregation.lemma2.repaired",
    family=_SPREAD,
    given=[q.halving],
    note="No step of a round more than twice as long as a later one; w_t of Appendix A.",
    proof="""The weighted mean minimises the weighted squares, so the spread is at most that about
    the round's first model: sum alpha_i |sum_s eta_s g_i(w_s^i)|^2, in mean at most (E-1) sum_s
    eta_s^2 G^2 <= 4 (E-1)^2 eta_t^2 G^2.""",
)


@lemma2_repaired.like(
    "aggregation.lemma2.refined",
    latex=r"\ldots\le4\eta_t^2(E-1)^2G^2",
    note="4 eta_t^2 (E-1)^2 G^2 where no earlier step of the round exceeds 2 eta_t.",
    proof="""As the repaired lemma. Tight for two equal weights, opposite flat losses and eta_s = 2
    eta_t. Zero at E = 1, at least four times below the printed bound.""",
)
def spread_refined(w: World) -> Sides:
    right = closed.client_spread_refined_upper(w.step_sizes[..., w.at], w.local_steps, w.G2)
    return _spread(w), {"4 eta^2 (E-1)^2 G^2": right}


# -- Theorem 3 ---------------------------------------------------------------------------------

THEOREM = "Theorem 3 (eq. 9)"
PERIODIC = periodic(*(size(n, 2, 2, "fixed", quiet=True) for n in (2, 3)))
PERIODIC2 = periodic(*section2(*(size(n, 3, 2, "fixed", quiet=True) for n in (2, 3))))
ITERATES = {
    "section2+loop": (SECTION2,),
    "section2+endless": (PERIODIC2,),
    "algorithm+loop": (STEPS,),
    "algorithm+endless": (PERIODIC, returning(2, at=1)),
}
"""Where claims about single iterations are tried, by the options of the axes."""
BY_PROOF = [q.heterogeneous, q.short, q.halving]
"""What Theorem 3 needs besides rho at every iteration."""


def _right(w: World, before: Array) -> Terms:
    eta = w.step_sizes[..., w.at]
    return closed.one_round_upper(
        before, eta, w.mu, w.beta, w.G2, w.sigma2_max, w.gap, w.low, w.high, w.local_steps
    )


@statement(
    "aggregation.theorem3@run+section2+loop",
    where=THEOREM,
    title="one iteration",
    over="mean",
    latex=r"\mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\tfrac38\overline\rho))\mathbb E\|w_t-w^\star\|^2+\eta_t^2(32E^2G^2+6\overline\rho L\Gamma+\sigma^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)",
    family=SECTION2,
    given=[q.heterogeneous],
    defines=q.measured("loop"),
    note="Both sides in mean at iteration ``at``, for any positive step sizes: none are named.",
)
def theorem3(w: World) -> Sides:
    return {"E|w+ - w*|^2": q.distance(w, w.at + 1)}, _right(w, q.distance(w, w.at))


def by_iterates(claim: Statement) -> tuple[Statement, ...]:
    """A claim about single iterations under the other options of its axes."""
    return tuple(
        claim.variant(
            f"{claim.entry}@run+{options}",
            family=families[0],
            also=families[1:],
            defines=q.measured(options.partition("+")[2]),
        )
        for options, families in ITERATES.items()
        if f"{claim.entry}@run+{options}" != claim.key
    )


OTHERS = by_iterates(theorem3)
repaired = theorem3.variant(
    "aggregation.theorem3.repaired",
    family=STEPS,
    given=BY_PROOF,
    defines=q.measured("every"),
    title="one iteration, rho-bar over the virtual averages too",
    latex=theorem3.latex + q.EVERY,
    uses=("aggregation.lemma1", "aggregation.lemma2.repaired"),
    note="""rho-bar and rho-tilde over all iterations, virtual averages with the weights of the
    round included; steps of at most 1/(4L) that at most halve within a round. Any E.""",
    proof="""With w_t the average under the round's weights the expansion is exact; E A_2 = 0, A_4
    is at most eta^2 sigma^2, A_3 and the cross term of A_1 cost 2 L eta^2 sum alpha x_i(w_t^i) each
    (Lemma 1), the spread 16 eta^2 E^2 G^2 (Lemma 2). What is left, A_5, see its repaired form.""",
)


@theorem3.like(
    "aggregation.theorem3.refined",
    family=STEPS,
    title="one iteration with steps of any size",
    latex=r"\ldots\le(1-\eta_t\mu(1+\overline\rho))\Delta_t+\eta_t^2G^2(1+4\eta_tL(E-1)^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)",
    given=[q.heterogeneous, q.halving],
    defines=q.measured("every"),
    note="Sharp constants, steps of any size that at most halve within a round.",
    proof="""F_i(w_t) <= F_i(w_t^i) + <w_t - w_t^i, grad F_i(w_t^i)> + L/2 |w_t - w_t^i|^2 and
    strong convexity between w_t^i and w* give -2 eta <w_t - w*, sum alpha grad F_i(w_t^i)> <= -2
    eta sum alpha (x_i(w_t) - x_i(w*)) - eta mu |w_t - w*|^2 + eta L (spread); the direction has
    second moment at most G^2, the spread is at most 4 eta^2 (E-1)^2 G^2, and the sum is at most
    -eta mu rho-bar |w_t - w*|^2 + 2 eta Gamma (rho-tilde - rho-bar). Equality for one client, E = 1
    and mu = L. At E = 1 the noise term is 32 times smaller, and no step is too long.""",
)
def refined(w: World) -> Sides:
    return {"E|w+ - w*|^2": q.distance(w, w.at + 1)}, refined_right(w, q.distance(w, w.at))


def refined_right(w: World, before: Array) -> Terms:
    """Refined right side at iteration ``at`` for a squared distance before it."""
    return closed.one_round_refined_upper(
        before,
        w.step_sizes[..., w.at],
        w.mu,
        w.beta,
        w.G2,
        w.gap,
        w.low,
        w.high,
        w.local_steps,
    )


LEMMA2_SPACE, LEMMA2_EMPTY = spaced(lemma2)
SPACE, EMPTY = spaced(theorem3)
