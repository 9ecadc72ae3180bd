"""Which hypotheses the claim needs: each is broken alone, on instances that meet all others.

Where the claim falls there, the hypothesis is needed.  A hypothesis that is called defining must
take a value of a formula with it: an instance that misses it alone and gives both sides a value,
exactly computed, shows that it assumes more than that the claim makes sense.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from verify.claim.statement import Statement
from verify.ladder.price import tuning
from verify.ladder.price.changed_claims import turned_round
from verify.ladder.price.trials import Trial, ask
from verify.ladder.search.pool import Pool
from verify.ladder.search.tally import Alone
from verify.verdict.evidence import Evidence

__all__ = ["break_alone", "look_at_hypotheses"]


def look_at_hypotheses(pool: Pool) -> Evidence | None:
    """What the search has seen of each hypothesis broken alone.

    Parameters
    ----------
    pool : Pool
        After the search.

    Returns
    -------
    Evidence or None
        Of the rung ``needed``; undecided where a defining hypothesis defines nothing.
        None if nothing is assumed.
    """
    for item in pool.statement.given:
        seen = pool.tally.alone.get(item.name, Alone())
        if item.defining and _has_value(pool.statement, item.name, seen):
            return Evidence(
                "needed",
                "undecided",
                f'"{item.name}" is called defining, but the claim has a value without it: name '
                "the place where it is printed, or assume less",
                details={"defining": item.name},
            )
    return _marked(pool, {})


def break_alone(trial: Trial) -> Evidence | None:
    """Look for instances on which the claim falls where a hypothesis alone fails.

    Parameters
    ----------
    trial : Trial

    Returns
    -------
    Evidence or None
        As of :func:`look_at_hypotheses`; None if no further hypothesis turned out to be needed.
    """
    pool, before = trial.pool, trial.spent
    idle = [
        item for item in pool.statement.given if not pool.tally.alone.get(item.name, Alone()).fell
    ]
    if not idle:
        return None
    # what an earlier search has found is among the instances that it has left
    share = (
        None
        if trial.profile.again
        else trial.profile.evaluations
        // (tuning.BROKEN_SHARE * max(len(idle), tuning.BROKEN_FEWEST))
    )
    fallen = {item.name: trial.falls(turned_round(pool.statement, item), share) for item in idle}
    found = _marked(pool, fallen) if any(fallen.values()) else None
    return None if found is None else replace(found, tried=trial.spent - before)


def _marked(pool: Pool, fallen: Mapping[str, bool]) -> Evidence | None:
    """Marks of all hypotheses by what the search has seen and what a search of its own found."""
    if not pool.statement.given:
        return None
    marks: dict[str, list[str]] = {"needed": [], "not seen needed": [], "never failed alone": []}
    for item in pool.statement.given:
        seen = pool.tally.alone.get(item.name, Alone())
        marks["needed" if fallen.get(item.name) else _mark(seen)].append(item.name)
    counts = {name: [one.failed, one.fell] for name, one in pool.tally.alone.items()}
    text = "; ".join(f"{mark}: {', '.join(names)}" for mark, names in marks.items() if names)
    return Evidence("needed", "reported", text, details={**marks, "failed alone and fell": counts})


def _mark(seen: Alone) -> str:
    if seen.fell:
        return "needed"
    return "not seen needed" if seen.failed else "never failed alone"


def _has_value(statement: Statement, name: str, seen: Alone) -> bool:
    """Whether both sides exist in exact arithmetic where this hypothesis alone is missed."""
    if seen.valued is None:
        return False
    found = ask(statement, *seen.valued)
    if found is None or not found.decided:
        return False
    missed = [
        other
        for other, (value, strict) in found.margins.items()
        if not bool(value > 0 if strict else value >= 0)
    ]
    return missed == [name]
