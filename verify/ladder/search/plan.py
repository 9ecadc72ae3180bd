"""The search of a whole claim, stage by stage: its shapes, beyond its ranges, larger sizes.

Every stage has a share of the evaluations and begins where the stage before it ended: the worst
instance of a small shape, with a client or a round repeated, seeds the larger one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from verify.claim.parameters import SIZES, Real, plain_numbers
from verify.claim.statement import Family
from verify.ladder.budgets import Profile
from verify.ladder.search import tuning
from verify.ladder.search.alone import one_at_a_time
from verify.ladder.search.hunt import Engine, Hunt, look, pursue
from verify.ladder.search.points import lifted_points
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.sizes import Growth

MOST_ENDS = 4
"""Ends of ranges that the first line of a word names."""


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

    def short(self, rescale: bool = False) -> Iterator[Iterator[tuple[str, Candidate]]]:
        """The short way where an earlier search has left its instances.

        A look at each shape as far as the domain goes, then the engine in the shape that comes
        nearest to a hit.
        """
        family = self.pool.statement.family
        wide = None if rescale else widened(family, self.profile.reach)
        name, hunts = _name(rescale, wide), []
        left = self.profile.evaluations
        share = max(
            left * (tuning.ENGINE_PART - 1) // (tuning.ENGINE_PART * len(family.shapes)), 16
        )
        for number, shape in enumerate(family.shapes):
            rng = np.random.default_rng([self.seed, number, 2 + int(rescale)])
            hunts.append(Hunt(self.pool, shape, rng, rescale, wide))
            yield self._counted(name, hunts[-1].analytic(share, keep=False))
        nearest = max(hunts, key=lambda hunt: hunt.nearest)
        yield self._counted(name, self._engine(nearest, left // tuning.ENGINE_PART))

    def stages(self, rescale: bool = False) -> Iterator[Iterator[tuple[str, Candidate]]]:
        """Searches to go through in order, each an iterator of hits."""
        family = self.pool.statement.family
        wide = None if rescale else widened(family, self.profile.reach)
        total = self.profile.total(len(family.shapes))
        larger = round(tuning.LARGER_SIZES * total) if self._grows(rescale) else 0
        share, hunts = (total - larger) // len(family.shapes), []
        for number, shape in enumerate(family.shapes):
            rng = np.random.default_rng([self.seed, number, int(rescale)])
            hunts.append(Hunt(self.pool, shape, rng, rescale))
            yield from self._looks(hunts, share // tuning.LOOKED_AT_FIRST, wide)
        name, left = _name(rescale, wide), len(hunts) * (share - share // tuning.LOOKED_AT_FIRST)
        for hunt in hunts if not self.pool.feasible else ():
            left -= share // tuning.LOOKED_AT_FIRST
            yield self._counted(name, hunt.analytic(share // tuning.LOOKED_AT_FIRST))
        chosen = worth_a_climb(hunts, left, self.profile.starts)
        for hunt in chosen:
            engine = self._engine(hunt, left // len(chosen))
            yield self._counted(name, engine)
        few = sorted(chosen, key=lambda hunt: -hunt.nearest)[: tuning.SHAPES_ALONE]
        for hunt in few if self.profile.larger and not rescale else ():
            alone = one_at_a_time(hunt, self.profile.evaluations // (tuning.ALONE * len(few)))
            yield self._counted("one parameter at a time", alone)
        if larger:
            self.growth = Growth(self.pool, larger, self.seed)
            for stage in self.growth.stages():
                yield self._counted("at larger sizes", stage)

    def _grows(self, rescale: bool) -> bool:
        statement = self.pool.statement
        larger = self.profile.larger and bool(statement.family.growing)
        return larger and not rescale and statement.relation != "<~"

    def _looks(
        self, hunts: list[Hunt], share: int, wide: Family | None
    ) -> Iterator[Iterator[tuple[str, Candidate]]]:
        """Look at the last shape within its ranges, then as far as the domain goes."""
        hunt = hunts[-1]
        beyond = 0 if wide is None else round(tuning.BEYOND_RANGES * share)
        begun = look(hunt, share - beyond, self._known(hunt))
        yield self._counted(_name(hunt.rescale, None), begun)
        if wide is not None:
            hunts[-1] = hunt.widened(wide)
            yield self._counted(_name(False, wide), self._further(hunts[-1], beyond))

    def _engine(self, hunt: Hunt, evaluations: int) -> Iterator[tuple[str, Candidate]]:
        """The engine in one shape, beside what other shapes have found."""
        yield from hunt.begin(self._known(hunt))
        yield from pursue(hunt, evaluations, self.profile.population, self.engine)

    def _further(self, hunt: Hunt, evaluations: int) -> Iterator[tuple[str, Candidate]]:
        """What other shapes have found beyond the ranges, and analytic points there."""
        yield from hunt.begin(self._known(hunt))
        yield from hunt.analytic(max(evaluations, 16))

    def _counted(
        self, name: str, hits: Iterator[tuple[str, Candidate]]
    ) -> Iterator[tuple[str, Candidate]]:
        before = self.pool.tried
        try:
            yield from hits
        finally:
            self.spent[name] = self.spent.get(name, 0) + self.pool.tried - before

    def _known(self, hunt: Hunt) -> np.ndarray[Any, Any]:
        """What other shapes have found, as points of a hunt, (B, width); other units know none."""
        tops = [] if hunt.rescale else self.pool.tops
        return lifted_points(tops, hunt.family, hunt.shape)


def _name(rescale: bool, wide: Family | None) -> str:
    """What a stage is called in the ledger."""
    return "in other units" if rescale else "in the ranges" if wide is None else "beyond the ranges"


def worth_a_climb(hunts: Sequence[Hunt], evaluations: int, starts: int) -> list[Hunt]:
    """The hunts, in order, that an engine goes on with: where it is short, only the nearest ones.

    An ascent tells nothing before several ``starts`` have ended.
    """
    each = (
        starts
        * tuning.STEPS_OF_A_START
        * (max(hunt.width for hunt in hunts) + len(tuning.STEP_LENGTHS))
    )
    count = int(np.clip(evaluations // each, 1, len(hunts)))
    order = sorted(range(len(hunts)), key=lambda j: -hunts[j].nearest)
    return [hunts[j] for j in sorted(order[:count])]


def widened(family: Family, reach: float) -> Family | None:
    """The family with each range made larger as far as its domain goes; None if none is."""
    box = {name: parameter.wide(reach) for name, parameter in family.box.items()}
    changed = any((box[k].low, box[k].high) != (p.low, p.high) for k, p in family.box.items())
    return replace(family, box=box) if changed and reach > 1 else None


def scope_line(pool: Pool, reach: float, plan: Plan | None = None) -> str:
    """What a search covers, in words.

    Parameters
    ----------
    pool : Pool
        With what was evaluated.
    reach : float
        Factor by which the search may leave the ranges.
    plan : Plan, optional
        The search, with the sizes that it reached.
    """
    family = pool.statement.family
    parts = [" ".join(f"{k}={v}" for k, v in shape.items()) for shape in family.shapes if shape]
    if plan is not None and plan.growth is not None and plan.growth.reached:
        sizes = ", ".join(f"{name} up to {n}" for name, n in plan.growth.reached.items())
        parts.append(f"larger sizes: {sizes}")
    if family.box:
        parts.append("ranges " + ", ".join(_range(k, p) for k, p in family.box.items()))
    if widened(family, reach) is not None:
        parts.append(f"beyond them up to {reach:g} times, within the domains")
    laws = sorted({str(law) for law in map(_law, pool.kept) if law})
    if laws:
        parts.append("law " + " and ".join(laws))
    if pool.tried:
        met = f"{pool.feasible + pool.blank} of {pool.tried} instances met every hypothesis"
        lost = (
            f", of which floats could not compare the sides of {pool.blank}" if pool.blank else ""
        )
        parts.append(met + lost)
    return f"{family.about}{': ' + '; '.join(parts) if parts else ''}"


def limits_line(pool: Pool, reach: float, plan: Plan) -> str:
    """Where a search has ended that the claim goes beyond: sizes, and ranges of plain numbers.

    Parameters
    ----------
    pool, reach, plan
        As for :func:`scope_line`.
    """
    family = pool.statement.family
    largest: dict[str, int] = {}
    for shape in family.shapes:
        for name in (n for n in shape if n in SIZES or n in family.growing):
            largest[name] = max(largest.get(name, 0), int(shape[name]))
    if plan.growth is not None:
        largest |= {k: max(n, largest.get(k, 0)) for k, n in plan.growth.reached.items()}
    parts = [f"{name} = {n}" for name, n in largest.items()]
    wide = widened(family, reach) or family
    ends = [
        (f"{sign}{name}", abs(end))
        for name, p in wide.box.items()
        if p.low < p.high
        for sign, end, limit in (("", p.high, p.limits[1]), ("-", p.low, p.limits[0]))
        if family.build is plain_numbers and abs(limit) == inf
    ]
    parts += [f"{name} = {end:g}" for name, end in ends[:MOST_ENDS]]
    more = len(ends) - MOST_ENDS
    tail = f" and {more} more ends of ranges" if more > 0 else ""
    return f"looked at up to {', '.join(parts)}{tail}" if parts else ""


def _range(name: str, parameter: Real) -> str:
    per = f" per {' and '.join(parameter.per)}" if parameter.per else ""
    if parameter.low == parameter.high:
        return f"{name} = {parameter.low:g}{per}"
    return f"{name} {parameter.low:g} to {parameter.high:g}{per}"


def _law(result: object) -> object:
    """Noise law of a scored batch."""
    data = getattr(getattr(result, "world", None), "instance", None)
    return None if data is None else data.data.get("law")
