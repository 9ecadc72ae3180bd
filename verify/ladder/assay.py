"""The ladder: run the rungs on one statement, cheap and exact first, and add up the evidence."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.claim.statement import Statement
from verify.ladder.budgets import PROFILES, Profile
from verify.ladder.climb import Climb
from verify.ladder.rung_link import check_lift
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import COSTS, HOLDS, spared, supported, verdict

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

    def __str__(self) -> str:
        found = self.tightness
        ratio = "" if found is None else f", left/right up to {found['ratio']:.4g}"
        hint = f"\n  {self.hint}" if self.hint else ""
        return f"{self.id}: {self.verdict} by {self.rung}{ratio}: {self.reason}{hint}"

    def to_json(self) -> dict[str, Any]:
        """Leaf of a ledger."""
        out = dict(self.__dict__)
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

    Returns
    -------
    Leaf
    """
    clock = time.perf_counter()
    climb = Climb(statement, profile, leaf_seed(seed, statement.key), device)
    evidence = [*links]
    if statement.missing:
        evidence.append(Evidence("hypotheses", "missing", statement.missing))
    else:
        for item in _climbed(climb, evidence):
            evidence.append(item)
            if observe is not None:
                observe(item)
    if statement.empties:
        evidence.append(check_lift(statement, parent, climb.seed))
    found = verdict(evidence)
    return Leaf(
        statement.key, found.word, found.rung, found.reason, climb.scope, climb.tightness(),
        next((e.power for e in evidence if e.power is not None), None),
        _follows(statement, profile, seed),
        climb.hint if found.word == "violated" else "", spared(evidence), climb.witness,
        tuple(evidence), time.perf_counter() - clock,
    )  # fmt: skip


def _climbed(climb: Climb, evidence: list[Evidence]) -> Iterator[Evidence]:
    """Evidence of the rungs; what `holds` costs last, if the claim would hold."""
    yield from climb.evidence()
    if verdict(evidence).rung in COSTS and supported(evidence).word == HOLDS:
        yield from climb.pay()


def _follows(statement: Statement, profile: Profile, seed: int) -> str:
    """Whether a proof step follows from the displays before it, their quantities free symbols."""
    if statement.deduction is None:
        return "unknown"
    step = statement.deduction
    found = verdict([*Climb(step, profile, leaf_seed(seed, step.key), "cpu").evidence()])
    return {"proved": "yes", "violated": "no"}.get(found.word, "unknown")
