"""The chain (16) to (19): bounds in terms of the ratios alpha_i/p_i."""

from __future__ import annotations

from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import heterogeneity_gap, weight_ratio_upper, weighting_skew
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation import deductions
from verify.statements.aggregation.common import (
    HETEROGENEOUS,
    NUMBERS,
    described,
    heterogeneous,
    least,
    numbers,
    runs,
    size,
    source,
    suboptimality,
    worst,
)
from verify.statements.aggregation.corollary import paper_defines
from verify.statements.aggregation.points import (
    EXCESS,
    RAW,
    SHARE,
    SIZES,
    normalised,
)
from verify.world.world import World

# -- the chain ---------------------------------------------------------------------------------

WEIGHTS = numbers(
    {"excess": EXCESS, "other": EXCESS, "share": SHARE, "raw": RAW, "later": RAW}, *SIZES,
    about="losses at w_t and at w*, weights of two rounds",
)  # fmt: skip
SIMPLEX = numbers({"share": SHARE, "raw": RAW, "later": RAW}, *SIZES, about="any weights")
CONSTANTS = numbers(
    {"mu": NUMBERS["mu"], "smoothness": NUMBERS["smoothness"], "excess": EXCESS,
     "other": EXCESS, "share": SHARE, "raw": RAW, "later": RAW},
    *SIZES, about="any constants, losses at w_t and at w*, weights of two rounds",
)  # fmt: skip


def _ratios(w: World) -> tuple[Any, Any, Any, Any]:
    """Shares, both weight vectors and their ratios kappa, the rounds stacked before the clients."""
    share = normalised(w.share)
    first, second = normalised(w.raw), normalised(w.later)
    kappa = xp.stack([first / share, second / share], -2)
    return share, first, second, kappa.reshape((*kappa.shape[:-2], -1))


def _skews(w: World) -> tuple[Any, Any]:
    """rho-tilde and rho-bar of two rounds seen at two points."""
    share, first, second, _ = _ratios(w)
    return weighting_skew(second, w.other, share), weighting_skew(first, w.excess, share)


def _both_excess(w: World) -> Terms:
    return {"F(w_t)": xp.total(w.excess), "F(w*)": xp.total(w.other)}


def _quotient(w: World) -> tuple[Terms, Terms]:
    """rho-tilde <= Pi and rho-bar >= pi, as rho is a mean of the kappa_i with weights p_i x_i."""
    high, low = _skews(w)
    kappa = _ratios(w)[3]
    return {"rho-tilde/rho-bar": high / low}, {"Pi/pi": xp.largest(kappa) / xp.smallest(kappa)}


def _inverse(w: World) -> tuple[Terms, Terms]:
    """Tight where all loss sits on the client of smallest kappa."""
    return {"1/rho-bar": 1 / _skews(w)[1]}, {"1/pi": 1 / xp.smallest(_ratios(w)[3])}


def _first(w: World) -> tuple[Terms, Terms]:
    """The client of largest kappa has a share of at least min p."""
    share, weights, _, _ = _ratios(w)
    top = xp.largest(weights / share) * xp.smallest(share)
    return {"Pi min p": top}, {"max kappa p": xp.largest(weights)}


def _second(w: World) -> tuple[Terms, Terms]:
    """Tight where all the other weights are equal."""
    weights = _ratios(w)[1]
    rest = (weights.shape[-1] - 1) * xp.smallest(weights)
    return {"max kappa p": xp.largest(weights)}, {"1": 1, "-(N-1) min kappa p": -rest}


def _third(w: World) -> tuple[Terms, Terms]:
    """min kappa p >= pi min p."""
    share, weights, _, _ = _ratios(w)
    others = weights.shape[-1] - 1
    return {"1": 1, "-(N-1) min kappa p": -others * xp.smallest(weights)}, {
        "one": 1, "-(N-1) pi min p": -others * xp.smallest(weights / share) * xp.smallest(share),
    }  # fmt: skip


def _largest_ratio(w: World) -> tuple[Terms, Terms]:
    """Pi and pi over both rounds."""
    share, _, _, kappa = _ratios(w)
    right = weight_ratio_upper(xp.smallest(kappa), xp.smallest(share), share.shape[-1])
    return {"Pi": xp.largest(kappa)}, {"(1-(N-1) pi min p)/min p": right}


def _gap_of_losses(w: World) -> Any:
    return heterogeneity_gap(w.other, normalised(w.share))


def _least_at_optimum(w: World) -> Terms:
    """F is smallest at w*, and mu <= L."""
    share = normalised(w.share)
    rise = heterogeneity_gap(w.excess, share) - w.gap
    return {**_both_excess(w), "F(w*) <= F(w_t)": rise, "mu <= L": w.smoothness - w.mu}


def _error_bound(w: World, scaled: bool) -> tuple[Terms, Terms]:
    share, _, _, kappa = _ratios(w)
    left = closed.learning_error(w.mu, w.smoothness, w.gap, *reversed(_skews(w)))
    pi, floor, clients = xp.smallest(kappa), xp.smallest(share), share.shape[-1]
    if scaled:
        right = closed.learning_error_of_weights_upper(
            w.mu, w.smoothness, w.gap, pi, floor, clients
        )
    else:
        right = closed.learning_error_of_weights_printed(pi, floor, clients) + 0 * w.gap
    return {"E": left}, {"1/(pi min p) - N": right}


def _error_printed(w: World) -> tuple[Terms, Terms]:
    """A loss on the left, a pure number on the right."""
    return _error_bound(w, scaled=False)


def _error_repaired(w: World) -> tuple[Terms, Terms]:
    """The factor 8 L Gamma/(3 mu) of E, which eq. 19 has as lambda_2.

    Proof. rho-tilde/rho-bar - 1 <= Pi/pi - 1, and Pi <= (1 - (N-1) pi m)/m with m = min p gives
    Pi/pi - 1 <= 1/(pi m) - (N-1) - 1.
    """
    return _error_bound(w, scaled=True)


# -- eqs. 17 and 19 on runs --------------------------------------------------------------------

POSITIVE = runs(
    *(size(2, 2, e, rule) for e in (1, 2) for rule in ("fixed", "fedsoftmax")),
    size(2, 1, 2, "fixed", quiet=True), size(2, 4, 2, "fixed", quiet=True),
    size(3, 2, 2, "fixed", quiet=True),
)  # fmt: skip


def _kappa(w: World) -> Any:
    return w.run().alpha / w.client_weights[..., None, :]


def _of_weights(w: World, high: Any) -> tuple[Terms, Terms]:
    speed_term = closed.speed_constant(
        w.mu, w.beta, w.G2, w.sigma2_max, w.gap, w.distance0, w.least_ratio, w.local_steps
    )
    error = closed.learning_error(w.mu, w.beta, w.gap, w.least_ratio, high)
    right = closed.aggregation_bound_upper(speed_term, error, w.delay, w.rounds)
    return {"E F(w_T) - F*": suboptimality(w, w.rounds)}, right


def _seventeen(w: World) -> tuple[Terms, Terms]:
    """pi <= rho(t, w) <= Pi at every point, virtual averages included, and pi <= 1, so that
    1 + 3 pi/8 <= 4L/mu: nothing of what breaks Corollary 4 is left.

    As loose as that corollary (see its reading T-rounds-endless), and by Pi/pi more."""
    return _of_weights(w, w.largest_ratio)


def _nineteen(w: World) -> tuple[Terms, Terms]:
    """As eq. 17, with the bound of Pi in place of Pi."""
    clients = w.client_weights.shape[-1]
    return _of_weights(
        w, weight_ratio_upper(w.least_ratio, xp.smallest(w.client_weights), clients)
    )


RATIOS = {
    **paper_defines("every"), "least_ratio": lambda w: least(_kappa(w)),
    "largest_ratio": lambda w: worst(_kappa(w)),
}  # fmt: skip

_EQ18: dict[str, Any] = {"source": source("eq. 18"), "kind": "proof step", "family": SIMPLEX}
_ON_RUNS: dict[str, Any] = {
    "kind": "corollary", "family": POSITIVE, "over": "mean", "given": heterogeneous,
    "strict": HETEROGENEOUS, "defines": RATIOS,
}  # fmt: skip
_BOUNDS: dict[str, Any] = {
    "source": source("before eq. 17"), "kind": "proof step", "family": WEIGHTS,
    "given": _both_excess, "strict": frozenset({"F(w_t)", "F(w*)"}),
}  # fmt: skip
_E_LATEX = r"\mathcal E\le%s\Bigl(\frac1{\pi\min p_i}-N\Bigr)"
_GAP = r"\mathbb E[F(w_T)]-F^\star\le\frac1{T+\gamma}\Bigl[C+\frac{\lambda_1}\pi\Bigr]+\lambda_2"

STATEMENTS = (
    described(
        "eq16", "definition", "eq. 16",
        r"\alpha_t^i=\kappa_t^ip_i,\quad\pi=\min_{t,i}\kappa_t^i>0,\quad\Pi=\max_{t,i}\kappa_t^i",
        "ratios of weights to shares",
    ),
    Statement(
        key="aggregation.rho_bounds/quotient", title="rho-tilde against rho-bar", sides=_quotient,
        latex=r"\tilde\rho/\overline\rho\le\Pi/\pi", **_BOUNDS,
    ),
    Statement(
        key="aggregation.rho_bounds/inverse", title="rho-bar from below", sides=_inverse,
        latex=r"1/\overline\rho\le1/\pi", **_BOUNDS,
    ),
    Statement(
        key="aggregation.eq17", source=source("eq. 17"), title="bound by pi and Pi",
        latex=_GAP + r"\frac{\Pi-\pi}\pi", sides=_seventeen,
        deduction=deductions.SEVENTEEN, **_ON_RUNS,
        uses=("aggregation.corollary4.repaired", "aggregation.rho_bounds"),
    ),
    Statement(
        key="aggregation.eq18/first", title="largest weight from below", sides=_first,
        latex=r"\Pi\min p_i\le\max_i\kappa_t^ip_i", **_EQ18,
    ),
    Statement(
        key="aggregation.eq18/second", title="largest weight from above", sides=_second,
        latex=r"\max_i\kappa_t^ip_i\le1-(N-1)\min_i\kappa_t^ip_i", **_EQ18,
    ),
    Statement(
        key="aggregation.eq18/third", title="smallest weight", sides=_third,
        latex=r"1-(N-1)\min_i\kappa_t^ip_i\le1-(N-1)\pi\min p_i", **_EQ18,
    ),
    Statement(
        key="aggregation.Pi_bound", source=source("after eq. 18"), kind="proof step",
        title="largest ratio", latex=r"\Pi\le\frac{1-(N-1)\pi\min p_i}{\min p_i}", family=SIMPLEX,
        sides=_largest_ratio, uses=("aggregation.eq18",),
    ),
    Statement(
        key="aggregation.E_bound", source=source("before eq. 19"), kind="proof step",
        title="error by pi", latex=_E_LATEX % "", family=CONSTANTS, sides=_error_printed,
        given=_least_at_optimum, strict=frozenset({"F(w_t)", "F(w*)"}),
        defines={"gap": _gap_of_losses},
        uses=("aggregation.rho_bounds", "aggregation.Pi_bound"),
    ),
    Statement(
        key="aggregation.E_bound.repaired", source=source("before eq. 19"), kind="proof step",
        title="error by pi, with the factor of E", form="repaired",
        latex=_E_LATEX % r"\frac{8L\Gamma}{3\mu}", family=CONSTANTS, sides=_error_repaired,
        given=_least_at_optimum, strict=frozenset({"F(w_t)", "F(w*)"}),
        defines={"gap": _gap_of_losses},
        uses=("aggregation.rho_bounds", "aggregation.Pi_bound"),
    ),
    Statement(
        key="aggregation.eq19", source=source("eq. 19"), title="bound by pi and the shares",
        latex=_GAP + r"\Bigl(\frac1{\pi\min p_i}-N\Bigr)", sides=_nineteen,
        deduction=deductions.NINETEEN, **_ON_RUNS,
        uses=("aggregation.eq17", "aggregation.Pi_bound"),
    ),
)  # fmt: skip
