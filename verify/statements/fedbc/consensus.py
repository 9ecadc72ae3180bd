"""Lemma B.2: the consensus error by distances of pairs (45) to (53), the lemma, (63) to (65)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from bounds import generic as xp
from bounds.fedbc import convergence as closed
from bounds.fedbc.constants import contraction_printed
from verify.claim import Array, Family, Instance, Real, Shape, Sides, statement
from verify.statements.fedbc import deductions as deduced
from verify.statements.fedbc.quantities import (
    HALF,
    OWN,
    PROOFS,
    STEPPED,
    Round,
    average_spread,
    build_run,
    dissimilarity,
    divisible,
    expected,
    first_round,
    first_rounds,
    hull_dissimilarity,
    runs,
    side_by_side,
    size,
    stiffness,
    tolerance,
)
from verify.world.world import World

PROOF = "proof of Lemma B.2"
APART = r"\|x_i^{t+1}-x_j^{t+1}\|"
ERROR = r"\|x_i^{t+1}-z^{t+1}\|^2"

# -- from the server's model to pairs (45)-(53) ----------------------------------------------------

_EVERY = (
    size(2, 2, **STEPPED),
    size(2, 1, virtual=True, **STEPPED),
    size(3, 2, virtual=True, **STEPPED),
)
MEAN = runs(*_EVERY)
"""Every device computes, so that models do not depend on the sampled set."""
_WAITING = (size(2, 1, **STEPPED), size(3, 2, **STEPPED))
WIDE = runs(_EVERY[0], size(3, 3, **STEPPED), *_EVERY[1:], *_WAITING)
"""Any dual domain, any multipliers, every participation."""


def _each(w: World, value: Callable[[Round, list[int]], Array]) -> Array:
    """A per-client quantity of every sampled set, (B, 1, sets N); value takes the set too."""
    sets = combinations(range(w.multipliers.shape[-1]), w.S)
    return side_by_side(w, [value(r, list(m)) for r, m in zip(first_rounds(w), sets, strict=True)])


def _to_members(r: Round, members: list[int]) -> Array:
    """|x_i - x_j|^2 for the sampled j, (B, 1, N, S)."""
    chosen = xp.stack([r.new[..., j] for j in members], -1)
    return (r.new[..., None] - chosen[..., None, :]) ** 2


def _shares(r: Round, members: list[int]) -> Array:
    """Weights of the sampled clients in the server's average, (B, 1, 1, S)."""
    chosen = xp.stack([r.updated[..., j] for j in members], -1)
    return (chosen / xp.total(chosen)[..., None])[..., None, :]


def _weighted(w: World) -> Array:
    return _each(w, lambda r, m: xp.total(_shares(r, m) * _to_members(r, m)))


@statement(
    "fedbc.eq45-47/jensen",
    where=PROOF,
    kind="proof step",
    title="average of local models",
    latex=ERROR
    + r"\le\sum_{j\in\mathcal S_t}\tfrac{\lambda_j^{t+1}}{\sum\lambda_j^{t+1}}"
    + APART
    + "^2",
    family=WIDE,
    uses=("fedbc.def.server",),
    note="Jensen, then weights of at most one.",
)
def eq45(w: World) -> Sides:
    return {"|x_i - z|^2": _each(w, lambda r, m: r.spread)}, {"weighted": _weighted(w)}


@eq45.like(
    "fedbc.eq45-47/sum",
    title="weights of at most one",
    note=eq45.note,
    latex=r"\sum_{j\in\mathcal S_t}\tfrac{\lambda_j^{t+1}}{\sum\lambda_j^{t+1}}"
    + APART
    + r"^2\le\sum_{j\in\mathcal S_t}"
    + APART
    + "^2",
)
def eq47(w: World) -> Sides:
    return {"weighted": _weighted(w)}, {"sum": _each(w, lambda r, m: xp.total(_to_members(r, m)))}


def _squared_distances(r: Round) -> Array:
    """|x_i - x_j|^2, (B, 1, N, N)."""
    return (r.new[..., None] - r.new[..., None, :]) ** 2


def _widest(r: Round) -> Array:
    """Largest |x_i - x_j|^2 over the pairs, (B, 1, 1)."""
    return xp.largest(xp.largest(_squared_distances(r)))[..., None]


def _total(w: World, r: Round) -> Array:
    return xp.total(_squared_distances(r)) * w.S / w.multipliers.shape[-1]


@eq45.like(
    "fedbc.eq50-53/mean@V",
    title="mean over the sampled set",
    family=MEAN,
    uses=("fedbc.eq45-47",),
    latex=r"\mathbb E_{\mathcal S_t}" + ERROR + r"\le\tfrac SN\sum_j" + APART + "^2",
    note="The models do not depend on the sampled set, so its mean passes to j in S_t.",
)
def eq50(w: World) -> Sides:
    return {"E |x_i - z|^2": expected([r.spread for r in first_rounds(w)])}, {
        "S/N sum": expected([_total(w, r) for r in first_rounds(w)])
    }


eq50_waiting = eq50.variant(
    "fedbc.eq50-53/mean@A",
    family=runs(*_WAITING),
    note="""The models depend on the sampled set; even with a mean over the sets on the right, a
    device that waits beside one that moves away is at the whole distance from z, not at S/N of
    it.""",
)


@eq45.like(
    "fedbc.eq50-53/widest",
    title="widest pair",
    note="N - 1 summands, each at most the largest.",
    latex=r"\tfrac SN\sum_{j\ne i}" + APART + r"^2\le\tfrac{S(N-1)}N\triangle x^{t+1}",
)
def eq53(w: World) -> Sides:
    n, r = w.multipliers.shape[-1], first_round(w)
    return {"S/N sum": _total(w, r)}, {"S (N-1)/N widest": w.S * (n - 1) * _widest(r) / n}


# -- the lemma: order and constants (44) -----------------------------------------------------------

LEMMA = "Lemma B.2 (44)"
_FULL = (size(1, 1, **STEPPED), size(2, 2, **STEPPED), size(3, 3, **STEPPED))
_SAMPLED = (size(2, 1, virtual=True, **STEPPED), size(2, 1, rounds=2, virtual=True, **STEPPED))
_AVERAGE = r"\frac1T\sum_t\frac1N\sum_i\mathbb E" + ERROR
_AT = {
    "height": 1,
    "width": 1,
    "start": 0,
    "starts": 2,
    "high": 0,
    "place": 0,
    "gamma": 1,
    "dual_step": 1,
}
"""L = 1 and lambda = 2; the server begins at 0, the devices at 2."""


def _near(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two devices of one curvature and one multiplier with wells at 0 and at a shift."""
    same = {k: values[k][..., :1] + 0 * values[k] for k in ("height", "place")}
    centre = xp.stack([0 * values["shift"], values["shift"]], -1)[..., None]
    rest = {k: v for k, v in values.items() if k != "shift"}
    return build_run("own", {**rest, **same, "centre": centre}, shape)


def _near_family(*shapes: Shape) -> Family:
    """The shift alone moves, along a ray too: the constants of an order may depend on all else."""
    box = runs(size(2, 2), domain="own").box
    box = {k: Real(_AT[k], _AT[k], per=p.per) for k, p in box.items() if k in _AT}
    return Family(
        {"shift": Real(1 / 16, 1, log=True), **box},
        shapes,
        _near,
        "two devices of one multiplier whose wells are a shift apart",
    )


@statement(
    "fedbc.lemmaB2@V",
    where=LEMMA,
    kind="lemma",
    title="consensus error",
    relation="<~",
    latex=_AVERAGE + r"\le\mathcal O(\epsilon)+\mathcal O(\delta^2)",
    given=OWN,
    family=_near_family(size(2, 2), size(2, 1, virtual=True)),
    uses=("fedbc.eq64-65",),
    note="The explicit form has constants of this order.",
)
def lemma(w: World) -> Sides:
    return {"average": average_spread(w)}, {
        "epsilon": tolerance(w),
        "delta^2": dissimilarity(w) ** 2,
    }


lemma_waiting = lemma.variant(
    "fedbc.lemmaB2@A",
    family=_near_family(size(2, 1)),
    note="""A device that waits stays where it began, at any distance from z, while exact local
    solutions and like losses make epsilon zero and delta as small as one likes.""",
)


@statement(
    "fedbc.lemmaB2.explicit",
    where=LEMMA,
    kind="lemma",
    title="consensus error, with constants",
    latex=_AVERAGE + r"\le2\epsilon+\tfrac12\delta^2",
    given=OWN,
    family=runs(*_FULL, *_SAMPLED, domain="own"),
    uses=("fedbc.def.server", "fedbc.eq59.repaired"),
    note="Every device computing in every round; lambda_i^t >= 1 + L_i makes 2 and 1/2 do.",
    proof="""z^{t+1} is an average of local models, so |x_i - z| <= max_j |x_i - x_j|, which is at
    most sqrt(epsilon) + delta/2: a_j (2 a_i - L_i) |x_i - x_j| <= (a_i + a_j) sqrt(epsilon) +
    delta, where 2 a_i - L_i >= a_i + 1 and a_j >= 1. Square.""",
)
def lemma_explicit(w: World) -> Sides:
    return {"average": average_spread(w)}, {
        "2 epsilon": 2 * tolerance(w),
        "delta^2/2": hull_dissimilarity(w) ** 2 / 2,
    }


@lemma_explicit.like(
    "fedbc.lemmaB2.refined",
    title="consensus error, any dual domain above L/2",
    latex=_AVERAGE
    + r"\le\Bigl(\frac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}\Bigr)^2",
    family=runs(*_FULL, *_SAMPLED, domain="half"),
    given=HALF,
    uses=("fedbc.def.server",),
    note="((2 sqrt(epsilon) + delta/lambda_min)/(2 lambda_min - L))^2, every device computing.",
    proof="""z^{t+1} is an average of local models, so |x_i - z| <= max_j |x_i - x_j|. For a pair
    with a_i <= a_j: 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i) - a_i grad
    f_j(x_j)), and the bracket is at most a_j L_i |x_i - x_j| + delta; divide by a_j.""",
)
def lemma_refined(w: World) -> Sides:
    return {"average": average_spread(w)}, {
        "widest": closed.consensus_upper(tolerance(w), hull_dissimilarity(w), w.lambda_min, w.beta)
    }


# -- the widest pair and the sum (63)-(65) ---------------------------------------------------------


@eq45.like(
    "fedbc.eq63/widest",
    title="widest pair",
    uses=("fedbc.eq50-53",),
    latex=r"\mathbb E_t" + ERROR + r"\le\max_{i,j}" + APART + "^2",
    note="z is an average of local models; where devices wait both sides are means over the sets.",
)
def eq63_widest(w: World) -> Sides:
    return {"E |x_i - z|^2": expected([r.spread for r in first_rounds(w)])}, {
        "widest": expected([_widest(r) for r in first_rounds(w)])
    }


@statement(
    "fedbc.eq63/square",
    where=PROOF,
    kind="proof step",
    title="widest pair, bounded",
    latex=r"\max_{i,j}"
    + APART
    + r"^2\le\sum_{j\ne i}\frac{2S(N-1)\epsilon}{C_0^2N(1+L_i)^2}+\frac{S(N-1)\delta^2}{C_0^2N(1+L_i)^4}",
    family=runs(_FULL[1], _SAMPLED[0], domain="proofs"),
    given=[*PROOFS, divisible],
    deduction=deduced.EQ63,
    uses=("fedbc.eq62", "fedbc.eq50-53"),
    note="""The square of (62), with S (N-1)/N before it, and a maximum bounded by it. Of two
    devices one j is left, so that it does not matter how far the sum over j reaches.""",
)
def eq63(w: World) -> Sides:
    L, epsilon, delta = stiffness(w), tolerance(w)[..., None], dissimilarity(w)[..., None]
    n = L.shape[-1]
    share = w.S * (n - 1) / (contraction_printed(w.beta, w.lambda_max)[..., None] ** 2 * n)
    return {"widest": _widest(first_round(w))}, {
        "epsilon": (n - 1) * 2 * share * epsilon / (1 + L) ** 2,
        "delta^2": share * delta**2 / (1 + L) ** 4,
    }


def _own_contraction(w: World) -> Array:
    """C_i = 1 - lambda_max L_i/(1 + L_i)^2 of (61), (B, 1, N)."""
    L = stiffness(w)
    return 1 - w.lambda_max[..., None] * L / (1 + L) ** 2


def _own_terms(w: World) -> dict[str, Array]:
    """Twice the summands of (65), with C_i for C_0, (B, 1, N)."""
    L, C = stiffness(w), _own_contraction(w)
    n = L.shape[-1]
    share = 2 * w.S * (n - 1) / (C**2 * n)
    return {
        "epsilon": share * tolerance(w)[..., None] / (1 + L) ** 2,
        "delta^2": share * hull_dissimilarity(w)[..., None] ** 2 / (1 + L) ** 4,
    }


_OWN_SUMS = r"\frac{2S(N-1)}{N^2}\sum_i\frac1{C_i^2}\Bigl(\frac\epsilon{(1+L_i)^2}+\frac{\delta^2}{(1+L_i)^4}\Bigr),\quad C_i=1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}"


@eq63.like(
    "fedbc.eq63.repaired",
    title="consensus error of one device",
    latex=r"\mathbb E_t"
    + ERROR
    + r"\le\frac{2S(N-1)}{NC_i^2}\Bigl(\frac\epsilon{(1+L_i)^2}+\frac{\delta^2}{(1+L_i)^4}\Bigr),\quad C_i=1-\frac{\lambda_{\max}L_i}{(1+L_i)^2}",
    family=runs(*_FULL, _SAMPLED[0], domain="proofs"),
    given=PROOFS,
    uses=("fedbc.eq62.repaired", "fedbc.eq50-53/mean@V", "fedbc.eq50-53/widest"),
    note="Every device computing; 2 before both terms, C_i, and no maximum in between.",
    proof="""(52) has N - 1 summands other than 0, each at most the square of the repaired (62) for
    this i; (a + b)^2 <= 2 a^2 + 2 b^2.""",
)
def eq63_repaired(w: World) -> Sides:
    return {"E |x_i - z|^2": expected([r.spread for r in first_rounds(w)])}, _own_terms(w)


@statement(
    "fedbc.eq64-65",
    where=PROOF,
    kind="proof step",
    title="sum over rounds",
    latex=r"\tfrac1N\sum_t\sum_i\mathbb E"
    + ERROR
    + r"\le T\,\frac{S(N-1)}{C_0^2N^2}\Bigl(\epsilon\sum_i\frac1{(1+L_i)^2}+\delta^2\sum_i\frac1{(1+L_i)^4}\Bigr)",
    family=runs(*_FULL[1:], domain="proofs"),
    given=[*PROOFS, divisible],
    deduction=deduced.EQ65,
    uses=("fedbc.eq63",),
    note="""With residuals of opposite sign on a hump two models are 2 sqrt(epsilon)/(2 lambda - L)
    apart, more than these constants allow once L > 1 + sqrt 2.""",
)
def eq65(w: World) -> Sides:
    right = closed.consensus_printed(
        tolerance(w), dissimilarity(w), stiffness(w), w.lambda_max, w.S
    )
    return {"sum": w.rounds * average_spread(w)}, {k: w.rounds * v for k, v in right.items()}


@eq65.like(
    "fedbc.eq64-65.repaired",
    latex=r"\tfrac1N\sum_t\sum_i\mathbb E" + ERROR + r"\le T\," + _OWN_SUMS,
    family=runs(*_FULL, *_SAMPLED, domain="proofs"),
    given=PROOFS,
    uses=("fedbc.eq63.repaired",),
    note="Every device computing; the constants of (65) with a factor 2, and with C_i for C_0.",
    proof="The repaired (63), averaged over devices and summed over t.",
)
def eq65_repaired(w: World) -> Sides:
    return {"sum": w.rounds * average_spread(w)}, {
        k: w.rounds * xp.mean(v) for k, v in _own_terms(w).items()
    }
