"""After the first witness: what is wrong with a claim, flaw by flaw.

The smallest change of the right side that removes a witness is made, the changed claim climbs
again, its witness is removed by the next change, and so on until what is left stands or nothing
mends it.  A change counts only if the referee finds that it removes the witness it is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.ladder.repair import tuning
from verify.ladder.repair.mending import Sample
from verify.ladder.repair.mends import Mend, mended
from verify.ladder.rungs.climb import Climb
from verify.verdict.relation import LARGEST
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.referee import rescore


@dataclass(frozen=True)
class Flaw:
    """One flaw of a claim.

    Parameters
    ----------
    mend : str
        What mends it; empty where nothing that was tried does.
    ratio : float
        left/right at its witness, once the flaws before it are mended.
    stands : bool
        Whether the claim stood in a search of its own with this mend and those before it.
    left : float or None
        Largest left/right in that search.
    """

    mend: str
    ratio: float
    stands: bool
    left: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Entry of a ledger's list of flaws."""
        return {"mend": self.mend, "ratio": self.ratio, "stands": self.stands}


def flaws_of(climbs: Sequence[Climb], seed: int) -> tuple[Flaw, ...]:
    """Flaws of a claim in the order found; none where its witness is no single instance.

    Parameters
    ----------
    climbs : sequence of Climb
        One for each family; the first with a witness has carried its search on over all shapes.
    seed : int
        Of the fresh searches.
    """
    broken = next((climb for climb in climbs if climb.witness is not None), None)
    if broken is None or broken.statement.relation == "<~":
        return ()
    if broken.statement.quantifier != "all" or not broken.profile.mends:
        return ()
    with np.errstate(all="ignore"):
        return tuple(_flaws(climbs, broken, seed))


def repair_hint(flaws: Sequence[Flaw]) -> str:
    """One sentence on the changes with which the claim stands, or on how far it is broken.

    It suggests a repaired form, which then goes through the same ladder as any other statement, and
    is given only for what a fresh search left standing and the referee confirmed on the witnesses.
    """
    if not flaws:
        return ""
    last = flaws[-1]
    mends = ", and ".join(flaw.mend for flaw in flaws if flaw.mend)
    if last.stands:
        reached = "" if last.left is None else f" (largest ratio {last.left:.3g})"
        return f"with {mends} a fresh search finds no instance that breaks the claim{reached}"
    if last.mend:
        return f"even with {mends} the claim falls"
    bounded = last.ratio < LARGEST
    broken = f"by a factor of at least {last.ratio:.4g}" if bounded else "without bound"
    known = f"with {mends} it is still" if mends else "it is"
    return f"nothing tried mends the claim: {known} broken {broken}"


def _flaws(climbs: Sequence[Climb], climb: Climb, seed: int) -> list[Flaw]:
    relation, made = climb.statement.relation, list[_Made]()
    stands, reached = False, None
    for number in range(climb.profile.mends):
        witnesses, ratio = _witnesses(climb)
        found = _mend(climb, witnesses)
        if found is None:
            return [*(m.flaw(relation) for m in made), Flaw("", ratio, False)]
        mend, least = found
        _enter(made, _Made(mend, mend.factor, least, ratio))
        try:
            climbs = [
                _again(c, mend, seed + tuning.MOST_FLAWS * k + number) for k, c in enumerate(climbs)
            ]
        except (InvalidInput, NoValue):  # another family or shape has no such symbol or axis
            break
        broken = next((c for c in climbs if c.witness is not None), None)
        reached = max(
            (c.heard.best.ratio for c in climbs if c.heard.best is not None), default=None
        )
        if broken is None:
            stands = reached is not None and not any(c.heard.doubts for c in climbs)
            break
        broken.search_on()
        climb = broken
    flaws = [m.flaw(relation) for m in made]
    left = None if reached is None else min(reached, LARGEST)
    return [*flaws[:-1], replace(flaws[-1], stands=stands, left=left)]


@dataclass(frozen=True)
class _Made:
    """A mend that was made, its factor and the least one so far, and the ratio it was made at."""

    mend: Mend
    factor: Fraction | None
    least: Fraction | None
    ratio: float

    def flaw(self, relation: str) -> Flaw:
        """The flaw that is mended, in words; a factor is a bound that the instances set to it."""
        if self.factor is None or self.least is None:
            return Flaw(str(self.mend), self.ratio, False)
        if relation == "==":
            return Flaw(self.mend.said(str(self.factor)), self.ratio, False)
        side = "at least" if self.least > 1 or self.mend.adds else "at most"
        return Flaw(self.mend.said(f"{side} {float(self.least):.4g}"), self.ratio, False)


def _enter(made: list[_Made], new: _Made) -> None:
    """Add a mend; one more factor on the same place makes the earlier one larger."""
    for place, old in enumerate(made):
        alike = old.mend.said("") == new.mend.said("")
        if alike and old.factor and new.factor and new.least:
            both = (old.factor * new.factor, old.factor * new.least)
            made[place] = replace(old, factor=both[0], least=both[1])
            return
    made.append(new)


def _witnesses(climb: Climb) -> tuple[list[Instance], float]:
    """The witness of a claim and the instance that breaks it most, with the larger ratio.

    Every mend is re-scored on both, so that the second one has a listed shape: at larger sizes the
    mended claim is searched anyway.
    """
    assert climb.witness is not None
    settled = [(Instance.from_json(climb.witness["instance"]), climb.heard.accepted)]
    listed = [top for top in climb.pool.tops if top.shape in climb.statement.family.shapes]
    for top in listed[:1]:
        most = climb.heard.exact(top.values, top.shape, top.family)
        settled += [] if most is None else [(most, climb.heard.rescored_exactly(most))]
    ratios, kept = [], []
    for instance, found in settled:
        if found is not None and found.violated:
            ratios.append(min(found.ratio, LARGEST))
            kept.append(instance)
    return kept, max(ratios, default=LARGEST)


def _mend(climb: Climb, witnesses: Sequence[Instance]) -> tuple[Mend, Fraction | None] | None:
    """The smallest mend that the referee finds to remove the witnesses, and its least factor."""
    sample = Sample(climb.pool, witnesses)
    for effect in islice(sample.effects(tuning.WORTH * sample.excess), tuning.REFEREED):
        claim = mended(climb.statement, [effect.mend])
        if all(_removed(claim, instance) for instance in witnesses):
            return effect.mend, sample.least(effect.mend)
    return None


def _removed(claim: Statement, instance: Instance) -> bool:
    try:
        return rescore(claim, instance).satisfied
    except (NotAvailable, InvalidInput, NoValue, ArithmeticError, LookupError):
        return False


def _again(before: Climb, mend: Mend, seed: int) -> Climb:
    """The climb of the changed claim, from the instances that were kept."""
    share = before.profile.evaluations
    share = max(share // tuning.CHANGED_SHARE, 1) if before.tidy else share
    climb = Climb(
        mended(before.statement, [mend]),
        replace(before.profile, evaluations=share),
        seed,
        before.device,
        tidy=False,
    )
    for values, shape, family in before.pool.points:
        climb.pool.evaluate(values, shape, family=family, keep=True)
    for _ in climb.searched():
        pass  # its evidence is about another claim: only its witness counts here
    return climb
