"""Lemma B.2: the consensus error by distances of pairs (45) to (53), its sum (44), (63) to (65)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

from bounds import fedbc as closed
from bounds import generic as xp
from bounds.fedbc_constants import contraction_printed
from verify.claim import Array, Sides, statement
from verify.statements.fedbc import deductions as deduced
from verify.statements.fedbc.common import STEPPED, runs, size
from verify.statements.fedbc.conditions import CONTRACTING, HALF, in_domain, stiffness
from verify.statements.fedbc.domain import dissimilarity
from verify.statements.fedbc.measures import average_spread, tolerance
from verify.statements.fedbc.rounds import Round, expected, first_round, first_rounds, side_by_side
from verify.world.world import World

PROOF = "proof of Lemma B.2"
APART = r"\|x_i^{t+1}-x_j^{t+1}\|"
ERROR = r"\|x_i^{t+1}-z^{t+1}\|^2"

# -- from the server's model to pairs (45)-(53) ----------------------------------------------------

_EVERY = (size(2, 2, **STEPPED), size(2, 1, virtual=True, **STEPPED), size(3, 2, virtual=True))
MEAN = runs(*_EVERY, domain="wide")
"""Every device computes, so that models do not depend on the sampled set."""
WIDE = runs(_EVERY[0], size(3, 3, **STEPPED), *_EVERY[1:], domain="wide")
"""The same, and three devices of three."""


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
    "fedbc.eq45-47/jensen", where=PROOF, kind="proof step", title="average of local models",
    latex=ERROR + r"\le\sum_{j\in\mathcal S_t}\tfrac{\lambda_j^{t+1}}{\sum\lambda_j^{t+1}}" + APART + "^2",
    family=WIDE, given=[in_domain], uses=("fedbc.def.server",),
    note="Jensen, then weights of at most one.",
)
def eq45(w: World) -> Sides:
    return {"|x_i - z|^2": _each(w, lambda r, m: r.spread)}, {"weighted": _weighted(w)}


@eq45.like(
    "fedbc.eq45-47/sum", title="weights of at most one", note=eq45.note,
    latex=r"\sum_{j\in\mathcal S_t}\tfrac{\lambda_j^{t+1}}{\sum\lambda_j^{t+1}}" + APART + r"^2\le\sum_{j\in\mathcal S_t}" + APART + "^2",
)
def eq47(w: World) -> Sides:
    return {"weighted": _weighted(w)}, {"sum": _each(w, lambda r, m: xp.total(_to_members(r, m)))}


def _squared_distances(r: Round) -> Array:
    """|x_i - x_j|^2, (B, 1, N, N)."""
    return (r.new[..., None] - r.new[..., None, :]) ** 2


def _widest(r: Round) -> Array:
    """Largest |x_i - x_j|^2 over the pairs, (B, 1, 1)."""
    return xp.largest(xp.largest(_squared_distances(r)))[..., None]


def _total(w: World) -> Array:
    return xp.total(_squared_distances(first_round(w))) * w.S / w.multipliers.shape[-1]


@eq45.like(
    "fedbc.eq50-53/mean", title="mean over the sampled set", family=MEAN, uses=("fedbc.eq45-47",),
    latex=r"\mathbb E_{\mathcal S_t}" + ERROR + r"\le\tfrac SN\sum_j" + APART + "^2",
    note="Under V the models do not depend on the sampled set, so its mean passes to j in S_t.",
)
def eq50(w: World) -> Sides:
    return {"E |x_i - z|^2": expected([r.spread for r in first_rounds(w)])}, {"S/N sum": _total(w)}


@eq50.like(
    "fedbc.eq50-53/widest", title="widest pair", note=eq50.note,
    latex=r"\tfrac SN\sum_{j\ne i}" + APART + r"^2\le\tfrac{S(N-1)}N\triangle x^{t+1}",
)
def eq53(w: World) -> Sides:
    n = w.multipliers.shape[-1]
    return {"S/N sum": _total(w)}, {"S (N-1)/N widest": w.S * (n - 1) * _widest(first_round(w)) / n}


# -- the lemma -------------------------------------------------------------------------------------

_FULL = (size(1, 1, **STEPPED), size(2, 2, **STEPPED), size(3, 3, **STEPPED))
_SAMPLED = (size(2, 1, virtual=True, **STEPPED), size(2, 1, rounds=2, virtual=True))
READINGS = {
    "V": runs(*_FULL[:2], *_SAMPLED),
    "A": runs(*_FULL[:2], size(2, 1), size(2, 1, **STEPPED)),
}
"""Devices outside the sampled set: every device computes, or they keep model and multiplier."""
_SUMS = r"\frac{S(N-1)}{C_0^2N^2}\Bigl(\epsilon\sum_i\frac1{(1+L_i)^2}+\delta^2\sum_i\frac1{(1+L_i)^4}\Bigr)"
_AVERAGE = r"\frac1T\sum_t\frac1N\sum_i\mathbb E" + ERROR


@statement(
    "fedbc.lemmaB2@V", where="Lemma B.2 (44), (65)", kind="lemma", title="consensus error",
    latex=_AVERAGE + r"\le" + _SUMS, family=READINGS["V"], given=CONTRACTING,
    uses=("fedbc.eq64-65",),
    note="""Constants of (65). With residuals of opposite sign on a hump two models are
    2 sqrt(epsilon)/(2 lambda - L) apart, more than these constants allow once L > 1 + sqrt 2.""",
)
def lemma(w: World) -> Sides:
    return {"average": average_spread(w)}, closed.consensus_printed(
        tolerance(w), dissimilarity(w), stiffness(w), w.lambda_max, w.S
    )


lemma_literal = lemma.variant("fedbc.lemmaB2@A", family=READINGS["A"])


@statement(
    "fedbc.lemmaB2.repaired", where="Lemma B.2 (44)", kind="lemma",
    title="consensus error, every device computing",
    latex=_AVERAGE + r"\le\Bigl(\frac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}\Bigr)^2",
    family=runs(*_FULL, *_SAMPLED, domain="convex"), given=HALF,
    uses=("fedbc.def.server", "fedbc.eq62.repaired"),
    note="((2 sqrt(epsilon) + delta/lambda_min)/(2 lambda_min - L))^2, every device computing.",
    proof="""z^{t+1} is an average of local models, so |x_i - z| <= max_j |x_i - x_j|. For a pair
    with a_i <= a_j: 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i) - a_i grad
    f_j(x_j)), and the bracket is at most a_j L_i |x_i - x_j| + delta; divide by a_j.""",
)
def lemma_repaired(w: World) -> Sides:
    return {"average": average_spread(w)}, {
        "widest": closed.consensus_upper(tolerance(w), dissimilarity(w), w.lambda_min, w.beta)
    }


# -- the widest pair and the sum (63)-(65) ---------------------------------------------------------

eq63_note = "The square of (62), with S (N-1)/N before it, and a maximum bounded by it."


@eq50.like(
    "fedbc.eq63/widest", title="widest pair", uses=("fedbc.eq50-53",), note=eq63_note,
    latex=r"\mathbb E_t" + ERROR + r"\le\max_{i,j}" + APART + "^2",
)
def eq63_widest(w: World) -> Sides:
    mean = expected([r.spread for r in first_rounds(w)])
    return {"E |x_i - z|^2": mean}, {"widest": _widest(first_round(w))}


def _eq63(w: World, both: bool) -> Sides:
    L, epsilon, delta = stiffness(w), tolerance(w), dissimilarity(w)
    n = L.shape[-1]
    share = w.S * (n - 1) / (contraction_printed(w.beta, w.lambda_max)[..., None] ** 2 * n)
    last = share * delta[..., None] ** 2 / (1 + L) ** 4
    return {"widest": _widest(first_round(w))}, {
        "epsilon": (n - 1) * 2 * share * epsilon[..., None] / (1 + L) ** 2,
        "delta^2": (n - 1) * last if both else last,
    }


EQ63 = tuple(
    statement(
        f"fedbc.eq63/square@{reading}", where=PROOF, kind="proof step",
        title="widest pair, bounded", latex=r"\max_{i,j}" + APART + r"^2\le\sum_{j\ne i}\frac{2S(N-1)\epsilon}{C_0^2N(1+L_i)^2}+\frac{S(N-1)\delta^2}{C_0^2N(1+L_i)^4}",
        family=runs(_FULL[1], _SAMPLED[0]), given=CONTRACTING, deduction=deduced.EQ63,
        uses=("fedbc.eq62", "fedbc.eq50-53"), note=eq63_note,
    )(partial(_eq63, both=reading == "both"))
    for reading in ("first", "both")
)
eq63_repaired = lemma_repaired.variant(
    "fedbc.eq63.repaired", where=PROOF, kind="proof step", title="widest pair, bounded")


@lemma.like(
    "fedbc.eq64-65@V", where=PROOF, kind="proof step", title="sum over rounds",
    latex=r"\tfrac1N\sum_t\sum_i\mathbb E" + ERROR + r"\le T\," + _SUMS, deduction=deduced.EQ65,
    uses=("fedbc.eq63",), note="T times the constants of the lemma.",
)
def eq65(w: World) -> Sides:
    left, right = lemma(w)
    return {"sum": w.rounds * left["average"]}, {k: w.rounds * v for k, v in right.items()}


eq65_literal = eq65.variant("fedbc.eq64-65@A", family=READINGS["A"])
eq65_repaired = eq63_repaired.variant(
    "fedbc.eq64-65.repaired", title="average over rounds", uses=("fedbc.eq63.repaired",))
