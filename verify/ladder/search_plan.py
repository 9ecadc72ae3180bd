"""The search of a whole claim, stage by stage: its shapes, beyond its ranges, larger sizes.

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
from verify.ladder.search_sizes import Growth, growing

BEYOND = 0.2
"""Part of the evaluations that goes beyond the ranges of the box, where the domain allows it."""

LARGER = 0.2
"""Part of the evaluations that goes to larger sizes, where a family has some."""


@dataclass
class Plan:
    """What a search does with its evaluations; `spent` is for the ledger.

    The larger sizes are searched while time remains: ``growth`` is None until they are reached.
    """

    pool: Pool
    profile: Profile
    seed: int
    engine: Engine | None = None
    spent: dict[str, int] = field(default_factory=dict)
    growth: Growth | None = None

    @property
    def details(self) -> dict[str, Any]:
        """Evaluations spent stage by stage, and the sizes that were left out, with the reason."""
        left = self.growth.skipped[:4] if self.growth is not None else []
        return {"spent": self.spent, **({"left out": left} if left else {})}

    def stages(self, rescale: bool = False) -> Iterator[Iterator[tuple[str, Candidate]]]:
        """Searches to go through in order, each an iterator of hits."""
        family = self.pool.statement.family
        wide = None if rescale else widened(family, self.profile.reach)
        total = self.profile.evaluations
        beyond = 0 if wide is None else round(BEYOND * total)
        larger = round(LARGER * total) if self._grows(rescale) else 0
        name = "in other units" if rescale else "in the ranges"
        for number, shape in enumerate(family.shapes):
            rng = np.random.default_rng([self.seed, number, int(rescale)])
            share = (total - beyond - larger) // len(family.shapes)
            yield self._search(name, shape, share, rng, rescale)
        if wide is not None:
            for number, shape in enumerate(family.shapes):
                rng = np.random.default_rng([self.seed, number, 3])
                yield self._search(
                    "beyond the ranges", shape, beyond // len(family.shapes), rng, family=wide
                )
        if larger:
            self.growth = Growth(self.pool, larger, self.seed)
            for stage in self.growth.stages():
                yield self._counted("at larger sizes", stage)

    def _grows(self, rescale: bool) -> bool:
        statement = self.pool.statement
        plain = statement.quantifier == "all" and statement.relation != "<~"
        return plain and not rescale and self.profile.larger and bool(growing(statement.family))

    def _search(
        self, name: str, shape: Shape, share: int, rng: np.random.Generator,
        rescale: bool = False, family: Family | None = None,
    ) -> Iterator[tuple[str, Candidate]]:  # fmt: skip
        hits = search_shape(
            self.pool, shape, share, self.profile.population, rng, rescale, family=family,
            known=None if rescale else self._known(family, shape), engine=self.engine,
        )  # fmt: skip
        return self._counted(name, hits)

    def _counted(
        self, name: str, hits: Iterator[tuple[str, Candidate]]
    ) -> Iterator[tuple[str, Candidate]]:
        before = self.pool.tried
        try:
            yield from hits
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
