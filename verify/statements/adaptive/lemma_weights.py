"""Section 4: the continuous rule as the minimiser of Lemma 1, and when to refresh the weights."""

from __future__ import annotations

from collections.abc import Callable

from bounds import descent as closed
from bounds import generic as xp
from bounds import similarity
from verify.claim import Array, Hypothesis, Real, Sides, Terms, numbers, open_claim, statement
from verify.statements.adaptive.common import CURVATURE, PHI, VARIANCE, VARIANCES
from verify.world.world import World

LEMMA = numbers(
    {
        "squared_gradient": VARIANCE,
        "squared_gaps": Real(0, 32, unit=(2, -2), per=("N",)),
        "sigma2": VARIANCES,
        "alpha": Real(0, 2, per=("N",)),
        "step_size": Real(1 / 64, 64, unit=(-1, 2), log=True),
        "beta": CURVATURE,
    },
    {"N": 1},
    {"N": 2},
    {"N": 3},
    about="any gradients, variances, step and other weights",
)


def gaps(w: World) -> Array:
    """Squared gaps; the asking client has none to itself."""
    first = xp.eye(w.sigma2.shape[-1], w.sigma2)[0]
    return w.squared_gaps * (1 - first)


def bound_at(w: World, alpha: Array, bound: Callable[..., Terms] = closed.lemma1_upper) -> Terms:
    """Upper bound of Lemma 1, as repaired if no other is named, for these weights."""
    return bound(w.step_size, w.beta, alpha, w.sigma2, w.squared_gradient, gaps(w))


def best(w: World) -> Array:
    """Solution of the printed equation: (G^2 - Delta_k^2)_+/(2 eta beta sigma_k^2)."""
    return closed.best_weights(w.step_size, w.beta, w.sigma2, w.squared_gradient, gaps(w))


def printed_bound_at(w: World, alpha: Array) -> Terms:
    """Upper bound of Lemma 1 with its printed noise term, the own gradient at theta^(t-1)."""
    return bound_at(w, alpha, closed.lemma1_last_display_printed)


@statement(
    "adaptive.sec4.opt/stationary",
    where="Section 4",
    kind="claim",
    family=LEMMA,
    title="weights that minimise Lemma 1",
    latex=r"\alpha_{ik}=\frac{(G^2-\Delta_k^2)_+}{2\eta\beta\sigma_k^2}\in\operatorname{argmin}_{\alpha\ge0}",
    uses=("adaptive.lemma1",),
    note="""The solution of the printed equation (its positive part) against any other weights, in
    the bound of Lemma 1 with its printed noise term, which would need 4 in place of 2 eta.""",
)
def stationary_printed(w: World) -> Sides:
    return printed_bound_at(w, best(w)), printed_bound_at(w, w.alpha)


@stationary_printed.like(
    "adaptive.sec4.opt.repaired/stationary",
    latex=stationary_printed.latex,
    uses=("adaptive.lemma1.repaired",),
    note="In the bound of the repaired Lemma 1, whose noise term is eta^2 beta/2: tight there.",
    proof="""The bound is a sum of convex parabolas in the alpha_k; each is smallest over alpha_k >= 0
    at the positive part of the zero of its slope.""",
)
def stationary(w: World) -> Sides:
    return bound_at(w, best(w)), bound_at(w, w.alpha)


@stationary_printed.like(
    "adaptive.sec4.opt/ratio",
    title="the ratio appears",
    relation="==",
    latex=r"\frac{(G^2-\Delta_k^2)_+}{2\eta\beta\sigma_k^2}=\frac{G^2}{2\eta\beta}\,\frac{r_{ik}}{\sigma_k^2}",
    note="""(G^2 - Delta^2)_+/(2 eta beta sigma_k^2) is r_k/sigma_k^2 times a number independent
    of k.""",
)
def proportional(w: World) -> Sides:
    scale = w.squared_gradient / (2 * w.step_size * w.beta)
    ratio = similarity.ratio_from_squares(gaps(w), w.squared_gradient)
    return {"minimiser": best(w)}, {"scale r/sigma^2": scale[..., None] * ratio / w.sigma2}


def _definition1(w: World) -> tuple[Array, Array]:
    ratio = similarity.ratio_from_squares(gaps(w), w.squared_gradient)
    return ratio, similarity.collaboration_weights(ratio, ratio, w.sigma2)


@stationary_printed.like(
    "adaptive.sec4.opt/normalised",
    title="normalised weights still minimise",
    latex=r"\alpha_{ik}=r_{ik}\,\frac{\sigma_{i,\psi}^2}{\sigma_k^2}\in\operatorname{argmin}_{\alpha\ge0}",
    uses=("adaptive.lemma1",),
    note="Definition 1 against any other weights.",
)
def normalised_printed(w: World) -> Sides:
    return printed_bound_at(w, _definition1(w)[1]), printed_bound_at(w, w.alpha)


@stationary_printed.like(
    "adaptive.sec4.opt.repaired/normalised",
    title="normalised weights minimise at their drift",
    latex=r"\alpha_{ik}=r_{ik}\,\frac{\sigma_{i,\psi}^2}{\sigma_k^2}\in\operatorname{argmin}_{\sum_k\alpha_kr_{ik}=1}",
    given=[
        Hypothesis(
            "weights on similar clients",
            r"\sum_k\alpha_kr_{ik}>0",
            lambda w: xp.total(w.alpha * _definition1(w)[0]),
            strict=True,
            defining=True,
        )
    ],
    note="""Definition 1 against weights of the same drift, sum_k alpha_k (1 - Delta_k^2/G^2) = 1.
    The other weights are rescaled to the constraint. Tight at Definition 1.""",
    proof="""Under that constraint the first two terms are -eta G^2/2, and sum alpha_k^2 sigma_k^2
    is smallest at alpha_k proportional to r_k/sigma_k^2 among non-negative weights on similar
    clients.""",
)
def normalised_fair(w: World) -> Sides:
    ratio, own = _definition1(w)
    other = w.alpha / xp.total(w.alpha * ratio)[..., None]
    other = xp.where(ratio > 0, other, 0 * other)
    return bound_at(w, own), bound_at(w, other)


# -- refreshing and extra gradients ------------------------------------------------------------

_RULES = ("continuous", "binary")
_CROWD = {"sigma2_one": VARIANCE, **PHI}


def _helped(w: World, ratio: Array, extra: Array) -> Sides:
    """Variance of the direction of clients of one variance, and of 1 + b_alpha own gradients."""
    phi = similarity.phi_by_name(w.phi, ratio, w.threshold)
    direction = similarity.weighted_variance(ratio, phi, w.sigma2_one[..., None] + 0 * ratio)
    return {"collaboration": direction}, {"own gradients": w.sigma2_one / (1 + extra)}


@statement(
    "adaptive.sec4.freq/variance",
    where="Section 4",
    kind="claim",
    title="helpers against own gradients",
    latex=r"N\gg b_\alpha\Rightarrow\sum_k(\alpha_{ik}\sigma)^2\le\frac{\sigma^2}{1+b_\alpha}",
    family=numbers(
        {**_CROWD, "ratio": Real(0, 1, domain=(0, 1))},
        *({"N": n, "phi": phi} for n in (64, 128) for phi in _RULES),
        about="clients with one variance, the others of one similarity; b_alpha = 1",
    ),
    note="b_alpha = 1. N counts those that do not help as well.",
)
def mixed_crowd(w: World) -> Sides:
    one = xp.ones_like(w.ratio)
    return _helped(w, xp.stack([one] + [w.ratio] * (int(w.N) - 1), -1), one)


@mixed_crowd.like(
    "adaptive.sec4.freq.repaired/variance",
    title="equal helpers against own gradients",
    latex=r"N\ge1+b_\alpha,\ r_{ik}=1\Rightarrow\sum_k(\alpha_{ik}\sigma)^2\le\frac{\sigma^2}{1+b_\alpha}",
    family=numbers(
        {**_CROWD, "extra": Real(0, 16)},
        *({"N": n, "phi": phi} for n in (1, 2, 4, 8) for phi in _RULES),
        about="clients with one gradient and one variance",
    ),
    given=[
        Hypothesis("N at least 1 + b_alpha", r"N\ge1+b_\alpha", lambda w: int(w.N) - 1 - w.extra)
    ],
    note="Tight at N = 1 + b_alpha.",
    proof="""N clients with equal gradients and variances give the variance sigma^2/N, 1 + b_alpha
    own gradients sigma^2/(1 + b_alpha).""",
)
def crowd(w: World) -> Sides:
    return _helped(w, xp.stack([xp.ones_like(w.sigma2_one)] * int(w.N), -1), w.extra)


schedule = open_claim(
    "adaptive.sec4.freq/schedule",
    "claim",
    "Section 4",
    r"\text{weights per epoch or on a logarithmic schedule}",
    "weights may be refreshed less often",
    "a criterion: the text says that weights may be updated less often, not what that keeps",
)
