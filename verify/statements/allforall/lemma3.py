"""Section 5 and Appendix E: Lemma 3, identities and matrix inequalities of the proofs."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Reading, Real, Sides
from verify.statements.allforall import quantities as q
from verify.statements.allforall import theorems3b_8 as runs
from verify.world.world import World

claim = q.Claims(r"""
Lemma 3 :: lemma :: all-for-all
    lemma3 :: f^\Lambda(x^\Lambda)-\bar f(x^*)\le\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}
Section 5 :: proof step :: all-for-all
    ineq.biasvar/equal == path :: \tfrac1N\sum_if_i(x_i^k)=f^\Lambda(y^k)
    ineq.biasvar/bound path :: F^k\le f^\Lambda(x^\Lambda)-\bar f(x^*)+f^\Lambda(y^k)-f^\Lambda(x^\Lambda)
Appendix E :: proof step :: all-for-all
    proof.lemma3/least :: f^\Lambda(x^\Lambda)\le f^\Lambda(x^*)
    proof.lemma3/convex :: \tfrac1N\sum_if_i(\sum_j\lambda_{ij}x_j^*)\le\tfrac1N\sum_{ij}\lambda_{ij}f_i(x_j^*)
    proof.E1 :: \bar f(x^k)-\bar f(x^*)\le f^\Lambda(y^k)-f^\Lambda(x^\Lambda)+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}
    ineq.afa2/mean == mean :: \mathbb E G_\Lambda^k(y)=\nabla f^\Lambda(y)
    ineq.afa2/moment :: \mathbb E\|G_\Lambda^k\|^2\le\tfrac{B^2}N\sum_{ij}\lambda_{ij}^2
    ineq.afa2/variance :: \mathbb E\|G_\Lambda^k-\nabla f^\Lambda\|^2\le\tfrac{\sigma^2}{N^2}\sum_{ij}\lambda_{ij}^2
    proof.relsmooth/smooth :: \nabla^2f^\Lambda\preceq\tfrac LNW
    proof.relsmooth/convex :: \nabla^2f^\Lambda\succeq\tfrac\mu NW
    proof.relsmooth.repaired/smooth :: \nabla^2f^\Lambda\preceq\tfrac LN\Lambda^\top\Lambda
    proof.relsmooth.repaired/convex :: \nabla^2f^\Lambda\succeq\tfrac\mu N\Lambda^\top\Lambda
    proof.theorem8 :: \text{Lemma 5 applied to }f^\Lambda
Appendix E :: claim :: all-for-all
    claim.spectral == :: \rho(\Lambda\Lambda^\top)=1
    claim.spectral.repaired == :: \Lambda\ \text{doubly stochastic}:\ \rho(\Lambda\Lambda^\top)=1
""")

_TWO = q.family(
    "share condition mu centre point",
    "two quadratics, Lambda with equal rows",
    *q.sizes("N", 2),
    condition=q.CONDITIONS,
    point=q.LENGTH,
)
_KINKS = q.family(
    "share centre slope",
    "two losses s |x - m|, Lambda with equal rows",
    *q.sizes("N", 2),
    slope=Real(1 / 8, 8, unit=(1, -1), log=True, per=("N",)),
)
_MOMENTS = q.family(
    "rows size bound",
    "any Lambda, any second moments up to the bound",
    *q.sizes("N", 1, 2, 3),
    size=q.SHARES,
    bound=q.SYMBOLS["size"],
)
_ROWS = {"rows": Real(0, 1, per=("N", "N"))}
_DIRECTIONS = q.family(
    "rows mu condition point",
    "any Lambda, quadratics, any direction",
    *q.sizes("N", 2),
    **_ROWS,
    condition=q.CONDITIONS,
    point=q.SYMBOLS["centre"],
)
_TWO_ROWS = q.family("rows", "any two rows", *q.sizes("N", 2), **_ROWS)
_DOUBLY = q.family("share", "two agents, doubly stochastic Lambda")
some_weight = Hypothesis(
    "rows not zero",
    r"\Lambda\mathbf 1=\mathbf 1",
    lambda w: xp.smallest(xp.total(w.rows)),
    "Theorem 3",
    strict=True,
)


def _times(matrix: Array, vector: Array) -> Array:
    return xp.total(matrix * vector[..., None, :])


def _mean_value(w: World, models: Array) -> Array:
    """Mean of f_i(x_i) - f_i(x_i^*) at these models."""
    return xp.mean(runs.curvatures(w) * (models - w.centre) ** 2) / 2


def _common_minimum(w: World) -> tuple[Array, Array]:
    """f^Lambda(x^Lambda) and (1/N) sum lambda b for Lambda = (share, 1 - share) in both rows."""
    a = runs.curvatures(w)
    gap = (w.centre[..., 0] - w.centre[..., 1]) ** 2
    least = a[..., 0] * a[..., 1] / (a[..., 0] + a[..., 1]) * gap / 4
    return least, ((1 - w.share) * a[..., 0] + w.share * a[..., 1]) * gap / 4


# -- Lemma 3 --------------------------------------------------------------------------------------
@claim("lemma3", family=_TWO, also=(_KINKS,))
def lemma3(w: World) -> Sides:
    """Compare with x^*. Tight where one agent is far steeper and weighs more, or |x - m|."""
    if not w.has("slope"):
        least, bound = _common_minimum(w)
        return {"f^Lambda(x^Lambda)": least}, {"bias": bound}
    way = xp.absolute(w.centre[..., 0] - w.centre[..., 1]) / 2
    bound = ((1 - w.share) * w.slope[..., 0] + w.share * w.slope[..., 1]) * way
    return {"f^Lambda(x^Lambda)": xp.smallest(w.slope) * way}, {"bias": bound}


@claim("proof.lemma3/least", family=_TWO)
def least_value(w: World) -> Sides:
    """Equal rows: at y = x^* all models are the weighted mean of the minimisers."""
    middle = w.share * w.centre[..., 0] + (1 - w.share) * w.centre[..., 1]
    value = _mean_value(w, middle[..., None])
    return {"f^Lambda(x^Lambda)": _common_minimum(w)[0]}, {"f^Lambda(x^*)": value}


@claim("proof.lemma3/convex", family=runs.SMOOTH)
def jensen(w: World) -> Sides:
    """f^Lambda at y = x^*, agent by agent."""
    value = _mean_value(w, _times(q.mixing(w.rows), w.centre))
    return {"f^Lambda(x^*)": value}, {"mean of f_i(x_j^*)": runs.bias(w)}


@claim("proof.E1", family=_TWO)
def optimisation_and_bias(w: World) -> Sides:
    least, bound = _common_minimum(w)
    value = _mean_value(w, w.point[..., None])
    return {"F": value}, {"optimisation": value - least, "bias": bound}


# -- the algorithm as a descent of f^Lambda -------------------------------------------------------
def _both_scales(w: World, r: Reading) -> Sides:
    """One noiseless round: x^1 of Algorithm 1 against Lambda y^1. Printed is Lambda, which
    gives Lambda^2 in place of W; the gradient descent above it has the transpose. Bias and
    optimisation term add up to f^Lambda(y^k) - f(x^*).

    Proof. Lambda (y - eta Lambda^T G) = x - eta W G."""
    lam = q.mixing(w.rows)
    step = w.step_share / xp.largest(runs.curvatures(w))
    slope = runs.curvatures(w) * (w.start[..., None] - w.centre)
    moved = _times(xp.transpose(lam) if r.transpose == "transposed-matrix" else lam, slope)
    y = w.start[..., None] - step[..., None] * moved
    left = runs.final(w, step, 0 * w.variance, 1)
    return {"F": left}, {"f^Lambda(y) - f(x^*)": _mean_value(w, _times(lam, y))}


equal_values, bias_and_variance = (
    claim(f"ineq.biasvar/{part}", readings=("transpose",), family=runs.SMOOTH)(_both_scales)
    for part in ("equal", "bound")
)


@claim("ineq.afa2/mean", family=runs.SMOOTH)
def mean_direction(w: World) -> Sides:
    """Gradient of f^Lambda along the first axis, times a length h = x^0, by a central difference,
    exact on quadratics: a (u^2 - v^2)/4 = a (u - v) (u + v)/4 with the errors u, v at +-h."""
    lam, bend = q.mixing(w.rows), runs.curvatures(w)
    point = w.start[..., None] + 0 * w.centre
    aside = w.start[..., None] * xp.eye(w.N, w.centre)[0]
    ahead, behind = (_times(lam, point + sign * aside) - w.centre for sign in (1, -1))
    difference = bend * (ahead - behind) * (ahead + behind) / 4 / w.N
    direction = lam[..., :, 0] * bend * (_times(lam, point) - w.centre) / w.N
    direction = direction * w.start[..., None]
    return {f"h E G, agent {i}": direction[..., i] for i in range(w.N)}, {
        f"h gradient, agent {i}": difference[..., i] for i in range(w.N)
    }


def _moments(w: World) -> tuple[Array, Array]:
    """sum_i |row i|^2 E g_i^2, and the same at the bound."""
    rows = q.mass(q.mixing(w.rows))
    return xp.total(rows * (w.size * w.bound[..., None] ** 2)), w.bound**2 * xp.total(rows)


@claim("ineq.afa2/moment", family=_MOMENTS)
def moment(w: World) -> Sides:
    """One agent drawn: E|G|^2 = (1/N) sum_i |row i|^2 E g_i^2. All agents: independent
    noises with the factor 1/N. Equality where all second moments are the bound."""
    total, bound = _moments(w)
    return {"E|G|^2": total / w.N}, {"bound": bound / w.N}


@claim("ineq.afa2/variance", family=_MOMENTS, note=moment.note)
def variance(w: World) -> Sides:
    total, bound = _moments(w)
    return {"variance": total / w.N / w.N}, {"bound": bound / w.N / w.N}


# -- its curvature, its matrix --------------------------------------------------------------------
def _forms(w: World, part: str, printed: bool) -> Sides:
    lam, bend = q.mixing(w.rows), runs.curvatures(w)
    curved = xp.total(bend * _times(lam, w.point) ** 2) / w.N
    size = xp.total(_times(xp.transpose(lam) if printed else lam, w.point) ** 2) / w.N
    if part == "smooth":
        return {"curvature": curved}, {"L |y|^2/N": xp.largest(bend) * size}
    return {"mu |y|^2/N": w.mu * size}, {"curvature": curved}


relative_curvature = tuple(
    claim(
        f"proof.relsmooth{form}/{part}",
        family=_DIRECTIONS,
        given=[some_weight],
        note="""y^T Lambda^T H Lambda y/N against y^T W y; the chain rule gives Lambda^T Lambda,
        while W = Lambda Lambda^T.""",
        proof="mu |z|^2 <= z^T H z <= L |z|^2 at z = Lambda y." if form else "",
    )(partial(_forms, part=part, printed=not form))
    for form in ("", ".repaired")
    for part in ("smooth", "convex")
)


@claim("claim.spectral", family=_TWO_ROWS, given=[some_weight])
def spectral_radius(w: World) -> Sides:
    """1 is no upper bound: columns that many agents use sum to more than 1."""
    return {"largest eigenvalue": runs.spectrum(w)[1]}, {"1": xp.ones_like(w.rows[..., 0, 0])}


@claim("claim.spectral.repaired", family=_DOUBLY)
def spectral_radius_repaired(w: World) -> Sides:
    """Proof. Lambda 1 = Lambda^T 1 = 1, so 1 is an eigenvalue of Lambda Lambda^T; and |Lambda|^2 <=
    |Lambda|_1 |Lambda|_inf, the largest column sum times the largest row sum, is 1."""
    keep = xp.stack([1 - w.share, w.share], -1)
    swap = xp.stack([w.share, 1 - w.share], -1)
    largest = xp.largest_eigenvalue(q.gram(xp.stack([keep, swap], -2)))
    return {"largest eigenvalue": largest}, {"1": xp.ones_like(w.share)}


theorem8 = claim.open("proof.theorem8", "a sentence without a formula")
