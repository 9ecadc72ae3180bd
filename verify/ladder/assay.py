"""The ladder: run the rungs on one statement, cheap and exact first, and add up the evidence."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.claim.statement import Statement
from verify.ladder.climb import Climb
from verify.ladder.further import (
    climb_all,
    climbs_of,
    pay_all,
    scope_of,
    seeds_of,
    tightness_of,
)
from verify.ladder.means.budgets import PROFILES, Profile
from verify.ladder.repair.flaws import Flaw, flaws_of
from verify.ladder.repair.hints import repair_hint
from verify.ladder.rungs.link import check_lift
from verify.ladder.search.seeds import Kept
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import COSTS, HOLDS, INCONCLUSIVE, VIOLATED, spared, supported, verdict

__all__ = ["PROFILES", "Leaf", "Profile", "assay", "leaf_seed"]


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
    flaws: tuple[Mapping[str, Any], ...] = ()
    """What is wrong with a broken claim, in the order found: mend, ratio, and whether it stands."""
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
    observe: Callable[[Evidence], None] | None = None,
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
        Called with each piece of evidence as it is found.
    kept : Kept, optional
        What an earlier search of the same claim has left: it is scored and checked again, and a
        short search goes on from it. Where the claim has changed, or that does not suffice, the
        whole search is made.

    Returns
    -------
    Leaf
    """
    if kept is not None and _serves(kept, statement, profile):
        seen: list[Evidence] = []
        leaf = _assayed(
            statement, profile.warmed(), seed, links, parent, device, seen.append, kept=kept
        )
        if leaf is not None:
            if observe is not None:
                for item in seen:
                    observe(item)
            return leaf
    leaf = _assayed(statement, profile, seed, links, parent, device, observe)
    assert leaf is not None
    return leaf


def _serves(kept: Kept, statement: Statement, profile: Profile) -> bool:
    """Whether what an earlier search has left may take the place of a search of this budget."""
    return (
        len(kept.families) == 1 + len(statement.also)
        and kept.families[0].evaluations >= profile.evaluations
        and statement.relation != "<~"
    )


def _assayed(
    statement: Statement,
    profile: Profile,
    seed: int,
    links: Sequence[Evidence],
    parent: Statement | None,
    device: str,
    observe: Callable[[Evidence], None] | None,
    kept: Kept | None = None,
) -> Leaf | None:
    """One leaf; with seeds, None where they do not suffice: the claim is not what it was when they
    were kept, or they leave it open."""
    clock = time.perf_counter()
    main, *others = kept.families if kept is not None else (None,)
    own = leaf_seed(seed, statement.key)
    climbs = climbs_of(Climb(statement, profile, own, device, seeds=main), others)
    evidence = [*links]
    if statement.missing:
        evidence.append(Evidence("hypotheses", "missing", statement.missing))
    else:
        for item in _climbed(climbs, evidence):
            evidence.append(item)
            if observe is not None:
                observe(item)
    if statement.empties:
        evidence.append(check_lift(statement, parent, own))
    found = verdict(evidence)
    moved = sum(climb.pool.moved for climb in climbs)
    if kept is not None and (found.word == INCONCLUSIVE or moved):
        return None
    flaws = flaws_of(climbs, own + len(climbs)) if found.word == VIOLATED else ()
    follows, step = _follows(statement, profile, seed, kept)
    return Leaf(
        statement.key,
        found.word,
        found.rung,
        found.reason,
        scope_of(climbs),
        tightness_of(climbs),
        next((e.power for e in evidence if e.power is not None), None),
        follows,
        repair_hint(flaws),
        spared(evidence),
        _witness(climbs, flaws),
        tuple(evidence),
        time.perf_counter() - clock,
        tuple(flaw.to_json() for flaw in flaws),
        lambda: Kept(seeds_of(climbs, evidence), None if step is None else step()),
    )


def _climbed(climbs: Sequence[Climb], evidence: list[Evidence]) -> Iterator[Evidence]:
    """Evidence of the rungs; what `holds` costs last, if the claim would hold."""
    yield from climb_all(climbs)
    if verdict(evidence).rung in COSTS and supported(evidence).word == HOLDS:
        yield from pay_all(climbs)


def _witness(climbs: Sequence[Climb], flaws: Sequence[Flaw]) -> dict[str, Any] | None:
    """First witness, with the flaws that it has led to."""
    found = next((climb.witness for climb in climbs if climb.witness is not None), None)
    listed = {"flaws": [flaw.to_json() for flaw in flaws]} if flaws else {}
    return None if found is None else {**found, **listed}


def _follows(
    statement: Statement, profile: Profile, seed: int, kept: Kept | None
) -> tuple[str, Callable[[], Kept] | None]:
    """Whether a proof step follows from the displays before it, their quantities free symbols."""
    if statement.deduction is None:
        return "unknown", None
    step = statement.deduction
    seeds = kept.step.families[0] if kept is not None and kept.step is not None else None
    climb = Climb(step, profile, leaf_seed(seed, step.key), "cpu", seeds=seeds)
    evidence = [*climb.evidence()]
    word = {"proved": "yes", "violated": "no"}.get(verdict(evidence).word, "unknown")
    return word, lambda: Kept(seeds_of([climb], evidence))
