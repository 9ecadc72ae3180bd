"""Utilities and the greedy partition of up to three clients, all groups in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bounds import generic as xp
from bounds import hcct_utility as closed
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct.common import (
    TRADEOFF,
    choose,
    members,
    numbers,
    one,
    source,
)
from verify.world.world import World

Array = Any

GRADIENT = Real(-2, 2, unit=(1, -1), per=("N", "d"))
CLIENTS = {"gradient": GRADIENT, "size": Real(1, 16, log=True, per=("N",)), "tradeoff": TRADEOFF}
ABOUT = "two or three clients, any gradients and sizes"
SMALL = ({"N": 2, "d": 1}, {"N": 2, "d": 2}, {"N": 3, "d": 1}, {"N": 3, "d": 2})
THREE = ({"N": 3, "d": 1}, {"N": 3, "d": 2})
TWO_OR_THREE = numbers(CLIENTS, *SMALL, about=ABOUT)


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


def scale(w: World) -> Array:
    """More than any benefit: what rounds to it does not count where benefits cancel."""
    return 2 * int(w.original("N")) * (1 + w.original("tradeoff"))


# -- one merge ---------------------------------------------------------------------------------


def _objective(w: World) -> tuple[Terms, Terms]:
    """Total utility after a merge less that before, from every client's own utility."""
    first, second = members((0,), w), members((1,), w)
    args = (w.gradient, w.size)

    def everybody(*groups: Array) -> Array:
        return sum(xp.total(closed.utilities(*args, g, w.tradeoff)) for g in groups)

    rest = [members((2,), w)] if int(w.original("N")) == 3 else []
    change = everybody(first + second, *rest) - everybody(first, second, *rest)
    return {"change of the objective": change, "scale": scale(w)}, {
        "B": closed.merge_benefit(*args, first, second, w.tradeoff), "scale": scale(w)
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


_SCALED = numbers({**CLIENTS, "stretch": Real(1, 1024, log=True)}, *SMALL, about=ABOUT)


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


_C: dict[str, Any] = {"kind": "claim"}
DEFINED = frozenset({"gradients", "means"})
_M: dict[str, Any] = {**_C, "given": directions, "strict": DEFINED}
_D: dict[str, Any] = {**_C, "strict": DEFINED}
_INC = r"\sum_iU_i\ \text{after a merge}\ \ge\ \sum_iU_i\ \text{before}"
_IND = r"\alpha\le\min_{i\ne k}\frac{2-s_i-s_k}{1/D_i+1/D_k-2/(D_i+D_k)}\Rightarrow K=N"
_GLOB = r"\alpha>\max_{C_1,C_2}\alpha(C_1,C_2)\Rightarrow K=1"

STATEMENTS = (
    Statement(key="hcct.claim.stepincrease/amount", source=source("Section 5"), relation="==",
              latex=r"\Delta\sum_iU_i=B(k_1^*,k_2^*)", family=TWO_OR_THREE, sides=_objective,
              title="the objective moves by the benefit", **_M),
    Statement(key="hcct.claim.stepincrease/increase@text", source=source("Section 5"), latex=_INC,
              family=TWO_OR_THREE, sides=_increase(True), title="the objective rises", **_M),
    Statement(key="hcct.claim.stepincrease/increase@box", source=source("Algorithm 2"), latex=_INC,
              family=TWO_OR_THREE, sides=_increase(False), title="the objective rises", **_M),
    Statement(key="hcct.claim.stepincrease/stage", source=source("Section 5"),
              latex=r"\max_{k_1,k_2}\sum_iU_i\le\sum_iU_i+B(k_1^*,k_2^*)",
              family=numbers(CLIENTS, *THREE, about=ABOUT), sides=_stage,
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
              strict=frozenset({"alpha above all thresholds", *DEFINED}), **_C),
    Statement(key="hcct.claim.degGlob/alike", source=source("Section 5.2"), family=_ALIKE,
              latex=r"\mathbf g_i\parallel\mathbf g_j,\ \alpha>0\Rightarrow K=1", sides=_alike,
              title="full collaboration of equal clients", **_C),
)  # fmt: skip
