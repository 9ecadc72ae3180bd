"""Utilities and the greedy partition of up to three clients, all groups in closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import inf

from bounds import generic as xp
from bounds.hcct import utility as closed
from verify.claim import Array, Hypothesis, Real, Sides, hypothesis, numbers, open_claim, statement
from verify.statements.hcct.quantities.gradients import (
    ABOUT,
    CLIENTS,
    DIRECTIONS,
    SMALL,
    THREE,
    TWO_OR_THREE,
    scale,
)
from verify.statements.hcct.quantities.symbols import SIZES, TRADEOFF, members
from verify.world.world import World

_PAIRS = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class Greedy:
    """Total utility and number of groups along the greedy partition of two or three clients.

    Objective with single clients, after the best merge of two, with all in one group, (B, 1).
    """

    clients: int
    alone: Array
    first: Array
    last: Array

    @classmethod
    def of(cls, n: int, utility: Callable[..., Array]) -> Greedy:
        """From the utility of every group, named by its clients."""
        if n not in (2, 3):
            raise ValueError(f"the groups of two or three clients are listed here, not of {n}")
        single = [utility(k) for k in range(n)]
        alone, last = sum(single[1:], start=single[0]), utility(*range(n))
        if n == 2:
            return cls(n, alone, last, last)
        pairs = [utility(a, b) + single[3 - a - b] for a, b in _PAIRS]
        return cls(n, alone, xp.largest(xp.stack(pairs, -1)), last)

    def groups(self, text: bool) -> Array:
        """K in the end; merges before (text) or after (box) the stopping rule is asked."""
        unit = xp.ones_like(self.alone)
        merged = unit
        if self.clients == 3:
            merged = 2 * unit - xp.indicator(self.last > self.first, self.alone)
        if not text:
            return merged
        return xp.where(self.first > self.alone, merged, self.clients * unit)


def greedy(w: World, size: Array) -> Greedy:
    """The greedy partition of a world's clients, with these sizes."""

    def utility(*group: int) -> Array:
        return closed.group_utility(w.gradient, size, members(group, w), w.tradeoff)

    return Greedy.of(int(w.original("N")), utility)


@statement(
    "hcct.claim.stepincrease/amount",
    where="Section 5",
    kind="claim",
    title="the objective moves by the benefit",
    latex=r"\Delta\sum_iU_i=B(k_1^*,k_2^*)",
    relation="==",
    family=TWO_OR_THREE,
    given=DIRECTIONS,
    note="Total utility after a merge less that before, from every client's own utility.",
)
def amount(w: World) -> Sides:
    first, second = members((0,), w), members((1,), w)
    args = (w.gradient, w.size)

    def everybody(*groups: Array) -> Array:
        return sum(xp.total(closed.utilities(*args, g, w.tradeoff)) for g in groups)

    rest = [members((2,), w)] if int(w.original("N")) == 3 else []
    change = everybody(first + second, *rest) - everybody(first, second, *rest)
    return {"change of the objective": change, "scale": scale(w)}, {
        "B": closed.merge_benefit(*args, first, second, w.tradeoff),
        "scale": scale(w),
    }


_RISES = r"\sum_iU_i\ \text{after a merge}\ \ge\ \sum_iU_i\ \text{before}"
increase_text = open_claim(
    "hcct.claim.stepincrease/increase@renewed+before-merge",
    "claim",
    "Section 5",
    _RISES,
    "the objective rises",
    "something to decide: a merge is made only where B > 0, and B is the change of the objective, "
    "see the amount",
)


@amount.like(
    "hcct.claim.stepincrease/increase@renewed+after-merge",
    title="the objective rises",
    relation="<=",
    latex=_RISES,
    where="Algorithm 2",
    note="Objective before and after the first merge, which is made before the criterion is asked.",
)
def increase_box(w: World) -> Sides:
    at = greedy(w, w.size)
    return {"before": at.alone}, {"after": at.first}


@amount.like(
    "hcct.claim.stepincrease/stage",
    title="best choice of the stage",
    relation="<=",
    latex=r"\max_{k_1,k_2}\sum_iU_i\le\sum_iU_i+B(k_1^*,k_2^*)",
    family=numbers(CLIENTS, *THREE, about=ABOUT),
    note="Any single merge against the one of largest benefit.",
)
def stage(w: World) -> Sides:
    at = greedy(w, w.size)
    chosen, *others = (
        closed.merge_benefit(w.gradient, w.size, members((a,), w), members((b,), w), w.tradeoff)
        for a, b in _PAIRS
    )
    for other in others:
        chosen = xp.where(other > chosen, other, chosen)
    return {"best after one merge": at.first}, {"before": at.alone, "largest B": chosen}


def _stay(w: World, text: bool) -> Sides:
    at = greedy(w, w.size * w.stretch[..., None] if w.has("stretch") else w.size)
    return {"N": at.clients * xp.ones_like(at.alone)}, {"K": at.groups(text)}


stay_text = statement(
    "hcct.claim.degInd/threshold@before-merge",
    where="Section 5.1",
    kind="claim",
    title="independent training",
    latex=r"\alpha\le\min_{i\ne k}\frac{2-s_i-s_k}{1/D_i+1/D_k-2/(D_i+D_k)}\Rightarrow K=N",
    family=TWO_OR_THREE,
    given=[
        *DIRECTIONS,
        Hypothesis(
            "alpha at most the threshold",
            r"\alpha\le\min_{i\ne k}\frac{2-s(i,\{i,k\})-s(k,\{i,k\})}{1/D_i+1/D_k-2/(D_i+D_k)}",
            lambda w: closed.independence_threshold(w.gradient, w.size) - w.tradeoff,
            "Section 5.1: 'data distributions diverge significantly'",
        ),
    ],
    note="N <= K. A partition that merges before it asks never ends with N groups.",
)(partial(_stay, text=True))
stay_box = stay_text.variant(
    "hcct.claim.degInd/threshold@after-merge", where="Algorithm 2", sides=partial(_stay, text=False)
)
enough_text = stay_text.like(
    "hcct.claim.degInd/data@before-merge",
    title="independent training with enough data",
    latex=r"c\ge\alpha/\alpha_{\mathrm{ind}}:\ K(cD)=N",
    family=numbers(
        {**CLIENTS, "stretch": Real(1, 1024, log=True, domain=(1, inf))}, *SMALL, about=ABOUT
    ),
    given=[
        *DIRECTIONS,
        Hypothesis(
            "factor at least alpha/threshold",
            r"c\,\min_{i\ne k}\frac{2-s(i,\{i,k\})-s(k,\{i,k\})}{1/D_i+1/D_k-2/(D_i+D_k)}\ge\alpha",
            lambda w: w.stretch * closed.independence_threshold(w.gradient, w.size) - w.tradeoff,
            "Section 5.1: 'sufficient local training data'",
        ),
    ],
    note="""All sizes times a factor c: the threshold alpha_ind of two single clients grows with it,
    unless two gradients agree.""",
)(partial(_stay, text=True))
enough_box = enough_text.variant(
    "hcct.claim.degInd/data@after-merge", where="Algorithm 2", sides=partial(_stay, text=False)
)


@hypothesis(
    "alpha above all thresholds",
    r"\alpha>\max_{\mathcal C_1\cap\mathcal C_2=\emptyset}\frac{\sum_{i\in\mathcal C_1}s(i,\mathcal C_1)+\sum_{i\in\mathcal C_2}s(i,\mathcal C_2)-\sum_{i\in\mathcal C_1\cup\mathcal C_2}s(i,\mathcal C_1\cup\mathcal C_2)}{|\mathcal C_1|/\hat D_1+|\mathcal C_2|/\hat D_2-(|\mathcal C_1|+|\mathcal C_2|)/(\hat D_1+\hat D_2)}",
    where="Section 5.1: 'a very limited volume of training data'",
    strict=True,
)
def _high_tradeoff(w: World) -> Array:
    """Of two clients, or of a pair with the third."""
    n = int(w.original("N"))
    merges = [((i,), (k,)) for i, k in combinations(range(n), 2)]
    pairs = [(pair, (3 - sum(pair),)) for pair in _PAIRS] if n == 3 else []
    top = [
        closed.pair_threshold(w.gradient, w.size, members(a, w), members(b, w))
        for a, b in (*merges, *pairs)
    ]
    return w.tradeoff - xp.largest(xp.stack(top, -1))


@statement(
    "hcct.claim.degGlob/threshold",
    where="Section 5.1",
    kind="claim",
    title="full collaboration",
    latex=r"\alpha>\max_{C_1,C_2}\alpha(C_1,C_2)\Rightarrow K=1",
    family=TWO_OR_THREE,
    given=[*DIRECTIONS, _high_tradeoff],
)
def join(w: World) -> Sides:
    at = greedy(w, w.size)
    return {"K": at.groups(True)}, {"1": xp.ones_like(at.alone)}


@join.like(
    "hcct.claim.degGlob/alike",
    title="full collaboration of equal clients",
    latex=r"\mathbf g_i\parallel\mathbf g_j,\ \alpha>0\Rightarrow K=1",
    given=(),
    family=numbers(
        {
            "direction": Real(-2, 2, unit=(1, -1), per=("d",)),
            "length": Real(1 / 8, 8, log=True, per=("N",)),
            "size": SIZES,
            "tradeoff": TRADEOFF,
        },
        *SMALL,
        about="gradients of one direction",
    ),
    note="""Equal directions have similarity one in every group, so that B = alpha times a positive
    slope.

    The cosines are put in by value: what rounding makes of them is not the question.""",
)
def alike(w: World) -> Sides:
    def utility(*group: int) -> Array:
        return len(group) * (1 - w.tradeoff / closed.group_size(w.size, members(group, w)))

    at = Greedy.of(int(w.original("N")), utility)
    return {"K": at.groups(True)}, {"1": xp.ones_like(at.alone)}
