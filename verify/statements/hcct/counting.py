"""Counts of the partition problem: partitions, steps, benefits and cosines, on listed examples.

An example is a number of clients and a number that fixes their gradients and sizes; the greedy
partition is run by its serial twin, in fractions where the world is exact.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

from bounds import hcct_counts as closed
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct.common import source, unchecked_claim
from verify.world.world import World

_EXAMPLES = Family(
    {}, tuple({"N": n, "example": e} for n in (2, 3, 4, 5, 6) for e in range(3)),
    about="listed clients, two to six of them",
)  # fmt: skip
_SETS = Family({}, tuple({"N": n} for n in range(1, 9)), about="sets of up to eight clients")
_CHAINS = Family({}, tuple({"N": n} for n in range(3, 9)), about="one group that takes up all")


@lru_cache(maxsize=256)
def _run(clients: int, example: int, order: str = "text") -> Any:
    """Greedy partition of listed clients: small whole numbers from a fixed recurrence."""
    from algorithms.reference.hcct import reference_partition

    rows, sizes, alpha = _clients(clients, example)
    gradients = [[float(x) for x in row] for row in rows]
    return reference_partition(gradients, [float(s) for s in sizes], float(alpha), order=order)


@lru_cache(maxsize=32)
def _chain(clients: int) -> Any:
    """Clients of one direction and falling sizes: the largest group takes up one after the other."""
    from algorithms.reference.hcct import reference_partition

    sizes = [Fraction(1, 10**k) for k in range(clients)]
    # the two smallest gain most: the group grows from the small clients up
    return reference_partition([[Fraction(1)]] * clients, sizes, Fraction(1))


@lru_cache(maxsize=32)
def _apart(clients: int) -> Any:
    """Clients in right angles with much data: nobody merges."""
    from algorithms.reference.hcct import reference_partition

    rows = [[float(a == b) for a in range(clients)] for b in range(clients)]
    return reference_partition(rows, [100.0] * clients, 1.0)


def _case(w: World, order: str = "text") -> Any:
    return _run(int(w.original("N")), int(w.original("example")), order)


def _partitions(w: World) -> tuple[Terms, Terms]:
    """Partitions listed one by one against Dobinski's sum."""
    from algorithms.reference.hcct import all_partitions

    n = int(w.original("N"))
    return {"partitions": sum(1 for _ in all_partitions(n))}, {"B_N": closed.bell_number(w.N, n)}


def _decreases(w: World) -> tuple[Terms, Terms]:
    """Groups after each merge: one less every time."""
    run = _case(w)
    merges = len(run.gains)
    return {"groups after the merges": len(run.groups)}, {"N": w.N, "merges": -merges}


def _recorded(w: World) -> tuple[Terms, Terms]:
    """Objective before and after the merge of the worst change, old benefits kept after a merge.

    A benefit recorded for a pair of numbers is that of smaller groups than the ones it merges.
    """
    from algorithms.reference.hcct import reference_partition, utilities

    gradients, sizes, alpha = _clients(int(w.original("N")), int(w.original("example")))
    run = reference_partition(gradients, sizes, alpha, fresh=False)
    values = [sum(sum(utilities(g, gradients, sizes, alpha)) for g in groups) for groups in run.steps]
    pairs = list(pairwise(values)) or [(values[0], values[0])]
    before, after = min(pairs, key=lambda pair: float(pair[1]) - float(pair[0]))
    return {"before": _plain(before, w)}, {"after": _plain(after, w)}


def _plain(value: Any, w: World) -> Any:
    return float(value) if w.number == "float64" else value


@lru_cache(maxsize=64)
def _clients(clients: int, example: int) -> Any:
    """Whole gradients and sizes of an example, as fractions."""
    state, values = 7 + 31 * example + clients, []
    for _ in range(3 * clients):
        state = (state * 1103515245 + 12345) % 2**31
        values.append(Fraction(1 + (state >> 16) % 9))
    rows = [[a - 4, 2 * b - 9] for a, b in zip(values[::3], values[1::3], strict=True)]
    return rows, values[2::3], Fraction(2 * (1 + example))


def _first_pairs(w: World) -> tuple[Terms, Terms]:
    return {"benefits of the first step": _case(w).benefits[0]}, {
        "N(N-1)/2": closed.first_step_benefits(w.N)
    }


def _first_cosines(w: World) -> tuple[Terms, Terms]:
    """A benefit of two single clients needs the cosine of each of them with their mean."""
    return {"cosines of the first step": _case(w).cosines[0]}, {
        "N(N-1)/2": closed.first_step_benefits(w.N)
    }


def _best_case(w: World) -> tuple[Terms, Terms]:
    run = _apart(int(w.original("N")))
    return {"cosines": sum(run.cosines)}, {"N(N-1)": closed.best_case_cosines(w.N)}


def _steps(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The last step made: the group has l clients and meets N - l single ones, l = N - 1.

        Cosines (N - l)(l + 1) against N (l + 2) - (l + 1)^2, which is N - l - 1 more.
        """
        run, n = _chain(int(w.original("N"))), w.N
        step = int(w.original("N")) - 1
        right = (
            closed.step_cosines_printed(n, step) if printed
            else closed.step_cosines(n, step, n - step)
        )  # fmt: skip
        return {"cosines of the last step": run.cosines[step - 1]}, {"count": right}

    return sides


def _worst(printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """All cosines, of the first step N (N - 1) and of the others sum_l (N - l)(l + 1)."""
        run, n = _chain(int(w.original("N"))), w.N
        right = closed.worst_case_printed(n) if printed else closed.worst_case_cosines(n)
        return {"cosines": sum(run.cosines)}, {"count": right}

    return sides


_FROM_FIVE = Family({"more": Real(0, 64)}, about="five clients or more")


def _order(w: World) -> tuple[Terms, Terms]:
    """The printed cubic is negative up to N = 4; from N = 5 on seven times it is enough."""
    clients = 5 + w.more
    return {"cosines": closed.worst_case_cosines(clients)}, {
        "7 times the print": 7 * closed.worst_case_printed(clients)
    }


def _multiplications(w: World) -> tuple[Terms, Terms]:
    """Multiplications of two vectors' cosine: three inner products and one of the two squares.

    Counted on numbers that count; the square root and the division are on top.
    """
    from algorithms.reference.hcct import utilities

    dim = int(w.original("M"))
    tally = [0]
    row = [_Counted(1.0, tally) for _ in range(dim)]
    utilities((0, 1), [row, row], [1.0, 1.0], 0.0)
    both = tally[0] // 2  # two clients, each with its own cosine
    return {"multiplications": both - dim}, {"3 M + 1": 3 * w.M + 1}


class _Counted(float):
    """A float that counts its multiplications."""

    tally: list[int]

    def __new__(cls, value: float, tally: list[int]) -> _Counted:
        made = super().__new__(cls, value)
        made.tally = tally
        return made

    def __mul__(self, other: Any) -> _Counted:
        self.tally[0] += 1
        return _Counted(float(self) * float(other), self.tally)

    __rmul__ = __mul__

    def __add__(self, other: Any) -> _Counted:
        return _Counted(float(self) + float(other), self.tally)

    __radd__ = __add__

    def __truediv__(self, other: Any) -> _Counted:
        return _Counted(float(self) / float(other), self.tally)


_C: dict[str, Any] = {"kind": "claim", "source": source("Section 5.1")}

STATEMENTS = (
    Statement(key="hcct.claim.bell", kind="claim", source=source("Section 4"), family=_SETS,
              latex=r"|\Pi|=B_N", relation="==", sides=_partitions, title="number of partitions"),
    unchecked_claim("claim.nphard", "Section 4", r"\text{(P1) is NP-hard in general}", "hardness",
                    "a reduction: the paper cites one for coalition structures in general"),
    Statement(key="hcct.claim.autoK/steps", kind="claim", source=source("Section 5"), family=_EXAMPLES,
              latex=r"K\leftarrow K-1\ \text{in every step}", relation="==", sides=_decreases,
              title="number of groups"),
    Statement(key="hcct.claim.autoK/tuning", kind="claim", source=source("Section 5"),
              latex=r"\text{no parameter to tune}", title="number of groups",
              missing="a measure of tuning; alpha is chosen per task, and decides K"),
    Statement(key="hcct.claim.stepincrease/increase@recorded", kind="claim",
              source=source("Algorithm 2"), family=_EXAMPLES, sides=_recorded,
              latex=r"\sum_iU_i\ \text{after a merge}\ \ge\ \sum_iU_i\ \text{before}",
              title="the objective rises"),
    Statement(key="hcct.claim.complexity/first@benefits", latex=r"\tfrac12N(N-1)", family=_EXAMPLES,
              relation="==", sides=_first_pairs, title="first step", **_C),
    Statement(key="hcct.claim.complexity/first@cosines", latex=r"\tfrac12N(N-1)", family=_EXAMPLES,
              relation="==", sides=_first_cosines, title="first step", **_C),
    Statement(key="hcct.claim.complexity/best", latex=r"\mathcal O(N(N-1))", family=_CHAINS,
              sides=_best_case, title="nobody merges", **_C),
    Statement(key="hcct.claim.complexity/step", latex=r"\mathcal O(N(l+2)-(l+1)^2)", family=_CHAINS,
              sides=_steps(True), title="one step", **_C),
    Statement(key="hcct.claim.complexity/worst@count", latex=r"\mathcal O(\tfrac16(N^3-19N+6))",
              family=_CHAINS, sides=_worst(True), title="one group takes up all", **_C),
    Statement(key="hcct.claim.complexity/worst@order", latex=r"\mathcal O(\tfrac16(N^3-19N+6))",
              family=_CHAINS, sides=_worst(True), relation="<~", title="one group takes up all", **_C),
    Statement(key="hcct.claim.complexity.explicit/best", latex=r"N(N-1)", family=_CHAINS,
              form="explicit", relation="==", sides=_best_case, title="nobody merges", **_C),
    Statement(key="hcct.claim.complexity.explicit/step", latex=r"(N-l)(l+1)", family=_CHAINS,
              form="explicit", relation="==", sides=_steps(False), title="one step", **_C),
    Statement(key="hcct.claim.complexity.explicit/worst", latex=r"\tfrac16(N^3+9N^2-22N+12)",
              family=_CHAINS, form="explicit", relation="==", sides=_worst(False),
              title="one group takes up all", **_C),
    Statement(key="hcct.claim.complexity.explicit/order", form="explicit", family=_FROM_FIVE,
              latex=r"N\ge5:\ \tfrac16(N^3+9N^2-22N+12)\le7\cdot\tfrac16(N^3-19N+6)", sides=_order,
              title="a constant for the printed order", **_C),
    Statement(key="hcct.claim.complexity/similarity", latex=r"\mathcal O(M)", relation="==",
              family=Family({}, tuple({"M": m} for m in (1, 2, 5)), about="counted multiplications"),
              sides=_multiplications, title="one similarity", **_C),
)  # fmt: skip
