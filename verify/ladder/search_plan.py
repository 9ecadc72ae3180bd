"""The search of a whole claim, stage by stage: its shapes, then beyond its ranges.

Every stage has a share of the evaluations and begins where the stage before it ended: the worst
instance of a small shape, with a client or a round repeated, seeds the larger one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from verify.claim.statement import Family, Shape
from verify.ladder.budgets import Profile
from verify.ladder.pool import Candidate, Pool
from verify.ladder.rung_search import Engine, search_shape
from verify.ladder.search_lift import lifted_points

BEYOND = 0.2
"""Part of the evaluations that goes beyond the ranges of the box, where the domain allows it."""


@dataclass
class Plan:
    """What a search does with its evaluations; `spent` and `notes` are for the ledger."""

    pool: Pool
    profile: Profile
    seed: int
    engine: Engine | None = None
    spent: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def stages(self, rescale: bool = False) -> Iterator[Iterator[tuple[str, Candidate]]]:
        """Searches to go through in order, each an iterator of hits."""
        family = self.pool.statement.family
        wide = None if rescale else widened(family, self.profile.reach)
        total = self.profile.evaluations
        beyond = 0 if wide is None else round(BEYOND * total)
        name = "in other units" if rescale else "in the ranges"
        for number, shape in enumerate(family.shapes):
            rng = np.random.default_rng([self.seed, number, int(rescale)])
            share = (total - beyond) // len(family.shapes)
            yield self._search(name, shape, share, rng, rescale)
        if wide is not None:
            for number, shape in enumerate(family.shapes):
                rng = np.random.default_rng([self.seed, number, 3])
                yield self._search(
                    "beyond the ranges", shape, beyond // len(family.shapes), rng, family=wide
                )

    def _search(
        self, name: str, shape: Shape, share: int, rng: np.random.Generator,
        rescale: bool = False, family: Family | None = None,
    ) -> Iterator[tuple[str, Candidate]]:  # fmt: skip
        before = self.pool.tried
        try:
            yield from search_shape(
                self.pool, shape, share, self.profile.population, rng, rescale, family=family,
                known=None if rescale else self._known(family, shape), engine=self.engine,
            )  # fmt: skip
        finally:
            self.spent[name] = self.spent.get(name, 0) + self.pool.tried - before

    def _known(self, family: Family | None, shape: Shape) -> np.ndarray[Any, Any] | None:
        tops = self.pool.tops
        if not tops:
            return None
        return lifted_points(tops, family or self.pool.statement.family, shape)


def widened(family: Family, reach: float) -> Family | None:
    """The family with each range made larger as far as its domain goes; None if none is."""
    box = {name: parameter.wide(reach) for name, parameter in family.box.items()}
    changed = any(
        (box[k].low, box[k].high) != (p.low, p.high) for k, p in family.box.items()
    )
    return replace(family, box=box) if changed and reach > 1 else None
