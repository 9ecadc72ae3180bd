"""Section 5 and Appendix E: Lemma 3, identities and matrix inequalities of the proofs."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, numbers, open_claim, statement
from verify.statements.allforall import box
from verify.statements.allforall.all_smooth import SMOOTH, bias, curvatures, final, spectrum
from verify.statements.allforall.common import APPENDIX_E, gram, mass, mixing
from verify.world.world import World

TITLE = "all-for-all"


def _times(matrix: Array, vector: Array) -> Array:
    return xp.total(matrix * vector[..., None, :])


def _mean_value(w: World, models: Array) -> Array:
    """Mean of f_i(x_i) - f_i(x_i^*) at these models."""
    return xp.mean(curvatures(w) * (models - w.centre) ** 2) / 2


def _common_minimum(w: World) -> tuple[Array, Array]:
    """f^Lambda(x^Lambda) and (1/N) sum lambda b for Lambda = (share, 1 - share) in both rows."""
    a = curvatures(w)
    gap = (w.centre[..., 0] - w.centre[..., 1]) ** 2
    least = a[..., 0] * a[..., 1] / (a[..., 0] + a[..., 1]) * gap / 4
    return least, ((1 - w.share) * a[..., 0] + w.share * a[..., 1]) * gap / 4


TWO = {
    "share": box.SHARE,
    "condition": box.CONDITIONS,
    "mu": box.CURVATURE,
    "centre": box.LENGTHS,
    "point": box.LENGTH,
}


@statement(
    "allforall.lemma3",
    where="Lemma 3",
    kind="lemma",
    title=TITLE,
    latex=r"f^\Lambda(x^\Lambda)-\bar f(x^*)\le\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
    family=numbers(TWO, {"N": 2}, about="two quadratics, Lambda with equal rows"),
    also=(
        numbers(
            {
                "share": box.SHARE,
                "centre": box.LENGTHS,
                "slope": Real(1 / 8, 8, unit=(1, -1), log=True, per=("N",)),
            },
            {"N": 2},
            about="two losses s |x - m|, Lambda with equal rows",
        ),
    ),
    note="Compare with x^*. Tight where one agent is far steeper and weighs more, or |x - m|.",
)
def lemma3(w: World) -> Sides:
    if not w.has("slope"):
        least, bound = _common_minimum(w)
        return {"f^Lambda(x^Lambda)": least}, {"bias": bound}
    way = xp.absolute(w.centre[..., 0] - w.centre[..., 1]) / 2
    bound = ((1 - w.share) * w.slope[..., 0] + w.share * w.slope[..., 1]) * way
    return {"f^Lambda(x^Lambda)": xp.smallest(w.slope) * way}, {"bias": bound}


@lemma3.like(
    "allforall.proof.lemma3/least",
    where=APPENDIX_E,
    also=(),
    kind="proof step",
    latex=r"f^\Lambda(x^\Lambda)\le f^\Lambda(x^*)",
    note="Equal rows: at y = x^* all models are the weighted mean of the minimisers.",
)
def least_value(w: World) -> Sides:
    middle = w.share * w.centre[..., 0] + (1 - w.share) * w.centre[..., 1]
    value = _mean_value(w, middle[..., None])
    return {"f^Lambda(x^Lambda)": _common_minimum(w)[0]}, {"f^Lambda(x^*)": value}


@statement(
    "allforall.proof.lemma3/convex",
    where=APPENDIX_E,
    kind="proof step",
    title=TITLE,
    latex=r"\tfrac1N\sum_if_i(\sum_j\lambda_{ij}x_j^*)\le\tfrac1N\sum_{ij}\lambda_{ij}f_i(x_j^*)",
    family=SMOOTH,
    note="f^Lambda at y = x^*, agent by agent.",
)
def jensen(w: World) -> Sides:
    value = _mean_value(w, _times(mixing(w.rows), w.centre))
    return {"f^Lambda(x^*)": value}, {"mean of f_i(x_j^*)": bias(w)}


def _both_scales(w: World, printed: bool) -> Sides:
    lam = mixing(w.rows)
    step = w.step_share / xp.largest(curvatures(w))
    slope = curvatures(w) * (w.start[..., None] - w.centre)
    y = w.start[..., None] - step[..., None] * _times(lam if printed else xp.transpose(lam), slope)
    return {"F": final(w, step, 0 * w.variance, 1)}, {"f^Lambda(y)": _mean_value(w, _times(lam, y))}


bias_and_variance = tuple(
    jensen.like(
        f"allforall.ineq.biasvar{form}",
        over="path",
        relation="==",
        where="Section 5",
        latex=rf"y^{{k+1}}=y^k-\eta\Lambda{turn} G^k:\ F^k+\bar f(x^*)=f^\Lambda(y^k)",
        note="""One noiseless round: x^1 of Algorithm 1 against Lambda y^1. Printed is Lambda, which
        gives Lambda^2 in place of W; the gradient descent above it has the transpose.""",
        proof="Lambda (y - eta Lambda^T G) = x - eta W G." if form else "",
    )(partial(_both_scales, printed=not form))
    for form, turn in (("", ""), (".repaired", r"^\top"))
)


@lemma3.like(
    "allforall.proof.E1",
    where=APPENDIX_E,
    also=(),
    kind="proof step",
    latex=r"\bar f(x^k)-\bar f(x^*)\le f^\Lambda(y^k)-f^\Lambda(x^\Lambda)+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
)
def optimisation_and_bias(w: World) -> Sides:
    least, bound = _common_minimum(w)
    value = _mean_value(w, w.point[..., None])
    return {"F": value}, {"optimisation": value - least, "bias": bound}


@jensen.like(
    "allforall.ineq.afa2/mean",
    over="mean",
    relation="==",
    latex=r"\mathbb E G_\Lambda^k(y)=\nabla f^\Lambda(y)",
    note="""Gradient of f^Lambda along the first axis, times a length h = x^0, by a central
    difference, exact on quadratics: a (u^2 - v^2)/4 = a (u - v) (u + v)/4 with the errors u, v at
    +-h.""",
)
def mean_direction(w: World) -> Sides:
    lam = mixing(w.rows)
    point = w.start[..., None] + 0 * w.centre
    aside = w.start[..., None] * xp.eye(w.N, w.centre)[0]
    ahead, behind = (_times(lam, point + sign * aside) - w.centre for sign in (1, -1))
    difference = curvatures(w) * (ahead - behind) * (ahead + behind) / 4 / w.N
    direction = lam[..., :, 0] * curvatures(w) * (_times(lam, point) - w.centre) / w.N
    direction = direction * w.start[..., None]
    return {f"h E G, agent {i}": direction[..., i] for i in range(w.N)}, {
        f"h gradient, agent {i}": difference[..., i] for i in range(w.N)
    }


def _moments(w: World, left: str, power: int) -> Sides:
    rows = mass(mixing(w.rows))
    total, bound = xp.total(rows * (w.size * w.bound[..., None] ** 2)), w.bound**2 * xp.total(rows)
    for _ in range(power):
        total, bound = total / w.N, bound / w.N
    return {left: total}, {"bound": bound}


moments = tuple(
    statement(
        f"allforall.ineq.afa2/{part}",
        where=APPENDIX_E,
        kind="proof step",
        title=TITLE,
        latex=latex,
        family=numbers(
            {"rows": box.ROWS, "size": box.SHARES, "bound": box.GRADIENT},
            {"N": 1},
            {"N": 2},
            {"N": 3},
            about="any Lambda, any second moments up to the bound",
        ),
        note="""One agent drawn: E|G|^2 = (1/N) sum_i |row i|^2 E g_i^2. All agents: independent
        noises with the factor 1/N. Equality where all second moments are the bound.""",
    )(partial(_moments, left=left, power=power))
    for part, left, power, latex in (
        (
            "moment",
            "E|G|^2",
            1,
            r"\mathbb E\|G_\Lambda^k\|^2\le\tfrac{B^2}N\sum_{ij}\lambda_{ij}^2",
        ),
        (
            "variance",
            "variance",
            2,
            r"\mathbb E\|G_\Lambda^k-\nabla f^\Lambda\|^2\le\tfrac{\sigma^2}{N^2}\sum_{ij}\lambda_{ij}^2",
        ),
    )
)


some_weight = Hypothesis(
    "rows not zero",
    r"\Lambda\mathbf 1=\mathbf 1",
    lambda w: xp.smallest(xp.total(w.rows)),
    "Theorem 3",
    strict=True,
)


def _forms(w: World, part: str, printed: bool) -> Sides:
    lam = mixing(w.rows)
    curved = xp.total(curvatures(w) * _times(lam, w.point) ** 2) / w.N
    size = xp.total(_times(xp.transpose(lam) if printed else lam, w.point) ** 2) / w.N
    if part == "smooth":
        return {"curvature": curved}, {"L |y|^2/N": xp.largest(curvatures(w)) * size}
    return {"mu |y|^2/N": w.mu * size}, {"curvature": curved}


relative_curvature = tuple(
    statement(
        f"allforall.proof.relsmooth{form}/{part}",
        where=APPENDIX_E,
        kind="proof step",
        title=TITLE,
        latex=rf"\nabla^2f^\Lambda{latex}{metric}",
        family=numbers(
            {
                "rows": Real(0, 1, per=("N", "N")),
                "mu": box.CURVATURE,
                "condition": box.CONDITIONS,
                "point": box.LENGTHS,
            },
            {"N": 2},
            about="any Lambda, quadratics, any direction",
        ),
        given=[some_weight],
        note="""y^T Lambda^T H Lambda y/N against y^T W y; the chain rule gives Lambda^T Lambda,
        while W = Lambda Lambda^T.""",
        proof="mu |z|^2 <= z^T H z <= L |z|^2 at z = Lambda y." if form else "",
    )(partial(_forms, part=part, printed=not form))
    for form, metric in (("", "W"), (".repaired", r"\Lambda^\top\Lambda"))
    for part, latex in (("smooth", r"\preceq\tfrac LN"), ("convex", r"\succeq\tfrac\mu N"))
)


@statement(
    "allforall.claim.spectral",
    where=APPENDIX_E,
    kind="claim",
    title=TITLE,
    relation="==",
    latex=r"\rho(\Lambda\Lambda^\top)=1",
    family=numbers({"rows": Real(0, 1, per=("N", "N"))}, {"N": 2}, about="any two rows"),
    given=[some_weight],
    note="1 is no upper bound: columns that many agents use sum to more than 1.",
)
def spectral_radius(w: World) -> Sides:
    return {"largest eigenvalue": spectrum(w)[1]}, {"1": xp.ones_like(w.rows[..., 0, 0])}


@statement(
    "allforall.claim.spectral.repaired",
    where=APPENDIX_E,
    kind="claim",
    title=TITLE,
    relation="==",
    latex=r"\Lambda\ \text{doubly stochastic}:\ \rho(\Lambda\Lambda^\top)=1",
    family=numbers({"share": box.SHARE}, about="two agents, doubly stochastic Lambda"),
    proof="""Lambda 1 = Lambda^T 1 = 1, so 1 is an eigenvalue of Lambda Lambda^T; and
    |Lambda|^2 <= |Lambda|_1 |Lambda|_inf, the largest column sum times the largest row sum, is
    1.""",
)
def spectral_radius_repaired(w: World) -> Sides:
    keep = xp.stack([1 - w.share, w.share], -1)
    swap = xp.stack([w.share, 1 - w.share], -1)
    largest = xp.largest_eigenvalue(gram(xp.stack([keep, swap], -2)))
    return {"largest eigenvalue": largest}, {"1": xp.ones_like(w.share)}


theorem8 = open_claim(
    "allforall.proof.theorem8",
    "proof step",
    APPENDIX_E,
    r"\text{Lemma 5 applied to }f^\Lambda",
    TITLE,
    "a sentence without a formula",
)
