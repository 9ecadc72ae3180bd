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
from verify.ladder.search.seeds import Seeds, chosen
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import stands
from verify.world.noise_plan import NotAvailable

SHARE = 2
"""The further families together get one part in so many of the leaf's evaluations."""


def climbs_of(main: Climb, seeds: Sequence[Seeds] = ()) -> list[Climb]:
    """The climb of a statement, then one for each further family, with a seed of its own.

    ``seeds`` are what earlier climbs have left of the further families.
    """
    statement, profile = main.statement, main.profile
    share = profile.evaluations // (SHARE * max(len(statement.also), 1))
    smaller = replace(profile, evaluations=max(share, 1))
    return [
        main,
        *(
            Climb(
                _on(statement, number),
                smaller,
                main.seed + 1 + number,
                main.device,
                seeds=seeds[number] if seeds else None,
            )
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
        tried = climbs_of(Climb(smaller, profile, main.seed, main.device))
        answer = stands([*climb_all(tried)])
        for climb, other in zip(climbs, tried, strict=True):
            climb.pool.paid += [other.struck] if other.struck is not None else []
        return answer

    further = [climb.pool for climb in others if climb.pool.feasible]
    yield from pay(main.pool, main.profile, main.seed, stands_alone, further)


def seeds_of(climbs: Sequence[Climb], evidence: Sequence[Evidence]) -> tuple[Seeds, ...]:
    """What is worth keeping of climbs: instances of each family, and what proofs came to."""
    certificate = tuple(e.to_json() for e in evidence if e.rung == "certificate")
    return tuple(
        Seeds(
            max(climb.profile.evaluations, climb.seeds.evaluations if climb.seeds else 0),
            chosen(climb.pool, climb.struck),
            certificate if number == 0 else (),
        )
        for number, climb in enumerate(climbs)
    )


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
