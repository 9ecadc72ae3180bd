"""What a statement about one iteration of runs with local steps says, as sets of claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from verify.claim.statement import Statement
from verify.reading.iterations.agreement import agrees
from verify.reading.iterations.claims import FACTS, iteration_claims
from verify.reading.iterations.many import (
    alike_many_claims,
    factors_of,
    many_claims,
    resting_claims,
)
from verify.reading.iterations.names import ROUNDS, SQUARES, TIME
from verify.reading.iterations.reading import Iteration, LocalRuns, settings_of
from verify.reading.iterations.rounds import round_claims
from verify.reading.parts.claim import Claims, ReadClaim
from verify.reading.parts.refusals import NotReadable

__all__ = ["LOCAL", "iteration_sets"]

Way = tuple[dict[str, Any], Callable[[Iteration], Iterator[ReadClaim]]]

LOCAL = "local steps"
"""In the labels of such claims."""
LOSSES = "losses that meet the assumptions on any number of clients"
LAW = "of any law with mean zero and this variance at most"
ENDS, INSIDE = "where rounds end", "inside of rounds"
ANY_LAW = "of any law, on every outcome"


def iteration_sets(statement: Statement) -> Iterator[Claims]:
    """Sets of claims each of which is what a statement says, those that assume least first.

    Parameters
    ----------
    statement : Statement
        About means over runs.
    """
    settings = _readable(statement)
    if not settings or not all(agrees(one) for one in settings):
        return
    for part in _ways(settings[0]):
        yield Claims(_labelled(settings, part))


def _readable(statement: Statement) -> list[LocalRuns]:
    """The statement about any iteration, or about the end of runs, or about iterations inside of
    rounds and at their ends; none if it is nothing of these."""
    for end, apart in ((False, False), (True, False), (False, True)):
        with suppress(NotReadable):
            settings = settings_of(statement, end, apart)
            for one in settings:
                assert one.read
            return settings
    return []


def _ways(setting: LocalRuns) -> Iterator[Way]:
    """How the claims may be made, of an iteration by itself and of any number of them."""
    read, statement = setting.read, setting.statement
    if read.right.has(TIME, ROUNDS):
        if read.path:
            return  # what is handed on from one iteration to the next is a mean
        with suppress(NotReadable):
            step = setting.step
            for share in factors_of(read) if step is not None else ():
                label = {"iterations": "any", "facts": f"{share} rho-bar"}
                yield label, partial(many_claims, step=step, strict=statement.strict, share=share)
        if setting.alike and read.begun and setting.step is not None and not setting.others:
            label = {"iterations": "any", "facts": "one minimiser"}
            yield label, partial(alike_many_claims, step=setting.step, strict=statement.strict)
        return
    if setting.early:
        return  # an average under the shares is no step from one under the weights
    relation = "==" if statement.relation == "==" else "<="
    for facts in FACTS:
        made = partial(iteration_claims, relation=relation, strict=statement.strict, facts=facts)
        yield {"facts": facts}, made
    if setting.alike and read.begun and relation == "<=":
        yield {"facts": "one minimiser"}, partial(round_claims, strict=statement.strict)


def _labelled(settings: Sequence[LocalRuns], way: Way) -> Iterator[ReadClaim]:
    label, made = way
    shared = {"federation": LOSSES, "noise": LAW, "N": "any", LOCAL: "any"}
    if any(one.early for one in settings):
        shared["weights"] = "known when a run begins"
    if settings[0].path:
        shared["noise"] = ANY_LAW
        if any(one.at_ends for one in settings):
            shared["noise"] = f"{ANY_LAW}, and none where a round ends"
    elif any((one.read.left + one.read.right).has(SQUARES) for one in settings):
        shared["noise"] = f"{LAW}, independent from client to client"
    for one in settings:
        claims = resting_claims(one.read, one.statement.strict) if one.others else made(one.read)
        where = {} if one.at_ends is None else {"iterations": ENDS if one.at_ends else INSIDE}
        for claim in claims:
            yield claim._replace(label={**shared, **label, **where, **claim.label})
