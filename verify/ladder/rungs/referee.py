"""One statement before the referee: which instances are asked about, and what the answers mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.numbers import Undecided
from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.claim.parameters import rounded
from verify.claim.statement import Family, Shape, Statement
from verify.ladder.budgets import Profile
from verify.ladder.rungs import tuning
from verify.ladder.search.pool import Candidate, Pool, size_of
from verify.ladder.search.shrink import shrink
from verify.limits.clock import OutOfTime, at_most
from verify.terms.digest import statement_digest
from verify.verdict.evidence import Evidence, in_figures
from verify.verdict.relation import LARGEST, ROUNDING, same
from verify.world.noise_plan import AllOutcomes, NotAvailable
from verify.world.referee import Rescored, rescore
from verify.world.returned import Inexact

OUTCOMES = AllOutcomes()


@dataclass(frozen=True)
class Confirmed:
    """What the referee has found of a tightest instance, asked about it or a plainer one."""

    best: Candidate
    asked: Candidate
    found: Rescored | None


@dataclass
class Hearing:
    """One statement, its instances, and what the referee has said of them.

    ``tidy`` is whether witnesses are shrunk; ``rescored`` are the hits of a stage that were put to
    the referee, ``doubts`` what it could not decide, ``dismissed`` the exact ratios by the floats
    that feigned others, ``struck`` the point of the witness and ``struck_by`` the rung that has
    found it. Of instances that floats cannot compare, ``asked_blank`` were put to the referee,
    ``left_blank`` of them it could not decide, and ``far_blank`` of these lie beyond the ranges.
    """

    statement: Statement
    profile: Profile
    seed: int
    tidy: bool = True
    pool: Pool = field(init=False)
    witness: dict[str, Any] | None = None
    accepted: Rescored | None = None
    struck: Candidate | None = None
    struck_by: str = ""
    rescored: int = 0
    doubts: list[str] = field(default_factory=list)
    dismissed: dict[float, float] = field(default_factory=dict)
    confirmed: Confirmed | None = None
    asked_blank: int = 0
    left_blank: int = 0
    far_blank: int = 0

    def __post_init__(self) -> None:
        self.pool = Pool(self.statement, OUTCOMES)

    def tightness(self) -> dict[str, Any] | None:
        """Largest ratio of a feasible instance and where it is reached."""
        best = self.best
        if best is None:
            return None
        where = {**best.shape, **{k: np.asarray(v).tolist() for k, v in best.values.items()}}
        return {"ratio": min(self.ratio(best), LARGEST), "instance": where}

    def settle(self) -> Iterator[Evidence]:
        """Re-score the tightest instances whose float ratio is above one and not settled yet."""
        for top in list(self.pool.tops):
            if top.ratio <= 1 + ROUNDING or top.ratio in self.dismissed:
                continue
            instance = self.exact(top.values, top.shape, top.family)
            found = self.rescored_exactly(instance)
            if found is not None and found.violated:
                yield self.accept("search", instance, found, at=top)
                return
            self._dismiss(top, found)

    def confirm(self) -> None:
        """Re-score the tightest instance until exact arithmetic agrees on its ratio.

        Rounding can feign one: a probability of an event that never occurs, say.
        """
        for _ in range(len(self.pool.tops) + 1):
            best = self.smallest_best()
            if best is None or best.ratio in self.dismissed or self.knows(best):
                return
            asked = self._plainer(best)
            found = self.rescored_exactly(self.exact(asked.values, asked.shape, asked.family))
            self.confirmed = Confirmed(best, asked, found)
            if found is None or not found.decided or found.left == found.right:
                return  # zero on both sides is a tie too, whatever the ratio of nothing to nothing
            if same(found.ratio, asked.ratio):
                return
            self.dismissed[best.ratio] = found.ratio

    def knows(self, best: Candidate) -> bool:
        """Whether the referee has been asked about this tightest instance."""
        return self.confirmed is not None and self.confirmed.best is best

    def _plainer(self, candidate: Candidate) -> Candidate:
        """The same instance with shorter numbers, which long runs multiply, if it is as tight.

        Near a tie every digit counts, and none is left out.
        """
        box = (candidate.family or self.statement.family).box
        for digits in tuning.PLAINER_DIGITS if candidate.ratio < 1 - tuning.AS_TIGHT else ():
            values = {name: rounded(value, digits) for name, value in candidate.values.items()}
            if not all(box[k].inside(x) for k, v in values.items() for x in np.ravel(v)):
                continue
            batch = {k: v[None] for k, v in values.items()}
            found = self.pool.scored(batch, candidate.shape, candidate.family)
            if found.feasible[0] and same(found.ratio[0], candidate.ratio, tuning.AS_TIGHT):
                return replace(candidate, values=values, ratio=float(found.ratio[0]))
        return candidate

    def _dismiss(self, candidate: Candidate, found: Rescored | None) -> None:
        if found is None or not (found.decided or found.tie):
            self.doubts.append("a float hit could not be decided in exact arithmetic")
        elif not found.assumed and self.pool.move(candidate.shape) is not None:
            self.doubts.append(
                "an instance exceeds the bound in floats, but no fractions were found that meet "
                "the equalities there: numbers that are rational on them would decide"
            )
        else:
            self.dismissed[candidate.ratio] = found.ratio if found.assumed else 0.0

    def ratio(self, candidate: Candidate) -> float:
        """Ratio of an instance: the exact one where exact arithmetic has dismissed the float."""
        return self.dismissed.get(candidate.ratio, candidate.ratio)

    @property
    def best(self) -> Candidate | None:
        """Tightest instance."""
        known = [*self.pool.tops, *([self.pool.within] if self.pool.within else [])]
        return max(known, key=self.ratio, default=None)

    def smallest_best(self) -> Candidate | None:
        """The smallest of the instances that are as tight as the tightest, up to rounding."""
        best = self.best
        if best is None:
            return None
        ties = [c for c in self.pool.tops if same(self.ratio(c), self.ratio(best))]
        return min([*ties, best], key=size_of)

    def judge(self, rung: str, candidate: Candidate, tidy: bool = True) -> Evidence | None:
        """Ask the referee about a float hit, and again about its shrunk form unless it has it.

        Rounding is dismissed by the first answer. A point that misses a hypothesis by a bit, or
        cannot be decided, may still have a neighbour of rounder numbers that breaks the claim.
        No single instance breaks a claim up to a constant.
        """
        if self.statement.relation == "<~":
            return None
        if self.rescored >= self.profile.referees:
            self.doubts.append("more float hits than the referee's budget")
            return None
        self.rescored += 1
        shape, family = candidate.shape, candidate.family
        instance = self.exact(candidate.values, shape, family)
        found = self.rescored_exactly(instance)
        settled = found is not None and (found.decided or found.tie) and found.assumed
        if self.tidy and tidy and (found is None or self._wanted(found) or not settled):
            plainer = replace(candidate, values=shrink(self.pool, candidate))
            shrunk = self.exact(plainer.values, shape, family)
            smaller = self.rescored_exactly(shrunk)
            if smaller is not None and self._wanted(smaller):
                return self.accept(rung, shrunk, smaller, at=plainer)
        if found is not None and self._wanted(found):
            return self.accept(rung, instance, found, at=candidate)
        self._dismiss(candidate, found)
        return None

    def round_off(self) -> Evidence | None:
        """Ask about the instance that came nearest to one asked for, all its numbers made round.

        Where one point alone has it, floats come near: ``9 x^2 + 1 <= 6 x`` at 1/3.
        """
        nearest = self.pool.nearest
        if nearest is None:
            return None
        for most in tuning.ROUND_DENOMINATORS:
            values = {k: _simple(v, most) for k, v in nearest.values.items()}
            instance = self.exact(values, nearest.shape, nearest.family)
            found = self.rescored_exactly(instance)
            if found is not None and self._wanted(found):
                return self.accept("search", instance, found, at=replace(nearest, values=values))
        return None

    def compare(self, candidate: Candidate) -> Evidence | None:
        """Ask about an instance that floats cannot compare; evidence if it breaks the claim."""
        try:
            instance = self.exact(candidate.values, candidate.shape, candidate.family)
        except (InvalidInput, NotAvailable):
            instance = None
        if instance is None:
            return None  # the family has no instance there
        self.asked_blank += 1
        try:
            found = self.rescored_exactly(instance)
        except Inexact:  # a side that is NaN by itself, which is said elsewhere
            found = None
        if found is not None and found.violated:
            candidate = replace(candidate, ratio=min(found.ratio, LARGEST))
            self.pool.tops.insert(0, candidate)
            return self.accept("exact", instance, found, at=candidate)
        if found is None or not (found.decided or found.tie):  # nor whether it is in the domain
            self.left_blank += 1
            self.far_blank += self._beyond(candidate)
        return None

    @property
    def too_blank(self) -> bool:
        """Whether more than a small part of the instances cannot be compared at all."""
        part = (self.left_blank - self.far_blank) / max(self.asked_blank, 1)
        return part * self.pool.blank > tuning.BLANK_PART * (self.pool.feasible + self.pool.blank)

    def blanks_in_words(self) -> str:
        """What became of the instances that floats cannot compare."""
        exact = self.asked_blank - self.left_blank
        lost = self.pool.diverged
        runs = f" (on {lost} of them the run diverged)" if lost else ""
        return (
            f"floats could not compare the sides of {self.pool.blank} more instances{runs}, exact "
            f"arithmetic decided {exact} of the {self.asked_blank} that it was asked about"
            + (f" ({self.far_blank} of them lie beyond the ranges)" if self.far_blank else "")
        )

    def _beyond(self, candidate: Candidate) -> bool:
        """Whether an instance lies beyond the ranges, where a formula need have no value."""
        box = self.statement.family.box
        return any(
            (np.less(value, box[name].low) | np.greater(value, box[name].high)).any()
            for name, value in candidate.values.items()
            if name in box
        )

    def _wanted(self, found: Rescored) -> bool:
        return found.satisfied if self.statement.quantifier == "some" else found.violated

    def exact(
        self, values: Mapping[str, Any], shape: Shape, family: Family | None = None
    ) -> Instance | None:
        """The instance of parameter values, every number a fraction; None where there is none.

        Floats may divide by what only rounding keeps from zero.
        """
        from bounds.numbers import as_rational

        lifted = {k: np.asarray(as_rational(np.asarray(v)[None])) for k, v in values.items()}
        there, own = self.pool.onto(lifted, shape), family or self.statement.family
        try:
            return own.instance(there, shape)[0]
        except ArithmeticError:
            return None

    def rescored_exactly(self, instance: Instance | None) -> Rescored | None:
        """What the referee finds at an instance; None where it cannot tell.

        That a witness would have more digits than anybody reads is no answer either.
        """
        if instance is None:
            return None
        try:
            with at_most(self.profile.share("referee")):
                found = rescore(self.statement, instance)
            shown = self._wanted(found) or self.statement.relation == "<~"
            return None if shown and not found.can_be_read else found
        except Inexact:  # no instance would do better: say so instead of counting a doubt
            raise
        except (NotAvailable, Undecided, InvalidInput, ArithmeticError, OutOfTime):
            return None

    def accept(
        self,
        rung: str,
        instance: Instance | None,
        found: Rescored,
        extra: Mapping[str, Any] | None = None,
        text: str = "",
        at: Candidate | None = None,
    ) -> Evidence:
        """Take an instance for the witness; the evidence that says so."""
        assert instance is not None
        self.accepted, self.struck = found, at
        self.struck_by = "" if at is None else rung
        numbers = {**found.numbers(self.statement.quantifier), **(extra or {})}
        self.witness = {
            "schema": "fedassay-witness/1",
            "key": self.statement.key,
            "instance": instance.to_json(),
            **numbers,
            "seed": self.seed,
            "code": statement_digest(self.statement),
        }
        left, right = in_figures(found.left), in_figures(found.right)
        verb = "shows" if self.statement.quantifier == "some" else "breaks the claim:"
        text = text or (
            f"an instance {verb} left {left}, right {right} in {found.number} arithmetic"
        )
        return Evidence(rung, "decided", text, witness=numbers, tried=self.pool.tried)


def _simple(values: Any, most: int) -> np.ndarray[Any, Any]:
    """The nearest fractions whose denominators are at most so large."""
    flat = [Fraction(float(x)).limit_denominator(most) for x in np.ravel(values)]
    found = np.empty(len(flat), dtype=object)
    found[:] = flat
    return found.reshape(np.shape(values))
