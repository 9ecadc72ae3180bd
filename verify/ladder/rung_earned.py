"""What `holds` costs, asked of one leaf after its climb."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verify.claim.statement import Shape
from verify.ladder.asked import ask
from verify.ladder.budgets import Profile
from verify.ladder.pool import Pool
from verify.ladder.rung_hypotheses import break_alone, look_at_hypotheses
from verify.ladder.rung_sides import look_at_sides
from verify.ladder.rung_standing import look_at_standing
from verify.ladder.rung_terms import Stands, Trial, look_at_terms
from verify.verdict.evidence import Evidence
from verify.world.referee import Rescored

__all__ = ["look_again", "pay"]


def look_again(pool: Pool) -> Iterator[Evidence]:
    """What the search has seen of hypotheses and sides; costs no evaluation.

    Parameters
    ----------
    pool : Pool
        After the search of a claim that no witness has broken.
    """

    def exact(values: Mapping[str, Any], shape: Shape) -> Rescored | None:
        return ask(pool.statement, values, shape)

    hypotheses = look_at_hypotheses(pool, exact)
    if hypotheses is not None:
        yield hypotheses
    yield look_at_sides(pool)


def pay(pool: Pool, profile: Profile, seed: int, stands: Stands) -> Iterator[Evidence]:
    """Searches that a claim must survive, or lose, before it holds.

    Parameters
    ----------
    pool : Pool
        After the search of a claim that would hold.
    profile : Profile
        Of that search; the searches here cost at most as many evaluations again.
    seed : int
    stands : callable
        Puts a smaller claim through the ladder.
    """
    trial = Trial(pool, profile, seed)
    alone = break_alone(trial)
    if alone is not None:
        yield alone
    terms, smallest = look_at_terms(trial, stands)
    yield terms
    yield look_at_standing(trial, smallest)


