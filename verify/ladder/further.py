"""Further families: a claim about a class is searched on every family that lies in the class.

A proof speaks of the symbols of the main family alone, so the others are searched even where it
exists, and what it covers is said.  A further family none of whose instances meets the hypotheses
says nothing about the claim, for or against.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from verify.claim.statement import Statement
from verify.ladder.climb import Climb
from verify.ladder.price.earned import look_again, pay
from verify.ladder.price.power import measure_power
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import stands
from verify.world.noise_plan import NotAvailable

SHARE = 2
"""The further families together get one part in so many of the leaf's evaluations."""


def climbs_of(main: Climb) -> list[Climb]:
    """The climb of a statement, then one for each further family, with a seed of its own."""
    statement, profile = main.statement, main.profile
    share = profile.evaluations // (SHARE * max(len(statement.also), 1))
    smaller = replace(profile, evaluations=max(share, 1))
    return [
        main,
        *(
            Climb(_on(statement, number), smaller, main.seed + 1 + number, main.device)
            for number in range(len(statement.also))
        ),
    ]


def climb_all(climbs: Sequence[Climb]) -> Iterator[Evidence]:
    """Evidence of all families, up to the first witness, and what the instances can tell."""
    main, *others = climbs
    for item in main.evidence():
        yield _covering(item, main) if others else item
    for climb in others if main.pool.tried else ():
        if _witness(climbs) is None:
            yield from _searched(climb)
    if main.statement.quantifier == "all" and main.pool.tried:
        broken = next((c for c in climbs if c.witness is not None), None)
        if broken is not None:
            # of a claim that is false nobody asks whether a falser one would be found out
            broken.search_on()
            return
        kept = [result for climb in climbs for result in climb.pool.kept]
        yield measure_power(replace(main.pool, kept=kept), main.profile.mutants, main.seed)
        if main.pool.kept:
            yield from look_again(main.pool)


def pay_all(climbs: Sequence[Climb]) -> Iterator[Evidence]:
    """What a claim that would hold must go through; see :mod:`verify.ladder.price.earned`."""
    main, *others = climbs

    def stands_alone(smaller: Statement, evaluations: int, seconds: float) -> bool | None:
        """Whether a smaller claim stands after a climb of its own; None if that is left open."""
        profile = replace(main.profile, evaluations=evaluations, seconds=seconds)
        climbs = climbs_of(Climb(smaller, profile, main.seed, main.device))
        return stands([*climb_all(climbs)])

    further = [climb.pool for climb in others if climb.pool.feasible]
    yield from pay(main.pool, main.profile, main.seed, stands_alone, further)


def scope_of(climbs: Sequence[Climb]) -> str:
    """What was searched: the main family and each further one that meets the hypotheses."""
    main, *others = climbs
    return "; ".join([main.scope, *(c.scope for c in others if c.pool.feasible)])


def tightness_of(climbs: Sequence[Climb]) -> dict[str, Any] | None:
    """Largest ratio over all families and where it is reached."""
    found = [t for t in (climb.tightness() for climb in climbs) if t is not None]
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


def _witness(climbs: Sequence[Climb]) -> Any:
    return next((climb.witness for climb in climbs if climb.witness is not None), None)
