"""Lemma 1 (descent): the displays of its proof, the lemma as repaired, and a smaller bias of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bounds import descent
from bounds import generic as xp
from bounds import refined_descent as refined
from bounds.heterogeneity import mismatch
from verify.claim import Array, Family, Instance, Reading, Real, Shape, hypothesis
from verify.claim.families import numbers, quadratic_instance, quadratics
from verify.claim.statement import Sides, Statement, Terms
from verify.statements.adaptive import quantities as q
from verify.world.world import World

claim = q.claims(r"""
Lemma 1 :: lemma
    lemma1 :: descent lemma
    lemma1.refined/order :: never above the Jensen bias
proof of Lemma 1, (S1) :: proof step
    S1 :: smoothness along the step
proof of Lemma 1 :: proof step
    lemma1.var :: variance of the aggregate
    lemma1.exact/before :: before the first term is dropped
""")


def _lemma1(gradient: str, variance: str) -> str:
    """The lemma with the own gradient at theta^{...} and this factor of the variances."""
    return (
        r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le\frac{\eta_i^t}2\sum_k\alpha_{ik}^t"
        rf"\bigl(\Delta_k^2-\|\nabla R_i(\theta_i^{{{gradient}}})\|^2\bigr)+{variance}\sum_k\sigma_k^2(\alpha_{{ik}}^t)^2"
    )


S1 = r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le-\eta\mathcal A\langle\nabla R_\alpha,\nabla R_i\rangle+\tfrac{(\eta\mathcal A)^2\beta}2\mathbb E\|g^t\|^2"
VARIANCE = r"\mathbb E\|g^t\|^2=\sum_k(\alpha_{ik}/\mathcal A_i)^2\,\mathbb V[g_k^t]+\|\nabla R_{\alpha_i}\|^2"
BEFORE = r"\ldots\le-\tfrac{\eta\mathcal A}2(1-\eta\mathcal A\beta)\|\nabla R_\alpha\|^2-\tfrac{\eta\mathcal A}2\|\nabla R_i\|^2+\tfrac{\eta\mathcal A}2\|\nabla R_\alpha-\nabla R_i\|^2+\tfrac{\eta^2\beta}2\sum_k\sigma_k^2\alpha_{ik}^2"
JENSEN = (
    r"\mathcal A\|\nabla R_\alpha-\nabla R_i\|^2\le\sum_k\alpha_{ik}\|\nabla R_k-\nabla R_i\|^2"
)
REFINED = r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le\frac{\eta}{2\mathcal A}\Bigl(\sum_k\alpha_{ik}\Delta_k\Bigr)^2-\frac{\eta\mathcal A}2\|\nabla R_i(\theta_i^{t-1})\|^2+\frac{\eta^2\beta}2\sum_k\sigma_k^2\alpha_{ik}^2"
NEIGHBOURHOOD = r"\mathbb E[\varepsilon_i^T]\le q^T\varepsilon_i^0+(1-q^T)\Bigl(\frac{(\sum_k\alpha_kb_k)^2}{2\mu\mathcal A^2}+\frac{\eta\beta}{2\mu\mathcal A}\sum_k\alpha_k^2\sigma_k^2\Bigr),\quad q=1-\eta\mu\mathcal A"


def _fixed(*sizes: tuple[int, int, int], **more: Any) -> tuple[Shape, ...]:
    return tuple({"N": n, "d": d, "rounds": t, "weights": "fixed", **more} for n, d, t in sizes)


ONE_STEP = quadratics(_fixed((1, 1, 1), (2, 1, 1), (2, 2, 1), (3, 1, 1)), q.merged(q.ALPHA, q.STEP))
_ANY_STEP = {"step_share": Real(1 / 64, 4, log=True)}


def _wider(step: q.Box) -> tuple[Family, ...]:
    """Further smooth losses, turned axes and noise of three points."""
    return tuple(
        q.federation(
            kind,
            _fixed((1, 1, 1), (2, 1, 1), (2, 2, 1), method="all_for_one", points=points),
            q.merged(q.START, q.ALPHA, step),
            noise=True,
        )
        for kind, points in (("quadratic", 3), ("pl", 2), ("nonconvex", 2))
    )


WIDER = _wider(q.STEP)
FREE_WEIGHTS = {
    "weight_matrix": lambda w: w.alpha[..., None, :] + 0 * w.alpha[..., :, None],
    "step_size": lambda w: w.step_share / (w.beta * xp.total(w.alpha)),
}

short_step = hypothesis(
    "step below 1/(beta sum alpha)",
    r"\eta_i^t\beta\sum_k\alpha_{ik}^t<1",
    where="Lemma 1",
    strict=True,
)(lambda w: 1 - w.step_size * w.beta * xp.total(w.alpha))
SHORT = (short_step, q.some_weight)


def change(w: World) -> Terms:
    """X^t - X^{t-1}; its mean over the fresh gradients is the left side of the lemma."""
    return {"excess after": q.excess(w, 1), "-excess before": -q.excess(w, 0)}


def _sides(w: World, bound: Callable[..., Terms], after: int = 0) -> Sides:
    """The change against a form of the lemma; the own gradient is at theta^0 or after the step."""
    theta = w.run().theta
    _, gaps = q.squares(w.problem, theta[..., 0, :])
    own = q.own_square(w, theta[..., after, :])
    return change(w), bound(w.step_size, w.beta, w.alpha, w.sigma2, own, gaps)


def _step(w: World) -> tuple[Array, Array, Array]:
    """g^t as the run realises it, grad R_alpha and grad R_i at theta^{t-1}."""
    theta, whole = w.run().theta, xp.total(w.alpha)[..., None]
    gradients = w.problem.gradients(theta[..., 0, :])
    mixed = xp.total(w.alpha[..., None] * gradients, axis=-2) / whole
    taken = (theta[..., 0, :] - theta[..., 1, :]) / (w.step_size[..., None] * whole)
    return taken, mixed, gradients[..., 0, :]


FACTORS = {"eta": r"\eta_i^t\beta", "half-eta-squared": r"\frac{(\eta_i^t)^2\beta}2"}
"""Factor of the variances, by the option on ``noise-term``."""
BOUNDS = {"eta": descent.lemma1_last_display_printed, "half-eta-squared": descent.lemma1_upper}


@claim(
    "lemma1",
    readings=("own-model", "noise-term", "random if new-model"),
    over=lambda r: "path" if "each-run" in r else "mean",
    latex=lambda r: _lemma1("t" if "new-model" in r else "t-1", FACTORS[r.noise_term]),
    family=ONE_STEP,
    also=WIDER,
    given=SHORT,
    defines=FREE_WEIGHTS,
    note="""The variance term is read under the sum over k; t = 1, the left side in conditional
    mean.""",
)
def lemma1(w: World, r: Reading) -> Sides:
    left, right = _sides(w, BOUNDS[r.noise_term], after=int("new-model" in r))
    if "each-run" in r:
        left = {name: w.mean(term) for name, term in left.items()}
    return left, right


lemma1_mean = lemma1.leaf("new-model", "eta", "in-mean")

lemma1_repaired = lemma1_mean.repaired(
    also=WIDER,
    latex=_lemma1("t-1", r"\frac{(\eta_i^t)^2\beta}2"),
    note="The own gradient at theta^{t-1}, the variance term eta^2 beta sigma_k^2 alpha_k^2 / 2.",
    proof="""Smoothness along the step, the variance of a sum of independent gradients, and
    -<a, b> = (|a - b|^2 - |a|^2 - |b|^2)/2 give the display before the first term is dropped; that
    term is non-positive as eta beta sum alpha < 1; Jensen bounds |grad R_alpha - grad R_i|^2.""",
)(lambda w: _sides(w, descent.lemma1_upper))


# -- the proof -------------------------------------------------------------------------------------


@claim(
    "S1",
    over="mean",
    latex=S1,
    family=quadratics(ONE_STEP.shapes, {**q.ALPHA, **_ANY_STEP}),
    also=_wider(_ANY_STEP),
    given=[q.some_weight],
    defines=FREE_WEIGHTS,
    note="""Smoothness of R_i along the step, for steps of any length. Tight for one client, whose
    Hessian is beta.""",
)
def smoothness(w: World) -> Sides:
    taken, mixed, own = _step(w)
    squared = xp.squared_norm(taken)
    return change(w), descent.s1_upper(w.step_size, w.beta, w.alpha, xp.dot(mixed, own), squared)


@claim(
    "lemma1.var",
    like=lemma1_mean,
    relation="==",
    latex=VARIANCE,
    note="""Second moment of the normalised aggregate, from its realised steps:
    theta^{t-1} - theta^t = eta A g^t, so E|g^t|^2 is read off the run.""",
)
def aggregate_variance(w: World) -> Sides:
    taken, mixed, _ = _step(w)
    share = w.alpha / xp.total(w.alpha)[..., None]
    variances = xp.total(share**2 * w.problem.gradient_variance(w.run().theta[..., 0, :]))
    right = {"variances": variances, "squared mean": xp.squared_norm(mixed)}
    return {"|g|^2": xp.squared_norm(taken)}, right


@claim(
    "lemma1.exact/before",
    like=lemma1_mean,
    latex=BEFORE,
    note="An equality for isotropic quadratics.",
)
def exact_display(w: World) -> Sides:
    _, mixed, own = _step(w)
    squares = map(xp.squared_norm, (own, mixed, mixed - own))
    bound = descent.lemma1_before_jensen_upper
    return change(w), bound(w.step_size, w.beta, w.alpha, w.sigma2, *squares)


DISPLAYS = {
    "change": Real(-4, 4, unit=(1, 0)),
    "step_size": Real(1 / 16, 16, unit=(-1, 2), log=True),
    **q.BETA,
    "whole": Real(1 / 16, 4, log=True),
    **dict.fromkeys(
        ("average", "own", "average_gap", "weighted_gaps", "noise"), Real(0, 4, unit=(2, -2))
    ),
    "effective": Real(1 / 16, 4, unit=(2, -2), log=True),
}
"""Free symbols: change of the excess, step size, smoothness, sum of the weights, squared averaged
gradient, squared own gradient, their squared gap, sum of alpha_k Delta_k^2, sum of
alpha_k^2 sigma_k^2, effective variance."""


def weighted_gradients(w: World) -> Array:
    """eta/2 sum_k alpha_k (Delta_k^2 - G^2)."""
    return w.step_size * (w.weighted_gaps - w.whole * w.own) / 2


@hypothesis(
    "display before", BEFORE.replace(r"\ldots", S1.partition(r"\le")[0]), where="proof of Lemma 1"
)
def _display_before(w: World) -> Array:
    half = w.step_size * w.whole / 2
    short = (1 - w.step_size * w.whole * w.beta) * w.average
    return half * (w.average_gap - short - w.own) + w.step_size**2 * w.beta * w.noise / 2 - w.change


def _last(factor: Callable[[World], Array], name: str) -> Statement:
    """Whether the last display, with a factor of the variances, follows from the one before."""
    return q.deduced(
        f"lemma1.exact/{name}",
        "change step_size beta whole average own average_gap weighted_gaps noise",
        _display_before,
        hypothesis("Jensen", JENSEN, where="proof of Lemma 1")(
            lambda w: w.weighted_gaps - w.whole * w.average_gap
        ),
        hypothesis("short step", r"\eta\mathcal A\beta\le1", where="proof of Lemma 1")(
            lambda w: 1 - w.step_size * w.whole * w.beta
        ),
        where="proof of Lemma 1",
        box=DISPLAYS,
    )(
        lambda w: (
            {"change": w.change},
            {"gradients": weighted_gradients(w), "noise": factor(w) * w.noise},
        )
    )


_LAST = {
    "eta": _last(lambda w: w.step_size * w.beta, "last"),
    "half-eta-squared": _last(lambda w: w.step_size**2 * w.beta / 2, "last-mended"),
}

last_display = lemma1.like(
    "adaptive.lemma1.exact/last",
    kind="proof step",
    where="proof of Lemma 1, last display",
    title="last display",
    readings=("noise-term",),
    over="mean",
    latex=lambda r: _lemma1("t-1", FACTORS[r.noise_term]),
    uses=("adaptive.lemma1.var",),
    deduction=lambda r: _LAST[r.noise_term],
    note="Gradient at theta^{t-1}.",
)(lambda w, r: _sides(w, BOUNDS[r.noise_term]))

# -- the bias of the averaged gradient -------------------------------------------------------------


@lemma1_repaired.refined(
    part="descent",
    title="descent lemma, bias of the average",
    latex=REFINED,
    uses=("adaptive.lemma1.exact",),
    note="""In place of sum alpha_k Delta_k^2, what the Jensen step of the proof makes of the same
    quantity. Tight for one-dimensional quadratics with gaps of one sign.""",
    proof="""The display before the first term is dropped has |grad R_alpha - grad R_i|^2, A times
    which is |sum alpha_k (grad R_k - grad R_i)|^2/A <= (sum alpha_k Delta_k)^2/A.""",
)
def descends(w: World) -> Sides:
    squares = q.squares(w.problem, w.start)
    return change(w), refined.lemma1_refined_upper(w.step_size, w.beta, w.alpha, w.sigma2, *squares)


@claim(
    "lemma1.refined/order",
    latex=r"\Bigl(\sum_k\alpha_k\Delta_k\Bigr)^2\le\sum_j\alpha_j\sum_k\alpha_k\Delta_k^2",
    family=numbers(
        {"alpha": Real(0, 2, per=("N",)), "gap": Real(0, 4, unit=(1, -1), per=("N",))},
        *({"N": n} for n in (1, 2, 3)),
        about="any weights and gaps",
    ),
    note="Equal where all clients of positive weight have one gap.",
    proof="Cauchy-Schwarz.",
)
def below_jensen(w: World) -> Sides:
    weighted = xp.total(w.alpha) * refined.bias_jensen_upper(w.alpha, w.gap)
    squared = xp.total(w.alpha * w.gap) ** 2
    return {"(sum alpha Delta)^2": squared}, {"A sum alpha Delta^2": weighted}


def _one_hessian(values: Mapping[str, Any], shape: Shape) -> Instance:
    """All clients have the first one's curvature, so that gaps are the same everywhere."""
    curvature = values["curvature"]
    return quadratic_instance({**values, "curvature": curvature[..., :1, :] + 0 * curvature}, shape)


EQUAL = Family(
    ONE_STEP.box,
    _fixed((1, 1, 1), (2, 1, 2), (3, 1, 1), (2, 2, 2)),
    _one_hessian,
    "quadratics of one Hessian, two-point noise, all outcomes enumerated",
)


@descends.refined(
    part="neighbourhood",
    title="neighbourhood of fixed weights",
    latex=NEIGHBOURHOOD,
    family=EQUAL,
    uses=("adaptive.lemma1.exact",),
    note="""c = 0 and b_k the gaps. The Jensen bias has sum alpha_k b_k^2/(2 mu A). Where the own
    curvature is mu and helpers push in one direction the bias term is what the run tends to.""",
    proof="""G^2 >= 2 mu X in the refined lemma, full expectation; the recursion
    E' = q E + (1 - q) n with 0 <= q < 1 is unrolled.""",
)
def neighbourhood(w: World) -> Sides:
    bias = xp.sqrt(mismatch(w.A, w.xi)[0][..., 0, :])  # b_k of A3 with c = 0: the gaps
    parts = refined.neighbourhood_refined_upper(w.step_size, w.beta, w.mu, w.alpha, w.sigma2, bias)
    rounds = w.original("rounds")
    rate = (1 - w.step_size * w.mu * xp.total(w.alpha)) ** rounds
    right = {name: (1 - rate) * part for name, part in parts.items()}
    return {"excess after": q.excess(w, rounds)}, {"start": rate * q.start_excess(w), **right}
