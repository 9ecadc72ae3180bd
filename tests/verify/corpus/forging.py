"""Corpora that somebody makes up to have a false claim hold: benign instances, right digests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bounds.numbers.validate import InvalidInput
from verify.claim.statement import Family, Statement
from verify.ladder.search.pool import Pool
from verify.ladder.search.seeds import Kept, Seed, Seeds
from verify.verdict.evidence import Evidence
from verify.world.noise_plan import AllOutcomes, NotAvailable

NO_PROOF = Evidence("certificate", "not-applicable", "no proof was found")
DRAWN, KEPT, MISSED = 400, 40, 8
"""Points drawn of each shape, those that are kept, and of these such that miss a hypothesis."""


def benign_points(statement: Statement, family: Family, seed: int = 5) -> tuple[Seed, ...]:
    """Points of the box on which a claim stands, with the ratios that they have there."""
    pool = Pool(replace(statement, family=family, also=()), AllOutcomes())
    found: list[Seed] = []
    for number, shape in enumerate(family.shapes):
        rng = np.random.default_rng([seed, number])
        values = family.decode(rng.random((DRAWN, family.width(shape))), shape)
        try:
            with np.errstate(all="ignore"):
                result = pool.scored(values, shape)
        except (NotAvailable, InvalidInput):
            continue
        met = np.broadcast_to(np.ravel(result.feasible), (DRAWN,))
        ratio = np.asarray(result.ratio, dtype=float)
        good = np.flatnonzero(met & np.isfinite(ratio) & (ratio <= 1))
        good = good[np.argsort(-ratio[good])][:: max(len(good) // KEPT, 1)][:KEPT]
        missed = np.flatnonzero(~met & np.isfinite(ratio))[:MISSED]
        for row, known in [*((j, float(ratio[j])) for j in good), *((j, None) for j in missed)]:
            found.append(Seed(number, {}, {k: v[row] for k, v in values.items()}, known))
    return tuple(found)


def benign(statement: Statement, evaluations: int = 10**9) -> Kept:
    """A record by which a claim was searched for long, and nothing was found."""
    families = (statement.family, *statement.also)
    return Kept(
        tuple(
            Seeds(evaluations, benign_points(statement, one), () if number else (NO_PROOF,))
            for number, one in enumerate(families)
        )
    )
