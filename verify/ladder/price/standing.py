"""Do-nothing bounds: whether the claim is better somewhere than what needs no theorem.

Such bounds of the bounded side are its value on a run that stands still, what the author of the
record names as trivial, and one for a probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import isfinite
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.statement import Statement
from verify.ladder.price import tuning
from verify.ladder.price.changed_claims import standing_still, with_bound
from verify.ladder.price.trials import Trial
from verify.verdict.evidence import Evidence
from verify.verdict.relation import MOVED, TRANSPOSED, broken
from verify.world.returned import sides_of
from verify.world.score import score_world

__all__ = ["look_at_standing"]


STILL = "standing still"
"""The bound that a run gives without moving."""


def look_at_standing(trial: Trial, statement: Statement) -> Evidence:
    """Compare a claim with its do-nothing bounds.

    Parameters
    ----------
    trial : Trial
        Of the claim, or of a larger one with the same instances.
    statement : Statement
        What is left of the claim.

    Returns
    -------
    Evidence
        Of the rung ``standing``, undecided where a do-nothing bound lies between both sides on
        every instance tried, and below the claimed one on some.
    """
    share = trial.profile.evaluations // tuning.STANDING_SHARE
    tried, before = [], trial.spent
    for name, below, above in _bounds(trial, statement):
        tried.append(name)
        if below is not None and trial.falls(below, share):
            continue
        if trial.falls(above, share):
            continue
        if name == STILL and not _gains(trial, above):
            continue  # to be no worse than the start may be all that is claimed
        return Evidence(
            "standing",
            "undecided",
            f"{name} meets this bound on every instance tried: instances on which the bound is "
            "better would decide, and a proof that there are none would make it vacuous",
            tried=trial.spent - before,
            details={"bound": name},
        )
    text = f"better somewhere than {', '.join(tried)}" if tried else "no do-nothing bound is known"
    return Evidence(
        "standing",
        "reported",
        text,
        tried=trial.spent - before,
        details={"compared": tried} if tried else {},
    )


def _bounds(
    trial: Trial, statement: Statement
) -> Iterator[tuple[str, Statement | None, Statement]]:
    """Do-nothing bounds, each with the claims "bounded side <= B" (None if known), "B <= bound"."""
    if statement.relation not in ("<=", ">="):
        return
    if statement.over == "prob":
        level = statement.delta
        assert level is not None
        yield (
            "the bound 1 on every probability",
            None,
            replace(
                statement,
                over="point",
                delta=None,
                relation="<=",
                sides=lambda w: ({"one": 1}, {"level": level(w)}),
            ),
        )
        return
    for name, end in _domains(trial, statement):
        above = with_bound(statement, _named("end", partial(_constant, end=end)))[1]
        yield f"the end of the domain of {name}", None, above
    if statement.relation == "<=" and _zero_or_one(trial, statement):
        above = with_bound(statement, _named("one", partial(_constant, end=Fraction(1))))[1]
        yield "the bound 1 on what is 0 or 1", None, above
    if _runs(trial, statement):
        yield STILL, *with_bound(statement, standing_still(statement))
    for name, rule in statement.trivial.items():
        yield name, *with_bound(statement, _named(name, rule))


def _domains(trial: Trial, statement: Statement) -> Iterator[tuple[str, Any]]:
    """Parameters that the bounded side is nothing but, with the end of their domain."""
    side = 0 if statement.relation == "<=" else 1
    box = statement.family.box
    found = {k: Fraction(p.limits[1]) for k, p in box.items() if isfinite(p.limits[1])}
    with unchecked(), np.errstate(all="ignore"):
        for result in trial.pool.kept:
            terms = sides_of(statement, result.world)[side]
            only = [np.asarray(v, dtype=float) for v in terms.values()]
            params = result.world.instance.params
            found = {
                k: end
                for k, end in found.items()
                if len(only) == 1
                and k in params
                and np.array_equal(only[0].ravel(), np.asarray(params[k]).ravel())
            }
    yield from found.items()


def _zero_or_one(trial: Trial, statement: Statement) -> bool:
    """Whether the bounded side is 0 on some instances, 1 on others and nothing else on any."""
    seen: set[float] = set()
    with unchecked(), np.errstate(all="ignore"):
        for result in trial.pool.kept:
            seen |= set(np.unique(_total(sides_of(statement, result.world)[0]))[:3].tolist())
            if not seen <= {0.0, 1.0}:
                return False
    return seen == {0.0, 1.0}


def _total(terms: Mapping[str, Any]) -> Any:
    return sum((np.asarray(v, dtype=float) for v in terms.values()), np.zeros(()))


def _constant(_: Any, end: Fraction) -> Fraction:
    return end


def _named(name: str, rule: Callable[[Any], Any]) -> Callable[[Any], Mapping[str, Any]]:
    return lambda world: {name: rule(world)}


def _runs(trial: Trial, statement: Statement) -> bool:
    """Whether the bounded side moves, by more than cancellation, when every run stands still."""
    moved = standing_still(statement)
    side = 0 if statement.relation == "<=" else 1
    with unchecked(), np.errstate(all="ignore"):
        for result in trial.pool.kept:
            if not result.world.runs:
                continue
            sides = sides_of(statement, result.world)
            still, there, other = (
                _total(terms) for terms in (moved(result.world), sides[side], sides[1 - side])
            )
            size = abs(still) + abs(there) + abs(other)
            usual = np.nanmedian(size)
            if (abs(still - there) > MOVED * np.maximum(size, usual)).any():
                return True
    return False


def _gains(trial: Trial, above: Statement) -> bool:
    """Whether the do-nothing bound is below the claimed one somewhere, by more than rounding."""
    with unchecked(), np.errstate(all="ignore"):
        for result in trial.pool.kept:
            found = score_world(above, result.world)
            gain = broken(TRANSPOSED[found.relation], found.left, found.right).any(axis=1)
            if (found.feasible & gain).any():
                return True
    return False
