"""Counts of the partition problem: partitions, steps, benefits and cosines, and who pays for them.

An example is a number of clients and a number that fixes their gradients and sizes; the greedy
partition is run by its serial twin, in fractions where the world is exact.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

from algorithms.reference.hcct import all_partitions, reference_partition, utilities
from bounds.hcct import counts as closed
from verify.claim import Real, Sides, numbers, open_claim, statement
from verify.world.world import World


@statement(
    "hcct.claim.bell",
    where="Section 4",
    kind="claim",
    title="number of partitions",
    latex=r"|\Pi|=B_N",
    relation="==",
    family=numbers({}, *({"N": n} for n in range(1, 9)), about="sets of up to eight clients"),
    note="Partitions listed one by one against Dobinski's sum.",
)
def bell(w: World) -> Sides:
    n = int(w.original("N"))
    return {"partitions": sum(1 for _ in all_partitions(n))}, {"B_N": closed.bell_number(w.N, n)}


@lru_cache(maxsize=64)
def _clients(clients: int, example: int) -> Any:
    """Gradients and sizes of an example, small whole numbers from a fixed recurrence, and alpha."""
    state, values = 7 + 31 * example + clients, []
    for _ in range(3 * clients):
        state = (state * 1103515245 + 12345) % 2**31
        values.append(Fraction(1 + (state >> 16) % 9))
    rows = [[a - 4, 2 * b - 9] for a, b in zip(values[::3], values[1::3], strict=True)]
    return rows, values[2::3], Fraction(2 * (1 + example))


@lru_cache(maxsize=256)
def _run(clients: int, example: int) -> Any:
    rows, sizes, alpha = _clients(clients, example)
    gradients = [[float(x) for x in row] for row in rows]
    return reference_partition(gradients, [float(s) for s in sizes], float(alpha))


def _case(w: World) -> Any:
    """Greedy partition of the listed clients."""
    return _run(int(w.original("N")), int(w.original("example")))


@statement(
    "hcct.claim.autoK/steps",
    where="Section 5",
    kind="claim",
    title="number of groups",
    latex=r"K\leftarrow K-1\ \text{in every step}",
    relation="==",
    family=numbers(
        {},
        *({"N": n, "example": e} for n in (2, 3, 4, 5, 6) for e in range(3)),
        about="listed clients, two to six of them",
    ),
    note="Groups after each merge: one less every time.",
)
def decreases(w: World) -> Sides:
    run = _case(w)
    return {"groups after the merges": len(run.groups)}, {"N": w.N, "merges": -len(run.gains)}


@decreases.like(
    "hcct.claim.stepincrease/increase@kept",
    where="Algorithm 2",
    title="the objective rises",
    latex=r"\sum_iU_i\ \text{after a merge}\ \ge\ \sum_iU_i\ \text{before}",
    relation="<=",
    note="""Objective before and after the merge of the worst change, old benefits kept after a
    merge. A benefit recorded for a pair of numbers is that of smaller groups than the ones it
    merges.""",
)
def recorded(w: World) -> Sides:
    gradients, sizes, alpha = _clients(int(w.original("N")), int(w.original("example")))
    run = reference_partition(gradients, sizes, alpha, fresh=False)
    own = ([utilities(g, gradients, sizes, alpha) for g in groups] for groups in run.steps)
    values = [sum(sum(group) for group in groups) for groups in own]
    pairs = list(pairwise(values)) or [(values[0], values[0])]
    before, after = min(pairs, key=lambda pair: float(pair[1]) - float(pair[0]))
    plain = float if w.number == "float64" else lambda value: value
    return {"before": plain(before)}, {"after": plain(after)}


def _first(w: World, counted: str) -> Sides:
    count, right = getattr(_case(w), counted)[0], closed.first_step_benefits(w.N)
    return {f"{counted} of the first step": count}, {"N(N-1)/2": right}


first_benefits = decreases.like(
    "hcct.claim.complexity/first@pairs",
    where="Section 5.1",
    title="first step",
    latex=r"\tfrac12N(N-1)",
)(partial(_first, counted="benefits"))
first_cosines = first_benefits.variant(
    "hcct.claim.complexity/first@cosines",
    sides=partial(_first, counted="cosines"),
    note="A benefit of two single clients needs the cosine of each of them with their mean.",
)


@lru_cache(maxsize=32)
def _apart(clients: int) -> Any:
    """Clients in right angles with much data: nobody merges."""
    rows = [[float(a == b) for a in range(clients)] for b in range(clients)]
    return reference_partition(rows, [100.0] * clients, 1.0)


MANY = numbers({}, *({"N": n} for n in (3, 4, 5, 6, 8, 12, 16, 24)), about="up to 24 clients")
"""Clients of the explicit forms: an order is about large numbers."""


@statement(
    "hcct.claim.complexity/best",
    where="Section 5.1",
    kind="claim",
    title="nobody merges",
    latex=r"\mathcal O(N(N-1))",
    family=numbers({}, *({"N": n} for n in range(3, 9)), about="one group that takes up all"),
    relation="<~",
)
def best_case(w: World) -> Sides:
    run = _apart(int(w.original("N")))
    return {"cosines": sum(run.cosines)}, {"N(N-1)": closed.best_case_cosines(w.N)}


best_explicit = best_case.variant(
    "hcct.claim.complexity.explicit/best", latex=r"N(N-1)", relation="=="
)
best_bounded = best_case.bounded(
    "hcct.claim.complexity.explicit/best-order",
    lambda c: 1,
    says="1",
    latex=r"\text{cosines}\le N(N-1)",
    family=MANY,
    note="Two cosines for each of the N (N - 1)/2 pairs of the first step, and no other step.",
)


@lru_cache(maxsize=32)
def _chain(clients: int) -> Any:
    """Clients of one direction and falling sizes: the largest group takes up the others."""
    sizes = [Fraction(1, 10**k) for k in range(clients)]
    # the two smallest gain most: the group grows from the small clients up
    return reference_partition([[Fraction(1)]] * clients, sizes, Fraction(1))


def _step(w: World, printed: bool) -> Sides:
    step = int(w.original("N")) - 1
    right = (
        closed.step_cosines_printed(w.N, step)
        if printed
        else (closed.step_cosines(w.N, step, w.N - step))
    )
    return {"cosines of the last step": _chain(step + 1).cosines[step - 1]}, {"count": right}


one_step = best_case.like(
    "hcct.claim.complexity/step",
    title="one step",
    latex=r"\mathcal O(N(l+2)-(l+1)^2)",
    note="""The last step made: the group has l clients and meets N - l single ones, l = N - 1.

    Cosines (N - l)(l + 1) against N (l + 2) - (l + 1)^2, which is N - l - 1 more.""",
)(partial(_step, printed=True))
one_step_explicit = one_step.variant(
    "hcct.claim.complexity.explicit/step",
    latex=r"(N-l)(l+1)",
    relation="==",
    sides=partial(_step, printed=False),
)
one_step_bounded = one_step.bounded(
    "hcct.claim.complexity.explicit/step-order",
    lambda c: 1,
    says="1",
    latex=r"(N-l)(l+1)\le N(l+2)-(l+1)^2",
    family=MANY,
    note="The printed count is N - l - 1 more than (N - l)(l + 1).",
)


def _worst(w: World, printed: bool) -> Sides:
    count = closed.worst_case_printed if printed else closed.worst_case_cosines
    return {"cosines": sum(_chain(int(w.original("N"))).cosines)}, {"count": count(w.N)}


worst_case = best_case.like(
    "hcct.claim.complexity/worst",
    title="one group takes up all",
    latex=r"\mathcal O(\tfrac16(N^3-19N+6))",
    family=numbers({}, *({"N": n} for n in range(5, 9)), about="one group that takes up all"),
    note="""All cosines, of the first step N (N - 1) and of the others sum_l (N - l)(l + 1). The
    printed cubic is negative up to N = 4; an order is about large N.""",
)(partial(_worst, printed=True))
worst_explicit = worst_case.variant(
    "hcct.claim.complexity.explicit/worst",
    latex=r"\tfrac16(N^3+9N^2-22N+12)",
    relation="==",
    sides=partial(_worst, printed=False),
)
worst_bounded = worst_case.bounded(
    "hcct.claim.complexity.explicit/worst-order",
    lambda c: 7,
    says="7",
    latex=r"N\ge5:\ \text{cosines}\le7\cdot\tfrac16(N^3-19N+6)",
    family=numbers({}, *({"N": n} for n in (5, 6, 8, 12, 16, 24)), about="five to 24 clients"),
    note="That 7 is enough for every N from 5 on is proved beside it.",
)


@worst_case.like(
    "hcct.claim.complexity.explicit/order",
    title="a constant for the printed order",
    latex=r"N\ge5:\ \tfrac16(N^3+9N^2-22N+12)\le7\cdot\tfrac16(N^3-19N+6)",
    family=numbers({"more": Real(0, 64)}, about="five clients or more"),
    relation="<=",
    note="The printed cubic is negative up to N = 4; from N = 5 on seven times it is enough.",
)
def order(w: World) -> Sides:
    cosines, printed = closed.worst_case_cosines(5 + w.more), closed.worst_case_printed(5 + w.more)
    return {"cosines": cosines}, {"7 times the print": 7 * printed}


class _Counted(float):
    """A number that notes on a tally of its own how many multiplications it took part in."""

    tally: list[int]

    @classmethod
    def on(cls, tally: list[int], value: float) -> _Counted:
        """A number that notes its multiplications on this tally."""
        made = cls(value)
        made.tally = tally
        return made

    def __mul__(self, other: Any) -> _Counted:
        self.tally[0] += 1
        return self.on(self.tally, float(self) * float(other))

    def __add__(self, other: Any) -> _Counted:
        return self.on(self.tally, float(self) + float(other))

    def __truediv__(self, other: Any) -> _Counted:
        return self.on(self.tally, float(self) / float(other))

    __rmul__, __radd__ = __mul__, __add__


@statement(
    "hcct.claim.complexity/similarity",
    where="Section 5.1",
    kind="claim",
    title="one similarity",
    latex=r"\mathcal O(M)",
    relation="==",
    family=numbers({}, *({"M": m} for m in (1, 2, 5)), about="counted multiplications"),
    note="""Multiplications of two vectors' cosine: three inner products and one of the two squares.

    Counted on numbers that count; the square root and the division are on top.""",
)
def multiplications(w: World) -> Sides:
    dim, tally = int(w.original("M")), [0]
    row = [_Counted.on(tally, 1)] * dim
    utilities((0, 1), [row, row], [1.0, 1.0], 0.0)
    both = tally[0] // 2  # two clients, each with its own cosine
    return {"multiplications": both - dim}, {"3 M + 1": 3 * w.M + 1}


@statement(
    "hcct.claim.servercost@current",
    where="Section 5.1",
    kind="claim",
    title="who pays",
    latex=r"\text{gradients per epoch: HCCT}\le\text{FedAvg}",
    family=numbers(
        {},
        *({"N": n, "Q": q} for n in (1, 3, 10) for q in (1, 2, 5)),
        about="up to ten clients and five local steps",
    ),
    note="""Gradients that the clients compute in an epoch, N Q for FedAvg. A partition by updates
    at the present models needs a gradient of every client before the training.""",
)
def cost_current(w: World) -> Sides:
    from algorithms.registry import load_method

    hyper = {"local_steps": int(w.original("Q")), "updates": "current"}
    drawn = load_method("hcct").slots(int(w.original("N")), hyper)
    return {"HCCT": drawn}, {"FedAvg": w.N * w.Q}


OPEN = (
    open_claim(
        "hcct.claim.nphard",
        "claim",
        "Section 4",
        r"\text{(P1) is NP-hard in general}",
        "hardness",
        "a reduction: the paper cites one for coalition structures in general",
    ),
    open_claim(
        "hcct.claim.servercost@previous",
        "claim",
        "Section 5.1",
        r"\text{gradients per epoch: HCCT}\le\text{FedAvg}",
        "who pays",
        "something to decide: a partition by what was sent in the epoch before asks the clients for "
        "nothing by definition",
    ),
    open_claim(
        "hcct.claim.autoK/tuning",
        "claim",
        "Section 5",
        r"\text{no parameter to tune}",
        "number of groups",
        "a measure of tuning; alpha is chosen per task, and decides K",
    ),
    open_claim(
        "hcct.claim.hccteUse",
        "claim",
        "Section 5.2",
        r"\text{HCCT-E for similar clients}",
        "when to use HCCT-E",
        "what similar and sufficient mean",
    ),
    open_claim(
        "hcct.claim.hcctpUse",
        "claim",
        "Section 5.1",
        r"\text{HCCT-P for diverse clients}",
        "when to use HCCT-P",
        "a measure of diversity and of advantage",
    ),
)
