"""Answers of searches for proofs: what has been asked is not looked for again.

Claims of one set recur in others, and those of one statement in another.  Within one count of the
effort an answer costs once; in another count it costs what it did, so that no outcome depends on
what has been looked at before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from verify.certify.algebra.solvers import complain, complaints
from verify.limits.counter import counted, met_before, spend

KEPT = 256
"""Answers that are remembered."""

Found = TypeVar("Found")

__all__ = ["Answers"]


@dataclass(frozen=True)
class _Answer(Generic[Found]):
    """What was found with products of up to so many facts, what it took, and what was said."""

    found: Found | None
    degree: int
    spent: int
    said: tuple[str, ...]

    def serves(self, degree: int) -> bool:
        """Whether it is the answer for another degree: short products are tried first."""
        return degree == self.degree or (self.found is not None and degree > self.degree)


class Answers(Generic[Found]):
    """The latest answers, by what was asked."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, _Answer[Found]] = OrderedDict()

    def of(self, asked: Hashable, degree: int, search: Callable[[], Found | None]) -> Found | None:
        """What `search` finds, or has found.

        Parameters
        ----------
        asked : hashable
            All that the search depends on but the degree.
        degree : int
            Largest number of facts multiplied with each other.
        search : callable

        Raises
        ------
        OutOfEffort
            As the search does.
        """
        kept = self._kept.get(asked)
        if kept is None or not kept.serves(degree):
            with complaints() as said, counted() as meter:
                found = search()
            kept = self._kept[asked] = _Answer(found, degree, meter.spent, tuple(said))
            met_before((asked, kept.degree))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        elif not met_before((asked, kept.degree)):
            spend(kept.spent)
        self._kept.move_to_end(asked)
        for reason in kept.said:
            complain(reason)
        return kept.found
