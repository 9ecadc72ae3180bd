"""The utility: more data, more similarity, the offset, and its clusters at alpha = 0."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds import hcct_utility as closed
from verify.parameters import Real
from verify.statement import Statement, Terms
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
from verify.world import World

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

_THREE_IN_TWO = numbers({"gradient": GRADIENT}, *THREE, about="three clients of one size in two groups")


def _kmeans(w: World) -> tuple[Terms, Terms]:
    """Within-cluster variance of the partition into two groups that (10) prefers, and the smallest.

    Among ties of (10) the one of the smallest variance counts.
    """
    sizes = one(w.gradient[..., 0])
    similar, spread = [], []
    for pair in ((0, 1), (0, 2), (1, 2)):
        mask = members(pair, w)
        similar.append(xp.total(closed.similarities(w.gradient, sizes, mask)))
        a, b = (w.gradient[..., k, :] for k in pair)
        spread.append(xp.squared_norm(a - b) / 2)
    rounding = constants(10**-9 if w.number == "float64" else 0, w)
    top = xp.largest(xp.stack(similar, -1)) - rounding
    widest = xp.largest(xp.stack(spread, -1))
    chosen = [choose(s >= top, v, widest) for s, v in zip(similar, spread, strict=True)]
    return {"variance of the maximiser": xp.smallest(xp.stack(chosen, -1))}, {
        "smallest variance": xp.smallest(xp.stack(spread, -1))
    }


def _any_number(w: World) -> tuple[Terms, Terms]:
    """Two clients in one group or two: the largest variance of a maximiser of (10).

    Single clients solve both problems; gradients of one direction solve (10) together as well.
    """
    sizes = one(w.gradient[..., 0])
    similar = xp.total(closed.similarities(w.gradient, sizes, members((0, 1), w)))
    spread = xp.squared_norm(w.gradient[..., 0, :] - w.gradient[..., 1, :]) / 2
    solved = choose(similar >= 2 * one(similar), spread, 0 * spread)
    return {"variance of a maximiser": solved}, {"smallest variance": 0 * spread}


def _moving(w: World) -> Terms:
    return {"gradients": xp.smallest(xp.squared_norm(w.gradient))}


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
    Statement(key="hcct.claim.kmeans/variance@free-K", source=source("Section 5"),
              latex=r"\alpha=0:\ \arg\max\sum_iU_i=\arg\min\sum_i\|\mathbf g_i-\mathbf g_{G_i}\|^2",
              family=numbers({"gradient": GRADIENT}, {"N": 2, "d": 1}, about="two clients on the line"),
              sides=_any_number, given=_moving, strict=frozenset({"gradients"}), title="k-means", **_C),
    Statement(key="hcct.claim.kmeans/variance@given-K", source=source("Section 5"), family=_THREE_IN_TWO,
              latex=r"\alpha=0:\ \arg\max\sum_iU_i=\arg\min\sum_i\|\mathbf g_i-\mathbf g_{G_i}\|^2",
              sides=_kmeans, given=_moving, strict=frozenset({"gradients"}), title="k-means", **_C),
    Statement(key="hcct.claim.kmeans/metric", source=source("Section 5"),
              latex=r"\alpha>0:\ \text{no suitable metric}", title="k-means",
              missing="which metrics are suitable", **_C),
    Statement(key="hcct.claim.kmeans.repaired/variance", source=source("Section 5"), form="repaired",
              latex=r"\alpha=0,\ D_i\|\mathbf g_i\|=c:\ \sum_{i\in\mathcal C}s(i,\mathcal C)=\max_{\|\mathbf c\|=1}\sum_{i\in\mathcal C}\langle\mathbf g_i/\|\mathbf g_i\|,\mathbf c\rangle",
              family=_SPHERE, sides=_spherical, relation="==", title="spherical k-means", **_C),
)  # fmt: skip
