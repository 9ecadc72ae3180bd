"""One statement on its way up the rungs: search, units, the tightest instance, proof, runs."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds import generic as xp
from verify.claim.parameters import Family, plain_numbers
from verify.claim.statement import Statement
from verify.ladder.budgets import Profile
from verify.ladder.rungs import tuning
from verify.ladder.rungs.each_size import each_size
from verify.ladder.rungs.far import far_out
from verify.ladder.rungs.given import given_instances
from verify.ladder.rungs.program_check import FirstAnswers, program_fault
from verify.ladder.rungs.referee import Hearing
from verify.ladder.rungs.simulation import simulate
from verify.ladder.rungs.spots import further_spots, spots
from verify.ladder.rungs.units import measure_units
from verify.ladder.search.enough import fill_up, instances_met
from verify.ladder.search.growth import Ray, growing_rays, nothing_right
from verify.ladder.search.hunt import Hunt, look, pursue
from verify.ladder.search.plan import Plan, limits_line, scope_line
from verify.ladder.search.pool import Candidate, Pool, size_of
from verify.ladder.search.seeds import Seed, Seeds, sown
from verify.ladder.search.shrink import has_long_numbers
from verify.ladder.search.sizes import NO_INSTANCE, Silenced
from verify.limits.clock import OutOfTime, at_most
from verify.limits.counter import OutOfEffort, metered
from verify.verdict.evidence import Evidence
from verify.verdict.relation import ROUNDING
from verify.verdict.verdict import breaks
from verify.world.noise_plan import NotAvailable
from verify.world.ray_numbers import ray_numbers
from verify.world.score import Score

if TYPE_CHECKING:
    from verify.ladder.rungs.worst_cases.climbing import Spot, WorstCases

NOT_SOUGHT = "no proof was looked for: what was kept says that an earlier search found none"
"""What is said where that is taken from what was kept: it makes a word weaker at most."""


def _numbers_alone(family: Family) -> bool:
    """Whether instances have neither vectors nor functions, so that there is no worst case."""
    plain = family.build is plain_numbers
    return plain and not any(real.per[-1:] == ("d",) for real in family.box.values())


@dataclass
class Climb:
    """One statement on its way up.

    Parameters
    ----------
    statement : Statement
    profile : Profile
    seed : int
    device : str
        Of simulated runs.
    tidy : bool
        Whether witnesses are shrunk.
    seeds : Seeds, optional
        What an earlier search has left.
    first : sequence of Seed
        Instances that are tried as witnesses before a search from nothing, which sees no more of
        them: those of the claim as it was before, or of a corpus that is not the package's.
    sought : bool
        Whether an earlier search for a proof is said to have found none.
    """

    statement: Statement
    profile: Profile
    seed: int
    device: str
    tidy: bool = True
    seeds: Seeds | None = None
    first: Sequence[Seed] = ()
    sought: bool = False
    heard: Hearing = field(init=False)
    plan: Plan | None = field(default=None, init=False)
    proved: list[Evidence] | None = field(default=None, init=False)
    afresh: int = field(default=0, init=False)
    broken: Candidate | None = field(default=None, init=False)
    given: bool = field(default=False, init=False)
    """Whether the witness is an instance that came with the statement."""

    def __post_init__(self) -> None:
        self.heard = Hearing(self.statement, self.profile, self.seed, self.tidy)

    @property
    def pool(self) -> Pool:
        """Instances that were evaluated."""
        return self.heard.pool

    @property
    def witness(self) -> dict[str, Any] | None:
        """Instance that breaks the claim (for a claim of existence: shows it)."""
        return self.heard.witness

    @property
    def scope(self) -> str:
        """What the search covers, in words."""
        return scope_line(self.pool, self.profile.reach, self.plan)

    def evidence(self) -> Iterator[Evidence]:
        """Run the rungs in order; last, whether the program still answers as in the beginning."""
        answers = FirstAnswers(self.statement)
        yield from self._rungs(answers)
        changed = answers.changed()
        if changed is not None:
            self.heard.witness = None  # what it says of an instance is worth nothing
            yield changed

    def _rungs(self, answers: FirstAnswers) -> Iterator[Evidence]:
        try:
            fault = program_fault(self.statement, self.seed, answers)
            if fault is not None:
                answers.world = None
                yield fault
                return
            with np.errstate(all="ignore"):
                self.proved = self._proved_before()
            yield from self.searched()
            with np.errstate(all="ignore"):
                if self.witness is None:
                    yield from self._prove()
                yield from simulate(
                    self.statement,
                    self.profile.replicates,
                    self.seed,
                    self.device,
                    self.profile.chunk,
                )
        except NotAvailable as error:
            found: list[Evidence] = []
            try:  # a run of many rounds is long: between two looks at a clock, too
                with np.errstate(all="ignore"), at_most(self.profile.share("search")):
                    found.extend(self._without_noise())
            except OutOfTime:
                if not found:  # a witness without its evidence says nothing
                    self.heard.witness = None
            yield from found
            if self.witness is None:
                yield Evidence("exact", "not-applicable", str(error))

    def _without_noise(self) -> Iterator[Evidence]:
        """Where a law has too many outcomes, look for a witness whose noise is left out.

        Every bound on the size of the noise allows that.  Such instances may break a claim; for
        it they say nothing, and none of them is counted.
        """
        family, deadline = self.statement.family, time.thread_time() + self.profile.share("search")
        if self.statement.quantifier == "some" or self.statement.relation == "<~":
            return
        silent = replace(family, build=Silenced(family.build))
        pool = Pool(self.statement, self.pool.noise, deadline=deadline)
        share = self.profile.evaluations // (2 * len(family.shapes))
        for number, shape in enumerate(family.shapes):
            hunt = Hunt(pool, shape, np.random.default_rng([self.seed, number, 5]), family=silent)
            self.heard.rescored = 0
            try:
                for stage in (look(hunt, share), pursue(hunt, share, self.profile.population)):
                    for rung, candidate in stage:
                        item = self.heard.judge(rung, candidate)
                        if item is not None:
                            yield item
                        if self.witness is not None:
                            return
            except OutOfTime:
                return
            except NO_INSTANCE:
                continue

    def searched(self) -> Iterator[Evidence]:
        """Run the rungs that look for a witness: worst cases, then instances with exact values."""
        with np.errstate(all="ignore"):
            for rung in (self._given(), self._worst_cases()):
                yield from rung
                if self.witness is not None:
                    return
            yield from self._search()
            self.pool.gather()
            if self.witness is None:
                yield from self._units()
            if self.witness is None and self.statement.relation != "<~":
                yield from self._tightest()

    # -- rungs ---------------------------------------------------------------------------------

    def _given(self) -> Iterator[Evidence]:
        """Ask about the instances that come with the statement; what breaks it there is shown."""
        pool, given = Pool(self.statement, self.pool.noise), [*given_instances(self.statement)]
        for _, candidate in sown(pool, given, "exact"):
            item = self.heard.judge("exact", candidate, tidy=False)
            if item is not None:
                self.given = True
                self._met(candidate)
                kept = self.first if self.seeds is None else self.seeds.points
                [*sown(self.pool, kept)]  # how far it falls is asked of all of them
                yield item
                return

    def _worst_cases(self) -> Iterator[Evidence]:
        """Ask the referee about the worst cases of the whole class, which are instances of it."""
        if self._stands or _numbers_alone(self.statement.family):
            return
        from verify.ladder.rungs.worst_cases.climbing import WorstCases  # it loads sympy

        most = tuning.WORST_PROGRAMMES.get(self.profile.name, max(tuning.WORST_PROGRAMMES.values()))
        cases = WorstCases(self.statement, self.seed, most)
        self.pool.deadline = time.thread_time() + self.profile.share("search")
        try:
            for spot in cases.spots():
                self.heard.rescored = 0
                for candidate in cases.candidates(spot) if spot.ratio > 1 + ROUNDING else ():
                    item = self.heard.judge("worst case", candidate)
                    if item is not None:
                        self._met(candidate)
                        yield item
                        return
        except OutOfTime:
            pass
        finally:
            self.pool.deadline = inf
            self.heard.doubts.clear()  # what floats alone say of a worst case is no doubt
        if cases.best is not None:
            self._sharpen(cases, cases.best)
            yield Evidence("worst case", "reported", cases.told())

    def _sharpen(self, cases: WorstCases, best: Spot) -> None:
        """Score the tightest worst case among the instances of a search from nothing.

        What a claim is as tight as, and which mutants fall, is seen there.
        """
        for candidate in cases.candidates(best) if self.seeds is None else ():
            if self._met(candidate, keep=True).feasible[0]:
                return

    def _met(self, candidate: Candidate, keep: bool = False) -> Score:
        """Let an instance from elsewhere count among those of the search."""
        values = {name: xp.to_float(np.asarray(v)[None]) for name, v in candidate.values.items()}
        return self.pool.evaluate(values, candidate.shape, keep=keep)[0]

    def _search(self, rescale: bool = False) -> Iterator[Evidence]:
        plan = Plan(self.pool, self.profile, self.seed)
        self.plan = self.plan or plan
        finished = True
        self.pool.deadline = time.thread_time() + self.profile.share("search")
        try:
            if not rescale:
                self._afresh()
                if self.broken is not None or (yield from self._sow()):
                    return
            for stage in self._stages(plan, rescale):
                self.heard.rescored = 0
                for rung, candidate in stage:
                    item = self.heard.judge(rung, candidate)
                    if item is not None:
                        yield item
                    if self.witness is not None:
                        return
            if not rescale and self.seeds is None:
                yield from self._aside(self._far())
                if self.witness is None:
                    yield from self._at_spots()
                for more in (further_spots(self.statement, self.pool, self.seed), self._sizes()):
                    if self.witness is None:
                        yield from self._aside(more)
                if self.witness is not None:
                    return
        except OutOfTime:
            finished = plan.growth is not None and self.seeds is None
        finally:
            self.pool.deadline = inf
        if not rescale and (finished or self.pool.feasible):
            if finished and not self._stands:
                fill_up(self.pool, self.seed, self.seeds is not None)
            yield self._feasibility()
        if self.statement.quantifier == "some":
            shown = self.heard.round_off()
            yield shown or Evidence(
                "search",
                "undecided",
                "no instance that satisfies the claim was found",
                tried=self.pool.tried,
            )
            return
        if self.statement.relation == "<~":
            yield from self._grow()
            return
        yield from self.heard.settle()
        if self.witness is None:
            yield from self._compare_blanks()
        if self.witness is not None:
            return
        self.heard.confirm()
        best = self.heard.best
        text = f"{self.pool.feasible} instances{' in changing units' if rescale else ''}"
        text += f"; largest ratio {self.heard.ratio(best):.4g}" if best is not None else ""
        status = "decided" if finished and best is not None else "undecided"
        if not finished:
            status = "stopped"
            text = (
                f"time limit of the search: raise it or take a smaller profile; until then {text}"
            )
        if self.heard.doubts:
            status, text = "undecided", self.heard.doubts[0]
        elif self.heard.asked_blank:
            text += f"; {self.heard.blanks_in_words()}"
            if self.heard.too_blank:
                status = "undecided"
        yield Evidence(
            "search",
            status,
            text,
            counted=self.pool.feasible,
            tried=self.pool.tried,
            guard=ROUNDING,
            scope=self.scope,
            worst=None if best is None else self.heard.ratio(best),
            details={
                **plan.details,
                **self._begun,
                "limits": limits_line(self.pool, self.profile.reach, plan),
            },
        )

    def _stages(self, plan: Plan, rescale: bool) -> Iterator[Iterator[tuple[str, Candidate]]]:
        """What to search: nothing where a proof still stands, little where instances are left."""
        if self.seeds is None:
            return plan.stages(rescale)
        return iter(()) if self._stands else plan.short(rescale)

    @property
    def _stands(self) -> bool:
        """Whether what an earlier search has proved, for every size, has been proved again."""
        return any(item.proof and item.status == "decided" for item in self.proved or ())

    def _afresh(self) -> None:
        """Search from nothing with a part of the budget, in a pool that nothing kept comes into.

        Benign instances, or a count of evaluations that nobody made, would else pass for a search.
        A kept witness and a proof that still stands are judged by themselves. What breaks the
        claim is handed to a whole search; the tightest instances are remembered.
        """
        if self.seeds is None or self.seeds.struck or self._stands or not self.profile.afresh:
            return
        part = replace(self.profile, evaluations=self.profile.afresh, larger=False)
        alone = Hearing(self.statement, part, self.seed, tidy=False)
        alone.pool.deadline = self.pool.deadline
        for stage in Plan(alone.pool, part, self.seed).stages(False):
            alone.rescored = 0
            for rung, candidate in stage:
                alone.judge(rung, candidate)
                if alone.witness is not None:
                    self.broken = alone.struck
                    self.pool.moved += 1  # it is not among what was kept
                    return
        self.afresh = alone.pool.tried
        for top in alone.pool.tops[: tuning.AFRESH_TOPS]:
            values = {name: np.asarray(value)[None] for name, value in top.values.items()}
            self.pool.evaluate(values, top.shape, family=top.family)

    @property
    def _begun(self) -> dict[str, Any]:
        """For the ledger: kept instances of the search, and evaluations that saw none of them."""
        if self.seeds is None or self._stands:
            return {}
        return {"kept": {"instances": len(self.seeds.points), "afresh": self.afresh}}

    def _sow(self) -> Generator[Evidence, None, bool]:
        """Score again what an earlier search has left; whether a witness was among it.

        It was shrunk when it was found. What comes before a search from nothing is no part of it:
        benign instances would draw its starts to themselves. Of that no more is put to the referee
        than one stage of a search may.
        """
        if self.seeds is None:
            pool, points = Pool(self.statement, self.pool.noise), self.first
            struck, most = "", self.profile.referees
        else:
            pool, points, struck, most = self.pool, self.seeds.points, self.seeds.struck, None
        for rung, candidate in islice(sown(pool, points, struck), most):
            item = self.heard.judge(rung, candidate, tidy=has_long_numbers(candidate.values))
            if item is not None:
                yield item
            if self.witness is not None:
                if pool is not self.pool:
                    [*sown(self.pool, points)]  # how far it falls is asked of all of them
                return True
        self.pool.moved += bool(struck)  # it breaks the claim no longer
        return False

    def _far(self) -> Iterator[Candidate]:
        """Points far out, as far as the search may leave its ranges at all."""
        if self.profile.larger and self.profile.reach > 1:
            yield from far_out(self.statement, self.pool, self.seed, self.profile.reach)

    def _sizes(self) -> Iterator[Candidate]:
        """Instances of sizes between those of the search, where it may leave the listed ones."""
        if self.profile.larger:
            yield from each_size(self.statement, self.pool, self.seed)

    def _aside(self, candidates: Iterator[Candidate]) -> Iterator[Evidence]:
        """Ask the referee about instances beside the search; only a witness there counts."""
        if self.statement.relation == "<~":
            return
        for candidate in candidates:
            instance = self.heard.exact(candidate.values, candidate.shape)
            found = self.heard.rescored_exactly(instance)
            if found is not None and found.violated:
                self.heard.rescored = 0
                item = self.heard.judge("search", candidate)
                if item is not None:
                    yield item
                return

    def _at_spots(self) -> Iterator[Evidence]:
        """Ask the referee where a number of the program, given to a parameter, breaks the claim."""
        self.heard.rescored = 0
        for candidate in spots(self.statement, self.pool, self.seed):
            item = self.heard.judge("search", candidate, tidy=has_long_numbers(candidate.values))
            if item is not None:
                yield item
                return

    def _compare_blanks(self) -> Iterator[Evidence]:
        """Ask the referee about instances that floats cannot compare: both sides overflow, say."""
        enough = len(self.pool.blanks)
        if self.seeds is not None:  # the plainest of them: an earlier search has asked about more
            self.pool.blanks.sort(key=size_of)
            enough = tuning.BLANKS_AGAIN
        while self.pool.blanks and (self.heard.asked_blank < enough or self.heard.too_blank):
            candidate = self.pool.blanks.pop(0)
            item = self.heard.compare(candidate)
            if item is not None:
                yield item
                return

    def _prove(self) -> Iterator[Evidence]:
        """Prove it, once the search has not refuted it; what was proved is checked again."""
        if self.proved is not None:
            yield from self.proved
            return
        if self.sought and self.pool.feasible and self.statement.quantifier == "all":
            yield Evidence("certificate", "not-applicable", NOT_SOUGHT)
            return
        # loading it is not charged, nor paid where a claim falls before
        import verify.certify.prover.prove  # noqa: F401
        from verify.ladder.rungs.proof import prove

        try:
            with at_most(self.profile.proof), metered(self.profile.effort):
                found = list(prove(self.statement, self._inhabited))
        except OutOfEffort:
            text = "a proof was looked for as long as the profile says: a larger one may find it"
            found = [Evidence("certificate", "not-applicable", text)]
        except OutOfTime:
            text = "out of time before a proof was found or given up"
            found = [Evidence("certificate", "not-applicable", text)]
        yield from found

    def _proved_before(self) -> list[Evidence] | None:
        """What an earlier search for a proof has left, if it still stands; None to search anew."""
        if self.seeds is None or self.seeds.evaluations < self.profile.evaluations:
            return None
        if not self.seeds.certificate:
            return []
        from verify.ladder.rungs.proof import outdated, recheck, told_again

        found = []
        for item in self.seeds.certificate:
            stated = item.status == "not-applicable" if item.proof is None else item.link is None
            if not stated or (item.proof and outdated(self.statement, item.proof)):
                return None
            if item.proof is None:
                found.append(Evidence("certificate", "not-applicable", NOT_SOUGHT))
                continue
            whole = item.status == "decided"
            # less of the program is looked at again where the package says that it was looked at
            known = self.profile.again
            if not recheck(self.statement, item.proof, again=known, whole=whole):
                self.pool.moved += 1
                return None
            # nothing else of what was stored counts
            found.append(told_again(self.statement, item.proof, whole))
        return found

    @property
    def _inhabited(self) -> bool:
        """Whether hypotheses were seen to be met, or are not meant to be."""
        return self.pool.feasible > 0 or self.statement.form == "empty"

    @property
    def _onward(self) -> int:
        return max(round(self.profile.onward * self.profile.evaluations), 1)

    def proved_again(self) -> list[Evidence]:
        """What an earlier search has proved, if it is proved still; nothing where it is not."""
        found = self._proved_before() or []
        return found if any(e.proof is not None for e in found) else []

    def search_on(self) -> None:
        """A witness ends the search early; how far the claim is broken takes all shapes."""
        if self.statement.relation == "<~" or not self.profile.onward:
            return  # it was searched to the end, or an earlier search has gone on
        # how far, not whether: fewer shapes, with more starts each
        smaller = replace(self.profile, evaluations=self._onward, starts=2 * self.profile.starts)
        self.pool.deadline = time.thread_time() + self.profile.share("search")
        try:
            with np.errstate(all="ignore"):
                for stage in Plan(self.pool, smaller, self.seed + 2).stages(False):
                    for _ in stage:
                        pass  # the pool remembers the tightest instances
                self.pool.gather()
        except (OutOfTime, NotAvailable):  # too many outcomes in a further shape, say
            pass
        finally:
            self.pool.deadline = inf

    def _grow(self) -> Iterator[Evidence]:
        """Claims up to an unnamed constant: a right side that is zero, or a growing ray."""
        rng = np.random.default_rng([self.seed, 3])
        for values, shape in islice(nothing_right(self.pool, rng), self.profile.referees):
            instance = self.heard.exact(values, shape)
            found = self.heard.rescored_exactly(instance)
            if found is None or not found.assumed:
                continue
            extra = {"relation": "<~"}
            if breaks({**found.numbers(), **extra}):
                text = f"the right side is zero where the left one is {float(found.left):.6g}"
                yield self.heard.accept("search", instance, found, extra, text)
                return
        rays = growing_rays(self.pool, self.profile.evaluations, rng)
        for ray in islice(rays, self.profile.referees):
            start, end = self.heard.exact(*ray.near), self.heard.exact(*ray.far)
            near, far = self.heard.rescored_exactly(start), self.heard.rescored_exactly(end)
            if near is None or far is None or start is None or end is None:
                continue
            numbers = ray_numbers(self.statement, near, far, start, end)
            if near.assumed and far.assumed and breaks(numbers) and self._goes_on(ray):
                text = f"left/right grows like a power along a ray ({ray.direction.along})"
                yield self.heard.accept("search", end, far, numbers, text)
                return
        yield Evidence(
            "search",
            "undecided",
            "the constant is not named: only an explicit form can hold",
            tried=self.pool.tried,
            details=self._begun,
        )

    def _goes_on(self, ray: Ray) -> bool:
        """Whether the ratio still grows far out: with a large constant it levels off."""
        start, end = (self.heard.exact(*point) for point in ray.beyond)
        near, far = self.heard.rescored_exactly(start), self.heard.rescored_exactly(end)
        if start is None or end is None or near is None or far is None:
            return False
        numbers = ray_numbers(self.statement, near, far, start, end)
        return near.assumed and far.assumed and breaks(numbers)

    def _feasibility(self) -> Evidence:
        pool = self.pool
        if pool.feasible:
            text = f"{pool.feasible} of {pool.tried} instances meet every hypothesis"
            return Evidence(
                "hypotheses",
                "reported",
                text,
                counted=pool.feasible,
                tried=pool.tried,
                details=instances_met(pool),
            )
        blank = sorted(pool.tally.blank or ())
        if blank:
            text = (
                f"{' and '.join(blank)} had no value (NaN) on any of {pool.tried} instances: "
                "look for 0/0, a root or logarithm of a negative number, or a missing return"
            )
            return Evidence("hypotheses", "stopped", text, tried=pool.tried)
        if pool.blank:
            why = "the run diverged" if pool.diverged else "both overflow, say"
            text = (
                f"floats cannot compare the sides of the {pool.blank} instances that meet every "
                f"hypothesis ({why}): smaller ranges would decide"
            )
            return Evidence("hypotheses", "undecided", text, tried=pool.tried)
        text = (
            f"none of {pool.tried} instances meets every hypothesis; a proof that none exists, "
            "or a family that contains one, would decide"
        )
        return Evidence("hypotheses", "undecided", text, tried=pool.tried)

    def _units(self) -> Iterator[Evidence]:
        tried = self.pool.kept if self.seeds is None else self.pool.kept[: tuning.UNITS_AGAIN]
        units = measure_units(self.statement, tried)
        if units is None:
            yield Evidence("units", "not-applicable", "the instances carry no units")
            return
        yield units.evidence()
        if not units.consistent and self.statement.relation != "<~":
            yield from self._search(rescale=True)

    def _tightest(self) -> Iterator[Evidence]:
        """Re-score the tightest instance exactly: a float tie may hide a violation."""
        best = self.heard.smallest_best()
        if best is None or self.statement.quantifier == "some":
            return
        known = self.heard.confirmed if self.heard.knows(best) else None
        asked = best if known is None else known.asked
        instance = self.heard.exact(asked.values, asked.shape, asked.family)
        found = self.heard.rescored_exactly(instance) if known is None else known.found
        if found is None:
            return
        if found.violated:
            item = self.heard.accept("exact", instance, found, at=asked)
            yield item
        elif found.satisfied:
            shorter = "" if asked is best else ", its numbers shortened,"
            yield Evidence(
                "exact",
                "decided",
                f"the tightest instance{shorter} agrees in {found.number} arithmetic",
                counted=1,
                tried=1,
                worst=min(self.heard.ratio(best), 1.0),
                scope=self.scope,
            )
