"""Gradients as a proxy of distributions, and the utility: more data, the offset, alpha = 0."""

from __future__ import annotations

from functools import partial
from itertools import accumulate, combinations

from bounds import generic as xp
from bounds.hcct import divergence as distance
from bounds.hcct import utility as closed
from verify.claim import Array, Hypothesis, Real, Sides, Terms, numbers, open_claim, statement
from verify.statements.hcct.quantities import gradients as partition
from verify.statements.hcct.quantities.symbols import SIZE, TRADEOFF, members
from verify.world.world import World


def _places(w: World) -> Array:
    """Different places of the atoms, (B, 1, n)."""
    gaps = [w.step[..., k] for k in range(1, int(w.original("n")))]
    return xp.stack(list(accumulate([w.first, *gaps])), -1)


def _laws(w: World) -> Array:
    """Laws of both clients, (B, 1, 2, n)."""
    return xp.stack([m / xp.total(m)[..., None] for m in (w.mass, w.other)], -2)


def _gradients(w: World) -> Array:
    """w - E z of each client, (B, 1, 2)."""
    return w.model[..., None] - xp.total(_laws(w) * _places(w)[..., None, :])


def _distance(w: World) -> Array:
    """d_1 between the group's law and that of client 0, of equally many samples."""
    first, second = (_laws(w)[..., k, :] for k in (0, 1))
    return distance.l1_distance((first + second) / 2, first)


@statement(
    "hcct.claim.gradproxy/limit",
    where="Section 4.2",
    kind="claim",
    title="gradients stand for distributions",
    latex=r"s(i,G)=1\Rightarrow d_1(\hat{\mathcal P}_G,\mathcal P_i)=0",
    family=numbers(
        {
            "mass": Real(1 / 64, 1, per=("n",)),
            "other": Real(1 / 64, 1, per=("n",)),
            "first": Real(-2, 2),
            "step": Real(1 / 8, 2, log=True, per=("n",)),
            "model": Real(-4, 4),
        },
        {"n": 2},
        {"n": 3},
        about="mean estimation by two clients with laws on two or three atoms",
    ),
    given=[
        Hypothesis(
            "one direction",
            r"\nabla J_0\cdot\nabla J_1>0",
            lambda w: _gradients(w)[..., 0] * _gradients(w)[..., 1],
            "Section 4.2: 'close gradient directions'",
            strict=True,
        )
    ],
    note="""d_1 between the group's law and that of client 0, where the cosine is one.

    On the line a cosine of one is one common sign of the two gradients.""",
)
def proxy(w: World) -> Sides:
    slope = _gradients(w)[..., None]
    alike = xp.ones_like(slope[..., 0])
    return {"d_1": _distance(w)}, {"1 - s": 1 - closed.similarities(slope, alike, alike)[..., 0]}


correlation = open_claim(
    "hcct.claim.gradproxy/correlation",
    "claim",
    "Section 4.2",
    r"\mathrm{corr}(1-s,d_1)>0",
    "gradients stand for distributions",
    "how the clients' laws are distributed",
)


@proxy.like(
    "hcct.claim.gradproxy.refined",
    title="close laws have close gradients",
    given=(),
    latex=r"\|\nabla J_i-\nabla J_G\|\le\max\|\nabla l\|\,d_1(\hat{\mathcal P}_G,\mathcal P_i)",
    note="Gradients of close laws are close: |grad J_0 - grad J_G| <= max |grad l| d_1.",
    proof="Both are means of the same gradients w - z, whose weights differ by P_0 - P_G.",
)
def continuity(w: World) -> Sides:
    slope = _gradients(w)
    gap = xp.absolute(slope[..., 0] - slope[..., 1]) / 2
    steepest = xp.largest(xp.absolute(w.model[..., None] - _places(w)))
    return {"|grad J_0 - grad J_G|": gap}, {"max |grad l| d_1": steepest * _distance(w)}


def _value(w: World, size: Array, similarity: Array) -> Terms:
    return {"data": -w.tradeoff / size, "similarity": similarity, "beta": w.offset}


@statement(
    "hcct.claim.utilimprove/size",
    where="Section 4.2",
    kind="claim",
    title="more data",
    latex=r"U_i=-\frac\alpha{\hat D}+s+\beta",
    family=numbers(
        {
            "tradeoff": TRADEOFF,
            "size": SIZE,
            "more": Real(0, 64),
            "similarity": Real(-1, 1, domain=(-1, 1)),
            "closer": Real(0, 2),
            "offset": Real(0, 8),
        },
        about="any values in the formula",
    ),
)
def more_data(w: World) -> Sides:
    return _value(w, w.size, w.similarity), _value(w, w.size + w.more, w.similarity)


@more_data.like("hcct.claim.utilimprove/similarity", title="more similar", latex=more_data.latex)
def more_similar(w: World) -> Sides:
    return _value(w, w.size, w.similarity), _value(w, w.size, w.similarity + w.closer)


@statement(
    "hcct.claim.beta/benefits",
    where="Section 4.2",
    kind="claim",
    title="the offset",
    relation="==",
    latex=r"B(k_1,k_2)\ \text{does not depend on}\ \beta",
    given=partition.DIRECTIONS,
    family=numbers(
        {**partition.CLIENTS, "offset": Real(0, 64)}, *partition.SMALL, about=partition.ABOUT
    ),
    note="Benefit of the first merge with beta against the same without, on a common scale.",
)
def beta_cancels(w: World) -> Sides:
    first, second = members((0,), w), members(range(1, int(w.original("N"))), w)
    args = (w.gradient, w.size, first, second, w.tradeoff)
    return {"B with beta": closed.merge_benefit(*args, w.offset), "scale": partition.scale(w)}, {
        "B without": closed.merge_benefit(*args),
        "scale": partition.scale(w),
    }


@beta_cancels.like(
    "hcct.claim.beta/nonnegative",
    relation="<=",
    latex=r"\beta\ge1+\alpha/\min_iD_i\Rightarrow U_i\ge0",
    note="""beta - U_i = alpha/D_G - s is at most 1 + alpha/min D: such a beta makes every utility
    >= 0. Tight for two opposite clients, one of them much smaller.""",
)
def nonnegative(w: World) -> Sides:
    everybody = members(range(int(w.original("N"))), w)
    values = closed.utilities(w.gradient, w.size, everybody, w.tradeoff, w.offset)
    return {"beta - smallest utility": w.offset - xp.smallest(values)}, {
        "1": xp.ones_like(w.offset),
        "alpha/min D": w.tradeoff / xp.smallest(w.size),
    }


# -- alpha = 0 -----------------------------------------------------------------------------------

_PARTITIONS: dict[int, tuple[tuple[tuple[int, ...], ...], ...]] = {
    2: (((0,), (1,)), ((0, 1),)),
    3: (((0,), (1,), (2,)), ((0, 1), (2,)), ((0, 2), (1,)), ((1, 2), (0,)), ((0, 1, 2),)),
}


def _spread(w: World, group: tuple[int, ...]) -> Array:
    """sum |g_i - mean|^2 = sum over pairs |g_i - g_j|^2/n of a group of clients of one size."""
    apart = 0 * w.gradient[..., 0, 0]
    for i, j in combinations(group, 2):
        apart = apart + xp.squared_norm(w.gradient[..., i, :] - w.gradient[..., j, :])
    return apart / len(group)


def _kmeans(w: World, groups: int | None) -> Sides:
    similar, spread = [], []
    for part in _PARTITIONS[int(w.original("N"))]:
        if groups in (None, len(part)):
            own = (closed.similarities(w.gradient, w.size, members(g, w)) for g in part)
            similar.append(sum(xp.total(s) for s in own))
            spread.append(sum(_spread(w, g) for g in part))
    rounding = w.array(10**-9 if w.number == "float64" else 0)
    least = xp.smallest(xp.stack(spread, -1)) + rounding
    lowest = xp.smallest(xp.stack(similar, -1))
    solved = [xp.where(v <= least, s, lowest) for s, v in zip(similar, spread, strict=True)]
    return {"largest sum of s": xp.largest(xp.stack(similar, -1))}, {
        "sum of s of the k-means partition": xp.largest(xp.stack(solved, -1))
    }


kmeans_free = statement(
    "hcct.claim.kmeans/variance@free-K",
    where="Section 4.2",
    kind="claim",
    title="k-means",
    latex=r"\alpha=0:\ \arg\max\sum_iU_i=\arg\min\sum_i\|\mathbf g_i-\mathbf g_{G_i}\|^2",
    family=numbers(
        {"gradient": partition.GRADIENT},
        *partition.SMALL,
        about="clients of one size, any number of groups",
    ),
    given=partition.DIRECTIONS,
    defines={"size": lambda w: xp.ones_like(w.original("gradient")[..., 0])},
    note="""Largest objective of (10), and that of the k-means partition: the one of least variance.

    Of several partitions of least variance the one of the largest objective counts, whether the
    number of groups is given or not: one common solution is enough.  If it is not given, single
    clients solve both problems, whatever the gradients.""",
)(partial(_kmeans, groups=None))
kmeans_given = kmeans_free.variant(
    "hcct.claim.kmeans/variance@given-K",
    sides=partial(_kmeans, groups=2),
    family=numbers(
        {"gradient": partition.GRADIENT},
        *partition.THREE,
        about="three clients of one size in two groups",
    ),
)
metric = open_claim(
    "hcct.claim.kmeans/metric",
    "claim",
    "Section 4.2",
    r"\alpha>0:\ \text{no suitable metric}",
    "k-means",
    "which metrics are suitable",
)


@statement(
    "hcct.claim.kmeans.repaired/variance",
    where="Section 4.2",
    kind="claim",
    title="spherical k-means",
    relation="==",
    latex=r"\alpha=0,\ D_i\|\mathbf g_i\|=c:\ \sum_{i\in\mathcal C}s(i,\mathcal C)=\max_{\|\mathbf c\|=1}\sum_{i\in\mathcal C}\langle\mathbf g_i/\|\mathbf g_i\|,\mathbf c\rangle",
    family=numbers(
        {"turn": Real(-1, 1, per=("N",)), "length": Real(1 / 8, 8, log=True, per=("N",))},
        {"N": 2, "d": 2},
        {"N": 3, "d": 2},
        about="gradients in the plane, sizes inverse to their norms",
    ),
    note="Sum of the similarities of a group with D_i |g_i| the same for all.",
    proof="""With unit vectors u_i the mean has the direction of S = sum u_j, so that
    sum_i <u_i, S>/|S| = |S|, which is the largest value of sum_i <u_i, c> over unit vectors c: at
    alpha = 0 and K given, (P1) is spherical k-means of the directions.""",
)
def spherical(w: World) -> Sides:
    half = 1 + w.turn**2
    units = xp.stack([(1 - w.turn**2) / half, 2 * w.turn / half], -1)
    everybody = members(range(int(w.original("N"))), w)
    left = xp.total(closed.similarities(w.length[..., None] * units, 1 / w.length, everybody))
    right = xp.sqrt(xp.squared_norm(xp.total(units, -2)))
    return {"sum of s": left}, {"|sum of directions|": right}
