"""Utilities and the greedy partition of up to three clients, all groups in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
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
from verify.world import World

Array = Any

_GRADIENT = Real(-2, 2, unit=(1, -1), per=("N", "d"))
_CLIENTS = {"gradient": _GRADIENT, "size": Real(1, 16, log=True, per=("N",)), "tradeoff": TRADEOFF}
ABOUT = "two or three clients, any gradients and sizes"
SMALL = ({"N": 2, "d": 1}, {"N": 2, "d": 2}, {"N": 3, "d": 1}, {"N": 3, "d": 2})
THREE = ({"N": 3, "d": 1}, {"N": 3, "d": 2})
TWO_OR_THREE = numbers(_CLIENTS, *SMALL, about=ABOUT)


@dataclass(frozen=True)
class Greedy:
    """Total utility and number of groups along the greedy partition of two or three clients.

    Attributes
    ----------
    alone, first, last : arrays (B, 1)
        Objective with single clients, after the best merge of two, with all in one group.
    """

    clients: int
    alone: Array
    first: Array
    last: Array
    pairs: Array

    @classmethod
    def of(cls, w: World, alpha: Array | None = None, sizes: Array | None = None) -> Greedy:
        """All group utilities of a world."""
        n = int(w.original("N"))
        size = w.size if sizes is None else sizes
        alpha = w.tradeoff if alpha is None else alpha

        def utility(*group: int) -> Array:
            return closed.group_utility(w.gradient, size, members(group, w), alpha)

        single = [utility(k) for k in range(n)]
        alone = sum(single[1:], start=single[0])
        last = utility(*range(n))
        if n == 2:
            return cls(n, alone, last, last, last[..., None])
        pairs = xp.stack(
            [utility(0, 1) + single[2], utility(0, 2) + single[1], utility(1, 2) + single[0]], -1
        )
        return cls(n, alone, xp.largest(pairs), last, pairs)

    def groups(self, text: bool) -> Array:
        """K in the end; merges before (text) or after (box) the stopping rule is asked."""
        unit = one(self.alone)
        if self.clients == 2:
            merged = unit
        else:
            merged = 2 * unit - xp.indicator(self.last > self.first, self.alone)
        if not text:
            return merged
        return choose(self.first > self.alone, merged, self.clients * unit)


def directions(w: World) -> Terms:
    """No gradient and no mean of a group vanishes: where one does the cosine is not defined."""
    n = int(w.original("N"))
    groups = [g for k in range(2, n + 1) for g in combinations(range(n), k)]
    means = [
        xp.squared_norm(xp.total((w.size * members(g, w))[..., None] * w.gradient, -2))
        for g in groups
    ]
    return {
        "gradients": xp.smallest(xp.squared_norm(w.gradient)),
        "means": xp.smallest(xp.stack(means, -1)),
    }


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


_WITH_BETA = numbers({**_CLIENTS, "offset": Real(0, 64)}, *SMALL, about=ABOUT)


def _beta_cancels(w: World) -> tuple[Terms, Terms]:
    """Benefit of the first merge with beta against the same without, on a common scale."""
    first, second = members((0,), w), members(range(1, int(w.original("N"))), w)
    args = (w.gradient, w.size, first, second, w.tradeoff)
    return {"B with beta": closed.merge_benefit(*args, w.offset), "scale": _scale(w)}, {
        "B without": closed.merge_benefit(*args), "scale": _scale(w)
    }


def _scale(w: World) -> Array:
    """More than any benefit: what rounds to it does not count where benefits cancel."""
    return 2 * int(w.original("N")) * (1 + w.original("tradeoff"))


def _nonnegative(w: World) -> tuple[Terms, Terms]:
    """beta - U_i = alpha/D_G - s is at most 1 + alpha/min D: such a beta makes every utility >= 0.

    Tight for two opposite clients, one of them much smaller.
    """
    everybody = members(range(int(w.original("N"))), w)
    values = closed.utilities(w.gradient, w.size, everybody, w.tradeoff, w.offset)
    return {"beta - smallest utility": w.offset - xp.smallest(values)}, {
        "1": one(w.offset), "alpha/min D": w.tradeoff / xp.smallest(w.size)
    }


# -- one merge ---------------------------------------------------------------------------------


def _objective(w: World) -> tuple[Terms, Terms]:
    """Total utility after a merge less that before, from every client's own utility."""
    first, second = members((0,), w), members((1,), w)
    args = (w.gradient, w.size)

    def everybody(*groups: Array) -> Array:
        return sum(xp.total(closed.utilities(*args, g, w.tradeoff)) for g in groups)

    rest = [members((2,), w)] if int(w.original("N")) == 3 else []
    change = everybody(first + second, *rest) - everybody(first, second, *rest)
    return {"change of the objective": change, "scale": _scale(w)}, {
        "B": closed.merge_benefit(*args, first, second, w.tradeoff), "scale": _scale(w)
    }


def _increase(text: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Objective before and after the first merge; by the text it is made only if it pays."""
        at = Greedy.of(w)
        after = choose(at.first > at.alone, at.first, at.alone) if text else at.first
        return {"before": at.alone}, {"after": after}

    return sides


def _stage(w: World) -> tuple[Terms, Terms]:
    """Any single merge against the one of largest benefit."""
    at = Greedy.of(w)
    chosen = closed.merge_benefit(
        w.gradient, w.size, members((0,), w), members((1,), w), w.tradeoff
    )
    for pair in ((0, 2), (1, 2)):
        other = closed.merge_benefit(
            w.gradient, w.size, members(pair[:1], w), members(pair[1:], w), w.tradeoff
        )
        chosen = choose(other > chosen, other, chosen)
    best = xp.largest(at.pairs)
    return {"best after one merge": best}, {"before": at.alone, "largest B": chosen}


# -- who stays alone, who trains with all --------------------------------------------------------


def _stay(text: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """N <= K. A partition that merges before it asks never ends with N groups."""
        at = Greedy.of(w)
        return {"N": at.clients * one(at.alone)}, {"K": at.groups(text)}

    return sides


def _low_tradeoff(w: World) -> Terms:
    """alpha at most the smallest threshold of a pair."""
    return {**directions(w), "alpha at most the threshold": closed.independence_threshold(w.gradient, w.size) - w.tradeoff}


_SCALED = numbers({**_CLIENTS, "stretch": Real(1, 1024, log=True)}, *SMALL, about=ABOUT)


def _stretched(w: World) -> Array:
    return w.size * w.stretch[..., None]


def _enough_data(text: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """All sizes times a factor: the thresholds grow with it, unless two gradients agree."""
        at = Greedy.of(w, sizes=_stretched(w))
        return {"N": at.clients * one(at.alone)}, {"K": at.groups(text)}

    return sides


def _sufficient(w: World) -> Terms:
    threshold = closed.independence_threshold(w.gradient, w.size)
    return {**directions(w), "factor at least alpha/threshold": w.stretch * threshold - w.tradeoff}


def _join(w: World) -> tuple[Terms, Terms]:
    at = Greedy.of(w)
    return {"K": at.groups(True)}, {"1": one(at.alone)}


def _high_tradeoff(w: World) -> Terms:
    """alpha above every merge's threshold, of two clients or of a pair with the third."""
    n = int(w.original("N"))
    merges: list[tuple[tuple[int, ...], tuple[int, ...]]]
    merges = [((i,), (k,)) for i in range(n) for k in range(i + 1, n)]
    if n == 3:
        merges += [((0, 1), (2,)), ((0, 2), (1,)), ((1, 2), (0,))]
    top = [
        closed.pair_threshold(w.gradient, w.size, members(a, w), members(b, w)) for a, b in merges
    ]
    return {**directions(w), "alpha above all thresholds": w.tradeoff - xp.largest(xp.stack(top, -1))}


_ALIKE = numbers(
    {"direction": Real(-2, 2, unit=(1, -1), per=("d",)), "length": Real(1 / 8, 8, log=True, per=("N",)),
     "size": Real(1, 16, log=True, per=("N",)), "tradeoff": TRADEOFF},
    *SMALL, about="gradients of one direction",
)  # fmt: skip


def _alike(w: World) -> tuple[Terms, Terms]:
    """Equal directions have similarity one in every group, so that B = alpha times a positive slope.

    The cosines are put in by value: what rounding makes of them is not the question.
    """
    n = int(w.original("N"))

    def utility(*group: int) -> Array:
        mask = members(group, w)
        size = closed.group_size(w.size, mask)
        return len(group) * (1 - w.tradeoff / size)

    single = [utility(k) for k in range(n)]
    alone, last = sum(single[1:], start=single[0]), utility(*range(n))
    if n == 2:
        at = Greedy(n, alone, last, last, last[..., None])
    else:
        pairs = xp.stack([utility(a, b) + single[3 - a - b] for a, b in ((0, 1), (0, 2), (1, 2))], -1)
        at = Greedy(n, alone, xp.largest(pairs), last, pairs)
    return {"K": at.groups(True)}, {"1": one(at.alone)}


# -- alpha = 0 -----------------------------------------------------------------------------------

_THREE_IN_TWO = numbers({"gradient": _GRADIENT}, *THREE, about="three clients of one size in two groups")


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
_DEFINED = frozenset({"gradients", "means"})
_M: dict[str, Any] = {**_C, "given": directions, "strict": _DEFINED}
_D: dict[str, Any] = {**_C, "strict": _DEFINED}
_U = r"U_i=-\frac\alpha{\hat D}+s+\beta"
_INC = r"\sum_iU_i\ \text{after a merge}\ \ge\ \sum_iU_i\ \text{before}"
_IND = r"\alpha\le\min_{i\ne k}\frac{2-s_i-s_k}{1/D_i+1/D_k-2/(D_i+D_k)}\Rightarrow K=N"
_GLOB = r"\alpha>\max_{C_1,C_2}\alpha(C_1,C_2)\Rightarrow K=1"

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
              family=numbers({"gradient": _GRADIENT}, {"N": 2, "d": 1}, about="two clients on the line"),
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
    Statement(key="hcct.claim.stepincrease/amount", source=source("Section 5"), relation="==",
              latex=r"\Delta\sum_iU_i=B(k_1^*,k_2^*)", family=TWO_OR_THREE, sides=_objective,
              title="the objective moves by the benefit", **_M),
    Statement(key="hcct.claim.stepincrease/increase@text", source=source("Section 5"), latex=_INC,
              family=TWO_OR_THREE, sides=_increase(True), title="the objective rises", **_M),
    Statement(key="hcct.claim.stepincrease/increase@box", source=source("Algorithm 2"), latex=_INC,
              family=TWO_OR_THREE, sides=_increase(False), title="the objective rises", **_M),
    Statement(key="hcct.claim.stepincrease/stage", source=source("Section 5"),
              latex=r"\max_{k_1,k_2}\sum_iU_i\le\sum_iU_i+B(k_1^*,k_2^*)",
              family=numbers(_CLIENTS, *THREE, about=ABOUT), sides=_stage,
              title="best choice of the stage", **_M),
    Statement(key="hcct.claim.degInd/threshold@text", source=source("Section 5.2"), latex=_IND,
              family=TWO_OR_THREE, sides=_stay(True), given=_low_tradeoff,
              title="independent training", **_D),
    Statement(key="hcct.claim.degInd/threshold@box", source=source("Algorithm 2"), latex=_IND,
              family=TWO_OR_THREE, sides=_stay(False), given=_low_tradeoff,
              title="independent training", **_D),
    Statement(key="hcct.claim.degInd/data@text", source=source("Section 5.2"), family=_SCALED,
              latex=r"c\ge\alpha/\alpha_{\mathrm{ind}}:\ K(cD)=N", sides=_enough_data(True),
              given=_sufficient, title="independent training with enough data", **_D),
    Statement(key="hcct.claim.degInd/data@box", source=source("Algorithm 2"), family=_SCALED,
              latex=r"c\ge\alpha/\alpha_{\mathrm{ind}}:\ K(cD)=N", sides=_enough_data(False),
              given=_sufficient, title="independent training with enough data", **_D),
    Statement(key="hcct.claim.degGlob/threshold", source=source("Section 5.2"), latex=_GLOB,
              family=TWO_OR_THREE, sides=_join, given=_high_tradeoff, title="full collaboration",
              strict=frozenset({"alpha above all thresholds", *_DEFINED}), **_C),
    Statement(key="hcct.claim.degGlob/alike", source=source("Section 5.2"), family=_ALIKE,
              latex=r"\mathbf g_i\parallel\mathbf g_j,\ \alpha>0\Rightarrow K=1", sides=_alike,
              title="full collaboration of equal clients", **_C),
)  # fmt: skip
