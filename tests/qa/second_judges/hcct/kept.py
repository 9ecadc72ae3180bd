"""Algorithm 2 with benefits that are kept once they are recorded, in fractions.

Line 6 computes B(k_1, k_2) where it "is not recorded", line 13 merges into k_1* and removes the
index k_2*.  Whether the indices after k_2* move up is not said, nor what the stop of (17) asks
before the first merge; all four are followed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

__all__ = ["merges"]

Group = tuple[int, ...]
Utility = Callable[[Group], Fraction]


def merges(
    clients: int, utility: Utility, moves_up: bool, asks_first: bool
) -> list[tuple[Fraction, Fraction]]:
    """Total utility before and after each merge of the run.

    Parameters
    ----------
    clients : int
        N.
    utility : callable
        Clients of a group -> its utility (14), without the constant beta, which all share.
    moves_up : bool
        Whether an index is given anew after one below it is removed.
    asks_first : bool
        Whether a merge of no recorded benefit is left out (text of Section 5), or made before the
        criterion is evaluated (Algorithm 2).
    """
    group: dict[int, Group] = {k: (k,) for k in range(clients)}
    recorded: dict[tuple[int, int], Fraction] = {}
    steps = []
    while len(group) > 1:
        pairs = list(combinations(sorted(group), 2))
        for pair in pairs:
            if pair not in recorded:
                apart = [group[k] for k in pair]
                recorded[pair] = utility(apart[0] + apart[1]) - sum(map(utility, apart))
        chosen = max(pairs, key=lambda pair: recorded[pair])
        if asks_first and recorded[chosen] <= 0:
            break
        before = sum(map(utility, group.values()), Fraction(0))
        group[chosen[0]] += group.pop(chosen[1])
        steps.append((before, sum(map(utility, group.values()), Fraction(0))))
        if moves_up:
            group = dict(enumerate(group[k] for k in sorted(group)))
        known = [recorded.get(pair) for pair in combinations(sorted(group), 2)]
        if not asks_first and all(value is not None and value <= 0 for value in known):
            break
    return steps
