"""Lemma 1 (descent) with the displays of its proof, and what Theorem 1's proof makes of it."""

from __future__ import annotations

from collections.abc import Callable

from bounds import descent
from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, free, hypothesis, quadratics
from verify.claim.statement import Sides, Terms, statement
from verify.statements.adaptive import common
from verify.statements.adaptive.common import at_start, excess, twenty_clients
from verify.statements.adaptive.problems import START, federation
from verify.world.world import World

LEMMA = "Lemma 1"
PROOF = "proof of Lemma 1"

SIZES = ((1, 1), (2, 1), (2, 2), (3, 1))
_WIDER_SIZES = ((1, 1), (2, 1), (2, 2))
ONE_STEP = quadratics(
    tuple({"N": n, "d": d, "rounds": 1, "weights": "fixed"} for n, d in SIZES),
    {"alpha": Real(0, 1, per=("N",)), **common.STEP},
)
_BOX = {**START, **ONE_STEP.box, **common.STEP}
WIDER = tuple(
    federation(
        kind,
        tuple(
            {
                "N": n,
                "d": d,
                "rounds": 1,
                "weights": "fixed",
                "method": "all_for_one",
                "points": points,
            }
            for n, d in _WIDER_SIZES
        ),
        {k: _BOX[k] for k in ("start", "alpha", "step_share")},
        noise=True,
    )
    for kind, points in (("quadratic", 3), ("pl", 2), ("nonconvex", 2))
)
"""Further smooth losses, turned axes and noise of three points."""
FREE_WEIGHTS = {
    "weight_matrix": lambda w: w.alpha[..., None, :] + 0 * w.alpha[..., :, None],
    "step_size": lambda w: w.step_share / (w.beta * xp.total(w.alpha)),
}

short_step = Hypothesis(
    "step below 1/(beta sum alpha)",
    r"\eta_i^t\beta\sum_k\alpha_{ik}^t<1",
    lambda w: 1 - w.step_size * w.beta * xp.total(w.alpha),
    LEMMA,
    strict=True,
)
some_weight = Hypothesis(
    "some weight", r"\mathcal A_i^t>0", lambda w: xp.total(w.alpha), strict=True, defining=True
)
"""Without it neither the printed limit of the step nor g^t has a value."""
SHORT = (short_step, some_weight)


def change(w: World) -> Terms:
    """X^t - X^{t-1}; its mean over the fresh gradients is the left side of the lemma."""
    return {"excess after": excess(w, 1), "-excess before": -excess(w, 0)}


def _sides(w: World, bound: Callable[..., Terms], after: int = 0) -> Sides:
    """The change against a form of the lemma; the own gradient is at theta^0 or after the step."""
    gradients = w.problem.gradients(w.run().theta[..., 0, :])
    gaps = xp.squared_norm(gradients - gradients[..., :1, :])
    own = w.problem.gradients(w.run().theta[..., after, :])[..., 0, :]
    squared = xp.squared_norm(own)
    return change(w), bound(w.step_size, w.beta, w.alpha, w.sigma2, squared, gaps)


def _lemma1(gradient: str, variance: str) -> str:
    """The lemma with the own gradient at theta^{...} and this factor of the variances."""
    return (
        r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le\frac{\eta_i^t}2\sum_k\alpha_{ik}^t"
        rf"\bigl(\Delta_k^2-\|\nabla R_i(\theta_i^{{{gradient}}})\|^2\bigr)+{variance}\sum_k\sigma_k^2(\alpha_{{ik}}^t)^2"
    )


@statement(
    "adaptive.lemma1@in-mean",
    where=LEMMA,
    kind="lemma",
    title="descent lemma",
    over="mean",
    latex=_lemma1("t", r"\eta_i^t\beta"),
    family=ONE_STEP,
    given=SHORT,
    defines=FREE_WEIGHTS,
    note="""Gradient at theta^t, variance term eta beta sigma_k^2 alpha_k^2, read under the sum over
    k; both sides in conditional mean, t = 1.""",
)
def lemma1_mean(w: World) -> Sides:
    return _sides(w, descent.lemma1_statement_printed, after=1)


@lemma1_mean.like("adaptive.lemma1@each-run", over="path", latex=lemma1_mean.latex)
def lemma1_pathwise(w: World) -> Sides:
    return {name: w.mean(term) for name, term in change(w).items()}, lemma1_mean(w)[1]


@lemma1_mean.like(
    "adaptive.lemma1.repaired",
    also=WIDER,
    latex=_lemma1("t-1", r"\frac{(\eta_i^t)^2\beta}2"),
    note="The own gradient at theta^{t-1}, the variance term eta^2 beta sigma_k^2 alpha_k^2 / 2.",
    proof="""Smoothness along the step, the variance of a sum of independent gradients, and
    -<a, b> = (|a - b|^2 - |a|^2 - |b|^2)/2 give the display before the first term is dropped; that
    term is non-positive as eta beta sum alpha < 1; Jensen bounds |grad R_alpha - grad R_i|^2.""",
)
def lemma1_repaired(w: World) -> Sides:
    return _sides(w, descent.lemma1_upper)


@lemma1_mean.like(
    "adaptive.lemma1.var",
    where=PROOF,
    kind="proof step",
    title="variance of the aggregate",
    latex=r"\mathbb E\|g^t\|^2=\sum_k(\alpha_{ik}/\mathcal A_i)^2\,\mathbb V[g_k^t]+\|\nabla R_{\alpha_i}\|^2",
    relation="==",
    note="""Second moment of the normalised aggregate, from its realised steps:
    theta^{t-1} - theta^t = eta A g^t, so E|g^t|^2 is read off the run.""",
)
def aggregate_variance(w: World) -> Sides:
    theta, whole = w.run().theta, xp.total(w.alpha)
    step = (theta[..., 0, :] - theta[..., 1, :]) / (w.step_size * whole)[..., None]
    share = w.alpha / whole[..., None]
    variances = xp.total(share**2 * w.problem.gradient_variance(theta[..., 0, :]))
    mixed = xp.total(share[..., None] * w.problem.gradients(theta[..., 0, :]), axis=-2)
    right = {"variances": variances, "squared mean": xp.squared_norm(mixed)}
    return {"|g|^2": xp.squared_norm(step)}, right


@lemma1_mean.like(
    "adaptive.lemma1.exact/before",
    where=PROOF,
    kind="proof step",
    title="before the first term is dropped",
    latex=r"\ldots\le-\tfrac{\eta\mathcal A}2(1-\eta\mathcal A\beta)\|\nabla R_\alpha\|^2-\tfrac{\eta\mathcal A}2\|\nabla R_i\|^2+\tfrac{\eta\mathcal A}2\|\nabla R_\alpha-\nabla R_i\|^2+\tfrac{\eta^2\beta}2\sum_k\sigma_k^2\alpha_{ik}^2",
    note="An equality for isotropic quadratics.",
)
def exact_display(w: World) -> Sides:
    gradients = w.problem.gradients(w.run().theta[..., 0, :])
    mixed = xp.total(w.alpha[..., None] * gradients, axis=-2) / xp.total(w.alpha)[..., None]
    own = gradients[..., 0, :]
    return change(w), descent.lemma1_before_jensen_upper(
        w.step_size,
        w.beta,
        w.alpha,
        w.sigma2,
        xp.squared_norm(own),
        xp.squared_norm(mixed),
        xp.squared_norm(mixed - own),
    )


_SQUARES = ("average", "own", "average_gap", "weighted_gaps", "noise")
_DISPLAYS = {
    "change": Real(-4, 4, unit=(1, 0)),
    "step_size": Real(1 / 16, 16, unit=(-1, 2), log=True),
    "beta": common.CURVATURE,
    "whole": Real(1 / 16, 4, log=True),
    **dict.fromkeys(_SQUARES, Real(0, 4, unit=(2, -2))),
    "effective": Real(1 / 16, 4, unit=(2, -2), log=True),
}
"""Free symbols: change of the excess, step size, smoothness, sum of the weights, squared averaged
gradient, squared own gradient, their squared gap, sum of alpha_k Delta_k^2, sum of
alpha_k^2 sigma_k^2, effective variance."""


def _gradients(w: World) -> Array:
    """eta/2 sum_k alpha_k (Delta_k^2 - G^2)."""
    return w.step_size * (w.weighted_gaps - w.whole * w.own) / 2


@hypothesis(
    "display before",
    exact_display.latex.replace(
        r"\ldots", r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}"
    ),
    where=PROOF,
)
def display_before(w: World) -> Array:
    half = w.step_size * w.whole / 2
    short = (1 - w.step_size * w.whole * w.beta) * w.average
    return half * (w.average_gap - short - w.own) + w.step_size**2 * w.beta * w.noise / 2 - w.change


@statement(
    "adaptive.lemma1.exact/last-deduced",
    where=PROOF,
    kind="deduction",
    latex="",
    family=free(" ".join(("change step_size beta whole", *_SQUARES)), _DISPLAYS),
    given=[
        display_before,
        Hypothesis(
            "Jensen",
            r"\mathcal A\|\nabla R_\alpha-\nabla R_i\|^2\le\sum_k\alpha_{ik}\|\nabla R_k-\nabla R_i\|^2",
            lambda w: w.weighted_gaps - w.whole * w.average_gap,
            PROOF,
        ),
        Hypothesis(
            "short step",
            r"\eta\mathcal A\beta\le1",
            lambda w: 1 - w.step_size * w.whole * w.beta,
            PROOF,
        ),
    ],
)
def last_deduced(w: World) -> Sides:
    noise = w.step_size * w.beta * w.noise
    return {"change": w.change}, {"gradients": _gradients(w), "noise": noise}


@lemma1_mean.like(
    "adaptive.lemma1.exact/last",
    where="proof of Lemma 1, last display",
    kind="proof step",
    title="last display",
    latex=_lemma1("t-1", r"\eta_i^t\beta"),
    uses=("adaptive.lemma1.var",),
    deduction=last_deduced,
    note="Gradient at theta^{t-1}, variance term without eta^2/2.",
)
def last_display(w: World) -> Sides:
    return _sides(w, descent.lemma1_last_display_printed)


last_display_repaired = lemma1_repaired.variant(
    "adaptive.lemma1.exact.repaired",
    where="proof of Lemma 1, last display",
    kind="proof step",
    title="last display",
)


# -- with the weights of Definition 1 ----------------------------------------------------------

DEFINITION1 = common.run_family((1, 1, 1), (2, 1, 1), (2, 2, 1), (3, 1, 1))


def _step_by_limit(w: World) -> Array:
    """step_share of the largest admissible step at theta^0."""
    return w.step_share * common.at_first(w).limit / w.beta


BELOW_LIMIT = (
    Hypothesis(
        "step below (sigma_phi/sigma_psi)^2/beta",
        r"\eta_i^t\beta<(\sigma_{i,\phi}^t/\sigma_{i,\psi}^t)^2",
        lambda w: at_start(w).limit - w.step_size * w.beta,
        "Theorem 1",
        strict=True,
    ),
    common.own_gradient,
)


@statement(
    "adaptive.theorem1.id",
    where="proof of Theorem 1",
    kind="proof step",
    title="the weighted gaps cancel",
    relation="==",
    family=DEFINITION1,
    latex=r"\sum_k\alpha_{ik}^t(\Delta_k^2-\|\nabla R_i\|^2)=-\|\nabla R_i\|^2",
    given=BELOW_LIMIT,
    defines={"step_size": _step_by_limit},
    uses=("adaptive.def1.drift",),
    note="Definition 1 makes the weighted gaps cancel exactly.",
)
def gaps_cancel(w: World) -> Sides:
    at = at_start(w)
    gap = xp.total(at.alpha * (at.squared_gap - at.squared_gradient[..., None]))
    return {"weighted gaps": gap}, {"-G^2": -at.squared_gradient}


@statement(
    "adaptive.S2-deduced",
    where="proof of Theorem 1",
    kind="deduction",
    latex="",
    family=free("change step_size beta whole own weighted_gaps noise effective", _DISPLAYS),
    given=[
        Hypothesis(
            "last display",
            last_display.latex,
            lambda w: _gradients(w) + w.step_size * w.beta * w.noise - w.change,
            "proof of Lemma 1, last display",
        ),
        Hypothesis(
            "identity",
            r"\sum_k\alpha_{ik}^t(\|\nabla R_k-\nabla R_i\|^2-\|\nabla R_i\|^2)\le-\|\nabla R_i\|^2",
            lambda w: -w.own - w.weighted_gaps + w.whole * w.own,
            "proof of Theorem 1",
        ),
        Hypothesis(
            "variance",
            r"\sum_k(\alpha_{ik}^t\sigma_k)^2\le(\sigma_{i,\mathrm{eff}}^t)^2",
            lambda w: w.effective - w.noise,
            "Definition 1",
        ),
    ],
)
def s2_deduced(w: World) -> Sides:
    noise = w.step_size**2 * w.effective * w.beta / 2
    return {"change": w.change}, {"descent": -w.step_size * w.own / 2, "noise": noise}


@gaps_cancel.like(
    "adaptive.S2",
    where="proof of Theorem 1, (S2)",
    over="mean",
    relation="<=",
    title="descent with the weights of Definition 1",
    latex=r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le-\tfrac{\eta_i^t}2\|\nabla R_i\|^2+\tfrac{(\eta_i^t\sigma_{i,\mathrm{eff}}^t)^2\beta}2",
    uses=("adaptive.lemma1", "adaptive.theorem1.id", "adaptive.def1.var"),
    deduction=s2_deduced,
    also=tuple(
        common.other_runs(kind, (2, 1, 1), (2, 2, 1), points=points, rules=rules)
        for kind, points, rules in (
            ("quadratic", 3, ("square",)),
            ("pl", 2, ("continuous",)),
            ("nonconvex", 2, ("binary",)),
        )
    ),
    simulate=(lambda: twenty_clients("gaussian"), lambda: twenty_clients("sphere")),
    note="Lemma 1 (with its variance term as derived) and Definition 1 together.",
)
def descent_of_definition1(w: World) -> Sides:
    at = at_start(w)
    return change(w), descent.s2_upper(w.step_size, w.beta, at.effective, at.squared_gradient)
