"""What `holds` costs, asked of one leaf after its climb."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from verify.ladder.budgets import Profile
from verify.ladder.price.hypotheses import break_alone, look_at_hypotheses
from verify.ladder.price.sides import look_at_sides
from verify.ladder.price.standing import look_at_standing
from verify.ladder.price.terms import look_at_terms
from verify.ladder.price.trials import Stands, Trial
from verify.ladder.search.pool import Pool
from verify.limits.clock import OutOfTime
from verify.verdict.evidence import Evidence

__all__ = ["look_again", "pay"]


def look_again(pool: Pool) -> Iterator[Evidence]:
    """What the search has seen of hypotheses and sides; costs no evaluation.

    Parameters
    ----------
    pool : Pool
        After the search of a claim that no witness has broken.
    """
    hypotheses = look_at_hypotheses(pool)
    if hypotheses is not None:
        yield hypotheses
    yield look_at_sides(pool)


def pay(
    pool: Pool, profile: Profile, seed: int, stands: Stands, further: Sequence[Pool] = ()
) -> Iterator[Evidence]:
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
    further : sequence of Pool
        Of the further families.
    """
    deadline = time.thread_time() + profile.share("costs")
    trial = Trial(pool, profile, seed, stands, deadline, further)
    try:
        alone = break_alone(trial)
        if alone is not None:
            yield alone
        terms, smallest = look_at_terms(trial)
        yield terms
        yield look_at_standing(trial, smallest)
    except OutOfTime:
        text = "time limit of the searches that holds costs: raise it or take a smaller profile"
        yield Evidence("terms", "stopped", text, tried=trial.spent)
