"""Lemma B.2: the consensus error by distances of pairs (45) to (53), the lemma, (63) to (65)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from bounds import generic as xp
from bounds.fedbc import convergence as closed
from verify.claim import Array, Family, Instance, Real, Shape, Sides
from verify.statements.fedbc import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
proof of Lemma B.2 :: proof step
    eq45-47/jensen :: average of local models :: \|x_i^{t+1}-z^{t+1}\|^2\le\sum_{j\in\mathcal S_t}\tfrac{\lambda_j^{t+1}}{\sum\lambda_j^{t+1}}\|x_i^{t+1}-x_j^{t+1}\|^2 <- def.server
    eq45-47/sum :: weights of at most one :: \sum_{j\in\mathcal S_t}\tfrac{\lambda_j^{t+1}}{\sum\lambda_j^{t+1}}\|x_i^{t+1}-x_j^{t+1}\|^2\le\sum_{j\in\mathcal S_t}\|x_i^{t+1}-x_j^{t+1}\|^2
    eq50-53/mean :: mean over the sampled set :: \mathbb E_{\mathcal S_t}\|x_i^{t+1}-z^{t+1}\|^2\le\tfrac SN\sum_j\|x_i^{t+1}-x_j^{t+1}\|^2 <- eq45-47
    eq50-53/widest :: widest pair :: \tfrac SN\sum_{j\ne i}\|x_i^{t+1}-x_j^{t+1}\|^2\le\tfrac{S(N-1)}N\triangle x^{t+1}
    eq63/widest :: widest pair :: \mathbb E_t\|x_i^{t+1}-z^{t+1}\|^2\le\max_{i,j}\|x_i^{t+1}-x_j^{t+1}\|^2 <- eq50-53
    eq63/square@printed+V :: widest pair, bounded :: \max_{i,j}\|x_i^{t+1}-x_j^{t+1}\|^2\le\sum_{j\ne i}\frac{2S(N-1)\epsilon}{C_0^2N(1+L_i)^2}+\frac{S(N-1)\delta^2}{C_0^2N(1+L_i)^4} <- eq62 eq50-53
    eq63/square@printed+A :: widest pair, bounded :: \max_{i,j}\|x_i^{t+1}-x_j^{t+1}\|^2\le\sum_{j\ne i}\frac{2S(N-1)\epsilon}{C_0^2N(1+L_i)^2}+\frac{S(N-1)\delta^2}{C_0^2N(1+L_i)^4} <- eq62 eq50-53
    eq63/square :: consensus error of one device :: \mathbb E_t\|x_i^{t+1}-z^{t+1}\|^2\le\frac{2S(N-1)}{NC_i^2}\Bigl(\frac\epsilon{(1+L_i)^2}+\frac{\delta^2}{(1+L_i)^4}\Bigr),\quad C_i=1-\frac{\lambda_{\max}L_i}{(1+L_i)^2} <- eq62@traced eq50-53/mean@V eq50-53/widest
    eq64-65@printed+V :: sum over rounds :: \tfrac1N\sum_t\sum_i\mathbb E\|x_i^{t+1}-z^{t+1}\|^2\le T\,\frac{S(N-1)}{C_0^2N^2}\Bigl(\epsilon\sum_i\frac1{(1+L_i)^2}+\delta^2\sum_i\frac1{(1+L_i)^4}\Bigr) <- eq63
    eq64-65@printed+A :: sum over rounds :: \tfrac1N\sum_t\sum_i\mathbb E\|x_i^{t+1}-z^{t+1}\|^2\le T\,\frac{S(N-1)}{C_0^2N^2}\Bigl(\epsilon\sum_i\frac1{(1+L_i)^2}+\delta^2\sum_i\frac1{(1+L_i)^4}\Bigr) <- eq63
    eq64-65 :: sum over rounds :: \tfrac1N\sum_t\sum_i\mathbb E\|x_i^{t+1}-z^{t+1}\|^2\le T\,\frac{2S(N-1)}{N^2}\sum_i\frac1{C_i^2}\Bigl(\frac\epsilon{(1+L_i)^2}+\frac{\delta^2}{(1+L_i)^4}\Bigr),\quad C_i=1-\frac{\lambda_{\max}L_i}{(1+L_i)^2} <- eq63/square@traced+V
Lemma B.2 (44) :: lemma
    lemmaB2 :: consensus error :: \frac1T\sum_t\frac1N\sum_i\mathbb E\|x_i^{t+1}-z^{t+1}\|^2\le\mathcal O(\epsilon)+\mathcal O(\delta^2) <- eq64-65
    lemmaB2.explicit :: consensus error, with constants :: \frac1T\sum_t\frac1N\sum_i\mathbb E\|x_i^{t+1}-z^{t+1}\|^2\le2\epsilon+\tfrac12\delta^2 <- def.server eq59@as-used
    lemmaB2.explicit/order :: consensus error, the order with its constants :: \frac1T\sum_t\frac1N\sum_i\mathbb E\|x_i^{t+1}-z^{t+1}\|^2\le2\epsilon+\tfrac12\delta^2 <- def.server eq59@as-used
    lemmaB2.refined :: consensus error, any dual domain above L/2 :: \frac1T\sum_t\frac1N\sum_i\mathbb E\|x_i^{t+1}-z^{t+1}\|^2\le\Bigl(\frac{2\sqrt\epsilon+\delta/\lambda_{\min}}{2\lambda_{\min}-L}\Bigr)^2 <- def.server
""")

follows, shown = q.deductions(
    claim,
    r"""
proof of Lemma B.2
(62) :: \|x_i^{t+1}-x_j^{t+1}\|\le\frac{\sqrt\epsilon}{C_0(1+L_i)}+\frac\delta{C_0(1+L_i)^2} :: (62), its s left out
(63) of 1 :: \mathbb E_t\|x_1^{t+1}-z^{t+1}\|^2\le\tfrac\epsilon{C_0^2(1+L_1)^2}+c\,\delta^2 :: (63) for N = 2, S = 1
(63) of 2 :: \mathbb E_t\|x_2^{t+1}-z^{t+1}\|^2\le\tfrac\epsilon{C_0^2(1+L_2)^2}+c\,\delta^2 :: (63) for N = 2, S = 1
""",
)


# -- from the server's model to pairs (45)-(53) ----------------------------------------------------


@quantity
def _each(w: World, value: Callable[[q.Round, list[int]], Array]) -> Array:
    """A per-client quantity of every sampled set, (B, 1, sets N); value takes the set too."""
    sets = combinations(range(w.multipliers.shape[-1]), w.S)
    rounds = zip(q.first_rounds(w), sets, strict=True)
    return q.side_by_side(w, [value(r, list(members)) for r, members in rounds])


def _to_members(r: q.Round, members: list[int]) -> Array:
    """|x_i - x_j|^2 for the sampled j, (B, 1, N, S)."""
    chosen = xp.stack([r.new[..., j] for j in members], -1)
    return (r.new[..., None] - chosen[..., None, :]) ** 2


def _shares(r: q.Round, members: list[int]) -> Array:
    """Weights of the sampled clients in the server's average, (B, 1, 1, S)."""
    chosen = xp.stack([r.updated[..., j] for j in members], -1)
    return (chosen / xp.total(chosen)[..., None])[..., None, :]


def _weighted_distance(r: q.Round, members: list[int]) -> Array:
    return xp.total(_shares(r, members) * _to_members(r, members))


def _whole_distance(r: q.Round, members: list[int]) -> Array:
    return xp.total(_to_members(r, members))


def _from_server(r: q.Round, members: list[int]) -> Array:
    return r.spread


def _weighted(w: World) -> Array:
    return _each(w, _weighted_distance)


@claim("eq45-47/jensen", family=q.WIDE)
def eq45(w: World) -> Sides:
    """Jensen, then weights of at most one."""
    return {"|x_i - z|^2": _each(w, _from_server)}, {"weighted": _weighted(w)}


@claim("eq45-47/sum", family=q.WIDE)
def eq47(w: World) -> Sides:
    """Jensen, then weights of at most one."""
    total = _each(w, _whole_distance)
    return {"weighted": _weighted(w)}, {"sum": total}


def _squared_distances(r: q.Round) -> Array:
    """|x_i - x_j|^2, (B, 1, N, N)."""
    return (r.new[..., None] - r.new[..., None, :]) ** 2


def _widest(r: q.Round) -> Array:
    """Largest |x_i - x_j|^2 over the pairs, (B, 1, 1)."""
    return xp.largest(xp.largest(_squared_distances(r)))[..., None]


def _spread(w: World, r: q.Round) -> Array:
    return r.spread


def _total(w: World, r: q.Round) -> Array:
    return xp.total(_squared_distances(r)) * w.S / w.multipliers.shape[-1]


@quantity
def _mean(w: World, value: Callable[[World, q.Round], Array]) -> Array:
    """A quantity of the first round in the mean over the sampled sets."""
    return q.expected([value(w, r) for r in q.first_rounds(w)])


def _widest_of(w: World, r: q.Round) -> Array:
    return _widest(r)


NOTES50 = {
    "V": "The models do not depend on the sampled set, so its mean passes to j in S_t.",
    "A": """The models depend on the sampled set; even with a mean over the sets on the right, a
    device that waits beside one that moves away is at the whole distance from z, not at S/N of
    it.""",
}


@claim(
    "eq50-53/mean",
    readings=("participation: V, A",),
    family=lambda r: q.runs(*(q.COMPUTING if "V" in r else q.WAITING)),
    note=lambda r: NOTES50[r.participation],
)
def eq50(w: World) -> Sides:
    total = _mean(w, _total)
    return {"E |x_i - z|^2": _mean(w, _spread)}, {"S/N sum": total}


@claim("eq50-53/widest", family=q.WIDE)
def eq53(w: World) -> Sides:
    """N - 1 summands, each at most the largest."""
    n, r = w.multipliers.shape[-1], q.first_round(w)
    return {"S/N sum": _total(w, r)}, {"S (N-1)/N widest": w.S * (n - 1) * _widest(r) / n}


# -- the lemma: order and constants (44) -----------------------------------------------------------

_FULL = (*q.FULL, q.size(3, 3, **q.STEPPED))
_SAMPLED = tuple(q.size(2, 1, rounds=t, virtual=True, **q.STEPPED) for t in (1, 2))
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
    return q.build_run("own", {**rest, **same, "centre": centre}, shape)


def _near_family(*shapes: Shape) -> Family:
    """The shift alone moves, along a ray too: the constants of an order may depend on all else."""
    own = q.dual_box("own")
    box = {k: Real(_AT[k], _AT[k], per=p.per) for k, p in own.items() if k in _AT}
    about = "two devices of one multiplier whose wells are a shift apart"
    return Family({"shift": Real(1 / 16, 1, log=True), **box}, shapes, _near, about)


FAMILIES = {
    "V": _near_family(q.size(2, 2), q.size(2, 1, virtual=True)),
    "A": _near_family(q.size(2, 1)),
}
NOTES = {
    "V": "The explicit form has constants of this order.",
    "A": """A device that waits stays where it began, at any distance from z, while exact local
    solutions and like losses make epsilon zero and delta as small as one likes.""",
}


@claim(
    "lemmaB2",
    readings=("participation: V, A",),
    relation="<~",
    family=lambda r: FAMILIES[r.participation],
    given=q.PROOFS,
    note=lambda r: NOTES[r.participation],
)
def lemma(w: World) -> Sides:
    right = {"epsilon": q.tolerance(w), "delta^2": q.dissimilarity(w) ** 2}
    return {"average": q.average_spread(w)}, right


@claim("lemmaB2.explicit", family=q.runs(*_FULL, *_SAMPLED, domain="own"), given=q.OWN)
def lemma_explicit(w: World) -> Sides:
    """Every device computing in every round; lambda_i^t >= 1 + L_i makes 2 and 1/2 do.

    Proof. z^{t+1} is an average of local models, so |x_i - z| <= max_j |x_i - x_j|, which is at
    most sqrt(epsilon) + delta/2: a_j (2 a_i - L_i) |x_i - x_j| <= (a_i + a_j) sqrt(epsilon) +
    delta, where 2 a_i - L_i >= a_i + 1 and a_j >= 1. Square."""
    right = {"2 epsilon": 2 * q.tolerance(w), "delta^2/2": q.hull_dissimilarity(w) ** 2 / 2}
    return {"average": q.average_spread(w)}, right


lemma_bounded = claim.bounded(
    lemma.leaf("V"),
    "lemmaB2.explicit/order",
    lambda c: {"epsilon": 2, "delta^2": Fraction(1, 2)},
    says="2 before epsilon and 1/2 before delta^2",
    family=q.runs(*_FULL, *_SAMPLED, domain="own"),
    given=q.OWN,
    proof="As above: the X of the order holds the models, so that its delta is no smaller.",
)


@claim(
    "lemmaB2.refined",
    like=lemma_explicit,
    family=q.runs(*_FULL, *_SAMPLED, domain="half"),
    given=q.HALF,
)
def lemma_refined(w: World) -> Sides:
    """((2 sqrt(epsilon) + delta/lambda_min)/(2 lambda_min - L))^2, every device computing.

    Proof. z^{t+1} is an average of local models, so |x_i - z| <= max_j |x_i - x_j|. For a pair with
    a_i <= a_j: 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i) - a_i grad f_j(x_j)),
    and the bracket is at most a_j L_i |x_i - x_j| + delta; divide by a_j."""
    delta = q.hull_dissimilarity(w)
    widest = closed.consensus_upper(q.tolerance(w), delta, w.lambda_min, w.beta)
    return {"average": q.average_spread(w)}, {"widest": widest}


# -- the widest pair and the sum (63)-(65) ---------------------------------------------------------


@claim("eq63/widest", family=q.WIDE)
def eq63_widest(w: World) -> Sides:
    """z is an average of local models; where devices wait both sides are means over the sets."""
    return {"E |x_i - z|^2": _mean(w, _spread)}, {"widest": _mean(w, _widest_of)}


@follows(
    "eq63",
    "distance root delta first+ second+",
    shown("(62)", lambda w: w.root * w.first + w.delta * w.second - w.distance),
    note="""N = 2, S = 1, so 2 S (N-1)/N = 1; first and second are 1/(C_0 (1 + L)), 1/(C_0 (1 +
    L)^2).""",
)
def square_of_62(w: World) -> Sides:
    right = {"epsilon": w.root**2 * w.first**2, "delta^2": (w.delta * w.second) ** 2 / 2}
    return {"distance^2": w.distance**2}, right


@claim(
    "eq63/square@printed+V",
    family=q.runs(_FULL[1], _SAMPLED[0], domain="proofs"),
    given=[*q.PROOFS, q.dividing],
    deduction=square_of_62,
)
def eq63(w: World) -> Sides:
    """The square of (62), with S (N-1)/N before it, and a maximum bounded by it. The sum over j
    covers both terms, which is the larger of its two readings."""
    L, epsilon, delta = q.stiffness(w), q.tolerance(w)[..., None], q.dissimilarity(w)[..., None]
    n = L.shape[-1]
    share = w.S * (n - 1) / (q.c0(w)[..., None] ** 2 * n)
    return {"widest": _widest(q.first_round(w))}, {
        "epsilon": (n - 1) * 2 * share * epsilon / (1 + L) ** 2,
        "delta^2": (n - 1) * share * delta**2 / (1 + L) ** 4,
    }


@claim(
    "eq63/square@traced+V",
    like=eq63,
    family=q.runs(*_FULL, _SAMPLED[0], domain="proofs"),
    given=q.PROOFS,
)
def eq63_traced(w: World) -> Sides:
    """Every device computing; 2 before both terms, C_i, and no maximum in between.

    Proof. (52) has N - 1 summands other than 0, each at most the square of (62) with C_i, for
    this i; (a + b)^2 <= 2 a^2 + 2 b^2."""
    return {"E |x_i - z|^2": _mean(w, _spread)}, q.consensus_traced(w, q.hull_dissimilarity(w))


WAITS = """A device that waits stays where it was, at any distance from z: neither its residual nor
delta bounds that. Both sides are means over the sampled sets."""
ONE_WAITS = q.runs(q.size(2, 1, **q.STEPPED), domain="proofs")
eq63_waits = claim.variant(eq63, "eq63/square@printed+A", family=ONE_WAITS, note=WAITS)
eq63_traced_waits = claim.variant(
    eq63_traced, "eq63/square@traced+A", family=ONE_WAITS, note=WAITS, proof=""
)


@follows(
    "eq64-65",
    "one other root first+ second+ delta third+",
    shown("(63) of 1", lambda w: w.root**2 * w.first + w.delta * w.third - w.one),
    shown("(63) of 2", lambda w: w.root**2 * w.second + w.delta * w.third - w.other),
    note="""N = 2, S = 1: (63) with 2 S (N-1)/N = 1, its average with S (N-1)/N^2 = 1/4 for each. c
    delta^2 is the last term of (63), alike for both clients.""",
)
def mean_of_63(w: World) -> Sides:
    right = {"epsilon": w.root**2 * (w.first + w.second) / 4, "delta^2": w.delta * w.third}
    return {"mean": (w.one + w.other) / 2}, right


@claim(
    "eq64-65@printed+V",
    family=q.runs(*_FULL[1:], _SAMPLED[0], domain="proofs"),
    given=[*q.PROOFS, q.dividing],
    deduction=mean_of_63,
)
def eq65(w: World) -> Sides:
    """With residuals of opposite sign on a hump two models are 2 sqrt(epsilon)/(2 lambda - L)
    apart. One of them sampled, the mean is 2 epsilon/(2 + L)^2 for lambda = 1 + L, where these
    constants allow epsilon/(2 C_0^2 (1 + L)^2), and C_0 is near 3/4 for large L."""
    return {"sum": w.rounds * q.average_spread(w)}, {
        k: w.rounds * v for k, v in q.consensus_printed(w).items()
    }


@claim(
    "eq64-65@traced+V", like=eq65, family=q.runs(*_FULL, *_SAMPLED, domain="proofs"), given=q.PROOFS
)
def eq65_traced(w: World) -> Sides:
    """Every device computing; the constants of (65) with a factor 2, and with C_i for C_0.

    Proof. (63) with these constants, averaged over devices and summed over t."""
    return {"sum": w.rounds * q.average_spread(w)}, {
        k: w.rounds * xp.mean(v) for k, v in q.consensus_traced(w, q.hull_dissimilarity(w)).items()
    }


eq65_waits = claim.variant(eq65, "eq64-65@printed+A", family=ONE_WAITS, note=WAITS)
eq65_traced_waits = claim.variant(
    eq65_traced, "eq64-65@traced+A", family=ONE_WAITS, note=WAITS, proof=""
)
