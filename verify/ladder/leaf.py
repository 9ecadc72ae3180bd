"""The ladder: run the rungs on one statement, cheap and exact first, and add up the evidence.

A claim about a class is searched on every family that lies in the class.  A proof speaks of the
symbols of the main family alone, so the others are searched even where it exists, and what it
covers is said.  A further family none of whose instances meets the hypotheses says nothing about
the claim, for or against.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from verify.claim.statement import Statement
from verify.ladder.budgets import FURTHER_SHARE, SURE, Profile
from verify.ladder.price.constants import look_at_constant
from verify.ladder.price.controls import look_at_method
from verify.ladder.price.earned import look_again, pay
from verify.ladder.price.power import measure_power
from verify.ladder.repair.alone.again import laws_alone_again, paths_of
from verify.ladder.repair.alone.laws import MovedLaw, alike, laws_alone
from verify.ladder.repair.best_constant import best_constant
from verify.ladder.repair.held import trials_of
from verify.ladder.repair.laws import GROWING, Law, ladders_of, laws_again, laws_of
from verify.ladder.repair.repairs import Judge, Judged, Repair, repairs_again, repairs_of
from verify.ladder.rungs.climb import Climb
from verify.ladder.rungs.link import check_lift
from verify.ladder.search.seeds import Kept, Seed, Seeds, chosen, seed_of, unmoved
from verify.terms.claims import as_terms, why_no_terms
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import (
    COSTS,
    HOLDS,
    INCONCLUSIVE,
    PROVED,
    VIOLATED,
    Verdict,
    spared,
    stands,
    supported,
    verdict,
)
from verify.world.noise_plan import NotAvailable

__all__ = ["Leaf", "assay", "leaf_seed"]


Observer = Callable[[Evidence, Mapping[str, Any] | None], None]
"""Called with a piece of evidence, and the witness that it has brought."""


Firsts = Sequence[Sequence[Seed]]
"""Instances of each family that are tried as witnesses before a search from nothing."""


@dataclass(frozen=True)
class Leaf:
    """Verdict on one statement with everything it rests on."""

    id: str
    verdict: str
    rung: str
    reason: str
    scope: str
    tightness: Mapping[str, Any] | None
    power: Mapping[str, Any] | None
    follows: str
    hint: str
    not_needed: tuple[str, ...]
    witness: Mapping[str, Any] | None
    evidence: tuple[Evidence, ...]
    seconds: float
    repairs: tuple[Mapping[str, Any], ...] = ()
    """Mended claims that stand, each by a climb of its own at the same budget: mend, word, reason,
    largest ratio."""
    laws: tuple[Mapping[str, Any], ...] = ()
    """How left/right moves with one size or number of the witness, all else as it is there."""
    searched: tuple[Mapping[str, Any], ...] = ()
    """How the worst ratio found moves along each size and number, searched again at each step."""
    keep: Callable[[], Kept] | None = None
    """Instances and certificates for a later search to begin with, chosen when asked for."""

    def __str__(self) -> str:
        found = self.tightness
        ratio = "" if found is None else f", left/right up to {found['ratio']:.4g}"
        hint = f"\n  {self.hint}" if self.hint else ""
        return f"{self.id}: {self.verdict} by {self.rung}{ratio}: {self.reason}{hint}"

    def to_json(self) -> dict[str, Any]:
        """Leaf of a ledger."""
        out = {name: value for name, value in self.__dict__.items() if name != "keep"}
        out["evidence"] = [e.to_json() for e in self.evidence]
        return out


def leaf_seed(seed: int, key: str) -> int:
    """Seed of one leaf: the same whatever runs beside it."""
    state = np.random.SeedSequence([seed, zlib.crc32(key.encode())]).generate_state(1)
    return int(state[0])


def assay(
    statement: Statement,
    *,
    profile: Profile,
    seed: int = 0,
    links: Sequence[Evidence] = (),
    parent: Statement | None = None,
    device: str = "cpu",
    observe: Observer | None = None,
    kept: Kept | None = None,
) -> Leaf:
    """Put one statement through the ladder.

    Parameters
    ----------
    statement : Statement
    profile : Profile
        Budgets.
    seed : int
        Seed of the run; the leaf's own seed follows from it and the key.
    links : sequence of Evidence
        Verdicts of linked entries (a proof that the hypotheses are empty, say).
    parent : Statement, optional
        For the form ``empty``: the statement whose hypotheses this one refutes.
    device : str
        Device of simulated runs.
    observe : callable, optional
        Called with each piece of evidence as it is found, and the witness that it has brought.
    kept : Kept, optional
        What an earlier search of the same claim has left: a witness is scored again and a proof
        checked again. What came with the package is searched on for a while, beside a search that
        sees none of it. Else, where that does not suffice, and where the claim has changed, the
        whole search is made, after those instances were tried as witnesses.

    Returns
    -------
    Leaf
    """
    statement = as_terms(statement)
    serves = kept is not None and _serves(kept, statement, profile)
    made = (statement, profile, seed, links, parent, device, observe)
    first: Firsts = ()
    if kept is not None and (kept.changed or not kept.shipped):
        first = [seeds.points for seeds in kept.families]
    if kept is not None and serves and (kept.shipped or kept.struck or kept.proved):
        leaf = _assayed(*made, kept=kept)
        if isinstance(leaf, Leaf):
            return leaf
        first = leaf if kept.shipped else first
    sought = kept is not None and serves and not kept.shipped and kept.unproved
    leaf = _assayed(*made, first=first, sought=sought)
    assert isinstance(leaf, Leaf)
    return leaf


def _serves(kept: Kept, statement: Statement, profile: Profile) -> bool:
    """Whether what an earlier search has left is of this claim, and says that it spent as much."""
    return (
        not kept.changed
        and len(kept.families) == 1 + len(statement.also)
        and kept.families[0].evaluations >= profile.evaluations
    )


def _suffices(kept: Kept, found: Verdict, climbs: Sequence[Climb]) -> bool:
    """Whether a word that began with what was kept needs no search from nothing.

    Instances are no longer what they were, or something is left open that the earlier search has
    not left open. What did not come with the package is believed in nothing but a witness or a
    proof.
    """
    if any(climb.pool.moved for climb in climbs):
        return False
    if kept.shipped:
        return found.word != INCONCLUSIVE or found.rung == kept.open
    if kept.struck:
        return _broken(climbs) is not None
    return found.word != HOLDS and found.word != INCONCLUSIVE


def _assayed(
    statement: Statement,
    profile: Profile,
    seed: int,
    links: Sequence[Evidence],
    parent: Statement | None,
    device: str,
    observe: Observer | None,
    kept: Kept | None = None,
    first: Firsts = (),
    sought: bool = False,
) -> Leaf | Firsts:
    """One leaf; with seeds that do not suffice, what is to be tried first in a whole search."""
    clock = time.perf_counter()
    main, *others = kept.families if kept is not None else (None,)
    own = leaf_seed(seed, statement.key)
    budget = profile
    if kept is not None:
        proved = kept.proved and not (kept.shipped or kept.struck)
        budget = profile.beside_a_proof() if proved else profile.warmed()
        others = [] if proved else others
    tried, *more = first or ((),)
    climb = Climb(statement, budget, own, device, seeds=main, first=tried, sought=sought)
    climbs = climbs_of(climb, others, more)
    evidence = [*links]
    if statement.missing:
        evidence.append(Evidence("hypotheses", "missing", statement.missing))
    else:
        for item in _climbed(climbs, evidence):
            evidence.append(item)
            if observe is not None:
                observe(item, None if item.witness is None else _witness(climbs))
    if statement.empties:
        evidence.append(check_lift(statement, parent, own))
    found = verdict(evidence)
    if kept is not None and not _suffices(kept, found, climbs):
        breaks = [seed_of(c.pool, c.broken) if c.broken else None for c in climbs]
        return [() if seed is None else (seed,) for seed in breaks]
    if found.word == VIOLATED and profile.onward and (kept is None or not kept.shipped):
        broken = _broken(climbs)
        with np.errstate(all="ignore"):
            constant = None if broken is None else best_constant(broken)
        evidence += [] if constant is None else [constant]
    laws = _laws(climbs, kept) if found.word == VIOLATED and profile.ladders else ()
    alone = _alone(climbs, laws, kept) if found.word == VIOLATED and profile.ladders else None
    repairs = (
        _repairs(climbs, kept, (laws, alone or ()), profile, own) if found.word == VIOLATED else ()
    )
    began = kept if kept is not None and kept.shipped else None
    follows, step = _follows(statement, budget if began else profile, seed, began)
    return Leaf(
        statement.key,
        found.word,
        found.rung,
        found.reason,
        scope_of(climbs),
        tightness_of(climbs),
        next((e.power for e in evidence if e.power is not None), None),
        follows,
        _hint(repairs),
        spared(evidence),
        _witness(climbs),
        tuple(evidence),
        time.perf_counter() - clock,
        tuple(repair.to_json() for repair in repairs),
        tuple(law.to_json() for law in alone or ()),
        tuple(law.to_json() for law in laws),
        lambda: _keep(climbs, evidence, step, (laws, alone), found, repairs),
    )


def _climbed(climbs: Sequence[Climb], evidence: list[Evidence]) -> Iterator[Evidence]:
    """Evidence of the rungs; what `holds` costs last, if the claim would hold."""
    yield from climb_all(climbs)
    if verdict(evidence).rung in COSTS and supported(evidence).word == HOLDS:
        yield from pay_all(climbs)


def _witness(climbs: Sequence[Climb]) -> dict[str, Any] | None:
    climb = _broken(climbs)
    return None if climb is None else climb.witness


def _alone(climbs: Sequence[Climb], laws: Sequence[Law], kept: Kept | None) -> tuple[MovedLaw, ...]:
    """Laws of one number that moves by itself, on the family that breaks the claim.

    Where they were looked for before, those that were found are measured again; that there are none
    is taken from the package alone.
    """
    climb = _broken(climbs)
    if climb is None:
        return ()
    number, found = climbs.index(climb), None
    with np.errstate(all="ignore"):
        if kept is not None and kept.paths is not None and (kept.paths or kept.shipped):
            same = not climb.given or _struck_before(kept, climb, number)
            found = laws_alone_again(climb, number, kept.paths) if same else None
        if found is None:
            tops = sorted((top for law in laws for top in law.tops), key=lambda top: -top.ratio)
            rises = any(law.rises or law.kind in (*GROWING, "logarithm") for law in laws)
            found = laws_alone(climb, tops, rises)
    return tuple(replace(law, family=number) for law in found)


def _struck_before(kept: Kept, climb: Climb, number: int) -> bool:
    """Whether the witness is the one that was kept."""
    before = unmoved(climb.pool, kept.families[number].points[:1])
    struck = climb.heard.struck
    return struck is not None and any(one is not None and alike(one, struck) for one in before)


def _laws(climbs: Sequence[Climb], kept: Kept | None) -> tuple[Law, ...]:
    """Laws of growth of a broken claim, searched for along each size and number."""
    climb = _broken(climbs)
    if climb is None:
        return ()
    with np.errstate(all="ignore"):
        if kept is not None:
            return laws_again(climb, climbs.index(climb), kept.ladders)
        return laws_of(climb, *climb.profile.growth(), again=climb.profile.full)


def _keep(
    climbs: Sequence[Climb],
    evidence: Sequence[Evidence],
    step: Callable[[], Kept] | None,
    known: tuple[Sequence[Law], Sequence[MovedLaw] | None],
    found: Verdict,
    repairs: Sequence[Repair],
) -> Kept:
    """What is worth keeping of a leaf, of its repairs the first."""
    (laws, alone), climb = known, _broken(climbs)
    ladders = () if climb is None else ladders_of(climb, climbs.index(climb), laws)
    paths = None
    if climb is not None and alone is not None:
        paths = paths_of(climb, climbs.index(climb), alone)
    ended = not any(item.status == "stopped" for item in evidence)
    left = found.rung if found.word == INCONCLUSIVE and ended else ""
    best = repairs[0].kept() if repairs else ()
    before = None if step is None else step()
    return Kept(seeds_of(climbs, evidence), before, ladders, left, best, paths)


def _repairs(
    climbs: Sequence[Climb],
    kept: Kept | None,
    known: tuple[Sequence[Law], Sequence[MovedLaw]],
    profile: Profile,
    seed: int,
) -> tuple[Repair, ...]:
    """Mended claims that stand: looked for where the budget has room for it, else as kept."""
    laws, alone = known
    places = [top for law in alone for top in law.walk.tops]
    # each at the whole budget
    found = repairs_of(climbs, judge_of(profile, seed), laws, places)
    broken = _broken(climbs)
    if found or kept is None or broken is None or not kept.repairs:
        return found
    with np.errstate(all="ignore"):
        trials = trials_of(broken, [*places, *(top for law in laws for top in law.tops)])
    whole = profile.word_alone()
    sure = replace(whole, evaluations=SURE)

    def again(claim: Statement, left: Kept) -> Judged | None:
        if not (_serves(left, claim, sure) and (left.shipped or left.proved)):
            return None  # no full search has borne it, or nobody knows whether one has
        leaf = _assayed(claim, whole, seed, (), None, "cpu", None, kept=left)
        return _judged(leaf) if isinstance(leaf, Leaf) else None

    return repairs_again(climbs[0].statement, kept.repairs, again, trials)


def judge_of(profile: Profile, seed: int) -> Judge:
    """Puts a mended claim through the whole ladder, at the budget of the claim itself.

    Of many candidates the one that a search happens to miss is the one that is told: what is not
    proved must hold in a second climb too, from another seed and with no less than `SURE`.
    """
    whole = profile.word_alone()
    sure = replace(whole, evaluations=max(whole.evaluations, SURE))

    def judge(claim: Statement, number: int) -> Judged:
        leaf = assay(claim, profile=whole, seed=seed + 2 * number)
        if leaf.verdict == HOLDS:
            leaf = assay(claim, profile=sure, seed=seed + 2 * number + 1)
        return _judged(leaf)

    return judge


def _judged(leaf: Leaf) -> Judged:
    ratio = None if leaf.tightness is None else float(leaf.tightness["ratio"])
    return Judged(leaf.verdict, leaf.reason, ratio, leaf.witness, leaf.keep)


def _hint(repairs: Sequence[Repair]) -> str:
    """The first mended claim that stands, in one sentence; it suggests a repaired form."""
    if not repairs:
        return ""
    word = {PROVED: "is proved", HOLDS: "holds in a full search"}[repairs[0].word]
    return f"with {repairs[0].mend} the claim {word}"


def _follows(
    statement: Statement, profile: Profile, seed: int, kept: Kept | None
) -> tuple[str, Callable[[], Kept] | None]:
    """Whether a proof step follows from the displays before it, their quantities free symbols."""
    if statement.deduction is None:
        return "unknown", None
    step = statement.deduction
    before = None if kept is None else kept.step
    seeds = None if before is None else before.families[0]
    climb = Climb(step, profile, leaf_seed(seed, step.key), "cpu", seeds=seeds)
    if before is not None and verdict(climb.proved_again()).word == PROVED:
        return "yes", lambda: before
    evidence = [*climb.evidence()]
    word = {"proved": "yes", "violated": "no"}.get(verdict(evidence).word, "unknown")
    return word, lambda: Kept(seeds_of([climb], evidence))


def climbs_of(main: Climb, seeds: Sequence[Seeds | None] = (), first: Firsts = ()) -> list[Climb]:
    """The climb of a statement, then one for each further family, with a seed of its own.

    ``seeds`` are what earlier climbs have left of the further families, ``first`` instances of them
    that are tried before a search from nothing.
    """
    statement, profile = main.statement, main.profile
    share = profile.evaluations // (FURTHER_SHARE * max(len(statement.also), 1))
    afresh = profile.afresh // (FURTHER_SHARE * max(len(statement.also), 1))
    smaller = replace(profile, evaluations=max(share, 1), afresh=afresh)
    return [
        main,
        *(
            Climb(
                _on(statement, number),
                smaller,
                main.seed + 1 + number,
                main.device,
                seeds=seeds[number] if seeds else None,
                first=first[number] if number < len(first) else (),
            )
            for number in range(len(statement.also))
        ),
    ]


def climb_all(climbs: Sequence[Climb], smaller: bool = False) -> Iterator[Evidence]:
    """Evidence of all families, up to the first witness, and what the instances can tell.

    Of a ``smaller`` claim it is asked whether it stands: one mutant that is killed is enough.
    """
    main, *others = climbs
    for item in main.evidence():
        yield _covering(item, main) if others else item
    for climb in others if main.pool.tried else ():
        if _broken(climbs) is None:
            yield from _searched(climb)
    if main.statement.quantifier == "all" and main.pool.tried:
        broken = _broken(climbs)
        if broken is not None:
            # of a claim that is false nobody asks whether a falser one would be found out
            broken.search_on()
            return
        kept = [result for climb in climbs for result in climb.pool.kept]
        pool, profile = replace(main.pool, kept=kept), main.profile
        again = main.seeds.survivors if profile.again and main.seeds is not None else None
        yield measure_power(pool, profile.mutants, main.seed, again, smaller)
        if main.pool.kept:
            yield from look_again(main.pool)
            constant = look_at_constant(main.pool)
            if constant is not None:
                yield constant
            yield look_at_method([climb.pool for climb in climbs])


def pay_all(climbs: Sequence[Climb]) -> Iterator[Evidence]:
    """What a claim that would hold must go through; see :mod:`verify.ladder.price.earned`."""
    main, *others = climbs

    def stands_alone(smaller: Statement, evaluations: int, seconds: float) -> bool | None:
        """Whether a smaller claim stands after a climb of its own; None if that is left open."""
        profile = replace(main.profile, evaluations=evaluations, seconds=seconds, afresh=0)
        seeds = [climb.seeds and climb.seeds.unproved() for climb in climbs]
        tried = climbs_of(
            Climb(smaller, profile, main.seed, main.device, seeds=seeds[0]), seeds[1:]
        )
        answer = stands([*climb_all(tried, smaller=True)])
        for climb, other in zip(climbs, tried, strict=True):
            climb.pool.paid += [other.heard.struck] if other.heard.struck is not None else []
        return answer

    further = [climb.pool for climb in others if climb.pool.feasible]
    yield from pay(main.pool, main.profile, main.seed, stands_alone, further)


def seeds_of(climbs: Sequence[Climb], evidence: Sequence[Evidence]) -> tuple[Seeds, ...]:
    """What is worth keeping of climbs: instances of each family, and what proofs came to."""
    certificate = tuple(e for e in evidence if e.rung == "certificate")
    power = next((e.power for e in evidence if e.power is not None), {})
    survivors = tuple(power.get("survivors", ()))
    return tuple(
        Seeds(
            max(climb.profile.evaluations, climb.seeds.evaluations if climb.seeds else 0),
            chosen(climb.pool, climb.heard.struck),
            certificate if number == 0 else (),
            climb.heard.struck_by,
            survivors if number == 0 else (),
        )
        for number, climb in enumerate(climbs)
    )


def scope_of(climbs: Sequence[Climb]) -> str:
    """What was searched: the main family and each further one that meets the hypotheses."""
    main, *others = climbs
    whole = "; ".join([main.scope, *(c.scope for c in others if c.pool.feasible)])
    why = why_no_terms(main.statement)
    return f"a program, judged at the sizes that were run ({why}): {whole}" if why else whole


def tightness_of(climbs: Sequence[Climb]) -> dict[str, Any] | None:
    """Largest ratio over all families and where it is reached."""
    found = [t for t in (climb.heard.tightness() for climb in climbs) if t is not None]
    return max(found, key=lambda t: float(t["ratio"]), default=None)


def _on(statement: Statement, number: int) -> Statement:
    return replace(statement, family=statement.also[number], also=(), simulate=(), deduction=None)


def _covering(item: Evidence, main: Climb) -> Evidence:
    """A proof, with what it covers."""
    if item.proof is None or item.status != "decided":
        return item
    return replace(item, summary=f"{item.summary}, on {main.statement.family.about}")


def _searched(climb: Climb) -> Iterator[Evidence]:
    try:
        for item in climb.searched():
            empty = not climb.pool.feasible and item.status == "undecided"
            yield replace(
                item,
                summary=f"{climb.statement.family.about}: {item.summary}",
                status="not-applicable" if empty else item.status,
                scope=climb.scope,
            )
    except NotAvailable as error:
        about = climb.statement.family.about
        yield Evidence("exact", "not-applicable", f"{about}: {error}", scope=climb.scope)


def _broken(climbs: Sequence[Climb]) -> Climb | None:
    """The first climb that has found a witness."""
    return next((climb for climb in climbs if climb.witness is not None), None)
