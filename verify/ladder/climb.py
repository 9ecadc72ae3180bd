"""One statement on its way up the rungs: search, units, the referee's questions, its witness."""

from __future__ import annotations

import functools
import hashlib
import inspect
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, prod
from typing import Any

import numpy as np

from bounds.numbers import Undecided
from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.claim.statement import Family, Shape, Statement
from verify.ladder.budgets import Profile
from verify.ladder.hints import repair_hint
from verify.ladder.limits import OutOfTime, at_most
from verify.ladder.pool import Candidate, Pool
from verify.ladder.rung_certificate import prove
from verify.ladder.rung_growth import growing_rays, ray_numbers
from verify.ladder.rung_power import measure_power
from verify.ladder.rung_search import analytic_points
from verify.ladder.rung_simulation import simulate
from verify.ladder.rung_units import measure_units
from verify.ladder.scope import scope_line
from verify.ladder.search_plan import Plan
from verify.ladder.shrink import shrink
from verify.verdict.evidence import Evidence
from verify.verdict.relation import LARGEST, ROUNDING, same
from verify.verdict.verdict import breaks
from verify.world.noise_plan import AllOutcomes, NotAvailable
from verify.world.referee import Rescored, rescore
from verify.world.returned import Inexact

OUTCOMES = AllOutcomes()


@dataclass
class Climb:
    """One statement on its way up."""

    statement: Statement
    profile: Profile
    seed: int
    device: str
    pool: Pool = field(init=False)
    plan: Plan | None = None
    witness: dict[str, Any] | None = None
    hint: str = ""
    rescored: int = 0
    doubts: list[str] = field(default_factory=list)
    dismissed: dict[float, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pool = Pool(self.statement, OUTCOMES)

    @property
    def scope(self) -> str:
        """What the search covers, in words."""
        return scope_line(self.pool, self.profile.reach, self.plan)

    def tightness(self) -> dict[str, Any] | None:
        """Largest ratio of a feasible instance and where it is reached."""
        best = self.best
        if best is None:
            return None
        where = {**best.shape, **{k: np.asarray(v).tolist() for k, v in best.values.items()}}
        return {"ratio": min(self._ratio(best), LARGEST), "instance": where}

    def evidence(self) -> Iterator[Evidence]:
        """Run the rungs in order."""
        try:
            with np.errstate(all="ignore"):
                yield from self._search()
                if self.witness is None:
                    yield from self._units()
                if self.witness is None and self.statement.relation != "<~":
                    yield from self._tightest()
                if self.witness is None:
                    yield from self._prove()
                yield from simulate(
                    self.statement, self.profile.replicates, self.seed, self.device,
                    self.profile.chunk,
                )  # fmt: skip
                if self.statement.quantifier == "all":
                    if self.witness is not None:
                        self._look_around()
                    yield measure_power(self.pool, self.profile.mutants, self.seed)
                    if self.witness is not None:
                        self.hint = repair_hint(self.pool)
        except NotAvailable as error:
            yield Evidence("exact", "not-applicable", str(error))

    # -- rungs ---------------------------------------------------------------------------------

    def _search(self, rescale: bool = False) -> Iterator[Evidence]:
        plan = Plan(self.pool, self.profile, self.seed)
        self.plan = self.plan or plan
        finished = True
        self.pool.deadline = time.perf_counter() + self.profile.share("search")
        try:
            for stage in plan.stages(rescale):
                self.rescored = 0
                for rung, candidate in stage:
                    if self.statement.relation == "<~":
                        continue  # no single instance breaks a claim up to a constant
                    item = self._judge(rung, candidate)
                    if item is not None:
                        yield item
                    if self.witness is not None:
                        return
        except OutOfTime:
            finished = plan.growth is not None
        finally:
            self.pool.deadline = inf
        if not rescale and (finished or self.pool.feasible):
            yield self._feasibility()
        if self.statement.quantifier == "some":
            yield Evidence(
                "search", "undecided", "no instance that satisfies the claim was found",
                tried=self.pool.tried,
            )  # fmt: skip
            return
        if self.statement.relation == "<~":
            yield from self._grow()
            return
        yield from self._settle()
        if self.witness is not None:
            return
        best = self.best
        text = f"{self.pool.feasible} instances{' in changing units' if rescale else ''}"
        text += f"; largest ratio {self._ratio(best):.4g}" if best is not None else ""
        status = "decided" if finished and best is not None else "undecided"
        if not finished:
            status, text = "stopped", "time limit of the search: raise it or take a smaller profile"
        if self.doubts:
            status, text = "undecided", self.doubts[0]
        yield Evidence(
            "search", status, text,
            counted=self.pool.feasible, tried=self.pool.tried, guard=ROUNDING, scope=self.scope,
            worst=None if best is None else self._ratio(best), details=plan.details,
        )  # fmt: skip

    def _prove(self) -> Iterator[Evidence]:
        """Prove it, once the search has not refuted it."""
        try:
            with at_most(self.profile.share("certificate")):
                found = list(prove(self.statement))
        except OutOfTime:
            text = "out of time before a proof was found or given up"
            found = [Evidence("certificate", "not-applicable", text)]
        yield from found

    def _look_around(self) -> None:
        """A witness ends the search early; hints still want instances of every shape."""
        for number, shape in enumerate(self.statement.family.shapes):
            rng = np.random.default_rng([self.seed, number, 2])
            points = analytic_points(self.statement.family, shape, 256, rng)
            self.pool.evaluate(self.pool.decode(points, shape), shape, keep=True)

    def _grow(self) -> Iterator[Evidence]:
        """Claims up to an unnamed constant: look for a ray on which the ratio grows."""
        for ray in growing_rays(self.pool):
            start, end = self._exact(ray.near, ray.shape), self._exact(ray.far, ray.shape)
            near, far = self._rescore(start), self._rescore(end)
            if near is None or far is None or start is None or end is None:
                continue
            numbers = ray_numbers(near, far, start, end)
            if near.assumed and far.assumed and breaks(numbers):
                text = f"left/right grows like a power along a ray ({ray.along})"
                yield self._accept("search", end, far, numbers, text)
                return
        yield Evidence(
            "search", "undecided", "the constant is not named: only an explicit form can hold",
            tried=self.pool.tried,
        )  # fmt: skip

    def _settle(self) -> Iterator[Evidence]:
        """Re-score the tightest instances whose float ratio is above one and not settled yet."""
        for top in list(self.pool.tops):
            if top.ratio <= 1 + ROUNDING or top.ratio in self.dismissed:
                continue
            instance = self._exact(top.values, top.shape, top.family)
            found = self._rescore(instance)
            if found is not None and found.violated:
                yield self._accept("search", instance, found)
                return
            self._dismiss(top, found)

    def _dismiss(self, candidate: Candidate, found: Rescored | None) -> None:
        if found is None or not (found.decided or found.tie):
            self.doubts.append("a float hit could not be decided in exact arithmetic")
        else:
            self.dismissed[candidate.ratio] = found.ratio if found.assumed else 0.0

    def _ratio(self, candidate: Candidate) -> float:
        """Ratio of an instance: the exact one where exact arithmetic has dismissed the float."""
        return self.dismissed.get(candidate.ratio, candidate.ratio)

    @property
    def best(self) -> Candidate | None:
        """Tightest instance."""
        known = [*self.pool.tops, *([self.pool.within] if self.pool.within else [])]
        return max(known, key=self._ratio, default=None)

    def _smallest_best(self) -> Candidate | None:
        """The smallest of the instances that are as tight as the tightest, up to rounding."""
        best = self.best
        if best is None:
            return None
        ties = [c for c in self.pool.tops if same(self._ratio(c), self._ratio(best))]
        return min([*ties, best], key=_size)

    def _feasibility(self) -> Evidence:
        pool = self.pool
        if pool.feasible:
            text = f"{pool.feasible} of {pool.tried} instances meet every hypothesis"
            return Evidence(
                "hypotheses", "reported", text, counted=pool.feasible, tried=pool.tried
            )
        text = (
            f"none of {pool.tried} instances meets every hypothesis; a proof that none exists, "
            "or a family that contains one, would decide"
        )
        return Evidence("hypotheses", "undecided", text, tried=pool.tried)

    def _units(self) -> Iterator[Evidence]:
        units = measure_units(self.statement, self.pool.kept)
        if units is None:
            yield Evidence("units", "not-applicable", "the instances carry no units")
            return
        yield units.evidence()
        if not units.consistent and self.statement.relation != "<~":
            yield from self._search(rescale=True)

    def _tightest(self) -> Iterator[Evidence]:
        """Re-score the tightest instance exactly: a float tie may hide a violation."""
        best = self._smallest_best()
        if best is None or self.statement.quantifier == "some":
            return
        instance = self._exact(best.values, best.shape, best.family)
        found = self._rescore(instance)
        if found is None:
            return
        if found.violated:
            item = self._accept("exact", instance, found)
            yield item
        elif found.satisfied:
            yield Evidence(
                "exact", "decided", f"the tightest instance agrees in {found.number} arithmetic",
                counted=1, tried=1, worst=min(best.ratio, 1.0), scope=self.scope,
            )  # fmt: skip

    # -- referee -------------------------------------------------------------------------------

    def _judge(self, rung: str, candidate: Candidate) -> Evidence | None:
        """Ask the referee about a float hit, and again about its shrunk form.

        Rounding is dismissed by the first answer. A point that misses a hypothesis by a bit, or
        cannot be decided, may still have a neighbour of rounder numbers that breaks the claim.
        """
        if self.rescored >= self.profile.referees:
            self.doubts.append("more float hits than the referee's budget")
            return None
        self.rescored += 1
        shape, family = candidate.shape, candidate.family
        instance = self._exact(candidate.values, shape, family)
        found = self._rescore(instance)
        settled = found is not None and (found.decided or found.tie) and found.assumed
        if found is None or self._wanted(found) or not settled:
            shrunk = self._exact(shrink(self.pool, candidate), shape, family)
            smaller = self._rescore(shrunk)
            if smaller is not None and self._wanted(smaller):
                return self._accept(rung, shrunk, smaller)
        if found is not None and self._wanted(found):
            return self._accept(rung, instance, found)
        self._dismiss(candidate, found)
        return None

    def _wanted(self, found: Rescored) -> bool:
        return found.satisfied if self.statement.quantifier == "some" else found.violated

    def _exact(
        self, values: Mapping[str, Any], shape: Shape, family: Family | None = None
    ) -> Instance | None:
        from bounds.numbers import as_rational

        lifted = {k: np.asarray(as_rational(np.asarray(v)[None])) for k, v in values.items()}
        return (family or self.statement.family).instance(lifted, shape)[0]

    def _rescore(self, instance: Instance | None) -> Rescored | None:
        try:
            with at_most(self.profile.share("referee")):
                return None if instance is None else rescore(self.statement, instance)
        except Inexact:  # no instance would do better: say so instead of counting a doubt
            raise
        except (NotAvailable, Undecided, InvalidInput, ZeroDivisionError, OutOfTime):
            return None

    def _accept(
        self, rung: str, instance: Instance | None, found: Rescored,
        extra: Mapping[str, Any] | None = None, text: str = "",
    ) -> Evidence:  # fmt: skip
        assert instance is not None
        numbers = {**found.numbers(self.statement.quantifier), **(extra or {})}
        self.witness = {
            "schema": "fedassay-witness/1", "key": self.statement.key,
            "instance": instance.to_json(), **numbers, "seed": self.seed,
            "code": code_hash(self.statement),
        }  # fmt: skip
        left, right = float(found.left), float(found.right)
        verb = "shows" if self.statement.quantifier == "some" else "breaks the claim:"
        text = text or (
            f"an instance {verb} left {left:.6g}, right {right:.6g} in {found.number} arithmetic"
        )
        return Evidence(rung, "decided", text, witness=numbers, tried=self.pool.tried)


def _size(candidate: Candidate) -> int:
    """How much there is to compute of an instance: its numbers times the sizes of its shape."""
    whole = [n for n in candidate.shape.values() if isinstance(n, int) and n > 0]
    return prod(whole) * (1 + sum(np.size(v) for v in candidate.values.values()))


def code_hash(statement: Statement) -> str:
    """Digest of the code of both sides and of the hypotheses."""
    rules = [item.rule for item in statement.given]
    parts = [statement.sides, *rules, *statement.defines.values()]
    text = "".join(_code(part) for part in parts if part is not None)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _code(function: Any) -> str:
    """Source of a function, with the arguments that a partial one holds."""
    if isinstance(function, functools.partial):
        return f"{_code(function.func)}{function.args}{function.keywords}"
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return repr(getattr(function, "__qualname__", function))
