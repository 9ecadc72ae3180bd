"""Serial twin of the greedy partition, in any number type, with all readings of Algorithm 2.

Written from the rule alone: similarities from the definition, every benefit from three group
utilities, plain loops.  On fractions a cosine is a ball where it is irrational; a comparison that
its digits do not settle raises `Undecided`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bounds.generic import sqrt

Number = Any
Group = tuple[int, ...]


@dataclass
class GreedyRun:
    """Groups after every merge, benefits of the merges, counts of evaluations per step."""

    steps: list[list[Group]] = field(default_factory=list)
    gains: list[Number] = field(default_factory=list)
    benefits: list[int] = field(default_factory=list)
    cosines: list[int] = field(default_factory=list)

    @property
    def groups(self) -> list[Group]:
        """The partition in the end."""
        return self.steps[-1]


def reference_partition(
    gradients: Sequence[Sequence[Number]],
    sizes: Sequence[Number],
    tradeoff: Number,
    offset: Number = 0,
    order: str = "text",
    fresh: bool = True,
) -> GreedyRun:
    """Algorithm 2 on lists of numbers; twin of `algorithms.grouping.hcct_partition`."""

    def value(group: Group) -> Number:
        return sum(utilities(group, gradients, sizes, tradeoff, offset))

    groups: list[Group] = [(k,) for k in range(len(sizes))]
    run = GreedyRun([list(groups)])
    recorded: dict[tuple[int, int], Number] = {}  # by the smallest clients, the groups' numbers
    while len(groups) > 1:
        counts = [0, 0]
        for k, first in enumerate(groups):
            for second in groups[k + 1 :]:
                pair = (first[0], second[0])
                if pair not in recorded:
                    union = tuple(sorted(first + second))
                    recorded[pair] = value(union) - value(first) - value(second)
                    counts[0] += 1
                    counts[1] += len(union)
        run.benefits.append(counts[0])
        run.cosines.append(counts[1])
        live = [(a[0], b[0]) for k, a in enumerate(groups) for b in groups[k + 1 :]]
        best = live[0]
        for pair in live[1:]:
            if recorded[pair] > recorded[best]:
                best = pair
        if order == "text" and recorded[best] <= 0:
            break
        first, second = (next(g for g in groups if g[0] == p) for p in best)
        run.gains.append(recorded[best])
        groups = sorted(
            [g for g in groups if g not in (first, second)] + [tuple(sorted(first + second))]
        )
        run.steps.append(list(groups))
        recorded = {p: b for p, b in recorded.items() if second[0] not in p}
        if fresh:
            recorded = {p: b for p, b in recorded.items() if first[0] not in p}
        if order == "box" and not _somebody_gains(groups, recorded, value):
            break
    return run


def utilities(
    group: Group,
    gradients: Sequence[Sequence[Number]],
    sizes: Sequence[Number],
    tradeoff: Number,
    offset: Number = 0,
) -> list[Number]:
    """U_i of the members of a group."""
    size = sum(sizes[j] for j in group)
    dim = len(gradients[0])
    mean = [sum(sizes[j] * gradients[j][c] for j in group) / size for c in range(dim)]
    return [
        offset - tradeoff / size + (1 if len(group) == 1 else _cosine(gradients[i], mean))
        for i in group
    ]


def all_partitions(clients: int) -> Iterator[list[Group]]:
    """Every partition of the clients 0 .. N - 1."""
    if clients == 0:
        yield []
        return
    last = clients - 1
    for smaller in all_partitions(last):
        yield [*smaller, (last,)]
        for k in range(len(smaller)):
            yield [*smaller[:k], (*smaller[k], last), *smaller[k + 1 :]]


def _somebody_gains(
    groups: list[Group], recorded: dict[tuple[int, int], Number], value: Any
) -> bool:
    for k, first in enumerate(groups):
        for second in groups[k + 1 :]:
            gain = recorded.get((first[0], second[0]))
            if gain is None:
                gain = value(tuple(sorted(first + second))) - value(first) - value(second)
            if gain > 0:
                return True
    return False


def _cosine(x: Sequence[Number], y: Sequence[Number]) -> Number:
    square = sum(a * a for a in x) * sum(b * b for b in y)
    inner = sum(a * b for a, b in zip(x, y, strict=True))
    return 0 * square if square == 0 else inner / sqrt(square)
