"""What is true instead of a claim that fell: mended claims, each put through the whole ladder.

Small changes of the right side are screened on a sample of the instances that the search has kept.
What survives becomes a claim of its own and climbs at the full budget; a witness against it is
taken into the sample, so that the next candidate removes that one too.  Only the word of its own
climb is ever told: a candidate that was refuted, or left open, is not mentioned.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.ladder.repair import tuning
from verify.ladder.repair.candidates import by_laws
from verify.ladder.repair.held import Trials, trials_of
from verify.ladder.repair.laws import Law
from verify.ladder.repair.mending import Effect, Sample
from verify.ladder.repair.mends import Mend, mended
from verify.ladder.repair.monomials import labels_of
from verify.ladder.repair.recipes import mend_of
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.pool import Candidate
from verify.ladder.search.seeds import Kept, KeptRepair, Malformed
from verify.verdict.relation import ROUNDING
from verify.verdict.verdict import HOLDS, INCONCLUSIVE, PROVED, VIOLATED
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.referee import rescore


@dataclass(frozen=True)
class Judged:
    """What the whole ladder says of a mended claim: word, reason, largest ratio and witness.

    ``keep`` is what of its climb is worth keeping.
    """

    word: str
    reason: str
    ratio: float | None
    witness: Mapping[str, Any] | None
    keep: Callable[[], Kept] | None = None


CANNOT = (InvalidInput, NoValue, NotAvailable, ArithmeticError, LookupError)
"""What a changed claim raises where it has no value."""

Judge = Callable[[Statement, int], Judged]
"""A claim and the number of the trial -> its word by a climb at the full budget."""

Again = Callable[[Statement, Kept], Judged | None]
"""A claim and what its climb has left -> its word judged again on that; None if it bears none."""


@dataclass(frozen=True)
class Repair:
    """A mended claim that stands by its own climb.

    Parameters
    ----------
    mend : str
        What is changed, in words.
    word : {"proved", "holds"}
    reason : str
        Why, as for any other claim.
    ratio : float or None
        Largest left/right of the mended claim in its climb: 1 where it is attained.
    given : str
        The hypothesis that comes in, where it is one.
    programs : tuple of mappings
        Each change as Python; see :class:`~verify.ladder.repair.mends.Mend`.
    tex : str
        The changes in words with formulas, a symbol as ``<name>``.
    claim : Statement or None
        The mended claim itself; no ledger holds it.
    changes : tuple
        Recipe of each change.
    keep : callable or None
        What its climb has left.
    """

    mend: str
    word: str
    reason: str
    ratio: float | None
    given: str = ""
    programs: tuple[Mapping[str, str], ...] = ()
    tex: str = ""
    claim: Statement | None = None
    changes: tuple[Any, ...] = ()
    keep: Callable[[], Kept] | None = None

    def __post_init__(self) -> None:
        if self.word not in (PROVED, HOLDS):
            raise InvalidInput(
                f"word of a repair must be {PROVED} or {HOLDS}, got {self.word}: what its own "
                "climb does not bear is not told"
            )

    @classmethod
    def of(cls, mends: Sequence[Mend], claim: Statement, judged: Judged) -> Repair:
        """Changes of a claim, with the word of its climb."""
        return cls(
            ", and ".join(map(str, mends)),
            judged.word,
            judged.reason,
            judged.ratio,
            next((m.given.name for m in mends if m.given is not None), ""),
            tuple(m.program for m in mends),
            ", and ".join(m.tex for m in mends),
            claim,
            tuple(m.recipe for m in mends),
            judged.keep,
        )

    def kept(self) -> tuple[KeptRepair, ...]:
        """What is worth keeping of it: at most one thing."""
        if self.keep is None or not all(self.changes):
            return ()
        return (KeptRepair(tuple(map(list, self.changes)), self.keep()),)

    def to_json(self) -> dict[str, Any]:
        """Entry of a ledger's list of repairs."""
        own = ("claim", "keep")
        fields = {name: value for name, value in self.__dict__.items() if name not in own}
        fields["changes"] = [list(change) for change in self.changes if change]
        fields["programs"] = [dict(program) for program in self.programs]
        return {name: value for name, value in fields.items() if value not in ("", [])}


def repairs_of(
    climbs: Sequence[Climb],
    judge: Judge,
    laws: Sequence[Law] = (),
    known: Sequence[Candidate] = (),
) -> tuple[Repair, ...]:
    """Mended claims that stand, proved ones first; none where the witness is no single instance.

    Parameters
    ----------
    climbs : sequence of Climb
        One for each family; the first with a witness has carried its search on over all shapes.
    judge : callable
        Puts a claim through the whole ladder.
    laws : sequence of Law
        Laws of growth, which are factors to be tried.
    known : sequence of Candidate
        Instances to which each mended claim is held, beside those that the search has kept.
    """
    broken = next((climb for climb in climbs if climb.witness is not None), None)
    if broken is None or broken.statement.relation == "<~":
        return ()
    if broken.statement.quantifier != "all" or not broken.profile.mends:
        return ()
    if not may_be_mended(broken.statement):
        return ()
    with np.errstate(all="ignore"):
        labels = labels_of(climbs[0].statement.family)
        further = by_laws([law for law in laws if law.along.removeprefix("1/") not in labels])
        places = [*known, *(top for law in laws for top in law.tops)]
        trials = trials_of(broken, places)
        return _Search(climbs[0].statement, broken, judge, tuple(further), trials).found()


def may_be_mended(statement: Statement) -> bool:
    """Whether a claim is about more than a table: some number of it is free."""
    return any(real.low < real.high for real in statement.family.box.values())


def repairs_again(
    statement: Statement, kept: Sequence[KeptRepair], again: Again, trials: Trials | None = None
) -> tuple[Repair, ...]:
    """Mended claims that an earlier search has found to stand, each judged again.

    Parameters
    ----------
    statement : Statement
        The claim that fell.
    kept : sequence of KeptRepair
    again : callable
        Judges a claim on what its own climb has left.
    trials : Trials, optional
        To which each is held.

    Returns
    -------
    tuple of Repair
        Those that still stand.
    """
    found: list[Repair] = []
    if not may_be_mended(statement):
        return ()
    with np.errstate(all="ignore"):
        for one in kept:
            try:
                mends = [mend_of(recipe) for recipe in one.changes]
                claim = mended_claim(statement, mends)
                judged = again(claim, one.kept)
            except (Malformed, *CANNOT):
                continue  # what is kept can be wrong: the claim has no such symbol
            if trials is not None and trials.against(claim) is not None:
                continue
            if judged is not None and judged.word in (PROVED, HOLDS):
                found.append(Repair.of(mends, claim, judged))
    return tuple(found)


def mended_claim(statement: Statement, mends: Sequence[Mend]) -> Statement:
    """The changed claim by itself: what was said of the one that fell is not said of it."""
    return replace(mended(statement, mends), deduction=None, proof="", note="")


class _Search:
    """The loop of candidate, climb and counterexample."""

    def __init__(
        self,
        statement: Statement,
        broken: Climb,
        judge: Judge,
        further: Sequence[Mend] = (),
        trials: Trials | None = None,
    ) -> None:
        self.trials = trials
        self.further = further
        self.statement, self.broken, self.judge = statement, broken, judge
        self.witnesses = _witnesses(broken)
        self.tried: set[str] = set()
        self.told: list[tuple[float, ...]] = []
        self.fell: Counter[str] = Counter()
        self.climbs = 0
        self.deadline = time.thread_time() + broken.profile.share("repairs")

    def found(self) -> tuple[Repair, ...]:
        """One change, or two where no single one stands."""
        repairs = self._standing(())
        if not repairs and (first := self._partial()) is not None:
            repairs = self._standing((first,))
        # witnesses were added at the end of the sample: as much of it as all of them know
        shared = min(map(len, self.told), default=0)
        tight = [self._looseness(right[:shared]) for right in self.told]
        order = sorted(
            range(len(repairs)), key=lambda i: (repairs[i].word != PROVED, round(tight[i], 2))
        )
        return (*(repairs[i] for i in order[: tuning.MOST_REPAIRS]), *self._conditional())

    def _looseness(self, right: Sequence[float]) -> float:
        """Powers of two of a right side on the sample, on average; the other way for >=."""
        if not right:
            return 0.0
        with np.errstate(all="ignore"):
            bits = np.clip(np.log2(np.abs(right)), -tuning.MOST_BITS, tuning.MOST_BITS)
        return float(np.mean(bits)) * (-1 if self.statement.relation == ">=" else 1)

    def _conditional(self) -> list[Repair]:
        """The claim as it is under one more hypothesis, the weakest that stands."""
        limits: Counter[str] = Counter()
        while limits.total() < tuning.MOST_CONDITIONS and time.thread_time() < self.deadline:
            sample = self._sample(())
            mends = sample.conditions() if sample is not None else iter(())
            new = (m for m in mends if str(m) not in self.tried and limits[m.part] < tuning.TWICE)
            mend = next(new, None)
            if mend is None:
                return []
            self.tried.add(str(mend))
            limits[mend.part] += 1
            claim, judged = self._judged((mend,))
            if judged.word in (PROVED, HOLDS):
                return [Repair.of((mend,), claim, judged)]
            self._learn(judged)
        return []

    def _judged(self, mends: tuple[Mend, ...]) -> tuple[Statement, Judged]:
        self.climbs += 1
        claim = mended_claim(self.statement, mends)
        try:
            against = self.trials.against(claim) if self.trials is not None else None
            if against is not None:
                shown = against.instance and {"instance": against.instance.to_json()}
                return claim, Judged(
                    VIOLATED if shown else INCONCLUSIVE, against.why, None, shown or None
                )
            return claim, self.judge(claim, self.climbs)
        except CANNOT as error:  # the claim itself is broken all the same
            return claim, Judged(INCONCLUSIVE, f"stopped by {type(error).__name__}", None, None)

    def _learn(self, judged: Judged) -> bool:
        """Whether a mended claim fell; its witness is taken into the sample."""
        if judged.word != VIOLATED or not judged.witness or "instance" not in judged.witness:
            return False
        self.witnesses.append(Instance.from_json(judged.witness["instance"]))
        return True

    def _standing(self, before: tuple[Mend, ...]) -> list[Repair]:
        """Repairs by one more change; at most one for each place that is changed."""
        repairs: list[Repair] = []
        places: set[str] = set()
        most = tuning.MOST_CLIMBS * (1 + len(before))
        while self.climbs < most and len(repairs) < tuning.SOUGHT * self.broken.profile.mends:
            effect = self._candidate(before, places)
            if effect is None or time.thread_time() > self.deadline:
                break
            mend, mends = effect.mend, (*before, effect.mend)
            said = ", and ".join(map(str, mends))
            self.tried.add(said)
            claim, judged = self._judged(mends)
            if judged.word in (PROVED, HOLDS):
                places.add(mend.said(""))
                self.told.append(effect.right)
                repairs.append(Repair.of(mends, claim, judged))
            else:
                self.fell[mend.said("")] += 1
                if not self._learn(judged) or self.fell[mend.said("")] == tuning.FALLS:
                    places.add(mend.said(""))  # left open, or a larger factor falls as well
        return repairs

    def _candidate(self, before: tuple[Mend, ...], places: set[str]) -> Effect | None:
        """The smallest change that leaves nothing of the sample broken and was not tried."""
        sample = self._sample(before)
        if sample is None:
            return None
        refereed = 0
        for effect in self._in_turn(list(sample.effects(tuning.NOTHING_LEFT))):
            said = ", and ".join(map(str, (*before, effect.mend)))
            if self._follows(effect) or said in self.tried or effect.mend.said("") in places:
                continue
            if refereed == tuning.REFEREED:
                return None
            refereed += 1
            if all(_may_remove(mended(sample.statement, [effect.mend]), w) for w in self.witnesses):
                return effect
        return None

    def _in_turn(self, effects: Sequence[Effect]) -> Iterator[Effect]:
        """Smallest changes first; in turn those without products, then the tightest, before."""
        first = [e for e in effects if e.mend.size <= tuning.PLAIN] if self.climbs % 3 == 1 else []
        if self.climbs % 3 == 2:
            first = sorted(effects, key=lambda e: round(self._looseness(e.right), 2))
        yield from first
        yield from effects

    def _follows(self, effect: Effect) -> bool:
        """Whether what was told says as much on the whole sample: nothing new, or less."""
        sign = {"<=": 1, ">=": -1}.get(self.statement.relation, 0)
        new = np.array(effect.right)
        for right in self.told:
            old = np.array(right)[: len(new)]  # witnesses were added at the end
            gap, size = new[: len(old)] - old, np.abs(old) * ROUNDING
            if np.all(sign * gap >= -size if sign else np.abs(gap) <= size):
                return True
        return False

    def _partial(self) -> Mend | None:
        """The change that takes most of the excess away where no single one takes all."""
        sample = self._sample(())
        if sample is None:
            return None
        effects = sample.effects(tuning.WORTH * sample.excess, removing=False)
        return next((e.mend for e in effects if e.excess > tuning.NOTHING_LEFT), None)

    def _sample(self, before: tuple[Mend, ...]) -> Sample | None:
        try:
            claim = mended(self.broken.statement, before)
            return Sample(self.broken.pool, self.witnesses, claim, self.further)
        except CANNOT:
            return None  # a shape or family has no such symbol or axis


def _witnesses(climb: Climb) -> list[Instance]:
    """The witness of a claim and the instance that breaks it most among the listed shapes."""
    assert climb.witness is not None
    found = [Instance.from_json(climb.witness["instance"])]
    listed = [top for top in climb.pool.tops if top.shape in climb.statement.family.shapes]
    for top in listed[:1]:
        most = climb.heard.exact(top.values, top.shape, top.family)
        scored = None if most is None else climb.heard.rescored_exactly(most)
        if most is not None and scored is not None and scored.violated:
            found.append(most)
    return found


def _may_remove(claim: Statement, instance: Instance) -> bool:
    """Whether a witness does not break the changed claim; a tie of balls is left to its climb."""
    try:
        return not rescore(claim, instance).violated
    except CANNOT:
        return False
