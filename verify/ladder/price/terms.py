"""Which named terms of a bound are needed: the claim without one of them is searched on its own.

A term that nothing needs is dropped, and the smaller claim climbs the ladder itself, largest term
first.  What is left at the end is what the instances support.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.statement import Statement
from verify.ladder.price import tuning
from verify.ladder.price.changed_claims import without
from verify.ladder.price.trials import Trial
from verify.ladder.search.pool import Pool
from verify.verdict.evidence import Evidence
from verify.world.returned import sides_of

__all__ = ["look_at_terms"]


def look_at_terms(trial: Trial) -> tuple[Evidence, Statement]:
    """Try the claim without each named term of its bound.

    Parameters
    ----------
    trial : Trial

    Returns
    -------
    Evidence
        Of the rung ``terms``: ``needed``, ``not needed`` and ``not seen needed`` ones.
    Statement
        The smallest claim that stands.
    """
    statement = trial.pool.statement
    if statement.relation not in ("<=", ">="):
        return Evidence("terms", "reported", "an equality has no term to spare"), statement
    sizes, before = _sizes(trial.pool), trial.spent
    share = trial.profile.evaluations // (tuning.TERMS_SHARE * max(len(sizes), tuning.TERMS_FEWEST))
    suspects = [n for n in sizes if not trial.falls(without(statement, {n}), share)]
    dropped: set[str] = set()
    left_open: list[str] = []
    budget = trial.profile.evaluations // tuning.SMALLER_SHARE
    if len(suspects) > 1 and trial.climb(without(statement, suspects), budget):
        dropped = set(suspects)
    for name in suspects if not dropped else ():
        smaller = without(statement, {*dropped, name})
        if dropped and trial.falls(smaller, share):
            continue
        answer = trial.climb(smaller, budget)
        if answer:
            dropped.add(name)
        elif answer is None:
            left_open.append(name)
    left_open = [n for n in left_open if not trial.falls(without(statement, {*dropped, n}), share)]
    spared = [name for name in sizes if name in dropped]
    needed = [name for name in sizes if name not in dropped and name not in left_open]
    marks = {"needed": needed, "not needed": spared, "not seen needed": left_open}
    text = "; ".join(f"{mark}: {', '.join(names)}" for mark, names in marks.items() if names)
    found = Evidence(
        "terms",
        "reported",
        text,
        tried=trial.spent - before,
        details={k: v for k, v in marks.items() if v},
    )
    return found, without(statement, dropped) if dropped else statement


def _sizes(pool: Pool) -> dict[str, float]:
    """Named terms of the bound that are nowhere negative, by their usual size, largest first."""
    side = pool.statement.bound_side
    seen: dict[str, list[Any]] = {}
    with unchecked(), np.errstate(all="ignore"):
        for result in pool.kept:
            terms = sides_of(pool.statement, result.world)[side]
            for name, value in terms.items():
                value = np.asarray(value, dtype=float)
                value = value.reshape((1,) * (2 - value.ndim) + value.shape)
                rows = np.broadcast_to(value, (len(result.feasible), *value.shape[1:]))
                seen.setdefault(name, []).append(rows[result.feasible].ravel())
    joined = {name: np.concatenate(parts) for name, parts in seen.items()}
    kept = {name: v for name, v in joined.items() if v.size and not (v < 0).any()}
    with np.errstate(over="ignore"):  # the mean of the middle two
        usual = {name: float(np.median(v)) for name, v in kept.items()}
    return dict(sorted(usual.items(), key=lambda item: -item[1]))
