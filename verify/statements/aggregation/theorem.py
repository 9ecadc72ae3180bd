"""Lemmas 1 and 2, and Theorem 3: one iteration of generalised FedAvg."""

from __future__ import annotations

from bounds import aggregation as closed
from verify.claim import Array, Real, Sides, Terms
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.quantities import instances
from verify.world.world import World

claim = q.claims(r"""
Lemma 1 (eq. 6) :: lemma
    lemma1 :: gradient domination :: \|\nabla f(w)\|^2\le2L(f(w)-f(w^\star))
Lemma 2 (eq. 7) :: lemma
    lemma2 :: spread of the clients :: \mathbb E\bigl[\sum_i\alpha_t^i\|w_t-w_t^i\|^2\bigr]\le16\eta_t^2E^2G^2
    lemma2.repaired :: spread of the clients :: \mathbb E\bigl[\sum_i\alpha_t^i\|w_t-w_t^i\|^2\bigr]\le16\eta_t^2E^2G^2
    lemma2.refined :: spread of the clients :: \ldots\le4\eta_t^2(E-1)^2G^2
Theorem 3 (eq. 9) :: theorem
    theorem3 :: one iteration :: \mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\tfrac38\overline\rho))\mathbb E\|w_t-w^\star\|^2+\eta_t^2(32E^2G^2+6\overline\rho L\Gamma+\sigma^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)
    theorem3.repaired :: one iteration, rho-bar over the virtual averages too
    theorem3.refined :: one iteration with steps of any size :: \ldots\le(1-\eta_t\mu(1+\overline\rho))\Delta_t+\eta_t^2G^2(1+4\eta_tL(E-1)^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)
Research question 1 :: claim
    RQ1.refined :: one iteration without A3 :: \Delta_{t+1}\le(1-\eta_t\mu(1+\overline\rho))\Delta_t+\eta_t^2G^2(1+4\eta_tL(E-1)^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)
Research question 2 :: claim
    RQ2.refined :: one iteration of gradient descent
given
    smooth along the step :: f(w-\tfrac1L\nabla f(w))\le f(w)-\tfrac1{2L}\|\nabla f(w)\|^2 :: Lemma 1 (eq. 6), L-smoothness at v = w - grad f(w)/L
    w* is a minimum :: f(w^\star)\le f(w-\tfrac1L\nabla f(w)) :: Lemma 1 (eq. 6)
""")

POINT = q.family(
    "smoothness value minimum after squared_gradient",
    "any smooth function, seen at one point and one gradient step further",
    squared_gradient=Real(0, 8, unit=(2, -2)),
    **dict.fromkeys(("value", "minimum", "after"), Real(-8, 8, unit=(1, 0))),
)


@claim(
    "lemma1",
    family=POINT,
    given=[
        claim.given(
            "smooth along the step",
            lambda w: w.value - w.squared_gradient / (2 * w.smoothness) - w.after,
        ),
        claim.given("w* is a minimum", lambda w: w.after - w.minimum),
    ],
)
def lemma1(w: World) -> Sides:
    """Only two consequences of the hypotheses are used: L-smoothness at v = w - grad f(w)/L, where
    it reads f(v) <= f(w) - |grad f|^2/(2L), and f(w*) <= f(v). Tight for quadratics along the
    steepest axis."""
    right = closed.squared_gradient_upper(w.smoothness, w.value - w.minimum)
    return {"|grad f|^2": w.squared_gradient}, {"2L(f - f*)": right}


# -- Lemma 2 -----------------------------------------------------------------------------------

SPREAD = q.runs(*q.SHAPES, q.quiet(2, 3, 3), q.quiet(2, 8, 8), paced=True)


def spread(w: World) -> Sides:
    right = closed.client_spread_upper(q.step(w), w.local_steps, w.G2)
    return {"E spread": q.spread(w)}, {"16 eta^2 E^2 G^2": right}


lemma2 = claim(
    "lemma2",
    readings=q.on_run("iterates"),
    over="mean",
    **q.under_a4(
        tried=lambda r: [q.STEPS2 if "section2" in r else SPREAD],
        defines=lambda r: q.FREE,
        note="""For any positive step sizes, since none are named: a round may begin with long steps
    and end with short ones.""",
    ),
)(spread)
lemma2_repaired = claim(
    "lemma2.repaired",
    like=lemma2.leaf("algorithm"),
    given=[q.halving],
    note="No step of a round more than twice as long as a later one; w_t of Appendix A.",
    proof="""The weighted mean minimises the weighted squares, so the spread is at most that about
    the round's first model: sum alpha_i |sum_s eta_s g_i(w_s^i)|^2, in mean at most (E-1) sum_s
    eta_s^2 G^2 <= 4 (E-1)^2 eta_t^2 G^2.""",
)(spread)


@claim("lemma2.refined", like=lemma2_repaired)
def lemma2_refined(w: World) -> Sides:
    """4 eta_t^2 (E-1)^2 G^2 where no earlier step of the round exceeds 2 eta_t.

    Proof. As the repaired lemma. Tight for two equal weights, opposite flat losses and eta_s = 2
    eta_t. Zero at E = 1, at least four times below the printed bound."""
    right = closed.client_spread_refined_upper(q.step(w), w.local_steps, w.G2)
    return {"E spread": q.spread(w)}, {"4 eta^2 (E-1)^2 G^2": right}


# -- Theorem 3 ---------------------------------------------------------------------------------


def one_iteration(w: World) -> Sides:
    return q.distance_after(w), q.one_iteration(w, q.distance(w, w.at), w.gap, w.high)


theorem3 = claim(
    "theorem3",
    readings=q.on_run("iterates", "times"),
    over="mean",
    try_first=instances.rare_client,
    **q.under_a4(
        tried=q.iterations,
        given=[q.heterogeneous],
        defines=lambda r: q.measured(r.times),
        note="Both sides in mean at iteration ``at``, for any positive step sizes: none are named.",
    ),
)(one_iteration)
BY_PROOF: dict[str, object] = {
    "family": q.STEPS,
    "defines": q.measured("every"),
    "given": q.BY_PROOF,
}
"""What the proof supports, for claims about single iterations."""
repaired = claim(
    "theorem3.repaired",
    like=theorem3[0],
    latex=claim.latex("theorem3") + q.EVERY,
    **BY_PROOF,
    uses=("aggregation.lemma1", "aggregation.lemma2.repaired"),
    note="""rho-bar and rho-tilde over all iterations, virtual averages with the weights of the
    round included; steps of at most 1/(4L) that at most halve within a round. Any E.""",
    proof="""With w_t the average under the round's weights the expansion is exact; E A_2 = 0, A_4
    is at most eta^2 sigma^2, A_3 and the cross term of A_1 cost 2 L eta^2 sum alpha x_i(w_t^i) each
    (Lemma 1), the spread 16 eta^2 E^2 G^2 (Lemma 2). What is left, A_5, see its repaired form.""",
)(one_iteration)


def refined_right(w: World, before: Array) -> Terms:
    """Refined right side at iteration ``at`` for a squared distance before it."""
    return closed.one_round_refined_upper(
        before, q.step(w), w.mu, w.beta, w.G2, w.gap, w.low, w.high, w.local_steps
    )


def refined_iteration(w: World) -> Sides:
    return q.distance_after(w), refined_right(w, q.distance(w, w.at))


refined = claim(
    "theorem3.refined",
    like=repaired,
    given=[q.heterogeneous, q.halving],
    note="Sharp constants, steps of any size that at most halve within a round.",
    proof="""F_i(w_t) <= F_i(w_t^i) + <w_t - w_t^i, grad F_i(w_t^i)> + L/2 |w_t - w_t^i|^2 and
    strong convexity between w_t^i and w* give -2 eta <w_t - w*, sum alpha grad F_i(w_t^i)> <= -2
    eta sum alpha (x_i(w_t) - x_i(w*)) - eta mu |w_t - w*|^2 + eta L (spread); the direction has
    second moment at most G^2, the spread is at most 4 eta^2 (E-1)^2 G^2, and the sum is at most
    -eta mu rho-bar |w_t - w*|^2 + 2 eta Gamma (rho-tilde - rho-bar). Equality for one client, E = 1
    and mu = L. At E = 1 the noise term is 32 times smaller, and no step is too long.""",
)(refined_iteration)

# -- research questions on it ------------------------------------------------------------------

QUIET = q.runs(*q.short("fixed", "fedmax", quiet=True), q.quiet(3, 3, 3), paced=True)
without_variance = claim(
    "RQ1.refined",
    like=refined,
    uses=("aggregation.theorem3.refined",),
    note="A3 can go: sigma^2 does not occur, and G^2 enters once instead of 32 E^2 times at E = 1.",
    proof="""The direction sum alpha g_i has second moment at most G^2 by A4, which holds the
    variance already; the rest is the refined Theorem 3.""",
)(refined_iteration)


@claim(
    "RQ2.refined",
    like=refined,
    latex=claim.latex("RQ1.refined"),
    family=QUIET,
    uses=("aggregation.theorem3.refined",),
)
def descent(w: World) -> Sides:
    """Full gradients: the refined Theorem 3 with G^2 the largest squared gradient.

    Proof. Gradients without noise are unbiased, and A4 holds with that G^2."""
    return {"|w+ - w*|^2": q.distance(w, w.at + 1)}, refined_right(w, q.distance(w, w.at))
