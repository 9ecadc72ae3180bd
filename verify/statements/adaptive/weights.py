"""Section 4: the continuous rule as the minimiser of Lemma 1, and when to refresh the weights."""

from __future__ import annotations

from collections.abc import Callable

from bounds import descent, similarity
from bounds import generic as xp
from bounds import refined_descent as refined
from verify.claim import Array, Hypothesis, Reading, Real, Shape, numbers
from verify.claim.statement import Sides, Terms
from verify.statements.adaptive import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.claims(r"""
Section 4 :: claim
    sec4.opt/stationary :: weights that minimise Lemma 1
    sec4.opt.refined/value :: what the refined lemma gains at best
    sec4.freq/variance :: helpers against own gradients
    sec4.freq/schedule :: weights may be refreshed less often :: \text{weights per epoch or on a logarithmic schedule}
""")

_SOLUTION = r"\frac{(G^2-\Delta_k^2)_+}{2\eta\beta\sigma_k^2}"
_STATIONARY = r"\alpha_{ik}=" + _SOLUTION + r"\in\operatorname{argmin}_{\alpha\ge0}"
_NORMALISED = (
    r"\alpha_{ik}=r_{ik}\,\frac{\sigma_{i,\psi}^2}{\sigma_k^2}\in\operatorname{argmin}_{%s}"
)
_VALUE = r"\frac{\eta}{2\mathcal A}\Bigl(\sum_k\alpha_k\Delta_k\Bigr)^2-\frac{\eta\mathcal A}2G^2+\frac{\eta^2\beta}2\sum_k\alpha_k^2\sigma_k^2\ge-\sum_k\frac{(G^2+m^2-2m\Delta_k)_+^2}{8\beta\sigma_k^2}"
_HELPED = r"\Rightarrow\sum_k(\alpha_{ik}\sigma)^2\le\frac{\sigma^2}{1+b_\alpha}"

LEMMA = numbers(
    {
        "squared_gradient": q.VARIANCE,
        "squared_gaps": Real(0, 32, unit=(2, -2), per=("N",)),
        "sigma2": q.VARIANCES,
        "alpha": Real(0, 2, per=("N",)),
        "step_size": Real(1 / 64, 64, unit=(-1, 2), log=True),
        **q.BETA,
    },
    *({"N": n} for n in (1, 2, 3)),
    about="any gradients, variances, step and other weights",
)


def gaps(w: World) -> Array:
    """Squared gaps; the asking client has none to itself."""
    first = xp.eye(w.sigma2.shape[-1], w.sigma2)[0]
    return w.squared_gaps * (1 - first)


def bound_at(w: World, alpha: Array, bound: Callable[..., Terms] = descent.lemma1_upper) -> Terms:
    """Upper bound of Lemma 1, as repaired if no other is named, for these weights."""
    return bound(w.step_size, w.beta, alpha, w.sigma2, w.squared_gradient, gaps(w))


def best(w: World) -> Array:
    """Solution of the printed equation: (G^2 - Delta_k^2)_+/(2 eta beta sigma_k^2)."""
    return descent.best_weights(w.step_size, w.beta, w.sigma2, w.squared_gradient, gaps(w))


def printed_bound_at(w: World, alpha: Array) -> Terms:
    """Upper bound of Lemma 1 with its printed noise term, the own gradient at theta^(t-1)."""
    return bound_at(w, alpha, descent.lemma1_last_display_printed)


def _read_bound_at(w: World, alpha: Array, r: Reading) -> Terms:
    """Upper bound of Lemma 1 by its noise term, the own gradient at theta^(t-1)."""
    return (printed_bound_at if "eta" in r else bound_at)(w, alpha)


_PARABOLAS = """The bound is a sum of convex parabolas in the alpha_k; each is smallest over
    alpha_k >= 0 at the positive part of the zero of its slope."""

stationary_read = claim(
    "sec4.opt/stationary",
    readings=("noise-term",),
    family=LEMMA,
    latex=_STATIONARY,
    uses=("adaptive.lemma1",),
    note="""The solution of the printed equation (its positive part) against any other weights, in
    the bound of Lemma 1. The printed noise term would need 4 in place of 2 eta; with eta^2 beta/2
    the solution is where the bound is smallest.""",
    proof=lambda r: _PARABOLAS * ("half-eta-squared" in r),
)(lambda w, r: (_read_bound_at(w, best(w), r), _read_bound_at(w, w.alpha, r)))
stationary_printed = stationary_read.leaf("eta")


@stationary_printed.like(
    "adaptive.sec4.opt/ratio",
    title="the ratio appears",
    relation="==",
    latex=_SOLUTION + r"=\frac{G^2}{2\eta\beta}\,\frac{r_{ik}}{\sigma_k^2}",
    note="""(G^2 - Delta^2)_+/(2 eta beta sigma_k^2) is r_k/sigma_k^2 times a number independent
    of k.""",
)
def proportional(w: World) -> Sides:
    scale = w.squared_gradient / (2 * w.step_size * w.beta)
    return {"minimiser": best(w)}, {"scale r/sigma^2": scale[..., None] * _ratio(w) / w.sigma2}


def _ratio(w: World) -> Array:
    return similarity.ratio_from_squares(gaps(w), w.squared_gradient)


def _definition1(w: World) -> Array:
    return similarity.collaboration_weights(_ratio(w), _ratio(w), w.sigma2)


def _admits(weights: Callable[[World], Array], name: str) -> Hypothesis:
    latex = r"\eta_i^t<(\beta\textstyle\sum_k\alpha_{ik})^{-1}"
    return Hypothesis(
        name, latex, lambda w: 1 - w.step_size * w.beta * xp.total(weights(w)), "Lemma 1", True
    )


normalised_printed = stationary_read.like(
    "adaptive.sec4.opt/normalised",
    title="normalised weights still minimise",
    latex=_NORMALISED % r"\alpha\ge0",
    given=[
        _admits(_definition1, "step for Definition 1"),
        _admits(lambda w: w.alpha, "step for the others"),
    ],
    uses=("adaptive.lemma1",),
    note="Definition 1 against any other weights, where Lemma 1 holds for both.",
)(lambda w, r: (_read_bound_at(w, _definition1(w), r), _read_bound_at(w, w.alpha, r)))

_on_similar = q.defined("weights on similar clients", r"\sum_k\alpha_kr_{ik}>0")(
    lambda w: xp.total(w.alpha * _ratio(w))
)


@stationary_printed.repaired(
    part="normalised",
    title="normalised weights minimise at their drift",
    latex=_NORMALISED % r"\sum_k\alpha_kr_{ik}=1",
    given=[_on_similar],
    note="""Definition 1 against weights of the same drift, sum_k alpha_k (1 - Delta_k^2/G^2) = 1.
    The other weights are rescaled to the constraint. Tight at Definition 1.""",
    proof="""Under that constraint the first two terms are -eta G^2/2, and sum alpha_k^2 sigma_k^2
    is smallest at alpha_k proportional to r_k/sigma_k^2 among non-negative weights on similar
    clients.""",
)
def normalised_fair(w: World) -> Sides:
    ratio = _ratio(w)
    other = w.alpha / xp.total(w.alpha * ratio)[..., None]
    other = xp.where(ratio > 0, other, 0 * other)
    return bound_at(w, _definition1(w)), bound_at(w, other)


@claim(
    "sec4.opt.refined/value",
    relation=">=",
    latex=_VALUE,
    family=numbers(
        {**LEMMA.box, "mean_gap": Real(0, 8, unit=(1, -1))},
        *LEMMA.shapes,
        about="any gradients, variances, step, weights and m",
    ),
    given=[q.some_weight],
    uses=("adaptive.lemma1.refined",),
    note="""Equal at alpha_k = (G^2 + m^2 - 2 m Delta_k)_+/(2 eta beta sigma_k^2) with m their own
    mean gap. m = 0 is the value of Lemma 1 without any gap; a client is excluded where Delta_k
    exceeds (G^2 + m^2)/(2 m), not where it exceeds G.""",
    proof="""B^2/A >= 2 m B - m^2 A for B = sum alpha_k Delta_k, since (B - m A)^2 >= 0; what is left
    is a sum of parabolas in the alpha_k, each smallest at the positive part of its zero slope.""",
)
def value(w: World) -> Sides:
    symbols = w.beta, w.sigma2, w.squared_gradient, xp.sqrt(gaps(w)), w.mean_gap
    left = bound_at(w, w.alpha, refined.lemma1_refined_upper)
    return left, {"value": refined.refined_bound_lower(*symbols)}


# -- refreshing and extra gradients ----------------------------------------------------------------


def _crowd(sizes: tuple[int, ...]) -> tuple[Shape, ...]:
    return tuple({"N": n, "phi": phi} for n in sizes for phi in ("continuous", "binary"))


def _helped(w: World, ratio: Array, extra: Array) -> Sides:
    """Variance of the direction of clients of one variance, and of 1 + b_alpha own gradients."""
    phi = similarity.phi_by_name(w.phi, ratio, w.threshold)
    direction = similarity.weighted_variance(ratio, phi, w.sigma2_one[..., None] + 0 * ratio)
    return {"collaboration": direction}, {"own gradients": w.sigma2_one / (1 + extra)}


@claim(
    "sec4.freq/variance",
    latex=r"N\gg b_\alpha" + _HELPED,
    family=numbers(
        {**q.EQUAL, **q.PHI, "ratio": Real(0, 1, domain=(0, 1))},
        *_crowd((64, 128)),
        about="clients with one variance, the others of one similarity; b_alpha = 1",
    ),
    note="b_alpha = 1. N counts those that do not help as well.",
)
def mixed_crowd(w: World) -> Sides:
    return _helped(w, _all_but_one(w), xp.ones_like(w.ratio))


@quantity
def _all_but_one(w: World) -> Array:
    """Similarity ratios of N clients: 1 of the client itself, one ratio of all others."""
    return xp.stack([xp.ones_like(w.ratio)] + [w.ratio] * (int(w.N) - 1), -1)


@quantity
def _of_everyone(w: World) -> Array:
    """Similarity ratios 1 of N clients."""
    return xp.stack([xp.ones_like(w.sigma2_one)] * int(w.N), -1)


_many = Hypothesis("N at least 1 + b_alpha", r"N\ge1+b_\alpha", lambda w: w.N - 1 - w.extra)

crowd = mixed_crowd.repaired(
    part="variance",
    title="equal helpers against own gradients",
    latex=r"N\ge1+b_\alpha,\ r_{ik}=1" + _HELPED,
    family=numbers(
        {**q.EQUAL, **q.PHI, "extra": Real(0, 16)},
        *_crowd((1, 2, 4, 8)),
        about="clients with one gradient and one variance",
    ),
    given=[_many],
    note="Tight at N = 1 + b_alpha.",
    proof="""N clients with equal gradients and variances give the variance sigma^2/N, 1 + b_alpha
    own gradients sigma^2/(1 + b_alpha).""",
)(lambda w: _helped(w, _of_everyone(w), w.extra))

schedule = claim.open(
    "sec4.freq/schedule",
    "a criterion: the text says that weights may be updated less often, not what that keeps",
)
