"""The utility: more data, more similarity, the offset, and its clusters at alpha = 0."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from bounds import generic as xp
from bounds import hcct_utility as closed
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct.common import (
    SIZE,
    TRADEOFF,
    choose,
    constants,
    members,
    numbers,
    one,
    source,
)
from verify.statements.hcct.partition import (
    ABOUT,
    CLIENTS,
    DEFINED,
    GRADIENT,
    SMALL,
    THREE,
    directions,
    scale,
)
from verify.world.world import World

Array = Any

# -- utility -----------------------------------------------------------------------------------

_PLAIN = numbers(
    {"tradeoff": TRADEOFF, "size": SIZE, "more": Real(0, 64), "similarity": Real(-1, 1),
     "closer": Real(0, 2), "offset": Real(0, 8)}, about="any values in the formula",
)  # fmt: skip


def _value(w: World, size: Any, similarity: Any) -> Any:
    return {"data": -w.tradeoff / size, "similarity": similarity, "beta": w.offset}


def _more_data(w: World) -> tuple[Terms, Terms]:
    return _value(w, w.size, w.similarity), _value(w, w.size + w.more, w.similarity)


def _more_similar(w: World) -> tuple[Terms, Terms]:
    return _value(w, w.size, w.similarity), _value(w, w.size, w.similarity + w.closer)


_WITH_BETA = numbers({**CLIENTS, "offset": Real(0, 64)}, *SMALL, about=ABOUT)


def _beta_cancels(w: World) -> tuple[Terms, Terms]:
    """Benefit of the first merge with beta against the same without, on a common scale."""
    first, second = members((0,), w), members(range(1, int(w.original("N"))), w)
    args = (w.gradient, w.size, first, second, w.tradeoff)
    return {"B with beta": closed.merge_benefit(*args, w.offset), "scale": scale(w)}, {
        "B without": closed.merge_benefit(*args), "scale": scale(w)
    }


def _nonnegative(w: World) -> tuple[Terms, Terms]:
    """beta - U_i = alpha/D_G - s is at most 1 + alpha/min D: such a beta makes every utility >= 0.

    Tight for two opposite clients, one of them much smaller.
    """
    everybody = members(range(int(w.original("N"))), w)
    values = closed.utilities(w.gradient, w.size, everybody, w.tradeoff, w.offset)
    return {"beta - smallest utility": w.offset - xp.smallest(values)}, {
        "1": one(w.offset), "alpha/min D": w.tradeoff / xp.smallest(w.size)
    }


# -- alpha = 0 -----------------------------------------------------------------------------------

_FREE = numbers({"gradient": GRADIENT}, *SMALL, about="clients of one size, any number of groups")
_TWO_GROUPS = numbers({"gradient": GRADIENT}, *THREE, about="three clients of one size in two groups")
_PARTITIONS: dict[int, tuple[tuple[tuple[int, ...], ...], ...]] = {
    2: (((0,), (1,)), ((0, 1),)),
    3: (
        ((0,), (1,), (2,)), ((0, 1), (2,)), ((0, 2), (1,)), ((1, 2), (0,)), ((0, 1, 2),),
    ),
}  # fmt: skip


def _spread(w: World, group: tuple[int, ...]) -> Array:
    """sum |g_i - mean|^2 = sum over pairs |g_i - g_j|^2/n of a group of clients of one size."""
    apart = 0 * w.gradient[..., 0, 0]
    for i, j in combinations(group, 2):
        apart = apart + xp.squared_norm(w.gradient[..., i, :] - w.gradient[..., j, :])
    return apart / len(group)


def _kmeans(groups: int | None) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Largest objective of (10), and that of the k-means partition: the one of least variance.

        Of several partitions of least variance the one of the largest objective counts, whether the
        number of groups is given or not: one common solution is enough.  If it is not given, single
        clients solve both problems, whatever the gradients.
        """
        n = int(w.original("N"))
        partitions = [p for p in _PARTITIONS[n] if groups in (None, len(p))]
        similar, spread = [], []
        for partition in partitions:
            masks = [members(group, w) for group in partition]
            similar.append(
                sum(xp.total(closed.similarities(w.gradient, w.size, mask)) for mask in masks)
            )
            spread.append(sum(_spread(w, group) for group in partition))
        rounding = constants(10**-9 if w.number == "float64" else 0, w)
        least = xp.smallest(xp.stack(spread, -1)) + rounding
        lowest = xp.smallest(xp.stack(similar, -1))
        solved = [choose(v <= least, s, lowest) for s, v in zip(similar, spread, strict=True)]
        return {"largest sum of s": xp.largest(xp.stack(similar, -1))}, {
            "sum of s of the k-means partition": xp.largest(xp.stack(solved, -1))
        }

    return sides


def _one_size(w: World) -> Array:
    return one(w.original("gradient")[..., 0])


_SPHERE = numbers(
    {"turn": Real(-1, 1, per=("N",)), "length": Real(1 / 8, 8, log=True, per=("N",))},
    {"N": 2, "d": 2}, {"N": 3, "d": 2}, about="gradients in the plane, sizes inverse to their norms",
)  # fmt: skip


def _spherical(w: World) -> tuple[Terms, Terms]:
    """Sum of the similarities of a group with D_i |g_i| the same for all.

    Proof.  With unit vectors u_i the mean has the direction of S = sum u_j, so that
    sum_i <u_i, S>/|S| = |S|, which is the largest value of sum_i <u_i, c> over unit vectors c: at
    alpha = 0 and K given, (P1) is spherical k-means of the directions.
    """
    half = 1 + w.turn**2
    units = xp.stack([(1 - w.turn**2) / half, 2 * w.turn / half], -1)
    everybody = members(range(int(w.original("N"))), w)
    left = xp.total(
        closed.similarities(w.length[..., None] * units, 1 / w.length, everybody)
    )
    return {"sum of s": left}, {"|sum of directions|": xp.sqrt(xp.squared_norm(xp.total(units, -2)))}


_C: dict[str, Any] = {"kind": "claim"}
_M: dict[str, Any] = {**_C, "given": directions, "strict": DEFINED}
_K: dict[str, Any] = {
    **_M, "source": source("Section 5"), "title": "k-means", "defines": {"size": _one_size},
    "latex": r"\alpha=0:\ \arg\max\sum_iU_i=\arg\min\sum_i\|\mathbf g_i-\mathbf g_{G_i}\|^2",
}  # fmt: skip
_U = r"U_i=-\frac\alpha{\hat D}+s+\beta"

STATEMENTS = (
    Statement(key="hcct.claim.utilimprove/size", source=source("Section 4"), latex=_U,
              title="more data", family=_PLAIN, sides=_more_data, **_C),
    Statement(key="hcct.claim.utilimprove/similarity", source=source("Section 4"), latex=_U,
              title="more similar", family=_PLAIN, sides=_more_similar, **_C),
    Statement(key="hcct.claim.beta/benefits", source=source("Section 4"), family=_WITH_BETA,
              latex=r"B(k_1,k_2)\ \text{does not depend on}\ \beta", relation="==", sides=_beta_cancels,
              title="the offset", **_M),
    Statement(key="hcct.claim.beta/nonnegative", source=source("Section 4"), family=_WITH_BETA,
              latex=r"\beta\ge1+\alpha/\min_iD_i\Rightarrow U_i\ge0", sides=_nonnegative,
              title="the offset", **_M),
    Statement(key="hcct.claim.kmeans/variance@free-K", family=_FREE, sides=_kmeans(None), **_K),
    Statement(key="hcct.claim.kmeans/variance@given-K", family=_TWO_GROUPS, sides=_kmeans(2), **_K),
    Statement(key="hcct.claim.kmeans/metric", source=source("Section 5"),
              latex=r"\alpha>0:\ \text{no suitable metric}", title="k-means",
              missing="which metrics are suitable", **_C),
    Statement(key="hcct.claim.kmeans.repaired/variance", source=source("Section 5"), form="repaired",
              latex=r"\alpha=0,\ D_i\|\mathbf g_i\|=c:\ \sum_{i\in\mathcal C}s(i,\mathcal C)=\max_{\|\mathbf c\|=1}\sum_{i\in\mathcal C}\langle\mathbf g_i/\|\mathbf g_i\|,\mathbf c\rangle",
              family=_SPHERE, sides=_spherical, relation="==", title="spherical k-means", **_C),
)  # fmt: skip
